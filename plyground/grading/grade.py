"""Grade of a search: named criteria with points, and the mistakes that explain missed ones."""

import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final, Literal

from plyground.errors import BadInput, value_text
from plyground.files import text_of_file
from plyground.grading.asking import Asked, Pupil, breach, learn, with_leaves_of
from plyground.grading.games_held import GAMES_HELD, GameLost, game_lost
from plyground.grading.node_limit import NodeLimit
from plyground.grading.questions import SearchQuestion, questions, reference_of, sides
from plyground.laws.answering import AnsweringSearch, Answers
from plyground.laws.searches.games import reorder_moves
from plyground.laws.searches.laws import SearchBreach
from plyground.laws.searches.mistakes import MISTAKES
from plyground.laws.searches.reference import StrictAlphaBeta
from plyground.search import algorithm_named
from plyground.search.algorithm import Algorithm, Query
from plyground.search.alphabeta import ALPHABETA
from plyground.search.minimax import MINIMAX
from plyground.search.observer import Counting
from plyground.text import visible

Exercise = Literal["", "minimax", "alphabeta", "quiescence", "mcts"]
"""Algorithm that a search is graded as; empty: its parameters decide. Quiescence is alpha-beta with other leaves."""
EXERCISES: Final[dict[str, Exercise]] = {
    "": "",
    "minimax": "minimax",
    "alphabeta": "alphabeta",
    "quiescence": "quiescence",
    "mcts": "mcts",
}
"""Each exercise by the text that names it."""
MORE_NODES: Final = 1.25
"""Nodes that a search may enter in its last pass, as a multiple of alpha-beta's in the same order of moves."""


@dataclass(frozen=True)
class Criterion:
    """A criterion of a grade, with its points."""

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
    Criterion("values of nodes", 5, ("value", "table", "report")),
    Criterion("x to move", 5, by_answers=True),
    Criterion("o to move", 5, by_answers=True),
    Criterion("window in", 5, ("window in",), needs_window=True),
    Criterion("window passed on", 10, ("window", "bound"), needs_window=True),
    Criterion("cuts", 10, ("cut",), needs_window=True),
    Criterion("legal move", 10, ("legal",), by_answers=True),
    Criterion("best move among equals", 5, ("choice",), by_answers=True),
    Criterion("node count", 5),
    Criterion("whole games", 10, by_answers=True),
)
"""What is graded, in the order in which it is shown: 100 points for alpha-beta, 75 for a search without a window.

A search that goes on for ever, fails or gives no answer misses a criterion where it was asked about it. A question
costs the criterion of its cause and its answer, and no criterion of what follows from the cause."""

CAUSES: Final = (
    ("finished", "depth", "sign", "value", "table", "bound", "window in", "window", "cut", "legal", "choice")
)  # fmt: skip
"""Laws in the order in which a breach of one leads to breaches of others: an earlier one is the cause."""
CONSEQUENCES: Final = (
    "window",
    "wide window",
    "value",
    "changed",
    "bound",
    "table",
    "unexplained",
    "moves left out",
    "table left",
)
"""Observations that may follow from any mistake, so that another mistake in the same question explains them."""
COSTS_NODES: Final = ("window", "cut")
"""Laws of which a breach that makes no value wrong costs half of the points."""
Cut = Literal["any", "equal", "strict"]
"""Where cuts are due: where alpha has reached beta, only where it is above, or in either way."""
CUTS: Final[dict[str, Cut]] = {"any": "any", "equal": "equal", "strict": "strict"}
"""Each by the word for it."""
STRICT_CUTS: Final = (
    "It cuts where alpha is above beta, and not where they are equal, as some courses ask: with >= it would enter "
    "fewer nodes for the same answers."
)
"""Remark on a search that cuts so, where either way is right."""

WITHIN: Final = Criterion("most nodes", 10)
"""Criterion of a limit of nodes, where one is given."""
UNREPORTED: Final = ("not reported", "not left", "left twice", "entered twice")
"""Mistakes with which nothing is known of the nodes."""
ILLEGAL_PLAYS: Final = ("killer", "illegal play")
"""Mistakes by which a move is played that is not legal."""
LATE_CUTS: Final = ("no cut", "cut only beyond")
"""Mistakes by which a cut comes later than where alpha reaches beta."""
LARGEST_WEIGHT: Final = 1_000
"""Most points of a criterion."""
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
    """Number of failed questions without an answer."""
    unseen: int = 0
    """Failed questions without evidence whether the criterion is fulfilled."""
    is_slow: bool = False
    """Whether its failed questions cost nodes alone, and make no value wrong."""

    @property
    def points(self) -> int:
        """All of the criterion's points, or none; half of them where only nodes are lost."""
        if self.is_slow:
            return self.criterion.points // 2
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
        """Most points of the grade; None where nothing was graded and no exercise says them."""
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
    scheme: "Scheme | None" = None,
    seed: int = 0,
    on_question: Callable[[], None] | None = None,
) -> SearchGrade:
    """Grade a search by its answers and by the laws of its events.

    Args:
        search: `path/to/file.py:function`, the name of a search of plyground, a record, or a search that answers from
            elsewhere; one in a file is run in this process.
        exercise: the algorithm that it is graded as; by default alpha-beta if it takes alpha and beta, else minimax.
        more: questions beside those of `questions`, such as those of a position of one's own.
        scheme: a lecturer's scheme; its weights are given by `weighted`.
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
        if exercise == "quiescence":
            exercise, wanted = "alphabeta", with_leaves_of(pupil, wanted)
        # Before any question counts: the values of a negamax are the mover's, and are turned before a law is applied.
        learn(pupil, wanted)
        found = scheme or USUAL
        return _Grading(pupil, exercise, on_question or (lambda: None), found.cut).make_grade(wanted, found.most_nodes)


def graded_by_laws(
    algorithm: Algorithm, seed: int, on_question: Callable[[], None] | None
) -> tuple[list[Asked], list[Counterexample]]:
    """The questions of a grade with the recordings of a search, and its mistakes, without points."""
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
    cut: Cut = "any"
    asked: list[Asked] = field(default_factory=list)
    causes: dict[int, SearchBreach] = field(default_factory=dict)
    """Breach that explains each failed question, by the question's index in `asked`."""
    is_strict: bool = False
    """Whether it cuts only where alpha is above beta."""

    def ask(self, wanted: list[SearchQuestion]) -> None:
        """Ask everything, and the first question again."""
        for question in wanted:
            self.asked.append(self.pupil.ask(question))
            self.on_question()
        if self.asked:
            # One that draws lots among equal moves may answer otherwise, as long as it answers as well.
            again = self.pupil.ask(self.asked[0].question)
            is_as_good = again.is_right and again.answer_is_best
            if again.answer != self.asked[0].answer and not is_as_good:
                self.asked[0].breaches.append(breach("changes"))
        # After the last question, because each of these three compares what was seen in all of them.
        self._drop_refuted()
        self._unify_illegal_plays()
        self._settle_cuts()

    def _unify_illegal_plays(self) -> None:
        """Give illegal moves that were played one name: that of most."""
        ended = Counter(each.key for asked in self.asked for each in asked.breaches if each.key in ILLEGAL_PLAYS)
        for asked in self.asked if len(ended) > 1 else ():
            most = max(ended, key=ended.__getitem__)
            asked.breaches = [
                breach(most, each.node, each.seen, said=each.seen) if each.key in ILLEGAL_PLAYS else each
                for each in asked.breaches
            ]

    def _settle_cuts(self) -> None:
        """Find whether cuts come only where alpha is above beta; drop or add breaches by the rule of cuts."""
        late = [each for asked in self.asked for each in asked.breaches if each.key in LATE_CUTS]
        # One late cut that this rule does not explain, and the search has no such rule.
        self.is_strict = bool(late) and all("cut only beyond" in keys_of(each) for each in late)
        if self.is_strict:
            beyond = "cut only beyond"
            for asked in self.asked:
                due = [find_named(each, beyond) or each if each.key in LATE_CUTS else each for each in asked.breaches]
                asked.breaches = [each for each in due if self.cut == "equal" or each.key not in LATE_CUTS]
        if self.cut == "strict":
            for asked in self.asked:
                asked.breaches += islice(asked.held.equal_cuts(), 1)

    def _drop_refuted(self) -> None:
        """Drop mistakes of the kind that is made at every node, if the search does otherwise in another question."""
        refuted: dict[tuple[str, int, int], bool] = {}

        def fits(asked: Asked, found: SearchBreach) -> bool:
            # Only statements about every node of a kind can be refuted by one.
            if not found.mistake.is_always or found.node < 0:
                return True
            case = found.key, asked.held.side(found.node), found.detail
            if case not in refuted:
                refuted[case] = any(each.held.refutes(*case) for each in self.asked)
            return not refuted[case]

        for asked in self.asked:
            asked.breaches = [each.keep_fitting(partial(fits, asked)) for each in asked.breaches]

    def make_grade(self, wanted: list[SearchQuestion], most_nodes: NodeLimit | None) -> SearchGrade:
        """Ask everything, and give points."""
        self.ask(wanted)
        mistakes = self.mistakes(len(MISTAKES))[:MISTAKES_NAMED]
        marks = tuple(
            self._mark_criterion(criterion, mistakes)
            for criterion in criteria_of(self.exercise or ("alphabeta" if self.pupil.has_window else "minimax"))
        )
        marks += (self._within(most_nodes),) if most_nodes else ()
        if not mistakes:
            mistakes = [mark.example for mark in marks if mark.example][:1]
        remarks = (STRICT_CUTS,) if self.is_strict and self.cut == "any" else ()
        return SearchGrade(self.pupil.name, marks, tuple(mistakes), remarks=remarks)

    # -- mistakes -------------------------------------------------------------------------------------------------

    def mistakes(self, most: int) -> list[Counterexample]:
        """The fewest mistakes that explain the earliest cause of each question, the likeliest first.

        What can make an answer wrong comes first; of two mistakes that explain as much, the more special one.
        """
        wanted = [[each for each in asked.breaches if self._is_wanted(each)] for asked in self.asked]
        # The earliest breach alone stands for a question: what follows from it costs nothing.
        left = {place: min(breaches, key=earliness) for place, breaches in enumerate(wanted) if breaches}
        found: list[Counterexample] = []
        # Greedy set cover: the mistake that explains most of the remaining questions comes next.
        while left and len(found) < most:
            counts = Counter(key for first in left.values() for key in keys_of(first))
            ranks = Counter(
                {
                    key: sum(keys_of(each).index(key) for each in left.values() if find_named(each, key))
                    for key in counts
                }
            )
            key = max(counts, key=partial(self._weight, counts, ranks))
            explained = {place: each for place, first in left.items() if (each := find_named(first, key))}
            self.causes |= explained
            found.append(self._smallest(key, [(self.asked[place], each) for place, each in explained.items()]))
            left = {place: first for place, first in left.items() if place not in explained}
        return found

    def _is_wanted(self, found: SearchBreach) -> bool:
        """Whether a mistake matters to the exercise: to minimax none that only costs nodes by window or cut."""
        return self.exercise != "minimax" or found.mistake.is_wrong or found.law not in ("window", "cut")

    def _weight(self, counts: Counter[str], ranks: Counter[str], key: str) -> tuple[bool, float, float, int]:
        """Sort key of a mistake, the likeliest highest: a general one has to explain twice as much, and of two that
        explain as much the likelier one comes first, by its rank among those of each breach."""
        mistake, count = MISTAKES[key], counts[key]
        return (
            # Wrong answers before lost nodes; then by what is explained; then by rank; at last by the order of
            # `MISTAKES`, so that a grade is the same every time.
            mistake.is_wrong,
            count / (2 if mistake.is_general else 1),
            -ranks[key] / count,
            -list(MISTAKES).index(key),
        )

    def _smallest(self, key: str, found: Sequence[tuple[Asked, SearchBreach]]) -> Counterexample:
        """The counterexample with the fewest nodes: of the questions that were asked, or of parts of the smallest."""
        asked, best = min(found, key=lambda each: (each[0].nodes, each[0].question.depth))
        # A smaller question counts only if the same mistake shows in it; the first one is the smallest, so no more are
        # asked.
        for smaller in self._smaller_questions(asked, best):
            again = self.pupil.ask(smaller)
            same = next(filter(None, (find_named(each, key) for each in again.breaches)), None)
            if same and again.nodes < asked.nodes:
                asked, best = again, same
                break
        return Counterexample(asked.question, best, asked, best.seen)

    def _smaller_questions(self, asked: Asked, found: SearchBreach) -> list[SearchQuestion]:
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

    def _mark_criterion(self, criterion: Criterion, mistakes: list[Counterexample]) -> CriterionMark:
        count: dict[str, Callable[[Criterion], CriterionMark]] = {"node count": self._nodes, "whole games": self._games}
        if criterion.name in count:
            return count[criterion.name](criterion)
        if criterion.needs_window and not self.pupil.has_window:
            first = self.asked[0]
            sentence = "The search takes no alpha and beta."
            return CriterionMark(criterion, 1, 1, Counterexample(first.question, None, first, sentence))
        asked = [place for place, each in enumerate(self.asked) if self._is_about(criterion, each)]
        failed = [place for place in asked if self._misses(criterion, place)]
        # All or nothing: a criterion is a property of the search, and one wrong question shows that it lacks it.
        if not failed:
            return CriterionMark(criterion, len(asked), 0)
        causes = [self.causes.get(place) for place in failed]
        # Without evidence is not wrong: both cost the points, and the report says which it was.
        unseen = sum(cause is not None and cause.key in (*UNREPORTED, "window not told") for cause in causes)
        # Half the points only where nothing worse was seen in any of its failed questions.
        is_slow = not unseen and all(
            cause and cause.law in COSTS_NODES and not cause.mistake.is_wrong for cause in causes
        )
        example = self._example(criterion, [self.asked[place] for place in failed], mistakes)
        silent = unanswered_of([self.asked[place] for place in failed])
        return CriterionMark(
            criterion, len(asked), len(failed), example, silent, 0 if not criterion.laws else unseen, is_slow
        )

    def _example(self, criterion: Criterion, failed: list[Asked], mistakes: list[Counterexample]) -> Counterexample:
        """Counterexample of a missed criterion: that of a mistake already named, else the smallest failed question."""
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
        if criterion.laws and question.by_answer and not asked.nodes:
            return False  # nothing was seen of its nodes
        if criterion.name == "finished positions":
            return True
        if criterion.name == "window in":
            return not question.is_open
        if criterion.laws:
            return not question.is_over
        # Within a window a value may be a bound, so the two criteria of sides rest on open windows alone.
        return question.is_open and not question.is_over and sides(question) == criterion.name

    def _misses(self, criterion: Criterion, place: int) -> bool:
        asked, cause = self.asked[place], self.causes.get(place)
        if cause and self._concerns(criterion, cause):
            return True
        if not criterion.laws:
            return not asked.is_right
        # Its cause is another criterion's, which has paid for it already.
        if cause:
            return False
        if criterion.name == "best move among equals" and asked.question.is_open:
            return asked.is_right and not asked.answer_is_best
        is_answered_by = criterion.name == "window in" or (
            criterion.name == "finished positions" and asked.question.is_over
        )
        return is_answered_by and not asked.is_right

    def _concerns(self, criterion: Criterion, found: SearchBreach) -> bool:
        if found.key == "window not told":
            return "window" in criterion.laws or "cut" in criterion.laws
        if found.law == "cut" and not self.pupil.has_window:
            return "value" in criterion.laws  # it believes a value before all moves are searched
        if found.law in ("runs", "report") and criterion.laws:
            return found.law == "runs" or found.key in UNREPORTED or "report" in criterion.laws
        return found.law in criterion.laws

    def _nodes(self, criterion: Criterion) -> CriterionMark:
        """Nodes of the last pass, held against those of the textbook's search in the same order of moves."""
        pairs = []
        for asked in self.asked:
            question = asked.question
            # From three plies on alpha-beta cuts enough for a missing cut to show in the sum.
            if question.depth >= 3 and question.is_open and not question.is_over and not question.by_answer:
                is_strict = self.is_strict and self.cut != "equal"
                pairs.append(
                    (asked, last_pass_nodes(asked), reference_nodes(asked, self.exercise, is_strict=is_strict))
                )
        ours = sum(nodes for _, nodes, _ in pairs)
        meant = sum(nodes for _, _, nodes in pairs)
        unanswered = unanswered_of([asked for asked, _, _ in pairs])
        # The sum and not each question: of a few nodes a quarter is none.
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
        # Unrecorded, with the limit as the most nodes: the search is stopped there, so an endless one costs no more.
        answer, counts = self.pupil.ask_counting(SearchQuestion(limit.game, limit.start, limit.depth), limit.most)
        self.on_question()
        if answer is not None and counts:
            return CriterionMark(criterion, 1, 0)
        shown = self.pupil.ask(SearchQuestion(limit.game, limit.start, 1))
        example = Counterexample(shown.question, None, shown, limit.sentence, is_drawn=False)
        return CriterionMark(criterion, 1, 1, example, int(answer is None))

    def _games(self, criterion: Criterion) -> CriterionMark:
        lost: list[GameLost | None] = []
        for held in GAMES_HELD:
            lost.append(game_lost(self.pupil, held))
            self.on_question()
        return games_mark(criterion, lost, self.asked[0])


def criteria_of(exercise: Exercise) -> list[Criterion]:
    """Criteria of an exercise, beside a limit of nodes."""
    return [each for each in CRITERIA if exercise in ("alphabeta", "quiescence") or not each.needs_window]


def earliness(found: SearchBreach) -> tuple[int, int]:
    """Sort key of a breach within a question: causes come before their consequences."""
    if found.key in UNREPORTED:
        return -1, 0  # nothing is known of the nodes
    # An observation that anything may cause is the cause only where nothing else was seen.
    after = 2 if found.key == "unexplained" else 1 if found.key in CONSEQUENCES else 0
    return after, CAUSES.index(found.law) if found.law in CAUSES else len(CAUSES)


@dataclass(frozen=True)
class Scheme:
    """A lecturer's scheme of grading."""

    cut: Cut = "any"
    """Where cuts are due."""
    weights: Mapping[str, int] = field(default_factory=dict)
    """Points by the names of criteria; others have their own."""
    most_nodes: NodeLimit | None = None
    """A limit of nodes, graded by one more criterion."""


USUAL: Final = Scheme()
"""Cuts in either way, and the points of `CRITERIA`."""


def weigh(found: SearchGrade, weights: Mapping[str, int]) -> SearchGrade:
    """A grade with a lecturer's points for some criteria; one with none is left out."""
    marks = [replace(each, criterion=by_weight(each.criterion, weights)) for each in found.marks]
    return replace(found, marks=tuple(each for each in marks if each.criterion.points))


def by_weight(criterion: Criterion, weights: Mapping[str, int]) -> Criterion:
    """A criterion with the points that a lecturer gives for it."""
    return replace(criterion, points=weights.get(criterion.name, criterion.points))


def read_criterion_points(file: Path) -> dict[str, int]:
    """Points by the names of criteria, from TOML: a line such as `"whole games" = 20` for each that is changed.

    Raises:
        BadInput: the file cannot be read, is no TOML, names no criterion, or gives no number of points.
    """
    try:
        found = tomllib.loads(text_of_file(file))
    except (tomllib.TOMLDecodeError, RecursionError) as fault:
        raise BadInput(f'{file} is no TOML ({fault}): a line for a criterion is "whole games" = 20.') from None
    names = [*(each.name for each in CRITERIA), WITHIN.name]
    for name, points in found.items():
        if name not in names:
            raise BadInput(f'{file}: there is no criterion "{visible(name)}": {", ".join(names)}.')
        # Not `isinstance`: TOML's true is an int in Python.
        if type(points) is not int or not 0 <= points <= LARGEST_WEIGHT:
            raise BadInput(f'{file}: "{name}" has {value_text(points)}: a whole number from 0 to {LARGEST_WEIGHT}.')
    return found


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


def find_named(found: SearchBreach, key: str) -> SearchBreach | None:
    """A breach by the mistake that it is taken for; None if it cannot be that."""
    return next((each for each in (found, *found.others) if each.key == key), None)


def answer_text(asked: Asked, criterion: str) -> str:
    """The answer of the search and the right one, in a sentence."""
    right = asked.held.text(asked.truth)
    if asked.answer is None:
        return f"It gives no answer; {right} is right."
    value, said = asked.answer[0], asked.held.text(asked.answer[0])
    if asked.is_right:
        position = asked.question.position
        best = reference_of(position.game, asked.held.prefer_shorter).best(position.state, asked.question.depth)
        names = " or ".join(position.game.move_text(position.state, move) for move in best)
        moved = position.game.move_text(position.state, asked.answer[1])
        return f"Its move {moved} is worth less: {names} is right."
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
        told = asked.held.reports[place]
        tried = [*told.begun, *(asked.held.nodes[child].move for child in told.children)]
        if tried:
            orders[asked.held.nodes[place].state] = list(dict.fromkeys(tried))
    return orders


def reference_nodes(asked: Asked, exercise: Exercise, *, is_strict: bool = False) -> int:
    """Nodes of the textbook's search for the same question, in the order of moves of the search that was asked."""
    question, pupil = asked.question, asked.held
    chosen = ALPHABETA if (exercise or (pupil.has_window and "alphabeta")) == "alphabeta" else MINIMAX
    # The search's own order of moves: ordering is no part of the exercise, and costs no points.
    game = reorder_moves(question.position.game, tried_order(asked))
    alpha, beta = question.window
    if is_strict and chosen is ALPHABETA:
        return StrictAlphaBeta(game, int(pupil.prefer_shorter)).count_nodes(question.position.state, question.depth)
    query = Query(game, question.position.state, question.depth, pupil.prefer_shorter, 0, alpha, beta)
    observer = Counting.fresh()
    chosen.prepare_run(query, observer, partial(chosen.search, game))()
    return observer.nodes
