"""UCI, and UGI, which is UCI for any game.

UCI: Huber and Meyer-Kahlen, "Description of the universal chess interface (UCI)" (2006); variants are named as in
Fairy-Stockfish. UGI: `ugi.md` of cutegames: a position may be any text of a game, the clocks are those of p1 and p2.
"""

import os
import threading
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version
from itertools import pairwise
from typing import Any, ClassVar

from plyground.engine.report import Report
from plyground.engine.review import compares_moves
from plyground.errors import BadInput
from plyground.exact.tables.reading import add_folder
from plyground.games.breakthrough import Breakthrough
from plyground.games.chess import USUAL_START, Chess, Gardner, start_number
from plyground.learning.learned_rules import with_evaluation
from plyground.play.move_note import MoveEvaluation
from plyground.play.player import Illegal, Unable
from plyground.position import Position
from plyground.protocols.dialogue import (
    Budget,
    Dialect,
    Dialogue,
    Talk,
    TimeUp,
    has_own_start,
    milliseconds,
    quote_line,
    refuse_start,
    until,
)
from plyground.protocols.engine_side import Answerer, Searches, level_names
from plyground.protocols.scores import evaluation_in_info, score_words
from plyground.rules import LONGEST, Game, place_names
from plyground.text import whole_number
from plyground.wire.messages import Unreadable

VARIANT = "UCI_Variant"
CHESS960 = "UCI_Chess960"
"""Option by which castling is written as a move of the king to its rook."""
EVAL_FILE = "EvalFile"
"""Option for a file of learned weights, named as in Stockfish."""
TABLEBASE_PATH = "TablebasePath"
"""Option for a folder with a tablebase, which is asked beside those made here."""
EMPTY_OPTION = "<empty>"
"""How UCI writes an empty text."""


def squares_of_move(game: Game[Any], state: Any, move: int) -> str:
    """A move of a piece as UCI has it, from square to square: `a2b3`, also where it captures."""
    names = place_names(game)
    return "".join(names[place] for place in game.path(state, move))


class Uci(Dialogue):
    """Dialogue with a program that speaks UCI."""

    protocol = "uci"
    summary = "a chess program that speaks UCI: uci:stockfish; its options: uci[Skill Level=3,time=0.1]:stockfish"
    hello: ClassVar[str] = "uci"
    hello_done: ClassVar[str] = "uciok"
    new_game: ClassVar[str] = "ucinewgame"
    clocks: ClassVar[tuple[str, str, str, str]] = ("wtime", "btime", "winc", "binc")
    dialects: ClassVar[tuple[Dialect, ...]] = (
        Dialect(Chess, "chess"),
        Dialect(Gardner, "gardner"),
        Dialect(
            Breakthrough,
            "breakthrough",
            fits=lambda game: (game.rows, game.columns) == (8, 8),
            needs="8 rows and 8 columns",
            word=squares_of_move,
        ),
    )

    is_chess960 = False
    """Whether castling is written as in Chess960."""

    def word(self, game: Game[Any], state: Any, move: int) -> str:
        if self.is_chess960 and isinstance(game, Chess):
            return game.word_to_rook(state, move)
        return super().word(game, state, move)

    def greet(self, position: Position) -> Talk[None]:
        offered: dict[str, str] = {}
        yield self.hello

        def note(line: str) -> None:
            if line.startswith("option name "):
                # Names of options are the same in any case, and may have blanks (UCI, `option`).
                name, _, kind = line.removeprefix("option name ").partition(" type ")
                offered[name.strip().casefold()] = kind

        yield from until(self.hello_done, seen=note)
        for name, value in (self._variant(position, offered) | dict(self.options)).items():
            if name.casefold() not in offered:
                there = ", ".join(offered) or "none"
                raise Unable(f"The program has no option {name!r}: it has {there}.")
            yield f"setoption name {name} value {value}"
        yield self.new_game
        # Readiness is asked after `ucinewgame` too: clearing a table takes time, which is not the first move's.
        yield from self._ready()

    def _variant(self, position: Position, offered: dict[str, str]) -> dict[str, str]:
        """The options that set the variant of the game.

        Raises:
            Unable: the program does not have them.
        """
        name = self.dialect(position.game).name
        words = offered.get(VARIANT.casefold(), "").split()
        self.is_chess960 = _is_shuffled(position.game)
        if self.is_chess960 and CHESS960.casefold() not in offered:
            raise Unable(f"The program does not play Chess960: it has no option {CHESS960}.")
        if self.is_chess960:
            return {CHESS960: "true"}
        if name == "chess" and not words:
            return {}
        if name not in words:
            raise Unable(f"The program does not play {name}: its option {VARIANT} does not offer it.")
        return {VARIANT: name}

    def _ready(self) -> Talk[None]:
        yield "isready"
        yield from until("readyok", seen=self.refuse_answers)

    def move(self, position: Position, budget: Budget) -> Talk[int]:
        # All moves are sent each time: UCI programs keep no game, and count repetitions from these moves.
        yield self.position_command(position)
        yield from self._ready()
        self.move_evaluation: MoveEvaluation | None = None

        def note(line: str) -> None:
            self.move_evaluation = evaluation_in_info(line, position.to_move) or self.move_evaluation

        yield " ".join(["go", *self._limits(position.to_move, budget)])
        try:
            line = yield from until("bestmove", seen=note)
        except TimeUp:
            yield "stop"
            line = yield from until("bestmove", seen=note)
        words = line.split()
        if len(words) < 2:
            raise Unreadable(f"it wrote {quote_line(line)}; a move is written as in bestmove e2e4")
        # Programs say in two ways that they have no move; 0000 is UCI's null move.
        if words[1] in ("(none)", "0000"):
            raise Illegal(f"It says that there is no legal move: {quote_line(line)}.")
        return self.read(position, words[1])

    def position_command(self, position: Position) -> str:
        """The command `position` for a position: its start, and all moves since."""
        parts = ["position", "startpos"]
        if has_own_start(position) or _is_shuffled(position.game):
            parts = ["position", "fen", self.fen(position)]
        if position.moves:
            parts += ["moves", *self.words(position)]
        return " ".join(parts)

    def fen(self, position: Position) -> str:
        """The position at which the game began."""
        if type(position.game) is Breakthrough:
            raise refuse_start(self.protocol, position)
        return position.undo(len(position.moves)).fen

    def _limits(self, side: int, budget: Budget) -> list[str]:
        words: list[object] = []
        if budget.clock is not None:
            # Both sides get the same clock: the other's is not known here.
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


def _is_shuffled(game: Game[Any]) -> bool:
    """Whether a game is Chess960, from another start position than that of chess."""
    return isinstance(game, Chess) and game.start != USUAL_START


class Ugi(Uci):
    """Dialogue with a program that speaks UGI: UCI with the texts of any game."""

    protocol = "ugi"
    summary = "a program of any game that speaks UGI, with our texts of positions and moves: ugi:COMMAND"
    hello: ClassVar[str] = "ugi"
    hello_done: ClassVar[str] = "ugiok"
    new_game: ClassVar[str] = "uginewgame"
    clocks: ClassVar[tuple[str, str, str, str]] = ("p1time", "p2time", "p1inc", "p2inc")
    dialects: ClassVar[tuple[Dialect, ...]] = (Dialect(Game),)

    def fen(self, position: Position) -> str:
        return position.game.text(position.start)

    def _variant(self, position: Position, offered: dict[str, str]) -> dict[str, str]:
        return {}


# -- our side ----------------------------------------------------------------------------------------------------------

LIMITS = ("depth", "nodes", "movetime", "movestogo", "mate")
"""Words of `go` that have a number, beside the clocks."""
MOST_TABLE = 1 << 16
"""Mebibytes of the largest table that may be asked for."""
MOST_VARIATIONS = 256
"""Principal variations that may be asked for."""
UCI_NO_MOVE = "0000"
"""The answer to `go` where there is no position; `(none)` and `none` say that the game is over."""
NO_MOVE_SEARCHED = "no move was looked at: the limit allowed none"
"""A sentence in place of a score."""


class UciEngine(Searches):
    """Our side of UCI."""

    dialogue: ClassVar[type[Uci]] = Uci

    def __init__(self, game: Game[Any], mind: Answerer, say: Callable[[str], None]) -> None:
        super().__init__(game, mind, say)
        self._words = self.dialogue({})
        self._words.dialect(game)
        self._words.is_chess960 = _is_shuffled(game)
        self._sent_position: tuple[str, list[str]] | None = None
        """The last position that was told: where it began, and the moves; None: no position was."""
        self._is_endless = False
        """Whether the search that goes on ends by `stop` alone."""

    def hear(self, line: str) -> bool:
        words = line.split()
        do = {
            self.dialogue.hello: self._introduce,
            "isready": self._ready,
            "setoption": self._set_option,
            "position": self._set_position,
            "go": self._go,
            "query": self._query,
        }.get(words[0])
        if words[0] == "quit":
            return False
        try:
            if do:
                do(words[1:])
            elif words[0] in ("stop", "ponderhit"):
                self.stop()
            # UCI: an engine ignores what it does not know. A note costs nothing, and shows a
            # misspelt command.
            elif words[0] not in (self.dialogue.new_game, "debug", "register"):
                self._say_info(f"{quote_line(line)} is no command of {self.dialogue.protocol}.")
        except BadInput as fault:
            self._say_info(str(fault))
            if words[0] == "go":  # the other side waits for an answer
                self.say(f"bestmove {UCI_NO_MOVE}")
        return True

    def _say_info(self, sentence: str) -> None:
        self.say(f"info string {sentence}")

    def _introduce(self, words: list[str]) -> None:
        self.say(f"id name plyground {version('plyground')}")
        self.say("id author the authors of plyground")
        self.say(f"option name Hash type spin default {self.mind.table} min 1 max {MOST_TABLE}")
        self.say(f"option name Threads type spin default {self.mind.threads} min 1 max {os.cpu_count() or 1}")
        self.say(f"option name MultiPV type spin default {self.mind.lines} min 1 max {MOST_VARIATIONS}")
        levels = " ".join(f"var {name}" for name in level_names())
        self.say(f"option name Level type combo default {self.mind.level} {levels}")
        self.say(f"option name {EVAL_FILE} type string default {self.mind.evaluation or EMPTY_OPTION}")
        self.say(f"option name {TABLEBASE_PATH} type string default {EMPTY_OPTION}")
        names = [each.name for each in self.dialogue.dialects if each.name]
        if names:
            now = self._words.dialect(self.game).name
            self.say(f"option name {VARIANT} type combo default {now} {' '.join(f'var {name}' for name in names)}")
            is_on = str(_is_shuffled(self.game)).lower()
            self.say(f"option name {CHESS960} type check default {is_on}")
        self.say(self.dialogue.hello_done)

    def _ready(self, words: list[str]) -> None:
        if self.has_position and not self.is_busy:
            self.mind.prepare(self.position)
        self.say("readyok")

    def _set_option(self, words: list[str]) -> None:
        name, _, value = " ".join(words).removeprefix("name ").partition(" value ")
        known = {
            "hash": ("table", MOST_TABLE),
            "threads": ("threads", os.cpu_count() or 1),
            "multipv": ("lines", MOST_VARIATIONS),
        }
        self.end()
        if name.lower() in known:
            number, (field, most) = whole_number(value), known[name.lower()]
            if number is None or not 1 <= number <= most:
                raise BadInput(f"{name} {quote_line(value)}: write a whole number from 1 to {most}.")
            setattr(self.mind, field, number)
        elif name.lower() == "level":
            if value not in level_names():
                raise BadInput(f"Level {quote_line(value)}: one of {', '.join(level_names())}.")
            self.mind.set_level(value)
        elif name == EVAL_FILE:
            file = "" if value in ("", EMPTY_OPTION) else value
            with_evaluation(self.game, file)
            self.mind.evaluation = file
        elif name == TABLEBASE_PATH:
            if value not in ("", EMPTY_OPTION):
                add_folder(value)
        elif name == CHESS960 and self.dialogue.dialects[0].name:
            if value not in ("true", "false"):
                raise BadInput(f"{CHESS960} {quote_line(value)}: true or false.")
            self._words.is_chess960 = value == "true"
        elif name == VARIANT and self.dialogue.dialects[0].name:
            found = [each.game for each in self.dialogue.dialects if each.name == value]
            if not found:
                raise BadInput(f"{VARIANT} {quote_line(value)} is not played here.")
            self.position, self._sent_position = Position.initial(found[0]()), None
            self.mind.evaluation = ""  # weights are for one game's rules
        else:
            raise BadInput(f"There is no option {quote_line(name)}.")

    def _set_position(self, words: list[str]) -> None:
        """Carry out `position`; of a game that goes on, only the new moves are played."""
        self.end()
        cut = words.index("moves") if "moves" in words else len(words)
        start, moves = " ".join(words[:cut]), words[cut + 1 :]
        # GUIs send the whole game before each move: replaying hundreds of moves would be thinking
        # time.
        begun, known = self._sent_position or ("", [])
        with self.setting_up():
            if self.has_position and start and start == begun and moves[: len(known)] == known:
                position = self.position
            elif start == "startpos":
                position, known = Position.initial(self.game), []
            elif start.startswith("fen "):
                position, known = Position.starting(self._game_of(start), start.removeprefix("fen ")), []
            else:
                raise BadInput(f"position {quote_line(start)}: write startpos, or fen and a position.")
            for word in moves[len(known) :]:
                try:
                    position = position.play(self._words.read(position, word))
                except Illegal as fault:
                    raise BadInput(str(fault)) from None
        self.position = position
        self._sent_position = (start, moves)

    def _game_of(self, start: str) -> Game[Any]:
        """The game of a position in FEN: chess from where its king and rooks began, or the game that is set."""
        if not isinstance(self.game, Chess):
            return self.game
        return replace(self.game, start=start_number(start.removeprefix("fen ")))

    def _go(self, words: list[str]) -> None:
        self.end()
        position, lines = self.position, self.mind.lines
        if position.outcome is not None and self.dialogue is not Uci:
            self.say("bestmove none")
            return
        if position.outcome == 0:  # three times, fifty moves, too few pieces: the GUI says whether that ends a game
            position = position.without_history()
        if position.outcome is not None:
            moves = [*position.game.moves(position.state)] if position.outcome == 0 else []
            if moves:
                self.say("info depth 0 score cp 0")
            words = [self._words.word(position.game, position.state, move) for move in moves[:1]]
            self.say(f"bestmove {' '.join(words) or '(none)'}")
            return
        budget, self._is_endless = self._budget(words)
        only = [self._words.read(position, word) for word in _words_after("searchmoves", words) if self._is_move(word)]

        def report(found: Report) -> None:
            if not compares_moves(found):
                self._say_info(NO_MOVE_SEARCHED)
                return
            for line in info_lines(found, position, self._words, lines):
                self.say(line)

        def work(stop: threading.Event) -> None:
            try:
                move = self.mind.choose(position, budget, stop=stop, only=only, on_report=report)
            except Exception as fault:  # whatever goes wrong, the other side waits for an answer
                self._say_info(f"{type(fault).__name__}: {fault}".splitlines()[0])
                move = position.legal_moves[0]
            # The search may have proved all; UCI forbids to answer an infinite search before
            # `stop`.
            if self._is_endless:
                stop.wait()
            self.say(f"bestmove {self._words.word(position.game, position.state, move)}")

        self.begin(work)

    def _is_move(self, word: str) -> bool:
        try:
            self._words.read(self.position, word)
        except Illegal:
            return False
        return True

    def _budget(self, words: list[str]) -> tuple[Budget, bool]:
        """Budget that `go` gives, and whether only `stop` ends the search."""
        given = {}
        for name, value in pairwise(words):
            number = whole_number(value.removeprefix("-"))
            if name in (*LIMITS, *self.dialogue.clocks) and number is not None:
                given[name] = -number if value.startswith("-") else number
        side = self.position.to_move
        clock, more = given.get(self.dialogue.clocks[side]), given.get(self.dialogue.clocks[2 + side], 0)
        move = given.get("movetime")
        # A mate in n moves of the mover takes its n plies and n − 1 of the other's.
        depth = given.get("depth") or (2 * given["mate"] - 1 if given.get("mate") else None)
        budget = Budget(
            None if move is None else max(move, 1) / 1000,
            None if clock is None else max(clock, 1) / 1000,
            max(more, 0) / 1000,
            depth=None if depth is None else min(max(depth, 1), LONGEST),
            nodes=None if given.get("nodes") is None else max(given["nodes"], 1),
            turns=given.get("movestogo"),
        )
        # `go` alone is `go infinite`; both, and `ponder`, must not answer before `stop`, even when
        # all is known.
        free = budget == Budget(turns=budget.turns)
        return budget, free or "infinite" in words or "ponder" in words

    def _query(self, words: list[str]) -> None:
        """A question of UGI about the position."""
        position = self.position
        utility = position.outcome
        ends = "none" if utility is None else "draw" if utility == 0 else "p1win" if utility > 0 else "p2win"
        answers = {
            "gameover": str(utility is not None).lower(),
            "p1turn": str(position.to_move == 0).lower(),
            "result": ends,
        }
        question = words[0] if words else ""
        if self.dialogue is Uci or question not in answers:
            raise BadInput(f"query {quote_line(question)} is no question of {self.dialogue.protocol}.")
        self.say(f"response {answers[question]}")

    def close(self) -> None:
        """At the end of the input a search with a limit has its answer first."""
        if not self._is_endless:
            self.finish()
        super().close()


class UgiEngine(UciEngine):
    """Our side of UGI."""

    dialogue: ClassVar[type[Uci]] = Ugi


def _words_after(name: str, words: list[str]) -> list[str]:
    return words[words.index(name) + 1 :] if name in words else []


def info_lines(report: Report, position: Position, words: Uci, lines: int) -> list[str]:
    """Lines of `info_lines` for a report, one for each principal variation, the best first."""
    spent = max(report.seconds, 1e-6)
    scores = dict(report.moves)
    shown = report.lines[:lines] if lines > 1 and report.lines else [report.variation]
    said = []
    for place, line in enumerate(shown, 1):
        score = report.score if place == 1 else scores.get(line[0], report.score)
        parts = [f"info depth {report.depth}"]
        parts += [f"multipv {place}"] if lines > 1 else []
        parts += [f"score {score_words(score, position)}", f"nodes {report.nodes}"]
        parts += [f"nps {round(report.nodes / spent)}", f"time {round(report.seconds * 1000)}"]
        shown_moves = words.words(Position(position.game, position.state, line))
        said.append(" ".join([*parts, "pv", *shown_moves]))
    return said
