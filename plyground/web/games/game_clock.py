"""Clocks of a saved game: seconds that each side has left, from the times of the game's events.

The server's times alone count, so no browser can stop a clock, and a game that is read again from the database has the
clocks that it had. They run from the first move on.
"""

import re
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from plyground.errors import BadInput
from plyground.web.views.models import CLOCK_PATTERN


@dataclass(frozen=True)
class GameClock:
    """Clock of a game: the seconds left to each side."""

    text: str
    """Time control at the game's start: `5+3`."""
    increment: float
    """Seconds added after each move."""
    left: tuple[float, float]
    """Seconds that x and o had when `since` was, or have while no clock runs."""
    since: float | None = None
    """Time at which the clock of the side to move began to run, in seconds since 1970; None while none runs."""

    @classmethod
    def of(cls, text: str) -> "GameClock":
        """The clocks before the first move, of a text: `5+3`.

        Raises:
            BadInput: the text is no clock, or has no time.
        """
        seconds = 60 * float(text.partition("+")[0]) if text and re.fullmatch(CLOCK_PATTERN, text) else 0.0
        if not seconds:
            raise BadInput(f"{text!r} is no clock: write minutes above 0, +, and the seconds added a move, as in 5+3.")
        return cls(text, float(text.partition("+")[2]), (seconds, seconds))

    def remaining(self, side: int, mover: int, at: float) -> float:
        """Seconds that a side has left at a time; 0 or less if its time is up."""
        spent = at - self.since if self.since is not None and side == mover else 0.0
        # A side never gains time here: times of events may come from another server, whose clock is
        # behind this one's.
        return self.left[side] - max(spent, 0.0)

    def after(self, mover: int, at: float, runs: bool, is_move: bool) -> "GameClock":
        """The clocks after a move, or another event that stops them or changes the side to move.

        Args:
            mover: side that was to move.
            at: when it was, in seconds since 1970.
            runs: whether the clock of the side to move runs afterwards.
            is_move: whether it was a move, so that time is added.
        """
        rest = max(self.remaining(mover, mover, at), 0.0)
        # The first move adds no time: no clock runs before it.
        rest += self.increment if is_move and self.since is not None else 0.0
        left = (rest, self.left[1]) if mover == 0 else (self.left[0], rest)
        return replace(self, left=left, since=at if runs else None)


# The offset is taken once, at the start of the process.
_CLOCK_OFFSET = time.time() - time.monotonic()


def now_seconds() -> float:
    """Seconds since 1970 as this process counts them from its start on: where the machine's clock is set meanwhile, no
    game's clock jumps."""
    return _CLOCK_OFFSET + time.monotonic()


def now_text() -> str:
    """The same in UTC, as ISO 8601."""
    return datetime.fromtimestamp(now_seconds(), UTC).isoformat(timespec="milliseconds")


def seconds_of(text: str) -> float:
    """Seconds since 1970 of a time in ISO 8601, as the database has it."""
    return datetime.fromisoformat(text).astimezone(UTC).timestamp()
