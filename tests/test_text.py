"""Text from outside: what a program, a file or another person wrote rewrites no terminal, report, table or parser."""

import asyncio
import json
import re
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from plyground.arena.entrants import entrants
from plyground.arena.playing import GameRunner, Limits
from plyground.arena.report.export import csv
from plyground.arena.report.html import html
from plyground.arena.results import Arena, Entrant, Played, Task
from plyground.arena.roster import roster_in
from plyground.errors import BadInput
from plyground.games import game_named
from plyground.play.game_file import read_game
from plyground.play.notations import parse_pasted
from plyground.players import player_named
from plyground.terminal.main import main
from plyground.text import plain, plain_lines, plain_name, whole_number
from plyground.web.games.saved_games import SavedGames
from plyground.web.games.store import GameStore
from plyground.web.operations import OPERATIONS
from plyground.web.services import Services
from plyground.web.views.models import Edit
from plyground.wire import messages as m
from plyground.wire.hostnames import listening_hosts
from plyground.wire.protocols import PROTOCOLS, codec
from plyground.wire.remote import host_and_port
from plyground.workers.fair_queue import Asker

ATTACK = "\x1b[2J\x1b]0;pwned\x07"
"""Clears a terminal, and renames its window."""
HOSTILE = f"""
import sys
input()
print("2,2", flush=True)
input()
sys.stderr.write({ATTACK!r} + "that\\u202eis all\\x9b1m")
"""


def test_plain_text() -> None:
    """Escape sequences leave as a whole, control and bidirectional characters one by one; visible text is as it was."""
    assert plain(f"a{ATTACK}b\x1b[31mc\x9b0md\x1b(Be\x1b") == "abcde"
    assert plain("a\u202eb\u2066c\u200bd\x7f\x85e\ud800f\0") == "abcd ef"
    assert plain("one\r\ntwo\tthree") == "one  two three" and plain_lines("one\r\ntwo\tthree") == "one\ntwo\tthree"
    assert plain_name("  Ann\u00a0\x1b[1m  Lee\n") == "Ann Lee"
    for kept in ("Zoë Ωmega 你好　世界 שלום 😀", "a b −∞ ½"):
        assert plain(kept) == kept and plain_lines(kept) == kept
    assert whole_number("-12") == -12
    assert [whole_number(text) for text in ("²", "٣", "1_0", " 1", "", "9" * 5_000)] == [None] * 6


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """`run(*words)`: the command's exit code; all it keeps is in a folder of the test's."""
    for home in ("XDG_DATA_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(home, str(tmp_path))

    def ran(*words: str) -> int:
        monkeypatch.setattr(sys, "argv", ["plyground", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        assert isinstance(ended.value.code, int)
        return ended.value.code

    return ran


# -- a program's words -------------------------------------------------------------------------------------------------


@pytest.fixture
def hostile(tmp_path: Path) -> str:
    """The spec of a program whose last words are an attack, after its first move as o."""
    file = tmp_path / "hostile.py"
    file.write_text(HOSTILE, encoding="utf-8")
    return f"program:{sys.executable} {file}"


@pytest.mark.process
def test_last_words_obey_no_escape(
    hostile: str, run: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the terminal of `play` and the file that it keeps; in an arena's games, report and table."""
    kept = tmp_path / "game.jsonl"
    assert run("play", "tictactoe", "--x", "first", "--o", hostile, "--keep", str(kept)) == 0
    told = capsys.readouterr()
    ann, bob = Entrant("Ann", "first"), Entrant("Bob", hostile)
    table = GameRunner("tictactoe", Limits())
    with closing(table):
        game = table.play_task(Task(0, 0, "Ann", "Bob", ""), {"Ann": ann, "Bob": bob})
    arena = Arena("id", "", "tictactoe", (ann, bob), "round-robin")
    written = [told.out, kept.read_text(encoding="utf-8"), game.why, game.words, html(arena, [game]), csv([game])]
    assert game.fault == 1 and all("thatis all" in text for text in written)
    assert all(plain_lines(text) == text for text in (told.err, *written))


OWN = f"""
import plyground as pg

EVIL = {ATTACK!r} + "evil\\u202e\\x9b1m"

class Pile(pg.Game):
    names = (EVIL, "b" + EVIL)
    unit = (EVIL, 1)

    def initial(self): return (4, 0)
    def to_move(self, state): return state[1]
    def moves(self, state): yield from range(min(2, state[0]))
    def play(self, state, move): return (state[0] - move - 1, 1 - state[1])
    def outcome(self, state): return pg.ONGOING if state[0] > 0 else 2 * state[1] - 1
    def move_signs(self, state, move): yield from map(ord, str(move) + EVIL)
    def state_signs(self, state): yield from map(ord, str(state[0]) + "o"[: state[1]] + EVIL)
    def notice_signs(self, state): yield from map(ord, EVIL)
    def caption(self, state): yield from map(ord, EVIL)

def last(position): return position.legal_moves[-1]

def late(game, observer, state, depth):
    print(EVIL)
    raise ValueError(EVIL)
"""
"""A game, a player and a search that write attacks wherever they have a word."""
RECORD = f"""[Event "e{ATTACK}vil"]
[White "Ann\u202e{ATTACK}"]
[Black "\x9b31mBob"]
[Result "*"]

1. e4 {{a{ATTACK}\u202e comment}} e5 $1 ; {ATTACK}
2. Nf9{ATTACK} *
"""


@pytest.mark.parametrize(
    "words",
    [
        "play OWN:Pile --x OWN:last --o first",
        "analyse OWN:Pile",
        "search OWN:Pile --algorithm minimax --depth 2",
        "tree OWN:Pile --depth 2",
        "solve OWN:Pile",
        "compare OWN:Pile --depth 1..2",
        "perft OWN:Pile 2",
        "check OWN:Pile",
        "quiz OWN:Pile",
        "audit OWN:Pile OWN:last",
        "arena OWN:Pile OWN:last first --games 2",
        pytest.param("grade OWN:late", marks=pytest.mark.process),
        "replay RECORD",
        "review chess RECORD",
        "analyse tictactoe EVIL",
        "analyse EVIL",
        "play tictactoe --x EVIL --o first",
        pytest.param("grade EVIL.py", marks=pytest.mark.process),
        "replay EVIL.pgn",
        "arena tictactoe first EVIL --games 2",
        "learn EVIL --games 1",
    ],
)
def test_a_verb_prints_text_alone(
    words: str, run: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Answers and refusals have no control character, whatever the rules, a record or the arguments contain."""
    own, record = tmp_path / "own.py", tmp_path / "game.pgn"
    own.write_text(OWN, encoding="utf-8")
    record.write_text(RECORD, encoding="utf-8")
    there = {
        "OWN": str(own),
        "RECORD": str(record),
        "EVIL": f"{ATTACK}\u202e\x9b1mevil",
    }
    run(*(re.sub("OWN|RECORD|EVIL", lambda found: there[found[0]], word) for word in words.split()))
    told = capsys.readouterr()
    for text in (told.out, told.err):
        assert plain_lines(text) == text
    assert re.search(r"evil|2J|comment", told.out + told.err)


@pytest.mark.process
def test_a_first_message_obeys_no_escape(run: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    """What is no move is quoted in the sentence."""
    code = f"print({ATTACK!r} + chr(0x202e) + '.')"
    assert run("play", "tictactoe", "--x", f'program:{sys.executable} -c "{code}"', "--o", "first") == 2
    told = capsys.readouterr()
    assert "pwned" in told.err and plain_lines(told.err) == told.err


@pytest.mark.parametrize("protocol", [name for name in PROTOCOLS if name != "xml"])
def test_messages_are_read_plain(protocol: str) -> None:
    """Names, moves and sentences; what two other programs say to each other is passed on as it is."""
    writer = codec("json")
    for message in (
        m.Hello(name=f"A\u202e{ATTACK}n"),
        m.Move("b\x9b1m2"),
        m.ResultMessage(1, "x\u2066\nwins"),
        m.FaultMessage("client", ATTACK),
    ):
        texts = vars(codec("json").read(writer.write(message))).values()
        assert all(plain_lines(text) == text for text in texts if isinstance(text, str))
    term = m.General("chat", "say('\u202e')")
    assert codec(protocol).read(codec(protocol).write(term)) in (term, m.General("prolog", term.term))


def test_a_table_holds_no_formula() -> None:
    """Neither in ASCII nor in the full width that a spreadsheet reads as such."""
    for sign in "=+-@＝＋－＠":  # noqa: RUF001
        played = Played(Task(0, 0, "x", "o", ""), (), 1, "x wins", words=f"{sign}1+1")
        assert f",'{sign}1+1," in csv([played])


# -- refused in a sentence ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "spec", "said"),
    [
        (game_named, "mnk:٣,٣,٣", "a whole number"),
        (game_named, "mnk:1_0,1_0,3", "a whole number"),
        (game_named, "tictactoe[", "in brackets"),
        (game_named, "tictactoe[]", "after a colon"),
        (game_named, "kalah:6,4,,,,,", "option 3 is empty"),
        (game_named, "mnk:5,5,4,first=o,rows=3", "rows is given twice"),
        (game_named, f"{'a' * 300}.py:Mine", "There is no file"),
        (player_named, f"{'a' * 300}.py:mine", "There is no file"),
        (player_named, "listen:²", "no port"),
        (player_named, "listen:" + "9" * 5_000, "no port"),
        (player_named, "connect:h:5²", "no port"),
        (player_named, "engine:time=nan", "a number"),
        (player_named, "program[timeout=5:sh", "in brackets"),
        (host_and_port, "localhost:70000", "1 to 65535"),
    ],
)  # fmt: skip
def test_specs_that_are_refused(make: Callable[[str], object], spec: str, said: str) -> None:
    """Odd numbers, brackets and commas: one sentence that says what would be right."""
    with pytest.raises(BadInput, match=said):
        make(spec)


@pytest.mark.parametrize("line", ["number = " + "9" * 5_000, "deep = " + "[" * 3_000, 'spec = "\\u0000"\nname = 1'])
def test_rosters_that_are_refused(line: str, tmp_path: Path) -> None:
    """Numbers of thousands of digits, and brackets inside each other."""
    file = tmp_path / "class.toml"
    file.write_text(f"[[player]]\n{line}\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"class\.toml"):
        roster_in(file)


VALUE = "must be a number, a text, true or false."
KEYS = "a player has name, spec, side, and of this kind depth, seed, eval."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("player = 3", ' lists no players: write [[player]], and below it name = "…" and spec = "…".'),
        ("[[player]]", ', player 1: write spec = "…", and name = "…" if it is to have one; both are texts.'),
        ('[[player]]\nspec = "pvs"\ndepht = 1', f", player 1 (pvs): 'depht' means nothing; {KEYS}"),
        ('[[player]]\nname = "Ann"\nspec = "pvs"\ndepth = [1]', f", player 1 (Ann): depth {VALUE}"),
        ('[pvs]\ndepth = [1]\n[[player]]\nspec = "pvs"', f", [pvs]: depth {VALUE}"),
        ('[pvs]\ndepht = 1\n[[player]]\nspec = "pvs"', f": in [pvs], 'depht' means nothing; {KEYS}"),
    ],
)
def test_what_is_wrong_in_a_roster(text: str, said: str, tmp_path: Path) -> None:
    """One sentence with the file, the player and the key, and what would be right."""
    file = tmp_path / "class.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput) as fault:
        roster_in(file)
    assert str(fault.value) == f"{file}{said}"


def test_a_roster_s_options_reach_their_players(tmp_path: Path) -> None:
    """A player's own key is stronger than its spec, the spec stronger than what is usual, with names or without."""
    file = tmp_path / "class.toml"
    file.write_text(
        "[alphabeta]\ndepth = 5\nseed = 1\n"
        '[[player]]\nname = "A"\nspec = "alphabeta:2"\n'
        '[[player]]\nname = "B"\nspec = "alphabeta:2,7"\ndepth = 3\n'
        '[[player]]\nname = "C"\nspec = "alphabeta"\n',
        encoding="utf-8",
    )
    found = {each.name: each.spec for each in entrants(roster_in(file).entrants)}
    assert found == {"A": "alphabeta:2,seed=1", "B": "alphabeta:seed=7,depth=3", "C": "alphabeta:depth=5,seed=1"}


DEEP = '{"plyground": 1, "game": ' + "[" * 100_000
LONG = json.dumps({"plyground": 1, "game": "n" * 201, "players": ["a", "b"], "start": ""})
HALF = '{"plyground": 1, "game": "\\ud800", "players": ["a", "b"], "start": ""}'
ENDLESS = '{"plyground": 1, "game": "nim", "players": ["a", "b"], "start": "3/4/5:x"}\n{"undo": 1e999}'


@pytest.mark.parametrize("text", [DEEP, LONG, HALF, ENDLESS], ids=["deep", "long", "half", "endless"])
def test_game_files_that_are_refused(text: str, run: Callable[..., int], tmp_path: Path) -> None:
    """By `replay` in one sentence, and by the operation that reads what is pasted."""
    file = tmp_path / "game.jsonl"
    file.write_text(text, encoding="utf-8")
    assert run("replay", str(file)) == 2
    edit = next(operation for operation in OPERATIONS if operation.name == "edit")
    with closing(Services(SavedGames(GameStore("sqlite://")))) as services, pytest.raises(BadInput):
        asyncio.run(edit.last(services, Edit(game="tictactoe", text=text[:60_000]), Asker()))


def test_a_game_file_s_names_are_plain(tmp_path: Path) -> None:
    """Who played and how it ended are shown: as text, and no more."""
    file = tmp_path / "game.jsonl"
    head = {"plyground": 1, "game": "tictactoe", "players": [f"A{ATTACK}nn", "Bob"], "start": ".../.../...:x"}
    file.write_text(
        f"{json.dumps(head)}\n{json.dumps({'utility': 1, 'why': f'o{ATTACK} resigns'})}\n", encoding="utf-8"
    )
    kept = read_game(file)
    assert kept.players == ("Ann", "Bob") and kept.why == "o resigns"


def test_a_command_in_many_words_is_made_of_something() -> None:
    """A word of a command that is too long for a file's name is none."""
    player = player_named(f"program:{sys.executable} -c '{'pass;' * 100}'")
    assert sys.executable.split("/")[-1] in "".join(player.file_hashes() or ())


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("draughts", "x:x" + "1" * 1_900 + "!"),
        ("draughts", "x:x" + "1," * 900 + "!"),
        ("tictactoe", "\n" * 50_000 + "x"),
        ("tictactoe", "x" + "{" * 50_000),
        ("tictactoe", "[" * 50_000),
        ("tictactoe", "x.o\n...\n" + "y" * 50_000),
    ],
)  # fmt: skip
def test_what_is_pasted_is_read_in_one_way(spec: str, text: str) -> None:
    """No text is tried in all the ways in which it could be cut: squares without commas took years."""
    with pytest.raises(BadInput):
        parse_pasted(spec, text)


# -- streams -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("protocol", "body"),
    [
        ("xml", b'<message><general application="a">%s</general></message>'),
        ("xml", b"<!-- %s --><message><resign/></message>"),
        ("xml", b'<message a="%s"/>'),
        ("terms", b"f(%s).\n"),
        ("terms", b"f('%s').\n"),
        ("terms", b"/* %s */ resign.\n"),
        ("json", b'{"ping": {"token": "%s"}}\n'),
    ],
)
def test_a_message_in_single_bytes_is_read_once(protocol: str, body: bytes) -> None:
    """Eight times the bytes take some eight times the work, not sixty-four times, in whatever part of a message."""

    def work(size: int) -> float:
        reader, data = codec(protocol), body.replace(b"%s", b"a > ." * (size // 5))
        began = time.process_time()
        frames = [frame for byte in data for frame in reader.feed(bytes([byte]))]
        assert [frame.strip() for frame in frames] == [data.strip()]
        return time.process_time() - began

    assert min(work(40_000) for _ in range(2)) < 30 * min(work(5_000) for _ in range(4))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (b"move((1,2).\n", m.Move("1,2")),
        (b"move([1 , 2]).\n", m.Move("[1,2]")),
        (b"move('2').\n", m.Move("2")),
        (b"f('a. b', 0'.).\n", m.General("prolog", "f('a. b', 0'.)")),
    ],
)
def test_a_term_is_read_back(written: bytes, read: m.Message) -> None:
    """As what was passed on."""
    reader = codec("terms")
    (frame,) = reader.feed(written)
    assert reader.read(frame) == read
    (again,) = codec("terms").feed(codec("terms").write(read))
    assert codec("terms").read(again) == read


@pytest.mark.parametrize("written", [b"'a.b'..\n", b". .\n", b"0'.\n"])
def test_a_term_that_would_not_be_read_back_is_refused(written: bytes) -> None:
    """With a sentence, for half of it would go on as another."""
    reader = codec("terms")
    for frame in reader.feed(written):
        with pytest.raises(m.Unreadable):
            reader.read(frame)


# -- where a player listens --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["localhost", "127.0.0.9"])
def test_a_player_listens_where_the_connector_does(
    host: str, run: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    """On this machine alone unless a host is named in the same way; and it says where, before and after."""
    assert all(host.startswith("127.") for host in listening_hosts("localhost"))
    named = "" if host == "localhost" else f",host={host}"
    assert run("play", "tictactoe", "--x", f"listen[start=0.01{named}]:54329", "--o", "first") == 2
    told = " ".join(capsys.readouterr().err.split())
    assert f"listens on {', '.join(listening_hosts(host))} port 54329" in told
    assert " or ".join(f"{each}:54329" for each in listening_hosts(host)) in told


def test_listening_to_the_network_is_said() -> None:
    """Whoever reaches the machine can connect, which is not so without the option."""
    assert "by the network" in player_named("listen[host=0.0.0.0]:54329").waits_at
    assert "network" not in player_named("listen:54329").waits_at
