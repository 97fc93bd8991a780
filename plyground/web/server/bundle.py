"""Bundles of the page's JavaScript modules and style sheets: the first page fetches one file of each.

The source files are checked and tested as they are; `/plain/` serves them one by one. In a bundle each module is the
body of a function that returns its exports, after the modules that it imports, line for line; only the comments for
readers and the type checker are left blank. A general bundler needs Node, or a build step and its product; this one
knows the few forms of import and export that the page uses, and refuses any other.
"""

import os
import posixpath
import re
from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from plyground.web.javascript.made import MADE, made
from plyground.web.javascript.translating import DECLARED
from plyground.web.server.compressed import Compressed

STATIC = Path(__file__).parent.parent / "static"
"""Folder of the page's files."""
FIRST_MODULE = "app.js"
"""Entry module of the first page: served with all its imports, which it exports to modules fetched later."""
FRAME = "index.html"
"""The first page's HTML; the style sheets that it links are served joined, under the name of the first."""
WORKER = "worker"
"""The folder of what runs in a worker."""
FILE = r'"(?P<file>\.{1,2}/[\w./]+\.js)"'
IMPORT = re.compile(rf"^import (?:(?:\* as (?P<whole>\w+)|\{{(?P<names>[\w\s,]+)\}}) from )?{FILE};", re.M)
EXPORT = re.compile(r"^export (?=(?:async )?(?:const|class|function\*?) (?P<name>\w+))", re.M)
DOCUMENTATION = re.compile(r"^[ \t]*/\*\*.*?\*/", re.M | re.S)
"""A block comment that begins its line."""
SHEET = re.compile(r'<link rel="stylesheet" href="(?P<file>[\w/]+\.css)">\n')
"""Link to a style sheet in a page's frame."""
LATER = re.compile(rf"\bimport\({FILE}\)")
WITH = re.compile(r"^.* // with (?P<module>\w+\.js)$", re.M)
"""A line that is left out together with a module, by its file's name."""
ONLY_DECLARED = re.compile(rf"^.*{DECLARED}$", re.M)
"""A line that only the type checker needs."""
OTHER = re.compile(r"^(?:import|export|await)\b.*", re.M)


class BundledFiles(StaticFiles):
    """Serves the folder of the page's files, with the first page's modules and style sheets as one bundle of each.

    Each file is joined and compressed once, and again when a file of the folder has changed.
    """

    _ready: dict[Path, tuple[object, Compressed]]

    def __init__(self, directory: Path) -> None:
        super().__init__(directory=directory, html=True)
        self._root = directory
        self._ready = {}

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Respond with a module's bundle or another file; 304 if the browser has the same."""
        answer = await super().get_response(path, scope)
        if not isinstance(answer, FileResponse) or answer.status_code != 200:
            return answer
        file = Path(answer.path)
        changes = _changes(self._root)
        found = self._ready.get(file)
        if not found or found[0] != changes:
            media = answer.headers["content-type"]
            found = self._ready[file] = changes, await run_in_threadpool(self._compressed, file, media)
        return found[1].answer(scope)

    def is_not_modified(self, response_headers: Headers, request_headers: Headers) -> bool:
        """Compare by ETag only, since a bundle depends on more files than its own."""
        return False

    def _compressed(self, file: Path, media: str) -> Compressed:
        name = file.resolve().relative_to(self._root.resolve()).as_posix()
        if file.suffix == ".js":
            return Compressed.of(served(self._root, name).encode(), media)
        frame = self._root / FRAME
        first, *others = SHEET.findall(frame.read_text(encoding="utf-8")) if frame.exists() else [""]
        if name == FRAME:
            text = SHEET.sub(lambda found: found[0] * (found["file"] == first), file.read_text(encoding="utf-8"))
            return Compressed.of(text.encode(), media)
        if name == first:
            return Compressed.of(b"".join((self._root / each).read_bytes() for each in (first, *others)), media)
        return Compressed.of(file.read_bytes(), media)


class PlainFiles(StaticFiles):
    """Serves each file of the page as it is written, or made from Python."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Respond with a file, or with a module that is made."""
        name = path.replace(os.sep, "/")
        if name in MADE:
            return Response(made(name), media_type="text/javascript")
        return await super().get_response(path, scope)


def _changes(root: Path) -> object:
    """Times and sizes of all files of a folder."""
    found: list[tuple[str, int, int]] = []
    with os.scandir(root) as inside:
        for each in inside:
            if each.is_dir():
                found.append((each.name, hash(str(_changes(Path(each.path)))), 0))
            else:
                found.append((each.name, each.stat().st_mtime_ns, each.stat().st_size))
    return sorted(found)


def served(root: Path, name: str) -> str:
    """A module's text for a browser: the first one with all that it imports, another with what it imports from there.

    A worker is separate from the page: its entry module is one script with all its imports.

    Args:
        root: the folder of all modules.
        name: the module's path in it: `board/board.js`.

    Raises:
        ValueError: a module has an import or export of another form.
    """
    if name.startswith(f"{WORKER}/"):
        return alone(root, name)
    first = modules(root, FIRST_MODULE)
    if name == FIRST_MODULE:
        return "".join(_wrapped(each, text) for each, text in first.items())
    joined = posixpath.relpath(FIRST_MODULE, posixpath.dirname(name) or ".")
    joined = joined if joined.startswith(".") else f"./{joined}"

    def taken(found: re.Match[str]) -> str:
        of = _target(name, found)
        return f'import {{ {_name(of)} }} from "{joined}"; {_taken(name, found)}' if of in first else found[0]

    return IMPORT.sub(taken, uncommented(text_of(root, name)))


def alone(root: Path, name: str, without: Collection[str] = ()) -> str:
    """A module as one script with all that it imports, at once or later: nothing is fetched any more.

    Args:
        root: the folder of all modules.
        name: the module's path in it.
        without: modules that are left out and export nothing: nothing of them may be used, but in lines that are left
            out too: they end with `// with` and the name of the module's file.

    Raises:
        ValueError: a module has an import or export of another form.
    """
    texts = modules(root, name, without)
    first = texts.pop(name)
    later = [_target(each, found) for each, text in (*texts.items(), (name, first)) for found in LATER.finditer(text)]
    for each in later:
        if each not in texts:
            added = {key: text for key, text in modules(root, each, without).items() if key not in texts}
            later += [_target(key, found) for key, text in added.items() for found in LATER.finditer(text)]
            texts |= added
    texts[name] = first
    script = _Script(texts)
    return '"use strict";\n' + "".join(script.module(each) for each in texts)


def text_of(root: Path, name: str) -> str:
    """A module as it is written, or made from Python."""
    file = root / name
    return file.read_text(encoding="utf-8") if file.exists() else ONLY_DECLARED.sub("", made(name))


def uncommented(text: str) -> str:
    """A module without its block comments; each line keeps its number."""
    return DOCUMENTATION.sub(lambda found: "\n" * found[0].count("\n"), text)


def modules(root: Path, name: str, without: Collection[str] = ()) -> dict[str, str]:
    """The texts of a module and of all that it imports, by their paths, each after what it imports; some are empty."""
    found: dict[str, str] = {}
    files = {posixpath.basename(each) for each in without}

    def walk(each: str) -> None:
        text = "" if each in without else uncommented(text_of(root, each))
        text = WITH.sub(lambda line: "" if line["module"] in files else line[0], text)
        for wanted in IMPORT.finditer(text):
            if (target := _target(each, wanted)) not in found:
                walk(target)
        found[each] = text

    walk(name)
    return found


def _target(importer: str, found: re.Match[str]) -> str:
    """The path of an imported module in the folder of all modules."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(importer), found["file"]))


def _wrapped(name: str, text: str) -> str:
    """A module as a constant of the bundle: the object of its exports."""
    exported = ", ".join(found["name"] for found in EXPORT.finditer(text))
    inside = EXPORT.sub("", IMPORT.sub(lambda found: _taken(name, found), text))
    inside = LATER.sub(lambda found: f'import("./{_target(name, found)}")', inside)  # the joined file is at the root
    _require_known(name, inside)
    return f"// {name}\nexport const {_name(name)} = (() => {{\n{inside}return {{ {exported} }};\n}})();\n"


def _require_known(name: str, inside: str) -> None:
    """Refuse a form of import or export that is not known."""
    if other := OTHER.search(inside):
        raise ValueError(f"{name}: {other[0]!r} is none of the forms that plyground/web/server/bundle.py knows")


def _taken(importer: str, found: re.Match[str]) -> str:
    """In place of an import: the same names, from the constant, on the same lines."""
    of = _name(_target(importer, found))
    if found["whole"]:
        return f"const {found['whole']} = {of};"
    return f"const {{{found['names']}}} = {of};" if found["names"] else ""


class _Script:
    """Modules as parts of one script: what a module exports is at the top of it, by its name where no other one exports
    the same name, so that no module needs an import of it.

    Such a name hides a browser's global of the same name; a test finds a module that would use that global.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        exports = Counter(found["name"] for text in texts.values() for found in EXPORT.finditer(text))
        self._top = {name for name, count in exports.items() if count == 1}
        self._wanted: dict[str, set[str]] = {each: set() for each in texts}
        self._whole: set[str] = set()
        """Modules whose object of exports is used."""
        for each, text in texts.items():
            for found in IMPORT.finditer(text):
                self._wanted[_target(each, found)] |= _names(found)
                if found["whole"]:
                    self._whole.add(_target(each, found))
            self._whole |= {_target(each, found) for found in LATER.finditer(text)}

    def module(self, name: str) -> str:
        """A module: a function that is called once and gives a list of what other modules want of it."""
        text = self._texts[name]
        inside = EXPORT.sub("", IMPORT.sub(lambda found: self._taken(name, found), text))
        inside = LATER.sub(lambda found: f"Promise.resolve({_name(_target(name, found))})", inside)
        _require_known(name, inside)
        exports = [found["name"] for found in EXPORT.finditer(text)]
        given = {each: self._outside(name, each) for each in exports if each in self._wanted[name]}
        if name in self._whole:
            inside += f"const {_name(name)} = {{ {', '.join(exports)} }};\n"
            given[_name(name)] = _name(name)
        made = f"(() => {{\n{inside}return [{', '.join(given)}];\n}})();\n"
        return f"// {name}\n" + (f"const [{', '.join(given.values())}] = {made}" if given else made)

    def _outside(self, of: str, name: str) -> str:
        """Name at the top of the script of what a module exports; a module that is left out exports nothing."""
        if not re.search(rf"^export .*\b{name}\b", self._texts[of], re.M):
            return "undefined"
        return name if name in self._top else f"{name}${_name(of)}"

    def _taken(self, importer: str, found: re.Match[str]) -> str:
        """Text in place of an import: only names that are not at the top of the script."""
        of = _target(importer, found)
        names = {each: self._outside(of, each) for each in sorted(_names(found) - self._top)}
        if found["whole"]:
            names = {found["whole"]: _name(of)}
        return " ".join(f"const {each} = {outside};" for each, outside in names.items())


def _names(found: re.Match[str]) -> set[str]:
    """Names in an import."""
    return set(re.findall(r"\w+", found["names"] or ""))


def _name(module: str) -> str:
    """The constant that a module becomes; no name that is written by hand ends so."""
    return f"{module.removesuffix('.js').replace('/', '_')}$"
