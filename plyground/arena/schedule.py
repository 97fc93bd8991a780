"""Schedules: the games of an arena in their order, which in some formats depends on earlier results.

A schedule is asked for its rounds. A round's games depend on those before it alone, so they can be played in any order
and at the same time; the next round is asked for once they are all over.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, groupby
from math import ceil, log2
from typing import ClassVar

from plyground.arena.results import Played, Task
from plyground.errors import BadInput

ENDLESS_GAMES = 1 << 40
"""Games of a pair of players where an SPRT ends the arena."""
CLASS_GAMES = 10
"""Games of a student with each opponent, by default, where there are fewer openings."""
MOST_STEPS = 20_000
"""Most steps of the search for a round of a Swiss tournament without repeated pairings."""


@dataclass(frozen=True)
class Schedule:
    """Base class of all formats."""

    names: tuple[str, ...]
    """The entrants, in the order in which they were given."""
    openings: tuple[str, ...]
    games: int = 0
    """Games of two players in each of their meetings; 0: every opening with both sides."""
    count: int = 0
    """Rounds, in the formats that have them; 0: the format's usual number."""
    sides: Mapping[str, str] = field(default_factory=dict)
    """The side, `x` or `o`, of each entrant that plays only one."""
    opponents: int = 0
    """Number of fixed opponents of a class; they are the last of the entrants."""
    format: ClassVar[str]
    has_rounds: ClassVar[bool] = False
    """Whether later games depend on earlier results."""

    def __post_init__(self) -> None:
        if self.games < 0 or self.games % 2:
            raise BadInput(f"--games {self.games}: an even number, for each opening is played with both sides.")
        if self.count < 0:
            raise BadInput(f"--rounds {self.count}: 1 or more.")
        if self.count and not self.has_rounds:
            raise BadInput(f"--rounds: a {self.format} has none; --games says how often two players meet.")
        if self.sides and self.has_rounds:
            name, side = next(iter(self.sides.items()))
            raise BadInput(f"{name} plays {side} only, and in a {self.format} all play both sides.")

    @property
    def meeting_games(self) -> int:
        """Games of two players in a meeting."""
        return self.games or 2 * len(self.openings)

    @property
    def planned_games(self) -> int | None:
        """Games in all; None if that depends on results."""
        raise NotImplementedError

    @property
    def students(self) -> tuple[str, ...]:
        """Names of the entrants that are marked: of a class all but the fixed opponents; of other formats none."""
        return ()

    def rounds(self, results: Mapping[int, Played]) -> Iterator[Iterable[Task]]:
        """Yields the rounds, each only after the games of those before it are over.

        Args:
            results: the games so far, by their numbers; void ones may be among them, and some missing.
        """
        raise NotImplementedError

    def _meeting(self, first: int, opening: int, x: str, o: str) -> Iterator[Task]:
        """The two games of an opening, or the one that both players' sides allow."""
        text = self.openings[opening % len(self.openings)]
        # Two numbers for each opening, also where a side is not played: a game and its twin are number and number ^ 1.
        for number, (one, other) in enumerate(((x, o), (o, x)), start=first):
            if self._is_allowed(one, other):
                yield Task(number, first // 2, one, other, text)

    def _is_allowed(self, x: str, o: str) -> bool:
        """Whether both play these sides."""
        return self.sides.get(x) != "o" and self.sides.get(o) != "x"


class _FixedSchedule(Schedule):
    """A format in which nothing depends on results: the same meetings, opening after opening."""

    def _meetings(self) -> Sequence[tuple[str, str]]:
        raise NotImplementedError

    @property
    def planned_games(self) -> int | None:
        if self.meeting_games >= ENDLESS_GAMES:
            return None
        return (
            self.meeting_games
            // 2
            * sum(self._is_allowed(*pair) for x, o in self._meetings() for pair in ((x, o), (o, x)))
        )

    def rounds(self, results: Mapping[int, Played]) -> Iterator[Iterable[Task]]:
        # more games of each two only add numbers at the end, so an arena can be made longer
        yield self._missing_tasks(results) if results else self._games()

    def _games(self) -> Iterator[Task]:
        meetings, number = self._meetings(), count(0, 2)
        # Opening by opening, and all meetings in each: a stopped arena has about as many games of every pair.
        for opening in range(self.meeting_games // 2):
            for x, o in meetings:
                yield from self._meeting(next(number), opening, x, o)

    def _missing_tasks(self, results: Mapping[int, Played]) -> Iterator[Task]:
        """The games, numbered as they were played, also if entrants came later than that.

        A late entrant changes the number that a game would have now. A game that was played keeps its number, and its
        twin with the sides swapped the one beside it; a new game whose number is taken gets the next free one.
        """
        meetings, kept, strays = self._meetings(), set[int](), dict[tuple[frozenset[str], str], list[Task]]()
        for number, played in sorted(results.items()):
            task, pair = played.task, number // 2
            x, o = meetings[pair % len(meetings)] if meetings else ("", "")
            opening = pair // len(meetings) % len(self.openings) if meetings else 0
            # Where the plan of now has just this game at this number, it stays as it is.
            is_planned = pair < len(meetings) * (self.meeting_games // 2) and task.opening == self.openings[opening]
            if is_planned and (task.x, task.o) == ((o, x) if number % 2 else (x, o)):
                kept.add(pair)
            else:
                pairs = strays.setdefault((frozenset((task.x, task.o)), task.opening), [])
                if not pairs or pairs[-1].number // 2 != pair:
                    pairs.append(task)
        if not strays:
            yield from self._games()
            return
        taken = {number // 2 for number in results}
        # Beyond all numbers of the plan and of the past, so that no number is ever given twice.
        free = count(max(*taken, len(meetings) * (self.meeting_games // 2)) + 1)
        for pair, tasks in groupby(self._games(), lambda task: task.pair):
            games = [*tasks]
            earlier = strays.get((frozenset((games[0].x, games[0].o)), games[0].opening))
            if pair not in kept and earlier:
                game = earlier.pop(0)
                for task in games:
                    number = game.number if task.x == game.x else game.number ^ 1
                    yield replace(task, number=number, pair=number // 2)
            elif pair not in kept and pair in taken:
                other = next(free)
                yield from (replace(task, number=2 * other + task.number % 2, pair=other) for task in games)
            else:
                yield from games


class RoundRobin(_FixedSchedule):
    """Everyone against everyone."""

    format = "round-robin"

    def _meetings(self) -> list[tuple[str, str]]:
        """Meetings in the order of the circle method, so that all have played about as many games at any time."""
        circle: list[str | None] = [*self.names, *([None] if len(self.names) % 2 else [])]
        found = []
        for _ in range(len(circle) - 1):
            half = len(circle) // 2
            pairs = zip(circle[:half], circle[: half - 1 : -1], strict=True)
            found += [(x, o) for x, o in pairs if x is not None and o is not None]
            # The first stays and all others move on by one: after n - 1 turns everyone has met everyone once.
            circle[1:] = [circle[-1], *circle[1:-1]]
        return found


class Gauntlet(_FixedSchedule):
    """The first against each of the others."""

    format = "gauntlet"

    def _meetings(self) -> list[tuple[str, str]]:
        return [(self.names[0], other) for other in self.names[1:]]


class ClassSchedule(_FixedSchedule):
    """Each student against each of the fixed opponents, which are the last entrants, and have the same luck against
    every student.
    """

    format = "class"

    def _meeting(self, first: int, opening: int, x: str, o: str) -> Iterator[Task]:
        for task in super()._meeting(first, opening, x, o):
            # The seed has the opening and not the student: every student meets the same random opponent, so luck is no
            # part of a mark.
            yield replace(task, chance_seed=2 * opening + task.number % 2)

    @property
    def meeting_games(self) -> int:
        return self.games or max(2 * len(self.openings), CLASS_GAMES)

    @property
    def students(self) -> tuple[str, ...]:
        return self.names[: len(self.names) - self.opponents]

    def games_of(self, student: str) -> int:
        """Number of games that a student plays."""
        met = [pair for x, o in self._meetings() if x == student for pair in ((x, o), (o, x))]
        return self.meeting_games // 2 * sum(self._is_allowed(*pair) for pair in met)

    def _meetings(self) -> list[tuple[str, str]]:
        return [(student, other) for student in self.students for other in self.names[len(self.students) :]]


class _RoundSchedule(Schedule):
    """A format whose pairings follow from the results."""

    has_rounds = True

    @property
    def _round_count(self) -> int:
        raise NotImplementedError

    @property
    def _most_meetings(self) -> int:
        """Meetings in a round, at most; numbers are left out where there are fewer."""
        return len(self.names) // 2

    def pairs(self, number: int, meetings: list[tuple[str, str, float]]) -> list[tuple[str, str]]:
        """Pairs of a round, from the share of the first in each meeting before, in order."""
        raise NotImplementedError

    def rounds(self, results: Mapping[int, Played]) -> Iterator[Iterable[Task]]:
        meetings: list[tuple[str, str, float]] = []
        for number in range(self._round_count):
            # Numbers follow from the round alone, whatever its number of meetings.
            start = number * self._most_meetings * self.meeting_games
            games: list[list[Task]] = []
            for place, (x, o) in enumerate(self.pairs(number, meetings)):
                first = start + place * self.meeting_games
                opening = number * self.meeting_games // 2
                pairs = (
                    self._meeting(first + 2 * game, opening + game, x, o) for game in range(self.meeting_games // 2)
                )
                games.append([task for pair in pairs for task in pair])
            yield [task for meeting in games for task in meeting]
            meetings += [(meeting[0].x, meeting[0].o, _points_share(meeting, results)) for meeting in games]


def _points_share(meeting: list[Task], results: Mapping[int, Played]) -> float:
    """Share of the points that the first of two had; a half if no game counts."""
    name, points, games = meeting[0].x, 0.0, 0
    for task in meeting:
        played = results.get(task.number)
        score = played.score(0 if task.x == name else 1) if played else None
        if score is not None:
            points, games = points + score, games + 1
    return points / games if games else 0.5


@dataclass(frozen=True)
class Swiss(_RoundSchedule):
    """Swiss system, for many entrants: each round pairs entrants with about equal points, without repeated pairings
    while possible. With an odd number one has a bye: no game, and the points of a won meeting for the pairing.
    """

    unpaired: Mapping[str, float] = field(default_factory=dict)
    """Points of an entrant from all its rounds without a meeting of those named, if they are not byes."""
    format = "swiss"

    @property
    def _round_count(self) -> int:
        # There are as many rounds as a knockout needs to leave one winner, and one more.
        return self.count or min(ceil(log2(len(self.names))) + 1, max(len(self.names) - 1, 1))

    @property
    def planned_games(self) -> int | None:
        return self._round_count * self._most_meetings * self.meeting_games

    def pairs(self, number: int, meetings: list[tuple[str, str, float]]) -> list[tuple[str, str]]:
        points = dict.fromkeys(self.names, 0.0)
        xs = dict.fromkeys(self.names, 0)
        seen, games = set[frozenset[str]](), dict.fromkeys(self.names, 0)
        for x, o, share in meetings:
            points[x] += share
            points[o] += 1 - share
            xs[x] += 1
            games[x], games[o] = games[x] + 1, games[o] + 1
            seen.add(frozenset((x, o)))
        for name in self.names:
            points[name] += self.unpaired.get(name, number - games[name])  # its byes
        order = sorted(self.names, key=lambda name: (-points[name], self.names.index(name)))
        if len(order) % 2:
            byes = {name: number - games[name] for name in order}
            # The bye goes to the lowest of those with the fewest byes.
            order.remove(min(reversed(order), key=lambda name: (byes[name], points[name])))
        if number == 0:  # the upper half against the lower, as is usual where nobody has points
            half = len(order) // 2
            return [*zip(order[:half], order[half:], strict=True)]
        # The search backtracks, may be exponential and stops after `MOST_STEPS`; then rematches are allowed.
        pairs = _pair_unmet(order, seen, [MOST_STEPS]) or _pair_unmet(order, set(), [MOST_STEPS]) or []
        # The player who has had the first side more often plays the second.
        return [(o, x) if xs[x] > xs[o] else (x, o) for x, o in pairs]


def _pair_unmet(order: list[str], seen: set[frozenset[str]], steps: list[int]) -> list[tuple[str, str]] | None:
    """Neighbours of a ranking as pairs that have not met; None if that cannot be, or is not found in time."""
    if not order:
        return []
    first, rest = order[0], order[1:]
    for place, other in enumerate(rest):
        steps[0] -= 1
        if steps[0] < 0:
            return None
        if frozenset((first, other)) not in seen:
            below = _pair_unmet(rest[:place] + rest[place + 1 :], seen, steps)
            if below is not None:
                return [(first, other), *below]
    return None


class Ladder(_RoundSchedule):
    """Neighbours meet, in turn with those above and below; the lower one climbs by more than half of the points. As
    many rounds as there are players sort any order, as odd-even transposition does.
    """

    format = "ladder"

    @property
    def _round_count(self) -> int:
        return self.count or len(self.names)

    @property
    def planned_games(self) -> int | None:
        meetings = sum(len(range(number % 2, len(self.names) - 1, 2)) for number in range(self._round_count))
        return meetings * self.meeting_games

    def pairs(self, number: int, meetings: list[tuple[str, str, float]]) -> list[tuple[str, str]]:
        rungs = self.rungs(meetings)
        return [(rungs[place], rungs[place + 1]) for place in range(number % 2, len(rungs) - 1, 2)]

    def rungs(self, meetings: Iterable[tuple[str, str, float]]) -> list[str]:
        """Names in the order of the ladder after some meetings, the highest first."""
        rungs = list(self.names)
        for upper, lower, share in meetings:
            # Half is not enough: a draw leaves the higher one above.
            if share < 0.5:
                above, below = rungs.index(upper), rungs.index(lower)
                rungs[above], rungs[below] = lower, upper
        return rungs


FORMATS: dict[str, type[Schedule]] = {
    each.format: each for each in (RoundRobin, Gauntlet, ClassSchedule, Swiss, Ladder)
}


def schedule(
    form: str,
    names: Sequence[str],
    openings: Sequence[str],
    games: int = 0,
    rounds: int = 0,
    sides: Mapping[str, str] | None = None,
    opponents: int = 0,
) -> Schedule:
    """The schedule of a format.

    Raises:
        BadInput: there is no such format, or it has no such games or rounds.
    """
    if form not in FORMATS:
        raise BadInput(f"There is no format {form!r}: there are {', '.join(FORMATS)}.")
    return FORMATS[form](tuple(names), tuple(openings), games, rounds, sides or {}, opponents)
