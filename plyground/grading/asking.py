"""Questions put to a search of a file, as plain Python: its answer, its recording, and what ended it."""

import io
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass, field
from functools import partial
from inspect import iscoroutine
from itertools import islice
from typing import Any

from plyground.errors import InputRequested, no_input, value_text
from plyground.faults import in_words, own_fault, own_place
from plyground.grading.questions import SearchQuestion, reference_of
from plyground.laws.search_facts import reported_pair, reports_the_mover
from plyground.laws.search_laws import HeldSearch, SearchBreach
from plyground.laws.search_mistakes import MISTAKES
from plyground.laws.search_recording import FullRecording, Misreported
from plyground.microscope.columns import brief
from plyground.rules import MIN
from plyground.score import final
from plyground.search.algorithm import Algorithm, Query, Run
from plyground.search.observer import Counting, Observer, Stopped
from plyground.timeouts import TimeExceeded, TimeLimit

NODES_EACH = 1_000
"""Most nodes that a search may enter for a question; minimax enters some 200 in the largest."""
NODES_A_GAME = 20_000
"""Most nodes that a search may enter for a move of a game."""
ENDLESS_AT_MOST = 4
"""Questions that a search may leave without an end; then no more are asked."""
BREACHES_EACH = 20
"""Breaches of one question that are looked at."""
SECONDS_EACH = 5.0
"""CPU seconds that a search may take for a question."""


@dataclass
class Asked:
    """Answer of a search to a question, and the recording of it."""

    question: SearchQuestion
    answer: tuple[int, int] | None
    """Value for x and move; None where it gave none."""
    held: HeldSearch
    breaches: list[SearchBreach]
    """Laws that it breaks, in the order of events."""

    @property
    def nodes(self) -> int:
        """Nodes entered in all."""
        return len(self.held.nodes)

    @property
    def truth(self) -> int:
        """Minimax's value."""
        value = self.held.truth(self.question.position.state, self.question.depth, 0)
        assert value is not None
        return value

    @property
    def is_right(self) -> bool:
        """Whether the value is minimax's, or within the given window a bound of it."""
        if self.answer is None:
            return False
        (value, _), truth, (low, high) = self.answer, self.truth, self.question.window
        return value == truth or truth <= value <= low or truth >= value >= high


@dataclass
class Pupil:
    """A search that is asked questions. What it keeps in its file's variables is as it was before each of them."""

    algorithm: Algorithm
    prefer_shorter: bool = False
    negamax: bool | None = None
    """Whether it reports the mover's values; None: not known yet."""
    _endless: int = 0
    _limit: TimeLimit = field(default_factory=lambda: TimeLimit(SECONDS_EACH))
    _kept: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        space = self.algorithm.search.__globals__
        self._kept = {
            name: each.copy()
            for name, each in space.items()
            if isinstance(each, dict | list | set) and not name.startswith("__")
        }

    @contextmanager
    def at_school(self) -> Iterator["Pupil"]:
        """Within it questions can be asked; what the search prints is dropped, and it can read nothing."""
        with no_input(), self._limit, redirect_stdout(io.StringIO()):
            self.prefer_shorter = "prefer_shorter" in self.algorithm.takes
            yield self

    def _restore(self) -> None:
        space = self.algorithm.search.__globals__
        for name, was in self._kept.items():
            now = space.get(name)
            if now is not None and type(now) is type(was):
                now.clear()
                (now.extend if isinstance(now, list) else now.update)(was)

    def answer(self, question: SearchQuestion) -> tuple[int, int] | None:
        """Returns the answer to a question, without recording the search; None where it is no answer."""
        return self.counted(question, NODES_A_GAME)[0]

    def counted(self, question: SearchQuestion, most: int) -> tuple[tuple[int, int] | None, int]:
        """Returns the answer to a question, or None after `most` nodes without one, and the number of nodes entered."""
        observer = Counting.fresh(most)
        if self._endless < ENDLESS_AT_MOST:
            try:
                with suppress(Exception, SystemExit):
                    return _pair(self._limit(self._run(question, observer))), observer.nodes
            except TimeExceeded:
                self._endless += 1
        return None, observer.nodes

    def _run(self, question: SearchQuestion, observer: Observer) -> Run:
        """The search, about to be called; what its file keeps is as it was."""
        self._restore()
        alpha, beta = question.window
        game, state = question.position.game, question.position.state
        query = Query(game, state, question.depth, self.prefer_shorter, 0, alpha, beta)
        return self.algorithm.asked(query, observer, partial(self.algorithm.search, game))

    def ask(self, question: SearchQuestion) -> Asked:
        """Put a question, and hold what the search did against the laws."""
        game = question.position.game
        recording = FullRecording(NODES_EACH, self.algorithm.search.__code__.co_filename, type(question.position.state))
        found, ended = None, None
        try:
            if self._endless >= ENDLESS_AT_MOST:
                raise Stopped
            found = self._limit(self._run(question, recording))
        except (Exception, SystemExit, TimeExceeded) as error:
            ended = self._ended(error)
        answer = _pair(found)
        held = HeldSearch(
            game,
            recording,
            question.depth,
            0,
            self.prefer_shorter,
            self.algorithm.has_window,
            question.window,
            reference_of(game, self.prefer_shorter),
            partial(brief, names=game.names),
            self.negamax,
        )
        breaches = list(islice(held.broken(), BREACHES_EACH)) if ended or recording.is_balanced else []
        if ended is None and answer is None:
            ended = breach("no answer", said=value_text(found))
        if ended is None and held.nodes and not recording.is_balanced:  # its nodes say nothing then
            breaches.append(breach("not left" if recording.is_open else "left twice"))
        elif answer is not None:
            breaches += self._answered(question, held, answer)
        elif ended and not (ended.key in ("without end", "fails") and breaches):
            breaches.append(ended)
        return Asked(question, answer, held, breaches)

    def _ended(self, error: BaseException) -> SearchBreach:
        if isinstance(error, RecursionError | Stopped):
            self._endless += 1
            return breach("without end")
        if isinstance(error, TimeExceeded):
            self._endless += 1
            return breach("too long")
        place = own_place(error)
        where = f"{place}: " if place else ""
        if isinstance(error, Misreported):
            return breach("misreported", said=f"{where}{error}")
        if isinstance(error, InputRequested):
            return breach("fails", said=f"{where}it asks for input, and there is none.")
        return breach("fails", said=str(own_fault(error, self.algorithm.search) or f"{where}{in_words(error)}."))

    def _answered(self, question: SearchQuestion, held: HeldSearch, answer: tuple[int, int]) -> Iterator[SearchBreach]:
        """Breaches that only the answer shows."""
        value, move = answer
        pair = reported_pair(held.recording)
        if pair is None:
            yield breach("not reported")
        legal = list(question.position.legal_moves)
        if legal and move not in legal and move != -1:
            yield breach("illegal", 0, seen=f"Its answer is move {move}: none of {legal}.")
        elif question.is_over and move != -1:
            yield SearchBreach(
                "move at the end",
                MISTAKES["move at the end"].words,
                "The game is over here.",
                0,
                (breach("illegal", 0),),
            )
        elif legal and move == -1 and question.is_open:
            yield breach("no move", 0, seen=f"Its answer has the value {held.text(value)}, and no move.")
        if pair is None:
            return
        is_turned = held.is_negamax and question.position.to_move == MIN
        x_value = -pair[0] if is_turned else pair[0]
        if value != x_value:
            seen = f"It reports {held.text(x_value)} and returns {held.text(value)}."
            if value == -x_value:
                yield breach("answer of the mover" if is_turned else "answer negated", 0, seen=seen)
            else:
                yield breach("two answers", 0, seen=seen)
        elif pair[1] != move:
            yield breach("two answers", 0, seen=f"It reports move {pair[1]} and returns move {move}.")


def breach(key: str, node: int = -1, seen: str = "", **more: object) -> SearchBreach:
    """A breach of a law that belongs to no event."""
    return SearchBreach(key, MISTAKES[key].words.format(**more), seen, node)


def _pair(found: object) -> tuple[int, int] | None:
    """An answer, if it is two ints."""
    if iscoroutine(found):
        found.close()  # so that Python does not warn that nobody has waited for it
    if isinstance(found, tuple) and len(found) == 2 and all(isinstance(each, int) for each in found):
        return int(found[0]), int(found[1])
    return None


def learn(pupil: Pupil, asked: list[SearchQuestion]) -> None:
    """Learn how a search reports: whether it counts plies unasked, and whether its values are the mover's."""
    pupil.prefer_shorter = pupil.prefer_shorter or counts_plies(pupil, asked)
    evidence: Counter[tuple[str, str]] = Counter()
    some = [question for question in asked if question.is_open and question.depth in (2, 3)]
    for question in some[:: max(len(some) // 16, 1)]:
        held = pupil.ask(question).held
        evidence += held.evidence if held.recording.is_balanced else Counter()
    pupil.negamax = reports_the_mover(evidence)


def counts_plies(pupil: Pupil, asked: list[SearchQuestion]) -> bool:
    """Whether a search without `prefer_shorter` counts plies all the same: a win in one ply is `final(1, 1)`."""
    for question in asked:
        game = question.position.game
        if question.depth == 1 and question.is_open and not question.is_over:
            truth = reference_of(game, True)(question.position.state, 1, 0)
            if truth in (final(1, 1), final(-1, 1)):
                answer = pupil.ask(question).answer
                return answer is not None and answer[0] == truth
    return False
