"""The table of games that tests play: its kinds are true, and no game is missing."""

from types import FunctionType

import pytest
from games import TABLE, games

import plyground as pg


@pytest.mark.parametrize("game", TABLE)
def test_the_kinds_of_a_game_are_true(game: str) -> None:
    """Cyclic, margins and wide are what the rules say; small and late games are checked by the tests that need them."""
    start = pg.Position.initial(pg.game_named(game))
    kinds = TABLE[game].split()
    assert set(kinds) <= {"small", "cyclic", "margins", "wide", "late", "compiled", "published"}
    assert ("cyclic" in kinds) == (start.game.repetition > 0)
    assert ("margins" in kinds) == (max(start.game.bounds(start.state)) > 1)
    assert ("wide" in kinds) == (len(start.legal_moves) > 60)


def test_every_game_is_compiled_in_some_form() -> None:
    """A new game needs a row in the table."""
    assert {choice.name for choice in pg.GAMES} <= {game.partition(":")[0] for game in games("compiled")}


@pytest.mark.parametrize("name", [choice.name for choice in pg.GAMES])
def test_what_searches_ask_calls_no_super(name: str) -> None:
    """The compiler knows no `super()`: of a game's questions only what draws it and explains it may call that."""
    game = pg.game_named(name)
    asked = {word: getattr(type(game), word) for word in dir(type(game)) if not word.startswith("__")}
    functions = {word: each for word, each in asked.items() if isinstance(each, FunctionType)}
    calling = {word for word, each in functions.items() if "super" in each.__code__.co_names}
    assert calling <= {"board", "parse_state", "refusal"}
