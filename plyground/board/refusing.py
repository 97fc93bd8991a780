"""Reasons why no legal move touches some places: what a board and the legal paths tell of any game."""

from collections.abc import Collection, Sequence

from plyground.board.look import Board, Look, Piece, where

KNOWN = ("pawn", "knight", "bishop", "rook", "queen", "king", "man", "crowned", "disc", "stone")
"""Kinds of pieces that have a name in a sentence; any other is a piece."""


def usual_refusal(board: Board, look: Look, mover: int, paths: Collection[Sequence[int]], path: Sequence[int]) -> str:
    """The reason that no legal move goes along a path, in words that may follow "because".

    Args:
        board, look: the board, and what stands on it.
        mover: the player to move.
        paths: the paths of the legal moves.
        path: places, at least one, with which none of these begins.
    """
    first, names = path[0], [place.name for place in board.places]
    name, piece = names[first], look.pieces[first]
    if not any(len(each) > 1 and look.pieces[each[0]] for each in paths):  # something is set
        if piece:
            return f"{name} is occupied"
        if (area := where(board, look)) and all(each[:1] != (first,) for each in map(tuple, paths)):
            return f"{board.names[mover]} must play in the {area}"
        if any(each[:1] == (first,) for each in map(tuple, paths)):
            return f"no legal move goes from {name} to {names[path[-1]]}"
        return f"no move can be made at {name}"
    if piece is None:
        return f"nothing stands on {name}"
    if piece.owner in board.marks and piece.owner != board.marks[mover]:
        return f"the {kind_of(piece)} on {name} is {board.names[1 - mover]}'s"
    end = look.pieces[path[1]] if len(path) > 1 else None
    if end and end.owner == piece.owner and path[1] != first:
        return f"a {kind_of(end)} of {board.names[mover]} stands on {names[path[1]]}"
    if len(path) < 2 or all(each[0] != first for each in paths if each):
        return f"the {kind_of(piece)} on {name} cannot move"
    return f"the {kind_of(piece)} on {name} cannot go to {names[path[-1]]}"


def kind_of(piece: Piece) -> str:
    """The word for a piece in a sentence."""
    return {"crowned": "king"}.get(piece.kind, piece.kind) if piece.kind in KNOWN else "piece"
