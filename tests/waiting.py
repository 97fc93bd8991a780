"""Waiting for what happens: never for a time, and with one limit that only a hang reaches."""

import time
from collections.abc import Callable
from typing import TypeVar

LIMIT = 100.0
"""Seconds that anything may take on a slow and busy machine; a test has a little longer, by pytest's `timeout`."""
Seen = TypeVar("Seen")


def until(look: Callable[[], Seen]) -> Seen:
    """What is seen, as soon as it is something."""
    end = time.monotonic() + LIMIT
    while not (seen := look()):
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.02)
    return seen
