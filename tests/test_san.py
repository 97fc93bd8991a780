"""Lines of chess that are read by one compiled call: as word by word, and as python-chess spells them."""

import random

import chess
import pytest

import plyground as pg
from plyground.games.chess_rules import ChessRules
from plyground.play import san
from plyground.play.record import Record
from plyground.play.record_file import Records
from plyground.position import Position

CHESS = pg.game_named("chess")
pytestmark = pytest.mark.compiled
TO_AND_FRO = ["Nf3", "Nf6", "Ng1", "Ng8"]


def _random_line(chance: random.Random, plies: int) -> list[str]:
    """Words of a random game by python-chess, cut where a draw could be claimed."""
    board, words = chess.Board(), list[str]()
    while len(words) < plies and board.outcome(claim_draw=True) is None:
        words.append(board.san_and_push(chance.choice([*board.legal_moves])))
    return words


@pytest.fixture(autouse=True)
def _from_the_first_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(san, "LINES_BEFORE", 0)


def test_a_line_is_read_as_python_chess_spells_it() -> None:
    """Moves, checks, mates, promotions, captures in passing, rivals on a file, a row and both."""
    chance = random.Random(7)
    for _ in range(60):
        words = _random_line(chance, 160)
        followed = san.follow(Position.initial(CHESS), words)
        assert followed is not None, words
        board = chess.Board()
        for word, text in zip(words, followed.texts, strict=True):
            assert board.push_san(word).uci() == text
        assert followed.is_over == board.is_game_over()
        end = followed.position_after(len(words))
        assert end == Position.parse(CHESS, " ".join(words)) and end.notation == words


@pytest.mark.parametrize(
    "words",
    [
        ["e4", "e5", "Ke3"],  # not legal
        ["Nf3", "d6", "Nbd2"],  # not legal: the pawn is there
        ["e4+"],  # no check
        ["e4", "d5", "ed5"],  # the sign of a capture is left out
        ["Ngf3"],  # a file that is not needed
        ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7"],  # a mate without its sign
        [*TO_AND_FRO, *TO_AND_FRO, "e4"],  # a draw could be claimed before e4
        ["e4", "Z0", "d4"],
    ],
)
def test_what_is_not_plain_is_read_word_by_word(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading by lines gives the same record as reading by words, with its faults and remarks."""
    text = " ".join(f"{ply // 2 + 1}. {word}" if ply % 2 == 0 else word for ply, word in enumerate(words))
    fast = [*Records.of_text(f"{text} *", "chess")]
    monkeypatch.setattr(san, "LINES_BEFORE", 1_000_000)
    slow = [*Records.of_text(f"{text} *", "chess")]
    assert fast == slow and [each.faults for each in fast] == [each.faults for each in slow]


def test_variations_hang_on_a_line_that_was_read_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their positions are those of the line."""
    chance, text = random.Random(3), list[str]()
    board = chess.Board()
    for ply in range(60):
        legal = [*board.legal_moves]
        if board.is_game_over(claim_draw=True):
            break
        number = f"{ply // 2 + 1}{'.' if ply % 2 == 0 else '...'}"
        text += [f"{number} {board.san(move := chance.choice(legal))}"]
        text += [f"({number} {board.san(chance.choice(legal))} $4 {{a try}})"] if ply % 5 == 2 else []
        board.push(move)
    fast: Record = Records.of_text(" ".join([*text, "*"]), "chess")[0]
    monkeypatch.setattr(san, "LINES_BEFORE", 1_000_000)
    slow: Record = Records.of_text(" ".join([*text, "*"]), "chess")[0]
    assert fast == slow and not fast.faults and len(fast.moves) > 60


def test_a_small_board_and_another_game() -> None:
    """Gardner's chess by the same rules; a game that is no chess is read word by word."""
    gardner = pg.game_named("gardner")
    assert isinstance(gardner, ChessRules)
    start = Position.initial(gardner)
    followed = san.follow(start, start.play(start.legal_moves[0]).notation)
    assert followed is not None and followed.moves == (start.legal_moves[0],)
    assert san.follow(Position.initial("reversi"), ["d3"]) is None
