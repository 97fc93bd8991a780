"""Law of equal answers: compiled rules give the same results as plain Python."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

from plyground.compiled.kernel import why_nothing_compiles
from plyground.compiled.questions import (
    COMPILED_QUESTIONS,
    MOVE_QUESTIONS,
    PICTURE_QUESTIONS,
    UNFINISHED_STATE_QUESTIONS,
    ask_in_time,
    first_difference,
    is_asked,
)
from plyground.faults import error_words
from plyground.laws.asking import AnyGame, AnyState, BrokenLaw, CheckedGame
from plyground.laws.hints import chances_for
from plyground.rules import NO_MOVE, ONGOING, Game

_TABLEBASE_QUESTIONS = ("tier",)
"""Questions that tablebases ask and no page does."""


def native_questions(ask: CheckedGame) -> dict[str, Any]:
    """Compile the questions of a game; those of the author that do not compile get a note with the reason."""
    if why := why_nothing_compiles() or ask.game.plain:
        ask.notes[f"only the plain rules were checked: {why}"] = None
        return {}
    from plyground.compiled import code  # here, because LLVM takes a moment to load

    questions: dict[str, Any] = {}
    try:
        state = ask.state("initial")
        move = next(iter(ask("moves", state)), NO_MOVE)
    except BrokenLaw:  # the other laws report it
        return {}
    refused: dict[str, list[str]] = {}
    # Each question is compiled by itself, so that one without a compiled form hides no difference of the others.
    for name in asked_of(ask.game):
        try:
            questions[name] = _compile_question(COMPILED_QUESTIONS[name], ask.game, state, move)
        except code.CannotCompile as fault:
            refused.setdefault(str(fault), []).append(name)
        except Exception as fault:  # no fault of the author, unless another law reports one
            ask.notes[f"{name} was checked plain only, for the compiler failed at it ({error_words(fault)})"] = None
    # The notes go by reasons: one helper that does not compile refuses all questions that call it, and is named once.
    for reason, names in refused.items():
        ask.notes[_uncompiled_note(_defined_by_author(names, ask.game) or names, reason)] = None
    return questions


def asked_of(game: AnyGame) -> list[str]:
    """List the questions with a compiled form that are asked of a game."""
    return [name for name in COMPILED_QUESTIONS if is_asked(game, name)]


def describe_speeds(game: AnyGame, compiled: Collection[str]) -> str:
    """Describe how a game's rules were checked: `plain and compiled`, or which of the author's are compiled.

    Args:
        game: the game.
        compiled: the questions whose compiled form was compared with the plain one.
    """
    if compiled and set(compiled).issuperset(asked_of(game)):
        return "plain and compiled"
    authors = _defined_by_author([name for name in asked_of(game) if name in compiled], game)
    return f"plain; compiled: {', '.join(authors)}" if authors else "plain"


def _defined_by_author(names: Iterable[str], game: AnyGame) -> list[str]:
    """Filter questions to those that the game's author has defined."""
    return [name for name in names if getattr(type(game), name) is not getattr(Game, name)]


def _uncompiled_note(names: list[str], reason: str) -> str:
    """Format the note that questions have no compiled form, with the consequences."""
    has = "has" if len(names) == 1 else "have"
    effects = ["searches that ask it run as plain Python"] if set(names).difference(PICTURE_QUESTIONS) else []
    effects += ["no page of it can be published"] if set(names).difference(_TABLEBASE_QUESTIONS) else []
    return f"{', '.join(names)} {has} no compiled form, so {' and '.join(effects)}: {reason}"


def _compile_question(question: Callable[..., Any], game: AnyGame, state: AnyState, move: int) -> Any:
    from plyground.compiled import code

    compiled = code.Compiled(question, game)
    compiled.prepare(state, move)
    return compiled


def compiled_differences(
    ask: CheckedGame, states: list[AnyState], questions: dict[str, Callable[..., Any]]
) -> Iterator[BrokenLaw]:
    """Yield the first difference of each rule: its compiled form answers differently, or not at all."""
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
                    if said := first_difference(ask.game, state, name, compiled, _arguments_for(ask, state, name)):
                        found[name] = BrokenLaw(f"{name}, compiled", said)
                except BrokenLaw as broken:
                    found[name] = broken

    # The question runs in a thread, which is left alone when it is late: compiled code hears of no signal and no
    # exception.
    if late := ask_in_time(work, ask.time_limit.seconds):
        name = at[-1][0]
        found[name] = BrokenLaw(f"{name}, compiled", late)
    yield from list(found.values())


def _arguments_for(ask: CheckedGame, state: AnyState, name: str) -> Sequence[int]:
    """List the moves or random numbers with which a question is asked in a state; none where it is not asked there."""
    if name in UNFINISHED_STATE_QUESTIONS and ask("outcome", state) != ONGOING:
        return ()
    return (
        ask.some_legal(state) if name in MOVE_QUESTIONS else chances_for(ask, state) if name == "pick" else (NO_MOVE,)
    )
