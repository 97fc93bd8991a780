"""Draughts with flying kings, held against published counts, against pydraughts, and the rules that make them."""

import random

import draughts
import pytest
from tries import tries

import plyground as pg
from plyground.compiled.kernel import is_plain_wanted, kernel
from plyground.games.international import Flying
from plyground.search.observer import SILENT
from plyground.search.perft import perft

INTERNATIONAL, RUSSIAN = pg.International(), pg.Russian()
KINGS = [",".join(f"K{square}" for square in squares) for squares in (range(31, 51), range(1, 21))]
# The positions and counts of Ed Gilbert, Michel Grimminck, Aart Bik and others: World Draughts Forum, thread 2308.
PERFT = {
    "W:W31-50:B1-20": [9, 81, 658, 4_265, 27_117, 167_140, 1_049_442, 6_483_961],
    "B:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46:BK17,K24": [14, 55, 1_168, 5_432, 87_195, 629_010, 9_041_010],
    "W:W25,27,28,30,32-35,37,38:B12,13,14,16,18,19,21,23,24,26": [6, 12, 30, 73, 215, 590, 1_944, 6_269, 22_369],
    f"W:W{KINGS[0]}:B{KINGS[1]}": [17, 79, 352, 1_399, 7_062, 37_589, 217_575, 1_333_217],
    "W:W6-10:B41-45": [9, 81, 795, 7_578, 86_351, 936_311, 11_448_262],
}


@pytest.mark.usefixtures("speed")
@pytest.mark.parametrize("text", PERFT, ids=["start", "kings in the way", "Woldouby", "kings", "men near the end"])
def test_perft(text: str) -> None:
    """Perft counts as many sequences as published; chains that take the same pieces and end alike are one."""
    run = (lambda *args: perft(INTERNATIONAL, *args)) if is_plain_wanted() else kernel(perft, INTERNATIONAL)
    counts = [count for count in PERFT[text] if count < 6_000 or not is_plain_wanted()]
    state = INTERNATIONAL.parse_state(text)
    assert [run(SILENT, state, depth + 1, 0) for depth in range(len(counts))] == counts


@pytest.mark.usefixtures("speed")
def test_perft_of_russian_draughts() -> None:
    """Perft counts as many sequences as published: World Draughts Forum, thread 2822."""
    counts = [7, 49, 302, 1_469, 7_482, 37_986, 190_146, 929_899, 4_570_586][: 4 if is_plain_wanted() else 9]
    run = (lambda *args: perft(RUSSIAN, *args)) if is_plain_wanted() else kernel(perft, RUSSIAN)
    assert [run(SILENT, RUSSIAN.initial(), depth + 1, 0) for depth in range(len(counts))] == counts


def sides(fen: str) -> tuple[str, ...]:
    """A position in FEN of PDN, in which pieces may stand in any order."""
    turn, *listed = fen.rstrip(".").split(":")
    return (turn, *sorted(side[0] + ",".join(sorted(side[1:].split(","))) for side in listed))


@pytest.mark.parametrize(("game", "variant"), [(INTERNATIONAL, "standard"), (RUSSIAN, "russian")])
def test_games_are_played_as_pydraughts_plays_them(game: Flying, variant: str) -> None:
    """Every move with all that it takes and crowns, to the end of random games, in which kings fly."""
    chance, longest, flights = random.Random(7), 0, 0
    for _ in range(tries(8)):
        here = pg.Position.initial(game)
        while here.outcome is None:
            board, theirs = draughts.Board(variant, here.fen), set()
            for move in board.legal_moves():
                board.push(move)
                theirs.add(sides(board.fen))
                board.pop()
            ours = [sides(here.play(move).fen) for move in here.legal_moves]
            assert set(ours) == theirs and len(theirs) == len(ours), here.fen
            longest = max(longest, *(here.game.move_text(here.state, move).count("x") for move in here.legal_moves))
            flights += here.state.mine & here.state.kings != 0
            here = here.play(chance.choice(here.legal_moves))
    assert longest > 2 and flights > tries(8)


def moves(text: str) -> set[str]:
    """The legal moves of a position, as they are written."""
    state = INTERNATIONAL.parse_state(text)
    return {INTERNATIONAL.move_text(state, move) for move in INTERNATIONAL.moves(state)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("W:WK46:B37", "46x32 46x28 46x23 46x19 46x14 46x10 46x5"),  # a king comes down on any free square
        ("W:W28:B33,32,22,23", "28x17 28x19 28x37 28x39"),  # a man takes ahead and back
        ("W:W32:B27,28,19", "32x23x14"),  # most pieces must be taken
        ("W:WK47,32:B28,19,41", "32x23x14"),  # a king has no more right than a man
        ("W:WK23:B28,31,38,42", "23x32x43 23x32x49 23x37x26 23x37x48"),  # what was jumped still stands in the way
        ("W:W32,44:B10", "32-27 32-28 44-39 44-40"),  # a man steps ahead only
        ("W:WK47:B", "47-41 47-36 47-42 47-38 47-33 47-29 47-24 47-20 47-15"),  # a king flies
    ],
)
def test_rules(text: str, expected: str) -> None:
    """The rules of the FMJD, each by a small position."""
    assert moves(text) == set(expected.split())


def test_a_man_becomes_a_king_only_where_its_move_ends() -> None:
    """A man that passes the last row within a chain stays a man."""
    state = INTERNATIONAL.parse_state("W:W14:B9,8,18")
    (passing,) = INTERNATIONAL.moves(state)
    assert INTERNATIONAL.move_text(state, passing) == "14x3x12x23"
    assert INTERNATIONAL.play(state, passing).kings == 0
    crowned = INTERNATIONAL.parse_state("W:W32:B28,18,8")
    (move,) = INTERNATIONAL.moves(crowned)
    assert INTERNATIONAL.fen(INTERNATIONAL.play(crowned, move)) == "B:WK3:B"


@pytest.mark.parametrize(
    ("text", "word", "outcome", "quiet", "notice"),
    [
        ("x:xK1,K2,K3,K4:oK50:49", "1-6", 0, 50, "lack of captures and moves of men"),
        ("x:xK1,48:oK50,8:49", "48-43", None, 0, ""),  # a man's step begins the count anew
        ("x:xK1,K2,K3:oK50:31", "1-6", 0, 32, "the 16-move rule"),
        ("x:xK1,43,44:oK50:31", "43-38", 0, 32, "the 16-move rule"),  # ... but not in an end game
        ("x:x40,43,44:oK49:49", "43-38", None, 0, ""),  # three men are none
        ("x:xK1,K2:oK50:9", "1-6", 0, 10, "the 5-move rule"),
        ("x:xK1:oK50:9", "1-6", 0, 10, "the 5-move rule"),
        ("x:x40,8,39:oK15:49", "8-3", None, 0, ""),  # the end game begins with the crown
        ("o:xK2,30,49:oK35:20", "35x24", None, 0, "must jump"),  # five moves of two pieces are within the sixteen
        ("o:xK2,30,49:oK35:28", "35x24", None, 7, "must jump"),
    ],
)
def test_counts_that_end_a_game(text: str, word: str, outcome: int | None, quiet: int, notice: str) -> None:
    """25 moves of kings alone; 16 with three pieces against a king, 5 with one or two, whatever is moved."""
    here = pg.Position.starting(INTERNATIONAL, text).play(word)
    assert (here.outcome, here.state.quiet) == (outcome, quiet)
    assert not notice or INTERNATIONAL.notice_text(here.state) == notice


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("W:Wc3:Bd4,d6,f4", "c3xe5xc7 c3xe5xg3"),  # any chain, but to its end
        ("W:Wa5:Bb6,d8", "a5xc7"),
        ("W:Wf6:Be7,c7,h2", "f6xd8xb6 f6xd8xa5"),  # crowned in passing, it goes on as a king
        ("W:WKa1:Bd4,g5", "a1xf6xh4"),  # it comes down where it can go on
    ],
)
def test_rules_of_russian_draughts(text: str, expected: str) -> None:
    """The rules in which it differs."""
    state = RUSSIAN.parse_state(text)
    assert {RUSSIAN.move_text(state, move) for move in RUSSIAN.moves(state)} == set(expected.split())
    assert RUSSIAN.parse_state(RUSSIAN.fen(state)) == state


def test_counts_of_russian_draughts() -> None:
    """5 moves with two or three pieces and kings on both sides, 15 of kings alone."""
    few = pg.Position.starting(RUSSIAN, "x:xKa1,Kc1:oKh8:9")
    many = pg.Position.starting(RUSSIAN, "x:xKa1,Kc1,Ke1:oKh8:29")
    assert [here.play("c1-d2").outcome for here in (few, many)] == [0, 0]
    assert RUSSIAN.notice_text(few.play("c1-d2").state) == "the 5-move rule"
