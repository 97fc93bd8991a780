"""What the page and bots send and receive about a room: who is here, who asks whom, what a teacher shows."""

from typing import Annotated

from pydantic import Field

from plyground.web.limits import LONGEST_LINK
from plyground.web.models import Model, PersonName, Secret, Side


class Enter(Model):
    """Come into the room; without a name one only looks on."""

    me: Secret = ""
    """A secret of one's own, by which one is known again."""
    name: PersonName = ""


class Challenge(Model):
    """Ask somebody for a game, or all who are here; asking for what one is asked for accepts it."""

    me: Secret
    whom: Annotated[int, Field(ge=1, le=1_000_000_000)] | None = None
    """The number of somebody who is here; null for all."""
    game: Annotated[str, Field(max_length=200)] = ""
    """Empty to take it back, or to decline."""


class Show(Model):
    """Show all who are here a page, and whether an exam is on."""

    teacher: Secret
    link: Annotated[str, Field(max_length=LONGEST_LINK, pattern="^(#/.*)?$")] = ""
    exam: bool = False


class Remove(Model):
    """Take somebody out of the room."""

    teacher: Secret
    number: Annotated[int, Field(ge=1, le=1_000_000_000)]
    """The number of somebody who is here."""


class PersonView(Model):
    """Somebody who is here."""

    number: int
    name: str
    wants: str
    """The game that they would play with anybody; empty for none."""


class ChallengeView(Model):
    """A game that somebody is asked for: the other's number and name."""

    number: int
    name: str
    game: str


class SeatView(Model):
    """A game that begins, and one's seat in it."""

    id: str
    side: Side
    seat: str


class RoomView(Model):
    """A room, as one of those who are here may see it."""

    people: list[PersonView]
    you: int
    """One's own number; 0 for who only looks on."""
    asks: list[ChallengeView]
    """Who asks one for a game."""
    asked: list[ChallengeView]
    """Whom one has asked."""
    begins: SeatView | None
    look: str
    """The page that all are to look at; empty for none."""
    exam: bool
