"""The public names: what they take is written down, and what is not public stays out of sight."""

import importlib
import inspect
import json
import pickle
import pydoc
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import plyground as pg

PYRIGHT = Path(__file__).parent.parent / "page" / "node_modules" / "pyright" / "index.js"


def parameters(thing: object) -> str:
    """Names and kinds of what a function takes, whatever the Python; a default is `=`."""
    try:
        taken = inspect.signature(thing).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return ""
    words, keyword = [], False
    for each in taken:
        if each.kind is each.KEYWORD_ONLY and not keyword:
            keyword = True
            words.append("*")
        star = "*" if each.kind is each.VAR_POSITIONAL else "**" if each.kind is each.VAR_KEYWORD else ""
        words.append(f"{star}{each.name}{'' if each.default is each.empty else '='}")
    return f"({', '.join(words)})"


def lines() -> list[str]:
    """Each public name with its parameters, and the public attributes of ours in each class."""
    found = []
    for name in sorted(pg.__all__):
        thing = getattr(pg, name)
        is_class = isinstance(thing, type)
        found.append(f"{name}{parameters(thing) if callable(thing) else ''}")
        for part in sorted(vars(thing)) if is_class else []:
            if not part.startswith("_"):
                member = inspect.getattr_static(thing, part)
                function = getattr(thing, part) if isinstance(member, classmethod | staticmethod) else member
                found.append(f"    {part}{parameters(function) if inspect.isroutine(member) else ''}")
    return found


def test_what_public_names_take_is_as_it_was(golden: Callable[[str, str], None]) -> None:
    """A change here is one for users: it needs a line in the changelog, and an old name goes on for a minor version."""
    golden("public-names.txt", "\n".join(lines()) + "\n")


def test_a_package_and_the_function_of_its_name_are_both_there() -> None:
    """Modules below are imported as any; the function has its parameters, and is pickled by its name."""
    assert importlib.import_module("plyground.search.mcts").monte_carlo
    assert importlib.import_module("plyground.arena.statistics.rating").ratings
    for name in ("search", "arena"):
        function = getattr(pg, name)
        assert inspect.isfunction(function) and "seed" in inspect.signature(function).parameters
        assert pickle.loads(pickle.dumps(function)) is function
    import plyground.search.mcts as below

    assert below is sys.modules["plyground.search.mcts"]


@pytest.mark.parametrize("name", pg.__all__)
def test_help_is_a_names_own(name: str) -> None:
    """What `help` shows of a public function or class is its docstring, its parameters and where it stands."""
    thing = getattr(pg, name)
    if not (inspect.isfunction(thing) or isinstance(thing, type)):
        assert not callable(thing) and not inspect.ismodule(thing)
        return
    home = getattr(importlib.import_module(pg._homes()[name]), name)
    page = pydoc.plain(pydoc.render_doc(thing))
    assert thing is home and thing.__doc__ and (inspect.getdoc(thing) or "").partition("\n")[0] in page
    assert thing.__doc__ != getattr(sys.modules.get(f"plyground.{name}"), "__doc__", "")
    if inspect.isfunction(thing):
        signature = page.partition(" -> ")[0]  # on one line, or from Python 3.13 on, a line for each parameter
        assert page.splitlines()[2].startswith(f"{name}(") and thing.__name__ == name
        assert all(parameter in signature for parameter in inspect.signature(thing).parameters)


@pytest.mark.parametrize(
    "name", ["arena", "check", "compare", "match", "search", "simulate", "solve", "squares", "think"]
)
def test_help_shows_an_example(name: str) -> None:
    """Of what is called first; doctest runs them."""
    assert ">>> " in (inspect.getdoc(getattr(pg, name)) or "")


def test_fifty_public_names_have_an_example() -> None:
    """In their docstrings, where the reference of `scripts/site` shows it; doctest runs them."""
    shown = [name for name in pg.__all__ if ">>> " in (inspect.getdoc(getattr(pg, name)) or "")]
    assert len(shown) >= 50, "the names that are used most begin with an example"


def test_what_a_notebook_shows_of_results_is_short() -> None:
    """A line, and no address."""
    start = pg.Position.initial("tictactoe")
    analyses = pg.analyse_many([start, start], pg.Limit(depth=1))
    assert repr(analyses) == f"<Analyses: 2 positions of {start.game!r}>"
    assert repr(pg.solve(start.play("b2").play("a1"))) == "<Solution of o../.x./...:x: draw>"


def test_what_one_sees_fits_a_screen() -> None:
    """Public names alone, and lists by their names."""
    assert set(dir(pg)) == {*pg.__all__, "__all__", "__doc__", "__version__"}
    assert pg.__version__.count(".") == 2
    assert max(len(repr(each)) for each in (pg.GAMES, pg.PLAYERS, pg.ALGORITHMS)) < 500


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("tic-tac-toe", "tictactoe"), ("checkers", "draughts"), ("Othello", "reversi"), ("conectfour", "connectfour")],
)
def test_a_near_miss_is_told_what_was_meant(wrong: str, right: str) -> None:
    """Also by the name that others have for it."""
    with pytest.raises(pg.BadInput, match=f"did you mean {right}"):
        pg.game_named(wrong)


def test_the_public_names_have_complete_types() -> None:
    """Every function says what it takes and returns."""
    for name in pg.__all__:
        thing = getattr(pg, name)
        if inspect.isfunction(thing):
            assert "return" in thing.__annotations__, name


@pytest.mark.process
@pytest.mark.nightly
def test_another_type_checker_knows_all_of_them(tmp_path: Path) -> None:
    """Pyright, which editors use, can infer no type of a name or attribute in two ways, nor fail to know one.

    It takes no type from a library without types, so it does not know a class that must be one of PettingZoo's.
    """
    node = shutil.which("node")
    if not node or not PYRIGHT.exists():
        pytest.skip("Node is not installed, or `npm ci` has not been run in page")
    command = [node, str(PYRIGHT), "--pythonpath", sys.executable, "--ignoreexternal", "--outputjson"]
    done = subprocess.run(
        [*command, "--verifytypes", "plyground"], cwd=tmp_path, stdout=subprocess.PIPE, encoding="utf-8", check=False
    )
    symbols = json.loads(done.stdout)["typeCompleteness"]["symbols"]
    public = {f"{home}.{name}" for name, home in pg._homes().items()}
    found = [each for each in symbols if each["isExported"]]
    assert public <= {each["name"] for each in found} and len(found) > 8000
    unknown = {each["name"] for each in found if each["isTypeAmbiguous"] or not each["isTypeKnown"]}
    assert unknown == {f"plyground.interop.pettingzoo.{name}" for name in ("Environment", "environment")}
