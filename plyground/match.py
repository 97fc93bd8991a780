"""One game: two players, a referee, a clock and a record."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from plyground.errors import BadInput
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


def take_back(player: Player, position: Position, seat: int) -> None:
    """Bring a player that remembers its game to an earlier position of it; most remember nothing.

    Raises:
        BadInput: it cannot; its game stands as it was.
    """
    if isinstance(player, Remembering):
        player.take_back(position, seat)


@runtime_checkable
class Remembering(Protocol):
    """A player that remembers the game it was told, so that it is asked before moves are taken back."""

    def take_back(self, position: Position, seat: int) -> None:
        """Come to an earlier position of the game.

        Args:
            position: the earlier position.
            seat: the side that the player plays, 0 or 1.

        Raises:
            BadInput: it cannot; the sentence says why, and the game stands as it was.
        """
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
    on_refused: Callable[[str], None] | None = None,
) -> Result:
    """Referee a game to its end.

    Every move is validated and recorded before the other side is asked. A move that is illegal, a player that fails,
    or time that runs out loses the game, and the result says whose fault it was.

    Args:
        position: where the game goes on from.
        players: x and o.
        clock: seconds each side has for the whole game; None: all the time in the world.
        record: is written as the game goes.
        on_move: called with the position after each move and each taking back.
        on_refused: told why a player cannot take moves back; the game goes on as it stands.
    """
    left = [clock, clock]
    while position.outcome is None:
        seat = position.to_move
        before = time.perf_counter()
        try:
            move = position.legal(players[seat].choose(position, left[seat]))
        except Quit:
            return Result(position, None, "left unfinished")
        except TakeBack as plea:
            earlier = position.undo(plea.args[0])
            try:
                for seat, player in enumerate(players):
                    take_back(player, earlier, seat)
            except BadInput as refusal:
                if on_refused:
                    on_refused(str(refusal))
                continue
            position = earlier
            if record:
                record.undo(plea.args[0])
            if on_move:
                on_move(position)
            continue
        except Resigned:
            return _lost(position, seat, "resigns", record, fault=None)
        except BadInput as illegal:
            return _lost(position, seat, f"loses by an illegal move: {illegal}", record)
        except Failed as fault:
            return _lost(position, seat, f"loses: {fault}", record)
        except KeyboardInterrupt:
            raise
        except Exception as fault:  # a player of any making; its failure is its own, not the game's
            return _lost(position, seat, f"loses by failing: {type(fault).__name__}: {fault}", record)
        seconds = time.perf_counter() - before
        remaining = left[seat]
        if remaining is not None:
            left[seat] = remaining - seconds
            if seconds > remaining:
                return _lost(position, seat, f"loses on time: its {clock:g} s are used up", record)
        if record:
            record.move(position, move, seconds)
        position = position.play(move)
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
