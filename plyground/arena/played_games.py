"""The played games of an arena, with the state of the SPRT and the standings."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from plyground.arena.report.standings import Standings, standings
from plyground.arena.results import HOPELESS, Judged, Played
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
        self._met = Counter[str]()
        """Counted games of each entrant."""
        self._late = Counter[str]()
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

    def settle(self, played: Played) -> Played:
        """A game as it counts. One that is void because a player made no move is lost by that player if it has made a
        move in another game, for then it was started as it should be.
        """
        if played.void and played.fault is not None and self._name(played, played.fault) in self._movers:
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
        self._met.update((played.task.x, played.task.o))
        if played.fault is not None and played.ending in TOO_LATE:
            self._late[self._name(played, played.fault)] += 1
        if self._sprt:
            self._test(played, self._sprt)

    def is_hopeless(self, name: str) -> bool:
        """True for an entrant that was late or silent in all its games so far, `HOPELESS` or more."""
        return HOPELESS <= self._met[name] == self._late[name]

    def judge(self, played: Played, judged: tuple[Judged, ...]) -> None:
        """Add the judgement of a counted game's moves."""
        self.counted[played.task.number] = replace(played, judged=judged)

    def _test(self, played: Played, sprt: SPRT) -> None:
        other = self.counted.get(played.task.number ^ 1)  # the game of this opening with the sides swapped
        if other is not None:
            first = self._names[0]
            pair = sorted((played, other), key=lambda each: each.task.x != first)
            points = sum(each.score(seat) or 0.0 for seat, each in enumerate(pair))
            self.evidence.add(played.task.opening, tuple(each.moves for each in pair), points)
            self.decision = self.decision or sprt.decision(self.evidence.pentanomial)

    def _note_movers(self, played: Played) -> None:
        missing = {played.task.x, played.task.o} - self._movers
        if not missing or not played.moves:
            return
        position = Position.parse(as_game(self._game), played.task.opening)
        for move in played.moves:
            self._movers.add(self._name(played, position.to_move))
            position = position.play(move)

    @staticmethod
    def _name(played: Played, seat: int) -> str:
        return (played.task.x, played.task.o)[seat]
