"""What every codec does: cut a stream into frames, read a frame as a message, write a message as bytes. No I/O."""

from abc import ABC, abstractmethod

from plyground.wire.messages import Message, Unreadable, fitted

LARGEST = 64 * 1024
"""Bytes of the largest message by default."""


class Codec(ABC):
    """One peer's stream. Feed it bytes as they come; it gives back whole frames, each the bytes of one message."""

    def __init__(self, largest: int = LARGEST) -> None:
        self._largest = largest
        self._held = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """The frames that are whole now.

        Raises:
            Unreadable: a frame is larger than allowed; the stream cannot be read on from there.
        """
        self._held += data
        held, start = bytes(self._held), 0
        frames = []
        while (end := self._end(held, start)) is not None:
            frames.append(held[start:end])
            start = end
        del self._held[:start]
        if len(self._held) > self._largest or any(len(frame) > self._largest for frame in frames):
            raise Unreadable(f"A message is {self._largest} bytes at most; this one goes on.")
        return [frame for frame in frames if frame.strip()]

    @abstractmethod
    def _end(self, held: bytes, start: int) -> int | None:
        """Where the frame that begins at `start` ends; None while it is not whole. It looks at nothing behind the end,
        so that many short frames cost no more than one long one.
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
