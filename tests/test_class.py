"""A class in an arena: players that come late, or play one side."""

from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from commanding import ran

import plyground as pg
from plyground.arena.results import Entrant, Played
from plyground.arena.store import Store

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
