"""A room: who is here, who wants to play with whom, and what a teacher shows to all. It lasts as long as the server.

To ask for what somebody asks of one is to accept it; so there is one operation for challenging and accepting.
"""

import asyncio
import hmac
import secrets
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from plyground.errors import BadInput
from plyground.web import models as m
from plyground.web import people as p
from plyground.web.audience import Waking
from plyground.web.kept import NotYours
from plyground.web.limits import PEOPLE, PEOPLE_OF_ADDRESS

Begin = Callable[[str, tuple[str, str]], Awaitable[m.CreatedView]]
"""Keeps a new game between two people of these names."""
PAUSE = 0.02
"""Seconds for everything else between some followers who are told, and the next."""


@dataclass(eq=False)
class _Person:
    """Somebody who is here, in one tab or in several."""

    number: int
    name: str
    tabs: int = 0
    wants: str = ""
    """The game that they would play with anybody."""
    asks: dict[int, str] = field(default_factory=dict)
    """The games that they have asked others for, by their numbers."""
    asked: dict[int, str] = field(default_factory=dict)
    """The games that others have asked them for, by their numbers."""
    begins: p.SeatView | None = None
    """The game that was last agreed, and their seat in it."""


class Room:
    """The room of a server. Used from its event loop."""

    def __init__(self, begin: Begin, teacher: str = "") -> None:
        """A room for which a teacher has this secret; none without."""
        self._begin, self._teacher = begin, teacher
        self._people: dict[str, _Person] = {}
        self._numbered: dict[int, _Person] = {}
        self._numbers = 0
        self._of: Counter[tuple[str, object, str]] = Counter()
        """How many places each address, connection and secret holds."""
        self._removed: set[tuple[str, str]] = set()
        """Secrets, and the names under which they may not come in again."""
        self._followers: dict[asyncio.Event, None] = {}
        self._lines: list[p.PersonView] | None = None
        """Cached public list of the people in the room; None if it has to be made again."""
        self._waking = Waking(PAUSE)
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
        person = self._entered(args) if args.name else None
        news = asyncio.Event()
        self._followers[news] = None
        try:
            while True:
                yield self._view(person)
                await news.wait()
                news.clear()
                if person and self._people.get(args.me) is not person:
                    raise _removed(args.name)
        finally:
            del self._followers[news]
            if person:
                person.tabs -= 1
                if not person.tabs and self._people.get(args.me) is person:
                    self._leave(args.me)

    @contextmanager
    def place(self, args: p.Enter, client: str, connection: object) -> Iterator[None]:
        """Hold a place for somebody who comes in from an address and one of its connections.

        Raises:
            BadInput: the connection has brought somebody else, or the address has brought too many.
        """
        if not args.name:
            yield
            return
        if any(by == connection and me != args.me for _, by, me in self._of):
            raise BadInput("A connection can bring only one person into the room.")
        others = {me for address, _, me in self._of if address == client} - {args.me}
        if len(others) >= PEOPLE_OF_ADDRESS:
            raise BadInput(f"The room holds at most {PEOPLE_OF_ADDRESS} people from one address.")
        key = client, connection, args.me
        self._of[key] += 1
        try:
            yield
        finally:
            self._of[key] -= 1
            if not self._of[key]:
                del self._of[key]

    async def challenge(self, args: p.Challenge, count: Callable[[], None]) -> m.DoneView:
        """Ask somebody for a game, or all; accept by asking the same; with no game, take it back or decline.

        Args:
            args: whom, and for what.
            count: counts a game that begins by it, or refuses it.
        """
        me = self._person(args.me)
        if args.whom is None:
            me.wants = args.game
        else:
            other = self._numbered.get(args.whom)
            if other is None or other is me:
                raise BadInput("Nobody of that number is here to play with.")
            if not args.game:
                _settle(me, other)
            elif args.game in (other.asks.get(me.number), other.wants):
                count()
                await self._agreed(me, other, args.game)
            else:
                me.asks[other.number] = other.asked[me.number] = args.game
        self._tell()
        return m.DoneView()

    async def show(self, args: p.Show) -> m.DoneView:
        """What a teacher shows to all; an empty link lets them go."""
        self._require_teacher(args.teacher)
        self._look, self.exam = args.link, args.exam
        self._tell()
        return m.DoneView()

    async def remove(self, args: p.Remove) -> m.DoneView:
        """Take somebody out of the room, who may come in again under another name."""
        self._require_teacher(args.teacher)
        me = next((me for me, each in self._people.items() if each.number == args.number), None)
        if me is None:
            raise BadInput("There is no person with that number in the room.")
        self._removed.add((me, self._people[me].name))
        self._leave(me)
        return m.DoneView()

    async def _agreed(self, me: _Person, other: _Person, game: str) -> None:
        pair = (me, other) if secrets.randbelow(2) else (other, me)
        made = await self._begin(game, (pair[0].name, pair[1].name))
        sides: tuple[m.Side, m.Side] = ("x", "o")
        for side, person in zip(sides, pair, strict=True):
            person.begins = p.SeatView(id=made.id, side=side, seat=made.seats[side])
            person.wants = ""
        _settle(me, other)

    def _entered(self, args: p.Enter) -> _Person:
        if (args.me, args.name) in self._removed:
            raise _removed(args.name)
        if args.me not in self._people:
            if len(self._people) >= PEOPLE:
                raise BadInput(f"The room is full: it holds {PEOPLE} people.")
            self._numbers += 1
            self._people[args.me] = self._numbered[self._numbers] = _Person(self._numbers, args.name)
        person = self._people[args.me]
        person.name = args.name
        person.tabs += 1
        self._tell()
        return person

    def _leave(self, me: str) -> None:
        """Have somebody here no more."""
        gone = self._people.pop(me)
        del self._numbered[gone.number]
        for number in {*gone.asks, *gone.asked}:
            _settle(gone, self._numbered[number])
        self._tell()

    def _person(self, me: str) -> _Person:
        self._require_open()
        if me not in self._people:
            raise NotYours("Come in first, with a name.")
        return self._people[me]

    def _require_teacher(self, secret: str) -> None:
        self._require_open()
        if not hmac.compare_digest(secret.encode(), self._teacher.encode()):
            raise NotYours("Only the teacher's link, which the terminal has printed, allows that.")

    def _require_open(self) -> None:
        if not self.is_open:
            raise BadInput("This server has no room: plyground web --room opens one.")

    def _tell(self) -> None:
        """Have all followers see what has changed, soon: several changes are one, and each sees the newest."""
        self._lines = None
        self._waking.wake(self._followers)

    def _view(self, person: _Person | None) -> p.RoomView:
        """What somebody may see; None for who only looks on."""
        if self._lines is None:
            here = self._people.values()
            self._lines = [p.PersonView(number=each.number, name=each.name, wants=each.wants) for each in here]
        return p.RoomView.model_construct(  # of what is checked already: there may be many, and to many
            people=self._lines,
            you=person.number if person else 0,
            asks=self._challenges(person.asked) if person else [],
            asked=self._challenges(person.asks) if person else [],
            begins=person.begins if person else None,
            look=self._look,
            exam=self.exam,
        )

    def _challenges(self, games: dict[int, str]) -> list[p.ChallengeView]:
        return [
            p.ChallengeView(number=number, name=self._numbered[number].name, game=game)
            for number, game in games.items()
        ]


def _settle(one: _Person, other: _Person) -> None:
    """Neither asks the other for a game any more."""
    for person, number in ((one, other.number), (other, one.number)):
        person.asks.pop(number, None)
        person.asked.pop(number, None)


def _removed(name: str) -> NotYours:
    return NotYours(f"The teacher has removed the name {name!r} from the room: come in under another.")
