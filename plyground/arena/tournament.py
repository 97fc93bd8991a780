"""A whole arena: it begins or goes on, and gives results as they come, each kept before it counts."""

import hashlib
import json
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, Literal

from plyground.arena.cluster import Cluster
from plyground.arena.openings import Openings
from plyground.arena.playing import Limits
from plyground.arena.results import Arena, Entrant, Played, Task
from plyground.arena.roster import entrants, made_of
from plyground.arena.schedule import ENDLESS, Schedule, schedule
from plyground.arena.sprt import SPRT
from plyground.arena.standings import Standings, standings
from plyground.arena.store import Store
from plyground.arena.work import Judge, Play, needs, unable
from plyground.arena.writer import Writer
from plyground.compiled.fingerprint import fingerprint
from plyground.database.connecting import Unstored, now
from plyground.errors import BadInput
from plyground.games import game_named
from plyground.position import Position

if TYPE_CHECKING:
    from pandas import DataFrame

MUTE = 2
"""Games without any move of its own after which a player that never made one takes no further part for now."""


class Tournament:
    """An arena that is played as it is iterated over: `for played in tournament` gives the games as they end.

    What was played before, by the same arena in the same database, is there from the beginning, in `games`.
    """

    def __init__(
        self,
        players: Sequence[str | Entrant],
        game: str,
        *,
        games: int = 0,
        rounds: int = 0,
        form: str = "round-robin",
        openings: Openings | None = None,
        limits: Limits | None = None,
        seed: int = 0,
        database: str = "",
        name: str = "",
        jobs: int = 1,
        scheduler: str = "",
        judge: bool = False,
        sprt: SPRT | None = None,
    ) -> None:
        """Look at everything; nothing is played yet.

        Raises:
            BadInput: what was handed in makes no arena; the sentence says why.
            TooNew: a later plyground has made the database's tables.
        """
        rules = game_named(game)
        self.game, self.entrants = game, entrants(players)
        self.limits, self.seed = limits or Limits(), seed
        self._jobs, self._scheduler, self._judge = jobs, scheduler, judge
        self.sprt = sprt
        self.pentanomial = [0] * 5
        """How many pairs of games brought the first player 0, 1/2, 1, 3/2 and 2 points; for the SPRT."""
        self.decision: Literal["H0", "H1"] | None = None
        """What the SPRT has accepted; None while it goes on."""
        if sprt and (len(self.entrants) != 2 or form != "round-robin"):
            raise BadInput(
                f"--sprt compares two players in a round robin, and here are {len(self.entrants)} in a {form}."
            )
        found = openings or Openings()
        each = games or (ENDLESS if sprt else 0)
        names = [each.name for each in self.entrants]
        schedule(form, names, [""], games=games, rounds=rounds)  # what is wrong with it is said before a long search
        starts = found.found(rules)
        self.schedule: Schedule = schedule(form, names, starts, games=each, rounds=rounds)
        self.settings = self._settings(fingerprint(rules), found)
        digest = hashlib.sha256(json.dumps(self.settings, sort_keys=True).encode()).hexdigest()
        self.id = name or digest[:12]
        self._by_name = {each.name: each for each in self.entrants}
        self._played: dict[int, Played] = {}
        self._void: list[Played] = []
        self._heard = set[str]()
        """Entrants that have made a move."""
        self._mute: dict[str, int] = defaultdict(int)
        self._stopped: dict[frozenset[str], str] = {}
        self._out: dict[str, str] = {}
        """Who takes no further part for now, and why."""
        self._flying = set[int]()
        """Games that are being played."""
        self._writer: Writer | None = None
        self._ready: deque[Played] = deque()
        """Games that count and have not been handed out."""
        self._why: str | None = None
        self._store: Store | None = None
        self.resumed = 0
        """Games that were there already."""
        self.notes: list[str] = []
        """What whoever plays it should know, in sentences."""
        if database:
            self._store = Store(database)
            self._take_up(self._store)
            self.resumed = len(self._played)
            if not self._store.settings(self.id):
                self.notes += self._changed_since()
        self.created = now()

    def _settings(self, rules: str, openings: Openings) -> dict[str, Any]:
        """All that makes it the arena it is: by them it is found again."""
        recipe = asdict(openings) | {"file": openings.file and hashlib.sha256(openings.file.read_bytes()).hexdigest()}
        if not (openings.random_plies and openings.balanced):
            del recipe["count"]  # more of them only come after those there are, so an arena can be made longer
        settings = {
            "game": self.game,
            "rules": rules,
            "entrants": [[each.name, each.spec] for each in self.entrants],
            "format": self.schedule.format,
            "openings": recipe,
            "openings_text": openings.text,
            "limits": asdict(self.limits),
            "limits_text": self.limits.text,
            "seed": self.seed,
            "files": {each.name: made_of(each) for each in self.entrants},
        }
        if self.schedule.has_rounds:
            settings["games"] = self.schedule.each  # more games of each two would change who meets whom
        return settings

    # -- what there is ------------------------------------------------------------------------------------------------

    @property
    def games(self) -> list[Played]:
        """All games that are over, those of earlier runs too, by their numbers; last the void ones of this run."""
        return [self._played[number] for number in sorted(self._played)] + self._void

    @property
    def planned(self) -> int | None:
        """Games in all; None where nobody knows."""
        return self.schedule.planned

    @property
    def done(self) -> int:
        """Games that are over and count."""
        return len(self._played)

    @property
    def is_over(self) -> bool:
        """Whether there is nothing left to play."""
        return bool(self.decision) or (self.planned is not None and self.done >= self.planned)

    @property
    def llr(self) -> float:
        """Of the SPRT: the logarithm of how much likelier the results are under H1 than under H0."""
        return self.sprt.llr(self.pentanomial) if self.sprt else 0.0

    @property
    def stopped(self) -> dict[tuple[str, ...], str]:
        """Whose games were stopped in this run, though that is no player's fault, and why: of two players with each
        other, or all of one.
        """
        pairs = {pair: why for pair, why in self._stopped.items() if not pair & self._out.keys()}
        told = {tuple(name for name in self._by_name if name in pair): why for pair, why in pairs.items()}
        return {(name,): why for name, why in self._out.items()} | told

    @property
    def arena(self) -> Arena:
        """What it is and how it stands, as a row of the database tells it."""
        words = self.settings["openings_text"], self.limits.text
        return Arena(
            self.id, self.created, self.game, self.entrants, self.schedule.format, *words, self.planned, self._why
        )

    def _changed_since(self) -> list[str]:
        """Whose files have changed since an arena that was the same but for that."""
        assert self._store is not None
        rest = json.loads(json.dumps(self.settings))
        files = rest.pop("files")
        for other, kept in self._store.every_setting():
            before = kept.pop("files", {})
            if kept == rest and set(before) == set(files):
                names = ", ".join(name for name in files if files[name] != before[name])
                return [f"The files of {names} have changed since arena {other}, which is kept; this is a new one."]
        return []

    # -- playing -------------------------------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[Played]:
        """Play what has not been played yet; each game is given once it is kept.

        Raises:
            BadInput: another process plays this arena, a name stands for another one, or a cluster cannot be reached.
            GameFault: a rule of the game fails; what was played is kept.
            Unstored: the database takes no more.
        """
        for each in (self._void, self._stopped, self._out, self._mute, self._flying, self._ready):
            each.clear()
        self._writer = None
        with ExitStack() as stack:
            stack.callback(self._count_the_rest)
            if self._store:
                stack.enter_context(self._store.alone(self.id))
                self._take_up(self._store)  # another process may have played since it was looked at
            cluster = stack.enter_context(Cluster(self._jobs, self._scheduler))
            if self._store:
                self._store.begin(self.id, self.settings, self.planned)
            writer = self._writer = stack.enter_context(Writer(self._store, self.id))
            work = Play(self._by_name, self.game, self.limits, self.seed, self.id, self._judge)
            found = cluster.map(work, self._tasks(), on_report=self._show, needs=needs, unable=unable)
            for task, played in found:
                self._flying.discard(task.number)
                writer.put(self._settled(played))
                self._count(wait=False)
                yield from self._handed_out()
            self._count(wait=True)
            yield from self._handed_out()
            if self._judge:
                self._judge_earlier(cluster)
            self._why = self._ended()
            if self._store:
                self._store.end(self.id, self._why)

    def _take_up(self, store: Store) -> None:
        """Note the games that are kept and not known yet."""
        for played in store.games(self.id):
            if not played.void and played.task.number not in self._played:
                self._note(played)

    def _tasks(self) -> Iterator[Task | None]:
        """What is to be played next; None where that depends on games that are under way."""
        for games in self.schedule.rounds(self._played):
            for task in games:
                if self.decision:
                    return
                if task.number not in self._played and not self._is_stopped(task):
                    self._flying.add(task.number)
                    yield task
            while self._flying:
                yield None
            self._count(wait=True)

    def _is_stopped(self, task: Task) -> bool:
        return frozenset((task.x, task.o)) in self._stopped or not self._out.keys().isdisjoint((task.x, task.o))

    def _count(self, *, wait: bool) -> None:
        """Count what is on disk by now; wait for all that is to come there if told to."""
        assert self._writer is not None
        for kept in self._writer.kept(wait=wait):
            if kept.void:
                self._void.append(kept)
            else:
                self._note(kept)
            self._ready.append(kept)

    def _count_the_rest(self) -> None:
        """Count what was written while it was being left, by Ctrl-C for instance."""
        if self._writer:
            with suppress(Unstored):
                self._count(wait=False)

    def _handed_out(self) -> Iterator[Played]:
        while self._ready:
            yield self._ready.popleft()

    def _show(self, told: tuple[Task, tuple[str, ...]]) -> None:
        """Let the page see a game under way."""
        if self._store and told[0].number in self._flying:
            self._store.show(self.id, *told)

    def _judge_earlier(self, cluster: Cluster) -> None:
        """Judge the games of earlier runs that nobody has judged."""
        left = [each for each in self._played.values() if each.judged is None]
        for each, judged in cluster.map(Judge(self.game), left):
            if self._store:
                self._store.judge(self.id, each.task.number, judged)
            self._played[each.task.number] = replace(each, judged=judged)

    def _ended(self) -> str | None:
        """How it has ended, in words; None if it may go on."""
        if self.sprt and self.decision:
            elo = self.sprt.elo0 if self.decision == "H0" else self.sprt.elo1
            name = self.entrants[0].name
            more = "no stronger than by" if self.decision == "H0" else "stronger by"
            return f"SPRT: {name} is {more} {elo:g} normalised Elo ({self.decision} accepted)"
        return "all games are played" if not self._stopped else None

    def play(self) -> "Tournament":
        """Play it to its end; itself."""
        for _ in self:
            pass
        return self

    @property
    def standings(self) -> Standings:
        """Who stands where, by the games so far."""
        return standings([each.name for each in self.entrants], self.games)

    def to_frame(self) -> "DataFrame":
        """The standings for pandas.

        Raises:
            BadInput: pandas is not installed.
        """
        return self.standings.to_frame()

    def _repr_html_(self) -> str:
        return self.standings._repr_html_()

    def close(self) -> None:
        """Let go of the database."""
        if self._store:
            self._store.close()

    def _settled(self, played: Played) -> Played:
        """A game as it counts: one whose player made no move is lost by a player that made some elsewhere, and so was
        started as it should be; else it stays void, and so do all games of these two.
        """
        task = played.task
        names = task.x, task.o
        if played.void and played.fault is not None:
            name = names[played.fault]
            if name in self._heard:
                utility = -1 if played.fault == 0 else 1
                return replace(played, utility=utility, void=False)
            self._mute[name] += 1
            if self._mute[name] >= MUTE:
                self._out.setdefault(name, played.why)
        if played.void:
            self._stopped.setdefault(frozenset(names), played.why)
        movers = min(len(played.moves), 2)
        if movers:
            self._hear(played)
        return played

    def _hear(self, played: Played) -> None:
        """Note who made a move in a game."""
        missing = {played.task.x, played.task.o} - self._heard
        if not missing or not played.moves:
            return
        position = Position.parse(game_named(self.game), played.task.opening)
        for move in played.moves:
            self._heard.add((played.task.x, played.task.o)[position.to_move])
            position = position.play(move)

    def _note(self, played: Played) -> None:
        """A game that counts."""
        self._hear(played)
        self._played[played.task.number] = played
        if not self.sprt:
            return
        other = self._played.get(played.task.number ^ 1)  # the other side's game of this opening
        if other is not None:
            first = self.entrants[0].name
            scores = [each.score(0 if each.task.x == first else 1) or 0.0 for each in (played, other)]
            self.pentanomial[int(2 * sum(scores))] += 1
            self.decision = self.decision or self.sprt.decision(self.pentanomial)
