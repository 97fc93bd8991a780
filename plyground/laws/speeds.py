"""Law of both speeds: compiled rules give the same answers as plain Python."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from plyground.compiled.kernel import waited_for, why_nothing_compiles
from plyground.compiled.questions import (
    COMPILED_QUESTIONS,
    OF_MOVES,
    OF_UNFINISHED,
    ask_in_time,
    difference,
    is_asked,
)
from plyground.faults import in_words
from plyground.laws.asking import AnyGame, AnyState, BrokenLaw, CheckedGame
from plyground.laws.hints import chances
from plyground.rules import NO_MOVE, ONGOING


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
        if not is_asked(ask.game, name):
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

    def work(asked: list[tuple[str, AnyState]]) -> None:
        nonlocal at
        at = asked
        for state in states:
            for name, compiled in questions.items():
                asked.append((name, state))
                if name in found:
                    continue
                try:
                    if said := difference(ask.game, state, name, compiled, _numbers(ask, state, name)):
                        found[name] = BrokenLaw(f"{name}, compiled", said)
                except BrokenLaw as broken:
                    found[name] = broken

    if late := ask_in_time(work, ask.time_limit.seconds):
        name = at[-1][0]
        found[name] = BrokenLaw(f"{name}, compiled", late)
    yield from list(found.values())


def _numbers(ask: CheckedGame, state: AnyState, name: str) -> Sequence[int]:
    """Moves or random numbers for which a question is asked in a state; none where it is not asked there."""
    if name in OF_UNFINISHED and ask("outcome", state) != ONGOING:
        return ()
    return ask.some_legal(state) if name in OF_MOVES else chances(ask, state) if name == "pick" else (NO_MOVE,)
