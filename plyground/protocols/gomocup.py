"""Gomocup's protocol, in which programs of five in a row play: Petříček and Laštovička, "Gomoku AI protocol".

A point is `x,y`: column and row, from 0. The whole board is sent where one move of the other side is not enough.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version
from typing import Any, ClassVar

from plyground.errors import BadInput
from plyground.games.gomoku import Gomoku
from plyground.games.mnk import MNK
from plyground.play.player import Illegal, Unable
from plyground.position import Position
from plyground.protocols.dialogue import (
    Budget,
    Dialect,
    Dialogue,
    Talk,
    follows,
    hear,
    milliseconds,
    quote_line,
    stone_owners,
    until,
)
from plyground.protocols.engine_side import Answerer, EngineSide, resize
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
    """Dialogue with a program of Gomocup."""

    protocol = "gomocup"
    summary = "a program of five in a row that speaks Gomocup's protocol: gomocup:COMMAND"
    farewell = "END"
    dialects: ClassVar[tuple[Dialect, ...]] = tuple(
        Dialect(game, fits=lambda game: game.k == 5, needs="five in a row", word=point) for game in (Gomoku, MNK)
    )

    _sent_position: Position | None = None
    """The position on the program's board."""

    def greet(self, position: Position) -> Talk[None]:
        game: Any = position.game
        size = f"START {game.rows}" if game.rows == game.columns else f"RECTSTART {game.columns},{game.rows}"
        yield size
        line = yield from until("OK", "ERROR", "UNKNOWN")
        if not line.startswith("OK"):
            raise Unable(f"The program refuses {size}: {quote_line(line)}.")
        exact = EXACTLY_FIVE if getattr(game, "exact", False) else 0
        # The opponent is another program (0: a person, 1: a program, 2: a tournament).
        for key, value in ({"game_type": "1", "rule": str(exact)} | dict(self.options)).items():
            yield f"INFO {key} {value}"

    def move(self, position: Position, budget: Budget) -> Talk[int]:
        if budget.nodes is not None or budget.depth is not None:
            raise Unable("Gomocup's protocol has limits in time alone: write time=.")
        each = budget.move if budget.move is not None else budget.clock
        yield f"INFO timeout_turn {milliseconds(each or 0)}"
        # 0: no limit for the match.
        yield f"INFO timeout_match {milliseconds(budget.game) if budget.game is not None else 0}"
        if budget.clock is not None:
            yield f"INFO time_left {milliseconds(budget.clock)}"
        # The program puts each TURN on its board; more than one new stone needs the whole board.
        new = (
            position.moves[len(self._sent_position.moves) :]
            if self._sent_position and follows(position, self._sent_position)
            else ()
        )
        if not any(sign in "xo" for sign in stone_owners(position)) and not position.moves:
            if self._sent_position is not None:
                yield from self._restart()
            yield "BEGIN"
        elif len(new) == 1:
            yield f"TURN {self.words(position)[-1]}"
        else:
            if self._sent_position is not None:
                yield from self._restart()
            yield from self._board(position)
        line = yield from self._hear_move_line()
        move = self.read(position, line.strip())
        self._sent_position = position.play(move)
        return move

    def _restart(self) -> Talk[None]:
        yield "RESTART"
        yield from until("OK", seen=self.refuse_answers)

    def _board(self, position: Position) -> Talk[None]:
        """Send the whole board: the stones of the start, then those of the moves in their order."""
        columns = position.game.columns  # type: ignore[attr-defined]
        stones = [
            (f"{place % columns},{place // columns}", "xo".index(sign))
            for place, sign in enumerate(stone_owners(position))
            if sign in "xo"
        ]
        stones += zip(self.words(position), (step.to_move for step in position.steps()), strict=False)
        yield "BOARD"
        for where, side in stones:
            # Gomocup's numbers are relative: 1 is the receiving program's stone, 2 its opponent's.
            yield f"{where},{1 if side == position.to_move else 2}"
        yield "DONE"

    def _hear_move_line(self) -> Talk[str]:
        """The next line with a move; lines that answer nothing are skipped."""
        while True:
            line = yield from hear()
            if line.startswith("ERROR"):
                raise Unreadable(f"it wrote {quote_line(line)} where its move was due")
            if line.startswith(NO_ANSWERS) or line.strip() == "OK":
                continue
            if not self.is_answer(line):
                raise Unreadable(f"it wrote {quote_line(line)}; a move is written as in 7,7: column and row, from 0")
            return line

    def is_answer(self, line: str) -> bool:
        return POINT.fullmatch(line.strip()) is not None


# -- our side ----------------------------------------------------------------------------------------------------------


class GomocupEngine(EngineSide):
    """Our side of Gomocup's protocol."""

    def __init__(self, game: Game[Any], mind: Answerer, say: Callable[[str], None]) -> None:
        super().__init__(game, mind, say)
        self._words = Gomocup({})
        self._words.dialect(game)
        self._turn_seconds, self._seconds_left, self._match_seconds = 1.0, None, 0.0
        self._stones: list[tuple[str, str]] | None = None
        """The lines of a board that is being told; None: no board is."""

    _seconds_left: float | None
    """Seconds that are left for the match; None: no such limit."""

    def hear(self, line: str) -> bool:
        command, _, rest = line.partition(" ")
        if self._stones is not None and command != "DONE":
            where, _, whose = line.rpartition(",")
            self._stones.append((where, whose))
            return True
        try:
            return self._do_command(command.upper(), rest.strip())
        except (BadInput, Illegal) as fault:
            self.say(f"ERROR {str(fault).splitlines()[0]}")
        except ValueError:
            self.say(f"ERROR {quote_line(line)} cannot be read.")
        self._stones = None
        return True

    def _do_command(self, command: str, rest: str) -> bool:
        match command:
            case "START":
                self._resize(int(rest), int(rest))
            case "RECTSTART":
                columns, rows = rest.split(",")
                self._resize(int(columns), int(rows))
            case "RESTART":
                self.position = Position.initial(self.game)
                self.say("OK")
            case "INFO":
                self._set_info(*rest.split(maxsplit=1))
            case "BEGIN":
                self._answer_with_move()
            case "TURN":
                self.position = self.position.play(self._words.read(self.position, rest))
                self._answer_with_move()
            case "BOARD":
                self._stones = []
            case "DONE":
                with self.setting_up():
                    self._set_up()
                self._answer_with_move()
            case "TAKEBACK":
                self.position = self.position.undo(1)
                self.say("OK")
            case "ABOUT":
                said = f'name="plyground", version="{version("plyground")}", author="the authors of plyground"'
                self.say(f'{said}, country="none"')
            case "END":
                return False
            case _:
                self.say(f"UNKNOWN {command}")
        return True

    def _resize(self, columns: int, rows: int) -> None:
        with self.setting_up():
            self.position = Position.initial(resize(self.game, columns, rows))
        self.mind.prepare(self.position)
        self.say("OK")

    def _set_info(self, key: str, value: str = "0") -> None:
        if key == "timeout_turn":
            self._turn_seconds = max(int(value), 1) / 1000
        elif key == "timeout_match":
            self._match_seconds = int(value) / 1000
        elif key == "time_left":
            self._seconds_left = max(int(value), 1) / 1000
        # The memory is in bytes for the whole process (0: no limit); a quarter for the table leaves
        # the rest to the process itself.
        elif key == "max_memory" and int(value):
            self.mind.table = max(min(self.mind.table, int(value) // (4 << 20)), 1)
        elif key == "rule":
            self._set_rule(int(value))

    def _set_rule(self, rule: int) -> None:
        """Set the rule: exactly five in a row win, or five and more; other rules are refused by a message."""
        if rule & ~EXACTLY_FIVE:
            self.say(f"MESSAGE rule {rule} is not known here: five in a row win.")
        exact = bool(rule & EXACTLY_FIVE)
        if isinstance(self.game, Gomoku) and self.game.exact != exact:
            moves = self.position.moves
            with self.setting_up():
                self.position = Position.initial(replace(self.game, exact=exact))
                for move in moves:  # the same points; a line of six may have ended the game before, or not
                    self.position = self.position.play(move)

    def _set_up(self) -> None:
        """Set up the position of a BOARD's stones, played as moves of both sides in turns.

        Raises:
            BadInput: no BOARD was begun, or the numbers of stones fit no turns.
        """
        if self._stones is None:
            raise BadInput("DONE ends a BOARD, and none was begun")
        stones, self._stones = self._stones, None
        # The side to move has as many stones as the other if it began, else one less. The protocol
        # does not promise an order, so the two sides' stones are taken in turns.
        own = sum(whose == "1" for _, whose in stones)
        begins = "1" if own == len(stones) - own else "2"
        order = [[where for where, whose in stones if whose == side] for side in (begins, "12"[begins == "1"])]
        position = Position.initial(self.game)
        for turn in range(len(stones)):
            side = order[turn % 2]
            if turn // 2 >= len(side):
                raise BadInput("the sides do not take turns")
            position = position.play(self._words.read(position, side[turn // 2]))
        self.position = position

    def _answer_with_move(self) -> None:
        if self.position.outcome is not None:
            raise BadInput("the game is over")
        # `time_left` counts only with a limit for the match: without one, managers send the largest
        # int.
        move = (
            Budget(self._turn_seconds)
            if self._seconds_left is None or not self._match_seconds
            else Budget(self._turn_seconds, clock=self._seconds_left)
        )
        choice = self.mind.choose(self.position, move)
        said = self._words.word(self.game, self.position.state, choice)
        self.position = self.position.play(choice)
        self.say(said)
