"""The server as an ASGI app: the operations over HTTP and WebSocket, and the page's own files.

The server keeps no session: a position is in its link, a kept game in the database. So a restart loses nothing.
"""

import asyncio
import mimetypes
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from functools import lru_cache
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.routing import Route

from plyground.database.connecting import Unavailable
from plyground.errors import BadInput
from plyground.web import lessons, pictures
from plyground.web.compressed import Compressed
from plyground.web.connection import socket
from plyground.web.faults import sentence_of, status_of
from plyground.web.guard import Guard, visitor_of
from plyground.web.house import READY, House
from plyground.web.joined import STATIC, Joined
from plyground.web.kept import KeptGames
from plyground.web.limits import Quotas
from plyground.web.operations import MODULE, OPERATIONS, Operation
from plyground.web.queue import Asker
from plyground.web.store import Store
from plyground.web.warming import woken
from plyground.web.workers import Unanswered

mimetypes.add_type("text/javascript", ".js")  # Windows may know it as text/plain, which a browser would not run
FOR_GOOD = {"Cache-Control": "private, max-age=31536000, immutable"}
"""Of what is named by its content: a browser need not ask again. Nothing between keeps it, for an exam may come."""
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
SWITCH_INTERVAL = 0.0005
"""Seconds after which a thread hands Python over to one that waits for it: with the usual 0.005 the thread that writes
to the database waits as long at each statement while the event loop is busy."""
HEAD_START = 0.6
"""Seconds that the first page has for itself before searches are compiled or read."""


def make_app(
    database: str,
    names: frozenset[str],
    programs: Mapping[str, str] | None = None,
    files: Sequence[str] = (),
    addresses: Callable[[], list[str]] = list,
    teacher: str = "",
    quotas: Quotas | None = None,
    serves: str = "",
) -> FastAPI:
    """The server as an ASGI app.

    Args:
        database: SQLAlchemy's URL of the database of kept games.
        names: the host names by which it may be called.
        programs: players that the page may choose by name, with their specs.
        files: games, searches and players in files that the page may choose, as `path/to/file.py:name`.
        addresses: where other devices reach it just now.
        teacher: the secret by which a teacher shows a room something; empty for no room.
        quotas: what each address and connection may have; the usual quotas if None.
        serves: where the server is reached, for whoever would start another on the same SQLite file.

    Raises:
        BadInput: the database cannot be used, or another server uses it.
    """
    store, given = Store(database, serves), quotas or Quotas()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        sys.setswitchinterval(SWITCH_INTERVAL)
        app.state.house = House(
            KeptGames(store), programs or {}, files, quotas=given, addresses=addresses, teacher=teacher
        )
        house = app.state.house
        tasks = [asyncio.create_task(work) for work in (_warm(house), house.own.watch(), house.peers.watch())]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            app.state.house.close()

    app = FastAPI(
        title="plyground",
        summary="Two-player games of perfect information.",
        lifespan=lifespan,
        docs_url=None,  # FastAPI's two pages run scripts from elsewhere, which ours are forbidden to; the site has one
        redoc_url=None,
    )
    for operation in OPERATIONS:
        _add_route(app, operation)
    app.add_api_websocket_route("/api/socket", socket)
    app.router.routes.append(Route("/api/{name:path}", _no_operation, methods=METHODS))
    app.add_middleware(Guard, names=names, quotas=given)
    for kind in (BadInput, Unavailable, Unanswered, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, _refuse)
    app.mount("/lessons", StaticFiles(directory=lessons.FOLDER), name="lessons")  # their pictures
    app.router.routes.append(Route("/pictures.svg", pictures.served))
    app.router.routes.append(Route("/modules/{name}.wasm", _module))
    app.mount("/plain", StaticFiles(directory=STATIC, html=True), name="plain")  # for whoever changes them
    app.mount("/", Joined(STATIC), name="page")
    return app


async def _warm(house: House) -> None:
    """Compile searches in the background, once the first page has had its head start."""
    await asyncio.sleep(HEAD_START)
    await asyncio.gather(woken(house.quick, READY), woken(house.long, 1))
    await house.warming.run(house.quick, READY)


@lru_cache(maxsize=64)
def _compressed(code: bytes) -> Compressed:
    return Compressed.of(code, "application/wasm")


async def _module(request: Request) -> Response:
    """A game's module, to a browser."""
    house = request.app.state.house
    MODULE.require_allowed(house)
    if found := house.warming.module_named(request.path_params["name"]):
        return _compressed(found.code).answer(request.scope, FOR_GOOD)
    return JSONResponse({"error": "There is no such module: the operation `module` says where one is."}, 404)


async def _no_operation(request: Request) -> Response:
    """What is asked for in another way than by POST, or is not there: else the page's files would answer."""
    if any(operation.name == request.path_params["name"] for operation in OPERATIONS):
        raise HTTPException(405, headers={"Allow": "POST"})
    raise HTTPException(404)


async def _refuse(request: Request, fault: Exception) -> JSONResponse:
    headers = fault.headers if isinstance(fault, HTTPException) else None  # the methods that are allowed
    return JSONResponse({"error": sentence_of(fault)}, status_of(fault), headers)


def _add_route(app: FastAPI, operation: Operation) -> None:
    async def route(request: Request, args: Any) -> Any:
        last = None
        house, asker = request.app.state.house, Asker(visitor_of(request.scope))
        with house.admitted(args, asker.visitor):
            async with aclosing(operation.answers(house, args, asker)) as answers:
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
    """Why not, in a sentence."""

    error: str
