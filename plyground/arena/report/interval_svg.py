"""An SVG drawing of an estimate and its interval: a dot with whiskers; an arrow is an open end."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from plyground.markup import Markup, el

WIDE, HIGH = 160.0, 18.0
"""Pixels of a drawing."""
EDGE = 9.0
"""Pixels on each side that no number reaches, for arrows."""
NARROWEST_SCALE = 20.0
"""Least width of the scale, so that equal players do not look far apart."""


@dataclass(frozen=True)
class Scale:
    """Scale from the lowest to the highest of some numbers; all drawings in one table share it."""

    low: float
    high: float

    @classmethod
    def over(cls, numbers: Iterable[float]) -> "Scale":
        """The scale that spans all finite numbers of these."""
        # Open ends are drawn as arrows at the edge.
        finite = [number for number in numbers if math.isfinite(number)] or [0.0]
        low, high = min(finite), max(finite)
        room = max(0.0, NARROWEST_SCALE - (high - low)) / 2
        return cls(low - room, high + room)

    def at(self, number: float) -> float:
        """Horizontal place of a number, in pixels from the left."""
        share = (min(max(number, self.low), self.high) - self.low) / (self.high - self.low)
        return EDGE + share * (WIDE - 2 * EDGE)


def draw_whiskers(value: float, low: float, high: float, scale: Scale, words: str) -> Markup:
    """The drawing, in the colour of the text around it.

    Args:
        value: where the dot is.
        low: where the interval begins; -inf: it has no bound there.
        high: where it ends; inf: it has no bound there.
        scale: the scale that all drawings of a table share.
        words: text alternative for screen readers.
    """
    middle = HIGH / 2
    left = scale.at(low) if math.isfinite(low) else EDGE / 2
    right = scale.at(high) if math.isfinite(high) else WIDE - EDGE / 2
    ends = [
        f"M{left:.1f} {middle - 4}v8" if math.isfinite(low) else f"M{left + 5:.1f} {middle - 4}l-5 4l5 4",
        f"M{right:.1f} {middle - 4}v8" if math.isfinite(high) else f"M{right - 5:.1f} {middle - 4}l5 4l-5 4",
    ]
    return el(
        "svg",
        el("path", d=f"M{scale.at(0):.1f} 0v{HIGH:g}", opacity=".35") if scale.low < 0 < scale.high else None,
        el("path", d=f"M{left:.1f} {middle:g}H{right:.1f}{''.join(ends)}", stroke_width=1.5),
        el("circle", cx=f"{scale.at(value):.1f}", cy=f"{middle:g}", r=3.5, fill="currentColor"),
        class_="whiskers",
        role="img",
        aria_label=words,
        width=f"{WIDE:g}",
        height=f"{HIGH:g}",
        viewBox=f"0 0 {WIDE:g} {HIGH:g}",
        fill="none",
        stroke="currentColor",
    )
