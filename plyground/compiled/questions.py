"""Questions to a game as functions, each compiled by itself, so that a difference is that rule's.

`check` holds all of them in many states (`laws/speeds.py`), the compiler those of a user's game in some
(`agreement.py`).
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from plyground.compiled.threads import start
from plyground.faults import in_words
from plyground.rules import NO_MOVE, Game

# A game of any kind of state, and its states.
AnyGame = Game[Any]
AnyState = Any


def _mixed(row: Iterator[int]) -> tuple[int, int]:
    """Number of ints in a row, and a hash of them in their order."""
    count, mixed = 0, 0
    for each in row:
        count, mixed = count + 1, (mixed * 31 + each) & 0xFFFFFFFFFFFF
    return count, mixed


def _to_move(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.to_move(state)


def _moves(game: AnyGame, state: AnyState, move: int) -> Any:
    return _mixed(game.moves(state))


def _play(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.play(state, move)


def _outcome(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.outcome(state)


def _evaluate(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.evaluate(state)


def _order(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.order(state, move)


def _is_noisy(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.is_noisy(state, move)


def _is_forced(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.is_forced(state)


def _passed(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.passed(state)


def _bounds(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.bounds(state)


def _candidates(game: AnyGame, state: AnyState, move: int) -> Any:
    return _mixed(game.candidates(state))


def _settled(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.settled(state)


def _pick(game: AnyGame, state: AnyState, chance: int) -> Any:
    return game.pick(state, chance)


def _canonical(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.canonical(state)


def _tier(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.tier(state)


def _repetition_value(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.repetition_value(state)


def _repetition_key(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.repetition_key(state)


def _stands(game: AnyGame, state: AnyState, move: int) -> Any:
    return _mixed(game.stands(state))


def _strokes(game: AnyGame, state: AnyState, move: int) -> Any:
    return _mixed(game.strokes(state))


def _caption(game: AnyGame, state: AnyState, move: int) -> Any:
    return _mixed(game.caption(state))


def _notice(game: AnyGame, state: AnyState, move: int) -> Any:
    return _mixed(game.notice(state))


def _path(game: AnyGame, state: AnyState, move: int) -> Any:
    return _mixed(game.path(state, move))


def _state_signs(game: AnyGame, state: AnyState, move: int) -> Any:
    return _mixed(game.state_signs(state))


def _move_signs(game: AnyGame, state: AnyState, move: int) -> Any:
    return _mixed(game.move_signs(state, move))


def _notation_signs(game: AnyGame, state: AnyState, move: int) -> Any:
    return _mixed(game.notation_signs(state, move))


COMPILED_INTS = "compiled ints have 64 bits and tuples no negative places"
COMPILED_QUESTIONS: dict[str, Callable[[AnyGame, AnyState, int], Any]] = {
    "to_move": _to_move,
    "moves": _moves,
    "play": _play,
    "outcome": _outcome,
    "evaluate": _evaluate,
    "order": _order,
    "is_noisy": _is_noisy,
    "is_forced": _is_forced,
    "passed": _passed,
    "bounds": _bounds,
    "candidates": _candidates,
    "settled": _settled,
    "pick": _pick,
    "canonical": _canonical,
    "tier": _tier,
    "repetition_value": _repetition_value,
    "repetition_key": _repetition_key,
    "stands": _stands,
    "strokes": _strokes,
    "caption": _caption,
    "notice": _notice,
    "path": _path,
    "state_signs": _state_signs,
    "move_signs": _move_signs,
    "notation_signs": _notation_signs,
}
OF_MOVES = ("play", "order", "is_noisy", "path", "move_signs", "notation_signs")
OF_UNFINISHED = (
    "moves", "evaluate", "is_forced", "passed", "candidates", "pick", "repetition_value", "repetition_key", *OF_MOVES,
)  # fmt: skip
PICTURES = ("stands", "strokes", "caption", "notice", "path", "state_signs", "move_signs", "notation_signs")
"""Questions that only a page asks in compiled form."""
OF_CYCLES = ("repetition_value", "repetition_key")
OF_NOISE = ("is_noisy", "is_forced")


def is_asked(game: AnyGame, name: str) -> bool:
    """Whether a game is asked a question: some only where states come again, or where it says that it answers them."""
    conditions = {
        **dict.fromkeys(OF_CYCLES, game.repetition),
        **dict.fromkeys(OF_NOISE, game.has_noise),
        "notation_signs": game.has_notation,
        "notice": game.has_notice,
        "passed": game.has_pass,
    }
    return bool(conditions.get(name, True))


def difference(
    game: AnyGame, state: AnyState, name: str, compiled: Callable[..., Any], numbers: Sequence[int]
) -> str | None:
    """The first difference between the plain answers to a question in a state and the compiled ones, in a sentence.

    Args:
        game, state: the game, and an unfinished state where the question needs one.
        name, compiled: the question, and its compiled form.
        numbers: moves, or random numbers for `pick`; else `NO_MOVE` alone.

    Returns:
        None where all are the same, and where the rule fails as plain Python: that is no difference of speeds.
    """
    plain = COMPILED_QUESTIONS[name]
    for number in numbers:
        try:
            left = plain(game, state, number)
        except Exception:
            return None
        try:
            right = compiled(state, number)
        except Exception as error:
            right = in_words(error)
        if left != right:
            of_what = "" if number == NO_MOVE else f" for {number}" if name == "pick" else f", move {number}"
            said = f"{name} gives {left} as plain Python and {right} compiled, in state {state}{of_what}"
            return f"{said}: {COMPILED_INTS}"
    return None


def ask_in_time(work: Callable[[list[tuple[str, AnyState]]], None], seconds: float) -> str | None:
    """Let a thread compare answers, since compiled code cannot be stopped.

    Args:
        work: compares; before each question it adds it and its state to the list that it is called with.
        seconds: of the processor, that one answer may take.

    Returns:
        None at its end; a sentence where a compiled answer has not come in time. The thread is then left alone.
    """
    at, done = list[tuple[str, AnyState]](), threading.Event()

    def body() -> None:
        try:
            work(at)
        finally:
            done.set()

    start(threading.Thread(target=body, name="plyground speeds", daemon=True))
    asked, since = 0, time.process_time()
    while not done.wait(0.02):
        if len(at) != asked:
            asked, since = len(at), time.process_time()
        elif at and time.process_time() - since > seconds:
            name, state = at[-1]
            said = f"{name} has no answer compiled, after {seconds:g} seconds, in state {state}, and has one "
            return f"{said}as plain Python: {COMPILED_INTS}"
    return None
