"""A search's file as text, read without running it: files beside it that it may import, and names it uses.

Told are uses of modules and names that a search has no need of; a file beside it is among them, and a link to another
file: these may be another one's search.
"""

import ast
import site
import sys
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib.machinery import PathFinder
from pathlib import Path

import plyground.rules
import plyground.score
from plyground.files import bytes_of_file
from plyground.text import plain, visible

SEARCH_MOST = 1 << 20
"""Most bytes of a file with a search; they have some thousands."""
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


@dataclass(frozen=True)
class FileText:
    """Facts about a file, read from its text."""

    imports: tuple[tuple[int, str], ...] = ()
    """Lines of imports, and names of the modules, or of modules and members with a dot between."""
    uses: tuple[tuple[int, str], ...] = ()
    """Lines and uses that a search has no need of."""
    names: frozenset[str] = frozenset()
    """Names that statements at the top of the module make."""
    player: str = ""
    """Name of the first class with a method `choose`; empty without one."""


def file_with_imports(file: Path, others: Collection[Path] = ()) -> list[Path]:
    """A file, and the files beside it that it imports, directly or by another; only those that its text names.

    Args:
        file: the file.
        others: files of other people, by their absolute paths, of which it gets none.
    """
    found = [file.absolute()]
    # The list grows while it is walked: so files are followed through each other, each once, in circles too.
    for path in found:
        found += [
            each
            for each in _imported_files(path)
            if each not in found and each not in others and _may_be_imported(each)
        ]
    return found


def others_files(files: Collection[Path]) -> frozenset[Path]:
    """Files of a class that other files of it may not import: all in the folder that is common to the class, for
    there each file is one person's; in folders below it, which may be one person's, those with a `search`.
    """
    paths = {file.absolute() for file in files}
    # The deepest folder that holds them all: `parents` goes upward.
    shared = next((each for each in min(paths).parents if all(path.is_relative_to(each) for path in paths)), None)
    return frozenset(path for path in paths if path.parent == shared or has_search(path))


def has_search(file: Path) -> bool:
    """True if a file has the name `search`, as far as statements at its top make it."""
    return "search" in _read_facts(file).names


def player_in(file: Path) -> str:
    """Name of the first class of a file that is written as a player, by a method `choose`; empty without one."""
    return _read_facts(file).player


def uses(file: Path) -> tuple[str, ...]:
    """Uses in a file that no search needs, each with its line: `line 3 imports plyground.search.alphabeta`."""
    paths = [file.absolute()]
    for path in paths:
        paths += [each for each in _imported_files(path) if each not in paths]
    # A link beside a hand-in may lead to another student's file, or to the grader's.
    links = (f"{path.name} is a link to {plain(str(path.readlink()))}" for path in paths if path.is_symlink())
    found = (
        f"{f'{visible(path.name)}, ' if path != paths[0] else ''}line {line} {what}"
        for path in paths
        for line, what in sorted({*_read_facts(path).uses, *_imports_beside(path)})
    )
    return tuple(dict.fromkeys([*links, *found]))[:MOST_TOLD]


def _imported_files(path: Path) -> list[Path]:
    """Files beside a file whose names its text imports."""
    names = dict.fromkeys(name.partition(".")[0] for _, name in _read_facts(path).imports)
    return [beside for name in names if (beside := path.with_name(f"{name}.py")).is_file()]


def _imports_beside(path: Path) -> Iterator[tuple[int, str]]:
    for line, name in _read_facts(path).imports:
        module = name.partition(".")[0]
        if path.with_name(f"{module}.py").is_file():
            yield line, f"imports {module}, a file beside it"


def _may_be_imported(path: Path) -> bool:
    """Whether a file that is graded may import one beside it: no link, none that is large, or hides a package."""
    # Packages win over neighbours: a student's random.py must not be what another module of the grader imports.
    return not path.is_symlink() and path.stat().st_size <= SEARCH_MOST and not _is_package(path.stem)


def _is_package(name: str) -> bool:
    """Whether a name is a module's of Python, of plyground or of an installed package."""
    if name in sys.stdlib_module_names or name == "plyground":
        return True
    # Only the folders of installed packages are searched: on `sys.path` the file itself would be found.
    found = PathFinder.find_spec(name, [*site.getsitepackages(), site.getusersitepackages()])
    return found is not None and found.loader is not None and found.origin is not None


def _read_facts(path: Path) -> FileText:
    """Facts about a file, read from its text; none where it cannot be read, which loading it reports."""
    with suppress(ValueError):  # BadInput is one
        return _parse_facts(bytes_of_file(path, SEARCH_MOST))
    return FileText()


@lru_cache(maxsize=64)  # so that each is read once, for the files that it sees and for what it uses
def _parse_facts(content: bytes) -> FileText:
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # loading it says what is wrong
        return FileText()
    imports: list[tuple[int, str]] = []
    others: list[ast.Attribute | ast.Name] = []
    packages = {"plyground"}
    # These uses are told and not refused: `getattr` and strings can hide them all, and a teacher is to look, not to be
    # certain. The sandbox is the protection.
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports += ((node.lineno, alias.name) for alias in node.names)
            packages |= {alias.asname for alias in node.names if alias.name == "plyground" and alias.asname}
        elif isinstance(node, ast.ImportFrom):
            imports += ((node.lineno, ".".join(filter(None, [node.module, alias.name]))) for alias in node.names)
        elif isinstance(node, ast.Attribute) or (isinstance(node, ast.Name) and node.id in EVALUATING):
            others.append(node)
    uses = {*_find_reaching_imports(imports), *_find_reaching_names(others, packages)}
    players = (each.name for each in tree.body if isinstance(each, ast.ClassDef) and "choose" in _top_level_names(each))
    return FileText(tuple(imports), tuple(uses), frozenset(_top_level_names(tree)), next(players, ""))


def _find_reaching_imports(imports: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    for line, name in imports:
        package, _, rest = name.partition(".")
        if package in REACHING or (package == "plyground" and rest and not _is_needed_by_searches(name)):
            yield line, f"imports {name}"


def _find_reaching_names(nodes: list[ast.Attribute | ast.Name], packages: Collection[str]) -> Iterator[tuple[int, str]]:
    for node in nodes:
        if isinstance(node, ast.Name):
            yield node.lineno, f"asks for {node.id}"
            continue
        above = node.value.id if isinstance(node.value, ast.Name) else ""
        if node.attr in INNER or (above in packages and not _is_needed_by_searches(f"plyground.{node.attr}")):
            yield node.lineno, f"asks for {f'{above}.' if above else ''}{node.attr}"


def _top_level_names(tree: ast.Module | ast.ClassDef) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (each.id for each in node.targets if isinstance(each, ast.Name))
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in node.names)


def _is_needed_by_searches(name: str) -> bool:
    """Whether a search needs a module of ours, or a name of the package, such as `plyground.MAX`."""
    constant = name.removeprefix("plyground.")
    return name.startswith(OURS) or any(constant in vars(each) for each in (plyground.rules, plyground.score))
