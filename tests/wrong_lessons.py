# ruff: noqa: E501
"""Wrong searches of lessons 10 to 16, in which the mistake is known because it was put there.

Each is a right search of `bench/mutants.py`, by its name, with one idea of it left out or done wrong: what stands there
and what is written, and the keys of `MISTAKES` any of which is a right name for it.
"""

Case = tuple[str, str, list[tuple[str, str]], tuple[str, ...]]

SIDELESS = 'game.text(state).rpartition(":")[0]'
"""The board without the side to move."""
ALPHABETA, DEEPENING, REMEMBERING, KILLERS = (
    "answer 3-alpha-beta",
    "lesson 10-deepening",
    "lesson 11-table",
    "lesson 14-order",
)
SCOUT, KEYED, BOUNDS, DISTANCES = "lesson 15-windows", "lesson 16-bits", "answer 11-table", "a table with distances"
TABLE, KEPT, NEGASCOUT = "a table with bounds", "minimax with a table that stays", "principal variation search"
AGAIN = "if not low < value < high and (low, high) != (alpha, beta):"
RANKED = "sorted(game.moves(state), key=lambda m: (m not in two, -history.get((mover, m), 0)))"
FROM_ENTRY = "kept - shift if kept > ESTIMATES else kept + shift if kept < -ESTIMATES else kept"
TO_ENTRY = "best + shift if best > ESTIMATES else best - shift if best < -ESTIMATES else best"

WRONG_LESSONS: list[Case] = [
    # -- a second search
    ("scout does not search again", SCOUT, [("if alpha < value < beta:", "if False:")], ("re-search",)),
    ("keyed does not search again", KEYED, [("if low < value < high:", "if False:")], ("re-search",)),
    ("PVS does not search again", NEGASCOUT, [("if alpha < value < beta:", "if False:")], ("re-search",)),
    ("MAX alone searches again", SCOUT, [("if alpha < value < beta:", "if side == 1 and alpha < value < beta:")], ("re-search",)),
    ("keyed searches again for MAX alone", KEYED, [("if low < value < high:", "if side == 1 and low < value < high:")], ("re-search",)),
    ("no second search outside the aspiration window", SCOUT, [(AGAIN, "if False:")], ("aspiration",)),
    ("no second search outside a window of 1", SCOUT, [(AGAIN, "if False:"), ("WIDTH = 10", "WIDTH = 1")], ("aspiration",)),
    ("a second search above the window alone", SCOUT, [(AGAIN, "if value >= high and (low, high) != (alpha, beta):")], ("aspiration",)),
    ("late moves are searched less deep", ALPHABETA, [("for move in game.moves(state):", "for number, move in enumerate(game.moves(state)):"), ("depth - 1", "depth - 1 - (number > 1 and depth > 1)")], ("reduction",)),
    ("late moves of a rank are searched less deep", KILLERS, [("for move in moves:", "for number, move in enumerate(moves):"), ("depth - 1", "depth - 1 - (number > 1 and depth > 1)")], ("reduction",)),
    # -- the key of a table
    ("a memo without the side", REMEMBERING, [("(state, depth) in table", f"({SIDELESS}, depth) in table"), ("table[state, depth]", f"table[{SIDELESS}, depth]")], ("table side",)),
    ("bounds without the side", BOUNDS, [("table.get((state, depth)", f"table.get(({SIDELESS}, depth)"), ("table[state, depth]", f"table[{SIDELESS}, depth]")], ("table side",)),
    ("a hash without the side", KEYED, [("hash(state)", f"hash({SIDELESS})")], ("table side",)),
    ("flags without the side", TABLE, [("key = state, depth", f"key = {SIDELESS}, depth")], ("table side",)),
    ("a memo that stays without the side", KEPT, [("(state, depth) in TABLE", f"({SIDELESS}, depth) in TABLE"), ("TABLE[state, depth]", f"TABLE[{SIDELESS}, depth]")], ("table side",)),
    ("keyed does not compare the depth", KEYED, [("plies == depth and is_enough", "is_enough")], ("table depth",)),
    ("bounds without the depth", BOUNDS, [("table.get((state, depth)", "table.get(state"), ("table[state, depth]", "table[state]")], ("table depth",)),
    ("a memo without the depth", REMEMBERING, [("(state, depth) in table", "state in table"), ("table[state, depth]", "table[state]")], ("table depth",)),
    ("a memo that stays without the depth", KEPT, [("(state, depth) in TABLE", "state in TABLE"), ("TABLE[state, depth]", "TABLE[state]")], ("table depth",)),
    ("distances without the depth", DISTANCES, [("key = state, depth", "key = state")], ("table depth",)),
    ("a hash that is not compared", KEYED, [("1 << 16", "1 << 4"), (" and entry[0] == key", "")], ("table key",)),
    # -- what a table keeps
    ("a least value is the value", BOUNDS, [("if least == most or least >= beta:", "if least > -INFINITY:")], ("table bound",)),
    ("a most value is the value", BOUNDS, [("if most <= alpha:", "if most < INFINITY:")], ("table bound",)),
    ("keyed takes each least for the value", KEYED, [("(kind == LEAST and value >= beta)", "kind == LEAST")], ("table bound",)),
    ("flags are not asked", TABLE, [("if flag == EXACT or", "if True or")], ("table bound",)),
    ("keyed asks no kind", KEYED, [("plies == depth and is_enough", "plies == depth")], ("table bound",)),
    ("distances ask no flag", DISTANCES, [("if flag == EXACT or", "if True or")], ("table bound",)),
    ("flags by the narrowed window", TABLE, [("UPPER if best <= alpha else LOWER if best >= beta", "UPPER if best <= low else LOWER if best >= high")], ("table flag", "table bound")),
    ("kinds by the narrowed window", KEYED, [("alpha < best < beta else LEAST if best >= beta", "low < best < high else LEAST if best >= high")], ("table flag", "table bound")),
    ("bounds swapped", BOUNDS, [("best > alpha or is_end else least", "best < beta or is_end else least"), ("best < beta or is_end else most", "best > alpha or is_end else most")], ("table flag", "table bound")),
    ("distances by the narrowed window", DISTANCES, [("UPPER if best <= alpha else LOWER if best >= beta", "UPPER if best <= low else LOWER if best >= high")], ("table flag", "table bound")),
    ("flags swapped", TABLE, [("UPPER if best <= alpha else LOWER if", "LOWER if best <= alpha else UPPER if")], ("table flag", "table bound")),
    ("kinds swapped", KEYED, [("else LEAST if best >= beta else MOST", "else MOST if best >= beta else LEAST")], ("table flag", "table bound")),
    ("plies of a win from another root", DISTANCES, [(FROM_ENTRY, "kept"), (TO_ENTRY, "best")], ("table distance",)),
    ("plies of a win are taken off twice", DISTANCES, [(FROM_ENTRY, "kept")], ("table distance",)),
    ("plies of a win are not added", DISTANCES, [(TO_ENTRY, "best")], ("table distance",)),
    ("a memo without the depth that stays", REMEMBERING, [("depth, {})", "depth, TABLE)"), ("def search(", "TABLE = {}\n\n\ndef search("), ("(state, depth) in table", "state in table"), ("table[state, depth]", "table[state]")], ("table depth", "table left")),
    # -- windows and cuts
    ("MAX's best is not passed on", ALPHABETA, [("alpha = max(alpha, best)", "pass")], ("best not passed",)),
    ("MIN's best is not passed on", KILLERS, [("beta = min(beta, best)", "pass")], ("best not passed",)),
    ("MAX's best is not passed on beside a table", BOUNDS, [("low = max(low, best)", "pass")], ("best not passed",)),
    ("each child gets the whole window", ALPHABETA, [("depth - 1, alpha, beta", "depth - 1, -(1 << 40), 1 << 40")], ("full window",)),
    ("alpha and beta change places", DEEPENING, [("depth - 1, alpha, beta, best", "depth - 1, beta, alpha, best")], ("edges swapped",)),
    ("it cuts one too soon", ALPHABETA, [("if alpha >= beta:", "if alpha + 1 >= beta:")], ("early by one",)),
    ("it cuts inside", KILLERS, [("if alpha >= beta:", "if alpha + 3 >= beta:")], ("early cut",)),
    ("it cuts at a good value", KILLERS, [("if alpha >= beta:", "if alpha >= beta or side * best > 1:")], ("early cut",)),
    # -- moves
    ("killers are not legal", KILLERS, [(RANKED, "[*two, *(m for m in game.moves(state) if m not in two)]")], ("killer", "illegal")),
    ("two best-looking moves alone", ALPHABETA, [("in game.moves(state):", "in sorted(game.moves(state), key=lambda m: game.evaluate(game.play(state, m)))[:2]:")], ("beam",)),
    ("moves lost in a dict by value", ALPHABETA, [("in game.moves(state):", "in {game.evaluate(game.play(state, m)): m for m in game.moves(state)}.values():")], ("moves lost",)),
    ("a descendant's move", ALPHABETA, [("value, _ =", "value, deeper ="), ("best, choice = value, move", "best, choice = value, move if deeper == pg.NO_MOVE else deeper")], ("descendant's move",)),
    ("a later move of equal value", KILLERS, [("side * value > side * best", "side * value >= side * best")], ("late tie",)),
    # -- signs, ends, depth
    ("negamax turns at each ply", "negamax", [("if game.to_move(after) != game.to_move(state):", "if True:")], ("alternation",)),
    ("MAX by the parity of the depth", ALPHABETA, [("game.to_move(state) == pg.MAX", "depth % 2 == 1")], ("extremes mixed",)),
    ("MAX by the parity of the ply", KILLERS, [("side = 1 if mover == pg.MAX", "side = 1 if ply % 2 == 0")], ("extremes mixed",)),
    ("the evaluation is the mover's", KILLERS, [("best = game.evaluate(state)", "best = game.evaluate(state) * (1 if mover == pg.MAX else -1)")], ("evaluation of the mover",)),
    ("negamax answers the mover", "negamax", [("return sign * value, move", "return value, move")], ("answer of the mover",)),
    ("an end at the horizon is evaluated", DEEPENING, [("if utility != pg.ONGOING:", "if utility != pg.ONGOING and depth:")], ("evaluates an end",)),
    ("plies from a fixed depth", "minimax", [("prefer_shorter * ply", "prefer_shorter * (9 - depth)")], ("fixed depth",)),
    ("an infinity below a win", "fail-soft alpha-beta", [("best = -INFINITY", "best = -9_999"), ("best = INFINITY", "best = 9_999")], ("infinity too small",)),
    ("the best value begins at 0", DISTANCES, [("best = -INFINITY if is_max else INFINITY", "best = 0")], ("starts at 0",)),
    ("killers end one ply too soon", KILLERS, [("elif depth == 0:", "elif depth <= 1:")], ("too shallow",)),
]  # fmt: skip
