"""Tidy layout of a tree: no two subtrees overlap, and parents stand over their children.

After Reingold and Tilford, "Tidier drawings of trees" (1981): subtrees are set as close as their outlines allow. One
unit is the width of a node; a drawing may shrink x freely, the rows keep their distance.
"""

from dataclasses import dataclass

from plyground.microscope.tree import Tree

CUT_WIDTH = 0.5
"""Width of a branch that was cut off, in units."""
COUSIN_GAP = 0.75
"""Units between the last child of one node and the first of the next, which shows that they are not siblings."""


@dataclass(frozen=True)
class Layout:
    """Positions of nodes in units; row 0 has the root."""

    x: list[float]
    """Middle of each node."""
    cut: list[list[float]]
    """Ends of each node's branches that were cut off, in the row below it."""
    width: float
    rows: int


def layout(tree: Tree) -> Layout:
    """Position of each node of a tree, and of each branch that was cut off."""
    count = len(tree)
    children = [list(tree.children(node)) for node in range(count)]
    cuts: list[list[int]] = [[] for _ in range(count)]
    for node in range(count):
        for _ in tree.skipped[node]:
            cuts[node].append(len(children))
            children[node].append(len(children))
            children.append([])
    widths = [1.0] * count + [CUT_WIDTH] * (len(children) - count)
    x = tidy(children, widths)
    rows = max(tree.level[node] + (1 if tree.skipped[node] else 0) for node in range(count)) + 1
    return Layout(x[:count], [[x[item] for item in items] for items in cuts], max(x) + 0.5, rows)


def tidy(children: list[list[int]], widths: list[float]) -> list[float]:
    """Middle of each item of a tree, from 0.5 on; items are numbered so that parents come before their children."""
    # Items are numbered parents first, so backwards each subtree is placed before its parent is.
    offset = [0.0] * len(children)  # from the parent
    left: list[list[float]] = [[] for _ in children]  # the outline of the subtree, row by row, from its own root
    right: list[list[float]] = [[] for _ in children]
    for item in reversed(range(len(children))):
        _place_subtrees(children[item], offset, left, right, item)
        left[item].insert(0, -widths[item] / 2)
        right[item].insert(0, widths[item] / 2)
    x = [0.0] * len(children)
    # The leftmost outline of all rows stands at 0; the root seldom is what reaches farthest.
    x[0] = -min(left[0])
    for item, below in enumerate(children):
        for child in below:
            x[child] = x[item] + offset[child]
    return x


def _place_subtrees(
    below: list[int], offset: list[float], left: list[list[float]], right: list[list[float]], item: int
) -> None:
    """Place the subtrees side by side, as close as possible, and their parent over the middle."""
    low, high = left[item], right[item]
    at = 0.0
    for child in below:
        rows = range(min(len(high), len(left[child])))
        # Row 0 holds the children themselves, who are siblings and may touch; below it the
        # neighbours have different parents, and a gap shows that.
        at = max((high[row] - left[child][row] + (COUSIN_GAP if row else 0.0) for row in rows), default=0.0)
        offset[child] = at
        # The right outline is the new child's as far down as it reaches; below that, the earlier
        # ones'. Only rows that a child is the first to reach have its left outline.
        for row, edge in enumerate(right[child]):
            if row < len(high):
                high[row] = at + edge
            else:
                high.append(at + edge)
                low.append(at + left[child][row])
        # Outlines are joined once: kept, they would take the square of the nodes in a thin, deep
        # tree.
        left[child], right[child] = [], []
    if below:
        # A parent stands over the middle of its first and last child, wherever the others are.
        middle = (offset[below[0]] + at) / 2
        for child in below:
            offset[child] -= middle
        low[:] = [edge - middle for edge in low]
        high[:] = [edge - middle for edge in high]
