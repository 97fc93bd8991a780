"""Shared parts of the verbs: reading games and positions, printing answers."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from plyground.compiled.kernel import plain_speed_listener
from plyground.errors import BadInput
from plyground.games import GAMES, AnyGame, game_named
from plyground.laws.verdict import require_lawful
from plyground.play.notations import position_in
from plyground.play.player import Player
from plyground.play.record import Record
from plyground.play.record_file import RECORD_ENDINGS, STANDARD_INPUT, ChosenGame, ReadingOptions, chosen_game
from plyground.players import PLAYERS
from plyground.position import Position
from plyground.search import ALGORITHMS
from plyground.terminal.board import err
from plyground.workers.scheduler import is_encrypted

INTERRUPTED = 130
"""The exit code of what Ctrl-C ended, as shells have it."""


FAULTY = 2
"""The exit code where an input was wrong, also where the rest of it was read."""


def complete_game(incomplete: str) -> list[tuple[str, str]]:
    """The games whose names begin so, for a shell that completes a word."""
    return [(choice.name, choice.summary) for choice in GAMES if choice.name.startswith(incomplete)]


def complete_player(incomplete: str) -> list[tuple[str, str]]:
    """The players whose names begin so."""
    return [(choice.name, choice.summary) for choice in PLAYERS if choice.name.startswith(incomplete)]


def warn_unless_encrypted(scheduler: str) -> str:
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
        help="tictactoe, mnk:5,5,4, ultimate:send=false or path/to/file.py:ClassName", autocompletion=complete_game
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
Textbook = Annotated[bool, typer.Option("--textbook", help="count a win the same however far it is, as textbooks do")]
Jobs = Annotated[int, typer.Option(help="processes of this machine; 0: one for each processor")]
Scheduler = Annotated[
    str,
    typer.Option(
        help="the Dask scheduler whose workers do it instead: tls://host:8786", callback=warn_unless_encrypted
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="answer in JSON")]


def named_game(spec: str) -> AnyGame:
    """The game that a text names; a user's game is checked against the laws briefly when it is first used."""
    game = game_named(spec)
    # Shipped games are held against the laws by the tests; a user's is looked at briefly each time,
    # as its file may have changed.
    if ".py:" in spec:
        for note in require_lawful(game):
            err.print(f"plyground: {note}; plyground check {spec} looks at all of it.", markup=False)
    return game


GameFiles = Annotated[
    list[Path],
    typer.Argument(help="files: PGN, PDN, SGF, WTHOR, EPD, saved games, or lists of moves; - is standard input"),
]
GameNumber = Annotated[int, typer.Option("--number", help="which game of the files, from 1")]
IsStrict = Annotated[bool, typer.Option("--strict", help="refuse a game in which something is wrong")]


def is_file_of_games(text: str) -> bool:
    """Whether a word of a command is the name of a file of games, not moves or a position."""
    return text == str(STANDARD_INPUT) or Path(text).suffix.lower() in RECORD_ENDINGS


def read_chosen(
    files: Sequence[Path], number: int, spec: str = "", *, is_strict: bool = False
) -> tuple[ChosenGame, Record]:
    """A game of files as its rules read it; its faults and remarks go to standard error.

    Raises:
        BadInput: there is no such game; strictly, or where none of it can be read, something is wrong with it.
    """
    chosen = chosen_game(files, number, spec, ReadingOptions(game=named_game(spec) if spec else None))
    read = chosen.read(is_strict=is_strict)
    for said in (*read.faults, *read.remarks):
        err.print(f"plyground: {said}", markup=False)
    return chosen, read


def named_position(spec: str, text: str, number: int = 1) -> Position:
    """The position that a game's name and a position's text mean, or the end of a game of a file."""
    rules = named_game(spec)
    if not is_file_of_games(text):
        return position_in(rules, text)
    chosen, read = read_chosen([Path(text)], number, spec)
    if type(chosen.game.rules) is not type(rules):
        raise BadInput(f"{text} has a game of {chosen.game.spec}, and {spec} is asked for.")
    return read.position(chosen.game.rules)


def seat_of(side: str) -> int:
    """The seat that --as names: 0 for x, 1 for o."""
    if side not in ("x", "o"):
        raise BadInput(f"--as {side}: x or o.")
    return "xo".index(side)


def with_first_side(game: str, first: str) -> str:
    """The game's spec with the side that begins as its option `first`."""
    if first == "x":
        return game
    # A path may have a colon of its own, as on Windows, so only what follows the file counts.
    separator = "," if ":" in game.rpartition(".py:")[2] else ":"
    return f"{game}{separator}first={first}"


_plain_reasons: list[str] = []
"""The reason that this command's searches run as plain Python, once it was printed."""


@contextmanager
def explaining_plain_speed() -> Iterator[None]:
    """Context in which the first search that runs as plain Python prints the reason on standard error."""

    def tell(why: str) -> None:
        if not _plain_reasons:
            _plain_reasons.append(why)
            err.print(f"plyground: {why}", markup=False)

    try:
        # The reason is printed once: each of a command's hundred searches would have the same one.
        with plain_speed_listener(tell):
            yield
    finally:
        _plain_reasons.clear()


def print_address(player: Player) -> None:
    """Print the address at which a player waits for its program, if it does, on standard error."""
    if player.waits_at:
        err.print(f"plyground: {player.waits_at}", markup=False)


def print_json(answer: Mapping[str, object]) -> None:
    """One line of JSON on standard output; `why_plain` is in it where searches ran as plain Python."""
    # JSON is not printed by Rich, which would wrap a line and take brackets for markup.
    print(json.dumps(dict(answer) | ({"why_plain": _plain_reasons[0]} if _plain_reasons else {}), ensure_ascii=False))
