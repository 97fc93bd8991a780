"""How boards and answers look in a terminal: from a game's look alone, whatever the game."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text as Styled

from plyground.board.look import Block, Cell, Grid, Pit, Pits
from plyground.engine.report import Report
from plyground.position import Position

STYLES = ("bold cyan", "bold magenta")
"""Of the two players' marks; the letters tell them apart without colour."""

out = Console(highlight=False, soft_wrap=True, emoji=False)
err = Console(stderr=True, highlight=False, soft_wrap=True, emoji=False)


def board(position: Position) -> Styled:
    """The position as text to print, with the last move and the winning line marked."""
    look = position.look()
    if isinstance(look, Pits):
        return _pits(look, position)
    if not isinstance(look, Grid):
        return Styled(look.text)
    last = position.last_cell
    width = len(str(look.rows))
    columns = [chr(ord("a") + column) for column in range(look.columns)]
    lines = [Styled(" " * (width + 1) + _spaced(look, columns), style="dim")]
    for row in range(look.rows):
        if look.block and row and row % look.block == 0:
            lines.append(Styled(""))
        line = Styled.assemble((f"{row + 1:>{width}} ", "dim"))
        for column in range(look.columns):
            index = row * look.columns + column
            line.append("  " if look.block and column and column % look.block == 0 else "")
            line.append(*_cell(look, index, position.game.names, index == last))
        lines.append(line)
    if look.blocks:
        lines.append(_boards(look.blocks))
    return Styled("\n").join(lines)


def _spaced(look: Grid, columns: list[str]) -> str:
    gaps = ("  " if look.block and index and index % look.block == 0 else "" for index in range(look.columns))
    return "".join(f"{gap} {name} " for gap, name in zip(gaps, columns, strict=True))


def _cell(look: Grid, index: int, names: tuple[str, str], is_last: bool) -> tuple[str, str]:
    cell: Cell = look.cells[index]
    if not cell.mark:
        return (" · ", "") if cell.move is not None else ("   ", "dim")
    style = STYLES[names.index(cell.mark)] if cell.mark in names else ""
    if cell.line:
        return f"*{cell.mark}*", style
    return (f"({cell.mark})", style) if is_last else (f" {cell.mark} ", style)


def _boards(blocks: tuple[Block, ...]) -> Styled:
    words = [f"{number} {block.mark or 'full'}" for number, block in enumerate(blocks, 1) if not block.open]
    active = [str(number) for number, block in enumerate(blocks, 1) if block.active]
    said = [f"boards won: {', '.join(words)}"] if words else []
    if len(active) == 1:
        said.append(f"play in board {active[0]} (boards are numbered 1 to 9, row by row)")
    return Styled("\n" + "; ".join(said) if said else "", style="italic")


def _pits(look: Pits, position: Position) -> Styled:
    """The second player's row from right to left above the first's, stores at the ends, pits numbered."""
    mover = position.undo().to_move if position.moves else None
    last = [position.moves[-1] if position.moves and mover == player else None for player in (0, 1)]
    numbers = range(1, len(look.first) + 1)
    wide = " " * 8
    lines = [
        Styled(wide + "".join(f"{number:^5}" for number in reversed(numbers)), style="dim"),
        _row(look.second[::-1], position.game.names, last[1]),
        Styled(f"{look.stores[1]:>6}  " + " " * 5 * len(numbers) + f"  {look.stores[0]}", style="bold"),
        _row(look.first, position.game.names, last[0]),
        Styled(wide + "".join(f"{number:^5}" for number in numbers), style="dim"),
    ]
    return Styled("\n").join(lines)


def _row(pits: tuple[Pit, ...], names: tuple[str, str], sown: int | None) -> Styled:
    style = STYLES[names.index(pits[0].mark)] if pits[0].mark in names else ""
    row = Styled(f" {pits[0].mark:<7}", style=style)
    empty = len(pits) - 1 - sown if sown is not None and pits[0].mark == names[1] else sown
    for place, pit in enumerate(pits):
        row.append(f"{f'({pit.seeds})' if place == empty else pit.seeds:^5}", style)
    return row


def analysis(position: Position, report: Report) -> Table:
    """Every move with its value, best first for the player to move."""
    best_first = sorted(report.moves, key=lambda pair: pair[1].order(position.to_move), reverse=True)
    table = Table("move", "value", title=f"{report.score.text(position.game.names)}, depth {report.depth}")
    for move, score in best_first:
        table.add_row(position.game.move_text(position.state, move), score.text(position.game.names))
    return table


def figures(head: Sequence[str], rows: Sequence[Sequence[str]], *, keys: int, left: Collection[str]) -> Styled:
    """A table in which nothing is ever cut: where it is too wide for the terminal, in parts one below another.

    Args:
        head: the columns' names.
        rows: what stands in them.
        keys: how many of the first columns tell the rows apart; every part begins with them.
        left: the columns that stand at the left; figures stand at the right.
    """
    columns = list(zip(head, *rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    room = out.width if out.is_terminal else sum(widths) + 2 * len(widths)
    parts = [list(range(keys))]
    for place in range(keys, len(head)):
        if len(parts[-1]) > keys and sum(widths[each] + 2 for each in [*parts[-1], place]) - 2 > room:
            parts.append(list(range(keys)))
        parts[-1].append(place)

    def line(words: Sequence[str], part: list[int]) -> str:
        cells = (
            words[each].ljust(widths[each]) if head[each] in left else words[each].rjust(widths[each]) for each in part
        )
        return "  ".join(cells).rstrip()

    lines = [
        Styled("\n").join([Styled(line(head, part), style="bold"), *(Styled(line(row, part)) for row in rows)])
        for part in parts
    ]
    return Styled("\n\n").join(lines)


@contextmanager
def progress(words: str, total: float | None) -> Iterator[Progress]:
    """A progress bar on a terminal, nothing elsewhere; it leaves no trace."""
    bar = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[said]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )
    with bar:
        bar.add_task(words, total=total, said="")
        yield bar
