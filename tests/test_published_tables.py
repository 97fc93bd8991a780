"""Tablebases in published pages: a page's worker answers from a table what Python answers from it, field by field."""

import gzip
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from answering import Answers
from browser import FLAGS, PATIENCE, chromium
from commanding import ran
from games import canaries, random_positions
from playwright.sync_api import expect, sync_playwright

import plyground as pg
from plyground.board.bits import flat
from plyground.exact.tables.reading import FOLDERS_VARIABLE
from plyground.files.whole_file import write_whole
from plyground.players import Perfect
from plyground.publish import page as publishing
from plyground.publish.page import FACTS_OF_SOME, SCRIPTS, add_table, page
from plyground.publish.page_table import packed_table, table_for, why_left_out
from plyground.web.server.files import PAGE_FOLDER
from plyground.web.views import models as m
from plyground.web.views import positions

pytest.importorskip("pyarrow")

GAMES = ["tictactoe", "kalah:2,2", "threemorris", "dotsandboxes:1,2", "hex:3", "breakthrough:3,3"]
MOST = 300
"""Positions that are compared."""


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose tablebase is asked."""
    monkeypatch.setenv(FOLDERS_VARIABLE, str(tmp_path))
    return tmp_path


def every_position(game: Any) -> Iterator[pg.Position]:
    """A position for each state, with the fewest moves that lead there."""
    first = pg.Position.initial(game)
    seen, level = {first.state}, [first]
    while level:
        yield from level
        level = [after for here in level for after in (here.play(move) for move in here.legal_moves)]
        level = list({here.state: here for here in level if here.state not in seen}.values())
        seen |= {here.state for here in level}


def untimed(report: Any) -> Any:
    """A report without its seconds; if no table has answered, the values alone, for whether the states are listed or
    searched depends on time."""
    if not report["source"]:
        return report["source"], report["score"], {move: each["score"] for move, each in report["moves"].items()}
    return {key: value for key, value in report.items() if key != "seconds"}


@pytest.mark.compiled
@pytest.mark.process
@pytest.mark.parametrize("spec", canaries(GAMES))
def test_what_a_worker_looks_up(spec: str, asked: Path, tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    """Of each position, or of many with those that come again: values, distances, lines, the perfect player's move and
    the explorer's worths are those of the table in Python."""
    game = pg.game_named(spec)
    table = pg.tablebase(game, asked)
    some = random_positions(game, MOST, random.Random(seed)) if game.repetition else every_position(game)
    unfinished = [here for here in some if here.outcome is None]
    if len(unfinished) > MOST:
        unfinished = random.Random(seed).sample(unfinished, MOST)
    with Answers(spec, tmp_path_factory.mktemp("module"), tablebase=table) as worker:
        looked_up = 0
        for here in unfinished:
            [expected] = [each.model_dump(mode="json") for each in positions.study(m.At(game=spec, moves=here.words))]
            assert untimed(worker.ask("study", moves=here.words)) == untimed(expected), here.words
            if here.last_times():
                continue
            looked_up += expected["source"] == "the tablebase"
            explored = worker.ask("explore", moves=here.words)
            assert explored["source"] == expected["source"]
            assert {each["move"]: each["worth"] for each in explored["moves"]} == expected["moves"], here.words
            move = worker.ask("reply", moves=here.words, player="perfect")["move"]
            assert here.legal(move) == Perfect().choose(here, None), here.words
        assert looked_up > 100 or looked_up == len(unfinished)


@pytest.mark.compiled
@pytest.mark.process
def test_a_game_reviewed_by_a_table(asked: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Every move of a game is graded for certain at the first look, and a move is judged for certain."""
    table = pg.tablebase("tictactoe", asked)
    words = ["a1", "b1", "a2", "b2", "c3"]
    with Answers("tictactoe", tmp_path_factory.mktemp("module"), tablebase=table) as worker:
        first = worker.parts("review", moves=words, seconds=60)[len(words) - 1]
        assert [step["exact"] for step in first["steps"][1:]] == [True] * len(words)
        judged = worker.ask("judge", moves=words[:4], move="c3", seconds=60)
        assert judged["certain"] and not judged["right"] and judged["best"] == ["a3"]
        searched = [*positions.analyse(m.Analyse(game="tictactoe", depth=4, seconds=60))][-1]
        found = worker.parts("analyse", depth=4, seconds=60)[-1]
        assert found["nodes"] == searched.nodes > 0, "a search to a depth asks no table, and has its own"


@pytest.mark.browser
@pytest.mark.compiled
def test_a_page_with_a_table(asked: Path) -> None:
    """From a disk, the explorer has all values before anything is searched."""
    made = page("tictactoe", tablebase=pg.tablebase("tictactoe", asked))
    assert made.tablebase == (len(pg.tablebase("tictactoe", asked)), "")
    file = asked / "tictactoe.html"
    write_whole(file, made.text)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=FLAGS)
        shown = browser.new_page()
        shown.set_default_timeout(PATIENCE)
        shown.goto(file.as_uri() + "#/board?moves=a1+b1+a2+b2")
        expect(shown.locator("#explorer")).to_contain_text("Exact values, from the tablebase.", timeout=PATIENCE)
        expect(shown.locator("#explorer tr", has_text="a3")).to_contain_text(re.compile("wins? in 1|#1|\\+1"))
        browser.close()


@pytest.mark.parametrize("spec", ["tictactoe", "kalah:2,2"])
def test_bytes_of_a_table(spec: str, tmp_path: Path) -> None:
    """Each state's words and its value are read from the bytes again; the states are in order."""
    table = pg.tablebase(spec, tmp_path)
    facts, data = packed_table(table)
    count, sizes = facts["states"], facts["sizes"]
    planes = [data[start : start + count] for start in range(0, len(data), count)]
    rows = []
    for row in zip(*planes, strict=True):
        left, words = list(row), []
        for low, size in zip(facts["lows"], sizes, strict=True):
            words.append(int(low) + int.from_bytes(bytes(left[:size]), "big"))
            del left[:size]
        utility, plies = facts["values"][int.from_bytes(bytes(left), "big")]
        rows.append((tuple(words), pg.Score(utility, plies=plies)))
    assert [words for words, _ in rows] == sorted(words for words, _ in rows)
    assert dict(rows) == {flat(state): score for state, score in table}


def test_only_pages_with_tables_have_code_for_them() -> None:
    """The page of a game without a tablebase has no code for one."""
    plain, whole = (
        gzip.decompress((PAGE_FOLDER / "published" / f"{name}.gz").read_bytes()) for name in ("plain", "whole")
    )
    asks = b"?.openTable("  # of a part that a worker may have
    assert b"openTable(" in whole.replace(asks, b"") and b"openTable(" not in plain.replace(asks, b"")
    assert "tablebase" in FACTS_OF_SOME and not SCRIPTS["plain"]


class Counting(pg.MNK):
    """Tic-tac-toe in which a counter might draw."""

    def drawn_after(self, state: Any) -> int:
        return 50


def test_tables_that_stay_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sentence says why: what follows a position, what a counter may draw, what is large; not a whole game."""
    monkeypatch.setattr("plyground.exact.tables.reading.user_data_path", lambda _: tmp_path)
    game = pg.game_named("tictactoe")
    assert table_for(game) is None
    start = pg.Position.parse(game, "b2 a1")
    part = pg.tablebase(game, tmp_path / "part", start=start)
    monkeypatch.setenv(FOLDERS_VARIABLE, str(part.path))
    found = table_for(game)
    assert found is not None and found.path == part.path
    assert why_left_out(found) == f"it is that of {start.text}, not of the whole game"
    whole = pg.tablebase(game)
    found = table_for(game)
    assert found is not None and found.path == whole.path and not why_left_out(found)
    counting = pg.tablebase(Counting(3, 3, 3), tmp_path / "counting")
    assert "a counter may draw this game" in why_left_out(counting)
    assert add_table(whole, b"", {})[0].why_not == ""
    monkeypatch.setattr(publishing, "MOST_IN_A_PAGE", 1_000)
    held, code, facts = add_table(whole, b"", {})
    assert re.fullmatch(r"it would take \d kB; at most 1 kB go into a page", held.why_not)
    assert (code, facts) == (b"", {})
    monkeypatch.setattr(publishing, "LARGE", 1_000)
    assert re.fullmatch(r"its files have \d+ kB; at most 1 kB go into a page", add_table(whole, b"", {})[0].why_not)


@pytest.mark.compiled
@pytest.mark.process
def test_the_command_says_what_became_of_a_table(asked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the page, or why not."""
    monkeypatch.chdir(asked)
    count = len(pg.tablebase("tictactoe", asked))
    run = ran(["publish", "tictactoe"])
    assert f"Its tablebase of {count:,} positions is in it: all values are exact, and there at once." in run.output
    monkeypatch.setattr(publishing, "MOST_IN_A_PAGE", 1_000)
    run = ran(["publish", "tictactoe", "--json"])
    assert '"why_not": "it would take' in run.output
