"""Prepare every search for one game, each with one observer, and print what became of each, as a line of JSON.

python tests/canary.py tictactoe 0   {"perft Silent": {"why_plain": null, "from_disk": true, "opened": true}, …}
python tests/canary.py tictactoe 1   the same, each search with the next observer
"""

import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

import plyground as pg
from plyground.compiled.kernel import Kernel
from plyground.search.algorithm import Query
from plyground.search.memory import new_memory
from plyground.search.observer import SILENT, Counting, Detailed, Observer
from plyground.search.perft import perft
from plyground.search.retrograde import add, explore, mark_ends, new_backward, new_graph, place_of, retrograde

Call = tuple[Callable[..., Any], Any, Observer, tuple[Any, ...]]
"""A search, the game that it is bound to, an observer, and all arguments."""


def calls(game: Any) -> Iterator[list[Call]]:
    """Every search, each with every observer that it is ever given, as the package calls it."""
    observers: tuple[Observer, ...] = (SILENT, Counting.fresh(), Detailed.fresh())
    state = game.initial()
    yield [(perft, game, observer, (observer, state, 1, 0)) for observer in observers]
    for choice in pg.ALGORITHMS:
        named = pg.algorithm_named(choice.name)
        if game.repetition and choice.name == "proof":
            continue  # it refuses such games
        query = named.seeing(Query(game, state, entries=1))
        yield [
            (named.search, query.game, observer, named.asked(query, observer, named.search).args)
            for observer in observers
        ]
    if game.repetition:
        count, graph = Counting.fresh(), new_graph(state, 2, 2)
        add(graph, -1 - place_of(graph, state), state)
        yield [(explore, game, count, (count, graph, state, 0))]
        yield [(retrograde, SILENT, count, (count, graph, new_backward(graph)))]
        yield [(mark_ends, game, count, (graph, state, new_memory(8), 0, 0))]


def prepared(name: str, first: int) -> dict[str, dict[str, object]]:
    """What became of each pair."""
    found = {}
    for number, all_calls in enumerate(calls(pg.game_named(name)), first):
        search, game, observer, args = all_calls[number % len(all_calls)]
        run = Kernel(search, game)
        run.prepare(*args)
        fast = run.compiled
        found[f"{search.__name__} {type(observer).__name__}"] = {
            "why_plain": run.why_plain,
            "from_disk": fast is not None and fast.from_disk,
            "opened": fast is not None and fast.is_opened,
        }
    return found


if __name__ == "__main__":
    print(json.dumps(prepared(sys.argv[1], int(sys.argv[2]))))
