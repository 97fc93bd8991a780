"""plyground as a program of the field: what it answers, and games by its own players of the other side."""

import io
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import chess
import chess.engine
import pytest
from programs import played
from test_learned import at_random
from waiting import LIMIT

import plyground as pg
from plyground.exact.book import book_of
from plyground.exact.tables.reading import FOLDERS_VARIABLE
from plyground.learning.weights_file import write_weights
from plyground.protocols.dialogue import Budget
from plyground.protocols.engine_side import Answerer, EngineSide, move_seconds
from plyground.protocols.kgp import KgpClient
from plyground.protocols.rows import ENGINES
from plyground.protocols.uci import UciEngine
from plyground.terminal.verbs.speaking import whole_lines

OURS = f"{sys.executable} -m plyground"
SPEAKERS = Path(__file__).parent / "speakers.py"


def answered(protocol: str, game: str, *lines: str, player: str = "") -> list[str]:
    """Answers of our side to lines, in their order, until it has ended."""
    said: list[str] = []
    side = ENGINES[protocol](pg.game_named(game), Answerer(pg.player_named, player), said.append)
    side.serve(lines)
    return [line for each in said for line in each.splitlines() if line.strip()]


# -- UCI and UGI -------------------------------------------------------------------------------------------------------


def test_ugi_as_its_example_has_it() -> None:
    """The dialogue of the specification, with tic-tac-toe: positions, queries, limits, an end."""
    said = answered(
        "ugi", "tictactoe", "ugi", "isready", "uginewgame", "position startpos", "query p1turn", "go depth 4"
    )
    assert said[0].startswith("id name plyground") and {"ugiok", "readyok", "response true"} <= set(said)
    assert said[-2].startswith("info depth 4 score ") and said[-1].startswith("bestmove ")
    over = answered("ugi", "tictactoe", "position fen xxx/oo./...:o", "query gameover", "query result", "go depth 1")
    assert over == ["response true", "response p1win", "bestmove none"]
    assert answered("ugi", "tictactoe", "position startpos moves b2", "query p1turn", "query result") == [
        "response false",
        "response none",
    ]


def test_the_documents_transcript() -> None:
    """What docs/engine-programs.md shows is what is said, but for the time."""
    document = (Path(__file__).parent.parent / "docs" / "engine-programs.md").read_text(encoding="utf-8")
    block = document.partition("```text\n$ plyground ugi tictactoe\n")[2].partition("```")[0].splitlines()
    said = answered("ugi", "tictactoe", *(line[2:] for line in block if line[0] == "→"))

    def untimed(lines: list[str]) -> list[str]:
        return [re.sub(r"nps \d+ time \d+", "", line) for line in lines]

    shown = untimed([line[2:] for line in block if line[0] == "←" and line != "← …"])
    assert len(shown) > 5 and [line for line in untimed(said) if line in shown] == shown


def test_it_thinks_as_the_engine_does() -> None:
    """The same move, score and node count as a selective `think` of the same nodes; a won end in moves."""
    position = pg.Position.parse(pg.game_named("gardner"), "b2b3 d4d3")
    moves = " ".join(position.words)
    said = answered("uci", "gardner", f"position startpos moves {moves}", "go nodes 800")
    report = [*pg.think(position, pg.Limit(nodes=800), selective=True)][-1]
    words = said[-2].split()
    assert words[words.index("nodes") + 1] == str(report.nodes)
    assert said[-1] == f"bestmove {position.game.move_text(position.state, report.move)}"
    mate = answered("uci", "chess", "position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "go mate 1")
    assert "score mate 1" in mate[-2] and mate[-1] == "bestmove a1a8"


@pytest.mark.parametrize(("protocol", "game"), [("uci", "chess"), ("ugi", "connectfour:7,6,4")])
@pytest.mark.parametrize("lines", [1, 3])
def test_what_was_not_looked_at_has_no_score(protocol: str, game: str, lines: int) -> None:
    """With a limit of one node no move is searched: the reply is a legal move without a score, in records too."""
    before = [f"setoption name MultiPV value {lines}", "position startpos"]
    *said, best = answered(protocol, game, *before, "go nodes 1")
    assert pg.Position.parse(pg.game_named(game), "").legal(best.removeprefix("bestmove ")) is not None
    assert said == ["info string no move was looked at: the limit allowed none"]
    assert "score" in answered(protocol, game, *before, "go nodes 3000")[-2]
    player = pg.player_named("engine:nodes=1")
    assert player.choose(pg.Position.parse(pg.game_named("gardner"), ""), None) >= 0 and player.move_evaluation is None


@pytest.mark.parametrize(("protocol", "game"), [("uci", "chess"), ("ugi", "amazons")])
def test_however_short_the_time_the_move_is_looked_at(protocol: str, game: str) -> None:
    """A match runner refuses a program without a score; it is of the move that is played, seen a ply ahead at least."""
    *said, best = answered(protocol, game, "position startpos", "go movetime 1")
    words = said[-1].split()
    assert int(words[words.index("depth") + 1]) >= 1 and "score" in words
    assert words[words.index("pv") + 1] == best.split()[1]


def test_an_end_by_a_margin_has_the_unit_of_estimates() -> None:
    """A seed more is 1 before the end is seen and when it is seen: South wins kalah:3,2 by 4 seeds."""
    said = answered("ugi", "kalah:3,2", "position startpos", "go depth 30")
    scores = [line.split("score ")[1].split()[:2] for line in said if line.startswith("info depth")]
    assert ["cp", "3"] in scores and scores[-1] == ["cp", "4"]
    last = answered("ugi", "dotsandboxes:1,3", "position startpos", "go depth 12")[-2]
    assert "score cp 1 " in last or "score cp -1 " in last  # and no mate, which would be above a larger margin


@pytest.mark.parametrize(
    ("place", "has_move"),
    [
        ("startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", True),
        ("fen 8/8/8/4k3/8/8/4K3/7R w - - 100 90", True),
        ("fen 8/8/8/4k3/8/8/4K3/8 w - - 0 90", True),
        ("fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", False),
        ("fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", False),
    ],
)
def test_no_move_is_said_only_where_there_is_none(place: str, has_move: bool) -> None:
    """`(none)` says checkmate or stalemate; after a repetition or fifty moves a GUI may play on, and is answered."""
    answer = answered("uci", "chess", f"position {place}", "go depth 1")[-1].removeprefix("bestmove ")
    fen = pg.Position.parse("chess", place.removeprefix("startpos moves ").removeprefix("fen ")).fen
    assert (chess.Move.from_uci(answer) in chess.Board(fen).legal_moves) if has_move else answer == "(none)"


def test_several_lines_and_chosen_moves() -> None:
    """MultiPV reports the best moves in their order; searchmoves keeps to those that are named."""
    said = answered("ugi", "tictactoe", "setoption name MultiPV value 3", "position startpos moves b2", "go depth 3")
    last = [line.split() for line in said if line.startswith("info depth 3")]
    assert [words[words.index("multipv") + 1] for words in last] == ["1", "2", "3"]
    assert len({words[words.index("pv") + 1] for words in last}) == 3
    said = answered("ugi", "tictactoe", "position startpos", "go depth 3 searchmoves a2 b1")
    assert said[-1] in ("bestmove a2", "bestmove b1")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("position startpos moves e2e5", "'e2e5' is not a legal move here"),
        ("position fen nothing", "nothing"),
        ("setoption name Hash value many", "write a whole number from 1 to 65536"),
        ("setoption name Hash value 65537", "write a whole number from 1 to 65536"),
        ("setoption name Threads value 9999", "write a whole number from 1 to"),
        ("setoption name MultiPV value 257", "write a whole number from 1 to 256"),
        ("setoption name Level value genius", "one of engine, learning"),
        ("setoption name UCI_Variant value atomic", "is not played here"),
        ("setoption name EvalFile value nowhere.weights", "nowhere.weights cannot be read"),
        ("setoption name TablebasePath value nowhere", "nowhere has no tablebase"),
        ("castle", "is no command of uci"),
    ],
)
def test_what_cannot_be_done_is_told(line: str, sentence: str) -> None:
    """In an info string, as UCI has no errors; the next command is heard."""
    said = answered("uci", "chess", line, "isready")
    assert sentence in said[0] and said[0].startswith("info string ") and said[-1] == "readyok"


@pytest.mark.parametrize(("protocol", "game", "first"), [("uci", "chess", "e2e4"), ("ugi", "tictactoe", "b2")])
@pytest.mark.parametrize("wrong", ["startpos moves {first} {first}", "startpos moves z9", "fen nothing", "nothing", ""])
def test_after_a_refused_position_there_is_none(protocol: str, game: str, first: str, wrong: str) -> None:
    """No move answers for the position before, whatever was wrong, until one can be read."""
    refused = f"position {wrong.format(first=first)}"
    *said, answer, ready = answered(
        protocol, game, f"position startpos moves {first}", refused, "go depth 1", "isready"
    )
    assert len(said) == 2 and said[1] == "info string There is no position: the last one was refused"
    assert answer == "bestmove 0000" and ready == "readyok"
    right = f"position startpos moves {first}"
    again = answered(protocol, game, right, refused, right, "go depth 1")
    assert again[-1] == answered(protocol, game, right, "go depth 1")[-1] != answer


def test_variants_and_levels() -> None:
    """An option sets the variant; a level answers in the engine's place."""
    said = answered("uci", "chess", "setoption name UCI_Variant value gardner", "position startpos", "go depth 1")
    assert said[-1].removeprefix("bestmove ")[:2] in ("a2", "b2", "c2", "d2", "e2", "b1")
    said = answered("ugi", "tictactoe", "setoption name Level value easy", "position startpos", "go movetime 50")
    assert said[-1].startswith("bestmove ")
    assert answered("ugi", "tictactoe", "position startpos", "go depth 1", player="first")[-1] == "bestmove a1"


def test_chess960() -> None:
    """A position tells where king and rooks begin; with the option castling goes to the rook, in chess too."""
    fen = "fen 4k3/8/8/8/8/8/8/1R3K2 w B - 0 1"
    option = "setoption name UCI_Chess960 value true"
    assert "option name UCI_Chess960 type check default false" in answered("uci", "chess", "uci")
    assert "option name UCI_Chess960 type check default true" in answered("uci", "chess:start=0", "uci")
    for lines in ([f"position {fen} moves f1b1 e8e7"], [option, f"position {fen} moves f1b1 e8e7"]):
        assert answered("uci", "chess", *lines, "go depth 1")[-1].startswith("bestmove ")
    castling = "fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    only = ["go depth 1 searchmoves e1g1", "go depth 1 searchmoves e1h1"]
    assert answered("uci", "chess", f"position {castling}", only[0])[-1] == "bestmove e1g1"
    assert answered("uci", "chess", option, f"position {castling}", only[1])[-1] == "bestmove e1h1"
    assert answered("uci", "chess", "setoption name UCI_Chess960 value yes") == [
        "info string UCI_Chess960 'yes': true or false."
    ]


def test_learned_weights_and_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Options name a file of weights, by which the engine judges, and a folder with a tablebase, which it asks."""
    monkeypatch.setenv(FOLDERS_VARIABLE, "")  # so that what an option sets ends with this test; delenv would forget it
    game: Any = pg.game_named("connectfour:3,3,3")
    file = tmp_path / "own.weights"
    write_weights(at_random("connectfour:3,3,3"), file)
    chosen = f"setoption name EvalFile value {file}"
    said = answered("ugi", "connectfour:3,3,3", chosen, "position startpos", "go depth 1")
    report = [*pg.think(pg.Position.initial(pg.Learned(game, file)), pg.Limit(depth=1))][-1]
    assert said[-1] == f"bestmove {game.move_text(game.initial(), report.move)}"
    assert f"score cp {report.score.points}" in said[-2]
    table = pg.tablebase(game, tmp_path / "table")
    folder = f"setoption name TablebasePath value {tmp_path / 'table'}"
    said = answered("ugi", "connectfour:3,3,3", folder, "position startpos", "go infinite")
    assert " nodes 0 " in said[-2] and book_of(pg.Position.initial(game)) is not None
    assert table[pg.Position.initial(game)].text(game.names) == "draw" and " score cp 0 " in said[-2]


def test_analysis_ends_by_stop_alone() -> None:
    """An endless search that knows all has no answer before `stop`; one in a long search comes at once."""
    for game, start in (("tictactoe", "startpos moves b2 a1"), ("chess", "startpos")):
        came, said = threading.Event(), list[str]()
        first = threading.Event()

        def say(line: str, came: threading.Event = came, first: threading.Event = first) -> None:
            said.append(line)  # noqa: B023  one list a game
            (came if line.startswith("bestmove") else first).set()

        side = UciEngine if game == "chess" else ENGINES["ugi"]
        engine = side(pg.game_named(game), Answerer(pg.player_named), say)
        engine.hear(f"position {start}")
        engine.hear("go infinite")
        assert first.wait(LIMIT) and not came.is_set()
        engine.hear("isready")
        assert said[-1] == "readyok" or "readyok" in said
        engine.hear("stop")
        assert came.wait(LIMIT)
        engine.close()


class Slow(io.StringIO):
    """A stream that lets other threads run while it writes, as any stream may."""

    def write(self, text: str) -> int:
        for letter in text:
            super().write(letter)
            time.sleep(0)
        return len(text)


def test_lines_of_two_threads_are_whole() -> None:
    """What the thread that thinks says, and what the one that reads commands says, never share a line."""
    stream = Slow()
    say = whole_lines(stream)
    threads = [threading.Thread(target=lambda each=each: [say(each * 20) for _ in range(50)]) for each in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
    assert sorted(stream.getvalue().splitlines()) == ["a" * 20] * 50 + ["b" * 20] * 50


def test_thinking_ends_when_nobody_hears(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that has gone while the engine thinks leaves no traceback."""
    first, faults = threading.Event(), list[object]()
    monkeypatch.setattr(threading, "excepthook", faults.append)

    def say(line: str) -> None:
        first.set()
        raise BrokenPipeError

    engine = UciEngine(pg.game_named("chess"), Answerer(pg.player_named), say)
    for line in ("position startpos", "go infinite"):
        engine.hear(line)
    assert first.wait(LIMIT)
    engine.close()
    assert not faults


@pytest.mark.parametrize(
    ("budget", "least", "most"),
    [
        (Budget(move=1), 0.9, 1),
        (Budget(clock=60), 1, 3),
        (Budget(clock=60, increment=2), 3, 5),
        (Budget(clock=10, turns=5), 1, 3),
        (Budget(clock=0.05), 0, 0.05),
        (Budget(move=0.001), 0, 0.001),
    ],
)
def test_the_time_for_a_move(budget: Budget, least: float, most: float) -> None:
    """A part of the clock, never all of it; a time for the move but for what the answer needs to arrive."""
    time = move_seconds(budget)
    assert time is not None and least <= time <= most


# -- GTP, Gomocup, KGP -------------------------------------------------------------------------------------------------


def test_gtp_and_its_regression_commands(tmp_path: Path) -> None:
    """Answers with numbers, errors, a size, a file of SGF, a move that is looked for and not played."""
    file = tmp_path / "game.sgf"
    file.write_text("(;GM[11]SZ[3];B[b2];W[a1];B[a3])", encoding="utf-8")
    said = answered(
        "gtp",
        "hex:5",
        *("1 protocol_version", "2 known_command genmove", "3 known_command dance", "4 boardsize 99", "5 boardsize 3"),
        *("6 play white a1", "7 play black b2", "8 play white b2", "9 undo", "10 dance", "11 play"),
        *(f"loadsgf {file} 3", "12 time_settings 0 1 1", "13 reg_genmove black", "14 play black a2", "15 quit"),
    )
    assert said[:8] == [
        "=1 2",
        "=2 true",
        "=3 false",
        "?4 unacceptable size",
        "=5",
        "?6 it is not white's turn",
        "=7",
        "?8 'b2' is not a legal move here: a1, b1, c1, a2, c2, a3, b3, c3.",
    ]
    assert said[8:13] == ["=9", "?10 unknown command", "?11 syntax error", "=", "=12"]
    assert said[13].startswith("=13 ") and said[14].startswith("=14") and said[15] == "=15"


def test_gomocup() -> None:
    """It begins, answers a turn, reads a whole board and wins where it can; what it cannot read is an error."""
    said = answered(
        "gomocup",
        "gomoku",
        *("START 7", "INFO timeout_turn 200", "INFO rule 1", "INFO nonsense 3", "DANCE", "TURN 9,9", "BOARD"),
        *("0,0,1", "0,6,2", "1,0,1", "1,6,2", "2,0,1", "2,6,2", "3,0,1", "3,5,2", "DONE", "END", "ABOUT"),
    )
    assert said[0] == "OK" and said[1] == "UNKNOWN DANCE" and said[2].startswith("ERROR '9,9' is not a legal move")
    assert said[3:] == ["4,0"]


def test_a_refused_board_leaves_none(tmp_path: Path) -> None:
    """Neither GTP nor Gomocup answers for the board before; a refused move alone is as if it was not sent."""
    none, file = "There is no position: the last one was refused", tmp_path / "no.sgf"
    file.write_text("(;GM[11]SZ[3];B[z9])", encoding="utf-8")
    for refused in ("boardsize 99", f"loadsgf {file}", f"loadsgf {tmp_path / 'nowhere.sgf'}"):
        said = answered("gtp", "hex:3", "play black a1", refused, "reg_genmove white", "genmove white", "undo")
        assert said[0] == "=" and said[1][0] == "?" and said[2:] == [f"? {none}"] * 3
    assert answered("gtp", "hex:3", "boardsize 99", "clear_board", "play black a1") == ["? unacceptable size", "=", "="]
    gomocup = ("gomocup", "gomoku", "START 7")
    assert answered(*gomocup, "BOARD", "9,9,1", "DONE", "BEGIN")[2:] == [f"ERROR {none}"]
    assert answered(*gomocup, "START 99", "BEGIN")[2:] == [f"ERROR {none}"]
    assert answered(*gomocup, "DONE") == ["OK", "ERROR DONE ends a BOARD, and none was begun"]
    kept = answered(
        *gomocup, "INFO timeout_turn 50", "TURN 3,3", "INFO rule 1", "TURN 3,3"
    )  # another rule, same stones
    assert kept[2].startswith("ERROR '3,3' is not a legal move")


def test_kgp() -> None:
    """It greets, names a move for a board and yields, answers a ping, and says what is no board."""
    said = answered("kgp", "kalah", "2 kgp 1 0 0", "4 ping 7", "6 state <1,2>")
    assert said[:3] == ['1 set info:name "plyground"', "3 mode freeplay", "5@4 pong 7"]
    assert said[3].startswith('7@6 error "')
    came, moved, yielded = list[str](), threading.Event(), threading.Event()

    def say(line: str) -> None:
        came.append(line)
        (moved if "move" in line else yielded).set()

    client = KgpClient(pg.game_named("kalah"), Answerer(pg.player_named), say)
    client.hear("2 state <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>")
    assert moved.wait(LIMIT)
    client.hear("4@2 stop")
    assert "@2 move " in came[0] and not yielded.is_set()
    client.hear("6 state <1,0,0,1,1>")
    assert yielded.wait(LIMIT) and came[-2].endswith("@6 move 1") and came[-1].endswith("@6 yield")
    client.close()


# -- as others see it --------------------------------------------------------------------------------------------------


@pytest.mark.process
def test_python_chess_is_a_client() -> None:
    """Options, limits, several lines, an analysis that is stopped: all in the terms of python-chess."""
    board = chess.Board()
    with chess.engine.SimpleEngine.popen_uci([sys.executable, "-m", "plyground", "uci"], timeout=LIMIT) as engine:
        assert engine.id["name"].startswith("plyground") and {"Hash", "Threads", "Level"} <= engine.options.keys()
        engine.configure({"Hash": 8})
        for limit in (chess.engine.Limit(depth=2), chess.engine.Limit(nodes=300), chess.engine.Limit(time=0.1)):
            move = engine.play(board, limit).move
            assert move and board.is_legal(move)
        clock = chess.engine.Limit(white_clock=3, black_clock=3, white_inc=0.1, black_inc=0.1)
        assert engine.play(board, clock, root_moves=[chess.Move.from_uci("a2a3")]).move == chess.Move.from_uci("a2a3")
        lines = engine.analyse(board, chess.engine.Limit(depth=1), multipv=3)
        assert len(lines) == 3 and len({line["pv"][0] for line in lines}) == 3
        with engine.analysis(board) as analysis:
            for found in analysis:
                if found.get("depth"):
                    break
        mate = chess.Board("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1")
        assert engine.analyse(mate, chess.engine.Limit(depth=2))["score"].white() == chess.engine.Mate(1)


NUMBERS = {"depth", "seldepth", "multipv", "nodes", "nps", "time", "hashfull", "tbhits"}


def is_info(line: str) -> bool:
    """Whether a line of thinking output is one as UCI has it: numbers, a score, and a line of moves at the end."""
    head, _, moves = line.removeprefix("info ").partition(" pv ")
    words = head.split()
    place = words.index("score")
    kind, score = words[place + 1 : place + 3]
    pairs = [*words[:place], *words[place + 3 :]]
    numbers = dict(zip(pairs[::2], pairs[1::2], strict=True))
    return (
        kind in ("cp", "mate")
        and score.lstrip("-").isdecimal()
        and numbers.keys() <= NUMBERS
        and all(each.isdecimal() for each in numbers.values())
        and all(re.fullmatch("[a-h][1-8][a-h][1-8][qrbn]?", move) for move in moves.split())
    )


@pytest.mark.process
def test_conduct_as_match_runners_ask() -> None:
    """What fastchess checks before a match: greetings, positions, clocks, info lines with a score, an end by quit."""
    command = [sys.executable, "-m", "plyground", "uci"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as engine:
        assert engine.stdin and engine.stdout
        said = engine.stdout

        def asked(*lines: str, until: str) -> list[str]:
            for line in lines:
                engine.stdin.write(f"{line}\n")  # type: ignore[union-attr]
            found = [said.readline().strip()]
            while not found[-1].startswith(until):
                assert found[-1], "it has ended"
                found.append(said.readline().strip())
            return found

        greeting = asked("uci", until="uciok")
        assert {"id name", "id author"} <= {" ".join(line.split()[:2]) for line in greeting}
        assert asked("ucinewgame", "position startpos", "isready", until="readyok") == ["readyok"]
        fen = "3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27"
        assert asked(f"position fen {fen}", "isready", until="readyok") == ["readyok"]
        for clocks in ("wtime 100", "btime 100", "wtime 100 winc 100 btime 100 binc 100", "depth 2"):
            side = "w" if clocks.startswith("w") else "b"
            *info, best = asked(f"position fen {fen.replace(' w ', f' {side} ')}", f"go {clocks}", until="bestmove")
            assert (info or clocks != "depth 2") and all(is_info(line) for line in info), info
            board = chess.Board(fen.replace(" w ", f" {side} "))
            assert chess.Move.from_uci(best.split()[1]) in board.legal_moves
        thinking = asked("ucinewgame", "position startpos", "go infinite", "isready", until="readyok")
        assert not any(line.startswith("bestmove") for line in thinking)
        assert asked("stop", until="bestmove")[-1].split()[1] in {move.uci() for move in chess.Board().legal_moves}
        engine.stdin.write("quit\n")
        assert engine.wait(LIMIT) == 0 and said.read() == ""


@pytest.mark.process
@pytest.mark.parametrize(
    ("game", "ours", "theirs"),
    [
        ("tictactoe", "ugi[depth=5]:{ours} ugi tictactoe", "ugi:{theirs} ugi"),
        ("hex:3", "gtp[time=1]:{ours} gtp hex:3 --player level:easy", "gtp:{theirs} gtp"),
        ("gomoku:7,7", "gomocup[time=0.05]:{ours} gomocup", "gomocup:{theirs} gomocup"),
        ("kalah", "kgp[time=0.05]:{ours} kgp {host}:{port}", "kgp:{theirs} kgp"),
    ],
)
def test_ours_against_another(game: str, ours: str, theirs: str) -> None:
    """A whole game, through the protocol on both sides, one of which was written from its specification alone."""
    named = {"ours": OURS, "theirs": f"{sys.executable} {SPEAKERS}", "host": "{host}", "port": "{port}"}
    result = played(ours.format(**named), theirs.format(**named), game)
    assert result.fault is None and result.utility is not None, result.why
    assert game != "tictactoe" or result.utility == 1  # it sees to the end


@pytest.mark.process
def test_ours_against_ours() -> None:
    """A match by UGI between two of us, of a game that no other program knows; the better one wins."""
    better = f"ugi[depth=3]:{OURS} ugi nim"
    assert played(better, f"ugi[depth=1]:{OURS} ugi nim --player first", "nim").utility == 1


def test_every_side_is_of_its_kind() -> None:
    """Each protocol's side refuses a game that its protocol does not have."""
    for protocol, side in ENGINES.items():
        assert issubclass(side, EngineSide)
        if protocol != "ugi":
            with pytest.raises(pg.BadInput, match="has no words for Nim"):
                side(pg.game_named("nim"), Answerer(pg.player_named), print)
