"""GTP 2, the protocol of Go programs, for other games of stones: Farnebäck, "Specification of the Go Text Protocol,
version 2" (2002); Hex as HexGui has it.

Each command has a number, and its answer the same one, so an answer that comes late is never taken for another.
"""

from typing import Any

from plyground.games.amazons import Amazons
from plyground.games.gomoku import Gomoku
from plyground.games.hex import Hex
from plyground.games.reversi import Reversi
from plyground.play.player import Resigned, Unable
from plyground.position import Position
from plyground.protocols.dialogue import (
    Budget,
    Dialect,
    Dialogue,
    Talk,
    begun_elsewhere,
    follows,
    hear,
    is_elsewhere,
    quoted,
    whole_seconds,
)
from plyground.rules import Game
from plyground.wire.messages import Unreadable

LETTERS = "abcdefghjklmnopqrstuvwxyz"
"""Names of columns in GTP: no i."""


def vertex(game: Game[Any], state: Any, move: int) -> str:
    """A point of the board as GTP names it: a letter without i, and the row; other moves have their own word."""
    place = next(iter(game.path(state, move)), None)
    if place is None:
        return game.move_text(state, move)
    row, column = divmod(place, game.columns)  # type: ignore[attr-defined]  # the games below have columns
    return f"{LETTERS[column]}{row + 1}"


def hexgui(game: Game[Any], state: Any, move: int) -> str:
    """A cell of Hex, whose columns have all letters, or HexGui's word for our swap."""
    word = game.move_text(state, move)
    return "swap-pieces" if word == "swap" else word


class Gtp(Dialogue):
    """What is said to a program that speaks GTP."""

    protocol = "gtp"
    summary = "a program of Hex, Gomoku, Reversi or Amazons that speaks GTP: gtp:COMMAND"
    no_options = "GTP has no options; give them in the command."
    dialects = (
        Dialect(Hex, word=hexgui),
        Dialect(Gomoku, word=vertex, fits=lambda game: game.rows == game.columns, needs="as many rows as columns"),
        Dialect(Reversi),
        Dialect(
            Amazons,
            fits=lambda game: game.rows == game.columns,
            needs="as many rows as columns",
            colours=("white", "black"),
        ),
    )

    _told: Position | None = None
    """The position on the program's board."""
    _number: int = 0
    """Of the last command."""

    def greet(self, position: Position) -> Talk[None]:
        name = yield from self._asked("name")
        if name is None:
            raise Unable("The program does not know the command name, which every GTP program has.")

    def _asked(self, command: str) -> Talk[str | None]:
        """The answer to a command; None if the program refuses it."""
        self._number += 1
        yield f"{self._number} {command}"
        while True:
            line = yield from hear()
            head, _, rest = line.partition(" ")
            if head == f"={self._number}":
                return rest.strip()
            if head == f"?{self._number}":
                self._refusal = rest.strip()
                return None
            if head in ("=", "?"):
                raise Unreadable(
                    f"it wrote {quoted(line)}; an answer to {self._number} {command} begins with its number"
                )
            self.refuse_answers(line)

    def _begun(self, position: Position) -> Talk[None]:
        if is_elsewhere(position):
            raise begun_elsewhere(self.protocol, position)
        game: Any = position.game
        size = getattr(game, "size", None) or game.rows
        for command in (f"boardsize {size}", "clear_board"):
            if (yield from self._asked(command)) is None:
                raise Unable(f"The program refuses {command}: {quoted(self._refusal)}.")
        self._told = position.undo(len(position.moves))

    def move(self, position: Position, budget: Budget) -> Talk[int]:
        if budget.nodes is not None or budget.depth is not None:
            raise Unable("GTP has limits in time alone: write time=, or give others in the command.")
        if self._told is None or not follows(position, self._told):
            yield from self._begun(position)
        assert self._told is not None
        colours = self.dialect(position.game).colours
        told = len(self._told.moves)
        for step, word in list(zip(position.steps(), self.words(position), strict=False))[told:]:
            command = f"play {colours[step.to_move]} {word}"
            if (yield from self._asked(command)) is None:
                raise Unreadable(f"it refused {command}, a legal move: {quoted(self._refusal)}")
        self._told = position
        side = colours[position.to_move]
        for command in self._limits(side, budget):
            yield from self._asked(command)  # a program that keeps no time refuses it, and is held to the clock here
        answer = yield from self._asked(f"genmove {side}")
        if answer is None:
            raise Unreadable(f"it refused genmove {side}: {quoted(self._refusal)}")
        if answer.casefold() == "resign":
            raise Resigned
        move = self.read(position, answer)
        self._told = position.play(move)
        return move

    @staticmethod
    def _limits(side: str, budget: Budget) -> list[str]:
        if budget.clock is not None:
            left = int(budget.clock)
            return [f"time_settings {whole_seconds(budget.game or budget.clock)} 0 0", f"time_left {side} {left} 0"]
        return [f"time_settings 0 {whole_seconds(budget.move or 1)} 1"]

    def is_answer(self, line: str) -> bool:
        """An answer with the number of a command that is answered already."""
        head = line.split(maxsplit=1)[0] if line.strip() else ""
        return head[:1] in ("=", "?") and head[1:].isdecimal() and int(head[1:]) <= self._number
