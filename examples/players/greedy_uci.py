"""A student's chess program that speaks UCI: it takes the most it can in two plies, else draws lots. It needs
python-chess.

plyground play chess --x "uci:python greedy_uci.py" --o human
"""

import random
import sys

import chess

WORTH = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}


def material(board: chess.Board) -> int:
    """Material of the side to move minus that of the other side, in pawns."""
    return sum(worth * (len(board.pieces(kind, board.turn)) - len(board.pieces(kind, not board.turn)))
               for kind, worth in WORTH.items())  # fmt: skip


def value(board: chess.Board, depth: int) -> int:
    """Minimax for the side to move; a mate is worth more than all pieces."""
    if board.is_checkmate():
        return -100
    if depth == 0 or not any(board.legal_moves):
        return material(board)
    return max(-after(board, move, depth - 1) for move in board.legal_moves)


def after(board: chess.Board, move: chess.Move, depth: int) -> int:
    """The value for the side that is to move after a move."""
    board.push(move)
    found = value(board, depth)
    board.pop()
    return found


board = chess.Board()
for line in sys.stdin:
    match line.split():
        case ["uci"]:
            print("id name Greedy\nuciok", flush=True)
        case ["isready"]:
            print("readyok", flush=True)
        case ["position", *words]:
            text, _, moves = " ".join(words).partition(" moves ")
            board = chess.Board() if text == "startpos" else chess.Board(text.removeprefix("fen "))
            for move in moves.split():
                board.push_uci(move)
        case ["go", *_]:
            best = min(board.legal_moves, key=lambda move: (after(board, move, 1), random.random()))
            print(f"bestmove {best.uci()}", flush=True)
        case ["quit"]:
            break
