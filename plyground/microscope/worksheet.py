"""Worksheet of a quiz: a printable page with the answers at its end, or JSON for programs."""

import json
from html import escape

from plyground.board import svg as drawing
from plyground.microscope.forms import bare, page
from plyground.microscope.picture import has_words, svg
from plyground.microscope.quiz import Question

WIDE = 900.0
"""Most pixels of a picture that stays readable when a printed page shrinks it to its width."""


STYLE = """
.tree svg { max-width: 100%; height: auto; }
pre { columns: 2; line-height: 1.25; }
section, li { break-inside: avoid; }
.answers { break-before: page; }
"""


def html(questions: list[Question], title: str) -> str:
    """A self-contained page; the answers begin on a printed page of their own."""
    asked = "".join(
        f"<section><h2>{number}</h2><p>{escape(question.words)}</p>"
        f"{board(question)}{_tree(question)}"
        "<p>Answer: ______________________</p></section>"
        for number, question in enumerate(questions, 1)
    )
    answers = "".join(
        f"<li><strong>{escape(question.answer)}</strong>. {escape(question.solution)}</li>" for question in questions
    )
    legend = "<p>▲ x to move (MAX), ▼ o to move (MIN). Leaves show their values; values are from x's side.</p>"
    return page(
        title, f'<style>{STYLE}</style>{legend}{asked}<div class="answers"><h2>Answers</h2><ol>{answers}</ol></div>'
    )


def board(question: Question) -> str:
    """The board at the root."""
    position = question.shown.root
    return drawing.svg(position.board, position.look(), 110)


def _tree(question: Question) -> str:
    """The tree as a picture where that can be read, else as text."""
    if has_words(question.shown, WIDE):
        return f'<div class="tree">{svg(question.shown, boards=False, widest=WIDE, bare=True)}</div>'
    return f"<pre>{escape(bare(question.shown))}</pre>"


def as_json(questions: list[Question]) -> str:
    """One line of JSON: each question with its position, tree, answer and solution."""
    asked = [
        {
            "kind": question.kind,
            "position": question.shown.root.text,
            "depth": question.shown.depth,
            "moves": list(question.moves),
            "question": question.words,
            "tree": bare(question.shown),
            "answer": question.answer,
            "solution": question.solution,
        }
        for question in questions
    ]
    return json.dumps(asked, ensure_ascii=False) + "\n"
