"""Levels: perfect at error 0, wrong as often as they say, stubborn when lost, repeatable, and in time."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from dataclasses import replace

import pytest

import plyground as pg
from plyground.engine.think import glance
from plyground.games import GAMES
from plyground.play import level as levels
from plyground.play.level import Level, split_moves
from plyground.web import searching
from plyground.web.views.models import Reply, ReplyView
from plyground.workers.fair_queue import Asker
from plyground.workers.pool import WorkerStopped
from plyground.workers.shares import TooMany


def everything(position: pg.Position) -> dict[int, pg.Score]:
    """The exact score of every move."""
    return dict([*pg.think(position, every_move=True)][-1].moves)


@pytest.mark.compiled
def test_perfect_never_gives_value_away() -> None:
    """On positions of seeded random play, error 0 keeps the value and wins as soon as it can."""
    for seed in range(4):
        position = pg.Position.parse(pg.MNK(), "b2 a1" if seed % 2 else "a1 b2")
        walk = pg.player_named(f"random:seed={seed}")
        while position.outcome is None:
            scores = everything(position)
            assert Level(error=0).choose(position, None) in pg.score.best_of(scores.items(), position.to_move)
            position = position.play(walk.choose(position, None))


def test_it_errs_at_its_rate() -> None:
    """At error 1 it always gives value away where it can, at 0.5 about every second time, and a seed repeats it."""
    position = pg.Position.parse(pg.MNK(), "xx./.o./...:o")
    right = position.legal("c1")
    assert Level(error=1, nodes=500).choose(position, None) != right
    chosen = [Level(error=0.5, seed=seed, nodes=500).choose(position, None) for seed in range(24)]
    assert 4 < sum(move != right for move in chosen) < 20
    assert chosen[:6] == [Level(error=0.5, seed=seed, nodes=500).choose(position, None) for seed in range(6)]


@pytest.mark.compiled
def test_a_lost_side_sets_traps() -> None:
    """Of equal opening moves it takes a corner, after which all replies but one lose."""
    position = pg.Position.parse(pg.MNK(), "a1")
    report = [*pg.think(position, every_move=True)][-1]
    good, bad = split_moves(position, report)
    assert [position.game.move_text(position.state, move) for move in good] == ["b2"] and len(bad) == 7
    start = pg.Position.initial(pg.MNK())
    Level().prepare(start)
    assert start.game.move_text(start.state, Level(error=0, seed=1).choose(start, None)) in ("a1", "c1", "a3", "c3")


def test_what_gives_value_away() -> None:
    """A slower win does not; a draw for a win does; of estimates, the lower one does."""
    start = pg.Position.initial(pg.MNK())

    def bad(*scores: pg.Score) -> list[int]:
        report = [*pg.think(start, pg.Limit(depth=1))][-1]
        return split_moves(start, replace(report, moves=tuple(enumerate(scores))))[1]

    assert bad(pg.Score(1, 3), pg.Score(1, 5), pg.Score(0), pg.Score(-1, 4), pg.Score(-1, 2)) == [2, 3, 4]
    assert bad(pg.Score(points=3), pg.Score(points=2), pg.Score(points=3)) == [1]
    assert bad(pg.Score(4, 9), pg.Score(2, 3), pg.Score(4, 11)) == [1]


def test_a_rate_beyond_all() -> None:
    """Refused in a sentence."""
    with pytest.raises(pg.BadInput, match="0 to 1"):
        Level(error=2)


@pytest.mark.parametrize(("seconds", "budget"), [(None, 3.0), (60.0, 2.0)])
def test_one_budget_for_the_whole_answer(seconds: float | None, budget: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Among equal moves, of which each search takes all its time, the level keeps its one budget."""
    assert 0.8 * budget < thought(3, seconds, 0.01, monkeypatch) < 1.001 * budget


def test_no_look_begins_that_would_end_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a ply takes longer than what is left, equal moves are not looked at."""
    for least in (0.1, 0.5, 0.6):
        assert thought(1, None, least, monkeypatch) <= 1


def thought(time: float, seconds: float | None, least: float, monkeypatch: pytest.MonkeyPatch) -> float:
    """Seconds of a level's answer where every move is as good as the others: each search takes all of its time, and
    `least` seconds at least, which is how long its first ply takes."""
    now = 0.0

    def think(position: pg.Position, limit: pg.Limit, **_: object) -> Iterator[pg.Report]:
        nonlocal now
        assert limit.time is not None
        moves = tuple((move, pg.Score(points=0)) for move in position.legal_moves)
        for spent in (least, limit.time - least):
            now += max(spent, 0)
            yield pg.Report(position, 1, 1, 1, 0, limit.time, moves[0][1], (moves[0][0],), moves)

    monkeypatch.setattr(levels, "think", think)
    monkeypatch.setattr(levels, "perf_counter", lambda: now)
    monkeypatch.setattr(levels, "prepare", lambda position: None)
    start = pg.Position.initial(pg.MNK(15, 15, 5))
    assert Level(time=time, seed=1).choose(start, seconds) in start.legal_moves
    return now


class _HeldUp:
    """Workers that do not answer: they are busy for ever, have no place left, or have just ended."""

    def __init__(self, fault: Exception | None) -> None:
        self._fault = fault
        self.is_left = asyncio.Event()
        """Whether what was asked of them is given up."""

    async def run(self, *_: object) -> AsyncGenerator[ReplyView, None]:
        try:
            if self._fault:
                raise self._fault
            await asyncio.Event().wait()
            yield ReplyView(move="", report=None)
        finally:
            self.is_left.set()


@pytest.mark.parametrize("game", [choice.name for choice in GAMES])
def test_a_level_answers_without_its_workers(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In every game, whatever holds them up, it makes a legal move, and says how it was found."""
    monkeypatch.setattr(searching, "LEVEL_REPLY_SECONDS", 0.0)
    monkeypatch.setattr(searching, "LEVEL_MARGIN_SECONDS", 0.0)
    here = pg.Position.initial(pg.game_named(game))
    level = Level(error=0.5, time=0.01)

    async def ask_level(fault: Exception | None) -> ReplyView:
        workers = _HeldUp(fault)
        asked = Reply(game=game, player="level:easy")
        replies = searching._level_replies(workers, asked, level, Asker(), is_exam=False)  # type: ignore[arg-type]
        (reply,) = [each async for each in replies]
        await workers.is_left.wait()
        assert isinstance(reply, ReplyView)
        return reply

    for fault in (None, TooMany("no place"), WorkerStopped("ended")):
        reply = asyncio.run(ask_level(fault))
        assert reply.move in here.legal_texts
        assert reply.report and reply.report.depth == 1 and "slow to start" in (reply.report.why_plain or "")


def test_a_late_level_plays_at_its_level() -> None:
    """By what a glance or a search has found it takes a win in one move, or at error 1 a mistake where there is one."""
    position = pg.Position.parse(pg.MNK(), "xx./oo./...:x")
    for known in (glance(position), [*pg.think(position, pg.Limit(nodes=500), every_move=True)][-1]):
        assert position.game.move_text(position.state, Level(error=0).settle(position, known).move) == "c1"
        assert position.game.move_text(position.state, Level(error=1).settle(position, known).move) != "c1"
