"""Game whose states hold the line that led to them, so that any search detects repetitions.

The textbook searches, and users' own, get a state and none of those before it. So they are called with this
game in place of one that may cycle: its states hold the last ones, and its `outcome` has the value of a repetition.
The searches themselves, their counts and their drawings stay as they are.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from plyground.board.bits import with_word
from plyground.rules import ONGOING, Game, State
from plyground.search.table import hash_of

# Each state carries so many ints and copies them at each move. A repetition farther back is missed, and that line goes
# on to its depth; the engine looks back without a limit (`repetition.py`).
HISTORY_LENGTH = 24
"""Number of earlier states among which a repetition is found. Each is kept as its hash of 64 bits."""


class Remembered(NamedTuple):
    """A state with hashes of the states before it."""

    here: Any
    has_come: int
    """Whether the state came before: 1 or 0."""
    next: int
    """Index in `before` for the next state's hash."""
    before: tuple[int, ...]
    """Hashes of the last states, with this one; 0 for none."""


@dataclass(frozen=True)
class Remembering(Game[Remembered]):
    """The rules of another game that also end at a repetition."""

    game: Game[Any]

    def initial(self) -> Remembered:
        """Initial state of the game, which has come once."""
        return with_history(self.game, self.game.initial())

    def to_move(self, state: Remembered) -> int:
        """Player to move in the game's state."""
        return self.game.to_move(state.here)

    def moves(self, state: Remembered) -> Iterator[int]:
        """Legal moves of the game's state."""
        for move in self.game.moves(state.here):
            yield move

    def play(self, state: Remembered, move: int) -> Remembered:
        """State after a move of the game, compared with the last states and added to them."""
        here = self.game.play(state.here, move)
        # `| 1`, as in `repetition.py`: 0 stands for no state. Two states of one hash would be taken for a repetition;
        # among 24 hashes of 63 bits that does not happen in practice.
        state_hash = hash_of(self.game.repetition_key(here)) | 1
        has_come = 0
        for index in range(len(state.before)):
            if state.before[index] == state_hash:
                has_come = 1
        place = state.next
        # A ring: the oldest hash gives way, so the state has the same number of ints throughout, as compiled code
        # needs.
        return Remembered(here, has_come, (place + 1) % len(state.before), with_word(state.before, place, state_hash))

    def outcome(self, state: Remembered) -> int:
        """Outcome of the game's state; of a repeated one the value of the repetition."""
        utility = self.game.outcome(state.here)
        if utility == ONGOING and state.has_come:
            utility = self.game.repetition_value(state.here)
        return utility

    def evaluate(self, state: Remembered) -> int:
        """Static evaluation of the game's state."""
        return self.game.evaluate(state.here)

    def order(self, state: Remembered, move: int) -> int:
        """Rank of a move in the game's state."""
        return self.game.order(state.here, move)

    def bounds(self, state: Remembered) -> tuple[int, int]:
        """Bounds of the game's state."""
        return self.game.bounds(state.here)

    def is_noisy(self, state: Remembered, move: int) -> bool:
        """Whether a move of the game's state is noisy."""
        return self.game.is_noisy(state.here, move)

    def is_forced(self, state: Remembered) -> bool:
        """Whether the player to move cannot leave the game's state as it is."""
        return self.game.is_forced(state.here)

    def pass_turn(self, state: Remembered) -> Remembered:
        """Game's state after a pass, which is no state of the game, so none comes again by it; or the state itself."""
        here = self.game.pass_turn(state.here)
        # A game without a pass gives the state itself back, as its law says, so no pass is tried there; this state must
        # come back unchanged as well.
        if self.game.to_move(here) == self.game.to_move(state.here):
            return state
        return Remembered(here, 0, state.next, state.before)

    @property
    def has_noise(self) -> int:
        """Whether the game answers `is_noisy`: 1 or 0."""
        return self.game.has_noise

    @property
    def has_pass(self) -> int:
        """Whether the game answers `pass_turn`: 1 or 0."""
        return self.game.has_pass


def with_history(game: Game[State], state: State, ends: Collection[State] = ()) -> Remembered:
    """State with those that end the game when they come once more (`Position.last_times`), as far as there is room."""
    # The last states are taken: where there are more than fit, those that the game came to most recently are likeliest
    # to return.
    last = [hash_of(each) | 1 for each in ends][-HISTORY_LENGTH:]
    return Remembered(state, 0, len(last) % HISTORY_LENGTH, (*last, *[0] * (HISTORY_LENGTH - len(last))))


def without_history(state: Any) -> Any:
    """The game's own state, whether or not it is wrapped in a `Remembered`."""
    return state.here if isinstance(state, Remembered) else state
