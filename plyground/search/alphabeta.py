"""Alpha-beta: minimax that leaves a node as soon as one side would avoid it.

After Bratko, "Prolog Programming for Artificial Intelligence" (bounds of both sides, kept as MAX's and MIN's), and
Sterling and Shapiro, "The Art of Prolog" (cut off when the value reaches the bound, the first of equal moves is kept);
with their depth limit and evaluation. Knuth and Moore (1975) prove that it finds minimax's value.
"""

from plyground.rules import MAX, NO_MOVE, ONGOING, Game, State
from plyground.score import INFINITY, final
from plyground.search.algorithm import Algorithm
from plyground.search.observer import Observer


def alphabeta(
    game: Game[State],
    observer: Observer,
    state: State,
    depth: int,
    alpha: int,
    beta: int,
    prefer_shorter: int,
    ply: int,
) -> tuple[int, int]:
    """The value of a state within a window, from the first player's side, and the first of the moves that reach it.

    Args:
        game, observer, state, depth, prefer_shorter, ply: as for `minimax`.
        alpha: the value that MAX already has elsewhere; `-INFINITY` at the root.
        beta: the value that MIN already has elsewhere; `INFINITY` at the root. alpha < beta.

    Returns:
        The value and the move. A value strictly between alpha and beta is minimax's; one at or below alpha is an upper
        bound of it, one at or above beta a lower bound (fail-soft: it may lie beyond the window).
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
    elif game.to_move(state) == MAX:
        best = -INFINITY
        for move in game.moves(state):
            # Tested before a move, not after: the node at which the last move meets the bound leaves nothing out and
            # counts no cutoff, and the observer can say which moves were not searched.
            if alpha >= beta:
                observer.cut(choice, best)
                break
            observer.branch(move)
            value, _ = alphabeta(
                game, observer, game.play(state, move), depth - 1, alpha, beta, prefer_shorter, ply + 1
            )
            if value > best:
                best, choice = value, move
                # The best value may lie outside the window (fail-soft: Fishburn, "Another optimization of alpha-beta
                # search", 1983): a parent that comes back with another window gets the tighter bound.
                alpha = max(alpha, value)
    else:
        best = INFINITY
        for move in game.moves(state):
            if alpha >= beta:
                observer.cut(choice, best)
                break
            observer.branch(move)
            value, _ = alphabeta(
                game, observer, game.play(state, move), depth - 1, alpha, beta, prefer_shorter, ply + 1
            )
            if value < best:
                best, choice = value, move
                beta = min(beta, value)
    observer.leave(best, choice)
    return best, choice


ALPHABETA = Algorithm(
    name="alphabeta",
    title="alpha-beta",
    search=alphabeta,
    is_recorded=True,
    is_selective=False,
    pseudocode=(
        ("alphabeta(position, depth, α, β):", "enter"),
        ("  if the game is over: return its value", "leaf"),
        ("  if depth = 0: return the evaluation", "horizon"),
        ("  for each move:", ""),
        ("    if α ≥ β: stop; this and the other moves are cut off", "cut"),
        ("    value ← alphabeta(position after the move, depth − 1, α, β)", "hidden"),
        ("    MAX keeps the largest value as α, MIN the smallest as β", "back"),
        ("  return the kept value", ""),
    ),
)
