"""Messages as JSON, one object a line: `{"move": {"text": "b2"}}`."""

import json
from dataclasses import asdict, fields
from typing import Any

from plyground.wire.codec import Codec, decoded
from plyground.wire.messages import BY_NAME, Message, Unreadable


class JsonLines(Codec):
    """A line is a message."""

    def _end(self) -> int | None:
        end = self._held.find(b"\n")
        return None if end < 0 else end + 1

    def read(self, frame: bytes) -> Message:
        try:
            document = json.loads(decoded(frame))
        except (ValueError, RecursionError) as fault:
            if isinstance(fault, Unreadable):
                raise
            raise Unreadable(f"The line is not JSON: {fault}.") from None
        if not isinstance(document, dict) or len(document) != 1:
            raise Unreadable('A message is an object with one key, as in {"move": {"text": "b2"}}.')
        name, values = next(iter(document.items()))
        if name not in BY_NAME or not isinstance(values, dict):
            raise Unreadable(f"{name!r} is not a message: there are {', '.join(BY_NAME)}.")
        return _checked(name, values)

    def write(self, message: Message) -> bytes:
        document = {type(message).__name__.lower(): asdict(message)}
        return json.dumps(document, ensure_ascii=False).encode() + b"\n"


def _checked(name: str, values: dict[str, object]) -> Message:
    kinds: dict[str, Any] = {field.name: field.type for field in fields(BY_NAME[name])}
    for key, value in values.items():
        if key not in kinds:
            raise Unreadable(f"{name} has no {key!r}: it has {', '.join(kinds) or 'nothing'}.")
        if type(value) is not kinds[key]:
            raise Unreadable(f"{name}.{key} is {value!r}: it is of type {kinds[key].__name__}.")
    try:
        return BY_NAME[name](**values)  # type: ignore[arg-type]  # checked above
    except TypeError:
        missing = [key for key in kinds if key not in values]
        raise Unreadable(f"{name} lacks one of: {', '.join(missing)}.") from None
