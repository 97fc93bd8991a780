"""All states of a game tier by tier: listed forward, valued backward.

A tier is the states of one number `Game.tier`, which no move lowers. So the states of a tier come about from those of
the same tier and of lower ones, and their values depend on those of the same tier and of higher ones. No list of moves
is kept: making the moves of a state anew costs less than reading what was written about them, and then the work on a
part of a tier needs no more memory than that part and one part of another tier.

`spread` finds states, `take` values them. Where moves stay within a tier, `take` is called on the tier itself until no
value changes: after n calls each value is that of the game played on for n plies within the tier, and drawn then, so
what a side can force is found with its shortest distance, and the rest is a draw by repetition. For
chess endings this is due to Ströhlein (1970); for whole games by tiers, Gasser, "Solving Nine Men's Morris" (1996), and
the Gamesman project.
"""

from typing import Final, NamedTuple

from plyground.board.bits import flat
from plyground.rules import MAX, MOST_TIERS, ONGOING, Game, State
from plyground.score import INFINITY, final
from plyground.search.memory import Memory, new_memory, read_state, write_state
from plyground.search.observer import Observer
from plyground.search.table import hash_of

COUNT: Final = 0
"""Index of the number of states of a set."""
ROOM: Final = 1
"""Index of the number of states that a set has room for."""
SLOTS: Final = 2
"""Index of the number of slots."""

NEXT: Final = 0
"""Index of the state of a list that is looked at next."""
END: Final = 1
"""Index of the end of a list."""
CHILDREN: Final = 2
"""Index of the number of moves looked at."""
FOUND: Final = 3
"""Index of the number of moves whose states were found in the other set."""
CHANGED: Final = 4
"""Index of the number of values that became other ones."""
HEAD: Final = 8
FULL: Final = 0
ALL: Final = 1
LOWERED: Final = 2
"""A move leads to a lower tier, or to one too far away: `Game.tier` breaks its law."""

UNKNOWN: Final = INFINITY
"""In place of a value that is not known yet."""


class StateSet(NamedTuple):
    """Set of states, in the order in which they were added; each is found by its hash in open addressing."""

    head: Memory
    states: Memory
    """Words of each state."""
    slots: Memory
    """Index of a state plus one; 0 for none."""


def new_set(width: int, room: int) -> StateSet:
    """An empty set with room for `room` states of `width` words; half as many slots more."""
    head = new_memory(HEAD)
    head[ROOM], head[SLOTS] = room, room + room // 2 + 2
    return StateSet(head, new_memory(room * width), new_memory(head[SLOTS]))


def listed_state(game: Game[State], state: State) -> State:
    """The state that stands in a tablebase for a state: without counters, one of those that are the same under symmetry
    where that is sure."""
    key = game.repetition_key(state)
    return game.canonical(key) if game.canonical_is_complete else key


def slot_of(states: StateSet, state: State) -> int:
    """Index of a state in a set; a free slot for it, as `-1 - slot`, where it is not there."""
    most = states.head[SLOTS]
    slot = ((hash_of(state) >> 16) & 0xFFFFFFFF) * most >> 32
    words = flat(state)
    while states.slots[slot]:
        at = (states.slots[slot] - 1) * len(words)
        different = 0
        for index in range(len(words)):
            different |= states.states[at + index] ^ words[index]
        if different == 0:
            return states.slots[slot] - 1
        slot = slot + 1 if slot + 1 < most else 0
    return -1 - slot


def gather(
    game: Game[State], pattern: State, source: Memory, count: int, shards: int, shard: int, states: StateSet
) -> int:
    """Add those of the first `count` states of a list that belong to a shard to a set, which has room for them.

    Returns:
        How many were new.
    """
    width, had = len(flat(pattern)), states.head[COUNT]
    for place in range(count):
        state = read_state(source, place * width, pattern)
        if hash_of(state) & shards - 1 == shard:
            slot = slot_of(states, state)
            if slot < 0:
                include(states, -1 - slot, state)
    return states.head[COUNT] - had


def include(states: StateSet, slot: int, state: State) -> None:
    """Add a state at its free slot."""
    place = states.head[COUNT]
    write_state(states.states, place * len(flat(state)), state)
    states.slots[slot] = place + 1
    states.head[COUNT] = place + 1


def spread(
    game: Game[State],
    observer: Observer,
    pattern: State,
    source: Memory,
    cursor: Memory,
    tier: int,
    found: StateSet,
    others: Memory,
) -> int:
    """Add the states of a tier to which moves of the states of a list lead to a set; it goes on where it was.

    Args:
        game, observer: as for `minimax`; a node is entered for each state.
        pattern: any state.
        source: the list; its states from `cursor[NEXT]` to `cursor[END]` are looked at.
        cursor: where the work is; `CHILDREN` counts the moves.
        tier: the tier wanted.
        found: the set.
        others: gets a 1 at each distance from a state's tier to that of a state that follows it.

    Returns:
        `ALL` where the list is done; `FULL` where the set is, and a state of the list was not finished; `LOWERED`.
    """
    width = len(flat(pattern))
    while cursor[NEXT] < cursor[END]:
        observer.enter(pattern, 0, 0, 0, 0)
        state = read_state(source, cursor[NEXT] * width, pattern)
        if game.outcome(state) == ONGOING:
            here = game.tier(state)
            for move in game.moves(state):
                child = listed_state(game, game.play(state, move))
                there = game.tier(child)
                if there < here or there - here >= MOST_TIERS:
                    return LOWERED
                others[there - here] = 1
                if there == tier:
                    slot = slot_of(found, child)
                    if slot < 0:
                        if found.head[COUNT] == found.head[ROOM]:
                            return FULL
                        include(found, -1 - slot, child)
        cursor[NEXT] += 1
    return ALL


def start_values(game: Game[State], pattern: State, source: Memory, count: int, values: Memory, unfinished: int) -> int:
    """Write the value of each finished state of a list, and `unfinished` for the others; return how many those are."""
    width, ongoing = len(flat(pattern)), 0
    for place in range(count):
        utility = game.outcome(read_state(source, place * width, pattern))
        values[place] = unfinished if utility == ONGOING else final(utility, 0)
        ongoing += int(utility == ONGOING)
    return ongoing


def take(
    game: Game[State],
    observer: Observer,
    pattern: State,
    source: Memory,
    cursor: Memory,
    tier: int,
    known: StateSet,
    known_values: Memory,
    values: Memory,
) -> int:
    """Improve values of the states of a list by what their moves to a set of valued states are worth.

    Args:
        game, observer, pattern, source, cursor: as for `spread`; `CHILDREN` counts the moves to states of the tier,
            `FOUND` those to states of the set, `CHANGED` the values that became other ones.
        tier: the tier of the set.
        known, known_values: the set, and the value of each of its states.
        values: of the list, for x, on the scale of `score.py`; `UNKNOWN` where no move was looked at yet.

    Returns:
        How many states were looked at.
    """
    width, looked = len(flat(pattern)), 0
    while cursor[NEXT] < cursor[END]:
        observer.enter(pattern, 0, 0, 0, 0)
        place = cursor[NEXT]
        state = read_state(source, place * width, pattern)
        if game.outcome(state) == ONGOING:
            mover, best = game.to_move(state), values[place]
            for move in game.moves(state):
                child = listed_state(game, game.play(state, move))
                if game.tier(child) == tier:
                    cursor[CHILDREN] += 1
                    at = slot_of(known, child)
                    if at >= 0:
                        cursor[FOUND] += 1
                        value = known_values[at]
                        value = value - 1 if value > 0 else value + 1 if value < 0 else 0
                        if best == UNKNOWN or (value > best if mover == MAX else value < best):
                            best = value
            if best != values[place]:
                values[place] = best
                cursor[CHANGED] += 1
            looked += 1
        cursor[NEXT] += 1
    return looked
