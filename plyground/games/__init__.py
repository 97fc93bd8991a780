"""The games, one file each, and the one list of them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any

from plyground.games.about import About, about
from plyground.games.amazons import Amazons
from plyground.games.breakthrough import Breakthrough
from plyground.games.chess import Chess, Gardner
from plyground.games.chomp import Chomp
from plyground.games.connectfour import ConnectFour
from plyground.games.domineering import Domineering
from plyground.games.dotsandboxes import DotsAndBoxes
from plyground.games.draughts import Draughts
from plyground.games.gomoku import Gomoku
from plyground.games.hex import Hex
from plyground.games.kalah import Kalah
from plyground.games.mnk import MNK
from plyground.games.morris import Morris
from plyground.games.nim import Nim
from plyground.games.pentago import Pentago
from plyground.games.reversi import Reversi
from plyground.games.ultimate import Ultimate
from plyground.rules import Game
from plyground.spec import Choice, Family, options

# A game of any kind of state.
AnyGame = Game[Any]


_Flying = Annotated[bool, "With three men left, move to any free point"]
_First = Annotated[str, "Who begins"]


def _tictactoe(first: _First = "x") -> MNK:
    return MNK(3, 3, 3, first)


def _three_mens_morris(
    flying: _Flying = False,
    first: _First = "x",
) -> Morris:
    return Morris(3, flying, first)


def _six_mens_morris(
    flying: _Flying = False,
    first: _First = "x",
) -> Morris:
    return Morris(6, flying, first)


def _maker(found: object, name: str) -> Callable[..., AnyGame] | None:
    return found if isinstance(found, type) and issubclass(found, Game) else None


GAMES: Family[AnyGame] = Family(
    "game",
    "plyground.games",
    (
        Choice("tictactoe", _tictactoe, "three in a row on 3 x 3"),
        Choice("connectfour", ConnectFour, "four in a row, dropped into columns: connectfour:width,height,k"),
        Choice("kalah", Kalah, "seeds sown round pits: kalah:pits,seeds; kalah:6,4,empty_capture=true"),
        Choice("ultimate", Ultimate, "nine boards in one; ultimate:send=false plays without sending"),
        Choice("mnk", MNK, "k in a row on any board to 19 x 19: mnk:rows,columns,k"),
        Choice(
            "gomoku", Gomoku, "five in a row on 15 x 15; gomoku:exact=true: no more than five; gomoku:rows,columns,k"
        ),
        Choice("pentago", Pentago, "five in a row on 6 x 6, where each move turns a quarter of the board"),
        Choice("reversi", Reversi, "enclosed discs turn, most discs win: reversi:size, an even one from 4"),
        Choice("hex", Hex, "join two sides of a rhombus: hex:size; hex:size,swap=true"),
        Choice("breakthrough", Breakthrough, "bring a piece across: breakthrough:rows,columns"),
        Choice("dotsandboxes", DotsAndBoxes, "close boxes, and draw again: dotsandboxes:rows,columns of boxes"),
        Choice("nim", Nim, "take from one heap, the last stone wins: nim:3/4/5; nim:3/4/5,misere=true"),
        Choice("chomp", Chomp, "bite squares off a bar, leave the poison: chomp:rows,columns"),
        Choice("domineering", Domineering, "set dominoes, upright against lying: domineering:rows,columns"),
        Choice("morris", Morris, "Nine Men's Morris: mills on three rings; morris:flying=false never flies"),
        Choice(
            "threemorris", _three_mens_morris, "Three Men's Morris; threemorris:flying=true moves to any free point"
        ),
        Choice("sixmorris", _six_mens_morris, "Six Men's Morris, on two rings; sixmorris:flying=true"),
        Choice(
            "amazons", Amazons, "queens move and shoot arrows, who is stuck loses: amazons:rows,columns; amazons:10,10"
        ),
        Choice("draughts", Draughts, "English draughts (checkers): chains of jumps, men and kings"),
        Choice("chess", Chess, "chess by its rules; positions are FEN with _ for blanks"),
        Choice("gardner", Gardner, "Gardner's minichess, on 5 x 5"),
    ),
    _maker,
    "a subclass of plyground.Game",
)
"""Every game, in the order in which they are offered."""


def _openspiel() -> Callable[..., AnyGame]:
    from plyground.games.openspiel import OpenSpiel  # here, for OpenSpiel takes a while to import

    return OpenSpiel


GUESTS: tuple[Choice[AnyGame], ...] = (
    Choice(
        "openspiel", _openspiel, "a game of OpenSpiel's, plain and slow: openspiel:tic_tac_toe", raw=True, later=True
    ),
)
"""The games of others: named like ours, and no part of the list that is offered."""


def game_named(text: str) -> AnyGame:
    """The game that a text names: one of `GAMES` with its options, or `path/to/file.py:ClassName` with its own.

    >>> game_named("mnk:5,5,4")
    MNK(rows=5, columns=5, k=4, first='x')

    Raises:
        BadInput: there is no such game, file, class or option.
    """
    return GAMES.named(text, *GUESTS)


def told_of(text: str) -> About:
    """What people are told of the game that a text names, with its options filled in.

    >>> told_of("mnk:9,9,5").title
    '5 in a row'

    Raises:
        BadInput: there is no such game, file, class or option.
    """
    game, name = game_named(text), text.partition(":")[0]
    choice = next((choice for choice in GAMES if choice.name == name), None)
    maker = choice.maker if choice else type(game)
    found = about(name, maker)
    given = {option.name: getattr(game, option.name) for option in options(maker) if hasattr(game, option.name)}
    return replace(found, title=found.title.format(**given), rules=found.rules.format(**given)) if choice else found
