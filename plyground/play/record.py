"""A game as a tree of moves: its main line and variations, with comments, glyphs and clocks.

The moves are rows of a table in which every move stands below the one that it follows. So a record has no depth to
recurse to, is equal to another one row by row, and is the same table in Python, in JSON and in a page. `pgn.py`,
`sgf.py` and `wthor.py` read files into records whose words no rule has seen; `check_record` reads these by the rules.
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Final

from plyground.errors import BadInput
from plyground.games import AnyGame
from plyground.position import Position
from plyground.text import moves_in

ROOT: Final = -1
"""Row before a first move."""
DISCS: Final = "BlackDiscs", "WhiteDiscs"
"""Tags of a game of Reversi: the discs of each side at its end, as its file has them."""


@dataclass
class RecordedMove:
    """A move of a record, with its comments, glyphs and clock."""

    word: str
    """The move as its file writes it; in a checked record, in the game's own text."""
    after: int = ROOT
    """Row of the move that it follows, or `ROOT`. Of the moves after one row, the first goes on with its line."""
    notation: str = ""
    """The move as players of the game write it; in a checked record."""
    before: str = ""
    """Comment in front of the move: words that introduce a variation."""
    comment: str = ""
    glyphs: list[int] = field(default_factory=list)
    """Numeric annotation glyphs (NAGs)."""
    clock: float | None = None
    """Seconds that are left on the mover's clock after the move, where the record says so."""
    mover: int | None = None
    """The player who makes it, 0 or 1, where the record says so; always in a checked record."""
    other: dict[str, list[str]] = field(default_factory=dict)
    """Values that only its file format knows, by their names: marks on the board in SGF."""


@dataclass
class Record:
    """A game with its variations."""

    tags: dict[str, str] = field(default_factory=dict)
    """Tags of the whole game, by PGN's names: `White`, `Event`, `Date`."""
    comment: str = ""
    """Comment before the first move."""
    moves: list[RecordedMove] = field(default_factory=list)
    result: str = ""
    """Result word, as its file writes it; empty where none is written."""
    start: str = ""
    """The position before the first move, as `Position.start_text` writes it. In a checked record."""
    is_numbered: bool = False
    """Whether moves have their numbers in the file."""
    other: dict[str, list[str]] = field(default_factory=dict)
    """Values for the whole game that only its file format knows, by their names."""
    left_out: list[str] = field(default_factory=list)
    """Sentences on parts of the file that the rules could not read, and that are not in the moves."""

    def children(self) -> dict[int, list[int]]:
        """Rows that follow each row, and `ROOT`: first the one that goes on with its line, then variations."""
        found: dict[int, list[int]] = {}
        for row, move in enumerate(self.moves):
            found.setdefault(move.after, []).append(row)
        return found

    def main_line(self) -> list[int]:
        """Rows of the main line, in its order."""
        first = {after: rows[0] for after, rows in self.children().items()}
        # First children alone: each row is passed once, however many variations there are.
        line, row = list[int](), first.get(ROOT)
        while row is not None:
            line.append(row)
            row = first.get(row)
        return line

    def words(self) -> list[str]:
        """Words of the moves of the main line."""
        return [self.moves[row].word for row in self.main_line()]

    def position(self, game: AnyGame, row: int | None = None) -> Position:
        """The position after a move of a checked record; by default after the last one of the main line.

        Raises:
            BadInput: the record was not checked by this game.
        """
        here = Position.starting(game, self.start)
        line = self.main_line() if row is None else self.line_to(row)
        for each in line:
            here = here.play(self.moves[each].word)
        return here

    def line_to(self, row: int) -> list[int]:
        """Rows of the moves from the first one to the one in `row`."""
        line = list[int]()
        while row != ROOT:
            line.append(row)
            row = self.moves[row].after
        return line[::-1]


def of_position(position: Position) -> Record:
    """The moves that led to a position, as a record."""
    words, written, game = position.words, position.notation, position.game
    moves = [
        RecordedMove(word, ply - 1, notation=notation, mover=game.to_move(state))
        for ply, (word, notation, state) in enumerate(zip(words, written, position.states, strict=False))
    ]
    return Record(moves=moves, start=position.start_text)


def check_record(record: Record, start: Position) -> Record:
    """The record as the rules read it: each move legal, in the game's own text and in its players' notation.

    A word that is several moves, and a pass that a file leaves out, are moves of their own. A variation ends before a
    move that is not legal, and the main line where the game is over; `left_out` tells of both.

    Args:
        record: moves as a file has them.
        start: where it begins.

    Raises:
        BadInput: a move of the main line is not legal; the sentence says which.
    """
    game, found = start.game, list[RecordedMove]()
    left_out = list(record.left_out)
    main, waiting = set(record.main_line()), Counter(move.after for move in record.moves)
    reached = {ROOT: (ROOT, start)}  # by the record's rows: the new row, and the position there
    for row, move in enumerate(record.moves):
        # What follows a move that was left out is left out with it; one sentence says so.
        if move.after not in reached:
            continue
        at, here = reached[move.after]
        waiting[move.after] -= 1
        # Positions are held only while a row still follows them: a record of a database has thousands of rows.
        if not waiting[move.after]:
            del reached[move.after]
        try:
            require_mover(here, move)
            steps = steps_of(here, move.word)
        except BadInput as fault:
            numbered = numbered_word(here, move.word)
            said = f"Move {numbered if record.is_numbered else len(here.moves) + 1}"
            if here.outcome is not None:
                left_out.append(f"{said} and what follows it are left out. {fault}")
            elif row in main:
                raise BadInput(f"{said}: {fault}") from None
            else:
                left_out.append(f"A variation ends before its move {said.removeprefix('Move ')}: {fault}")
            continue
        for place, (before, after) in enumerate(steps):
            state, number = before.state, after.moves[-1]
            # Comment, clock and glyphs belong to the last of several moves that one word means.
            made = move if place == len(steps) - 1 else RecordedMove("")
            found.append(
                replace(
                    made,
                    word=game.move_text(state, number),
                    notation=game.notation_text(state, number),
                    after=at,
                    mover=before.to_move,
                )
            )
            at, here = len(found) - 1, after
        if waiting[row]:
            reached[row] = (at, here)
    return replace(record, moves=found, start=start.start_text, left_out=left_out)


def require_mover(here: Position, move: RecordedMove) -> None:
    """Check that a move is of the player to move. Raises `BadInput` if the record gives it to the other one."""
    if move.mover not in (None, here.to_move):
        names = here.game.names
        raise BadInput(f"{names[here.to_move]} is to move, not {names[move.mover or 0]}: {move.word}.")


def steps_of(here: Position, word: str) -> list[tuple[Position, Position]]:
    """The moves that a word means, each as the position before it and the one after it.

    Raises:
        BadInput: a move is not legal.
    """
    try:
        return _passing(here, word)
    except BadInput:
        if len(parts := moves_in(word)) <= 1:
            raise
    steps = list[tuple[Position, Position]]()
    for part in parts:
        last = steps[-1][1] if steps else here
        try:
            steps += _passing(last, part)
        except BadInput as fault:
            where = f", move {len(last.moves) + 1}" if steps else ""
            raise BadInput(f"{word!r}{where}: {fault}") from None
    return steps


def _passing(here: Position, word: str) -> list[tuple[Position, Position]]:
    """A move, and before it a pass that is the only legal move, as most records leave it out."""
    try:
        return [(here, here.play(word))]
    except BadInput:
        if not here.must_pass:
            raise
        after = here.play(here.legal_moves[0])
        return [(here, after), (after, after.play(word))]


def numbered_word(here: Position, word: str, dots: str = "...") -> str:
    """The next move as it stands in a numbered text: `2. Nf3`, `2... Nc6`."""
    pair, second = divmod(here.plies_before + len(here.moves), 2)
    return f"{pair + 1}{dots if second else '.'} {word}"
