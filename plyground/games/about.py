"""Descriptions of the games for people: title, rules in short and in full, and an example game.

Title, rules and details may contain options as `{name}`. A user's game is described by its class name and docstring.
"""

import inspect
import re
from dataclasses import dataclass
from functools import partial
from typing import Any

from plyground.spec import Choice, name_in_user_file


@dataclass(frozen=True)
class About:
    """Description of a game."""

    title: str
    """Name of the game for people."""
    group: str
    """Heading under which the game is listed."""
    rules: str
    """How the game is played and won, in two or three short sentences."""
    example: str = ""
    """Moves from the beginning to the position of its picture."""
    offer: str = ""
    """Options with which the game is offered, if they are not its defaults."""
    details: str = ""
    """All its rules in a paragraph, for people who have never played it; empty where `rules` has them all."""


IN_A_ROW, COUNTING, LAND, PIECES, OWN = (
    "Three, four, five in a row",
    "Kalah, Nim, dots and boxes",
    "Reversi, Hex and territory",
    "Chess, draughts and morris",
    "More games",
)


@dataclass(frozen=True)
class ShippedGame(Choice[Any]):
    """A shipped game in the list of games, with its description."""

    about: About | None = None


def offered_spec(choice: Choice[Any]) -> str:
    """Return the spec of a game as it is offered to people: its name, with options where its defaults are small.

    >>> offered_spec(Choice("mine", type("Nim", (), {"__doc__": "Take stones."}), ""))
    'mine'
    """
    options = about(choice).offer
    return f"{choice.name}:{options}" if options else choice.name


def about(choice: Choice[Any]) -> About:
    """Return the description of a game; for one that is not shipped, from its class's docstring or its module's.

    >>> about(Choice("mine", type("Nim", (), {"__doc__": "Take stones.  The last one wins."}), ""))
    About(title='Nim', group='More games', rules='Take stones. The last one wins.', example='', offer='', details='')
    """
    if isinstance(choice, ShippedGame) and choice.about:
        return choice.about
    maker = choice.maker
    title = getattr(maker, "__name__", choice.name)
    if isinstance(maker, partial):  # what a file of another language holds has the file's name alone
        maker, title = maker.func, name_in_user_file(choice.name)
    said = inspect.getdoc(maker) or ""
    if not said or said.startswith(f"{title}("):  # a data class without words has its fields there
        said = inspect.getdoc(inspect.getmodule(maker)) or ""
    # The first paragraph alone: what follows is mostly for programmers.
    first = said.split("\n\n")[0]
    return About(title, OWN, re.sub(r"\s+", " ", first).strip())
