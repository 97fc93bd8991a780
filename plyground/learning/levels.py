"""Weights that a machine keeps of games that it has learned in steps: after 1,000 games, after 10,000, as they are now.

A game has a folder, named by the fingerprint of its rules, so that other rules begin anew.
"""

from pathlib import Path
from typing import Any, Final

from platformdirs import user_data_path

from plyground.compiled.fingerprint import fingerprint
from plyground.errors import BadInput
from plyground.files import parse_json_object, text_of_file
from plyground.games import AnyGame
from plyground.learning.learned_rules import Learned, with_shipped
from plyground.learning.shipped_weights import LEARNED
from plyground.learning.weights_file import read_weights

MILESTONE_GAMES: Final = (1_000, 10_000, 100_000)
"""Games after which a copy of the weights stays: opponents of different strength."""
LATEST: Final = "now"
"""The level of all games so far."""
RUN_FILE: Final = "run.json"
"""File name of the record of a run: games, time, matches."""
RUN_KEYS: Final = {"game": str, "stage": str, "games": int, "plies": int, "seconds": float | int, "bytes": int,
                   "kept": list, "matches": list, "levels": dict}  # fmt: skip
"""Fields of a run's record, with their types."""


def runs_root() -> Path:
    """The folder of all games."""
    return user_data_path("plyground") / "learned"


def run_folder(game: AnyGame) -> Path:
    """The folder of a game, which need not exist."""
    return runs_root() / fingerprint(game)[:24]


def level_file(folder: Path, level: str) -> Path:
    """The file of the weights of a level: `1000`, `10000`, `100000` or `now`."""
    return folder / f"{level}.weights"


def learned_game(game: AnyGame, level: str) -> Learned[Any]:
    """A game with the weights of a level, or with those that are shipped, by the level `learned`.

    Raises:
        BadInput: there are none.
    """
    if level == LEARNED:
        return with_shipped(game)
    file = level_file(run_folder(game), level)
    # Only these words: the level comes from a link, and becomes a part of a path.
    if level not in (LATEST, *map(str, MILESTONE_GAMES)) or not file.is_file():
        raise BadInput("This game has not been learned for so long here.")
    return Learned(game, read_weights(file, game))


def read_run(file: Path) -> dict[str, Any]:
    """State of a learning run in its folder.

    Raises:
        BadInput: it cannot be read, or keeps no run.
    """
    try:
        found = parse_json_object(text_of_file(file))
        if not all(isinstance(found[name], kind) for name, kind in RUN_KEYS.items()):
            raise ValueError
    except BadInput:
        raise
    except (ValueError, KeyError):
        raise BadInput(f"{file} keeps no learning of a game.") from None
    return found
