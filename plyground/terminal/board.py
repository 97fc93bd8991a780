"""Boards, tables and progress bars in a terminal, for all games alike."""

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from textwrap import wrap
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text as Styled

from plyground.engine.report import Report
from plyground.engine.review import compares_moves
from plyground.position import Position

STYLES = {
    "blue": "bold cyan", "orange": "bold magenta", "white": "bold", "black": "bold",
    "red": "bold red", "yellow": "bold yellow", "green": "bold green",
}  # fmt: skip
"""Styles of pieces by the colour of their side; signs tell them apart without colour."""

UNBROKEN = re.compile(r"\$ |[│├└▲▼]")
"""Beginnings of lines that are commands to copy, or rows of a tree: they are not wrapped."""


def wrap_words(text: str, width: int) -> str:
    """Text in lines of at most `width` characters, broken between words.

    A column of words, such as explanations of options, stays one. Commands, trees, and words that are longer, such as
    paths and addresses, stay whole: broken, they could not be copied.
    """
    lines = []
    for line in text.split("\n"):
        if len(line) <= width or UNBROKEN.match(line):
            lines.append(line)
            continue
        column = re.match(r" *\S+(?: \S+)* {2,}| *", line)
        indent = column.end() if column and column.end() <= width // 2 else 2
        lines += wrap(line, width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)


class WordWrapping(Console):
    """A console that breaks sentences between words on a terminal, and nothing elsewhere; boards and tables stay whole.

    Sentences are plain strings. What is drawn is styled text, or printed with `soft_wrap=True`.
    """

    def print(self, *objects: Any, **options: Any) -> None:
        """Print as any console does, strings in lines of the terminal's width."""
        if self.is_terminal and not options.get("soft_wrap"):
            objects = tuple(wrap_words(each, self.width) if isinstance(each, str) else each for each in objects)
        super().print(*objects, **options)


# Consoles do not highlight, as numbers in rules and paths would change colour, nor read `:x:` in a position as an
# emoji.
out: Console = WordWrapping(highlight=False, soft_wrap=True, emoji=False)
err: Console = WordWrapping(stderr=True, highlight=False, soft_wrap=True, emoji=False)


def board(position: Position) -> Styled:
    """The position as text to print, with the last move and the winning line marked, in the width of a terminal."""
    # Chess figures only where they can be seen: a file or a pipe gets letters, which programs read.
    has_figures = out.is_terminal and out.encoding.startswith("utf")
    width = out.width if out.is_terminal else None
    lines = [
        Styled.assemble(*((words, STYLES.get(style, style)) for words, style in line))
        for line in position.text_board(has_figures=has_figures, width=width)
    ]
    return Styled("\n").join(lines)


def move_table(position: Position, report: Report) -> Table:
    """Every move with its value, best first for the player to move."""
    best_first = sorted(report.moves, key=lambda pair: pair[1].order(position.to_move), reverse=True)
    said = f"depth {report.depth}" if compares_moves(report) else "no move looked at"
    table = Table("move", "value", title=f"{report.score.text(position.game.names)}, {said}")
    for move, score in best_first if compares_moves(report) else ():
        table.add_row(position.game.notation_text(position.state, move), score.text(position.game.names))
    return table


def plain_table(head: Sequence[str], rows: Sequence[Sequence[str]], *, keys: int, left: Collection[str]) -> Styled:
    """A table in which nothing is ever cut: where it is too wide for the terminal, in parts one below another.

    Args:
        head: the columns' names.
        rows: what stands in them.
        keys: how many of the first columns tell the rows apart; every part begins with them.
        left: the columns that stand at the left; figures stand at the right.
    """
    columns = list(zip(head, *rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    # A pipe has no width: it gets each row whole.
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
    # Progress goes to standard error, so that standard output is the answer alone.
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
