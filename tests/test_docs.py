"""What the documents say to type is typed, and works."""

import io
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from commanding import ran
from processes import started
from tries import SEED
from typer import Abort
from waiting import LIMIT, until

import plyground as pg
from plyground.errors import BadInput
from plyground.exact.tables.reading import FOLDERS_VARIABLE
from plyground.grading.program import ANSWERED
from plyground.terminal.arguments import INTERRUPTED, explaining_plain_speed
from plyground.web.lessons import loader
from plyground.web.lessons.examples import Command, Lines
from plyground.web.lessons.lesson_models import ElementView
from plyground.web.lessons.repl import print_example, run_example_lines

ROOT = Path(__file__).resolve().parent.parent
CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)


def commands(file: str) -> list[str]:
    """The plyground commands of a document."""
    blocks = CONSOLE.findall((ROOT / file).read_text(encoding="utf-8"))
    lines = [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")]
    return [part.strip() for line in lines for part in line.split("&&") if part.strip().startswith("plyground ")]


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run one as a newcomer would, leaving a game at once; what it prints goes to the file behind `>`, if one is."""
    command, _, file = command.partition(" > ")
    done = python(["-m", "plyground", *shlex.split(command)[1:]], folder)
    if file:
        (folder / file).write_text(done.stdout, encoding="utf-8")
    return done


def python(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder that is also a newcomer's home."""
    kept = {"XDG_DATA_HOME": str(folder), "HOME": str(folder), "LOCALAPPDATA": str(folder)}
    words, environment = [sys.executable, *words], os.environ | kept
    return subprocess.run(
        words, input="quit\n", cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
    )


@dataclass
class Done:
    """How a command ended in this process, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


def done(words: list[str]) -> Done:
    """Run a command in this process, leaving a game at once; its exit code is the one that `main` gives."""
    with explaining_plain_speed():
        result = ran(words, typed="quit\n", standalone=False)
    ends = {BadInput: 2, Abort: INTERRUPTED}
    codes = [code for kind, code in ends.items() if isinstance(result.exception, kind)]
    code = codes[0] if codes else result.return_value or result.exit_code
    return Done(code, result.stdout, f"{result.stderr}{result.exception or ''}")


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Done]:
    """`typed("plyground …")` in the folder of the test, which is also a newcomer's home; `> file` writes a file."""
    monkeypatch.chdir(tmp_path)
    for name in ("XDG_DATA_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv(FOLDERS_VARIABLE, "")  # a command may name tables, for its process alone

    def run_here(command: str) -> Done:
        command, _, file = command.partition(" > ")
        more = [] if os.environ.get(SEED) else LONG.get(command, [])
        result = done([*shlex.split(command)[1:], *more])
        if file:
            (tmp_path / file).write_text(result.stdout, encoding="utf-8")
        return result

    return run_here


@pytest.mark.process
def test_the_readmes_commands_work(tmp_path: Path) -> None:
    """Every command of the README ends well, in its order; the game before --resume, left by quit, goes on."""
    done = {command: run(command, tmp_path) for command in commands("README.md")}
    for command, result in done.items():
        assert result.returncode == 0, (command, result.stderr)
    names = list(done)
    resumed = names.index("plyground play --resume")
    left = done[names[resumed - 1]].stdout
    assert len(names) >= 5 and left and done[names[resumed]].stdout == left


@pytest.mark.process
def test_without_a_command_the_page_is_served(tmp_path: Path) -> None:
    """The README's first command: the page is there, and Ctrl-C ends it without a word of complaint."""
    kept = {"XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path), "BROWSER": "true"}
    with started([sys.executable, "-m", "plyground"], env=os.environ | kept, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        address = server.stdout.readline().split()[4]

        def page() -> str:
            try:
                return httpx.get(address, timeout=LIMIT).text
            except httpx.TransportError:
                return ""

        assert "<title>plyground</title>" in until(page)
        server.send_signal(signal.SIGINT)
        assert server.wait(LIMIT) == 130


@pytest.mark.process
def test_the_tutorials_game_is_whole(tmp_path: Path, typed: Callable[[str], Done]) -> None:
    """The first block of add-a-game.md has at most 40 lines of code; both keep every law, and each command works."""
    game, drawn = PYTHON.findall((ROOT / "docs" / "add-a-game.md").read_text(encoding="utf-8"))
    assert len([line for line in game.splitlines() if line.strip()]) <= 40
    (tmp_path / "takeaway.py").write_text("\n\n".join([game, drawn]), encoding="utf-8")
    results = {command: typed(command) for command in commands("docs/add-a-game.md")}
    for command, result in results.items():
        assert result.returncode == 0, (command, result.stderr)
    checked, analysed, searched, _counted, _played, drawn_checked, drawn_analysed = results.values()
    assert "every law holds" in checked.stdout and "every law holds" in drawn_checked.stdout
    # 21 stones, one to three at a time: x wins by leaving a multiple of four.
    assert "x wins" in analysed.stdout and re.search(r"move +1\b", searched.stdout)
    assert "best play: 17 " in drawn_analysed.stdout  # of 18 stones, o takes 17 and 18


@pytest.mark.compiled
@pytest.mark.process
def test_the_tablebases_of_the_document_are_made(tmp_path: Path, typed: Callable[[str], Done]) -> None:
    """The commands of tablebases.md work, and its Python tells what they made."""
    results = [typed(command) for command in commands("docs/tablebases.md")]
    assert {result.returncode for result in results} == {0} and "wins" in results[0].stdout
    assert "best play" in results[2].stdout
    blocks = PYTHON.findall((ROOT / "docs" / "tablebases.md").read_text(encoding="utf-8"))
    (tmp_path / "told.py").write_text("\n\n".join(blocks), encoding="utf-8")
    told = python(["told.py"], tmp_path)
    assert told.returncode == 0 and "utility" in told.stdout, told.stderr


@pytest.mark.process
def test_the_rules_in_prolog_of_the_document_are_games(tmp_path: Path, typed: Callable[[str], Done]) -> None:
    """Its commands play, search, draw, solve and compare them."""
    if not shutil.which("swipl"):
        pytest.skip("swipl is not installed")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    named = [command for command in commands("docs/guests.md") if "breakthrough.kif" not in command]
    results = [typed(command) for command in named if "prolog:" in command]
    assert [result.returncode for result in results] == [0] * 5, results
    played, searched, drawn, solved, compared = (result.stdout for result in results)
    assert ". . ." in played and "nodes    933" in searched and "a1" in drawn and "1-2: x wins" in solved
    assert "positions agree, moves matched by text" in compared
    gdl = [typed(command) for command in named if "gdl:" in command]
    assert all(result.returncode == 0 for result in gdl) and "positions agree" in gdl[-1].stdout
    assert all("run as plain Python" in " ".join(result.stderr.split()) for result in (results[1], results[3]))


@pytest.mark.process
def test_what_the_document_learns_plays(tmp_path: Path, typed: Callable[[str], Done]) -> None:
    """The commands of learning.md work one after the other, and its Python reads the weights they made."""
    results = [typed(command) for command in commands("docs/learning.md")]
    assert [result.returncode for result in results] == [0, 0, 0], results
    assert "games, " in results[0].stdout and all('"fault": null' in played.stdout for played in results[1:])
    blocks = PYTHON.findall((ROOT / "docs" / "learning.md").read_text(encoding="utf-8"))
    (tmp_path / "told.py").write_text("\n\n".join(blocks), encoding="utf-8")
    told = python(["told.py"], tmp_path)
    assert told.returncode == 0 and told.stdout.strip(), told.stderr


@pytest.mark.process
def test_the_games_of_the_reference_are_whole(tmp_path: Path, typed: Callable[[str], Done]) -> None:
    """The classes of game-reference.md below the tutorial's game keep every law, and each command works."""
    game, _drawn = PYTHON.findall((ROOT / "docs" / "add-a-game.md").read_text(encoding="utf-8"))
    cycling, weighed, ring, told = PYTHON.findall((ROOT / "docs" / "game-reference.md").read_text(encoding="utf-8"))
    (tmp_path / "takeaway.py").write_text("\n\n".join([game, cycling, weighed, told]), encoding="utf-8")
    (tmp_path / "ring.py").write_text(ring, encoding="utf-8")
    results = {command: typed(command) for command in commands("docs/game-reference.md")}
    for command, result in results.items():
        assert result.returncode == 0, (command, result.stderr)
    solved, evaluated, ring_checked, ring_analysed, _played, named, captioned, best = results.values()
    assert "value    draw" in solved.stdout and "5: 1 won for x, 2 for o, 2 drawn" in solved.stdout
    assert "-2 (estimate)" in evaluated.stdout  # one of the weights in its name
    assert "every law holds" in ring_checked.stdout and "5-4" in ring_analysed.stdout
    assert "every law holds" in named.stdout and "18 stones left" in captioned.stdout
    assert "best play: take2 " in best.stdout  # of 18 stones, which leaves a multiple of four


@pytest.mark.process
def test_the_search_in_the_document_is_whole(tmp_path: Path, typed: Callable[[str], Done]) -> None:
    """The search of add-an-algorithm.md is found, counted, drawn and played by each command and the lines shown."""
    search, lines = PYTHON.findall((ROOT / "docs" / "add-an-algorithm.md").read_text(encoding="utf-8"))
    (tmp_path / "mysearch.py").write_text(search, encoding="utf-8")
    found, compared, why, audited = [typed(command) for command in commands("docs/add-an-algorithm.md")]
    assert all(done.returncode == 0 for done in (found, compared, why)) and audited.returncode == 1, audited
    assert (
        "nodes a second" in found.stdout
        and "o should take the smallest value" in why.stdout
        and "loses" in audited.stdout
    )
    rows = [row.split() for row in compared.stdout.splitlines() if re.match(r"\S+ +\d ", row)]
    nodes = {name: [row[2] for row in rows if row[0] == name] for name in {row[0] for row in rows}}
    assert nodes["minimax"] == nodes["mysearch.py:careless"] and len(nodes["minimax"]) == 4
    done = python(["-c", lines], tmp_path)
    assert done.returncode == 0 and done.stdout.startswith("37 "), done.stderr


@pytest.mark.compiled
@pytest.mark.process
def test_the_rule_of_the_document_is_compiled(tmp_path: Path, typed: Callable[[str], Done]) -> None:
    """Each command of compiling.md prints what stands below it."""
    text = (ROOT / "docs" / "compiling.md").read_text(encoding="utf-8")
    (rule,) = PYTHON.findall(text)
    (tmp_path / "pile.py").write_text(rule, encoding="utf-8")
    shown = [block.partition("\n") for block in CONSOLE.findall(text)]
    assert len(shown) == 3
    for command, _, printed in shown:
        assert typed(command.removeprefix("$ ")).stdout.rstrip() == printed.rstrip(), command
    for stage in ("ast", "llvm", "optimised", "wasm"):
        assert typed(f"plyground compile pile.py:Pile --rule evaluate --show {stage}").returncode == 0
    assert "walk" in typed("plyground compile pile.py:Pile --rule moves").stderr


@pytest.mark.process
@pytest.mark.parametrize("document", ["wire", "engine-programs"])
def test_the_commands_of_players_elsewhere_work(document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command of the document, from the project's folder; Debian's games are on the path."""
    monkeypatch.setenv("PATH", os.pathsep.join([os.environ["PATH"], "/usr/games"]))
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for command in commands(f"docs/{document}.md"):
        done = run(command, tmp_path)
        assert done.returncode == 0, (command, done.stdout, done.stderr)


def test_two_set_up_commands() -> None:
    """The README has one command that installs and plays, and one that installs and tests, and CI runs the latter;
    its first Python is seen without scrolling.
    """
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme[: readme.index("```python")].count("\n") < 25
    blocks = CONSOLE.findall(readme)
    assert blocks[0].startswith("$ python -m pip install .") and blocks[1] == "$ python scripts/check\n"
    assert "python scripts/check" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_the_table_of_rooms_is_the_import_contract() -> None:
    """docs/architecture.md has a layer an item and a room a paragraph; lint-imports holds the imports to the same."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    items = text.partition("\n## Layers")[2].partition("\n## ")[0].split("\n- ")[1:]
    told = [sorted(re.findall(r"^ *\*\*`(\w+)`\*\* ", item, flags=re.MULTILINE)) for item in items]
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = (
        each for each in settings["tool"]["importlinter"]["contracts"] if each.get("containers") == ["plyground"]
    )
    assert told == [sorted(layer.split(" : ")) for layer in contract["layers"]]


def list_missing_places(text: str) -> list[str]:
    """Files that a document names and that are not there, from the package's folder or the project's; and what is said
    to be in one, as in "`name` in `file`", and is not.
    """
    places = {place for place in re.findall(r"`((?:\w+/)+[\w.-]*|\w+\.(?:py|js))`", text) if "src/made" not in place}
    roots = {
        place: next((root for root in (ROOT, ROOT / "plyground") if (root / place).exists()), None) for place in places
    }
    said = [
        (name, place)
        for names, place in re.findall(r"((?:`\w+`(?:, | and )?)+) in `((?:\w+/)*\w+\.\w+)`", text)
        for name in re.findall(r"\w+", names.replace(" and ", " "))
    ]
    files = {
        place: (root / place).read_text(encoding="utf-8") for place, root in roots.items() if root and "." in place
    }
    absent = [
        f"{name} in {place}" for name, place in said if place in files and not re.search(rf"\b{name}\b", files[place])
    ]
    return [*(place for place, root in roots.items() if root is None), *absent]


def test_where_to_change_what_is_there() -> None:
    """Each place that docs/architecture.md sends a reader to is a file, which has the names that it is said to have."""
    table = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").partition("## Where to change what")[2]
    assert table.count("`") > 200 and list_missing_places(table) == []


def test_decisions_are_listed_and_short() -> None:
    """Numbered without a gap, each in the index with its title, a page with context and decision of at most 32 lines;
    each file that one names, from the package's or the project's folder, is there.
    """
    folder = ROOT / "docs" / "decisions"
    files = sorted(folder.glob("[0-9]*.md"))
    texts = {file.name: file.read_text(encoding="utf-8") for file in files}
    titles = [text.partition("\n")[0].removeprefix("# ") for text in texts.values()]
    index = (folder / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"^- \[(.*)\]\((.*)\)$", index, flags=re.MULTILINE) == list(zip(titles, texts, strict=True))
    assert [int(title.partition(".")[0]) for title in titles] == [int(name[:2]) for name in texts]
    assert [int(name[:2]) for name in texts] == list(range(1, len(files) + 1))
    for name, text in texts.items():
        assert "\n**Context.** " in text and "\n**Decision.** " in text and text.count("\n") <= 32, name
        own = [
            place for place in list_missing_places(text) if "/" in place or " in " in place
        ]  # a bare file is one of a folder
        assert own == [], name


@pytest.mark.parametrize("family", ["games", "search"])
def test_nothing_is_missing_from_the_lists(family: str) -> None:
    """Every module of a family is used by something: no file stands outside the lists, but what several share."""
    files = {file.stem for file in (ROOT / "plyground" / family).glob("*.py")} - {"__init__"}
    games = {type(choice.maker()).__module__.rpartition(".")[2] for choice in pg.GAMES}
    searches = {choice.maker().search.__module__.rpartition(".")[2] for choice in pg.ALGORITHMS}
    shared = {
        "repetition",
        "algorithm",
        "exact",
        "limits",
        "memory",
        "context",
        "perft",
        "evaluations",
        "history",
        "own_simulations",
        "retrograde",
        "simulation",
        "tiers",
        "table",
        "observer",
    }
    ours = games | {"in_a_row", "on_squares", "openspiel", "prolog", "chess_rules", "dark_squares", "about"}
    assert files == (ours if family == "games" else searches | shared)


CODES = {
    "plyground quiz tictactoe": 130,
    "plyground audit tictactoe greedy.py:greedy:depth=3": 1,
    "plyground check walk.py:Endless": 2,
    "plyground grade selective.py:reducing": 1,
    **{f"plyground audit tictactoe alphabeta:depth={depth}": 1 for depth in (2, 4, 5)},
}
"""The exit codes that are not 0: of a quiz that is left, of audits that find a lost game, of laws that are broken."""


LONG = {
    'plyground audit tictactoe "program:python player.py {side} {first}" --jobs 2': ["--position", "b2 a1"],
    "plyground learn tictactoe --games 2000 --test 0": ["--games", "400"],
}
"""Commands that take long, and the words that make them shorter but for every night."""
PLAIN = ("README", "1-rules", "4-expert", "7-your-game", "9-your-player")
"""Lessons whose searches are small, so that compiling them would take longer."""


def as_shown(lines: tuple[str, ...]) -> str:
    """A pattern of what is printed where a lesson shows these lines: all of it, but for what `…` says is left out, in a
    line or, alone in its line, lines. Where nothing is shown, nothing is said."""
    if not lines:
        return "(?s:.*)"
    return "".join(
        r"(?:.*\n)*"
        if line == "…"
        else re.escape(line).replace("…\\ ", "…").replace("\\ …", "…").replace("…", ".*") + r" *\n"
        for line in lines
    )


def test_the_glossary() -> None:
    """Each entry is one paragraph, in alphabetical order; every link to one, from a lesson or here, has its target."""
    entries = re.split(r"^## ", (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    words, paragraphs = zip(*(entry.split("\n", 1) for entry in entries), strict=True)
    assert len(words) >= 40 and list(words) == sorted(words, key=str.casefold)
    assert all(text.strip() and "\n\n" not in text.strip() for text in paragraphs)
    anchors = {word.lower().replace(" ", "-") for word in words}
    pages = {file.name: file.read_text(encoding="utf-8") for file in (ROOT / "docs" / "lessons").glob("*.md")}
    linked = {name: re.findall(r"\]\(\.\./glossary\.md#([^)]*)\)", text) for name, text in pages.items()}
    assert sum(map(len, linked.values())) >= 20
    for targets in [*linked.values(), re.findall(r"\]\(#([^)]*)\)", "".join(paragraphs))]:
        assert set(targets) <= anchors


def documents() -> list[Path]:
    """What people read: the documents and the files around them."""
    return [*(ROOT / "docs").rglob("*.md"), *(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG"))]


@pytest.mark.parametrize("document", documents(), ids=lambda file: file.name)
def test_lines_fit_100_columns(document: Path) -> None:
    """Prose does; code, tables and the addresses of links are not counted."""
    text = re.sub(r"^```.*?^```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    prose = [line for line in text.splitlines() if not line.startswith(("|", "    "))]
    assert [line for line in prose if len(re.sub(r"\]\(.*?\)", "]()", line)) > 100] == []


@pytest.mark.parametrize("document", [*documents(), *(ROOT / "bench").glob("*.md")], ids=lambda file: file.name)
def test_rows_of_tables_are_whole(document: Path) -> None:
    """Each has as many cells as the head of its table."""
    cells = 0
    for line in document.read_text(encoding="utf-8").splitlines():
        found = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else 0
        assert not cells or found in (0, cells), line
        cells = found


def test_what_a_lesson_leaves_out_it_says() -> None:
    """Lines and ends of lines that are printed and not shown are marked; nothing else may be between."""
    printed = "value    draw\nnodes    9\ntime     0.1 s\n"
    assert re.fullmatch(as_shown(("value    draw", "…", "time …")), printed)
    assert re.fullmatch(as_shown(("… draw", "nodes    9", "…")), printed)
    for shown in (("value    draw", "time …"), ("value    draw",), ("nodes    9", "…"), ("value", "…")):
        assert not re.fullmatch(as_shown(shown), printed)


def test_the_list_of_lessons_counts_on() -> None:
    """Each part of the list begins with the number after the last, in the page as in the document."""
    lists = [part for part in loader.lesson("README").body if isinstance(part, ElementView) and part.tag == "ol"]
    numbers = [int(each.attributes.get("start", "1")) + place for each in lists for place in range(len(each.children))]
    named = [name for name in loader.pages() if name != "README"]
    assert len(lists) > 1 and numbers == [int(name.split("-")[0]) for name in named] == [*range(1, len(named) + 1)]


def test_lines_run_after_those_before_them() -> None:
    """An example of Python that is run alone has the names of those before it, and prints no more than its own."""
    needs = loader.lesson("16-bits").examples[1]
    with redirect_stdout(io.StringIO()) as out:
        print_example("16-bits", 2)
    assert isinstance(needs, Lines) and "dropped(" in needs.text and out.getvalue() == "True\n"


def run_example(example: Command | Lines, space: dict[str, Any], *more: str) -> tuple[int, str]:
    """Exit code and output of an example of a lesson, run in this process; `space` has the names of lines before it."""
    if isinstance(example, Lines):
        with redirect_stdout(io.StringIO()) as out:
            run_example_lines(example, space)
        return 0, out.getvalue()
    result = done([*example.words, *more])
    return result.returncode, result.stdout


@pytest.mark.process
@pytest.mark.parametrize("is_whole", [False, pytest.param(True, marks=pytest.mark.nightly)])
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.compiled] * (name not in PLAIN)) for name in loader.pages()]
)
def test_a_lesson(name: str, is_whole: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its files are saved, its examples run in order, and each prints what the lesson shows; `…` says where more."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    lesson, space = loader.lesson(name), dict[str, Any](__name__="__main__")
    for file, program in lesson.files.items():
        (tmp_path / file).write_text(program, encoding="utf-8")
    for example in lesson.examples:
        code, output = run_example(example, space, *([] if is_whole else LONG.get(example.text, [])))
        assert code == CODES.get(example.text, 0), (example, output)
        assert re.fullmatch(as_shown(example.shown_lines), output), (example, output)


@pytest.mark.compiled
@pytest.mark.process
@pytest.mark.parametrize("name", loader.pages()[1:])
def test_the_answers_of_a_lesson(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three exercises with hints, each graded by an answer or a command; the commands of the answers print what they
    show. The lines of Python among them are run as those of every document are.
    """
    lesson, text = loader.lesson(name), (loader.FOLDER / f"{name}.md").read_text("utf-8")
    assert re.search(r"^\*About \d+ minutes\. You need: .+\*$", text, flags=re.MULTILINE | re.DOTALL)
    parts = re.split(r"^## ", text, flags=re.MULTILINE)
    asked = [part for part in parts if part.startswith("Exercise ")]
    assert len(asked) == 3 and all("> **Hint.**" in part for part in asked)
    assert sorted(lesson.exercises) == [1, 2, 3]
    assert all(bool(each.accepted) != bool(each.command) for each in lesson.exercises.values())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    answers = (loader.FOLDER / "answers" / f"{name}.md").read_text("utf-8")
    for file, program in (lesson.files | dict(loader.SAVED_FILE.findall(answers))).items():
        (tmp_path / file).write_text(program, encoding="utf-8")
    assert_printed(answers)


@pytest.mark.parametrize("name", loader.pages()[1:])
def test_a_lesson_has_a_picture_that_moves(name: str) -> None:
    """Its parts have the steps at which they come about; it has words for who does not see it."""
    pictures = re.findall(r"^!\[(.+?)\]\((.+?)\)$", (loader.FOLDER / f"{name}.md").read_text("utf-8"), re.MULTILINE)
    steps = [re.findall(r'data-step="(\d+)"', (loader.FOLDER / file).read_text("utf-8")) for words, file in pictures]
    assert any(len({*each}) > 3 for each in steps)


@pytest.mark.compiled
@pytest.mark.process
@pytest.mark.parametrize("game", ["sixmorris", pytest.param("morris", marks=pytest.mark.nightly)])
def test_the_endgames_of_lesson_13(game: str, tmp_path: Path) -> None:
    """Figures in the answer to its third exercise are those that the command prints."""
    name = "13-repetition.md"
    text, answer = ((loader.FOLDER / folder / name).read_text("utf-8") for folder in ("", "answers"))
    (command,) = re.findall(rf"^    (plyground solve {game}\W.*)", text, re.MULTILINE)
    done = run(command, tmp_path)
    said = re.findall(r"^    (states .*)", answer, re.MULTILINE)
    if game == "morris":
        found = re.search(r"White wins in (\d+) plies; the\s+longest win takes (\d+)\.", answer)
        assert found
        said = [f"value    White wins in {found[1]} plies", f"the longest win takes {found[2]} plies"]
    assert done.returncode == 0 and said and all(line in done.stdout for line in said), done


def assert_printed(document: str) -> None:
    """Run each command of a document in this process, and compare what it prints with what is shown."""
    for block in CONSOLE.findall(document):
        for typed in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *shown = typed.splitlines()
            done = ran(shlex.split(command)[1:])
            assert re.fullmatch(as_shown(tuple(shown)), done.stdout), (command, done.output)


@pytest.mark.process
def test_the_grade_in_the_teachers_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is that of the search of lesson 8; what can be asked of answers has as many points as it says."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PLYGROUND_PLAIN", "1")
    for file, program in loader.lesson("8-your-search").files.items():
        (tmp_path / file).write_text(program, encoding="utf-8")
    document = (ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")
    assert_printed(document)
    (points,) = re.findall(r"Of answers alone (\d+) points", document)
    assert int(points) == sum(criterion.points for criterion in ANSWERED)


def test_documents_of_lessons_are_in_the_package() -> None:
    """Each document to which a lesson leads is read in the page, and is in the wheel."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = settings["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert included == {f"docs/{name}.md": f"plyground/lessons/documents/{name}.md" for name in loader.DOCUMENTS}
    for name in loader.DOCUMENTS:
        assert not loader.lesson(name).examples and len(loader.lesson(name).body) > 3
    for name in loader.pages():
        text = (loader.FOLDER / f"{name}.md").read_text("utf-8")
        beside = {Path(link).stem for link in re.findall(r"\]\(\.\./(\w[\w-]*\.md)", text)}
        assert beside <= {*loader.DOCUMENTS}, name
