"""Comparison of algorithms on one position: nodes, cutoffs, branching and time, depth by depth."""

import csv
import io
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol

from plyground.compiled.clock import ABOVE_0
from plyground.engine.defaults import COMPARED_SECONDS
from plyground.engine.run import prepare, search
from plyground.errors import BadInput, check_arguments
from plyground.in_pages import in_pages
from plyground.markup import Markup, el, fragment
from plyground.microscope.chart import chart
from plyground.microscope.wording import WORDING
from plyground.position import Position
from plyground.rules import LONGEST
from plyground.score import Score
from plyground.search import ALGORITHMS, algorithm_named
from plyground.search.algorithm import Algorithm
from plyground.search.alphabeta import ALPHABETA
from plyground.search.observer import Counting, Detailed, Stopped

NO_CHARTS = 'Charts by Altair need the extra charts: pip install "plyground[charts]".'


@in_pages(sent_as="RowView")
@dataclass(frozen=True)
class Row:
    """One search."""

    algorithm: str
    depth: int
    nodes: int
    leaves: int | None
    """Nodes without children; None where the search does not tell them."""
    cutoffs: int | None
    """Nodes left before all their moves were searched; None where the search does not tell them."""
    first: float | None
    """The share of cutoffs that came with the first move, 0 to 1; None without cutoffs."""
    branching: float | None
    """The effective branching factor: the b for which 1 + b + … + b^d is the number of nodes (after Russell and
    Norvig, section 3.6.1), where d is `depth`, or the plies of the longest line where that is shorter. None where it
    is not known how far the lines go."""
    seconds: float
    """Seconds with all counters on; `plyground search` has fewer of them."""
    value: str
    """Value of the position, in words: those of `Score.text`."""
    right: str | None = None
    """Minimax's value to this depth where a search that may leave moves out has another one; None where it is the
    same."""


@dataclass(frozen=True)
class Comparison:
    """Rows of a comparison, in the order in which they were found.

    >>> import plyground as pg
    >>> found = pg.compare(pg.Position.parse("tictactoe", "b2 a1"), ["minimax", "alphabeta"], [2])
    >>> [(row.algorithm, row.nodes) for row in found.rows]
    [('minimax', 50), ('alphabeta', 27)]
    """

    position: Position
    rows: tuple[Row, ...]
    unfinished: tuple[tuple[str, int], ...]
    """Algorithms that ran out of time, and the depth at which they stopped."""
    why_plain: str | None = None
    """Reason why it ran as plain Python, in one sentence; None where it was compiled."""

    @property
    def different(self) -> list[str]:
        """Sentences about searches that may leave moves out, and whose values are not minimax's: the first depth of
        each."""
        first: dict[str, Row] = {}
        for row in self.rows:
            if row.right is not None:
                first.setdefault(row.algorithm, row)
        return [
            f"{name} differs from minimax at depth {row.depth}: {row.value}, not {row.right}."
            for name, row in first.items()
        ]

    @property
    def csv(self) -> str:
        """The rows as CSV, with a head."""
        text = io.StringIO()
        table = csv.DictWriter(text, list(Row.__annotations__), lineterminator="\n")
        table.writeheader()
        table.writerows(asdict(row) for row in self.rows)
        return text.getvalue()

    @property
    def json(self) -> str:
        """The rows as one line of JSON."""
        unfinished = [{"algorithm": name, "depth": depth} for name, depth in self.unfinished]
        rows = [asdict(row) for row in self.rows]
        answer = {"position": self.position.text, "rows": rows, "unfinished": unfinished, "why_plain": self.why_plain}
        return json.dumps(answer, ensure_ascii=False) + "\n"

    @property
    def svg(self) -> Markup:
        """Nodes by depth as a line for each algorithm, in SVG."""
        lines: dict[str, list[tuple[int, int]]] = {}
        for row in self.rows:
            lines.setdefault(row.algorithm, []).append((row.depth, row.nodes))
        return chart(lines, f"Nodes entered by depth: {self.position.text}")

    def altair(self) -> Any:
        """The same as an Altair chart.

        Raises:
            BadInput: the extra `charts` is not installed.
        """
        try:
            import altair as alt
        except ImportError:
            raise BadInput(NO_CHARTS) from None
        data = alt.Data(values=[asdict(row) for row in self.rows])
        return (
            alt.Chart(data, title="Nodes entered by depth")
            .mark_line(point=True)
            .encode(
                x=alt.X("depth:O", title="depth"),
                y=alt.Y("nodes:Q", title="nodes", scale=alt.Scale(type="log")),
                color=alt.Color("algorithm:N", sort=list(dict.fromkeys(row.algorithm for row in self.rows))),
                tooltip=["algorithm:N", "depth:O", "nodes:Q", "cutoffs:Q", "branching:Q", "seconds:Q"],
            )
        )

    def png(self) -> bytes:
        """The chart as a PNG picture.

        Raises:
            BadInput: the extra `charts` is not installed.
        """
        try:
            import vl_convert
        except ImportError:
            raise BadInput(NO_CHARTS) from None
        picture: bytes = vl_convert.vegalite_to_png(self.altair().to_json(), scale=2)
        return picture

    def _repr_html_(self) -> Markup:
        return fragment(self.svg, el("p", self.why_plain) if self.why_plain else None)


@in_pages
def branching(nodes: int, depth: int) -> float:
    """The effective branching factor of a tree of `nodes` nodes whose longest line has `depth` plies.

    >>> branching(1 + 3 + 9, 2)
    3.0
    """
    low, high = 0.0, float(nodes)
    # b is found by bisection: the sum grows with b, and a polynomial of degree 5 and more has no formula for
    # its roots.
    while high - low > 1e-9 * max(high, 1.0):
        middle = (low + high) / 2
        total, power = 1.0, 1.0
        for _ in range(depth):
            power *= middle
            total += power
        if total < nodes:
            low = middle
        else:
            high = middle
    return round(high, 6)


def comparable_algorithms() -> list[str]:
    """Names of the algorithms that have a depth."""
    return [choice.name for choice in ALGORITHMS if choice.maker().looks_ahead]


@check_arguments
def compare(
    position: Position,
    algorithms: Sequence[str | Algorithm] = (),
    depths: Sequence[int] = range(1, 7),
    *,
    seconds: float = COMPARED_SECONDS,
    on_row: Callable[[Row], None] | None = None,
) -> Comparison:
    """Search a position by each algorithm to each depth.

    >>> found = compare(Position.parse("tictactoe", "b1 b2 a1"), ["minimax", "alphabeta"], [3])
    >>> [(row.algorithm, row.nodes) for row in found.rows]
    [('minimax', 137), ('alphabeta', 29)]

    Args:
        position: where to search from.
        algorithms: some of `comparable_algorithms`, or users' searches; by default all of `comparable_algorithms`.
        depths: plies to look ahead, each from 1 on.
        seconds: most seconds for each search; an algorithm that needs longer runs no deeper search.
        on_row: called with each row as it is found.

    Raises:
        BadInput: no such algorithm, an impossible depth or time, or the game is over.
    """
    chosen = _name_algorithms(algorithms or comparable_algorithms())
    _require_comparable(position, chosen, depths, seconds)
    found: list[Row] = []
    why_plain = None
    unfinished: list[tuple[str, int]] = []
    for algorithm in chosen:
        # Compiled before the clock starts, with the same observer: another kind of observer is
        # other code.
        why_plain = prepare(position, algorithm, Detailed.fresh()) or why_plain
        try:
            for row in _run_searches(position, algorithm, sorted(depths), seconds):
                found.append(row)
                if on_row:
                    on_row(row)
        except Stopped:
            done = [row.depth for row in found if row.algorithm == algorithm.name]
            unfinished.append((algorithm.name, next(depth for depth in sorted(depths) if depth not in done)))
    return Comparison(position, tuple(found), tuple(unfinished), why_plain)


def _name_algorithms(algorithms: Sequence[str | Algorithm]) -> list[Algorithm]:
    """The algorithms, each with a name of its own: the text that names it, with its options, or one with a number."""
    found: list[Algorithm] = []
    for each in algorithms:
        algorithm = replace(algorithm_named(each), name=each) if isinstance(each, str) else each
        count = [other.name.partition(" (")[0] for other in found].count(algorithm.name)
        found.append(replace(algorithm, name=f"{algorithm.name} ({count + 1})") if count else algorithm)
    return found


def _require_comparable(
    position: Position, algorithms: Sequence[Algorithm], depths: Sequence[int], seconds: float
) -> None:
    if position.outcome is not None:
        raise BadInput(WORDING.nothing_to_search.format(result=position.result))
    for algorithm in algorithms:
        if not algorithm.looks_ahead:
            require_compared([algorithm.name], comparable_algorithms())
    if not depths or min(depths) < 1 or max(depths) > LONGEST:
        raise BadInput(f"The depths are {list(depths)[:5]}: look 1 to {LONGEST:,} plies ahead.")
    if not 0 < seconds < float("inf"):
        raise BadInput(ABOVE_0.format(name="seconds", value=seconds))


@in_pages
def require_compared(names: Sequence[str], known: Sequence[str]) -> None:
    """Refuse an algorithm that is none of those that are compared."""
    for name in names:
        if name not in known:
            raise BadInput(WORDING.not_compared.format(name=f"'{name}'", names=", ".join(known)))


def _run_searches(position: Position, algorithm: Algorithm, depths: Sequence[int], seconds: float) -> Iterator[Row]:
    for depth in depths:
        observer = Detailed.fresh()
        begun = time.perf_counter()

        # A default binds this round's start; a closure would see the last one's.
        def late(running: Counting, begun: float = begun) -> None:
            if time.perf_counter() - begun > seconds:
                running.stop()

        # Verification is off: it is another search and would be in the time.
        report = search(position, algorithm, depth, observer=observer, on_wait=late, verify=False)
        # Alpha-beta has minimax's value with far fewer nodes.
        meant = search(position, ALPHABETA, depth).score if algorithm.is_selective else report.score
        score = report.score.proved_by(meant)
        row = row_of(position, algorithm.name, depth, observer, score, report.seconds)
        yield mark_difference(row, score, meant, position)


@in_pages
class NodeCounts(Protocol):
    """Counts of a search."""

    @property
    def nodes(self) -> int:
        """Nodes entered."""

    @property
    def leaves(self) -> int:
        """Nodes without children."""

    @property
    def cutoffs(self) -> int:
        """Nodes left before all their moves were searched."""


@in_pages
class SearchCounts(Protocol):  # written out, for a page's types are made from each protocol alone
    """Counts of a search with the cutoffs by first moves, as `Detailed` has them."""

    @property
    def nodes(self) -> int:
        """Nodes entered."""

    @property
    def leaves(self) -> int:
        """Nodes without children."""

    @property
    def cutoffs(self) -> int:
        """Nodes left before all their moves were searched."""

    @property
    def first(self) -> int | None:
        """Cutoffs by the first move; None where they are not counted."""

    @property
    def plies(self) -> int | None:
        """Plies of the longest line; None where they are not known."""


@in_pages
def are_leaves_counted(counts: NodeCounts) -> bool:
    """Whether a search reports its leaves: a tree has one at least, and a search without leaves reports no cutoffs."""
    return counts.leaves > 0 or counts.cutoffs > 0 or counts.nodes == 0


@in_pages
def row_of(position: Position, algorithm: str, depth: int, counts: SearchCounts, score: Score, seconds: float) -> Row:
    """The row of a search from a position that has found this score."""
    first = counts.first
    is_told = are_leaves_counted(counts)
    plies = min(depth, counts.plies or 0)
    return Row(
        algorithm=algorithm,
        depth=depth,
        nodes=counts.nodes,
        leaves=counts.leaves if is_told else None,
        cutoffs=counts.cutoffs if is_told else None,
        first=None if first is None or counts.cutoffs == 0 else round(first / counts.cutoffs, 4),
        branching=round(branching(counts.nodes, plies), 3) if plies > 0 else None,
        seconds=round(seconds, 6),
        value=score.text(position.game.names),
    )


def mark_difference(row: Row, found: Score, meant: Score, position: Position) -> Row:
    """The row, with minimax's score where the search has found another one."""
    return row if _is_same(found, meant) else replace(row, right=meant.text(position.game.names))


def _is_same(found: Score, meant: Score) -> bool:
    """Whether two searches to one depth value a position alike; one may tell no distance, or not that 0 is a draw."""
    distances = found.plies is None or meant.plies is None or found.plies == meant.plies
    return (found.utility or 0, found.points or 0) == (meant.utility or 0, meant.points or 0) and distances


def depths_in(text: str) -> list[int]:
    """Depths that a text means: `4`, or `1..9`.

    Raises:
        BadInput: the text means none.
    """
    first, dots, last = text.partition("..")
    try:
        low, high = int(first), int(last if dots else first)
    except ValueError:
        raise BadInput(f"--depth {text}: write a depth or a range, as in 1..9.") from None
    if not 1 <= low <= high <= LONGEST:
        raise BadInput(f"--depth {text}: a range goes up, from 1 to {LONGEST:,} at most.")
    return list(range(low, high + 1))
