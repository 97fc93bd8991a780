"""The microscope's operations: trees of searches, why branches were cut off, races, quizzes.

Pure functions of their arguments, run by a worker, which remembers the trees it recorded last: a person who looks at
one asks about many of its nodes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Annotated, Literal

from pydantic import Field, RootModel

from plyground.errors import BadInput
from plyground.grading.pytest_file import pytest_file
from plyground.in_pages import in_pages
from plyground.microscope import forms, picture, worksheet
from plyground.microscope.columns import Columns
from plyground.microscope.compare import comparable_algorithms, compare
from plyground.microscope.quiz import Kind, Question
from plyground.microscope.quiz import quiz as make_quiz
from plyground.microscope.reasons import label
from plyground.microscope.tree import Tree, record
from plyground.microscope.values import children_of
from plyground.microscope.why import why
from plyground.microscope.wording import WORDING
from plyground.web.views import positions
from plyground.web.views.models import At, GameSpec, Model, Moves, Plies, PositionView, Seconds
from plyground.web.views.positions import view

Algorithm = Annotated[str, Field(max_length=400, examples=["alphabeta"])]
MOST_COMPARED_PLIES = 60
"""Plies to which algorithms are compared, at most."""


class Recorded(At):
    """A search that is recorded."""

    algorithm: Algorithm = "alphabeta"
    depth: Plies = 2
    hurry: bool = True
    """Prefer the sooner win; false tells only won, drawn and lost apart."""
    below: Moves = Field(default_factory=list)
    """Only the part of the search after these moves, as it ran there."""


class TreeView(RootModel[Columns]):
    """A recorded search: arrays with a place for each node, in the order in which they were entered."""


class Node(Recorded):
    """A node of a recorded search, by the moves from the tree's root."""

    path: Moves = Field(default_factory=list)


class NodeView(Model):
    """A node: its label, the reason of its value, and its position."""

    label: str
    why: str
    position: PositionView


class Boards(Recorded):
    """Some nodes of a recorded search, by their numbers."""

    nodes: Annotated[list[Annotated[int, Field(ge=0)]], Field(max_length=60)]


class BoardsView(Model):
    """The positions of those nodes."""

    positions: list[PositionView]


class SavedView(Model):
    """Savings of a cut: the number of nodes that minimax visits below the moves cut off."""

    nodes: int


class File(Recorded):
    """A recorded search as a file."""

    form: Literal["text", "spy", "svg", "dot", "json", "html", "pytest"]


class FileView(Model):
    """A file: its name and its text."""

    name: str
    text: str


class Race(At):
    """Algorithms side by side on a position, to each depth up to this one."""

    algorithms: Annotated[list[Algorithm], Field(max_length=20)] = Field(default_factory=list)
    """Those that run; by default all that look to a depth."""
    depth: Annotated[int, Field(ge=1, le=MOST_COMPARED_PLIES)] = 4
    seconds: Seconds = 3.0
    """For each search, at most."""


class RowView(Model):
    """One search of a race."""

    algorithm: str
    depth: int
    nodes: int
    leaves: int | None
    cutoffs: int | None
    first: float | None
    branching: float | None
    seconds: float
    value: str


class RaceView(Model):
    """A race as far as it has been run."""

    algorithms: list[str]
    rows: list[RowView]
    unfinished: list[tuple[str, int]]
    """Which algorithms ran out of time, and at which depth."""
    why_plain: str | None
    """Why the searches run as plain Python, which is slow, in a sentence; null where they are compiled."""


class Quiz(Model):
    """Questions on positions from random play; the same seed asks the same."""

    game: GameSpec
    count: Annotated[int, Field(ge=1, le=20)] = 3
    seed: Annotated[int, Field(ge=0, le=1_000_000_000)] = 0
    depth: Annotated[int, Field(ge=1, le=3)] = 2


class QuestionView(Model):
    """A question about a tree whose leaves alone are valued."""

    kind: Kind
    words: str
    moves: list[str]
    """From the root to the node that is asked about."""
    position: PositionView
    tree: TreeView


class QuizView(Model):
    """The questions."""

    questions: list[QuestionView]


class Mark(Quiz):
    """An answer to one of the questions, from 0."""

    number: Annotated[int, Field(ge=0, le=19)]
    answer: Annotated[str, Field(max_length=400)]


class MarkView(Model):
    """Whether an answer is right; the right one, and why."""

    right: bool
    answer: str
    solution: str


class Sheet(Quiz):
    """A quiz as a worksheet."""

    form: Literal["html", "json"]


# -- trees -------------------------------------------------------------------------------------------------------------


def tree(args: Recorded) -> Iterator[TreeView]:
    """A recorded search, or a part of one."""
    yield TreeView(_record_tree(args).columns)


def node(args: Node) -> Iterator[NodeView]:
    """A node in words."""
    yield node_view(args.game, _record_tree(args), args.path)


def boards(args: Boards) -> Iterator[BoardsView]:
    """The positions of some nodes."""
    yield boards_view(args.game, _record_tree(args), args.nodes)


def savings(args: Node) -> Iterator[SavedView]:
    """Nodes that the cut at a node saved."""
    found = _record_tree(args)
    yield SavedView(nodes=found.saved_by_cut(found.node_at(args.path)))


def tree_file(args: File) -> Iterator[FileView]:
    """A recorded search as text, a picture, a page or a test."""
    found = _record_tree(args)
    made = {"text": forms.text, "spy": forms.spy, "svg": picture.svg, "dot": forms.dot, "html": forms.html}
    name = {"text": "tree.txt", "spy": "leaves.txt", "pytest": "test_student.py"}.get(args.form, f"tree.{args.form}")
    if args.form == "pytest":
        text = pytest_file(found, args.game)
    else:
        text = forms.as_json(found) if args.form == "json" else made[args.form](found)
    yield FileView(name=name, text=text)


def _record_tree(args: Recorded) -> Tree:
    return _tree(args.game, args.start, tuple(args.moves), args.algorithm, args.depth, args.hurry, tuple(args.below))


@lru_cache(maxsize=8)
def _tree(
    game: str, start: str, moves: tuple[str, ...], algorithm: str, depth: int, hurry: bool, below: Sequence[str]
) -> Tree:
    if not below:
        return record(
            positions.position_at(At(game=game, start=start, moves=list(moves))), algorithm, depth, prefer_shorter=hurry
        )
    # The recording goes through the cache: the whole search is recorded once for all its parts.
    return part_below(_tree(game, start, moves, algorithm, depth, hurry, ()), below)


@in_pages
def part_below(found: Tree, moves: Sequence[str]) -> Tree:
    """The part of a tree below some moves: along the nodes that are kept, then on in the part below the last one.

    Raises:
        BadInput: the search did not enter a node.
    """
    path: list[str] = []
    for word in moves:
        # A node whose children are not kept: the part below it is searched again, with its window,
        # and the path goes on in that.
        if len(path) > 0 and found.hidden[found.node_at(path)] > 0:
            found = found.below(found.node_at(path))
            path = list[str]()
        path = [*path, word]
    return found.below(found.node_at(path)) if len(path) > 0 else found


@in_pages
def node_view(game: str, found: Tree, path: Sequence[str]) -> NodeView:
    """A node in words, by the moves that lead to it."""
    here = found.node_at(path)
    return NodeView(label=label(found, here), why=why(found, here), position=view(game, found.position_at(here)))


@in_pages
def boards_view(game: str, found: Tree, nodes: Sequence[int]) -> BoardsView:
    """The positions of some nodes.

    Raises:
        BadInput: there is no such node.
    """
    count = len(found.parent)
    beyond = next((node for node in nodes if node >= count), None)
    if beyond is not None:
        raise BadInput(WORDING.no_node.format(node=beyond, count=f"{count:,}"))
    return BoardsView(positions=[view(game, found.position_at(node)) for node in nodes])


# -- races -------------------------------------------------------------------------------------------------------------


def race(args: Race) -> Iterator[RaceView]:
    """Each algorithm in turn, the searches finished so far."""
    here = positions.position_at(args)
    rows: list[RowView] = []
    unfinished: list[tuple[str, int]] = []
    why_plain = None
    # Algorithms are compared one after the other: a page draws each line as it is done.
    algorithms = args.algorithms or comparable_algorithms()
    for algorithm in algorithms:
        found = compare(here, [algorithm], range(1, args.depth + 1), seconds=args.seconds)
        rows += [RowView.model_validate(row, from_attributes=True) for row in found.rows]
        unfinished += found.unfinished
        why_plain = why_plain or found.why_plain
        yield RaceView(algorithms=algorithms, rows=list(rows), unfinished=list(unfinished), why_plain=why_plain)


# -- quizzes -----------------------------------------------------------------------------------------------------------


def quiz(args: Quiz) -> Iterator[QuizView]:
    """Questions, without their answers."""
    yield QuizView(questions=[question_view(args.game, each, each.shown.columns) for each in _questions(args)])


def mark(args: Mark) -> Iterator[MarkView]:
    """Whether an answer is right."""
    questions = _questions(args)
    if args.number >= len(questions):
        raise BadInput(f"There is no question {args.number}: there are 0 to {len(questions) - 1}.")
    question = questions[args.number]
    yield MarkView(right=question.is_right(args.answer), answer=question.answer, solution=question.solution)


def sheet(args: Sheet) -> Iterator[FileView]:
    """A worksheet with answers."""
    questions = _questions(args)
    title = f"{args.game}, quiz {args.seed}"
    text = worksheet.as_json(questions) if args.form == "json" else worksheet.html(questions, title)
    yield FileView(name=f"quiz-{args.seed}.{args.form}", text=text)


def _questions(args: Quiz) -> list[Question]:
    return _cached_quiz(args.game, args.count, args.seed, args.depth)


@lru_cache(maxsize=16)
def _cached_quiz(game: str, count: int, seed: int, depth: int) -> list[Question]:
    return make_quiz(positions.position_at(At(game=game)).game, count, seed, depth)


@in_pages
def question_view(game: str, question: Question, columns: Columns) -> QuestionView:
    """The question, with the values of the leaves and nothing else of the tree."""
    inner = [len(children) > 0 for children in children_of(columns.parent)]
    bare = replace(
        columns,
        # Values are hidden here and not in the page: an answer that is sent can be read.
        value=[0 if hides else value for hides, value in zip(inner, columns.value, strict=True)],
        bound=["?" if hides else "=" for hides in inner],
        best=[None for _ in inner],
        line=list[int](),
    )
    return QuestionView(
        kind=question.kind,
        words=question.words,
        moves=list(question.moves),
        position=view(game, question.shown.root),
        tree=TreeView(bare),
    )
