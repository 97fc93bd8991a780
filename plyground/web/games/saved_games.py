"""Operations on saved games: permission to move, the change by a move, and notifications."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from sqlalchemy import Engine

from plyground.database.connecting import Unavailable, now
from plyground.errors import BadInput
from plyground.position import Position
from plyground.web.games.game_clock import GameClock, now_seconds
from plyground.web.games.game_export import export
from plyground.web.games.game_state import GameState
from plyground.web.games.memory import Memory, NotFound
from plyground.web.games.replays import Stored
from plyground.web.games.store import Event, GameStore, SavedGame, Taken, hash_secret, new_id
from plyground.web.limits import MOST_EVENTS
from plyground.web.views import models as m
from plyground.web.views.positions import SIDES
from plyground.workers.shares import SERVER, Visitor

__all__ = ["NotFound", "NotYours", "SavedGames", "TooLate"]
ATTEMPTS = 3
"""Attempts at an operation while other servers' events come before it."""
CLOCK_MARGIN_SECONDS = 0.01
"""Seconds after the end of a clock's time at which the game is ended: then the time is up by the clock too."""
OVERTAKEN = "Another player moved first; here is the game as it stands."
Answer = TypeVar("Answer")
Agree = Callable[[str, Position], Awaitable[None]]


class NotYours(BadInput):
    """The secret does not allow it."""


class TooLate(BadInput):
    """The game has gone on since."""


class _GameArguments(Protocol):
    """Arguments that name a game."""

    @property
    def id(self) -> str | None: ...


_Args = TypeVar("_Args", bound=_GameArguments)
_More = ParamSpec("_More")
_Operation = Callable[Concatenate["SavedGames", _Args, _More], Coroutine[Any, Any, Answer]]


def _retry_on_newer_events(operation: _Operation[_Args, _More, Answer]) -> _Operation[_Args, _More, Answer]:
    """Run an operation again on the stored game if another event was stored first, such as the same request sent twice.

    A refusal counts only if no other server has stored newer events.
    """

    @wraps(operation)
    async def judge(games: "SavedGames", args: _Args, /, *more: _More.args, **named: _More.kwargs) -> Answer:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return await operation(games, args, *more, **named)
            # The request is judged anew on the state with the other event: what was allowed may not be any more.
            except Taken:
                continue
            except BadInput:
                # A refusal counts only if there is nothing newer: it must not rest on memory that is behind.
                if attempt == ATTEMPTS or args.id is None or not await games.memory.is_behind(args.id):
                    raise
        raise TooLate(OVERTAKEN)

    return judge


class SavedGames:
    """All saved games. Used from the server's event loop."""

    def __init__(self, store: GameStore) -> None:
        self._store = store
        self.requires: Callable[[str], None] = lambda spec: None
        """Refuses a game whose code may not be run."""
        self.leave: Callable[[str], Awaitable[None]] = _no_players
        """Ends the external players of a game that is deleted."""
        self._clock_timers: dict[str, asyncio.TimerHandle] = {}
        """Timer that ends each game with a running clock, by the game's id."""
        self.memory: Memory = Memory(
            store, lambda spec: self.requires(spec), lambda game: self.leave(game), self._watch_clock
        )

    async def create(self, args: m.Create) -> m.CreatedView:
        """Save a new game."""
        await self.memory.replays.position(m.At(game=args.game, start=args.start, moves=args.moves))
        players = (args.x, args.o)
        if args.clock:
            GameClock.of(args.clock)
        # The clock's event comes first: it is part of the game before its first move.
        events = [*([Event("clock", args.clock)] if args.clock else []), *(Event("move", move) for move in args.moves)]
        stored = self._store.create(args.game, args.start, events, players)
        saved, (x, o) = await asyncio.wrap_future(stored)
        return m.CreatedView(id=saved.id, seats={"x": x, "o": o}, game=await self.memory.begin_game(saved))

    async def open(self, args: m.Open) -> m.GameView:
        """Returns a game's view."""
        return self.memory.spectator_view(await self.memory.load(args.id, newest=True))

    def stream_game(self, args: m.Follow, visitor: Visitor = SERVER) -> AsyncGenerator[m.GameView, None]:
        """Yields a game's view now and after each event; ends when the game is deleted."""
        return self.memory.stream_game(args.id, args.seats, visitor)

    async def require_unwatched(self, at: m.At, visitor: Visitor) -> None:
        """Refuse an engine's help with a game between people that a visitor's connection follows, in any of its
        positions, and in what comes after it. What another connection of the same person asks cannot be known.

        Raises:
            BadInput: the game goes on, and its people have not agreed on that.
        """
        for state, held in list(self.memory.list_followed_games(visitor)):
            if not state.is_helped(held) and state.covers(await self.memory.replays.position(at)):
                raise BadInput("Two people play this game: until the end no engine helps, unless both agree on that.")

    @_retry_on_newer_events
    async def play(self, args: m.Play) -> m.GameView:
        """Make a move. It is stored when this returns.

        A stored move whose answer was lost can be sent again: the same move at the same ply is no error.
        """
        state = await self.memory.load(args.id)
        side = self._require_seat(state, args.seat)
        made = state.position.moves[args.ply - 1 : args.ply]
        if made:
            # The answer to a move may have been lost on its way: the same move again is answered,
            # not refused.
            before = state.position.undo(len(state.position.moves) - args.ply + 1)
            if before.to_move == side and made[0] == before.game.parse_move(before.state, args.move):
                return self.memory.spectator_view(state)
            raise TooLate(f"Another move has been made there already: {before.game.move_text(before.state, made[0])}.")
        _require_going_on(state)
        if args.ply != len(state.position.moves) + 1:
            raise TooLate(f"This is move {args.ply} of the game, and {len(state.position.moves)} have been made.")
        if state.position.to_move != side:
            raise NotYours(f"It is {state.position.game.names[state.position.to_move]}'s turn, not yours.")
        state.position.legal(args.move)
        # A move that comes after the flag has fallen is stored as that fall.
        return await self._store_event(state, state.time_is_up or Event("move", args.move))

    @_retry_on_newer_events
    async def require_asked(self, args: m.Reply) -> None:
        """Refuse a request for a player's move that does not fit the saved game's position and player.

        Raises:
            TooLate: the game has continued.
            BadInput: another player plays there.
        """
        assert args.id is not None
        state = await self.memory.load(args.id)
        _require_going_on(state)
        asked = await self.memory.replays.position(args)
        # as texts: a user's file is loaded each time, so its games are different objects
        if (args.game, asked.text, asked.moves) != (state.saved.spec, state.position.text, state.position.moves):
            raise TooLate(f"The game {args.id} is not at this position.")
        player = state.saved.players[state.position.to_move]
        if player != args.player:
            raise BadInput(f"In the game {args.id} it is the turn of {player}, not of {args.player}.")

    async def resign_for_player(self, game: str) -> None:
        """The external player that is to move resigns."""
        state = await self.memory.load(game)
        await self._add_once(state, Event("resign", SIDES[state.position.to_move]))

    async def undo(self, args: m.Undo, agree: Agree) -> m.GameView:
        """Take plies back; a resignation or an end is taken back with them, but no fall of a flag.

        Args:
            args: the plies, and who asks.
            agree: sets external players to the earlier position, or refuses.
        """
        state, plies = await self._require_undoable(args)
        if not plies:
            return self.memory.spectator_view(state)
        # Programs are asked first: one that cannot take back refuses before anything is stored.
        await agree(args.id, state.position.undo(plies))
        return await self._add_once(state, Event("undo", str(plies)))

    @_retry_on_newer_events
    async def _require_undoable(self, args: m.Undo) -> tuple[GameState, int]:
        """Returns a game, and how many plies may be taken back; 0 if the game is not of the requested version."""
        state = await self.memory.load(args.id, newest=args.version is not None)
        held = {self._require_seat(state, secret) for secret in args.seats}
        people = {side for side, player in enumerate(state.saved.players) if player == "human"}
        if not held or not people <= held:
            raise NotYours("Where two people play, both seats' secrets are needed to take a move back.")
        if args.version not in (None, len(state.saved.events)):
            return state, 0
        _require_time(state)
        plies = args.plies or state.position.plies_since(people or {0, 1})
        if plies == 0:
            raise BadInput("There is no move to take back.")
        return state, plies

    @_retry_on_newer_events
    async def sit(self, args: m.Sit) -> m.GameView:
        """Take a seat under a name; with a new secret, from its holder so far. A repeated request is no error."""
        state = await self.memory.load(args.id)
        side = state.saved.seat_of(args.seat)
        if side is None and args.secret:
            side = state.saved.seat_of(args.secret)
        if side is None:
            raise NotYours("This invitation has been used: that seat is taken. The game can be watched.")
        if state.saved.players[side] != "human":
            raise BadInput(f"{state.position.game.names[side]} is played by {state.saved.players[side]}.")
        seat = hash_secret(args.secret or args.seat)
        if (state.saved.seats[side], state.saved.names[side]) == (seat, args.name):
            return self.memory.spectator_view(state)
        seats = (seat, state.saved.seats[1]) if side == 0 else (state.saved.seats[0], seat)
        # One secret for two seats could not say whose move it is.
        if seats[0] == seats[1]:
            raise BadInput("The other side has that secret: make a new one.")
        changed = replace(state, saved=replace(state.saved, seats=seats))
        return await self._store_event(state, Event("sit", f"{SIDES[side]} {args.name}"), changed)

    @_retry_on_newer_events
    async def offer(self, args: m.Offer, count: Callable[[], None]) -> m.GameView:
        """Make an offer to the other person, or accept theirs by making the same.

        Args:
            args: the offer, and who makes it.
            count: counts a game that begins by it, or refuses it.
        """
        state = await self.memory.load(args.id)
        side = self._require_seat(state, args.seat)
        if not state.is_between_people:
            raise BadInput("Only where two people play is anything offered.")
        standing = state.offer and (state.offer.side, state.offer.what)
        # The same offer from the other side is agreement, so a lost answer can be sent again, too.
        if standing == (SIDES[1 - side], args.what):
            if args.what == "rematch":
                count()
            return await self._do_agreement(state, args.what, 1 - side)
        if standing == (SIDES[side], args.what) or (args.what == "no" and not standing):
            return self.memory.spectator_view(state)
        if args.what == "draw":
            _require_going_on(state)
            if not state.position.game.draws:
                raise BadInput("This game cannot end in a draw, so none can be offered.")
        if args.what == "help":
            _require_going_on(state)
            if state.help:
                raise BadInput("Both have agreed on an engine's help already.")
        if args.what == "undo":
            _require_time(state)
            if not state.position.plies_since({side}):
                raise BadInput("There is no move to take back.")
        if args.what == "rematch" and (state.saved.why is None or state.next):
            raise BadInput("A rematch follows a game that is over, once.")
        return await self._store_event(state, Event("offer", f"{SIDES[side]} {args.what}"))

    async def _do_agreement(self, state: GameState, what: str, offerer: int) -> m.GameView:
        """Store the event that both players have agreed to."""
        if what == "undo":
            return await self._store_event(state, Event("undo", str(state.position.plies_since({offerer}))))
        if what == "draw":
            _require_going_on(state)
            return await self._store_event(state, Event("draw", ""))
        if what == "help":
            _require_going_on(state)
            return await self._store_event(state, Event("help", ""))
        saved = state.saved
        rematch = replace(
            saved,
            id=new_id(),
            created=now(),
            plies=0,
            why=None,
            # Sides are swapped and secrets go with the people, whose links stay valid.
            seats=saved.seats[::-1],
            names=saved.names[::-1],
            events=tuple(Event("clock", each.text) for each in saved.events if each.kind == "clock"),
        )
        return await self._store_event(state, Event("rematch", rematch.id), rematch=rematch)

    @_retry_on_newer_events
    async def resign(self, args: m.ResignGame) -> m.GameView:
        """Resign. A repeated request is no error."""
        state = await self.memory.load(args.id)
        side = self._require_seat(state, args.seat)
        if state.ending == Event("resign", SIDES[side]):
            return self.memory.spectator_view(state)
        _require_going_on(state)
        return await self._store_event(state, Event("resign", SIDES[side]))

    def _watch_clock(self, state: GameState) -> None:
        """End the game when the time of the side to move is up, unless it moves before."""
        game, clock = state.saved.id, state.clock
        if before := self._clock_timers.pop(game, None):
            before.cancel()
        if clock is None or clock.since is None:
            return
        mover = state.position.to_move
        # A timer of this process alone; after a restart it is set when the game is read again.
        wait = max(clock.remaining(mover, mover, now_seconds()), 0.0) + CLOCK_MARGIN_SECONDS
        loop = asyncio.get_running_loop()
        self._clock_timers[game] = loop.call_later(wait, lambda: self.memory.begin(self._end_by_time(game)))

    async def _end_by_time(self, game: str) -> None:
        """Store that a side's time is up, if it is; another server may have done so."""
        with suppress(BadInput, Unavailable, Taken):  # deleted, over, or the next request tries it again
            state = await self.memory.load(game, newest=True)
            if fallen := state.time_is_up:
                await self._store_event(state, fallen)

    async def page(self, args: m.Games) -> m.GamesView:
        """The saved games, newest first."""
        total, games = await self.memory.ask(lambda: self._store.page(args.limit, args.offset))
        lines = [
            m.GameLine(
                id=saved.id,
                game=saved.spec,
                players={"x": saved.players[0], "o": saved.players[1]},
                names={"x": saved.names[0], "o": saved.names[1]},
                created=saved.created,
                plies=saved.plies,
                why=saved.why,
            )
            for saved in games
        ]
        return m.GamesView(total=total, games=lines)

    async def export(self, args: m.Open) -> m.ExportView:
        """A game as files."""
        state = await self.memory.load(args.id, newest=True)
        made: m.ExportView = await self.memory.replays.work(export, Stored(saved=state.saved))
        return made

    @_retry_on_newer_events
    async def delete(self, args: m.Delete) -> m.DoneView:
        """Delete a game; its watchers' streams end."""
        state = await self.memory.load(args.id)
        self._require_seat(state, args.seat)
        await self.memory.delete(args.id)
        return m.DoneView()

    def close(self) -> None:
        """Wait for pending writes, and close the database."""
        for flag in self._clock_timers.values():
            flag.cancel()
        self.memory.close()

    @property
    def engine(self) -> Engine:
        """The database, for other tables that are read in a thread of their own."""
        return self._store.engine

    async def beside(self, question: Callable[[GameStore], Answer]) -> Answer:
        """Query other tables in the database's thread."""
        return await self.memory.ask(lambda: question(self._store))

    async def store_beside(self, work: Callable[[GameStore], None]) -> None:
        """Write to other tables, between two transactions of games."""
        await asyncio.wrap_future(self._store.beside(lambda: work(self._store)))

    def _require_seat(self, state: GameState, secret: str) -> int:
        side = state.saved.seat_of(secret)
        if side is None:
            raise NotYours("This link has no seat in the game: it can be watched, not played.")
        return side

    async def _store_event(
        self, state: GameState, happened: Event, changed: GameState | None = None, rematch: SavedGame | None = None
    ) -> m.GameView:
        """Store an event; see `Memory.add`."""
        # A bound in events and not in moves: offers and take-backs fill a database as well.
        if len(state.saved.events) >= MOST_EVENTS:
            raise BadInput(f"No more than {MOST_EVENTS:,} things may happen in a game: begin another.")
        return await self.memory.add(state, happened, changed, rematch)

    async def _add_once(self, state: GameState, happened: Event) -> m.GameView:
        """Store an event that is valid only if no other event came first.

        Raises:
            TooLate: another event came first.
        """
        try:
            return await self._store_event(state, happened)
        except Taken:
            raise TooLate(OVERTAKEN) from None


async def _no_players(game: str) -> None:
    """Default of `leave`: there are no external players."""


def _require_time(state: GameState) -> None:
    """Refuse a change of a game that a clock has ended: the side whose flag fell has no time to play on with."""
    if state.ending and state.ending.kind == "flag":
        _require_going_on(state)


def _require_going_on(state: GameState) -> None:
    if state.saved.why is not None:
        raise TooLate(f"The game is over: {state.saved.why}.")
