"""What needs a library of the extra `arena`, told in one sentence where that is not installed."""

from collections.abc import Iterator
from contextlib import contextmanager

from plyground.errors import BadInput


@contextmanager
def extra(what: str) -> Iterator[None]:
    """Around the imports of what the extra brings.

    Args:
        what: what is to be done, the beginning of a sentence: `An Elo rating`.

    Raises:
        BadInput: a library is not installed here.
    """
    try:
        yield
    except ModuleNotFoundError as missing:
        raise BadInput(f'{what} needs {missing.name}: pip install "plyground[arena]".') from None
