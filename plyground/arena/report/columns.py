"""Statistics of an entrant: a row of the standings, and its columns, each declared once.

The terminal, the report, notebooks, the page, data frames and JSON are made of `COLUMNS`, so a new statistic is a row
there. It is computed from the entrant's games, which every `Standing` holds.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from operator import attrgetter
from typing import Any, TypeAlias

from plyground.arena.report.wording import blunders_text, faults_text, los_text, points_text, signed_text
from plyground.arena.results import Judged, Played
from plyground.arena.statistics.rating_bounds import Bound
from plyground.arena.statistics.tally import Blunders
from plyground.play.ending import FAULT_WORDS, Ending

Number: TypeAlias = int | float | str | None
"""A plain value of a record; None where it is unknown."""


@dataclass(frozen=True)
class Standing:
    """A row of the standings: one entrant's rating, and its games with all that they add up to."""

    rank: int
    """From 1; equal numbers share a rank."""
    name: str
    elo: float
    """Rating; the mean of the arena is 0 (`rating.py`)."""
    low: float
    """Lower end of the interval of 95 %; -inf where there is no bound."""
    high: float
    """Upper end; inf where there is no bound."""
    bound: Bound
    """Kind of the rating: where a player took every point, or none, Elo is at least `low`, or at most `high`."""
    group: int
    """Number of its group; Elo of two groups cannot be compared, because no games connect them."""
    superiority: float | None
    """Likelihood of superiority over the next entrant of the table, 0 to 1; None for the last, or where unknown."""
    played: Sequence[tuple[Played, int]] = field(repr=False)
    """All its games, also void ones, each with its seat there: 0 (x) or 1 (o)."""

    @cached_property
    def scores(self) -> Counter[float]:
        """Number of its games by their points, 0, 1/2 and 1; void games are in none."""
        return Counter(score for played, seat in self.played if (score := played.score(seat)) is not None)

    @property
    def games(self) -> int:
        """Number of games, without void ones."""
        return self.scores.total()

    @property
    def wins(self) -> int:
        """Games won."""
        return self.scores[1.0]

    @property
    def draws(self) -> int:
        """Games drawn."""
        return self.scores[0.5]

    @property
    def losses(self) -> int:
        """Games lost."""
        return self.scores[0.0]

    @property
    def points(self) -> float:
        """A win is 1, a draw 1/2."""
        return self.wins + self.draws / 2

    @property
    def void(self) -> int:
        """Number of void games, which do not count."""
        return len(self.played) - self.games

    @cached_property
    def faults(self) -> Mapping[Ending, int]:
        """Number of games lost by a fault, by its kind."""
        # Faults are counted by the kind that was noted when the game ended; void games cost no one a fault.
        return Counter(each.ending for each, seat in self.played if each.fault == seat and each.score(seat) is not None)

    @property
    def seconds(self) -> float:
        """Seconds used in all games, also void ones."""
        return sum(played.seconds[seat] for played, seat in self.played)

    @property
    def judged_moves(self) -> list[Judged]:
        """Its judged moves in all games, also void ones."""
        return [each for played, seat in self.played for each in played.judged or () if each.mover == seat]

    @cached_property
    def blunders(self) -> Blunders:
        """Its blunders in all games, also void ones."""
        return blunders_in(self.judged_moves)

    @cached_property
    def by_ply(self) -> Mapping[int, Blunders]:
        """Blunders by ply of the game after the opening, from 1."""
        judged: dict[int, list[Judged]] = {}
        for each in self.judged_moves:
            judged.setdefault(each.ply, []).append(each)
        return {ply: blunders_in(judged[ply]) for ply in sorted(judged)}


def blunders_in(judged: Sequence[Judged]) -> Blunders:
    """Count the blunders among judged moves."""
    # A move in a lost position gives nothing away, so it counts neither as right nor as wrong.
    alive = [each for each in judged if each.before != "loss"]
    given = [each for each in alive if each.is_blunder]
    opinions, opined = (sum(not each.exact for each in moves) for moves in (alive, given))
    return Blunders(len(alive), len(given), opinions, opined, len(judged) - len(alive))


# -- the columns -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Column:
    """A statistic of the entrants, as every table and every record of an arena has it."""

    key: str
    heading: str
    """Short heading, for tables with little room."""
    words: str
    """Heading in words, for the page."""
    text: Callable[[Standing], str]
    """Text of a cell; empty where there is nothing to tell."""
    numbers: Mapping[str, Callable[[Standing], Number]]
    """Plain values by their names, for data frames, JSON and the page."""
    explanation: str = ""
    """Explanation of the numbers in a phrase; empty where the heading suffices."""
    is_left: bool = False
    """Whether cells are aligned at the left, as text is; numbers are aligned at the right."""
    is_drawn: bool = False
    """Whether the interval is drawn before the text, where there are pictures."""
    is_detail: bool = False
    """Whether only the report has room for it; it is left out there if all its cells are empty."""

    @property
    def meaning(self) -> str:
        """Sentence that explains the heading."""
        return f"{self.heading[0].upper()}{self.heading[1:]}: {self.explanation}."


def elo_text(row: Standing) -> str:
    """`+55`, or a bound, `≥ +317`; nothing without games."""
    if not row.games:
        return ""
    # Where there is only a bound, the bound is printed: the estimate behind it is no measurement.
    known = {"≥": row.low, "≤": row.high}.get(row.bound, row.elo)
    return f"{row.bound} {signed_text(known)}".strip()


def interval_text(row: Standing) -> str:
    """`+28 … +83`; nothing without games."""
    if not row.games:
        return ""
    low = signed_text(row.low) if math.isfinite(row.low) else "−∞"
    high = signed_text(row.high) if math.isfinite(row.high) else "∞"
    return f"{low} … {high}"


def _column(
    key: str,
    heading: str,
    words: str,
    text: Callable[[Standing], str] | None = None,
    numbers: Mapping[str, Callable[[Standing], Number]] | None = None,
    **more: Any,
) -> Column:
    """A column; by default of one number, the property of `Standing` with its key."""
    # The key names the property that is read: column, JSON and property have one name.
    number = attrgetter(key)
    return Column(key, heading, words, text or (lambda row: f"{number(row):,}"), numbers or {key: number}, **more)


def _fault_count(kind: Ending, row: Standing) -> int:
    return row.faults.get(kind, 0)


COLUMNS: tuple[Column, ...] = (
    _column("rank", "#", "Rank"),
    _column("name", "name", "Entrant", attrgetter("name"), is_left=True),
    _column(
        "elo",
        "Elo",
        "Elo",
        elo_text,
        {
            "elo": lambda row: row.elo if row.games else None,
            "bound": attrgetter("bound"),
            "group": attrgetter("group"),
        },
        explanation="the mean is 0; who is 100 ahead is expected to take 64 % of the points",
    ),
    _column(
        "interval",
        "95 %",
        "95 % interval",
        interval_text,
        {"low": attrgetter("low"), "high": attrgetter("high")},
        is_drawn=True,
    ),
    _column("games", "games", "Games"),
    _column("wins", "+", "Won"),
    _column("draws", "=", "Drawn"),
    _column("losses", "−", "Lost"),
    _column("points", "points", "Points", lambda row: points_text(row.points)),
    _column(
        "los",
        "LOS",
        "Stronger than the next",
        lambda row: los_text(row.superiority),
        {"los": attrgetter("superiority")},
        explanation="how likely it is that the player is stronger than the next",
    ),
    _column(
        "faults",
        "faults",
        "Faults",
        lambda row: faults_text(row.faults),
        {kind.value: partial(_fault_count, kind) for kind in FAULT_WORDS},
        is_left=True,
    ),
    _column("void", "void", "Void games", lambda row: f"{row.void:,}" if row.void else "", is_detail=True),
    _column("seconds", "seconds", "Seconds", lambda row: f"{row.seconds:,.1f}", is_detail=True),
    _column(
        "blunders",
        "blunders",
        "Blunders",
        lambda row: blunders_text(row.blunders),
        {
            "judged": attrgetter("blunders.moves"),
            "blunders": attrgetter("blunders.given"),
            "opinions": attrgetter("blunders.opinions"),
            "blunder_rate": attrgetter("blunders.rate"),
        },
        explanation="of the moves in won and drawn positions, those that gave it away",
    ),
)
"""The columns of the standings, in the order of every table and record."""
