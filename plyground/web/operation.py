"""The record of an operation: its function, its models, and the flags that pages read."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, nullcontext
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel

from plyground.errors import BadInput
from plyground.web.services import Services
from plyground.web.views.menu_models import OperationView
from plyground.web.views.models import At, Reply
from plyground.workers.fair_queue import ASKING, Asker

Args = TypeVar("Args", bound=BaseModel)
Found = AsyncGenerator[BaseModel, None] | Awaitable[BaseModel] | BaseModel
"""What an operation's function gives: better and better answers, an answer to wait for, or an answer."""


@dataclass(frozen=True)
class Operation(Generic[Args]):
    """An operation: its function, its arguments and answer, and its flags for exams, fleets and pages."""

    name: str
    run: Callable[[Services, Args, Asker], Found]
    args: type[Args]
    answer: type[BaseModel]
    summary: str
    """A line about it for people."""
    stream: bool = False
    """Whether it gives better and better answers, the last of which counts; a WebSocket gets them all."""
    socket_only: bool = False
    """Whether it may go on for ever, or wait for all others: a WebSocket can be left, a request over HTTP cannot."""
    once: bool = False
    """Whether a connection has it once at a time."""
    acts: bool = False
    """Whether it does more than look and analyse: it keeps, plays, runs or learns. A fleet's server refuses it."""
    in_exam: bool = False
    """Whether it is allowed while an exam is on in the room: its answer shows no values and no good moves."""
    published: bool = False
    """Whether a published page answers it by itself (`page/src/worker/operations.js`)."""
    nearby: bool = False
    """Whether workers of the playground's page answer it as well, in place of the server."""
    swift: bool = False
    """Whether it takes no time, so that a page has a worker for it that waits for no search."""

    async def answers(self, services: Services, args: Args, asker: Asker) -> AsyncGenerator[BaseModel, None]:
        """The answer, or all answers of a stream; the stream ends when an exam begins that forbids the operation."""
        # A context variable of this task: what it asks of the database or a worker takes its turn
        # as this visitor, without each function passing it on.
        ASKING.set(asker)
        # Three checks before anything runs: whose code it would run, whether an exam or a fleet
        # forbids it, whether it would help in a game between people.
        services.require_named(args)
        self.require_allowed(services)
        await self._require_unwatched(services, args, asker)
        # An exam that begins now ends the search, whose next answer might be minutes away.
        with nullcontext() if self.in_exam else services.room.until_exam(asker.stop):
            found = self.run(services, args, asker)
            if isinstance(found, AsyncGenerator):
                async with aclosing(found):
                    async for answer in found:
                        self.require_allowed(services)
                        await self._require_unwatched(services, args, asker)
                        yield answer
                self.require_allowed(services)
                return
            answer = found if isinstance(found, BaseModel) else await found
        self.require_allowed(services)
        yield answer

    async def last(self, services: Services, args: Args, asker: Asker) -> BaseModel | None:
        """The answer that counts; None where a stream gives none."""
        last = None
        async with aclosing(self.answers(services, args, asker)) as answers:
            async for answer in answers:
                last = answer
        return last

    def require_allowed(self, services: Services) -> None:
        """Refuse the operation while an exam forbids it, or where a fleet is shown.

        Raises:
            BadInput: one of them does.
        """
        if self.acts and services.arenas.fleet:
            raise BadInput(f"This server shows a fleet, for looking and analysing: {self.name} is not allowed.")
        if services.room.exam and not self.in_exam:
            raise BadInput(f"An exam is on in the room: until it ends, {self.name} is not allowed.")

    async def _require_unwatched(self, services: Services, args: Args, asker: Asker) -> None:
        """Refuse answers with values or good moves of a game between people, on the connection that follows it.

        Raises:
            BadInput: the game goes on, and its people have not agreed on that.
        """
        if isinstance(args, At) and (isinstance(args, Reply) or not self.in_exam):
            await services.games.require_unwatched(args, asker.visitor)

    @property
    def view(self) -> OperationView:
        """The part of the record that workers in a page need."""
        return OperationView(name=self.name, stream=self.stream, swift=self.swift)
