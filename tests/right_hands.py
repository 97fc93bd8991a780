# ruff: noqa: E501
"""Right searches of many hands: each of its own making, as books, courses and programmers have them.

A hand is a head, which says how values are handed on, and a way to order, to keep, or to ask again.
"""

import re

from plyground.web.lessons.loader import lesson

HEAD = """import plyground as pg
from plyground.score import ESTIMATES, INFINITY, final

"""
NODE = (
    HEAD
    + """
def search(game, observer, state, depth, alpha, beta, prefer_shorter, ply):
    observer.enter(state, depth, ply, alpha, beta)
    choice, low, high = pg.NO_MOVE, alpha, beta
    if game.outcome(state) != pg.ONGOING:
        best = final(game.outcome(state), prefer_shorter * ply)
    elif depth == 0:
        best = game.evaluate(state)
    else:
        side = 1 if game.to_move(state) == pg.MAX else -1
        best = -side * INFINITY
        for move in put_in_order(game, state, ply):
            value, _ = search(game, observer, game.play(state, move), depth - 1, low, high, prefer_shorter, ply + 1)
            if choice == pg.NO_MOVE or side * value > side * best:
                best, choice = value, move
            low, high = (max(low, best), high) if side == 1 else (low, min(high, best))
            if low >= high:
                keep(game, state, ply, move, depth)
                break
    observer.leave(best, choice)
    return best, choice


def put_in_order(game, state, ply):
    return game.moves(state)


def keep(game, state, ply, move, depth):
    pass
"""
)
"""Alpha-beta with places for an order of moves, and for what a cutoff teaches."""
ORDERED = "    return game.moves(state)\n"
KEEP = "    pass\n"
LEAVE = "    observer.leave(best, choice)\n"


def with_order(head: str, ordered: str, keep: str = KEEP) -> str:
    """Alpha-beta with an order of moves."""
    return NODE.replace("\n\ndef search", f"\n{head}\n\ndef search", 1).replace(ORDERED, ordered).replace(KEEP, keep)


CLAMPED = NODE.replace(LEAVE, "    best = min(max(best, alpha), beta)\n" + LEAVE)
STRICT = NODE.replace("if low >= high:", "if low > high:")
KILLERS = with_order(
    "KILLERS = {}",
    "    first = KILLERS.get(ply)\n    return sorted(game.moves(state), key=lambda move: move != first)\n",
    "    KILLERS[ply] = move\n",
)
HISTORY = with_order(
    "HISTORY = {}",
    "    return sorted(game.moves(state), key=lambda move: -HISTORY.get((game.to_move(state), move), 0))\n",
    "    place = game.to_move(state), move\n    HISTORY[place] = HISTORY.get(place, 0) + depth * depth\n",
)
BY_SIZE = with_order("", "    return sorted(game.moves(state), key=lambda move: (move % 3, move))\n")
LARGEST_MOVES = with_order("", "    return sorted(game.moves(state), reverse=True)\n")
SHUFFLED = with_order("import random", "    return random.sample(found := list(game.moves(state)), len(found))\n")
MATE_DISTANCE = CLAMPED.replace(
    "        side = 1",
    """        most = max(final(game.bounds(state)[1], prefer_shorter * (ply + 1)), ESTIMATES)
        least = min(final(game.bounds(state)[0], prefer_shorter * (ply + 1)), -ESTIMATES)
        low, high = max(low, least - 1), min(high, most + 1)
        side = 1""",
)
NO_INFINITY = NODE.replace("best = -side * INFINITY", "best = None").replace("def search(", "def search(", 1)
FLOATS = (
    HEAD
    + """
INF = float("inf")


def search(game, observer, state, depth, alpha, beta):
    return node(game, observer, state, depth, -INF if alpha <= -INFINITY else alpha, INF if beta >= INFINITY else beta)


def node(game, observer, state, depth, alpha, beta):
    observer.enter(state, depth, 0, alpha, beta)
    if game.outcome(state) != pg.ONGOING:
        found = final(game.outcome(state), 0), pg.NO_MOVE
    elif depth == 0:
        found = game.evaluate(state), pg.NO_MOVE
    elif game.to_move(state) == pg.MAX:
        found = -INF, pg.NO_MOVE
        for move in game.moves(state):
            value = node(game, observer, game.play(state, move), depth - 1, max(alpha, found[0]), beta)[0]
            if value > found[0]:
                found = value, move
            if found[0] >= beta:
                break
    else:
        found = INF, pg.NO_MOVE
        for move in game.moves(state):
            value = node(game, observer, game.play(state, move), depth - 1, alpha, min(beta, found[0]))[0]
            if value < found[0]:
                found = value, move
            if found[0] <= alpha:
                break
    observer.leave(*found)
    return found
"""
)
BOOK = (
    HEAD
    + '''
def search(game, observer, state, depth, alpha, beta):
    """As a textbook has it: one function for each player."""
    player = max_value if game.to_move(state) == pg.MAX else min_value
    return player(game, observer, state, depth, alpha, beta)


def ends(game, state, depth):
    return game.outcome(state) != pg.ONGOING or depth == 0


def worth(game, state):
    return game.evaluate(state) if game.outcome(state) == pg.ONGOING else final(game.outcome(state), 0)


def max_value(game, observer, state, depth, alpha, beta):
    observer.enter(state, depth, 0, alpha, beta)
    v, chosen = worth(game, state) if ends(game, state, depth) else -INFINITY, pg.NO_MOVE
    for a in [] if ends(game, state, depth) else game.moves(state):
        v2, _ = search(game, observer, game.play(state, a), depth - 1, alpha, beta)
        if v2 > v:
            v, chosen = v2, a
            alpha = max(alpha, v)
        if v >= beta:
            break
    observer.leave(v, chosen)
    return v, chosen


def min_value(game, observer, state, depth, alpha, beta):
    observer.enter(state, depth, 0, alpha, beta)
    v, chosen = worth(game, state) if ends(game, state, depth) else INFINITY, pg.NO_MOVE
    for a in [] if ends(game, state, depth) else game.moves(state):
        v2, _ = search(game, observer, game.play(state, a), depth - 1, alpha, beta)
        if v2 < v:
            v, chosen = v2, a
            beta = min(beta, v)
        if v <= alpha:
            break
    observer.leave(v, chosen)
    return v, chosen
'''
)
BOOK_STRICT = BOOK.replace("if v >= beta:", "if v > beta:").replace("if v <= alpha:", "if v < alpha:")
MAXIMIZING = (
    HEAD
    + """
def search(game, observer, state, depth, maximizing=None, prefer_shorter=False, ply=0):
    if maximizing is None:
        maximizing = game.to_move(state) == pg.MAX
    observer.enter(state, depth, ply)
    best, choice = None, pg.NO_MOVE
    if game.outcome(state) != pg.ONGOING:
        best = final(game.outcome(state), prefer_shorter * ply)
    elif depth == 0:
        best = game.evaluate(state)
    else:
        for move in game.moves(state):
            after = game.play(state, move)
            is_max = game.to_move(after) == pg.MAX
            value, _ = search(game, observer, after, depth - 1, is_max, prefer_shorter, ply + 1)
            if best is None or (value > best if maximizing else value < best):
                best, choice = value, move
    observer.leave(best, choice)
    return best, choice
"""
)
MEMO_DEFAULT = (
    HEAD
    + """
def search(game, observer, state, depth, memo=None):
    memo = {} if memo is None else memo
    if (state, depth) not in memo:
        observer.enter(state, depth)
        if game.outcome(state) != pg.ONGOING:
            found = final(game.outcome(state), 0), pg.NO_MOVE
        elif depth == 0:
            found = game.evaluate(state), pg.NO_MOVE
        else:
            pick = max if game.to_move(state) == pg.MAX else min
            tried = [(search(game, observer, game.play(state, m), depth - 1, memo)[0], m) for m in game.moves(state)]
            found = pick(tried, key=lambda pair: pair[0])
        observer.leave(*found)
        memo[state, depth] = found
    return memo[state, depth]
"""
)
CACHED = (
    HEAD
    + """
from functools import cache


def search(game, observer, state, depth):
    @cache
    def value(position, plies):
        observer.enter(position, plies)
        best, choice = None, pg.NO_MOVE
        if game.outcome(position) != pg.ONGOING:
            best = final(game.outcome(position), 0)
        elif plies == 0:
            best = game.evaluate(position)
        else:
            pairs = [(value(game.play(position, move), plies - 1)[0], move) for move in game.moves(position)]
            best, choice = (max if game.to_move(position) == pg.MAX else min)(pairs, key=lambda pair: pair[0])
        observer.leave(best, choice)
        return best, choice

    return value(state, depth)
"""
)
CACHED_RULES = (
    NODE.replace("\n\ndef search", "\nfrom functools import cache\n\n\ndef search", 1)
    .replace("def put_in_order", "@cache\ndef put_in_order")
    .replace(ORDERED, "    return tuple(game.moves(state))\n")
)
A_CLASS = (
    HEAD
    + """
class Searcher:
    nodes = 0

    def __init__(self, game, observer, hurry):
        self.game, self.observer, self.hurry = game, observer, hurry
        self.killers = [[None, None] for _ in range(64)]

    def visit(self, state, depth, alpha, beta, ply):
        Searcher.nodes += 1
        self.observer.enter(state, depth, ply, alpha, beta)
        value, move = self.value(state, depth, alpha, beta, ply)
        self.observer.leave(value, move)
        return value, move

    def value(self, state, depth, alpha, beta, ply):
        if (utility := self.game.outcome(state)) != pg.ONGOING:
            return final(utility, self.hurry * ply), pg.NO_MOVE
        if depth == 0:
            return self.game.evaluate(state), pg.NO_MOVE
        side = 1 if self.game.to_move(state) == pg.MAX else -1
        best, choice = -side * INFINITY, pg.NO_MOVE
        for move in sorted(self.game.moves(state), key=lambda each: each not in self.killers[ply]):
            value, _ = self.visit(self.game.play(state, move), depth - 1, alpha, beta, ply + 1)
            if side * value > side * best:
                best, choice = value, move
            alpha, beta = (max(alpha, best), beta) if side == 1 else (alpha, min(beta, best))
            if alpha >= beta:
                self.killers[ply] = [move, self.killers[ply][0]]
                break
        return best, choice


def search(game, observer, state, depth, alpha, beta, prefer_shorter):
    return Searcher(game, observer, prefer_shorter).visit(state, depth, alpha, beta, 0)
"""
)
ASPIRATION = NODE.replace("def search(", "def node(", 1).replace("_ = search(", "_ = node(") + (
    """

def search(game, observer, state, depth, alpha, beta, prefer_shorter):
    guess = game.evaluate(state) if game.outcome(state) == pg.ONGOING else 0
    width = 2
    while True:
        low, high = max(alpha, guess - width), min(beta, guess + width)
        if low >= high:
            low, high = alpha, beta
        value, move = node(game, observer, state, depth, low, high, prefer_shorter, 0)
        if low < value < high or (low, high) == (alpha, beta):
            return value, move
        width = width * 16 if width < 1 << 30 else 1 << 50
"""
)
ZERO = NODE.replace("def search(", "def node(", 1).replace("_ = search(", "_ = node(")
MTD = ZERO + (
    '''

def search(game, observer, state, depth, alpha, beta, prefer_shorter):
    """MTD(f), as Plaat has it: null windows close in on the value."""
    low, high, guess, move = alpha, beta, 0, pg.NO_MOVE
    guess = min(max(guess, alpha), beta)
    while low < high:
        edge = guess + 1 if guess == low else guess
        guess, found = node(game, observer, state, depth, edge - 1, edge, prefer_shorter, 0)
        side = game.to_move(state)
        if guess < edge:
            high = guess
        else:
            low = guess
        if move == pg.NO_MOVE or (guess >= edge if side == pg.MAX else guess < edge):
            move = found
    return guess, move
'''
)
BISECTION = ZERO + (
    '''

def search(game, observer, state, depth, alpha, beta, prefer_shorter):
    """Null windows halve the interval, and one whole window at its end gives the move."""
    low, high = -64, 64
    while high - low > 8:
        middle = (low + high) // 2
        value, _ = node(game, observer, state, depth, middle, middle + 1, prefer_shorter, 0)
        if value > middle:
            low = middle
        else:
            high = middle + 1
    if not low < high:
        low, high = alpha, beta
    low, high = max(alpha, low - 1), min(beta, high + 1)
    if low < high:
        value, move = node(game, observer, state, depth, low, high, prefer_shorter, 0)
        if low < value < high:
            return value, move
    return node(game, observer, state, depth, alpha, beta, prefer_shorter, 0)
'''
)
NEGASCOUT = (
    HEAD
    + """
def search(game, observer, state, depth, alpha, beta, prefer_shorter):
    sign = 1 if game.to_move(state) == pg.MAX else -1
    if sign < 0:
        alpha, beta = -beta, -alpha
    value, move = negascout(game, observer, state, depth, alpha, beta, prefer_shorter, 0)
    return sign * value, move


def negascout(game, observer, state, depth, alpha, beta, hurry, ply):
    observer.enter(state, depth, ply, alpha, beta)
    sign = 1 if game.to_move(state) == pg.MAX else -1
    best, choice = -INFINITY, pg.NO_MOVE
    if game.outcome(state) != pg.ONGOING:
        best = sign * final(game.outcome(state), hurry * ply)
    elif depth == 0:
        best = sign * game.evaluate(state)
    else:
        low, bound = alpha, beta
        for move in game.moves(state):
            value = below(game, observer, state, move, depth, low, bound, hurry, ply)
            if low < value < beta and bound != beta:
                value = below(game, observer, state, move, depth, low, beta, hurry, ply)
            if value > best:
                best, choice = value, move
            low = max(low, best)
            if low >= beta:
                break
            bound = low + 1
    observer.leave(best, choice)
    return best, choice


def below(game, observer, state, move, depth, alpha, beta, hurry, ply):
    after = game.play(state, move)
    if game.to_move(after) == game.to_move(state):
        return negascout(game, observer, after, depth - 1, alpha, beta, hurry, ply + 1)[0]
    return -negascout(game, observer, after, depth - 1, -beta, -alpha, hurry, ply + 1)[0]
"""
)
COLOUR = (
    HEAD
    + """
def search(game, observer, state, depth):
    colour = 1 if game.to_move(state) == pg.MAX else -1
    value, move = negamax(game, observer, state, depth, colour)
    return colour * value, move


def negamax(game, observer, state, depth, colour):
    observer.enter(state, depth)
    best, choice = -INFINITY, pg.NO_MOVE
    if game.outcome(state) != pg.ONGOING:
        best = colour * final(game.outcome(state), 0)
    elif depth == 0:
        best = colour * game.evaluate(state)
    else:
        for move in game.moves(state):
            after = game.play(state, move)
            other = 1 if game.to_move(after) == pg.MAX else -1
            value = other * colour * negamax(game, observer, after, depth - 1, other)[0]
            if value > best:
                best, choice = value, move
    observer.leave(best, choice)
    return best, choice
"""
)
TRUE_EQUALS = (
    HEAD
    + """
import random


def search(game, observer, state, depth):
    observer.enter(state, depth)
    if game.outcome(state) != pg.ONGOING:
        found = final(game.outcome(state), 0), pg.NO_MOVE
    elif depth == 0:
        found = game.evaluate(state), pg.NO_MOVE
    else:
        values = {move: search(game, observer, game.play(state, move), depth - 1)[0] for move in game.moves(state)}
        best = (max if game.to_move(state) == pg.MAX else min)(values.values())
        found = best, random.choice([move for move, value in values.items() if value == best])
    observer.leave(*found)
    return found
"""
)
WIDER_BY_ONE = NODE.replace("def search(", "def node(", 1).replace("_ = search(", "_ = node(") + (
    '''

def search(game, observer, state, depth, alpha, beta, prefer_shorter):
    """At the root equal moves have their own values, in a window wider by one, and one of them is drawn."""
    import random

    if game.outcome(state) != pg.ONGOING or depth == 0:
        return node(game, observer, state, depth, alpha, beta, prefer_shorter, 0)
    observer.enter(state, depth, 0, alpha, beta)
    side, best, equal = 1 if game.to_move(state) == pg.MAX else -1, None, []
    for move in game.moves(state):
        low, high = alpha, beta
        if best is not None and side == 1:
            low = max(alpha, best - 1)
        elif best is not None:
            high = min(beta, best + 1)
        value, _ = node(game, observer, game.play(state, move), depth - 1, low, high, prefer_shorter, 1)
        if best is None or side * value > side * best:
            best, equal = value, [move]
        elif value == best:
            equal.append(move)
        if best >= beta if side == 1 else best <= alpha:
            break
    move = random.choice(equal)
    observer.leave(best, move)
    return best, move
'''
)
DISTANCES = (
    HEAD
    + """
EXACT, LOWER, UPPER = range(3)
TABLE = {}


def search(game, observer, state, depth, alpha, beta, prefer_shorter, ply):
    observer.enter(state, depth, ply, alpha, beta)
    key = state, depth
    shift = prefer_shorter * ply
    if key in TABLE:
        flag, kept, choice = TABLE[key]
        value = kept - shift if kept > ESTIMATES else kept + shift if kept < -ESTIMATES else kept
        if flag == EXACT or (flag == LOWER and value >= beta) or (flag == UPPER and value <= alpha):
            observer.leave(value, choice)
            return value, choice
    low, high, choice = alpha, beta, pg.NO_MOVE
    if game.outcome(state) != pg.ONGOING:
        best = final(game.outcome(state), shift)
    elif depth == 0:
        best = game.evaluate(state)
    else:
        is_max = game.to_move(state) == pg.MAX
        best = -INFINITY if is_max else INFINITY
        for move in game.moves(state):
            observer.branch(move)
            after = game.play(state, move)
            value, _ = search(game, observer, after, depth - 1, low, high, prefer_shorter, ply + 1)
            if value > best if is_max else value < best:
                best, choice = value, move
            low, high = (max(low, best), high) if is_max else (low, min(high, best))
            if low >= high:
                observer.cut(move, best)
                break
    flag = UPPER if best <= alpha else LOWER if best >= beta else EXACT
    kept = best + shift if best > ESTIMATES else best - shift if best < -ESTIMATES else best
    TABLE[key] = flag, kept, choice
    observer.leave(best, choice)
    return best, choice
"""
)
SLOTS = (
    CACHED.replace("from functools import cache\n\n\n", "SLOTS = [None] * 61\n\n\n")
    .replace("    @cache\n", "")
    .replace(
        "        observer.enter(position, plies)\n",
        """        slot = hash((position, plies)) % 61
        if SLOTS[slot] and SLOTS[slot][0] == (position, plies):
            return SLOTS[slot][1]
        observer.enter(position, plies)
""",
    )
    .replace(
        "        return best, choice\n",
        "        SLOTS[slot] = (position, plies), (best, choice)\n        return best, choice\n",
    )
)
"""A table of few slots, whose entries have their key."""
COUNTING_UP = (
    HEAD
    + """
def search(game, observer, state, depth, prefer_shorter):
    def node(here, level):
        observer.enter(here, depth - level, level)
        found = None, pg.NO_MOVE
        if game.outcome(here) != pg.ONGOING:
            found = final(game.outcome(here), prefer_shorter * level), pg.NO_MOVE
        elif level == depth:
            found = game.evaluate(here), pg.NO_MOVE
        else:
            worst_first = sorted(
                ((node(game.play(here, move), level + 1)[0], -place, move) for place, move in enumerate(game.moves(here))),
                reverse=game.to_move(here) == pg.MAX,
            )
            found = worst_first[0][0], worst_first[0][2]
        observer.leave(*found)
        return found

    return node(state, 0)
"""
)
A_STACK = (
    HEAD
    + '''
def search(game, observer, state, depth):
    """Without recursion: a list of nodes, each with the moves that it has yet to try."""
    path = [[state, None, [], None, pg.NO_MOVE]]
    observer.enter(state, depth)
    while True:
        node = path[-1]
        here, moves = node[0], node[1]
        left = depth - len(path) + 1
        if moves is None:
            if game.outcome(here) != pg.ONGOING:
                node[3], node[1] = final(game.outcome(here), 0), iter(())
            elif left == 0:
                node[3], node[1] = game.evaluate(here), iter(())
            else:
                node[1] = iter(list(game.moves(here)))
            continue
        move = next(moves, None)
        if move is not None:
            after = game.play(here, move)
            node[2] = move
            path.append([after, None, [], None, pg.NO_MOVE])
            observer.enter(after, left - 1)
            continue
        observer.leave(node[3], node[4])
        path.pop()
        if not path:
            return node[3], node[4]
        above = path[-1]
        is_max = game.to_move(above[0]) == pg.MAX
        if above[3] is None or (node[3] > above[3] if is_max else node[3] < above[3]):
            above[3], above[4] = node[3], above[2]
'''
)
PROVING_AT_THE_ROOT = ZERO.replace("def node(", "def node(", 1) + (
    '''

def search(game, observer, state, depth, alpha, beta, prefer_shorter, ply=0, *, verbose=False):
    """Keyword arguments of its own; the root is searched twice, and says the same twice."""
    first = node(game, observer, state, depth, alpha, beta, prefer_shorter, ply)
    again = node(game, observer, state, depth, alpha, beta, prefer_shorter, ply)
    return again if first == again else (0, pg.NO_MOVE)
'''
)


def of_lesson(name: str, function: str) -> str:
    """A lesson's search, called `search`."""
    return re.sub(rf"\b{function}\(", "search(", lesson(name).files[f"{function}.py"])


TABLE_NODE = (
    HEAD
    + """
SLOTS = {}


def search(game, observer, state, depth, alpha, beta):
    SLOTS.clear()
    return node(game, observer, state, depth, alpha, beta, 0)


def node(game, observer, state, depth, alpha, beta, ply):
    observer.enter(state)
    slot = hash(state) % 32
    known, left, least, most, choice = SLOTS.get(slot, (None, 0, 0, 0, pg.NO_MOVE))
    if game.outcome(state) != pg.ONGOING:
        value, choice = final(game.outcome(state), 0), pg.NO_MOVE
    elif depth == 0:
        value, choice = game.evaluate(state), pg.NO_MOVE
    elif ply and (known, left) == (state, depth) and (least >= beta or least == most):
        value = least
    elif ply and (known, left) == (state, depth) and most <= alpha:
        value = most
    else:
        least, most = (least, most) if (known, left) == (state, depth) else (-INFINITY, INFINITY)
        value, choice = best_of(game, observer, state, depth, max(alpha, least), min(beta, most), ply)
        least = value if value > max(alpha, least) else least
        most = value if value < min(beta, most) else most
        SLOTS[slot] = state, depth, least, most, choice
    observer.leave(value, choice)
    return value, choice


def best_of(game, observer, state, depth, alpha, beta, ply):
    found = {}
    side = 1 if game.to_move(state) == pg.MAX else -1
    for move in game.moves(state):
        found[move], _ = node(game, observer, game.play(state, move), depth - 1, alpha, beta, ply + 1)
        alpha, beta = (max(alpha, found[move]), beta) if side == 1 else (alpha, min(beta, found[move]))
        if alpha >= beta:
            break
    choice = max(found, key=lambda each: side * found[each])
    return found[choice], choice
"""
)
HANDS = {
    "clamped into the window everywhere": CLAMPED,
    "strict cuts": STRICT,
    "killers": KILLERS,
    "history": HISTORY,
    "moves in an order of its own": BY_SIZE,
    "largest moves first": LARGEST_MOVES,
    "moves shuffled": SHUFFLED,
    "mate distance pruning": MATE_DISTANCE,
    "no infinity": NO_INFINITY.replace("low, high = (max(low, best), high)", "low, high = (max(low, best), high)"),
    "infinities of floats": FLOATS,
    "a textbook's two functions": BOOK,
    "a textbook's two functions, strict": BOOK_STRICT,
    "a parameter with a default": MAXIMIZING,
    "a memo for a default": MEMO_DEFAULT,
    "a cache within": CACHED,
    "cached moves": CACHED_RULES,
    "a class": A_CLASS,
    "aspiration": ASPIRATION,
    "MTD(f)": MTD,
    "null windows, then a whole one": BISECTION,
    "negascout": NEGASCOUT,
    "a colour": COLOUR,
    "lots among true equals": TRUE_EQUALS,
    "lots among equals in a wider window": WIDER_BY_ONE,
    "a table with distances": DISTANCES,
    "slots with their keys": SLOTS,
    "bounds of small slots narrow the window": TABLE_NODE,
    "plies counted up": COUNTING_UP,
    "a stack": A_STACK,
    "searched twice": PROVING_AT_THE_ROOT,
    "lesson 10": of_lesson("10-deepening", "deepening"),
    "lesson 11": of_lesson("11-table", "remembering"),
    "lesson 14": of_lesson("14-order", "killers"),
    "lesson 15": of_lesson("15-windows", "scout"),
    "lesson 16": of_lesson("16-bits", "keyed"),
}
"""Each by what is its own."""
