"""Grades in a notebook: of a function in a cell, as text, points and HTML."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from plyground.errors import BadInput, check_arguments
from plyground.search import algorithm_named
from plyground.search.algorithm import of_function

if TYPE_CHECKING:
    from plyground.grading.forms import GradeReport


@check_arguments
def grade(
    search: Callable[..., Any] | str, *, exercise: str = "", most_nodes: str = "", seed: int = 0
) -> "GradeReport":
    """Grade a search as `plyground grade` does; it runs in this process.

    >>> from plyground.search.minimax import minimax
    >>> graded = grade(minimax)
    >>> graded.points, graded.score, graded.likely
    (75, '75 of 75', 'No mistake was found.')

    Args:
        search: a function `search(game, observer, state, depth, …)`, `path/to/file.py:function`, or the name of a
            search of plyground.
        exercise: `minimax`, `alphabeta` or `mcts`; by default what its parameters say.
        most_nodes: a limit of nodes, as `"connectfour 6 5000"`: the game, the depth and the nodes.
        seed: of the random positions.

    Raises:
        BadInput: it is no search, or there is no such exercise or limit.
    """
    # Imported where a search is graded: it also loads what runs programs, which `import plyground` need not.
    from plyground.grading import forms
    from plyground.grading.grade import EXERCISES, Scheme
    from plyground.grading.node_limit import node_limit
    from plyground.grading.simulations.grade import grade_any_search
    from plyground.laws.answering import AnsweringSearch

    if exercise not in EXERCISES:
        raise BadInput(f"exercise={exercise!r}: {', '.join(filter(None, EXERCISES))}.")
    if isinstance(search, str):
        algorithm = algorithm_named(search)
    else:
        algorithm = of_function(search, getattr(search, "__name__", "search"))
    scheme = Scheme(most_nodes=node_limit(most_nodes))
    return forms.report(grade_any_search(AnsweringSearch(algorithm), EXERCISES[exercise], scheme, seed))
