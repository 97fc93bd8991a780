"""All operations over one WebSocket: many requests at a time, each stopped or cancelled by its number."""

import asyncio
import itertools
import json
from contextlib import aclosing, suppress
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ValidationError

from plyground.database.connecting import Unavailable
from plyground.errors import BadInput
from plyground.web.limits import REQUESTS, REQUESTS_AT_ONCE
from plyground.web.operation import Operation
from plyground.web.operations import BY_NAME
from plyground.web.server.errors import sentence_of, status_of
from plyground.web.server.guard import visitor_of
from plyground.web.services import Services
from plyground.web.views.models import Shared
from plyground.workers.fair_queue import Asker, Stop
from plyground.workers.pool import WorkerStopped
from plyground.workers.shares import Visitor

_NUMBERS = itertools.count(1)
"""Numbers of connections."""


async def socket(web: WebSocket) -> None:
    """All operations over one WebSocket: `{"id": 7, "op": "reply", "args": {…}}`; see `docs/http.md`."""
    services, visitor = web.app.state.services, visitor_of(web.scope)
    if why := services.quotas.open_socket(visitor.address):
        await web.accept()  # since a page cannot read why a handshake is refused
        await web.close(1008, why)
        return
    connection = Connection(web, services, visitor)
    try:
        await web.accept()
        while (message := await web.receive())["type"] != "websocket.disconnect":
            if (text := message.get("text")) is None:
                await connection.refuse("A message is text: JSON, not binary.")
                break
            await connection.admit()
            await connection.hear(text)
    except WebSocketDisconnect:
        pass
    finally:
        services.quotas.close_socket(visitor.address)
        await connection.close()


def answer_json(answer: BaseModel | None) -> str:
    """An answer as JSON, written by Pydantic, which takes half the time of `json` for a large board."""
    if answer is None:
        return "null"
    return answer.json_text if isinstance(answer, Shared) else answer.model_dump_json()


class Connection:
    """One WebSocket: its requests in progress, and its request rate."""

    def __init__(self, web: WebSocket, services: Services, visitor: Visitor) -> None:
        self._web, self._services = web, services
        self._time = services.quotas.time
        self._visitor = visitor._replace(connection=f"socket {next(_NUMBERS)}")  # it differs behind a proxy, too
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._stops: dict[int, Stop] = {}

    async def admit(self) -> None:
        """Wait until the request rate allows one more message; TCP flow control then slows a faster sender."""
        await asyncio.sleep(0)  # else messages that have come already would be handled before all other connections
        await self._time.await_turn(self._visitor.address)
        while self._services.quotas.request(*self._visitor):
            await asyncio.sleep(1 / REQUESTS.rate)

    async def hear(self, text: str) -> None:
        """Begin the request in a message."""
        try:
            asked = json.loads(text)
            number, op = asked["id"], asked["op"]
            if type(number) is not int or not isinstance(op, str):  # true is an int, too
                raise TypeError
        except (ValueError, TypeError, KeyError, RecursionError):
            await self._send_fields(None, error='A message is {"id": a number, "op": an operation, "args": {…}}.')
            return
        if op in ("cancel", "stop"):
            self._end_request(op, asked.get("of"))
        elif op not in BY_NAME:
            await self._send_fields(number, error=f"There is no operation {op!r}: there are {', '.join(BY_NAME)}.")
        elif len(self._tasks) >= REQUESTS_AT_ONCE or number in self._tasks:
            await self._send_fields(
                number, error=f"At most {REQUESTS_AT_ONCE} requests are under way at once, each with its own id."
            )
        elif BY_NAME[op].once and any(task.get_name() == op for task in self._tasks.values()):
            await self._send_fields(number, error=f"{op} is under way on this connection already.")
        else:
            self._begin_request(number, BY_NAME[op], asked.get("args") or {})

    def _begin_request(self, number: int, operation: Operation[Any], args: Any) -> None:
        stop = Stop()
        work = self._answer_request(number, operation, args, stop)
        # Each message has a task, so that a search that streams does not hold up the next message.
        task = asyncio.create_task(self._time.charge_steps(self._visitor.address, work), name=operation.name)
        self._tasks[number], self._stops[number] = task, stop

        def end(_: object) -> None:
            del self._tasks[number], self._stops[number]

        task.add_done_callback(end)

    def _end_request(self, op: str, number: object) -> None:
        """End a request. `stop`: with the best answer so far. `cancel`: without an answer."""
        if isinstance(number, int) and number in self._tasks:
            if op == "stop":
                self._stops[number]()
            else:
                self._tasks[number].cancel()

    async def _answer_request(self, number: int, operation: Operation[Any], args: Any, stop: Stop) -> None:
        last = None
        try:
            checked = operation.args.model_validate(args)
            with self._services.admit(checked, self._visitor):
                async with aclosing(operation.answers(self._services, checked, Asker(self._visitor, stop))) as answers:
                    async for answer in answers:
                        last = answer
                        if operation.stream:
                            await self._time.await_turn(self._visitor.address)
                            await self._send_answer(number, "part", answer)
            # `ok` is sent only when the stream has ended: the last part is the answer that counts.
            await self._send_answer(number, "ok", last)
        except (ValidationError, BadInput, Unavailable, WorkerStopped) as fault:
            await self._send_fields(number, error=sentence_of(fault), status=status_of(fault))
        except WebSocketDisconnect:
            pass
        except Exception as fault:
            # The page gets a sentence, the log the trace.
            await self._send_fields(number, error=sentence_of(fault), status=500)
            raise

    async def _send_answer(self, number: int, kind: str, answer: BaseModel | None) -> None:
        """Send an answer."""
        await self._send(f'{{"id":{number},"{kind}":{answer_json(answer)}}}')

    async def _send_fields(self, number: int | None, **what: Any) -> None:
        await self._send(json.dumps({"id": number, **what}, ensure_ascii=False))

    async def _send(self, text: str) -> None:
        with suppress(RuntimeError, WebSocketDisconnect):  # it has gone
            await self._web.send_text(text)

    async def refuse(self, why: str) -> None:
        """Close the WebSocket, with the reason."""
        with suppress(RuntimeError, WebSocketDisconnect):  # it has gone
            await self._web.close(1003, why)

    async def close(self) -> None:
        """Stop all requests in progress."""
        for task in list(self._tasks.values()):
            task.cancel()
