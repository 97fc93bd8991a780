"""A kept game and the position it has come to."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from plyground.position import Position
from plyground.web import models as m
from plyground.web.positions import SIDES, position_at, view
from plyground.web.store import Event, Kept


@dataclass(frozen=True)
class Live:
    """A kept game and the position it has come to."""

    kept: Kept
    position: Position
    offer: m.OfferView | None = None
    """What one of two people has offered the other."""
    next: str | None = None
    """The rematch."""

    @classmethod
    def of(cls, kept: Kept) -> "Live":
        """Play all that happened."""
        position = position_at(m.At(game=kept.spec, start=kept.start))
        live = cls(replace(kept, events=(), plies=0, why=None), position)
        for happened in kept.events:
            live = live.after(happened)
        return live

    def after(self, happened: Event) -> "Live":
        """The game once something more has happened in it.

        Raises:
            BadInput: a move that is not legal, or more plies taken back than there are.
        """
        position, why, offer, names, following = self.position, self.kept.why, self.offer, self.kept.names, self.next
        match happened.kind:
            case "move":
                by = SIDES[position.to_move]
                position = position.play(happened.text)
                why = None if position.outcome is None else position.result
                # a draw may be offered with a move; whoever moves on has not taken what was offered
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
        events = (*self.kept.events, happened)
        kept = replace(self.kept, events=events, plies=len(position.moves), why=why, names=names)
        return Live(kept, position, offer, following)

    @property
    def ending(self) -> Event | None:
        """What ended the game before its board did: a resignation, or a draw that was agreed."""
        last = [happened for happened in self.kept.events if happened.kind in ("move", "undo", "resign", "draw")][-1:]
        return last[0] if self.kept.why and last and last[0].kind in ("resign", "draw") else None

    @property
    def winner(self) -> m.Side | None:
        """Who has won, on the board or because the other has given up."""
        if self.kept.why is None:
            return None
        if ending := self.ending:
            return {"x": "o", "o": "x"}.get(ending.text)  # type: ignore[return-value]
        return SIDES[int(self.position.outcome < 0)] if self.position.outcome else None

    @property
    def is_between_people(self) -> bool:
        """Whether two people play it."""
        return self.kept.players == ("human", "human")

    def view(self, held: Collection[int] = (), here: Collection[int] = ()) -> m.GameView:
        """As everyone may see it.

        Args:
            held: the sides whose secrets the asker has.
            here: the sides that have a page open somewhere.
        """
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
            people={
                side: m.SitterView(name=kept.names[number], here=number in here)
                for number, side in enumerate(SIDES)
                if kept.players[number] == "human"
            },
            yours=[SIDES[side] for side in sorted(held)],
            offer=self.offer,
            draws=self.position.game.draws,
            next=self.next,
        )
