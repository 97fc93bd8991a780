"""State of a saved game: its data, its position, and the offers of its players."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from plyground.position import Position
from plyground.web.games.game_clock import GameClock, now_seconds, seconds_of
from plyground.web.games.store import Event, SavedGame
from plyground.web.views import models as m
from plyground.web.views.positions import SIDES, position_at, view

ENDING_KINDS: Final = ("move", "undo", "resign", "draw", "flag")
"""Kinds of events that end a game, or make it go on."""


@dataclass(frozen=True)
class GameState:
    """A saved game, its position, and the offers in it."""

    saved: SavedGame
    position: Position
    offer: m.OfferView | None = None
    """Open offer of one of two people to the other."""
    next: str | None = None
    """Id of the rematch."""
    clock: GameClock | None = None
    help: bool = False
    """Whether both people have agreed that an engine may help them."""

    @classmethod
    def of(cls, saved: SavedGame) -> "GameState":
        """Replay the events of a saved game."""
        position = position_at(m.At(game=saved.spec, start=saved.start))
        state = cls(replace(saved, events=(), plies=0, why=None), position)
        for happened in saved.events:
            state = state.after(happened)
        return state

    def after(self, happened: Event) -> "GameState":
        """Returns the state after one more event.

        Raises:
            BadInput: a move that is not legal, or more plies taken back than there are.
        """
        position, why, offer, names, following = self.position, self.saved.why, self.offer, self.saved.names, self.next
        clock = GameClock.of(happened.text) if happened.kind == "clock" else self.clock
        match happened.kind:
            case "move":
                by = SIDES[position.to_move]
                position = position.play(happened.text)
                why = None if position.outcome is None else position.result
                # a draw may be offered with a move; a move by the other side declines the offer
                offer = offer if offer and (offer.what, offer.side) == ("draw", by) and why is None else None
            case "undo":
                # Offers end with every event that changes the position: they were about another
                # one.
                position, why, offer = position.undo(int(happened.text)), None, None
            case "resign":
                why, offer = f"{position.game.names[SIDES.index(happened.text)]} resigns", None
            case "draw":
                why, offer = "a draw by agreement", None
            case "flag":
                why, offer = f"{position.game.names[SIDES.index(happened.text)]}'s time is up", None
            case "help":
                offer = None
            case "rematch":
                offer, following = None, happened.text
            case "offer":
                said = happened.text.split()
                offer = None if said[1] == "no" else m.OfferView.model_validate({"side": said[0], "what": said[1]})
            case "sit":
                side, _, name = happened.text.partition(" ")
                names = (name, names[1]) if side == "x" else (names[0], name)
        events = (*self.saved.events, happened)
        saved = replace(self.saved, events=events, plies=len(position.moves), why=why, names=names)
        if clock and happened.kind in ENDING_KINDS:
            # After a take-back to the beginning no clock runs, as before the first move.
            runs = why is None and bool(position.moves)
            clock = clock.after(self.position.to_move, seconds_of(happened.at), runs, happened.kind == "move")
        return GameState(saved, position, offer, following, clock, self.help or happened.kind == "help")

    @cached_property
    def shared_view(self) -> m.PositionView:
        """The position, as sent to all."""
        return view(self.saved.spec, self.position)

    @property
    def ending(self) -> Event | None:
        """The event that ended the game before the rules did: a resignation, a flag that fell, or an agreed draw."""
        last = [happened for happened in self.saved.events if happened.kind in ENDING_KINDS][-1:]
        return last[0] if self.saved.why and last and last[0].kind in ("resign", "draw", "flag") else None

    @property
    def winner(self) -> m.Side | None:
        """The winner, on the board, by resignation or by time."""
        if self.saved.why is None:
            return None
        # The event names the side that gave up or ran out of time; a draw names none.
        if ending := self.ending:
            return {"x": "o", "o": "x"}.get(ending.text)  # type: ignore[return-value]
        return SIDES[int(self.position.outcome < 0)] if self.position.outcome else None

    @property
    def time_is_up(self) -> Event | None:
        """The fall of the flag of the side to move, if its time is up; else None."""
        mover = self.position.to_move
        # The fall is looked for at each move, too: a timer may be late, and another server may have none.
        if self.clock is None or self.clock.since is None or self.clock.remaining(mover, mover, now_seconds()) > 0:
            return None
        return Event("flag", SIDES[mover])

    def clock_view(self) -> m.ClockView | None:
        """The clocks at this moment."""
        if self.clock is None:
            return None
        mover, at = self.position.to_move, now_seconds()
        return m.ClockView(
            left={side: max(self.clock.remaining(number, mover, at), 0.0) for number, side in enumerate(SIDES)},
            text=self.clock.text,
            running=None if self.clock.since is None else SIDES[mover],
        )

    @property
    def is_between_people(self) -> bool:
        """Whether both players are people."""
        return self.saved.players == ("human", "human")

    def sides_of(self, secrets: Iterable[str]) -> frozenset[int]:
        """The sides whose secrets these are."""
        return frozenset(side for secret in secrets if (side := self.saved.seat_of(secret)) is not None)

    def covers(self, here: Position) -> bool:
        """Whether a position is one of this game, or comes after it."""
        mine, both = self.position, min(len(here.moves), len(self.position.moves))
        # as texts: a user's file is loaded each time, so its games are different objects
        (start, text), (my_start, my_text) = (
            (each.game.text(each.states[0]), each.game.text(each.state)) for each in (here, mine)
        )
        # The same board by any way counts, and whatever goes on from this game's moves; a game that
        # only began alike does not.
        return text == my_text or (start == my_start and here.words[:both] == mine.words[:both])

    def is_helped(self, held: Collection[int]) -> bool:
        """Whether an engine may help a client that holds these sides: until the end of a game between people only one
        that plays both, or where both have agreed."""
        return self.help or self.saved.why is not None or not self.is_between_people or len(held) == 2

    def view(self, held: Collection[int] = (), here: Collection[int] = ()) -> m.GameView:
        """View of the game.

        Args:
            held: the sides whose secrets the client has.
            here: the sides that have a page open somewhere.
        """
        saved = self.saved
        return m.GameView(
            id=saved.id,
            version=len(saved.events),
            players={"x": saved.players[0], "o": saved.players[1]},
            created=saved.created,
            over=saved.why is not None,
            why=saved.why,
            winner=self.winner,
            position=self.shared_view,
            people={
                side: m.SitterView(name=saved.names[number], here=number in here)
                for number, side in enumerate(SIDES)
                if saved.players[number] == "human"
            },
            yours=[SIDES[side] for side in sorted(held)],
            offer=self.offer,
            help=self.help,
            next=self.next,
            clock=self.clock_view(),
        )
