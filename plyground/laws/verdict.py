"""A game is held against its laws in random games, and what was found is said; also when it is first used."""

import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout, suppress
from dataclasses import dataclass
from functools import partial

from plyground.blame import place_of
from plyground.compiled import cache
from plyground.compiled.fingerprint import fingerprint
from plyground.errors import BadInput
from plyground.laws import hints, people, rules
from plyground.laws.asking import AnyGame, AnyState, Asked, Broken, Late, Muted
from plyground.laws.form import broken_forms, changed, parts_of, slips
from plyground.laws.rules import random_game
from plyground.laws.speeds import differences, native_questions
from plyground.laws.words import in_64_bits, watched_game

STATES_AT_MOST = 1_000
"""How many states are held against the laws of one state; the random games are played to their ends all the same."""
AT_FIRST_USE = 0.5
"""Seconds for the laws when a game of someone's own is first used."""
GAMES_AT_FIRST_USE = 3
EDITION = 4
"""Raised when a law is added or becomes stricter: what was held to the laws before is held to them again."""
LAWS: list[Callable[[Asked, AnyState], None]] = [*rules.LAWS, *hints.LAWS, *people.LAWS]
"""Of one state."""


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
    """Whether the compiled rules were held against the plain ones, which is done once these keep the laws."""
    faults: tuple[Fault, ...]
    notes: tuple[str, ...] = ()
    """What is allowed, but better known: a rule that does not compile, and why; what was not looked at."""

    @property
    def ok(self) -> bool:
        """Whether every law holds on all that was looked at."""
        return not self.faults


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
    return _check(Asked(game), games, seed, on_game, thorough=True)


def _check(ask: Asked, games: int, seed: int, on_game: Callable[[], None] | None, thorough: bool) -> Verdict:
    """As plain Python, and then, if all is right so far and `thorough`, compiled in the same states."""
    game, chance = ask.game, random.Random(seed)
    faults: dict[str, Fault] = {}
    seen: dict[AnyState, None] = {}
    compared = False
    ask.notes |= dict.fromkeys(slips(game))
    for broken in broken_forms(game):
        _note(faults, game, broken)
    try:
        with ask.patience, _alone(ask, faults) if thorough else nullcontext():
            before = {} if "game" in faults else parts_of(game)
            watching = None if game.plain else ask.patience(watched_game, game)
            for _ in range(games):
                whole = _hold_one_game(ask, watching, faults, seen, chance)
                if on_game:
                    on_game()
                if not whole:
                    break
            for broken in changed(game, before):
                _note(faults, game, broken)
        if thorough and not faults:
            questions = native_questions(ask)
            compared = bool(questions)
            for broken in differences(ask, list(seen), questions):
                _note(faults, game, broken)
    except Late:
        states = f"{len(seen)} state{'s' if len(seen) != 1 else ''}"
        ask.notes[f"there was time to hold {states} of {type(game).__name__} against the laws"] = None
    if not faults:
        _remember(game)
    return Verdict(games, len(seen), compared, tuple(faults.values()), tuple(ask.notes))


def _hold_one_game(
    ask: Asked,
    watching: AnyGame | None,
    faults: dict[str, Fault],
    seen: dict[AnyState, None],
    chance: random.Random,
) -> bool:
    """Hold the states of a random game against the laws; whether another game may show more."""
    try:
        for state in random_game(ask, chance):
            if state not in seen and len(seen) < STATES_AT_MOST:
                seen[state] = None
                for law in LAWS:
                    _try(faults, law, ask, state)
                if watching and not faults:
                    _try(faults, partial(in_64_bits, game=watching), ask, state)
    except Broken as broken:
        _note(faults, ask.game, broken)
        return broken.args[0] in ("bounds", "play")
    return len(faults) < len(LAWS)


@contextmanager
def _alone(ask: Asked, faults: dict[str, Fault]) -> Iterator[None]:
    """Within it, rules have nobody to speak to: what they print is kept back, and who prints is a fault."""
    muted, sys.stdin, stdin = Muted(ask), None, sys.stdin
    try:
        with redirect_stdout(muted):
            yield
    finally:
        sys.stdin = stdin
    for question, place in muted.printed.items():
        _note(faults, ask.game, Broken(question, f"{question} prints: a rule answers, and says nothing else", place))


def _try(faults: dict[str, Fault], law: Callable[[Asked, AnyState], None], ask: Asked, state: AnyState) -> None:
    try:
        law(ask, state)
    except Broken as broken:
        _note(faults, ask.game, broken)


def _note(faults: dict[str, Fault], game: AnyGame, broken: Broken) -> None:
    """Keep the first fault against a law, with where the rule stands."""
    law, sentence, *place = broken.args
    where = (place[0] if place else None) or place_of(game, law.partition(",")[0])
    faults.setdefault(law, Fault(law, f"{sentence} ({where})" if where else sentence))


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
    ask = Asked(game, time.perf_counter() + AT_FIRST_USE)
    verdict = _check(ask, GAMES_AT_FIRST_USE, 0, None, thorough=False)
    if not verdict.ok:
        fault = verdict.faults[0]
        raise BadInput(f"{type(game).__name__} breaks the law of {fault.law}: {fault.sentence}.")
    return verdict.notes


def _record_of(game: AnyGame) -> str:
    """The name of the record that a game was held to the laws, and they held."""
    return f"lawful-{EDITION}-{fingerprint(game)}"


def _remember(game: AnyGame) -> None:
    with suppress(OSError):  # it costs time at the next use, no more
        cache.write(_record_of(game), b"lawful")
