"""An arena: who meets whom, where games begin, whose fault is whose, and that no game is lost or played twice."""

from pathlib import Path

import pytest

import plyground as pg
from plyground.arena.openings import Openings
from plyground.arena.results import Played, Task
from plyground.arena.schedule import schedule
from plyground.arena.store import Store

NAMES = ("a", "b", "c", "d", "e")


def won_by_name(task: Task) -> Played:
    """A game that the name earlier in the alphabet has won."""
    return Played(task, (), 1 if task.x < task.o else -1, "")


@pytest.mark.once
@pytest.mark.parametrize("form", ["round-robin", "gauntlet", "swiss", "ladder"])
def test_both_sides(form: str) -> None:
    """Every opening is played with both sides, and no number comes twice."""
    results: dict[int, Played] = {}
    plan = schedule(form, NAMES, ["", "b2", "a1"])
    for games in plan.rounds(results):
        for task in games:
            assert task.number not in results
            results[task.number] = won_by_name(task)
    tasks = [played.task for played in results.values()]
    assert len(tasks) == plan.planned
    for first, second in zip(tasks[::2], tasks[1::2], strict=True):
        assert (first.x, first.o, first.opening, first.pair) == (second.o, second.x, second.opening, second.pair)
    meetings = {(frozenset((task.x, task.o)), task.opening) for task in tasks}
    expected = {"round-robin": 10 * 3, "gauntlet": 4 * 3}
    if form in expected:
        assert len(meetings) == expected[form] == len(tasks) / 2


@pytest.mark.once
def test_swiss_and_ladder() -> None:
    """In a Swiss tournament nobody meets twice; a ladder ends in the order of strength."""
    names = tuple("hgfedcba")
    results: dict[int, Played] = {}
    plan = schedule("swiss", names, [""])
    met = []
    for games in plan.rounds(results):
        for task in games:
            results[task.number] = won_by_name(task)
            met.append((frozenset((task.x, task.o)), task.pair))
    assert len({pair for pair, _ in met}) == len(met) / 2
    results.clear()
    last: list[Task] = []
    for games in schedule("ladder", names, [""], rounds=9).rounds(results):
        last = [*games]
        results |= {task.number: won_by_name(task) for task in last}
    assert [(task.x, task.o) for task in last[::2]] == [("a", "b"), ("c", "d"), ("e", "f"), ("g", "h")]


@pytest.mark.once
def test_openings(tmp_path: Path) -> None:
    """Openings have no symmetric twins, follow from a seed, and none is over."""
    game = pg.MNK()
    assert len(Openings(plies=1).found(game)) == 3
    assert len(Openings(plies=2).found(game)) == 12
    some = Openings(random_plies=3, count=5, seed=7).found(game)
    assert len(set(some)) == 5 and some == Openings(random_plies=3, count=5, seed=7).found(game)
    file = tmp_path / "openings.txt"
    file.write_text("b2 a1\n\n# the side\nb1  # a draw, too\n")
    assert Openings(file=file).found(game) == tuple(pg.Position.parse(game, text).text for text in ("b2 a1", "b1"))
    even = Openings(plies=2, balanced=True).found(game)
    assert 0 < len(even) < 12
    assert all(pg.solve(pg.Position.parse(game, text)).score.utility == 0 for text in even)
    file.write_text("b2 a1\na1 b1 a2 b2 a3\n")
    with pytest.raises(pg.BadInput, match=r"line 2: this opening is over \(x wins\)"):
        pg.arena(["first", "random"], "tictactoe", openings=file)


@pytest.mark.once
def test_game_follows_from_its_number(tmp_path: Path) -> None:
    """A game follows from its number, whoever played before it and in which process."""

    def games(url: str, stop: int | None = None) -> list[tuple[str, ...]]:
        arena = pg.arena(["a=random", "b=random"], "tictactoe", games=20, database=url)
        for played in arena:
            if played.task.number == stop:
                break
        return [played.moves for played in arena.games]

    whole, cut = f"sqlite:///{tmp_path / 'whole.db'}", f"sqlite:///{tmp_path / 'cut.db'}"
    games(cut, stop=6)
    assert games(cut) == games(whole)
    assert len(set(games(whole))) > 10


@pytest.mark.once
def test_goes_on(tmp_path: Path) -> None:
    """An arena goes on where it was, may be made longer, and does not mix with another in its database."""
    url = f"sqlite:///{tmp_path / 'games.db'}"
    arena = pg.arena(["first", "alphabeta:depth=2"], "tictactoe", games=10, database=url)
    for _, played in zip(range(3), arena, strict=False):
        assert Store(url).game(arena.id, played.task.number) == played  # written before it is counted
    other = pg.arena(["first", "random"], "tictactoe", games=10, database=url).play()
    again = pg.arena(["first", "alphabeta:depth=2"], "tictactoe", games=12, database=url)  # made longer on the way
    assert again.id == arena.id != other.id and again.resumed >= 3
    new = [*again]
    assert len(new) == 12 - again.resumed and len(again.games) == 12
    assert [each.task.number for each in Store(url).games(arena.id)] == [*range(12)]
    assert Store(url).count(other.id) == 10
    assert {each.id: each.why for each in Store(url).arenas()} == dict.fromkeys(
        (arena.id, other.id), "all games are played"
    )
