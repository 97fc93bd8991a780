"""How much time each side has, and what of it a move may well take."""

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
    """Of the processor, for the whole game; of a player elsewhere only where its CPU time is known (`tells_cpu`)."""
    grace: float = 0.0
    """What the first move of a player elsewhere may take for its start, which nothing else counts."""

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
        each = self.move is not None and self.game is None and self.cpu is None
        return max(min(seconds if each else seconds / 30 + self.increment, seconds * MOST_OF_IT), 0.001)


MOST_OF_IT = 0.8
"""Of the time there is that one move takes at most: the rest is for a machine that has much else to do."""
