"""Programs of the field: what is said to them, and games with real ones, sound and faulty."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from programs import installed, played
from speakers import FAULTS, PROGRAMS

import plyground as pg
from plyground.play.player import Illegal, Unable
from plyground.protocols.cecp import Cecp
from plyground.protocols.dialogue import Budget, Hear, Talk, TimeUp
from plyground.protocols.gtp import Gtp
from plyground.protocols.rows import DIALOGUES
from plyground.protocols.uci import Uci
from plyground.wire.messages import Unreadable

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = (ROOT / "docs" / "engine-programs.md").read_text(encoding="utf-8")
TRANSCRIPT = re.compile(
    r"```text\n# (\w+)(?:\[(.*?)\])?, (\S+) after ([^\n]*), (\w+)=(\d+): ([^\n]*)\n(.*?)```", re.DOTALL
)
SPEAKERS = Path(__file__).parent / "speakers.py"
DEBIAN = "/usr/games"
"""Debian's folder of games, which root's path lacks."""


def said(talk: Talk[object], script: list[str]) -> object:
    """What a talk returns: every line that it sends is the next one of the script, which also has the answers."""
    line: str | None = None
    while True:
        try:
            step = next(talk) if line is None else talk.send(line)
            line = None
            if isinstance(step, Hear):
                way, _, line = script.pop(0).partition(" ")
                assert way == "←", f"it waits where the script has {line!r}"
            else:
                assert f"→ {step}" == script.pop(0)
        except StopIteration as done:
            return done.value


@pytest.mark.parametrize("block", TRANSCRIPT.findall(DOCUMENT), ids=lambda block: f"{block[0]} {block[2]}")
def test_transcripts(block: tuple[str, ...]) -> None:
    """What the document says of a protocol is what is said, line by line, and the move is the one named."""
    protocol, options, game, moves, limit, value, move, lines = block
    budget = Budget(float(value)) if limit == "time" else Budget(depth=int(value))
    if limit == "clock":
        budget = Budget(clock=float(value), game=float(value))
    position = pg.Position.parse(pg.game_named(game), moves.replace("nothing", ""))
    dialogue = DIALOGUES[protocol](dict(option.split("=") for option in options.split(",") if option))
    script = lines.splitlines()
    said(dialogue.greet(position), script)
    made = said(dialogue.move(position, budget), script)
    assert not script and isinstance(made, int)
    assert move in (dialogue.word(position.game, position.state, made), position.game.move_text(position.state, made))


def test_every_protocol_has_a_transcript() -> None:
    """And a row in the document's table, and a program among the tests."""
    assert {block[0] for block in TRANSCRIPT.findall(DOCUMENT)} == set(DIALOGUES) == set(PROGRAMS)
    assert set(re.findall(r"^\| `(\w+):COMMAND`", DOCUMENT, re.MULTILINE)) == set(DIALOGUES)


def test_a_program_that_is_late_is_stopped() -> None:
    """It is sent `stop`, and the move that it answers then counts."""
    position = pg.Position.initial(pg.Chess())
    talk = Uci({}).move(position, Budget(1))
    assert [next(talk), next(talk)] == ["position startpos", "isready"]
    next(talk)
    assert talk.send("readyok") == "go movetime 1000"
    assert isinstance(next(talk), Hear)
    assert talk.throw(TimeUp()) == "stop"
    next(talk)
    with pytest.raises(StopIteration) as done:
        talk.send("bestmove e2e4")
    assert done.value.value == position.legal("e2e4")


@pytest.mark.parametrize(
    ("answer", "wrong", "sentence"),
    [
        ("bestmove", Unreadable, "a move is written as in bestmove e2e4"),
        ("bestmove e2e5", Illegal, "'e2e5' is not a legal move here: b1a3"),
        ("bestmove (none)", Illegal, "says that there is no legal move"),
    ],
)
def test_wrong_answers(answer: str, wrong: type[Exception], sentence: str) -> None:
    """Each error quotes the line that was wrong."""
    script = ["→ position startpos", "→ isready", "← readyok", "→ go depth 1", f"← {answer}"]
    with pytest.raises(wrong, match=re.escape(sentence)):
        said(Uci({}).move(pg.Position.initial(pg.Chess()), Budget(depth=1)), script)


@pytest.mark.parametrize(
    ("answer", "move"), [("O-O", "e1g1"), ("e1g1", "e1g1"), ("Nxe5", "f3e5"), ("Nc3", "b1c3"), ("O-O-O", None)]
)
def test_xboard_takes_moves_in_san(answer: str, move: str | None) -> None:
    """Its protocol lets a program write squares or SAN (section 8), as phalanx does for castling."""
    moves = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5"
    position, talk = pg.Position.parse(pg.Chess(), moves), Cecp({})
    talk._features = {}
    script = [f"→ {line}" for line in ("new", "force", "easy", "post", *moves.split(), "st 1", "go")]
    script += [f"← move {answer}", "→ force"]
    if move:
        assert said(talk.move(position, Budget(1)), script) == position.legal(move)
    else:
        with pytest.raises(Illegal, match="'O-O-O' is not a legal move here"):
            said(talk.move(position, Budget(1)), script)


def test_a_feature_that_is_not_had_is_rejected() -> None:
    """We send squares: of a program that wants SAN the feature is rejected, and the others are accepted."""
    script = ["→ xboard", "→ protover 2", "← feature san=1 usermove=1 done=1"]
    script += ["→ rejected san", "→ accepted usermove", "→ accepted done"]
    said(Cecp({}).greet(pg.Position.initial(pg.Chess())), script)


def test_a_pass_that_a_program_does_not_know() -> None:
    """GRhino refuses `play white pass`, for it passes by itself; the game goes on."""
    position = pg.Position.parse(pg.game_named("reversi:4"), "b1 c1 d3 a1 pass")
    sides = ["play black b1", "play white c1", "play black d3", "play white a1", "play black pass"]
    commands = ["boardsize 4", "clear_board", *sides, "time_settings 0 1 1", "genmove white"]
    answers = ["="] * 6 + ["?", "=", "="]
    script = []
    for number, (command, sign) in enumerate(zip(commands, answers, strict=True), start=1):
        script += [f"→ {number} {command}", f"← {sign}{number} {'A3' if number == 9 else ''}"]
    assert said(Gtp({}).move(position, Budget(1)), [*script]) == position.legal("a3")
    script[9] = "← ?5 illegal move"
    with pytest.raises(Unreadable, match="it refused play black d3"):
        said(Gtp({}).move(position, Budget(1)), script)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("uci:", "needs a command, as in uci:./program"),
        ("uci[time=0]:stockfish", "seconds are above 0"),
        ("uci[nodes=0]:stockfish", "nodes=0: it is 1 or more"),
        ("uci[depth=many]:stockfish", "write a whole number"),
        ("uci[Hash=1,Hash=2]:stockfish", "Hash is given twice"),
        ("gtp[Hash=1]:mohex", "GTP has no options"),
    ],
)
def test_specs_that_are_wrong(spec: str, sentence: str) -> None:
    """A sentence says what is wrong, before anything is started."""
    with pytest.raises(pg.BadInput, match=re.escape(sentence)):
        pg.player_named(spec)


@pytest.mark.parametrize(
    ("protocol", "game", "sentence"),
    [
        ("uci", "hex", "uci has no words for Hex: it is spoken for Breakthrough, Chess, Gardner"),
        ("gomocup", "mnk:5,5,4", "only with five in a row"),
        ("gtp", "gomoku:9,8", "only with as many rows as columns"),
    ],
)
def test_games_that_a_protocol_does_not_have(protocol: str, game: str, sentence: str) -> None:
    """Such a game is refused before a program is started."""
    player = pg.player_named(f"{protocol}:no such program")
    with pytest.raises(Unable, match=re.escape(sentence)):
        player.prepare(pg.Position.initial(pg.game_named(game)))


def test_a_spec_names_the_player_again() -> None:
    """Options of ours and of the program's stand in a player's name, those with their defaults left out."""
    spec = "uci[time=0.5,Skill Level=3]:stockfish"
    assert pg.player_named(spec).name == spec
    assert pg.player_named("uci[timeout=10]:stockfish").name == "uci:stockfish"


# -- real programs -----------------------------------------------------------------------------------------------------


def speaker(protocol: str, fault: str = "") -> str:
    """The spec of a program written from a protocol's specification."""
    limits = "time=0.1,timeout=0.2" if fault in ("hangs", "late") else "time=0.5"
    return f"{protocol}[{limits}]:{sys.executable} {SPEAKERS} {protocol} {fault}"


@pytest.mark.process
@pytest.mark.parametrize("protocol", PROGRAMS)
def test_a_program_of_each_protocol(protocol: str) -> None:
    """It plays a whole game, as x and as o."""
    game = PROGRAMS[protocol][1]
    for x, o in ((speaker(protocol), "random:seed=3"), ("random:seed=3", speaker(protocol))):
        result = played(x, o, game)
        assert result.fault is None and result.utility is not None, result.why


@pytest.mark.process
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("protocol", PROGRAMS)
def test_faulty_programs(protocol: str, fault: str) -> None:
    """Each loses, and the result says what it did. A second move is no fault in the Kalah Game Protocol."""
    result = played(speaker(protocol, fault), "random:seed=3", PROGRAMS[protocol][1])
    if (protocol, fault) == ("kgp", "twice"):
        assert result.fault is None, result.why
        return
    expected = {
        "hangs": "did not answer within",
        "late": "did not answer within",
        "lies": "is not a legal move",
        "crashes": "it ended with exit code 1; its last words: out of luck",
        "twice": "a second time|is not a legal move",  # Gomocup's answers have no names
    }
    assert result.fault == 0 and re.search(expected[fault], result.why), result.why
    kinds = {"hangs": "silent", "late": "silent", "lies": "illegal", "crashes": "crashed"}
    assert result.ending in {kinds.get(fault, "unreadable"), kinds.get(fault, "illegal")}, result.why


@pytest.fixture
def debian(monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs of Debian's games are found."""
    monkeypatch.setenv("PATH", os.pathsep.join([os.environ["PATH"], DEBIAN]))


@pytest.mark.process
@pytest.mark.only_on("linux")
@pytest.mark.parametrize(
    ("game", "spec"),
    [
        ("chess", "uci[nodes=200,Skill Level=3,Threads=1]:stockfish"),
        ("chess", "uci[time=0.01]:gnuchess --uci"),
        ("chess", "cecp[depth=3]:fairymax"),
        ("reversi", "gtp[time=1]:gtp-rhino"),
        ("chess:start=0", "uci[depth=2]:stockfish"),
        ("gardner", "uci[depth=2]:fairy-stockfish"),
        ("breakthrough", "uci[depth=2]:fairy-stockfish"),
    ],
)
def test_programs_of_debian(debian: None, game: str, spec: str) -> None:
    """Real programs beat a player that chooses at random, from either side."""
    installed(spec.rpartition(":")[2].split()[0])
    for utility, x, o in ((1, spec, "random:seed=1"), (-1, "random:seed=1", spec)):
        result = played(x, o, game)
        assert result.utility and result.utility * utility > 0 and result.fault is None, result.why


@pytest.mark.process
@pytest.mark.only_on("linux")
def test_phalanx_has_no_limit_in_plies(debian: None) -> None:
    """The sentence says what to write instead, and it plays a move with that."""
    installed("phalanx")
    position = pg.Position.parse(pg.Chess(), "e2e4")
    for spec in ("cecp[depth=2]:phalanx", "cecp[time=1]:phalanx"):
        player = pg.player_named(spec)
        if "depth" in spec:
            with pytest.raises(Unable, match="write time= instead of depth="):
                player.choose(position, None)
        else:
            assert player.choose(position, None) in position.legal_moves
        player.close()


@pytest.mark.process
@pytest.mark.only_on("linux")
def test_gnu_chess_speaks_xboard_over_pipes(debian: None) -> None:
    """It answers in two positions of a game, one after the other."""
    installed("gnuchess")
    player, position = pg.player_named("cecp[time=1]:gnuchess"), pg.Position.parse(pg.Chess(), "e2e4")
    for _ in range(2):
        position = position.play(player.choose(position, None))
        position = position.play(position.legal_moves[0])
    assert len(position.moves) == 5
    player.close()


@pytest.mark.process
@pytest.mark.only_on("linux")
def test_a_program_lacks_what_it_is_asked_for(debian: None) -> None:
    """An option, a variant: a sentence, and no game is lost."""
    installed("stockfish")
    for game, spec, sentence in (
        ("chess", "uci[Contempt=3]:stockfish", "has no option 'Contempt': it has .*skill level"),
        ("gardner", "uci:stockfish", "does not play gardner"),
        ("chess:start=0", "uci:gnuchess --uci", "does not play Chess960: it has no option UCI_Chess960"),
        ("chess", "uci[start=0.3]:cat", "Is it a program that speaks uci"),
        ("chess", "uci:no-such-program", "cannot be started"),
    ):
        with pytest.raises(Unable, match=sentence):
            played(spec, "first", game)


@pytest.mark.process
@pytest.mark.parametrize("language", ["py", "js", "sh", "c"])
def test_bots_in_four_languages(language: str, tmp_path: Path) -> None:
    """Each example is short, and plays as the player `first` does, which is started anew to take a move back."""
    file = ROOT / "examples" / "codingame" / f"first.{language}"
    command = {"py": f"{sys.executable} {file}", "js": f"node {file}", "sh": f"sh {file}"}.get(language)
    if command is None:
        command = f"{tmp_path / 'first'}"
        subprocess.run([installed("cc"), "-O2", "-o", command, file], check=True)
    else:
        installed(command.split()[0])
    assert len(file.read_text(encoding="utf-8").splitlines()) < 30
    bot, first = pg.player_named(f"codingame:{command}"), pg.player_named("first")
    position = pg.Position.initial(pg.game_named("ultimate"))
    for _ in range(4):
        assert bot.choose(position, None) == first.choose(position, None)
        position = position.play(first.choose(position, None))
        position = position.play(position.legal_moves[-1])
    assert bot.choose(position.undo(2), None) == first.choose(position.undo(2), None)
    bot.close()
