"""The site of documentation: built strictly, whole, searchable, and with nothing from elsewhere."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urlsplit

import pytest
from browser import person
from lxml import html
from playwright.sync_api import Playwright, expect

import plyground
from plyground.board.svg import svg
from plyground.exact.known_values import KNOWN_VALUE_KINDS, known_values
from plyground.games import GAMES, AnyGame, describe_game
from plyground.games.about import about
from plyground.spec import Choice, options

ROOT = Path(__file__).resolve().parent.parent
pytestmark = [pytest.mark.process, pytest.mark.nightly, pytest.mark.timeout(400)]  # a minute of CPU time builds it
Pages = dict[Path, html.HtmlElement]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built by its command, which takes a warning for an error; an installed plyground is not read."""
    folder, installed = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("installed")
    (installed / "plyground").mkdir()
    (installed / "plyground" / "__init__.py").write_text("raise ImportError('read instead of the working copy')")
    command = [sys.executable, str(ROOT / "scripts" / "site"), str(folder)]
    environment = os.environ | {"PYTHONPATH": str(installed)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> Pages:
    """Every page, read."""
    return {file: html.parse(str(file)).getroot() for file in sorted(site.rglob("*.html"))}


def test_every_link_leads_somewhere(site: Path, pages: Pages) -> None:
    """Every address within the site is a file of it, and has the anchor that is named."""
    anchors = {file: {*page.xpath("//@id"), *page.xpath("//a/@name")} for file, page in pages.items()}
    checked = 0
    for file, page in pages.items():
        for address in page.xpath("//@href | //@src"):
            parts = urlsplit(address)
            if parts.scheme or address == "#":
                continue
            there = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            assert there.is_file() and there.is_relative_to(site), (file, address)
            assert not parts.fragment or there not in anchors or unquote(parts.fragment) in anchors[there], (
                file,
                address,
            )
            checked += 1
    assert checked > 1_000


def test_nothing_is_from_elsewhere(site: Path, pages: Pages) -> None:
    """No page takes a script, a style, a font, a picture or a frame from another host; nor does a style."""
    for file, page in pages.items():
        used = page.xpath(
            "//script/@src | //link[not(@rel='canonical')]/@href | //img/@src | //iframe/@src | //source/@src"
        )
        assert not [address for address in used if urlsplit(address).netloc], file
    for style in site.rglob("*.css"):
        assert not re.findall(r"(?:@import|url\()\s*[\"']?(?:https?:)?//", style.read_text(encoding="utf-8")), style


def test_every_document_is_there(site: Path) -> None:
    """Each document of the repository is a page, at the same place; the README is the first one."""
    documents = [*ROOT.glob("docs/**/*.md"), *ROOT.glob("bench/[A-Z]*.md"), *ROOT.glob("C*.md"), ROOT / "SECURITY.md"]
    assert len(documents) > 15
    for document in documents:
        assert (site / document.relative_to(ROOT)).with_suffix(".html").is_file(), document
    assert "Install and play" in (site / "index.html").read_text(encoding="utf-8")


def test_every_public_name_has_an_entry(pages: Pages) -> None:
    """Each name of the menu has an entry with words of its own, and so has each question of the page of questions."""
    entries = {entry.get("id"): entry for page in pages.values() for entry in page.xpath("//dt[@id]")}
    questions = [name for name, value in vars(plyground.Game).items() if callable(value) and name[0] != "_"]
    assert len(questions) > 15
    for name in [*plyground.__all__, *(f"Game.{question}" for question in questions)]:
        words = entries[f"plyground.{name}"].getnext().text_content().strip()
        assert len(words) > 10, name
    variation = entries["plyground.Report.variation"].getnext().text_content()
    assert variation.startswith("The principal variation: best play")  # not taken for a type and its field


@pytest.mark.parametrize("choice", list(GAMES), ids=lambda choice: choice.name)
def test_a_game_has_its_page(site: Path, pages: Pages, choice: Choice[AnyGame]) -> None:
    """What it is called, its rules in short and as its docstring has them, a picture of the position that is written
    below it, its options, and each known value under its kind, with its source."""
    name, rules, described = choice.name, type(choice.maker()).__doc__ or "", about(choice)
    page = pages[site / "games" / f"{name}.html"]
    printed = dict(zip((0x201C, 0x201D, 0x2018, 0x2019), "\"\"''", strict=True))  # quotation marks are set as in print
    text = " ".join(page.xpath("//article")[0].text_content().translate(printed).split())
    spec = ":".join(filter(None, (name, described.offer)))
    assert page.xpath("//h1")[0].text_content().startswith(re.sub("[{}]", "", described.title).replace("'", "\u2019"))
    assert " ".join(describe_game(spec).rules.split()) in text
    (picture,) = page.xpath("//article//img/@src")
    drawn = (site / "games" / picture).resolve().read_text(encoding="utf-8")
    shown = plyground.Position.parse(plyground.game_named(spec), described.example)
    assert drawn == svg(shown.board, shown.look(), 300) and shown.text in text
    cells = [str(cell) for cell in page.xpath("//*[@id='options']//tbody/tr/td[1]//text()")]
    assert [cell for cell in cells if cell.strip()] == [option.name for option in options(choice.maker)]
    assert re.split("[;`]", rules)[0].strip() in text
    known = [each for each in known_values() if each.game.partition(":")[0] == name]
    assert known
    for kind in KNOWN_VALUE_KINDS:
        rows = page.xpath(f"//*[@id='{kind}-values']//tbody/tr")
        listed = [tuple(" ".join(cell.text_content().split()) for cell in row[:2]) for row in rows]
        assert listed == [(each.game, each.ask) for each in known if each.kind == kind]
    assert all(" ".join(each.source.split())[:20] in text for each in known)


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    """The site, served as any server of files does."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def test_it_is_searched(site: Path, address: str, playwright: Playwright, tmp_path: Path) -> None:
    """The index knows every page; a reader finds a name's entry and a lesson; on a phone nothing scrolls sideways."""
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    assert {"games/kalah", "docs/wire", "reference/score"} <= set(json.loads(index[index.index("{") : -1])["docnames"])
    with person(playwright, f"{address}/index.html", viewport={"width": 390, "height": 800}) as page:
        for words, found in (("search_tree", "plyground.search_tree"), ("repairing expert", "Beating the expert")):
            page.goto(f"{address}/search.html?q={words}")
            expect(page.locator("#search-results li", has_text=found).first).to_be_visible()
        for name in (
            "index",
            "games/kalah",
            "reference/rules",
            "reference/operations",
            "docs/architecture",
            "docs/wire",
        ):
            page.goto(f"{address}/{name}.html")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
