"""Compare with other programs: `pip install -e .[peers]`, then `python bench/peers.py`; words after it choose parts.

It prints Markdown tables and writes them to `bench/PEERS.md`. Where two programs are compared they take turns within
one run, and the middle one of three rounds counts. It fails if two exact solvers disagree.
"""

import json
import math
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any, Final

import pyspiel
from bitbully import BitBully, Board
from blind import Blind
from compiled import require_compiled
from easyAI import Negamax, TwoPlayerGame
from match import SPIEL, spiel_bot
from open_spiel.python.algorithms.minimax import alpha_beta_search
from run import build_limit

import plyground as pg
from plyground.compiled.kernel import kernel
from plyground.engine.run import prepare, simulate
from plyground.exact.solver import Solver
from plyground.score import FINAL, INFINITY
from plyground.search.alphabeta import alphabeta
from plyground.search.context import STACK, new_context
from plyground.search.exact import decide, value_bounds
from plyground.search.observer import SILENT, Counting
from plyground.search.proof import NEVER, proof, proof_of
from plyground.search.pvs import pvs
from plyground.search.table import new_table

HERE: Final = Path(__file__).parent
GAME: Final = pg.ConnectFour()
POSITIONS: Final = 40
ROUNDS: Final = 3
ENTRIES: Final = 1 << 20


def seconds(work: Callable[[], Any]) -> float:
    """CPU seconds of one run."""
    started = time.process_time()
    work()
    return time.process_time() - started


# -- Connect Four: exact scores ---------------------------------------------------------------------------------------


def quiet_positions(stones: int) -> list[pg.Position]:
    """Random positions with this many `stones` in which nobody can win at once."""
    chance, found = random.Random(stones), list[pg.Position]()
    while len(found) < POSITIONS:
        position = pg.Position.initial(GAME)
        while position.outcome is None and len(position.moves) < stones:
            position = position.play(chance.choice(position.legal_moves))
        if position.outcome is None and all(position.play(move).outcome is None for move in position.legal_moves):
            found.append(position)
    return found


def our_scores(positions: list[pg.Position]) -> tuple[list[int], float]:
    """Pons's score of each position, and the seconds, the table emptied before each."""
    run, scores, spent = kernel(pvs, GAME), [], 0.0
    table, empty = new_table(GAME.initial(), ENTRIES), new_table(GAME.initial(), ENTRIES)
    context = new_context(table)
    for position in positions:
        table[:] = empty
        args = (Counting.fresh(), context, position.state, 1, *value_bounds(GAME, position.state, 1))
        prepare(position)
        started = time.process_time()
        value = decide(run, *args)
        spent += time.process_time() - started
        left = 42 - len(position.moves)
        plies = FINAL - abs(value)
        scores.append(0 if value == 0 else ((left - plies) // 2 + 1) * (1 if value > 0 else -1))
    return scores, spent


def bitbully_scores(positions: list[pg.Position]) -> tuple[list[int], float]:
    """The same by bitbully, without its book, its table emptied before each."""
    solver, scores, spent = BitBully(opening_book=None), [], 0.0
    for position in positions:
        board = Board([move // GAME.stride for move in position.moves])
        solver.reset_transposition_table()
        started = time.process_time()
        scores.append(solver.mtdf(board))
        spent += time.process_time() - started
    return scores, spent


def connect_four() -> list[str]:
    """Exact scores of random positions, by the number of marks."""
    lines = ["| marks | positions | plyground, ms | bitbully, ms | plyground / bitbully |", "|--:|--:|--:|--:|--:|"]
    our_scores(quiet_positions(36)[:1])
    for stones in (12, 16, 20, 24, 28, 32, 36):
        positions = quiet_positions(stones)
        ours, theirs = [], []
        for _ in range(ROUNDS):
            left, right = our_scores(positions), bitbully_scores(positions)
            if left[0] != right[0]:
                raise SystemExit(f"scores differ at {stones} marks: {left[0]} {right[0]}")
            ours.append(left[1])
            theirs.append(right[1])
        mine, other = 1000 * median(ours) / POSITIONS, 1000 * median(theirs) / POSITIONS
        lines.append(f"| {stones} | {POSITIONS} | {mine:.3f} | {other:.3f} | {mine / other:.2f} |")
    return lines


# -- fixed-depth alpha-beta -------------------------------------------------------------------------------------------


class Stones(TwoPlayerGame):  # type: ignore[misc]  # easyAI is untyped
    """Connect Four for easyAI: our plain rules behind its questions, without opinions."""

    def __init__(self) -> None:
        self.players, self.current_player, self.state = [None, None], 1, GAME.initial()

    def possible_moves(self) -> list[int]:
        return list(GAME.moves(self.state))

    def make_move(self, move: int) -> None:
        self.state = GAME.play(self.state, move)

    def is_over(self) -> bool:
        return GAME.outcome(self.state) != pg.ONGOING

    def scoring(self) -> int:
        return -100 if GAME.outcome(self.state) not in (0, pg.ONGOING) else 0


def fixed_depth() -> list[str]:
    """Seconds for alpha-beta from the start, no opinions, columns from left to right."""
    spiel, depth = pyspiel.load_game("connect_four"), 8
    run = kernel(alphabeta, Blind())
    args = (SILENT, GAME.initial(), depth, -INFINITY, INFINITY, 0, 0)
    run(*args)
    ours, theirs, easy = [], [], []
    for _ in range(ROUNDS):
        ours.append(seconds(lambda: [run(*args) for _ in range(50)]) / 50)
        theirs.append(seconds(lambda: alpha_beta_search(spiel, None, lambda _: 0, depth, 0)))
        easy.append(seconds(lambda: Negamax(depth)(Stones())))
    mine = median(ours)
    lines = ["| program | seconds | times plyground's |", "|---|--:|--:|", f"| plyground | {mine:.6f} | 1 |"]
    for name, times in (("OpenSpiel, Python on its C++ states", theirs), ("easyAI, on plyground's plain rules", easy)):
        lines.append(f"| {name} | {median(times):.3f} | {median(times) / mine:,.0f} |")
    return [f"Connect Four from the start, depth {depth}.", "", *lines]


# -- Kalah and the empty Connect Four board ---------------------------------------------------------------------------


def starts() -> list[str]:
    """Exact values from the start."""
    lines = ["| game | value | nodes | seconds |", "|---|--:|--:|--:|"]
    for name in ("mnk:5,5,4", "mnk:6,5,4", "connectfour:6,5", "connectfour:7,5", "kalah:5,4", "kalah:6,3"):
        game = pg.game_named(name)
        solver = Solver(pg.Position.initial(game), every_move=False, table=512)
        solver.clock.started = time.perf_counter()
        value = solver.value()
        lines.append(f"| {name} | {value:+d} | {solver.nodes:,} | {solver.seconds:.2f} |")
    return lines


def empty_boards() -> list[str]:
    """What takes minutes: Connect Four beside bitbully, each without a book, and Kalah with four seeds a pit."""
    lines = ["| game | program | value | nodes | seconds |", "|---|---|--:|--:|--:|"]
    for name in ("connectfour", "kalah:6,4"):
        solver = Solver(pg.Position.initial(pg.game_named(name)), every_move=False, table=2048)
        spent = seconds(solver.value)
        lines.append(f"| {name} | plyground | {solver.value():+d} | {solver.nodes:,} | {spent:.0f} |")
        print(lines[-1], flush=True)
    peer, scores = BitBully(opening_book=None), list[int]()
    spent = seconds(lambda: scores.append(peer.mtdf(Board())))
    lines.append(
        f"| connectfour | bitbully, which also finds how soon | +1 | {peer.get_node_counter():,} | {spent:.0f} |"
    )
    if scores[0] <= 0:
        raise SystemExit(f"bitbully: {scores[0]} for the empty board")
    return lines


# -- two threads ------------------------------------------------------------------------------------------------------


def thought(name: str, depth: int, threads: int) -> tuple[float, int]:
    """Seconds by the clock on the wall until `think` reports a depth, and the nodes of all threads."""
    started = time.perf_counter()
    reports = [*pg.think(pg.Position.initial(pg.game_named(name)), pg.Limit(depth=depth), threads=threads)]
    return time.perf_counter() - started, reports[-1].nodes


def solved(name: str, threads: int) -> tuple[float, int]:
    """Seconds by the clock on the wall to solve a game from the start, and the nodes of all threads."""
    solver = Solver(pg.Position.initial(pg.game_named(name)), every_move=False, table=512, threads=threads)
    started = time.perf_counter()
    solver.value()
    return time.perf_counter() - started, solver.nodes


def together() -> list[str]:
    """One thread and two, in turns; the best of five rounds each, because they measure idle cores."""
    works: dict[str, Callable[[int], tuple[float, int]]] = {
        "connectfour, depth 22": partial(thought, "connectfour", 22),
        "ultimate, depth 12": partial(thought, "ultimate", 12),
        "kalah, depth 24": partial(thought, "kalah", 24),
        "connectfour:7,5, solved": partial(solved, "connectfour:7,5"),
        "kalah:6,3, solved": partial(solved, "kalah:6,3"),
    }
    lines = ["| what | one thread, s | two threads, s | times sooner | nodes of two / one |", "|---|--:|--:|--:|--:|"]
    for name, work in works.items():
        rounds = [(work(1), work(2)) for _ in range(5)]
        (one, alone), (two, both) = (min(found) for found in zip(*rounds, strict=True))
        lines.append(f"| {name} | {one:.2f} | {two:.2f} | {one / two:.2f} | {both / alone:.2f} |")
    return lines


# -- Monte Carlo ------------------------------------------------------------------------------------------------------


def simulations() -> list[str]:
    """Simulations a second from the start."""
    lines = ["| game | plyground, thousand a second | OpenSpiel C++ | times |", "|---|--:|--:|--:|"]
    for name in ("connectfour", "ultimate", "kalah"):
        position, spiel = pg.Position.initial(pg.game_named(name)), pyspiel.load_game(SPIEL[name])
        simulate(position, pg.Limit(nodes=100))
        ours, theirs = [], []
        for seed in range(ROUNDS):
            ours.append(100 / seconds(partial(simulate, position, pg.Limit(nodes=100_000), seed=seed)))
            bot = spiel_bot(spiel, 20_000, seed + 1, math.sqrt(2))
            theirs.append(20 / seconds(partial(bot.step, spiel.new_initial_state())))
        mine, other = median(ours), median(theirs)
        lines.append(f"| {name} | {mine:.0f} | {other:.0f} | {mine / other:.1f} |")
    return lines


# -- late positions of Ultimate ---------------------------------------------------------------------------------------

LATE: Final = 20
"""Positions of each ply."""
PATIENCE: Final = 10.0
"""Seconds that C's alpha-beta is given for one of them."""


def late_positions(ply: int) -> list[pg.Position]:
    """Unfinished random positions after `ply` plies."""
    chance, found = random.Random(ply), list[pg.Position]()
    while len(found) < LATE:
        position = pg.Position.initial(pg.Ultimate())
        while position.outcome is None and len(position.moves) < ply:
            position = position.play(chance.choice(position.legal_moves))
        if position.outcome is None:
            found.append(position)
    return found


def proved(position: pg.Position) -> tuple[int, float]:
    """Whether the player to move wins, 1, draws or loses, -1, by proof search, and the seconds that took."""
    run, state, spent = kernel(proof, position.game), position.state, 0.0
    for player in (position.to_move, 1 - position.to_move):
        args = (Counting.fresh(), new_context(new_table(state, ENTRIES)), state, player, NEVER, NEVER, 0, STACK)
        run.prepare(*args)
        started = time.process_time()
        wins = proof_of(run(*args)) == 0
        spent += time.process_time() - started
        if wins:
            return 1 if player == position.to_move else -1, spent
    return 0, spent


def by_c(position: pg.Position, program: Path) -> tuple[int | None, float]:
    """The same by the plain alpha-beta of `limit/ultimate.c`; None if it is not done in time."""
    command = [str(program), "send", "solve", *map(str, position.moves)]
    try:
        said = subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE).stdout
    except subprocess.TimeoutExpired:
        return None, PATIENCE
    return json.loads(said)["result"], json.loads(said)["seconds"]


def late_ultimate() -> list[str]:
    """Who wins in random late positions, beside C."""
    lines = [
        f"Who wins in {LATE} random unfinished positions: by proof search with an empty table of {ENTRIES:,} entries, "
        f"and by C's plain alpha-beta (`limit/`), in turns. C is stopped after {PATIENCE:.0f} s, which then count.",
        "",
        "| ply | won, drawn, lost for the player to move | seconds, average | median | at most | C, average | median "
        "| stopped | C / plyground, averages |",
        "|--:|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    with tempfile.TemporaryDirectory() as folder:
        build_limit("cc", Path(folder))
        for ply in (44, 40, 36):
            positions = late_positions(ply)
            pairs = [(proved(position), by_c(position, Path(folder) / "ultimate")) for position in positions]
            if any(limit[0] not in (None, ours[0]) for ours, limit in pairs):
                raise SystemExit(f"values differ at ply {ply}: {pairs}")
            worths = [ours[0] for ours, _ in pairs]
            times, slow = [ours[1] for ours, _ in pairs], [limit[1] for _, limit in pairs]
            counts = ", ".join(str(worths.count(worth)) for worth in (1, 0, -1))
            mine, other = sum(times) / LATE, sum(slow) / LATE
            stopped = sum(limit[0] is None for _, limit in pairs)
            lines.append(
                f"| {ply} | {counts} | {mine:.3f} | {median(times):.3f} | {max(times):.2f} | {other:.3f} "
                f"| {median(slow):.3f} | {stopped} | {'≥ ' if stopped else ''}{other / mine:.0f} |"
            )
    return lines


def main() -> None:
    """Run all of it, and write the page."""
    require_compiled()
    peers = ", ".join(f"{name} {version(name)}" for name in ("bitbully", "open_spiel", "easyAI"))
    parts: dict[str, Callable[[], list[str]]] = {
        "Connect Four, exact scores, empty table, no book": connect_four,
        "Fixed-depth alpha-beta": fixed_depth,
        "Exact values from the start, one thread": starts,
        "Empty boards, one thread": empty_boards,
        "Two threads, seconds by the clock on the wall": together,
        "Monte Carlo simulations": simulations,
        "Late Ultimate positions": late_ultimate,
    }
    page = ["# Beside other programs", "", f"Written by `python bench/peers.py`. Peers: {peers}. One thread; CPU time."]
    notes = (HERE / "peers-notes.md").read_text(encoding="utf-8").strip()
    file, wanted = HERE / "PEERS.md", sys.argv[1:]
    kept = {part.partition("\n")[0]: part for part in file.read_text("utf-8").split("\n## ")} if file.exists() else {}
    for title, part in parts.items():
        if wanted and title.partition(",")[0] not in wanted:
            continue
        kept[title] = "\n".join([title, "", *part()])
        print(title, flush=True)
        told = "\n".join(f"\n## {kept[title].strip()}" for title in parts if title in kept)
        file.write_text("\n".join([*page, told, "", notes, ""]), encoding="utf-8")  # now: a peer may end the process


if __name__ == "__main__":
    main()
