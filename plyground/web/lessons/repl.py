"""Runs a lesson's Python example: `python -m plyground.web.lessons.repl 3-alpha-beta 4`.

The lesson's earlier lines run first, since the example may need them; only the example's own output is printed.
"""

import contextlib
import io
import sys
from pathlib import Path
from typing import Any

from plyground.web.lessons.examples import Lines
from plyground.web.lessons.loader import lesson


def print_example(name: str, number: int) -> None:
    """Run a lesson's lines of Python up to an example, and print the example's output.

    They can import the files that the lesson has its readers save in the current folder.
    """
    found = lesson(name)
    space: dict[str, Any] = {"__name__": "__main__"}
    sys.path.insert(0, folder := str(Path.cwd()))
    try:
        # Their output stands in the lesson above already.
        with contextlib.redirect_stdout(io.StringIO()):
            for before in found.examples[: number - 1]:
                run_example_lines(before, space)
        run_example_lines(found.example(number), space)
    finally:
        sys.path.remove(folder)


def run_example_lines(example: object, space: dict[str, Any]) -> None:
    """Run an example's lines of Python with the names that those before it have left; of a command, nothing."""
    for source in example.sources if isinstance(example, Lines) else ():
        # `single` mode prints the value of an expression, as Python's prompt does.
        exec(compile(source, "<lesson>", "single"), space)


if __name__ == "__main__":
    print_example(sys.argv[1], int(sys.argv[2]))
