"""Published page of a game: one HTML file with the playground's scripts and the game's wasm module.

Nothing is fetched, so it works from a disk as well as from any host; its content security policy forbids all network
access. Its parts are the finished scripts and style sheet in `web/page/published`, packed by gzip; `begin.js` runs
first and has the browser unpack them.
"""

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from typing import Any, NamedTuple, get_args
from urllib.parse import quote

from plyground.board.look import Shape, Surface
from plyground.errors import BadInput
from plyground.exact.tables.reading import Tablebase
from plyground.games import game_named
from plyground.markup import Inside, Markup, document, el, fragment
from plyground.players import OPPONENT
from plyground.publish import TABLE_MEBIBYTES
from plyground.publish.page_table import LARGE, MOST_IN_A_PAGE, packed_table, size_of_files, why_left_out
from plyground.search import ALGORITHMS
from plyground.spec import is_own, name_in_user_file
from plyground.wasm.textbook import recorded_algorithms
from plyground.web.operations import PUBLISHED
from plyground.web.server.files import PAGE_FOLDER
from plyground.web.views import menu_models
from plyground.web.views.game_facts import first_page
from plyground.web.views.module_facts import module_and_facts, section
from plyground.web.views.positions import algorithm_choice, offered_players

TABLE_SIZES = range(1, 1025)
PATHS = ("play", "board", "tree", "race")
"""Paths in links to the page: pages of `published.js` that show a position."""
SCRIPTS = {"plain": (), "chess": ("repetition", "fen")}
"""Scripts of pages, and the facts that ask for what their workers have; `whole` is for all other games."""
FACTS_OF_SOME = ("repetition", "tablebase", "fen", "pdn", "sgf")
"""Facts of a game that ask for a part of a worker."""
PART_SEPARATOR = "\0"
"""Separator of two texts: style and facts, the worker's script and the page's."""
_PUBLISHED = PAGE_FOLDER / "published"
_FRAME = PAGE_FOLDER / "index.html"
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
    def sent_bytes(self) -> int:
        """Size in bytes as a host sends it, compressed."""
        # gzip's head goes without the time, so the same page has the same size.
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
    if table not in TABLE_SIZES:
        raise BadInput(f"A table of {table} MiB: {TABLE_SIZES.start} to {TABLE_SIZES.stop - 1}.")
    code, facts = module_and_facts(spec, learned)
    held = None
    if tablebase:
        held, code, facts = add_table(tablebase, code, facts)
    first = first_page(spec, game_named(spec))
    data = page_data(first, facts, table, home)
    title = first["choice"]["title"]
    return Page(title, _assemble(title, data, pack_text(code), embed, stamp), held)


def page_data(first: Mapping[str, Any], facts: Mapping[str, Any], table: int, home: str = "") -> dict[str, Any]:
    """Data for the scripts of a game's page; `page/src/editor/gamepage.js` puts another game into them.

    Args:
        first: the game and its first position (`first_page`).
        facts: facts of its module.
        table: mebibytes of a search's transposition table.
        home: address of a page with other games, if there is one.
    """
    menu = menu_models.MenuView(
        games=[first["choice"]],
        algorithms=_searches(),
        players=offered_players(),
        kinds=[],
        opponent=OPPONENT,
        programs=[],
        own=[],
        addresses=[],
        room=False,
        near=None,
    )
    return {
        "game": first["game"],
        "known": {"menu": menu.model_dump(mode="json"), "position": first["position"]},
        # A page's size counts: defaults are what the scripts assume.
        "operations": [view.model_dump(mode="json", exclude_defaults=True) for view in PUBLISHED],
        "facts": {**facts, "spec": first["game"]},
        "table": table,
        "home": home,
    }


def add_table(table: Tablebase, code: bytes, facts: dict[str, Any]) -> tuple[PageTable, bytes, dict[str, Any]]:
    """Add a small tablebase to a module and its facts; a larger one is left out, with the reason."""
    why, most = why_left_out(table), f"at most {MOST_IN_A_PAGE / 1000:.0f} kB go into a page"
    # The files' size is asked first: packing reads all states, which takes long for a large table.
    if not why and (size := size_of_files(table)) > LARGE:
        why = f"its files have {size / 1000:,.0f} kB; {most}"
    if not why:
        told, data = packed_table(table)
        size = len(pack_text(data))
        if size <= MOST_IN_A_PAGE:
            return PageTable(len(table), ""), code + section("table", data), facts | {"tablebase": told}
        why = f"it would take {size / 1000:,.0f} kB; {most}"
    return PageTable(len(table), why), code, facts


def _searches() -> list[menu_models.AlgorithmView]:
    """Searches in a module that take a depth: those of the textbook, and the engine's."""
    names = {*(each.name for each in recorded_algorithms()), "pvs"}
    return [algorithm_choice(each.maker(), each.summary) for each in ALGORITHMS.shipped if each.name in names]


def _assemble(title: str, data: dict[str, Any], module: str, embed: bool, stamp: str) -> Markup:
    """The playground's HTML frame with all parts in it."""
    asked = {fact for fact in FACTS_OF_SOME if data["facts"].get(fact)}
    # The smallest form that has all that this game asks for; forms are built beforehand.
    scripts = next((name for name, has in SCRIPTS.items() if asked.issubset(has)), "whole")
    style = strip_selectors(published_file("style.css"), _unneeded_classes(data["facts"]["board"]))
    body = Markup(re.sub("(?<=<header)(?=>)", " hidden", frame_body()))  # until it has its style
    held = _page_parts(scripts, data, {"module": module}, style)
    allowed = policy(style, *_executed_scripts(scripts))
    return document(title, "", body, held, policy=allowed, head=head(stamp), data_embed=embed)


def frame_body() -> Markup:
    """Content of the body of a game's page before any script has run."""
    body = _FRAME_BODY.findall(_FRAME.read_text(encoding="utf-8"))[0]
    body = re.sub("(?<=<noscript>).*(?=</noscript>)", "This page plays by JavaScript: allow it here.", body)
    return Markup(re.sub('(?<=src=")icon.svg', lambda _: icon_data_url(), body))


def _unneeded_classes(board: dict[str, Any]) -> set[str]:
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


def strip_selectors(style: str, names: Collection[str]) -> str:
    """A style sheet without the selectors that have one of these classes, or values of an attribute.

    >>> strip_selectors(".a,.b i{top:0}[role=c]{top:0}@media print{.c{top:0}}", ["b", "c"])
    '.a{top:0}'
    >>> strip_selectors(".a:is(.b,.d){top:0}.a:is(.d){top:0}", ["d"])
    '.a:is(.b){top:0}'
    """

    def is_needed(selector: str) -> bool:
        told = re.findall(r"""(?:\.|="?)([a-z][\w-]*)""", re.sub(r":[\w-]+\([^()]*\)", "", selector))
        return ":is()" not in selector and not any(each in names for each in told)

    def one_of(found: re.Match[str]) -> str:
        return f":is({','.join(filter(is_needed, found[1].split(',')))})"

    def rule(found: re.Match[str]) -> str:
        selectors = re.split(r",(?![^()]*\))", re.sub(r":is\(([^()]*)\)", one_of, found[1]))
        needed = ",".join(filter(is_needed, selectors))
        return f"{needed}{{{found[2]}}}" if needed else ""

    # Enough for what the page's build writes: minified rules, at most one level deep in @media.
    return re.sub(r"@media[^{}]*\{\}", "", re.sub(r"([^{}@]+)\{([^{}]*)\}", rule, style))


@lru_cache(maxsize=16)  # modules that several lessons have
def pack_text(data: bytes) -> str:
    """Texts or a module as text in a page: gzip, as base64."""
    return base64.b64encode(gzip.compress(data, mtime=0)).decode()


def _page_parts(scripts: str, data: dict[str, Any], modules: Mapping[str, str], style: str) -> Markup:
    """Elements with all that a page brings, packed, and the script that unpacks them.

    The style, the facts, the worker's script and the page's become elements again.
    """
    facts = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    texts = pack_text(PART_SEPARATOR.join((style, facts)).encode())
    held = {"texts": texts, "scripts": base64.b64encode(_scripts(scripts)).decode(), **modules}
    brings = ([el("script", text, type="text/plain", id=name), "\n"] for name, text in held.items())
    return fragment(brings, el("script", published_file("begin.js"), type="module"))


def _executed_scripts(scripts: str) -> tuple[str, str]:
    """The scripts that a page runs: the one that unpacks, and its own."""
    return published_file("begin.js"), scripts_of(scripts)[1]


def policy(style: str, *make_lesson_page: str) -> str:
    """Content security policy that allows the page's own parts and no other host.

    Args:
        style: the style sheet.
        running: texts of the scripts.
    """
    # Everything is forbidden that is not named below; `form-action` and `base-uri` do not fall back
    # to `default-src`.
    rules = ["default-src 'none'", f"style-src {hash_of(style)}", "img-src data:"]
    rules += ["base-uri 'none'", "form-action 'none'"]
    if make_lesson_page:
        allowed = " ".join(map(hash_of, make_lesson_page))
        # Scripts are allowed by hash: an element that text could smuggle into the page would not
        # run. The worker is made of the page's own text, hence `blob:`; WebAssembly needs the word
        # of its own.
        rules += [f"script-src {allowed} 'wasm-unsafe-eval'", "worker-src blob:", "connect-src 'none'"]
    return "; ".join(rules)


def head(stamp: str) -> list[Markup]:
    """More for the head of a page: plyground's version with the page's stamp, colour schemes and the icon."""
    return [
        el("meta", name="generator", content=f"plyground {version('plyground')} {stamp}".strip()),
        el("meta", name="color-scheme", content="light dark"),
        el("link", rel="icon", href=icon_data_url()),
    ]


def make_frame(title: str, *body: Inside) -> Markup:
    """Make a page without scripts, in the same style."""
    style = published_file("style.css")
    return document(title, style, *body, policy=policy(style), head=head(""))


def make_lesson_page(
    title: str, body: Inside, scripts: str, data: dict[str, Any], modules: Mapping[str, str], stamp: str
) -> Markup:
    """Make a lesson's page, in the same style, whose examples run.

    Args:
        title: title of the page.
        body: its content.
        scripts: those of the page and its workers, by their file in `web/page/published`.
        data: data for the scripts.
        modules: packed modules, by the id of their element.
        stamp: hash by which a later run recognises the page.
    """
    style = published_file("style.css") + (PAGE_FOLDER / "lesson/lesson.css").read_text(encoding="utf-8")
    held = _page_parts(scripts, data, modules, style)
    return document(title, "", body, "\n", held, policy=policy(style, *_executed_scripts(scripts)), head=head(stamp))


def icon_data_url() -> str:
    """Returns the data URL of the icon; percent-encoded, because a host compresses that better than base64."""
    picture = (PAGE_FOLDER / "icon.svg").read_text(encoding="utf-8").strip().replace('"', "'")
    return "data:image/svg+xml," + quote(picture, safe=" '/:=(),.;-")


def published_file(name: str) -> str:
    """The first script of published pages, or their style sheet."""
    return (_PUBLISHED / name).read_text(encoding="utf-8")


def _scripts(name: str) -> bytes:
    """The script of a page's workers and its own, packed by gzip."""
    return (_PUBLISHED / f"{name}.gz").read_bytes()


def scripts_of(name: str) -> list[str]:
    """The script of a page's workers, and its own."""
    return gzip.decompress(_scripts(name)).decode().split(PART_SEPARATOR)


def hash_of(text: str) -> str:
    """Hash of an element's text for the policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def name_of(spec: str) -> str:
    """File name of a game's page, without the suffix."""
    return re.sub(r"[^\w-]+", "-", name_in_user_file(spec) if is_own(spec) else spec).strip("-").lower()
