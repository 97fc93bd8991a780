"""Loader of lessons: reads Markdown into elements for a page and examples that can be run."""

import posixpath
import re
import shlex
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from plyground.errors import BadInput
from plyground.web.lessons import lesson_models as d
from plyground.web.lessons.examples import Code, Command, Example, Lines
from plyground.web.lessons.exercises import exercises, with_exercises

PACKAGE = Path(__file__).parent.parent.parent
LESSON_FOLDERS = (PACKAGE / "lessons", PACKAGE.parent / "docs" / "lessons")
"""Folders of the lessons: in the package once it is installed, among the documents in a checkout."""
FOLDER = next((place for place in LESSON_FOLDERS if place.is_dir()), LESSON_FOLDERS[0])
DOCUMENTS = (
    "add-a-game", "add-an-algorithm", "arena", "engine", "game-reference", "glossary", "learning", "teaching", "wire",
)  # fmt: skip
"""Documents to which lessons lead; they are read in the page as lessons are, and nothing of them is run there."""
DOCUMENT_FOLDER = FOLDER / "documents" if LESSON_FOLDERS[0] == FOLDER else FOLDER.parent
"""Folder of the documents: in the package once it is installed."""
CONTENTS = "README"
"""The lesson that lists the others."""
# HTML in a lesson stays text: elements are made of tokens alone.
MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
SAVED_FILE = re.compile(r"[Ss]ave it as\s+`([\w.]+)`:\n\n```python\n(.*?)```", re.DOTALL)

SEARCH_HEAD = re.compile(r"^def (\w+)\(game, observer", re.MULTILINE)
HINT_HEAD = re.compile(r"Hint\b")
"""Beginning of a quotation that unfolds."""

Part = d.Part


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
    exercises: dict[int, d.ExerciseView]
    """Exercises by their numbers, as the teacher's answers grade them."""

    def example(self, number: int) -> Example:
        """Returns an example by its number, from 1.

        Raises:
            NoLesson: there is no such example.
        """
        if not 1 <= number <= len(self.examples):
            raise NoLesson(f"Lesson {self.name} has {len(self.examples)} examples, and none is number {number}.")
        return self.examples[number - 1]

    def graded_by(self, args: d.LessonCode) -> Code | Command:
        """Returns the command that grades a reader's file or draws its search: the exercise's, or one for the search.

        Raises:
            NoLesson: there is no such exercise, or no search of the lesson in such a file.
        """
        exercise = self.exercises.get(args.exercise)
        if args.exercise and (exercise is None or exercise.code is None or exercise.code.file != args.file):
            raise NoLesson(f"Lesson {self.name} has no exercise {args.exercise} that grades {args.file}.")
        # The server runs the lesson's own command with the reader's file in its folder, never a
        # command of the page.
        if exercise and not exercise.command.startswith("plyground grade") and not args.draw:
            return Command(0, exercise.command, ())
        text = self.files.get(args.file, "")
        found = SEARCH_HEAD.search(text)
        search = exercise.code.search if exercise and exercise.code else found[1] if found else ""
        if not search:
            raise NoLesson(f"Lesson {self.name} has no search in {args.file}.")
        options = shlex.split(exercise.command)[3:] if exercise and not args.draw else []
        return Code(args.file, search, args.draw, tuple(options))


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


@cache
def lesson(name: str, places: LessonLinks = PLAYGROUND) -> Lesson:
    """Load a lesson by its name, once for all.

    Args:
        name: the name of its file without the suffix.
        places: addresses to which it links.

    Raises:
        NoLesson: there is no lesson of that name.
    """
    # Only known names are read: a name is part of a path.
    if name not in (*pages(), *DOCUMENTS):
        raise NoLesson(f"There is no lesson {name!r}: there are {', '.join(pages())}.")
    text = _lesson_text(name)
    files = dict(SAVED_FILE.findall(text))
    reader = _Reader(name, places, files)
    body = reader.parts(SyntaxTreeNode(MARKDOWN.parse(text)))
    graded = exercises_of(name)
    return Lesson(name, _title(text), with_exercises(body, text, graded), reader.examples, files, graded)


def exercises_of(name: str) -> dict[int, d.ExerciseView]:
    """Exercises of a lesson by their numbers, as the teacher's answers grade them."""
    return exercises(FOLDER / "answers" / f"{name}.md", dict(SAVED_FILE.findall(_lesson_text(name))))


@cache
def view(name: str, places: LessonLinks = PLAYGROUND, *, changes: bool = False) -> d.LessonView:
    """Load a lesson as data for the page, once for all.

    Args:
        name: the lesson's.
        places: addresses to which it links.
        changes: whether readers may change its code and run it.

    Raises:
        NoLesson: there is no lesson of that name.
    """
    found, around = lesson(name, places), ["", *pages(), ""]
    place = around.index(found.name) if found.name in around else 0
    before, after = (_link(around[place + step] if place else "") for step in (-1, 1))
    counts = {each: len(exercises_of(each)) for each in pages()[1:]} if found.name == CONTENTS else {}
    return d.LessonView(
        name=found.name,
        title=found.title,
        body=found.body,
        before=before,
        after=after,
        exercises=counts,
        changes=changes,
    )


def pages() -> list[str]:
    """Names of all lessons in their order, after the contents."""
    names = (file.stem for file in FOLDER.glob("[0-9]*.md"))
    return [CONTENTS, *sorted(names, key=lambda name: int(name.partition("-")[0]))]


def _link(name: str) -> d.LessonLink | None:
    return d.LessonLink(name=name, title=_title(_lesson_text(name))) if name else None


def _lesson_text(name: str) -> str:
    if name in DOCUMENTS:
        # Comments name tests, for people who change the documents.
        return re.sub(r"<!--.*?-->\n*", "", (DOCUMENT_FOLDER / f"{name}.md").read_text(encoding="utf-8"))
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def _title(text: str) -> str:
    return text.partition("\n")[0].removeprefix("# ")


class _Reader:
    """Converts the Markdown parser's tree into elements, and collects the examples."""

    def __init__(self, name: str, places: LessonLinks, files: dict[str, str]) -> None:
        self._name, self._places = name, places
        self._saved = {text: file for file, text in files.items()}
        self.examples: list[Example] = []

    def parts(self, node: SyntaxTreeNode) -> list[Part]:
        """Content of a node."""
        return [part for child in node.children for part in self._parts_of_node(child)]

    def _parts_of_node(self, node: SyntaxTreeNode) -> list[Part]:
        match node.type:
            case "text":
                return [node.content]
            case "softbreak":
                return ["\n"]
            case "code_inline":
                return [_element("code", node.content)]
            case "fence":
                return self._block(node)
            case "image" if self._name in DOCUMENTS:
                return []
            case "image":
                return [self._places.picture(FOLDER / str(node.attrs["src"]), node.content)]
            case "link":
                return self._link_parts(str(node.attrs["href"]), self.parts(node))
            case "blockquote" if hint := self._hint(node):
                return [hint]
        if not node.tag or node.hidden:  # a group without a tag, or the only paragraph of a list item
            return self.parts(node)
        attributes = {name: str(value) for name, value in node.attrs.items() if name == "start"}  # of a list's numbers
        return [_element(node.tag, *self.parts(node)).model_copy(update={"attributes": attributes})]

    def _hint(self, node: SyntaxTreeNode) -> d.ElementView | None:
        """A quotation that begins with "**Hint.**", as an element that unfolds; None if it is another one."""
        first, *others = self.parts(node) if HINT_HEAD.match(_node_text(node)) else [""]
        if not isinstance(first, d.ElementView):
            return None
        head, *words = [part for part in first.children if part]
        rest = [words[0].lstrip(), *words[1:]] if words and isinstance(words[0], str) else words
        return _element("details", _element("summary", *_children(head)), _element("p", *rest), *others)

    def _link_parts(self, address: str, words: list[Part]) -> list[Part]:
        """A link to a lesson or a document. A link to an entry of the glossary becomes its word, one to another file
        the file's name, and one to another part of the same document its words.
        """
        here = "docs" if self._name in DOCUMENTS else "docs/lessons"
        there = posixpath.normpath(f"{here}/{address.partition('#')[0]}")
        if "glossary.md#" in address or address.startswith("#"):
            return words
        shown = {f"docs/lessons/{name}.md": name for name in pages()} | {f"docs/{name}.md": name for name in DOCUMENTS}
        if name := shown.get(there):
            return [d.ElementView(tag="a", attributes={"href": self._places.lesson(name)}, children=words)]
        return [*words, " (", _element("code", there), ")"]

    def _block(self, node: SyntaxTreeNode) -> list[Part]:
        """A block of code: its examples, or else the block."""
        number = len(self.examples) + 1
        found: list[Example] = []
        if self._name in DOCUMENTS:
            return [_element("pre", _element("code", node.content))]
        if node.info == "console":
            typed = (part.splitlines() for part in re.split(r"^\$ ", node.content, flags=re.MULTILINE)[1:])
            found = [Command(number + place, text, tuple(shown)) for place, (text, *shown) in enumerate(typed)]
        elif node.content.startswith(">>> "):
            found = [Lines(number, node.content.strip(), self._name)]
        self.examples += found
        if file := self._saved.get(node.content):
            search = SEARCH_HEAD.search(node.content)
            return [d.CodeView(file=file, code=node.content, search=search[1] if search else "")]
        return [self._places.example(example) for example in found] or [_element("pre", _element("code", node.content))]


def _node_text(node: SyntaxTreeNode) -> str:
    """Text of a node and those below it."""
    return "".join(map(_node_text, node.children)) if node.children else node.content


def _children(part: Part) -> list[Part]:
    return part.children if isinstance(part, d.ElementView) else [part]


def _element(tag: str, *children: Part) -> d.ElementView:
    return d.ElementView.model_validate({"tag": tag, "children": children})
