"""Verbs that answer questions about a position: analyse, search, perft."""

import time
from typing import Annotated

import typer

from plyground.compiled.clock import Limit
from plyground.engine import defaults
from plyground.engine.perft import perft as count_sequences
from plyground.engine.perft import require_depth
from plyground.engine.report import Report
from plyground.engine.run import search as search_once
from plyground.engine.think import think
from plyground.errors import BadInput
from plyground.microscope.compare import are_leaves_counted
from plyground.position import Position, moves_text, notation_of
from plyground.score import SIDES
from plyground.search import algorithm_named
from plyground.search.observer import Counting
from plyground.spec import is_own
from plyground.terminal.arguments import (
    ALGORITHM_HELP,
    INTERRUPTED,
    AsJson,
    GameName,
    GameNumber,
    PositionText,
    Textbook,
    named_position,
    print_json,
)
from plyground.terminal.board import board, move_table, out, progress
from plyground.terminal.lines import best_play, perft_line, search_lines


def analyse(
    game: GameName,
    position: PositionText = "",
    seconds: Annotated[float, typer.Option("--time", help="seconds to think at most")] = defaults.THOUGHT_SECONDS,
    depth: Annotated[int | None, typer.Option(help="plies to look ahead at most")] = None,
    number: GameNumber = 1,
    as_json: AsJson = False,
) -> None:
    """The value of every move, who wins in how many plies, and best play."""
    here = named_position(game, position, number)
    report, is_whole = _think(here, Limit(depth=depth, time=seconds))
    _print_analysis(here, report, as_json)
    if not is_whole:
        raise typer.Exit(INTERRUPTED)


def _print_analysis(here: Position, report: Report, as_json: bool) -> None:
    if as_json:
        moves = [
            {"move": here.game.move_text(here.state, move), **score.data(here.game.names)}
            for move, score in report.moves
        ]
        print_json(_report_json(here, report) | {"moves": moves})
        return
    out.print(board(here))
    if here.outcome is not None:
        out.print(f"The game is over: {here.result}.")
        return
    out.print(move_table(here, report))
    out.print(best_play(here, report.variation), markup=False)


def _think(here: Position, limit: Limit) -> tuple[Report, bool]:
    """The last report, and whether the search had its whole time; after Ctrl-C the last one by then."""
    last = None
    try:
        with progress("thinking", limit.time) as bar:
            started = time.perf_counter()
            for report in think(here, limit, every_move=True):
                last = report
                said = f"depth {report.depth}, {report.nodes:,} nodes, {report.score.text(here.game.names)}"
                bar.update(bar.task_ids[0], completed=time.perf_counter() - started, said=said)
    except KeyboardInterrupt:
        if last is None:
            raise
        return last, False
    assert last is not None
    return last, True


def _report_json(here: Position, report: Report) -> dict[str, object]:
    return {
        "position": here.text,
        "to_move": SIDES[here.to_move],
        "value": report.score.data(here.game.names),
        "move": moves_text(here, report.variation[:1])[0] if report.variation else None,
        "variation": moves_text(here, report.variation),
        "depth": report.depth,
        "nodes": report.nodes,
        "leaves": report.leaves if are_leaves_counted(report) else None,
        "cutoffs": report.cutoffs if are_leaves_counted(report) else None,
        "seconds": round(report.seconds, 6),
    }


def search(
    game: GameName,
    position: PositionText = "",
    algorithm: Annotated[str, typer.Option(help=ALGORITHM_HELP)] = defaults.ALGORITHM,
    depth: Annotated[
        int | None,
        typer.Option(help=f"plies to look ahead, by default {defaults.SEARCHED_PLIES}; not for mcts and proof"),
    ] = None,
    textbook: Textbook = False,
    nodes: Annotated[int | None, typer.Option(help="nodes to enter at most, or simulations of mcts")] = None,
    seed: Annotated[int | None, typer.Option(help="of the random games of mcts")] = None,
    as_json: AsJson = False,
) -> None:
    """One search by one algorithm: value, move, nodes, leaves, cutoffs, time."""
    here = named_position(game, position)
    chosen = algorithm_named(algorithm)
    # An option that changes nothing is refused: its user believes that it does.
    for option, value, is_taken in (("--depth", depth, chosen.looks_ahead), ("--seed", seed, chosen.is_random)):
        if value is not None and not is_taken:
            raise BadInput(f"{option} {value}: {algorithm} takes no such option; leave it out.")
    plies = defaults.SEARCHED_PLIES if depth is None else depth
    total = len(here.legal_moves)
    with progress(f"{algorithm}, depth {plies}" if chosen.looks_ahead else algorithm, total) as bar:

        def on_wait(observer: Counting) -> None:
            bar.update(
                bar.task_ids[0], completed=max(observer.root_moves_begun - 1, 0), said=f"{observer.nodes:,} nodes"
            )

        report = search_once(
            here, chosen, plies, prefer_shorter=not textbook, nodes=nodes, seed=seed or 0, on_wait=on_wait
        )
    if as_json:
        print_json(_report_json(here, report) | {"algorithm": algorithm})
        return
    move = notation_of(here, report.variation[:1])
    said = move[0] if move else _no_move(here, algorithm)
    for line in search_lines(report.score.text(here.game.names), said, report, report.seconds):
        out.print(line, markup=False)
    if not report.nodes and is_own(algorithm):
        out.print(NOT_ENTERED, markup=False)


NOT_ENTERED = "It counts no node: it never calls observer.enter(state)."
"""Remark on a search that reports no node."""


def _no_move(here: Position, algorithm: str) -> str:
    """The reason that there is no move: the game is over, or the search gave none."""
    if here.outcome is not None or not is_own(algorithm):
        return "none: the game is over"
    return f"none: {algorithm} gave no move"


def perft(
    game: GameName,
    depth: Annotated[int, typer.Argument(help="plies")],
    position: Annotated[str, typer.Option(help="where to count from")] = "",
    as_json: AsJson = False,
) -> None:
    """How many sequences of moves there are, for each number of plies up to DEPTH."""
    require_depth(depth)
    here = named_position(game, position)
    counts: list[int] = []
    for plies in range(min(depth, 1), depth + 1):
        started = time.perf_counter()
        with progress(f"perft {plies}", len(here.legal_moves)) as bar:

            def on_move(done: int, total: int) -> None:
                bar.update(bar.task_ids[0], completed=done, said=f"{total:,}")

            # Each depth is searched from the beginning: the lower ones together take a small part
            # of the deepest.
            counts.append(count_sequences(here, plies, on_move=on_move))
        if not as_json:
            out.print(perft_line(plies, counts[-1], time.perf_counter() - started))
    if as_json:
        print_json({"game": game, "position": here.text, "perft": counts})
