"""Proof-number search: whether a player can force a win, by the line easiest to prove or disprove.

Depth-first proof-number search, df-pn, after Nagai (2002) and Kishimoto, Winands, Müller and Saito, "Game-tree search
using proof numbers" (2012): a node's proof number is how many leaves must at least be won to win it, its disproof
number how many must be refuted. Thresholds keep the search where it is until another line has become easier, and a
little longer (the 1 + ε of Pawlewicz and Lew, 2007), so that one path and a table are all the memory it needs.

It is for games where no state can come again: in others df-pn needs more than is done here (Kishimoto and Müller,
2004).
"""

from collections.abc import Mapping
from typing import Any, Final

from plyground.errors import BadInput, GameFault
from plyground.rules import MAX, NO_MOVE, ONGOING, Game, State
from plyground.search.algorithm import Algorithm, Answer, Query, Run, winner_score
from plyground.search.context import ENTERED, SCRATCH, STACK, SearchContext, new_context
from plyground.search.limits import require_end, require_room
from plyground.search.observer import Observer
from plyground.search.pvs import SYMMETRY_PLIES
from plyground.search.table import NOTHING, PLAYING, entries_in, hash_of, new_table, probe, store, work_bits

# Two numbers of 28 bits in one int leave the bits that `table.py` has for the work: 57 to mark an entry as stored, 59
# to 62.
NEVER: Final = 1 << 27
"""A number no sum of leaves reaches: the proof number of what cannot be proved."""
_BITS: Final = 28
_MASK: Final = (1 << _BITS) - 1


class Undecided(GameFault):
    """More leaves than can be counted."""

    def __str__(self) -> str:
        return f"A proof would have to look at more than {NEVER:,} ends of this game: it cannot tell who wins."


class Cycles(BadInput):
    """A game whose states can come again."""

    def __init__(self) -> None:
        super().__init__(
            "Proof-number search cannot tell who wins where states can come again: what it keeps of a state would "
            "depend on those before; solve and pvs know how to."
        )


def pack_numbers(proof: int, disproof: int) -> int:
    """Proof and disproof number in one int."""
    return proof | disproof << _BITS


def proof_of(both: int) -> int:
    """Proof number: leaves that must at least be won."""
    return both & _MASK


def disproof_of(both: int) -> int:
    """Disproof number: leaves that must at least be refuted."""
    return both >> _BITS & _MASK


def initial_numbers(game: Game[State], state: State, player: int) -> int:
    """Initial proof and disproof number of a state, for the player whose win is to be proved.

    Exact for a finished state and one whose bounds decide. Else initialised by mobility (Allis, "Searching for
    solutions in games and artificial intelligence", 1994): the side to move needs one of its moves, the other an answer
    to each.
    """
    side = 1 if player == MAX else -1
    utility = game.outcome(state)
    if utility != ONGOING:
        return pack_numbers(0, NEVER) if utility * side > 0 else pack_numbers(NEVER, 0)
    low, high = game.bounds(state)
    if player != MAX:
        low, high = -high, -low
    if low > 0:
        return pack_numbers(0, NEVER)
    if high <= 0:
        return pack_numbers(NEVER, 0)
    count = 0
    for _ in game.candidates(state):
        count += 1
    if game.to_move(state) == player:
        return pack_numbers(1, count) if count else pack_numbers(NEVER, 0)  # no candidate: every move loses at once
    # The roles are exchanged at a node of the other player: that player needs one refutation, this one an answer to
    # each.
    return pack_numbers(count, 1) if count else pack_numbers(0, NEVER)


def reduced_child(game: Game[State], state: State, move: int, ply: int) -> State:
    """State after a move, or a smaller one that the same player wins.

    Reduced by `split_settled` where that is worth 0; before ply `SYMMETRY_PLIES` its representative under symmetry.
    """
    child = game.play(state, move)
    bare, worth = game.split_settled(child)
    # Only a settled part that is worth nothing can be left out: the question is who wins, not by how much, and another
    # worth would shift the answer.
    if worth == 0:
        child = bare
    return game.canonical(child) if ply < SYMMETRY_PLIES else child


def proof(
    game: Game[State],
    observer: Observer,
    context: SearchContext,
    state: State,
    player: int,
    most: int,
    least: int,
    ply: int,
    top: int,
) -> int:
    """Search until a state's proof number reaches `most`, or its disproof number `least`, or it is decided.

    Args:
        game, observer, state, ply: as for `minimax`.
        context: a table used for nothing but this question, and scratch memory.
        player: who is to win, 0 or 1.
        most, least: thresholds; `NEVER` at the root, which then is decided.
        top: the first free place of the scratch memory; `pvs.STACK` at the root.

    Returns:
        Both numbers (`pack_numbers`). Proof 0: the player can force a win; disproof 0: the other can prevent it.
    """
    observer.enter(state, 0, ply, 0, 0)
    scratch = context.scratch
    if ply == 0:
        here = initial_numbers(game, state, player)
        # At ply 0 alone: every other node is entered only because it is undecided in its parent's memory.
        if proof_of(here) == 0 or disproof_of(here) == 0:
            return here
    mine = game.to_move(state) == player
    require_end(ply)
    nodes = scratch[ENTERED]
    scratch[ENTERED] += 1
    count = 0
    for move in game.candidates(state):
        child = reduced_child(game, state, move, ply)
        # The table is asked once for each child, and its numbers are kept in the scratch from then on: an entry may be
        # lost to another one while the search is below.
        data = probe(context.table, child, hash_of(child))
        place = top + 2 * count
        require_room(place + 2, SCRATCH)
        scratch[place] = move
        scratch[place + 1] = data if data != NOTHING else initial_numbers(game, child, player)
        count += 1
    while True:
        # The side to move picks one child, so of its number the least counts; of the other number it must beat all.
        total, least_one, second, choice = 0, NEVER, NEVER, 0
        for index in range(count):
            both = scratch[top + 2 * index + 1]
            pick, beat = (proof_of(both), disproof_of(both)) if mine else (disproof_of(both), proof_of(both))
            # A sum counts a state that is reached in two ways twice; that makes numbers too large, never a proof wrong.
            total = min(total + beat, NEVER)
            if pick < least_one:
                least_one, second, choice = pick, least_one, index
            elif pick < second:
                second = pick
        here = pack_numbers(least_one, total) if mine else pack_numbers(total, least_one)
        pick_most, beat_most = (most, least) if mine else (least, most)
        if least_one >= pick_most or total >= beat_most or least_one == 0 or total == 0:
            break
        move, both = scratch[top + 2 * choice], scratch[top + 2 * choice + 1]
        child = reduced_child(game, state, move, ply)
        beat = disproof_of(both) if mine else proof_of(both)
        # The child is searched until it is no longer the best one, or this node's thresholds are reached. A quarter
        # beyond the second keeps two near children from being begun anew in turns.
        pick_next = min(pick_most, second + (second >> 2) + 1)
        beat_next = min(beat_most - total + beat, NEVER)
        below = (pick_next, beat_next) if mine else (beat_next, pick_next)
        answer = proof(game, observer, context, child, player, below[0], below[1], ply + 1, top + 2 * count)
        scratch[top + 2 * choice + 1] = answer
    # Kept also when undecided: the parent comes back with higher thresholds, and goes on from the children's numbers.
    store(context.table, state, hash_of(state), here | 1 << 57 | work_bits(scratch[ENTERED] - nodes))
    return here


def proof_number(table: int = PLAYING) -> Algorithm:
    """The record of this search, with a table of this many mebibytes for each question."""

    def context(state: Any, entries: int | None = None) -> SearchContext:
        return new_context(new_table(state, entries_in(state, table) if entries is None else entries))

    def room(query: Query) -> Mapping[str, Any]:
        if query.game.repetition:  # asked before anything is compiled
            raise Cycles
        mover = query.game.to_move(query.state)
        # A table of one entry: this context is for compiling only, and each question below gets a table of its own,
        # since numbers of two questions may not meet.
        return {"context": context(query.state, 1), "player": mover, "most": NEVER, "least": NEVER, "top": STACK}

    def answer(run: Run) -> Answer:
        """Answer from two questions: can the player to move force a win, and if not, can the other?"""
        game, state = run.query.game, run.query.state
        mover = game.to_move(state)

        def wins(state: Any, player: int) -> bool:
            both = run(context=context(state), state=state, player=player)
            if proof_of(both) and disproof_of(both):
                raise Undecided
            return proof_of(both) == 0

        worth = 1 if wins(state, mover) else -1 if wins(state, 1 - mover) else 0

        def is_best(child: Any) -> bool:
            return wins(child, mover) if worth == 1 else worth < 0 or not wins(child, 1 - mover)

        moves = game.moves(state) if game.outcome(state) == ONGOING else ()
        # The tables of the questions above are gone, so each child is asked anew.
        best = next((move for move in moves if is_best(game.play(state, move))), NO_MOVE)
        return Answer(winner_score(run.query, worth if mover == MAX else -worth), best)

    return Algorithm(
        "proof", "proof-number search", proof, room=room, answer=answer, looks_back=True, is_selective=False
    )
