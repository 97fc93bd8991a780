"""Records of Reversi in GGF, and boards in a line, as programs of Othello write them: read.

GGF is the Generic Game Format of Michael Buro, skatgame.net/mburo/ggsa/ggf: properties between `(;` and `;)`, several
games in a line. A move is its square, what its player expected, and the seconds it took: `B[F5/1.20/0.5]`. A line of a
board has the squares from a1 to h8, `-`, `*` or `X`, `O`, then who is to move, and in OBF what each move is worth:
`---...--- X; F5:+2;`.
"""

import re
from collections.abc import Iterator

from plyground.errors import BadInput
from plyground.games import game_named
from plyground.play.record import UNREADABLE, Record, RecordedMove
from plyground.text import decimal_number, plain_name

OTHELLO = "reversi"
GGF_BEGINS = re.compile(r"[\s\d]*+\(\s*;\s*(?:[A-Za-z]{2}\[[^\]]{0,200}\]\s*){0,20}GM\[\s*[A-Za-z]")
"""The beginning of a file: its game is a word, and that of SGF a number; before it stands how many games follow."""
_GGF_TOKEN = re.compile(r"\(\s*;|;\s*\)|(?P<name>[A-Za-z]{1,9})\s*\[(?P<value>[^\]]*)\]?")
BOARD_LINE = re.compile(r"\s*(?P<cells>[-.*xXoO]{64})\s*(?P<mover>[*xXoO])\s*(?:[;%].*)?", re.DOTALL)
GGF_TAGS = {
    "PC": "Site",
    "DT": "Date",
    "PB": "Black",
    "PW": "White",
    "RB": "BlackElo",
    "RW": "WhiteElo",
    "TI": "TimeControl",
}
"""Tags of a record by the names that GGF has for them."""
RESULT_WORD_BY_UTILITY = {1: "0-1", 0: "1/2-1/2", -1: "1-0"}
"""Result word by who has won, 1 for Black, in whose view GGF has it: the word begins with White's number, as in PGN."""
_OUR_MARKS = str.maketrans("*xXoO-.", "xxxoo..")


def is_ggf(text: str) -> bool:
    """Whether a text is GGF."""
    return GGF_BEGINS.match(text) is not None


def ggf_records(text: str) -> Iterator[Record]:
    """The games of a text, whose moves no rule has seen, each with its faults and the name of its game."""
    values: list[tuple[str, str]] | None = None
    for token in _GGF_TOKEN.finditer(text):
        if token["name"]:
            if values is not None:
                values.append((token["name"].upper(), token["value"]))
            continue
        if values is not None:
            yield _record(values, is_whole=token[0].startswith(";"))
        values = [] if token[0].startswith("(") else None
    if values is not None:
        yield _record(values, is_whole=False)


def _record(values: list[tuple[str, str]], *, is_whole: bool) -> Record:
    record = Record(game=OTHELLO)
    said = {name: value.strip() for name, value in reversed(values) if name not in ("B", "W")}
    record.tags = {GGF_TAGS[name]: plain_name(value) for name, value in said.items() if name in GGF_TAGS}
    record.other = {name: [value] for name, value in said.items() if name not in (*GGF_TAGS, "GM", "SZ", "CO")}
    record.comment = plain_name(said.get("CO", ""))
    margin = decimal_number(said.get("RE", "").partition(":")[0])
    record.result = "" if margin is None else RESULT_WORD_BY_UTILITY[(margin > 0) - (margin < 0)]
    turn = 0
    try:
        record.game, record.start, turn = _board(said)
    except BadInput as fault:
        record.faults.append(str(fault))
        record.start = UNREADABLE
    if "KM" in said:
        record.remarks.append(
            f"It was played with a komi of {plain_name(said['KM'])[:40]}, which is not in the rules here."
        )
    for name, value in values:
        if name not in ("B", "W"):
            continue
        word, _, beside = value.partition("/")
        expected, _, seconds = beside.partition("/")
        mover = "BW".index(name)
        move = RecordedMove(_word(word), len(record.moves) - 1)
        # The order tells the mover, unless the file breaks it: then the rules see whether the other one passed.
        move.mover = None if mover == turn else mover
        told = (
            f"expected {plain_name(expected)}" * bool(expected.strip()),
            f"{plain_name(seconds)} s" * bool(seconds.strip()),
        )
        move.comment = ", ".join(filter(None, told))
        record.moves.append(move)
        turn = 1 - mover
    if not is_whole:
        record.faults.append(f"The record is cut off after move {len(record.moves)}: ;) is missing at its end.")
    return record


def _word(said: str) -> str:
    """A move as the rules read it: `F5` is f5, and `PA`, `PASS` or `--` a pass."""
    word = said.strip().lower()
    return "pass" if word in ("pa", "ps", "pass", "--") else word


def _board(said: dict[str, str]) -> tuple[str, str, int]:
    """The name of the game, its first position, and who begins.

    Raises:
        BadInput: it is a game or a board that is not here.
    """
    if said.get("GM", "").lower() != "othello":
        raise BadInput(f"This is {plain_name(said.get('GM', '?'))[:40]} (GM); records in GGF are of Othello here.")
    kind = said.get("TY", "").lower()
    if "a" in kind:
        raise BadInput(f"This is anti-Othello (TY {plain_name(kind)[:40]}), a game that is not here.")
    size, *cells = said.get("BO", "").split() or [""]
    *rows, mover = cells or [""]
    board = "".join(rows).translate(_OUR_MARKS)
    if "BO" not in said:
        spec = _spec("".join(re.findall(r"^\d+", kind)) or "8")
        rules = game_named(spec)
        return spec, rules.text(rules.initial()), 0
    if size == "88":
        raise BadInput("This is Othello on an octagonal board (BO 88), which is not here.")
    if not (size.isdecimal() and len(size) < 3 and len(board) == int(size) ** 2 and not set(board) - set("xo.")):
        raise BadInput(
            "BO in the record is no board: write its rows, as -, * and O, and then * or O for who is to move."
        )
    if mover not in ("*", "O"):
        raise BadInput("BO in the record does not say who is to move: write * or O behind the board.")
    return _spec(size), _state(board, mover), "*O".index(mover)


def _spec(size: str) -> str:
    return OTHELLO if size == "8" else f"{OTHELLO}:{size}"


def _state(board: str, mover: str) -> str:
    """A position in the text of our rules."""
    side = int(len(board) ** 0.5)
    rows = [board[start : start + side] for start in range(0, len(board), side)]
    return f"{'/'.join(rows).translate(_OUR_MARKS)}:{mover.translate(_OUR_MARKS)}"


def is_board_line(text: str) -> bool:
    """Whether the first line that says something is a board of Reversi."""
    lines = (line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("%"))
    return BOARD_LINE.fullmatch(next(lines, "")) is not None


def board_records(text: str) -> Iterator[Record]:
    """The positions of a text, one a line; what OBF says of moves stays in `other`."""
    for place, line in enumerate(text.splitlines(), start=1):
        bare, _, comment = line.partition("%")
        if not bare.strip():
            continue
        record = Record(game=OTHELLO, comment=plain_name(comment))
        if found := BOARD_LINE.fullmatch(bare):
            record.start = _state(found["cells"], found["mover"])
            worth = [each.strip() for each in bare.split(";")[1:] if each.strip()]
            record.other = {"moves": worth} if worth else {}
        else:
            record.start = UNREADABLE
            record.faults.append(f"Line {place} is no board: it has 64 of - * X O, and then X or O for who is to move.")
        yield record
