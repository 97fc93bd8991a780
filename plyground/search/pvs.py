"""Principal variation search: alpha-beta for play and for solving.

Alpha-beta with null windows (Marsland and Campbell, 1982; Reinefeld, 1983) over a transposition table, with enhanced
transposition cutoffs (Plaat, Schaeffer, Pijls and de Bruin, 1996), moves ordered by the table, the game's own hint,
killers and history (Schaeffer, 1989), and every optional question of `rules.py` used where it is asked: `bounds`
closes a node whose end is settled, `candidates` leaves out moves that lose at once, `canonical` and `split_settled` let
states that are worth the same share an entry.

Where the depth is used up, noisy moves are searched on (quiescence search: Harris, 1975; Beal, "A generalised
quiescence search algorithm", 1990): a static evaluation in the middle of an exchange would count what is taken back at
the next ply. The player to move may stand pat, that is, take the evaluation in place of any noisy move, unless forced.
These nodes have a depth of 0 or less, are neither kept in the table nor found there, and end at `-QUIESCENCE`.

Threads search the same state with one table. A move that one of them is at is put off by the others until they have
searched the rest (ABDADA: Weill, 1996; with claims beside the table: Kerrigan, "Simplified ABDADA", 2017).

A context may be selective, in games that say so. Nodes in which the player to move is above the window already are
then judged by the static evaluation (reverse futility pruning), or by a search after a pass that is less deep (null
move pruning: Beal, "Experiments with the null move", 1989; Donninger, "Null move and deep search", 1993); and quiet
moves late in the order are searched less deep, and again if they seem better (late move reductions). Each gives an
estimate that is counted as one, or an end that is forced, so a value that is known rests on no judgement. But a sooner
end may have been hidden: see `engine/selective.py`.

Where states can come again, the search looks back along its line and the game before it (`repetition.py`). A value that
rests on a repetition of a state above the node is true on this line only, and is not kept, only the move is.

Inside, values are seen by the player to move (negamax), because one text then serves both sides; with extra turns, a
value changes its sign only where the turn passes.
"""

from collections.abc import Mapping
from typing import Any, Final

from plyground.board.bits import mix
from plyground.rules import LONGEST, MAX, NO_MOVE, ONGOING, Game, State
from plyground.score import ESTIMATES, FINAL, INFINITY, final
from plyground.search.algorithm import Algorithm, Answer, Query, Run, score_query
from plyground.search.context import (
    ENTERED,
    GUESSES,
    HISTORY,
    KILLERS,
    LINE,
    RESTS,
    ROOT_MOVE,
    SCRATCH,
    SHARED,
    STACK,
    TRAIL,
    TRAIL_PLIES,
    SearchContext,
    new_search_context,
)
from plyground.search.limits import require_end, require_room
from plyground.search.memory import Memory
from plyground.search.observer import Observer
from plyground.search.repetition import ENDS_GAME, NO_REPETITION, RESTS_ON_ROOT, find_repetition, put_on_line
from plyground.search.table import (
    ANY_DEPTH,
    EXACT,
    LOWER,
    NO_TAG,
    NOTHING,
    PLAYING,
    TAG_MASK,
    UPPER,
    claim,
    depth_of,
    entries_in,
    hash_of,
    is_claimed,
    kind_of,
    new_table,
    pack,
    prefetch_bucket,
    probe,
    release,
    store,
    tag_of,
    value_of,
)

FOREVER: Final = 1 << 20
"""A depth for searches to the end of the game."""
# Enhanced transposition cutoffs save a tenth of the nodes in Connect Four and Ultimate. Deeper down, and where little
# is left to search, looking at all children costs more than it saves.
ENHANCED_CUTOFF_PLIES: Final = 12
"""Down to this ply the entries of all children are looked at before any child is searched."""
SHARED_MOVES_PLIES: Final = 18
"""Down to this ply threads share out the moves of a node."""
LEAST_SHARED_DEPTH: Final = 5
"""Plies left below which neither is worth the time."""
SYMMETRY_PLIES: Final = 14
"""Down to this ply states are exchanged for their representative under symmetry; deeper it costs more than it finds."""

QUIESCENCE_PLIES: Final = 12
"""Plies of noisy moves that are searched beyond the depth, at most."""
# The margin is one `unit` of the game for each ply. In chess both prunings together were accepted by SPRT after 162
# games, at +72 Elo (+30 to +113), in Gardner's chess after 680, at +15 (+3 to +27); bench/ANALYSIS.md has each test.
REVERSE_FUTILITY_DEPTH: Final = 3
"""Plies left, at most, where a static evaluation far above the window stands for a search."""
NULL_MOVE_REDUCTION: Final = 2
"""Plies by which the search after a pass is less deep than after a move."""
# Accepted in Reversi after 318 games, at +47 Elo (+14 to +81), and rejected in chess and Connect Four: so a game asks
# for it.
FIRST_REDUCED_MOVE: Final = 3
"""Place in the order, from 0, of the first move that may be reduced."""
LEAST_REDUCED_DEPTH: Final = 3
"""Plies left, at least, where late moves are reduced."""

# Below the unit of `Game.order` in a score (1 << 24), so that history and killers decide only between moves that the
# game ranks alike.
MOST_HISTORY: Final = 1 << 22
TABLE_MOVE: Final = 1 << 62
"""The score of the table's move among the moves to search: above all others."""


def pvs(
    game: Game[State],
    observer: Observer,
    context: SearchContext,
    state: State,
    depth: int,
    alpha: int,
    beta: int,
    prefer_shorter: int,
    ply: int,
    top: int,
) -> int:
    """Value of a state within a window, from the side of the player to move.

    Args:
        game, observer, state, prefer_shorter, ply: as for `minimax`. At ply 0 every move is searched, the best noted.
        context: its table has only been used with this game and this `prefer_shorter`.
        depth: plies to look ahead, and noisy ones beyond; `FOREVER` searches to the end and also uses `split_settled`.
        alpha, beta: the window, alpha < beta, from the side of the player to move.
        top: the first free place of the scratch memory's stack; `STACK` at the root.

    Returns:
        The value if it lies between alpha and beta; else a bound of it beyond the window (fail-soft).
    """
    observer.enter(state, depth, ply, alpha, beta)
    table, scratch = context.table, context.scratch
    turn = game.to_move(state)
    side = 1 - 2 * turn
    utility = game.outcome(state)
    if utility != ONGOING:
        value = side * final(utility, prefer_shorter * ply)
        observer.leaf(state, value)
        observer.leave(value, NO_MOVE)
        return value

    state_hash = hash_of(state)
    # The entry is on its way from memory while the moves are found, which saves a tenth of the time.
    if depth > 0:
        prefetch_bucket(table, state, state_hash)
    if game.repetition:
        here = game.repetition_key(state)
        key_hash = hash_of(here)
        earlier = find_repetition(scratch, LINE, here, key_hash, ply) if ply > 0 else NO_REPETITION
        if earlier != NO_REPETITION:
            if not game.repetition_is_draw:
                scratch[RESTS] = RESTS_ON_ROOT + 1  # what it is worth to whom depends on how it came about
            elif earlier != ENDS_GAME:
                scratch[RESTS] = max(scratch[RESTS], RESTS_ON_ROOT - earlier)
            value = side * final(game.repetition_value(state), prefer_shorter * ply)
            observer.leaf(state, value)
            observer.leave(value, NO_MOVE)
            return value
        put_on_line(scratch, LINE, here, key_hash, ply)

    # 1. What the value can be at all: a win comes at the next ply at the soonest, a sure one may take long. What lies
    # beyond the window is a bound that answers the question asked; a single possible value is exact without a search.
    # At ply 0 it is not enough: there the best move is asked for as well.
    low, high = game.bounds(state)
    if turn != MAX:
        low, high = -high, -low
    worst = final(low, prefer_shorter * (LONGEST if low > 0 else ply + 1))
    best = final(high, prefer_shorter * (LONGEST if high < 0 else ply + 1))
    if ply > 0 and (best <= alpha or worst >= beta or best == worst):
        value = best if best <= alpha else worst
        observer.leave(value, NO_MOVE)
        return value
    guesses, stand_pat = scratch[GUESSES], -INFINITY
    if depth <= 0 and not (game.has_noise and depth > -QUIESCENCE_PLIES and game.is_forced(state)):
        scratch[GUESSES] += 1  # so that nothing above takes this for certain
        stand_pat = side * context.evaluation(game, state)
        if not game.has_noise or stand_pat >= beta or depth <= -QUIESCENCE_PLIES:
            observer.horizon(state, stand_pat)
            observer.leave(stand_pat, NO_MOVE)
            return stand_pat

    # 2. Forward pruning, where the context allows it, in null windows among estimates. Who is above the window already
    # is hardly ever below it after the best move. Near the horizon a margin for each ply is enough; farther from it a
    # pass is tried before the moves (step 6). Both give a value among estimates and count as a guess: so neither an end
    # nor an entry that is SEEN rests on them, and what they can do is to hide an end.
    # `FOREVER // 2` tells a search to the end, which must leave nothing out, from a search to a depth.
    rest, may_pass = state, False
    is_selective = game.has_selective_search and context.is_selective() and ply > 0 and 0 < depth < FOREVER // 2
    among_estimates = beta - alpha == 1 and alpha > -ESTIMATES and beta < ESTIMATES
    if game.has_pass and is_selective and among_estimates:
        hope = side * context.evaluation(game, state)
        if hope >= beta:
            rest = game.pass_turn(state)
            may_pass = game.to_move(rest) != turn
            hope -= depth * game.unit_points
            if may_pass and depth <= REVERSE_FUTILITY_DEPTH and hope >= beta:
                scratch[GUESSES] += 1
                observer.horizon(state, hope)
                observer.leave(hope, NO_MOVE)
                return hope

    # 3. The moves, and what foresight tells. Candidates were looked two plies ahead by their game, with a few shifts:
    # none means lost in two plies; several, no win of either side in two: the mover then wins in three at the soonest,
    # the other in four, and the bounds of the value get narrower. A single one may win at once or be forced.
    require_end(ply)
    count = note_candidates(game, scratch, top, state) if ply > 0 else note_moves(game, scratch, top, state)
    if game.foresight and ply > 0:
        worst = final(low, prefer_shorter * (LONGEST if low > 0 else ply + 4))
        best = final(high, prefer_shorter * (LONGEST if high < 0 else ply + 3))
        if count == 0:
            worst = best = final(low, prefer_shorter * (ply + 2))
        if count != 1 and (best <= alpha or worst >= beta or best == worst):
            value = best if best <= alpha else worst
            observer.leave(value, NO_MOVE)
            return value
    if game.has_noise and stand_pat > -INFINITY:
        count = filter_noisy(game, scratch, top, count, state)
        if count == 0:
            observer.horizon(state, stand_pat)
            observer.leave(stand_pat, NO_MOVE)
            return stand_pat

    # 4. What the table knows, here or after a move; of a forced move it would know no more than of the next state.
    # An entry is believed if it saw as far as is asked now, or all there is (SEEN): then it is as good at any depth. A
    # bound is believed if it lies beyond the window, where all that is asked is on which side the value lies; it may be
    # another value than this search would find, never one on the other side. Values of ends are kept by how far off
    # they are from the entry's state, for the same state is reached at many plies.
    hint = NO_TAG
    if count > 1 and depth > 0:
        data = probe(table, state, state_hash)
        if data != NOTHING:
            hint = tag_of(data)
            if ply > 0 and depth_of(data) >= min(depth, ANY_DEPTH):
                value, kind = delay_end(value_of(data), prefer_shorter * ply), kind_of(data)
                if (kind & LOWER and value >= beta) or (kind & UPPER and value <= alpha) or kind == EXACT:
                    if depth_of(data) != ANY_DEPTH:
                        scratch[GUESSES] += 1
                    observer.leave(value, NO_MOVE)
                    return value

        # Some move may lead to a state that is known to refute: a look at all children costs less than a search of one
        # (enhanced transposition cutoff), where much of the tree is still below. One that comes again is worth another.
        if not game.repetition and 0 < ply < ENHANCED_CUTOFF_PLIES and depth >= LEAST_SHARED_DEPTH:
            for index in range(count):
                child, gain = child_after(game, state, scratch[top + 2 * index + 1], depth, prefer_shorter, ply)
                data = probe(table, child, hash_of(child))
                if data != NOTHING and depth_of(data) >= min(depth - 1, ANY_DEPTH):
                    value, passes = delay_end(value_of(data), prefer_shorter * (ply + 1)), game.to_move(child) != turn
                    value = (-value if passes else value) + gain
                    if kind_of(data) & (UPPER if passes else LOWER) and value >= beta:
                        if depth_of(data) != ANY_DEPTH:
                            scratch[GUESSES] += 1
                        observer.leave(value, NO_MOVE)
                        return value

    # 5. The order: the table's move, then by the game's hint, killers and history. A cutoff needs one good move only:
    # the sooner it is tried, the smaller the tree. The table's move was best here before; a killer has lately cut off
    # another state at this ply, often one move away from this state; history tells what has cut off anywhere.
    nodes = scratch[ENTERED]
    scratch[ENTERED] += 1
    # Moves are kept plus one in the killers, so that memory of zeros means none.
    killers = KILLERS + 2 * (ply & 255)
    first_killer, second_killer = scratch[killers], scratch[killers + 1]
    history = HISTORY + (turn << 11)
    if count > 1:
        for index in range(count):
            move = scratch[top + 2 * index + 1]
            if (
                ply >= SYMMETRY_PLIES and depth > 1
            ):  # this deep, a child is found quickly; its entry comes while others follow
                child, gain = child_after(game, state, move, depth, prefer_shorter, ply)
                prefetch_bucket(table, child, hash_of(child))
            score = game.order(state, move) * (1 << 24) + scratch[history + (move & 2047)]
            if move == first_killer - 1:
                score += MOST_HISTORY
            if move == second_killer - 1:
                score += MOST_HISTORY
            if move & TAG_MASK == hint:
                score = TABLE_MOVE
            place = top + 2 * index
            while place > top and scratch[place - 2] < score:
                scratch[place] = scratch[place - 2]
                scratch[place + 1] = scratch[place - 1]
                place -= 2
            scratch[place] = score
            scratch[place + 1] = move

    # 6. The search: the first move with the whole window, the others only asked whether they are better. With a good
    # order they are not, and a null window, with no value between its ends, proves that with the most cutoffs. One that
    # is better after all is searched again, with what is left of the window: rarely, so it pays.
    best, choice = stand_pat, NO_MOVE
    floor, alpha = alpha, max(alpha, stand_pat)
    known = True
    rests, others = 0, scratch[RESTS]
    together = scratch[SHARED] and ply < SHARED_MOVES_PLIES and depth >= LEAST_SHARED_DEPTH
    index, unasked, work = -1 if may_pass and depth > NULL_MOVE_REDUCTION else 0, count, 0
    reduces = game.late_move_reductions and is_selective and depth >= LEAST_REDUCED_DEPTH and count > FIRST_REDUCED_MOVE
    reduces = reduces and not (game.has_noise and game.is_forced(state))
    while index < count:
        if may_pass and index < 0:  # in the place of a move, because compiled code is larger for each call of itself
            move, child, gain, less = NO_MOVE, rest, 0, NULL_MOVE_REDUCTION
        else:
            move = scratch[top + 2 * index + 1]
            less = 1 if reduces and index >= FIRST_REDUCED_MOVE and not game.is_noisy(state, move) else 0
            child, gain = child_after(game, state, move, depth, prefer_shorter, ply)
            if together:
                work = mix(hash_of(child), depth)
                if 0 < index < unasked and is_claimed(table, work):  # put it off, once: behind all others
                    for place in range(top + 2 * index + 1, top + 2 * count - 1, 2):
                        scratch[place] = scratch[place + 2]
                    scratch[top + 2 * count - 1] = move
                    unasked -= 1
                    continue
                claim(table, work)
            if ply < TRAIL_PLIES:
                scratch[TRAIL + ply] = index << 32 | count
            observer.branch(move)
        before = scratch[GUESSES]
        if game.repetition:
            scratch[RESTS] = 0
        passes = game.to_move(child) != turn
        # A window without a value between its ends cannot be narrowed further.
        narrow = index > 0 and beta - alpha > 1
        while True:
            plies = depth - 1 - less
            left, right = alpha - gain, (alpha + 1 if narrow else beta) - gain
            if passes:
                left, right = -right, -left
            value = pvs(game, observer, context, child, plies, left, right, prefer_shorter, ply + 1, top + 2 * count)
            value = (-value if passes else value) + gain
            if index > 0 and less > 0 and value > alpha:
                less = 0
            elif narrow and alpha < value < beta:
                narrow = False
            else:
                break
        if may_pass and index < 0:
            if value >= beta:
                if game.repetition:
                    scratch[RESTS] = max(scratch[RESTS], others)
                scratch[GUESSES] += 1
                value = min(value, ESTIMATES - 1)
                observer.leave(value, NO_MOVE)
                return value
            scratch[GUESSES] = before  # what the pass has told does not enter the value
            index = 0
            continue
        if together:
            release(table, work)
        if game.repetition:  # of a move that refutes, what the others rest on does not matter
            rests = scratch[RESTS] if max(value, alpha) >= beta else max(rests, scratch[RESTS])
        if value > best:
            best, choice = value, move
            if ply == 0:
                scratch[ROOT_MOVE] = move
            if value > alpha:
                alpha = value
        if alpha >= beta:
            if index + 1 < count:
                observer.cut(move, value)
            known = scratch[GUESSES] == before  # one move refutes: what the others rest on does not matter
            if depth <= 0:
                break
            if move != first_killer - 1:
                scratch[killers + 1] = first_killer
                scratch[killers] = move + 1
            weight = min(depth, 32)
            at = history + (move & 2047)
            # Towards the most by a share that grows with the depth, at most a 32nd, and back towards 0 for moves that
            # failed: the sums stay within bounds by themselves and need no halving of all (history gravity, as in
            # Stockfish).
            scratch[at] += (MOST_HISTORY - scratch[at]) * weight >> 10
            for earlier in range(index):  # these were tried first and did not refute
                at = history + (scratch[top + 2 * earlier + 1] & 2047)
                scratch[at] -= scratch[at] * weight >> 10
            break
        index += 1

    # 7. What the table shall know: a bound or the value, and how far was seen. It is known for good if no static
    # evaluation has entered it: for a lower bound, below the move that reached it; else below any move.
    kind = LOWER if best >= beta else UPPER if best <= floor else EXACT
    if best < beta:
        known = scratch[GUESSES] == guesses
    if not known and kind & LOWER and best >= ESTIMATES:  # a win that is forced is forced, whatever was not seen
        kind, known = LOWER, True
    elif not known and kind & UPPER and best <= -ESTIMATES:
        kind, known = UPPER, True
    if game.repetition:
        if rests <= RESTS_ON_ROOT - ply:  # on no state above this one: so it is true on every line
            rests = 0
        scratch[RESTS] = max(rests, others)
    if count > 1 and depth > 0 and game.repetition and rests:
        store(
            table, state, state_hash, pack(0, EXACT, 0, choice, scratch[ENTERED] - nodes)
        )  # no search asks for a depth of 0
    elif count > 1 and depth > 0:
        work = scratch[ENTERED] - nodes
        store(
            table,
            state,
            state_hash,
            pack(
                delay_end(best, -prefer_shorter * ply),
                kind,
                ANY_DEPTH if known else min(depth, ANY_DEPTH - 1),
                choice,
                work,
            ),
        )
    observer.leave(best, choice)
    return best


def note_moves(game: Game[State], scratch: Memory, top: int, state: State) -> int:
    """Write the legal moves to `scratch` from `top` on, in the second of two places each; return their number."""
    count = 0
    for move in game.moves(state):
        require_room(top + 2 * count + 2, SCRATCH)
        scratch[top + 2 * count + 1] = move
        count += 1
    return count


def note_candidates(game: Game[State], scratch: Memory, top: int, state: State) -> int:
    """Write the candidates likewise. A loop of its own: compiled, a loop takes its moves from one generator only."""
    count = 0
    for move in game.candidates(state):
        require_room(top + 2 * count + 2, SCRATCH)
        scratch[top + 2 * count + 1] = move
        count += 1
    return count


def filter_noisy(game: Game[State], scratch: Memory, top: int, count: int, state: State) -> int:
    """Keep only the noisy ones of the moves noted; return their number."""
    kept = 0
    for index in range(count):
        move = scratch[top + 2 * index + 1]
        if game.is_noisy(state, move):
            scratch[top + 2 * kept + 1] = move
            kept += 1
    return kept


def child_after(
    game: Game[State], state: State, move: int, depth: int, prefer_shorter: int, ply: int
) -> tuple[State, int]:
    """State after a move as it is searched and stored, and the value settled by it for the player who makes it."""
    child, gain = game.play(state, move), 0
    if game.repetition:  # another state that is worth the same has not come again
        return child, gain
    # Near the root a symmetric state saves a whole subtree; the canonical form of every child deeper down costs more
    # than it finds.
    if ply < SYMMETRY_PLIES:
        child = game.canonical(child)
    # Only where neither a depth nor a distance is asked for: what is left out of the state would count for both.
    if depth > FOREVER // 2 and prefer_shorter == 0:
        child, settled = game.split_settled(child)
        gain = settled * FINAL if game.to_move(state) == MAX else -settled * FINAL
    return child, gain


def delay_end(value: int, plies: int) -> int:
    """Value with its end moved `plies` plies farther away, negative for nearer; an estimate stays as it is."""
    # Only ends have a distance; an estimate is worth the same at any ply.
    if value >= ESTIMATES:
        return value - plies
    if value <= -ESTIMATES:
        return value + plies
    return value


def principal_variation(table: int = PLAYING) -> Algorithm:
    """Record of principal variation search with a transposition table of `table` mebibytes."""

    def room(query: Query) -> Mapping[str, Any]:
        entries = entries_in(query.state, table) if query.entries is None else query.entries
        return {
            "context": new_search_context(query.game, query.state, new_table(query.state, entries), query.ends),
            "top": STACK,
        }

    title = "principal variation search, with a table"
    return Algorithm("pvs", title, pvs, room=room, answer=_answer_of_run, looks_back=True, is_selective=False)


def _answer_of_run(run: Run) -> Answer:
    query, scratch = run.query, run.named["context"].scratch
    scratch[ROOT_MOVE] = NO_MOVE
    side = 1 if query.game.to_move(query.state) == MAX else -1
    return Answer(score_query(query, side * run(), scratch[GUESSES] == 0), scratch[ROOT_MOVE])
