"""Exact values of many positions of one game, as work for a cluster; they share a solver's table."""

import socket
from collections.abc import Callable
from functools import partial
from typing import Any

from plyground.compiled.clock import Clock, Limit
from plyground.compiled.fingerprint import fingerprint
from plyground.compiled.kernel import kernel
from plyground.errors import BadInput, clause_of
from plyground.exact.book import book_of
from plyground.exact.solver import SMALL_NODES, Solver
from plyground.games import AnyGame, game_named
from plyground.mapper import UnableHere
from plyground.position import Position
from plyground.rules import MAX
from plyground.score import Score
from plyground.search.context import STACK, SearchContext, new_context
from plyground.search.exact import decide, value_bounds
from plyground.search.observer import Counting, Stopped
from plyground.search.pvs import FOREVER, pvs
from plyground.search.table import SOLVING, entries_in, new_table


class ExactValues:
    """Work of a cluster that solves positions: from a position's text to its score and the number of nodes.

    In a game with repetition a position includes its whole history; such positions are solved one by one.
    """

    def __init__(self, game: str, *, prefer_shorter: bool = False, table: int = SOLVING, book: bool = True) -> None:
        """Check the settings; nothing is searched yet.

        Args:
            game: the game's spec.
            prefer_shorter: whether to find also the number of plies to a win.
            table: mebibytes for the transposition table, in each process.
            book: whether to use an opening book first, if there is one.

        Raises:
            BadInput: there is no such game, or not enough memory for the table.
        """
        if table < 1:
            raise BadInput(f"table={table}: at least one mebibyte.")
        self.spec: str = game
        self.prefer_shorter: bool = prefer_shorter
        self.table: int = table
        self.uses_book: bool = book
        self.mark: str = fingerprint(game_named(game))
        self._game: AnyGame | None = None
        self._context: SearchContext | None = None

    def __getstate__(self) -> dict[str, Any]:
        # A game with user's rules and a table of many mebibytes stay in their process; only settings travel.
        return self.__dict__ | {"_game": None, "_context": None}

    @property
    def game(self) -> AnyGame:
        """The game, loaded in this process.

        Raises:
            UnableHere: its rules differ here, or are missing.
        """
        if self._game is None:
            try:
                game = game_named(self.spec)
            except BadInput as fault:
                raise UnableHere(f"On {socket.gethostname()}: {clause_of(fault)}") from None
            # The name alone is not enough: a worker may have an older file of the same rules, and its values would be
            # wrong.
            if fingerprint(game) != self.mark:
                raise UnableHere(f"On {socket.gethostname()} {self.spec} has other rules than here")
            self._game = game
        return self._game

    def __call__(self, text: str) -> tuple[Score, int]:
        return self.score(Position.parse(self.game, text))

    def score(self, position: Position) -> tuple[Score, int]:
        """Score of a position, and the number of nodes searched."""
        game = position.game
        if position.outcome is not None:
            return Score.over(position.outcome), 0
        if self.uses_book and (book := book_of(position)) and (known := book.score(position.state)):
            return known, 0
        # Values depend on the line that led here, so no table is shared from position to position.
        if game.repetition:
            solver = Solver(position, prefer_shorter=self.prefer_shorter, every_move=False, table=self.table)
            return solver.solve().score, solver.nodes
        # Bounds of the game's rules: only utilities that are still possible are searched for.
        low, high = value_bounds(game, position.state, int(self.prefer_shorter))
        search = kernel(pvs, game)
        # First with few nodes and a small table, which is made in no time; the large table is made for the first
        # position that needs it, and is kept for all further ones.
        small = Clock(Limit(nodes=SMALL_NODES), is_plain=bool(search.why_plain))
        context = new_context(new_table(position.state, min(4 * SMALL_NODES, entries_in(position.state, self.table))))
        try:
            return self._decide(small, search, context, position, low, high), small.nodes
        except (Stopped, RecursionError):
            pass
        if self._context is None:
            self._context = new_context(new_table(position.state, entries_in(position.state, self.table)))
        search.prepare(
            Counting.fresh(), self._context, position.state, FOREVER, 0, 1, int(self.prefer_shorter), 0, STACK
        )
        clock = Clock(Limit())
        return self._decide(clock, search, self._context, position, low, high), clock.nodes

    def _decide(
        self, clock: Clock, search: Callable[..., int], context: SearchContext, position: Position, low: int, high: int
    ) -> Score:
        work = partial(decide, search, clock.observer, context, position.state, int(self.prefer_shorter), low, high)
        # `pvs` values are of the player to move; scores are of the first player.
        value = int(clock.run(work)) * (1 if position.to_move == MAX else -1)
        return Score.of(value, prefer_shorter=self.prefer_shorter) if value else Score(0)
