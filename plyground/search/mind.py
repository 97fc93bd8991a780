"""What a searching thread of the engine knows: the transposition table, and notes of its own."""

from collections.abc import Collection
from typing import Final, NamedTuple

from plyground.rules import MOST_MOVES, Game, State
from plyground.search.again import line_room, set_ends
from plyground.search.memory import Memory, new_memory

# Places in a mind's notes.
GUESSES: Final = 0
"""Opinions that have entered values so far, directly or through the table."""
ENTERED: Final = 1
"""Nodes of this mind's searches so far: what is noted of a state says how much work it was."""
CHOICE: Final = 2
"""The best move at ply 0."""
SHARED: Final = 3
"""Whether other threads search the same state with the same table: 1 or 0."""
RESTS: Final = 12
"""How far up the values found since it was last set to 0 rest on a repetition (`again.py`)."""
SURE_LOW: Final = 10
SURE_HIGH: Final = 11
TRAIL: Final = 4
"""For the first plies, which of how many moves is being searched: `index << 32 | count`."""
TRAIL_PLIES: Final = 6
KILLERS: Final = 16
HISTORY: Final = KILLERS + 512
STACK: Final = HISTORY + 4096
NOTES: Final = STACK + 2 * MOST_MOVES
LINE: Final = NOTES
"""Behind all, in games where states can come again: the line, and the ends of the game before."""


class Mind(NamedTuple):
    """What a searching thread knows."""

    table: Memory
    """The transposition table, which threads may share."""
    notes: Memory
    """Its own: counts, killers, history and the moves of the line it is on."""


def new_mind(table: Memory, shared: bool = False, room: int = 0) -> Mind:
    """A fresh mind on a table, which other threads' minds may share, with more room behind its notes.

    Games where states can come again need that room: see `mind_for`.
    """
    notes = new_memory(NOTES + room)
    notes[SHARED] = int(shared)
    return Mind(table, notes)


def mind_for(
    game: Game[State], state: State, table: Memory, ends: Collection[State] = (), shared: bool = False
) -> Mind:
    """A fresh mind for any game, and any state of it.

    Args:
        game, state: the rules, and the state that will be searched.
        table: may be shared by minds with the same ends.
        ends: what ends the game when it comes once more (`Position.last_times`).
        shared: whether other minds share the table.
    """
    if not game.repetition:
        return new_mind(table, shared)
    mind = new_mind(table, shared, line_room(state))
    set_ends(mind.notes, LINE, ends)
    return mind
