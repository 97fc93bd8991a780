"""KGP, the Kalah Game Protocol: Kaludercic and Völk, version 1.0.0 (2021), in its mode `freeplay`.

We are the server, the program is the client. It is asked about a board, always as South, and may name better and better
moves until it yields, or is stopped; the last one counts. Commands have numbers, and answers say which one they answer.
"""

import re
from collections.abc import Mapping

from plyground.games.kalah import Kalah
from plyground.play.player import Unable
from plyground.position import Position
from plyground.protocols.dialogue import Budget, Dialect, Dialogue, Talk, TimeUp, hear, quoted
from plyground.wire.messages import Unreadable

COMMAND = re.compile(r"\s*+(?:(?P<id>\d{1,9})?+(?:@(?P<ref>\d{1,9}))?+\s++)?+(?P<word>[a-z]++)(?P<rest>.*+)")
"""A command: its number and the one that it answers, if they are there, its word and what follows."""


class Kgp(Dialogue):
    """What is said to a client of the Kalah Game Protocol."""

    protocol = "kgp"
    summary = "a client of the Kalah Game Protocol: kgp:python3 client.py {host} {port}"
    farewell = "goodbye"
    no_options = "the Kalah Game Protocol gives a client no options; give them in the command."
    ends_turns = True
    dialects = (Dialect(Kalah),)

    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__(options)
        self._number = 0
        self._asked = 0
        """The number of the command that asks for a move."""

    def _command(self, text: str, answers: str = "") -> str:
        self._number += 2  # ours are even, the client's odd
        return f"{self._number}{f'@{answers}' if answers else ''} {text}"

    def greet(self, position: Position) -> Talk[None]:
        yield self._command("kgp 1 0 0")
        while True:
            found = yield from self._heard()
            if found["word"] == "mode":
                if found["rest"].strip() != "freeplay":
                    raise Unable(
                        f"The program wants the mode {quoted(found['rest'].strip())}: it is asked in freeplay."
                    )
                yield self._command("ok", found["id"] or "")
                return

    def _heard(self) -> Talk[re.Match[str]]:
        """The next command that is not answered here."""
        while True:
            line = yield from hear()
            found = COMMAND.fullmatch(line)
            if found is None:
                raise Unreadable(f"it wrote {quoted(line)}; a command is written as in 3@{self._asked} move 1")
            if found["word"] == "ping":
                yield self._command(f"pong{found['rest']}", found["id"] or "")
            elif found["word"] == "error":
                raise Unreadable(f"it wrote {quoted(line)}")
            elif found["word"] not in ("set", "pong", "ok"):
                return found

    def move(self, position: Position, budget: Budget) -> Talk[int]:
        if budget.nodes is not None or budget.depth is not None:
            raise Unable("The Kalah Game Protocol has limits in time alone: write time=.")
        yield self._command(f"state {board(position)}")
        self._asked, best, is_up = self._number, None, False
        while not is_up or best is None:
            try:
                found = yield from self._heard()
                if found["ref"] and int(found["ref"]) != self._asked:
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
        yield self._command("stop", str(self._asked))
        if best is None:
            raise Unreadable("it yielded without having named a move")
        return best

    def is_answer(self, line: str) -> bool:
        """Never: what it says about an earlier board may have been on its way."""
        return False


def board(position: Position) -> str:
    """A position as KGP has it, seen by the player to move: pits, both stores, own pits, the other's.

    >>> from plyground.games.kalah import Kalah
    >>> board(Position.initial(Kalah(3, 3)))
    '<3,0,0,3,3,3,3,3,3>'
    """
    rows = [row.split(",") for row in position.text.partition(":")[0].split("/")]
    own, other = (rows[position.to_move], rows[1 - position.to_move])
    return f"<{','.join([str(len(own) - 1), own[-1], other[-1], *own[:-1], *other[:-1]])}>"
