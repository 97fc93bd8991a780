"""Our side of the field's protocols, as a program that answers: lines in, lines out.

A `Answerer` answers: the engine, with all limits of the protocols and stopped within 10 ms, or any player.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields, replace
from typing import Any

from plyground.compiled.clock import Limit
from plyground.engine.report import Report
from plyground.engine.review import compares_moves
from plyground.engine.run import prepare
from plyground.engine.think import GLANCE_SECONDS, glance, think
from plyground.errors import BadInput
from plyground.learning.learned_rules import with_evaluation
from plyground.play.by_evaluation import LearnedPlayer
from plyground.play.level import LEVELS
from plyground.play.player import Player
from plyground.play.time_control import MOST_SHARE_OF_REMAINING, TimeControl
from plyground.position import Position
from plyground.protocols.dialogue import Budget
from plyground.rules import Game
from plyground.score import best_first
from plyground.search.table import PLAYING

# A tenth of the move's time in `move_seconds`, below 0.2 s: a fixed part would leave nothing of it.
OVERHEAD = 0.02
"""Seconds of a move's time, at most, that are left for the way of the answer."""
ENGINE = "engine"
"""The level that is no player: the engine itself."""
NO_POSITION = "There is no position: the last one was refused"


@dataclass
class Answerer:
    """Source of the answers, the engine or a player; its settings may be changed between two searches."""

    named: Callable[[str], Player]
    """Function that makes a player of its spec."""
    player: str = ""
    """Spec of the player that answers; empty: the engine."""
    table: int = PLAYING
    """Mebibytes of the engine's transposition table."""
    threads: int = 1
    lines: int = 1
    """Principal variations that are reported, of the best moves."""
    evaluation: str = ""
    """Evaluation that the engine, or the player, searches by: a file of learned weights, `learned`, the shipped ones,
    `own`, the game's; empty: its usual one."""
    _made: tuple[tuple[str, str], Player] | None = None

    def set_level(self, name: str) -> None:
        """Let a level answer, by its name, or the engine."""
        self.player = "" if name == ENGINE else f"level:{name}"

    @property
    def level(self) -> str:
        """The level that answers, by its name."""
        return self.player.removeprefix("level:") or ENGINE

    def prepare(self, position: Position) -> None:
        """Compile the code of the first search."""
        if position.outcome is None:
            # Code is compiled before the clock runs: protocols ask for readiness (`isready`,
            # `clear_board`), and compiling takes longer than many a move may.
            ready = self._player().prepare if self.player else prepare
            if not self.player:
                position = position.under(with_evaluation(position.game, self.evaluation))
            ready(position)

    def choose(
        self,
        position: Position,
        budget: Budget,
        *,
        stop: threading.Event | None = None,
        only: Sequence[int] = (),
        on_report: Callable[[Report], None] = lambda report: None,
    ) -> int:
        """The move for an unfinished position.

        Args:
            position: what to answer.
            budget: how long; without any limit until `stop`, or all is known.
            stop: an event that ends the engine's search within 10 ms, and a player's at its next report.
            only: the moves to choose among; empty: all. Of a player it is not asked.
            on_report: called with each report.
        """
        if self.player:
            return self._play_budget(position, budget, stop, on_report)
        position = position.under(with_evaluation(position.game, self.evaluation))
        legal = position.legal_moves
        # A choice among some moves needs the value of each:
        # the best of all may be none of them.
        many = len(only or legal) if self.lines > 1 or only else 1
        # If time is up before the first report, a legal move goes out all the same: none would lose
        # the game.
        move = (only or legal)[0]
        lines = len(legal) if only else min(self.lines, many)
        limit = Limit(budget.depth, budget.nodes, move_seconds(budget))
        for report in think(
            position,
            limit,
            every_move=many > 1 or bool(only),
            lines=lines,
            threads=self.threads,
            table=self.table,
            selective=True,
            stop=stop,
        ):
            if limit.time is not None and limit.nodes is None and not compares_moves(report):
                report = glance(
                    position, min(GLANCE_SECONDS, limit.time)
                )  # match runners refuse a program without a score
            chosen = restrict_report(report, only, position.to_move) if only else report
            if chosen.variation:
                move = chosen.move
                on_report(chosen)
        return move

    def _play_budget(
        self,
        position: Position,
        budget: Budget,
        stop: threading.Event | None,
        on_report: Callable[[Report], None],
    ) -> int:
        player, time = self._player(), move_seconds(budget)
        if time is not None:
            # The share of this move, as a time for each move: the match runner's clock is not ours
            # to keep.
            player.set_time_control(TimeControl(move=time))
        report = None
        for report in player.think(position, time):
            on_report(report)
            if stop is not None and stop.is_set():
                break
        return report.move if report is not None else player.choose(position, time)

    def _player(self) -> Player:
        # Options may change between two moves, and a player may have started a program: it is ended
        # then.
        if self._made is None or self._made[0] != (self.player, self.evaluation):
            self.close()
            player = self.named(self.player)
            if self.evaluation:
                player = LearnedPlayer(player, self.evaluation)
            self._made = ((self.player, self.evaluation), player)
        return self._made[1]

    def close(self) -> None:
        """End the player's programs and connections."""
        if self._made:
            self._made[1].close()
        self._made = None


def move_seconds(budget: Budget) -> float | None:
    """Seconds that the budget leaves for this move; None: no limit in time."""
    found = []
    if budget.move is not None:
        # The search has a millisecond at least: one with no time at all reports nothing.
        found.append(max(budget.move - min(OVERHEAD, budget.move / 10), 1e-3))
    if budget.clock is not None:
        left = max(budget.clock, 1e-3)
        if budget.turns:
            share = min(left / budget.turns + budget.increment, left * MOST_SHARE_OF_REMAINING)
        else:
            share = TimeControl(left, budget.increment).share(left)
        found.append(max(share, 1e-3))
    return min(found) if found else None


def restrict_report(report: Report, only: Sequence[int], mover: int) -> Report:
    """A report of every move, of some of them alone: the best of these is its move."""
    moves = tuple((move, score) for move, score in report.moves if move in only)
    ranked = best_first(moves, mover)
    # Lines are in the order of the ranks, so the first is that of the best move among those asked about.
    lines = tuple(line for move in ranked for line in report.lines if line[:1] == (move,))
    if not ranked:
        return replace(report, variation=(), moves=(), lines=())
    best = lines[0] if lines and lines[0][0] == ranked[0] else (ranked[0],)
    return replace(report, score=dict(moves)[ranked[0]], variation=best, moves=moves, lines=lines)


class EngineSide(ABC):
    """Our side of a protocol."""

    def __init__(self, game: Game[Any], mind: Answerer, say: Callable[[str], None]) -> None:
        self.position = Position.initial(game)
        self.mind: Answerer = mind
        self.say: Callable[[str], None] = say

    @property
    def position(self) -> Position:
        """The position on the board.

        Raises:
            BadInput: there is none, since the last one was refused.
        """
        if not self.has_position:
            raise BadInput(NO_POSITION)
        return self._position

    @position.setter
    def position(self, position: Position) -> None:
        self._position = position
        self.has_position = True

    @contextmanager
    def setting_up(self) -> Iterator[None]:
        """Read a whole position: after one that is refused there is none, so no answer is about the one before."""
        try:
            yield
        except Exception:
            self.has_position = False
            raise

    @property
    def game(self) -> Game[Any]:
        """The game that is played."""
        return self._position.game

    def serve(self, lines: Iterable[str]) -> None:
        """Answer lines until one ends it, or the last one."""
        try:
            for line in lines:
                # Blank lines say nothing in any of these protocols, and CR LF leaves its CR at the
                # end.
                if line.strip() and not self.hear(line.strip()):
                    return
        finally:
            self.close()

    @abstractmethod
    def hear(self, line: str) -> bool:
        """Carry out a command of the other side. Returns whether to read on."""

    def close(self) -> None:
        """End the search that runs, and the player's programs."""
        self.mind.close()


class Searches(EngineSide):
    """Our side of a protocol in which lines come while the engine thinks: it does so in a thread of its own."""

    def __init__(self, game: Game[Any], mind: Answerer, say: Callable[[str], None]) -> None:
        super().__init__(game, mind, say)
        self._stop = threading.Event()
        self._thinking: threading.Thread | None = None

    def begin(self, work: Callable[[threading.Event], None]) -> None:
        """Do work in a thread; it ends soon after its event is set."""
        # Searches run one at a time: protocols allow a new one only after the answer to the old.
        self.end()
        stop = self._stop = threading.Event()

        def run() -> None:
            with suppress(BrokenPipeError):  # the other side has gone: the thread that reads its lines ends too
                work(stop)

        self._thinking = threading.Thread(target=run, name="plyground thinks", daemon=True)
        self._thinking.start()

    @property
    def is_busy(self) -> bool:
        """Whether work goes on."""
        return self._thinking is not None and self._thinking.is_alive()

    def stop(self) -> None:
        """Let the work end."""
        self._stop.set()

    def end(self) -> None:
        """Let the work end, and wait for that."""
        self.stop()
        if self._thinking:
            self._thinking.join()
        self._thinking = None

    def finish(self) -> None:
        """Wait until the work has ended by itself."""
        if self._thinking:
            self._thinking.join()

    def close(self) -> None:
        self.end()
        super().close()


def resize(game: Game[Any], columns: int, rows: int) -> Game[Any]:
    """The same game on a board of another size.

    Raises:
        BadInput: it has no such board.
    """
    names = {each.name for each in fields(game)}  # type: ignore[arg-type]  # games with boards are dataclasses
    sizes = {"size": rows} if "size" in names else {"rows": rows, "columns": columns}
    if "size" in names and rows != columns:
        raise BadInput(f"{type(game).__name__} has as many rows as columns.")
    other: Game[Any] = replace(game, **sizes)  # type: ignore[type-var]
    other.initial()
    return other


def level_names() -> list[str]:
    """The engine, and the levels that have a name."""
    return [ENGINE, *LEVELS]
