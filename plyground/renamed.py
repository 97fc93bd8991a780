"""Old public names: accepted with a `DeprecationWarning` that has the new name."""

import warnings
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def warn_renamed(old: str, new: str, depth: int = 2) -> None:
    """Warn the caller `depth` calls above that a name has changed."""
    warnings.warn(f"{old} is now {new}; the old name will be removed.", DeprecationWarning, stacklevel=depth + 1)


def old_parameter(old: str, new: str) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """Decorator of a function that also accepts a keyword argument by its old name.

    >>> @old_parameter("hurry", "prefer_shorter")
    ... def chosen(prefer_shorter: bool = True) -> bool:
    ...     return prefer_shorter
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     chosen(hurry=False)
    False
    """

    def decorate(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
        @wraps(function)
        def call(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
            if old in kwargs:
                warn_renamed(f"{function.__qualname__}({old}=…)", f"{new}=…")
                kwargs[new] = kwargs.pop(old)
            return function(*args, **kwargs)

        return call

    return decorate
