"""Experiments in one call: a match of two, and the tuning of numbers by matches."""

import random
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from plyground.arena.adjudication import Adjudication
from plyground.arena.openings import Openings
from plyground.arena.report.wording import copies_text, lead_text, los_text
from plyground.arena.settings import NO_GAME, takes_fields_of
from plyground.arena.statistics.evidence import Evidence
from plyground.arena.statistics.rating import Duel, duel
from plyground.arena.statistics.sprt import SPRT, Decision
from plyground.compiled.clock import Limit
from plyground.errors import BadInput, WrongType, check_fields, extra
from plyground.games import AnyGame, as_game
from plyground.markup import Markup, el
from plyground.play.by_evaluation import BY_EVALUATION
from plyground.play.referee import OnError, referee_game
from plyground.players import PlayerLike, player_of
from plyground.position import Position
from plyground.rules import Game

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class MatchGame:
    """A game of a match."""

    number: int
    """From 0; games 2n and 2n + 1 have the same opening, with sides swapped."""
    opening: str
    moves: str
    first_is_x: bool
    """Whether the first of the two plays x."""
    points: float
    """Points of the first: 1, 0.5 or 0."""
    why: str


@dataclass(frozen=True)
class MatchResult:
    """Games of two with each other, with statistics of the first against the second."""

    names: tuple[str, str]
    games: tuple[MatchGame, ...]
    decision: Decision | None = None
    """The hypothesis that the SPRT has accepted; None without a test, or where the games did not suffice."""
    is_tested: bool = False
    """Whether the match has an SPRT."""

    @property
    def points(self) -> float:
        """Points of the first."""
        return sum(game.points for game in self.games)

    @property
    def _evidence(self) -> Evidence:
        """Pairs of games that are no copies: the evidence of the numbers below and of the SPRT."""
        evidence = Evidence()
        for one, other in zip(self.games[::2], self.games[1::2], strict=True):
            evidence.add(one.opening, (one.moves, other.moves), one.points + other.points)
        return evidence

    @property
    def statistics(self) -> Duel:
        """Elo with its interval of 95 %, likelihood of superiority and normalised Elo."""
        found = duel(self._evidence.units)
        assert found is not None
        return found

    @property
    def elo(self) -> float:
        """Difference in strength in Elo, by maximum likelihood; positive where the first is stronger. Where one has
        taken every point there is no maximum: then an end of `interval` is a bound, and this lies beyond it.
        """
        return self.statistics.elo

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of 95 % of `elo`; infinite on a side, and a bound on the other, where one took every point."""
        return self.statistics.low, self.statistics.high

    @property
    def los(self) -> float:
        """The likelihood that the first is stronger, 0 to 1."""
        return self.statistics.superiority

    def to_frame(self) -> "DataFrame":
        """A row for each player: games, points, Elo against the other, its interval, whether one of its ends is but a
        bound, and the likelihood of superiority.

        Raises:
            BadInput: pandas is not installed.
        """
        with extra("A DataFrame"):
            import pandas as pd

        said, games = self.statistics, len(self.games)
        other = {"≥": "≤", "≤": "≥"}.get(said.bound, "")
        rows = [
            [self.names[0], games, self.points, said.elo, said.low, said.high, said.bound, said.superiority],
            [self.names[1], games, games - self.points, -said.elo, -said.high, -said.low, other, 1 - said.superiority],
        ]
        return pd.DataFrame(rows, columns=["player", "games", "points", "elo", "low", "high", "bound", "los"])

    def __str__(self) -> str:
        found, (one, other) = self.statistics, self.names
        said = f"{one} {self.points:g}, {other} {len(self.games) - self.points:g}"
        undecided = "; SPRT: not decided" if self.is_tested else ""
        test = f"; {self.decision} accepted" if self.decision else undecided
        copies = copies_text(self._evidence.copies)
        note = f"; {copies}" if copies else ""
        return f"{said}: Elo {lead_text(found)}, LOS {los_text(found.superiority)}{test}{note}"

    def _repr_html_(self) -> Markup:
        """HTML table of the games, for notebooks."""
        found = self.to_frame()
        rows = (el("tr", (el("td", str(value)) for value in row)) for row in found.itertuples(index=False))
        heads = el("tr", (el("th", name) for name in found.columns))
        return el("table", el("thead", heads), el("tbody", rows))


@dataclass(frozen=True, kw_only=True)
class PlaySettings:
    """Settings of the games of a match; `match` explains them."""

    game: AnyGame | str | None = None
    random_plies: int = 4
    limit: Limit = BY_EVALUATION
    seed: int = 0
    jobs: int = 1
    draw: tuple[int, int, int] | None = None
    resign: tuple[int, int] | None = None
    solved: bool = False

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True)
class MatchSettings(PlaySettings):
    """Settings of a match; `match` explains them."""

    first: PlayerLike
    second: PlayerLike
    _: KW_ONLY
    games: int = 100
    openings: Sequence[str] | Path | None = None
    clock: float | None = None
    sprt: tuple[float, float] | None = None
    on_error: OnError = "raise"
    on_pair: Callable[[MatchResult], None] | None = None


@dataclass(frozen=True)
class _PlayPair:
    """Work of a process: a pair of games of one opening."""

    game: AnyGame
    settings: MatchSettings
    openings: tuple[str, ...]
    adjudication: Adjudication

    def __call__(self, pair: int) -> list[MatchGame]:
        opening = self.openings[pair % len(self.openings)]
        start = Position.starting(self.game, opening)
        return [self._play_game(2 * pair + swapped, start, opening) for swapped in (0, 1)]

    def _play_game(self, number: int, start: Position, opening: str) -> MatchGame:
        asked = self.settings
        players = [player_of(side, asked.limit) for side in (asked.first, asked.second)]
        for place, player in enumerate(players):
            # The seed has the game's number, so that a game is the same in any process and after any other games.
            player.reseed(f"{asked.seed} {number} {place}")
        first_is_x = number % 2 == 0
        x, o = players if first_is_x else players[::-1]
        rules = self.adjudication.verdict if self.adjudication else None
        try:
            result = referee_game(start, (x, o), clock=asked.clock, on_error=asked.on_error, adjudicate=rules)
        finally:
            for player in players:
                player.close()
        utility = (result.utility or 0) * (1 if first_is_x else -1)
        points = 0.5 + ((utility > 0) - (utility < 0)) / 2
        return MatchGame(number, opening, " ".join(result.position.words), first_is_x, points, result.why)


@takes_fields_of(MatchSettings)
def match(settings: MatchSettings) -> MatchResult:
    """Play a match of two, each opening with both sides, and estimate the difference in strength with its interval.

    The same seed gives the same games, in any number of processes, if no player has a limit in time.

    >>> found = match("alphabeta:2", "random", game="connectfour:4,5,3", games=6, random_plies=2)
    >>> len(found.games), found.points > 3
    (6, True)

    Args:
        first, second: names of players, players, functions of a position, objects with `choose`; or games: the engine
            plays by the evaluation of each, within `limit`.
        game: the game; by default that of `first`, if it is a game.
        games: how many, an even number; with `sprt` at most.
        random_plies: begin from positions after this number of random plies, as many positions as pairs of games.
        openings: begin from these instead, in turn: texts of positions, or a file with one in a line.
        limit: of a move where a game is given as a player.
        clock: seconds that each has for a game.
        seed: of the openings and of all that is random in the players.
        jobs: processes; 0: one for each processor. Players are pickled for them.
        sprt: stop once the first is found to be stronger by no more than the first number, or by the second, in
            normalised Elo.
        on_error: what becomes of an error of a player: `raise` it, or let it `lose` the game.
        draw, resign, solved: when games are ended before their rules end them, as `arena` has it.
        on_pair: called after each pair with the result so far.

    Raises:
        BadInput: there is no such player or game, the number of games is odd, or a library is missing.
        WrongType: an argument is no player or game.
        Exception: what a player raises.
    """
    from plyground.workers.cluster import Cluster  # here, because few programs need processes

    if settings.game is None and not isinstance(settings.first, Game):
        raise WrongType(NO_GAME)
    rules = as_game(settings.game if settings.game is not None else settings.first)
    games = settings.games
    if games < 2 or games % 2:
        raise BadInput(f"games={games}: an even number, as each opening is played with both sides.")
    sides = settings.first, settings.second
    players = [player_of(side, settings.limit) for side in sides]
    names = players[0].name, players[1].name
    names = names if names[0] != names[1] else (f"{names[0]} (1)", f"{names[1]} (2)")
    test = SPRT(*settings.sprt) if settings.sprt else None
    starts = _opening_texts(rules, settings, min(games // 2, 1_000))
    sent = replace(settings, openings=None, on_pair=None)  # a process needs neither, and cannot get every function
    work = _PlayPair(rules, sent, starts, Adjudication(settings.draw, settings.resign, settings.solved))
    done, counted, decision = dict[int, list[MatchGame]](), list[MatchGame](), None
    evidence = Evidence()
    with Cluster(settings.jobs) as cluster:
        for pair, played in cluster.map(work, range(games // 2)):
            done[pair] = played
            while not decision and (following := done.pop(len(counted) // 2, None)):  # in order: a seed decides
                counted += following
                one, other = following
                evidence.add(one.opening, (one.moves, other.moves), one.points + other.points)
                decision = test.decision(evidence.pentanomial) if test else None
                if settings.on_pair:
                    settings.on_pair(MatchResult(names, tuple(counted), decision, test is not None))
            # Leaving the loop closes the mapping, which cancels the pairs under way.
            if decision or (test and evidence.is_used_up(len(starts))):
                break
    return MatchResult(names, tuple(counted), decision, test is not None)


def _opening_texts(game: AnyGame, settings: MatchSettings, count: int) -> tuple[str, ...]:
    given = settings.openings
    if isinstance(given, Path):
        return Openings(count=count, seed=settings.seed, file=given).read(game).texts
    if given is not None:
        if not given or isinstance(given, str):
            raise BadInput(f"openings={given!r}: give texts of positions, or a Path.")
        return tuple(Position.parse(game, text).without_history().start_text for text in given)
    return Openings(random_plies=settings.random_plies, count=count, seed=settings.seed).read(game).texts


@dataclass(frozen=True)
class Tuning:
    """Numbers tuned by matches, and how they came about."""

    start: tuple[int, ...]
    best: tuple[int, ...]
    """The last numbers, rounded."""
    history: tuple[tuple[float, ...], ...]
    """Numbers after each step, the start first."""
    points: tuple[float, ...]
    """Of each step, the points of the numbers moved one way against those moved the other way, 0 to 1 a game."""
    check: MatchResult = field(repr=False)
    """A match of the best numbers against the start."""

    def to_frame(self) -> "DataFrame":
        """The history: a row for each step, a column for each number.

        Raises:
            BadInput: pandas is not installed.
        """
        with extra("A DataFrame"):
            import pandas as pd

        return pd.DataFrame([*self.history], columns=[f"w{place}" for place in range(len(self.start))])


@dataclass(frozen=True)
class TuneSettings(PlaySettings):
    """Settings of tuning; `tune` explains them."""

    make: Callable[[tuple[int, ...]], PlayerLike]
    start: Sequence[int]
    _: KW_ONLY
    steps: int = 50
    games: int = 8
    size: float | Sequence[float] = 2.0
    gain: float = 1.0
    check_games: int = 100
    on_step: Callable[[int, tuple[float, ...]], None] | None = None

    def play_match(self, one: Sequence[float], other: Sequence[float], games: int, step: int) -> MatchResult:
        """A match of two sets of numbers, with random numbers of its own for each step."""
        shared = {each.name: getattr(self, each.name) for each in fields(PlaySettings)}
        shared["seed"] = self.seed * 100_003 + step
        return match(self.make(_round_numbers(one)), self.make(_round_numbers(other)), games=games, **shared)


@takes_fields_of(TuneSettings)
def tune(settings: TuneSettings) -> Tuning:
    """Tune whole numbers by SPSA: move all of them at once at random, play, and follow the better side.

    After Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient approximation"
    (1992), as engine authors use it. Matches are short and chance is large: believe `check`, not the way there.

    Args:
        make: makes a player of the numbers, or rules with an evaluation of their own.
        start: the first numbers.
        game: the game; by default that which `make` returns.
        steps: how many matches.
        games: of each match, an even number.
        size: how far numbers are moved at the first step; one for all, or one for each.
        gain: how far a clear result carries them, in sizes.
        check_games: of the match of the result against the start.
        limit, random_plies, seed, jobs, draw, resign, solved: as for `match`.
        on_step: called with each step and the numbers after it.

    Raises:
        BadInput: no numbers, no steps, or what `match` raises.
    """
    start, steps = settings.start, settings.steps
    if not start or steps < 1:
        raise BadInput(f"start={start!r}, steps={steps}: at least one number and one step.")
    size, gain = settings.size, settings.gain
    sizes = [float(size)] * len(start) if isinstance(size, int | float) else [float(each) for each in size]
    if len(sizes) != len(start) or min(sizes) <= 0 or not isfinite(sum(sizes) + gain):
        raise BadInput(f"size={size!r}, gain={gain}: a size above 0, or one for each of {len(start)} numbers.")
    chance, numbers = random.Random(f"tune {settings.seed}"), [float(each) for each in start]
    history, points = [tuple(numbers)], list[float]()
    for step in range(steps):
        # Size and gain fade together, to 0.62 of the first at the last step.
        fade = (1 + step / max(steps / 4, 1)) ** -0.3
        # A step is at least 0.51, so that the two sides differ by 1 after rounding: equal ones would measure nothing.
        moved = [chance.choice((-1, 1)) * max(each * fade, 0.51) for each in sizes]
        up = [number + each for number, each in zip(numbers, moved, strict=True)]
        down = [number - each for number, each in zip(numbers, moved, strict=True)]
        share = settings.play_match(up, down, settings.games, step).points / settings.games
        points.append(share)
        numbers = [
            number + settings.gain * fade * (2 * share - 1) * each for number, each in zip(numbers, moved, strict=True)
        ]
        history.append(tuple(numbers))
        if settings.on_step:
            settings.on_step(step, tuple(numbers))
    best = _round_numbers(numbers)
    # Other openings than every step: the steps have seeds 0 to steps - 1.
    check = settings.play_match(best, start, settings.check_games, steps)
    return Tuning(tuple(start), best, tuple(history), tuple(points), check)


def _round_numbers(numbers: Sequence[float]) -> tuple[int, ...]:
    return tuple(round(number) for number in numbers)
