"""Recorded search in words: each node, and the reason of each cutoff with the numbers that decided it."""

from collections.abc import Iterator
from itertools import pairwise

from plyground.laws.search_laws import SearchBreach
from plyground.microscope.columns import brief
from plyground.microscope.tree import Tree, Window
from plyground.microscope.wording import WORDING
from plyground.rules import MAX, ONGOING
from plyground.score import final

SIGNS = ("▲", "▼")
"""MAX and MIN, as textbooks draw them."""


def window_text(tree: Tree, window: Window) -> str:
    """A window: `[−∞, 0]`."""
    low, high = (brief(edge, tree.root.game.names) for edge in window)
    return f"[{low}, {high}]"


def value_text(tree: Tree, node: int) -> str:
    """A node's value, with ≤ or ≥ where it is a bound, ≠ where it is wrong, ~ where nothing is known: `≤ 0`."""
    said = brief(tree.value[node], tree.root.game.names)
    return said if tree.bound[node] == "=" else f"{tree.bound[node]} {said}"


def cutoff_name(tree: Tree, node: int) -> str:
    """`beta cutoff` at MAX, `alpha cutoff` at MIN, or nothing where no move was cut off."""
    if tree.cut[node] is None or not (tree.skipped[node] or tree.hidden[node]):
        return ""
    return WORDING.beta_cutoff if tree.side[node] == MAX else WORDING.alpha_cutoff


def label(tree: Tree, node: int) -> str:
    """A node in a line, for screen readers: `b1, max, value 0, window [−∞, 0], beta cutoff`."""
    kind = {"leaf": "leaf", "horizon": "leaf"}.get(tree.kind[node], "max" if tree.side[node] == MAX else "min")
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


def setter(tree: Tree, node: int) -> int | None:
    """The node whose value is the bound that caused a cutoff; None where that lies outside this tree."""
    return setter_of(tree, node, 1 - tree.side[node])


def setter_of(tree: Tree, node: int, side: int) -> int | None:
    """The node whose value a player already has elsewhere when a node is entered; None if there is none."""
    bound = tree.window(node)[side]
    for above, below in pairwise(tree.path(node)):
        if tree.side[above] == side:
            found = [child for child in tree.children(above) if child < below and tree.value[child] == bound]
            if found:
                return found[0]
    return None


def why(tree: Tree, node: int) -> str:
    """Reason of a node's value, and of its cutoff with the two numbers that decided it."""
    if said := _broken(tree, node):
        return said
    said = _reason(tree, node)
    mistake = next((below for below in _all_below(tree, node) if _misleads(tree.broken.get(below))), None)
    return said if mistake is None else WORDING.rests.format(said=said, where=_where(tree, mistake))


def _reason(tree: Tree, node: int) -> str:
    """Reason of the value of a node that keeps the laws itself."""
    names = tree.root.game.names
    kind = tree.kind[node]
    if kind == "leaf":
        position = tree.position_at(node)
        if position.outcome is None:
            return WORDING.repeated.format(value=value_text(tree, node))
        return WORDING.over.format(result=position.result)
    if kind == "horizon":
        parts = " ".join(f"{worth:+d} ({words})".replace("-", "−") for words, worth in tree.evaluation(node))
        return WORDING.horizon.format(value=f"{value_text(tree, node)} = {parts or '0'}")
    mover, other = names[tree.side[node]], names[1 - tree.side[node]]
    value = brief(tree.value[node], names)
    best = tree.best[node]
    if not tree.children(node) and not tree.hidden[node] and not tree.skipped[node]:
        return WORDING.known.format(value=value_text(tree, node))
    if tree.bound[node] == "≠":
        return _wrong(tree, node)
    if not cutoff_name(tree, node):
        word = {"≤": f"{WORDING.at_most} ", "≥": f"{WORDING.at_least} "}.get(tree.bound[node], "")
        said = WORDING.came_back if tree.bound[node] == "~" else WORDING.takes
        return said.format(mover=mover, extreme=_extreme(tree, node), word=word, value=value, best=best)
    is_max = tree.side[node] == MAX
    low, high = window = tree.window(node)
    how, sign = (WORDING.at_least, "≥") if is_max else (WORDING.at_most, "≤")
    return _form_of_cut(tree, node).format(
        best=best,
        how=how,
        value=value,
        elsewhere=_elsewhere(tree, node, other),
        edge=brief(high if is_max else low, names),
        low=brief(low, names),
        window=window_text(tree, window),
        sign=sign,
        other=other,
        mover=mover,
        skipped=", ".join(tree.skipped[node]) or WORDING.others,
    )


def _form_of_cut(tree: Tree, node: int) -> str:
    """The sentence for a cutoff: what a user's search cuts off may need no search for another reason, or for none."""
    side, value = tree.side[node], tree.value[node]
    low, high = window = tree.window(node)
    edge = window[1 - side]
    if not (value >= edge if side == MAX else value <= edge):
        most = tree.root.game.bounds(tree.state[node])[side == MAX]
        soonest = int(tree.prefer_shorter) * (tree.ply + tree.level[node] + 1)
        return WORDING.cut_best if value in (final(most, soonest), final(most, 0)) else WORDING.cut_inside
    if edge == tree.window(0)[1 - side] or setter(tree, node) is not None:
        return WORDING.cut if tree.bound[node] != "~" else WORDING.cut_unfounded
    if any(_misleads(found) and found.law == "window" for found in _above(tree, node)):
        return WORDING.cut_unfounded
    return WORDING.cut_null if high - low == 1 else WORDING.cut


def _above(tree: Tree, node: int) -> list[SearchBreach]:
    """Broken laws on the way to a node."""
    return [tree.broken[above] for above in tree.path(node)[:-1] if above in tree.broken]


def _all_below(tree: Tree, node: int) -> Iterator[int]:
    """The nodes below a node, in the order of the search."""
    for child in tree.children(node):
        yield child
        yield from _all_below(tree, child)


def _misleads(found: SearchBreach | None) -> bool:
    """Whether a broken law may make the values above its node wrong."""
    return found is not None and found.law != "choice" and found.mistake.is_wrong


def _where(tree: Tree, node: int) -> str:
    words = " ".join(tree.moves_to(node))
    return WORDING.after.format(moves=words) if words else WORDING.root


def _broken(tree: Tree, node: int) -> str:
    """What is wrong with a node, where its search breaks a law there, or should not have come there; else nothing."""
    if found := tree.broken.get(node):
        names_the_right_move = found.law in ("sign", "value") and tree.children(node) and tree.best[node]
        seen = _wrong(tree, node) if names_the_right_move else found.seen
        is_guess = len(found.others) > 1  # the last of them is the law itself
        return WORDING.perhaps.format(seen=seen, words=found.words) if is_guess else f"{seen} {found.words}"
    for above in tree.path(node)[:-1]:
        found = tree.broken.get(above)
        if found and found.key in NOT_TO_BE:
            words = " ".join(tree.moves_to(above)) or WORDING.root
            return f"No search should come here; before, at {words}: {found.words}"
    return ""


def _wrong(tree: Tree, node: int) -> str:
    """The move that a node should take, and the one that its search takes."""
    names = tree.root.game.names
    right = (max if tree.side[node] == MAX else min)(tree.children(node), key=lambda child: tree.value[child])
    return WORDING.wrong.format(
        mover=names[tree.side[node]],
        extreme=_extreme(tree, node),
        right=brief(tree.value[right], names),
        move=tree.move[right],
        value=brief(tree.value[node], names),
        best=tree.best[node],
    )


NOT_TO_BE = ("goes on", "too deep", "illegal", "other position")
"""Mistakes after which a search is where it should not be."""


def _extreme(tree: Tree, node: int) -> str:
    return WORDING.largest if tree.side[node] == MAX else WORDING.smallest


def _elsewhere(tree: Tree, node: int, other: str) -> str:
    found = setter(tree, node)
    if found is None:
        return WORDING.has_elsewhere.format(other=other)
    above = tree.parent[found]
    return WORDING.has_with.format(move=tree.move[found], where=_where(tree, above), other=other)


def is_leaf(tree: Tree, node: int) -> bool:
    """Whether a node has no children in the search."""
    return tree.kind[node] != "node" or is_over(tree, node)


def is_over(tree: Tree, node: int) -> bool:
    """Whether the game has ended at a node."""
    if tree.root.game.repetition and tree.kind[node] == "leaf":
        return True
    return tree.root.game.outcome(tree.state[node]) != ONGOING
