"""What every codec does: cut a stream into frames, read a frame as a message, write a message as bytes. No I/O.

A codec also answers what its protocol has of its own; most have nothing, and leave those questions as they are.
"""

from abc import ABC, abstractmethod
from typing import ClassVar

from plyground.position import Position
from plyground.wire.messages import Message, Move, Unreadable, fitted

LARGEST = 64 * 1024
"""Bytes of the largest message by default."""


class Codec(ABC):
    """One peer's stream. Feed it bytes as they come; it gives back whole frames, each the bytes of one message."""

    only_moves: ClassVar[bool] = False
    """Whether a player that speaks this protocol may know moves alone: it is sent no greeting, result or fault."""

    as_player = False
    """Whether to write as a player does to a server, where a server writes otherwise."""

    def __init__(self, largest: int = LARGEST) -> None:
        self._largest = largest
        self._held = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """The frames that are whole now.

        Raises:
            Unreadable: a frame is larger than allowed; the stream cannot be read on from there.
        """
        self._held += data
        start = 0
        frames = []
        while (end := self._end(self._held, start)) is not None:
            frames.append(bytes(self._held[start:end]))
            start = end
        del self._held[:start]
        if len(self._held) > self._largest or any(len(frame) > self._largest for frame in frames):
            raise Unreadable(f"A message is {self._largest} bytes at most; this one goes on.")
        return [frame for frame in frames if frame.strip()]

    @abstractmethod
    def _end(self, held: bytearray, start: int) -> int | None:
        """Where the frame that begins at `start` ends; None while it is not whole: then it is asked again, of the same
        bytes and those that have come since. It looks at nothing behind the end, so that many short frames cost no more
        than one long one, and remembers how far it has looked, so that neither do many short parts of a frame.
        """

    @abstractmethod
    def read(self, frame: bytes) -> Message:
        """The message of a frame.

        Raises:
            Unreadable: it is none.
        """

    def write(self, message: Message) -> bytes:
        """A message as a frame, its end included; a text beyond its limit is cut."""
        return self._write(fitted(message))

    @abstractmethod
    def _write(self, message: Message) -> bytes:
        """A message that is within the limits as a frame."""

    def follow(self, frame: bytes, message: Message) -> None:  # noqa: B027  most protocols have one way to write
        """Write to this peer from now on as this message, which it wrote, tells that it reads."""

    def move_text(self, position: Position, move: int) -> str:
        """A legal move in the protocol's words: the game's own, where it has no others. Every game reads them."""
        return position.game.move_text(position.state, move)

    def example(self, position: Position, move: int) -> str:
        """What a legal move looks like, for the sentence to one who has written something else."""
        return decoded(self.write(Move(self.move_text(position, move)))).strip()

    def layouts(self, position: Position, move: int) -> list[tuple[str, list[bytes]]]:
        """The ways to write a legal move that a player of this protocol has to read: a name, and the parts in which
        the bytes come.
        """
        return [("answers a move", [self.write(Move(self.move_text(position, move)))])]

    @property
    def pending(self) -> int:
        """Bytes held of a message that is not whole yet."""
        return len(self._held.strip())


def decoded(frame: bytes) -> str:
    """A frame as text.

    Raises:
        Unreadable: it is not UTF-8.
    """
    try:
        return frame.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise Unreadable(f"Byte {fault.start + 1} of the message is not UTF-8.") from None
