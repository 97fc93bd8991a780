"""Classroom of a server: people present, their challenges, and the page that the teacher shows to all.

It exists as long as the server runs. A challenge that answers the same challenge accepts it, so one operation serves
for both.
"""

import asyncio
import hmac
import secrets
from collections import Counter, deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from plyground.errors import BadInput
from plyground.web.classroom import classroom_models as p
from plyground.web.classroom.pairings import Pairings, RoomGame
from plyground.web.classroom.progress import ClassWork
from plyground.web.games.audience import Waker
from plyground.web.games.saved_games import NotYours
from plyground.web.limits import MOST_PEOPLE, MOST_PEOPLE_OF_ADDRESS
from plyground.web.views import models as m
from plyground.workers.fair_queue import Stop
from plyground.workers.pool import WorkerStopped

Begin = Callable[[str, tuple[str, str]], Awaitable[m.CreatedView]]
"""Saves a new game between two people of these names."""
Read = Callable[[str], Awaitable[m.GameView]]
"""Reads a saved game by its id."""
MOST_MEETINGS = 400
"""Games that the classroom remembers."""
MOST_KNOWN = 4 * MOST_PEOPLE
"""Most people whose numbers the classroom remembers."""
WAKE_PAUSE = 0.02
"""Seconds between two groups of followers that are woken, for all other requests."""


@dataclass(eq=False)
class _Person:
    """A person in the classroom, in one or more tabs."""

    number: int
    name: str
    tabs: int = 0
    wants: str = ""
    """The game offered to all."""
    asks: dict[int, str] = field(default_factory=dict)
    """Challenges to others: game by their number."""
    asked: dict[int, str] = field(default_factory=dict)
    """Challenges from others: game by their number."""
    begins: p.SeatView | None = None
    """The last agreed game, and this person's seat in it."""


class Classroom:
    """The classroom of a server. Used from its event loop."""

    def __init__(self, begin: Begin, read: Read, teacher: str = "") -> None:
        """Make a classroom whose teacher has this secret; without a secret it is closed."""
        self._begin, self._read, self._teacher = begin, read, teacher
        self._games: deque[p.MeetingView] = deque(maxlen=MOST_MEETINGS)
        """The games that began here, the newest first."""
        self._pairings = Pairings("swiss")
        self._rungs: list[int] = []
        self._pairing = asyncio.Lock()
        self._resting: list[p.RestView] = []
        """People without a game in the rounds of the tournament."""
        self._people: dict[str, _Person] = {}
        self._numbered: dict[int, _Person] = {}
        self._numbers = 0
        self._known: dict[str, int] = {}
        """Numbers of people by their secrets, the last to enter at the end: a reload of the page keeps the number."""
        self._places: Counter[tuple[str, object, str]] = Counter()
        """Number of places held by each address, connection and secret."""
        self._removal_of: set[tuple[str, str]] = set()
        """Removed people: secrets, with the names under which they may not enter again."""
        self._progress = ClassWork()
        self._followers: dict[asyncio.Event, None] = {}
        self._readers: dict[asyncio.Event, None] = {}
        """The teacher's pages that follow what the class has solved."""
        self._people_views: list[p.PersonView] | None = None
        """Cached public list of the people in the classroom; None if it has to be made again."""
        self._waking = Waker(WAKE_PAUSE)
        self._shown_link = ""
        self.exam: bool = False
        """Whether results of searches are hidden from all."""
        self._hidden_searches = set[Stop]()
        """Searches in progress whose results an exam hides."""

    @property
    def is_open(self) -> bool:
        """Whether the server was started with a classroom."""
        return bool(self._teacher)

    async def stream_room(self, args: p.Enter) -> AsyncGenerator[p.RoomView, None]:
        """Enter the classroom. Yields its view now and after each change. A client without a name only watches."""
        self._require_open()
        person = self._enter_person(args) if args.name else None
        news = asyncio.Event()
        self._followers[news] = None
        try:
            while True:
                yield self._view(person)
                await news.wait()
                news.clear()
                # The teacher has removed this person meanwhile; the page is told, and must not come
                # back under the same name.
                if person and self._people.get(args.me) is not person:
                    raise _removal_of(args.name)
        finally:
            del self._followers[news]
            if person:
                person.tabs -= 1
                if not person.tabs and self._people.get(args.me) is person:
                    self._leave(args.me)

    def person_at(self, connection: object) -> str | None:
        """Secret of the person in the classroom on a connection; None for no person."""
        return next((me for _, by, me in self._places if by == connection and by is not None), None)

    @contextmanager
    def place(self, args: p.Enter, client: str, connection: object) -> Iterator[None]:
        """Context that holds a place for a person, counted by address and connection.

        Raises:
            BadInput: another person holds a place by this connection, or the address has too many people.
        """
        if not args.name:
            yield
            return
        # Without this check one program could fill the room with names over one connection.
        if any(by == connection and me != args.me for _, by, me in self._places):
            raise BadInput("A connection can bring only one person into the room.")
        # People are counted by their secrets: the tabs of one person are one.
        others = {me for address, _, me in self._places if address == client} - {args.me}
        if len(others) >= MOST_PEOPLE_OF_ADDRESS:
            raise BadInput(f"The room holds at most {MOST_PEOPLE_OF_ADDRESS} people from one address.")
        key = client, connection, args.me
        self._places[key] += 1
        try:
            yield
        finally:
            self._places[key] -= 1
            if not self._places[key]:
                del self._places[key]

    async def challenge(self, args: p.Challenge, count: Callable[[], None]) -> m.DoneView:
        """Challenge one person or all; the same challenge in return accepts; without a game it withdraws or declines.

        Args:
            args: the person and the game.
            count: counts a game that begins by it, or refuses it.
        """
        me = self._require_person(args.me)
        if args.whom is None:
            me.wants = args.game
        else:
            other = self._numbered.get(args.whom)
            if other is None or other is me:
                raise BadInput("There is no person of that number here to play with.")
            if not args.game:
                _delete_challenges(me, other)
            # A challenge in return accepts the same game alone, clock included: another game is a challenge of its own.
            elif args.game in (other.asks.get(me.number), other.wants):
                count()
                await self._end_by_agreement(me, other, args.game)
            else:
                me.asks[other.number] = other.asked[me.number] = args.game
        self._wake_followers()
        return m.DoneView()

    async def show(self, args: p.Show) -> m.DoneView:
        """Show a page to all, as the teacher; an empty link ends that."""
        self._require_teacher(args.teacher)
        self._shown_link, self.exam = args.link, args.exam
        # Searches are stopped at once: the next report of one would show a good move.
        for stop in self._hidden_searches if args.exam else ():
            stop()
        self._wake_followers()
        return m.DoneView()

    @contextmanager
    def until_exam(self, stop: Stop) -> Iterator[None]:
        """Stop a search as soon as an exam begins: its next result could be a long time in coming.

        Raises:
            BadInput: an exam began before the search had a result.
        """
        self._hidden_searches.add(stop)
        try:
            yield
        except WorkerStopped:
            if not self.exam:
                raise
            raise BadInput("An exam is on in the room: it ended this search.") from None
        finally:
            self._hidden_searches.discard(stop)

    async def remove(self, args: p.Remove) -> m.DoneView:
        """Remove a person from the classroom; the same browser may enter again under another name."""
        self._require_teacher(args.teacher)
        me = next((me for me, each in self._people.items() if each.number == args.number), None)
        if me is None:
            raise BadInput("There is no person with that number in the room.")
        self._removal_of.add((me, self._people[me].name))
        self._progress.forget(me)
        self._known.pop(me, None)
        self._waking.wake(self._readers)
        self._leave(me)
        return m.DoneView()

    async def work(self, args: p.Work) -> m.DoneView:
        """Store a present person's solved exercises, for the teacher."""
        self._progress.note(args.me, self._require_person(args.me).name, args.lessons, self._people)
        self._waking.wake(self._readers)
        return m.DoneView()

    async def stream_class(self, args: p.ClassQuery) -> AsyncGenerator[p.ClassView, None]:
        """Yields the class's solved exercises to the teacher, now and after each change."""
        self._require_teacher(args.teacher)
        news = asyncio.Event()
        self._readers[news] = None
        try:
            while True:
                yield self._progress.view
                await news.wait()
                news.clear()
        finally:
            del self._readers[news]

    async def class_file(self, args: p.ClassQuery) -> p.ClassFile:
        """The class's solved exercises as CSV, for the teacher."""
        self._require_teacher(args.teacher)
        return p.ClassFile(text=self._progress.csv)

    async def pair(self, args: p.NextRound) -> m.DoneView:
        """Begin the next round of the tournament, as the teacher: a game for each pair, which opens at both.

        In an open game of the last round, a person who has left loses it for the tournament.

        Raises:
            BadInput: there are fewer than two people, or games between people who are here go on.
        """
        self._require_teacher(args.teacher)
        # Rounds begin one at a time: two presses of the button must not begin two.
        async with self._pairing:
            if args.anew or self._pairings.form != args.form:
                self._pairings = Pairings(args.form)
                self._resting = []
                self._rungs = []
                for game in self._games:
                    game.round = 0
            people = {**self._numbered}
            for meeting in self._pairings.unfinished_games:
                # The result is read from the saved game: one from the page would be what a browser says.
                share = _x_share(await self._read(meeting.id))
                meeting.share = meeting.forfeit_share(people) if share is None else share
            pairs = self._pairings.next([*people])
            shares = {each.id: each.share for meetings in self._pairings.rounds for each in meetings}
            for game in self._games:
                game.share = shares.get(game.id)
            number, meetings = len(self._pairings.rounds) + 1, list[RoomGame]()
            for x, o in pairs:
                made = await self._open_game((people[x], people[o]), args.game, number)
                meetings.append(RoomGame(made.id, x, o))
            self._rungs = self._pairings.rungs(people) if args.form == "ladder" else []
            self._pairings.begin([*people], meetings)
            self._resting += [
                p.RestView(round=number, number=each, name=people[each].name, points=self._pairings.bye)
                for each in self._pairings.resting[-1]
            ]
        self._wake_followers()
        return m.DoneView()

    async def _end_by_agreement(self, me: _Person, other: _Person, game: str) -> None:
        # Sides are drawn by lot: who challenges has no say in who begins.
        await self._open_game((me, other) if secrets.randbelow(2) else (other, me), game)
        _delete_challenges(me, other)

    async def _open_game(self, pair: tuple[_Person, _Person], game: str, number: int = 0) -> m.CreatedView:
        """Begin a game between two people, x first; in a round of the tournament its number."""
        made = await self._begin(game, (pair[0].name, pair[1].name))
        sides: tuple[m.Side, m.Side] = ("x", "o")
        for side, person in zip(sides, pair, strict=True):
            person.begins = p.SeatView(id=made.id, side=side, seat=made.seats[side])
            person.wants = ""
        x, o = pair
        numbers = x.number, o.number
        self._games.appendleft(p.MeetingView(id=made.id, game=game, round=number, x=x.name, o=o.name, numbers=numbers))
        return made

    def _enter_person(self, args: p.Enter) -> _Person:
        if (args.me, args.name) in self._removal_of:
            raise _removal_of(args.name)
        if args.me not in self._people:
            if len(self._people) >= MOST_PEOPLE:
                raise BadInput(f"The room is full: it holds {MOST_PEOPLE} people.")
            number = self._number_of(args.me)
            self._people[args.me] = self._numbered[number] = _Person(number, args.name)
        person = self._people[args.me]
        person.name = args.name
        person.tabs += 1
        self._wake_followers()
        return person

    def _number_of(self, me: str) -> int:
        """Number of a person that enters: the earlier one of the same secret, or a new one."""
        number = self._known.pop(me, 0)
        if not number:
            self._numbers += 1
            number = self._numbers
        # Put at the end: the first is the person who has been away longest.
        self._known[me] = number
        if len(self._known) > MOST_KNOWN:
            del self._known[next(iter(self._known))]
        return number

    def _leave(self, me: str) -> None:
        """Delete a person that has left, with their challenges."""
        gone = self._people.pop(me)
        del self._numbered[gone.number]
        for number in {*gone.asks, *gone.asked}:
            _delete_challenges(gone, self._numbered[number])
        self._wake_followers()

    def _require_person(self, me: str) -> _Person:
        self._require_open()
        if me not in self._people:
            raise NotYours("Come in first, with a name.")
        return self._people[me]

    def _require_teacher(self, secret: str) -> None:
        self._require_open()
        # The comparison takes constant time, so that an answer's delay tells nothing of the secret.
        if not hmac.compare_digest(secret.encode(), self._teacher.encode()):
            raise NotYours("Only the teacher's link, which the terminal has printed, allows that.")

    def _require_open(self) -> None:
        if not self.is_open:
            raise BadInput("This server has no classroom: the command plyground web --room starts one that has.")

    def _wake_followers(self) -> None:
        """Wake all followers soon; several changes are sent as one, and each follower gets the newest view."""
        self._people_views = None
        self._waking.wake(self._followers)

    def _view(self, person: _Person | None) -> p.RoomView:
        """View for a person; None for a client that only watches."""
        if self._people_views is None:
            here = self._people.values()
            self._people_views = [p.PersonView(number=each.number, name=each.name, wants=each.wants) for each in here]
        return p.RoomView.model_construct(  # unchecked, since it is made of checked parts, and often
            people=self._people_views,
            you=person.number if person else 0,
            asks=self._challenges(person.asked) if person else [],
            asked=self._challenges(person.asks) if person else [],
            begins=person.begins if person else None,
            games=[*self._games],
            rungs=[*self._rungs],
            round=len(self._pairings.rounds),
            resting=[*self._resting],
            look=self._shown_link,
            exam=self.exam,
        )

    def _challenges(self, games: dict[int, str]) -> list[p.ChallengeView]:
        return [
            p.ChallengeView(number=number, name=self._numbered[number].name, game=game)
            for number, game in games.items()
        ]


def _delete_challenges(one: _Person, other: _Person) -> None:
    """Delete the challenges between two people."""
    for person, number in ((one, other.number), (other, one.number)):
        person.asks.pop(number, None)
        person.asked.pop(number, None)


def _x_share(view: m.GameView) -> float | None:
    """Points of x in a game: 1, 1/2 or 0; None while it goes on."""
    if not view.over:
        return None
    return 0.5 if view.winner is None else float(view.winner == "x")


def _removal_of(name: str) -> NotYours:
    return NotYours(f"The teacher has removed the name {name!r} from the room: come in under another.")
