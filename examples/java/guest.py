"""A game whose rules a program in Java answers: the way to the games of Ludii's and of other general systems.

    plyground check examples/java/guest.py:Guest --against connectfour:4,4,3

A state is the line of moves that leads to it, as numbers in the lists of legal moves. The program is asked once for
each line, so such a game is plain and slow; `Guest.java` beside this file says what it is asked.
"""

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import plyground as pg
from plyground.board.signs import signs


class GuestState(NamedTuple):
    """A position, as the moves that lead to it."""

    line: tuple[int, ...]
    """Each move's place among the legal ones, from 1; 0 after the last."""
    plies: int
    turn: int


class Answer(NamedTuple):
    """Answer of the program about a position."""

    turn: int
    utility: int
    moves: tuple[str, ...]


@dataclass(frozen=True)
class Guest(pg.Game[GuestState]):
    """`rules` is a Java file beside this one. `longest` plies are the most that a game may last."""

    rules: str = "Guest.java"
    longest: int = 16

    plain = "its rules are asked of a running Java, which has no compiled form"

    def asked(self, state: GuestState) -> Answer:
        return answer(self.rules, state.line[: state.plies])

    def initial(self) -> GuestState:
        return GuestState((0,) * self.longest, 0, answer(self.rules, ()).turn)

    def to_move(self, state: GuestState) -> int:
        return state.turn

    def moves(self, state: GuestState) -> Iterator[int]:
        yield from range(len(self.asked(state).moves))

    def play(self, state: GuestState, move: int) -> GuestState:
        line = (*state.line[: state.plies], move + 1, *state.line[state.plies + 1 :])
        return GuestState(line, state.plies + 1, answer(self.rules, line[: state.plies + 1]).turn)

    def outcome(self, state: GuestState) -> int:
        return self.asked(state).utility

    def move_signs(self, state: GuestState, move: int) -> Iterator[int]:
        yield from signs(self.asked(state).moves[move])


@lru_cache
def program(rules: str) -> subprocess.Popen[str]:
    """The running program, which ends with this one."""
    command = ["java", str(Path(__file__).with_name(rules))]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)


@lru_cache(maxsize=1 << 16)
def answer(rules: str, line: tuple[int, ...]) -> Answer:
    """Answer of the program about the position after a line of moves."""
    words: list[str] = []
    for ply, move in enumerate(line):
        words.append(answer(rules, line[:ply]).moves[move - 1])
    asked = program(rules)
    assert asked.stdin and asked.stdout
    asked.stdin.write(f"rules {' '.join(words)}\n")
    turn, utility, *moves = asked.stdout.readline().split()
    return Answer(int(turn), pg.ONGOING if utility == "-" else int(utility), tuple(moves))
