"""Clocks of saved games: the server's times count, a flag ends the game, and a restart loses nothing."""

import asyncio
import re
import time
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta, tzinfo
from pathlib import Path

import pytest

import plyground as pg
from plyground.database import connecting
from plyground.errors import BadInput
from plyground.play.time_control import TimeControl
from plyground.web.games.game_clock import GameClock, seconds_of
from plyground.web.games.saved_games import SavedGames, TooLate
from plyground.web.games.store import GameStore
from plyground.web.services import Services
from plyground.web.views import models as m


def test_clocks_run_from_the_first_move_on() -> None:
    """Each move costs its seconds and adds the increment; what is over runs no more; a take-back gives nothing back."""
    start = GameClock.of("1+2")
    assert start.left == (60, 60) and start.remaining(0, 0, 9e9) == 60
    begun = start.after(0, 100.0, runs=True, is_move=True)
    assert begun.left == (60, 60) and begun.since == 100
    assert (begun.remaining(1, 1, 110.0), begun.remaining(0, 1, 110.0)) == (50, 60)
    moved = begun.after(1, 110.0, runs=True, is_move=True)
    assert moved.left == (60, 52)
    taken_back = moved.after(0, 115.0, runs=True, is_move=False)
    assert taken_back.left == (55, 52)
    over = taken_back.after(1, 120.0, runs=False, is_move=True)
    assert over.left == (55, 49) and over.remaining(0, 0, 9e9) == 55
    assert begun.remaining(1, 1, 170.0) == -10 and begun.after(1, 170.0, runs=False, is_move=False).left == (60, 0)


@pytest.mark.parametrize("text", ["", "5", "0+5", "5+", "-5+3", "5+3s"])
def test_what_is_no_clock_is_refused(text: str) -> None:
    """A clock has minutes above 0 and whole seconds a move."""
    with pytest.raises(BadInput, match="as in 5"):
        GameClock.of(text)
    assert GameClock.of("0.5+0").left == (30, 30)


def test_times_of_the_database_are_read() -> None:
    """An hour more is 3,600 seconds more."""
    assert seconds_of("1970-01-01T01:00:00.250+00:00") == 3600.25


async def never(game: str, position: object) -> None:
    """No external player is set back: the move is not taken back."""
    raise AssertionError(game)


def test_a_flag_falls(tmp_path: Path) -> None:
    """Who lets the time run out loses, also where another server finds the game; a move is too late then."""
    url = f"sqlite:///{tmp_path / 'games.db'}"

    async def begun() -> tuple[str, dict[m.Side, str]]:
        games = SavedGames(GameStore(url))
        made = await games.create(m.Create(game="tictactoe", clock="0.01+0"))
        first = await games.open(m.Open(id=made.id))
        assert first.clock and first.clock.running is None and first.clock.left == {"x": 0.6, "o": 0.6}
        await games.play(m.Play(id=made.id, seat=made.seats["x"], ply=1, move="b2"))
        games.close()
        return made.id, made.seats

    async def ended(game: str, seats: dict[m.Side, str]) -> None:
        games = SavedGames(GameStore(url))
        async for view in games.stream_game(m.Follow(id=game)):
            if view.over:
                break
        assert (view.why, view.winner) == ("o's time is up", "x")
        assert view.clock and view.clock.running is None and view.clock.left["o"] == 0
        with pytest.raises(TooLate, match="time is up"):
            await games.play(m.Play(id=game, seat=seats["o"], ply=2, move="a1"))
        files = await games.export(m.Open(id=game))
        assert '"o\'s time is up"' in files.jsonl and files.ending == "pgn"
        assert '[Result "1-0"]' in files.record and '[Termination "time forfeit"]' in files.record
        assert '[TimeControl "1+0"]' in files.record and "1. b2 {[%clk 0:00:00.6] o's time is up} 1-0" in files.record
        with pytest.raises(TooLate, match="time is up"):
            await games.undo(m.Undo(id=game, seats=list(seats.values())), never)
        with pytest.raises(TooLate, match="time is up"):
            await games.offer(m.Offer(id=game, seat=seats["x"], what="undo"), lambda: None)
        games.close()

    asyncio.run(ended(*asyncio.run(begun())))


def test_a_rematch_has_the_same_clock(tmp_path: Path) -> None:
    """The clocks begin anew; they stand until the first move."""

    async def story() -> None:
        games = SavedGames(GameStore(f"sqlite:///{tmp_path / 'games.db'}"))
        made = await games.create(m.Create(game="tictactoe", clock="5+3", moves=["a1"]))
        await games.resign(m.ResignGame(id=made.id, seat=made.seats["x"]))
        for seat in made.seats.values():
            view = await games.offer(m.Offer(id=made.id, seat=seat, what="rematch"), lambda: None)
        assert view.next
        again = await games.open(m.Open(id=view.next))
        assert again.clock and (again.clock.text, again.clock.left) == ("5+3", {"x": 300, "o": 300})
        games.close()

    asyncio.run(story())


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Sets the machine's clock, by days from now."""

    def set_it(days: float) -> None:
        shift, real = timedelta(days=days), time.monotonic() - time.time()

        class Shifted(datetime):
            @classmethod
            def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
                return datetime.now(tz) + shift

        monkeypatch.setattr(connecting, "datetime", Shifted)
        monkeypatch.setattr(time, "time", lambda: time.monotonic() - real + shift.total_seconds())

    return set_it


@pytest.mark.parametrize("days", [1, -1])
def test_a_clock_that_is_set_costs_no_game_its_time(
    days: int, tmp_path: Path, set_clock: Callable[[float], None]
) -> None:
    """The clocks of a game in a room go on by the seconds that have passed."""

    async def play_on() -> None:
        with closing(Services(SavedGames(GameStore(f"sqlite:///{tmp_path / 'games.db'}")))) as services:
            made = await services._begin_room_game("tictactoe 5+3", ("Ann", "Bob"))
            await services.games.play(m.Play(id=made.id, seat=made.seats["x"], ply=1, move="b2"))
            set_clock(days)
            view = await services.games.play(m.Play(id=made.id, seat=made.seats["o"], ply=2, move="a1"))
            assert not view.over and view.clock
            assert view.clock.left["o"] == pytest.approx(303, abs=60) and view.clock.left["x"] <= 300
            set_clock(0)
            view = await services.games.play(m.Play(id=made.id, seat=made.seats["x"], ply=3, move="c1"))
            assert not view.over and view.clock and view.clock.left["x"] == pytest.approx(303, abs=60)

    asyncio.run(play_on())


def test_a_clock_that_is_set_costs_no_player_its_time(set_clock: Callable[[float], None]) -> None:
    """In a match and in an arena."""
    days = 0

    def sets(position: pg.Position) -> int:
        nonlocal days
        days = {0: 1, 1: -1, -1: 0}[days]
        set_clock(days)
        return position.legal_moves[0]

    result = pg.play_match(pg.Position.initial("tictactoe"), (sets, sets), clock=TimeControl(60))
    assert result.fault is None
    set_clock(1)
    arena = pg.arena(["first", "random"], "tictactoe", move_time=60, games=4)
    played = []
    for game in arena:
        set_clock(-1)
        played.append(game.fault)
    assert played == [None] * 4


def test_durations_are_not_measured_by_the_time_of_day() -> None:
    """It is read for dates, and once for the time at which the clocks of games begin."""
    package = Path(pg.__file__).parent
    reads = {
        file.relative_to(package).as_posix()
        for file in package.rglob("*.py")
        if re.search(
            r"\btime\.time\(|from time import (.*, )?time\b|datetime\.(now|utcnow|today)\(", file.read_text("utf-8")
        )
    }
    assert reads == {
        "database/connecting.py",  # dates of games
        "exact/tables/folder.py",  # age of a file
        "web/arenas/saved_arenas.py",  # how long ago an arena was played
        "web/games/game_clock.py",
    }
