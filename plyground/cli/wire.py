"""Verbs for players elsewhere: connector, join, wire-check."""

import asyncio
from typing import Annotated

import typer

from plyground.cli.words import named_position
from plyground.errors import BadInput
from plyground.match import close, prepare
from plyground.players import player_named
from plyground.position import Position
from plyground.spec import imported
from plyground.terminal import board, out

# asyncio's servers, sockets and XML are imported by the verb that needs them: the others stay quick


def add_to(app: typer.Typer) -> None:
    """Make these verbs part of a command."""
    app.command()(connector)
    app.command()(join)
    app.command(name="wire-check")(wire_check)


def connector(
    host: Annotated[str, typer.Option(help="the address to listen on")] = "localhost",
    port: Annotated[int, typer.Option(help="the port; 0: any free one")] = 54321,
    protocol: Annotated[str, typer.Option(help="terms, xml or json")] = "terms",
    message: Annotated[int, typer.Option(help="bytes of one message, at most")] = 65_536,
    clients: Annotated[int, typer.Option(help="clients at once, at most")] = 1_000,
    idle: Annotated[float, typer.Option(help="seconds that a client may say nothing")] = 3_600,
    unsent: Annotated[int, typer.Option(help="bytes that may wait for a client to read them")] = 1 << 20,
) -> None:
    """A server that passes what one program writes on to all the others."""
    limits = imported("plyground.wire.session:Limits")(message=message, clients=clients, idle=idle, unsent=unsent)
    server = imported("plyground.wire.connector:Connector")(
        protocol, limits, lambda said: out.print(said, markup=False)
    )
    hosts = imported("plyground.wire.connector:listening_hosts")(host)
    asyncio.run(_serve(server, hosts, port))


async def _serve(server: object, hosts: list[str], port: int) -> None:
    bound = await server.start(hosts, port)  # type: ignore[attr-defined]  # a Connector
    out.print(f"The Connector listens on {', '.join(hosts)} port {bound} (Ctrl-C ends it).", markup=False)
    if not all(host.startswith("127.") or host == "::1" for host in hosts):
        out.print("Whoever reaches this machine can connect to it.")
    try:
        await server.serve()  # type: ignore[attr-defined]
    finally:
        await server.close()  # type: ignore[attr-defined]


def join(
    address: Annotated[str, typer.Argument(help="HOST:PORT of a Connector")],
    player: Annotated[str, typer.Option(help="who plays here")] = "engine:time=1",
    game: Annotated[str, typer.Option(help="the game")] = "tictactoe",
    side: Annotated[str, typer.Option("--as", help="the side to play: x or o")] = "o",
    protocol: Annotated[str, typer.Option(help="terms, xml or json")] = "terms",
    room: Annotated[str, typer.Option(help="the room of the server")] = "",
) -> None:
    """Play as a client of a Connector, in the place of a Prolog player."""
    if side not in ("x", "o"):
        raise BadInput(f"--as {side}: x or o.")
    where = imported("plyground.wire.players:host_and_port")(address)
    here = player_named(player)
    start = named_position(game, "")
    try:
        prepare(here, start)
        end: Position = imported("plyground.wire.join:join")(
            where,
            start,
            "xo".index(side),
            here,
            protocol=protocol,
            room=room,
            on_move=lambda position: out.print(board(position)),
        )
    finally:
        close(here)
    out.print(f"{end.result}.", markup=False)


def wire_check(
    player: Annotated[str, typer.Argument(help="a command, HOST:PORT, or a player's spec")],
    game: Annotated[str, typer.Option(help="the game")] = "tictactoe",
) -> None:
    """Talk to a player step by step, and say which parts of the protocol it keeps."""
    spec = player if player.startswith(("program", "connect:", "listen:")) else _guessed(player)
    talker = player_named(spec)
    kept = True
    for step in imported("plyground.wire.check:check")(talker, named_position(game, "")):
        kept &= step.ok
        out.print(f"{'✓' if step.ok else '✗'} {step.name}: {step.said}", markup=False)
        for way, data in step.bytes:
            out.print(f"    {way} {data!r}", markup=False)
    if not kept:
        raise typer.Exit(1)


def _guessed(player: str) -> str:
    host, colon, port = player.rpartition(":")
    is_address = bool(colon) and port.isdigit() and bool(host) and not any(map(str.isspace, player))
    return f"connect:{player}" if is_address else f"program:{player}"
