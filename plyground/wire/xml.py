"""Messages as XML, each a document that the schema `plyground.xsd` allows: `<message><move text="b2"/></message>`.

A document ends with the end tag of its root, which no other element may be called. Documents come from strangers:
there is no DTD, no entity but XML's own five, nothing is fetched; size and depth are bounded before the schema looks.
"""

from dataclasses import asdict, fields
from functools import cache
from pathlib import Path
from typing import Any

from lxml import etree

from plyground.wire.codec import Codec, decoded
from plyground.wire.messages import BY_NAME, General, Message, Unreadable

SCHEMA = Path(__file__).with_name("plyground.xsd")
END = b"</message>"
DEEPEST = 64
"""Elements inside each other."""


@cache
def schema() -> etree.XMLSchema:
    """The published schema, compiled."""
    return etree.XMLSchema(etree.parse(SCHEMA))


class Xml(Codec):
    """XML documents, one after the other."""

    def _end(self) -> int | None:
        end = self._held.find(END)
        return None if end < 0 else end + len(END)

    def read(self, frame: bytes) -> Message:
        document = _parsed(frame)
        content = document[0]
        name = str(content.tag)
        if name == "general":
            inner = (content.text or "") + "".join(etree.tostring(child, encoding="unicode") for child in content)
            return General(str(content.get("application")), inner)
        kinds: dict[str, Any] = {field.name: field.type for field in fields(BY_NAME[name])}
        values = {str(key): _value(str(text), kinds[str(key)]) for key, text in content.items()}
        return BY_NAME[name](**values)  # type: ignore[arg-type]  # the schema has checked them

    def write(self, message: Message) -> bytes:
        root = etree.Element("message")
        name = type(message).__name__.lower()
        if isinstance(message, General):
            content = etree.SubElement(root, name, application=message.application)
            _put(content, message.term)
        else:
            given = {key: _text(value) for key, value in asdict(message).items()}
            etree.SubElement(root, name, {key: value for key, value in given.items() if value or key != "side"})
        schema().assertValid(root)
        return etree.tostring(root) + b"\n"


def _parsed(frame: bytes) -> etree._Element:
    """The document, checked by the schema.

    Raises:
        Unreadable: it is no document, or not one that the schema allows; the sentence names the line and the rule.
    """
    decoded(frame)
    if b"<!" in frame.replace(b"<!--", b""):
        raise Unreadable("Line 1: a document type, entity or CDATA section is not allowed.")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        document = etree.fromstring(frame.strip(), parser)
    except etree.XMLSyntaxError as fault:
        raise Unreadable(
            f"Line {fault.lineno}: this is no XML document: {_first(fault.msg or 'it is empty')}."
        ) from None
    if _depth(document) > DEEPEST:
        raise Unreadable(f"Elements may stand {DEEPEST} deep, not deeper.")
    if not schema().validate(document):
        broken = schema().error_log.last_error  # type: ignore[attr-defined]  # the stubs lack it
        raise Unreadable(f"Line {broken.line}: {_first(broken.message)}")
    return document


def _depth(element: etree._Element) -> int:
    deepest, level = 0, [element]
    while level:
        deepest += 1
        level = [child for parent in level for child in parent]
    return deepest


def _first(said: str) -> str:
    return said.strip().splitlines()[0]


def _value(text: str, kind: type[object]) -> object:
    if kind is bool:
        return text in ("true", "1")
    return int(text) if kind is int else text


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _put(content: etree._Element, term: str) -> None:
    """The term as elements if it is XML, else as text."""
    try:
        inner = etree.fromstring(f"<term>{term}</term>", etree.XMLParser(resolve_entities=False, no_network=True))
    except etree.XMLSyntaxError:
        content.text = term
        return
    content.text = inner.text
    content.extend(list(inner))
