"""Time controls: the time of each side, and the share of it that one move may take."""

from dataclasses import dataclass

from plyground.errors import BadInput, check_fields


@dataclass(frozen=True)
class TimeControl:
    """The time that each side has, in seconds. None: no such limit.

    >>> TimeControl(game=300, increment=3).share(300)
    13.0
    """

    game: float | None = None
    """For the whole game."""
    increment: float = 0.0
    """Added to that after each move."""
    move: float | None = None
    """For each move."""
    cpu: float | None = None
    """CPU seconds for the whole game; of an external player only where its CPU time is known (`tells_cpu`)."""
    grace: float = 0.0
    """Seconds that the first move of an external player may take for its start, on top of all limits."""

    def __post_init__(self) -> None:
        check_fields(self)
        for name, seconds in (("a game", self.game), ("a move", self.move), ("of the processor", self.cpu)):
            if seconds is not None and not 0 < seconds < float("inf"):
                raise BadInput(f"{seconds:g} seconds {name}: seconds are above 0.")
        for name, seconds in (("increment", self.increment), ("grace", self.grace)):
            if not 0 <= seconds < float("inf"):
                raise BadInput(f"{name} {seconds:g}: seconds are 0 or more.")
        if self.increment and self.game is None:
            raise BadInput(f"increment {self.increment:g}: it is added to a clock, and there is none.")

    def share(self, seconds: float) -> float:
        """Seconds allotted to one move, of those that remain to a player: a thirtieth, as if the game had thirty moves
        to go, and what each move adds; where there is a limit for each move alone, most of it.
        """
        # Never 0: a search with a limit of no time at all would have no move.
        each = self.move is not None and self.game is None and self.cpu is None
        return max(min(seconds if each else seconds / 30 + self.increment, seconds * MOST_SHARE_OF_REMAINING), 0.001)


# Below 1, because a move that takes just the remaining time has lost.
MOST_SHARE_OF_REMAINING = 0.8
"""Largest share of the remaining time for one move: the rest covers delays of a busy machine."""
