"""Work on one shard of a tablebase, in any process that sees the folder, by one thread or several.

A task reads what earlier tasks wrote, and writes files of its own under names that say what they are; its result names
them. Which states a file has depends on the task alone. So a task that was lost, or done twice, changes nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from plyground.errors import GameFault
from plyground.exact.tables.folder import WORK, Damaged, StateFile, Tier
from plyground.exact.tables.table_files import write_shard
from plyground.exact.tabulating.chunks import Chunks, ThreadMemory
from plyground.exact.tabulating.worker import FIRST_SET_ROOM, ShardTask, ShardWorker
from plyground.rules import MOST_TIERS
from plyground.search.memory import Memory, new_memory
from plyground.search.tiers import (
    CHANGED,
    CHILDREN,
    COUNT,
    DIRECTORY,
    DIRECTORY_INTS,
    FOUND,
    LAST,
    LOWERED,
    MOVES_TWICE,
    NO_TIER,
    PLIES,
    ROOM,
    TIER,
    UNKNOWN,
    StateSet,
    back_up_values,
    list_placements,
    list_successors,
    new_set,
    start_values,
)

MOST_RUN_SHARDS: Final = 16
"""Shards for which the states of a run are apart, at most: more would be many small files."""
# Far below 2**31, to which indices within a shard are bound (`CLAIMED` in `search/tiers.py`).
MOST_SHARD_STATES: Final = 1 << 27
"""States of a shard at most, where memory has room for them. Of smaller shards several find the same states."""


# -- listing ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Listed:
    """Result of listing a shard."""

    states: StateFile
    runs: dict[int, list[StateFile]]
    """States that follow its new ones, by their tier."""
    distances: tuple[int, ...]


@dataclass(frozen=True)
class LayPieces(ShardTask):
    """Write the states with some pieces on the board as runs of their tier; `shard` numbers the ending."""

    pieces: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        return f"laid-{self.shard}"

    def run(self, worker: ShardWorker) -> tuple[list[StateFile], int]:
        """The runs, and the tier of their states, `NO_TIER` if there are none."""
        count = len(self.pieces)
        # The cursor and `places` say where the work is, so it goes on after a full set, as listing does.
        numbers, places, chunks = new_memory(count), new_memory(count), worker.chunks(0, 1)
        cursor = chunks.memories[0].cursor  # one thread does it
        places[0], cursor[TIER] = -1, NO_TIER
        for index, piece in enumerate(self.pieces):
            numbers[index] = piece
        most = sum(not place.is_beside for place in worker.game.board().places)

        def step(found: StateSet) -> bool:
            stopped = worker.work(
                self.name,
                list_placements,
                chunks,
                lambda local: (numbers, count, local.cursor, places, most, found, local.reserved),
            )
            if LOWERED in stopped:
                name = type(worker.game).__name__
                raise GameFault(f"{name}.lay_pieces breaks its law: its states are of several tiers.")
            chunks.close_gaps(worker.pattern, found)
            return bool(stopped)

        return worker.runs(self.name, FIRST_SET_ROOM, 1, step), cursor[TIER]


@dataclass(frozen=True)
class ListShard(ShardTask):
    """List the states of a shard, each once, and find those that follow the new ones of this round."""

    likely_tier: int = 0
    """Tier to which most moves lead, as a guess: its states are listed in the first pass, which finds other tiers."""
    likely_count: int = 0
    """Number of its states, as a guess; 0 if there is none."""

    def run(self, worker: ShardWorker) -> Listed | None:
        """Its files; None where the shards are too few for what moves within the tier lead to."""
        tier, distances = self.tier, set[int]()
        states, before, run = self._gather_states(worker)
        runs = {self.likely_tier: self._find_successors(worker, states, before, self.likely_tier, distances)}
        # In one shard the set grows by its own successors until none is new; with several, a successor may belong to
        # another shard, so they go on in rounds (`Tier.round`).
        if 0 in distances and tier.shards == 1:  # what follows within the tier joins the set, and what follows that
            worker.keep()
            first, most = 0, min(worker.room, MOST_SHARD_STATES)
            while first < states.head[COUNT]:
                chunks = worker.chunks(first, first := states.head[COUNT])
                while self._list_successors(worker, states.states, chunks, tier.number, states, distances):
                    if states.head[ROOM] >= most:
                        return None
                    states = worker.larger(states, min(max(2 * states.head[ROOM], FIRST_SET_ROOM), most))
            runs = {tier.number: []}
        count = states.head[COUNT]
        # The shards have to be smaller, and the tier is begun anew (`Making._divide_anew`).
        if count > worker.room:
            return None
        for distance in sorted(distances):
            if tier.number + distance not in runs:
                runs[tier.number + distance] = self._find_successors(
                    worker, states, before, tier.number + distance, distances
                )
        runs = {number: its for number, its in runs.items() if its}
        name = f"{self.name}-{tier.round}"
        # A run that was all of the tier already is the file of its states as it is.
        file = run if run and run.count == count else worker.write_set(name, states)
        return Listed(file, runs, tuple(sorted(distances)))

    def _gather_states(self, worker: ShardWorker) -> tuple[StateSet, int, StateFile | None]:
        """Set of the shard's states, the number of them that are not new, and the run that was loaded as that set, if
        any."""
        tier = self.tier
        runs = [run for run in (tier.here_runs if tier.round else tier.runs) if run.may_have(self.shard, tier.shards)]
        share = sum(run.count * run.shards // max(run.shards, tier.shards) for run in runs)
        # Runs overlap, and hashes do not divide evenly: a quarter more than the share, and never more than all of them.
        room = min(sum(run.count for run in runs), share * 5 // 4 + FIRST_SET_ROOM)
        before = tier.listed[self.shard].count if tier.round else 0
        first = max(runs, key=lambda run: run.count, default=None)
        if first and first.room and first.shards == tier.shards and not tier.round:  # it stands in a set already
            worker.keep(first)
            if (states := worker.sets.pop((first,), None)) is None:  # it is added to, so it does not stay for others
                states = new_set(worker.width, first.room)
                worker.read_into(states.states, 0, first, worker.width, states.slots)
                states.head[COUNT] = states.head[DIRECTORY + DIRECTORY_INTS - 1] = first.count
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

    def _find_successors(
        self, worker: ShardWorker, states: StateSet, first: int, wanted: int, distances: set[int]
    ) -> list[StateFile]:
        """The states of a tier that follow those of the shard from the first one on, as runs."""
        count, shards = states.head[COUNT], min(self.tier.shards, MOST_RUN_SHARDS)
        chunks = worker.chunks(first, count, shards)

        def step(found: StateSet) -> bool:
            return self._list_successors(worker, states.states, chunks, wanted, found, distances)

        name = f"{wanted}-{self.name}-{self.tier.round}"
        room = (self.likely_count if wanted == self.likely_tier else 0) or 2 * (count - first)
        return worker.runs(name, max(FIRST_SET_ROOM, room), shards, step)

    def _list_successors(
        self,
        worker: ShardWorker,
        source: Memory,
        chunks: Chunks,
        wanted: int,
        found: StateSet,
        distances: set[int],
    ) -> bool:
        """Add the states of a tier that follow those of a list to a set; whether it is full. Notes the distances of the
        tiers to which moves lead."""
        stopped = worker.work(
            self.name,
            list_successors,
            chunks,
            lambda local: (source, local.cursor, wanted, found, local.others, local.pending, local.reserved),
        )
        if LOWERED in stopped:
            name = type(worker.game).__name__
            raise GameFault(f"{name}.tier breaks its law: a move lowers it, or raises it by {MOST_TIERS:,} or more.")
        chunks.close_gaps(worker.pattern, found)
        distances |= chunks.distances
        return bool(stopped)


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
        # Files that the first group of the next higher tier needs may be in memory from the task before: they are kept.
        worker.keep(file, *(each for other, part in groups[:1] for each in (*other.listed[part], *other.valued[part])))
        source, values = worker.states(tier, self.shard), new_memory(max(count, 1))
        worker.call(start_values, worker.pattern, source, count, values, UNKNOWN)
        for other in self.higher:
            back_up_from_tier(self, worker, other, source, values, values)
        # Without moves within the tier the values are final after one pass.
        if 0 not in tier.distances:
            final_values = worker.write_values(f"{self.name}.values", values, count)
            return final_values, final_values
        outside = worker.write(f"{self.name}.outside", values, count, 1)
        worker.call(start_values, worker.pattern, source, count, values, 0)
        return outside, worker.write_values(f"{self.name}-0.values", values, count)


@dataclass(frozen=True)
class PlayOn(ShardTask):
    """Value the states of a shard by games that are played on within the tier for one ply more."""

    def run(self, worker: ShardWorker) -> tuple[StateFile, int, int]:
        """The values, the players some of whose states changed, and whether a player moves twice in a row."""
        tier, file = self.tier, self.tier.listed[self.shard]
        worker.keep(file, tier.valued[self.shard])
        source, before = worker.states(tier, self.shard), worker.values(tier.valued[self.shard])
        values, plies = worker.read(tier.outside[self.shard], 1), tier.plies + 1
        # From the values of the round before, of all shards, so that a round does not depend on the order of its
        # shards.
        changed, again = back_up_from_tier(self, worker, tier, source, values, before, plies, tier.players)
        file = worker.write_values(f"{self.name}-{plies}.values", values, file.count)
        return file, changed, again


@dataclass(frozen=True)
class KeepShards(ShardTask):
    """Write the states and values of every `step`-th shard of a tier, from `shard` on, as one sorted file."""

    step: int = 1

    @property
    def states(self) -> int:
        """Number of its states."""
        return sum(file.count for file in self.tier.listed[self.shard :: self.step])

    def begin(self, worker: ShardWorker) -> Callable[[], KeptFile]:
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
        args = worker.path, tier.number, self.shard, worker.pattern, words, total, values
        return lambda: KeptFile(*write_shard(*args))


def back_up_from_tier(
    task: ShardTask,
    worker: ShardWorker,
    other: Tier,
    source: Memory,
    values: Memory,
    before: Memory,
    plies: int = 0,
    players: int = 0,
) -> tuple[int, int]:
    """Improve the values of a task's shard by moves to a tier, whose shards are at hand one group after the other.

    Args:
        task, worker: whose shard.
        other: the tier.
        source: states of the shard.
        values, before, players: as for `back_up_values`.
        plies: plies within the tier to which games are played on.

    Returns:
        The players some of whose states changed, and whether a player moves twice in a row: `CHANGED`, `MOVES_TWICE`.

    Raises:
        Damaged: a state that follows is not there.
    """
    file, children, found, changed, again = task.tier.listed[task.shard], 0, 0, 0, 0
    for part in worker.groups(other):
        worker.keep(file, *other.listed[part], *other.valued[part])
        known, known_values = worker.known_states(other, part), worker.values(*other.valued[part])
        chunks = worker.chunks(0, file.count)
        for local in chunks.memories:
            local.cursor[PLIES], local.cursor[LAST] = plies, int(part.stop == other.shards)

        def args(local: ThreadMemory, known: StateSet = known, known_values: Memory = known_values) -> tuple[Any, ...]:
            sets = known, known_values, values, before, players, local.pending
            return source, local.cursor, other.number, *sets

        worker.work(task.name, back_up_values, chunks, args)
        children, found = chunks.sum(CHILDREN), found + chunks.sum(FOUND)
        changed, again = changed | chunks.union_bits(CHANGED), again | chunks.union_bits(MOVES_TWICE)
    # Every successor must be in the set: one that is missing is a damaged or incomplete file, and the value would be
    # wrong without a word.
    if children != found:
        raise Damaged(worker.path / WORK)
    return changed, again
