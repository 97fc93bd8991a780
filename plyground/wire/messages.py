"""Messages between programs, independent of the codec that writes them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from plyground.errors import BadInput
from plyground.play.ending import Ending
from plyground.text import plain, plain_lines

PROTOCOL_VERSION = 1
NAME_LIMITS: dict[str, Any] = {"longest": 200, "plain": plain}
TEXT_LIMITS: dict[str, Any] = {"longest": 2_000, "plain": plain_lines}
"""Longest text in characters, as in the schema `plyground.xsd`, and the function that strips control characters."""
# `xs:int` in the schema.
WHOLE_LIMITS: dict[str, Any] = {"least": -(1 << 31), "most": (1 << 31) - 1}
"""Whole numbers have 32 bits, as in the schema; so a number of 5,000 digits is refused."""


class Unreadable(BadInput):
    """The peer's bytes are no message; the sentence names the place and a right form."""

    ending = Ending.UNREADABLE


@dataclass(frozen=True)
class Hello:
    """Greeting: the sender's name, the game, and the room of a server; each may be empty."""

    name: str = field(default="", metadata=NAME_LIMITS)
    game: str = field(default="", metadata=NAME_LIMITS)
    room: str = field(default="", metadata=NAME_LIMITS)
    side: str = field(default="", metadata={"one_of": ("", "x", "o")})
    """The side that the receiver plays: x or o."""
    version: int = field(default=PROTOCOL_VERSION, metadata=WHOLE_LIMITS | {"least": 1})


@dataclass(frozen=True)
class PositionMessage:
    """A position in the game's text."""

    text: str = field(metadata=TEXT_LIMITS)


@dataclass(frozen=True)
class Move:
    """A move in the game's text."""

    text: str = field(metadata=NAME_LIMITS)


@dataclass(frozen=True)
class Resign:
    """The sender gives up."""


@dataclass(frozen=True)
class ResultMessage:
    """How the game ended: x's utility, and the same in words."""

    utility: int = field(metadata=WHOLE_LIMITS)
    why: str = field(metadata=TEXT_LIMITS)


@dataclass(frozen=True)
class FaultMessage:
    """Report of an error: which side made it, `client` or `server`, and a sentence."""

    whose: str = field(metadata={"one_of": ("client", "server")})
    sentence: str = field(metadata=TEXT_LIMITS)


@dataclass(frozen=True)
class Ping:
    """Test of the connection: the receiver sends the same back with `answer` true."""

    token: str = field(default="", metadata=NAME_LIMITS)
    answer: bool = False


@dataclass(frozen=True)
class General:
    """A term of another application, as text in that application's syntax; it is forwarded unchanged."""

    application: str = field(metadata=NAME_LIMITS)
    term: str


Message = Hello | PositionMessage | Move | Resign | ResultMessage | FaultMessage | Ping | General
MESSAGE_BY_NAME: dict[str, type[Message]] = {
    "hello": Hello,
    "position": PositionMessage,
    "move": Move,
    "resign": Resign,
    "result": ResultMessage,
    "fault": FaultMessage,
    "ping": Ping,
    "general": General,
}
"""Message class by the name that codecs write."""
NAME_BY_MESSAGE = {kind: name for name, kind in MESSAGE_BY_NAME.items()}
"""Name that codecs write by the class."""


def make_message(name: str, values: Mapping[str, object]) -> Message:
    """Make a message from its name and unchecked fields.

    Raises:
        Unreadable: a field is missing, unknown, of another type, or beyond its limit.
    """
    kinds: dict[str, Any] = {part.name: part.type for part in fields(MESSAGE_BY_NAME[name])}
    for key, value in values.items():
        if key not in kinds:
            raise Unreadable(f"{name} has no {key[:40]!r}: it has {', '.join(kinds) or 'nothing'}.")
        # The type itself is compared, without `isinstance`: True would pass for 1.
        if type(value) is not kinds[key]:
            raise Unreadable(f"{name}.{key} is {_short(value)}: it is of type {kinds[key].__name__}.")
    given: dict[str, Any] = dict(values)
    for part in fields(MESSAGE_BY_NAME[name]):
        if part.name in given:
            _require_allowed(f"{name}.{part.name}", given[part.name], part.metadata)
            if "plain" in part.metadata:
                given[part.name] = part.metadata["plain"](given[part.name])
    try:
        return MESSAGE_BY_NAME[name](**given)
    except TypeError:
        missing = [key for key in kinds if key not in values]
        raise Unreadable(f"{name} lacks one of: {', '.join(missing)}.") from None


def _require_allowed(where: str, value: Any, limits: Mapping[str, Any]) -> None:
    # JSON can escape one half alone; no codec could encode it for the next client.
    if isinstance(value, str) and not value.isascii() and any("\ud800" <= sign <= "\udfff" for sign in value):
        raise Unreadable(f"{where} holds half of a surrogate pair, which is no character.")
    if len(value) > limits["longest"] if "longest" in limits else False:
        raise Unreadable(f"{where} has {len(value)} characters: it has {limits['longest']} at most.")
    if "one_of" in limits and value not in limits["one_of"]:
        allowed = ", ".join(map(repr, limits["one_of"]))
        raise Unreadable(f"{where} is {_short(value)}: it is one of {allowed}.")
    if "least" in limits and not limits["least"] <= value <= limits["most"]:
        raise Unreadable(f"{where} is {_short(value)}: it is {limits['least']} to {limits['most']}.")


def _short(value: object) -> str:
    said = repr(value)
    return said if len(said) <= 80 else f"{said[:80]}…"


def fit(message: Message) -> Message:
    """Returns the message within its limits: a text that is too long is cut, and ends with an ellipsis."""
    cut: dict[str, Any] = {}
    for part in fields(message):
        value, longest = getattr(message, part.name), part.metadata.get("longest")
        if isinstance(value, str):
            # A text of ours may come from a file name or a program, with surrogates in it.
            sound = value.encode("utf-8", "replace").decode()
            cut[part.name] = sound if longest is None or len(sound) <= longest else f"{sound[: longest - 1]}…"
    return replace(message, **cut)
