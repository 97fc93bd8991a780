"""The operations by name: each takes checked arguments and gives one answer, or better and better ones.

How they are asked, over HTTP or a socket, is the affair of `server.py` and `connection.py`.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, cast

from pydantic import BaseModel

from plyground.errors import BadInput
from plyground.games import GAMES
from plyground.play.referee import Resigned
from plyground.players import HARMLESS
from plyground.spec import is_own
from plyground.web import documents, lessons, models, positions, trees
from plyground.web.kept import KeptGames
from plyground.web.peers import Peers, is_elsewhere
from plyground.web.runs import Runs
from plyground.web.warming import Warming
from plyground.web.worker import Job
from plyground.web.workers import Ender, Workers

REPLIES, ANALYSES, LOOKS, WAITING = 2, 4, 1, 200
"""Workers for players' replies, for analyses and for the microscope, and how many searches may wait for one."""
WARM = [choice.name for choice in GAMES][:3]
"""Games whose search is compiled, or read from disk, before anybody asks: the first ones of the list."""
TURN = 10.0
"""Seconds after which an analysis without end makes room for the next, if all workers are busy and some wait."""


@dataclass
class House:
    """What the operations need."""

    games: KeptGames
    programs: Mapping[str, str] = field(default_factory=dict)
    """Players elsewhere that a page may choose, by name."""
    own: Sequence[str] = ()
    """Games, searches and players in files that a page may choose: those named on the command line."""
    replies: Workers = field(default_factory=lambda: Workers(REPLIES, WAITING))
    analyses: Workers = field(default_factory=lambda: Workers(ANALYSES, WAITING, gentle=True))
    looks: Workers = field(default_factory=lambda: Workers(LOOKS, WAITING))
    runs: Runs = field(default_factory=Runs)
    warming: Warming = field(default_factory=lambda: Warming(WARM))

    def __post_init__(self) -> None:
        self.peers = Peers(self.games.is_watched)

    def close(self) -> None:
        """End the workers and the players elsewhere, and close the database."""
        self.peers.close()
        self.warming.close()
        self.replies.close()
        self.analyses.close()
        self.looks.close()
        self.games.close()

    def allowed(self, spec: str) -> str:
        """The spec of a player that the page names: a harmless one, or a program allowed on the command line by name.

        Raises:
            BadInput: no such player, or one that only the command line may name.
        """
        if spec in self.programs:
            return self.programs[spec]
        if not self.is_named(spec):
            HARMLESS.named(spec)
        return spec

    def is_named(self, spec: str) -> bool:
        """Whether a spec is of something in a file that was named on the command line."""
        return any(spec == own or spec.startswith(f"{own}:") for own in self.own)

    def require_named(self, args: BaseModel) -> None:
        """That whatever a page names in a file was named on the command line: a file's code is run.

        Raises:
            BadInput: it was not.
        """
        said = (getattr(args, name, ()) for name in ("game", "algorithm", "algorithms"))
        for spec in chain.from_iterable([each] if isinstance(each, str) else each for each in said):
            if is_own(spec) and not self.is_named(spec):
                raise BadInput(f"{spec!r}: what is in a file is named when the server starts: plyground web {spec}.")


class Stop:
    """Ends one request's search with the best it has found."""

    def __init__(self) -> None:
        self.asked = False
        """Whether the search is to stop."""
        self._end: Ender | None = None

    def __call__(self) -> None:
        """Stop the search now, or as soon as it begins."""
        self.asked = True
        if self._end:
            self._end()

    def begins(self, end: Ender) -> None:
        """A worker has the search."""
        self._end = end
        if self.asked:
            end()


Answers = AsyncGenerator[BaseModel, None]
Search = Callable[[Any], Iterator[BaseModel]]
"""What a worker runs: a function of the arguments that yields the answer, or better and better ones."""


async def _reply(house: House, args: models.Reply, stop: Stop) -> Answers:
    spec = house.allowed(args.player)
    if args.id is not None:
        await house.games.require_asked(args)
    if is_elsewhere(spec):
        yield await _reply_elsewhere(house, args, spec, stop)
        return
    house.warming.ask(args.game)
    allowed = args.model_copy(update={"player": spec})
    async with aclosing(_searched(house.replies, positions.reply, allowed, stop)) as answers:
        async for answer in answers:
            yield answer


async def _reply_elsewhere(house: House, args: models.Reply, spec: str, stop: Stop) -> BaseModel:
    """The move of a program or peer. It cannot be stopped; whoever stops waiting is answered when asking again."""
    here = positions.position_at(args)
    positions.require_unfinished(here)
    seat = None if args.id is None else (args.id, here.to_move)
    asked = asyncio.ensure_future(house.peers.reply(args.player, spec, here, seat))
    stop.begins(lambda: cast(None, asked.cancel()))
    try:
        move = await asked
    except Resigned:
        if args.id is None:
            raise BadInput(f"{args.player} resigns.") from None
        await house.games.resigned(args.id)
        return models.ReplyView(move=None, report=None)
    except asyncio.CancelledError:
        if stop.asked:
            raise BadInput(f"{args.player} still thinks, and cannot be stopped: it has made no move.") from None
        raise
    finally:
        asked.cancel()
    return models.ReplyView(move=here.game.move_text(here.state, move), report=None)


async def _study(house: House, args: models.At, stop: Stop) -> Answers:
    positions.position_at(args)
    house.warming.ask(args.game)
    deepest = 0
    async with aclosing(house.analyses.run_on(Job(positions.study, args, endless=True), stop.begins, TURN)) as reports:
        async for report in reports:
            assert isinstance(report, models.ReportView)
            if report.depth >= deepest:  # begun again, it finds anew what has been told already
                deepest = report.depth
                yield report


async def _searched(workers: Workers, run: Search, args: BaseModel, stop: Stop) -> Answers:
    """A worker's answers. Arguments are read here first, so that what is wrong is said without waiting."""
    if isinstance(args, models.At):
        positions.position_at(args)
    async with aclosing(workers.run(Job(run, args), stop.begins)) as parts:
        async for part in parts:
            yield part


def _analysed(search: Search) -> Any:
    """An analysis: a stream, to which each part adds."""

    def run(house: House, args: BaseModel, stop: Stop) -> Answers:
        return _searched(house.analyses, search, args, stop)

    return run


def _watched(search: Search) -> Any:
    """An operation of the microscope that is a stream."""

    def run(house: House, args: BaseModel, stop: Stop) -> Answers:
        return _searched(house.looks, search, args, stop)

    return run


def _looked(search: Search) -> Any:
    """An operation of the microscope that has one answer."""

    async def run(house: House, args: BaseModel) -> BaseModel:
        async with aclosing(_searched(house.looks, search, args, Stop())) as answers:
            return [answer async for answer in answers].pop()

    return run


async def _follow(house: House, args: models.Open, stop: Stop) -> Answers:
    async with aclosing(house.games.follow(args)) as views:
        async for view in views:
            yield view


def _lesson_run(house: House, args: documents.LessonRun, stop: Stop) -> Answers:
    lesson = lessons.lesson(args.lesson)
    return house.runs.run(lesson.example(args.number), lesson.files, stop.begins)


async def _menu(house: House, args: models.Nothing) -> BaseModel:
    return positions.menu(tuple(house.programs), house.own)


async def _create(house: House, args: models.Create) -> BaseModel:
    for seat in (args.x, args.o):
        if seat != "human":
            house.allowed(seat)
    return await house.games.create(args)


async def _undo(house: House, args: models.Undo) -> BaseModel:
    return await house.games.undo(args, house.peers.take_back)


async def _delete(house: House, args: models.Delete) -> BaseModel:
    done = await house.games.delete(args)
    await house.peers.leave(args.id)
    return done


def _pure(operation: Callable[[Any], BaseModel]) -> Any:
    """An operation that needs nothing but its arguments."""

    async def run(house: House, args: Any) -> BaseModel:
        return operation(args)

    return run


def _kept(operation: Callable[[KeptGames, Any], Awaitable[BaseModel]]) -> Any:
    """An operation on kept games."""

    async def run(house: House, args: Any) -> BaseModel:
        return await operation(house.games, args)

    return run


@dataclass(frozen=True)
class Operation:
    """An operation: what it takes, what it answers, and a line about it for people."""

    name: str
    run: Any
    """Takes a house and the arguments, a stream also what stops it."""
    args: type[BaseModel]
    answer: type[BaseModel]
    summary: str
    stream: bool = False
    """Whether it gives better and better answers, the last of which counts; a WebSocket gets them all."""

    async def answers(self, house: House, args: BaseModel, stop: Stop) -> Answers:
        """The answer, or every one of a stream."""
        house.require_named(args)
        if not self.stream:
            yield await self.run(house, args)
            return
        async with aclosing(self.run(house, args, stop)) as answers:
            async for answer in answers:
                yield answer


OPERATIONS = [
    Operation("menu", _menu, models.Nothing, models.MenuView, "The games and players there are"),
    Operation("board", _pure(positions.board), models.Named, models.BoardView, "A game's board, which does not change"),
    Operation("position", _pure(positions.position), models.At, models.PositionView, "A position to draw"),
    Operation(
        "edit", _pure(positions.edit), models.Edit, models.PositionView, "The position or game that a text means"
    ),
    Operation("reply", _reply, models.Reply, models.ReplyView, "A player's move", stream=True),
    Operation(
        "analyse",
        _analysed(positions.analyse),
        models.Analyse,
        models.ReportView,
        "The value of every move",
        stream=True,
    ),
    Operation(
        "review",
        _analysed(positions.review),
        models.Review,
        models.ReviewView,
        "The value of every position",
        stream=True,
    ),
    Operation("tree", _looked(trees.tree), trees.Recorded, trees.TreeView, "A search, recorded"),
    Operation("node", _looked(trees.node), trees.Node, trees.NodeView, "Why a node is worth what it is"),
    Operation("boards", _looked(trees.boards), trees.Boards, trees.BoardsView, "The positions of some nodes"),
    Operation("saved", _looked(trees.saved), trees.Node, trees.SavedView, "How many nodes a cut saved"),
    Operation("tree_file", _looked(trees.tree_file), trees.File, trees.FileView, "A recorded search as a file"),
    Operation("race", _watched(trees.race), trees.Race, trees.RaceView, "Algorithms side by side", stream=True),
    Operation("quiz", _looked(trees.quiz), trees.Quiz, trees.QuizView, "Questions about searches"),
    Operation("mark", _looked(trees.mark), trees.Mark, trees.MarkView, "Whether an answer is right, and why"),
    Operation("sheet", _looked(trees.sheet), trees.Sheet, trees.FileView, "A quiz as a worksheet"),
    Operation("create", _create, models.Create, models.CreatedView, "Keep a new game"),
    Operation("open", _kept(KeptGames.open), models.Open, models.GameView, "A kept game as it stands"),
    Operation("play", _kept(KeptGames.play), models.Play, models.GameView, "Make a move in a kept game"),
    Operation("undo", _undo, models.Undo, models.GameView, "Take plies of a kept game back"),
    Operation("resign", _kept(KeptGames.resign), models.Resign, models.GameView, "Give a kept game up"),
    Operation("games", _kept(KeptGames.page), models.Games, models.GamesView, "The kept games, newest first"),
    Operation("export", _kept(KeptGames.export), models.Open, models.ExportView, "A kept game as JSON lines"),
    Operation("delete", _delete, models.Delete, models.DoneView, "Delete a kept game"),
    Operation("lesson", _pure(lessons.view), documents.Lesson, documents.LessonView, "A lesson to read"),
    Operation(
        "lesson_run", _lesson_run, documents.LessonRun, documents.OutputView, "Run a lesson's example", stream=True
    ),
]
FOLLOW = Operation("follow", _follow, models.Open, models.GameView, "A kept game whenever it changes", stream=True)
STUDY = Operation("study", _study, models.At, models.ReportView, "The value of every move, till certain", stream=True)
"""These two may never end by themselves, so they are offered on WebSockets only, which can be left."""
BY_NAME = {operation.name: operation for operation in [*OPERATIONS, FOLLOW, STUDY]}
