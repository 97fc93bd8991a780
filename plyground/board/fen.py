"""Positions in FEN, of chess and of draughts, as numbers of which the games make a state (`state_of`).

First the number of the piece on each place of the board, 0 for none; then the player to move; then, in chess, bits for
the castling rights and the place that a pawn has just passed, -1 for none; last the quiet plies.
"""

import re

from plyground.errors import BadInput
from plyground.in_pages import in_pages

# Places count row by row from the top left, as FEN lists them: 0 is a8, 60 is e1, 63 is h1.
HOMES: tuple[tuple[int, str, int, int], ...] = ((1, "K", 60, 63), (2, "Q", 60, 56), (4, "k", 4, 7), (8, "q", 4, 0))
"""Castling rights, their bits, and the places where the king and the rook stand that have not moved."""
DEFAULT_FIELDS = ("", "w", "-", "-", "0", "1")
"""Words of FEN that are meant where a text ends sooner."""
FILE_LETTERS = "abcdefgh"
_AFTER = re.compile("([wb]) (-|[KQkqA-Ha-h]{1,4}) (-|([a-h])[36]) ([0-9]{1,4}) [0-9]+")
_COUNTER = re.compile("[1-9][0-9]{0,3}")
_SIDES = re.compile("([BWxo]):([BWxo])([^:]*):([BWxo])([^:.]*)(?::([0-9]{1,4}))?(?::[HF][0-9]{1,4}){0,2}[.]?")
_EPD = re.compile(
    r"([^\s/]+(?:/[^\s/]+){7}\s+[wb]\s+\S+\s+\S+)(?:\s+(\d{1,3})\s+(\d{1,4})(?=\s|$))?((?:\s+[A-Za-z]\w*(?=[\s;]).*)?)"
)
_OPERATION = re.compile(r'([A-Za-z]\w*)((?:\s+(?:"[^"]*"|[^\s;"]+))*)\s*(?:;|$)')
_OPERAND = re.compile(r'"([^"]*)"|([^\s;"]+)')
_MEN = re.compile(" ?([Kk]?)([0-9]{1,2})(?:-([0-9]{1,2}))? ?")


@in_pages
def read_chess_fen(text: str, said: str, letters: str, side: int, most_quiet: int, example: str) -> list[int]:
    """A position of chess; a passed square is left out where no pawn can take there.

    Args:
        text: FEN, with blanks or _; what follows the squares may be left out.
        said: the text in a sentence.
        letters: those of the pieces, in the order of their numbers.
        side: rows of the board.
        most_quiet: plies without a pawn's move or a capture that make a draw; 0 if they are not counted.
        example: a position in FEN.

    Raises:
        BadInput: the text is no position, or the position cannot arise, as far as that is seen without the rules.
    """
    given = text.replace("_", " ").split()
    words = [*given, *DEFAULT_FIELDS[len(given) :]]
    board = words[0]
    # Digits become as many dots, so that each row has its length in characters, and a row of `44` and one of `8` are
    # alike.
    for count in range(1, 9):
        board = board.replace(str(count), "." * count)
    rows, after = board.split("/"), _AFTER.fullmatch(" ".join(words[1:]))
    men = list("".join(rows))
    is_whole = len(rows) == side and all(len(row) == side for row in rows)
    if not after or not is_whole or any(man not in letters + "." for man in men):
        raise BadInput(f"{said} is not a position: write it as FEN, as in {example}.")
    turn, quiet, passed = "wb".index(after[1]), int(after[5]) if most_quiet > 0 else 0, -1
    rights, written = 0, after[2] or "-"
    told = written.replace("H", "K").replace("A", "Q").replace("h", "k").replace("a", "q")  # by the rooks' files
    elsewhere = f"{said} is a position of Chess960: {written} tells of a king or rook that begins elsewhere."
    for bit, right, king, rook in HOMES:
        if right not in told:
            continue
        rights += bit
        mover, tower = ("K", "R") if bit < 4 else ("k", "r")
        if side != 8 or men[king] != mover or men[rook] != tower:
            home = list(range(king - 4, king + 4)) if side == 8 else []
            owns = [place for place in home if men[place] == mover]
            if len(owns) == 1 and any(men[each] == tower and (each > owns[0]) == (rook > king) for each in home):
                raise BadInput(elsewhere)
            raise BadInput(f"{said} cannot arise: {right} says that king and rook have not moved.")
    if any(letter not in "KQkq-" for letter in told):
        raise BadInput(elsewhere)
    if after[3] != "-":
        square, file = after[3] or "-", FILE_LETTERS.index(after[4])
        # The passed square is on the third row of the side that has just moved: row 5 from the top after White's move,
        # 2 after Black's.
        at = file + side * (5 if turn == 1 else 2)
        pawn = at - side if turn == 1 else at + side
        mine, other, row = ("p", "P", "3") if turn == 1 else ("P", "p", "6")
        if side != 8 or men[pawn] != other or men[at] + men[2 * at - pawn] != ".." or row not in square:
            raise BadInput(f"{said} cannot arise: no pawn has just passed {square}.")
        # FEN names the square after each double step; a right to take that nobody has would make two states of one
        # position.
        if (file > 0 and men[pawn - 1] == mine) or (file < 7 and men[pawn + 1] == mine):
            passed = at
    kings = sorted([letters.index(man) for man in men if man in "kK"])
    if kings != sorted([letters.index("K"), letters.index("k")]):
        raise BadInput(f"{said} cannot arise: each side has one king.")
    if any(man in "pP" for man in rows[0] + rows[-1]):
        raise BadInput(f"{said} cannot arise: no pawn stands on a first or last row.")
    return [*[0 if man == "." else 1 + letters.index(man) for man in men], turn, rights, passed, quiet]


def read_epd(text: str) -> tuple[str, dict[str, list[str]]]:
    """FEN of a line in Extended Position Description, and its operations with their operands.

    Counters that stand behind the four fields, or in `hmvc` and `fmvn`, are those of the FEN. A text without
    operations, or of another kind, is given back as it is.

    >>> read_epd('4k3/8/8/8/8/8/8/4K2R w K - hmvc 4; bm Rh8+ O-O; id "mate; or not";')
    ('4k3/8/8/8/8/8/8/4K2R w K - 4 1', {'hmvc': ['4'], 'bm': ['Rh8+', 'O-O'], 'id': ['mate; or not']})
    """
    found = _EPD.fullmatch(text.strip())
    if found is None:
        return text, {}
    fields, quiet, number, rest = found.groups()
    operations = read_operations(rest)
    counters = [operations.get(name, [usual])[:1] or [usual] for name, usual in (("hmvc", "0"), ("fmvn", "1"))]
    return f"{fields} {quiet or counters[0][0]} {number or counters[1][0]}", operations


def read_operations(text: str) -> dict[str, list[str]]:
    """The operations of a line in Extended Position Description, with their operands."""
    return {
        name: [quoted or plain for quoted, plain in _OPERAND.findall(operands)]
        for name, operands in _OPERATION.findall(text)
    }


@in_pages
def other_turn(numbers: list[int], places: int) -> list[int]:
    """The numbers of a position with the other player to move."""
    return [1 - number if place == places else number for place, number in enumerate(numbers)]


@in_pages
def require_safe(said: str, is_safe: bool) -> None:
    """Refuse a position in which the player to move could take the king."""
    if not is_safe:
        raise BadInput(f"{said} cannot arise: the king of the player who has just moved can be taken.")


@in_pages
def fullmove_number(text: str) -> int:
    """Fullmove number of a text in FEN, its sixth word; 1 without one."""
    words = text.replace("_", " ").split()
    return int(words[5]) if len(words) == 6 and _COUNTER.fullmatch(words[5]) else 1


@in_pages
def read_draughts_fen(text: str, said: str, most_quiet: int) -> list[int]:
    """A position of draughts.

    Args:
        text: FEN of PDN, `B:W21,K30:B1-4`, in which B is x, or who is to move, the squares of x and of o, K before a
            king's, and the quiet plies.
        said: the text in a sentence.
        most_quiet: plies without a jump or a man's move that make a draw; 0 if they are not counted.

    Raises:
        BadInput: as `read_chess_fen`.
    """
    found = _SIDES.fullmatch(" ".join(text.split()))
    if not found or (found[2] in "Wo") == (found[4] in "Wo"):
        raise BadInput(
            f"{said} is not a position: write who is to move, the squares of x and of o, K before a king's, and the "
            "plies since the last jump or man's move, as in x:x1,2,K30:o21,22:0."
        )
    pieces, quiet = [0 for _ in range(32)], int(found[6] or "0") if most_quiet > 0 else 0
    for owner, listed in ((found[2] in "Wo", found[3]), (found[4] in "Wo", found[5])):
        for word in filter(None, listed.split(",")):
            men = _MEN.fullmatch(word)
            if not men:
                raise BadInput(f"{said} is not a position: {word} is no square.")
            first, last, is_king = int(men[2]), int(men[3] or men[2]), men[1] != ""
            if last > 32:
                raise BadInput(
                    f"{said} is not a position: square {last} is of a larger board; English draughts has 32."
                )
            if first < 1 or any(pieces[square - 1] > 0 for square in range(first, last + 1)):
                raise BadInput(f"{said} is not a position: there is no square {word}, or two pieces on it.")
            for place in range(32):
                square = place + 1
                if square < first or square > last:
                    continue
                # x moves towards square 32, o towards 1.
                if not is_king and (square < 5 if owner else square > 28):
                    raise BadInput(f"{said} cannot arise: a man on square {square} is crowned; write K{square}.")
                pieces[place] = 1 + 2 * int(owner) + int(is_king)
    x, o = len([man for man in pieces if man in (1, 2)]), len([man for man in pieces if man in (3, 4)])
    if max(x, o) > 12:
        raise BadInput(f"{said} cannot arise: 12 pieces a side at most.")
    return [*pieces, int(found[1] in "Wo"), quiet]
