"""What it takes to add to plyground, counted: `python scripts/extending.py`. The table is in `docs/design.md`.

Each kind of thing is counted by one that is there: the files whose code names it are those that a new one touches.
Words in comments, docstrings and sentences do not count. A column of the tree is counted by the places that hand it on.
"""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "plyground"


class Figure(NamedTuple):
    """A question, its answer, and where that is."""

    question: str
    now: int
    goal: int
    places: list[str]


def _constants(tree: ast.Module) -> Iterator[str]:
    """Strings of code that are names, not sentences."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " not in node.value:
            yield node.value


def _names(file: Path) -> set[str]:
    """Every name that a file's code says, also in strings that are names."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".py":
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


def naming(key: str, own: str, folder: Path = PACKAGE, also: tuple[str, ...] = ()) -> list[str]:
    """The files of a folder that name a thing, its own first; without those that only send people there."""
    files = [file for suffix in ("py", "js", "css", "html") for file in sorted(folder.rglob(f"*.{suffix}"))]
    found = {file.relative_to(ROOT).as_posix() for file in files if key in _names(file)}
    if not found.issuperset(also) or not (ROOT / own).exists():
        raise LookupError(f"{key} is not where it was: {own}, {', '.join(also)}")
    return [own, *sorted(found - {own, *also})]


def handing_on(column: str) -> list[str]:
    """The places that hand a column of a recorded search on: fields, arguments and keys by its name."""
    found = []
    for file in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.AnnAssign(target=ast.Name(id=name)) | ast.keyword(arg=str(name)):
                    lines = [node.lineno] if name == column else []
                case ast.Dict(keys=keys):
                    lines = [key.lineno for key in keys if isinstance(key, ast.Constant) and key.value == column]
                case _:
                    lines = []
            found += [f"{file.relative_to(ROOT).as_posix()}:{line}" for line in lines]
    return found


def _lines(file: Path) -> int:
    return len(file.read_text(encoding="utf-8").splitlines())


def figures() -> list[Figure]:
    """The table."""
    top = sorted(PACKAGE.glob("*.py"))
    largest = max([*PACKAGE.rglob("*.py"), *PACKAGE.rglob("static/*.js")], key=_lines)
    counted: list[tuple[str, int, Callable[[], list[str]]]] = [
        ("files a new built-in algorithm touches", 2, lambda: naming("ordered", "plyground/search/ordered.py")),
        ("files a new wire protocol touches", 2, lambda: naming("jsonlines", "plyground/wire/jsonlines.py")),
        ("files a new page view with a question touches", 4, _page),
        ("edits for a new column of the tree", 2, lambda: handing_on("hidden")),
        ("files at the top level", 12, lambda: [str(file.relative_to(ROOT).as_posix()) for file in top]),
    ]
    rows = [Figure(question, len(places := count()), goal, places) for question, goal, count in counted]
    return [
        *rows,
        Figure("largest file, lines", _lines(largest), 400, [str(largest.relative_to(ROOT).as_posix())]),
    ]


def _page() -> list[str]:
    """A page of the playground alone: of one that published pages have too a worker gives the answers besides.

    Not counted is `examples.py`, where a command of a lesson opens it.
    """
    return naming("quiz", "plyground/web/static/quiz.js", PACKAGE / "web", also=("plyground/web/examples.py",))


if __name__ == "__main__":
    for question, now, goal, places in figures():
        print(f"{question}: {now} (goal {goal})")
        for place in places:
            print(f"    {place}")
