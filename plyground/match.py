"""One game: two players, a referee, a clock and a record."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from plyground.blame import game_fault
from plyground.errors import BadInput, GameFault
from plyground.position import Position
from plyground.record import Record


class Player(Protocol):
    """One who plays: a person, a search, a program elsewhere."""

    name: str
    """What the record calls it: its spec."""

    def choose(self, position: Position, seconds: float | None) -> int:
        """A legal move in an unfinished position, within so many seconds (None: no clock).

        Raises:
            Resigned, TakeBack, Quit: instead of a move.
        """
        ...


def prepare(player: Player, position: Position) -> None:
    """Let a player get ready for a game from this position before its clock starts; most need nothing."""
    if isinstance(player, Preparing):
        player.prepare(position)


@runtime_checkable
class Preparing(Protocol):
    """A player that has to compile, load or start something before its first move."""

    def prepare(self, position: Position) -> None:
        """Do it now; again in the same game it does nothing."""
        ...


def close(player: Player) -> None:
    """End what a player holds, such as a program it started; most hold nothing. For whoever made it to call."""
    if isinstance(player, Closable):
        player.close()


@runtime_checkable
class Closable(Protocol):
    """A player that holds something that must be ended."""

    def close(self) -> None:
        """End it; closing again does nothing."""
        ...


class Resigned(Exception):
    """The player gives up."""


class Failed(Exception):
    """The player is late, unreadable or gone. The argument says what it did: `it said nothing for 10 s`."""


class Quit(Exception):
    """The player leaves; the game stays unfinished and can be resumed."""


class TakeBack(Exception):
    """The player wants the last plies back; the argument is how many."""


@dataclass(frozen=True)
class Result:
    """How a game ended."""

    position: Position
    utility: int | None
    """For the first player; None if the game was left unfinished."""
    why: str
    """In words."""
    fault: int | None = None
    """The player whose fault it was, where the game did not end by its rules."""


def play_match(
    position: Position,
    players: tuple[Player, Player],
    *,
    clock: float | None = None,
    record: Record | None = None,
    on_move: Callable[[Position], None] | None = None,
) -> Result:
    """Referee a game to its end.

    Both players get ready first, which no clock counts. Every move is validated and recorded before the other side is
    asked. A move that is illegal, a player that fails, or time that runs out loses the game, and the result says whose
    fault it was.

    Args:
        position: where the game goes on from.
        players: x and o.
        clock: seconds each side has for the whole game; None: all the time in the world.
        record: is written as the game goes.
        on_move: called with the position after each move and each taking back.

    Raises:
        GameFault: a rule of the game fails, which is no player's fault. The record holds the game as it was before.
    """
    for player in players:
        prepare(player, position)
    left = [clock, clock]
    while position.outcome is None:
        seat = position.to_move
        before = time.perf_counter()
        try:
            move = position.legal(players[seat].choose(position, left[seat]))
            seconds = time.perf_counter() - before
            after = position.play(move)
            _ = after.outcome  # asked before the move is kept, so that a rule that fails at it leaves the game as it is
        except Quit:
            return Result(position, None, "left unfinished")
        except TakeBack as plea:
            position = position.undo(plea.args[0])
            if record:
                record.undo(plea.args[0])
            if on_move:
                on_move(position)
            continue
        except Resigned:
            return _lost(position, seat, "resigns", record, fault=None)
        except GameFault:
            raise
        except BadInput as illegal:
            return _lost(position, seat, f"loses by an illegal move: {illegal}", record)
        except Failed as fault:
            return _lost(position, seat, f"loses: {fault}", record)
        except KeyboardInterrupt:
            raise
        except Exception as fault:  # a player of any making; its failure is its own, not the game's
            if own := game_fault(fault):
                raise own from fault
            return _lost(position, seat, f"loses by failing: {type(fault).__name__}: {fault}", record)
        remaining = left[seat]
        if remaining is not None:
            left[seat] = remaining - seconds
            if seconds > remaining:
                return _lost(position, seat, f"loses on time: its {clock:g} s are used up", record)
        if record:
            record.move(position, move, seconds)
        position = after
        if on_move:
            on_move(position)
    result = Result(position, position.outcome, position.result)
    if record:
        record.end(result.utility, result.why, None)
    return result


def _lost(position: Position, seat: int, why: str, record: Record | None, fault: int | None = -1) -> Result:
    utility = -1 if seat == 0 else 1
    result = Result(position, utility, f"{position.game.names[seat]} {why}", seat if fault == -1 else fault)
    if record:
        record.end(utility, result.why, result.fault)
    return result
