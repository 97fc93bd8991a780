"""Messages as Prolog terms: moves as `(2,1).`, which a Prolog reads, or `2,1`, which a Prolog writes.

A term ends with a full stop and layout; the short form of a move ends with its line. Blanks, comments (`% …` to the end
of the line, `/* … */`) and newlines may stand anywhere between. Any other term is somebody else's affair and is passed
on as it is.
"""

import re
from collections.abc import Callable

from plyground.wire.codec import Codec, decoded
from plyground.wire.messages import Fault, General, Hello, Message, Move, Ping, Position, Resign, Result, Unreadable

SKIPPED = re.compile(rb"%[^\n]*\n|/\*.*?\*/|'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
"""Comments, and quoted text in which a full stop or a percent sign means nothing."""
STOP = re.compile(rb"\.(?=[\s%])")
SHORT = re.compile(rb"\s*+[(\[]?[ \t]*+\d++[ \t]*+(?:,[ \t]*+\d++[ \t]*+)?[)\]]?[ \t\r]*+\n")
"""A move as a Prolog writes it, with nothing but its line's end behind it. Possessive: strangers choose the input."""
OPEN = re.compile(rb"%[^\n]*+$|/\*|['\"]", re.DOTALL)
"""A comment or quotation that has not ended yet, once those that have are blanked out."""
PAIR = re.compile(r"[(\[]?\s*+(\d++)\s*+(?:,\s*+(\d++)\s*+)?[)\]]?")


class Terms(Codec):
    """Prolog terms. `short`: whether this peer is written to as a Prolog writes (`2,1`), not as it reads (`(2,1).`)."""

    short = False

    def _end(self) -> int | None:
        held = SKIPPED.sub(_blank, bytes(self._held))
        opening = OPEN.search(held)
        whole = held[: opening.start()] if opening else held
        end = SHORT.match(whole) or STOP.search(whole)
        return end.end() if end else None

    def read(self, frame: bytes) -> Message:
        text = decoded(_bare(frame)).strip().removesuffix(".").strip()
        if pair := PAIR.fullmatch(text):
            return Move(_pair_text(text, pair))
        if text == "resign":
            return Resign()
        if not text or any(ord(sign) < 32 and sign not in "\t\r\n" for sign in text):
            raise Unreadable("This is no term: write a move as (2,1). with a full stop and a new line.")
        name, _, rest = text.partition("(")
        if name not in NAMED or not rest.endswith(")"):
            return General("prolog", text)
        return NAMED[name](rest[:-1].strip().strip("'"))

    def write(self, message: Message) -> bytes:
        match message:
            case Move(text):
                return f"{_move_term(text, short=self.short)}\n".encode()
            case Resign():
                return b"resign.\n"
            case Hello(name=name, room=room):
                return f"room({_atom(room)}).\n".encode() if room else f"hello({_atom(name)}).\n".encode()
            case Position(text):
                return f"position({_atom(text)}).\n".encode()
            case Result(utility, why):
                return f"result({utility}, {_atom(why)}).\n".encode()
            case Fault(whose, sentence):
                return f"fault({whose}, {_atom(sentence)}).\n".encode()
            case Ping(token, answer):
                return f"{'pong' if answer else 'ping'}({_atom(token)}).\n".encode()
            case General(_, term):
                return f"{term}.\n".encode()


NAMED: dict[str, Callable[[str], Message]] = {
    "room": lambda text: Hello(room=text),
    "hello": lambda text: Hello(name=text),
    "move": Move,
    "position": Position,
    "ping": Ping,
    "pong": lambda text: Ping(text, answer=True),
}
"""The terms of one argument that have a meaning of their own."""


def _blank(found: re.Match[bytes]) -> bytes:
    """As long as what was found: a quotation is something, a comment is nothing."""
    return (b"q" if found[0][:1] in b"'\"" else b" ") * len(found[0])


def _bare(frame: bytes) -> bytes:
    """The frame without its comments; quoted text stays."""
    return SKIPPED.sub(lambda found: found[0] if found[0][:1] in b"'\"" else b" ", frame)


def _pair_text(text: str, pair: re.Match[str]) -> str:
    first, second = pair[1], pair[2]
    if second is None:
        return first
    return f"[{first},{second}]" if text.startswith("[") else f"{first},{second}"


def _move_term(text: str, *, short: bool) -> str:
    pair = PAIR.fullmatch(text)
    if pair is None:
        return f"move({_atom(text)})."
    if short or text.startswith("[") or pair[2] is None:
        return text if short else f"{text}."
    return f"({text})."


def _atom(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
