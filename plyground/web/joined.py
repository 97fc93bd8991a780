"""The page's modules as a browser gets them: what the first page needs is one file, so a newcomer waits for one answer.

The files stay as they are written, and are what is read, checked and tested; `/plain/` serves them one by one. Joined,
each module is the body of a function that returns what it exports, after the modules that it imports, line for line. A
bundler knows all of the language, but needs Node, or a build and its product; this knows the few forms of import and
export that the page uses, and refuses any other.
"""

import os
import re
from collections.abc import Collection
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from plyground.web.compressed import Compressed

STATIC = Path(__file__).parent / "static"
"""Where the page's files are."""
FIRST = "app.js"
"""What the first page begins with: it is served with all that it imports, and exports them to what is fetched later."""
WORKER = "worker"
"""The folder of what runs in a worker."""
IMPORT = re.compile(r'^import (?:(?:\* as (?P<whole>\w+)|\{(?P<names>[\w\s,]+)\}) from )?"\./(?P<file>\w+\.js)";', re.M)
EXPORT = re.compile(r"^export (?=(?:async )?(?:const|class|function\*?) (?P<name>\w+))", re.M)
LATER = re.compile(r'\bimport\("\./(?P<file>\w+\.js)"\)')
OTHER = re.compile(r"^(?:import|export|await)\b.*", re.M)


class Joined(StaticFiles):
    """A folder of modules and what belongs to them, with the first page's modules as one.

    Each file is joined and compressed once, and again when a file beside it has changed.
    """

    _ready: dict[Path, tuple[object, Compressed]]

    def __init__(self, directory: Path) -> None:
        super().__init__(directory=directory, html=True)
        self._ready = {}

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A module as `served` has it, any other file as it is, for as long as the browser's copy is not the same."""
        answer = await super().get_response(path, scope)
        if not isinstance(answer, FileResponse) or answer.status_code != 200:
            return answer
        file = Path(answer.path)
        beside = [(each.name, each.stat().st_mtime_ns, each.stat().st_size) for each in os.scandir(file.parent)]
        found = self._ready.get(file)
        if not found or found[0] != beside:
            found = self._ready[file] = (
                beside,
                await run_in_threadpool(_compressed, file, answer.headers["content-type"]),
            )
        return found[1].answer(scope)

    def is_not_modified(self, response_headers: Headers, request_headers: Headers) -> bool:
        """Not by the file's own time: what is sent may be made of many."""
        return False


def _compressed(file: Path, media: str) -> Compressed:
    text = served(file).encode() if file.suffix == ".js" else file.read_bytes()
    return Compressed.of(text, media)


def served(file: Path) -> str:
    """A module's text for a browser: the first one with all that it imports, another with what it imports from there.

    A worker is no part of the page: what it begins with comes as one script, for it takes nothing from there.

    Raises:
        ValueError: a module has an import or export of another form.
    """
    if file.parent.name == WORKER:
        return alone(file)
    first = modules(file.with_name(FIRST))
    if file.name == FIRST:
        return "".join(_wrapped(name, text) for name, text in first.items())
    return IMPORT.sub(
        lambda found: (
            f'import {{ {_name(found["file"])} }} from "./{FIRST}"; {_taken(found)}'
            if found["file"] in first
            else found[0]
        ),
        file.read_text(encoding="utf-8"),
    )


def alone(file: Path, without: Collection[str] = ()) -> str:
    """A module as one script with all that it imports, at once or later: nothing is fetched any more.

    Modules that it is to be without export nothing: whoever asks for them knows that nothing of them will be used.

    Raises:
        ValueError: a module has an import or export of another form.
    """
    texts = modules(file, without)
    first = texts.pop(file.name)
    later = [found["file"] for text in (*texts.values(), first) for found in LATER.finditer(text)]
    for name in later:
        if name not in texts:
            added = {key: text for key, text in modules(file.with_name(name), without).items() if key not in texts}
            later += [found["file"] for text in added.values() for found in LATER.finditer(text)]
            texts |= added
    joined = "".join(_wrapped(name, text, "const") for name, text in (texts | {file.name: first}).items())
    return '"use strict";\n' + LATER.sub(lambda found: f"Promise.resolve({_name(found['file'])})", joined)


def modules(file: Path, without: Collection[str] = ()) -> dict[str, str]:
    """The texts of a module and of all that it imports, by their names, each after what it imports; some are empty."""
    found: dict[str, str] = {}

    def walk(name: str) -> None:
        text = "" if name in without else file.with_name(name).read_text(encoding="utf-8")
        for each in IMPORT.finditer(text):
            if each["file"] not in found:
                walk(each["file"])
        found[name] = text

    walk(file.name)
    return found


def _wrapped(name: str, text: str, declared: str = "export const") -> str:
    """A module as a constant of the joined one: an object of what it exports."""
    exported = ", ".join(found["name"] for found in EXPORT.finditer(text))
    inside = EXPORT.sub("", IMPORT.sub(_taken, text))
    if other := OTHER.search(inside):
        raise ValueError(f"{name}: {other[0]!r} is none of the forms that plyground/web/joined.py knows")
    return f"// {name}\n{declared} {_name(name)} = (() => {{\n{inside}return {{ {exported} }};\n}})();\n"


def _taken(found: re.Match[str]) -> str:
    """In place of an import: the same names, from the constant, on the same lines."""
    of = _name(found["file"])
    if found["whole"]:
        return f"const {found['whole']} = {of};"
    return f"const {{{found['names']}}} = {of};" if found["names"] else ""


def _name(file: str) -> str:
    """The constant that a module becomes; no name that is written by hand ends so."""
    return f"{file.removesuffix('.js')}$"
