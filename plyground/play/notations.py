"""Notations of positions and games, read and written: the table below lists all.

| notation | for example | of which games |
|---|---|---|
| our own | `d d d c`, a state, or a state and moves from it | all |
| FEN | `rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1`, `B:W21,K30:B1,2` | chess, draughts |
| without blanks | `44435`, `DDDCE`, `b2a1c3` | whose moves are one sign each, or letters and a number |
| PGN, PDN | `1. d d 2. d c`, with tags, comments, variations and a result (`pgn.py`) | all |
| SGF | `(;GM[11]SZ[5];B[a3])` (`sgf.py`) | Hex, Gomoku |
| GGF, boards in a line | `(;GM[Othello]B[F5]W[D6];)` (`naming_formats.py` lists these) | one kind of game each |
| a drawing | rows of `x`, `o` and `.`, with or without a frame, letters and numbers round it | on a grid of marks |
| JSON lines | a game that plyground kept | all: they name their game |

A move is whatever the game's `parse_move` reads, so a game with more than one notation for a move (columns of Connect
Four by letter or by number, chess as SAN and UCI) has them all, in all of these.
"""

import json
import re
from contextlib import suppress
from dataclasses import dataclass, replace

from plyground.errors import BadInput
from plyground.games import AnyGame, game_named
from plyground.play import drawing
from plyground.play.ending import SGF_ENDINGS, Ending
from plyground.play.formats import pgn, sgf
from plyground.play.formats.naming_formats import naming_format
from plyground.play.game_file import SPEC, end_line, game_in, head_line, move_lines, to_text
from plyground.play.record import (
    DISCS,
    ROOT,
    UNREADABLE,
    Record,
    RecordedMove,
    check_record,
    follow_main_line,
    of_position,
)
from plyground.play.variants import SGF_TYPES, spec_by_tags
from plyground.position import Position
from plyground.rules import board_of
from plyground.score import Score
from plyground.text import moves_in, plain

_GAME_TAG = re.compile(r'\[Game "([^"\n]{1,999})"\]')
"""The first tag of a record in PGN of a game whose players have no file format."""

_PGN_SHOWS = re.compile(r'\{|\[\s*\w+\s+"|(?<!\S)\d+\.')
"""A comment, a tag or a move's number: they stand in PGN, and not before a record in SGF."""
GIVEN = "the game"
"""Name of a game whose rules are given without one."""
LINES_TRIED = 20
"""Lines that are played to see whether a text has a game in each: a text may have thousands of lines."""


@dataclass(frozen=True)
class Pasted:
    """Meaning of a text: a position with the moves that led to it, and the name of its game."""

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
    """The name of the game that a text names, if it does. Nothing of that game is looked at.

    JSON lines name their game, SGF its number and the board's size, and PGN of ours has a tag `Game`.

    Raises:
        BadInput: the name is longer than any, or holds what is no character.
    """
    if found := naming_format(text):
        return next(found.records(text)).game
    return stones_spec(next(sgf.records(text))) if is_sgf(text) else tagged_in(text)


def tagged_in(text: str) -> str | None:
    """The name of a game in JSON lines or a tag: it may be any text. SGF, which has a number, names games of ours only.

    Raises:
        BadInput: as `named_in`.
    """
    bare = text.lstrip("\ufeff \t\r\n")
    if found := _GAME_TAG.match(bare):
        name = found[1]
    elif is_json(bare):
        try:
            name = str(json.loads(_json_lines(bare)[0])["game"])
        except (ValueError, KeyError, TypeError, RecursionError):
            return None
    else:
        return None
    return require_name(name)


def require_name(name: str) -> str:
    """A game's name, as a file has it.

    Raises:
        BadInput: it is longer than any, or holds what is no character.
    """
    if len(name) > SPEC or plain(name) != name:
        raise BadInput(f"There is no game {name[:40]!r}: a game's name has at most {SPEC} characters, all visible.")
    return name


def is_json(text: str) -> bool:
    """Whether a text is a game that plyground kept; a comment of PGN begins with a brace, too."""
    return re.match(r'\s*\{\s*(?:["}]|$)', text) is not None


def is_sgf(text: str) -> bool:
    """Whether a text is SGF: its brackets begin before any tag, brace or number of a move does."""
    begins = sgf.SGF_BEGINS.search(text)
    return begins is not None and not _PGN_SHOWS.search(text, 0, begins.start())


def stones_spec(record: Record) -> str | None:
    """The game of a record in SGF with the size of its board, by name; None where it says neither.

    Raises:
        BadInput: it is of a game that is not here.
    """
    size = sgf.size_of(record)
    game = spec_by_tags({"GM": sgf.game_of(record)})
    if game == "hex" and size and size[0] == size[1]:
        return f"hex:{size[0]}{',swap=true' if any(move.word == 'swap' for move in record.moves) else ''}"
    if game == "gomoku":
        return "gomoku" if size in (None, (15, 15)) else f"gomoku:{size[0]},{size[1]}"
    return None


def parse_pasted(spec: str, text: str, game: AnyGame | None = None) -> Pasted:
    """The position or game that a text means, in any notation; of several games, the main line of the first.

    Args:
        spec: the game's name; a text that names its game is of that one.
        text: what was pasted.
        game: the rules, if they are at hand.

    Raises:
        BadInput: it is in none of them, or a move is not legal; the sentence says which.
    """
    if is_json(text):
        kept = game_in(_json_lines(text), "The text")
        return Pasted(kept.game, kept.position)
    named, game = meant_game(spec, text, game)
    return Pasted(named, position_in(game, text))


def meant_game(spec: str, text: str, game: AnyGame | None = None) -> tuple[str, AnyGame]:
    """The game that a text is of: the one that is asked for, unless the text names another kind or size."""
    if found := naming_format(text):
        return game_of_named(next(found.records(text)), spec, game)
    if is_sgf(text):
        return game_of_stones(next(sgf.records(text)), spec, game)
    return _named_or(named_in(text), spec, game)


def _named_or(named: str | None, spec: str, game: AnyGame | None) -> tuple[str, AnyGame]:
    asked = game_named(spec) if game is None else game
    if named is None or game_named(named) == asked or named == spec.partition(":")[0]:
        return spec, asked
    return named, game_named(named)


def game_of_stones(record: Record, spec: str, game: AnyGame | None = None) -> tuple[str, AnyGame]:
    """The game of a record in SGF: the one that is asked for, unless the record is of another kind or size."""
    named = stones_spec(record)
    if spec and named and "swap" not in named:
        with suppress(BadInput):
            asked = game_named(spec) if game is None else game
            _stones_start(asked, record)
            return spec, asked
    return _named_or(named, spec or named or "", game)


def game_of_named(record: Record, spec: str, game: AnyGame | None = None) -> tuple[str, AnyGame]:
    """The game of a record that names its own: the one that is asked for, unless that is of another kind or board.

    Raises:
        BadInput: it is of a board that is not here.
    """
    named = game_named(record.game)
    if spec:
        asked = game_named(spec) if game is None else game
        if type(asked) is type(named) and (
            asked == named or asked.text(asked.initial()) == named.text(named.initial())
        ):
            return spec, asked
    return record.game, named


def games_by_words(game: AnyGame, text: str) -> list[Record] | None:
    """The games of a text that has one in each word, `f5d6c3`, as the first of them show; None for any other text."""
    lines = text.split()
    if len(lines) > 1 and all(len(moves_in(line)) > 1 for line in lines):
        with suppress(BadInput):
            first = [of_position(position_in(game, line)) for line in lines[:LINES_TRIED]]
            return first + [_unread(line) for line in lines[LINES_TRIED:]]
    return None


def _unread(line: str) -> Record:
    """A line of moves without blanks, as a record whose moves no rule has seen."""
    return Record(moves=[RecordedMove(word, ply - 1) for ply, word in enumerate(moves_in(line))])


def read_record(game: AnyGame, record: Record) -> Record:
    """A record as its rules read it, by `check_record`, from where it begins. A result that its moves refute is theirs.

    A record of another game or board, or that begins where no game can, keeps its moves as they are written.
    """
    try:
        if record.start == UNREADABLE:
            raise BadInput(record.faults[-1])
        begun, start = beginning_of(game, record)
    except BadInput as fault:
        moves = [replace(move, is_unread=True) for move in record.moves]
        faults = [each for each in record.faults if each != str(fault)]
        return replace(record, moves=moves, start=UNREADABLE, faults=[*faults, str(fault)])
    line = follow_main_line(begun, start)
    read = check_record(begun, start, line)
    goes_on = line is not None and not line.is_over
    return read if read.faults or goes_on else _by_moves(read, read.position(game))


def position_in(game: AnyGame, text: str) -> Position:
    """The position of a text that is of just this game, as `parse_pasted` reads it.

    Raises:
        BadInput: as `parse_pasted`.
    """
    if found := naming_format(text):
        record = next(found.records(text))
        if game_of_named(record, GIVEN, game)[1] is not game:
            raise BadInput(f"This is a game of {record.game}, and another one is asked for.")
        return play_record(game, record)
    if is_sgf(text):
        return play_record(game, next(sgf.records(text)))
    try:
        return Position.parse(game, text)
    except BadInput as fault:
        if (drawn := drawing.position_in(game, text)) is not None:
            return drawn
        record = next(pgn.records(text, result_words(game)))
        words = record.words()
        is_plain = words == text.split() and not any(len(moves_in(word)) > 1 for word in words)
        first = text.split()[0] if text.split() else ""
        is_state = first.startswith(".") or (
            re.search("/|^[BWxo]:", first) is not None and first not in pgn.RESULT_WORDS
        )
        if not record.tags and (is_plain or is_state or not (words or record.result)):
            raise fault from None
        return play_record(game, record)


def play_record(game: AnyGame, record: Record) -> Position:
    """The end of the main line of a record, played from where it begins.

    Raises:
        BadInput: something is wrong with it; the sentence says what.
    """
    read = read_record(game, record)
    if read.faults:
        raise BadInput(read.faults[0])
    return read.position(game)


def beginning_of(game: AnyGame, record: Record) -> tuple[Record, Position]:
    """A record without the words of the state that it begins with, and that position; by default the initial one.

    Raises:
        BadInput: it is of another game or board, or begins where no game can.
    """
    if record.start:
        return record, Position.starting(game, record.start)
    if (
        sgf.game_of(record)
        or "SZ" in record.other
        or any(move.mover is not None for move in record.moves if not move.notation)
    ):
        return record, _stones_start(game, record)
    named = spec_by_tags(record.tags)
    if named and not isinstance(game, type(game_named(named))):
        wanted = " ".join(f"({tag} {record.tags[tag]})" for tag in ("Variant", "GameType") if tag in record.tags)
        raise BadInput(f"The record is of {named} {wanted}, and this is another game.")
    if game.record == "pdn":
        squares = [int(square) for move in record.moves for square in re.findall("[0-9]{1,2}", move.word)]
        if squares and max(squares) > (largest := len(board_of(game).places)):
            said = f"it has a square {max(squares)}, and the board of {named or 'draughts'} has {largest}"
            raise BadInput(f"This is draughts on a larger board: {said}.")
    if "FEN" in record.tags:
        start, remarks = parse_fen(game, record.tags["FEN"])
        return replace(record, remarks=[*record.remarks, *remarks]), start
    line = record.main_line()
    here, words, _ = Position.parse_beginning(game, [record.moves[row].word for row in line])
    # Words of a state at the beginning were read as moves: their rows go, and the rows after them move up.
    gone = {ROOT, *line[: len(line) - len(words)]}
    if len(gone) == 1:
        return record, here
    rows = [row for row in range(len(record.moves)) if row not in gone]
    places = {row: place for place, row in enumerate(rows)}
    moves = [replace(record.moves[row], after=places.get(record.moves[row].after, ROOT)) for row in rows]
    return replace(record, moves=moves), here


def parse_fen(game: AnyGame, text: str) -> tuple[Position, list[str]]:
    """A position as a file has it, and what of it is left out: in chess rights to castle and to take in passing that no
    piece can have, which other programs write.

    Raises:
        BadInput: no game can come to it.
    """
    try:
        return Position.starting(game, text), []
    except BadInput as fault:
        words = text.replace("_", " ").split()
        if game.record != "pgn" or len(words) < 4 or "Chess960" in str(fault):
            raise
        board, turn, rights, passed, *counters = words
        have = [right for right in rights if _is_position(game, f"{board} {turn} {right} - 0 1")]
        may_pass = _is_position(game, f"{board} {turn} - {passed} 0 1")
        start = Position.starting(
            game, " ".join([board, turn, "".join(have) or "-", passed if may_pass else "-", *counters])
        )
    gone = "".join(right for right in rights if right not in have)
    remarks = [f"The right to castle {gone} is left out: king and rook do not stand where they begin."] if gone else []
    return start, remarks + ([] if may_pass else [f"{passed} is left out: no pawn can just have passed it."])


def _is_position(game: AnyGame, text: str) -> bool:
    try:
        game.parse_state(text)
    except BadInput:
        return False
    return True


def _stones_start(game: AnyGame, record: Record) -> Position:
    """Start position of a record in SGF.

    Raises:
        BadInput: it is of another game or board, or begins where no game can.
    """
    asked, size = spec_by_tags({"GM": sgf.game_of(record)}), sgf.size_of(record)
    if game.record != "sgf" or (asked and not isinstance(game, type(game_named(asked)))):
        name = SGF_TYPES.get(sgf.game_of(record), "Hex or Gomoku")
        raise BadInput(f"The record in SGF is of {name}, and this is another game.")
    rows = [["."] * len(row) for row in game.text(game.initial()).partition(":")[0].split("/")]
    high, wide = len(rows), len(rows[0])
    if size and size != (high, wide):
        raise BadInput(
            f"The record is of a board of {size[0]} rows and {size[1]} columns; this one has {high} and {wide}."
        )
    for mark, name in zip((*game.marks, "."), sgf.SET_UP, strict=True):
        for row, column in sgf.stones_in(record, name):
            if not (row < high and column < wide):
                raise BadInput(f"{name} in the record sets a stone outside the board.")
            rows[row][column] = mark
    begins = "".join(record.other.get("PL", []))[:1].upper()
    mover = record.moves[0].mover if record.moves else None
    turn = {"B": 0, "1": 0, "W": 1, "2": 1}.get(begins, mover)
    start = "/".join("".join(row) for row in rows)
    return Position(game, game.parse_state(f"{start}:{game.marks[turn or 0]}"))


def result_words(game: AnyGame) -> tuple[str, ...]:
    """Result words of a game's records."""
    return pgn.RESULTS_OF_PDN if game.record == "pdn" else pgn.RESULT_WORDS


def _json_lines(text: str) -> list[str]:
    return [line for line in text.lstrip("\ufeff").splitlines() if line.strip()]


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
    words = position.words
    before = list(filter(None, [position.start_text]))
    is_whole = not before
    found = [Form("moves", TITLES["moves"], " ".join([*before, *words]))]
    if words:
        pairs = pgn.numbered_moves(position.notation, position.plies_before)
        found.append(Form("numbered", TITLES["numbered"], " ".join([*before, *pairs])))
    if words and is_whole and (digits := _moves_as_digits(position)):
        found.append(Form("numbers", "Numbers, as Pascal Pons writes them", digits))
    if is_whole and (cells := _cells(position)):
        found.append(Form("cells", "Moves without blanks", cells))
    found.append(Form("position", "Position", position.text))
    if position.fen != position.text:
        found.append(Form("fen", "FEN", position.fen))
    if drawn := drawing.draw_rows(position):
        found.append(Form("drawing", "Drawing", drawn))
    found.append(record_form(spec, position, players=players))
    return [*found, Form("jsonl", "JSON lines", json_lines(spec, position, players), "jsonl")]


def record_form(
    spec: str, position: Position, record: Record | None = None, players: tuple[str, str] = ("?", "?")
) -> Form:
    """A whole game in the file format of its players, with variations and comments; PGN where they have none.

    Args:
        spec: the game's name.
        position: the end of the main line.
        record: the game, checked; by default the moves that led to the position.
        players: who plays, where the record does not say; a question mark for an unknown one, as PGN has it.
    """
    game, record = position.game, record or of_position(position)
    if game.record == "sgf":
        return Form("sgf", "SGF", _sgf_game(position, record), "sgf")
    name = game.record or "pgn"
    return Form(name, name.upper(), _record(spec, position, record, players), name)


def player_tags(game: AnyGame) -> tuple[str, str]:
    """The tags that name the players of a record: `White` and `Black`, `Red` and `Yellow`, `Player1` and `Player2`."""
    if game.record == "sgf":
        return ("Black", "White")
    first, second = (re.sub(r"\W", "", name.capitalize(), flags=re.ASCII) for name in game.names)
    return (first, second) if first and second and first != second else ("First", "Second")


def _record(spec: str, position: Position, record: Record, players: tuple[str, str]) -> str:
    """A game in PGN or PDN; the players' tags stand in the order of the result's numbers."""
    game, first = position.game, Position.starting(position.game, record.start)
    sides = [*zip(player_tags(game), players, strict=True)][:: -1 if _is_second_first(game) else 1]
    tags = {} if game.record else {"Game": spec}
    tags |= {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?"} | dict(sides)
    tags |= {"Result": record.result or result_word(game, position.outcome)}
    tags |= dict(game.record_tags) | {name: value for name, value in record.tags.items() if name != "Result"}
    if not record.start and not game.tells_start:
        tags = {name: value for name, value in tags.items() if name not in ("SetUp", "FEN")}
    elif "FEN" not in tags or Position.starting(game, tags["FEN"]) != first:
        tags |= {"SetUp": "1", "FEN": first.fen}
    return pgn.write_pgn(record, tags, first.plies_before)


# -- results -----------------------------------------------------------------------------------------------------------


def _is_second_first(game: AnyGame) -> bool:
    """Whether a result begins with the second player's number.

    PGN begins with White's, also where Black moves first, and with the first player's where there is no White. PDN
    begins with that of the player who moves first, in English draughts Black (PDN 2.0, draft of 2003, 6.1.1.1.1.5).
    """
    return game.names[1] == "White" and game.record != "pdn"


def result_word(game: AnyGame, utility: int | None, ending: Ending = Ending.NORMAL) -> str:
    """The result of a game in the words of its records; `result_utility` reads it.

    Args:
        game: the game.
        utility: for the first player; None: it has not ended.
        ending: how it has ended, which SGF has in its result.
    """
    if game.record == "sgf":
        if not utility:
            return "" if utility is None else "0"
        return f"{sgf.COLOURS[utility < 0]}+{SGF_ENDINGS.get(ending, '')}"
    if utility is None:
        return "*"
    won = -utility if _is_second_first(game) else utility
    return "1-0" if won > 0 else "0-1" if won < 0 else "1/2-1/2"


def result_utility(game: AnyGame, word: str) -> int | None:
    """Winner by a record's result: 1 the first player, -1 the second one, 0 for a draw; None where it does not say."""
    if game.record == "sgf":
        return sgf.WINNERS.get(word.strip()[:1].upper())
    won = pgn.RESULT_UTILITIES.get(word.strip())
    return -won if won and _is_second_first(game) else won


def result_text(game: AnyGame, word: str) -> str:
    """A record's result for people: `Black wins`, which no order of names can turn round, or `left unfinished`."""
    if (utility := result_utility(game, word)) is not None:
        return Score(utility).text(game.names)
    return "left unfinished" if word == "*" else word


def _by_moves(record: Record, end: Position) -> Record:
    """The record with the result of its last position, where that is won on the board and the record has another one:
    a slip, or the other player's number first. What it says of discs is then wrong too, and left out."""
    said, won = result_utility(end.game, record.result), end.outcome or 0
    # A draw by the moves, or an unfinished game, refutes nothing: players agree on draws and resign.
    if said is None or not won or said * won > 0:
        return record
    right = result_word(end.game, won)
    told = f"{result_text(end.game, right)} by the moves, and the record has {record.result}: the moves count."
    tags = {name: said for name, said in record.tags.items() if name not in DISCS}
    tags |= {"Result": right} if "Result" in tags else {}
    return replace(record, tags=tags, result=right, remarks=[*record.remarks, told])


def _sgf_game(position: Position, record: Record) -> str:
    """A game in SGF."""
    rows, _, mover = position.game.text(Position.starting(position.game, record.start).start).partition(":")
    marks = position.game.marks
    result = record.result or result_word(position.game, position.outcome)
    tags = dict(position.game.record_tags)
    return sgf.write_sgf(record, tags, rows.split("/"), marks, marks.index(mover), result)


def json_lines(spec: str, position: Position, players: tuple[str, str]) -> str:
    """A game as its file has it."""
    lines = [head_line(spec, position, players), *move_lines(position)]
    if position.outcome is not None:
        lines.append(end_line(position.outcome, position.result, None, Ending.NORMAL))
    return "".join(map(to_text, lines))


def _cells(position: Position) -> str:
    """The moves without blanks, where each is a letter and a number; a forced pass is left out."""
    played = zip(position.steps(), position.words, strict=False)
    words = [word for here, word in played if not here.must_pass]
    return "".join(words) if len(words) > 1 and all(re.fullmatch(r"[a-z]\d+", word) for word in words) else ""


def _moves_as_digits(position: Position) -> str:
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
