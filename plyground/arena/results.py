"""Records of an arena: entrants, tasks, played games and judged moves."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from plyground.arena.statistics.sprt import SPRT
from plyground.play.ending import Ending
from plyground.play.move_note import MoveNote
from plyground.play.proof import Audit
from plyground.players import PlayerLike

LATE_GAMES_TO_FORFEIT = 4
"""Games of a student of a class after which, if it was late or silent in all of them, it loses the others unplayed:
each costs all the time of a move."""
Outcome = Literal["win", "draw", "loss"]
Side = Literal["x", "o"]


@dataclass(frozen=True)
class Entrant:
    """A player of an arena."""

    name: str
    """Unique in its arena; shown everywhere."""
    spec: str
    """The player's spec, as `players.player_named` reads it; the name of one that was given as an object."""
    side: Literal["", Side] = ""
    """The only side that it plays, the first player's or the second's; empty: both."""
    # Not compared: an entrant is its name and spec, and two objects of one name cannot be told apart on disk.
    given: PlayerLike | None = field(default=None, compare=False, repr=False)
    """The object from Python; None for a player with a spec."""

    @property
    def source(self) -> PlayerLike:
        """The object or the spec that the player is made from."""
        return self.spec if self.given is None else self.given


@dataclass(frozen=True)
class Arena:
    """A stored arena: its settings and its state. Its games are stored separately."""

    id: str
    created: str
    """The time of creation, in UTC, as ISO 8601."""
    game: str
    """The game's spec."""
    entrants: tuple[Entrant, ...]
    format: str
    """`round-robin`, `gauntlet`, `swiss` or `ladder`."""
    openings: str = ""
    """The openings in words; empty for the initial position."""
    limits: str = ""
    """Limits of its players in words; empty where there are none but their own."""
    planned: int | None = None
    """Games in all, where that is known."""
    why: str | None = None
    """Sentence on its end; None while it may go on."""
    test: SPRT | None = None
    """The test of its two players that ends it; None where all games are played."""


@dataclass(frozen=True)
class Task:
    """A game to be played. All of it follows from the arena's settings and, in some formats, from earlier results."""

    number: int
    """Unique in its arena, from 0."""
    pair: int
    """Shared by the two games of one opening in which the same two swap sides."""
    x: str
    """Name of the game's first player."""
    o: str
    opening: str
    """Opening, as `Position.parse` reads it: moves, or a state; empty for the initial state."""
    chance_seed: int | None = field(default=None, compare=False)
    """Seed of its random numbers; None: its number is the seed."""
    forfeit: int | None = field(default=None, compare=False)
    """The seat that loses it unplayed; None: it is played."""


@dataclass(frozen=True)
class Judged:
    """The value of a position before and after a move."""

    ply: int
    """Ply of the game after the opening, from 1."""
    mover: int
    """0 (x) or 1 (o)."""
    move: str
    before: Outcome
    """Value of the position for the mover with best play by both."""
    after: Outcome
    """Value for the mover after the move."""
    exact: bool
    """Whether both values are certain; else they are the opinion of a deep search."""
    held: tuple[str, ...] = ()
    """The moves that would have kept the value; only where this one gave it away."""

    @property
    def is_blunder(self) -> bool:
        """Whether value was given away."""
        worth = ("loss", "draw", "win")
        return worth.index(self.after) < worth.index(self.before)


def missing_files_text(files: Mapping[str, str]) -> str:
    """Words that name the files of an entrant (`hash_files`) that are not there any more; empty if all are."""
    gone = [name for name in files if name != "plyground" and not Path(name).exists()]
    return f"{' and '.join(gone)} {'is' if len(gone) == 1 else 'are'} gone" if gone else ""


@dataclass(frozen=True)
class Played:
    """A game that is over."""

    task: Task
    moves: tuple[str, ...]
    """After the opening, in text."""
    utility: int | None
    """For x; None in a void game."""
    why: str
    """Sentence on its end."""
    fault: int | None = None
    """Seat of the player whose fault ended it: late, unreadable, gone, an illegal move."""
    seconds: tuple[float, float] = (0.0, 0.0)
    """Seconds of x and o in all, without the grace for slow starts."""
    words: str = ""
    """The first and the last lines of a program's standard error, where it is at fault."""
    void: bool = False
    """Whether the game is not counted, because no player was at fault: a program could not be started, for example."""
    judged: tuple[Judged, ...] | None = None
    """Every move judged; None if the game is not judged."""
    notes: tuple[MoveNote, ...] = field(default=(), compare=False, repr=False)
    """Time, clock and evaluation of each move; empty in games of earlier versions."""
    ending: Ending = Ending.UNKNOWN
    """Kind of its end; of a void game with a `fault`, the kind of that fault. Unknown in games of earlier versions."""

    def score(self, seat: int) -> float | None:
        """Points of a player: 1 for a win, 1/2 for a draw, 0 for a loss; None in a void game.

        Args:
            seat: 0 (x) or 1 (o).
        """
        if self.utility is None or self.void:
            return None
        mine = self.utility if seat == 0 else -self.utility
        return 1.0 if mine > 0 else 0.5 if mine == 0 else 0.0


@dataclass(frozen=True)
class Audited:
    """Result of an audit of one side of an entrant."""

    name: str
    side: Side
    found: Audit | None
    why: str = ""
    """The reason that there is no audit, in a sentence."""
