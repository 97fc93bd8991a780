"""An algorithm: a search with all that others must know to run it, compare it, record it and show it.

A search is a function that anybody can read and call; beside it stands its `Algorithm`. Whoever runs searches reads
that record and nothing else, so a new search is a file with both, and a row in the list of `search/__init__.py`; or a
function in a file of one's own, which gets its record from `of_function`.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from plyground.errors import BadInput
from plyground.rules import Game
from plyground.score import ESTIMATES, INFINITY, Score
from plyground.search.remembering import Remembering, remembered
from plyground.search.watch import Counting, Watcher


@dataclass(frozen=True)
class Query:
    """What a search is asked about one state. An algorithm takes of it what it knows."""

    game: Game[Any]
    state: Any
    depth: int = 1
    """Plies to look ahead."""
    hurry: bool = True
    """Prefer the sooner win and the later loss."""
    ply: int = 0
    """Plies made since the root."""
    alpha: int = -INFINITY
    """What MAX already has elsewhere."""
    beta: int = INFINITY
    """What MIN already has elsewhere."""
    seed: int = 0
    """Of random games."""
    ends: tuple[Any, ...] = ()
    """What ends the game when it comes once more (`Position.last_times`)."""
    entries: int | None = None
    """Places of a transposition table at most; None for as many as the algorithm is made for."""


@dataclass(frozen=True)
class Answer:
    """What a search has found out."""

    score: Score
    """Of the state, from the first player's side."""
    move: int
    """The move that gets it; `NO_MOVE` when the game is over or none is known."""
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
    watch: Watcher
    named: Mapping[str, Any]
    """The arguments by the names of the search's parameters, the game left out."""

    def __call__(self, **others: Any) -> Any:
        return self.function(*({**self.named, **others}[name] for name in self.named))

    @property
    def args(self) -> tuple[Any, ...]:
        """What `function` is called with."""
        return tuple(self.named.values())


def of_pair(run: Run) -> Answer:
    """The answer of a textbook search, which gives its value for x and the first of the best moves."""
    found = run()
    if not (isinstance(found, tuple) and len(found) == 2 and all(isinstance(each, int) for each in found)):
        what = "a search gives its value for x and the best move, two ints"
        raise BadInput(f"{run.algorithm.name} gives {found!r}: {what}.")
    value, move = found
    return Answer(scored(run.query, value, run.watch.opinions == 0), move)  # type: ignore[union-attr]


def nothing_more(query: Query) -> Mapping[str, Any]:
    """A textbook search needs no room of its own."""
    return {}


@dataclass(frozen=True)
class Algorithm:
    """A search and what others must know of it."""

    name: str
    """As it is written on the command line."""
    title: str
    """For people."""
    search: Callable[..., Any]
    """The function that searches. Its parameters are `game`, `watch`, `state`, then any of `depth`, `alpha`, `beta`,
    `hurry` and `ply` in any order, and what `room` gives."""
    pseudocode: tuple[tuple[str, str], ...] = ()
    """Its lines, each with the kind of step at which it acts, or nothing: a node is entered (`enter`), ended (`leaf`,
    `horizon`), a value comes back (`back`) or is not shown (`hidden`), the other moves are cut off (`cut`)."""
    is_recorded: bool = False
    """Whether each of its nodes has one value, so that it can be recorded as a tree."""
    is_random: bool = False
    """Whether it takes a seed."""
    room: Callable[[Query], Mapping[str, Any]] = nothing_more
    """What else its function takes, by the names of its parameters, made anew for each search."""
    answer: Callable[[Run], Answer] = of_pair
    """Runs it and says what it has found."""
    looks_back: bool = False
    """Whether it sees by itself where a state comes again; for others the states remember it (`remembering.py`)."""
    is_own: bool = False
    """Whether it stands in somebody's own file, so that what goes wrong in it is its author's to see."""

    @cached_property
    def takes(self) -> tuple[str, ...]:
        """The names of its parameters after the game, in their order."""
        return tuple(inspect.signature(self.search).parameters)[1:]

    @property
    def looks_ahead(self) -> bool:
        """Whether it looks to a depth, so that it can be compared with others depth by depth."""
        return "depth" in self.takes

    @property
    def has_window(self) -> bool:
        """Whether it keeps what both sides already have elsewhere."""
        return "alpha" in self.takes

    def seeing(self, query: Query) -> Query:
        """The query in the form in which this search sees where a state comes again."""
        game = query.game
        if not game.repetition or self.looks_back or isinstance(game, Remembering):
            return query
        return replace(query, game=Remembering(game), state=remembered(game, query.state, query.ends))

    def asked(self, query: Query, watch: Watcher, function: Callable[..., Any]) -> Run:
        """It as a run, ready to be called.

        Args:
            query: what it is asked.
            watch: is told what it does.
            function: `search` bound to the query's game, compiled or plain.
        """
        if "hurry" not in self.takes:
            query = replace(query, hurry=False)
        known = {
            "watch": watch,
            "state": query.state,
            "depth": query.depth,
            "alpha": query.alpha,
            "beta": query.beta,
            "hurry": int(query.hurry),
            "ply": query.ply,
            **self.room(query),
        }
        return Run(self, function, query, watch, {name: known[name] for name in self.takes})

    def tried(self, game: Game[Any], state: Any, depth: int) -> tuple[int, int]:
        """What it finds as plain Python, without `hurry`: the value of a state for x, and how many nodes it enters."""
        watch = Counting.fresh()
        value, _ = self.asked(Query(game, state, depth, hurry=False), watch, partial(self.search, game))()
        return value, watch.nodes


PARAMETERS = ("watch", "state", "depth", "alpha", "beta", "hurry", "ply")
"""What a search of one's own may take, after the game."""


def of_function(search: Callable[..., Any], name: str) -> Algorithm:
    """The record of a search of one's own: what it takes is read from its parameters, its pseudocode is its text.

    Args:
        search: `search(game, watch, state, depth, …)`, which gives its value for x and the best move.
        name: what it is called.

    Raises:
        BadInput: it takes something that nobody can give it, or no depth.
    """
    first, *others = list(inspect.signature(search).parameters) or [""]
    unknown = [each for each in others if each not in PARAMETERS]
    missing = [each for each in ("watch", "state", "depth") if each not in others]
    if first != "game" or unknown or missing:
        wrong = f"cannot be given {', '.join(unknown)}" if unknown else f"takes no {', '.join(missing) or 'game first'}"
        raise BadInput(
            f"{name} is no search: it {wrong}. A search takes game, watch, state and depth, and, if it wants them, "
            "alpha, beta, hurry and ply."
        )
    title = name.rpartition(":")[2]
    return Algorithm(name, title, search, _own_lines(search), is_recorded=True, is_own=True)


_ACTS = {"watch.enter(": "enter", "watch.leaf(": "leaf", "watch.horizon(": "horizon", "watch.cut(": "cut"}


def _own_lines(search: Callable[..., Any]) -> tuple[tuple[str, str], ...]:
    """Its text, each line with the step that it is: by what it tells its watcher, or by calling itself."""
    try:
        head, *lines = inspect.getsource(search).rstrip().splitlines()
    except OSError:  # typed in where no text is kept
        return ()
    acts = _ACTS | {f"{search.__name__}(": "back"}
    return ((head, ""), *((line, next((act for call, act in acts.items() if call in line), "")) for line in lines))


# -- what values mean -------------------------------------------------------------------------------------------------


def scored(query: Query, value: int, known: bool) -> Score:
    """What a search to the query's depth has found out, by its value and whether no opinion entered it.

    A forced win is one, whatever was not seen, but there may be a larger one, or a sooner one. None is larger than the
    bounds allow; and of the largest ones, one that is no farther away than was looked is the soonest.
    """
    if abs(value) < ESTIMATES:
        return Score(0) if known else Score(points=value)
    score = Score.of(value, hurry=query.hurry)
    assert score.utility is not None
    largest = score.utility == query.game.bounds(query.state)[score.utility > 0]
    if known or (largest and score.plies is not None and score.plies <= query.depth):
        return score
    return Score(score.utility, bound=not largest)


def won(query: Query, side: int) -> Score:
    """The score where only who wins is known: 1 for x, -1 for o, 0 for a draw."""
    low, high = query.game.bounds(query.state)
    return Score(side, bound=bool(side) and not -1 <= low <= high <= 1)
