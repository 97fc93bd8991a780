"""One game: two players, a referee, a clock, and the file that the game is kept in."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from plyground.blame import game_fault
from plyground.errors import BadInput, GameFault
from plyground.play.game_file import GameFile
from plyground.play.time_control import TimeControl
from plyground.position import Position
from plyground.search.watch import Stopped


class Player(Protocol):
    """One who plays: a person, a search, a program elsewhere."""

    name: str
    """What a kept game calls it: its spec."""

    def choose(self, position: Position, seconds: float | None) -> int:
        """A legal move in an unfinished position, within `seconds` (None: no clock).

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


def tell_time(player: Player, control: TimeControl) -> None:
    """Tell a player the time control before the game; most need not know it, for each move tells what is left."""
    if isinstance(player, Timed):
        player.timed(control)


@runtime_checkable
class Timed(Protocol):
    """A player that shares out its time by what a whole game has."""

    def timed(self, control: TimeControl) -> None:
        """Know it for the next game."""
        ...


@runtime_checkable
class Elsewhere(Protocol):
    """A player of another process, started or reached for the game, which takes a while at its first move."""

    is_elsewhere: bool
    """That it is."""


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


class Mute(Unable):
    """It failed before its first move, so that nobody can tell whose fault it is."""

    def __init__(self, sentence: str, seat: int) -> None:
        super().__init__(sentence)
        self.seat = seat
        """The side that it was to play."""


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
    seconds: tuple[float, float] = (0.0, 0.0)
    """What x and o took for their moves in all."""


def play_match(
    position: Position,
    players: tuple[Player, Player],
    *,
    clock: float | TimeControl | None = None,
    file: GameFile | None = None,
    on_move: Callable[[Position], None] | None = None,
    on_refused: Callable[[str], None] | None = None,
) -> Result:
    """Referee a game to its end.

    Both players get ready first, which no clock counts. Every move is validated and kept before the other side is
    asked. A move that is illegal, a player that fails, or time that runs out loses the game, and the result says whose
    fault it was. What is no player's fault loses no game: it is raised, and the game can be taken up again.

    Args:
        position: where the game goes on from.
        players: x and o.
        clock: seconds each side has for the whole game, or a finer time control; None: all the time in the world.
        file: keeps the game, as it goes.
        on_move: called with the position after each move and each taking back.
        on_refused: told why a player cannot take moves back; the game goes on as it stands.

    Raises:
        GameFault: a rule of the game fails, which is no player's fault. The game is kept as it was before.
        Unable: a player cannot be started, or (`Mute`) made no move since it was; nobody has lost.
        BadInput: a player refuses the game, such as one too large for it.
    """
    control = clock if isinstance(clock, TimeControl) else TimeControl(clock)
    return _Match(position, players, control, file, on_move or _nothing, on_refused or _nothing).played()


def _nothing(told: object) -> None:
    """Tell nobody."""


class _Match:
    """A game under way."""

    def __init__(
        self,
        position: Position,
        players: tuple[Player, Player],
        control: TimeControl,
        file: GameFile | None,
        on_move: Callable[[Position], None],
        on_refused: Callable[[str], None],
    ) -> None:
        self._position, self._players, self._file = position, players, file
        self._control, self._left, self._left_of_cpu = control, [control.game] * 2, [control.cpu] * 2
        self._is_elsewhere = [isinstance(player, Elsewhere) for player in players]
        self._spent = [0.0, 0.0]
        self._grace = [control.grace if elsewhere else 0.0 for elsewhere in self._is_elsewhere]
        """Seconds of the next move that nothing counts."""
        self._on_move, self._on_refused = on_move, on_refused

    def played(self) -> Result:
        """Play to the end."""
        for player in self._players:
            tell_time(player, self._control)
            prepare(player, self._position)
        while self._position.outcome is None:
            if result := self._turn():
                return result
        return self._ended(Result(self._position, self._position.outcome, self._position.result))

    def _turn(self) -> Result | None:
        """Ask whose turn it is; the result, if the game ends otherwise than by its rules."""
        seat = self._position.to_move
        before, before_of_cpu = time.perf_counter(), time.process_time()
        try:
            choice = self._players[seat].choose(self._position, self._allowed(seat))
        except Quit:
            return Result(self._position, None, "left unfinished")
        except TakeBack as plea:
            self._take_back(plea.args[0])
            return None
        except (BadInput, Stopped):
            raise
        except Exception as fault:
            late = self._charged(seat, time.perf_counter() - before, time.process_time() - before_of_cpu)
            return self._judged(seat, fault, late)
        seconds = time.perf_counter() - before
        late = self._charged(seat, seconds, time.process_time() - before_of_cpu)
        try:
            move, after = self._moved(choice)
        except GameFault:
            raise
        except BadInput as illegal:
            return self._judged(seat, Illegal(str(illegal)), late)
        if late:
            return self._lost(seat, late)
        self._kept(move, after, seconds)
        return None

    def _allowed(self, seat: int) -> float | None:
        """Seconds that a player may take for its move; None for all in the world."""
        cpu = None if self._is_elsewhere[seat] else self._left_of_cpu[seat]
        limits = [limit for limit in (self._left[seat], self._control.move, cpu) if limit is not None]
        return min(limits) + self._grace[seat] if limits else None

    def _charged(self, seat: int, seconds: float, cpu: float) -> str:
        """Count what a move took; the sentence of one that took too long, else nothing."""
        control, left, left_of_cpu = self._control, self._left[seat], self._left_of_cpu[seat]
        seconds, self._grace[seat] = max(seconds - self._grace[seat], 0.0), 0.0
        self._spent[seat] += seconds
        if control.move is not None and seconds >= control.move:
            return f"loses on time: its {control.move:g} s for a move are used up"
        if left is not None:
            if seconds >= left:
                return f"loses on time: its {control.game:g} s are used up"
            self._left[seat] = left - seconds + control.increment
        if left_of_cpu is not None and not self._is_elsewhere[seat]:
            if cpu >= left_of_cpu:
                return f"loses on time: its {control.cpu:g} s of the processor are used up"
            self._left_of_cpu[seat] = left_of_cpu - cpu
        return ""

    def _judged(self, seat: int, fault: Exception, late: str) -> Result:
        """The result of a game whose player made no legal move.

        Raises:
            GameFault, Unable: it was not the player's fault, as far as can be told.
        """
        match fault:
            case Resigned():
                return self._lost(seat, "resigns", is_fault=False)
            case Illegal():
                return self._lost(seat, f"loses by an illegal move: {fault}")
            case Failed() if late:
                return self._lost(seat, late)
            case Unanswered():
                raise Mute(f"{self._players[seat].name} is not in the game: {fault}.", seat) from None
            case Failed():
                return self._lost(seat, f"loses: {fault}")
        if own := game_fault(fault):
            raise own from fault
        # a player of any making; its failure is its own, not the game's
        return self._lost(seat, f"loses by failing: {type(fault).__name__}: {fault}")

    def _moved(self, choice: int) -> tuple[int, Position]:
        """The move, and the position after it. How that stands is asked here, before the move is kept, so that a rule
        that fails at it leaves the game as it is.
        """
        try:
            move = self._position.legal(choice)
            after = self._position.play(move)
            _ = after.outcome
        except BadInput:
            raise
        except Exception as fault:
            if own := game_fault(fault):
                raise own from fault
            raise
        return move, after

    def _kept(self, move: int, after: Position, seconds: float) -> None:
        """Keep a move, and go on after it."""
        if self._file:
            self._file.move(self._position, move, seconds)
        self._position = after
        self._on_move(after)

    def _take_back(self, plies: int) -> None:
        """Go back, if all who remember the game can."""
        earlier = self._position.undo(plies)
        try:
            for seat, player in enumerate(self._players):
                take_back(player, earlier, seat)
        except BadInput as refusal:
            self._on_refused(str(refusal))
            return
        self._position = earlier
        if self._file:
            self._file.undo(plies)
        self._on_move(earlier)

    def _lost(self, seat: int, why: str, *, is_fault: bool = True) -> Result:
        """What a player has lost otherwise than by the game's rules."""
        why = f"{self._position.game.names[seat]} {why.removesuffix('.')}"  # who shows it ends the sentence
        return self._ended(Result(self._position, -1 if seat == 0 else 1, why, seat if is_fault else None))

    def _ended(self, result: Result) -> Result:
        result = replace(result, seconds=(self._spent[0], self._spent[1]))
        if self._file:
            self._file.end(result.utility, result.why, result.fault)
        return result
