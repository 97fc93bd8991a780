"""Blunders: judge every move of a game by the change of the value of its position.

Where the solver sees to the end of the game within a number of nodes, a judgement is certain. A search that sees
neither side win is no judgement yet: an end that comes into sight was there before, and is no fault of the move before
it. So a blunder is charged where the values before and after are certain, after a second look with far more nodes if
need be; or where that look confirms that the loss is near and that another move is far from one. Nothing depends on
time, nor on what was judged before, so a game is judged alike on every machine, and again after a power cut.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from plyground.arena.results import Judged, Outcome
from plyground.compiled.clock import Clock, Limit
from plyground.compiled.kernel import kernel
from plyground.engine.think import think
from plyground.games import AnyGame, as_game
from plyground.position import Position
from plyground.rules import MAX, Game
from plyground.score import FINAL
from plyground.search.context import STACK, new_context
from plyground.search.exact import decide, value_bounds
from plyground.search.observer import Counting, Stopped
from plyground.search.pvs import FOREVER, pvs
from plyground.search.table import entries_in, new_table

JUDGE_NODES = 20_000
"""Node budget to solve a position and, if it does not suffice, of one search: about 0.01 s each."""
SECOND_LOOK_NODES_FACTOR = 50
"""In the second look, a position gets this many times the nodes of the first: half a second, for few moves."""
NEAR_PLIES = 6
"""Plies within which a loss is near enough to be charged without a proof that the position was not lost before; with
another move, no loss may then be seen to more than twice the depth."""
JUDGE_TABLE = 16
"""Most mebibytes for a search's transposition table."""
MOST_CACHED = 1 << 17
"""Most values that a process caches; the games of an arena share many positions."""


@dataclass(frozen=True)
class PositionValue:
    """Winner of a position with best play, as far as a search sees."""

    sign: int
    """1 if x wins, -1 if o does, 0 if neither."""
    exact: bool
    """Whether that is certain; if not, no win was seen."""


def judge(game: AnyGame | str, start: str, moves: Sequence[str], *, nodes: int = JUDGE_NODES) -> tuple[Judged, ...]:
    """Judge every move of a game.

    Args:
        game: the game, or its spec.
        start: where the moves begin, as `Position.parse` reads it.
        moves: in text.
        nodes: for each position that has to be looked at.

    Raises:
        BadInput: the position is unreadable, or a move is not legal.
    """
    here = Position.parse(_rules(game), start)
    positions = [here]
    for move in moves:
        positions.append(positions[-1].play(move))
    values = [winner_with_best_play(position, nodes) for position in positions]
    # Backward first, then forward: certain values spread to neighbours for which the nodes did not suffice.
    for ply in reversed(range(len(moves))):  # who has a move that wins has won already
        if values[ply + 1] == PositionValue(_mover_sign(positions[ply]), True):
            values[ply] = values[ply + 1]
    for ply in range(len(moves)):  # and who has lost has lost after any move
        if values[ply] == PositionValue(-_mover_sign(positions[ply]), True):
            values[ply + 1] = values[ply]
    return tuple(
        _judge_move(position, move, ply, values[ply - 1], values[ply], nodes)
        for ply, (position, move) in enumerate(zip(positions, moves, strict=False), start=1)
    )


@lru_cache(maxsize=16, typed=True)
def _rules(game: AnyGame | str) -> AnyGame:
    return as_game(game)


def _mover_sign(position: Position) -> int:
    return 1 if position.to_move == MAX else -1


def _judge_move(
    position: Position, move: str, ply: int, before: PositionValue, after: PositionValue, nodes: int
) -> Judged:
    game, side = position.game, _mover_sign(position)
    held: list[str] = []
    if after.sign * side < before.sign * side and not (before.exact and after.exact):
        # Only for what looks like a blunder: fifty times the nodes for a few moves, not for all.
        before, after = _second_look(position, position.play(move), nodes * SECOND_LOOK_NODES_FACTOR)
        nodes *= SECOND_LOOK_NODES_FACTOR if before.exact and after.exact else 1
    if after.sign * side < before.sign * side:
        # With as many nodes as the value before was found with: an alternative must not look worse for lack of nodes.
        worths = {each: winner_with_best_play(position.play(each), nodes) for each in position.legal_moves}
        best = max(worth.sign * side for worth in worths.values())
        if best < before.sign * side:  # a ply further on, the search finds no move that keeps the value: no blunder
            if before.exact:
                after = PositionValue(before.sign, False)
            else:
                before = after
        else:
            kept = (each for each, worth in worths.items() if worth.sign * side >= before.sign * side)
            held = [game.move_text(position.state, each) for each in kept]
    words = _outcome_by_sign(before.sign * side), _outcome_by_sign(after.sign * side)
    return Judged(
        ply,
        position.to_move,
        game.move_text(position.state, position.legal(move)),
        *words,
        before.exact and after.exact,
        tuple(held),
    )


def _second_look(before: Position, after: Position, nodes: int) -> tuple[PositionValue, PositionValue]:
    """The values before and after an apparent blunder, by a second look: equal where it is not confirmed."""
    had, has = winner_with_best_play(before, nodes), winner_with_best_play(after, nodes)
    if had.exact and has.exact:
        return had, has
    if not has.exact:  # no win is seen any more, which does not say that there is none
        return had, PositionValue(had.sign, False)
    loss = [*think(after, Limit(nodes=nodes))][-1].score
    last = [*think(before, Limit(nodes=nodes))][-1]
    # Near, and with another move no loss to more than twice the depth. So much is charged without a proof.
    is_confirmed = loss.plies is not None and loss.plies <= NEAR_PLIES and last.depth > 2 * (loss.plies + 1)
    return (had, has) if is_confirmed and last.score.utility is None else (PositionValue(has.sign, False), has)


def _outcome_by_sign(sign: int) -> Outcome:
    outcomes: tuple[Outcome, ...] = ("loss", "draw", "win")
    return outcomes[sign + 1]


def winner_with_best_play(position: Position, nodes: int = JUDGE_NODES) -> PositionValue:
    """The winner of a position with best play, as a search of `nodes` nodes finds it. The answer is repeatable."""
    if position.outcome is not None:
        return PositionValue(_sign(position.outcome), True)
    game = position.game
    if game.repetition:
        key = game, position.state, frozenset(position.last_times()), nodes
    else:
        key = game, game.canonical(position.state), frozenset(), nodes
    if (known := _cached_values.get(key)) is None:
        known = _cached_values[key] = (
            _search_winner(position, nodes) if game.repetition else _find_winner(game, key[1], nodes)
        )
        # The oldest first: a dictionary keeps the order of insertion, and games of an arena come opening by opening.
        while len(_cached_values) > MOST_CACHED:
            del _cached_values[next(iter(_cached_values))]
    return known


def is_solved(game: AnyGame | str) -> bool:
    """Whether a search of half a second finds out who wins a game."""
    return winner_with_best_play(Position.initial(_rules(game)), JUDGE_NODES * SECOND_LOOK_NODES_FACTOR).exact


_cached_values: dict[tuple[Game[Any], Any, frozenset[Any], int], PositionValue] = {}
"""Cached answers, by game, state, the earlier states whose repetition ends the game, and nodes."""


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def _find_winner(game: Game[Any], state: Any, nodes: int) -> PositionValue:
    """The answer for a state of a game without repetition."""
    sign = _solve_winner(game, state, nodes)
    return _search_winner(Position(game, state), nodes) if sign is None else PositionValue(sign, True)


def _solve_winner(game: Game[Any], state: Any, nodes: int) -> int | None:
    """The winner as 1, 0 or -1, exactly; None if `nodes` nodes do not suffice. The margin is not computed."""
    side = 1 if game.to_move(state) == MAX else -1
    low, high = value_bounds(game, state, 0)
    # Only the sign is wanted: a window from a loss by 1 to a win by 1 cuts off every search for the margin.
    bounds = max(low, -FINAL), min(high, FINAL)
    if bounds[0] >= bounds[1]:
        return side * _sign(bounds[0])
    search = kernel(pvs, game)
    # A table of its own, and no larger than the nodes can fill: so the answer depends on nothing that was searched
    # before.
    context = new_context(new_table(state, min(entries_in(state, JUDGE_TABLE), 4 * nodes)))
    search.prepare(Counting.fresh(), context, state, FOREVER, 0, 1, 0, 0, STACK)
    clock = Clock(Limit(nodes=nodes))
    try:
        return side * _sign(clock.run(partial(decide, search, clock.observer, context, state, 0, *bounds)))
    except (Stopped, RecursionError):
        return None


def _search_winner(position: Position, nodes: int) -> PositionValue:
    """The answer of a search of `nodes` nodes; exact if it finds a utility, such as a forced win."""
    score = [*think(position, Limit(nodes=nodes))][-1].score
    return PositionValue(0, False) if score.utility is None else PositionValue(_sign(score.utility), True)
