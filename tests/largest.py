"""The largest questions for operations: long games, and texts of many words, of variations, of drawings, of files."""

import random
from collections.abc import Iterator
from typing import Any

import plyground as pg
from plyground.games import game_named
from plyground.play.notations import forms
from plyground.play.record import ROOT
from plyground.rules import can_arrange

Question = tuple[str, dict[str, Any]]
"""An operation and its arguments."""
LARGEST = {
    "mnk": "mnk:19,19,5",
    "reversi": "reversi:16",
    "hex": "hex:15",
    "connectfour": "connectfour:10,9,5",
    "breakthrough": "breakthrough:12,12",
    "domineering": "domineering:10,10",
    "amazons": "amazons:10,10",
    "nim": "nim:9/9/9",
    "chomp": "chomp:6,7",
}
"""Large boards of the games that have several sizes."""


def long_game(spec: str, plies: int, tries: int = 3) -> pg.Position:
    """The longest of some random games, which goes on."""
    found = pg.Position.initial(spec)
    for seed in range(tries):
        chosen, here = random.Random(seed), pg.Position.initial(spec)
        while len(here.moves) < plies and (after := here.play(chosen.choice(here.legal_moves))).outcome is None:
            here = after
        found = max(found, here, key=lambda each: len(each.moves))
    return found


def texts(spec: str, here: pg.Position, size: int) -> Iterator[tuple[str, str]]:
    """Texts that mean something in a game, of `size` characters or nearly so, by their kinds."""
    yield from ((form.name, form.text) for form in forms(spec, here))
    word, two = here.words[0], "".join(here.words[:2])
    yield "one word many times", " ".join([word] * (size // (len(word) + 1)))
    yield "words of two moves", " ".join([two] * (size // (len(two) + 1)))
    yield "lines of two moves", "\n".join([two] * (size // (len(two) + 1)))
    yield "variations", f"1. {word} " + f"({word}) " * ((size - 50) // (len(word) + 3))
    yield "variations of two moves", f"1. {word} " + f"({two}) " * ((size - 50) // (len(two) + 3))
    yield "nonsense", "zz " * (size // 3)
    yield "brackets", "(" * size


def text_questions(spec: str, here: pg.Position, size: int) -> Iterator[tuple[str, Question]]:
    """Requests of operations that read or write a text, by name."""
    for name, text in texts(spec, here, size):
        for op in ("edit", "record", "arrange"):
            yield f"{op} of {name}", (op, {"game": spec, "text": text[:size]})
    rows = [{"move": here.words[0], "after": ROOT}] * (size // 30)
    yield "record_file", ("record_file", {"game": spec, "moves": rows})
    game = game_named(spec)
    if can_arrange(game):
        places = len(here.board.places)
        pieces = {"pieces": [0] * places, "counts": [0] * places, "to_move": "x"}
        arranged = pieces | {"unseen": [0] * len(here.board.unseen)}
        yield "arrange", ("arrange", {"game": spec, "arranged": arranged})


def move_questions(spec: str, here: pg.Position) -> Iterator[tuple[str, Question]]:
    """Requests of operations that take the moves of a game."""
    at = {"game": spec, "moves": here.words}
    short = {"seconds": 0.1}
    recorded = at | {"algorithm": "minimax", "depth": 1}
    more: dict[str, dict[str, Any]] = {
        "position": at,
        "why_not": at | {"path": [0, 1]},
        "notations": at,
        "reply": at | {"player": "alphabeta:depth=1"},
        "analyse": at | short | {"depth": 1},
        "study": at,
        "review": at | short,
        "judge": at | short | {"opinion": 0.1, "move": here.legal_texts[0]},
        "explore": at,
        "race": at | short | {"depth": 1, "algorithms": ["minimax"]},
        "create": at,
        "tree": recorded,
        "boards": recorded | {"nodes": [0]},
        "node": recorded | {"path": []},
        "saved": recorded | {"path": []},
        "tree_file": recorded | {"form": "text"},
    }
    yield from ((op, (op, args)) for op, args in more.items())
