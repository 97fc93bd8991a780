"""Work on one shard of a tablebase, in any process that sees the folder.

A task reads what earlier tasks wrote, and writes files of its own under names that say what they are; its result names
them. What a file has depends on the task alone. So a task that was lost, or done twice, changes nothing.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
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
    BINS,
    CHANGED,
    CHILDREN,
    COUNT,
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
    TIER,
    UNKNOWN,
    StateSet,
    bin_states,
    gather,
    lay,
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
MOST_ALONE: Final = 1 << 22
"""States of a tier that are listed as one shard although moves stay within it."""


@dataclass(frozen=True)
class Looked:
    """Report of a task that goes on: how many states it has looked at."""

    task: str
    states: int


@dataclass
class Desk:
    """What a process has at hand for the work on a folder; called with a task, it does it."""

    path: Path
    game: Game[Any]
    pattern: Any
    """Any state."""
    room: int
    """States at hand at most, with those of another shard beside."""
    looked: int = 0
    """States looked at as plain Python."""
    told: float = 0.0
    """Time of the last report."""
    held: tuple[Any, StateSet] | None = field(default=None, init=False)
    """The set of shards that was read last, and its files."""
    worth: tuple[Any, Memory] | None = field(default=None, init=False)
    """The values of shards that were read last, and their files."""

    def __call__(self, task: "ShardTask") -> Any:
        """Do a task; returns its result."""
        return task.done_at(self)

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"held": None, "worth": None, "looked": 0, "told": 0.0}

    @property
    def width(self) -> int:
        """Ints of a state."""
        return len(flat(self.pattern))

    # -- files ------------------------------------------------------------------------------------------------------

    def read(self, file: StateFile, width: int) -> Memory:
        """A file in memory of its own."""
        block = new_memory(max(file.count * width, 1))
        self.read_into(block, 0, file, width)
        return block

    def read_into(self, block: Memory, place: int, file: StateFile, width: int) -> None:
        """Read a file into a part of memory."""
        part = memoryview(block).cast("B")[8 * place : 8 * (place + file.count * width)]
        read_file(self.path, file, part)

    def bins(self, run: StateFile, shards: int, shard: int) -> Iterator[tuple[Memory, int]]:
        """The parts of a run that may have states of a shard, and how many states they have."""
        if not run.ends or shards == 1:
            yield self.read(run, self.width), run.count
            return
        for number in range(shard & BINS - 1, BINS, min(shards, BINS)):
            if count := run.ends[number] - (0, *run.ends)[number]:
                block = new_memory(count * self.width)
                read_file(self.path, run, memoryview(block).cast("B")[: 8 * count * self.width], number)
                yield block, count

    def write_run(self, name: str, found: StateSet) -> StateFile:
        """Write the states of a set as a run, in bins if they are many."""
        count = found.head[COUNT]
        if count <= SMALL:
            return self.write(name, found.states, count, self.width)
        bins, arranged = new_memory(BINS), new_memory(count * self.width)
        self.call(bin_states, count, self.pattern, found, bins, arranged)
        part = memoryview(arranged).cast("B")[: 8 * count * self.width]
        return write_file(self.path, f"{WORK}/{name}", part, count, bins.tolist())

    def write(self, name: str, block: Memory, count: int, width: int) -> StateFile:
        """Write the first ints of memory as a file."""
        part = memoryview(block).cast("B")[: 8 * count * width]
        return write_file(self.path, f"{WORK}/{name}", part, count)

    # -- kernels ----------------------------------------------------------------------------------------------------

    def work(self, task: str, cursor: Memory, search: Callable[..., Any], *args: Any) -> Any:
        """Run a kernel on a list with a cursor, as plain Python while little was looked at; reports how far it is."""

        def say() -> None:
            now = time.monotonic()
            if now - self.told >= BETWEEN:
                self.told = now
                report(Looked(task, max(0, cursor[NEXT])))

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
        count = states.head[COUNT]
        larger = new_set(self.width, room)
        self.call(gather, count, self.pattern, states.states, 0, count, 1, 0, larger)
        return larger

    def runs(self, name: str, room: int, step: Callable[[StateSet], bool]) -> list[StateFile]:
        """Write what a step adds to sets as runs, as many as the memory needs; it says whether its set is full."""
        found, made, is_full = new_set(self.width, min(self.room, room)), list[StateFile](), True
        while is_full:
            is_full = step(found)
            if is_full and found.head[ROOM] < self.room:
                found = self.larger(found, min(2 * found.head[ROOM], self.room))
                continue
            made.append(self.write_run(f"{name}-{len(made)}.run", found))
            if is_full:
                found = new_set(self.width, self.room)
        return [run for run in made if run.count]

    def known(self, tier: Tier, first: int, number: int) -> StateSet:
        """The states of some shards of a tier, from the first one on."""
        files = tier.listed[first : first + number]
        if self.held is None or self.held[0] != files:
            self.held = None
            total = sum(file.count for file in files)
            index = tier.index[first : first + number]
            words = new_memory(max(1, total * self.width))
            slots = new_memory(max(1, sum(file.count for file in index)))
            directory, state, slot = list[tuple[int, int, int]](), 0, 0
            for file, its_slots in zip(files, index, strict=True):
                directory.append((state, 2 * slot, 2 * its_slots.count))
                self.read_into(words, state * self.width, file, self.width)
                self.read_into(slots, slot, its_slots, 1)
                state, slot = state + file.count, slot + its_slots.count
            head = set_head(total, tier.shards, first, directory)
            head[COUNT] = total
            self.held = files, StateSet(head, words, slots)
        return self.held[1]

    def values(self, files: Sequence[StateFile]) -> Memory:
        """The values of some shards, one after the other."""
        if self.worth is None or self.worth[0] != files:
            self.worth = None
            block, place = new_memory(max(1, sum(file.count for file in files))), 0
            for file in files:
                self.read_into(block, place, file, 1)
                place += file.count
            self.worth = files, block
        return self.worth[1]

    def groups(self, tier: Tier) -> Iterator[tuple[int, int]]:
        """First shard and number of shards that are at hand together, as many as the room allows."""
        first = 0
        while first < tier.shards:
            number, total = 1, tier.listed[first].count
            while first + number < tier.shards and total + tier.listed[first + number].count <= self.room:
                total += tier.listed[first + number].count
                number += 1
            yield first, number
            first += number


@dataclass(frozen=True)
class ShardTask:
    """Work on a shard; `done_at` is its one step."""

    tier: Tier
    shard: int

    @property
    def name(self) -> str:
        """Name in reports and of files."""
        return f"{self.tier.number}-{self.shard}"

    def done_at(self, desk: Desk) -> Any:
        """Do it, at the desk of a process."""
        raise NotImplementedError


# -- listing ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Listed:
    """Result of listing a shard."""

    states: StateFile
    index: StateFile
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

    def done_at(self, desk: Desk) -> tuple[list[StateFile], int]:
        """The runs, and the tier of their states, `NO_TIER` if there are none."""
        count = len(self.pieces)
        numbers, places, cursor = new_memory(count), new_memory(count), new_memory(HEAD)
        places[0], cursor[END], cursor[TIER] = -1, count, NO_TIER
        for index, piece in enumerate(self.pieces):
            numbers[index] = piece
        most = sum(not place.is_beside for place in desk.game.board().places)

        def step(found: StateSet) -> bool:
            went = int(desk.work(self.name, found.head, lay, numbers, cursor, places, most, found))
            if went == LOWERED:
                raise GameFault(f"{type(desk.game).__name__}.laid breaks its law: its states are of several tiers.")
            return went == FULL

        return desk.runs(self.name, FIRST_ROOM, step), cursor[TIER]


@dataclass(frozen=True)
class ListShard(ShardTask):
    """List the states of a shard, each once, and find those that follow the new ones of this round."""

    likely: int = 0
    """Tier to which moves lead, probably: it is looked for first, and moves to others are seen on the way."""

    def done_at(self, desk: Desk) -> Listed | None:
        """Its files; None where the shards are too few for what moves within the tier lead to."""
        tier, others = self.tier, new_memory(MOST_TIERS)
        states, before = self._gathered(desk)
        runs = {self.likely: self._found(desk, states, before, self.likely, others)}
        if others[0] and tier.shards == 1:  # what follows within the tier joins the set, and what follows that
            cursor = new_memory(HEAD)
            most = min(desk.room, MOST_ALONE)
            while cursor[NEXT] < states.head[COUNT]:
                cursor[END] = states.head[COUNT]
                if self._spread(desk, states.states, cursor, tier.number, states, others) == FULL:
                    if states.head[ROOM] >= most:
                        return None
                    states = desk.larger(states, min(max(2 * states.head[ROOM], FIRST_ROOM), most))
            runs = {tier.number: []}
        count = states.head[COUNT]
        if count > desk.room:
            return None
        distances = tuple(distance for distance in range(MOST_TIERS) if others[distance])
        for distance in distances:
            if tier.number + distance not in runs:
                runs[tier.number + distance] = self._found(desk, states, before, tier.number + distance, others)
        runs = {number: its for number, its in runs.items() if its}
        name = f"{self.name}-{tier.round}"
        slots = slots_of(states.head[ROOM]) // 2
        return Listed(
            desk.write(f"{name}.states", states.states, count, desk.width),
            desk.write(f"{name}.slots", states.slots, slots, 1),
            runs,
            distances,
        )

    def _gathered(self, desk: Desk) -> tuple[StateSet, int]:
        """The states of the shard, and how many of them are not new."""
        tier = self.tier
        runs = tier.here_runs if tier.round else tier.runs
        most = sum(run.count for run in runs)
        room = most if tier.shards == 1 else min(most, most // tier.shards * 5 // 4 + FIRST_ROOM)
        before = tier.listed[self.shard].count if tier.round else 0
        states = new_set(desk.width, max(before + room, 1))
        if before:
            words = desk.read(tier.listed[self.shard], desk.width)
            desk.call(gather, before, desk.pattern, words, 0, before, 1, 0, states)
        for run in runs:
            for words, count in desk.bins(run, tier.shards, self.shard):
                desk.call(gather, count, desk.pattern, words, 0, count, tier.shards, self.shard, states)
        return states, before

    def _found(self, desk: Desk, states: StateSet, first: int, wanted: int, others: Memory) -> list[StateFile]:
        """The states of a tier that follow those of the shard from the first one on, as runs."""
        cursor, count = new_memory(HEAD), states.head[COUNT]
        cursor[NEXT], cursor[END] = first, count

        def step(found: StateSet) -> bool:
            return self._spread(desk, states.states, cursor, wanted, found, others) == FULL

        name = f"{wanted}-{self.name}-{self.tier.round}"
        return desk.runs(name, max(FIRST_ROOM, 2 * (count - first)), step)

    def _spread(self, desk: Desk, source: Memory, cursor: Memory, wanted: int, found: StateSet, others: Memory) -> int:
        went = int(desk.work(self.name, cursor, spread, source, cursor, wanted, found, others))
        if went == LOWERED:
            name = type(desk.game).__name__
            raise GameFault(f"{name}.tier breaks its law: a move lowers it, or raises it by {MOST_TIERS:,} or more.")
        return went


# -- valuing ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class KeptValues:
    """Result of keeping the states of some shards."""

    file: StateFile
    x: int
    o: int
    longest: int


@dataclass(frozen=True)
class ValueShard(ShardTask):
    """Value the states of a shard by moves to higher tiers; where moves stay within the tier, values are not final."""

    higher: tuple[Tier, ...] = ()

    def done_at(self, desk: Desk) -> tuple[StateFile, StateFile]:
        """Values by moves to higher tiers, and those of games that end at once; one file twice, if they are final."""
        file = self.tier.listed[self.shard]
        count = file.count
        source, values = desk.read(file, desk.width), new_memory(max(count, 1))
        desk.call(start_values, count, desk.pattern, source, count, values, UNKNOWN)
        for other in self.higher:
            cursor = new_memory(HEAD)
            take_from(self, desk, other, other.valued, source, cursor, values, values, 0)
        if 0 not in self.tier.distances:
            final_values = desk.write(f"{self.name}.values", values, count, 1)
            return final_values, final_values
        outside = desk.write(f"{self.name}.outside", values, count, 1)
        desk.call(start_values, count, desk.pattern, source, count, values, 0)
        return outside, desk.write(f"{self.name}-0.values", values, count, 1)


@dataclass(frozen=True)
class PlayOn(ShardTask):
    """Value the states of a shard by games that are played on within the tier for one ply more."""

    def done_at(self, desk: Desk) -> tuple[StateFile, int, int]:
        """The values, the players some of whose states changed, and whether a player moves twice in a row."""
        tier = self.tier
        source = desk.read(tier.listed[self.shard], desk.width)
        before, values = desk.read(tier.valued[self.shard], 1), desk.read(tier.outside[self.shard], 1)
        cursor, plies = new_memory(HEAD), tier.plies + 1
        cursor[PLIES] = plies
        take_from(self, desk, tier, tier.valued, source, cursor, values, before, tier.players)
        file = desk.write(f"{self.name}-{plies}.values", values, tier.listed[self.shard].count, 1)
        return file, cursor[CHANGED], cursor[AGAIN]


@dataclass(frozen=True)
class KeepShards(ShardTask):
    """Keep the states of some shards of a tier in a file, with their values: from a shard on, at equal distances."""

    every: int = 1
    """Distance of the shards."""

    def done_at(self, desk: Desk) -> KeptValues:
        """What is kept.

        Raises:
            Damaged: a value is not known.
        """
        shards = range(self.shard, self.tier.shards, self.every)
        total = sum(self.tier.listed[shard].count for shard in shards)
        words, values, place = new_memory(max(1, total * desk.width)), new_memory(max(1, total)), 0
        for shard in shards:
            desk.read_into(words, place * desk.width, self.tier.listed[shard], desk.width)
            desk.read_into(values, place, self.tier.valued[shard], 1)
            place += self.tier.listed[shard].count
        if UNKNOWN in values[:total]:
            raise Damaged(desk.path / self.tier.listed[self.shard].name)
        return KeptValues(*write_shard(desk.path, self.tier.number, self.shard, desk.pattern, words, total, values))


def take_from(
    task: ShardTask,
    desk: Desk,
    other: Tier,
    valued: Sequence[StateFile],
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
    count, children, found = task.tier.listed[task.shard].count, 0, 0
    for first, number in desk.groups(other):
        cursor[NEXT], cursor[END], cursor[CHILDREN], cursor[FOUND] = 0, count, 0, 0
        cursor[LAST] = int(first + number == other.shards)
        known, worth = desk.known(other, first, number), desk.values(valued[first : first + number])
        desk.work(task.name, cursor, take, source, cursor, other.number, known, worth, values, before, players)
        children, found = cursor[CHILDREN], found + cursor[FOUND]
    if children != found:
        raise Damaged(desk.path / WORK)
