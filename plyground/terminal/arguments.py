"""Shared parts of the verbs: reading games and positions, printing answers."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated

import typer

from plyground.compiled.kernel import plain_speed_told
from plyground.errors import BadInput
from plyground.games import GAMES, AnyGame, game_named
from plyground.laws.verdict import require_lawful
from plyground.play.notations import position_in
from plyground.play.player import Player
from plyground.players import PLAYERS
from plyground.position import Position
from plyground.search import ALGORITHMS
from plyground.terminal.board import err
from plyground.workers.scheduler import is_encrypted

INTERRUPTED = 130
"""The exit code of what Ctrl-C ended, as shells have it."""


def completed_game(incomplete: str) -> list[tuple[str, str]]:
    """The games whose names begin so, for a shell that completes a word."""
    return [(choice.name, choice.summary) for choice in GAMES if choice.name.startswith(incomplete)]


def completed_player(incomplete: str) -> list[tuple[str, str]]:
    """The players whose names begin so."""
    return [(choice.name, choice.summary) for choice in PLAYERS if choice.name.startswith(incomplete)]


def warned_unless_encrypted(scheduler: str) -> str:
    """The address of a scheduler; a warning unless it speaks TLS."""
    if scheduler and not is_encrypted(scheduler):
        err.print(
            f"plyground: Without TLS, everyone who reaches {scheduler} or its workers can run code there; "
            f"with certificates the address begins with tls://.",
            markup=False,
        )
    return scheduler


GameName = Annotated[
    str,
    typer.Argument(
        help="tictactoe, mnk:5,5,4, ultimate:send=false or path/to/file.py:ClassName", autocompletion=completed_game
    ),
]
PositionText = Annotated[
    str, typer.Argument(help="moves such as 'b2 a1', '44435' or '1. d d 2. d c', or a position; the start if left out")
]
_SHIPPED = [choice.maker() for choice in ALGORITHMS.shipped]
ALGORITHM_HELP = f"{', '.join(each.name for each in _SHIPPED)}, or path/to/file.py:function"
COMPARED_HELP = (
    f"{', '.join(each.name for each in _SHIPPED if each.looks_ahead)}, path/to/file.py:function, or program:COMMAND, "
    "which answers `STATE DEPTH` by `VALUE MOVE NODES`"
)
RECORDED_HELP = f"{', '.join(each.name for each in _SHIPPED if each.is_recorded)}, or path/to/file.py:function"
Jobs = Annotated[int, typer.Option(help="processes of this machine; 0: one for each processor")]
Scheduler = Annotated[
    str,
    typer.Option(
        help="the Dask scheduler whose workers do it instead: tls://host:8786", callback=warned_unless_encrypted
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="answer in JSON")]


def named_game(spec: str) -> AnyGame:
    """The game that a text names; a user's game is checked against the laws briefly when it is first used."""
    game = game_named(spec)
    if ".py:" in spec:
        for note in require_lawful(game):
            err.print(f"plyground: {note}; plyground check {spec} looks at all of it.", markup=False)
    return game


def named_position(spec: str, text: str) -> Position:
    """The position that a game's name and a position's text mean."""
    return position_in(named_game(spec), text)


def seat_of(side: str) -> int:
    """The seat that --as names: 0 for x, 1 for o."""
    if side not in ("x", "o"):
        raise BadInput(f"--as {side}: x or o.")
    return "xo".index(side)


def first_of(game: str, first: str) -> str:
    """The game's spec with who begins as its option."""
    if first == "x":
        return game
    separator = "," if ":" in game.rpartition(".py:")[2] else ":"
    return f"{game}{separator}first={first}"


_told: list[str] = []
"""Why this command's searches run slowly, once that has been said."""


@contextmanager
def telling_why_plain() -> Iterator[None]:
    """Within it, the first search that runs as plain Python says why on standard error; the others need not."""

    def tell(why: str) -> None:
        if not _told:
            _told.append(why)
            err.print(f"plyground: {why}", markup=False)

    try:
        with plain_speed_told(tell):
            yield
    finally:
        _told.clear()


def say_where(player: Player) -> None:
    """Print on standard error where a player waits for its program to connect, if it does."""
    if player.waits_at:
        err.print(f"plyground: {player.waits_at}", markup=False)


def print_json(answer: Mapping[str, object]) -> None:
    """One line of JSON on standard output; `why_plain` is in it where searches ran as plain Python."""
    print(json.dumps(dict(answer) | ({"why_plain": _told[0]} if _told else {}), ensure_ascii=False))
