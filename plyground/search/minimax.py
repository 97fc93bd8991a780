"""Minimax: the value of a position with best play by both sides.

After Russell and Norvig, "Artificial Intelligence: A Modern Approach", 4th edition, figure 6.3 (MINIMAX-SEARCH), where
each node answers with its value and the move that gets it; with the depth limit and evaluation of section 6.3. One
function serves MAX and MIN, so a game may give a player several turns in a row.
"""

from plyground.rules import MAX, NO_MOVE, ONGOING, Game, State
from plyground.score import INFINITY, final
from plyground.search.algorithm import Algorithm
from plyground.search.observer import Observer


def minimax(
    game: Game[State], observer: Observer, state: State, depth: int, prefer_shorter: int, ply: int
) -> tuple[int, int]:
    """The value of a state, from the first player's side, and the first of the moves that are worth it.

    Args:
        game: the rules.
        observer: the observer of the search's events.
        state: the state to value.
        depth: plies to look ahead; at 0 an unfinished state gets its static evaluation. A depth that no game
            outlasts makes the value exact.
        prefer_shorter: 1 to prefer the shorter win and the longer loss; 0 to tell only won, drawn and lost apart.
        ply: plies made since the root; 0 to begin with.

    Returns:
        The value on the scale of `score.py`, and the move; `NO_MOVE` if the state is finished or the depth 0.
    """
    observer.enter(state, depth, ply, -INFINITY, INFINITY)
    utility = game.outcome(state)
    choice = NO_MOVE
    if utility != ONGOING:
        # The distance is counted from the root, not from this node: a win is worth less the deeper it lies, so no value
        # has to be adjusted on its way up (`table.py` must, since an entry serves many plies).
        best = final(utility, prefer_shorter * ply)
        observer.leaf(state, best)
    elif depth == 0:
        best = game.evaluate(state)
        observer.horizon(state, best)
    elif game.to_move(state) == MAX:
        best = -INFINITY
        for move in game.moves(state):
            observer.branch(move)
            value, _ = minimax(game, observer, game.play(state, move), depth - 1, prefer_shorter, ply + 1)
            # Strictly: of equal moves the first stays, as in the textbook, so that counts and drawings do not depend on
            # a later equal move. The same in the branch of MIN.
            if value > best:
                best, choice = value, move
    else:
        # MIN has a branch of its own in place of a sign (negamax): the tree that students draw has MAX and MIN levels,
        # and extra turns keep it right without one.
        best = INFINITY
        for move in game.moves(state):
            observer.branch(move)
            value, _ = minimax(game, observer, game.play(state, move), depth - 1, prefer_shorter, ply + 1)
            if value < best:
                best, choice = value, move
    observer.leave(best, choice)
    return best, choice


MINIMAX = Algorithm(
    name="minimax",
    title="minimax",
    search=minimax,
    is_recorded=True,
    is_selective=False,
    pseudocode=(
        ("minimax(position, depth):", "enter"),
        ("  if the game is over: return its value", "leaf"),
        ("  if depth = 0: return the evaluation", "horizon"),
        ("  for each move:", ""),
        ("    value ← minimax(position after the move, depth − 1)", "hidden"),
        ("    MAX keeps the largest value, MIN the smallest", "back"),
        ("  return the kept value", ""),
    ),
)
