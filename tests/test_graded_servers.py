"""Servers of students are graded: a right one has all points, and each wrong one loses those of its mistake."""

import json
import shlex
import shutil
import sys
from pathlib import Path

import pytest
from commanding import ran

from plyground.errors import BadInput
from plyground.grading.forms import GradeReport
from plyground.grading.servers import grade as server
from plyground.grading.servers.criteria import FIRST, SERVER_CRITERIA
from plyground.grading.servers.grade import grade_server

pytestmark = pytest.mark.process
SERVER = """
import socket, sys, threading

clients = []


def serve(one):
    try:
        for line in one.makefile("rb"):
            if line.endswith(b"\\n"):
                pass_on(one, line)
    except OSError:
        pass
    clients.remove(one)


def pass_on(one, line):
    for other in [*clients]:
        if other is not one:
            try:
                other.sendall(line)
            except OSError:
                pass


listening = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    one, _ = listening.accept()
    clients.append(one)
    threading.Thread(target=serve, args=[one]).start()
"""
"""A right Connector: lines go on to all the others."""
KEPT = "in parts, two at once, CR LF"
"""A criterion that most wrong servers keep."""
DEAF = {"to the other, the page begins", "to the other, Prolog begins", KEPT}
WRONG = {
    "sends back": (
        [("if other is not one", "if True")],
        {"never back to the sender"},
        "To the page comes '(2,1).', which it wrote itself.",
    ),
    "changes the form": (
        [("other.sendall(line)", "other.sendall(line.strip(b'().\\r\\n') + b'\\n')")],
        {"to the other, the page begins"},
        "To the Prolog player comes '2,1', and a Prolog that reads waits for more: '(2,1).' and a new line.",
    ),
    "first client only": (
        [("if other is not one", "if other is clients[0] and other is not one")],
        DEAF,
        "'(2,1).' does not come to the Prolog player within",
    ),
    "two clients in all": (
        [("while True:", "for _ in range(2):")],
        {"three clients at once", "one game after another", "one leaves, another comes"},
        "does not come to the Prolog player",
    ),
    "ends with a client's error": (
        [("    except OSError:\n        pass\n    clients", "    except OSError:\n        os._exit(1)\n    clients"),
         ("import socket", "import os, socket")],
        {"an abrupt close"},
        "It ended with exit code 1",
    ),
    "reads no garbage": (
        [("pass_on(one, line)\n    exc", "pass_on(one, line if check(line) else line)\n    exc"),
         ("clients = []", "import os\n\ndef check(line):\n    try:\n        a, b = line.decode().strip('().\\r\\n')"
          ".split(',')\n        return int(a)\n    except ValueError as fault:\n        print(repr(fault), "
          "file=sys.stderr, flush=True)\n        os._exit(3)\n\nclients = []")],
        {"garbage disturbs nobody"},
        "It ended with exit code 3; its last words: ",
    ),
    "passes bytes on": (
        [('for line in one.makefile("rb"):', "while line := one.recv(4096):"),
         ('if line.endswith(b"\\n")', "if line")],
        {"half a line is kept back"},
        "To the Prolog player comes ",
    ),
    "replays the old game": (
        [("    for other in [*clients]:", "    said.append(line)\n    for other in [*clients]:"),
         ("clients = []", "clients = []\nsaid = []"),
         ("    clients.append(one)", "    clients.append(one)\n    for line in said:\n        one.sendall(line)")],
        {"one game after another"},
        "To the page comes ",
    ),
    "loses every third line": (
        [("if line.endswith(b\"\\n\")", "lines.append(line)\n            if len(lines) % 3"),
         ("clients = []", "clients = []\nlines = []")],
        {"a whole game, in order", "in parts, two at once, CR LF"},
        "does not come to ",
    ),
    "one client at a time": (
        [("threading.Thread(target=serve, args=[one]).start()", "serve(one)")],
        DEAF,
        "does not come to ",
    ),
    "never listens": (
        [("listening = ", "raise ValueError('port')\nlistening = ")],
        DEAF,
        "It ended with exit code 1; its last words: ValueError: port.",
    ),
}  # fmt: skip

"""Changes that make it wrong, what they cost of the criteria that are asked, and words of the first reason."""


def grade_changed(folder: Path, changes: list[tuple[str, str]] = [], protocol: str = "terms") -> GradeReport:  # noqa: B006
    """Grade of the server with some changes."""
    text = SERVER
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    (folder / "server.py").write_text(text, encoding="utf-8")
    words = f"{shlex.quote(sys.executable)} -S {folder / 'server.py'} {{port}}"
    return grade_server(words, protocol=protocol, seconds=1.0)


def missed_criteria(report: GradeReport) -> dict[str, str]:
    """Criteria that a server missed, with the reasons."""
    return {each.name: each.example.words for each in report.data.criteria if each.example}


def test_a_right_server_has_all_points(tmp_path: Path) -> None:
    """Thirty lines of Python are enough."""
    found = grade_changed(tmp_path)
    assert found.score == "100 of 100" and not missed_criteria(found), found.text


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_server_loses_points_by_a_reason(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it does wrong is in a sentence; what it does right keeps its points."""
    changes, criteria, words = WRONG[name]
    asked = [each for each in SERVER_CRITERIA if each in SERVER_CRITERIA[:FIRST] or each.name in {*criteria, KEPT}]
    monkeypatch.setattr(server, "SERVER_CRITERIA", asked)
    found = grade_changed(tmp_path, changes)
    assert missed_criteria(found).keys() == criteria and words in found.likely, found.text
    assert found.data.points == sum(each.points for each in found.data.criteria) < (found.data.possible or 0)


def test_xml_is_held_against_the_schema(tmp_path: Path) -> None:
    """A server that passes on whatever comes lets through what the schema does not allow."""
    found = grade_changed(tmp_path, protocol="xml")
    assert missed_criteria(found).keys() == {"invalid XML is not passed on"} and found.score == "100 of 120"
    assert "mvoe" in missed_criteria(found)["invalid XML is not passed on"]
    plyground = f"{shlex.quote(sys.executable)} -m plyground connector --protocol xml --port {{port}}"
    assert grade_server(plyground, protocol="xml").score == "120 of 120"


THREADS = """
:- dynamic client/2.
:- initialization(main, main).
main :- current_prolog_flag(argv, [Word|_]), atom_number(Word, Port), tcp_socket(Socket),
    tcp_setopt(Socket, reuseaddr), tcp_bind(Socket, Port), tcp_listen(Socket, 5), accept(Socket).
accept(Socket) :- tcp_accept(Socket, Client, _), tcp_open_socket(Client, In, Out),
    thread_create(catch(serve(In, Out), _, true), _, [detached(true)]), accept(Socket).
serve(In, Out) :- thread_self(Self), assertz(client(Self, Out)),
    call_cleanup(pass_on(Self, In), (retractall(client(Self, _)), catch(close(Out), _, true))).
pass_on(Self, In) :- read_line_to_string(In, Line), Line \\== end_of_file,
    forall((client(Other, Out), Other \\== Self), catch((format(Out, "~s~n", [Line]), flush_output(Out)), _, true)),
    pass_on(Self, In).
"""
"""A Connector in Prolog: a thread for each client, line by line; the end of the input ends a line, too."""


def test_a_server_in_prolog(tmp_path: Path) -> None:
    """It does all that the tutorial asks for; only half a line of a client that is cut off is passed on as a line."""
    if not shutil.which("swipl"):
        pytest.skip("swipl is not installed")
    (tmp_path / "server.pl").write_text(THREADS, encoding="utf-8")
    found = grade_server(f"swipl {tmp_path / 'server.pl'} {{port}}", protocol="terms", seconds=2.0)
    assert missed_criteria(found).keys() == {"half a line is kept back"} and found.score == "95 of 100", found.text


def test_the_verb(tmp_path: Path) -> None:
    """Points as of a search, in text and in JSON; what cannot be asked is a sentence."""
    (tmp_path / "server.py").write_text(SERVER.replace("if other is not one", "if True"), encoding="utf-8")
    words = ["wire-check", "--server", f"{sys.executable} -S {tmp_path / 'server.py'} {{port}}"]
    done = ran([*words, "--json"])
    said = json.loads(done.stdout)
    said = said[0] if isinstance(said, list) else said
    assert done.exit_code == 1 and said["points"] < said["possible"] == 100 and "wrote itself" in said["likely"]
    for wrong in (["wire-check"], ["wire-check", "sh p.sh", "--server", "sh s.sh"]):
        assert isinstance(ran(wrong, standalone=False).exception, BadInput)
    with pytest.raises(BadInput, match="cannot be started"):
        grade_server("no-such-program {port}", protocol="terms")
