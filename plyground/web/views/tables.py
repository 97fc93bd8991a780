"""The operations on tablebases: a list of them, and the contents of one; nothing is searched."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from plyground.errors import BadInput
from plyground.exact.tables.reading import KnownTable, Tablebase, finished_tables, tables_begun
from plyground.games import game_named
from plyground.position import Position
from plyground.score import Score
from plyground.spec import is_own
from plyground.web.views import positions
from plyground.web.views.models import Model, Named, Nothing, PositionView, ScoreView

SHOWN_ROWS = 12
"""Positions of each kind that are shown."""


class TableName(Named):
    """A tablebase by its game, and the state from which it was listed, as in `TableLine`."""

    start: str = ""


class TableLine(Model):
    """A finished tablebase."""

    game: str
    states: int
    start: str
    """The state in text from which its states were listed, or `the end game KQK`; empty for the initial one."""


class TableProgress(Model):
    """A tablebase that is being made."""

    table: TableLine
    stage: str
    """`listing` or `valuing`."""
    done: int
    """States listed, or valued."""
    rate: float
    """States a second."""
    disk: int
    """Bytes of its files."""
    memory: int
    """Bytes of memory of the process that makes it."""
    left: float | None
    """Seconds until it is finished, by the rate; null while states are listed."""


class TablesView(Model):
    """The finished tablebases, and those that are being made, by their games."""

    tables: list[TableLine]
    begun: list[TableProgress]


class TierView(Model):
    """A tier of a tablebase: how many of its states each side wins."""

    number: int
    x: int
    draws: int
    o: int
    longest: int
    """Plies of the longest win; 0 where nothing is won before the end."""


class TablePosition(Model):
    """A position of a tablebase."""

    position: PositionView
    score: ScoreView
    moves: int
    """Number of moves to choose from."""


class TableView(Model):
    """Contents of a tablebase: outcomes by tier, and some of its positions."""

    table: TableLine
    names: tuple[str, str]
    tiers: list[TierView]
    x: int
    draws: int
    o: int
    longest: list[TablePosition]
    """The longest wins."""
    only: list[TablePosition]
    """Positions in which one move alone keeps a win or a draw."""


def tables(args: Nothing) -> Iterator[TablesView]:
    """List of the finished tablebases of shipped games, made for the rules as they are."""
    yield TablesView(
        tables=[_table_line(table) for table in finished_tables() if _open_table(table)],
        begun=[
            TableProgress(
                table=_table_line(table),
                stage=how.stage,
                done=how.states,
                rate=how.rate,
                disk=how.disk,
                memory=how.memory,
                left=how.seconds_left,
            )
            for table, how in tables_begun()
            # A user's file was not named to this server; its tables stay its owner's.
            if not is_own(table.game)
        ],
    )


def table(args: TableName) -> Iterator[TableView]:
    """Contents of the tablebase of a game.

    Raises:
        BadInput: there is none.
    """
    for found in finished_tables():
        if found.game == args.game and (opened := _open_table(found)) and _table_line(found).start == args.start:
            break
    else:
        raise BadInput(f"There is no tablebase of {args.game} here: plyground tablebase {args.game} makes it.")
    tiers = [
        TierView(number=each.number, x=each.x, draws=each.count - each.x - each.o, o=each.o, longest=each.longest)
        for each in sorted(opened.tiers.values(), key=lambda tier: tier.number)
    ]
    yield TableView(
        table=_table_line(found),
        names=opened.game.names,
        tiers=tiers,
        x=sum(tier.x for tier in tiers),
        draws=sum(tier.draws for tier in tiers),
        o=sum(tier.o for tier in tiers),
        longest=[_table_position(args.game, opened, *each) for each in opened.longest_wins(SHOWN_ROWS)],
        only=[_table_position(args.game, opened, each.state, each.score) for each in opened.only_moves(SHOWN_ROWS)],
    )


def _table_line(table: KnownTable) -> TableLine:
    first = Position.initial(game_named(table.game)).text
    start = "" if table.start == first else table.start
    return TableLine(game=table.game, states=table.states, start=start)


def _open_table(table: KnownTable) -> Tablebase | None:
    """The table; None if its game is in a user's file, is not there any more, or has other rules now."""
    if is_own(table.game):
        return None
    # A table whose game's rules have changed since is none.
    with suppress(BadInput):
        return Tablebase(table.path, game_named(table.game))
    return None


def _table_position(spec: str, opened: Tablebase, state: Any, score: Score) -> TablePosition:
    here = Position(opened.game, state)
    return TablePosition(
        position=positions.view(spec, here),
        score=positions.score_view(score, here.game.names),
        moves=len(here.legal_moves),
    )
