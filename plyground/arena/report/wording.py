"""The numbers of an arena in words, as every table shows them."""

import math
from collections.abc import Mapping, Sequence

from plyground.arena.results import Played
from plyground.arena.statistics.tally import Blunders, Standing
from plyground.play.ending import Ending


def signed(number: float) -> str:
    """A whole number with its sign: `+12`, `−3`, `0`."""
    whole = round(number)
    return f"+{whole}" if whole > 0 else f"−{-whole}" if whole else "0"


def elo_text(row: Standing) -> str:
    """`+55`, or a bound, `≥ +317`; nothing without games."""
    if not row.games:
        return ""
    known = {"≥": row.low, "≤": row.high}.get(row.bound, row.elo)
    return f"{row.bound} {signed(known)}".strip()


def interval_text(row: Standing) -> str:
    """`+28 … +83`; nothing without games."""
    if not row.games:
        return ""
    low = signed(row.low) if math.isfinite(row.low) else "−∞"
    high = signed(row.high) if math.isfinite(row.high) else "∞"
    return f"{low} … {high}"


def points_text(points: float) -> str:
    """`7½`."""
    whole = f"{int(points):,}" if int(points) or points == int(points) else ""
    return whole + ("½" if points != int(points) else "")


def los_text(superiority: float | None) -> str:
    """In percent, never rounded to certainty."""
    if superiority is None:
        return ""
    percent = 100 * superiority
    return "> 99.9 %" if percent > 99.9 else "< 0.1 %" if percent < 0.1 else f"{percent:.1f} %"


def faults_text(faults: Mapping[Ending, int]) -> str:
    """`2 late, 1 illegal`; `1 of unknown kind` is of an earlier version."""
    words = {Ending.UNKNOWN: "of unknown kind"}
    counts = sorted(faults.items(), key=lambda each: -each[1])
    return ", ".join(f"{count} {words.get(kind, kind)}" for kind, count in counts)


def without_side(played: Played, names: Sequence[str]) -> str:
    """How a game ended, without the name of the side at fault before it: the same fault on both sides is one."""
    return played.why if played.fault is None else played.why.removeprefix(f"{names[played.fault]} ")


def rate_text(blunders: Blunders) -> str:
    """`7.5 %`, with ~ before it if some are estimates; empty if no move is judged."""
    if blunders.rate is None:
        return ""
    return f"{'~' if blunders.opinions else ''}{100 * blunders.rate:.1f} %"


def blunders_text(blunders: Blunders) -> str:
    """`3 of 40 (7.5 %)`; empty if no move is judged."""
    rate = rate_text(blunders)
    return f"{blunders.given:,} of {blunders.moves:,} ({rate})" if rate else ""
