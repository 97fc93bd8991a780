"""The searches, one idea a file, each written as its textbook has it, and the one list of them."""

from collections.abc import Callable
from functools import lru_cache
from inspect import signature

from plyground.search.algorithm import Algorithm, of_function
from plyground.search.alphabeta import ALPHABETA
from plyground.search.mcts import monte_carlo
from plyground.search.minimax import MINIMAX
from plyground.search.ordered import ORDERED
from plyground.search.own_simulations import of_simulations, takes_simulations
from plyground.search.proof import proof_number
from plyground.search.pvs import principal_variation
from plyground.spec import Choice, Family, is_own


def _maker(found: object, name: str) -> Callable[..., Algorithm] | None:
    if isinstance(found, Algorithm):
        return lambda: found
    if isinstance(found, type) or not callable(found):
        return None
    is_search = next(iter(signature(found).parameters), "") == "game"
    return _record_maker(found, name) if is_search else None


@lru_cache(maxsize=256)
def _record_maker(search: Callable[..., object], name: str) -> Callable[[], Algorithm]:
    """Maker of the record of a function, the same record at each call, so that its compiled code is found again."""
    made: list[Algorithm] = []

    def maker() -> Algorithm:
        if not made:
            made.append((of_simulations if takes_simulations(search) else of_function)(search, name))
        return made[0]

    return maker


PVS = (
    "principal variation search (PVS), a negamax with null windows, ordered moves and a transposition table, of "
    "pvs:table=64 MiB; the engine deepens it ply by ply (iterative deepening)"
)

ALGORITHMS: Family[Algorithm] = Family(
    "algorithm",
    "plyground.searches",
    (
        Choice("minimax", lambda: MINIMAX, "every line to the depth"),
        Choice("alphabeta", lambda: ALPHABETA, "leaves out what cannot matter"),
        Choice("ordered", lambda: ORDERED, "alpha-beta that tries promising moves first"),
        Choice("pvs", principal_variation, PVS),
        Choice("mcts", monte_carlo, "random games where they go well: mcts:exploration=1.4,tree=256"),
        Choice("proof", proof_number, "who can force a win, by what is easiest to prove: proof:table=64"),
    ),
    _maker,
    "a search: a function of game, observer, state and depth, or of game, state and simulations",
)
"""Every search, in the order in which they are offered."""


def algorithm_named(text: str) -> Algorithm:
    """The algorithm that a text names: one of `ALGORITHMS`, or `path/to/file.py:function`, a search of one's own.

    >>> algorithm_named("minimax").title
    'minimax'

    Raises:
        BadInput: there is no such algorithm, file, function or option; the function is no search.
    """
    return ALGORITHMS.make(text)


def is_algorithm(text: str) -> bool:
    """Whether a text names an algorithm, and not a position: where either may stand."""
    name = text.partition(":")[0]
    return (
        is_own(text) or name in ALGORITHMS.package_entries or any(choice.name == name for choice in ALGORITHMS.shipped)
    )
