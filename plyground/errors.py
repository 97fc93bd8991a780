"""What can be wrong with what a person or a program hands in."""

from typing import Any

from plyground.text import plain_lines


class BadInput(ValueError):
    """Something handed in cannot be used; the message is one sentence for the person who handed it in.

    The sentence says what was wrong, where, and what would be right. Faces print it as it is: the terminal with exit
    code 2, never with a traceback. What it quotes may come from outside: control characters are stripped.
    """

    def __str__(self) -> str:
        return plain_lines(super().__str__())

    def __reduce__(self) -> tuple[Any, ...]:
        """It goes from process to process as it is: Python would make it anew of its sentence, whatever it takes."""
        return _as_it_was, (type(self), self.args), self.__dict__


def _as_it_was(kind: type[BadInput], args: tuple[Any, ...]) -> BadInput:
    return kind.__new__(kind, *args)


class TooNew(BadInput):
    """Something that a later plyground has kept, in a way that this one does not know. It is left as it is."""

    def __init__(self, what: str, version: int, known: int) -> None:
        """Say what it is, of which version, and the last version known here."""
        super().__init__(
            f"{what} is of version {version}, and this plyground knows {known} at most. It is as it was: use the "
            "plyground that wrote it, or a later one."
        )


class GameFault(BadInput):
    """A game cannot go on, through no fault of a player: a rule of it fails, or no search has room for it.

    So nobody loses by it, and a game that is being played stays as it is. The message is as `BadInput`'s.
    """
