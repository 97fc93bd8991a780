"""The page of questions: all that plyground ever asks a game.

A game is a frozen object (sizes and options are its fields) that answers for *states*. A state is a small immutable
`NamedTuple` of ints, or of tuples of ints, each below 2**63. A move is a small int. Players are 0, called MAX or x,
and 1, called MIN or o; x tries to make the utility large.

The questions for the searches (`initial` to `canonical`) are asked plain and compiled, so their answers keep to ints,
tuples and NamedTuples of ints, `if`, `while`, `for … in range(…)`, and calls of functions that do the same.
`plyground.check(game)` verifies every law below, at both speeds, and explains what it finds in words.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final, Generic, TypeVar

from plyground.board.bits import filled
from plyground.board.look import Board, Look
from plyground.constant import Constant
from plyground.errors import BadInput

MAX: Final = 0
"""The first player, x: wants a high utility."""
MIN: Final = 1
"""The second player, o: wants a low utility."""
ONGOING: Final = -(1 << 30)
"""What `outcome` says of an unfinished game; no utility."""
NO_MOVE: Final = -1
"""Where a move is asked for and there is none: a finished game, or a search that looked no ply ahead."""

LONGEST: Final = 10_000
"""Plies of the longest game, by law; no search goes deeper, so that a game without end is found and not followed."""
MOST_MOVES: Final = 1 << 17
"""Moves of a state, by law, and of all states of one line that a search can note; the longest 19 × 19 game has half."""

State = TypeVar("State")


class Weights(tuple[int, ...]):
    """Ints that rules weigh with, as a field of a game: a tuple, and in compiled code data, not constants.

    So a hundred vectors of weights are tried with code that is compiled once. Compiled rules ask for a place or for the
    length, `self.weights[place]` and `len(self.weights)`; the length is a constant.

    >>> Weights.from_text("3/-1/2")
    Weights((3, -1, 2))
    """

    def __new__(cls, values: Iterable[int] = ()) -> "Weights":
        weights = super().__new__(cls, values)
        for weight in weights:
            if type(weight) is not int or not -(1 << 63) <= weight < 1 << 63:
                raise BadInput(f"{weight!r} is not a weight: weights are whole numbers of at most 64 bits.")
        return weights

    def __repr__(self) -> str:
        return f"Weights({tuple(self)})"

    @classmethod
    def from_text(cls, text: str) -> "Weights":
        """Weights as they stand in a game's name: `3/-1/2`.

        Raises:
            BadInput: the text is no weights.
        """
        try:
            return cls(map(int, text.split("/")))
        except ValueError:
            raise BadInput(f"{text!r} is no weights: write whole numbers with / between them, as in 3/-1/2.") from None


class Game(Constant, Generic[State]):
    """The rules of a game. A subclass answers the questions; those with an answer here may be left as they are."""

    names: tuple[str, str] = ("x", "o")
    """What people call the two players, and how their marks are written."""
    draws: bool = True
    """Whether a game can end in a draw. Law: where it cannot, no outcome is 0."""
    plain: str = ""
    """Why the rules are only asked as plain Python, in a few words; empty where they may be compiled."""

    # -- the rules --------------------------------------------------------------------------------------------------

    def initial(self) -> State:
        """The state before the first move.

        Law: always the same, and unfinished. It is the pattern of all states: each has its fields, and tuples of its
        lengths.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say how the game starts: define initial(self).")

    def to_move(self, state: State) -> int:
        """Whose turn it is: `MAX` (0) or `MIN` (1); turns need not alternate. Law: 0 or 1, also when all is over."""
        raise NotImplementedError(f"{type(self).__name__} does not say whose turn it is: define to_move(self, state).")

    def moves(self, state: State) -> Iterator[int]:
        """The legal moves of an unfinished state, in generation order: a generator.

        Law: at least one; `MOST_MOVES` at most; ints from 0 below 2**31; no two alike; the same ones in the same order
        every time.
        """
        raise NotImplementedError(f"{type(self).__name__} does not list the moves: define moves(self, state).")

    def play(self, state: State, move: int) -> State:
        """The state after a legal move. Law: the old state is unchanged, and the same move leads to the same state."""
        raise NotImplementedError(f"{type(self).__name__} does not play a move: define play(self, state, move).")

    def outcome(self, state: State) -> int:
        """`ONGOING`, or the utility for the first player: positive if x won, negative if o won, 0 for a draw.

        A margin is a utility too. Law: within ±2**16; every game ends, after `LONGEST` plies at most, and no state
        comes again in it unless `repetition` says what that means.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say who won: define outcome(self, state).")

    # -- where a state can come again ---------------------------------------------------------------------------------

    repetition: int = 0
    """How many times a state has to come for the game to end by that, the first time counted; 0 where none can come
    again. 2: the first return ends the game; 3: threefold, as in chess. Law: 0, 2 or more; without `foresight`."""

    def again(self, state: State) -> int:
        """The utility of a game that ends in this state because it came `repetition` times; 0, a draw.

        A loss for the player who repeats, and so has just moved, is `1 if self.to_move(state) == MAX else -1` where
        turns alternate. Law: as `outcome`, of any unfinished state, within its `bounds`; 0 where `repetition` is above
        2, so that it makes no difference which return ends the game.
        """
        return 0

    def recurring(self, state: State) -> State:
        """What of a state comes again: the state without what counts plies, such as those since the last capture.

        Law: its own; a state with the same player to move and the same moves. What is left out may only bring a draw
        nearer.
        """
        return state

    @property
    def is_drawn_again(self) -> int:
        """Whether every repetition is a draw because `again` is as it is here: 1 or 0, a constant in compiled code."""
        return int(type(self).again is Game.again)

    # -- opinions and hints: they make a search better or faster, never wrong ---------------------------------------

    def evaluate(self, state: State) -> int:
        """An opinion of an unfinished state, positive when good for the first player. Law: within ±2**19."""
        return 0

    def order(self, state: State, move: int) -> int:
        """How good a move looks to the player who makes it; the higher is tried first. Law: an int."""
        return 0

    foresight: int = 0
    """How many plies `candidates` looks ahead: 0 or 2."""

    def candidates(self, state: State) -> Iterator[int]:
        """The legal moves worth a search.

        Law: without foresight exactly the legal moves, in their order. With a foresight of 2: if a move wins the game
        at once, by as much as `bounds` allows here, one such move alone; else exactly the legal moves that the other
        player cannot answer by winning at once by as much as `bounds` allows here, in their order, which may be none.
        A game may only have foresight if players take turns one by one and nobody loses by a move of their own.
        """
        return self.moves(state)

    def pick(self, state: State, chance: int) -> int:
        """A random move of an unfinished state, for a random number from 0 below 2**32; this answer lists them twice.

        Law: of n legal moves the one at place `chance * n >> 32`, from 0, in their order.
        """
        count = 0
        for _ in self.moves(state):
            count += 1
        place = chance * count >> 32
        for move in self.moves(state):
            if place == 0:
                return move
            place -= 1
        return NO_MOVE

    def settled(self, state: State) -> tuple[State, int]:
        """The state without what nothing can change any more, and the utility that is worth.

        Law: the same player to move and the same moves; a game played on ends in the same number of plies, and its
        utility is that of the smaller state plus what is settled.
        """
        return state, 0

    def bounds(self, state: State) -> tuple[int, int]:
        """The lowest and highest utility that the game can still end with. Law: no game played on ends outside."""
        return (-1, 1)

    def canonical(self, state: State) -> State:
        """One representative for all states that are the same under symmetry.

        Law: its own representative; the same player to move, outcome and bounds, and as many games of each length.
        """
        return state

    # -- for people -------------------------------------------------------------------------------------------------

    def text(self, state: State) -> str:
        """The state as one short word without blanks. Law: `parse_state(text(state)) == state`."""
        return ",".join(map(_words, state))  # type: ignore[call-overload]  # a state is a NamedTuple

    def parse_state(self, text: str) -> State:
        """The state that a text means.

        Raises:
            BadInput: the text is unreadable, or no such position can arise.
        """
        initial = self.initial()
        try:
            numbers = iter([int(word) for word in re.split("[(),]+", text.strip()) if word])
            state: State = filled(initial, numbers)
            if next(numbers, None) is not None or self.text(state) != text.strip():
                raise ValueError
            return state
        except (StopIteration, ValueError):
            raise BadInput(
                f"{text!r} is not a position of {type(self).__name__}: write its numbers as in {self.text(initial)!r}."
            ) from None

    def move_text(self, state: State, move: int) -> str:
        """The move as one short word without blanks. Law: `parse_move(state, move_text(state, move)) == move`."""
        return str(move)

    def parse_move(self, state: State, text: str) -> int:
        """The move that a text means; whether it is legal in the state is for the caller to ask.

        Raises:
            BadInput: the text names no move of this game.
        """
        try:
            return int(text)
        except ValueError:
            raise BadInput(f"{text!r} is not a move of {type(self).__name__}: a move is a number.") from None

    def explain(self, state: State) -> tuple[tuple[str, int], ...]:
        """What the opinion of an unfinished state is made of, in words and numbers. Law: they sum to `evaluate`."""
        return (("opinion", self.evaluate(state)),)

    def board(self) -> Board:
        """What is fixed of the board: its places, and the lines between them. Without places it is only written."""
        return Board()

    def look(self, state: State) -> Look:
        """What stands on the board. Law: one piece, or None, for each place; one fate for each area, or none at all."""
        return Look(text=self.text(state))

    def path(self, state: State, move: int) -> tuple[int, ...]:
        """The places that a legal move touches, by their numbers, in the order in which a person points at them.

        One where a mark is set, two where a piece moves, more for a chain of jumps or a piece that is taken off; none
        for a move that the board does not show, which is offered by its text then. Law: places of the board; legal
        moves with a path have different ones.
        """
        return ()


def _words(field: object) -> str:
    """A field in text: an int, or a tuple of fields in parentheses."""
    return f"({','.join(map(_words, field))})" if isinstance(field, tuple) else str(field)
