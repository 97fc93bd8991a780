"""Transposition table: results of a search by state, found again by any order of moves.

The table is one `Memory`, shared by any number of threads without locks. An entry keeps the whole state, each word
XORed with a hash of the entry's data (after Hyatt and Mann, "A lock-less transposition table implementation", 2002): an
entry that two threads wrote half each, or that belongs to another state, does not match and is not used.

    table:  entries - 1 | padding to 8 words | claims | entry 0 | entry 1 | …     each two entries are a bucket
    entry:  data | state word ^ hash(data) | … | padding to 4 or 8 words, so that small buckets are cache lines
    data:   bits  0..37  value + 2**37, plies counted from the state     50..58  the best move's lowest bits
                 38..39  LOWER, UPPER or EXACT                           59..62  how much work it took, log to base 4
                 40..49  plies searched below it; SEEN: no evaluation entered

The even entry of a bucket keeps what took more work, the odd one what came last.
"""

from collections.abc import Callable
from typing import Final

from plyground.board.bits import flat, mix
from plyground.rules import State
from plyground.search.memory import Memory, new_memory, prefetch

PLAYING: Final = 64
"""Mebibytes of a table for a move or an analysis, by default."""
SOLVING: Final = 256
"""Mebibytes of a table for solving a game, by default."""
PAGE_TABLE_MIB: Final = 16
"""Mebibytes of a table in a page, where a phone must have memory for three of them."""

# The kinds are two bits, so that a bound is tested with one `&`: EXACT is LOWER and UPPER at once.
NOTHING: Final = 0
LOWER: Final = 1
"""Kind of an entry: its value is a lower bound."""
UPPER: Final = 2
"""Kind of an entry: its value is an upper bound."""
EXACT: Final = 3

ANY_DEPTH: Final = 1023
"""In place of a depth: the bound holds at any depth."""
# The work of such an entry is the largest that four bits hold, 15: only what took more than 4**14 nodes replaces it.
KNOWN_SCORE_NODES: Final = 1 << 40
"""Nodes recorded for scores known beforehand, so that their entries stay in the table."""
# Nine bits: enough to tell the moves of one state apart in nearly every game. Where two moves share them, both are
# tried first, which costs nodes and no value.
TAG_MASK: Final = 511
NO_TAG: Final = -1

_COPIED_INTS: Final = 1 << 18
"""Ints of a table that are copied at once."""
# Words before the entries. With the claims they are a multiple of 8, so that entries begin at a cache line.
_MASK: Final = 0
_CLAIMS: Final = 8
_CLAIM_MASK: Final = 1023
_HEAD: Final = _CLAIMS + _CLAIM_MASK + 1


def entry_words(state_words: int) -> int:
    """Words in an entry for states of `state_words` words."""
    # One word for the data besides those of the state. A bucket of entries of 4 words is one cache line of 64 bytes,
    # one of 8 words two; larger entries are not padded.
    return 4 if state_words < 4 else 8 if state_words < 8 else state_words + 1


def new_table(state: State, entries: int, *, is_small: bool = False) -> Memory:
    """An empty table for at least 1 and at most `entries` entries, rounded down to a power of two.

    `is_small` says that few of them will be used: see `new_memory`.
    """
    width = entry_words(len(flat(state)))
    # A power of two: the index is then an `&` of the hash and not a division, at every node.
    size = 1 << max(entries, 1).bit_length() - 1
    table = new_memory(_HEAD + size * width, is_small=is_small)
    table[_MASK] = size - 1
    return table


def copy_to_large_pages(table: Memory, poll: Callable[[], None]) -> Memory:
    """Copy of a table on large pages, on which the processor finds scattered entries sooner; see `new_memory`.

    The copy takes some 30 ms, so `poll` is called about once a millisecond; it may raise.
    """
    # `copy` keeps the index of each entry, so the search goes on in it at once; nothing else may search the old table
    # meanwhile.
    copy = new_memory(len(table))
    for start in range(0, len(table), _COPIED_INTS):
        poll()
        copy[start : start + _COPIED_INTS] = table[start : start + _COPIED_INTS]
    return copy


def entries_in(state: State, mebibytes: int) -> int:
    """Number of entries that fit into this many mebibytes."""
    return (mebibytes << 20) // (8 * entry_words(len(flat(state))))


def hash_of(state: State) -> int:
    """Hash key of a state, in the place of a Zobrist key: a signed int of 64 bits."""
    words = flat(state)
    result = 0
    for index in range(len(words)):
        result = mix(result, words[index] + index)
    return result


def _matches(table: Memory, at: int, state: State) -> bool:
    """Whether the entry at a cell belongs to this state."""
    words = flat(state)
    guard = mix(table[at], 1)
    # One test after all words, in place of a branch for each word.
    different = 0
    for index in range(len(words)):
        different |= table[at + 1 + index] ^ guard ^ words[index]
    return different == 0


def _entry_place(state: State, entry: int) -> int:
    return _HEAD + entry * entry_words(len(flat(state)))


def prefetch_bucket(table: Memory, state: State, state_hash: int) -> None:
    """Prefetch the bucket of a state whose hash is `state_hash`."""
    prefetch(table, _entry_place(state, state_hash >> 8 & table[_MASK] & ~1))


def probe(table: Memory, state: State, state_hash: int) -> int:
    """Data stored for a state whose hash is `state_hash`; `NOTHING` if there are none."""
    entry = state_hash >> 8 & table[_MASK]
    at = _entry_place(state, entry & ~1)
    data = table[at]
    if data != NOTHING and _matches(table, at, state):
        return data
    # A table of one entry has no odd one; the mask then leads to the even one again.
    at = _entry_place(state, entry | 1 & table[_MASK])
    data = table[at]
    if data != NOTHING and _matches(table, at, state):
        return data
    return NOTHING


def store(table: Memory, state: State, state_hash: int, data: int) -> None:
    """Store data of a state, given its hash: in the even entry unless that took more work, else in the odd one."""
    entry = state_hash >> 8 & table[_MASK]
    at = _entry_place(state, entry & ~1)
    # Small searches are kept as well: without those of one node Connect Four, Kalah, Ultimate and 5,5,4 take 1.02,
    # 0.95, 1.15 and 1.17 times as long, without those of up to three 1.06, 0.94, 1.12 and 1.26.
    # The dearest entry of the bucket stays, for to search it again costs most; an entry of the state itself is
    # replaced.
    if work_of(table[at]) > work_of(data) and not _matches(table, at, state):
        at = _entry_place(state, entry | 1 & table[_MASK])
    # No lock: a thread that reads between these writes sees words that do not match their data, and finds nothing.
    words = flat(state)
    guard = mix(data, 1)
    table[at] = data
    for index in range(len(words)):
        table[at + 1 + index] = words[index] ^ guard


def is_claimed(table: Memory, work: int) -> bool:
    """Whether another thread is likely at a piece of work, a node and a depth, given by a hash of both."""
    # A hint, read without a lock: a claim that was overwritten costs a search done twice, never a wrong value.
    return table[_CLAIMS + (work & _CLAIM_MASK)] == work


def claim(table: Memory, work: int) -> None:
    """Mark a piece of work as begun for other threads. Claims of the same place overwrite each other."""
    table[_CLAIMS + (work & _CLAIM_MASK)] = work


def release(table: Memory, work: int) -> None:
    """Mark a piece of work as done for other threads."""
    table[_CLAIMS + (work & _CLAIM_MASK)] = 0


def pack(value: int, kind: int, depth: int, move: int, nodes: int) -> int:
    """Data of an entry as one int."""
    # `FINAL` is 2**20 and utilities are within 2**16 by law, so every value fits 38 bits with its sign.
    return (value + (1 << 37)) | kind << 38 | depth << 40 | (move & TAG_MASK) << 50 | work_bits(nodes)


def work_bits(nodes: int) -> int:
    """Work of `nodes` nodes, log to base 4, at its place in the data."""
    work = 0
    # A logarithm suffices: what is compared is whether an entry would be dear to find again, and four bits are left in
    # the word.
    while nodes > 1 and work < 15:
        nodes >>= 2
        work += 1
    return work << 59


def value_of(data: int) -> int:
    """Value of an entry, plies counted from the state."""
    return (data & (1 << 38) - 1) - (1 << 37)


def kind_of(data: int) -> int:
    """`LOWER`, `UPPER` or `EXACT`."""
    return data >> 38 & 3


def depth_of(data: int) -> int:
    """Plies searched below the state, or `ANY_DEPTH`."""
    return data >> 40 & 1023


def tag_of(data: int) -> int:
    """Lowest bits of the best move: enough to try it first."""
    return data >> 50 & TAG_MASK


def work_of(data: int) -> int:
    """Work that an entry took, for comparison."""
    return data >> 59 & 15
