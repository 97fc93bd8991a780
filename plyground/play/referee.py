"""The referee of one game between two players, with a clock and a file that saves it."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from plyground.errors import BadInput, WrongType, clause_of
from plyground.faults import game_fault
from plyground.play.ending import Ending
from plyground.play.game_file import GameFile
from plyground.play.move_note import MoveEvaluation, MoveNote
from plyground.play.player import (
    Illegal,
    Mute,
    Player,
    Quit,
    Resigned,
    TakeBack,
    Unanswered,
    as_failure,
    ask,
    no_cpu_clock,
)
from plyground.play.time_control import TimeControl
from plyground.position import Position

OnError = Literal["raise", "lose"]
"""Effect of an error of a player in this process: it is raised, or the player loses."""


class Adjudged(NamedTuple):
    """The end of a game by adjudication, before its rules end it."""

    utility: int
    """Utility for the first player."""
    why: str


Adjudicate = Callable[[Position, Sequence[MoveNote]], Adjudged | None]
"""Called after each move that leaves the game unfinished, with the notes beside all moves; None: the game goes on."""


@dataclass(frozen=True)
class Result:
    """Result of a game."""

    position: Position
    utility: int | None
    """For the first player; None if the game was left unfinished."""
    why: str
    """Sentence on its end."""
    fault: int | None = None
    """Seat of the player at fault, where a fault ended the game; else None."""
    seconds: tuple[float, float] = (0.0, 0.0)
    """Wall-clock seconds of x and of o for all their moves."""
    ending: Ending = Ending.NORMAL
    """Kind of its end: by the rules, by adjudication, or the kind of a fault."""
    notes: tuple[MoveNote, ...] = field(default=(), repr=False, compare=False)
    """Notes beside the moves that were made here."""


def referee_game(
    position: Position,
    players: tuple[Player, Player],
    *,
    clock: float | TimeControl | None = None,
    file: GameFile | None = None,
    on_error: OnError = "lose",
    on_move: Callable[[Position], None] | None = None,
    on_refused: Callable[[str], None] | None = None,
    adjudicate: Adjudicate | None = None,
) -> Result:
    """Referee a game to its end, as `players.play_match` does for anything that is meant as a player."""
    if file is not None and not isinstance(file, GameFile):
        raise WrongType(f"file={file!r}: give one that is begun, as GameFile.begin begins it.")
    control = clock if isinstance(clock, TimeControl) else TimeControl(clock)
    match = _RefereedGame(position, players, control, file, on_move or _ignore, on_refused or _ignore)
    match.on_error, match.adjudicate = on_error, adjudicate
    return match.play()


def _ignore(argument: object) -> None:
    """Do nothing."""


class _RefereedGame:
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
        self.on_error: OnError = "lose"
        self.adjudicate: Adjudicate | None = None
        self._notes: list[MoveNote] = []
        self._position, self._players, self._file = position, players, file
        self._control, self._seconds_left, self._cpu_left = control, [control.game] * 2, [control.cpu] * 2
        self._cpu_clock = no_cpu_clock if control.cpu is None else time.process_time
        self._spent = [0.0, 0.0]
        self._grace = [control.grace if player.is_external else 0.0 for player in players]
        """Seconds of the next move that nothing counts."""
        self._on_move, self._on_refused = on_move, on_refused

    def play(self) -> Result:
        """Play to the end."""
        # Compiled, loaded and started before any clock runs: a game's first move would else pay for it.
        for player in self._players:
            player.set_time_control(self._control)
            player.prepare(self._position)
        while self._position.outcome is None:
            if result := self._play_turn():
                return result
        here = self._position
        return self._end_game(Result(here, here.outcome, here.result))

    def _play_turn(self) -> Result | None:
        """Ask the player to move. Returns the result if the game ends otherwise than by its rules."""
        seat = self._position.to_move
        before, before_of_cpu = time.perf_counter(), self._cpu_clock()
        try:
            chosen = ask(self._players[seat], self._position, self._seconds_allowed(seat), self._cpu_clock)
        except Quit:
            return Result(self._position, None, "left unfinished", ending=Ending.UNFINISHED)
        except TakeBack as plea:
            self._take_back(plea.args[0])
            return None
        # The clock is charged here too: a player that fails after its time is up has lost on time.
        except (Exception, SystemExit) as fault:  # a player that exits ends itself
            own = self._players[seat].own_seconds
            cpu = self._cpu_clock() - before_of_cpu if own is None else own
            late = self._charge(seat, time.perf_counter() - before, cpu)
            return self._judge_fault(seat, fault, late)
        if late := self._charge(seat, chosen.seconds, chosen.cpu):
            return self._lose(seat, late, Ending.LATE)
        self._save_move(chosen.after, chosen.seconds)
        evaluation = self._players[seat].move_evaluation
        left = self._seconds_left[seat] if self._cpu_left[seat] is None else self._cpu_left[seat]
        # A user's object may have an attribute of this name with anything in it.
        given = evaluation if isinstance(evaluation, MoveEvaluation) else None
        self._notes.append(MoveNote(chosen.seconds, left, given))
        if self.adjudicate and chosen.after.outcome is None and (end := self.adjudicate(chosen.after, self._notes)):
            return self._end_game(Result(chosen.after, end.utility, end.why, ending=Ending.ADJUDICATION))
        return None

    def _seconds_allowed(self, seat: int) -> float | None:
        """Seconds that a player may take for its move; None without a limit."""
        cpu = self._cpu_left[seat] if self._tells_cpu(seat) else None
        limits = [limit for limit in (self._seconds_left[seat], self._control.move, cpu) if limit is not None]
        return min(limits) + self._grace[seat] if limits else None

    def _tells_cpu(self, seat: int) -> bool:
        """Whether a player's CPU time is known."""
        return not self._players[seat].is_external or self._players[seat].tells_cpu

    def _charge(self, seat: int, seconds: float, cpu: float) -> str:
        """Charge a move's time to the player's clocks. Returns a sentence if it took too long, else an empty text."""
        control, left, left_of_cpu = self._control, self._seconds_left[seat], self._cpu_left[seat]
        # Once: only the first move of a program holds its start.
        grace, self._grace[seat] = self._grace[seat], 0.0
        seconds, cpu = max(seconds - grace, 0.0), max(cpu - grace, 0.0)
        self._spent[seat] += seconds
        # The limit itself is late: a program that is cut off there has used it up.
        if control.move is not None and seconds >= control.move:
            return f"loses on time: its {control.move:g} s for a move are used up"
        if left is not None:
            if seconds >= left:
                return f"loses on time: its {control.game:g} s are used up"
            # The increment comes after the move (Fischer's clock): it cannot save a flag that has fallen.
            self._seconds_left[seat] = left - seconds + control.increment
        if left_of_cpu is not None and self._tells_cpu(seat):
            if cpu >= left_of_cpu:
                return f"loses on time: its {control.cpu:g} s of the processor are used up"
            self._cpu_left[seat] = left_of_cpu - cpu
        return ""

    def _judge_fault(self, seat: int, fault: Exception | SystemExit, late: str) -> Result:
        """The result of a game whose player made no legal move.

        Raises:
            Exception: it was not the player's fault, as far as can be told.
        """
        player = self._players[seat]
        if isinstance(fault, Resigned):
            return self._lose(seat, "resigns", Ending.RESIGNATION, is_fault=False)
        # For users of the library: their own player's error is a bug to see, not a lost game.
        if self.on_error == "raise" and not late and not player.is_external:
            raise game_fault(fault) or fault
        failure = as_failure(player, self._position, fault)
        match failure:
            case Illegal():
                return self._lose(seat, f"loses by an illegal move: {failure}", failure.ending)
            # Silence until the clock ran out is a loss on time; a crash after it stays a crash.
            case _ if late and failure.ending is Ending.SILENT:
                return self._lose(seat, late, Ending.LATE)
            case Unanswered():
                sentence = f"{player.name} is not in the game: {clause_of(failure)}."
                raise Mute(sentence, seat, failure.ending) from None
        return self._lose(seat, f"loses: {failure}", failure.ending)

    def _save_move(self, after: Position, seconds: float) -> None:
        """Save a move, and go on after it."""
        # On disk before the other player is asked: a kill at any later line loses no move.
        if self._file:
            self._file.move(self._position, after.moves[-1], seconds)
        self._position = after
        self._on_move(after)

    def _take_back(self, plies: int) -> None:
        """Take plies back, if both players can."""
        earlier = self._position.undo(plies)
        try:
            for seat, player in enumerate(self._players):
                player.take_back(earlier, seat)
        except BadInput as refusal:
            self._on_refused(str(refusal))
            return
        self._position = earlier
        del self._notes[max(len(self._notes) - plies, 0) :]
        if self._file:
            self._file.undo(plies)
        self._on_move(earlier)

    def _lose(self, seat: int, why: str, ending: Ending, *, is_fault: bool = True) -> Result:
        """Result of a game that a player loses otherwise than by the game's rules."""
        why = f"{self._position.game.names[seat]} {clause_of(why)}"  # who shows it ends the sentence
        return self._end_game(
            Result(self._position, -1 if seat == 0 else 1, why, seat if is_fault else None, ending=ending)
        )

    def _end_game(self, result: Result) -> Result:
        result = replace(result, seconds=(self._spent[0], self._spent[1]), notes=tuple(self._notes))
        if self._file:
            self._file.end(result.utility, result.why, result.fault, result.ending)
        return result
