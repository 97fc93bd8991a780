"""Differential test of a user's rules and search: compiled against plain Python.

Compiled ints wrap around at 2**63, shifts go modulo 64, and `~` of a bool is no int there. So the rules of a class that
is not the package's answer in some positions of games played to their ends: as plain Python with ints that notice what
64 bits cannot hold (`watched_ints.py`), then compiled and plain (`questions.py`). Where an answer differs, all searches
of the game run as plain Python, and say why. It takes some hundredths of a second beside compiling the questions, and
its result is kept on disk under the fingerprint of the rules.

A user's search is compared by its value, its move and its counts in small searches.

What differs only in positions that did not come, as a product that outgrows 64 bits in one game of a million, is not
found so; `plyground check` looks at a thousand positions.
"""

import hashlib
import platform
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from inspect import isgenerator
from itertools import islice
from pathlib import Path
from typing import Any

from plyground.compiled import cache
from plyground.compiled.code import Compiled
from plyground.compiled.fingerprint import fingerprint
from plyground.compiled.questions import (
    COMPILED_INTS,
    COMPILED_QUESTIONS,
    MOVE_QUESTIONS,
    PICTURE_QUESTIONS,
    UNFINISHED_STATE_QUESTIONS,
    ask_in_time,
    first_difference,
    is_asked,
)
from plyground.compiled.watched_ints import TooWide, ask_watched, watched_calls, watched_game
from plyground.compiler.backends.backend import backend_edition
from plyground.faults import error_words, place_of_definition, user_place
from plyground.rules import LONGEST, MOST_MOVES, NO_MOVE, ONGOING, Game, own_rules
from plyground.search.algorithm import Algorithm, Query
from plyground.search.observer import Counting
from plyground.timeouts import TimeExceeded, TimeLimit

# Together less than a tenth of a second beside compiling, so a user's first search is not noticeably later. What they
# have no time for, `plyground check` looks at.
PLAYING_SECONDS, WATCHING_SECONDS, ASKING_SECONDS = 0.03, 0.02, 0.02
"""Seconds of the processor for playing games, asking with watched ints and comparing, so that a busy machine compares
as much; `FEWEST_STATES` states are asked at least."""
MOST_SAMPLED_GAMES, FEWEST_STATES, MOST_STATES = 20, 6, 60
"""Most games that are played; fewest and most states that are asked."""
# A loop that ends only when an int outgrows 64 bits never ends compiled, and a thread in it cannot be stopped.
COMPARED_ANSWER_SECONDS = 5.0
"""Seconds of the processor that one answer may take."""
COMPARED_NODES = 300
"""Nodes at most of a search that is compared."""
# The ends and the middle of its range, 0 below 2**32.
PICK_CHANCES = (0, 1 << 31, (1 << 32) - 1)
"""Random numbers with which `pick` is called."""
COMPARISON_EDITION = 1
"""Version of this comparison, raised when it becomes stricter."""
_verdicts: dict[str, str] = {}
"""Results in this process, by their names on disk."""


def find_difference(game: Game[Any], *, for_page: bool = False) -> str | None:
    """Where a game's own rules answer differently compiled and as plain Python, in a sentence with file and line.

    Args:
        game: the game. Of one around another, as for repetitions or a learned evaluation, the other is compared.
        for_page: whether what a page shows is compared as well.

    Returns:
        None for the package's own games, which its tests compare, and where no difference was found.
    """
    for rules in _rules_in(own_rules(game)):
        # The whole line of classes decides whose the game is: a subclass of a shipped game in a user's file is the
        # user's.
        if all(kind.__module__.split(".")[0] in ("plyground", "typing", "builtins") for kind in type(rules).__mro__):
            continue
        if said := _recall_comparison(rules, for_page=for_page):
            return said
    return None


def find_search_difference(algorithm: Algorithm, game: Game[Any], compiled: Callable[..., Any]) -> str:
    """Where a user's search gives another value, move or count compiled than as plain Python, in a sentence.

    Args:
        algorithm: its record.
        game: what it searches.
        compiled: the search, compiled for the game.

    Returns:
        Nothing where no difference was found, by searches of at most `COMPARED_NODES` nodes in a few positions.
    """
    # Not of the search alone: the same search may agree in one game and not in another, whose ints are larger.
    parts = [fingerprint(algorithm.search), fingerprint(game)]
    return _read_or_compare(parts, lambda: _compare_searches(algorithm, game, compiled))


def _compare_searches(algorithm: Algorithm, game: Game[Any], compiled: Callable[..., Any]) -> str:
    code, found = algorithm.search.__code__, list[str]()
    name, where = algorithm.search.__name__, f"{Path(code.co_filename).name}, line {code.co_firstlineno}"
    try:
        with TimeLimit(COMPARED_ANSWER_SECONDS) as limit:
            states = [state for state in limit(_sample_states, game) if game.outcome(state) == ONGOING]
    except (Exception, TimeExceeded):
        return ""

    def work(at: list[tuple[str, Any]]) -> None:
        until = time.thread_time() + ASKING_SECONDS
        # Every state of the first ones at depth 3 in any case; deeper and shallower while there is time.
        for number, (depth, state) in enumerate(
            (depth, state) for depth in (3, 2, 1, 4) for state in states[:FEWEST_STATES]
        ):
            if number >= FEWEST_STATES and time.thread_time() > until:
                return
            at.append((name, state))
            query, counts = Query(game, state, depth), (Counting.fresh(COMPARED_NODES), Counting.fresh(COMPARED_NODES))
            try:
                left = algorithm.prepare_run(query, counts[0], partial(algorithm.search, game))()
            except Exception:  # the search that was asked for says what fails, or it has too many nodes
                continue
            try:
                right = algorithm.prepare_run(query, counts[1], compiled)()
            except Exception as error:
                right = error_words(error)
            # Counts are compared too: a search that cuts off elsewhere when compiled often has the same value.
            if left != right or bytes(counts[0].counts) != bytes(counts[1].counts):
                nodes = f"{counts[0].nodes} and {counts[1].nodes} nodes"
                said = f"{name} gives {left} as plain Python and {right} compiled ({nodes}), at depth {depth} in state"
                found.append(f"{where}: {said} {state}: {COMPILED_INTS}.")
                return

    late = ask_in_time(work, COMPARED_ANSWER_SECONDS)
    return f"{where}: {late}." if late else next(iter(found), "")


def _rules_in(game: Game[Any]) -> Iterator[Game[Any]]:
    """The game and games that it is made around."""
    yield game
    for value in getattr(game, "__dict__", {}).values():
        if isinstance(value, Game):
            # A game around another one, as for repetitions or a learned evaluation, is the package's; the rules to
            # compare are inside.
            yield from _rules_in(own_rules(value))


def _recall_comparison(game: Game[Any], *, for_page: bool) -> str:
    """The sentence about a game, from this process or the disk, or found now; empty where there is none."""
    return _read_or_compare([fingerprint(game), for_page], lambda: _compare_rules(game, for_page=for_page))


def _read_or_compare(depends_on: Sequence[object], compare: Callable[[], str]) -> str:
    """A result, from this process or the disk, or made now, by all that it depends on besides the compiler."""
    parts = [COMPARISON_EDITION, backend_edition(), platform.machine(), *depends_on]
    # The compiler's edition and the machine are parts of the name: a new back end compares again.
    name = f"alike-{hashlib.sha256(repr(parts).encode()).hexdigest()[:32]}"
    if name not in _verdicts:
        kept = cache.read(name)
        _verdicts[name] = compare() if kept is None else kept.decode()
        if kept is None:
            with suppress(OSError):
                cache.write(name, _verdicts[name].encode())
    return _verdicts[name]


def _compare_rules(game: Game[Any], *, for_page: bool) -> str:
    kind, states, found = type(game), list[Any](), list[str]()
    names = [name for name in COMPILED_QUESTIONS if getattr(kind, name) is not getattr(Game, name)]
    # Questions that no search asks are not compiled for it, which would take as long as the search.
    names = [name for name in names if is_asked(game, name) and (for_page or name not in PICTURE_QUESTIONS)]
    try:
        with TimeLimit(COMPARED_ANSWER_SECONDS) as limit:
            states = limit(_sample_states, game)
            # Generators are looked for first: compiling such a rule would crash LLVM, which ends the process.
            if said := _find_generator(game, states, names, limit) or _find_wide_int(game, states, set(names), limit):
                return said
    except (Exception, TimeExceeded):  # the search says what fails there
        return ""
    questions = {name: compiled for name in names if (compiled := _compile_question(name, game, states[0]))}

    def work(at: list[tuple[str, Any]]) -> None:
        until = time.thread_time() + ASKING_SECONDS
        for number, state in enumerate(states):
            if number >= FEWEST_STATES and time.thread_time() > until:
                return
            moves = _some_moves(game, state)
            for name, compiled in questions.items():
                # The laws ask these questions of unfinished states alone; the rules may answer anything elsewhere.
                if moves is None and name in UNFINISHED_STATE_QUESTIONS:
                    continue
                at.append((name, state))
                numbers = (moves or ()) if name in MOVE_QUESTIONS else PICK_CHANCES if name == "pick" else (NO_MOVE,)
                if (moves is not None or name != "pick") and (
                    said := first_difference(game, state, name, compiled, numbers)
                ):
                    found.append(_place_sentence(game, name, said))
                    return

    late = ask_in_time(work, COMPARED_ANSWER_SECONDS)
    return _place_sentence(game, late.partition(" ")[0], late) if late else next(iter(found), "")


def _sample_states(game: Game[Any]) -> list[Any]:
    """States of games from the first position to the end: one by the first moves, one by the last ones, then random
    ones. The first states of the list are the initial one, and the last one of each of the first games; others follow
    in random order, since not all may be asked."""
    # The seed is fixed: the verdict is stored under the fingerprint, so it has to be the same in every process.
    chance, until = random.Random(0), time.thread_time() + PLAYING_SECONDS
    first, ends, others = game.initial(), dict[Any, None](), dict[Any, None]()
    for number in range(MOST_SAMPLED_GAMES):
        state = first
        for _ in range(LONGEST):
            moves = [] if game.outcome(state) != ONGOING else [*islice(game.moves(state), MOST_MOVES)]
            if not moves or time.thread_time() > until:
                break
            others[state] = None
            # The first two games go by the first moves and by the last ones, which random games seldom play throughout.
            state = game.play(state, (moves[0], moves[-1], chance.choice(moves))[min(number, 2)])
        ends[state] = None
        if time.thread_time() > until:
            break
    rest = [state for state in others if state != first and state not in ends]
    chance.shuffle(rest)
    return [first, *islice((state for state in ends if state != first), FEWEST_STATES - 1), *rest][:MOST_STATES]


def _some_moves(game: Game[Any], state: Any) -> list[int] | None:
    """The first and the last two legal moves; None where the game is over."""
    if game.outcome(state) != ONGOING:
        return None
    moves = [*islice(game.moves(state), MOST_MOVES)]
    return moves if len(moves) <= 4 else moves[:2] + moves[-2:]


def _find_generator(game: Game[Any], states: list[Any], names: list[str], limit: TimeLimit) -> str:
    """The first rule that yields where an answer is meant, in a sentence: code of such a rule alone crashes LLVM."""
    state = next(state for state in states if game.outcome(state) == ONGOING)
    move = next(iter(game.moves(state)))
    for name in names:
        with suppress(Exception):
            if isgenerator(limit(COMPILED_QUESTIONS[name], game, state, move)):
                return _place_sentence(game, name, f"{name} yields where it has to return its answer")
    return ""


def _find_wide_int(game: Game[Any], states: list[Any], names: set[str], limit: TimeLimit) -> str:
    """The first int in a rule that does not fit 64 bits, in a sentence; empty where all do."""
    watching, until = watched_game(game), time.thread_time() + WATCHING_SECONDS
    for number, state in enumerate(states):
        if number >= FEWEST_STATES and time.thread_time() > until:
            break
        for question, args in watched_calls(state, _some_moves(game, state)):
            if question not in names:
                continue
            try:
                limit(ask_watched, watching, question, args)
            except TooWide as error:
                return _place_sentence(game, question, error.sentence(question, state, args), user_place(error))
            except (Exception, TimeExceeded):
                continue
    return ""


def _compile_question(name: str, game: Game[Any], state: Any) -> Compiled | None:
    """A question, compiled; None where it cannot be: then no search that asks it is."""
    try:
        compiled = Compiled(COMPILED_QUESTIONS[name], game)
        compiled.prepare(state, NO_MOVE)
    except Exception:  # the compiler of the search says why
        return None
    return compiled


def _place_sentence(game: Game[Any], question: str, said: str, place: str | None = None) -> str:
    where = place or place_of_definition(game, question) or type(game).__name__
    return f"{where}: {said}."
