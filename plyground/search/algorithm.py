"""Algorithms: a search with the data needed to run it, compare it, record it and show it.

A search is a plain function; beside it stands its record, an `Algorithm`. Code that runs searches reads
that record and nothing else, so a new search is a file with both, and a row in the list of `search/__init__.py`; or a
function in a file of one's own, which gets its record from `of_function`.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from plyground.errors import BadInput, value_text
from plyground.in_pages import in_pages
from plyground.rules import Game
from plyground.score import ESTIMATES, INFINITY, Score
from plyground.search.history import Remembering, with_history
from plyground.search.observer import Counting, Observer


# One record for all algorithms in place of a parameter list for each: callers fill in what they know, and an algorithm
# without a window or a seed never reads the field.
@dataclass(frozen=True)
class Query:
    """Question to a search about one state. An algorithm uses the fields that it has parameters for."""

    game: Game[Any]
    state: Any
    depth: int = 1
    """Plies to look ahead."""
    prefer_shorter: bool = True
    """Prefer the shorter win and the longer loss."""
    ply: int = 0
    """Plies made since the root."""
    alpha: int = -INFINITY
    """Lower edge of the window: the value that MAX already has elsewhere."""
    beta: int = INFINITY
    """Upper edge of the window: the value that MIN already has elsewhere."""
    seed: int = 0
    """Seed of the random games."""
    ends: tuple[Any, ...] = ()
    """States that end the game when they come once more (`Position.last_times`)."""
    entries: int | None = None
    """Most entries of a transposition table; None for the algorithm's own size."""


@dataclass(frozen=True)
class Answer:
    """Result of a search."""

    score: Score
    """Score of the state, from the first player's side."""
    move: int
    """Best move; `NO_MOVE` when the game is over or none is known."""
    moves: tuple[tuple[int, Score], ...] = ()
    """Each move with a score of its own, where the search gives every move one."""


@dataclass(frozen=True)
class Run:
    """A search with its arguments, about to run: calling it searches.

    `function` is the search bound to the game, at any speed: `kernel(algorithm.search, game)` or plain Python.
    """

    algorithm: "Algorithm"
    function: Callable[..., Any]
    query: Query
    observer: Observer
    named: Mapping[str, Any]
    """Arguments by the names of the search's parameters, without the game."""

    def __call__(self, **others: Any) -> Any:
        # Arguments go by place: compiled code has no parameter names. `named` keeps the order of `Algorithm.takes`.
        return self.function(*({**self.named, **others}[name] for name in self.named))

    @property
    def args(self) -> tuple[Any, ...]:
        """Arguments of `function`."""
        return tuple(self.named.values())


def answer_from_pair(run: Run) -> Answer:
    """Answer of a textbook search, which returns the value for x and the first of the best moves."""
    found = run()
    if not (isinstance(found, tuple) and len(found) == 2 and all(isinstance(each, int) for each in found)):
        what = "a search gives its value for x and the best move, two ints"
        raise BadInput(f"{run.algorithm.name} gives {value_text(found)}: {what}.")
    value, move = found
    # No evaluation at the horizon means that every line was seen to its end, so the value is exact; this holds for
    # searches that leave out nothing but what alpha-beta may (`find_answer` takes care of the others).
    return Answer(score_query(run.query, value, run.observer.evaluations == 0), move)  # type: ignore[union-attr]


def no_arguments(query: Query) -> Mapping[str, Any]:
    """No further arguments: a textbook search needs no scratch memory."""
    return {}


@dataclass(frozen=True)
class Algorithm:
    """A search and its description.

    >>> from plyground.search import algorithm_named
    >>> algorithm_named("alphabeta").title, algorithm_named("alphabeta").takes[:3]
    ('alpha-beta', ('observer', 'state', 'depth'))
    """

    name: str
    """Name in commands and specs: `alphabeta`."""
    title: str
    """Name in tables and sentences: `alpha-beta`."""
    search: Callable[..., Any]
    """The function that searches. Its parameters are `game`, `observer`, `state`, then any of `depth`, `alpha`, `beta`,
    `prefer_shorter` and `ply` in any order, and what `room` gives."""
    pseudocode: tuple[tuple[str, str], ...] = ()
    """Its lines, each with the kind of step at which it acts, or nothing: a node is entered (`enter`), ended (`leaf`,
    `horizon`), a value comes back (`back`) or is not shown (`hidden`), the other moves are cut off (`cut`)."""
    is_recorded: bool = False
    """Whether each of its nodes has one value, so that it can be recorded as a tree."""
    is_random: bool = False
    """Whether it takes a seed."""
    room: Callable[[Query], Mapping[str, Any]] = no_arguments
    """Makes the further arguments of the function, by the names of its parameters, for each search."""
    answer: Callable[[Run], Answer] = answer_from_pair
    """Runs the search and returns its answer."""
    looks_back: bool = False
    """Whether the search itself detects repetitions; for others the states keep their history (`history.py`)."""
    is_own: bool = False
    """Whether it is a user's, from a file: its errors are shown to its author."""
    is_selective: bool = True
    """Whether it may leave out moves that matter, or search them less deep: then an end that it finds is no proof, and
    counts as an estimate. Assumed where a record does not say that it leaves nothing out."""

    @cached_property
    def takes(self) -> tuple[str, ...]:
        """Names of the search's parameters after the game, in their order; without `*rest` and those after it."""
        return tuple(each.name for each in _positional_parameters(self.search)[1:])

    @cached_property
    def own_defaults(self) -> Mapping[str, Any]:
        """Values of the parameters that only the search itself knows, such as `maximizing=True`."""
        return {
            each.name: each.default for each in _positional_parameters(self.search) if each.default is not each.empty
        }

    @property
    def looks_ahead(self) -> bool:
        """Whether the search has a depth, so that it can be compared with others depth by depth."""
        return "depth" in self.takes

    @property
    def has_window(self) -> bool:
        """Whether the search has a window, alpha and beta."""
        return "alpha" in self.takes

    def seeing(self, query: Query) -> Query:
        """Query whose game ends at repetitions: `Remembering` around it, unless the search looks back by itself."""
        game = query.game
        if not game.repetition or self.looks_back or isinstance(game, Remembering):
            return query
        return replace(query, game=Remembering(game), state=with_history(game, query.state, query.ends))

    def prepare_run(self, query: Query, observer: Observer, function: Callable[..., Any]) -> Run:
        """Run of the search with all its arguments in their places, ready to be called.

        Args:
            query: the question.
            observer: the observer of its events.
            function: `search` bound to the query's game, compiled or plain.
        """
        if "prefer_shorter" not in self.takes:
            query = replace(query, prefer_shorter=False)
        known = {
            **self.own_defaults,
            "observer": observer,
            "state": query.state,
            "depth": query.depth,
            "alpha": query.alpha,
            "beta": query.beta,
            "prefer_shorter": int(query.prefer_shorter),
            "ply": query.ply,
            **self.room(query),
        }
        return Run(self, function, query, observer, {name: known[name] for name in self.takes})

    def find_answer(self, run: Run) -> Answer:
        """Answer of a run; every score of a selective search is an estimate, ends too."""
        found = self.answer(run)
        if not self.is_selective:
            return found
        return Answer(
            found.score.as_estimate, found.move, tuple((move, score.as_estimate) for move, score in found.moves)
        )

    def try_plain(self, game: Game[Any], state: Any, depth: int) -> tuple[int, int]:
        """Value of a state for x, and nodes entered, by the search as plain Python without `prefer_shorter`."""
        observer = Counting.fresh()
        value, _ = self.prepare_run(
            Query(game, state, depth, prefer_shorter=False), observer, partial(self.search, game)
        )()
        return value, observer.nodes


_OPTIONAL = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def _positional_parameters(search: Callable[..., Any]) -> list[inspect.Parameter]:
    """Parameters of a search that are given by their places."""
    found = inspect.signature(search).parameters.values()
    return [each for each in found if each.kind <= inspect.Parameter.POSITIONAL_OR_KEYWORD]


PARAMETERS = ("observer", "state", "depth", "alpha", "beta", "prefer_shorter", "ply")
"""Parameters that a user's search may have after the game."""

NO_ANSWER: dict[Callable[[object], bool], str] = {
    inspect.iscoroutinefunction: "it is an async function; write def, not async def",
    inspect.isasyncgenfunction: "it is an async function; write def, not async def",
    inspect.isgeneratorfunction: "it yields; give the value and the move by return",
}
"""Kinds of functions that return no answer when called, and the correction of each."""


def of_function(search: Callable[..., Any], name: str) -> Algorithm:
    """Record of a user's search, read from its parameters; its pseudocode is its source.

    Args:
        search: `search(game, observer, state, depth, …)`, which gives its value for x and the best move.
        name: what it is called.

    Raises:
        BadInput: it is async or a generator, has a parameter that is not known and has no default, or no depth.
    """
    # Asked first: the signature of a coroutine function looks right, and the fault would show as a strange value at the
    # first search.
    for is_kind, words in NO_ANSWER.items():
        if is_kind(search):
            raise BadInput(f"{name} is no search: {words}.")
    parameters = list(inspect.signature(search).parameters.values())
    first, *others = [each.name for each in parameters] or [""]
    wanted = [each for each in parameters[1:] if each.default is each.empty and each.kind not in _OPTIONAL]
    # A parameter by keyword only is unknown as well, because arguments are given by their places.
    unknown = [each.name for each in wanted if each.name not in PARAMETERS or each.kind is each.KEYWORD_ONLY]
    missing = [each for each in ("observer", "state", "depth") if each not in others]
    if first != "game" or unknown or missing:
        wrong = f"cannot be given {', '.join(unknown)}" if unknown else f"takes no {', '.join(missing) or 'game first'}"
        raise BadInput(
            f"{name} is no search: it {wrong}. A search takes game, observer, state and depth, and, if it wants them, "
            "alpha, beta, prefer_shorter and ply; others need a default."
        )
    title = name.rpartition(":")[2]
    return Algorithm(name, title, search, _source_lines(search), is_recorded=True, is_own=True)


_ACTS = {f".{act}(": act for act in ("enter", "leaf", "horizon", "cut")}


def _source_lines(search: Callable[..., Any]) -> tuple[tuple[str, str], ...]:
    """Lines of the source, each with its kind of step, found by the calls of its observer or of itself."""
    try:
        head, *lines = inspect.getsource(search).rstrip().splitlines()
    except OSError:  # typed in where no text is kept
        return ()
    # The name of the search itself marks a recursive call, so its line shows where a child's value comes back.
    acts = _ACTS | {f"{search.__name__}(": "back"}
    return ((head, ""), *((line, next((act for call, act in acts.items() if call in line), "")) for line in lines))


# -- what values mean -------------------------------------------------------------------------------------------------


def score_query(query: Query, value: int, known: bool) -> Score:
    """Score of a search to the query's depth, by its value and whether no static evaluation entered it."""
    return searched_score(query.game, query.state, query.depth, value, known, query.prefer_shorter)


@in_pages
def searched_score(
    game: Game[Any], state: Any, depth: int, value: int, known: bool, prefer_shorter: bool = True
) -> Score:
    """Score of a value that a search from a state to a depth has found.

    A forced win is certain, but a larger or a sooner one may exist beyond the horizon. None is larger than the
    bounds allow; and of the largest, one within the depth is the soonest.
    """
    if abs(value) < ESTIMATES:
        return Score(0) if known and value == 0 else Score(points=value)
    score = Score.of(value, prefer_shorter=prefer_shorter)
    # A value within the depth is the soonest win of its size only if no larger one can exist: the bounds say whether
    # one can.
    low, high = game.bounds(state)
    is_largest = score.utility == (high if value > 0 else low)
    if known or (is_largest and score.plies is not None and score.plies <= depth):
        return score
    return Score(score.utility, bound=not is_largest)


def winner_score(query: Query, side: int) -> Score:
    """Score of a value that says only who wins: 1 for x, -1 for o, 0 for a draw."""
    low, high = query.game.bounds(query.state)
    return Score(side, bound=bool(side) and not -1 <= low <= high <= 1)
