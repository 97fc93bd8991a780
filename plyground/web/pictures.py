"""The games as small pictures: one SVG file with a drawing of each, by the game's name, in the colours of the page.

The page refers to a drawing (`pictures.svg#kalah`): one request brings all of them, and none costs more than its node.
"""

from functools import cache

from starlette.requests import Request
from starlette.responses import Response

from plyground.board.svg import THEMED, drawn
from plyground.games import GAMES, AnyGame, game_named
from plyground.games.about import about
from plyground.position import Position
from plyground.spec import Choice
from plyground.web.compressed import Compressed

SIDE = 100.0
"""The width of each board; one that is not square stands in the middle of its drawing."""


@cache
def pictures() -> str:
    """The file: each game that is offered, as its example leaves it."""
    drawings = "".join(_drawing(choice) for choice in GAMES.shipped)
    return f'<svg xmlns="http://www.w3.org/2000/svg">{drawings}</svg>'


def pictured(choice: Choice[AnyGame]) -> tuple[str, Position]:
    """A game as it is offered, and the position of it that is shown."""
    told = about(choice.name, choice.maker)
    spec = f"{choice.name}:{told.offer}" if told.offer else choice.name
    game = game_named(spec)
    return spec, Position.parse(game, told.example) if told.example else Position.initial(game)


def _drawing(choice: Choice[AnyGame]) -> str:
    _, here = pictured(choice)
    inside, height = drawn(here.board, here.look(), here.game.names, SIDE, inks=THEMED)
    side = max(SIDE, height) + 2  # for the lines at the edge
    box = f"{(SIDE - side) / 2:.2f} {(height - side) / 2:.2f} {side:.2f} {side:.2f}"
    return f'<symbol id="{choice.name}" viewBox="{box}">{inside}</symbol>'


async def served(request: Request) -> Response:
    """The file, to a browser."""
    return _compressed().answer(request.scope)


@cache
def _compressed() -> Compressed:
    return Compressed.of(pictures().encode(), "image/svg+xml")
