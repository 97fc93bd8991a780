"""The rules of kept games: who may move, what a move changes, and who is told of it."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TypeVar, cast

from plyground.errors import BadInput
from plyground.play.game_file import end_line, head_line, move_lines, to_text
from plyground.position import Position
from plyground.web import models as m
from plyground.web.positions import SIDES, position_at, view
from plyground.web.store import Event, Kept, Store, Taken

REMEMBERED = 1_000
"""Games held in memory beside the database, so that a move need not read all before it."""
Answer = TypeVar("Answer")
Agree = Callable[[str, Position], Awaitable[None]]


class NotFound(BadInput):
    """There is no such game."""


class NotYours(BadInput):
    """The secret does not allow it."""


class TooLate(BadInput):
    """The game has gone on since."""


@dataclass(frozen=True)
class Live:
    """A kept game and the position it has come to."""

    kept: Kept
    position: Position

    @classmethod
    def of(cls, kept: Kept) -> "Live":
        """Play all that happened."""
        position = position_at(m.At(game=kept.spec, start=kept.start))
        live = cls(replace(kept, events=(), plies=0), position)
        for happened in kept.events:
            live = live.after(happened)
        return live

    def after(self, happened: Event) -> "Live":
        """The game once something more has happened in it.

        Raises:
            BadInput: a move that is not legal, or more plies taken back than there are.
        """
        position, why = self.position, None
        if happened.kind == "move":
            position = position.play(happened.text)
            why = None if position.outcome is None else position.result
        elif happened.kind == "undo":
            position = position.undo(int(happened.text))
        else:
            why = f"{position.game.names[SIDES.index(happened.text)]} resigns"
        events = (*self.kept.events, happened)
        return Live(replace(self.kept, events=events, plies=len(position.moves), why=why), position)

    @property
    def winner(self) -> m.Side | None:
        """Who has won, also because the other has given up; None while it goes on, and where nobody has."""
        last = self.kept.events[-1:]
        if last and last[0].kind == "resign":
            return SIDES[1 - SIDES.index(cast(m.Side, last[0].text))]
        return SIDES[int(self.position.outcome < 0)] if self.position.outcome else None

    def view(self) -> m.GameView:
        """As everyone may see it."""
        kept = self.kept
        return m.GameView(
            id=kept.id,
            version=len(kept.events),
            players={"x": kept.players[0], "o": kept.players[1]},
            created=kept.created,
            over=kept.why is not None,
            why=kept.why,
            winner=self.winner,
            position=view(kept.spec, self.position),
        )


class KeptGames:
    """All kept games. Used from the server's event loop; the database is asked in one thread of its own."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="plyground database")
        self._live: dict[str, Live] = {}
        self._watchers: dict[str, set[asyncio.Queue[m.GameView | None]]] = {}

    async def create(self, args: m.Create) -> m.CreatedView:
        """Keep a new game."""
        position_at(m.At(game=args.game, start=args.start, moves=args.moves))
        players = (args.x, args.o)
        number, (x, o) = await self._ask(lambda: self._store.create(args.game, args.start, args.moves, players))
        return m.CreatedView(id=number, seats={"x": x, "o": o})

    async def open(self, args: m.Open) -> m.GameView:
        """A game as it stands."""
        return (await self._load(args.id)).view()

    async def follow(self, args: m.Open) -> AsyncGenerator[m.GameView, None]:
        """A game as it stands, and again after everything that happens in it; ends when it is deleted."""
        queue: asyncio.Queue[m.GameView | None] = asyncio.Queue()
        watchers = self._watchers.setdefault(args.id, set())
        watchers.add(queue)
        try:
            yield await self.open(args)
            while seen := await queue.get():
                yield seen
        finally:
            watchers.discard(queue)
            if not watchers:
                self._watchers.pop(args.id, None)

    async def play(self, args: m.Play) -> m.GameView:
        """Make a move. It is stored when this returns.

        A move that was stored but whose answer was lost can be sent again: the same move at the same ply is no error.
        """
        live = await self._load(args.id)
        side = self._seat(live, args.seat)
        made = live.position.moves[args.ply - 1 : args.ply]
        if made:
            before = live.position.undo(len(live.position.moves) - args.ply + 1)
            if before.to_move == side and made[0] == before.game.parse_move(before.state, args.move):
                return live.view()
            raise TooLate(f"Ply {args.ply} has been played already: {before.game.move_text(before.state, made[0])}.")
        _require_going_on(live)
        if args.ply != len(live.position.moves) + 1:
            raise TooLate(f"Ply {args.ply} is not the next: {len(live.position.moves)} have been played.")
        if live.position.to_move != side:
            raise NotYours(f"It is {live.position.game.names[live.position.to_move]}'s turn, not yours.")
        live.position.legal(args.move)
        return await self._add(live, Event("move", args.move))

    def is_watched(self, game: str) -> bool:
        """Whether somebody follows a game, and it still goes on."""
        live = self._live.get(game)
        return game in self._watchers and live is not None and live.kept.why is None

    async def require_asked(self, args: m.Reply) -> None:
        """Refuse a question to a player of a kept game that is not the one it has to answer now.

        Raises:
            TooLate: the game has gone on.
            BadInput: somebody else plays there.
        """
        assert args.id is not None
        live = await self._load(args.id)
        _require_going_on(live)
        if position_at(args) != live.position:
            raise TooLate(f"The game {args.id} is not at this position.")
        player = live.kept.players[live.position.to_move]
        if player != args.player:
            raise BadInput(f"In the game {args.id} it is the turn of {player}, not of {args.player}.")

    async def resigned(self, game: str) -> None:
        """The player elsewhere that is to move gives up."""
        live = await self._load(game)
        await self._add(live, Event("resign", SIDES[live.position.to_move]))

    async def undo(self, args: m.Undo, agree: Agree) -> m.GameView:
        """Take plies back; a resignation or an end is taken back with them.

        Args:
            args: which, and by whom.
            agree: brings whoever remembers the game to the earlier position, or refuses.
        """
        live = await self._load(args.id)
        held = {self._seat(live, secret) for secret in args.seats}
        people = {side for side, player in enumerate(live.kept.players) if player == "human"}
        if not held or not people <= held:
            raise NotYours("Where two people play, both seats' secrets are needed to take a move back.")
        plies = args.plies or live.position.plies_since(people or {0, 1})
        if plies == 0:
            raise BadInput("There is no move to take back.")
        await agree(args.id, live.position.undo(plies))
        return await self._add(live, Event("undo", str(plies)))

    async def resign(self, args: m.Resign) -> m.GameView:
        """Give up."""
        live = await self._load(args.id)
        side = self._seat(live, args.seat)
        _require_going_on(live)
        return await self._add(live, Event("resign", SIDES[side]))

    async def page(self, args: m.Games) -> m.GamesView:
        """The kept games, newest first."""
        total, games = await self._ask(lambda: self._store.page(args.limit, args.offset))
        lines = [
            m.GameLine(
                id=kept.id,
                game=kept.spec,
                players={"x": kept.players[0], "o": kept.players[1]},
                created=kept.created,
                plies=kept.plies,
                why=kept.why,
            )
            for kept in games
        ]
        return m.GamesView(total=total, games=lines)

    async def export(self, args: m.Open) -> m.ExportView:
        """A game as a file that the terminal reads."""
        live = await self._load(args.id)
        lines = [head_line(live.kept.spec, live.position, live.kept.players), *move_lines(live.position)]
        if live.kept.why:
            resigned = live.kept.events[-1] if live.kept.events[-1:] and live.kept.events[-1].kind == "resign" else None
            utility = live.position.outcome if resigned is None else (-1 if resigned.text == "x" else 1)
            lines.append(end_line(utility, live.kept.why, None))
        return m.ExportView(jsonl="".join(map(to_text, lines)))

    async def delete(self, args: m.Delete) -> m.DoneView:
        """Delete a game; whoever watches it is told by the stream's end."""
        live = await self._load(args.id)
        self._seat(live, args.seat)
        await self._ask(lambda: self._store.delete(args.id))
        self._live.pop(args.id, None)
        for queue in self._watchers.get(args.id, ()):
            queue.put_nowait(None)
        return m.DoneView()

    def close(self) -> None:
        """Finish what is being stored, and close the database."""
        self._thread.shutdown()
        self._store.close()

    async def _ask(self, question: Callable[[], Answer]) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(self._thread, question)

    async def _load(self, game: str) -> Live:
        if game not in self._live:
            kept = await self._ask(lambda: self._store.load(game))
            if kept is None:
                raise NotFound(f"There is no game {game!r}: it was deleted, or the link is not whole.")
            while len(self._live) >= REMEMBERED:
                self._live.pop(next(iter(self._live)))
            self._live[game] = Live.of(kept)
        return self._live[game]

    def _seat(self, live: Live, secret: str) -> int:
        side = live.kept.seat_of(secret)
        if side is None:
            raise NotYours("This link has no seat in the game: it can be watched, not played.")
        return side

    async def _add(self, live: Live, happened: Event) -> m.GameView:
        """Store what happened, then remember it and tell the watchers."""
        after = live.after(happened)
        number = len(after.kept.events)
        try:
            await self._ask(
                lambda: self._store.append(live.kept.id, number, happened, after.kept.plies, after.kept.why)
            )
        except Taken:
            self._live.pop(live.kept.id, None)
            raise TooLate("Somebody else moved first; here is the game as it stands.") from None
        if self._live.get(live.kept.id) is live:  # else somebody's newer event has overtaken this one
            self._live[live.kept.id] = after
        seen = after.view()
        for queue in self._watchers.get(live.kept.id, ()):
            queue.put_nowait(seen)
        return seen


def _require_going_on(live: Live) -> None:
    if live.kept.why is not None:
        raise TooLate(f"The game is over: {live.kept.why}.")
