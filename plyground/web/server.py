"""The server: the operations over HTTP and WebSocket, and the page's own files.

The server keeps no session: a position is in its link, a kept game in the database. So a restart loses nothing.
"""

import asyncio
import json
import mimetypes
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, WebSocket, WebSocketDisconnect
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, ValidationError

from plyground.errors import BadInput
from plyground.games import GAMES
from plyground.players import HARMLESS
from plyground.spec import build
from plyground.web import kept, lessons, microscope, models, ops
from plyground.web.guard import BURST, RATE, Bucket, Guard
from plyground.web.kept import KeptGames
from plyground.web.runs import Runs
from plyground.web.store import Store, Unstored
from plyground.web.workers import Ender, Job, WorkerDied, Workers

mimetypes.add_type("text/javascript", ".js")  # Windows may know it as text/plain, which a browser would not run
STATIC = Path(__file__).parent / "static"
LONGEST = 60.0
"""Seconds after which the server stops any search."""
REPLIES, ANALYSES, LOOKS, WAITING = 2, 1, 1, 200
"""Workers for players' replies, for analyses and for the microscope, and how many searches may wait for one."""
AT_ONCE = 32
"""Requests of one WebSocket that may be under way."""
HEAD_START = 0.6
"""Seconds that the first page has for itself before searches are compiled or read."""
WARM = [choice.name for choice in GAMES][:3]
"""Games whose search is compiled, or read from disk, before anybody asks: the first ones of the list."""


@dataclass
class House:
    """What the operations need."""

    games: KeptGames
    programs: Mapping[str, str] = field(default_factory=dict)
    replies: Workers = field(default_factory=lambda: Workers(REPLIES, WAITING))
    analyses: Workers = field(default_factory=lambda: Workers(ANALYSES, WAITING))
    looks: Workers = field(default_factory=lambda: Workers(LOOKS, WAITING))
    runs: Runs = field(default_factory=Runs)

    def close(self) -> None:
        """End the workers and close the database."""
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
        build(spec, HARMLESS, "player")
        return spec


class Stop:
    """Ends one request's search with the best it has found."""

    def __init__(self) -> None:
        self._asked = False
        self._end: Ender | None = None

    def __call__(self) -> None:
        """Stop the search now, or as soon as it begins."""
        self._asked = True
        if self._end:
            self._end()

    def begins(self, end: Ender) -> None:
        """A worker has the search."""
        self._end = end
        if self._asked:
            end()


Answers = AsyncGenerator[BaseModel, None]


def _reply(house: House, args: models.Reply, stop: Stop) -> Answers:
    allowed = args.model_copy(update={"player": house.allowed(args.player)})
    return _searched(house.replies, "reply", allowed, stop)


def _analyse(house: House, args: models.Analyse, stop: Stop) -> Answers:
    return _searched(house.analyses, "analyse", args, stop)


def _review(house: House, args: models.Review, stop: Stop) -> Answers:
    return _searched(house.analyses, "review", args, stop)


def _race(house: House, args: microscope.Race, stop: Stop) -> Answers:
    return _searched(house.looks, "race", args, stop)


async def _searched(workers: Workers, name: str, args: BaseModel, stop: Stop) -> Answers:
    """A worker's answers. Arguments are read here first, so that what is wrong is said without waiting."""
    if isinstance(args, models.At):
        ops.position_at(args)
    timer = asyncio.get_running_loop().call_later(LONGEST, stop)
    try:
        async with aclosing(workers.run(Job(name, args), stop.begins)) as parts:
            async for part in parts:
                yield part
    finally:
        timer.cancel()


def _looked(name: str) -> Any:
    """An operation of the microscope, which has one answer."""

    async def run(house: House, args: BaseModel) -> BaseModel:
        async with aclosing(_searched(house.looks, name, args, Stop())) as answers:
            found = [answer async for answer in answers]
        if not found:
            raise BadInput(f"This takes longer than {LONGEST:g} seconds: ask for a smaller depth.")
        return found[0]

    return run


async def _follow(house: House, args: models.Open, stop: Stop) -> Answers:
    async with aclosing(house.games.follow(args)) as views:
        async for view in views:
            yield view


def _lesson_run(house: House, args: models.LessonRun, stop: Stop) -> Answers:
    lesson = lessons.lesson(args.lesson)
    return house.runs.run(lesson.example(args.number), lesson.files, stop.begins)


async def _menu(house: House, args: models.Nothing) -> BaseModel:
    return ops.menu(tuple(house.programs))


async def _create(house: House, args: models.Create) -> BaseModel:
    for seat in (args.x, args.o):
        if seat != "human":
            house.allowed(seat)
    return await house.games.create(args)


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
        if not self.stream:
            yield await self.run(house, args)
            return
        async with aclosing(self.run(house, args, stop)) as answers:
            async for answer in answers:
                yield answer


OPERATIONS = [
    Operation("menu", _menu, models.Nothing, models.MenuView, "The games and players there are"),
    Operation("position", _pure(ops.position), models.At, models.PositionView, "A position to draw"),
    Operation("edit", _pure(ops.edit), models.Edit, models.PositionView, "The position or game that a text means"),
    Operation("reply", _reply, models.Reply, models.ReplyView, "A player's move", stream=True),
    Operation("analyse", _analyse, models.Analyse, models.ReportView, "The value of every move", stream=True),
    Operation("review", _review, models.Review, models.ReviewView, "The value of every position", stream=True),
    Operation("tree", _looked("tree"), microscope.Recorded, microscope.TreeView, "A search, recorded"),
    Operation("node", _looked("node"), microscope.Node, microscope.NodeView, "Why a node is worth what it is"),
    Operation("saved", _looked("saved"), microscope.Node, microscope.SavedView, "How many nodes a cut saved"),
    Operation("tree_file", _looked("tree_file"), microscope.File, microscope.FileView, "A recorded search as a file"),
    Operation("race", _race, microscope.Race, microscope.RaceView, "Algorithms side by side", stream=True),
    Operation("quiz", _looked("quiz"), microscope.Quiz, microscope.QuizView, "Questions about searches"),
    Operation("mark", _looked("mark"), microscope.Mark, microscope.MarkView, "Whether an answer is right, and why"),
    Operation("sheet", _looked("sheet"), microscope.Sheet, microscope.FileView, "A quiz as a worksheet"),
    Operation("create", _create, models.Create, models.CreatedView, "Keep a new game"),
    Operation("open", _kept(KeptGames.open), models.Open, models.GameView, "A kept game as it stands"),
    Operation("play", _kept(KeptGames.play), models.Play, models.GameView, "Make a move in a kept game"),
    Operation("undo", _kept(KeptGames.undo), models.Undo, models.GameView, "Take plies of a kept game back"),
    Operation("resign", _kept(KeptGames.resign), models.Resign, models.GameView, "Give a kept game up"),
    Operation("games", _kept(KeptGames.page), models.Games, models.GamesView, "The kept games, newest first"),
    Operation("export", _kept(KeptGames.export), models.Open, models.ExportView, "A kept game as JSON lines"),
    Operation("delete", _kept(KeptGames.delete), models.Delete, models.DoneView, "Delete a kept game"),
    Operation("lesson", _pure(lessons.view), models.Lesson, models.LessonView, "A lesson to read"),
    Operation("lesson_run", _lesson_run, models.LessonRun, models.OutputView, "Run a lesson's example", stream=True),
]
FOLLOW = Operation("follow", _follow, models.Open, models.GameView, "A kept game whenever it changes", stream=True)
"""Never ends by itself, so it is offered on WebSockets only."""
BY_NAME = {operation.name: operation for operation in [*OPERATIONS, FOLLOW]}


# -- what is wrong, in a sentence --------------------------------------------------------------------------------------


def status_of(fault: Exception) -> int:
    """The HTTP status of a fault that is said in a sentence; 500 for one that should not be."""
    kinds: list[tuple[type[Exception], int]] = [
        (kept.NotFound, 404),
        (lessons.NoLesson, 404),
        (kept.NotYours, 403),
        (kept.TooLate, 409),
        (BadInput, 400),
        (ValidationError, 422),
        (RequestValidationError, 422),
        (Unstored, 503),
        (WorkerDied, 503),
    ]
    return next((status for kind, status in kinds if isinstance(fault, kind)), 500)


def sentence_of(fault: Exception) -> str:
    """The fault in a sentence for people."""
    if isinstance(fault, ValidationError | RequestValidationError):
        first = fault.errors()[0]
        where = ".".join(str(part) for part in first["loc"] if part != "body") or "the arguments"
        return f"{where}: {first['msg']}."
    return str(fault) if status_of(fault) != 500 else "The server failed at this; its log says why."


# -- the app -----------------------------------------------------------------------------------------------------------


def make_app(database: str, names: frozenset[str], programs: Mapping[str, str] | None = None) -> FastAPI:
    """The server as an ASGI app.

    Args:
        database: SQLAlchemy's URL of the database of kept games.
        names: the host names by which it may be called.
        programs: players that the page may choose by name, with their specs.

    Raises:
        BadInput: the database cannot be used.
    """
    store = Store(database)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.house = House(KeptGames(store), programs or {})
        warming = asyncio.create_task(_warm(app.state.house.replies))
        try:
            yield
        finally:
            warming.cancel()
            app.state.house.close()

    app = FastAPI(title="plyground", summary="Two-player games of perfect information.", lifespan=lifespan)
    for operation in OPERATIONS:
        _add_route(app, operation)
    app.add_api_websocket_route("/api/socket", socket)
    app.add_middleware(Guard, names=names)
    for kind in (BadInput, Unstored, WorkerDied, RequestValidationError):
        app.add_exception_handler(kind, _refuse)
    app.mount("/lessons", StaticFiles(directory=lessons.FOLDER), name="lessons")  # their pictures
    app.mount("/", StaticFiles(directory=STATIC, html=True), name="page")
    return app


async def _warm(workers: Workers) -> None:
    """Compile searches in the background, each in one worker; the others then read it from disk."""
    await asyncio.sleep(HEAD_START)
    for game in WARM:
        for many in (1, REPLIES):
            await asyncio.gather(*(_searched_once(workers, game) for _ in range(many)))


async def _searched_once(workers: Workers, game: str) -> None:
    with suppress(BadInput, WorkerDied):
        async for _ in workers.run(Job("reply", models.Reply(game=game, player="engine:depth=1")), Stop().begins):
            pass


async def _refuse(request: Request, fault: Exception) -> JSONResponse:
    return JSONResponse({"error": sentence_of(fault)}, status_of(fault))


def _add_route(app: FastAPI, operation: Operation) -> None:
    async def route(request: Request, args: Any) -> Any:
        last = None
        async with aclosing(operation.answers(request.app.state.house, args, Stop())) as answers:
            async for answer in answers:
                last = answer
        return last

    route.__annotations__["args"] = operation.args
    refusals: dict[int | str, dict[str, Any]] = {
        status: {"description": what, "model": Refusal}
        for status, what in (
            (400, "The arguments make no sense"),
            (403, "The secret does not allow it"),
            (404, "There is no such game or lesson"),
            (409, "The game has gone on"),
            (413, "Too large"),
            (422, "The arguments are not of the right shape"),
            (429, "Too many requests"),
            (503, "Not possible just now; nothing has changed"),
        )
    }
    app.post(
        f"/api/{operation.name}",
        response_model=operation.answer,
        summary=operation.summary,
        operation_id=operation.name,
        responses=refusals,
    )(route)


class Refusal(BaseModel):
    """Why not, in a sentence."""

    error: str


# -- the socket --------------------------------------------------------------------------------------------------------


async def socket(web: WebSocket) -> None:
    """All operations over one WebSocket: `{"id": 7, "op": "reply", "args": {…}}`; see `docs/api.md`."""
    await web.accept()
    connection = Connection(web, web.app.state.house)
    try:
        while True:
            await connection.hear(await web.receive_text())
    except (WebSocketDisconnect, KeyError):  # KeyError: a binary message
        pass
    finally:
        await connection.close()


class Connection:
    """One WebSocket: its requests under way, and how often it asks."""

    def __init__(self, web: WebSocket, house: House) -> None:
        self._web, self._house = web, house
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._stops: dict[int, Stop] = {}
        self._bucket = Bucket()

    async def hear(self, text: str) -> None:
        """Begin what a message asks for."""
        try:
            asked = json.loads(text)
            number, op = asked["id"], asked["op"]
            if not (isinstance(number, int) and isinstance(op, str)):
                raise TypeError
        except (ValueError, TypeError, KeyError, RecursionError):
            await self._say(None, error='A message is {"id": a number, "op": an operation, "args": {…}}.')
            return
        if op in ("cancel", "stop"):
            self._end(op, asked.get("of"))
        elif not self._bucket.take():
            await self._say(number, error=f"More than {BURST:g} requests at once, or {RATE:g} a second: wait a little.")
        elif op not in BY_NAME:
            await self._say(number, error=f"There is no operation {op!r}: there are {', '.join(BY_NAME)}.")
        elif len(self._tasks) >= AT_ONCE or number in self._tasks:
            await self._say(number, error=f"At most {AT_ONCE} requests are under way at once, each with its own id.")
        else:
            self._begin(number, BY_NAME[op], asked.get("args") or {})

    def _begin(self, number: int, operation: Operation, args: Any) -> None:
        stop = Stop()
        task = asyncio.create_task(self._answer(number, operation, args, stop))
        self._tasks[number], self._stops[number] = task, stop

        def done(_: object) -> None:
            del self._tasks[number], self._stops[number]

        task.add_done_callback(done)

    def _end(self, op: str, number: object) -> None:
        """`stop`: the best answer so far, now. `cancel`: no answer at all."""
        if isinstance(number, int) and number in self._tasks:
            if op == "stop":
                self._stops[number]()
            else:
                self._tasks[number].cancel()

    async def _answer(self, number: int, operation: Operation, args: Any, stop: Stop) -> None:
        last = None
        try:
            checked = operation.args.model_validate(args)
            async with aclosing(operation.answers(self._house, checked, stop)) as answers:
                async for answer in answers:
                    last = answer
                    if operation.stream:
                        await self._tell(number, "part", answer)
            await self._tell(number, "ok", last)
        except (ValidationError, BadInput, Unstored, WorkerDied) as fault:
            await self._say(number, error=sentence_of(fault), status=status_of(fault))
        except WebSocketDisconnect:
            pass
        except Exception as fault:
            await self._say(number, error=sentence_of(fault), status=500)
            raise

    async def _tell(self, number: int, kind: str, answer: BaseModel | None) -> None:
        """Send an answer, as Pydantic writes it: a large board takes it half the time that it takes `json`."""
        await self._send(f'{{"id":{number},"{kind}":{answer.model_dump_json() if answer else "null"}}}')

    async def _say(self, number: int | None, **what: Any) -> None:
        await self._send(json.dumps({"id": number, **what}, ensure_ascii=False))

    async def _send(self, text: str) -> None:
        with suppress(RuntimeError, WebSocketDisconnect):  # it has gone
            await self._web.send_text(text)

    async def close(self) -> None:
        """Stop what is under way."""
        for task in list(self._tasks.values()):
            task.cancel()
