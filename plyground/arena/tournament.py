"""A whole arena: begins or goes on, and yields results as they come, each stored before it counts."""

import hashlib
import json
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from plyground.arena.adjudication import Adjudication
from plyground.arena.entrants import hash_files
from plyground.arena.marking.audits import AuditSide, missing_audits, run_audits
from plyground.arena.marking.marks import ClassMarks, StudentMark, has_never_moved, mark_student
from plyground.arena.marking.weights import opponents_in
from plyground.arena.openings import Openings, OpeningTexts
from plyground.arena.plan import Plan
from plyground.arena.played_games import PlayedGames
from plyground.arena.playing import Limits
from plyground.arena.report.standings import Standings
from plyground.arena.report.testing import TestStand, stand_of_test
from plyground.arena.report.wording import copies_text, decision_text
from plyground.arena.results import Arena, Audited, Entrant, Played, Task, missing_files_text
from plyground.arena.schedule import ENDLESS_GAMES, ClassSchedule, Schedule, schedule
from plyground.arena.settings import CLASS_AUDIT_TIME, CLASS_BUDGET, Settings
from plyground.arena.statistics.sprt import SPRT, Decision
from plyground.arena.store import Store, differing_keys, shared_players
from plyground.arena.work import JudgeMoves, PlayGame, entrants_key, void_game
from plyground.arena.writer import Writer
from plyground.compiled.fingerprint import fingerprint
from plyground.database.connecting import Unstored, now
from plyground.games import AnyGame, as_game
from plyground.markup import Markup
from plyground.play.ending import Ending
from plyground.players import player_of
from plyground.workers.cluster import Cluster

if TYPE_CHECKING:
    from pandas import DataFrame


class Tournament:
    """An arena that is played as it is iterated over: `for played in tournament` gives the games as they end.

    What was played before, by the same arena in the same database, is there from the beginning, in `games`.
    """

    def __init__(self, settings: Settings, cluster: Cluster | None = None) -> None:
        """Check the settings, and load the games of earlier runs; nothing is played yet.

        Args:
            settings: the settings of the arena.
            cluster: the processes that play; by default those that the settings name, for this arena alone.

        Raises:
            BadInput: the settings make no arena; the sentence says why.
            TooNew: a later plyground has made the database's tables.
        """
        self._cluster = cluster
        self.on_audit: Callable[[str], object] = str  # called with the progress of audits, in words
        self.settings: Settings = settings
        self.entrants: tuple[Entrant, ...] = settings.entrants
        self.limits: Limits = settings.limits
        self.sprt: SPRT | None = settings.test
        self.adjudication: Adjudication = settings.adjudication
        self.weights: dict[str, float] = settings.mark_weights
        """Weight of each criterion of marks; empty where none are given."""
        self._game = settings.rules
        """The game's spec, which is short in a message to a process, or the game."""
        rules = as_game(self._game)
        self.game: str = self._game if isinstance(self._game, str) else repr(rules)
        self._names = [each.name for each in self.entrants]
        starts, openings = settings.starts, self._read_openings(rules)
        self._plan = Plan(self._make_schedule(openings.texts))
        self._known = PlayedGames(self._game, self._names, self.sprt)
        self.audits: list[Audited] = []
        """Audits of the students of a class that are done."""
        self.recipe: dict[str, Any] = self._recipe(fingerprint(rules), starts, openings.words)
        # Sorted: the order of keys is no part of the arena.
        digest = hashlib.sha256(json.dumps(self.recipe, sort_keys=True).encode()).hexdigest()
        self.id: str = settings.name or digest[:12]
        self._run = uuid.uuid4().hex
        """Random id of this run, by which a process knows its players of it: the next run may have other objects."""
        self._writer: Writer | None = None
        self._ready: deque[Played] = deque()
        """Games that count and have not been handed out."""
        self._why: str | None = None
        self._store: Store | None = None
        self._inherited: list[Played] = []
        """Games of an earlier arena that are games of this one, too; with them come their players' audits."""
        self.games_before: int = 0
        """Games that were there already."""
        self.notes: list[str] = [*openings.notes]
        """Remarks for the user, in sentences: which openings were taken, which games of an earlier arena count, and
        whose files changed."""
        self.notes += self._note_uncounted()
        if settings.database:
            self._store = Store(settings.database)
            self._load_games(self._store)
            self.audits = self._store.audits(self.id)
            self.games_before = self.games_done
            if not self._store.settings(self.id):
                self._inherit_games(self._store)
        self.created: str = now()

    def _read_openings(self, rules: AnyGame) -> OpeningTexts:
        self._make_schedule([""])  # a wrong format is refused before the long search for openings
        return self.settings.starts.read(rules)

    def _make_schedule(self, openings: Sequence[str]) -> Schedule:
        form, rounds = self.settings.format, self.settings.rounds
        sides = {each.name: each.side for each in self.entrants if each.side}
        each = self.settings.games or (ENDLESS_GAMES if self.sprt else 0)
        return schedule(form, self._names, openings, each, rounds, sides, len(opponents_in(self.weights)))

    def _recipe(self, rules: str, openings: Openings, words: str) -> dict[str, Any]:
        """Settings that identify the arena; their hash is its default id, by which it is found again."""
        opened = asdict(openings) | {"file": openings.file and hashlib.sha256(openings.file.read_bytes()).hexdigest()}
        if not (openings.random_plies and openings.balanced):
            del opened["count"]  # more of them only come after those there are, so an arena can be made longer
        recipe = {
            "game": self.game,
            "rules": rules,
            "entrants": [[each.name, each.spec, *filter(None, [each.side])] for each in self.entrants],
            "format": self.schedule.format,
            "openings": opened,
            "openings_text": words,
            "limits": asdict(self.limits),
            "limits_text": ", ".join(filter(None, [self.limits.text, self.adjudication.text])),
            "seed": self.settings.seed,
            "files": {each.name: hash_files(each) for each in self.entrants},
        }
        if self.adjudication:
            recipe["adjudication"] = asdict(self.adjudication)
        if self.schedule.has_rounds:
            recipe["games"] = self.schedule.meeting_games  # more games of each two would change who meets whom
        if self.sprt:  # another test is another arena: bounds that are moved on the way make its probabilities void
            recipe["sprt"] = [*asdict(self.sprt).values()]
        return recipe

    # -- what there is ------------------------------------------------------------------------------------------------

    @property
    def schedule(self) -> Schedule:
        """The schedule of all games."""
        return self._plan.schedule

    @property
    def games(self) -> list[Played]:
        """All games that are over, those of earlier runs too, by their numbers; last the void ones of this run."""
        return self._known.games

    @property
    def planned_games(self) -> int | None:
        """Games in all; None where that is not known."""
        return self.schedule.planned_games

    @property
    def games_done(self) -> int:
        """Games that are over and count."""
        return len(self._known.counted)

    @property
    def is_over(self) -> bool:
        """Whether there is nothing left to play."""
        is_played = self.planned_games is not None and self.games_done >= self.planned_games
        return bool(self.decision) or self._is_used_up or is_played or bool(self._mute_students)

    @property
    def _mute_students(self) -> list[str]:
        """Students of a class that never made a move, where all games of the others are played; else none."""
        # An arena in which only such students are missing is over: it would never end otherwise.
        missing = [name for name in self.schedule.students if self._missing_games(name)]
        return missing if all(has_never_moved(name, self._games_of(name)) for name in missing) else []

    def _games_of(self, name: str) -> list[Played]:
        return [each for each in self.games if name in (each.task.x, each.task.o)]

    @property
    def _is_used_up(self) -> bool:
        """Whether an SPRT ends undecided, because more games would only repeat those that there are."""
        return self._known.evidence.is_used_up(len(self.schedule.openings))

    @property
    def pentanomial(self) -> list[int]:
        """The number of pairs that brought the first player 0, 1/2, 1, 3/2 and 2 points, without copies."""
        return self._known.evidence.pentanomial

    @property
    def decision(self) -> Decision | None:
        """The hypothesis that the SPRT has accepted; None while it goes on."""
        return self._known.decision

    @property
    def llr(self) -> float:
        """The log-likelihood ratio of the SPRT, H1 against H0; 0 without one."""
        return self._known.llr

    @property
    def test(self) -> TestStand | None:
        """State of the SPRT, with all that engine authors read of it; None without one."""
        return stand_of_test(self.sprt, self._names[0], self._names[1], self.standings) if self.sprt else None

    @property
    def stops(self) -> dict[tuple[str, ...], str]:
        """Reasons of games that were stopped in this run, though no player is at fault.

        The keys are their two players, or the one player whose games are all stopped.
        """
        return self._plan.reasons_to_stop(self._names)

    @property
    def standings(self) -> Standings:
        """The standings after the games so far."""
        return self._known.standings

    def to_frame(self) -> "DataFrame":
        """The standings for pandas.

        Raises:
            BadInput: pandas is not installed.
        """
        return self.standings.to_frame()

    def _repr_html_(self) -> Markup:
        return self.standings._repr_html_()

    @property
    def stored_arena(self) -> Arena:
        """Record of the arena, with its settings and state, as the database stores it."""
        words = self.recipe["openings_text"], self.recipe["limits_text"]
        return Arena(
            self.id,
            self.created,
            self.game,
            self.entrants,
            self.schedule.format,
            *words,
            self.planned_games,
            self._why,
            self.sprt,
        )

    def _note_uncounted(self) -> list[str]:
        """A sentence on the players with a limit on CPU time whose CPU time cannot be measured; none without such
        players.
        """
        if self.limits.cpu is None:
            return []
        made = ((each.name, player_of(each.source)) for each in self.entrants)
        names = [name for name, player in made if player.is_external and not player.tells_cpu]
        if not names:
            return []
        return [
            f"The CPU time of {', '.join(names)} cannot be told: there the limits of a player's own hold, by the wall."
        ]

    def _inherit_games(self, store: Store) -> None:
        """Take over the games of the arena that shares most players with this new one, and nothing else differs: they
        need not be played again because some players came later, or have changed.
        """
        # In rounds, earlier pairings depend on everyone who took part.
        if self.schedule.has_rounds:
            return
        best: tuple[set[str], str, list[str]] = set(), "", []
        for other, kept in store.every_setting():
            if not differing_keys(kept, self.recipe):
                same, changed = shared_players(kept, self.recipe)
                # The newest of several with as many: `every_setting` has them in that order, and `max` keeps the first.
                best = max(best, (same, other, changed), key=lambda each: len(each[0]))
        same, other, changed = best
        played = store.games(other) if len(same) > 1 else []
        self._inherited = [each for each in played if not each.void and {each.task.x, each.task.o} <= same]
        for each in self._inherited:
            self._known.add(each)
        # Audits depend on their budget, which is no part of the recipe: only the usual one is known to be the same.
        if (self.settings.audit_budget, self.settings.audit_time) == (CLASS_BUDGET, CLASS_AUDIT_TIME):
            self.audits = [each for each in store.audits(other) if each.name in same] if self._inherited else []
        if changed:
            names = ", ".join(changed)
            self.notes.append(
                f"The files of {names} have changed since arena {other}, which is kept; this is a new one."
            )
        if self._inherited:
            self.notes.append(f"{len(self._inherited):,} games of arena {other} count here, too.")

    # -- playing -------------------------------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[Played]:
        """Play the games that are missing; yields each game once it is stored.

        Raises:
            BadInput: another process plays this arena, a name stands for another one, or a cluster cannot be reached.
            GameFault: a rule of the game fails; what was played is kept.
            Unstored: the database takes no more.
        """
        self._plan.begin()
        self._known.void.clear()
        self._ready.clear()
        self._writer = None
        with ExitStack() as stack:
            # First on the stack, so called last: after the writer has written what it was given.
            stack.callback(self._count_the_rest)
            if self._store:
                stack.enter_context(self._store.exclusive(self.id))
                self._load_games(self._store)  # another process may have played since it was looked at
            cluster = self._cluster or stack.enter_context(Cluster(self.settings.jobs, self.settings.scheduler))
            if self._store:
                self._store.begin(self.id, self.recipe, self.planned_games, self._inherited, self.audits)
            # After the cluster, so that on Ctrl-C the writer is closed before the processes are ended: games that came
            # back are not lost.
            writer = self._writer = stack.enter_context(Writer(self._store, self.id))
            tasks = self._plan.tasks(self._known, lambda: self._count_written(wait=True))
            for task, played in cluster.map(
                self._game_player, tasks, on_report=self._show_game, needs=entrants_key, unable=void_game
            ):
                # Before it is counted: the next round is made when nothing is in flight, and after a wait for the disk.
                self._plan.in_flight.discard(task.number)
                writer.put(self._settle(played))
                self._count_written(wait=False)
                yield from self._yield_ready()
            self._count_written(wait=True)
            yield from self._yield_ready()
            if self.settings.judge or self.weights:
                self._judge_earlier(cluster)
            # After the games: only students whose games are all played are audited.
            self._audit(cluster)
            self._why = self._end_sentence()
            if self._store:
                self._store.end(self.id, self._why)

    @property
    def _game_player(self) -> PlayGame:
        by_name = {each.name: each for each in self.entrants}
        judge = self.settings.judge or bool(self.weights)
        return PlayGame(by_name, self._game, self.limits, self.settings.seed, self._run, judge, self.adjudication)

    def _load_games(self, store: Store) -> None:
        """Add the stored games that are not known yet."""
        for played in store.games(self.id):
            if not played.void and played.task.number not in self._known.counted:
                self._known.add(played)

    def _settle(self, played: Played) -> Played:
        """Decide how a game counts; a void one stops the meetings of its players.

        A fault of a player whose files were deleted since it entered is none: the game is void.
        """
        if played.fault is not None:
            name = (played.task.x, played.task.o)[played.fault]
            # A file that was deleted while the arena was played is no fault of its program.
            if gone := missing_files_text(self.recipe["files"][name]):
                why = f"{name} cannot be started: {gone}"
                played = replace(
                    played, utility=None, why=why, fault=None, words="", void=True, ending=Ending.NOT_STARTED
                )
        settled = self._known.resolve_fault(played)
        if settled.void:
            self._plan.stop(settled)
        return settled

    def _count_written(self, *, wait: bool) -> None:
        """Count the games that are on disk by now; with `wait`, all that were given to the writer."""
        assert self._writer is not None
        for kept in self._writer.take_written(wait=wait):
            self._known.add(kept)
            self._ready.append(kept)

    def _count_the_rest(self) -> None:
        """Count the games that were written while the iteration was being left, as by Ctrl-C."""
        if self._writer:
            with suppress(Unstored):
                self._count_written(wait=False)

    def _yield_ready(self) -> Iterator[Played]:
        while self._ready:
            yield self._ready.popleft()

    def _show_game(self, told: tuple[Task, tuple[str, ...]]) -> None:
        """Let the page see a game under way."""
        if self._store and told[0].number in self._plan.in_flight:
            self._store.show(self.id, *told)

    def _judge_earlier(self, cluster: Cluster) -> None:
        """Judge the games of earlier runs that have not been judged."""
        left = [each for each in self._known.counted.values() if each.judged is None]
        for each, judged in cluster.map(JudgeMoves(self._game), left):
            if self._store:
                self._store.judge(self.id, each.task.number, judged)
            self._known.judge(each, judged)

    def _audit(self, cluster: Cluster) -> None:
        """Audit the students whose games have all been played."""
        ready = [
            each for each in self.entrants if each.name in self.schedule.students and not self._missing_games(each.name)
        ]
        work = AuditSide(self._game, self.limits, self.settings.audit_budget, self.settings.audit_time)
        for audited in run_audits(cluster, work, missing_audits(ready, self.audits), self.on_audit):
            if self._store:
                self._store.add_audit(self.id, audited)
            self.audits.append(audited)

    def _missing_games(self, student: str) -> int:
        """Number of games that a student has still to play."""
        assert isinstance(self.schedule, ClassSchedule)
        met = [each for each in self._known.counted.values() if student in (each.task.x, each.task.o)]
        return max(self.schedule.games_of(student) - len(met), 0)

    @property
    def marks(self) -> ClassMarks:
        """The marks of the students of a class; none in other formats."""
        return ClassMarks(self.weights, [self._mark_student(name) for name in self.schedule.students], self.audits)

    def _mark_student(self, name: str) -> StudentMark:
        """Mark of a student; while games or audits are missing, none, with the points of each criterion so far."""
        games = self._games_of(name)
        void, missing = [each for each in games if each.void], self._missing_games(name)
        audits = sorted((each for each in self.audits if each.name == name), key=lambda each: "xo".index(each.side))
        found = mark_student(name, games, audits, self.weights, as_game(self._game).names)
        # No game counts: `mark_student` has said why.
        if len(void) == len(games):
            return found
        if missing:
            why = void[-1].why if void else "The same command goes on."
            return replace(
                found, points=None, why=f"{missing} of its {missing + len(games) - len(void)} games are missing. {why}"
            )
        entrant = next(each for each in self.entrants if each.name == name)
        sides = [side for _, side in missing_audits([entrant], self.audits)]
        if "never_loses" in self.weights and sides:
            said = " and ".join(as_game(self._game).names["xo".index(side)] for side in sides)
            return replace(found, points=None, why=f"Its audit as {said} is not done. The same command goes on.")
        return found

    def _end_sentence(self) -> str | None:
        """Sentence on the end of the arena; None if it may go on."""
        if self.sprt and self.decision:
            return f"SPRT: {decision_text(self.sprt, self.decision, self._names[0], self._names[1])}"
        if self._is_used_up:
            return f"SPRT: not decided, and the openings are used up: {copies_text(self._known.evidence.copies)}"
        if self._mute_students:
            return f"all games are played but those of {', '.join(self._mute_students)}, of which no move was made"
        if self._plan.is_stopped:
            return None
        return "SPRT: not decided, and all games are played" if self.sprt else "all games are played"

    def play(self) -> "Tournament":
        """Play the arena to its end. Returns itself."""
        for _ in self:
            pass
        return self

    def close(self) -> None:
        """Close the connection to the database."""
        if self._store:
            self._store.close()
