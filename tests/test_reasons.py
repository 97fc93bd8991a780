"""Each reason why a rule has no compiled form: the sentence its author reads, with the file and line of the rule."""

import re
from pathlib import Path

import pytest

import plyground as pg
from plyground.compiled.questions import COMPILED_QUESTIONS

pytestmark = pytest.mark.compiled

GAME = """
from typing import NamedTuple
import plyground as pg
WORTHS = {1: 2}
def endless(n): return endless(n - 1)
class RowState(NamedTuple):
    cells: tuple[int, ...]
    turn: int
class Base(pg.Game):
    worths = {1: 2}
    def initial(self): return RowState((0, 0, 0), 0)
    def to_move(self, state): return state.turn
    def moves(self, state):
        for move in range(3):
            if state.cells[move] == 0: yield move
    def play(self, state, move): return RowState(pg.board.bits.with_word(state.cells, move, 1), 1 - state.turn)
    def outcome(self, state): return 0 if state.cells[0] and state.cells[1] and state.cells[2] else pg.ONGOING
class Row(Base):
"""

SLICE = "takes a slice whose length no one knows beforehand; plyground.board.bits.with_word(cells, place, value) "
TUPLE = "makes a tuple whose length no one knows beforehand; plyground.board.bits.with_word(cells, place, value) "
GIVES = "gives one with another value at a place"
CHANGES = "changes an attribute; games and states never change, play makes a new state"
LOOPS = "calls itself in a way that never ends, or before it has ever returned a value"
DICT = "uses a dict, and compiled rules know only ints and tuples of ints"
STATEMENT = "uses a statement that compiled rules do not have"
TWO = "returns or yields values of two kinds"

# The rule, what it does (a line that may be named ends with #), and the sentence.
CASES = [
    ("evaluate", "return super().evaluate(state) #",
        "uses super(); put what both classes do into a function beside them, and call that"),
    ("moves", "yield from range(3) #", "uses yield from; write for move in …: yield move"),
    ("play", "return RowState(state.cells[:move] + (1,) + state.cells[move + 1:], 1) #", SLICE + GIVES),
    ("evaluate", "return sum(cell for cell in state.cells) #",
        "uses a generator within an expression; write a for loop"),
    ("evaluate", "return self.evaluate(state) #", LOOPS),
    ("evaluate", "self.turn = 3 #|return 1", CHANGES),
    ("play", "state.turn = 3|return state", CHANGES),
    ("evaluate", "try:|    return 1 // state.turn|except ZeroDivisionError: #|    return 0",
        "uses except; ask beforehand, with if"),
    ("play", "return RowState(tuple([1, 2, 3]), 0) #", TUPLE + GIVES),
    ("play", "return state._replace(turn=1) #",
        "uses _replace or the like; make a new state with all its fields instead"),
    ("evaluate", "return WORTHS[1] #",
        "uses WORTHS, which is neither an int, a tuple of ints, nor a function of plain rules"),
    ("evaluate", "return worth(state)", "uses the name worth, which is defined nowhere"),
    ("evaluate", "worth: int|return worth #", "uses the name worth, which is defined nowhere"),
    ("evaluate", "return self.worths[1] #", "uses self.worths, which is neither an int, a tuple of ints nor a method"),
    ("evaluate", "return state.cells.count(0) #", "uses .count, which ints, tuples and states do not have"),
    ("evaluate", "return int('3') #", "works with text, and compiled rules know only ints and tuples of ints"),
    ("evaluate", "return dict()[1] #", DICT),
    ("evaluate", "worths = {} #|return len(worths)", DICT),
    ("evaluate", "return len(set()) #", "uses a set; a bitboard (an int with a bit for each member) does its work"),
    ("evaluate", "if state.turn: return 1 #|return (1, 2) #", TWO),
    ("moves", "move = yield 1 #|yield move #", TWO),
    ("evaluate", "worth = 1|if state.turn: worth = (1, 2)|return worth #", "gives one name values of two kinds"),
    ("evaluate", "return state.cells[state.turn / 2] #", "makes a fraction; // divides ints without one"),
    ("evaluate", "return len(state.turn) #", "calls len with values it does not take here"),
    ("evaluate", "cells = state.cells * state.turn #|return cells[0]", "calls mul with values it does not take here"),
    ("evaluate", "cells = [] #|return len(cells)", "uses an empty list; a state's tuples of ints keep their length"),
    ("evaluate", "return state.turn & 1 << 70 #",
        "uses an int of more than 64 bits; plyground.board.bits has sets of any size"),
    ("evaluate", "first, *others = state.cells #|return first", STATEMENT),
    ("evaluate", "with open('worths'): return 1 #", STATEMENT),
    ("evaluate", "del state #|return 1", STATEMENT),
    ("evaluate", "cells = [1]|cells.append((1, 2)) #|return 1",
        "does what compiled rules cannot do; they know ints, tuples and NamedTuples of ints"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "body", "sentence"), CASES)
def test_what_has_no_compiled_form_is_named(rule: str, body: str, sentence: str, tmp_path: Path) -> None:
    """With the author's file and line, what is wrong and what to write instead; no word of Numba's."""
    from plyground.compiled.code import CannotCompile, Compiled  # here, for the plain run needs no Numba

    lines = body.split("|")
    head = f"    def {rule}(self, state{', move' if rule == 'play' else ''}):"
    text = GAME + "\n".join([head, *(f"        {line}" for line in lines)]) + "\n"
    (tmp_path / "row.py").write_text(text, encoding="utf-8")
    game = pg.game_named(f"{tmp_path / 'row.py'}:Row")
    with pytest.raises(CannotCompile) as caught:
        Compiled(COMPILED_QUESTIONS[rule], game).prepare(game.initial(), 0)
    places = [f"line {place}" for place, line in enumerate(text.splitlines(), 1) if line.endswith("#")]
    places = places or [f"line {text.splitlines().index(head) + 1} or below"]
    assert str(caught.value) in [f"row.py, {place}: {sentence}." for place in places]


def test_every_reason_has_a_case() -> None:
    """No sentence stands in the table that no rule leads to."""
    from plyground.compiled.reasons import OTHERWISE, REASONS

    for words in (*(words for _, words in REASONS), OTHERWISE):
        pattern = re.sub(r"\\\{\d\\\}", ".+", re.escape(words))
        assert any(re.fullmatch(pattern, sentence) for _, _, sentence in CASES), f"no rule here leads to: {words}"
