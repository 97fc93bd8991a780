"""Positions set up by hand: pieces, the side to move and what no board shows become text, or a sentence."""

from collections.abc import Mapping

import pytest

from plyground.errors import BadInput
from plyground.games import GAMES, AnyGame, game_named
from plyground.games.about import about
from plyground.rules import board_of, can_arrange
from plyground.spec import Choice
from plyground.web.views.arranging import Arrange, ArrangedView, arrange


def found(game: str, text: str = "", changed: Mapping[str, object] | None = None) -> ArrangedView:
    """A position that is set up: that of a text, of which some parts are changed."""
    before = arrange(Arrange(game=game, text=text))
    if not changed:
        return before
    return arrange(Arrange(game=game, arranged=before.arranged.model_copy(update=changed)))


@pytest.mark.parametrize("choice", GAMES.shipped, ids=lambda choice: choice.name)
def test_every_game_is_set_up_piece_by_piece(choice: Choice[AnyGame]) -> None:
    """The pieces of an example give its text back."""
    told = about(choice)
    game = f"{choice.name}:{told.offer}" if told.offer else choice.name
    assert can_arrange(game_named(game))
    before = found(game, told.example)
    back = arrange(Arrange(game=game, arranged=before.arranged))
    assert (back.text, back.fault, back.arranged) == (before.text, "", before.arranged)


@pytest.mark.parametrize(
    ("game", "text", "changed", "fault"),
    [
        ("chess", "8/8/4k3/8/8/8/8/4K3 w - - 0 1", {"unseen": [1, 0, 0, 0]}, "K says that king and rook"),
        ("chess", "8/8/4k3/8/8/8/8/4K2R w K - 0 1", {"to_move": "b"}, None),
        ("connectfour", "", {"pieces": [1] + 41 * [0]}, "a mark hangs over a free cell"),
        ("kalah", "", {"counts": 14 * [1]}, "it has 14 seeds, not 48"),
        ("threemorris", "", {"unseen": [3, 1]}, "they take turns"),
        ("draughts", "", {"pieces": 28 * [0] + 4 * [1]}, "a man on square 29 is crowned"),
    ],
)
def test_what_cannot_arise_says_why(game: str, text: str, changed: dict[str, object], fault: str | None) -> None:
    """The sentence is that of the game; the pieces stay as they were set."""
    if fault is None:
        with pytest.raises(ValueError, match="to_move"):
            Arrange.model_validate({"game": game, "arranged": {**found(game, text).arranged.model_dump(), **changed}})
        return
    got = found(game, text, changed)
    assert fault in got.fault and got.position is None
    assert got.arranged.model_dump().items() >= changed.items()


def test_what_a_board_does_not_have_is_refused() -> None:
    """Another number of places, a piece that there is not, and another number of things unseen."""
    pieces = found("tictactoe").arranged.pieces
    for changed, said in [
        ({"pieces": pieces[1:]}, "9 places"),
        ({"pieces": 9 * [3]}, "1 to 2"),
        ({"unseen": [1]}, "0"),
    ]:
        with pytest.raises(BadInput, match=said):
            found("tictactoe", "", changed)


def test_castling_and_men_in_hand_are_read_from_texts() -> None:
    """Rights that a board does not show come with their words and their largest number."""
    assert found("chess", "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1").arranged.unseen == [1, 0, 0, 1]
    numbered = found("chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 14")
    moved = arrange(Arrange(game="chess", arranged=numbered.arranged.model_copy(update={"to_move": "o"})))
    assert moved.text == "4k3/8/8/8/8/8/4P3/4K3 b - - 0 14" and moved.position and moved.position.plies_before == 27
    assert [each.words for each in found("chess").unseen][2] == "Black can castle on the king's side"
    assert [each.brief for each in found("chess").unseen] == ["White O-O", "White O-O-O", "Black O-O", "Black O-O-O"]
    assert found("morris").arranged.unseen == [9, 9]
    assert found("ultimate", "e5").arranged.unseen == [5]
    assert found("gardner").unseen == []
    assert len(board_of(game_named("ultimate:send=false")).unseen) == 0
