"""Messages of the lessons' operations: documents as elements, examples, and the output of runs."""

from typing import Annotated, Literal

from pydantic import Field

from plyground.web.views.models import Create, Model

LessonName = Annotated[str, Field(max_length=60, examples=["1-rules"], description="a lesson, or README for the list")]


Tag = Literal[
    "h1", "h2", "h3", "p", "blockquote", "ul", "ol", "li", "pre", "code", "em", "strong", "a", "img", "br", "hr",
    "table", "thead", "tbody", "tr", "th", "td",
]  # fmt: skip
"""Elements that a lesson may contain."""


class LessonQuery(Model):
    """Request for a lesson."""

    lesson: LessonName = "README"


class LessonRun(Model):
    """Request to run an example of a lesson. It has only a number: a page cannot name a command."""

    lesson: LessonName
    number: Annotated[int, Field(ge=1, le=1_000, examples=[1])]


class LinkView(Model):
    """Link to a page of the playground: its path and parameters."""

    path: str
    values: dict[str, str]


class ExampleView(Model):
    """A command, or lines of Python, as a lesson shows it."""

    number: int
    """Number of the example, from 1, in the order of the lesson."""
    text: str
    shown: str
    """Output that the lesson shows; empty for Python, whose lines contain it."""
    runs: bool
    """Whether the example can run here: it reads no input."""
    link: LinkView | None = None
    """Link to a page that does the same."""
    game: Create | None = None
    """The game that the command begins."""


class ElementView(Model):
    """An element of a document; text is never read as markup."""

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
    """State of the run, in a sentence."""
    files: dict[str, str] = Field(default_factory=dict)
    """Files that the example has written, once it has ended."""
