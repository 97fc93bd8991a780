"""A contest's bot: the engine's search within a budget, and turns over standard input.

`bot.py` writes what of it and of the package is needed to a file of its own, so nothing here may need more than Python.
The loop is that of one plain thread of `engine/thinker.py`, node for node.
"""

import time
from typing import Any

from plyground.engine.thinker import ENTRIES_A_NODE, FEWEST_ENTRIES
from plyground.games.connectfour import ConnectFour
from plyground.games.ultimate import Ultimate
from plyground.protocols.codingame import cell, column
from plyground.rules import LONGEST, MAX, ONGOING, Game
from plyground.score import ESTIMATES, INFINITY, plies_of
from plyground.search.algorithm import Query, score_query
from plyground.search.context import GUESSES, ROOT_MOVE, STACK, SearchContext, new_search_context
from plyground.search.observer import Counting, Stopped
from plyground.search.pvs import pvs
from plyground.search.table import PLAYING, entries_in, new_table

# A state of any game.
AnyState = Any
AnyGame = Game[Any]

DEADLINE = 7
"""Place among the counts of the nanosecond at which a search ends; 0: never."""
NODES_A_SECOND = 100_000
"""More than plain Python enters."""


class Timed(Counting):
    """Counts nodes, and stops a search when its budget or its time is spent."""

    __slots__ = ()

    def enter(
        self, state: AnyState, depth: int = 0, ply: int = 0, alpha: int = -INFINITY, beta: int = INFINITY
    ) -> None:
        # The clock is read at each node: plain Python takes ten microseconds and more for a node,
        # the clock a tenth of one.
        if self.counts[DEADLINE] and time.perf_counter_ns() >= self.counts[DEADLINE]:
            raise Stopped
        super().enter(state, depth, ply, alpha, beta)


def choose_move(game: AnyGame, state: AnyState, nodes: int, seconds: float) -> int:
    """Move of the engine with this number of nodes, or the best one within the seconds.

    Args:
        game, state: the rules, of a game in which no state comes again, and an unfinished state.
        nodes: at most; 0: no limit.
        seconds: at most; 0: no limit.
    """
    # The budget is nodes or time: with nodes a bot plays the same moves on every machine, so tests
    # compare it with the engine.
    observer = Timed.fresh(nodes or 1 << 62)
    if seconds:
        observer.counts[DEADLINE] = time.perf_counter_ns() + int(seconds * 1e9)
    # The table is no larger than the budget can fill: the engine's would take longer to make than a turn.
    most = FEWEST_ENTRIES + ENTRIES_A_NODE * (nodes or int(seconds * NODES_A_SECOND))
    context = new_search_context(game, state, new_table(state, min(entries_in(state, PLAYING), most), is_small=True))
    # The choice is a legal move even if no depth ends in time: a bot that prints nothing has lost.
    choice = next(iter(game.moves(state)))
    try:
        for depth in range(1, LONGEST + 1):
            guesses = context.scratch[GUESSES]
            value = _ask_value(game, observer, context, state, depth)
            choice, known = context.scratch[ROOT_MOVE], context.scratch[GUESSES] == guesses
            # The search is a negamax, its value the mover's; a score is x's.
            value *= 1 if game.to_move(state) == MAX else -1
            ahead = plies_of(value) if abs(value) >= ESTIMATES else 0
            _follow(game, observer, context, game.play(state, choice), max(depth, ahead) - 1)
            if score_query(Query(game, state, depth), value, known).certain:
                break
    # An unfinished depth counts for nothing: the choice is that of the last whole one.
    except (Stopped, RecursionError):
        pass
    return choice


def _ask_value(game: AnyGame, observer: Counting, context: SearchContext, state: AnyState, depth: int) -> int:
    """The value of a state for the player to move."""
    return pvs(game, observer, context, state, depth, -INFINITY, INFINITY, 1, 0, STACK)


def _follow(game: AnyGame, observer: Counting, context: SearchContext, state: AnyState, depth: int) -> None:
    """Search the positions of the best line again, as the engine does to name it."""
    while depth > 0 and game.outcome(state) == ONGOING:
        _ask_value(game, observer, context, state, depth)
        state = game.play(state, context.scratch[ROOT_MOVE])
        depth -= 1


def play_ultimate(game: Ultimate, nodes: int, seconds: float) -> None:
    """Play CodinGame's Ultimate Tic-Tac-Toe: a line for the other side's move, the number of legal ones, and these."""
    state = game.initial()
    while True:
        try:
            said = input()
            # The lines must be read, but the legal moves are known from the rules.
            for _ in range(int(input())):
                input()
        except EOFError:
            return
        for move in game.moves(state):
            if cell(game, state, move) == " ".join(said.split()):
                state = game.play(state, move)
                break
        move = choose_move(game, state, nodes, seconds)
        print(cell(game, state, move), flush=True)
        state = game.play(state, move)


def play_connect_four(game: ConnectFour, nodes: int, seconds: float) -> None:
    """Play CodinGame's Connect 4. A disc that was stolen is the other side's then, as it was before that turn."""
    state = game.initial()
    input()
    while True:
        try:
            for _ in range(1 + game.height):
                input()
            for _ in range(int(input())):
                input()
            said = input().strip()
        except EOFError:
            return
        for move in game.moves(state):
            if column(game, state, move) == said:
                state = game.play(state, move)
                break
        move = choose_move(game, state, nodes, seconds)
        print(column(game, state, move), flush=True)
        state = game.play(state, move)
