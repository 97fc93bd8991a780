"""Facts about the names of a function: live-variable analysis, assignment and mutation.

A name is live at a place if its value there may be read later. Only live names need a cell where control flow joins, so
a name that is used for different things one after the other costs nothing.
"""

import ast
from functools import lru_cache
from types import FunctionType
from typing import Any

from plyground.compiler.source import FunctionNode, file_and_source, tree_of

Names = frozenset[str]
NO_NAMES: Names = frozenset()
RESIZERS = {"append", "pop", "insert", "extend", "remove", "clear", "add", "discard", "update"}
"""Methods that change the length of a list or set."""
MUTATORS = RESIZERS | {"sort", "reverse"}
_EAGER_FUNCTIONS = {"all", "any", "frozenset", "list", "max", "min", "next", "set", "sorted", "sum", "tuple"}
"""Built-ins that walk a generator before they return, so that it cannot outlive the expression."""


@lru_cache(maxsize=512)
def _mutated_globals(file: str, text: str) -> Names:
    """Names at the top of a module that its functions assign, or whose list or dict they mutate."""
    found: set[str] = set()
    for node in ast.walk(tree_of(file, text)):
        if isinstance(node, ast.Global):
            found.update(node.names)
        elif isinstance(node, ast.FunctionDef):
            found |= _mutated_names(node)
    return frozenset(found)


def mutated_globals(function: FunctionType) -> Names:
    """Globals that functions of the same file assign or mutate."""
    return _mutated_globals(*file_and_source(function))


def _mutated_names(node: ast.AST) -> set[str]:
    """Names whose items are assigned or deleted, or on which a mutating method is called."""
    found: set[str] = set()
    for each in ast.walk(node):
        target: ast.expr | None = None
        if isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Store | ast.Del):
            target = each.value
        elif isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr in MUTATORS:
            target = each.func.value
        # `rows[0][1] = 2` mutates what the name `rows` holds.
        while isinstance(target, ast.Subscript | ast.Attribute):
            target = target.value
        if isinstance(target, ast.Name):
            found.add(target.id)
    return found


def _resized_names(node: ast.AST) -> set[str]:
    """Names of lists and sets whose length changes."""
    found: set[str] = set()
    for each in ast.walk(node):
        parts: list[ast.expr] = []
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr in RESIZERS:
            parts = [each.func.value]
        elif isinstance(each, ast.Delete):
            parts = [target.value for target in each.targets if isinstance(target, ast.Subscript)]
        found |= {part.id for part in parts if isinstance(part, ast.Name)}
    return found


class FunctionFacts:
    """Facts about a function's names, known from its syntax: liveness, assignment, mutation."""

    def __init__(self, node: FunctionNode) -> None:
        self.live_after: dict[int, Names] = {}
        """Names that are live after a statement, by its id."""
        self.live_at_head: dict[int, Names] = {}
        """Names that are live at the head of a loop."""
        self.mutated = frozenset(_mutated_names(node))
        self.resized = frozenset(_resized_names(node))
        self.is_generator = isinstance(node, ast.FunctionDef) and any(
            isinstance(each, ast.Yield | ast.YieldFrom) for each in _own_nodes(node)
        )
        inner: list[ast.AST] = []
        for each in ast.walk(node):
            if isinstance(each, FunctionNode) and each is not node:
                inner.append(each)
            # A generator that gets a name is walked later, and reads its names then.
            elif isinstance(each, ast.Assign):
                inner += _lazy_generators(each.value)
        self.captured = frozenset(name.id for each in inner for name in ast.walk(each) if isinstance(name, ast.Name))
        """Names in inner functions and in generators that have a name, which count as live everywhere."""
        self.assigned = frozenset(assigned_names(node.body)) if isinstance(node, ast.FunctionDef) else NO_NAMES
        if isinstance(node, ast.FunctionDef):
            self._analyse_body(node.body, NO_NAMES, NO_NAMES, NO_NAMES)

    # The data-flow equations of live variables (Aho, Lam, Sethi and Ullman, "Compilers", 2006, section 9.2.5), solved
    # on the syntax tree from the end to the beginning: live before = read here, or live behind and not assigned here.
    def _analyse_body(self, body: list[ast.stmt], live: Names, on_break: Names, on_continue: Names) -> Names:
        """Names that are live before a body, given those live behind it, at a `break` and at a `continue`."""
        for each in reversed(body):
            self.live_after[id(each)] = live | self.captured
            live = self._analyse_statement(each, live, on_break, on_continue)
        return live

    def _analyse_statement(self, each: ast.stmt, live: Names, on_break: Names, on_continue: Names) -> Names:
        match each:
            case ast.If():
                then = self._analyse_body(each.body, live, on_break, on_continue)
                return then | self._analyse_body(each.orelse, live, on_break, on_continue) | read_names(each.test)
            case ast.For() | ast.While():
                after = self._analyse_body(each.orelse, live, on_break, on_continue)
                targets = frozenset(_target_names(each.target)) if isinstance(each, ast.For) else NO_NAMES
                tested = _names_read_each_turn(each)
                head = after | tested
                # The head of a loop follows its own end: repeated until no name is added, at most once for each name of
                # the body.
                while True:
                    inner = self._analyse_body(each.body, head, live, head)
                    more = head | tested | (inner - targets)
                    if more == head:
                        break
                    head = more
                self.live_at_head[id(each)] = head | self.captured
                return head | (read_names(each.iter) if isinstance(each, ast.For) else NO_NAMES)
            case ast.Return() | ast.Raise():
                return read_names(each)
            case ast.Break():
                return on_break
            case ast.Continue():
                return on_continue
            case ast.Assign() | ast.AnnAssign():
                goals = each.targets if isinstance(each, ast.Assign) else [each.target]
                assigned = {name for goal in goals for name in _target_names(goal)} if each.value else set()
                return (live - assigned) | read_names(each)
            case ast.FunctionDef():
                return live - {each.name} | read_names(each)
            case ast.Try():
                # Any statement of the body may raise, so what the handlers read is live in all of it.
                handlers: Names = NO_NAMES
                for handler in each.handlers:
                    handlers |= self._analyse_body(handler.body, live, on_break, on_continue)
                return self._analyse_body(each.body, live | handlers, on_break, on_continue) | handlers
            case _:
                return live | read_names(each)


def _own_nodes(node: ast.AST) -> list[ast.AST]:
    """The nodes of a function without those of inner functions."""
    found: list[ast.AST] = []
    todo = list(ast.iter_child_nodes(node))
    while todo:
        each = todo.pop()
        found.append(each)
        if not isinstance(each, ast.FunctionDef | ast.Lambda):
            todo += ast.iter_child_nodes(each)
    return found


_names_by_node: dict[int, tuple[ast.AST, Names]] = {}
"""Names that parts of syntax trees read, by the id of the part; the part is kept, so that no other gets its id."""


def read_names(node: ast.AST) -> Names:
    """Names that a part of a syntax tree reads; each part is walked once and its names are cached."""
    if (known := _names_by_node.get(id(node))) is not None:
        return known[1]
    found = set()
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
            found.add(each.id)
        # `x += 1` reads x, though its context in the tree is that of an assignment alone.
        elif isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name):
            found.add(each.target.id)
    _names_by_node[id(node)] = node, frozenset(found)
    return _names_by_node[id(node)][1]


def _names_read_each_turn(loop: ast.For | ast.While) -> Names:
    """Names that the head of a loop reads each turn, also in a generator that it walks."""
    if isinstance(loop, ast.While):
        return read_names(loop.test)
    return read_names(loop.target).union(*map(read_names, _lazy_generators(loop.iter)))


def _lazy_generators(node: ast.AST) -> list[ast.AST]:
    """Generator expressions that may be walked later than the expression around them is evaluated."""
    if isinstance(node, ast.GeneratorExp):
        return [node]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _EAGER_FUNCTIONS:
        return []
    return [found for each in ast.iter_child_nodes(node) for found in _lazy_generators(each)]


def _target_names(node: ast.expr) -> set[str]:
    """Names that an assignment to a target sets."""
    match node:
        case ast.Name():
            return {node.id}
        case ast.Tuple() | ast.List():
            return {name for each in node.elts for name in _target_names(each)}
        case ast.Starred():
            return _target_names(node.value)
    return set()


def assigned_names(body: list[ast.stmt]) -> set[str]:
    """Names that statements assign, without those of inner scopes."""
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
            # Inner scopes have names of their own.
            if isinstance(each, ast.Lambda | ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp):
                continue
            todo += ast.iter_child_nodes(each)
    return found


_facts_by_node: dict[int, tuple[Any, FunctionFacts]] = {}


def facts_of(node: FunctionNode) -> FunctionFacts:
    """The facts about a function, analysed once."""
    if id(node) not in _facts_by_node:
        _facts_by_node[id(node)] = node, FunctionFacts(node)
    return _facts_by_node[id(node)][1]
