"""The natural logarithm, for machines that have no library of such functions.

After `e_log.c` of fdlibm (Sun Microsystems, 1993), which most libraries follow: within one unit in the last place.
"""

from math import frexp
from typing import Final

# ln 2 in two parts. The low bits of the high one are clear, so that `power * _LN2_HIGH` is exact for any exponent.
_LN2_HIGH: Final = 6.93147180369123816490e-01
_LN2_LOW: Final = 1.90821492927058770002e-10
_ROOT_OF_HALF: Final = 0.7071067811865476
# Lg1, Lg3, Lg5 and Lg7 of `e_log.c`, then Lg2, Lg4 and Lg6: Remez's approximation of log((1 + s) / (1 - s)) for s up to
# 0.1716, with an error below 2**-58.45.
_ODD_TERMS: Final = (
    6.666666666666735130e-01,
    2.857142874366239149e-01,
    1.818357216161805012e-01,
    1.479819860510658591e-01,
)
_EVEN_TERMS: Final = (3.999999999940941908e-01, 2.222219843214978396e-01, 1.531383769920937332e-01)


def split_float(value: float) -> tuple[float, int]:
    """Mantissa, at least 0.5 and below 1, and exponent of 2 of a number of at least 1.

    Compiled code has this function as an intrinsic, which reads the bits of the float.
    """
    return frexp(value)


def logarithm(value: float) -> float:
    """Natural logarithm of a number of at least 1, with an error below one unit in the last place."""
    # The last bit may differ from a library's, so from native code: it matters in Monte Carlo search only where two
    # bounds are nearer than that, and no tree of the tests is ever different.
    part, power = split_float(value)
    # From the root of 1/2 to that of 2 the argument of the series is smallest: |s| is at most 0.1716.
    if part < _ROOT_OF_HALF:
        part, power = part * 2.0, power - 1
    rest = part - 1.0
    half = 0.5 * rest * rest
    s = rest / (2.0 + rest)
    z = s * s
    w = z * z
    series = w * (_EVEN_TERMS[0] + w * (_EVEN_TERMS[1] + w * _EVEN_TERMS[2]))
    series += z * (_ODD_TERMS[0] + w * (_ODD_TERMS[1] + w * (_ODD_TERMS[2] + w * _ODD_TERMS[3])))
    return power * _LN2_HIGH - ((half - (s * (half + series) + power * _LN2_LOW)) - rest)
