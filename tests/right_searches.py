"""Right searches of different styles, as students write them."""

HEAD = """import plyground as pg
from plyground.score import INFINITY, final

"""
MINIMAX = (
    HEAD
    + """
def search(game, observer, state, depth, prefer_shorter, ply):
    observer.enter(state, depth)
    utility = game.outcome(state)
    choice = pg.NO_MOVE
    if utility != pg.ONGOING:
        best = final(utility, prefer_shorter * ply)
    elif depth == 0:
        best = game.evaluate(state)
    elif game.to_move(state) == pg.MAX:
        best = -INFINITY
        for move in game.moves(state):  # MAX
            value, _ = search(game, observer, game.play(state, move), depth - 1, prefer_shorter, ply + 1)
            if value > best:
                best, choice = value, move  # MAX
    else:
        best = INFINITY
        for move in game.moves(state):  # MIN
            value, _ = search(game, observer, game.play(state, move), depth - 1, prefer_shorter, ply + 1)
            if value < best:
                best, choice = value, move
    observer.leave(best, choice)
    return best, choice
"""
)
ALPHABETA = (
    HEAD
    + """
def search(game, observer, state, depth, alpha, beta, prefer_shorter, ply):
    hurry = prefer_shorter
    observer.enter(state, depth, ply, alpha, beta)
    utility = game.outcome(state)
    choice = pg.NO_MOVE
    if utility != pg.ONGOING:
        best = final(utility, hurry * ply)
        observer.leaf(state, best)
    elif depth == 0:
        best = game.evaluate(state)
        observer.horizon(state, best)
    elif game.to_move(state) == pg.MAX:
        best = -INFINITY
        for move in game.moves(state):  # MAX
            observer.branch(move)
            value, _ = search(game, observer, game.play(state, move), depth - 1, alpha, beta, prefer_shorter, ply + 1)  # MAX
            if value > best:
                best, choice = value, move
                alpha = max(alpha, value)
            if alpha >= beta:  # MAX
                observer.cut(move, value)
                break
    else:
        best = INFINITY
        for move in game.moves(state):  # MIN
            observer.branch(move)
            value, _ = search(game, observer, game.play(state, move), depth - 1, alpha, beta, prefer_shorter, ply + 1)  # MIN
            if value < best:
                best, choice = value, move
                beta = min(beta, value)
            if alpha >= beta:  # MIN
                observer.cut(move, value)
                break
    observer.leave(best, choice)
    return best, choice
"""  # noqa: E501
)
NEGAMAX = (
    HEAD
    + """
def search(game, observer, state, depth, alpha, beta):
    sign = 1 if game.to_move(state) == pg.MAX else -1
    if sign < 0:
        alpha, beta = -beta, -alpha
    value, move = negamax(game, observer, state, depth, alpha, beta)
    return sign * value, move


def negamax(game, observer, state, depth, alpha, beta):
    observer.enter(state, depth, 0, alpha, beta)
    value, move = negamax_of(game, observer, state, depth, alpha, beta)
    observer.leave(value, move)
    return value, move


def negamax_of(game, observer, state, depth, alpha, beta):
    sign = 1 if game.to_move(state) == pg.MAX else -1
    if game.outcome(state) != pg.ONGOING:
        return sign * final(game.outcome(state), 0), pg.NO_MOVE
    if depth == 0:
        return sign * game.evaluate(state), pg.NO_MOVE
    best, choice = -INFINITY, pg.NO_MOVE
    for move in game.moves(state):
        after = game.play(state, move)
        window = (-beta, -alpha) if game.to_move(after) != game.to_move(state) else (alpha, beta)
        value, _ = negamax(game, observer, after, depth - 1, *window)
        if game.to_move(after) != game.to_move(state):
            value = -value
        if value > best:
            best, choice = value, move
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best, choice
"""
)
FAIL_HARD = (
    HEAD
    + '''
def search(game, observer, state, depth, alpha, beta):
    """Values never leave the window, as Knuth and Moore's first version has it."""
    observer.enter(state, depth, 0, alpha, beta)
    choice = pg.NO_MOVE
    if game.outcome(state) != pg.ONGOING:
        value = final(game.outcome(state), 0)
        observer.leave(value, choice)
        return value, choice
    if depth == 0:
        value = game.evaluate(state)
        observer.leave(value, choice)
        return value, choice
    is_max = game.to_move(state) == pg.MAX
    for move in game.moves(state):
        value, _ = search(game, observer, game.play(state, move), depth - 1, alpha, beta)
        if is_max and value > alpha:
            alpha, choice = value, move
        if not is_max and value < beta:
            beta, choice = value, move
        if alpha >= beta:
            break
    value = min(alpha, beta) if not is_max and alpha >= beta else max(alpha, beta) if alpha >= beta else (alpha if is_max else beta)
    observer.leave(value, choice)
    return value, choice
'''  # noqa: E501
)
DEEPENING = ALPHABETA.replace("def search(", "def one(").replace("= search(", "= one(") + (
    '''

def search(game, observer, state, depth, alpha, beta, prefer_shorter):
    """Depth after depth; each begins anew."""
    answer = one(game, observer, state, 0, alpha, beta, prefer_shorter, 0)
    for plies in range(1, depth + 1):
        answer = one(game, observer, state, plies, alpha, beta, prefer_shorter, 0)
    return answer
'''
)
TABLE = (
    HEAD
    + """
EXACT, LOWER, UPPER = range(3)


def search(game, observer, state, depth, alpha, beta):
    return look(game, observer, state, depth, alpha, beta, {})


def look(game, observer, state, depth, alpha, beta, table):
    observer.enter(state, depth, 0, alpha, beta)
    key = state, depth
    if key in table:
        flag, value, choice = table[key]
        if flag == EXACT or (flag == LOWER and value >= beta) or (flag == UPPER and value <= alpha):
            observer.leave(value, choice)
            return value, choice
    choice = pg.NO_MOVE
    low, high = alpha, beta
    if game.outcome(state) != pg.ONGOING:
        best = final(game.outcome(state), 0)
    elif depth == 0:
        best = game.evaluate(state)
    else:
        side = 1 if game.to_move(state) == pg.MAX else -1
        best = -side * INFINITY
        for move in game.moves(state):
            observer.branch(move)
            value, _ = look(game, observer, game.play(state, move), depth - 1, low, high, table)
            if side * value > side * best:
                best, choice = value, move
            if side == 1:
                low = max(low, best)
            else:
                high = min(high, best)
            if low >= high:
                observer.cut(move, best)
                break
    flag = UPPER if best <= alpha else LOWER if best >= beta else EXACT
    table[key] = flag, best, choice
    observer.leave(best, choice)
    return best, choice
"""
)
KEPT_MINIMAX = (
    HEAD
    + '''
TABLE = {}


def search(game, observer, state, depth):
    """Minimax with a table that is looked into before a node is entered."""
    if (state, depth) in TABLE:
        return TABLE[state, depth]
    observer.enter(state)
    best, choice = None, pg.NO_MOVE
    if game.outcome(state) != pg.ONGOING:
        best = final(game.outcome(state), 0)
    elif depth == 0:
        best = game.evaluate(state)
    else:
        side = 1 if game.to_move(state) == pg.MAX else -1
        for move in game.moves(state):
            value, _ = search(game, observer, game.play(state, move), depth - 1)
            if best is None or side * value > side * best:
                best, choice = value, move
    observer.leave(best, choice)
    TABLE[state, depth] = best, choice
    return best, choice
'''
)
ORDERING = ALPHABETA.replace(
    "in game.moves(state):  # M", "in sorted(game.moves(state), key=rank(game, state)):  # M"
) + (
    """

def rank(game, state):
    side = 1 if game.to_move(state) == pg.MAX else -1
    return lambda move: (-side * worth(game, game.play(state, move)), move)


def worth(game, state):
    utility = game.outcome(state)
    return final(utility, 0) if utility != pg.ONGOING else game.evaluate(state)
"""
)
BACKWARDS = ALPHABETA.replace("in game.moves(state):", "in reversed(list(game.moves(state))):")
BARE = (
    HEAD
    + '''
def search(game, observer, state, depth, alpha, beta):
    """Search of lesson 3: it enters and leaves nodes, and reports nothing else."""
    observer.enter(state)
    value, move = inner(game, observer, state, depth, alpha, beta)
    observer.leave(value, move)
    return value, move


def inner(game, observer, state, depth, alpha, beta):
    if game.outcome(state) != pg.ONGOING:
        return final(game.outcome(state), 0), pg.NO_MOVE
    if depth == 0:
        return game.evaluate(state), pg.NO_MOVE
    values = {}
    for move in game.moves(state):
        values[move], _ = search(game, observer, game.play(state, move), depth - 1, alpha, beta)
        if game.to_move(state) == pg.MAX:
            alpha = max(alpha, values[move])
        else:
            beta = min(beta, values[move])
        if alpha >= beta:
            break
    best = (max if game.to_move(state) == pg.MAX else min)(values, key=values.get)
    return values[best], best
'''
)
OTHER_NAMES = (
    BARE.replace("search(", "look(").replace("alpha", "low").replace("beta", "high")
    + """

def search(game, observer, state, depth, alpha, beta):
    return look(game, observer, state, depth, alpha, beta)
"""
)
SCOUT = (
    HEAD
    + '''
def search(game, observer, state, depth, alpha, beta):
    """Principal variation search: later moves are asked about with a null window first."""
    observer.enter(state, depth, 0, alpha, beta)
    choice = pg.NO_MOVE
    if game.outcome(state) != pg.ONGOING:
        best = final(game.outcome(state), 0)
    elif depth == 0:
        best = game.evaluate(state)
    else:
        side = 1 if game.to_move(state) == pg.MAX else -1
        best = -side * INFINITY
        for move in game.moves(state):
            after = game.play(state, move)
            observer.branch(move)
            if choice == pg.NO_MOVE or beta - alpha == 1:
                value, _ = search(game, observer, after, depth - 1, alpha, beta)
            else:
                null = (alpha, alpha + 1) if side == 1 else (beta - 1, beta)
                value, _ = search(game, observer, after, depth - 1, *null)
                if alpha < value < beta:
                    observer.branch(move)
                    value, _ = search(game, observer, after, depth - 1, alpha, beta)
            if choice == pg.NO_MOVE or side * value > side * best:
                best, choice = value, move
            if side == 1:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
            if alpha >= beta:
                observer.cut(move, best)
                break
    observer.leave(best, choice)
    return best, choice
'''
)
WON = """            if best >= final(game.bounds(state)[1], hurry * (ply + 1)):
                break
"""
AT_A_WIN = ALPHABETA.replace("            if alpha >= beta:  # MAX", WON + "            if alpha >= beta:  # MAX")
BY_LOT = MINIMAX.replace("import plyground", "import random\n\nimport plyground").replace(
    "in game.moves(state):", "in sorted(game.moves(state), key=lambda move: random.random()):"
)
"""Which of equal moves it gives is drawn by lot."""
RIGHT = {
    "minimax": MINIMAX,
    "fail-soft alpha-beta": ALPHABETA,
    "negamax": NEGAMAX,
    "fail-hard alpha-beta": FAIL_HARD,
    "iterative deepening": DEEPENING,
    "a table with bounds": TABLE,
    "minimax with a table that stays": KEPT_MINIMAX,
    "ordered moves": ORDERING,
    "the moves backwards": BACKWARDS,
    "only entered and left": BARE,
    "alpha and beta by other names": OTHER_NAMES,
    "principal variation search": SCOUT,
    "stops at a win": AT_A_WIN,
    "equal moves by lot": BY_LOT,
}
"""Each by its style."""
