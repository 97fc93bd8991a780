"""Small pictures of the games: one SVG file with a drawing of each, in the colours of the page.

The page refers to a drawing by its game's name (`pictures.svg#kalah`): one request loads all of them, and each use is
one node.
"""

from functools import cache

from starlette.requests import Request
from starlette.responses import Response

from plyground.board.svg import THEMED, draw_board
from plyground.games import GAMES, AnyGame, game_named
from plyground.games.about import about
from plyground.markup import SVG, Markup, el
from plyground.position import Position
from plyground.spec import Choice
from plyground.web.server.compression import Compressed

PICTURE_SIDE = 100.0
"""Width of each board; one that is not square is centred in its drawing."""


@cache
def pictures(*, hidden: bool = False) -> Markup:
    """The file: each offered game, at the end of its example; `hidden` as a part of a page."""
    return el("svg", map(_initial_board_symbol, GAMES.shipped), xmlns=SVG, hidden=hidden)


def pictured_position(choice: Choice[AnyGame]) -> tuple[str, Position]:
    """Spec of an offered game, and the position shown of it."""
    told = about(choice)
    spec = f"{choice.name}:{told.offer}" if told.offer else choice.name
    game = game_named(spec)
    return spec, Position.parse(game, told.example) if told.example else Position.initial(game)


def _initial_board_symbol(choice: Choice[AnyGame]) -> Markup:
    _, here = pictured_position(choice)
    inside, height = draw_board(here.board, here.look(), PICTURE_SIDE, inks=THEMED)
    side = max(PICTURE_SIDE, height) + 2  # for the lines at the edge
    box = f"{(PICTURE_SIDE - side) / 2:.2f} {(height - side) / 2:.2f} {side:.2f} {side:.2f}"
    return el("symbol", inside, id=choice.name, viewBox=box)


async def serve_file(request: Request) -> Response:
    """Send the file to a browser."""
    return _compress().answer(request.scope)


@cache
def _compress() -> Compressed:
    return Compressed.of(pictures().encode(), "image/svg+xml")
