"""An arena: who meets whom, where games begin, whose fault is whose, and that no game is lost or played twice."""

from pathlib import Path

import pytest
from variants import broken

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


def test_faults_of_programs_lose_the_game_and_never_the_arena(tmp_path: Path) -> None:
    """Whoever hangs, dies, prints rubbish or moves illegally has lost, with the reason and its last words."""
    kinds = ("hung", "crashing", "illegal", "rubbish")
    players = [f"{kind}=program[timeout=1]:{broken(tmp_path, kind)}" for kind in kinds]
    games = (
        pg.arena(["last=program:" + broken(tmp_path, "last"), *players], "tictactoe", format="gauntlet").play().games
    )
    assert len(games) == 8 and not any(each.void for each in games)
    for each in games:
        seat = 0 if each.task.x != "last" else 1
        assert each.fault == seat and each.score(seat) == 0 and each.moves, each
        kind = each.task.x if seat == 0 else each.task.o
        said = {
            "hung": "it said nothing for 1 s",
            "crashing": "it has ended",
            "illegal": "illegal move",
            "rubbish": "I think",
        }
        assert said[kind] in each.why
        assert kind != "crashing" or each.words == "I have no idea"


def test_what_is_nobodys_fault_counts_for_nobody(tmp_path: Path) -> None:
    """What cannot be started, or never made a move, stops its games with a sentence; who is known to move has lost."""
    mute = f"mute=program[timeout=0.3]:{broken(tmp_path, 'mute')}"
    arena = pg.arena(
        ["gone=program:/nowhere/x", mute, "first", "last=first"], "tictactoe", database=f"sqlite:///{tmp_path / 'g.db'}"
    )
    void = [each for each in arena if each.void]
    assert {name for pair in arena.stopped for name in pair} >= {"gone", "mute"} and (
        "first",
        "last",
    ) not in arena.stopped
    assert {row.name for row in arena.standings.rows if row.games} == {"first", "last"}
    assert any("'/nowhere/x' cannot be started" in each.why for each in void)
    assert any("said nothing" in each.why and each.fault is not None for each in void)
    assert len(void) < 10  # one that never moves is not asked for long
    again = pg.arena(
        ["gone=program:/nowhere/x", mute, "first", "last=first"], "tictactoe", database=f"sqlite:///{tmp_path / 'g.db'}"
    )
    assert len([each for each in again if each.void]) == len(void)  # tried again


@pytest.mark.only_on("linux")
@pytest.mark.once
def test_programs_are_held_to_limits(tmp_path: Path) -> None:
    """More memory, processes or output than a program may have lose the game, and say so."""
    players = [f"{kind}=program[timeout=4]:{broken(tmp_path, kind)}" for kind in ("greedy", "forking", "loud")]
    arena = pg.arena(["first", *players], "tictactoe", format="gauntlet").play()
    why = {({each.task.x, each.task.o} - {"first"}).pop(): each.why for each in arena.games}
    assert len(arena.games) == 6 and all(each.fault is not None and not each.void for each in arena.games), why
    assert "MemoryError" in why["greedy"]
    assert "more than 64 processes" in why["forking"]
    assert "illegal move" in why["loud"] or "1,000 messages" in why["loud"]


@pytest.mark.once
def test_functions_of_ones_own_hang_and_fail_like_programs(tmp_path: Path) -> None:
    """A Python function that never answers, raises or answers nonsense has lost; the next game goes on."""
    file = tmp_path / "own.py"
    file.write_text(
        "import time\n"
        "def spins(position):\n    while True: pass\n"
        "def sleeps(position):\n    time.sleep(1000)\n"
        "def fails(position):\n    return position.no_such_thing\n"
        "def strays(position):\n    return 'z9'\n"
    )
    names = ("spins", "sleeps", "fails", "strays")
    players = ["first", *(f"{name}={file}:{name}" for name in names)]
    arena = pg.arena(players, "tictactoe", format="gauntlet", move_time=0.3).play()
    why = {({each.task.x, each.task.o} - {"first"}).pop(): each.why for each in arena.games}
    assert len(arena.games) == 8 and all(each.fault is not None for each in arena.games)
    assert "on time" in why["spins"] and "on time" in why["sleeps"]
    assert "no_such_thing" in why["fails"] and "illegal move" in why["strays"]
