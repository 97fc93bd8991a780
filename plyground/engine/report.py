"""Reports of searches, one for each depth or search."""

from dataclasses import dataclass, field

from plyground.exact.solution import PositionResult
from plyground.in_pages import in_pages
from plyground.position import Position
from plyground.score import Score


@in_pages(without=("_effort", "compile_seconds", "position", "to_dict"))
@dataclass(frozen=True)
class Report(PositionResult):
    """Result of a search of a position so far.

    `score` is from the first player's side. `moves` holds the score of each move where every move was asked for, else
    only that of the best one; in generation order.

    >>> from plyground.engine.run import search
    >>> report = search(Position.parse("tictactoe", "a1 b1 a2 b2"), "alphabeta", depth=3)
    >>> report.score.text(), report.nodes, report.certain
    ('x wins in 1 ply', 34, True)
    """

    position: Position = field(repr=False)
    """Position that was searched."""
    depth: int
    """Plies looked ahead."""
    nodes: int
    """Nodes entered since the search began."""
    leaves: int
    cutoffs: int
    seconds: float
    score: Score
    variation: tuple[int, ...]
    """The principal variation: best play by both sides, as far as it was searched; empty when the game is over."""
    moves: tuple[tuple[int, Score], ...]
    lines: tuple[tuple[int, ...], ...] = ()
    """Best play after each of the best moves, as many as were asked for, the best first; that is `variation`."""
    source: str = ""
    """Name of the source that answered, such as `the opening book`; empty where the position was searched."""
    why_plain: str | None = None
    """Reason why the search ran as plain Python, which is slow, in one sentence; None where it was compiled."""
    compile_seconds: float = field(default=0.0, compare=False)
    """Seconds that the caller waited for compiled code before that; they are not in `seconds`."""

    @property
    def certain(self) -> bool:
        """Whether the result is final: winner, margin and distance are exact, for each move asked for."""
        # Also of each move: with `every_move` the search goes on until all of them are certain.
        return self.score.certain and all(score.certain for _, score in self.moves)

    def to_dict(self) -> dict[str, object]:
        """One row of a table: numbers, texts and None; values from the first player's side."""
        more: dict[str, object] = {"depth": self.depth, "leaves": self.leaves, "cutoffs": self.cutoffs}
        more |= {"compile_seconds": self.compile_seconds, "source": self.source, "why_plain": self.why_plain}
        return super().to_dict() | more

    @property
    def _effort(self) -> str:
        return f"depth {self.depth}, {super()._effort}"
