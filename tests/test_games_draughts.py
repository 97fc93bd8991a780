"""English draughts, held against published counts and against a slow twin in the words of the rules."""

import random

import pytest
from tries import tries

import plyground as pg
from plyground.compiled.kernel import is_plain_wanted, kernel
from plyground.games.dark_squares import DraughtsState
from plyground.search.observer import SILENT
from plyground.search.perft import perft

GAME = pg.Draughts()
# Aart Bik, "Computing deep perft and divide numbers for checkers", ICGA Journal 35 (2012).
PERFT = [7, 49, 302, 1_469, 7_361, 36_768, 179_740, 845_931, 3_963_680, 18_391_564]


@pytest.mark.usefixtures("speed")
def test_perft() -> None:
    """As many sequences as published."""
    run = (lambda *args: perft(GAME, *args)) if is_plain_wanted() else kernel(perft, GAME)
    counts = PERFT[:5] if is_plain_wanted() else PERFT
    assert [run(SILENT, GAME.initial(), depth + 1, 0) for depth in range(len(counts))] == counts


# The twin: a dict from (row, column) to "x", "X", "o" or "O".
Pieces = dict[tuple[int, int], str]


def number(row: int, column: int) -> int:
    """The number of a dark square, from 1 at the top left."""
    return 4 * row + column // 2 + 1


def directions(piece: str) -> list[tuple[int, int]]:
    """Where a piece may go: a man of x down."""
    rows = [1] if piece == "x" else [-1] if piece == "o" else [1, -1]
    return [(row, column) for row in rows for column in (1, -1)]


def chains(
    pieces: Pieces, at: tuple[int, int], trail: list[tuple[int, int]]
) -> list[tuple[list[tuple[int, int]], Pieces]]:
    """Every whole chain of jumps of the piece there, with what is left on the board after it."""
    piece, found = pieces[at], []
    for down, right in directions(piece):
        over, to = (at[0] + down, at[1] + right), (at[0] + 2 * down, at[1] + 2 * right)
        other = pieces.get(over, piece)
        if other.lower() != piece.lower() and to not in pieces and 0 <= to[0] < 8 and 0 <= to[1] < 8:
            after = {place: each for place, each in pieces.items() if place not in (at, over)} | {to: piece}
            if piece.islower() and to[0] == (7 if piece == "x" else 0):
                found.append(([*trail, to], after | {to: piece.upper()}))
            else:
                found += chains(after, to, [*trail, to])
    return found or ([(trail, pieces)] if len(trail) > 1 else [])


def moves_of(pieces: Pieces, mover: str) -> dict[str, Pieces]:
    """The legal moves as they are written, and what they lead to."""
    own = [place for place, piece in pieces.items() if piece.lower() == mover]
    jumps = [chain for place in own for chain in chains(pieces, place, [place])]
    if jumps:
        return {"x".join(f"{number(*place)}" for place in trail): after for trail, after in jumps}
    found = {}
    for place in own:
        for down, right in directions(pieces[place]):
            to = (place[0] + down, place[1] + right)
            if to not in pieces and 0 <= to[0] < 8 and 0 <= to[1] < 8:
                crowned = to[0] == (7 if mover == "x" else 0)
                after = {each: piece for each, piece in pieces.items() if each != place}
                after[to] = pieces[place].upper() if crowned else pieces[place]
                found[f"{number(*place)}-{number(*to)}"] = after
    return found


def placed(state: DraughtsState) -> Pieces:
    """A position of ours as the twin has it, by what is drawn of it."""
    look = zip(GAME.board().places, GAME.look(state).pieces, strict=True)
    return {(int(place.y), int(place.x)): piece.text or piece.owner for place, piece in look if piece}


def test_games_are_played_as_the_twin_plays_them() -> None:
    """Every move with all that it takes and crowns, to the end of random games; chains of three jumps and kings'
    chains come up in them, and a king that takes two ways round to the same squares.
    """
    chance, longest, ends, rounds = random.Random(5), 0, 0, 0
    for _ in range(tries(40)):
        state, mover = GAME.initial(), "x"
        for _ in range(200):
            pieces = placed(state)
            twin = moves_of(pieces, mover)
            if state.quiet >= 80:
                assert GAME.outcome(state) == 0
                break
            assert (GAME.outcome(state) == pg.ONGOING) == bool(twin)
            if not twin:
                assert GAME.outcome(state) == (-1 if mover == "x" else 1)
                ends += 1
                break
            legal = list(GAME.moves(state))
            ours = {GAME.move_text(state, move): move for move in legal}
            assert ours.keys() == twin.keys() and len(ours) == len(legal), GAME.text(state)
            for text, move in ours.items():
                assert placed(GAME.play(state, move)) == twin[text], f"{text} in {GAME.text(state)}"
            longest = max(longest, *(text.count("x") for text in twin))
            rounds += len({text.rpartition("x")[2] for text in twin}) < len(twin)
            text = chance.choice(sorted(twin))
            state, mover = GAME.play(state, ours[text]), "o" if mover == "x" else "x"
    assert longest >= 3 and ends > tries(20) and rounds


def test_a_king_goes_round_a_square_both_ways() -> None:
    """A ring of four jumps ends where it began, and both ways round are moves of their own; a man that is crowned
    stops.
    """
    ring = GAME.parse_state("x:xK3:o7,8,15,16")
    found = {GAME.move_text(ring, move) for move in GAME.moves(ring)}
    assert found == {"3x12x19x10x3", "3x10x19x12x3"}
    assert all(GAME.play(ring, move).mine == 0 for move in GAME.moves(ring))
    crowned = GAME.parse_state("x:x22:o26,27,18")
    assert [GAME.move_text(crowned, move) for move in GAME.moves(crowned)] == ["22x31"]


def test_eighty_quiet_plies_are_a_draw_and_do_not_count_for_what_comes_again() -> None:
    """A jump or a man's move begins the count anew."""
    state = GAME.parse_state("x:xK1,14:oK32:79")
    king, man = GAME.parse_move(state, "1-5"), GAME.parse_move(state, "14-17")
    assert GAME.outcome(GAME.play(state, king)) == 0
    assert GAME.play(state, man).quiet == 0
    assert GAME.repetition_key(state) == GAME.parse_state("x:xK1,14:oK32:3")._replace(quiet=0)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("x:x33:o1", "there is no square 33"),
        ("x:x30:o20", "write K30"),
        ("x:x1:o1", "two pieces"),
        ("1,2,3", "who is to move"),
    ],
)
def test_what_is_no_position_is_met_with_a_sentence(text: str, part: str) -> None:
    """What is wrong, and how it is written."""
    with pytest.raises(pg.BadInput, match=part):
        GAME.parse_state(text)


def test_a_chain_may_be_named_by_its_ends() -> None:
    """Where one chain has them; else it is written whole."""
    state = GAME.parse_state("x:x1:o6,15")
    assert GAME.move_text(state, GAME.parse_move(state, "1x19")) == "1x10x19"
    with pytest.raises(pg.BadInput, match="Legal moves: 1x10x19"):
        GAME.parse_move(state, "1-5")
