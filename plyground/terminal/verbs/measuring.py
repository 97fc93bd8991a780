"""Verb about searches as such: bench."""

from pathlib import Path
from typing import Annotated

import typer

from plyground.compiled.clock import Limit
from plyground.errors import BadInput
from plyground.games import AnyGame
from plyground.play.suite import Exercise, SuiteAnswer, read_suite, solve_exercise, suite_lines
from plyground.terminal.arguments import INTERRUPTED, AsJson, named_game, print_json
from plyground.terminal.bench import BENCH_SEARCHES
from plyground.terminal.bench import bench as run_bench
from plyground.terminal.board import err, out, plain_table, progress


def bench(
    files: Annotated[list[Path] | None, typer.Argument(help="suites in EPD: positions with bm, am, dm or ce")] = None,
    game: Annotated[str, typer.Option(help="the game of a suite")] = "chess",
    seconds: Annotated[
        float | None, typer.Option("--time", help="seconds for each position of a suite; by default 1")
    ] = None,
    nodes: Annotated[int | None, typer.Option(help="nodes for each position of a suite")] = None,
    depth: Annotated[int | None, typer.Option(help="plies for each position of a suite")] = None,
    as_json: AsJson = False,
) -> None:
    """Nodes searched in a fixed set of searches (one number that changes only when a search does), and speeds; or how
    many positions of a suite are solved."""
    if files:
        limit = Limit(depth, nodes, 1.0 if depth is nodes is seconds is None else seconds)
        _run_suite(named_game(game), files, limit, as_json)
        return
    if (game, seconds, nodes, depth) != ("chess", None, None, None):
        raise BadInput("--game, --time, --nodes and --depth are for a suite: name its file, too.")
    with progress("measuring", len(BENCH_SEARCHES) + 1) as bar:
        answer = run_bench(lambda row: bar.update(bar.task_ids[0], advance=1, said=row))
    if as_json:
        print_json(answer)
        return
    rows = [
        [
            *(row["game"], row["task"], f"{row['nodes']:,}"),
            *(f"{row['compiled'] / 1e6:.1f}", f"{row['plain'] / 1e6:.2f}", f"×{row['ratio']:.0f}"),
        ]
        for row in answer["rows"]
    ]
    head = ("game", "search", "nodes", "million/s", "plain", "ratio")
    out.print(plain_table(head, rows, keys=2, left=("game", "search")))
    out.print(f"Nodes: {answer['nodes']}")


def _run_suite(game: AnyGame, files: list[Path], limit: Limit, as_json: bool) -> None:
    """Search the exercises of some files, and print what was solved; Ctrl-C ends it with those that are done."""
    suite, faults = list[Exercise](), list[str]()
    for file in files:
        found, faulty = read_suite(game, file)
        suite, faults = [*suite, *found], [*faults, *faulty]
    solutions, is_whole = list[SuiteAnswer](), True
    try:
        with progress("solving", len(suite)) as bar:
            for exercise in suite:
                bar.update(bar.task_ids[0], said=exercise.name)
                solutions.append(solve_exercise(exercise, limit))
                bar.update(bar.task_ids[0], advance=1)
    except KeyboardInterrupt:
        is_whole = False
    judged = [solution.is_solved for solution in solutions if solution.is_solved is not None]
    if as_json:
        rows = [solution.to_dict() for solution in solutions]
        print_json({"solved": sum(judged), "of": len(judged), "positions": len(suite), "faults": faults, "rows": rows})
    else:
        head = ("position", "wanted", "move", "", "depth", "nodes", "seconds", "value", "suite's")
        out.print(plain_table(head, [_suite_row(solution) for solution in solutions], keys=1, left=head[:4]))
        for line in suite_lines(solutions, len(suite), limit):
            out.print(line, markup=False)
        for fault in faults:
            err.print(f"Left out: {fault}", markup=False)
    if not is_whole:
        raise typer.Exit(INTERRUPTED)


def _suite_row(solution: SuiteAnswer) -> list[str]:
    row, position = solution.to_dict(), solution.exercise.position
    mark = {True: "solved", False: "–", None: ""}[solution.is_solved]
    given = "" if row["ce"] is None else str(row["ce"])
    value = solution.report.score.text(position.game.names)
    effort = (str(row["depth"]), f"{row['nodes']:,}", f"{row['seconds']:.2f}")
    return [solution.exercise.name, solution.exercise.right_words, str(row["move"] or ""), mark, *effort, value, given]
