"""Record of a user's Monte Carlo search: a function of a state and a number of simulations."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Final

from plyground.errors import BadInput, value_text
from plyground.score import Score
from plyground.search.algorithm import NO_ANSWER, Algorithm, Answer, Query, Run
from plyground.search.observer import BUDGET, Stopped

SIMULATION_NAMES: Final = ("simulations", "iterations", "playouts", "rollouts")
"""Names for the number of simulations; a search with such a parameter is a Monte Carlo search."""
GIVEN_PARAMETERS: Final = ("observer", "state", "seed", *SIMULATION_NAMES)
"""Parameters that it is given after the game; others have defaults."""
EXPECTED_SIGNATURE: Final = (
    "A Monte Carlo search takes game, state and simulations, and, if it wants them, observer and seed; what else it "
    "takes has a default."
)


def takes_simulations(search: Callable[..., Any]) -> bool:
    """Whether a function has a parameter for the number of simulations."""
    return any(name in SIMULATION_NAMES for name in inspect.signature(search).parameters)


def of_simulations(search: Callable[..., Any], name: str) -> Algorithm:
    """Record of a user's Monte Carlo search, read from its parameters.

    Args:
        search: `search(game, observer, state, simulations, seed=0, …)`, which gives the share of x in the results, from
            0 to 1, and the move.
        name: what it is called.

    Raises:
        BadInput: it is async or a generator, or has a parameter that is not known and has no default.
    """
    for is_kind, words in NO_ANSWER.items():
        if is_kind(search):
            raise BadInput(f"{name} is no search: {words}.")
    (first, _), *others = inspect.signature(search).parameters.items()
    unknown = [key for key, each in others if key not in GIVEN_PARAMETERS and each.default is each.empty]
    if first != "game" or unknown or "state" not in dict(others):
        wrong = f"cannot be given {', '.join(unknown)}" if unknown else "takes no game first, or no state"
        raise BadInput(f"{name} is no search: it {wrong}. {EXPECTED_SIGNATURE}")
    defaults = {key: each.default for key, each in others if key not in GIVEN_PARAMETERS}

    def room(query: Query) -> Mapping[str, Any]:
        # All four names, of which `prepare_run` takes those that the search has; the number itself is known when it
        # runs.
        return {"seed": query.seed, **defaults, **dict.fromkeys(SIMULATION_NAMES, 0)}

    title = name.rpartition(":")[2]
    is_random = "seed" in dict(others)
    return Algorithm(name, title, search, room=room, answer=_answer_of_run, is_random=is_random, is_own=True)


def run_simulations(run: Run) -> Any:
    """Run such a search with as many simulations as its observer allows nodes; returns its answer."""
    counting: Any = run.observer
    # The observer's budget is the only place where a number of nodes is kept, so it doubles as the number of
    # simulations.
    simulations = int(counting.counts[BUDGET])
    if simulations <= 0:
        raise Stopped
    counting.allow(1 << 62)  # it may report each node of a walk, and ends by its own count
    return run(**{name: simulations for name in SIMULATION_NAMES if name in run.named})


def move_in_answer(found: object) -> int | None:
    """The move of what such a search returns, a share and a move or the move alone; None where it is neither."""
    move = found[1] if isinstance(found, tuple | list) and len(found) == 2 else found
    return int(move) if isinstance(move, int) and not isinstance(move, bool) else None


def _answer_of_run(run: Run) -> Answer:
    found = run_simulations(run)
    move = move_in_answer(found)
    share = found[0] if move is not None and isinstance(found, tuple | list) else None
    if move is None or not isinstance(share, int | float) or not 0 <= share <= 1:
        what = "a Monte Carlo search gives the share of x in its results, from 0 to 1, and the move"
        raise BadInput(f"{run.algorithm.name} gives {value_text(found)}: {what}.")
    return Answer(Score(share=round(share, 4)), move)
