"""Pairings of a classroom: rounds of a Swiss tournament or a ladder among the people present.

Who meets whom is chosen by the arena's own schedules; here a round is one game of each pair.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from plyground.arena.schedule import Ladder, Swiss
from plyground.errors import BadInput

Form = Literal["swiss", "ladder"]
"""Formats of a classroom's tournament."""
_SCHEDULES: dict[Form, type[Swiss | Ladder]] = {"swiss": Swiss, "ladder": Ladder}


@dataclass
class RoomGame:
    """A game of a round: its id, the numbers of its two people, and the share of the points that x won."""

    id: str
    x: int
    o: int
    share: float | None = None
    """1, 0.5 or 0; None while the game goes on."""


@dataclass
class Pairings:
    """A tournament of the classroom: its format, and its rounds so far."""

    form: Form
    rounds: list[list[RoomGame]] = field(default_factory=list)

    @property
    def unfinished(self) -> list[RoomGame]:
        """Games of the last round that go on."""
        return [meeting for meeting in self.rounds[-1] if meeting.share is None] if self.rounds else []

    def next(self, people: Sequence[int]) -> list[tuple[int, int]]:
        """Pairs of the next round, x first, among the people present; with an odd number one of a Swiss has a bye.

        Raises:
            BadInput: there are fewer than two people, or games of the last round go on.
        """
        if len(people) < 2:
            raise BadInput("A round takes two people or more who have said their names.")
        if self.unfinished:
            count = len(self.unfinished)
            raise BadInput(
                f"Round {len(self.rounds)} goes on: {count} {'game is' if count == 1 else 'games are'} open."
            )
        names = tuple(map(str, people))
        met = [
            (str(each.x), str(each.o), 0.5 if each.share is None else each.share)
            for meetings in self.rounds
            for each in meetings
            if each.x in people and each.o in people
        ]
        pairs = _SCHEDULES[self.form](names, ("",)).pairs(len(self.rounds), met)
        return [(int(x), int(o)) for x, o in pairs]
