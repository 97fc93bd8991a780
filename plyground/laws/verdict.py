"""A game is held against its laws in random games, and what was found is said; also when it is first used."""

import random
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from plyground.blame import place_of
from plyground.compiled import cache
from plyground.compiled.fingerprint import fingerprint
from plyground.errors import BadInput
from plyground.laws import hints, people, rules
from plyground.laws.asking import AnyGame, AnyState, Asked, Broken, Late
from plyground.laws.rules import random_game
from plyground.laws.speeds import native_questions, same_at_both_speeds

STATES_AT_MOST = 1_000
"""How many states are held against the laws of one state; the random games are played to their ends all the same."""
AT_FIRST_USE = 0.5
"""Seconds for the laws when a game of someone's own is first used."""
GAMES_AT_FIRST_USE = 3
EDITION = 2
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
    """Whether the compiled rules were checked against the plain ones."""
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
    return _check(Asked(game), games, seed, on_game, compiled=True)


def _check(ask: Asked, games: int, seed: int, on_game: Callable[[], None] | None, compiled: bool) -> Verdict:
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
        questions = native_questions(ask) if compiled else {}
    try:
        for _ in range(games):
            try:
                for state in random_game(ask, chance):
                    if state not in seen and len(seen) < STATES_AT_MOST:
                        seen[state] = None
                        for law in LAWS:
                            _try(faults, law, ask, state)
                        for name, native in questions.items():
                            _try(faults, partial(same_at_both_speeds, name=name, compiled=native), ask, state)
            except Broken as broken:
                _note(faults, game, broken)
            played += 1
            if on_game:
                on_game()
            if "initial" in faults or len(faults) >= len(LAWS):
                break
    except Late:
        states = f"{len(seen)} state{'s' if len(seen) != 1 else ''}"
        ask.notes[f"there was time to hold {states} of {type(game).__name__} against the laws"] = None
    if not faults:
        _remember(game)
    return Verdict(games, len(seen), bool(questions), tuple(faults.values()), tuple(ask.notes))


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
    verdict = _check(ask, GAMES_AT_FIRST_USE, 0, None, compiled=False)
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
