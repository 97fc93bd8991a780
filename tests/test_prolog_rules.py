"""Rules in Prolog and in GDL as games: the examples, and files that loop, throw, end or give no position."""

import shutil
from pathlib import Path

import pytest

import plyground as pg
from plyground.compiled.fingerprint import fingerprint
from plyground.engine.run import search
from plyground.errors import GameFault
from plyground.spec import is_own

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples" / "prolog"
pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(shutil.which("swipl") is None, reason="swipl is not installed"),
]


@pytest.mark.parametrize(
    ("file", "ours", "by"),
    [
        ("prolog:examples/prolog/tictactoe.pl", "tictactoe", "order"),
        ("prolog:examples/prolog/nim.pl", "nim:3/4/5", "text"),
        ("prolog:examples/prolog/chomp.pl", "chomp:3,4", "text"),
        ("prolog:examples/prolog/connectthree.pl", "connectfour:4,4,3", "text"),
        ("gdl:examples/gdl/tictactoe.kif", "tictactoe", "order"),
        ("gdl:examples/gdl/connectthree.kif", "connectfour:4,4,3", "order"),
        pytest.param(
            "gdl:examples/gdl/breakthrough.kif", "breakthrough:5,4", "positions", marks=pytest.mark.nightly
        ),  # takes longer: it has more moves
    ],
)
def test_the_examples_are_the_games_they_say(file: str, ours: str, by: str) -> None:
    """They agree with rules that were written apart from them."""
    game = pg.game_named(file.replace("examples", str(ROOT / "examples")))
    found = pg.hold_against(game, pg.game_named(ours), games=1)
    assert found.ok and found.by == by and len(found.perft) > 3, found.difference
    here = pg.Position.initial(game).play(0)
    assert pg.Position.parse(game, here.text).state == pg.Position.parse(game, here.history).state == here.state


def test_searches_find_what_is_known() -> None:
    """Bouton's only winning move of 3, 4, 5; and a full minimax of tic-tac-toe after two marks, as on our board."""
    nim = pg.Position.initial(f"prolog:{EXAMPLES / 'nim.pl'}")
    made = fingerprint(nim.game)
    verdict = pg.check(nim.game, games=1)
    assert verdict.ok and not verdict.compiled and "SWI-Prolog" in nim.game.plain, verdict.faults
    assert pg.solve(nim).move == nim.legal("1-2")
    cells, ours = (
        search(pg.Position.parse(name, moves), "minimax", 9)
        for name, moves in ((f"prolog:{EXAMPLES / 'tictactoe.pl'}", "5 1 2"), ("tictactoe", "b2 a1 b1"))
    )
    assert (cells.nodes, cells.score) == (ours.nodes, ours.score) and cells.why_plain
    assert fingerprint(nim.game) == made  # what was asked does not change the game


RIGHT = """
initial(pos(3, x)).
max_to_move(pos(_, x)).
min_to_move(pos(_, o)).
move(pos(N, P), pos(M, Q)) :- N > 0, other(P, Q), between(1, 2, K), M is N - K, M >= 0.
other(x, o). other(o, x).
utility(pos(_, o), 1).
utility(pos(_, x), -1).
"""
WRONG = [
    (
        "move(pos(N, P), pos(M, Q))",
        "move(pos(N, P), Open) :- N > 1, !, Open = pos(_, P).\nmove(pos(N, P), pos(M, Q))",
        r"move/2: pos\(.*\) has variables",
    ),
    ("N > 0, other", "spin, other", "it has not answered after 0.5 seconds"),
    ("N > 0, other", "N > 0, X is N / 0, X > 0, other", "Arithmetic: evaluation error"),
    ("N > 0, other", "halt, other", "it ended SWI-Prolog"),
    ("N > 0, other", "missing(N), other", "Unknown procedure: missing/1"),
    ("N > 0, other", "deep(N), other", "Stack limit"),
    ("utility(pos(_, x), -1).", "", "utility/2: it has no answer for pos"),
    ("utility(pos(_, x), -1).", "utility(_, win).", "utility/2: win of pos.* is no whole number"),
    ("utility(pos(_, x), -1).", "utility(_, -7).", r"-7 for pos.*, beyond -1 to 1: define utility_bounds\(-7, 7\)"),
    ("min_to_move(pos(_, o)).", "min_to_move(_).", "min_to_move/1: both are true"),
    ("min_to_move(pos(_, o)).", "", "min_to_move/1 is not defined"),
    ("initial(pos(3, x)).", "", "initial/1 is not defined"),
    ("initial(pos(3, x)).", "initial(3).", "a number is no position"),
    ("initial(pos(3, x)).", "initial(pos(3, x).", "cannot be loaded: .*Syntax error"),
    ("initial(pos(3, x)).", ":- repeat, fail.\ninitial(pos(3, x)).", "while it is loaded: it has not answered"),
    ("initial(pos(3, x)).", "initial(pos(S, x)) :- numlist(1, 2000, S).", "8,400 are the most"),
]
"""A line of right rules, what stands in its place, and what is said of it."""
TOOLS = "spin :- spin.\ndeep(N) :- deep(f(N, N)), deep(N).\n"


@pytest.mark.parametrize(("old", "new", "said"), WRONG)
def test_wrong_rules_are_told_in_one_sentence(old: str, new: str, said: str, tmp_path: Path) -> None:
    """And hang nothing."""
    assert old in RIGHT
    file = tmp_path / "rules.pl"
    file.write_text(RIGHT.replace(old, new, 1) + TOOLS)
    seconds = 0.5 if "has not answered" in said else 60
    with pytest.raises(GameFault, match=said) as told:
        pg.perft(pg.Position.initial(f"prolog[seconds={seconds}]:{file}"), 4)
    assert "\n" not in str(told.value) and str(told.value).startswith("rules.pl")


GDL = """
(role a) (role b) (init (left 3)) (init (control a)) (less 3 2) (less 2 1) (less 1 0)
(<= (legal ?who take) (true (control ?who)) (not (true (left 0))))
(<= (legal ?who noop) (role ?who) (not (true (control ?who))))
(<= (next (left ?less)) (true (left ?count)) (less ?count ?less))
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(<= terminal (true (left 0)))
(<= (goal ?who 100) (role ?who) (not (true (control ?who)))) (<= (goal ?who 0) (true (control ?who)))
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("(role b)", "(role b) (role random)", "it has 3 roles"),
        ("(role b)", "(role b", "its brackets do not match"),
        ("terminal", "ended", "it has no rule of terminal"),
        (
            "(role b)",
            "(role b) (<= (legal ?who (bid ?n)) (role ?who) (less ?n ?fewer))",
            "both roles have a choice at once",
        ),
        ("(legal ?who noop)", "(may ?who noop)", "b has no legal move, not even noop"),
        ("(goal ?who 100)", "(goal ?who much)", "utility/2|much"),
        ("(goal ?who 100) (role ?who)", "(goal ?who 100) (role nix)", "utility/2: it has no answer"),
    ],
)
def test_wrong_rules_in_gdl_are_told_in_one_sentence(old: str, new: str, said: str, tmp_path: Path) -> None:
    """Games with chance, or with moves at the same time, are refused in a sentence too."""
    file = tmp_path / "rules.kif"
    file.write_text(GDL)
    start = pg.Position.initial(f"gdl:{file}")
    assert pg.solve(start).score.utility == 1 and start.legal_texts == ["take"]
    file.write_text(GDL.replace(old, new, 1))
    with pytest.raises(GameFault, match=said) as told:
        pg.perft(pg.Position.initial(f"gdl:{file}"), 4)
    assert "\n" not in str(told.value)


def test_rules_in_gdl_may_call_themselves_first_and_wait_by_any_name(tmp_path: Path) -> None:
    """The order of rules means nothing in GDL; who has no choice waits, whatever the move is called."""
    file = tmp_path / "rules.kif"
    wait = GDL.replace("(legal ?who noop)", "(legal ?who wait)").replace("take)", "(take 1))", 1)
    two = "(<= (legal ?who (take 2)) (true (control ?who)) (true (left 3)))"
    closure = "(<= (below ?x ?z) (below ?x ?y) (below ?y ?z)) (<= (below ?x ?y) (less ?x ?y))"
    file.write_text(f"{wait} {two} {closure}".replace("(true (left ?count))", "(true (left ?count)) (below 3 0)"))
    start = pg.Position.initial(f"gdl:{file}")
    assert sorted(start.legal_texts) == ["take(1)", "take(2)"] and start.to_move == 0
    assert pg.solve(start).score.utility == 1


def test_a_position_in_gdl_may_grow(tmp_path: Path) -> None:
    """A board of 15 × 15 that is empty at first: 3,000 bytes when it is full."""
    file = tmp_path / "board.kif"
    numbers = " ".join(f"(place {number})" for number in range(15))
    file.write_text(
        f"(role a) (role b) (init (control a)) {numbers} (<= (cell ?x ?y) (place ?x) (place ?y))"
        "(<= (legal ?who fill) (true (control ?who))) (<= (legal ?who noop) (role ?who) (not (true (control ?who))))"
        "(<= (next (marked ?x ?y b)) (cell ?x ?y)) (<= (next (control b)) (true (control a)))"
        "(<= terminal (true (control b))) (goal a 60) (goal b 40)"
    )
    end = pg.Position.initial(f"gdl:{file}").play("fill")
    assert len(end.text) > 3_000 and end.outcome == 1


def test_a_page_names_no_such_file() -> None:
    """Their code is run, so a name of theirs is held to be one in a file, which the command line alone may give."""
    for name in ("prolog:a.pl", "prolog[seconds=1]:a.pl", " gdl:a.kif", "gdl [seconds=2]:a.kif"):
        assert is_own(name)


def test_a_file_that_is_mended_is_asked_anew(tmp_path: Path) -> None:
    """It is another game then; so is one whose rules ended their Prolog before."""
    file = tmp_path / "rules.pl"
    file.write_text(RIGHT.replace("N > 0, other", "halt, other"))
    broken = pg.game_named(f"prolog:{file}")
    for _ in range(2):  # it is started again for each question, and ends each time
        with pytest.raises(GameFault, match="ended SWI-Prolog"):
            pg.Position.initial(broken).legal_moves  # noqa: B018  it is asked
    file.write_text(RIGHT)
    mended = pg.game_named(f"prolog:{file}")
    assert mended != broken and pg.solve(pg.Position.initial(mended)).score.utility == -1


def test_what_rules_print_and_read_is_no_answer(tmp_path: Path) -> None:
    """A file may be a module, print at all times, read, have odd atoms and operators, and offer a move twice."""
    file = tmp_path / "odd.pl"
    file.write_text(
        ":- module(odd, [initial/1, move/2, max_to_move/1, min_to_move/1, utility/2]).\n"
        ":- op(700, xfx, beats).\n:- initialization(main).\nmain :- read(X), writeln(X).\n"
        "initial('a b\\t' beats [-1, - 1, \"x y\", 1.5, 'é']).\n"
        "move(_ beats [_|T], end(T)) :- format('noise~n'), format(user_output, 'end~n', []), member(_, [1, 2]).\n"
        "max_to_move(_ beats _).\nmin_to_move(end(_)).\nutility(end(_), 0.0) :- format(user_error, 'end~n', []).\n"
    )
    start = pg.Position.initial(f"prolog:{file}")
    assert len(start.text.split()) == 1 and pg.Position.parse(start.game, start.text).state == start.state
    assert start.legal_texts == ["1"] and start.play("1").outcome == 0
    for wrong in ("[x", "foo(X)", "end(_)", "x y", "7"):
        with pytest.raises(pg.BadInput):
            pg.Position.parse(start.game, wrong)
