"""Verbs that find the whole truth: solve and verify."""

import time
from pathlib import Path
from typing import Annotated, Any

import typer
from platformdirs import user_data_path
from rich.table import Table

from plyground.cli.words import AsJson, GameName, PositionText, named_position, print_json
from plyground.errors import BadInput
from plyground.known import COSTS, Known, found, known_values
from plyground.position import moves_text
from plyground.solver import Solution, Solver
from plyground.terminal import board, out, progress

KEEP_EVERY = 300.0
"""Seconds between keeping what is known, so that a power cut costs no more than these."""

Threads = Annotated[int, typer.Option(help="how many search at the same time")]
TableSize = Annotated[int, typer.Option("--table", help="mebibytes for the transposition table")]


def add_to(app: typer.Typer) -> None:
    """Make these verbs part of a command."""
    for verb in (solve, verify):
        app.command()(verb)


def solve(
    game: GameName,
    position: PositionText = "",
    hurry: Annotated[bool, typer.Option("--hurry", help="also in how many plies: slower")] = False,
    every_move: Annotated[bool, typer.Option("--moves/--no-moves", help="the value of each move")] = True,
    threads: Threads = 1,
    table: TableSize = 256,
    keep: Annotated[Path | None, typer.Option(help="the file to keep unfinished work in")] = None,
    as_json: AsJson = False,
) -> None:
    """The exact value with perfect play, of each move too, and a best line. Ctrl-C stops; the same command goes on."""
    here = named_position(game, position)
    solver = Solver(here, hurry=hurry, every_move=every_move, threads=threads, table=table)
    file = keep or user_data_path("plyground") / f"solving-{solver.name}.bin"
    if file.exists() and not solver.take_up(file) and keep:
        raise BadInput(f"{file} keeps other work: name another file, or delete it.")
    solution = _solve(solver, file)
    file.unlink(missing_ok=True)
    names = here.game.names
    if as_json:
        moves = [{"move": here.game.move_text(here.state, move), **score.data(names)} for move, score in solution.moves]
        value = solution.score.data(names)
        line = moves_text(here, solution.variation)
        answer: dict[str, Any] = {"position": here.text, "value": value, "moves": moves, "variation": line}
        print_json(answer | {"nodes": solution.nodes, "seconds": round(solution.seconds, 3)})
        return
    out.print(board(here))
    out.print(f"value    {solution.score.text(names)}", markup=False)
    if solution.moves:
        words = (f"{here.game.move_text(here.state, move)}: {score.text(names)}" for move, score in solution.moves)
        out.print("moves    " + "; ".join(words), markup=False)
        out.print("line     " + " ".join(moves_text(here, solution.variation)), markup=False)
    out.print(f"nodes    {solution.nodes:,}\ntime     {solution.seconds:.2f} s")


def _solve(solver: Solver, file: Path) -> Solution:
    kept = time.perf_counter()
    with progress("solving", 1.0) as bar:

        def on_wait(done: float) -> None:
            nonlocal kept
            asked = f"move {len(solver.known)}" if solver.known else "value"
            bar.update(bar.task_ids[0], completed=done, said=f"{asked}, {solver.nodes:,} nodes")
            if time.perf_counter() - kept > KEEP_EVERY:
                solver.keep(file)
                kept = time.perf_counter()

        try:
            return solver.solve(on_wait)
        except KeyboardInterrupt:
            solver.keep(file)
            raise


def verify(
    cost: Annotated[str, typer.Option(help="the dearest results to find: instant, seconds or minutes")] = "instant",
    only: Annotated[str, typer.Option(help="only of games whose name begins so")] = "",
    threads: Threads = 1,
    table: TableSize = 256,
    as_json: AsJson = False,
) -> None:
    """Find published exact results again: agreed, differs, or not tried."""
    if cost not in COSTS:
        raise BadInput(f"--cost {cost}: write {', '.join(COSTS)}.")
    values = [known for known in known_values() if known.game.startswith(only)]
    tried = [known for known in values if COSTS.index(known.cost) <= COSTS.index(cost)]
    rows, seconds = [], []
    with progress("verifying", len(tried)) as bar:
        for known in tried:
            bar.update(bar.task_ids[0], said=f"{known.game} {known.ask}")
            started = time.perf_counter()
            rows.append((known, found(known, threads=threads, table=table)))
            seconds.append(time.perf_counter() - started)
            bar.advance(bar.task_ids[0])
    differ = [(known, value) for known, value in rows if value != known.value]
    if as_json:
        answer: dict[str, Any] = {"agreed": len(rows) - len(differ), "not_tried": len(values) - len(tried)}
        wrong = [
            {"game": known.game, "ask": known.ask, "published": known.value, "found": value} for known, value in differ
        ]
        times = [
            {"game": known.game, "ask": known.ask, "seconds": round(spent, 3)}
            for (known, _), spent in zip(rows, seconds, strict=True)
        ]
        print_json(answer | {"differs": wrong, "seconds": round(sum(seconds), 1), "entries": times})
    else:
        out.print(_summary(values, tried, differ))
        for known, value in differ:
            out.print(
                f"{known.game} {known.ask}: published {known.value} ({known.source}), found {value}", markup=False
            )
    if differ:
        raise typer.Exit(1)


def _summary(values: list[Known], tried: list[Known], differ: list[tuple[Known, Any]]) -> Table:
    table = Table("game", "agreed", "differs", "not tried")
    for name in dict.fromkeys(known.game.partition(":")[0] for known in values):
        mine, done = (sum(known.game.partition(":")[0] == name for known in part) for part in (values, tried))
        wrong = sum(known.game.partition(":")[0] == name for known, _ in differ)
        table.add_row(name, str(done - wrong), str(wrong), str(mine - done))
    table.add_row("all", str(len(tried) - len(differ)), str(len(differ)), str(len(values) - len(tried)))
    return table
