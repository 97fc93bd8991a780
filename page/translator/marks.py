"""Marks of Python that pages have in JavaScript, and where that is.

A module of Python with marks becomes one of JavaScript, at the same path below `page/src/made`.
"""

import ast
import inspect
import posixpath
import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import plyground
from plyground.in_pages import in_pages
from translator.kinds import SENT, ValueKind, kind_of
from translator.snippets import camel, literal

CONSTANTS = ("plyground.rules",)
"""Modules of which pages have the constants alone."""
MARK = f"@{in_pages.__name__}"
HELPERS = "worker/python.js"
"""The module of operators and functions that JavaScript lacks."""
BY_HAND = {
    ("plyground.errors", "BadInput"): ("worker/refused.js", "Refused"),
    ("plyground.microscope.quiz", "RandomChoice"): ("worker/play/chance.js", "Chance"),
    ("plyground.microscope.size", "minimax_size"): ("worker/microscope/searched.js", "minimaxSize"),
    ("plyground.microscope.tree", "Tree"): ("worker/microscope/recording.js", "RecordedTree"),
    ("plyground.microscope.tree", "record"): ("worker/microscope/recording.js", "record"),
    ("plyground.microscope.why", "why"): ("worker/microscope/why.js", "why"),
    ("plyground.position", "Position"): ("worker/position.js", "Position"),
    ("plyground.rules", "Game"): ("worker/game.js", "Game"),
    ("plyground.web.views.positions", "scale"): ("worker/scale.js", "scale"),
}
"""What JavaScript has by hand: where, below `page/src`, and its name there."""


@dataclass(frozen=True)
class Mark:
    """Mark of a function or class of a module, with its members that pages have."""

    without: Collection[str] = ()
    """Members that pages have no use for."""
    sent_as: str = ""
    """Model as which objects of the class are sent; empty for a class that is translated."""
    members: Collection[str] = ()
    """Marked members of a class that is not marked itself: it is extended by one that is written by hand."""


class MarkedModule:
    """Module of Python with marks (`plyground/in_pages.py`), from which one of JavaScript is made."""

    def __init__(self, source: str) -> None:
        """Read the marks.

        Args:
            source: the module's name.
        """
        self.source = source
        self.of: ModuleType = import_module(source)
        self.tree = ast.parse(inspect.getsource(self.of))
        self.marks: dict[str, Mark] = {}
        for node in self.tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                members = [each.name for each in node.body if isinstance(each, ast.FunctionDef) and _marks(each)]
                if found := _marks(node):
                    self.marks[node.name] = found[0]
                elif members and isinstance(node, ast.ClassDef):
                    self.marks[node.name] = Mark(members=members)

    @property
    def path(self) -> str:
        """The path of the module that is made, below `page/src`."""
        return path_of(self.source)

    def constants(self) -> Iterator[str]:
        """Public constants of plain values."""
        for node in self.tree.body:
            match node:
                case ast.Assign([ast.Name(name)]) | ast.AnnAssign(ast.Name(name)) if name.isupper() and name[0] != "_":
                    with suppress(TypeError):
                        literal(getattr(self.of, name))
                        yield name

    def is_left_out(self, of: Any, member: str) -> bool:
        """Whether pages have no use for a member of a class."""
        mark = mark_of(self.source, of.__module__, of.__name__)
        return mark is not None and member in mark.without

    def is_missing(self, of: Any, member: str) -> bool:
        """Whether a class has a member in Python alone; one that is extended by hand may have it there."""
        return self.is_left_out(of, member) and (of.__module__, of.__name__) not in BY_HAND

    def is_sent(self, of: Any) -> bool:
        """Whether objects of a class are sent as JSON: plain ones, whose attributes have the names that Python gives
        them."""
        mark = mark_of(self.source, of.__module__, of.__name__)
        return hasattr(of, "model_fields") or (mark is not None and mark.sent_as != "")

    def address_of(self, source: str, name: str) -> tuple[str, str]:
        """Where something of a module of Python is in JavaScript, from this one, and its name there; no address for
        what is in this module itself, no name for what is nowhere."""
        if by_hand := BY_HAND.get((source, name)):
            return relative(self.path, by_hand[0]), by_hand[1]
        mark = mark_of(self.source, source, name)
        if mark is None:
            return "", ""
        if mark.sent_as:
            return SENT, mark.sent_as
        return "" if source == self.source else relative(self.path, path_of(source)), camel(name)


@cache
def read_marks(source: str) -> MarkedModule:
    """A module with marks, read once."""
    return MarkedModule(source)


@cache
def sources() -> list[str]:
    """Names of the package's modules from which JavaScript is made."""
    folder = Path(plyground.__file__).parent
    files = (file for file in folder.rglob("*.py") if MARK in file.read_text(encoding="utf-8"))
    names = {".".join(("plyground", *file.relative_to(folder).with_suffix("").parts)) for file in files}
    return sorted({*names, *CONSTANTS})


def mark_of(asking: str, source: str, name: str) -> Mark | None:
    """The mark of a function or class; None without one. What has marks is in the package, or asks for itself."""
    known = source == asking or source in sources()
    return read_marks(source).marks.get(name) if known else None


def path_of(source: str) -> str:
    """Path of the JavaScript that is made from a module, below `page/src`.

    >>> path_of("plyground.engine.report")
    'made/engine/report.js'
    """
    return f"made/{source.removeprefix('plyground.').replace('.', '/')}.js"


def relative(importer: str, path: str) -> str:
    """Address of a module from another one."""
    found = posixpath.relpath(path, posixpath.dirname(importer))
    return found if found.startswith(".") else f"./{found}"


def _marks(node: ast.FunctionDef | ast.ClassDef) -> list[Mark]:
    """The mark of a definition, if it has one."""
    return [
        Mark(**{each.arg: ast.literal_eval(each.value) for each in getattr(decorator, "keywords", ())})
        for decorator in node.decorator_list
        if isinstance(called := getattr(decorator, "func", decorator), ast.Name) and called.id == in_pages.__name__
    ]


def said_of(module: MarkedModule, hint: Any) -> str:
    """A type in JavaScript."""
    return kind_text(module, kind_of(hint))


def kind_text(module: MarkedModule, kind: ValueKind) -> str:
    """A kind in JavaScript, with where a class of another module stands."""
    parts = re.split(r'("[^"]*")', kind.said)
    return "".join(
        part if part[:1] == '"' else re.sub(r"\b[A-Z]\w+\b", lambda found: _from(module, found[0]), part)
        for part in parts
    )


def _from(module: MarkedModule, name: str) -> str:
    by_hand = {each: source for source, each in BY_HAND}
    source = by_hand.get(name) or next(
        (each for each in (module.source, *sources()) if name in read_marks(each).marks), ""
    )
    address, named = module.address_of(source, name)
    return f'import("{address}").{named}' if address else name


def cast(module: MarkedModule, kind: ValueKind, text: str) -> str:
    """Returns an expression with a type annotation."""
    return f"/** @type {{{kind_text(module, kind)}}} */ ({text})"
