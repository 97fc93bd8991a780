"""What the server grants a stranger, all in one place: a rate each, and a size each. `docs/api.md` tells them."""

import time

LARGEST_MESSAGE = 64 * 1024
"""Bytes of one request or one WebSocket message."""
RATE, BURST = 50.0, 200.0
"""Requests a second that one client, or one WebSocket, may go on making, and how many at once."""
BEGUN_RATE, BEGUN_BURST = 1.0, 120.0
"""Games a second that one client may go on beginning, and how many at once."""
SOCKETS = 64
"""WebSockets of one client that are open."""
AT_ONCE = 32
"""Requests of one WebSocket that are under way."""
CLIENTS_REMEMBERED = 10_000
LONGEST_NAME = 24
"""Characters of a person's name."""
LONGEST_LINK = 4_000
"""Characters of a link that a teacher shows to a room."""
LONGEST_QR = 500
"""Characters that are drawn as a QR code."""
PEOPLE = 300
"""People in a room."""
MOST_EVENTS = 20_000
"""What may happen in a kept game: moves, takings back, offers."""


class Bucket:
    """So many at once, refilled at a steady rate."""

    def __init__(self, rate: float = RATE, burst: float = BURST) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._seen = burst, time.monotonic()

    def take(self) -> bool:
        """Whether one more is within the rate."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._seen) * self._rate)
        self._seen = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Buckets:
    """One for each client; the one that came first is forgotten when there are too many."""

    def __init__(self, rate: float = RATE, burst: float = BURST) -> None:
        self._rate, self._burst = rate, burst
        self._of: dict[str, Bucket] = {}

    def take(self, client: str) -> bool:
        """Whether one more of a client's is within the rate."""
        if client not in self._of and len(self._of) >= CLIENTS_REMEMBERED:
            self._of.pop(next(iter(self._of)))
        return self._of.setdefault(client, Bucket(self._rate, self._burst)).take()
