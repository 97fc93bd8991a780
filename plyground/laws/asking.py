"""A game is asked its questions, within a time; an error in answering breaks the question's law."""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from plyground.blame import game_fault, in_words
from plyground.errors import BadInput
from plyground.laws.states import no_state, short, unlike
from plyground.rules import MOST_MOVES, ONGOING, Game

# A game of any kind of state, and its states.
AnyGame = Game[Any]
AnyState = Any

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
    _pattern: AnyState = None
    """The first state that was seen, to which the others must be alike."""
    _listed: tuple[AnyState, list[int]] = ((), [])
    """The last state whose legal moves were listed, and they."""

    def __call__(self, question: str, *args: object) -> Any:
        """The answer to a question; of `moves` and `candidates`, as a list."""
        self.heed()
        try:
            answer = getattr(self.game, question)(*args)
            if question in ("moves", "candidates"):
                if not isinstance(answer, Iterable):
                    raise Broken(question, f"{question} gives {answer!r}{_in(*args)}: yield each move")
                answer = list(islice(answer, MOST_MOVES + 1))
        except Broken:
            raise
        except Exception as error:
            raise self.failure(error, question, *args) from None
        if question in ("moves", "candidates") and len(answer) > MOST_MOVES:
            raise Broken(question, f"{question} gives more than {MOST_MOVES:,} moves in state {args[0]}: too many")
        return answer

    def failure(self, error: Exception, question: str, *args: object) -> Broken:
        """An error in answering as a broken law."""
        if isinstance(error, NotImplementedError) and str(error):
            return Broken(question, str(error).rstrip("."))
        after, known = _in(*args), game_fault(error)
        if isinstance(error, BadInput) or known is None:
            return Broken(question, f"{question} fails{after}: {in_words(error)}")
        where, colon, _ = str(known).partition(": ")
        place = where if colon and ", line " in where else None
        return Broken(question, f"{question} fails{after}: {in_words(error)}", place)

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
            raise Broken(question, f"{question} gives {short(given)}{after}: {wrong}")
        if self._pattern is None:
            self._pattern = given
        return found

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


def few(moves: list[int]) -> str:
    """Moves in text, however many."""
    return str(moves) if len(moves) <= 2 * MOVES_AT_MOST else f"{str(moves[:MOVES_AT_MOST])[:-1]}, …] ({len(moves):,})"
