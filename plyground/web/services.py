"""Services of one server: games, workers, files, classroom, and access rules for pages."""

import re
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager, nullcontext
from dataclasses import InitVar, dataclass, field
from functools import partial
from itertools import chain
from typing import Any, TypeVar

from pydantic import BaseModel

from plyground.errors import BadInput
from plyground.games import GUESTS
from plyground.players import HARMLESS
from plyground.spec import is_own
from plyground.web.arenas.saved_arenas import SavedArenas
from plyground.web.classroom.classroom import Classroom
from plyground.web.classroom.classroom_models import Enter
from plyground.web.game_modules import GameModules
from plyground.web.games.external_players import ExternalPlayers
from plyground.web.games.replays import Replays
from plyground.web.games.saved_games import SavedGames
from plyground.web.games.solved_positions import PlayedMoves
from plyground.web.lessons.runner import LessonRunner
from plyground.web.limits import MOST_WAITING_SEARCHES, SEARCH_PLACES, Quotas
from plyground.web.selfplay import SelfPlay
from plyground.web.turns import run_with_handover
from plyground.web.user_files import UserFiles
from plyground.web.views import models, positions
from plyground.workers.fair_queue import ASKING, Asker
from plyground.workers.pool import WorkerPool
from plyground.workers.pool_worker import Job
from plyground.workers.shares import TooMany, Visitor

Answer = TypeVar("Answer", bound=BaseModel)

_GUEST_GAMES = frozenset(choice.name for choice in GUESTS)
READY_WORKERS = 2
"""Processes for quick searches that stay."""


@dataclass
class Services:
    """Parts of the server that the operations need."""

    games: SavedGames
    programs: Mapping[str, str] = field(default_factory=dict)
    """Players elsewhere that a page may choose, by name."""
    files: InitVar[Sequence[str]] = ()
    """Games, searches and players in files that a page may choose: those named on the command line."""
    quotas: Quotas = field(default_factory=Quotas)
    """What each address and connection may have."""
    # Three pools, so that a level's reply never waits behind an analysis, nor either behind the
    # microscope, whose memory is worth waiting for.
    quick: WorkerPool = field(
        default_factory=lambda: WorkerPool(SEARCH_PLACES, MOST_WAITING_SEARCHES, stay=READY_WORKERS)
    )
    """For searches that are over in a moment."""
    long: WorkerPool = field(
        default_factory=lambda: WorkerPool(SEARCH_PLACES, MOST_WAITING_SEARCHES, gentle=True, stay=1)
    )
    """For all that may take longer."""
    microscope: WorkerPool = field(
        default_factory=lambda: WorkerPool(SEARCH_PLACES // 2, MOST_WAITING_SEARCHES, stay=1)
    )
    """For the microscope, whose workers remember the trees that they have recorded."""
    addresses: Callable[[], list[str]] = list
    """Where other devices reach the server just now."""
    teacher: InitVar[str] = ""
    """The secret by which a teacher shows the room something; empty where there is no room."""
    seed: int = field(default_factory=partial(secrets.randbits, 60), repr=False)
    """Secret random seed of levels in an exam."""
    code: bool = False
    """Whether pages may have code that a reader writes in a lesson run here."""
    learn: bool = False
    """Whether pages may have games learned from self-play here."""
    lesson_runner: LessonRunner = field(default_factory=LessonRunner)
    modules: GameModules = field(default_factory=GameModules)

    def __post_init__(self, files: Sequence[str], teacher: str) -> None:
        self.played: PlayedMoves = PlayedMoves()
        self.room: Classroom = Classroom(self._begin_room_game, self._read_game, teacher)
        self.external_players: ExternalPlayers = ExternalPlayers(self.games.memory.is_watched)
        self.user_files: UserFiles = UserFiles(files, self._forget_old_file)
        self.arenas: SavedArenas = SavedArenas(self.games.engine)
        self.selfplay: SelfPlay = SelfPlay(self.is_named, is_open=self.learn)
        self.replays: Replays = self.games.memory.replays
        # These are joined here, since the parts need each other: games ask workers, players and
        # files, which are made after them.
        self.replays.work = self.in_worker
        self.games.leave = self.external_players.leave
        self.games.requires = self.arenas.requires = self.require_spec

    def close(self) -> None:
        """End the workers and the players elsewhere, and close the database."""
        # Programs are ended first, each of which may take half a second; the database last, which
        # the others may still write to.
        self.external_players.close()
        self.user_files.close()
        self.selfplay.close()
        self.modules.close()
        self.quick.close()
        self.long.close()
        self.microscope.close()
        self.arenas.close()
        self.games.close()

    async def in_worker(self, run: Callable[[Any], Answer], args: BaseModel) -> Answer:
        """Answer of a function, from a worker, in the turn of the visitor that asks (`ASKING`).

        Raises:
            BadInput: as the function, or it was stopped, or too many requests wait.
        """
        job = Job(partial(_yield_answer, run), args)
        async with aclosing(run_with_handover(self.quick, self.long, job, ASKING.get(Asker()))) as answers:
            found = [each async for each in answers]
        if not found:
            raise BadInput("It was stopped before it had an answer.")
        return found.pop()  # type: ignore[return-value]

    def allow_spec(self, spec: str) -> str:
        """The spec of a player that the page names: a harmless one, a program allowed on the command line by name, or a
        learned opponent.

        Raises:
            BadInput: no such player, or one that only the command line may name.
        """
        # A page names its player, and never sends a command.
        if found := self.programs.get(spec) or self.selfplay.players.get(spec):
            return found
        if not self.is_named(spec):
            HARMLESS.make(spec)
        return spec

    def is_named(self, spec: str) -> bool:
        """Whether a spec is of something in a file that was named on the command line."""
        # Options of the same thing may follow; the colon keeps `my.py:Nim2` from passing as
        # `my.py:Nim`.
        return any(spec == own or spec.startswith(f"{own}:") for own in self.user_files.views)

    def turn_of(self, visitor: Visitor) -> Visitor:
        """A visitor as turns count them: all connections of a person in the room at one address are one."""
        me = self.room.person_at(visitor.connection)
        # A person with five tabs has one turn, as one with one.
        return visitor._replace(connection=f"person {me}") if me else visitor

    def require_code(self) -> None:
        """Require that this server runs code of its readers, with its own rights.

        Raises:
            BadInput: it was not started so.
        """
        if not self.code:
            raise BadInput("This server runs no code of its readers; one started by plyground web --code does.")

    def require_named(self, args: BaseModel) -> None:
        """Require that user files in the arguments were named on the command line and have no fault.

        Raises:
            BadInput: it was not, or is not.
        """
        given = vars(args)
        # Fields of all operations that may name a user's code; a field of another name would not be
        # checked.
        said = (given.get(name, ()) for name in ("game", "algorithm", "algorithms", "player", "x", "o"))
        for spec in chain.from_iterable([each] if isinstance(each, str) else each for each in said):
            self.require_spec(spec)

    def require_spec(self, spec: str) -> None:
        """Require the same of one spec, and that it is no game of another library.

        Raises:
            BadInput: it was not named on the command line, or something is wrong with it.
        """
        if (
            spec.partition(":")[0].strip() in _GUEST_GAMES
        ):  # one may take all memory, or read a file, before it is refused
            raise BadInput(f"{spec!r}: games of other libraries are for commands; a server has its own and its files'.")
        # Programs and learned opponents were allowed by the command line, whatever their specs look
        # like.
        if is_own(spec) and spec not in self.programs and spec not in self.selfplay.players:
            if not self.is_named(spec):
                raise BadInput(
                    f"{spec!r}: what is in a file is named when the server starts: plyground web --game {spec}."
                )
            self.user_files.require_sound(spec)

    @contextmanager
    def admit(self, args: BaseModel, visitor: Visitor) -> Iterator[None]:
        """Context of an operation of a visitor, which holds its place in the classroom.

        Args:
            args: the arguments of the operation.
            visitor: who asks.

        Raises:
            BadInput: it brings too many people into the room.
        """
        with self.room.place(args, *visitor) if isinstance(args, Enter) else nullcontext():
            yield

    def count_game(self, visitor: Visitor) -> None:
        """Count a game that a visitor begins, with any operation.

        Raises:
            TooMany: it is one too many.
        """
        if why := self.quotas.game(*visitor):
            raise TooMany(why)

    async def _begin_room_game(self, game: str, names: tuple[str, str]) -> models.CreatedView:
        """A game between two people of the room."""
        # A spec may have blanks itself, so only a last word that is a clock is one.
        spec, blank, clock = game.rpartition(" ")
        if not (blank and re.fullmatch(models.CLOCK_PATTERN, clock)):
            spec, clock = game, ""
        self.require_spec(spec)
        made = await self.games.create(models.Create(game=spec, clock=clock))
        for side, name in zip(positions.SIDES, names, strict=True):
            await self.games.sit(models.Sit(id=made.id, seat=made.seats[side], name=name))
        return made

    async def _read_game(self, number: str) -> models.GameView:
        """A saved game."""
        return await self.games.open(models.Open(id=number))

    def _forget_old_file(self, spec: str) -> None:
        """Drop the games and modules made of a file's earlier content."""
        # Games in memory were replayed by the old rules.
        self.games.memory.forget(spec)
        if self.user_files.views[spec].kind == "game":
            self.modules.forget_modules(spec)


def _yield_answer(run: Callable[[Any], BaseModel], args: BaseModel) -> Iterator[BaseModel]:
    """Yields a function's one answer, as jobs yield theirs."""
    yield run(args)
