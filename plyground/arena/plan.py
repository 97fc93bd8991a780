"""The games still to be played: the schedule, games in flight, and entrants that are stopped."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from plyground.arena.played_games import PlayedGames
from plyground.arena.results import Played, Task
from plyground.arena.schedule import Schedule

MOST_MUTE_GAMES = 2
"""Games without a move of its own after which an entrant that never made one takes no further part in this run."""


class Plan:
    """The games that are still to be played, in one run of an arena."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self.in_flight: set[int] = set()
        """The numbers of the games that are being played."""
        self._stopped: dict[frozenset[str], str] = {}
        """Pairs of entrants that do not meet again in this run, and why."""
        self._excluded: dict[str, str] = {}
        """Entrants that take no further part in this run, and why."""
        self._mute_games: dict[str, int] = defaultdict(int)
        """Games in which an entrant failed before its first move."""

    def begin(self) -> None:
        """Begin a run: nothing is in flight, and nothing is stopped."""
        for each in (self.in_flight, self._stopped, self._excluded, self._mute_games):
            each.clear()

    def tasks(self, known: PlayedGames, count: Callable[[], None]) -> Iterator[Task | None]:
        """The games to be played next; None where they depend on games in flight.

        Args:
            known: the games that are over.
            count: adds to them all games that are over by now.
        """
        for games in self.schedule.rounds(known.counted):
            for task in games:
                # Asked before each game and not before each round: a decided test plays nothing more.
                if known.decision or known.evidence.is_used_up(len(self.schedule.openings)):
                    return
                if task.number not in known.counted and not self._is_stopped(task):
                    self.in_flight.add(task.number)
                    yield self._with_forfeit(task, known)
            # The next round's pairings need all results of this one.
            while self.in_flight:
                yield None
            count()

    def _with_forfeit(self, task: Task, known: PlayedGames) -> Task:
        """The task, as one that is lost unplayed if a student of a class is hopeless."""
        # Students only: a fixed opponent that forfeits would give every student points.
        for seat, name in enumerate((task.x, task.o)):
            if name in self.schedule.students and known.is_hopeless(name):
                return replace(task, forfeit=seat)
        return task

    def stop(self, void: Played) -> None:
        """Stop the meetings of the two players of a void game; and all games of the one that made no move, if that has
        happened `MOST_MUTE_GAMES` times.
        """
        names = void.task.x, void.task.o
        if void.fault is not None:
            mute = names[void.fault]
            self._mute_games[mute] += 1
            # For this run alone: the next one tries it again.
            if self._mute_games[mute] >= MOST_MUTE_GAMES:
                self._excluded.setdefault(mute, void.why)
        # A pair that could not play once is not tried again in this run: each try costs all the time of a start.
        self._stopped.setdefault(frozenset(names), void.why)

    @property
    def is_stopped(self) -> bool:
        """Whether games of any players are stopped."""
        return bool(self._stopped)

    def reasons_to_stop(self, names: Sequence[str]) -> dict[tuple[str, ...], str]:
        """Reasons of stopped games, by the pair or the one entrant that they are of, in the order of `names`."""
        pairs = {pair: why for pair, why in self._stopped.items() if not pair & self._excluded.keys()}
        told = {tuple(name for name in names if name in pair): why for pair, why in pairs.items()}
        return {(name,): why for name, why in self._excluded.items()} | told

    def _is_stopped(self, task: Task) -> bool:
        return frozenset((task.x, task.o)) in self._stopped or not self._excluded.keys().isdisjoint((task.x, task.o))
