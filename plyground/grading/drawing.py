"""The tree of a counterexample beside the right one: alpha-beta in the same order of moves."""

from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest

from plyground.grading.asking import Asked
from plyground.grading.grade import Counterexample, tried_order
from plyground.laws.searches.games import reorder_moves
from plyground.microscope.forms import node_text, outline
from plyground.microscope.tree import Tree, build_tree
from plyground.search.algorithm import Query
from plyground.search.alphabeta import ALPHABETA
from plyground.search.minimax import MINIMAX
from plyground.search.observer import Entered, Recording

DRAWN_AT_MOST = 80
"""Most nodes of a drawn tree; of a larger one only the first plies are drawn."""
WIDE_AT_MOST = 118
"""Most columns of two trees side by side; wider ones stand one below the other."""
HERE = "◀ here"


@dataclass(frozen=True)
class Pair:
    """Two trees of one question, and the first node in which they differ."""

    yours: Tree
    right: Tree
    node: int | None
    """Node of `yours` at which the law is broken, or the first with another value; None where that is not drawn."""
    twin: int | None
    """The same node in `right`; None where the reference does not enter it."""


def pair(example: Counterexample) -> Pair | None:
    """The trees of a counterexample; None where they do not show it, or not all nodes are reported."""
    asked = example.asked
    # Only the last pass of a search that deepens is drawn: the one that gave the answer.
    start = max(asked.held.recording.last_pass, 0)
    if not example.is_drawn or not asked.held.nodes or (asked.answer and not asked.held.recording.is_balanced):
        return None
    nodes = [replace(node, parent=max(node.parent - start, -1)) for node in asked.held.nodes[start:]]
    for node, window in zip(nodes, asked.held.windows_as_shown[start:], strict=True):
        # Windows are drawn as x sees them: a negamax is drawn beside minimax.
        node.alpha, node.beta = window or (node.alpha, node.beta)
    yours = _draw_tree(asked, nodes, "yours")
    right = _draw_tree(asked, _reference(asked), "reference")
    # Reversed, so that of several nodes with the same moves the first one stays.
    twins = {" ".join(right.moves_to(node)): node for node in reversed(range(len(right)))}
    found = example.breach.node - start if example.breach and example.breach.node >= start else None
    if found is None:
        found = _first_difference(yours, right, twins)
    elif found < len(nodes):  # the same node among those that are drawn
        kept = [place for place, node in enumerate(nodes) if node.level <= max(yours.level)]
        found = kept.index(found) if found in kept else None
    return Pair(yours, right, found, None if found is None else twins.get(" ".join(yours.moves_to(found))))


def _first_difference(yours: Tree, right: Tree, twins: dict[str, int]) -> int | None:
    """The first node, in the order in which they are left, that has another value in the reference or is not there."""
    # Nodes are compared as they are left: a wrong value is made there, and its parents are wrong after it.
    waiting = [(0, False)]
    while waiting:
        node, is_left = waiting.pop()
        if not is_left:
            waiting += [(node, True), *((child, False) for child in reversed(yours.children(node)))]
            continue
        twin = twins.get(" ".join(yours.moves_to(node)))
        if twin is None or right.value[twin] != yours.value[node]:
            return node
    return None


def _draw_tree(asked: Asked, nodes: list[Entered], name: str) -> Tree:
    question = asked.question
    alpha, beta = question.window
    held = asked.held
    query = Query(question.position.game, question.position.state, question.depth, held.prefer_shorter, 0, alpha, beta)
    levels = [node.level for node in nodes]
    plies = max(levels)
    # Plies are drawn whole, so that no node is drawn without its siblings.
    while plies > 1 and sum(level <= plies for level in levels) > DRAWN_AT_MOST:
        plies -= 1
    algorithm = replace(ALPHABETA if held.has_window else MINIMAX, name=name)
    return build_tree(question.position, algorithm, query, nodes, plies)


def _reference(asked: Asked) -> list[Entered]:
    """The nodes of the textbook's search in the same order of moves."""
    question, held = asked.question, asked.held
    chosen = ALPHABETA if held.has_window else MINIMAX
    # The reference has the search's own order of moves, so that each difference is a mistake and not another order.
    game = reorder_moves(question.position.game, tried_order(asked))
    alpha, beta = question.window
    query = Query(game, question.position.state, question.depth, held.prefer_shorter, 0, alpha, beta)
    recording = Recording()
    chosen.prepare_run(query, recording, partial(chosen.search, game))()
    return recording.nodes


def right_tree(example: Counterexample) -> Tree:
    """The reference's tree of a counterexample."""
    return _draw_tree(example.asked, _reference(example.asked), "reference")


def draw_reference(example: Counterexample) -> str:
    """The reference's tree in text, its root marked, where a search reports no nodes, such as a program's.

    The question is the smallest with a wrong answer, so its root is where the search goes wrong.
    """
    tree = right_tree(example)
    return "\n".join(["right", *outline(tree, Marked(0)), counts(tree)])


def counts(tree: Tree) -> str:
    """Nodes and cutoffs of a tree, in words."""
    nodes, cutoffs = ("" if count == 1 else "s" for count in (tree.nodes, tree.cutoffs))
    return f"{tree.nodes:,} node{nodes}, {tree.cutoffs:,} cutoff{cutoffs}"


def side_by_side(found: Pair) -> str:
    """Both trees in text, the first node that differs marked."""
    left = ["yours", *outline(found.yours, Marked(found.node))]
    right = ["right", *outline(found.right, Marked(found.twin))]
    left.append(counts(found.yours))
    right.append(counts(found.right))
    wide = max(map(len, left)) + 3
    if wide + max(map(len, right)) > WIDE_AT_MOST:
        return "\n".join([*left, "", *right])
    return "\n".join(f"{mine:<{wide}}{other}".rstrip() for mine, other in zip_longest(left, right, fillvalue=""))


@dataclass(frozen=True)
class Marked:
    """Line for each node of a tree, with a mark at one of them."""

    node: int | None

    def __call__(self, tree: Tree, node: int) -> str:
        """The words of a node."""
        return f"{node_text(tree, node)}{f'  {HERE}' if node == self.node else ''}"
