"""What programs say to each other, whatever they write it in."""

from dataclasses import dataclass

from plyground.errors import BadInput

VERSION = 1


class Unreadable(BadInput):
    """What a peer sent is no message; the sentence says where and what would be right. The peer's fault."""


@dataclass(frozen=True)
class Hello:
    """Who speaks, about which game, and in which room of a server; all may be empty."""

    name: str = ""
    game: str = ""
    room: str = ""
    side: str = ""
    """The side that the receiver plays: x or o."""
    version: int = VERSION


@dataclass(frozen=True)
class Position:
    """A position in the game's text."""

    text: str


@dataclass(frozen=True)
class Move:
    """A move in the game's text."""

    text: str


@dataclass(frozen=True)
class Resign:
    """The sender gives up."""


@dataclass(frozen=True)
class Result:
    """How the game ended: x's utility, and the same in words."""

    utility: int
    why: str


@dataclass(frozen=True)
class Fault:
    """What was wrong, and whose fault it was: `client` or `server`."""

    whose: str
    sentence: str


@dataclass(frozen=True)
class Ping:
    """Are you there? The receiver sends the same back with `answer` true."""

    token: str = ""
    answer: bool = False


@dataclass(frozen=True)
class General:
    """A term of some other application, as text, in whatever syntax it has agreed on."""

    application: str
    term: str


Message = Hello | Position | Move | Resign | Result | Fault | Ping | General
MESSAGES: tuple[type[Message], ...] = (Hello, Position, Move, Resign, Result, Fault, Ping, General)
BY_NAME = {message.__name__.lower(): message for message in MESSAGES}
"""The message of each name that the codecs write."""
