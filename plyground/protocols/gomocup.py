"""Gomocup's protocol, in which programs of five in a row play: Petříček and Laštovička, "Gomoku AI protocol".

A point is `x,y`: column and row, from 0. The whole board is told where one move of the other side does not tell it.
"""

import re
from typing import Any

from plyground.games.gomoku import Gomoku
from plyground.games.mnk import MNK
from plyground.play.player import Unable
from plyground.position import Position
from plyground.protocols.dialogue import (
    Budget,
    Dialect,
    Dialogue,
    Talk,
    follows,
    hear,
    milliseconds,
    owners,
    quoted,
    until,
)
from plyground.rules import Game
from plyground.wire.messages import Unreadable

POINT = re.compile(r"\d{1,3},\d{1,3}")
EXACTLY_FIVE = 1
"""Bit of the rule that more than five in a row do not win."""
NO_ANSWERS = ("MESSAGE", "DEBUG", "UNKNOWN", "SUGGEST")
"""First words of lines that answer nothing."""


def point(game: Game[Any], state: Any, move: int) -> str:
    """A point of the board: its column and its row, from 0."""
    row, column = divmod(next(iter(game.path(state, move))), game.columns)  # type: ignore[attr-defined]
    return f"{column},{row}"


class Gomocup(Dialogue):
    """What is said to a program of Gomocup."""

    protocol = "gomocup"
    summary = "a program of five in a row that speaks Gomocup's protocol: gomocup:COMMAND"
    farewell = "END"
    dialects = tuple(
        Dialect(game, fits=lambda game: game.k == 5, needs="five in a row", word=point) for game in (Gomoku, MNK)
    )

    _told: Position | None = None
    """The position on the program's board."""

    def greet(self, position: Position) -> Talk[None]:
        game: Any = position.game
        size = f"START {game.rows}" if game.rows == game.columns else f"RECTSTART {game.columns},{game.rows}"
        yield size
        line = yield from until("OK", "ERROR", "UNKNOWN")
        if not line.startswith("OK"):
            raise Unable(f"The program refuses {size}: {quoted(line)}.")
        exact = EXACTLY_FIVE if getattr(game, "exact", False) else 0
        for key, value in ({"game_type": "1", "rule": str(exact)} | dict(self.options)).items():
            yield f"INFO {key} {value}"

    def move(self, position: Position, budget: Budget) -> Talk[int]:
        if budget.nodes is not None or budget.depth is not None:
            raise Unable("Gomocup's protocol has limits in time alone: write time=.")
        each = budget.move if budget.move is not None else budget.clock
        yield f"INFO timeout_turn {milliseconds(each or 0)}"
        yield f"INFO timeout_match {milliseconds(budget.game) if budget.game is not None else 0}"
        if budget.clock is not None:
            yield f"INFO time_left {milliseconds(budget.clock)}"
        new = position.moves[len(self._told.moves) :] if self._told and follows(position, self._told) else ()
        if not any(sign in "xo" for sign in owners(position)) and not position.moves:
            if self._told is not None:
                yield from self._restarted()
            yield "BEGIN"
        elif len(new) == 1:
            yield f"TURN {self.words(position)[-1]}"
        else:
            if self._told is not None:
                yield from self._restarted()
            yield from self._board(position)
        line = yield from self._answer()
        move = self.read(position, line.strip())
        self._told = position.play(move)
        return move

    def _restarted(self) -> Talk[None]:
        yield "RESTART"
        yield from until("OK", seen=self.refuse_answers)

    def _board(self, position: Position) -> Talk[None]:
        """Tell the whole board: the stones of the start, then those of the moves in their order."""
        columns = position.game.columns  # type: ignore[attr-defined]
        stones = [
            (f"{place % columns},{place // columns}", "xo".index(sign))
            for place, sign in enumerate(owners(position))
            if sign in "xo"
        ]
        stones += zip(self.words(position), (step.to_move for step in position.steps()), strict=False)
        yield "BOARD"
        for where, side in stones:
            yield f"{where},{1 if side == position.to_move else 2}"
        yield "DONE"

    def _answer(self) -> Talk[str]:
        """The next line that is meant to be a move."""
        while True:
            line = yield from hear()
            if line.startswith("ERROR"):
                raise Unreadable(f"it wrote {quoted(line)} where its move was due")
            if line.startswith(NO_ANSWERS) or line.strip() == "OK":
                continue
            if not self.is_answer(line):
                raise Unreadable(f"it wrote {quoted(line)}; a move is written as in 7,7: column and row, from 0")
            return line

    def is_answer(self, line: str) -> bool:
        return POINT.fullmatch(line.strip()) is not None
