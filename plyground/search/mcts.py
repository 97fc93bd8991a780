"""Monte Carlo tree search: the tree grows where random games went well.

UCT after Kocsis and Szepesvári, "Bandit based Monte-Carlo planning" (2006), as told by Browne et al. (2012): a
simulation walks down by upper confidence bounds, adds the children of a leaf seen before, plays one random game, and
adds its result to every node on the way. Nodes whose value is certain are marked as such (Winands, Björnsson and
Saito, "Monte-Carlo tree search solver", 2008), and not visited again where something better can be found out.

The tree is one `Memory`, `FIELDS` words a node, node 0 the root; children lie side by side in generation order:

    visits | sum of results for x | move | first child, 0 for none | how many children | value if certain, else ONGOING

A result is 1, 0 or -1 for x: a margin counts no more than a win.
"""

from math import log, sqrt
from typing import Final

from plyground.bits import mixed
from plyground.memory import Memory, new_memory
from plyground.rules import MAX, NO_MOVE, ONGOING, Game, State
from plyground.search.watch import Watcher

VISITS: Final = 0
SUM: Final = 1
MOVE: Final = 2
CHILD: Final = 3
CHILDREN: Final = 4
CERTAIN: Final = 5
FIELDS: Final = 6

_SIZE: Final = 0
_CHANCE: Final = 1
_ROOM: Final = 2
_HEAD: Final = 3
"""Before the nodes: how many there are, the state of the random numbers, and how many words the tree has."""

EXPLORATION: Final = 1.4142135623730951
"""The constant of UCB1 for results between -1 and 1, halved: the square root of 2, as most programs have it."""


def new_tree(nodes: int, seed: int) -> Memory:
    """A tree of the root alone, with room for so many nodes."""
    tree = new_memory(_HEAD + FIELDS * nodes)
    tree[_SIZE] = 1
    tree[_CHANCE] = seed + 1
    tree[_ROOM] = len(tree)
    tree[_HEAD + CERTAIN] = ONGOING
    tree[_HEAD + MOVE] = NO_MOVE
    return tree


def field(tree: Memory, node: int, which: int) -> int:
    """What the tree holds of a node."""
    return tree[_HEAD + FIELDS * node + which]


def mcts(game: Game[State], watch: Watcher, tree: Memory, path: Memory, state: State, simulations: int) -> int:
    """Run simulations from a state whose tree this is.

    Args:
        game, watch, state: as for `minimax`; the watcher enters a node for each simulation.
        tree: of this state; it goes on growing.
        path: room for the nodes on the way down, longer than any game.
        simulations: how many; fewer are run if the root's value becomes certain.

    Returns:
        How many were run.
    """
    for done in range(simulations):
        if tree[_HEAD + CERTAIN] != ONGOING:
            return done
        watch.enter(state, 0, 0, 0, 0)
        node, length, here = 0, 0, state
        path[0] = 0
        while tree[_HEAD + FIELDS * node + CERTAIN] == ONGOING:
            if tree[_HEAD + FIELDS * node + CHILD] == 0:
                if tree[_HEAD + FIELDS * node + VISITS] == 0 and node > 0:
                    break
                if not _expand(game, tree, node, here):
                    break
            node = _select(game, tree, node, game.to_move(here))
            here = game.play(here, tree[_HEAD + FIELDS * node + MOVE])
            length += 1
            path[length] = node
        result = tree[_HEAD + FIELDS * node + CERTAIN]
        if result == ONGOING:
            result = _random_game(game, tree, here)
        for place in range(length + 1):
            at = _HEAD + FIELDS * path[place]
            tree[at + VISITS] += 1
            tree[at + SUM] += result
        _make_certain(game, tree, path, length, state)
    return simulations


def _expand(game: Game[State], tree: Memory, node: int, state: State) -> bool:
    """Add the children of a node; whether there was room."""
    first = tree[_SIZE]
    count = 0
    for move in game.moves(state):
        at = _HEAD + FIELDS * (first + count)
        if at + FIELDS > tree[_ROOM]:
            return False
        utility = game.outcome(game.play(state, move))
        tree[at + VISITS] = 0
        tree[at + SUM] = 0
        tree[at + MOVE] = move
        tree[at + CHILD] = 0
        tree[at + CERTAIN] = utility if utility == ONGOING else (utility > 0) - (utility < 0)
        count += 1
    tree[_SIZE] = first + count
    tree[_HEAD + FIELDS * node + CHILD] = first
    tree[_HEAD + FIELDS * node + CHILDREN] = count
    return True


def _select(game: Game[State], tree: Memory, node: int, turn: int) -> int:
    """The child with the highest upper confidence bound for the player to move; lost ones only if all are."""
    at = _HEAD + FIELDS * node
    first, count = tree[at + CHILD], tree[at + CHILDREN]
    side = 1 if turn == MAX else -1
    wide = log(tree[at + VISITS] + 1)
    best, choice = -1e30, first
    for child in range(first, first + count):
        at = _HEAD + FIELDS * child
        visits, certain = tree[at + VISITS], tree[at + CERTAIN]
        if certain != ONGOING:
            worth = 1e20 * (side * certain) if certain else sqrt(wide / (visits + 1)) * EXPLORATION
        elif visits == 0:
            worth = 1e10
        else:
            worth = side * tree[at + SUM] / visits + EXPLORATION * sqrt(wide / visits)
        if worth > best:
            best, choice = worth, child
    return choice


def _random_game(game: Game[State], tree: Memory, state: State) -> int:
    """Play at random to the end: 1 if x won, 0 for a draw, -1 if o won."""
    utility = game.outcome(state)
    while utility == ONGOING:
        count = 0
        for _ in game.moves(state):
            count += 1
        tree[_CHANCE] = mixed(tree[_CHANCE], count) + 1
        left = (tree[_CHANCE] >> 16 & 0xFFFFFFFF) * count >> 32
        choice = NO_MOVE
        for move in game.moves(state):
            if left == 0:
                choice = move
                break
            left -= 1
        state = game.play(state, choice)
        utility = game.outcome(state)
    return (utility > 0) - (utility < 0)


def _make_certain(game: Game[State], tree: Memory, path: Memory, length: int, state: State) -> None:
    """From the end of the path upward: a node is certain when a child wins for its mover, or when all children are."""
    place = length
    while place > 0 and tree[_HEAD + FIELDS * path[place] + CERTAIN] != ONGOING:
        place -= 1
        here = state
        for step in range(1, place + 1):
            here = game.play(here, tree[_HEAD + FIELDS * path[step] + MOVE])
        side = 1 if game.to_move(here) == MAX else -1
        at = _HEAD + FIELDS * path[place]
        won, open_ended, best = False, False, -1
        for child in range(tree[at + CHILD], tree[at + CHILD] + tree[at + CHILDREN]):
            certain = tree[_HEAD + FIELDS * child + CERTAIN]
            if certain == ONGOING:
                open_ended = True
            elif side * certain == 1:
                won = True
            else:
                best = max(best, side * certain)
        if won:
            tree[at + CERTAIN] = side
        elif not open_ended:
            tree[at + CERTAIN] = side * best
