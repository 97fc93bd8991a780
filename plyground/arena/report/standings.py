"""Standings of an arena: the sums of its games."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from plyground.arena.report.columns import COLUMNS, Column, Number, Standing, blunders_in, elo_text
from plyground.arena.report.interval_svg import Scale, draw_whiskers
from plyground.arena.report.wording import copies_text, lead_text
from plyground.arena.results import Played
from plyground.arena.statistics.rating import Duel, Ratings, Unit, duel, ratings
from plyground.arena.statistics.tally import Against, Blunders
from plyground.errors import BadInput, extra
from plyground.markup import Inside, Markup, el, fragment

if TYPE_CHECKING:
    from pandas import DataFrame

BRIEF_COLUMNS: tuple[Column, ...] = tuple(column for column in COLUMNS if not column.is_detail)
"""The columns of every table but the report's, which has all."""


@dataclass(frozen=True)
class Standings:
    """Table of an arena: its rows, and the meetings of each two."""

    rows: tuple[Standing, ...]
    """The strongest first."""
    cross: Mapping[tuple[str, str], Against] = field(repr=False)
    """Games of the first with the second, by two names; only of entrants that have met."""
    games: int
    """Without void ones."""
    void: int
    different: int
    """Number of games that differ in players, opening or moves."""
    first: float | None
    """The share of the points that the first player (x) took, 0 to 1; None without games."""

    @property
    def blunders(self) -> Blunders:
        """Blunders of all entrants together."""
        return blunders_in([judged for row in self.rows for judged in row.judged_moves])

    @property
    def is_connected(self) -> bool:
        """Whether all Elo can be compared."""
        return len({row.group for row in self.rows}) <= 1

    def row(self, name: str) -> Standing:
        """The row of an entrant."""
        return next(row for row in self.rows if row.name == name)

    def duel(self, one: str, other: str) -> Duel | None:
        """Statistics of the games that two players had against each other; None if they have not met."""
        met = self.cross.get((one, other))
        return duel(met.evidence.units) if met else None

    @property
    def notes(self) -> list[str]:
        """Sentences below the table that explain its numbers."""
        said: list[str] = []
        bounds = {row.bound for row in self.rows if row.games} - {""}
        if bounds:
            fits = len(bounds) == 1 or len(self.rows) == 2  # else a bound is of one whose opponent is a bound, too
            said.append(
                "≥ and ≤: took every point from those below, or none from those above. Any larger difference would "
                "explain that" + ("; at the bound it happens with a probability of 5 %." if fits else ".")
            )
        if len(self.rows) == 2 and (found := self.duel(*(row.name for row in self.rows))):
            said.append(f"Elo has a mean of 0: {self.rows[0].name} is ahead by {lead_text(found)}.")
        if not self.is_connected:
            said.append("Not all have met, not even by way of others; Elo of different groups cannot be compared.")
        news = [met.evidence for (one, other), met in self.cross.items() if one < other]
        copies = copies_text(sum(each.copies for each in news), sum(each.lone_copies for each in news))
        # Less than half: below that the numbers are mostly of the same games again.
        if 2 * self.different < self.games:
            why = ": players without chance repeat themselves. More openings help." if copies else "."
            said.append(f"Only {self.different:,} of the {self.games:,} games are different{why}")
        if copies:
            said.append(f"{copies}: they count in games and points alone.")
        if self.void:
            games = "1 game is void" if self.void == 1 else f"{self.void:,} games are void"
            said.append(f"{games} and not counted for or against a player.")
        if self.blunders.opinions:
            said.append("Blunders with ~ rest on the opinion of a deep search, the others are certain.")
        return said

    def cells(self) -> list[list[str]]:
        """The table in words, below the headings of `BRIEF_COLUMNS`."""
        return [[column.text(row) for column in BRIEF_COLUMNS] for row in self.rows]

    def to_frame(self) -> "DataFrame":
        """The table for pandas, a row for each entrant.

        Raises:
            BadInput: pandas is not installed.
        """
        with extra("A data frame"):
            from pandas import DataFrame
        return DataFrame(self.records())

    def records(self, digits: int | None = None) -> list[dict[str, Number]]:
        """The table as plain values, a record for each entrant: all numbers of `COLUMNS`.

        Args:
            digits: the digits after the point that are kept; by default all.
        """
        return [
            {
                name: round(value, digits) if digits is not None and isinstance(value, float) else value
                for column in COLUMNS
                for name, value in ((name, number(row)) for name, number in column.numbers.items())
            }
            for row in self.rows
        ]

    @cached_property
    def scale(self) -> Scale:
        """Scale that all drawn intervals share."""
        return Scale.over(edge for row in self.rows if row.games for edge in (row.low, row.elo, row.high))

    def drawn_cell(self, column: Column, row: Standing) -> Inside:
        """A cell where there are pictures: its text, after the entrant's interval as SVG if the column has it."""
        text = column.text(row)
        if not (column.is_drawn and row.games):
            return text
        return [draw_whiskers(row.elo, row.low, row.high, self.scale, f"{elo_text(row)} Elo, 95 %: {text}"), text]

    def _repr_html_(self) -> Markup:
        """The table as a notebook shows it."""
        left = "text-align:left"
        lines = (
            el("tr", (el("td", self.drawn_cell(column, row), style=left) for column in BRIEF_COLUMNS))
            for row in self.rows
        )
        top = el("thead", el("tr", (el("th", column.heading, style=left) for column in BRIEF_COLUMNS)))
        return fragment(el("table", top, el("tbody", lines)), (el("p", note) for note in self.notes))


# -- adding up ---------------------------------------------------------------------------------------------------------


def standings(entrants: Sequence[str], games: Iterable[Played]) -> Standings:
    """Add up the games of an arena.

    >>> from plyground.arena.results import Task
    >>> tasks = Task(0, 0, "ann", "bob", ""), Task(1, 0, "bob", "ann", "")
    >>> table = standings(["bob", "ann"], [Played(tasks[0], (), 1, "x wins"), Played(tasks[1], (), 0, "draw")])
    >>> [(row.name, row.points, round(row.elo)) for row in table.rows], table.cross["ann", "bob"].pentanomial
    ([('ann', 1.5, 95), ('bob', 0.5, -95)], (0, 0, 0, 1, 0))

    Args:
        entrants: the names of all who take part.
        games: any of the arena's games, in any order.

    Raises:
        BadInput: a game has a player that is no entrant.
    """
    by_name: dict[str, list[tuple[Played, int]]] = {name: [] for name in entrants}
    cross: dict[tuple[str, str], Against] = {}
    pairs: dict[tuple[int, str, str], list[tuple[Played, float]]] = {}
    seen: set[tuple[str, str, str, tuple[str, ...]]] = set()
    total, void, first = 0, 0, 0.0
    for played in games:
        x, o = played.task.x, played.task.o
        try:
            sides = by_name[x], by_name[o]
        except KeyError as missing:
            raise BadInput(f"{missing.args[0]!r} plays in game {played.task.number}, but does not take part.") from None
        for seat, side in enumerate(sides):
            side.append((played, seat))
        both = [cross.setdefault(pair, Against()) for pair in ((x, o), (o, x))]
        score = played.score(0)
        if score is None:
            void += 1
            for against in both:
                against.void += 1
            continue
        total += 1
        first += score
        seen.add((x, o, played.task.opening, played.moves))
        for mine, against in zip((score, 1 - score), both, strict=True):
            against.wins += mine == 1
            against.draws += mine == 0.5
            against.losses += mine == 0
        one, other = sorted((x, o))
        pairs.setdefault((played.task.pair, one, other), []).append((played, score if x == one else 1 - score))
    units = _units(pairs, {name: number for number, name in enumerate(entrants)}, cross)
    found = ratings(len(entrants), units)
    # The table shows both at the same distance from 0, as it does with an estimate.
    if len(entrants) == 2 and found.bound[0]:  # the mean is 0 at the bound of their difference, too
        low, high = found.low[0] - found.elo[1], found.high[0] - found.elo[1]
        found = replace(found, low=(low / 2, -high / 2), high=(high / 2, -low / 2))
    rows = _standing_rows(entrants, by_name, found)
    return Standings(rows, cross, total, void, len(seen), first / total if total else None)


def _units(
    pairs: Mapping[tuple[int, str, str], list[tuple[Played, float]]],
    numbers: Mapping[str, int],
    cross: Mapping[tuple[str, str], Against],
) -> Counter[Unit]:
    """Observations for `rating`: two games of one opening with the sides swapped are one, and copies are none."""
    by_size = sorted(pairs.items(), key=lambda each: -len(each[1]))  # games in no pair come last
    for (_, one, other), played in by_size:
        mine, its = cross[one, other].evidence, cross[other, one].evidence
        # A pair is two games of one opening with the sides swapped; two with the same side are no pair.
        if len(played) == 2 and played[0][0].task.x != played[1][0].task.x:
            games = sorted((game for game, _ in played), key=lambda game: game.task.x != one)
            points, moves = sum(points for _, points in played), tuple(game.moves for game in games)
            mine.add(games[0].task.opening, moves, points)
            its.add(games[0].task.opening, moves[::-1], 2 - points)
            continue
        for game, points in played:
            seat = int(game.task.x != one)
            mine.add_alone(game.task.opening, seat, game.moves, points)
            its.add_alone(game.task.opening, 1 - seat, game.moves, 1 - points)
    units: Counter[Unit] = Counter()
    for one, other in {(one, other) for _, one, other in pairs}:
        for (_, _, size, points), times in cross[one, other].evidence.units.items():
            units[numbers[one], numbers[other], size, points] += times
    return units


def _standing_rows(
    entrants: Sequence[str], by_name: Mapping[str, Sequence[tuple[Played, int]]], found: Ratings
) -> tuple[Standing, ...]:
    size = Counter(found.group)
    unranked = [
        Standing(
            0,
            name,
            found.elo[number],
            found.low[number],
            found.high[number],
            found.bound[number],
            found.group[number],
            None,
            by_name[name],
        )
        for number, name in enumerate(entrants)
    ]

    def place(row: Standing) -> tuple[float, ...]:
        """Sort key of a row: by the size of its group, then Elo, then points, the largest first."""
        return -size[row.group], row.group, -round(row.elo, 6), -row.points

    # Groups are never mixed: their Elo cannot be compared.
    order = sorted(range(len(entrants)), key=lambda number: place(unranked[number]))
    rows: list[Standing] = []
    for at, number in enumerate(order):
        row, after = unranked[number], order[at + 1] if at + 1 < len(order) else None
        # Equal in all that the order looks at: they share a rank, as in sport.
        rank = rows[-1].rank if at and place(row) == place(rows[-1]) else at + 1
        rows.append(replace(row, rank=rank, superiority=None if after is None else found.superiority(number, after)))
    return tuple(rows)
