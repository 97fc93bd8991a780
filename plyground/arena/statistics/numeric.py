"""Numerical mathematics of ratings: roots, components of a graph, the equations of its Laplacian.

In plain Python, because importing SciPy takes half a second of CPU. The tests hold each function to SciPy's.
"""

import math
from collections.abc import Callable, Iterable, Sequence

Matrix = list[list[float]]
CLOSE_ROOT = 1e-13
"""Tolerance of a root: absolute or relative, whichever is more."""


def root(function: Callable[[float], float], low: float, high: float) -> float:
    """Root of a continuous function between two arguments at which it has different signs.

    Chandrupatla's method (1997, "A new hybrid quadratic/bisection algorithm"): inverse quadratic interpolation where
    the last three points allow it, else bisection.

    >>> round(root(lambda x: x * x - 2, 0, 2), 12)
    1.414213562373
    """
    here, at_here, other, at_other = low, function(low), high, function(high)
    share = 0.5
    while True:
        new = here + share * (other - here)
        at_new = function(new)
        if (at_new > 0) == (at_here > 0):
            third, at_third = here, at_here
        else:
            third, at_third, other, at_other = other, at_other, here, at_here
        here, at_here = new, at_new
        best = here if abs(at_here) < abs(at_other) else other
        # `least` is the tolerance as a share of the bracket: no step comes nearer to an end, so the bracket shrinks
        # each time.
        least = CLOSE_ROOT * max(abs(best), 1.0) / abs(other - here)
        if least > 0.5 or 0.0 in (at_here, at_other):
            return best
        along = (here - other) / (third - other)
        up = (at_here - at_other) / (at_third - at_other)
        share = 0.5
        # Chandrupatla's condition: the inverse parabola through the three points is monotone between the ends.
        if up**2 < along and (1 - up) ** 2 < 1 - along:
            share = at_here / (at_other - at_here) * at_third / (at_other - at_third)
            share += (third - here) / (other - here) * at_here / (at_third - at_here) * at_other / (at_third - at_other)
        share = min(max(share, least), 1 - least)


def normal(deviations: float) -> float:
    """The probability that a normal variable is below its mean plus `deviations` standard deviations."""
    return math.erfc(-deviations / math.sqrt(2)) / 2


def strong_components(size: int, edges: Iterable[tuple[int, int]]) -> list[int]:
    """The component of each node of a directed graph: nodes of one component reach each other. Numbered from 0, in the
    order of their first nodes.

    >>> strong_components(4, [(0, 2), (2, 0), (2, 3)])
    [0, 1, 0, 2]
    """
    following: list[set[int]] = [set() for _ in range(size)]
    for one, other in edges:
        following[one].add(other)
    # A search from each node, which some hundred players bear; Tarjan's algorithm (1972) is linear, and longer.
    reached = [_reachable_from(following, node) for node in range(size)]
    found: list[int] = []
    for node in range(size):
        fellow = next((other for other in range(node) if other in reached[node] and node in reached[other]), None)
        found.append(max(found, default=-1) + 1 if fellow is None else found[fellow])
    return found


def _reachable_from(following: Sequence[set[int]], start: int) -> set[int]:
    found, left = {start}, [start]
    while left:
        new = following[left.pop()] - found
        found |= new
        left += new
    return found


def laplacian(size: int, weights: Iterable[tuple[int, int, float]]) -> Matrix:
    """The sum of the weights, each times (e_one - e_other)(e_one - e_other)ᵀ."""
    matrix = [[0.0] * size for _ in range(size)]
    for one, other, weight in weights:
        matrix[one][one] += weight
        matrix[other][other] += weight
        matrix[one][other] -= weight
        matrix[other][one] -= weight
    return matrix


class Laplacian:
    """The equations of a graph's Laplacian: positive weights, every node connected with every other one."""

    def __init__(self, matrix: Matrix) -> None:
        """Factorise it, by Cholesky. Its kernel are the constants: a multiple of their projection makes it regular."""
        self._size = len(matrix)
        # The multiple is the largest entry of the diagonal, so that the sum is as well conditioned as the graph is.
        self._more = max(row[at] for at, row in enumerate(matrix)) / self._size
        self._factor: Matrix = []
        """The rows of the lower triangle, each to its diagonal."""
        for at, row in enumerate(matrix):
            made: list[float] = []
            for column in range(at + 1):
                before = self._factor[column] if column < at else made
                left = row[column] + self._more - sum(map(float.__mul__, made, before[:column]))
                made.append(math.sqrt(left) if column == at else left / before[column])
            self._factor.append(made)

    def solve(self, right: Sequence[float]) -> list[float]:
        """The solution of sum 0, for a right side of sum 0."""
        # A right side of sum 0 has a solution up to a constant: the one of sum 0.
        found = self._regular_solved(right)
        middle = sum(found) / self._size
        return [each - middle for each in found]

    def pseudo_inverse(self) -> Matrix:
        """The Moore-Penrose inverse."""
        # The inverse of what was added, which lies in the constants alone, is taken off again.
        constant = 1 / (self._more * self._size * self._size)
        rows: Matrix = []
        for at in range(self._size):
            unit = [float(place == at) for place in range(self._size)]
            rows.append([each - constant for each in self._regular_solved(unit)])
        return rows

    def _regular_solved(self, right: Sequence[float]) -> list[float]:
        half: list[float] = []
        for row, wanted in zip(self._factor, right, strict=True):
            half.append((wanted - sum(map(float.__mul__, half, row))) / row[-1])
        for at in reversed(range(self._size)):
            row = self._factor[at]
            half[at] /= row[-1]
            for place in range(at):
                half[place] -= half[at] * row[place]
        return half


def product(one: Matrix, other: Matrix) -> Matrix:
    """The product of two matrices."""
    columns = list(zip(*other, strict=True))
    return [[sum(map(float.__mul__, row, column)) for column in columns] for row in one]
