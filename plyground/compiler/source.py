"""Sources of functions, and which of their names are needed where.

A name is live at a place if its value there may be read later. Only live names need a cell where ways join, so a name
that is used for different things one after the other costs nothing.
"""

import ast
import linecache
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any

Names = frozenset[str]
NONE: Names = frozenset()

FunctionNode = ast.FunctionDef | ast.Lambda
MUTATORS = {"append", "pop", "insert", "extend", "remove", "clear", "sort", "reverse", "add", "discard", "update"}


class NoSource(Exception):
    """The source of a function is not to be had."""


@lru_cache(maxsize=512)
def _tree(file: str, text: str) -> dict[tuple[str, int], ast.FunctionDef]:
    found: dict[tuple[str, int], ast.FunctionDef] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            found[node.name, first] = node
    return found


@lru_cache(maxsize=512)
def _lambdas(file: str, text: str) -> list[ast.Lambda]:
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Lambda)]


def text_of(function: FunctionType) -> tuple[str, str]:
    """The file of a function, and its text."""
    file = function.__code__.co_filename
    return file, "".join(linecache.getlines(file, function.__globals__))


@lru_cache(maxsize=2048)
def node_of(function: FunctionType) -> FunctionNode:
    """The syntax of a function.

    Raises:
        NoSource: there is none, or none that fits, because the file was changed after it was loaded.
    """
    node = _node_of(function)
    if isinstance(node, ast.FunctionDef) and not function.__code__.co_freevars:
        bare = ast.FunctionDef(**{name: getattr(node, name) for name in node._fields} | {"decorator_list": []})
        module = ast.Module([ast.copy_location(bare, node)], [])
        made = next(each for each in compile(module, "", "exec").co_consts if isinstance(each, CodeType))
        if _instructions(made) != _instructions(function.__code__):
            raise NoSource
    return node


def _instructions(code: CodeType) -> tuple[object, ...]:
    """What tells one code from another: its instructions, names and constants without docstrings."""
    constants = [repr(each) for each in code.co_consts if not isinstance(each, CodeType | str)]
    return code.co_code, code.co_names, code.co_varnames, constants


def _node_of(function: FunctionType) -> FunctionNode:
    file, text = text_of(function)
    first, name = function.__code__.co_firstlineno, function.__code__.co_name
    try:
        if name == "<lambda>":
            alike = [node for node in _lambdas(file, text) if node.lineno == first]
            if len(alike) == 1:
                return alike[0]
        elif node := _tree(file, text).get((name, first)):
            return node
    except SyntaxError:
        pass
    raise NoSource


@lru_cache(maxsize=512)
def _changed_names(file: str, text: str) -> Names:
    """Names at the top of a module whose list or dict something in it changes, or that are set within functions."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Global):
            found.update(node.names)
        elif isinstance(node, ast.FunctionDef):
            found |= _mutated(node)
    return frozenset(found)


def changed_globals(function: FunctionType) -> Names:
    """The globals that functions of its file change."""
    return _changed_names(*text_of(function))


def _mutated(node: ast.AST) -> set[str]:
    found: set[str] = set()
    for each in ast.walk(node):
        target: ast.expr | None = None
        if isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Store | ast.Del):
            target = each.value
        elif isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr in MUTATORS:
            target = each.func.value
        while isinstance(target, ast.Subscript | ast.Attribute):
            target = target.value
        if isinstance(target, ast.Name):
            found.add(target.id)
    return found


class Facts:
    """What is known of a function's names before it is compiled."""

    def __init__(self, node: FunctionNode) -> None:
        self.after: dict[int, Names] = {}
        """Names that are live after a statement, by its id."""
        self.head: dict[int, Names] = {}
        """Names that are live at the head of a loop."""
        self.mutated = frozenset(_mutated(node))
        self.is_generator = isinstance(node, ast.FunctionDef) and any(
            isinstance(each, ast.Yield | ast.YieldFrom) for each in _own_nodes(node)
        )
        inner = [each for each in ast.walk(node) if isinstance(each, FunctionNode) and each is not node]
        self.always = frozenset(name.id for each in inner for name in ast.walk(each) if isinstance(name, ast.Name))
        self.assigned = frozenset(assigned(node.body)) if isinstance(node, ast.FunctionDef) else NONE
        if isinstance(node, ast.FunctionDef):
            self._block(node.body, NONE, NONE, NONE)

    def _block(self, body: list[ast.stmt], live: Names, on_break: Names, on_continue: Names) -> Names:
        for each in reversed(body):
            self.after[id(each)] = live | self.always
            live = self._statement(each, live, on_break, on_continue)
        return live

    def _statement(self, each: ast.stmt, live: Names, on_break: Names, on_continue: Names) -> Names:
        match each:
            case ast.If():
                then = self._block(each.body, live, on_break, on_continue)
                return then | self._block(each.orelse, live, on_break, on_continue) | uses(each.test)
            case ast.For() | ast.While():
                after = self._block(each.orelse, live, on_break, on_continue)
                targets = frozenset(_targets(each.target)) if isinstance(each, ast.For) else NONE
                asked = uses(each.target) if isinstance(each, ast.For) else uses(each.test)
                head = after | asked
                while True:
                    inner = self._block(each.body, head, live, head)
                    more = head | asked | (inner - targets)
                    if more == head:
                        break
                    head = more
                self.head[id(each)] = head | self.always
                return head | (uses(each.iter) if isinstance(each, ast.For) else NONE)
            case ast.Return() | ast.Raise():
                return uses(each)
            case ast.Break():
                return on_break
            case ast.Continue():
                return on_continue
            case ast.Assign() | ast.AnnAssign():
                goals = each.targets if isinstance(each, ast.Assign) else [each.target]
                set_ = {name for goal in goals for name in _targets(goal)} if each.value else set()
                return (live - set_) | uses(each)
            case ast.FunctionDef():
                return live - {each.name} | uses(each)
            case ast.Try():
                handlers: Names = NONE
                for handler in each.handlers:
                    handlers |= self._block(handler.body, live, on_break, on_continue)
                return self._block(each.body, live | handlers, on_break, on_continue) | handlers
            case _:
                return live | uses(each)


def _own_nodes(node: ast.AST) -> list[ast.AST]:
    """The nodes of a function without those of functions in it."""
    found: list[ast.AST] = []
    todo = list(ast.iter_child_nodes(node))
    while todo:
        each = todo.pop()
        found.append(each)
        if not isinstance(each, ast.FunctionDef | ast.Lambda):
            todo += ast.iter_child_nodes(each)
    return found


def uses(node: ast.AST) -> Names:
    """The names that are read in a part of a program."""
    found = set()
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
            found.add(each.id)
        elif isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name):
            found.add(each.target.id)
    return frozenset(found)


def _targets(node: ast.expr) -> set[str]:
    """The names that a target sets."""
    match node:
        case ast.Name():
            return {node.id}
        case ast.Tuple() | ast.List():
            return {name for each in node.elts for name in _targets(each)}
        case ast.Starred():
            return _targets(node.value)
    return set()


def assigned(body: list[ast.stmt]) -> set[str]:
    """The names that statements set, without those of inner scopes."""
    found: set[str] = set()
    for statement in body:
        todo: list[ast.AST] = [statement]
        while todo:
            each = todo.pop()
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store | ast.Del):
                found.add(each.id)
            elif isinstance(each, ast.FunctionDef):
                found.add(each.name)
                continue
            if isinstance(each, ast.Lambda | ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp):
                continue
            todo += ast.iter_child_nodes(each)
    return found


_facts: dict[int, tuple[Any, Facts]] = {}


def facts_of(node: FunctionNode) -> Facts:
    """The facts of a function, found once."""
    if id(node) not in _facts:
        _facts[id(node)] = node, Facts(node)
    return _facts[id(node)][1]
