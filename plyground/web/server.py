"""The server as an ASGI app: the operations over HTTP and WebSocket, and the page's own files.

The server keeps no session: a position is in its link, a kept game in the database. So a restart loses nothing.
"""

import asyncio
import mimetypes
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from plyground.database.connecting import Unstored
from plyground.errors import BadInput
from plyground.web import lessons, pictures
from plyground.web.connection import socket
from plyground.web.faults import sentence_of, status_of
from plyground.web.guard import Guard, client_of
from plyground.web.house import REPLIES, House
from plyground.web.joined import STATIC, Joined
from plyground.web.kept import KeptGames
from plyground.web.operations import OPERATIONS, Operation
from plyground.web.store import Store
from plyground.web.warming import woken
from plyground.web.workers import Stop, Unanswered

mimetypes.add_type("text/javascript", ".js")  # Windows may know it as text/plain, which a browser would not run
FOR_GOOD = {"Cache-Control": "public, max-age=31536000, immutable"}
"""Of what is named by its content: a browser need not ask again."""
HEAD_START = 0.6
"""Seconds that the first page has for itself before searches are compiled or read."""


def make_app(
    database: str,
    names: frozenset[str],
    programs: Mapping[str, str] | None = None,
    files: Sequence[str] = (),
    addresses: Callable[[], list[str]] = list,
    teacher: str = "",
) -> FastAPI:
    """The server as an ASGI app.

    Args:
        database: SQLAlchemy's URL of the database of kept games.
        names: the host names by which it may be called.
        programs: players that the page may choose by name, with their specs.
        files: games, searches and players in files that the page may choose, as `path/to/file.py:name`.
        addresses: where other devices reach it just now.
        teacher: the secret by which a teacher shows a room something; empty for no room.

    Raises:
        BadInput: the database cannot be used.
    """
    store = Store(database)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.house = House(KeptGames(store), programs or {}, files, addresses=addresses, teacher=teacher)
        tasks = [asyncio.create_task(_warm(app.state.house)), asyncio.create_task(app.state.house.own.watch())]
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
    app.add_middleware(Guard, names=names)
    for kind in (BadInput, Unstored, Unanswered, RequestValidationError):
        app.add_exception_handler(kind, _refuse)
    app.mount("/lessons", StaticFiles(directory=lessons.FOLDER), name="lessons")  # their pictures
    app.router.routes.append(Route("/pictures.svg", GZipMiddleware(pictures.served)))
    app.router.routes.append(Route("/modules/{name}.wasm", GZipMiddleware(_module)))
    app.mount("/plain", StaticFiles(directory=STATIC, html=True), name="plain")  # for whoever changes them
    app.mount("/", GZipMiddleware(Joined(directory=STATIC, html=True)), name="page")
    return app


async def _warm(house: House) -> None:
    """Compile searches in the background, once the first page has had its head start."""
    await asyncio.sleep(HEAD_START)
    await asyncio.gather(woken(house.replies, REPLIES), woken(house.analyses, 1))
    await house.warming.run(house.replies, REPLIES)


async def _module(scope: Scope, receive: Receive, send: Send) -> None:
    """A game's module, to a browser."""
    name = scope["path_params"]["name"]
    if found := scope["app"].state.house.warming.module_named(name):
        answer = Response(found.code, media_type="application/wasm", headers=FOR_GOOD | {"ETag": f'"{name}"'})
    else:
        answer = JSONResponse({"error": "There is no such module: the operation `module` says where one is."}, 404)
    await answer(scope, receive, send)


async def _refuse(request: Request, fault: Exception) -> JSONResponse:
    return JSONResponse({"error": sentence_of(fault)}, status_of(fault))


def _add_route(app: FastAPI, operation: Operation) -> None:
    async def route(request: Request, args: Any) -> Any:
        last = None
        request.app.state.house.admit(operation.name, client_of(request.scope))
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
