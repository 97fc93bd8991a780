"""Marks of a class: what a program proves, and what it reaches against opponents that are the same for all."""

import csv
import io
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

import plyground as pg
from plyground.arena.marking.marks import ClassMarks, StudentMark, mark_student
from plyground.arena.marking.weights import MARK_WEIGHTS, weights_in, weights_with
from plyground.arena.report.class_pages import page_names, write_pages
from plyground.arena.report.export import entries
from plyground.arena.results import Arena, Audited, Entrant, Judged, Outcome, Played, Task
from plyground.gradebook.entries import entries_csv
from plyground.play.audit import audit as pg_audit
from plyground.play.audit import verify
from plyground.play.ending import Ending
from plyground.play.proof import AT_RANDOM, Audit, Loss

PERFECT = "perfect"


def game(seat: Literal[0, 1], score: float | None, before: Sequence[Outcome] = (), **more: object) -> Played:
    """A game of the student against the perfect player: its seat and points, and what its positions were worth to it,
    each of which it kept; the last one it lost, if it lost.
    """
    task = Task(0, 0, *(("ann", PERFECT) if seat == 0 else (PERFECT, "ann")), "")
    after = [*before[1:], "loss" if score == 0 else before[-1]] if before else []
    judged = tuple(
        Judged(2 * ply + 1, seat, "a1", *pair, True) for ply, pair in enumerate(zip(before, after, strict=True))
    )
    utility = None if score is None else int((2 * score - 1) * (1 - 2 * seat))
    why = str(more.pop("why", ""))
    return Played(task, (), utility, why, judged=judged, void=score is None, **more)  # type: ignore[arg-type]


def share(criterion: str, *games: Played, audits: Sequence[Audited] = ()) -> float | None:
    """Share of a criterion that these games reach."""
    return mark_student("ann", games, audits, {criterion: 1.0}).parts[0].share


def test_a_game_counts_by_what_was_to_be_had_in_it() -> None:
    """A draw is all there was where no win was; what was lost from the first move on counts for nothing."""
    assert share("perfect", game(0, 0.5, ["draw", "draw"])) == 1
    assert share("perfect", game(1, 0.5, ["draw", "win"])) == 0.5
    assert share("perfect", game(0, 1.0, ["loss", "win"])) == 1
    assert share("perfect", game(0, 0.0, ["draw"])) == 0
    assert share("perfect", game(0, 0.0, ["loss"])) is None
    assert share("perfect", game(0, 0.0, ["loss"]), game(0, 0.5, ["draw"])) == 1
    assert share("perfect", game(0, 0.0, ["loss"], fault=0)) == 0  # its own fault is no lost position
    assert share("perfect", game(0, 0.5)) == 0.5  # nothing is known of it
    lost_at_once = replace(game(1, 0.0), judged=(Judged(1, 0, "a1", "win", "win", True),))  # it never moved
    assert share("perfect", lost_at_once) is None and share("perfect", lost_at_once, game(0, 1.0, ["win"])) == 1
    opinion = replace(lost_at_once, judged=(Judged(1, 0, "a1", "win", "win", False),))
    assert share("perfect", opinion) == share("perfect", replace(lost_at_once, fault=1)) == 0
    assert (
        "Left out: 1 game lost" in mark_student("ann", [lost_at_once, game(0, 1.0)], [], {"perfect": 1.0}).parts[0].why
    )
    assert share("kept_values", game(0, 0.0, ["draw"]), game(1, 0.5, ["draw"]), game(0, 0.0, ["loss"])) == 0.5
    assert share("kept_values", game(0, 0.0, fault=0)) == 0
    for kind, other in (("late", "crashed"), ("silent", "illegal"), ("late", "unreadable")):
        games = (
            game(0, 0.0, fault=0, ending=Ending(kind)),
            game(0, 0.0, fault=0, ending=Ending(other)),
            *(game(1, 1.0, fault=0, ending=Ending.CRASHED), game(1, 1.0)),
        )
        assert share("time", *games) == 0.75 and share("conduct", *games) == 0.75
    unknown = game(0, 0.0, fault=0, why="x loses on time"), game(1, 1.0)  # kept before its kind was noted
    assert share("time", *unknown) == share("conduct", *unknown) == 1 and share("time", *unknown[:1]) is None
    assert "1 game lost by a fault of unknown kind" in mark_student("ann", unknown, [], {"time": 1.0}).parts[0].why


def audit(side: Literal["x", "o"], verdict: str, lost: int = 0, reply: str = "b2") -> Audited:
    """An audit of a hundred games."""
    losses = (Loss(("a1",), "o wins"),) if lost else ()
    return Audited("ann", side, Audit("tictactoe", "ann", side, "", verdict, 9, 100, lost, losses, {"": reply}))


def test_a_proof_counts_whole_and_a_refutation_less_than_half() -> None:
    """Who loses some games has half at most; who fails, nothing; who plays at random and has not lost is left out."""
    played = game(0, 0.5, ["draw"])
    assert share("never_loses", played, audits=[audit("x", "never loses"), audit("o", "never loses")]) == 1
    assert share("never_loses", played, audits=[audit("x", "never loses"), audit("o", "loses", 20)]) == 0.7
    assert share("never_loses", played, audits=[audit("x", "loses", 1, reply="")]) == 0
    assert share("never_loses", played, audits=[audit("x", AT_RANDOM)]) is None
    assert share("never_loses", game(0, 0.0, ["draw"]), audits=[audit("x", AT_RANDOM)]) == 0
    assert share("never_loses", game(0, 0.0, ["draw"]), audits=[audit("o", AT_RANDOM)]) is None  # it lost as x
    assert share("never_loses", played, audits=[audit("x", "never loses"), audit("o", "not refuted")]) == 1
    assert share("never_loses", played, audits=[Audited("ann", "x", None, "It is too large.")]) is None


def test_what_is_left_out_counts_for_nobody() -> None:
    """The other criteria share its weight; a row without a mark says why, and so does the gradebook."""
    weights = {"never_loses": 30.0, "perfect": 15.0, "time": 5.0}
    mark = mark_student("ann", [game(0, 0.0, ["draw"])], [audit("x", "not refuted")], weights)
    assert mark.points == 25 and [mark.part_points(part) for part in mark.parts] == [None, 0, 25]
    none = mark_student("bob", [game(0, None)], [], weights)
    assert none.points is None and "No game counts" in none.why
    text = entries_csv(entries([mark, none, StudentMark("=cat", None, (), "-1")], "tictactoe"))
    rows = [*csv.DictReader(io.StringIO(text))]
    assert [(row["item"], row["points"], row["possible"]) for row in rows if row["student"] == "ann"] == [
        ("tictactoe", "25", "100"),
        ("tictactoe: never_loses", "", ""),
        ("tictactoe: perfect", "0", "75"),
        ("tictactoe: time", "25", "25"),
    ]
    assert "not refuted" in rows[0]["reason"] and (rows[4]["student"], rows[4]["points"]) == ("bob", "")
    assert rows[5]["student"] == "'=cat" and rows[5]["reason"] == "'-1"


def test_who_never_made_a_move_has_no_points_and_the_reason() -> None:
    """Also whose program cannot be started; the opponent's fault, or a game that counts, changes that."""
    weights = {"perfect": 15.0, "time": 5.0}
    mute = game(0, None, fault=0, ending=Ending.SILENT, why="It said nothing.")
    for games in ([mute, mute], [game(1, None, ending=Ending.NOT_STARTED, why="It said nothing.")]):
        mark = mark_student("ann", games, [], weights)
        assert mark.points == 0 and "It said nothing." in mark.why
        assert [mark.part_points(part) for part in mark.parts] == [0, 0]
    assert mark_student("ann", [mute, game(1, None, fault=0)], [], weights).points is None
    assert mark_student("ann", [mute, game(1, 1.0, ["win"])], [], weights).points == 100


@pytest.mark.process
def test_an_arena_ends_without_who_never_moves(tmp_path: Path) -> None:
    """Of a program that ends at once; its games are all that is missing, and they can be played by the same command."""
    (tmp_path / "pam.py").write_text("def search(\n", encoding="utf-8")
    weights = {name: 0.0 for name in MARK_WEIGHTS if name not in ("random", "time")}
    players = ["fay=first", f"pam=program:{sys.executable} -S {tmp_path / 'pam.py'}"]
    with closing(pg.arena(players, "tictactoe", format="class", games=2, weights=weights)) as arena:
        arena.play()
        found = {mark.name: mark for mark in arena.marks.marks}
        assert found["pam"].points == 0 and "SyntaxError" in found["pam"].why and (found["fay"].points or 0) > 0
        assert arena.is_over and "but those of pam" in (arena.stored_arena.why or "")


@pytest.mark.compiled
def test_marks_have_the_order_that_a_teacher_expects() -> None:
    """Order of marks: perfect, alpha-beta, the first square, random; whatever the rest of the class."""

    players = ["pia=perfect", "abe=alphabeta:depth=2", "fay=first", "ron=random"]
    league, said = pg.arena(players, "tictactoe", format="class"), list[str]()
    league.on_audit = said.append
    league.play()
    assert said[-1] == "8 of 8 audits"
    found = {mark.name: mark.points or 0.0 for mark in league.marks.marks}
    assert found["pia"] == 100 and list(found) == sorted(found, key=lambda name: -found[name])
    assert 80 < found["abe"] < 98 and 10 < found["ron"] < found["fay"] < 35
    alone = pg.arena(["fay=first"], "tictactoe", format="class").play()
    assert alone.marks.marks[0].points == found["fay"]


def test_weights() -> None:
    """They are changed in the class's file and on the command line; an opponent is any player's spec."""
    assert sum(MARK_WEIGHTS.values()) == 100
    given = weights_in(["never_loses=40", "alphabeta:depth=3=20", "perfect=0"])
    assert given == {"never_loses": 40, "alphabeta:depth=3": 20, "perfect": 0}
    weights = weights_with(given)
    assert "perfect" not in weights and weights["alphabeta:depth=3"] == 20 and weights["time"] == 5
    for wrong in ({"time": -1.0}, dict.fromkeys(MARK_WEIGHTS, 0.0)):
        with pytest.raises(pg.BadInput, match=r"0 or more|All weights are 0"):
            weights_with(wrong)
    with pytest.raises(pg.BadInput, match="--weight never_loses"):
        weights_in(["never_loses"])
    with pytest.raises(pg.BadInput, match="Weights are for marks"):
        pg.arena(["first", "random"], "tictactoe", weights={"time": 3})


ANN, BOB = "<img src=x> Ann \u202e", "bob"


def test_a_student_gets_a_page_with_nothing_of_another(tmp_path: Path) -> None:
    """The fault with its last words, the worst move with what was right, the refutation or a proof that can be checked;
    text of students is text, without control characters; the teacher's page links all.
    """
    slip = Judged(3, 0, "b1", "draw", "loss", True, ("a3",)), Judged(2, 1, "c1", "win", "draw", True, ("c3",))
    moves = ("a1", "b2", "b1")
    tasks = [Task(0, 0, ANN, PERFECT, ""), Task(1, 0, PERFECT, BOB, ""), Task(2, 1, ANN, PERFECT, "")]
    games = [
        Played(
            tasks[0],
            moves,
            -1,
            "x loses: it has ended",
            0,
            words="</pre><b>oops\x1b[2J",
            judged=slip,
            ending=Ending.CRASHED,
        ),
        Played(tasks[1], moves, 0, "a draw of bob's"),
        Played(tasks[2], (), None, "port 4 is taken", void=True),
    ]
    proof = pg_audit(
        "tictactoe", pg.Position.parse(pg.game_named("tictactoe"), "b2 a1"), 0, lambda: pg.player_named("perfect")
    )
    bad = pg_audit(
        "tictactoe", pg.Position.parse(pg.game_named("tictactoe"), "a1 b1"), 1, lambda: pg.player_named("first")
    )
    audits = [Audited(ANN, "x", proof), Audited(ANN, "o", bad), Audited(BOB, "o", None, "bob's is too large")]
    marks = [mark_student(name, games[:1] if name == ANN else games[1:2], [], {"time": 1.0}) for name in (ANN, BOB)]
    arena = Arena("id", "2026-11-25T08:00:00", "tictactoe", (Entrant(ANN, "first"), Entrant(BOB, "first")), "class")
    index = write_pages(tmp_path / "class", arena, games, ClassMarks({"time": 1.0}, marks, audits))
    names = page_names(marks)
    page = (index.parent / names[ANN]).read_text("utf-8")
    assert "&lt;/pre&gt;&lt;b&gt;oops" in page and "<img" not in page and "<b>" not in page
    assert (
        not {"\x1b", "\u202e"} & {*page}
        and "bob" not in page
        and "too large" in (index.parent / names[BOB]).read_text()
    )
    assert '<span class="given">b1</span>: from drawn to lost' in page and "c3</span>" not in page
    assert '<span class="held">a3</span>' in page and "The shortest game that it loses: a2 c1 a3" in page
    assert verify(index.parent / "student-img-src-x-ann-as-x.json").found.verdict == "never loses"
    assert all(f'href="{name}"' in index.read_text("utf-8") for name in names.values())
    assert page_names([StudentMark(name, None, ()) for name in ("Zoë", "zoe", "曲")]) == {
        "Zoë": "student-zoe.html", "zoe": "student-zoe-2.html", "曲": "student.html"
    }  # fmt: skip
