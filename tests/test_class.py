"""A class in an arena: players that come late, or play one side."""

import sys
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from commanding import ran

import plyground as pg
from plyground.arena.played_games import PlayedGames
from plyground.arena.playing import UNPLAYED
from plyground.arena.report.class_pages import write_pages
from plyground.arena.report.export import entries
from plyground.arena.results import Entrant, Played, Task
from plyground.arena.store import Store
from plyground.gradebook.roster import read_roster
from plyground.play.ending import Ending

ODO = Entrant("odo", "first", "o")


def meetings(games: list[Played]) -> Counter[tuple[str, str]]:
    """Number of games of each two, by the sides that they played."""
    return Counter((each.task.x, each.task.o) for each in games)


@pytest.mark.parametrize("name", ["", "class"])
def test_a_late_player_plays_what_is_missing(tmp_path: Path, name: str) -> None:
    """Games that were played are not played again: not for one late player, another, nor a longer arena."""
    database = f"sqlite:///{tmp_path / 'games.db'}"

    def league(*players: str | Entrant, games: int = 4) -> tuple[list[Played], list[Played]]:
        """All games, and those that were played just now."""
        with closing(pg.arena(players, "tictactoe", games=games, database=database, name=name)) as arena:
            new = [*arena]
            assert len({each.task.number for each in arena.games}) == len(arena.games) == arena.planned_games
            return arena.games, new

    first, _ = league("ann=random", ODO, "bob=random")
    assert meetings(first) == {("ann", "odo"): 2, ("bob", "odo"): 2, ("ann", "bob"): 2, ("bob", "ann"): 2}
    second, new = league("ann=random", ODO, "bob=random", "late=first")
    assert all("late" in (each.task.x, each.task.o) for each in new) and len(new) == 10
    assert [each for each in second if each not in new] == first
    third, new = league("later=random", "late=first", "bob=random", "ann=random", ODO)
    assert all("later" in (each.task.x, each.task.o) for each in new) and len(new) == 4 + 4 + 4 + 2
    longer, new = league("ann=random", ODO, "bob=random", "late=first", "later=random", games=6)
    assert len(new) == len(longer) - len(third) == 6 * 2 + 4 * 1
    assert {*meetings(longer).values()} == {3}
    pairs = Counter((each.task.pair, frozenset((each.task.x, each.task.o))) for each in longer)
    assert Counter(pairs.values()) == {2: 18, 1: 12}  # the two sides of an opening are one observation


def test_a_named_arena_takes_more_players_and_no_others(tmp_path: Path) -> None:
    """The refusal names players that left, and those with another program now."""
    database = f"sqlite:///{tmp_path / 'games.db'}"

    def played(*players: str) -> None:
        with closing(pg.arena(players, "tictactoe", database=database, name="class")) as arena:
            arena.play()

    played("ann=first", "bob=random")
    for players in (["ann=first", "cat=random"], ["ann=first", "bob=first", "cat=random"]):
        with pytest.raises(pg.BadInput, match="not the same: bob, for players may be added"):
            played(*players)
    with closing(Store(database)) as store:
        assert store.count("class") == 2


def test_one_side_and_both_lists(tmp_path: Path) -> None:
    """A class's file says who plays one side; the command line adds players to it."""
    file, url = tmp_path / "class.toml", f"sqlite:///{tmp_path / 'games.db'}"
    file.write_text('[[player]]\nname = "odo"\nspec = "first"\nside = "o"\n')
    words = ["arena", "tictactoe", "--players", str(file), "--database", url, "--jobs", "1", "--name", "class"]
    assert ran([*words, "late=first"]).exit_code == 0
    with closing(Store(url)) as store:
        (game,) = store.games("class")
        arena = store.arena("class")
        assert (game.task.x, game.task.o) == ("late", "odo") and arena and arena.entrants[0] == ODO
    swiss = ran([*words, "late=first", "--format", "swiss"])
    assert str(swiss.exception) == "odo plays o only, and in a swiss all play both sides."
    file.write_text('[[player]]\nspec = "first"\nside = "both"\n')
    wrong = ran([*words, "late=first"])
    assert 'side = "x" or side = "o"' in str(wrong.exception)


HANGS = """import sys
for line in sys.stdin if sys.argv[1] == "o" else [""]:
    print("1,1" if line.count("2") == 2 else "2,2", flush=True)
    for again in sys.stdin:
        while True:
            pass
"""
"""A program that makes a move and never another one."""


@pytest.mark.process
def test_a_program_that_hangs_loses_the_rest_unplayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After four games, in all of which it was late or silent; one that is late in some plays on. Its mark is that of
    one that hung in all.
    """
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hangs.py").write_text(HANGS, encoding="utf-8")
    url = f"sqlite:///{tmp_path / 'games.db'}"
    settings: dict[str, Any] = {"format": "class", "weights": {"perfect": 0}, "database": url, "audit_budget": 20}
    players = [f"hal=program[timeout=0.4]:{sys.executable} hangs.py {{side}} {{first}}", "bob=first"]
    with closing(pg.arena(players, "tictactoe", **settings)) as league:
        games = [each for each in league.play().games if "hal" in (each.task.x, each.task.o)]
        assert len(games) == 20 and len([each for each in games if each.moves]) < 12
        unplayed = [each for each in games if each.why == UNPLAYED]
        assert len(unplayed) >= 8 and all((each.task.x, each.task.o)[each.fault or 0] == "hal" for each in unplayed)
        hal, bob = league.marks.marks
        shares = {part.criterion: part.share for part in hal.parts}
        assert shares == {
            "never_loses": 0,
            "kept_values": 0,
            "random": 0,
            "alphabeta:depth=2": 0,
            "time": 0,
            "conduct": 1,
        }
        assert not [each for each in league.games if each.why == UNPLAYED and each not in unplayed] and bob.points
    with closing(pg.arena(players, "tictactoe", **settings)) as again:
        assert again.games_done == 40 and not [*again]
    known = PlayedGames("tictactoe", ["ann", "bob"], None)
    for number in range(6):
        task, fault = Task(number, 0, "ann", "bob", ""), None if number == 1 else 0
        known.add(Played(task, (), -1, "", fault, ending=Ending.LATE if fault == 0 else Ending.NORMAL))
        assert not known.is_hopeless("ann") and not known.is_hopeless("bob")


def test_an_unfinished_class_shows_what_is_known(tmp_path: Path) -> None:
    """No mark, but the points of each criterion so far, out of 100 for all; in the pages and in the gradebook."""
    url = f"sqlite:///{tmp_path / 'games.db'}"
    with closing(pg.arena(["ann=first", "bob=first"], "tictactoe", format="class", database=url)) as league:
        games = iter(league)
        for _ in range(4):
            next(games)
        games.close()  # type: ignore[attr-defined]
        ann, bob = league.marks.marks
        assert ann.points is None and "games are missing" in ann.why and not bob.parts
        points = {part.criterion: ann.part_points(part) for part in ann.parts}
        assert points["time"] == points["conduct"] == 5 and points["never_loses"] is None
        book = {each.item: each.points for each in entries(league.marks.marks, "tictactoe") if each.student == "ann"}
        assert book["tictactoe"] is None and book["tictactoe: time"] == 5
        roster = tmp_path / "roster.csv"
        roster.write_text("Full name,ID number,Email address\nAnn Lee,s0812,ann@uni.example\n", encoding="utf-8")
        index = write_pages(tmp_path / "pages", league.stored_arena, league.games, league.marks, read_roster(roster))
        assert "<td>5.0</td>" in index.read_text("utf-8")
        page = (index.parent / "student-ann.html").read_text("utf-8")
        assert "No mark" in page and "the games so far bring" in page and "number s0812" in page
