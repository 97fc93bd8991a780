"""Pairings of a classroom: rounds of a Swiss tournament or a ladder among the people present.

Who meets whom is chosen by the arena's own schedules; here a round is one game of each pair.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Literal

from plyground.arena.schedule import Ladder, Swiss
from plyground.errors import BadInput

Form = Literal["swiss", "ladder"]
"""Formats of a classroom's tournament."""


@dataclass
class RoomGame:
    """A game of a round: its id, the numbers of its two people, and the share of the points that x won."""

    id: str
    x: int
    o: int
    share: float | None = None
    """1, 0.5 or 0; None while the game goes on."""

    def forfeit_share(self, people: Collection[int]) -> float | None:
        """Share of x in an open game of which not both people are here; None if both are."""
        if self.x in people and self.o in people:
            return None
        return 0.5 if self.x not in people and self.o not in people else float(self.x in people)


@dataclass
class Pairings:
    """A tournament of the classroom: its format, and its rounds so far."""

    form: Form
    rounds: list[list[RoomGame]] = field(default_factory=list)
    resting: list[list[int]] = field(default_factory=list)
    """Numbers of the people without a game in each round; in a Swiss it is one at most, and has a bye."""

    @property
    def unfinished_games(self) -> list[RoomGame]:
        """Games of the last round that go on."""
        return [meeting for meeting in self.rounds[-1] if meeting.share is None] if self.rounds else []

    @property
    def bye(self) -> int:
        """Points of a round without a game: 1 in a Swiss, none in a ladder."""
        return int(self.form == "swiss")

    def begin(self, people: Sequence[int], games: list[RoomGame]) -> None:
        """Add a round: its games among the people present."""
        self.rounds.append(games)
        playing = {number for each in games for number in (each.x, each.o)}
        self.resting.append([number for number in people if number not in playing])

    def next(self, people: Sequence[int]) -> list[tuple[int, int]]:
        """Pairs of the next round, x first, among the people present; with an odd number one of a Swiss has a bye.

        Raises:
            BadInput: there are fewer than two people, or games of the last round go on.
        """
        if len(people) < 2:
            raise BadInput("A round takes two people or more who have said their names.")
        if self.unfinished_games:
            count = len(self.unfinished_games)
            raise BadInput(
                f"Round {len(self.rounds)} goes on: {count} {'game is' if count == 1 else 'games are'} open."
            )
        if self.form == "ladder":
            # The arena's schedules know entrants by names: numbers as text serve as such.
            rungs = tuple(str(number) for number in self.rungs(people) if number in people)
            return [(int(x), int(o)) for x, o in Ladder(rungs, ("",)).pairs(len(self.rounds), [])]
        names = tuple(map(str, people))
        met = [
            (str(each.x), str(each.o), 0.5 if each.share is None else each.share)
            for meetings in self.rounds
            for each in meetings
            # Games against people who have left count as points without a meeting, below.
            if each.x in people and each.o in people
        ]
        unpaired = {str(number): self._points_without_a_meeting(number, people) for number in people}
        return [(int(x), int(o)) for x, o in Swiss(names, ("",), unpaired=unpaired).pairs(len(self.rounds), met)]

    def rungs(self, people: Collection[int]) -> list[int]:
        """Places of a ladder, the highest first: of the people present and of all who have played.

        The order of entry, in which each game of a finished round that the lower one won exchanged the two. A person
        who leaves keeps the place, so a return changes nothing.
        """
        met = [(str(each.x), str(each.o), each.share) for meetings in self.rounds for each in meetings]
        known = sorted(
            {*people, *(number for meetings in self.rounds for each in meetings for number in (each.x, each.o))}
        )
        ended = [(x, o, share) for x, o, share in met if share is not None]
        return [int(name) for name in Ladder(tuple(map(str, known)), ("",)).rungs(ended)]

    def _points_without_a_meeting(self, person: int, people: Sequence[int]) -> float:
        """Points of a person's byes and games against people who have left; a round that the person missed has none."""
        points = float(sum(person in resting for resting in self.resting) * self.bye)
        for each in (each for meetings in self.rounds for each in meetings):
            share = 0.5 if each.share is None else each.share
            if each.x == person and each.o not in people:
                points += share
            elif each.o == person and each.x not in people:
                points += 1 - share
        return points
