"""Base class of codecs: cut a stream into frames, read messages, write messages. No I/O.

A codec may override methods for what only its protocol has, such as its own notation of moves; most override none.
"""

from abc import ABC, abstractmethod
from typing import ClassVar

from plyground.position import Position
from plyground.wire.messages import Message, Move, Unreadable, fit

LARGEST_FRAME = 64 * 1024
"""Bytes of the largest message by default."""


class Codec(ABC):
    """Codec of one peer's stream. `feed` takes bytes as they come, and returns the bytes of each whole message."""

    only_moves: ClassVar[bool] = False
    """Whether players of this protocol may read moves only: no greeting, result or fault is sent to them."""

    as_player = False
    """Whether to write in the player's form, where a player and a server write in different forms."""

    def __init__(self, largest: int = LARGEST_FRAME) -> None:
        self._largest = largest
        self._held = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """Add bytes. Returns the frames that are whole now.

        Raises:
            Unreadable: a frame is larger than allowed; nothing after it can be read.
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
        """Index of the end of the frame that begins at `start`; None while it is not whole.

        After None the next call gets the same bytes and those that have come since. To keep the cost linear, it reads
        nothing behind the end (many short frames), and remembers how far it has read (many short parts of a frame).
        """

    @abstractmethod
    def read(self, frame: bytes) -> Message:
        """Returns the message of a frame.

        Raises:
            Unreadable: the frame is no message.
        """

    def write(self, message: Message) -> bytes:
        """Returns a message as a frame with its end. A text beyond its limit is cut."""
        return self._write(fit(message))

    @abstractmethod
    def _write(self, message: Message) -> bytes:
        """Returns a message as a frame; its texts are within their limits."""

    def follow(self, frame: bytes, message: Message) -> None:  # noqa: B027  most protocols have one way to write
        """Adapt to the peer: write in the form that this message from it shows."""

    def move_text(self, position: Position, move: int) -> str:
        """Text of a legal move on the wire: by default the game's own. Every game's `parse_move` reads it."""
        return position.game.move_text(position.state, move)

    def example(self, position: Position, move: int) -> str:
        """An example of a legal move, for the error message about an unreadable one."""
        return decode(self.write(Move(self.move_text(position, move)))).strip()

    def layouts(self, position: Position, move: int) -> list[tuple[str, list[bytes]]]:
        """All ways to write a legal move that a player of this protocol must read: each a name, and the parts in
        which the bytes are sent.
        """
        return [("answers a move", [self.write(Move(self.move_text(position, move)))])]

    @property
    def pending(self) -> int:
        """Number of bytes held of a message that is not whole yet."""
        return len(self._held.strip())


def decode(frame: bytes) -> str:
    """Returns a frame as text.

    Raises:
        Unreadable: it is not UTF-8.
    """
    try:
        return frame.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise Unreadable(f"Byte {fault.start + 1} of the message is not UTF-8.") from None
