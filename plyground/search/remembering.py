"""A game whose states remember the line that led to them, so that any search sees where one comes again.

The textbook searches, and anybody's own, are given a state and know nothing of those before. So they are handed this
game in place of one that may cycle: its states carry the last ones, and its `outcome` says what a repetition is worth.
The searches themselves, and what is counted and drawn of them, are untouched.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from plyground.board.bits import with_word
from plyground.rules import ONGOING, Game, State
from plyground.search.table import hash_of

LAST = 24
"""How many states back a repetition is seen. Each is known by its hash of 64 bits."""


class Remembered(NamedTuple):
    """A state, and what came before."""

    here: Any
    has_come: int
    """Whether it came before: 1 or 0."""
    next: int
    """Where the hash of the next one goes."""
    before: tuple[int, ...]
    """Hashes of what came last, this state's too; 0 for none."""


@dataclass(frozen=True)
class Remembering(Game[Remembered]):
    """A game that answers as another, and ends where a state comes again."""

    game: Game[Any]

    def initial(self) -> Remembered:
        """The first state, which has come once."""
        return remembered(self.game, self.game.initial())

    def to_move(self, state: Remembered) -> int:
        """As the game's."""
        return self.game.to_move(state.here)

    def moves(self, state: Remembered) -> Iterator[int]:
        """As the game's."""
        for move in self.game.moves(state.here):
            yield move

    def play(self, state: Remembered, move: int) -> Remembered:
        """As the game's; the state is looked for among the last ones, and is the last one then."""
        here = self.game.play(state.here, move)
        mark = hash_of(self.game.recurring(here)) | 1
        has_come = 0
        for index in range(len(state.before)):
            if state.before[index] == mark:
                has_come = 1
        place = state.next
        return Remembered(here, has_come, (place + 1) % len(state.before), with_word(state.before, place, mark))

    def outcome(self, state: Remembered) -> int:
        """As the game's; of a state that has come before, what that is worth."""
        utility = self.game.outcome(state.here)
        if utility == ONGOING and state.has_come:
            utility = self.game.again(state.here)
        return utility

    def evaluate(self, state: Remembered) -> int:
        """As the game's."""
        return self.game.evaluate(state.here)

    def order(self, state: Remembered, move: int) -> int:
        """As the game's."""
        return self.game.order(state.here, move)

    def bounds(self, state: Remembered) -> tuple[int, int]:
        """As the game's."""
        return self.game.bounds(state.here)


def remembered(game: Game[State], state: State, ends: Collection[State] = ()) -> Remembered:
    """A state with what ends the game when it comes once more (`Position.last_times`), as far as there is room."""
    last = [hash_of(each) | 1 for each in ends][-LAST:]
    return Remembered(state, 0, len(last) % LAST, (*last, *[0] * (LAST - len(last))))


def bare(state: Any) -> Any:
    """The game's own state, of one that may be remembered."""
    return state.here if isinstance(state, Remembered) else state
