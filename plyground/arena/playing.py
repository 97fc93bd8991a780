"""One refereed game between two entrants within limits; every failure of a player becomes a result."""

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from queue import Empty, SimpleQueue
from typing import Any

from plyground.arena.adjudication import Adjudication
from plyground.arena.results import LATE_GAMES_TO_FORFEIT, Entrant, Played, Task
from plyground.errors import BadInput, GameFault
from plyground.games import AnyGame, as_game
from plyground.play.ending import Ending
from plyground.play.player import Failed, Mute, NotStarted, Player, Wrapper
from plyground.play.referee import referee_game
from plyground.play.time_control import TimeControl
from plyground.players import player_of
from plyground.position import Position, moves_text
from plyground.text import plain_lines
from plyground.timeouts import TimeExceeded, raise_in

USER_MOVE_TIME = 10.0
"""Seconds for a move of a user's function without another limit; a program has the same."""
NONE_ADJUDICATED = Adjudication()
"""Every game is played to its end."""
UNPLAYED = f"not played: in all games before, {LATE_GAMES_TO_FORFEIT} or more, it was late or silent"
"""Ending of a game that a student of a class loses unplayed."""
MOST_WORDS = 2_000
"""Most characters that are stored of a program's last words and of a sentence."""


@dataclass(frozen=True)
class Limits(TimeControl):
    """Time limits of each player in each game; depth, nodes and simulations are part of a player's spec."""

    grace: float = 5.0

    @property
    def text(self) -> str:
        """The limits in words; empty if there are none."""
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


class GameRunner:
    """Plays game after game: compiled searches stay in memory, random numbers are seeded anew for each game.

    The same task and seed give the same game with deterministic players, after any other games and in any process.
    """

    def __init__(
        self, game: AnyGame | str, limits: Limits, seed: int = 0, adjudication: Adjudication = NONE_ADJUDICATED
    ) -> None:
        """Prepare; no player is made yet.

        Raises:
            BadInput: there is no such game.
        """
        self.game: AnyGame = as_game(game)
        self.limits: Limits = limits
        self.seed: int = seed
        self._adjudicate = adjudication.verdict if adjudication else None
        self._players: dict[Entrant, Player] = {}
        self._openings: dict[str, Position] = {}

    def play_task(
        self, task: Task, entrants: Mapping[str, Entrant], on_move: Callable[[Position], None] | None = None
    ) -> Played:
        """A game from its opening to its end.

        A game is void if the fault is unknown: `fault` is None if a player could not be started, and the seat of a
        player that was started and never made a move.

        Args:
            task: the game's number, players and opening.
            entrants: all entrants by name.
            on_move: called with the position after each move.

        Raises:
            GameFault: a rule of the game fails.
        """
        # A row like any other, so that the plan has no gap and the student's page says why.
        if task.forfeit is not None:
            utility = -1 if task.forfeit == 0 else 1
            return Played(task, (), utility, UNPLAYED, task.forfeit, judged=(), ending=Ending.SILENT)
        start = self._opening(task.opening)
        try:
            seats = self._player(entrants[task.x]), self._player(entrants[task.o])
        except BadInput as fault:
            return Played(task, (), None, _shorten(str(fault)), void=True, ending=Ending.NOT_STARTED)
        # The seed has the number of the game and nothing of what was played before: a game is the same in any process
        # and after a restart.
        chance = task.number if task.chance_seed is None else task.chance_seed
        for seat, player in enumerate(seats):
            player.reseed(f"{self.seed} {chance} {seat}")
        try:
            found = self._referee_game(task, start, seats, on_move)
        finally:
            for player in seats:
                player.close()  # a program is begun anew for each game
        if found.fault is not None:  # whatever state that has left it in
            self._players.pop(entrants[task.o if found.fault else task.x], None)
        return found

    def _referee_game(
        self, task: Task, start: Position, seats: tuple[Player, Player], on_move: Callable[[Position], None] | None
    ) -> Played:
        moves: list[int] = []

        def tell_move(position: Position) -> None:
            moves[:] = position.moves
            if on_move:
                on_move(position)

        try:
            result = referee_game(start, seats, clock=self.limits, on_move=tell_move, adjudicate=self._adjudicate)
        except GameFault:
            raise
        # The seat is kept: if this player has moved in another game, the game is its loss after all (`resolve_fault`).
        except Mute as fault:
            made, words = _move_texts(start, moves), _last_words_of(seats[fault.seat])
            return Played(
                task, made, None, _shorten(str(fault)), fault.seat, words=words, void=True, ending=fault.ending
            )
        # No player's fault that can be told: void, and the reason is kept as a row.
        except BadInput as fault:
            ending = Ending.NOT_STARTED if isinstance(fault, NotStarted) else Ending.VOID
            return Played(task, _move_texts(start, moves), None, _shorten(str(fault)), void=True, ending=ending)
        made = _move_texts(start, result.position.moves)
        words = "" if result.fault is None else _last_words_of(seats[result.fault])
        void = result.utility is None
        seconds = round(result.seconds[0], 6), round(result.seconds[1], 6)  # as they are kept
        ended = result.utility, _shorten(result.why), result.fault
        return Played(task, made, *ended, seconds, words, void, notes=result.notes, ending=result.ending)

    def _opening(self, text: str) -> Position:
        if text not in self._openings:
            self._openings[text] = Position.starting(self.game, text)
        return self._openings[text]

    def _player(self, entrant: Entrant) -> Player:
        if entrant not in self._players:
            self._players[entrant] = seat_entrant(entrant, self.limits)
        return self._players[entrant]

    def close(self) -> None:
        """Close all players, with their programs and files."""
        for player in self._players.values():
            player.close()
        self._players.clear()


def seat_entrant(entrant: Entrant, limits: Limits) -> Player:
    """An entrant's player; one of this process that may not answer in time is in a thread of its own.

    Raises:
        BadInput: there is no such player.
    """
    player = player_of(entrant.source)
    own = player.is_user_code
    if own or (limits.is_timed and not player.is_external):
        return _ThreadedPlayer(player, USER_MOVE_TIME if own and not limits.is_timed else None)
    return player


def play_task(
    task: Task,
    entrants: Mapping[str, Entrant],
    game: AnyGame | str,
    limits: Limits,
    on_move: Callable[[Position], None] | None = None,
    seed: int = 0,
    arena: str = "",
    adjudication: Adjudication = NONE_ADJUDICATED,
) -> Played:
    """Play a task by the `GameRunner` that this process keeps for an arena; works in any process."""
    return _runner_of(game, limits, seed, arena, adjudication).play_task(task, entrants, on_move)


@lru_cache(maxsize=2)
def _runner_of(game: AnyGame | str, limits: Limits, seed: int, arena: str, adjudication: Adjudication) -> GameRunner:
    return GameRunner(game, limits, seed, adjudication)


def _move_texts(start: Position, moves: list[int] | tuple[int, ...]) -> tuple[str, ...]:
    return tuple(moves_text(start, tuple(moves)))


def _shorten(sentence: str) -> str:
    sentence = plain_lines(sentence)
    return sentence if len(sentence) <= MOST_WORDS else f"{sentence[:MOST_WORDS]}…"


def _last_words_of(player: Player) -> str:
    return _shorten(str(player.last_words))


class _ThreadedPlayer(Wrapper):
    """A player of this process in a thread of its own, so that a call that never returns does not stop the arena."""

    def __init__(self, player: Player, timeout: float | None) -> None:
        super().__init__(player)
        self._timeout, self._has_clock = timeout, True
        self._asked: SimpleQueue[tuple[Position, float | None] | None] = SimpleQueue()
        self._answers: SimpleQueue[int | BaseException] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def set_time_control(self, control: TimeControl) -> None:
        self._has_clock = control.cpu is None or control.game is not None or control.move is not None
        super().set_time_control(control)

    def choose(self, position: Position, seconds: float | None) -> int:
        if self._thread is None:
            asked, answers = self._asked, self._answers
            self._thread = threading.Thread(
                target=self._answer_questions, args=(asked, answers), name="plyground own", daemon=True
            )
            self._thread.start()
            # Until the thread says that it has begun it cannot be interrupted: `raise_in` could hit the starter
            # (`timeouts.py`).
            answers.get()
        # The referee's seconds hold where it gives any; the default of a user's function only without a limit.
        timeout = self._timeout if seconds is None else seconds
        if timeout and not self._has_clock:
            timeout = (
                USER_MOVE_TIME + 10 * timeout
            )  # the processor's seconds may be many more of ours, if others need it too
        self._asked.put((position, seconds))
        try:
            answer = self._answers.get(timeout=timeout)
        except Empty:
            self._abandon_thread()
            raise Failed(f"it had no answer after {timeout:g} s", Ending.SILENT) from None
        except BaseException:  # Ctrl-C, while it thinks
            self._abandon_thread()
            raise
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def _answer_questions(self, asked: "SimpleQueue[Any]", answers: "SimpleQueue[Any]") -> None:
        """Thread: answer questions until the thread is abandoned."""
        with suppress(TimeExceeded):  # it may come when the answer has just been given
            answers.put(0)  # only from here on can it be stopped
            while question := asked.get():
                try:
                    answers.put(self.player.choose(*question))
                except BaseException as fault:
                    answers.put(fault)

    def _abandon_thread(self) -> None:
        """Stop the thread as soon as it is in Python again; the next move starts another one."""
        thread, self._thread = self._thread, None
        if thread and thread.ident:
            raise_in(thread.ident, TimeExceeded)
        self._asked.put(None)  # not before: the thread would end, and another one may get its number
        # New queues: an answer of the abandoned thread that comes late must not be taken for the next move.
        self._asked, self._answers = SimpleQueue(), SimpleQueue()

    def close(self) -> None:
        if self._thread:
            self._asked.put(None)
            self._thread = None
            self._asked, self._answers = SimpleQueue(), SimpleQueue()
        super().close()
