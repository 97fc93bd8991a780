"""Answers of a search to a grader's questions, as plain Python, here or at the end of a pipe.

`python -m plyground.laws.answering SEARCH FILE…` reads a line of JSON for each question and writes one for each answer
(`grading/search_process.py`); of the files beside the search it imports none but those named. It knows no right answer
and gives no points. A line of an answer repeats the question's secret, so none can be written before its question.
"""

import io
import json
import operator
import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, redirect_stdout
from dataclasses import asdict, dataclass, field
from functools import partial
from inspect import iscoroutine
from numbers import Integral, Real
from pathlib import Path
from typing import Any, Protocol

from plyground.errors import BadInput, InputRequested, no_input, value_text
from plyground.faults import error_words, own_fault, user_place
from plyground.games import game_named
from plyground.laws.searches.games import IllegalPlay, cache_rules
from plyground.laws.searches.memory import ModuleData
from plyground.laws.searches.recording import EdgeNames, FullRecording, Misreported, rows_of
from plyground.laws.simulations.games import LineGame, LineQuestion, tree_from_lists
from plyground.position import Position
from plyground.rules import Game
from plyground.search import algorithm_named
from plyground.search.algorithm import Algorithm, Query
from plyground.search.observer import Counting, Recording, Stopped
from plyground.search.own_simulations import SIMULATION_NAMES, move_in_answer, run_simulations
from plyground.spec.user_modules import import_only
from plyground.timeouts import TimeExceeded, TimeLimit

SECONDS_EACH = 5.0
"""CPU seconds that a search may take for a question."""
ENDLESS_AT_MOST = 4
"""Questions that a search may leave without an end; then no more are asked."""
TREE_NODES = 4_096
"""Nodes of the tree of one of plyground's own Monte Carlo searches."""
MOVES_ARE_ITERATED = "If it has moves there: game.moves(state) is an iterator, and list(game.moves(state)) a list."
LONGEST_SAID = 60
"""Characters of an answer that is none, in a sentence."""


@dataclass(frozen=True)
class SearchReply:
    """Reply of a search to a question."""

    answer: tuple[int, int] | None
    """Value for x and move; None where it gave none."""
    said: str = ""
    """Return value that is no answer, as text."""
    ended: str = ""
    """The mistake that ended it, a key of `MISTAKES`; empty where it returned."""
    words: str = ""
    """Sentence for that mistake, or an observation at the node."""
    nodes: int = 0
    """Nodes entered, in a question whose nodes were only counted."""
    recording: FullRecording = field(default_factory=FullRecording)
    """Its events, where they were recorded."""
    node: int = -1
    """The node at which it ended, as its index in the recording; -1 where none is meant."""


@dataclass(frozen=True)
class SimulationReply:
    """Reply of a Monte Carlo search to a question."""

    lines: tuple[str, ...]
    """Lines that it played to their ends, in their order."""
    move: int | None
    """Its answer; None where it gave none."""
    ended: str = ""
    """The mistake that ended it, a key of `MISTAKES`; empty where it returned."""
    words: str = ""
    """Sentence for that mistake, or on what it returned instead of a move."""
    is_played_on: bool = False
    """Whether it played a move of a finished game."""


class Answers(Protocol):
    """A search as a grader asks it."""

    @property
    def name(self) -> str:
        """Name, as on the command line."""
        ...

    @property
    def takes(self) -> tuple[str, ...]:
        """Names of its parameters after the game."""
        ...

    def asking(self) -> AbstractContextManager[object]:
        """Context in which it can be asked."""
        ...

    def reply(self, game: str, query: Query, most: int, *, recorded: bool, anew: bool = True) -> SearchReply:
        """Run the search on a question.

        Args:
            game: the game's name, as on the command line.
            query: the question.
            most: nodes that it may enter.
            recorded: whether its events are recorded, and not only its nodes counted.
            anew: whether what its file keeps is first made as it was when the file was loaded.
        """
        ...


class AnsweringSearch:
    """A search of this process."""

    def __init__(self, algorithm: Algorithm) -> None:
        self.algorithm = algorithm
        self.name: str = algorithm.name
        self.takes: tuple[str, ...] = algorithm.takes
        self.takes_simulations: bool = any(each in SIMULATION_NAMES for each in algorithm.takes)
        """Whether it is a Monte Carlo search."""
        self._endless = 0
        self._edges: EdgeNames = {}
        self._limit = TimeLimit(SECONDS_EACH)
        self._memory = ModuleData(algorithm.search.__globals__)
        if algorithm.is_own:
            self._memory.keep_copy()

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Context in which questions can be asked: output of the search is dropped, and it has no input."""
        with no_input(), self._limit, redirect_stdout(io.StringIO()):
            yield

    def reply(self, game: str, query: Query, most: int, *, recorded: bool, anew: bool = True) -> SearchReply:
        """Run the search on a question."""
        file = self.algorithm.search.__code__.co_filename
        observer = FullRecording(most, file, type(query.state), self._edges) if recorded else Counting.fresh(most)
        found, ended, words = None, "", ""
        try:
            # Each endless question costs its whole time, and a few of them show the mistake.
            if self._endless >= ENDLESS_AT_MOST:
                raise Stopped
            if anew:
                self._restore()
            run = self.algorithm.prepare_run(query, observer, partial(self.algorithm.search, query.game))
            found = self._limit(run)
        except (Exception, SystemExit, TimeExceeded) as error:
            ended, words = self._classify_error(
                error, observer if isinstance(observer, FullRecording) else None, recorded=recorded
            )
        answer = _answer_pair(found)
        said = value_text(found) if answer is None and not ended else ""
        if isinstance(observer, FullRecording):
            return SearchReply(answer, said, ended, words, len(observer.nodes), observer)
        return SearchReply(answer, said, ended, words, observer.nodes)

    def walk(self, asked: LineQuestion) -> SimulationReply:
        """Run a Monte Carlo search on a question."""
        game, found, ended, words = LineGame(asked), None, "", ""
        query = Query(game, game.initial(), seed=asked.seed, entries=TREE_NODES)
        try:
            if self._endless >= ENDLESS_AT_MOST:
                raise Stopped
            self._restore()
            observer = Counting.fresh(asked.simulations)
            run = self.algorithm.prepare_run(query, observer, partial(self.algorithm.search, game))
            found = self._limit(run_simulations, run) if self.algorithm.is_own else self.algorithm.answer(run).move
        except (Exception, SystemExit, TimeExceeded) as error:
            ended, words = self._classify_error(error, recorded=True)
        move = move_in_answer(found)
        if move is None and not ended:
            words = f"The search gives {value_text(found)}: it should give the share of x and the move."
        return SimulationReply(tuple(game.lines), move, ended, words, game.is_played_on)

    def _classify_error(
        self, error: BaseException, recording: Recording | None = None, *, recorded: bool
    ) -> tuple[str, str]:
        """Classify the error that ended a search: a key of `MISTAKES`, and a sentence.

        Of spent node budgets only those of recorded searches count towards `ENDLESS_AT_MOST`.
        """
        if isinstance(error, RecursionError | Stopped):
            self._endless += recorded
            return "without end", ""
        if isinstance(error, TimeExceeded):
            self._endless += 1
            return "too long", ""
        place = user_place(error)
        where = f"{place}: " if place else ""
        if isinstance(error, IllegalPlay):
            # A move that the search has answered elsewhere comes from a memory of its own: a killer or a table.
            is_known = recording is not None and any(node.best == error.move for node in recording.nodes)
            kind = "goes on" if error.is_over else "killer" if is_known else "illegal play"
            return kind, f"{where}{error}"
        if isinstance(error, Misreported):
            return "misreported", f"{where}{error}"
        if isinstance(error, InputRequested):
            return "fails", f"{where}it asks for input, and there is none."
        said = str(own_fault(error, self.algorithm.search) or f"{where}{error_words(error)}.")
        is_of_moves = isinstance(error, TypeError) and "tuple_iterator" in str(error)
        return "fails", f"{said} {MOVES_ARE_ITERATED}" if is_of_moves else said

    def _restore(self) -> None:
        """Restore the data of the search's file as they were when it was loaded; plyground's own keep none."""
        if self.algorithm.is_own:
            self._memory.restore_copy()


def _answer_pair(found: object) -> tuple[int, int] | None:
    """Return an answer if it is a pair of ints, else None."""
    if iscoroutine(found):
        found.close()  # so that Python does not warn that nobody has waited for it
    if isinstance(found, tuple) and len(found) == 2 and all(isinstance(each, int) for each in found):
        return int(found[0]), int(found[1])
    return None


# -- the other side of the pipe ---------------------------------------------------------------------------------------


def main() -> None:
    """Answer questions from standard input on standard output, with the search's own streams led nowhere."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    # The descriptors too, so that what the search prints or reads, and what C code prints, never mixes with answers.
    for stream in range(3):
        os.dup2(null, stream)

    def send(message: dict[str, Any]) -> None:
        left = memoryview(json.dumps(message, default=_plain_value).encode() + b"\n")
        # A pipe may take less than is written at once.
        while left:
            left = left[os.write(answers, left) :]

    # Read before the search's file is imported, which could read it otherwise.
    secret = json.loads(questions.readline())
    import_only(map(Path, sys.argv[2:]))
    try:
        search = AnsweringSearch(algorithm_named(sys.argv[1]))
    except BadInput as fault:
        send({"secret": secret, "refused": str(fault)})
        return
    send({"secret": secret, "name": search.name, "takes": search.takes, "takes_simulations": search.takes_simulations})
    games: dict[str, Game[Any]] = {}
    with search.asking():
        for line in questions:
            asked = json.loads(line)
            if walked := asked.get("walk"):
                send(
                    asdict(search.walk(LineQuestion(**walked | {"ends": tree_from_lists(walked["ends"])})))
                    | {"secret": asked["secret"]}
                )
                continue
            game = games[asked["game"]] = games.get(asked["game"]) or cache_rules(game_named(asked["game"]))
            state, (alpha, beta) = Position.parse(game, asked["position"]).state, asked["window"]
            query = Query(game, state, asked["depth"], asked["prefer_shorter"], 0, alpha, beta)
            reply = search.reply(asked["game"], query, asked["most"], recorded=asked["recorded"], anew=asked["anew"])
            said = {"answer": reply.answer, "said": reply.said, "ended": reply.ended, "words": reply.words}
            send(said | {"secret": asked["secret"], "nodes": reply.nodes, "rows": rows_of(reply.recording)})
    os._exit(0)  # waits for no thread of the search


def _plain_value(value: object) -> object:
    """Convert a value without a form in JSON: a number of another library to a number, others to their text."""
    if isinstance(value, Real) and not isinstance(value, Integral):
        return float(value)
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return repr(value)[:LONGEST_SAID]


if __name__ == "__main__":
    main()
