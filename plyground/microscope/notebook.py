"""Recorded search for Python and notebooks, with its drawings and the reasons of its nodes."""

from dataclasses import dataclass, fields

from plyground.errors import check_arguments
from plyground.markup import Markup
from plyground.microscope import forms, picture
from plyground.microscope.tree import SHOWN_NODES, Tree, record
from plyground.microscope.why import why
from plyground.position import Position


@dataclass(frozen=True)
class SearchTree(Tree):
    """A recorded search. Nodes are numbers in the order in which the search entered them; 0 is the root.

    >>> import plyground as pg
    >>> tree = pg.search_tree(pg.Position.parse("tictactoe", "a1 b1 a2 b2"), "alphabeta", 2)
    >>> tree.nodes, tree.cutoffs, tree.best[0]
    (15, 3, 'a3')
    """

    @property
    def text(self) -> str:
        """The tree with a line for each node."""
        return forms.text(self)

    @property
    def svg(self) -> Markup:
        """The tree as an SVG document."""
        return picture.svg(self)

    @property
    def dot(self) -> str:
        """The tree in Graphviz's language."""
        return forms.dot(self)

    @property
    def json(self) -> str:
        """The tree's arrays in JSON."""
        return forms.as_json(self)

    @property
    def html(self) -> Markup:
        """A self-contained page."""
        return forms.html(self)

    @check_arguments
    def why(self, moves: str = "") -> str:
        """Reason why the node after some moves has its value, or why its other moves were cut off.

        Raises:
            BadInput: the search did not enter that node.
        """
        return why(self, self.node_at(moves))

    @check_arguments
    def below(self, node: int, plies: int | None = None, shown: int = SHOWN_NODES) -> "SearchTree":
        """The part of the search below a node, with the nodes that this tree does not keep."""
        return _show_tree(super().below(node, plies, shown))

    def _repr_html_(self) -> Markup:
        return self.svg


@check_arguments
def search_tree(
    position: Position,
    algorithm: str = "alphabeta",
    depth: int = 2,
    *,
    prefer_shorter: bool = True,
    plies: int | None = None,
    shown: int = SHOWN_NODES,
) -> SearchTree:
    """Search as `search` does, and keep the tree.

    >>> from plyground.games.mnk import MNK
    >>> tree = search_tree(Position.parse(MNK(), "xx./.o./...:o"))
    >>> tree.nodes, tree.cutoffs
    (17, 5)
    >>> print(tree.why("a2"))  # doctest: +ELLIPSIS
    With c1 this is worth at least x in 2. But with c1 at the root o already has 0. Since x in 2 ≥ 0, o will not ...

    Args:
        position: where to search from.
        algorithm: `minimax`, `alphabeta`, `ordered`, or a user's search: `path/to/file.py:function`.
        depth: plies to look ahead.
        prefer_shorter: as for `search`.
        plies: plies of the tree to keep; by default as many as `shown` allows.
        shown: most nodes to keep.

    Raises:
        BadInput: as `microscope.tree.record`.
    """
    return _show_tree(record(position, algorithm, depth, prefer_shorter=prefer_shorter, plies=plies, shown=shown))


def _show_tree(tree: Tree) -> SearchTree:
    return SearchTree(**{each.name: getattr(tree, each.name) for each in fields(tree)})
