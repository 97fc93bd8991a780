"""The wire without sockets: codecs, a protocol of one's own, and the table of who is connected."""

import sys
from pathlib import Path

import pytest
from lxml import etree
from programs import TICTACTOE, played

import plyground as pg
from plyground.play.player import Unable
from plyground.wire import messages as m
from plyground.wire.check import check
from plyground.wire.codec import Codec, decode
from plyground.wire.external import External
from plyground.wire.protocols import PROTOCOLS, codec
from plyground.wire.session import Close, Log, Send, SessionLimits, Sessions

# -- codecs ------------------------------------------------------------------------------------------------------------


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
        table.connect(client, f"client {client}")
    table.receive(3, b"room(other).\n")
    assert table.receive(0, b"(2,1).\n") == [Send(1, b"(2,1).\n"), Send(2, b"(2,1).\n")]
    assert table.receive(1, b"2,2\n") == [Send(0, b"2,2\n"), Send(2, b"(2,2).\n")]
    assert table.receive(3, b"(1,1).\n") == []
    assert table.receive(0, b"hello_world(X, 'a. b').\n")[0] == Send(1, b"hello_world(X, 'a. b').\n")


def test_who_begins_may_be_there_first() -> None:
    """What the first says waits for whoever comes, until a second one speaks; what a client said leaves with it."""
    table = Sessions(limits=SessionLimits(message=50))
    assert table.connect(0, "client 0") == []
    table.receive(0, b"2,1\n")
    assert table.connect(1, "client 1") == [Send(1, b"(2,1).\n")]
    table.receive(1, b"room(other).\n")  # it only passed through
    assert table.connect(2, "client 2") == [Send(2, b"(2,1).\n")]
    assert table.receive(2, b"2,2\n") == [Send(0, b"(2,2).\n")]
    assert table.connect(3, "client 3") == []
    table.receive(1, b"1,1\n")
    table.remove_client(1)
    assert table.receive(3, b"room(other).\n") == []
    table.receive(3, b"long(" + b"x" * 30 + b").\n" + b"long(" + b"x" * 30 + b").\n")
    table.remove_client(0)
    assert table.receive(2, b"room(other).\n") == []  # more was said than is kept


def test_the_log_shows_all_if_asked() -> None:
    """Who came, what was said, in one line whatever is in it, who went; without being asked, faults alone."""
    told = {}
    for show in (True, False):
        table = Sessions(show=show)
        actions = [*table.connect(0, "client 0"), *table.receive(0, b"room(ours).\n")]
        actions += [*table.receive(0, b"say('\x1b[2J\n').\n"), *table.receive(0, b"2,1\n"), *table.remove_client(0)]
        told[show] = [action.sentence for action in actions if isinstance(action, Log)]
    assert told[False] == ["client 0: This is no term: write a move as (2,1). with a full stop and a new line."]
    assert all(sentence.isprintable() for sentence in told[True])
    for words in ("client 0 came", "in room 'ours'", "says 2,1", "alone in its room", "client 0 left"):
        assert any(words in sentence for sentence in told[True]), words


def test_a_fault_closes_its_client_only() -> None:
    """Too large, or too often unreadable: closed with a sentence that names it; the others are told nothing."""
    table = Sessions("json", SessionLimits(message=50, faults=2))
    for client in (0, 1):
        table.connect(client, f"client {client}")
    for _ in range(2):
        assert not any(isinstance(action, Close) for action in table.receive(0, b"nonsense\n"))
    assert Close(0) in table.receive(0, b"nonsense\n") and table.receive(0, b"{}\n") == []
    assert Close(1) in table.receive(1, b"x" * 60)


# -- a protocol of one's own -------------------------------------------------------------------------------------------


class Shouted(Codec):
    """A move is a line, shouted: `B2!`. There is nothing else to say."""

    only_moves = True

    def _end(self, held: bytearray, start: int) -> int | None:
        return held.find(b"\n", start) + 1 or None

    def read(self, frame: bytes) -> m.Message:
        text = decode(frame).strip()
        if not text.endswith("!"):
            raise m.Unreadable(f"{text!r} is not shouted.")
        return m.make_message("move", {"text": text.removesuffix("!").lower()})

    def _write(self, message: m.Message) -> bytes:
        return f"{message.text.upper()}!\n".encode() if isinstance(message, m.Move) else b""


SHOUTER = """
import sys
free = [column + row for row in "123" for column in "ABC"]
for line in sys.stdin:
    free.remove(line[:2])
    print(free.pop(0) + "!" if "quiet" not in sys.argv else "b2", flush=True)
"""


@pytest.mark.process
def test_a_protocol_is_a_class_and_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From outside: a program plays over it, is checked and told what a move is, and the Connector passes it on."""
    monkeypatch.setitem(PROTOCOLS, "shouted", Shouted)
    file = tmp_path / "shouter.py"
    file.write_text(SHOUTER, encoding="utf-8")
    spec = f"program[protocol=shouted]:{sys.executable} {file}"
    result = played("random:seed=1", spec)
    assert result.fault is None and result.utility is not None, result.why
    player = pg.player_named(spec)
    assert isinstance(player, External)
    assert [(step.name, step.ok) for step in check(player, TICTACTOE) if step.needed][:2] == [
        ("answers a move", True),
        ("plays a whole game", True),
    ]
    with pytest.raises(Unable, match="'b2' is not shouted; a move is B1!"):
        played("first", f"{spec} quiet")
    table = Sessions("shouted")
    for client in range(2):
        table.connect(client, f"client {client}")
    assert table.receive(0, b"B2!\n") == [Send(1, b"B2!\n")]
    with pytest.raises(pg.BadInput, match="no protocol 'morse': there are terms, xml, json, shouted"):
        codec("morse")
