"""Values of a recorded search beside minimax's, and its principal variation."""

from collections.abc import Sequence

from plyground.in_pages import in_pages
from plyground.rules import MAX, MIN
from plyground.score import INFINITY
from plyground.search.observer import Entered


@in_pages
def children_of(parents: Sequence[int]) -> list[list[int]]:
    """The children of each node, in the order of the search, by the parent of each; that of the root is below 0."""
    children: list[list[int]] = [[] for _ in parents]
    for place, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(place)
    return children


@in_pages
def principal_variation(nodes: Sequence[Entered]) -> list[int]:
    """Principal variation: from the root on, the first child by the move that gave each node its value."""
    line = [0]
    # One pass is enough: a node comes after its parent, so the line only grows downward. A search
    # that deepens may enter one move twice; the first child counts.
    for place, node in enumerate(nodes):
        if node.parent == line[-1] and node.move == nodes[node.parent].best:
            line.append(place)
    return line


@in_pages
def bounds_of(
    nodes: Sequence[Entered], hidden: list[int], side: list[int], is_open: list[bool], *, is_own: bool = False
) -> list[str]:
    """Bounds of minimax's value at each node, lowest and highest, from the leaves up; `is_open`: moves are left out.

    A leaf's value is minimax's. A node takes the best of its children's for its mover; moves that were cut off may be
    better still, for MAX upward and for MIN downward. For a node whose children are not kept, its window decides:
    a value at or below alpha is an upper bound, one at or above beta a lower bound (fail-soft). Where a user's search
    cuts in wrong windows, or knows moves that it leaves out from a table, a value may be no bound at all.
    """
    low, high = [node.value for node in nodes], [node.value for node in nodes]
    children = children_of([node.parent for node in nodes])
    for place in reversed(range(len(nodes))):  # children come after their parents
        entered, below = nodes[place], children[place]
        if hidden[place] and not below:
            # Inside its window a fail-soft value is exact, whatever lies below (Fishburn 1983).
            low[place] = -INFINITY if entered.value <= entered.alpha else entered.value
            high[place] = INFINITY if entered.value >= entered.beta else entered.value
        elif below:
            # The interval of the best of several values is the best of their lows and of their
            # highs.
            low[place] = _best([low[child] for child in below], side[place])
            high[place] = _best([high[child] for child in below], side[place])
            if is_open[place] and side[place] == MIN:
                low[place] = -INFINITY
            if is_open[place] and side[place] == MAX:
                high[place] = INFINITY
    return [
        "≠"
        if not (is_own and is_open[number])  # a table may know the moves that are left out
        and _is_wrong(node, [nodes[child].value for child in children[number]], side[number])
        else _compare_bounds(node.value, low[number], high[number])
        for number, node in enumerate(nodes)
    ]


@in_pages
def _compare_bounds(value: int, low: int, high: int) -> str:
    """How minimax's value, between these, compares with a value."""
    if low == value and high == value:
        return "="
    # An interval with the value strictly inside says nothing: `~`.
    return "≥" if low >= value else "≤" if high <= value else "~"


@in_pages
def _best(values: Sequence[int], side: int) -> int:
    """The best of values for a side."""
    return max(values) if side == MAX else min(values)


@in_pages
def _is_wrong(node: Entered, values: Sequence[int], side: int) -> bool:
    """Whether a node's value is neither the best of its children's nor that value clamped to its window."""
    if not values:
        return False
    # Both conventions are right: fail-soft returns the best value, fail-hard clamps it to the
    # window.
    best = _best(values, side)
    return node.value not in (best, min(max(best, node.alpha), node.beta))
