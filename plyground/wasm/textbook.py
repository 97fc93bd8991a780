"""Entries of the textbook searches that can be recorded, made from their list.

All take the same arguments, so that callers need not know what a search uses: each gets room for scratch and a window,
and leaves out what it does not use. The first free place of the scratch is an argument, though it is always 0: LLVM
would make a second copy of a search for a constant.
"""

from collections.abc import Callable, Iterator
from typing import Any

from plyground.rules import Game, State
from plyground.search import ALGORITHMS
from plyground.search.algorithm import Algorithm, Query
from plyground.search.memory import Memory, read_state
from plyground.search.observer import Observer
from plyground.wasm.recorder import MemoryRecorder

Search = Callable[..., tuple[int, int]]


def recorded_algorithms() -> list[Algorithm]:
    """List the searches of plyground that can be recorded, in the order in which they are offered."""
    return [found for choice in ALGORITHMS.shipped if (found := choice.maker()).is_recorded]


def textbook_entries() -> Iterator[Callable[..., int]]:
    """Yield an entry for each search, by its name; it counts in detail and records nodes on demand."""
    for algorithm in recorded_algorithms():
        yield _entry(algorithm.name, _with_common_arguments(algorithm))


def textbook_facts(game: Game[Any]) -> dict[str, dict[str, Any]]:
    """Collect facts of each search, by its name: words of its scratch, and whether it has a window."""
    query = Query(game, game.initial())
    return {
        each.name: {"room": len(each.room(query).get("scratch", ())), "has_window": each.has_window}
        for each in recorded_algorithms()
    }


def _entry(name: str, search: Search) -> Callable[..., int]:
    def entry(
        game: Game[State],
        pattern: State,
        counts: Memory,
        scratch: Memory,
        top: int,
        here: Memory,
        depth: int,
        alpha: int,
        beta: int,
        prefer_shorter: int,
        ply: int,
        out: Memory,
    ) -> int:
        state = read_state(here, 0, pattern)
        value, move = search(game, MemoryRecorder(counts), scratch, top, state, depth, alpha, beta, prefer_shorter, ply)
        out[0] = move
        return value

    # The compiler names the export by it.
    entry.__name__ = name
    return entry


def _with_common_arguments(algorithm: Algorithm) -> Search:
    """Wrap a search so that it takes the arguments that all entries pass.

    Raises:
        LookupError: it has parameters, or an order of them, that none of those before it has.
    """
    search: Search = algorithm.search

    def search_plain(
        game: Game[State],
        observer: Observer,
        scratch: Memory,
        top: int,
        state: State,
        depth: int,
        _a: int,
        _b: int,
        prefer_shorter: int,
        ply: int,
    ) -> tuple[int, int]:
        return search(game, observer, state, depth, prefer_shorter, ply)

    def search_in_window(
        game: Game[State],
        observer: Observer,
        scratch: Memory,
        top: int,
        state: State,
        depth: int,
        a: int,
        b: int,
        prefer_shorter: int,
        ply: int,
    ) -> tuple[int, int]:
        return search(game, observer, state, depth, a, b, prefer_shorter, ply)

    def search_with_scratch(
        game: Game[State],
        observer: Observer,
        scratch: Memory,
        top: int,
        state: State,
        depth: int,
        _a: int,
        _b: int,
        prefer_shorter: int,
        ply: int,
    ) -> tuple[int, int]:
        return search(game, observer, scratch, top, state, depth, prefer_shorter, ply)

    def search_with_both(
        game: Game[State],
        observer: Observer,
        scratch: Memory,
        top: int,
        state: State,
        depth: int,
        a: int,
        b: int,
        prefer_shorter: int,
        ply: int,
    ) -> tuple[int, int]:
        return search(game, observer, scratch, top, state, depth, a, b, prefer_shorter, ply)

    # A wrapper for each list of parameters that occurs, because compiled code has no `*args`.
    shapes = {
        ("observer", "state", "depth", "prefer_shorter", "ply"): search_plain,
        ("observer", "state", "depth", "alpha", "beta", "prefer_shorter", "ply"): search_in_window,
        ("observer", "scratch", "top", "state", "depth", "prefer_shorter", "ply"): search_with_scratch,
        (
            "observer",
            "scratch",
            "top",
            "state",
            "depth",
            "alpha",
            "beta",
            "prefer_shorter",
            "ply",
        ): search_with_both,
    }
    if algorithm.takes not in shapes:
        raise LookupError(f"{algorithm.name} takes {', '.join(algorithm.takes)}: wasm/textbook.py has no such shape")
    return shapes[algorithm.takes]
