"""Uses of modules and names in a search's file that a search has no need of, read from its text without running it.

A file beside it is among them, and a link to another file: these may be another one's search.
"""

import ast
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import plyground.rules
import plyground.score
from plyground.files import bytes_of
from plyground.text import plain

OURS = ("plyground.rules", "plyground.score", "plyground.games", "plyground.position", "plyground.search.observer")
"""Modules of ours that a search needs; others search, or grade."""
REACHING = {"atexit", "builtins", "ctypes", "gc", "importlib", "inspect", "os", "signal", "socket", "subprocess"}
"""Modules of Python by which code reaches beyond itself."""
EVALUATING = {"__import__", "compile", "eval", "exec", "open", "globals", "vars"}
"""Functions of Python by which code reaches beyond itself."""
INNER = {"_getframe", "__subclasses__", "__globals__", "__builtins__", "modules"}
"""Names of Python's own objects by which code reaches beyond itself."""
MOST_TOLD = 5
"""Most imports and calls that are listed of a file."""


@dataclass
class FileText:
    """A file's code."""

    path: Path
    tree: ast.AST


def files_beside(file: Path) -> list[Path]:
    """A file, and the files beside it that it imports, directly or by another; only those that its text names."""
    return [each.path for each in _texts(file)]


def uses(file: Path) -> tuple[str, ...]:
    """Uses that a search has no need of, each with its line: `line 3 imports plyground.search.alphabeta`."""
    texts = _texts(file)
    links = (each.path for each in texts if each.path.is_symlink())
    found = (
        f"{f'{text.path.name}, ' if text.path != file.absolute() else ''}line {line} {what}"
        for text in texts
        for line, what in sorted({*_uses(text.tree), *_beside(text)})
    )
    return tuple(
        dict.fromkeys([*(f"{path.name} is a link to {plain(str(path.readlink()))}" for path in links), *found])
    )[:MOST_TOLD]


def _texts(file: Path) -> list[FileText]:
    found: list[FileText] = []
    paths = [file.absolute()]
    for path in paths:
        text = FileText(path, ast.Module([], []))
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError):  # loading it says what is wrong
            text.tree = ast.parse(bytes_of(path))
        for name in {name.partition(".")[0] for _, name in _imports(text.tree)}:
            beside = path.with_name(f"{name}.py")
            if beside.is_file() and beside not in paths:
                paths.append(beside)
        found.append(text)
    return found


def _beside(text: FileText) -> Iterator[tuple[int, str]]:
    """Imports of files beside a file."""
    for line, name in _imports(text.tree):
        module = name.partition(".")[0]
        if text.path.with_name(f"{module}.py").is_file():
            yield line, f"imports {module}, a file beside it"


def _imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Lines and names of modules, and of what is imported from them, with a dot between."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, ".".join(filter(None, [node.module, alias.name]))) for alias in node.names)


def _uses(tree: ast.AST) -> Iterator[tuple[int, str]]:
    packages = {"plyground"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            packages |= {alias.asname for alias in node.names if alias.name == "plyground" and alias.asname}
    for line, name in _imports(tree):
        package, _, rest = name.partition(".")
        if package in REACHING or (package == "plyground" and rest and not _is_needed(name)):
            yield line, f"imports {name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            above = node.value.id if isinstance(node.value, ast.Name) else ""
            if node.attr in INNER or (above in packages and not _is_needed(f"plyground.{node.attr}")):
                yield node.lineno, f"asks for {f'{above}.' if above else ''}{node.attr}"
        elif isinstance(node, ast.Name) and node.id in EVALUATING:
            yield node.lineno, f"asks for {node.id}"


def _is_needed(name: str) -> bool:
    """Whether a search needs a module of ours, or a name of the package, such as `plyground.MAX`."""
    constant = name.removeprefix("plyground.")
    return name.startswith(OURS) or any(constant in vars(each) for each in (plyground.rules, plyground.score))
