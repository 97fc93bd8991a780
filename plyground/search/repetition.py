"""Repetitions in a search: states that came before on its line, or in the game played before it.

As chess programs do it, a state that has come earlier on the line, after the root, ends the line at its first return,
and one of the game before it where its return ends the game indeed ("Repetitions", chessprogramming.org; Stockfish,
`Position::is_draw`). Where a repetition is a draw that changes no value: who can win at all need not come back to a
state, for whatever wins there the second time wins the first time.

The ends of the game before are one table for all lines, so a value that rests on them may be kept like any other. A
value that rests on an earlier state of its line is true on that line only: the problem of graph-history interaction
(Campbell, "The graph-history interaction: on ignoring position history", 1985; Kishimoto and Müller, "A general
solution to the graph history interaction problem", 2004). `RESTS_ON_ROOT` says how far up a value rests on it.

The room is a part of a `Memory`, from a place `at` on. Whole states are compared, told apart by their hashes first:

    slots - 1, or 0 for no ends | ends, by their hash, in open addressing | the line, by plies from the root
    each: hash with its lowest bit set, 0 for nothing | the words of the state
"""

from collections.abc import Collection
from typing import Final

from plyground.board.bits import flat
from plyground.rules import LONGEST, State
from plyground.search.memory import Memory, write_state
from plyground.search.table import hash_of

SLOTS: Final = 1 << 15
"""Slots for the ends of the game before: three times as many as there can be."""
NO_REPETITION: Final = -1
ENDS_GAME: Final = -2
"""Result of `find_repetition` for one of the ends of the game before."""
# The scale is so large that it stays above 0 for every ply of a line, and 0 is free for a value that rests on nothing.
# `pvs.py` uses one more for a value that depends on how its repetition came about: no node is high enough to keep it.
RESTS_ON_ROOT: Final = LONGEST + 3
"""Scale of dependence on a repetition: 0 for none, `RESTS_ON_ROOT - p` for the state at ply p of the line."""


def line_room(state: State) -> int:
    """Number of places that the line of a game with states like this one takes."""
    return 1 + (SLOTS + LONGEST + 2) * (1 + len(flat(state)))


def set_ends(memory: Memory, at: int, states: Collection[State]) -> None:
    """Store the states whose next coming ends the game, in place of any stored before."""
    # New memory is zero, so a fresh context without ends has nothing to clear; clearing 32,768 slots would take longer
    # than a small search.
    if not states and memory[at] == 0:
        return
    # At most a third is filled, so probes stay short, and at least one slot stays free, at which a search for a state
    # that is missing ends.
    size = 1 << (3 * len(states)).bit_length()
    width = max((1 + len(flat(state)) for state in states), default=0)
    for place in range(at, at + 1 + size * width):
        memory[place] = 0
    if not states:
        return
    memory[at] = size - 1
    for state in states:
        add_end(memory, at, state)


def add_end(memory: Memory, at: int, state: State) -> None:
    """Store one more state whose next coming ends the game, where there are slots for it."""
    state_hash, width = hash_of(state), 1 + len(flat(state))
    slot = state_hash >> 8 & memory[at]
    while memory[at + 1 + slot * width]:
        slot = slot + 1 & memory[at]
    _write_state_entry(memory, at + 1 + slot * width, state, state_hash)


def put_on_line(memory: Memory, at: int, state: State, state_hash: int, ply: int) -> None:
    """Store the state at a ply of the line, whose hash is `state_hash`."""
    width = 1 + len(flat(state))
    _write_state_entry(memory, at + 1 + (SLOTS + ply) * width, state, state_hash)


def find_repetition(memory: Memory, at: int, state: State, state_hash: int, ply: int) -> int:
    """Ply of the line, from 1, at which the state of this ply came before; `ENDS_GAME` where it repeats a state of the
    game before whose return ends the game; else `NO_REPETITION`."""
    width = 1 + len(flat(state))
    if memory[at]:
        slot = state_hash >> 8 & memory[at]
        while memory[at + 1 + slot * width]:
            if _holds_state(memory, at + 1 + slot * width, state, state_hash):
                return ENDS_GAME
            slot = slot + 1 & memory[at]
    # The nearest state comes first. Ply 0 is left out: of the root and of what was played before it, the ends say what
    # ends the game. Plies of the other player are compared too, for turns need not alternate.
    for earlier in range(ply - 1, 0, -1):
        if _holds_state(memory, at + 1 + (SLOTS + earlier) * width, state, state_hash):
            return earlier
    return NO_REPETITION


def _write_state_entry(memory: Memory, place: int, state: State, state_hash: int) -> None:
    memory[place] = state_hash | 1
    write_state(memory, place + 1, state)


def _holds_state(memory: Memory, place: int, state: State, state_hash: int) -> bool:
    # The hash first: nearly all others differ in it, and then no words are read. `| 1` tells a slot that is used from
    # 0.
    if memory[place] != state_hash | 1:
        return False
    words = flat(state)
    different = 0
    for index in range(len(words)):
        different |= memory[place + 1 + index] ^ words[index]
    return different == 0
