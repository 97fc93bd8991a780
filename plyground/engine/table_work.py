"""Work on one shard of a tablebase, in any process that sees the folder.

A task reads what earlier tasks wrote, and writes files of its own under names that say what they are; its result names
them. What a file has depends on the task alone. So a task that was lost, or done twice, changes nothing.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from plyground.board.bits import flat
from plyground.compiled.kernel import kernel
from plyground.engine.clock import Clock, Limit
from plyground.errors import GameFault
from plyground.mapper import report
from plyground.rules import MOST_TIERS, Game
from plyground.search.memory import Memory, new_memory
from plyground.search.observer import Stopped
from plyground.search.tiers import (
    AGAIN,
    CHANGED,
    CHILDREN,
    COUNT,
    DIRECTORY,
    EACH,
    END,
    FOUND,
    FULL,
    HEAD,
    LAST,
    LOWERED,
    NEXT,
    NO_TIER,
    PLIES,
    ROOM,
    SHARDS,
    TIER,
    UNKNOWN,
    StateSet,
    gather,
    lay,
    new_pending,
    new_set,
    set_head,
    slots_of,
    spread,
    start_values,
    take,
)
from plyground.tables.folder import WORK, Damaged, StateFile, Tier, read_file, write_file
from plyground.tables.kept import write_shard

SMALL: Final = 6_000
"""States looked at as plain Python before a game is compiled."""
FIRST_ROOM: Final = 1 << 12
"""States that a set has room for at first."""
BETWEEN: Final = 0.2
"""Seconds between two reports of a process at least."""
PARTS: Final = 16
"""Shards for which the states of a run are apart, at most: more would be many small files."""
LEAST: Final = 1 << 8
"""States that a shard of a set has room for at least: more than one state has moves."""
SHARD: Final = 1 << 23
"""States of a shard at most. Smaller shards find states more often than once: they are for several processes."""


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
    looked: int = 0
    """States processed as plain Python."""
    reported: float = 0.0
    """Time of the last report."""
    sets: dict[tuple[StateFile, ...], StateSet] = field(default_factory=dict, init=False)
    """Sets of states that stay in memory between tasks, by the files of their shards."""
    worths: dict[tuple[StateFile, ...], Memory] = field(default_factory=dict, init=False)
    """Values that stay in memory between tasks, by their files."""

    def __call__(self, task: "ShardTask") -> Any:
        """Run a task; returns its result."""
        return task.run(self)

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"sets": {}, "worths": {}, "looked": 0, "reported": 0.0}

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
        into = [memoryview(block).cast("B")[8 * place : 8 * (place + file.count * width)]]
        if slots:
            into.append(memoryview(slots).cast("B")[4 * slot :][: 4 * slots_of(file.room)])
        read_file(self.path, file, *into)

    def write(self, name: str, block: Memory, count: int, width: int) -> StateFile:
        """Write the first ints of memory as a file."""
        return write_file(self.path, f"{WORK}/{name}", count, memoryview(block).cast("B")[: 8 * count * width])

    def write_run(self, name: str, found: StateSet) -> list[StateFile]:
        """Write the states of a set with their slots as a run, in a file for each shard."""
        states, slots = memoryview(found.states).cast("B"), memoryview(found.slots).cast("B")
        shards, room, made = found.head[SHARDS], found.head[ROOM], list[StateFile]()
        for shard in range(shards):
            first, slot, most, count = found.head[DIRECTORY + EACH * shard :][:EACH]
            if count:
                words = states[8 * self.width * first :][: 8 * self.width * count]
                its_slots = slots[4 * slot :][: 4 * most]
                file = write_file(self.path, f"{WORK}/{name}-{shard}.run", count, words, its_slots, room=room)
                made.append(replace(file, shard=shard, shards=shards))
        return made

    def write_set(self, name: str, states: StateSet) -> StateFile:
        """Write the states of a set of one shard with their slots."""
        count, room = states.head[COUNT], states.head[ROOM]
        words, slots = memoryview(states.states).cast("B"), memoryview(states.slots).cast("B")
        data = words[: 8 * self.width * count], slots[: 4 * slots_of(room)]
        return write_file(self.path, f"{WORK}/{name}.states", count, *data, room=room)

    # -- memory -----------------------------------------------------------------------------------------------------

    def keep(self, *files: StateFile) -> None:
        """Drop the states and values in memory that are not of these files."""
        self.sets = {its: states for its, states in self.sets.items() if {*its} <= {*files}}
        self.worths = {its: values for its, values in self.worths.items() if {*its} <= {*files}}

    # -- kernels ----------------------------------------------------------------------------------------------------

    def work(self, task: str, cursor: Memory, search: Callable[..., Any], *args: Any) -> Any:
        """Run a kernel on a list with a cursor, as plain Python while little was looked at; reports how far it is."""

        def say() -> None:
            now = time.monotonic()
            if now - self.reported >= BETWEEN:
                self.reported = now
                report(TaskProgress(task, max(0, cursor[NEXT])))

        run = kernel(search, self.game)
        sample = Clock(Limit()).observer, self.pattern, *args
        if run.is_cold(*sample) and self.looked < SMALL:
            clock = Clock(Limit(nodes=SMALL - self.looked))
            with suppress(Stopped):
                result = clock.run(lambda: search(self.game, clock.observer, self.pattern, *args), on_wait=say)
                self.looked += clock.nodes
                return result
            self.looked = SMALL
        run.prepare(*sample)
        clock = Clock(Limit())
        say()
        return clock.run(lambda: run(clock.observer, self.pattern, *args), on_wait=say)

    def call(self, search: Callable[..., Any], count: int, *args: Any) -> Any:
        """Run something quick, as plain Python where it is little."""
        run = kernel(search, self.game)
        return (partial(search, self.game) if count <= SMALL and run.is_cold(*args) else run)(*args)

    # -- sets of states ---------------------------------------------------------------------------------------------

    def larger(self, states: StateSet, room: int) -> StateSet:
        """The same set with more room."""
        shards = states.head[SHARDS]
        larger = new_set(self.width, room, shards)
        for shard in range(shards):
            first, _, _, count = states.head[DIRECTORY + EACH * shard :][:EACH]
            self.call(gather, count, self.pattern, states.states, first, first + count, 1, 0, larger)
        return larger

    def add(self, states: StateSet, words: Memory, count: int, shards: int = 1, shard: int = 0) -> StateSet:
        """A set, or a larger one, with those of the first `count` states of a list that belong to a shard."""
        place = 0
        while (place := self.call(gather, count, self.pattern, words, place, count, shards, shard, states)) < count:
            states = self.larger(states, 2 * states.head[ROOM])
        return states

    def runs(self, name: str, room: int, shards: int, step: Callable[[StateSet], bool]) -> list[StateFile]:
        """Write what a step adds to sets as runs, as many as the memory needs; it says whether its set is full.

        Args:
            name: beginning of the names of the files.
            room: states for which a set has room at first.
            shards: number of shards of the sets.
            step: adds states.
        """
        self.keep()
        while shards > 1 and self.room < shards * LEAST:
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
        if number == 1 == shards == len(made):
            self.sets[(*made,)] = found
        return made

    def known(self, tier: Tier, part: slice) -> StateSet:
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
            return self.known(tier, slice(shard, shard + 1)).states
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


# -- listing ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Listed:
    """Result of listing a shard."""

    states: StateFile
    runs: dict[int, list[StateFile]]
    """States that follow its new ones, by their tier."""
    distances: tuple[int, ...]


@dataclass(frozen=True)
class Lay(ShardTask):
    """Write the states with some pieces on the board as runs of their tier; `shard` numbers the ending."""

    pieces: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        return f"laid-{self.shard}"

    def run(self, worker: ShardWorker) -> tuple[list[StateFile], int]:
        """The runs, and the tier of their states, `NO_TIER` if there are none."""
        count = len(self.pieces)
        numbers, places, cursor = new_memory(count), new_memory(count), new_memory(HEAD)
        places[0], cursor[END], cursor[TIER] = -1, count, NO_TIER
        for index, piece in enumerate(self.pieces):
            numbers[index] = piece
        most = sum(not place.is_beside for place in worker.game.board().places)

        def step(found: StateSet) -> bool:
            went = int(worker.work(self.name, found.head, lay, numbers, cursor, places, most, found))
            if went == LOWERED:
                raise GameFault(f"{type(worker.game).__name__}.laid breaks its law: its states are of several tiers.")
            return went == FULL

        return worker.runs(self.name, FIRST_ROOM, 1, step), cursor[TIER]


@dataclass(frozen=True)
class ListShard(ShardTask):
    """List the states of a shard, each once, and find those that follow the new ones of this round."""

    likely_tier: int = 0
    """Tier to which most moves lead, as a guess: its states are listed in the first pass, which finds other tiers."""
    likely_count: int = 0
    """Number of its states, as a guess; 0 if there is none."""

    def run(self, worker: ShardWorker) -> Listed | None:
        """Its files; None where the shards are too few for what moves within the tier lead to."""
        tier, others = self.tier, new_memory(MOST_TIERS)
        states, before, run = self._gathered(worker)
        runs = {self.likely_tier: self._found(worker, states, before, self.likely_tier, others)}
        if others[0] and tier.shards == 1:  # what follows within the tier joins the set, and what follows that
            worker.keep()
            cursor = new_memory(HEAD)
            most = min(worker.room, SHARD)
            while cursor[NEXT] < states.head[COUNT]:
                cursor[END] = states.head[COUNT]
                if self._spread(worker, states.states, cursor, tier.number, states, others) == FULL:
                    if states.head[ROOM] >= most:
                        return None
                    states = worker.larger(states, min(max(2 * states.head[ROOM], FIRST_ROOM), most))
            runs = {tier.number: []}
        count = states.head[COUNT]
        if count > worker.room:
            return None
        distances = tuple(distance for distance in range(MOST_TIERS) if others[distance])
        for distance in distances:
            if tier.number + distance not in runs:
                runs[tier.number + distance] = self._found(worker, states, before, tier.number + distance, others)
        runs = {number: its for number, its in runs.items() if its}
        name = f"{self.name}-{tier.round}"
        file = run if run and run.count == count else worker.write_set(name, states)
        return Listed(file, runs, distances)

    def _gathered(self, worker: ShardWorker) -> tuple[StateSet, int, StateFile | None]:
        """The states of the shard, how many of them are not new, and the run that they stand in as a set, if there is
        one."""
        tier = self.tier
        runs = [run for run in (tier.here_runs if tier.round else tier.runs) if run.may_have(self.shard, tier.shards)]
        share = sum(run.count * run.shards // max(run.shards, tier.shards) for run in runs)
        room = min(sum(run.count for run in runs), share * 5 // 4 + FIRST_ROOM)
        before = tier.listed[self.shard].count if tier.round else 0
        first = max(runs, key=lambda run: run.count, default=None)
        if first and first.room and first.shards == tier.shards and not tier.round:  # it stands in a set already
            worker.keep(first)
            if (states := worker.sets.pop((first,), None)) is None:  # it is added to, so it does not stay for others
                states = new_set(worker.width, first.room)
                worker.read_into(states.states, 0, first, worker.width, states.slots)
                states.head[COUNT] = states.head[DIRECTORY + EACH - 1] = first.count
            runs.remove(first)
        else:
            worker.keep()
            first = None
            states = new_set(worker.width, max(before + room, 1))
            if before:
                states = worker.add(states, worker.read(tier.listed[self.shard], worker.width), before)
        for run in runs:  # whole ones, in their order: states beside each other lead to states that are near in memory
            states = worker.add(states, worker.read(run, worker.width), run.count, tier.shards, self.shard)
        return states, before, first

    def _found(self, worker: ShardWorker, states: StateSet, first: int, wanted: int, others: Memory) -> list[StateFile]:
        """The states of a tier that follow those of the shard from the first one on, as runs."""
        cursor, count = new_memory(HEAD), states.head[COUNT]
        cursor[NEXT], cursor[END] = first, count

        def step(found: StateSet) -> bool:
            return self._spread(worker, states.states, cursor, wanted, found, others) == FULL

        name = f"{wanted}-{self.name}-{self.tier.round}"
        room = (self.likely_count if wanted == self.likely_tier else 0) or 2 * (count - first)
        return worker.runs(name, max(FIRST_ROOM, room), min(self.tier.shards, PARTS), step)

    def _spread(
        self, worker: ShardWorker, source: Memory, cursor: Memory, wanted: int, found: StateSet, others: Memory
    ) -> int:
        pending = new_pending(worker.width)
        went = int(worker.work(self.name, cursor, spread, source, cursor, wanted, found, others, pending))
        if went == LOWERED:
            name = type(worker.game).__name__
            raise GameFault(f"{name}.tier breaks its law: a move lowers it, or raises it by {MOST_TIERS:,} or more.")
        return went


# -- valuing ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class KeptFile:
    """Result of `KeepShards`: the file, states won by each player, and plies of the longest win."""

    file: StateFile
    x: int
    o: int
    longest: int


@dataclass(frozen=True)
class ValueShard(ShardTask):
    """Value the states of a shard by moves to higher tiers; where moves stay within the tier, values are not final."""

    higher: tuple[Tier, ...] = ()

    def run(self, worker: ShardWorker) -> tuple[StateFile, StateFile]:
        """Values by moves to higher tiers, and those of games that end at once; one file twice, if they are final."""
        tier, file = self.tier, self.tier.listed[self.shard]
        count, groups = file.count, [(other, part) for other in self.higher for part in worker.groups(other)]
        worker.keep(file, *(each for other, part in groups[:1] for each in (*other.listed[part], *other.valued[part])))
        source, values = worker.states(tier, self.shard), new_memory(max(count, 1))
        worker.call(start_values, count, worker.pattern, source, count, values, UNKNOWN)
        for other in self.higher:
            cursor = new_memory(HEAD)
            take_from(self, worker, other, source, cursor, values, values, 0)
        if 0 not in tier.distances:
            final_values = worker.write_values(f"{self.name}.values", values, count)
            return final_values, final_values
        outside = worker.write(f"{self.name}.outside", values, count, 1)
        worker.call(start_values, count, worker.pattern, source, count, values, 0)
        return outside, worker.write_values(f"{self.name}-0.values", values, count)


@dataclass(frozen=True)
class PlayOn(ShardTask):
    """Value the states of a shard by games that are played on within the tier for one ply more."""

    def run(self, worker: ShardWorker) -> tuple[StateFile, int, int]:
        """The values, the players some of whose states changed, and whether a player moves twice in a row."""
        tier, file = self.tier, self.tier.listed[self.shard]
        worker.keep(file, tier.valued[self.shard])
        source, before = worker.states(tier, self.shard), worker.values(tier.valued[self.shard])
        values, cursor, plies = worker.read(tier.outside[self.shard], 1), new_memory(HEAD), tier.plies + 1
        cursor[PLIES] = plies
        take_from(self, worker, tier, source, cursor, values, before, tier.players)
        file = worker.write_values(f"{self.name}-{plies}.values", values, file.count)
        return file, cursor[CHANGED], cursor[AGAIN]


@dataclass(frozen=True)
class KeepShards(ShardTask):
    """Write the states and values of every `step`-th shard of a tier, from `shard` on, as one sorted file."""

    step: int = 1

    def run(self, worker: ShardWorker) -> KeptFile:
        """Write the file, and count its states by their winner."""
        tier, shards = self.tier, range(self.shard, self.tier.shards, self.step)
        listed, valued = ([each[shard] for shard in shards] for each in (tier.listed, tier.valued))
        worker.keep(*listed, *valued)
        total = sum(file.count for file in listed)
        if len(shards) == 1:
            words, values = worker.states(tier, self.shard), worker.values(*valued)
        else:
            words, values, place = new_memory(max(1, total * worker.width)), new_memory(max(1, total)), 0
            for states, worths in zip(listed, valued, strict=True):
                worker.read_into(words, place * worker.width, states, worker.width)
                worker.read_into(values, place, worths, 1)
                place += states.count
        return KeptFile(*write_shard(worker.path, tier.number, self.shard, worker.pattern, words, total, values))


def take_from(
    task: ShardTask,
    worker: ShardWorker,
    other: Tier,
    source: Memory,
    cursor: Memory,
    values: Memory,
    before: Memory,
    players: int,
) -> None:
    """Improve the values of a task's shard by moves to a tier, whose shards are at hand one group after the other.

    Raises:
        Damaged: a state that follows is not there.
    """
    file, children, found = task.tier.listed[task.shard], 0, 0
    pending = new_pending(worker.width)
    for part in worker.groups(other):
        cursor[NEXT], cursor[END], cursor[CHILDREN], cursor[FOUND] = 0, file.count, 0, 0
        cursor[LAST] = int(part.stop == other.shards)
        worker.keep(file, *other.listed[part], *other.valued[part])
        known, known_values = worker.known(other, part), worker.values(*other.valued[part])
        sets = known, known_values, values, before, players, pending
        worker.work(task.name, cursor, take, source, cursor, other.number, *sets)
        children, found = cursor[CHILDREN], found + cursor[FOUND]
    if children != found:
        raise Damaged(worker.path / WORK)
