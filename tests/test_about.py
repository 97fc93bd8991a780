"""What people are told of a game: each shipped one has a name, rules, a picture, and words for its options."""

import re
from pathlib import Path

import pytest

import plyground as pg
from plyground.games import GAMES, AnyGame, describe_game
from plyground.games.about import ShippedGame, about
from plyground.play.level import LEVELS
from plyground.players import player_named
from plyground.spec import Choice, options


@pytest.mark.parametrize("choice", GAMES.shipped, ids=lambda choice: choice.name)
def test_of_each_game(choice: Choice[AnyGame]) -> None:
    """Its rules are short, its picture can be played and is one, and each option has words of its own."""
    described = about(choice)
    spec = f"{choice.name}:{described.offer}" if described.offer else choice.name
    told = describe_game(spec)
    assert told.title and told.rules.endswith(".") and len(told.rules) <= 150
    assert told.details.endswith(".") and len(told.rules) < len(told.details) <= 900
    assert not re.search(r"[{}]", told.title + told.rules + told.details)
    assert pg.Position.parse(pg.game_named(spec), described.example).moves
    for option in options(choice.maker):
        assert option.words != option.name.replace("_", " ").capitalize() or option.words in ("Rows", "Columns")


def test_every_name_is_a_games() -> None:
    """Each shipped game describes itself; no two games have one name."""
    choices = [choice for choice in GAMES.shipped if isinstance(choice, ShippedGame) and choice.about]
    assert len({about(choice).title for choice in choices}) == len(choices) == len(GAMES.shipped)


def test_levels_by_name() -> None:
    """A level's name is its spec, from the weakest to the strongest; what is no name and no number is said."""
    for name, known in LEVELS.items():
        level = player_named(f"level:{name}")
        assert level.name == f"level:{name}" and level == player_named(f"level:error={known.error}")
    assert [known.error for known in LEVELS.values()] == sorted((each.error for each in LEVELS.values()), reverse=True)
    with pytest.raises(pg.BadInput, match=r"'esy' is no level: write learning, easy"):
        player_named("level:esy")


def test_of_ones_own(tmp_path: Path) -> None:
    """Of a game of somebody's own, its class and docstring are told, and its options by their names."""
    file = tmp_path / "own.py"
    file.write_text("import plyground as pg\nclass Mine(pg.Nim):\n    'Take {stones}.\\n\\nMore.'\n", encoding="utf-8")
    assert (describe_game(f"{file}:Mine").title, describe_game(f"{file}:Mine").rules) == ("Mine", "Take {stones}.")


def test_a_game_of_ones_own(tmp_path: Path) -> None:
    """Its class says what it is; where that has no words, its file does, and never the fields of a data class."""
    used = "from dataclasses import dataclass\n\nimport plyground as pg\n"
    head = f'"""Stones are taken."""\n\n{used}\n\n@dataclass(frozen=True)\n'
    for name, words in (("silent", ""), ("told", '    """The last stone wins."""\n')):
        file = tmp_path / f"{name}.py"
        file.write_text(f"{head}class Mine(pg.MNK):\n{words}    pile: int = 5\n", encoding="utf-8")
        told = describe_game(f"{file}:Mine")
        assert (told.title, told.rules) == ("Mine", "The last stone wins." if words else "Stones are taken.")
