"""Dialogues with a program in its protocol, without I/O: a `Talk` yields the lines to send and waits for lines.

A `Dialogue` is all that is said to one program: it greets it, and asks it for moves. The driver (`driver.py`) sends,
receives and keeps the time; a test can do the same with a list of lines.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, ClassVar, TypeVar

from plyground.errors import BadInput
from plyground.play.move_note import MoveEvaluation
from plyground.play.player import Illegal, Unable
from plyground.position import Position
from plyground.rules import Game
from plyground.wire.messages import Unreadable

Returned = TypeVar("Returned")
LONGEST_QUOTATION = 200
"""Characters of a line that a sentence quotes."""


@dataclass(frozen=True)
class Hear:
    """Wait for a line; None: as long as the driver gives."""

    seconds: float | None = None


class TimeUp(Exception):
    """Thrown into a talk where it waits: no line came in time. A talk that goes on is given a little more."""


Talk = Generator[str | Hear, str, Returned]


def hear(seconds: float | None = None) -> Talk[str]:
    """Returns the next line."""
    return (yield Hear(seconds))


def until(*heads: str, seconds: float | None = None, seen: Callable[[str], None] | None = None) -> Talk[str]:
    """Returns the next line that begins with one of these words; the lines before it go to `seen`."""
    while True:
        line = yield from hear(seconds)
        # Whole words are compared: `move` must not match `moves`.
        if line.split(maxsplit=1)[:1] and line.split(maxsplit=1)[0] in heads:
            return line
        if seen:
            seen(line)


@dataclass(frozen=True)
class Budget:
    """Limits of a program for a move. Seconds; None: no such limit."""

    move: float | None = None
    clock: float | None = None
    """Seconds left to the program for the whole game."""
    increment: float = 0.0
    game: float | None = None
    """Seconds that the program had for the whole game at its start."""
    depth: int | None = None
    nodes: int | None = None
    turns: int | None = None
    """Moves that it still has to make within `clock`; None: those of the whole game."""


def milliseconds(seconds: float) -> int:
    """Whole milliseconds, at least one."""
    return max(round(seconds * 1000), 1)


def whole_seconds(seconds: float) -> int:
    """Whole seconds, rounded up."""
    return ceil(seconds)


@dataclass(frozen=True)
class Dialect:
    """Words of a protocol for one game."""

    game: type[Game[Any]]
    """Its class; `Game` itself for every game."""
    name: str = ""
    """The protocol's word for the game, if it has several."""
    fits: Callable[[Any], bool] = lambda game: True
    """Whether the protocol has these options of the game."""
    needs: str = ""
    """Which options it has, for a message."""
    word: Callable[[Game[Any], Any, int], str] = lambda game, state, move: game.move_text(state, move)
    """A legal move in a state, in the protocol's words."""
    colours: tuple[str, str] = ("black", "white")
    """The words for x and o."""


class Dialogue(ABC):
    """Dialogue with one program, from its greeting on."""

    protocol: ClassVar[str]
    summary: ClassVar[str]
    """The protocol, for people, in a line."""
    dialects: ClassVar[tuple[Dialect, ...]]
    """The games of which it speaks."""
    remembers: ClassVar[bool] = False
    """Whether the program alone knows its game, so that it is started anew for another position."""
    ends_turns: ClassVar[bool] = False
    """Whether our side ends the program's time for a move, and the last move that it named counts."""
    farewell: ClassVar[str] = "quit"
    """The line that ends the program; empty where the end of its input does."""
    no_options: ClassVar[str] = ""
    """The reason that the program takes no options of its own; empty where it takes some."""

    move_evaluation: MoveEvaluation | None = None
    """Score and depth that the program gave for its last move, where the protocol has words for them."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self.options = options
        if options and self.no_options:
            raise BadInput(f"{self.protocol}[{next(iter(options))}=…]: {self.no_options}")

    @classmethod
    def dialect(cls, game: Game[Any]) -> Dialect:
        """Words of the protocol for a game.

        Raises:
            Unable: it does not.
        """
        # The exact class is compared: rules of a subclass may differ, and the program would play others.
        found = next((each for each in cls.dialects if each.game in (type(game), Game)), None)
        name = type(game).__name__
        if found is None:
            spoken = ", ".join(sorted(each.game.__name__ for each in cls.dialects))
            raise Unable(f"{cls.protocol} has no words for {name}: it is spoken for {spoken}.")
        if not found.fits(game):
            raise Unable(f"{cls.protocol} has {name} only with {found.needs}; this is {game!r}.")
        return found

    def read(self, position: Position, text: str) -> int:
        """The move that the program named.

        Raises:
            Illegal: it is none of the legal ones.
        """
        # All legal moves are written in the protocol's words and compared: no parser of foreign
        # text can disagree with the writer.
        legal = {self.word(position.game, position.state, move): move for move in position.legal_moves}
        for word, move in legal.items():
            if word.casefold() == text.casefold():
                return move
        some = ", ".join([*legal][:12]) + (f" … ({len(legal)} in all)" if len(legal) > 12 else "")
        raise Illegal(f"{quote_line(text)} is not a legal move here: {some}.")

    def word(self, game: Game[Any], state: Any, move: int) -> str:
        """A legal move in the protocol's words."""
        return self.dialect(game).word(game, state, move)

    def words(self, position: Position) -> list[str]:
        """The moves of a position's game in the protocol's words."""
        return [
            self.word(position.game, state, move) for state, move in zip(position.states, position.moves, strict=False)
        ]

    @abstractmethod
    def greet(self, position: Position) -> Talk[None]:
        """Bring a program that has just been started into the game of a position.

        Raises:
            Unable: it lacks an option, a variant or a size of the board.
        """

    @abstractmethod
    def move(self, position: Position, budget: Budget) -> Talk[int]:
        """Ask for a move in a position of this game.

        Raises:
            Illegal, Resigned, Unreadable: what the program answers.
            Unable: the program cannot be brought to the position, or cannot keep such a limit.
        """

    @abstractmethod
    def is_answer(self, line: str) -> bool:
        """Whether a line is an answer, which a program may not give unasked."""

    def refuse_answers(self, line: str) -> None:
        """Raise `Unreadable` for an answer that answers no question."""
        if self.is_answer(line):
            raise Unreadable(f"it answered unasked, or a second time: {quote_line(line)}")


def quote_line(text: str) -> str:
    """A line for a sentence."""
    return repr(text if len(text) <= LONGEST_QUOTATION else f"{text[:LONGEST_QUOTATION]}…")


def stone_owners(position: Position) -> Sequence[str]:
    """`x`, `o` or the sign of a free one for each place of a board of rows, read from the state's text."""
    return position.game.text(position.start).partition(":")[0].replace("/", "")


def has_own_start(position: Position) -> bool:
    """Whether the game began at another position than the initial one."""
    return bool(position.start != position.game.initial())


def refuse_start(protocol: str, position: Position) -> Unable:
    """Refusal of a game that begins where the protocol cannot begin one."""
    start = Position.initial(position.game)
    example = start.game.move_text(start.state, start.legal_moves[0])
    return Unable(
        f"{protocol} cannot tell a program to begin at {position.game.text(position.start)!r}: give the moves that "
        f"lead there instead, as in --position {example!r}."
    )


def follows(position: Position, told: Position) -> bool:
    """Whether a position is the one that the program has on its board, or comes after it in the same game."""
    same = told.game == position.game and told.start == position.start
    return same and position.moves[: len(told.moves)] == told.moves
