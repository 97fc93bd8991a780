"""Records of games, in PGN, PDN and SGF, held against readers and writers of others."""

import io
import random
import re

import chess.pgn
import draughts
import pytest
import sgfmill.sgf
from draughts.PDN import PDNReader, PDNWriter

import plyground as pg
from plyground.games import game_named
from plyground.play import pgn, sgf
from plyground.play.notations import forms, pasted, played
from plyground.position import Position


def at_random(spec: str, chance: random.Random, plies: int = 60) -> Position:
    """A position of a random game."""
    here = Position.initial(game_named(spec))
    while here.outcome is None and len(here.moves) < plies:
        here = here.play(chance.choice(here.legal_moves))
    return here


def form(spec: str, here: Position, name: str) -> str:
    """A position in one notation."""
    return next(each.text for each in forms(spec, here) if each.name == name)


def annotated(chance: random.Random) -> chess.pgn.Game:
    """A random game with all that PGN has: variations in variations, comments, glyphs, clocks, a set-up position."""
    game = chess.pgn.Game({"White": 'O\'Neil, "Red"', "Black": "back\\slash"})
    board = chess.Board()
    if chance.random() < 0.5:
        for _ in range(chance.randrange(1, 20)):
            board.push(chance.choice(list(board.legal_moves)))
        game.setup(board)
    nodes: list[chess.pgn.GameNode] = [game]
    for _ in range(60):
        node = chance.choice(nodes[-3:]) if chance.random() < 0.2 else nodes[-1]
        moves = [move for move in node.board().legal_moves if not node.has_variation(move)]
        if moves:
            nodes.append(node.add_variation(chance.choice(moves)))
            nodes[-1].comment = chance.choice(["", "", "good; or not", "(a) [b] 1. e4", "{"])
            nodes[-1].nags = set(chance.sample([1, 3, 14, 146], chance.choice([0, 0, 1, 2])))
            if chance.random() < 0.3:
                nodes[-1].set_clock(chance.randrange(7_200))
    game.headers["Result"] = game.end().board().result()
    return game


def counted(steps: list[pgn.RecordedMove]) -> tuple[int, int, int]:
    """The moves, glyphs and comments of a line and all its variations."""
    lines, found = [steps], [0, 0, 0]
    while lines:
        for step in lines.pop():
            lines += step.variations
            found = [found[0] + 1, found[1] + len(step.glyphs), found[2] + len(step.comments)]
    return found[0], found[1], found[2]


def nodes_of(game: chess.pgn.Game) -> list[chess.pgn.ChildNode]:
    """The same by the judge."""
    found, left = list[chess.pgn.ChildNode](), list(game.variations)
    while left:
        found.append(left.pop())
        left += found[-1].variations
    return found


def test_pgn_of_others(seed: int) -> None:
    """Files of python-chess, of one game and of several, are read: tags, main line, and all beside it."""
    chance = random.Random(seed)
    games = [annotated(chance) for _ in range(40)]
    found = pgn.records("\n\n".join(map(str, games)))
    assert len(found) == len(games)
    for game, record in zip(games, found, strict=True):
        assert record.tags == dict(game.headers) and record.result == game.headers["Result"]
        here = played(pg.Chess(), record)
        assert here.words == [move.uci() for move in game.mainline_moves()]
        assert pg.Chess().parse_state(game.end().board().fen()) == here.state
        nodes = nodes_of(game)
        comments = sum(bool(node.comment) for node in nodes)
        assert counted(record.moves) == (len(nodes), sum(len(node.nags) for node in nodes), comments)
        assert pasted("chess", str(game)).position == here


def test_pgn_for_others(seed: int) -> None:
    """python-chess reads what is written: the moves, the position they begin from, and the result."""
    chance = random.Random(seed)
    for _ in range(20):
        here = at_random("chess", chance, chance.choice((0, 1, 9, 200)))
        here = Position(here.game, here.states[len(here.moves) // 3], here.moves[len(here.moves) // 3 :])
        game = chess.pgn.read_game(io.StringIO(form("chess", here, "pgn")))
        assert game is not None and not game.errors
        assert [move.uci() for move in game.mainline_moves()] == here.words
        assert here.game.parse_state(game.end().board().fen()) == here.state
        wanted = {None: "*", 1: "1-0", 0: "1/2-1/2", -1: "0-1"}[here.outcome]
        assert game.headers["Result"] == wanted
        assert form("chess", here, "fen").split()[:4] == game.end().board().fen().split()[:4]


def test_pdn_against_pydraughts(seed: int) -> None:
    """Games are the same in PDN of ours and of pydraughts, and so is FEN."""
    chance = random.Random(seed)
    for _ in range(3):
        board = draughts.Board(variant="english")
        here = Position.initial(pg.Draughts())
        while here.outcome is None and len(here.moves) < 120:
            moves = board.legal_moves()
            assert len(moves) == len(here.legal_moves)
            board.push(chance.choice(moves))
            here = here.play(board.move_stack[-1].pdn_move)
            assert here.game.parse_state(board.fen)._replace(quiet=0) == here.state._replace(quiet=0)
            assert draughts.Board("english", here.game.fen(here.state)).fen == board.fen
        theirs = PDNWriter("", board=board, tags={"White": "Ann"}).pdn_text
        assert pasted("draughts", theirs).position.moves == here.moves
        ours = PDNReader(form("draughts", here, "pdn")).games[0]
        assert ours.variant == "english"
        assert Position.parse(here.game, " ".join(ours.moves)).moves == here.moves


@pytest.mark.parametrize("spec", ["gomoku", "hex:11", "hex:5,swap=true"])
def test_sgf_against_sgfmill(spec: str, seed: int) -> None:
    """sgfmill reads what is written, and what it writes is read."""
    chance = random.Random(seed)
    for plies in (0, 1, 2, 30):
        here = at_random(spec, chance, plies)
        game = sgfmill.sgf.Sgf_game.from_string(form(spec, here, "sgf"))
        assert game.get_size() == len(here.text.split("/"))
        nodes = game.get_main_sequence()[1:]
        raw = [("B" if node.has_property("B") else "W") for node in nodes]
        assert raw == ["BW"[here.game.to_move(state)] for state in here.states[:-1]]
        assert [node.get_raw(colour) for node, colour in zip(nodes, raw, strict=True)] == [
            re.findall(r"\[([^\]]*)\]", part)[0].encode() for part in form(spec, here, "sgf").split(";")[2:]
        ]
        back = pasted(spec, game.serialise().decode()).position
        assert back == here


def test_sgf_with_variations() -> None:
    """The main line is the first of each branch; the other ones are beside it."""
    text = "(;GM[4]FF[4]SZ[15]C[a \\] b];B[hh];W[ih](;B[ii]C[good];W[gg])(;B[jj](;W[aa])(;W[bb])))"
    assert pasted("gomoku", text).position.words == ["h8", "i8", "i9", "g7"]
    record = sgf.records(text)[0]
    assert counted(record.moves) == (7, 0, 1) and record.comments == ["a ] b"]


@pytest.mark.parametrize(
    ("spec", "text", "history"),
    [
        (
            "chess",
            '[Event "x"]\n\n1. e4! {best; by test} e5 $1 (1... c5 (1... c6) 2. Nf3) 2. Nf3?! *',
            "e2e4 e7e5 g1f3",
        ),
        ("chess", "1.e4 e5 2.Nf3 Nc6 ; a line\n3.Bb5 a6 1-0\n\n1.d4 d5", "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6"),
        ("chess", "1. e4 {[%clk 0:03:00]} 1... e5 {[%eval 0.2] [%clk 0:03:00]} 2. f4 1/2-1/2", "e2e4 e7e5 f2f4"),
        ("draughts", "1. 11-15 23-19 2. 9-14 22-17 3. 6-9 17-13 2-0", "11-15 23-19 9-14 22-17 6-9 17-13"),
        ("draughts", '[GameType "21"]\n1. 11-15 22-18 2. 15x22 25x18 1-0', "11-15 22-18 15x22 25x18"),
        ("hex:5", "(;FF[4]GM[11]SZ[5];B[c3];W[B2];B[d1])", "c3 b2 d1"),
        ("hex:5,swap=true", "(;GM[11]SZ[5];B[a2];W[swap-pieces];B[c3])", "a2 swap c3"),
        ("gomoku", "(;GM[4]SZ[15]AB[hh][hi]AW[ii:ij]PL[B];B[aa];W[ba])", None),
        ("reversi", "f5d6c3", "f5 d6 c3"),
        ("kalah", "1. 3 4 2. 2", "3 4 2"),
    ],
)
def test_read(spec: str, text: str, history: str | None) -> None:
    """Records as they are found, with what stands beside the moves."""
    here = pasted(spec, text).position
    assert history is None or here.history == history
    assert here.moves


@pytest.mark.parametrize(
    ("spec", "text", "said"),
    [
        ("chess", "1. e4 e5 2. Nf6", "^Move 2. Nf6: 'Nf6' is not a move here"),
        ("chess", '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n1. e4', "each side has one king"),
        ("chess", "1. e4 (1. d4 e5", "^Move 1: a variation begins with"),
        ("chess", "1. e4 e5) 2. d4", "^After move 2: a variation ends with"),
        ("draughts", "1. 11-15 23-19 2. 9-18", "^Move 2. 9-18: '9-18' is not a move here"),
        ("gomoku", "(;GM[4]SZ[19];B[aa])", "a board of 19 rows and 19 columns; this one has 15 and 15"),
        ("gomoku", "(;GM[11];B[aa])", "is of Hex"),
        ("gomoku", "(;GM[4];B[aa];B[ab])", "^Move 2, a2: White is to move, not Black"),
        ("gomoku", "(;GM[4];B[zz])", "^Move 1: "),
        ("gomoku", "(;GM[4]AB[t20];B[aa])", "outside the board"),
        ("gomoku", "(;GM[4];B[aa]", "not SGF"),
        ("chess", "(;GM[1];B[aa])", "of Hex or Gomoku"),
    ],
)
def test_refused(spec: str, text: str, said: str) -> None:
    """One sentence says which move is wrong, and why."""
    with pytest.raises(pg.BadInput, match=said) as caught:
        pasted(spec, text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text", ["(" * 20_000, "{" * 20_000, '[A "' * 10_000, "1. " * 20_000, "$" * 20_000, "(;" * 20_000]
)
def test_long_texts(text: str) -> None:
    """The time is linear in the text, and the depth of variations has no limit of its own."""
    for spec in ("chess", "gomoku"):
        with pytest.raises(pg.BadInput):
            pasted(spec, text)
    nested = "1. e4 " + "(1. d4 " * 5_000 + ")" * 5_000
    assert pasted("chess", nested).position.words == ["e2e4"]


def test_forced_passes_are_left_out() -> None:
    """A record of Reversi has the squares alone."""
    chance = random.Random(3)
    here = next(game for game in iter(lambda: at_random("reversi:6", chance), None) if "pass" in game.words)
    assert "pass" not in form("reversi:6", here, "cells")
    assert pasted("reversi:6", form("reversi:6", here, "cells")).position.words[: here.words.index("pass") + 2]
