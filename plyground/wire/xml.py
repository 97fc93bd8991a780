"""Codec for messages as XML documents of the schema `plyground.xsd`.

Example: `<message><move text="b2"/></message>`. A document ends with the end tag of its root. Documents are untrusted:
there is no DTD, no entity but XML's own five, and nothing is fetched; size and depth are bounded before validation.
"""

import re
from dataclasses import asdict, fields
from functools import cache
from pathlib import Path
from typing import Any

from lxml import etree

from plyground.wire.codec import LARGEST_FRAME, Codec, decode
from plyground.wire.messages import MESSAGE_BY_NAME, NAME_BY_MESSAGE, General, Message, Unreadable, make_message

XML_SCHEMA = Path(__file__).with_name("plyground.xsd")
DEEPEST_NESTING = 64
"""Deepest nesting of elements."""
XML_TOKEN = re.compile(rb"<!--|<\?|</?message(?=[\s/>])")
"""Signs of a document's end: tags called `message`; comments and processing instructions are skipped."""
XML_CLOSED = {b"<!--": b"-->", b"<?": b"?>"}
IN_TAG = re.compile(rb"[\"'>]")
"""Signs inside a tag: its end, and the quotes of values, inside which a tag does not end."""
XML_SKIPPED = re.compile(rb"<!--.*?-->|<\?.*?\?>", re.DOTALL)
NO_CHARACTER = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML document can hold."""
LONG_QUOTE = re.compile(r"'([^']{80})[^']+'")
"""A long quotation in an error message."""


@cache
def schema() -> etree.XMLSchema:
    """The published schema, compiled."""
    return etree.XMLSchema(etree.parse(XML_SCHEMA))


class Xml(Codec):
    """XML documents, one after the other."""

    def __init__(self, largest: int = LARGEST_FRAME) -> None:
        super().__init__(largest)
        self._looked = self._depth = 0
        """Bytes of the current document that have been scanned, and the number of `message` elements open there."""
        self._until = b""
        """End of the comment, processing instruction or quotation in which the scanned bytes end."""
        self._tag: int | None = None
        """Change of depth by the tag in which the scanned bytes end; None outside of tags."""

    def _end(self, held: bytearray, start: int) -> int | None:
        """Index behind the tag that closes the first `message`. Nested ones, which `general` may have, are counted."""
        # Scanning resumes where it ended, inside whatever it ended in: bytes that come one at a
        # time cost linear time. Only what can hide an end tag is looked at; the rest is the
        # parser's.
        at = start + self._looked
        while at < len(held):
            if self._until:
                if (place := held.find(self._until, at)) < 0:
                    at = max(at, len(held) - len(self._until) + 1)
                    break
                at, self._until = place + len(self._until), b""
            elif self._tag is None:
                if (token := XML_TOKEN.search(held, at)) is None:
                    # A sign of the end may be cut: its first part is looked at again with the next
                    # bytes.
                    at = max(at, len(held) - len(b"</message"))
                    break
                at, self._until = token.end(), XML_CLOSED.get(token[0], b"")
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
        document = _parse_document(frame)
        content = document[0]
        name = str(content.tag)
        # The schema allows one content, and has checked it.
        own = {str(key): str(text) for key, text in content.items() if not str(key).startswith("{")}  # not xsi:…
        if name == "general":
            return make_message(name, own | {"term": _inner_xml(content)})
        kinds: dict[str, Any] = {field.name: field.type for field in fields(MESSAGE_BY_NAME[name])}
        return make_message(name, {key: _parse_value(text, kinds[key]) for key, text in own.items()})

    def _write(self, message: Message) -> bytes:
        root = etree.Element("message")
        name = NAME_BY_MESSAGE[type(message)]
        if isinstance(message, General):
            content = etree.SubElement(root, name, application=_replace_invalid(message.application))
            _insert_term(content, _replace_invalid(message.term))
        else:
            given = {key: _format_value(value) for key, value in asdict(message).items()}
            etree.SubElement(root, name, {key: value for key, value in given.items() if value or key != "side"})
        return etree.tostring(root, encoding="utf-8") + b"\n"


def _parse_document(frame: bytes) -> etree._Element:
    """Parse a document, and check it by the schema.

    Raises:
        Unreadable: it is no document, or the schema does not allow it; the sentence names the line and the rule.
    """
    decode(frame)
    # A DTD could define entities that expand by the billion; a CDATA section could hide an end tag
    # from `_end`. Neither is needed, so both are refused before the parser sees them.
    bare = XML_SKIPPED.sub(b"", frame)
    if b"<!" in bare.replace(b"<!--", b""):
        raise Unreadable("Line 1: a document type, entity or CDATA section is not allowed.")
    try:
        document = etree.fromstring(frame.strip(), _parser())
    except etree.XMLSyntaxError as fault:
        raise Unreadable(
            f"Line {fault.lineno}: this is no XML document: {_first_line(fault.msg or 'it is empty')}."
        ) from None
    # The depth is counted level by level, without recursion: it is the sender's choice.
    if _depth(document) > DEEPEST_NESTING:
        raise Unreadable(f"Elements may stand {DEEPEST_NESTING} deep, not deeper.")
    try:
        schema().assertValid(document)
    except etree.DocumentInvalid as fault:
        broken = fault.error_log.last_error  # type: ignore[attr-defined]  # the stubs lack it
        where = f"Line {broken.line}: " if broken else ""
        raise Unreadable(f"{where}{_first_line(broken.message if broken else str(fault))}") from None
    return document


def _parser() -> etree.XMLParser:
    """Parser that reads UTF-8 whatever encoding a document declares, and drops comments and processing instructions."""
    # A declared encoding is not obeyed: in UTF-16 the bytes that `_end` and the check for `<!` have
    # looked at would have been others.
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


def _first_line(said: str) -> str:
    """First line of the parser's message, with long quotations cut: the cause stands after them."""
    return LONG_QUOTE.sub(lambda quoted: f"'{quoted[1]}…'", said.strip().splitlines()[0])


def _parse_value(text: str, kind: type[object]) -> object:
    if kind is bool:
        return text.strip() in ("true", "1")
    return _parse_int(text.strip()) if kind is int else text


def _parse_int(text: str) -> int:
    """Parse a number that the schema has bounded; it may have any number of leading zeros, which `int` refuses."""
    sign, digits = (text[0], text[1:]) if text[0] in "+-" else ("", text)
    return int(sign + (digits.lstrip("0") or "0"))


def _format_value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else _replace_invalid(str(value))


def _replace_invalid(text: str) -> str:
    """The text, with a replacement for each character that XML cannot hold."""
    return NO_CHARACTER.sub("\ufffd", text)


def _inner_xml(content: etree._Element) -> str:
    """Content of an element, as XML."""
    # A bare carriage return would be read back as a line feed (XML 1.0, section 2.11).
    text = (content.text or "").replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")
    return text + "".join(etree.tostring(child, encoding="unicode") for child in content)


def _insert_term(content: etree._Element, term: str) -> None:
    """Put the term into an element: as elements and text if it is XML, else as text."""
    try:
        inner = etree.fromstring(f"<term>{term}</term>".encode(), _parser())
    except etree.XMLSyntaxError:
        content.text = term
        return
    content.text = inner.text
    content.extend(list(inner))
