# ruff: noqa: E501
# fmt: off
"""Monte Carlo searches as students write them: right ones of different hands, and lesson 12's with one change."""

from plyground.web.lessons.loader import lesson

LESSON = lesson("12-monte-carlo").files["carlo.py"]
CLASSES = """import math
import random

import plyground as pg


class Node:
    def __init__(self, game, state, parent=None, move=None):
        self.state, self.parent, self.move = state, parent, move
        self.children, self.visits, self.value = [], 0, 0.0
        self.untried = list(game.moves(state)) if game.outcome(state) == pg.ONGOING else []


def search(game, observer, state, iterations):
    root = Node(game, state)
    for _ in range(iterations):
        node = root
        while not node.untried and node.children:
            node = max(node.children, key=lambda child: ucb(child, node))
        if node.untried:
            random.shuffle(node.untried)
            move = node.untried.pop()
            child = Node(game, game.play(node.state, move), node, move)
            node.children.append(child)
            node = child
        backpropagate(game, node, rollout(game, node.state))
    best = max(root.children, key=lambda child: child.visits)
    return best.value / best.visits, best.move


def ucb(child, parent):
    return child.value / child.visits + math.sqrt(2 * math.log(parent.visits) / child.visits)


def rollout(game, state):
    while game.outcome(state) == pg.ONGOING:
        state = game.play(state, random.choice(list(game.moves(state))))
    return game.outcome(state)


def backpropagate(game, node, utility):
    while node:
        node.visits += 1
        if node.parent:
            sign = 1 if game.to_move(node.parent.state) == pg.MAX else -1
            node.value += 1.0 if sign * utility > 0 else 0.5 if utility == 0 else 0.0
        node = node.parent
"""
"""With a class for nodes that know their parents, results from 0 to 1 for the one who moved, no seed."""
ARRAYS = """from math import log, sqrt

import plyground as pg

INFINITE = 10**9


def search(game, state, playouts, seed):
    state_of, kids, won, tried, after = [state], [None], [0], [0], [-1]
    number = seed * 7919 + 12345

    def chance(below):
        nonlocal number
        number = (number * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        return (number >> 33) % below

    def bound(parent, child):
        if tried[child] == 0:
            return INFINITE
        mover = 1 if game.to_move(state_of[parent]) == pg.MAX else -1
        return mover * won[child] / tried[child] + 0.7 * sqrt(log(1 + tried[parent]) / tried[child])

    for _ in range(playouts):
        path = [0]
        while kids[path[-1]]:
            path.append(max(kids[path[-1]], key=lambda child: bound(path[-1], child)))
        leaf = path[-1]
        if game.outcome(state_of[leaf]) == pg.ONGOING and (tried[leaf] or leaf == 0):
            kids[leaf] = []
            for move in game.moves(state_of[leaf]):
                kids[leaf].append(len(state_of))
                state_of.append(game.play(state_of[leaf], move))
                kids.append(None), won.append(0), tried.append(0), after.append(move)
            path.append(kids[leaf][0])
        here = state_of[path[-1]]
        while game.outcome(here) == pg.ONGOING:
            moves = list(game.moves(here))
            here = game.play(here, moves[chance(len(moves))])
        utility = game.outcome(here)
        for node in path:
            tried[node] += 1
            won[node] += 1 if utility > 0 else -1 if utility < 0 else 0
    return 0.5, after[max(kids[0], key=lambda child: tried[child])]
"""
"""With lists for nodes, its own random numbers, a random game before a node has children, unvisited ones in order."""
TABLE = """from math import inf, log, sqrt
from random import Random

import plyground as pg


def search(game, state, simulations, observer, c=2.5, seed=1):
    rng = Random(f"seed {seed}")
    stats = {}

    def value(utility, mover):
        return 0.5 if utility == 0 else float((utility > 0) == (mover == pg.MAX))

    for _ in range(simulations):
        here, path = state, []
        in_tree = True
        while game.outcome(here) == pg.ONGOING:
            moves = [*game.moves(here)]
            if in_tree:
                in_tree = here in stats
                known = stats.setdefault(here, {move: [0, 0.0] for move in moves})
                total = sum(n for n, _ in known.values())
                rng.shuffle(moves)
                move = max(moves, key=lambda m: inf if known[m][0] == 0 else known[m][1] / known[m][0] + c * sqrt(log(total) / known[m][0]))
                path.append((here, move))
            else:
                move = rng.choice(moves)
            here = game.play(here, move)
        for at, move in path:
            entry = stats[at][move]
            entry[0] += 1
            entry[1] += value(game.outcome(here), game.to_move(at))
    root = stats[state]
    return sum(w for _, w in root.values()) / simulations, max(root, key=lambda m: root[m][0])
"""
"""With a table of states, results of the mover, and a new node that is left by one of its moves at once."""
WHOLE = TABLE.replace("in_tree = here in stats\n", "in_tree = True\n")
"""The same, with each position of each game in the table."""
RECURSIVE = """from math import log, sqrt
from random import Random
import plyground as pg

def search(game, observer, state, simulations, seed=0):
    rng, tree = Random(seed), {}
    for _ in range(simulations):
        observer.enter(state)
        walk(game, state, (), tree, rng)
        observer.leave(0, pg.NO_MOVE)
    moves = list(game.moves(state))
    return 0.5, moves[max(range(len(moves)), key=lambda i: tree.get((moves[i],), (0, 0))[0])]

def walk(game, state, line, tree, rng):
    "The result for the player to move here."
    mover = game.to_move(state)
    utility = game.outcome(state)
    if utility != pg.ONGOING:
        return (0 if not utility else 1 if (utility > 0) == (mover == pg.MAX) else -1)
    moves = list(game.moves(state))
    fresh = [m for m in moves if line + (m,) not in tree]
    if fresh:
        move = rng.choice(fresh)
        after = game.play(state, move)
        result = playout(game, after, rng)
    else:
        total = sum(tree[line + (m,)][0] for m in moves)
        def bound(m):
            n, w = tree[line + (m,)]
            return w / n + sqrt(log(total) / n)
        move = max(moves, key=bound)
        after = game.play(state, move)
        result = walk(game, after, line + (move,), tree, rng)
    if game.to_move(after) != mover:
        result = -result
    n, w = tree.get(line + (move,), (0, 0))
    tree[line + (move,)] = n + 1, w + result
    return result

def playout(game, state, rng):
    here = state
    while game.outcome(here) == pg.ONGOING:
        here = game.play(here, game.pick(here, rng.getrandbits(32)))
    utility = game.outcome(here)
    return (0 if not utility else 1 if (utility > 0) == (game.to_move(state) == pg.MAX) else -1)
"""
"""As negamax: results of the mover, turned round where the turn changes; lines of moves for nodes, `game.pick`."""
PROVING = """from math import log, sqrt
from random import Random

import plyground as pg


class Node:
    __slots__ = ("kids", "n", "w", "sure", "state")

    def __init__(self, game, state):
        self.kids, self.n, self.w, self.state = None, 0, 0, state
        outcome = game.outcome(state)
        self.sure = None if outcome == pg.ONGOING else (outcome > 0) - (outcome < 0)


def search(game, observer, state, simulations, seed=0):
    rng, root = Random(seed), Node(game, state)
    for _ in range(simulations):
        if root.sure is not None:
            break
        simulate(game, root, rng)
    side = 1 if game.to_move(state) == pg.MAX else -1
    move = max(root.kids, key=lambda m: (side * root.kids[m].sure if root.kids[m].sure is not None else 0, root.kids[m].n))
    return 0.5 + root.w / max(root.n, 1) / 2, move


def simulate(game, node, rng):
    side = 1 if game.to_move(node.state) == pg.MAX else -1
    if node.kids is None:
        node.kids = {move: Node(game, game.play(node.state, move)) for move in game.moves(node.state)}
    new = [kid for kid in node.kids.values() if kid.n == 0]
    kid = rng.choice(new) if new else max(node.kids.values(), key=lambda k: side * k.w / k.n + 1.2 * sqrt(log(node.n) / k.n))
    if kid.sure is not None:
        result = kid.sure
        kid.n, kid.w = kid.n + 1, kid.w + result
    elif kid.n == 0:
        state = kid.state
        while game.outcome(state) == pg.ONGOING:
            state = game.play(state, rng.choice([*game.moves(state)]))
        result = (game.outcome(state) > 0) - (game.outcome(state) < 0)
        kid.n, kid.w = 1, result
    else:
        result = simulate(game, kid, rng)
    sure = [k.sure for k in node.kids.values()]
    if side in sure:
        node.sure = side
    elif None not in sure:
        node.sure = side * max(side * each for each in sure)
    node.n, node.w = node.n + 1, node.w + result
    return result
"""
"""Proves what is certain, and ends when the root is (Winands, Björnsson and Saito, 2008)."""
HASTY = LESSON.replace("if node.games == 0 or", "if node.games < 3 or")
"""A node gets children after three games of its own."""
RIGHT = {
    "as in the lesson": LESSON,
    "a small constant": LESSON.replace("exploration=1.4", "exploration=0.2"),
    "a large constant": LESSON.replace("exploration=1.4", "exploration=5.0"),
    "without a seed": LESSON.replace("seed=0, ", "").replace("Random(seed)", "Random()"),
    "a little noise among equals": LESSON.replace("return side *", "return chance.random() * 1e-6 + side *"),
    "classes": CLASSES,
    "lists": ARRAYS,
    "lists, a small constant": ARRAYS.replace("0.7 * sqrt", "0.1 * sqrt"),
    "table": TABLE,
    "whole lines": WHOLE,
    "recursive": RECURSIVE,
    "proving": PROVING,
    "hasty": HASTY,
}
"""Right searches; and changes of lesson 12's that are the same in effect, and so cost nothing:"""
EQUAL: list[tuple[str, list[tuple[str, str]]]] = [
    ("the logarithm to base 10", [("log(node.games) / child", "log(node.games) / log(10) / child")]),
    ("one more in N", [("log(node.games)", "log(node.games + 1)")]),
    ("moves in their order", [("return chance.choice(untried)", "return untried[0]")]),
    ("a win is a half", [("node.total += result", "node.total += result / 2"), ("root.games / 2", "root.games"), ("1.4", "0.7")]),
    ("the last of equal bounds", [("max(node.children, key=bound)", "max(reversed(node.children), key=bound)")]),
    ("the last of equal answers", [("max(root.children,", "max(reversed(root.children),")]),
    ("half as many games", [("range(simulations)", "range(simulations // 2)")]),
]
SIDE = "side = 1 if game.to_move(state) == pg.MAX else -1"
BOUND = "sqrt(log(node.games) / child.games)"
FIRST = "    if node.games == 0 or game.outcome(state) != pg.ONGOING:\n"
RESULT = "    return (utility > 0) - (utility < 0)\n"
DRAW = "chance.choice(list(game.moves(state)))"
LOOP = "    while game.outcome(state) == pg.ONGOING:\n"
BEST = "return max(node.children, key=bound)"
ANSWER = "key=lambda each: root.children[each].games"
MOST = f"max(root.children, {ANSWER}, default=pg.NO_MOVE)"
LAST = "    return 0.5 + root.total / root.games / 2, move\n"
OWN_SIDE = ("    move = max(root", f"    {SIDE}\n    move = max(root")
ROOT = [("    chance, root = Random(seed), Node()\n", "    chance, root = Random(seed), Node()\n    ROOT[0] = root\n"), ("class Node", "ROOT = [None]\n\n\nclass Node")]
DRAWN = [("0, 0, {}", "0, 0, {}\n        self.draws = 0"), ("    node.total += result", "    node.draws += result == 0\n    node.total += result")]
SIGN = "(1 if game.to_move(state) == pg.MAX else -1)"

# What is done wrong; what stands in lesson 12's search, and what is written; the mistake's name, "" where none is sure.
WRONG: list[tuple[str, list[tuple[str, str]], str]] = [
    # -- the sign of the results
    ("results are x's", [(SIDE, "side = 1")], "x's side"),
    ("results are o's", [(SIDE, "side = -1")], "o's side"),
    ("the other player's", [("== pg.MAX else -1", "!= pg.MAX else -1")], "other side"),
    ("random games turned round", [(RESULT, RESULT.replace("return ", "return -(").replace("0)\n", "0))\n"))], "other side"),
    ("those of the next mover", [("    def bound(move):\n", f"    def bound(move):\n        {SIDE.replace('(state)', '(game.play(state, move))')}\n")], "mover below"),
    ("the root player's", [*ROOT, ("class Node", "TOP = [0]\n\n\nclass Node"), ("    ROOT[0] = root\n", "    ROOT[0] = root\n    TOP[0] = game.to_move(state)\n"), ("game.to_move(state) == pg.MAX", "TOP[0] == pg.MAX")], "root's side"),
    ("turned round at every ply", [("result = simulate(", "result = -simulate("), ("side * child.total", "-child.total"), (RESULT, f"    return ((utility > 0) - (utility < 0)) * {SIGN}\n"), ("    utility = game.outcome(state)\n    return", "    utility = game.outcome(state)\n    state = START[0]\n    return"), (FIRST, f"{FIRST}        START[0] = state\n"), ("class Node", "START = [0]\n\n\nclass Node")], "alternation"),
    ("only the size of a result", [("node.total += result", "node.total += abs(result)")], "no results"),
    ("results do not come back", [("    return result\n", "    return 0\n")], ""),
    ("results of new nodes alone", [("        result = simulate(", "        result = 0 * simulate(")], ""),
    # -- draws
    ("a draw is x's win", [("node.total += result", "node.total += result or 1")], "draws x's"),
    ("a draw is o's win", [(RESULT, "    return 1 if utility > 0 else -1\n")], "draws o's"),
    ("a draw is lost", [*DRAWN, ("        return side", "        return -child.draws / child.games + side")], "draws lost"),
    ("a draw is won", [*DRAWN, ("        return side", "        return child.draws / child.games + side")], "draws won"),
    ("a draw is half of x's win", [("node.total += result", "node.total += result or 0.5")], "draws"),
    ("a draw is no game", [("node.games += 1", "node.games += result != 0 or not node.games")], "draws"),
    # -- exploration
    ("no logarithm", [("log(node.games) /", "node.games /")], "no log"),
    ("no N", [("log(node.games) /", "1 /")], "no N"),
    ("not divided by n", [(BOUND, "sqrt(log(node.games))")], "no exploration"),
    ("no root", [(BOUND, "log(node.games) / child.games")], "no root"),
    ("the root of log N alone", [(BOUND, "sqrt(log(node.games)) / child.games")], "root of N"),
    ("the root of n alone", [(BOUND, "log(node.games) / sqrt(child.games)")], "root of n"),
    ("N and n exchanged", [(BOUND, "sqrt(log(child.games) / node.games)")], "N for n"),
    ("log n", [(BOUND, "sqrt(log(child.games) / child.games)")], "log of n"),
    ("results not divided", [("child.total / child.games", "child.total")], "not divided"),
    ("constant 0", [("exploration=1.4", "exploration=0")], "no exploration"),
    ("constant 100", [("exploration=1.4", "exploration=100")], "too much"),
    ("subtracted", [("+ exploration", "- exploration")], "subtracted"),
    ("no mean", [("side * child.total / child.games + ", "")], "no results"),
    ("the smallest bound", [(BEST, BEST.replace("max", "min"))], ""),
    ("any move", [(BEST, "return chance.choice(list(node.children))")], ""),
    ("n + 1 under the sum", [("child.total / child.games", "child.total / (child.games + 1)")], ""),
    ("each game counted twice", [("node.games += 1", "node.games += 2")], ""),
    ("the root's N everywhere", [*ROOT, ("log(node.games)", "log(ROOT[0].games)")], "below"),
    # -- expansion
    ("untried moves now and then", [("    if untried:\n", "    if untried and (len(untried) == len(node.children) or chance.random() < 0.5):\n"), (BEST, "return max((each for each in node.children if node.children[each].games), key=bound)")], "tried twice"),
    ("each move twice", [("child.games == 0]", "child.games < 2]")], "tried twice"),
    ("no tree below the root", [*ROOT, ("if node.games == 0 or", "if node is not ROOT[0] or")], "tried twice"),
    ("the last move left out", [("in game.moves(state)}", "in list(game.moves(state))[:-1]}")], "tried twice"),
    # -- the answer
    ("the best mean", [OWN_SIDE, (ANSWER, "key=lambda each: side * root.children[each].total / max(root.children[each].games, 1)")], "best mean"),
    ("the largest sum", [OWN_SIDE, (ANSWER, "key=lambda each: side * root.children[each].total")], "most won"),
    ("the mean for x", [(ANSWER, "key=lambda each: root.children[each].total / max(root.children[each].games, 1)")], "choice"),
    ("the least tried", [("move = max(root", "move = min(root")], "least tried"),
    ("the highest bound", [(MOST, "choose(game, state, root, chance, exploration)")], "by the bound"),
    ("the first move", [(MOST, "next(iter(root.children))")], "first move"),
    ("a move too far", [("/ 2, move\n", "/ 2, move + 1\n")], "illegal answer"),
    ("a text", [(LAST, "    return str(move)\n")], "no answer"),
    # -- ends
    ("random games go on", [(LOOP, "    for _ in range(50):\n")], "played on"),
    ("ends are not asked for in the tree", [(FIRST, "    if node.games == 0:\n")], "played on"),
    ("ends count nothing", [(FIRST, f"    if game.outcome(state) != pg.ONGOING:\n        result = 0\n{FIRST.replace('if', 'elif', 1)}")], "ends"),
    ("ends count for the other", [(FIRST, f"    if game.outcome(state) != pg.ONGOING:\n        result = -random_game(game, state, chance)\n{FIRST.replace('if', 'elif', 1)}")], "win missed"),
    ("ends are the mover's", [(FIRST, f"    if game.outcome(state) != pg.ONGOING:\n        result = {SIGN} * random_game(game, state, chance)\n{FIRST.replace('if', 'elif', 1)}")], "win missed"),
    # -- chance
    ("always the first move", [(DRAW, "next(iter(game.moves(state)))")], "not random"),
    ("never the last move", [(DRAW, "chance.choice(list(game.moves(state))[:-1])")], "not random"),
    ("every game begins anew", [(LOOP, f"    chance = Random(1)\n{LOOP}")], "not random"),
    ("one number for a game", [(LOOP, f"    number = chance.random()\n{LOOP}"), (DRAW, "list(game.moves(state))[int(number * len(list(game.moves(state))))]")], "not random"),
    ("the seed is not used", [("Random(seed)", "Random(7)")], "seed ignored"),
    ("the seed is not enough", [("Random(seed)", "Random()")], "seed not all"),
    # -- no search at all
    ("an unknown name", [("node.games += 1", "node.games += one")], "fails"),
    ("no simulations", [("range(simulations)", "range(0)")], "fails"),
]
