"""Questions put to a search: its answer, its recording and its end, held against the laws."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any

from plyground.grading.questions import QUIET_GAMES, SearchQuestion, reference_of
from plyground.laws.answering import Answers, SearchReply
from plyground.laws.searches.evidence import leaks
from plyground.laws.searches.facts import is_right_within, reported_pair, reports_the_mover, takes_root_for_max
from plyground.laws.searches.laws import CheckedSearch, SearchBreach
from plyground.laws.searches.mistakes import MISTAKES
from plyground.laws.searches.quiescence import kind_of, plain_game, with_quiet_leaves
from plyground.laws.searches.recording import FullRecording, above_horizon
from plyground.microscope.columns import brief
from plyground.position import Position
from plyground.rules import Game
from plyground.score import final
from plyground.search.algorithm import Query

NODES_EACH = 1_000
"""Most nodes that a search may enter for a question; minimax enters some 200 in the largest."""
NODES_DEEP = 12_000
"""Most nodes for a question of which the answer is asked first; minimax enters some 1,500."""
NODES_A_GAME = 20_000
"""Most nodes that a search may enter for a move of a game."""
BREACHES_EACH = 20
"""Most breaches of one question that are collected: a wrong search may break a law at every node."""


@dataclass
class Asked:
    """Answer of a search to a question, and the recording of it."""

    question: SearchQuestion
    answer: tuple[int, int] | None
    """Value for x and move; None where it gave none."""
    held: CheckedSearch
    breaches: list[SearchBreach]
    """Laws that it breaks, in the order of events."""

    @property
    def nodes(self) -> int:
        """Nodes entered in all."""
        return len(self.held.nodes)

    @property
    def truth(self) -> int:
        """Minimax's value."""
        return self.held.truth_of(self.question.position.state)

    @property
    def answer_is_best(self) -> bool:
        """Whether the move is one of the best; also in a finished game."""
        position = self.question.position
        best = reference_of(position.game, self.held.prefer_shorter).best(position.state, self.question.depth)
        return self.answer is not None and (not best or self.answer[1] in best)

    @property
    def is_right(self) -> bool:
        """Whether the value is minimax's, or within the given window a bound of it."""
        if self.answer is None:
            return False
        return is_right_within(self.answer[0], self.truth, self.question.window)


@dataclass
class Pupil:
    """A search under questions, judged by its answers."""

    search: Answers
    prefer_shorter: bool = False
    negamax: bool | None = None
    """Whether it reports the mover's values; None: not known yet."""
    mixes_extremes: bool | None = None
    """Whether it takes the other player's extreme at some nodes; None: not known yet."""
    root_is_max: bool = False
    """Whether it takes the player to move at the root for MAX."""
    leaks: bool | None = None
    """Whether its windows are changed by searches below other moves; None: not known yet."""

    @property
    def name(self) -> str:
        """Name, as on the command line."""
        return self.search.name

    @property
    def has_window(self) -> bool:
        """Whether it has a window, alpha and beta."""
        return "alpha" in self.search.takes

    @contextmanager
    def at_school(self) -> Iterator["Pupil"]:
        """Context in which questions can be asked."""
        with self.search.asking():
            self.prefer_shorter = "prefer_shorter" in self.search.takes
            yield self

    def answer(self, question: SearchQuestion) -> tuple[int, int] | None:
        """Returns the answer to a question, without recording the search; None where it is no answer."""
        return self.ask_counting(question, NODES_A_GAME)[0]

    def hurries(self, question: SearchQuestion) -> bool:
        """Whether its answer to a question should be the sooner win."""
        return self.prefer_shorter and (question.hurries or "prefer_shorter" not in self.search.takes)

    def ask_counting(self, question: SearchQuestion, most: int) -> tuple[tuple[int, int] | None, int]:
        """Returns the answer to a question, or None after `most` nodes without one, and the number of nodes entered."""
        for place, each in enumerate(question.after):
            self.search.reply(each.name, self._query(each), most, recorded=False, anew=not place)
        query, anew = self._query(question), not question.after
        reply = self.search.reply(question.name, query, most, recorded=False, anew=anew)
        return reply.answer, reply.nodes

    def _query(self, question: SearchQuestion) -> Query:
        game, state = plain_game(question.position.game), question.position.state
        return Query(game, state, question.depth, self.hurries(question), 0, *question.window)

    def ask(self, question: SearchQuestion) -> Asked:
        """Put a question, and hold the recorded search against the laws."""
        if question.by_answer:
            answer = self.ask_counting(question, NODES_DEEP)[0]
            asked = Asked(question, answer, self._hold_recording(question, FullRecording()), [])
            # A recording of twelve thousand nodes is made only where the answer is wrong: a right search costs one
            # plain run.
            if asked.is_right and (question.is_over or asked.answer_is_best):
                return asked
        most = NODES_DEEP if question.by_answer else NODES_EACH
        earlier: list[CheckedSearch] = []
        # In one process, one after the other: a table that is kept from question to question shows its faults only so.
        for each in question.after:
            before = self._reply(each, most, anew=not earlier)
            earlier.append(self._hold_recording(each, before.recording))
        reply = self._reply(question, most, anew=not earlier)
        held = self._hold_recording(
            question, reply.recording, tuple(each for each in earlier if each.recording.is_balanced)
        )
        asked = Asked(question, reply.answer, held, self._breaches(question, reply, held))
        # Right when asked alone, wrong after others: then what it kept is the cause, whatever else it breaks.
        if earlier and not asked.is_right and self.ask(replace(question, after=())).is_right:
            asked.breaches.append(breach("table left", seen=f"Asked alone, it answers {held.text(asked.truth)}."))
        return asked

    def _reply(self, question: SearchQuestion, most: int, *, anew: bool) -> SearchReply:
        return self.search.reply(question.name, self._query(question), most, recorded=True, anew=anew)

    def _hold_recording(
        self, question: SearchQuestion, recording: FullRecording, earlier: tuple[CheckedSearch, ...] = ()
    ) -> CheckedSearch:
        game, hurries = question.position.game, self.hurries(question)
        if plain_game(game) is not game:
            recording = above_horizon(recording, question.depth)
        return CheckedSearch(
            game,
            recording,
            question.depth,
            0,
            hurries,
            self.has_window,
            question.window,
            reference_of(game, hurries),
            partial(brief, names=game.names),
            self.negamax,
            self.mixes_extremes,
            self.root_is_max,
            self.leaks,
            earlier,
        )

    def _breaches(self, question: SearchQuestion, reply: SearchReply, held: CheckedSearch) -> list[SearchBreach]:
        """Laws that the search breaks in a question, in the order of events."""
        recording, answer = reply.recording, reply.answer
        asked = Asked(question, answer, held, [])
        node = recording.current if reply.node < 0 else reply.node
        ended = breach(reply.ended, node, reply.words, said=reply.words) if reply.ended else None
        # Without every node left there is no parent to hold a value against; but a search that was ended in mid-flight
        # is held as far as it went.
        breaches = list(islice(held.breaches(), BREACHES_EACH)) if ended or recording.is_balanced else []
        if ended is None and answer is None:
            ended = breach("no answer", said=reply.said)
        if ended is None and held.nodes and not recording.is_balanced:  # its nodes say nothing then
            breaches.append(breach("not left" if recording.is_open else "left twice"))
        elif answer is not None and ended is None:
            breaches += self._answer_breaches(question, held, answer)
        # Where a search without end, or one that fails, has broken a law before, that is the cause and is named alone.
        elif ended and not (ended.key in ("without end", "fails") and breaches):
            breaches.append(ended)
        if ended is None and asked.is_right:
            last = recording.last_pass  # of a search that deepens, the passes before are none of the answer's
            breaches = [each for each in breaches if each.node < 0 or each.node >= last]
        if (
            answer is not None
            and recording.is_balanced
            and not (asked.is_right and (asked.answer_is_best or not question.is_open))
        ):
            breaches += held.first_wrong()
        return breaches

    def _answer_breaches(
        self, question: SearchQuestion, held: CheckedSearch, answer: tuple[int, int]
    ) -> Iterator[SearchBreach]:
        """Breaches that only the answer shows."""
        value, move = answer
        pair = reported_pair(held.recording)
        if pair is None:
            yield breach("not reported")
        # Not the root: its window is the question's, so that a search may leave it unsaid.
        below = [told for node, told in zip(held.nodes, held.reports, strict=True) if node.parent >= 0]
        if self.has_window and below and all(told.window is None for told in below):
            yield breach("window not told")
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
        is_turned = held.is_turned(held.recording.last_pass)
        x_value = -pair[0] if is_turned else pair[0]
        roots = [node for node in held.nodes if node.parent < 0]
        if value not in {node.value for node in roots}:
            seen = f"It reports {held.text(x_value)} and returns {held.text(value)}."
            if value == -x_value:
                yield breach("answer of the mover" if is_turned else "answer negated", 0, seen=seen)
            else:
                yield breach("two answers", 0, seen=seen)
        elif value != x_value and not is_right_within(value, held.truth_of(question.position.state), question.window):
            yield breach(
                "earlier pass", 0, f"Its last pass gives {held.text(x_value)}, and it returns {held.text(value)}."
            )
        elif move not in {node.best for node in roots}:
            yield breach("two answers", 0, seen=f"It reports move {pair[1]} and returns move {move}.")


def breach(key: str, node: int = -1, seen: str = "", **more: object) -> SearchBreach:
    """A breach of a law that belongs to no event."""
    return SearchBreach(key, MISTAKES[key].words.format(**more), seen, node)


def learn(pupil: Pupil, asked: list[SearchQuestion]) -> None:
    """Learn how a search reports: whether it counts plies unasked, and whether its values are the mover's; and whether
    it takes the other player's extreme somewhere, as the cause of wrong windows and cuts."""
    pupil.prefer_shorter = pupil.prefer_shorter or counts_plies(pupil, asked)
    # Depths 2 and 3: deep enough for a sign to be turned below the root, and small. About sixteen of them suffice to
    # learn how a search reports.
    some = [question for question in asked if question.is_open and question.depth in (2, 3)]
    seen = [pupil.ask(question).held for question in some[:: max(len(some) // 16, 1)]]
    balanced = [held for held in seen if held.recording.is_balanced]
    pupil.root_is_max = takes_root_for_max(sum((held.root_evidence for held in balanced), Counter()))
    # Evidence is counted over all questions and not decided by one: a wrong search may look like either at one node.
    pupil.negamax = not pupil.root_is_max and reports_the_mover(sum((held.evidence for held in balanced), Counter()))
    turned = [replace(held, negamax=pupil.negamax, root_is_max=pupil.root_is_max) for held in balanced]
    # Only now: leaks are told by windows as x sees them, which need the sign that was just learned.
    pupil.leaks = leaks(sum((held.leak_evidence for held in turned), Counter()))
    pupil.mixes_extremes = any(held.takes_both_extremes for held in turned)


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


def with_leaves_of(pupil: Pupil, asked: list[SearchQuestion]) -> list[SearchQuestion]:
    """Questions to a quiescence search in the games that it is for, with leaves of its kind: that of its answers to
    depth 0. Plies do not count, for those below the horizon are not known."""

    def answers() -> Iterator[tuple[Game[Any], Any, int]]:
        for question in asked:
            for after in (question.position, *map(question.position.play, question.position.legal_moves)):
                here = replace(question, position=Position(after.game, after.state), depth=0, after=(), hurries=False)
                if (answer := pupil.answer(here)) and not here.is_over:
                    yield after.game, after.state, answer[0]

    asked = [question for question in asked if question.name in QUIET_GAMES]
    kind = kind_of(answers())

    def with_leaves(question: SearchQuestion) -> SearchQuestion:
        position = Position(with_quiet_leaves(question.position.game, kind), question.position.state)
        after = tuple(map(with_leaves, question.after))
        return replace(question, position=position, after=after, hurries=False)

    return [with_leaves(question) for question in asked]
