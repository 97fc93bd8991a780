"""Messages as XML, each a document that the schema `plyground.xsd` allows: `<message><move text="b2"/></message>`.

A document ends with the end tag of its root. Documents come from strangers: there is no DTD, no entity but XML's own
five, nothing is fetched; size and depth are bounded before the schema looks.
"""

import re
from dataclasses import asdict, fields
from functools import cache
from pathlib import Path
from typing import Any

from lxml import etree

from plyground.wire.codec import LARGEST, Codec, decoded
from plyground.wire.messages import BY_NAME, General, Message, Unreadable, made

SCHEMA = Path(__file__).with_name("plyground.xsd")
DEEPEST = 64
"""Elements inside each other."""
TOKEN = re.compile(rb"<!--|<\?|</?message(?=[\s/>])")
"""What tells where a document ends: tags called `message`, but not those in a comment or processing instruction."""
CLOSED = {b"<!--": b"-->", b"<?": b"?>"}
IN_TAG = re.compile(rb"[\"'>]")
"""What may stand in a tag: quotations, in which nothing ends it, and its end."""
SKIPPED = re.compile(rb"<!--.*?-->|<\?.*?\?>", re.DOTALL)
NO_CHARACTER = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML document can hold."""
QUOTED = re.compile(r"'([^']{80})[^']+'")
"""What is quoted at length."""


@cache
def schema() -> etree.XMLSchema:
    """The published schema, compiled."""
    return etree.XMLSchema(etree.parse(SCHEMA))


class Xml(Codec):
    """XML documents, one after the other."""

    def __init__(self, largest: int = LARGEST) -> None:
        super().__init__(largest)
        self._looked = self._depth = 0
        """Bytes of the document that begins now which have been looked at, and how many `message` are open there."""
        self._until = b""
        """What ends the comment, processing instruction or quotation in which that place is."""
        self._tag: int | None = None
        """By how many levels the tag in which that place is goes deeper; None outside of tags."""

    def _end(self, held: bytearray, start: int) -> int | None:
        """Behind the tag that closes the first `message`; those inside it, as `general` may have, are counted."""
        at = start + self._looked
        while at < len(held):
            if self._until:
                if (place := held.find(self._until, at)) < 0:
                    at = max(at, len(held) - len(self._until) + 1)
                    break
                at, self._until = place + len(self._until), b""
            elif self._tag is None:
                if (token := TOKEN.search(held, at)) is None:
                    at = max(at, len(held) - len(b"</message"))
                    break
                at, self._until = token.end(), CLOSED.get(token[0], b"")
                self._tag = None if self._until else -1 if token[0].startswith(b"</") else 1
            elif (mark := IN_TAG.search(held, at)) is None:
                at = len(held)
            elif mark[0] != b">":
                at, self._until = mark.end(), mark[0]
            else:
                at = mark.end()
                self._depth += 0 if held[at - 2 : at] == b"/>" and self._tag > 0 else self._tag
                self._tag = None
                if self._depth <= 0:
                    self._looked = self._depth = 0
                    return at
        self._looked = at - start
        return None

    def read(self, frame: bytes) -> Message:
        document = _parsed(frame)
        content = document[0]
        name = str(content.tag)
        own = {str(key): str(text) for key, text in content.items() if not str(key).startswith("{")}  # not xsi:…
        if name == "general":
            return made(name, own | {"term": _inner(content)})
        kinds: dict[str, Any] = {field.name: field.type for field in fields(BY_NAME[name])}
        return made(name, {key: _value(text, kinds[key]) for key, text in own.items()})

    def _write(self, message: Message) -> bytes:
        root = etree.Element("message")
        name = type(message).__name__.lower()
        if isinstance(message, General):
            content = etree.SubElement(root, name, application=_characters(message.application))
            _put(content, _characters(message.term))
        else:
            given = {key: _text(value) for key, value in asdict(message).items()}
            etree.SubElement(root, name, {key: value for key, value in given.items() if value or key != "side"})
        return etree.tostring(root, encoding="utf-8") + b"\n"


def _parsed(frame: bytes) -> etree._Element:
    """The document, checked by the schema.

    Raises:
        Unreadable: it is no document, or not one that the schema allows; the sentence names the line and the rule.
    """
    decoded(frame)
    bare = SKIPPED.sub(b"", frame)
    if b"<!" in bare.replace(b"<!--", b""):
        raise Unreadable("Line 1: a document type, entity or CDATA section is not allowed.")
    try:
        document = etree.fromstring(frame.strip(), _parser())
    except etree.XMLSyntaxError as fault:
        raise Unreadable(
            f"Line {fault.lineno}: this is no XML document: {_first(fault.msg or 'it is empty')}."
        ) from None
    if _depth(document) > DEEPEST:
        raise Unreadable(f"Elements may stand {DEEPEST} deep, not deeper.")
    try:
        schema().assertValid(document)
    except etree.DocumentInvalid as fault:
        broken = fault.error_log.last_error  # type: ignore[attr-defined]  # the stubs lack it
        where = f"Line {broken.line}: " if broken else ""
        raise Unreadable(f"{where}{_first(broken.message if broken else str(fault))}") from None
    return document


def _parser() -> etree.XMLParser:
    """UTF-8 whatever a document says of itself; comments and processing instructions say nothing to us."""
    return etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )


def _depth(element: etree._Element) -> int:
    deepest, level = 0, [element]
    while level:
        deepest += 1
        level = [child for parent in level for child in parent]
    return deepest


def _first(said: str) -> str:
    """Its first line, with what it quotes cut short: what was wrong stands after that."""
    return QUOTED.sub(lambda quoted: f"'{quoted[1]}…'", said.strip().splitlines()[0])


def _value(text: str, kind: type[object]) -> object:
    if kind is bool:
        return text.strip() in ("true", "1")
    return _whole(text.strip()) if kind is int else text


def _whole(text: str) -> int:
    """The number; the schema has bounded it, but allows it as many zeros as it likes, which Python does not read."""
    sign, digits = (text[0], text[1:]) if text[0] in "+-" else ("", text)
    return int(sign + (digits.lstrip("0") or "0"))


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else _characters(str(value))


def _characters(text: str) -> str:
    """The text with a replacement for each sign that XML cannot hold."""
    return NO_CHARACTER.sub("\ufffd", text)


def _inner(content: etree._Element) -> str:
    """All inside an element, as XML."""
    text = (content.text or "").replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")
    return text + "".join(etree.tostring(child, encoding="unicode") for child in content)


def _put(content: etree._Element, term: str) -> None:
    """The term as elements and text if it is XML, else as text."""
    try:
        inner = etree.fromstring(f"<term>{term}</term>".encode(), _parser())
    except etree.XMLSyntaxError:
        content.text = term
        return
    content.text = inner.text
    content.extend(list(inner))
