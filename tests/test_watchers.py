"""Watchers of a saved game: each is sent what is newest, made once for all, however many they are."""

import asyncio
from collections.abc import AsyncGenerator, Coroutine, Iterator
from contextlib import aclosing
from typing import Any

import pytest
from waiting import LIMIT

from plyground.web.games.audience import AT_A_TIME
from plyground.web.games.saved_games import NotFound, SavedGames
from plyground.web.games.store import GameStore
from plyground.web.views import models as m

MANY = 300
Stream = AsyncGenerator[m.GameView, None]


@pytest.fixture
def games() -> Iterator[SavedGames]:
    """Saved games in memory."""
    opened = SavedGames(GameStore("sqlite://"))
    yield opened
    opened.close()


def told(story: Coroutine[Any, Any, None]) -> None:
    """Run a story in an event loop."""
    asyncio.run(asyncio.wait_for(story, LIMIT))


async def is_silent(stream: Stream) -> bool:
    """Whether a stream has nothing to send, once all that was begun has had its turns."""
    waiting = asyncio.ensure_future(anext(stream))
    for _ in range(MANY):
        await asyncio.sleep(0)
    done = waiting.done()
    waiting.cancel()
    await asyncio.wait([waiting])
    return not done


def test_views_are_made_once_for_all(games: SavedGames) -> None:
    """Arrivals tell nobody else; a move reaches all as one object, whose JSON is written once."""

    async def story() -> None:
        made = await games.create(m.Create(game="tictactoe"))
        streams = [games.stream_game(m.Follow(id=made.id)) for _ in range(MANY)]
        first = [await anext(stream) for stream in streams]
        assert len({id(view) for view in first}) == 1
        answer = await games.play(m.Play(id=made.id, seat=made.seats["x"], ply=1, move="b2"))
        views = [await anext(stream) for stream in streams]
        assert {id(view) for view in views} == {id(answer)} and views[0].position.moves == ["b2"]
        assert views[0].json_text is views[-1].json_text == answer.model_dump_json()
        late = games.stream_game(m.Follow(id=made.id))
        assert await anext(late) is answer and await is_silent(streams[0])
        for stream in [*streams[1:], late]:
            await stream.aclose()

    told(story())


def test_who_is_here(games: SavedGames) -> None:
    """Who holds a seat is seen to come and to go, once; each sees the seats of its own secrets."""

    async def story() -> None:
        made = await games.create(m.Create(game="tictactoe"))
        async with aclosing(games.stream_game(m.Follow(id=made.id))) as stranger:
            assert (await anext(stranger)).yours == []
            first = games.stream_game(m.Follow(id=made.id, seats=[made.seats["o"]]))
            assert (await anext(first)).yours == ["o"]
            assert (await anext(stranger)).people["o"].here
            second = games.stream_game(m.Follow(id=made.id, seats=[made.seats["o"]]))  # another tab
            assert (await anext(second)).yours == ["o"]
            await first.aclose()
            sat = m.Sit(id=made.id, seat=made.seats["x"], secret="a" * 32, name="Ann")
            await games.sit(sat)
            seen = await anext(stranger)
            assert seen.people["o"].here and seen.people["x"].name == "Ann" and seen.yours == []
            assert (await anext(second)).yours == ["o"]
            await games.sit(m.Sit(id=made.id, seat=made.seats["o"], secret="b" * 32, name="Bob"))
            seen = await anext(second)
            assert seen.yours == [] and not seen.people["o"].here
            await second.aclose()

    told(story())


def test_a_slow_reader_is_sent_the_newest(games: SavedGames) -> None:
    """What happened while it read is one view; the end of a deleted game ends it."""

    async def story() -> None:
        made = await games.create(m.Create(game="tictactoe"))
        stream = games.stream_game(m.Follow(id=made.id))
        assert (await anext(stream)).version == 0
        for ply, move in enumerate(["b2", "a1", "c3"], start=1):
            await games.play(m.Play(id=made.id, seat=made.seats["xo"[1 - ply % 2]], ply=ply, move=move))  # type: ignore[index]
        assert (await anext(stream)).version == 3
        await games.delete(m.Delete(id=made.id, seat=made.seats["x"]))
        assert [view async for view in stream] == []
        with pytest.raises(NotFound):
            await games.open(m.Open(id=made.id))

    told(story())


def test_others_are_answered_while_many_are_told(games: SavedGames) -> None:
    """Watchers are woken a few at a time: a game beside them is opened before the last has heard."""

    async def story() -> None:
        made, other = [await games.create(m.Create(game="tictactoe")) for _ in range(2)]
        await games.open(m.Open(id=other.id))
        heard = 0

        async def follow() -> None:
            nonlocal heard
            async for view in games.stream_game(m.Follow(id=made.id)):
                heard += view.version

        tasks = [asyncio.create_task(follow()) for _ in range(MANY)]
        while not games.memory.is_watched(made.id):
            await asyncio.sleep(0)
        await games.play(m.Play(id=made.id, seat=made.seats["x"], ply=1, move="b2"))
        await games.open(m.Open(id=other.id))
        assert heard < MANY
        begun, others = heard, 0
        while heard < MANY:  # each slice of views leaves the event loop to others for many turns
            await asyncio.sleep(0)
            others += 1
        assert others > 10 * (MANY - begun) / AT_A_TIME
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)

    told(story())


def test_a_move_is_stored_whoever_has_gone(games: SavedGames) -> None:
    """A page that is closed while its move is stored: the move counts, and those who watch see it."""

    async def story() -> None:
        made = await games.create(m.Create(game="tictactoe"))
        async with aclosing(games.stream_game(m.Follow(id=made.id))) as stream:
            await anext(stream)
            playing = asyncio.ensure_future(games.play(m.Play(id=made.id, seat=made.seats["x"], ply=1, move="b2")))
            await asyncio.sleep(0)
            playing.cancel()
            assert (await anext(stream)).position.moves == ["b2"]

    told(story())
