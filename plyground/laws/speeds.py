"""Law of both speeds: compiled rules give the same answers as plain Python.

Each question is a function here that is compiled by itself, so that a difference is the fault of that rule alone.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from plyground.compiled.kernel import waited_for, why_nothing_compiles
from plyground.compiled.threads import start
from plyground.faults import in_words
from plyground.laws.asking import AnyGame, AnyState, BrokenLaw, CheckedGame, require
from plyground.laws.hints import chances
from plyground.rules import NO_MOVE, ONGOING


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
_OF_MOVES = ("play", "order", "is_noisy", "path", "move_signs", "notation_signs")
_OF_UNFINISHED = (
    "moves", "evaluate", "is_forced", "passed", "candidates", "pick", "repetition_value", "repetition_key", *_OF_MOVES,
)  # fmt: skip
_OF_CYCLES = ("repetition_value", "repetition_key")
_OF_NOISE = ("is_noisy", "is_forced")


def native_questions(ask: CheckedGame) -> dict[str, Callable[..., Any]]:
    """Returns the compiled questions; why one does not compile becomes a note."""
    if why := why_nothing_compiles() or ask.game.plain:
        ask.notes[f"only the plain rules were checked: {why}"] = None
        return {}
    native = waited_for(_compiler)
    questions: dict[str, Callable[..., Any]] = {}
    try:
        state = ask.state("initial")
        move = next(iter(ask("moves", state)), NO_MOVE)
    except BrokenLaw:  # the other laws report it
        return {}
    for name, question in COMPILED_QUESTIONS.items():
        if (name in _OF_CYCLES and not ask.game.repetition) or (name in _OF_NOISE and not ask.game.has_noise):
            continue
        if (name == "notation_signs" and not ask.game.has_notation) or (name == "notice" and not ask.game.has_notice):
            continue
        if name == "passed" and not ask.game.has_pass:
            continue
        try:
            questions[name] = waited_for(partial(_prepared, native, question, ask.game, state, move))
        except native.CannotCompile as fault:
            ask.notes[f"{name} has no compiled form, so this game is searched as plain Python: {fault}"] = None
        except Exception as fault:  # no fault of the author, unless another law reports one
            ask.notes[f"{name} was checked plain only, for the compiler failed at it ({in_words(fault)})"] = None
    return questions


def _compiler() -> Any:
    """Import the compiler. An interrupt during the import would leave LLVM broken, and crash the process."""
    from plyground.compiled import code  # here, because Numba takes half a second to import

    return code


def _prepared(native: Any, question: Callable[..., Any], game: AnyGame, state: AnyState, move: int) -> Any:
    compiled = native.Compiled(question, game)
    compiled.prepare(state, move)
    return compiled


def differences(
    ask: CheckedGame, states: list[AnyState], questions: dict[str, Callable[..., Any]]
) -> Iterator[BrokenLaw]:
    """Yields the first difference of each rule: its compiled form answers differently, or not at all."""
    found: dict[str, BrokenLaw] = {}
    at: list[tuple[str, AnyState]] = []
    """Questions and states so far; the last is being answered."""
    done = threading.Event()

    def work() -> None:
        for state in states:
            for name, compiled in questions.items():
                at.append((name, state))
                try:
                    if name not in found:
                        _require_same(ask, state, name, compiled)
                except BrokenLaw as broken:
                    found[name] = broken
        done.set()

    start(threading.Thread(target=work, name="plyground laws", daemon=True))  # compiled code cannot be stopped
    asked, since = 0, time.process_time()
    while not done.wait(0.1):
        if len(at) != asked:
            asked, since = len(at), time.process_time()
        elif at and time.process_time() - since > ask.time_limit.seconds:
            name, state = at[-1]
            seconds = ask.time_limit.seconds
            said = f"{name} has no answer compiled, after {seconds:g} seconds, in state {state}, and has one "
            found[name] = BrokenLaw(f"{name}, compiled", f"{said}as plain Python: {COMPILED_INTS}")
            break
    yield from list(found.values())


def _require_same(ask: CheckedGame, state: AnyState, name: str, compiled: Callable[..., Any]) -> None:
    """Compare the answers to one question in one state, for each move or random number that it takes."""
    if name in _OF_UNFINISHED and ask("outcome", state) != ONGOING:
        return
    plain = COMPILED_QUESTIONS[name]
    numbers: Sequence[int] = [NO_MOVE]
    if name in _OF_MOVES:
        numbers = ask.some_legal(state)
    elif name == "pick":
        numbers = chances(ask, state)
    for number in numbers:
        try:
            left = plain(ask.game, state, number)
        except Exception:  # reported by the rule's own law
            return
        try:
            right = compiled(state, number)
        except Exception as error:
            right = in_words(error)
        of_what = "" if number == NO_MOVE else f" for {number}" if name == "pick" else f", move {number}"
        said = f"{name} gives {left} as plain Python and {right} compiled, in state {state}{of_what}"
        require(left == right, f"{name}, compiled", f"{said}: {COMPILED_INTS}")
