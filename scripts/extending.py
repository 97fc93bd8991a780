"""Files and edits that an addition to plyground takes: `python scripts/extending.py`.

The table is in `docs/architecture.md`.

Each kind of thing is counted by examples that are there, in Python and in JavaScript: the files whose code names an
example are those that a new one like it touches. The cheapest example, named in the fewest files, and the dearest are
both printed. Words in comments, docstrings and sentences do not count; another thing of the same name does. A column of
the tree is counted by the places that hand it on.

The figures are news, not a score: a file of 400 lines with one idea is better than two of 200 without one.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "plyground"
SRC, FINISHED = ROOT / "page" / "src", PACKAGE / "web" / "page"
"""Sources of the page, and what is made of them."""


class Example(NamedTuple):
    """A thing that is there, and the places that name it."""

    name: str
    places: list[str]


class Figure(NamedTuple):
    """A question, its cheapest and its dearest example, and the goal for the cheapest."""

    question: str
    goal: int
    least: Example
    most: Example


SEARCHES = ("minimax", "alphabeta", "ordered", "pvs", "mcts", "proof")
PROTOCOLS = ("jsonlines", "xml", "terms")
GAMES = (
    "amazons",
    "breakthrough",
    "chess",
    "chomp",
    "connectfour",
    "domineering",
    "kalah",
    "nim",
    "reversi",
    "ultimate",
)
VIEWS = {
    "arrange": "library/editor.js",
    "quiz": "lab/quiz.js",
    "race": "lab/race.js",
    "judge": "analysis/exercises.js",
    "explore": "analysis/explorer.js",
}
"""Operations of the server, each with the file of the page that asks it."""
COLUMNS = ("bound", "best", "cut", "skipped", "hidden", "kind")
"""Columns of the tree whose names mean little else."""
RECORDED = ("plyground/microscope/*.py", "page/src/tree/*.js", "page/src/worker/microscope/recording.js")
"""Files in which a recorded search is handed on."""


def _constants(tree: ast.Module) -> Iterator[str]:
    """Strings of code that are names, not sentences."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " not in node.value:
            yield node.value


@cache
def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


@cache
def _names(file: Path) -> set[str]:
    """Every name that a file's code says, also in strings that are names."""
    text = _text(file)
    if file.suffix in (".py", ".pyi"):
        tree = ast.parse(text)
        parts = [name for node in ast.walk(tree) for name in _spelled(node)]
        return set(parts) | set(_constants(tree))
    code = re.sub(r"/\*.*?\*/|^\s*//[^\n]*", "", text, flags=re.DOTALL | re.MULTILINE)
    strings = {word for quoted in re.findall(r"\"([^\"\n]*)\"", code) if " " not in quoted for word in _words(quoted)}
    return strings | _words(re.sub(r"\"[^\"\n]*\"|`[^`]*`", "", code))


def _words(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_]\w*", text))


def _spelled(node: ast.AST) -> list[str]:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.arg(arg=name):
            return [name]
        case ast.keyword(arg=str(name)):
            return [name]
        case ast.Import(names=names):
            return [part for each in names for part in each.name.split(".")]
        case ast.ImportFrom(module=module, names=names):
            return [*(module or "").split("."), *(each.name for each in names)]
    return []


def naming(key: str, own: str, folders: Sequence[Path] = (PACKAGE, SRC), also: tuple[str, ...] = ()) -> list[str]:
    """The files of folders that name a thing, its own first; without those that only send people there."""
    kinds = ("py", "pyi", "js", "css", "html")
    files = [file for each in folders for suffix in kinds for file in sorted(each.rglob(f"*.{suffix}"))]
    files = [file for file in files if not file.is_relative_to(FINISHED) and not file.is_relative_to(SRC / "made")]
    found = {file.relative_to(ROOT).as_posix() for file in files if key in _text(file) and key in _names(file)}
    if not found.issuperset(also) or not (ROOT / own).exists():
        raise LookupError(f"{key} is not where it was: {own}, {', '.join(also)}")
    return [own, *sorted(found - {own, *also})]


def handing_on(column: str) -> list[str]:
    """The places that hand a column of a recorded search on: fields, arguments and keys by its name."""
    found = []
    for file in (file for pattern in RECORDED for file in sorted(ROOT.glob(pattern))):
        read = _handed_in_python if file.suffix == ".py" else _handed_in_javascript
        lines = read(_text(file), column) if column in _text(file) else ()
        found += [f"{file.relative_to(ROOT).as_posix()}:{line}" for line in lines]
    return found


def _handed_in_python(text: str, column: str) -> Iterator[int]:
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.AnnAssign(target=ast.Name(id=name), lineno=line) if name == column:
                yield line
            case ast.keyword(arg=str(name), lineno=line) if name == column:
                yield line
            case ast.Dict(keys=keys):
                yield from (key.lineno for key in keys if isinstance(key, ast.Constant) and key.value == column)


def _handed_in_javascript(text: str, column: str) -> list[int]:
    """Lines with a property of an object or a class by this name; not those that only read one."""
    written = re.compile(rf"(?:^\s*|[{{,]\s*|\bthis\.){column}(?::\s| = )|^\s*{column},$")
    return [number for number, line in enumerate(text.splitlines(), 1) if written.search(line) and "@" not in line]


def _lines(file: Path) -> int:
    return len(_text(file).splitlines())


def figures() -> list[Figure]:
    """The table."""
    top = [file.relative_to(ROOT).as_posix() for file in sorted(PACKAGE.glob("*.py"))]
    files = sorted([*PACKAGE.rglob("*.py"), *SRC.rglob("*.js")], key=_lines)
    largest = Example(files[-1].relative_to(ROOT).as_posix(), [])
    counted = [
        ("files a new built-in algorithm touches", 2, [_named(name, f"search/{name}.py") for name in SEARCHES]),
        ("files a new wire protocol touches", 2, [_named(name, f"wire/{name}.py") for name in PROTOCOLS]),
        ("files a new shipped game touches", 2, [_named(name, f"games/{name}.py") for name in GAMES]),
        ("files a new page view with a question touches", 4, [_viewed(name) for name in VIEWS]),
        ("edits for a new column of the tree", 2, [Example(name, handing_on(name)) for name in COLUMNS]),
        ("files at the top level", 12, [Example("plyground", top)]),
    ]
    rows = [
        Figure(question, goal, min(examples, key=_cost), max(examples, key=_cost))
        for question, goal, examples in counted
    ]
    return [*rows, Figure("largest file, lines", 400, largest, largest)]


def _cost(example: Example) -> int:
    return len(example.places)


def amount(example: Example) -> int:
    """How many places an example has; of a file alone, its lines."""
    return _cost(example) or _lines(ROOT / example.name)


def _named(name: str, own: str) -> Example:
    return Example(name, naming(name, f"plyground/{own}"))


def _viewed(name: str) -> Example:
    """A question of the page, in `web` and `page/src`; without `examples.py`, where commands of lessons open pages."""
    also = ("plyground/web/lessons/examples.py",) if name == "quiz" else ()
    return Example(name, naming(name, f"page/src/{VIEWS[name]}", (PACKAGE / "web", SRC), also))


if __name__ == "__main__":
    for question, goal, least, most in figures():
        print(f"{question}: {amount(least)} ({least.name}) to {amount(most)} ({most.name}); goal {goal}")
        for example in (least, most):
            if example.places:
                print(f"  {example.name}:")
            for place in example.places:
                print(f"    {place}")
