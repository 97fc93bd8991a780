"""Monte Carlo tree search: the tree grows where random games went well.

UCT after Kocsis and Szepesvári, "Bandit based Monte-Carlo planning" (2006), as told by Browne et al. (2012): a
simulation walks down by upper confidence bounds, adds the children of a leaf seen before, plays one random game, and
adds its result to every node on the way. Nodes whose value is certain are marked as such (Winands, Björnsson and
Saito, "Monte-Carlo tree search solver", 2008), and not visited again where something better can be found out.

The tree is one `Memory`, `FIELDS` words a node, node 0 the root; children lie side by side in generation order:

    visits | sum of results for x | move | first child, 0 for none | how many children | value if certain, else ONGOING
    | standard error

Where states can come again, one that has come on the way down, or in the game before, is an end of the tree
(`repetition.py`); each node has one way that leads to it, so that is certain. A random game that goes on for
`LONGEST_PLAYOUT_PLIES` plies counts as if its last state had come again.

A result is 1, 0 or -1 for x: a margin counts no more than a win. The standard error of n results, in deviations of one
of them, is 1 / √n. It changes once a visit but is compared with its neighbours' at every visit of the parent, so it is
kept rather than taken again: mean + c √(log N / n) = error × (sum × error + c √log N).
"""

from collections.abc import Mapping
from contextlib import suppress
from math import log, sqrt
from typing import Any, Final

from plyground.board.bits import mix
from plyground.errors import BadInput
from plyground.rules import LONGEST, NO_MOVE, ONGOING, Game, State
from plyground.score import Score
from plyground.search.algorithm import Algorithm, Answer, Query, Run
from plyground.search.limits import require_end
from plyground.search.memory import Memory, new_memory
from plyground.search.observer import Observer, Stopped
from plyground.search.repetition import NO_REPETITION, find_repetition, line_room, put_on_line, set_ends
from plyground.search.simulation import RootMove, simulation_answer
from plyground.search.table import hash_of

# Fields of a node, one word each, in the order of the module's docstring.
VISITS: Final = 0
SUM: Final = 1
MOVE: Final = 2
CHILD: Final = 3
CHILDREN: Final = 4
CERTAIN: Final = 5
ERROR: Final = 6
FIELDS: Final = 7

_SIZE: Final = 0
_CHANCE: Final = 1
_ROOM: Final = 2
_HEAD: Final = 3
"""Words before the nodes: number of nodes, state of the random numbers, number of words in the tree."""

# UCB1: Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed bandit problem" (2002). Against 1.41 an
# exploration of 1 took 70 % of the points in Reversi, 49 in Kalah and 46 in Connect Four, each to 15 more or less
# (bench/TRIED.md): no constant is best in all games.
EXPLORATION: Final = 1.4142135623730951
"""The constant of UCB1 for results between -1 and 1, halved: the square root of 2, as most programs have it."""
TREE: Final = 256
"""Mebibytes of the tree by default."""
# Fields are ints, so an error is kept with 30 bits after the point.
ERROR_UNIT: Final = 2.0**30
"""Fixed-point unit of a standard error."""
LONGEST_PLAYOUT_PLIES: Final = 256
"""Plies of a random game, at most, in a game where states can come again."""
LINE: Final = LONGEST + 1
"""Index of the line after the path."""
UNVISITED: Final = 1 << 60
"""The error of no results: so large that each child is visited once before any is visited again."""
CERTAIN_SUM: Final = 1 << 40
"""The sum of a node that is certainly won: more than results can add up to, so it needs no case of its own."""


def new_tree(nodes: int, seed: int) -> Memory:
    """A tree of the root alone, with room for `nodes` nodes."""
    tree = new_memory(_HEAD + FIELDS * nodes)
    tree[_ROOM] = len(tree)
    clear_tree(tree, seed)
    return tree


def clear_tree(tree: Memory, seed: int) -> None:
    """Reduce the tree to its root."""
    tree[_SIZE] = 1
    tree[_CHANCE] = seed + 1
    root = _HEAD
    tree[root + VISITS] = tree[root + SUM] = tree[root + CHILD] = tree[root + CHILDREN] = tree[root + ERROR] = 0
    tree[root + MOVE] = NO_MOVE
    tree[root + CERTAIN] = ONGOING


def node_field(tree: Memory, node: int, which: int) -> int:
    """A field of a node."""
    return tree[_HEAD + FIELDS * node + which]


def mcts(
    game: Game[State],
    observer: Observer,
    tree: Memory,
    path: Memory,
    state: State,
    simulations: int,
    exploration: float,
) -> int:
    """Run simulations from the state at the root of a tree.

    Args:
        game, observer, state: as for `minimax`; the observer enters a node for each simulation.
        tree: of this state; it goes on growing, and when it is full, simulations go on below its leaves.
        path: room for the nodes on the way down, `LINE`, and for their states where they can come again.
        simulations: how many; fewer are run if the root's value becomes certain.
        exploration: the constant c of the bound, 0 or more: how much a node that was seldom tried is preferred.

    Returns:
        Number of simulations run.
    """
    # A round is the four steps of Browne et al.: selection, expansion, simulation, backpropagation. The observer is
    # asked once a round, so a stop loses at most the one that runs.
    for done in range(simulations):
        if tree[_HEAD + CERTAIN] != ONGOING:
            return done
        observer.enter(state, 0, 0, 0, 0)
        node, length, here = 0, 0, state
        path[0] = 0
        # A certain node ends the walk: its result is known, and no random game is needed for it.
        while tree[_HEAD + FIELDS * node + CERTAIN] == ONGOING:
            if tree[_HEAD + FIELDS * node + CHILD] == 0:
                # A leaf gets its children at its second visit: many have only one, and the tree's room is limited.
                if tree[_HEAD + FIELDS * node + VISITS] == 0 and node > 0:
                    break
                if not _expand(game, tree, path, node, here, length):
                    break
            node = _select_by_ucb1(tree, node, 1 - 2 * game.to_move(here), exploration)
            here = game.play(here, tree[_HEAD + FIELDS * node + MOVE])
            length += 1
            require_end(length)
            path[length] = node
            if game.repetition:
                key = game.repetition_key(here)
                put_on_line(path, LINE, key, hash_of(key), length)
        result = tree[_HEAD + FIELDS * node + CERTAIN]
        if result == ONGOING:
            result = _play_random_game(game, observer, tree, here, length)
        for place in range(length + 1):
            at = _HEAD + FIELDS * path[place]
            tree[at + VISITS] += 1
            tree[at + SUM] += result
            # Kept, not computed: a selection reads it of every child, a simulation changes it of one child a ply.
            tree[at + ERROR] = int(ERROR_UNIT / sqrt(tree[at + VISITS]))
        _back_up_certainty(game, tree, path, length, state)
    return simulations


def _expand(game: Game[State], tree: Memory, path: Memory, node: int, state: State, ply: int) -> bool:
    """Add the children of a node; return whether there was room."""
    first = tree[_SIZE]
    count = 0
    for move in game.moves(state):
        # The children are written behind the last node before `_SIZE` says so: where there is no room for all, none of
        # them was added, and the node stays a leaf.
        at = _HEAD + FIELDS * (first + count)
        if at + FIELDS > tree[_ROOM]:
            return False
        tree[at + VISITS] = 0
        tree[at + SUM] = 0
        tree[at + MOVE] = move
        tree[at + CHILD] = 0
        tree[at + CERTAIN] = ONGOING
        tree[at + ERROR] = UNVISITED
        child = game.play(state, move)
        utility = game.outcome(child)
        if game.repetition and utility == ONGOING:
            key = game.repetition_key(child)
            if find_repetition(path, LINE, key, hash_of(key), ply + 1) != NO_REPETITION:
                utility = game.repetition_value(child)
        if utility != ONGOING:
            _mark_certain(tree, at, (utility > 0) - (utility < 0))
        count += 1
    tree[_SIZE] = first + count
    tree[_HEAD + FIELDS * node + CHILD] = first
    tree[_HEAD + FIELDS * node + CHILDREN] = count
    return True


def _select_by_ucb1(tree: Memory, node: int, side: int, exploration: float) -> int:
    """The child with the highest upper confidence bound for a side, 1 for x and -1 for o; lost ones only if all are."""
    at = _HEAD + FIELDS * node
    first, count = tree[at + CHILD], tree[at + CHILDREN]
    wide = exploration * sqrt(log(tree[at + VISITS] + 1))
    best, choice = -1e300, first
    for child in range(first, first + count):
        at = _HEAD + FIELDS * child
        error = tree[at + ERROR] * (1 / ERROR_UNIT)
        # UCB1, mean + c * sqrt(log(N) / n), with error = 1 / sqrt(n): the mean is sum * error * error.
        bound = error * (side * tree[at + SUM] * error + wide)
        if bound > best:
            best, choice = bound, child
    return choice


def _play_random_game(game: Game[State], observer: Observer, tree: Memory, state: State, ply: int) -> int:
    """Result of a random game: 1 if x won, 0 for a draw, -1 if o won."""
    chance = tree[_CHANCE]
    utility = game.outcome(state)
    begun = ply
    while utility == ONGOING:
        observer.poll()  # one game of plain rules may take as long as the whole search has time
        ply += 1
        require_end(ply)
        chance = mix(chance, 0) + 1
        state = game.play(state, game.pick(state, chance >> 16 & 0xFFFFFFFF))
        utility = game.outcome(state)
        # Random moves alone may go round for thousands of plies; states are not compared here, which would cost more.
        if game.repetition and utility == ONGOING and ply >= begun + LONGEST_PLAYOUT_PLIES:
            utility = game.repetition_value(state)
    tree[_CHANCE] = chance
    return (utility > 0) - (utility < 0)


def _mark_certain(tree: Memory, at: int, result: int) -> None:
    """Mark the node at a cell as certain to have this result."""
    tree[at + CERTAIN] = result
    tree[at + SUM] = result * CERTAIN_SUM


def _back_up_certainty(game: Game[State], tree: Memory, path: Memory, length: int, state: State) -> None:
    """Mark nodes as certain from the end of the path upward: when a child wins for the mover, or all are certain."""
    place = length
    while place > 0 and tree[_HEAD + FIELDS * path[place] + CERTAIN] != ONGOING:
        place -= 1
        # Played again from the root, as the path has nodes and no states; ends are rare, so this is done seldom.
        here = state
        for step in range(1, place + 1):
            here = game.play(here, tree[_HEAD + FIELDS * path[step] + MOVE])
        side = 1 - 2 * game.to_move(here)
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
            _mark_certain(tree, at, side)
        elif not open_ended:
            _mark_certain(tree, at, side * best)


def monte_carlo(exploration: float = EXPLORATION, tree: int = TREE) -> Algorithm:
    """Record of Monte Carlo tree search for the list of algorithms.

    Args:
        exploration: how much a node that was seldom tried is preferred; 0 always takes what has gone best.
        tree: mebibytes for the tree; when it is full, simulations go on below its leaves.

    Raises:
        BadInput: the exploration is below 0, or there is no room for a tree.
    """
    if not 0 <= exploration < float("inf") or tree < 1:
        raise BadInput(f"exploration={exploration:g}, tree={tree}: they are at least 0 and 1.")

    def room(query: Query) -> Mapping[str, Any]:
        nodes = (tree << 20) // (8 * FIELDS) if query.entries is None else query.entries
        cycles = query.game.repetition > 0
        grown, path = new_tree(nodes, query.seed), new_memory(LINE + (line_room(query.state) if cycles else 0))
        if cycles:
            set_ends(path, LINE, query.ends)
        return {"tree": grown, "path": path, "simulations": 1 << 60, "exploration": float(exploration)}

    title = "Monte Carlo tree search"
    return Algorithm(
        "mcts", title, mcts, room=room, answer=_answer_of_run, is_random=True, looks_back=True, is_selective=False
    )


def _answer_of_run(run: Run) -> Answer:
    """Answer from the tree's root when the simulations end for any reason."""
    tree, game, state = run.named["tree"], run.query.game, run.query.state
    if (utility := game.outcome(state)) != ONGOING:
        return Answer(Score.over(utility), NO_MOVE)
    with suppress(Stopped):
        run()
    first, count = node_field(tree, 0, CHILD), node_field(tree, 0, CHILDREN)
    if count == 0:  # not one simulation
        even, move = Score(share=0.5), next(iter(game.moves(state)))
        return Answer(even, move, ((move, even),))
    found = [_root_move(tree, node) for node in range(first, first + count)]
    low, high = game.bounds(state)
    is_bound = not -1 <= low <= high <= 1
    move, score, moves = simulation_answer(
        found, game.to_move(state), node_field(tree, 0, CERTAIN) == ONGOING, is_bound
    )
    return Answer(score, move, tuple(moves))


def _root_move(tree: Memory, node: int) -> RootMove:
    return (
        node_field(tree, node, MOVE),
        node_field(tree, node, VISITS),
        node_field(tree, node, SUM),
        node_field(tree, node, CERTAIN),
    )
