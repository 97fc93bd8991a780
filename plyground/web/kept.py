"""The rules of kept games: who may move, what a move changes, and who is told of it."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from dataclasses import replace
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from sqlalchemy import Engine

from plyground.database.connecting import now
from plyground.errors import BadInput
from plyground.play.game_file import end_line, head_line, move_lines, to_text
from plyground.position import Position
from plyground.web import models as m
from plyground.web.limits import MOST_EVENTS
from plyground.web.live import Live
from plyground.web.memory import Memory, NotFound
from plyground.web.positions import SIDES, position_at
from plyground.web.store import Event, Kept, Store, Taken, hashed, new_id

__all__ = ["KeptGames", "NotFound", "NotYours", "TooLate"]
ATTEMPTS = 3
"""How often an operation is judged, if other servers' events come before it."""
OVERTAKEN = "Somebody else moved first; here is the game as it stands."
Answer = TypeVar("Answer")
Agree = Callable[[str, Position], Awaitable[None]]


class NotYours(BadInput):
    """The secret does not allow it."""


class TooLate(BadInput):
    """The game has gone on since."""


class _OfGame(Protocol):
    """Arguments that name a game."""

    @property
    def id(self) -> str | None: ...


_Args = TypeVar("_Args", bound=_OfGame)
_More = ParamSpec("_More")
_Operation = Callable[Concatenate["KeptGames", _Args, _More], Coroutine[Any, Any, Answer]]


def _judged_by_the_newest(operation: _Operation[_Args, _More, Answer]) -> _Operation[_Args, _More, Answer]:
    """Judge an operation again by what is stored, if something else was stored first: the same sent twice, perhaps.

    A refusal counts only if no other server has stored more than is known here.
    """

    @wraps(operation)
    async def judged(games: "KeptGames", args: _Args, /, *more: _More.args, **named: _More.kwargs) -> Answer:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return await operation(games, args, *more, **named)
            except Taken:
                continue
            except BadInput:
                if attempt == ATTEMPTS or args.id is None or not await games.memory.is_behind(args.id):
                    raise
        raise TooLate(OVERTAKEN)

    return judged


class KeptGames:
    """All kept games. Used from the server's event loop."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.requires: Callable[[str], None] = lambda spec: None
        """Refuses a game whose code may not be run."""
        self.leave: Callable[[str], Awaitable[None]] = _nobody_leaves
        """Ends whoever plays a game that is deleted."""
        self.memory = Memory(store, lambda spec: self.requires(spec), lambda game: self.leave(game))

    async def create(self, args: m.Create) -> m.CreatedView:
        """Keep a new game."""
        position_at(m.At(game=args.game, start=args.start, moves=args.moves))
        players = (args.x, args.o)
        stored = self._store.create(args.game, args.start, args.moves, players)
        number, (x, o) = await asyncio.wrap_future(stored)
        return m.CreatedView(id=number, seats={"x": x, "o": o})

    async def open(self, args: m.Open) -> m.GameView:
        """A game as it stands."""
        return self.memory.seen(await self.memory.load(args.id, newest=True))

    def follow(self, args: m.Follow) -> AsyncGenerator[m.GameView, None]:
        """A game as it stands, and again whenever something has happened in it; ends when it is deleted."""
        return self.memory.follow(args.id, args.seats)

    @_judged_by_the_newest
    async def play(self, args: m.Play) -> m.GameView:
        """Make a move. It is stored when this returns.

        A move that was stored but whose answer was lost can be sent again: the same move at the same ply is no error.
        """
        live = await self.memory.load(args.id)
        side = self._seat(live, args.seat)
        made = live.position.moves[args.ply - 1 : args.ply]
        if made:
            before = live.position.undo(len(live.position.moves) - args.ply + 1)
            if before.to_move == side and made[0] == before.game.parse_move(before.state, args.move):
                return self.memory.seen(live)
            raise TooLate(f"Ply {args.ply} has been played already: {before.game.move_text(before.state, made[0])}.")
        _require_going_on(live)
        if args.ply != len(live.position.moves) + 1:
            raise TooLate(f"Ply {args.ply} is not the next: {len(live.position.moves)} have been played.")
        if live.position.to_move != side:
            raise NotYours(f"It is {live.position.game.names[live.position.to_move]}'s turn, not yours.")
        live.position.legal(args.move)
        return await self._add(live, Event("move", args.move))

    @_judged_by_the_newest
    async def require_asked(self, args: m.Reply) -> None:
        """Refuse a question to a player of a kept game that is not the one it has to answer now.

        Raises:
            TooLate: the game has gone on.
            BadInput: somebody else plays there.
        """
        assert args.id is not None
        live = await self.memory.load(args.id)
        _require_going_on(live)
        asked = position_at(args)
        # by their texts: the rules of a file are read anew each time, and are then other objects
        if (args.game, asked.text, asked.moves) != (live.kept.spec, live.position.text, live.position.moves):
            raise TooLate(f"The game {args.id} is not at this position.")
        player = live.kept.players[live.position.to_move]
        if player != args.player:
            raise BadInput(f"In the game {args.id} it is the turn of {player}, not of {args.player}.")

    async def resigned(self, game: str) -> None:
        """The player elsewhere that is to move gives up."""
        live = await self.memory.load(game)
        await self._add_once(live, Event("resign", SIDES[live.position.to_move]))

    async def undo(self, args: m.Undo, agree: Agree) -> m.GameView:
        """Take plies back; a resignation or an end is taken back with them.

        Args:
            args: which, and by whom.
            agree: brings whoever remembers the game to the earlier position, or refuses.
        """
        live, plies = await self._to_undo(args)
        if not plies:
            return self.memory.seen(live)
        await agree(args.id, live.position.undo(plies))
        return await self._add_once(live, Event("undo", str(plies)))

    @_judged_by_the_newest
    async def _to_undo(self, args: m.Undo) -> tuple[Live, int]:
        """A game, and how many of its plies may be taken back; none if it is not the version that was meant."""
        live = await self.memory.load(args.id, newest=args.version is not None)
        held = {self._seat(live, secret) for secret in args.seats}
        people = {side for side, player in enumerate(live.kept.players) if player == "human"}
        if not held or not people <= held:
            raise NotYours("Where two people play, both seats' secrets are needed to take a move back.")
        if args.version not in (None, len(live.kept.events)):
            return live, 0
        plies = args.plies or live.position.plies_since(people or {0, 1})
        if plies == 0:
            raise BadInput("There is no move to take back.")
        return live, plies

    @_judged_by_the_newest
    async def sit(self, args: m.Sit) -> m.GameView:
        """Take a seat under a name; with a new secret, from whoever has held it. Asked again, it is no error."""
        live = await self.memory.load(args.id)
        side = live.kept.seat_of(args.seat)
        if side is None and args.secret:
            side = live.kept.seat_of(args.secret)
        if side is None:
            raise NotYours("This invitation has been used: somebody has that seat. The game can be watched.")
        if live.kept.players[side] != "human":
            raise BadInput(f"{live.position.game.names[side]} is played by {live.kept.players[side]}.")
        seat = hashed(args.secret or args.seat)
        if (live.kept.seats[side], live.kept.names[side]) == (seat, args.name):
            return self.memory.seen(live)
        seats = (seat, live.kept.seats[1]) if side == 0 else (live.kept.seats[0], seat)
        if seats[0] == seats[1]:
            raise BadInput("The other side has that secret: make a new one.")
        changed = replace(live, kept=replace(live.kept, seats=seats))
        return await self._add(live, Event("sit", f"{SIDES[side]} {args.name}"), changed)

    @_judged_by_the_newest
    async def offer(self, args: m.Offer, count: Callable[[], None]) -> m.GameView:
        """Offer the other person something, or agree to what they offer by offering the same.

        Args:
            args: what, and by whom.
            count: counts a game that begins by it, or refuses it.
        """
        live = await self.memory.load(args.id)
        side = self._seat(live, args.seat)
        if not live.is_between_people:
            raise BadInput("Only where two people play is anything offered.")
        standing = live.offer and (live.offer.side, live.offer.what)
        if standing == (SIDES[1 - side], args.what):
            if args.what == "rematch":
                count()
            return await self._agreed(live, args.what, 1 - side)
        if standing == (SIDES[side], args.what) or (args.what == "no" and not standing):
            return self.memory.seen(live)
        if args.what == "draw":
            _require_going_on(live)
            if not live.position.game.draws:
                raise BadInput("This game cannot end in a draw, so none can be offered.")
        if args.what == "undo" and not live.position.plies_since({side}):
            raise BadInput("There is no move to take back.")
        if args.what == "rematch" and (live.kept.why is None or live.next):
            raise BadInput("A rematch follows a game that is over, once.")
        return await self._add(live, Event("offer", f"{SIDES[side]} {args.what}"))

    async def _agreed(self, live: Live, what: str, offerer: int) -> m.GameView:
        """Do what both want."""
        if what == "undo":
            return await self._add(live, Event("undo", str(live.position.plies_since({offerer}))))
        if what == "draw":
            _require_going_on(live)
            return await self._add(live, Event("draw", ""))
        kept = live.kept
        rematch = replace(
            kept, id=new_id(), created=now(), plies=0, why=None, seats=kept.seats[::-1], names=kept.names[::-1]
        )
        return await self._add(live, Event("rematch", rematch.id), rematch=rematch)

    @_judged_by_the_newest
    async def resign(self, args: m.Resign) -> m.GameView:
        """Give up. Asked again, it is no error."""
        live = await self.memory.load(args.id)
        side = self._seat(live, args.seat)
        if live.ending == Event("resign", SIDES[side]):
            return self.memory.seen(live)
        _require_going_on(live)
        return await self._add(live, Event("resign", SIDES[side]))

    async def page(self, args: m.Games) -> m.GamesView:
        """The kept games, newest first."""
        total, games = await self.memory.ask(lambda: self._store.page(args.limit, args.offset))
        lines = [
            m.GameLine(
                id=kept.id,
                game=kept.spec,
                players={"x": kept.players[0], "o": kept.players[1]},
                names={"x": kept.names[0], "o": kept.names[1]},
                created=kept.created,
                plies=kept.plies,
                why=kept.why,
            )
            for kept in games
        ]
        return m.GamesView(total=total, games=lines)

    async def export(self, args: m.Open) -> m.ExportView:
        """A game as a file that the terminal reads."""
        live = await self.memory.load(args.id, newest=True)
        lines = [head_line(live.kept.spec, live.position, live.kept.players), *move_lines(live.position)]
        if live.kept.why:
            ending = live.ending
            utility = live.position.outcome if ending is None else {"x": -1, "o": 1}.get(ending.text, 0)
            lines.append(end_line(utility, live.kept.why, None))
        return m.ExportView(jsonl="".join(map(to_text, lines)))

    @_judged_by_the_newest
    async def delete(self, args: m.Delete) -> m.DoneView:
        """Delete a game; whoever watches it is told by the stream's end."""
        live = await self.memory.load(args.id)
        self._seat(live, args.seat)
        await self.memory.delete(args.id)
        return m.DoneView()

    def close(self) -> None:
        """Finish what is being stored, and close the database."""
        self.memory.close()

    @property
    def engine(self) -> Engine:
        """The database, for what is read beside the games in a thread of its own."""
        return self._store.engine

    async def beside(self, question: Callable[[Store], Answer]) -> Answer:
        """Ask the database about what stands beside the games, when it is its turn."""
        return await self.memory.ask(lambda: question(self._store))

    async def store_beside(self, work: Callable[[Store], None]) -> None:
        """Write what stands beside the games, between two of their transactions."""
        await asyncio.wrap_future(self._store.beside(lambda: work(self._store)))

    def _seat(self, live: Live, secret: str) -> int:
        side = live.kept.seat_of(secret)
        if side is None:
            raise NotYours("This link has no seat in the game: it can be watched, not played.")
        return side

    async def _add(
        self, live: Live, happened: Event, changed: Live | None = None, rematch: Kept | None = None
    ) -> m.GameView:
        """Store what happened; see `Memory.add`."""
        if len(live.kept.events) >= MOST_EVENTS:
            raise BadInput(f"No more than {MOST_EVENTS:,} things may happen in a game: begin another.")
        return await self.memory.add(live, happened, changed, rematch)

    async def _add_once(self, live: Live, happened: Event) -> m.GameView:
        """Store what means something else once something else has happened.

        Raises:
            TooLate: something has.
        """
        try:
            return await self._add(live, happened)
        except Taken:
            raise TooLate(OVERTAKEN) from None


async def _nobody_leaves(game: str) -> None:
    """Players elsewhere are the affair of whoever has some."""


def _require_going_on(live: Live) -> None:
    if live.kept.why is not None:
        raise TooLate(f"The game is over: {live.kept.why}.")
