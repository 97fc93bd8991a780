"""Players elsewhere: codecs under fuzz, the live Connector and its worst clients, real programs in six languages."""

import asyncio
import gc
import itertools
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from waiting import LIMIT

import plyground as pg
from plyground.play.referee import Unable, close, prepare
from plyground.wire import messages as m
from plyground.wire.check import check
from plyground.wire.codec import Codec
from plyground.wire.connector import Connector, how_reached, listening_hosts
from plyground.wire.external import External
from plyground.wire.join import join
from plyground.wire.protocols import PROTOCOLS, codec
from plyground.wire.session import Close, Limits, Log, Send, Sessions

pytestmark = pytest.mark.once
EXAMPLES = Path(__file__).resolve().parent.parent / "examples" / "players"
TICTACTOE = pg.Position.initial(pg.MNK())

# A Prolog player as the course describes it: it looks for the machine's own name and a fixed port, plays the first free
# square as o, and never learns that a game is over.
COURSE_PLAYER = """
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
    """Where a program is; without it the test is skipped."""
    found = shutil.which(program)
    if not found:
        pytest.skip(f"{program} is not installed")
    return found


# -- codecs ------------------------------------------------------------------------------------------------------------

words = (
    st.text(st.characters(codec="utf-8", exclude_categories=["C"]), min_size=1, max_size=30).map(str.strip).filter(bool)
)
messages: st.SearchStrategy[m.Message] = st.one_of(
    st.builds(m.Hello, name=words, game=words, room=words, side=st.sampled_from(["", "x", "o"])),
    st.builds(m.Position, words),
    st.builds(m.Move, words),
    st.just(m.Resign()),
    st.builds(m.Result, st.integers(-100, 100), words),
    st.builds(m.Fault, st.sampled_from(["client", "server"]), words),
    st.builds(m.Ping, words, st.booleans()),
)


@settings(max_examples=60)
@given(st.lists(messages, max_size=4), st.sampled_from(["xml", "json"]), st.randoms())
def test_what_is_written_is_read(sent: list[m.Message], protocol: str, chance: object) -> None:
    """Every message comes out as it went in, however the stream is cut."""
    writer, reader = codec(protocol), codec(protocol)
    data = b"".join(writer.write(message) for message in sent)
    cuts = sorted({0, len(data), *(chance.randrange(len(data) + 1) for _ in range(5))})  # type: ignore[attr-defined]  # a Random
    frames = [frame for start, end in itertools.pairwise(cuts) for frame in reader.feed(data[start:end])]
    assert [reader.read(frame) for frame in frames] == sent


@settings(max_examples=150)
@given(st.binary(max_size=300), st.sampled_from(list(PROTOCOLS)))
def test_garbage_is_refused_in_a_sentence(data: bytes, protocol: str) -> None:
    """Any bytes: a message or a sentence, never another error."""
    reader = codec(protocol, largest=100)
    with suppress(m.Unreadable):
        for frame in reader.feed(data):
            with suppress(m.Unreadable):
                reader.read(frame)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (b"(2,1).\n", "2,1"),
        (b"2,1\n", "2,1"),
        (b"2,1\r\n", "2,1"),
        (b" ( 2 ,\n 1 ) . ", "2,1"),
        (b"% hello.\n(2,/* a. */ 1).\n", "2,1"),
        (b"[5,3].\n", "[5,3]"),
        (b"4.\n", "4"),
        (b"move('b2. %').\n", "b2. %"),
    ],
)
def test_prolog_terms(written: bytes, text: str) -> None:
    """Both forms of a move, with blanks, lines, comments and CR LF, however cut."""
    for cut in range(len(written)):
        reader = codec("terms")
        frames = reader.feed(written[:cut]) + reader.feed(written[cut:])
        assert [reader.read(frame) for frame in frames] == [m.Move(text)]


def xml_says(document: str) -> str:
    """Why a document is refused."""
    with pytest.raises(m.Unreadable) as fault:
        codec("xml").read(document.encode())
    return str(fault.value)


def test_xml_is_held_to_its_schema() -> None:
    """What is wrong is said with its line, element and rule; what could harm is refused; the schema itself is valid."""
    assert "Line 2" in xml_says("<message>\n<mvoe text='b2'/></message>") and "mvoe" in xml_says(
        "<message><mvoe/></message>"
    )
    assert "'text' is required" in xml_says("<message><move/></message>")
    bomb = '<!DOCTYPE m [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><message><move text="&b;"/></message>'
    assert "document type" in xml_says(bomb)
    assert "document type" in xml_says('<!DOCTYPE m SYSTEM "file:///etc/passwd"><message><resign/></message>')
    assert "deep" in xml_says("<message><general application='a'>" + "<a>" * 90 + "</a>" * 90 + "</general></message>")
    assert "no XML" in xml_says("<message><move text='&nothing;'/></message>")
    general = codec("xml").read(b'<message><general application="chat"><say to="all">hi</say></general></message>')
    assert general == m.General("chat", '<say to="all">hi</say>')
    with pytest.raises(m.Unreadable, match="bytes at most"):
        codec("xml").feed(b"<message><general>" + b"x" * 100_000_000)
    etree.XMLSchema(etree.parse(Path(pg.__file__).parent / "wire" / "plyground.xsd"))


# -- the session table -------------------------------------------------------------------------------------------------


def test_rooms_and_forms() -> None:
    """To all others of a room and never back; a Prolog is written to as it reads, a page as a Prolog writes."""
    table = Sessions()
    for client in range(4):
        table.connected(client, f"client {client}")
    table.received(3, b"room(other).\n")
    assert table.received(0, b"(2,1).\n") == [Send(1, b"(2,1).\n"), Send(2, b"(2,1).\n")]
    assert table.received(1, b"2,2\n") == [Send(0, b"2,2\n"), Send(2, b"(2,2).\n")]
    assert table.received(3, b"(1,1).\n") == []
    assert table.received(0, b"hello_world(X, 'a. b').\n")[0] == Send(1, b"hello_world(X, 'a. b').\n")


def test_who_begins_may_be_there_first() -> None:
    """What the first says waits for whoever comes, until a second one speaks; what a client said leaves with it."""
    table = Sessions(limits=Limits(message=50))
    assert table.connected(0, "client 0") == []
    table.received(0, b"2,1\n")
    assert table.connected(1, "client 1") == [Send(1, b"(2,1).\n")]
    table.received(1, b"room(other).\n")  # it only passed through
    assert table.connected(2, "client 2") == [Send(2, b"(2,1).\n")]
    assert table.received(2, b"2,2\n") == [Send(0, b"(2,2).\n")]
    assert table.connected(3, "client 3") == []
    table.received(1, b"1,1\n")
    table.gone(1)
    assert table.received(3, b"room(other).\n") == []
    table.received(3, b"long(" + b"x" * 30 + b").\n" + b"long(" + b"x" * 30 + b").\n")
    table.gone(0)
    assert table.received(2, b"room(other).\n") == []  # more was said than is kept


def test_the_log_shows_all_if_asked() -> None:
    """Who came, what was said, in one line whatever is in it, who went; without being asked, faults alone."""
    told = {}
    for show in (True, False):
        table = Sessions(show=show)
        actions = [*table.connected(0, "client 0"), *table.received(0, b"room(ours).\n")]
        actions += [*table.received(0, b"say('\x1b[2J\n').\n"), *table.received(0, b"2,1\n"), *table.gone(0)]
        told[show] = [action.sentence for action in actions if isinstance(action, Log)]
    assert told[False] == ["client 0: This is no term: write a move as (2,1). with a full stop and a new line."]
    assert all(sentence.isprintable() for sentence in told[True])
    for words in ("client 0 came", "in room 'ours'", "says 2,1", "alone in its room", "client 0 left"):
        assert any(words in sentence for sentence in told[True]), words


def test_a_fault_closes_its_client_only() -> None:
    """Too large, or too often unreadable: closed with a sentence that names it; the others are told nothing."""
    table = Sessions("json", Limits(message=50, faults=2))
    for client in (0, 1):
        table.connected(client, f"client {client}")
    for _ in range(2):
        assert not any(isinstance(action, Close) for action in table.received(0, b"nonsense\n"))
    assert Close(0) in table.received(0, b"nonsense\n") and table.received(0, b"{}\n") == []
    assert Close(1) in table.received(1, b"x" * 60)


# -- the live server ---------------------------------------------------------------------------------------------------


def with_connector(story: Callable[[int, list[str]], Awaitable[None]], limits: Limits | None = None) -> list[str]:
    """Run a story against a live Connector; its log."""
    log: list[str] = []

    async def run() -> None:
        server = Connector("terms", limits, log.append)
        port = await server.start(["127.0.0.1"], 0)
        serving = asyncio.create_task(server.serve())
        try:
            await asyncio.wait_for(story(port, log), LIMIT)
        finally:
            serving.cancel()
            await server.close()

    asyncio.run(run())
    return log


@settings(max_examples=8)
@given(st.lists(st.binary(min_size=1, max_size=2_000), min_size=1, max_size=4))
def test_no_client_disturbs_another(garbage: list[bytes]) -> None:
    """Beside garbage, half messages, floods and deaths, two clients talk on: nothing lost, nothing out of order."""

    async def story(port: int, log: list[str]) -> None:
        room = b"room(ours).\n"
        ann, bob = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
        for _, writer in (ann, bob):
            writer.write(room)
        here, first = b"(0,0).\n", b""
        while not first:  # until both are in the room
            ann[1].write(here)
            with suppress(TimeoutError):
                async with asyncio.timeout(0.02):
                    first = await bob[0].readline()
        vandals = [await asyncio.open_connection("127.0.0.1", port) for _ in garbage]
        for number in range(50):
            ann[1].write(f"({number},1).\n".encode())
            vandal, data = vandals[number % len(vandals)][1], garbage[number % len(garbage)]
            with suppress(OSError):
                vandal.write(data)
                if number == 30:
                    vandal.transport.abort()  # it dies
        heard: list[bytes] = []
        while len(heard) < 50:
            said = await bob[0].readline()
            heard += [said] if said != here else []
        assert heard == [f"({number},1).\n".encode() for number in range(50)]
        for _, writer in (ann, bob, *vandals):
            writer.transport.abort()

    with_connector(story, Limits(message=1_000))


def test_limits_on_the_wire() -> None:
    """A flood, silence, one client too many, a reader that never reads: each is closed alone, and the log says why."""

    async def silent(port: int, log: list[str]) -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        await logged(log, "said nothing")
        writer.transport.abort()

    async def logged(log: list[str], *words: str) -> None:
        while not all(any(word in line for line in log) for word in words):
            await asyncio.sleep(0.02)

    async def story(port: int, log: list[str]) -> None:
        flood, reader = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
        flood[1].write(b"room(flood).\n")
        with suppress(OSError):
            for _ in range(100):
                flood[1].write(b"x" * 10_000)
                await flood[1].drain()
        deaf = socket.create_connection(("127.0.0.1", port))  # it never reads
        with suppress(OSError):
            for _ in range(200):
                reader[1].write(b"'" + b"x" * 50_000 + b"'.\n")
                await reader[1].drain()
                await asyncio.sleep(0)
        extra = [await asyncio.open_connection("127.0.0.1", port) for _ in range(4)]
        await logged(log, "bytes at most", "reads too slowly", "are connected already")
        deaf.close()
        for _, writer in (flood, reader, *extra):
            writer.transport.abort()

    with_connector(story, Limits(message=60_000, clients=3, unsent=100_000))
    with_connector(silent, Limits(idle=0.1))


@pytest.mark.parametrize(
    ("own", "listens", "said"),
    [
        (["127.0.0.1"], ["127.0.0.1"], []),
        (["127.0.1.1"], ["127.0.0.1", "127.0.1.1"], []),  # Debian
        (["192.0.2.2"], ["127.0.0.1"], ["looks at 192.0.2.2", "let it call 127.0.0.1", "--host 0.0.0.0"]),  # Windows
        ([], ["127.0.0.1"], ["points nowhere", "127.0.0.1"]),
    ],
)
def test_where_a_prolog_looks(
    own: list[str], listens: list[str], said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where this machine's own name points, if that is this machine alone; else it says how it is reached."""
    monkeypatch.setattr("plyground.wire.connector.own_addresses", lambda: own)
    hosts = listening_hosts("localhost")
    sentences = how_reached(hosts, 54321)
    assert hosts == listens and len(sentences) == (2 if said else 1)
    assert all(words in " ".join(sentences) for words in [*listens, "54321", *said])
    assert listening_hosts("0.0.0.0") == ["0.0.0.0"]
    assert "by the network" in how_reached(["0.0.0.0"], 54321)[-1]


@pytest.mark.only_on("linux")  # others have one address on loopback
def test_one_port_at_every_address() -> None:
    """A free port is the same one wherever it listens."""

    async def run() -> None:
        server = Connector(log=lambda sentence: None)
        port = await server.start(["127.0.0.1", "127.0.1.1"], 0)
        for host in ("127.0.0.1", "127.0.1.1"):
            (await asyncio.open_connection(host, port))[1].close()
        with pytest.raises(pg.BadInput, match="cannot be listened on"):
            await Connector(log=lambda sentence: None).start(["127.0.0.1"], port)
        await server.close()

    asyncio.run(run())


class Verb:
    """A verb in a process of its own, spoken to by pipes; it ends with its `with`."""

    def __init__(self, *words: str) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            [sys.executable, "-m", "plyground", *words], stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT,
            encoding="utf-8", bufsize=1, env=os.environ | {"PYTHONUTF8": "1"},
        )  # fmt: skip
        self.seen = ""

    def __enter__(self) -> "Verb":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def types(self, words: str) -> None:
        """Type lines."""
        assert self._process.stdin is not None
        self._process.stdin.write(words)

    def until(self, words: str) -> str:
        """Read to the line with these words; that line."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.seen += line
            if words in line:
                return line
        raise AssertionError(f"it ended without {words!r}: {self.seen}")


def test_a_person_and_a_program_at_a_connector() -> None:
    """A person joins first and begins; the program comes later and hears it; who waits is told for what."""
    with Verb("connector", "--port", "0", "--show") as server:
        where = "localhost:" + server.until("listens on").split("port ")[1].split()[0]
        with Verb("join", where, "--player", "human", "--as", "x") as person:
            person.until("as x; x begins")
            person.types("undo\n2,1\n")
            person.until("Waiting for o's move")
            server.until("waits for whoever comes")
            with Verb("join", where, "--player", "first") as program:
                program.until("Waiting for x's move (3600 s at most; if it began before you joined")
                person.types("2,2\nundo\nresign\n")
                program.until("x resigns.")
            person.until("What was sent to the other side cannot be taken back.")
            person.until("x resigns.")
        server.until("says resign")
        assert all(words in server.seen for words in ("came", "says 2,1", "says 1,1", "says 2,2"))
        assert server.seen.count("waits for whoever comes") == 1


# -- external players --------------------------------------------------------------------------------------------------


def played(x: str, o: str, game: str = "tictactoe") -> pg.Result:
    """One game between two players by spec."""
    players = pg.player_named(x), pg.player_named(o)
    try:
        return pg.play_match(pg.Position.initial(pg.game_named(game)), players)
    finally:
        for player in players:
            close(player)


LANGUAGES = [
    ("python", f"{sys.executable} {EXAMPLES / 'first.py'} {{side}} {{first}}"),
    ("sh", f"sh {EXAMPLES / 'first.sh'} {{side}} {{first}}"),
    ("node", f"node {EXAMPLES / 'minimax.js'} {{side}} {{first}}"),
    ("java", f"java {EXAMPLES / 'Minimax.java'} {{side}} {{first}}"),
    ("swipl", f"swipl {EXAMPLES / 'alphabeta.pl'} {{host}} {{port}} {{side}} {{first}}"),
    ("cc", "{minimax} {side} {first}"),
]


@pytest.mark.parametrize(("language", "command"), LANGUAGES)
def test_players_in_six_languages(language: str, command: str, tmp_path: Path) -> None:
    """Each example plays whole games as o and as x, and is short."""
    program = "python3" if language == "python" else language
    if language == "cc":
        subprocess.run([installed("cc"), "-O2", "-o", tmp_path / "minimax", EXAMPLES / "minimax.c"], check=True)
        command = command.replace("{minimax}", str(tmp_path / "minimax"))
    elif language != "python":
        installed(program)
    for x, o in (("random:seed=1", f"program:{command}"), (f"program:{command}", "random:seed=2")):
        result = played(x, o)
        assert result.fault is None, result.why
        assert "minimax" not in command.lower() or result.utility != (1 if o.startswith("program") else -1)
    assert all(len(file.read_text(encoding="utf-8").splitlines()) < 80 for file in EXAMPLES.iterdir())


def test_a_prolog_player_in_another_game() -> None:
    """Ultimate's [Board,Cell], over a socket, to the end."""
    installed("swipl")
    command = f"program:swipl {EXAMPLES / 'ultimate.pl'} {{host}} {{port}} {{side}} {{first}}"
    for x, o in (("random:seed=3", command), (command, "random:seed=3")):
        result = played(x, o, "ultimate:send=false")
        assert result.fault is None and result.utility is not None, result.why


def test_a_player_as_the_course_has_it(tmp_path: Path) -> None:
    """Written to the course's description, unchanged: it calls the host's own name at a fixed port."""
    installed("swipl")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    file = tmp_path / "ttt.pl"
    file.write_text(COURSE_PLAYER.replace("PORT", str(port)), encoding="utf-8")
    result = played("random:seed=5", f"program[port={port}]:swipl {file}")
    assert result.fault is None, result.why


def test_games_in_a_row_leave_nothing() -> None:
    """No process, no socket and no thread is left behind by a program that starts another."""
    gc.collect()
    before = len(psutil.Process().children(recursive=True)), len(psutil.Process().net_connections())
    for _ in range(5):
        played("first", f"program:sh -c 'sleep 100 & exec sh {EXAMPLES / 'first.sh'} o x'")
        played("first", f"program:{sys.executable} {EXAMPLES / 'first.py'} o x")
    gc.collect()
    assert (len(psutil.Process().children(recursive=True)), len(psutil.Process().net_connections())) == before


BAD_PLAYERS = [
    ("sleep 100", "it said nothing for"),
    ("true", "it has ended"),
    ("echo hello world.", "wrote 'hello world' where its move was due; only moves go"),
    ("echo thinking hard", "it has ended after it wrote 'thinking hard', which is no whole message; a move is a line"),
    ("sh -c 'echo thinking hard; sleep 100'", "but 'thinking hard', which is no whole message; a move is a line"),
    ("sh -c 'echo what a mess >&2; exit 3'", "last words: what a mess"),
    (f"{sys.executable} -c 'int(chr(120))'", "last words: ValueError: invalid literal"),
    ("head -c 1000000 /dev/zero", "bytes at most"),
]
"""What goes wrong, as a player's second move, and what is said of it."""


@pytest.mark.only_on("linux", "darwin")  # these commands are a POSIX system's
@pytest.mark.parametrize(("command", "said"), BAD_PLAYERS)
def test_a_bad_program_loses(command: str, said: str, tmp_path: Path) -> None:
    """Silent, ended or unreadable: it loses at once, and the reason says what it did. Before its first move,
    nobody knows whether it was started as it should be, so nobody has lost.
    """
    hangs = "sleep" in command
    with pytest.raises(Unable) as fault:
        played("first", f"program[timeout={0.5 if hangs else LIMIT}]:{command}")
    assert said in str(fault.value), fault.value
    file = tmp_path / "player.sh"
    file.write_text(f"read move; echo 2,1; read move; {command}\n", encoding="utf-8")
    result = played("first", f"program[timeout={5 if hangs else LIMIT}]:sh {file}")
    assert (result.utility, result.fault) == (1, 1) and said in result.why, result.why


def test_an_illegal_move_loses() -> None:
    """Also the first one: it is a move, and its own."""
    result = played("first", "program:echo '(9,9).'")
    assert (result.utility, result.fault) == (1, 1) and "illegal move: " in result.why and "not a cell" in result.why


def test_what_a_java_said_last(tmp_path: Path) -> None:
    """The exception, not the last place of its trace."""
    file = tmp_path / "Bad.java"
    file.write_text(
        "class Bad { public static void main(String[] words) throws Exception {"
        ' System.in.read(); throw new IllegalStateException("no idea"); } }',
        encoding="utf-8",
    )
    with pytest.raises(Unable, match="IllegalStateException: no idea"):
        played("first", f"program:{installed('java')} {file}")


def test_what_is_no_players_fault_loses_no_game(tmp_path: Path) -> None:
    """A port that is taken, a program that is not there, one that never connects: raised, whoever sits where."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        busy = f"program[port={taken.getsockname()[1]}]:{sys.executable}"
        specs = [(busy, "cannot be listened on"), ("program:/nowhere/at/all", "cannot be started: No such file")]
        specs += [("program[start=0.2]:sleep 100 {port}", "did not connect"), ("program:false {port}", "exit code 1")]
        for spec, said in specs:
            for seats in ((spec, "first"), ("first", spec)):
                with pytest.raises(Unable, match=said):
                    played(*seats)


def test_a_clock_runs_for_a_program_too() -> None:
    """Silence until the clock is used up loses on time."""
    players = pg.player_named("program:sleep 100"), pg.player_named("first")
    result = pg.play_match(TICTACTOE, players, clock=0.2)
    assert result.fault == 0 and "loses on time" in result.why
    close(players[0])


@pytest.mark.parametrize(
    "spec",
    [
        "program:",
        "program:/nowhere/at/all",
        "connect:localhost",
        "listen:x",
        "program[speed=1]:true",
        "program[protocol=morse]:true",
    ],
)
def test_bad_specs(spec: str) -> None:
    """Refused in a sentence when named or when started; so is a peer that nobody answers for."""
    with pytest.raises(pg.BadInput):
        player = pg.player_named(spec)
        player.choose(TICTACTOE, None)
    with pytest.raises(Unable, match="nobody listens"):
        played("connect[start=0.2]:localhost:1", "first")


@pytest.mark.parametrize("protocol", list(PROTOCOLS))
def test_join_in_the_place_of_a_prolog(protocol: str) -> None:
    """One side waits for a caller, the other joins it: both see the same game, in every protocol."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    seen: list[pg.Position] = []
    prepare(pg.player_named("alphabeta:depth=2"), TICTACTOE)  # whoever joins waits a few seconds only for a listener

    async def both() -> tuple[pg.Result, pg.Position]:
        host = asyncio.to_thread(played, "random:seed=4", f"listen[protocol={protocol}]:{port}")
        guest = asyncio.to_thread(
            join, ("127.0.0.1", port), TICTACTOE, 1, pg.player_named("first"), protocol=protocol, on_move=seen.append
        )
        result, _end = await asyncio.gather(host, guest, return_exceptions=True)
        assert isinstance(result, pg.Result), result
        return result, seen[-1]

    result, last = asyncio.run(both())
    assert result.fault is None and result.position.moves[: len(last.moves)] == last.moves
    assert len(last.moves) >= len(result.position.moves) - 1


def test_wire_check_names_what_is_wrong() -> None:
    """A good player keeps every part; one that cannot read comments fails there, with the bytes both ways."""
    good = pg.player_named(f"program[timeout=3]:{sys.executable} {EXAMPLES / 'first.py'} o x")
    assert isinstance(good, External)
    steps = {step.name: step for step in check(good, TICTACTOE)}
    assert steps["answers (2,1). and a new line"].ok and steps["plays a whole game"].ok
    split = steps["answers with blanks and lines inside the term"]  # it reads line by line
    assert not split.ok and {way for way, _ in split.bytes} == {"→"}


def test_codecs_are_all_listed() -> None:
    """Each protocol's codec is one of the listed, with its own class."""
    assert len({type(codec(name)) for name in PROTOCOLS}) == 3 and all(
        issubclass(kind, Codec) for kind in PROTOCOLS.values()
    )
    with pytest.raises(pg.BadInput, match="no protocol"):
        codec("morse")
