"""Limit of nodes for a search from the beginning of a game: the saving that an exercise asks for."""

from dataclasses import dataclass

from plyground.errors import BadInput
from plyground.games import game_named
from plyground.position import Position

MOST_NODES = 50_000
"""Most nodes of a limit: a search in plain Python takes seconds for them."""


@dataclass(frozen=True)
class NodeLimit:
    """Most nodes that a search may enter, over all its passes, from a game's first position to a depth."""

    game: str
    depth: int
    most: int

    @property
    def start(self) -> Position:
        """The game's first position."""
        return Position.initial(game_named(self.game))

    @property
    def sentence(self) -> str:
        """Sentence about a search that enters more."""
        return f"It is not done after {self.most:,} nodes: {self.game} to depth {self.depth}, from the first position."


def node_limit(text: str) -> NodeLimit | None:
    """Read a limit such as `connectfour 6 5000`: game, depth and nodes. Returns None for an empty text.

    Raises:
        BadInput: the text is none.
    """
    if not text.strip():
        return None
    words = text.split()
    if len(words) != 3 or not all(word.isdecimal() for word in words[1:]):
        raise BadInput(f'--most-nodes "{text}": a game, a depth and a number, such as "connectfour 6 5000".')
    game, depth, most = words[0], int(words[1]), int(words[2])
    # For its error: the name may be no game's.
    game_named(game)
    if not 1 <= depth <= 99 or not 1 <= most <= MOST_NODES:
        raise BadInput(f'--most-nodes "{text}": a depth of 1 to 99, and 1 to {MOST_NODES:,} nodes.')
    return NodeLimit(game, depth, most)
