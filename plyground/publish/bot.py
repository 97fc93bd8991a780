"""Bots for contests: rules, search and evaluation of the package as one Python file.

Nothing is written a second time: the file is made of the package's own source. Beginning with the function that plays,
each name that it uses is looked up in its module, and the definition taken over, and so on. Of a class those methods
are taken that any code so far asks for by their names. What only checks input, types, and comments are left out; a
game is made, and so checked, before its file is written.
"""

import ast
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from plyground.errors import BadInput
from plyground.games import AnyGame
from plyground.games.connectfour import ConnectFour
from plyground.games.ultimate import Ultimate
from plyground.in_pages import in_pages
from plyground.publish import contest

CONTESTS: dict[type[AnyGame], Callable[..., None]] = {
    Ultimate: contest.play_ultimate,
    ConnectFour: contest.play_connect_four,
}
"""Function that plays a contest of CodinGame, by the class of its game."""
KEPT_METHODS = ("__new__", "__init__")
"""Methods with a name of Python's that are taken over; the others check, compare or print."""
DATA = ("dataclass", "NamedTuple", "Protocol")
"""Decorators and bases of classes whose annotated attributes are fields."""

FILE_HEAD = '''"""{name}: a bot for CodinGame, written by plyground {version}.

It is plain Python without dependencies: the rules, the evaluation and the principal variation search of plyground. It
plays the same moves as plyground's engine at the same number of nodes, but enters far fewer of them in a second.
"""

from __future__ import annotations

'''
TAIL = '''

GAME = {game}
NODES_A_MOVE = {nodes}
"""Nodes for each move at most; 0: no limit."""
SECONDS_A_MOVE = {seconds}
"""Seconds for each move at most; 0: no limit."""

if __name__ == "__main__":
    {play}(GAME, NODES_A_MOVE, SECONDS_A_MOVE)
'''


class Name(NamedTuple):
    """A name at the top level of a module of the package, or of another library."""

    module: str
    name: str


class SourceModule:
    """Source of a module: definitions and imports of its top level, by name."""

    def __init__(self, name: str) -> None:
        spec = find_spec(name)
        assert spec is not None and spec.origin is not None
        self.name = name
        self.defined: dict[str, ast.stmt] = {}
        self.imported: dict[str, Name] = {}
        """Names of other modules; a module that is imported whole has an empty name."""
        # Modules are read as text, never imported: an import would run what the bot has no use for.
        for statement in _remove_marks(ast.parse(Path(spec.origin).read_text(encoding="utf-8"))).body:
            match statement:
                case ast.FunctionDef(name=own) | ast.ClassDef(name=own):
                    self.defined[own] = statement
                case ast.AnnAssign(target=ast.Name(id=own), value=ast.expr()):
                    self.defined[own] = statement
                case ast.Assign(targets=[ast.Name(id=own)]):
                    self.defined[own] = statement
                case ast.ImportFrom(module=str(module), names=names):
                    self.imported |= {each.asname or each.name: Name(module, each.name) for each in names}
                case ast.Import(names=names):
                    self.imported |= {each.asname or each.name: Name(each.name, "") for each in names}


def _remove_marks(tree: ast.Module) -> ast.Module:
    """A module without the marks for pages."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            node.decorator_list = [each for each in node.decorator_list if in_pages.__name__ not in names(each)]
    return tree


module: Callable[[str], SourceModule] = cache(SourceModule)


def find_name(name: Name) -> Name | None:
    """Name at its definition, in the package or another library; None if it is Python's own."""
    if not name.module.startswith("plyground"):
        return name
    here = module(name.module)
    if name.name in here.defined:
        return name
    return find_name(here.imported[name.name]) if name.name in here.imported else None


class AnnotationRemover(ast.NodeTransformer):
    """Removes annotations, and of classes all but fields and members that are used."""

    def __init__(self, asked: set[str]) -> None:
        self._asked = asked

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        # Annotations name types that the file does not have, and take room: contests limit a file's
        # size.
        node.returns = None
        arguments = node.args
        for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            each.annotation = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is None:
            return self.generic_visit(node)
        return self.generic_visit(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        bases = [each.value if isinstance(each, ast.Subscript) else each for each in node.bases]
        # Generic and Protocol are bases for type checkers alone.
        node.bases = [each for each in bases if ast.unparse(each) not in ("Generic", "Protocol")]
        told = [*map(ast.unparse, node.bases), *map(ast.unparse, node.decorator_list)]
        has_fields = any(word.startswith(DATA) for word in told)
        docstring = node.body[: ast.get_docstring(node, clean=False) is not None]
        members = [made for each in node.body if (made := self._member(each, has_fields=has_fields)) is not None]
        node.body = [*docstring, *members] or [ast.Pass()]
        return node

    def _member(self, member: ast.stmt, *, has_fields: bool) -> ast.stmt | None:
        """A statement of a class as it is taken over; None if it is not."""
        match member:
            case ast.FunctionDef(name=name):
                is_python = name.startswith("__")
                return self.visit(member) if (name in KEPT_METHODS if is_python else name in self._asked) else None
            case ast.AnnAssign(target=ast.Name(id=name), annotation=told, value=value):
                if has_fields and not ast.unparse(told).startswith("ClassVar"):
                    # Fields need an annotation to be fields, of whatever type.
                    member.annotation = ast.Name("object", ast.Load())
                    return member
                return self.visit(member) if value is not None and name in self._asked else None
            case ast.Assign(targets=[ast.Name(id=name)]):
                return member if name in self._asked or name == "__slots__" else None
        return None  # also for the words below a field, which may have been left out itself


class Bundle:
    """Definitions of the package that a function needs, in an order in which they can be run."""

    def __init__(self, *roots: Name) -> None:
        self._asked: set[str] = set()
        """Names of attributes that any code taken over asks for."""
        self._needs: dict[Name, set[Name]] = {}
        before = -1
        # Attributes are followed by name, whatever their object: a method too many costs bytes, one
        # too few fails in the middle of a contest.
        while len(self._asked) != before:  # what is asked for brings methods, which ask for more
            before = len(self._asked)
            self._needs = {}
            for root in roots:
                self._include_name(root)

    def _include_name(self, name: Name) -> None:
        if name in self._needs or not name.module.startswith("plyground"):
            return
        self._needs[name] = set()
        code = self._code(name)
        for node in ast.walk(code):
            if isinstance(node, ast.Attribute):
                self._asked.add(node.attr)
        for used in names(code):
            if (there := find_name(Name(name.module, used))) is not None and there != name:
                self._needs[name].add(there)
                self._include_name(there)

    def _code(self, name: Name) -> ast.stmt:
        """A definition as it is taken over."""
        statement = module(name.module).defined[name.name]
        fresh = ast.parse(ast.unparse(statement)).body[0]
        made: ast.stmt = ast.fix_missing_locations(AnnotationRemover(self._asked).visit(fresh))
        return made

    def text(self) -> str:
        """The source: imports of Python's own library, then all definitions.

        Raises:
            ValueError: two definitions have one name.
        """
        order = [*TopologicalSorter(self._needed_at_once()).static_order()]
        own = [name for name in order if name.module.startswith("plyground")]
        called = [name.name for name in own]
        # All definitions share one namespace in the file, so the second would replace the first.
        if twice := {name for name in called if called.count(name) > 1}:
            raise ValueError(f"{', '.join(sorted(twice))}: two definitions of the package have this name.")
        others = sorted({each for needs in self._needs.values() for each in needs} - {*own})
        lines = [
            f"import {each.module}" if not each.name else f"from {each.module} import {each.name}" for each in others
        ]
        return "\n".join(lines) + "\n\n" + "\n\n".join(ast.unparse(self._code(name)) for name in own) + "\n"

    def _needed_at_once(self) -> dict[Name, set[Name]]:
        """Names to be defined before each definition is run: those used outside of the bodies of functions."""
        first = {}
        for name, needs in self._needs.items():
            code = self._code(name)
            # Bodies of functions run later, when all is defined; decorators, defaults, bases and
            # constants run as the file is read.
            at_once = (
                set(names(code, into=False))
                if not isinstance(code, ast.FunctionDef)
                else set(names(ast.Module([ast.Expr(each) for each in (*code.decorator_list, *defaults(code))], [])))
            )
            first[name] = {
                each for each in needs if any(find_name(Name(name.module, word)) == each for word in at_once)
            }
        return first


def defaults(function: ast.FunctionDef) -> list[ast.expr]:
    """The default values of a function's parameters."""
    return [*function.args.defaults, *(each for each in function.args.kw_defaults if each is not None)]


def names(code: ast.AST, *, into: bool = True) -> Iterator[str]:
    """Names that a piece of code reads and does not define itself.

    Args:
        code: a statement.
        into: whether the bodies of functions count, too.
    """
    if isinstance(code, ast.FunctionDef | ast.Lambda):
        for each in (*getattr(code, "decorator_list", ()), *code.args.defaults, *filter(None, code.args.kw_defaults)):
            yield from names(each, into=into)
        if into:
            own = {each.id for each in ast.walk(code) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
            own |= {each.arg for each in ast.walk(code) if isinstance(each, ast.arg)}
            body: Iterable[ast.AST] = code.body if isinstance(code, ast.FunctionDef) else [code.body]
            for part in body:
                yield from (word for word in names(part) if word not in own)
        return
    if isinstance(code, ast.Name) and isinstance(code.ctx, ast.Load):
        yield code.id
    for child in ast.iter_child_nodes(code):
        yield from names(child, into=into)


def bot(game: Any, name: str, version: str, nodes: int, seconds: float) -> str:
    """The source of a bot for CodinGame.

    Args:
        game: a game that it has a contest of.
        name: the game's name in words, for the head.
        version: plyground's.
        nodes, seconds: for each move at most; 0: no limit. One of them has one.

    Raises:
        BadInput: there is no contest of the game.
    """
    play = CONTESTS.get(type(game))
    if play is None:
        right = "CodinGame has contests of ultimate and connectfour"
        raise BadInput(f"There is no bot of {type(game).__name__} for CodinGame: {right}.")
    if nodes < 0 or seconds < 0 or not (nodes or seconds):
        raise BadInput(f"nodes={nodes}, seconds={seconds:g}: one of them limits a move, and neither is below 0.")
    kind = Name(type(game).__module__, type(game).__name__)
    text = Bundle(Name(play.__module__, play.__name__), kind).text()
    tail = TAIL.format(game=repr(game), nodes=nodes, seconds=seconds, play=play.__name__)
    return FILE_HEAD.format(name=name, version=version) + text + tail
