"""Small games in which states come again, for tests: pieces that walk on a graph, and Three Men's Morris."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import plyground as pg


class WalkState(NamedTuple):
    """A token, on a node of a graph."""

    node: int


@dataclass(frozen=True)
class Walk(pg.Game[WalkState]):
    """One token is moved along the edges of a graph, at each node by the player who owns it, until it is at an end."""

    edges: tuple[tuple[int, ...], ...] = ((1, -1), (0, 2), (-1, -1))
    """From each node, in the order of the moves; -1 for none, and a node without any is an end."""
    owners: tuple[int, ...] = (0, 1, 0)
    ends: tuple[int, ...] = (0, 0, 1)
    """The utility at each node without edges."""
    repetition: int = 2
    worth: int = 0
    """Of a repetition."""

    def initial(self) -> WalkState:
        return WalkState(0)

    def to_move(self, state: WalkState) -> int:
        return self.owners[state.node]

    def moves(self, state: WalkState) -> Iterator[int]:
        for move in range(len(self.edges[0])):
            if self.edges[state.node][move] >= 0:
                yield move

    def play(self, state: WalkState, move: int) -> WalkState:
        return WalkState(self.edges[state.node][move])

    def outcome(self, state: WalkState) -> int:
        return self.ends[state.node] if self.edges[state.node][0] < 0 else pg.ONGOING

    def bounds(self, state: WalkState) -> tuple[int, int]:
        return (-2, 2)

    def repetition_value(self, state: WalkState) -> int:
        return self.worth


class MorrisState(NamedTuple):
    """The men of both, a bit for each point, row by row; how many were placed in all; whose turn it is."""

    x: int
    o: int
    placed: int
    turn: int


ROWS = (7, 56, 448, 73, 146, 292)
NEXT = (10, 21, 34, 81, 170, 276, 136, 336, 160)
"""The points next to each, along the rows and columns."""


@dataclass(frozen=True)
class Morris(pg.Game[MorrisState]):
    """Three Men's Morris: three men each, placed and then moved to a free point next to them; a row of three wins."""

    repetition: int = 2
    placed: bool = False
    """Begin with all men on the board, x's in the top row but one and o's opposite."""

    def initial(self) -> MorrisState:
        return MorrisState(0b000_001_011, 0b110_100_000, 6, 0) if self.placed else MorrisState(0, 0, 0, 0)

    def to_move(self, state: MorrisState) -> int:
        return state.turn

    def moves(self, state: MorrisState) -> Iterator[int]:
        free = 511 & ~(state.x | state.o)
        own = state.o if state.turn else state.x
        for move in range(90):
            start, to = move // 9 - 1, move % 9
            if free >> to & 1:
                if start < 0:
                    if state.placed < 6:
                        yield move
                elif state.placed == 6 and own >> start & 1 and NEXT[start] >> to & 1:
                    yield move

    def play(self, state: MorrisState, move: int) -> MorrisState:
        start, to = move // 9 - 1, move % 9
        change = 1 << to
        if start >= 0:
            change |= 1 << start
        placed = min(state.placed + 1, 6)
        if state.turn:
            return MorrisState(state.x, state.o ^ change, placed, 0)
        return MorrisState(state.x ^ change, state.o, placed, 1)

    def outcome(self, state: MorrisState) -> int:
        own, other = (state.o, state.x) if state.turn else (state.x, state.o)
        won = False
        for row in range(6):
            won = won or other & ROWS[row] == ROWS[row]
        if not won and state.placed == 6:  # who cannot move has lost
            won = True
            for start in range(9):
                if own >> start & 1 and NEXT[start] & ~(state.x | state.o):
                    won = False
        if won:
            return 1 if state.turn else -1
        return pg.ONGOING
