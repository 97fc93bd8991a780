"""FEN, SAN and legal moves of chess, held against python-chess along random games."""

import io
import random
from collections.abc import Iterator

import chess
import chess.pgn
import pytest

import plyground as pg
from plyground.play.notations import forms, parse_pasted, record_form

CHESS = pg.Chess()
REASONS = {
    chess.Termination.CHECKMATE: "checkmate",
    chess.Termination.STALEMATE: "stalemate",
    chess.Termination.INSUFFICIENT_MATERIAL: "lack of material",
    chess.Termination.FIFTY_MOVES: "the fifty-move rule",
    chess.Termination.THREEFOLD_REPETITION: "threefold repetition",
}


def walked(seed: int, count: int) -> Iterator[tuple[chess.Board, pg.Position]]:
    """The positions of random games, by both."""
    chance = random.Random(seed)
    while count > 0:
        board, here = chess.Board(), pg.Position.initial(CHESS)
        while count > 0:
            yield board, here
            count -= 1
            if here.outcome is not None:
                break
            here = here.play(chance.choice(here.legal_moves))
            board.push_uci(here.words[-1])


def held(seed: int, count: int) -> None:
    """Hold positions against the judge: how they are written, what can be played, why the game is over."""
    for board, here in walked(seed, count):
        state = here.state
        assert CHESS.parse_state(board.fen()) == state == CHESS.parse_state(board.fen(en_passant="fen"))
        assert (
            CHESS.fen(state, board.fullmove_number) == board.fen(en_passant="legal")
            or board.has_pseudo_legal_en_passant()
        )
        ended = board.is_checkmate() or board.is_stalemate() or board.is_fifty_moves() or board.is_repetition()
        assert (here.outcome is not None) <= (ended or board.is_insufficient_material())
        assert (here.outcome is None) <= (not ended)
        if here.outcome is None:
            ours = {CHESS.move_text(state, move): CHESS.notation_text(state, move) for move in here.legal_moves}
            assert ours == {move.uci(): board.san(move) for move in board.legal_moves}
            for move in board.legal_moves:
                words = {move.uci(), board.san(move), board.lan(move), board.san(move).replace("O", "0")}
                assert {CHESS.move_text(state, CHESS.parse_move(state, word)) for word in words} == {move.uci()}
        else:
            over = board.outcome(claim_draw=True)
            assert over and here.reason == REASONS[over.termination]
            assert here.outcome == (0 if over.winner is None else 1 if over.winner else -1)


def test_positions_against_python_chess(seed: int) -> None:
    """Fifty positions at each push."""
    held(seed, 50)


@pytest.mark.nightly
@pytest.mark.timeout(600)
def test_many_positions_against_python_chess(seed: int) -> None:
    """10,000 positions each night."""
    held(seed + 1, 10_000)


@pytest.mark.parametrize(
    ("fen", "move", "san"),
    [
        ("k7/8/8/8/8/8/8/KN3N2 w - - 0 1", "b1d2", "Nbd2"),
        ("k7/8/8/8/5N2/8/8/K4N2 w - - 0 1", "f1e3", "Ne3"),
        ("k7/8/8/5N2/8/8/8/K4N2 w - - 0 1", "f1e3", "N1e3"),
        ("6k1/8/8/2Q1Q3/8/2Q5/8/7K w - - 0 1", "c5d4", "Qc5d4"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", "O-O-O"),
        ("8/P7/8/8/8/8/k7/4K3 w - - 0 1", "a7a8q", "a8=Q+"),
    ],
)
def test_san(fen: str, move: str, san: str) -> None:
    """SAN names the file, else the rank, else both, where two pieces of a kind can go to one square."""
    here = pg.Position.parse(CHESS, fen)
    assert here.play(move).notation == [san] and here.play(san).words == [move]


@pytest.mark.parametrize("text", ["{} e4 e5", "{}", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR e4"])
def test_a_position_of_several_words(text: str) -> None:
    """FEN is read with its blanks, and moves after it."""
    here = pg.Position.parse(CHESS, text.format(chess.STARTING_FEN))
    assert here.start == CHESS.initial()._replace(rights=0 if "{}" not in text else 15)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e5 0 1", "is not a position: write it as FEN"),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "the king of the player who has just moved can be taken"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - e2e5", "e2e5 is not a legal move here"),
        ("k7/8/8/8/8/8/8/KN3N2 w - - 0 1 Nd2", "'Nd2' is more than one move here: write Nbd2 or Nfd2"),
        ("e4 e5 Nf6", "'Nf6' is not a move here"),
    ],
)
def test_refused(text: str, said: str) -> None:
    """A bad FEN gets a sentence about the field that is wrong."""
    with pytest.raises(pg.BadInput, match=said):
        pg.Position.parse(CHESS, text)


@pytest.mark.parametrize("number", [1, 2, 14, 999])
def test_the_number_of_the_move(number: int, seed: int) -> None:
    """A position goes on with the number of its FEN: in FEN, in PGN, in all texts that are read back; judged."""
    chance = random.Random(seed)
    for board, before in walked(seed, 40):
        if before.outcome is not None:
            continue
        board.fullmove_number, first = number, board.turn
        here = start = pg.Position.parse(CHESS, board.fen())
        game = chess.pgn.Game.from_board(board.copy(stack=False))
        assert start == pg.Position.starting(CHESS, start.start_text)
        node: chess.pgn.GameNode = game
        while here.outcome is None and len(here.moves) < 5:
            here = here.play(chance.choice(here.legal_moves))
            node = node.add_variation(chess.Move.from_uci(here.words[-1]))
        judged = node.board()
        assert here.fen == judged.fen(en_passant="legal") or judged.has_pseudo_legal_en_passant()
        assert here.undo(len(here.moves)) == start and here.plies_before == 2 * (number - 1) + (not first)
        written = record_form("chess", here).text
        read = chess.pgn.read_game(io.StringIO(written))
        assert read and read.end().board().fen(en_passant="legal") == judged.fen(en_passant="legal")
        assert written.split("\n\n")[1] == game.accept(chess.pgn.StringExporter(headers=False)) + "\n"
        texts = {
            form.name: form.text for form in forms("chess", here) if form.name not in ("position", "fen", "drawing")
        }
        assert {parse_pasted("chess", text).position for text in texts.values()} == {here}


@pytest.mark.parametrize("number", ["0", "00", "10000", "9" * 5_000])
def test_no_number_of_a_move(number: str) -> None:
    """A fullmove number of 0, or above 9999, is read as 1."""
    assert pg.Position.parse(CHESS, f"4k3/8/8/8/8/8/4P3/4K3 w - - 0 {number} e4").fen.endswith(" 0 1")
