"""Positions in FEN, of chess and of draughts, as numbers of which the games make a state (`state_of`).

First the number of the piece on each place of the board, 0 for none; then the player to move; then, in chess, bits for
the castling rights and the place that a pawn has just passed, -1 for none; last the quiet plies.
"""

import re

from plyground.errors import BadInput
from plyground.in_pages import in_pages

# Places count row by row from the top left, as FEN lists them: 0 is a8, 60 is e1, 63 is h1.
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
_MEN = re.compile(" ?([Kk]?)([a-h]?[0-9]{1,2})(?:-([a-h]?[0-9]{1,2}))? ?")


@in_pages
def read_chess_fen(text: str, said: str, letters: str, side: int, most_quiet: int, example: str) -> list[int]:
    """A position of chess; a passed square is left out where no pawn can take there.

    Args:
        text: FEN, with blanks or _; what follows the squares may be left out. The rights to castle are KQkq, which mean
            the outermost rooks (X-FEN), or letters of the rooks' files (Shredder-FEN).
        said: the text in a sentence.
        letters: those of the pieces, in the order of their numbers.
        side: rows of the board.
        most_quiet: plies without a pawn's move or a capture that make a draw; 0 if they are not counted.
        example: the first position, in FEN: from where its king and rooks stand they castle.

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
    first, rights = list(example.split("/")[0]), [0 for _ in range(0)]
    king_file = min([place for place in range(side) if first[place] == "k"])
    rook_files = [place for place in range(side) if first[place] == "r"]
    for right in list(after[2]):
        if right == "-":
            continue
        is_white = right in "ABCDEFGHKQ"
        king, rook, back = ("K", "R", side * (side - 1)) if is_white else ("k", "r", 0)
        rooks = [place for place in range(side) if men[back + place] == rook]
        home = -1 if right in "KQkq" else FILE_LETTERS.index(right.lower())
        if home < 0 and len(rooks) > 0:  # K and Q mean the outermost rook
            home = rooks[len(rooks) - 1] if right in "Kk" else rooks[0]
        is_short = home > king_file
        bit = (1 if is_short else 2) * (1 if is_white else 4)
        is_home = home in rook_files and home in rooks and men[back + king_file] == king
        is_other = right in "KkQq" and (right in "Kk") != is_short
        if side != 8 or not is_home or is_other or bit in rights:
            kings_at = [place for place in range(side) if men[back + place] == king]
            is_elsewhere = side == 8 and len(kings_at) == 1 and kings_at[0] != king_file
            if side == 8 and len(kings_at) == 1 and right in "KQkq":
                is_elsewhere = any((place > kings_at[0]) == (right in "Kk") for place in rooks)
            if is_elsewhere:
                start = f"{right} tells of a king or rook that begins elsewhere, and chess:start=0 to 959 has it"
                raise BadInput(f"{said} is a position of Chess960: {start}.")
            raise BadInput(f"{said} cannot arise: {right} says that king and rook have not moved.")
        rights = [*rights, bit]
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
    return [*[0 if man == "." else 1 + letters.index(man) for man in men], turn, sum(rights), passed, quiet]


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
def _place_of_square(names: list[str], word: str) -> int:
    """The place of a square of draughts by its name or its number; -1 if there is none."""
    found = [place for place, name in enumerate(names) if name == word or f"{place + 1}" == word]
    return found[0] if found else -1


@in_pages
def read_draughts_fen(text: str, said: str, most_quiet: int, names: list[str], first: str) -> list[int]:
    """A position of draughts.

    Args:
        text: FEN of PDN, `B:W21,K30:B1-4`, or who is to move, the squares of x and of o, K before a king's, and the
            quiet plies.
        said: the text in a sentence.
        most_quiet: plies without a jump or a man's move that make a draw; 0 if they are not counted.
        names: those of the squares, row by row from the top; in FEN their numbers are read as well.
        first: the letter of x's side in FEN: B where Black begins, and moves down; W where White does, and moves up.

    Raises:
        BadInput: as `read_chess_fen`.
    """
    found, second = _SIDES.fullmatch(" ".join(text.split())), "W" if first == "B" else "B"
    if not found or (found[2] in f"{second}o") == (found[4] in f"{second}o"):
        raise BadInput(
            f"{said} is not a position: write who is to move, the squares of x and of o, K before a king's, and the "
            f"plies since the last jump or man's move, as in x:x{names[0]},{names[1]},K{names[29]}:o{names[20]}:0."
        )
    half = 4 if len(names) == 32 else 5
    pieces, quiet = [0 for _ in names], int(found[6] or "0") if most_quiet > 0 else 0
    for owner, listed in ((found[2] in f"{second}o", found[3]), (found[4] in f"{second}o", found[5])):
        is_down = owner == (first == "W")
        for word in filter(None, listed.split(",")):
            men = _MEN.fullmatch(word)
            if not men:
                raise BadInput(f"{said} is not a position: {word} is no square.")
            start, last, is_king = (
                _place_of_square(names, men[2]),
                _place_of_square(names, men[3] or men[2]),
                men[1] != "",
            )
            if last < 0:
                raise BadInput(f"{said} is not a position: there is no square {word}; {len(names)} is the last one.")
            if start < 0 or any(pieces[square] > 0 for square in range(start, last + 1)):
                raise BadInput(f"{said} is not a position: there is no square {word}, or two pieces on it.")
            for place in range(len(names)):
                if place < start or place > last:
                    continue
                if not is_king and (place >= len(names) - half if is_down else place < half):
                    name = names[place]
                    raise BadInput(f"{said} cannot arise: a man on square {name} is crowned; write K{name}.")
                pieces[place] = 1 + 2 * int(owner) + int(is_king)
    x, o = len([man for man in pieces if man in (1, 2)]), len([man for man in pieces if man in (3, 4)])
    most = half * (half - 1)
    if max(x, o) > most:
        raise BadInput(f"{said} cannot arise: {most} pieces a side at most.")
    return [*pieces, int(found[1] in f"{second}o"), quiet]
