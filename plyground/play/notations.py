"""What people have of a position or a game, read and written: every notation has its one home here.

| notation | for example | of which games |
|---|---|---|
| our own | `d d d c`, a state, or a state and moves from it | all |
| without blanks | `44435`, `DDDCE`, `b2a1c3` | whose moves are one sign each, or letters and a number |
| numbered | `1. d d 2. d c`, with headers, comments and a result, as PGN has them | all |
| a drawing | rows of `x`, `o` and `.`, with or without a frame, letters and numbers round it | on a grid of marks |
| JSON lines | a game that plyground kept | all: they name their game |

A move is whatever the game's `parse_move` reads, so a game with more than one notation for a move (columns of Connect
Four by letter or by number, chess in two forms) has them all, in all of these.
"""

import json
import re
from dataclasses import dataclass

from plyground.errors import BadInput
from plyground.games import AnyGame, game_named
from plyground.play.game_file import SPEC, end_line, game_in, head_line, move_lines, to_text
from plyground.position import Position
from plyground.rules import board_of
from plyground.text import plain

FREE = ".·_-+ "
"""How a free cell is drawn."""
RESULTS = ("1-0", "0-1", "1/2-1/2", "½-½", "*")


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
    """The same for a text that is of just this game.

    Raises:
        BadInput: as `pasted`.
    """
    try:
        return Position.parse(game, text)
    except BadInput as fault:
        if (drawn := _drawn(game, text)) is not None:
            return drawn
        plain = _plain(text)
        if plain.split() == text.split() and not any(len(_split(word)) > 1 for word in plain.split()):
            raise fault from None
        return _played(game, plain)


def _json_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


def _plain(text: str) -> str:
    """A list of moves without what stands round them: headers, comments, numbers, a result."""
    text = re.sub(r"^[ \t]*+\[[^\]\n]*+\][ \t]*$", " ", text, flags=re.MULTILINE)
    text = re.sub(r"\{[^}]*+(?:\}|\Z)|;[^\n]*", " ", text)
    text = re.sub(r"(?<!\S)\d+\.+\s*", " ", text)
    words = text.split()
    return " ".join(words[:-1] if words and words[-1] in RESULTS else words)


def _split(word: str) -> list[str]:
    """A word without blanks as moves: signs, or letters with a number each."""
    if re.fullmatch(r"[0-9]+|[A-Za-z]+", word):
        return list(word)
    return re.findall(r"[A-Za-z]+\d+", word) if re.fullmatch(r"(?:[A-Za-z]+\d+){2,}", word) else [word]


def _played(game: AnyGame, text: str) -> Position:
    """Moves, one after another, each a word or several without blanks between; a state may stand before them."""
    words = text.split()
    here = Position.initial(game)
    if words and "/" in words[0] and not _is_move(here, words[0]):
        here, words = Position(game, game.parse_state(words[0])), words[1:]
    for word in words:
        try:
            here = here.play(word)
            continue
        except BadInput as fault:
            if len(parts := _split(word)) == 1:
                raise BadInput(f"Move {len(here.moves) + 1}: {fault}") from None
        for part in parts:
            try:
                here = here.play(part)
            except BadInput as fault:
                raise BadInput(f"{word!r}, move {len(here.moves) + 1}: {fault}") from None
    return here


def _is_move(here: Position, word: str) -> bool:
    """Whether a word is a legal move: some games write a slash in a move, as all write it in a state."""
    try:
        return bool(here.play(word))
    except BadInput:
        return False


def _rows(game: AnyGame, text: str) -> list[str] | None:
    """The rows of a drawn board, `x`, `o` or `.` for each cell; None if the text is no drawing."""
    lines = [line for line in text.splitlines() if line.strip()]
    grid = board_of(game).grid
    if grid is None or len(lines) < 2:
        return None
    first, second = game.names
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
    said = re.search(r"(?<!\S)(\S++) to move", text)
    movers = [name for name in game.names if said and said[1].lower() == name.lower()] or list(game.names)
    faults = []
    for mover in movers:
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
        players: who plays, for JSON lines.
    """
    words = position.words
    before = [] if position.start == position.game.initial() else [position.game.text(position.start)]
    found = [Form("moves", TITLES["moves"], " ".join([*before, *words]))]
    if words:
        found.append(Form("numbered", TITLES["numbered"], " ".join([*before, *_numbered(words)])))
    if words and not before and (digits := _digits(position)):
        found.append(Form("numbers", "Numbers, as Pascal Pons writes them", digits))
    found.append(Form("position", "Position", position.text))
    if drawing := _drawing(position):
        found.append(Form("drawing", "Drawing", drawing))
    return [*found, Form("jsonl", "JSON lines", json_lines(spec, position, players))]


def json_lines(spec: str, position: Position, players: tuple[str, str]) -> str:
    """A game as its file has it."""
    lines = [head_line(spec, position, players), *move_lines(position)]
    if position.outcome is not None:
        lines.append(end_line(position.outcome, position.result, None))
    return "".join(map(to_text, lines))


def _numbered(words: list[str]) -> list[str]:
    return [f"{place // 2 + 1}. {word}" if place % 2 == 0 else word for place, word in enumerate(words)]


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
