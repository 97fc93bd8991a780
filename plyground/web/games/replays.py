"""Moves played for questions and saved games: a few in the event loop, more in a worker.

A worker sends a position back with all its states, which takes a hundredth of the time in which its moves are played.
"""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from plyground.position import Position
from plyground.web.games.game_state import GameState
from plyground.web.games.store import SavedGame
from plyground.web.views import models as m
from plyground.web.views import positions

Args = TypeVar("Args", bound=m.Model)
Answer = TypeVar("Answer", bound=m.Model)
Work = Callable[[Callable[[Any], Any], Any], Awaitable[Any]]
"""Runs a function, which a worker finds by its name, with its one argument, and returns its answer."""


class Stored(m.Model):
    """A saved game as a worker is sent it."""

    saved: SavedGame


class Restored(m.Model):
    """The state of a saved game as a worker sends it: all but its game, which another process makes by its name."""

    parts: dict[str, Any]
    position: dict[str, Any]


def restore(stored: Stored) -> Restored:
    """The state of a saved game after its events."""
    state = GameState.of(stored.saved)
    parts = {name: getattr(state, name) for name in ("saved", "offer", "next", "clock", "help")}
    return Restored(parts=parts, position=positions.parts_of(state.position))


async def _run_here(run: Callable[[Any], Any], args: Any) -> Any:
    return run(args)


class Replays:
    """Positions of questions and states of saved games. Used from the server's event loop."""

    def __init__(self) -> None:
        self.work: Work = _run_here
        """Runs what takes long; in a worker, where a server has some."""

    async def position(self, at: m.At) -> Position:
        """The position that arguments mean; `positions.position_at` has it at hand from then on.

        Raises:
            BadInput: no such game, state or move.
        """
        # The question without its other arguments: a worker remembers positions by game, start and
        # moves.
        if not positions.is_cheap_to_replay(at):
            plain = m.At(game=at.game, start=at.start, moves=at.moves)
            told = await self.work(positions.replay, plain)
            positions.hold_position(plain, positions.position_of_parts(at.game, told.parts))
        return positions.position_at(at)

    async def state(self, saved: SavedGame) -> GameState:
        """The state of a saved game after its events."""
        # A game without moves needs no replay: a new one is there at once, without a worker.
        if not any(each.kind == "move" for each in saved.events):
            return GameState.of(saved)
        told = await self.work(restore, Stored(saved=saved))
        return GameState(position=positions.position_of_parts(saved.spec, told.position), **told.parts)
