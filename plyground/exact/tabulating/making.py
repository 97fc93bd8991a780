"""Making a tablebase: all states are listed tier by tier, then valued, the last tier first.

A large tier is cut into shards, by hashes of its states. A task works on one shard (`tasks.py`), in this process
or in any that sees the folder; this module says which tasks there are, and notes in the folder what each has made. So
the work goes on from the last task that was done, and the files do not depend on who did it, nor on interruptions.
"""

import shutil
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from plyground.board.bits import flat
from plyground.errors import BadInput, check_arguments
from plyground.exact.tables.folder import NO_FILE, WORK, Folder, Progress, StateFile, Tier
from plyground.exact.tables.place import folder_path, is_store
from plyground.exact.tables.reading import Tablebase, user_table_folder
from plyground.exact.tables.table_files import PIECE_STATES
from plyground.exact.tables.work_files import write_file
from plyground.exact.tabulating.tasks import (
    MOST_SHARD_STATES,
    KeepShards,
    KeptFile,
    LayPieces,
    Listed,
    ListShard,
    PlayOn,
    ValueShard,
)
from plyground.exact.tabulating.worker import FIRST_SET_ROOM, ShardTask, ShardWorker, TaskProgress
from plyground.games import as_game, game_text
from plyground.mapper import Mapper, map_here
from plyground.position import Position
from plyground.rules import Game
from plyground.search.memory import new_memory, write_state
from plyground.search.tiers import listed_state

PROCESS_MEBIBYTES: Final = 320
"""Mebibytes that a process has without states: Python, libraries, the compiler and what it made (TABLEBASE.md)."""
DEFAULT_MEBIBYTES: Final = 2048
"""Mebibytes of memory by default: a tier of 17 million states of two ints fits, and of 11 million of four."""
LEAST_SHARED_STATES: Final = 1 << 16
"""States of a tier from which it is worth a shard for each process: less takes a tenth of a second."""
MOST_SHARDS: Final = 1 << 12
MAKING_REPORT_SECONDS: Final = 0.2
"""Seconds between two reports of the progress."""
NOTE_SECONDS: Final = 1.0
"""Seconds between two notes of it in the folder."""


def require_values(game: Game[Any]) -> None:
    """Refuse a game whose states have no value of their own.

    Raises:
        BadInput: a repetition is no draw in it.
    """
    # A table leaves out how a state came about, which decides there what a repetition is worth.
    if game.repetition and not game.repetition_is_draw:
        raise BadInput(
            f"A repetition is no draw in {type(game).__name__}, so values depend on the moves before: "
            "plyground solve tells those of one position."
        )


class Making:
    """Maker of a tablebase in a folder; it continues an unfinished one."""

    def __init__(
        self,
        folder: Folder,
        start: Position,
        *,
        material: str = "",
        mebibytes: int = DEFAULT_MEBIBYTES,
        disk: int | None = None,
        jobs: int = 1,
        told: Callable[[Progress], None] | None = None,
    ) -> None:
        """Prepare; nothing is made yet.

        Args:
            folder: where.
            start: position from which states are listed.
            material: an end game, as `Game.material` reads it, whose positions are listed instead.
            mebibytes: of memory at most, in each process.
            disk: mebibytes of files at most; None for as many as there is room for.
            jobs: threads of this process that do the work, where no other processes do.
            told: is called with the progress, in this thread.

        Raises:
            BadInput: the memory is too small for any work, or there is no thread.
        """
        if jobs < 1:
            raise BadInput(f"jobs={jobs}: there is at least one thread.")
        self._folder, self._game, self._pattern = folder, start.game, start.state
        self._endings: tuple[tuple[int, ...], ...] = self._game.material(material) if material else ()
        self._width = len(flat(start.state))
        self._on_progress = told or (lambda progress: None)
        self._disk = disk
        self._jobs = jobs
        # 14: one and a half slots of 4 bytes, and 8 for the value.
        self._loaded_bytes = 8 * self._width + 14
        """Bytes of a state that is looked at, or looked for: its words, one and a half slots, its value."""
        # 28: 8 for the value, 4 for its number, and two blocks of 8 between which the radix sort goes back and forth.
        self._sorting_bytes = 8 * self._width + 28
        """Bytes of a state while its kept file is written: words, value, its number, and twice what is sorted."""
        # At most two tiers are at hand while a third is sorted and written.
        per_state = 2 * self._loaded_bytes + self._sorting_bytes
        self._room = (mebibytes - PROCESS_MEBIBYTES << 20) // per_state
        if self._room < FIRST_SET_ROOM:
            least = PROCESS_MEBIBYTES + (FIRST_SET_ROOM * per_state >> 20) + 1
            raise BadInput(
                f"--memory {mebibytes}: at least {least} MiB, since Python and the compiler take {PROCESS_MEBIBYTES}."
            )
        self._begun, self._noted_at = time.monotonic(), 0.0
        self._stage = "", 0, 0.0
        """Stage, and states and time when this process came to it."""
        self._step = "listing", 0, 0, 0
        """Stage, tier, states before the work of now, and states known to be there."""
        self._running: dict[str, int] = {}
        """States that each task has looked at, by its name."""
        self._to_delete: list[StateFile] = []
        """Files to delete once the folder does not name them."""
        self._distances: list[int] = []
        """Distances of the tier that was listed last, to guess the next one's."""
        self._to_delete_later: list[StateFile] = []
        """Files to delete once no task reads them either."""
        self._laid: list[tuple[list[StateFile], int]] = []
        """Runs of the end games laid so far, with their tiers."""
        # No tier's values depend on a kept file, so writing it may wait until a process has nothing else to do.
        self._background: deque[ShardTask] = deque()
        """Tasks for which nothing waits: they are done while a process would be idle."""
        self._reported_at = 0.0
        self._bytes = 0
        """Bytes of all files, as they were last counted."""
        self._processes = 1
        """Processes that do the work."""

    def run(self, mapper: Mapper | None = None) -> None:
        """Run all tasks whose results are missing.

        Args:
            mapper: does the work on shards, by default this process.

        Raises:
            BadInput: there is not enough memory or disk, or values depend on the moves before.
            GameFault: `Game.tier` breaks its law.
            KeyboardInterrupt: Ctrl-C; what was done stays.
        """
        folder, self._processes = self._folder, mapper.width if mapper else 1
        # One process makes the folder and notes its state; the others of a cluster only write files that this one
        # names.
        with folder.hold():
            threads = 1 if mapper else self._jobs
            work = ShardWorker(folder.path.absolute(), self._game, self._pattern, self._room, threads)
            mapped_here = map_here if threads == 1 else partial(map_write_behind, self._fits_behind)
            mapped = partial(mapper.map, alone=True) if mapper else mapped_here
            for task, result in mapped(work, self._tasks(), on_report=self._on_report):
                self._running.pop(task.name, None)
                self._record(task, result)
                # The manifest first, then what it names no more: wherever the process ends, each file that it names is
                # there.
                folder.save()
                folder.drop(*self._to_delete)
                self._to_delete = []
                self._report_progress()
        if folder.is_whole:
            folder.tidy()

    def _fits_behind(self, task: KeepShards, writing: Iterable[KeepShards]) -> bool:
        """Whether a kept file can be written beside others while the next tier is valued.

        That needs the states of two tiers at hand. Where its moves lead to the tier of the file alone, the words and
        values of this one are at hand anyway; and each thread has the columns of a piece twice: as arrays, and as they
        are written.
        """
        tiers = self._folder.tiers
        largest = min(self._room, max(tier.count for tier in tiers.values()))
        free = self._room * self._sorting_bytes + 2 * (self._room - largest) * self._loaded_bytes
        needs = (sum(each.states for each in (task, *writing)) + 2 * self._jobs * PIECE_STATES) * self._sorting_bytes
        number, below = task.tier.number, max((number for number in tiers if number < task.tier.number), default=None)
        if task.tier.shards == 1 and below is not None and tiers[below].distances == [number - below]:
            needs -= task.states * 8 * (self._width + 1)
        return needs <= free

    def _tasks(self) -> Iterator[ShardTask | None]:
        """All tasks in their order; None while some are not done on which the next ones depend."""
        folder = self._folder
        if not folder.tiers:
            yield from self._begin_listing()
        while unlisted := [tier for tier in folder.tiers.values() if not tier.is_listed]:
            yield from self._list_tier(min(unlisted, key=lambda tier: tier.number))
        # Moves lead to the same tier or a higher one, so tiers are listed upward and valued downward.
        for tier in sorted(folder.tiers.values(), key=lambda tier: -tier.number):
            if not tier.is_valued:
                yield from self._value_tier(tier)
        # The kept files of the last tiers, for which no tier after them has made room in time.
        yield from self._background

    def _run_round(self, tasks: Sequence[ShardTask], stage: str, tier: int, before: int) -> Iterator[ShardTask | None]:
        """Yield the tasks, then None until all are done."""
        self._step = stage, tier, before, self._folder.count
        # A barrier: the next round reads the files of all tasks of this one.
        names = {task.name for task in tasks}
        self._running.update(dict.fromkeys(names, 0))
        yield from tasks
        while names & self._running.keys():
            yield self._background.popleft() if self._background else None
        self._folder.drop(*self._to_delete_later)
        self._to_delete_later = []

    def _record(self, task: ShardTask, result: Any) -> None:
        """Record the result of a task in the folder's tiers."""
        match task:
            case LayPieces():
                self._laid.append(result)
            case ListShard():
                self._record_listed(task, result)
            case PlayOn():
                tier = self._folder.tiers[task.tier.number]
                tier.new_values[task.shard] = result[0]
                tier.changed, tier.again = tier.changed | result[1], tier.again | result[2]
                tier.done.append(task.shard)
            case KeepShards():
                tier = self._folder.tiers[task.tier.number]
                tier.kept[task.shard] = result.file
                tier.x, tier.o = tier.x + result.x, tier.o + result.o
                tier.longest = max(tier.longest, result.longest)
            case ValueShard():
                tier = self._folder.tiers[task.tier.number]
                tier.outside[task.shard], tier.valued[task.shard] = result
                stage, number, before, total = self._step
                self._step = stage, number, before + tier.listed[task.shard].count, total

    def _begin_listing(self) -> Iterator[ShardTask | None]:
        if self._endings:
            laid = [LayPieces(Tier(0), number, pieces) for number, pieces in enumerate(self._endings)]
            yield from self._run_round(laid, "listing", 0, 0)
            for runs, number in self._laid:  # together: with some of them the folder would pass for begun
                if runs:
                    self._folder.tier(number).runs += runs
        else:
            first = listed_state(self._game, self._pattern)
            words = new_memory(self._width)
            write_state(words, 0, first)
            # The first state is a run like any other, so that a new table and a continued one go the same way.
            run = write_file(self._folder.path, f"{WORK}/first.run", self._width, words)
            self._folder.tier(self._game.tier(first)).runs = [run]
        self._folder.save()

    # -- listing ----------------------------------------------------------------------------------------------------

    def _list_tier(self, tier: Tier) -> Iterator[ShardTask | None]:
        """List the states of a tier, and find those of other tiers that follow them."""
        found = sum(run.count for run in tier.runs)
        if not tier.shards:
            self._check_disk(found)
            self._divide(tier, found)
        while tier.shards != len(tier.done) or tier.next_runs:
            if len(tier.done) == tier.shards:
                self._folder.drop(*tier.here_runs)
                tier.here_runs, tier.next_runs, tier.done = tier.next_runs, [], []
                tier.round += 1
            # A guess by the tier before: a wrong one costs a pass over the states, never a state.
            likely_tier = tier.number + max(tier.distances or self._distances or [1])
            missing = [shard for shard in range(tier.shards) if shard not in tier.done]
            tasks = [ListShard(replace(tier), shard, likely_tier, self._likely_count(tier)) for shard in missing]
            yield from self._run_round(tasks, "listing", tier.number, self._folder.count)
        self._folder.drop(*(run for run in (*tier.runs, *tier.here_runs) if run not in tier.listed))
        tier.runs, tier.here_runs, tier.done, tier.round = [], [], [], 0
        self._distances = tier.distances
        self._folder.save()

    def _likely_count(self, tier: Tier) -> int:
        """States of the tier after one that is being listed if tiers grow as those before did, 0 without two of them.

        They grow less and less, so a set with this much room seldom has to be made larger.
        """
        *_, before, last = 0, 0, *(other.count for _, other in sorted(self._folder.tiers.items()) if other.is_listed)
        # The last tier times the square of its growth: more than a growth that falls off will need.
        return 0 if tier.round or not before else last**3 // before**2

    def _divide(self, tier: Tier, states: int) -> None:
        """Begin to list a tier, cut into shards for a number of states."""
        tier.shards = 1
        # Two conditions: a shard has to fit memory, and each process shall have one unless the tier is small.
        while states > tier.shards * min(self._room, MOST_SHARD_STATES) or (
            tier.shards < self._processes and states > tier.shards * LEAST_SHARED_STATES
        ):
            tier.shards *= 2
        if tier.shards > MOST_SHARDS:
            raise BadInput(f"{states:,} states in one tier do not fit: allow more memory (--memory).")
        tier.listed = [NO_FILE] * tier.shards

    def _divide_anew(self, tier: Tier) -> None:
        """Begin to list a tier anew, cut into four times as many shards, since it has more states than was seen."""
        made = [*self._own_files(tier), *tier.here_runs, *tier.next_runs]
        for other in self._folder.tiers.values():
            ours = [run for run in other.runs if run.name.startswith(f"{WORK}/{other.number}-{tier.number}-")]
            other.runs = [run for run in other.runs if run not in ours]
            made += ours
        # Tasks of this round may still read them.
        self._to_delete_later += made
        tier.here_runs, tier.next_runs, tier.done, tier.round = [], [], [], 0
        self._divide(tier, 4 * tier.shards * min(self._room, MOST_SHARD_STATES))

    def _own_files(self, tier: Tier) -> list[StateFile]:
        """Files of listed states that are no runs as well."""
        return [file for file in tier.listed if file != NO_FILE and file not in tier.runs]

    def _record_listed(self, task: ShardTask, result: Listed | None) -> None:
        tier = self._folder.tiers[task.tier.number]
        # A late result of a division that was given up: its files are among those to delete.
        if task.tier.shards != tier.shards:
            return  # of shards that were too few
        if result is None:
            self._divide_anew(tier)
            return
        self._to_delete += [file for file in self._own_files(tier) if file == tier.listed[task.shard]]
        tier.listed[task.shard] = result.states
        for number, runs in result.runs.items():
            if number == tier.number:
                tier.next_runs += runs
            else:
                self._folder.tier(number).runs += runs
        tier.distances = sorted({*tier.distances, *result.distances})
        tier.done.append(task.shard)

    # -- valuing ----------------------------------------------------------------------------------------------------

    def _value_tier(self, tier: Tier) -> Iterator[ShardTask | None]:
        """Value the states of a tier; higher ones are valued."""
        tiers = self._folder.tiers
        before = sum(each.count for each in tiers.values() if each.number > tier.number)
        higher = tuple(tiers[tier.number + distance] for distance in tier.distances if distance)
        if not tier.kept:
            tier.outside, tier.valued, tier.new_values = ([NO_FILE] * tier.shards for _ in range(3))
            tier.kept = [NO_FILE] * self._count_files(tier)
        missing = [shard for shard in range(tier.shards) if tier.valued[shard] == NO_FILE]
        tasks: list[ShardTask] = [ValueShard(replace(tier), shard, higher) for shard in missing]
        yield from self._run_round(tasks, "valuing", tier.number, before)
        if 0 in tier.distances:
            require_values(self._game)
            while tier.players:
                tasks = [PlayOn(replace(tier), shard) for shard in range(tier.shards) if shard not in tier.done]
                yield from self._run_round(tasks, "valuing", tier.number, before)
                self._advance_ply(tier)
            self._folder.drop(*tier.outside)
        every = len(tier.kept)
        missing = [first for first in range(every) if tier.kept[first] == NO_FILE]
        self._background += [KeepShards(replace(tier), first, every) for first in missing]
        while len(self._background) >= self._processes:
            yield self._background.popleft()
        below = [other for other in tiers.values() if not other.is_valued]
        needed = {other.number + distance for other in below for distance in other.distances}
        for other in tiers.values():
            if other.is_valued and other.valued and other.number not in needed:
                self._folder.drop(*other.valued, *other.listed)
                other.valued = []
        self._folder.save()

    def _count_files(self, tier: Tier) -> int:
        """Number of files for the states of a tier, the same for any number of processes.

        States of several shards, sorted, take half the bytes that they take apart.
        """
        files = 1
        while tier.count > files * min(self._room, MOST_SHARD_STATES) and files < tier.shards:
            files *= 2
        return files

    def _advance_ply(self, tier: Tier) -> None:
        """Advance a tier by one ply of play within it: its new values become the ones before."""
        changed = tier.changed
        # A state changes only if one after a move has: where turns alternate, those of one player by those of the
        # other.
        tier.players = 3 if tier.again and changed else (changed >> 1 | changed << 1) & 3
        self._folder.drop(*tier.valued)
        tier.valued, tier.new_values, tier.done = tier.new_values, [NO_FILE] * tier.shards, []
        tier.changed, tier.plies = 0, tier.plies + 1
        self._folder.save()

    # -- progress and room --------------------------------------------------------------------------------------------

    def _on_report(self, looked: TaskProgress) -> None:
        # A task that was done twice, or lost, may still report.
        if looked.task in self._running:
            self._running[looked.task] = looked.states
            self._report_progress()

    def _report_progress(self) -> None:
        import psutil  # here, because importing the package loads nothing that it does not need

        now, looked = time.monotonic(), sum(self._running.values())
        if now - self._reported_at < MAKING_REPORT_SECONDS:
            return
        self._reported_at = now
        stage, tier, before, total = self._step
        states = min(before + looked, total) if stage == "valuing" else self._folder.count + looked
        if stage != self._stage[0]:
            self._stage = stage, states, now
        rate = max(0.0, (states - self._stage[1]) / (now - self._stage[2])) if now > self._stage[2] else 0.0
        memory = psutil.Process().memory_info().rss
        for child in [] if self._processes == 1 else psutil.Process().children(recursive=True):
            with suppress(psutil.Error):
                memory += child.memory_info().rss
        total = max(states, self._folder.count)
        is_noted = now - self._noted_at >= NOTE_SECONDS
        if is_noted:
            self._noted_at, self._bytes = now, self._folder.bytes
        progress = Progress(stage, tier, states, total, now - self._begun, rate, self._bytes, memory)
        self._on_progress(progress)
        if is_noted:
            self._folder.note(progress)

    def _check_disk(self, found: int) -> None:
        """Refuse to continue where the states known so far do not fit the disk.

        Raises:
            BadInput: it does not.
        """
        # The words of what is known to come: a lower bound, so that nothing is refused that would fit.
        needs = 8 * self._width * found
        path = self._folder.path
        free = needs if is_store(path) else shutil.disk_usage(path).free  # a store does not say
        if needs > free or (self._disk is not None and self._folder.bytes + needs > self._disk << 20):
            limit = f"{free >> 20:,} MiB are free" if needs > free else f"--disk allows {self._disk:,} MiB"
            raise BadInput(
                f"{self._folder.count:,} states are listed, {found:,} more need {needs >> 20:,} MiB, and {limit}: what "
                "is done so far stays, and the same command goes on with more room."
            )


def map_write_behind(
    fits: Callable[[KeepShards, Iterable[KeepShards]], bool],
    worker: ShardWorker,
    tasks: Iterable[ShardTask | None],
    on_report: Callable[[TaskProgress], None] | None = None,
) -> Iterator[tuple[ShardTask, Any]]:
    """Do tasks in this process one after the other, as `map_here`, and write kept files in background threads.

    No task waits for a kept file. `fits` says whether there is memory to write one beside others.
    """
    with ThreadPoolExecutor(worker.threads) as pool:
        writing: deque[tuple[KeepShards, Future[KeptFile]]] = deque()
        for task in tasks:
            if isinstance(task, KeepShards):
                # The oldest is waited for, since results are taken in order.
                while writing and not fits(task, [other for other, _ in writing]):
                    writing[0][1].result()
                    yield from take_finished(writing)
                writing.append((task, pool.submit(task.begin(worker))))
            elif task:
                yield from map_here(worker, [task], on_report)
            yield from take_finished(writing)
        while writing:
            writing[0][1].result()
            yield from take_finished(writing)


def take_finished(writing: deque[tuple[KeepShards, Future[KeptFile]]]) -> Iterator[tuple[ShardTask, KeptFile]]:
    """Remove the finished tasks from the front of a queue; yields each with its result."""
    while writing and writing[0][1].done():
        task, file = writing.popleft()
        yield task, file.result()


@check_arguments
def tablebase(
    game: Game[Any] | str,
    folder: Path | str | None = None,
    *,
    start: Position | None = None,
    material: str = "",
    memory: int = DEFAULT_MEBIBYTES,
    disk: int | None = None,
    jobs: int = 1,
    told: Callable[[Progress], None] | None = None,
    cluster: Mapper | None = None,
) -> Tablebase:
    """The exact value of every position of a game, made where it is not there yet.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     table = tablebase("tictactoe", folder)
    ...     len(table), table.score(Position.parse("tictactoe", "b2 a1").state).text()
    (5478, 'draw')

    Args:
        game: the game, or its name.
        folder: where it is kept, or the URL of a folder in a store, `s3://bucket/folder`; by default the user's data
            folder, where the engine and `perfect` look for it.
        start: position from which all others come about; the game's first one by default.
        material: an end game instead, as the game names it, such as `KQK`: all its positions, and those that follow.
        memory: mebibytes of memory at most, in each process.
        disk: mebibytes of files, at most; by default what is free.
        jobs: threads of this process that do the work.
        told: is called with the progress.
        cluster: processes or machines that do the work instead, a `plyground.workers.cluster.Cluster`; all see the
            folder.

    Raises:
        BadInput: there is not enough memory or disk; the folder has another table; a start without a folder; or no such
            end game.
        GameFault: a rule fails, or breaks the law of `Game.tier`.
    """
    game = as_game(game)
    if start and (material or not folder):
        raise BadInput("A table of a part of a game is kept where you say, and has no material: name a folder.")
    here, where = start or Position.initial(game), folder or user_table_folder(game, material)
    kept = Folder(folder_path(where), game, game_text(game) or type(game).__name__, origin_text(here, material))
    Making(kept, here, material=material, mebibytes=memory, disk=disk, jobs=jobs, told=told).run(cluster)
    return Tablebase(where, game)


def origin_text(here: Position, material: str) -> str:
    """Origin of a table's states as text for its manifest: an end game, or the position from which they follow."""
    return f"the end game {material.upper()}" if material else here.text
