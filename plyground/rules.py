"""The page of questions: all that plyground ever asks a game.

A game is a frozen object (sizes and options are its fields) that answers for *states*. A state is a small immutable
`NamedTuple` of ints, or of tuples of ints, each below 2**63. A move is a small int. Players are 0, called MAX or x,
and 1, called MIN or o; x tries to make the utility large.

The questions from `initial` to `move_signs` are asked plain and compiled, so their answers keep to ints,
tuples and NamedTuples of ints, `if`, `while`, `for … in range(…)`, and calls of functions that do the same.
`plyground.check(game)` verifies every law below, at both speeds, and explains what it finds in words.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, Generic, TypeVar, final

from plyground.board.bits import filled, flat
from plyground.board.look import Board, Look, looked
from plyground.board.signs import COMMA, DASH, NUMBER, PLACE, listed, spelled
from plyground.constant import Constant
from plyground.errors import BadInput
from plyground.text import whole_number

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

PARENTHESES: Final = {ord("("): None, ord(")"): None}
"""What is taken out of a text."""

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
        weights = [whole_number(word.strip()) for word in text.split("/")]
        if None in weights:
            raise BadInput(f"{text!r} is no weights: write whole numbers with / between them, as in 3/-1/2.")
        return cls(weight for weight in weights if weight is not None)


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

    # -- for people, in ints: a compiled game answers these too, so a page can ask them without Python ---------------

    def stands(self, state: State) -> Iterator[int]:
        """What stands on each place of the board, in their order; then, where areas have fates, the fate of each.

        Of a place 0, or the number of one of `board().pieces`, from 1; `+ WON` where it is part of what won the game,
        `+ COUNT * n` where it counts. Of an area 0, 1 where x has won it or 2 where o has; `+ CLOSED`, `+ IDLE`. All
        these stand in `board/look.py`. Law: one int for each place, then one for each area or none at all.
        """
        for _ in range(0):
            yield 0

    def strokes(self, state: State) -> Iterator[int]:
        """The lines to draw through what won: the places at which one begins, turns and ends, then `END`."""
        for _ in range(0):
            yield 0

    def caption(self, state: State) -> Iterator[int]:
        """What is written beside the board, in signs (`board/signs.py`); where there is no board, the text is."""
        for _ in range(0):
            yield 0

    def path(self, state: State, move: int) -> Iterator[int]:
        """The places that a legal move touches, by their numbers, in the order in which a person points at them.

        One where a mark is set, two where a piece moves, more for a chain of jumps or a piece that is taken off; none
        for a move that the board does not show, which is offered by its text then. Law: places of the board; legal
        moves with a path have different ones.
        """
        for _ in range(0):
            yield 0

    def state_signs(self, state: State) -> Iterator[int]:
        """The state as one short word without blanks, in signs. Law: `parse_state(text(state)) == state`."""
        return listed(flat(state), COMMA)

    def move_signs(self, state: State, move: int) -> Iterator[int]:
        """The move as one short word without blanks, in signs: the places of its path, or its number.

        Law: `parse_move(state, move_text(state, move)) == move`.
        """
        places = 0
        for place in self.path(state, move):
            if places > 0:
                yield DASH
            yield PLACE
            yield place
            places += 1
        if places == 0:
            yield NUMBER
            yield move

    # -- for people, in words ---------------------------------------------------------------------------------------

    def board(self) -> Board:
        """What is fixed of the board: its places, its pieces, and the lines between places. Without places it is only
        written.
        """
        return Board()

    def parse_state(self, text: str) -> State:
        """The state that a text means; parentheses round its numbers, which older texts have, are passed over.

        Raises:
            BadInput: the text is unreadable, or no such position can arise.
        """
        initial = self.initial()
        try:
            written = text.strip().translate(PARENTHESES)
            numbers = iter([int(word) for word in written.split(",")])
            state: State = filled(initial, numbers)
            if next(numbers, None) is not None or self.text(state) != written:
                raise ValueError
            return state
        except (StopIteration, ValueError):
            raise BadInput(
                f"{text!r} is not a position of {type(self).__name__}: write its numbers as in {self.text(initial)!r}."
            ) from None

    def parse_move(self, state: State, text: str) -> int:
        """The move that a text means; whether it is legal in the state is for the caller to ask.

        Raises:
            BadInput: the text names no move of this game.
        """
        word = text.strip()
        legal = list(self.moves(state)) if self.outcome(state) == ONGOING else []
        for move in legal:
            if self.move_text(state, move).casefold() == word.casefold():
                return move
        if word.isdigit() and (number := whole_number(word)) is not None:
            return number
        name = type(self).__name__
        example = f": write one as in {self.move_text(state, legal[0])!r}" if legal else ""
        raise BadInput(f"{text!r} is not a move of {name}{example}.")

    def explain(self, state: State) -> tuple[tuple[str, int], ...]:
        """What the opinion of an unfinished state is made of, in words and numbers. Law: they sum to `evaluate`.

        The words should be the same in every state: they are shown as what an estimate counts.
        """
        return (("opinion", self.evaluate(state)),)

    # -- put together from the answers ------------------------------------------------------------------------------

    @final
    def text(self, state: State) -> str:
        """The state as one short word."""
        return spelled(self.state_signs(state), place_names(self), self.names)

    @final
    def move_text(self, state: State, move: int) -> str:
        """The move as one short word."""
        return spelled(self.move_signs(state, move), place_names(self), self.names)

    @final
    def look(self, state: State) -> Look:
        """What stands on the board, to be drawn."""
        board = board_of(self)
        text = spelled(self.caption(state), place_names(self), self.names)
        if not board.places:
            text = text or self.text(state)
        return looked(board, self.names, self.stands(state), self.strokes(state), text)


@lru_cache(maxsize=256)
def board_of(game: Game[State]) -> Board:
    """What is fixed of a game's board, asked for once."""
    return game.board()


@lru_cache(maxsize=256)
def place_names(game: Game[State]) -> tuple[str, ...]:
    """What the places of a game's board are called."""
    return tuple(place.name for place in board_of(game).places)
