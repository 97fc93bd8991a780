"""The laws of the rules, state by state and of a whole game: whose turn it is, the moves, and how a game ends."""

import random
from collections.abc import Iterator
from typing import Any

from plyground.laws.asking import AnyState, Asked, Broken, few, require
from plyground.rules import LONGEST, MOST_MOVES, ONGOING

LARGEST_UTILITY = 1 << 16
LARGEST_MOVE = 1 << 31


def random_game(ask: Asked, chance: random.Random) -> Iterator[AnyState]:
    """The states of one random game, first to last, with what can only be told of a whole game."""
    state = ask.state("initial")
    require(state == ask("initial"), "initial", "initial gives a different state each time")
    _law_of_outcome(ask, state)
    require(ask("outcome", state) == ONGOING, "initial", f"initial gives {state}, where the game is over already")
    came: dict[AnyState, int] = {}
    line: list[int] = []
    bounds = []
    listed = 0
    for ply in range(LONGEST + 1):
        if state in came:
            again = few(line[came[state] :])
            said = f"outcome lets a game come back to state {state} by the moves {again}, so it need never end"
            raise Broken("outcome", f"{said}: count moves in the state, and end the game at a number of them")
        came[state] = ply
        yield state
        bounds.append((state, ask("bounds", state)))
        _law_of_outcome(ask, state)
        utility = ask("outcome", state)
        if utility != ONGOING:
            _law_of_bounds(bounds, utility)
            return
        moves = ask.legal(state)
        require(bool(moves), "moves", f"moves gives none in the unfinished state {state}")
        listed += len(moves)
        if listed > MOST_MOVES:
            said = f"a search has room for {MOST_MOVES:,} moves of one line, and the states of a game here have more"
            ask.notes[f"{said}: it cannot look to the end"] = None
        line.append(chance.choice(moves))
        state = ask.state("play", state, line[-1])
    raise Broken("outcome", f"outcome lets a game go on for more than {LONGEST:,} plies: it must end by then")


def _law_of_bounds(bounds: list[tuple[AnyState, Any]], utility: Any) -> None:
    """The bounds of each state of a game that ended so."""
    for earlier, given in bounds:
        try:
            low, high = given
            holds = bool(low <= utility <= high)
        except (TypeError, ValueError):
            raise Broken(
                "bounds", f"bounds gives {given!r} in state {earlier}: a lowest and a highest utility"
            ) from None
        said = f"bounds says {low} to {high} in state {earlier}, but a game from there ended with {utility}"
        require(holds, "bounds", f"{said}: define bounds(self, state) to say how far it can go")


def _law_of_to_move(ask: Asked, state: AnyState) -> None:
    player = ask("to_move", state)
    said = f"to_move gives {player!r} in state {state}: 0 or 1 is to move"
    require(type(player) is int and player in (0, 1), "to_move", said)


def _law_of_outcome(ask: Asked, state: AnyState) -> None:
    utility = ask("outcome", state)
    missing = "; is there a return on every path?" if utility is None else ""
    said = f"outcome gives {utility!r} in state {state}: ONGOING, or an int within ±{LARGEST_UTILITY}{missing}"
    require(type(utility) is int and (utility == ONGOING or abs(utility) <= LARGEST_UTILITY), "outcome", said)
    again = ask("outcome", state)
    require(again == utility, "outcome", f"outcome changes its answer in state {state}: {utility}, then {again}")


def _law_of_moves(ask: Asked, state: AnyState) -> None:
    if ask("outcome", state) != ONGOING:
        return
    moves = ask("moves", state)
    require(bool(moves), "moves", f"moves gives none in the unfinished state {state}")
    odd = [move for move in moves if type(move) is not int or not 0 <= move < LARGEST_MOVE]
    require(not odd, "moves", f"moves gives {odd[:1]} in state {state}: a move is an int from 0 below 2**31")
    said = f"moves gives the same move twice in state {state}: {few(moves)}"
    require(len(set(moves)) == len(moves), "moves", said)
    again = ask("moves", state)
    said = f"moves changes its answer in state {state}: {few(moves)}, then {few(again)}"
    require(again == moves, "moves", said)


def _law_of_play(ask: Asked, state: AnyState) -> None:
    for move in ask.some_legal(state):
        before = tuple(state)
        after = ask.state("play", state, move)
        require(tuple(state) == before, "play", f"play changes the old state: move {move} in state {before}")
        again = ask("play", state, move)
        require(after == again, "play", f"play gives two states for move {move} in state {state}: {after}, {again}")


LAWS = [_law_of_to_move, _law_of_outcome, _law_of_moves, _law_of_play]
"""Of one state."""
