"""Check of a game against all laws in random games; a short one at the first use of a user's game."""

import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout, suppress
from dataclasses import dataclass
from functools import partial

from plyground.compiled import cache
from plyground.compiled.fingerprint import fingerprint
from plyground.compiled.watched_ints import watched_game
from plyground.errors import ADDRESS, BadInput, check_arguments, no_input
from plyground.faults import place_of_definition
from plyground.games import as_game
from plyground.laws import hints, people, rules
from plyground.laws.asking import AnyGame, AnyState, BrokenLaw, CheckedGame, LawsTimedOut, MutedOutput
from plyground.laws.examples import hold_examples
from plyground.laws.form import broken_forms, changed_values, probable_slips, values_in_rules
from plyground.laws.rules import random_game
from plyground.laws.speeds import asked_of, compiled_differences, describe_speeds, native_questions
from plyground.laws.words import hold_64_bits

STATES_AT_MOST = 1_000
"""Most states that are checked by the laws of one state; random games beyond them are still played to their ends."""
SECONDS_AT_FIRST_USE = 0.5
"""Seconds of wall time for the check at the first use of a user's game."""
GAMES_AT_FIRST_USE = 3
EDITION = 6
"""Version of the laws, raised when one is added or becomes stricter: games that passed before are checked again."""
LAWS: list[Callable[[CheckedGame, AnyState], None]] = [*hints.HINT_LAWS, *people.BOARD_LAWS]
"""Laws of one state that rest on the rules, and are held only while these are right."""
RULES = {"initial", "to_move", "moves", "play", "outcome"}
"""Questions that are the rules: where one is wrong, most other laws break too, and are not reported."""
RESTS_ON = {
    "explain": {"evaluate"},
    "parse_state": {"state_signs"},
    "arrangement_text": {"state_signs", "parse_state"},
    "fen": {"state_signs", "parse_state"},
    "parse_move": {"move_signs"},
    "move_signs": {"path"},
    "notation_signs": {"move_signs"},
}
"""Questions whose default asks others: their faults are not reported where those are wrong."""
LONG_TUPLE = re.compile(r"\((-?\d+(?:, -?\d+){24,})\)")
"""Tuple of 25 ints or more, which a sentence cuts."""


@dataclass(frozen=True)
class Fault:
    """One law that a game breaks."""

    law: str
    """The question whose law is broken."""
    sentence: str
    """What is wrong, in which state, after which move, and where the rule stands."""
    place: str | None = None
    """File and line of the rule; None if it is not known."""


@dataclass(frozen=True)
class Verdict:
    """Result of a check.

    >>> import plyground as pg
    >>> verdict = pg.check("tictactoe", games=2)
    >>> verdict.ok, verdict.games, verdict.faults
    (True, 2, ())
    """

    games: int
    """Number of random games played."""
    states: int
    """Number of states checked."""
    compiled: bool
    """Whether every rule has a compiled form, which was compared with the plain one; that is done only if the plain
    ones keep the laws."""
    faults: tuple[Fault, ...]
    notes: tuple[str, ...] = ()
    """Facts that break no law: rules that do not compile, with the reason; laws that were not checked."""
    speeds: str = "plain"
    """Which of the rules were checked compiled as well: `plain and compiled`, or `plain; compiled: evaluate, path` with
    those of the author's."""

    @property
    def ok(self) -> bool:
        """Whether every law holds in all checked states."""
        return not self.faults

    @property
    def words(self) -> str:
        """Summary of the result and of its extent: `every law holds (20 games, 125 states, plain)`."""
        return f"{describe_breaches(len(self.faults))} ({self.games} games, {self.states} states, {self.speeds})"


def describe_breaches(broken: int) -> str:
    """Number of broken laws, in words."""
    return "every law holds" if not broken else "1 law is broken" if broken == 1 else f"{broken} laws are broken"


@check_arguments
def check(
    game: AnyGame | str,
    *,
    games: int = 100,
    seed: int = 0,
    on_game: Callable[[], None] | None = None,
    seconds: float | None = None,
) -> Verdict:
    """Check every law on states from seeded random play, plain and compiled.

    >>> check("nim:1/2/3", games=2).ok
    True

    Args:
        game: the game to check, or its name.
        games: how many random games to play.
        seed: of the random play; the same seed plays the same games.
        on_game: called after each game, for a progress bar.
        seconds: the time for all of it, after which a note says how many states there was time for; None for no limit.

    Returns:
        What was checked, and each broken law once, with the state and move that show it.
    """
    deadline = float("inf") if seconds is None else time.perf_counter() + seconds
    return _check(CheckedGame(as_game(game), deadline), games, seed, on_game, thorough=True)


def _check(ask: CheckedGame, games: int, seed: int, on_game: Callable[[], None] | None, thorough: bool) -> Verdict:
    """Check the plain rules, then with `thorough`, if they keep the laws, the compiled ones in the same states."""
    game, chance = ask.game, random.Random(seed)
    faults: dict[str, Fault] = {}
    seen: dict[AnyState, None] = {}
    speeds, played = describe_speeds(game, ()), 0
    ask.notes |= dict.fromkeys(probable_slips(game))
    for broken in broken_forms(game):
        _add_fault(faults, game, broken)
    if faults:  # what else is found would follow from these
        return Verdict(0, 0, False, tuple(faults.values()), tuple(ask.notes))
    try:
        with ask.time_limit, _mute_output(ask, faults) if thorough else nullcontext():
            # Taken before anything is played, and compared at the end: a list that rules change shows itself so.
            before = values_in_rules(game)
            _collect_broken(faults, people.hold_board, ask, None)
            _collect_broken(faults, lambda ask, _: hold_examples(ask), ask, None)
            # Rules that are never compiled may use ints of any size.
            watching = None if game.plain else ask.time_limit(watched_game, game)
            for _ in range(games):
                whole = _hold_one_game(ask, watching, faults, seen, chance)
                played += 1
                if on_game:
                    on_game()
                if not whole:
                    break
            for broken in changed_values(game, before):
                _add_fault(faults, game, broken)
        # Only if the plain rules keep the laws: a difference to wrong rules says nothing.
        if thorough and not faults:
            questions = native_questions(ask)
            speeds = describe_speeds(game, questions)
            for broken in compiled_differences(ask, list(seen), questions):
                _add_fault(faults, game, broken)
    except LawsTimedOut:
        games = played
        states = f"{len(seen)} state{'s' if len(seen) != 1 else ''}"
        ask.notes[f"there was time to hold {states} of {type(game).__name__} against the laws"] = None
    if not faults:
        _record_passed(game)
    is_whole = speeds == describe_speeds(game, asked_of(game))
    return Verdict(games, len(seen), is_whole, tuple(faults.values()), tuple(ask.notes), speeds)


def _hold_one_game(
    ask: CheckedGame,
    watching: AnyGame | None,
    faults: dict[str, Fault],
    seen: dict[AnyState, None],
    chance: random.Random,
) -> bool:
    """Check the states of one random game; return whether another game may show more."""
    try:
        for state in random_game(ask, chance):
            if state not in seen and len(seen) < STATES_AT_MOST:
                seen[state] = None
                for rule in rules.RULE_LAWS:
                    _collect_broken(faults, rule, ask, state)
                for law in () if RULES & faults.keys() else LAWS:
                    _collect_broken(faults, law, ask, state)
                if watching and not faults:
                    _collect_broken(faults, partial(hold_64_bits, game=watching), ask, state)
    except BrokenLaw as broken:
        if not faults:  # else a game may go on for ever because of what was found
            _add_fault(faults, ask.game, broken)
        # Other broken laws of a whole game would only come again in the next one.
        return broken.args[0] in ("bounds", "play")
    return len(faults) < len(LAWS)


@contextmanager
def _mute_output(ask: CheckedGame, faults: dict[str, Fault]) -> Iterator[None]:
    """Context that drops what rules print, and notes a fault for each rule that prints."""
    muted = MutedOutput(ask)
    with no_input(), redirect_stdout(muted):
        yield
    for question, place in muted.printed.items():
        _add_fault(
            faults, ask.game, BrokenLaw(question, f"{question} prints: a rule answers, and says nothing else", place)
        )


def _collect_broken(
    faults: dict[str, Fault], law: Callable[[CheckedGame, AnyState], None], ask: CheckedGame, state: AnyState
) -> None:
    try:
        law(ask, state)
    except BrokenLaw as broken:
        _add_fault(faults, ask.game, broken)


def _add_fault(faults: dict[str, Fault], game: AnyGame, broken: BrokenLaw) -> None:
    """Add the first fault of a law, with the rule's file and line, unless it follows from one that is there."""
    law, sentence, *place = broken.args
    where = (place[0] if place else None) or place_of_definition(game, law.partition(",")[0])
    if not where and law in people.MADE_OF_THE_BOARD:
        where = place_of_definition(game, "board")
    # One mistake, one sentence: what rests on a rule, or on a line, that is wrong already is not told.
    rests_on = RESTS_ON.get(law, set()) | ({"board"} if law not in RULES else set())
    is_told = where is not None and any(fault.place == where for fault in faults.values())
    if not is_told and not rests_on - {law} & faults.keys():
        said = LONG_TUPLE.sub(_shorten_numbers, ADDRESS.sub("", sentence))
        faults.setdefault(law, Fault(law, f"{said} ({where})" if where else said, where))


def _shorten_numbers(numbers: re.Match[str]) -> str:
    each = numbers[1].split(", ")
    return f"({', '.join(each[:8])}, … {len(each)} numbers)"


def require_lawful(game: AnyGame) -> tuple[str, ...]:
    """Check a user's game briefly at its first use: the plain rules, for at most `SECONDS_AT_FIRST_USE` seconds.

    A game that passed then, or in `check`, is not checked again until one of its rules changes.

    Returns:
        Facts that break no law, and what was not checked.

    Raises:
        BadInput: the game breaks a law; the sentence is the first fault's.
    """
    # The name has a fingerprint of the rules in it, so a changed rule finds no record.
    if cache.read(_record_of(game)) is not None:
        return ()
    ask = CheckedGame(game, time.perf_counter() + SECONDS_AT_FIRST_USE)
    verdict = _check(ask, GAMES_AT_FIRST_USE, 0, None, thorough=False)
    if not verdict.ok:
        fault = verdict.faults[0]
        raise BadInput(f"{type(game).__name__} breaks the law of {fault.law}: {fault.sentence}.")
    return verdict.notes


def _record_of(game: AnyGame) -> str:
    """Name of the file that records that a game has passed."""
    return f"lawful-{EDITION}-{fingerprint(game)}"


def _record_passed(game: AnyGame) -> None:
    with suppress(OSError):  # without it the next use is slower, no more
        cache.write(_record_of(game), b"lawful")
