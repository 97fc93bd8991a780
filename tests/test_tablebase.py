"""Tablebases: whole games listed and valued, tier by tier, against published counts and slow twins; kept, looked up."""

import json
import pickle
import random
import subprocess
import sys
import threading
from collections import Counter
from functools import partial
from itertools import islice, permutations
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import chess
import numpy as np
import psutil
import pytest
from cycles import Walk
from pyarrow import parquet
from waiting import until

import plyground as pg
from plyground.arena.adjudication import Adjudication
from plyground.compiled.kernel import kernel
from plyground.errors import GameFault, TooNew
from plyground.exact.book import _book_of, book_of
from plyground.exact.sweep import Sweep
from plyground.exact.tables.folder import FORMAT, MANIFEST, Damaged, Folder, Progress, StateFile
from plyground.exact.tables.reading import finished_tables, user_table_folder
from plyground.exact.tables.table_files import Group, GroupCache, number_values, sort_by_bits, sorted_pieces
from plyground.exact.tables.work_files import read_file, write_file
from plyground.exact.tabulating.chunks import ThreadMemory, run_all
from plyground.exact.tabulating.making import Making
from plyground.labelling.exact_values import ExactValues
from plyground.play.referee import Adjudged
from plyground.rules import ONGOING
from plyground.score import earlier, final, utility_of
from plyground.search.memory import Memory, halves, new_memory, read_state, write_state
from plyground.search.observer import Counting
from plyground.search.table import hash_of
from plyground.search.tiers import (
    COUNT,
    DIRECTORY,
    DIRECTORY_INTS,
    END,
    HEAD,
    NEXT,
    SHARDS,
    StateSet,
    add_shard_states,
    close_gaps,
    listed_state,
    new_reserved,
    new_set,
    slot_of,
)
from plyground.web.views import tables
from plyground.web.views.models import Nothing
from plyground.workers.cluster import Cluster

pytest.importorskip("pyarrow")

WHOLE = [
    "mnk:2,4,2",
    "connectfour:3,3,3",
    "nim:3/4/5",
    "chomp:3,4",
    "domineering:3,4",
    "hex:3",
    "dotsandboxes:1,2",
    "kalah:2,2",
    "breakthrough:3,3",
]


def values_by_trying(game: Any, state: Any) -> dict[Any, int]:
    """The value of each state that can come about, by trying everything; no symmetry, no tiers."""
    values: dict[Any, int] = {}

    def value(here: Any) -> int:
        if here not in values:
            utility = game.outcome(here)
            if utility != ONGOING:
                values[here] = final(utility, 0)
            else:
                after = [value(game.play(here, move)) for move in game.moves(here)]
                nearer = [each - 1 if each > 0 else each + 1 if each < 0 else 0 for each in after]
                values[here] = max(nearer) if game.to_move(here) == pg.MAX else min(nearer)
        return values[here]

    value(state)
    return values


def score_value(score: pg.Score | None) -> int:
    """An exact score as a value."""
    assert score is not None and score.utility is not None
    return final(score.utility, score.plies or 0)


@pytest.mark.parametrize("name", WHOLE)
def test_every_position_by_trying(name: str, tmp_path: Path) -> None:
    """Each state has the value, and the plies to the end, that trying everything gives; and no others are listed."""
    game = pg.game_named(name)
    twin = values_by_trying(game, game.initial())
    table = pg.tablebase(game, tmp_path)
    assert {state for state, _ in table} == {listed_state(game, state) for state in twin}
    for state, value in twin.items():
        assert score_value(table.score(state)) == value, state
    assert table[pg.Position.initial(game)].utility == utility_of(twin[game.initial()])
    farthest, score = table.longest
    assert (score.plies or 0) == max(abs(utility_of(value)) * (1 << 20) - abs(value) for value in twin.values())
    assert twin[farthest] == score_value(score)


@pytest.mark.parametrize("name", ["connectfour:3,3,3", "kalah:2,2", "threemorris"])
def test_what_is_browsed(name: str, tmp_path: Path) -> None:
    """The longest wins are as long as the longest of all; of the moves of a state with an only move, one alone leads to
    as good a result for its player, who does not lose."""
    table = pg.tablebase(game := pg.game_named(name), tmp_path)
    plies = sorted((score.plies or 0 for _, score in table), reverse=True)
    wins = table.longest_wins(7)
    assert [score.plies for _, score in wins] == plies[:7]
    assert all(table.score(state) == score for state, score in wins)
    only = table.only_moves(20)
    assert len({each.state for each in only}) == len(only) > 0
    for each in only:
        side = 1 if game.to_move(each.state) == pg.MAX else -1
        worth = {move: table.score(game.play(each.state, move)) for move in game.moves(each.state)}
        results = {move: side * (score.utility or 0) for move, score in worth.items() if score}
        assert len(results) == each.others + 1 > 1
        assert results[each.move] == side * (each.score.utility or 0) >= 0
        assert [move for move, result in results.items() if result >= results[each.move]] == [each.move]


def test_tables_are_listed_by_what_names_their_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those made from Python, by the options that are not the defaults; an unfinished one is not."""
    monkeypatch.setattr("plyground.exact.tables.reading.user_data_path", lambda _: tmp_path)
    for name in ("connectfour:3,3,3", "nim", "nim:1/2"):
        pg.tablebase(pg.game_named(name))
    (tmp_path / "tablebases" / "other").mkdir()
    (tmp_path / "tablebases" / "other" / MANIFEST).write_text("{}", encoding="utf-8")
    found = {table.game: table.states for table in finished_tables()}
    assert found.keys() == {"connectfour:width=3,height=3,k=3", "nim", "nim:heaps=1/2"}
    assert found["nim"] == len(pg.tablebase("nim"))
    manifest = user_table_folder(pg.game_named("nim:1/2")) / MANIFEST
    manifest.write_text(manifest.read_text("utf-8").replace('"rules": "', '"rules": "0'), encoding="utf-8")
    shown = [line.game for line in next(tables.tables(Nothing())).tables]
    assert shown == ["connectfour:width=3,height=3,k=3", "nim"]  # the page leaves out what has other rules now
    with pytest.raises(pg.BadInput, match=r"^There is no tablebase of nim:heaps=1/2 here"):
        next(tables.table(tables.TableName(game="nim:heaps=1/2")))


def values_of(table: pg.Tablebase) -> dict[Any, int]:
    """All values of a table."""
    return {state: score_value(score) for state, score in table}


class Bare(pg.MNK):
    """Tic-tac-toe that knows no symmetry and no tiers: one tier, and moves within it."""

    def canonical(self, state: Any) -> Any:
        return state

    def tier(self, state: Any) -> int:
        return 0


def test_tiers_and_symmetry_change_no_value(tmp_path: Path) -> None:
    """Positions have the same values with tiers and symmetry, and without."""
    whole, table = pg.tablebase(Bare(3, 3, 2), tmp_path / "bare"), pg.tablebase(pg.MNK(3, 3, 2), tmp_path / "mnk")
    assert len(whole.tiers) == 1 < len(table.tiers)
    assert {state: score_value(table.score(state)) for state, _ in whole} == values_of(whole)


class Drawn(Walk):
    """A walk whose repetitions are draws."""

    repetition_value = pg.Game.repetition_value


@pytest.mark.parametrize("place", range(20))
def test_cycles_against_retrograde_analysis(place: int, tmp_path: Path, seed: int) -> None:
    """On random graphs, as the analysis that keeps all moves has it."""
    chance = random.Random(f"{seed} {place}")
    nodes = chance.randint(2, 9)
    edges = tuple(
        tuple(sorted(chance.sample(range(nodes), min(nodes, 2)))) if chance.random() < 0.8 else (-1, -1)
        for _ in range(nodes)
    )
    if edges[0][0] < 0:
        edges = ((1, 0), *edges[1:])
    owners = tuple(chance.randrange(2) for _ in range(nodes))
    game = Drawn(edges, owners, tuple(chance.randint(-2, 2) for _ in range(nodes)))
    here = pg.Position.initial(game)
    sweep = Sweep(here)
    sweep.list()
    sweep.value()
    table = pg.tablebase(game, tmp_path)
    for state, score in table:
        known = sweep.score(state)
        assert known is not None and known.utility == score.utility
        assert known.plies is None or known.plies == score.plies


def test_a_repetition_must_be_a_draw(tmp_path: Path) -> None:
    """Else values depend on the moves before, and a sentence says so."""
    game = pg.game_named("threemorris")
    strict = type("Strict", (pg.Morris,), {"repetition": 2, "repetition_value": lambda _, state: 1 - 2 * state.turn})(3)
    assert pg.tablebase(game, tmp_path / "draws")[pg.Position.initial(game)] == pg.Score(1, plies=9)
    with pytest.raises(pg.BadInput, match="depend on the moves before"):
        pg.tablebase(strict, tmp_path / "strict")


@pytest.mark.parametrize(
    ("spec", "room", "least"), [("connectfour:3,3,3", 24, 4), ("threemorris", 400, 50), ("bare", 200, 25)]
)
def test_a_table_in_shards_has_the_same_values(
    spec: str, room: int, least: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the memory: tiers that do not fit are cut, also where moves stay within them, and each part is looked up
    in its own file."""
    monkeypatch.setattr("plyground.exact.tabulating.worker.LEAST_SHARD_ROOM", least)
    game: pg.Game[Any] = Bare(2, 4, 2) if spec == "bare" else pg.game_named(spec)
    here = pg.Position.initial(game)
    for name, most in (("whole", 1 << 20), ("cut", room)):
        making = Making(Folder(tmp_path / name, game, name, here.text), here)
        making._room = most
        making.run()
    whole, cut = (pg.Tablebase(tmp_path / name, game) for name in ("whole", "cut"))
    assert max(tier.shards for tier in whole.tiers.values()) == 1 < max(tier.shards for tier in cut.tiers.values())
    assert values_of(whole) == values_of(cut)
    assert all(cut.score(state) == score for state, score in whole)


def test_memory_that_is_too_small_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Too little for any shard, too many shards, too little disk; what is done stays."""
    here = pg.Position.initial(Bare(2, 4, 2))
    making = Making(Folder(tmp_path, here.game, "bare", here.text), here)
    making._room = 50
    with monkeypatch.context() as few, pytest.raises(pg.BadInput, match="allow more memory"):
        few.setattr("plyground.exact.tabulating.making.MOST_SHARDS", 2)
        making.run()
    with pytest.raises(pg.BadInput, match="at least 321 MiB"):
        Making(Folder(tmp_path, here.game, "bare", here.text), here, mebibytes=320)
    with pytest.raises(pg.BadInput, match="--disk allows 0 MiB"):
        pg.tablebase(pg.MNK(2, 4, 2), tmp_path / "mnk", disk=0)
    assert len(pg.tablebase(pg.MNK(2, 4, 2), tmp_path / "mnk")) > 0


@pytest.mark.compiled
@pytest.mark.process
@pytest.mark.nightly
@pytest.mark.parametrize("jobs", [1, 2])
def test_the_memory_is_a_bound(jobs: int, tmp_path: Path) -> None:
    """A process that may have 330 MiB has had no more at its end: tiers are cut into up to four shards."""
    code = (
        "import resource, sys\nfrom pathlib import Path\nimport plyground as pg\n"
        "pg.tablebase(pg.game_named('connectfour:5,4'), Path(sys.argv[1]), memory=330, jobs=int(sys.argv[2]))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path), str(jobs)], capture_output=True, check=True, timeout=110
    )
    assert int(done.stdout) <= 330


def test_a_tier_that_a_move_lowers(tmp_path: Path) -> None:
    """It is the rules that break a law."""
    falling = type("Falling", (pg.MNK,), {"tier": lambda _, state: 9 - bin(state.mine[0] | state.theirs[0]).count("1")})
    with pytest.raises(GameFault, match="tier breaks its law"):
        pg.tablebase(falling(), tmp_path)


def test_what_is_no_table_of_these_rules(tmp_path: Path) -> None:
    """Other rules, another start, a later version, an unfinished one, none: a sentence each."""
    game, other = pg.game_named("mnk:2,3,2"), pg.game_named("mnk:3,2,2")
    pg.tablebase(game, tmp_path)
    with pytest.raises(pg.BadInput, match="by other rules"):
        pg.Tablebase(tmp_path, other)
    with pytest.raises(pg.BadInput, match="by other rules"):
        pg.tablebase(other, tmp_path)
    with pytest.raises(pg.BadInput, match="not from"):
        pg.tablebase(game, tmp_path, start=pg.Position.parse(game, "a1"))
    with pytest.raises(pg.BadInput, match="name a folder"):
        pg.tablebase(game, start=pg.Position.parse(game, "a1"))
    with pytest.raises(pg.BadInput, match="has no tablebase"):
        pg.Tablebase(tmp_path / "none", game)
    said = json.loads((tmp_path / MANIFEST).read_text())
    del said["crc32"]
    for changed, fault, words in (
        ({"plyground table": FORMAT + 1}, TooNew, f"of version {FORMAT + 1}"),
        ({"whole": False}, pg.BadInput, "not finished"),
        ({"rules": None, "tiers": 3}, Damaged, "damaged"),
    ):
        (tmp_path / MANIFEST).write_text(json.dumps(said | changed))
        with pytest.raises(fault, match=words):
            pg.Tablebase(tmp_path, game)


def edited_game(power: int) -> pg.MNK:
    """Tic-tac-toe as a file has it before and after a change: a won line counts so much."""

    class Mine(pg.MNK):
        def outcome(self, state: Any) -> int:
            utility = super().outcome(state)
            return utility if utility == ONGOING else utility * power

    return Mine(3, 3, 3)


def test_a_value_is_given_for_these_rules_alone(tmp_path: Path) -> None:
    """A position of another size, of another number in a row, of rules that were edited, of another game, and what is
    no position: each is refused in a sentence by every way of asking; the same rules read anew are not."""
    table = pg.tablebase("connectfour:4,3,3", tmp_path / "c4")
    mine, yours = pg.tablebase(edited_game(1), tmp_path / "mine"), pg.Position.initial(edited_game(2))
    one_pile, misere = pg.tablebase("nim:3", tmp_path / "nim"), pg.Position.initial("nim:3,misere=true")
    foreign = [
        (table, pg.Position.parse("connectfour:4,3,4", "a b a b a"), "position is one of connectfour:width=4,height=3"),
        (table, pg.Position.initial("connectfour:3,4,3"), "This is the table of connectfour:width=4,height=3,k=3"),
        (table, pg.Position.initial("tictactoe"), "position is one of tictactoe"),
        (mine, yours, "by other rules, as before or after a change of its file"),
        (one_pile, misere, "position is one of nim"),
    ]
    for held, here, words in foreign:
        ways = [held.__getitem__, held.__contains__, held.score, held.moves, held.line]
        for ask in ways:
            with pytest.raises(pg.WrongType, match=words):
                ask(here)
    others: list[Any] = [3, None, (1, 2), pg.Position.initial("tictactoe").state]
    for wrong in others:
        for ask in (table.__getitem__, table.__contains__, table.score, table.moves):
            with pytest.raises(pg.WrongType, match="is no position of connectfour"):
                ask(wrong)
    with pytest.raises(pg.BadInput, match="'zz'"):
        table["zz"]
    here = pg.Position.initial(edited_game(1))  # a class of its own, as of a file that is read again
    assert mine[here] == mine.score(here.state) == mine.score(here) and here in mine
    assert table["a b"] == table[pg.Position.parse(table.game, "a b")] and "a b" in table
    assert dict(pickle.loads(pickle.dumps(table))) == dict(table) and "80 states" not in repr(table)


@pytest.mark.parametrize("count", [-1, 2.5, "3"])
def test_numbers_of_states(count: Any, tmp_path: Path) -> None:
    """A sentence for what is no number of states."""
    table = pg.tablebase("connectfour:3,3,3", tmp_path)
    for ask in (table.sample, table.longest_wins, table.only_moves):
        with pytest.raises(pg.BadInput, match=r"^count="):
            ask(count)


def test_states_drawn_at_random(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each at most once, with the score that a lookup finds; the same for one seed; all, where more are asked for."""
    monkeypatch.setattr("plyground.exact.tables.table_files.GROUP_STATES", 16)
    monkeypatch.setattr("plyground.exact.tables.table_files.PIECE_STATES", 32)
    monkeypatch.setattr("plyground.exact.tables.reading.GROUP_STATES", 16)
    table = pg.tablebase("connectfour:3,3,3", tmp_path)
    drawn = table.sample(50, seed=3)
    assert drawn == table.sample(50, seed=3) != table.sample(50, seed=4)
    assert len({state for state, _ in drawn}) == 50
    assert all(table.score(state) == score for state, score in drawn)
    assert table.sample(len(table) + 1) == [*table]


def test_groups_in_memory_are_those_asked_for_last() -> None:
    """No more bytes than are allowed, but for one group that is larger by itself."""
    cache, asked = GroupCache(most=100), list[tuple[str, int]]()
    chance = random.Random(1)
    sizes: dict[Any, int] = {(shard, index): chance.randrange(1, 60) for shard in "ab" for index in range(8)}
    for _ in range(500):
        key = chance.choice([*sizes])
        if cache.get(*key) is None:
            cache.add(key[0], key[1], Group((), (), sizes[key]))
        asked = [key, *(other for other in asked if other != key)]
        kept = [other for other in asked if other in cache._groups]
        assert kept == asked[: len(kept)] and sum(sizes[other] for other in kept) == cache._size <= 100
    cache.add("a", 9, Group((), (), 200))
    assert [*cache._groups] == [("a", 9)]


@pytest.mark.compiled
def test_a_state_with_a_counter_has_its_own_end(tmp_path: Path) -> None:
    """A state whose count of quiet plies has drawn the game is a draw, though without the count it is won."""
    game = pg.Draughts(quiet=12)
    table = pg.tablebase(game, tmp_path, material="1-1")
    won = [(state, score) for state, score in table if score.utility and score.plies and game.moves(state)]
    for state, score in won:
        assert table.score(state) == score
        assert table.score(state._replace(quiet=12)) == pg.Score.over(0)
    assert len(won) > 100


def test_tables_of_an_earlier_version(tmp_path: Path) -> None:
    """A whole one is read, whatever its manifest said of the work besides; one that was begun is refused."""
    game = pg.game_named("mnk:2,3,2")
    table = pg.tablebase(game, tmp_path)
    said = json.loads((tmp_path / MANIFEST).read_text())
    del said["crc32"]
    before = [{key: part for key, part in file.items() if key != "slots_check"} for file in said["tiers"]["0"]["kept"]]
    said |= {"plyground table": 2, "tiers": {**said["tiers"], "0": {**said["tiers"]["0"], "index": [], "kept": before}}}
    (tmp_path / MANIFEST).write_text(json.dumps(said))
    assert values_of(pg.tablebase(game, tmp_path)) == values_of(table)
    (tmp_path / MANIFEST).write_text(json.dumps(said | {"whole": False}))
    with pytest.raises(pg.BadInput, match="an earlier version has begun: delete it, and begin again"):
        pg.tablebase(game, tmp_path)


@pytest.mark.parametrize("harm", ["flip", "cut", "remove"])
def test_a_damaged_file_is_found_when_it_is_read(harm: str, tmp_path: Path) -> None:
    """Never a wrong value."""
    game = pg.game_named("connectfour:3,3,3")
    table = pg.tablebase(game, tmp_path)
    file = max(tmp_path.glob("*.parquet"), key=lambda file: file.stat().st_size)
    data = bytearray(file.read_bytes())
    if harm == "flip":
        data[len(data) // 8] ^= 16
    file.write_bytes(data if harm == "flip" else data[:200])
    if harm == "remove":
        file.unlink()
    with pytest.raises(Damaged, match="make the table again"):
        list(pg.Tablebase(tmp_path, game))
    assert len(table) > 0


def test_a_changed_bit_hides_no_state(tmp_path: Path) -> None:
    """Of any index or the manifest: it is found, where it would have made states not in the table."""
    game, chance = pg.game_named("connectfour:4,3,3"), random.Random(1)
    pg.tablebase(game, tmp_path)
    for file in (tmp_path / MANIFEST, *tmp_path.glob("*.npy")):
        data = file.read_bytes()
        for _ in range(8):
            changed = bytearray(data)
            changed[chance.randrange(len(data))] ^= 1 << chance.randrange(7)
            file.write_bytes(changed)
            with pytest.raises((Damaged, TooNew)):  # the version's own digits
                list(pg.Tablebase(tmp_path, game))
        file.write_bytes(data)
    assert list(pg.Tablebase(tmp_path, game))


def test_play_and_analysis_ask_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table in the user's folder is asked before any search; one of a game with repetitions is not."""
    monkeypatch.setattr("plyground.exact.tables.reading.user_data_path", lambda _: tmp_path)
    game = pg.game_named("connectfour:3,3,3")
    here = pg.Position.initial(game)
    table = pg.tablebase(game)
    assert user_table_folder(game) == table.path and book_of(here) is not None
    report = [*pg.think(here, pg.Limit(time=1))][-1]
    assert (report.nodes, report.source) == (0, "the tablebase") and report.score == table[here]
    solution = pg.solve(here)
    assert solution.source == "the tablebase" and solution.score == table[here]
    _book_of.cache_clear()


@pytest.mark.parametrize("shards", [1, 4])
def test_a_set_has_its_states_shard_by_shard(shards: int, seed: int) -> None:
    """Each state once, in the shard of its hash; a set without room says where it stopped, and a larger one goes on."""
    chance = random.Random(seed)
    states = [Place(chance.randrange(-60, 60)) for _ in range(300)]
    small = new_set(1, 4, shards)
    stopped = gathered(states, 1, 0, small)
    assert stopped < 300 and len({*states[:stopped]}) == small.head[COUNT] >= 4
    found = new_set(1, 128, shards)
    assert gathered(states, 1, 0, found) == 300
    for shard in range(shards):
        first, _, _, count = found.head[DIRECTORY + DIRECTORY_INTS * shard :][:DIRECTORY_INTS]
        its = dict.fromkeys(state for state in states if hash_of(state) & shards - 1 == shard)
        assert [read_state(found.states, first + at, states[0]) for at in range(count)] == [*its]
        alone = new_set(1, 128)
        gathered(states, shards, shard, alone)
        assert [*alone.states[:count]] == [*found.states[first : first + count]]
        assert [*alone.slots] == [*found.slots[shard * len(alone.slots) :][: len(alone.slots)]]
    for run in (StateFile("", 0, 0, shard, 4) for shard in range(4)):  # a run's part may have a shard's states
        for cut in (1, 2, 4, 8):
            held = {hash_of(state) & cut - 1 for state in states if hash_of(state) & 3 == run.shard}
            assert held == {shard for shard in range(cut) if run.may_have(shard, cut)}


class Place(NamedTuple):
    """A state of one number."""

    number: int


def gathered(states: list[Place], shards: int, shard: int, found: StateSet) -> int:
    """Add the states of a shard to a set; returns how many were looked at."""
    game: Any = pg.MNK()
    source, cursor, reserved = new_memory(len(states)), new_memory(HEAD), new_reserved(found.head[SHARDS])
    for place, state in enumerate(states):
        write_state(source, place, state)
    cursor[END] = len(states)
    add_shard_states(game, Counting.fresh(), states[0], source, cursor, shards, shard, found, reserved)
    close_gaps(states[0], found, [reserved])
    return cursor[NEXT]


@pytest.mark.compiled
@pytest.mark.parametrize("shards", [1, 4])
def test_threads_fill_one_set(shards: int) -> None:
    """Four threads that add the same states at the same time, in the same order, add each once, without a gap."""
    game, numbers = pg.MNK(), [hash_of(Place(number)) for number in range(50_000)]
    lists, run = [new_memory(len(numbers)) for _ in range(4)], kernel(add_shard_states, game)
    for memory in lists:
        for place, number in enumerate(numbers):
            memory[place] = number
    for room in (1 << 17, 40_000):  # enough, and too little
        found, memories = new_set(1, room // shards, shards), [ThreadMemory(1, shards) for _ in lists]
        run.prepare(Counting.fresh(), Place(0), lists[0], memories[0].cursor, 1, 0, found, memories[0].reserved)
        ready = threading.Barrier(len(lists))

        def add(local: ThreadMemory, memory: Memory, found: StateSet = found, ready: threading.Barrier = ready) -> None:
            local.cursor[END] = len(memory)
            ready.wait()
            run(Counting.fresh(), Place(0), memory, local.cursor, 1, 0, found, local.reserved)

        run_all([partial(add, local, memory) for local, memory in zip(memories, lists, strict=True)])
        close_gaps(Place(0), found, [local.reserved for local in memories])
        count, held = found.head[COUNT], list[int]()
        for shard in range(shards):
            first, _, _, its = found.head[DIRECTORY + DIRECTORY_INTS * shard :][:DIRECTORY_INTS]
            held += [found.states[first + at] for at in range(its)]
            for at in range(its):
                state = Place(found.states[first + at])
                assert slot_of(found, state, hash_of(state)) == first + at
        assert len({*held}) == len(held) == count and {*held} <= {*numbers}
        if room > len(numbers):
            assert count == len(numbers)
        else:
            looked = [
                memory[at] for local, memory in zip(memories, lists, strict=True) for at in range(local.cursor[NEXT])
            ]
            assert {*looked} <= {*held} and count > room // 2


def test_a_search_just_outside_of_a_table_knows_what_it_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A win in the table is known when it is two plies away, with best play to the end; at its end a search says the
    same with the table and without."""
    monkeypatch.setattr("plyground.exact.tables.reading.user_data_path", lambda _: tmp_path / "data")
    game = pg.game_named("nim:3/4/5")
    here = pg.Position.initial(game)
    whole = pg.tablebase(game, tmp_path / "whole")
    win = next(move for move, score in whole.moves(here.state) or () if score.utility == 1)
    part = pg.tablebase(game, tmp_path / "part", start=here.play(win))
    assert part.score(here.state) is None
    reports = []
    for folders in ("", str(part.path)):
        monkeypatch.setenv("PLYGROUND_TABLEBASES", folders)
        reports.append([*pg.think(here, pg.Limit(time=60))])
    alone, known = reports
    assert alone[1].depth == known[1].depth == 2
    assert alone[1].score.utility is None and known[1].score.utility == 1
    assert known[1].moves[0][0] == win and len(known[1].variation) == whole[here].plies
    assert known[-1].score.utility == whole[here].utility == 1


@pytest.mark.compiled
@pytest.mark.parametrize(("spec", "count"), [("connectfour:4,4", 161_029)])
def test_published_counts(spec: str, count: int, tmp_path: Path) -> None:
    """Positions of Connect Four by John Tromp (OEIS A212693), from one of each two that are the same in a mirror."""
    game = pg.game_named(spec)
    table = pg.tablebase(game, tmp_path)
    found = 0
    for tier in table.tiers.values():
        for *words, _, _ in table._groups(tier):
            found += sum(2 - is_its_own_mirror(game, mine, theirs) for mine, theirs in zip(*words, strict=True))
    assert found == count


def is_its_own_mirror(game: Any, mine: int, theirs: int) -> bool:
    """Whether a position of Connect Four, with one word a side, is the same in a mirror."""
    column = (1 << game.stride) - 1
    columns = [(mine >> game.stride * at & column, theirs >> game.stride * at & column) for at in range(game.width)]
    return columns == columns[::-1]


def test_end_games_by_their_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All positions of an end game, in a folder of its own, with the values that they have in the whole game; an
    unknown name is refused with a sentence."""
    monkeypatch.setattr("plyground.exact.tables.reading.user_data_path", lambda _: tmp_path)
    game = pg.game_named("threemorris")
    whole, ending = pg.tablebase(game), pg.tablebase(game, material="3-3")
    assert ending.path != whole.path and len(ending) < len(whole)
    placed = {state for state, _ in whole if state.my_hand == state.their_hand == 0}
    assert placed <= {state for state, _ in ending}
    assert all(ending.score(state) == whole.score(state) for state in placed)
    assert {state for state, _ in ending} == {
        listed_state(game, state)
        for men in permutations(range(9), 6)
        if men[0] < men[1] < men[2] and men[3] < men[4] < men[5]
        for state in game.lay_pieces(bytes([1, 1, 1, 2, 2, 2]), men, 6)
    }
    shown = {line.start: line.states for line in next(tables.tables(Nothing())).tables}
    assert shown == {"": len(whole), "the end game 3-3": len(ending)}
    seen = next(tables.table(tables.TableName(game="threemorris", start="the end game 3-3")))
    assert seen.table.states == len(ending)
    kings = pg.tablebase("chess", tmp_path / "kings", material="kk")
    assert len(kings) == 2 * 462  # as published: 462 ways to place two kings
    for name, material in (("chess", "KQ"), ("draughts", "0-2"), ("morris", "2-3"), ("hex", "3")):
        with pytest.raises(pg.BadInput, match="is no end game"):
            pg.tablebase(name, material=material)
    with pytest.raises(pg.BadInput, match="has no material"):
        pg.tablebase(game, tmp_path / "both", start=pg.Position.parse(game, "a1"), material="3-3")
    with pytest.raises(pg.BadInput, match="not from the end game KNK"):
        pg.tablebase("chess", kings.path, material="KNK")


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("men", "moves"),
    [
        ("KQK", 10),
        *(
            pytest.param(*each, marks=(pytest.mark.nightly, pytest.mark.timeout(1800)))
            for each in (("KRK", 16), ("KPK", 28), ("KBNK", 33), ("KQKR", 35))
        ),
    ],
)
def test_longest_mates(men: str, moves: int, tmp_path: Path) -> None:
    """Longest mates, in the winner's moves, equal those of Nalimov's tables (31 in KQKR is Thompson's distance to the
    next capture); and each value follows from those of the moves that python-chess lists."""
    table = pg.tablebase(game := pg.Chess(), tmp_path, material=men)
    assert max(each.longest for each in table.tiers.values()) in (2 * moves, 2 * moves - 1)
    states = [state for state, _ in islice(table, 0, None, len(table) // 300)]
    for state in states:
        board = chess.Board(game.fen(state))
        assert board.is_valid()
        after = [table.score(game.parse_state(_played(board, move))) for move in board.legal_moves]
        if game.outcome(state) == ONGOING:
            best = (max if board.turn else min)(map(score_value, map(earlier, filter(None, after))))
            assert len(after) == board.legal_moves.count() and best == score_value(table.score(state))


def _played(board: chess.Board, move: chess.Move) -> str:
    after = board.copy()
    after.push(move)
    return after.fen()


@pytest.mark.compiled
@pytest.mark.nightly
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("pieces", "count"), [(2, 6_972), (3, 261_224), (4, 7_092_774)])
def test_positions_of_draughts(pieces: int, count: int, tmp_path: Path) -> None:
    """As many as the Chinook project counts, whoever is to move; where one side has all, men stand on 28 squares."""
    table = pg.tablebase("draughts", tmp_path, material=str(pieces))
    both = 0
    for file in table.path.glob("*.parquet"):
        mine, theirs = (column.to_numpy() for column in parquet.read_table(file, columns=["word_0", "word_1"]).columns)
        total = np.bitwise_count(mine) + np.bitwise_count(theirs)
        both += int(((total == pieces) & (mine != 0) & (theirs != 0)).sum())
    of_one = sum(comb(28, men) * comb(32 - men, pieces - men) for men in range(pieces + 1))
    assert both // 2 + 2 * of_one == count


@pytest.mark.compiled
@pytest.mark.nightly
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("white", "black", "counts"),
    [
        (3, 3, {(3, 3): (140_621, 28_736, 269)}),
        (4, 3, {(4, 3): (75_397, 3_095, 681_906), (3, 4): (102_281, 0, 658_117)}),
        (4, 4, {(4, 4): (159, 29, 3_225_409)}),
    ],
)
def test_end_games_of_morris(
    white: int, black: int, counts: dict[tuple[int, int], tuple[int, int, int]], tmp_path: Path
) -> None:
    """The numbers of positions won, lost and drawn for the player to move, by the men of both players, are those of a
    public re-computation of Gasser's analysis (eigenraum/solving-nine-mens-morris, RESULTS.md, commit 01e88ca)."""
    table = pg.tablebase(game := pg.Morris(), tmp_path, material=f"{white}-{black}")
    columns = ["word_0", "word_1", "word_4", "utility"]
    files = [parquet.read_table(file, columns=columns) for file in table.path.glob("*.parquet")]
    mine, theirs, turn, utility = (np.concatenate(each) for each in zip(*(file.columns for file in files), strict=True))
    for to_move, men in enumerate([(white, black), (black, white)]):
        its = (np.bitwise_count(mine) == men[0]) & (np.bitwise_count(theirs) == men[1]) & (turn == to_move)
        found = Counter[int]()
        for one, other, result in zip(mine[its].tolist(), theirs[its].tolist(), utility[its].tolist(), strict=True):
            found[result * (1 - 2 * to_move)] += boards(game, one, other) if men == (3, 3) else 1
        assert (found[1], found[-1], found[0]) == counts[men]


def boards(game: pg.Morris, mine: int, theirs: int) -> int:
    """How many placements of men who all fly, of which one is listed, are not the same on a board that is turned,
    mirrored or inside out: for men who fly, the rings may come in any order."""
    found = set[tuple[int, int]]()
    for order in range(0, 48, 8):
        one, other = game.image(mine, order), game.image(theirs, order)
        found.add(min((game.image(one, symmetry), game.image(other, symmetry)) for symmetry in range(16)))
    return len(found)


@pytest.mark.compiled
@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
def test_it_goes_on_after_a_kill(tmp_path: Path) -> None:
    """Killed while it lists and while it values, the same command makes the table that one run makes."""
    game = pg.game_named("connectfour:4,4")
    words = [sys.executable, "-m", "plyground", "tablebase", "connectfour:4,4", "--out", str(tmp_path / "killed")]

    def tiers(kind: str) -> int:
        file = tmp_path / "killed" / MANIFEST
        said = json.loads(file.read_text()) if file.exists() else {"tiers": {}}
        return sum(bool(tier.get(kind)) for tier in said["tiers"].values())

    for kind in ("listed", "kept"):
        before = tiers(kind)
        run = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(lambda before=before, kind=kind, run=run: tiers(kind) > before + 3 or run.poll() is not None)  # type: ignore[misc]
        run.kill()
        run.wait()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    killed, whole = pg.Tablebase(tmp_path / "killed", game), pg.tablebase(game, tmp_path / "whole")
    files = [sorted(file.name for file in table.path.glob("*.parquet")) for table in (killed, whole)]
    assert files[0] == files[1]
    assert all((killed.path / name).read_bytes() == (whole.path / name).read_bytes() for name in files[0])


@pytest.mark.compiled
@pytest.mark.parametrize("spec", ["threemorris", "connectfour:4,3,3", "kalah:2,3"])
def test_threads_make_the_same_table(spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three threads write the bytes of one; in one shard and in several, also where moves stay within a tier."""
    monkeypatch.setattr("plyground.exact.tabulating.chunks.CHUNK_STATES", 50)
    for most in (1 << 23, 100):
        monkeypatch.setattr("plyground.exact.tabulating.making.MOST_SHARD_STATES", most)
        made = [pg.tablebase(spec, tmp_path / f"{most}-{jobs}", jobs=jobs) for jobs in (1, 3)]
        files = [{file.name: file.read_bytes() for file in each.path.glob("*.parquet")} for each in made]
        assert files[0] == files[1]


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
def test_processes_make_the_same_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes, of which one is killed on the way, write the bytes of one; also where moves stay within a tier."""
    monkeypatch.setattr("plyground.exact.tabulating.making.MOST_SHARD_STATES", 100)
    monkeypatch.setattr("plyground.exact.tabulating.making.MAKING_REPORT_SECONDS", 0.0)
    killed = list[int]()

    def kill_one(progress: Progress) -> None:
        workers = psutil.Process().children(recursive=True)
        if progress.stage == "valuing" and not killed and (busy := [each for each in workers if each.cpu_times().user]):
            busy[-1].kill()
            killed.append(busy[-1].pid)

    for spec in ("threemorris", "connectfour:4,3,3"):
        alone = pg.tablebase(spec, tmp_path / spec / "alone")
        with Cluster(2) as cluster:
            together = pg.tablebase(spec, tmp_path / spec / "together", told=kill_one, cluster=cluster)
        files = [{file.name: file.read_bytes() for file in each.path.glob("*.parquet")} for each in (alone, together)]
        assert files[0] == files[1] and any(name.endswith("-1.parquet") for name in files[0])
    assert killed


@pytest.mark.compiled
def test_an_end_game_that_is_interrupted_while_it_is_laid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is laid again, so no part of it is missing."""
    monkeypatch.setattr("plyground.exact.tabulating.making.MAKING_REPORT_SECONDS", 0.0)
    game, tables = pg.Draughts(quiet=12), list[pg.Tablebase]()

    def interrupt(progress: Progress) -> None:
        raise KeyboardInterrupt

    for name, told in (("whole", None), ("cut", interrupt), ("cut", None)):
        folder = Folder(tmp_path / name, game, "draughts:quiet=12", "1-1")
        making = Making(folder, pg.Position.initial(game), material="1-1", told=told)
        making._endings = ((2, 4), (2, 3))  # two kings; a king and a man
        if told:
            with pytest.raises(KeyboardInterrupt):
                making.run()
        else:
            making.run()
            tables.append(pg.Tablebase(tmp_path / name, game))
    assert len(tables[0]) == len(tables[1]) and values_of(tables[0]) == values_of(tables[1])


def test_a_table_needs_a_thread(tmp_path: Path) -> None:
    """A sentence says so."""
    with pytest.raises(pg.BadInput, match="jobs=0: there is at least one thread"):
        pg.tablebase("nim:1/2", tmp_path, jobs=0)


def test_one_process_at_a_time(tmp_path: Path) -> None:
    """Another one is refused, and nothing is lost."""
    game = pg.MNK(2, 4, 2)
    folder = Folder(tmp_path, game, "tictactoe", pg.Position.initial(game).text)
    with folder.hold(), pytest.raises(pg.BadInput, match="Another process works on"):
        pg.tablebase(game, tmp_path)
    assert len(pg.tablebase(game, tmp_path)) > 0


def test_end_games_are_asked_where_their_values_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play, analysis, judging and labels ask the table of an end game, whatever the counter is; not where the counter
    may draw before the win, nor where one more repetition ends the game."""
    monkeypatch.setattr("plyground.exact.tables.reading.user_data_path", lambda _: tmp_path)
    game = pg.Draughts(quiet=12)
    path = user_table_folder(game, "1-1")
    making = Making(Folder(path, game, "draughts:quiet=12", "1-1"), pg.Position.initial(game), material="1-1")
    making._endings = ((2, 4),)  # two kings
    making.run()
    table = pg.Tablebase(path, game)
    state, score = next(each for each in table if each[1].plies == 5 and each[0].turn == pg.MAX)
    assert score.utility == 1
    for quiet, holds in ((0, True), (6, True), (7, False), (11, False)):
        here = pg.Position(game, state._replace(quiet=quiet))
        book = book_of(here)
        assert book is not None and (book.score(here.state) == score) is holds
    here = pg.Position(game, state)
    assert [report.source for report in pg.think(here, pg.Limit(time=1))] == ["the tablebase"]
    solution = pg.solve(here)
    assert solution.source == "the tablebase" and solution.score == score and len(solution.variation) == 5
    assert ExactValues("draughts:quiet=12")(here.text) == (score, 0)
    told = Adjudication(solved=True).verdict(here, ())
    assert told == Adjudged(1, "Black wins, adjudicated: the tablebase has it")
    drawn = pg.Position.parse(game, "x:xK1:oK32")
    assert book_of(drawn) is not None
    for move in ("1-5", "32-28", "5-1", "28-32"):
        drawn = drawn.play(move)
    assert book_of(drawn) is None
    _book_of.cache_clear()


def test_progress_for_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a table is made the page has its states, its disk and memory, and the time left once states are valued."""
    monkeypatch.setattr("plyground.exact.tables.reading.user_data_path", lambda _: tmp_path)
    monkeypatch.setattr("plyground.exact.tabulating.making.NOTE_SECONDS", 0.0)
    monkeypatch.setattr("plyground.exact.tabulating.making.MAKING_REPORT_SECONDS", 0.0)
    monkeypatch.setattr("plyground.exact.tabulating.making.MOST_SHARD_STATES", 100)
    seen: list[tables.TableProgress] = []
    table = pg.tablebase("connectfour:3,3,3", told=lambda _: seen.extend(next(tables.tables(Nothing())).begun))
    assert next(tables.tables(Nothing())).begun == []
    assert {(each.table.game, each.stage) for each in seen} == {
        ("connectfour:width=3,height=3,k=3", stage) for stage in ("listing", "valuing")
    }
    assert all(0 <= each.done <= len(table) and each.disk > 0 < each.memory for each in seen)
    assert any(each.left is not None for each in seen if each.stage == "valuing")
    valued = [each.done for each in seen if each.stage == "valuing"]
    assert valued == sorted(valued) and len({*valued}) > 5


@pytest.mark.parametrize("threads", [1, 2])
def test_working_files_hold_what_was_written(
    threads: int, tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Columns of any size come back, in the bytes that they need; any byte that is changed is found."""
    monkeypatch.setattr("plyground.exact.tables.work_files.ROWS", 7)
    chance, most = random.Random(seed), 1 << 63
    ends = [(0, 0), (5, 5), (-3, 250), (1 << 40, (1 << 40) + 65_536), (0, 1 << 36), (-most, most - 1)]
    rows = [[chance.randint(low, high) for low, high in ends] for _ in range(40)]
    rows += [[low for low, _ in ends], [high for _, high in ends]]
    words = new_memory(6 * len(rows))
    for place, number in enumerate(number for row in rows for number in row):
        words[place] = number
    slots = halves(new_memory(8))
    slots[3], slots[15] = 3, (1 << 31) - 2
    file = write_file(tmp_path, "tier", 6, words, slots, room=9, threads=threads)
    assert file == write_file(tmp_path, "tier", 6, words, slots, room=9)
    path = tmp_path / "tier"
    assert path.stat().st_size == 6 * 16 + len(rows) * (0 + 0 + 1 + 3 + 5 + 8)

    again, its_slots = new_memory(len(words)), halves(new_memory(8))
    read_file(tmp_path, file, 6, again, its_slots, threads=threads)
    assert again == words
    assert its_slots == slots
    whole = path.read_bytes()
    for at in [*range(6 * 16), len(whole) - 1]:
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :])
        with pytest.raises(Damaged):
            read_file(tmp_path, file, 6, again, threads=threads)
    for wrong in (whole + b"0", whole[:-1], b""):
        path.write_bytes(wrong)
        with pytest.raises(Damaged):
            read_file(tmp_path, file, 6, again, threads=threads)


@pytest.mark.parametrize(("low", "high", "width"), [(0, 9, 3), (-5, 5, 2), (-(1 << 62), 1 << 62, 2), (3, 4, 1)])
def test_states_are_sorted_by_their_words(low: int, high: int, width: int, seed: int) -> None:
    """The order is that of Python's tuples, whether or not the words fit one key; values go along; none is no error."""
    chance = random.Random(seed)
    rows = sorted({tuple(chance.randrange(low, high) for _ in range(width)) for _ in range(500)})
    rows = [(*words, chance.choice((-(1 << 20), 0, 5))) for words in rows]
    mixed = np.array(chance.sample(rows, len(rows)), dtype=np.int64)
    pieces = list(sorted_pieces(mixed[:, :-1], mixed[:, -1]))
    assert [row for piece in pieces for row in zip(*(column.tolist() for column in piece), strict=True)] == rows
    assert list(sorted_pieces(mixed[:0, :-1], mixed[:0, -1])) == []


@pytest.mark.usefixtures("speed")
@pytest.mark.parametrize(("low", "high"), [(0, 64), (5, 40), (7, 8)])
def test_ints_are_sorted_by_some_of_their_bits(low: int, high: int, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also by the highest bit, which is the sign of an int of the memory."""
    monkeypatch.setattr("plyground.exact.tables.table_files.PIECE_STATES", 100)
    chance = random.Random(seed)
    some = chance.sample(range(1 << min(high - low, 20)), min(2_000, 1 << (high - low)))
    top = max(0, high - low - 20)  # so that some digits are the same in all ints
    mixed = [(number << top) << low | chance.randrange(1 << low) for number in some]
    keys = new_memory(len(mixed))
    np.frombuffer(keys, dtype=np.uint64)[:] = mixed
    found = np.frombuffer(sort_by_bits(keys, low, high), dtype=np.uint64)
    assert found.tolist() == sorted(mixed)


def test_values_are_numbered_in_their_order(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those that only a later piece has."""
    monkeypatch.setattr("plyground.exact.tables.table_files.PIECE_STATES", 10)
    chance = random.Random(seed)
    values = np.array([chance.randrange(-at, at + 1) for at in range(60)], dtype=np.int64)
    distinct, numbers = number_values(values)
    assert distinct.tolist() == sorted({*values.tolist()})
    assert distinct[numbers].tolist() == values.tolist()
