"""The package as a library: mistakes of a caller are raised, and results say what they mean."""

import inspect
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import plyground as pg

START = pg.Position.initial("tictactoe")
EARLY = pg.Position.parse("connectfour", "444")


class Bot:
    """A player that needs no seconds."""

    def choose(self, position: pg.Position) -> int:
        return position.legal_moves[-1]


class Useless:
    """A player whose function takes too much."""

    def choose(self, position: pg.Position, seconds: float, more: int) -> int:
        return more


def last(position: pg.Position) -> str:
    """A player in a line."""
    return position.legal_texts[-1]


@pytest.mark.parametrize("player", ["first", pg.player_named("first"), last, Bot(), lambda here, seconds: 0])
def test_whatever_is_meant_as_a_player_plays(player: Any) -> None:
    """Names, players, functions and objects."""
    result = pg.play_match(START.play(8) if callable(player) else START, (player, "random:seed=1"), on_error="lose")
    assert result.utility is not None


WRONG: list[Callable[[], object]] = [
    lambda: pg.play_match(START, ("first", 5)),  # type: ignore[arg-type]
    lambda: pg.play_match(START, (Bot, "first")),
    lambda: pg.play_match(START, (Useless(), "first")),  # type: ignore[arg-type]
    lambda: pg.play_match(START, ("first",)),  # type: ignore[arg-type]
    lambda: pg.Position.initial(pg.MNK),  # type: ignore[arg-type]
    lambda: pg.Position.initial(5),  # type: ignore[arg-type]
    lambda: pg.Position.parse("tictactoe", 5),  # type: ignore[arg-type]
    lambda: pg.think(START, 1),  # type: ignore[arg-type]
    lambda: pg.think("b2"),  # type: ignore[arg-type]
    lambda: pg.search("b2", "pvs"),  # type: ignore[arg-type]
    lambda: pg.simulate(START, 5),  # type: ignore[arg-type]
    lambda: pg.solve("b2"),  # type: ignore[arg-type]
    lambda: pg.Limit(time="1"),  # type: ignore[arg-type]
    lambda: pg.Limit(depth=2.5),  # type: ignore[arg-type]
    lambda: START.play(True),
    lambda: START.play(1.5),  # type: ignore[arg-type]
    lambda: pg.MNK("3"),  # type: ignore[arg-type]
    lambda: pg.ConnectFour(7, 6, True),
    lambda: pg.Nim(3),  # type: ignore[arg-type]
    lambda: pg.Weights(3),  # type: ignore[arg-type]
    lambda: pg.Position(pg.MNK(), 5, (0, 0)),
    lambda: pg.Position(pg.MNK(), START.state, 3),  # type: ignore[arg-type]
    lambda: pg.think(START, threads="2"),  # type: ignore[arg-type]
    lambda: pg.search(START, "pvs", "3"),  # type: ignore[arg-type]
    lambda: pg.search(START, 3),  # type: ignore[arg-type]
    lambda: pg.perft(3, 1),  # type: ignore[arg-type]
    lambda: pg.compare(3),  # type: ignore[arg-type]
    lambda: pg.check(3),  # type: ignore[arg-type]
    lambda: pg.game_named(3),  # type: ignore[arg-type]
    lambda: pg.evaluate_many("tictactoe", [object()]),
    lambda: pg.analyse_many("b2", pg.Limit(depth=1), game="tictactoe"),
    lambda: pg.match("first", "random", game="tictactoe", games="3"),  # type: ignore[arg-type]
    lambda: pg.match("first", "random", game="tictactoe", sprt=3),  # type: ignore[arg-type]
    lambda: pg.arena(["first", "random"], "tictactoe", clock="3"),  # type: ignore[arg-type]
    lambda: pg.tune(lambda weights: "first", ["a"], game="tictactoe"),  # type: ignore[list-item]
    lambda: pg.read_game(3),  # type: ignore[arg-type]
    lambda: pg.TimeControl(game="3"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("wrong", WRONG)
def test_an_argument_of_another_kind_is_named_at_once(wrong: Callable[[], object]) -> None:
    """It is a TypeError and bad input, in a sentence that says what would be right."""
    with pytest.raises(TypeError, match=r"give|is no|called with|is read") as said:
        wrong()
    assert isinstance(said.value, pg.BadInput)


FUNCTIONS = [name for name in pg.__all__ if inspect.isfunction(getattr(pg, name)) and name != "final"]
RECORDS = ["Limit", "Score", "MNK"]
RIGHT = {
    "position": START,
    "positions": [START],
    "game": "tictactoe",
    "other": "tictactoe",
    "limit": pg.Limit(depth=1),
    "algorithm": "pvs",
    "players": ("first", "random"),
    "first": "first",
    "second": "first",
    "make": lambda numbers: "first",
    "depth": 1,
    "text": "first",
    "path": Path("no.pgn"),
    "start": [1],
    "search": "minimax",
    "rows": 3,
    "columns": 3,
}
"""Values of the other arguments, by name."""
CASES = [(name, taken) for name in (*FUNCTIONS, *RECORDS) for taken in inspect.signature(getattr(pg, name)).parameters]


@pytest.mark.parametrize(("name", "parameter"), CASES, ids=lambda case: case)
def test_each_argument_of_another_kind_is_named(name: str, parameter: str) -> None:
    """Whichever it is, before anything is done; `final` alone is left out, which compiled code calls."""
    taken = inspect.signature(getattr(pg, name)).parameters.values()
    right = {each.name: RIGHT[each.name] for each in taken if each.default is each.empty or each.name == "game"}
    with pytest.raises(pg.WrongType, match=rf"{parameter}=.*: give|is no |names no "):
        getattr(pg, name)(**right | {parameter: object()})


@pytest.mark.parametrize("value", ["2", None, 2.5, float("nan"), True, 1 << 63, [2]])
def test_a_depth_is_a_whole_number(value: Any) -> None:
    """And small enough for compiled code."""
    for call in (lambda: pg.search(START, "pvs", value), lambda: pg.perft(START, value), lambda: START.undo(value)):
        with pytest.raises(pg.WrongType, match="give a whole number"):
            call()


def test_no_memory_is_bad_input() -> None:
    """A table larger than any memory is refused in a sentence."""
    with pytest.raises(pg.BadInput, match="MiB of memory"):
        next(iter(pg.think(START, pg.Limit(depth=1), table=1 << 62)))
    with pytest.raises(pg.BadInput, match="one mebibyte"):
        pg.think(START, table=-1)


def test_wrong_values_are_found_before_anything_is_searched() -> None:
    """Also by a generator."""
    with pytest.raises(pg.BadInput, match="threads=0"):
        pg.think(START, threads=0)
    with pytest.raises(pg.BadInput, match="not a legal move"):
        pg.Position(START.game, START.state, (0, 0))


def test_a_fault_in_a_player_is_raised_unless_it_is_to_lose() -> None:
    """A mistake in a loop of experiments is raised, not counted as a lost game."""

    def broken(position: pg.Position) -> int:
        raise KeyError("typo")

    with pytest.raises(KeyError, match="typo"):
        pg.play_match(START, (broken, "first"))
    assert pg.play_match(START, (broken, "first"), on_error="lose").utility == -1


@pytest.mark.parametrize(
    ("game", "text", "words"),
    [
        ("connectfour", "44435", "d d d c e"),
        ("connectfour", "DDDCE", "d d d c e"),
        ("chess", "1. e4 e5 2. Nf3", "e2e4 e7e5 g1f3"),
        ("chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", ""),
        ("tictactoe", "b2a1c3", "b2 a1 c3"),
    ],
)
def test_a_position_is_read_as_people_write_it(game: str, text: str, words: str) -> None:
    """In digits, in pairs, as FEN."""
    assert " ".join(pg.Position.parse(game, text).words) == words


@pytest.mark.parametrize("game", [choice.name for choice in pg.GAMES])
def test_every_position_can_be_printed_and_drawn(game: str) -> None:
    """Its board, and who is to move; and its children are what its moves lead to."""
    here = pg.Position.initial(game)
    assert str(here).splitlines()[-1] == here.result and len(str(here).splitlines()) > 2
    assert here.svg().startswith("<svg")
    moves, after = zip(*here.children(), strict=True)
    assert moves == here.legal_moves and after[0] == here.play(here.legal_texts[0])


def test_a_report_knows_its_position() -> None:
    """Its texts are read by the position; a row has cells that JSON and tables take; it is pickled whole."""
    report = [*pg.think(EARLY, pg.Limit(depth=4), every_move=True)][-1]
    end = EARLY
    for word in report.line:
        end = end.play(word)
    assert report.move_text == report.line[0] == EARLY.text_of(report.move) and len(report.line) == 4
    assert list(report.by_move) == sorted(report.by_move, key=lambda word: report.by_move[word].order(1), reverse=True)
    assert set(report.by_move) == set(EARLY.legal_texts)
    row = json.loads(json.dumps(report.to_dict()))
    assert row["depth"] == 4 and all(cell is None or isinstance(cell, str | int | float) for cell in row.values())
    assert pickle.loads(pickle.dumps(report)) == report
    assert report.move_text in str(report)
    assert "<svg" in report._repr_html_() and "<td>" in report._repr_html_()


def test_a_solution_speaks_as_a_report_does() -> None:
    """A solution has every exact value by its move, beside a report's names."""
    solution = pg.solve(pg.Position.parse("tictactoe", "xx./oo./...:x"), prefer_shorter=True)
    assert solution.move_text == "c1" == solution.line[0] and solution.by_move["c1"].plies == 1
    assert str(solution).startswith("x wins in 1 ply: c1") and solution.to_dict()["plies"] == 1
