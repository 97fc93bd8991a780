"""Rules of a game: every method that plyground calls on a game, with its law.

A game is a frozen object (sizes and options are its fields) with methods on *states*. A state is a small immutable
`NamedTuple` of ints, or of tuples of ints, each below 2**63. A move is a small int. Players are 0, called MAX or x,
and 1, called MIN or o; x tries to make the utility large.

The methods from `initial` to `notation_signs` run as plain Python and compiled, so they keep to ints,
tuples and NamedTuples of ints, `if`, `while`, `for … in range(…)`, and calls of functions that do the same.
`plyground.check(game)` verifies every law below, at both speeds, and explains what it finds in words.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import Any, ClassVar, Final, Generic, TypeVar, final

from plyground.board.bits import fill_pattern, flat
from plyground.board.look import Board, Colour, Look, Surface, count_pieces, make_look, rows_text
from plyground.board.refusing import usual_refusal
from plyground.board.signs import COMMA, DASH, NUMBER, PLACE, list_numbers, spell
from plyground.constant import Constant
from plyground.errors import BadInput, WrongType, check_fields
from plyground.text import whole_number

MAX: Final = 0
"""The first player, x: wants a high utility."""
MIN: Final = 1
"""The second player, o: wants a low utility."""
# Far outside ±2**16, to which utilities are bound, so no rule returns it by mistake.
ONGOING: Final = -(1 << 30)
"""Outcome of an unfinished game; no utility."""
NO_MOVE: Final = -1
"""In place of a move where there is none: a finished game, or a search of depth 0."""

LONGEST: Final = 10_000
"""Plies of the longest game, by law; no search goes deeper, so that a game without end is detected."""
# Bounds the scratch memory of a search (`search/context.py`), which compiled code writes without checks.
MOST_MOVES: Final = 1 << 17
"""Most moves of a state, by law, and of all states on one line of a search; the longest 19 × 19 game has half."""

# A thread that lists a tablebase marks the distances of tiers in so many ints (`exact/tabulating/chunks.py`).
MOST_TIERS: Final = 4_096
"""A move raises the tier of a state by less."""

PARENTHESES: Final = {ord("("): None, ord(")"): None}
"""Characters that are removed from a text."""

State = TypeVar("State")


# A class of its own and no tuple: the type tells the compiler that these are data behind an address, and not constants
# of the code.
class Weights(tuple[int, ...]):
    """Weights of an evaluation, as a field of a game: a tuple, and in compiled code data, not constants.

    So a hundred vectors of weights are tried with code that is compiled once. Compiled rules read an item or the
    length, `self.weights[place]` and `len(self.weights)`; the length is a constant.

    >>> Weights.from_text("3/-1/2")
    Weights((3, -1, 2))
    """

    def __new__(cls, values: Iterable[int] = ()) -> "Weights":
        if not isinstance(values, Iterable):
            raise WrongType(f"{values!r} is no weights: give a list of whole numbers, as in Weights((3, -1)).")
        weights = super().__new__(cls, values)
        for weight in weights:
            # The test is `type` and not `isinstance`: True is an int and no weight.
            if type(weight) is not int or not -(1 << 63) <= weight < 1 << 63:
                raise BadInput(f"{weight!r} is not a weight: weights are whole numbers of at most 64 bits.")
        return weights

    def __repr__(self) -> str:
        return f"Weights({tuple(self)})"

    @classmethod
    def from_text(cls, text: str) -> "Weights":
        """Weights from their form in a game's name: `3/-1/2`.

        Raises:
            BadInput: the text is no weights.
        """
        weights = [whole_number(word.strip()) for word in text.split("/")]
        if None in weights:
            raise BadInput(f"{text!r} is no weights: write whole numbers with / between them, as in 3/-1/2.")
        return cls(weight for weight in weights if weight is not None)


class Game(Constant, Generic[State]):
    """Rules of a game. A subclass defines the methods; those with a default here may be left out."""

    names: ClassVar[tuple[str, str]] = ("x", "o")
    """Names of the two sides, for people: White and Black."""
    marks: tuple[str, str] = ("x", "o")
    """Marks of the two sides in texts of positions and for programs, and owners of pieces; no blanks in them."""
    colours: ClassVar[tuple[Colour, Colour]] = ("blue", "orange")
    """Colours of the two sides. Law: two different ones."""
    surface: ClassVar[Surface] = "paper"
    """Material of the board, by which a page colours it."""
    draws: bool = True
    """Whether a game can end in a draw. Law: where it cannot, no outcome is 0."""
    unit: ClassVar[tuple[str, int]] = ("points", 1)
    """Unit in which people count the static evaluation, in the plural, and how many points one is: pawns, 100."""
    examples: tuple[tuple[str, int], ...] = ()
    """Games that the author knows: moves from the first state, in a text, and the outcome after them. Law: they are
    legal, and the outcome is that one."""
    plain: str = ""
    """Reason why the rules run as plain Python only, in a few words; empty where they may be compiled."""

    def __post_init__(self) -> None:
        """Check that the fields of a dataclass are of their types: `MNK("3")` is a `WrongType`."""
        check_fields(self)

    # -- the rules --------------------------------------------------------------------------------------------------

    def initial(self) -> State:
        """The state before the first move.

        Law: always the same, and unfinished. It is the pattern of all states: each has the same fields, and tuples of
        equal lengths.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say how the game starts: define initial(self).")

    def to_move(self, state: State) -> int:
        """Player to move: `MAX` (0) or `MIN` (1); turns need not alternate. Law: 0 or 1, also in a finished game."""
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
        repeats in it where `repetition` is 0.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say who won: define outcome(self, state).")

    # -- repetition ---------------------------------------------------------------------------------------------------

    repetition: int = 0
    """Number of times a state must occur for the game to end by repetition, the first time counted; 0 where none can
    repeat. 2: the first return ends the game; 3: threefold, as in chess. Law: 0, 2 or more; without `foresight`."""

    def repetition_value(self, state: State) -> int:
        """Utility of a game that ends in this state because it occurred `repetition` times; 0, a draw.

        A loss for the player who repeats, and so has just moved, is `1 if self.to_move(state) == MAX else -1` where
        turns alternate. Law: as `outcome`, of any unfinished state, within its `bounds`; 0 where `repetition` is above
        2, so that it makes no difference which return ends the game.
        """
        return 0

    def repetition_key(self, state: State) -> State:
        """Key under which repetition is counted: the state without counters, such as plies since the last capture.

        Law: the key of a key is itself; it has the same player to move and the same moves. What is left out may only
        bring a draw nearer.
        """
        return state

    def drawn_after(self, state: State) -> int:
        """Plies after which a counter that `repetition_key` leaves out may end the game in a draw.

        Law: who can force a win in fewer plies where the counter is 0 can do so here.
        """
        return LONGEST

    @property
    def repetition_is_draw(self) -> int:
        """Whether `repetition_value` is not overridden, so that every repetition is a draw: 1 or 0, a constant."""
        # Ints from here on, not bools: a question that is a constant takes part in the arithmetic of compiled searches,
        # which drop the code behind a 0.
        return int(type(self).repetition_value is Game.repetition_value)

    # -- evaluation and hints: they make a search better or faster, never wrong ---------------------------------------

    def evaluate(self, state: State) -> int:
        """Static evaluation of an unfinished state, positive when good for the first player. Law: within ±2**19."""
        return 0

    evaluation_memory: int = 0
    """Ints of memory that `evaluate_again` takes; 0 where the search shall ask `evaluate`."""

    def evaluate_again(self, state: State, memory: Any, at: int) -> int:
        """Static evaluation, equal to `evaluate`, updated from the last state that was evaluated with this memory.

        Args:
            state: a state that is not over.
            memory: ints, of which those from `at` on, `evaluation_memory` of them, are this game's; at first all zero.
            at: where they begin.
        """
        return self.evaluate(state)

    def order(self, state: State, move: int) -> int:
        """Rank of a move for the player who makes it; the highest is tried first. Law: an int."""
        return 0

    def is_noisy(self, state: State, move: int) -> bool:
        """Whether a search that has used up its depth must look beyond a legal move: a capture, a promotion.

        At its horizon the engine goes on with these moves alone (quiescence search), and takes the static evaluation
        where the player to move has nothing better. Without this method it takes it everywhere. Law: a bool, always the
        same one.
        """
        return False

    def is_forced(self, state: State) -> bool:
        """Whether the player to move cannot leave an unfinished state as it is: is in check, must capture.

        Its static evaluation then means nothing, and at the horizon every move is searched, noisy or not. Only asked
        where `is_noisy` is overridden. Law: a bool, always the same one.
        """
        return False

    @property
    def has_noise(self) -> int:
        """Whether `is_noisy` is overridden: 1 or 0, a constant."""
        return int(type(self).is_noisy is not Game.is_noisy)

    def pass_turn(self, state: State) -> State:
        """An unfinished state after a pass of the player to move, also where the rules know no pass; the state itself
        where a pass tells nothing of what the moves are worth: in check, or where to have to move is a disadvantage.

        For games in which a pass is hardly ever better than the best move. A player of the engine is then selective:
        where the position would be good enough after a pass, or by its static evaluation, it is not searched on (null
        move and reverse futility pruning). Law: the state itself, or one of the other player's to move; the same one
        every time.
        """
        return state

    @property
    def has_pass(self) -> int:
        """Whether `pass_turn` is overridden: 1 or 0, a constant."""
        return int(type(self).pass_turn is not Game.pass_turn)

    late_move_reductions: bool = False
    """Whether a player of the engine searches quiet moves that come late in the order one ply less deep, and again if
    they seem better. Set it where playing with it is stronger than without, as measured."""

    @property
    def has_selective_search(self) -> int:
        """Whether a player of the engine leaves out moves by judgement: 1 or 0, a constant."""
        return int(bool(self.has_pass or self.late_move_reductions))

    @property
    def unit_points(self) -> int:
        """Points that are one of `unit`: a constant for compiled code."""
        return self.unit[1]

    foresight: int = 0
    """Plies that `candidates` looks ahead: 0 or 2."""

    # Two plies that a game sees with a few shifts are the two widest levels of the tree: without candidates Connect
    # Four takes 5.6 times the nodes.
    def candidates(self, state: State) -> Iterator[int]:
        """The legal moves worth a search.

        Law: without foresight exactly the legal moves, in their order. With a foresight of 2: if a move wins the game
        at once, by as much as `bounds` allows here, one such move alone; else exactly the legal moves that the other
        player cannot answer by winning at once by as much as `bounds` allows here, in their order, which may be none.
        A game may only have foresight if players take turns one by one and no move loses at once for its own player.
        """
        return self.moves(state)

    def pick(self, state: State, chance: int) -> int:
        """A random move of an unfinished state, for a random number from 0 below 2**32; by default found by listing.

        Law: of n legal moves the one at place `chance * n >> 32`, from 0, in their order.
        """
        # Two passes over the generator: compiled code has no lists, and a count is needed before the place is known. A
        # game that can count its moves by bits overrides this; in Ultimate two passes take a quarter of a simulation.
        count = 0
        for _ in self.moves(state):
            count += 1
        place = chance * count >> 32
        for move in self.moves(state):
            if place == 0:
                return move
            place -= 1
        return NO_MOVE

    def split_settled(self, state: State) -> tuple[State, int]:
        """The state without the parts that no move can change any more, and the utility that those parts are worth.

        Law: the same player to move and the same moves; a game continued from it ends in the same number of plies, and
        the utility of the whole is that of the smaller state plus the settled utility.
        """
        return state, 0

    def bounds(self, state: State) -> tuple[int, int]:
        """Lowest and highest utility with which the game can still end. Law: no continued game ends outside."""
        return (-1, 1)

    def canonical(self, state: State) -> State:
        """One representative for all states that are the same under symmetry.

        Law: its own representative; the same player to move, outcome and bounds, and as many games of each length.
        """
        return state

    canonical_is_complete: bool = False
    """Whether `canonical` is the same for all states that are the same under symmetry, so that a tablebase needs no
    others. Law: what follows a state and what follows its representative have the same representatives."""

    def tier(self, state: State) -> int:
        """Number that no move lowers, such as how many marks are set: a tablebase is made tier by tier.

        The more tiers, and the fewer moves within one, the less memory and time that takes. Law: the same for
        `canonical` and `repetition_key` of a state; a move raises it by less than 4,096 or keeps it.
        """
        return 0

    def lay_pieces(self, pieces: Sequence[int], places: Sequence[int], count: int) -> Iterator[State]:
        """States in which `count` pieces are all that stands on the board, one for each player to move.

        None for a player where no such position can arise. Law: for the same pieces all states have the same tier.

        Args:
            pieces: their numbers, as `board().pieces` are numbered, from 1.
            places: different places, in the same order.
        """
        for _ in range(0):
            yield self.initial()

    # -- for people, in ints: compiled too, so that a page can call them without Python --------------------------------

    def stands(self, state: State) -> Iterator[int]:
        """Piece on each place of the board, in the order of places; then, where areas have fates, the fate of each.

        For a place 0, or the number of one of `board().pieces`, from 1; `+ WON` where it is part of the winning line,
        `+ ATTACKED` where it must be saved, `+ COUNT * n` for a count. For an area 0, 1 where x has won it or 2 where o
        has; `+ CLOSED`, `+ IDLE`. These constants are in `board/look.py`. Law: one int for each place, then one for
        each area or none at all.
        """
        for _ in range(0):
            yield 0

    def strokes(self, state: State) -> Iterator[int]:
        """Lines to draw through the winning places: the places at which each begins, turns and ends, then `END`."""
        for _ in range(0):
            yield 0

    def caption(self, state: State) -> Iterator[int]:
        """Text beside the board, in signs (`board/signs.py`); a game without a board shows its text instead."""
        for _ in range(0):
            yield 0

    def notice(self, state: State) -> Iterator[int]:
        """Notice of the state to its players, in signs; none by default.

        Of an unfinished state what follows the player to move, as in "White to move, in check"; of a finished one the
        reason, as in "White wins by checkmate" and "draw by stalemate".
        """
        for _ in range(0):
            yield 0

    @property
    def has_notice(self) -> bool:
        """Whether `notice` is overridden."""
        return type(self).notice is not Game.notice

    def path(self, state: State, move: int) -> Iterator[int]:
        """Numbers of the places that a legal move touches, in the order in which a person points at them.

        One where a mark is set, two where a piece moves, more for a chain of jumps or a piece that is taken off; none
        for a move that the board does not show, which is offered by its text then. Law: places of the board; legal
        moves with a path have different ones.
        """
        for _ in range(0):
            yield 0

    def state_signs(self, state: State) -> Iterator[int]:
        """The state as one short word without blanks, in signs. Law: `parse_state(text(state)) == state`."""
        return list_numbers(flat(state), COMMA)

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

    def notation_signs(self, state: State, move: int) -> Iterator[int]:
        """A legal move as players of the game write it, one word without blanks, in signs: `Nf3+` in chess.

        Records, saved games and messages have `move_signs`. Law: `parse_move(state, notation_text(state, move)) ==
        move`.
        """
        return self.move_signs(state, move)

    record: str = ""
    """File format of records of games: `pgn`, `pdn` or `sgf`; empty where players have none."""
    record_tags: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Tags of a record that say which game it is: `("GameType", "21")` in PDN, `("GM", "11")` in SGF."""

    tells_start: bool = False
    """Whether a record tells the first position also of a game that begins at the initial one."""

    @property
    def has_notation(self) -> bool:
        """Whether `notation_signs` is overridden, so that players write moves otherwise than `move_signs`."""
        return type(self).notation_signs is not Game.notation_signs

    # -- for people, in text ------------------------------------------------------------------------------------------

    state_words: int = 1
    """Most words of a text that `parse_state` reads: 6 where it reads FEN. Law: 1 or more."""

    def material(self, name: str) -> tuple[tuple[int, ...], ...]:
        """End games that a name means, each as the pieces left, for `lay_pieces`: `KQK` in chess, `2-1` in draughts.

        Law: the same pieces stand side by side.

        Raises:
            BadInput: it means none.
        """
        raise BadInput(f"{name!r} is no end game: {type(self).__name__} has none with names.")

    def board(self) -> Board:
        """Fixed part of the board: places, pieces, lines between them. Without places, positions are shown as text."""
        return Board()

    def parse_state(self, text: str) -> State:
        """The state that a text means; parentheses round its numbers, which older texts have, are ignored.

        Raises:
            BadInput: the text is unreadable, or no such position can arise.
        """
        initial = self.initial()
        try:
            written = text.strip().translate(PARENTHESES)
            numbers = iter([int(word) for word in written.split(",")])
            state: State = fill_pattern(initial, numbers)
            # Written again and compared: numbers that a state cannot have, or in another form, are refused without a
            # rule for each.
            if next(numbers, None) is not None or self.text(state) != written:
                raise ValueError
            return state
        except (StopIteration, ValueError):
            raise BadInput(
                f"{text!r} is not a position of {type(self).__name__}: write its numbers as in {self.text(initial)!r}."
            ) from None

    def fen(self, state: State, number: int = 1) -> str:
        """The state as players of the game exchange it, such as FEN; `number` is that of the next pair of moves.

        Law: `parse_state` reads it as the state, but for counters that `repetition_key` leaves out.
        """
        return self.text(state)

    def fullmove_number(self, text: str) -> int:
        """Fullmove number at the end of a state's text, as FEN has it; 1 where the text has none."""
        return 1

    def unseen(self, state: State) -> tuple[int, ...]:
        """Number of each of `board().unseen` in this state. Law: as many, each from 0 to its most."""
        return ()

    def arrangement_text(self, numbers: Sequence[int], counts: Sequence[int], turn: int, unseen: Sequence[int]) -> str:
        """Text of a position that is set up by hand; `parse_state` reads it, or says why it cannot arise.

        By default rows of marks, the player to move, and what is unseen unless all of it is 0: `x.o/.x./...:o:1,2`.
        Where `parse_state` does not read that of the first position, positions are set up as text only. Law: what
        stands, who is to move and what is unseen come back.

        Args:
            numbers: the piece on each place, as `stands` numbers it; 0 for none.
            counts: units of its count, as `stands` adds them.
            turn: the player to move.
            unseen: a number for each of `board().unseen`.
        """
        listing = f":{','.join(map(str, unseen))}" if any(unseen) else ""
        return f"{rows_text(board_of(self), numbers)}:{self.marks[turn]}{listing}"

    def parse_move(self, state: State, text: str) -> int:
        """The move that a text means; the caller checks whether it is legal in the state.

        Raises:
            BadInput: the text names no move of this game.
        """
        word = text.strip()
        legal = list(self.moves(state)) if self.outcome(state) == ONGOING else []
        for move in legal:
            if self.move_text(state, move).casefold() == word.casefold():
                return move
        # A bare number is taken as the int of the move, after the names: where a move's text is a number, that is
        # meant.
        if word.isdigit() and (number := whole_number(word)) is not None:
            return number
        name = type(self).__name__
        example = f": write one as in {self.move_text(state, legal[0])!r}" if legal else ""
        raise BadInput(f"{text!r} is not a move of {name}{example}.")

    def refusal(self, state: State, path: tuple[int, ...]) -> str:
        """Why no legal move goes along these places, in words that may follow "because": "the square is occupied".

        Asked of an unfinished state, for places, at least one, with which no legal path begins; by default, what stands
        there tells. Law: one line of text, never empty.
        """
        paths = [tuple(self.path(state, move)) for move in self.moves(state)]
        return usual_refusal(board_of(self), self.look(state), self.to_move(state), paths, path)

    def explain(self, state: State) -> tuple[tuple[str, int], ...]:
        """Terms of the static evaluation of an unfinished state, each with its number. Law: they sum to `evaluate`.

        The words should be the same in every state: they are shown as the terms of an estimate.
        """
        return (("static evaluation", self.evaluate(state)),)

    # -- derived from these methods -----------------------------------------------------------------------------------

    @final
    def text(self, state: State) -> str:
        """The state as one short word."""
        return spell(self.state_signs(state), place_names(self), self.marks)

    @final
    def move_text(self, state: State, move: int) -> str:
        """The move as one short word."""
        return spell(self.move_signs(state, move), place_names(self), self.marks)

    @final
    def notation_text(self, state: State, move: int) -> str:
        """The move as players of the game write it."""
        return spell(self.notation_signs(state, move), place_names(self), self.marks)

    @final
    def notice_text(self, state: State) -> str:
        """The notice of the state, in words."""
        return spell(self.notice(state), place_names(self), self.names)

    @final
    def look(self, state: State) -> Look:
        """Picture of the state: the part of the board that depends on it."""
        board = board_of(self)
        text = spell(self.caption(state), place_names(self), self.names)
        if not board.places:
            text = text or self.text(state)
        return make_look(board, self.stands(state), self.strokes(state), text)


@lru_cache(maxsize=256, typed=True)  # games of different classes with equal options have the same hash
def own_rules(game: Game[Any]) -> Game[Any]:
    """The game with its own evaluation, under which all is kept that is known exactly.

    A game with a learned evaluation (`learning/learned_rules.py`) has the one that it is made of in `made_of`.
    """
    made_of = getattr(game, "made_of", None)
    return made_of[0] if isinstance(made_of, tuple) and made_of and isinstance(made_of[0], Game) else game


@lru_cache(maxsize=256, typed=True)
def board_of(game: Game[State]) -> Board:
    """The fixed part of a game's board, with its surface and the names, marks and colours of the sides.

    Raises:
        WrongType: the game gives no Board, or makes a part of one from something else.
    """
    board = game.board()
    if not isinstance(board, Board):
        raise WrongType(f"board of {type(game).__name__} gives a {type(board).__name__}: give a Board of places.")
    return replace(board, names=game.names, marks=game.marks, colours=game.colours, surface=game.surface)


@lru_cache(maxsize=256, typed=True)
def place_names(game: Game[State]) -> tuple[str, ...]:
    """Names of the places of a game's board."""
    return tuple(place.name for place in board_of(game).places)


@lru_cache(maxsize=256, typed=True)
def can_arrange(game: Game[State]) -> bool:
    """Whether positions of a game can be set up piece by piece: its first position is read back from its pieces."""
    try:
        board, state = board_of(game), game.initial()
        # At most `MOST_MOVES` pieces are read, for a user's generator may never end.
        told = tuple(islice(game.stands(state), MOST_MOVES))
        back = game.parse_state(
            game.arrangement_text(*count_pieces(board, told), game.to_move(state), game.unseen(state))
        )
        return bool(board.places) and tuple(game.stands(back)) == told and game.to_move(back) == game.to_move(state)
    except Exception:  # the text is not read, or a user's rule fails, which the laws report
        return False
