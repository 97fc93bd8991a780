"""Chess held against published counts, Gardner's minichess against a slow twin, and the rules that no count shows."""

import random
from collections.abc import Iterator

import chess
import pytest
from tries import tries

import plyground as pg
from plyground.board.rays import BITS, as_signed, between, bishop_attacks, rook_attacks
from plyground.compiled.kernel import is_plain_wanted, kernel
from plyground.exact.known_values import known_values
from plyground.games.chess import Gardner, WrittenChess, start_number
from plyground.games.chess_rules import ChessState
from plyground.search.observer import SILENT
from plyground.search.perft import perft

CHESS = pg.Chess()
PERFT = {
    known.position or CHESS.fen(CHESS.initial()): known.value[:5]
    for known in known_values()
    if (known.game, known.ask) == ("chess", "perft")
}


def count_sequences(game: WrittenChess, fen: str, counts: list[int]) -> list[int]:
    """Perft to as many plies, or to a few thousand sequences as plain Python."""
    state = game.parse_state(fen)
    depths = [depth for depth, wanted in enumerate(counts, 1) if wanted < 10_000 or not is_plain_wanted()]
    run = (lambda *args: perft(game, *args)) if is_plain_wanted() else kernel(perft, game)
    return [run(SILENT, state, depth, 0) for depth in depths]


@pytest.mark.usefixtures("speed")
@pytest.mark.parametrize("fen", PERFT)
def test_perft(fen: str) -> None:
    """As many sequences as published."""
    found = count_sequences(CHESS, fen, PERFT[fen])
    assert found == PERFT[fen][: len(found)] and len(found) > 1


# The twin: a dict from (column, row) to a letter; a move is legal if no answer takes the king.
Pieces = dict[tuple[int, int], str]
LEAPS = {"n": [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]}
STRAIGHT, SLANTED = [(1, 0), (0, 1), (-1, 0), (0, -1)], [(1, 1), (1, -1), (-1, -1), (-1, 1)]
LEAPS["k"] = STRAIGHT + SLANTED
SLIDES = {"r": STRAIGHT, "b": SLANTED, "q": STRAIGHT + SLANTED}


def pseudo(pieces: Pieces, is_white: bool) -> Iterator[tuple[str, Pieces]]:
    """Every move that ignores checks, as it is written, and what it leads to."""

    def on(place: tuple[int, int]) -> bool:
        return 0 <= place[0] < 5 and 0 <= place[1] < 5

    def name(place: tuple[int, int]) -> str:
        return "abcde"[place[0]] + str(place[1] + 1)

    for at, piece in pieces.items():
        if piece.isupper() != is_white:
            continue
        kind, ends = piece.lower(), list[tuple[int, int]]()
        if kind == "p":
            up = 1 if is_white else -1
            ends += [(at[0], at[1] + up)] if (at[0], at[1] + up) not in pieces else []
            ends += [to for to in ((at[0] + 1, at[1] + up), (at[0] - 1, at[1] + up)) if to in pieces]
        for right, up in LEAPS.get(kind, []):
            ends.append((at[0] + right, at[1] + up))
        for right, up in SLIDES.get(kind, []):
            to = (at[0] + right, at[1] + up)
            while on(to):
                ends.append(to)
                to = (8, 8) if to in pieces else (to[0] + right, to[1] + up)
        for to in ends:
            if on(to) and (to not in pieces or pieces[to].isupper() != is_white):
                crowned = kind == "p" and to[1] in (0, 4)
                for become in "nbrq" if crowned else [kind]:
                    after = {place: each for place, each in pieces.items() if place != at}
                    after[to] = become.upper() if is_white else become
                    yield name(at) + name(to) + (become if crowned else ""), after


def legal(pieces: Pieces, is_white: bool) -> dict[str, Pieces]:
    """The moves after which nothing takes the king."""
    king = "K" if is_white else "k"
    found = dict(pseudo(pieces, is_white))
    return {
        text: after
        for text, after in found.items()
        if all(king in answer.values() for _, answer in pseudo(after, not is_white))
    }


def twin_position(game: WrittenChess, state: ChessState) -> Pieces:
    """A position of ours as the twin has it, by what is drawn of it."""
    pieces = game.look(state).pieces[:25]
    return {(place % 5, 4 - place // 5): piece.text for place, piece in enumerate(pieces) if piece}


def test_gardners_minichess_is_played_as_the_twin_plays_it() -> None:
    """Every move and its position, mates and stalemates, in random games; perft to four plies."""
    game, chance, ends = Gardner(), random.Random(11), {0: 0, 1: 0}
    for _ in range(tries(20)):
        state, is_white = game.initial(), True
        for _ in range(120):
            pieces = twin_position(game, state)
            moves = legal(pieces, is_white)
            if not moves:
                king = "K" if is_white else "k"
                checked = any(king not in after.values() for _, after in pseudo(pieces, not is_white))
                assert game.outcome(state) == (0 if not checked else -1 if is_white else 1)
                ends[int(checked)] += 1
            if game.outcome(state) != pg.ONGOING:
                break
            ours = {game.move_text(state, move): game.play(state, move) for move in game.moves(state)}
            assert {text: twin_position(game, after) for text, after in ours.items()} == moves, game.text(state)
            state, is_white = ours[chance.choice(sorted(ours))], not is_white
    assert ends[1]

    def sequences(pieces: Pieces, is_white: bool, depth: int) -> int:
        after = legal(pieces, is_white).values()
        return len(after) if depth == 1 else sum(sequences(each, not is_white, depth - 1) for each in after)

    twin = [sequences(twin_position(game, game.initial()), True, depth) for depth in (1, 2, 3)]
    assert count_sequences(game, game.first_text, twin) == twin


def squares_in(cells: int) -> set[int]:
    """The squares of a set."""
    return {square for square in range(64) if cells & BITS[square]}


def test_what_is_seen_along_lines() -> None:
    """From every square, with random ones taken: as a walk square by square sees it; h8 is the sign."""
    chance = random.Random(2)
    for square in range(64):
        for _ in range(20):
            taken = as_signed(chance.getrandbits(64) & chance.getrandbits(64))
            for seen, steps in ((rook_attacks, STRAIGHT), (bishop_attacks, SLANTED)):
                wanted = set()
                for right, up in steps:
                    column, row = square % 8 + right, square // 8 + up
                    while 0 <= column < 8 and 0 <= row < 8:
                        wanted.add(8 * row + column)
                        if taken & BITS[8 * row + column]:
                            break
                        column, row = column + right, row + up
                assert squares_in(seen(square, taken)) == wanted
    assert squares_in(between(0, 63)) == {9, 18, 27, 36, 45, 54} and between(0, 62) == 0
    assert squares_in(between(56, 63)) == {57, 58, 59, 60, 61, 62} and BITS[63] == -(2**63)


ENDS = [
    ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", -1),  # fool's mate
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0),  # stalemate
    ("8/8/4k3/8/8/3NK3/8/8 w - - 0 1", 0),  # nobody can win
    ("8/8/4k3/8/8/3RK3/8/8 w - - 100 90", 0),  # fifty moves
    ("R6k/8/6K1/8/8/8/8/8 b - - 100 90", 1),  # a mate is a mate, also at the fiftieth
    ("8/8/4k3/8/8/3RK3/8/8 w - - 99 90", pg.ONGOING),
]


@pytest.mark.parametrize(("fen", "utility"), ENDS)
def test_how_a_game_ends(fen: str, utility: int) -> None:
    """By mate, by stalemate, and by the draws that can be seen on the board."""
    assert CHESS.outcome(CHESS.parse_state(fen)) == utility


def test_moves_are_read_as_books_write_them() -> None:
    """The opera game, Morphy against the Duke of Brunswick and Count Isouard, 1858, ends with a mate."""
    moves = "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8"
    moves += " Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#"
    state = CHESS.initial()
    for word in moves.split():
        move = CHESS.parse_move(state, word)
        assert move in CHESS.moves(state) and CHESS.parse_move(state, CHESS.move_text(state, move)) == move
        state = CHESS.play(state, move)
    assert CHESS.outcome(state) == 1
    assert CHESS.text(state) == "1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5_b_k_-_1"
    with pytest.raises(pg.BadInput, match="a pawn of White stands on d2"):
        CHESS.parse_move(CHESS.initial(), "Nd2")


def test_a_position_comes_again_whatever_the_count_of_plies() -> None:
    """Knights out and back; but a lost right to castle, or a pawn that can be taken in passing, is no return."""

    def after(moves: str) -> ChessState:
        state = CHESS.initial()
        for word in moves.split():
            state = CHESS.play(state, CHESS.parse_move(state, word))
        return CHESS.repetition_key(state)

    assert after("Nf3 Nf6 Ng1 Ng8") == CHESS.initial() != after("e4 e5 Ke2 Ke7 Ke1 Ke8")
    assert after("e4 e5 Ke2 Ke7 Ke1 Ke8") != after("e4 e5")
    assert after("e4 a6 e5 d5") != after("e4 a6 e5 d5 Nf3 Nf6 Ng1 Ng8") == after("e4 a6 e5 d5 Nc3 Nc6 Nb1 Nb8")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("8/8/8/8/8/8/8/8_w", "one king"),
        ("k7/8/8/8/8/8/8/K6p_w", "no pawn stands"),
        ("k7/8/8/8/8/8/8/K6r_b", "can be taken"),
        ("k7/8/8/8/8/8/8/K7_w_K", "have not moved"),
        ("k7/8/8/8/8/8/8/K7_w_-_e6", "just passed e6"),
        ("start", "as FEN"),
    ],
)
def test_what_is_no_position_is_met_with_a_sentence(text: str, part: str) -> None:
    """What is wrong, and how it is written."""
    with pytest.raises(pg.BadInput, match=part):
        CHESS.parse_state(text)


# The first positions of the suite at chessprogramming.org, Chess960 Perft Results, and two with other files.
SHUFFLED = {
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9": [21, 528, 12_189, 326_672],
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9": [21, 807, 18_002, 667_366],
    "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9": [20, 479, 10_471, 273_318],
    "qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9": [22, 593, 13_440, 382_958],
    "r1kbbqrn/ppp3pp/2np1p2/1P2p3/3P1P2/8/P1P1P1PP/RNKBBQRN w GAga - 0 9": [32, 920, 28_916, 844_881],
    "rk1qbbrn/p2npppp/1p6/2p4Q/8/4P3/PPPP1PPP/RNK1B1RN w GA - 2 9": [35, 657, 22_359, 495_406],
}


@pytest.mark.usefixtures("speed")
@pytest.mark.parametrize("fen", SHUFFLED)
def test_chess960_as_published(fen: str) -> None:
    """Perft counts the published sequences, in a game whose king and rooks begin where the rights to castle say."""
    game = pg.Chess(start=start_number(fen))
    assert count_sequences(game, fen, SHUFFLED[fen]) == SHUFFLED[fen][: 2 if is_plain_wanted() else 4]


def test_chess960_as_python_chess_has_it(seed: int) -> None:
    """Start positions, moves, castling in SAN, and FEN of both kinds, in random games that castle where they can."""
    chance, castled = random.Random(seed), 0
    for number in (518, *chance.sample(range(960), tries(12))):
        game, board = pg.Chess(start=number), chess.Board.from_chess960_pos(number)
        here = pg.Position.initial(game)
        assert game.first_text.split("_")[0] == board.fen().split()[0]
        while here.outcome is None and len(here.moves) < 90:
            theirs = {board.uci(move, chess960=not game.is_usual): move for move in board.legal_moves}
            assert {game.move_text(here.state, move) for move in here.legal_moves} == theirs.keys(), here.fen
            assert here.fen.split()[:3] == board.fen().split()[:3]
            assert game.parse_state(here.fen) == game.parse_state(board.shredder_fen()) == here.state
            castling = [word for word, move in theirs.items() if board.is_castling(move)]
            for word in castling:
                move = game.parse_move(here.state, word)
                assert game.notation_text(here.state, move) == board.san(theirs[word])
                assert game.parse_move(here.state, board.san(theirs[word])) == move
            word = chance.choice(castling or sorted(theirs))
            castled += word in castling
            board.push(theirs[word])
            here = here.play(word)
    assert castled > tries(12) // 2


@pytest.mark.parametrize(
    ("fen", "castling", "after"),
    [
        ("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", "5RK1"),  # the king stays
        ("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "e1f1", "5RK1"),  # the rook stays
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "5RK1"),  # they change places
        ("4k3/8/8/8/8/8/8/1R3K2 w B - 0 1", "f1b1", "2KR4"),  # far, long
        ("4k3/8/8/8/8/8/8/qRK5 w B - 0 1", "", ""),  # the rook shields the king
        ("4k3/8/8/8/8/3r4/8/1R3K2 w B - 0 1", "", ""),  # d1 is crossed by the king
        ("4k3/8/8/8/8/1r6/8/1R3K2 w B - 0 1", "f1b1", "2KR4"),  # the rook may be attacked
        ("4k3/8/8/8/8/8/8/1RN2K2 w B - 0 1", "", ""),  # something stands on the way
        ("4k3/8/8/8/8/5r2/8/1R3K2 w B - 0 1", "", ""),  # the king is in check
    ],
)
def test_castling_in_chess960(fen: str, castling: str, after: str) -> None:
    """King and rook come to where they do in chess, over free squares, the king over none that is attacked."""
    game = pg.Chess(start=start_number(fen))
    state, board = game.parse_state(fen), chess.Board(fen, chess960=True)
    words = {game.move_text(state, move): move for move in game.moves(state)}
    assert words.keys() == {move.uci() for move in board.legal_moves}
    own = [word for word, move in words.items() if game.castling_side(state, move & 63, move >> 6 & 63)]
    assert own == [castling] * bool(castling)
    if castling:
        assert game.text(game.play(state, words[castling])).split("_")[0].endswith("/" + after)


@pytest.mark.parametrize(
    "text", ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", "4k3/8/8/8/8/8/8/R3K2R w HA - 0 1"]
)
def test_letters_of_files_are_read_in_chess(text: str) -> None:
    """H and A are K and Q where the rooks begin at home."""
    usual = text.replace("HA", "KQ").replace("ha", "kq")
    assert CHESS.parse_state(text) == CHESS.parse_state(usual) and start_number(text) == 518
    with pytest.raises(pg.BadInput, match="G says that king and rook have not moved"):
        CHESS.parse_state("4k3/8/8/8/8/8/8/R3K1R1 w G - 0 1")
