"""Compile what many tests need, on all processors, before they run: `python tests/precompile.py`.

It is kept where `PLYGROUND_CACHE` says. Without it the first test that needs a search compiles it.
"""

from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from canary import prepared
from games import canary_names, games
from own_game import LATER, PILE

import plyground as pg
from plyground.engine.run import prepare
from plyground.web.views import models, positions
from plyground.web.views.module_facts import brought

SERVED = (*games("published"), "mnk:rows=4", "connectfour:4,4", "connectfour:8,8")
"""Games that the tests of the server and of the page analyse: a server that ends while it compiles keeps nothing."""
MODULES = ("tictactoe", "connectfour", "kalah", "threemorris", "reversi:10", "ultimate")
"""Games whose module several files of tests have."""


def compile_served(game: str) -> None:
    """Compile what the server searches a game with."""
    prepare(pg.Position.initial(pg.game_named(game)))


def compile_own(text: str) -> None:
    """Compile a file's game as a server with it does: its searches, then its module."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "pile.py")
        file.write_text(text, encoding="utf-8")
        spec = f"{file}:Pile"
        for _ in positions.made_ready(models.At(game=spec)):
            pass
        brought(spec)


def main() -> None:
    """Compile for the server's games, for a page's own search, and for the canaries."""
    with ProcessPoolExecutor() as pool:
        done: list[Future[Any]] = [pool.submit(compile_served, game) for game in SERVED]
        done += [pool.submit(prepared, game, 0) for game in canary_names(games("compiled"))]
        done += [pool.submit(brought, game) for game in MODULES]
        done += [pool.submit(compile_own, text) for text in (PILE, LATER)]
        for each in done:
            each.result()


if __name__ == "__main__":
    main()
