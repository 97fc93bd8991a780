"""In place of Pydantic, whose core Pyodide's lacks: models that are written as JSON, checking nothing.

A page is only told what our own functions answer; `tests/test_editor.py` holds it to the facts that Pydantic writes.
"""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

Called = Callable[..., Any]


class BaseModel:
    """A model: its fields by name."""

    def __init__(self, **fields: Any) -> None:
        vars(self).update({name: getattr(type(self), name, None) for name in _names(type(self))} | fields)

    def model_dump(self, mode: str = "json") -> dict[str, Any]:
        """The fields as JSON takes them."""
        return {name: _plain(getattr(self, name)) for name in _names(type(self))}


def _names(kind: type) -> list[str]:
    """The fields of a model, those of its bases first."""
    found = [name for base in reversed(kind.__mro__) for name in getattr(base, "__annotations__", {})]
    return [name for name in dict.fromkeys(found) if name != "model_config"]


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump()
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    return value


def _nothing(*_: Any, **__: Any) -> None:
    """Return None for a field's constraints: nothing is checked."""


ConfigDict: Called = dict
AfterValidator: Called = _nothing
Field: Called = _nothing
