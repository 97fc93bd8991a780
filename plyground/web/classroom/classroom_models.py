"""Messages of the classroom's operations: people, challenges, and the page that the teacher shows."""

from typing import Annotated

from pydantic import Field

from plyground.web.classroom.pairings import Form
from plyground.web.limits import LONGEST_LINK
from plyground.web.views.models import Model, PersonName, Secret, Side


class Enter(Model):
    """Enter the classroom; without a name the client only watches."""

    me: Secret = ""
    """Secret that the client makes up, by which it is recognised."""
    name: PersonName = ""


class Challenge(Model):
    """Challenge one person, or all that are present; the same challenge in return accepts it."""

    me: Secret
    whom: Annotated[int, Field(ge=1, le=1_000_000_000)] | None = None
    """Number of a person who is here; null for all."""
    game: Annotated[str, Field(max_length=200)] = ""
    """Spec of the game, and after a blank its clock, if it has one: `chess 5+3`; empty to withdraw or to decline."""


class Show(Model):
    """Show a page to all that are present, and begin or end an exam."""

    teacher: Secret
    link: Annotated[str, Field(max_length=LONGEST_LINK, pattern="^(#/.*)?$")] = ""
    exam: bool = False


class NextRound(Model):
    """Begin a round of games between the people present, paired by the results of earlier rounds."""

    teacher: Secret
    form: Form = "swiss"
    """Format of the tournament; another one than before begins anew."""
    game: Annotated[str, Field(max_length=200)]
    """Spec of the game, and after a blank its clock, if it has one: `chess 5+3`."""
    anew: bool = False
    """Whether a new tournament begins."""


class Remove(Model):
    """Remove a person from the classroom."""

    teacher: Secret
    number: Annotated[int, Field(ge=1, le=1_000_000_000)]
    """Number of a person who is here."""


ExerciseNumber = Annotated[int, Field(ge=1, le=9)]


class LessonWork(Model):
    """Exercises of a lesson that a person has solved, and the best points, in percent, of those with points."""

    solved: list[ExerciseNumber] = Field(default_factory=list, max_length=9)
    points: dict[ExerciseNumber, Annotated[int, Field(ge=0, le=100)]] = Field(default_factory=dict, max_length=9)


class Work(Model):
    """Report of all exercises that a person has solved."""

    me: Secret
    lessons: Annotated[dict[Annotated[str, Field(max_length=60)], LessonWork], Field(max_length=40)]


class ClassQuery(Model):
    """Request for the solved exercises of the class, with the teacher's secret."""

    teacher: Secret


class LessonCount(Model):
    """A lesson's name, and how many exercises it has."""

    name: str
    exercises: int


class StudentView(Model):
    """Solved exercises of one person, by the name that was sent with them."""

    name: str
    lessons: dict[str, LessonWork]


class ClassView(Model):
    """Solved exercises of each person in the classroom; only the teacher gets them."""

    lessons: list[LessonCount]
    students: list[StudentView]


class ClassFile(Model):
    """Solved exercises of the class as CSV."""

    text: str


class PersonView(Model):
    """A person that is present."""

    number: int
    name: str
    wants: str
    """The game offered to all; empty for none."""


class ChallengeView(Model):
    """A challenge: the other person's number and name, and the game."""

    number: int
    name: str
    game: str


class SeatView(Model):
    """A game that begins, and the receiver's seat in it."""

    id: str
    side: Side
    seat: str


class MeetingView(Model):
    """A game that began in the classroom: its id, and the names and numbers of its two people."""

    id: str
    game: str
    round: int
    """Round of the tournament in which it was paired; 0 if the two agreed on it, or that tournament is over."""
    x: str
    o: str
    numbers: tuple[int, int]
    share: float | None = None
    """Points of x, as they were when the next round began: 1, 0.5 or 0; null before."""


class RestView(Model):
    """A person without a game in a round of the tournament."""

    round: int
    number: int
    name: str
    points: int
    """Points for it: 1 for a bye in a Swiss tournament."""


class RoomView(Model):
    """The classroom, as one client may see it."""

    people: list[PersonView]
    you: int
    """The receiver's own number; 0 for a client that only watches."""
    asks: list[ChallengeView]
    """Challenges from others."""
    asked: list[ChallengeView]
    """Challenges to others."""
    begins: SeatView | None
    games: list[MeetingView]
    """The games that began here, the newest first."""
    rungs: list[int]
    """Numbers of people from the highest place of a ladder on, as the last round began; empty in a Swiss."""
    round: int
    """Round of the tournament; 0 before the first."""
    resting: list[RestView]
    """The people without a game, round by round."""
    look: str
    """Link of the page shown to all; empty for none."""
    exam: bool
