"""Grades of searches in any language: a program answers questions, a line for each.

A question is `STATE DEPTH`, as in `xx./.o./...:o 2`; the answer is `VALUE MOVE`, as in `0 c1`: for x the static
evaluation of the best line, `x` or `o` where that player wins, 0 for a draw; `-` where there is no move. A third word
may be the number of nodes that it entered. To the end of the game the question is `STATE` alone. Nothing is seen of the
program's tree, so a mistake is named by the wrong search that gives the same answers.
"""

import os
import queue
import random
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, NamedTuple

from plyground.errors import BadInput, sentence_of
from plyground.grading.asking import Asked, breach
from plyground.grading.games_held import GAMES_HELD, game_lost
from plyground.grading.grade import (
    CRITERIA,
    MORE_NODES,
    Counterexample,
    Criterion,
    CriterionMark,
    Exercise,
    SearchGrade,
    games_mark,
    reference_nodes,
    unanswered_of,
)
from plyground.grading.questions import SearchQuestion, of_game, questions_to_the_end, reference_of, sides
from plyground.grading.wrong_values import WRONG_VALUES
from plyground.laws.searches.laws import CheckedSearch
from plyground.laws.searches.recording import FullRecording
from plyground.microscope.columns import brief
from plyground.position import Position
from plyground.score import counted_plies, final, utility_of
from plyground.text import count_text
from plyground.wire.peer import Program, late_advice

PROGRAM = "program:"
GAME_ASKED: Final = "tictactoe"
"""Game of the questions to a program by default."""
QUESTION_SECONDS = 10.0
"""Seconds within which a program answers a question, its start included."""
SECOND_LINE_SECONDS = 0.2
"""Seconds in which a program may write a second line for its first question, which would be taken for the answer to the
next."""
AT_THE_END_SECONDS = 0.5
"""Seconds to wait for buffered output of a program whose input was closed."""
LONGEST_ANSWER = 200
"""Most characters of an answer."""
PLAYED, NODES = "whole games", "node count"
COUNT_PATTERN = re.compile("[0-9]{1,12}")
"""A number of nodes."""
FARTHEST_END = 100
"""Plies within which the end of a game is looked for."""
ANSWERED: Final = tuple(criterion for criterion in CRITERIA if criterion.by_answers)
"""Criteria of a program's grade."""


class NoAnswer(Exception):
    """A program gave no answer; the argument is a sentence."""


@dataclass(frozen=True)
class ProgramTask:
    """A question to a program."""

    game: str = GAME_ASKED
    to_the_end: bool = False
    """Whether questions are for exact values, without a depth."""

    def questions(self, seed: int) -> list[SearchQuestion]:
        """The questions, always the same for a seed.

        Raises:
            BadInput: there is no such game, or no question about it.
        """
        found = list((questions_to_the_end if self.to_the_end else of_game)(self.game, random.Random(seed)))
        if all(question.is_over for question in found):
            raise BadInput(f"{self.game}: no position was found from which a search to the end of the game is short.")
        return found


WITH_DEPTH: Final = ProgramTask()


class ProgramAnswer(NamedTuple):
    """An answer of a program."""

    value: int
    move: int
    """-1 where it has none, -2 where it is no move."""
    nodes: int | None = None
    """Nodes that it says to have entered; None where it does not say."""


@dataclass
class AnsweringProgram:
    """A program that answers questions; it is started at the first one."""

    command: str
    game: str
    _program: Program | None = None
    _lines: "queue.SimpleQueue[list[str] | None]" = field(default_factory=queue.SimpleQueue)
    """Lines that it has written, as they came together; None at their end."""

    def ask(self, line: str, is_answer: Callable[[str], bool]) -> str:
        """The line that the program answers to a line; of several the first that is no answer is named.

        Raises:
            NoAnswer: it has ended, says nothing, or writes more lines than one.
            BadInput: it cannot be started.
        """
        if is_first := self._program is None:
            self._start()
        assert self._program is not None and self._program.process.stdin is not None
        with suppress(queue.Empty):
            # A line that came unasked: taken for the next answer, it would shift all further ones by one.
            if late := self._lines.get_nowait():
                raise self._no_answer(f"It writes {late[0]!r} after its answer, where one line is meant", ended=False)
            self._lines.put(None)  # it has ended, as the answer tells
        with suppress(OSError):  # it has ended, as the answer tells
            self._program.process.stdin.write(f"{line}\n".encode())
            self._program.process.stdin.flush()
        try:
            said = self._lines.get(timeout=QUESTION_SECONDS)
        except queue.Empty:
            raise self._no_answer(
                f"It says nothing for {QUESTION_SECONDS:g} s{self._read_late()}", ended=False
            ) from None
        if said is None:
            raise self._no_answer("It has ended", ended=True)
        # Only after the first answer: a program that writes too much does so at once, and each wait costs a fifth of a
        # second.
        if is_first and len(said) == 1:
            with suppress(queue.Empty):
                if more := self._lines.get(timeout=SECOND_LINE_SECONDS):
                    said += more
                else:  # it has ended, as the next question tells
                    self._lines.put(None)
        if len(said) > 1:
            odd = next((text for text in said if not is_answer(text)), "")
            several = f"It answers by several lines, {said[0]!r} and {said[1]!r}, where one is meant"
            what = f"{several}: {odd!r} is no answer, and belongs on standard error" if odd else several
            raise self._no_answer(what, ended=False)
        return said[0]

    def _read_late(self) -> str:
        """Quotation of the lines that a silent program writes when its input is closed; empty without any."""
        assert self._program is not None
        # Many languages keep output back while the input is open, where it is no terminal; its end makes them write it.
        # An answer that comes only then proves a missing flush; without one the program is silent.
        self._program.end_input()
        with suppress(queue.Empty):
            if said := self._lines.get(timeout=AT_THE_END_SECONDS):
                return f"; {late_advice(repr(said[0]))}"
        return ""

    def _no_answer(self, what: str, *, ended: bool) -> NoAnswer:
        """Sentence about a program that did not answer, with its last words; it is ended."""
        assert self._program is not None
        # Read before the program is closed: its last words are often the reason.
        words = self._program.errors(ended=ended).quotation
        self.close()
        return NoAnswer(sentence_of("; ".join(filter(None, [what, words]))))

    def close(self) -> None:
        """End the program; the next question starts it again."""
        program, self._program = self._program, None
        if program:
            program.close()

    def _start(self) -> None:
        # A queue for each start: the reader of the program before cannot write into it.
        lines: queue.SimpleQueue[list[str] | None] = queue.SimpleQueue()
        self._lines = lines
        self._program = Program(self.command, {"game": self.game}, piped=True)
        output = self._program.process.stdout
        assert output is not None

        def listen() -> None:
            with output, suppress(OSError, ValueError):
                rest = b""
                while data := os.read(output.fileno(), 65_536):
                    *whole, rest = (rest + data).split(b"\n")
                    # A line without an end must not fill the grader's memory.
                    rest = rest[:LONGEST_ANSWER]
                    texts = [line.decode("utf-8", "replace").strip()[:LONGEST_ANSWER] for line in whole]
                    if said := [text for text in texts if text]:
                        lines.put(said)
            lines.put(None)

        threading.Thread(target=listen, name="plyground graded program", daemon=True).start()


@dataclass
class ProgramPupil:
    """A program as a search that is graded: its answers, and nothing else."""

    program: AnsweringProgram
    name: str
    to_the_end: bool = False
    counts: dict[SearchQuestion, int] = field(default_factory=dict)
    """Nodes that it says to have entered, by question."""
    ended: str = ""
    """Reason that it is asked nothing more."""
    with_depth: bool | None = None
    """Whether a depth is part of the question; None: not known yet, for it may need one though none is meant."""

    def __post_init__(self) -> None:
        self.with_depth = None if self.to_the_end else True

    def answer(self, question: SearchQuestion) -> tuple[int, int] | None:
        """Answer to a question; None where it is none."""
        with suppress(NoAnswer):
            return self.answer_counting(question)[:2]
        return None

    def ask(self, question: SearchQuestion) -> Asked:
        """Put a question to the program. Returns its answer, or a breach where none came."""
        game = question.position.game
        known = reference_of(game, False)
        text = partial(brief, names=game.names)
        held = CheckedSearch(game, FullRecording(), question.depth, 0, False, False, question.window, known, text, None)
        try:
            value, move, nodes = self.answer_counting(question)
        except NoAnswer as fault:
            return Asked(question, None, held, [replace(breach("no answer", said=""), words=str(fault))])
        if nodes is not None:
            self.counts[question] = nodes
        return Asked(question, (value, move), held, [])

    def answer_counting(self, question: SearchQuestion) -> ProgramAnswer:
        """Answer to a question, with the nodes that it says to have entered.

        Raises:
            NoAnswer: it gives none.
            BadInput: the program cannot be started.
        """
        if self.ended:
            raise NoAnswer(self.ended)
        if self.with_depth is not None:
            return self._ask_program(question, with_depth=self.with_depth)
        try:
            found = self._ask_program(question, with_depth=False)
            self.with_depth = False
        except NoAnswer as fault:  # perhaps it was written for a question of two words: the end is as deep as that
            self.program.close()
            try:
                found, self.ended = self._ask_program(question, with_depth=True), ""
            except NoAnswer:
                self.ended = str(fault)
                raise fault from None
            self.with_depth = True
        return found

    def _ask_program(self, question: SearchQuestion, *, with_depth: bool) -> ProgramAnswer:
        line = question.position.text + (f" {question.depth}" if with_depth else "")
        try:
            said = self.program.ask(line, lambda text: self._is_answer(question, text))
        except NoAnswer as fault:
            # One missing answer ends the questions: at ten seconds each, a program that hangs would cost a class hours.
            self.ended = str(fault) if self.with_depth is not None else ""
            raise
        return self._read_answer(question.position, said)

    def _read_answer(self, position: Position, said: str) -> ProgramAnswer:
        """Read an answer.

        Raises:
            NoAnswer: it is not `VALUE MOVE`, nor `VALUE MOVE NODES`.
        """
        words = said.split()
        value = self._read_value(position, words[0]) if len(words) >= 2 else None
        if value is None:
            raise NoAnswer(f"It answers {said!r}, where `VALUE MOVE` is meant: a number, x or o, and a move or -.")
        nodes = int(words[2]) if len(words) > 2 and COUNT_PATTERN.fullmatch(words[2]) else None
        try:
            move = -1 if words[1] == "-" else position.game.parse_move(position.state, words[1])
        except BadInput:
            move = -2
        return ProgramAnswer(value, move, nodes)

    def _read_value(self, position: Position, word: str) -> int | None:
        """Value for x that a word says; None where it is none."""
        marks = [mark.lower() for mark in position.game.marks]
        if word.lower() in marks:
            return final((1, -1)[marks.index(word.lower())], 0)
        try:
            # Some programs print a typographic minus.
            number = int(word.replace("−", "-"))
        except ValueError:
            return None
        return final(number, 0) if self.to_the_end else number

    def _is_answer(self, question: SearchQuestion, said: str) -> bool:
        """Whether a line has the form of an answer."""
        with suppress(NoAnswer):
            self._read_answer(question.position, said)
            return True
        return False


def grade_program(
    spec: str,
    task: ProgramTask = WITH_DEPTH,
    seed: int = 0,
    exercise: Exercise = "",
    on_question: Callable[[], None] | None = None,
) -> SearchGrade:
    """Grade a search by the answers of a program.

    Args:
        spec: `program:COMMAND`; the command may have `{game}`.
        task: the questions to it.
        seed: of the random positions.
        exercise: what its count of nodes is held against; by default minimax if it is minimax's, else alpha-beta.
        on_question: called after each question.

    Raises:
        BadInput: there is no such game, or the program cannot be started.
    """
    wanted = task.questions(seed)
    with closing(AnsweringProgram(spec.removeprefix(PROGRAM), task.game)) as program:
        pupil = ProgramPupil(program, spec, task.to_the_end)
        asked = []
        for question in wanted:
            asked.append(pupil.ask(question))
            (on_question or (lambda: None))()
        counted = _count_nodes(pupil, asked)
        key = _likely(asked, task)
        criteria = [criterion for criterion in CRITERIA if criterion in ANSWERED or criterion.name == NODES]
        marks = tuple(
            mark
            for criterion in criteria
            if (
                mark := (
                    _mark_nodes(criterion, counted, exercise)
                    if criterion.name == NODES
                    else _mark_criterion(pupil, criterion, asked, key, task.game)
                )
            )
        )
        example = next((mark.example for mark in marks if mark.example), None)
        return SearchGrade(
            spec, marks, (example,) if example else (), remarks=(_nodes_words(counted),) if counted else ()
        )


class CountedNodes(NamedTuple):
    """Nodes that a program says to have entered for a question, and those of the textbook's searches."""

    asked: Asked
    nodes: int
    minimax: int
    alphabeta: int
    """In the game's own order of moves."""


def _count_nodes(pupil: ProgramPupil, asked: list[Asked]) -> list[CountedNodes]:
    """Nodes by question, where the program says them and the game goes on."""
    return [
        CountedNodes(
            each, pupil.counts[each.question], reference_nodes(each, "minimax"), reference_nodes(each, "alphabeta")
        )
        for each in asked
        if each.question in pupil.counts and not each.question.is_over
    ]


def _mark_nodes(criterion: Criterion, counted: list[CountedNodes], exercise: Exercise) -> CriterionMark | None:
    """Points for the nodes that a program says to have entered; None where it says none.

    Minimax enters the same ones in any order; alpha-beta may need a quarter more in another order of moves.
    """
    if not counted:
        return None
    # A count is the program's own claim: it costs or earns the points of this criterion alone.
    others = [each for each in counted if each.nodes != each.minimax]
    if exercise != "alphabeta" and not others:
        return CriterionMark(criterion, len(counted), 0)
    if exercise == "minimax":
        failed = others
    else:
        is_enough = sum(each.nodes for each in counted) <= MORE_NODES * sum(each.alphabeta for each in counted)
        failed = [] if is_enough else [each for each in counted if each.nodes > each.alphabeta]
    # No search enters less than its root.
    failed += [each for each in counted if each.nodes < 1 and each not in failed]
    if not failed:
        return CriterionMark(criterion, len(counted), 0)
    worst = max(failed, key=lambda each: each.nodes / (each.minimax if exercise == "minimax" else each.alphabeta))
    both = f"minimax enters {worst.minimax:,}, and {worst.alphabeta:,} are enough for alpha-beta"
    meant = {
        "minimax": f"minimax enters {worst.minimax:,}",
        "alphabeta": f"{worst.alphabeta:,} are enough for alpha-beta",
    }.get(exercise, both)
    root = ": the root counts, too" if worst.nodes == worst.minimax - 1 else ""
    sentence = f"It says that it enters {count_text(worst.nodes, 'node')} where {meant}{root}."
    example = Counterexample(worst.asked.question, None, worst.asked, sentence)
    return CriterionMark(criterion, len(counted), len(failed), example)


def _nodes_words(counted: list[CountedNodes]) -> str:
    """Comparison of a program's nodes with those of the textbook's searches, in a sentence."""
    nodes, minimax = sum(each.nodes for each in counted), sum(each.minimax for each in counted)
    alphabeta = sum(each.alphabeta for each in counted)
    return (
        f"Nodes by its own count, in {count_text(len(counted), 'question')}: {nodes:,}, {nodes / minimax:.0%} of "
        f"minimax's {minimax:,}; in the game's order of moves alpha-beta enters {alphabeta:,}."
    )


def _mark_criterion(
    pupil: ProgramPupil, criterion: Criterion, asked: list[Asked], key: str, game: str
) -> CriterionMark | None:
    """Points for a criterion; None where it cannot be asked."""
    if criterion.name == PLAYED:
        lost = [game_lost(pupil, held) for held in GAMES_HELD if held.name == game]
        return games_mark(criterion, lost, asked[0]) if lost else None
    about = [each for each in asked if _is_about(criterion, each.question)]
    failed = [each for each in about if _misses(criterion, each)]
    if criterion.name == "best move among equals" and not any(map(_shows_its_choice, about)):
        failed = about
    if not failed:
        return CriterionMark(criterion, len(about), 0) if about else None
    example = _example(pupil, criterion, failed[0], key)
    return CriterionMark(criterion, len(about), len(failed), example, unanswered_of(failed))


def criteria_asked(task: ProgramTask, seed: int) -> list[Criterion]:
    """Criteria of a program's grade that questions can show, beside its count of nodes.

    Raises:
        BadInput: there is no such game.
    """
    wanted = task.questions(seed)
    return [
        criterion
        for criterion in ANSWERED
        if (
            any(held.name == task.game for held in GAMES_HELD)
            if criterion.name == PLAYED
            else any(_is_about(criterion, question) for question in wanted)
        )
    ]


def _is_about(criterion: Criterion, question: SearchQuestion) -> bool:
    if criterion.name == "finished positions":
        return question.is_over
    if " to move" in criterion.name:
        return not question.is_over and sides(question) == criterion.name
    return not question.is_over


def _misses(criterion: Criterion, asked: Asked) -> bool:
    if asked.answer is None:
        return True
    _, move = asked.answer
    question = asked.question
    if criterion.name == "legal move":
        return move not in list(question.position.legal_moves)
    if criterion.name == "best move among equals":
        best = reference_of(question.position.game, False).best(question.position.state, question.depth)
        return asked.is_right and bool(best) and move in list(question.position.legal_moves) and move not in best
    if criterion.name == "finished positions":
        return not asked.is_right or move != -1
    return not asked.is_right


def _shows_its_choice(asked: Asked) -> bool:
    """Whether an answer is right and its move legal: only then it shows which of equal moves the program takes."""
    return asked.answer is not None and asked.is_right and asked.answer[1] in list(asked.question.position.legal_moves)


_NO_SUCH = {False: "a move that is not legal", True: "a move, though the game is over"}
"""Words for a move that cannot be played, by whether the game is over."""


def _example(pupil: ProgramPupil, criterion: Criterion, asked: Asked, key: str) -> Counterexample:
    """A failed question with as few plies as can be found below it."""
    small = asked
    # Down as long as one of the next positions fails as well; each step is a ply less deep, so it ends.
    while smaller := next(_below(pupil, criterion, small), None):
        small = smaller
    text = small.held.text
    if small.answer is None:
        sentence = small.breaches[0].words
    else:
        value, move = small.answer
        game, state = small.question.position.game, small.question.position.state
        legal = list(small.question.position.legal_moves)
        name = "-" if move == -1 else game.move_text(state, move) if move in legal else _NO_SUCH[small.question.is_over]
        best = reference_of(game, False).best(state, small.question.depth) if legal else []
        right = " or ".join(game.move_text(state, each) for each in best) or "-"
        said, truth = f"{text(value)}, {name}", f"{text(small.truth)}, {right}"
        sentence = f"It answers {said}; {truth} is right." if said != truth else f"It answers {said}."
    named = None
    if key and small.answer is not None and not small.is_right:
        x, o = small.question.position.game.names
        named = replace(breach(key, x=x, o=o, plies=counted_plies(1)), seen=sentence)
    return Counterexample(small.question, named, small, sentence)


def _below(pupil: ProgramPupil, criterion: Criterion, asked: Asked) -> Iterator[Asked]:
    """Questions after one move, a ply less deep, that fail too."""
    question = asked.question
    if question.depth <= 1 or question.is_over or asked.answer is None:
        return
    for move in question.position.legal_moves:
        after = question.position.play(move)
        smaller = replace(question, position=Position(after.game, after.state), depth=question.depth - 1)
        found = pupil.ask(smaller)
        if _is_kind(criterion, smaller) and _misses(criterion, found):
            yield found


def _is_kind(criterion: Criterion, question: SearchQuestion) -> bool:
    """Whether a smaller question is of a criterion's kind: sides and parity may change with a move."""
    return question.is_over == (criterion.name == "finished positions")


def _likely(asked: list[Asked], task: ProgramTask) -> str:
    """The mistake whose search gives all the answers; empty where none does, or all are right."""
    answered = [each for each in asked if each.answer is not None]
    if all(each.is_right for each in answered):
        return ""
    # All answers must agree: one that the wrong search would not give refutes the name.
    for key, value in WRONG_VALUES.items():
        if all(each.answer and value(each.question) == each.answer[0] for each in answered):
            return key
    return "to the end" if not task.to_the_end and all(map(_is_of_the_end, answered)) else ""


def _is_of_the_end(asked: Asked) -> bool:
    """Whether an answer is the value at the end of the game, as a mark or a number of points, at any depth."""
    game, state = asked.question.position.game, asked.question.position.state
    try:
        value = reference_of(game, False)(state, FARTHEST_END, 0)
    except RecursionError:  # it may go on for ever
        return False
    return value is not None and asked.answer is not None and asked.answer[0] in (value, utility_of(value))


def is_program(search: str) -> bool:
    """Whether a search is named as a program."""
    return search.startswith(PROGRAM)
