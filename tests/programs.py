"""Programs that play, for tests: those in examples/players, and how a game is played by players of any kind."""

import os
import shutil
from pathlib import Path

import pytest

import plyground as pg

EXAMPLES = Path(__file__).resolve().parent.parent / "examples" / "players"
TICTACTOE = pg.Position.initial(pg.MNK())

# A Prolog player as students write it for a Connector: it looks for the machine's own name and a fixed port, plays the
# first free square as o, and never learns that a game is over.
CALLING_PLAYER = """
:- dynamic taken/1.
go :- gethostname(Host), tcp_socket(Socket), tcp_connect(Socket, Host:PORT),
    tcp_open_socket(Socket, In, Out), loop(In, Out).
loop(In, Out) :-
    read(In, (X, Y)), assertz(taken((X, Y))),
    member(V, [1, 2, 3]), member(U, [1, 2, 3]), \\+ taken((U, V)), !, assertz(taken((U, V))),
    write(Out, (U, V)), nl(Out), flush_output(Out), loop(In, Out).
:- go.
"""


def installed(program: str) -> str:
    """Where a program is; without it the test is skipped, except in CI."""
    found = shutil.which(program)
    if not found:
        if os.environ.get("CI"):
            pytest.fail(f"{program} is not installed, and CI skips nothing")
        pytest.skip(f"{program} is not installed")
    return found


def played(x: str, o: str, game: str = "tictactoe") -> pg.Result:
    """One game between two players by spec."""
    players = pg.player_named(x), pg.player_named(o)
    try:
        return pg.play_match(pg.Position.initial(pg.game_named(game)), players)
    finally:
        for player in players:
            player.close()
