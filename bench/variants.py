"""A class of programs, as a teacher has them in one folder: the example players, and those that break in every way."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent / "examples" / "players"

PLAYS = """import random, re, subprocess, sys, time
side, first = sys.argv[1:3]
free = [(x, y) for y in (1, 2, 3) for x in (1, 2, 3)]
made = 0
def play():
    global made
    made += 1
    if not free:
        return
    x, y = CHOICE
    BREAK
    free.remove((x, y))
    print(f"{x},{y}", flush=True)
if side == first:
    play()
for line in sys.stdin:
    if move := re.search(r"(\\d)\\s*,\\s*(\\d)", line):
        free.remove((int(move[1]), int(move[2])))
        play()
"""
"""A program in Python that knows moves alone; what it chooses and how it breaks are filled in."""
BREAKS = {
    "random": ("random.choice(free)", "pass"),
    "hung": ("free[0]", "time.sleep(1000 if made > 1 else 0)"),
    "slow": ("free[0]", "time.sleep(0.1)"),
    "crashing": ("free[0]", "made > 1 and sys.exit(print('I have no idea', file=sys.stderr))"),
    "illegal": ("free[0]", "made > 1 and (print('9,9', flush=True), time.sleep(1000))"),
    "rubbish": ("free[0]", "made > 1 and (print('I think b2 is good', flush=True), time.sleep(1000))"),
    "mute": ("free[0]", "time.sleep(1000)"),
    "greedy": ("free[0]", "made > 1 and bytearray(10**10) and None"),
    "forking": ("free[0]", "made > 1 and [subprocess.Popen(['sleep', '60']) for _ in range(100)] and time.sleep(1000)"),
    "loud": ("free[0]", "made > 1 and [print('1,1', flush=True) for _ in range(10**9)]"),
    "last": ("free[-1]", "pass"),
}
"""How they choose, and what they do before they say it."""


def broken(folder: Path, kind: str) -> str:
    """Write the program of a kind of `BREAKS`; its command."""
    choice, breaks = BREAKS[kind]
    file = folder / f"is_{kind}.py"  # not random.py, which would be the module of that name to all beside it
    file.write_text(PLAYS.replace("CHOICE", choice).replace("BREAK", breaks), encoding="utf-8")
    return f"{Path(sys.executable).as_posix()} {file.as_posix()} {{side}} {{first}}"


def whole(folder: Path) -> Iterator[tuple[str, str]]:
    """The example players whose language is on this machine, copied into a folder: their languages and commands."""
    commands = {
        "python": ("first.py", Path(sys.executable).as_posix(), "{0} {1}"),
        "shell": ("first.sh", "sh", "{0} {1}"),
        "javascript": ("minimax.js", "node", "{0} {1}"),
        "prolog": ("alphabeta.pl", "swipl", "{0} {1} {{host}} {{port}}"),
        "c": ("minimax.c", "cc", ""),
        "java": ("Minimax.java", "java", ""),
    }
    for language, (name, program, form) in commands.items():
        if not shutil.which(program):
            continue
        file = shutil.copy(EXAMPLES / name, folder)
        if language == "c":
            subprocess.run(["cc", "-O2", "-o", folder / "minimax", file], check=True)
            command = (folder / "minimax").as_posix()
        elif language == "java":
            if not shutil.which("javac"):
                continue
            subprocess.run(["javac", "-d", folder, file], check=True)
            command = f"java -Xshare:auto -XX:TieredStopAtLevel=1 -cp {folder.as_posix()} Minimax"
        else:
            command = form.format(program, Path(file).as_posix())
        yield language, f"{command} {{side}} {{first}}"


def sixteen_of(folder: Path) -> list[tuple[str, str, str]]:
    """A class as a teacher may have it, in six languages: for each its name, its command, and the only side it plays.

    Four search to the end, one of them as o only; one looks two plies ahead, two take the first free square, one plays
    at random, and eight fail, each in its own way.

    Raises:
        ValueError: a language is missing on this machine.
    """
    known = dict(whole(folder))
    if missing := {"prolog", "c", "java", "javascript", "shell", "python"} - {*known}:
        raise ValueError(f"There is no {', '.join(missing)} here.")
    prolog = known["prolog"]
    good = [
        ("perfect in C", known["c"], ""),
        ("perfect in Java", known["java"], ""),
        ("perfect in Prolog, o only", prolog, "o"),
        ("alpha-beta of depth 2 in Prolog", f"{prolog} 2", ""),
        ("first in Python", known["python"], ""),
        ("first in shell", known["shell"], ""),
        ("random in Python", broken(folder, "random"), ""),
    ]
    faults = ("hung", "crashing", "illegal", "rubbish", "mute", "greedy", "forking", "loud")
    late = ("perfect in JavaScript, late", known["javascript"], "")
    return [*good, *((f"first, {kind}", broken(folder, kind), "") for kind in faults), late]


def roster(folder: Path, players: list[tuple[str, str, str]], timeout: float = 2.0) -> Path:
    """A TOML file of players."""
    rows = [
        f"[[player]]\nname = \"{name}\"\nspec = 'program:{command}'\n" + (f'side = "{side}"\n' if side else "")
        for name, command, side in players
    ]
    file = folder / "class.toml"
    file.write_text(f"[program]\ntimeout = {timeout}\n\n" + "\n".join(rows), encoding="utf-8")
    return file


def class_of(folder: Path, size: int) -> Path:
    """A TOML file of `size` players: the kinds in turn, again and again, each player with its own name."""
    kinds = [*((kind, broken(folder, kind)) for kind in BREAKS if kind != "mute"), *whole(folder)]
    named = ((number, *kinds[number % len(kinds)]) for number in range(size))
    return roster(folder, [(f"{kind} {number // len(kinds) + 1}", command, "") for number, kind, command in named])
