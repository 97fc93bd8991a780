"""Why a node of a recorded search has its value, also where a user's search is wrong."""

from collections.abc import Iterator

from plyground.laws.searches.laws import SearchBreach
from plyground.microscope.columns import brief
from plyground.microscope.reasons import (
    cutoff_name,
    extreme,
    node_behind_cutoff,
    reason,
    value_text,
    where_is,
    window_text,
    wrong,
)
from plyground.microscope.tree import Tree
from plyground.microscope.wording import WORDING
from plyground.rules import MAX
from plyground.score import final


def why(tree: Tree, node: int) -> str:
    """Reason of a node's value, and of its cutoff with the two numbers that decided it."""
    if said := _broken_law(tree, node):
        return said
    said = _reason(tree, node)
    mistake = next((below for below in _all_below(tree, node) if _misleads(tree.broken.get(below))), None)
    return said if mistake is None else WORDING.rests.format(said=said, where=where_is(tree, mistake))


def _reason(tree: Tree, node: int) -> str:
    """Reason of the value of a node that keeps the laws itself."""
    if tree.kind[node] == "horizon":
        parts = " ".join(f"{worth:+d} ({words})".replace("-", "−") for words, worth in tree.evaluation(node))
        return WORDING.horizon.format(value=f"{value_text(tree, node)} = {parts or '0'}")
    names, bound, best = tree.root.game.names, tree.bound[node], tree.best[node]
    below = tree.children(node) or tree.hidden[node] or tree.skipped[node]
    is_searched = bool(tree.kind[node] == "node" and bound != "≠" and below)
    # The lawful cutoff is `reason`'s, which published pages have as JavaScript; the forms here are
    # for users' searches, whose cutoffs may have other causes.
    if is_searched and cutoff_name(tree, node) and (form := _cut_template(tree, node)) != WORDING.cut:
        low, high = window = tree.window(node)
        is_max = tree.side[node] == MAX
        return form.format(
            best=best,
            how=WORDING.at_least if is_max else WORDING.at_most,
            value=brief(tree.value[node], names),
            edge=brief(high if is_max else low, names),
            low=brief(low, names),
            window=window_text(tree, window),
            other=names[1 - tree.side[node]],
            mover=names[tree.side[node]],
            skipped=", ".join(tree.skipped[node]) or WORDING.others,
        )
    if is_searched and not cutoff_name(tree, node) and bound == "~":
        return WORDING.came_back.format(
            mover=names[tree.side[node]],
            extreme=extreme(tree, node),
            value=brief(tree.value[node], names),
            best=best,
        )
    return reason(tree, node)


def _cut_template(tree: Tree, node: int) -> str:
    """Template of the sentence about a cutoff: by a bound, by the best utility, by a null window, or unfounded."""
    side, value = tree.side[node], tree.value[node]
    low, high = window = tree.window(node)
    edge = window[1 - side]
    # No bound is reached. The cut is sound where nothing better exists: the best utility, as soon
    # as the next move if shorter wins are preferred.
    if not (value >= edge if side == MAX else value <= edge):
        most = tree.root.game.bounds(tree.state[node])[side == MAX]
        soonest = int(tree.prefer_shorter) * (tree.ply + tree.level[node] + 1)
        return WORDING.cut_best if value in (final(most, soonest), final(most, 0)) else WORDING.cut_inside
    # The bound came with the question, or a node of the tree set it.
    if edge == tree.window(0)[1 - side] or node_behind_cutoff(tree, node) is not None:
        return WORDING.cut if tree.bound[node] != "~" else WORDING.cut_unfounded
    if any(_misleads(found) and found.law == "window" for found in _breaches_above(tree, node)):
        return WORDING.cut_unfounded
    # Neither, and no mistake above: a window of width 1 is one of the search's own making, as in
    # scouting (Pearl 1980).
    return WORDING.cut_null if high - low == 1 else WORDING.cut


def _breaches_above(tree: Tree, node: int) -> list[SearchBreach]:
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


def _broken_law(tree: Tree, node: int) -> str:
    """Sentence on the law that a search breaks at a node, or on a node above where it should have stopped; or empty."""
    if found := tree.broken.get(node):
        names_the_right_move = found.law in ("sign", "value") and tree.children(node) and tree.best[node]
        seen = wrong(tree, node) if names_the_right_move else found.seen
        is_guess = len(found.others) > 1  # the last of them is the law itself
        return WORDING.perhaps.format(seen=seen, words=found.words) if is_guess else f"{seen} {found.words}"
    for above in tree.path(node)[:-1]:
        found = tree.broken.get(above)
        if found and found.key in STRAYING_MISTAKES:
            words = " ".join(tree.moves_to(above)) or WORDING.root
            return f"No search should come here; before, at {words}: {found.words}"
    return ""


STRAYING_MISTAKES = ("goes on", "too deep", "illegal", "other position")
"""Mistakes after which a search is where it should not be."""
