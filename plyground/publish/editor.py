"""The page where rules are written: they are read, checked and compiled in the reader's browser.

Python runs there, and the page of the game is shown beside the rules. No server takes part: it is one HTML file;
Python's own files come from a public host, or stand beside it.

Its content security policy allows its own scripts, Python's files from one place, and nothing else.
"""

import base64
import hashlib
import io
import json
import zipfile
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from plyground.errors import BadInput
from plyground.files import bytes_of_file
from plyground.files.whole_file import write_whole
from plyground.games import game_named
from plyground.markup import Markup, document, el
from plyground.publish import TABLE_MEBIBYTES
from plyground.publish.page import (
    Page,
    frame_body,
    hash_of,
    head,
    icon_data_url,
    page_data,
    policy,
    published_file,
    scripts_of,
)
from plyground.web.server.files import PAGE_FOLDER
from plyground.web.views.game_facts import first_page
from plyground.web.views.page_constants import constants

TITLE = "Write a game"
# The script is pinned with its hashes: a public host that serves other bytes is refused by the browser.
PYODIDE_VERSION = "314.0.7"
"""Version of Pyodide."""
HOST = "cdn.jsdelivr.net"
CDN = f"https://{HOST}/npm/pyodide@{PYODIDE_VERSION}/"
"""Where its files come from, unless they are beside the page."""
PYODIDE_FOLDER = "pyodide/"
"""Folder of the files beside the page."""


class PyodideFile(NamedTuple):
    """A file of Pyodide."""

    name: str
    bytes: int
    integrity: str
    """Its hash, as browsers compare it."""


PYODIDE_FILES = (
    PyodideFile("pyodide.mjs", 17_931, "sha384-Lp79fMwxa4n2BLtugpUAoQMlbxIdg8iCUiP1r3h7nJLkQjwlXT1JzZTeHVL+f4Dg"),
    PyodideFile(
        "pyodide.asm.mjs", 1_250_344, "sha384-/2281iaC0Iimw0B3Kagy1DBfZcJG3W4KYW+EmOqhsdY3fR9BJ88FE2Zt6y0KQKpa"
    ),
    PyodideFile(
        "pyodide.asm.wasm", 9_598_218, "sha384-y++qrQ72KPA1fTjLIuGMP+jppgGxjbLCgfdb0zMrnNnQVhxRUXTOTF6rTxNzllSu"
    ),
    PyodideFile(
        "python_stdlib.zip", 2_545_637, "sha384-xW3A5jmenkrPXbsgrIaB1FCJh9OuLT7FRMagsJMgtlhVc19k/mSy3+7nMaF/d767"
    ),
)
EXAMPLES = {"takeaway": "Take away", "lines": "Three in a row", "pawns": "Pawns"}
"""Titles of the examples, by their files."""
_PACKAGE_FOLDER = Path(__file__).parent.parent
_EXAMPLES = Path(__file__).parent / "examples"
_STANDINS = Path(__file__).parent / "standins"
_EDITOR = PAGE_FOLDER / "editor"


def editor(*, beside: bool = False, home: str = "") -> Page:
    """Make the page.

    Args:
        beside: whether Python's files are beside the page, in the folder `pyodide`, and not fetched from a public host.
        home: address of a page that its title leads to; empty for none.
    """
    style, script, python = (
        (_EDITOR / name).read_text(encoding="utf-8").strip() for name in ("write.css", "write.js", "python.js")
    )
    # The whole scripts: which parts a game that is not written yet will need cannot be known.
    frame_style, (worker, frame_script) = published_file("style.css"), scripts_of("whole")
    brought = {
        "from": PYODIDE_FOLDER if beside else CDN,
        "host": "this page's own host" if beside else HOST,
        "version": PYODIDE_VERSION,
        "files": [file._asdict() for file in PYODIDE_FILES],
        "zip": base64.b64encode(package()).decode(),
        "frame": {"html": _frame(frame_style, worker, frame_script), "data": _frame_data()},
        "examples": [
            {"title": title, "file": f"{name}.py", "text": (_EXAMPLES / f"{name}.py").read_text(encoding="utf-8")}
            for name, title in EXAMPLES.items()
        ],
    }
    body = [
        el("header", _brand(home), el("h1", TITLE)),
        "\n",
        el("main", id="page", class_="editor"),
        "\n",
        el("noscript", "This page needs JavaScript, which runs Python here: allow it."),
        _text_element("brought", json.dumps(brought)),
        _text_element("python", python),
        el("script", script, type="module"),
    ]
    # The frame inherits this policy, so its script and style are allowed here, too.
    allowed = " ".join(map(hash_of, (script, frame_script)))
    rules = ["default-src 'none'", f"style-src {hash_of(style)} {hash_of(frame_style)}", "img-src data:"]
    rules += ["base-uri 'none'", "form-action 'none'", f"script-src {allowed} blob: 'wasm-unsafe-eval'"]
    # Rules of a stranger run in the worker: it may fetch Python's files, and ask no other host.
    rules += ["worker-src blob:", "connect-src 'self'" if beside else f"connect-src {CDN}"]
    return Page(TITLE, document(TITLE, style, *body, policy="; ".join(rules), head=head("")))


def _brand(home: str) -> Markup:
    inside = el("img", src=icon_data_url(), alt="", width=28, height=28), el("span", "plyground")
    return el("a", *inside, class_="brand", href=home) if home else el("span", *inside, class_="brand")


def _text_element(name: str, text: str) -> Markup:
    """An element with a text for scripts; in data and in scripts, a `<` may be written so that it ends no element."""
    return el("script", text.replace("<", "\\u003c") if name == "brought" else text, type="text/plain", id=name)


def _frame(style: str, worker: str, script: str) -> str:
    """The page of a game as `page` makes it, not packed, with marks in place of title, facts and module."""
    held = [
        _text_element("facts", "{{facts}}"),
        _text_element("worker", worker),
        _text_element("module", "{{module}}"),
        el("script", script, type="module"),
    ]
    return document("{{title}}", style, frame_body(), *held, policy=policy(style, script), head=head(""))


def _frame_data() -> dict[str, Any]:
    """Data of a game's page, with a game in it that `page/src/editor/gamepage.js` replaces."""
    return page_data(first_page("tictactoe", game_named("tictactoe")), {"constants": constants()}, TABLE_MEBIBYTES)


@cache
def package() -> bytes:
    """This package as Python in a browser gets it, packed: its modules, and modules in place of other libraries."""
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for file in sorted(
            [*_PACKAGE_FOLDER.rglob("*.py"), _PACKAGE_FOLDER / "_menu.pyi", _PACKAGE_FOLDER / "data" / "chances.json"]
        ):
            name = file.relative_to(_PACKAGE_FOLDER.parent).as_posix()
            is_standin = file.parent == _STANDINS and file.name != "__init__.py"
            # `ZipInfo` has a fixed date: the same sources make the same bytes, and the page is
            # compared. A stand-in lies at the top, where its library would be imported from.
            packed.writestr(zipfile.ZipInfo(file.name if is_standin else name), file.read_bytes(), zipfile.ZIP_DEFLATED)
    return into.getvalue()


def copy_pyodide(folder: Path, target: Path) -> None:
    """Copy Pyodide's files from a folder to the folder of a page.

    Raises:
        BadInput: one of them is not there, or is of another version.
    """
    found = local_files(folder)
    (target / PYODIDE_FOLDER).mkdir(exist_ok=True)
    for name, data in found.items():
        write_whole(target / PYODIDE_FOLDER / name, data)


def local_files(folder: Path) -> dict[str, bytes]:
    """Pyodide's files in a folder, by their names.

    Raises:
        BadInput: one of them is not there, or is of another version.
    """
    found: dict[str, bytes] = {}
    for file in PYODIDE_FILES:
        data = found[file.name] = bytes_of_file(folder / file.name)
        digest = base64.b64encode(hashlib.sha384(data).digest()).decode()
        if file.integrity != f"sha384-{digest}":
            raise BadInput(
                f"{folder / file.name} is not that of Pyodide {PYODIDE_VERSION}: "
                f"`npm pack pyodide@{PYODIDE_VERSION}` fetches it."
            )
    return found
