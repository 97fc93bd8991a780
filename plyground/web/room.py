"""A room: who is here, who wants to play with whom, and what a teacher shows to all. It lasts as long as the server.

To ask for what somebody asks of one is to accept it; so there is one operation for challenging and accepting.
"""

import asyncio
import hmac
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field

from plyground.errors import BadInput
from plyground.web import models as m
from plyground.web import people as p
from plyground.web.kept import NotYours
from plyground.web.limits import PEOPLE

Begin = Callable[[str, tuple[str, str]], Awaitable[m.CreatedView]]
"""Keeps a new game between two people of these names."""


@dataclass(eq=False)
class _Person:
    """Somebody who is here, in one tab or in several."""

    number: int
    name: str
    queues: "set[asyncio.Queue[p.RoomView]]" = field(default_factory=set)
    wants: str = ""
    """The game that they would play with anybody."""
    asks: dict[int, str] = field(default_factory=dict)
    """The games that they have asked others for, by their numbers."""
    begins: p.SeatView | None = None
    """The game that was last agreed, and their seat in it."""


class Room:
    """The room of a server. Used from its event loop."""

    def __init__(self, begin: Begin, teacher: str = "") -> None:
        """A room for which a teacher has this secret; none without."""
        self._begin, self._teacher = begin, teacher
        self._people: dict[str, _Person] = {}
        self._visitors: set[asyncio.Queue[p.RoomView]] = set()
        self._numbers = 0
        self._look = ""
        self.exam = False
        """Whether what a search knows is told to nobody."""

    @property
    def is_open(self) -> bool:
        """Whether the command line has asked for a room."""
        return bool(self._teacher)

    async def follow(self, args: p.Enter) -> AsyncGenerator[p.RoomView, None]:
        """Be here: what there is to see, and again whenever it changes. Without a name one only looks on."""
        self._require_open()
        queue: asyncio.Queue[p.RoomView] = asyncio.Queue()
        person = self._entered(args) if args.name else None
        queues = person.queues if person else self._visitors
        queues.add(queue)
        self._tell()
        try:
            while True:
                yield await queue.get()
        finally:
            queues.discard(queue)
            if person and not queues and self._people.get(args.me) is person:
                del self._people[args.me]
                for other in self._people.values():
                    other.asks.pop(person.number, None)
            self._tell()

    async def challenge(self, args: p.Challenge) -> m.DoneView:
        """Ask somebody for a game, or all; accept by asking the same; with no game, take it back or decline."""
        me = self._person(args.me)
        if args.whom is None:
            me.wants = args.game
        else:
            other = next((each for each in self._people.values() if each.number == args.whom), None)
            if other is None or other is me:
                raise BadInput("Nobody of that number is here to play with.")
            if not args.game:
                me.asks.pop(other.number, None)
                other.asks.pop(me.number, None)
            elif args.game in (other.asks.get(me.number), other.wants):
                await self._agreed(me, other, args.game)
            else:
                me.asks[other.number] = args.game
        self._tell()
        return m.DoneView()

    async def show(self, args: p.Show) -> m.DoneView:
        """What a teacher shows to all; an empty link lets them go."""
        self._require_open()
        if not hmac.compare_digest(args.teacher.encode(), self._teacher.encode()):
            raise NotYours("Only the teacher's link, which the terminal has printed, allows that.")
        self._look, self.exam = args.link, args.exam
        self._tell()
        return m.DoneView()

    async def _agreed(self, me: _Person, other: _Person, game: str) -> None:
        pair = (me, other) if secrets.randbelow(2) else (other, me)
        made = await self._begin(game, (pair[0].name, pair[1].name))
        sides: tuple[m.Side, m.Side] = ("x", "o")
        for side, person in zip(sides, pair, strict=True):
            person.begins = p.SeatView(id=made.id, side=side, seat=made.seats[side])
            person.wants = ""
            person.asks.pop((me if person is other else other).number, None)

    def _entered(self, args: p.Enter) -> _Person:
        if args.me not in self._people:
            if len(self._people) >= PEOPLE:
                raise BadInput(f"The room is full: it holds {PEOPLE} people.")
            self._numbers += 1
            self._people[args.me] = _Person(self._numbers, args.name)
        self._people[args.me].name = args.name
        return self._people[args.me]

    def _person(self, me: str) -> _Person:
        self._require_open()
        if me not in self._people:
            raise NotYours("Come in first, with a name.")
        return self._people[me]

    def _require_open(self) -> None:
        if not self.is_open:
            raise BadInput("This server has no room: plyground web --room opens one.")

    def _tell(self) -> None:
        """What each may see."""
        lines = [p.PersonView(number=each.number, name=each.name, wants=each.wants) for each in self._people.values()]
        view = p.RoomView(
            people=lines, you=0, asks=[], asked=[], begins=None, look=self._look, exam=self.exam
        )  # of a visitor
        for queue in self._visitors:
            queue.put_nowait(view)
        for person in self._people.values():
            asks = [
                p.ChallengeView(number=each.number, name=each.name, game=each.asks[person.number])
                for each in self._people.values()
                if person.number in each.asks
            ]
            asked = [
                p.ChallengeView(number=each.number, name=each.name, game=person.asks[each.number])
                for each in self._people.values()
                if each.number in person.asks
            ]
            mine = {"you": person.number, "asks": asks, "asked": asked, "begins": person.begins}
            for queue in person.queues:
                queue.put_nowait(view.model_copy(update=mine))
