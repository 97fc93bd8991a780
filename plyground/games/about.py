"""What people are told of a game before they play it: its name, its rules in two lines, a game to look at.

A name and rules may speak of options by `{name}`. Of a game of somebody's own, its class and docstring are told.
"""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class About:
    """A game in words."""

    title: str
    """What people call it."""
    group: str
    """With which others it stands."""
    rules: str
    """How it is played and won, in two or three short sentences."""
    example: str = ""
    """Moves that make a picture of it, from the beginning."""
    offer: str = ""
    """Its options, where it is offered with others than it has by itself."""


IN_A_ROW, COUNTING, LAND, PIECES, OWN = "In a row", "Counting", "Land", "Pieces that move", "More games"

_CHESS = "Each piece moves in its own way. Attack the enemy king so that it cannot get away: checkmate."
_MORRIS = "Set your men on free points, then slide them along the lines. Three in a line, a mill, take an enemy man."

ABOUT = {
    "tictactoe": About(
        "Tic-tac-toe",
        IN_A_ROW,
        "Take turns to mark a free square. Three of your marks in a row, across, down or slanting, win.",
        "b2 a1 c1 b1 a3",
    ),
    "mnk": About(
        "{k} in a row",
        IN_A_ROW,
        "Take turns to mark a free square. {k} of your marks in a row, across, down or slanting, win.",
        "e5 e6 f6 d5 d4 g7 c3 f5 b2",
        "9,9,5",
    ),
    "gomoku": About(
        "Gomoku",
        IN_A_ROW,
        "Take turns to set a stone on a free point. {k} of your stones in a row, in any direction, win.",
        "h8 i9 i8 g8 h9 h7 g10 j7 h10 h11 f10 i10 e11",
    ),
    "pentago": About(
        "Pentago",
        IN_A_ROW,
        "Set a stone, then turn a quarter of the board by a right angle. Five of your stones in a row win.",
        "e3-2< f4-4> e6-4> b1-4< b6-4< d5-4< c2-4> a5-4< c1-3> b2-1< f1-3<",
    ),
    "connectfour": About(
        "Connect Four",
        IN_A_ROW,
        "Drop a disc into a column: it falls as far as it can. {k} of yours in a row, in any direction, win.",
        "c d d e f e e f f b f",
    ),
    "ultimate": About(
        "Ultimate tic-tac-toe",
        IN_A_ROW,
        "Nine small boards make a large one. The square you mark is the board where the other must play next. "
        "Three small boards won, in a row, win.",
        "e5 f4 h2 e4 d2 c5 h4 f2 g5 a5 b4 e3 f8 h6 e7 e1 f1 i1 i2 i5 i4 h1 d1 b2",
    ),
    "kalah": About(
        "Kalah",
        COUNTING,
        "Take all seeds of one of your pits and sow them one by one, round the board. A last seed in your store: "
        "move again. Most seeds in store win.",
        "3 4 2 3 5",
    ),
    "dotsandboxes": About(
        "Dots and boxes",
        COUNTING,
        "Draw a line between two dots. Who closes a box has it and draws again. Most boxes win.",
        "a1a2 b2c2 b1c1 a4b4 b4c4 d1d2 a2b2 c4d4 b3c3 d3d4 d2d3 a2a3 c2d2 a3a4 a1b1 b1b2",
    ),
    "nim": About(
        "Nim",
        COUNTING,
        "Take one stone or more from one heap. Who takes the last stone of all wins, or loses if you choose so.",
        "1-2",
    ),
    "chomp": About(
        "Chomp",
        COUNTING,
        "Bite a square off the bar, and all that is right of it and below it. The first square is poison: leave it to "
        "the other.",
        "d3",
    ),
    "hex": About(
        "Hex",
        LAND,
        "Set a stone on any free place. x joins the top with the bottom, o the left with the right; one of them must.",
        "c3 b2 d1 a4 d2 e5 b5 e3 b4",
    ),
    "reversi": About(
        "Reversi",
        LAND,
        "Set a disc so that it encloses some of the other's in a line: they become yours. Most discs at the end win.",
        "e6 f4 c3 d6 e3 d3 c2 f6 c4 f3 g7 g6 f5",
    ),
    "domineering": About(
        "Domineering",
        LAND,
        "x sets dominoes upright, o lying. Who finds no room for one has lost.",
        "e5 e2 e3 c2 b1 c5 b5 b4 d3 c6",
    ),
    "amazons": About(
        "Amazons",
        LAND,
        "Move a queen, then let her shoot an arrow at a square, which is closed for good. Who cannot move has lost.",
        "b1-a1/c1 f5-e4/f3 f2-c5/c4 e4-d5/d3 e1-d1/f1 b6-b4/b3 a1-b2/d4",
    ),
    "breakthrough": About(
        "Breakthrough",
        PIECES,
        "Move a piece one step ahead, straight or slanting; capture only slanting. Reach the other end first.",
        "f2-f3 e7-f6 a2-b3 f6-g5 b3-b4 c7-b6 g1-f2 a7-a6 b4-b5 a6xb5",
    ),
    "draughts": About(
        "Draughts",
        PIECES,
        "Men step ahead, slanting, and must jump over enemies, which takes them. At the far end they become kings. "
        "Leave the other no move.",
        "11-16 23-18 8-11 27-23 9-13 31-27 10-15 21-17",
    ),
    "threemorris": About(
        "Three Men's Morris",
        PIECES,
        "Set three men each on free points, then move them along the lines. Three in a line win.",
        "b2 c3 b3 b1 c2 a2",
    ),
    "sixmorris": About(
        "Six Men's Morris",
        PIECES,
        f"{_MORRIS} Leave the other two men, or no move.",
        "c2 e3 c5 a3 c4 d2 b3 d4 d3 b4 a1 b2",
    ),
    "morris": About(
        "Men's Morris",
        PIECES,
        f"{_MORRIS} Leave the other two men, or no move.",
        "b4 f4 d7 a4 d2 d3 d5 d6 g4 c4 e4 d1 f6 b2",
    ),
    "chess": About("Chess", PIECES, _CHESS, "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6"),
    "gardner": About("Minichess", PIECES, f"{_CHESS} A whole game on 5 x 5 squares.", "c2c3 d4c3 b2c3 b4c3"),
}
"""By the name of the game."""


def about(name: str, maker: Callable[..., Any]) -> About:
    """What is told of a game; of one that is not shipped, what its class says, or else its file.

    >>> about("mine", type("Nim", (), {"__doc__": "Take stones.  The last one wins."}))
    About(title='Nim', group='More games', rules='Take stones. The last one wins.', example='', offer='')
    """
    if found := ABOUT.get(name):
        return found
    title, said = getattr(maker, "__name__", name), inspect.getdoc(maker) or ""
    if not said or said.startswith(f"{title}("):  # a data class without words has its fields there
        said = inspect.getdoc(inspect.getmodule(maker)) or ""
    first = said.split("\n\n")[0]
    return About(title, OWN, re.sub(r"\s+", " ", first).strip())
