"""Players that remember: real programs and peers in the page, in saved games and in the terminal."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from browser import person
from pages import begin, cell, choose, says
from playwright.sync_api import Page, Playwright, expect
from processes import started
from servers import Answer, Server, free_port, serving

import plyground as pg
from plyground.play.game_file import GameFile, read_game
from plyground.play.player import TakeBack
from plyground.sandbox.bubblewrap import PROGRAMS_VARIABLE

pytestmark = pytest.mark.process
FIRST = Path(__file__).resolve().parent.parent / "examples" / "players" / "first.py"
TICTACTOE = pg.Position.initial(pg.MNK())

# A player of tic-tac-toe that remembers its game and does not repeat itself: the first, third, … time it takes the last
# free cell, else the first one. With a port it listens there, and speaks with one at a time, each time a new game;
# without one it plays once, over its standard input and output, and a file counts the times.
PLAYER = """
import re, socket, sys
def play(game, lines, say):
    free = [(x, y) for y in (1, 2, 3) for x in (1, 2, 3)]
    for line in lines:
        if found := re.search(r"(\\d)\\s*,\\s*(\\d)", line):
            free.remove((int(found[1]), int(found[2])))
            if free:
                say("%d,%d\\n" % free.pop(-1 if game % 2 else 0))
if sys.argv[1].isdigit():
    server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
    for game in range(1, 99):
        print("ready for game", game, flush=True)
        connection, _ = server.accept()
        with connection, connection.makefile("rw", buffering=1) as file:
            try:
                play(game, file, file.write)
            except OSError:
                pass
else:
    with open(sys.argv[1], "a+") as counts:
        counts.write("x")
        counts.flush()
        counts.seek(0)
        game = len(counts.read())
    play(game, sys.stdin, lambda words: print(words, end="", flush=True))
"""


@pytest.fixture
def player(tmp_path: Path) -> Path:
    """The player's file."""
    file = tmp_path / "player.py"
    file.write_text(PLAYER, encoding="utf-8")
    return file


@contextmanager
def listening(player: Path) -> Iterator[tuple[int, "subprocess.Popen[str]"]]:
    """The player as a peer: its port, and its process, which says when it is ready for another game."""
    port = free_port()
    with started([sys.executable, str(player), str(port)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and "game 1" in process.stdout.readline()
        yield port, process


def test_a_peer_survives_what_people_do(playwright: Playwright, player: Path, tmp_path: Path) -> None:
    """A reload, a second tab, undo, a new game and the way back: one connection for each game, and no word is wrong."""
    database = f"sqlite:///{tmp_path / 'games.db'}"
    with listening(player) as (port, peer):
        with (
            serving(database, "--player", f"Peer=connect:localhost:{port}") as server,
            person(playwright, server.address) as page,
        ):
            begin(page, o="Peer")
            choose(page, "b2")
            expect(cell(page, "c3, o")).to_be_visible()
            page.reload()
            page.get_by_role("grid").wait_for()
            choose(page, "a3")
            expect(cell(page, "b3, o")).to_be_visible()
            tab = page.context.new_page()
            tab.goto(page.url)
            tab.get_by_role("grid").wait_for()
            choose(tab, "a1")
            for each in (tab, page):
                expect(cell(each, "c2, o")).to_be_visible()
            tab.close()
            page.get_by_role("button", name="Undo").click()
            expect(page.get_by_role("alert")).to_contain_text("cannot take back")
            expect(page.get_by_role("gridcell", name=re.compile(", empty"))).to_have_count(3)
            link = page.url
            page.goto("about:blank")
            page.goto(server.address)
            begin(page, o="Peer")  # the first game goes on still, but nobody looks at it
            choose(page, "b2")
            expect(cell(page, "a1, o")).to_be_visible()
            game = _id(page)
            page.goto("about:blank")
            page.goto(f"{server.address}/#/game/{game}")
            page.get_by_role("grid").wait_for()
            choose(page, "c3")
            expect(cell(page, "b1, o")).to_be_visible()
            page.goto("about:blank")
            page.goto(link)
            page.get_by_role("grid").wait_for()
            choose(page, "c1")
            says(page, "x wins")
        peer.kill()
        assert peer.stdout is not None and peer.stdout.read().split("\n")[-2] in (
            "ready for game 2",
            "ready for game 3",
        )


def _id(page: Page) -> str:
    found = re.search(r"game/([A-Za-z0-9_-]+)", page.url)
    assert found
    return found[1]


def played(server: Server, player: str, *moves: str) -> tuple[Answer, Answer]:
    """A saved game against a player as o: what was created, and how it stands after these moves and its answers."""
    made = server.ask("create", game="tictactoe", o=player)
    for move in moves:
        seen = server.ask("open", id=made["id"])
        server.ask("play", id=made["id"], seat=made["seats"]["x"], ply=len(seen["position"]["moves"]) + 1, move=move)
        answered(server, made, player)
    return made, server.ask("open", id=made["id"])


def answered(server: Server, made: Answer, player: str, status: int = 200) -> Answer:
    """Ask for the answer as two tabs do, and make it."""
    moves = server.ask("open", id=made["id"])["position"]["moves"]
    args = {"game": "tictactoe", "moves": moves, "player": player, "id": made["id"]}
    first = server.ask("reply", status, **args)
    if status == 200:
        assert server.ask("reply", **args) == first
        server.ask("play", id=made["id"], seat=made["seats"]["o"], ply=len(moves) + 1, move=first["move"])
    return first


def test_programs_in_kept_games(player: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program is started once for a game; undo asks it first; resigning ends the game; a late question is refused."""
    monkeypatch.setenv(PROGRAMS_VARIABLE, "open")  # it writes how often it was started
    counts = tmp_path / "counts"
    quitter = f"program:{sys.executable} -c 'input(); print(\"resign.\", flush=True); input()'"
    given = {"Fickle": f"program:{sys.executable} {player} {counts}", "Steady": f"program:{sys.executable} {FIRST} o x"}
    given["Quitter"] = quitter
    words = [word for name, spec in given.items() for word in ("--player", f"{name}={spec}")]
    with serving(f"sqlite:///{tmp_path / 'games.db'}", *words) as server:
        made, game = played(server, "Fickle", "b2", "a3", "a1")
        assert game["position"]["moves"][1::2] == ["c3", "b3", "c2"] and counts.read_text() == "x"
        seats = list(made["seats"].values())
        said = server.ask("undo", 400, id=made["id"], seats=seats, plies=2)["error"]
        assert "cannot take back" in said and "repeat itself" in said
        assert server.ask("open", id=made["id"]) == game
        server.ask("play", id=made["id"], seat=made["seats"]["x"], ply=7, move="b1")
        assert answered(server, made, "Fickle")["move"] == "a2"  # by the one that has played from the beginning

        made, game = played(server, "Steady", "b2", "c3")
        game = server.ask("undo", id=made["id"], seats=list(made["seats"].values()), plies=2)
        server.ask("play", id=made["id"], seat=made["seats"]["x"], ply=3, move="b1")
        assert answered(server, made, "Steady")["move"] == "c1"
        late = {"game": "tictactoe", "moves": ["b2"], "player": "Steady", "id": made["id"]}
        server.ask("reply", 409, **late)
        assert server.ask("reply", game="tictactoe", moves=["b2"], player="Steady")["move"] == "a1"  # without a game

        made = server.ask("create", game="tictactoe", o="Quitter")
        server.ask("play", id=made["id"], seat=made["seats"]["x"], ply=1, move="b2")
        asked = server.ask("reply", game="tictactoe", moves=["b2"], player="Quitter", id=made["id"])
        assert asked["move"] is None and server.ask("open", id=made["id"])["why"] == "o resigns"


class Hesitant:
    """Plays first moves, but takes back two plies once, at the third of its turns."""

    name = "hesitant"

    def __init__(self) -> None:
        self.turns = 0

    def choose(self, position: pg.Position, seconds: float | None) -> int:
        self.turns += 1
        if self.turns == 3:
            raise TakeBack(2)
        return position.legal_moves[0]


@pytest.mark.parametrize(
    ("kind", "refused"),
    [("fickle program", "repeat itself"), ("steady program", ""), ("peer", "remembers the game")],
)
def test_taking_back_in_the_terminal(kind: str, refused: str, player: Path, tmp_path: Path) -> None:
    """Either the moves are taken back and the game goes on from there, or the person is told why not."""
    with listening(player) as (port, _):
        spec = {
            "fickle program": f"program:{sys.executable} {player} {tmp_path / 'counts'}",
            "steady program": f"program:{sys.executable} {FIRST} o x",
            "peer": f"connect[timeout=20]:localhost:{port}",
        }[kind]
        other, said, seen = pg.player_named(spec), list[str](), list[int]()
        try:
            result = pg.play_match(
                TICTACTOE, (Hesitant(), other), on_refused=said.append, on_move=lambda now: seen.append(len(now.moves))
            )
        finally:
            other.close()
    assert result.fault is None and result.utility is not None
    assert bool(said) == bool(refused) and refused in " ".join(said)
    assert (seen == sorted(seen)) == bool(refused)


def test_a_peer_that_restarts_is_brought_back(player: Path) -> None:
    """Connected to anew it plays a new game, which is brought to the earlier position."""
    with listening(player) as (port, peer):
        other = pg.player_named(f"connect[restarts=true]:localhost:{port}")
        after = TICTACTOE.play("b2")
        assert after.game.move_text(after.state, other.choose(after, None)) == "c3"
        other.take_back(TICTACTOE, 1)
        assert peer.stdout is not None and "game 2" in peer.stdout.readline()
        assert after.game.move_text(after.state, other.choose(after, None)) == "a1"
        other.close()


SPECS = [
    "program[timeout=2.5,port=54399]:swipl ttt.pl",
    "program:true",
    "connect[protocol=json,restarts=true]:localhost:4000",
    "listen[start=5]:4000",
    "engine:depth=3,table=16",
]


@pytest.mark.parametrize("spec", SPECS)
def test_a_players_options_are_kept(spec: str, tmp_path: Path) -> None:
    """A saved game's players are who played, options included; a program's name is what makes it again."""
    made = pg.player_named(spec)
    if not spec.startswith("engine"):
        assert made.name == spec and pg.player_named(made.name) == made
    file = tmp_path / "game.jsonl"
    GameFile.begin(file, "tictactoe", TICTACTOE, ("human", spec)).close()
    command = [sys.executable, "-m", "plyground", "play", "--resume", "--keep", str(file)]
    done = subprocess.run(command, input="quit\n", capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert read_game(file).players == ("human", spec)
