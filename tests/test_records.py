"""Records of games, in PGN, PDN and SGF, held against readers and writers of others."""

import io
import random
import re
from base64 import b64encode
from dataclasses import replace

import chess.pgn
import draughts
import pytest
import sgfmill.sgf
from draughts.PDN import PDNReader, PDNWriter
from games import random_position
from test_record_files import records_in, wthor
from tries import tries

import plyground as pg
from plyground.games import GAMES, game_named
from plyground.play.formats import sgf
from plyground.play.notations import (
    forms,
    parse_pasted,
    player_tags,
    record_form,
    result_text,
    result_utility,
    result_word,
)
from plyground.play.record import ROOT, of_position
from plyground.position import Position
from plyground.web.views import records


def form(spec: str, here: Position, name: str) -> str:
    """A position in one notation."""
    return next(each.text for each in forms(spec, here) if each.name == name)


def annotated(chance: random.Random) -> chess.pgn.Game:
    """A random game with all that PGN has: variations in variations, comments, glyphs, clocks, a set-up position."""
    game = chess.pgn.Game()
    game.headers.update({"White": "O'Neil, Red", "Black": "Béla [2]", "Opening": "none"})
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
            nodes[-1].nags = set(chance.sample([1, 3, 14, 146], chance.choice([0, 0, 1, 2])))
            if chance.random() < 0.3:
                nodes[-1].set_clock(chance.choice([0, 7_199, 59.9, 180.25]))
            words = chance.choice(["", "", "good; or not", "(a) [b] 1. e4", "{"])
            nodes[-1].comment = f"{nodes[-1].comment} {words}".strip()
            if not nodes[-1].is_main_variation():
                nodes[-1].starting_comment = chance.choice(["", "better was"])
    game.headers["Result"] = game.end().board().result()
    return game


def test_pgn_of_others(seed: int) -> None:
    """Files of python-chess, of one game and of several, are read and written without loss, by its own reader."""
    chance = random.Random(seed)
    games = [annotated(chance) for _ in range(tries(12))]
    name, found = records_in("chess", "\n\n".join(map(str, games)))
    assert name == "chess" and len(found) == len(games)
    for game, record in zip(games, found, strict=True):
        assert record.tags == dict(game.headers) and record.result == game.headers["Result"]
        here = record.position(pg.Chess())
        assert here.words == [move.uci() for move in game.mainline_moves()]
        assert pg.Chess().parse_state(game.end().board().fen()) == here.state
        ours = record_form("chess", here, record).text
        theirs = chess.pgn.read_game(io.StringIO(ours))
        assert theirs is not None and not theirs.errors and str(theirs).split() == str(game).split()
        assert records_in("chess", ours)[1] == [record]
        assert parse_pasted("chess", str(game)).position == here


def test_a_tree_in_json(seed: int) -> None:
    """A page reads a game of a file as a table, and gets the same file back from it."""
    chance = random.Random(seed)
    games = [annotated(chance) for _ in range(3)]
    asked = records.ReadRecord(game="chess", text="\n\n".join(map(str, games)), number=1)
    told = records.read(records.ReadRecord.model_validate_json(asked.model_dump_json()))
    assert [each.plies for each in told.games] == [len(list(game.mainline_moves())) for game in games]
    assert told.games[1].players == {"x": "O'Neil, Red", "o": "Béla [2]"}
    whole = told.record.model_dump(include={"start", "tags", "comment", "result", "moves"})
    back = records.write(records.RecordText.model_validate({"game": "chess"} | whole))
    theirs = chess.pgn.read_game(io.StringIO(back.text))
    assert str(theirs).split() == str(games[1]).split() and back.ending == "pgn"
    with pytest.raises(pg.BadInput, match="below the one that it follows"):
        records.write(records.RecordText(game="chess", moves=[records.RecordRow(move="e2e4", after=0)]))


def test_pgn_for_others(seed: int) -> None:
    """python-chess reads what is written: the moves, the position they begin from, and the result."""
    chance = random.Random(seed)
    for _ in range(tries(20)):
        here = random_position(game_named("chess"), chance, chance.choice((0, 1, 9, 200)))
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
    for _ in range(tries(4)):
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
        assert parse_pasted("draughts", theirs).position.moves == here.moves
        ours = PDNReader(form("draughts", here, "pdn")).games[0]
        assert ours.variant == "english"
        assert Position.parse(here.game, " ".join(ours.moves)).moves == here.moves
        words = {draughts.BLACK: "1-0", draughts.WHITE: "0-1"}  # PDN 2.0 (draft of 2003), 6.1.1.1.1.5: 1-0 is Black's
        assert ours.tags["Result"] == words.get(board.winner(), "*" if here.outcome is None else "1/2-1/2")


def winner_read(text: str, ending: str) -> str:
    """The name of the player who has won, by the standard of a file: nothing of plyground is asked.

    PDN: 1-0 is Black's in English draughts (GameType 21), in the other kinds White's, who begins. PGN, 8.1.1.7: 1-0 is
    White's; where nobody is White, the tag that stands first is that of the player who begins.
    """
    if ending == "sgf":
        game = sgfmill.sgf.Sgf_game.from_string(text)
        return str(game.get_player_name(game.get_winner()))
    tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', text, re.MULTILINE))
    names = [tag for tag in tags if tags[tag] in ("Ann", "Bob")]
    first = "Black" if tags.get("GameType") == "21" else "White" if "White" in names else names[0]
    (second,) = set(names) - {first}
    return str(tags[first if tags["Result"] == "1-0" else second if tags["Result"] == "0-1" else "Result"])


@pytest.mark.parametrize("name", [choice.name for choice in GAMES.shipped])
def test_who_has_won(name: str, seed: int) -> None:
    """The winner is the same on the board, in the file as its standard reads it, and in the file as it is read back;
    a result for the other one is noticed."""
    chance, game = random.Random(seed), game_named(name)
    for _ in range(3):
        here = Position.initial(game)
        while here.outcome is None:
            here = here.play(chance.choice(here.legal_moves))
        record = of_position(here)
        record.tags = dict(zip(player_tags(game), ("Ann", "Bob"), strict=True))
        written = record_form(name, here, record, players=("Ann", "Bob"))
        (back,) = records_in(name, written.text)[1]
        won = 0 if not here.outcome else 1 if here.outcome > 0 else -1
        assert result_utility(game, back.result) == won and not back.remarks
        if won:
            assert winner_read(written.text, written.ending) == ("Ann" if won > 0 else "Bob")
            assert result_text(game, back.result) == f"{game.names[won < 0]} wins"
            wrong = record_form(name, here, replace(record, result=result_word(game, -won)))
            (mended,) = records_in(name, wrong.text)[1]
            assert mended.result == result_word(game, won)
            assert mended.remarks[0].startswith(f"{game.names[won < 0]} wins by the moves, and the record has")


@pytest.mark.parametrize(
    ("game", "text", "winner"),
    [
        # Programs of English draughts, CheckerBoard for one, put the side first that moves first, also in points.
        ("draughts", '[Black "A"]\n[White "B"]\n[Result "1-0"]\n\n1. 11-15 23-18 1-0', "Black"),
        ("draughts", '[Black "A"]\n[White "B"]\n[Result "0-1"]\n\n1. 11-15 23-18 0-1', "White"),
        ("draughts", '[GameType "21"]\n\n1. 11-15 23-18 2-0', "Black"),
        ("draughts", '[GameType "21"]\n\n1. 11-15 23-18 0-2', "White"),
        ("chess", "1. e4 e5 1-0", "White"),
        ("reversi", "1. f5 d6 1-0", "White"),  # PGN, as its standard has it, though Black moves first
        ("hex:5", "(;GM[11]SZ[5]RE[W+R];B[c3];W[b2])", "Blue"),
        ("gomoku", "(;GM[4]SZ[15];B[hh];W[ii];B[resign])", "White"),
        # Little Golem: PB begins, with W; RE is the colour of the winner's name.
        ("hex:5", "(;EV[hex.ld.1]PB[A]PW[B]SZ[5]RE[B]SO[http://www.littlegolem.com];W[cc];B[resign])", "Red"),
        ("hex:5", "(;EV[hex.ld.1]PB[A]PW[B]SZ[5]RE[W]SO[http://www.littlegolem.com];W[cc];B[bb];W[resign])", "Blue"),
        ("hex:5", "(;EV[hex.ld.1]PB[A]PW[B]SZ[5]SO[http://www.littlegolem.com];W[cc];B[bb];W[resign])", "Blue"),
    ],
)  # fmt: skip
def test_results_of_others(game: str, text: str, winner: str) -> None:
    """A result means the winner that the program which wrote it meant."""
    (record,) = records_in(game, text)[1]
    assert result_text(game_named(game), record.result) == f"{winner} wins" and not record.remarks


def test_whites_first_stone_is_white() -> None:
    """Where no file of Little Golem has W first, the colours are those of its names and its result."""
    (record,) = sgf.records("(;GM[4]SZ[15]PB[Ann]PW[Bob]RE[W+];W[hh];B[ii])")
    assert [move.mover for move in record.moves] == [1, 0]


@pytest.mark.parametrize("spec", ["gomoku", "hex:11", "hex:5,swap=true"])
def test_sgf_against_sgfmill(spec: str, seed: int) -> None:
    """sgfmill reads what is written, and what it writes is read."""
    chance = random.Random(seed)
    for plies in (0, 1, 2, 30):
        here = random_position(game_named(spec), chance, plies)
        game = sgfmill.sgf.Sgf_game.from_string(form(spec, here, "sgf"))
        assert game.get_size() == len(here.text.split("/"))
        nodes = game.get_main_sequence()[1:]
        raw = [("B" if node.has_property("B") else "W") for node in nodes]
        assert raw == ["BW"[here.game.to_move(state)] for state in here.states[:-1]]
        assert [node.get_raw(colour) for node, colour in zip(nodes, raw, strict=True)] == [
            re.findall(r"\[([^\]]*)\]", part)[0].encode() for part in form(spec, here, "sgf").split(";")[2:]
        ]
        back = parse_pasted(spec, game.serialise().decode()).position
        assert back == here


@pytest.mark.parametrize("spec", ["gomoku:9,9", "hex:7,swap=true"])
def test_sgf_trees(spec: str, seed: int) -> None:
    """Trees that sgfmill grows, with comments, glyphs, marks and clocks, are read and written without loss."""
    chance, rules = random.Random(seed), game_named(spec)
    for _ in range(tries(20)):
        tree = sgfmill.sgf.Sgf_game.from_string(record_form(spec, Position.initial(rules)).text)
        tree.root.set("PB", "O\\'Neil [1d]")
        nodes = [(tree.root, Position.initial(rules))]
        for _ in range(40):
            node, here = chance.choice(nodes)
            if here.outcome is None:
                here = here.play(chance.choice(here.legal_moves))
                new = node.new_child()
                raw = here.words[-1] if rules.record_tags == (("GM", "11"),) else sgf.value_of(here.words[-1], False)
                new.set_raw("BW"[here.game.to_move(here.states[-2])], b"swap-pieces" if raw == "swap" else raw.encode())
                if chance.random() < 0.4:
                    new.set("C", chance.choice(["good] or\nnot", "back\\slash", "a: b"]))
                    new.set("TE", 1)
                    new.set_raw("LB", b"aa:1" if rules.record_tags == (("GM", "4"),) else b"a1:1")
                nodes.append((new, here))
        text = tree.serialise().decode()
        _, (record,) = records_in(spec, text)
        assert not record.remarks and record.tags["Black"] == "O\\'Neil [1d]"
        ours = record_form(spec, record.position(rules), record).text
        again = sgfmill.sgf.Sgf_game.from_string(ours)
        assert plainly(tree.root) == plainly(again.root)
        assert records_in(spec, ours)[1] == [record]


def plainly(root: sgfmill.sgf.Tree_node) -> list[tuple[int, dict[str, list[bytes]]]]:
    """Every node with what it says, and how many follow it; those of the root that say which game it is left out."""
    found, left = [], [root]
    while left:
        node = left.pop()
        said = {name: node.get_raw_list(name) for name in node.properties() if name not in ("RE", "AP")}
        found.append((len(node), said))
        left += node
    return found


def test_tags_with_quotes() -> None:
    """Quotes and backslashes in a tag are read, with a backslash before them as the standard says, or without."""
    text = '[White "O\'Neil, \\"Red\\""]\n[Black "a \\\\ b"]\n[Event "the "big" one"]\n\n1. e4 *'
    _, (record,) = records_in("chess", text)
    assert record.tags == {"White": 'O\'Neil, "Red"', "Black": "a \\ b", "Event": 'the "big" one'}
    assert records_in("chess", record_form("chess", record.position(pg.Chess()), record).text)[1][0].tags.items() >= (
        record.tags.items()
    )


def test_sgf_with_variations() -> None:
    """The main line is the first of each branch; the other ones are beside it."""
    text = "(;GM[4]FF[4]SZ[15]C[a \\] b];B[hh];W[ih](;B[ii]C[good];W[gg])(;B[jj](;W[aa])(;W[bb])))"
    _, (record,) = records_in("gomoku", text)
    assert record.words() == ["h8", "i8", "i9", "g7"] and record.comment == "a ] b"
    assert [move.after for move in record.moves] == [ROOT, 0, 1, 2, 1, 4, 4]


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
        ("hex:5", "(;GM[11]SZ[5]PB[Ann]PW[Bob];B[a2];W[swap-sides];W[c3];B[d1])", "a2 c3 d1"),
        ("gomoku", "(;GM[4]SZ[15]AB[hh][hi]AW[ii:ij]PL[B];B[aa];W[ba])", None),
        ("reversi", "f5d6c3", "f5 d6 c3"),
        ("kalah", "1. 3 4 2. 2", "3 4 2"),
    ],
)
def test_read(spec: str, text: str, history: str | None) -> None:
    """Records as they are found, with what stands beside the moves."""
    here = parse_pasted(spec, text).position
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
        ("gomoku", "(;SZ[19];B[aa])", "a board of 19 rows and 19 columns; this one has 15 and 15"),
        ("gomoku", "(;GM[11];B[aa])", "is of Hex"),
        ("gomoku", "(;GM[4];B[aa];B[ab])", "^Move 2: White is to move, not Black: a2"),
        ("gomoku", "(;GM[4];B[zz])", "^Move 1: "),
        ("gomoku", "(;GM[4]AB[t20];B[aa])", "outside the board"),
        ("gomoku", "(;GM[4];B[aa]", r"^The record is cut off after move 1: 1 \) is missing"),
        ("chess", "(;GM[1];B[aa])", r"^This is Go \(GM 1\); records in SGF are of Gomoku \(GM 4\) and Hex \(GM 11\)"),
    ],
)
def test_refused(spec: str, text: str, said: str) -> None:
    """One sentence says which move is wrong, and why."""
    with pytest.raises(pg.BadInput, match=said) as caught:
        parse_pasted(spec, text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [pytest.param(part * 10_000, id=part) for part in ("((", "{{", '[A "', "$$", "(;", "(;B[aa]", "(;C[a]", "1. e4 (")],
)
def test_long_texts(text: str) -> None:
    """The time is linear in the text, and the depth of variations has no limit of its own."""
    for spec in ("chess", "gomoku"):
        with pytest.raises(pg.BadInput):
            parse_pasted(spec, text)
    nested = "1. e4 " + "(1. d4 " * 5_000 + ")" * 5_000
    assert parse_pasted("chess", nested).position.words == ["e2e4"]


def test_forced_passes_are_left_out() -> None:
    """A record of Reversi has the squares alone."""
    chance = random.Random(3)
    here = next(
        game
        for game in iter(lambda: random_position(game_named("reversi:6"), chance, 60), None)
        if "pass" in game.words
    )
    assert "pass" not in form("reversi:6", here, "cells")
    assert parse_pasted("reversi:6", form("reversi:6", here, "cells")).position.words[: here.words.index("pass") + 2]


def test_a_file_of_wthor() -> None:
    """WTHOR comes in Base64, in place of a text; a file cut off is read up to the cut, one without a game refused."""
    data = b64encode(wthor([["f5", "d6"], ["f5", "f6"]])).decode()
    told = records.read(records.ReadRecord(game="chess", text="", wthor=data, number=1))
    assert told.game == "reversi" and [head.plies for head in told.games] == [2, 2]
    assert [row.move for row in told.record.moves] == ["f5", "f6"] and told.record.players["x"] == "player 0"
    cut = records.read(records.ReadRecord(game="chess", text="", wthor=data[:-4], number=1))
    assert "cut off" in cut.record.faults[0] and [row.move for row in cut.record.moves] == ["f5", "f6"]
    for wrong, said in ((data[:-1], "not whole"), (b64encode(wthor([])).decode(), "no game")):
        with pytest.raises(pg.BadInput, match=said):
            records.read(records.ReadRecord(game="chess", text="", wthor=wrong))
