"""A tablebase's folder: which files it has, how far it is, and whether they are whole.

    table.json              game, fingerprint of its rules, tiers: what is listed, what is valued
    tier-12-0.parquet       states of tier 12 with their values, sorted; shard 0
    tier-12-0.npy           the first state of each of its row groups
    work/                   what is needed until the whole is valued: words of states, their slots, and values

A file is written under another name, and gets its own when it is whole; then `table.json` is written in the same way.
So after Ctrl-C, a kill or a power cut the folder says how far the work is, and what it says is there. All of that holds
in a store, too (`place.py`), where a file that is renamed may be a copy.
"""

import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import Any
from zlib import crc32

from plyground.compiled.fingerprint import python_version, rules_fingerprint
from plyground.errors import BadInput, TooNew
from plyground.exact.tables.place import is_store, store_errors, store_lock_file
from plyground.files import WORK_MOST, parse_json_object, text_of_file
from plyground.files.file_lock import file_lock
from plyground.files.whole_file import UNFINISHED, whole_file
from plyground.rules import Game

# Names in the folder are part of its form: another name is another `FORMAT`.
MANIFEST = "table.json"
PROGRESS = "work/progress.json"
WORK = "work"
CHECK_FIELD = ', "crc32": '
"""Before the last number of a manifest, the CRC-32 of all that stands before; earlier versions wrote none."""
# Raised when an older plyground would misread a folder; fields that are only added need no new version, for a reader
# leaves out what it does not know (`parse_tiers`).
FORMAT = 5
"""Version of the form of a folder; whole tables of earlier versions are read."""


class Damaged(BadInput):
    """A file of a tablebase is missing, cut short or changed."""

    def __init__(self, file: Path) -> None:
        """Make the sentence."""
        super().__init__(
            f"{file} is damaged or missing: make the table again, in an empty folder or after deleting this one."
        )


@dataclass(frozen=True)
class Progress:
    """Progress of the making of a tablebase."""

    stage: str
    """`listing` or `valuing`."""
    tier: int
    states: int
    """States listed, or valued."""
    total: int
    """States that are known to be there; while they are listed, without those not found yet."""
    seconds: float
    """Since the work was begun, or gone on with."""
    rate: float = 0.0
    """States a second in this stage."""
    disk: int = 0
    """Bytes of all files."""
    memory: int = 0
    """Bytes of memory of the process."""

    @property
    def seconds_left(self) -> float | None:
        """Seconds until all states are valued, by the rate; None while they are listed."""
        return max(self.total - self.states, 0) / self.rate if self.stage == "valuing" and self.rate > 0 else None


@dataclass(frozen=True)
class StateFile:
    """File of states of a tier, with or without one of the slots of their set; or of values of states."""

    name: str
    count: int
    check: int
    """Check of the file of states, or of values (`work_files.py`); of kept ones that of the index beside them, and 0 in
    tables of earlier versions."""
    shard: int = 0
    """Shard to which its states belong, if their tier were cut into `shards`."""
    shards: int = 1
    room: int = 0
    """States that the slots behind the states have room for; 0 where there are none."""
    slots_check: int = 0
    """Check of the file of slots."""

    @property
    def names(self) -> list[str]:
        """Names of its states or values, and of its slots if it has them."""
        return [self.name, f"{self.name}.slots"][: 2 if self.room else 1]

    def may_have(self, shard: int, shards: int) -> bool:
        """Whether states of one of a number of shards can be in it; both numbers are powers of two."""
        # A shard is the lowest bits of a hash: cut into more shards, a file's states are in those whose numbers end in
        # its own.
        return (self.shard ^ shard) & min(self.shards, shards) - 1 == 0


NO_FILE = StateFile("", 0, 0)
"""In place of a file that is not made yet."""


@dataclass
class Tier:
    """A tier of a tablebase and its progress, as the manifest stores it."""

    number: int
    # All lists are of files, not of states: the manifest stays small, and a kill between two saves costs the work of
    # one task.
    runs: list[StateFile] = field(default_factory=list)
    """States found in moves of lower tiers, until the tier is listed."""
    shards: int = 0
    """Number of shards, a power of two; a state is in the shard of its hash. 0 before the tier is begun."""
    listed: list[StateFile] = field(default_factory=list)
    """States of each shard, each once, in the order in which `valued` has their values; with slots, by which a state is
    found. It is one of `runs` where that has all of them."""
    distances: list[int] = field(default_factory=list)
    """Numbers of tiers by which moves lead on; 0 within the tier."""
    round: int = 0
    """Moves within the tier that its states are away from those in `runs`, while several shards are listed."""
    here_runs: list[StateFile] = field(default_factory=list)
    """States found within the tier by the round before."""
    next_runs: list[StateFile] = field(default_factory=list)
    """States found within the tier by this round."""
    done: list[int] = field(default_factory=list)
    """Shards that are through with this round."""
    outside: list[StateFile] = field(default_factory=list)
    """Values of each shard by moves to higher tiers alone, while games are played on within the tier."""
    valued: list[StateFile] = field(default_factory=list)
    """Values of each shard, while lower tiers need them; those of `plies` before they are final."""
    new_values: list[StateFile] = field(default_factory=list)
    """Values of the shards in `done`, of one ply more."""
    plies: int = 0
    """Plies that games were played on within the tier."""
    players: int = 3
    """Players whose states may change in the next ply: a bit for each."""
    changed: int = 0
    """Players whose states have changed in this one."""
    again: int = 0
    """Whether a player moves twice in a row within the tier."""
    kept: list[StateFile] = field(default_factory=list)
    """Files of states with their values, sorted; as many as a power of two, and a state is in the file of its hash."""
    x: int = 0
    """States won for the first player."""
    o: int = 0
    """States won for the second player."""
    longest: int = 0
    """Plies of the longest win with best defence."""

    @property
    def is_listed(self) -> bool:
        """Whether all its states are known."""
        # Runs are deleted when the tier is listed, so a tier with runs is unfinished even if all its shards have files.
        return not self.runs and 0 < self.shards == sum(file != NO_FILE for file in self.listed)

    @property
    def is_valued(self) -> bool:
        """Whether all its values are kept."""
        return 0 < len(self.kept) == sum(file != NO_FILE for file in self.kept)

    @property
    def count(self) -> int:
        """States, once it is listed."""
        return sum(file.count for file in self.listed)


class Folder:
    """The folder of a tablebase."""

    def __init__(self, path: Path, game: Game[Any], name: str, start: str) -> None:
        """Read the manifest, if there is one; nothing is written.

        Args:
            path: the folder; it need not exist.
            game: the game.
            name: its text, as `game_named` reads it.
            start: text of the position from which states are listed.

        Raises:
            BadInput: it has the table of another game, position or version, or of other rules; or is unreadable.
        """
        self.path: Path = path
        self.game: Game[Any] = game
        self.name: str = name
        self.start: str = start
        self.rules: str = rules_fingerprint(game)
        self.tiers: dict[int, Tier] = {}
        with store_errors(path):
            is_begun = (path / MANIFEST).exists()
        if is_begun:
            said = read_manifest(path)
            if said["rules"] != self.rules:
                raise BadInput(f"{other_rules_error(path, said)} Name another folder.")
            if int(said["plyground table"]) < FORMAT and not said.get("whole"):
                raise BadInput(f"{path} has a table that an earlier version has begun: delete it, and begin again.")
            if said["start"] != start:
                raise BadInput(f"{path} has the table from {said['start']}, not from {start}: name another folder.")
            self.tiers = parse_tiers(said)

    @property
    def is_listed(self) -> bool:
        """Whether all states are known."""
        return bool(self.tiers) and all(tier.is_listed for tier in self.tiers.values())

    @property
    def is_whole(self) -> bool:
        """Whether all states are valued."""
        return bool(self.tiers) and all(tier.is_valued for tier in self.tiers.values())

    @property
    def count(self) -> int:
        """States listed so far."""
        return sum(tier.count for tier in self.tiers.values())

    @property
    def bytes(self) -> int:
        """Bytes of all its files."""
        if is_store(self.path):
            with store_errors(self.path):
                # One request for the sizes of all files, not one for each.
                found = self.path.fs.find(self.path.path, detail=True)  # type: ignore[attr-defined]  # all at once
                return sum(about["size"] or 0 for about in found.values())
        return sum(file.stat().st_size for file in self.path.rglob("*") if file.is_file())

    def tier(self, number: int) -> Tier:
        """The tier of a number, created if it is missing."""
        return self.tiers.setdefault(number, Tier(number))

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Context in which no other process works on the folder.

        Raises:
            BadInput: another process does, or the folder cannot be written.
        """
        lock = self.path / WORK / "lock"
        try:
            with store_errors(self.path):
                if is_store(self.path):
                    lock = store_lock_file(self.path)
                    # A bucket must exist: who may write into one need not be allowed to make one.
                    self.path.mkdir(exist_ok=True)  # a bucket is not made
                (self.path / WORK).mkdir(parents=not is_store(self.path), exist_ok=True)
        except OSError as fault:
            raise BadInput(f"{self.path} cannot be used: {fault.strerror or fault}.") from None
        busy = BadInput(f"Another process works on {self.path}: wait for it, or name another folder.")
        with file_lock(lock, lambda _: busy, ""):
            with store_errors(self.path):
                # Listed first, for the folder changes while they are deleted.
                for file in [*self.path.rglob(f"*{UNFINISHED}")]:  # of a process that was killed
                    file.unlink(missing_ok=True)
            yield

    def drop(self, *runs: StateFile) -> None:
        """Delete files that are not needed any more."""
        with store_errors(self.path):
            for name in (name for run in runs for name in run.names):
                (self.path / name).unlink(missing_ok=True)

    def save(self) -> None:
        """Write the manifest."""
        said = {
            "plyground table": FORMAT,
            "game": self.name,
            "start": self.start,
            "rules": self.rules,
            "python": python_version(),
            "whole": self.is_whole,
            "states": self.count,
            "tiers": {str(number): changed_fields(tier, Tier(number)) for number, tier in sorted(self.tiers.items())},
        }
        with written_file(self.path / MANIFEST) as unfinished:
            # with an indent it takes ten times as long
            text = json.dumps(said, default=partial(changed_fields, plain=NO_FILE)).removesuffix("}")
            unfinished.write_text(f"{text}{CHECK_FIELD}{crc32(text.encode())}}}", encoding="utf-8")

    def note(self, progress: Progress) -> None:
        """Write the progress, for the page."""
        with written_file(self.path / PROGRESS) as unfinished:
            unfinished.write_text(json.dumps(asdict(progress)), encoding="utf-8")

    def tidy(self) -> None:
        """Delete what only the work needed."""
        if not is_store(self.path):
            shutil.rmtree(self.path / WORK, ignore_errors=True)
            return
        with suppress(FileNotFoundError), store_errors(self.path):
            (self.path / WORK).rmdir(recursive=True)  # type: ignore[call-arg]


def read_manifest(path: Path) -> dict[str, Any]:
    """Manifest of a folder.

    Raises:
        BadInput: it is no tablebase, or of a later version.
    """
    try:
        with store_errors(path):
            text = _read_small_file(path / MANIFEST)
    except OSError:
        raise BadInput(f"{path} has no tablebase: make one with plyground tablebase GAME --out {path}.") from None
    except UnicodeDecodeError:
        raise Damaged(path / MANIFEST) from None
    known, _, check = text.rpartition(CHECK_FIELD)
    try:
        said = parse_json_object(text)
        version = int(said["plyground table"])
        if version > FORMAT:
            raise TooNew(f"The tablebase in {path}", version, FORMAT)
        # After the version: a later one may check in another way.
        if known and crc32(known.encode()) != int(check.removesuffix("}")):
            raise Damaged(path / MANIFEST)
        # Read here once, so that each later use may rely on the fields that are there.
        str(said["rules"]), str(said["start"]), str(said["game"]), parse_tiers(said)
    except BadInput:
        raise
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Damaged(path / MANIFEST) from None
    return dict(said)


def _read_small_file(file: Path) -> str:
    """Text of a small file of a folder, which may be a store's."""
    if is_store(file) or not os.path.lexists(file):
        return file.read_text(encoding="utf-8")
    return text_of_file(file, WORK_MOST)


def other_rules_error(path: Path, said: dict[str, Any]) -> BadInput:
    """Error for a manifest of other rules than those at hand."""
    made = str(said.get("python", ""))
    if made and made != python_version():
        why = f"made by Python {made}, whose rules cannot be compared with those of Python {python_version()}"
        return BadInput(f"{path} has the table of {said['game']}, {why}: open it there, or make it anew here.")
    return BadInput(f"{path} has the table of {said['game']} by other rules than these.")


def read_progress(path: Path) -> tuple[Progress, float] | None:
    """Progress that was last written to a folder, and the seconds since then; None if there is none."""
    try:
        file = path / PROGRESS
        return Progress(**json.loads(_read_small_file(file))), time.time() - file.stat().st_mtime
    except (OSError, ValueError, TypeError):
        return None


@contextmanager
def written_file(file: Path) -> Iterator[Path]:
    """`whole_file` of a folder, which may be in a store; a late worker may write the same one.

    Raises:
        BadInput: there is no room, or no permission.
    """
    with store_errors(file), whole_file(file, "; what is done so far stays") as unfinished:
        yield unfinished


def changed_fields(item: Tier | StateFile, plain: Tier | StateFile) -> dict[str, Any]:
    """Fields of an item in which it differs from a plain one: of hundreds of small files the others would be most of a
    manifest."""
    # A default that is left out must never change in meaning: then `FORMAT` is raised.
    return {name: part for name, part in vars(item).items() if part != getattr(plain, name)}


def parse_tiers(said: dict[str, Any]) -> dict[int, Tier]:
    """The tiers of a manifest, by number."""
    kinds, tiers = {each.name: each.type for each in fields(Tier)}, {}
    for number, parts in said["tiers"].items():
        known = {name: part for name, part in parts.items() if name in kinds}  # an earlier version had others
        files = {
            name: [replace(NO_FILE, **file) for file in known[name]] for name in known if kinds[name] == list[StateFile]
        }
        tiers[int(number)] = Tier(int(number), **{**known, **files})
    return tiers
