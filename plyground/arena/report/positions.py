"""Positions of an arena's games: openings, positions after a move, mistakes, and boards as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from urllib.parse import urlencode

from plyground.arena.results import Judged, Played
from plyground.board.svg import THEMED, draw_board
from plyground.games import AnyGame, game_named
from plyground.markup import Markup, el
from plyground.position import Position

PICTURE_PIXELS = 130.0
"""Pixels of a board."""


@dataclass(frozen=True)
class Mistake:
    """A position in which entrants gave value away: the position and the moves that they made in it."""

    before: Position
    worth: str
    """`won` or `drawn`, for the player to move."""
    exact: bool
    """Whether `worth` is exact."""
    held: tuple[str, ...]
    """The moves that keep the value."""
    made: tuple[tuple[Played, Judged], ...]
    """The games in which value was given away here, with the judged move."""

    @property
    def cost(self) -> int:
        """The largest loss: 2 for a win that became a loss, 1 for a win or draw that became one step less."""
        return max(_cost(judged) for _, judged in self.made)


def _cost(judged: Judged) -> int:
    worth = ("loss", "draw", "win")
    return worth.index(judged.before) - worth.index(judged.after)


class Scenes:
    """Positions and drawings of one game."""

    def __init__(self, spec: str) -> None:
        """Begin with a game's spec.

        Raises:
            BadInput: there is no such game.
        """
        self.spec = spec
        self.game: AnyGame = game_named(spec)
        self._opening = cache(lambda text: Position.parse(self.game, text))
        self._boards: dict[str, str] = {}
        self._drawings: dict[Markup, int] = {}

    @cached_property
    def names(self) -> tuple[str, str]:
        """The names of the two sides."""
        return self.game.names

    def opening(self, played: Played) -> Position:
        """The position in which a game began."""
        return self._opening(played.task.opening)

    def after(self, played: Played, plies: int) -> Position:
        """A game after some of its moves."""
        position = self.opening(played)
        for move in played.moves[:plies]:
            position = position.play(move)
        return position

    def link(self, position: Position) -> str:
        """The fragment of the playground's page that shows a position, as `link.js` there writes it."""
        values = {"game": self.spec, "start": position.start_text, "moves": " ".join(position.words)}
        return "#/board?" + urlencode({name: text for name, text in values.items() if text}, safe=":,/")

    def board(self, position: Position, words: str) -> Markup:
        """A board as SVG, with its last move marked; equal boards are drawn once, so all of them need `drawings`.

        Args:
            position: what it shows.
            words: what it shows, in words.
        """
        inside, height = draw_board(position.board, position.look(), PICTURE_PIXELS, position.last, THEMED)
        # The drawing itself is the key: a report shows the same opening hundreds of times, and each is one `use` of it.
        number = self._drawings.setdefault(inside, len(self._drawings))
        box = {
            "width": f"{PICTURE_PIXELS:g}",
            "height": f"{height:g}",
            "viewBox": f"-1 -1 {PICTURE_PIXELS + 2:g} {height + 2:g}",
        }
        return el("svg", el("use", href=f"#b{number}"), class_="board", role="img", aria_label=words, **box)

    @property
    def drawings(self) -> Markup | None:
        """All boards that `board` has used, each once."""
        parts = [el("g", inside, id=f"b{number}") for inside, number in self._drawings.items()]
        return el("svg", el("defs", parts), width=0, height=0, aria_hidden="true") if parts else None

    def mistakes(self, games: Sequence[Played]) -> list[Mistake]:
        """The positions in which value was given away: certain ones, dear ones and frequent ones first."""
        found: dict[str, list[tuple[Played, Judged]]] = {}
        places: dict[str, Position] = {}
        for played in games:
            for judged in played.judged or ():
                if judged.is_blunder:
                    before = self.after(played, judged.ply - 1)
                    places.setdefault(before.text, before)
                    found.setdefault(before.text, []).append((played, judged))
        mistakes = []
        for text, made in found.items():
            # Games may have been judged by different searches: a certain judgement speaks for all.
            sure = next((judged for _, judged in made if judged.exact), made[0][1])
            worth = "won" if sure.before == "win" else "drawn"
            mistakes.append(Mistake(places[text], worth, sure.exact, sure.held, tuple(made)))
        return sorted(mistakes, key=lambda each: (not each.exact, -each.cost, -len(each.made), each.before.text))
