"""Errors in input from a person or a program."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from plyground.text import plain_lines


class BadInput(ValueError):
    """Invalid input; the message is one sentence for the person who gave it.

    The sentence says what was wrong, where, and what would be right. The terminal and the pages show it as it is: the
    terminal with exit code 2, never with a traceback. It may quote input: control characters are stripped.
    """

    def __str__(self) -> str:
        return plain_lines(super().__str__())

    def __reduce__(self) -> tuple[Any, ...]:
        """It goes from process to process as it is: Python would make it anew of its sentence, whatever it takes."""
        return _as_it_was, (type(self), self.args), self.__dict__


def _as_it_was(kind: type[BadInput], args: tuple[Any, ...]) -> BadInput:
    return kind.__new__(kind, *args)


class WrongType(BadInput, TypeError):
    """An argument of a kind that the function does not take; the sentence says which kind it takes."""


class TooNew(BadInput):
    """A file or database of a later version of plyground, in an unknown form. It is left unchanged."""

    def __init__(self, what: str, version: int, known: int) -> None:
        """Make the sentence: what it is, its version, and the last version known here."""
        super().__init__(
            f"{what} is of version {version}, and this plyground knows {known} at most. It is as it was: use the "
            "plyground that wrote it, or a later one."
        )


class GameFault(BadInput):
    """A game cannot continue through no fault of a player: a rule of it fails, or it is too large for any search.

    So no player loses by it, and a game in progress stays as it is. The message has the form of `BadInput`'s.
    """


@contextmanager
def extra(what: str) -> Iterator[None]:
    """Context for imports from libraries of the extra `arena`.

    Args:
        what: the feature that needs them, as the beginning of a sentence: `An Elo rating`.

    Raises:
        BadInput: a library is not installed here.
    """
    try:
        yield
    except ModuleNotFoundError as missing:
        raise BadInput(f'{what} needs {missing.name}: pip install "plyground[arena]".') from None
