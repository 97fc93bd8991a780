"""One game between two entrants, within limits, by a referee; and what came of it, whatever the players do."""

import ctypes
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from queue import Empty, SimpleQueue
from typing import Any

from plyground.arena.results import Entrant, Played, Task
from plyground.errors import BadInput, GameFault
from plyground.games import game_named
from plyground.patience import Endless
from plyground.play.referee import (
    Elsewhere,
    Failed,
    Mute,
    Player,
    close,
    play_match,
    prepare,
    tell_time,
)
from plyground.play.time_control import TimeControl
from plyground.players import Own, player_named, reseed
from plyground.position import Position, moves_text
from plyground.text import plain_lines

PATIENCE = 10.0
"""Seconds for a move of a function of somebody's own, where there is no other limit: as long as a program has."""
WORDS = 2_000
"""Signs of a program's words and of a sentence that are kept."""


@dataclass(frozen=True)
class Limits(TimeControl):
    """What each player of each game has; depth, nodes and simulations stand in a player's spec."""

    grace: float = 5.0

    @property
    def text(self) -> str:
        """In words; empty if there is no limit but the players' own."""
        words = [
            f"{self.game:g} s a game" if self.game else "",
            f"{self.increment:g} s more for each move" if self.increment else "",
            f"{self.move:g} s a move" if self.move else "",
            f"{self.cpu:g} s of the processor a game" if self.cpu else "",
        ]
        return ", ".join(filter(None, words))

    @property
    def is_timed(self) -> bool:
        """Whether there is any limit in time."""
        return bool(self.game or self.move or self.cpu)


class Table:
    """Where entrants play game after game: what is compiled stays, what chance there is begins anew with each game.

    A game follows from its number and the seed, as far as its players do, whoever played before and in which process.
    """

    def __init__(self, game: str, limits: Limits, seed: int = 0) -> None:
        """Prepare; no player is made yet.

        Raises:
            BadInput: there is no such game.
        """
        self.game, self.limits, self.seed = game_named(game), limits, seed
        self._players: dict[Entrant, Player] = {}
        self._openings: dict[str, Position] = {}

    def played(
        self, task: Task, entrants: Mapping[str, Entrant], on_move: Callable[[Position], None] | None = None
    ) -> Played:
        """A game from its opening to its end.

        A game is void where nobody can tell whose fault it was: without a `fault` if a player could not be started at
        all; with the seat in it if one that was started never made a move.

        Args:
            task: which.
            entrants: those who take part, by name.
            on_move: told the position after each move.

        Raises:
            GameFault: a rule of the game fails.
        """
        start = self._opening(task.opening)
        try:
            seats = self._player(entrants[task.x]), self._player(entrants[task.o])
        except BadInput as fault:
            return Played(task, (), None, _cut(str(fault)), void=True)
        for seat, player in enumerate(seats):
            reseed(player, f"{self.seed} {task.number} {seat}")
        try:
            found = self._refereed(task, start, seats, on_move)
        finally:
            for player in seats:
                close(player)  # a program is begun anew for each game
        if found.fault is not None:  # whatever state that has left it in
            self._players.pop(entrants[task.o if found.fault else task.x], None)
        return found

    def _refereed(
        self, task: Task, start: Position, seats: tuple[Player, Player], on_move: Callable[[Position], None] | None
    ) -> Played:
        moves: list[int] = []

        def moved(position: Position) -> None:
            moves[:] = position.moves
            if on_move:
                on_move(position)

        try:
            result = play_match(start, seats, clock=self.limits, on_move=moved)
        except GameFault:
            raise
        except Mute as fault:
            words = _words(seats[fault.seat])
            return Played(task, _text(start, moves), None, _cut(str(fault)), fault.seat, words=words, void=True)
        except BadInput as fault:
            return Played(task, _text(start, moves), None, _cut(str(fault)), void=True)
        made = _text(start, result.position.moves)
        words = "" if result.fault is None else _words(seats[result.fault])
        void = result.utility is None
        seconds = round(result.seconds[0], 6), round(result.seconds[1], 6)  # as they are kept
        return Played(task, made, result.utility, _cut(result.why), result.fault, seconds, words, void)

    def _opening(self, text: str) -> Position:
        if text not in self._openings:
            self._openings[text] = Position(self.game, Position.parse(self.game, text).state)
        return self._openings[text]

    def _player(self, entrant: Entrant) -> Player:
        if entrant not in self._players:
            player = player_named(entrant.spec)
            own = isinstance(player, Own) or not type(player).__module__.startswith("plyground.")
            if own or (self.limits.is_timed and not isinstance(player, Elsewhere)):
                player = _Bounded(player, PATIENCE if own and not self.limits.is_timed else None)
            self._players[entrant] = player
        return self._players[entrant]

    def close(self) -> None:
        """End what players hold."""
        for player in self._players.values():
            close(player)
        self._players.clear()


def played(
    task: Task,
    entrants: Mapping[str, Entrant],
    game: str,
    limits: Limits,
    on_move: Callable[[Position], None] | None = None,
    seed: int = 0,
    arena: str = "",
) -> Played:
    """As `Table.played`, at a table that this process keeps for an arena: it can be asked for in any process."""
    return _table(game, limits, seed, arena).played(task, entrants, on_move)


@lru_cache(maxsize=2)
def _table(game: str, limits: Limits, seed: int, arena: str) -> Table:
    return Table(game, limits, seed)


def _text(start: Position, moves: list[int] | tuple[int, ...]) -> tuple[str, ...]:
    return tuple(moves_text(start, tuple(moves)))


def _cut(sentence: str) -> str:
    sentence = plain_lines(sentence)
    return sentence if len(sentence) <= WORDS else f"{sentence[:WORDS]}…"


def _words(player: Player) -> str:
    return _cut(str(getattr(player, "last_words", "")))


class _Bounded:
    """A player of this process that has a thread for itself, so that one that never answers holds nobody up."""

    def __init__(self, player: Player, patience: float | None) -> None:
        self.name = player.name
        self._player, self._patience, self._has_clock = player, patience, True
        self._asked: SimpleQueue[tuple[Position, float | None] | None] = SimpleQueue()
        self._answers: SimpleQueue[int | BaseException] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def prepare(self, position: Position) -> None:
        prepare(self._player, position)

    def timed(self, control: TimeControl) -> None:
        self._has_clock = control.cpu is None or control.game is not None or control.move is not None
        tell_time(self._player, control)

    def reseed(self, seed: str) -> None:
        reseed(self._player, seed)

    def choose(self, position: Position, seconds: float | None) -> int:
        if self._thread is None:
            asked, answers = self._asked, self._answers
            self._thread = threading.Thread(
                target=self._answer, args=(asked, answers), name="plyground own", daemon=True
            )
            self._thread.start()
        patience = self._patience if seconds is None else seconds
        if patience and not self._has_clock:
            patience = (
                PATIENCE + 10 * patience
            )  # the processor's seconds may be many more of ours, if others need it too
        self._asked.put((position, seconds))
        try:
            answer = self._answers.get(timeout=patience)
        except Empty:
            self._leave()
            raise Failed(f"it had no answer after {patience:g} s") from None
        except BaseException:  # Ctrl-C, while it thinks
            self._leave()
            raise
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def _answer(self, asked: "SimpleQueue[Any]", answers: "SimpleQueue[Any]") -> None:
        """The thread: answers what is asked, until it is left."""
        with suppress(Endless):  # it may come when the answer has just been given
            while question := asked.get():
                try:
                    answers.put(self._player.choose(*question))
                except BaseException as fault:
                    answers.put(fault)

    def _leave(self) -> None:
        """Stop the thread where it is, as soon as it is in Python again, and have another one next time."""
        thread, self._thread = self._thread, None
        self._asked.put(None)
        if thread and thread.ident:
            ident, endless = ctypes.c_ulong(thread.ident), ctypes.py_object(Endless)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, endless)
        self._asked, self._answers = SimpleQueue(), SimpleQueue()

    def close(self) -> None:
        if self._thread:
            self._asked.put(None)
            self._thread = None
            self._asked, self._answers = SimpleQueue(), SimpleQueue()
        close(self._player)
