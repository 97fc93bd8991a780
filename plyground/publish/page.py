"""The page of a game: one HTML file with the playground's own page, and the game's module to answer its questions.

Nothing is fetched, so it works from a disk as well as from any host; its policy forbids it the network altogether. What
it is made of stands in `web/static`: `published.js` with all that it imports, and `worker/worker.js` likewise.
"""

import base64
import gzip
import hashlib
import html
import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from plyground.errors import BadInput
from plyground.games import game_named, told_of
from plyground.position import Position
from plyground.publish import TABLE, bare
from plyground.search import ALGORITHMS
from plyground.spec import is_own, own_name
from plyground.wasm.textbook import textbook
from plyground.web import choices
from plyground.web.brought import brought
from plyground.web.joined import STATIC, alone
from plyground.web.positions import OFFERED, algorithm_choice, view

STYLES = ("style.css", "board.css", "microscope.css", "analysis.css", "published.css")
LESSON = "lesson.css"
TABLES = range(1, 1025)
OPERATIONS = (
    "menu",
    "board",
    "position",
    "edit",
    "reply",
    "analyse",
    "study",
    "review",
    "judge",
    "explore",
    "notations",
    "tree",
    "node",
    "boards",
    "saved",
    "race",
)
"""What the page's own workers answer, or the page knows."""
PATHS = ("play", "board", "tree", "race")
"""What stands in links to it: pages of `published.js` that show a position."""
CYCLIC = ("sweeping.js",)
"""What only a game needs whose states can come again."""
_FRAME = STATIC / "index.html"


@dataclass(frozen=True)
class Page:
    """A page, and what is told of it."""

    title: str
    """What people call the game, or the lesson."""
    text: str
    """The whole file."""

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return len(self.text.encode())

    @property
    def sent(self) -> int:
        """Bytes as a host sends it, compressed."""
        return len(gzip.compress(self.text.encode(), mtime=0))


def page(spec: str, *, embed: bool = False, table: int = TABLE, home: str = "", stamp: str = "") -> Page:
    """The page of a game.

    Args:
        spec: the game and its options, as everywhere: `connectfour`, `path/to/file.py:Nine`.
        embed: for a frame in another page: the board, how it stands, and what can be done.
        table: mebibytes that a search may use for its table.
        home: the address of a page with other games, if there is one.
        stamp: what the page is known by, if it is to be known again.

    Raises:
        BadInput: there is no such game, it cannot be compiled, or what makes pages is not installed.
    """
    if table not in TABLES:
        raise BadInput(f"A table of {table} MiB: {TABLES.start} to {TABLES.stop - 1}.")
    code, facts = brought(spec)
    name = own_name(spec) if is_own(spec) else spec  # where the file lies is nobody else's affair
    told = told_of(spec)
    menu = choices.MenuView(
        games=[
            choices.GameChoice(
                name=name,
                summary="",
                title=told.title,
                group=told.group,
                rules=told.rules,
                offer=name,
                example="",
                options=[],
            )
        ],
        algorithms=_searches(),
        players=OFFERED,
        kinds=[],
        programs=[],
        own=[],
        addresses=[],
        room=False,
    )
    data = {
        "game": name,
        "known": {
            "menu": menu.model_dump(mode="json"),
            "position": view(name, Position.initial(game_named(spec))).model_dump(mode="json"),
        },
        "operations": OPERATIONS,
        "facts": facts | {"spec": name},
        "table": table,
        "home": home,
    }
    return Page(told.title, _assembled(told.title, data, packed(code), embed, stamp))


def _searches() -> list[choices.AlgorithmView]:
    """The searches that a module has and that look to a depth: the textbooks', and the engine's."""
    names = {*(each.name for each in textbook()), "pvs"}
    return [algorithm_choice(each.maker(), each.summary) for each in ALGORITHMS.shipped if each.name in names]


def _assembled(title: str, data: dict[str, Any], module: str, embed: bool, stamp: str) -> str:
    """The playground's frame with everything in it."""
    without = () if data["facts"]["repetition"] else CYCLIC
    scripts = _script("published.js"), _script("worker/worker.js", without)
    script, worker, style = (_held(text) for text in (*scripts, _style()))
    icon = _icon()
    head = _policy(style, script)
    mark = _mark(stamp)
    held = _brought(script, worker, data, {"module": module})
    frame = _FRAME.read_text(encoding="utf-8").replace('href="icon.svg"', f'href="{icon}"')
    frame = frame.replace('src="icon.svg"', f'src="{icon}"').replace('<html lang="en">', _opened(embed))
    frame = re.sub(r'<link rel="stylesheet"[^>]*>\n', "", frame)
    frame = frame.replace('<meta charset="utf-8">\n', f'<meta charset="utf-8">\n{mark}\n{head}\n')
    frame = re.sub("<title>.*</title>", lambda _: f"<title>{html.escape(title)}</title>", frame)
    frame = re.sub(
        "<noscript>.*</noscript>", "<noscript>This page plays by JavaScript: allow it here.</noscript>", frame
    )
    frame = re.sub(r"<script[^>]*></script>\n", lambda _: f"<style>{style}</style>\n", frame)
    return frame.replace("</body>", f"{held}</body>")


def packed(code: bytes) -> str:
    """A module as it stands in a page."""
    return base64.b64encode(gzip.compress(code, mtime=0)).decode()


def _brought(script: str, worker: str, data: dict[str, Any], modules: Mapping[str, str]) -> str:
    """The elements that a page's script stands in and reads (`static/brought.js`): what is alike stands together, which
    is smaller when it is sent."""
    brings = [
        ("module", "script", script),
        ("text/plain", "worker", worker),
        ("application/json", "facts", json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")),
        *(("text/plain", name, module) for name, module in modules.items()),
    ]
    return "".join(f'<script type="{kind}" id="{name}">{text}</script>\n' for kind, name, text in brings)


def _policy(style: str, script: str = "") -> str:
    """What a page may do: what stands in it, and nothing from elsewhere."""
    rules = ["default-src 'none'", f"style-src {_hash(style)}", "img-src data:"]
    rules += ["base-uri 'none'", "form-action 'none'"]
    if script:
        rules += [f"script-src {_hash(script)} 'wasm-unsafe-eval'", "worker-src blob:", "connect-src 'none'"]
    return f'<meta http-equiv="Content-Security-Policy" content="{"; ".join(rules)}">'


def _mark(stamp: str) -> str:
    """What made a page, and what it is known by."""
    maker = html.escape(f"plyground {version('plyground')} {stamp}".strip())
    return f'<meta name="generator" content="{maker}">'


def framed(title: str, body: str) -> str:
    """A page without scripts, in the same style."""
    return _document(title, _held(_style()), body)


def running(
    title: str, body: str, scripts: tuple[str, str], data: dict[str, Any], modules: Mapping[str, str], stamp: str
) -> str:
    """A lesson's page, in the same style, whose examples run.

    Args:
        title: of the page.
        body: what stands in it, as HTML.
        scripts: those of the page and of its workers, by their names in `web/static`.
        data: what they begin with.
        modules: what they run, each as it is packed, by the id of its element.
        stamp: what the page is known by.
    """
    script, worker = (_held(_script(name)) for name in scripts)
    style = _held(_style(LESSON))
    return _document(title, style, body + _brought(script, worker, data, modules), script, stamp)


def _document(title: str, style: str, body: str, script: str = "", stamp: str = "") -> str:
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"{_mark(stamp)}\n{_policy(style, script)}\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<title>{html.escape(title)}</title>\n<link rel="icon" href="{_icon()}">\n<style>{style}</style>\n</head>\n'
        f"<body>\n{body}</body>\n</html>\n"
    )


def _icon() -> str:
    return "data:image/svg+xml;base64," + base64.b64encode((STATIC / "icon.svg").read_bytes()).decode()


def _opened(embed: bool) -> str:
    return '<html lang="en" data-embed>' if embed else '<html lang="en">'


def _script(name: str, without: Collection[str] = ()) -> str:
    """A module of the page's with all that it imports."""
    return bare.script(alone(STATIC / name, without))


def _style(*more: str) -> str:
    return bare.style("".join((STATIC / name).read_text(encoding="utf-8") for name in (*STYLES, *more)))


def _held(text: str) -> str:
    """A text as it can stand in an element: nothing in it ends that."""
    if found := re.search("</(script|style)|<!--", text, re.I):
        raise ValueError(f"{found[0]} stands in what is put into a page")
    return text


def _hash(text: str) -> str:
    """What a policy knows an element's text by."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def name_of(spec: str) -> str:
    """A file's name for the page of a game, without what it ends with."""
    return re.sub(r"[^\w-]+", "-", own_name(spec) if is_own(spec) else spec).strip("-").lower()
