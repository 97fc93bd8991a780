"""Limits on CPU time of programs: a busy machine makes none late; a hung or endless program is late."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from processes import started

import plyground as pg
from plyground.arena.results import Played

PROGRAM = """
import os, sys, time
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
time.process_time() < 0 or sys.stdout.flush()
moves = iter(["1,1", "3,3", "2,1", "1,2", "3,1"])
taken = set()
def free():
    return next((c, r) for r in (1, 2, 3) for c in (1, 2, 3) if (c, r) not in taken)
def play():
    KIND
    move = free()
    taken.add(move)
    print(f"{move[0]},{move[1]}", flush=True)
if os.environ["PLYGROUND_SIDE"] == os.environ["PLYGROUND_FIRST"]:
    play()
for line in sys.stdin:
    taken.add(tuple(int(each) for each in line if each.isdigit()))
    play()
"""
KINDS = {
    "slow": "until = time.process_time() + 0.3\n    while time.process_time() < until: pass",
    "endless": "while taken: pass",
    "hung": "taken and time.sleep(1000)",
}


def player(folder: Path, kind: str) -> str:
    """A program of a kind, held to one processor, with 1.5 seconds for a move."""
    file = folder / f"{kind}.py"
    file.write_text(PROGRAM.replace("KIND", KINDS[kind]), encoding="utf-8")
    return f"{kind}=program[timeout=1.5]:{sys.executable} {file}"


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Other programs want the same processor, each in a session of its own: Linux may share it among sessions."""
    code = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\nwhile True: pass"
    with ExitStack() as stack:
        for _ in range(count):
            process = started([sys.executable, "-c", code], stdout=subprocess.DEVNULL, start_new_session=True)
            stack.enter_context(process)
        yield


def played(*players: str, cpu: float | None) -> list[Played]:
    """Two games."""
    return pg.arena(players, "tictactoe", cpu=cpu, grace=0.5).play().games


@pytest.mark.process
@pytest.mark.only_on("linux")
def test_a_busy_machine_fails_nobody(tmp_path: Path) -> None:
    """Who needs half of its time is not late where five others share its processor; by the wall it is."""
    slow = player(tmp_path, "slow").replace("1.5", "0.6")
    with busy(5):
        games, by_the_wall = played(slow, "first", cpu=20), played(slow, "first", cpu=None)
    assert [each.fault for each in games] == [None, None], games
    assert [each.fault for each in by_the_wall] in ([0, 1], [0])  # one that never moves in a game plays no second one
    assert all("s of CPU time" in each.why for each in by_the_wall), by_the_wall


@pytest.mark.process
@pytest.mark.only_on("linux")
def test_who_hangs_or_never_ends_is_late_all_the_same(tmp_path: Path) -> None:
    """Limits of a move and of a game count the program's own seconds; its start is in neither."""
    for kind in ("hung", "endless"):
        first, second = played(player(tmp_path, kind), "first", cpu=20)
        assert (first.fault, second.fault) == (0, 1) and "said nothing for 1.5 s of its own time" in first.why
    (game, _) = played(player(tmp_path, "slow"), "first", cpu=0.7)
    assert game.fault == 0 and game.why == "x loses on time: its 0.7 s of the processor are used up"
    assert len(game.moves) > 2


HEX = """
import os, sys, time
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
sys.path.insert(0, FOLDER)
import speakers
answer = speakers.answer
def slow(*words):
    until = time.process_time() + 0.1
    while time.process_time() < until: pass
    answer(*words)
speakers.answer = slow
speakers.gtp()
"""


@pytest.mark.process
@pytest.mark.only_on("linux")
def test_programs_of_the_field_have_their_own_seconds(tmp_path: Path) -> None:
    """One that needs 0.1 s for each move is not late with 0.2 s on a processor that four others share, and is once all
    its seconds are used up; who hangs is late.
    """
    file = tmp_path / "hex.py"
    file.write_text(HEX.replace("FOLDER", repr(str(Path(__file__).parent))), encoding="utf-8")
    spec = f"gtp[timeout=0.2,time=0.01]:{sys.executable} {file}"
    with busy(4):
        (first,) = pg.arena({"slow": spec, "fast": "first"}, "hex:2", cpu=20, games=2).play().games[:1]
    assert first.fault is None, first
    spent, _ = pg.arena({"slow": spec, "fast": "first"}, "hex:2", cpu=0.08).play().games
    assert spent.fault == 0 and "0.08 s of the processor are used up" in spent.why, spent
    hangs = f"uci[timeout=0.5]:{sys.executable} {Path(__file__).parent / 'speakers.py'} uci hangs"
    late, _ = pg.arena({"hangs": hangs, "fast": "first"}, "chess", cpu=20).play().games
    assert late.fault == 0 and "did not answer within" in late.why, late
