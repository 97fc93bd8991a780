"""GTP 2, the protocol of Go programs, for other games of stones: Farnebäck, "Specification of the Go Text Protocol,
version 2" (2002); Hex as HexGui has it.

Each command has a number, and its answer the same one, so an answer that comes late is never taken for another.
"""

from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

from plyground.errors import BadInput
from plyground.files import in_file, text_of_file
from plyground.games.amazons import Amazons
from plyground.games.gomoku import Gomoku
from plyground.games.hex import Hex
from plyground.games.reversi import Reversi
from plyground.play.notations import position_in
from plyground.play.player import Illegal, Resigned, Unable
from plyground.position import Position
from plyground.protocols.dialogue import (
    Budget,
    Dialect,
    Dialogue,
    Talk,
    follows,
    has_own_start,
    hear,
    quote_line,
    refuse_start,
    whole_seconds,
)
from plyground.protocols.engine_side import Answerer, EngineSide, resize
from plyground.rules import Game
from plyground.wire.messages import Unreadable

COLUMN_LETTERS = "abcdefghjklmnopqrstuvwxyz"
"""Names of columns in GTP: no i."""


def vertex(game: Game[Any], state: Any, move: int) -> str:
    """A point of the board as GTP names it: a letter without i, and the row; other moves have their own word."""
    place = next(iter(game.path(state, move)), None)
    if place is None:
        return game.move_text(state, move)
    row, column = divmod(place, game.columns)  # type: ignore[attr-defined]  # the games below have columns
    return f"{COLUMN_LETTERS[column]}{row + 1}"


def hexgui_word(game: Game[Any], state: Any, move: int) -> str:
    """A cell of Hex, whose columns have all letters, or HexGui's word for our swap."""
    word = game.move_text(state, move)
    return "swap-pieces" if word == "swap" else word


class Gtp(Dialogue):
    """Dialogue with a program that speaks GTP."""

    protocol = "gtp"
    summary = "a program of Hex, Gomoku, Reversi or Amazons that speaks GTP: gtp:COMMAND"
    no_options = "GTP has no options; give them in the command."
    dialects: ClassVar[tuple[Dialect, ...]] = (
        Dialect(Hex, word=hexgui_word),
        Dialect(Gomoku, word=vertex, fits=lambda game: game.rows == game.columns, needs="as many rows as columns"),
        Dialect(Reversi),
        Dialect(
            Amazons,
            fits=lambda game: game.rows == game.columns,
            needs="as many rows as columns",
            colours=("white", "black"),
        ),
    )

    _sent_position: Position | None = None
    """The position on the program's board."""
    _number: int = 0
    """Number of the last command."""

    def greet(self, position: Position) -> Talk[None]:
        name = yield from self._ask_command("name")
        if name is None:
            raise Unable("The program does not know the command name, which every GTP program has.")

    def _ask_command(self, command: str) -> Talk[str | None]:
        """The answer to a command; None if the program refuses it."""
        self._number += 1
        # Numbers are optional in GTP; with them a late answer to an earlier command is known as
        # such.
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
                    f"it wrote {quote_line(line)}; an answer to {self._number} {command} begins with its number"
                )
            self.refuse_answers(line)

    def _begin_game(self, position: Position) -> Talk[None]:
        if has_own_start(position):
            raise refuse_start(self.protocol, position)
        game: Any = position.game
        size = getattr(game, "size", None) or game.rows
        for command in (f"boardsize {size}", "clear_board"):
            if (yield from self._ask_command(command)) is None:
                raise Unable(f"The program refuses {command}: {quote_line(self._refusal)}.")
        self._sent_position = position.undo(len(position.moves))

    def move(self, position: Position, budget: Budget) -> Talk[int]:
        if budget.nodes is not None or budget.depth is not None:
            raise Unable("GTP has limits in time alone: write time=, or give others in the command.")
        if self._sent_position is None or not follows(position, self._sent_position):
            yield from self._begin_game(position)
        assert self._sent_position is not None
        colours = self.dialect(position.game).colours
        told = len(self._sent_position.moves)
        for step, word in list(zip(position.steps(), self.words(position), strict=False))[told:]:
            command = f"play {colours[step.to_move]} {word}"
            if (yield from self._ask_command(command)) is None and word != "pass":  # GRhino passes by itself
                raise Unreadable(f"it refused {command}, a legal move: {quote_line(self._refusal)}")
        self._sent_position = position
        side = colours[position.to_move]
        for command in self._limits(side, budget):
            yield from self._ask_command(
                command
            )  # a program that keeps no time refuses it, and is held to the clock here
        answer = yield from self._ask_command(f"genmove {side}")
        if answer is None:
            raise Unreadable(f"it refused genmove {side}: {quote_line(self._refusal)}")
        if answer.casefold() == "resign":
            raise Resigned
        move = self.read(position, answer)
        self._sent_position = position.play(move)
        return move

    @staticmethod
    def _limits(side: str, budget: Budget) -> list[str]:
        if budget.clock is not None:
            left = int(budget.clock)
            # A clock is main time, then no overtime; whole seconds are all that GTP has. What is
            # left is rounded down.
            return [f"time_settings {whole_seconds(budget.game or budget.clock)} 0 0", f"time_left {side} {left} 0"]
        # A time for each move is no main time, and one stone in each period.
        return [f"time_settings 0 {whole_seconds(budget.move or 1)} 1"]

    def is_answer(self, line: str) -> bool:
        """An answer with the number of a command that is answered already."""
        head = line.split(maxsplit=1)[0] if line.strip() else ""
        return head[:1] in ("=", "?") and head[1:].isdecimal() and int(head[1:]) <= self._number


# -- our side ----------------------------------------------------------------------------------------------------------

SIDES_BY_WORD = {"b": "black", "w": "white", "black": "black", "white": "white"}


class GtpEngine(EngineSide):
    """Our side of GTP, with HexGui's commands and those of regression tests."""

    def __init__(self, game: Game[Any], mind: Answerer, say: Callable[[str], None]) -> None:
        super().__init__(game, mind, say)
        self._words = Gtp({})
        self._words.dialect(game)
        self._budget: dict[str, Budget] = {}
        """The clock of each side, by colour."""
        self._default_budget = Budget(1.0)
        self._commands: dict[str, Callable[[list[str]], str]] = {
            "protocol_version": lambda words: "2",
            "name": lambda words: "plyground",
            "version": lambda words: version("plyground"),
            "known_command": lambda words: str(words[:1] != [] and words[0] in self._commands).lower(),
            "list_commands": lambda words: "\n".join(sorted(self._commands)),
            "quit": lambda words: "",
            "boardsize": self._resize,
            "clear_board": self._clear,
            "komi": lambda words: "",
            "play": self._play,
            "genmove": self._generate,
            "reg_genmove": self._choose_word,
            "undo": self._undo,
            "loadsgf": self._load,
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "showboard": self._show,
            "all_legal_moves": lambda words: " ".join(self._legal()),
            "final_score": self._score,
        }

    def hear(self, line: str) -> bool:
        # Comments begin with a hash sign; a line that is empty without it has no answer.
        words = line.partition("#")[0].split()
        if not words:
            return True
        number = words.pop(0) if words[0].isdecimal() else ""
        name = words.pop(0) if words else ""
        try:
            if name not in self._commands:
                raise BadInput("unknown command")
            # This line feed and the one of `say` make the blank line that ends an answer.
            self.say(f"={number} {self._commands[name](words)}".rstrip() + "\n")
        except (BadInput, Illegal, LookupError, ValueError, OSError) as fault:
            is_told = isinstance(fault, BadInput | Illegal | OSError)
            self.say(f"?{number} {str(fault).splitlines()[0] if is_told else 'syntax error'}\n")
        return name != "quit"

    def _set_position(self, position: Position) -> str:
        self.position = position
        return ""

    def _clear(self, words: list[str]) -> str:
        self._set_position(Position.initial(self.game))
        self.mind.prepare(self.position)
        return ""

    def _resize(self, words: list[str]) -> str:
        with self.setting_up():
            columns, rows = int(words[0]), int(words[-1])
            try:
                return self._set_position(Position.initial(resize(self.game, columns, rows)))
            except BadInput:
                # The specification's own words, here and in `cannot undo`, `unknown command`,
                # `syntax error`: programs compare them.
                raise BadInput("unacceptable size") from None

    def _require_side(self, word: str) -> str:
        """The colour that a word names, which must be the one to move.

        Raises:
            BadInput: it is none, or the other one.
        """
        colour = SIDES_BY_WORD.get(word.lower())
        if colour is None:
            raise BadInput(f"{quote_line(word)} is no colour: black or white")
        if self.position.outcome is not None:
            raise BadInput("the game is over")
        if colour != self._words.dialect(self.game).colours[self.position.to_move]:
            raise BadInput(f"it is not {colour}'s turn")
        return colour

    def _play(self, words: list[str]) -> str:
        self._require_side(words[0])
        return self._set_position(self.position.play(self._words.read(self.position, words[1])))

    def _choose_word(self, words: list[str]) -> str:
        colour = self._require_side(words[0])
        move = self.mind.choose(self.position, self._budget.get(colour, self._default_budget))
        return self._words.word(self.game, self.position.state, move)

    def _generate(self, words: list[str]) -> str:
        word = self._choose_word(words)
        self._set_position(self.position.play(self._words.read(self.position, word)))
        return word

    def _undo(self, words: list[str]) -> str:
        if not self.position.moves:
            raise BadInput("cannot undo")
        return self._set_position(self.position.undo(1))

    def _load(self, words: list[str]) -> str:
        """Read a file of SGF, up to before a move of this number."""
        file = Path(words[0])
        with self.setting_up(), in_file(file):
            # Moves are counted from 1, and the position before that move is meant.
            position = position_in(self.game, text_of_file(file))
        plies = len(position.moves)
        return self._set_position(position.undo(plies - min(int(words[1]) - 1, plies)) if words[1:] else position)

    def _time_settings(self, words: list[str]) -> str:
        main, each, stones = (float(word) for word in words[:3])
        self._budget = {}
        if main:
            self._default_budget = Budget(clock=main)
        else:
            # Without main time the overtime alone counts, as a time for each of its stones.
            self._default_budget = Budget(each / max(stones, 1)) if each else Budget(1.0)
        return ""

    def _time_left(self, words: list[str]) -> str:
        colour, seconds, stones = SIDES_BY_WORD[words[0].lower()], float(words[1]), int(words[2])
        self._budget[colour] = Budget(clock=max(seconds, 0.01), turns=stones or None)
        return ""

    def _legal(self) -> list[str]:
        state = self.position.state
        return [self._words.word(self.game, state, move) for move in self.position.legal_moves]

    def _show(self, words: list[str]) -> str:
        return "\n" + self.position.text.replace("/", "\n")

    def _score(self, words: list[str]) -> str:
        utility = self.position.outcome
        if utility is None:
            raise BadInput("cannot score: the game goes on")
        colours = self._words.dialect(self.game).colours
        return f"{colours[utility < 0][0].upper()}+{abs(utility)}" if utility else "0"
