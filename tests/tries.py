"""Number of random cases that a test tries: all of them every night, a quarter at each push."""

import os
from math import ceil

SEED = "PLYGROUND_SEED"
"""Environment variable with the seed of random examples; the nightly run sets it."""
PARTS = 4
"""Divisor of the number of random cases at each push."""


def tries(number: int) -> int:
    """Returns `number` if `PLYGROUND_SEED` is set, as every night, else a quarter of it, rounded up."""
    return number if os.environ.get(SEED) else ceil(number / PARTS)
