"""The command line as a person or a script meets it."""

import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from processes import started
from rich.console import Console
from waiting import LIMIT

import plyground as pg
from plyground.engine.run import prepare
from plyground.games import GAMES
from plyground.laws.verdict import require_lawful
from plyground.terminal.main import main

MOVES_THREE_WAYS = "b1\n1,1\nundo\nfoo\nhint\nshow\nhelp\n9\nquit\n"
HALF = '{"plyground": 1, "game": "tictactoe", "players": ["human", "first"], "start": ".../.../...:x"}\n'
HALF += '{"ply": 1, "player": "x", "move": "b2", "seconds": 0.1}\n{"ply": 2, "pla'
BROKEN = """
import plyground as pg
class Broken(pg.MNK):
    def to_move(self, state): return 2
"""


@dataclass(frozen=True)
class Done:
    """What a command printed, and its exit code."""

    stdout: str
    stderr: str
    returncode: int


Terminal = Callable[..., Done]


@pytest.fixture
def plyground(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    """`plyground(*words, typed="", person=False)`: run the command, with all it keeps in a folder of the test's; the
    words typed may come from a person at a terminal."""
    for home in ("XDG_DATA_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(home, str(tmp_path))

    def run(*words: str, typed: str = "", person: bool = False) -> Done:
        monkeypatch.setattr(sys, "argv", ["plyground", *words])
        monkeypatch.setattr(sys, "stdin", lines := io.StringIO(typed))
        monkeypatch.setattr(lines, "isatty", lambda: person)
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return Done(said.out, said.err, ended.value.code)

    return run


def test_a_game_by_a_person_over_a_pipe(plyground: Terminal) -> None:
    """Moves in three forms, a mistake, undo, hint, show, help; quit keeps the game, and resume goes on with it."""
    first = plyground("play", "tictactoe", "--o", "alphabeta:depth=2", typed=MOVES_THREE_WAYS)
    assert first.returncode == 0, first.stderr
    for said in ("o plays b2", "'foo' is not a cell", "(draw)", ".x./.o./...:x", "x plays c3", "resume"):
        assert said in first.stdout, said
    again = plyground("play", "--resume", "--json", typed="resign\n")
    answer = json.loads(again.stdout)
    assert answer["moves"][:3] == ["b1", "b2", "c3"] and answer["why"] == "x resigns" and answer["utility"] == -1
    assert plyground("play", "--resume").returncode == 2


def test_a_game_is_played_where_nothing_can_be_written(
    plyground: Terminal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It is played, one note says that it is not saved, and no sentence says that it is; a file by name is refused."""
    (home := tmp_path / "file").touch()
    for name in ("XDG_DATA_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(home / "below"))
    done = plyground("play", "tictactoe", "--x", "first", "--o", "first")
    assert done.returncode == 0 and done.stdout.endswith("x wins.\n")
    assert done.stderr.count("not saved") == 1 and "--keep FILE" in done.stderr
    left = plyground("play", "tictactoe", typed="b2\n")
    assert left.returncode == 0 and left.stdout.endswith("left unfinished.\nThe game is not saved.\n")
    assert json.loads(plyground("play", "tictactoe", "--x", "first", "--o", "first", "--json").stdout)["file"] is None
    refused = plyground("play", "tictactoe", "--x", "first", "--keep", str(home / "below" / "game"))
    assert refused.returncode == 2 and refused.stdout == ""


@pytest.mark.usefixtures("plyground")
def test_a_person_without_an_input_leaves_the_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As at the end of an input: no side has lost."""
    monkeypatch.setattr("sys.argv", ["plyground", "play", "tictactoe"])
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(SystemExit, match="0"):
        main()
    assert capsys.readouterr().out.endswith(
        "\nleft unfinished.\nThe game is saved: plyground play --resume continues it.\n"
    )


def test_a_person_who_names_no_game_is_asked(plyground: Terminal) -> None:
    """By number or by name, until there is such a game; the page's opponent plays, and the end says who won and why."""
    number = 1 + [choice.name for choice in GAMES.shipped].index("chess")
    for word in (str(number), "chess"):
        done = plyground("play", typed=f"chees\n0\n{word}\ne4\nresign\n", person=True)
        assert done.returncode == 0, done.stderr
        for said in (f"{number}  chess", "There is no game 'chees'", "There is no game '0'", "White plays e4"):
            assert said in done.stdout, said
        assert done.stdout.endswith("Black wins: White resigns.\n")
    assert "k11" in plyground("play", typed="hex\nresign\n", person=True).stdout  # as large as its players have it
    assert plyground("play", typed="", person=True).returncode == 2
    script = plyground("play", typed="chess\n")
    assert script.returncode == 2 and script.stderr.count("\n") == 1 and "Which game?" in script.stderr


CLOCKED = """
import plyground as pg
class Clocked(pg.Player):
    name, control = "clocked", None
    def set_time_control(self, control): self.control = control
    def choose(self, position, seconds):
        if self.control is None or self.control.game != 60: raise pg.Resigned
        return position.legal_moves[0]
"""


def test_players_get_the_time_control(tmp_path: Path, plyground: Terminal) -> None:
    """In the terminal too, where a wrapper shows that they think."""
    file = tmp_path / "clocked.py"
    file.write_text(CLOCKED, encoding="utf-8")
    done = plyground("play", "tictactoe", "--x", f"{file}:Clocked", "--o", "first", "--clock", "60")
    assert "x wins" in done.stdout and "resigns" not in done.stdout, done.stderr


def test_undo_goes_back_to_the_own_last_decision(plyground: Terminal) -> None:
    """However often either side has moved since; with two people at the terminal, to the last one's."""

    def left_after(typed: str, *words: str) -> list[str]:
        plyground("play", "kalah", *words, typed=typed + "quit\n")
        kept: list[str] = json.loads(plyground("play", "--resume", "--json", typed="quit\n").stdout)["moves"]
        return kept

    assert left_after("3\nundo\n", "--o", "first") == []  # pit 3 ends in the store: x moves again
    assert left_after("3\n6\nundo\n", "--o", "first") == ["3"]
    assert left_after("3\n6\nundo\nundo\n", "--o", "first") == []
    assert pg.Position.parse(pg.Kalah(), "1 3 1").plies_since({0}) == 3  # the other one has moved twice
    assert left_after("3\n6\nundo\n", "--o", "human") == ["3"]
    assert left_after("undo\n", "--o", "human") == []


def test_a_forced_pass_is_made_for_a_person(plyground: Terminal) -> None:
    """It is said, and taken back with the move before it."""
    moves = "b1\nc1\nd3\na1\n"
    done = plyground("play", "reversi:4", "--o", "human", typed=f"{moves}quit\n")
    assert "Black to move, must pass: no disc can be set: pass" in done.stdout
    kept = json.loads(plyground("play", "--resume", "--json", typed="undo\nquit\n").stdout)["moves"]
    assert kept == ["b1", "c1", "d3"]
    here = pg.Position.parse("reversi:4", "b1 c1 d3 a1 pass")
    assert here.undo().must_pass and not here.must_pass
    assert here.plies_since({0}) == 3 and here.plies_since({1}) == 2


def test_programs_play_and_either_side_begins(tmp_path: Path, plyground: Terminal) -> None:
    """Two perfect players draw; with --first o, o's move comes first; the saved game is replayed move by move."""
    file = str(tmp_path / "game.jsonl")
    words = ["play", "tictactoe", "--x", "engine:depth=9", "--o", "alphabeta:9", "--first", "o", "--keep", file]
    answer = json.loads(plyground(*words, "--json").stdout)
    assert answer["utility"] == 0 and len(answer["moves"]) == 9
    replayed = json.loads(plyground("replay", file, "--json").stdout)
    assert replayed["moves"] == answer["moves"] and replayed["game"] == "tictactoe:first=o"
    assert pg.read_game(Path(file)).position.start.turn == 1


def test_answers_in_json(plyground: Terminal) -> None:
    """Every verb that answers something does so in JSON, with the published numbers."""

    def ask(*words: str) -> dict[str, object]:
        done = plyground(*words, "--json")
        assert done.returncode == 0, done.stderr
        answer: dict[str, object] = json.loads(done.stdout)
        return answer

    assert ask("perft", "tictactoe", "6")["perft"] == [9, 72, 504, 3024, 15120, 54720]
    searched = ask("search", "tictactoe", "b2 a1", "--algorithm", "minimax", "--depth", "9")
    assert searched["leaves"] == 3_198  # so many games begin with these moves
    few = ask("search", "tictactoe", "--depth", "9", "--textbook")
    assert (few["nodes"], few["move"]) == (18_297, "a1")
    analysis = ask("analyse", "tictactoe", "xx./.o./...:o")
    moves = analysis["moves"]
    assert isinstance(moves, list)
    assert {move["move"]: move["text"] for move in moves} == {"c1": "draw"} | dict.fromkeys(
        ["a2", "c2", "a3", "b3", "c3"], "x wins in 2 plies"
    )
    assert ask("check", "ultimate", "--games", "2")["ok"] is True
    assert set(ask("games")) == {"games", "players"}


BAD = [
    ["play", "go"],
    ["play", "tictactoe", "--o", "nobody"],
    ["play", "tictactoe", "--o", "alphabeta:depth=0"],
    ["play", "tictactoe", "--o", "alphabeta:deep=2"],
    ["play", "tictactoe", "--first", "z"],
    ["play", "tictactoe", "--clock", "-1"],
    ["play", "mnk:20,3,3"],
    ["play", "mnk:3,x"],
    ["play", "tictactoe", "--position", "b2 b2"],
    ["analyse", "tictactoe", "xxxx"],
    ["analyse", "tictactoe", "xxx/ooo/..."],
    ["analyse", "tictactoe", "xxx/ooo/...:o"],
    ["analyse", "tictactoe", "--time", "0"],
    ["analyse", "ultimate", "a1 a1"],
    ["search", "tictactoe", "--depth", "0"],
    ["search", "tictactoe", "--algorithm", "magic"],
    ["perft", "tictactoe", "many"],
    ["perft", "tictactoe"],
    ["solve", "tictactoe", "--threads", "0"],
    ["verify", "--cost", "nothing"],
    ["play", "kalah:9,4"],
    ["play", "kalah:6,400"],
    ["play", "connectfour:7,6,9"],
    ["analyse", "connectfour", "z"],
    ["analyse", "kalah", "4,4/4,4:x"],
    ["check", "nowhere.py:Game"],
    ["replay", "nowhere.jsonl"],
    ["replay", "half.jsonl"],
    ["play", "broken.py:Broken"],
    ["play", "broken.py:Missing"],
    ["play", "wrong.py:Game"],
    ["dance"],
    ["games", "--loud"],
    ["play"],
    ["check", "tictactoe", "--games", "0"],
    ["perft", "tictactoe", "10001"],
    ["analyse", "--", "ultimate", "xo"],
    ["play", "mnk:3,3,3,x,5"],
    ["play", "ultimate:send=maybe"],
    ["play", "tictactoe", "--x", "engine:time=fast"],
    ["play", "tictactoe", "--first", "o", "--position", "b2", "--keep", "/"],
]

EMPTY = "........."
X_LINE, O_LINE = "xxx......", "...ooo..."


def field(*boards: str) -> str:
    """An Ultimate position's text from its boards, each nine cells; boards left out are empty."""
    nine = [*boards, *[EMPTY] * (9 - len(boards))]
    rows = [(band, row) for band in (0, 3, 6) for row in (0, 3, 6)]
    return "/".join("".join(board[row : row + 3] for board in nine[band : band + 3]) for band, row in rows)


# Ultimate positions that cannot arise, and what the sentence says of them.
IMPOSSIBLE = [
    ("ultimate", "....:x", "nine rows"),
    ("ultimate", field("x"[:1] + EMPTY[1:]) + ":x", "take turns"),
    ("ultimate", field() + ":z", "z to move"),
    ("ultimate", field() + ":x:0", "not a board"),
    ("ultimate:send=false", field() + ":x:5", "nobody is sent here"),
    ("ultimate", field() + ":x:5", "before the first move"),
    ("ultimate", field("xxxooo...") + ":x", "both players have a line"),
    ("ultimate", field(X_LINE, O_LINE) + ":x:1", "board 1 is closed"),
    ("ultimate", field(X_LINE, X_LINE, X_LINE, O_LINE, O_LINE, "ooo......") + ":x", "x has won"),
    ("ultimate", field("x........", "o........") + ":x:9", "no mark of o does that"),
    ("ultimate", field("x........", "o........") + ":x", "no mark of o does that"),
    ("ultimate", "[10,1]", "nine rows"),
    ("mnk:3,3,3", "xx./oo./...:x:", "take turns"),
    ("mnk:3,3,3", "xxx/ooo/...:x", "has won"),
]


@pytest.mark.parametrize(("game", "text", "said"), IMPOSSIBLE)
def test_positions_that_cannot_arise(game: str, text: str, said: str) -> None:
    """Refused, with the reason."""
    with pytest.raises(pg.BadInput, match=said):
        pg.Position.parse(pg.game_named(game), text)


@pytest.mark.parametrize("words", BAD, ids=" ".join)
def test_bad_input(tmp_path: Path, words: list[str], monkeypatch: pytest.MonkeyPatch, plyground: Terminal) -> None:
    """One sentence on stderr, exit code 2, no traceback."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("plyground.laws.verdict.SECONDS_AT_FIRST_USE", LIMIT)  # however busy the machine is
    files = {"half.jsonl": HALF, "broken.py": BROKEN, "wrong.py": "def (:"}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = plyground(*words)
    assert done.returncode == 2, done.stdout
    assert done.stderr.startswith("plyground: ") and len(done.stderr.strip().splitlines()) == 1, done.stderr


def test_check_says_what_is_broken(tmp_path: Path, plyground: Terminal) -> None:
    """A class that breaks a law: the law, the state and what would be right, and exit code 2."""
    (tmp_path / "broken.py").write_text(BROKEN, encoding="utf-8")
    done = plyground("check", str(tmp_path / "broken.py") + ":Broken", "--games", "2")
    assert done.returncode == 2 and "to_move gives 2 in state MNKState" in done.stdout and "0 or 1" in done.stdout


@pytest.mark.process
def test_an_interrupted_search_and_a_closed_pipe(tmp_path: Path) -> None:
    """Ctrl-C ends a long search with one sentence and code 130; a reader that leaves causes no traceback."""
    command = [sys.executable, "-u", "-m", "plyground", "perft", "ultimate", "12"]
    with started(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()  # it has begun
        process.send_signal(2)
        _, said = process.communicate()
    assert (process.returncode, said.splitlines()[-1]) == (130, "plyground: stopped.")
    assert "Traceback" not in said
    with started([*command[:-1], "3"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as closed:
        assert closed.stdout is not None and closed.stderr is not None
        closed.stdout.close()
        assert "Traceback" not in closed.stderr.read()


SLOW = """
import plyground as pg
class Slow(pg.MNK):
    def outcome(self, state): return {1: pg.MNK.outcome(self, state)}[1]
"""


@pytest.mark.compiled
def test_whoever_runs_plain_is_told_why_once(tmp_path: Path, plyground: Terminal) -> None:
    """By every verb that searches, in one line on standard error, and in its JSON; nobody else is told anything."""
    (tmp_path / "slow.py").write_text(SLOW, encoding="utf-8")
    game = f"{tmp_path / 'slow.py'}:Slow"
    require_lawful(pg.game_named(game))  # what a slow machine had no time for is said at the first use alone
    for verb in (
        ["solve", game, "xxo/oox/x..:o", "--hurry"],
        ["analyse", game, "--depth", "1"],
        ["search", game, "--algorithm", "pvs", "--depth", "2"],
        ["search", game, "--algorithm", "mcts", "--nodes", "20"],
        ["compare", game, "--depth", "1..2"],
        ["play", game, "--x", "engine:depth=1", "--o", "level:time=0.01"],
    ):
        done = plyground(*verb, "--json")
        why = json.loads(done.stdout)["why_plain"]
        assert "slow.py, line 4" in why
        assert done.stderr.replace("\n", " ").strip() == f"plyground: {why}", verb
    assert plyground("games").stderr == ""
    rules = pg.game_named(game)
    reports = [
        *(
            pg.search(pg.Position.initial(rules), algorithm, 1, nodes=1_000)
            for algorithm in ("pvs", "alphabeta", "mcts")
        ),
        *pg.think(pg.Position.initial(rules), pg.Limit(depth=1)),
    ]
    found = pg.compare(pg.Position.initial(rules), ["alphabeta"], [1])
    assert all(report.why_plain == why for report in reports)
    assert found.why_plain == why and why.split(": ")[0] in found._repr_html_()


@pytest.mark.compiled
def test_whoever_runs_compiled_is_told_nothing(plyground: Terminal) -> None:
    """Not a word about speed, anywhere."""
    prepare(pg.Position.initial(pg.MNK()), "alphabeta")
    done = plyground("search", "tictactoe", "--json")
    assert done.stderr == "" and "why_plain" not in json.loads(done.stdout)
    found = pg.compare(pg.Position.initial(pg.MNK()), ["alphabeta"], [1])
    assert found.why_plain is None and "<p>" not in found._repr_html_()


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_ctrl_c_keeps_what_was_found(plyground: Terminal, monkeypatch: pytest.MonkeyPatch, more: list[str]) -> None:
    """The last analysis, and the rows of a comparison; one line says that it was stopped, and code 130."""

    def think(*args: object, **options: object) -> Iterator[pg.Report]:
        for report in pg.think(*args, **options):  # type: ignore[arg-type]  # whatever it is called with
            yield report
            if report.depth == 2:
                raise KeyboardInterrupt

    def compare(*args: object, on_row: Callable[[object], None], **options: object) -> pg.Comparison:
        rows: list[object] = []

        def third(row: object) -> None:
            on_row(row)
            rows.append(row)
            if len(rows) == 3:
                raise KeyboardInterrupt

        return pg.compare(*args, on_row=third, **options)  # type: ignore[arg-type]  # likewise

    monkeypatch.setattr("plyground.terminal.verbs.thinking.think", think)
    monkeypatch.setattr("plyground.terminal.verbs.looking.run_compare", compare)
    done = plyground("analyse", "connectfour:6,5", *more)  # of which no book knows
    assert done.returncode == 130 and done.stderr.splitlines()[-1] == "plyground: stopped."
    assert json.loads(done.stdout)["depth"] == 2 if more else "depth 2" in done.stdout and "best play" in done.stdout
    done = plyground("compare", "connectfour", "minimax", "alphabeta", "--depth", "1..2", *more)
    assert done.returncode == 130 and done.stderr.splitlines()[-1] == "plyground: stopped."
    if more:
        rows = [(row["algorithm"], row["depth"]) for row in json.loads(done.stdout)["rows"]]
    else:
        rows = [(words[0], int(words[1])) for words in map(str.split, done.stdout.splitlines()[1:-1])]
    assert rows == [("minimax", 1), ("minimax", 2), ("alphabeta", 1)]


def test_a_stopped_solver_says_what_it_leaves(
    tmp_path: Path, plyground: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file and its size, and the same command goes on."""
    words = ["solve", "kalah:3,3", "--table", "1"]
    monkeypatch.setattr("plyground.exact.solver.SMALL_NODES", 1)  # else it is not worth keeping
    whole = pg.Solver.solve

    def stopped(solver: pg.Solver, on_wait: object = None) -> pg.Solution:
        whole(solver)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(pg.Solver, "solve", stopped)
        done = plyground(*words)
    (file,) = tmp_path.rglob("*.bin")
    assert done.returncode == 130 and f"kept in {file} (1 MB)" in done.stderr.replace("\n", " ")
    again = plyground(*words, "--json")
    assert again.returncode == 0 and not file.exists()
    assert json.loads(again.stdout)["nodes"] > 0


@pytest.mark.parametrize("width", [50, 60, 200])
def test_no_table_cuts_a_number(width: int, plyground: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a narrow terminal it comes in parts that fit; in a pipe it is whole, in lines as long as they are."""
    words = ("compare", "tictactoe", "--depth", "4", "--time", f"{LIMIT:g}", "alphabeta", "ordered")
    piped = plyground(*words).stdout
    assert len(piped.splitlines()) == 4
    screen = io.StringIO()
    console = Console(file=screen, width=width, force_terminal=True, color_system=None, soft_wrap=True, highlight=False)
    for module in ("terminal.board", "terminal.verbs.looking"):
        monkeypatch.setattr(f"plyground.{module}.out", console)
    plyground(*words)
    shown = screen.getvalue()
    assert max(map(len, shown.splitlines())) <= width
    timed = {word for word in piped.split() if "." in word}  # it differs from run to run
    assert set(piped.split()) - timed <= set(shown.split())


def test_a_search_shows_only_what_it_counts_and_takes_only_its_options(plyground: Terminal) -> None:
    """A proof search tells no leaf and has no depth; alpha-beta has no seed."""
    said = plyground("search", "tictactoe", "--algorithm", "proof").stdout
    assert "leaves   not counted" in said and "cutoffs  not counted" in said
    for words in (["--algorithm", "proof", "--depth", "2"], ["--seed", "2"]):
        assert "takes no such option" in plyground("search", "tictactoe", *words).stderr


@pytest.mark.parametrize("spec", [*(choice.name for choice in GAMES), "hex:11", "domineering:8,8", "amazons:10,10"])
def test_a_wide_board_is_drawn_closer(spec: str) -> None:
    """In 40 columns a board has the signs that it has elsewhere, in the same order, also where marks touch."""
    position = pg.Position.initial(spec)
    for _ in range(3):
        wide, narrow = (
            ["".join(words for words, _ in line) for line in position.text_board(width=w)] for w in (None, 40)
        )
        assert max(len(line.rstrip()) for line in narrow) <= 40
        signs, same = ("".join(lines).replace(" ", "").replace("-", "") for lines in (wide, narrow))
        assert signs == same.replace("\n", "")
        position = position.play(position.legal_moves[len(position.legal_moves) // 2])
