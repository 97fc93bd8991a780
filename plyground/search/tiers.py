"""All states of a game tier by tier: listed forward, valued backward.

A tier is the states of one number `Game.tier`, which no move lowers. So the states of a tier come about from those of
the same tier and of lower ones, and their values depend on those of the same tier and of higher ones. No list of moves
is kept: making the moves of a state anew costs less than reading what was written about them, and then the work on a
part of a tier needs no more memory than that part and one part of another tier.

Several threads may list or value parts of a tier at a time, with one set for all of them: a free slot is claimed in
one step, and each thread numbers the states for which it has reserved places (`add_state`).

`list_successors` finds states, `back_up_values` values them. Where moves stay within a tier, `back_up_values` is called
on the tier itself until no value changes: after n calls each value is that of the game played on for n plies within the
tier, and drawn then, so a result that a side can force is found with its shortest distance, and the rest is a draw by
repetition. For chess endings this is due to Ströhlein (1970); for whole games by tiers, Gasser, "Solving Nine Men's
Morris" (1996), and the Gamesman project.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from plyground.board.bits import flat
from plyground.rules import MAX, MOST_TIERS, ONGOING, Game, State
from plyground.score import INFINITY, final
from plyground.search.memory import (
    Memory,
    fetch_and_add,
    half_of,
    new_memory,
    prefetch,
    read_state,
    set_half,
    set_half_if_zero,
    write_state,
)
from plyground.search.observer import Observer
from plyground.search.table import hash_of

# Head of a set: ints that all threads read, then four for each shard. `COUNT` is right when `close_gaps` has run; while
# threads add states, the counts of the shards are what is reserved.
COUNT: Final = 0
"""Index of the number of states of a set."""
ROOM: Final = 1
"""Index of the number of states of each shard that a set has room for."""
SHARDS: Final = 2
"""Index of the number of shards of the tier, a power of two; 1 where the set is not of one."""
FIRST: Final = 3
"""Index of the first shard of which the set has the states."""
HELD: Final = 4
"""Index of the number of shards, one after the other, of which it has the states."""
DIRECTORY: Final = 5
"""Index of the first of the numbers of each shard: its first state, its first slot, its slots, its states."""
DIRECTORY_INTS: Final = 4

# Cursor of a thread: where its work is, and what it has counted. Each thread has its own, and the caller adds them up
# (`Chunks.sum`).
NEXT: Final = 0
"""Index of the state of a list that is looked at next."""
END: Final = 1
"""Index of the end of a list."""
CHILDREN: Final = 2
"""Index of the number of moves looked at."""
FOUND: Final = 3
"""Index of the number of moves whose states were found in the other set."""
CHANGED: Final = 4
"""Index of the players some of whose states changed their values: a bit for each, 1 for x and 2 for o."""
TIER: Final = 5
"""Index of the tier of the states that are laid."""
PLIES: Final = 6
"""Index of the number of plies that games were played on within a tier."""
MOVES_TWICE: Final = 7
"""Index of whether a player moves twice in a row within the tier."""
LAST: Final = 8
"""Index of whether no more states of the tier follow, so that values are those of all moves."""
AT: Final = 9
"""Index of the piece that is moved on, while states are laid; -1 when all are."""
HEAD: Final = 10
NO_TIER: Final = -(1 << 62)
NO_ROOM: Final = 0
COMPLETE: Final = 1
LOWERED: Final = 2
"""A move leads to a lower tier, or to one too far away: `Game.tier` breaks its law."""

# In batches the look-ups in a large set take half the time.
PENDING: Final = 64
"""States that moves lead to before they are looked for in a set. A large set is in no cache of the processor: these
are fetched together, in the time that one takes."""
PENDING_ROOM: Final = 256
"""States that may be pending, those of the last state's moves included."""
PENDING_HEAD: Final = 2
"""Ints of a pending state before its words: its hash, and the state from which a move leads to it."""
AHEAD: Final = 16
"""Distance in a list at which states of a set are prefetched; their slots, at twice the distance."""

UNKNOWN: Final = INFINITY
"""In place of a value that is not known yet."""
ELSEWHERE: Final = -(1 << 62)
"""In place of a slot: the state is of a shard that a set does not have."""
CLAIMED: Final = (1 << 31) - 1
"""In a slot whose state is just being written by another thread."""
RESERVE: Final = 64
"""Places of a shard's states that are reserved for a thread at a time: the count is then seldom waited for."""


class StateSet(NamedTuple):
    """Set of states, in the order in which they were added; each is found by its hash in open addressing.

    It may have the states of several shards of a tier: then each shard's states and slots follow those of the one
    before, as they are when it stands alone.
    """

    head: Memory
    states: Memory
    """Words of each state."""
    slots: Memory
    """Index of a state in its shard plus one, 0 for none; two in each int, the first in its lower half."""


def new_set(width: int, room: int, shards: int = 1) -> StateSet:
    """An empty set with room for `room` states of `width` words in each shard; half as many slots more."""
    # Two slots of 32 bits in an int, so their number is even (`slots_of`).
    slots = slots_of(room)
    head = set_head(room, shards, 0, [(shard * room, shard * slots, slots, 0) for shard in range(shards)])
    return StateSet(head, new_memory(shards * room * width), new_memory(shards * slots // 2))


def slots_of(room: int) -> int:
    """Number of slots for a number of states; it is even."""
    # Half as many slots more than states: two thirds are filled at most, in 6 bytes a state.
    return (room + room // 2 + 3) // 2 * 2


def set_head(room: int, shards: int, first: int, directory: Sequence[tuple[int, int, int, int]]) -> Memory:
    """Head of a set of the shards of a tier from the first one on; it has no states yet."""
    head = new_memory(DIRECTORY + DIRECTORY_INTS * len(directory))
    head[ROOM], head[SHARDS], head[FIRST], head[HELD] = room, shards, first, len(directory)
    for index, number in enumerate(number for numbers in directory for number in numbers):
        head[DIRECTORY + index] = number
    return head


def listed_state(game: Game[State], state: State) -> State:
    """The state that stands in a tablebase for a state: without counters, one of those that are the same under symmetry
    where that is sure."""
    key = game.repetition_key(state)
    return game.canonical(key) if game.canonical_is_complete else key


def shard_place(states: StateSet, state_hash: int) -> int:
    """Index in the head of the shard of a state, given its hash; `ELSEWHERE` where the set does not have it."""
    if states.head[SHARDS] == 1:
        return DIRECTORY
    # The lowest bits of the hash choose the shard, so that doubling the shards cuts each in two and files of a smaller
    # number of them can still be read.
    shard = (state_hash & states.head[SHARDS] - 1) - states.head[FIRST]
    return ELSEWHERE if shard < 0 or shard >= states.head[HELD] else DIRECTORY + DIRECTORY_INTS * shard


def first_slot(state_hash: int, slots: int) -> int:
    """The first of a number of slots in which a state with a hash is looked for."""
    # A multiplication in place of a remainder, which costs a division; the lowest bits of the hash choose the shard, so
    # others are taken here, or the states of a shard would share few slots.
    return ((state_hash >> 16) & 0xFFFFFFFF) * slots >> 32


def slot_of(states: StateSet, state: State, state_hash: int) -> int:
    """Index of a state in a set, given its hash; where it is not there a free slot, as `-1 - slot`, or `ELSEWHERE`."""
    place = shard_place(states, state_hash)
    if place == ELSEWHERE:
        return ELSEWHERE
    before, first, most = states.head[place], states.head[place + 1], states.head[place + 2]
    words, slot = flat(state), first_slot(state_hash, most)
    number = half_of(states.slots, first + slot)
    while number:
        # Another thread is writing this state's words: whether it is the one looked for is known when it has its
        # number.
        # The atomic step reads the number, so that each turn of the loop sees the memory anew.
        while number == CLAIMED:
            number = set_half_if_zero(states.slots, first + slot, CLAIMED)  # it is not 0 again
        at = (before + number - 1) * len(words)
        # One test after all words, in place of a branch for each word.
        different = 0
        for index in range(len(words)):
            different |= states.states[at + index] ^ words[index]
        if different == 0:
            return before + number - 1
        # A comparison, not a mask, because the number of slots is no power of two: sets of tiers are as large as the
        # states need.
        slot = slot + 1 if slot + 1 < most else 0
        number = half_of(states.slots, first + slot)
    return -1 - first - slot


def fetch_slot(states: StateSet, state_hash: int) -> None:
    """Prefetch the first slot of a hash."""
    place = shard_place(states, state_hash)
    if place != ELSEWHERE:
        prefetch(states.slots, states.head[place + 1] + first_slot(state_hash, states.head[place + 2]) >> 1)


def first_index(states: StateSet, state_hash: int) -> int:
    """Index of the state in the first slot of a hash; -1 where there is none, or `ELSEWHERE`."""
    place = shard_place(states, state_hash)
    if place == ELSEWHERE:
        return ELSEWHERE
    number = half_of(states.slots, states.head[place + 1] + first_slot(state_hash, states.head[place + 2]))
    # Only a hint for a prefetch: a state that another thread is just writing is left out.
    return states.head[place] + number - 1 if 0 < number < CLAIMED else -1


def add_shard_states(
    game: Game[State],
    observer: Observer,
    pattern: State,
    source: Memory,
    cursor: Memory,
    shards: int,
    shard: int,
    states: StateSet,
    reserved: Memory,
) -> int:
    """Add the states of a list that belong to a shard to a set, from the cursor on.

    Args:
        game, observer, pattern, source, cursor, reserved: as for `list_successors`.
        shards, shard: the number of shards, and the one whose states are added.
        states: the set.

    Returns:
        `COMPLETE` where the list is done; `NO_ROOM` where the set is.
    """
    width = len(flat(pattern))
    while cursor[NEXT] < cursor[END]:
        observer.enter(pattern, 0, 0, 0, 0)
        place = cursor[NEXT]
        if place + 2 * AHEAD < cursor[END]:
            fetch_slot(states, hash_of(read_state(source, (place + 2 * AHEAD) * width, pattern)))
        if place + AHEAD < cursor[END]:
            index = first_index(states, hash_of(read_state(source, (place + AHEAD) * width, pattern)))
            if index >= 0:
                prefetch(states.states, index * width)
        state = read_state(source, place * width, pattern)
        state_hash = hash_of(state)
        if state_hash & shards - 1 == shard and add_state(states, state, state_hash, reserved) == NO_ROOM:
            return NO_ROOM
        cursor[NEXT] = place + 1
    return COMPLETE


def new_reserved(shards: int = 1) -> Memory:
    """Memory for the places that a thread has reserved in each shard of a set: the next one, and their end."""
    return new_memory(2 * shards)


def add_state(states: StateSet, state: State, state_hash: int, reserved: Memory) -> int:
    """Add a state, given its hash, to a set with all shards if it is missing: `COMPLETE`, or `NO_ROOM`.

    Other threads may add states at the same time, each with a `reserved` of its own. When all have ended, `close_gaps`
    makes the set whole.
    """
    slot = slot_of(states, state, state_hash)
    while slot < 0:
        place = shard_place(states, state_hash)
        own = 2 * ((place - DIRECTORY) // DIRECTORY_INTS)
        # Places are reserved before the slot is claimed, so a claimed slot always gets its number: no thread waits for
        # a full set. What is reserved and not used are gaps, which `close_gaps` fills.
        if reserved[own] == reserved[own + 1]:
            number, room = fetch_and_add(states.head, place + 3, RESERVE), states.head[ROOM]
            reserved[own], reserved[own + 1] = min(number, room), min(number + RESERVE, room)
            if number >= room:
                return NO_ROOM
        # The words are written before the number: who sees the number sees the state that it belongs to.
        if set_half_if_zero(states.slots, -1 - slot, CLAIMED) == 0:
            write_state(states.states, (states.head[place] + reserved[own]) * len(flat(state)), state)
            set_half(states.slots, -1 - slot, reserved[own] + 1)
            reserved[own] += 1
            return COMPLETE
        slot = slot_of(states, state, state_hash)  # another thread has the slot now
    return COMPLETE


def close_gaps(pattern: State, states: StateSet, every_reserved: Sequence[Memory]) -> None:
    """Make a set whole after threads have added states: its last ones fill the places that no thread used.

    Args:
        pattern: any state.
        states: the set; it has all shards.
        every_reserved: what each thread has reserved; it is given back.
    """
    total, width = 0, len(flat(pattern))
    for shard in range(states.head[HELD]):
        place = DIRECTORY + DIRECTORY_INTS * shard
        first, slots, most = states.head[place], states.head[place + 1], states.head[place + 2]
        free = {number for reserved in every_reserved for number in range(reserved[2 * shard], reserved[2 * shard + 1])}
        end = min(states.head[place + 3], states.head[ROOM])
        used = (number for number in range(end - len(free), end) if number not in free)
        # The states behind the new end move into the gaps before it; as many as there are gaps, because each reserved
        # place that is free shortens the end by one.
        end -= len(free)
        for number, gap in zip(used, (gap for gap in sorted(free) if gap < end), strict=True):
            state = read_state(states.states, (first + number) * width, pattern)
            slot = first_slot(hash_of(state), most)
            # Nothing was ever deleted, so the state's own slot is met before a free one.
            while half_of(states.slots, slots + slot) != number + 1:
                slot = slot + 1 if slot + 1 < most else 0
            write_state(states.states, (first + gap) * width, state)
            set_half(states.slots, slots + slot, gap + 1)
        states.head[place + 3] = end
        total += end
    for reserved in every_reserved:
        for index in range(len(reserved)):
            reserved[index] = 0
    states.head[COUNT] = total


def new_pending(width: int) -> Memory:
    """Memory for states that are to be looked for, of `width` words each."""
    return new_memory(PENDING_ROOM * (PENDING_HEAD + width))


def add_pending(states: StateSet, pending: Memory, count: int, state: State, owner: int) -> None:
    """Write a state that is to be looked for in a set as number `count`; its first slot is prefetched.

    `owner` is the index of the state from which a move leads to it.
    """
    place, state_hash = count * (PENDING_HEAD + len(flat(state))), hash_of(state)
    pending[place], pending[place + 1] = state_hash, owner
    write_state(pending, place + PENDING_HEAD, state)
    fetch_slot(states, state_hash)


def fetch_pending(states: StateSet, values: Memory, pending: Memory, count: int, pattern: State) -> None:
    """Prefetch the states, and the values, that stand in the first slots of the first `count` pending states."""
    width = len(flat(pattern))
    for number in range(count):
        index = first_index(states, pending[number * (PENDING_HEAD + width)])
        if index >= 0:
            prefetch(states.states, index * width)
            prefetch(values, index)


def add_all_pending(
    states: StateSet, pending: Memory, count: int, pattern: State, cursor: Memory, reserved: Memory
) -> int:
    """Add the first `count` pending states to a set: `COMPLETE`, or `NO_ROOM` with the cursor at the owner of the first
    that is left."""
    each = PENDING_HEAD + len(flat(pattern))
    fetch_pending(states, states.slots, pending, count, pattern)  # no values here; any memory stands for them
    for number in range(count):
        state = read_state(pending, number * each + PENDING_HEAD, pattern)
        if add_state(states, state, pending[number * each], reserved) == NO_ROOM:
            cursor[NEXT] = pending[number * each + 1]
            return NO_ROOM
    return COMPLETE


def list_successors(
    game: Game[State],
    observer: Observer,
    pattern: State,
    source: Memory,
    cursor: Memory,
    tier: int,
    found: StateSet,
    others: Memory,
    pending: Memory,
    reserved: Memory,
) -> int:
    """Add the successors of listed states that are in a tier to a set, from the cursor on.

    Args:
        game, observer: as for `minimax`; a node is entered for each state.
        pattern: any state.
        source: the list; its states from `cursor[NEXT]` to `cursor[END]` are looked at.
        cursor: where the work is.
        tier: the tier wanted.
        found: the set.
        others: gets a 1 at each distance from a state's tier to that of a state that follows it.
        pending, reserved: memory of `new_pending`, of `new_reserved`.

    Returns:
        `COMPLETE` where the list is done; `NO_ROOM` where the set is full, a listed state unfinished; `LOWERED`.
    """
    width = len(flat(pattern))
    while cursor[NEXT] < cursor[END]:
        place, count, total = cursor[NEXT], 0, 0
        while place < cursor[END] and total < PENDING:
            observer.enter(pattern, 0, 0, 0, 0)
            state = read_state(source, place * width, pattern)
            if game.outcome(state) == ONGOING:
                here = game.tier(state)
                for move in game.moves(state):
                    child = listed_state(game, game.play(state, move))
                    there = game.tier(child)
                    # Tiers are made in order and those below a finished one are not looked at again: a state there
                    # would be missed.
                    if there < here or there - here >= MOST_TIERS:
                        return LOWERED
                    others[there - here] = 1
                    if there == tier:
                        if count == PENDING_ROOM:
                            if add_all_pending(found, pending, count, pattern, cursor, reserved) == NO_ROOM:
                                return NO_ROOM
                            count = 0
                        add_pending(found, pending, count, child, place)
                        count += 1
                        # Successors are counted over the whole batch and not since the last flush, so a state with very
                        # many moves does not make the batch endless.
                        total += 1
            place += 1
        # The cursor moves on only when all moves of its states are in the set, so a full set, or a stop, loses none:
        # the states from the cursor on are looked at again, and what is in the set already is found there.
        if add_all_pending(found, pending, count, pattern, cursor, reserved) == NO_ROOM:
            return NO_ROOM
        cursor[NEXT] = place
    return COMPLETE


def list_placements(
    game: Game[State],
    observer: Observer,
    pattern: State,
    pieces: Memory,
    count: int,
    cursor: Memory,
    places: Memory,
    most: int,
    found: StateSet,
    reserved: Memory,
) -> int:
    """Add all placements of some pieces, with nothing else on the board, to a set, from the cursor on.

    Args:
        game, observer, pattern: as for `list_successors`; a node is entered each time that a piece is moved on.
        pieces, count: numbers of the pieces, the same ones side by side, and how many they are.
        cursor: where the work is: at the piece `AT`; `NEXT` becomes `END` when it is done, `TIER` the states' tier.
        places: where each piece stands; the first one is at -1 before the work begins.
        most: number of places.
        found: the set.
        reserved: memory of `new_reserved`.

    Returns:
        As `list_successors`; `LOWERED` where the states are of several tiers.
    """
    while cursor[AT] >= 0:
        observer.enter(pattern, 0, 0, 0, 0)
        at = cursor[AT]
        places[at] += 1
        if places[at] == most:
            cursor[AT] = at - 1
            continue
        taken = 0
        for before in range(at):
            taken += int(places[before] == places[at])
        if taken:
            continue
        if at + 1 < count:
            # Equal pieces are set in ascending order only: two that change places are the same state.
            places[at + 1] = places[at] if pieces[at + 1] == pieces[at] else -1
            cursor[AT] = at + 1
            continue
        for state in game.lay_pieces(pieces, places, count):
            key = listed_state(game, state)
            if cursor[TIER] == NO_TIER:
                cursor[TIER] = game.tier(key)
            if cursor[TIER] != game.tier(key):
                return LOWERED
            if add_state(found, key, hash_of(key), reserved) == NO_ROOM:
                # The piece moves on to this place again when there is more room.
                places[at] -= 1
                return NO_ROOM
    cursor[NEXT] = cursor[END]
    return COMPLETE


def start_values(game: Game[State], pattern: State, source: Memory, count: int, values: Memory, unfinished: int) -> int:
    """Write the value of each finished state of a list, and `unfinished` for the others; return how many those are."""
    width, ongoing = len(flat(pattern)), 0
    for place in range(count):
        utility = game.outcome(read_state(source, place * width, pattern))
        # A value is of the state itself: plies are counted from it, so a finished state has a distance of 0.
        values[place] = unfinished if utility == ONGOING else final(utility, 0)
        ongoing += int(utility == ONGOING)
    return ongoing


def back_up_values(
    game: Game[State],
    observer: Observer,
    pattern: State,
    source: Memory,
    cursor: Memory,
    tier: int,
    known: StateSet,
    known_values: Memory,
    values: Memory,
    before: Memory,
    players: int,
    pending: Memory,
) -> int:
    """Improve the values of listed states by those of their successors in a set of valued states (a minimax backup).

    Args:
        game, observer, pattern, source, cursor, pending: as for `list_successors`; `CHILDREN` counts the moves to
            states of the tier, `FOUND` those to states of the set.
        tier: the tier of the set.
        known, known_values: the set, which may have some shards of the tier, and the value of each of its states.
        values: of the list, for x, on the scale of `score.py`; `UNKNOWN` where no move was looked at yet.
        before: values of the list before the game was played on; not read where `players` is 0.
        players: 0; where the list is of the set's tier, and the game is played on within it from `cursor[PLIES]` - 1
            plies to one more, the players whose states may change, as in `CHANGED`.

    Returns:
        How many states were looked at.
    """
    width, looked = len(flat(pattern)), 0
    while cursor[NEXT] < cursor[END]:
        place, count, total = cursor[NEXT], 0, 0
        while place < cursor[END] and total < PENDING:
            observer.enter(pattern, 0, 0, 0, 0)
            state = read_state(source, place * width, pattern)
            if game.outcome(state) == ONGOING:
                mover = game.to_move(state)
                # A state none of whose successors has changed keeps its value, and its moves need not be made.
                if players and is_settled(game, state, before[place], cursor[PLIES], players):
                    values[place] = before[place]
                else:
                    looked += 1
                    for move in game.moves(state):
                        child = listed_state(game, game.play(state, move))
                        if game.tier(child) == tier:
                            cursor[MOVES_TWICE] |= int(game.to_move(child) == mover)
                            if count == PENDING_ROOM:
                                back_up_pending(known, known_values, values, cursor, pending, count, pattern)
                                count = 0
                            # The owner's lowest bit says who moves, so that the value can be compared without reading
                            # the state again.
                            add_pending(known, pending, count, child, 2 * place + int(mover == MAX))
                            count += 1
                            total += 1
            place += 1
        back_up_pending(known, known_values, values, cursor, pending, count, pattern)
        # Values are final for this round only when all parts of the tier have been looked at.
        if players and cursor[LAST]:
            for index in range(cursor[NEXT], place):
                if values[index] != before[index]:
                    cursor[CHANGED] |= 1 << game.to_move(read_state(source, index * width, pattern))
        cursor[NEXT] = place
    return looked


def is_settled(game: Game[State], state: State, value: int, plies: int, players: int) -> int:
    """Whether a value stays when the game is played on to `plies`.

    It does if no state after a move has changed, as `players` says, or if it is the best result in fewer plies.
    """
    # A win in fewer plies than were played on cannot get better: other moves' wins found from now on take longer. A
    # draw, or what is not the most that can be won, still can.
    low, high = game.bounds(state)
    return int(
        players >> game.to_move(state) & 1 == 0 or 0 < final(high, plies) < value or value < final(low, plies) < 0
    )


def back_up_pending(
    known: StateSet, known_values: Memory, values: Memory, cursor: Memory, pending: Memory, count: int, pattern: State
) -> None:
    """Back up the values of the first `count` pending states; an owner is twice an index, plus 1 where x moves."""
    each = PENDING_HEAD + len(flat(pattern))
    fetch_pending(known, known_values, pending, count, pattern)
    for number in range(count):
        at = slot_of(known, read_state(pending, number * each + PENDING_HEAD, pattern), pending[number * each])
        if at >= 0:
            cursor[FOUND] += 1
            value, owner = known_values[at], pending[number * each + 1]
            # One ply farther away from the end, on the scale of `score.py`; a draw has no distance.
            value = value - 1 if value > 0 else value + 1 if value < 0 else 0
            best = values[owner >> 1]
            if best == UNKNOWN or (value > best if owner & 1 else value < best):
                values[owner >> 1] = value
    cursor[CHILDREN] += count
