"""The played games of an arena, with the state of the SPRT and the standings."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from plyground.arena.report.standings import Standings, standings
from plyground.arena.results import LATE_GAMES_TO_FORFEIT, Judged, Played
from plyground.arena.statistics.evidence import Evidence
from plyground.arena.statistics.sprt import SPRT, Decision
from plyground.games import AnyGame, as_game
from plyground.play.ending import TOO_LATE
from plyground.position import Position


class PlayedGames:
    """The games of an arena that are over."""

    def __init__(self, game: AnyGame | str, names: Sequence[str], sprt: SPRT | None) -> None:
        self._game, self._names, self._sprt = game, names, sprt
        self.counted: dict[int, Played] = {}
        """The games that count, by their numbers."""
        self.void: list[Played] = []
        """The games of this run that do not count."""
        self.evidence: Evidence = Evidence()
        """The pairs of games that are news for the SPRT."""
        self.decision: Decision | None = None
        """The hypothesis that the SPRT has accepted; None while it goes on."""
        self._game_counts = Counter[str]()
        """Counted games of each entrant."""
        self._late_games = Counter[str]()
        """Games that it lost because it was late or silent."""
        self._movers = set[str]()
        """Entrants that have made a move in any game."""

    @property
    def games(self) -> list[Played]:
        """The games that count, by their numbers, then the void ones of this run."""
        return [self.counted[number] for number in sorted(self.counted)] + self.void

    @property
    def llr(self) -> float:
        """The log-likelihood ratio of the SPRT, H1 against H0; 0 without one."""
        return self._sprt.llr(self.evidence.pentanomial) if self._sprt else 0.0

    @property
    def standings(self) -> Standings:
        """The standings by these games."""
        return standings(self._names, self.games)

    def resolve_fault(self, played: Played) -> Played:
        """Decide a game that is void because a player made no move.

        The player loses it if it has made a move in another game, so that its command is right.
        """
        if played.void and played.fault is not None and self._seat_name(played, played.fault) in self._movers:
            return replace(played, utility=-1 if played.fault == 0 else 1, void=False)
        self._note_movers(played)
        return played

    def add(self, played: Played) -> None:
        """Add a game that is over and stored."""
        if played.void:
            self.void.append(played)
            return
        self._note_movers(played)
        self.counted[played.task.number] = played
        self._game_counts.update((played.task.x, played.task.o))
        if played.fault is not None and played.ending in TOO_LATE:
            self._late_games[self._seat_name(played, played.fault)] += 1
        # Only once it is on disk: a decision must never rest on a game that a restart does not find.
        if self._sprt:
            self._add_evidence(played, self._sprt)

    def is_hopeless(self, name: str) -> bool:
        """True for an entrant that was late or silent in all its games so far, `LATE_GAMES_TO_FORFEIT` or more."""
        # All of its games, and enough of them: one move in time and it plays on.
        return LATE_GAMES_TO_FORFEIT <= self._game_counts[name] == self._late_games[name]

    def judge(self, played: Played, judged: tuple[Judged, ...]) -> None:
        """Add the judgement of a counted game's moves."""
        self.counted[played.task.number] = replace(played, judged=judged)

    def _add_evidence(self, played: Played, sprt: SPRT) -> None:
        other = self.counted.get(played.task.number ^ 1)  # the game of this opening with the sides swapped
        if other is not None:
            first = self._names[0]
            # In one order, whichever game came first: copies of a pair are compared move for move.
            pair = sorted((played, other), key=lambda each: each.task.x != first)
            points = sum(each.score(seat) or 0.0 for seat, each in enumerate(pair))
            self.evidence.add(played.task.opening, tuple(each.moves for each in pair), points)
            self.decision = self.decision or sprt.decision(self.evidence.pentanomial)

    def _note_movers(self, played: Played) -> None:
        missing = {played.task.x, played.task.o} - self._movers
        if not missing or not played.moves:
            return
        # Played again to see whose each move was: turns need not alternate.
        position = Position.parse(as_game(self._game), played.task.opening)
        for move in played.moves:
            self._movers.add(self._seat_name(played, position.to_move))
            position = position.play(move)

    @staticmethod
    def _seat_name(played: Played, seat: int) -> str:
        return (played.task.x, played.task.o)[seat]
