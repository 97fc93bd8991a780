"""Facts of a module for the JavaScript around it: words of a state, and the layout of searches' memory."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.board.bits import flat
from plyground.errors import GameFault
from plyground.faults import error_words, is_own
from plyground.rules import LONGEST, MOST_MOVES, NO_MOVE, ONGOING, Game
from plyground.score import ESTIMATES, FINAL, INFINITY
from plyground.search import context, history, mcts, observer, pvs, repetition, retrograde, table
from plyground.wasm import recorder
from plyground.wasm.textbook import textbook_facts

if TYPE_CHECKING:  # else it loads LLVM
    from plyground.compiler.frontend import FaultSite


def facts_of(game: Game[Any], faults: "Sequence[FaultSite]") -> dict[str, Any]:
    """Collect the facts of a game's module, of JSON's kinds of values.

    The words of the initial state are texts, because JavaScript would round ints of 64 bits.
    """
    words = flat(game.initial())
    return {
        "initial": [str(word) for word in words],
        "words": len(words),
        "repetition": game.repetition,
        "foresight": game.foresight,
        "notation": game.has_notation,
        "notice": game.has_notice,
        "faults": [_fault_sentence(game, site) for site in faults],
        # Constants and indices that both languages need are Python's and go along as data, so that no number stands in
        # JavaScript again.
        "rules": {"ONGOING": ONGOING, "NO_MOVE": NO_MOVE, "LONGEST": LONGEST, "MOST_MOVES": MOST_MOVES},
        "score": {"FINAL": FINAL, "ESTIMATES": ESTIMATES, "INFINITY": INFINITY},
        "counts": {
            "NODES": observer.NODES,
            "LEAVES": observer.LEAVES,
            "HORIZON": observer.HORIZON,
            "CUTOFFS": observer.CUTOFFS,
            "TRIED": observer.TRIED,
            "BUDGET": observer.BUDGET,
            "FIRST": observer.FIRST_CUTOFFS,
            "DEEPEST": observer.DEEPEST,
            "ROOM": observer.BRANCHES + observer.PLIES,
        },
        "scratch": {
            "GUESSES": context.GUESSES,
            "CHOICE": context.ROOT_MOVE,
            "SHARED": context.SHARED,
            "STACK": context.STACK,
            "LINE": context.LINE,
            "ROOM": context.SCRATCH + (repetition.line_room(game.initial()) if game.repetition else 0),
        },
        "table": {
            "MASK": table._MASK,
            "HEAD": table._HEAD,
            "ENTRY": table.entry_words(len(words)),
        },
        "pvs": {"FOREVER": pvs.FOREVER, "WORTHWHILE": pvs.LEAST_SHARED_DEPTH},
        "textbook": textbook_facts(game),
        "remembering": {"LAST": history.HISTORY_LENGTH},
        "writing": {
            "IS_WRITTEN": recorder.IS_WRITTEN,
            "HERE": recorder.HERE,
            "BRANCH": recorder.BRANCH,
            "HEAD": recorder.HEAD,
            "FIELDS": recorder.FIELDS,
        },
        "graph": {
            "HEAD": retrograde.HEAD,
            "COUNT": retrograde.COUNT,
            "STATE_ROOM": retrograde.STATE_ROOM,
            "EDGE_ROOM": retrograde.EDGE_ROOM,
            "WORST": retrograde.WORST_REPETITION,
            "BEST": retrograde.BEST_REPETITION,
            "ALL_LISTED": retrograde.ALL_LISTED,
            "NO_STATE_ROOM": retrograde.NO_STATE_ROOM,
        },
        "mcts": {
            "SIZE": mcts._SIZE,
            "CHANCE": mcts._CHANCE,
            "SPACE": mcts._ROOM,
            "HEAD": mcts._HEAD,
            "FIELDS": mcts.FIELDS,
            "VISITS": mcts.VISITS,
            "SUM": mcts.SUM,
            "MOVE": mcts.MOVE,
            "CHILD": mcts.CHILD,
            "CHILDREN": mcts.CHILDREN,
            "CERTAIN": mcts.CERTAIN,
            "EXPLORATION": mcts.EXPLORATION,
            "LINE": mcts.LINE,
            "ROOM": mcts.LINE + (repetition.line_room(game.initial()) if game.repetition else 0),
        },
    }


def _fault_sentence(game: Game[Any], site: "FaultSite") -> str:
    """Format an exception as a sentence: its kind, and the message of one in a user's file; empty for a stop."""
    # A spent budget of nodes is no mistake, so there is nothing to say.
    if site.error is observer.Stopped:
        return ""
    if issubclass(site.error, GameFault):
        return str(site.exception())
    fails = f"A rule of {type(game).__name__} fails"
    if not is_own(site.file):
        return f"{fails}: {site.error.__name__}."
    return f"{fails} in {Path(site.file).name}, line {site.line}: {error_words(site.exception())}."
