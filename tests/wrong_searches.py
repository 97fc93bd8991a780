# ruff: noqa: E501
"""Wrong searches of the kinds that students write: a right one with one change, and the mistake's name."""

from right_searches import ALPHABETA, BARE, MINIMAX, NEGAMAX, OTHER_NAMES, TABLE

from plyground.web.lessons.exercises import SKELETON
from plyground.web.lessons.loader import lesson

HASTY = lesson("11-table").files["hasty.py"]
"""Alpha-beta that takes every entry of its table for a value, and reports each move with `branch`."""

OUT = "utility = game.outcome(state)"
OVER = "final(utility, hurry * ply)"
HORIZON = "best = game.evaluate(state)"
DEEP = "elif depth == 0:"
MAX_LOOP = "alpha = max(alpha, value)"
MIN_LOOP = "beta = min(beta, value)"
CALL = "search(game, observer, game.play(state, move), depth - 1, alpha, beta, prefer_shorter, ply + 1)"
MAX_CALL = f"value, _ = {CALL}  # MAX"
MIN_CALL = f"value, _ = {CALL}  # MIN"
MAX_CUT = "if alpha >= beta:  # MAX"
MIN_CUT = "if alpha >= beta:  # MIN"
MAX_LINE = "for move in game.moves(state):  # MAX"
MIN_LINE = "for move in game.moves(state):  # MIN"
LEAVE = "    observer.leave(best, choice)\n    return best, choice"

# What is done wrong; the search that is changed; what stands there, and what is written; the mistake's name.
Case = tuple[str, str, list[tuple[str, str]], str]
WRONG: list[Case] = [
    # -- finished positions
    ("no terminal test", ALPHABETA, [("utility != pg.ONGOING", "False"), (MAX_LINE, "for move in list(game.moves(state))[:9] or [0]:"), (MIN_LINE, "for move in list(game.moves(state))[:9] or [0]:")], "goes on"),
    ("the depth is asked before the outcome", MINIMAX, [("if utility != pg.ONGOING:", "if depth > 0 and utility != pg.ONGOING:")], "evaluates an end"),
    ("a win is worth 1", ALPHABETA, [(OVER, "utility")], "scale"),
    ("a win is worth 1000", ALPHABETA, [(OVER, "utility * 1000")], "scale"),
    ("a draw is a small win", ALPHABETA, [(f"best = {OVER}", f"best = {OVER} or 7")], "draw"),
    ("the longer win", ALPHABETA, [(OVER, "final(utility, -prefer_shorter * ply)")], "longer win"),
    ("plies are not counted", ALPHABETA, [(OVER, "final(utility, 0)")], "no distance"),
    ("a move at the end", MINIMAX, [("choice = pg.NO_MOVE", "choice = 0"), ("best = -INFINITY", "best, choice = -INFINITY, pg.NO_MOVE"), ("best = INFINITY", "best, choice = INFINITY, pg.NO_MOVE"), (HORIZON, "best, choice = game.evaluate(state), pg.NO_MOVE")], "move at the end"),
    # -- depth
    ("off by one", ALPHABETA, [(DEEP, "elif depth <= 1 < ply + 2:")], "too shallow"),
    ("one ply too deep", ALPHABETA, [(DEEP, "elif depth < 0:")], "too deep"),
    ("the depth is not decremented", ALPHABETA, [("depth - 1", "depth")], "depth kept"),
    ("the depth is kept for MIN alone", ALPHABETA, [(MIN_CALL, MIN_CALL.replace("depth - 1", "depth"))], "depth kept"),
    ("two plies at once", ALPHABETA, [("depth - 1", "depth - 2"), (DEEP, "elif depth <= 0:")], "depth step"),
    ("nothing but the first text of a lesson", SKELETON, [], "no search"),
    ("without end", "def search(game, observer, state, depth):\n    return search(game, observer, state, depth)\n", [], "without end"),
    # -- signs and sides
    ("the outcome negated for o", ALPHABETA, [(OUT, "utility = game.outcome(state)\n    if utility != pg.ONGOING and game.to_move(state) == pg.MIN:\n        utility = -utility")], "outcome of the mover"),
    ("the outcome negated", ALPHABETA, [(OVER, f"-{OVER}")], "outcome negated"),
    ("the outcome negated for x", ALPHABETA, [(OUT, "utility = game.outcome(state)\n    if utility != pg.ONGOING and game.to_move(state) == pg.MAX:\n        utility = -utility")], "sign mixed"),
    ("the evaluation negated for o", ALPHABETA, [(HORIZON, "best = game.evaluate(state) * (1 if game.to_move(state) == pg.MAX else -1)")], "evaluation of the mover"),
    ("the evaluation negated", ALPHABETA, [(HORIZON, "best = -game.evaluate(state)")], "evaluation negated"),
    ("MIN takes the largest", MINIMAX, [("best = INFINITY", "best = -INFINITY"), ("value < best", "value > best")], "both largest"),
    ("MAX takes the smallest", MINIMAX, [("best = -INFINITY", "best = INFINITY"), ("value > best", "value < best")], "both smallest"),
    ("MAX and MIN swapped", MINIMAX, [("game.to_move(state) == pg.MAX", "game.to_move(state) != pg.MAX")], "extremes swapped"),
    ("MAX by the parity of the plies", MINIMAX, [("game.to_move(state) == pg.MAX", "ply % 2 == 0")], "extremes mixed"),
    ("MAX by the parity of the plies, with a window", ALPHABETA, [("game.to_move(state) == pg.MAX", "ply % 2 == 0")], "extremes mixed"),
    ("MAX by the parity of the depth, with a window", ALPHABETA, [("game.to_move(state) == pg.MAX", "depth % 2 == 1")], "extremes mixed"),
    ("MAX and MIN swapped, with a window", ALPHABETA, [("game.to_move(state) == pg.MAX", "game.to_move(state) != pg.MAX")], "extremes swapped"),
    ("MAX by turns from the root", MINIMAX, [("    observer.enter(state, depth)\n", "    observer.enter(state, depth)\n    FIRST[0] = FIRST[0] if ply else game.to_move(state)\n"), ("game.to_move(state) == pg.MAX", "FIRST[0] == ply % 2"), ("import plyground as pg\n", "import plyground as pg\nFIRST = [0]\n")], "alternation"),
    ("turns are taken to alternate", NEGAMAX, [("if game.to_move(after) != game.to_move(state):", "if True:")], "alternation"),
    ("negamax forgets to negate", NEGAMAX, [("        if game.to_move(after) != game.to_move(state):\n            value = -value\n", "")], "not turned"),
    ("negamax answers the mover's value", NEGAMAX, [("return sign * value, move", "return value, move")], "answer of the mover"),
    ("negamax takes x's outcome", NEGAMAX, [("return sign * final(game.outcome(state), 0)", "return final(game.outcome(state), 0)")], "outcome not turned"),
    ("negamax takes x's evaluation", NEGAMAX, [("return sign * game.evaluate(state)", "return game.evaluate(state)")], "evaluation not turned"),
    ("the answer negated", MINIMAX, [(LEAVE, "    observer.leave(best, choice)\n    return (best if ply else -best), choice")], "answer negated"),
    # -- values
    ("nothing is evaluated", ALPHABETA, [(HORIZON, "best = 0")], "horizon 0"),
    ("MAX starts at 0", ALPHABETA, [("best = -INFINITY", "best = 0")], "starts at 0"),
    ("the return is in the loop", MINIMAX, [("                best, choice = value, move  # MAX\n", "                best, choice = value, move\n            observer.leave(best, choice)\n            return best, choice\n")], "moves left out"),
    ("the last move's value", MINIMAX, [("if value > best:", "if True:")], "last move"),
    ("values are added up", MINIMAX, [("            if value > best:\n                best, choice = value, move  # MAX", "            best, choice = value + (0 if choice == pg.NO_MOVE else best), move")], "sum"),
    ("a bound from the table is a value", TABLE, [("if flag == EXACT or", "if True or")], "table bound"),
    ("a hasty table", HASTY, [("def hasty(", "def search(")], "table bound"),
    ("the table forgets the depth", TABLE, [("key = state, depth", "key = state"), ("    return look(game, observer, state, depth, alpha, beta, {})", "    table = {}\n    for plies in range(1, depth + 1):\n        answer = look(game, observer, state, plies, alpha, beta, table)\n    return answer")], "table depth"),
    ("a memo without the depth", MINIMAX, [("    observer.enter(state, depth)\n", "    observer.enter(state, depth)\n    MEMO = {} if ply == 0 else MEMO_OF[0]\n    MEMO_OF[0] = MEMO\n    if state in MEMO:\n        observer.leave(*MEMO[state])\n        return MEMO[state]\n"), (LEAVE, "    MEMO[state] = best, choice\n" + LEAVE), ("import plyground as pg\n", "import plyground as pg\nMEMO_OF = [{}]\n")], "table depth"),
    ("a memo of bounds, asked before a node is entered", BARE, [("    observer.enter(state)\n", "    if (state, depth) in MEMO:\n        return MEMO[state, depth]\n    observer.enter(state)\n"), ("    observer.leave(value, move)\n", "    observer.leave(value, move)\n    MEMO[state, depth] = value, move\n"), ("import plyground as pg\n", "import plyground as pg\nMEMO = {}\n")], "table bound"),
    ("one is added at the horizon", MINIMAX, [(HORIZON, "best = game.evaluate(state) + 1")], "horizon"),
    ("only the size of the evaluation", ALPHABETA, [(HORIZON, "best = abs(game.evaluate(state))")], "sign mixed"),
    ("evaluated for MAX alone", MINIMAX, [(HORIZON, "best = game.evaluate(state) if game.to_move(state) == pg.MAX else 0")], "horizon"),
    # -- windows
    ("the window given is ignored", ALPHABETA, [('    observer.enter', '    if ply == 0:\n        alpha, beta = -INFINITY, INFINITY\n    observer.enter')], "window ignored"),
    ("every child gets the whole window", ALPHABETA, [("depth - 1, alpha, beta", "depth - 1, -INFINITY, INFINITY")], "full window"),
    ("every child gets a window of its own making", ALPHABETA, [("depth - 1, alpha, beta", "depth - 1, -(10**9), 10**9")], "full window"),
    ("every child gets None for a window", ALPHABETA, [("depth - 1, alpha, beta", "depth - 1, None, None"), ("    observer.enter(state, depth, ply, alpha, beta)", "    observer.enter(state, depth, ply)\n    if alpha is None:\n        alpha, beta = -INFINITY, INFINITY")], "full window"),
    ("every child gets the whole window, by another name", OTHER_NAMES, [("depth - 1, low, high", "depth - 1, -INFINITY, INFINITY")], "full window"),
    ("a window that is not seen", OTHER_NAMES, [("state, depth, low, high):\n    \"\"\"", "state, depth, *edges):\n    low, high = edges\n    \"\"\"")], "window not told"),
    ("MAX keeps no alpha", ALPHABETA, [(MAX_LOOP, "pass")], "best not passed"),
    ("MIN keeps no beta", ALPHABETA, [(MIN_LOOP, "pass")], "best not passed"),
    ("MAX narrows beta", ALPHABETA, [(MAX_LOOP, "beta = min(beta, value)")], "wrong edge"),
    ("MIN raises alpha", ALPHABETA, [(MIN_LOOP, "alpha = max(alpha, value)")], "wrong edge"),
    ("alpha and beta swapped", ALPHABETA, [("depth - 1, alpha, beta", "depth - 1, beta, alpha")], "edges swapped"),
    ("the window of negamax in minimax", ALPHABETA, [("depth - 1, alpha, beta", "depth - 1, -beta, -alpha")], "window turned"),
    ("negamax does not turn the window", NEGAMAX, [("-beta, -alpha", "alpha, beta")], "window not turned"),
    ("MIN passes alpha on for beta", ALPHABETA, [(MIN_CALL, MIN_CALL.replace("alpha, beta", "alpha, alpha"))], "edge for edge"),
    ("alpha is lost on the way", ALPHABETA, [(MIN_CALL, MIN_CALL.replace("alpha, beta", "-INFINITY, beta"))], "edge lost"),
    ("alpha may sink", ALPHABETA, [(MAX_LOOP, "alpha = value")], "edge moved back"),
    ("alpha is one too high", ALPHABETA, [(MAX_LOOP, "alpha = max(alpha, value + 1)")], "window off by one"),
    # -- cuts
    ("no cuts at all", ALPHABETA, [(MAX_CUT, "if False:"), (MIN_CUT, "if False:")], "no cut"),
    ("goes on with the next move", ALPHABETA, [("                observer.cut(move, value)\n                break", "                continue")], "no cut"),
    ("cuts at alpha + 1", ALPHABETA, [(MAX_CUT, "if alpha + 1 >= beta:"), (MIN_CUT, "if alpha + 1 >= beta:")], "early by one"),
    ("MAX cuts at alpha", ALPHABETA, [(MAX_CUT, "if value < alpha:")], "cut on the wrong side"),
    ("cuts where the window is open", ALPHABETA, [("                observer.cut(move, value)\n", ""), (MAX_CUT, "if alpha <= beta:"), (MIN_CUT, "if alpha <= beta:")], "moves left out"),  # as a loop over one move does
    ("cuts at any good move", ALPHABETA, [(MAX_CUT, "if value > 0:")], "early cut"),
    ("a move in the middle is left out", ALPHABETA, [(MAX_LINE, "for move in [each for each in game.moves(state) if each != 4]:"), (MIN_LINE, "for move in [each for each in game.moves(state) if each != 4]:")], "starting value"),
    ("three moves alone", ALPHABETA, [(MAX_LINE, "for move in [*game.moves(state)][:3]:"), (MIN_LINE, "for move in [*game.moves(state)][:3]:")], "beam"),
    ("each node is entered twice", ALPHABETA, [(LEAVE, "    observer.enter(state)\n    observer.leave(best, choice)\n" + LEAVE)], "entered twice"),
    ("the first move is left out", MINIMAX, [(MAX_LINE, "for move in list(game.moves(state))[1:] or game.moves(state):")], "first left out"),
    ("the last move is left out", MINIMAX, [(MAX_LINE, "for move in list(game.moves(state))[:-1] or game.moves(state):")], "last left out"),
    # -- moves
    ("always move 0", ALPHABETA, [(LEAVE, "    observer.leave(best, 0)\n    return best, 0")], "illegal"),
    ("always the first legal move", ALPHABETA, [(LEAVE, "    choice = next(game.moves(state)) if choice >= 0 else choice\n" + LEAVE)], "always first"),
    ("the last move tried", MINIMAX, [("best, choice = value, move  # MAX", "best = value\n            choice = move")], "always last"),
    ("no move", ALPHABETA, [(LEAVE, "    observer.leave(best, pg.NO_MOVE)\n    return best, pg.NO_MOVE")], "no move"),
    (">= keeps the last tie", ALPHABETA, [("if value > best:", "if value >= best:")], "late tie"),
    ("<= keeps MIN's last tie", ALPHABETA, [("if value < best:", "if value <= best:")], "late tie"),
    ("plays twice", ALPHABETA, [(MAX_CALL, MAX_CALL.replace("game.play(state, move)", "game.play(state, next(game.moves(state)))"))], "other position"),
    # -- runs
    ("a name that is nowhere", ALPHABETA, [(MAX_LOOP, "alpha = maximum")], "fails"),
    ("a loop without end", MINIMAX, [(MAX_LINE, "while True:\n            move = next(game.moves(state))")], "without end"),
    ("nothing is returned", MINIMAX, [("    return best, choice", "    return best if ply else None, choice")], "no answer"),
    ("nothing is reported", MINIMAX, [("    observer.enter(state, depth)\n", ""), ("    observer.leave(best, choice)\n", "")], "not reported"),
    ("no node is left", MINIMAX, [("    observer.leave(best, choice)\n", "")], "not left"),
    ("a draw is None", MINIMAX, [("final(utility, prefer_shorter * ply)", "final(utility, prefer_shorter * ply) or None")], "misreported"),
    ("the state's text is entered", MINIMAX, [("observer.enter(state, depth)", "observer.enter(str(state), depth)")], "misreported"),
    ("a return before the node is left", ALPHABETA, [("                observer.cut(move, value)\n                break", "                return value, move")], "not left"),
    ("each node is left twice", MINIMAX, [("    observer.leave(best, choice)\n", "    observer.leave(best, choice)\n    observer.leave(best, choice)\n")], "left twice"),
    ("each answer is another", MINIMAX, [(LEAVE, "    observer.leave(best, choice)\n    return best + (len(SEEN) and not ply), choice"), ("import plyground as pg\n", "import plyground as pg\nSEEN = [1]\n")], "two answers"),
]  # fmt: skip


def changed(text: str, changes: list[tuple[str, str]]) -> str:
    """A search after some changes."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text
