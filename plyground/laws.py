"""The laws of `rules.py`, checked: random games are played, and every answer on the way is held against its law."""

import importlib
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any

from plyground.errors import BadInput
from plyground.look import Grid, Pits
from plyground.rules import MAX, NO_MOVE, ONGOING, Game
from plyground.score import ESTIMATES
from plyground.search.perft import perft
from plyground.search.watch import SILENT
from plyground.speed import is_plain_wanted

# A game of any kind of state, and its states.
AnyGame = Game[Any]
AnyState = Any

LONGEST_GAME = 10_000
STATES_AT_MOST = 1_000
"""How many states are held against the laws of one state; the random games are played to their ends all the same."""
MOVES_AT_MOST = 12
"""How many moves of a state are held against the laws of one move: some from the front and some from the end."""
LARGEST_UTILITY = 1 << 16
LARGEST_MOVE = 1 << 31
CHANCES = tuple(((1 << 32) - 1) * step // 11 for step in range(12))
"""The random numbers that moves are picked by: the smallest, the largest and some between."""


@dataclass(frozen=True)
class Fault:
    """One law that a game breaks."""

    law: str
    """The question whose law it is."""
    sentence: str
    """What is wrong, in which state, after which move."""


@dataclass(frozen=True)
class Verdict:
    """What a check found."""

    games: int
    """Random games played."""
    states: int
    """States looked at."""
    compiled: bool
    """Whether the compiled rules were checked against the plain ones."""
    faults: tuple[Fault, ...]
    notes: tuple[str, ...] = ()
    """What is allowed, but better known: a rule that does not compile, and why."""

    @property
    def ok(self) -> bool:
        """Whether every law holds on all that was looked at."""
        return not self.faults


class _Broken(Exception):
    """A law is broken; the arguments are the law and the sentence."""


def check(game: AnyGame, *, games: int = 100, seed: int = 0, on_game: Callable[[], None] | None = None) -> Verdict:
    """Check every law on states from seeded random play, plain and compiled.

    Args:
        game: the game to check.
        games: how many random games to play.
        seed: of the random play; the same seed plays the same games.
        on_game: called after each game, for a progress bar.

    Returns:
        What was looked at and each law found broken, once, with the state and move that show it.
    """
    chance = random.Random(seed)
    faults: dict[str, Fault] = {}
    notes: list[str] = []
    seen: dict[AnyState, None] = {}
    questions = _native_questions(game, faults, notes)
    for _ in range(games):
        try:
            for state in _random_game(game, chance):
                if state not in seen and len(seen) < STATES_AT_MOST:
                    seen[state] = None
                    for law in LAWS:
                        _try(faults, law, game, state)
                    for name, compiled in questions.items():
                        _try(faults, partial(_same_at_both_speeds, name=name, compiled=compiled), game, state)
        except _Broken as broken:
            law, sentence = broken.args
            faults.setdefault(law, Fault(law, sentence))
        if on_game:
            on_game()
        if len(faults) >= len(LAWS):
            break
    return Verdict(games, len(seen), bool(questions), tuple(faults.values()), tuple(notes))


def _try(faults: dict[str, Fault], law: Callable[[AnyGame, AnyState], None], game: AnyGame, state: AnyState) -> None:
    try:
        law(game, state)
    except _Broken as broken:
        name, sentence = broken.args
        faults.setdefault(name, Fault(name, sentence))


def _ask(game: AnyGame, question: str, *args: object) -> Any:
    """The answer to a question; an error in answering breaks its law."""
    try:
        answer = getattr(game, question)(*args)
        return list(answer) if question in ("moves", "candidates") else answer
    except Exception as fault:
        where = f" in state {args[0]}" if args else ""
        with_move = f", move {args[1]}" if len(args) > 1 else ""
        raise _Broken(question, f"{question} fails{where}{with_move}: {type(fault).__name__}: {fault}") from None


def _require(holds: bool, law: str, sentence: str) -> None:
    if not holds:
        raise _Broken(law, sentence)


def _random_game(game: AnyGame, chance: random.Random) -> Iterator[AnyState]:
    """The states of one random game, first to last, with what can only be told of a whole game."""
    state = _ask(game, "initial")
    _require(
        _is_state(state), "initial", f"initial gives {state!r}: a state is a NamedTuple of ints, or of tuples of ints"
    )
    _require(state == _ask(game, "initial"), "initial", "initial gives a different state each time")
    _require(
        _ask(game, "outcome", state) == ONGOING, "initial", f"initial gives {state}, where the game is over already"
    )
    bounds = []
    for _ in range(LONGEST_GAME):
        yield state
        bounds.append((state, _ask(game, "bounds", state)))
        utility = _ask(game, "outcome", state)
        if utility != ONGOING:
            for earlier, (low, high) in bounds:
                said = f"bounds says {low} to {high} in state {earlier}, but a game from there ended with {utility}"
                _require(low <= utility <= high, "bounds", said)
            return
        moves = _ask(game, "moves", state)
        if not moves:
            raise _Broken("moves", f"moves gives none in the unfinished state {state}")
        state = _ask(game, "play", state, chance.choice(moves))
        _require(
            _is_state(state), "play", f"play gives {state!r}: a state is a NamedTuple of ints, or of tuples of ints"
        )
    raise _Broken("outcome", f"a game went on for {LONGEST_GAME} plies: outcome must end it")


def _is_state(state: object) -> bool:
    return isinstance(state, tuple) and hasattr(state, "_fields") and all(_is_field(field) for field in state)


def _is_field(field: object) -> bool:
    if isinstance(field, tuple):
        return all(_is_field(item) for item in field)
    return type(field) is int and -(2**63) <= field < 2**63


# -- the laws of one state --------------------------------------------------------------------------------------------


def _law_of_to_move(game: AnyGame, state: AnyState) -> None:
    player = _ask(game, "to_move", state)
    _require(player in (0, 1), "to_move", f"to_move gives {player!r} in state {state}: 0 or 1 is to move")


def _law_of_outcome(game: AnyGame, state: AnyState) -> None:
    utility = _ask(game, "outcome", state)
    said = f"outcome gives {utility!r} in state {state}: ONGOING, or an int within ±{LARGEST_UTILITY}"
    _require(type(utility) is int and (utility == ONGOING or abs(utility) <= LARGEST_UTILITY), "outcome", said)


def _law_of_moves(game: AnyGame, state: AnyState) -> None:
    if _ask(game, "outcome", state) != ONGOING:
        return
    moves = _ask(game, "moves", state)
    _require(bool(moves), "moves", f"moves gives none in the unfinished state {state}")
    for move in moves:
        said = f"moves gives {move!r} in state {state}: a move is an int from 0 below 2**31"
        _require(type(move) is int and 0 <= move < LARGEST_MOVE, "moves", said)
    _require(len(set(moves)) == len(moves), "moves", f"moves gives the same move twice in state {state}: {moves}")
    again = _ask(game, "moves", state)
    _require(again == moves, "moves", f"moves changes its answer in state {state}: {moves}, then {again}")


def _law_of_play(game: AnyGame, state: AnyState) -> None:
    for move in _some_legal(game, state):
        before = tuple(state)
        after = _ask(game, "play", state, move)
        _require(tuple(state) == before, "play", f"play changes the old state: move {move} in state {before}")
        again = _ask(game, "play", state, move)
        _require(after == again, "play", f"play gives two states for move {move} in state {state}: {after}, {again}")
        _require(type(after) is type(state), "play", f"play gives {after!r} for move {move} in {state}: not a state")


def _law_of_evaluate(game: AnyGame, state: AnyState) -> None:
    if _ask(game, "outcome", state) == ONGOING:
        opinion = _ask(game, "evaluate", state)
        said = f"evaluate gives {opinion!r} in state {state}: an int within ±{ESTIMATES - 1}"
        _require(type(opinion) is int and abs(opinion) < ESTIMATES, "evaluate", said)


def _law_of_explain(game: AnyGame, state: AnyState) -> None:
    if _ask(game, "outcome", state) == ONGOING:
        parts = _ask(game, "explain", state)
        try:
            total = sum(worth for words, worth in parts if isinstance(words, str))
        except (TypeError, ValueError):
            raise _Broken("explain", f"explain gives {parts!r} in state {state}: pairs of words and an int") from None
        opinion = _ask(game, "evaluate", state)
        said = f"explain gives parts that sum to {total} in state {state}, where evaluate is {opinion}"
        _require(total == opinion, "explain", said)


def _law_of_order(game: AnyGame, state: AnyState) -> None:
    for move in _some_legal(game, state):
        worth = _ask(game, "order", state, move)
        _require(type(worth) is int, "order", f"order gives {worth!r} for move {move} in state {state}: an int")


def _law_of_pick(game: AnyGame, state: AnyState) -> None:
    legal = _legal(game, state)
    for chance in CHANCES if legal else ():
        move, right = _ask(game, "pick", state, chance), legal[chance * len(legal) >> 32]
        said = f"pick gives {move!r} in state {state} for {chance}, which is the place of {right} in {legal}"
        _require(move == right, "pick", said)


def _law_of_canonical(game: AnyGame, state: AnyState) -> None:
    same = _ask(game, "canonical", state)
    _require(_ask(game, "canonical", same) == same, "canonical", f"canonical of canonical of {state} is another state")
    for question in ("to_move", "outcome", "bounds"):
        left, right = _ask(game, question, state), _ask(game, question, same)
        said = f"canonical turns {state} into {same}, where {question} is {right}, not {left}"
        _require(left == right, "canonical", said)
    if same != state:
        for depth in (1, 2):
            left, right = (perft(game, SILENT, each, depth, 0) for each in (state, same))
            said = f"canonical turns {state} into {same}, which has {right} games of {depth} plies, not {left}"
            _require(left == right, "canonical", said)


def _law_of_text(game: AnyGame, state: AnyState) -> None:
    text = _ask(game, "text", state)
    said = f"text gives {text!r} in state {state}: one word without blanks"
    _require(isinstance(text, str) and bool(text) and not any(map(str.isspace, text)), "text", said)
    back = _ask(game, "parse_state", text)
    _require(back == state, "parse_state", f"parse_state reads {text!r} as {back}, not as {state}")


def _law_of_move_text(game: AnyGame, state: AnyState) -> None:
    for move in _some_legal(game, state):
        text = _ask(game, "move_text", state, move)
        said = f"move_text gives {text!r} for move {move} in state {state}: one word without blanks"
        _require(isinstance(text, str) and bool(text) and not any(map(str.isspace, text)), "move_text", said)
        back = _ask(game, "parse_move", state, text)
        _require(back == move, "parse_move", f"parse_move reads {text!r} in state {state} as {back}, not as {move}")


def _law_of_look(game: AnyGame, state: AnyState) -> None:
    board = _ask(game, "look", state)
    if isinstance(board, Grid):
        said = f"look draws {len(board.cells)} cells on {board.rows} × {board.columns} in state {state}"
        _require(len(board.cells) == board.rows * board.columns, "look", said)
        _offers_legal_moves(game, state, [cell.move for cell in board.cells])
    if isinstance(board, Pits):
        said = f"look draws {len(board.first)} pits against {len(board.second)} in state {state}"
        _require(len(board.first) == len(board.second) > 0, "look", said)
        marks = {pit.mark for pit in board.first}, {pit.mark for pit in board.second}
        said = f"look gives the first row to {sorted(marks[0])}, the second to {sorted(marks[1])} in state {state}"
        _require(marks == ({game.names[0]}, {game.names[1]}), "look", said)
        _offers_legal_moves(game, state, [pit.move for pit in (*board.first, *board.second)])


def _offers_legal_moves(game: AnyGame, state: AnyState, moves: list[int | None]) -> None:
    offered, legal = {move for move in moves if move is not None}, set(_legal(game, state))
    said = f"look offers the moves {sorted(offered)} in state {state}, but legal are {sorted(legal)}"
    _require(offered == legal, "look", said)


def _law_of_candidates(game: AnyGame, state: AnyState) -> None:
    legal = _legal(game, state)
    if not legal:
        return
    given, foresight = _ask(game, "candidates", state), game.foresight
    _require(foresight in (0, 2), "candidates", f"foresight is {foresight!r}: 0 or 2")
    low, high = _ask(game, "bounds", state)
    most, least = (high, low) if game.to_move(state) == MAX else (low, high)
    wins = [move for move in legal if foresight and _wins(game, state, move, most)]
    if wins:
        said = f"candidates gives {given} in state {state}, where one of {wins} wins at once: that one alone"
        _require(len(given) == 1 and given[0] in wins, "candidates", said)
        return
    said = f"candidates gives {given} in state {state}: legal moves in the order of {legal}"
    _require([move for move in legal if move in given] == given, "candidates", said)
    for move in _some_legal(game, state):
        after = _ask(game, "play", state, move)
        if foresight:
            _alternates(game, state, move, after)
        right = not (foresight and any(_wins(game, after, reply, least) for reply in _legal(game, after)))
        word = "gives" if move in given else "leaves out"
        said = f"candidates {word} move {move} in state {state}, against a foresight of {foresight}"
        _require((move in given) == right, "candidates", said)


def _wins(game: AnyGame, state: AnyState, move: int, utility: int) -> bool:
    """Whether a move ends the game at once with this utility, and that is a win of the player who makes it."""
    side = 1 if game.to_move(state) == MAX else -1
    return side * utility > 0 and bool(_ask(game, "outcome", _ask(game, "play", state, move)) == utility)


def _alternates(game: AnyGame, state: AnyState, move: int, after: AnyState) -> None:
    """Foresight counts on it that the other player is next, and that nobody loses by a move of their own."""
    utility, turn = _ask(game, "outcome", after), game.to_move(state)
    said = f"candidates with foresight, in a game where move {move} in state {state} does not pass the turn"
    _require(utility != ONGOING or game.to_move(after) != turn, "candidates", said)
    said = f"candidates with foresight, in a game where who makes move {move} in state {state} loses by it at once"
    _require(utility == ONGOING or (utility if turn == MAX else -utility) >= 0, "candidates", said)


def _law_of_settled(game: AnyGame, state: AnyState) -> None:
    smaller, worth = _ask(game, "settled", state)
    if smaller == state:
        _require(worth == 0, "settled", f"settled takes {worth} from state {state} and leaves it as it is")
        return
    for place in (0, -1, 1):  # three games played on: the first moves, the last ones, and the second ones
        left, right = state, smaller
        while _legal(game, left):
            moves, same = _legal(game, left), _legal(game, right)
            said = f"settled turns {state} into {smaller}; later one has the moves {moves}, the other {same}"
            _require(moves == same and game.to_move(left) == game.to_move(right), "settled", said)
            move = moves[min(place, len(moves) - 1)]
            left, right = _ask(game, "play", left, move), _ask(game, "play", right, move)
        ends = _ask(game, "outcome", left), _ask(game, "outcome", right)
        said = f"settled takes {worth} from state {state}, but games from it and from {smaller} end with {ends}"
        _require(ends[1] != ONGOING and ends[0] == ends[1] + worth, "settled", said)


def _legal(game: AnyGame, state: AnyState) -> list[int]:
    return _ask(game, "moves", state) if _ask(game, "outcome", state) == ONGOING else []


def _some_legal(game: AnyGame, state: AnyState) -> list[int]:
    moves = _legal(game, state)
    return moves if len(moves) <= MOVES_AT_MOST else moves[: MOVES_AT_MOST // 2] + moves[-MOVES_AT_MOST // 2 :]


LAWS: list[Callable[[AnyGame, AnyState], None]] = [
    _law_of_to_move,
    _law_of_outcome,
    _law_of_moves,
    _law_of_play,
    _law_of_evaluate,
    _law_of_explain,
    _law_of_order,
    _law_of_candidates,
    _law_of_settled,
    _law_of_pick,
    _law_of_canonical,
    _law_of_text,
    _law_of_move_text,
    _law_of_look,
]


# -- both speeds ------------------------------------------------------------------------------------------------------
# Each question as a function that can be compiled by itself, so that a fault is its rule's and no other's.


def _to_move(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.to_move(state)


def _moves(game: AnyGame, state: AnyState, move: int) -> Any:
    count, mixed = 0, 0
    for legal in game.moves(state):
        count += 1
        mixed = (mixed * 31 + legal) & 0xFFFFFFFFFFFF
    return count, mixed


def _play(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.play(state, move)


def _outcome(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.outcome(state)


def _evaluate(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.evaluate(state)


def _order(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.order(state, move)


def _bounds(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.bounds(state)


def _candidates(game: AnyGame, state: AnyState, move: int) -> Any:
    count, mixed = 0, 0
    for legal in game.candidates(state):
        count += 1
        mixed = (mixed * 31 + legal) & 0xFFFFFFFFFFFF
    return count, mixed


def _settled(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.settled(state)


def _pick(game: AnyGame, state: AnyState, move: int) -> Any:
    mixed = 0
    for index in range(len(CHANCES)):
        mixed = (mixed * 31 + game.pick(state, CHANCES[index])) & 0xFFFFFFFFFFFF
    return mixed


def _canonical(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.canonical(state)


QUESTIONS = {
    "to_move": _to_move,
    "moves": _moves,
    "play": _play,
    "outcome": _outcome,
    "evaluate": _evaluate,
    "order": _order,
    "bounds": _bounds,
    "candidates": _candidates,
    "settled": _settled,
    "pick": _pick,
    "canonical": _canonical,
}
_OF_UNFINISHED = ("moves", "play", "evaluate", "order", "candidates", "pick")


def _native_questions(game: AnyGame, faults: dict[str, Fault], notes: list[str]) -> dict[str, Callable[..., Any]]:
    """The compiled questions; why one has no compiled form becomes a note."""
    if not find_spec("numba") or is_plain_wanted():
        notes.append(
            "only the plain rules were checked: " + ("PLYGROUND_PLAIN is set" if find_spec("numba") else "no Numba")
        )
        return {}
    try:
        hash(game)
    except TypeError:
        said = f"{type(game).__name__} can change after it is made: declare it @dataclass(frozen=True)"
        faults["game"] = Fault("game", said)
        return {}
    native = importlib.import_module("plyground.compile")
    questions = {}
    try:
        state = game.initial()
        move = next(iter(game.moves(state)), NO_MOVE)
    except Exception:  # the laws will say so
        return {}
    for name, question in QUESTIONS.items():
        compiled = native.Compiled(question, game)
        try:
            compiled.prepare(state, move)
            questions[name] = compiled
        except native.CannotCompile as fault:
            notes.append(f"{name} has no compiled form, so this game is searched as plain Python: {fault}")
    return questions


def _same_at_both_speeds(game: AnyGame, state: AnyState, name: str, compiled: Callable[..., Any]) -> None:
    unfinished = _ask(game, "outcome", state) == ONGOING
    if name in _OF_UNFINISHED and not unfinished:
        return
    plain = QUESTIONS[name]
    for move in _some_legal(game, state) if name in ("play", "order") else [NO_MOVE]:
        try:
            left = plain(game, state, move)
        except Exception:  # its own law says so
            return
        right = compiled(state, move)
        with_move = f", move {move}" if move != NO_MOVE else ""
        said = (
            f"{name} gives {left} as plain Python and {right} compiled, in state {state}{with_move}: "
            "compiled ints have 64 bits and tuples no negative places"
        )
        _require(left == right, f"{name}, compiled", said)


def require_lawful(game: AnyGame) -> None:
    """A short check before a game of someone's own is used.

    Raises:
        BadInput: the game breaks a law; the sentence is the first fault's.
    """
    verdict = check(game, games=3)
    if not verdict.ok:
        fault = verdict.faults[0]
        raise BadInput(f"{type(game).__name__} breaks the law of {fault.law}: {fault.sentence}.")
