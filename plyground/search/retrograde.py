"""Retrograde analysis: the value of every state of a game that may cycle, from its ends backward.

First all states that can come about are listed, with the moves between them (`explore`). Then values go back from
each end to the states before it: a player who can move to a won state has won, and one whose moves all lead to lost
states has lost, one ply farther off (`retrograde`). A state that gets no value is drawn, or worth what a repetition is.
States get values in the order of their distance and each move is looked at once, so this takes as long as the listing.

Ströhlein was the first to do so for chess ("Untersuchungen über kombinatorische Spiele", 1970); with a counter for each
state in place of searching its moves again it solved Nine Men's Morris (Gasser, "Solving Nine Men's Morris", 1996).

Margins are worth different wins: those of the largest go back first, then those of the next largest.
"""

from typing import Any, Final, NamedTuple

from plyground.board.bits import flat
from plyground.constant import Constant
from plyground.rules import MAX, MIN, ONGOING, Game, State
from plyground.score import INFINITY, final, plies_of, utility_of
from plyground.search.memory import Memory, new_memory, read_state, write_state
from plyground.search.observer import Observer
from plyground.search.table import hash_of

# Places in a graph's head.
COUNT: Final = 0
"""Index of the number of listed states."""
DONE: Final = 1
"""Index of the number of states whose moves are listed too."""
EDGES: Final = 2
"""Index of the number of listed moves."""
STATE_ROOM: Final = 3
EDGE_ROOM: Final = 4
"""Index of the number of moves there is room for."""
WORST_REPETITION: Final = 5
BEST_REPETITION: Final = 6
"""The lowest and highest utility of a repetition in any unfinished state; the other way round if there is none."""
MOVED: Final = 7
"""Index of the number of states, the first ones, that were copied to where there is more room and have no slots yet."""

HEAD: Final = 8

# Ints, not an exception: a full graph is no fault, and the caller grows it and goes on from `DONE`.
ALL_LISTED: Final = 0
NO_STATE_ROOM: Final = 1
NO_EDGE_ROOM: Final = 2

OPEN: Final = INFINITY
"""In place of a value: not known yet."""


class Graph(NamedTuple):
    """The states of a game and the moves between them; a state is known by its place in the list."""

    head: Memory
    states: Memory
    """Words of each state."""
    slots: Memory
    """Index of a state plus one, by its hash in open addressing; 0 for none. Twice as many as states."""
    about: Memory
    """Utility of each state, or `ONGOING`, times two, plus the player to move."""
    firsts: Memory
    """Index of each state's first move in `edges`; its moves end where those of the next state begin."""
    edges: Memory
    """State that each move leads to."""


def new_graph(pattern: Any, states: int, edges: int) -> Graph:
    """An empty graph with room for `states` states like the pattern, a power of two, and `edges` moves."""
    head = new_memory(HEAD)
    head[STATE_ROOM], head[EDGE_ROOM] = states, edges
    head[WORST_REPETITION], head[BEST_REPETITION] = INFINITY, -INFINITY
    width = len(flat(pattern))
    # Twice as many slots as states keep the probes of open addressing short: at most half is filled.
    rooms = (states * width, 2 * states, states, states + 1, edges)
    return Graph(head, *map(new_memory, rooms))


def grow_graph(graph: Graph, pattern: Any, states: int, edges: int) -> Graph:
    """Copy of a graph with room for more states and moves; its slots are made anew by `explore`."""
    larger = new_graph(pattern, states, edges)
    # Bounds of the repetitions and the counts are copied with the head; the slots are not, because a slot depends on
    # their number (`explore` makes them anew).
    larger.head[:] = graph.head
    larger.head[STATE_ROOM], larger.head[EDGE_ROOM], larger.head[MOVED] = states, edges, graph.head[COUNT]
    for old, new in ((graph.states, larger.states), (graph.about, larger.about), (graph.firsts, larger.firsts)):
        new[: len(old)] = old
    larger.edges[: graph.head[EDGES]] = graph.edges[: graph.head[EDGES]]
    return larger


def graph_room(pattern: Any, states: int, edges: int) -> int:
    """Bytes that such a graph and its analysis take."""
    # Beside its words a state has two slots, `about` and `firsts` in the graph, and at most five ints of `Backward`; a
    # move stands in `edges` and in `sources`.
    return 8 * (states * (len(flat(pattern)) + 4 + 5) + 2 * edges)


def index_of(graph: Graph, state: State) -> int:
    """Index of a state; if it is not listed, a free slot for it, as `-1 - slot`."""
    mask = 2 * graph.head[STATE_ROOM] - 1
    slot = hash_of(state) >> 8 & mask
    words = flat(state)
    while graph.slots[slot]:
        at = (graph.slots[slot] - 1) * len(words)
        # One test after all words, in place of a branch for each word.
        different = 0
        for index in range(len(words)):
            different |= graph.states[at + index] ^ words[index]
        if different == 0:
            return graph.slots[slot] - 1
        slot = slot + 1 & mask
    return -1 - slot


def add_listed_state(graph: Graph, slot: int, state: State) -> int:
    """Add a state at a free slot; return its index."""
    place = graph.head[COUNT]
    write_state(graph.states, place * len(flat(state)), state)
    graph.slots[slot] = place + 1
    graph.head[COUNT] = place + 1
    return place


def explore(game: Game[State], observer: Observer, graph: Graph, pattern: State, reduced: int) -> int:
    """List all states that come about from those listed, and their moves; it can be stopped and goes on where it was.

    Args:
        game, observer: as for `minimax`; a node is entered for each state.
        graph: with a first state.
        pattern: any state.
        reduced: 1 to list one of the states that are the same under symmetry, and of each only what comes again.

    Returns:
        `ALL_LISTED`, or what there is no room for.
    """
    head, width = graph.head, len(flat(pattern))
    # After growing, the old slots are of no use, as a slot depends on their number. The states are entered one by one
    # and the count is kept in the graph, so this can be stopped as well.
    while head[MOVED] > 0:
        observer.poll()
        place = head[MOVED] - 1
        slot = index_of(graph, read_state(graph.states, place * width, pattern))
        graph.slots[-1 - slot] = place + 1
        head[MOVED] = place
    while head[DONE] < head[COUNT]:
        observer.enter(pattern, 0, 0, 0, 0)
        here = head[DONE]
        state = read_state(graph.states, here * width, pattern)
        utility, edge = game.outcome(state), head[EDGES]
        if utility == ONGOING:
            # Where the utilities of all repetitions are one, a state that nothing forces is worth that; else it is
            # unknown.
            worth = game.repetition_value(state)
            head[WORST_REPETITION] = min(head[WORST_REPETITION], worth)
            head[BEST_REPETITION] = max(head[BEST_REPETITION], worth)
            for move in game.moves(state):
                child = game.play(state, move)
                if reduced:
                    child = game.canonical(game.repetition_key(child))
                place = index_of(graph, child)
                if place < 0:
                    if head[COUNT] == head[STATE_ROOM]:
                        return NO_STATE_ROOM
                    place = add_listed_state(graph, -1 - place, child)
                if edge == head[EDGE_ROOM]:
                    return NO_EDGE_ROOM
                graph.edges[edge] = place
                edge += 1
        # Only now the state counts as done: a return above leaves `DONE` and `EDGES`, and its moves are listed again.
        graph.about[here] = 2 * utility + game.to_move(state)
        graph.firsts[here + 1] = edge
        head[EDGES] = edge
        head[DONE] = here + 1
    return ALL_LISTED


class Backward(NamedTuple):
    """Memory and result of the analysis of a graph."""

    values: Memory
    """Value of each state on the scale of `score.py`, for x; `OPEN` where neither side can force anything."""
    left: Memory
    """Number of moves of each state that are not yet known to lose."""
    queue: Memory
    """Valued states whose predecessors are not updated yet."""
    firsts: Memory
    """Index of the first move to each state in `sources`."""
    sources: Memory
    """State that each of these moves comes from."""


def new_backward(graph: Graph) -> Backward:
    """Memory for the analysis of a graph whose states are all listed."""
    count, edges = graph.head[COUNT], graph.head[EDGES]
    return Backward(*map(new_memory, (count, count, count, count + 1, max(edges, 1))))


def mark_ends(game: Game[State], graph: Graph, pattern: State, ends: Memory, count: int, is_over: int) -> int:
    """Let the listed states that repeat one of some states count as ends of the game, or again as unfinished.

    Args:
        game, pattern: as for `explore`.
        graph: states that are all listed.
        ends: what comes again (`repetition_key`) of `count` states, one after the other.
        is_over: 1 to give them the utility of their repetition, 0 to take it back.

    Returns:
        How many listed states repeat one.
    """
    width, found = len(flat(pattern)), 0
    # Every state is read, because several may share a key: counters are left out of it.
    for place in range(graph.head[COUNT] if count else 0):
        state = read_state(graph.states, place * width, pattern)
        if game.outcome(state) == ONGOING:
            key = game.repetition_key(state)
            words = flat(key)
            for end in range(count):
                different = 0
                for index in range(width):
                    different |= ends[end * width + index] ^ words[index]
                if different == 0:
                    utility = game.repetition_value(key) if is_over else ONGOING
                    graph.about[place] = 2 * utility + game.to_move(state)
                    found += 1
    return found


def retrograde(game: Constant, observer: Observer, graph: Graph, back: Backward) -> int:
    """Value all states from which a player can force more than a repetition.

    A player's goals are the utilities better than those of all repetitions, the best first. The best of a repetition
    is one too, where it differs from the worst: who forces it without a repetition gets no more with one.

    Args:
        game: nothing is asked of it, so this is compiled once for all.
        observer: heeds a stop.
        graph, back: the states; values that were found before are forgotten.

    Returns:
        Number of valued states.
    """
    head = graph.head
    worst, best = head[WORST_REPETITION], head[BEST_REPETITION]
    # Once for all goals and all histories: a graph with moves has a last index above 0 when the lists are made.
    if back.firsts[head[COUNT]] == 0:
        list_predecessors(graph, back)
    for place in range(head[COUNT]):
        # Also what an earlier valuing found: its ends were those of another history.
        back.values[place] = OPEN
        back.left[place] = graph.firsts[place + 1] - graph.firsts[place]
    valued = 0
    # From the best goal down: what forces more has its value already and is left alone when a lesser one goes back.
    utility = nearest_utility(graph, INFINITY, -1)
    while utility > best or (utility == best and best > worst):
        valued += propagate_utility(observer, graph, back, utility, MAX)
        utility = nearest_utility(graph, utility, -1)
    utility = nearest_utility(graph, -INFINITY, 1)
    while utility < worst or (utility == worst and best > worst):
        valued += propagate_utility(observer, graph, back, utility, MIN)
        utility = nearest_utility(graph, utility, 1)
    return valued


def nearest_utility(graph: Graph, beyond: int, step: int) -> int:
    """The utility of an end nearest to a number, above it (step 1) or below it (-1); infinite if there is none."""
    found = step * INFINITY
    for place in range(graph.head[COUNT]):
        utility = graph.about[place] >> 1
        if utility != ONGOING and step * beyond < step * utility < step * found:
            found = utility
    return found


def write_value(graph: Graph, back: Backward, place: int, out: Memory) -> int:
    """Write the value of a state to `out`; 1 if its utility is known, 0 if it depends on the moves that led there.

    Args:
        graph, back: the states, valued.
        place: index of the state.
        out: gets the utility, and the plies to the end; -1 where these are not known, or there is none to wait for.
    """
    # Where all repetitions are worth the same, a state that nobody can force is worth just that; else it depends on who
    # repeats, which only the moves before tell.
    worst, best = graph.head[WORST_REPETITION], graph.head[BEST_REPETITION]
    value, ended = back.values[place], graph.about[place] >> 1
    if value == OPEN:
        out[0] = worst if ended == ONGOING else ended
        out[1] = 0 if ended != ONGOING and ended != 0 else -1
        return int(ended != ONGOING or worst == best)
    out[0] = utility_of(value)
    is_open = worst != best and (out[0] == worst or out[0] == best)  # a repetition may bring it sooner
    out[1] = -1 if is_open or out[0] == 0 else plies_of(value)
    return 1


def census(graph: Graph, back: Backward, out: Memory) -> int:
    """Write how many states are won for x and for o, and the plies of the longest win; return the number of states."""
    head = graph.head
    rest = head[WORST_REPETITION] if head[WORST_REPETITION] == head[BEST_REPETITION] else 0
    x, o, longest = 0, 0, 0
    for place in range(head[COUNT]):
        value = back.values[place]
        if value == OPEN:
            value = rest
        elif value != 0:
            longest = max(longest, plies_of(value))
        x += int(value > 0)
        o += int(value < 0)
    out[0], out[1], out[2] = x, o, longest
    return int(head[COUNT])


def list_predecessors(graph: Graph, back: Backward) -> None:
    """List the predecessors of each state: the moves sorted by the states that they lead to."""
    count = graph.head[COUNT]
    for edge in range(graph.head[EDGES]):
        back.firsts[graph.edges[edge] + 1] += 1
    for place in range(count):
        back.firsts[place + 1] += back.firsts[place]
        back.queue[place] = 0
    # A counting sort by target: how many moves lead to each state is known, so each list has its place beforehand.
    for place in range(count):
        for edge in range(graph.firsts[place], graph.firsts[place + 1]):
            to = graph.edges[edge]
            back.sources[back.firsts[to] + back.queue[to]] = place
            back.queue[to] += 1  # how many are listed so far; the queue itself is empty yet


def propagate_utility(observer: Observer, graph: Graph, back: Backward, utility: int, player: int) -> int:
    """Propagate a utility from its ends to all states from which a player can force it and no better; their number."""
    begin, end = 0, 0
    for place in range(graph.head[COUNT]):
        if graph.about[place] >> 1 == utility:
            back.values[place] = final(utility, 0)
            back.queue[end] = place
            end += 1
    while begin < end:
        observer.poll()
        place = back.queue[begin]
        begin += 1
        value = back.values[place]
        # States leave the queue by their distance, as a queue of breadth-first search does: the first value is the
        # shortest win of who forces it, and the longest resistance of the other side, all of whose moves had to lose
        # first.
        farther = value - 1 if utility > 0 else value + 1 if utility < 0 else 0
        for edge in range(back.firsts[place], back.firsts[place + 1]):
            source = back.sources[edge]
            if back.values[source] == OPEN and graph.about[source] >> 1 == ONGOING:
                # The forcing player needs one move into the goal; of the other every move has to lead there.
                back.left[source] -= 1
                # A counter in place of a search of the source's moves (Gasser, 1996): each move is looked at once from
                # either end.
                if graph.about[source] & 1 == player or back.left[source] == 0:
                    back.values[source] = farther
                    back.queue[end] = source
                    end += 1
    return end
