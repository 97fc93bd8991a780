"""Options of a verb from the records that it takes: names, types, help and defaults stand once.

A field with words, as `seed: Annotated[int, "the seed"] = 0`, is an option. A second text beside the words is an
example, which a field of several numbers needs: `Annotated[tuple[float, float] | None, "bounds", "0,5"]` reads `0,5`.
"""

import inspect
from collections.abc import Callable
from dataclasses import fields
from functools import partial, wraps
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import typer

from plyground.errors import BadInput

Verb = Callable[..., None]


class _Option:
    """An option for a field of a record."""

    def __init__(self, name: str, hint: Any, default: object) -> None:
        kind, *told = get_args(hint)
        kinds = get_args(kind) if get_origin(kind) is UnionType else (kind,)
        self.kind: Any = Path if Path in kinds else kinds[0]
        self.name, self.default, self.is_optional = name, default, NoneType in kinds
        self.words, *self.example = told

    @property
    def parameter(self) -> inspect.Parameter:
        """The option as Typer reads it."""
        flag = f"--{self.name.replace('_', '-')}"
        kind: Any = str if get_origin(self.kind) in (tuple, Literal) else self.kind
        # A flag is named, or Typer would add its opposite, `--no-…`.
        option = typer.Option(*([flag] if kind is bool else []), help=self.words)
        annotated: Any = Annotated  # at run time: type checkers know it in annotations only
        annotation = annotated[kind | None if self.is_optional else kind, option]
        return inspect.Parameter(self.name, inspect.Parameter.KEYWORD_ONLY, default=self.default, annotation=annotation)

    def value(self, given: Any) -> object:
        """The field's value, from the value that Typer has read.

        Raises:
            BadInput: several numbers are asked for, and these are others than in the example.
        """
        if get_origin(self.kind) is not tuple or not given:
            return given
        kinds, texts = get_args(self.kind), given.split(",")
        try:
            return tuple(kind(text) for kind, text in zip(kinds, texts, strict=True))
        except ValueError:
            what = f"{('two', 'three')[len(kinds) - 2]} {'numbers' if kinds[0] is float else 'whole numbers'}"
            raise BadInput(f"--{self.name} {given}: {what}, as in --{self.name} {self.example[0]}.") from None


def with_options(**records: Any) -> Callable[[Verb], Verb]:
    """Decorate a verb that has parameters of these names: it gets each record as a function that makes it.

    The function has the options' values already, and takes what else the record needs. A keyword-only field for which
    the verb has a parameter of its own is no value of these; that parameter stands at the field's place in the help.
    """

    def decorate(verb: Verb) -> Verb:
        signature = inspect.signature(verb, eval_str=True)
        own = signature.parameters
        options: dict[str, dict[str, _Option]] = {}
        placed = {field.name for record in records.values() for field in fields(record) if field.kw_only}
        shown: list[inspect.Parameter] = []
        for name, parameter in own.items():
            if name not in records:
                shown += [] if name in placed else [parameter]
                continue
            hints, options[name] = get_type_hints(records[name], include_extras=True), {}
            for field in fields(records[name]):
                # The verb's own parameter: it is read otherwise, but stands in the help where the
                # field does.
                if field.name in own and field.kw_only:
                    shown.append(own[field.name])
                elif get_origin(hints[field.name]) is Annotated:
                    option = options[name][field.name] = _Option(field.name, hints[field.name], field.default)
                    shown.append(option.parameter)

        @wraps(verb)
        def call(**given: Any) -> None:
            for name, record in records.items():
                values = {each: option.value(given.pop(each)) for each, option in options[name].items()}
                given[name] = partial(record, **values)
            verb(**given)

        keyword_only = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in shown]
        # Typer reads the signature; keyword-only parameters may have defaults in any order.
        call.__signature__ = signature.replace(parameters=keyword_only)  # type: ignore[attr-defined]
        return call

    return decorate
