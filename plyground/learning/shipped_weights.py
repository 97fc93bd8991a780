"""Weights that are shipped with the package: for each game in which they are proved better than its own evaluation.

Each file is made by `plyground learn` and named by its game's spec. A game is found by its class and its options,
because the fingerprint of rules is one of bytecode, and differs between versions of Python. A test compares the rules
with those that a file was learned from, by `playouts_hash`.
"""

from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from plyground.errors import BadInput
from plyground.games import AnyGame, game_named
from plyground.learning.weights_file import LearnedWeights, read_weights, weights_in

SHIPPED_WEIGHTS: Final = ("amazons", "breakthrough", "connectfour", "draughts", "hex:7", "kalah", "reversi", "ultimate")
"""Specs of the games."""
LEARNED: Final = "learned"
"""The word that names the shipped weights of a game, where others are named by their file."""
OWN: Final = "own"
"""The word that names the game's own evaluation."""
OWN_FOR: Final = f"the engine with the game's own evaluation, not the learned one, in {', '.join(SHIPPED_WEIGHTS)}"


def shipped_file(spec: str) -> Traversable:
    """File of a game's weights in the package."""
    return files("plyground").joinpath(f"data/weights/{spec.replace(':', '-')}.weights")


def shipped_spec(game: AnyGame) -> str | None:
    """Spec of a game for which weights are shipped; None for other games."""
    for spec in SHIPPED_WEIGHTS:
        known = game_named(spec)
        # The classes are compared as well, because equality is the game's own to define.
        if type(known) is type(game) and known == game:
            return spec
    return None


@lru_cache(maxsize=16)
def shipped_weights(game: AnyGame) -> LearnedWeights:
    """The weights that are shipped for a game.

    Raises:
        BadInput: there are none.
    """
    spec = shipped_spec(game)
    if spec is None:
        raise BadInput(
            f"No learned evaluation is shipped for {game!r}, but for {', '.join(SHIPPED_WEIGHTS)}: "
            "plyground learn GAME --out FILE makes one, and eval=FILE names it."
        )
    return weights_in(shipped_file(spec).read_bytes(), spec)


def named_weights(named: Path | str, game: AnyGame) -> LearnedWeights:
    """Weights for a game: those in a file, or by the word `learned` those that are shipped.

    Raises:
        BadInput: there are none, or they are for other rules.
    """
    return shipped_weights(game) if named == LEARNED else read_weights(Path(named), game)
