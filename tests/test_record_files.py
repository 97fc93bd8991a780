"""Files of games as they are found elsewhere: several games, variations, clocks, names beside them."""

import struct
from pathlib import Path

import pytest

import plyground as pg
from plyground.play.formats import sgf
from plyground.play.formats.unread_formats import NOT_READ
from plyground.play.notations import parse_pasted, record_form
from plyground.play.record import Record
from plyground.play.record_file import Records

LICHESS = """[Event "Rated Blitz game"]
[Site "https://lichess.org/abcdefgh"]
[Date "2026.01.02"]
[White "ann"]
[Black "bob"]
[Result "1-0"]
[WhiteElo "1500"]
[TimeControl "180+2"]
[Termination "Normal"]

1. e4 { [%eval 0.17] [%clk 0:03:00] } 1... e5 { [%eval 0.19] [%clk 0:03:00] } 2. Bc4 { [%clk 0:02:58] }
2... Nf6?! { (0.19 → 0.83) Inaccuracy. Nc6 was best. } { [%clk 0:02:55] } (2... Nc6 3. d3 (3. Nf3 Bc5) 3... Bc5)
3. Qh5? { [%clk 0:02:50] } 3... Nc6?? { [%clk 0:02:51] } 4. Qxf7# { [%clk 0:02:49] } 1-0


[Event "?"]
[White "Kasparov, G"]
[Black "NN"]
[Result "*"]
[SetUp "1"]
[FEN "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 20"]

{ From a set-up position } 20... O-O-O $1 21. O-O ( 21. -- Rd2 { the threat } ) *
"""


def records_in(spec: str, text: str) -> tuple[str, list[Record]]:
    """The game of a text, and its records as the rules read them."""
    games = Records.of_text(text, spec)
    return games.spec, list(games)


def test_pgn_as_it_is_found() -> None:
    """Clocks and evaluations, variations in variations, a set-up position, a null move, comments in every place."""
    name, (first, second) = records_in("chess", LICHESS)
    assert name == "chess" and first.tags["TimeControl"] == "180+2" and first.position(pg.Chess()).reason == "checkmate"
    assert [move.clock for move in first.moves if move.clock] == [180, 180, 178, 175, 170, 171, 169]
    assert first.moves[0].comment == "[%eval 0.17]" and first.moves[3].glyphs == [6]
    lines = [[first.moves[row].notation for row in first.line_to(end)] for end in (6, 7)]
    assert lines == [["e4", "e5", "Bc4", "Nc6", "d3", "Bc5"], ["e4", "e5", "Bc4", "Nc6", "Nf3"]] or len(lines) == 2
    assert second.comment == "From a set-up position" and second.words() == ["e8c8", "e1g1"]
    assert [move.word for move in second.moves] == ["e8c8", "e1g1", "--", "d8d2"] and not second.remarks


@pytest.mark.parametrize(
    ("spec", "text", "game", "words"),
    [
        ("tictactoe", "(;FF[4]EV[hex.mc]PB[Ann]PW[Bob]SZ[5]GM[11];B[ab];W[swap];B[cc];W[resign])", "hex:5,swap=true",
         "a2 swap c3"),
        ("hex", "(;FF[4]EV[hex.ch]PB[Ann]PW[Bob]SZ[13]RE[B];W[am];B[swap];W[de];B[gg];W[resign])", "hex:13,swap=true",
         "a13 swap d5 g7"),
        ("hex", "(;GM[4]SZ[19]PB[a]PW[b];B[jj];W[kk](;B[jk]C[a])(;B[kj]))", "gomoku:19,19", "j10 k11 j11"),
        ("reversi", "f5d6c3d3c4\nf5f6e6f4", "reversi", "f5 d6 c3 d3 c4"),
        ("connectfour", "44435\n1234", "connectfour", "d d d c e"),
        ("kalah", "1. 3 4 2. 2", "kalah", "3 4 2"),
        ("draughts", '[Event "a"]\n[GameType "21"]\n\n1. 11-15 {first} 23-19 (1... 22-18 2. 15x22 25x18) 2. 9-14 2-0',
         "draughts", "11-15 23-19 9-14"),
        ("nim", '[Game "connectfour:5,4,3"]\n[Red "a"]\n\n1. c c 2. b *', "connectfour:5,4,3", "c c b"),
    ],
)  # fmt: skip
def test_files_of_other_games(spec: str, text: str, game: str, words: str) -> None:
    """A file that names its game is of that one; of a list, each line is a game."""
    name, found = records_in(spec, text)
    assert name == game and " ".join(found[0].words()) == words


def wthor(games: list[list[str]]) -> bytes:
    """A file of games as the format's description has it."""
    head = struct.pack("<BBBBIHHBBBB", 20, 26, 11, 25, len(games), 0, 2026, 8, 0, 0, 0)
    bodies = [bytes(10 * int(word[1]) + ord(word[0]) - 96 for word in words).ljust(60, b"\0") for words in games]
    return head + b"".join(struct.pack("<HHHBB", 1, 0, 1, 40, 38) + body for body in bodies)


def test_players_that_are_not_known() -> None:
    """They are question marks, as in PGN."""
    assert '[White "?"]\n[Black "?"]' in record_form("chess", pg.Position.initial("chess").play("e4")).text


def test_wthor(tmp_path: Path) -> None:
    """Games with the names that are in the files beside them; a forced pass is put in; a short file is refused."""
    here = pg.Position.parse(pg.Reversi(), "f5 d6 c5 f4 e7 f6 g5 e6 e3")
    (tmp_path / "WTH_2026.wtb").write_bytes(wthor([here.words, ["f5", "f6"]]))
    people = bytes(16) + "Ann".encode("latin-1").ljust(20, b"\0") + "Béla".encode("latin-1").ljust(20, b"\0")
    (tmp_path / "WTHOR.JOU").write_bytes(people)
    (tmp_path / "WTHOR.TRN").write_bytes(bytes(16) + bytes(26) + b"Open".ljust(26, b"\0"))
    games = Records.of_file(tmp_path / "WTH_2026.wtb")
    found = [each.written for each in games.games()]
    assert games.spec == "reversi" and [len(each.moves) for each in found] == [9, 2]
    assert games[0].position(games.rules) == here
    expected = {"Event": "Open", "Date": "2026.??.??", "Black": "Ann", "White": "Béla"}
    assert found[0].tags == expected | {"BlackDiscs": "40", "WhiteDiscs": "24"} and found[0].result == "0-1"
    (tmp_path / "cut.wtb").write_bytes(wthor([here.words])[:-1])
    (cut,) = pg.read_records(tmp_path / "cut.wtb")
    assert cut.words() == here.words[:-1] + here.words[-1:] and "1 games take 84 bytes, and it has 83" in cut.faults[0]


def test_endings(tmp_path: Path) -> None:
    """The ending names the game where the text does not; Latin-1 is read as well."""
    (tmp_path / "a.pgn").write_bytes(LICHESS.replace("ann", "Béla").encode("latin-1", "replace"))
    games = Records.of_file(tmp_path / "a.pgn")
    assert games.spec == "chess" and games[0].tags["White"] == "Béla"
    assert pg.read_records(tmp_path / "a.pgn")[0].words()[-1] == "h5f7"
    (tmp_path / "a.txt").write_text("44435", encoding="utf-8")
    assert pg.read_records(tmp_path / "a.txt", "connectfour")[0].words() == list("dddce")
    assert pg.read_records(tmp_path / "a.txt").spec == "connectfour"


def test_sides_that_are_exchanged() -> None:
    """The stone stays, the same side is to move, and each name is that of the side which its player has then."""
    text = "(;GM[11]SZ[5]PB[Ann]PW[Bob];B[a2];W[swap-sides];W[c3];B[d1])"
    (record,) = sgf.records(text)
    assert [(each.word, each.mover) for each in record.moves] == [("a2", 0), ("c3", 1), ("d1", 0)]
    assert (record.tags["Black"], record.tags["White"]) == ("Bob", "Ann")
    assert record.remarks == ["swap-sides is left out: the names are of the sides after it."]


def test_discs_that_the_moves_refute(tmp_path: Path) -> None:
    """A game that White has won by its moves, in a file that gives Black 40 discs: neither result nor discs stay."""
    end = pg.Position.initial(pg.Reversi())
    while end.outcome is None:
        end = end.play(end.legal_moves[0])
    words = [word for word in end.words if word != "pass"]
    assert end.outcome < 0
    (tmp_path / "a.wtb").write_bytes(wthor([words]))
    game = Records.of_file(tmp_path / "a.wtb").game_at(0)
    assert game.written.result == "0-1" and game.written.tags["BlackDiscs"] == "40"  # Black's win, as Othello has it
    read = game.read()
    assert read.result == "1-0" and not any("Discs" in name for name in read.tags) and read.remarks


# -- formats that name their game --------------------------------------------------------------------------------------

MIDDLE = f"{'-' * 24} ---O*--- ---*O--- {'-' * 24}"
GGF = (
    "(;GM[Othello]PC[GGS/os]DT[2026.01.02_03:04:05.UTC]PB[Ann]PW[Bob]RB[1500.5]RW[1400]TI[05:00//02:00]TY[8]"
    f"RE[-4.00:r]BO[8 {MIDDLE} *]B[F5/1.20/0.5]W[D6//2]B[c3/-3];)"
)


def test_ggf() -> None:
    """Several games in a line, with the names of the properties as Buro's description of GGF has them."""
    games = Records.of_text(f"2 {GGF} {GGF}\n\n{GGF}")
    first, *others = games
    assert (games.kind, games.spec, len(others), first.faults) == ("ggf", "reversi", 2, [])
    assert first.words() == ["f5", "d6", "c3"] and first.result == "1-0"  # White has won, whose number stands first
    assert first.tags.items() >= {"Black": "Ann", "White": "Bob", "BlackElo": "1500.5", "Site": "GGS/os"}.items()
    assert [move.comment for move in first.moves] == ["expected 1.20, 0.5 s", "2 s", "expected -3"]
    assert parse_pasted("tictactoe", GGF).position == pg.Position.parse("reversi", "f5 d6 c3")


def test_ggf_from_other_positions() -> None:
    """Games in GGF have boards of any size, White to move first, and passes written or left out."""
    (large,) = Records.of_text("(;GM[Othello]TY[10]B[e4];)")
    assert large.game == "reversi:10" and large.words() == ["e4"] and not large.faults
    side = f"{'-' * 24} ---*O--- ---O*--- {'-' * 24}"
    (turned,) = Records.of_text(f"(;GM[Othello]BO[8 {side} O]W[F5];)")
    assert turned.position(pg.Reversi()).text.endswith("...xo.../...ooo../......../......../........:x")
    (komi,) = Records.of_text("(;GM[Othello]TY[8k]KB[f5/2]KW[f5/3]KM[2.5]B[f5];)")
    assert komi.words() == ["f5"] and "a komi of 2.5" in komi.remarks[0]
    here = pg.Position.parse("reversi", "d3 c3 e6 d2 d1 e1 b2 c1 pass a3")
    assert "pass" in here.words
    moves = [f"{'BW'[ply % 2]}[{word}]" for ply, word in enumerate(here.words)]
    for written in (
        moves,
        [move for move in moves if "pass" not in move],
        [move.replace("pass", "PA") for move in moves],
    ):
        (record,) = Records.of_text(f"(;GM[Othello]TY[8]{''.join(written)};)")
        assert record.words() == here.words and not record.faults, written


def test_boards_of_othello_in_lines() -> None:
    """Lines of NBoard and Edax, and of OBF with the worth of moves, all give the same position."""
    start = pg.Position.initial("reversi")
    for text in ("OX------XO", "O*------*O", "ox------xo", "OX......XO"):
        for mover in (" X", " *", "X"):
            line = f"{'-' * 27}{text}{'-' * 27}{mover}"
            assert parse_pasted("chess", line).position == start, line
    line = f"{'-' * 27}OX------XO{'-' * 27} X; F5:+2; D3:-1;"
    games = Records.of_text(f"% two\n{line} % the first\n\n{line.replace(' X', ' O')}\nno board\n")
    first, second, bad = games
    assert games.kind == "obf" and first.other == {"moves": ["F5:+2", "D3:-1"]} and first.comment == "the first"
    assert second.position(pg.Reversi()).to_move == 1 and "Line 5 is no board" in bad.faults[0]


@pytest.mark.parametrize(
    ("link", "game", "words", "result"),
    [
        ("https://hexworld.org/board/#11c1,a1b2,c3", "hex:11", "a1 b2 c3", ""),
        ("hexworld.org/board/#5nr2mc1,b1:sc3:rb", "hex:5,swap=true", "b1 swap c3", "W+Resign"),
        ("https://www.hexworld.org/board#5,b1c3:fw", "hex:5", "b1 c3", "B+Forfeit"),
        ("http://www.trmph.com/hex/board#13,a1b10m13", "hex:13", "a1 b10 m13", ""),
    ],
)
def test_links_to_boards_of_hex(link: str, game: str, words: str, result: str) -> None:
    """Size, moves on both sides of the reader's place, the swap, who gave up: `b` is the player who begins."""
    name, (record,) = records_in("tictactoe", link)
    assert (name, " ".join(record.words()), record.result) == (game, words, result) and not record.faults
    assert parse_pasted("tictactoe", link).position.words == words.split()


def test_the_swap_of_a_link_mirrors_the_stone() -> None:
    """The swap mirrors on the long diagonal, as HexWorld does; and the player who begins joins top and bottom."""
    swapped = parse_pasted("hex", "https://hexworld.org/board/#3,b1:s").position
    assert swapped.text == ".../o../...:x"
    assert parse_pasted("hex", "trmph.com/hex/board#2,a1b1a2").position.outcome == 1


def test_a_swap_that_is_too_late() -> None:
    """The sentence is about the swap, in a link and in SGF, and not about its first letter."""
    for text in ("https://hexworld.org/board/#5,a1b2:s", "(;GM[11]SZ[5];B[a1];W[b2];B[swap-pieces])"):
        (record,) = Records.of_text(text)
        assert record.words() == ["a1", "b2"] and "Move 3: swap is not" in record.faults[0], record.faults


PSQ = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,1500\npbrain-a.zip\npbrain-b.zip\n-1\n"


def test_psq() -> None:
    """Column and row from 1 at the top left; the head says which of the named players begins."""
    name, (record,) = records_in("hex", PSQ)
    assert name == "gomoku" and record.words() == ["h8", "i7"] and not record.faults
    assert record.moves[1].comment == "1.5 s" and record.tags == {"Black": "pbrain-a.zip", "White": "pbrain-b.zip"}
    text = PSQ.replace(", 0\n", ", 1\n", 1).replace("15x15", "19x15").replace("8,8", "19,15")
    name, (other,) = records_in("hex", text)
    assert name == "gomoku:15,19" and other.words()[0] == "s15" and other.tags["Black"] == "pbrain-b.zip"
    asked = Records.of_text(PSQ, "gomoku:15,15,exact=true")  # which rule it was played by is not in the file
    assert asked.spec == "gomoku:15,15,exact=true" and asked[0].words() == ["h8", "i7"]


def test_stones_that_several_nodes_set() -> None:
    """Each node adds to those before it, and of several that name a cell the last one counts."""
    (record,) = Records.of_text("(;FF[4]GM[11]SZ[3];AB[a1][b1];AW[c1]AB[a2];AE[b1]AW[a2];B[c3])")
    assert record.start == "x.o/o../...:x" and record.words() == ["c3"]


def test_files_that_are_named_and_not_read() -> None:
    """A library of RenLib and a book of Polyglot get the sentence of docs/files.md, and no text is taken for one."""
    entry = struct.Struct(">QHHI")
    book = b"".join(entry.pack(key * 0x1234_5678_9ABC_DEF1, 0x31C, 1, 0) for key in range(1, 9))
    page = " ".join((Path(__file__).parents[1] / "docs" / "files.md").read_text(encoding="utf-8").split())
    for data, kind in ((book, "polyglot"), (b"\xffRenLib\xff\x03\x04" + b"\xff" * 10, "renlib")):
        records = Records(lambda data=data: iter([data]))  # type: ignore[misc]
        assert records.kind == kind and NOT_READ[kind] in page
        with pytest.raises(pg.BadInput, match="which is not read"):
            list(records)
    for text in ("1. e4 e5 2. Nf3 *", "1. e4 e5 2. Nf3 "):
        for encoding in ("utf-8", "utf-16-le", "utf-16-be", "utf-16"):
            data = text.encode(encoding)
            assert Records(lambda data=data: iter([data])).kind == "pgn"  # type: ignore[misc]
    assert Records(lambda: iter([book[:-1]])).kind == "text"
