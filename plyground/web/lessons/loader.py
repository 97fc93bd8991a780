"""Loader of lessons: reads Markdown into elements for a page and examples that can be run."""

import posixpath
import re
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from plyground.errors import BadInput
from plyground.web.lessons import lesson_models as d
from plyground.web.lessons.examples import Command, Example, Lines

PACKAGE = Path(__file__).parent.parent.parent
LESSON_FOLDERS = (PACKAGE / "lessons", PACKAGE.parent / "docs" / "lessons")
"""Folders of the lessons: in the package once it is installed, among the documents in a checkout."""
FOLDER = next((place for place in LESSON_FOLDERS if place.is_dir()), LESSON_FOLDERS[0])
CONTENTS = "README"
"""The lesson that lists the others."""
MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
SAVED = re.compile(r"[Ss]ave it as\s+`([\w.]+)`:\n\n```python\n(.*?)```", re.DOTALL)

Part = d.ElementView | d.ExampleView | str


class NoLesson(BadInput):
    """There is no such lesson, or no such example in it."""


@dataclass(frozen=True)
class Lesson:
    """A lesson: its elements, its examples, and the files that the reader saves for them."""

    name: str
    title: str
    body: list[Part]
    examples: list[Example]
    files: dict[str, str]

    def example(self, number: int) -> Example:
        """Returns an example by its number, from 1.

        Raises:
            NoLesson: there is no such example.
        """
        if not 1 <= number <= len(self.examples):
            raise NoLesson(f"Lesson {self.name} has {len(self.examples)} examples, and none is number {number}.")
        return self.examples[number - 1]


class LessonLinks:
    """Addresses to which a lesson links; these are the playground's."""

    def lesson(self, name: str) -> str:
        """Address of a lesson."""
        return f"#/lessons/{name}"

    def picture(self, file: Path, words: str) -> d.ElementView:
        """A picture, with a link to itself in full size."""
        address = f"lessons/{file.name}"
        drawn = d.ElementView(tag="img", attributes={"src": address, "alt": words})
        return d.ElementView(tag="a", attributes={"href": address}, children=[drawn])

    def example(self, example: Example) -> d.ExampleView:
        """An example, with the page's link for it."""
        return example.view


PLAYGROUND = LessonLinks()


def lesson(name: str, places: LessonLinks = PLAYGROUND) -> Lesson:
    """Load a lesson by its name.

    Args:
        name: the name of its file without the suffix.
        places: addresses to which it links.

    Raises:
        NoLesson: there is no lesson of that name.
    """
    if name not in pages():
        raise NoLesson(f"There is no lesson {name!r}: there are {', '.join(pages())}.")
    text = _text(name)
    reader = _Reader(name, places)
    body = reader.parts(SyntaxTreeNode(MARKDOWN.parse(text)))
    return Lesson(name, _title(text), body, reader.examples, dict(SAVED.findall(text)))


def view(args: d.LessonQuery, places: LessonLinks = PLAYGROUND) -> d.LessonView:
    """Load a lesson as data for the page."""
    found, around = lesson(args.lesson, places), ["", *pages(), ""]
    place = around.index(found.name)
    before, after = (_link(name) for name in (around[place - 1], around[place + 1]))
    return d.LessonView(name=found.name, title=found.title, body=found.body, before=before, after=after)


def pages() -> list[str]:
    """Names of all lessons in their order, after the contents."""
    names = (file.stem for file in FOLDER.glob("[0-9]*.md"))
    return [CONTENTS, *sorted(names, key=lambda name: int(name.partition("-")[0]))]


def _link(name: str) -> d.LessonLink | None:
    return d.LessonLink(name=name, title=_title(_text(name))) if name else None


def _text(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def _title(text: str) -> str:
    return text.partition("\n")[0].removeprefix("# ")


class _Reader:
    """Converts the Markdown parser's tree into elements, and collects the examples."""

    def __init__(self, name: str, places: LessonLinks) -> None:
        self._name, self._places = name, places
        self.examples: list[Example] = []

    def parts(self, node: SyntaxTreeNode) -> list[Part]:
        """Content of a node."""
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
        if not node.tag or node.hidden:  # a group without a tag, or the only paragraph of a list item
            return self.parts(node)
        return [_element(node.tag, *self.parts(node))]

    def _linked(self, address: str, words: list[Part]) -> list[Part]:
        """A link to another lesson. A link to the glossary becomes its word, one to another file the file's name."""
        name = address.removesuffix(".md")
        if name.startswith("../glossary"):
            return words
        if name in pages():
            return [d.ElementView(tag="a", attributes={"href": self._places.lesson(name)}, children=words)]
        return [*words, " (", _element("code", posixpath.normpath(f"docs/lessons/{address}")), ")"]

    def _block(self, node: SyntaxTreeNode) -> list[Part]:
        """A block of code: its examples, or else the block."""
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
