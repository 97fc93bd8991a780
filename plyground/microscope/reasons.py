"""A recorded search in words: what a node is, and why its branches were cut off, with the numbers that decided it."""

from itertools import pairwise

from plyground.microscope.columns import brief
from plyground.microscope.tree import Tree, Window
from plyground.rules import MAX, ONGOING

SIGNS = ("▲", "▼")
"""MAX and MIN, as textbooks draw them."""


def window_text(tree: Tree, window: Window) -> str:
    """A window: `[−∞, 0]`."""
    low, high = (brief(edge, tree.root.game.names) for edge in window)
    return f"[{low}, {high}]"


def value_text(tree: Tree, node: int) -> str:
    """A node's value, with ≤ or ≥ where it is a bound, ≠ where it is wrong: `≤ 0`."""
    said = brief(tree.value[node], tree.root.game.names)
    return said if tree.bound[node] == "=" else f"{tree.bound[node]} {said}"


def cutoff_name(tree: Tree, node: int) -> str:
    """`beta cutoff` at MAX, `alpha cutoff` at MIN, or nothing where no move was cut off."""
    if tree.cut[node] is None or not (tree.skipped[node] or tree.hidden[node]):
        return ""
    return "beta cutoff" if tree.side[node] == MAX else "alpha cutoff"


def label(tree: Tree, node: int) -> str:
    """A node in a line, as it is read aloud: `b1, max, value 0, window [−∞, 0], beta cutoff`."""
    kind = {"leaf": "leaf", "horizon": "leaf"}.get(tree.kind[node], "max" if tree.side[node] == MAX else "min")
    more = f"{tree.hidden[node]:,} nodes below not shown" if tree.hidden[node] else ""
    words = [
        tree.move[node] or "root",
        kind,
        f"value {value_text(tree, node)}",
        f"window {window_text(tree, tree.window(node))}",
        cutoff_name(tree, node),
        "principal variation" if node in tree.line else "",
        more,
    ]
    return ", ".join(filter(None, words))


def setter(tree: Tree, node: int) -> int | None:
    """The node whose value is the bound that a cut-off node ran into; None where that lies outside this tree."""
    return setter_of(tree, node, 1 - tree.side[node])


def setter_of(tree: Tree, node: int, side: int) -> int | None:
    """The node whose value is what a player already has elsewhere when a node is entered; None if there is none."""
    bound = tree.window(node)[side]
    for above, below in pairwise(tree.path(node)):
        if tree.side[above] == side:
            found = [child for child in tree.children(above) if child < below and tree.value[child] == bound]
            if found:
                return found[0]
    return None


def why(tree: Tree, node: int) -> str:
    """Why a node has its value, and if its other moves were cut off, why: with the two numbers that decided it."""
    names = tree.root.game.names
    kind = tree.kind[node]
    if kind == "leaf":
        position = tree.position_at(node)
        if position.outcome is None:
            return f"This position has come before on this line, so no more is to be found: {value_text(tree, node)}."
        return f"The game is over: {position.result}."
    if kind == "horizon":
        parts = " ".join(f"{worth:+d} ({words})".replace("-", "−") for words, worth in tree.evaluation(node))
        return f"No ply is left, so the game's opinion counts: {value_text(tree, node)} = {parts or '0'}."
    mover, other = names[tree.side[node]], names[1 - tree.side[node]]
    value = brief(tree.value[node], names)
    best = tree.best[node]
    if tree.bound[node] == "≠":
        children = tree.children(node)
        right = (max if tree.side[node] == MAX else min)(children, key=lambda child: tree.value[child])
        return (
            f"{mover} should take the {_extreme(tree, node)} value of its moves, {brief(tree.value[right], names)} by "
            f"{tree.move[right]}; this search takes {value}, by {best}."
        )
    if not cutoff_name(tree, node):
        word = {"=": "", "≤": "at most ", "≥": "at least "}[tree.bound[node]]
        return f"{mover} takes the {_extreme(tree, node)} value of its moves: {word}{value}, by {best}."
    is_max = tree.side[node] == MAX
    bound = brief(tree.window(node)[is_max], names)
    skipped = ", ".join(tree.skipped[node]) or "its other moves"
    how, sign = ("at least", "≥") if is_max else ("at most", "≤")
    elsewhere = _elsewhere(tree, node, other)
    return (
        f"With {best} this is worth {how} {value}. {elsewhere} {bound}. Since {value} {sign} {bound}, {other} will not "
        f"let the game come here, whatever else {mover} has: {skipped} need no search."
    )


def _extreme(tree: Tree, node: int) -> str:
    return "largest" if tree.side[node] == MAX else "smallest"


def _elsewhere(tree: Tree, node: int, other: str) -> str:
    found = setter(tree, node)
    if found is None:
        return f"Elsewhere {other} already has"
    above = tree.parent[found]
    words = tree.moves_to(above)
    where = f"after {' '.join(words)}" if words else "at the root"
    return f"But with {tree.move[found]} {where} {other} already has"


def is_leaf(tree: Tree, node: int) -> bool:
    """Whether a node has no children in the search."""
    return tree.kind[node] != "node" or is_over(tree, node)


def is_over(tree: Tree, node: int) -> bool:
    """Whether the game has ended at a node."""
    if tree.root.game.repetition and tree.kind[node] == "leaf":
        return True
    return tree.root.game.outcome(tree.state[node]) != ONGOING
