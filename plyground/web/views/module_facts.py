"""Facts of a game's module for a published page: layout, texts and board."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from plyground.games import game_named
from plyground.learning.learned_rules import Learned
from plyground.wasm import build_module
from plyground.web.views.game_facts import game_facts
from plyground.web.views.models import Model, Named
from plyground.web.views.page_constants import constants

# Custom sections may stand anywhere in a module (WebAssembly core specification, section 5.5.3), so
# the facts come with it in one request.
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
    code, facts = module_and_facts(args.game)
    # The name is a hash of the content, so browsers may keep the file for good.
    whole = code + section("facts", json.dumps(facts, ensure_ascii=False).encode())
    yield Module(name=hashlib.sha256(whole).hexdigest()[:32], code=whole)


def module_and_facts(spec: str, learned: str = "") -> tuple[bytes, dict[str, Any]]:
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
    made = build_module(game)
    return made.code, game_facts(spec, game, made) | {"constants": constants()}


def section(name: str, data: bytes) -> bytes:
    """A section of a module that is not WebAssembly's: its kind, its size, its name with its size, and the data."""
    inside = _leb128(len(name)) + name.encode() + data
    return bytes([_CUSTOM]) + _leb128(len(inside)) + inside


def _leb128(number: int) -> bytes:
    """A number as modules have it (LEB128): seven bits a byte, the least first; the eighth says that more come."""
    last, rest = number & 0x7F, number >> 7
    return bytes([last | 0x80]) + _leb128(rest) if rest else bytes([last])
