"""Reasons why no legal move touches some places: what a board and the legal paths tell of any game."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from plyground.board.look import Board, Look, Piece, where

KINDS = ("pawn", "knight", "bishop", "rook", "queen", "king", "man", "disc", "stone")
"""Kinds of pieces that are words for people; any other without a name is a piece in a sentence."""


@dataclass(frozen=True)
class RefusalWords:
    """Reasons of illegal moves, also for a page that has them as data."""

    occupied: str = "{place} is occupied"
    area: str = "{side} must play in the {area}"
    leads: str = "no legal move goes from {place} to {end}"
    closed: str = "no move can be made at {place}"
    empty: str = "nothing stands on {place}"
    other: str = "the {kind} on {place} is {side}'s"
    own: str = "a {kind} of {side} stands on {end}"
    jump: str = "{side} must jump"
    into: str = "the {kind} would be in check on {end}"
    check: str = "{reason}; the {attacked} is in check"
    opens: str = "the king would be in check"
    stays: str = "the {kind} on {place} cannot move"
    reach: str = "the {kind} on {place} cannot go to {end}"
    over: str = "the game is over: {result}"


REFUSAL_WORDS: Final = RefusalWords()


def usual_refusal(board: Board, look: Look, mover: int, paths: Collection[Sequence[int]], path: Sequence[int]) -> str:
    """The reason that no legal move goes along a path, in words that may follow "because".

    Args:
        board, look: the board, and what stands on it.
        mover: the player to move.
        paths: the paths of the legal moves.
        path: places, at least one, with which none of these begins.
    """
    words, first, names = REFUSAL_WORDS, path[0], [place.name for place in board.places]
    name, last, piece = names[first], names[path[-1]], look.pieces[first]
    if not any(len(each) > 1 and look.pieces[each[0]] for each in paths):  # something is set
        if piece:
            return words.occupied.format(place=name)
        if (area := where(board, look)) and all(each[:1] != (first,) for each in map(tuple, paths)):
            return words.area.format(side=board.names[mover], area=area)
        if any(each[:1] == (first,) for each in map(tuple, paths)):
            return words.leads.format(place=name, end=last)
        return words.closed.format(place=name)
    if piece is None:
        return words.empty.format(place=name)
    kind = kind_of(piece)
    if piece.owner in board.marks and piece.owner != board.marks[mover]:
        return words.other.format(kind=kind, place=name, side=board.names[1 - mover])
    end = look.pieces[path[1]] if len(path) > 1 else None
    if end and end.owner == piece.owner and path[1] != first:
        return words.own.format(kind=kind_of(end), side=board.names[mover], end=names[path[1]])
    if board.must_jump and paths and all(_steps(board, each) > 1 for each in paths):
        return words.jump.format(side=board.names[mover])
    if piece.kind == "king" and len(path) > 1 and _steps(board, path) == 1:
        return words.into.format(kind=kind, end=last)
    if len(path) > 1 and not look.attacked and _shields(board, look, path[0], path[1]):
        return words.opens
    is_fixed = len(path) < 2 or all(each[0] != first for each in paths if each)
    reason = (words.stays if is_fixed else words.reach).format(kind=kind, place=name, end=last)
    attacked = next((each for place in look.attacked if (each := look.pieces[place])), None)
    return words.check.format(reason=reason, attacked=kind_of(attacked)) if attacked else reason


def _shields(board: Board, look: Look, start: int, end: int) -> bool:
    """Whether a piece that leaves a place for another one opens the line of a queen, rook or bishop to its own king."""
    piece, square = look.pieces[start], {(place.x, place.y): n for n, place in reversed([*enumerate(board.places)])}
    kings = (
        n for n, each in enumerate(look.pieces) if each and piece and (each.owner, each.kind) == (piece.owner, "king")
    )
    if (king := next(kings, None)) is None or not (way := _way(board, king, start)) or way == _way(board, king, end):
        return False
    at, met = board.places[king], list[int]()
    x, y = at.x + way[0], at.y + way[1]
    while (number := square.get((x, y))) is not None:
        met += [number] if look.pieces[number] else []
        x, y = x + way[0], y + way[1]
    behind = look.pieces[met[1]] if len(met) > 1 and met[0] == start else None
    slides = ("queen", "rook" if 0 in way else "bishop")
    return bool(piece and behind and behind.owner != piece.owner and behind.kind in slides)


def _way(board: Board, start: int, end: int) -> tuple[int, int] | None:
    """The step of a queen of chess on the way from a place to another; None where no queen could go."""
    right, down = (board.places[end].x - board.places[start].x, board.places[end].y - board.places[start].y)
    straight = (right == 0) != (down == 0) or (right != 0 and abs(right) == abs(down))
    return ((right > 0) - (right < 0), (down > 0) - (down < 0)) if straight else None


def _steps(board: Board, path: Sequence[int]) -> float:
    """Squares that a path's first step goes, as a king of chess counts them."""
    start, end = board.places[path[0]], board.places[path[1]]
    return max(abs(start.x - end.x), abs(start.y - end.y))


def kind_of(piece: Piece) -> str:
    """The word for a piece in a sentence."""
    return piece.name or (piece.kind if piece.kind in KINDS else "piece")
