"""One short text names anything that can be chosen: `mnk:5,5,4`, `ultimate:send=false`, `alphabeta:depth=2`.

A name, then after a colon its options, separated by commas: values in the order of the options, or `name=value`. Where
all after the colon is one text, such as a command, options stand in brackets before it: `program[timeout=5]:swipl a`.
What may be chosen stands in a list of `Choice`s; the options are the parameters of the choice's maker.
"""

import importlib
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar, get_args, get_type_hints

from plyground.errors import BadInput

Made = TypeVar("Made")


def imported(where: str) -> Any:
    """What `module:name` names, imported now: for parts that most never use and that take long to import."""
    module, _, name = where.partition(":")
    return getattr(importlib.import_module(module), name)


@dataclass(frozen=True)
class Choice(Generic[Made]):
    """Something that can be chosen by name."""

    name: str
    make: Callable[..., Made] | str
    """Takes the options as keyword arguments; each is annotated int, float, bool or str, a type with `from_text`, or
    one of these or None. Or where that is, as `module:name`, to be imported when it is first asked for."""
    summary: str
    """What it is, in a line for people."""
    raw: bool = False
    """Whether all after the colon is one text: the maker's first option."""

    @property
    def maker(self) -> Callable[..., Made]:
        """What makes it."""
        if not isinstance(self.make, str):
            return self.make
        found: Callable[..., Made] = imported(self.make)
        return found


def build(text: str, choices: Sequence[Choice[Made]], kind: str) -> Made:
    """Make what a text names.

    Args:
        text: the name and options.
        choices: what there is.
        kind: the word for such things, for the message: `game`, `player`.

    Raises:
        BadInput: no such name, no such option, or a value that the option does not take.
    """
    name, bracketed, rest = _parts(text.strip())
    choice = next((choice for choice in choices if choice.name == name), None)
    if choice is None:
        known = ", ".join(choice.name for choice in choices)
        raise BadInput(f"There is no {kind} {name!r}: there are {known}.")
    if choice.raw:
        return make(partial(choice.maker, rest), name, bracketed)
    if bracketed:
        raise BadInput(f"{name}[{bracketed}]: write its options after a colon, as in {name}:{bracketed}.")
    return make(choice.maker, name, rest)


def _parts(text: str) -> tuple[str, str, str]:
    """The name, what stands in brackets after it, and what stands after the colon."""
    head, _, rest = text.partition(":")
    if "[" in head and "]:" in text:
        head, _, rest = text.partition("]:")
    name, _, bracketed = head.partition("[")
    return name, bracketed.removesuffix("]"), rest


def make(maker: Callable[..., Made], name: str, options: str) -> Made:
    """Call a maker with options in text form.

    Raises:
        BadInput: an option that the maker does not have, or a value that it does not take.
    """
    function = maker.func if isinstance(maker, partial) else maker
    hints = get_type_hints(function.__init__ if isinstance(function, type) else function)  # type: ignore[misc]
    parameters = [key for key, parameter in inspect.signature(maker).parameters.items() if key in hints]
    values: dict[str, object] = {}
    for place, item in enumerate(filter(None, options.split(","))):
        key, equals, value = item.partition("=")
        if not equals:
            if place >= len(parameters):
                raise BadInput(f"{name} takes {_options(parameters)}: {item!r} is one too many.")
            key, value = parameters[place], item
        key = key.strip()
        if key not in parameters:
            raise BadInput(f"{name} has no option {key!r}: it takes {_options(parameters)}.")
        values[key] = _value(value.strip(), hints[key], f"{name}:{key}")
    return maker(**values)


def _options(parameters: list[str]) -> str:
    return ", ".join(parameters) or "no options"


def _value(text: str, hint: object, where: str) -> object:
    kinds = get_args(hint) or (hint,)
    if bool in kinds:
        if text.lower() in ("true", "yes", "on", "1"):
            return True
        if text.lower() in ("false", "no", "off", "0"):
            return False
        raise BadInput(f"{where}={text!r}: write true or false.")
    for kind in kinds:
        if hasattr(kind, "from_text"):
            try:
                return kind.from_text(text)
            except BadInput as wrong:
                raise BadInput(f"{where}: {wrong}") from None
    for kind, word in ((int, "a whole number"), (float, "a number")):
        if kind in kinds:
            try:
                return kind(text)
            except ValueError:
                raise BadInput(f"{where}={text!r}: write {word}.") from None
    return text
