"""Known exact results with their sources, compared with those of plyground.

`data/known-values.json` holds a list of entries: the game; what is asked (`value`: the utility for the first player;
`moves`: that of each first move; `scores`: in words, with plies; `perft`: sequences of 1, 2, … moves); the answer;
roughly what it costs to find; how sure it is; its kind; and where it is from; the position, if not the first.

There are two kinds. A `published` result stands in a paper, a book or a web page, which the source names; where
they tell less than the whole answer (who wins, not by how much), the source says so. A `reference` result was found by
separate programs written to test this one, and is published nowhere else.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from plyground.compiled.kernel import kernel
from plyground.exact.solver import Solver
from plyground.games import game_named
from plyground.position import Position
from plyground.search.observer import SILENT
from plyground.search.perft import perft
from plyground.search.table import SOLVING

COSTS = ("instant", "seconds", "minutes", "hours", "infeasible")
"""Costs of an answer, the cheapest first; an instant one is there within a second, compilation included."""
KNOWN_VALUE_KINDS = ("published", "reference")
"""Kinds of results: published by others, or found by separate programs of ours."""


@dataclass(frozen=True)
class KnownValue:
    """One known result."""

    game: str
    ask: str
    value: Any
    """Answer: an int, a list of ints, or a dict by the text of a move, depending on the question."""
    cost: str
    confidence: str
    kind: str
    """One of `KNOWN_VALUE_KINDS`."""
    source: str
    position: str = ""
    """Position that is asked about, in text; empty for the first one."""


def known_values() -> list[KnownValue]:
    """Every known result, of both kinds, in the order of the file."""
    text = files("plyground").joinpath("data/known-values.json").read_text(encoding="utf-8")
    return [KnownValue(**entry) for entry in json.loads(text)]


def compute_result(
    known: KnownValue, *, threads: int = 1, table: int = SOLVING, on_wait: Callable[[float], None] | None = None
) -> Any:
    """Result of plyground for a known result, in the same form."""
    game = game_named(known.game)
    position = Position.parse(game, known.position) if known.position else Position.initial(game)
    if known.ask == "perft":
        # Perft by the search alone and not by `engine/perft.py`: this room lies below the engine.
        run = kernel(perft, position.game)
        return [run(SILENT, position.state, depth + 1, 0) for depth in range(len(known.value))]
    every_move = known.ask != "value"
    # `book=False`: a value that a book looks up would be compared with itself.
    solver = Solver(
        position, prefer_shorter=known.ask == "scores", every_move=every_move, threads=threads, table=table, book=False
    )
    if known.ask == "value":
        return solver.value(on_wait)
    solution = solver.solve(on_wait)
    scores = {position.game.move_text(position.state, move): score for move, score in solution.moves}
    if known.ask == "moves":
        return {move: score.utility for move, score in scores.items()}
    return {move: score.text() for move, score in scores.items()}
