"""Regular expressions that mean the same in Python and in JavaScript."""

import re

_ALIKE = re.compile(
    r"""(?:
    \\[\\^$.*+?()\[\]{}|/nt]                    # a sign by itself, a newline, a tab
    | \[\^?(?:[^\]\[\\]|\\[\\^$.*+?()\[\]{}|/nt-])+\]  # a class
    | \((?:\?(?::|<?[=!])|(?!\?)) | \)        # groups by number, and what is ahead or behind
    | (?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})\??(?!\+)  # how often
    | [^\\\[\]().$*+?{}]                       # another sign, also ^ and |
    )*""",
    re.VERBOSE,
)
"""The expressions that are translated. `\\d`, `\\w`, `\\s` and `\\b` know other signs in the other language, `$` also
the place before a last newline, and `.` other ends of lines."""


def source(text: str) -> str:
    """The source of an expression in JavaScript, between slashes.

    Raises:
        TypeError: it would mean something else there, or nothing.
    """
    if not _ALIKE.fullmatch(text):
        raise TypeError(f"{text} would mean something else in JavaScript")
    return re.sub(r"(?<!\\)/", r"\\/", text)


def source_of(pattern: re.Pattern[str]) -> str:
    """The same of a compiled expression.

    Raises:
        TypeError: as `source`, or it has flags.
    """
    if pattern.flags != re.UNICODE:
        raise TypeError(f"{pattern.pattern} has flags")
    return source(pattern.pattern)
