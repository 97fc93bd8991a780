"""Each reason why a rule has no compiled form: the sentence its author reads, with the file and line of the rule."""

from functools import partial
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
from plyground.wasm.building import build_module

pytestmark = [pytest.mark.compiled, pytest.mark.filterwarnings("ignore:Bitwise inversion")]  # from Python 3.12 on

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

# The rule, its body (a line that may be named ends with #), and what is said of it.
REFUSED = [
    ("evaluate", "return super().evaluate(state) #", "makes a super, which compiled rules do not know"),
    ("evaluate #", "return self.evaluate(state)",
        "calls itself in a way that never ends, or before it has ever returned a value"),
    ("evaluate", "self.turn = 3 #|return 1",
        "changes an attribute; games and states never change, play makes a new state"),
    ("play", "state.turn = 3 #|return state",
        "changes an attribute; games and states never change, play makes a new state"),
    ("evaluate", "try: #|    return 1 // state.turn|except ZeroDivisionError:|    return 0",
        "uses try; ask beforehand, with if"),
    ("evaluate", "return worth(state) #", "uses the name worth, which is defined nowhere"),
    ("evaluate", "return dict()[1] #", "makes a dict, which compiled rules do not know"),
    ("evaluate", "worths = {} #|return len(worths)",
        "makes a dict; a constant one at the top of the file is taken, or a tuple for each key"),
    ("evaluate", "if state.turn: return 1|return (1, 2) #",
        "gives a value values of two kinds, an int and a tuple of 2; give it one kind of value on all ways"),
    ("evaluate", "worth = 1|if state.turn: worth = (1, 2) #|return worth",
        "gives the name worth values of two kinds, a tuple of 2 and an int; give it one kind of value on all ways"),
    ("evaluate", "return state.cells[state.turn / 2] #", "uses a float as an int"),
    ("evaluate", "return len(state.turn) #", "takes the length of an int"),
    ("evaluate", "cells = state.cells * state.turn #|return cells[0]",
        "uses an operator on a tuple of 3 and an int whose result has no known length; "
        "plyground.board.bits.with_word(cells, place, value) gives a tuple with another value at a place"),
    ("evaluate", "return state.turn & 1 << 70 #",
        "uses an int of more than 64 bits; plyground.board.bits has sets of any size"),
    ("evaluate", "with open('worths'): return 1 #", "uses a statement, With, that compiled rules do not have"),
    ("evaluate", "del state #|return 1", "deletes what compiled rules cannot"),
    ("evaluate", "cells = [1]|cells.append((1, 2)) #|return 1", "puts a tuple of 2 into a list; lists hold ints"),
]  # fmt: skip
TAKEN = [
    ("moves", "yield from range(3)"),
    ("play", "return RowState(state.cells[:move] + (1,) + state.cells[move + 1:], 1)"),
    ("play", "return RowState(tuple([1, 2, 3]), 0)"),
    ("play", "return state._replace(turn=1)"),
    ("evaluate", "return sum(cell for cell in state.cells)"),
    ("evaluate", "return WORTHS[1]"),
    ("evaluate", "return self.worths[1]"),
    ("evaluate", "for row in ROWS:|    if state.turn & row == row: return 1|return 0"),
    ("evaluate", "return 1 if NAMES[state.turn] == 1 else 0"),
    ("evaluate", "for pair in PAIRS:|    if pair[0] == state.turn: return 1|return 0"),
    ("evaluate", "for line in NONE:|    if line[0] == state.turn: return 1|return 0"),
    ("evaluate", "for number, cell in enumerate(state.cells, start=1):|    return number|return 0"),
    ("evaluate", "return state.cells.count(0)"),
    ("evaluate", "return int('3')"),
    ("evaluate", "return len(set())"),
    ("evaluate", "cells = []|return len(cells)"),
    ("evaluate", "is_even = state.turn % 2 == 0|return ~is_even * 10"),
    ("evaluate", "return (state.cells[0] + 10**12 >> 40 * state.turn + 80) + (1 << state.turn + 3)"),
    ("evaluate", "first, *others = state.cells|return first + len(others)"),
    # what fails as plain Python fails so compiled
    ("play", "rows = [[1, 2], [3]]|return RowState(*map(tuple, rows), turn=1)"),
    ("evaluate", "return THING[1]"),
    ("evaluate", "return self.thing[1]"),
    ("evaluate", "worth: int|return worth"),
    ("evaluate", "return 1 // state.turn"),
    ("evaluate", "return state.cells[state.turn + 3]"),
]


def own_row(rule: str, body: str, folder: Path) -> tuple[pg.Game[Any], str]:
    """A game of a user's with one rule, and the text of its file."""
    name, *mark = rule.split(" ")
    head = f"    def {name}(self, state{', move' if name == 'play' else ''}): {' '.join(mark)}".rstrip()
    text = GAME + "\n".join([head, *(f"        {line}" for line in body.split("|"))]) + "\n"
    (folder / "row.py").write_text(text, encoding="utf-8")
    return pg.game_named(f"{folder / 'row.py'}:Row"), text


@pytest.mark.parametrize(("rule", "body", "sentence"), REFUSED)
def test_what_has_no_compiled_form_is_named(rule: str, body: str, sentence: str, tmp_path: Path) -> None:
    """With the author's file and line, what is wrong and what to write instead."""
    from plyground.compiled.code import CannotCompile, Compiled  # here, for the plain run needs no compiler

    game, text = own_row(rule, body, tmp_path)
    with pytest.raises(CannotCompile) as caught:
        Compiled(COMPILED_QUESTIONS[rule.split()[0]], game).prepare(game.initial(), 0)
    [place] = [place for place, line in enumerate(text.splitlines(), 1) if line.endswith("#")]
    assert str(caught.value) == f"row.py, line {place}: {sentence}."


@pytest.mark.parametrize(("rule", "body"), TAKEN)
def test_what_average_programmers_write_is_compiled(rule: str, body: str, tmp_path: Path) -> None:
    """With the answer of plain Python, or its kind of exception."""
    from plyground.compiled.code import Compiled

    game, _ = own_row(rule, body, tmp_path)
    compiled, plain = Compiled(COMPILED_QUESTIONS[rule], game), partial(COMPILED_QUESTIONS[rule], game)
    answers = []
    for ask in (compiled, plain):
        try:
            answers.append(ask(game.initial(), 0))
        except Exception as error:
            answers.append(type(error))
    assert answers[0] == answers[1]


# -- rules that compile, and would answer otherwise --------------------------------------------------------------------

OVERFLOW = "keep ints below 2**63"
OTHERWISE = [
    # A rule, a line of which ends with #, and a part of the sentence.
    ("evaluate", "return (state.stones + 1) * 2654435761 * 40503 * 2654435761 % 1000003 #", OVERFLOW),
    ("evaluate", "return (state.stones + 2**62) * 2 // 3 % 1000 #", OVERFLOW),
    ("evaluate", "return (7 ** (state.stones * 9)) % 1009 #", OVERFLOW),
    (
        "outcome",
        "return pg.ONGOING if state.stones > 0 else (2 * (state.turn == 1) - 1) * 2**62 * 2 // 2**62 // 2 #",
        OVERFLOW,
    ),
    # at the end of a game alone
    ("evaluate", "return 5 if state.stones > 1 else (2**62 + 2**62 - state.stones) % 7 #", OVERFLOW),
    ("moves", "for take in range(min(3, state.stones) * 2**61 * 8 // 2**64 or 1): #|    yield take", OVERFLOW),
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
    value, nodes = algorithm_named("minimax").try_plain(here.game, here.state, 4)
    assert (report.score.points or final(report.score.utility or 0, 0), report.nodes) == (value, nodes)
    assert report.why_plain is not None and report.why_plain.startswith(line) and words in report.why_plain
    assert report.why_plain.endswith("So searches run as plain Python: slower, with the same answers.")
    assert not pg.check(spec, games=20).ok


def test_every_road_to_compiled_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever takes the last of five stones wins, so who begins does, however that is asked: no road compiles a rule
    by which the other one would win."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("plyground.exact.solver.SMALL_NODES", 1)
    spec, line = otherwise(tmp_path, *next(each for each in OTHERWISE if each[0] == "outcome")[:2])
    here = pg.Position.initial(spec)
    assert pg.solve(here, book=False).score.utility == 1
    assert [*pg.think(here)][-1].score.utility == 1
    assert pg.search(here, "pvs", depth=9).score.utility == pg.search(here, "proof").score.utility == 1
    assert ExactValues(spec, table=1, book=False).score(here)[0].utility == 1
    assert pg.tablebase(here.game, tmp_path / "table")[here].utility == 1
    assert pg.perft(here, 4) == pg.perft(here, 4) > 0
    for search in (pvs, perft, minimax, self_play):
        run = kernel(search, here.game)
        assert run.compiled is None and (run.why_plain is None or run.why_plain.startswith(line))
    with pytest.raises(pg.BadInput, match=f"cannot be published, because it runs only as plain Python. {line}"):
        build_module(here.game)


def test_a_rule_that_yields_its_answer_is_not_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The code of such a rule would end the process."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path / "cache"))
    spec, line = otherwise(tmp_path, "evaluate #", "yield 3")
    why = agreement.find_difference(game_named(spec))
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
    monkeypatch.setattr(agreement, "_verdicts", {})  # as in another process
    assert agreement.find_difference(own) is None and len(compared) == 1


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
    assert (report.score.points or 0) == algorithm_named(name).try_plain(here.game, here.state, 3)[0]
    assert (report.why_plain or "").startswith("mine.py, line 2: mine gives (") == differs
