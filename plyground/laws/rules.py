"""Laws of the rules, for one state and for a whole game: turns, moves, and how a game ends."""

import random
from collections.abc import Iterator
from typing import Any

from plyground.faults import place_of_definition
from plyground.laws.asking import AnyState, BrokenLaw, CheckedGame, list_text, require
from plyground.rules import LONGEST, MOST_MOVES, ONGOING

# Times `score.FINAL`, 2**20, utilities stay below `INFINITY`, 2**40.
LARGEST_UTILITY = 1 << 16
LARGEST_MOVE = 1 << 31


def random_game(ask: CheckedGame, chance: random.Random) -> Iterator[AnyState]:
    """Yield the states of one random game, first to last, and check the laws of a whole game."""
    state = ask.state("initial")
    # The rule is asked twice, as each is: an answer that depends on chance, or on a call before, shows itself so.
    require(state == ask("initial"), "initial", "initial gives a different state each time")
    _law_of_outcome(ask, state)
    require(ask("outcome", state) == ONGOING, "initial", f"initial gives {state}, where the game is over already")
    times = _law_of_repetition(ask)
    came: dict[AnyState, list[int]] = {}
    line: list[int] = []
    bounds = []
    listed = 0
    for ply in range(LONGEST + 1):
        plies = came.setdefault(ask.state("repetition_key", state) if times else state, [])
        # A state that comes again is a proof that the game need not end: the moves between may be played for ever.
        if plies and not times:
            again = list_text(line[plies[0] :])
            said = f"outcome lets a game come back to state {state} by the moves {again}, so it need never end"
            right = "repetition = 2 says that this ends it; or count moves in the state, and end it at a number of them"
            raise BrokenLaw("outcome", f"{said}: {right}")
        plies.append(ply)
        yield state
        # Bounds are kept until the end of the game is known, whose utility the bounds of every state before have to
        # allow.
        bounds.append((state, ask("bounds", state)))
        _law_of_outcome(ask, state)
        utility = ask("outcome", state)
        # Repetition counts only where the rules alone let the game go on, as for the referee.
        if utility == ONGOING and len(plies) == times:
            _law_of_repetition_value(ask, state)
            utility = ask("repetition_value", state)
        if utility != ONGOING:
            _law_of_bounds(bounds, utility)
            return
        moves = ask.legal(state)
        _require_moves(ask, state, moves)
        listed += len(moves)
        if listed > MOST_MOVES:
            said = f"a search has room for {MOST_MOVES:,} moves of one line, and the states of a game here have more"
            ask.notes[f"{said}: it cannot look to the end"] = None
        line.append(chance.choice(moves))
        state = ask.state("play", state, line[-1])
    raise BrokenLaw("outcome", f"outcome lets a game go on for more than {LONGEST:,} plies: it must end by then")


def _law_of_bounds(bounds: list[tuple[AnyState, Any]], utility: Any) -> None:
    """Check the bounds of each state of a game that ended with this utility."""
    for earlier, given in bounds:
        try:
            low, high = given
            holds = bool(low <= utility <= high)
        except (TypeError, ValueError):
            raise BrokenLaw(
                "bounds", f"bounds gives {given!r} in state {earlier}: a lowest and a highest utility"
            ) from None
        said = f"bounds says {low} to {high} in state {earlier}, but a game from there ended with {utility}"
        require(holds, "bounds", f"{said}: define bounds(self, state) to say how far it can go")


def _law_of_repetition(ask: CheckedGame) -> int:
    """Check `repetition`; return how often a state must occur to end the game by it, 0 if no state can repeat."""
    times = ask.game.repetition
    said = f"repetition is {times!r}: 0 where no state can come again, else how many times it comes, 2 or more"
    require(type(times) is int and (times == 0 or times >= 2), "repetition", said)
    said = "candidates with foresight, in a game that can end by repetition, which foresight does not see"
    require(not (times and ask.game.foresight), "candidates", said)
    return int(times)


def _law_of_to_move(ask: CheckedGame, state: AnyState) -> None:
    player = ask("to_move", state)
    said = f"to_move gives {player!r} in state {state}: 0 or 1 is to move"
    require(type(player) is int and player in (0, 1), "to_move", said)


def _law_of_outcome(ask: CheckedGame, state: AnyState) -> None:
    utility = ask("outcome", state)
    missing = "; is there a return on every path?" if utility is None else ""
    said = f"outcome gives {utility!r} in state {state}: ONGOING, or an int within ±{LARGEST_UTILITY}{missing}"
    require(type(utility) is int and (utility == ONGOING or abs(utility) <= LARGEST_UTILITY), "outcome", said)
    said = f"outcome is 0 in state {state}, a draw, and draws says that there is none"
    require(ask.game.draws or utility != 0, "draws", said)
    again = ask("outcome", state)
    require(again == utility, "outcome", f"outcome changes its answer in state {state}: {utility}, then {again}")


def _law_of_moves(ask: CheckedGame, state: AnyState) -> None:
    if ask("outcome", state) != ONGOING:
        return
    moves = ask("moves", state)
    _require_moves(ask, state, moves)
    odd = [move for move in moves if type(move) is not int or not 0 <= move < LARGEST_MOVE]
    require(not odd, "moves", f"moves gives {odd[:1]} in state {state}: a move is an int from 0 below 2**31")
    said = f"moves gives the same move twice in state {state}: {list_text(moves)}"
    require(len(set(moves)) == len(moves), "moves", said)
    again = ask("moves", state)
    said = f"moves changes its answer in state {state}: {list_text(moves)}, then {list_text(again)}"
    require(again == moves, "moves", said)


def _require_moves(ask: CheckedGame, state: AnyState, moves: list[int]) -> None:
    """Require a move where the game goes on. After the first state the likely fault is an end that `outcome` misses."""
    if not moves and state == ask("initial"):
        raise BrokenLaw("moves", f"moves gives none in the first state, {state}")
    said = f"outcome says that the game goes on in state {state}, where moves gives none"
    listed = place_of_definition(ask.game, "moves")
    right = f"return who has won, or 0 for a draw; or is a move missing in moves{f' ({listed})' if listed else ''}?"
    require(bool(moves), "outcome", f"{said}: {right}")


def _law_of_play(ask: CheckedGame, state: AnyState) -> None:
    for move in ask.some_legal(state):
        before = tuple(state)
        after = ask.state("play", state, move)
        require(tuple(state) == before, "play", f"play changes the old state: move {move} in state {before}")
        again = ask("play", state, move)
        require(after == again, "play", f"play gives two states for move {move} in state {state}: {after}, {again}")


def _law_of_repetition_value(ask: CheckedGame, state: AnyState) -> None:
    if not ask.game.repetition or ask("outcome", state) != ONGOING:
        return
    utility = ask("repetition_value", state)
    said = f"repetition_value gives {utility!r} in state {state}: an int within ±{LARGEST_UTILITY}"
    require(type(utility) is int and abs(utility) <= LARGEST_UTILITY, "repetition_value", said)
    said = (
        f"repetition_value gives {utility} in state {state}, where repetition is {ask.game.repetition}: above 2 it is 0"
    )
    require(utility == 0 or ask.game.repetition == 2, "repetition_value", said)


def _law_of_repetition_key(ask: CheckedGame, state: AnyState) -> None:
    if not ask.game.repetition:
        return
    same = ask.state("repetition_key", state)
    said = f"repetition_key of repetition_key of {state} is another state"
    require(ask("repetition_key", same) == same, "repetition_key", said)
    if ask("outcome", state) == ask("outcome", same) == ONGOING:
        for question in ("to_move", "moves"):
            left, right = ask(question, state), ask(question, same)
            said = f"repetition_key turns {state} into {same}, where {question} is {right}, not {left}"
            require(left == right, "repetition_key", said)


RULE_LAWS = [
    _law_of_to_move,
    _law_of_outcome,
    _law_of_moves,
    _law_of_play,
    _law_of_repetition_value,
    _law_of_repetition_key,
]
"""Laws of the rules in one state, in an order in which each rests on those before it."""
