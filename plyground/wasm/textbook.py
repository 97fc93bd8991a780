"""What a page can ask of the textbook searches: two entries for each that can be recorded, made from the list of them.

All are asked alike, so that nobody outside must know what one takes: each is given room for notes and a window, and
leaves out what it does not want.
"""

from collections.abc import Callable, Iterator
from typing import Any

from plyground.rules import Game, State
from plyground.search import ALGORITHMS
from plyground.search.algorithm import Algorithm, Query
from plyground.search.memory import Memory, read_state
from plyground.search.watch import Detailed, Watcher
from plyground.wasm.writing import Writing

Search = Callable[..., tuple[int, int]]


def textbook() -> list[Algorithm]:
    """The searches of plyground that can be recorded, in the order in which they are offered."""
    return [found for choice in ALGORITHMS.shipped if (found := choice.maker()).is_recorded]


def textbook_entries() -> Iterator[Callable[..., int]]:
    """Of each search an entry that counts in detail, by its name, and one that writes: `minimax`, `minimax_written`."""
    for algorithm in textbook():
        yield from _entries(algorithm.name, _alike(algorithm))


def textbook_facts(game: Game[Any]) -> dict[str, dict[str, Any]]:
    """What is said of each search, by its name: how many words its notes take, and whether it keeps a window."""
    query = Query(game, game.initial())
    return {
        each.name: {"room": len(each.room(query).get("notes", ())), "has_window": each.has_window}
        for each in textbook()
    }


def _entries(name: str, search: Search) -> tuple[Callable[..., int], Callable[..., int]]:
    def counted(
        game: Game[State],
        pattern: State,
        counts: Memory,
        notes: Memory,
        here: Memory,
        depth: int,
        alpha: int,
        beta: int,
        hurry: int,
        ply: int,
        out: Memory,
    ) -> int:
        state = read_state(here, 0, pattern)
        value, move = search(game, Detailed(counts), notes, state, depth, alpha, beta, hurry, ply)
        out[0] = move
        return value

    def written(
        game: Game[State],
        pattern: State,
        paper: Memory,
        notes: Memory,
        here: Memory,
        depth: int,
        alpha: int,
        beta: int,
        hurry: int,
        ply: int,
    ) -> int:
        state = read_state(here, 0, pattern)
        value, _ = search(game, Writing(paper), notes, state, depth, alpha, beta, hurry, ply)
        return value

    counted.__name__, written.__name__ = name, f"{name}_written"
    return counted, written


def _alike(algorithm: Algorithm) -> Search:
    """The search, called as all of them are.

    Raises:
        LookupError: it has parameters, or an order of them, that none of those before it has.
    """
    search: Search = algorithm.search

    def bare(
        game: Game[State],
        watch: Watcher,
        notes: Memory,
        state: State,
        depth: int,
        _a: int,
        _b: int,
        hurry: int,
        ply: int,
    ) -> tuple[int, int]:
        return search(game, watch, state, depth, hurry, ply)

    def windowed(
        game: Game[State], watch: Watcher, notes: Memory, state: State, depth: int, a: int, b: int, hurry: int, ply: int
    ) -> tuple[int, int]:
        return search(game, watch, state, depth, a, b, hurry, ply)

    def noting(
        game: Game[State],
        watch: Watcher,
        notes: Memory,
        state: State,
        depth: int,
        _a: int,
        _b: int,
        hurry: int,
        ply: int,
    ) -> tuple[int, int]:
        return search(game, watch, notes, 0, state, depth, hurry, ply)

    def noting_windowed(
        game: Game[State], watch: Watcher, notes: Memory, state: State, depth: int, a: int, b: int, hurry: int, ply: int
    ) -> tuple[int, int]:
        return search(game, watch, notes, 0, state, depth, a, b, hurry, ply)

    shapes = {
        ("watch", "state", "depth", "hurry", "ply"): bare,
        ("watch", "state", "depth", "alpha", "beta", "hurry", "ply"): windowed,
        ("watch", "notes", "top", "state", "depth", "hurry", "ply"): noting,
        ("watch", "notes", "top", "state", "depth", "alpha", "beta", "hurry", "ply"): noting_windowed,
    }
    if algorithm.takes not in shapes:
        raise LookupError(f"{algorithm.name} takes {', '.join(algorithm.takes)}: wasm/textbook.py has no such shape")
    return shapes[algorithm.takes]
