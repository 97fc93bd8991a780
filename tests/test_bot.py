"""A bot for a contest is one file without dependencies, and plays the moves of the engine."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import plyground as pg
from plyground.publish.bot import bot

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "engine-programs.md"
NODES = 300


@pytest.mark.process
@pytest.mark.parametrize(("game", "opening"), [("ultimate", "e5 d5"), ("connectfour", "d d"), ("connectfour:9,7", "e")])
def test_the_bot_plays_the_moves_of_the_engine(game: str, opening: str, tmp_path: Path) -> None:
    """At equal nodes, for either side, by Python alone: without its site-packages, where plyground is."""
    rules, file = pg.game_named(game), tmp_path / "bot.py"
    file.write_text(bot(rules, game, "0", NODES, 0.0), encoding="utf-8")
    assert file.stat().st_size < 60_000
    made, engine = (
        pg.player_named(f"codingame:{sys.executable} -I -S {file}"),
        pg.player_named(f"engine:nodes={NODES},eval=own"),
    )
    other, here = pg.player_named("random:seed=1"), pg.Position.parse(rules, opening)
    here, side, moves = pg.Position.initial(rules), len(here.moves) % 2, [*here.moves]
    while here.outcome is None and len(here.moves) < 16:
        if here.to_move == side:
            move = made.choose(here, None)
            assert move == engine.choose(here, None), here.history
        else:
            move = moves[len(here.moves)] if len(here.moves) < len(moves) else other.choose(here, None)
        here = here.after(move)
    made.close()
    assert len(here.moves) > 6


@pytest.mark.process
def test_the_commands_of_the_document_write_bots(tmp_path: Path) -> None:
    """They play a whole game here, within the contest's time."""
    section = DOCUMENT.read_text(encoding="utf-8").partition("## A bot for a contest")[2]
    lines = re.findall(r"^\$ plyground (.*)$", section, re.MULTILINE)[:3]
    for line in lines:
        words, _, file = line.partition(" > ")
        command = f"{sys.executable} -m plyground {words}".replace("python3", sys.executable)
        done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
        assert done.returncode == 0, done.stderr
        if file:
            (tmp_path / file).write_text(done.stdout, encoding="utf-8")
    assert re.search(r"x wins|o wins|draw", done.stdout), done.stdout


def test_other_games_have_no_contest() -> None:
    """And a bot has a limit."""
    with pytest.raises(pg.BadInput, match="contests of ultimate and connectfour"):
        bot(pg.game_named("nim"), "Nim", "0", 100, 0.0)
    with pytest.raises(pg.BadInput, match="one of them limits a move"):
        bot(pg.game_named("ultimate"), "Ultimate", "0", 0, 0.0)
