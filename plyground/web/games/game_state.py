"""State of a saved game: its data, its position, and the offers of its players."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property

from plyground.position import Position
from plyground.web.games.store import Event, SavedGame
from plyground.web.views import models as m
from plyground.web.views.positions import SIDES, position_at, view


@dataclass(frozen=True)
class GameState:
    """A saved game, its position, and the offers in it."""

    saved: SavedGame
    position: Position
    offer: m.OfferView | None = None
    """Open offer of one of two people to the other."""
    next: str | None = None
    """Id of the rematch."""

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
        match happened.kind:
            case "move":
                by = SIDES[position.to_move]
                position = position.play(happened.text)
                why = None if position.outcome is None else position.result
                # a draw may be offered with a move; a move by the other side declines the offer
                offer = offer if offer and (offer.what, offer.side) == ("draw", by) and why is None else None
            case "undo":
                position, why, offer = position.undo(int(happened.text)), None, None
            case "resign":
                why, offer = f"{position.game.names[SIDES.index(happened.text)]} resigns", None
            case "draw":
                why, offer = "a draw by agreement", None
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
        return GameState(saved, position, offer, following)

    @cached_property
    def shown(self) -> m.PositionView:
        """The position, as sent to all."""
        return view(self.saved.spec, self.position)

    @property
    def ending(self) -> Event | None:
        """The event that ended the game before the rules did: a resignation, or an agreed draw."""
        last = [happened for happened in self.saved.events if happened.kind in ("move", "undo", "resign", "draw")][-1:]
        return last[0] if self.saved.why and last and last[0].kind in ("resign", "draw") else None

    @property
    def winner(self) -> m.Side | None:
        """The winner, on the board or by resignation."""
        if self.saved.why is None:
            return None
        if ending := self.ending:
            return {"x": "o", "o": "x"}.get(ending.text)  # type: ignore[return-value]
        return SIDES[int(self.position.outcome < 0)] if self.position.outcome else None

    @property
    def is_between_people(self) -> bool:
        """Whether both players are people."""
        return self.saved.players == ("human", "human")

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
            position=self.shown,
            people={
                side: m.SitterView(name=saved.names[number], here=number in here)
                for number, side in enumerate(SIDES)
                if saved.players[number] == "human"
            },
            yours=[SIDES[side] for side in sorted(held)],
            offer=self.offer,
            draws=self.position.game.draws,
            next=self.next,
        )
