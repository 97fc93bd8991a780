"""Bitboards of up to 8 × 8 squares in one word, and the squares that sliding pieces see along lines.

Square 0 is a1, the next is b1, the last, 63, is h8. A set of squares is an int of 64 bits whose highest, h8, is the
sign, so that it is one machine word and below 2**63 as Python sees it: -1 is the whole board. Sets may be joined by
`|`, `&`, `^` and `~`, and squares looked up in `BITS`; what shifts a set must mask it. A smaller board lies at a1.

A piece sees along a line to the first square that is taken. Which of the inner squares of a row or a diagonal are taken
is gathered by a multiplication into six bits, and with them what is seen is looked up (Bernhard Pawlowicz and Gerd
Isenberg's "kindergarten bitboards", chessprogramming.org): two lines cost less than four rays with their blockers, and
the tables are small.
"""

from collections.abc import Iterator

from plyground.board.bits import WORD_MASK, count

# One bit in each row; times a byte it writes that byte into every row.
COLUMN_A = 0x0101010101010101
_COLUMN_B = COLUMN_A << 1
# One bit in each of rows 1 to 6, in rising columns: a product with it moves the bit of each row to a place of its own
# among the highest six.
_FALLING = 0x0080402010080400
# Perft of chess (Kiwipete, 4 plies) is 1.45 times as fast so as by walks square by square.
"""Gathers the first column into the highest six bits."""


def as_signed(squares: int) -> int:
    """A set of 64 bits without a sign as one with it."""
    return squares - (squares >> 63 << 64)


BITS = tuple(as_signed(1 << square) for square in range(64))
"""The set of each square alone."""


def _ray_targets(square: int, steps: tuple[tuple[int, int], ...], far: int = 1) -> int:
    # Steps off the board are dropped by the row and the column, so that no ray goes round the edge.
    row, column = divmod(square, 8)
    ends = ((row + up * n, column + right * n) for up, right in steps for n in range(1, far + 1))
    return as_signed(sum(1 << 8 * up + right for up, right in ends if 0 <= up < 8 and 0 <= right < 8))


def _line_targets(*step: int) -> tuple[int, ...]:
    up, right = step
    return tuple(_ray_targets(square, ((up, right), (-up, -right)), 7) for square in range(64))


ROWS, COLUMNS, RISING, FALLING = _line_targets(0, 1), _line_targets(1, 0), _line_targets(1, 1), _line_targets(-1, 1)
"""The lines through each square, without it."""
KNIGHT = tuple(
    _ray_targets(square, ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)))
    for square in range(64)
)
KING = tuple(
    _ray_targets(square, tuple((up, right) for up in (-1, 0, 1) for right in (-1, 0, 1) if up or right))
    for square in range(64)
)
"""Squares that the leaping pieces reach from each square."""


def _seen_places(place: int, taken: int) -> int:
    """The places of a line of 8 that are seen from one of them, where `taken` are the inner places that are taken."""
    seen = 0
    for step in (1, -1):
        at = place + step
        while 0 <= at < 8:
            seen |= 1 << at
            # The first taken square is seen, as it may be captured; what is behind it is not. The outer squares of a
            # line never hide another one, so six bits suffice.
            at = -1 if taken << 1 >> at & 1 else at + step
    return seen


_IN_ROWS = tuple(as_signed(_seen_places(place, taken) * COLUMN_A) for place in range(8) for taken in range(64))
"""Squares seen from a column, in every row, at `64 * column + taken`."""


def _in_columns() -> Iterator[int]:
    """Squares seen from a row, in every column; the gathered bits come in another order."""
    for place in range(8):
        found = [0] * 64
        for taken in range(64):
            column = sum(1 << 8 * (inner + 1) for inner in range(6) if taken >> inner & 1)
            # Indexed by the same product as in `rook_attacks`, so that the order of the bits need not be known.
            found[column * _FALLING >> 58 & 63] = as_signed(
                sum(255 << 8 * row for row in range(8) if _seen_places(place, taken) >> row & 1)
            )
        yield from found


_IN_COLUMNS = tuple(_in_columns())


def rook_attacks(square: int, taken: int) -> int:
    """The squares that a rook sees, where some are taken."""
    # The product wraps at 64 bits in compiled code and not in Python; the six bits from 58 on are the same, for higher
    # ones do not reach down.
    row = (taken & ROWS[square]) * _COLUMN_B >> 58 & 63
    column = (taken >> (square & 7) & COLUMN_A) * _FALLING >> 58 & 63
    seen = _IN_ROWS[(square & 7) << 6 | row] & ROWS[square]
    return seen | _IN_COLUMNS[square >> 3 << 6 | column] & COLUMNS[square]


def bishop_attacks(square: int, taken: int) -> int:
    """The squares that a bishop sees, where some are taken."""
    rising = (taken & RISING[square]) * _COLUMN_B >> 58 & 63
    falling = (taken & FALLING[square]) * _COLUMN_B >> 58 & 63
    column = (square & 7) << 6
    return _IN_ROWS[column | rising] & RISING[square] | _IN_ROWS[column | falling] & FALLING[square]


def line_through(square: int, other: int) -> int:
    """The line through two squares, without the first; nothing if there is none."""
    other_bit = BITS[other]
    if ROWS[square] & other_bit:
        return ROWS[square]
    if COLUMNS[square] & other_bit:
        return COLUMNS[square]
    if RISING[square] & other_bit:
        return RISING[square]
    return FALLING[square] if FALLING[square] & other_bit else 0


def between(square: int, other: int) -> int:
    """The squares between two on a line; nothing if they are on none."""
    ends = BITS[square] | BITS[other]
    if (ROWS[square] | COLUMNS[square]) & BITS[other]:
        # Each end sees up to the other one, and only the squares between are seen by both.
        return rook_attacks(square, ends) & rook_attacks(other, ends)
    if (RISING[square] | FALLING[square]) & BITS[other]:
        return bishop_attacks(square, ends) & bishop_attacks(other, ends)
    return 0


def count_squares(squares: int) -> int:
    """Number of squares in a set."""
    return count(squares & WORD_MASK) + (1 if squares < 0 else 0)
