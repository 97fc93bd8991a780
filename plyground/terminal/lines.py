"""Lines that commands print, without colours; pages of lessons print the same."""

from collections.abc import Sequence
from typing import Protocol

from plyground.in_pages import in_pages
from plyground.microscope.compare import NodeCounts, Row, are_leaves_counted
from plyground.microscope.wording import WORDING
from plyground.position import Position, notation_of
from plyground.score import Score, counted_plies

COMPARED_HEAD = ("algorithm", "depth", "nodes", "leaves", "cutoffs", "first", "branching", "seconds", "value")
"""Head of the table of a comparison."""
FIRST_EXPLANATION = "first: the share of cutoffs by the first move"


@in_pages
class StateCounts(Protocol):
    """Counts of all states, as a `Census` has them."""

    @property
    def states(self) -> int:
        """All of them."""

    @property
    def x(self) -> int:
        """Those that x wins."""

    @property
    def o(self) -> int:
        """Those that o wins."""

    @property
    def drawn(self) -> int:
        """Those that are drawn."""

    @property
    def longest(self) -> int:
        """Plies of the longest win."""


@in_pages
def perft_line(plies: int, count: int, seconds: float) -> str:
    """Line of a perft: plies, number of sequences of moves, seconds."""
    return f"{plies:>3} {count:>20,}  {seconds:.3f} s"


@in_pages
def _count_text(count: int | None) -> str:
    return "not counted" if count is None else f"{count:,}"


@in_pages
def search_lines(score: str, move: str, counts: NodeCounts, seconds: float) -> list[str]:
    """Answer of a search, and its number of nodes."""
    is_told = are_leaves_counted(counts)
    return [
        f"value    {score}",
        f"move     {move}",
        f"nodes    {counts.nodes:,}",
        f"leaves   {_count_text(counts.leaves if is_told else None)}",
        f"cutoffs  {_count_text(counts.cutoffs if is_told else None)}",
        f"time     {time_text(counts.nodes, seconds)}",
    ]


@in_pages
def time_text(nodes: int, seconds: float) -> str:
    """Seconds of a search, and its rate where both can be measured: `0.243 s (44.6 thousand nodes a second)`."""
    time = f"{seconds:.3f}"
    # Below half a millisecond the figure shown is 0.000, and a rate of it would be noise.
    if nodes <= 0 or seconds < 0.0005:
        return f"{time} s"
    rate = nodes / seconds
    if rate >= 100000:
        return WORDING.rate.format(seconds=time, rate=f"{rate / 1000000:.1f}", unit=WORDING.million_nodes)
    if rate >= 100:
        return WORDING.rate.format(seconds=time, rate=f"{rate / 1000:.1f}", unit=WORDING.thousand_nodes)
    return WORDING.rate.format(seconds=time, rate=f"{rate:.1f}", unit=WORDING.nodes)


@in_pages
def row_cells(row: Row) -> list[str]:
    """A row of a comparison as a table has it."""
    return [
        row.algorithm,
        f"{row.depth:,}",
        f"{row.nodes:,}",
        _count_text(row.leaves),
        _count_text(row.cutoffs),
        "" if row.first is None else f"{row.first:.0%}",
        "–" if row.branching is None else f"{row.branching:.2f}",
        f"{row.seconds:.4f}",
        row.value,
    ]


@in_pages
def late_line(name: str, depth: int) -> str:
    """Line about an algorithm that did not finish a depth in time."""
    return WORDING.unfinished.format(name=name, depth=depth)


@in_pages
def best_play(here: Position, variation: tuple[int, ...]) -> str:
    """A line of best play."""
    return WORDING.best_play + " ".join(notation_of(here, variation))


@in_pages
def solved_lines(
    here: Position, score: Score, moves: Sequence[tuple[int, Score]], variation: tuple[int, ...]
) -> list[str]:
    """The exact value of a position, of its moves if they are known, and a best line."""
    game, names = here.game, here.game.names
    value = f"value    {score.text(names)}"
    if not moves:
        return [value]
    words = [f"{game.notation_text(here.state, move)}: {each.text(names)}" for move, each in moves]
    return [value, "moves    " + "; ".join(words), "line     " + " ".join(notation_of(here, variation))]


@in_pages
def census_line(census: StateCounts, names: tuple[str, str]) -> str:
    """Line about all states: their number, wins of each side, draws, the longest win."""
    won = WORDING.won.format(
        x=names[0],
        o=names[1],
        for_x=f"{census.x:,}",
        for_o=f"{census.o:,}",
        drawn=f"{census.drawn:,}",
    )
    return f"states   {census.states:,}: {won}{WORDING.longest_win.format(plies=counted_plies(census.longest))}"
