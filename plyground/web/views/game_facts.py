"""Facts of a game for its page: those of its module, the board, and the first position."""

from typing import Any

from plyground.engine.chances import curve_of
from plyground.games import AnyGame, describe_game
from plyground.learning.learned_rules import is_shipped
from plyground.position import Position
from plyground.rules import LONGEST
from plyground.spec import is_own, name_in_user_file
from plyground.wasm import GameModule
from plyground.wasm.entries import reads_fen_numbers
from plyground.web.views.menu_models import GameChoice
from plyground.web.views.models import Named
from plyground.web.views.positions import board, scale, view


def game_facts(spec: str, game: AnyGame, built: GameModule) -> dict[str, Any]:
    """The facts of a game's module as JSON takes them (`Facts` in `static/worker/game.js`), without the constants that
    all games have in common.

    Args:
        spec: the game's spec.
        game: the game.
        built: its module.
    """
    more = {
        "spec": spec,
        "fen": game.record == "pgn" and reads_fen_numbers(game),
        "pdn": game.record == "pdn" and reads_fen_numbers(game),
        "sgf": game.record == "sgf",
        "board": board(Named(game=spec)).model_dump(mode="json"),
        "scales": _scales(game),
        "unit": game.unit,
        "curve": curve_of(game),
    }
    if more["fen"] or more["pdn"]:
        more["quiet"] = getattr(game, "quiet", 0)
    # Where the engine plays by shipped weights, the server answers
    # (docs/decisions/35-who-replies.md).
    if is_shipped(game):
        more["elsewhere"] = ["engine"]
    return built.facts | more


def first_page(spec: str, game: AnyGame) -> dict[str, Any]:
    """Data with which the page of one game begins: the game as one of a menu, and its first position.

    A file of one's own is named without its path, which stays private.
    """
    name, told = name_in_user_file(spec) if is_own(spec) else spec, describe_game(spec)
    choice = GameChoice(
        name=name,
        summary="",
        title=told.title,
        group=told.group,
        rules=told.rules,
        details=told.details,
        offer=name,
        example="",
        options=[],
    )
    position = view(name, Position.initial(game))
    return {"game": name, "choice": choice.model_dump(mode="json"), "position": position.model_dump(mode="json")}


def _scales(game: AnyGame) -> list[str]:
    """Phrases on the scale of an estimate, by the player to move."""
    here, found = Position.initial(game), dict[int, str]()
    # The game is played on until each side has been to move: the words may depend on it.
    while here.outcome is None and len(found) < 2 and len(here.moves) < LONGEST:
        found.setdefault(here.to_move, scale(here))
        here = here.play(here.legal_moves[0])
    return [found.get(player, next(iter(found.values()))) for player in (0, 1)]
