"""Reasons that a move is not legal: from the rules of each game, in words, for every path on its board."""

import random

import chess
import pytest

import plyground as pg
from plyground.board.refusing import usual_refusal
from plyground.games import GAMES, game_named
from plyground.position import Position


def position_after(spec: str, before: str) -> Position:
    """The position that a text means: a state, or moves from the first position."""
    return Position.parse(game_named(spec), before) if before else Position.initial(game_named(spec))


@pytest.mark.parametrize(
    ("spec", "before", "move", "why"),
    [
        ("chess", "", "e2e5", "a pawn goes straight ahead, and captures one step slanting"),
        ("chess", "", "Nf6", "no knight of White can go to f6"),
        ("chess", "", "a1a3", "a1 and a3"),
        ("chess", "", "O-O", "something stands between king and rook"),
        ("chess", "", "e7e5", "the pawn on e7 is Black's"),
        ("chess", "4k3/8/8/8/7b/8/5N2/4K3 w - - 0 1", "Nd3", "the king would be in check"),
        ("chess", "4k3/8/8/8/7b/8/8/4K3 w - - 0 1", "Kf2", "the king would be in check on f2"),
        ("chess", "4k3/4r3/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O", "a king in check cannot castle"),
        ("chess", "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O", "the king would cross an attacked square"),
        ("chess", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8", "say what the pawn becomes, as in a8=Q"),
        ("draughts", "11-15 22-18", "8-11", "Black must jump"),
        ("draughts", "B:W6,15:B1", "1x10", "the chain of jumps must go on"),
        ("draughts", "B:W31:B14", "14-9", "a man goes ahead only"),
        ("tictactoe", "b2", "b2", "b2 is occupied"),
        ("connectfour", "d d d d d d", "4", "column d is full"),
        ("reversi", "", "a1", "a disc on a1 would turn over none"),
        ("ultimate", "e5", "a1", "o must play in the middle board"),
        ("kalah", "3", "3", "that pit is empty"),
        ("hex", "c3", "c3", "c3 is occupied"),
        ("morris", "d2 d6 f2 b6", "b2", "it must go on, as in b2x"),
        ("dotsandboxes", "a1b1", "a1b1", "that line is drawn"),
    ],
)
def test_reasons(spec: str, before: str, move: str, why: str) -> None:
    """Facts of the rules, in the sentence with which the move is refused."""
    here = position_after(spec, before)
    with pytest.raises(pg.BadInput, match=why):
        here.play(move)


@pytest.mark.parametrize(
    ("spec", "before", "path", "why"),
    [
        ("chess", "4k3/8/8/8/7q/8/8/R3K3 w - - 0 1", "a1 a2", "the rook on a1 cannot move; the king is in check"),
        ("chess", "4k3/8/8/8/7q/8/8/R3K3 w - - 0 1", "e1 f2", "the king would be in check on f2"),
        ("chess", "4k3/8/8/8/7b/8/5N2/4K3 w - - 0 1", "f2 d3", "the king would be in check"),
        ("chess", "4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1", "e2 d2", "the king would be in check"),
        ("chess", "4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1", "e2 e8", "the rook on e2 cannot go to e8"),
        ("chess", "4k3/4b3/8/8/8/8/4R3/4K3 w - - 0 1", "e2 d3", "the rook on e2 cannot go to d3"),
        ("chess", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "e1 e3", "the king on e1 cannot go to e3"),
        ("draughts", "11-15 22-18", "8 11", "Black must jump"),
        ("draughts", "11-15 22-18", "22 18", "nothing stands on 22"),
        ("draughts", "", "9 5", "a man of Black stands on 5"),
    ],
)
def test_usual_reasons(spec: str, before: str, path: str, why: str) -> None:
    """A published page says as much, for it has no other reasons."""
    here = position_after(spec, before)
    names = [place.name for place in here.board.places]
    found = usual_refusal(
        here.board, here.look(), here.to_move, [*here.paths.values()], [names.index(each) for each in path.split()]
    )
    assert found == why


@pytest.mark.parametrize("spec", [choice.name for choice in GAMES])
def test_every_path_has_a_reason(spec: str, seed: int) -> None:
    """Places that begin no legal move get a reason in one line; a path that begins one gets none."""
    chance, here = random.Random(seed), Position.initial(game_named(spec))
    for _ in range(8):
        paths, places = list(here.paths.values()), range(len(here.board.places))
        for path in [tuple(chance.choices(places, k=k)) for k in (1, 2, 2, 3)]:
            begins = any(each[: len(path)] == path for each in paths)
            why = here.refusal(path)
            assert bool(why) != begins and "\n" not in why and not why.endswith("."), (here.text, path, why)
        if here.outcome is None:
            here = here.play(chance.choice(here.legal_moves))


def test_checks_against_python_chess(seed: int) -> None:
    """The reason is a check exactly where python-chess has the move as pseudo-legal and not as legal."""
    chance, rules = random.Random(seed), pg.Chess()
    here, board = Position.initial(rules), chess.Board()
    for _ in range(80):
        legal = set(here.legal_texts)
        for move in [*board.pseudo_legal_moves]:
            if move.uci() not in legal and not board.is_castling(move):
                path = (rules.place(move.from_square), rules.place(move.to_square))
                why = here.refusal(path)
                assert "king" in why and "check" in why
                usual = usual_refusal(here.board, here.look(), here.to_move, [*here.paths.values()], path)
                assert "in check" in usual or board.is_en_passant(move), "published pages say it too"
        if here.outcome is not None:
            here, board = Position.initial(rules), chess.Board()
        here = here.play(chance.choice(here.legal_moves))
        board.push_uci(here.words[-1])
