"""The operations by name: each takes checked arguments and gives one answer, or better and better ones.

How they are asked, over HTTP or a socket, is the affair of `server.py` and `connection.py`.
"""

from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from typing import Any

from pydantic import BaseModel

from plyground.errors import BadInput
from plyground.play.notations import named_in
from plyground.web import analysing, choices, contests, documents, lessons, models, people, positions, thinking, trees
from plyground.web.arenas import KeptArenas
from plyground.web.house import House
from plyground.web.kept import KeptGames
from plyground.web.qr import qr
from plyground.web.queue import Asker
from plyground.web.room import Room
from plyground.web.thinking import Answers


async def _edit(house: House, args: models.Edit, asker: Asker) -> BaseModel:
    if (named := named_in(args.text)) is not None:
        house.require_named(models.Named(game=named))
    return positions.edit(args)


async def _follow(house: House, args: models.Follow, asker: Asker) -> Answers:
    async with aclosing(house.games.follow(args)) as views:
        async for view in views:
            yield view


async def _menu(house: House, args: models.Nothing, asker: Asker) -> BaseModel:
    found = positions.menu(tuple(house.programs), tuple(house.own.views.values()))
    return found.model_copy(update={"addresses": house.addresses(), "room": house.room.is_open})


async def _qr(house: House, args: choices.Drawn, asker: Asker) -> BaseModel:
    return qr(args)


async def _room(house: House, args: people.Enter, asker: Asker) -> Answers:
    async with aclosing(house.room.follow(args)) as views:
        async for view in views:
            yield view


def _in_room(operation: Callable[[Room, Any], Awaitable[BaseModel]]) -> Any:
    """An operation on the room."""

    async def run(house: House, args: Any, asker: Asker) -> BaseModel:
        return await operation(house.room, args)

    return run


async def _own(house: House, args: models.Nothing, asker: Asker) -> Answers:
    async with aclosing(house.own.follow()) as views:
        async for view in views:
            yield view


async def _module(house: House, args: models.Named, asker: Asker) -> BaseModel:
    return models.ModuleView(path=f"/modules/{(await house.warming.module(args.game)).name}.wasm")


async def _create(house: House, args: models.Create, asker: Asker) -> BaseModel:
    for seat in (args.x, args.o):
        if seat != "human":
            house.allowed(seat)
    house.count_game(asker.visitor)
    return await house.games.create(args)


async def _offer(house: House, args: models.Offer, asker: Asker) -> BaseModel:
    return await house.games.offer(args, lambda: house.count_game(asker.visitor))


async def _challenge(house: House, args: people.Challenge, asker: Asker) -> BaseModel:
    return await house.room.challenge(args, lambda: house.count_game(asker.visitor))


async def _undo(house: House, args: models.Undo, asker: Asker) -> BaseModel:
    return await house.games.undo(args, house.peers.take_back)


def _pure(operation: Callable[[Any], BaseModel]) -> Any:
    """An operation that needs nothing but its arguments."""

    async def run(house: House, args: Any, asker: Asker) -> BaseModel:
        return operation(args)

    return run


def _kept(operation: Callable[[KeptGames, Any], Awaitable[BaseModel]]) -> Any:
    """An operation on kept games."""

    async def run(house: House, args: Any, asker: Asker) -> BaseModel:
        return await operation(house.games, args)

    return run


def _arena(operation: Callable[[KeptArenas, Any], Awaitable[BaseModel]]) -> Any:
    """An operation on arenas."""

    async def run(house: House, args: Any, asker: Asker) -> BaseModel:
        return await operation(house.arenas, args)

    return run


async def _arena_live(house: House, args: contests.Arena, asker: Asker) -> Answers:
    async with aclosing(house.arenas.follow(args)) as views:
        async for view in views:
            yield view


@dataclass(frozen=True)
class Operation:
    """An operation: what it takes, what it answers, and a line about it for people."""

    name: str
    run: Any
    """Takes a house, the arguments and the asker."""
    args: type[BaseModel]
    answer: type[BaseModel]
    summary: str
    stream: bool = False
    """Whether it gives better and better answers, the last of which counts; a WebSocket gets them all."""

    in_exam: bool = False
    """Whether it is allowed while an exam is on in the room: its answer shows no values and no good moves."""

    async def answers(self, house: House, args: BaseModel, asker: Asker) -> Answers:
        """The answer, or all answers of a stream; the stream ends when an exam begins that forbids the operation."""
        house.require_named(args)
        self.require_allowed(house)
        if not self.stream:
            answer = await self.run(house, args, asker)
            self.require_allowed(house)
            yield answer
            return
        async with aclosing(self.run(house, args, asker)) as answers:
            async for answer in answers:
                self.require_allowed(house)
                yield answer
        self.require_allowed(house)

    def require_allowed(self, house: House) -> None:
        """That no exam forbids it.

        Raises:
            BadInput: one does.
        """
        if house.room.exam and not self.in_exam:
            raise BadInput(f"An exam is on in the room: until it ends, {self.name} is not allowed.")


in_exam_too = partial(Operation, in_exam=True)
"""An operation that is allowed in an exam, because it is needed to play."""
OPERATIONS = [
    in_exam_too("menu", _menu, models.Nothing, choices.MenuView, "The games and players there are"),
    in_exam_too(
        "board", _pure(positions.board), models.Named, models.BoardView, "A game's board, which does not change"
    ),
    in_exam_too("position", _pure(positions.position), models.At, models.PositionView, "A position to draw"),
    in_exam_too("edit", _edit, models.Edit, models.PositionView, "The position or game that a text means"),
    in_exam_too("reply", thinking.reply, models.Reply, models.ReplyView, "A player's move", stream=True),
    Operation(
        "analyse",
        thinking.analyse,
        models.Analyse,
        models.ReportView,
        "The value of every move",
        stream=True,
    ),
    Operation(
        "review",
        thinking.review,
        models.Review,
        models.ReviewView,
        "The value of every position",
        stream=True,
    ),
    Operation(
        "judge",
        thinking.judge,
        analysing.Judge,
        analysing.JudgeView,
        "Whether a move is right: an exercise",
        stream=True,
    ),
    Operation(
        "explore", thinking.explore, models.At, analysing.ExplorerView, "What each move is worth, and who played it"
    ),
    in_exam_too("notations", _pure(analysing.notations), models.At, analysing.FormsView, "A game in other notations"),
    Operation("tree", thinking.looked(trees.tree), trees.Recorded, trees.TreeView, "A search, recorded"),
    Operation("node", thinking.looked(trees.node), trees.Node, trees.NodeView, "Why a node is worth what it is"),
    Operation("boards", thinking.looked(trees.boards), trees.Boards, trees.BoardsView, "The positions of some nodes"),
    Operation("saved", thinking.looked(trees.saved), trees.Node, trees.SavedView, "How many nodes a cut saved"),
    Operation("tree_file", thinking.looked(trees.tree_file), trees.File, trees.FileView, "A recorded search as a file"),
    Operation("race", thinking.race, trees.Race, trees.RaceView, "Algorithms side by side", stream=True),
    Operation("quiz", thinking.looked(trees.quiz), trees.Quiz, trees.QuizView, "Questions about searches"),
    Operation("mark", thinking.looked(trees.mark), trees.Mark, trees.MarkView, "Whether an answer is right, and why"),
    Operation("sheet", thinking.looked(trees.sheet), trees.Sheet, trees.FileView, "A quiz as a worksheet"),
    in_exam_too("create", _create, models.Create, models.CreatedView, "Keep a new game"),
    in_exam_too("open", _kept(KeptGames.open), models.Open, models.GameView, "A kept game as it stands"),
    in_exam_too("play", _kept(KeptGames.play), models.Play, models.GameView, "Make a move in a kept game"),
    in_exam_too("undo", _undo, models.Undo, models.GameView, "Take plies of a kept game back"),
    in_exam_too("sit", _kept(KeptGames.sit), models.Sit, models.GameView, "Take a seat of a kept game, under a name"),
    in_exam_too("offer", _offer, models.Offer, models.GameView, "Offer a take-back, a draw, a rematch"),
    in_exam_too("resign", _kept(KeptGames.resign), models.Resign, models.GameView, "Give a kept game up"),
    in_exam_too("games", _kept(KeptGames.page), models.Games, models.GamesView, "The kept games, newest first"),
    in_exam_too("export", _kept(KeptGames.export), models.Open, models.ExportView, "A kept game as JSON lines"),
    in_exam_too("delete", _kept(KeptGames.delete), models.Delete, models.DoneView, "Delete a kept game"),
    Operation("arenas", _arena(KeptArenas.page), contests.Arenas, contests.ArenasView, "The arenas, newest first"),
    Operation("arena", _arena(KeptArenas.open), contests.Arena, contests.ArenaView, "An arena as it stands"),
    Operation(
        "arena_games",
        _arena(KeptArenas.games),
        contests.ArenaGames,
        contests.ArenaGamesView,
        "Games of an arena, and blunders",
    ),
    in_exam_too("qr", _qr, choices.Drawn, choices.QrView, "A text as a QR code"),
    in_exam_too("challenge", _challenge, people.Challenge, models.DoneView, "Ask for a game in the room"),
    in_exam_too("show", _in_room(Room.show), people.Show, models.DoneView, "Show everybody in the room a page"),
    in_exam_too("remove", _in_room(Room.remove), people.Remove, models.DoneView, "Take somebody out of the room"),
    in_exam_too("lesson", _pure(lessons.view), documents.Lesson, documents.LessonView, "A lesson to read"),
    Operation(
        "lesson_run",
        thinking.lesson_run,
        documents.LessonRun,
        documents.OutputView,
        "Run a lesson's example",
        stream=True,
    ),
]
FOLLOW = in_exam_too("follow", _follow, models.Follow, models.GameView, "A kept game whenever it changes", stream=True)
STUDY = Operation(
    "study", thinking.study, models.At, models.ReportView, "The value of every move, till certain", stream=True
)
OWN = in_exam_too(
    "own", _own, models.Nothing, choices.OwnsView, "Files of one's own, whenever one is saved", stream=True
)
ARENA = Operation(
    "arena_live", _arena_live, contests.Arena, contests.ArenaView, "An arena whenever it changes", stream=True
)
ROOM = in_exam_too("room", _room, people.Enter, people.RoomView, "Who is here, and what is shown to all", stream=True)
MODULE = Operation("module", _module, models.Named, models.ModuleView, "A game's module, once it is built")
"""These may go on for ever, or wait for all others, so they are offered on WebSockets only, which can be left."""
BY_NAME = {operation.name: operation for operation in [*OPERATIONS, FOLLOW, STUDY, OWN, ARENA, ROOM, MODULE]}
