"""Exact values of many positions of one game, as work for a cluster: what is learned of one helps the next."""

import socket
from collections.abc import Callable
from functools import partial
from typing import Any

from plyground.arena.batches import Elsewhere
from plyground.compiled.fingerprint import fingerprint
from plyground.compiled.kernel import kernel
from plyground.engine.book import book_of
from plyground.engine.clock import Clock, Limit
from plyground.engine.solver import SMALL, Solver
from plyground.errors import BadInput
from plyground.games import AnyGame, game_named
from plyground.position import Position
from plyground.rules import MAX
from plyground.score import Score
from plyground.search.exact import decide, reach
from plyground.search.mind import STACK, Mind, new_mind
from plyground.search.pvs import FOREVER, pvs
from plyground.search.table import SOLVING, entries_in, new_table
from plyground.search.watch import Counting, Stopped


class Exactly:
    """Work that finds what positions are worth: given one in text, its score and the nodes that it took.

    A position of a game where states can come again is its whole history; those are solved one by one.
    """

    def __init__(self, game: str, *, hurry: bool = False, table: int = SOLVING, book: bool = True) -> None:
        """Prepare; nothing is searched yet.

        Args:
            game: the game's spec.
            hurry: also in how many plies a win comes.
            table: mebibytes for the table, in each process.
            book: ask an opening book first, if there is one.

        Raises:
            BadInput: there is no such game, or no room for a table.
        """
        if table < 1:
            raise BadInput(f"table={table}: at least one mebibyte.")
        self.spec, self.hurry, self.table, self.asks_book = game, hurry, table, book
        self.mark = fingerprint(game_named(game))
        self._game: AnyGame | None = None
        self._mind: Mind | None = None

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_game": None, "_mind": None}

    @property
    def game(self) -> AnyGame:
        """The rules, as this process has them.

        Raises:
            Elsewhere: it has others, or none.
        """
        if self._game is None:
            try:
                game = game_named(self.spec)
            except BadInput as fault:
                raise Elsewhere(f"On {socket.gethostname()}: {str(fault).rstrip('.')}") from None
            if fingerprint(game) != self.mark:
                raise Elsewhere(f"On {socket.gethostname()} {self.spec} has other rules than here")
            self._game = game
        return self._game

    def __call__(self, text: str) -> tuple[Score, int]:
        return self.score(Position.parse(self.game, text))

    def score(self, position: Position) -> tuple[Score, int]:
        """What a position is worth, and the nodes that it took."""
        game = position.game
        if position.outcome is not None:
            return Score.over(position.outcome), 0
        if game.repetition:
            solver = Solver(position, hurry=self.hurry, every_move=False, table=self.table)
            return solver.solve().score, solver.nodes
        if self.asks_book and (book := book_of(game)) and (known := book.score(position.state)):
            return known, 0
        low, high = reach(game, position.state, int(self.hurry))
        search = kernel(pvs, game)
        if not (search.is_ready or search.why_plain):
            small = Clock(Limit(nodes=SMALL))
            mind = new_mind(new_table(position.state, min(4 * SMALL, entries_in(position.state, self.table))))
            try:
                return self._decided(small, partial(pvs, game), mind, position, low, high), small.nodes
            except (Stopped, RecursionError):
                pass
        if self._mind is None:
            self._mind = new_mind(new_table(position.state, entries_in(position.state, self.table)))
        search.prepare(Counting.fresh(), self._mind, position.state, FOREVER, 0, 1, int(self.hurry), 0, STACK)
        clock = Clock(Limit())
        return self._decided(clock, search, self._mind, position, low, high), clock.nodes

    def _decided(
        self, clock: Clock, search: Callable[..., int], mind: Mind, position: Position, low: int, high: int
    ) -> Score:
        work = partial(decide, search, clock.watch, mind, position.state, int(self.hurry), low, high)
        value = int(clock.run(work)) * (1 if position.to_move == MAX else -1)
        return Score.of(value, hurry=self.hurry) if value else Score(0)
