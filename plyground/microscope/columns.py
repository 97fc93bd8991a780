"""What is sent of a recorded search: its columns. A new one is declared here and filled in `tree.py`, nowhere else."""

from dataclasses import dataclass

from plyground.score import ESTIMATES, INFINITY, Score


@dataclass(frozen=True)
class Columns:
    """A recorded search as it is sent: lists with a place for each node, in the order in which they were entered.

    Values and windows are from x's side, on the scale of `score.py`, with plies counted from the root of the search.
    """

    position: str
    """The root, in text."""
    algorithm: str
    has_window: bool
    """Whether the algorithm keeps what both sides already have elsewhere."""
    depth: int
    """Plies that were looked ahead from the root."""
    ply: int
    """Plies from the root of the whole search to this tree's; 0 unless it is a part that was fetched."""
    nodes: int
    """Nodes entered, also those that are not kept."""
    leaves: int
    cutoffs: int
    """Nodes at which alpha reached beta, as the literature counts them: also after their last move."""
    cuts: int
    """Those of them that left out at least one move."""
    names: tuple[str, str]
    """The players'."""
    words: dict[int, str]
    """How each value that occurs is written: `x in 3`."""
    line: list[int]
    """The nodes of the principal variation, from the root on."""
    parent: list[int]
    """The node above; -1 for the root."""
    move: list[str]
    """The move that led here; empty for the root."""
    side: list[int]
    """Who is to move: MAX (0, x) or MIN (1, o)."""
    alpha: list[int | None]
    """What MAX had elsewhere on entry; None for nothing."""
    beta: list[int | None]
    """What MIN had elsewhere on entry; None for nothing."""
    value: list[int]
    bound: list[str]
    """How the value that was found compares with minimax's: `=` it is the same, `≤` minimax's is at most it, `≥` at
    least. Derived from the children where they are kept, else from the window. `≠` the values found below give another,
    so the search is wrong here. `?` where the value is not told."""
    kind: list[str]
    """`node`, `leaf` (a finished game) or `horizon` (valued by opinion)."""
    best: list[str | None]
    """The move that gave the value; None at a leaf."""
    cut: list[str | None]
    """The move after which the others were cut off; None if none were."""
    skipped: list[list[str]]
    """The moves that were cut off, in generation order."""
    hidden: list[int]
    """How many nodes below this one are not kept; `Tree.below` fetches them."""


def brief(value: int, names: tuple[str, str] = ("x", "o")) -> str:
    """A value in a word or two: an opinion as a number, an end as who wins how many plies after the root, `x in 3`.

    >>> brief(-2), brief((1 << 20) - 3), brief(INFINITY)
    ('−2', 'x in 3', '∞')
    """
    if abs(value) >= INFINITY:
        return "∞" if value > 0 else "−∞"
    if abs(value) < ESTIMATES:
        return str(value).replace("-", "−")
    score = Score.of(value)
    assert score.winner is not None
    winner, margin = names[score.winner], score.margin
    return f"{winner}{margin} in {score.plies}" if score.plies else f"{winner} wins{margin}"
