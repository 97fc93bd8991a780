"""Programs that play saved games: their places, and when they end."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import psutil
import pytest
from waiting import LIMIT

import plyground as pg
from plyground.web.games import external_players
from plyground.web.games.external_players import ExternalPlayers
from plyground.wire import peer
from plyground.workers.shares import TooMany, Visitor

HERE = pg.Position.initial(pg.MNK()).play("b2")
ANN, BOB = Visitor("192.0.2.1"), Visitor("192.0.2.2")

# It writes down its process and answers one move. When its input ends it waits until that of as many programs as it was
# told has ended, and says so before it ends.
MEETS = """
import os, pathlib, sys, time
folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
(folder / f"{os.getpid()}.began").touch()
sys.stdin.readline()
print("1,3", flush=True)
sys.stdin.read()
(folder / f"{os.getpid()}.asked").touch()
while len([*folder.glob("*.asked")]) < count:
    time.sleep(0.01)
(folder / f"{os.getpid()}.met").touch()
"""


def done(story: Callable[[], Awaitable[None]]) -> None:
    """Run a story."""

    async def run() -> None:
        await asyncio.wait_for(story(), LIMIT)

    asyncio.run(run())


@pytest.fixture
def one_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two places one address may have one."""
    monkeypatch.setattr(external_players, "MOST_SEATED_PROGRAMS", 2)


@pytest.mark.usefixtures("one_each")
def test_whoever_leaves_while_a_game_makes_room_has_no_place() -> None:
    """The next one who asks there takes one, or is refused in a sentence that says what one may have."""
    watched = {"other", "new"}

    async def story() -> None:
        seats = ExternalPlayers(watched.__contains__)
        await seats.reply("First", "first", HERE, ("old", 1), ANN)
        asked = asyncio.ensure_future(seats.reply("First", "first", HERE, ("new", 1), ANN))
        await asyncio.sleep(0)  # now it waits for the end of the old one
        asked.cancel()
        await asyncio.wait([asked])
        await seats.reply("First", "first", HERE, ("other", 1), ANN)
        with pytest.raises(TooMany, match="half of what is free, one page a quarter"):
            await seats.reply("First", "first", HERE, ("new", 1), ANN)
        watched.remove("other")
        assert await seats.reply("First", "first", HERE, ("new", 1), ANN) == 0

    done(story)


@pytest.mark.usefixtures("one_each")
def test_two_tabs_sit_down_one_after_the_other() -> None:
    """Both are refused, or both are answered by the same one."""

    async def story() -> None:
        seats = ExternalPlayers({"followed"}.__contains__)
        await seats.reply("First", "first", HERE, ("followed", 1), ANN)
        await seats.reply("First", "first", HERE, ("idle", 1), BOB)
        tabs = [seats.reply("First", "first", HERE, ("new", 1), ANN) for _ in range(2)]
        refused = await asyncio.gather(*tabs, return_exceptions=True)
        assert [type(each) for each in refused] == [TooMany, TooMany]
        tabs = [seats.reply("First", "first", HERE, ("new", 1), BOB) for _ in range(2)]
        assert await asyncio.gather(*tabs) == [0, 0]

    done(story)


class Programs:
    """Programs that meet at their end, as so many as are told."""

    def __init__(self, folder: Path, count: int) -> None:
        self.folder = folder
        script = folder / "meets.py"
        script.write_text(MEETS, encoding="utf-8")
        self.spec = f"program[timeout={LIMIT:g},start={LIMIT:g}]:{sys.executable} {script} {folder} {count}"

    def those(self, have: str) -> set[int]:
        """The processes of those that `began`, were `asked` to end, or have `met`."""
        return {int(file.stem) for file in self.folder.glob(f"*.{have}")}

    def alive(self) -> set[int]:
        """The processes that run."""
        return {number for number in self.those("began") if psutil.pid_exists(number)}


@pytest.mark.process
def test_all_end_at_the_same_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Six programs that end only when all have been asked to do so by themselves, none is killed before."""
    monkeypatch.setattr(peer, "PROGRAM_END_GRACE", 10.0)
    programs = Programs(tmp_path, 6)

    async def story() -> None:
        with closing(ExternalPlayers(lambda game: True)) as seats:
            games = [seats.reply("It", programs.spec, HERE, (str(game), 1), ANN) for game in range(6)]
            await asyncio.gather(*games)

    done(story)
    assert len(programs.those("began")) == 6 and programs.those("met") == programs.those("began")


@pytest.mark.process
def test_a_program_stays_as_long_as_somebody_follows_its_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else it ends after a while, and its place is free."""
    monkeypatch.setattr(external_players, "IDLE_AFTER", 0.0)
    monkeypatch.setattr(external_players, "IDLE_CHECK", 0.01)
    programs, watched = Programs(tmp_path, 1), {"a"}

    async def ended(count: int) -> None:
        while len(programs.those("met")) < count or len(programs.alive()) > 2 - count:
            await asyncio.sleep(0.01)

    async def story() -> None:
        with closing(ExternalPlayers(watched.__contains__)) as seats:
            await seats.reply("It", programs.spec, HERE, ("a", 1), ANN)
            (first,) = programs.alive()
            await seats.reply("It", programs.spec, HERE, ("b", 1), ANN)
            watching = asyncio.ensure_future(seats.watch())
            await ended(1)
            assert programs.alive() == {first}
            watched.clear()
            await ended(2)
            watching.cancel()
            await asyncio.wait([watching])

    done(story)
