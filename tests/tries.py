"""Number of random cases that a test tries: all of them every night, a quarter at each push."""

import os
from math import ceil

SEED = "PLYGROUND_SEED"
"""Variable of the environment that asks for other random examples than always, as the nightly run does."""
PARTS = 4
"""One of so many is tried at each push."""


def tries(number: int) -> int:
    """All of `number` where other examples than always are asked for, else a quarter of them, and one at least."""
    return number if os.environ.get(SEED) else ceil(number / PARTS)
