"""Runs of one search by one algorithm, at the best speed available."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from plyground.compiled.clock import Clock, Limit
from plyground.compiled.kernel import kernel
from plyground.engine.report import Report
from plyground.engine.think import think
from plyground.errors import BadInput, check_arguments
from plyground.faults import own_fault
from plyground.position import Position
from plyground.rules import LONGEST, NO_MOVE
from plyground.search import algorithm_named
from plyground.search.algorithm import Algorithm, Query, Run
from plyground.search.alphabeta import ALPHABETA
from plyground.search.observer import Counting
from plyground.search.own_simulations import SIMULATION_NAMES

PROOF_SECONDS = 1.0
"""Seconds, at most, in which an end that a selective search tells of is looked for by one that leaves nothing out."""
SIMULATIONS = 10_000
"""Simulations of a Monte Carlo search without a limit."""


@check_arguments
def search(
    position: Position,
    algorithm: str | Algorithm,
    depth: int = 1,
    *,
    prefer_shorter: bool = True,
    nodes: int | None = None,
    seed: int = 0,
    observer: Counting | None = None,
    on_wait: Callable[[Counting], None] | None = None,
    verify: bool = True,
    stop: threading.Event | None = None,
) -> Report:
    """One search by one algorithm, with its counts.

    An algorithm whose record does not say that it leaves nothing out, such as a user's, proves nothing: an end that it
    finds is an estimate, unless the engine proves the same one.

    >>> from plyground.position import Position
    >>> report = search(Position.parse("tictactoe", "b1 b2 a1"), "alphabeta", depth=6)
    >>> report.position.text_of(report.move), report.score.text()
    ('c1', 'draw')

    Args:
        position: where to search from.
        algorithm: one of `ALGORITHMS`, or its name. `mcts` and `proof` have no depth: `mcts` runs simulations,
            `proof` decides who wins, and neither finds the distance.
        depth: plies to look ahead, 1 or more.
        prefer_shorter: prefer the shorter win and the longer loss; False tells only won, drawn and lost apart, as the
            textbooks do, and visits fewer nodes.
        nodes: nodes at most, or simulations, of which there are else `SIMULATIONS`; `Stopped` is raised where they do
            not suffice, except by `mcts`.
        seed: of the random games of `mcts`.
        observer: the observer that counts; its budget replaces `nodes`.
        on_wait: called about ten times a second with the counts so far.
        verify: whether the engine looks for an end that such an algorithm finds, for `PROOF_SECONDS` at most.
        stop: an event that ends the search, from any thread and within 10 ms.

    Raises:
        BadInput: no such algorithm, or a depth below 1; a user's search fails.
        Stopped: the nodes did not suffice, or the event was set; `mcts` answers with what it has.
    """
    chosen = _as_algorithm(algorithm)
    if not 1 <= depth <= LONGEST:
        raise BadInput(f"depth={depth}: look 1 to {LONGEST:,} plies ahead.")
    is_simulating = any(name in SIMULATION_NAMES for name in chosen.takes)
    simulations = SIMULATIONS if is_simulating and not observer else None
    clock = Clock(Limit(nodes=nodes or simulations), stop=stop)
    if observer:
        # The caller's observer replaces the clock's, with its own budget; the clock stops it all the same.
        clock.observers[0] = observer
    query = chosen.seeing(
        Query(position.game, position.state, depth, prefer_shorter, seed=seed, ends=position.last_times())
    )
    found = _run_prepared(position, chosen, query, clock, on_wait)
    return _verify_report(found, chosen, stop) if verify else found


def _verify_report(found: Report, algorithm: Algorithm, stop: threading.Event | None) -> Report:
    """Report whose end is proved by the engine where it can be, if the algorithm is selective."""
    if not algorithm.is_selective or (found.score.foreseen is None and found.score.points != 0):
        return found
    # To the same depth: an end that the search found lies within it, and a proof farther off would be of another end.
    limit = Limit(depth=max(found.depth, 1), time=PROOF_SECONDS)
    score = found.score.proved_by([*think(found.position, limit, stop=stop)][-1].score)
    moves = tuple((move, score if move == found.move else each) for move, each in found.moves)
    return replace(found, score=score, moves=moves)


@check_arguments
def simulate(
    position: Position,
    limit: Limit | None = None,
    *,
    seed: int = 0,
    algorithm: str | Algorithm = "mcts",
    on_wait: Callable[[Counting], None] | None = None,
    stop: threading.Event | None = None,
) -> Report:
    """Monte Carlo tree search until the limit, or until the result is certain.

    The score is x's share of the simulations, or where that is certain, who wins: not how soon or by how much. Every
    move has its score; `nodes` counts simulations, and the limit's `nodes` limits them; its depth is not used.

    >>> from plyground.position import Position
    >>> report = simulate(Position.parse("tictactoe", "a1 b1 a2 b2"), Limit(nodes=200))
    >>> report.position.text_of(report.move)
    'a3'

    Args:
        position: what to think about.
        limit: when to stop; by default after `SIMULATIONS`.
        seed: of the random games: with the same one and the same number of simulations, the same answer.
        algorithm: `mcts` with its options, as in `mcts:exploration=1,tree=512`.
        on_wait: called about ten times a second with the counts so far.
        stop: an event; when it is set, from any thread, the simulations so far are the answer, within 10 ms.
    """
    limit = limit or Limit(nodes=SIMULATIONS)
    chosen = _as_algorithm(algorithm)
    query = chosen.seeing(Query(position.game, position.state, seed=seed, ends=position.last_times()))
    return _run_prepared(position, chosen, query, Clock(limit, stop=stop), on_wait)


def prepare(position: Position, algorithm: str | Algorithm = "pvs", observer: Counting | None = None) -> str | None:
    """Compile a search for a game now, or find it on disk, so that no limit and no player's clock counts it.

    Args:
        position: any position of the game.
        algorithm: one of `ALGORITHMS`; `pvs` is what `think` and the solver use.
        observer: one of the kind that will be passed to `search`.

    Returns:
        Why the search runs as plain Python all the same, in one sentence; None where it is compiled.
    """
    chosen = _as_algorithm(algorithm)
    query = chosen.seeing(Query(position.game, position.state, entries=1))
    return _prepare_run(chosen, query, observer or Counting.fresh())[1]


def best_moves(position: Position, depth: int) -> tuple[int, ...]:
    """All moves with the value of the best one at `depth` plies, in generation order."""
    here = ALPHABETA.seeing(Query(position.game, position.state, ends=position.last_times()))
    game = here.game
    # Each move with a whole window: with the window of alpha-beta at the root equal moves could not be told from worse
    # ones.
    queries = [Query(game, game.play(here.state, move), depth - 1, ply=1) for move in position.legal_moves]

    run, _ = _prepare_run(ALPHABETA, queries[0], Counting.fresh())
    clock = Clock(Limit())
    runs = [ALPHABETA.prepare_run(query, clock.observer, run.function) for query in queries]
    values = clock.run(lambda: [int(run()[0]) for run in runs])
    best = (max if position.to_move == 0 else min)(values)
    return tuple(move for move, value in zip(position.legal_moves, values, strict=True) if value == best)


def _as_algorithm(algorithm: str | Algorithm) -> Algorithm:
    return algorithm if isinstance(algorithm, Algorithm) else algorithm_named(algorithm)


def _prepare_run(algorithm: Algorithm, query: Query, observer: Counting) -> tuple[Run, str | None]:
    """The search, compiled if possible, and the reason where it is not."""
    function = kernel(algorithm.search, query.game)
    run = algorithm.prepare_run(query, observer, function)
    function.prepare(*run.args)
    if algorithm.is_own and not function.why_plain:
        from plyground.compiled.agreement import find_search_difference  # here, because it loads the compiler

        function.compare_with_plain(partial(find_search_difference, algorithm, query.game, function))
    return run, function.why_plain


def _run_prepared(
    position: Position,
    algorithm: Algorithm,
    query: Query,
    clock: Clock,
    on_wait: Callable[[Counting], None] | None,
) -> Report:
    """The report of a search, which is compiled first."""
    before = time.perf_counter()
    run, why_plain = _prepare_run(algorithm, query, clock.observer)
    compile_seconds = time.perf_counter() - before
    observer = clock.observer
    # The time starts after compiling.
    clock.begin()
    try:
        answer = clock.run(lambda: algorithm.find_answer(run), on_wait=(lambda: on_wait(observer)) if on_wait else None)
    except Exception as fault:
        raise (own_fault(fault, algorithm.search) if algorithm.is_own else None) or fault from None
    # Only a user's: shipped searches take their moves from the rules.
    if answer.move != NO_MOVE and algorithm.is_own and answer.move not in position.legal_moves:
        raise BadInput(f"{algorithm.name} gives the move {answer.move}, which is none of {list(position.legal_moves)}.")
    line = () if answer.move == NO_MOVE else (answer.move,)
    moves = answer.moves or tuple((move, answer.score) for move in line)
    depth = query.depth if algorithm.looks_ahead else 0
    return Report(
        position,
        depth,
        observer.nodes,
        observer.leaves,
        observer.cutoffs,
        clock.seconds,
        answer.score,
        line,
        moves,
        why_plain=why_plain,
        compile_seconds=compile_seconds,
    )
