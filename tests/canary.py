"""Prepare every search and watcher for one game, and print what became of each, as a line of JSON.

python tests/canary.py tictactoe     {"perft Silent": {"why_plain": null, "from_disk": true, "opened": true}, …}
"""

import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

import plyground as pg
from plyground.compiled.kernel import Kernel
from plyground.score import INFINITY
from plyground.search.alphabeta import alphabeta
from plyground.search.mcts import EXPLORATION, mcts, new_tree
from plyground.search.memory import new_memory
from plyground.search.mind import STACK, new_mind
from plyground.search.minimax import minimax
from plyground.search.ordered import NOTES, ordered
from plyground.search.perft import perft
from plyground.search.proof import NEVER, proof
from plyground.search.pvs import pvs
from plyground.search.table import new_table
from plyground.search.watch import SILENT, Counting, Detailed, Watcher


def calls(state: Any) -> Iterator[tuple[Callable[..., Any], Watcher, tuple[Any, ...]]]:
    """Every search, every watcher, and arguments as the package gives them."""
    watchers: tuple[Watcher, ...] = (SILENT, Counting.fresh(), Detailed.fresh())
    for watch in watchers:
        mind, window = new_mind(new_table(state, 1)), (-INFINITY, INFINITY)
        yield perft, watch, (watch, state, 1, 0)
        yield minimax, watch, (watch, state, 1, 1, 0)
        yield alphabeta, watch, (watch, state, 1, *window, 1, 0)
        yield ordered, watch, (watch, new_memory(NOTES), 0, state, 1, *window, 1, 0)
        yield pvs, watch, (watch, mind, state, 1, *window, 1, 0, STACK)
        yield proof, watch, (watch, mind, state, 0, NEVER, NEVER, 0, STACK)
        yield mcts, watch, (watch, new_tree(2, 0), new_memory(16), state, 1, EXPLORATION)


def prepared(name: str) -> dict[str, dict[str, object]]:
    """What became of each pair."""
    game, found = pg.game_named(name), {}
    for search, watch, args in calls(game.initial()):
        run = Kernel(search, game)
        run.prepare(*args)
        fast = run.compiled
        found[f"{search.__name__} {type(watch).__name__}"] = {
            "why_plain": run.why_plain,
            "from_disk": fast is not None and fast.from_disk,
            "opened": fast is not None and fast.is_opened,
        }
    return found


if __name__ == "__main__":
    print(json.dumps(prepared(sys.argv[1])))
