"""The lessons: Markdown files, read into data that a page can show and into examples that can be run."""

import posixpath
import re
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from plyground.errors import BadInput
from plyground.web import documents as d
from plyground.web.examples import Command, Example, Lines

PACKAGE = Path(__file__).parent.parent
PLACES = (PACKAGE / "lessons", PACKAGE.parent / "docs" / "lessons")
"""Where the lessons are: in the package once it is installed, among the documents in a checkout."""
FOLDER = next((place for place in PLACES if place.is_dir()), PLACES[0])
CONTENTS = "README"
"""The lesson that lists the others."""
MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
SAVED = re.compile(r"[Ss]ave it as\s+`([\w.]+)`:\n\n```python\n(.*?)```", re.DOTALL)

Part = d.ElementView | d.ExampleView | str


class NoLesson(BadInput):
    """There is no such lesson, or no such example in it."""


@dataclass(frozen=True)
class Lesson:
    """A lesson: what it says, what it has one run, and the files it has one save before that."""

    name: str
    title: str
    body: list[Part]
    examples: list[Example]
    files: dict[str, str]

    def example(self, number: int) -> Example:
        """One of its examples, counted from 1.

        Raises:
            NoLesson: it has fewer.
        """
        if not 1 <= number <= len(self.examples):
            raise NoLesson(f"Lesson {self.name} has {len(self.examples)} examples, and none is number {number}.")
        return self.examples[number - 1]


class Places:
    """Where pages have what a lesson leads to; these are the playground's."""

    def lesson(self, name: str) -> str:
        """The address of a lesson."""
        return f"#/lessons/{name}"

    def picture(self, file: Path, words: str) -> d.ElementView:
        """A picture, which leads to itself in full size."""
        address = f"lessons/{file.name}"
        drawn = d.ElementView(tag="img", attributes={"src": address, "alt": words})
        return d.ElementView(tag="a", attributes={"href": address}, children=[drawn])

    def example(self, example: Example) -> d.ExampleView:
        """An example, with what the page has for it."""
        return example.view


PLAYGROUND = Places()


def lesson(name: str, places: Places = PLAYGROUND) -> Lesson:
    """A lesson by its name.

    Args:
        name: that of its file, without what it ends with.
        places: where the page that shows it has what it leads to.

    Raises:
        NoLesson: there is none of that name.
    """
    if name not in pages():
        raise NoLesson(f"There is no lesson {name!r}: there are {', '.join(pages())}.")
    text = _text(name)
    reader = _Reader(name, places)
    body = reader.parts(SyntaxTreeNode(MARKDOWN.parse(text)))
    return Lesson(name, _title(text), body, reader.examples, dict(SAVED.findall(text)))


def view(args: d.Lesson, places: Places = PLAYGROUND) -> d.LessonView:
    """A lesson as data."""
    found, around = lesson(args.lesson, places), ["", *pages(), ""]
    place = around.index(found.name)
    before, after = (_link(name) for name in (around[place - 1], around[place + 1]))
    return d.LessonView(name=found.name, title=found.title, body=found.body, before=before, after=after)


def pages() -> list[str]:
    """The names of all: the contents, then the lessons in their order."""
    names = (file.stem for file in FOLDER.glob("[0-9]*.md"))
    return [CONTENTS, *sorted(names, key=lambda name: int(name.partition("-")[0]))]


def _link(name: str) -> d.LessonLink | None:
    return d.LessonLink(name=name, title=_title(_text(name))) if name else None


def _text(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def _title(text: str) -> str:
    return text.partition("\n")[0].removeprefix("# ")


class _Reader:
    """Turns what the Markdown parser found into elements, and collects the examples on the way."""

    def __init__(self, name: str, places: Places) -> None:
        self._name, self._places = name, places
        self.examples: list[Example] = []

    def parts(self, node: SyntaxTreeNode) -> list[Part]:
        """What is within a node."""
        return [part for child in node.children for part in self._read(child)]

    def _read(self, node: SyntaxTreeNode) -> list[Part]:
        match node.type:
            case "text":
                return [node.content]
            case "softbreak":
                return ["\n"]
            case "code_inline":
                return [_element("code", node.content)]
            case "fence":
                return self._block(node)
            case "image":
                return [self._places.picture(FOLDER / str(node.attrs["src"]), node.content)]
            case "link":
                return self._linked(str(node.attrs["href"]), self.parts(node))
        if not node.tag or node.hidden:  # a mere group, or the paragraph of a list item that has only one
            return self.parts(node)
        return [_element(node.tag, *self.parts(node))]

    def _linked(self, address: str, words: list[Part]) -> list[Part]:
        """A link to another lesson leads there; where a file of the project is meant, its name has to do."""
        name = address.removesuffix(".md")
        if name in pages():
            return [d.ElementView(tag="a", attributes={"href": self._places.lesson(name)}, children=words)]
        return [*words, " (", _element("code", posixpath.normpath(f"docs/lessons/{address}")), ")"]

    def _block(self, node: SyntaxTreeNode) -> list[Part]:
        """A block of code: the examples in it, or itself."""
        number = len(self.examples) + 1
        found: list[Example] = []
        if node.info == "console":
            typed = (part.splitlines() for part in re.split(r"^\$ ", node.content, flags=re.MULTILINE)[1:])
            found = [Command(number + place, text, tuple(shown)) for place, (text, *shown) in enumerate(typed)]
        elif node.content.startswith(">>> "):
            found = [Lines(number, node.content.strip(), self._name)]
        self.examples += found
        return [self._places.example(example) for example in found] or [_element("pre", _element("code", node.content))]


def _element(tag: str, *children: Part) -> d.ElementView:
    return d.ElementView.model_validate({"tag": tag, "children": children})
