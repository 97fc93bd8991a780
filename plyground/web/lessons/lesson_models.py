"""Messages of the lessons' operations: documents as elements, examples, and the output of runs."""

from typing import Annotated, Literal

from pydantic import Field

from plyground.web.views.models import Create, Model, Shared

LessonName = Annotated[str, Field(max_length=60, examples=["1-rules"], description="a lesson, or README for the list")]


Tag = Literal[
    "h1", "h2", "h3", "p", "blockquote", "ul", "ol", "li", "pre", "code", "em", "strong", "a", "img", "br", "hr",
    "table", "thead", "tbody", "tr", "th", "td", "details", "summary",
]  # fmt: skip
"""Elements that a lesson may contain."""


class LessonQuery(Model):
    """Request for a lesson."""

    lesson: LessonName = "README"


FileName = Annotated[str, Field(pattern=r"^[A-Za-z]\w{0,39}\.py$", examples=["student.py"])]
Code = Annotated[str, Field(max_length=20_000, description="Python")]


class LessonRun(Model):
    """Request to run an example of a lesson. It has only a number: a page cannot name a command."""

    lesson: LessonName
    number: Annotated[int, Field(ge=1, le=1_000, examples=[1])]
    files: dict[FileName, Code] = Field(default_factory=dict, max_length=4, description="the lesson's, as changed")


class LessonCode(Model):
    """Request to grade or draw a reader's file."""

    lesson: LessonName
    file: FileName
    code: Code
    exercise: Annotated[int, Field(ge=0, le=9, description="the exercise whose command grades it; 0: as a search")] = 0
    draw: Annotated[bool, Field(description="draw the file's search instead")] = False


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


class CodeView(Model):
    """A file that the reader saves: its first text, and the search in it."""

    file: str
    code: str
    search: str
    """Name of the search; empty where the file has none."""


class ExerciseView(Model):
    """The grading of an exercise, below its text: by the answer, or by a command that grades a file."""

    exercise: int
    """Number of the exercise in its lesson, from 1."""
    accepted: list[str]
    """Right answers, each a text that says the same; empty where a command grades."""
    why: str
    """Reason for the answer, in a sentence."""
    command: str
    """Command that grades a file of the reader's; empty where an answer is asked for."""
    code: CodeView | None = None
    """The file that the command grades."""


class ElementView(Model):
    """An element of a document; text is never read as markup."""

    tag: Tag
    attributes: dict[Literal["href", "src", "alt", "start"], str] = Field(default_factory=dict)
    children: list["Part"] = Field(default_factory=list)


Part = ElementView | ExampleView | CodeView | ExerciseView | str
"""A part of a document."""


class LessonLink(Model):
    """A lesson by its name and title."""

    name: str
    title: str


class LessonView(Shared):
    """A lesson, and those before and after it."""

    name: str
    title: str
    body: list[Part]
    before: LessonLink | None
    after: LessonLink | None
    changes: bool = False
    """Whether code can be changed and run here."""
    exercises: dict[str, int] = Field(default_factory=dict)
    """Number of exercises of each lesson; empty but in the list of lessons."""


class OutputView(Model):
    """Output of an example so far."""

    output: str
    standing: str
    """State of the run, in a sentence."""
    files: dict[str, str] = Field(default_factory=dict)
    """Files that the example has written, once it has ended."""
