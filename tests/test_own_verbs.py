"""What `check` passes, every verb runs: own games, written as beginners write them, and the shipped ones.

A verb may refuse a game in one sentence, if `check` has said so before. The table that the tests print shows which.
"""

import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from commanding import ran

import plyground as pg
from plyground.games import GAMES
from plyground.learning.rounds import Learner
from plyground.terminal.verbs import learning

FOLDER = Path(__file__).parent / "own_games"
OWN = ("piles.py:Piles", "piles.py:Listed", "piles.py:Copied", "piles.py:Dicts", "piles.py:Empty", "piles.py:Numbered",
       "rows.py:Row", "chase.py:Chase", "chase.py:Back", "hall.py:Hall")  # fmt: skip
SMALL = {*OWN, "tictactoe", "nim"}
"""Games that are solved in a moment."""
NOTE = "note: "
REFUSES = {
    "learn": "plyground learn refuses it",
    "tablebase": "plyground tablebase refuses it",
    "publish": "no page of it can be published",
}
"""How `check` says that a verb refuses a game; the other verbs refuse none."""


def _words(game: str, folder: Path) -> dict[str, list[str]]:
    """The command of each verb but `publish`."""
    here, chance = pg.Position.initial(pg.game_named(game)), random.Random(1)
    for _ in range(2):
        here = here.play(chance.choice(here.legal_moves)) if here.outcome is None else here
    (folder / "positions.txt").write_text(" ".join(here.words) + "\n", encoding="utf-8")
    found = {
        "check": [game, "--games", "2"],
        "play": [game, "--x", "random:seed=1", "--o", "alphabeta:depth=1", "--keep", f"{folder / 'kept.jsonl'}"],
        "analyse": [game, "--depth", "1"],
        "review": [game, " ".join(here.words), "--nodes", "20"],
        "search": [game, "--depth", "2"],
        "tree": [game, "--depth", "1"],
        "learn": [game, "--games", "1", "--test", "0", "--out", f"{folder / 'weights'}"],
        "arena": [game, "random", "first", "--games", "2", "--jobs", "1"],
        "compare": [game, "--depth", "1"],
    }
    if game.rpartition("/")[2] in SMALL:
        found["solve"] = [game]
        found["tablebase"] = [game, "--out", f"{folder / 'table'}"]
        found["label"] = [
            f"{folder / 'positions.txt'}",
            "--game",
            game,
            "--out",
            f"{folder / 'labels.csv'}",
            "--jobs",
            "1",
        ]
    return found


def _run_verb(verb: str, words: list[str]) -> tuple[int, str]:
    result = ran([verb, *words], standalone=False)
    fault = result.exception
    assert fault is None or isinstance(fault, pg.BadInput), (verb, words, repr(fault))
    return (2, str(fault)) if fault else (int(result.return_value or 0), result.output)


def _row(game: str, folder: Path, more: Callable[[str], list[str]] = lambda verb: []) -> dict[str, str]:
    """What became of each verb for a game: `works`, or `refuses`.

    Every refusal is one that `check` has told, and every one that `check` tells comes true.
    """
    commands = _words(game, folder)
    code, checked = _run_verb("check", commands.pop("check"))
    assert code == 0 and "every law holds" in checked, checked
    found = {"check": "works"}
    for verb, words in commands.items():
        code, said = _run_verb(verb, [*words, *more(verb)])
        found[verb] = "refuses" if code else "works"
        is_told = verb in REFUSES and f"{NOTE}{REFUSES[verb]}" in checked
        assert bool(code) == is_told, (game, verb, said, checked)
        if code:
            assert "\n" not in said.strip() and " ".join(said.split()) in " ".join(checked.split()), (said, checked)
    return found


def _table(rows: dict[str, dict[str, str]]) -> str:
    verbs = [*dict.fromkeys(verb for row in rows.values() for verb in row)]
    width = max(map(len, rows))
    lines = [f"{'':{width}} {' '.join(verbs)}"]
    for game, row in rows.items():
        cells = ({"works": "✓", "refuses": "–"}.get(row.get(verb, ""), "").center(len(verb)) for verb in verbs)
        lines.append(f"{game:{width}} {' '.join(cells)}")
    return "\n".join(lines)


@pytest.fixture(autouse=True)
def _few_games(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Learning begins with rounds of a few plies."""
    monkeypatch.setattr(learning, "Learner", partial(Learner, first_plies=20))
    yield


def test_every_verb_runs_own_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As plain Python, which asks the same of files, specs and sentences as compiled code does."""
    monkeypatch.setenv("PLYGROUND_PLAIN", "1")
    rows = {}
    for number, game in enumerate(OWN):
        (folder := tmp_path / str(number)).mkdir()
        rows[game] = _row(f"{FOLDER / game}", folder)
    print(_table(rows))
    refused = {(game, verb) for game, row in rows.items() for verb, what in row.items() if what == "refuses"}
    assert refused == {("chase.py:Chase", "learn"), ("chase.py:Back", "learn"), ("chase.py:Back", "tablebase")}


@pytest.mark.process
@pytest.mark.cluster
@pytest.mark.parametrize("game", ["rows.py:Row", "hall.py:Hall"])
def test_own_games_in_two_processes(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker has the classes of the file, and of a file beside it that it imports."""
    monkeypatch.setenv("PLYGROUND_PLAIN", "1")
    with_jobs = ("arena", "label", "learn", "tablebase")
    row = _row(f"{FOLDER / game}", tmp_path, lambda verb: ["--jobs", "2"] if verb in with_jobs else [])
    assert {row[verb] for verb in with_jobs} == {"works"}


COMPILED = [
    *("piles.py:Piles", "piles.py:Listed", "piles.py:Copied", "piles.py:Dicts", "piles.py:Empty", "piles.py:Numbered"),
    *("piles.py:Sifted", "rows.py:Row", "chase.py:Chase", "chase.py:Back", "hall.py:Hall"),
]


REFUSED = {"piles.py:Sifted": "piles.py, line 134: takes a tuple whose length is not known for a tuple of known length"}


@pytest.mark.compiled
@pytest.mark.parametrize("game", COMPILED)
def test_what_users_write_is_compiled(game: str) -> None:
    """`check` says that all rules are compiled, or a note and the search name the line and the reason."""
    code, said = _run_verb("check", [f"{FOLDER / game}", "--games", "5"])
    said, refused = " ".join(said.split()), REFUSED.get(game)
    searched = pg.search(pg.Position.initial(pg.game_named(f"{FOLDER / game}")), "alphabeta", 3)
    if refused:
        assert code == 0 and refused in said and refused in (searched.why_plain or "")
    else:
        assert code == 0 and said.endswith("states, plain and compiled)"), said
        assert searched.why_plain is None


@pytest.mark.compiled
@pytest.mark.process
@pytest.mark.parametrize("game", ["piles.py:Listed", "piles.py:Dicts", "rows.py:Row"])
def test_a_page_of_own_games(game: str, tmp_path: Path) -> None:
    """It is published, or refused in a sentence that `check` has told in its own words."""
    _, checked = _run_verb("check", [f"{FOLDER / game}", "--games", "2"])
    code, said = _run_verb("publish", [f"{FOLDER / game}", "--out", f"{tmp_path / 'page.html'}"])
    assert bool(code) == (REFUSES["publish"] in checked), said
    assert not code or ("cannot be published" in said and f"{game.partition(':')[0]}, line" in said)


@pytest.mark.compiled
def test_a_file_may_be_named_again(tmp_path: Path) -> None:
    """Its classes are the same, so what is compiled for one search serves the next; saved again with another comment,
    they are others, with the same compiled rules."""
    file = tmp_path / "piles.py"
    for comment in ("", "# again\n"):
        file.write_text((FOLDER / "piles.py").read_text(encoding="utf-8") + comment, encoding="utf-8")
        for algorithm in ("alphabeta", "minimax", "pvs"):
            here = pg.Position.parse(f"{file}:Piles", "")
            assert pg.search(here, algorithm, 4).why_plain is None


def test_a_search_named_by_its_file_is_made_once(tmp_path: Path) -> None:
    """And anew when the file, or one that it imports, has been saved."""
    (tmp_path / "mine.py").write_text(
        "from worth import WORTH\ndef mine(game, observer, state, depth):\n    return WORTH, -1\n", encoding="utf-8"
    )
    (tmp_path / "worth.py").write_text("WORTH = 1\n", encoding="utf-8")
    spec = f"{tmp_path / 'mine.py'}:mine"
    assert pg.algorithm_named(spec) is pg.algorithm_named(spec)
    before = pg.algorithm_named(spec)
    (tmp_path / "worth.py").write_text("WORTH = 2\n", encoding="utf-8")
    after = pg.algorithm_named(spec)
    assert [each.search(None, None, None, 0)[0] for each in (before, after)] == [1, 2]


def test_two_players_of_a_file_share_nothing(tmp_path: Path) -> None:
    """What one of them remembers in a global is not the other's."""
    (tmp_path / "mine.py").write_text(
        "SEEN = []\ndef first(position):\n    SEEN.append(1)\n    return position.legal_moves[len(SEEN) - 1]\n",
        encoding="utf-8",
    )
    one, other = (pg.player_named(f"{tmp_path / 'mine.py'}:first") for _ in range(2))
    here = pg.Position.initial(pg.game_named("tictactoe"))
    assert [player.choose(here, None) for player in (one, other, one)] == [0, 0, 1]


@pytest.mark.parametrize(("text", "sentence"), [
    ("from lib.pile import Pile", "those right beside mine.py are found, not those in a folder there"),
    ("from . import pile", "write import name for name.py beside mine.py"),
    ("from types import PileState", "types is a module of Python's own: give types.py another name"),
    ("import pile", "pile.py cannot be loaded: line 1: NameError"),
    ("import piel", "install it, or look how it is written (a file of your own stands beside mine.py)"),
])  # fmt: skip
def test_an_import_that_fails(text: str, sentence: str, tmp_path: Path) -> None:
    """The sentence says which files are found, and names the one that is wrong."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "types.py").write_text("PileState = 1\n", encoding="utf-8")
    (tmp_path / "pile.py").write_text("wrong\n", encoding="utf-8")
    (tmp_path / "mine.py").write_text(f"{text}\n", encoding="utf-8")
    with pytest.raises(pg.BadInput) as caught:
        pg.game_named(f"{tmp_path / 'mine.py'}:Mine")
    assert sentence in str(caught.value)


@pytest.mark.nightly
@pytest.mark.parametrize("game", [choice.name for choice in GAMES.shipped])
def test_every_verb_runs_shipped_games(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As plain Python."""
    monkeypatch.setenv("PLYGROUND_PLAIN", "1")
    _row(game, tmp_path)


@pytest.mark.nightly
@pytest.mark.process
@pytest.mark.cluster
@pytest.mark.timeout(600)
@pytest.mark.parametrize("game", OWN)
def test_every_verb_runs_own_games_compiled(game: str, tmp_path: Path) -> None:
    """With two processes where a verb takes them."""
    _row(
        f"{FOLDER / game}", tmp_path, lambda verb: ["--jobs", "2"] * (verb in ("arena", "label", "learn", "tablebase"))
    )
