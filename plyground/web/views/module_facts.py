"""Facts of a game's module for a published page: layout, texts and board."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from plyground.engine.chances import curve_of
from plyground.games import AnyGame, game_named
from plyground.learning.learned import Learned, is_shipped
from plyground.position import Position
from plyground.rules import LONGEST
from plyground.wasm import built
from plyground.wasm.entries import has_numbers
from plyground.web.views.models import Model, Named
from plyground.web.views.page_constants import constants
from plyground.web.views.positions import board, scale

_CUSTOM = 0
"""The id of a custom section of a module, which engines ignore."""


class Module(Model):
    """A game's module as one file, which pages fetch by its name."""

    name: str
    """A hash of the file: a file of this name never changes."""
    code: bytes
    """The module, with its facts in a section of their own, `facts`, as JSON."""


def module(args: Named) -> Iterator[Module]:
    """The module of a game, its facts in it.

    Raises:
        BadInput: there is no such game, or it cannot be built.
    """
    code, facts = brought(args.game)
    whole = code + section("facts", json.dumps(facts, ensure_ascii=False).encode())
    yield Module(name=hashlib.sha256(whole).hexdigest()[:32], code=whole)


def brought(spec: str, learned: str = "") -> tuple[bytes, dict[str, Any]]:
    """The module of a game, and its facts as JSON takes them (`Facts` in `page/src/worker/game.js`).

    Args:
        spec: the game's spec.
        learned: weights of an evaluation in place of the game's own: their file, or `learned` for those shipped.

    Raises:
        BadInput: there is no such game, or no such weights, or it cannot be built.
    """
    game = game_named(spec)
    if learned:
        game = Learned(game, learned)
    made = built(game)
    more = {
        "spec": spec,
        "fen": game.record == "pgn" and has_numbers(game),
        "pdn": game.record == "pdn" and has_numbers(game),
        "sgf": game.record == "sgf",
        "board": board(Named(game=spec)).model_dump(mode="json"),
        "scales": _scales(game),
        "unit": game.unit,
        "curve": curve_of(game),
        "constants": constants(),
    }
    if more["fen"] or more["pdn"]:
        more["quiet"] = getattr(game, "quiet", 0)
    if is_shipped(game):
        more["elsewhere"] = ["engine"]
    return made.code, made.facts | more


def _scales(game: AnyGame) -> list[str]:
    """What an estimate counts, by who is to move."""
    here, found = Position.initial(game), dict[int, str]()
    while here.outcome is None and len(found) < 2 and len(here.moves) < LONGEST:
        found.setdefault(here.to_move, scale(here))
        here = here.play(here.legal_moves[0])
    return [found.get(player, next(iter(found.values()))) for player in (0, 1)]


def section(name: str, data: bytes) -> bytes:
    """A section of a module that is not WebAssembly's: its kind, its size, its name with its size, and the data."""
    inside = _size(len(name)) + name.encode() + data
    return bytes([_CUSTOM]) + _size(len(inside)) + inside


def _size(number: int) -> bytes:
    """A number as modules have it (LEB128): seven bits a byte, the least first; the eighth says that more come."""
    last, rest = number & 0x7F, number >> 7
    return bytes([last | 0x80]) + _size(rest) if rest else bytes([last])
