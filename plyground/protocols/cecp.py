"""CECP, the protocol of XBoard: Mann and Muller, "Chess Engine Communication Protocol", version 2 (2009).

The program is kept in force mode between its turns, in which it plays nothing by itself: moves are sent, then `go`.
"""

from typing import ClassVar

from plyground.errors import BadInput
from plyground.games.chess import Chess
from plyground.play.player import Resigned, Unable
from plyground.position import Position
from plyground.protocols.dialogue import (
    Budget,
    Dialect,
    Dialogue,
    Talk,
    TimeUp,
    follows,
    has_own_start,
    quote_line,
    until,
    whole_seconds,
)
from plyground.protocols.scores import evaluation_in_thinking
from plyground.wire.messages import Unreadable

FEATURES_WITHIN = 2.0
"""Seconds of silence after which a program is taken to have no more features to tell."""
REFUSALS = ("Illegal", "Error")
"""First words of a refusal: `Illegal move: e2e5`, `Error (unknown command): sd`."""


class Cecp(Dialogue):
    """Dialogue with a program that speaks XBoard's protocol."""

    protocol = "cecp"
    summary = "a chess program that speaks XBoard's protocol: cecp:fairymax"
    dialects: ClassVar[tuple[Dialect, ...]] = (Dialect(Chess),)

    _sent_position: Position | None = None
    """The position on the program's board."""
    _level: str = ""
    """The time control that was told last."""
    _pings: int = 0
    _mover: int = 0

    def greet(self, position: Position) -> Talk[None]:
        self._features: dict[str, str] = {}
        yield "xboard"
        # A program of version 1 does not answer it, so the end of its features is silence, or
        # `done=1`.
        yield "protover 2"
        try:
            while self._features.get("done") != "1":
                line = yield from until("feature", seconds=FEATURES_WITHIN)
                for name, value in features(line).items():
                    # After `rejected` the program has to read squares, e2e4: its SAN may differ
                    # from ours in marks and letters.
                    if name == "san" and value == "1":
                        yield "rejected san"  # moves are sent as squares
                        continue
                    self._features[name] = value
                    yield f"accepted {name}"
        except TimeUp:
            pass  # a program of version 1 has none
        for name, value in self.options.items():
            yield f"option {name}={value}"

    def _begin_game(self, position: Position) -> Talk[None]:
        yield "new"
        yield "force"
        yield "easy"  # it does not think in our time
        yield "post"
        self._level = ""
        if has_own_start(position):
            if self._features.get("setboard") != "1":
                raise Unable("The program knows no setboard: give the moves that lead to the position instead.")
            # It is sent the game's start and then its moves, not the position: repetitions count
            # from the start.
            yield f"setboard {position.undo(len(position.moves)).fen}"
        self._sent_position = position.undo(len(position.moves))

    def move(self, position: Position, budget: Budget) -> Talk[int]:
        if budget.nodes is not None:
            raise Unable("XBoard's protocol has no limit in nodes: write time= or depth=.")
        if self._sent_position is None or not follows(position, self._sent_position):
            yield from self._begin_game(position)
        assert self._sent_position is not None
        usermove = "usermove " if self._features.get("usermove") == "1" else ""
        for word in self.words(position)[len(self._sent_position.moves) :]:
            yield f"{usermove}{word}"
        self._sent_position = position
        yield from self._send_limits(budget)
        # Errors about limits and moves come before `pong`, so they are not taken for an answer to
        # `go`.
        yield from self._await_pong()
        self.move_evaluation, self._mover = None, position.to_move
        yield "go"
        try:
            move = yield from self._read_move(position)
        except TimeUp:
            # `?` means "move now": the program answers with the best move that it has.
            yield "?"
            move = yield from self._read_move(position)
        # `force` follows each of its moves at once: otherwise it would go on to answer the other side's by itself.
        yield "force"
        self._sent_position = position.play(move)
        return move

    def _send_limits(self, budget: Budget) -> Talk[None]:
        if budget.depth is not None:
            yield f"sd {budget.depth}"
        if budget.clock is None:
            level = f"st {whole_seconds(budget.move or 1)}"
        else:
            minutes, seconds = divmod(whole_seconds(budget.game or budget.clock), 60)
            level = f"level 0 {minutes}:{seconds:02} {budget.increment:g}"
        if level != self._level:
            yield level
            self._level = level
        if budget.clock is not None:
            hundredths = max(round(budget.clock * 100), 1)
            # The program's clock in hundredths of a second, then the other side's, of which we tell
            # the same.
            yield f"time {hundredths}"
            yield f"otim {hundredths}"

    def _await_pong(self) -> Talk[None]:
        """Wait until all that was sent before is done, where the program has `ping`; refusals are raised."""
        if self._features.get("ping") == "1":
            self._pings += 1
            yield f"ping {self._pings}"
            yield from until("pong", seen=self._refuse_line)

    def _refuse_line(self, line: str) -> None:
        self.refuse_answers(line)
        if line.startswith(REFUSALS):
            advice = "; it knows no limit in plies: write time= instead of depth=" if "sd" in line.split() else ""
            raise Unable(f"The program refused what it was told, {quote_line(line)}{advice}.")

    def _read_thinking(self, line: str) -> None:
        """Read a line of thinking output: plies, hundredths, time, nodes."""
        self.move_evaluation = evaluation_in_thinking(line, self._mover) or self.move_evaluation
        self._refuse_line(line)

    def _read_move(self, position: Position) -> Talk[int]:
        line = yield from until("move", "resign", "My", seen=self._read_thinking)
        words = line.removeprefix("My move is :").removeprefix("My move is:").removeprefix("move").split()
        if line.startswith("resign"):
            raise Resigned
        if not words:
            raise Unreadable(f"it wrote {quote_line(line)}; a move is written as in move e2e4")
        return self.read(position, words[0])

    def read(self, position: Position, text: str) -> int:
        """The move that the program named, as squares or in SAN, `O-O` and `Nf3`: section 8 of the protocol has both.

        Raises:
            Illegal: it is none of the legal ones.
        """
        try:
            return position.legal(text)
        except BadInput:
            return super().read(position, text)

    def is_answer(self, line: str) -> bool:
        return line.startswith("move ")


def features(line: str) -> dict[str, str]:
    """Features of a line, by their names.

    >>> features('feature ping=1 myname="A program" done=1')
    {'ping': '1', 'myname': 'A program', 'done': '1'}
    """
    found = {}
    rest = line.removeprefix("feature").strip()
    while rest:
        name, equals, rest = rest.partition("=")
        if not equals:
            break
        if rest.startswith('"'):
            value, _, rest = rest[1:].partition('"')
        else:
            value, _, rest = rest.partition(" ")
        found[name.strip()] = value
        rest = rest.strip()
    return found
