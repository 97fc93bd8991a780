"""The games, one file each, and the one list of them."""

import hashlib
import importlib.util
import sys
from pathlib import Path
from typing import Any

from plyground.errors import BadInput
from plyground.games.connectfour import ConnectFour
from plyground.games.kalah import Kalah
from plyground.games.mnk import MNK
from plyground.games.ultimate import Ultimate
from plyground.rules import Game
from plyground.spec import Choice, build, make

# A game of any kind of state.
AnyGame = Game[Any]


def _tictactoe(first: str = "x") -> MNK:
    return MNK(3, 3, 3, first)


GAMES: list[Choice[AnyGame]] = [
    Choice("tictactoe", _tictactoe, "three in a row on 3 x 3"),
    Choice("mnk", MNK, "k in a row on any board to 19 x 19: mnk:rows,columns,k"),
    Choice("connectfour", ConnectFour, "four in a row, dropped into columns: connectfour:width,height,k"),
    Choice("kalah", Kalah, "seeds sown round pits: kalah:pits,seeds; kalah:6,4,empty_capture=true"),
    Choice("ultimate", Ultimate, "nine boards in one; ultimate:send=false plays without sending"),
]
"""Every game, in the order in which they are offered."""


def game_named(text: str) -> AnyGame:
    """The game that a text names: one of `GAMES` with its options, or `path/to/file.py:ClassName` with its own.

    >>> game_named("mnk:5,5,4")
    MNK(rows=5, columns=5, k=4, first='x')

    Raises:
        BadInput: there is no such game, file, class or option.
    """
    path, found, rest = text.rpartition(".py:")
    if not found:
        return build(text, GAMES, "game")
    name, _, options = rest.partition(":")
    return make(_class_in(Path(path + ".py"), name), name, options)


def _class_in(file: Path, name: str) -> type[AnyGame]:
    if not file.is_file():
        raise BadInput(f"There is no file {file}: name a game of your own as path/to/file.py:ClassName.")
    module_name = f"plyground_own_{file.stem}_{hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(module_name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as fault:  # whatever the file does wrong is its author's to see, in a sentence
        places = [frame.tb_lineno for frame in _frames(fault) if _is(frame.tb_frame.f_code.co_filename, file)]
        line = fault.lineno if isinstance(fault, SyntaxError) else next(iter(places), "?")
        raise BadInput(f"{file} cannot be loaded: line {line}: {type(fault).__name__}: {fault}.") from None
    found = getattr(module, name, None)
    if not (isinstance(found, type) and issubclass(found, Game)):
        own = [key for key, value in vars(module).items() if isinstance(value, type) and issubclass(value, Game)]
        own = [key for key in own if getattr(module, key).__module__ == module_name]
        raise BadInput(f"{file} has no game {name!r}: it has {', '.join(own) or 'no subclass of plyground.Game'}.")
    return found


def _is(name: str, file: Path) -> bool:
    return Path(name).resolve() == file.resolve()


def _frames(fault: BaseException) -> list[Any]:
    frames, trace = [], fault.__traceback__
    while trace:
        frames.append(trace)
        trace = trace.tb_next
    return frames[::-1]
