"""Files of learned weights: a line of JSON with their origin, and the weights, compressed; no code is run."""

import hashlib
import json
import lzma
import random
import sys
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from plyground.compiled.fingerprint import fingerprint
from plyground.errors import BadInput
from plyground.files import bytes_of_file, in_file, parse_json_object
from plyground.files.whole_file import write_whole
from plyground.games import AnyGame
from plyground.learning.network import FILLABLE, Network
from plyground.rules import ONGOING

_FIRST_LINES: Final = (b"plyground weights 1\n", b"plyground weights 2\n")
"""First lines of files; the second one is of networks that tell places that can be filled from other empty ones."""
_HEADER_MOST: Final = 1 << 20
_PLAYOUTS: Final = 8
"""Games of `playouts_hash`, and plies of each, at most."""
_PLIES: Final = 300
_DAMAGED: Final = "{file} is damaged or cut short: learn the weights anew, or copy the file again."


@dataclass(frozen=True, eq=False)
class LearnedWeights:
    """Weights that were learned for a game."""

    network: Network
    weights: "array[int]"
    """Weights in 1,024ths of a logit, 16 bits each, as `network` numbers them."""
    game: str
    """Name of the game, as people write it."""
    rules: str
    """Fingerprint of its rules."""
    made: Mapping[str, Any]
    """Origin of the weights: the command that makes them again, seed, games, plies, CPU seconds, `playouts_hash`."""
    strength: Mapping[str, Any]
    """Result of a match against the game's own evaluation; empty before one."""


def packed_weights(weights: "array[int]") -> bytes:
    """Weights as a file has them, compressed."""
    data = array("h", weights)
    if sys.byteorder == "big":
        data.byteswap()
    return lzma.compress(data.tobytes(), preset=6)


def write_weights(learned: LearnedWeights, file: Path) -> None:
    """Write a file of weights; the old file stays until the new one is whole.

    Raises:
        BadInput: the file cannot be written, as when the disk is full.
    """
    packed = packed_weights(learned.weights)
    header = {
        "game": learned.game,
        "rules": learned.rules,
        "made": dict(learned.made),
        "strength": dict(learned.strength),
        "weights": len(learned.weights),
        "sha256": hashlib.sha256(packed).hexdigest(),
        "network": learned.network.numbers,
    }
    first = _FIRST_LINES[learned.network.numbers[FILLABLE] > 0]
    write_whole(file, first + json.dumps(header).encode() + b"\n" + packed)


def read_weights(file: Path, game: AnyGame) -> LearnedWeights:
    """Weights for a game from a file, for rules of the same fingerprint, or with the same random games.

    Raises:
        BadInput: there is no such file, it holds no weights, is damaged, or its weights are for other rules.
    """
    found = weights_in(bytes_of_file(file), str(file))
    if found.rules != fingerprint(game) and found.made.get("playouts") != playouts_hash(game):
        raise BadInput(
            f"{file} was learned for {found.game}, with other rules or options than those of {game!r}: learn them anew."
        )
    return found


def weights_in(content: bytes, file: str) -> LearnedWeights:
    """Weights in the content of a file, whose rules are not compared; `file` is its name in errors.

    Raises:
        BadInput: it holds no weights, or is damaged.
    """
    if not content.startswith(_FIRST_LINES):
        raise BadInput(f"{file} is no file of weights: plyground learn GAME --out FILE makes one.")
    header, _, packed = content.partition(b"\n")[2].partition(b"\n")
    try:
        said = parse_json_object(header[:_HEADER_MOST])
        count = said["weights"]
        # Before anything is unpacked.
        damaged = hashlib.sha256(packed).hexdigest() != said["sha256"] or type(count) is not int
        name, rules, made, strength = said["game"], said["rules"], dict(said["made"]), dict(said["strength"])
        numbers = tuple(said["network"])
        damaged = damaged or not all(type(each) is int for each in numbers) or not isinstance(name, str)
    except (ValueError, KeyError, TypeError):
        damaged = True
    if damaged:
        raise BadInput(_DAMAGED.format(file=file))
    # `Network` checks that no index leaves the weights: compiled code reads them without a check.
    with in_file(Path(file)):
        network = Network(numbers)
    weights = array("h")
    try:
        # One byte more than the network needs: enough to see that there is too much, and no more memory than that.
        unpacked = lzma.LZMADecompressor().decompress(packed, max_length=2 * network.weights + 1)
        weights.frombytes(unpacked)
    except (lzma.LZMAError, ValueError, EOFError):
        raise BadInput(_DAMAGED.format(file=file)) from None
    if len(weights) != count or count != network.weights:
        raise BadInput(_DAMAGED.format(file=file))
    if sys.byteorder == "big":
        weights.byteswap()
    return LearnedWeights(network, weights, name, rules, made, strength)


def playouts_hash(game: AnyGame) -> str:
    """Hash of some random games: their moves, and the pieces, evaluation and outcome of each position.

    It is the same in each version of Python, and differs after most changes of the rules, the board or the evaluation.
    """
    chance, seen = random.Random("playouts"), hashlib.sha256()
    for _ in range(_PLAYOUTS):
        state = game.initial()
        for _ in range(_PLIES):
            outcome = game.outcome(state)
            seen.update(repr(([*game.stands(state)], game.to_move(state), outcome)).encode())
            if outcome != ONGOING:
                break
            # Sorted: the order in which rules list their moves is no part of the rules.
            moves = sorted(game.moves(state))
            seen.update(repr((game.evaluate(state), moves)).encode())
            state = game.play(state, chance.choice(moves))
    return seen.hexdigest()[:32]
