"""Bit sets for games and searches: an int as a set, and a tuple of words as a larger set.

A set of small numbers is an int with a bit for each. A set too large for one machine word is a tuple of words, lowest
first, `WORD_BITS` bits in each; the helpers on words give the same results for one word as for many, so one source
serves boards of any size. Plain Python here; `compiler/lowering/intrinsics.py` has faster forms of `lowest`, `count`,
`nth`, `mix`, `flat` and, unrolled word by word, of most helpers on words.
"""

from collections.abc import Callable, Iterator
from operator import and_, or_
from typing import Any

Words = tuple[int, ...]

WORD_BITS = 63
"""Bits in a word: what a signed 64-bit register holds without touching its sign."""

WORD_MASK = (1 << WORD_BITS) - 1


# In two's complement `-bits` has the lowest set bit in common with `bits`, and no other.
def lowest(bits: int) -> int:
    """Index of the lowest set bit of a non-zero int."""
    return (bits & -bits).bit_length() - 1


def count(bits: int) -> int:
    """Number of set bits in a non-negative int (population count)."""
    return bits.bit_count()


# `bits & (bits - 1)` clears the lowest bit, so there is one turn for each member and none for the gaps.
def members(bits: int) -> Iterator[int]:
    """Indices of the set bits, lowest first."""
    while bits:
        yield lowest(bits)
        bits &= bits - 1


def nth(bits: int, place: int) -> int:
    """The number of the set bit that has `place` set bits below it."""
    for _ in range(place):
        bits &= bits - 1
    return lowest(bits)


def with_word(words: Words, index: int, word: int) -> Words:
    """Copy of the words with the one at `index` replaced."""
    # The result is a new tuple, never a changed one: states of games are shared between positions and threads.
    return (*words[:index], word, *words[index + 1 :])


def to_words(bits: int, length: int) -> Words:
    """An int of any size as `length` words. For a game's constructor: compiled code has no ints of any size."""
    return tuple([bits >> WORD_BITS * index & WORD_MASK for index in range(length)])


def with_member(words: Words, member: int) -> Words:
    """The set with one more member."""
    # In compiled code `len(words)` is a constant, so the division is left out where a set has one word.
    index = member // WORD_BITS if len(words) > 1 else 0
    return with_word(words, index, words[index] | 1 << member - index * WORD_BITS)


def has_member(words: Words, member: int) -> bool:
    """Whether the set holds the member."""
    if len(words) == 1:
        return words[0] >> member & 1 != 0
    if len(words) == 2:  # compiled, a choice between two words is twice as fast as an index into a tuple
        return (words[0] >> member if member < WORD_BITS else words[1] >> member - WORD_BITS) & 1 != 0
    index = member // WORD_BITS
    return words[index] >> member - index * WORD_BITS & 1 != 0


def _word_by_word(operation: Callable[[int, int], int], left: Words, right: Words) -> Words:
    if len(left) != len(right):
        raise ValueError(f"sets of {len(left)} and {len(right)} words belong to different boards")
    return tuple(map(operation, left, right))


def union(left: Words, right: Words) -> Words:
    """The members of either set."""
    return _word_by_word(or_, left, right)


def common(left: Words, right: Words) -> Words:
    """The members of both sets."""
    return _word_by_word(and_, left, right)


def without(left: Words, right: Words) -> Words:
    """The members of the left set that the right one does not hold."""
    return _word_by_word(and_, left, tuple([~word for word in right]))


def join_words(words: Words) -> int:
    """The words as an int of any size: what `to_words` takes apart."""
    bits = 0
    for word in reversed(words):
        bits = bits << WORD_BITS | word
    return bits


def shifted_down(words: Words, by: int) -> Words:
    """Every member less `by`; members below `by` drop out."""
    if len(words) == 1:
        return (words[0] >> by,)
    return to_words(join_words(words) >> by, len(words))


def shifted_up(words: Words, by: int) -> Words:
    """Every member plus `by`; members for which there is no room drop out."""
    if len(words) == 1:
        return (words[0] << by & WORD_MASK,)
    return to_words(join_words(words) << by, len(words))


def one(words: Words) -> Words:
    """The lowest member alone; of an empty set, nothing."""
    result = words
    found = False
    for index in range(len(words)):
        result = with_word(result, index, 0 if found else words[index] & -words[index])
        found = found or words[index] != 0
    return result


def some(words: Words) -> bool:
    """Whether the set has a member."""
    return any(words)


def size(words: Words) -> int:
    """Number of members of the set."""
    total = 0
    for index in range(len(words)):
        total += count(words[index])
    return total


def elements(words: Words) -> Iterator[int]:
    """The members of the set, lowest first."""
    for index in range(len(words)):
        word = words[index]
        while word:
            yield index * WORD_BITS + lowest(word)
            word &= word - 1


def element(words: Words, place: int) -> int:
    """The member that has `place` members below it."""
    for index in range(len(words)):
        here = count(words[index])
        if place < here:
            return index * WORD_BITS + nth(words[index], place)
        place -= here
    return -1


def pick_member(words: Words, chance: int) -> int:
    """Random member of a set by a random number from 0 below 2**32, as `Game.pick` picks a move; -1 of an empty set."""
    return element(words, chance * size(words) >> 32)


# -- hashes -----------------------------------------------------------------------------------------------------------

_64_BITS = (1 << 64) - 1


def mix(left: int, right: int) -> int:
    """A hash of two ints of 64 bits, a signed int of 64 bits: their XOR times the golden ratio (Knuth), folded."""
    # 2**64 divided by the golden ratio, made odd (Knuth, "The Art of Computer Programming", volume 3, 6.4): it spreads
    # neighbouring numbers far apart.
    product = (left ^ right) * 0x9E3779B97F4A7C15 & _64_BITS
    # The high bits of a product depend on all bits below them, the low ones on few: the fold gives the low half, from
    # which slots are taken, those of the high half.
    product ^= product >> 32
    # The hash is a signed int of 64 bits, which is what compiled code has in a register.
    return product - (product >> 63 << 64)


def flat(state: Any) -> Words:
    """The ints of a state in one tuple, those of tuples in it as well."""
    ints: list[int] = []
    for field in state:
        # The test is `isinstance`, so that tuples with names (`NamedTuple`) within a state count as tuples.
        if isinstance(field, tuple):
            ints += flat(field)
        else:
            ints.append(field)
    return tuple(ints)


def fill_pattern(pattern: Any, numbers: Iterator[int]) -> Any:
    """A state like the pattern, with these ints: what `flat` takes apart."""
    if not isinstance(pattern, tuple):
        return next(numbers)
    # All levels share one iterator: each tuple takes as many ints as it is long, in the order of `flat`.
    fields = [fill_pattern(field, numbers) for field in pattern]
    return type(pattern)(*fields) if hasattr(pattern, "_fields") else tuple(fields)
