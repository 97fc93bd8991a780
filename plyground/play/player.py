"""Base class of players, a wrapper that forwards to one, and the exceptions of players.

A player raises an exception instead of making a move. `ask` asks for a move and checks it.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from plyground.engine.report import Report
from plyground.engine.review import compares_moves
from plyground.errors import BadInput, GameFault
from plyground.exact.solution import PositionResult
from plyground.faults import error_words, game_fault, is_shipped
from plyground.play.ending import Ending
from plyground.play.move_note import MoveEvaluation
from plyground.play.time_control import TimeControl
from plyground.position import Position
from plyground.search.observer import Stopped


class Player:
    """A person, a search or an external program that plays. A subclass needs a `name` and `choose`, nothing else.

    >>> from plyground.players import play_match
    >>> from plyground.position import Position
    >>> class First(Player):
    ...     name = "first-come"
    ...
    ...     def choose(self, position, seconds):
    ...         return position.legal_moves[0]
    >>> result = play_match(Position.initial("tictactoe"), (First(), First()))
    >>> result.why, len(result.position.moves)
    ('x wins', 7)
    """

    name: str
    """The player's spec, as a saved game has it."""
    is_external: bool = False
    """Whether the player is a program or a peer: it starts at its first move, and uses no CPU time of this process."""
    searches: bool = False
    """Whether the player looks for good moves with a search of plyground."""
    move_time: float | None = None
    """Seconds that the player takes for a move at most; None: not known beforehand."""
    picks_evaluation: bool = False
    """Whether the player searches by the weights that are shipped for a game, where there are some, and not by the
    evaluation of the rules it is given."""
    answers_cold: bool = False
    """Whether the player answers soon although nothing is compiled, so that `prepare` may be left out."""
    _move_evaluation: MoveEvaluation | None = None

    @property
    def is_user_code(self) -> bool:
        """Whether the player's code is not part of plyground: a call of it may never return."""
        return not type(self).__module__.startswith("plyground.")

    @property
    def resources(self) -> Mapping[str, int]:
        """The options that cost memory or processors: `threads`, and mebibytes as `table` or `tree`."""
        return {}

    @property
    def waits_at(self) -> str:
        """Sentence with the address at which the player's program has to connect; empty if it need not."""
        return ""

    @property
    def last_words(self) -> str:
        """The first and the last lines that an external player wrote to standard error; also once it has ended."""
        return ""

    @property
    def tells_cpu(self) -> bool:
        """Whether an external player's CPU time is known, so that a limit on it can be kept."""
        return False

    @property
    def own_seconds(self) -> float | None:
        """CPU seconds that the last move of an external player took; None where they were not counted."""
        return None

    @property
    def move_evaluation(self) -> MoveEvaluation | None:
        """Score and depth that the player gave for its last move; None where it gave none."""
        return self._move_evaluation

    @property
    def is_reused(self) -> bool:
        """Whether the player was brought from one game into another without a restart, which may have changed it."""
        return False

    def choose(self, position: Position, seconds: float | None) -> int:
        """A legal move in an unfinished position, within `seconds` (None: no clock).

        Raises:
            Resigned, TakeBack, Quit: instead of a move.
            Failed: the player fails, which loses the game.
            BadInput: the player cannot play, which is not its fault (`Unable`): the game is not judged.
        """
        raise NotImplementedError

    def retry(self, refusal: BadInput) -> bool:
        """Whether to ask the player for another move, because the one it chose cannot be made. By default False.

        Args:
            refusal: why not: the move is illegal, or a rule of the game fails at it (`GameFault`).
        """
        return False

    def _pick_move(self, report: PositionResult) -> int:
        """The move of a report; `move_evaluation` is the score of this report from now on."""
        self._move_evaluation = MoveEvaluation(report.score, getattr(report, "depth", None) or None)
        return report.move

    def _pick_last(self, reports: Iterable[Report]) -> int:
        """The move of the last report of `think`, as `_pick_move`; no evaluation where none was looked at."""
        *_, report = reports
        move = self._pick_move(report)
        # No search looked at this move, and a score of 0 would read as a draw.
        if not compares_moves(report):
            self._move_evaluation = None
        return move

    def think(self, position: Position, seconds: float | None) -> Iterator[Report]:
        """Better and better reports; the last one's move is the player's choice. No reports: `choose` alone decides."""
        return iter(())

    def prepare(self, position: Position) -> None:
        """Compile, load and start everything for the first move, before any clock runs; a second call does nothing."""

    def set_time_control(self, control: TimeControl) -> None:
        """Note the time control of the next game."""

    def take_back(self, position: Position, seat: int) -> None:
        """Return to an earlier position of the game.

        Args:
            position: the earlier position.
            seat: the player's side, 0 or 1.

        Raises:
            BadInput: the player cannot, and the sentence says why; its game stays as it was.
        """

    def reseed(self, seed: str) -> None:
        """Start the player's random numbers anew from this seed, and from its own seed where it has one."""

    def restart_each_game(self) -> None:
        """From now on, restart the player for each game instead of setting it to another position."""

    def file_hashes(self) -> dict[str, str] | None:
        """A hash of each file that a program consists of, as far as its command names them; None: it is no program."""
        return None

    def close(self) -> None:
        """End processes and files of the player; a second call does nothing."""


class Wrapper(Player):
    """A player that forwards everything to another one; a subclass overrides the methods that it changes."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.name: str = player.name
        self.is_external: bool = player.is_external
        self.searches: bool = player.searches
        self.move_time: float | None = player.move_time
        self.answers_cold: bool = player.answers_cold

    @property
    def picks_evaluation(self) -> bool:
        return self.player.picks_evaluation

    @picks_evaluation.setter
    def picks_evaluation(self, picks: bool) -> None:
        self.player.picks_evaluation = picks

    @property
    def is_user_code(self) -> bool:
        return self.player.is_user_code

    @property
    def resources(self) -> Mapping[str, int]:
        return self.player.resources

    @property
    def waits_at(self) -> str:
        return self.player.waits_at

    @property
    def last_words(self) -> str:
        return self.player.last_words

    @property
    def tells_cpu(self) -> bool:
        return self.player.tells_cpu

    @property
    def own_seconds(self) -> float | None:
        return self.player.own_seconds

    @property
    def move_evaluation(self) -> MoveEvaluation | None:
        return self.player.move_evaluation

    @property
    def is_reused(self) -> bool:
        return self.player.is_reused

    def choose(self, position: Position, seconds: float | None) -> int:
        return self.player.choose(position, seconds)

    def retry(self, refusal: BadInput) -> bool:
        return self.player.retry(refusal)

    def think(self, position: Position, seconds: float | None) -> Iterator[Report]:
        return self.player.think(position, seconds)

    def prepare(self, position: Position) -> None:
        self.player.prepare(position)

    def set_time_control(self, control: TimeControl) -> None:
        self.player.set_time_control(control)

    def take_back(self, position: Position, seat: int) -> None:
        self.player.take_back(position, seat)

    def reseed(self, seed: str) -> None:
        self.player.reseed(seed)

    def restart_each_game(self) -> None:
        self.player.restart_each_game()

    def file_hashes(self) -> dict[str, str] | None:
        return self.player.file_hashes()

    def close(self) -> None:
        self.player.close()


@dataclass(frozen=True)
class CheckedMove:
    """A move that a player has chosen, checked."""

    after: Position
    """The position after the move."""
    seconds: float
    """Wall-clock seconds that the player took, without the check."""
    cpu: float
    """CPU seconds in that time: of this process, or of an external player where they were counted."""


def no_cpu_clock() -> float:
    """CPU clock of a game without a limit of CPU time: it costs nothing, where the system's costs a microsecond."""
    return 0.0


def ask(
    player: Player, position: Position, seconds: float | None, cpu_clock: Callable[[], float] = time.process_time
) -> CheckedMove:
    """Ask a player for its move and check it: the move must be legal, and the rules must not fail at it.

    A player with `retry` is asked again, with the seconds that are left.

    Args:
        player: who is to move.
        position: where.
        seconds: wall-clock seconds for the move; None without a limit.
        cpu_clock: CPU seconds of this process, or `no_cpu_clock`.

    Raises:
        Illegal: the move is not legal.
        GameFault: a rule of the game fails at the move.
        CheckFailed: the check itself fails, which is an error in plyground.
        Exception: what the player raises instead of a move.
    """
    before, before_of_cpu = time.perf_counter(), cpu_clock()
    left = seconds
    while True:
        choice = player.choose(position, left)
        # Before the check: the rules' time is no player's.
        took, cpu = time.perf_counter() - before, cpu_clock() - before_of_cpu
        try:
            own = player.own_seconds
            return CheckedMove(_check_move(position, choice), took, cpu if own is None else own)
        except BadInput as refusal:
            if player.retry(refusal):
                pass
            elif isinstance(refusal, GameFault):
                raise
            else:
                raise Illegal(str(refusal)) from None
        # A retry costs the player's own time: one that goes on choosing illegal moves loses on time.
        left = None if seconds is None else max(seconds - (time.perf_counter() - before), 0.0)


def _check_move(position: Position, choice: int) -> Position:
    """The position after a move. Its outcome is computed as well, so that a rule fails before the move is made.

    Raises:
        BadInput: the move is not legal.
        GameFault: a rule of the game fails.
        CheckFailed: anything else fails.
    """
    try:
        after = position.play(choice)
        # Rules of users may fail here and not in `play`: better at this move than in the midst of the next one.
        _ = after.outcome
    except BadInput:
        raise
    except Exception as error:
        if fault := game_fault(error):
            raise fault from error
        raise CheckFailed(f"the move {choice} cannot be checked") from error
    return after


# -- instead of a move -------------------------------------------------------------------------------------------------


class Resigned(Exception):
    """The player gives up."""


class Failed(Exception):
    """The player is silent, unreadable or gone. The argument is a clause: `it said nothing for 10 s`."""

    def __init__(self, sentence: str = "", ending: Ending = Ending.CRASHED) -> None:
        super().__init__(sentence)
        self.ending = ending
        """The kind of the failure."""


class Illegal(Failed):
    """Its move is not legal. The argument says why: `b2 is not a legal move here: a1, c1.`"""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, Ending.ILLEGAL)


class CheckFailed(Exception):
    """A move could not be checked because of an error in plyground, which is the cause."""


class Unanswered(Failed):
    """The player failed before its first move since it was started. Its start may be at fault instead, so this alone
    loses no game."""


class Unable(BadInput):
    """The player cannot play here, which is not its fault: its program cannot be started, a port is taken, it cannot be
    brought to this position. It is never a verdict on the player; the sentence says what to try."""


class NotStarted(Unable):
    """The player's program cannot be started, or it makes no connection, or does not greet."""


class Mute(Unable):
    """The player failed before its first move: its program or its command is at fault, and which is unknown."""

    def __init__(self, sentence: str, seat: int, ending: Ending = Ending.UNKNOWN) -> None:
        super().__init__(sentence)
        self.seat = seat
        """The side that it was to play."""
        self.ending = ending
        """The kind of the failure."""


class Strayed(Unable):
    """The player did not repeat a move that it had made, so its own moves do not lead to the position."""

    def __init__(self, sentence: str, ply: int) -> None:
        super().__init__(sentence)
        self.ply = ply
        """The moves before the one that it did not repeat."""


class Quit(Exception):
    """The player leaves; the game stays unfinished and can be resumed."""


class TakeBack(Exception):
    """The player takes moves back; the argument is the number of plies."""


def as_failure(player: Player, position: Position, error: Exception | SystemExit) -> Failed:
    """Turn an error that a player raised instead of a move into its failure.

    A user's code fails by every error of its own, also by one of plyground's classes (it may have asked for a move that
    is not legal), and by an exit. An error within a rule is the player's where the rules are shipped: it called them
    with what is no state, or without an end.

    Raises:
        Exception: the error as it is, which is no failure of the player: it cannot play here, or a rule fails.
    """
    if isinstance(error, Failed):
        return error
    # An own BadInput of a shipped player is a wrong setting, and `Stopped` a limit of ours: both are no one's forfeit.
    if isinstance(error, Unable | CheckFailed) or (isinstance(error, BadInput | Stopped) and not player.is_user_code):
        raise error
    is_own = player.is_user_code and (is_shipped(position.game) or isinstance(error, BadInput))
    if not is_own and (fault := game_fault(error)):
        raise fault from error
    return Failed(f"it fails: {error_words(error)}")
