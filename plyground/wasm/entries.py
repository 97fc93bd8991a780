"""Entries of a game's module: functions of a game, a pattern of its states, memory and ints.

They are compiled like a search, by the same rules. A state is its words, from the beginning of a memory; a row of
answers is written to one, and how many there are is answered. Each name here is the name of an export.
"""

from collections.abc import Callable, Iterator
from typing import Any

from plyground.rules import MOST_MOVES, Game, State
from plyground.search.context import ExactContext
from plyground.search.history import Remembering, with_history
from plyground.search.limits import require_room
from plyground.search.mcts import mcts as tree_search
from plyground.search.memory import Memory, read_state, write_state
from plyground.search.observer import Counting
from plyground.search.pvs import pvs as engine_search
from plyground.search.repetition import add_end as note_end
from plyground.search.retrograde import (
    COUNT,
    Backward,
    Graph,
    add_listed_state,
    census,
    explore,
    index_of,
    mark_ends,
    retrograde,
    write_value,
)
from plyground.search.table import hash_of
from plyground.wasm.textbook import textbook_entries

Entry = Callable[..., int]


# The docstrings say what an entry writes to `out` and what it returns. `here` is the memory of a state; `pattern` gives
# the types of its words alone.
def write_row(row: Iterator[int], out: Memory) -> int:
    """Write a row of ints to `out` and return their number; a row longer than `MOST_MOVES` is a fault."""
    count = 0
    for each in row:
        require_room(count + 1, MOST_MOVES)
        out[count] = each
        count += 1
    return count


def to_move(game: Game[State], pattern: State, here: Memory) -> int:
    """Return the player to move."""
    return game.to_move(read_state(here, 0, pattern))


def outcome(game: Game[State], pattern: State, here: Memory) -> int:
    """Return the outcome: `ONGOING`, or the utility for x."""
    return game.outcome(read_state(here, 0, pattern))


def moves(game: Game[State], pattern: State, here: Memory, out: Memory) -> int:
    """Write the legal moves of an unfinished state; return their number."""
    return write_row(game.moves(read_state(here, 0, pattern)), out)


def play(game: Game[State], pattern: State, here: Memory, move: int, out: Memory) -> int:
    """Write the state after a legal move."""
    write_state(out, 0, game.play(read_state(here, 0, pattern), move))
    return 0


def bounds(game: Game[State], pattern: State, here: Memory, out: Memory) -> int:
    """Write the bounds of the utility, lowest first; return 2."""
    low, high = game.bounds(read_state(here, 0, pattern))
    out[0], out[1] = low, high
    return 2


def evaluate(game: Game[State], pattern: State, here: Memory) -> int:
    """Return the static evaluation of an unfinished state, in points, positive if good for x."""
    return game.evaluate(read_state(here, 0, pattern))


def repetition_value(game: Game[State], pattern: State, here: Memory) -> int:
    """Return the utility of a game that ends in an unfinished state by repetition."""
    return game.repetition_value(read_state(here, 0, pattern))


def repetition_key(game: Game[State], pattern: State, here: Memory, out: Memory) -> int:
    """Write the repetition key of a state."""
    write_state(out, 0, game.repetition_key(read_state(here, 0, pattern)))
    return 0


def canonical(game: Game[State], pattern: State, here: Memory, out: Memory) -> int:
    """Write the representative of a state under symmetry."""
    write_state(out, 0, game.canonical(read_state(here, 0, pattern)))
    return 0


def split_settled(game: Game[State], pattern: State, here: Memory, out: Memory) -> int:
    """Write the state without its settled part; return the utility of that part."""
    smaller, worth = game.split_settled(read_state(here, 0, pattern))
    write_state(out, 0, smaller)
    return worth


def stands(game: Game[State], pattern: State, here: Memory, out: Memory) -> int:
    """Write the ints that draw the pieces; return their number."""
    return write_row(game.stands(read_state(here, 0, pattern)), out)


def strokes(game: Game[State], pattern: State, here: Memory, out: Memory) -> int:
    """Write the strokes through the winning lines; return the number of ints."""
    return write_row(game.strokes(read_state(here, 0, pattern)), out)


def caption(game: Game[State], pattern: State, here: Memory, out: Memory) -> int:
    """Write the signs of the caption beside the board; return their number."""
    return write_row(game.caption(read_state(here, 0, pattern)), out)


def notice(game: Game[State], pattern: State, here: Memory, out: Memory) -> int:
    """Write the signs of the notice of a state; return their number."""
    return write_row(game.notice(read_state(here, 0, pattern)), out)


def path(game: Game[State], pattern: State, here: Memory, move: int, out: Memory) -> int:
    """Write the places that a move touches; return their number."""
    return write_row(game.path(read_state(here, 0, pattern), move), out)


def state_signs(game: Game[State], pattern: State, here: Memory, out: Memory) -> int:
    """Write the signs of a state's text; return their number."""
    return write_row(game.state_signs(read_state(here, 0, pattern)), out)


def move_signs(game: Game[State], pattern: State, here: Memory, move: int, out: Memory) -> int:
    """Write the signs of a move's text; return their number."""
    return write_row(game.move_signs(read_state(here, 0, pattern), move), out)


def notation_signs(game: Game[State], pattern: State, here: Memory, move: int, out: Memory) -> int:
    """Write the signs of a move in the notation of players; return their number."""
    return write_row(game.notation_signs(read_state(here, 0, pattern), move), out)


def state_of(game: Any, pattern: State, numbers: Memory, out: Memory) -> int:
    """Write the state whose numbers `board/fen.py` has read from a text."""
    write_state(out, 0, game.state_of(numbers))
    return 0


def mark_of(game: Game[State], pattern: State, here: Memory, out: Memory) -> int:
    """Write the hash of a state: an int of 64 bits, which a door could only return as a rounded float."""
    out[0] = hash_of(read_state(here, 0, pattern))
    return 1


def pvs(
    game: Game[State],
    pattern: State,
    counts: Memory,
    table: Memory,
    scratch: Memory,
    here: Memory,
    depth: int,
    alpha: int,
    beta: int,
    prefer_shorter: int,
    ply: int,
    top: int,
) -> int:
    """Search by `search/pvs.py`, counting and never selective, because a page of chess has no room for that."""
    state, context = read_state(here, 0, pattern), ExactContext(table, scratch)
    return engine_search(game, Counting(counts), context, state, depth, alpha, beta, prefer_shorter, ply, top)


def mcts(
    game: Game[State],
    pattern: State,
    counts: Memory,
    tree: Memory,
    path: Memory,
    here: Memory,
    simulations: int,
    exploration: float,
) -> int:
    """Search by `search/mcts.py`, counting; return the number of simulations."""
    state = read_state(here, 0, pattern)
    return tree_search(game, Counting(counts), tree, path, state, simulations, exploration)


# -- where states can come again ------------------------------------------------------------------------------------


def add_end(game: Game[State], pattern: State, scratch: Memory, at: int, here: Memory) -> int:
    """Add a state of the game before the root to those that end the game (`search/repetition.py`)."""
    note_end(scratch, at, read_state(here, 0, pattern))
    return 0


def list_states(
    game: Game[State],
    pattern: State,
    counts: Memory,
    here: Memory,
    head: Memory,
    states: Memory,
    slots: Memory,
    about: Memory,
    firsts: Memory,
    edges: Memory,
) -> int:
    """List states from one on, with the moves between them (`search/retrograde.py`); goes on where it stopped.

    Returns:
        `ALL_LISTED`, or the lack of memory that has stopped it.
    """
    graph = Graph(head, states, slots, about, firsts, edges)
    # Nothing is listed yet: the first state is added here, the others by the moves that lead to them.
    if head[COUNT] == 0:
        first = read_state(here, 0, pattern)
        add_listed_state(graph, -1 - index_of(graph, first), first)
    return explore(game, Counting(counts), graph, pattern, 0)


def value_states(
    game: Game[State],
    pattern: State,
    counts: Memory,
    ends: Memory,
    ending: int,
    head: Memory,
    states: Memory,
    slots: Memory,
    about: Memory,
    firsts: Memory,
    edges: Memory,
    values: Memory,
    left: Memory,
    queue: Memory,
    sourced: Memory,
    sources: Memory,
    out: Memory,
) -> int:
    """Value all states, where those that repeat one of `ending` states end the game, and write their census.

    Returns:
        The number of valued states.
    """
    graph, back = Graph(head, states, slots, about, firsts, edges), Backward(values, left, queue, sourced, sources)
    mark_ends(game, graph, pattern, ends, ending, 1)
    valued = retrograde(game, Counting(counts), graph, back)
    mark_ends(game, graph, pattern, ends, ending, 0)
    census(graph, back, out)
    return valued


def found(
    game: Game[State],
    pattern: State,
    here: Memory,
    out: Memory,
    head: Memory,
    states: Memory,
    slots: Memory,
    about: Memory,
    firsts: Memory,
    edges: Memory,
    values: Memory,
    left: Memory,
    queue: Memory,
    sourced: Memory,
    sources: Memory,
) -> int:
    """Write utility and plies of a listed state; return 1 if they are known, 0 if not, -1 if it is not listed."""
    graph, back = Graph(head, states, slots, about, firsts, edges), Backward(values, left, queue, sourced, sources)
    place = index_of(graph, read_state(here, 0, pattern))
    return write_value(graph, back, place, out) if place >= 0 else -1


QUESTIONS: tuple[Entry, ...] = (
    to_move, outcome, moves, play, bounds, evaluate, repetition_value, repetition_key, canonical, split_settled,
    stands, strokes, caption, path, state_signs, move_signs, mark_of,
)  # fmt: skip
SEARCHES: tuple[Entry, ...] = (pvs, mcts)
CYCLES: tuple[Entry, ...] = (add_end, list_states, value_states, found)
SMALL_ENTRIES: tuple[Entry, ...] = (
    stands, strokes, caption, notice, path, state_signs, move_signs, notation_signs, state_of,
    *CYCLES,
)  # fmt: skip
"""Entries to be small rather than fast: no search spends its time in them."""


def reads_fen_numbers(game: Game[Any]) -> bool:
    """Whether a game makes states from the numbers of a text in FEN."""
    return hasattr(game, "state_of")


def entries_of(game: Game[Any]) -> list[tuple[Entry, Game[Any], Any]]:
    """List the entries of a game's module, each with the game of which it is asked and a pattern of its states."""
    # A question that a game does not answer is no entry, so that no page pays for it.
    here, more = game.initial(), CYCLES if game.repetition else ()
    if game.has_notation:
        more = (*more, notation_signs)
    if reads_fen_numbers(game):
        more = (*more, state_of)
    if game.has_notice:
        more = (*more, notice)
    found: list[tuple[Entry, Game[Any], Any]] = [(entry, game, here) for entry in (*QUESTIONS, *SEARCHES, *more)]
    seen: tuple[Game[Any], Any] = (game, here)
    if game.repetition:
        # Textbook searches know no repetitions: their states remember the line instead (decision 20).
        seen = Remembering(game), with_history(game, here)
    return [*found, *((entry, *seen) for entry in textbook_entries())]
