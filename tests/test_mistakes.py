# ruff: noqa: E501
"""What beginners do wrong in their first game, and the sentence that each mistake is met with.

Each case is the game below with one change. `plyground check` ends with exit code 2 and names the rule, the line (the
one that ends with #, where the case has one) and what would be right.
"""

import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

import plyground as pg
from plyground.laws import asking
from plyground.spec import user_modules

RIGHT = """
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import plyground as pg

class StonesState(NamedTuple):
    stones: int
    turn: int

@dataclass(frozen=True)
class Stones(pg.Game[StonesState]):
    pile: int = 9

    def initial(self):
        return StonesState(self.pile, 0)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        for move in range(1, min(2, state.stones) + 1):
            yield move

    def play(self, state, move):
        return StonesState(state.stones - move, 1 - state.turn)

    def outcome(self, state):
        if state.stones > 0:
            return pg.ONGOING
        return 1 if state.turn == 1 else -1
"""
INITIAL = "        return StonesState(self.pile, 0)"
TURN = "        return state.turn"
MOVES = "        for move in range(1, min(2, state.stones) + 1):\n            yield move"
PLAY = "        return StonesState(state.stones - move, 1 - state.turn)"
END = "        return 1 if state.turn == 1 else -1"
MORE = END + "\n\n"
"""Where a rule may be added, below the last one."""

# What is made in place of a board, and what is said of it.
BOARDS = [
    (
        "a Board in a Board",
        "pg.Board(pg.squares(2, 2), pieces=(pg.Piece('x'),))",
        "give its .places, or its pieces to squares",
    ),
    ("places of a generator", "pg.Board(pg.Place(f'p{n}', n, 0) for n in range(4))", "places=<generator object"),
    (
        "places as tuples",
        "pg.Board((('a1', 0, 0), ('b1', 1, 0)))",
        "places=(('a1', 0, 0), ('b1', 1, 0)): give a list, each a Place",
    ),
    ("its size", "pg.Board(2, 2)", "places=2: give a list, each a Place"),
    ("no size", "pg.squares(0, 2)", "each is 1 or more"),
    ("ints as names", "pg.Board((pg.Place(1, 0, 0),))", "name=1: give a text"),
    ("another shape", "pg.Board((pg.Place('a', 0, 0, 'circle'),))", "shape='circle': give 'square' or 'hexagon'"),
    ("a list of places", "[*pg.squares(2, 2).places]", "a Board of places"),
    ("nothing", "None", "board gives None: a Board of places"),
    ("names in place of pieces", "pg.squares(2, 2, pieces=('x', 'o'))", "pieces=('x', 'o'): give a list, each a Piece"),
    ("an owner twice", "pg.squares(2, 2, pieces=(pg.Piece('king', 'x', owner='x'),))", "as in Piece('x', 'king')"),
    ("an owner that is no side", "pg.squares(2, 2, pieces=(pg.Piece('White'),))", "its owner is 'x' or 'o', or ''"),
    ("lines of names", "pg.Board(pg.squares(2, 2).places, lines=(('a1', 'b1'),))", "(a whole number, a whole number)"),
]

# What is done wrong; the text it stands in place of; what is written; how the rule is named, and what is said of it.
Case = tuple[str, str, str, str, str]
MISTAKES: list[Case] = [
    # -- states
    ("a state that is a list", INITIAL, "        return [self.pile, 0]", "initial", "a state is a NamedTuple of ints"),
    ("a list in a state", INITIAL, "        return StonesState([1, 1], 0)", "initial", "a list, not an int: write a tuple"),
    ("a dict in a state", INITIAL, "        return StonesState({1: 2}, 0)", "initial", "a dict, not an int: write a tuple"),
    ("a float in a state", PLAY, "        return StonesState(state.stones / 2, 0)", "play",
        "a float, not an int: // divides ints without a fraction"),
    ("True for 1", PLAY, "        return StonesState(state.stones - move, True)", "play", "a bool, not an int: write 1 or 0"),
    ("text in a state", INITIAL, "        return StonesState(self.pile, 'x')", "initial", "a str, not an int: write a number"),
    ("a NumPy array", INITIAL, "        import numpy\n        return StonesState(numpy.zeros(3), 0)", "initial",
        "a ndarray, not an int: write a tuple, or an int with a bit for each place"),
    ("nothing as None", INITIAL, "        return StonesState(self.pile, None)", "initial", "a number for nothing"),
    ("a state that grows", PLAY, "        return StonesState((state.stones, move), 1)", "play", "of kind tuple"),
    ("a state that is changed", PLAY, "        state.stones -= move #\n        return state", "play",
        "play makes a new state"),
    ("a state of more than 63 bits", PLAY, "        return StonesState(state.stones << 63, 1)", "play", "an int has 64 bits"),
    ("play returns nothing", PLAY, "        StonesState(state.stones - move, 1 - state.turn)", "play",
        "is there a return on every path?"),
    # -- moves
    ("a move below 0", MOVES, "        yield -1", "moves", "a move is an int from 0 below 2**31"),
    ("a move as text", MOVES, "        yield 'a1'", "moves", "a move is an int from 0 below 2**31"),
    ("the same move twice", MOVES, "        yield 1\n        yield 1", "moves", "gives the same move twice"),
    ("no generator", MOVES, "        return None", "moves", "yield each move"),
    ("a state without a move", MOVES, "        if state.stones > 1: yield 1", "outcome", "or is a move missing in moves (stones.py, line"),
    ("no move at all", MOVES, "        if state.stones > 99: yield 1", "moves", "gives none in the first state"),
    ("more moves than there is room for", MOVES, "        while True: yield 1", "moves", "more than 131,072 moves"),
    # -- the end, and whose turn it is
    ("an end without a value", END, "        if state.turn == 1: return 1", "outcome", "is there a return on every path?"),
    ("an end that is forgotten", END, "        return pg.ONGOING", "outcome", "return who has won, or 0 for a draw"),
    ("an end as True", END, "        return state.turn == 1", "outcome", "ONGOING, or an int within"),
    ("a game without end", PLAY, "        return StonesState(state.stones, 1 - state.turn)", "outcome", "count moves"),
    ("an endless count", PLAY, "        return StonesState(state.stones + 1, 1 - state.turn)", "outcome", "10,000 plies"),
    ("over before it begins", INITIAL, "        return StonesState(0, 0)", "initial", "the game is over already"),
    ("a player that is not there", TURN, "        return 2", "to_move", "0 or 1 is to move"),
    ("a player as text", TURN, "        return 'x'", "to_move", "0 or 1 is to move"),
    ("bounds that are too narrow", MORE, END + "\n\n    def bounds(self, state):\n        return 0, 1", "bounds",
        "to say how far it can go"),
    # -- hints and words
    ("an opinion beyond its scale", MORE, END + "\n\n    def evaluate(self, state):\n        return 10**9", "evaluate",
        "an int within ±"),
    ("an order that is a fraction", MORE, END + "\n\n    def order(self, state, move):\n        return 0.5", "order", "an int"),
    ("a symmetry that changes sides", MORE,
        END + "\n\n    def canonical(self, state):\n        return StonesState(state.stones, 0)", "canonical", "to_move is"),
    ("text with blanks", MORE, END + "\n\n    def state_signs(self, state):\n        for sign in 'nine stones': yield ord(sign)",
        "state_signs", "one word without blanks"),
    ("text in place of signs", MORE, END + "\n\n    def move_signs(self, state, move):\n        yield f'take{move}'", "move_signs",
        "NUMBER and a number for one that does"),
    ("a move's text said by itself", MORE, END + "\n\n    def move_text(self, state, move): #\n        return f'take{move}'",
        "move_text", "move_text is put together from what move_signs tells, in ints: define move_signs(self, state, move)"),
    ("a look said by itself", MORE, END + "\n\n    def look(self, state): #\n        return pg.Look(text='nine')",
        "look", "define stands(self, state) in its place"),
    ("a board, and nothing that stands on it", MORE, END + "\n\n    def board(self):\n        return pg.squares(3, 3)", "stands",
        "0 ints in state StonesState(stones=9, turn=0), for 9 places and 0 areas of the board: stands(self, state) yields one"),
    *((f"a board: {name}", MORE, f"{END}\n\n    def board(self): return {made} #", "board", right) for name, made, right in BOARDS),
    ("a board that is a generator", MORE, END + "\n\n    def board(self): #\n        yield pg.Place('a', 0, 0)", "board", "a Board of places"),
    ("pieces in place of their numbers", MORE, END + "\n\n    def board(self):\n        return pg.squares(1, 1)\n\n"
        "    def stands(self, state): #\n        yield pg.Piece('x')", "stands", "the number of a piece from 1 to 2"),
    ("text that does not read back", MORE, END + "\n\n    def parse_state(self, text):\n        return self.initial()",
        "parse_state", "parse_state reads"),
    # -- rules that fail
    ("a division by zero, now and then", MORE, END + "\n\n    def evaluate(self, state):\n        return 6 // (state.stones - 5) #",
        "evaluate", "ZeroDivisionError"),
    ("a key that is missing", MORE, END + "\n\n    def caption(self, state):\n        yield {9: 120}[state.stones] #", "caption",
        "KeyError"),
    ("a name that is nowhere", TURN, "        return turn #", "to_move", "name 'turn' is not defined"),
    ("a helper that calls itself without end", PLAY, "        def left(n): return left(n) #\n        return left(move)", "play",
        "a function calls itself without an end"),
    ("a tuple that is written to", PLAY, "        (1, 2)[0] = 3 #\n        return state", "play", "tuples never change"),
    ("exit()", PLAY, "        raise SystemExit #", "play", "a rule returns an answer, and ends no program"),
    # -- how it is written
    ("a slip in a question's name", "def moves(self", "def move(self", "moves", "define moves(self, state)"),
    ("self left out", "def moves(self, state)", "def moves(state)", "moves", "define moves(self, state)"),
    ("an argument left out", "def play(self, state, move)", "def play(self, state)", "play", "define play(self, state, move)"),
    ("a rule that is none", "    def moves(self, state):\n" + MOVES, "    moves = [1, 2]", "moves", "define moves(self, state)"),
    ("not frozen", "(frozen=True)", "", "game", "declare it @dataclass(frozen=True)"),
    ("an option that is a list", "pile: int = 9", "pile: list = None\n\n    def __post_init__(self):\n"
        "        object.__setattr__(self, 'pile', [9])", "game", "which can change: write a tuple"),
    ("a global that changes", PLAY, "        global SEEN\n        SEEN = move #\n" + PLAY, "play", "belongs in its state"),
    ("a list beside the rules", "    pile: int = 9\n", "    pile: int = 9\n\n    @staticmethod\n    def seen():\n"
        "        return SEEN #\n\n    def order(self, state, move):\n        self.seen().append(move)\n        return 0\n", "game",
        "SEEN changes while the game is played"),
    ("chance", PLAY, "        import random as chance\n        return StonesState(state.stones - 1, chance.randrange(1 << 30))",
        "play", "no game here has chance"),
    ("chance, now and then", "def play(", "def seldom(self):\n        return random.random() < 1e-9 #\n\n    def evaluate(self,"
        " state):\n        return 1 if self.seldom() else 0\n\n    def play(", "evaluate", "uses random"),
    ("an opinion that changes", MORE, END + "\n\n    def evaluate(self, state, seen=[0]):\n        seen.append(0)\n"
        "        return len(seen)", "evaluate", "changes its answer"),
    ("print", PLAY, "        print(state) #\n" + PLAY, "play", "play prints: a rule answers"),
    ("input", PLAY, "        return input('move? ') #", "play", "rules read no input"),
    # -- what never ends, and what is too large
    ("while True", MOVES, "        while True: #\n            state.stones", "moves", "does a loop there never end?"),
    ("a loop around a loop", MOVES, "        while True: #\n            for _ in range(9):\n                state.stones", "moves",
        "does a loop there never end?"),
    ("a loop within a helper", "def play(", "def left(self):\n        while self.pile: #\n            pass\n\n    def play(self,"
        " state, move):\n        return self.left()\n\n    def other(", "play", "does a loop there never end?"),
    ("ints that do not fit on the way", MORE,
        END + "\n\n    def evaluate(self, state):\n        return (state.stones << 62) % 1000 #", "evaluate",
        "compiled ints have 64 bits"),
    ("an overflow in play, without which the game would end", PLAY,
        "        return StonesState(state.stones * (1 << 62) % 1000 + 1, 1 - state.turn) #", "play", "compiled ints have 64 bits"),
    ("an example that ends otherwise", "    pile: int = 9\n", "    pile: int = 9\n    examples = (('2 2 2 2 1', -1),)\n", "outcome",
        "after the example '2 2 2 2 1', outcome is 1 in state StonesState(stones=0, turn=1), and not -1"),
    ("an example with a move that is none", "    pile: int = 9\n", "    pile: int = 9\n    examples = (('2 3', pg.ONGOING),)\n",
        "moves", "move 2: moves does not give 3 in state StonesState(stones=7, turn=1), but [1, 2]"),
    ("an example without an outcome", "    pile: int = 9\n", "    pile: int = 9\n    examples = ('2 3',)\n", "examples", "a pair of"),
    ("a mask of more than 63 bits", MORE,
        END + "\n\n    def evaluate(self, state):\n        return 1 if state.stones & 1 << 80 else 0 #", "evaluate",
        "compiled ints have 64 bits"),
    ("a product that does not fit", MORE,
        END + "\n\n    def order(self, state, move):\n        return state.stones * (1 << 62) // 7 #", "order",
        "compiled ints have 64 bits"),
]  # fmt: skip

# As above, where the file cannot even be loaded; the rule is not known then.
UNLOADABLE: list[tuple[str, str, str, str]] = [
    ("a colon left out", "def moves(self, state):", "def moves(self, state) #", "expected ':'"),
    ("tabs among blanks", TURN, "\t\treturn 1\n        return 0", "TabError: inconsistent use of tabs and spaces"),
    ("a module that is not there", "import plyground as pg", "import plyground as pg, numpie #", "install it, or look how"),
    ("a file that plays", "import plyground as pg", "import plyground as pg\ninput('your move? ') #", "belongs below if __name__"),
    ("a file that ends the program", "import plyground as pg", "import plyground as pg\nraise SystemExit(0) #", "belongs below"),
    ("a file that never ends", "import plyground as pg", "import plyground as pg\nwhile True: pass #", "belongs below"),
    ("an option that can change", "pile: int = 9", "pile: list = []", "mutable default"),
    ("another name than on the command line", "class Stones(", "class Stone(", "has no game 'Stones': it has Stone"),
]  # fmt: skip

Terminal = Callable[..., tuple[int, str]]


@pytest.fixture
def plyground(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    """The command: its exit code, and what it says."""
    from plyground.terminal.main import main

    def run(*words: str) -> tuple[int, str]:
        monkeypatch.setattr("sys.argv", ["plyground", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, " ".join((said.out + said.err).split())

    import_module("numpy")  # a time limit that interrupted its first import would leave it broken for all later tests
    monkeypatch.setattr(asking, "ANSWER_SECONDS", 0.05)
    monkeypatch.setattr(user_modules, "LOADING_SECONDS", 0.5)
    return run


def written(folder: Path, old: str, new: str) -> tuple[Path, str]:
    """A file with the game above after one change, and the name of the line that is wrong."""
    assert old.strip() in RIGHT
    text = RIGHT.replace(old.rstrip("\n"), new).replace(
        "import plyground as pg\n", "import plyground as pg\nimport random\nSEEN = []\n"
    )
    (folder / "stones.py").write_text(text, encoding="utf-8")
    lines = [f"line {number}" for number, line in enumerate(text.splitlines(), 1) if line.endswith("#")]
    return folder / "stones.py", lines[0] if lines else ""


def test_the_game_is_right(tmp_path: Path, plyground: Terminal) -> None:
    """So each fault below is the change's."""
    file, _ = written(tmp_path, TURN, TURN)
    code, said = plyground("check", f"{file}:Stones", "--games", "3")
    assert code == 0 and "every law holds" in said


@pytest.mark.parametrize(("old", "new", "rule", "sentence"), [pytest.param(*case[1:], id=case[0]) for case in MISTAKES])
def test_a_mistake_is_met_with_a_sentence(
    old: str, new: str, rule: str, sentence: str, tmp_path: Path, plyground: Terminal
) -> None:
    """By `check`, which names the rule, its line and what would be right; no compiler is waited for."""
    file, line = written(tmp_path, old, new)
    code, said = plyground("check", f"{file}:Stones", "--games", "20")
    assert code == 2 and f"✗ {rule}: " in said and sentence in said and "Traceback" not in said
    fault = said.partition(f"✗ {rule}: ")[2].partition("✗")[0]
    assert sentence in fault
    assert f"(stones.py, {line or 'line '}" in fault or rule in ("game", "examples") or "not a function" in fault


@pytest.mark.parametrize("name", ["not frozen", "an overflow in play, without which the game would end", "a move below 0",
    "a global that changes", "print", "chance", "a division by zero, now and then", "text with blanks"])  # fmt: skip
def test_what_follows_from_a_mistake_is_not_told(name: str, tmp_path: Path, plyground: Terminal) -> None:
    """One mistake, one sentence; no address of an object, which says nothing, stands in it."""
    old, new, *_ = next(case[1:] for case in MISTAKES if case[0] == name)
    file, _ = written(tmp_path, old, new)
    said = plyground("check", f"{file}:Stones", "--games", "5")[1]
    assert said.count("✗ ") == 1 and " at 0x" not in said


def test_a_large_state_is_cut(tmp_path: Path, plyground: Terminal) -> None:
    """Its first numbers are printed, with their count."""
    file, _ = written(tmp_path, INITIAL, "        return StonesState((0,) * 361, 2)")
    said = plyground("check", f"{file}:Stones", "--games", "1")[1]
    assert "(0, 0, 0, 0, 0, 0, 0, 0, … 361 numbers)" in said and len(said) < 700


@pytest.mark.parametrize(("old", "new", "sentence"), [pytest.param(*case[1:], id=case[0]) for case in UNLOADABLE])
def test_a_file_that_cannot_be_loaded(old: str, new: str, sentence: str, tmp_path: Path, plyground: Terminal) -> None:
    """The line is named as well."""
    file, line = written(tmp_path, old, new)
    code, said = plyground("check", f"{file}:Stones")
    assert code == 2 and sentence in said and line in said and "Traceback" not in said


def test_what_is_no_text(tmp_path: Path, plyground: Terminal) -> None:
    """Nor is a picture a game."""
    (tmp_path / "stones.py").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    code, said = plyground("check", f"{tmp_path / 'stones.py'}:Stones")
    assert code == 2 and "a Python file is text" in said


def test_an_option_without_a_type(tmp_path: Path, plyground: Terminal) -> None:
    """It is none, and it is said how it becomes one."""
    file, _ = written(tmp_path, "pile: int = 9", "pile = 9")
    code, said = plyground("check", f"{file}:Stones:pile=5")
    assert code == 2 and "pile has no type there: write pile: int" in said


@pytest.mark.parametrize("verb", ["play", "analyse", "search", "perft"])
def test_every_verb_says_it(verb: str, tmp_path: Path, plyground: Terminal) -> None:
    """The same sentence as `check`, before anything begins."""
    file, line = written(tmp_path, MOVES, "        while True: #\n            state.stones")
    more = {"perft": ["3"], "play": ["--x", "first", "--o", "first"]}.get(verb, [])
    code, said = plyground(verb, f"{file}:Stones", *more)
    assert code == 2 and f"does a loop there never end? (stones.py, {line})" in said


def test_the_page_says_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a position of the game is asked for."""
    from plyground.web.views import models, positions

    monkeypatch.setattr(asking, "ANSWER_SECONDS", 0.1)
    file, _ = written(tmp_path, PLAY, "        return 7")
    with pytest.raises(pg.BadInput, match=r"a state is a NamedTuple of ints.*\(stones.py, line"):
        positions.position(models.At(game=f"{file}:Stones"))


def test_a_slip_in_what_need_not_be_answered(tmp_path: Path, plyground: Terminal) -> None:
    """Is a note, for it may be meant."""
    file, _ = written(tmp_path, "def to_move(", "def evaluat(self, state):\n        return 1\n\n    def to_move(")
    code, said = plyground("check", f"{file}:Stones", "--games", "1")
    assert code == 0 and "defines evaluat, and nothing asks for it: is evaluate meant?" in said


def test_a_helper_of_the_rules_is_no_slip(tmp_path: Path, plyground: Terminal) -> None:
    """Whatever its name is like; a name for moves that nothing calls is remarked."""
    file, _ = written(tmp_path, MOVES, "        yield from self.move(state)\n\n    def move(self, state):\n" + MOVES)
    assert "nothing asks for it" not in plyground("check", f"{file}:Stones", "--games", "1")[1]
    file, _ = written(
        tmp_path, "def to_move(", "def move_name(self, state, move):\n        return 'a1'\n\n    def to_move("
    )
    code, said = plyground("check", f"{file}:Stones", "--games", "1")
    assert code == 0 and "defines move_name, and nothing asks for it: is move_signs meant?" in said


def test_a_board_is_refused_where_it_is_made() -> None:
    """In Python as well, and by whatever draws it."""
    with pytest.raises(pg.WrongType, match=r"give its \.places"):
        pg.Board(pg.squares(2, 2))  # type: ignore[arg-type]
    listed = type("Listed", (pg.MNK,), {"board": lambda _: [pg.Place("a", 0, 0)]})
    with pytest.raises(pg.WrongType, match="board of Listed gives a list: give a Board of places"):
        pg.Position.initial(listed()).svg()


def test_sums_may_go_round_where_the_answer_is_right(tmp_path: Path, plyground: Terminal) -> None:
    """What is masked afterwards is the same at both speeds, and is no mistake."""
    mixed = "return (state.stones * 0x1E3779B97F4A7C15 + 5 & 1023) - 512"
    file, _ = written(tmp_path, MORE, END + f"\n\n    def evaluate(self, state):\n        {mixed}")
    code, said = plyground("check", f"{file}:Stones", "--games", "2")
    assert code == 0, said


COMPILED: list[Case] = [
    ("ints that go round unseen", MORE, END + "\n\n    def evaluate(self, state):\n        found = 1\n"
        "        for _ in range(40): found *= 7\n        return found % 1000", "evaluate, compiled", "compiled ints have 64 bits"),
    ("a loop that ends by large ints", MORE, END + "\n\n    def evaluate(self, state):\n        found = 1\n"
        "        while found < 0x7FFFFFFFFFFFFFFF: found *= 3\n        return 1", "evaluate, compiled", "has no answer compiled"),
]  # fmt: skip


@pytest.mark.compiled
@pytest.mark.parametrize(("old", "new", "rule", "sentence"), [pytest.param(*case[1:], id=case[0]) for case in COMPILED])
def test_what_only_compiled_code_shows(
    old: str, new: str, rule: str, sentence: str, tmp_path: Path, plyground: Terminal
) -> None:
    """Is found when the plain rules keep the laws; what never returns there is given up."""
    file, _ = written(tmp_path, old, new)
    code, said = plyground("check", f"{file}:Stones", "--games", "1")
    assert code == 2 and f"✗ {rule}: " in said and sentence in said and "(stones.py, line " in said


@pytest.mark.compiled
def test_a_state_too_large_to_compile(tmp_path: Path, plyground: Terminal) -> None:
    """It is searched plain, and the compiler is not begun, which would take minutes."""
    file, _ = written(tmp_path, "    stones: int\n", "    stones: int\n    cells: tuple[int, ...]\n")
    text = file.read_text(encoding="utf-8").replace("StonesState(self.pile, ", "StonesState(self.pile, (0,) * 900, ")
    file.write_text(text.replace("- move, 1", "- move, state.cells, 1"), encoding="utf-8")
    code, said = plyground("check", f"{file}:Stones", "--games", "1")
    assert code == 0 and "holds 902 numbers" in said and "plyground.board.bits" in said


def test_the_cases_are_told_apart() -> None:
    """Thirty-five at least, and no two alike."""
    names = [case[0] for case in [*MISTAKES, *COMPILED]] + [case[0] for case in UNLOADABLE]
    assert len(names) == len(set(names)) >= 35


def test_a_file_is_read_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that is written again within a second with as many bytes, of which Python's cache sees nothing."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    file = tmp_path / "stones.py"
    for pile in (9, 8):
        file.write_text(RIGHT.replace("pile: int = 9", f"pile: int = {pile}"), encoding="utf-8")
        os.utime(file, (1_000_000_000, 1_000_000_000))
        assert pg.Position.initial(pg.game_named(f"{file}:Stones")).state == (pile, 0)
    assert [each.name for each in tmp_path.iterdir()] == [file.name]
