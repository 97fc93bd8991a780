"""Thinking: a position and a limit in, better and better answers out."""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from plyground.compiled.kernel import Kernel, kernel
from plyground.engine.clock import Clock, Limit
from plyground.errors import BadInput
from plyground.position import Position
from plyground.rules import LONGEST, MAX, NO_MOVE, ONGOING
from plyground.score import ESTIMATES, INFINITY, Score, final
from plyground.search.alphabeta import alphabeta
from plyground.search.line import TooManyMoves
from plyground.search.mcts import CERTAIN, CHILD, CHILDREN, FIELDS, MOVE, SUM, VISITS, field, mcts, new_tree
from plyground.search.memory import Memory, new_memory
from plyground.search.minimax import minimax
from plyground.search.ordered import NOTES, ordered
from plyground.search.proof import NEVER, Undecided, disproof_of, proof, proof_of
from plyground.search.pvs import CHOICE, GUESSES, STACK, new_mind, pvs
from plyground.search.table import entries_in, new_table
from plyground.search.watch import Counting, Stopped


@dataclass(frozen=True)
class Report:
    """What a search knows of a position.

    `score` is from the first player's side. `moves` holds the score of each move where every move was asked for, else
    only that of the best one; in generation order.
    """

    depth: int
    """Plies looked ahead."""
    nodes: int
    """Nodes entered since the thinking began."""
    leaves: int
    cutoffs: int
    seconds: float
    score: Score
    variation: tuple[int, ...]
    """The principal variation: best play by both sides, as far as it was searched; empty when the game is over."""
    moves: tuple[tuple[int, Score], ...]
    why_plain: str | None = None
    """Why it was searched as plain Python, which is slow, in one sentence; None where it was compiled."""

    @property
    def move(self) -> int:
        """The best move; of equal ones the one that the search preferred; `NO_MOVE` when the game is over."""
        return self.variation[0] if self.variation else NO_MOVE

    @property
    def certain(self) -> bool:
        """Whether nothing more can be found: who wins, by how much and how soon, and so of each move asked for."""
        return self.score.certain and all(score.certain for _, score in self.moves)


def think(
    position: Position, limit: Limit | None = None, *, every_move: bool = False, threads: int = 1, table: int = 64
) -> Iterator[Report]:
    """Look one ply ahead, then two, and so on; yield a report for each depth, the last one the best.

    Stops at the limit, when every line has been seen to its end, when nothing better can be found, or when a line has
    more moves than there is room to note (`MOST_MOVES`: `check` says so of the game). However tight
    the limit, there is at least one report, with a legal move unless the game is over. Leaving the loop stops the
    thinking.

    Args:
        position: what to think about.
        limit: when to stop; by default only when all is known, which may be never.
        every_move: find the exact score of every move, not only of the best: slower.
        threads: how many search at the same time. With one, the same nodes are visited every time.
        table: mebibytes for the transposition table.

    Raises:
        BadInput: the limit is not above 0, or there are no threads or no room for a table.
        GameFault: a rule fails, or a line does not end.
    """
    limit = limit or Limit()
    if threads < 1 or table < 1:
        raise BadInput(f"threads={threads}, table={table}: there is at least one thread, and one mebibyte of table.")
    if position.outcome is not None:
        yield Report(0, 1, 1, 0, 0.0, Score.over(position.outcome), (), ())
        return
    thinker = _Thinker(position, limit, threads, table)
    report = None
    for depth in range(1, (limit.depth or LONGEST) + 1):
        try:
            report = thinker.look(depth, every_move)
        except Stopped:
            break
        except TooManyMoves:
            if report is None:
                raise
            break
        yield report
        if report.certain:
            return
    if report is None:  # not even one ply could be searched: an honest opinion and the first legal move
        opinion = Score(points=position.game.evaluate(position.state))
        first = position.legal_moves[0]
        watch, clock = thinker.clock.watch, thinker.clock
        counts = clock.nodes, watch.leaves, watch.cutoffs, clock.seconds
        yield Report(0, *counts, opinion, (first,), ((first, opinion),), thinker.search.why_plain)


ENTRIES_A_SECOND = 1 << 22
"""More than a search can fill: room is made in the thinking time, so a short limit shall not pay for much."""


def _fillable(limit: Limit, threads: int) -> int:
    """How many entries are filled within a limit at most."""
    by_time = 1 << 40 if limit.time is None else int(limit.time * ENTRIES_A_SECOND * threads)
    return (1 << 16) + min(by_time, (1 << 40) if limit.nodes is None else 16 * limit.nodes)


class _Thinker:
    """A position that is looked at ever more deeply, with all that was learned of it on the way."""

    def __init__(self, position: Position, limit: Limit, threads: int, table: int) -> None:
        self.position, self.search = position, kernel(pvs, position.game)
        self.minds = [new_mind(new_table(position.state, 1))]
        self.search.prepare(*self._arguments(0, position.state, 1, Counting.fresh()))
        self.clock = Clock(limit, threads)
        entries = min(entries_in(position.state, table), _fillable(limit, threads))
        shared = new_table(position.state, entries)
        self.minds = [new_mind(shared, threads > 1) for _ in range(threads)]

    def look(self, depth: int, every_move: bool) -> Report:
        """So many plies deep.

        Raises:
            Stopped: the limit was reached first.
        """
        if len(self.minds) > 1:  # they part at each search of the root
            return self._look(depth, every_move)
        return self.clock.run(lambda: self._look(depth, every_move))

    def _look(self, depth: int, every_move: bool) -> Report:
        position, watch = self.position, self.clock.watch
        if every_move:
            found = [(move, *self._move_value(child, depth)) for move, child in self.children]
            side, mover = (1 if position.to_move == MAX else -1), position.to_move
            moves = tuple((move, _score(position, value, depth, known)) for move, value, known in found)
            place = max(range(len(moves)), key=lambda place: (moves[place][1].order(mover), side * found[place][1]))
            choice, value, _ = found[place]
            score = _score(position, value, depth, all(known for _, _, known in found))
        else:
            value, choice, known = self._run(position.state, depth, 0)
            score = _score(position, value, depth, known)
            moves = ((choice, score),)
        ahead = max(depth, Score.of(value).plies or 0)  # foresight may see an end beyond the depth
        variation = (choice, *self._variation(position.play(choice), ahead - 1))
        counts = self.clock.nodes, watch.leaves, watch.cutoffs, self.clock.seconds
        return Report(depth, *counts, score, variation, moves, self.search.why_plain)

    @cached_property
    def children(self) -> list[tuple[int, Position]]:
        """Every move and the position after it."""
        return [(move, self.position.play(move)) for move in self.position.legal_moves]

    def _move_value(self, child: Position, depth: int) -> tuple[int, bool]:
        """The value of a move, by the position after it, and whether no opinion entered it."""
        if child.outcome is not None:
            return final(child.outcome, 1), True
        value, _, known = self._run(child.state, depth - 1, 1)
        return value, known

    def _run(self, state: Any, depth: int, ply: int) -> tuple[int, int, bool]:
        """As `_ask`, by all threads: the first answer counts."""
        if len(self.minds) == 1:
            return self._ask(0, state, depth, self.clock.watch, ply)
        works = [
            partial(self._ask, thread, state, depth, watch, ply) for thread, watch in enumerate(self.clock.watches)
        ]
        return self.clock.run(*works)

    def _ask(self, thread: int, state: Any, depth: int, watch: Counting, ply: int) -> tuple[int, int, bool]:
        """The value from the first player's side, at ply 0 the best move, and whether no opinion entered the value."""
        notes = self.minds[thread].notes
        guesses = notes[GUESSES]
        value: int = self.search(*self._arguments(thread, state, depth, watch, ply))
        side = 1 if self.position.game.to_move(state) == MAX else -1
        return side * value, notes[CHOICE], notes[GUESSES] == guesses

    def _arguments(self, thread: int, state: Any, depth: int, watch: Counting, ply: int = 0) -> tuple[Any, ...]:
        """Arguments of a search with the whole window, preferring quick wins."""
        return watch, self.minds[thread], state, depth, -INFINITY, INFINITY, 1, ply, STACK

    def _variation(self, position: Position, depth: int) -> tuple[int, ...]:
        """Best play from here, by searching again what the table still knows to be best; cut short by the limit."""
        moves: list[int] = []
        try:
            while depth > 0 and position.outcome is None:
                _, move, _ = self._run(position.state, depth, 0)
                moves.append(move)
                position = position.play(move)
                depth -= 1
        except Stopped:
            pass
        return tuple(moves)


def _score(position: Position, value: int, depth: int, known: bool, hurry: bool = True) -> Score:
    """What a search `depth` plies deep has found out, by its value and whether no opinion entered it.

    A forced win is one, whatever was not seen, but there may be a larger one, or a sooner one. None is larger than the
    bounds allow; and of the largest ones, one that is no farther away than was looked is the soonest.
    """
    if abs(value) < ESTIMATES:
        return Score(0) if known else Score(points=int(value))
    score = Score.of(int(value), hurry=hurry)
    assert score.utility is not None
    largest = score.utility == position.game.bounds(position.state)[score.utility > 0]
    if known or (largest and score.plies is not None and score.plies <= depth):
        return score
    return Score(score.utility, bound=not largest)


def _won(position: Position, side: int) -> Score:
    """The score where only who wins is known: 1 for x, -1 for o, 0 for a draw."""
    low, high = position.game.bounds(position.state)
    return Score(side, bound=bool(side) and not -1 <= low <= high <= 1)


def _window(watch: Counting, state: Any, depth: int, ply: int = 0) -> tuple[Any, ...]:
    """Arguments of an alpha-beta with the whole window, preferring quick wins."""
    return watch, state, depth, -INFINITY, INFINITY, 1, ply


def _move_value(position: Position, move: int, depth: int, watch: Counting) -> int:
    """The value of a move by alpha-beta."""
    child = position.game.play(position.state, move)
    value, _ = kernel(alphabeta, position.game)(*_window(watch, child, depth - 1, ply=1))
    return int(value)


def best_moves(position: Position, depth: int) -> tuple[int, ...]:
    """All moves that are worth as much as the best one, looking this many plies ahead; in generation order."""
    clock = Clock(Limit())
    values = clock.run(lambda: [_move_value(position, move, depth, clock.watch) for move in position.legal_moves])
    best = (max if position.to_move == 0 else min)(values)
    return tuple(move for move, value in zip(position.legal_moves, values, strict=True) if value == best)


ALGORITHMS = ("minimax", "alphabeta", "ordered", "pvs", "mcts", "proof")
SIMULATIONS = 10_000
"""Of `mcts`, unless the limit says otherwise."""


def search(
    position: Position,
    algorithm: str,
    depth: int,
    *,
    hurry: bool = True,
    nodes: int | None = None,
    seed: int = 0,
    watch: Counting | None = None,
    on_wait: Callable[[Counting], None] | None = None,
) -> Report:
    """One search by one algorithm, with its counts.

    Args:
        position: where to search from.
        algorithm: one of `ALGORITHMS`. `mcts` and `proof` know no depth: `mcts` runs simulations, `proof` decides who
            wins, and neither knows how soon.
        depth: plies to look ahead, 1 or more.
        hurry: prefer the sooner win and the later loss; False tells only won, drawn and lost apart, as the textbooks
            do, and visits fewer nodes.
        nodes: the most that are entered, or of `mcts` the most simulations; `Stopped` is raised where they do not
            suffice, except by `mcts`.
        seed: of the random games of `mcts`.
        watch: counts here, and its budget holds in place of `nodes`; not for `mcts`.
        on_wait: called about ten times a second with the counts so far.

    Raises:
        BadInput: no such algorithm, or a depth below 1.
    """
    if algorithm not in ALGORITHMS:
        raise BadInput(f"There is no algorithm {algorithm!r}: there are {', '.join(ALGORITHMS)}.")
    if not 1 <= depth <= LONGEST:
        raise BadInput(f"depth={depth}: look 1 to {LONGEST:,} plies ahead.")
    if algorithm == "mcts":
        return simulate(position, Limit(nodes=nodes or SIMULATIONS), seed=seed, on_wait=on_wait)
    clock = Clock(Limit(nodes=nodes))
    watch = clock.watches[0] = watch or clock.watch
    wait = (lambda: on_wait(watch)) if on_wait else None
    run = _PREPARED[algorithm](position, depth, int(hurry), watch)
    clock.started = time.perf_counter()
    score, move = clock.run(run, on_wait=wait)
    line = () if move == NO_MOVE else (move,)
    counts = watch.nodes, watch.leaves, watch.cutoffs, clock.seconds
    why_plain = kernel(_SEARCHES[algorithm], position.game).why_plain
    report = Report(depth, *counts, score, line, ((move, score),), why_plain)
    return report if line else replace(report, moves=())


def prepare(position: Position, algorithm: str = "pvs", watch: Counting | None = None) -> str | None:
    """Compile a search for a game now, or find it on disk, so that no limit and nobody's clock counts it.

    Args:
        position: any position of the game.
        algorithm: one of `ALGORITHMS`; `pvs` is what `think` and the solver use.
        watch: one of the kind that will be passed to `search`.

    Returns:
        Why the search runs as plain Python all the same, in one sentence; None where it is compiled.
    """
    if algorithm == "mcts":
        _prepared_simulations(position)
    else:
        _PREPARED[algorithm](position, 1, 1, watch or Counting.fresh())
    return kernel(_SEARCHES[algorithm], position.game).why_plain


Found = tuple[Score, int]
"""A score and a move."""


def _prepared_textbook(
    search: Callable[..., Any], position: Position, depth: int, hurry: int, *args: Any
) -> Callable[[], Found]:
    run, watch = kernel(search, position.game), args[0]
    run.prepare(*args, hurry, 0)

    def work() -> Found:
        value, move = run(*args, hurry, 0)
        return _score(position, value, depth, watch.opinions == 0, bool(hurry)), move

    return work


def _minimax(position: Position, depth: int, hurry: int, watch: Counting) -> Callable[[], Found]:
    return _prepared_textbook(minimax, position, depth, hurry, watch, position.state, depth)


def _alphabeta(position: Position, depth: int, hurry: int, watch: Counting) -> Callable[[], Found]:
    return _prepared_textbook(alphabeta, position, depth, hurry, *_window(watch, position.state, depth)[:-2])


def _ordered(position: Position, depth: int, hurry: int, watch: Counting) -> Callable[[], Found]:
    args = (watch, new_memory(NOTES), 0, *_window(watch, position.state, depth)[1:-2])
    return _prepared_textbook(ordered, position, depth, hurry, *args)


def _pvs(position: Position, depth: int, hurry: int, watch: Counting) -> Callable[[], Found]:
    mind = new_mind(new_table(position.state, entries_in(position.state, 64)))
    run, side = kernel(pvs, position.game), 1 if position.to_move == MAX else -1
    args = (watch, mind, position.state, depth, -INFINITY, INFINITY, hurry, 0, STACK)
    run.prepare(*args)

    def work() -> Found:
        mind.notes[CHOICE] = NO_MOVE
        score = _score(position, side * run(*args), depth, mind.notes[GUESSES] == 0, bool(hurry))
        return score, mind.notes[CHOICE]

    return work


def _proof(position: Position, depth: int, hurry: int, watch: Counting) -> Callable[[], Found]:
    """Two questions: can the player to move force a win, and if not, can the other?"""
    game, mover = position.game, position.to_move
    run = kernel(proof, game)

    def wins(state: Any, player: int) -> bool:
        mind = new_mind(new_table(state, entries_in(state, 64)))
        args = (watch, mind, state, player, NEVER, NEVER, 0, STACK)
        both = run(*args)
        if proof_of(both) and disproof_of(both):
            raise Undecided
        return proof_of(both) == 0

    run.prepare(watch, new_mind(new_table(position.state, 1)), position.state, mover, NEVER, NEVER, 0, STACK)

    def work() -> Found:
        moves = position.legal_moves
        worth = 1 if wins(position.state, mover) else -1 if wins(position.state, 1 - mover) else 0
        after = ((move, game.play(position.state, move)) for move in moves)
        best = next(
            (
                move
                for move, state in after
                if (worth == 1 and wins(state, mover)) or (worth < 1 and (worth < 0 or not wins(state, 1 - mover)))
            ),
            NO_MOVE,
        )
        return _won(position, worth if mover == MAX else -worth), best

    return work


_PREPARED: dict[str, Callable[[Position, int, int, Counting], Callable[[], Found]]] = {
    "minimax": _minimax,
    "alphabeta": _alphabeta,
    "ordered": _ordered,
    "pvs": _pvs,
    "proof": _proof,
}
_SEARCHES: dict[str, Callable[..., Any]] = {
    "minimax": minimax,
    "alphabeta": alphabeta,
    "ordered": ordered,
    "pvs": pvs,
    "mcts": mcts,
    "proof": proof,
}


def simulate(
    position: Position,
    limit: Limit | None = None,
    *,
    seed: int = 0,
    tree: int = 256,
    on_wait: Callable[[Counting], None] | None = None,
) -> Report:
    """Monte Carlo tree search until the limit, or until all is certain.

    The score is x's share of the simulations, or where that is certain, who wins: not how soon or by how much. Every
    move has its score; `nodes` counts simulations, and the limit's `nodes` limits them; its depth is not used.

    Args:
        position: what to think about.
        limit: when to stop; by default after `SIMULATIONS`.
        seed: of the random games: with the same one and the same number of simulations, the same answer.
        tree: mebibytes for the tree; when it is full, simulations go on below its leaves.
        on_wait: called about ten times a second with the counts so far.
    """
    limit = limit or Limit(nodes=SIMULATIONS)
    if position.outcome is not None:
        return Report(0, 1, 1, 0, 0.0, Score.over(position.outcome), (), ())
    run = _prepared_simulations(position)
    path = new_memory(LONGEST + 1)
    clock = Clock(limit)
    grown = new_tree((tree << 20) // (8 * FIELDS), seed)
    wait = (lambda: on_wait(clock.watch)) if on_wait else None
    with suppress(Stopped):
        clock.run(lambda: run(clock.watch, grown, path, position.state, 1 << 60), on_wait=wait)
    return replace(_grown(position, grown, clock), why_plain=run.why_plain)


def _prepared_simulations(position: Position) -> Kernel:
    run = kernel(mcts, position.game)
    run.prepare(Counting.fresh(), new_tree(2, 0), new_memory(1), position.state, 1)
    return run


def _grown(position: Position, tree: Memory, clock: Clock) -> Report:
    """What a tree says of its root."""
    side = 1 if position.to_move == MAX else -1
    first, count = field(tree, 0, CHILD), field(tree, 0, CHILDREN)
    if count == 0:  # not one simulation
        opinion = Score(share=0.5)
        move = position.legal_moves[0]
        return Report(0, 0, 0, 0, clock.seconds, opinion, (move,), ((move, opinion),))

    def score(node: int) -> Score:
        certain, visits = field(tree, node, CERTAIN), field(tree, node, VISITS)
        if certain != ONGOING:
            return _won(position, certain)
        return Score(share=round(0.5 + field(tree, node, SUM) / max(visits, 1) / 2, 4))

    def merit(node: int) -> tuple[int, int, float]:
        certain = field(tree, node, CERTAIN)
        sure = 0 if certain in (ONGOING, 0) else side * certain
        share = 0.5 + certain / 2 if certain != ONGOING else score(node).share or 0.0
        return sure, field(tree, node, VISITS), side * share

    best = max(range(first, first + count), key=merit)
    moves = tuple((field(tree, node, MOVE), score(node)) for node in range(first, first + count))
    found = score(best)
    if found.utility == 0 and field(tree, 0, CERTAIN) == ONGOING:  # a draw is sure, and another move may be better
        found = Score(share=0.5)
    line = (field(tree, best, MOVE),)
    return Report(0, clock.nodes, clock.nodes, 0, clock.seconds, found, line, moves)
