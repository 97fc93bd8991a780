"""Worksheet of a quiz: a printable page with the answers at its end, or JSON for programs."""

import json

from plyground.board import svg as drawing
from plyground.markup import Markup, el
from plyground.microscope.forms import page, question_text
from plyground.microscope.picture import has_words, svg
from plyground.microscope.quiz import Question

WIDEST_READABLE_PIXELS = 900.0
"""Most pixels of a picture that stays readable when a printed page shrinks it to its width."""


WORKSHEET_STYLE = """
.tree svg { max-width: 100%; height: auto; }
pre { columns: 2; line-height: 1.25; }
section, li { break-inside: avoid; }
.answers { break-before: page; }
"""


def html(questions: list[Question], title: str) -> Markup:
    """A self-contained page; the answers begin on a printed page of their own."""
    asked = (
        el(
            "section",
            el("h2", number),
            el("p", question.words),
            board(question),
            _tree(question),
            el("p", "Answer: ______________________"),
        )
        for number, question in enumerate(questions, 1)
    )
    answers = (el("li", el("strong", question.answer), f". {question.solution}") for question in questions)
    legend = "▲ x to move (MAX), ▼ o to move (MIN). Leaves show their values; values are from x's side."
    ending = el("div", el("h2", "Answers"), el("ol", answers), class_="answers")
    return page(title, el("p", legend), asked, ending, style=WORKSHEET_STYLE)


def board(question: Question) -> Markup:
    """The board at the root."""
    position = question.shown.root
    return drawing.svg(position.board, position.look(), 110)


def _tree(question: Question) -> Markup:
    """The tree as a picture where that can be read, else as text."""
    # Paper does not scroll: a wide picture shrinks until its values cannot be read, text breaks
    # into columns.
    if has_words(question.shown, WIDEST_READABLE_PIXELS):
        return el("div", svg(question.shown, boards=False, widest=WIDEST_READABLE_PIXELS, bare=True), class_="tree")
    return el("pre", question_text(question.shown))


def as_json(questions: list[Question]) -> str:
    """One line of JSON: each question with its position, tree, answer and solution."""
    asked = [
        {
            "kind": question.kind,
            "position": question.shown.root.text,
            "depth": question.shown.depth,
            "moves": list(question.moves),
            "question": question.words,
            "tree": question_text(question.shown),
            "answer": question.answer,
            "solution": question.solution,
        }
        for question in questions
    ]
    return json.dumps(asked, ensure_ascii=False) + "\n"
