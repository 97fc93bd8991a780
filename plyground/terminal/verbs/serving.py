"""Verbs that serve pages: the playground in the browser, and a fleet of tests."""

import ipaddress
import os
import secrets
import socket
import sys
import threading
import webbrowser
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from plyground.errors import BadInput
from plyground.games import GAMES
from plyground.players import PLAYERS, player_named
from plyground.sandbox.bubblewrap import confining_programs, unconfined_warning
from plyground.search import ALGORITHMS
from plyground.spec import Family, is_own
from plyground.terminal.arguments import Jobs, Scheduler
from plyground.terminal.board import out
from plyground.web.limits import LARGEST_MESSAGE, PER_ADDRESS, Quotas

USUAL_PORT = 8000
STOP_SECONDS = 5.0
"""Seconds that a fleet's game under way may take at the end; a longer one is played again by the next run."""


@confining_programs()
def web(
    game: Annotated[
        list[str] | None,
        typer.Option(help="a game of your own, as path/to/file.py:name; it is read again when you save it; may repeat"),
    ] = None,
    algorithm: Annotated[
        list[str] | None, typer.Option(help="a search of your own, as path/to/file.py:name; may repeat")
    ] = None,
    player: Annotated[
        list[str] | None,
        typer.Option(
            help='a player the page may choose, as "NAME=SPEC", or path/to/file.py:name; a program or file replies in '
            "an exam too, however strong it is; may repeat"
        ),
    ] = None,
    host: Annotated[
        str | None,
        typer.Option(
            help="the address to listen on; 0.0.0.0 serves every device that reaches this machine "
            "[default: 127.0.0.1; with --room 0.0.0.0]"
        ),
    ] = None,
    room: Annotated[
        bool, typer.Option("--room", help="a classroom: people, pairs, and the position that the teacher shows")
    ] = False,
    port: Annotated[int | None, typer.Option(help="the port [default: 8000, or a free one if that is taken]")] = None,
    database: Annotated[
        str, typer.Option(help="where games are kept, as sqlite:///FILE or postgresql+psycopg://…")
    ] = "",
    allow_host: Annotated[
        list[str] | None, typer.Option(help="another name this server is called by; may repeat")
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(help="the address or network of a proxy in front, whose X-Forwarded-For is used; may repeat"),
    ] = None,
    per_address: Annotated[
        int,
        typer.Option(
            help="people behind one address, such as a class behind one router; multiplies its limits",
            min=1,
        ),
    ] = PER_ADDRESS,
    code: Annotated[
        bool,
        typer.Option(
            "--code", help="lessons' code can be changed, run and graded in the page; it runs on this machine"
        ),
    ] = False,
    learn: Annotated[
        bool,
        typer.Option("--learn", help="the page may start learning from self-play, one game at a time on one core"),
    ] = False,
    pyodide: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Pyodide's files, for the page in which rules are written, where browsers cannot reach a public host",
        ),
    ] = None,
    browser: Annotated[bool, typer.Option(help="open the page")] = True,
) -> None:
    """Play, analyse and explore in the browser."""
    programs = dict(_parse_program(text) for text in player or [] if "=" in text or not is_own(text))
    files = [
        *(_require_own_spec(GAMES, text) for text in game or []),
        *(_require_own_spec(ALGORITHMS, text) for text in algorithm or []),
        *(_require_own_spec(PLAYERS, text) for text in player or [] if is_own(text) and "=" not in text),
    ]
    proxies = [_parse_proxy(text) for text in proxy or []]
    # A classroom is for other devices; everything else is for this machine unless its user says so.
    host = host or ("0.0.0.0" if room else "127.0.0.1")
    local = _local_pyodide(pyodide)
    # The port is bound before the imports, which take a while: one that is taken is told at once.
    listening = _bind_port(host, port) if port is not None else _bind_usual_or_free(host)
    port = int(listening.getsockname()[1])
    # here, because FastAPI takes a third of a second to import, for which the other verbs need not wait
    from plyground.database.connecting import default_url
    from plyground.web.server import addresses, front, guard
    from plyground.web.server.app import make_app
    from plyground.web.server.editor import Editor

    reached = partial(addresses.reached_at, host, port)
    here = host if host not in (*addresses.ALL_INTERFACES, "127.0.0.1", "::1") else "localhost"
    address = f"http://{f'[{here}]' if ':' in here else here}:{port}"
    # 72 random bits; a new one at each start, so an old link opens nothing.
    teacher = secrets.token_urlsafe(9) if room else ""
    # Only these host names are served, against DNS rebinding: a page of a stranger may have its name lead here.
    names = guard.allowed_host_names(host, allow_host or [])
    # Each connection takes a descriptor of this process, and without a spare one nothing can be
    # opened.
    most = (
        front.raise_open_file_limit() // 2
    )  # the other half is for the database, the workers, and the files that are sent
    quotas = Quotas(per_address, most * 3 // 4)
    serves = f"{address} (process {os.getpid()})"
    url = database or default_url()
    editor = Editor(partial(_editor_page, beside=bool(local)), local)
    app = make_app(url, names, programs, files, reached, teacher, quotas, serves, code=code, learn=learn, editor=editor)
    out.print(f"The playground is at {address} (Ctrl-C ends it).", markup=False)
    page = f"{address}/#/room?teacher={teacher}" if room else address
    if code:
        who = "you" if addresses.is_own(host) else "every device that reaches it"
        bounded = f"Code that {who} can write in a lesson runs on this machine: SECURITY.md says within which bounds."
        out.print(" ".join(filter(None, [bounded, unconfined_warning()])), markup=False)
    elif programs and (said := unconfined_warning(programs=True)):
        out.print(said, markup=False)
    if not addresses.is_own(host):
        _print_addresses(reached(), room)
    if room:
        out.print(f"You teach at {page}", markup=False)
    _run(app, listening, front.OpenConnections(most, per_address, proxies, quotas.time), page if browser else None)


@confining_programs()
def fleet(
    folder: Annotated[Path, typer.Argument(help="the folder of the tests, a file NAME.toml for each")],
    host: Annotated[str, typer.Option(help="the address to listen on; 127.0.0.1 serves this machine alone")] = (
        "127.0.0.1"
    ),
    port: Annotated[int | None, typer.Option(help="the port [default: 8000, or a free one if that is taken]")] = None,
    jobs: Jobs = 0,
    scheduler: Scheduler = "",
    database: Annotated[
        str, typer.Option(help="where results are kept, by its URL; by default games.db in the folder")
    ] = "",
) -> None:
    """Play the tests of a folder in turn, for days, and show them in the browser; stopped, it goes on where it was."""
    from plyground.arena.fleet import Fleet  # here, like the next one: few commands need Pydantic or FastAPI
    from plyground.web.server import addresses, front, guard
    from plyground.web.server.app import make_app
    from plyground.web.server.editor import Editor

    url = database or f"sqlite:///{(folder / 'games.db').absolute().as_posix()}"
    played = Fleet(folder, url, scheduler, jobs, partial(out.print, markup=False))
    listening = _bind_port(host, port) if port is not None else _bind_usual_or_free(host)
    address = f"http://{'localhost' if host == '127.0.0.1' else host}:{listening.getsockname()[1]}"
    serves = f"{address} (process {os.getpid()})"
    most = front.raise_open_file_limit() // 2
    quotas = Quotas(PER_ADDRESS, most * 3 // 4)
    editor = Editor(partial(_editor_page, beside=False), {})
    # This server has no programs, user files, addresses or teacher: visitors of a fleet only look.
    app = make_app(
        url, guard.allowed_host_names(host, []), {}, [], list, "", quotas, serves, played.stand, editor=editor
    )
    out.print(f"The tests are at {address}/#/arenas (Ctrl-C ends it).", markup=False)
    if addresses.is_own(host):
        out.print("Only this machine reaches it: it listens on loopback.", markup=False)
    # The server has the main thread, which alone gets signals.
    playing = threading.Thread(target=played.run, name="plyground fleet", daemon=True)
    playing.start()
    try:
        _run(app, listening, front.OpenConnections(most, time=quotas.time), None)
    finally:
        played.stop()
        playing.join(STOP_SECONDS)


def _local_pyodide(folder: Path | None) -> dict[str, bytes]:
    from plyground.publish.editor import local_files

    return local_files(folder) if folder else {}


def _editor_page(*, beside: bool) -> str:
    from plyground.publish.editor import editor  # here, and above, for a server that is not asked for it

    return editor(beside=beside, home="/").text


def _print_addresses(found: list[str], room: bool) -> None:
    """Print the addresses for other devices; for a classroom, the first one also as a QR code."""
    if not found:
        out.print("No other device reaches it: this machine has no address but its own.", markup=False)
        return
    at = [f"{each}/#/room" if room else each for each in found]
    out.print(
        f"Other devices reach it at {', or '.join(at)}: every device that reaches this machine can use it.",
        markup=False,
        soft_wrap=True,
    )
    if room and sys.stdout.isatty():
        import segno  # here, because only a room needs it

        segno.make(at[0], error="l").terminal(compact=True)


def _parse_proxy(text: str) -> str:
    try:
        return str(ipaddress.ip_network(text))
    except ValueError:
        raise BadInput(f"--proxy {text!r}: name an address, as 127.0.0.1, or a network, as 172.16.0.0/12.") from None


def _parse_program(text: str) -> tuple[str, str]:
    name, equals, spec = text.partition("=")
    if not equals or not name.strip():
        raise BadInput(f'--player {text!r}: write NAME=SPEC, as in "student=program:swipl student.pl".')
    player_named(spec)
    return name.strip(), spec


def _require_own_spec(family: Family[Any], text: str) -> str:
    """A text that names something of a kind in a file.

    Raises:
        BadInput: it names nothing, or something else.
    """
    if not is_own(text):
        raise BadInput(
            f"{text!r}: name your own as path/to/file.py:name or prolog:file.pl; plyground games lists all else."
        )
    if not family.has_in(text):
        family.make(text)  # says what the file has
    return text


def _bind_usual_or_free(host: str) -> socket.socket:
    try:
        return _bind_port(host, USUAL_PORT)
    except BadInput:
        return _bind_port(host, 0)


def _bind_port(host: str, port: int) -> socket.socket:
    """A bound socket; a port in use is refused by a sentence before anything starts."""
    if not 0 <= port <= 65535:
        raise BadInput(f"--port {port}: a port is 0 to 65535.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # named TCP, for asyncio turns Nagle's algorithm off only then: with it every answer waits 40 ms
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform != "win32":  # there it would let two servers share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
    except OSError as fault:
        listening.close()
        raise BadInput(f"{host}:{port} cannot be listened on: {fault.strerror}; --port names another.") from None
    return listening


def _run(app: Any, listening: socket.socket, front: Any, page: str | None) -> None:
    import uvicorn

    from plyground.web.server.front import limit_logging

    # A second of grace for answers under way, then connections are closed: sockets that wait for a
    # search would keep the process.
    config = uvicorn.Config(
        app,
        log_level="warning",
        ws_max_size=LARGEST_MESSAGE,
        timeout_graceful_shutdown=1,
        **front.arguments(),
    )
    limit_logging()
    if page:
        # The browser opens half a second later, when the server listens: one that came earlier
        # would be refused.
        threading.Timer(0.5, webbrowser.open, [page]).start()
    uvicorn.Server(config).run(sockets=[listening])
