"""Lines of k cells in sets of cells, found by shifts on any board, for games won by k in a row."""

from plyground.board.bits import Words, common, shifted_down, shifted_up, union, without


def line_starts(cells: Words, step: int, k: int) -> Words:
    """First cells of all lines of k of these cells, in the direction of a step."""
    found, length = cells, 1
    while length < k:  # two halves, which may overlap, make a line
        # Doubling: a line of 5 takes three shifts and not four, as in 1, 2, 4 and one that overlaps.
        more = min(length, k - length)
        found = common(found, shifted_down(found, more * step))
        length += more
    return found


def line_gaps(cells: Words, board: Words, step: int, k: int) -> Words:
    """The places that would make a line of k with these cells of a board, in the direction of a step and back."""
    found, before = without(cells, cells), board
    for gap in range(k):
        # A gap at each of the k places of the line: `before` marks runs that lead to it, `run_starts` those that go on
        # from it.
        found = union(found, common(before, run_starts(cells, board, step, k - 1 - gap)))
        before = shifted_up(common(before, cells), step)
    return found


def run_starts(cells: Words, board: Words, step: int, length: int) -> Words:
    """The places whose next `length` ones, in the direction of a step, are all among these cells."""
    places = board
    for _ in range(length):
        places = shifted_down(common(places, cells), step)
    return places
