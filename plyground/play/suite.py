"""Test suites: positions with the moves that are right there, and which of them a search solves.

A line is a position and operations in Extended Position Description (PGN standard, 1994, section 16.2): `bm` the best
moves, `am` moves to avoid, `dm` the moves in which the player to move mates, `ce` an evaluation for that player in
hundredths of a pawn, `acd` the plies of the analysis behind it, `id` a name. In other games the position is a state as
text.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from plyground.board.fen import read_epd, read_operations
from plyground.compiled.clock import Limit
from plyground.engine.report import Report
from plyground.engine.think import think
from plyground.errors import BadInput
from plyground.files import WORK_MOST, in_file, text_of_file
from plyground.games import AnyGame
from plyground.play.notations import position_in
from plyground.position import Position, notation_of
from plyground.text import count_text, whole_number

JUDGED = ("bm", "am", "dm")
"""Operations that say which answers are right."""
_FIRST_OPERATION = re.compile(r"\s+(?=(?:bm|am|dm|ce|acd|id|c\d)\s)")


@dataclass(frozen=True)
class Exercise:
    """A position of a suite, with what its operations say of it."""

    name: str
    """Its `id`, else the number of its line."""
    position: Position
    best: tuple[int, ...] = ()
    """Right moves; empty where none is named."""
    avoided: tuple[int, ...] = ()
    """Wrong moves."""
    mate: int | None = None
    """Moves of the player to move in which it wins, at most."""
    evaluation: int | None = None
    """Hundredths of a pawn, for the player to move; an estimate of the suite's author."""
    depth: int | None = None
    """Plies that the author's analysis looked ahead."""

    @property
    def right_words(self) -> str:
        """Best and avoided moves and a mate's length, in the words of the suite: `bm Qg6`, `dm 3`."""
        moves = [
            f"{name} {' '.join(_move_words(self.position, move) for move in moves)}"
            for name, moves in (("bm", self.best), ("am", self.avoided))
            if moves
        ]
        return "; ".join([*moves, *([f"dm {self.mate}"] if self.mate else [])])

    def is_right(self, report: Report) -> bool:
        """Whether a report gives a right move, and proves the win where one is asked for."""
        if report.move is None or report.move in self.avoided or (self.best and report.move not in self.best):
            return False
        score = report.score
        wins = score.winner == self.position.to_move and score.plies is not None
        return self.mate is None or (wins and score.plies is not None and score.plies <= 2 * self.mate - 1)


@dataclass(frozen=True)
class SuiteAnswer:
    """The answer of a search to an exercise."""

    exercise: Exercise
    report: Report
    """The last one."""
    first_right: Report | None
    """The first of the reports that were all right to the end; None where the last one is wrong."""

    @property
    def is_solved(self) -> bool | None:
        """Whether the last answer is right; None where the suite does not say what is."""
        return self.first_right is not None if self.exercise.right_words else None

    def to_dict(self) -> dict[str, object]:
        """Numbers, texts and None: a row of a table. `seconds`, `nodes` and `depth` are those at which it was solved
        for good, else those of the whole search; the value is from the first player's side."""
        position, at = self.exercise.position, self.first_right or self.report
        return {
            "name": self.exercise.name,
            "position": position.text,
            "wanted": self.exercise.right_words,
            "move": None if self.report.move is None else _move_words(position, self.report.move),
            "solved": self.is_solved,
            "depth": at.depth,
            "nodes": at.nodes,
            "seconds": round(at.seconds, 3),
            "value": self.report.score.data(position.game.names),
            "ce": self.exercise.evaluation,
            "acd": self.exercise.depth,
        }


def _move_words(position: Position, move: int) -> str:
    """A move in the notation of the game's books."""
    return notation_of(position, (move,))[0]


def read_suite(game: AnyGame, file: Path) -> tuple[list[Exercise], list[str]]:
    """The exercises of a file, and a sentence on each line that is none: it has no position, an illegal move, or says
    of no move that it is right. Empty lines, and those that begin with #, are left out.

    Raises:
        BadInput: the file cannot be read, or has no exercise.
    """
    found, faults = list[Exercise](), list[str]()
    with in_file(file):
        for number, line in enumerate(text_of_file(file, WORK_MOST).splitlines(), start=1):
            if line.strip() and not line.lstrip().startswith("#"):
                try:
                    found.append(read_exercise(game, line.strip(), f"line {number}"))
                except BadInput as fault:
                    faults.append(f"{file}, line {number}: {fault}")
        if not found:
            raise BadInput(faults[0] if faults else "There is no position in the file.")
    return found, faults


def read_exercise(game: AnyGame, line: str, name: str) -> Exercise:
    """The exercise of a line, called `name` where the line has no `id`.

    >>> from plyground.games import game_named
    >>> read_exercise(game_named("chess"), '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; dm 1;', "one").right_words
    'bm Ra8#; dm 1'

    Raises:
        BadInput: it is none.
    """
    text, operations = read_epd(line)
    if not operations:
        text, *rest = _FIRST_OPERATION.split(line, maxsplit=1)
        operations = read_operations(rest[0]) if rest else {}
    position = position_in(game, text)
    if position.outcome is not None:
        raise BadInput(f"the game is over there ({position.result}), so no move is right.")

    def moves(operation: str) -> tuple[int, ...]:
        return tuple(position.legal(move) for move in operations.get(operation, []))

    def number(operation: str) -> int | None:
        words = operations.get(operation, [])
        value = whole_number(words[0]) if words else None
        if words and value is None:
            raise BadInput(f"{operation} {' '.join(words)}: it is followed by a whole number, as in {operation} 3.")
        return value

    said = " ".join(operations.get("id", [])) or name
    exercise = Exercise(said, position, moves("bm"), moves("am"), number("dm"), number("ce"), number("acd"))
    if not exercise.right_words and exercise.evaluation is None:
        raise BadInput("it says of no move that it is right: write bm, am, dm or ce behind the position.")
    return exercise


def suite_lines(solutions: Sequence[SuiteAnswer], count: int, limit: Limit) -> list[str]:
    """Sentences on how many of `count` exercises were solved."""
    judged = [solution for solution in solutions if solution.is_solved is not None]
    solved = sum(solution.is_solved is True for solution in judged)
    amounts = ((limit.depth, "plies"), (limit.nodes, "nodes"), (limit.time, "seconds"))
    each = " or ".join(f"{amount:,g} {unit}" for amount, unit in amounts if amount is not None)
    said = [f"Solved {solved} of {len(judged)}, with {each} for each." if judged else "No move is said to be right."]
    if len(solutions) < count:
        said.append(f"Ended after {len(solutions)} of {count_text(count, 'position')}.")
    return said


def solve_exercise(exercise: Exercise, limit: Limit) -> SuiteAnswer:
    """Search an exercise, with an empty table of its own."""
    first_right: Report | None = None
    last: Report | None = None
    for last in think(exercise.position, limit, selective=True):
        if not exercise.is_right(last):
            first_right = None
        elif first_right is None:
            first_right = last
    assert last is not None
    return SuiteAnswer(exercise, last, first_right)
