"""Restoration of the data that a search's file keeps between calls, so that questions are independent."""

from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from functools import cached_property
from inspect import isfunction
from typing import Any

Container = dict[Any, Any] | list[Any] | set[Any]


class ModuleData:
    """Values of a file's variables, its functions' defaults, and the attributes of its classes and objects.

    Tables, counters and caches outlive a search. A question to a search is one of its own only if none of them does.

    Args:
        space: the file's variables by their names.
    """

    def __init__(self, space: dict[str, Any]) -> None:
        self._space = space
        self._names = {name: each for name, each in space.items() if not name.startswith("__")}

    @cached_property
    def _kept_containers(self) -> list[tuple[Container, Container]]:
        """Each container, and a copy of its content."""
        kept: list[tuple[Container, Container]] = []
        for each in self._containers():
            with suppress(Exception):  # what cannot be copied stays as it is
                kept.append((each, deepcopy(each)))
        return kept

    def _containers(self) -> Iterator[Container]:
        for each in self._names.values():
            if isinstance(each, dict | list | set):
                yield each
            elif isfunction(each) and each.__module__ == self._space.get("__name__"):
                yield from (given for given in each.__defaults__ or () if isinstance(given, dict | list | set))
                # Attributes of functions, such as a counter.
                yield vars(each)
            elif isinstance(each, type) and each.__module__ == self._space.get("__name__"):
                yield from (value for value in vars(each).values() if isinstance(value, dict | list | set))
            elif type(each).__module__ == self._space.get("__name__") and hasattr(each, "__dict__"):
                yield vars(each)

    def keep_copy(self) -> None:
        """Copy all data as it is now; `restore_copy` brings this back."""
        _ = self._kept_containers

    def restore_copy(self) -> None:
        """Bring back the data as it was at `keep_copy`, and clear the caches of the file's functions."""
        # Names first, for a container may have been replaced by another; then the content of each, in place, because
        # functions hold the object itself.
        self._space.update(self._names)
        for now, was in self._kept_containers:
            now.clear()
            copied = deepcopy(was)
            if isinstance(now, list):
                now.extend(copied)
            else:
                now.update(copied)
        for each in self._names.values():
            if getattr(each, "__module__", None) == self._space.get("__name__") and hasattr(each, "cache_clear"):
                each.cache_clear()
