"""Verbs for players elsewhere: connector, join, wire-check."""

import asyncio
import re
from typing import Annotated

import typer

from plyground.errors import BadInput
from plyground.play.player import Player
from plyground.players import PLAYERS, player_named
from plyground.spec import Choice
from plyground.terminal.arguments import AsJson, named_position, print_address, seat_of, with_first_side
from plyground.terminal.board import board, out, progress
from plyground.terminal.human import Human

# asyncio's servers, sockets and XML are imported by the verb that needs them: the others stay quick

Protocol = Annotated[str, typer.Option(help="how messages are written: terms, or another that docs/wire.md has")]


def connector(
    host: Annotated[
        str, typer.Option(help="the address to listen on; 0.0.0.0 also serves other machines")
    ] = "localhost",
    port: Annotated[int, typer.Option(help="the port; 0: any free one")] = 54321,
    protocol: Protocol = "terms",
    message: Annotated[int, typer.Option(help="bytes of one message, at most")] = 65_536,
    clients: Annotated[int, typer.Option(help="clients at once, at most")] = 1_000,
    idle: Annotated[float, typer.Option(help="most seconds between two messages of a client")] = 3_600,
    unsent: Annotated[int, typer.Option(help="bytes that may wait for a client to read them")] = 1 << 20,
    show: Annotated[bool, typer.Option("--show", help="print connections and messages")] = False,
) -> None:
    """A server that passes the messages of each program on to all others."""
    from plyground.wire.connector import Connector, describe_addresses
    from plyground.wire.hostnames import listening_hosts
    from plyground.wire.session import SessionLimits

    limits = SessionLimits(message=message, clients=clients, idle=idle, unsent=unsent)
    server = Connector(protocol, limits, _say, show=show)
    hosts = listening_hosts(host)

    async def serve() -> None:
        # Port 0 is only known afterwards.
        bound = await server.start(hosts, port)
        for sentence in describe_addresses(hosts, bound):
            _say(sentence)
        try:
            await server.serve()
        finally:
            await server.close()

    asyncio.run(serve())


def _say(sentence: str) -> None:
    """A line, at once also where a pipe reads it."""
    out.print(sentence, markup=False)
    out.file.flush()


def join(
    address: Annotated[str, typer.Argument(help="HOST:PORT of a Connector")],
    player: Annotated[str, typer.Option(help="who plays here: human, or a player")] = "engine:time=1",
    game: Annotated[str, typer.Option(help="the game")] = "tictactoe",
    side: Annotated[str, typer.Option("--as", help="the side to play: x or o")] = "o",
    first: Annotated[str, typer.Option(help="who begins: x or o")] = "x",
    protocol: Protocol = "terms",
    room: Annotated[str, typer.Option(help="the room of the server")] = "",
) -> None:
    """Play as a client of a Connector, in the place of a Prolog player."""
    from plyground.wire.join import join as joined
    from plyground.wire.remote import host_and_port

    seat = seat_of(side)
    where = host_and_port(address)
    person: Choice[Player] = Choice("human", lambda: Human({seat}), "you, at this terminal")
    here = PLAYERS.make(player, first=[person])
    start = named_position(with_first_side(game, first), "")
    try:
        # The player gets ready before the connection: a program that starts slowly would be late with its first move.
        here.prepare(start)
        why = joined(
            where,
            start,
            seat,
            here,
            protocol=protocol,
            room=room,
            on_move=lambda position: out.print(board(position)),
            say=_say,
        )
    finally:
        here.close()
    _say(f"{why}.")


def wire_check(
    player: Annotated[str, typer.Argument(help="a command, HOST:PORT, or a player's spec")] = "",
    server: Annotated[
        str, typer.Option(help="grade a server instead: HOST:PORT, or a command that starts it; it may have {port}")
    ] = "",
    port: Annotated[int, typer.Option(help="with --server: the port that the command's server listens at")] = 0,
    protocol: Protocol = "terms",
    game: Annotated[str, typer.Option(help="the game that a player is asked for")] = "tictactoe",
    as_json: AsJson = False,
) -> None:
    """Talk to a player step by step, and say which parts of the protocol it keeps; or grade a server.

    A server (`--server`) passes what one client writes on to all others: it gets points for each of its duties, and
    the reason where it misses one. Exit code 1 if something is missed.
    """
    if bool(player) == bool(server):
        raise BadInput("Name a player, or a server by --server: one of the two.")
    if server:
        _check_server(server, port, protocol, as_json)
    else:
        _check_player(player, game)


def _check_server(server: str, port: int, protocol: str, as_json: bool) -> None:
    from plyground.grading import forms
    from plyground.grading.servers.criteria import SERVER_CRITERIA
    from plyground.grading.servers.grade import grade_server
    from plyground.sandbox.bubblewrap import confining_programs

    with progress("checking", len(SERVER_CRITERIA)) as bar, confining_programs():

        def on_criterion(name: str) -> None:
            bar.update(bar.task_ids[0], advance=1, said=name)

        found = grade_server(server, port=port, protocol=protocol, on_criterion=on_criterion)
    out.print(forms.as_json([found]) if as_json else found.text, end="", markup=False)
    if found.data.points != found.data.possible:
        raise typer.Exit(1)


def _check_player(player: str, game: str) -> None:
    from plyground.wire.check import check
    from plyground.wire.external import External

    # A command or an address is what people have at hand; a spec of any kind is taken as it is.
    spec = player if player.startswith(("program", "connect:", "listen:")) else _guess_spec(player)
    talker = player_named(spec)
    assert isinstance(talker, External)  # the three kinds above are
    print_address(talker)
    kept = True
    for step in check(talker, named_position(game, "")):
        kept &= step.ok or not step.needed
        out.print(f"{'✓' if step.ok else '✗' if step.needed else '–'} {step.name}: {step.said}", markup=False)
        for way, data in step.wire:
            out.print(f"    {way} {data!r}", markup=False)
    if not kept:
        raise typer.Exit(1)


def _guess_spec(player: str) -> str:
    is_address = re.fullmatch(r"\S+:[0-9]+", player)
    return f"connect:{player}" if is_address else f"program:{player}"
