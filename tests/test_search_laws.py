"""The laws of a search: `check` asks them, and nothing that shows a search vouches for one that breaks them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from commanding import ran
from right_searches import ALPHABETA, MINIMAX, RIGHT

import plyground as pg
from plyground.games import game_named
from plyground.laws.searches.reference import Reference
from plyground.microscope.forms import broken_lines
from plyground.microscope.tree import record
from plyground.microscope.why import why
from plyground.search.minimax import minimax
from plyground.search.observer import SILENT
from plyground.web.lessons.loader import lesson
from plyground.web.user_files import check_object
from plyground.web.views.models import Named
from plyground.web.views.positions import menu

FIGURE = pg.Position.parse(pg.MNK(), "xx./.o./...:o")
Written = Callable[..., str]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """Writes a search after a change, and returns its name."""

    def write(text: str, old: str = "", new: str = "") -> str:
        assert old in text
        (tmp_path / "student.py").write_text(text.replace(old, new) if old else text, encoding="utf-8")
        return f"{tmp_path / 'student.py'}:search"

    return write


@pytest.mark.parametrize("search", ["minimax", "alphabeta", "ordered"])
def test_the_searches_keep_their_laws(search: str) -> None:
    """Those of plyground do, at every event."""
    done = ran(["check", search])
    assert done.exit_code == 0 and f"{search}: every law holds" in done.output


def test_check_names_the_law(written: Written) -> None:
    """And the likely mistake, what was seen, and where; a search that is right keeps all."""
    wrong = ran(["check", written(ALPHABETA, "depth - 1, alpha, beta", "depth - 1, beta, alpha")])
    assert wrong.exit_code == 2 and "✗ window: Alpha and beta are passed on in each other's place." in wrong.output
    right = ran(["check", written(ALPHABETA), "--json"])
    assert right.exit_code == 0 and '"ok": true' in right.output


def test_the_reference_is_minimax() -> None:
    """The reference is minimax with and without distances, at each depth."""
    for shorter in (False, True):
        reference = Reference(FIGURE.game, shorter)
        for depth in range(6):
            value, move = minimax(FIGURE.game, SILENT, FIGURE.state, depth, shorter, 0)
            assert reference(FIGURE.state, depth, 0) == value
            assert not depth or reference.best(FIGURE.state, depth)[0] == move


def test_a_tree_does_not_vouch_for_a_finished_game_that_is_searched_on(written: Written) -> None:
    """Its sentence says that the game is over there, and not which move o takes."""
    name = written(MINIMAX, "utility != pg.ONGOING", "False")
    tree = record(FIGURE, name, 3)
    assert any("A finished game is searched on" in line for line in broken_lines(tree))
    over = tree.node_at("a2 c1")
    assert tree.bound[over] == "≠" and why(tree, over).startswith("The game is over here")
    said = ("The game is over here", "No search should come here")
    assert tree.children(over) and all(why(tree, below).startswith(said) for below in tree.children(over))


def test_a_cut_in_a_wrong_window_is_given_no_reason(written: Written) -> None:
    """What the other player has elsewhere is said only where it is so, and a value that nothing bounds is no bound."""
    call = "alpha, beta, prefer_shorter, ply + 1)  # MIN"
    name = written(ALPHABETA, call, call.replace("alpha, beta", "alpha, alpha"))
    tree = record(pg.Position.parse(game_named("nim:1/2/3"), "0/2/3:o"), name, 3)
    cut = tree.node_at("2-1")
    assert why(tree, cut) == (
        "It was given the window [−∞, −∞], which comes of a mistake, and 2-1 gives Player 2 in 3. That cuts off 3-3, "
        "3-2, 3-1, although Player 2 has no −∞ elsewhere."
    )
    assert (tree.bound[cut], tree.bound[0]) == ("~", "~")
    assert why(tree, tree.node_at("2-1 2-1")).endswith(
        "the best that Player 2 can get here: no need to search 3-2, 3-1."
    )


def test_a_value_that_rests_on_a_mistake_is_said_to(written: Written) -> None:
    """The node's own sentence is about values that came back; a mistake with several likely causes is a guess."""
    tree = record(pg.Position.parse(pg.MNK(), ".x./.xo/xoo:x"), written(MINIMAX, "if value > best:", "if True:"), 2)
    assert "Perhaps: " in why(tree, 0)
    wrong = written(MINIMAX, "best = game.evaluate(state)", "best = 0")
    tree = record(pg.Position.parse(pg.MNK(), ".x./.xo/xoo:x"), wrong, 1)
    assert why(tree, 0) == "x takes the largest value of its moves: x in 1, by c1. But it rests on a mistake after a1."


def test_moves_left_out_without_a_word_make_a_bound(written: Written) -> None:
    """A search that reports no cutoffs, and one whose table knows moves, are right, and so are their sentences."""
    tree = record(FIGURE, written(RIGHT["negamax"]), 4)
    assert {"≥", "≤"} <= {*tree.bound} and "≠" not in tree.bound
    tree = record(FIGURE, written(RIGHT["minimax with a table that stays"]), 4)
    assert "≠" not in tree.bound
    unknown = tree.bound.index("~")
    assert "of the values that came back" in why(tree, unknown)


def test_a_null_window_is_a_question(written: Written) -> None:
    """No player has its upper edge elsewhere: it only asks whether a move is better."""
    tree = record(FIGURE, written(RIGHT["principal variation search"]), 4)
    assert any("only asks whether it is worth more than" in why(tree, node) for node in range(len(tree)))


def test_a_tree_names_a_move_that_is_not_legal(written: Written) -> None:
    """An illegal move is reported at the node where the search takes it."""
    tree = record(FIGURE, written(ALPHABETA, "observer.leave(best, choice)", "observer.leave(best, 0)"), 2)
    assert "Its move 0 is none of" in why(tree, 0)


def test_a_right_search_has_a_tree_without_a_word(written: Written) -> None:
    """Its tree is that of plyground's own."""
    tree, ours = record(FIGURE, written(ALPHABETA), 3), record(FIGURE, "alphabeta", 3)
    assert not tree.broken and (tree.value, tree.bound, tree.alpha) == (ours.value, ours.bound, ours.alpha)


def test_a_leaf_that_is_not_reported_is_a_leaf(written: Written) -> None:
    """A search that reports no leaves has them all the same: the game is over there, or no ply is left."""
    tree = record(pg.Position.parse(pg.MNK(), "xx./.o./...:o"), written(MINIMAX), 2)
    assert (tree.nodes, tree.leaves) == (37, 30)
    ends = {kind: tree.kind.index(kind) for kind in ("leaf", "horizon")}
    assert why(tree, ends["leaf"]) == "The game is over: x wins."
    assert why(tree, ends["horizon"]).startswith("No ply is left, so the static evaluation counts: −1 =")


def test_a_tree_of_a_search_that_deepens_is_its_last(written: Written) -> None:
    """What is drawn is what the answer rests on; a value from a table is said to be one."""
    keyed = written(lesson("16-bits").files["keyed.py"].replace("def keyed(", "def search("))
    position = pg.Position.parse(pg.MNK(), "b2 a1")
    tree = record(position, keyed, 5)
    assert tree.value[0] == pg.search(position, keyed, 5).score.points and max(tree.level) == 5
    known = next(n for n in range(len(tree)) if tree.kind[n] == "node" and not tree.children(n) and not tree.cut[n])
    assert why(tree, known).startswith("No move is searched here: the search has ")


def test_a_search_without_end_is_its_authors_fault(written: Written) -> None:
    """Under `tree` as under `search`: with the line, and no blame for the game."""
    text = "def search(game, observer, state, depth):\n    observer.enter(state)\n"
    text += "    return search(game, observer, state, 1)\n"
    with pytest.raises(pg.BadInput, match=r"student\.py, line \d: search fails: RecursionError"):
        record(FIGURE, written(text), 2)


def test_a_search_that_gives_no_move_is_said_to(written: Written) -> None:
    """The game is not over, and no node was reported."""
    text = "def search(game, observer, state, depth):\n    return 0, -1\n"
    done = ran(["search", "tictactoe", "--algorithm", written(text)])
    assert "search gave no move" in done.output and "it never calls observer.enter" in done.output


def test_compare_says_where_values_differ(written: Written) -> None:
    """By the value of minimax to that depth; a search that is right has no mark, whatever it reports."""
    wrong = written(MINIMAX, "best = game.evaluate(state)", "best = -game.evaluate(state)")
    found = pg.compare(FIGURE, ["minimax", wrong], range(1, 4))
    (sentence,) = found.different
    assert "differs from minimax at depth 1" in sentence and all(row.right is None for row in found.rows[:3])
    assert not pg.compare(FIGURE, [written(MINIMAX)], range(1, 6)).different


def test_searches_in_the_page_are_told_apart(tmp_path: Path) -> None:
    """By their names, with the file where others have that name too, or by all of the spec."""
    files = [tmp_path / name for name in ("ann.py", "bob.py", "cleo/bob.py")]
    for file in files:
        file.parent.mkdir(exist_ok=True)
        file.write_text(MINIMAX + "\n\nother = search\n", encoding="utf-8")
    specs = [*(f"{file}:search" for file in files), f"{files[0]}:other"]
    found = menu(own=[next(check_object(Named(game=spec))) for spec in specs])
    wanted = ["ann.py:search", specs[1], specs[2], "other"]
    assert [each.title for each in found.algorithms[-4:]] == [each.title for each in found.players[-4:]] == wanted
