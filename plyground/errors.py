"""Errors in input from a person or a program."""

import builtins
import inspect
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from functools import lru_cache, wraps
from numbers import Integral, Real
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

from plyground.text import plain_lines

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


ADDRESS = re.compile(" at 0x[0-9A-Fa-f]+")
"""The address of an object in its `repr`."""
MOST_VALUE_CHARACTERS = 80
"""Characters of a wrong value in a sentence."""


class BadInput(ValueError):
    """Invalid input; the message is one sentence for the person who gave it.

    The sentence says what was wrong, where, and what would be right. The terminal and the pages show it as it is: the
    terminal with exit code 2, never with a traceback. It may quote input: control characters are stripped.

    >>> try:
    ...     raise BadInput("depth=0: a limit is above 0.")
    ... except ValueError as error:
    ...     print(error)
    depth=0: a limit is above 0.
    """

    def __str__(self) -> str:
        return plain_lines(super().__str__())

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the class and its arguments unchanged: Python would call the class with its sentence alone."""
        return _unpickle, (type(self), self.args), self.__dict__


def clause_of(said: object) -> str:
    """Words of a sentence or fault without their final full stop, for use as a clause of a longer sentence."""
    text = str(said).rstrip()
    return text[:-1] if text.endswith(".") and not text.endswith("..") else text


def sentence_of(said: object) -> str:
    """Words with one full stop at their end; questions, exclamations, ellipses and empty texts stay unchanged."""
    text = clause_of(said)
    return text if not text or text.endswith(("?", "!", "…", "..")) else f"{text}."


def _unpickle(kind: type[BadInput], args: tuple[Any, ...]) -> BadInput:
    return kind.__new__(kind, *args)


class WrongType(BadInput, TypeError):
    """An argument of a kind that the function does not take; the sentence says which kind it takes."""


class TooNew(BadInput):
    """A file or database of a later version of plyground, in an unknown form. It is left unchanged."""

    def __init__(self, what: str, version: int, known: int) -> None:
        """Make the sentence of the kind of file, its version, and the last version that is read here."""
        super().__init__(
            f"{what} is of version {version}, and this plyground knows {known} at most. It is as it was: use the "
            "plyground that wrote it, or a later one."
        )


class GameFault(BadInput):
    """A game cannot continue through no fault of a player: a rule of it fails, or it is too large for any search.

    So no player loses by it, and a game in progress stays as it is. The message has the form of `BadInput`'s.
    """


class InputRequested(EOFError):
    """User code asked for input where nothing can be read."""


class _NoInput:
    """Standard input while user code runs: every use of it raises `InputRequested`."""

    def __getattr__(self, name: str) -> Any:
        raise InputRequested("there is no input")


@contextmanager
def no_input() -> Iterator[None]:
    """Context in which user code can read nothing."""
    none: Any = _NoInput()
    stdin, sys.stdin = sys.stdin, none
    ask, builtins.input = builtins.input, lambda prompt="": none.readline()  # Python's own would print the prompt
    try:
        yield
    finally:
        sys.stdin, builtins.input = stdin, ask


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


def check_arguments(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Decorate a public function: check its arguments against its annotations at each call.

    >>> @check_arguments
    ... def ahead(depth: int = 1) -> int:
    ...     return depth
    >>> ahead("2")
    Traceback (most recent call last):
    plyground.errors.WrongType: depth='2': give a whole number.
    """
    # Kinds are looked at once a function; a call then costs one look into a set of types for each argument.
    kinds: dict[str, Kind] = {}

    @wraps(function)
    def call(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        if not kinds:  # not before the first call: an annotation may name what comes later in its module
            kinds.update(_kinds_by_name(function, inspect.signature(function).parameters))
        for name, value in zip(kinds, args, strict=False):
            if type(value) not in kinds[name].types:
                _require_kind(name, value, kinds[name])
        for name, value in kwargs.items():
            if name in kinds and type(value) not in kinds[name].types:
                _require_kind(name, value, kinds[name])
        return function(*args, **kwargs)

    return call


def check_fields(record: Any) -> None:
    """Check the fields of a dataclass as `check_arguments` does arguments.

    Raises:
        WrongType: a field is of another kind.
    """
    owner: Any = type(record)
    for name, kind in _kinds_of_fields(owner).items():
        if type(value := getattr(record, name)) not in kind.types:
            _require_kind(name, value, kind)


class Kind(NamedTuple):
    """Values that an annotation allows, in words, and their check."""

    words: tuple[str, ...]
    """Alternatives in words: "give a, or b". Empty: any value is accepted here, and the callee checks it."""
    fits: Callable[[Any], bool]
    types: frozenset[type] = frozenset()
    """Types that need no closer look: nearly all arguments are of one of them."""


def set_kind_words(kind: type, words: str) -> None:
    """Set the words of a class in sentences about arguments: "give" and these words."""
    ARGUMENT_KINDS[kind] = Kind((words,), lambda value: isinstance(value, kind), frozenset({kind}))


def exempt_from_checks(kind: type) -> None:
    """Exempt a class from the check of arguments: functions that take it accept more and refuse the rest themselves."""
    ARGUMENT_KINDS[kind] = ANYTHING


def _require_kind(name: str, value: object, kind: Kind) -> None:
    if not kind.fits(value):
        small = " below 2**63" if type(value) is int and value >> 63 else ""
        raise WrongType(f"{name}={value_text(value)}: give {' or '.join(dict.fromkeys(kind.words))}{small}.")


def value_text(value: object) -> str:
    """A value as text: a long one is cut, and an address, which says nothing, is left out."""
    text = ADDRESS.sub("", repr(value))
    return text if len(text) <= MOST_VALUE_CHARACTERS else f"{text[:MOST_VALUE_CHARACTERS]}…"


@lru_cache(maxsize=256)
def _kinds_of_fields(record: type) -> dict[str, Kind]:
    return _kinds_by_name(record, [field.name for field in fields(record)])


def _kinds_by_name(owner: Any, names: Iterable[str]) -> dict[str, Kind]:
    """The kinds of a function's parameters, or a class's fields, in their order."""
    try:
        hints = get_type_hints(owner)
    except Exception:  # a name that only type checkers import, or words that are no type
        hints = {name: hint for name, hint in owner.__annotations__.items() if not isinstance(hint, str)}
    return {name: _kind_of(hints.get(name, Any)) for name in names}


def _is_whole(value: Any) -> bool:
    is_int = type(value) is int or (isinstance(value, Integral) and not isinstance(value, bool))
    # The number has to fit 64 bits, for arguments go to compiled code.
    return is_int and -1 << 63 <= value < 1 << 63


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and value == value  # NaN is no number


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)  # nor is a text one of its letters


ANYTHING = Kind((), lambda value: True)
# Numbers are tested as `Integral` and `Real`, so that NumPy's numbers pass.
ARGUMENT_KINDS: dict[Any, Kind] = {
    int: Kind(("a whole number",), _is_whole),
    float: Kind(("a number",), _is_number),
    str: Kind(("a text",), lambda value: isinstance(value, str), frozenset({str})),
    bool: Kind(("True or False",), lambda value: type(value).__name__ in ("bool", "bool_"), frozenset({bool})),
    Path: Kind(("a Path",), lambda value: isinstance(value, Path)),
    NoneType: Kind(("None",), lambda value: value is None, frozenset({NoneType})),
    Sequence: Kind(("a list",), _is_list),
    tuple: Kind(("a list",), _is_list),
    Collection: Kind(("a list",), lambda value: isinstance(value, Collection) and not isinstance(value, str | bytes)),
    Iterable: Kind(("a list",), lambda value: isinstance(value, Iterable) and not isinstance(value, str | bytes)),
    Callable: Kind(("a function",), callable),
}
"""Kinds with words of their own; other classes are named."""


@lru_cache(maxsize=1024)
def _kind_of(annotation: Any) -> Kind:
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin in (Union, UnionType):
        return _union_kind([_kind_of(part) for part in parts])
    if origin is Literal:
        return Kind(tuple(map(repr, parts)), lambda value: value in parts)
    if origin is tuple and ... not in parts:
        return _tuple_kind([_kind_of(part) for part in parts])
    found = ARGUMENT_KINDS.get(origin or annotation) or _class_kind(origin or annotation)
    if origin is not None and found.words == ("a list",) and _kind_of(parts[0]).words:
        return _list_kind(found, _kind_of(parts[0]))
    return found


def _union_kind(kinds: Sequence[Kind]) -> Kind:
    if ANYTHING in kinds:
        return ANYTHING
    words = tuple(word for kind in kinds for word in kind.words)
    return Kind(
        words, lambda value: any(kind.fits(value) for kind in kinds), frozenset().union(*(k.types for k in kinds))
    )


def _tuple_kind(kinds: Sequence[Kind]) -> Kind:
    """A tuple of a fixed length."""
    words = f"({', '.join(' or '.join(kind.words) or 'anything' for kind in kinds)})"
    return Kind(
        (words,),
        lambda value: (
            isinstance(value, tuple | list)
            and len(value) == len(kinds)
            and all(kind.fits(each) for kind, each in zip(kinds, value, strict=True))
        ),
    )


def _list_kind(whole: Kind, one: Kind) -> Kind:
    """A list of one kind; what can be iterated only once is not looked into."""
    return Kind(
        (f"{whole.words[0]}, each {' or '.join(one.words)}",),
        lambda value: (
            whole.fits(value)
            and (not isinstance(value, Collection) or all(type(each) in one.types or one.fits(each) for each in value))
        ),
    )


def _class_kind(kind: Any) -> Kind:
    # Protocols cannot be checked by `isinstance` unless they say so, and not by their methods' types: the callee says
    # what is wrong.
    if not isinstance(kind, type) or kind in (object, Any) or getattr(kind, "_is_protocol", False):
        return ANYTHING
    is_known = kind.__module__ == "builtins" or kind.__module__.startswith("plyground")
    name = kind.__name__ if is_known else f"{kind.__module__}.{kind.__name__}"
    article = "an" if name[0] in "AEIOUaeiou" else "a"
    return Kind((f"{article} {name}",), lambda value: isinstance(value, kind), frozenset({kind}))
