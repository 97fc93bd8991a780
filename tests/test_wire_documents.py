"""Whatever is valid is read: XML documents made from the schema itself, JSON from the messages' own definitions."""

import json
from copy import copy
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from tries import tries

import plyground as pg
from plyground.wire import messages as m
from plyground.wire.protocols import PROTOCOLS, codec
from plyground.wire.session import Close, Log, Send, Sessions

XS = "{http://www.w3.org/2001/XMLSchema}"
FILE = Path(pg.__file__).parent / "wire" / "plyground.xsd"
TREE = etree.parse(FILE).getroot()
SCHEMA = etree.XMLSchema(TREE)
CHARACTERS = st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]).filter(lambda sign: sign < "\ufffe")
XSI = "http://www.w3.org/2001/XMLSchema-instance"


# -- a generator of documents that walks a schema; it knows no message by name -----------------------------------------


def texts(longest: int) -> st.SearchStrategy[str]:
    """A text, now and then as long as it may be."""
    few = st.text(CHARACTERS | st.sampled_from("<>&\"'\n\t\r"), max_size=min(longest, 12))
    return few | st.just("é" * longest)


def values(kind: str) -> st.SearchStrategy[str]:
    """The lexical forms of a simple type."""
    blank = st.sampled_from(["", " ", "\n\t"])

    def collapsed(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.builds(lambda before, text, after: before + text + after, blank, inner, blank)

    def whole(least: int, most: int) -> st.SearchStrategy[str]:
        zeros = st.sampled_from(["", "0", "0" * 5_000])
        return collapsed(
            st.builds(
                lambda number, plus, more: ("-" if number < 0 else plus) + more + str(abs(number)),
                st.integers(least, most) | st.sampled_from([least, most]),
                st.sampled_from(["", "+"]),
                zeros,
            )
        )

    if kind == "xs:boolean":
        return collapsed(st.sampled_from(["true", "false", "1", "0"]))
    if kind == "xs:int":
        return whole(-(2**31), 2**31 - 1)
    named = TREE.find(f"{XS}simpleType[@name='{kind}']/{XS}restriction")
    assert named is not None, f"the generator does not know {kind}"
    facets: dict[str, list[str]] = {str(facet.tag).removeprefix(XS): [] for facet in named}
    for facet in named:
        facets[str(facet.tag).removeprefix(XS)].append(str(facet.get("value")))
    base = named.get("base")
    if base == "xs:string" and set(facets) == {"enumeration"}:
        return st.sampled_from(facets["enumeration"])
    if base == "xs:string" and set(facets) == {"maxLength"}:
        return texts(int(facets["maxLength"][0]))
    assert base == "xs:positiveInteger" and set(facets) == {"maxInclusive"}, f"the generator does not know {kind}"
    return whole(1, int(facets["maxInclusive"][0]))


@st.composite
def anything(draw: st.DrawFn, depth: int = 3) -> etree._Element:
    """What `xs:any` allows: any element at all, also one that is called like ours."""
    name = draw(st.sampled_from(["say", "message", "general", "{urn:other}say", "x-é"]))
    element = etree.Element(name, {draw(st.sampled_from(["to", "{urn:a}to"])): draw(texts(50))})
    element.text = draw(texts(50))
    for _ in range(draw(st.integers(0, 2)) if depth else 0):
        child = draw(anything(depth - 1))
        child.tail = draw(texts(50))
        element.append(child)
    return element


@st.composite
def elements(draw: st.DrawFn, declared: etree._Element) -> etree._Element:
    """An element as the schema declares it."""
    element = etree.Element(str(declared.get("name")))
    kind = declared.find(f"{XS}complexType")
    assert kind is not None
    known = {"choice", "attribute", "sequence"}
    assert {str(part.tag).removeprefix(XS) for part in kind} <= known, "the generator does not know all of the schema"
    for attribute in kind.findall(f"{XS}attribute"):
        if attribute.get("use") == "required" or draw(st.booleans()):
            element.set(str(attribute.get("name")), draw(values(str(attribute.get("type")))))
    if draw(st.integers(0, 9)) == 0:
        element.set(f"{{{XSI}}}noNamespaceSchemaLocation", "plyground.xsd")  # allowed wherever there is a schema
    if choices := kind.findall(f"{XS}choice/{XS}element"):
        element.append(draw(elements(draw(st.sampled_from(choices)))))
    if kind.find(f"{XS}sequence/{XS}any") is not None:
        for _ in range(draw(st.integers(0, 3))):
            child = draw(anything())
            child.tail = draw(texts(50))
            element.append(child)
    if kind.get("mixed") == "true":
        element.text = draw(texts(50))
    return element


@st.composite
def documents(draw: st.DrawFn) -> bytes:
    """A document, with comments and processing instructions wherever XML allows them."""
    declared = TREE.find(f"{XS}element")
    assert declared is not None
    root = draw(elements(declared))
    notes = st.sampled_from(
        [etree.Comment(" </message> a > comment "), etree.ProcessingInstruction("note", "<message> </message>")]
    )
    for element in list(root.iter()):
        for _ in range(draw(st.integers(0, 1))):
            element.insert(draw(st.integers(0, len(element))), copy(draw(notes)))
    before = draw(st.sampled_from([b"", b"<?xml version='1.0' encoding='UTF-8'?>\n", b"<!-- a -->"]))
    written: bytes = etree.tostring(root, encoding="utf-8")
    if draw(st.booleans()):
        written = written.removesuffix(b"</message>") + b"</message \n>"
    return before + written


@settings(max_examples=tries(60))
@given(st.lists(documents(), min_size=1, max_size=3))
def test_every_document_of_the_schema_is_read(given_documents: list[bytes]) -> None:
    """Each valid document is one message, which is written as a valid document that says the same."""
    for document in given_documents:
        SCHEMA.assertValid(etree.fromstring(document))  # else the test is wrong
    reader, writer = codec("xml"), codec("xml")
    frames = reader.feed(b"\n".join(given_documents))
    assert len(frames) == len(given_documents) and not reader.pending
    for frame in frames:
        said = reader.read(frame)
        (again,) = writer.feed(writer.write(said))
        SCHEMA.assertValid(etree.fromstring(again))
        assert writer.read(again) == said


# -- JSON, from the definitions ---------------------------------------------------------------------------------------


def json_value(kind: Any, limits: Any) -> st.SearchStrategy[Any]:
    """A value that a field may have."""
    if kind is bool:
        return st.booleans()
    if kind is int:
        return st.integers(limits["least"], limits["most"]) | st.sampled_from([limits["least"], limits["most"]])
    if "one_of" in limits:
        return st.sampled_from(limits["one_of"])
    longest = limits.get("longest", 1_000)
    return st.text(st.characters(codec="utf-8"), max_size=min(longest, 20)) | st.just("😀" * longest)


@st.composite
def objects(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A message as an object."""
    kind = draw(st.sampled_from([*m.NAME_BY_MESSAGE]))
    required = {part.name for part in fields(kind) if part.default.__class__.__name__ == "_MISSING_TYPE"}
    given_fields = {
        part.name: draw(json_value(part.type, part.metadata))
        for part in fields(kind)
        if part.name in required or draw(st.booleans())
    }
    return m.NAME_BY_MESSAGE[kind], given_fields


@settings(max_examples=tries(60))
@given(objects(), st.booleans())
def test_every_object_of_the_definitions_is_read(given_object: tuple[str, dict[str, Any]], ascii_only: bool) -> None:
    """Each is read as it is, but for control characters, and written so that it is read again."""
    name, said = given_object
    plain = {part.name: part.metadata["plain"] for part in fields(m.MESSAGE_BY_NAME[name]) if "plain" in part.metadata}
    reader = codec("json")
    (frame,) = reader.feed(json.dumps({name: said}, ensure_ascii=ascii_only).encode() + b"\n")
    message = reader.read(frame)
    assert all(getattr(message, key) == plain.get(key, lambda same: same)(value) for key, value in said.items())
    assert reader.read(reader.write(message)) == message


def test_the_limits_are_the_schemas() -> None:
    """The definitions and the schema allow the same: who is read in one protocol is read in the other."""
    for kind in [*m.NAME_BY_MESSAGE]:
        declared = {
            str(attribute.get("name")): str(attribute.get("type"))
            for attribute in TREE.iterfind(f".//{XS}element[@name='{m.NAME_BY_MESSAGE[kind]}']//{XS}attribute")
        }
        for part in fields(kind):
            if part.name not in declared:
                assert (kind, part.name) == (m.General, "term")  # it stands between the tags
                continue
            restriction = TREE.find(f"{XS}simpleType[@name='{declared[part.name]}']/{XS}restriction")
            facets = [] if restriction is None else [(str(f.tag).removeprefix(XS), f.get("value")) for f in restriction]
            longest, allowed, most = (part.metadata.get(key) for key in ("longest", "one_of", "most"))
            assert ("maxLength", str(longest)) in facets or longest is None
            assert allowed is None or [("enumeration", text) for text in allowed] == facets
            assert declared[part.name] == "xs:int" or most is None or ("maxInclusive", str(most)) in facets


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"hello": {"version": %s}}' % ("9" * 5_000), "5000 digits"),
        ('{"hello": {"version": 99999999999}}', "1 to 2147483647"),
        ('{"move": {"text": "\\ud800"}}', "half of a surrogate pair"),
        ('{"move": {"text": "%s"}}' % ("b" * 201), "201 characters: it has 200 at most"),
        ('{"hello": {"side": "white"}}', "one of '', 'x', 'o'"),
        ('{"result": {"utility": NaN, "why": ""}}', "not JSON: NaN"),
        ("[" * 60_000, "inside each other"),
        ("[" * 101 + "]" * 101, "inside each other"),
        ("[" * 100 + "]" * 100, "A message is an object"),
        ('{"say": "%s"}' % ("[" * 101), "not a message"),
        ('{"move": "b2"}', "is an object"),
    ],
)
def test_json_beyond_the_limits_is_told_why(line: str, said: str) -> None:
    """A sentence that is true of what was sent, and no more than a line of it."""
    with pytest.raises(m.Unreadable, match=said) as fault:
        codec("json").read(line.encode())
    assert len(str(fault.value)) < 300


@pytest.mark.parametrize(
    ("inside", "said"),
    [
        ('<hello version="%s"/>' % ("9" * 5_000), "attribute 'version'.*'999.*…'.*'2147483647'"),
        ('<move text="%s"/>' % ("b" * 5_000), "'bbb.*…' has a length of '5000'.* '200'"),
        ("<%s/>" % ("b" * 5_000), "Element 'bbb.*…': This element is not expected"),
    ],
)
def test_xml_beyond_the_limits_is_told_why(inside: str, said: str) -> None:
    """The same of a document: the rule that it breaks stands behind what it quotes, and is not cut off."""
    with pytest.raises(m.Unreadable, match=said) as fault:
        codec("xml").read(f"<message>{inside}</message>".encode())
    assert len(str(fault.value)) < 300


# -- the table, whatever comes ---------------------------------------------------------------------------------------

GRAMMAR = st.sampled_from(
    [b"<message>", b"</message>", b"<move text='b2'/>", b"<!--", b"-->", b"<?a ", b"?>", b"<!DOCTYPE", b"&x;", b"<a",
     b"/>", b'{"move":', b'{"text": "b2"}}', b'"\\ud800"', b'{"hello": {"room": "r"}}', b"{", b"1e999", b"9" * 400,
     b"(2,1).", b"2,1", b"room(", b"'r'", b").", b"0'", b"`", b"%", b"/*", b"*/", b"move('", b"fault(client, a)",
     b"resign.",     b"\n", b" ", b"\r\n", b"\0", b"\xff", "é".encode()]
)  # fmt: skip


@settings(max_examples=tries(200))
@given(
    st.lists(st.tuples(st.integers(0, 2), GRAMMAR | st.binary(max_size=8)), max_size=30), st.sampled_from([*PROTOCOLS])
)
def test_no_bytes_are_a_fault_of_ours(said: list[tuple[int, bytes]], protocol: str) -> None:
    """Pieces of every grammar in any order: passed on, or a fault of the client's; what is passed on can be read."""
    table, readers = Sessions(protocol, show=True), [codec(protocol) for _ in range(3)]
    for client in range(3):
        table.connect(client, f"client {client}")
    for client, data in said:
        for action in table.receive(client, data):
            if isinstance(action, Send):
                frames = readers[action.client].feed(action.data)
                heard = [readers[action.client].read(frame) for frame in frames]
                assert heard and all(not isinstance(word, m.FaultMessage) or word.whose == "client" for word in heard)
            elif isinstance(action, Log):
                assert "own" not in action.sentence and action.sentence.isprintable()
            else:
                assert isinstance(action, Close)


def test_a_fault_of_ours_is_not_the_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    """It costs one message; the sender is told whose fault it was, the log which, and the session goes on."""
    table = Sessions("json")
    for client in (0, 1):
        table.connect(client, f"client {client}")
    writer = type(codec("json"))
    with monkeypatch.context() as broken:
        broken.setattr(writer, "_write", lambda self, said: b"{}\n" if isinstance(said, m.FaultMessage) else said.lost)
        actions = table.receive(0, b'{"move": {"text": "b2"}}\n')
    assert [type(action) for action in actions] == [Log, Send] and "AttributeError" in str(actions[0])
    assert table.receive(0, b'{"move": {"text": "b2"}}\n') == [Send(1, b'{"move": {"text": "b2"}}\n')]


def test_terms_keep_what_they_say() -> None:
    """Quotes, backslashes, percent signs and, in a text, new lines come out of an atom as they went in."""
    terms = codec("terms")
    for text in ("it's", "a\\b", "50 % of 'x'. /* */", "two\nlines", "''", "(", "move('b2')"):
        line = text.replace("\n", " ")
        for said in (
            m.PositionMessage(text),
            m.Hello(name=line),
            m.Ping(line),
            m.FaultMessage("client", text),
            m.ResultMessage(-1, text),
        ):
            (frame,) = terms.feed(terms.write(said))
            assert terms.read(frame) == said
    assert terms.read(b'f(0\'a, `b. c`, "d. e").\n') == m.General("prolog", 'f(0\'a, `b. c`, "d. e")')


@pytest.mark.parametrize(
    ("protocol", "frame"),
    [("terms", b"1\n"), ("terms", b"a. "), ("xml", b"<message><resign/></message>"), ("json", b"{}\n")],
)
def test_many_short_messages_hold_up_nobody(protocol: str, frame: bytes) -> None:
    """As many as come at once: each is read once, not once for each that follows it (which took minutes)."""
    count = 65_536 // len(frame)
    assert len(codec(protocol).feed(frame * count)) == count
