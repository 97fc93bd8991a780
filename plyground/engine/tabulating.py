"""Making a tablebase: all states are listed tier by tier, then valued, the last tier first.

A tier that is too large for the memory is cut into shards, by hashes of its states; then each step reads one shard of
it and one of another tier, and makes moves anew where they were needed before. After each shard the folder is saved,
so the work goes on from there; the result depends on the rules alone, not on the memory, nor on interruptions.
"""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from plyground.board.bits import flat
from plyground.compiled.kernel import kernel
from plyground.engine.clock import Clock, Limit
from plyground.errors import BadInput, GameFault, checked
from plyground.games import as_game, game_text
from plyground.position import Position
from plyground.rules import MOST_TIERS, Game
from plyground.search.memory import Memory, new_memory, write_state
from plyground.search.observer import Stopped
from plyground.search.tiers import (
    AGAIN,
    CHANGED,
    CHILDREN,
    COUNT,
    END,
    FOUND,
    FULL,
    HEAD,
    LOWERED,
    NEXT,
    NO_TIER,
    PLIES,
    ROOM,
    TIER,
    UNKNOWN,
    StateSet,
    gather,
    lay,
    listed_state,
    new_set,
    spread,
    start_values,
    take,
)
from plyground.tables.folder import WORK, Damaged, Folder, Progress, StateFile, Tier
from plyground.tables.kept import write_shard
from plyground.tables.reading import Tablebase, kept_folder

SMALL = 6_000
"""States looked at as plain Python before a game is compiled."""
FIRST_ROOM = 1 << 12
MOST_SHARDS = 1 << 12
NOTED = 1.0
"""Seconds between two notes of the progress."""


Where = tuple[str, int, int, int]
"""Progress but for the seconds."""


class Making:
    """Makes a tablebase in a folder, or goes on with it."""

    def __init__(
        self,
        folder: Folder,
        start: Position,
        *,
        material: str = "",
        mebibytes: int = 1024,
        disk: int | None = None,
        told: Callable[[Progress], None] | None = None,
    ) -> None:
        """Prepare; nothing is made yet.

        Args:
            folder: where.
            start: position from which states are listed.
            material: an end game, as `Game.material` reads it, whose positions are listed instead.
            mebibytes: of memory at most for the states at hand.
            disk: mebibytes of files at most; None for as many as there is room for.
            told: is called with the progress, in this thread.

        Raises:
            BadInput: the memory is too small for any work.
        """
        self._folder, self._game, self._pattern = folder, start.game, start.state
        self._endings: tuple[tuple[int, ...], ...] = self._game.material(material) if material else ()
        self._width = len(flat(start.state))
        self._told = told or (lambda progress: None)
        self._disk = disk
        per_state = 16 * self._width + 48  # states, slots and values of two shards
        self._room = (mebibytes << 20) // per_state
        if self._room < FIRST_ROOM:
            raise BadInput(f"--memory {mebibytes}: at least {(FIRST_ROOM * per_state >> 20) + 1} MiB.")
        self._begun, self._looked, self._noted = time.monotonic(), 0, 0.0
        self._stage = "", 0, 0.0
        """Stage, and states and time when this process came to it."""
        self._held: tuple[StateFile, StateSet, Memory] | None = None
        """The shard whose values were looked up last."""

    def run(self) -> None:
        """Make what is missing.

        Raises:
            BadInput: there is not enough memory or disk, or values depend on the moves before.
            GameFault: `Game.tier` breaks its law.
            KeyboardInterrupt: Ctrl-C; what was done stays.
        """
        folder = self._folder
        with folder.held():
            if not folder.tiers:
                self._begin()
            while unlisted := [tier for tier in folder.tiers.values() if not tier.is_listed]:
                self._list(min(unlisted, key=lambda tier: tier.number))
            for tier in sorted(folder.tiers.values(), key=lambda tier: -tier.number):
                if not tier.is_valued:
                    self._value(tier)
        if folder.is_whole:
            folder.tidy()

    def _begin(self) -> None:
        if self._endings:
            for number, pieces in enumerate(self._endings):
                self._lay(number, pieces)
        else:
            first = listed_state(self._game, self._pattern)
            words = new_memory(self._width)
            write_state(words, 0, first)
            self._folder.tier(self._game.tier(first)).runs = [self._written("first.run", words, 1, self._width)]
        self._folder.save()

    def _lay(self, number: int, pieces: tuple[int, ...]) -> None:
        """Write the states with some pieces on the board as runs of their tier."""
        count = len(pieces)
        numbers, places, cursor = new_memory(count), new_memory(count), new_memory(HEAD)
        places[0], cursor[END], cursor[TIER] = -1, count, NO_TIER
        for index, piece in enumerate(pieces):
            numbers[index] = piece
        most = sum(not place.is_beside for place in self._game.board().places)

        def step(found: StateSet) -> bool:
            def where() -> Where:
                return "listing", 0, found.head[COUNT], found.head[COUNT]

            went = int(self._work(where, lay, numbers, cursor, places, most, found))
            if went == LOWERED:
                raise GameFault(f"{type(self._game).__name__}.laid breaks its law: its states are of several tiers.")
            return went == FULL

        runs = [*self._runs(f"laid-{number}", FIRST_ROOM, step)]
        if cursor[TIER] != NO_TIER:
            self._folder.tier(cursor[TIER]).runs += runs

    # -- listing ----------------------------------------------------------------------------------------------------

    def _list(self, tier: Tier) -> None:
        """List the states of a tier, and find those of other tiers that follow them."""
        found = sum(run.count for run in tier.runs)
        shards = 1
        while found > shards * self._room:
            shards *= 2
        if shards > MOST_SHARDS:
            raise BadInput(f"{found:,} states in one tier do not fit: allow more memory (--memory).")
        self._check_disk(found)
        tier.shards = tier.shards or shards
        for shard in range(len(tier.listed), tier.shards):
            self._list_shard(tier, shard)
        self._folder.drop(*tier.runs)
        tier.runs = []
        self._folder.save()

    def _list_shard(self, tier: Tier, shard: int) -> None:
        states, others = self._gathered(tier, shard), new_memory(MOST_TIERS)
        whole = tier.shards == 1
        cursor = new_memory(HEAD)
        found, wanted = (states, tier.number) if whole else (new_set(self._width, 1), NO_TIER)
        while cursor[NEXT] < states.head[COUNT]:
            cursor[END] = states.head[COUNT]
            if self._spread(tier, states.states, cursor, wanted, found, others) == FULL:
                if states.head[ROOM] >= self._room:
                    raise BadInput(
                        f"More than {states.head[COUNT]:,} states in tier {tier.number}: allow more memory (--memory), "
                        "or let Game.tier tell more states apart."
                    )
                found = states = self._larger(states)
        if others[0] and not whole:
            raise BadInput(
                f"Moves stay within tier {tier.number}, whose {sum(run.count for run in tier.runs):,} states do not "
                "fit: allow more memory (--memory), or let Game.tier tell states apart that do not come again."
            )
        count = states.head[COUNT]
        for distance in range(1, MOST_TIERS):
            if others[distance]:
                self._find(tier, shard, states.states, count, tier.number + distance)
        tier.distances = sorted({*tier.distances, *(place for place in range(MOST_TIERS) if others[place])})
        tier.listed.append(self._written(f"{tier.number}-{shard}.states", states.states, count, self._width))
        self._folder.save()

    def _find(self, tier: Tier, shard: int, source: Memory, count: int, wanted: int) -> None:
        """Write the states of another tier that follow those of a shard as runs, as many as the memory needs."""
        target, others, cursor = self._folder.tier(wanted), new_memory(MOST_TIERS), new_memory(HEAD)
        cursor[END], name = count, f"{wanted}-{tier.number}-{shard}"

        def step(found: StateSet) -> bool:
            return self._spread(tier, source, cursor, wanted, found, others) == FULL

        target.runs = [run for run in target.runs if not run.name.startswith(f"{WORK}/{name}-")]
        target.runs += self._runs(name, max(FIRST_ROOM, 2 * count), step)

    def _runs(self, name: str, room: int, step: Callable[[StateSet], bool]) -> Iterator[StateFile]:
        """Write what a step adds to sets as runs, as many as the memory needs; it says whether its set is full."""
        found, part, is_full = new_set(self._width, min(self._room, room)), 0, True
        while is_full:
            is_full = step(found)
            if is_full and found.head[ROOM] < self._room:
                found = self._larger(found)
                continue
            yield self._written(f"{name}-{part}.run", found.states, found.head[COUNT], self._width)
            if is_full:
                found, part = new_set(self._width, self._room), part + 1

    def _gathered(self, tier: Tier, shard: int) -> StateSet:
        """The states of a shard that were found, each once."""
        most = sum(run.count for run in tier.runs)
        room = most if tier.shards == 1 else min(most, most // tier.shards * 5 // 4 + FIRST_ROOM)
        states = new_set(self._width, max(room, 1))
        for run in tier.runs:
            words = self._read(run, self._width)
            self._call(gather, run.count, self._pattern, words, run.count, tier.shards, shard, states)
        return states

    def _larger(self, states: StateSet) -> StateSet:
        """The same set with twice the room, but no more than the memory has."""
        room, count = states.head[ROOM], states.head[COUNT]
        larger = new_set(self._width, min(max(2 * room, FIRST_ROOM), self._room))
        self._call(gather, count, self._pattern, states.states, count, 1, 0, larger)
        return larger

    def _spread(self, tier: Tier, source: Memory, cursor: Memory, wanted: int, found: StateSet, others: Memory) -> int:
        known = self._folder.count

        def where() -> Where:
            return "listing", tier.number, known, known + cursor[END]

        went = int(self._work(where, spread, source, cursor, wanted, found, others))
        if went == LOWERED:
            name = type(self._game).__name__
            raise GameFault(f"{name}.tier breaks its law: a move lowers it, or raises it by {MOST_TIERS:,} or more.")
        return went

    # -- valuing ----------------------------------------------------------------------------------------------------

    def _value(self, tier: Tier) -> None:
        """Value the states of a tier; higher ones are valued."""
        for shard in range(len(tier.kept), tier.shards):
            self._value_shard(tier, shard)
        below = [other for other in self._folder.tiers.values() if not other.is_valued]
        needed = {other.number + distance for other in below for distance in other.distances}
        for other in self._folder.tiers.values():
            if other.is_valued and other.valued and other.number not in needed:
                self._folder.drop(*other.valued, *other.listed)
                other.valued = []
        self._folder.save()

    def _value_shard(self, tier: Tier, shard: int) -> None:
        run = tier.listed[shard]
        count = run.count
        source, values = self._read(run, self._width), new_memory(count)
        ongoing = self._call(start_values, count, self._pattern, source, count, values, UNKNOWN)
        for distance in tier.distances:
            if distance:
                self._take_from(tier, self._folder.tiers[tier.number + distance], source, count, values)
        if 0 in tier.distances and ongoing:
            values = self._settled(tier, source, count, values)
        if UNKNOWN in values:
            raise Damaged(self._folder.path / run.name)
        valued = self._written(f"{tier.number}-{shard}.values", values, count, 1)
        kept, x, o, longest = write_shard(self._folder, tier.number, shard, self._pattern, source, count, values)
        tier.valued.append(valued)
        tier.kept.append(kept)
        tier.x, tier.o, tier.longest = tier.x + x, tier.o + o, max(tier.longest, longest)
        self._folder.save()

    def _take_from(self, tier: Tier, other: Tier, source: Memory, count: int, values: Memory) -> None:
        """Improve values by moves to a higher tier."""
        children = found = 0
        for shard in range(other.shards):
            known, known_values = self._known(other, shard)
            cursor = new_memory(HEAD)
            cursor[END] = count
            self._work(self._valuing(tier, cursor), take, source, cursor, other.number, known, known_values, values, 0)
            children, found = cursor[CHILDREN], found + cursor[FOUND]
        if children != found:
            raise Damaged(self._folder.path / WORK)

    def _known(self, tier: Tier, shard: int) -> tuple[StateSet, Memory]:
        """A valued shard, as a set and its values."""
        run = tier.listed[shard]
        if self._held is None or self._held[0] is not run:
            self._held = None
            known, values = new_set(self._width, max(run.count, 1)), self._read(tier.valued[shard], 1)
            words = self._read(run, self._width)
            self._call(gather, run.count, self._pattern, words, run.count, 1, 0, known)
            self._held = run, known, values
        return self._held[1:]

    def _settled(self, tier: Tier, source: Memory, count: int, outside: Memory) -> Memory:
        """Values with moves within the tier too: those of games played on for more and more plies, until none changes.

        Raises:
            BadInput: a repetition is no draw.
        """
        if self._game.repetition and not self._game.repetition_is_draw:
            raise BadInput(
                f"A repetition is no draw in {type(self._game).__name__}, so values depend on the moves before: "
                "plyground solve tells those of one position."
            )
        self._held = None
        known, old = new_set(self._width, count), new_memory(count)
        self._call(gather, count, self._pattern, source, count, 1, 0, known)
        self._call(start_values, count, self._pattern, source, count, old, 0)
        players, plies, again = 3, 1, 0
        while players:
            new, cursor = new_memory(count), new_memory(HEAD)
            new[:], cursor[END], cursor[PLIES] = outside, count, plies
            self._work(self._valuing(tier, cursor), take, source, cursor, tier.number, known, old, new, players)
            if cursor[CHILDREN] != cursor[FOUND]:
                raise Damaged(self._folder.path / WORK)
            changed, again = cursor[CHANGED], again | cursor[AGAIN]
            players = 3 if again and changed else (changed >> 1 | changed << 1) & 3
            old, plies = new, plies + 1
        return old

    # -- running and writing ------------------------------------------------------------------------------------------

    def _valuing(self, tier: Tier, cursor: Memory) -> Callable[[], Where]:
        before = sum(run.count for each in self._folder.tiers.values() for run in each.kept)
        return lambda: ("valuing", tier.number, before + cursor[NEXT], self._folder.count)

    def _say(self, stage: str, tier: int, states: int, total: int) -> None:
        import psutil  # here, because importing the package loads nothing that it does not need

        now = time.monotonic()
        if stage != self._stage[0]:
            self._stage = stage, states, now
        rate = max(0.0, (states - self._stage[1]) / (now - self._stage[2])) if now > self._stage[2] else 0.0
        disk, memory = self._folder.bytes, psutil.Process().memory_info().rss
        progress = Progress(stage, tier, states, total, now - self._begun, rate, disk, memory)
        self._told(progress)
        if now - self._noted >= NOTED:
            self._noted = now
            self._folder.note(progress)

    def _work(self, where: Callable[[], Where], search: Callable[..., Any], *args: Any) -> Any:
        """Run a kernel on a list with a cursor, as plain Python while little was looked at; say how far it is."""

        def say() -> None:
            self._say(*where())

        run = kernel(search, self._game)
        sample = Clock(Limit()).observer, self._pattern, *args
        if run.is_cold(*sample) and self._looked < SMALL:
            clock = Clock(Limit(nodes=SMALL - self._looked))
            with suppress(Stopped):
                return clock.run(lambda: search(self._game, clock.observer, self._pattern, *args), on_wait=say)
            self._looked = SMALL
        run.prepare(*sample)
        clock = Clock(Limit())
        say()
        return clock.run(lambda: run(clock.observer, self._pattern, *args), on_wait=say)

    def _call(self, search: Callable[..., Any], count: int, *args: Any) -> Any:
        """StateFile something quick, as plain Python where it is little."""
        run = kernel(search, self._game)
        return (partial(search, self._game) if count <= SMALL and run.is_cold(*args) else run)(*args)

    def _read(self, run: StateFile, width: int) -> Memory:
        block = new_memory(max(run.count * width, 1))
        self._folder.read(run, memoryview(block).cast("B")[: 8 * run.count * width])
        return block

    def _written(self, name: str, block: Memory, count: int, width: int) -> StateFile:
        return self._folder.write(f"{WORK}/{name}", memoryview(block).cast("B")[: 8 * count * width], count)

    def _check_disk(self, found: int) -> None:
        """Refuse to go on where what is known does not fit.

        Raises:
            BadInput: it does not.
        """
        needs = 8 * self._width * found
        free = shutil.disk_usage(self._folder.path).free
        if needs > free or (self._disk is not None and self._folder.bytes + needs > self._disk << 20):
            limit = f"{free >> 20:,} MiB are free" if needs > free else f"--disk allows {self._disk:,} MiB"
            raise BadInput(
                f"{self._folder.count:,} states are listed, {found:,} more need {needs >> 20:,} MiB, and {limit}: what "
                "is done so far stays, and the same command goes on with more room."
            )


@checked
def tablebase(
    game: Game[Any] | str,
    folder: Path | None = None,
    *,
    start: Position | None = None,
    material: str = "",
    memory: int = 1024,
    disk: int | None = None,
    told: Callable[[Progress], None] | None = None,
) -> Tablebase:
    """The exact value of every position of a game, made where it is not there yet.

    Args:
        game: the game, or its name.
        folder: where it is kept; by default the user's data folder, where the engine and `perfect` look for it.
        start: position from which all others come about; the game's first one by default.
        material: an end game instead, as the game names it, such as `KQK`: all its positions, and those that follow.
        memory: mebibytes for the states at hand, at most.
        disk: mebibytes of files, at most; by default what is free.
        told: is called with the progress.

    Raises:
        BadInput: there is not enough memory or disk; the folder has another table; a start without a folder; or no such
            end game.
        GameFault: a rule fails, or breaks the law of `Game.tier`.
    """
    game = as_game(game)
    if start and (material or not folder):
        raise BadInput("A table of a part of a game is kept where you say, and has no material: name a folder.")
    here, path = start or Position.initial(game), folder or kept_folder(game, material)
    kept = Folder(path, game, game_text(game) or type(game).__name__, begun(here, material))
    Making(kept, here, material=material, mebibytes=memory, disk=disk, told=told).run()
    return Tablebase(path, game)


def begun(here: Position, material: str) -> str:
    """Text in a manifest for what the states of a table follow from."""
    return f"the end game {material.upper()}" if material else here.text
