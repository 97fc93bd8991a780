"""Grade of a search: named criteria with points, and the mistakes that explain what is missed."""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Literal

from plyground.errors import BadInput
from plyground.grading.asking import Asked, Pupil, breach, learn
from plyground.grading.games_held import GAMES_HELD, GameLost, game_lost
from plyground.grading.node_limit import NodeLimit
from plyground.grading.questions import SearchQuestion, questions, reference_of, sides
from plyground.laws.search_answering import AnsweringSearch, Answers
from plyground.laws.search_games import in_order
from plyground.laws.search_laws import SearchBreach
from plyground.laws.search_mistakes import MISTAKES
from plyground.search import algorithm_named
from plyground.search.algorithm import Algorithm, Query
from plyground.search.alphabeta import ALPHABETA
from plyground.search.minimax import MINIMAX
from plyground.search.observer import Counting

Exercise = Literal["", "minimax", "alphabeta", "mcts"]
"""Algorithm that a search is graded as; empty: its parameters decide."""
EXERCISES: Final[dict[str, Exercise]] = {"": "", "minimax": "minimax", "alphabeta": "alphabeta", "mcts": "mcts"}
"""Each exercise by the text that names it."""
MORE_NODES: Final = 1.25
"""Nodes that a search may enter in its last pass, as a multiple of alpha-beta's in the same order of moves."""


@dataclass(frozen=True)
class Criterion:
    """One thing that is graded."""

    name: str
    points: int
    laws: tuple[str, ...] = ()
    """Laws (`SEARCH_LAWS`) that it rests on."""
    needs_window: bool = False
    """Whether it is asked only of a search with alpha and beta."""
    by_answers: bool = False
    """Whether answers alone can show it, without the nodes of the search."""


CRITERIA: Final = (
    Criterion("finished positions", 10, ("finished",), by_answers=True),
    Criterion("depth", 10, ("depth",)),
    Criterion("sign", 10, ("sign",)),
    Criterion("values of nodes", 5, ("value", "report")),
    Criterion("x to move, odd depth", 5, by_answers=True),
    Criterion("x to move, even depth", 5, by_answers=True),
    Criterion("o to move, odd depth", 5, by_answers=True),
    Criterion("o to move, even depth", 5, by_answers=True),
    Criterion("window in", 5, ("window in",), needs_window=True),
    Criterion("window passed on", 10, ("window",), needs_window=True),
    Criterion("cuts", 10, ("cut",), needs_window=True),
    Criterion("legal move", 5, ("legal",), by_answers=True),
    Criterion("best move among equals", 5, ("choice",), by_answers=True),
    Criterion("node count", 5),
    Criterion("whole games", 5, by_answers=True),
)
"""What is graded, in the order in which it is shown: 100 points for alpha-beta, 75 for a search without a window.

A search that goes on for ever, fails or gives no answer misses a criterion where it was asked about it."""

WITHIN: Final = Criterion("most nodes", 10)
"""Criterion of a limit of nodes, where one is given."""
UNREPORTED: Final = ("not reported", "not left", "left twice", "entered twice")
"""Mistakes with which nothing is known of the nodes."""
MISTAKES_NAMED: Final = 4
"""Most mistakes that are named in a grade."""


@dataclass(frozen=True)
class Counterexample:
    """A question that a search fails, as small as was found."""

    question: SearchQuestion
    breach: SearchBreach | None
    """The law that is broken, with its node; None where only the answer is wrong."""
    asked: Asked
    sentence: str
    """The observed mistake, in a sentence."""
    is_drawn: bool = True
    """Whether the question's tree shows the mistake."""


@dataclass(frozen=True)
class CriterionMark:
    """Points for a criterion."""

    criterion: Criterion
    asked: int
    """Number of questions for it."""
    failed: int
    example: Counterexample | None = None
    unanswered: int = 0
    """Those of the failed ones to which no answer came."""

    @property
    def points(self) -> int:
        """All of the criterion's points, or none."""
        return 0 if self.failed else self.criterion.points


@dataclass(frozen=True)
class SearchGrade:
    """Result of grading one search."""

    name: str
    marks: tuple[CriterionMark, ...]
    mistakes: tuple[Counterexample, ...]
    """Each mistake that was found, the likeliest first, with its smallest counterexample."""
    refused: str = ""
    """The reason that nothing was graded: the file cannot be loaded, or has no such search."""
    uses: tuple[str, ...] = ()
    """Imports and calls in the file that no search needs, for a teacher to look at."""
    remarks: tuple[str, ...] = ()
    """Sentences that cost no points."""

    @property
    def points(self) -> int:
        """Points in all."""
        return sum(mark.points for mark in self.marks)

    @property
    def possible(self) -> int | None:
        """Most points that it could have; None where nothing was graded and it is not known what would have been."""
        return sum(mark.criterion.points for mark in self.marks) if self.marks else None

    @property
    def likely(self) -> str:
        """The likely mistake in a sentence; empty where none was found."""
        if self.refused:
            return self.refused
        found = self.mistakes[0] if self.mistakes else None
        return "" if found is None else found.breach.words if found.breach else found.sentence


def grade(
    search: str | Algorithm | Answers,
    *,
    exercise: Exercise = "",
    more: Sequence[SearchQuestion] = (),
    most_nodes: NodeLimit | None = None,
    seed: int = 0,
    on_question: Callable[[], None] | None = None,
) -> SearchGrade:
    """Grade a search by its answers and by the laws of its events.

    Args:
        search: `path/to/file.py:function`, the name of a search of plyground, a record, or a search that answers from
            elsewhere; one in a file is run in this process.
        exercise: what it is graded as; by default alpha-beta if it takes alpha and beta, else minimax.
        more: questions beside those of `questions`, such as those of a position of one's own.
        most_nodes: a limit of nodes, graded by one more criterion.
        seed: of the random positions.
        on_question: called after each question, for a progress bar.

    Raises:
        BadInput: there is no such search.
    """
    algorithm = algorithm_named(search) if isinstance(search, str) else search
    pupil = Pupil(AnsweringSearch(algorithm) if isinstance(algorithm, Algorithm) else algorithm)
    if "depth" not in pupil.search.takes:
        raise BadInput(f"{pupil.name} cannot be graded: it has no depth.")
    if exercise == "mcts":
        raise BadInput(f"{pupil.name} is no Monte Carlo search: it takes no simulations.")
    wanted = [*questions(seed), *more]
    if not pupil.has_window:
        wanted = [question for question in wanted if question.is_open]
    with pupil.at_school():
        learn(pupil, wanted)
        return _Grading(pupil, exercise, on_question or (lambda: None)).graded(wanted, most_nodes)


def graded_by_laws(
    algorithm: Algorithm, seed: int, on_question: Callable[[], None] | None
) -> tuple[list[Asked], list[Counterexample]]:
    """The questions of a grade with what a search did, and its mistakes, without points."""
    wanted = [question for question in questions(seed) if algorithm.has_window or question.is_open]
    pupil = Pupil(AnsweringSearch(algorithm))
    with pupil.at_school():
        learn(pupil, wanted)
        grading = _Grading(pupil, "", on_question or (lambda: None))
        grading.ask(wanted)
        return grading.asked, grading.mistakes(len(MISTAKES))


@dataclass
class _Grading:
    pupil: Pupil
    exercise: Exercise
    on_question: Callable[[], None]
    asked: list[Asked] = field(default_factory=list)

    def ask(self, wanted: list[SearchQuestion]) -> None:
        """Ask everything, and the first question again."""
        for question in wanted:
            self.asked.append(self.pupil.ask(question))
            self.on_question()
        if self.asked:
            again = self.pupil.ask(self.asked[0].question)
            if again.answer != self.asked[0].answer:
                self.asked[0].breaches.append(breach("changes"))
        self._drop_refuted()

    def _drop_refuted(self) -> None:
        """Drop mistakes that are made everywhere where the search does otherwise in another question."""
        refuted: dict[tuple[str, int], bool] = {}

        def fits(asked: Asked, found: SearchBreach) -> bool:
            if not found.mistake.is_always or found.node < 0:
                return True
            key, side = found.key, asked.held.side(found.node)
            if (key, side) not in refuted:
                refuted[key, side] = any(each.held.refutes(key, side) for each in self.asked)
            return not refuted[key, side]

        for asked in self.asked:
            asked.breaches = [each.keep_fitting(partial(fits, asked)) for each in asked.breaches]

    def graded(self, wanted: list[SearchQuestion], most_nodes: NodeLimit | None) -> SearchGrade:
        """Ask everything, and give points."""
        self.ask(wanted)
        mistakes = self.mistakes(MISTAKES_NAMED)
        marks = tuple(
            self._mark(criterion, mistakes)
            for criterion in criteria_of(self.exercise or ("alphabeta" if self.pupil.has_window else "minimax"))
        )
        marks += (self._within(most_nodes),) if most_nodes else ()
        if not mistakes:
            mistakes = [mark.example for mark in marks if mark.example][:1]
        return SearchGrade(self.pupil.name, marks, tuple(mistakes))

    # -- mistakes -------------------------------------------------------------------------------------------------

    def mistakes(self, most: int) -> list[Counterexample]:
        """The fewest mistakes that explain the first breach of each question, the likeliest first.

        What can make an answer wrong comes first; of two mistakes that explain as much, the more special one.
        """
        wanted = [(asked, [each for each in asked.breaches if self._is_wanted(each)]) for asked in self.asked]
        left = [(asked, breaches[0]) for asked, breaches in wanted if breaches]
        found: list[Counterexample] = []
        while left and len(found) < most:
            counts = Counter(key for _, first in left for key in keys_of(first))
            key = max(counts, key=partial(self._weight, counts))
            found.append(self._smallest(key, [(asked, named(first, key)) for asked, first in left]))
            left = [(asked, first) for asked, first in left if key not in keys_of(first)]
        return found

    def _is_wanted(self, found: SearchBreach) -> bool:
        """Whether a mistake matters to the exercise: to minimax none that only costs nodes by window or cut."""
        return self.exercise != "minimax" or found.mistake.is_wrong or found.law not in ("window", "cut")

    def _weight(self, counts: Counter[str], key: str) -> tuple[bool, float, int]:
        """Sort key of a mistake, the likeliest highest: a general one has to explain twice as much."""
        mistake = MISTAKES[key]
        return mistake.is_wrong, counts[key] / (2 if mistake.is_general else 1), -list(MISTAKES).index(key)

    def _smallest(self, key: str, found: Sequence[tuple[Asked, SearchBreach | None]]) -> Counterexample:
        """The counterexample with the fewest nodes: of the questions that were asked, or of parts of the smallest."""
        shown = [(asked, each) for asked, each in found if each]
        asked, best = min(shown, key=lambda each: (each[0].nodes, each[0].question.depth))
        for smaller in self._parts(asked, best):
            again = self.pupil.ask(smaller)
            same = next(filter(None, (named(each, key) for each in again.breaches)), None)
            if same and again.nodes < asked.nodes:
                asked, best = again, same
                break
        return Counterexample(asked.question, best, asked, best.seen)

    def _parts(self, asked: Asked, found: SearchBreach) -> list[SearchQuestion]:
        """Smaller questions about the positions on the way to a node, the smallest first."""
        question, held = asked.question, asked.held
        if found.node < 0 or not held.nodes:
            return []
        path = [found.node]
        while (above := held.nodes[path[-1]].parent) >= 0:
            path.append(above)
        parts: list[SearchQuestion] = []
        position = question.position
        with suppress(BadInput):  # a move on the way may be illegal
            for plies, node in enumerate(reversed(path)):
                position = position.play(held.nodes[node].move) if plies else position
                for depth in range(1, question.depth - plies + 1):
                    parts.append(SearchQuestion(question.name, type(position)(position.game, position.state), depth))
        smaller = [part for part in parts if part != question]
        return sorted(smaller, key=lambda part: (part.depth, -len(part.position.text)))

    # -- criteria -------------------------------------------------------------------------------------------------

    def _mark(self, criterion: Criterion, mistakes: list[Counterexample]) -> CriterionMark:
        count: dict[str, Callable[[Criterion], CriterionMark]] = {"node count": self._nodes, "whole games": self._games}
        if criterion.name in count:
            return count[criterion.name](criterion)
        if criterion.needs_window and not self.pupil.has_window:
            first = self.asked[0]
            sentence = "The search takes no alpha and beta."
            return CriterionMark(criterion, 1, 1, Counterexample(first.question, None, first, sentence))
        asked = [each for each in self.asked if self._is_about(criterion, each)]
        failed = [each for each in asked if self._misses(criterion, each)]
        if not failed:
            return CriterionMark(criterion, len(asked), 0)
        return CriterionMark(
            criterion, len(asked), len(failed), self._example(criterion, failed, mistakes), unanswered_of(failed)
        )

    def _example(self, criterion: Criterion, failed: list[Asked], mistakes: list[Counterexample]) -> Counterexample:
        """What shows best that a criterion is missed: a mistake that is named already, or the smallest question."""
        for known in mistakes:
            if known.breach and self._concerns(criterion, known.breach):
                return known
        small = sorted(failed, key=lambda each: (each.nodes or 1 << 30, each.question.depth))
        for one in small:
            for each in one.breaches:
                if self._concerns(criterion, each):
                    return Counterexample(one.question, each, one, each.seen)
        return Counterexample(small[0].question, None, small[0], answer_text(small[0], criterion.name))

    def _is_about(self, criterion: Criterion, asked: Asked) -> bool:
        question = asked.question
        if criterion.name == "finished positions":
            return True
        if criterion.name == "window in":
            return not question.is_open
        if criterion.laws:
            return not question.is_over
        return question.is_open and not question.is_over and sides(question) == criterion.name

    def _misses(self, criterion: Criterion, asked: Asked) -> bool:
        if asked.answer is None:
            return True
        if any(self._concerns(criterion, each) for each in asked.breaches):
            return True
        if criterion.name == "finished positions" and asked.question.is_over:
            return not asked.is_right
        if criterion.name == "best move among equals" and asked.question.is_open and asked.is_right:
            question = asked.question
            best = self._best(question)
            return bool(best) and asked.answer[1] not in best
        return (not criterion.laws or criterion.name == "window in") and not asked.is_right

    def _concerns(self, criterion: Criterion, found: SearchBreach) -> bool:
        if found.key == "window not told":
            return "window" in criterion.laws or "cut" in criterion.laws
        if found.law == "cut" and not self.pupil.has_window:
            return "value" in criterion.laws  # it believes a value before all moves are searched
        if found.law in ("runs", "report") and criterion.laws:
            return found.law == "runs" or found.key in UNREPORTED or "report" in criterion.laws
        return found.law in criterion.laws

    def _best(self, question: SearchQuestion) -> list[int]:
        reference = reference_of(question.position.game, self.pupil.prefer_shorter)
        return reference.best(question.position.state, question.depth)

    def _nodes(self, criterion: Criterion) -> CriterionMark:
        """Nodes of the last pass, held against those of the textbook's search in the same order of moves."""
        pairs = []
        for asked in self.asked:
            if asked.question.depth >= 3 and asked.question.is_open and not asked.question.is_over:
                pairs.append((asked, last_pass_nodes(asked), reference_nodes(asked, self.exercise)))
        ours = sum(nodes for _, nodes, _ in pairs)
        meant = sum(nodes for _, _, nodes in pairs)
        unanswered = unanswered_of([asked for asked, _, _ in pairs])
        if pairs and ours and ours <= MORE_NODES * meant and not unanswered:
            return CriterionMark(criterion, len(pairs), 0)
        more = [each for each in pairs if each[0].answer is None or each[1] > each[2]] or pairs
        asked, nodes, right = max(more, key=lambda each: each[1] / each[2])
        sentence = f"It enters {nodes:,} nodes where {right:,} are enough in its order of moves."
        if not ours:
            sentence = "It enters no nodes: it never calls observer.enter(state)."
        elif asked.answer is None and nodes <= right:
            sentence = answer_text(asked, criterion.name)
        example = Counterexample(asked.question, None, asked, sentence)
        silent = unanswered_of([each for each, _, _ in more])
        return CriterionMark(criterion, len(pairs), max(len(more), 1), example, silent)

    def _within(self, limit: NodeLimit) -> CriterionMark:
        """Whether a search keeps within a limit of nodes."""
        criterion = WITHIN
        answer, counts = self.pupil.counted(SearchQuestion(limit.game, limit.start, limit.depth), limit.most)
        self.on_question()
        if answer is not None and counts:
            return CriterionMark(criterion, 1, 0)
        shown = self.pupil.ask(SearchQuestion(limit.game, limit.start, 1))
        example = Counterexample(shown.question, None, shown, limit.exceeded, is_drawn=False)
        return CriterionMark(criterion, 1, 1, example, int(answer is None))

    def _games(self, criterion: Criterion) -> CriterionMark:
        lost: list[GameLost | None] = []
        for held in GAMES_HELD:
            lost.append(game_lost(self.pupil, held))
            self.on_question()
        return games_mark(criterion, lost, self.asked[0])


def criteria_of(exercise: Exercise) -> list[Criterion]:
    """Criteria of an exercise, beside a limit of nodes."""
    return [each for each in CRITERIA if exercise == "alphabeta" or not each.needs_window]


def unanswered_of(asked: Sequence[Asked]) -> int:
    """Number of questions to which no answer came."""
    return sum(each.answer is None for each in asked)


def games_mark(criterion: Criterion, lost: Sequence[GameLost | None], shown: Asked) -> CriterionMark:
    """Points for whole games, by the loss of each; a search that was asked, which shows nothing of it."""
    losses = [each for each in lost if each]
    if not losses:
        return CriterionMark(criterion, len(lost), 0)
    example = Counterexample(losses[0].question, None, shown, losses[0].sentence, is_drawn=False)
    silent = sum(not each.is_answered for each in losses)
    return CriterionMark(criterion, len(lost), len(losses), example, silent)


def keys_of(found: SearchBreach) -> tuple[str, ...]:
    """All mistakes that a breach may come of."""
    return (found.key, *(other.key for other in found.others))


def named(found: SearchBreach, key: str) -> SearchBreach | None:
    """A breach by the mistake that it is taken for; None if it cannot be that."""
    return next((each for each in (found, *found.others) if each.key == key), None)


def answer_text(asked: Asked, criterion: str) -> str:
    """The answer of the search and the right one, in a sentence."""
    right = asked.held.text(asked.truth)
    if asked.answer is None:
        return f"It gives no answer; {right} is right."
    value, said = asked.answer[0], asked.held.text(asked.answer[0])
    if asked.is_right:
        return f"Its answer {said} is right, and not all else that {criterion!r} asks for."
    if said == right:  # two ints that read alike
        return f"It answers {said} as the int {value}; {asked.truth} is right."
    return f"It answers {said}; {right} is right."


def last_pass_nodes(asked: Asked) -> int:
    """Nodes that a search entered from the root that it entered last."""
    return asked.nodes - max(asked.held.recording.last_pass, 0)


def tried_order(asked: Asked) -> dict[object, list[int]]:
    """Moves of each state in the order in which a search tried them, in its last pass."""
    orders: dict[object, list[int]] = {}
    start = max(asked.held.recording.last_pass, 0)
    for place in range(start, asked.nodes):
        told = asked.held.told[place]
        tried = [*told.begun, *(asked.held.nodes[child].move for child in told.children)]
        if tried:
            orders[asked.held.nodes[place].state] = list(dict.fromkeys(tried))
    return orders


def reference_nodes(asked: Asked, exercise: Exercise) -> int:
    """Nodes of the textbook's search for the same question, in the order of moves of the search that was asked."""
    question, pupil = asked.question, asked.held
    chosen = ALPHABETA if (exercise or (pupil.has_window and "alphabeta")) == "alphabeta" else MINIMAX
    game = in_order(question.position.game, tried_order(asked))
    alpha, beta = question.window
    query = Query(game, question.position.state, question.depth, pupil.prefer_shorter, 0, alpha, beta)
    observer = Counting.fresh()
    chosen.prepare_run(query, observer, partial(chosen.search, game))()
    return observer.nodes
