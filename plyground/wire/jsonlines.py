"""Codec for messages as JSON, one object a line: `{"move": {"text": "b2"}}`."""

import json
import re
from dataclasses import asdict
from itertools import accumulate
from typing import NoReturn

from plyground.position import Position
from plyground.text import whole_number
from plyground.wire.codec import LARGEST_FRAME, Codec, decode
from plyground.wire.messages import MESSAGE_BY_NAME, NAME_BY_MESSAGE, Message, Unreadable, make_message

MOST_NESTED = 100
"""Most brackets inside each other; beyond, Python's own limit would depend on its version and on the thread."""
STRING = re.compile(r'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
BRACKET = re.compile(r"[][{}]")
DEEPER = {"[": 1, "{": 1, "]": -1, "}": -1}


class JsonLines(Codec):
    """JSON lines: each line is a message."""

    def __init__(self, largest: int = LARGEST_FRAME) -> None:
        super().__init__(largest)
        self._looked = 0
        """Bytes of the current line that are known to hold no line end."""

    def _end(self, held: bytearray, start: int) -> int | None:
        # Only new bytes are searched: a line sent a byte at a time would else cost the square of
        # its length. A line feed inside a string is escaped (RFC 8259, section 7), so this one ends
        # the message.
        end = held.find(b"\n", start + self._looked)
        self._looked = len(held) - start if end < 0 else 0
        return None if end < 0 else end + 1

    def read(self, frame: bytes) -> Message:
        text = decode(frame)
        # The depth is checked before parsing, since the parser recurses once for each bracket.
        if _nesting_depth(text) > MOST_NESTED:
            raise Unreadable("The line has too many brackets inside each other.")
        try:
            # Python's parser reads NaN and Infinity, which are not JSON (RFC 8259, section 6), and
            # its error for a very long integer speaks of settings of Python.
            document = json.loads(text, parse_int=_parse_int, parse_constant=_refuse_constant)
        except Unreadable:
            raise
        except ValueError as fault:
            raise Unreadable(f"The line is not JSON: {fault}.") from None
        if not isinstance(document, dict) or len(document) != 1:
            raise Unreadable('A message is an object with one key, as in {"move": {"text": "b2"}}.')
        name, values = next(iter(document.items()))
        if name not in MESSAGE_BY_NAME:
            raise Unreadable(f"{name[:40]!r} is not a message: there are {', '.join(MESSAGE_BY_NAME)}.")
        if not isinstance(values, dict):
            raise Unreadable(f'What {name} says is an object, as in {{"{name}": {{…}}}}.')
        return make_message(name, values)

    def example(self, position: Position, move: int) -> str:
        return f"{super().example(position, move)} on a line"

    def _write(self, message: Message) -> bytes:
        document = {NAME_BY_MESSAGE[type(message)]: asdict(message)}
        return json.dumps(document, ensure_ascii=False).encode() + b"\n"


def _nesting_depth(text: str) -> int:
    """Brackets inside each other, at most; those in strings do not count."""
    return max(accumulate(map(DEEPER.__getitem__, BRACKET.findall(STRING.sub("", text)))), default=0)


def _parse_int(digits: str) -> int:
    if (number := whole_number(digits)) is None:
        raise Unreadable(f"A number of {len(digits)} digits is beyond every limit here.")
    return number


def _refuse_constant(word: str) -> NoReturn:
    raise Unreadable(f"The line is not JSON: {word} is no number there.")
