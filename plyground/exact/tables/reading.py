"""Look-up of positions in a tablebase, and browsing of its states."""

import os
import random
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from platformdirs import user_data_path

from plyground.board.bits import fill_pattern, flat
from plyground.compiled.fingerprint import rules_fingerprint
from plyground.errors import BadInput, WrongType, check_arguments
from plyground.exact.lookup import Lookup
from plyground.exact.tables.folder import (
    MANIFEST,
    Damaged,
    Progress,
    Tier,
    other_rules_error,
    parse_tiers,
    read_manifest,
    read_progress,
)
from plyground.exact.tables.place import SCHEME, folder_path, is_store
from plyground.exact.tables.table_files import GROUP_STATES, NO_PLIES, GroupCache, KeptShard
from plyground.games import as_game, game_text
from plyground.position import Position
from plyground.rules import MAX, ONGOING, Game, own_rules
from plyground.score import Score
from plyground.search.table import hash_of
from plyground.search.tiers import listed_state

# `PATH` is separated by colons on POSIX, and so is the scheme of a URL from its rest.
QUOTED_COLON = "%3A"
FOLDERS_VARIABLE = "PLYGROUND_TABLEBASES"
"""Variable of the environment with folders of tablebases that are asked too, separated as in PATH; processes that
are started inherit it. The colons of a URL are written `%3A`."""


MOST_GROUPS: Final = 64
"""Row groups that are read for the longest wins, at most, so that a large table is not read whole."""
TRIED_STATES: Final = 4_000
"""Random states whose moves are looked up in search of those with one good move, at most."""
STATES_PER_GROUP: Final = 20
"""Random states from one row group, at most: a row group is read whole, so several states share the reading."""


SILENT_SECONDS: Final = 15.0
"""Seconds without a note of its progress after which a table is not being made any more."""


@dataclass(frozen=True)
class OnlyMove:
    """A state in which one move of several keeps the win or the draw of its player."""

    state: Any
    move: int
    score: Score
    """Score of the state, and so of the move, for the first player."""
    others: int
    """Number of the other moves."""


@dataclass(frozen=True)
class KnownTable:
    """A tablebase on this machine; those of `tables_begun` are unfinished."""

    path: Path
    game: str
    """Text of its game, as `game_named` reads it."""
    start: str
    """Text of the state from which its states were listed; `the end game KQK`."""
    states: int


def add_folder(folder: Path | str) -> None:
    """Ask the tablebase of a folder from now on, before those that were made here.

    Raises:
        BadInput: the folder has no finished tablebase.
    """
    path = folder_path(folder)
    if not read_manifest(path)["whole"]:
        raise unfinished_error(path)
    named = str(folder) if is_store(path) else str(path.absolute())
    folders = [each.replace(":", QUOTED_COLON) if SCHEME in each else each for each in (named, *asked_folders())]
    # The folders stand in the environment, not in a variable of the module: worker processes ask the same folders.
    os.environ[FOLDERS_VARIABLE] = os.pathsep.join(folders)


def asked_folders() -> tuple[str, ...]:
    """Folders that are asked beside the user's own, the last that was named first."""
    folders = filter(None, os.environ.get(FOLDERS_VARIABLE, "").split(os.pathsep))
    return tuple(each.replace(QUOTED_COLON, ":") if f"{QUOTED_COLON}//" in each else each for each in folders)


def tables_of(game: Game[Any], asked: Sequence[str] = ()) -> list["Tablebase"]:
    """Finished tablebases of these rules: those of folders that are asked, then those made here, the whole game's and
    end games'."""
    if not asked and not user_tables_root().exists():  # as usual: the fingerprint would take longer than a short search
        return []
    # The rules' fingerprint names the folder: changed rules have another one, so an old table never answers for them.
    rules, here = rules_fingerprint(game), user_table_folder(game)
    paths: list[Path | str] = [each for each in asked if read_manifest(folder_path(each))["rules"] == rules]
    paths += [path for path in (here, *sorted(here.parent.glob(f"{here.name}-*"))) if is_whole(path)]
    return [Tablebase(path, game) for path in paths]


def finished_tables() -> list[KnownTable]:
    """Finished tablebases, by their games: those of folders that are asked, and those made here."""
    here = [path.parent for path in user_tables_root().glob(f"*/{MANIFEST}")]
    found = []
    folders: list[Path | str] = [*asked_folders(), *here]
    for folder in folders:
        # One bad folder must not hide the others from a list.
        with suppress(BadInput):  # damaged, of a later version, out of reach: a lookup says so
            path = folder_path(folder)
            said = read_manifest(path)
            if said["whole"]:
                found.append(KnownTable(path, str(said["game"]), str(said["start"]), int(said["states"])))
    return sorted(found, key=lambda table: table.game)


def tables_begun() -> list[tuple[KnownTable, Progress]]:
    """Tablebases that are being made here now, by their games, as far as they are."""
    found = []
    for path in (path.parent for path in user_tables_root().glob(f"*/{MANIFEST}")):
        with suppress(BadInput):
            said = read_manifest(path)
            if not said["whole"] and (noted := read_progress(path)) and noted[1] < SILENT_SECONDS:
                found.append((KnownTable(path, str(said["game"]), str(said["start"]), int(said["states"])), noted[0]))
    return sorted(found, key=lambda each: each[0].game)


def unfinished_error(path: Path) -> BadInput:
    """Error for a table that is not finished."""
    return BadInput(f"{path} is not finished: the command that began it goes on with it.")


def user_table_folder(game: Game[Any], material: str = "") -> Path:
    """Folder of the tablebase of a whole game, or an end game, made on this machine."""
    return user_tables_root() / (rules_fingerprint(game) + (material and f"-{material.upper()}"))


def user_tables_root() -> Path:
    """Folder of all tablebases made on this machine."""
    return user_data_path("plyground") / "tablebases"


def is_whole(path: Path) -> bool:
    """Whether a folder has a finished tablebase."""
    return (path / MANIFEST).exists() and bool(read_manifest(path)["whole"])


class Tablebase(Lookup):
    """Exact values of all states of a game from one position on, read from a folder.

    The value of a state is that of a game that begins with it: the moves before, which count for repetitions, and
    counters that only bring a draw nearer are left out.
    """

    @check_arguments
    def __init__(self, path: Path | str, game: Game[Any]) -> None:
        """Open a folder.

        Args:
            path: the folder, or the URL of one in a store, such as `s3://bucket/folder`.
            game: the rules.

        Raises:
            BadInput: it has no table, an unfinished one, or one of other rules; or a store cannot be reached.
        """
        path = folder_path(path)
        game, said = as_game(game), read_manifest(path)
        self.path: Path = path
        self.game: Game[Any] = game
        # The fingerprint leaves out the evaluation: a game with a learned evaluation has the same table.
        self.rules: str = _rules_of(game)
        """Fingerprint of the rules, under which alone a value is given."""
        if said["rules"] != self.rules:
            raise other_rules_error(path, said)
        if not said["whole"]:
            raise unfinished_error(path)
        self.start: str = str(said["start"])
        self.tiers: dict[int, Tier] = parse_tiers(said)
        self._pattern = game.initial()
        self._kind = type(self._pattern)
        self._shards: dict[tuple[int, int], KeptShard] = {}
        self._cache = GroupCache()

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process opens the folder anew."""
        return Tablebase, (self.path, self.game)

    def __len__(self) -> int:
        """States, one of those that are the same under symmetry."""
        return sum(run.count for tier in self.tiers.values() for run in tier.kept)

    def __repr__(self) -> str:
        return f"<Tablebase of {self.game!r} from {self.start}: {len(self):,} states>"

    @property
    def title(self) -> str:
        """Name for people."""
        return "the tablebase"

    def state_of(self, asked: Any) -> Any:
        """State that is asked for: a position's of the same rules, a text's, or a state, which tells no rules.

        Raises:
            BadInput: the text is no position of the game; a `WrongType` of it: a position of other rules, or something
                else.
        """
        if isinstance(asked, str):
            return Position.parse(self.game, asked).state
        if isinstance(asked, Position):
            if _rules_of(asked.game) != self.rules:
                mine, other = _game_name(self.game), _game_name(asked.game)
                rules = " by other rules, as before or after a change of its file" if other == mine else ""
                raise WrongType(f"This is the table of {mine}, and the position is one of {other}{rules}.")
            return asked.state
        if getattr(asked, "_fields", None) != self._pattern._fields or _shape(asked) != _shape(self._pattern):
            what = repr(asked)[:60]
            raise WrongType(f"{what} is no position of {_game_name(self.game)}: give one, its text, or its state.")
        return asked

    def score(self, state: Any) -> Score | None:
        """Score of a state, for the first player; None where it is not in the table.

        A state tells no rules; those of a position are compared with the table's.

        Raises:
            WrongType: it is no state of the game, or a position of other rules.
            Damaged: a file was changed.
        """
        if type(state) is not self._kind:
            state = self.state_of(state)
        # Most states of a game are their own keys: then one look-up answers, and the rules are not asked for the
        # outcome.
        if self.game.repetition_key(state) == state and (
            score := self._find_score(state)
        ):  # its outcome is in the table
            return score
        utility = self.game.outcome(state)
        return self._find_score(state) if utility == ONGOING else Score.over(utility)

    def _find_score(self, state: Any) -> Score | None:
        """Score of a state without the counters that its key lacks; None where it is not in the table."""
        key = listed_state(self.game, state)
        tier = self.tiers.get(self.game.tier(key))
        if tier is None:
            return None
        # The number of files is a power of two, and a state is in the file of its hash's lowest bits.
        found = self._shard(tier.number, hash_of(key) & len(tier.kept) - 1).find(tuple(flat(key)))
        return None if found is None else _score(*found)

    def _shard(self, tier: int, number: int) -> KeptShard:
        if (shard := self._shards.get((tier, number))) is None:
            file = self.tiers[tier].kept[number]
            shard = self._shards[tier, number] = KeptShard(self.path, file, len(flat(self._pattern)), self._cache)
        return shard

    def moves(self, state: Any) -> tuple[tuple[int, Score], ...] | None:
        """Every move of an unfinished state with its score, as `Lookup.moves`; the state is as for `score`."""
        return super().moves(self.state_of(state))

    def line(self, state: Any) -> tuple[int, ...]:
        """Best play from a state, as `Lookup.line`; the state is as for `score`."""
        return super().line(self.state_of(state))

    def __getitem__(self, position: Position | str) -> Score:
        """Score of a position, for the first player: exact, with the plies of a win.

        Raises:
            KeyError: it is not in the table.
            WrongType: it is no position, or one of other rules.
        """
        state = self.state_of(position)
        if (score := self.score(state)) is None:
            raise KeyError(self.game.text(state))
        return score

    def __contains__(self, position: Position | str) -> bool:
        return self.score(self.state_of(position)) is not None

    def __iter__(self) -> Iterator[tuple[Any, Score]]:
        """All states with their scores, tier by tier."""
        for tier in sorted(self.tiers.values(), key=lambda tier: tier.number):
            for *words, utility, plies in self._groups(tier):
                for row in range(len(utility)):
                    yield self._state_of_row(words, row), _score(int(utility[row]), int(plies[row]))

    @check_arguments
    def sample(self, count: int, seed: int = 0) -> list[tuple[Any, Score]]:
        """States drawn at random, each at most once, with their scores, tier by tier; all, if there are no more.

        Raises:
            BadInput: a number below 0.
        """
        _require_count(count)
        # Rows are drawn among all of them, then sorted, so that each row group is read once.
        rows = sorted(random.Random(seed).sample(range(len(self)), min(count, len(self))))
        found, before = list[tuple[Any, Score]](), 0
        for tier in sorted(self.tiers.values(), key=lambda tier: tier.number):
            for number, run in enumerate(tier.kept):
                for row in rows[bisect_left(rows, before) : bisect_left(rows, before + run.count)]:
                    group, at = divmod(row - before, GROUP_STATES)
                    *words, utility, plies = self._shard(tier.number, number).group(group)
                    found.append((self._state_of_row(words, at), _score(int(utility[at]), int(plies[at]))))
                before += run.count
        return found

    @property
    def longest(self) -> tuple[Any, Score]:
        """A state with the longest win of all, and its score; the first state if no state is won."""
        tier = max(self.tiers.values(), key=lambda tier: tier.longest)
        for *words, utility, plies in self._groups(tier):
            row = int(plies.argmax())
            # The manifest knows the tier and the length, so only its groups are read, and only until one has it.
            if int(plies[row]) == tier.longest or tier.longest == 0:
                return self._state_of_row(words, row), _score(int(utility[row]), int(plies[row]))
        raise Damaged(self.path)

    @check_arguments
    def longest_wins(self, count: int) -> list[tuple[Any, Score]]:
        """States with the longest wins, the longest first; of a large table, those of its first row groups.

        Raises:
            BadInput: a number below 0.
        """
        _require_count(count)
        found: list[tuple[Any, Score]] = []
        groups = 0
        for tier in sorted(self.tiers.values(), key=lambda tier: -tier.longest):
            # Tiers by their longest wins: the rest of them cannot have a longer one than those that are found.
            if not tier.longest or (len(found) == count and tier.longest <= (found[-1][1].plies or 0)):
                break
            for *words, utility, plies in self._groups(tier):
                rows = [int(row) for row in plies.argsort(kind="stable")[::-1][:count] if utility[row]]
                found += [(self._state_of_row(words, row), _score(int(utility[row]), int(plies[row]))) for row in rows]
                found = sorted(found, key=lambda each: -(each[1].plies or 0))[:count]
                groups += 1
                if groups == MOST_GROUPS:
                    return found
        return found

    @check_arguments
    def only_moves(self, count: int, seed: int = 0) -> list[OnlyMove]:
        """States in which exactly one of several moves keeps a win or a draw, those with the most moves first.

        They are found among `TRIED_STATES` random states, so that a large table is not read whole.

        Raises:
            BadInput: a number below 0.
        """
        _require_count(count)
        chance, found = random.Random(seed), dict[Any, OnlyMove]()
        tiers = sorted(self.tiers.values(), key=lambda tier: tier.number)
        shards = [(tier.number, shard, run.count) for tier in tiers for shard, run in enumerate(tier.kept) if run.count]
        for _ in range(TRIED_STATES // STATES_PER_GROUP):
            # Weighted by their states, so that each state of the table is as likely; a row group at a time, because
            # that is what is read.
            tier, number, _ = chance.choices(shards, [states for *_, states in shards])[0]
            shard = self._shard(tier, number)
            *words, utility, plies = shard.group(chance.randrange(shard.groups))
            for row in chance.sample(range(len(utility)), min(STATES_PER_GROUP, len(utility))):
                state, score = self._state_of_row(words, row), _score(int(utility[row]), int(plies[row]))
                if state not in found and (only := self._only_move(state, score)):
                    found[state] = only
        return sorted(found.values(), key=lambda only: (-only.others, -(only.score.plies or 0)))[:count]

    def _only_move(self, state: Any, score: Score) -> OnlyMove | None:
        mover, worth = self.game.to_move(state), score.utility or 0
        # A lost state has no move that keeps anything.
        if self.game.outcome(state) != ONGOING or (worth if mover == MAX else -worth) < 0:
            return None
        moves = self.moves(state)
        if moves is None or len(moves) < 2:
            return None
        good = [(move, each) for move, each in moves if each.utility == score.utility]
        return OnlyMove(state, *good[0], len(moves) - 1) if len(good) == 1 else None

    def _groups(self, tier: Tier) -> Iterator[tuple[Any, ...]]:
        """Columns of the states of a tier, group by group."""
        for number in range(len(tier.kept)):
            shard = self._shard(tier.number, number)
            for group in range(shard.groups):
                yield shard.group(group)

    def _state_of_row(self, words: Sequence[Any], row: int) -> Any:
        return fill_pattern(self._pattern, iter([int(column[row]) for column in words]))


def _require_count(count: int) -> None:
    if count < 0:
        raise BadInput(f"count={count}: 0 states or more.")


def _game_name(game: Game[Any]) -> str:
    return game_text(game) or repr(game)


def _shape(value: Any) -> Any:
    """Form of a state: 0 for an int, and of a tuple those of its items."""
    return tuple(map(_shape, value)) if isinstance(value, tuple) else 0 if isinstance(value, int) else type(value)


# A fingerprint follows all code of the rules, which takes longer than a short search, and each position is compared.
@lru_cache(maxsize=64, typed=True)
def _rules_of(game: Game[Any]) -> str:
    """Fingerprint of a game's rules, whatever its evaluation; equal games of one class have the same."""
    return rules_fingerprint(own_rules(game))


class Tables(Lookup):
    """Tablebases of one game, asked by play and analysis. A state whose counter of quiet plies may draw the game before
    the win has no score."""

    def __init__(self, tables: Sequence[Tablebase]) -> None:
        """Ask these tables, at least one, in this order."""
        self.game: Game[Any] = tables[0].game
        self._tables = tables

    @property
    def title(self) -> str:
        """Name for people."""
        return self._tables[0].title

    def score(self, state: Any) -> Score | None:
        """Score of a state, for the first player; None where no table has it."""
        for table in self._tables:
            if score := table.score(state):
                # A table counts no quiet plies: a win that takes longer than the counter of this state allows may be a
                # draw here.
                return score if (score.plies or 0) < self.game.drawn_after(state) else None
        return None


def _score(utility: int, plies: int) -> Score:
    return Score(utility, plies=None if plies == NO_PLIES else plies)
