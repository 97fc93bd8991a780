"""Grades of searches in any language: a program answers questions, a line for each.

A question is `STATE DEPTH`, as in `xx./.o./...:o 2`; the answer is `VALUE MOVE`, as in `0 c1`: for x the static
evaluation of the best line, `x` or `o` where that player wins, 0 for a draw; `-` where there is no move. Nothing is
known of the program's nodes, so a mistake is named by the wrong search that gives the same answers.
"""

import os
import queue
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from plyground.errors import BadInput, sentence_of
from plyground.grading.asking import Asked, breach
from plyground.grading.games_held import GAMES_HELD, game_lost
from plyground.grading.grade import (
    CRITERIA,
    Counterexample,
    Criterion,
    CriterionMark,
    SearchGrade,
    games_mark,
    unanswered_of,
)
from plyground.grading.questions import SearchQuestion, of_game, reference_of, sides
from plyground.grading.wrong_values import WRONG_VALUES
from plyground.laws.search_laws import HeldSearch
from plyground.laws.search_recording import FullRecording
from plyground.microscope.columns import brief
from plyground.position import Position
from plyground.score import counted_plies, final
from plyground.wire.peer import Program

PROGRAM = "program:"
GAME_ASKED: Final = "tictactoe"
"""Game whose positions a program is asked about, unless another one is named."""
QUESTION_SECONDS = 10.0
"""Seconds within which a program answers a question, its start included."""
SECOND_LINE_SECONDS = 0.2
"""Seconds in which a program may write a second line for its first question, which would be taken for the answer to the
next."""
LONGEST_ANSWER = 200
"""Most characters of an answer."""
PLAYED = "whole games"
ANSWERED: Final = tuple(criterion for criterion in CRITERIA if criterion.by_answers)
"""Criteria of a program's grade."""


class NoAnswer(Exception):
    """A program gave no answer; the argument is a sentence."""


@dataclass
class AnsweringProgram:
    """A program that is asked questions; it is started at the first one."""

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
            if late := self._lines.get_nowait():
                raise self._no_answer(f"It writes {late[0]!r} after its answer, where one line is meant", ended=False)
            self._lines.put(None)  # it has ended, as the answer tells
        with suppress(OSError):  # it has ended, as the answer tells
            self._program.process.stdin.write(f"{line}\n".encode())
            self._program.process.stdin.flush()
        try:
            said = self._lines.get(timeout=QUESTION_SECONDS)
        except queue.Empty:
            raise self._no_answer(f"It says nothing for {QUESTION_SECONDS:g} s", ended=False) from None
        if said is None:
            raise self._no_answer("It has ended", ended=True)
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

    def _no_answer(self, what: str, *, ended: bool) -> NoAnswer:
        """The sentence of what the program did instead of an answer, with its last words; it is ended."""
        assert self._program is not None
        words = self._program.errors(ended=ended).quotation
        self.close()
        return NoAnswer(sentence_of("; ".join(filter(None, [what, words]))))

    def close(self) -> None:
        """End the program; the next question starts it again."""
        program, self._program = self._program, None
        if program:
            program.close()

    def _start(self) -> None:
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
    ended: str = ""
    """Reason that it is asked nothing more."""

    def answer(self, question: SearchQuestion) -> tuple[int, int] | None:
        """Answer to a question; None where it is none."""
        with suppress(NoAnswer):
            return self._answer(question)
        return None

    def ask(self, question: SearchQuestion) -> Asked:
        """Put a question."""
        game = question.position.game
        known = reference_of(game, False)
        text = partial(brief, names=game.names)
        held = HeldSearch(game, FullRecording(), question.depth, 0, False, False, question.window, known, text, None)
        try:
            return Asked(question, self._answer(question), held, [])
        except NoAnswer as fault:
            return Asked(question, None, held, [replace(breach("no answer", said=""), words=str(fault))])

    def _answer(self, question: SearchQuestion) -> tuple[int, int]:
        if self.ended:
            raise NoAnswer(self.ended)
        try:
            said = self.program.ask(
                f"{question.position.text} {question.depth}", partial(_is_answer, question.position)
            )
        except NoAnswer as fault:
            self.ended = str(fault)
            raise
        return _read(question.position, said)


def _read(position: Position, said: str) -> tuple[int, int]:
    """An answer, read; a move that is none is -2.

    Raises:
        NoAnswer: it is not `VALUE MOVE`.
    """
    words = said.split()
    value = _value(position, words[0]) if len(words) >= 2 else None
    if value is None:
        raise NoAnswer(f"It answers {said!r}, where `VALUE MOVE` is meant: a number, x or o, and a move or -.")
    if words[1] == "-":
        return value, -1
    try:
        return value, position.game.parse_move(position.state, words[1])
    except BadInput:
        return value, -2


def _is_answer(position: Position, said: str) -> bool:
    """Whether a line has the form of an answer."""
    with suppress(NoAnswer):
        _read(position, said)
        return True
    return False


def _value(position: Position, word: str) -> int | None:
    marks = [mark.lower() for mark in position.game.marks]
    if word.lower() in marks:
        return final((1, -1)[marks.index(word.lower())], 0)
    try:
        return int(word.replace("−", "-"))
    except ValueError:
        return None


def grade_program(
    spec: str, game: str = GAME_ASKED, seed: int = 0, on_question: Callable[[], None] | None = None
) -> SearchGrade:
    """Grade a search by the answers of a program.

    Args:
        spec: `program:COMMAND`; the command may have `{game}`.
        game: the game of the positions.
        seed: of the random positions.
        on_question: called after each question.

    Raises:
        BadInput: there is no such game, or the program cannot be started.
    """
    wanted = list(of_game(game, random.Random(seed)))
    with closing(AnsweringProgram(spec.removeprefix(PROGRAM), game)) as program:
        pupil = ProgramPupil(program, spec)
        asked = []
        for question in wanted:
            asked.append(pupil.ask(question))
            (on_question or (lambda: None))()
        key = _likely(asked)
        marks = tuple(mark for criterion in ANSWERED if (mark := _mark(pupil, criterion, asked, key, game)))
        example = next((mark.example for mark in marks if mark.example), None)
        return SearchGrade(spec, marks, (example,) if example else ())


def _mark(pupil: ProgramPupil, criterion: Criterion, asked: list[Asked], key: str, game: str) -> CriterionMark | None:
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


def criteria_asked(game: str, seed: int) -> list[Criterion]:
    """Criteria of a program's grade that questions about a game can show.

    Raises:
        BadInput: there is no such game.
    """
    wanted = list(of_game(game, random.Random(seed)))
    return [
        criterion
        for criterion in ANSWERED
        if (
            any(held.name == game for held in GAMES_HELD)
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


def _likely(asked: list[Asked]) -> str:
    """The mistake whose search gives all the answers; empty where none does, or all are right."""
    answered = [each for each in asked if each.answer is not None]
    if all(each.is_right for each in answered):
        return ""
    for key, value in WRONG_VALUES.items():
        if all(each.answer and value(each.question) == each.answer[0] for each in answered):
            return key
    return ""


def is_program(search: str) -> bool:
    """Whether a search is named as a program."""
    return search.startswith(PROGRAM)
