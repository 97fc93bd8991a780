"""A player in Python: the first free square, over standard input and output.

    plyground play tictactoe --o "program:python first.py {side} {first}"

It reads the other's move as (X,Y). and writes its own as X,Y: column and row, from 1. It is started once for many
games, for it knows what position('xo./.../...:x'). says: it says that back, and goes on there.
"""

import re
import sys

side, first = sys.argv[1:3]
free = [(x, y) for y in (1, 2, 3) for x in (1, 2, 3)]


def play() -> None:
    """The first free square."""
    if free:
        x, y = free.pop(0)
        print(f"{x},{y}", flush=True)


if side == first:
    play()
for line in sys.stdin:
    if told := re.search(r"position\('(...)/(...)/(...):(.)'\)", line):
        print(told[0] + ".", flush=True)
        free = [(x + 1, y + 1) for y in range(3) for x in range(3) if told[y + 1][x] == "."]
        if told[4] == side:
            play()
    elif move := re.search(r"(\d)\s*,\s*(\d)", line):
        free.remove((int(move[1]), int(move[2])))
        play()
