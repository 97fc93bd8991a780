"""The one door for files of games: what comes in, by each format and from each program, and what is wrong is told."""

import io
import random
import re
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import chess.pgn
import pytest
from test_record_files import wthor
from tries import tries

import plyground as pg
from plyground.games import GAMES, game_named
from plyground.play.formats.naming_formats import NAMING_FORMATS
from plyground.play.notations import forms, read_record, record_form, result_word
from plyground.play.record import ROOT, Record, RecordedMove, of_position
from plyground.play.record_file import ReadingOptions, Records
from plyground.position import Position

READABLE = [choice.name for choice in GAMES.shipped]
FLIES = "1. e4 e5 2. Nf3 *"


def one(text: str, spec: str = "") -> Record:
    """The only record of a text."""
    (record,) = Records.of_text(text, spec)
    return record


# -- one bad game ------------------------------------------------------------------------------------------------------


def test_a_bad_game_loses_only_itself(tmp_path: Path) -> None:
    """The 58th of a hundred games says what is wrong with it and keeps the moves before; strictly it is refused."""
    file = tmp_path / "games.pgn"
    games = [f'[Event "{number}"]\n\n{FLIES}\n' for number in range(100)]
    games[57] = '[Event "57"]\n[White "Ann"]\n\n1. e4 e5 2. Ke3 Nf6 *\n'
    file.write_text("\n".join(games), encoding="utf-8")
    records = list(pg.read_records(file))
    assert len(records) == 100 and [record.number for record in records if record.faults] == [58]
    bad = records[57]
    assert bad.words() == ["e2e4", "e7e5"] and [move.word for move in bad.moves][2:] == ["Ke3", "Nf6"]
    assert bad.faults == ["Move 2. Ke3: 'Ke3' is not a move here: no king of White can go to e3."]
    assert pg.read_records(file)[99].tags["Event"] == "99"
    with pytest.raises(pg.BadInput, match=r"games\.pgn: game 58 \(Ann – \?\): Move 2\. Ke3"):
        list(pg.read_records(file, strict=True))


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("1. d4 d5 (1... Nf6 2. c4 0-1", "a variation begins with ( and does not end"),
        ("1. d4 d5) 2. c4 0-1", "a variation ends with ) that did not begin"),
        ("1. d4 d5 {what a game 0-1", "a comment begins with { and does not end"),
    ],
)
def test_a_bracket_that_is_not_closed(bad: str, said: str) -> None:
    """An open bracket spoils no game but its own, whose tags and first moves are read."""
    first, second, third = Records.of_text(
        f'[Event "a"]\n\n{FLIES}\n\n[Event "b"]\n\n{bad}\n\n[Event "c"]\n\n{FLIES}\n'
    )
    assert said in second.faults[0] and second.words()[:2] == ["d2d4", "d7d5"] and second.tags["Event"] == "b"
    assert not first.faults and not third.faults and first.words() == third.words()
    assert second.result in ("0-1", "")


def test_files_that_are_cut_off(tmp_path: Path) -> None:
    """Files are read up to the cut: SGF, WTHOR also with a bad byte in one game and with the end mark of DOS."""
    first, second = Records.of_text("(;GM[11]SZ[5];B[a1];W[b2](;GM[11]SZ[7];B[g7];W[a1]")
    assert first.words() == ["a1", "b2"] and second.words() == ["g7", "a1"]
    assert all("cut off after move 2" in each.faults[0] for each in (first, second))
    data = bytearray(wthor([["f5", "d6"], ["f5", "f6"], ["f5", "f4"]]))
    data[16 + 68 + 8 + 1] = 99
    (tmp_path / "bad.WTB").write_bytes(data + b"\x1a")
    records = list(pg.read_records(tmp_path / "bad.WTB"))
    assert [each.words() for each in records] == [["f5", "d6"], ["f5"], ["f5", "f4"]]
    assert [each.faults[:1] for each in records] == [
        [], ["Move 2 of the file is 99: moves are 11 to 88, a row and a column from 1 to 8."], [],
    ]  # fmt: skip


# -- a record never loses a move ---------------------------------------------------------------------------------------

KNIGHTS = "Nf3 Nf6 Ng1 Ng8 "


@pytest.mark.parametrize(
    ("times", "read"), [(2, True), (3, True), (4, False)], ids=["threefold", "fourfold", "fivefold"]
)
def test_draws_by_claim_and_by_themselves(times: int, read: bool) -> None:
    """A game goes on after a third time, with a remark, and not after a fifth (FIDE, 9.2 and 9.6); nothing is lost."""
    text = f'[Event "x"]\n\n{KNIGHTS * times} e4 e5 1-0'
    record = one(text)
    assert [move.is_unread for move in record.moves[-2:]] == [not read] * 2 and len(record.moves) == 4 * times + 2
    assert record.result == "1-0" and not record.faults
    claimed = [each for each in record.remarks if "a draw could be claimed, by threefold repetition" in each]
    assert len(claimed) == 1 and len(record.remarks) == (1 if read else 2)
    game = pg.Chess()
    back = one(record_form("chess", record.position(game), record).text)
    assert back.moves == record.moves and back.result == "1-0"


@pytest.mark.parametrize(("quiet", "read"), [(99, True), (100, True), (149, True), (150, False)])
def test_fifty_moves_are_claimed_and_seventy_five_end(quiet: int, read: bool) -> None:
    """A claim is remarked from the hundredth ply on; the game ends with python-chess's `is_seventyfive_moves`."""
    fen = f"4k3/8/8/8/8/8/7R/4K3 w - - {quiet} 120"
    board = chess.Board(fen)
    record = one(f'[Event "x"]\n[FEN "{fen}"]\n\n120. Rh3 Kd8 *')
    assert board.is_seventyfive_moves() is not read
    assert record.moves[0].is_unread is not read
    claimed = any("could be claimed, by the fifty-move rule" in each for each in record.remarks)
    assert claimed is (read and quiet + 1 >= 100)


def test_null_moves() -> None:
    """Null moves of main lines and variations are written as they were; python-chess plays the same positions."""
    text = '[Event "x"]\n\n1. e4 e5 2. -- (2. Nf3 Nc6 3. Z0 Nf6 4. d4) 2... Nf6 3. Nf3 *\n'
    record = one(text)
    assert not record.faults and not record.remarks
    theirs = chess.pgn.read_game(io.StringIO(text.replace("Z0", "--")))
    assert theirs is not None
    game = pg.Chess()
    end = record.position(game)
    assert end.fen.split()[:4] == theirs.end().board().fen().split()[:4]
    back = one(record_form("chess", end, record).text)
    assert back.moves == record.moves
    checked = one('[Event "x"]\n\n1. e4 f5 2. Qh5+ -- 3. Qxe8 *')
    assert [move.is_unread for move in checked.moves] == [False] * 3 + [True] * 2 and "can be taken" in checked.faults[
        0
    ]


def grow_record(spec: str, chance: random.Random) -> tuple[Position, Record]:
    """A random tree of a game with all that its players' format can write."""
    game = game_named(spec)
    here = Position.initial(game)
    for _ in range(chance.choice([0, 0, 3])):
        here = here if here.outcome is not None else here.play(chance.choice(here.legal_moves))
    start = here.without_history()
    record, places = of_position(start), {ROOT: start}
    for _ in range(chance.choice([0, 1, 8, 30])):
        after = max(places) if chance.random() < 0.8 else chance.choice([*places])
        here = places[after]
        made = [here.game.parse_move(here.state, move.word) for move in record.moves if move.after == after]
        moves = [move for move in here.legal_moves if move not in made]
        if not moves or here.must_pass:
            continue
        word = here.text_of(chance.choice(moves))
        note = chance.choice(["", "", "good; or not", "(a) [b] 1. c3", "* 1-0 " * 20 + "{"])
        record.moves.append(RecordedMove(word, after, comment=note, mover=here.to_move))
        record.moves[-1].glyphs = chance.sample([1, 2, 3], chance.choice([0, 0, 1]))
        places[len(record.moves) - 1] = here.play(word)
    record.tags = {"Event": chance.choice(['The "Open" \\ 1', "?"]), "Site": "Ä [x]"}
    record.comment = chance.choice(["", "before the first move"])
    checked = read_record(game, replace(record, start=record.start or game.text(game.initial())))
    end = checked.position(game)
    first, second, draw = (result_word(game, utility) for utility in (1, -1, 0))
    free = ["" if game.record == "sgf" else "*", first, second, draw]
    checked.result = result_word(game, end.outcome) if end.outcome is not None else chance.choice(free)
    return end, checked


def branches(record: Record) -> dict[tuple[str, ...], tuple[object, ...]]:
    """Each move's place among its siblings, comment, glyphs, notation and mover, by the words that lead to it."""
    return {
        tuple(record.moves[each].word for each in record.line_to(row)): (
            record.children()[move.after].index(row), move.comment, move.glyphs, move.notation, move.mover
        )
        for row, move in enumerate(record.moves)
    }  # fmt: skip


@pytest.mark.parametrize("spec", READABLE)
def test_what_is_written_is_read_back(spec: str, seed: int) -> None:
    """Moves, variations, comments, glyphs, tags, set-ups and results, of one record and of several in a file."""
    chance = random.Random(seed)
    trees = [grow_record(spec, chance) for _ in range(tries(12))]
    texts = [record_form(spec, end, record).text for end, record in trees]
    back = list(Records.of_text("\n".join(texts), spec))
    assert len(back) == len(trees)
    for (_, record), read in zip(trees, back, strict=True):
        assert not read.faults, read.faults
        assert branches(read) == branches(record)
        assert (read.start, read.comment, read.result) == (record.start, record.comment, record.result)
        if game_named(spec).record != "sgf" or record.tags["Event"] != "?":
            assert read.tags.items() >= record.tags.items()


# -- encodings and forms -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16", "utf-16-le", "utf-16-be"])
def test_encodings(encoding: str, tmp_path: Path) -> None:
    """Names are right in each; of a file with both, each game is read in its own."""
    text = f'[White "Müller"]\n\n{FLIES}\n'
    (tmp_path / "a.pgn").write_bytes(text.encode(encoding))
    (record,) = pg.read_records(tmp_path / "a.pgn")
    assert record.tags["White"] == "Müller" and record.words() == ["e2e4", "e7e5", "g1f3"]
    (tmp_path / "b.pgn").write_bytes(f'[Event "a"]\n{text}\n[Event "b"]\n'.encode() + text.encode("latin-1"))
    assert [each.tags["White"] for each in pg.read_records(tmp_path / "b.pgn")] == ["Müller", "Müller"]


SANS = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7"
PDN = "1. 11-15 22-18 2. 15x22 25x18"


@pytest.mark.parametrize(
    ("text", "game", "moves", "result"),
    [
        ("1. e4 e5 1-0\n\n1. d4 d5\n*", "chess", ["2", "2"], ["1-0", "*"]),
        ("*", "chess", ["0"], ["*"]),
        ('[Event "Bye"]\n[Result "1-0"]\n\n1-0\n\n[Event "B"]\n\n1. e4 *', "chess", ["0", "1"], ["1-0", "*"]),
        ('[Event "a"]\n\n1. e4 e5 1-0[Event "b"]\n\n1. d4 d5 0-1', "chess", ["2", "2"], ["1-0", "0-1"]),
        ("1. e4 e51-0\n\n1. d4 d50-1", "chess", ["2", "2"], ["1-0", "0-1"]),
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6\n\n1. d4 d5 2. c4 e6", "chess", ["6", "4"], ["", ""]),
        ("1. e4∞ e5+/- 2. ♘f3 ♞c6 3. Bb5± a6 4. Ba4 Nf6 5. 0–0 Be7 ½", "chess", ["10"], ["½"]),
        (f"{SANS} 1/2", "chess", ["10"], ["1/2"]),
        ("1. e4 d5 2. e5 f5 3. exf6ep Nc6 4. fxg7 e.p. *", "chess", ["7"], ["*"]),
        ("1. e4 {a {nested} comment} e5 {b} *", "chess", ["2"], ["*"]),
        ("1. e4 e5 1 - 0", "chess", ["2"], ["1-0"]),
        (f"{PDN} 0-2", "draughts", ["4"], ["0-2"]),
        ("1. 11 - 15 22 - 18 2. 15:22 25:18 1-1", "draughts", ["4"], ["1-1"]),
        ("1. 11-15* 22-18(!) 2. 15x22(?) 25x18! *", "draughts", ["4"], ["*"]),
        ("a note\n\n( ; GM [11] SZ [5]\n ; B [a1] ; W [b2] ) end", "hex:5", ["2"], [""]),
        ("(;GM[11]SZ[5];B[a1])\n(;gm[11]sz[7];b[g7];w[a1])", "hex:5", ["1", "2"], ["", ""]),
        ("(;GM[11]SZ[5]AB[a1:b2][c3]AW[a2]AE[b1]PL[W];W[d4])", "hex:5", ["1"], [""]),
    ],
)
def test_small_forms(text: str, game: str, moves: list[str], result: list[str]) -> None:
    """Records are read as other programs and people write them: nothing is refused, and nothing is lost."""
    records = Records.of_text(text)
    found = list(records)
    assert records.spec == game and [f"{len(each.words())}" for each in found] == moves
    assert [each.result for each in found] == result and not any(each.faults for each in found)


def test_signs_behind_moves() -> None:
    """Signs of evaluation are glyphs, as python-chess numbers them."""
    record = one("1. e4! e5?? 2. Nf3∞ Nc6± 3. Bb5 += a6 $14 4. Ba4 □ Nf6 5. O-O-+ Be7 N *")
    assert [move.glyphs for move in record.moves] == [[1], [4], [13], [16], [14], [14], [7], [], [19], [146]]
    assert (chess.pgn.NAG_UNCLEAR_POSITION, chess.pgn.NAG_NOVELTY) == (13, 146)


@pytest.mark.parametrize(
    ("fen", "read", "remarks"),
    [
        ("4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0),
        ("r3k2r/8/8/8/8/8/8/R3K2R b kqKQ -", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", 0),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 3 9", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9", 0),
        ("r3k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1", 1),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 120 70", "4k3/8/8/8/8/8/8/4K3 w - - 120 70", 1),
    ],
)
def test_fen_of_others(fen: str, read: str, remarks: int) -> None:
    """Short, in any order of rights, with rights that nothing can have; python-chess has the same position."""
    record = one(f'[Event "x"]\n[FEN "{fen}"]\n\n*')
    assert record.position(pg.Chess()).fen == read and len(record.remarks) == remarks and not record.faults
    theirs = chess.Board(read)
    assert theirs.fen() == read


def test_epd(tmp_path: Path) -> None:
    """All operations are kept, and counters are those of the position, behind the fields or as operations."""
    lines = [
        '8/5pk1/2p1p1n1/2PpPp2/3P1P2/5P2/3qNQRK/r7 b - - hmvc 90; fmvn 120; bm Qxe2 Rh1+; id "x; y"; c0 "a";',
        "8/5pk1/2p1p1n1/2PpPp2/3P1P2/5P2/3qNQRK/r7 b - - 5 49",
        "8/5pk1/2p1p1n1/2PpPp2/3P1P2/5P2/3qNQRK/r7 b - - bm Qg6;",
    ]
    (tmp_path / "suite.txt").write_text("\n".join(lines), encoding="utf-8")
    records = pg.read_records(tmp_path / "suite.txt")
    first = records[0]
    assert records.kind == "epd" and first.other["bm"] == ["Qxe2", "Rh1+"] and first.other["id"] == ["x; y"]
    counters = [each.position(pg.Chess()).fen.split()[4:] for each in records]
    assert counters == [["90", "120"], ["5", "49"], ["0", "1"]]
    assert Position.parse("chess", lines[0]).fen.split()[4:] == ["90", "120"]
    theirs, operations = chess.Board.from_epd(lines[0])
    assert theirs.halfmove_clock == 90 and isinstance(operations["bm"], list) and len(operations["bm"]) == 2


# -- which game --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[Variant "Antichess"]\n\n1. e3 e6', "This is Antichess (tag Variant), a game that is not here"),
        (
            '[GameType "22"]\n\n1. c3-d4 d6-c5',
            "This is Italian draughts (GameType 22), a game that is not here; here are English draughts (21), ",
        ),
        ("1. 37-32 19-23 2. 28x19 14x23 *", "Move 1. 37-32: '37-32' is not a move here"),
        ("(;GM[1]FF[4]SZ[19];B[pd];W[dp])", "This is Go (GM 1)"),
        ("(;GM[1\n2]FF[4];B[pd])", "This is another game (GM 1 2)"),
        ("nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 1", "is a position of Chess960"),
        ("1. e4 e5 2. Nxd5", "Move 2. Nxd5: 'Nxd5' is not a move here: no knight of White can go to d5"),
        ('[FEN "B:W14,15,22,23:B10"]\n\n1. 10x26 *', "is more than one move here: write 10x17x26 or 10x19x26"),
    ],
)
def test_the_reason_is_of_the_nearest_game(text: str, said: str) -> None:
    """A fault speaks of the nearest game or of the one that the record names, whichever a page shows; moves stay."""
    for usual in ("", "tictactoe"):
        (record,) = Records.of_text(text, options=ReadingOptions(usual=usual))
        assert said in record.faults[-1] and all(move.word for move in record.moves)


@pytest.mark.parametrize("spec", READABLE)
def test_a_game_is_known_by_its_record(spec: str, seed: int) -> None:
    """The record of each game is read as that game, whatever game is usual, and by no ending or option."""
    chance, here = random.Random(seed), Position.initial(spec)
    while here.outcome is None and len(here.moves) < 12:
        here = here.play(chance.choice(here.legal_moves))
    record = Records.of_text(record_form(spec, here).text, options=ReadingOptions(usual="tictactoe"))
    assert type(record.rules) is type(here.game) and record[0].position(record.rules).state == here.state


def test_standard_input_and_several_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`-` is what comes on standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{FLIES}\n".encode())))
    assert [each.words() for each in pg.read_records("-")] == [["e2e4", "e7e5", "g1f3"]]


def test_memory_is_that_of_one_game(tmp_path: Path) -> None:
    """A file is read in chunks: when its first game comes, most of it has not been looked at."""
    file = tmp_path / "large.pgn"
    file.write_text(f'[Event "x"]\n\n{FLIES}\n\n' * 200_000, encoding="utf-8")
    read = list[int]()

    def chunks() -> object:
        with file.open("rb") as source:
            while chunk := source.read(1 << 16):
                read.append(len(chunk))
                yield chunk

    games = Records(chunks, "chess").games()  # type: ignore[arg-type]
    assert next(games).written.words() == ["e4", "e5", "Nf3"] and sum(read) < 1 << 18 < file.stat().st_size


def test_the_page_of_files() -> None:
    """Each sentence that docs/files.md quotes for a file is the one that the door gives for that file."""
    page = " ".join((Path(__file__).parents[1] / "docs" / "files.md").read_text(encoding="utf-8").split())
    rows = re.findall(r"\| `([^`]+)` \| (.+?) \|", page.partition("## What is refused")[2].partition("##")[0])
    assert len(rows) >= 10
    for text, sentence in rows:
        (record,) = Records.of_text(text.replace("⏎", "\n"))
        assert sentence in [*record.faults, *record.remarks], (text, record.faults, record.remarks)
    for kind in ("wthor", "jsonl", "sgf", "pgn", "epd", "lines", "text", *(each.name for each in NAMING_FORMATS)):
        assert f"| `{kind}` |" in page


# -- inputs that are nearly right --------------------------------------------------------------------------------------


INSERTED = [*(bytes([sign]) for sign in b'(){}[]";\\*'), b"\n\n[Event ", b" 1-0 ", b" 1. ", b"(;", b"\xff\xfe"]


def mutate_bytes(data: bytes, chance: random.Random) -> bytes:
    """Bytes with some of them changed, left out, repeated or put in."""
    for _ in range(chance.choice([1, 2, 5, 20])):
        at = chance.randrange(len(data) + 1)
        end = min(len(data), at + chance.randrange(40))
        middle = chance.choice(
            [bytes([chance.randrange(256)]), b"", data[at:end] * chance.choice([2, 40]), chance.choice(INSERTED)]
        )
        data = data[:at] + middle + data[end if chance.random() < 0.5 else at :]
    return data[:10_000]


def seeds_of_formats() -> dict[str, Callable[[], bytes]]:
    """A file in each format."""
    chance = random.Random(1)
    here = Position.initial("chess")
    for _ in range(20):
        here = here.play(chance.choice(here.legal_moves))
    stones = Position.parse("hex:5", "a1 b2 c3 d4")
    told = {form.name: form.text.encode() for form in forms("chess", here)}
    return {
        "pgn": lambda: told["pgn"] + b"\n1. e4 (1. d4 d5 {x}) 1... e5 $1 ; y\n2. -- *\n" * 5,
        "pdn": lambda: b'[GameType "21"]\n[FEN "B:W21,K30:B1-4"]\n\n1. 1-5 21-17* 2. 4:8 (2. 3 - 7) 0-2\n',
        "sgf": lambda: record_form("hex:5", stones).text.encode() * 3,
        "wthor": lambda: wthor([["f5", "d6", "c3"], ["f5", "f6"]]),
        "jsonl": lambda: told["jsonl"],
        "epd": lambda: b"8/5pk1/2p1p1n1/2PpPp2/3P1P2/5P2/3qNQRK/r7 b - - hmvc 9; bm Qg6;\n" * 4,
        "lines": lambda: b"f5d6c3d3c4\nf5f6e6f4\n44435\n",
        "ggf": lambda: (
            b"2 (;GM[Othello]PB[a]RE[+2.00:t]TY[8]BO[8 "
            + b"-" * 27
            + b"O*------*O"
            + b"-" * 27
            + b" *]B[F5/1/2]W[d6];)" * 2
        ),
        "obf": lambda: b"% x\n" + b"-" * 27 + b"OX------XO" + b"-" * 27 + b" X; F5:+2;\n",
        "link": lambda: b"https://hexworld.org/board/#11nc1r2,a2:se4,b3:S:rb\ntrmph.com/hex/board#13,a1b2c3 1\n",
        "psq": lambda: b"Piskvorky 15x15, 11:11, 1\r\n8,8,0\r\n9,9,1500\r\na.zip\r\nb.zip\r\n-1\r\n",
        "drawing": lambda: b" | x | \n---+---+---\n | o | x\n---+---+---\n |   | ",
    }


@pytest.mark.parametrize("form", seeds_of_formats())
def test_nearly_right_files(form: str, seed: int) -> None:
    """No traceback, and at most half a second of the processor for 10 kB, whatever is in the bytes."""
    chance, whole = random.Random(f"{seed} {form}"), seeds_of_formats()[form]()
    for _ in range(tries(60)):
        data = mutate_bytes(whole, chance)
        began = time.process_time()
        try:
            for record in Records(lambda data=data: iter([data])):  # type: ignore[misc]
                assert all(fault and "\n" not in fault for fault in record.faults)
        except pg.BadInput as fault:
            assert str(fault)
        assert time.process_time() - began < SLOWEST, data


SLOWEST = 5.0
"""Seconds of the processor for an input, ten times what it may take on an idle machine."""


def test_a_file_without_an_ending_may_have_a_position_a_line(tmp_path: Path) -> None:
    """Its name says nothing, so no game is preferred to the one that is asked for."""
    (tmp_path / "positions").write_text("3\n4\n", encoding="utf-8")
    game = pg.game_named("connectfour:5,5")
    found = Records.of_file(tmp_path / "positions", options=ReadingOptions(game, by_lines=True))
    assert [each.end(game).text for each in found.games()] == [pg.Position.parse(game, word).text for word in "34"]
