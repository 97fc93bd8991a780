"""Alpha-beta with move ordering: the same values from fewer nodes.

After Russell and Norvig, "Artificial Intelligence: A Modern Approach", 4th edition, section 6.2.4: how much alpha-beta
cuts off depends on the order of the moves, so each move's next state is valued by itself, one ply deep, and the best
for the mover is searched first. Of equal moves the game's `order` decides, then the generation order.

Valuing a move so is not counted as a node: it asks the rules, it does not search.
"""

from typing import Final

from plyground.rules import MAX, MOST_MOVES, NO_MOVE, ONGOING, Game, State
from plyground.score import INFINITY, final
from plyground.search.algorithm import Algorithm
from plyground.search.limits import require_room
from plyground.search.memory import Memory, new_memory
from plyground.search.observer import Observer

# The moves of all plies of a line lie one behind the other in it, each ply from where the one above ends. `MOST_MOVES`
# bounds their sum by law, so one block made beforehand serves the whole search.
SCRATCH: Final = 3 * MOST_MOVES
"""Places for the moves of one line of play."""


def static_value_after(game: Game[State], state: State, move: int) -> int:
    """Static value of the state after a move, without search; positive is good for the player who makes the move."""
    after = game.play(state, move)
    utility = game.outcome(after)
    # A finished game counts 0 plies: between two wins at the next ply the distance is the same.
    value = game.evaluate(after) if utility == ONGOING else final(utility, 0)
    return value if game.to_move(state) == MAX else -value


def sort_moves(game: Game[State], scratch: Memory, top: int, state: State) -> int:
    """Write the moves to `scratch` from `top` on, three places each, the most promising first; return their number."""
    end = top
    for move in game.moves(state):
        require_room(end + 3, SCRATCH)
        first, second = static_value_after(game, state, move), game.order(state, move)
        place = end
        # Insertion sort, in place and stable, so that equal moves stay in generation order; compiled code has no sort
        # of its own.
        while place > top and (
            scratch[place - 3] < first or (scratch[place - 3] == first and scratch[place - 2] < second)
        ):
            scratch[place], scratch[place + 1], scratch[place + 2] = (
                scratch[place - 3],
                scratch[place - 2],
                scratch[place - 1],
            )
            place -= 3
        scratch[place], scratch[place + 1], scratch[place + 2] = first, second, move
        end += 3
    return (end - top) // 3


def ordered(
    game: Game[State],
    observer: Observer,
    scratch: Memory,
    top: int,
    state: State,
    depth: int,
    alpha: int,
    beta: int,
    prefer_shorter: int,
    ply: int,
) -> tuple[int, int]:
    """The value of a state within a window, from the first player's side, and the first move in order that reaches it.

    Args:
        game, observer, state, depth, alpha, beta, prefer_shorter, ply: as for `alphabeta`.
        scratch: `SCRATCH` places, for the moves of the line that is searched.
        top: the first free place of `scratch`; 0 at the root.

    Returns:
        As `alphabeta`.
    """
    observer.enter(state, depth, ply, alpha, beta)
    utility = game.outcome(state)
    choice = NO_MOVE
    if utility != ONGOING:
        best = final(utility, prefer_shorter * ply)
        observer.leaf(state, best)
    elif depth == 0:
        best = game.evaluate(state)
        observer.horizon(state, best)
    else:
        count = sort_moves(game, scratch, top, state)
        # Passed on as an argument, not kept in memory: after a child returns, its places are free again without being
        # cleared.
        rest = top + 3 * count
        is_max = game.to_move(state) == MAX
        best = -INFINITY if is_max else INFINITY
        for index in range(count):
            if alpha >= beta:
                observer.cut(choice, best)
                break
            move = scratch[top + 3 * index + 2]
            observer.branch(move)
            after = game.play(state, move)
            value, _ = ordered(game, observer, scratch, rest, after, depth - 1, alpha, beta, prefer_shorter, ply + 1)
            if is_max and value > best:
                best, choice = value, move
                alpha = max(alpha, value)
            elif not is_max and value < best:
                best, choice = value, move
                beta = min(beta, value)
    observer.leave(best, choice)
    return best, choice


ORDERED = Algorithm(
    name="ordered",
    title="alpha-beta with ordering",
    search=ordered,
    is_recorded=True,
    is_selective=False,
    room=lambda query: {"scratch": new_memory(SCRATCH), "top": 0},
    pseudocode=(
        ("ordered(position, depth, α, β):", "enter"),
        ("  if the game is over: return its value", "leaf"),
        ("  if depth = 0: return the evaluation", "horizon"),
        ("  for each move, the most promising first:", ""),
        ("    if α ≥ β: stop; this and the other moves are cut off", "cut"),
        ("    value ← ordered(position after the move, depth − 1, α, β)", "hidden"),
        ("    MAX keeps the largest value as α, MIN the smallest as β", "back"),
        ("  return the kept value", ""),
    ),
)
