"""Text forms of a recorded search: indented tree, trace of the leaves, DOT, JSON, and a page of HTML."""

import json
from collections.abc import Callable

from plyground.in_pages import in_pages
from plyground.markup import Inside, Markup, document, el
from plyground.microscope.picture import svg
from plyground.microscope.reasons import SIGNS, cutoff_name, label, value_text, window_text
from plyground.microscope.tree import Tree
from plyground.microscope.why import why
from plyground.microscope.wording import WORDING
from plyground.rules import MAX


def text(tree: Tree) -> str:
    """The tree with a line for each node: move, side, value, window, and the moves cut off."""
    return "\n".join([*text_lines(tree), *broken_lines(tree)]) + "\n"


@in_pages
def text_lines(tree: Tree) -> list[str]:
    """The lines of `text`, without those of laws that are broken."""
    return [*outline(tree, node_text), counts_text(tree)]


@in_pages
def counts_text(tree: Tree) -> str:
    """Nodes, leaves and cutoffs of a tree: `137 nodes, 1 leaf, 0 cutoffs`."""
    nodes = "node" if tree.nodes == 1 else "nodes"
    leaves = "leaf" if tree.leaves == 1 else "leaves"
    cutoffs = "cutoff" if tree.cutoffs == 1 else "cutoffs"
    return f"{tree.nodes:,} {nodes}, {tree.leaves:,} {leaves}, {tree.cutoffs:,} {cutoffs}"


def broken_lines(tree: Tree) -> list[str]:
    """Laws that the search breaks, each once, with the first node at which it does."""
    first = {found.words: node for node, found in reversed(tree.broken.items())}
    # Reversed above: of several nodes with one mistake the first in the search's order stays.
    where = {words: " ".join(tree.moves_to(node)) or "the root" for words, node in first.items()}
    return [f"✗ {words} (at {where[words]})" for words in sorted(first, key=lambda words: first[words])]


def question_text(tree: Tree) -> str:
    """The tree with the values of its leaves alone: a question."""
    return "\n".join(outline(tree, lambda tree, node: "" if tree.children(node) else value_text(tree, node))) + "\n"


NodeText = Callable[[Tree, int], str]


@in_pages
def outline(tree: Tree, said: NodeText) -> list[str]:
    """The tree with a line for each node: its move, its side, and the text that `said` makes of it."""
    lines = [f"{SIGNS[tree.side[0]]} {tree.root.text}  {said(tree, 0)}".rstrip()]
    _add_lines(tree, 0, "", lines, said)
    return lines


@in_pages
def _add_lines(tree: Tree, node: int, margin: str, lines: list[str], said: NodeText) -> None:
    below = tree.children(node)
    cut = tree.skipped[node]
    for place, child in enumerate(below):
        is_last = place == len(below) - 1 and not cut
        sign = "□" if tree.kind[child] != "node" else SIGNS[tree.side[child]]
        lines.append(f"{margin}{'└─' if is_last else '├─'} {tree.move[child]} {sign} {said(tree, child)}".rstrip())
        _add_lines(tree, child, margin + ("   " if is_last else "│  "), lines, said)
    if cut:
        lines.append(margin + WORDING.not_searched + " ".join(cut))


@in_pages
def node_text(tree: Tree, node: int) -> str:
    """Value, window and cut of a node: `≥ 0  [−∞, 0]  beta cutoff`."""
    words = [value_text(tree, node)]
    if tree.kind[node] == "node":
        words.append(window_text(tree, tree.window(node)) if tree.has_window else "")
    words.append(cutoff_name(tree, node))
    words.append("*" if node in tree.line else "")
    words.append(WORDING.below.format(count=f"{tree.hidden[node]:,}") if tree.hidden[node] else "")
    return "  ".join(filter(None, words))


@in_pages
def spy(tree: Tree) -> str:
    """A line for each leaf in the order of the search: the player to move, the board, and its value."""
    names, game = tree.root.game.names, tree.root.game
    leaves = [node for node in range(len(tree.parent)) if not tree.children(node)]
    rows = [f"{names[tree.side[node]]} {game.text(tree.state[node])} {value_text(tree, node)}" for node in leaves]
    return "\n".join(rows) + "\n"


def dot(tree: Tree) -> str:
    """The tree in Graphviz's language."""
    shapes = {(MAX, "node"): "triangle", (1 - MAX, "node"): "invtriangle"}
    lines = [
        "digraph search {",
        "  node [fontname=sans, fontsize=10, margin=0];",
        "  edge [fontname=sans, fontsize=9];",
    ]
    best = set(tree.line)
    for node in range(len(tree)):
        shape = shapes.get((tree.side[node], tree.kind[node]), "box")
        lines.append(f"  n{node} [shape={shape}, label={_quote(value_text(tree, node))}];")
        if node:
            bold = ", color=darkgreen, penwidth=2" if node in best else ""
            lines.append(f"  n{tree.parent[node]} -> n{node} [label={_quote(tree.move[node])}{bold}];")
        for place, name in enumerate(tree.skipped[node]):
            # A point of its own for each: Graphviz draws edges only between nodes.
            lines.append(f'  c{node}_{place} [shape=point, color=red, label=""];')
            lines.append(f"  n{node} -> c{node}_{place} [label={_quote(name)}, color=red, style=dashed];")
    return "\n".join([*lines, "}"]) + "\n"


def _quote(words: str) -> str:
    # Backslashes first, or those that escape quotes would be doubled; a quoted string of DOT has no
    # other special characters but escapes for line breaks.
    return '"' + words.replace("\\", "\\\\").replace('"', '\\"') + '"'


def as_json(tree: Tree) -> str:
    """The tree's columns as one line of JSON; null where a window has no edge."""
    # Without spaces: a tree may have ten thousand nodes.
    return json.dumps(vars(tree.columns), ensure_ascii=False, separators=(",", ":")) + "\n"


TREE_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem; color: #1b1f24; background: #fbfaf7; }
.tree { overflow: auto; border: 1px solid #cfd3d8; border-radius: 10px; background: #fff; }
table { border-collapse: collapse; } td, th { text-align: left; padding: 0.2rem 0.8rem 0.2rem 0; vertical-align: top; }
@media print { body { margin: 0; } .tree { border: 0; } }
"""


LEGEND = (
    "▲ x to move (MAX) ▼ o to move (MIN) □ leaf; red: cut off; green: best play by both sides. "
    "Point at a node to read it."
)


def html(tree: Tree) -> Markup:
    """A self-contained page: the picture, and the reason of each cutoff."""
    best = " ".join(tree.move[node] for node in tree.line[1:])
    # A table that can be read; the picture has all.
    cuts = [node for node in range(len(tree)) if tree.skipped[node]][:200]
    rows = (el("tr", el("td", " ".join(tree.moves_to(node)) or "root"), el("td", why(tree, node))) for node in cuts)
    table = el("table", el("tr", el("th", "after"), el("th", "why")), rows)
    return page(
        f"{tree.algorithm}, depth {tree.depth}: {tree.root.text}",
        el("p", f"{counts_text(tree)}; best: {best}."),
        el("div", svg(tree), class_="tree", tabindex=0),
        el("p", LEGEND),
        [el("h2", "Why the branches were cut off"), table] if cuts else None,
    )


def page(title: str, *inside: Inside, style: str = "") -> Markup:
    """A whole HTML document; `style` is added to the pages' own."""
    return document(title, TREE_STYLE + style, el("h1", title), "\n", *inside)


@in_pages
def describe_node(tree: Tree, node: int) -> str:
    """A node in words: its label, and why it has its value."""
    return f"{label(tree, node)}\n{why(tree, node)}\n"
