"""An arena: who meets whom, where games begin, whose fault is whose, and that no game is lost or played twice."""

import json
import os
import shlex
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import KW_ONLY, dataclass
from itertools import product
from pathlib import Path
from typing import Annotated

import pytest
import typer
from commanding import ran
from processes import started
from programs import installed
from typer.main import get_command
from variants import broken
from waiting import until

import plyground as pg
from plyground.arena.entrants import entrants
from plyground.arena.openings import Openings
from plyground.arena.results import Played, Task
from plyground.arena.roster import roster_in
from plyground.arena.schedule import schedule
from plyground.arena.store import Store
from plyground.play.time_control import TimeControl
from plyground.players import First
from plyground.terminal.record_options import with_options
from plyground.workers import scheduler

ROOT = Path(__file__).resolve().parent.parent
NAMES = ("a", "b", "c", "d", "e")


def won_by_name(task: Task) -> Played:
    """A game that the name earlier in the alphabet has won."""
    return Played(task, (), 1 if task.x < task.o else -1, "")


@pytest.mark.parametrize("form", ["round-robin", "gauntlet", "swiss", "ladder"])
def test_both_sides(form: str) -> None:
    """Every opening is played with both sides, and no number comes twice."""
    results: dict[int, Played] = {}
    plan = schedule(form, NAMES, ["", "b2", "a1"])
    for games in plan.rounds(results):
        for task in games:
            assert task.number not in results
            results[task.number] = won_by_name(task)
    tasks = [played.task for played in results.values()]
    assert len(tasks) == plan.planned_games
    for first, second in zip(tasks[::2], tasks[1::2], strict=True):
        assert (first.x, first.o, first.opening, first.pair) == (second.o, second.x, second.opening, second.pair)
    meetings = {(frozenset((task.x, task.o)), task.opening) for task in tasks}
    expected = {"round-robin": 10 * 3, "gauntlet": 4 * 3}
    if form in expected:
        assert len(meetings) == expected[form] == len(tasks) / 2


def test_swiss_and_ladder() -> None:
    """In a Swiss tournament nobody meets twice; a ladder ends in the order of strength."""
    names = tuple("hgfedcba")
    results: dict[int, Played] = {}
    plan = schedule("swiss", names, [""])
    met = []
    for games in plan.rounds(results):
        for task in games:
            results[task.number] = won_by_name(task)
            met.append((frozenset((task.x, task.o)), task.pair))
    assert len({pair for pair, _ in met}) == len(met) / 2
    results.clear()
    last: list[Task] = []
    for games in schedule("ladder", names, [""], rounds=9).rounds(results):
        last = [*games]
        results |= {task.number: won_by_name(task) for task in last}
    assert [(task.x, task.o) for task in last[::2]] == [("a", "b"), ("c", "d"), ("e", "f"), ("g", "h")]


def test_openings(tmp_path: Path) -> None:
    """Openings have no symmetric twins, follow from a seed, and none is over."""
    game = pg.MNK()
    assert len(Openings(plies=1).read(game).texts) == 3
    assert len(Openings(plies=2).read(game).texts) == 12
    some = Openings(random_plies=3, count=5, seed=7).read(game).texts
    assert len(set(some)) == 5 and some == Openings(random_plies=3, count=5, seed=7).read(game).texts
    file = tmp_path / "openings.txt"
    file.write_text("b2 a1\n\n# the side\nb1  # a draw, too\n")
    assert Openings(file=file).read(game).texts == tuple(pg.Position.parse(game, text).text for text in ("b2 a1", "b1"))
    even = Openings(plies=2, balanced=True).read(game).texts
    assert 0 < len(even) < 12
    assert all(pg.solve(pg.Position.parse(game, text)).score.utility == 0 for text in even)
    file.write_text("b2 a1\na1 b1 a2 b2 a3\n")
    (note,) = pg.arena(["first", "random"], "tictactoe", openings=file).notes[1:]
    assert f"{file}, line 2: this opening is over (x wins)" in note
    file.write_text("a1 b1 a2 b2 a3\n")
    with pytest.raises(pg.BadInput, match=r"line 1: this opening is over \(x wins\)"):
        pg.arena(["first", "random"], "tictactoe", openings=file)


def test_books_of_openings(tmp_path: Path) -> None:
    """The same opening in PGN, EPD and FEN is one position."""
    chess = pg.game_named("chess")
    after = pg.Position.parse(chess, "e4 c5 Nf3").text.replace("_", " ")
    book = {
        "book.pgn": '[Event "a"]\n\n1. e4 c5 {Sicilian} (1... e5 2. Nf3) 2. Nf3 *\n\n[Event "b"]\n\n1. d4 d5 *\n',
        "book.epd": " ".join(after.split()[:4]) + ' bm d6; id "Sicilian";\n',
        "book.txt": "# by moves\ne4 c5 Nf3\n",
    }
    found = {}
    for name, text in book.items():
        (tmp_path / name).write_text(text)
        found[name] = Openings(file=tmp_path / name).read(chess).texts
    assert found["book.pgn"][0] == found["book.txt"][0] and len(found["book.pgn"]) == 2
    assert found["book.pgn"][0] == f"{after} 2".replace(" ", "_")
    assert found["book.epd"][0].replace("_", " ").split()[:4] == after.split()[:4]
    (tmp_path / "book.pgn").write_text("1. e4 e5 2. Qxe5 *\n")
    with pytest.raises(pg.BadInput, match=r"book\.pgn, .*1: .*Qxe5"):
        Openings(file=tmp_path / "book.pgn").read(chess)


def test_a_large_book_is_read_as_far_as_it_is_needed(tmp_path: Path) -> None:
    """A line that cannot be read behind the openings that are taken is not met; an order by a seed is a permutation,
    and more openings only come after those there are."""
    game, file = pg.game_named("connectfour"), tmp_path / "book.txt"
    lines = [" ".join(map(str, line)) for line in product("1234567", repeat=4)]
    file.write_text("\n".join([*lines, "no opening"]))
    with pytest.raises(pg.BadInput, match=r"2,402 openings.*--games 2000"):
        Openings(file=file).read(game)
    few = Openings(file=file, count=10).read(game)
    assert few.texts == tuple(pg.Position.parse(game, line).text for line in lines[:10])
    assert few.notes == (f"10 of {few.words}.",) and "2,402 openings of book.txt" in few.words
    mixed, more = (Openings(file=file, count=count, shuffled=True, seed=5).read(game).texts for count in (10, 2_402))
    assert more[:10] == mixed != few.texts and len(more) == 2_401
    assert {*more} == {pg.Position.parse(game, line).text for line in lines}


def test_game_follows_from_its_number(tmp_path: Path) -> None:
    """A game follows from its number, whoever played before it and in which process."""

    def games(url: str, stop: int | None = None) -> list[tuple[str, ...]]:
        with closing(pg.arena(["a=random", "b=random"], "tictactoe", games=20, database=url)) as arena:
            for played in arena:
                if played.task.number == stop:
                    break
            return [played.moves for played in arena.games]

    whole, cut = f"sqlite:///{tmp_path / 'whole.db'}", f"sqlite:///{tmp_path / 'cut.db'}"
    games(cut, stop=6)
    assert games(cut) == games(whole)
    assert len(set(games(whole))) > 10


def test_goes_on(database: str) -> None:
    """An arena goes on where it was, may be made longer, and does not mix with another in its database."""
    with (
        closing(Store(database)) as store,
        closing(pg.arena(["first", "alphabeta:depth=2"], "tictactoe", games=10, database=database)) as arena,
        closing(pg.arena(["first", "random"], "tictactoe", games=10, database=database)) as other,
    ):
        for _, played in zip(range(3), arena, strict=False):
            assert store.game(arena.id, played.task.number) == played  # written before it is counted
        other.play()
        longer = pg.arena(["first", "alphabeta:depth=2"], "tictactoe", games=12, database=database)  # on the way
        with closing(longer) as again:
            assert again.id == arena.id != other.id and again.games_before >= 3
            new = [*again]
            assert len(new) == 12 - again.games_before and len(again.games) == 12
        assert [each.task.number for each in store.games(arena.id)] == [*range(12)]
        assert store.count(other.id) == 10
        assert {each.id: each.why for each in store.arenas()} == dict.fromkeys(
            (arena.id, other.id), "all games are played"
        )


@pytest.mark.process
def test_faults_of_programs_lose_the_game_and_never_the_arena(tmp_path: Path) -> None:
    """Whoever hangs, dies, prints rubbish or moves illegally has lost, with the reason and its last words."""
    kinds = ("hung", "crashing", "illegal", "rubbish")
    players = [f"{kind}=program[timeout=1]:{broken(tmp_path, kind)}" for kind in kinds]
    games = (
        pg.arena(["last=program:" + broken(tmp_path, "last"), *players], "tictactoe", format="gauntlet").play().games
    )
    assert len(games) == 8 and not any(each.void for each in games)
    for each in games:
        seat = 0 if each.task.x != "last" else 1
        assert each.fault == seat and each.score(seat) == 0 and each.moves, each
        kind = each.task.x if seat == 0 else each.task.o
        said = {
            "hung": "it said nothing for 1 s",
            "crashing": "it ended with exit code",
            "illegal": "illegal move",
            "rubbish": "I think",
        }
        assert said[kind] in each.why
        assert kind != "crashing" or each.words == "I have no idea"


@pytest.mark.process
def test_what_is_nobodys_fault_counts_for_nobody(tmp_path: Path) -> None:
    """What cannot be started, or never made a move, stops its games with a sentence; who is known to move has lost."""
    mute = f"mute=program[timeout=0.3]:{broken(tmp_path, 'mute')}"
    arena = pg.arena(
        ["gone=program:/nowhere/x", mute, "first", "last=first"], "tictactoe", database=f"sqlite:///{tmp_path / 'g.db'}"
    )
    void = [each for each in arena if each.void]
    assert {name for pair in arena.stops for name in pair} >= {"gone", "mute"} and (
        "first",
        "last",
    ) not in arena.stops
    assert {row.name for row in arena.standings.rows if row.games} == {"first", "last"}
    assert any("'/nowhere/x' cannot be started" in each.why for each in void)
    assert any("said nothing" in each.why and each.fault is not None for each in void)
    assert len(void) < 10  # one that never moves is not asked for long
    again = pg.arena(
        ["gone=program:/nowhere/x", mute, "first", "last=first"], "tictactoe", database=f"sqlite:///{tmp_path / 'g.db'}"
    )
    assert len([each for each in again if each.void]) == len(void)  # tried again


@pytest.mark.process
@pytest.mark.only_on("linux")
def test_programs_are_held_to_limits(tmp_path: Path) -> None:
    """More memory, processes or output than a program may have lose the game, and say so."""
    players = [f"{kind}=program[timeout=4]:{broken(tmp_path, kind)}" for kind in ("greedy", "forking", "loud")]
    arena = pg.arena(["first", *players], "tictactoe", format="gauntlet").play()
    why = {({each.task.x, each.task.o} - {"first"}).pop(): each.why for each in arena.games}
    assert len(arena.games) == 6 and all(each.fault is not None and not each.void for each in arena.games), why
    assert "MemoryError" in why["greedy"]
    assert "more than 64 processes" in why["forking"]
    assert "illegal move" in why["loud"] or "1,000 messages" in why["loud"]


def test_functions_of_ones_own_hang_and_fail_like_programs(tmp_path: Path) -> None:
    """A Python function that never answers, raises or answers nonsense has lost; the next game goes on."""
    file = tmp_path / "own.py"
    file.write_text(
        "import time\n"
        "def spins(position):\n    while True: pass\n"
        "def sleeps(position):\n    time.sleep(20)\n"  # not longer: where coverage is measured, all wait for it
        "def fails(position):\n    return position.no_such_thing\n"
        "def strays(position):\n    return 'z9'\n"
    )
    names = ("spins", "sleeps", "fails", "strays")
    players = ["first", *(f"{name}={file}:{name}" for name in names)]
    arena = pg.arena(players, "tictactoe", format="gauntlet", move_time=0.3).play()
    why = {({each.task.x, each.task.o} - {"first"}).pop(): each.why for each in arena.games}
    assert len(arena.games) == 8 and all(each.fault is not None for each in arena.games)
    assert "on time" in why["spins"] and "on time" in why["sleeps"]
    assert "no_such_thing" in why["fails"] and "illegal move" in why["strays"]


@dataclass(frozen=True)
class Counts:
    """A record of which a verb takes options."""

    word: str
    _: KW_ONLY
    all_of_them: Annotated[bool, "each of them"] = False
    jobs: int = 1
    sizes: Annotated[tuple[int, int] | None, "smallest and largest", "1,2"] = None
    file: Annotated[Path | None, "a file"] = None
    unsaid: float = 0.5


COMMAND = [sys.executable, "-m", "plyground", "arena", "tictactoe"]


@pytest.mark.process
@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_at_any_time(tmp_path: Path, jobs: int) -> None:
    """Killed again and again, it loses no game and plays none twice."""
    url, games = f"sqlite:///{tmp_path / 'games.db'}", 1_000 * jobs
    command = [*COMMAND, "random", "other=random", "first", "--games", str(games), "--name", "a"]
    command += ["--database", url, "--jobs", str(jobs)]
    store = Store(url)
    for _ in range(3):
        enough = store.count("a") + 50
        with started(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            until(lambda: process.poll() is not None or store.count("a") > enough)  # noqa: B023
            process.kill()
    done = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    assert sorted(each.task.number for each in store.games("a")) == [*range(3 * games)]
    assert answer["games"] == 3 * games and sum(row["games"] for row in answer["standings"]) == 6 * games


def test_one_process_at_a_time(database: str) -> None:
    """A second one is told so, and plays once the first is done."""
    with ExitStack() as stack:
        one, other, third = (
            stack.enter_context(closing(pg.arena(["first", "random"], "tictactoe", games=40, database=database)))
            for _ in range(3)
        )
        games = iter(one)
        next(games)
        with pytest.raises(pg.BadInput, match="is being played by another process"):
            next(iter(other))
        games.close()  # type: ignore[attr-defined]
        assert len(third.play().games) == 40


@pytest.mark.process
@pytest.mark.only_on("linux", "darwin")
def test_ctrl_c_ends_with_the_standings_so_far(tmp_path: Path) -> None:
    """Exit code 130, and nothing lost."""
    url = f"sqlite:///{tmp_path / 'games.db'}"
    command = [*COMMAND, "random", "first", "--games", "1000000", "--name", "a", "--database", url, "--jobs", "1"]
    store = Store(url)
    with started(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        until(lambda: store.count("a") > 50)
        process.send_signal(signal.SIGINT)
        said, wrong = process.communicate()
    assert process.returncode == 130 and "Traceback" not in wrong
    assert f"Arena a: {store.count('a'):,} of 1,000,000 games; the same command goes on." in said


def test_what_is_wrong_is_said_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the first game."""
    monkeypatch.setattr(scheduler, "CONNECT_SECONDS", 0.2)
    table = tmp_path / "class.toml"
    table.write_text('[[player]]\nname = "ann"\nspec = "random"\ncolour = "red"\n')
    later = tmp_path / "later.db"
    Store(f"sqlite:///{later}").close()
    with closing(sqlite3.connect(later)) as connection:
        connection.execute("UPDATE schema_version SET version = 99")
        connection.commit()
    two = ["random", "first"]
    wrong: list[tuple[list[str], str]] = [
        (["tictactoe", "random", "random"], "Two players are called 'random'"),
        (["tictactoe", "random"], "two players at least"),
        (["tictactoy", *two], "There is no game 'tictactoy'"),
        (["tictactoe", "--players", str(table)], "'colour' means nothing"),
        (["tictactoe", *two, "--database", f"sqlite:///{later}"], "is of version 99"),
        (["tictactoe", *two, "--scheduler", "tcp://127.0.0.1:1"], "No scheduler answers"),
        (["tictactoe", *two, "--games", "3"], "an even number"),
        (["tictactoe", *two, "--format", "league"], "There is no format 'league'"),
        (["tictactoe", *two, "--sprt", "5"], "two numbers"),
        (["tictactoe", *two, "--rounds", "3"], "--rounds"),
        (["tictactoe", *two, "--clock", "-1"], "seconds are above 0"),
        (["tictactoe", "human", "random"], "A person takes part in no arena"),
    ]
    for words, sentence in wrong:
        url = [] if "--database" in words else ["--database", f"sqlite:///{tmp_path / 'games.db'}"]
        done = ran(["arena", *words, *url])
        assert isinstance(done.exception, pg.BadInput) and sentence in str(done.exception), (words, done.output)
        assert "\n" not in str(done.exception)
    with closing(Store(f"sqlite:///{tmp_path / 'games.db'}")) as store:
        assert store.arenas() == []


def test_the_commands_options_are_the_records_fields() -> None:
    """A field with words is an option: a flag, a file, some numbers; one of the verb stands in a field's place."""
    made: list[Counts] = []

    @with_options(counts=Counts)
    def verb(*, word: str, counts: Callable[..., Counts], jobs: int = 2) -> None:
        made.append(counts(word, jobs=jobs))

    app = typer.Typer(add_completion=False)
    app.command()(verb)
    command = get_command(app)
    assert [each.name for each in command.params] == ["word", "all_of_them", "jobs", "sizes", "file"]
    assert [getattr(each, "help", None) for each in command.params[1:4]] == [
        "each of them",
        None,
        "smallest and largest",
    ]
    for words in (["a"], ["b", "--all-of-them", "--sizes", "3,4", "--file", "f", "--jobs", "1"]):
        command(words, standalone_mode=False)
    assert made == [Counts("a", jobs=2), Counts("b", all_of_them=True, jobs=1, sizes=(3, 4), file=Path("f"))]
    with pytest.raises(pg.BadInput, match=r"--sizes 3: two whole numbers, as in --sizes 1,2\."):
        command(["a", "--sizes", "3"], standalone_mode=False)


def test_players_from_a_file(tmp_path: Path) -> None:
    """Options stand with a player, or once for all of its kind; what stands in the spec is stronger than that."""
    file = tmp_path / "class.toml"
    file.write_text(
        "[program]\ntimeout = 2\nprotocol = 'json'\n[alphabeta]\ndepth = 3\n"
        "[[player]]\nname = 'ann'\nspec = 'program:sh ann.sh {side}'\n"
        "[[player]]\nname = 'bob'\nspec = 'program[timeout=5]:sh bob.sh'\nmemory = 100\n"
        "[[player]]\nspec = 'alphabeta'\n"
        "[[player]]\nname = 'eve'\nspec = 'alphabeta:depth=1'\nseed = 7\n"
    )
    assert {each.name: each.spec for each in entrants(roster_in(file).entrants)} == {
        "ann": "program[timeout=2,protocol=json]:sh ann.sh {side}",
        "bob": "program[timeout=5,protocol=json,memory=100]:sh bob.sh",
        "alphabeta": "alphabeta:depth=3",
        "eve": "alphabeta:depth=1,seed=7",
    }


@pytest.mark.process
def test_increment_and_grace() -> None:
    """A clock that ticks has what each move adds; a program's first move has its start for nothing."""
    seconds: list[float | None] = []

    class Told(First):
        def choose(self, position: pg.Position, left: float | None) -> int:
            seconds.append(left)
            return super().choose(position, left)

    start = pg.Position.initial(pg.MNK())
    pg.play_match(start, (Told(), First()), clock=TimeControl(10, increment=100, move=50))
    assert seconds[0] == 10 and all(left == 50 for left in seconds[1:])
    late = pg.play_match(start, (First(), First()), clock=TimeControl(move=1e-9))
    assert late.fault == 0 and "for a move" in late.why
    slow = pg.player_named(
        f"program:{sys.executable} -c 'import time; time.sleep(0.3); print(chr(49)+chr(44)+chr(49))'"
    )
    try:
        graced = pg.play_match(start, (slow, First()), clock=TimeControl(0.3, grace=9))
    finally:
        slow.close()
    assert graced.position.moves  # its start took as long as it had in all, and lost no game


@pytest.mark.process
@pytest.mark.only_on("linux")
def test_programs_of_the_field_in_one_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of the document's arena of chess, from a mate in one: none has a fault, and the student's mates."""
    monkeypatch.setenv("PATH", os.pathsep.join([os.environ["PATH"], "/usr/games"]))
    monkeypatch.chdir(ROOT)
    for program in ("stockfish", "gnuchess"):
        installed(program)
    block = (ROOT / "docs" / "arena.md").read_text(encoding="utf-8").partition("arena chess ")[2].partition("\n\n")[0]
    words = shlex.split(block.replace("\\\n", " ").replace(":python ", f":{sys.executable} "))
    names = words[: words.index("--games")]
    assert [name.partition("=")[0] for name in names] == [
        "stockfish", "gnuchess", "engine", "level:hard", "level:easy", "ann"
    ]  # fmt: skip
    book = tmp_path / "mate.epd"
    book.write_text("6k1/5ppp/8/8/8/8/8/R6K w - -\n", encoding="utf-8")
    league = pg.arena([*names[:4], names[5]], "chess", format="gauntlet", openings=book, jobs=1).play()
    assert [game.fault for game in league.games] == [None] * 8, [game.why for game in league.games]
    assert [game.utility for game in league.games if game.task.x == "ann"] == [1]  # others may err on purpose
