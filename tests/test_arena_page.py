"""Stories of the arena's pages: the list, standings, who beat whom, games, blunders, and one that goes on meanwhile."""

import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from pages import Person, cell, choose, says
from playwright.sync_api import Locator, Page, expect
from servers import Server, serving
from waiting import LIMIT, until

from plyground.arena import work
from plyground.arena.report.standings import standings
from plyground.arena.results import Judged, Played, Task
from plyground.arena.settings import Settings
from plyground.arena.store import Store
from plyground.arena.tournament import Tournament
from plyground.play.ending import Ending
from plyground.web.arenas import saved_arenas
from plyground.web.games.saved_games import NotFound

ANN, SLY, BOB = "Ann", '<i>Sly</i> & "co" 🦊', "Bob"
HELD = ("a1", "c1", "a3", "c3")
GATED = """
import time
from pathlib import Path
from typing import Any

def gated(position):
    "The first legal move, once a file allows as many plies."
    allowed = Path(__file__).with_name("allowed")
    while len(position.moves) >= int(allowed.read_text() or 0):
        time.sleep(0.01)
    return position.legal_moves[0]
"""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The database of the server."""
    return f"sqlite:///{tmp_path_factory.mktemp('arena') / 'games.db'}"


@pytest.fixture(scope="module")
def store(url: str) -> Iterator[Store]:
    """The same, to write into."""
    opened = Store(url)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def server(url: str) -> Iterator[Server]:
    """A server that searches plain."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PLYGROUND_PLAIN", "1")
        with serving(url) as started:
            yield started


def kept(store: Store, name: str, names: tuple[str, ...], games: list[Played], game: str = "tictactoe") -> str:
    """An arena that is over, as rows of the database; the link to it."""
    entrants = [[each, "random"] for each in names]
    settings = {"game": game, "entrants": entrants, "format": "round-robin", "limits_text": "1 s a move"}
    store.begin(name, settings, len(games))
    store.add(name, games)
    store.end(name, "all games are played")
    return f"arena?id={name}"


def league(store: Store, name: str) -> str:
    """Three entrants: Ann wins all, Sly gives a draw away to her, Bob crashes with his last words."""
    lost = [
        Judged(1, 0, "b2", "draw", "draw", True),
        Judged(2, 1, "b1", "draw", "loss", True, HELD),
        Judged(3, 0, "a1", "win", "win", True),
        Judged(4, 1, "c3", "loss", "loss", True),
    ]
    moves = ("b2", "b1", "a1", "c3", "a3", "c1", "a2")
    crashed: dict[str, Any] = {"words": 'Traceback:\n  <oops> "no"', "ending": Ending.CRASHED}
    return kept(
        store,
        name,
        (BOB, ANN, SLY),
        [
            Played(Task(0, 0, ANN, SLY, ""), moves, 1, "x wins", judged=tuple(lost)),
            Played(Task(1, 0, SLY, ANN, ""), ("b2", "b1"), -1, "x loses on time", 0, ending=Ending.LATE),
            Played(Task(2, 1, ANN, BOB, "a1 b2"), ("c3",), 1, "o: it was late to end", 1, **crashed),
            Played(Task(3, 1, BOB, ANN, "a1 b2"), ("c3", "c1", "a3"), -1, "x: it was late to end", 0, **crashed),
            Played(
                Task(4, 2, BOB, SLY, ""),
                ("a1", "b2", "c3"),
                0,
                "draw",
                judged=(Judged(1, 0, "a1", "draw", "draw", True),),
            ),
            Played(Task(5, 2, SLY, BOB, ""), (), None, "port 10400 is taken", void=True),
            Played(Task(6, 3, SLY, BOB, ""), ("b2",), 1, "x wins"),
        ],
    )


def go(page: Page, server: Server, link: str) -> Page:
    """The page of a link."""
    page.goto("about:blank")
    page.goto(f"{server.address}/#/{link}")
    page.get_by_role("heading", level=1).wait_for()
    return page


def rows(page: Page, name: str) -> list[str]:
    """A table's rows as they are read."""
    return [" ".join(row.split()) for row in table(page, name).locator("tbody tr").all_inner_texts()]


def table(page: Page, name: str) -> Locator:
    """A table by its caption."""
    return page.get_by_role("table", name=name)


# -- the list ----------------------------------------------------------------------------------------------------------


def test_no_arena_yet(page: Page, server: Server) -> None:
    """The menu leads to a sentence with the command that holds the first; of a link that is not whole a sentence."""
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Arena", exact=True).click()
    expect(page.get_by_role("main")).to_contain_text("None has been held here yet.")
    page.get_by_text("How to hold one from a terminal").click()
    expect(page.get_by_label("Command")).to_have_value("plyground arena tictactoe perfect random")
    page.goto(f"{server.address}/#/arena?id=nowhere")
    expect(page.get_by_role("alert")).to_contain_text("There is no arena 'nowhere'")


def test_the_list(page: Page, server: Server, store: Store) -> None:
    """Each arena with how far it is, the newest first; a name is only text, and leads there."""
    store.begin("<b>Zo</b>", {"game": "kalah", "entrants": [["a", "first"], ["b", "first"]], "format": "ladder"}, None)
    link = league(store, "cup & co")
    go(page, server, "arenas")
    lines = page.get_by_role("main").get_by_role("listitem")
    expect(lines.first).to_contain_text("cup & co: Tic-tac-toe")
    expect(lines.first).to_contain_text("3 entrants, 6 of 7 games: all games are played")
    expect(lines.nth(1)).to_contain_text("<b>Zo</b>: Kalah")
    expect(lines.nth(1)).to_contain_text("2 entrants, 0 games: it goes on")
    lines.first.get_by_role("link").click()
    expect(page.get_by_role("heading", name="Arena: cup & co: Tic-tac-toe")).to_be_visible()
    assert link not in page.url  # it is escaped there


# -- one that is over --------------------------------------------------------------------------------------------------


def test_standings(page: Page, server: Server, store: Store) -> None:
    """Who stands where, with points, blunders and faults; who beat whom; names are only text."""
    go(page, server, league(store, "standings"))
    says(page, "All games are played.")
    expect(page.get_by_role("main")).to_contain_text("6 of 7 games between 3 entrants, and 1 void.")
    expect(page.get_by_role("main")).to_contain_text("Round-robin. 1 s a move.")
    found = rows(page, "Standings")
    assert [row.split()[1] for row in found] == ["Ann", "<i>Sly</i>", "Bob"]
    assert re.match(r"1 Ann ≥ \S+ \S+ … ∞ 4 4 0 0 4 ", found[0]) and SLY in found[1]
    assert found[1].endswith(" 1 late 1 of 1 (100.0 %)") and " 2 crashed " in found[2], found
    crossed = rows(page, "Points of each")
    assert crossed[0] == "1 Ann 2/2 2/2" and crossed[2] == "3 Bob 0/2 ½/2"
    expect(table(page, "Points of each").get_by_role("columnheader", name=SLY)).to_be_visible()
    expect(page.get_by_role("link", name=f"Bob against {SLY}: ½ of 2")).to_be_visible()


def test_every_way_of_looking(anybody: Person, server: Server, store: Store) -> None:
    """Axe finds nothing: light, dark, on a phone, with forced colours and with more contrast; only tables scroll."""
    links = [league(store, "looks"), "arenas", "arena?id=looks&only=blunders"]
    store.show("looks", Task(9, 9, ANN, SLY, ""), ("b2",))
    modes = (
        ({"color_scheme": "light", "forced_colors": "none", "contrast": "no-preference"}, 1100),
        ({"color_scheme": "dark"}, 1100),
        ({"color_scheme": "dark"}, 390),
        ({"color_scheme": "light", "forced_colors": "active"}, 1100),
        ({"color_scheme": "light", "forced_colors": "none", "contrast": "more"}, 320),
    )
    with anybody() as page:
        for link in links:
            go(page, server, link)
            if link != "arenas":
                page.get_by_role("link", name=re.compile("Game 1:")).wait_for()
            for mode, wide in modes:
                page.emulate_media(**mode)  # type: ignore[arg-type]  # options of any kind
                page.set_viewport_size({"width": wide, "height": 760})
                results = Axe().run(page)
                assert results.violations_count == 0, (link, mode, results.generate_report())
                assert page.evaluate("document.documentElement.scrollWidth") <= wide, (link, wide)


def test_games_are_found_and_looked_back_at(page: Page, server: Server, store: Store) -> None:
    """Of an entrant, between two, ended by a fault; one opens on the board with its players and its opening."""
    go(page, server, league(store, "games"))
    expect(table(page, "Games").locator("tbody tr")).to_have_count(7)
    page.get_by_role("link", name=f"Bob against {SLY}: ½ of 2").click()
    expect(table(page, "Games").locator("tbody tr")).to_have_count(3)
    expect(page.get_by_label("Against", exact=True)).to_have_value(SLY)
    table(page, "Standings").get_by_role("link", name="Bob").click()
    expect(table(page, "Games").locator("tbody tr")).to_have_count(5)
    page.get_by_label("Which").select_option("Ended by a fault")
    expect(table(page, "Games").locator("tbody tr")).to_have_count(2)
    page.get_by_text("Error output").first.click()
    expect(page.get_by_text('<oops> "no"').first).to_be_visible()
    expect(table(page, "Games")).to_contain_text("Bob: crashed")
    page.reload()  # the link says it all
    expect(table(page, "Games").locator("tbody tr")).to_have_count(2)
    page.get_by_role("link", name="Game 4: Bob – Ann").click()
    says(page, "x: it was late to end.")
    expect(cell(page, "a3")).to_have_accessible_name(re.compile("^a3, x, last move"))
    expect(page.get_by_role("button", name="Look back")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("region", name="Game")).to_contain_text(re.compile("x\\s*Bob\\s*o\\s*Ann"))
    page.get_by_role("button", name="First position").click()
    says(page, "The first position.")


def test_blunders(page: Page, server: Server, store: Store) -> None:
    """Each leads to the position with what would have held; and all, one after another, are exercises."""
    go(page, server, league(store, "blunders"))
    page.get_by_label("Which").select_option("With blunders")
    expect(table(page, "Games").locator("tbody tr")).to_have_count(1)
    page.get_by_role("link", name=f"{SLY}: 1… b1 gave the draw away").click()
    says(page, f"{SLY} played b1, which gave the draw away: it is a loss now. What held: a1, c1, a3, c3.")
    expect(cell(page, "a1")).to_have_accessible_name(re.compile("draw"))
    page.go_back()
    page.get_by_role("button", name="Practise on blunders").click()
    page.get_by_role("heading", name="Find the better move").wait_for()
    choose(page, "b3")
    says(page, "b3: No: it gave away the draw.")
    choose(page, "c3")
    says(page, "c3: Right.")
    page.get_by_role("button", name="The next one").click()
    says(page, "That was the last one.")


def test_pages_of_games(page: Page, server: Server, store: Store) -> None:
    """The newest first, and older ones by a button, and back."""
    games = [Played(Task(number, number // 2, ANN, BOB, ""), ("a1",), 0, "draw") for number in range(60)]
    go(page, server, kept(store, "long", (ANN, BOB), games))
    for button, first in (("", 60), ("Older games", 35), ("Older games", 10), ("Newer games", 35)):
        if button:
            page.get_by_role("button", name=button).click()
        expect(table(page, "Games").locator("tbody th").first).to_have_text(str(first))
    expect(page.get_by_role("button", name="Older games")).to_be_visible()


# -- one that goes on --------------------------------------------------------------------------------------------------


def test_an_arena_that_goes_on(
    page: Page, server: Server, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Boards and standings follow the games while they are played, and nothing has to be loaded again."""
    monkeypatch.setattr(work, "SHOW_AFTER_SECONDS", 0.0)
    monkeypatch.setattr(work, "SHOW_EVERY_SECONDS", 0.0)
    program, allowed = tmp_path / "mine.py", tmp_path / "allowed"
    program.write_text(GATED, encoding="utf-8")
    allowed.write_text("0", encoding="utf-8")
    players = [f"slow={program}:gated", "other=first"]
    arena = Tournament(Settings(players, "tictactoe", games=2, name="running", database=url))
    playing = threading.Thread(target=arena.play, daemon=True)
    playing.start()
    until(lambda: Store(url).arena("running"))
    go(page, server, "arena?id=running")
    says(page, "It goes on.")
    game = page.get_by_role("listitem").filter(has=page.get_by_role("link", name="slow (x) – other (o)"))
    page.evaluate("window.stays = true")
    for plies in (2, 4, 6):  # the other one answers at once
        allowed.write_text(str(plies - 1), encoding="utf-8")
        expect(game).to_contain_text(f"{plies} moves by both sides")
        expect(game.locator("ply-board .piece")).to_have_count(plies)
    allowed.write_text("99", encoding="utf-8")
    says(page, "All games are played.")
    expect(page.get_by_role("heading", name="Played just now")).to_be_hidden()
    expect(table(page, "Games").locator("tbody tr")).to_have_count(2)
    playing.join(LIMIT)
    first = table(page, "Standings").locator("tbody tr").first
    expect(first).to_contain_text("2 1 0 1 1", use_inner_text=True)  # games, won, drawn, lost, points
    assert page.evaluate("window.stays")


# -- the operations ----------------------------------------------------------------------------------------------------


def test_standings_are_worked_out_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many look, and however often: again only when there is another game, or one is judged."""
    league(store, "once")
    asked: list[object] = []

    def counted(*args: Any) -> Any:
        asked.append(args)
        return standings(*args)

    monkeypatch.setattr(saved_arenas, "standings", counted)
    monkeypatch.setattr(saved_arenas, "CHANGE_PAUSE", 0.0)
    monkeypatch.setattr(saved_arenas, "RECOMPUTE_FACTOR", 0)
    halls = saved_arenas.SavedArenas(store.engine)
    for _ in range(5):
        halls.view("once")
    assert len(asked) == 1
    store.add("once", [Played(Task(7, 3, ANN, BOB, ""), ("a1",), 1, "x wins")])
    assert halls.view("once").ranks[0].model_dump()["points"] == 5 and len(asked) == 2
    store.judge("once", 7, [Judged(1, 0, "a1", "win", "draw", True, ("b2",))])
    assert "1 of 3 (33.3 %)" in halls.view("once").cells[0] and len(asked) == 3
    with pytest.raises(NotFound, match="There is no arena 'never'"):
        halls.view("never")
    halls.close()


def test_a_game_in_a_file_that_was_not_named(page: Page, store: Store, server: Server) -> None:
    """Its code is not run for whoever looks: what its rows tell is shown, and no board."""
    kept(store, "own", (ANN, BOB), [Played(Task(0, 0, ANN, BOB, ""), ("a", "b"), 1, "x wins")], "/nowhere/mine.py:Game")
    store.show("own", Task(1, 0, BOB, ANN, ""), ("a",))
    seen = server.ask("arena", id="own")
    assert not seen["drawn"] and "named when the server starts" in seen["notes"][-1]
    assert seen["live"][0]["position"] is None and seen["ranks"][0]["points"] == 1
    assert server.ask("arena_games", id="own")["games"][0]["moves"] == ["a", "b"]
    go(page, server, "arena?id=own")
    expect(table(page, "Games").locator("tbody tr")).to_contain_text("Ann – Bob", use_inner_text=True)
    expect(table(page, "Games").get_by_role("link")).to_have_count(0)
    assert "arena 'x'" in server.ask("arena_games", status=404, id="x")["error"]
