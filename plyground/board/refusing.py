"""Reasons why no legal move touches some places, by a board and the paths of the legal moves."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from plyground.board.look import Board, Look, Piece, only_open_area
from plyground.in_pages import in_pages

PIECE_KINDS = ("pawn", "knight", "bishop", "rook", "queen", "king", "man", "disc", "stone")
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


@in_pages
def refusal_before_rules(board: Board, paths: Collection[Sequence[int]], path: Sequence[int], over: str) -> str | None:
    """The reason that no legal move goes along a path, as far as no rules are asked for it.

    Args:
        board: the board.
        paths: the paths of the legal moves.
        path: numbers of places, which may be none of this board.
        over: the result of the game if it is over, else nothing.

    Returns:
        A reason; empty where a move may go there, or the path is none; None where the rules have to say.
    """
    if not path or not all(0 <= place < len(board.places) for place in path):
        return ""
    if any(each[: len(path)] == path for each in paths):
        return ""
    return REFUSAL_WORDS.over.format(result=over) if over else None


@in_pages
def usual_refusal(board: Board, look: Look, mover: int, paths: Collection[Sequence[int]], path: Sequence[int]) -> str:
    """The reason that no legal move goes along a path, in words that may follow "because".

    Args:
        board, look: the board, and what stands on it.
        mover: the player to move.
        paths: the paths of the legal moves.
        path: places, at least one, with which none of these begins.
    """
    first, piece = path[0], look.pieces[path[0]]
    place, end = board.places[first].name, board.places[path[-1]].name
    side, is_begun = board.names[mover], any(each and each[0] == first for each in paths)
    # A game in which marks are set and one in which pieces move are told apart by the paths of the legal moves alone,
    # for no rules are asked.
    if not any(len(each) > 1 and look.pieces[each[0]] for each in paths):  # something is set
        area = only_open_area(board, look)
        if piece:
            return REFUSAL_WORDS.occupied.format(place=place)
        if is_begun:
            return REFUSAL_WORDS.leads.format(place=place, end=end)
        return REFUSAL_WORDS.area.format(side=side, area=area) if area else REFUSAL_WORDS.closed.format(place=place)
    # From here on the order is that in which a person looks: is a piece there, is it mine, is the target free, must I
    # jump, is the king safe.
    if piece is None:
        return REFUSAL_WORDS.empty.format(place=place)
    kind = kind_of(piece)
    if piece.owner in board.marks and piece.owner != board.marks[mover]:
        return REFUSAL_WORDS.other.format(kind=kind, place=place, side=board.names[1 - mover])
    target = look.pieces[path[1]] if len(path) > 1 and path[1] != first else None
    if target and target.owner == piece.owner:
        return REFUSAL_WORDS.own.format(kind=kind_of(target), side=side, end=board.places[path[1]].name)
    # The first step tells jumps from moves: a jump goes two squares, a move one.
    if board.must_jump and paths and all(_king_steps(board, each) > 1 for each in paths):
        return REFUSAL_WORDS.jump.format(side=side)
    if piece.kind == "king" and len(path) > 1 and _king_steps(board, path) == 1:
        return REFUSAL_WORDS.into.format(kind=kind, end=end)
    # A piece may be pinned only if the king is not in check already, which is then the better reason.
    if len(path) > 1 and not look.attacked and _is_pinned(board, look, first, path[1]):
        return REFUSAL_WORDS.opens
    reason = REFUSAL_WORDS.stays.format(kind=kind, place=place)
    if len(path) > 1 and is_begun:
        reason = REFUSAL_WORDS.reach.format(kind=kind, place=place, end=end)
    attacked = look.pieces[look.attacked[0]] if look.attacked else None
    return REFUSAL_WORDS.check.format(reason=reason, attacked=kind_of(attacked)) if attacked else reason


@in_pages
def _is_pinned(board: Board, look: Look, start: int, end: int) -> bool:
    """Whether a piece that leaves a place for another one opens the line of a queen, rook or bishop to its own king."""
    piece = look.pieces[start]
    if piece is None:
        return False
    kings = [n for n, each in enumerate(look.pieces) if each and each.owner == piece.owner and each.kind == "king"]
    if not kings:
        return False
    way, after = _queen_direction(board, kings[0], start), _queen_direction(board, kings[0], end)
    if way is None or (after is not None and way == after):
        return False
    right, down = way
    x, y, met = board.places[kings[0]].x + right, board.places[kings[0]].y + down, list[int]()
    # From the king outward: a pin needs this piece first on the line and an enemy that moves along it next.
    while (number := _place_at(board, x, y)) >= 0:
        if look.pieces[number]:
            met.append(number)
        x, y = x + right, y + down
    behind = look.pieces[met[1]] if len(met) > 1 and met[0] == start else None
    # A queen goes either way; a straight line has a step of 0 in one direction.
    slides = ("queen", "rook" if 0 in way else "bishop")
    return behind is not None and behind.owner != piece.owner and behind.kind in slides


@in_pages
def _place_at(board: Board, x: float, y: float) -> int:
    """The first place with its centre there; -1 for none."""
    return next((n for n, place in enumerate(board.places) if place.x == x and place.y == y), -1)


@in_pages
def _queen_direction(board: Board, start: int, end: int) -> tuple[int, int] | None:
    """The step of a queen of chess on the way from a place to another; None where no queen could go."""
    right, down = board.places[end].x - board.places[start].x, board.places[end].y - board.places[start].y
    straight = (right == 0) != (down == 0) or (right != 0 and abs(right) == abs(down))
    return (int(right > 0) - int(right < 0), int(down > 0) - int(down < 0)) if straight else None


@in_pages
def _king_steps(board: Board, path: Sequence[int]) -> float:
    """Squares that a path's first step goes, as a king of chess counts them."""
    start, end = board.places[path[0]], board.places[path[1]]
    return max(abs(start.x - end.x), abs(start.y - end.y))


@in_pages
def kind_of(piece: Piece) -> str:
    """The word for a piece in a sentence."""
    return piece.name or (piece.kind if piece.kind in PIECE_KINDS else "piece")
