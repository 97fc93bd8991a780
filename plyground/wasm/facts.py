"""What the JavaScript around a module must know of it: words of a state, and the places of a search's memory."""

from pathlib import Path
from typing import Any

from plyground.board.bits import flat
from plyground.errors import GameFault
from plyground.faults import in_words, is_own
from plyground.rules import LONGEST, MOST_MOVES, NO_MOVE, ONGOING, Game
from plyground.score import ESTIMATES, FINAL, INFINITY
from plyground.search import context, history, mcts, observer, pvs, repetition, retrograde, table
from plyground.wasm import recorder
from plyground.wasm.textbook import textbook_facts

Fault = tuple[type[BaseException], tuple[Any, ...], str]


def facts_of(game: Game[Any], faults: tuple[Fault, ...]) -> dict[str, Any]:
    """As JSON takes them; a state is written in text, for its words are ints of 64 bits."""
    words = flat(game.initial())
    return {
        "initial": [str(word) for word in words],
        "words": len(words),
        "repetition": game.repetition,
        "foresight": game.foresight,
        "notation": game.has_notation,
        "notice": game.has_notice,
        "faults": [_fault(game, *fault) for fault in faults],
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
            "CHOICE": context.CHOICE,
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
        "pvs": {"FOREVER": pvs.FOREVER, "WORTHWHILE": pvs.WORTHWHILE},
        "textbook": textbook_facts(game),
        "remembering": {"LAST": history.LAST},
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


def _fault(game: Game[Any], kind: type[BaseException], args: tuple[Any, ...], where: str) -> str:
    """What is said of an exception: its kind, and the message of one in a user's file; nothing if it stops a search."""
    if kind is observer.Stopped:
        return ""
    if issubclass(kind, GameFault):
        return str(kind(*args))
    file, _, line = where.rpartition(":")
    if not (file and is_own(file)):
        return f"A rule of {type(game).__name__} fails: {kind.__name__}."
    return f"A rule of {type(game).__name__} fails in {Path(file).name}, line {line}: {in_words(kind(*args))}."
