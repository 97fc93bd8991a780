"""KGP, the Kalah Game Protocol: Kaludercic and Völk, version 1.0.0 (2021), in its mode `freeplay`.

We are the server, the program is the client. It is asked about a board, always as South, and may name better and better
moves until it yields, or is stopped; the last one counts. Commands have numbers, and answers say which one they answer.
"""

import re
import threading
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from plyground.errors import BadInput
from plyground.games.kalah import Kalah
from plyground.play.player import Unable
from plyground.position import Position
from plyground.protocols.dialogue import Budget, Dialect, Dialogue, Talk, TimeUp, hear, quote_line
from plyground.protocols.engine_side import Answerer, Searches
from plyground.rules import Game
from plyground.text import whole_number
from plyground.wire.messages import Unreadable

COMMAND = re.compile(r"\s*+(?:(?P<id>\d{1,9})?+(?:@(?P<ref>\d{1,9}))?+\s++)?+(?P<word>[a-z]++)(?P<rest>.*+)")
"""A command: its number and the one that it answers, if they are there, its word and what follows."""


class Kgp(Dialogue):
    """Dialogue with a client of the Kalah Game Protocol."""

    protocol = "kgp"
    summary = "a client of the Kalah Game Protocol: kgp:python3 client.py {host} {port}"
    farewell = "goodbye"
    no_options = "the Kalah Game Protocol gives a client no options; give them in the command."
    ends_turns = True
    dialects: ClassVar[tuple[Dialect, ...]] = (Dialect(Kalah),)

    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__(options)
        self._number = 0
        self._asked_number = 0
        """The number of the command that asks for a move."""

    def _command(self, text: str, answers: str = "") -> str:
        self._number += 2  # ours are even, the client's odd
        return f"{self._number}{f'@{answers}' if answers else ''} {text}"

    def greet(self, position: Position) -> Talk[None]:
        # Version 1.0.0 of the protocol; a client answers with the mode that it wants.
        yield self._command("kgp 1 0 0")
        while True:
            found = yield from self._hear_command()
            if found["word"] == "mode":
                if found["rest"].strip() != "freeplay":
                    raise Unable(
                        f"The program wants the mode {quote_line(found['rest'].strip())}: it is asked in freeplay."
                    )
                yield self._command("ok", found["id"] or "")
                return

    def _hear_command(self) -> Talk[re.Match[str]]:
        """The next command that is not answered here."""
        while True:
            line = yield from hear()
            found = COMMAND.fullmatch(line)
            if found is None:
                raise Unreadable(
                    f"it wrote {quote_line(line)}; a command is written as in 3@{self._asked_number} move 1"
                )
            if found["word"] == "ping":
                yield self._command(f"pong{found['rest']}", found["id"] or "")
            elif found["word"] == "error":
                raise Unreadable(f"it wrote {quote_line(line)}")
            elif found["word"] not in ("set", "pong", "ok"):
                return found

    def move(self, position: Position, budget: Budget) -> Talk[int]:
        if budget.nodes is not None or budget.depth is not None:
            raise Unable("The Kalah Game Protocol has limits in time alone: write time=.")
        yield self._command(f"state {board_text(position)}")
        self._asked_number, best, is_up = self._number, None, False
        while not is_up or best is None:
            try:
                found = yield from self._hear_command()
                if found["ref"] and int(found["ref"]) != self._asked_number:
                    continue  # about an earlier board: it was on its way when that was over
                if found["word"] == "yield":
                    break
                if found["word"] == "goodbye":
                    raise Unreadable("it said goodbye where its move was due")
                if found["word"] == "move":
                    best = self.read(position, found["rest"].strip())
            except TimeUp:
                if is_up:
                    raise
                is_up = True  # its last move counts; where it has named none, it has a little more for that
        # `stop` is sent also after `yield`: only from here on is nothing more about this board expected.
        yield self._command("stop", str(self._asked_number))
        if best is None:
            raise Unreadable("it yielded without having named a move")
        return best

    def is_answer(self, line: str) -> bool:
        """Returns False for every line: a command about an earlier board may have been on its way."""
        return False


def board_text(position: Position) -> str:
    """A position as KGP has it, seen by the player to move: pits, both stores, own pits, the other's.

    >>> from plyground.games.kalah import Kalah
    >>> board_text(Position.initial(Kalah(3, 3)))
    '<3,0,0,3,3,3,3,3,3>'
    """
    rows = [row.split(",") for row in position.text.partition(":")[0].split("/")]
    own, other = (rows[position.to_move], rows[1 - position.to_move])
    return f"<{','.join([str(len(own) - 1), own[-1], other[-1], *own[:-1], *other[:-1]])}>"


# -- our side ----------------------------------------------------------------------------------------------------------


class KgpClient(Searches):
    """Our side of the Kalah Game Protocol: a client, that names better and better moves until it is stopped."""

    def __init__(self, game: Game[Any], mind: Answerer, say: Callable[[str], None]) -> None:
        super().__init__(game, mind, say)
        Kgp.dialect(game)
        self._number = -1
        self._asked_number = ""
        """The number of the board that is thought about."""

    def _say_numbered(self, text: str, answers: str = "") -> None:
        self._number += 2
        self.say(f"{self._number}{f'@{answers}' if answers else ''} {text}")

    def hear(self, line: str) -> bool:
        found = COMMAND.fullmatch(line)
        if found is None:
            return True
        number, rest = found["id"] or "", found["rest"].strip()
        match found["word"]:
            case "kgp":
                if rest.split()[:1] != ["1"]:
                    self._say_numbered('error "protocol not supported"', number)
                    return False
                self._say_numbered('set info:name "plyground"')
                self._say_numbered("mode freeplay")
            case "state":
                self.end()
                try:
                    self._think(position_of(rest), number)
                except BadInput as fault:
                    self._say_numbered(f'error "{str(fault).replace(chr(34), chr(39))}"', number)
            case "stop":
                if found["ref"] in (None, self._asked_number):
                    self.end()
            case "ping":
                self._say_numbered(f"pong {rest}".strip(), number)
            case "goodbye":
                return False
        return True

    def _think(self, position: Position, number: str) -> None:
        self._asked_number = number

        def work(stop: threading.Event) -> None:
            named: list[int] = []

            def name(move: int) -> None:
                # A report of the same move tells the server nothing new; after `stop` nothing about
                # this board may come.
                if named[-1:] != [move] and not stop.is_set():
                    named.append(move)
                    self._say_numbered(f"move {position.game.move_text(position.state, move)}", number)

            name(self.mind.choose(position, Budget(), stop=stop, on_report=lambda report: name(report.move)))
            if not stop.is_set():
                self._say_numbered("yield", number)

        self.begin(work)


def position_of(text: str) -> Position:
    """The position that a board means, South to move.

    >>> position_of("<3,0,0,3,3,3,3,3,3>").text
    '3,3,3,0/3,3,3,0:x'

    Raises:
        BadInput: it is no board, or no position of Kalah.
    """
    numbers = [whole_number(word) for word in text.strip("<>").split(",")]
    pits = numbers[0] or 0
    if None in numbers or len(numbers) != 2 * pits + 3:
        raise BadInput(f"{quote_line(text)} is no board: write <pits,south,north,pits of south,pits of north>.")
    own, other, *seeds = map(str, numbers[1:])
    # The board does not say how many seeds a pit began with, which a game of Kalah is named by; the
    # moves do not depend on it.
    game = Kalah(pits, max(sum(number or 0 for number in numbers[1:]) // (2 * pits), 1))
    return Position(game, game.parse_state(f"{','.join([*seeds[:pits], own])}/{','.join([*seeds[pits:], other])}:x"))
