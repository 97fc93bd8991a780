"""Errors of the compiler, and of the code that it makes."""


class NotCompilable(Exception):
    """A function has no compiled form; the message says which part, and what would be right.

    The message follows `where`, "file, line: ".
    """

    where: str = ""

    def __str__(self) -> str:
        return f"{self.where}{self.args[0]}"


class NoSource(Exception):
    """The source of a function cannot be read, or was changed after the function was loaded."""


class Overflow(ArithmeticError):
    """An int would leave 64 bits in compiled code."""


class UnsupportedCase(Exception):
    """Compiled code came to a case that only plain Python computes, such as a list of too many items."""


class InvalidCode(Exception):
    """What a back end wrote is refused by LLVM or the engine: a fault of the compiler's, not of the rules."""
