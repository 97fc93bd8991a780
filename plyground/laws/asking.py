"""Calls of a game's questions under a time limit; an error in an answer breaks the question's law."""

import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from plyground.board.look import Board
from plyground.errors import BadInput, clause_of
from plyground.faults import endless_place, error_words, remedy, user_place
from plyground.laws.states import short_text, state_fault, structure_fault
from plyground.rules import MOST_MOVES, ONGOING, Game
from plyground.timeouts import TimeExceeded, TimeLimit

# A game of any kind of state, and its states.
AnyGame = Game[Any]
AnyState = Any

ANSWER_SECONDS = 5.0
"""CPU seconds that one answer may take."""
LISTED_QUESTIONS = (
    "moves",
    "candidates",
    "stands",
    "strokes",
    "caption",
    "notice",
    "path",
    "state_signs",
    "move_signs",
    "notation_signs",
)
"""Questions whose answer is an iterable of ints."""
MOVES_AT_MOST = 12
"""Moves per state that are checked by the laws of one move: some from the front and some from the end."""


class BrokenLaw(Exception):
    """A law is broken. Arguments: the law, the sentence, and file and line where these are not the rule's."""


class LawsTimedOut(Exception):
    """The deadline of the whole check has passed."""


def require(holds: bool, law: str, sentence: str) -> None:
    """Raise `BrokenLaw` for a law unless `holds`."""
    if not holds:
        raise BrokenLaw(law, sentence)


@dataclass
class CheckedGame:
    """Game whose questions are called by name. An error in an answer raises `BrokenLaw` for the law of the question."""

    game: AnyGame
    deadline: float = float("inf")
    notes: dict[str, None] = field(default_factory=dict)
    time_limit: TimeLimit = field(default_factory=lambda: TimeLimit(ANSWER_SECONDS))
    asked: str = ""
    """The question being answered, or the last one."""
    _pattern: AnyState = None
    """The first state; all others must have its structure."""
    _listed: tuple[AnyState, list[int]] = ((), [])
    """The last state whose legal moves were listed, and these moves."""
    _late: tuple[object, ...] = ()
    """The broken law of an answer that did not come in time: nothing else is asked after it."""
    _board: "Board | BrokenLaw | None" = None
    """The board, or the law that its answer breaks; None before the first call."""

    def __call__(self, question: str, *args: object) -> Any:
        """Return the answer to a question; an iterable of ints as a list."""
        self.check_time()
        self.asked = question
        try:
            answer = self.time_limit(self._ask_rules, question, *args)
        except BrokenLaw:
            raise
        except (Exception, SystemExit, TimeExceeded) as error:
            raise self.law_of_failure(error, question, *args) from None
        # One more than are allowed were taken, so an endless generator is seen here and not by the clock.
        if question in LISTED_QUESTIONS and len(answer) > MOST_MOVES:
            what = "moves" if question in LISTED_QUESTIONS[:2] else "ints"
            raise BrokenLaw(question, f"{question} gives more than {MOST_MOVES:,} {what}{_at_state(*args)}: too many")
        return answer

    def _ask_rules(self, question: str, *args: object) -> Any:
        answer = getattr(self.game, question)(*args)
        if question not in LISTED_QUESTIONS:
            return answer
        if not isinstance(answer, Iterable):
            each = "move" if question in LISTED_QUESTIONS[:2] else "int"
            raise BrokenLaw(question, f"{question} gives {answer!r}{_at_state(*args)}: yield each {each}")
        # Only of the author's own rules: a default of `Game` may well give a list.
        is_authors = getattr(type(self.game), question) is not getattr(Game, question)
        if is_authors and isinstance(answer, list | tuple | set | dict | str):
            kind = type(answer).__name__
            self.notes[f"{question} gives a {kind}; as a generator, with yield, it makes no more than is asked for"] = (
                None
            )
        return list(islice(answer, MOST_MOVES + 1))

    def law_of_failure(self, error: BaseException, question: str, *args: object) -> BrokenLaw:
        """Turn an error in an answer into a broken law."""
        if isinstance(error, NotImplementedError) and str(error):
            return BrokenLaw(question, clause_of(error))
        after, place = _at_state(*args), user_place(error)
        if isinstance(error, TimeExceeded):
            seconds = self.time_limit.seconds
            said = f"{question} has no answer{after} after {seconds:g} seconds: does a loop there never end?"
            # Each further question would take its five seconds, too.
            self._late = question, said, endless_place(error)
            return BrokenLaw(*self._late)
        if isinstance(error, BadInput):  # a sentence already, that says what would be right
            return BrokenLaw(question, f"{question} fails{after}: {clause_of(error)}", place)
        # Without a line in a user's file there is nothing to point at, nor a remedy to offer.
        if not place:
            return BrokenLaw(question, f"{question} fails{after}: {error_words(error)}")
        return BrokenLaw(question, f"{question} fails{after}: {error_words(error)}{remedy(error)}", place)

    def check_time(self) -> None:
        """Raise `LawsTimedOut` if the time is over, and `BrokenLaw` if an answer has not come in its time."""
        if self._late:
            raise BrokenLaw(*self._late)
        if time.perf_counter() > self.deadline:
            raise LawsTimedOut

    def state(self, question: str, *args: object) -> AnyState:
        """Return the state that a question gives; it must be a state, with the structure of the first one."""
        found = self(question, *args)
        given = found[0] if question == "split_settled" and isinstance(found, tuple) and found else found
        wrong = state_fault(given) or (structure_fault(self._pattern, given) if self._pattern is not None else None)
        if wrong:
            after = "" if not args else f" for move {args[1]}" if len(args) > 1 else f" for {args[0]!r}"
            missing = "; is there a return on every path?" if given is None else ""
            raise BrokenLaw(question, f"{question} gives {short_text(given)}{after}: {wrong}{missing}")
        if self._pattern is None:
            self._pattern = given
        return found

    @property
    def board(self) -> Board:
        """The game's board, asked for once."""
        if self._board is None:
            try:
                board = self("board")
                require(isinstance(board, Board), "board", f"board gives {short_text(board)}: a Board of places")
                self._board = board
            except BrokenLaw as broken:
                self._board = broken
        if isinstance(self._board, BrokenLaw):
            raise self._board
        assert self._board is not None
        return self._board

    def legal(self, state: AnyState) -> list[int]:
        """Legal moves of a state; none if it is finished."""
        # Most laws ask for the moves of the same state, one after the other.
        if self._listed[0] != state or not self._listed[1]:
            self._listed = state, self("moves", state) if self("outcome", state) == ONGOING else []
        return self._listed[1]

    def some_legal(self, state: AnyState) -> list[int]:
        """Legal moves of a state, or `MOVES_AT_MOST` of many."""
        moves = self.legal(state)
        # From both ends: special moves, such as a pass, mostly come last.
        return moves if len(moves) <= MOVES_AT_MOST else moves[: MOVES_AT_MOST // 2] + moves[-MOVES_AT_MOST // 2 :]


def _at_state(*args: object) -> str:
    return (f" in state {args[0]}" if args else "") + (f", move {args[1]}" if len(args) > 1 else "")


class MutedOutput:
    """Replacement of standard output: records which rule prints, and where; the text is dropped."""

    def __init__(self, ask: CheckedGame) -> None:
        self._ask = ask
        self.printed: dict[str, str | None] = {}
        """File and line by the question that prints."""

    def write(self, text: str) -> int:
        if self._ask.asked not in self.printed:
            # The frame that writes, from which the author's line is looked for upwards.
            self.printed[self._ask.asked] = user_place(sys._getframe(1))
        return len(text)

    def flush(self) -> None:
        pass


def list_text(moves: list[int]) -> str:
    """Format a list of moves; a long one is cut."""
    return str(moves) if len(moves) <= 2 * MOVES_AT_MOST else f"{str(moves[:MOVES_AT_MOST])[:-1]}, …] ({len(moves):,})"
