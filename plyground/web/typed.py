"""Types a lesson's Python in again: `python -m plyground.web.typed 3-alpha-beta 4`.

What the lesson typed before those lines is typed too, for they may need it; only what they print themselves is printed.
"""

import contextlib
import io
import sys
from typing import Any

from plyground.web.examples import Lines
from plyground.web.lessons import lesson


def type_in(name: str, number: int) -> None:
    """Type in a lesson's lines of Python up to that example, and print what that example prints."""
    found = lesson(name)
    space: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()):
        for before in found.examples[: number - 1]:
            _type(before, space)
    _type(found.example(number), space)


def _type(example: object, space: dict[str, Any]) -> None:
    for source in example.sources if isinstance(example, Lines) else ():
        exec(compile(source, "<lesson>", "single"), space)


if __name__ == "__main__":
    type_in(sys.argv[1], int(sys.argv[2]))
