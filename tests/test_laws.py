"""Every law is checked: a game that breaks one is found out, by that law's name, in a sentence that shows where."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from games import canaries

import plyground as pg
from plyground.board.look import CLOSED, COUNT, END, IDLE, WON
from plyground.board.signs import COMMA, NUMBER, PLACE, PLAYER, signs
from plyground.laws import asking
from plyground.laws.form import QUESTION_BY_FINAL_METHOD, broken_forms
from plyground.laws.verdict import LAWS, require_lawful
from plyground.rules import Game

ROOT = Path(__file__).parent.parent


class CountState(NamedTuple):
    """How many plies are left."""

    left: int
    turn: int


@dataclass(frozen=True)
class Count(pg.Game[CountState]):
    """A lawful game to break: count down by one or two; who reaches zero wins."""

    start: int = 6

    def initial(self) -> CountState:
        return CountState(self.start, 0)

    def to_move(self, state: CountState) -> int:
        return state.turn

    def moves(self, state: CountState) -> Iterator[int]:
        for move in range(1, min(2, state.left) + 1):
            yield move

    def play(self, state: CountState, move: int) -> CountState:
        return CountState(state.left - move, 1 - state.turn)

    def outcome(self, state: CountState) -> int:
        return pg.ONGOING if state.left > 0 else 2 * state.turn - 1


fresh = itertools.count(1)

# One broken answer for a law: the law, the question that is answered so, and the answer.
BREACHES: list[tuple[str, str, Any]] = [
    ("initial", "initial", lambda _: [6, 0]),
    ("initial", "initial", lambda _: CountState(next(fresh), 0)),
    ("initial", "initial", lambda _: CountState(0, 0)),
    ("to_move", "to_move", lambda _, _state: 2),
    ("outcome", "outcome", lambda _, state: pg.ONGOING if state.left > 0 else 1 << 20),
    ("outcome", "outcome", lambda _, state: pg.ONGOING if state.left > 0 else 0.5),
    ("moves", "moves", lambda _, _state: iter([])),
    ("moves", "moves", lambda _, _state: iter([1, 1])),
    ("moves", "moves", lambda _, _state: iter([-1])),
    ("moves", "moves", lambda _, _state: iter([next(fresh) % 2 + 1])),
    ("play", "play", lambda _, state, _move: [state.left - 1, 0]),
    ("play", "play", lambda _, state, _move: CountState(state.left - 1, next(fresh))),
    ("play", "play", lambda _, state, move: 1 // 0),
    ("evaluate", "evaluate", lambda _, _state: 1 << 20),
    ("evaluate", "evaluate", lambda _, _state: 0.5),
    ("explain", "explain", lambda _, _state: (("all", 3),)),
    ("explain", "explain", lambda _, _state: "nothing"),
    ("order", "order", lambda _, _state, _move: None),
    ("bounds", "bounds", lambda _, _state: (0, 0)),
    ("canonical", "canonical", lambda _, state: CountState(state.left, 1 - state.turn)),
    ("canonical", "canonical", lambda _, state: CountState(state.left + 1, state.turn)),
    ("tier", "tier", lambda _, state: state.left),
    ("tier", "tier", lambda _, state: -10_000 * state.left),
    ("state_signs", "state_signs", lambda _, _state: iter(signs("6 left"))),
    ("state_signs", "state_signs", lambda _, _state: iter([COMMA, NUMBER])),
    ("state_signs", "state_signs", lambda _, _state: "6,0"),
    ("parse_state", "state_signs", lambda _, _state: iter(signs("6,0"))),
    ("move_signs", "move_signs", lambda _, _state, _move: iter(())),
    ("move_signs", "move_signs", lambda _, _state, _move: iter([PLACE, 0])),
    ("move_signs", "move_signs", lambda _, _state, _move: iter([1 << 40])),
    ("parse_move", "move_signs", lambda _, _state, _move: iter(signs("1"))),
    ("notation_signs", "notation_signs", lambda _, _state, _move: iter(())),
    ("parse_move", "notation_signs", lambda _, _state, _move: iter(signs("1"))),
    ("fen", "fen", lambda _, _state, _number=1: ""),
    ("parse_state", "fen", lambda _, _state, _number=1: "6,0"),
    ("unseen", "unseen", lambda _, _state: (1,)),
    ("arrangement_text", "arrangement_text", lambda _, *_given: "6,0"),
    ("names", "names", ("White", "White")),
    ("names", "names", "xo"),
    ("marks", "marks", ("left side", "o")),
    ("colours", "colours", ("white", "pink")),
    ("colours", "colours", ("white", "white")),
    ("colours", "colours", (["white"], "black")),
    ("surface", "surface", "stone"),
    ("state_words", "state_words", 0),
    ("board", "board", lambda _: ()),
    ("board", "board", lambda _: pg.Board(pg.squares(1, 2).places * 2)),
    ("board", "board", lambda _: pg.Board(lines=((0, 1),))),
    ("board", "board", lambda _: pg.Board(pieces=("x", "o"))),  # type: ignore[arg-type]
    ("board", "board", lambda _: pg.Board(pieces=(pg.Piece("x"),) * 256)),
    ("board", "board", lambda _: pg.Board(pg.squares(1, 2).places, borders=((2, 0, 1),))),
    ("board", "board", lambda _: pg.Board(pg.squares(1, 2).places, borders=((0, 0, 2),))),
    ("board", "board", lambda _: pg.Board(pg.squares(1, 2).places, seat=2)),
    ("stands", "board", lambda _: pg.squares(1, 2)),
    ("stands", "stands", lambda _, _state: pg.Look()),
    ("stands", "stands", lambda _, _state: iter([0])),
    ("stands", "stands", lambda _, _state: itertools.repeat(0)),
    ("strokes", "strokes", lambda _, _state: iter([0, END])),
    ("strokes", "strokes", lambda _, _state: iter([True])),
    ("caption", "caption", lambda _, _state: iter([PLAYER, 2])),
    ("caption", "caption", lambda _, _state: iter([PLAYER - 1, 0])),
    ("notice", "notice", lambda _, _state: iter([PLAYER, 2])),
    ("path", "path", lambda _, _state, _move: iter([0])),
    ("path", "path", lambda _, _state, _move: None),
    ("is_noisy", "is_noisy", lambda _, _state, _move: 1),
    ("is_forced", "is_forced", lambda _, state: None),
    ("pass_turn", "pass_turn", lambda _, state: CountState(state.left + 1, state.turn)),
    ("pass_turn", "pass_turn", lambda _, state: CountState(next(fresh), 1 - state.turn)),
    ("candidates", "candidates", lambda _, _state: iter([1])),
    ("pick", "pick", lambda _, _state, _chance: 1),
    ("pick", "pick", lambda _, state, chance: min(state.left, 1 + chance % 2)),
    ("split_settled", "split_settled", lambda _, state: (state, 1)),
    ("split_settled", "split_settled", lambda _, state: (CountState(state.left + 1, state.turn), 0)),
    ("split_settled", "split_settled", lambda _, state: (CountState(state.left, 1 - state.turn), 0)),
    ("repetition_value", "repetition_value", lambda _, _state: 0.5),
    ("repetition_value", "repetition_value", lambda _, _state: 1 << 20),
    ("repetition_key", "repetition_key", lambda _, state: CountState(state.left + 1, state.turn)),
    ("repetition_key", "repetition_key", lambda _, state: CountState(state.left, 0)),
]
CYCLES = ("repetition_value", "repetition_key")
"""What is asked of games where states can come again."""


@pytest.mark.parametrize(("law", "question", "answer"), BREACHES)
def test_a_broken_law_is_named(law: str, question: str, answer: Any) -> None:
    """The fault is found under the law's name, and its sentence names the question, in one line."""
    broken: type[Game[CountState]] = type("Broken", (Count,), {question: answer, "repetition": 2 * (law in CYCLES)})
    faults = {fault.law: fault.sentence for fault in pg.check(broken(), games=5).faults}
    assert law in faults, faults
    assert question in faults[law] or law in faults[law]
    assert "\n" not in faults[law] and "Traceback" not in faults[law]


def test_a_rule_that_does_not_answer_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its time goes by for one state and move, and not for every law and game."""
    monkeypatch.setattr(asking, "ANSWER_SECONDS", 0.05)
    asked = []

    def play(_: Count, state: CountState, move: int) -> CountState:
        asked.append((state, move))
        while True:
            pass

    [fault] = pg.check(type("Endless", (Count,), {"play": play})(), games=5).faults
    assert fault.law == "play" and "does a loop there never end?" in fault.sentence and len(asked) == 1


SQUARES = {"board": lambda _: pg.squares(2, 2, block=1), "stands": lambda _, _state: iter([0] * 4)}
"""A board of four places, each an area of its own, with nothing on it."""


@pytest.mark.parametrize(
    ("question", "told", "said"),
    [
        ("stands", [0] * 3, "3 ints in state CountState(left=6, turn=0), for 4 places and 4 areas"),
        ("stands", [0] * 6, "6 ints"),
        ("stands", [0, 3, 0, 0], "3 for place b1"),
        ("stands", [0, 0, 0, -1], "-1 for place b2"),
        ("stands", [0, True, 0, 0], "True for place b1"),
        ("stands", [WON + 1 + (1 << 10), 0, 0, 0], "1281 for place a1"),
        ("stands", [0, 0, 0, 0, 0, 3, 0, 0], "3 for area board 2"),
        ("stands", [0, 0, 0, 0, 0, 0, 16, 0], "16 for area board 3"),
        ("strokes", [0, 3], "and then END"),
        ("strokes", [0, 4, END], "gives 4 "),
        ("move_signs", [PLACE, 4], "-2 is followed by 4"),
        ("path", [0], "different ones"),
        ("path", [-1], "from 0 below 4"),
    ],
)
def test_what_a_board_shows_has_laws(question: str, told: list[int], said: str) -> None:
    """One int for each place and then for each area or none, of the pieces there are, and places that there are."""
    broken = type("Broken", (Count,), SQUARES | {question: lambda _, *_args: iter(told)})
    faults = {fault.law: fault.sentence for fault in pg.check(broken(), games=5).faults}
    assert said in faults[question] and faults.keys() <= {question, "move_signs", "parse_move"}  # which name places


def test_all_that_a_board_can_show_is_lawful() -> None:
    """Pieces that have won and count, areas that are won, closed and idle, lines, a caption, moves named by places."""
    shows = {
        "stands": lambda _, _state: iter([0, 1, 2 + WON, 1 + 3 * COUNT, 0, 1 + CLOSED, IDLE, 2 + CLOSED + IDLE]),
        "strokes": lambda _, _state: iter([0, 1, END, 1, 2, 3, END]),
        "caption": lambda _, state: iter([NUMBER, state.left, *signs(" left, "), PLAYER, state.turn]),
        "path": lambda _, _state, move: iter([move, 0]),
    }
    game = type("Shown", (Count,), SQUARES | shows)()
    assert not pg.check(game, games=5).faults
    state = game.initial()
    look = game.look(state)
    assert [piece and (piece.owner, piece.count) for piece in look.pieces] == [None, ("x", 1), ("o", 1), ("x", 4)]
    assert (look.line, look.through, look.text) == ((2,), ((0, 1), (1, 2, 3)), "6 left, x")
    assert look.fates[1:] == (pg.Fate("x", open=False), pg.Fate(active=False), pg.Fate("o", open=False, active=False))
    assert [game.move_text(state, move) for move in game.moves(state)] == ["b1-a1", "a2-a1"]
    assert [game.parse_move(state, word) for word in ("a2-a1", "2")] == [2, 2]


@pytest.mark.parametrize(
    ("name", "told_by"),
    [
        ("text", "state_signs(self, state)"),
        ("move_text", "move_signs(self, state, move)"),
        ("look", "stands(self, state)"),
    ],
)
def test_what_is_put_together_is_no_question(name: str, told_by: str) -> None:
    """Who answers it is told what to define in its place, before all else, and so is who first uses such a game."""
    game = type("Own", (Count,), {name: lambda _, *_args: "take2"})()
    first, *_ = pg.check(game, games=1).faults
    assert first.law == name and f"define {told_by}" in first.sentence and "(test_laws.py, line " in first.sentence
    with pytest.raises(pg.BadInput, match=f"breaks the law of {name}"):
        require_lawful(game)


def test_one_move_at_most_begins_in_a_fall() -> None:
    """A click on any place of a fall stands for the move that begins in it, so there cannot be two."""
    board = pg.Board(pg.squares(2, 2).places, falls=((0, 2), (1, 3)))
    answers = SQUARES | {"board": lambda _: board}
    lawful = type("Lawful", (Count,), answers | {"path": lambda _, _state, move: iter([move + 1])})
    broken = type("Broken", (Count,), answers | {"path": lambda _, _state, move: iter([2 * move - 2])})
    assert not pg.check(lawful(), games=5).faults
    assert ["(0, 2)" in fault.sentence for fault in pg.check(broken(), games=5).faults] == [True]


def test_every_law_of_a_state_has_a_breach() -> None:
    """No law stands unbroken in the list above."""
    laws = {law.__name__.removeprefix("_law_of_") for law in LAWS}
    assert laws <= {law for law, _, _ in BREACHES} | {"refusal"}  # which needs places


@pytest.mark.parametrize("said", ["", " ", None, "two\nlines"])
def test_a_reason_is_a_line(said: str | None) -> None:
    """The reason for a refusal is one line of text."""
    broken = type("Broken", (Count,), SQUARES | {"refusal": lambda _, _state, _path: said})
    assert {fault.law for fault in pg.check(broken(), games=1).faults} == {"refusal"}


@pytest.mark.parametrize(
    ("law", "answers"),
    [
        ("repetition", {"repetition": 1}),
        ("repetition", {"repetition": None}),
        ("repetition_value", {"repetition": 3, "repetition_value": lambda _, _state: 1}),
        ("candidates", {"repetition": 2, "foresight": 2}),
        ("bounds", {"repetition": 2, "play": lambda _, state, _move: state, "bounds": lambda _, _state: (1, 1)}),
    ],
)
def test_what_ends_a_game_by_repetition_has_laws(law: str, answers: dict[str, Any]) -> None:
    """How often a state comes, what it is worth then, and that foresight and bounds do not pass over it."""
    broken: type[Game[CountState]] = type("Broken", (Count,), answers)
    assert law in {fault.law for fault in pg.check(broken(), games=2).faults}


def test_a_game_that_knows_no_draw_has_none() -> None:
    """A draw where `draws` says that there is none is found."""
    drawn = {"outcome": lambda _, state: pg.ONGOING if state.left > 0 else 0, "draws": False}
    faults = pg.check(type("Drawn", (Count,), drawn)(), games=2).faults
    assert "draws" in {fault.law for fault in faults}


def test_a_random_game_that_comes_back_ends_by_it() -> None:
    """A game that never ends by its rules is lawful where a repetition ends it."""
    endless = type("Endless", (Count,), {"play": lambda _, state, _move: state, "repetition": 3})
    assert not pg.check(endless(), games=2).faults


def test_a_game_without_end_is_found() -> None:
    """A game that never ends breaks the law of outcome; the check itself ends."""
    endless = type("Endless", (Count,), {"play": lambda _, state, _move: state})
    assert "outcome" in {fault.law for fault in pg.check(endless(), games=1).faults}


@pytest.mark.compiled
def test_speeds_that_differ_are_found() -> None:
    """An int beyond 64 bits that comes of no state or move is another one compiled, and the check says so."""

    class Large(Count):
        def evaluate(self, state: CountState) -> int:
            large = 1
            for _ in range(40):
                large *= 7
            return large % 1009

        def caption(self, state: CountState) -> Iterator[int]:
            yield NUMBER
            yield self.evaluate(state)

        def move_signs(self, state: CountState, move: int) -> Iterator[int]:
            yield ord("0") + move
            yield COMMA
            yield NUMBER
            yield self.evaluate(state)

        def parse_move(self, state: CountState, text: str) -> int:
            return int(text.partition(",")[0])

    faults = {fault.law for fault in pg.check(Large(), games=2).faults}
    assert faults == {"evaluate, compiled", "caption, compiled", "move_signs, compiled"}


def test_what_was_sampled_is_said() -> None:
    """Of a state with very many moves `pick` is asked less often, which is said; a wrong one is found all the same."""

    class Wide(Count):
        def moves(self, state: CountState) -> Iterator[int]:
            for move in range(1, 301):
                yield move

        def play(self, state: CountState, move: int) -> CountState:
            return CountState(state.left - 1, 1 - state.turn)

    verdict = pg.check(Wide(), games=1)
    assert verdict.ok
    assert any("more than 200 moves, pick was asked for 3 random numbers, not for 12" in note for note in verdict.notes)
    assert not any("pick" in note for note in pg.check(Count(), games=1).notes)
    first = type("First", (Wide,), {"pick": lambda _, _state, _chance: 1})
    assert {fault.law for fault in pg.check(first(), games=1).faults} == {"pick"}


def test_foresight_is_held_to_its_word() -> None:
    """A game that claims to look two plies ahead, and gives all moves, is found out."""
    broken = type("Hasty", (Count,), {"foresight": 2})
    assert {fault.law for fault in pg.check(broken(), games=2).faults} == {"candidates"}


LARGE = ["mnk:8,8,5", "hex:9"]
"""Boards so large that their laws take a minute in plain Python."""
LAWFUL = [
    "tictactoe:first=o",
    "mnk:1,4,2",
    "ultimate:send=false",
    "connectfour:4,3,3,first=o",
    "connectfour:9,9",
    "kalah:2,1,first=o",
    "kalah:3,5,empty_capture=true",
    "reversi:4",
    "hex:2,swap=true",
    "breakthrough:3,2",
    "dotsandboxes:1,1",
    "nim:1/2/3,misere=true",
    "chomp:1,1",
    "domineering:2,2,o",
    "amazons:4,5",
    "gomoku:6,5,3,o,exact=true",
]


SMALLER = {"gomoku": "gomoku:6,6", "chess": "chess:quiet=4", "reversi": "reversi:6", "amazons": "amazons:5,5"}
"""Where the laws of a game as it is offered take long at plain speed: the same on a smaller board, or ended sooner."""


@pytest.mark.parametrize("name", [*(SMALLER.get(choice.name, choice.name) for choice in pg.GAMES), *LAWFUL])
def test_our_games_keep_every_law(name: str, seed: int) -> None:
    """A random game finds no fault."""
    verdict = pg.check(pg.game_named(name), games=1, seed=seed)
    assert verdict.ok, verdict.faults


@pytest.mark.compiled
@pytest.mark.parametrize("name", canaries([*(choice.name for choice in pg.GAMES), *LARGE, *LAWFUL]))
def test_our_games_keep_every_law_compiled(name: str, seed: int) -> None:
    """Nor do a few, whose every answer is the same at both speeds."""
    verdict = pg.check(pg.game_named(name), games=4, seed=seed)
    assert verdict.ok and verdict.compiled, verdict.faults


def test_the_lawful_game_is_lawful() -> None:
    """The game that is broken above is whole itself, so a fault is the breach's."""
    assert pg.check(Count(), games=5).faults == ()


@pytest.mark.parametrize("name", QUESTION_BY_FINAL_METHOD)
def test_the_document_that_a_law_names_shows_the_question(name: str) -> None:
    """The law on final methods names the document that explains the method to define instead."""
    game = type("Own", (pg.MNK,), {name: lambda self, *_: "own"})()
    said = next(law.args[1] for law in broken_forms(game) if law.args[0] == name)
    document = re.search(r"docs/\S+\.md", said)
    question = QUESTION_BY_FINAL_METHOD[name].partition("(")[0]
    assert document and question in (ROOT / document[0]).read_text(encoding="utf-8")
