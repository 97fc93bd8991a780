"""Errors of the compiler, and of the code that it makes."""

from pathlib import Path


class NotCompilable(Exception):
    """A function has no compiled form; the message says which part, and what would be right.

    The message follows `where`, "file, line: ".
    """

    where: str = ""

    def locate(self, file: str, line: int) -> None:
        """Set the place of the refusal, unless an inner frame has set it."""
        # Each frame calls this on the way out, from the innermost to the outermost: the first place is the one that a
        # user can mend, so it is kept.
        self.where = self.where or source_place(file, line)

    def __str__(self) -> str:
        return f"{self.where}{self.args[0]}"


def source_place(file: str, line: int) -> str:
    """Format a place in a source as the beginning of a sentence."""
    return f"{Path(file).name}, line {line}: "


class NoSource(Exception):
    """The source of a function cannot be read, or was changed after the function was loaded."""


class Overflow(ArithmeticError):
    """An int would leave 64 bits in compiled code."""


class UnsupportedCase(Exception):
    """Compiled code came to a case that only plain Python computes, such as a list of too many items."""


class InvalidCode(Exception):
    """LLVM or an engine refuses the code of a back end: a fault of the compiler, not of the rules."""
