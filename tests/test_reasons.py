"""Each reason why a rule has no compiled form: the sentence its author reads, with the file and line of the rule."""

import re
from pathlib import Path
from typing import Any

import pytest
from own_game import PILE

import plyground as pg
from plyground.compiled import agreement
from plyground.compiled.kernel import kernel
from plyground.compiled.questions import COMPILED_QUESTIONS
from plyground.games import game_named
from plyground.labelling.exact_values import ExactValues
from plyground.learning.selfplay import self_play
from plyground.score import final
from plyground.search import algorithm_named
from plyground.search.minimax import minimax
from plyground.search.perft import perft
from plyground.search.pvs import pvs
from plyground.wasm.building import built

pytestmark = pytest.mark.compiled

GAME = """
from typing import NamedTuple
import plyground as pg
WORTHS = {1: 2}
ROWS = [1, 2, 3]
PAIRS = ((1, 2), (1, 2, 3))
NONE = ()
NAMES = ("a", 1)
THING = object()
def endless(n): return endless(n - 1)
class RowState(NamedTuple):
    cells: tuple[int, ...]
    turn: int
class Base(pg.Game):
    worths = {1: 2}
    thing = object()
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
    ("play", "state.turn = 3 #|return state", CHANGES),
    ("evaluate", "try:|    return 1 // state.turn|except ZeroDivisionError: #|    return 0",
        "uses except; ask beforehand, with if"),
    ("play", "return RowState(tuple([1, 2, 3]), 0) #", TUPLE + GIVES),
    ("play", "return state._replace(turn=1) #",
        "uses _replace or the like; make a new state with all its fields instead"),
    ("evaluate", "return THING[1] #",
        "uses THING, which is neither an int, a tuple of ints, nor a function of plain rules"),
    ("evaluate", "return WORTHS[1] #", "WORTHS is a dict: make it a tuple, in which the key is the place"),
    ("evaluate", "return self.worths[1] #", "self.worths is a dict: make it a tuple, in which the key is the place"),
    ("evaluate", "for row in ROWS: #|    if state.turn & row == row: return 1|return 0",
        "ROWS is a list: make it a tuple"),
    ("evaluate", "return 1 if NAMES[state.turn] == 1 else 0 #", "NAMES holds a str, and compiled rules know ints"),
    ("evaluate", "for pair in PAIRS: #|    if pair[0] == state.turn: return 1|return 0",
        "PAIRS has rows of different lengths: make them equally long"),
    ("evaluate", "for line in NONE: #|    if line[0] == state.turn: return 1|return 0", "NONE is empty"),
    ("evaluate", "for number, cell in enumerate(state.cells, start=1): #|    return number|return 0",
        "gives enumerate its start by name; write enumerate(row, 1)"),
    ("play", "rows = [[1, 2], [3]]|return RowState(*map(tuple, rows), turn=1) #",
        "hands a row over as arguments, by *; write each argument"),
    ("evaluate", "return worth(state)", "uses the name worth, which is defined nowhere"),
    ("evaluate", "worth: int|return worth #", "uses the name worth, which is defined nowhere"),
    ("evaluate", "return self.thing[1] #", "uses self.thing, which is neither an int, a tuple of ints nor a method"),
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


# -- rules that compile, and would answer otherwise --------------------------------------------------------------------

OVERFLOW = "keep ints below 2**63"
OTHERWISE = [
    # A rule, a line of which ends with #, and a part of the sentence.
    ("evaluate", "is_even = state.stones % 2 == 0|return ~is_even * 10 + state.stones #", "with ~ of a comparison"),
    ("evaluate #", "return ~(not state.stones % 2) * 10", "as plain Python and"),
    ("evaluate", "return (state.stones + 1) * 2654435761 * 40503 * 2654435761 % 1000003 #", OVERFLOW),
    ("evaluate", "return (state.stones * 10**12 >> state.stones * 40) % 1000 #", "with a shift by"),
    ("evaluate", "return (state.stones + 2**62) * 2 // 3 % 1000 #", OVERFLOW),
    ("evaluate", "return (7 ** (state.stones * 9)) % 1009 #", OVERFLOW),
    # at the end of a game alone
    ("evaluate", "return 5 if state.stones > 1 else (2**62 + 2**62 - state.stones) % 7 #", OVERFLOW),
    ("moves", "for take in range(min(3, state.stones) * 2**61 * 8 // 2**64 or 1): #|    yield take", OVERFLOW),
    ("outcome", "return pg.ONGOING if state.stones > 0 else -2 * ~(state.turn == 1) - 3 #", "with ~ of a comparison"),
    ("play", "return Heap(state.stones - move - 1, ~(state.turn == 0) + 2) #", "with ~ of a comparison"),
]


def otherwise(tmp_path: Path, rule: str, body: str) -> tuple[str, str]:
    """A file of a pile with another rule: the spec of its game, and the line that ends with #."""
    lines = PILE.partition("def lowest")[0].splitlines()
    name = rule.removesuffix(" #")
    arguments = "self, state, move" if name == "play" else "self, state"
    lines += ["@dataclass(frozen=True)", "class Mine(Pile):", f"    def {name}({arguments}):{' #' * ('#' in rule)}"]
    lines += [f"        {line}" for line in body.split("|")]
    (tmp_path / "pile.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    number = next(number for number, line in enumerate(lines, 1) if "#" in line)
    return f"{tmp_path / 'pile.py'}:Mine", f"pile.py, line {number}: "


@pytest.mark.parametrize(("rule", "body", "words"), OTHERWISE)
def test_no_compiled_value_that_plain_python_would_not_give(
    rule: str, body: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search runs as plain Python, and its reason names the line; `check` finds the same."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path / "cache"))
    spec, line = otherwise(tmp_path, rule, body)
    here = pg.Position.initial(spec)
    report = pg.search(here, "minimax", depth=4)
    value, nodes = algorithm_named("minimax").tried(here.game, here.state, 4)
    assert (report.score.points or final(report.score.utility or 0, 0), report.nodes) == (value, nodes)
    assert report.why_plain is not None and report.why_plain.startswith(line) and words in report.why_plain
    assert report.why_plain.endswith("So searches run as plain Python: slower, with the same answers.")
    assert not pg.check(spec, games=20).ok


def test_every_road_to_compiled_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever takes the last of five stones wins, so who begins does, however that is asked: no road compiles a rule
    by which the other one would win."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("plyground.engine.solver.SMALL", 1)
    spec, line = otherwise(tmp_path, *OTHERWISE[8][:2])
    here = pg.Position.initial(spec)
    assert pg.solve(here, book=False).score.utility == 1
    assert [*pg.think(here)][-1].score.utility == 1
    assert pg.search(here, "pvs", depth=9).score.utility == pg.search(here, "proof").score.utility == 1
    assert ExactValues(spec, table=1, book=False).score(here)[0].utility == 1
    assert pg.tablebase(here.game, tmp_path / "table")[here].utility == 1
    assert here.perft(4) == here.perft(4) > 0
    for search in (pvs, perft, minimax, self_play):
        run = kernel(search, here.game)
        assert run.is_ready is False and (run.why_plain is None or run.why_plain.startswith(line))
    with pytest.raises(pg.BadInput, match=f"cannot be published, because it runs only as plain Python. {line}"):
        built(here.game)


def test_a_rule_that_yields_its_answer_is_not_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The code of such a rule would end the process."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path / "cache"))
    spec, line = otherwise(tmp_path, "evaluate #", "yield 3")
    why = agreement.why_unlike(game_named(spec))
    assert why == f"{line}evaluate yields where it has to return its answer."


def test_what_was_compared_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules without a difference are compiled, and not compared again; those of the package never are."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path / "cache"))
    spec, _ = otherwise(tmp_path, "evaluate #", "return state.stones * 3 % 5")
    compared = list[object]()
    plainly = agreement._compare_rules

    def noting(game: Any, **how: Any) -> Any:
        compared.append(game)
        return plainly(game, **how)

    monkeypatch.setattr(agreement, "_compare_rules", noting)
    own = game_named(spec)
    for game in (own, own, game_named("mnk:2,2,2")):
        for search in ("minimax", "alphabeta"):
            assert pg.search(pg.Position.initial(game), search, depth=2).why_plain is None
    assert len(compared) == 1
    monkeypatch.setattr(agreement, "_found", {})  # as in another process
    assert agreement.why_unlike(own) is None and len(compared) == 1


SEARCH = """
def mine(game, observer, state, depth):
    observer.enter(state, depth)
    utility = game.outcome(state)
    if utility != -(1 << 30) or depth == 0:
        return (utility if utility != -(1 << 30) else {worth}), -1
    best, choice, side = -(1 << 60), -1, 1 - 2 * game.to_move(state)
    for move in game.moves(state):
        value, _ = mine(game, observer, game.play(state, move), depth - 1)
        if side * value > best:
            best, choice = side * value, move
    return side * best, choice
"""


@pytest.mark.parametrize(
    ("worth", "differs"),
    [("(depth + 12345678901) * 6364136223846793005 * 77 % 1009", True), ("depth * 77 % 1009", False)],
)
def test_a_search_with_other_values(worth: str, differs: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user's search, too, answers as it does in plain Python, and says why it is not compiled."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path / "cache"))
    (tmp_path / "mine.py").write_text(SEARCH.format(worth=worth), encoding="utf-8")
    here, name = pg.Position.initial("tictactoe"), f"{tmp_path / 'mine.py'}:mine"
    report = pg.search(here, name, depth=3)
    assert (report.score.points or 0) == algorithm_named(name).tried(here.game, here.state, 3)[0]
    assert (report.why_plain or "").startswith("mine.py, line 2: mine gives (") == differs
