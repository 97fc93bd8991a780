"""Line charts with a logarithmic scale as SVG: nodes by depth, and shares by a count."""

import math

from plyground.markup import SVG, Markup, el, fragment

WIDTH, HEIGHT = 640.0, 360.0
LEFT, RIGHT, TOP, BOTTOM = 76.0, 110.0, 34.0, 40.0
# Left of the plot stand the figures of the scale, right of it each line's name, beside its end: a
# legend apart would have to be matched by colour.
INKS = ("#b04a00", "#1a56b0", "#1d7a3e", "#7a3ea0", "#565d66")
CHART_MARKS = ("M-4 -4h8v8h-8z", "M0 -5l5 9h-10z", "M0 5l5 -9h-10z", "M0 -5l5 5l-5 5l-5 -5z", "M-4 -1h8v2h-8z")
"""Marks of the lines, which differ without colours too."""


def chart(lines: dict[str, list[tuple[int, int]]], title: str) -> Markup:
    """The chart as an SVG document.

    Args:
        lines: for each name its points: depth, and nodes from 1 on.
        title: title of the chart.
    """
    # An empty chart is drawn with its axes: a comparison whose first search ran out of time has no
    # row.
    points = [point for each in lines.values() for point in each] or [(1, 1)]
    first, last = min(x for x, _ in points), max(x for x, _ in points)
    # A decade at least: the logarithm of 1 is 0, and the scale is divided by it.
    top = max(1, math.ceil(math.log10(max(y for _, y in points))))

    def at(depth: int, nodes: float) -> tuple[float, float]:
        across = (depth - first) / (last - first) if last > first else 0.5
        up = math.log10(max(nodes, 1)) / top
        return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)

    parts = list[Markup]()
    for power in range(top + 1):
        _, y = at(first, 10**power)
        parts.append(el("path", d=f"M{LEFT:g} {y:.1f}H{WIDTH - RIGHT:g}", stroke="#e0e3e6"))
        parts.append(_text_element(LEFT - 8, y + 4, f"{10**power:,}", anchor="end"))
    for depth in range(first, last + 1):
        parts.append(_text_element(at(depth, 1)[0], HEIGHT - BOTTOM + 18, str(depth)))
    parts.append(_text_element((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, "plies looked ahead"))
    for number, (name, each) in enumerate(lines.items()):
        parts += _draw_line([at(*point) for point in each], name, number % len(INKS))
    return _document(title, parts)


def share_chart(lines: dict[str, list[tuple[int, float]]], title: str, below: str) -> Markup:
    """A chart of shares, 0 to 100 %, by a count on a logarithmic scale, as an SVG document.

    Args:
        lines: for each name its points: the count, from 1 on, and the share, 0 to 1.
        title: title of the chart.
        below: what is counted.
    """
    # The axis of counts spans whole decades, at least one, as that of nodes in `chart`.
    counts = [math.log10(max(count, 1)) for each in lines.values() for count, _ in each] or [0.0]
    first, last = math.floor(min(counts)), max(math.floor(min(counts)) + 1, math.ceil(max(counts)))

    def at(count: float, share: float) -> tuple[float, float]:
        across = (math.log10(max(count, 1)) - first) / (last - first)
        return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    parts = list[Markup]()
    for percent in range(0, 101, 25):
        _, y = at(1, percent / 100)
        parts.append(el("path", d=f"M{LEFT:g} {y:.1f}H{WIDTH - RIGHT:g}", stroke="#e0e3e6"))
        parts.append(_text_element(LEFT - 8, y + 4, f"{percent} %", anchor="end"))
    for power in range(first, last + 1):
        parts.append(_text_element(at(10**power, 0)[0], HEIGHT - BOTTOM + 18, f"{10**power:,}"))
    parts.append(_text_element((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, below))
    for number, (name, each) in enumerate(lines.items()):
        parts += _draw_line([at(*point) for point in each], name, number % len(INKS))
    return _document(title, parts)


def _document(title: str, parts: list[Markup]) -> Markup:
    """An SVG document with its title above the parts of a chart."""
    wide, high = f"{WIDTH:g}", f"{HEIGHT:g}"
    sizes = {"width": wide, "height": high, "viewBox": f"0 0 {wide} {high}"}
    head = _text_element(LEFT, 18, title, anchor="start", weight="600")
    inside = el("title", title), el("rect", width=wide, height=high, fill="#ffffff"), head, parts
    return fragment(el("svg", inside, xmlns=SVG, **sizes, role="img", font_family="sans-serif"), "\n")


def _draw_line(points: list[tuple[float, float]], name: str, number: int) -> list[Markup]:
    ink = INKS[number]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    marks = [el("path", d=CHART_MARKS[number], transform=f"translate({x:.1f} {y:.1f})", fill=ink) for x, y in points]
    x, y = points[-1]
    label = _text_element(x + 10, y + 4, name, anchor="start", weight="600", ink=ink)
    return [el("path", d=path, fill="none", stroke=ink, stroke_width=2), *marks, label]


def _text_element(
    x: float, y: float, words: str, anchor: str = "middle", weight: str = "400", ink: str = "#1b1f24"
) -> Markup:
    look = {"text_anchor": anchor, "font_size": "12", "font_weight": weight, "fill": ink}
    return el("text", words, x=f"{x:.1f}", y=f"{y:.1f}", **look)
