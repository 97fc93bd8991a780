"""Positions: a game, a state, and the moves that led to it."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property
from operator import index
from typing import Any, Final

from plyground.board import svg as drawing
from plyground.board.fen import read_epd
from plyground.board.look import Board, Look, only_open_area
from plyground.board.refusing import refusal_before_rules
from plyground.board.text_board import Line, Scene, lines_of
from plyground.errors import BadInput, WrongType, check_arguments, set_kind_words
from plyground.games import as_game
from plyground.in_pages import in_pages
from plyground.markup import Markup
from plyground.rules import ONGOING, Game, board_of, own_rules
from plyground.score import Score
from plyground.text import moves_in


# Data and not literals: a page's workers, in JavaScript, fill the same sentences (`web/views/page_constants.py`).
@dataclass(frozen=True)
class PositionWords:
    """Sentences about a position, also for a page that has them as data."""

    over: str = "The game is over: {result}; no move can be made."
    not_legal: str = "{move} is not a legal move here: {moves}."
    refused: str = "{move} is not a legal move here, because {why}. Legal moves: {moves}."
    goes_on: str = "it must go on, as in {move}"
    more: str = " … ({count} in all)"
    named: int = 12
    """Moves that are listed in a sentence, at most."""
    to_move: str = "{name} to move"
    by: str = " by {how}"
    repetition: str = "repetition"
    threefold: str = "threefold repetition"


POSITION_WORDS: Final = PositionWords()

AUTOMATIC_TIMES, AUTOMATIC_PLIES = 5, 50
"""Times of a position, and plies beyond those of the claim, that end a game of chess without a claim."""

# A position of any game; what a state is, only its game knows.
AnyState = Any


@dataclass(frozen=True)
class Position:
    """A state of a game and the moves that led to it. It never changes: playing and undoing give other positions.

    >>> position = Position.initial("tictactoe").play("b2")
    >>> print(position)
       a  b  c
    1  ·  ·  ·
    2  · (x) ·
    3  ·  ·  ·
    o to move

    Raises:
        BadInput: a move is not legal where it is made; a `WrongType` of it: there is no game.
    """

    game: Game[AnyState]
    start: AnyState
    """The state the moves began from."""
    moves: tuple[int, ...] = ()
    start_number: int = 1
    """Fullmove number of the start, the last number of its FEN: 14 where the first move is `14.` or `14...`."""

    def __post_init__(self) -> None:
        self.__dict__["game"] = as_game(self.game)
        if not isinstance(self.moves, Sequence):
            raise WrongType(f"moves={self.moves!r}: give the moves from the start, as in (4, 0).")
        # Without moves there is nothing to replay, and the start is taken as it is.
        if self.moves or self.start is None:
            if not isinstance(self.start, type(self.game.initial())):
                raise WrongType(f"start={self.start!r}: give a state of {self.game!r}, as game.initial() is.")
            # Each move is checked by playing it; the states that this finds are kept, so that nothing is played twice.
            here = Position(self.game, self.start)
            for move in self.moves:
                here = here.play(move)
            self.__dict__.update(moves=here.moves, states=here.states)

    @classmethod
    def _of_states(
        cls, game: Game[AnyState], states: tuple[AnyState, ...], moves: tuple[int, ...], start_number: int
    ) -> "Position":
        """A position whose moves are known to be legal, with the states between them."""
        made = object.__new__(cls)
        # Around the frozen dataclass and its checks: this runs once a move, of moves that came from the rules.
        made.__dict__.update(game=game, start=states[0], moves=moves, start_number=start_number, states=states)
        return made

    @classmethod
    def initial(cls, game: Game[AnyState] | str) -> "Position":
        """The position before the first move of a game, which may be given by its name."""
        game = as_game(game)
        return cls(game, game.initial())

    @classmethod
    def starting(cls, game: Game[AnyState] | str, text: str = "") -> "Position":
        """The position before the first move from a state in text; by default from the initial state.

        >>> Position.starting("chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 3 14").play("e4").play("Kd7").fen
        '8/3k4/8/8/4P3/8/8/4K3 w - - 1 15'

        Raises:
            BadInput: the text is unreadable, or the state cannot arise.
        """
        game = as_game(game)
        return cls(game, game.parse_state(text), start_number=game.fullmove_number(text)) if text else cls.initial(game)

    @classmethod
    def parse(cls, game: Game[AnyState] | str, text: str) -> "Position":
        """The position that a text means: a state, moves from the initial state, or a state and moves from it.

        A state may be several words, as FEN is. Moves may be numbered, and stand without blanks where each is a sign,
        or letters and a number. Digits are what players of the game write, counted from 1; ints are moves of `play`.

        >>> from plyground.games.mnk import MNK
        >>> Position.parse(MNK(), "b2 a1").text
        'o../.x./...:x'
        >>> Position.parse(MNK(), "xx./.o./...:o c1").text
        'xxo/.o./...:x'
        >>> Position.parse("connectfour", "4443").words, Position.parse("chess", "1. e4 e5 2. Nf3").words
        (['d', 'd', 'd', 'c'], ['e2e4', 'e7e5', 'g1f3'])

        Raises:
            BadInput: the text is unreadable, the state cannot arise, or a move is illegal.
        """
        game = as_game(game)
        if not isinstance(text, str):
            raise WrongType(f"{text!r} is no text: a position is read from a state or moves, as in 'b2 a1'.")
        if ";" in text:
            text, _ = read_epd(text)
        try:
            return cls._parse_words(game, text.split())
        except BadInput:
            # A second reading only after the first has failed: `4433` may be a move or a state of some game.
            plain = [part for word in text.split() for part in moves_in(word)]
            if plain == text.split():
                raise
            with suppress(BadInput):
                return cls._parse_words(game, plain)
            raise

    @classmethod
    def _parse_words(cls, game: Game[AnyState], words: list[str]) -> "Position":
        position, rest, refused = cls.parse_beginning(game, words)
        if rest and refused:
            try:
                position.legal(rest[0]) if rest == words else game.parse_move(position.state, rest[0])
            except BadInput:
                raise refused from None
        for word in rest:
            position = position.play_without_claim(word)
        return position

    @classmethod
    @check_arguments
    def parse_beginning(
        cls, game: Game[AnyState], words: Sequence[str]
    ) -> tuple["Position", Sequence[str], BadInput | None]:
        """The position that the most first words mean, the words after it, and why more words are not a position.

        Where no first word is a position, it is the initial one, before all words.
        """
        game, refused = as_game(game), None
        # The reading with the most words comes first: the beginning of a FEN may be a text by itself.
        for count in range(min(len(words), game.state_words), 0, -1):
            try:
                return cls.starting(game, " ".join(words[:count])), words[count:], refused
            except BadInput as fault:
                # The error of the longest reading, which is what was most likely meant.
                refused = refused or fault
        return cls.initial(game), words, refused

    # The states are computed once, and handed on by `after` and `undo`: replaying at each step would make a game of n
    # moves cost n² of them.
    @cached_property
    def states(self) -> tuple[AnyState, ...]:
        """All states from the start to now; one more than there are moves."""
        states = [self.start]
        for move in self.moves:
            states.append(self.game.play(states[-1], move))
        return tuple(states)

    @property
    def state(self) -> AnyState:
        """The state now."""
        return self.states[-1]

    @cached_property
    @in_pages
    def text(self) -> str:
        """The state in text; `parse` reads it."""
        return self.game.text(self.state)

    @property
    def fen(self) -> str:
        """The state as players exchange it, numbered on from the start: FEN for chess and draughts, else the text."""
        return self.game.fen(self.state, (self.plies_before + len(self.moves)) // 2 + 1)

    @property
    def start_text(self) -> str:
        """The start in one word, with its number unless that is 1; empty for the initial state. `starting` reads it."""
        if self.start_number > 1:
            return self.game.fen(self.start, self.start_number).replace(" ", "_")
        return "" if self.start == self.game.initial() else self.game.text(self.start)

    @property
    @in_pages
    def plies_before(self) -> int:
        """Plies that the numbers of its moves count before the start: 27 where `14... e5` is the first move."""
        # Fullmove numbers count pairs: one ply more where the second player begins.
        return 2 * (self.start_number - 1) + (self.game.to_move(self.start) != self.game.to_move(self.game.initial()))

    @property
    def history(self) -> str:
        """The start, if it is not the initial state, and the moves in text; `parse` reads it, history and all."""
        return " ".join(filter(None, [self.start_text, *self.words]))

    @property
    @in_pages
    def words(self) -> list[str]:
        """The moves in text."""
        return list(self._words)

    @cached_property
    @in_pages
    def _words(self) -> tuple[str, ...]:
        return tuple(self.game.move_text(self.states[ply], move) for ply, move in enumerate(self.moves))

    @property
    @in_pages
    def notation(self) -> list[str]:
        """The moves as players of the game write them."""
        return list(self._notation)

    @cached_property
    @in_pages
    def _notation(self) -> tuple[str, ...]:
        return tuple(self.game.notation_text(self.states[ply], move) for ply, move in enumerate(self.moves))

    def steps(self) -> Iterator["Position"]:
        """The positions from the start to this one."""
        for plies in reversed(range(len(self.moves) + 1)):
            yield self.undo(plies)

    @cached_property
    @in_pages
    def outcome(self) -> int | None:
        """The utility for the first player if the game is over, also drawn by repetition; None while it goes on."""
        utility = self.game.outcome(self.state)
        if utility != ONGOING:
            return utility
        return self.game.repetition_value(self.state) if self.is_repeated else None

    @cached_property
    def line(self) -> tuple[AnyState, ...]:
        """Repetition keys of the states from the start to this one; empty in a game without repetitions."""
        # Empty where no state can return: most games, for which keys of all states would be kept for nothing.
        if not self.game.repetition:
            return ()
        return tuple(map(self.game.repetition_key, self.states))

    @property
    @in_pages
    def is_repeated(self) -> bool:
        """Whether its state has come as often as ends the game, counted from the start; the rules may end it sooner."""
        return len(self.line) > 0 and self.line.count(self.line[-1]) >= self.game.repetition

    @check_arguments
    def last_times(self, plies: int = 0) -> tuple[AnyState, ...]:
        """Keys of `line` whose next occurrence ends the game, and all of the last `plies` plies."""
        if not self.line:
            return ()
        times = Counter(self.line)
        # `repetition - 1` times have passed: once more ends the game, as the second return does in chess.
        late = set(self.line[len(self.line) - plies :])
        return tuple(each for each, count in times.items() if count >= self.game.repetition - 1 or each in late)

    @property
    @in_pages
    def to_move(self) -> int:
        """The player whose turn it is: 0 (x) or 1 (o)."""
        return self.game.to_move(self.state)

    @cached_property
    @in_pages
    def legal_moves(self) -> tuple[int, ...]:
        """The legal moves in generation order; none when the game is over."""
        return tuple(self.game.moves(self.state)) if self.outcome is None else ()

    @property
    @in_pages
    def legal_texts(self) -> list[str]:
        """The legal moves in text."""
        return list(self._legal_texts)

    @cached_property
    @in_pages
    def _legal_texts(self) -> tuple[str, ...]:
        return tuple(self.game.move_text(self.state, move) for move in self.legal_moves)

    def children(self) -> Iterator[tuple[int, "Position"]]:
        """Every legal move with the position after it, in generation order."""
        for move in self.legal_moves:
            yield move, self.after(move)

    def text_of(self, move: int) -> str:
        """A legal move in text; `play` reads it.

        Raises:
            BadInput: the move is not legal here.
        """
        return self.game.move_text(self.state, self.legal(move))

    @property
    @in_pages
    def legal_notation(self) -> list[str]:
        """The legal moves as players of the game write them."""
        return [self.game.notation_text(self.state, move) for move in self.legal_moves]

    def legal(self, move: int | str) -> int:
        """The move as an int.

        Raises:
            BadInput: the text names no move, or the move is not legal here.
        """
        number = self.game.parse_move(self.state, move) if isinstance(move, str) else _number(move)
        if number in self.legal_moves:
            return number
        if self.outcome is not None:
            raise BadInput(self._not_legal("", ""))
        # A text is quoted by the move's own name, since players write many forms; an int is quoted as it was given.
        named = self._move_name(number) if isinstance(move, str) else f"{move}"
        path = self._path(number)
        words = zip(self.legal_notation, self.paths.values(), strict=True)
        # The path of the move may be the beginning of a legal one, as a jump that has to go on.
        goes_on = next((word for word, each in words if each[: len(path)] == path), "") if path else ""
        why = POSITION_WORDS.goes_on.format(move=goes_on) if goes_on else self.refusal(path)
        raise BadInput(self._not_legal(named, why))

    def is_legal(self, move: int | str) -> bool:
        """Whether a move, as an int or in text, is legal here.

        >>> Position.initial("tictactoe").is_legal("b2"), Position.initial("tictactoe").is_legal("pass")
        (True, False)
        """
        try:
            self.legal(move)
        except BadInput:
            return False
        return True

    @in_pages
    def _not_legal(self, named: str, why: str) -> str:
        """Sentence that a move is not legal, with the reason where it is known."""
        if self.outcome is not None:
            return POSITION_WORDS.over.format(result=self.result)
        words = self.legal_notation
        more = POSITION_WORDS.more.format(count=len(words)) if len(words) > POSITION_WORDS.named else ""
        some = ", ".join(words[: POSITION_WORDS.named]) + more
        if why:
            return POSITION_WORDS.refused.format(move=named, why=why, moves=some)
        return POSITION_WORDS.not_legal.format(move=named, moves=some)

    @check_arguments
    def refusal(self, path: Sequence[int]) -> str:
        """Why no legal move goes along these places, in a few words; empty where one may, or no reason is known.

        >>> from plyground.games.chess import Chess
        >>> Position.initial(Chess()).refusal((60, 52))  # e1 and e2
        'a pawn of White stands on e2'
        """
        path = tuple(path)
        over = "" if self.outcome is None else self.result
        known = refusal_before_rules(self.board, self.paths.values(), path, over)
        return self.game.refusal(self.state, path) if known is None else known

    def _path(self, move: int) -> tuple[int, ...]:
        """The places of a move that need not be legal; none where the rules cannot say."""
        try:
            return tuple(self.game.path(self.state, move))
        except Exception:  # not a move at all
            return ()

    def _move_name(self, move: int) -> str:
        try:
            return self.game.move_text(self.state, move)
        except Exception:  # not a move at all; its number names it
            return str(move)

    def play(self, move: int | str) -> "Position":
        """The position after a move: an int, one of `legal_moves`, or a text as players write it.

        The two are not alike where a text is a number: players count columns and cells from 1, and ints are the game's.

        Raises:
            BadInput: as `legal`.
        """
        return self.after(self.legal(move))

    @cached_property
    def _position_without_claims(self) -> "Position":
        """The state alone, under rules that count no plies, where no draw is claimed."""
        game = own_rules(self.game)
        if is_dataclass(game) and any(each.name == "quiet" for each in fields(game)):
            game = replace(game, quiet=0)
        return self._of_states(game, self.states[-1:], (), self.start_number)

    @property
    def is_claimable(self) -> bool:
        """Whether the game is drawn only if a player claims it, by a repetition or a count of plies.

        Records go on after that. In chess the fifth time of a position and 75 moves end it without a claim (FIDE, 9.6).
        """
        if self.outcome != 0 or self._position_without_claims.outcome is not None:
            return False
        times = self.line.count(self.line[-1]) if self.line else 0
        is_automatic = times >= AUTOMATIC_TIMES or self.game.drawn_after(self.state) <= -AUTOMATIC_PLIES
        return not is_automatic or self.game.record != "pgn"

    def play_without_claim(self, move: int | str) -> "Position":
        """The position after a move of a game that has been played: as `play`, and also where a draw could have been
        claimed and was not.

        Raises:
            BadInput: as `legal`.
        """
        return self.after((self._position_without_claims if self.is_claimable else self).legal(move))

    def after(self, move: int) -> "Position":
        """The position after a move that is known to be legal: it is not checked."""
        states = (*self.states, self.game.play(self.state, move))
        after = self._of_states(self.game, states, (*self.moves, move), self.start_number)
        # what the cached properties would find from the start
        if "_words" in self.__dict__:
            after.__dict__["_words"] = (*self._words, self.game.move_text(self.state, move))
        if "_notation" in self.__dict__:
            after.__dict__["_notation"] = (*self._notation, self.game.notation_text(self.state, move))
        if "line" in self.__dict__:
            after.__dict__["line"] = (*self.line, self.game.repetition_key(after.state)) if self.line else ()
        return after

    def after_all(self, moves: tuple[int, ...], states: tuple[AnyState, ...]) -> "Position":
        """The position after moves that are known to be legal, with the states from this one to that: as `after`."""
        return self._of_states(self.game, (*self.states, *states[1:]), (*self.moves, *moves), self.start_number)

    def under(self, game: Game[AnyState]) -> "Position":
        """The position under other rules of the same states and moves, such as those with another evaluation."""
        return self._of_states(as_game(game), self.states, self.moves, self.start_number)

    def without_history(self) -> "Position":
        """Position that starts at the current state, without history for repetitions; FEN's move number is kept.

        >>> Position.parse("chess", "e4 e5 Qh5 Nc6 Bc4").without_history().fen.split()[1:]
        ['b', 'KQkq', '-', '3', '3']
        """
        return self._of_states(self.game, self.states[-1:], (), self.game.fullmove_number(self.fen))

    @check_arguments
    def undo(self, plies: int = 1) -> "Position":
        """The position some plies ago.

        Raises:
            BadInput: there are fewer.
        """
        if not 0 <= plies <= len(self.moves):
            raise BadInput(f"{plies} plies cannot be taken back: {len(self.moves)} have been played.")
        left = len(self.moves) - plies
        before = self._of_states(self.game, self.states[: left + 1], self.moves[:left], self.start_number)
        # what the cached properties would find from the start
        for name, count in (("_words", left), ("_notation", left), ("line", left + 1)):
            if name in self.__dict__:
                before.__dict__[name] = self.__dict__[name][:count]
        return before

    @property
    @in_pages
    def must_pass(self) -> bool:
        """Whether the only legal move is a pass: it touches no place of the board."""
        has_places = len(self.board.places) > 0
        return len(self.legal_moves) == 1 and has_places and all(not path for path in self.paths.values())

    @check_arguments
    def plies_since(self, players: Collection[int]) -> int:
        """Plies since one of these players last made a move, forced passes aside; 0 if none has."""
        for ago in range(1, len(self.moves) + 1):
            here = self.undo(ago)
            if here.to_move in players and not here.must_pass:
                return ago
        return 0

    @property
    @in_pages
    def reason(self) -> str:
        """The reason that the game is over, in a few words: `checkmate`, `stalemate`, `threefold repetition`.

        Empty while it goes on, and where its result says all, as three in a row do.
        """
        if self.outcome is None:
            return ""
        if self.game.outcome(self.state) != ONGOING:
            return self.game.notice_text(self.state)
        return POSITION_WORDS.threefold if self.game.repetition == 3 else POSITION_WORDS.repetition

    @property
    @in_pages
    def result(self) -> str:
        """State of the game, in words: `White to move`, `White wins by checkmate`."""
        if self.outcome is None:
            return POSITION_WORDS.to_move.format(name=self.game.names[self.to_move])
        said = Score(self.outcome).text(self.game.names)
        return said + POSITION_WORDS.by.format(how=self.reason) if self.reason else said

    @property
    def board(self) -> Board:
        """The fixed part of the board."""
        return board_of(self.game)

    @in_pages
    def look(self) -> Look:
        """Picture of the board: pieces, winning line, fates of areas."""
        return self.game.look(self.state)

    @property
    def where(self) -> str:
        """The only part of the board in which the player to move may play now, by its name: `middle board`."""
        return only_open_area(self.board, self.look())

    @property
    @in_pages
    def paths(self) -> dict[int, tuple[int, ...]]:
        """The legal moves and the places of the board that each touches, as people point at them."""
        return {move: tuple(self.game.path(self.state, move)) for move in self.legal_moves}

    @check_arguments
    def svg(self, size: float = 180) -> Markup:
        """The board as an SVG document, `size` pixels wide, with the last move marked."""
        return drawing.svg(self.board, self.look(), size, last=self.last)

    @check_arguments
    def text_board(self, *, has_figures: bool = False, width: int | None = None) -> list[Line]:
        """The board as lines of text in segments, with the last move marked.

        Args:
            has_figures: show pieces as ♘.
            width: characters of a line; a wider board is drawn closer. None: as wide as it comes.
        """
        scene = Scene(self.last, tuple(self.paths.values()), self.where, has_figures, width)
        return lines_of(self.board, self.look(), scene)

    def __str__(self) -> str:
        lines = ("".join(words for words, _ in line).rstrip() for line in self.text_board())
        return "\n".join([*lines, self.result])

    def _repr_html_(self) -> Markup:
        """The board as a notebook shows it."""
        return self.svg()

    @property
    @in_pages
    def last(self) -> tuple[int, ...]:
        """The places that the last move touched; none before the first, and where the board does not show it."""
        return tuple(self.game.path(self.states[-2], self.moves[-1])) if self.moves else ()


set_kind_words(Position, "a Position, as in Position.initial('connectfour')")


def _number(move: object) -> int:
    """A move as an int: also one of another kind of whole number, such as NumPy's.

    Raises:
        WrongType: it is no whole number.
    """
    if not isinstance(move, bool) and hasattr(move, "__index__"):
        return index(move)
    raise WrongType(f"{move!r} is no move: give an int, one of legal_moves, or a text, one of legal_texts.")


@in_pages
def moves_text(position: Position, moves: tuple[int, ...]) -> list[str]:
    """Moves made one after the other from a position, in text."""
    return [position.game.move_text(state, move) for state, move in _play_moves(position, moves)]


@in_pages
def notation_of(position: Position, moves: tuple[int, ...]) -> list[str]:
    """Moves made one after the other from a position, as players of the game write them."""
    return [position.game.notation_text(state, move) for state, move in _play_moves(position, moves)]


@in_pages
def _play_moves(position: Position, moves: tuple[int, ...]) -> list[tuple[AnyState, int]]:
    """Moves made one after the other, each with the state before it."""
    played, state = list[tuple[AnyState, int]](), position.state
    for move in moves:
        played.append((state, move))
        state = position.game.play(state, move)
    return played
