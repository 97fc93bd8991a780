"""Verbs in which plyground is a program of the field: uci, ugi, gtp, gomocup, kgp."""

import socket
import sys
import threading
from collections.abc import Callable
from typing import Annotated, TextIO

import typer

from plyground.errors import BadInput
from plyground.players import player_named
from plyground.protocols.engine_side import Answerer
from plyground.protocols.rows import ENGINES
from plyground.terminal.arguments import GameName, named_game

Answering = Annotated[str, typer.Option(help="who answers: a level or any player; the engine if left out")]


def uci(game: GameName = "chess", player: Answering = "") -> None:
    """Be a chess program that speaks UCI, over standard input and output."""
    _serve("uci", game, player)


def ugi(game: GameName, player: Answering = "") -> None:
    """Be a program of any game that speaks UGI."""
    _serve("ugi", game, player)


def gtp(game: GameName = "hex:11", player: Answering = "") -> None:
    """Be a program of Hex, Gomoku, Reversi or Amazons that speaks GTP."""
    _serve("gtp", game, player)


def gomocup(game: GameName = "gomoku", player: Answering = "") -> None:
    """Be a program of five in a row that speaks Gomocup's protocol."""
    _serve("gomocup", game, player)


def kgp(
    address: Annotated[str, typer.Argument(help="HOST:PORT of a server; standard input and output if left out")] = "",
    player: Answering = "",
) -> None:
    """Be a client of the Kalah Game Protocol."""
    if not address:
        _serve("kgp", "kalah", player)
        return
    from plyground.wire.remote import host_and_port

    try:
        # A client of this protocol calls its server, unlike the programs that are started over
        # pipes.
        connection = socket.create_connection(host_and_port(address))
    except OSError as fault:
        raise BadInput(
            f"No server of the Kalah Game Protocol listens at {address}: {fault.strerror or fault}."
        ) from None
    with connection, connection.makefile("rw", encoding="utf-8") as stream:
        ENGINES["kgp"](named_game("kalah"), Answerer(player_named, player), whole_lines(stream)).serve(stream)


def _serve(protocol: str, game: str, player: str) -> None:
    mind = Answerer(player_named, player)
    ENGINES[protocol](named_game(game), mind, whole_lines(sys.stdout)).serve(sys.stdin)


def whole_lines(stream: TextIO) -> Callable[[str], None]:
    """A writer of lines to a stream, for several threads: the one that thinks, and the one that reads commands.

    `print` writes a line and its end in two steps, between which another thread's line can come.
    """
    lock = threading.Lock()

    def say(line: str) -> None:
        with lock:
            stream.write(f"{line}\n")
            stream.flush()

    return say
