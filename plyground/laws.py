"""The laws of `rules.py`, checked: random games are played, and every answer on the way is held against its law."""

import importlib
import random
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from itertools import islice
from typing import Any

from plyground.blame import game_fault, in_words, place_of
from plyground.board.look import Grid, Pits
from plyground.compiled import cache
from plyground.compiled.fingerprint import fingerprint
from plyground.compiled.kernel import is_plain_wanted, waited_for
from plyground.errors import BadInput
from plyground.rules import LONGEST, MAX, MOST_MOVES, NO_MOVE, ONGOING, Game
from plyground.score import ESTIMATES
from plyground.search.perft import perft
from plyground.search.watch import Silent, Stopped

# A game of any kind of state, and its states.
AnyGame = Game[Any]
AnyState = Any

STATES_AT_MOST = 1_000
"""How many states are held against the laws of one state; the random games are played to their ends all the same."""
MOVES_AT_MOST = 12
"""How many moves of a state are held against the laws of one move: some from the front and some from the end."""
COUNTED_AT_MOST = 2_000
"""How many nodes are counted to compare two states that are the same under symmetry."""
AT_FIRST_USE = 0.5
"""Seconds for the laws when a game of someone's own is first used."""
GAMES_AT_FIRST_USE = 3
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
    """What is wrong, in which state, after which move, and where the rule stands."""


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
    """What is allowed, but better known: a rule that does not compile, and why; what was not looked at."""

    @property
    def ok(self) -> bool:
        """Whether every law holds on all that was looked at."""
        return not self.faults


class _Broken(Exception):
    """A law is broken; the arguments are the law, the sentence, and where in a file, if it is not where the rule is."""


class _Late(Exception):
    """The time for the laws is up."""


@dataclass
class _Asked:
    """A game that is asked its questions. An error in answering breaks the question's law."""

    game: AnyGame
    deadline: float = float("inf")
    notes: dict[str, None] = field(default_factory=dict)
    _pattern: AnyState = None
    """The first state that was seen, to which the others must be alike."""
    _listed: tuple[AnyState, list[int]] = ((), [])
    """The last state whose legal moves were listed, and they."""

    def __call__(self, question: str, *args: object) -> Any:
        """The answer to a question; of `moves` and `candidates`, as a list."""
        self.heed()
        try:
            answer = getattr(self.game, question)(*args)
            if question in ("moves", "candidates"):
                if not isinstance(answer, Iterable):
                    raise _Broken(question, f"{question} gives {answer!r}{_in(*args)}: yield each move")
                answer = list(islice(answer, MOST_MOVES + 1))
        except _Broken:
            raise
        except Exception as error:
            raise self.failure(error, question, *args) from None
        if question in ("moves", "candidates") and len(answer) > MOST_MOVES:
            raise _Broken(question, f"{question} gives more than {MOST_MOVES:,} moves in state {args[0]}: too many")
        return answer

    def failure(self, error: Exception, question: str, *args: object) -> _Broken:
        """An error in answering as a broken law."""
        if isinstance(error, NotImplementedError) and str(error):
            return _Broken(question, str(error).rstrip("."))
        after, known = _in(*args), game_fault(error)
        if isinstance(error, BadInput) or known is None:
            return _Broken(question, f"{question} fails{after}: {in_words(error)}")
        where, colon, _ = str(known).partition(": ")
        place = where if colon and ", line " in where else None
        return _Broken(question, f"{question} fails{after}: {in_words(error)}", place)

    def heed(self) -> None:
        """End where the time is up."""
        if time.perf_counter() > self.deadline:
            raise _Late

    def state(self, question: str, *args: object) -> AnyState:
        """The state that a question gives, which must be one, and like the first."""
        found = self(question, *args)
        given = found[0] if question == "settled" and isinstance(found, tuple) and found else found
        wrong = _no_state(given) or (_unlike(self._pattern, given) if self._pattern is not None else None)
        if wrong:
            after = "" if not args else f" for move {args[1]}" if len(args) > 1 else f" for {args[0]!r}"
            raise _Broken(question, f"{question} gives {_short(given)}{after}: {wrong}")
        if self._pattern is None:
            self._pattern = given
        return found

    def legal(self, state: AnyState) -> list[int]:
        """The legal moves; none of a finished state."""
        if self._listed[0] != state or not self._listed[1]:
            self._listed = state, self("moves", state) if self("outcome", state) == ONGOING else []
        return self._listed[1]

    def some_legal(self, state: AnyState) -> list[int]:
        """The legal moves, or some of many."""
        moves = self.legal(state)
        return moves if len(moves) <= MOVES_AT_MOST else moves[: MOVES_AT_MOST // 2] + moves[-MOVES_AT_MOST // 2 :]


def _in(*args: object) -> str:
    return (f" in state {args[0]}" if args else "") + (f", move {args[1]}" if len(args) > 1 else "")


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
    return _check(_Asked(game), games, seed, on_game, compiled=True)


def _check(ask: _Asked, games: int, seed: int, on_game: Callable[[], None] | None, compiled: bool) -> Verdict:
    game, chance = ask.game, random.Random(seed)
    faults: dict[str, Fault] = {}
    seen: dict[AnyState, None] = {}
    played = 0
    questions = {}
    try:
        hash(game)
    except TypeError:
        said = f"{type(game).__name__} can change after it is made: declare it @dataclass(frozen=True)"
        faults["game"] = Fault("game", said)
    else:
        questions = _native_questions(ask) if compiled else {}
    try:
        for _ in range(games):
            try:
                for state in _random_game(ask, chance):
                    if state not in seen and len(seen) < STATES_AT_MOST:
                        seen[state] = None
                        for law in LAWS:
                            _try(faults, law, ask, state)
                        for name, native in questions.items():
                            _try(faults, partial(_same_at_both_speeds, name=name, compiled=native), ask, state)
            except _Broken as broken:
                _note(faults, game, broken)
            played += 1
            if on_game:
                on_game()
            if "initial" in faults or len(faults) >= len(LAWS):
                break
    except _Late:
        states = f"{len(seen)} state{'s' if len(seen) != 1 else ''}"
        ask.notes[f"there was time to hold {states} of {type(game).__name__} against the laws"] = None
    if not faults:
        _remember(game)
    return Verdict(games, len(seen), bool(questions), tuple(faults.values()), tuple(ask.notes))


def _try(faults: dict[str, Fault], law: Callable[[_Asked, AnyState], None], ask: _Asked, state: AnyState) -> None:
    try:
        law(ask, state)
    except _Broken as broken:
        _note(faults, ask.game, broken)


def _note(faults: dict[str, Fault], game: AnyGame, broken: _Broken) -> None:
    """Keep the first fault against a law, with where the rule stands."""
    law, sentence, *place = broken.args
    where = (place[0] if place else None) or place_of(game, law.partition(",")[0])
    faults.setdefault(law, Fault(law, f"{sentence} ({where})" if where else sentence))


def _require(holds: bool, law: str, sentence: str) -> None:
    if not holds:
        raise _Broken(law, sentence)


def _random_game(ask: _Asked, chance: random.Random) -> Iterator[AnyState]:
    """The states of one random game, first to last, with what can only be told of a whole game."""
    state = ask.state("initial")
    _require(state == ask("initial"), "initial", "initial gives a different state each time")
    _law_of_outcome(ask, state)
    _require(ask("outcome", state) == ONGOING, "initial", f"initial gives {state}, where the game is over already")
    came: dict[AnyState, int] = {}
    line: list[int] = []
    bounds = []
    listed = 0
    for ply in range(LONGEST + 1):
        if state in came:
            again = _few(line[came[state] :])
            said = f"outcome lets a game come back to state {state} by the moves {again}, so it need never end"
            raise _Broken("outcome", f"{said}: count moves in the state, and end the game at a number of them")
        came[state] = ply
        yield state
        bounds.append((state, ask("bounds", state)))
        _law_of_outcome(ask, state)
        utility = ask("outcome", state)
        if utility != ONGOING:
            _law_of_bounds(bounds, utility)
            return
        moves = ask.legal(state)
        _require(bool(moves), "moves", f"moves gives none in the unfinished state {state}")
        listed += len(moves)
        if listed > MOST_MOVES:
            said = f"a search has room for {MOST_MOVES:,} moves of one line, and the states of a game here have more"
            ask.notes[f"{said}: it cannot look to the end"] = None
        line.append(chance.choice(moves))
        state = ask.state("play", state, line[-1])
    raise _Broken("outcome", f"outcome lets a game go on for more than {LONGEST:,} plies: it must end by then")


def _law_of_bounds(bounds: list[tuple[AnyState, Any]], utility: Any) -> None:
    """The bounds of each state of a game that ended so."""
    for earlier, given in bounds:
        try:
            low, high = given
            holds = bool(low <= utility <= high)
        except (TypeError, ValueError):
            raise _Broken(
                "bounds", f"bounds gives {given!r} in state {earlier}: a lowest and a highest utility"
            ) from None
        said = f"bounds says {low} to {high} in state {earlier}, but a game from there ended with {utility}"
        _require(holds, "bounds", f"{said}: define bounds(self, state) to say how far it can go")


def _no_state(value: object) -> str | None:
    """What keeps a value from being a state, and what would be right; None if it is one."""
    if not (isinstance(value, tuple) and hasattr(value, "_fields")):
        return f"a state is a NamedTuple of ints, or of tuples of ints, not a {type(value).__name__}"
    wrong = (_no_field(getattr(value, name), name) for name in value._fields)
    return next(filter(None, wrong), None)


def _no_field(value: object, name: str) -> str | None:
    if isinstance(value, tuple):
        return next(filter(None, (_no_field(item, name) for item in value)), None)
    if type(value) is not int:
        kind = type(value).__name__
        right = {
            "bool": "write 1 or 0",
            "float": "// divides ints without a fraction",
            "list": "write a tuple",
            "set": "write an int with a bit for each member",
            "str": "write a number for each",
        }
        return f"{name} holds {_short(value)}, a {kind}, not an int{f': {right[kind]}' if kind in right else ''}"
    if not -(2**63) <= value < 2**63:
        sets = "plyground.board.bits has sets of any size"
        return f"{name} holds {value}, and an int has 64 bits: write a tuple of ints ({sets})"
    return None


def _unlike(pattern: Any, value: Any, name: str = "the state") -> str | None:
    """In what a state is not like the first one; None if it is."""
    if type(pattern) is not type(value):
        return f"{name} is of kind {type(value).__name__}, and of kind {type(pattern).__name__} in the first state"
    if not isinstance(pattern, tuple):
        return None
    if len(pattern) != len(value):
        said = f"{name} has {len(value)} items, and {len(pattern)} in the first state"
        return f"{said}: a tuple keeps its length; fill it up, and count in an int how much of it is used"
    names = getattr(pattern, "_fields", [name] * len(pattern))
    parts = (_unlike(left, right, name) for left, right, name in zip(pattern, value, names, strict=True))
    return next(filter(None, parts), None)


def _short(value: object) -> str:
    """A value in text, of any size."""
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:200]} …"


def _few(moves: list[int]) -> str:
    """Moves in text, however many."""
    return str(moves) if len(moves) <= 2 * MOVES_AT_MOST else f"{str(moves[:MOVES_AT_MOST])[:-1]}, …] ({len(moves):,})"


# -- the laws of one state --------------------------------------------------------------------------------------------


def _law_of_to_move(ask: _Asked, state: AnyState) -> None:
    player = ask("to_move", state)
    _require(player in (0, 1), "to_move", f"to_move gives {player!r} in state {state}: 0 or 1 is to move")


def _law_of_outcome(ask: _Asked, state: AnyState) -> None:
    utility = ask("outcome", state)
    missing = "; is there a return on every path?" if utility is None else ""
    said = f"outcome gives {utility!r} in state {state}: ONGOING, or an int within ±{LARGEST_UTILITY}{missing}"
    _require(type(utility) is int and (utility == ONGOING or abs(utility) <= LARGEST_UTILITY), "outcome", said)


def _law_of_moves(ask: _Asked, state: AnyState) -> None:
    if ask("outcome", state) != ONGOING:
        return
    moves = ask("moves", state)
    _require(bool(moves), "moves", f"moves gives none in the unfinished state {state}")
    odd = [move for move in moves if type(move) is not int or not 0 <= move < LARGEST_MOVE]
    _require(not odd, "moves", f"moves gives {odd[:1]} in state {state}: a move is an int from 0 below 2**31")
    said = f"moves gives the same move twice in state {state}: {_few(moves)}"
    _require(len(set(moves)) == len(moves), "moves", said)
    again = ask("moves", state)
    said = f"moves changes its answer in state {state}: {_few(moves)}, then {_few(again)}"
    _require(again == moves, "moves", said)


def _law_of_play(ask: _Asked, state: AnyState) -> None:
    for move in ask.some_legal(state):
        before = tuple(state)
        after = ask.state("play", state, move)
        _require(tuple(state) == before, "play", f"play changes the old state: move {move} in state {before}")
        again = ask("play", state, move)
        _require(after == again, "play", f"play gives two states for move {move} in state {state}: {after}, {again}")


def _law_of_evaluate(ask: _Asked, state: AnyState) -> None:
    if ask("outcome", state) == ONGOING:
        opinion = ask("evaluate", state)
        said = f"evaluate gives {opinion!r} in state {state}: an int within ±{ESTIMATES - 1}"
        _require(type(opinion) is int and abs(opinion) < ESTIMATES, "evaluate", said)
        again = ask("evaluate", state)
        said = f"evaluate changes its answer in state {state}: {opinion}, then {again}"
        _require(opinion == again, "evaluate", said)


def _law_of_explain(ask: _Asked, state: AnyState) -> None:
    if ask("outcome", state) == ONGOING:
        parts = ask("explain", state)
        try:
            total = sum(worth for words, worth in parts if isinstance(words, str))
        except (TypeError, ValueError):
            raise _Broken("explain", f"explain gives {parts!r} in state {state}: pairs of words and an int") from None
        opinion = ask("evaluate", state)
        said = f"explain gives parts that sum to {total} in state {state}, where evaluate is {opinion}"
        _require(total == opinion, "explain", said)


def _law_of_order(ask: _Asked, state: AnyState) -> None:
    for move in ask.some_legal(state):
        worth = ask("order", state, move)
        _require(type(worth) is int, "order", f"order gives {worth!r} for move {move} in state {state}: an int")


def _law_of_pick(ask: _Asked, state: AnyState) -> None:
    legal = ask.legal(state)
    for chance in CHANCES if legal else ():
        move, right = ask("pick", state, chance), legal[chance * len(legal) >> 32]
        said = f"pick gives {move!r} in state {state} for {chance}, which is the place of {right} in {_few(legal)}"
        _require(move == right, "pick", said)


def _law_of_canonical(ask: _Asked, state: AnyState) -> None:
    same = ask.state("canonical", state)
    _require(ask("canonical", same) == same, "canonical", f"canonical of canonical of {state} is another state")
    for question in ("to_move", "outcome", "bounds"):
        left, right = ask(question, state), ask(question, same)
        said = f"canonical turns {state} into {same}, where {question} is {right}, not {left}"
        _require(left == right, "canonical", said)
    if same != state:
        for depth in (1, 2):
            left, right = (_games_of(ask, each, depth) for each in (state, same))
            said = f"canonical turns {state} into {same}, which has {right} games of {depth} plies, not {left}"
            _require(left == right, "canonical", said)


def _games_of(ask: _Asked, state: AnyState, depth: int) -> int:
    """How many games of so many plies there are; -1 where they are too many to count."""
    try:
        return perft(ask.game, _Few(ask), state, depth, 0)
    except Stopped:
        return -1
    except Exception as error:
        if isinstance(error, (_Late, _Broken)):
            raise
        raise ask.failure(error, "canonical", state) from None


class _Few(Silent):
    """Lets a search enter a few nodes, while there is time."""

    def __init__(self, ask: _Asked) -> None:
        self._ask, self._left = ask, COUNTED_AT_MOST

    def enter(self, state: AnyState, depth: int = 0, ply: int = 0, alpha: int = 0, beta: int = 0) -> None:
        self._ask.heed()
        self._left -= 1
        if self._left < 0:
            raise Stopped


def _law_of_text(ask: _Asked, state: AnyState) -> None:
    text = ask("text", state)
    said = f"text gives {text!r} in state {state}: one word without blanks"
    _require(isinstance(text, str) and bool(text) and not any(map(str.isspace, text)), "text", said)
    back = ask("parse_state", text)
    _require(
        back == state and type(back) is type(state),
        "parse_state",
        f"parse_state reads {text!r} as {back}, not as {state}",
    )


def _law_of_move_text(ask: _Asked, state: AnyState) -> None:
    for move in ask.some_legal(state):
        text = ask("move_text", state, move)
        said = f"move_text gives {text!r} for move {move} in state {state}: one word without blanks"
        _require(isinstance(text, str) and bool(text) and not any(map(str.isspace, text)), "move_text", said)
        back = ask("parse_move", state, text)
        _require(back == move, "parse_move", f"parse_move reads {text!r} in state {state} as {back}, not as {move}")


def _law_of_look(ask: _Asked, state: AnyState) -> None:
    board = ask("look", state)
    if isinstance(board, Grid):
        said = f"look draws {len(board.cells)} cells on {board.rows} × {board.columns} in state {state}"
        _require(len(board.cells) == board.rows * board.columns, "look", said)
        _offers_legal_moves(ask, state, [cell.move for cell in board.cells])
    if isinstance(board, Pits):
        said = f"look draws {len(board.first)} pits against {len(board.second)} in state {state}"
        _require(len(board.first) == len(board.second) > 0, "look", said)
        marks = {pit.mark for pit in board.first}, {pit.mark for pit in board.second}
        said = f"look gives the first row to {sorted(marks[0])}, the second to {sorted(marks[1])} in state {state}"
        _require(marks == ({ask.game.names[0]}, {ask.game.names[1]}), "look", said)
        _offers_legal_moves(ask, state, [pit.move for pit in (*board.first, *board.second)])


def _offers_legal_moves(ask: _Asked, state: AnyState, moves: list[int | None]) -> None:
    offered, legal = {move for move in moves if move is not None}, set(ask.legal(state))
    said = f"look offers the moves {_few(sorted(offered))} in state {state}, but legal are {_few(sorted(legal))}"
    _require(offered == legal, "look", said)


def _law_of_candidates(ask: _Asked, state: AnyState) -> None:
    legal = ask.legal(state)
    if not legal:
        return
    given, foresight = ask("candidates", state), ask.game.foresight
    _require(foresight in (0, 2), "candidates", f"foresight is {foresight!r}: 0 or 2")
    low, high = ask("bounds", state)
    most, least = (high, low) if ask("to_move", state) == MAX else (low, high)
    wins = [move for move in legal if foresight and _wins(ask, state, move, most)]
    if wins:
        said = (
            f"candidates gives {_few(given)} in state {state}, where one of {_few(wins)} wins at once: that one alone"
        )
        _require(len(given) == 1 and given[0] in wins, "candidates", said)
        return
    members = set(given)
    said = f"candidates gives {_few(given)} in state {state}: legal moves in the order of {_few(legal)}"
    _require([move for move in legal if move in members] == given, "candidates", said)
    for move in ask.some_legal(state):
        after = ask("play", state, move)
        if foresight:
            _alternates(ask, state, move, after)
        right = not (foresight and any(_wins(ask, after, reply, least) for reply in ask.legal(after)))
        word = "gives" if move in members else "leaves out"
        said = f"candidates {word} move {move} in state {state}, against a foresight of {foresight}"
        _require((move in members) == right, "candidates", said)


def _wins(ask: _Asked, state: AnyState, move: int, utility: int) -> bool:
    """Whether a move ends the game at once with this utility, and that is a win of the player who makes it."""
    side = 1 if ask("to_move", state) == MAX else -1
    return side * utility > 0 and bool(ask("outcome", ask("play", state, move)) == utility)


def _alternates(ask: _Asked, state: AnyState, move: int, after: AnyState) -> None:
    """Foresight counts on it that the other player is next, and that nobody loses by a move of their own."""
    utility, turn = ask("outcome", after), ask("to_move", state)
    said = f"candidates with foresight, in a game where move {move} in state {state} does not pass the turn"
    _require(utility != ONGOING or ask("to_move", after) != turn, "candidates", said)
    said = f"candidates with foresight, in a game where who makes move {move} in state {state} loses by it at once"
    _require(utility == ONGOING or (utility if turn == MAX else -utility) >= 0, "candidates", said)


def _law_of_settled(ask: _Asked, state: AnyState) -> None:
    try:
        smaller, worth = ask.state("settled", state)
    except (TypeError, ValueError):
        raise _Broken("settled", f"settled gives no pair in state {state}: a state, and the utility taken") from None
    if smaller == state:
        _require(worth == 0, "settled", f"settled takes {worth} from state {state} and leaves it as it is")
        return
    for place in (0, -1, 1):  # three games played on: the first moves, the last ones, and the second ones
        left, right = state, smaller
        for _ in range(LONGEST):
            moves, same = (ask("moves", each) if ask("outcome", each) == ONGOING else [] for each in (left, right))
            said = (
                f"settled turns {state} into {smaller}; later one has the moves {_few(moves)}, the other {_few(same)}"
            )
            _require(moves == same and ask("to_move", left) == ask("to_move", right), "settled", said)
            if not moves:
                break
            move = moves[min(place, len(moves) - 1)]
            left, right = ask("play", left, move), ask("play", right, move)
        ends = ask("outcome", left), ask("outcome", right)
        said = f"settled takes {worth} from state {state}, but games from it and from {smaller} end with {ends}"
        _require(ends[1] != ONGOING and ends[0] == ends[1] + worth, "settled", said)


LAWS: list[Callable[[_Asked, AnyState], None]] = [
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


def _native_questions(ask: _Asked) -> dict[str, Callable[..., Any]]:
    """The compiled questions; why one has no compiled form becomes a note."""
    if not find_spec("numba") or is_plain_wanted():
        why = "PLYGROUND_PLAIN is set" if find_spec("numba") else "no Numba"
        ask.notes[f"only the plain rules were checked: {why}"] = None
        return {}
    native = importlib.import_module("plyground.compiled.code")
    questions = {}
    try:
        state = ask.state("initial")
        move = next(iter(ask("moves", state)), NO_MOVE)
    except _Broken:  # the laws will say so
        return {}
    for name, question in QUESTIONS.items():
        compiled = native.Compiled(question, ask.game)
        try:
            waited_for(partial(compiled.prepare, state, move))
            questions[name] = compiled
        except native.CannotCompile as fault:
            ask.notes[f"{name} has no compiled form, so this game is searched as plain Python: {fault}"] = None
        except Exception as fault:  # not the author's, unless another law says so
            ask.notes[f"{name} was checked plain only, for the compiler failed at it ({in_words(fault)})"] = None
    return questions


def _same_at_both_speeds(ask: _Asked, state: AnyState, name: str, compiled: Callable[..., Any]) -> None:
    if name in _OF_UNFINISHED and ask("outcome", state) != ONGOING:
        return
    plain = QUESTIONS[name]
    for move in ask.some_legal(state) if name in ("play", "order") else [NO_MOVE]:
        try:
            left = plain(ask.game, state, move)
        except Exception:  # its own law says so
            return
        try:
            right = compiled(state, move)
        except Exception as error:
            right = in_words(error)
        with_move = f", move {move}" if move != NO_MOVE else ""
        said = (
            f"{name} gives {left} as plain Python and {right} compiled, in state {state}{with_move}: "
            "compiled ints have 64 bits and tuples no negative places"
        )
        _require(left == right, f"{name}, compiled", said)


def require_lawful(game: AnyGame) -> tuple[str, ...]:
    """A short check when a game of someone's own is first used: of the plain rules, for `AT_FIRST_USE` at most.

    A game that kept the laws then, or in `check`, is not asked again, until a rule of it changes.

    Returns:
        What is allowed, but better known, and what was not looked at.

    Raises:
        BadInput: the game breaks a law; the sentence is the first fault's.
    """
    if cache.read(_record_of(game)) is not None:
        return ()
    ask = _Asked(game, time.perf_counter() + AT_FIRST_USE)
    verdict = _check(ask, GAMES_AT_FIRST_USE, 0, None, compiled=False)
    if not verdict.ok:
        fault = verdict.faults[0]
        raise BadInput(f"{type(game).__name__} breaks the law of {fault.law}: {fault.sentence}.")
    return verdict.notes


EDITION = 1
"""Raised when a law is added or becomes stricter: what was held to the laws before is held to them again."""


def _record_of(game: AnyGame) -> str:
    """The name of the record that a game was held to the laws, and they held."""
    return f"lawful-{EDITION}-{fingerprint(game)}"


def _remember(game: AnyGame) -> None:
    with suppress(OSError):  # it costs time at the next use, no more
        cache.write(_record_of(game), b"lawful")
