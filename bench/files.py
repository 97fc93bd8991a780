"""How long files of games take to read, beside readers of the field: `python bench/files.py`, about three minutes.

It makes the files from random games, reads each with both readers in turns in one process, and writes bench/FILES.md.
CPU seconds, the best of `ROUNDS`. All readers must find as many games and moves, else it ends. python-chess checks the
moves as we do; sgfmill knows no rules, and pydraughts asks none. It needs `pip install chess sgfmill pydraughts`.
"""

import io
import platform
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path

import chess
import chess.pgn
from compiled import require_compiled
from draughts.PDN import PDNReader
from sgfmill import sgf_grammar

import plyground as pg
from plyground.play.notations import record_form
from plyground.play.record import of_position
from plyground.play.record_file import Records

HERE = Path(__file__).resolve().parent
GAMES, UNLIKE, PLIES, ROUNDS = 10_000, 1_000, 80, 3
"""Games of chess in a file; games of it that differ; plies of each, at most; readings, of which the best counts."""
OTHERS = 300
"""Games of Hex and of draughts."""
HEAD = """# Reading files of games

{about}

CPU seconds for the whole file, in one process that has loaded both readers. "Ours, first" is our first reading of the
file, with the compilation of the reader of lines. `python bench/files.py` writes this page.

| file | games | plies | MB | reader beside | its CPU s | ours, first | ours | ratio |
|---|--:|--:|--:|---|--:|--:|--:|--:|
"""


@dataclass(frozen=True)
class Case:
    """A file and the other reader of it, which returns games and plies."""

    name: str
    text: str
    beside: str
    read: Callable[[str], tuple[int, int]]


def chess_games(kind: str) -> str:
    """Games of chess in PGN: `main lines`, `clocks` and evaluations as servers write them, or `variations`."""
    chance, games = random.Random(kind), list[str]()
    for _ in range(UNLIKE):
        board, words = chess.Board(), list[str]()
        while len(board.move_stack) < PLIES and board.outcome(claim_draw=True) is None:
            legal, ply = [*board.legal_moves], len(board.move_stack)
            move, number = chance.choice(legal), f"{ply // 2 + 1}{'...' if ply % 2 else '.'}"
            word = board.san(move)
            if kind == "clocks":
                words.append(
                    f"{number} {word} {{ [%eval {chance.uniform(-3, 3):.2f}] [%clk 0:0{ply % 10}:{ply % 60:02}] }}"
                )
            elif kind == "variations" and ply % 8 == 5:
                words.append(f"{number} {word} ({number} {board.san(chance.choice(legal))} $6 {{perhaps}})")
            else:
                words.append(f"{number} {word}" if ply % 2 == 0 or kind == "variations" else word)
            board.push(move)
        tags = (
            '[Event "Match"]\n[Site "?"]\n[Date "2026.01.01"]\n[Round "1"]\n[White "A"]\n[Black "B"]\n[Result "*"]\n\n'
        )
        games.append(f"{tags}{' '.join(words)} *\n\n")
    return "".join(games * (GAMES // UNLIKE))


def own_games(spec: str, notation: str) -> str:
    """Random games of ours, in a notation that we write."""
    chance, games = random.Random(spec), list[str]()
    for _ in range(OTHERS):
        position = pg.Position.initial(spec)
        while position.outcome is None and len(position.moves) < PLIES:
            position = position.play(chance.choice(position.legal_moves))
        games.append(record_form(spec, position, of_position(position), ("A", "B")).text)
    return "\n".join(games)


def by_python_chess(text: str) -> tuple[int, int]:
    """Games and plies of the main lines."""
    file, games, plies = io.StringIO(text), 0, 0
    while (game := chess.pgn.read_game(file)) is not None:
        games, plies = games + 1, plies + sum(1 for _ in game.mainline_moves())
    return games, plies


def by_sgfmill(text: str) -> tuple[int, int]:
    """Games and their moves; the tree is built, no rule is asked."""
    games = sgf_grammar.parse_sgf_collection(text.encode())
    return len(games), sum(len([*sgf_grammar.main_sequence_iter(game)]) - 1 for game in games)


def by_pydraughts(text: str) -> tuple[int, int]:
    """Games and their moves."""
    games = PDNReader(text).games
    return len(games), sum(len(game.moves) for game in games)


def by_plyground(file: Path) -> tuple[int, int]:
    """Games and plies of the main lines, checked by the rules."""
    games = plies = 0
    for record in Records.of_file(file):
        if record.faults:
            sys.exit(f"{file.name}: {record.faults[0]}")
        games, plies = games + 1, plies + len(record.main_line())
    return games, plies


def measure_reading(read: Callable[[], tuple[int, int]]) -> tuple[float, tuple[int, int]]:
    """CPU seconds of a reading, and what it found."""
    started = time.process_time()
    found = read()
    return time.process_time() - started, found


def cases() -> Iterator[Case]:
    """The files."""
    for kind in ("main lines", "clocks", "variations"):
        yield Case(f"chess, {kind}", chess_games(kind), f"python-chess {version('chess')}", by_python_chess)
    yield Case("Hex 11, SGF", own_games("hex:11", "sgf"), f"sgfmill {version('sgfmill')}", by_sgfmill)
    yield Case("draughts, PDN", own_games("draughts", "pdn"), f"pydraughts {version('pydraughts')}", by_pydraughts)


def main() -> None:
    """Measure, and write the table."""
    require_compiled()
    machine = f"Python {platform.python_version()}, {platform.machine()}"
    about = f"{machine}. Chess: {UNLIKE:,} random games of up to {PLIES} plies, {GAMES // UNLIKE} times."
    lines = [HEAD.format(about=about)]
    for case in cases():
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "games.txt"
            file.write_text(case.text, encoding="utf-8")
            first, found = measure_reading(partial(by_plyground, file))
            theirs, ours = [], []
            for _ in range(ROUNDS):
                spent, other = measure_reading(partial(case.read, case.text))
                theirs.append(spent)
                ours.append(measure_reading(partial(by_plyground, file))[0])
                if other != found:
                    sys.exit(f"{case.name}: {case.beside} reads {other}, and plyground {found}.")
        games, plies = found
        size, best = len(case.text.encode()) / 1e6, min(ours)
        lines.append(
            f"| {case.name} | {games:,} | {plies:,} | {size:.1f} | {case.beside} | {min(theirs):.2f} | {first:.2f} |"
            f" {best:.2f} | {best / min(theirs):.2f} |\n"
        )
        print(lines[-1], end="", flush=True)
    (HERE / "FILES.md").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
