"""Laws of static evaluations and hints, which may make a search better or faster but never wrong."""

from plyground.laws.asking import AnyState, BrokenLaw, CheckedGame, LawsTimedOut, list_text, require
from plyground.rules import LONGEST, MAX, MOST_TIERS, ONGOING
from plyground.score import ESTIMATES
from plyground.search.observer import Silent, Stopped
from plyground.search.perft import perft
from plyground.timeouts import TimeExceeded

COUNTED_AT_MOST = 2_000
"""Most nodes counted to compare two states that are the same under symmetry."""
CHANCES = tuple(((1 << 32) - 1) * step // 11 for step in range(12))
"""Random numbers of 32 bits for `pick`: the smallest, the largest and ten between."""
MOST_MOVES_FOR_ALL_CHANCES = 200
"""Most moves of a state in which `pick` is asked with all of `CHANCES`: most games list their moves each time."""
FEW_CHANCES = (CHANCES[0], CHANCES[5], CHANCES[-1])


def _law_of_evaluate(ask: CheckedGame, state: AnyState) -> None:
    if ask("outcome", state) == ONGOING:
        value = ask("evaluate", state)
        said = f"evaluate gives {value!r} in state {state}: an int within ±{ESTIMATES - 1}"
        require(type(value) is int and abs(value) < ESTIMATES, "evaluate", said)
        again = ask("evaluate", state)
        said = f"evaluate changes its answer in state {state}: {value}, then {again}"
        require(value == again, "evaluate", said)


def _law_of_explain(ask: CheckedGame, state: AnyState) -> None:
    if ask("outcome", state) == ONGOING:
        parts = ask("explain", state)
        try:
            total = sum(worth for words, worth in parts if isinstance(words, str))
        except (TypeError, ValueError):
            raise BrokenLaw("explain", f"explain gives {parts!r} in state {state}: pairs of words and an int") from None
        value = ask("evaluate", state)
        said = f"explain gives parts that sum to {total} in state {state}, where evaluate is {value}"
        require(total == value, "explain", said)


def _law_of_order(ask: CheckedGame, state: AnyState) -> None:
    for move in ask.some_legal(state):
        worth = ask("order", state, move)
        said = f"order gives {worth!r} for move {move} in state {state}: an int of at most 64 bits"
        require(type(worth) is int and -(1 << 63) <= worth < 1 << 63, "order", said)


def _law_of_is_noisy(ask: CheckedGame, state: AnyState) -> None:
    for move in ask.some_legal(state):
        _require_bool(ask, "is_noisy", state, move)


def _law_of_is_forced(ask: CheckedGame, state: AnyState) -> None:
    if ask("outcome", state) == ONGOING:
        _require_bool(ask, "is_forced", state)


def _law_of_pass_turn(ask: CheckedGame, state: AnyState) -> None:
    if ask.game.has_pass and ask("outcome", state) == ONGOING:
        rest, turn = ask.state("pass_turn", state), ask("to_move", state)
        said = f"pass_turn turns {state} into {rest}: the state itself, or one with the other player to move"
        require(rest == state or ask("to_move", rest) != turn, "pass_turn", said)
        again = ask.state("pass_turn", state)
        require(rest == again, "pass_turn", f"pass_turn changes its answer in state {state}: {rest}, then {again}")


def _require_bool(ask: CheckedGame, question: str, *args: object) -> None:
    given = ask(question, *args)
    where = f"in state {args[0]}" if len(args) == 1 else f"for move {args[1]} in state {args[0]}"
    require(type(given) is bool, question, f"{question} gives {given!r} {where}: True or False")
    again = ask(question, *args)
    require(again is given, question, f"{question} changes its answer {where}: {given}, then {again}")


def _law_of_candidates(ask: CheckedGame, state: AnyState) -> None:
    legal = ask.legal(state)
    if not legal:
        return
    given, foresight = ask("candidates", state), ask.game.foresight
    require(foresight in (0, 2), "candidates", f"foresight is {foresight!r}: 0 or 2")
    low, high = ask("bounds", state)
    # A win at once is one of the largest utility that the bounds allow; a smaller margin leaves something to search
    # for.
    most, least = (high, low) if ask("to_move", state) == MAX else (low, high)
    # With foresight the law is strict in both directions, because a search concludes from what is left out: no
    # candidate at all is a loss in two plies.
    wins = [move for move in legal if foresight and _wins_at_once(ask, state, move, most)]
    if wins:
        said = f"candidates gives {list_text(given)} in state {state}, where one of {list_text(wins)} wins at once"
        require(len(given) == 1 and given[0] in wins, "candidates", f"{said}: that one alone")
        return
    members = set(given)
    said = f"candidates gives {list_text(given)} in state {state}: legal moves in the order of {list_text(legal)}"
    require([move for move in legal if move in members] == given, "candidates", said)
    for move in ask.some_legal(state):
        after = ask("play", state, move)
        if foresight:
            _require_alternation(ask, state, move, after)
        # A candidate is a move after which the other player cannot win at once, and every such move is one.
        right = not (foresight and any(_wins_at_once(ask, after, reply, least) for reply in ask.legal(after)))
        word = "gives" if move in members else "leaves out"
        said = f"candidates {word} move {move} in state {state}, against a foresight of {foresight}"
        require((move in members) == right, "candidates", said)


def _wins_at_once(ask: CheckedGame, state: AnyState, move: int, utility: int) -> bool:
    """Whether a move ends the game at once with this utility, and is a win of the player who makes it."""
    side = 1 if ask("to_move", state) == MAX else -1
    return side * utility > 0 and bool(ask("outcome", ask("play", state, move)) == utility)


def _require_alternation(ask: CheckedGame, state: AnyState, move: int, after: AnyState) -> None:
    """Require what foresight relies on: the turn passes, and no player loses at once by their own move."""
    utility, turn = ask("outcome", after), ask("to_move", state)
    said = f"candidates with foresight, in a game where move {move} in state {state} does not pass the turn"
    require(utility != ONGOING or ask("to_move", after) != turn, "candidates", said)
    said = f"candidates with foresight, in a game where who makes move {move} in state {state} loses by it at once"
    require(utility == ONGOING or (utility if turn == MAX else -utility) >= 0, "candidates", said)


def _law_of_split_settled(ask: CheckedGame, state: AnyState) -> None:
    try:
        smaller, worth = ask.state("split_settled", state)
    except (TypeError, ValueError):
        raise BrokenLaw(
            "split_settled", f"split_settled gives no pair in state {state}: a state, and the utility taken"
        ) from None
    if smaller == state:
        require(worth == 0, "split_settled", f"split_settled takes {worth} from state {state} and leaves it as it is")
        return
    # The two states must play on alike: the same moves and turns to the end, and utilities a constant apart. Three
    # games are played on: always the first move, the last one, the second one.
    for place in (0, -1, 1):
        left, right = state, smaller
        for _ in range(LONGEST):
            moves, same = (ask("moves", each) if ask("outcome", each) == ONGOING else [] for each in (left, right))
            later = f"later one has moves {list_text(moves)}, the other {list_text(same)}"
            said = f"split_settled turns {state} into {smaller}; {later}"
            require(moves == same and ask("to_move", left) == ask("to_move", right), "split_settled", said)
            if not moves:
                break
            move = moves[min(place, len(moves) - 1)]
            left, right = ask("play", left, move), ask("play", right, move)
        ends = ask("outcome", left), ask("outcome", right)
        said = f"split_settled takes {worth} from state {state}, but games from it and from {smaller} end with {ends}"
        require(ends[1] != ONGOING and ends[0] == ends[1] + worth, "split_settled", said)


def _law_of_tier(ask: CheckedGame, state: AnyState) -> None:
    tier = ask("tier", state)
    require(type(tier) is int, "tier", f"tier gives {tier!r} in state {state}: an int")
    for question in ("canonical", "repetition_key"):
        if question == "canonical" or (ask.game.repetition and ask("outcome", state) == ONGOING):
            # Tablebases are made tier by tier, so what stands for a state must be in its tier.
            same = ask("tier", ask.state(question, state))
            said = f"tier gives {tier} in state {state}, and {same} in its {question}: they have one tier"
            require(same == tier, "tier", said)
    for move in ask.some_legal(state):
        after = ask("tier", ask.state("play", state, move))
        said = f"tier gives {tier} in state {state}, and {after} after move {move}: a move raises it by"
        require(0 <= after - tier < MOST_TIERS, "tier", f"{said} 0 to {MOST_TIERS - 1:,}")


def chances_for(ask: CheckedGame, state: AnyState) -> tuple[int, ...]:
    """Random numbers with which `pick` is called in a state."""
    if len(ask.legal(state)) <= MOST_MOVES_FOR_ALL_CHANCES:
        return CHANCES
    few_of_all = f"{len(FEW_CHANCES)} random numbers, not for {len(CHANCES)}"
    ask.notes[f"in states with more than {MOST_MOVES_FOR_ALL_CHANCES} moves, pick was asked for {few_of_all}"] = None
    return FEW_CHANCES


def _law_of_pick(ask: CheckedGame, state: AnyState) -> None:
    legal = ask.legal(state)
    for chance in chances_for(ask, state) if legal else ():
        # The law names the move, so that a game that counts bits plays the same random games as one that lists them.
        move, right = ask("pick", state, chance), legal[chance * len(legal) >> 32]
        said = f"pick gives {move!r} in state {state} for {chance}, which is the place of {right} in {list_text(legal)}"
        require(move == right, "pick", said)


def _law_of_canonical(ask: CheckedGame, state: AnyState) -> None:
    same = ask.state("canonical", state)
    require(ask("canonical", same) == same, "canonical", f"canonical of canonical of {state} is another state")
    # A symmetry must keep the facts of the state, what follows it, and the numbers of games: these are tested in turn,
    # from the cheapest on.
    for question in ("to_move", "outcome", "bounds"):
        left, right = ask(question, state), ask(question, same)
        said = f"canonical turns {state} into {same}, where {question} is {right}, not {left}"
        require(left == right, "canonical", said)
    if same != state:
        if ask.game.canonical_is_complete:
            after, others = (
                {ask("canonical", ask("play", each, move)) for move in ask.legal(each)} for each in (state, same)
            )
            said = f"canonical turns {state} into {same}, and what follows them into different states"
            require(after == others, "canonical", f"{said}: leave canonical_is_complete at False")
        # Perft to two plies: a wrong symmetry mostly changes it, and no list of moves has to be matched.
        for depth in (1, 2):
            left, right = (_count_games(ask, each, depth) for each in (state, same))
            said = f"canonical turns {state} into {same}, which has {right} games of {depth} plies, not {left}"
            require(left == right, "canonical", said)


def _count_games(ask: CheckedGame, state: AnyState, depth: int) -> int:
    """Number of games of `depth` plies; -1 if there are too many to count."""
    try:
        return ask.time_limit(perft, ask.game, _LimitedObserver(ask), state, depth, 0)
    except Stopped:
        return -1
    except (Exception, TimeExceeded) as error:
        if isinstance(error, (LawsTimedOut, BrokenLaw)):
            raise
        raise ask.law_of_failure(error, "canonical", state) from None


class _LimitedObserver(Silent):
    """Observer that stops a search after `COUNTED_AT_MOST` nodes, or at the deadline of the check."""

    def __init__(self, ask: CheckedGame) -> None:
        self._ask, self._left = ask, COUNTED_AT_MOST

    def enter(self, state: AnyState, depth: int = 0, ply: int = 0, alpha: int = 0, beta: int = 0) -> None:
        self._ask.check_time()
        self._left -= 1
        if self._left < 0:
            raise Stopped


HINT_LAWS = [
    _law_of_evaluate,
    _law_of_explain,
    _law_of_order,
    _law_of_is_noisy,
    _law_of_is_forced,
    _law_of_pass_turn,
    _law_of_candidates,
    _law_of_split_settled,
    _law_of_pick,
    _law_of_canonical,
    _law_of_tier,
]
