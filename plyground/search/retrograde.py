"""Retrograde analysis: the value of every state of a game that may cycle, from its ends backward, in one sweep.

First all states that can come about are listed, with the moves between them (`explore`). Then each end tells the states
before it what it is worth: a player who can move to a won state has won, and one whose moves all lead to lost states
has lost, one ply farther off (`retrograde`). What is told nothing is drawn, or worth what a repetition is. States are
told in the order of their distance, each move is looked at once, so the whole takes as long as the states take to list.

Ströhlein was the first to do so for chess ("Untersuchungen über kombinatorische Spiele", 1970); with a counter for each
state in place of searching its moves again it solved Nine Men's Morris (Gasser, "Solving Nine Men's Morris", 1996).

Margins are worth different wins: those of the largest are told first, then those of the next that are no larger one.
"""

from typing import Any, Final, NamedTuple

from plyground.board.bits import flat
from plyground.constant import Constant
from plyground.rules import ONGOING, Game, State
from plyground.score import INFINITY, final
from plyground.search.memory import Memory, new_memory, read_state, write_state
from plyground.search.table import hash_of
from plyground.search.watch import Watcher

# Places in a graph's head.
COUNT: Final = 0
"""States that are listed."""
DONE: Final = 1
"""Of these, how many have their moves listed as well."""
EDGES: Final = 2
"""Moves that are listed."""
STATE_ROOM: Final = 3
EDGE_ROOM: Final = 4
"""How many there is room for."""
WORST_AGAIN: Final = 5
BEST_AGAIN: Final = 6
"""The lowest and highest utility of a repetition in any unfinished state; the other way round if there is none."""
MOVED: Final = 7
"""1 where the states were copied to where there is more room, and have no slots yet."""

HEAD: Final = 8

ALL_LISTED: Final = 0
NO_STATE_ROOM: Final = 1
NO_EDGE_ROOM: Final = 2

OPEN: Final = INFINITY
"""In place of a value: not told yet."""


class Graph(NamedTuple):
    """The states of a game and the moves between them; a state is known by its place in the list."""

    head: Memory
    states: Memory
    """The words of each."""
    slots: Memory
    """Where a state stands, plus one, by its hash in open addressing; 0 for none. Twice as many as states."""
    about: Memory
    """Its utility, or `ONGOING`, times two, plus who is to move."""
    firsts: Memory
    """Where its moves begin; they end where those of the next begin."""
    edges: Memory
    """The state that each move leads to."""


def new_graph(pattern: Any, states: int, edges: int) -> Graph:
    """An empty graph with room for so many states like the pattern, and moves; of states, a power of two."""
    head = new_memory(HEAD)
    head[STATE_ROOM], head[EDGE_ROOM] = states, edges
    head[WORST_AGAIN], head[BEST_AGAIN] = INFINITY, -INFINITY
    width = len(flat(pattern))
    rooms = (states * width, 2 * states, states, states + 1, edges)
    return Graph(head, *map(new_memory, rooms))


def moved(graph: Graph, pattern: Any, states: int, edges: int) -> Graph:
    """The same graph with more room."""
    larger = new_graph(pattern, states, edges)
    larger.head[:] = graph.head
    larger.head[STATE_ROOM], larger.head[EDGE_ROOM], larger.head[MOVED] = states, edges, 1
    for old, new in ((graph.states, larger.states), (graph.about, larger.about), (graph.firsts, larger.firsts)):
        new[: len(old)] = old
    larger.edges[: graph.head[EDGES]] = graph.edges[: graph.head[EDGES]]
    return larger


def graph_room(pattern: Any, states: int, edges: int) -> int:
    """How many bytes such a graph takes, and its analysis."""
    return 8 * (states * (len(flat(pattern)) + 4 + 5) + 2 * edges)


def place_of(graph: Graph, state: State) -> int:
    """Where a state stands; if it is not listed, where a free slot for it is, as `-1 - slot`."""
    mask = 2 * graph.head[STATE_ROOM] - 1
    slot = hash_of(state) >> 8 & mask
    words = flat(state)
    while graph.slots[slot]:
        at = (graph.slots[slot] - 1) * len(words)
        different = 0
        for index in range(len(words)):
            different |= graph.states[at + index] ^ words[index]
        if different == 0:
            return graph.slots[slot] - 1
        slot = slot + 1 & mask
    return -1 - slot


def add(graph: Graph, slot: int, state: State) -> int:
    """List a state, at a free slot: its place."""
    place = graph.head[COUNT]
    write_state(graph.states, place * len(flat(state)), state)
    graph.slots[slot] = place + 1
    graph.head[COUNT] = place + 1
    return place


def explore(game: Game[State], watch: Watcher, graph: Graph, pattern: State, mirrored: int) -> int:
    """List all states that come about from those listed, and their moves; it can be stopped and goes on where it was.

    Args:
        game, watch: as for `minimax`; a node is entered for each state.
        graph: with a first state.
        pattern: any state.
        mirrored: 1 to list one of the states that are the same under symmetry.

    Returns:
        `ALL_LISTED`, or what there is no room for.
    """
    head, width = graph.head, len(flat(pattern))
    if head[MOVED]:
        head[MOVED] = 0
        for place in range(head[COUNT]):
            slot = place_of(graph, read_state(graph.states, place * width, pattern))
            graph.slots[-1 - slot] = place + 1
    while head[DONE] < head[COUNT]:
        watch.enter(pattern, 0, 0, 0, 0)
        here = head[DONE]
        state = read_state(graph.states, here * width, pattern)
        utility, edge = game.outcome(state), head[EDGES]
        if utility == ONGOING:
            worth = game.again(state)
            head[WORST_AGAIN] = min(head[WORST_AGAIN], worth)
            head[BEST_AGAIN] = max(head[BEST_AGAIN], worth)
            for move in game.moves(state):
                child = game.play(state, move)
                if mirrored:
                    child = game.canonical(child)
                place = place_of(graph, child)
                if place < 0:
                    if head[COUNT] == head[STATE_ROOM]:
                        return NO_STATE_ROOM
                    place = add(graph, -1 - place, child)
                if edge == head[EDGE_ROOM]:
                    return NO_EDGE_ROOM
                graph.edges[edge] = place
                edge += 1
        graph.about[here] = 2 * utility + game.to_move(state)
        graph.firsts[here + 1] = edge
        head[EDGES] = edge
        head[DONE] = here + 1
    return ALL_LISTED


class Backward(NamedTuple):
    """What the analysis of a graph needs, and finds."""

    values: Memory
    """Of each state on the scale of `score.py`, for x; `OPEN` where nobody can force anything."""
    left: Memory
    """Of each state, how many moves are not yet known to lose."""
    queue: Memory
    """States that were told and have not told others yet."""
    firsts: Memory
    """Where the moves to a state begin among all moves."""
    sources: Memory
    """Where each comes from."""


def new_backward(graph: Graph) -> Backward:
    """Room for the analysis of a graph whose states are all listed."""
    count, edges = graph.head[COUNT], graph.head[EDGES]
    return Backward(*map(new_memory, (count, count, count, count + 1, max(edges, 1))))


def retrograde(game: Constant, watch: Watcher, graph: Graph, back: Backward, goals: Memory) -> int:
    """Value all states from which a player can force a goal.

    Args:
        game: nothing is asked of it, so this is compiled once for all.
        watch: heeds a stop.
        graph, back: the states; values that were found before are forgotten.
        goals: how many there are; then each as a utility times two, plus the player who forces it at least (MAX) or at
            most (MIN). Each player's best ones come first.

    Returns:
        How many states are valued.
    """
    count = graph.head[COUNT]
    if back.firsts[count] == 0:
        turn_round(graph, back)
    for place in range(count):
        back.values[place] = OPEN
        back.left[place] = graph.firsts[place + 1] - graph.firsts[place]
    valued = 0
    for goal in range(goals[0]):
        valued += tell_back(watch, graph, back, goals[1 + goal] >> 1, goals[1 + goal] & 1)
    return valued


def turn_round(graph: Graph, back: Backward) -> None:
    """List the moves by where they lead to."""
    count = graph.head[COUNT]
    for edge in range(graph.head[EDGES]):
        back.firsts[graph.edges[edge] + 1] += 1
    for place in range(count):
        back.firsts[place + 1] += back.firsts[place]
        back.queue[place] = 0
    for place in range(count):
        for edge in range(graph.firsts[place], graph.firsts[place + 1]):
            to = graph.edges[edge]
            back.sources[back.firsts[to] + back.queue[to]] = place
            back.queue[to] += 1  # how many are listed so far; the queue itself is empty yet


def tell_back(watch: Watcher, graph: Graph, back: Backward, utility: int, player: int) -> int:
    """Value the states from which a player can force a utility and no better one; how many they are."""
    begin, end = 0, 0
    for place in range(graph.head[COUNT]):
        if graph.about[place] >> 1 == utility:
            back.values[place] = final(utility, 0)
            back.queue[end] = place
            end += 1
    while begin < end:
        watch.heed()
        place = back.queue[begin]
        begin += 1
        value = back.values[place]
        farther = value - 1 if utility > 0 else value + 1 if utility < 0 else 0
        for edge in range(back.firsts[place], back.firsts[place + 1]):
            source = back.sources[edge]
            if back.values[source] == OPEN and graph.about[source] >> 1 == ONGOING:
                back.left[source] -= 1
                if graph.about[source] & 1 == player or back.left[source] == 0:
                    back.values[source] = farther
                    back.queue[end] = source
                    end += 1
    return end
