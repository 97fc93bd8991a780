"""Forms of grades: text for one search, and JSON, entries of a gradebook or a page of HTML for one or a class."""

import json
import shlex
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from plyground.gradebook.entries import Entry, part_name
from plyground.grading.drawing import counts, draw_reference, pair, right_tree, side_by_side
from plyground.grading.grade import Counterexample, CriterionMark, SearchGrade
from plyground.grading.program import is_program
from plyground.markup import Inside, Markup, el, fragment
from plyground.microscope.forms import page
from plyground.microscope.picture import svg
from plyground.search import ALGORITHMS
from plyground.spec import is_own
from plyground.text import plain, plain_lines, visible

RIGHT = "No mistake was found."
NOT_GRADED = "not graded"
"""Word in place of points, where nothing was graded and no exercise says the most points."""
WITH_RIGHTS = "This runs the file with your rights: only its grade is made in a sandbox."
"""After a command that shows a search's tree."""
FURTHER = "Also, perhaps: {words}"
"""A mistake after the first one, of which it may be a consequence."""
FURTHER_MARK = "Perhaps: {words}"
"""A further mistake beside the criterion that it costs."""
SVG_WIDEST = 900.0
"""Most pixels of a tree's picture on the page."""


@dataclass(frozen=True)
class ExampleData:
    """A counterexample in JSON."""

    mistake: str | None
    further: bool
    """Whether it is another mistake than the first one of the grade, of which it may be a consequence."""
    words: str
    seen: str
    game: str
    position: str
    depth: int | None
    """Depth of the question in plies; None where no search was run."""
    window: list[int] | None


@dataclass(frozen=True)
class MarkData:
    """Points of a criterion in JSON."""

    name: str
    points: int
    possible: int
    asked: int
    failed: int
    unanswered: int
    """Number of failed questions without an answer."""
    example: ExampleData | None
    unseen: int = 0
    """Number of failed questions in which nothing shows whether the criterion is fulfilled."""


@dataclass(frozen=True)
class GradeData:
    """A grade in JSON."""

    name: str
    points: int
    possible: int | None
    """Most points; None where nothing was graded and no exercise says how many there were."""
    likely: str
    refused: str
    criteria: list[MarkData]
    mistakes: list[ExampleData]
    uses: list[str]
    """Imports and calls in the file that no search needs."""
    remarks: list[str] = field(default_factory=list)
    """Sentences that cost no points."""


@dataclass(frozen=True)
class DrawnTree:
    """A tree of a counterexample, for the page."""

    caption: str
    svg: str


@dataclass(frozen=True)
class ShownMistake:
    """A mistake, for the page."""

    words: str
    seen: str
    command: str
    """The command that shows the search's tree; empty where the tree does not show the mistake."""
    trees: tuple[DrawnTree, ...]


@dataclass(frozen=True)
class GradeReport:
    """A grade in all forms, which can go from one process to another.

    A student's search has its words in it, such as the text of a move, and where it ran in another process all of it
    may be the student's. So each text is made plain here, for terminals and tables.
    """

    data: GradeData
    """The report as JSON, for programs."""
    text: str
    """The report as text, for a terminal."""
    mark_words: tuple[str, ...]
    """The mistake that cost points, in a sentence, for each criterion of `data`."""
    shown: tuple[ShownMistake, ...]
    """The mistakes, for the page."""

    def __post_init__(self) -> None:
        for each in ("data", "mark_words", "shown"):
            # The only place: whatever form is made of a report later, a terminal or a table gets no escape sequence.
            object.__setattr__(self, each, _plain(getattr(self, each)))
        object.__setattr__(self, "text", plain_lines(self.text))

    @property
    def name(self) -> str:
        """Name of the search."""
        return self.data.name

    @property
    def score(self) -> str:
        """Points: `85 of 100`."""
        return NOT_GRADED if self.data.possible is None else f"{self.data.points} of {self.data.possible}"

    @property
    def points(self) -> int:
        """Points in all."""
        return self.data.points

    @property
    def likely(self) -> str:
        """The likely mistake in a sentence, or that none was found."""
        return self.data.likely or RIGHT

    @property
    def look(self) -> str:
        """Sentence on uses in its file that no search needs; empty where there are none."""
        return uses_words(self.data.uses)

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> Markup:
        return section(self)


def _plain(found: Any) -> Any:
    """Copy of a record whose texts have no control characters and terminal escapes."""
    if is_dataclass(found) and not isinstance(found, type):
        return replace(found, **{each.name: _plain(getattr(found, each.name)) for each in fields(found)})
    if isinstance(found, list | tuple):
        return type(found)(map(_plain, found))
    return plain(found) if isinstance(found, str) else found


def report(grade: SearchGrade) -> GradeReport:
    """A grade in all forms."""
    words = tuple(mark_words(grade, mark) for mark in grade.marks)
    return GradeReport(
        data(grade), text(grade), words, tuple(_show_mistake(grade, example) for example in grade.mistakes)
    )


def uses_words(uses: Sequence[str]) -> str:
    """Sentence on imports and calls in a search's file that no search needs; empty without any."""
    return f"Look at the file, for a search needs none of it: {'; '.join(uses)}." if uses else ""


def _is_further(grade: SearchGrade, example: Counterexample) -> bool:
    """Whether a counterexample shows another mistake than the first one, of which it may be a consequence."""
    # Mistakes are ordered with the cause first, so each other one may have come of it: the words say perhaps.
    first = grade.mistakes[0].breach if grade.mistakes else None
    return first is not None and example.breach is not None and example.breach.key != first.key


def mark_words(grade: SearchGrade, mark: CriterionMark) -> str:
    """Mistake that cost a criterion points, in a sentence; empty where there was none."""
    if mark.example is None:
        return ""
    if mark.example.breach and _is_further(grade, mark.example):
        return FURTHER_MARK.format(words=mark.example.breach.words)
    if mark.example.breach or not mark.example.is_drawn:
        return mark.example.breach.words if mark.example.breach else mark.example.sentence
    return f"{mark.example.sentence} ({mark.example.question.command})"


def text(grade: SearchGrade) -> str:
    """Points for each criterion, the likely mistakes, and the smallest counterexample beside the reference's tree."""
    if grade.refused:
        return " ".join(filter(None, [f"{visible(grade.name)}: {grade.refused}", uses_words(grade.uses)])) + "\n"
    lines = [
        mark_line(mark.criterion.name, mark.points, mark.criterion.points, _failures(mark)) for mark in grade.marks
    ]
    lines.append(f"{visible(grade.name)}: {grade.points} of {grade.possible} points. {grade.likely or RIGHT}")
    lines += filter(None, [*grade.remarks, uses_words(grade.uses)])
    for number, example in enumerate(grade.mistakes):
        if number:
            lines.append(f"\n{FURTHER.format(words=example.breach.words if example.breach else example.sentence)}")
            lines += _command_lines(grade, example) if example.is_drawn else []
        elif example.is_drawn:
            lines += ["", *_explain_example(grade, example)]
    return "\n".join(lines) + "\n"


def mark_line(name: str, points: int, possible: int, missed: str, wide: int = 24) -> str:
    """The line of a criterion; `missed` says what cost its points, and is empty where nothing did."""
    return f"{'✗' if missed else '✓'} {name:<{wide}} {points:>3} of {possible:>2}{f'   {missed}' if missed else ''}"


def _failures(mark: CriterionMark) -> str:
    """Number of failed questions for a criterion: wrong ones, unanswered ones and those without evidence apart."""
    silent, unseen = mark.unanswered, mark.unseen
    wrong = mark.failed - silent - unseen
    counts = {"slow" if mark.is_slow else "wrong": wrong, "without an answer": silent, "without evidence": unseen}
    return ", ".join(f"{count:,} of {mark.asked:,} {how}" for how, count in counts.items() if count > 0)


def _command(grade: SearchGrade, example: Counterexample) -> str:
    """The command that shows the search's tree of a counterexample; the right tree of a program or a function of a
    notebook, which no command finds."""
    # A command must work when it is typed: a function of a notebook is in no file.
    is_there = not is_program(grade.name) and (
        is_own(grade.name) or any(grade.name.partition(":")[0] == each.name for each in ALGORITHMS)
    )
    name = shlex.quote(visible(grade.name)) if is_there else "minimax"
    return f"plyground tree {example.question.command} --algorithm {name}"


def _command_lines(grade: SearchGrade, example: Counterexample) -> list[str]:
    return [f"$ {_command(grade, example)}", *filter(None, [_warning(grade.name)])]


def _warning(name: str) -> str:
    """Warning beside commands that run a search's file; empty where they run none."""
    return WITH_RIGHTS if is_own(name) and not is_program(name) else ""


def _explain_example(grade: SearchGrade, example: Counterexample) -> list[str]:
    found = pair(example)
    lines = [*_command_lines(grade, example), *filter(None, [seen_words(example)])]
    return [*lines, "", side_by_side(found) if found else draw_reference(example)]


def seen_words(example: Counterexample) -> str:
    """The observed mistake in a sentence, with its node."""
    if example.breach is None or example.breach.node < 0:
        return example.sentence
    held = example.asked.held
    path = [example.breach.node]
    while (above := held.nodes[path[-1]].parent) >= 0:
        path.append(above)
    game = held.game
    words = []
    for below in reversed(path[:-1]):
        node = held.nodes[below]
        try:
            words.append(game.move_text(held.nodes[node.parent].state, node.move))
        except Exception:  # a search may try anything
            words.append(str(node.move))
    return f"{'After ' + ' '.join(words) if words else 'At the root'}: {example.sentence}"


def data(grade: SearchGrade) -> GradeData:
    """A grade as data for programs."""
    return GradeData(
        name=visible(grade.name),
        points=grade.points,
        possible=grade.possible,
        likely=grade.likely,
        refused=grade.refused,
        criteria=[
            MarkData(
                name=mark.criterion.name,
                points=mark.points,
                possible=mark.criterion.points,
                asked=mark.asked,
                failed=mark.failed,
                unanswered=mark.unanswered,
                example=None if mark.example is None else _example(grade, mark.example),
                unseen=mark.unseen,
            )
            for mark in grade.marks
        ],
        mistakes=[_example(grade, example) for example in grade.mistakes],
        uses=[*grade.uses],
        remarks=[*grade.remarks],
    )


def _example(grade: SearchGrade, example: Counterexample) -> ExampleData:
    question = example.question
    return ExampleData(
        mistake=example.breach.key if example.breach else None,
        further=_is_further(grade, example),
        words=example.breach.words if example.breach else example.sentence,
        seen=seen_words(example),
        game=question.name,
        position=question.position.text,
        depth=question.depth,
        window=None if question.is_open else list(question.window),
    )


def as_json(reports: Sequence[GradeReport]) -> str:
    """One line of JSON: a list with an object for each search, also of one."""
    return json.dumps([asdict(each.data) for each in reports], ensure_ascii=False) + "\n"


def entries(reports: Sequence[GradeReport], students: Sequence[str], item: str) -> list[Entry]:
    """Entries of a gradebook: for each search its points with the likely mistake, then those of its criteria.

    Args:
        reports: the grades.
        students: the student of each of them.
        item: the exercise's name.
    """
    found = []
    for student, each in zip(students, reports, strict=True):
        reason = " ".join(filter(None, [each.data.likely, each.look]))
        found.append(Entry(student, item, each.data.points, each.data.possible, reason))
        found += [
            Entry(student, part_name(item, mark.name), mark.points, mark.possible, words)
            for mark, words in zip(each.data.criteria, each.mark_words, strict=True)
        ]
    return found


def table(reports: Sequence[GradeReport]) -> str:
    """A class in text: points and the likely mistake of each search, by the part of its name that others have not."""
    names = short_names([each.name for each in reports])
    wide = max(map(len, names))
    return "".join(
        f"{name:<{wide}}  {each.score:>10}  {' '.join(filter(None, [each.likely, each.look]))}\n"
        for name, each in zip(names, reports, strict=True)
    )


def short_names(names: Sequence[str]) -> list[str]:
    """Names without the folder that all are in, and without the function's name where all have the same.

    >>> short_names(["class/ann.py:search", "class/b/bob.py:search"]), short_names(["ann.py:one", "ann.py:two"])
    (['ann.py', 'b/bob.py'], ['ann.py:one', 'ann.py:two'])
    """
    if len(names) < 2 or any(map(is_program, names)):
        return [*names]
    parts = [name.rpartition(":") for name in names]
    files, functions = [Path(file) for file, _, _ in parts], [function for _, _, function in parts]
    # Names are shortened by what they have in common alone, so they stay unique.
    shared = next((each for each in files[0].parents if all(file.is_relative_to(each) for file in files)), Path())
    short = [str(file.relative_to(shared) if file.is_relative_to(shared) else file) for file in files]
    return short if len({*functions}) == 1 else [f"{file}:{name}" for file, name in zip(short, functions, strict=True)]


STYLE = """
body { max-width: 72rem; margin-inline: auto; padding-inline: 1rem; }
table.marks { width: 100%; } .marks td { border-top: 1px solid #d9dce0; } .marks .number { white-space: nowrap; }
.missed { color: #a3231b; } .scroll, .tree { overflow-x: auto; max-width: 100%; }
.pair { display: flex; flex-wrap: wrap; gap: 1rem; } .pair > figure { margin: 0; flex: 1 1 20rem; min-width: 0; }
pre { overflow-x: auto; padding: 0.6rem; border: 1px solid #cfd3d8; border-radius: 8px; font-size: 0.85rem; }
.scroll pre, code { overflow-wrap: anywhere; } section { border-top: 2px solid #1b1f24; margin-top: 2.5rem; }
.tree img { display: block; }
@media (prefers-color-scheme: dark) {
  body { color: #e8e6e1; background: #16181b; } a { color: #8fb8ff; } .missed { color: #ff9d94; }
  .marks td, pre { border-color: #3b4047; } section { border-color: #e8e6e1; }
}
@media (max-width: 40rem) { body { margin: 0.5rem auto; } .marks .words { display: none; } }
@media print { section { break-before: page; } }
"""


def html(reports: Sequence[GradeReport], title: str) -> Markup:
    """A self-contained page: the class, then each search with its points, mistakes and trees."""
    rows = (
        el(
            "tr",
            el("td", el("a", each.name, href=f"#s{number}")),
            el("td", each.score, class_="number"),
            el("td", f"{each.likely} {each.look}", class_="words"),
        )
        for number, each in enumerate(reports)
    )
    head = el("tr", el("th", "search"), el("th", "points"), el("th", "likely mistake", class_="words"))
    parts = (el("section", section(each), id=f"s{number}") for number, each in enumerate(reports))
    return page(title, _marks(head, rows), parts, style=STYLE)


def _marks(*rows: Inside) -> Markup:
    """A table that is scrolled sideways where the screen is narrow."""
    return el("div", el("table", rows, class_="marks"), class_="scroll")


def section(report: GradeReport) -> Markup:
    """A report's part of the page."""
    head = el("h2", f"{report.name}: {report.score}")
    if refused := report.data.refused:
        return fragment(head, el("p", refused, class_="missed"))
    rows = (
        el(
            "tr",
            el("td", f"{'✗' if mark.failed else '✓'} {mark.name}"),
            el("td", f"{mark.points} of {mark.possible}", class_="number"),
            el("td", words, class_="words"),
        )
        for mark, words in zip(report.data.criteria, report.mark_words, strict=True)
    )
    leads = chain(["{words}"], repeat(FURTHER))
    look = [el("p", said) for said in [*report.data.remarks, report.look] if said]
    mistakes = [_mistake(shown, lead, _warning(report.name)) for shown, lead in zip(report.shown, leads, strict=False)]
    return fragment(head, look, _marks(rows), mistakes or el("p", RIGHT))


def _mistake(shown: ShownMistake, lead: str, warning: str) -> Inside:
    head = el("h3", lead.format(words=shown.words), class_="missed")
    if not shown.command:
        return head
    seen, command = el("p", shown.seen), el("p", el("code", shown.command), f" {warning}")
    return [head, seen, command, el("div", map(_figure, shown.trees), class_="pair")]


def _figure(tree: DrawnTree) -> Markup:
    """A tree as an image: in an image no script runs and nothing is fetched, also if a student's process drew it."""
    # A lone surrogate in a student's text would end the report: it is replaced.
    drawing = b64encode(tree.svg.encode("utf-8", "replace")).decode()
    image = el("img", alt=tree.caption, src=f"data:image/svg+xml;base64,{drawing}")
    return el("figure", el("figcaption", tree.caption), el("div", image, class_="tree"))


def _show_mistake(grade: SearchGrade, example: Counterexample) -> ShownMistake:
    words = example.breach.words if example.breach else example.sentence
    if not example.is_drawn:
        return ShownMistake(words, "", "", ())
    found = pair(example)
    trees = [("yours", found.yours, found.node), ("right", found.right, found.twin)] if found else []
    return ShownMistake(
        words,
        seen_words(example) if example.breach else "",
        _command(grade, example),
        tuple(
            DrawnTree(f"{name}: {counts(tree)}", svg(tree, widest=SVG_WIDEST, marked=place))
            for name, tree, place in trees or [("right", right_tree(example), 0)]
        ),
    )
