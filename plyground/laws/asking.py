"""A game is asked its questions, within a time; an error in answering breaks the question's law."""

import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from plyground.blame import in_words, own_place, remedy
from plyground.board.look import Board
from plyground.errors import BadInput
from plyground.laws.states import no_state, short, unlike
from plyground.patience import Endless, Patience
from plyground.rules import MOST_MOVES, ONGOING, Game

# A game of any kind of state, and its states.
AnyGame = Game[Any]
AnyState = Any

PATIENCE = 5.0
"""Seconds of the processor that one answer may take."""
LISTED = ("moves", "candidates", "stands", "strokes", "caption", "path", "state_signs", "move_signs")
"""The questions that are answered by a row of ints, one after the other."""
MOVES_AT_MOST = 12
"""How many moves of a state are held against the laws of one move: some from the front and some from the end."""


class Broken(Exception):
    """A law is broken; the arguments are the law, the sentence, and where in a file, if it is not where the rule is."""


class Late(Exception):
    """The time for the laws is up."""


def require(holds: bool, law: str, sentence: str) -> None:
    """Break a law, unless something holds."""
    if not holds:
        raise Broken(law, sentence)


@dataclass
class Asked:
    """A game that is asked its questions. An error in answering breaks the question's law."""

    game: AnyGame
    deadline: float = float("inf")
    notes: dict[str, None] = field(default_factory=dict)
    patience: Patience = field(default_factory=lambda: Patience(PATIENCE))
    asked: str = ""
    """The question that is being answered, or was last."""
    _pattern: AnyState = None
    """The first state that was seen, to which the others must be alike."""
    _listed: tuple[AnyState, list[int]] = ((), [])
    """The last state whose legal moves were listed, and they."""
    _board: "Board | Broken | None" = None
    """The board, or what is wrong with the answer, once it was asked for."""

    def __call__(self, question: str, *args: object) -> Any:
        """The answer to a question; where it is a row of ints, as a list."""
        self.heed()
        self.asked = question
        try:
            answer = self.patience(self._answer, question, *args)
        except Broken:
            raise
        except (Exception, SystemExit, Endless) as error:
            raise self.failure(error, question, *args) from None
        if question in LISTED and len(answer) > MOST_MOVES:
            what = "moves" if question in LISTED[:2] else "ints"
            raise Broken(question, f"{question} gives more than {MOST_MOVES:,} {what}{_in(*args)}: too many")
        return answer

    def _answer(self, question: str, *args: object) -> Any:
        answer = getattr(self.game, question)(*args)
        if question not in LISTED:
            return answer
        if not isinstance(answer, Iterable):
            each = "move" if question in LISTED[:2] else "int"
            raise Broken(question, f"{question} gives {answer!r}{_in(*args)}: yield each {each}")
        if isinstance(answer, list | tuple | set | dict | str):
            kind = type(answer).__name__
            self.notes[f"{question} gives a {kind}; as a generator, with yield, it makes no more than is asked for"] = (
                None
            )
        return list(islice(answer, MOST_MOVES + 1))

    def failure(self, error: BaseException, question: str, *args: object) -> Broken:
        """An error in answering as a broken law."""
        if isinstance(error, NotImplementedError) and str(error):
            return Broken(question, str(error).rstrip("."))
        after, place = _in(*args), own_place(error)
        if isinstance(error, Endless):
            said = (
                f"{question} has no answer{after} after {self.patience.seconds:g} seconds: does a loop there never end?"
            )
            return Broken(question, said, place)
        if isinstance(error, BadInput) or not place:
            return Broken(question, f"{question} fails{after}: {in_words(error)}")
        return Broken(question, f"{question} fails{after}: {in_words(error)}{remedy(error)}", place)

    def heed(self) -> None:
        """End where the time is up."""
        if time.perf_counter() > self.deadline:
            raise Late

    def state(self, question: str, *args: object) -> AnyState:
        """The state that a question gives, which must be one, and like the first."""
        found = self(question, *args)
        given = found[0] if question == "settled" and isinstance(found, tuple) and found else found
        wrong = no_state(given) or (unlike(self._pattern, given) if self._pattern is not None else None)
        if wrong:
            after = "" if not args else f" for move {args[1]}" if len(args) > 1 else f" for {args[0]!r}"
            missing = "; is there a return on every path?" if given is None else ""
            raise Broken(question, f"{question} gives {short(given)}{after}: {wrong}{missing}")
        if self._pattern is None:
            self._pattern = given
        return found

    @property
    def board(self) -> Board:
        """What is fixed of the board, asked for once."""
        if self._board is None:
            try:
                board = self("board")
                require(isinstance(board, Board), "board", f"board gives {board!r}: a Board of places")
                self._board = board
            except Broken as broken:
                self._board = broken
        if isinstance(self._board, Broken):
            raise self._board
        assert self._board is not None
        return self._board

    def legal(self, state: AnyState) -> list[int]:
        """The legal moves; none of a finished state."""
        if self._listed[0] != state or not self._listed[1]:
            self._listed = state, self("moves", state) if self("outcome", state) == ONGOING else []
        return self._listed[1]

    def some_legal(self, state: AnyState) -> list[int]:
        """The legal moves, or some of many."""
        moves = self.legal(state)
        return moves if len(moves) <= MOVES_AT_MOST else moves[: MOVES_AT_MOST // 2] + moves[-MOVES_AT_MOST // 2 :]


def _in(*args: object) -> str:
    return (f" in state {args[0]}" if args else "") + (f", move {args[1]}" if len(args) > 1 else "")


class Muted:
    """Stands for standard output: keeps which rule of a game prints, and where, and lets nothing through."""

    def __init__(self, ask: Asked) -> None:
        self._ask = ask
        self.printed: dict[str, str | None] = {}
        """The questions that print, and the file and line."""

    def write(self, text: str) -> int:
        if self._ask.asked not in self.printed:
            self.printed[self._ask.asked] = own_place(sys._getframe(1))
        return len(text)

    def flush(self) -> None:
        pass


def few(moves: list[int]) -> str:
    """Moves in text, however many."""
    return str(moves) if len(moves) <= 2 * MOVES_AT_MOST else f"{str(moves[:MOVES_AT_MOST])[:-1]}, …] ({len(moves):,})"
