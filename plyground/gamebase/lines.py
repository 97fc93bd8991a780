"""The main line of a game of a file, as numbers: moves, the hash of each position, who moved, how it ended."""

from array import array
from dataclasses import dataclass

from plyground.errors import BadInput
from plyground.games import AnyGame
from plyground.play.notations import beginning_of, result_utility
from plyground.play.record import Record, follow_main_line
from plyground.play.record_file import FileGame
from plyground.position import Position
from plyground.rules import ONGOING
from plyground.search.table import hash_of


@dataclass(frozen=True)
class NumberedLine:
    """A main line, up to where it leaves the rules: a side is to move that the last move did not leave to it."""

    tags: dict[str, str]
    result: str
    """The result as the file writes it."""
    start: str
    """Text of the position before it; empty: the initial one."""
    moves: "array[int]"
    marks: "array[int]"
    """Hash of each position, one more than there are moves."""
    movers: bytes
    """The player to move in each of these positions."""
    utility: int | None
    """Utility for the first player: of the last position if the game is over there, else by the result; or None."""


def mark_of(position: Position) -> int:
    """Hash of a position, the same by whatever moves it came about: 64 bits of its repetition key."""
    return hash_of(position.game.repetition_key(position.state))


def line_of(each: FileGame) -> NumberedLine:
    """The main line of a game.

    Raises:
        BadInput: something is wrong with it; the sentence names the game.
    """
    if not each.text and not each.written.faults and (quick := _quick_line(each)):
        return quick
    read = each.read(is_strict=True)
    marks, movers, moves = array("q"), bytearray(), array("q")
    for here in read.steps(each.rules):
        if marks and len(here.moves) != len(moves) + 1:  # one side has passed by a sign that is no move of the rules
            break
        if here.moves:
            moves.append(here.moves[-1])
        marks.append(mark_of(here))
        movers.append(here.to_move)
        last = here
    return _make_line(
        read, each.rules, last.start_text, None if last.is_claimable else last.outcome, (moves, marks, bytes(movers))
    )


def _quick_line(each: FileGame) -> NumberedLine | None:
    """The line of a game that is read in one go; None for one that must be read word by word."""
    try:
        begun, start = beginning_of(each.rules, each.written)
    except BadInput:  # which the record says when it is read
        return None
    line = follow_main_line(begun, start)
    if not line or line.outcome == 0:  # a draw may be one that players claim
        return None
    movers = bytes((start.to_move, 1 - start.to_move)) * (len(line.marks) // 2 + 1)
    numbers = array("q", line.moves), array("q", line.marks), movers[: len(line.marks)]
    return _make_line(begun, each.rules, start.start_text, None if line.outcome == ONGOING else line.outcome, numbers)


def _make_line(
    record: Record, game: AnyGame, start: str, outcome: int | None, numbers: "tuple[array[int], array[int], bytes]"
) -> NumberedLine:
    result = record.result or record.tags.get("Result", "")
    utility = result_utility(game, result)
    # A draw by the moves may not have been claimed: players went on, and the result says how.
    if outcome or utility is None:
        utility = outcome
    return NumberedLine(record.tags, result, start, *numbers, utility)
