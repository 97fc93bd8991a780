"""Errors in input from a person or a program."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from functools import wraps
from numbers import Integral, Real
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin

from plyground.text import plain_lines

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


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


# -- arguments of another kind -----------------------------------------------------------------------------------------


def checked(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Decorate a public function: arguments that its annotations call numbers, texts or choices have to be such.

    >>> @checked
    ... def ahead(depth: int = 1) -> int:
    ...     return depth
    >>> ahead("2")
    Traceback (most recent call last):
    plyground.errors.WrongType: depth='2': give a whole number.
    """
    annotations = {name: each.annotation for name, each in inspect.signature(function).parameters.items()}
    names = tuple(annotations)

    @wraps(function)
    def call(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        for name, value in (*zip(names, args, strict=False), *kwargs.items()):
            _require(name, value, annotations.get(name))
        return function(*args, **kwargs)

    return call


def check_fields(record: Any) -> None:
    """Check the fields of a dataclass as `checked` does arguments.

    Raises:
        WrongType: a number, a text or a choice is none.
    """
    for field in fields(record):
        _require(field.name, getattr(record, field.name), field.type)


def _require(name: str, value: object, kind: Any) -> None:
    if not _fits(value, kind):
        raise WrongType(f"{name}={value!r}: give {' or '.join(dict.fromkeys(_words(kind)))}.")


KINDS: dict[Any, tuple[type, str]] = {
    int: (Integral, "a whole number"),
    float: (Real, "a number"),
    str: (str, "a text"),
    bool: (object, "True or False"),
    Path: (Path, "a Path"),
    NoneType: (NoneType, "None"),
    Sequence: (Sequence, "a list"),
    Iterable: (Iterable, "a list"),
    Callable: (Callable, "a function"),  # type: ignore[dict-item]
}
"""Kinds of arguments that are checked, and their words; all others say themselves what they need."""


def _fits(value: object, kind: Any) -> bool:
    if kind in (int, float) and type(value) is kind:
        return True
    kind = getattr(kind, "__origin__", kind) if hasattr(kind, "__metadata__") else kind
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return any(_fits(value, each) for each in get_args(kind))
    if origin is Literal:
        return value in get_args(kind)
    if origin is tuple and ... not in get_args(kind):
        kinds = get_args(kind)
        both = list(zip(value, kinds, strict=False)) if isinstance(value, tuple | list) else []
        return len(both) == len(kinds) == len(value) and all(_fits(*each) for each in both)  # type: ignore[arg-type]
    if isinstance(value, bool if kind in (int, float) else str if origin in (Sequence, Iterable) else ()):
        return False  # True is no number, and a text is no list of its letters
    known = KINDS.get(origin or kind)
    return not known or isinstance(value, known[0])


def _words(kind: Any) -> list[str]:
    kind = getattr(kind, "__origin__", kind) if hasattr(kind, "__metadata__") else kind
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return [word for each in get_args(kind) for word in _words(each)]
    if origin is Literal:
        return [repr(each) for each in get_args(kind)]
    if origin is tuple:
        return [f"({', '.join(word for each in get_args(kind) for word in _words(each))})"]
    known = KINDS.get(origin or kind)
    return [known[1]] if known else []
