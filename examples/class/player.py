"""Eight students' programs in Python: KIND SIDE FIRST."""

import re
import sys
from functools import cache

kind, side, first = sys.argv[1:4]
other = "o" if side == "x" else "x"
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
board, moves = "." * 9, 0


def has_won(board, player):
    """Whether a player has a line."""
    return any(all(board[place] == player for place in line) for line in LINES)


@cache
def best(board, player, opponent):
    """The value for the player, and minus the place of the best move."""
    if has_won(board, opponent):
        return -1, 0
    free = [place for place in range(9) if board[place] == "."]
    if not free:
        return 0, 0
    return max((-best(board[:each] + player + board[each + 1 :], opponent, player)[0], -each) for each in free)


def go():
    """Make a move, if the game goes on."""
    global board, moves
    if has_won(board, side) or has_won(board, other) or "." not in board:
        return
    place = 4 if kind == "illegal" else -best(board, side, other)[1] if kind == "perfect" else board.index(".")
    moves += 1
    if kind == "crash" and moves == 2:
        raise ValueError("the second move")
    while kind == "hang" and moves == 2:
        pass
    if kind == "talk":
        print("I think that this is good", flush=True)
    board = board[:place] + side + board[place + 1 :]
    print(f"{place % 3 + 1},{place // 3 + 1}", flush=True)


if kind == "broken":
    sys.exit("does not start")
if kind == "waits":
    sys.stdin.read()
if side == first:
    go()
for line in sys.stdin:
    if told := re.search(r"(\d)\D+(\d)", line):
        place = int(told[1]) - 1 + 3 * (int(told[2]) - 1)
        board = board[:place] + other + board[place + 1 :]
        go()
