"""No table is written of a game that runs as plain Python: it would be committed, and believed."""

from collections.abc import Callable
from typing import Any, Final

from plyground.compiled.kernel import kernel
from plyground.games import game_named
from plyground.score import INFINITY
from plyground.search.alphabeta import alphabeta
from plyground.search.context import STACK, new_context
from plyground.search.mcts import EXPLORATION, mcts, new_tree
from plyground.search.memory import new_memory
from plyground.search.observer import Counting
from plyground.search.proof import NEVER, proof
from plyground.search.pvs import pvs
from plyground.search.table import new_table

SHIPPED: Final = ("tictactoe", "mnk:5,5,4", "connectfour", "kalah", "ultimate", "ultimate:send=false")


def calls(state: Any) -> dict[Callable[..., Any], tuple[Any, ...]]:
    """The searches, and arguments as the package gives them."""
    observer, window = Counting.fresh(), (-INFINITY, INFINITY)
    context = new_context(new_table(state, 1))
    return {
        alphabeta: (observer, state, 1, *window, 1, 0),
        pvs: (observer, context, state, 1, *window, 1, 0, STACK),
        proof: (observer, context, state, 0, NEVER, NEVER, 0, STACK),
        mcts: (observer, new_tree(2, 0), new_memory(16), state, 1, EXPLORATION),
    }


def require_compiled(*names: str) -> None:
    """End the program, with a sentence that says why, unless the searches of these games, or of all, run compiled."""
    for name in names or SHIPPED:
        game = game_named(name)
        for search, arguments in calls(game.initial()).items():
            run = kernel(search, game)
            run.prepare(*arguments)
            if run.why_plain:
                raise SystemExit(f"No table is written: {search.__name__} of {name} runs plain. {run.why_plain}")
