"""Radix sort of ints, digit by digit from the lowest.

Each pass keeps the order of ints that have the same digit, so after the last one they are in the order of all digits:
Knuth, "The Art of Computer Programming", volume 3, 5.2.5. It takes a time of its own for each digit, whatever the ints,
and its speed does not depend on the vector instructions of the processor.
"""

from typing import Final

from plyground.constant import Constant
from plyground.search.memory import Memory

DIGIT: Final = 12
"""Bits of a digit: as many ints are written to at a time, in a cache line each, as the second cache has room for."""


def sort_digit(
    constant: Constant, source: Memory, target: Memory, count: int, shift: int, mask: int, places: Memory
) -> int:
    """Write ints to a target in the order of one digit.

    Args:
        constant: any; the code is the same for all games.
        source: the ints.
        target: room for as many.
        count: number of ints.
        shift, mask: bits below the digit, and the ones of its own bits.
        places: memory of `mask` + 2 ints; it gets the place of each digit's first int.

    Returns:
        1; or 0 where all ints have the same digit, and nothing is written.
    """
    # One place more than digits: each counts one place up, so that the running sum gives where a digit begins, not
    # where it ends.
    for digit in range(mask + 2):
        places[digit] = 0
    for index in range(count):
        places[((source[index] >> shift) & mask) + 1] += 1
    for digit in range(mask + 1):
        if places[digit + 1] == count:
            # All alike in this digit, as the highest ones often are: the pass would copy and change nothing.
            return 0
        places[digit + 1] += places[digit]
    for index in range(count):
        digit = (source[index] >> shift) & mask
        # From the first to the last, so ints of one digit keep their order: what makes passes from the lowest digit on
        # a sort.
        target[places[digit]] = source[index]
        places[digit] += 1
    return 1
