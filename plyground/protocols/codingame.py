"""CodinGame's contests: a bot reads its turn from standard input and prints its move.

Ultimate Tic-Tac-Toe: the other side's last row and column (-1 -1 if there is none), how many moves are legal, and each
of them as row and column, from the top left, from 0. Connect 4: the numbers of both sides once; then each turn its
number, the rows of the board, how many columns are open, each of them, and the other side's last column. The contest
has 9 columns, 7 rows, and a move STEAL for who is second, which is never legal here.
"""

from collections.abc import Iterator
from typing import Any, ClassVar

from plyground.games.connectfour import ConnectFour
from plyground.games.ultimate import Ultimate
from plyground.play.player import Unable
from plyground.position import Position
from plyground.protocols.dialogue import Budget, Dialect, Dialogue, Talk, has_own_start, hear, refuse_start
from plyground.rules import Game

ULTIMATE_SIDE = 9
"""Rows and columns of Ultimate."""


def cell(game: Game[Any], state: Any, move: int) -> str:
    """A cell of Ultimate: its row and its column."""
    row, column = divmod(next(iter(game.path(state, move))), ULTIMATE_SIDE)
    return f"{row} {column}"


def column(game: Game[Any], state: Any, move: int) -> str:
    """A column of Connect Four, from 0."""
    assert isinstance(game, ConnectFour)
    return str(next(iter(game.path(state, move))) % game.width)


class Codingame(Dialogue):
    """Dialogue with a bot of a contest."""

    protocol = "codingame"
    summary = "a bot for CodinGame's Ultimate Tic-Tac-Toe or Connect 4: codingame:python3 bot.py"
    farewell = ""
    no_options = "a contest gives a bot no options; give them in the command."
    remembers = True
    dialects: ClassVar[tuple[Dialect, ...]] = (Dialect(Ultimate, word=cell), Dialect(ConnectFour, word=column))

    def greet(self, position: Position) -> Talk[None]:
        if has_own_start(position):
            raise refuse_start(self.protocol, position)
        if isinstance(position.game, ConnectFour):
            # The bot's own number and the other's are sent once, before the first turn.
            yield f"{position.to_move} {1 - position.to_move}"

    def move(self, position: Position, budget: Budget) -> Talk[int]:
        # The contest's referee measures time alone, and gives a bot no word for anything else.
        if budget.nodes is not None or budget.depth is not None:
            raise Unable("A contest has limits in time alone: write time=.")
        for line in (_connect_four_turn if isinstance(position.game, ConnectFour) else _ultimate_turn)(self, position):
            yield line
        # A Connect 4 bot may print words for the viewer behind its move; Ultimate's move is two
        # numbers. Blanks are made one, so both compare with the legal words.
        line = yield from hear()
        return self.read(position, " ".join(line.split()))

    def is_answer(self, line: str) -> bool:
        return bool(line.strip())


def _legal(dialogue: Dialogue, position: Position) -> list[str]:
    return [dialogue.word(position.game, position.state, move) for move in position.legal_moves]


def _ultimate_turn(dialogue: Dialogue, position: Position) -> Iterator[str]:
    """The lines of a turn."""
    legal = _legal(dialogue, position)
    yield dialogue.words(position)[-1] if position.moves else "-1 -1"
    yield str(len(legal))
    yield from legal


def _connect_four_turn(dialogue: Dialogue, position: Position) -> Iterator[str]:
    """The lines of a turn."""
    legal = _legal(dialogue, position)
    yield str(len(position.moves))
    # Rows are sent from the top, `.` for an open cell and each side's number for its stones, as the
    # contest's statement has them.
    yield from position.text.partition(":")[0].replace("x", "0").replace("o", "1").split("/")
    yield str(len(legal))
    yield from legal
    yield dialogue.words(position)[-1] if position.moves else "-1"
