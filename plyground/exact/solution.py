"""Results of searches of a position as people write them, and exact solutions."""

from dataclasses import dataclass, field

from plyground.board.svg import svg
from plyground.exact.sweep import Census
from plyground.markup import Markup, el, fragment
from plyground.position import Position, moves_text, notation_of
from plyground.rules import NO_MOVE
from plyground.score import Score


class PositionResult:
    """Report of a search: the best move, best play and scores, as people write them."""

    position: Position
    score: Score
    moves: tuple[tuple[int, Score], ...]
    variation: tuple[int, ...]
    nodes: int
    seconds: float

    @property
    def move(self) -> int:
        """The best move; of equal ones the one that the search preferred; `NO_MOVE` when the game is over."""
        return self.variation[0] if self.variation else NO_MOVE

    @property
    def move_text(self) -> str:
        """The best move in text; empty when the game is over."""
        return self.line[0] if self.variation else ""

    @property
    def line(self) -> list[str]:
        """The principal variation in text: `Position.play` takes its moves one after the other."""
        return moves_text(self.position, self.variation)

    @property
    def notation(self) -> list[str]:
        """The principal variation as players of the game write it."""
        return notation_of(self.position, self.variation)

    @property
    def by_move(self) -> dict[str, Score]:
        """Scores of the moves in text, best first for the player to move: of every move where that was asked for."""
        # A stable sort, so that equal moves stay in generation order.
        ranked = sorted(self.moves, key=lambda pair: pair[1].order(self.position.to_move), reverse=True)
        game, state = self.position.game, self.position.state
        return {game.move_text(state, move): score for move, score in ranked}

    def to_dict(self) -> dict[str, object]:
        """One row of a table: numbers, texts and None; values from the first player's side.

        >>> import plyground as pg
        >>> solution = pg.solve(pg.Position.parse("tictactoe", "xx./oo./...:x"), prefer_shorter=True)
        >>> row = solution.to_dict()
        >>> row["move"], row["score"], row["utility"], row["plies"]
        ('c1', 'x wins in 1 ply', 1, 1)
        """
        here, score = self.position, self.score
        return {
            "position": here.text,
            "move": self.move_text,
            "score": score.text(here.game.names),
            "utility": score.utility,
            "plies": score.plies,
            "points": score.points,
            "share": score.share,
            "chance": score.chance.share if score.chance else None,
            "exact": score.exact,
            "line": " ".join(self.line),
            "nodes": self.nodes,
            "seconds": self.seconds,
        }

    def __str__(self) -> str:
        # In the notation of players, as people read this; `line` has the texts that `Position.play` reads.
        words = [self.score.text(self.position.game.names), " ".join(self.notation)]
        return f"{': '.join(filter(None, words))} ({self._effort})"

    @property
    def _effort(self) -> str:
        return f"{self.nodes:,} nodes, {self.seconds:.3g} s"

    def _repr_html_(self) -> Markup:
        """HTML for notebooks: the board with the best move marked, best play, and the moves with their scores."""
        here, mover = self.position, self.position.to_move
        marked = tuple(here.game.path(here.state, self.move)) if self.variation else ()
        rows = [
            el("tr", el("td", here.game.notation_text(here.state, here.legal(move))), el("td", score.brief(mover)))
            for move, score in self.by_move.items()
        ]
        head = el("tr", el("th", "move"), el("th", here.game.names[mover]))
        picture = svg(here.board, here.look(), last=marked)
        row = "display:flex;gap:1em;align-items:flex-start;flex-wrap:wrap"
        parts = el("div", picture, el("table", head, rows) if rows else None, style=row)
        return fragment(parts, el("p", str(self)))


@dataclass(frozen=True)
class Solution(PositionResult):
    """Value of a position with perfect play, from the first player's side.

    >>> import plyground as pg
    >>> solution = pg.solve(pg.Position.parse("tictactoe", "b2 b1"), prefer_shorter=True)
    >>> solution.score.text(), len(solution.variation)
    ('x wins in 5 plies', 5)
    """

    position: Position = field(repr=False)
    """Position that was solved."""
    score: Score
    """Exact score. Without `prefer_shorter` it has the winner and margin but no distance, unless a book has it."""
    moves: tuple[tuple[int, Score], ...]
    """Moves with their exact scores, in generation order: every move where asked for, else only the best one."""
    variation: tuple[int, ...]
    """Best play by both sides; it may break off where following it would take as long as finding it."""
    nodes: int
    seconds: float
    census: Census | None = None
    """In a game where states can repeat, the values of all states reachable from here."""
    reduced: bool = False
    """Whether these were too many, and so are listed without what they count, and once where they are the same under
    symmetry: then values are those of games that begin here, and that no counter ends."""
    source: str = ""
    """Name of the source that answered, such as `the opening book of 4 plies`; empty where the position was solved."""

    def __repr__(self) -> str:
        return f"<Solution of {self.position.text}: {self.score.text(self.position.game.names)}>"
