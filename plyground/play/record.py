"""A game as a tree of moves: its main line and variations, with comments, glyphs and clocks.

The moves are rows of a table in which every move stands below the one that it follows. So a record has no depth to
recurse to, is equal to another one row by row, and is the same table in Python, in JSON and in a page. `pgn.py`,
`sgf.py` and `wthor.py` read files into records whose words no rule has seen; `check_record` reads these by the rules.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from plyground.errors import BadInput
from plyground.games import AnyGame
from plyground.play.san import Followed, follow
from plyground.position import Position
from plyground.text import moves_in

ROOT: Final = -1
"""In place of the row that a move follows: it is a first move."""
UNREADABLE: Final = "?"
"""Start of a record that begins where no game of its rules can."""
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
    is_unread: bool = False
    """Whether the rules could not read it, or one before it: then `word` is what its file has, and is written again."""


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
    faults: list[str] = field(default_factory=list)
    """Sentences on what is wrong: a move of the main line that is not legal, a bracket without its other one."""
    remarks: list[str] = field(default_factory=list)
    """Sentences on what a reader should know: a draw that was not claimed, a variation that could not be read."""
    number: int = field(default=0, compare=False)
    """Number in its file, from 1; 0 of a record that comes from none."""
    game: str = field(default="", compare=False)
    """Spec of its game, where a file says or shows it."""

    def children(self) -> dict[int, list[int]]:
        """Rows that follow each row, and `ROOT`: first the one that goes on with its line, then variations."""
        found: dict[int, list[int]] = {}
        for row, move in enumerate(self.moves):
            found.setdefault(move.after, []).append(row)
        return found

    def main_line(self) -> list[int]:
        """Rows of the main line, in its order."""
        line, last = list[int](), ROOT
        for row, move in enumerate(self.moves):  # the first row after another one goes on with its line
            if move.after == last and not move.is_unread:
                line.append(row)
                last = row
            elif move.after == last:
                break
        return line

    def words(self) -> list[str]:
        """Words of the moves of the main line."""
        return [self.moves[row].word for row in self.main_line()]

    def position(self, game: AnyGame, row: int | None = None) -> Position:
        """The position after a move of a checked record; by default after the last one of the main line.

        Its history begins after the last null move.

        Raises:
            BadInput: the record was not checked by this game.
        """
        *_, last = self.steps(game, self.main_line() if row is None else self.line_to(row))
        return last

    def steps(self, game: AnyGame, line: list[int] | None = None) -> Iterator[Position]:
        """The position before the first move, and after each of a line of a checked record, by default the main line.

        Raises:
            BadInput: as `position`.
        """
        if self.start == UNREADABLE:
            raise BadInput(self.faults[-1])
        here = Position.starting(game, self.start)
        yield here
        for row in self.main_line() if line is None else line:
            here = after_word(here, self.moves[row].word)
            yield here

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


def check_record(record: Record, start: Position, followed: Followed | None = None) -> Record:
    """The record as the rules read it: each move in the game's own text and in its players' notation.

    A word that is several moves, and a pass that a file leaves out, are moves of their own. A move that is not legal
    stays as it is written, with all that follow it: a fault in the main line, a remark in a variation.

    Args:
        record: moves as a file has them.
        start: where it begins.
        followed: its main line, where its moves are legal, as `follow_main_line` found.
    """
    game, found = start.game, list[RecordedMove]()
    faults, remarks = [*record.faults], [*record.remarks]
    line = record.main_line()
    if followed and len(line) == len(record.moves):
        moves = [_known_move(move, followed, ply, ply - 1) for ply, move in enumerate(record.moves)]
        return replace(record, moves=moves, start=start.start_text)
    known = {row: ply for ply, row in enumerate(line)} if followed else {}
    main, waiting = set(line), Counter(move.after for move in record.moves)
    places, reached = {ROOT: ROOT}, {ROOT: start}  # by the record's rows: the new row, and the position there
    for row, move in enumerate(record.moves):
        at, here = places[move.after], reached.get(move.after)
        waiting[move.after] -= 1
        # Positions are held only while a row still follows them: a record of a database has thousands of rows.
        if not waiting[move.after]:
            reached.pop(move.after, None)
        places[row] = len(found)
        if followed and row in known:
            found.append(_known_move(move, followed, known[row], at))
            if waiting[row]:
                reached[row] = followed.position_after(known[row] + 1)
            continue
        if here is None or move.is_unread:
            found.append(replace(move, after=at, is_unread=True))
            continue
        try:
            require_mover(here, move)
            steps = [(here, after_null(here))] if is_null(here, move.word) else steps_of(here, move.word)
        except BadInput as fault:
            numbered = numbered_word(here, move.word)
            said = f"{numbered if record.is_numbered else len(here.moves) + 1}"
            if is_over(here):
                remarks.append(f"Move {said} and what follows it stay as they are written. {fault}")
            elif row in main:
                faults.append(f"Move {said}: {fault}")
            else:
                remarks.append(f"A variation is not read from its move {said} on: {fault}")
            found.append(replace(move, after=at, is_unread=True))
            continue
        if row in main and here.outcome is not None:
            said = f"Before move {numbered_word(here, move.word)} a draw could be claimed, by {here.reason}."
            remarks += [said] if not any("could be claimed" in each for each in remarks) else []
        for place, (before, after) in enumerate(steps):
            made = move if place == len(steps) - 1 else RecordedMove("")
            word, notation = move.word, move.word
            if after.moves:
                word = game.move_text(before.state, after.moves[-1])
                notation = game.notation_text(before.state, after.moves[-1])
            found.append(replace(made, word=word, notation=notation, after=at, mover=before.to_move, is_unread=False))
            at, here = len(found) - 1, after
        places[row] = at
        if waiting[row]:
            reached[row] = here
    return replace(record, moves=found, start=start.start_text, faults=faults, remarks=remarks)


def follow_main_line(record: Record, start: Position) -> Followed | None:
    """The main line, where it can be read in one go; None where its words must be read one by one."""
    moves = [record.moves[row] for row in record.main_line()]
    if any(move.mover is not None for move in moves):
        return None
    return follow(start, [move.word for move in moves])


def _known_move(move: RecordedMove, followed: Followed, ply: int, after: int) -> RecordedMove:
    """A move of a line that was read whole, as `replace` would make it, in a third of the time."""
    text, mover = followed.texts[ply], (followed.start.to_move + ply) % 2
    return RecordedMove(text, after, move.word, move.before, move.comment, move.glyphs, move.clock, mover, move.other)


NULL_MOVES = ("--", "Z0", "null", "pass", "0000", "@@@@")
"""Words for a move that is not made, as analyses of chess have it: the other side is to move."""


def is_null(here: Position, word: str) -> bool:
    """Whether a word is a null move, which records of chess alone have."""
    return here.game.record == "pgn" and word in NULL_MOVES


def after_null(here: Position) -> Position:
    """The position in which the other side is to move: a new start, as no rule makes such a move.

    Raises:
        BadInput: the king could be taken.
    """
    board, turn, rights, _, quiet, number = here.fen.split()
    words = [board, "wb"[turn == "w"], rights, "-", f"{int(quiet) + 1}", f"{int(number) + (turn == 'b')}"]
    return Position.starting(here.game, " ".join(words))


def after_word(here: Position, word: str) -> Position:
    """The position after a move of a checked record.

    Raises:
        BadInput: the move is not legal.
    """
    return after_null(here) if is_null(here, word) else here.play_without_claim(word)


def is_over(here: Position) -> bool:
    """Whether no move can follow: the game has ended otherwise than by a draw that players claim."""
    return here.outcome is not None and not here.is_claimable


def require_mover(here: Position, move: RecordedMove) -> None:
    """Check that a move is of the player to move, or of the other one after a pass that a file leaves out.

    Raises:
        BadInput: the record gives it to the other one.
    """
    if move.mover not in (None, here.to_move) and not here.must_pass:
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
        if len(parts := moves_in(word)) <= 1 or _is_move_name(here, word):
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


def _is_move_name(here: Position, word: str) -> bool:
    """Whether a word of letters names a move, though it may not be made here: `swap` is none of its signs."""
    try:
        here.game.parse_move(here.state, word)
    except BadInput:
        return False
    return word.isalpha()


def _passing(here: Position, word: str) -> list[tuple[Position, Position]]:
    """A move, and before it a pass that is the only legal move, as most records leave it out."""
    try:
        return [(here, here.play_without_claim(word))]
    except BadInput:
        if not here.must_pass:
            raise
        after = here.play(here.legal_moves[0])
        return [(here, after), (after, after.play_without_claim(word))]


def numbered_word(here: Position, word: str, dots: str = "...") -> str:
    """The next move as it stands in a numbered text: `2. Nf3`, `2... Nc6`."""
    pair, second = divmod(here.plies_before + len(here.moves), 2)
    return f"{pair + 1}{dots if second else '.'} {word}"
