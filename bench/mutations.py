"""Mutants of right searches: one change each, made in the syntax tree, of the kinds that a slip of the pen makes."""

import ast
import hashlib
import random
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from plyground.web.lessons import loader

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from right_hands import DISTANCES
from right_searches import RIGHT

LESSONS = {"10-deepening": "deepening", "11-table": "remembering", "14-order": "killers", "15-windows": "scout",
           "16-bits": "keyed", "17-horizon": "quiet"}  # fmt: skip
"""Searches that the lessons have their readers save, right ones alone."""
ANSWERS = ("2-minimax", "3-alpha-beta", "8-your-search", "11-table")
"""Lessons whose answers have a search in `student.py`."""


@cache
def right_searches() -> dict[str, str]:
    """Sources of right searches by a name for each; the function is `search`."""
    found = {}
    for lesson, name in LESSONS.items():
        text = loader.lesson(lesson).files[f"{name}.py"]
        found[f"lesson {lesson}"] = re.sub(rf"\b{name}\(", "search(", text)
    for lesson in ANSWERS:
        text = (loader.FOLDER / "answers" / f"{lesson}.md").read_text("utf-8")
        found[f"answer {lesson}"] = dict(loader.SAVED_FILE.findall(text))["student.py"]
    return {**found, "a table with distances": DISTANCES, **RIGHT}


class Mutant(NamedTuple):
    """A right search with one change."""

    base: str
    """Name of the right search."""
    kind: str
    """Kind of the change, in a few words."""
    change: str
    """Line and source before and after it."""
    source: str

    @property
    def is_quiet(self) -> bool:
        """Whether it is made of lesson 17's search, whose leaves are worth what noisy moves lead to."""
        return self.base == "lesson 17-horizon"

    @property
    def name(self) -> str:
        """Short name for a file."""
        return hashlib.sha256(self.source.encode()).hexdigest()[:8]


TURNED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt), ast.LtE: (ast.Lt, ast.GtE), ast.Gt: (ast.GtE, ast.Lt), ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,), ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}  # fmt: skip
"""Comparisons that take the place of each: made strict or not, and turned."""
TAKEN_FOR = (
    ("alpha", "beta"), ("low", "high"), ("alpha", "low"), ("beta", "high"), ("min", "max"), ("best", "value"),
    ("state", "after"), ("MAX", "MIN"), ("LOWER", "UPPER"), ("LEAST", "MOST"), ("EXACT", "LOWER"), ("EXACT", "LEAST"),
    ("least", "most"), ("move", "choice"), ("first", "choice"), ("ply", "depth"), ("mover", "side"), ("kept", "value"),
)  # fmt: skip
"""Names that are taken for each other."""
PASSED_ON = ("game", "observer", "state")
"""Arguments of different kinds, which are not taken for each other."""
SIDELESS = "game.text(state).rpartition(':')[0]"
"""The board without the side to move."""
Change = tuple[str, ast.AST | None]
"""Kind of a change, and the node in the place of the old one; None: it is left out."""


def changes_of(node: ast.AST, names: set[str]) -> Iterator[Change]:
    """Each change of one node that a slip of the pen may be; `names` are those of the program."""
    match node:
        case ast.Compare() | ast.BoolOp() | ast.IfExp():
            yield from _conditions(node)
        case ast.BinOp(left, ast.Add() | ast.Sub() as operator, right):
            yield "sign", ast.BinOp(left, ast.Sub() if isinstance(operator, ast.Add) else ast.Add(), right)
            yield "term left out", left
        case ast.BinOp(left, ast.Mult(), right):
            yield "factor left out", left
            yield "factor left out", right
        case ast.UnaryOp(ast.USub(), operand) if not isinstance(operand, ast.Constant):
            yield "sign", operand
        case ast.Constant(value) if type(value) is int:
            yield from (("number", ast.Constant(value + step)) for step in (1, -1))
        case ast.Name(name, ast.Load()):
            for pair in TAKEN_FOR:
                if name in pair and names.issuperset(pair):
                    yield "name", ast.Name(pair[name == pair[0]], ast.Load())
        case ast.Attribute(value, "MAX" | "MIN" as name):
            yield "name", ast.Attribute(value, "MIN" if name == "MAX" else "MAX", ast.Load())
        case ast.Tuple([ast.Name("state") as state, *others], ast.Load()):
            yield "depth left out of the key", state
            yield "side left out of the key", ast.Tuple([_expression(SIDELESS), *others], ast.Load())
        case ast.Tuple(items, ast.Load()) if not any(isinstance(each, ast.Starred) for each in items):
            for place in range(len(items) if len(items) > 1 else 0):
                fewer = [*items[:place], *items[place + 1 :]]
                yield "part left out", fewer[0] if len(fewer) == 1 else ast.Tuple(fewer, ast.Load())
            yield from (("order", ast.Tuple(swapped, ast.Load())) for swapped in _swap_pairs(items))
        case ast.Call(ast.Name("hash"), [ast.Name("state")]):
            yield "side left out of the key", ast.Call(node.func, [_expression(SIDELESS)], [])
        case ast.Dict([]):
            yield "kept from call to call", _expression(f"search.__dict__.setdefault('{node.col_offset}', {{}})")
        case ast.Call(ast.Name("sorted"), [unsorted, *_]):
            yield "order", unsorted
            yield "order", ast.Call(ast.Name("reversed", ast.Load()), [node], [])
            yield "moves left out", ast.Subscript(node, ast.Slice(upper=ast.Constant(3)), ast.Load())
        case ast.Call(ast.Name("max" | "min"), arguments):
            yield from (("bound left out", each) for each in arguments)
        case ast.Call(function, arguments):
            first = next((place for place, each in enumerate(arguments) if _may_be_taken(each)), len(arguments))
            for swapped in _swap_pairs(arguments[first:]):
                yield "order", ast.Call(function, [*arguments[:first], *swapped], node.keywords)
        case ast.stmt():
            yield from _lines(node)


def _expression(source: str) -> ast.expr:
    return ast.parse(source, mode="eval").body


def _may_be_taken(argument: ast.expr) -> bool:
    return isinstance(argument, ast.Name) and argument.id not in PASSED_ON


def _swap_pairs(items: list[ast.expr]) -> Iterator[list[ast.expr]]:
    """Rows in which two neighbours have changed places."""
    for place in range(1, len(items)):
        yield [*items[: place - 1], items[place], items[place - 1], *items[place + 1 :]]


def _conditions(node: ast.Compare | ast.BoolOp | ast.IfExp) -> Iterator[Change]:
    """Changes of a condition: turned, made strict or not, or without a part of it."""
    match node:
        case ast.Compare(left, operators, right):
            for place, operator in enumerate(operators):
                for other in TURNED.get(type(operator), ()):
                    yield "comparison", ast.Compare(left, [*operators[:place], other(), *operators[place + 1 :]], right)
            if len(operators) > 1:
                yield "condition left out", ast.Compare(left, operators[:-1], right[:-1])
                yield "condition left out", ast.Compare(right[0], operators[1:], right[1:])
        case ast.BoolOp(operator, values):
            yield "and for or", ast.BoolOp(ast.And() if isinstance(operator, ast.Or) else ast.Or(), values)
            yield from (("condition left out", each) for each in values)
        case ast.IfExp(test, one, other):
            yield "condition turned", ast.IfExp(test, other, one)
            yield "condition left out", one
            yield "condition left out", other


def _lines(node: ast.stmt) -> Iterator[Change]:
    """Changes of a line, or of a loop or a branch with the lines in it."""
    match node:
        case ast.If(test, body, other):
            yield "condition turned", ast.If(ast.UnaryOp(ast.Not(), test), body, other)
            yield "condition left out", ast.If(ast.Constant(value=True), body, other)
        case ast.For(target, moves, body):
            every = ast.Call(ast.Name("list", ast.Load()), [moves], [])
            for kind, some in (("first", ast.Slice(ast.Constant(1))), ("last", ast.Slice(upper=ast.Constant(-1)))):
                yield f"{kind} left out", ast.For(target, ast.Subscript(every, some, ast.Load()), body, [])
        case ast.Break():
            yield "continue for break", ast.Continue()
    if isinstance(node, ast.Assign | ast.AugAssign | ast.If | ast.Expr | ast.Return | ast.Break):
        yield "line left out", None


def is_report(node: ast.AST) -> bool:
    """Whether a node is a report to the observer, or a docstring: no part of the search itself."""
    match node:
        case ast.Expr(ast.Call(ast.Attribute(ast.Name("observer")))) | ast.Expr(ast.Constant()):
            return True
    return False


def changed_sources(tree: ast.Module) -> Iterator[tuple[str, str, str]]:
    """Each source with one change: the kind of the change, its words, and the source."""
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    slots = [*_slots(tree)]
    for holder, key, node in slots:
        for kind, other in changes_of(node, names):
            places = [(holder, key)]
            if kind.endswith("of the key"):  # both where the table is asked and where it is written
                places = [(one, at) for one, at, each in slots if ast.dump(each) == ast.dump(node)]
            for one, at in places:
                one[at] = other or ast.Pass()
            yield kind, f"line {node.lineno}: {_line(node)} -> {_line(other) if other else 'nothing'}", _source_of(tree)
            for one, at in places:
                one[at] = node
        lines: list[ast.stmt] = getattr(node, "body", [])
        for place in range(1, len(lines) if isinstance(lines, list) else 0):
            pair = lines[place - 1 : place + 1]
            if not any(is_report(each) or isinstance(each, ast.Return) for each in pair):
                lines[place - 1 : place + 1] = reversed(pair)
                yield "lines in another order", f"line {pair[1].lineno}: {_line(pair[1])} comes first", _source_of(tree)
                lines[place - 1 : place + 1] = pair


def _slots(node: ast.AST) -> Iterator[tuple[Any, Any, Any]]:
    """Each node below one that belongs to the search: what holds it, by which key, and the node."""
    for name, value in ast.iter_fields(node):
        places = enumerate(value) if isinstance(value, list) else [(name, value)]
        for key, child in places:
            if isinstance(child, ast.AST) and not (is_report(child) or isinstance(child, ast.Import | ast.ImportFrom)):
                yield value if isinstance(value, list) else vars(node), key, child
                yield from _slots(child)


def _source_of(node: ast.AST) -> str:
    return ast.unparse(ast.fix_missing_locations(node))


def _line(node: ast.AST) -> str:
    """First line of a node's source."""
    line, _, rest = _source_of(node).partition("\n")
    return f"{line} …" if rest else line


@cache
def mutants_of(base: str) -> tuple[Mutant, ...]:
    """All mutants of a right search, each source once."""
    source = right_searches()[base]
    tree = ast.parse(source)
    found: dict[str, Mutant] = {ast.unparse(tree): Mutant(base, "", "", source)}
    for kind, change, text in changed_sources(tree):
        found.setdefault(text, Mutant(base, kind, change, f"{text}\n"))
    return tuple(found.values())[1:]


def draw_mutants(count: int, seed: int) -> list[Mutant]:
    """Mutants of all searches, as many of each."""
    chance = random.Random(seed)
    rows = [chance.sample(each, len(each)) for each in map(mutants_of, right_searches())]
    found: list[Mutant] = []
    while len(found) < count and any(rows):
        found += [row.pop() for row in rows if row]
    return found[:count]
