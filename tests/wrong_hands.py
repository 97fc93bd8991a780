# ruff: noqa: E501
"""Wrong searches of the later lessons' kinds, each a right one of `right_hands.py` with one change, and its mistake's name."""

from right_hands import A_CLASS, ASPIRATION, COLOUR, DISTANCES, KILLERS, MAXIMIZING, NEGASCOUT, NODE, SLOTS, TABLE_NODE
from right_searches import ALPHABETA, MINIMAX, SCOUT
from wrong_searches import Case

LOOP = "for move in put_in_order(game, state, ply):"
CHILD = "value, _ = search(game, observer, game.play(state, move), depth - 1, low, high, prefer_shorter, ply + 1)"
KEY = "key = state, depth"
FLAG = "flag = UPPER if best <= alpha else LOWER if best >= beta else EXACT"
BOARD = "key = game.text(state).rpartition(':')[0], depth"
VISIT = "self.visit(self.game.play(state, move), depth - 1, alpha, beta, ply + 1)"

WRONG_HANDS: list[Case] = [
    # -- bounds
    ("a null window is not searched again", SCOUT, [("if alpha < value < beta:", "if False:")], "re-search"),
    ("negascout does not search again", NEGASCOUT, [("if low < value < beta and bound != beta:", "if False:")], "re-search"),
    ("MAX alone searches again", SCOUT, [("if alpha < value < beta:", "if side == 1 and alpha < value < beta:")], "re-search"),
    ("a narrow window is not widened", ASPIRATION, [("if low < value < high or (low, high) == (alpha, beta):", "if True:")], "aspiration"),
    ("a narrow window is widened above alone", ASPIRATION, [("if low < value < high or", "if value < high or")], "aspiration"),
    ("late moves are searched less deep", NODE, [(LOOP, "for number, move in enumerate(put_in_order(game, state, ply)):"), ("depth - 1, low", "depth - 1 - (number > 1 < depth), low")], "reduction"),
    ("late moves are searched less deep by a counter that nobody sees", A_CLASS, [("for move in sorted(self.game.moves(state), key=lambda each: each not in self.killers[ply]):", "for number, move in enumerate(self.game.moves(state)):"), ("depth", "plies"), ("plies - 1, alpha", "plies - 1 - (number > 2 < plies), alpha"), ("plies, ply, alpha", "ply=ply, alpha=alpha, beta=beta) if True else (plies, ply, alpha"), ("state, plies, alpha, beta, prefer", "state, depth, alpha, beta, prefer"), ("visit(state, plies, alpha, beta, 0)", "visit(state, depth, alpha, beta, 0)"), ("if plies == 0", "if plies <= 0")], "reduction"),
    ("a null window that fails by one is not searched again", SCOUT, [("if alpha < value < beta:", "if alpha + 1 < value < beta - 1:")], "re-search"),
    # -- tables
    ("the key has no side", DISTANCES, [(KEY, BOARD)], "table side"),
    ("the key has no depth", DISTANCES, [(KEY, "key = state")], "table depth"),
    ("a win is kept as it is seen from the root", DISTANCES, [("shift = prefer_shorter * ply", "shift = 0"), ("final(game.outcome(state), shift)", "final(game.outcome(state), prefer_shorter * ply)")], "table distance"),
    ("the flag is that of the narrowed window", DISTANCES, [(FLAG, FLAG.replace("alpha", "low").replace("beta", "high"))], "table flag"),
    ("at least and at most change places", DISTANCES, [(FLAG, FLAG.replace("UPPER", "FLAG").replace("LOWER", "UPPER").replace("FLAG", "LOWER"))], "table flag"),
    ("no flag is asked", DISTANCES, [("if flag == EXACT or", "if True or")], "table bound"),
    ("a slot has no key", SLOTS, [("if SLOTS[slot] and SLOTS[slot][0] == (position, plies):", "if SLOTS[slot]:")], "table key"),
    ("one of 32 slots has no key", TABLE_NODE, [("(known, left) == (state, depth)", "left == depth")], "table key"),
    # -- moves left out, or of elsewhere
    ("three moves that look best", NODE, [("    return game.moves(state)\n", "    side = 1 - 2 * game.to_move(state)\n    return sorted(game.moves(state), key=lambda move: -side * game.evaluate(game.play(state, move)))[:3]\n")], "beam"),
    ("moves in a dict by their worth", NODE, [("    return game.moves(state)\n", "    def worth(after):\n        return game.evaluate(after) if game.outcome(after) == pg.ONGOING else final(game.outcome(after), 0)\n    return list({worth(game.play(state, move)): move for move in game.moves(state)}.values())\n")], "moves lost"),
    ("a killer takes the first move's place", KILLERS, [("    return sorted(game.moves(state), key=lambda move: move != first)\n", "    moves = list(game.moves(state))\n    return [first, *moves[1:]] if first in moves else moves\n")], "move replaced"),
    ("a killer need not be legal", KILLERS, [("    return sorted(game.moves(state), key=lambda move: move != first)\n", "    moves = [move for move in game.moves(state) if move != first]\n    return moves if first is None else [first, *moves]\n")], "killer"),
    ("moves are counted from 0", MINIMAX, [("for move in game.moves(state):  # MAX", "for move in range(len(list(game.moves(state)))):")], "illegal play"),
    ("the move that comes back", NODE, [("value, _ =", "value, deep ="), ("best, choice = value, move", "best, choice = value, move if deep == pg.NO_MOVE else deep")], "descendant's move"),
    ("one variable keeps the move of all calls", MINIMAX, [("best, choice = value, move", "best, BEST[0] = value, move"), ("    observer.leave", "    choice = choice if utility != pg.ONGOING or depth == 0 else BEST[0]\n    observer.leave"), ("\n\ndef search", "\nBEST = [0]\n\n\ndef search")], "move overwritten"),
    # -- values, signs, windows
    ("deepening keeps the best of all depths", NODE, [("\n\ndef search(", "\n\ndef node("), ("_ = search(", "_ = node("), ("\n\ndef put_in_order", "\n\ndef search(game, observer, state, depth, alpha, beta, prefer_shorter, ply):\n    found = [node(game, observer, state, each, alpha, beta, prefer_shorter, ply) for each in range(min(depth, 1), depth + 1)]\n    return max(found, key=lambda each: each[0] * (1 - 2 * game.to_move(state)))\n\n\ndef put_in_order")], "earlier pass"),
    ("MIN narrows alpha, seldom enough", ALPHABETA, [("                beta = min(beta, value)", "                alpha = max(alpha, value)")], "wrong edge"),
    ("a draw is taken for no end", MINIMAX, [("utility != pg.ONGOING", "utility not in (0, pg.ONGOING)")], "goes on"),
    ("a value loses a tenth at each ply", MINIMAX, [("    observer.leave(best", "    best = best * 9 // 10 if choice != pg.NO_MOVE else best\n    observer.leave(best")], "changed"),
    ("the evaluation's sign is the ply's", MINIMAX, [("game.evaluate(state)", "game.evaluate(state) * (-1) ** ply")], "sign mixed"),
    ("the window's edge is the last value", NODE, [("(max(low, best), high) if side == 1 else (low, min(high, best))", "(value, high) if side == 1 else (low, value)")], "edge moved back"),
    ("infinity is 9,999", NODE, [("best = -side * INFINITY", "best = -side * 9_999"), ("if choice == pg.NO_MOVE or side", "if side")], "infinity too small"),
    ("the first best is a lost game", MAXIMIZING, [("best, choice = None, pg.NO_MOVE", "best, choice = final(-1 if maximizing else 1, 0), pg.NO_MOVE"), ("if best is None or (value > best if maximizing else value < best):", "if value > best if maximizing else value < best:")], "infinity too small"),
    ("the move that cuts is not kept", ALPHABETA, [("            if value > best:", "            if value >= beta:\n                break\n            if value > best:"), ("            if value < best:", "            if value <= alpha:\n                break\n            if value < best:")], "cut uncounted"),
    ("plies are counted from 9", MINIMAX, [("prefer_shorter * ply)", "prefer_shorter * (9 - depth))")], "fixed depth"),
    ("the colour turns at each ply", COLOUR, [("other = 1 if game.to_move(after) == pg.MAX else -1", "other = -colour")], "alternation"),
    ("who is asked is MAX", MAXIMIZING, [("    if maximizing is None:\n        maximizing = game.to_move(state) == pg.MAX\n", "    if maximizing is None:\n        maximizing = True\n        ME[0] = game.to_move(state)\n    sign = 1 - 2 * ME[0]\n"), ("best = final(", "best = sign * final("), ("best = game.evaluate", "best = sign * game.evaluate"), ("is_max = game.to_move(after) == pg.MAX", "is_max = game.to_move(after) == ME[0]"), ("\n\ndef search", "\nME = [0]\n\n\ndef search")], "answer of the mover"),
    ("the window is an attribute", A_CLASS, [(VISIT, "self.visit(self.game.play(state, move), depth - 1, self.alpha, self.beta, ply + 1)"), ("            alpha, beta = (max(alpha, best), beta) if side == 1 else (alpha, min(beta, best))\n", "            self.alpha, self.beta = (max(self.alpha, best), self.beta) if side == 1 else (self.alpha, min(self.beta, best))\n"), ("if alpha >= beta:", "if self.alpha >= self.beta:"), ("        Searcher.nodes += 1\n", "        if ply == 0:\n            self.alpha, self.beta = alpha, beta\n")], "window leaks"),
]  # fmt: skip
"""What is done wrong; the search that is changed; what stands there, and what is written; the mistake's name."""
