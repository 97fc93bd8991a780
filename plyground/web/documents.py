"""What the page and bots send and receive about lessons: a document in elements, its examples, what a run prints."""

from typing import Annotated, Literal

from pydantic import Field

from plyground.web.models import Create, Model

LessonName = Annotated[str, Field(max_length=60, examples=["1-rules"], description="a lesson, or README for the list")]


Tag = Literal[
    "h1", "h2", "h3", "p", "blockquote", "ul", "ol", "li", "pre", "code", "em", "strong", "a", "img", "br", "hr",
    "table", "thead", "tbody", "tr", "th", "td",
]  # fmt: skip
"""The elements a lesson may be made of."""


class Lesson(Model):
    """A lesson to read."""

    lesson: LessonName = "README"


class LessonRun(Model):
    """Run an example of a lesson. Only its number is sent: a page cannot name a command."""

    lesson: LessonName
    number: Annotated[int, Field(ge=1, le=1_000, examples=[1])]


class LinkView(Model):
    """A page of the playground, by its path and parameters."""

    path: str
    values: dict[str, str]


class ExampleView(Model):
    """A command, or lines of Python, as a lesson shows it."""

    number: int
    """From 1, in the order of the lesson."""
    text: str
    shown: str
    """What the lesson shows of the output. Python shows it between its lines, so there it is empty."""
    runs: bool
    """Whether it can be run here: it asks for nothing."""
    link: LinkView | None = None
    """Where the page does the same."""
    game: Create | None = None
    """The game that the command begins."""


class ElementView(Model):
    """An element of a document: text is only ever text."""

    tag: Tag
    attributes: dict[Literal["href", "src", "alt"], str] = Field(default_factory=dict)
    children: list["ElementView | ExampleView | str"] = Field(default_factory=list)


class LessonLink(Model):
    """A lesson by its name and title."""

    name: str
    title: str


class LessonView(Model):
    """A lesson, and those before and after it."""

    name: str
    title: str
    body: list[ElementView | ExampleView | str]
    before: LessonLink | None
    after: LessonLink | None


class OutputView(Model):
    """What an example has printed so far."""

    output: str
    standing: str
    """How it stands, in a sentence."""
    files: dict[str, str] = Field(default_factory=dict)
    """What it has written, once it has ended."""
