"""All operations over one WebSocket: many requests under way, each to be stopped or cancelled by its number."""

import asyncio
import itertools
import json
from contextlib import aclosing, suppress
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ValidationError

from plyground.database.connecting import Unavailable
from plyground.errors import BadInput
from plyground.web.faults import sentence_of, status_of
from plyground.web.guard import visitor_of
from plyground.web.house import House
from plyground.web.limits import AT_ONCE, REQUESTS
from plyground.web.models import Shared
from plyground.web.operations import BY_NAME, Operation
from plyground.web.queue import Asker, Stop
from plyground.web.shares import Visitor
from plyground.web.workers import Unanswered

_NUMBERS = itertools.count(1)
"""Of connections."""


async def socket(web: WebSocket) -> None:
    """All operations over one WebSocket: `{"id": 7, "op": "reply", "args": {…}}`; see `docs/api.md`."""
    house, visitor = web.app.state.house, visitor_of(web.scope)
    if why := house.quotas.opened(visitor.address):
        await web.accept()  # for a page cannot read why a handshake is refused
        await web.close(1008, why)
        return
    connection = Connection(web, house, visitor)
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
        house.quotas.closed(visitor.address)
        await connection.close()


class Connection:
    """One WebSocket: its requests under way, and how often it asks."""

    def __init__(self, web: WebSocket, house: House, visitor: Visitor) -> None:
        self._web, self._house = web, house
        self._visitor = visitor._replace(connection=f"socket {next(_NUMBERS)}")  # known behind a proxy, too
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._stops: dict[int, Stop] = {}

    async def admit(self) -> None:
        """Wait until the request rate allows one more message; TCP flow control then slows a faster sender."""
        await asyncio.sleep(0)  # else messages that have come already would be heard without a turn for anybody else
        while self._house.quotas.request(*self._visitor):
            await asyncio.sleep(1 / REQUESTS.rate)

    async def hear(self, text: str) -> None:
        """Begin what a message asks for."""
        try:
            asked = json.loads(text)
            number, op = asked["id"], asked["op"]
            if type(number) is not int or not isinstance(op, str):  # true is an int, too
                raise TypeError
        except (ValueError, TypeError, KeyError, RecursionError):
            await self._say(None, error='A message is {"id": a number, "op": an operation, "args": {…}}.')
            return
        if op in ("cancel", "stop"):
            self._end(op, asked.get("of"))
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
            with self._house.admitted(checked, self._visitor):
                async with aclosing(operation.answers(self._house, checked, Asker(self._visitor, stop))) as answers:
                    async for answer in answers:
                        last = answer
                        if operation.stream:
                            await self._tell(number, "part", answer)
            await self._tell(number, "ok", last)
        except (ValidationError, BadInput, Unavailable, Unanswered) as fault:
            await self._say(number, error=sentence_of(fault), status=status_of(fault))
        except WebSocketDisconnect:
            pass
        except Exception as fault:
            await self._say(number, error=sentence_of(fault), status=500)
            raise

    async def _tell(self, number: int, kind: str, answer: BaseModel | None) -> None:
        """Send an answer, as Pydantic writes it: a large board takes it half the time that it takes `json`."""
        text = answer.as_json() if isinstance(answer, Shared) else answer.model_dump_json() if answer else "null"
        await self._send(f'{{"id":{number},"{kind}":{text}}}')

    async def _say(self, number: int | None, **what: Any) -> None:
        await self._send(json.dumps({"id": number, **what}, ensure_ascii=False))

    async def _send(self, text: str) -> None:
        with suppress(RuntimeError, WebSocketDisconnect):  # it has gone
            await self._web.send_text(text)

    async def refuse(self, why: str) -> None:
        """End the WebSocket, with the reason."""
        with suppress(RuntimeError, WebSocketDisconnect):  # it has gone
            await self._web.close(1003, why)

    async def close(self) -> None:
        """Stop what is under way."""
        for task in list(self._tasks.values()):
            task.cancel()
