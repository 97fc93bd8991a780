"""Grade of a Monte Carlo search by the laws of its choices, in games of the grader's.

No answer alone shows whether a search that draws lots is right. But each of its simulations ends in a line of moves,
and these tell all its choices (`laws/simulations/laws.py`). So the laws are exact whatever is drawn and whatever the
constant; only whether its random games are random is a matter of chance, and said with its probability.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf
from typing import Final, Protocol

from plyground.errors import BadInput
from plyground.grading.asking import Asked
from plyground.grading.grade import (
    USUAL,
    Counterexample,
    Criterion,
    CriterionMark,
    Exercise,
    Scheme,
    SearchGrade,
    grade,
)
from plyground.grading.questions import SearchQuestion
from plyground.grading.search_process import SearchProcess
from plyground.grading.simulations.questions import (
    SMALL,
    best_of,
    ends_text,
    exchange_sides,
    long_questions,
    small_questions,
)
from plyground.laws.answering import AnsweringSearch, SimulationReply
from plyground.laws.searches.laws import CheckedSearch, SearchBreach
from plyground.laws.searches.mistakes import MISTAKES
from plyground.laws.searches.recording import FullRecording
from plyground.laws.searches.reference import Reference
from plyground.laws.simulations import mistakes as law
from plyground.laws.simulations.games import MOVE_LETTERS, LineGame, LineQuestion
from plyground.laws.simulations.laws import (
    DRAW_RULES,
    GROWTHS,
    LARGEST_CONSTANT,
    RIGHT_RULE,
    SIDE_RULES,
    SMALLEST_CONSTANT,
    UNLIKELY,
    WIDTH_RULES,
    ChoiceRule,
    Growth,
    Interval,
    LinesPlayed,
    find_constants,
    possible_answers,
    random_moves,
    result_of,
)
from plyground.position import Position

SIMULATION_CRITERIA: Final = (
    Criterion(law.FINISHED, 15),
    Criterion(law.AT_ROOT, 10),
    Criterion(law.BELOW_ROOT, 15),
    Criterion(law.DRAWS, 10),
    Criterion(law.EXPLORATION, 15),
    Criterion(law.EXPANSION, 10),
    Criterion(law.CHOICE, 10),
    Criterion(law.RANDOM_GAMES, 10),
    Criterion(law.LEGAL, 5),
)
"""Criteria of a Monte Carlo search in the order of the report: 100 points."""
BY_CHOICES: Final = (law.EXPANSION, law.AT_ROOT, law.EXPLORATION, law.BELOW_ROOT, law.DRAWS, law.CHOICE)
"""Criteria that rest on the lines that are played."""


class SimulationAnswers(Protocol):
    """A Monte Carlo search as it is asked."""

    @property
    def name(self) -> str:
        """Name, as on the command line."""
        ...

    @property
    def takes(self) -> tuple[str, ...]:
        """Names of its parameters after the game."""
        ...

    def walk(self, asked: LineQuestion) -> SimulationReply:
        """Run the search on a question."""
        ...


def grade_any_search(
    search: SearchProcess | AnsweringSearch, exercise: Exercise = "", scheme: Scheme = USUAL, seed: int = 0
) -> SearchGrade:
    """Grade of a search, by its parameters: one with a depth, or a Monte Carlo search.

    Raises:
        BadInput: it is not what the exercise asks for.
    """
    if not search.takes_simulations:
        return grade(search, exercise=exercise, scheme=scheme, seed=seed)
    if exercise not in ("", "mcts") or scheme.most_nodes:
        raise BadInput(
            f"{search.name} is a Monte Carlo search: {exercise or 'a limit of nodes'} is for one with a depth."
        )
    with search.asking():
        return grade_simulations(search, seed)


def grade_simulations(
    search: SimulationAnswers, seed: int = 0, on_question: Callable[[], None] | None = None
) -> SearchGrade:
    """Grade a Monte Carlo search.

    Args:
        search: the search.
        seed: of the games, and of the search's seeds.
        on_question: called after each question.
    """

    def ask(asked: LineQuestion) -> tuple[LineQuestion, SimulationReply]:
        reply = search.walk(asked)
        (on_question or (lambda: None))()
        return asked, reply

    small, long = [*map(ask, small_questions())], [*map(ask, long_questions(seed))]
    first = long[0][0]
    # The same seed must give the same games, and another seed others.
    others = [first, replace(first, seed=first.seed + 1)] if "seed" in search.takes else []
    return _Judging(search.name, small, long, [ask(each)[1] for each in others]).grade()


@dataclass
class _Judging:
    name: str
    small: list[tuple[LineQuestion, SimulationReply]]
    long: list[tuple[LineQuestion, SimulationReply]]
    again: list[SimulationReply]
    """The first long question asked again, and with another seed; none where the search takes no seed."""
    faults: dict[str, CriterionMark] = field(default_factory=dict)

    def grade(self) -> SearchGrade:
        """Judge all replies. Returns the grade, with the mistakes that may cause others first."""
        criteria = self._judge()
        marks = [
            self.faults.get(each.name, CriterionMark(each, self._question_count(each.name), 0)) for each in criteria
        ]
        found = (self.faults[each].example for each in law.SIMULATION_LAWS if each in self.faults)
        mistakes = {each.sentence: each for each in found if each}
        return SearchGrade(self.name, tuple(marks), tuple(mistakes.values()))

    def _question_count(self, criterion: str) -> int:
        """Number of questions for a criterion."""
        return len(self.small) * (criterion in (law.FINISHED, law.LEGAL)) + len(self.long) * (criterion != law.FINISHED)

    def _note_mistake(
        self, key: str, failed: int = 1, criterion: str = "", unanswered: int = 0, **said: object
    ) -> None:
        """Note a mistake against its criterion, or against `criterion`; the first mistake of a criterion stays."""
        slip = law.SIMULATION_MISTAKES[key]
        words = slip.words.format(**said)
        words = words[:1].upper() + words[1:]
        game = LineGame(self.long[0][0])
        question = SearchQuestion("line", Position(game, game.initial()), 0)
        known = Reference(game, False)
        held = CheckedSearch(game, FullRecording(), 0, 0, False, False, question.window, known, str, negamax=False)
        breach = SearchBreach(key, words, "", -1)
        example = Counterexample(question, breach, Asked(question, None, held, []), words, is_drawn=False)
        name = criterion or slip.law
        kind = next(each for each in SIMULATION_CRITERIA if each.name == name)
        self.faults.setdefault(name, CriterionMark(kind, self._question_count(name), failed, example, unanswered))

    def _judge(self) -> Sequence[Criterion]:
        """Look for mistakes, causes first. Returns the criteria of which something is known."""
        # First, because a search that plays on after the end makes up all that follows.
        if played := sum(reply.is_played_on for _, reply in self.small + self.long):
            self._note_mistake("played on", min(played, len(self.small)))
        self._judge_answers()
        if not self._walks:
            if not self.faults:
                self._note_mistake("no games", len(self.long))
            first = next(self.faults[each] for each in law.SIMULATION_LAWS if each in self.faults)
            assert first.example and first.example.breach
            for each in SIMULATION_CRITERIA:
                asked = self._question_count(each.name)
                self.faults.setdefault(each.name, CriterionMark(each, asked, asked, first.example, asked))
            return SIMULATION_CRITERIA
        self._judge_chance()
        # More lines than simulations: which of them belong together, and so what was chosen, is not known.
        is_known = all(len(walked.lines) <= walked.asked.simulations + 1 for walked in self._walks)
        if is_known:
            self._judge_choices()
        self._judge_small()
        return [each for each in SIMULATION_CRITERIA if is_known or each.name not in BY_CHOICES]

    @cached_property
    def _walks(self) -> list[LinesPlayed]:
        """Lines played in the long games."""
        return [LinesPlayed(asked, reply.lines) for asked, reply in self.long if reply.lines and not reply.ended]

    def _judge_answers(self) -> None:
        replies = [(asked, reply) for asked, reply in self.small + self.long if not reply.is_played_on]
        ended = [reply for _, reply in replies if reply.ended]
        if ended:
            words = MISTAKES[ended[0].ended].words.format(said=ended[0].words)
            self._note_mistake("fails", len(ended), unanswered=len(ended), said=words)
        elif none := [reply for _, reply in replies if reply.move is None]:
            self._note_mistake("no answer", len(none), unanswered=len(none), said=none[0].words)
        else:
            illegal = [reply.move for asked, reply in replies if reply.move not in range(asked.moves)]
            if illegal:
                self._note_mistake("illegal answer", len(illegal), said=illegal[0])

    def _judge_chance(self) -> None:
        counts = [*random_moves(self._walks)]
        # The bound is for all counts: of many true coins one is always far from a half (Bonferroni's correction).
        unlikely = [each for each in counts if each.is_unlikely(len(counts))]
        if unlikely:
            found = max(unlikely, key=lambda each: abs(each.seen - each.of * each.share))
            width, odds = round(1 / found.share), f"{1 / UNLIKELY:,.0f}"
            return self._note_mistake(
                "not random", of=found.of, seen=found.seen, what=found.what, width=width, odds=odds
            )
        if self.again and self.long[0][1].lines:
            same, other = self.again
            if same.lines != self.long[0][1].lines or same.move != self.long[0][1].move:
                self._note_mistake("seed not all")
            elif other.lines == same.lines:
                self._note_mistake("seed ignored")

    # -- by what was played ---------------------------------------------------------------------------------------

    def _judge_choices(self) -> None:
        """Judge the tree's growth, then the rule of its choices, without draws and with them, then the answers."""
        walks = self._walks
        # Growths of the tree that a line contradicts are left out; each further law has to hold for one of them.
        growths = [each for each in GROWTHS if all(walked.find_repeated(each) is None for walked in walks)]
        if not growths:
            lines = [line for walked in walks if (line := walked.find_repeated(GROWTHS[0])) is not None]
            line = min(lines, key=len)
            where = f"after {' '.join(line)}" if line else "at the root"
            self._note_mistake("tried twice", len(lines), where=where)
        # Walks without draws come first: there the value of a draw, which has its own criterion, cannot hide the rule.
        even = [walked for walked in walks if not walked.asked.draws]
        rule, known = self._find_rule(even, growths or GROWTHS[:2])
        constants = next(iter(known.values()), [(0.0, 0.0)])
        self._judge_answers_by_tries([*known] or growths or GROWTHS, constants[0][0])
        if not known:
            return
        # Exploration with a minus: explained by negative constants alone.
        if constants[-1][1] < 0:
            self._note_mistake("subtracted", len(even))
        # A constant of 0 explains everything: then it may never have explored at all.
        elif constants[0][0] <= 0:
            choices = sum(len(each.lines) - each.asked.width for each in even)
            self._note_mistake("no exploration", len(even), choices=f"{choices:,}")
        elif constants[0][0] > LARGEST_CONSTANT:
            self._note_mistake("too much", len(even), c=f"{constants[0][0]:.0f}")
        if rule is not None:
            drawn = [walked for walked in walks if walked.asked.draws]
            if not self._fit_constants(drawn, rule, known):
                names = [
                    name
                    for name, each in DRAW_RULES.items()
                    if self._fit_constants(drawn, replace(rule, draw=each.draw), known)
                ]
                self._note_mistake(names[0] if len(names) == 1 else "draws", len(drawn), c=_middle_text(constants))

    def _find_rule(
        self, walks: Sequence[LinesPlayed], growths: Sequence[Growth]
    ) -> tuple[ChoiceRule | None, dict[Growth, list[Interval]]]:
        """The rule by which a search chooses without draws, with the constants that are possible by growth of the tree.

        Of several wrong rules that explain everything none is named. The rule is None where none explains more than the
        root; where none explains that, there are no constants.
        """
        if known := self._fit_constants(walks, RIGHT_RULE, {each: [(-inf, inf)] for each in growths}):
            return RIGHT_RULE, known
        # A subtracted second part is seen at the right rule alone: each wrong one has a constant above 0.
        every = {each: [(SMALLEST_CONSTANT, inf)] for each in growths}
        rules: dict[tuple[str, str], ChoiceRule] = {(wide, ""): each for wide, each in WIDTH_RULES.items()}
        rules |= {("", side): each for side, each in SIDE_RULES.items()}
        fits = self._find_rules(walks, rules, every)
        # One mistake explains more than two, so pairs are tried last.
        if not fits:
            pairs = {
                (wide, side): replace(WIDTH_RULES[wide], side=SIDE_RULES[side].side)
                for wide in WIDTH_RULES
                for side in SIDE_RULES
            }
            fits = self._find_rules(walks, pairs, every)
        if len(fits) == 1:
            ((wide, side), (rule, known)) = next(iter(fits.items()))
            if wide:
                self._note_mistake(wide, len(walks))
            if side := side.partition(",")[0]:
                self._note_mistake(side, len(walks), law.BELOW_ROOT)
                if not self._fit_constants(walks, replace(rule, side=RIGHT_RULE.side), every, below=False):
                    self._note_mistake(side, len(walks), law.AT_ROOT)
            return None if wide == "no results" else rule, known
        known = self._fit_constants(walks, RIGHT_RULE, every, below=False)
        if known:
            self._note_mistake("below", len(walks), c=_middle_text(next(iter(known.values()))))
        else:
            self._note_mistake("other bound", len(walks))
        return None, known

    def _find_rules(
        self,
        walks: Sequence[LinesPlayed],
        rules: dict[tuple[str, str], ChoiceRule],
        every: dict[Growth, list[Interval]],
    ) -> dict[tuple[str, str], tuple[ChoiceRule, dict[Growth, list[Interval]]]]:
        """The rules that explain all choices, by the names of their mistakes."""
        fits = {key: (rule, self._fit_constants(walks, rule, every)) for key, rule in rules.items()}
        return {key: each for key, each in fits.items() if each[1]}

    @staticmethod
    def _fit_constants(
        walks: Sequence[LinesPlayed], rule: ChoiceRule, known: dict[Growth, list[Interval]], *, below: bool = True
    ) -> dict[Growth, list[Interval]]:
        """The constants with which a rule explains all choices, by growth of the tree."""
        found = {each: find_constants(walks, rule, each, left, below=below) for each, left in known.items()}
        return {each: left for each, left in found.items() if left}

    def _judge_answers_by_tries(self, growths: Sequence[Growth], c: float) -> None:
        """Hold the answers against the moves that were tried most, by the growth that explains most of them."""
        replies = [
            (LinesPlayed(asked, reply.lines), reply.move) for asked, reply in self.long if reply.move is not None
        ]
        possible = []
        for growth in growths:
            found = []
            for walked, _ in replies:
                games = walked.games_by_node(growth).get("", [])
                results = [(each.move, result_of(RIGHT_RULE, walked.asked, 0, each)) for each in games]
                found.append(possible_answers(results, walked.asked.width, c))
            right = {
                name: sum(move in each[name] for each, (_, move) in zip(found, replies, strict=True))
                for name in possible_answers([], 1, c)
            }
            possible.append(right)
        right = max(possible, key=lambda each: each[""])
        if wrong := len(replies) - right[""]:
            # Named only if one rule alone explains every answer.
            names = [name for name, count in right.items() if count == len(replies)]
            self._note_mistake(names[0] if len(names) == 1 else "choice", wrong, wrong=wrong, asked=len(replies))

    def _judge_small(self) -> None:
        """Hold the answers in small games against the best moves, where no other mistake explains them."""
        wrong = [(asked, reply.move) for asked, reply in self.small if reply.move not in (None, best_of(asked))]
        keys = {mark.example.breach.key for mark in self.faults.values() if mark.example and mark.example.breach}
        by_choices = self.faults.keys() & {law.LEGAL, *BY_CHOICES}
        if not wrong or (by_choices and keys != {"other bound"}):
            return
        asked, move = wrong[0]
        assert move is not None
        is_win = asked.ends in (SMALL[0][1], exchange_sides(SMALL[0][1]))
        key = "small games" if by_choices else "win missed" if is_win else "ends"
        self._note_mistake(
            key, len(wrong), where=ends_text(asked), said=MOVE_LETTERS[move], right=MOVE_LETTERS[best_of(asked)]
        )


def _middle_text(constants: Sequence[Interval]) -> str:
    """The middle of the possible constants."""
    low, high = constants[0][0], constants[-1][1]
    return f"{(low + high) / 2:.2f}" if high < LARGEST_CONSTANT else f"{low:.2f}"
