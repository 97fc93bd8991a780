"""The server as an ASGI app: the operations over HTTP and WebSocket, and the page's own files.

The server has no sessions: a position is in its link, a saved game in the database. So a restart loses nothing.
"""

import asyncio
import gc
import mimetypes
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.routing import Route

from plyground.database.connecting import Unavailable
from plyground.errors import BadInput
from plyground.web.game_modules import start_workers
from plyground.web.games.saved_games import SavedGames
from plyground.web.games.store import GameStore
from plyground.web.lessons import loader
from plyground.web.limits import Quotas
from plyground.web.operation import Operation
from plyground.web.operations import BY_NAME, OPERATIONS
from plyground.web.server import pictures
from plyground.web.server.compression import Compressed
from plyground.web.server.editor import Editor
from plyground.web.server.errors import sentence_of, status_of
from plyground.web.server.files import PAGE_FOLDER, PageFiles
from plyground.web.server.guard import Guard, visitor_of
from plyground.web.server.socket import answer_json, socket
from plyground.web.services import READY_WORKERS, Services
from plyground.workers.fair_queue import Asker
from plyground.workers.pool import WorkerStopped

if TYPE_CHECKING:
    from plyground.arena.fleet import FleetStand


mimetypes.add_type("text/javascript", ".js")  # Windows may know it as text/plain, which a browser would not run
IMMUTABLE_HEADERS = {"Cache-Control": "private, max-age=31536000, immutable"}
"""Headers for files named by their content: a browser need not ask again; proxies store none, for exams' sake."""
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
SWITCH_INTERVAL = 0.0005
"""Seconds after which a thread releases the interpreter lock to a waiting one: with Python's default of 0.005 the
thread that writes to the database waits that long at each statement while the event loop is busy."""
BETWEEN_COLLECTIONS = 300.0
"""Seconds between two full garbage collections: each stops the server for 0.3 s when 1,200 clients are connected."""
NO_COLLECTION = 1 << 30
"""Threshold of automatic full collections (`gc.set_threshold`): none."""
LOAD_HEAD_START = 0.6
"""Seconds for loading the first page before workers are started."""


def make_app(
    database: str,
    names: frozenset[str],
    programs: Mapping[str, str] | None = None,
    files: Sequence[str] = (),
    addresses: Callable[[], list[str]] = list,
    teacher: str = "",
    quotas: Quotas | None = None,
    serves: str = "",
    fleet: "Callable[[], FleetStand] | None" = None,
    code: bool = False,
    learn: bool = False,
    editor: Editor | None = None,
) -> FastAPI:
    """Make the server's ASGI app.

    Args:
        database: SQLAlchemy's URL of the database of saved games.
        names: the host names that requests may use.
        programs: players that the page may choose by name, with their specs.
        files: games, searches and players in files that the page may choose, as `path/to/file.py:name`.
        addresses: returns the addresses at which other devices reach the server now.
        teacher: the secret of the classroom's teacher; empty for no classroom.
        quotas: limits of each address and connection; the default ones if None.
        fleet: tells how the fleet stands that the server shows.
        code: whether code that readers write in lessons is run, with the server's rights.
        learn: whether pages may start learning from self-play.
        serves: the server's address, for the error message of a second one on the same SQLite file.
        editor: the page in which rules are written, at `/write`; None for none.

    Raises:
        BadInput: the database cannot be used, or another server uses it.
    """
    store, given = GameStore(database, serves), quotas or Quotas()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        sys.setswitchinterval(SWITCH_INTERVAL)
        # Young objects are collected as usual; only full collections are put off to a time of their
        # own.
        gc.set_threshold(*gc.get_threshold()[:2], NO_COLLECTION)
        app.state.services = Services(
            SavedGames(store),
            programs or {},
            files,
            quotas=given,
            addresses=addresses,
            teacher=teacher,
            code=code,
            learn=learn,
        )
        services = app.state.services
        services.arenas.fleet = fleet
        tasks = [
            asyncio.create_task(work)
            for work in (
                _start_workers_later(services),
                _collect(),
                services.user_files.watch(),
                services.external_players.watch(),
            )
        ]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            app.state.services.close()

    app = FastAPI(
        title="plyground",
        summary="Two-player games of perfect information.",
        lifespan=lifespan,
        docs_url=None,  # FastAPI's two pages run scripts of other hosts, which our policy forbids; the site has a page
        redoc_url=None,
    )
    for operation in OPERATIONS:
        _add_route(app, operation)
    app.add_api_websocket_route("/api/socket", socket)
    # This route is behind all operations and before the page's files, which would answer with a 404 of their own.
    app.router.routes.append(Route("/api/{name:path}", _no_operation, methods=METHODS))
    app.add_middleware(Guard, names=names, quotas=given)
    for kind in (BadInput, Unavailable, WorkerStopped, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, _refuse)
    app.mount("/lessons", StaticFiles(directory=loader.FOLDER), name="lessons")  # their pictures
    app.router.routes.append(Route("/pictures.svg", pictures.serve_file))
    app.router.routes.append(Route("/modules/{name}.wasm", _module))
    app.router.routes.append(Route("/learned/{name}.weights", _weights))
    if editor:
        app.router.routes += editor.routes()
    app.mount("/", PageFiles(PAGE_FOLDER), name="page")
    return app


async def _collect() -> None:
    """Collect garbage of the oldest generation by time: by count it would be several times a minute under load."""
    while True:
        await asyncio.sleep(BETWEEN_COLLECTIONS)
        gc.collect()


async def _start_workers_later(services: Services) -> None:
    """Start workers in the background, after `LOAD_HEAD_START`."""
    await asyncio.sleep(LOAD_HEAD_START)
    await asyncio.gather(start_workers(services.quick, READY_WORKERS), start_workers(services.long, 1))


@lru_cache(maxsize=64)
def _compress(code: bytes) -> Compressed:
    return Compressed.of(code, "application/wasm")


async def _module(request: Request) -> Response:
    """Send a game's module to a browser."""
    services = request.app.state.services
    # An exam forbids modules here as well: with a module the page would have an engine.
    BY_NAME["module"].require_allowed(services)
    if found := services.modules.module_named(request.path_params["name"]):
        return _compress(found.code).answer(request.scope, IMMUTABLE_HEADERS)
    return JSONResponse({"error": "There is no such module: the operation `module` says where one is."}, 404)


async def _weights(request: Request) -> Response:
    """Send a file of weights that were learned here."""
    services = request.app.state.services
    BY_NAME["learning"].require_allowed(services)
    name = request.path_params["name"]
    if found := services.selfplay.weights(name):
        return FileResponse(found, filename=f"{name}.weights", media_type="application/octet-stream")
    return JSONResponse({"error": "There are no such weights: the operation `learning` says which there are."}, 404)


async def _no_operation(request: Request) -> Response:
    """Refuse other methods than POST and unknown operations, for which the page's files would answer."""
    if any(operation.name == request.path_params["name"] for operation in OPERATIONS):
        raise HTTPException(405, headers={"Allow": "POST"})
    raise HTTPException(404)


async def _refuse(request: Request, fault: Exception) -> JSONResponse:
    headers = fault.headers if isinstance(fault, HTTPException) else None  # the methods that are allowed
    return JSONResponse({"error": sentence_of(fault)}, status_of(fault), headers)


def _add_route(app: FastAPI, operation: Operation[Any]) -> None:
    async def route(request: Request, args: Any) -> Any:
        services, asker = request.app.state.services, Asker(visitor_of(request.scope))
        with services.admit(args, asker.visitor):
            answer = await operation.last(services, args, asker)
        return Response(answer_json(answer), media_type="application/json")

    # FastAPI reads the model from the annotation, which here differs for each operation.
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
            (503, "Not possible just now: ask again"),
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
    """Answer to a refused request: the reason, in a sentence."""

    error: str
