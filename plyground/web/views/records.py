"""Whole games with variations and comments: read from a text, and written as a file."""

from base64 import b64decode
from dataclasses import replace
from typing import Annotated

from pydantic import Field

from plyground.errors import BadInput
from plyground.play.notations import player_tags, read_record, record_form, result_text
from plyground.play.record import NULL_MOVES, ROOT, UNREADABLE, Record, RecordedMove
from plyground.play.record_file import ReadingOptions, Records
from plyground.web.views import models as m
from plyground.web.views.analysis import FormView
from plyground.web.views.positions import position_at

Words = Annotated[str, Field(max_length=10_000)]
Glyphs = Annotated[list[Annotated[int, Field(ge=0, le=999)]], Field(max_length=20)]
Tags = Annotated[dict[Annotated[str, Field(pattern=r"^\w{1,40}$")], Words], Field(max_length=100)]
MOST_ROWS = 10_000
"""Moves of a record, at most."""


class ReadRecord(m.Edit):
    """Ask for a game of a text."""

    number: Annotated[int, Field(ge=0)] = 0
    """Number of the game that is meant, from 0, in the order of the text."""
    usual: m.GameSpec = ""
    """Game to prefer where `game` is empty and several games read the text equally well."""
    wthor: Annotated[str, Field(max_length=60_000, pattern=r"^[A-Za-z0-9+/]*={0,2}$")] = ""
    """In place of the text a file of WTHOR, which is not text, in Base64; its games are of Reversi."""


class RecordRow(m.Model):
    """A move of a record, with its comments, glyphs and clock."""

    move: m.MoveText
    after: Annotated[int, Field(ge=ROOT)]
    """Row of the move that it follows, above it in the table; -1 for a first move. Of the moves after one row the first
    goes on with its line, and the others are variations."""
    notation: Words = ""
    """The move as players of the game write it; empty in questions."""
    before: Words = ""
    """Comment in front of the move, which introduces a variation."""
    comment: Words = ""
    glyphs: Glyphs = Field(default_factory=list)
    """Numeric annotation glyphs (NAGs): 1 is !, 2 is ?, 3 is !!, 4 is ??, 5 is !?, 6 is ?!."""
    clock: Annotated[float, Field(ge=0, lt=3_600_000)] | None = None
    """Seconds that are left on the mover's clock after the move."""


class RecordText(m.Model):
    """Ask for a game with its variations as a file."""

    game: m.GameSpec
    start: m.StateText = ""
    tags: Tags = Field(default_factory=dict)
    """Tags of the whole game, by PGN's names: `White`, `Event`, `Date`."""
    comment: Words = ""
    """Comment before the first move."""
    result: Annotated[str, Field(max_length=20)] = ""
    """Result as its file writes it; where it is empty, it is taken from the end of the main line."""
    moves: list[RecordRow] = Field(default_factory=list, max_length=MOST_ROWS)


class RecordView(m.Model):
    """A game with its variations, checked by its rules."""

    start: str
    """The state before the first move; empty for the initial one."""
    tags: dict[str, str]
    players: dict[m.Side, str]
    """Player of each side; empty where the record does not say."""
    comment: str
    result: str
    moves: list[RecordRow]
    faults: list[str]
    """Sentences on what is wrong: a move of the main line that is not legal, and with those after it not in `moves`."""
    remarks: list[str]
    """Sentences on what a reader should know: a draw that was not claimed, a variation that could not be read."""


class RecordHeadView(m.Model):
    """A game of a text, before its moves are looked at."""

    game: str
    tags: dict[str, str]
    players: dict[m.Side, str]
    result: str
    """As the file writes it."""
    ended: str
    """The result in words, `Black wins`."""
    plies: int
    """Moves of its main line, as they are written."""
    faults: list[str]
    """Sentences on what is wrong with its text: a bracket that is not closed."""


class RecordsView(m.Model):
    """The games of a text, and one of them whole."""

    game: str
    """The game's name; a text may name another one than was asked for."""
    games: list[RecordHeadView]
    record: RecordView


def read(args: ReadRecord) -> RecordsView:
    """The games that a text has, and one of them with its variations and comments."""
    games = [*_records(args).games()]
    chosen = games[min(args.number, len(games) - 1)]
    heads = [
        RecordHeadView(
            game=each.spec,
            tags=each.written.tags,
            players=_players(each.written, player_tags(each.rules)),
            result=each.written.result,
            ended=result_text(each.rules, each.written.result),
            plies=len(each.written.main_line()),
            faults=each.written.faults,
        )
        for each in games
    ]
    return RecordsView(game=chosen.spec, games=heads, record=_view(chosen.read(), player_tags(chosen.rules)))


def _records(args: ReadRecord) -> Records:
    """The games of a text, whose moves no rule has seen yet.

    Raises:
        BadInput: the text or file is in no notation.
    """
    if args.wthor:
        try:
            data = b64decode(args.wthor, validate=True)
        except ValueError:
            raise BadInput("The file is cut off: its Base64 is not whole.") from None
        return Records(lambda: iter([data]))
    asked = position_at(m.At(game=args.game)).game if args.game else None
    return Records.of_text(args.text, args.game, ReadingOptions(asked, args.usual))


def _players(record: Record, sides: tuple[str, str]) -> dict[m.Side, str]:
    return {"x": record.tags.get(sides[0], ""), "o": record.tags.get(sides[1], "")}


def _visible_moves(record: Record) -> tuple[list[RecordedMove], list[str]]:
    """The moves that a page can show: those that the rules have read, up to a null move; and the remarks."""
    places, moves, remarks = {ROOT: ROOT}, list[RecordedMove](), [*record.remarks]
    for row, move in enumerate(record.moves):
        if move.after not in places or move.is_unread:
            continue
        if move.word in NULL_MOVES:
            remarks.append(f"The null move {move.word} and what follows it are not shown here.")
            continue
        places[row] = len(moves)
        moves.append(replace(move, after=places[move.after]))
    return moves, remarks


def _view(record: Record, sides: tuple[str, str]) -> RecordView:
    moves, remarks = _visible_moves(record)
    return RecordView(
        start="" if record.start == UNREADABLE else record.start,
        tags=record.tags,
        players=_players(record, sides),
        comment=record.comment,
        result=record.result,
        faults=record.faults,
        remarks=remarks,
        moves=[
            RecordRow(
                move=move.word,
                after=move.after,
                notation=move.notation,
                before=move.before,
                comment=move.comment,
                glyphs=move.glyphs,
                clock=move.clock,
            )
            for move in moves
        ],
    )


def write(args: RecordText) -> FormView:
    """A game with its variations as a file of its players' format.

    Raises:
        BadInput: a move of the main line is not legal, or stands above the one that it follows.
    """
    rules = position_at(m.At(game=args.game)).game
    # A move stands below its predecessor: so the table is a tree, and one pass reads it.
    if any(move.after >= row for row, move in enumerate(args.moves)):
        raise BadInput("Each move of a record stands below the one that it follows.")
    moves = [
        RecordedMove(
            row.move, row.after, before=row.before, comment=row.comment, glyphs=list(row.glyphs), clock=row.clock
        )
        for row in args.moves
    ]
    start = args.start or rules.text(rules.initial())
    record = Record(dict(args.tags), args.comment, moves, args.result, start)
    checked = read_record(rules, record)
    if checked.faults:
        raise BadInput(checked.faults[0])
    form = record_form(args.game, checked.position(rules), checked)
    return FormView(name=form.name, title=form.title, text=form.text, ending=form.ending)
