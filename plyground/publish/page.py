"""Published page of a game: one HTML file with the playground's scripts and the game's wasm module.

Nothing is fetched, so it works from a disk as well as from any host; its content security policy forbids all network
access. Its parts are in `web/static`: `published.js` and `worker/worker.js`, each with all its imports, both packed;
`unpacking.js` runs first.
"""

import base64
import gzip
import hashlib
import json
import lzma
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.metadata import version
from typing import Any, NamedTuple, get_args
from urllib.parse import quote

from plyground.board.look import Shape, Surface
from plyground.errors import BadInput
from plyground.games import game_named, told_of
from plyground.markup import Inside, Markup, document, el, fragment
from plyground.players import OPPONENT
from plyground.position import Position
from plyground.publish import TABLE_MEBIBYTES, minify
from plyground.publish.tabled import LARGE, MOST_IN_A_PAGE, packed_table, size_of_files, why_left_out
from plyground.search import ALGORITHMS
from plyground.spec import is_own, own_name
from plyground.tables.reading import Tablebase
from plyground.wasm.textbook import textbook
from plyground.web.operations import PUBLISHED
from plyground.web.server.bundle import STATIC, alone
from plyground.web.views import menu_models
from plyground.web.views.module_facts import brought, section
from plyground.web.views.positions import algorithm_choice, offered, view

PAGE_STYLES = (
    "style.css",
    "board/board.css",
    "tree/microscope.css",
    "analysis/analysis.css",
    "study/study.css",
    "published.css",
)
LESSON = "lesson/lesson.css"
TABLES = range(1, 1025)
PATHS = ("play", "board", "tree", "race")
"""Paths in links to the page: pages of `published.js` that show a position."""
SEVERAL_GAMES = ("library/tiles.js",)
"""Modules that only a page of several games needs."""
TABLED = "worker/engine/tabled.js"
"""Module that looks positions up in a tablebase."""
OF_SOME_GAMES = {
    "repetition": "worker/engine/sweeping.js",
    "tablebase": TABLED,
    "fen": "worker/notation/fen.js",
    "pdn": "worker/notation/pdn.js",
    "sgf": "worker/notation/sgf.js",
}
"""Modules that only some pages need, by the fact that says so."""
LZMA = {"id": lzma.FILTER_LZMA1, "preset": 9 | lzma.PRESET_EXTREME, "lc": 3, "lp": 0, "pb": 0}
"""How texts and modules are packed: the stream that `web/static/unpacking.js` reads."""
MATCH_FINDERS = [
    {"nice_len": size, "mf": finder} for size in (64, 96, 128, 192) for finder in (lzma.MF_BT3, lzma.MF_BT4)
]
"""Ways to look for matches: the shortest stream is taken; for chess it is 150 bytes less than by the preset."""
SIGNS = "".join(chr(sign) for sign in range(33, 127) if chr(sign) != "<")
"""Signs of what is packed, which end no element: the first ones stand for six bits, the others for seven."""
SHORT, LONG = 6, 7
SIX = 2**LONG - len(SIGNS)
"""Number of signs for six bits; so each sequence of bits begins with those of one sign."""
BETWEEN = "\0"
"""Separator of two texts in a stream."""
_FRAME = STATIC / "index.html"
_FRAME_BODY = re.compile("<body>\n(.*)</body>", re.DOTALL)


@dataclass(frozen=True)
class Page:
    """A page with its title and size."""

    title: str
    """Title of the game or the lesson."""
    text: str
    """Content of the file."""
    tablebase: "PageTable | None" = None
    """Whether the page includes the game's tablebase; None if the game has none."""

    @property
    def size(self) -> int:
        """Size of the file in bytes."""
        return len(self.text.encode())

    @property
    def sent(self) -> int:
        """Size in bytes as a host sends it, compressed."""
        return len(gzip.compress(self.text.encode(), mtime=0))


class PageTable(NamedTuple):
    """Size of a game's tablebase, and the reason if its page does not include it."""

    states: int
    why_not: str
    """Why it is not in the page; empty if it is."""


def page(
    spec: str,
    *,
    learned: str = "",
    embed: bool = False,
    table: int = TABLE_MEBIBYTES,
    tablebase: Tablebase | None = None,
    home: str = "",
    stamp: str = "",
) -> Page:
    """Make the page of a game.

    Args:
        spec: the game's spec: `connectfour`, `path/to/file.py:Nine`.
        learned: weights of a learned evaluation that its searches use: their file, or `learned` for those shipped.
        embed: whether it is for a frame in another page: only the board, the status line and the buttons.
        table: mebibytes of a search's transposition table.
        tablebase: tablebase of the game that is put into the page if it is small.
        home: address of a page with other games, if there is one.
        stamp: hash by which a later run recognises the page as up to date; empty for none.

    Raises:
        BadInput: there is no such game, it cannot be compiled, or a library for making pages is not installed.
    """
    if table not in TABLES:
        raise BadInput(f"A table of {table} MiB: {TABLES.start} to {TABLES.stop - 1}.")
    code, facts = brought(spec, learned)
    held = None
    if tablebase:
        held, code, facts = with_table(tablebase, code, facts)
    name = own_name(spec) if is_own(spec) else spec  # the file's path stays private
    told = told_of(spec)
    menu = menu_models.MenuView(
        games=[
            menu_models.GameChoice(
                name=name,
                summary="",
                title=told.title,
                group=told.group,
                rules=told.rules,
                details=told.details,
                offer=name,
                example="",
                options=[],
            )
        ],
        algorithms=_searches(),
        players=offered(),
        kinds=[],
        opponent=OPPONENT,
        programs=[],
        own=[],
        addresses=[],
        room=False,
        near=None,
    )
    data = {
        "game": name,
        "known": {
            "menu": menu.model_dump(mode="json"),
            "position": view(name, Position.initial(game_named(spec))).model_dump(mode="json"),
        },
        "operations": [view.model_dump(mode="json", exclude_defaults=True) for view in PUBLISHED],
        "facts": facts | {"spec": name},
        "table": table,
        "home": home,
    }
    return Page(told.title, _assembled(told.title, data, packed(code), embed, stamp), held)


def with_table(table: Tablebase, code: bytes, facts: dict[str, Any]) -> tuple[PageTable, bytes, dict[str, Any]]:
    """Add a small tablebase to a module and its facts; a larger one is left out, with the reason."""
    why, most = why_left_out(table), f"at most {MOST_IN_A_PAGE / 1000:.0f} kB go into a page"
    if not why and (size := size_of_files(table)) > LARGE:
        why = f"its files have {size / 1000:,.0f} kB; {most}"
    if not why:
        told, data = packed_table(table)
        size = 5 * len(lzma.compress(data, format=lzma.FORMAT_RAW, filters=[LZMA])) // 4  # as text
        if size <= MOST_IN_A_PAGE:
            return PageTable(len(table), ""), code + section("table", data), facts | {"tablebase": told}
        why = f"it would take {size / 1000:,.0f} kB; {most}"
    return PageTable(len(table), why), code, facts


def _searches() -> list[menu_models.AlgorithmView]:
    """Searches in a module that take a depth: those of the textbook, and the engine's."""
    names = {*(each.name for each in textbook()), "pvs"}
    return [algorithm_choice(each.maker(), each.summary) for each in ALGORITHMS.shipped if each.name in names]


def _assembled(title: str, data: dict[str, Any], module: str, embed: bool, stamp: str) -> Markup:
    """The playground's HTML frame with all parts in it."""
    without = (module for fact, module in OF_SOME_GAMES.items() if not data["facts"].get(fact))
    scripts = _script("published.js", *SEVERAL_GAMES), _script("worker/worker.js", *without)
    named = " ".join((*map(minify.literals, scripts), json.dumps(data), _FRAME.read_text(encoding="utf-8")))
    style = minify.needed(_style(), named, _of_other_boards(data["facts"]["board"]))
    body = _FRAME_BODY.findall(_FRAME.read_text(encoding="utf-8"))[0]
    body = re.sub("(?<=<header)(?=>)", " hidden", body)  # until it has its style
    body = re.sub("(?<=<noscript>).*(?=</noscript>)", "This page plays by JavaScript: allow it here.", body)
    body = re.sub('(?<=src=")icon.svg', lambda _: _icon(), body)
    held = _brought(*scripts, data, {"module": module}, style)
    head = _head(stamp)
    policy = _policy(style, *_running(scripts[0]))
    return document(title, "", Markup(body), held, policy=policy, head=head, data_embed=embed)


def _of_other_boards(board: dict[str, Any]) -> set[str]:
    """Classes and surfaces of boards that are not like this one."""
    shapes = {place["shape"] for place in board["places"]}
    rows, columns = board["grid"] or (0, 1)
    kinds = {
        "wide upright": rows != columns,
        "fall rack": board["falls"],
        "bordered": board["borders"],
        "crossings star": board["crossings"],
        "fate sent idle won-x won-o": board["areas"],
        "tray store tint-1 tint-2": "pit" in shapes,
    }
    other = {name for names, is_there in kinds.items() if not is_there for name in names.split()}
    return other | {*get_args(Shape), *get_args(Surface)} - shapes - {board["surface"]}


def compressed(data: bytes) -> bytes:
    """Texts or a module as a raw LZMA stream."""
    return min((lzma.compress(data, format=lzma.FORMAT_RAW, filters=[LZMA | more]) for more in MATCH_FINDERS), key=len)


@lru_cache(maxsize=16)  # modules that several lessons have
def packed(data: bytes) -> str:
    """Texts or a module as text in a page: a raw LZMA stream, six or seven bits in a sign.

    A host compresses the page once more, which adds 1.5 % to a stream in base64: in a text of so few signs it finds
    many short matches that are there by chance. In one of more signs it finds fewer.
    """
    stream = compressed(data)
    found, rest, count = [], 0, 0
    for byte in (*stream, 0):  # the last bits need a whole sign
        rest, count = rest << 8 | byte, count + 8
        while count >= LONG:
            is_long = rest >> count - SHORT >= SIX
            count -= LONG if is_long else SHORT
            found.append(SIGNS[(rest >> count) - SIX if is_long else rest >> count])
            rest &= (1 << count) - 1
    return "".join(found)


def _brought(script: str, worker: str, data: dict[str, Any], modules: Mapping[str, str], style: str = "") -> Markup:
    """Elements with all that a page brings: texts and modules, packed, and the script that unpacks them.

    The style, the facts, the worker's script and the page's become elements again; `static/answers/brought.js` reads
    those of the worker and the facts.
    """
    facts = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    texts = packed(BETWEEN.join((facts, worker, script, style)).encode())
    held = {"texts": texts, **modules}
    brings = ([el("script", text, type="text/plain", id=name), "\n"] for name, text in held.items())
    return fragment(brings, el("script", _unpacking(), type="module"))


def _unpacking() -> str:
    return _script("unpacking.js")


def _running(script: str) -> tuple[str, str]:
    """The scripts that a page runs: one that unpacks, and its own."""
    return _unpacking(), script


def _policy(style: str, *scripts: str) -> str:
    """Content security policy: only what is in the page, nothing from other hosts."""
    rules = ["default-src 'none'", f"style-src {_hash(style)}", "img-src data:"]
    rules += ["base-uri 'none'", "form-action 'none'"]
    if scripts:
        allowed = " ".join(map(_hash, scripts))
        rules += [f"script-src {allowed} 'wasm-unsafe-eval'", "worker-src blob:", "connect-src 'none'"]
    return "; ".join(rules)


def _head(stamp: str) -> list[Markup]:
    """More for the head of a page: plyground's version with the page's stamp, colour schemes and the icon."""
    return [
        el("meta", name="generator", content=f"plyground {version('plyground')} {stamp}".strip()),
        el("meta", name="color-scheme", content="light dark"),
        el("link", rel="icon", href=_icon()),
    ]


def framed(title: str, *body: Inside) -> Markup:
    """Make a page without scripts, in the same style."""
    style = _style()
    return document(title, style, *body, policy=_policy(style), head=_head(""))


def running(
    title: str, body: Inside, scripts: tuple[str, str], data: dict[str, Any], modules: Mapping[str, str], stamp: str
) -> Markup:
    """Make a lesson's page, in the same style, whose examples run.

    Args:
        title: title of the page.
        body: its content.
        scripts: script of the page and script of its workers, by name in `web/static`.
        data: data for the scripts.
        modules: packed modules, by the id of their element.
        stamp: hash by which a later run recognises the page.
    """
    script, worker = _script(scripts[0]), _script(scripts[1], TABLED)
    style = _style(LESSON)
    policy = _policy(style, *_running(script))
    held = _brought(script, worker, data, modules)
    return document(title, style, body, "\n", held, policy=policy, head=_head(stamp))


def _icon() -> str:
    """Returns the data URL of the icon; percent-encoded, because a host compresses that better than base64."""
    picture = (STATIC / "icon.svg").read_text(encoding="utf-8").strip().replace('"', "'")
    return "data:image/svg+xml," + quote(picture, safe=" '/:=(),.;-")


@cache
def _script(name: str, *without: str) -> str:
    """One script of a module of the page with all its imports."""
    return minify.script(alone(STATIC, name, without))


@cache
def _style(*more: str) -> str:
    return minify.style("".join((STATIC / name).read_text(encoding="utf-8") for name in (*PAGE_STYLES, *more)))


def _hash(text: str) -> str:
    """Hash of an element's text for the policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def name_of(spec: str) -> str:
    """File name of a game's page, without the suffix."""
    return re.sub(r"[^\w-]+", "-", own_name(spec) if is_own(spec) else spec).strip("-").lower()
