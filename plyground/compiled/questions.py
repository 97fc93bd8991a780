"""Questions to a game as functions, each compiled by itself, so that a difference is that rule's.

`check` holds all of them in many states (`laws/speeds.py`), the compiler those of a user's game in some
(`agreement.py`).
"""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from plyground.compiled.threads import Completion
from plyground.compiler.backends.stack import DeepThread
from plyground.faults import error_words
from plyground.rules import NO_MOVE, Game
from plyground.timeouts import THREADS_ARE_THERE

# A game of any kind of state, and its states.
AnyGame = Game[Any]
AnyState = Any


# A compiled question returns ints, and a row has no fixed length: its length and a hash of it stand for it. 48 bits
# keep the products within 64.
def _hash_row(row: Iterator[int]) -> tuple[int, int]:
    """Number of ints in a row, and a hash of them in their order."""
    count, mixed = 0, 0
    for each in row:
        count, mixed = count + 1, (mixed * 31 + each) & 0xFFFFFFFFFFFF
    return count, mixed


# All with the same parameters, so that one loop asks them; each is compiled by itself, so that a difference names its
# rule.
def _ask_to_move(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.to_move(state)


def _ask_moves(game: AnyGame, state: AnyState, move: int) -> Any:
    return _hash_row(game.moves(state))


def _ask_play(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.play(state, move)


def _ask_outcome(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.outcome(state)


def _ask_evaluate(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.evaluate(state)


def _ask_order(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.order(state, move)


def _ask_is_noisy(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.is_noisy(state, move)


def _ask_is_forced(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.is_forced(state)


def _ask_pass_turn(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.pass_turn(state)


def _ask_bounds(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.bounds(state)


def _ask_candidates(game: AnyGame, state: AnyState, move: int) -> Any:
    return _hash_row(game.candidates(state))


def _ask_split_settled(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.split_settled(state)


def _ask_pick(game: AnyGame, state: AnyState, chance: int) -> Any:
    return game.pick(state, chance)


def _ask_canonical(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.canonical(state)


def _ask_tier(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.tier(state)


def _ask_repetition_value(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.repetition_value(state)


def _ask_repetition_key(game: AnyGame, state: AnyState, move: int) -> Any:
    return game.repetition_key(state)


def _ask_stands(game: AnyGame, state: AnyState, move: int) -> Any:
    return _hash_row(game.stands(state))


def _ask_strokes(game: AnyGame, state: AnyState, move: int) -> Any:
    return _hash_row(game.strokes(state))


def _ask_caption(game: AnyGame, state: AnyState, move: int) -> Any:
    return _hash_row(game.caption(state))


def _ask_notice(game: AnyGame, state: AnyState, move: int) -> Any:
    return _hash_row(game.notice(state))


def _ask_path(game: AnyGame, state: AnyState, move: int) -> Any:
    return _hash_row(game.path(state, move))


def _ask_state_signs(game: AnyGame, state: AnyState, move: int) -> Any:
    return _hash_row(game.state_signs(state))


def _ask_move_signs(game: AnyGame, state: AnyState, move: int) -> Any:
    return _hash_row(game.move_signs(state, move))


def _ask_notation_signs(game: AnyGame, state: AnyState, move: int) -> Any:
    return _hash_row(game.notation_signs(state, move))


COMPILED_INTS = "compiled ints have 64 bits and tuples no negative places"
COMPILED_QUESTIONS: dict[str, Callable[[AnyGame, AnyState, int], Any]] = {
    "to_move": _ask_to_move,
    "moves": _ask_moves,
    "play": _ask_play,
    "outcome": _ask_outcome,
    "evaluate": _ask_evaluate,
    "order": _ask_order,
    "is_noisy": _ask_is_noisy,
    "is_forced": _ask_is_forced,
    "pass_turn": _ask_pass_turn,
    "bounds": _ask_bounds,
    "candidates": _ask_candidates,
    "split_settled": _ask_split_settled,
    "pick": _ask_pick,
    "canonical": _ask_canonical,
    "tier": _ask_tier,
    "repetition_value": _ask_repetition_value,
    "repetition_key": _ask_repetition_key,
    "stands": _ask_stands,
    "strokes": _ask_strokes,
    "caption": _ask_caption,
    "notice": _ask_notice,
    "path": _ask_path,
    "state_signs": _ask_state_signs,
    "move_signs": _ask_move_signs,
    "notation_signs": _ask_notation_signs,
}
# Which questions need a legal move, and which an unfinished state, by the laws in `rules.py`.
MOVE_QUESTIONS = ("play", "order", "is_noisy", "path", "move_signs", "notation_signs")
UNFINISHED_STATE_QUESTIONS = (
    "moves", "evaluate", "is_forced", "pass_turn", "candidates", "pick", "repetition_value", "repetition_key",
    *MOVE_QUESTIONS,
)  # fmt: skip
PICTURE_QUESTIONS = ("stands", "strokes", "caption", "notice", "path", "state_signs", "move_signs", "notation_signs")
"""Questions that only a page asks in compiled form."""
CYCLE_QUESTIONS = ("repetition_value", "repetition_key")
NOISE_QUESTIONS = ("is_noisy", "is_forced")


def is_asked(game: AnyGame, name: str) -> bool:
    """Whether a game is asked a question: some only where states come again, or where it says that it answers them."""
    conditions = {
        **dict.fromkeys(CYCLE_QUESTIONS, game.repetition),
        **dict.fromkeys(NOISE_QUESTIONS, game.has_noise),
        "notation_signs": game.has_notation,
        "notice": game.has_notice,
        "pass_turn": game.has_pass,
    }
    return bool(conditions.get(name, True))


def first_difference(
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
            right = error_words(error)
        if left != right:
            of_what = "" if number == NO_MOVE else f" for {number}" if name == "pick" else f", move {number}"
            said = f"{name} gives {left} as plain Python and {right} compiled, in state {state}{of_what}"
            return f"{said}: {COMPILED_INTS}"
    return None


def ask_in_time(work: Callable[[list[tuple[str, AnyState]]], None], seconds: float) -> str | None:
    """Let a thread compare answers, since compiled code cannot be stopped; where there are none, without that limit.

    Args:
        work: compares; before each question it adds it and its state to the list that it is called with.
        seconds: of the processor, that one answer may take.

    Returns:
        None at its end; a sentence where a compiled answer has not come in time. The thread is then left alone.
    """
    at, done = list[tuple[str, AnyState]](), Completion()
    if not THREADS_ARE_THERE:
        work(at)
        return None

    def body() -> None:
        try:
            work(at)
        finally:
            done.set()

    # A thread and no process: compiled code lies in this one's memory. It cannot be stopped, so a late one is a daemon
    # that is left to itself.
    DeepThread(target=body, name="plyground speeds", daemon=True).start()
    asked, since = 0, time.process_time()
    # Processor time, so that a busy machine finds no rule late.
    while not done.wait(0.02):
        if len(at) != asked:
            asked, since = len(at), time.process_time()
        elif at and time.process_time() - since > seconds:
            name, state = at[-1]
            said = f"{name} has no answer compiled, after {seconds:g} seconds, in state {state}, and has one "
            return f"{said}as plain Python: {COMPILED_INTS}"
    return None
