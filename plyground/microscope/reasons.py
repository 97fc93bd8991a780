"""Recorded search in words: each node, and the reason of each cutoff with the numbers that decided it."""

from itertools import pairwise

from plyground.in_pages import in_pages
from plyground.microscope.columns import brief
from plyground.microscope.tree import Tree, Window
from plyground.microscope.wording import WORDING
from plyground.rules import MAX, ONGOING

SIGNS = ("▲", "▼")
"""MAX and MIN, as textbooks draw them."""


@in_pages
def window_text(tree: Tree, window: Window) -> str:
    """A window: `[−∞, 0]`."""
    low, high = window
    return f"[{brief(low, tree.root.game.names)}, {brief(high, tree.root.game.names)}]"


@in_pages
def value_text(tree: Tree, node: int) -> str:
    """A node's value, with ≤ or ≥ where it is a bound, ≠ where it is wrong, ~ where nothing is known: `≤ 0`."""
    said = brief(tree.value[node], tree.root.game.names)
    return said if tree.bound[node] == "=" else f"{tree.bound[node]} {said}"


@in_pages
def cutoff_name(tree: Tree, node: int) -> str:
    """`beta cutoff` at MAX, `alpha cutoff` at MIN, or nothing where no move was cut off."""
    # Where children are not kept, neither are the names of the moves left out; that there were some
    # is.
    if tree.cut[node] is None or not (tree.skipped[node] or tree.hidden[node]):
        return ""
    return WORDING.beta_cutoff if tree.side[node] == MAX else WORDING.alpha_cutoff


@in_pages
def label(tree: Tree, node: int) -> str:
    """A node in a line, for screen readers: `b1, max, value 0, window [−∞, 0], beta cutoff`."""
    kind = "leaf" if tree.kind[node] != "node" else "max" if tree.side[node] == MAX else "min"
    more = WORDING.hidden.format(count=f"{tree.hidden[node]:,}") if tree.hidden[node] else ""
    words = [
        tree.move[node] or "root",
        kind,
        f"value {value_text(tree, node)}",
        f"window {window_text(tree, tree.window(node))}",
        cutoff_name(tree, node),
        WORDING.line if node in tree.line else "",
        more,
    ]
    return ", ".join(filter(None, words))


@in_pages
def node_behind_cutoff(tree: Tree, node: int) -> int | None:
    """The node whose value is the bound that caused a cutoff; None where that lies outside this tree."""
    return node_with_bound(tree, node, 1 - tree.side[node])


@in_pages
def node_with_bound(tree: Tree, node: int, side: int) -> int | None:
    """The node whose value a player already has elsewhere when a node is entered; None if there is none."""
    bound = tree.window(node)[side]
    path = tree.path(node)
    # From the root down: a bound is inherited by all nodes below, so the topmost node with that
    # value set it.
    for above, below in pairwise(path):
        if tree.side[above] == side:
            found = [child for child in tree.children(above) if child < below and tree.value[child] == bound]
            if found:
                return found[0]
    return None


@in_pages
def reason(tree: Tree, node: int) -> str:
    """Reason of a node's value in a search that keeps the laws of searches, from the tree alone."""
    names, is_max = tree.root.game.names, tree.side[node] == MAX
    if tree.kind[node] == "leaf":
        position = tree.position_at(node)
        # A leaf in an unfinished game: the search met a repetition.
        if position.outcome is None:
            return WORDING.repeated.format(value=value_text(tree, node))
        return WORDING.over.format(result=position.result)
    if tree.kind[node] == "horizon":
        return WORDING.horizon.format(value=value_text(tree, node))
    if not tree.children(node) and not tree.hidden[node] and not tree.skipped[node]:
        return WORDING.known.format(value=value_text(tree, node))
    if tree.bound[node] == "≠":
        return wrong(tree, node)
    mover, other = names[tree.side[node]], names[1 - tree.side[node]]
    best, value, bound = tree.best[node] or "", brief(tree.value[node], names), tree.bound[node]
    if not cutoff_name(tree, node):
        word = WORDING.at_most + " " if bound == "≤" else WORDING.at_least + " " if bound == "≥" else ""
        return WORDING.takes.format(mover=mover, extreme=extreme(tree, node), word=word, value=value, best=best)
    low, high = tree.window(node)
    return WORDING.cut.format(
        best=best,
        how=WORDING.at_least if is_max else WORDING.at_most,
        value=value,
        elsewhere=_elsewhere(tree, node, other),
        edge=brief(high if is_max else low, names),
        sign="≥" if is_max else "≤",
        other=other,
        mover=mover,
        skipped=", ".join(tree.skipped[node]) or WORDING.others,
    )


@in_pages
def wrong(tree: Tree, node: int) -> str:
    """The move that a node should take, and the one that its search takes."""
    names, sign = tree.root.game.names, -1 if tree.side[node] == MAX else 1
    # Sorting is stable, so of equal values the first searched is named, as the search would.
    right = sorted(tree.children(node), key=lambda child: sign * tree.value[child])[0]
    return WORDING.wrong.format(
        mover=names[tree.side[node]],
        extreme=extreme(tree, node),
        right=brief(tree.value[right], names),
        move=tree.move[right],
        value=brief(tree.value[node], names),
        best=tree.best[node] or "",
    )


@in_pages
def extreme(tree: Tree, node: int) -> str:
    """Whether a node takes the largest or the smallest value."""
    return WORDING.largest if tree.side[node] == MAX else WORDING.smallest


@in_pages
def where_is(tree: Tree, node: int) -> str:
    """Where a node is: at the root, or after its moves."""
    words = " ".join(tree.moves_to(node))
    return WORDING.after.format(moves=words) if words else WORDING.root


@in_pages
def _elsewhere(tree: Tree, node: int, other: str) -> str:
    found = node_behind_cutoff(tree, node)
    if found is None:
        return WORDING.has_elsewhere.format(other=other)
    return WORDING.has_with.format(move=tree.move[found], where=where_is(tree, tree.parent[found]), other=other)


def is_leaf(tree: Tree, node: int) -> bool:
    """Whether a node has no children in the search."""
    return tree.kind[node] != "node" or is_over(tree, node)


def is_over(tree: Tree, node: int) -> bool:
    """Whether the game has ended at a node."""
    if tree.root.game.repetition and tree.kind[node] == "leaf":
        return True
    return tree.root.game.outcome(tree.state[node]) != ONGOING
