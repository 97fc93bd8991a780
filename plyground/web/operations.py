"""The operations by name: each takes checked arguments and gives one answer, or better and better ones.

How they are asked, over HTTP or a socket, is the affair of `server.py` and `connection.py`.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, cast

from pydantic import BaseModel

from plyground.errors import BadInput
from plyground.play.notations import named_in
from plyground.play.referee import Resigned
from plyground.position import Position
from plyground.web import analysing, choices, contests, documents, lessons, models, people, positions, trees
from plyground.web.arenas import KeptArenas
from plyground.web.house import House
from plyground.web.kept import KeptGames
from plyground.web.peers import is_elsewhere
from plyground.web.qr import qr
from plyground.web.room import Room
from plyground.web.solved import AT_A_TIME, LOOKED_THROUGH, Solved
from plyground.web.store import Store
from plyground.web.worker import Job
from plyground.web.workers import Stop, Workers

TELLING = (
    "analyse",
    "study",
    "review",
    "judge",
    "explore",
    "tree",
    "node",
    "saved",
    "tree_file",
    "race",
    "arena_games",
    "module",
)
"""Operations that tell what moves are worth, which an exam in the room forbids."""
TURN = 10.0
"""Seconds after which an analysis without end makes room for the next, if all workers are busy and some wait."""


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
            yield answer.model_copy(update={"report": None}) if house.room.exam else answer


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
    here = positions.position_at(args)
    if found := await _solved_before(house, here):
        yield found
        return
    house.warming.ask(args.game)
    deepest = 0
    async with aclosing(house.analyses.run_on(Job(positions.study, args, endless=True), stop.begins, TURN)) as reports:
        async for report in reports:
            assert isinstance(report, models.ReportView)
            if report.depth >= deepest:  # begun again, it finds anew what has been told already
                deepest = report.depth
                yield report
                await _kept_for_good(house, here, report)


async def _solved_before(house: House, here: Position) -> models.ReportView | None:
    """What an analysis found for certain of a position, whoever asked for it."""
    return await house.games.beside(lambda store: Solved(store).find(here))


async def _kept_for_good(house: House, here: Position, report: models.ReportView) -> None:
    """Keep what an analysis has found, if it is certain, for the next who asks."""
    if report.certain and not report.source:
        await house.games.store_beside(lambda store: Solved(store).keep(here, report))


async def _analyse(house: House, args: models.Analyse, stop: Stop) -> Answers:
    here = positions.position_at(args)
    if args.depth is None and (found := await _solved_before(house, here)):
        yield found
        return
    async with aclosing(_searched(house.analyses, positions.analyse, args, stop)) as reports:
        async for report in reports:
            yield report
            assert isinstance(report, models.ReportView)
            await _kept_for_good(house, here, report)


async def _review(house: House, args: models.Review, stop: Stop) -> Answers:
    end = positions.position_at(args)
    known = await house.games.beside(lambda store: Solved(store).of_game(end))
    reviewed = positions.Reviewed(**args.model_dump(), known=known)
    async with aclosing(_searched(house.analyses, positions.review, reviewed, stop)) as parts:
        async for part in parts:
            yield part


async def _judge(house: House, args: analysing.Judge, stop: Stop) -> Answers:
    here = positions.position_at(args)
    positions.require_unfinished(here)
    meant = here.game.move_text(here.state, here.legal(args.move))
    told = False
    for seconds in (args.opinion, args.seconds):
        asked = models.Analyse(game=args.game, start=args.start, moves=args.moves, seconds=seconds)
        async with aclosing(_analyse(house, asked, stop)) as reports:
            report = [each async for each in reports][-1]
        assert isinstance(report, models.ReportView)
        if meant not in report.moves:
            continue
        judged, told = analysing.judge(here, report, args.move), True
        yield judged
        if judged.certain or stop.asked:
            return
    if not told:
        raise BadInput(f"There was no time to look at {meant}: allow it more seconds.")


async def _explore(house: House, args: models.At) -> BaseModel:
    here = positions.position_at(args)

    def ask(store: Store) -> BaseModel:
        scores, source = Solved(store).scores(here)
        counts, games = house.played.counts(args.game, here)
        return analysing.explored(here, scores, counts, games, source)

    for _ in range(LOOKED_THROUGH // AT_A_TIME):
        if not await house.games.beside(lambda store: house.played.read(store, args.game)):
            break
    return await house.games.beside(ask)


async def _edit(house: House, args: models.Edit) -> BaseModel:
    if (named := named_in(args.text)) is not None:
        house.require_named(models.Named(game=named))
    return positions.edit(args)


async def _searched(workers: Workers, run: Search, args: BaseModel, stop: Stop) -> Answers:
    """A worker's answers. Arguments are read here first, so that what is wrong is said without waiting."""
    if isinstance(args, models.At):
        positions.position_at(args)
    async with aclosing(workers.run(Job(run, args), stop.begins)) as parts:
        async for part in parts:
            yield part


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


async def _follow(house: House, args: models.Follow, stop: Stop) -> Answers:
    async with aclosing(house.games.follow(args)) as views:
        async for view in views:
            yield view


def _lesson_run(house: House, args: documents.LessonRun, stop: Stop) -> Answers:
    lesson = lessons.lesson(args.lesson)
    return house.runs.run(lesson.example(args.number), lesson.files, stop.begins)


async def _menu(house: House, args: models.Nothing) -> BaseModel:
    found = positions.menu(tuple(house.programs), tuple(house.own.views.values()))
    return found.model_copy(update={"addresses": house.addresses(), "room": house.room.is_open})


async def _qr(house: House, args: choices.Drawn) -> BaseModel:
    return qr(args)


async def _room(house: House, args: people.Enter, stop: Stop) -> Answers:
    async with aclosing(house.room.follow(args)) as views:
        async for view in views:
            yield view


def _in_room(operation: Callable[[Room, Any], Awaitable[BaseModel]]) -> Any:
    """An operation on the room."""

    async def run(house: House, args: Any) -> BaseModel:
        return await operation(house.room, args)

    return run


async def _own(house: House, args: models.Nothing, stop: Stop) -> Answers:
    async with aclosing(house.own.follow()) as views:
        async for view in views:
            yield view


async def _module(house: House, args: models.Named) -> BaseModel:
    return models.ModuleView(path=f"/modules/{(await house.warming.module(args.game)).name}.wasm")


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


def _arena(operation: Callable[[KeptArenas, Any], Awaitable[BaseModel]]) -> Any:
    """An operation on arenas."""

    async def run(house: House, args: Any) -> BaseModel:
        return await operation(house.arenas, args)

    return run


async def _arena_live(house: House, args: contests.Arena, stop: Stop) -> Answers:
    async with aclosing(house.arenas.follow(args)) as views:
        async for view in views:
            yield view


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
        if self.name in TELLING and house.room.exam:
            raise BadInput("An exam is on in the room: until it ends, values are told to nobody.")
        if not self.stream:
            yield await self.run(house, args)
            return
        async with aclosing(self.run(house, args, stop)) as answers:
            async for answer in answers:
                yield answer


OPERATIONS = [
    Operation("menu", _menu, models.Nothing, choices.MenuView, "The games and players there are"),
    Operation("board", _pure(positions.board), models.Named, models.BoardView, "A game's board, which does not change"),
    Operation("position", _pure(positions.position), models.At, models.PositionView, "A position to draw"),
    Operation("edit", _edit, models.Edit, models.PositionView, "The position or game that a text means"),
    Operation("reply", _reply, models.Reply, models.ReplyView, "A player's move", stream=True),
    Operation("analyse", _analyse, models.Analyse, models.ReportView, "The value of every move", stream=True),
    Operation(
        "review",
        _review,
        models.Review,
        models.ReviewView,
        "The value of every position",
        stream=True,
    ),
    Operation(
        "judge", _judge, analysing.Judge, analysing.JudgeView, "Whether a move is right: an exercise", stream=True
    ),
    Operation("explore", _explore, models.At, analysing.ExplorerView, "What each move is worth, and who played it"),
    Operation("notations", _pure(analysing.notations), models.At, analysing.FormsView, "A game in other notations"),
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
    Operation("sit", _kept(KeptGames.sit), models.Sit, models.GameView, "Take a seat of a kept game, under a name"),
    Operation("offer", _kept(KeptGames.offer), models.Offer, models.GameView, "Offer a take-back, a draw, a rematch"),
    Operation("resign", _kept(KeptGames.resign), models.Resign, models.GameView, "Give a kept game up"),
    Operation("games", _kept(KeptGames.page), models.Games, models.GamesView, "The kept games, newest first"),
    Operation("export", _kept(KeptGames.export), models.Open, models.ExportView, "A kept game as JSON lines"),
    Operation("delete", _delete, models.Delete, models.DoneView, "Delete a kept game"),
    Operation("arenas", _arena(KeptArenas.page), contests.Arenas, contests.ArenasView, "The arenas, newest first"),
    Operation("arena", _arena(KeptArenas.open), contests.Arena, contests.ArenaView, "An arena as it stands"),
    Operation(
        "arena_games",
        _arena(KeptArenas.games),
        contests.ArenaGames,
        contests.ArenaGamesView,
        "Games of an arena, and blunders",
    ),
    Operation("qr", _qr, choices.Drawn, choices.QrView, "A text as a QR code"),
    Operation("challenge", _in_room(Room.challenge), people.Challenge, models.DoneView, "Ask for a game in the room"),
    Operation("show", _in_room(Room.show), people.Show, models.DoneView, "Show everybody in the room a page"),
    Operation("remove", _in_room(Room.remove), people.Remove, models.DoneView, "Take somebody out of the room"),
    Operation("lesson", _pure(lessons.view), documents.Lesson, documents.LessonView, "A lesson to read"),
    Operation(
        "lesson_run", _lesson_run, documents.LessonRun, documents.OutputView, "Run a lesson's example", stream=True
    ),
]
FOLLOW = Operation("follow", _follow, models.Follow, models.GameView, "A kept game whenever it changes", stream=True)
STUDY = Operation("study", _study, models.At, models.ReportView, "The value of every move, till certain", stream=True)
OWN = Operation("own", _own, models.Nothing, choices.OwnsView, "Files of one's own, whenever one is saved", stream=True)
ARENA = Operation(
    "arena_live", _arena_live, contests.Arena, contests.ArenaView, "An arena whenever it changes", stream=True
)
ROOM = Operation("room", _room, people.Enter, people.RoomView, "Who is here, and what is shown to all", stream=True)
MODULE = Operation("module", _module, models.Named, models.ModuleView, "A game's module, once it is built")
"""These may go on for ever, or wait for all others, so they are offered on WebSockets only, which can be left."""
BY_NAME = {operation.name: operation for operation in [*OPERATIONS, FOLLOW, STUDY, OWN, ARENA, ROOM, MODULE]}
