"""The quiz: its answers are those of slow twins, and an answer is marked however people write it."""

import json
import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from answering import Answers, Refused
from commanding import ran
from games import games
from hypothesis import example, given, settings
from hypothesis import strategies as st

import plyground as pg
from plyground.microscope import worksheet
from plyground.microscope.columns import brief
from plyground.microscope.quiz import Kind, Question, ask
from plyground.microscope.tree import Tree, record
from plyground.rules import MAX
from plyground.score import INFINITY, final


def worth(position: pg.Position, depth: int, ply: int = 0) -> int:
    """Minimax, as the obvious twin."""
    if position.outcome is not None:
        return final(position.outcome, ply)
    if depth == 0:
        return position.game.evaluate(position.state)
    values = [worth(position.play(move), depth - 1, ply + 1) for move in position.legal_moves]
    return max(values) if position.to_move == MAX else min(values)


Seen = dict[tuple[str, ...], tuple[tuple[int, int], list[str]]]


def twin(position: pg.Position, depth: int, low: int, high: int, path: tuple[str, ...], seen: Seen) -> int:
    """Alpha-beta from its definition: for each path that is entered, the window and the moves cut off."""
    cut: list[str] = []
    seen[path] = (low, high), cut
    if position.outcome is not None or depth == 0:
        return worth(position, depth, len(path))
    names = [position.game.move_text(position.state, move) for move in position.legal_moves]
    values: list[int] = []
    for name in names:
        if values and (max(values) >= high if position.to_move == MAX else min(values) <= low):
            cut.append(name)
            continue
        inner = (max([low, *values]), high) if position.to_move == MAX else (low, min([high, *values]))
        values.append(twin(position.play(name), depth - 1, *inner, (*path, name), seen))
    return max(values) if position.to_move == MAX else min(values)


@settings(max_examples=8)
@example(name="chomp:3,3", seed=0)  # whose sides have names of two words
@given(name=st.sampled_from([*games("small"), "ultimate"]), seed=st.integers(0, 50))
def test_answers_are_right(name: str, seed: int) -> None:
    """Each answer is what the twins find; the same seed asks the same questions."""
    questions = pg.quiz(pg.game_named(name), 3, seed)
    assert [(each.words, each.answer) for each in questions] == [
        (each.words, each.answer) for each in pg.quiz(pg.game_named(name), 3, seed)
    ]
    for question in questions:
        root, depth = question.shown.root, question.shown.depth
        names = root.game.names
        seen: Seen = {}
        assert twin(root, depth, -INFINITY, INFINITY, (), seen) == worth(root, depth)
        here = root
        for move in question.moves:
            here = here.play(move)
        if question.kind == "value":
            assert question.answer == brief(worth(here, depth - len(question.moves), len(question.moves)), names)
        elif question.kind == "cut":
            assert set(question.answer.split()) - {"none"} == set(seen[question.moves][1])
        else:
            low, high = seen[question.moves][0]
            assert question.answer == f"[{brief(low, names)}, {brief(high, names)}]"
        assert question.is_right(question.answer) and question.solution


def test_answers_as_people_write_them() -> None:
    """Blanks, signs, brackets and orders do not matter; a wrong answer is wrong; what cannot be read is said."""
    questions = pg.quiz(pg.MNK(), 12, seed=4)
    for question in questions:
        with pytest.raises(pg.BadInput, match="There is no answer yet"):
            question.is_right("  ")
        if question.kind == "window":
            low, high = question.answer.strip("[]").split(", ")
            assert question.is_right(f" {low} , {high}".replace("∞", "inf").replace("−", "-"))
            assert not question.is_right("5, 6")
        elif question.kind == "cut" and question.answer != "none":
            assert question.is_right(", ".join(reversed(question.answer.split())).upper())
            assert not question.is_right("none")
            for word in ("0", "nothing", question.moves[0]):
                with pytest.raises(pg.BadInput) as said:
                    question.is_right(f"{question.answer}; {word}")
                assert (
                    str(said.value) == f"'{word}' is no legal move there: answer with the moves, as in a1 b2, or none."
                )
        elif question.kind == "value":
            assert question.is_right(question.answer.replace("−", "-")) and not question.is_right("77")
            with pytest.raises(pg.BadInput, match="cannot be read"):
                question.is_right("dunno")
    with pytest.raises(pg.BadInput, match="ask 1 to 100"):
        pg.quiz(pg.MNK(), 0)


@pytest.mark.compiled
@pytest.mark.process
@pytest.mark.parametrize("name", ["connectfour:3,4", "threemorris"])
def test_a_published_page_asks(name: str, tmp_path: Path) -> None:
    """The questions of a page's worker have Python's answers and reasons, and its marks are Python's."""
    game = pg.game_named(name)
    with Answers(name, tmp_path) as worker:
        for depth in (1, 2):
            asked = {"count": 6, "seed": 5, "depth": depth}
            questions = worker.ask("quiz", **asked)["questions"]
            assert worker.ask("quiz", **asked)["questions"] == questions
            for number, question in enumerate(questions):
                shown = record(pg.Position.parse(game, " ".join(question["position"]["moves"])), "minimax", depth)
                twin = again(shown, question["kind"], question["moves"])
                assert question["words"] == twin.words and len(shown) == len(question["tree"]["move"])
                for answer in (twin.answer, twin.answer.upper(), "none", "-77", "5, 6", "what"):
                    try:
                        right = twin.is_right(answer)
                    except pg.BadInput as fault:
                        with pytest.raises(Refused) as refused:
                            worker.ask("mark", **asked, number=number, answer=answer)
                        assert str(refused.value) == str(fault)
                        continue
                    marked = worker.ask("mark", **asked, number=number, answer=answer)
                    assert marked == {"right": right, "answer": twin.answer, "solution": twin.solution}
        with pytest.raises(Refused, match="101 questions of depth 2: ask 1 to 100, of depth 1 to 3"):
            worker.ask("quiz", count=101, seed=0, depth=2)


def again(shown: Tree, kind: Kind, moves: list[str]) -> Question:
    """Python's question about a node, as chance would have drawn it."""

    class Fixed(random.Random):
        def choice(self, seq: Any) -> Any:
            return tree.node_at(moves)

    tree = shown if kind == "value" else record(shown.root, "alphabeta", shown.depth)
    return ask(kind, shown, Fixed())


def test_the_worksheet() -> None:
    """Every question with its tree, no answer before the answers' page, and the same as data."""
    questions = pg.quiz(pg.MNK(), 6, seed=1)
    page = worksheet.html(questions, "<quiz>")
    asked, answers = page.split('<div class="answers">')
    assert asked.count("Answer: ___") == 6 and "<script" not in page and "&lt;quiz&gt;" in page
    assert answers.count("<li>") == 6 and not re.search(r"cutoff|principal|value .*window", asked)
    kept = json.loads(worksheet.as_json(questions))
    assert [each["answer"] for each in kept] == [question.answer for question in questions]


def test_the_verb_quiz(tmp_path: Path) -> None:
    """Right answers are counted, an unreadable one is asked again, and the end of input ends it."""
    answers = [question.answer for question in pg.quiz(pg.MNK(), 3)]
    done = ran(["quiz", "tictactoe", "--count", "3"], typed="\n".join(["what", *answers]) + "\n")
    assert done.exit_code == 0 and "3 of 3 right" in done.stdout and "cannot be read" in done.stdout
    assert ran(["quiz", "tictactoe"], typed="").exit_code != 0
    for form in ("--html", "--json"):
        file = tmp_path / form
        assert ran(["quiz", "tictactoe", form, "--out", str(file)]).exit_code == 0
        assert file.stat().st_size > 500


MINE = """
import plyground as pg

def search(game, observer, state, depth, alpha, beta):
    observer.enter(state)
    end = game.outcome(state)
    best, choice = (end << 20) if end != pg.ONGOING else game.evaluate(state), pg.NO_MOVE
    if end != pg.ONGOING:
        observer.leaf(state, best)
    elif depth == 0:
        observer.horizon(state, best)
    else:
        for move in game.moves(state):
            observer.branch(move)
            value, _ = search(game, observer, game.play(state, move), depth - 1, alpha, beta)
            if choice == pg.NO_MOVE or (value > best if game.to_move(state) == {first} else value < best):
                best, choice = value, move
            if game.to_move(state) == {first}:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
            if alpha >= beta:
                observer.cut(move, value)
                break
    observer.leave(best, choice)
    return best, choice
"""


@pytest.mark.process
@pytest.mark.parametrize(("first", "passes"), [(0, True), (1, False)])
def test_an_exported_test(first: int, passes: bool, tmp_path: Path) -> None:
    """The test of a tree passes a right alpha-beta of somebody's own, and fails one with the sides exchanged."""
    words = ["tree", "tictactoe", "xx./.o./...:o", "--depth", "3", "--pytest", "--out", str(tmp_path / "test_mine.py")]
    assert ran(words).exit_code == 0
    (tmp_path / "student.py").write_text(MINE.format(first=first), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_mine.py"]
    run: Callable[..., subprocess.CompletedProcess[str]] = subprocess.run
    done = run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode == 0) is passes, done.stdout
