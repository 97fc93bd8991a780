"""Measures of the house, in seconds: `python scripts/measures.py`. `tests/test_extending.py` holds some of them.

Printed are the lines of each room, the functions of many parameters, the circles of imports, the imports that point up,
and the ways of three real calls. How to read them stands in CONTRIBUTING.md.
"""

import ast
import sys
import threading
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PACKAGE, PAGE = ROOT / "plyground", ROOT / "page" / "src"
MANY_PARAMETERS = 6
"""Parameters of a function beyond which it is counted; `self` and `cls` are none."""
ANONYMOUS = ("<lambda>", "<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>", "<module>")
"""Names of code that belongs to the function around it."""


def python_files() -> list[Path]:
    """The package's modules."""
    return sorted(PACKAGE.rglob("*.py"))


@cache
def syntax(file: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(file.read_text(encoding="utf-8"))


def room_of(file: Path) -> str:
    """The folder of the package, or the file at its top, to which a file belongs."""
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


def lines_by_room() -> dict[str, int]:
    """Lines of Python by room, and of the page's JavaScript that is written by hand by its folders; lines of a comment
    alone do not count."""
    lines = Counter[str]()
    for file in python_files():
        lines[room_of(file)] += _lines(file, "#")
    for file in sorted(PAGE.rglob("*.js")):
        if "made" not in file.parts:
            lines[f"page/{file.relative_to(PAGE).parts[0].removesuffix('.js')}"] += _lines(file, "//")
    return dict(lines)


def _lines(file: Path, mark: str) -> int:
    text = file.read_text(encoding="utf-8").splitlines()
    return sum(not line.lstrip().startswith(mark) for line in text)


def wide_functions() -> list[tuple[int, str]]:
    """Functions of many parameters with their number, the widest first."""
    found = list[tuple[int, str]]()
    for file in python_files():
        for node in ast.walk(syntax(file)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                spec = node.args
                names = [each.arg for each in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)]
                number = len(names) - (names[:1] in (["self"], ["cls"]))
                if number > MANY_PARAMETERS:
                    found.append((number, f"{file.relative_to(PACKAGE)}:{node.name}"))
    return sorted(found, reverse=True)


# -- imports ----------------------------------------------------------------------------------------------------------


def module_of(file: Path) -> str:
    """A file's name as a module."""
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _imports(node: ast.AST) -> Iterator[str]:
    """Names that are imported when the code runs: not those for types alone."""
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                continue
            case ast.Import(names=names):
                yield from (each.name for each in names)
            case ast.ImportFrom(module=str() as module, names=names):
                yield from (name for each in names for name in (f"{module}.{each.name}", module))
        yield from _imports(child)


@cache
def import_graph() -> dict[str, set[str]]:
    """The modules that each module imports, at its top or within a function."""
    modules = {module_of(file): file for file in python_files()}
    graph = {}
    for module, file in modules.items():
        # A name that is a module stands for itself; the package around it is meant where it is no module.
        wanted = list(_imports(syntax(file)))
        parents = {name.rpartition(".")[0] for name in wanted if name in modules}
        graph[module] = {name for name in wanted if name in modules and name not in parents} - {module}
    return graph


def circles() -> list[set[str]]:
    """Sets of modules that import each other, by way of others."""
    graph = import_graph()

    @cache
    def reachable(module: str) -> frozenset[str]:
        seen, waiting = set[str](), list(graph[module])
        while waiting:
            if (each := waiting.pop()) not in seen:
                seen.add(each)
                waiting += graph[each]
        return frozenset(seen)

    found = list[set[str]]()
    for module in graph:
        if module in reachable(module) and not any(module in circle for circle in found):
            found.append({each for each in reachable(module) if module in reachable(each)})
    return found


def upward_imports() -> list[tuple[str, str]]:
    """Imports of a room that stands above, by the layers of `pyproject.toml`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = project["tool"]["importlinter"]["contracts"][0]["layers"]
    floors = {room: -place for place, layer in enumerate(layers) for room in layer.split(" : ")}

    def floor(module: str) -> int | None:
        return floors.get(".".join(module.split(".")[1:2]))

    return sorted(
        (module, other)
        for module, others in import_graph().items()
        for other in others
        if (here := floor(module)) is not None and (there := floor(other)) is not None and there > here
    )


# -- ways -------------------------------------------------------------------------------------------------------------


class Way(NamedTuple):
    """The functions in which a call runs, in the order in which it comes to them, each as `file:name`."""

    call: str
    functions: list[str]

    @property
    def files(self) -> list[str]:
        """Their files, in that order."""
        return list(dict.fromkeys(each.partition(":")[0] for each in self.functions))

    @property
    def rooms(self) -> list[str]:
        """Their rooms, in that order."""
        return list(dict.fromkeys(each.partition("/")[0].removesuffix(".py") for each in self.files))


def follow(call: str, run: Callable[[], Any]) -> Way:
    """The way of a call that has run before, so that nothing is loaded or compiled on it."""
    run()
    seen, inside = dict[CodeType, None](), str(PACKAGE)

    def note(frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_name not in ANONYMOUS and code.co_filename.startswith(inside):
            seen.setdefault(code)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return Way(call, [f"{Path(code.co_filename).relative_to(PACKAGE)}:{code.co_qualname}" for code in seen])


def ways() -> list[Way]:
    """The ways of a search, of a level's reply for the page, and of a move that is typed in a terminal."""
    import plyground as pg
    from plyground.terminal.human import Human
    from plyground.web.views import models, positions

    here = pg.Position.initial("mnk:4,4,3")
    asked = models.Reply(game="mnk:4,4,3", moves=[], player="level:easy")
    person = Human((0,), lambda prompt: "a1")
    return [
        follow("think(position, Limit(depth=4))", lambda: list(pg.think(here, pg.Limit(depth=4)))),
        follow("reply(args), of a worker", lambda: list(positions.reply(asked))),
        follow("Human.choose(position)", lambda: person.choose(here, None)),
    ]


def main() -> None:
    """Print the measures."""
    rooms = lines_by_room()
    for room, lines in rooms.items():
        print(f"{room:<18}{lines:>7,}")
    script = sum(lines for room, lines in rooms.items() if room.startswith("page/"))
    print(f"{'package':<18}{sum(rooms.values()) - script:>7,}\n{'page':<18}{script:>7,}\n")
    wide = wide_functions()
    print(f"Functions of more than {MANY_PARAMETERS} parameters: {len(wide)}; the widest: {wide[0][1]}, {wide[0][0]}.")
    print(f"Circles of imports: {len(circles())}", *(", ".join(sorted(each)) for each in circles()), sep="\n  ")
    print(f"Imports that point up: {len(upward_imports())}", *map(" → ".join, upward_imports()), sep="\n  ")
    for way in ways():
        print(f"\n{way.call}: {len(way.functions)} functions, {len(way.files)} files, {len(way.rooms)} rooms")
        for file in way.files:
            names = [each.partition(":")[2] for each in way.functions if each.partition(":")[0] == file]
            print(f"  {file}: {', '.join(names)}")


if __name__ == "__main__":
    main()
