"""What people have of a position or a game, read and written: every notation has its one home here.

| notation | for example | of which games |
|---|---|---|
| our own | `d d d c`, a state, or a state and moves from it | all |
| FEN | `rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1`, `B:W21,K30:B1,2` | chess, draughts |
| without blanks | `44435`, `DDDCE`, `b2a1c3` | whose moves are one sign each, or letters and a number |
| PGN, PDN | `1. d d 2. d c`, with tags, comments, variations and a result (`pgn.py`) | all |
| SGF | `(;GM[11]SZ[5];B[a3])` (`sgf.py`) | Hex, Gomoku |
| a drawing | rows of `x`, `o` and `.`, with or without a frame, letters and numbers round it | on a grid of marks |
| JSON lines | a game that plyground kept | all: they name their game |

A move is whatever the game's `parse_move` reads, so a game with more than one notation for a move (columns of Connect
Four by letter or by number, chess as SAN and UCI) has them all, in all of these.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from plyground.errors import BadInput
from plyground.games import AnyGame, game_named
from plyground.play import pgn, sgf
from plyground.play.game_file import SPEC, end_line, game_in, head_line, move_lines, to_text
from plyground.position import Position
from plyground.rules import board_of
from plyground.text import plain

FREE = ".·_-+ "
"""How a free cell is drawn."""


@dataclass(frozen=True)
class Pasted:
    """What a text means: a position with the moves that led to it, and the name of its game."""

    game: str
    position: Position


@dataclass(frozen=True)
class Form:
    """A position or game in a notation that is read back."""

    name: str
    title: str
    text: str
    ending: str = "txt"
    """File ending."""


def named_in(text: str) -> str | None:
    """The name of the game that a text names, if it does: JSON lines do. Nothing of that game is looked at.

    Raises:
        BadInput: the name is longer than any, or holds what is no character.
    """
    if not text.lstrip().startswith("{"):
        return None
    try:
        name = str(json.loads(_json_lines(text)[0])["game"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    if len(name) > SPEC or plain(name) != name:
        raise BadInput(f"There is no game {name[:40]!r}: a game's name has at most {SPEC} characters, all visible.")
    return name


def pasted(spec: str, text: str, game: AnyGame | None = None) -> Pasted:
    """The position or game that a text means, in any notation.

    Args:
        spec: the game's name; JSON lines name another one.
        text: what was pasted.
        game: the rules, if they are at hand.

    Raises:
        BadInput: it is in none of them, or a move is not legal; the sentence says which.
    """
    if text.lstrip().startswith("{"):
        kept = game_in(_json_lines(text), "The text")
        return Pasted(kept.game, kept.position)
    return Pasted(spec, position_in(game_named(spec) if game is None else game, text))


def position_in(game: AnyGame, text: str) -> Position:
    """The same for a text that is of just this game; of several games in it, the first.

    Raises:
        BadInput: as `pasted`.
    """
    if text.lstrip().startswith("(;"):
        return _of_stones(game, sgf.records(text)[0])
    try:
        return Position.parse(game, text)
    except BadInput as fault:
        if (drawn := _drawn(game, text)) is not None:
            return drawn
        record = pgn.records(text, _results(game))[0]
        words = [step.word for step in record.moves]
        is_plain = words == text.split() and not any(len(_split(word)) > 1 for word in words)
        if not record.tags and (is_plain or not words):
            raise fault from None
        return played(game, record)


def played(game: AnyGame, record: pgn.Record) -> Position:
    """The main line of a record, played from where it begins: its tag FEN, or a state before the moves.

    Raises:
        BadInput: it begins where no game can, or a move is not legal; the sentence says which.
    """
    words: Sequence[str] = [step.word for step in record.moves]
    if "FEN" in record.tags:
        here = Position(game, game.parse_state(record.tags["FEN"]))
    else:
        here, words, _ = Position.begun(game, words)
    for word in words:
        try:
            here = _after(here, word)
            continue
        except BadInput as fault:
            if len(parts := _split(word)) == 1:
                at = _number(here, word) if record.is_numbered else f"{len(here.moves) + 1}"
                raise BadInput(f"Move {at}: {fault}") from None
        for part in parts:
            try:
                here = _after(here, part)
            except BadInput as fault:
                raise BadInput(f"{word!r}, move {len(here.moves) + 1}: {fault}") from None
    return here


def _after(here: Position, word: str) -> Position:
    """The position after a move; a pass that is the only legal move is made first, as most records leave it out."""
    try:
        return here.play(word)
    except BadInput:
        if len(here.legal_moves) != 1 or any(here.paths.values()):
            raise
        return here.play(here.legal_moves[0]).play(word)


def _number(here: Position, word: str) -> str:
    """The next move as it stands in a numbered text: `2. Nf3`, `2... Nc6`."""
    pair, second = divmod(len(here.moves) + _first(here), 2)
    return f"{pair + 1}{'...' if second else '.'} {word}"


def _first(here: Position) -> int:
    """1 if the second player of a pair of moves begins, else 0."""
    return int(here.game.to_move(here.start) != here.game.to_move(here.game.initial()))


def _of_stones(game: AnyGame, record: pgn.Record) -> Position:
    """The game of a record in SGF.

    Raises:
        BadInput: it is of another game or board, begins where no game can, or a move is not legal.
    """
    rows = _empty(game)
    asked, size = record.tags.get("GM"), sgf.size_of(record.tags)
    if game.record != "sgf" or (asked in sgf.GAMES and asked != dict(game.record_tags)["GM"]):
        raise BadInput(
            f"A record in SGF is of {sgf.GAMES.get(asked or '', 'Hex or Gomoku')}, and this is another game."
        )
    high, wide = len(rows), len(rows[0])
    if size and size != (high, wide):
        raise BadInput(
            f"The record is of a board of {size[0]} rows and {size[1]} columns; this one has {high} and {wide}."
        )
    for mark, name in zip(game.marks, ("AB", "AW"), strict=True):
        for row, column in sgf.stones_in(record.tags, name):
            if not (row < high and column < wide):
                raise BadInput(f"{name} in the record sets a stone outside the board.")
            rows[row][column] = mark
    begins = record.tags.get("PL", "")[:1].upper()
    mover = record.moves[0].mover if record.moves else None
    turn = sgf.COLOURS.index(begins) if begins in sgf.COLOURS else mover
    start = "/".join("".join(row) for row in rows)
    here = Position(game, game.parse_state(f"{start}:{game.marks[turn or 0]}"))
    for step in record.moves:
        if step.mover != here.to_move:
            said = f"{game.names[here.to_move]} is to move, not {game.names[step.mover or 0]}"
            raise BadInput(f"Move {len(here.moves) + 1}, {step.word}: {said}.")
        try:
            here = here.play(step.word)
        except BadInput as fault:
            raise BadInput(f"Move {len(here.moves) + 1}: {fault}") from None
    return here


def _empty(game: AnyGame) -> list[list[str]]:
    """The rows of a board in text, without a mark."""
    return [["."] * len(row) for row in game.text(game.initial()).partition(":")[0].split("/")]


def _results(game: AnyGame) -> tuple[str, ...]:
    """Result words of a game's records; PDN also counts two points for a win: `2-0`, `1-1`, `0-2`."""
    return (*pgn.RESULTS, "2-0", "1-1", "0-2") if game.record == "pdn" else pgn.RESULTS


def _json_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


def _split(word: str) -> list[str]:
    """A word without blanks as moves: signs, or letters with a number each."""
    if re.fullmatch(r"[0-9]+|[A-Za-z]+", word):
        return list(word)
    return re.findall(r"[A-Za-z]+\d+", word) if re.fullmatch(r"(?:[A-Za-z]+\d+){2,}", word) else [word]


def _rows(game: AnyGame, text: str) -> list[str] | None:
    """The rows of a drawn board, `x`, `o` or `.` for each cell; None if the text is no drawing."""
    lines = [line for line in text.splitlines() if line.strip()]
    grid = board_of(game).grid
    if grid is None or len(lines) < 2:
        return None
    first, second = game.marks
    marks = {first.lower(): first, second.lower(): second, "0": second} | dict.fromkeys([*FREE, ""], ".")
    rows = []
    for line in lines:
        bare = re.sub(r"[()*]", " ", line)
        if re.fullmatch(r"[\s+|┼│]*[-=─━][-=─━\s+|┼│]*", bare) and not re.fullmatch(r"\s*(?:-\s+)+-\s*", bare):
            continue
        if "|" in bare or "│" in bare:
            cells = [cell.strip() for cell in re.split(r"[|│]", bare)]
            if len(cells) > grid[1] and (not cells[0] or cells[0].isdigit()):  # what stands outside the frame
                cells = cells[1:]
            if len(cells) > grid[1] and not cells[-1]:
                cells = cells[:-1]
        else:
            cells = bare.split()
            cells = cells[1:] if len(cells) > 1 and cells[0].isdigit() and cells[0] != "0" else cells
            cells = list(cells[0]) if len(cells) == 1 else cells
        if all(cell.lower() in marks for cell in cells):
            rows.append("".join(marks[cell.lower()] for cell in cells))
    return rows or None


def _drawn(game: AnyGame, text: str) -> Position | None:
    """The position of a drawn board; None if the text is no drawing.

    Raises:
        BadInput: the drawing does not fit the board, or cannot arise.
    """
    if (rows := _rows(game, text)) is None:
        return None
    high, wide = board_of(game).grid or (0, 0)
    if len(rows) != high or any(len(row) != wide for row in rows):
        widths = sorted({len(row) for row in rows})
        raise BadInput(
            f"The drawing has {len(rows)} rows of {' or '.join(map(str, widths))} cells; "
            f"this board has {high} rows of {wide}."
        )
    said = text.lower()
    sides = zip(game.names, game.marks, strict=True)
    movers = [
        mark
        for name, mark in sides
        if re.search(rf"(?<!\S)(?:{re.escape(name.lower())}|{re.escape(mark.lower())}) to move", said)
    ]
    faults = []
    for mover in movers or game.marks:
        try:
            return Position(game, game.parse_state(f"{'/'.join(rows)}:{mover}"))
        except BadInput as fault:
            faults.append(fault)
    raise faults[0]


# -- writing -----------------------------------------------------------------------------------------------------------


TITLES = {"moves": "Moves", "numbered": "Numbered moves"}
"""Titles of the notations that a published page writes too, by their names."""


def forms(spec: str, position: Position, players: tuple[str, str] = ("human", "human")) -> list[Form]:
    """A position and the moves that led to it, in every notation that reads it back.

    Args:
        spec: the game's name.
        position: what to write.
        players: who plays, for records.
    """
    game, words = position.game, position.words
    is_whole = position.start == game.initial()
    before = [] if is_whole else [game.text(position.start)]
    found = [Form("moves", TITLES["moves"], " ".join([*before, *words]))]
    if words:
        pairs = pgn.numbered(position.notation, _first(position))
        found.append(Form("numbered", TITLES["numbered"], " ".join([*before, *pairs])))
    if words and is_whole and (digits := _digits(position)):
        found.append(Form("numbers", "Numbers, as Pascal Pons writes them", digits))
    if is_whole and (cells := _cells(position)):
        found.append(Form("cells", "Moves without blanks", cells))
    found.append(Form("position", "Position", position.text))
    if (fen := game.fen(position.state, _pair(position))) != position.text:
        found.append(Form("fen", "FEN", fen))
    if drawing := _drawing(position):
        found.append(Form("drawing", "Drawing", drawing))
    if game.record == "sgf":
        found.append(Form("sgf", "SGF", _stones(position), "sgf"))
    elif game.record:
        found.append(Form(game.record, game.record.upper(), _record(position, players), game.record))
    return [*found, Form("jsonl", "JSON lines", json_lines(spec, position, players), "jsonl")]


def _pair(position: Position) -> int:
    """The number of the pair of moves that comes next, from 1."""
    return (len(position.moves) + _first(position)) // 2 + 1


def _record(position: Position, players: tuple[str, str]) -> str:
    """A game in PGN or PDN; of a result the first number is White's."""
    game, white = position.game, position.game.names.index("White")
    tags = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?"}
    tags |= {"White": players[white], "Black": players[1 - white], "Result": _result(position, white)}
    tags |= dict(game.record_tags)
    if position.start != game.initial():
        tags |= {"SetUp": "1", "FEN": game.fen(position.start)}
    return pgn.written(tags, position.notation, tags["Result"], _first(position))


def _result(position: Position, white: int) -> str:
    if position.outcome is None:
        return "*"
    won = position.outcome * (1 - 2 * white)
    return "1-0" if won > 0 else "0-1" if won < 0 else "1/2-1/2"


def _stones(position: Position) -> str:
    """A game in SGF."""
    rows, _, mover = position.game.text(position.start).partition(":")
    marks = position.game.marks
    movers = map(position.game.to_move, position.states)
    moves = list(zip(movers, position.words, strict=False))
    return sgf.written(dict(position.game.record_tags), rows.split("/"), marks, marks.index(mover), moves)


def json_lines(spec: str, position: Position, players: tuple[str, str]) -> str:
    """A game as its file has it."""
    lines = [head_line(spec, position, players), *move_lines(position)]
    if position.outcome is not None:
        lines.append(end_line(position.outcome, position.result, None))
    return "".join(map(to_text, lines))


def _cells(position: Position) -> str:
    """The moves without blanks, where each is a letter and a number; a forced pass is left out."""
    played = zip(position.steps(), position.words, strict=False)
    words = [word for here, word in played if len(here.legal_moves) > 1 or any(here.paths.values())]
    return "".join(words) if len(words) > 1 and all(re.fullmatch(r"[a-z]\d+", word) for word in words) else ""


def _digits(position: Position) -> str:
    """The moves as digits without blanks, where each is one of `1` to `9` in a notation of the game's."""
    written = ""
    for step, move in zip(position.steps(), position.moves, strict=False):
        if (digit := _digit(step, move)) is None:
            return ""
        written += digit
    return written


def _digit(here: Position, move: int) -> str | None:
    for digit in "123456789":
        try:
            if here.legal(digit) == move:
                return digit
        except BadInput:
            continue
    return None


def _drawing(position: Position) -> str:
    """Rows of marks, if they mean the position."""
    rows = position.text.split(":")[0].split("/")
    drawing = "\n".join(" ".join(row) for row in rows)
    try:
        drawn = _drawn(position.game, drawing)
    except BadInput:
        return ""
    return drawing if drawn and drawn.state == position.state else ""
