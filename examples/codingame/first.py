"""A bot for CodinGame's Ultimate Tic-Tac-Toe in Python: the first legal move.

plyground play ultimate --o "codingame:python first.py"
"""

while True:
    try:
        row, column = map(int, input().split())  # where the other side played; -1 -1 if it has not
    except EOFError:
        break
    legal = [input() for _ in range(int(input()))]
    print(legal[0], flush=True)
