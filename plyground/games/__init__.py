"""The games, one file each, and the list of all of them."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from plyground.errors import WrongType, exempt_from_checks
from plyground.games.about import About, about
from plyground.games.amazons import AMAZONS
from plyground.games.breakthrough import BREAKTHROUGH
from plyground.games.chess import CHESS, GARDNER
from plyground.games.chomp import CHOMP
from plyground.games.connectfour import CONNECTFOUR
from plyground.games.domineering import DOMINEERING
from plyground.games.dotsandboxes import DOTSANDBOXES
from plyground.games.draughts import DRAUGHTS
from plyground.games.gomoku import GOMOKU
from plyground.games.hex import HEX
from plyground.games.international import INTERNATIONAL, RUSSIAN
from plyground.games.kalah import KALAH
from plyground.games.mnk import K_IN_A_ROW, TICTACTOE
from plyground.games.morris import MORRIS, SIXMORRIS, THREEMORRIS
from plyground.games.nim import NIM
from plyground.games.pentago import PENTAGO
from plyground.games.reversi import REVERSI
from plyground.games.ultimate import ULTIMATE
from plyground.rules import Game
from plyground.spec import Choice, Family, is_own, options

# A game of any kind of state.
AnyGame = Game[Any]


def _game_class(found: object, name: str) -> Callable[..., AnyGame] | None:
    return found if isinstance(found, type) and issubclass(found, Game) else None


def _prolog() -> Callable[..., AnyGame]:
    from plyground.games.prolog import Prolog  # here, for it needs psutil, which few games do

    return Prolog


def _gdl() -> Callable[..., AnyGame]:
    from plyground.games.prolog import Gdl

    return Gdl


GAMES: Family[AnyGame] = Family(
    "game",
    "plyground.games",
    (
        TICTACTOE,
        CONNECTFOUR,
        KALAH,
        ULTIMATE,
        K_IN_A_ROW,
        GOMOKU,
        PENTAGO,
        REVERSI,
        HEX,
        BREAKTHROUGH,
        DOTSANDBOXES,
        NIM,
        CHOMP,
        DOMINEERING,
        MORRIS,
        THREEMORRIS,
        SIXMORRIS,
        AMAZONS,
        DRAUGHTS,
        INTERNATIONAL,
        RUSSIAN,
        CHESS,
        GARDNER,
    ),
    _game_class,
    "a subclass of plyground.Game",
    also={
        "checkers": "draughts",
        "draughts10": "international",
        "othello": "reversi",
        "mancala": "kalah",
        "four": "connectfour",
        "noughtsandcrosses": "tictactoe",
        "ttt": "tictactoe",
        "c4": "connectfour",
        "fiveinarow": "gomoku",
        "ninemensmorris": "morris",
        "mill": "morris",
        "dots": "dotsandboxes",
    },
    elsewhere=(
        Choice("prolog", _prolog, "rules in Prolog, plain and slow: prolog:file.pl", raw=True, later=True),
        Choice("gdl", _gdl, "rules in the Game Description Language, likewise: gdl:file.kif", raw=True, later=True),
    ),
)
"""Every shipped game, in the order in which they are offered."""


def _openspiel() -> Callable[..., AnyGame]:
    from plyground.games.openspiel import OpenSpiel  # here, for OpenSpiel takes a while to import

    return OpenSpiel


GUESTS: tuple[Choice[AnyGame], ...] = (
    Choice(
        "openspiel", _openspiel, "a game of OpenSpiel's, plain and slow: openspiel:tic_tac_toe", raw=True, later=True
    ),
)
"""Games of other libraries: named like ours, but not in the list that is offered."""


def game_named(text: str) -> AnyGame:
    """Make the game that a text names: one of `GAMES` with its options, `path/to/file.py:ClassName` with its own, or
    `prolog:path/to/file.pl`.

    >>> game_named("mnk:5,5,4")
    MNK(rows=5, columns=5, k=4, first='x')

    Raises:
        BadInput: there is no such game, file, class or option.
    """
    # A user's file may change while the program runs, so what it names is made anew at each call.
    return _cached_game(text) if isinstance(text, str) and not is_own(text) else GAMES.make(text, *GUESTS)


exempt_from_checks(Game)


def as_game(game: object) -> AnyGame:
    """Return a game as it is, or make the one that a text names.

    Raises:
        BadInput: as `game_named`.
        WrongType: it is neither a game nor a text.
    """
    if isinstance(game, str):
        return game_named(game)
    if isinstance(game, Game):
        return game
    if isinstance(game, type):
        raise WrongType(f"{game.__name__} is a class: give a game, as in {game.__name__}().")
    raise WrongType(f"{game!r} is no game: give one, as in ConnectFour(), or its name, as in 'connectfour'.")


def game_text(game: AnyGame) -> str | None:
    """Format the spec of a game: its name in `GAMES`, with the options that are not defaults; None for other rules.

    >>> game_text(game_named("connectfour:6,5,4"))
    'connectfour:width=6,height=5'
    """
    for choice in GAMES.shipped:
        # First by equality, so that a game with options has its short name where it has one: 3,3,3 in a row is
        # tic-tac-toe.
        if not choice.later and choice.make() == game:
            return choice.name
    for choice in GAMES.shipped:
        if choice.make is type(game):
            values = ((each, getattr(game, each.name)) for each in options(choice.maker))
            said = ((each, str(value).lower() if each.kind == "bool" else str(value)) for each, value in values)
            return f"{choice.name}:{','.join(f'{each.name}={text}' for each, text in said if text != each.default)}"
    return None


@lru_cache(maxsize=256)
def _cached_game(text: str) -> AnyGame:
    """Make a shipped game once; its computed tables, which take a while, are then shared."""
    return GAMES.make(text, *GUESTS)


def describe_game(text: str) -> About:
    """Describe the game that a text names: title, rules and example, with its options filled in.

    >>> describe_game("mnk:9,9,5").title
    '5 in a row'

    Raises:
        BadInput: there is no such game, file, class or option.
    """
    game, name = game_named(text), text.partition(":")[0]
    choice = next((choice for choice in GAMES if choice.name == name), None)
    maker = choice.maker if choice else type(game)
    found = about(choice) if choice else about(Choice(name, maker, ""))
    given = {option.name: getattr(game, option.name) for option in options(maker) if hasattr(game, option.name)}
    if not choice:
        return found
    filled = {name: getattr(found, name).format(**given) for name in ("title", "rules", "details")}
    return replace(found, **filled)
