"""UCI, and UGI, which is UCI for any game.

UCI: Huber and Meyer-Kahlen, "Description of the universal chess interface (UCI)" (2006); variants are named as in
Fairy-Stockfish. UGI: `ugi.md` of cutegames: a position may be any text of a game, the clocks are those of p1 and p2.
"""

from typing import Any, ClassVar

from plyground.games.breakthrough import Breakthrough
from plyground.games.chess import Chess, Gardner
from plyground.play.player import Illegal, Unable
from plyground.position import Position
from plyground.protocols.dialogue import (
    Budget,
    Dialect,
    Dialogue,
    Talk,
    TimeUp,
    begun_elsewhere,
    is_elsewhere,
    milliseconds,
    quoted,
    until,
)
from plyground.rules import Game, place_names
from plyground.wire.messages import Unreadable

VARIANT = "UCI_Variant"


def squares(game: Game[Any], state: Any, move: int) -> str:
    """A move of a piece as UCI has it, from square to square: `a2b3`, also where it captures."""
    names = place_names(game)
    return "".join(names[place] for place in game.path(state, move))


class Uci(Dialogue):
    """What is said to a program that speaks UCI."""

    protocol = "uci"
    summary = "a chess program that speaks UCI: uci:stockfish; its options: uci[Skill Level=3,time=0.1]:stockfish"
    hello, hello_done, new_game = "uci", "uciok", "ucinewgame"
    clocks = ("wtime", "btime", "winc", "binc")
    dialects: ClassVar[tuple[Dialect, ...]] = (
        Dialect(Chess, "chess"),
        Dialect(Gardner, "gardner"),
        Dialect(
            Breakthrough,
            "breakthrough",
            fits=lambda game: (game.rows, game.columns) == (8, 8),
            needs="8 rows and 8 columns",
            word=squares,
        ),
    )

    def greet(self, position: Position) -> Talk[None]:
        offered: dict[str, str] = {}
        yield self.hello

        def note(line: str) -> None:
            if line.startswith("option name "):
                name, _, kind = line.removeprefix("option name ").partition(" type ")
                offered[name.strip().casefold()] = kind

        yield from until(self.hello_done, seen=note)
        for name, value in (self._variant(position, offered) | dict(self.options)).items():
            if name.casefold() not in offered:
                there = ", ".join(offered) or "none"
                raise Unable(f"The program has no option {name!r}: it has {there}.")
            yield f"setoption name {name} value {value}"
        yield self.new_game
        yield from self._ready()

    def _variant(self, position: Position, offered: dict[str, str]) -> dict[str, str]:
        """The option that sets the variant of the game.

        Raises:
            Unable: the program does not have it.
        """
        name = self.dialect(position.game).name
        words = offered.get(VARIANT.casefold(), "").split()
        if name == "chess" and not words:
            return {}
        if name not in words:
            raise Unable(f"The program does not play {name}: its option {VARIANT} does not offer it.")
        return {VARIANT: name}

    def _ready(self) -> Talk[None]:
        yield "isready"
        yield from until("readyok", seen=self.refuse_answers)

    def move(self, position: Position, budget: Budget) -> Talk[int]:
        yield self.placed(position)
        yield from self._ready()
        yield " ".join(["go", *self._limits(position.to_move, budget)])
        try:
            line = yield from until("bestmove")
        except TimeUp:
            yield "stop"
            line = yield from until("bestmove")
        words = line.split()
        if len(words) < 2:
            raise Unreadable(f"it wrote {quoted(line)}; a move is written as in bestmove e2e4")
        if words[1] in ("(none)", "0000"):
            raise Illegal(f"It says that there is no legal move: {quoted(line)}.")
        return self.read(position, words[1])

    def placed(self, position: Position) -> str:
        """The command that says a position."""
        parts = ["position", "startpos"]
        if is_elsewhere(position):
            parts = ["position", "fen", self.fen(position)]
        if position.moves:
            parts += ["moves", *self.words(position)]
        return " ".join(parts)

    def fen(self, position: Position) -> str:
        """The position at which the game began."""
        if type(position.game) is Breakthrough:
            raise begun_elsewhere(self.protocol, position)
        return position.game.fen(position.start)

    def _limits(self, side: int, budget: Budget) -> list[str]:
        words: list[object] = []
        if budget.clock is not None:
            left, more = milliseconds(budget.clock), round(budget.increment * 1000)
            for name, value in zip(self.clocks, (left, left, more, more), strict=True):
                words += [name, value]
        for name, limit in (("depth", budget.depth), ("nodes", budget.nodes)):
            words += [name, limit] if limit is not None else []
        if budget.move is not None:
            words += ["movetime", milliseconds(budget.move)]
        return [str(word) for word in words]

    def is_answer(self, line: str) -> bool:
        return line.startswith("bestmove")


class Ugi(Uci):
    """What is said to a program that speaks UGI: UCI with the texts of any game."""

    protocol = "ugi"
    summary = "a program of any game that speaks UGI, with our texts of positions and moves: ugi:COMMAND"
    hello, hello_done, new_game = "ugi", "ugiok", "uginewgame"
    clocks = ("p1time", "p2time", "p1inc", "p2inc")
    dialects = (Dialect(Game),)

    def fen(self, position: Position) -> str:
        return position.game.text(position.start)

    def _variant(self, position: Position, offered: dict[str, str]) -> dict[str, str]:
        return {}
