"""What the verbs share: how a game and a position are named, and how answers are written."""

import json
from typing import Annotated

import typer

from plyground.games import AnyGame, game_named
from plyground.laws import require_lawful
from plyground.position import Position

GameName = Annotated[str, typer.Argument(help="tictactoe, mnk:5,5,4, ultimate:send=false or path/to/file.py:ClassName")]
PositionText = Annotated[
    str, typer.Argument(help="a position in text, or moves such as 'b2 a1'; the start if left out")
]
AsJson = Annotated[bool, typer.Option("--json", help="answer in JSON")]


def named_game(spec: str) -> AnyGame:
    """The game; one of somebody's own is first held against the laws for a moment."""
    game = game_named(spec)
    if ".py:" in spec:
        require_lawful(game)
    return game


def named_position(spec: str, text: str) -> Position:
    """The position that a game's name and a position's text mean."""
    return Position.parse(named_game(spec), text)


def first_of(game: str, first: str) -> str:
    """The game's spec with who begins as its option."""
    if first == "x":
        return game
    separator = "," if ":" in game.rpartition(".py:")[2] else ":"
    return f"{game}{separator}first={first}"


def print_json(answer: object) -> None:
    """One line of JSON on standard output."""
    print(json.dumps(answer, ensure_ascii=False))
