"""Columns of a recorded search, as they are sent: declared here and filled in `tree.py`."""

from dataclasses import dataclass

from plyground.in_pages import in_pages
from plyground.score import INFINITY, Score, is_end


@in_pages(sent_as="TreeView")
@dataclass(frozen=True)
class Columns:
    """A recorded search as it is sent: lists with an item for each node, in the order in which they were entered.

    Values and windows are from x's side, on the scale of `score.py`, with plies counted from the root of the search.
    """

    position: str
    """The root, in text."""
    algorithm: str
    has_window: bool
    """Whether the algorithm has a window."""
    depth: int
    """Depth of the search from the root, in plies."""
    ply: int
    """Plies from the root of the whole search to this tree's; 0 unless the tree is a fetched part."""
    nodes: int
    """Nodes entered, kept or not."""
    leaves: int
    cutoffs: int
    """Nodes that left out at least one move; a bound that the last move meets is no cutoff."""
    names: tuple[str, str]
    """Names of the players."""
    words: dict[int, str]
    """Text of each value that occurs: `x in 3`."""
    line: list[int]
    """The nodes of the principal variation, from the root on."""
    parent: list[int]
    """Parent; -1 for the root."""
    move: list[str]
    """Move that led to the node; empty for the root."""
    side: list[int]
    """Player to move: MAX (0, x) or MIN (1, o)."""
    alpha: list[int | None]
    """Value that MAX had elsewhere on entry; None for none."""
    beta: list[int | None]
    """Value that MIN had elsewhere on entry; None for none."""
    value: list[int]
    bound: list[str]
    """How the value that was found compares with minimax's: `=` it is the same, `≤` minimax's is at most it, `≥` at
    least. Derived from the children where they are kept, else from the window. `≠` the values found below give another,
    so the search is wrong here. `?` where the value is hidden."""
    kind: list[str]
    """`node`, `leaf` (a finished game) or `horizon` (a static evaluation)."""
    best: list[str | None]
    """The move that gave the value; None at a leaf."""
    cut: list[str | None]
    """The move after which the others were cut off; None if none were."""
    skipped: list[list[str]]
    """The moves that were cut off, in generation order."""
    hidden: list[int]
    """How many nodes below this one are not kept; `Tree.below` fetches them."""


@in_pages
def brief(value: int, names: tuple[str, str] = ("x", "o")) -> str:
    """A value in a word or two: a static evaluation as a number, an end as winner and plies after the root, `x in 3`.
    What is neither, as a window beyond a win or a wrong search has it, is a number.

    >>> brief(-2), brief((1 << 20) - 3), brief((1 << 20) + 1), brief(INFINITY)
    ('−2', 'x in 3', '1048577', '∞')
    """
    # U+2212, the minus sign, here and below: a hyphen before a number is read as a dash.
    if abs(value) >= INFINITY:
        return "∞" if value > 0 else "−∞"
    # `score.py` keeps the values of ends apart from evaluations; only an end has a winner and
    # plies.
    if not is_end(value):
        return str(value).replace("-", "−")
    score = Score.of(value)
    winner, margin = names[int(value < 0)], score.margin
    return f"{winner}{margin} in {score.plies}" if score.plies else f"{winner} wins{margin}"
