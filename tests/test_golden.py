"""What people and programs see, kept as files to read: a change of any of it is seen in the diff.

`pytest --update-golden` writes them anew.
"""

import os
import random
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from commanding import ran
from typer.core import TyperCommand
from typer.main import get_command

import plyground as pg
from conftest import GOLDEN
from plyground.compiled.kernel import kernel
from plyground.microscope.columns import brief
from plyground.score import INFINITY
from plyground.search.alphabeta import alphabeta
from plyground.search.minimax import minimax
from plyground.search.observer import SILENT, Recording
from plyground.search.perft import perft
from plyground.terminal.board import board
from plyground.terminal.main import command_line

Golden = Callable[[str, str], None]

OTHER_FORMS = ["tictactoe:first=o", "mnk:5,4,4", "mnk:9,9,5", "ultimate:send=false"]
GAMES = [choice.name for choice in pg.GAMES] + OTHER_FORMS
COMMANDS: dict[str, TyperCommand] = get_command(command_line()).commands  # type: ignore[attr-defined]
FIGURE = "'xx./.o./...:o'"
PRINTED = {
    "analyse": [f"analyse tictactoe {FIGURE} --depth 2", f"analyse tictactoe {FIGURE} --depth 2 --json"],
    "arena": [f"arena tictactoe first alphabeta:depth=2 --plies 1 --name a --jobs 1{form}" for form in ("", " --json")],
    "audit": ["audit tictactoe first --position 'b2 a1 b1'", "audit tictactoe first --position 'b2 a1 b1' --json"],
    "base": [
        "play tictactoe --x first --o first --keep a.jsonl",
        "base tictactoe a.jsonl --to b --json",
        "base tictactoe a.jsonl --to b",
        *(f"base tictactoe --in b{form}" for form in ("", " --json")),
    ],
    "book": [f"book tictactoe --plies 2 --out a{form}" for form in ("", " --json")],
    "check": ["check tictactoe --games 2", "check tictactoe --games 2 --json"],
    "compare": [
        f"compare tictactoe {FIGURE} minimax alphabeta --depth 1..2{form}"
        for form in ("", " --csv", " --json", " --svg")
    ],
    "compile": ["compile nim:2/3 --rule outcome --show form"],
    "games": ["games", "games --json"],
    "grade": [f"grade alphabeta{form}" for form in ("", " --csv", " --json", " --html")],
    "perft": ["perft tictactoe 4", "perft tictactoe 4 --json"],
    "play": ["play tictactoe --x first --o first --keep a", "play tictactoe --x first --o first --keep a --json"],
    "quiz": ["quiz tictactoe --count 2", "quiz tictactoe --count 2 --json", "quiz tictactoe --count 2 --html"],
    "replay": ["play tictactoe --x first --o first --keep a", "replay a", "replay a --json"],
    "review": [f"review tictactoe 'b2 b1 a1 c3' --nodes 3000{form}" for form in ("", " --all", " --json")],
    "search": [f"search tictactoe {FIGURE} --depth 2", f"search tictactoe {FIGURE} --depth 2 --json"],
    "solve": ["solve tictactoe xxo/oox/x..:o", "solve tictactoe xxo/oox/x..:o --hurry --json"],
    "tree": [
        f"tree tictactoe {FIGURE} --depth 1{form}"
        for form in ("", " --spy", " --why ''", " --dot", " --json", " --pytest", " --svg", " --html")
    ],
    "verify": ["verify --only tictactoe", "verify --only tictactoe --json"],
}
"""What is typed for each verb, line by line in one folder; each form that it can answer in is among it."""
MANY = 100
"""With more legal moves than this, a game's file has the first and last of them, and how many they are."""
SHOWN = 12
"""Plies of a game that are shown, before its end."""
TALKING = {"bench": "test_compiler.py", "connector": "test_wire.py", "join": "test_peers.py", "web": "test_docs.py"} | {
    "fleet": "test_fleet.py",
    "learn": "test_docs.py",
    **dict.fromkeys(("gomocup", "gtp", "kgp", "uci", "ugi"), "test_engine_side.py"),
    "gradebook": "test_gradebook.py",
    "label": "test_labels.py",
    "publish": "test_published.py",
    "bot": "test_bot.py",
    "tablebase": "test_tablebase.py",
    "wire-check": "test_wire.py",
}
"""Verbs whose answers are speeds, files, or what others say to them, and the tests of these."""
TYPED = "0\nnone\n1,0\n" * 4
"""What a person answers to a quiz; an answer that cannot be read is asked for again."""


@pytest.mark.parametrize("name", GAMES)
def test_a_game_from_start_to_end(name: str, golden: Golden) -> None:
    """Perft, and a seeded random game: the text, value, legal moves and move of its first positions, and its end."""
    position = pg.Position.initial(pg.game_named(name))
    many = len(position.legal_moves)  # too many to count on at plain speed
    depths = range(1, 2 if many > MANY else 3 if many > MANY // 3 else 4)
    counts = [kernel(perft, position.game)(SILENT, position.state, depth, 0) for depth in depths]
    lines = [name, f"perft {' '.join(map(str, counts))}", board(position).plain]
    chance = random.Random(name)
    while position.outcome is None:
        move = chance.choice(position.legal_moves)
        if len(position.moves) < SHOWN:
            legal = position.legal_moves
            shown = legal if len(legal) <= MANY else (*legal[:10], *legal[-10:])
            words = [position.game.move_text(position.state, each) for each in shown]
            if len(legal) > MANY:
                words.insert(10, f"… {len(legal)} …")
            lines.append(f"{position.text}  evaluate {position.game.evaluate(position.state)}  moves {' '.join(words)}")
            lines.append(f"  {position.game.names[position.to_move]} {position.game.move_text(position.state, move)}")
        position = position.play(move)
    lines += [f"after {len(position.moves)} plies", f"{position.text}  {position.result}", board(position).plain, ""]
    golden(f"{name.replace(':', '-')}.txt", "\n".join(lines))


@pytest.mark.parametrize("search", [minimax, alphabeta])
def test_the_tree_of_a_search(search: Callable[..., object], golden: Golden) -> None:
    """Every node of the search in lesson 4: move, window, value, the move that gave it, and where it was cut."""
    observer = Recording()
    game = pg.MNK()
    state = game.parse_state("xx./.o./...:o")
    search(game, observer, state, 2, *((-INFINITY, INFINITY) if search is alphabeta else ()), 1, 0)
    lines = [
        f"{'  ' * node.level}{move_text(game, node.move)} {node.kind} "
        f"{window((node.alpha, node.beta))} {brief(node.value)} "
        f"best {move_text(game, node.best)} cut {move_text(game, node.cut)}"
        for node in observer.nodes
    ]
    golden(f"tree-{search.__name__}.txt", "\n".join([game.text(state), *lines, ""]))


def move_text(game: pg.MNK, move: int) -> str:
    """The move's cell; - for none."""
    return "-" if move == pg.NO_MOVE else game.move_text(game.initial(), move)


def window(edges: tuple[int, int]) -> str:
    """The window's edges, opinions as they are and endings in words."""
    return "[{}, {}]".format(*map(brief, edges))


def test_the_terminals_help(golden: Golden) -> None:
    """The words of each verb, argument and option; how they are laid out is the library's affair."""
    lines = []
    for name, verb in COMMANDS.items():
        lines += [f"plyground {name}", f"    {verb.help}"]
        for param in verb.params:
            lines += [f"  {', '.join([*param.opts, *param.secondary_opts])}", f"    {getattr(param, 'help', '')}"]
    golden("help.txt", "\n".join([*lines, ""]))


@pytest.mark.process
def test_help_fits_a_terminal() -> None:
    """Of 80 columns, and comes of the command itself."""
    words = [sys.executable, "-m", "plyground", "arena", "--help"]
    environment = os.environ | {"COLUMNS": "80", "TERMINAL_WIDTH": "80", "PYTHONUTF8": "1"}
    done = subprocess.run(words, env=environment, capture_output=True, encoding="utf-8", check=True)
    assert max(map(len, done.stdout.splitlines())) <= 80 and "--scheduler" in done.stdout


def test_every_verb_and_form_has_a_golden_file() -> None:
    """A new verb, or a new form of an answer, is printed below; a file that nothing writes any more is deleted."""
    assert sorted([*PRINTED, *TALKING]) == sorted(COMMANDS)
    for verb, lines in PRINTED.items():
        asked = {word for line in lines for word in shlex.split(line)[1:]}
        assert forms_of(COMMANDS[verb]) <= asked, verb
    for test in TALKING.values():
        assert (GOLDEN.parent / test).is_file()
    written = {f"{name.replace(':', '-')}.txt" for name in GAMES} | {
        "nodes.txt",
        "public-names.txt",
        "tree-minimax.txt",
        "tree-alphabeta.txt",
    }
    written |= {"help.txt"} | {f"says-{verb}.txt" for verb in PRINTED}
    assert {file.name for file in GOLDEN.iterdir()} == written


STARTS = {"grade": pytest.mark.process}
"""Marks of verbs that start processes."""


def forms_of(verb: TyperCommand) -> set[str]:
    """The options of a verb that choose a form of its answer: flags called `as_…`, `spy` and `why`."""
    is_form = re.compile("as_|spy$|why$")
    return {param.opts[0] for param in verb.params if is_form.match(param.name or "")}


@pytest.mark.compiled
@pytest.mark.parametrize("verb", [pytest.param(verb, marks=STARTS.get(verb, ())) for verb in PRINTED])
def test_what_a_verb_prints(verb: str, golden: Golden, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In each form; seconds and fingerprints of rules are masked, and nothing else."""
    monkeypatch.chdir(tmp_path)
    for home in ("XDG_DATA_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(home, str(tmp_path))
    said = []
    for line in PRINTED[verb]:
        done = ran(shlex.split(line), typed=TYPED)
        said.append(f"$ plyground {line}\n{without_seconds(done.stdout)}")
        assert done.exit_code == (1 if verb == "audit" else 0), done.output
    golden(f"says-{verb}.txt", "\n".join(said))


SECONDS = [
    (r'("seconds": )[0-9.e-]+', r"\1…"),
    (r'("rules": )"[0-9a-f]{32}"', r'\1"…"'),
    (r"[0-9.]+ s\b( \([0-9.]+ [a-z ]*nodes a second\))?", "… s"),
    (r"(?m)^((\w+ +)(\S+ +){4,6}\d+\.\d\d +)\d+\.\d{4} ", r"\1… "),
    (r"(?m)^(\w+,(\d+,){4}[^,]*,[^,]*,)[^,]+,", r"\1…,"),
]
"""Where answers say how long they took, in JSON, text, a comparison's table and its CSV, or have a fingerprint of
bytecode, which differs by Python's version; and what stands instead.
"""


def without_seconds(text: str) -> str:
    """A text with its measured figures masked."""
    for found, instead in SECONDS:
        text = re.sub(found, instead, text)
    return text
