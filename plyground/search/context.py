"""Search context of a thread of the engine: the transposition table, and scratch memory of its own."""

from collections.abc import Collection
from typing import Final, NamedTuple

from plyground.rules import MOST_MOVES, Game, State
from plyground.search.memory import Memory, new_memory
from plyground.search.repetition import line_room, set_ends

# Places in a context's scratch memory.
# A context is raw memory and not a record of fields: compiled code gets its address, and other threads read `TRAIL` for
# the progress while the search writes.
GUESSES: Final = 0
"""Static evaluations that have entered values so far, directly or through the table."""
ENTERED: Final = 1
"""Nodes entered with this context so far: their difference is the work that a table entry records."""
ROOT_MOVE: Final = 2
"""The best move at ply 0."""
SHARED: Final = 3
"""Whether other threads search the same state with the same table: 1 or 0."""
RESTS: Final = 12
"""Highest node on whose line a value since the last reset rests by a repetition (`RESTS_ON_ROOT`); 0 for none."""
SELECTIVE: Final = 13
"""Whether moves may be left out by judgement (`SearchContext.is_selective`): 1 or 0."""
# A place, and 0 stands for none because counts lie at 0. Each thread has its own scratch, so each has its own
# evaluation memory, which `evaluate_again` writes at each call.
EVALUATION_MEMORY_AT: Final = 14
"""Where the memory for `Game.evaluate_again` begins; 0 where there is none."""
TRAIL: Final = 4
"""For the first plies, which of how many moves is being searched: `index << 32 | count`."""
TRAIL_PLIES: Final = 6
# Two killers for each of 256 plies, deeper ones share theirs; 2,048 numbers of history for either player. Both are only
# hints for the order, so moves and plies that share a place cost nodes and never a value.
KILLERS: Final = 16
HISTORY: Final = KILLERS + 512
STACK: Final = HISTORY + 4096
SCRATCH: Final = STACK + 2 * MOST_MOVES
LINE: Final = SCRATCH
"""After these, where states can repeat: the line, and the states at which the game before ends. The memory for an
evaluation is last."""


class SearchContext(NamedTuple):
    """Search context of one thread."""

    table: Memory
    """The transposition table, which threads may share."""
    scratch: Memory
    """Scratch memory of the thread: counts, killers, history and the moves of its current line."""

    def is_selective(self) -> bool:
        """Whether nodes may be judged without a search of their moves, so that an end that is found need not be the
        soonest (forward pruning, `pvs.py`)."""
        # A method, not a field: `ExactContext` answers with a constant, and the compiler then leaves the code of
        # forward pruning out. Published pages rely on it, because chess's page has no room for that code.
        return self.scratch[SELECTIVE] != 0

    def evaluation(self, game: Game[State], state: State) -> int:
        """The static evaluation of a state, from the first player's side."""
        if game.evaluation_memory and self.scratch[EVALUATION_MEMORY_AT]:
            return game.evaluate_again(state, self.scratch, self.scratch[EVALUATION_MEMORY_AT])
        return game.evaluate(state)


# A page searches with one instance of a module for each worker and has no memory for an evaluation that is kept up to
# date.
class ExactContext(SearchContext):
    """Search context that is never selective, and keeps no evaluation: compiled, the code of both is left out."""

    __slots__ = ()

    def is_selective(self) -> bool:
        return False

    def evaluation(self, game: Game[State], state: State) -> int:
        return game.evaluate(state)


def new_context(table: Memory, shared: bool = False, room: int = 0) -> SearchContext:
    """A new context on a table, which other threads' contexts may share, with more room after its scratch memory.

    Games where states can repeat need that room: see `new_search_context`.
    """
    scratch = new_memory(SCRATCH + room)
    scratch[SHARED] = int(shared)
    return SearchContext(table, scratch)


def new_search_context(
    game: Game[State], state: State, table: Memory, ends: Collection[State] = (), shared: bool = False
) -> SearchContext:
    """A new context for any game, and any state of it.

    Args:
        game, state: the rules, and the state that will be searched.
        table: contexts with the same ends may share it.
        ends: states that end the game when they come once more (`Position.last_times`).
        shared: whether other contexts share the table.
    """
    line = line_room(state) if game.repetition else 0
    context = new_context(table, shared, line + game.evaluation_memory)
    if game.repetition:
        set_ends(context.scratch, LINE, ends)
    if game.evaluation_memory:
        context.scratch[EVALUATION_MEMORY_AT] = SCRATCH + line
    return context
