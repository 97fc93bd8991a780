"""Positions set up by hand: their pieces, the side to move and what no board shows, as text."""

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from plyground.board.look import count_pieces
from plyground.errors import BadInput
from plyground.games import AnyGame, game_named
from plyground.laws.verdict import require_lawful
from plyground.play.notations import parse_pasted
from plyground.position import Position
from plyground.rules import board_of, can_arrange
from plyground.spec import is_own
from plyground.web.views import models as m
from plyground.web.views.positions import SIDES, view

MOST_PLACES = 1_000
Number = Annotated[int, Field(ge=0, lt=1_000)]


class Arranged(m.Model):
    """Pieces on a board, the side to move, and the rights that the board does not show."""

    pieces: Annotated[list[Number], Field(max_length=MOST_PLACES)]
    """Piece on each place, numbered from 1 as the board lists them; 0 for none."""
    counts: Annotated[list[Number], Field(max_length=MOST_PLACES)]
    """Units of the piece's count on each place, such as seeds."""
    to_move: m.Side
    unseen: Annotated[list[Number], Field(max_length=20)]
    """A number for each thing that the board does not show."""
    start_number: Annotated[int, Field(ge=1, le=9_999)] = 1
    """Number of the pair of moves that comes next, where FEN of the game has it."""


class Arrange(m.Edit):
    """A position to set up: the pieces, or, where there are none, a text that means one."""

    text: Annotated[str, Field(max_length=60_000)] = ""
    arranged: Arranged | None = None


class UnseenView(m.Model):
    """Part of a position that its board does not show."""

    words: str
    most: int
    """Largest number, from 0; where it is 1, it is a yes or a no."""
    brief: str
    """A shorter name, to be seen beside those of its like; empty for none."""


class ArrangedView(m.Model):
    """A position that is set up."""

    by_hand: bool
    """Whether pieces can be set; else there is only the text."""
    text: str
    """The position as players exchange it."""
    fault: str
    """The reason that no game comes to it, in a sentence; empty where a game does."""
    arranged: Arranged
    unseen: list[UnseenView]
    position: m.PositionView | None
    """The position; null where there is a fault."""


def arrange(args: Arrange) -> ArrangedView:
    """The text of a position that is set up by hand, or the pieces of a position in text."""
    game = game_named(args.game)
    if is_own(args.game):
        require_lawful(game)
    if args.arranged is None:
        read = parse_pasted(args.game, args.text, game) if args.text else None
        return _arranged_view(read.game if read else args.game, read.position if read else Position.initial(game))
    wanted = args.arranged
    _require_placeable(game, wanted)
    turn = SIDES.index(wanted.to_move)
    # The position goes through the game's own text: one parser refuses what no game comes to,
    # whatever way a position was made.
    text = game.arrangement_text(wanted.pieces, wanted.counts, turn, wanted.unseen)
    try:
        here = Position.starting(game, text)
        start_number = game.fullmove_number(game.fen(here.state, wanted.start_number))
        return _arranged_view(args.game, replace(here, start_number=start_number))
    except BadInput as fault:
        return ArrangedView(
            by_hand=True, text=text, fault=str(fault), arranged=wanted, unseen=_unseen_views(game), position=None
        )


def _require_placeable(game: AnyGame, wanted: Arranged) -> None:
    """Refuse pieces that the board does not have."""
    board = board_of(game)
    if not can_arrange(game):
        raise BadInput("Positions of this game are set up as text.")
    if not len(wanted.pieces) == len(wanted.counts) == len(board.places):
        raise BadInput(f"pieces and counts have a number for each of the board's {len(board.places)} places.")
    if max(wanted.pieces, default=0) > len(board.pieces):
        raise BadInput(f"The board's pieces have the numbers 1 to {len(board.pieces)}.")
    if len(wanted.unseen) != len(board.unseen):
        raise BadInput(f"unseen has {len(board.unseen)} numbers here.")


def _unseen_views(game: AnyGame) -> list[UnseenView]:
    return [UnseenView(words=each.words, most=each.most, brief=each.brief) for each in board_of(game).unseen]


def _arranged_view(spec: str, here: Position) -> ArrangedView:
    game, state = here.game, here.state
    pieces, counts = count_pieces(board_of(game), game.stands(state))
    by_hand, start_number = can_arrange(game), game.fullmove_number(here.fen)
    to_move, unseen = SIDES[game.to_move(state)], list(game.unseen(state)) if by_hand else []
    return ArrangedView(
        by_hand=by_hand,
        text=here.fen,
        fault="",
        arranged=Arranged(pieces=pieces, counts=counts, to_move=to_move, unseen=unseen, start_number=start_number),
        unseen=_unseen_views(game) if by_hand else [],
        position=view(spec, here),
    )
