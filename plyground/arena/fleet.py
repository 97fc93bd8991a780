"""A fleet: tests that wait in a folder and are played in turn, for days, by workers that come and go.

A test is a file, `NAME.toml`, with the settings of an arena; `NAME` is the arena's name in the database, where all that
is played is kept. So the queue is what lies in the folder: a file that is added is begun, one with `paused = true` or
one that is taken away rests, and after a restart everything goes on where it was. Nothing can be begun by the network.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from plyground.arena.settings import Settings
from plyground.arena.toml_file import toml_in
from plyground.arena.tournament import Tournament
from plyground.database.connecting import Unavailable
from plyground.errors import BadInput, check_fields
from plyground.workers.channel import WorkersGone
from plyground.workers.cluster import Cluster

TEST_KEYS = {field.name for field in fields(Settings) if field.kw_only}
TEST_KEYS -= {"jobs", "scheduler", "database", "name", "limit"}
"""Settings beside game and players that a test may have: all but those of the fleet, and one that no file can hold."""
TEST_TURN_SECONDS = 60.0
"""Seconds that one test is played before another has its turn."""
FLEET_POLL_SECONDS = 1.0
"""Seconds between two looks into the folder while nothing is to play, and until a lost scheduler is asked again."""


@dataclass(frozen=True)
class FleetTest:
    """A test's file: settings of an arena, by the names that `plyground.arena` has for them, and two of the fleet."""

    game: str
    players: list[str]
    more: Mapping[str, Any]
    """Further settings."""
    share: float = 1.0
    """Share of the workers' time, relative to the shares of the other tests."""
    paused: bool = False

    def __post_init__(self) -> None:
        check_fields(self)
        if not self.share > 0:
            raise BadInput(f"share={self.share}: give a number above 0.")

    def settings(self, name: str, database: str) -> Settings:
        """The arena's settings."""
        return Settings(self.players, self.game, **self.more, name=name, database=database)


def fleet_test(file: Path) -> FleetTest:
    """Read a test's file.

    Raises:
        BadInput: it cannot be read, or a key in it means nothing.
    """
    given = toml_in(file)
    own = {field.name for field in fields(FleetTest)} - {"more"}
    if unknown := given.keys() - own - TEST_KEYS:
        raise BadInput(f"{file}, {min(unknown)}: a test has {', '.join(sorted(own | TEST_KEYS))}.")
    if missing := {"game", "players"} - given.keys():
        raise BadInput(f"{file}, {min(missing)}: a test needs it.")
    more = {key: given[key] for key in given.keys() - own}
    try:
        test = FleetTest(**{key: given[key] for key in given.keys() & own}, more=more)
        # Made once for its errors: a wrong key is said when the file is read, not at its first turn.
        test.settings(file.stem, "")
    except BadInput as wrong:
        raise BadInput(f"{file}, {wrong}") from None
    return test


@dataclass(frozen=True)
class FleetTestStand:
    """A test that is not over."""

    name: str
    state: str
    """`playing`, `waiting`, `paused`, or why it cannot be played."""
    share: float


@dataclass(frozen=True)
class FleetStand:
    """State of a fleet: its workers and unfinished tests, and the reason if nothing can be played."""

    workers: tuple[str, ...]
    """Addresses of the workers."""
    tests: tuple[FleetTestStand, ...]
    """The tests that are not over, by their names."""
    said: str
    """The reason that nothing can be played, in a sentence; empty while games can be played."""


@dataclass
class Fleet:
    """The tests of a folder, and the workers that play them."""

    folder: Path
    database: str
    scheduler: str = ""
    """The address of a Dask scheduler; empty: processes of this machine play."""
    jobs: int = 0
    say: Callable[[str], None] = print
    """Called with news, in sentences."""

    def __post_init__(self) -> None:
        if not self.folder.is_dir():
            raise BadInput(f"{self.folder} is no folder: make it, and put a file NAME.toml for each test into it.")
        self._stopping = threading.Event()
        self._over: dict[str, float] = {}
        """Tests that are decided or cannot be played, each with the time of its file then: a changed file is tried."""
        self._played = Counter[str]()
        """Seconds that each test was played, over its share."""
        self._said = ""
        self._playing = ""
        """Name of the test that is being played; empty between two turns."""
        self._wrong: dict[str, str] = {}
        """Faults of the files of tests that cannot be played, by the tests' names."""
        self._workers: tuple[str, ...] = ()
        self._workers_at = 0.0

    def stand(self) -> FleetStand:
        """State of the fleet, for the page; safe to call in any thread."""
        tests = []
        for file in sorted(self.folder.glob("*.toml")):
            with suppress(OSError):  # it may be taken away just now
                # A changed modification time means an edited test: it is read again.
                is_over = self._over.get(file.stem) == file.stat().st_mtime and file.stem != self._playing
                try:
                    test = fleet_test(file)
                except BadInput as fault:
                    tests.append(FleetTestStand(file.stem, str(fault), 1.0))
                    continue
                state = "paused" if test.paused else "playing" if file.stem == self._playing else "waiting"
                if state := self._wrong.get(file.stem, "") if is_over else state:
                    tests.append(FleetTestStand(file.stem, state, test.share))
        return FleetStand(self._workers, tuple(tests), "" if self._workers else self._said)

    def _update_workers(self, cluster: Cluster) -> None:
        """Note the workers, now and then."""
        if time.monotonic() - self._workers_at >= FLEET_POLL_SECONDS:
            self._workers, self._workers_at = tuple(cluster.workers()), time.monotonic()

    def stop(self) -> None:
        """Make `run` return after the next game; games under way are played again later."""
        self._stopping.set()

    def run(self) -> None:
        """Play the tests in turn until `stop` is called; scheduler and workers may come and go meanwhile."""
        while not self._stopping.is_set():
            if self._next_test() is None:
                self._stopping.wait(FLEET_POLL_SECONDS)
                continue
            try:
                # A process of its own also for one job: a crash in a player must not end the fleet.
                with Cluster(self.jobs, self.scheduler, here=False) as cluster:
                    self._play_turns(cluster)
            except (BadInput, Unavailable) as fault:  # of the workers or the database: a test's own is put aside
                self._workers = ()
                self._say_once(f"{fault} It is tried again.")
                self._stopping.wait(FLEET_POLL_SECONDS)

    def waiting(self) -> dict[str, FleetTest]:
        """The tests that are to be played, by their names."""
        found = dict[str, FleetTest]()
        for file in sorted(self.folder.glob("*.toml")):
            try:
                at = file.stat().st_mtime
                if self._over.get(file.stem) != at:
                    test = fleet_test(file)
                    if not test.paused:
                        found[file.stem] = test
            except OSError:
                continue  # it was taken away just now
            except BadInput as fault:
                self._over[file.stem] = at
                self.say(str(fault))
        return found

    def _next_test(self) -> tuple[str, FleetTest] | None:
        """Returns the test that has had the least of its share; None if none waits."""
        waiting = self.waiting()
        # Turns follow stride scheduling (Waldspurger and Weihl 1995): a newcomer begins at the least time of the
        # others, so it does not take every turn until it has caught up.
        least = min((self._played[name] for name in waiting if name in self._played), default=0)
        for name in waiting:
            self._played.setdefault(name, least)
        return min(waiting.items(), key=lambda each: self._played[each[0]], default=None)

    def _play_turns(self, cluster: Cluster) -> None:
        while not self._stopping.is_set() and (found := self._next_test()):
            began, self._playing = time.monotonic(), found[0]
            try:
                self._update_workers(cluster)
                self._play_turn_of_test(*found, cluster)
            # This is no fault of the test: the cluster or the database is gone, and every test waits for it.
            except (WorkersGone, Unavailable):
                raise
            except BadInput as fault:
                self._fail_test(found[0], str(fault))
            except Exception as fault:
                self._fail_test(found[0], f"{type(fault).__name__}: {fault}")
            finally:
                self._playing = ""
            # A turn costs at least a moment, so that a test that ends at once is not chosen again and again.
            self._played[found[0]] += max(time.monotonic() - began, FLEET_POLL_SECONDS) / found[1].share  # type: ignore[assignment]

    def _play_turn_of_test(self, name: str, test: FleetTest, cluster: Cluster) -> None:
        """Play a test for a while, and alone for as long as no other one waits."""
        with ExitStack() as stack:
            tournament = stack.enter_context(closing(Tournament(test.settings(name, self.database), cluster)))
            games = iter(tournament)
            stack.callback(games.close)  # type: ignore[attr-defined]  # a generator: it ends here, not some time later
            until = time.monotonic() + TEST_TURN_SECONDS
            for _ in games:
                self._update_workers(cluster)
                if self._stopping.is_set():
                    return
                if time.monotonic() > until:
                    # Looked up only at the end of a turn: the folder may hold many files.
                    if self.waiting().keys() != {name}:
                        return
                    until = time.monotonic() + TEST_TURN_SECONDS
            if tournament.is_over:
                lines = tournament.test.lines if tournament.test else []
                self._finish_test(name, " ".join(filter(None, [*lines, f"{tournament.stored_arena.why}."])))
            else:
                self._fail_test(name, " ".join(tournament.stops.values()) or "nothing more can be played")

    def _fail_test(self, name: str, why: str) -> None:
        """Put a test aside whose file makes no arena, until the file changes."""
        self._wrong[name] = why
        self._finish_test(name, why)

    def _finish_test(self, name: str, why: str) -> None:
        """Put a test aside that is over, or cannot be played, until its file changes."""
        file = self.folder / f"{name}.toml"
        self._over[name] = file.stat().st_mtime if file.exists() else 0.0
        self.say(f"{name}: {why}")

    def _say_once(self, sentence: str) -> None:
        """Say a sentence, once while it stays the same."""
        if sentence != self._said:
            self.say(sentence)
        self._said = sentence
