"""Worker on the shards of a tablebase: its files, memory and kernels, in one or more threads."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from plyground.board.bits import flat
from plyground.compiled.clock import Clock, Limit
from plyground.compiled.kernel import kernel
from plyground.exact.tables.folder import WORK, StateFile, Tier
from plyground.exact.tables.work_files import read_file, write_file
from plyground.exact.tabulating.chunks import Chunks, ThreadMemory, run_all
from plyground.mapper import report
from plyground.rules import Game
from plyground.search.memory import Memory, halves, new_memory
from plyground.search.observer import Counting
from plyground.search.tiers import (
    COUNT,
    DIRECTORY,
    DIRECTORY_INTS,
    NO_ROOM,
    ROOM,
    SHARDS,
    StateSet,
    add_shard_states,
    new_set,
    set_head,
    slots_of,
)

FIRST_SET_ROOM: Final = 1 << 12
"""States that a set has room for at first."""
REPORT_SECONDS: Final = 0.2
"""Seconds between two reports of a process at least."""
# A full set is emptied and the state's moves are looked at again: with less room than one state has moves it would
# never be done.
LEAST_SHARD_ROOM: Final = 1 << 8
"""States that a shard of a set has room for at least: more than one state has moves."""


@dataclass(frozen=True)
class TaskProgress:
    """Progress report of a running task: its name, and the number of states it has processed."""

    task: str
    states: int


@dataclass
class ShardWorker:
    """Worker on the shards of a tablebase: the folder, the game, the memory limit, and files cached between tasks."""

    path: Path
    game: Game[Any]
    pattern: Any
    """Any state."""
    room: int
    """Memory limit: states of a shard, with as many of another shard loaded beside it."""
    threads: int = 1
    """Threads that work on a shard together."""
    reported: float = 0.0
    """Time of the last report."""
    sets: dict[tuple[StateFile, ...], StateSet] = field(default_factory=dict, init=False)
    """Sets of states that stay in memory between tasks, by the files of their shards."""
    worths: dict[tuple[StateFile, ...], Memory] = field(default_factory=dict, init=False)
    """Values that stay in memory between tasks, by their files."""

    def __call__(self, task: "ShardTask") -> Any:
        """Run a task; returns its result."""
        return task.begin(self)()

    # States and values that stay in memory between tasks do not travel to other processes.
    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"sets": {}, "worths": {}, "reported": 0.0}

    @property
    def width(self) -> int:
        """Ints of a state."""
        return len(flat(self.pattern))

    # -- files ------------------------------------------------------------------------------------------------------

    def read(self, file: StateFile, width: int) -> Memory:
        """States or values of a file in memory of their own."""
        block = new_memory(max(file.count * width, 1))
        self.read_into(block, 0, file, width)
        return block

    def read_into(
        self, block: Memory, place: int, file: StateFile, width: int, slots: Memory | None = None, slot: int = 0
    ) -> None:
        """Read states or values of a file into a part of memory, and their slots, if there is memory for them."""
        words = memoryview(block)[place : place + file.count * width]
        # Slots are halves of ints; `slots_of` is even, so that a part begins at a whole int.
        part = halves(slots)[slot : slot + slots_of(file.room)] if slots else None
        read_file(self.path, file, width, words, part, threads=self.threads)

    def write(self, name: str, block: Memory, count: int, width: int) -> StateFile:
        """Write the first ints of memory as a file."""
        words = memoryview(block)[: count * width]
        return write_file(self.path, f"{WORK}/{name}", width, words, threads=self.threads)

    def write_run(self, name: str, found: StateSet) -> list[StateFile]:
        """Write the states of a set with their slots as a run, in a file for each shard."""
        shards, made = found.head[SHARDS], list[StateFile]()
        for shard in range(shards):
            first, slot, most, count = found.head[DIRECTORY + DIRECTORY_INTS * shard :][:DIRECTORY_INTS]
            if count:
                file = self.write_part(f"{name}-{shard}.run", found, first, count, slot, most)
                made.append(replace(file, shard=shard, shards=shards))
        return made

    def write_set(self, name: str, states: StateSet) -> StateFile:
        """Write the states of a set of one shard with their slots."""
        return self.write_part(f"{name}.states", states, 0, states.head[COUNT], 0, slots_of(states.head[ROOM]))

    def write_part(self, name: str, states: StateSet, first: int, count: int, slot: int, slots: int) -> StateFile:
        """Write states of a set from the first one on, and slots."""
        words = memoryview(states.states)[self.width * first :][: self.width * count]
        part, room = halves(states.slots)[slot : slot + slots], states.head[ROOM]
        return write_file(self.path, f"{WORK}/{name}", self.width, words, part, room=room, threads=self.threads)

    # -- memory -----------------------------------------------------------------------------------------------------

    def keep(self, *files: StateFile) -> None:
        """Drop the states and values in memory that are not of these files."""
        # Memory is kept by files and not by numbers of tiers: a file is written once and never changes, so what was
        # read of it stays right.
        self.sets = {its: states for its, states in self.sets.items() if {*its} <= {*files}}
        self.worths = {its: values for its, values in self.worths.items() if {*its} <= {*files}}

    # -- kernels ----------------------------------------------------------------------------------------------------

    def work(
        self, task: str, search: Callable[..., int], chunks: Chunks, args: Callable[[ThreadMemory], tuple[Any, ...]]
    ) -> list[int]:
        """Run a kernel on the chunks of a list until all are done, or one cannot go on; reports how far it is.

        It runs in all threads, each with a chunk at a time.

        Args:
            task: its name in reports.
            search: the kernel; its first arguments are the game, an observer, any state.
            chunks: what is left of the list. A chunk with which the kernel did not come to its end stays there.
            args: the kernel's other arguments, of a thread's own memory.

        Returns:
            The kernel's results where it did not come to its end.
        """
        # The calling thread compiles before the others begin, or each of them would wait for it.
        run, stopped = kernel(search, self.game), list[int]()
        sample = Clock(Limit()).observer, self.pattern, *args(chunks.memories[0])

        def say() -> None:
            now = time.monotonic()
            if now - self.reported >= REPORT_SECONDS:
                self.reported = now
                report(TaskProgress(task, chunks.states_done))

        def report_done(call: Callable[..., int], local: ThreadMemory, observer: Counting, stopped: list[int]) -> None:
            while not stopped and chunks.begin(local):
                # Also where an observer stops the kernel: the chunk is not done, and goes back to the list.
                result = NO_ROOM
                try:
                    result = call(observer, self.pattern, *args(local))
                finally:
                    if chunks.end(local):
                        stopped.append(result)

        run.prepare(*sample)
        clock = Clock(Limit(), len(chunks.memories))
        memories = zip(chunks.memories, clock.observers, strict=True)
        works = [partial(report_done, run, local, observer, stopped) for local, observer in memories]
        say()
        # At most as many threads as there are chunks.
        clock.run(partial(run_all, works[: max(1, len(chunks.left))]), on_wait=say)
        return stopped

    def call(self, search: Callable[..., Any], *args: Any) -> Any:
        """Call a kernel in this thread, without progress reports."""
        return kernel(search, self.game)(*args)

    def chunks(self, first: int, end: int, shards: int = 1) -> Chunks:
        """Chunks of a list from the first one to the end, for this worker's threads."""
        return Chunks(first, end, [ThreadMemory(self.width, shards) for _ in range(self.threads)])

    # -- sets of states ---------------------------------------------------------------------------------------------

    def add_shard_of_list(
        self, states: StateSet, words: Memory, chunks: Chunks, shards: int = 1, shard: int = 0
    ) -> None:
        """Add the states of a list that belong to a shard to a set; states beyond its room stay in `chunks`."""
        self.work(
            "", add_shard_states, chunks, lambda local: (words, local.cursor, shards, shard, states, local.reserved)
        )
        chunks.close_gaps(self.pattern, states)

    def larger(self, states: StateSet, room: int) -> StateSet:
        """Copy of a set with room for `room` states in each shard."""
        shards = states.head[SHARDS]
        # States are added anew: their slots depend on the number of slots. The old set and the new one are in memory
        # together.
        larger = new_set(self.width, room, shards)
        for shard in range(shards):
            first, _, _, count = states.head[DIRECTORY + DIRECTORY_INTS * shard :][:DIRECTORY_INTS]
            self.add_shard_of_list(larger, states.states, self.chunks(first, first + count, shards))
        return larger

    def add(self, states: StateSet, words: Memory, count: int, shards: int = 1, shard: int = 0) -> StateSet:
        """A set, or a larger one, with those of the first `count` states of a list that belong to a shard."""
        chunks = self.chunks(0, count)
        self.add_shard_of_list(states, words, chunks, shards, shard)
        while chunks.left:
            states = self.larger(states, 2 * states.head[ROOM])
            self.add_shard_of_list(states, words, chunks, shards, shard)
        return states

    def runs(self, name: str, room: int, shards: int, step: Callable[[StateSet], bool]) -> list[StateFile]:
        """Write the states that a step adds to sets as runs, as many as the memory needs.

        Args:
            name: beginning of the names of the files.
            room: states for which a set has room at first.
            shards: number of shards of the sets.
            step: adds states to a set; returns whether the set is full.
        """
        self.keep()
        # Fewer shards than wanted, if memory is small: later tasks then read files of which they need a part.
        while shards > 1 and self.room < shards * LEAST_SHARD_ROOM:
            shards //= 2
        most = self.room // shards
        found, made = new_set(self.width, min(most, room // shards), shards), list[StateFile]()
        is_full, number = True, 0
        while is_full:
            is_full = step(found)
            if is_full and found.head[ROOM] < most:
                found = self.larger(found, min(2 * found.head[ROOM], most))
                continue
            made += self.write_run(f"{name}-{number}", found)
            number += 1
            if is_full:
                found = new_set(self.width, most, shards)
        # The next task of this process lists just these states and finds them in memory.
        if number == 1 == shards == len(made):
            self.sets[(*made,)] = found
        return made

    def known_states(self, tier: Tier, part: slice) -> StateSet:
        """The states of some shards of a tier, one after the other."""
        files = (*tier.listed[part],)
        if files not in self.sets:
            total, every = sum(file.count for file in files), sum(slots_of(file.room) for file in files)
            words, slots = new_memory(max(1, total * self.width)), new_memory(max(1, every // 2))
            directory, state, slot = list[tuple[int, int, int, int]](), 0, 0
            for file in files:
                directory.append((state, slot, slots_of(file.room), file.count))
                self.read_into(words, state * self.width, file, self.width, slots, slot)
                state, slot = state + file.count, slot + slots_of(file.room)
            head = set_head(total, tier.shards, part.start, directory)
            head[COUNT] = total
            self.sets[files] = StateSet(head, words, slots)
        return self.sets[files]

    def states(self, tier: Tier, shard: int) -> Memory:
        """The states of a shard of a tier; with their slots where it is the only one, since those are needed next."""
        file = tier.listed[shard]
        if tier.shards == 1 or (file,) in self.sets:
            return self.known_states(tier, slice(shard, shard + 1)).states
        return self.read(file, self.width)

    def values(self, *files: StateFile) -> Memory:
        """The values of some shards, one after the other."""
        if files not in self.worths:
            block, place = new_memory(max(1, sum(file.count for file in files))), 0
            for file in files:
                self.read_into(block, place, file, 1)
                place += file.count
            self.worths[files] = block
        return self.worths[files]

    def write_values(self, name: str, values: Memory, count: int) -> StateFile:
        """Write the values of a shard, which stay in memory."""
        file = self.write(name, values, count, 1)
        self.worths[(file,)] = values
        return file

    def groups(self, tier: Tier) -> Iterator[slice]:
        """Shards that are at hand together, as many as the room allows."""
        first = 0
        while first < tier.shards:
            number, total = 1, tier.listed[first].count
            # A group takes as many shards as fit beside the one in work: each pass over that one makes its moves anew.
            while first + number < tier.shards and total + tier.listed[first + number].count <= self.room:
                total += tier.listed[first + number].count
                number += 1
            yield slice(first, first + number)
            first += number


@dataclass(frozen=True)
class ShardTask:
    """Task on one shard of a tier."""

    tier: Tier
    shard: int

    @property
    def name(self) -> str:
        """Name in reports and of files."""
        return f"{self.tier.number}-{self.shard}"

    def run(self, worker: ShardWorker) -> Any:
        """Run the task; returns its result, which can be pickled."""
        raise NotImplementedError

    def begin(self, worker: ShardWorker) -> Callable[[], Any]:
        """Take the task's inputs from the worker's memory; the returned function runs the rest, in any thread."""
        return partial(self.run, worker)
