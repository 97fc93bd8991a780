"""One game: two players, a referee, a clock and a record."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from plyground.blame import game_fault
from plyground.errors import BadInput, GameFault
from plyground.play.game_file import Record
from plyground.position import Position
from plyground.search.watch import Stopped


class Player(Protocol):
    """One who plays: a person, a search, a program elsewhere."""

    name: str
    """What the record calls it: its spec."""

    def choose(self, position: Position, seconds: float | None) -> int:
        """A legal move in an unfinished position, within so many seconds (None: no clock).

        Raises:
            Resigned, TakeBack, Quit: instead of a move.
            Failed: the player did wrong, which loses the game.
            BadInput: it cannot play, and that is not its doing (`Unable`): nobody is judged by it.
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


class Illegal(Failed):
    """Its move is not legal. The argument says why: `b2 is not a legal move here: a1, c1.`"""


class Unanswered(Failed):
    """It failed before it made its first move since it was started. Whether that is its fault or lies in how it was
    started cannot be told from here, so it alone loses no game."""


class Unable(BadInput):
    """The player cannot play here, and that is not its doing: its program cannot be started, a port is taken, it cannot
    be brought to this position. Never a verdict on it; the sentence says what can be tried."""


class Strayed(Unable):
    """The player did not make a move again that it had made, so its own moves do not lead to the position."""

    def __init__(self, sentence: str, ply: int) -> None:
        super().__init__(sentence)
        self.ply = ply
        """The moves before the one that it did not repeat."""


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

    Both players get ready first, which no clock counts. Every move is validated and recorded before the other side is
    asked. A move that is illegal, a player that fails, or time that runs out loses the game, and the result says whose
    fault it was. What is no player's fault loses no game: it is raised, and the record can be taken up again.

    Args:
        position: where the game goes on from.
        players: x and o.
        clock: seconds each side has for the whole game; None: all the time in the world.
        record: is written as the game goes.
        on_move: called with the position after each move and each taking back.
        on_refused: told why a player cannot take moves back; the game goes on as it stands.

    Raises:
        GameFault: a rule of the game fails, which is no player's fault. The record holds the game as it was before.
        Unable: a player cannot be started, or made no move since it was; nobody has lost.
        BadInput: a player refuses the game, such as one too large for it.
    """
    for player in players:
        prepare(player, position)
    left = [clock, clock]
    late = f"loses on time: its {clock or 0:g} s are used up"
    while position.outcome is None:
        seat = position.to_move
        before = time.perf_counter()
        try:
            choice = players[seat].choose(position, left[seat])
            seconds = time.perf_counter() - before
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
        except Illegal as fault:
            return _lost(position, seat, f"loses by an illegal move: {fault}", record)
        except Failed as fault:
            remaining = left[seat]
            if remaining is not None and time.perf_counter() - before >= remaining:
                return _lost(position, seat, late, record)
            if isinstance(fault, Unanswered):
                raise Unable(f"{players[seat].name} is not in the game: {fault}.") from None
            return _lost(position, seat, f"loses: {fault}", record)
        except (BadInput, Stopped):
            raise
        except Exception as fault:  # a player of any making; its failure is its own, not the game's
            if own := game_fault(fault):
                raise own from fault
            return _lost(position, seat, f"loses by failing: {type(fault).__name__}: {fault}", record)
        try:
            move = position.legal(choice)
            after = position.play(move)
            _ = after.outcome  # asked before the move is kept, so that a rule that fails at it leaves the game as it is
        except GameFault:
            raise
        except BadInput as illegal:
            return _lost(position, seat, f"loses by an illegal move: {illegal}", record)
        except Exception as fault:
            if own := game_fault(fault):
                raise own from fault
            raise
        remaining = left[seat]
        if remaining is not None:
            left[seat] = remaining - seconds
            if seconds > remaining:
                return _lost(position, seat, late, record)
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
