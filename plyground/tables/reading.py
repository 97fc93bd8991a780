"""Looking a position up in a tablebase."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from plyground.board.bits import filled, flat
from plyground.compiled.fingerprint import fingerprint
from plyground.errors import BadInput, checked
from plyground.games import as_game
from plyground.position import Position
from plyground.rules import ONGOING, Game
from plyground.score import Score
from plyground.search.table import hash_of
from plyground.search.tiers import listed_state
from plyground.tables.folder import MANIFEST, Damaged, Tier, read_manifest, tiers_of
from plyground.tables.kept import NO_PLIES, KeptShard
from plyground.tables.lookup import Lookup

FOLDERS = "PLYGROUND_TABLEBASES"
"""Variable of the environment with folders of tablebases that are asked too, separated as in PATH; processes that
are started inherit it."""


def ask_too(path: Path) -> None:
    """Ask the tablebase of a folder from now on, before those that were made here.

    Raises:
        BadInput: the folder has no finished tablebase.
    """
    if not read_manifest(path)["whole"]:
        raise unfinished(path)
    os.environ[FOLDERS] = os.pathsep.join([str(path.absolute()), *asked_folders()])


def asked_folders() -> tuple[str, ...]:
    """Folders that are asked beside the user's own, the last that was named first."""
    return tuple(filter(None, os.environ.get(FOLDERS, "").split(os.pathsep)))


def folder_of(game: Game[Any], asked: Sequence[str] = ()) -> Path | None:
    """Folder of a finished tablebase of these rules: the first of those that are asked, or the one made here."""
    rules = fingerprint(game)
    for path in map(Path, asked):
        if read_manifest(path)["rules"] == rules:
            return path
    return folder if is_whole(folder := kept_folder(game)) else None


def unfinished(path: Path) -> BadInput:
    """The error that a table is not finished."""
    return BadInput(f"{path} is not finished: the command that began it goes on with it.")


def kept_folder(game: Game[Any]) -> Path:
    """Folder of the tablebase of a whole game made on this machine."""
    return user_data_path("plyground") / "tablebases" / fingerprint(game)


def is_whole(path: Path) -> bool:
    """Whether a folder has a finished tablebase."""
    return (path / MANIFEST).exists() and bool(read_manifest(path)["whole"])


class Tablebase(Lookup):
    """Exact values of all states of a game from one position on, read from a folder.

    The value of a state is that of a game that begins with it: the moves before, which count for repetitions, and
    counters that only bring a draw nearer are left out.
    """

    @checked
    def __init__(self, path: Path, game: Game[Any]) -> None:
        """Open a folder.

        Raises:
            BadInput: it has no table, an unfinished one, or one of other rules.
        """
        game, said = as_game(game), read_manifest(path)
        self.path: Path = path
        self.game: Game[Any] = game
        if said["rules"] != fingerprint(game):
            raise BadInput(f"{path} has the table of {said['game']} by other rules than these.")
        if not said["whole"]:
            raise unfinished(path)
        self.start: str = str(said["start"])
        self.tiers: dict[int, Tier] = tiers_of(said)
        self._pattern = game.initial()
        self._shards: dict[tuple[int, int], KeptShard] = {}

    def __len__(self) -> int:
        """States, one of those that are the same under symmetry."""
        return sum(run.count for tier in self.tiers.values() for run in tier.kept)

    @property
    def title(self) -> str:
        """Name for people."""
        return "the tablebase"

    def score(self, state: Any) -> Score | None:
        """Score of a state, for the first player; None where it is not in the table.

        Raises:
            Damaged: a file was changed.
        """
        utility = self.game.outcome(state)
        if utility != ONGOING:
            return Score.over(utility)
        key = listed_state(self.game, state)
        tier = self.tiers.get(self.game.tier(key))
        if tier is None:
            return None
        found = self._shard(tier.number, hash_of(key) & tier.shards - 1).find(tuple(flat(key)))
        return None if found is None else _score(*found)

    def _shard(self, tier: int, number: int) -> KeptShard:
        if (shard := self._shards.get((tier, number))) is None:
            try:
                shard = KeptShard(self.path, tier, number, len(flat(self._pattern)))
            except (OSError, ValueError):
                raise Damaged(self.path / f"tier-{tier}-{number}.parquet") from None
            self._shards[tier, number] = shard
        return shard

    def __getitem__(self, position: Position) -> Score:
        """Score of a position, for the first player: exact, with the plies of a win.

        Raises:
            KeyError: it is not in the table.
        """
        if (score := self.score(position.state)) is None:
            raise KeyError(position.text)
        return score

    def __contains__(self, position: Position) -> bool:
        return self.score(position.state) is not None

    def __iter__(self) -> Iterator[tuple[Any, Score]]:
        """All states with their scores, tier by tier."""
        for tier in sorted(self.tiers.values(), key=lambda tier: tier.number):
            for *words, utility, plies in self._groups(tier):
                for row in range(len(utility)):
                    yield self._state(words, row), _score(int(utility[row]), int(plies[row]))

    @property
    def longest(self) -> tuple[Any, Score]:
        """A state with the longest win of all, and its score; the first state if no state is won."""
        tier = max(self.tiers.values(), key=lambda tier: tier.longest)
        for *words, utility, plies in self._groups(tier):
            row = int(plies.argmax())
            if int(plies[row]) == tier.longest or tier.longest == 0:
                return self._state(words, row), _score(int(utility[row]), int(plies[row]))
        raise Damaged(self.path)

    def _groups(self, tier: Tier) -> Iterator[tuple[Any, ...]]:
        """Columns of the states of a tier, group by group."""
        for number in range(tier.shards):
            shard = self._shard(tier.number, number)
            for group in range(shard.groups):
                yield shard.group(group)

    def _state(self, words: Sequence[Any], row: int) -> Any:
        return filled(self._pattern, iter([int(column[row]) for column in words]))


def _score(utility: int, plies: int) -> Score:
    return Score(utility, plies=None if plies == NO_PLIES else plies)
