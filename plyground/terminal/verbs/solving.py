"""Verbs that find the whole truth: solve, book and verify."""

import hashlib
import json
import os
import time
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from platformdirs import user_data_path
from rich.text import Text as Styled

from plyground.errors import BadInput
from plyground.exact.book import book_of, user_book_file
from plyground.exact.book_writer import Author
from plyground.exact.known_values import COSTS, KNOWN_VALUE_KINDS, KnownValue, compute_result, known_values
from plyground.exact.solution import Solution
from plyground.exact.solver import Solver
from plyground.exact.sweep import merged_text
from plyground.labelling.exact_values import ExactValues
from plyground.labelling.parallel_solve import ParallelSolve
from plyground.labelling.results_file import ResultsFile
from plyground.position import Position, moves_text
from plyground.score import Score, counted_plies
from plyground.search.table import SOLVING
from plyground.terminal.arguments import (
    INTERRUPTED,
    AsJson,
    GameName,
    Jobs,
    PositionText,
    Scheduler,
    named_game,
    named_position,
    print_json,
)
from plyground.terminal.board import board, err, out, plain_table, progress
from plyground.terminal.lines import census_line, solved_lines
from plyground.terminal.resumable import PeriodicSave, saving_results
from plyground.workers.cluster import Cluster

SOLVING_SAVE_SECONDS = 300.0
"""Seconds between keeping what is known, so that a power cut costs no more than these."""

Threads = Annotated[int, typer.Option(help="how many search at the same time")]
TableSize = Annotated[int, typer.Option("--table", help="mebibytes for the transposition table, or for all states")]


def solve(
    game: GameName,
    position: PositionText = "",
    hurry: Annotated[bool, typer.Option("--hurry", help="also in how many plies: slower")] = False,
    every_move: Annotated[bool, typer.Option("--moves/--no-moves", help="the value of each move")] = True,
    threads: Threads = 1,
    table: TableSize = SOLVING,
    keep: Annotated[Path | None, typer.Option(help="the file to keep unfinished work in")] = None,
    uses_book: Annotated[bool, typer.Option("--book/--no-book", help="ask the opening book first")] = True,
    jobs: Jobs = 1,
    scheduler: Scheduler = "",
    as_json: AsJson = False,
) -> None:
    """The exact value with perfect play, of each move too, and a best line. Ctrl-C stops; the same command goes on."""
    here = named_position(game, position)
    solution = (
        _solve_on_cluster(game, here, Cluster(jobs, scheduler), hurry, every_move, table, keep, uses_book)
        if scheduler or jobs != 1
        else _solve_here(here, hurry, every_move, threads, table, keep, uses_book)
    )
    _print_solution(here, solution, as_json)


def _solve_here(
    here: Position, hurry: bool, every_move: bool, threads: int, table: int, keep: Path | None, uses_book: bool
) -> Solution:
    solver = Solver(here, prefer_shorter=hurry, every_move=every_move, threads=threads, table=table, book=uses_book)
    file = keep or user_data_path("plyground") / f"solving-{solver.name}.bin"
    # A file of the usual name belongs to this work by its hash, and is written over if it cannot be
    # used; one that the user names might be anything.
    if os.path.lexists(file) and not solver.take_up(file) and keep:
        raise BadInput(f"{file} keeps other work: name another file, or delete it.")
    solution = _solve(solver, file)
    with suppress(OSError):  # there is none where nothing can be written
        file.unlink(missing_ok=True)
    return solution


def _solve_on_cluster(
    game: str,
    here: Position,
    cluster: Cluster,
    hurry: bool,
    every_move: bool,
    table: int,
    keep: Path | None,
    uses_book: bool,
) -> Solution:
    """Solve the positions a few plies ahead on a cluster, and follow from these."""
    # The answer is known at once: no cluster is started for it.
    if here.outcome is not None or (uses_book and (known := book_of(here)) and known.score(here.state)):
        return _solve_here(here, hurry, every_move, 1, table, keep, uses_book)
    started, nodes = time.monotonic(), 0
    work = ExactValues(game, prefer_shorter=hurry, table=table, book=uses_book)
    whose = {"game": work.mark, "position": here.text, "hurry": hurry}
    name = hashlib.sha256(json.dumps(whose).encode()).hexdigest()[:16]
    with cluster, progress("solving", None) as bar:
        ahead = ParallelSolve(here, prefer_shorter=hurry, every_move=every_move, workers=cluster.width)
        kept = ResultsFile(keep or user_data_path("plyground") / f"solving-{name}.jsonl", whose)
        with saving_results(kept):
            # Results of an earlier run go in first: they decide which positions are still wanted.
            for text, (utility, plies) in kept.rows.items():
                ahead.add_result(text, Score(utility, plies))
            for text, (score, more) in cluster.map(work, ahead.wanted_positions()):
                kept.add(text, (score.utility, score.plies))
                ahead.add_result(text, score)
                nodes += more
                left = ahead.leaves
                said = f"{len(kept.rows):,} positions after {ahead.plies} plies, {left:,} left at most, {nodes:,} nodes"
                bar.update(bar.task_ids[0], total=len(kept.rows) + left, completed=len(kept.rows), said=said)
    return Solution(here, *ahead.answer(), nodes, time.monotonic() - started)


def _print_solution(here: Position, solution: Solution, as_json: bool) -> None:
    names = here.game.names
    if as_json:
        moves = [{"move": here.game.move_text(here.state, move), **score.data(names)} for move, score in solution.moves]
        value = solution.score.data(names)
        line = moves_text(here, solution.variation)
        answer: dict[str, Any] = {"position": here.text, "value": value, "moves": moves, "variation": line}
        if solution.census:
            answer["states"] = asdict(solution.census) | {"reduced": solution.reduced}
        if solution.source:
            answer["source"] = solution.source
        print_json(answer | {"nodes": solution.nodes, "seconds": round(solution.seconds, 3)})
        return
    out.print(board(here))
    for words in solved_lines(here, solution.score, solution.moves, solution.variation):
        out.print(words, markup=False)
    if solution.census:
        out.print(census_line(solution.census, names), markup=False)
        if solution.reduced:
            out.print(f"         {merged_text(here.game, is_reduced=True)}")
    elif solution.source:
        out.print(f"from     {solution.source}", markup=False)
    else:
        out.print(f"nodes    {solution.nodes:,}")
    out.print(f"time     {solution.seconds:.2f} s")


def _solve(solver: Solver, file: Path) -> Solution:
    save = PeriodicSave(lambda: solver.keep(file), SOLVING_SAVE_SECONDS)
    with progress("solving", 1.0) as bar:

        def on_wait(done: float) -> None:
            asked = f"move {len(solver.known)}" if solver.known else "value"
            counted = "states" if solver.position.game.repetition else "nodes"
            bar.update(bar.task_ids[0], completed=done, said=f"{asked}, {solver.nodes:,} {counted}")
            save()

        try:
            return solver.solve(on_wait)
        except KeyboardInterrupt:
            # Work of a moment is sooner done again than kept.
            if not solver.is_small:
                _save_work(solver, file)
            raise


def _save_work(solver: Solver, file: Path) -> None:
    solver.keep(file)
    size = f"{file.stat().st_size / 1e6:,.0f} MB"
    err.print(f"What is known so far is kept in {file} ({size}): the same command goes on with it.", markup=False)


def book(
    game: GameName,
    plies: Annotated[int, typer.Option(help="solve every position after this number of plies")] = 4,
    file: Annotated[
        Path | None, typer.Option("--out", help="the book's file; by default where every command finds it")
    ] = None,
    table: TableSize = SOLVING,
    as_json: AsJson = False,
) -> None:
    """An opening book: exact scores of all first positions. Ctrl-C stops; the same command goes on."""
    rules = named_game(game)
    author = Author(game, rules, plies, file or user_book_file(rules), table=table)
    total = len(author.wanted_texts)
    try:
        with progress(counted_plies(plies), float(total)) as bar:

            def on_wait() -> None:
                bar.update(bar.task_ids[0], completed=author.solved_count, said=f"{author.nodes:,} nodes")

            for _ in author.write(on_wait):
                on_wait()
    except KeyboardInterrupt:
        said = f"{author.solved_count:,} of {total:,} positions are solved, and kept in {author.part}"
        err.print(f"{said}: the same command goes on with them.", markup=False)
        raise
    except OSError as fault:
        raise BadInput(f"The book cannot be written to {author.file}: {fault.strerror}.") from None
    done = author.book(plies)
    if as_json:
        print_json(asdict(done.head) | {"positions": total, "known": len(done.scores), "file": str(author.file)})
        return
    start = done.moves(rules.initial()) or ()
    out.print(f"book     {author.file}", markup=False)
    out.print(f"plies    {plies}: {total:,} positions solved, {len(done.scores):,} known")
    words = (f"{rules.notation_text(rules.initial(), move)}: {score.text(rules.names)}" for move, score in start)
    out.print("moves    " + "; ".join(words), markup=False)
    out.print(f"nodes    {author.nodes:,}")
    out.print(f"time     {author.seconds:.1f} s of a processor")


def verify(
    cost: Annotated[str, typer.Option(help="the dearest results to find: instant, seconds or minutes")] = "instant",
    only: Annotated[str, typer.Option(help="only of games whose name begins so")] = "",
    threads: Threads = 1,
    table: TableSize = SOLVING,
    jobs: Jobs = 1,
    scheduler: Scheduler = "",
    as_json: AsJson = False,
) -> None:
    """Find published and reference values again: agreed, differs, or not tried."""
    if cost not in COSTS:
        raise BadInput(f"--cost {cost}: write {', '.join(COSTS)}.")
    values = [known for known in known_values() if known.game.startswith(only)]
    tried = [known for known in values if COSTS.index(known.cost) <= COSTS.index(cost)]
    rows, seconds = [], []
    is_whole = True
    try:
        with Cluster(jobs, scheduler) as cluster, progress("verifying", len(tried)) as bar:
            for known, (value, spent) in cluster.map(partial(_time_known, threads=threads, table=table), tried):
                seconds.append(spent)
                rows.append((known, value))
                bar.advance(bar.task_ids[0])
                bar.update(bar.task_ids[0], said=f"{known.game} {known.ask}")
    except KeyboardInterrupt:  # it ends the searches, and not what they found
        # Nothing found yet: Ctrl-C ends the command as usual.
        if not rows:
            raise
        # Values that were not reached count as not tried, not as different.
        is_whole, tried = False, [known for known, _ in rows]
    # Results come as they are found; the list stays in its own order.
    rows.sort(key=lambda row: tried.index(row[0]))
    differ = [(known, value) for known, value in rows if value != known.value]
    if as_json:
        answer: dict[str, Any] = {"agreed": len(rows) - len(differ), "not_tried": len(values) - len(tried)}
        wrong = [
            {"game": known.game, "ask": known.ask, "kind": known.kind, "known": known.value, "found": value}
            for known, value in differ
        ]
        times = [
            {"game": known.game, "ask": known.ask, "kind": known.kind, "seconds": round(spent, 3)}
            for (known, _), spent in zip(rows, seconds, strict=True)
        ]
        print_json(answer | {"differs": wrong, "seconds": round(sum(seconds), 1), "entries": times})
    else:
        out.print(_summary(values, tried, differ))
        for known, value in differ:
            out.print(
                f"{known.game} {known.ask}: {known.kind} {known.value} ({known.source}), found {value}", markup=False
            )
    if not is_whole:
        raise typer.Exit(INTERRUPTED)
    if differ:
        raise typer.Exit(1)


def _time_known(known: KnownValue, threads: int, table: int) -> tuple[Any, float]:
    """The result, and the seconds that it took."""
    started = time.perf_counter()
    return compute_result(known, threads=threads, table=table), time.perf_counter() - started


def _summary(values: list[KnownValue], tried: list[KnownValue], differ: list[tuple[KnownValue, Any]]) -> Styled:
    rows = []
    wrong = [known for known, _ in differ]
    for kind in KNOWN_VALUE_KINDS:
        mine = [known for known in values if known.kind == kind]
        for name in [*dict.fromkeys(known.game.partition(":")[0] for known in mine), "all"]:
            all_of, done, missed = (
                sum(known.kind == kind and name in ("all", known.game.partition(":")[0]) for known in part)
                for part in (values, tried, wrong)
            )
            rows.append((name, kind, str(done - missed), str(missed), str(all_of - done)))
    return plain_table(("game", "values", "agreed", "differs", "not tried"), rows, keys=2, left=("game", "values"))
