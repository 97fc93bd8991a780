"""Saved games in memory: whatever happens at once, what is told in the end is what is stored."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from waiting import LIMIT

from plyground.position import Position
from plyground.web.games.saved_games import NotFound, NotYours, SavedGames, TooLate
from plyground.web.games.store import GameStore, SavedGame
from plyground.web.views import models as m

TIMES = 10
"""How often what is left to the threads is tried."""


@pytest.fixture
def games(tmp_path: Path) -> Iterator[SavedGames]:
    """Saved games in a file, so that it is read while it is written."""
    with closing(SavedGames(GameStore(f"sqlite:///{tmp_path / 'games.db'}"))) as opened:
        yield opened


def happens(what: threading.Event) -> None:
    """Wait for it."""
    assert what.wait(LIMIT)


class Late(GameStore):
    """What it reads is told as late, and a game is deleted as late, as a test wants."""

    def __init__(self, database: str) -> None:
        super().__init__(database)
        self.waits, self.has_read, self.may_write = threading.Event(), threading.Event(), threading.Event()
        self.waits.set()

    def load(self, game: str) -> SavedGame | None:
        kept = super().load(game)
        if not self.waits.is_set():
            self.has_read.set()
            happens(self.waits)
        return kept

    def delete(self, game: str) -> "Future[None]":
        self.beside(lambda: happens(self.may_write))
        return super().delete(game)


def told(story: Coroutine[Any, Any, None]) -> None:
    """Run a story in an event loop."""
    asyncio.run(asyncio.wait_for(story, LIMIT))


async def last(views: AsyncGenerator[m.GameView, None]) -> m.GameView | None:
    """The last of a stream that ends."""
    view = None
    async for each in views:
        view = each
    return view


@pytest.mark.parametrize("forgotten", [0, 1])
def test_a_move_while_the_game_is_read(forgotten: int, games: SavedGames) -> None:
    """After a restart, or once the game was forgotten while the move was stored: whoever asks next sees it."""

    async def story() -> None:
        made = await games.create(m.Create(game="tictactoe"))
        here = m.Open(id=made.id)
        for ply, move in enumerate(("b2", "a1", "c3", "a3", "b1", "b3", "c1", "a2")[:TIMES], start=1):
            games.memory.forget("tictactoe")
            if forgotten:
                await games.open(here)
            playing = asyncio.create_task(
                games.play(m.Play(id=made.id, seat=made.seats["x" if ply % 2 else "o"], ply=ply, move=move))
            )
            if forgotten:
                await asyncio.sleep(0)  # it is being stored
                games.memory.forget("tictactoe")
            views = await asyncio.gather(playing, games.open(here), games.open(here))
            assert views[0].version == ply
            assert (await games.open(here)).version == ply

    told(story())


def test_a_game_is_deleted_while_it_is_read(tmp_path: Path) -> None:
    """It is gone for all who ask later, also when what was read before is late."""

    async def story(games: SavedGames, store: Late) -> None:
        made = await games.create(m.Create(game="tictactoe"))
        here = m.Open(id=made.id)
        await games.open(here)
        deleting = asyncio.create_task(games.delete(m.Delete(id=made.id, seat=made.seats["x"])))
        await asyncio.sleep(0)  # it is about to be deleted
        games.memory.forget("tictactoe")
        store.waits.clear()
        late = asyncio.create_task(games.open(here))
        await asyncio.get_running_loop().run_in_executor(None, happens, store.has_read)
        store.may_write.set()
        await deleting
        store.waits.set()
        for opened in (late, games.open(here)):
            with pytest.raises(NotFound):
                await opened

    store = Late(f"sqlite:///{tmp_path / 'games.db'}")
    with closing(SavedGames(store)) as games:
        told(story(games, store))


def test_a_game_is_deleted_by_one_who_leaves(games: SavedGames) -> None:
    """It is deleted or not, and never half: the stream ends, and what belongs to the game is ended."""

    async def story() -> None:
        ended = asyncio.Queue[str]()

        async def gone(game: str) -> None:
            await asyncio.sleep(0)
            ended.put_nowait(game)

        games.leave = gone
        for turns in range(2, 2 + TIMES):
            made = await games.create(m.Create(game="tictactoe"))
            views = games.stream_game(m.Follow(id=made.id))
            await anext(views)
            deleting = asyncio.create_task(games.delete(m.Delete(id=made.id, seat=made.seats["x"])))
            for _ in range(turns):
                await asyncio.sleep(0)
            deleting.cancel()
            assert await last(views) is None and await ended.get() == made.id
            with pytest.raises(NotFound):
                await games.open(m.Open(id=made.id))

    told(story())


def test_what_may_be_sent_twice(games: SavedGames) -> None:
    """An answer that was lost: giving up and taking back a version's move count once, however often they are sent."""

    async def agree(game: str, position: Position) -> None:
        """Nobody plays elsewhere."""

    async def story() -> None:
        made = await games.create(m.Create(game="tictactoe", moves=["b2", "a1", "c3"]))
        back = m.Undo(id=made.id, seats=list(made.seats.values()), plies=1, version=3)
        views = [await games.undo(back, agree) for _ in range(2)]
        assert [(view.version, view.position.moves) for view in views] == [(4, ["b2", "a1"])] * 2
        with pytest.raises(NotYours):
            await games.undo(back.model_copy(update={"seats": []}), agree)
        assert (await games.undo(back.model_copy(update={"version": 4}), agree)).position.moves == ["b2"]
        views = [await games.resign(m.ResignGame(id=made.id, seat=made.seats["x"])) for _ in range(2)]
        assert [(view.version, view.winner) for view in views] == [(6, "o")] * 2
        with pytest.raises(TooLate, match="over"):
            await games.resign(m.ResignGame(id=made.id, seat=made.seats["o"]))

    told(story())
