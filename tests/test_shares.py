"""Shares among visitors: nobody waits for more than a turn of each other, and one address leaves half to the next."""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from servers import Server, serving
from waiting import LIMIT, until
from websockets.sync.client import ClientConnection

from plyground.web.limits import PROGRAMS_AT_ONCE, REQUESTS_AT_ONCE
from plyground.workers.shares import Shares, TooMany, Visitor

VISITORS = [Visitor(address, connection) for address in "abcd" for connection in "123"]
Step = tuple[bool, int]
"""Whether a job is put, not ended; and of whom, or which of those that run."""


class Watched:
    """Shares under a random load, held to their laws at each step."""

    def __init__(self, places: int) -> None:
        self.shares = Shares[tuple[Visitor, int]](places, 1_000)
        self.places, self.number = places, 0
        self.running: list[Visitor] = []
        self.line: list[tuple[Visitor, int]] = []
        self.passed: dict[str | Visitor, Counter[str]] = {}
        """Of each address, and each connection, that waits and holds nothing: how often each other has begun since."""

    def put(self, visitor: Visitor) -> None:
        """One more job."""
        self.number += 1
        self.shares.put(visitor, (visitor, self.number))
        self.line.append((visitor, self.number))
        self.go_on()

    def end(self, number: int) -> None:
        """One that runs has ended."""
        wanted = self.shares.is_wanted(self.running[number])
        before = len(self.running)
        self.shares.release(self.running.pop(number))
        self.go_on()
        assert wanted == (len(self.running) >= before)

    def go_on(self) -> None:
        """Begin all that may begin."""
        while job := self.shares.next():
            visitor, _ = job
            free = self.places - len(self.running)
            assert sum(each.address == visitor.address for each in self.running) < free
            assert job == next(each for each in self.line if each[0] == visitor)  # the oldest of its connection
            self.line.remove(job)
            self.running.append(visitor)
            self.note(visitor)
        assert (self.shares.held, self.shares.waiting) == (len(self.running), len(self.line))
        free, holding = self.places - len(self.running), Counter(each.address for each in self.running)
        new = [visitor for visitor, _ in self.line if visitor not in self.running]
        assert not any(holding[visitor.address] < free for visitor in new)  # no place is kept from who holds none

    def note(self, begun: Visitor) -> None:
        """That all who hold nothing have been passed by this one, and by each other once at most."""
        holding = {*self.running, *(each.address for each in self.running)}
        waiting = {each for visitor, _ in self.line for each in (visitor, visitor.address)}
        self.passed = {each: self.passed.get(each, Counter()) for each in waiting - holding}
        for each, counts in self.passed.items():
            if isinstance(each, str):
                counts[begun.address] += 1
            elif each.address == begun.address:
                counts[str(begun.connection)] += 1
            assert max(counts.values(), default=0) <= 1, (each, counts)


@settings(max_examples=200)
@given(st.integers(1, 9), st.lists(st.tuples(st.booleans(), st.integers(0, 1_000)), max_size=120))
def test_nobody_waits_more_than_a_turn_of_each(places: int, steps: list[Step]) -> None:
    """Whoever holds nothing is passed once at most by every other address, and by every connection of the own one."""
    watched = Watched(places)
    for is_put, number in steps:
        if is_put or not watched.running:
            watched.put(VISITORS[number % len(VISITORS)])
        else:
            watched.end(number % len(watched.running))
    while watched.running:
        watched.end(0)
    assert not watched.line and not vars(watched.shares)["_addresses"]


def test_however_much_one_asks_the_next_begins_at_once() -> None:
    """Of 8 places one address gets 4, the next 2, the next 1, and a fourth the last; so in the line."""
    shares = Shares[str](8, 80)
    for address, held in (("a", 4), ("b", 2), ("c", 1), ("d", 1)):
        begun, refused = list[str](), 0
        for number in range(64 * 32):
            try:
                shares.put(Visitor(address, f"{number % 64}"), address)
            except TooMany as fault:
                refused += 1
                said = r"The server is busy: .*, \d+ of them from your address; ask again in a moment\."
                assert re.fullmatch(said, f"{fault}")
            begun += [job] if (job := shares.next()) else []
        assert begun == [address] * held and refused
    assert 64 < shares.waiting < 80


def test_a_class_behind_one_address_is_many() -> None:
    """Of 30 connections of one address each has its turn, however much the first has asked for before."""
    shares = Shares[str](8, 3_000)
    class_ = [f"{number}" for number in range(30)]
    for connection in [*[class_[0]] * 100, *class_]:
        shares.put(Visitor("router", connection), connection)
    begun, running = list[str](), list[str]()
    while len(begun) < len(class_) + 3:
        while (job := shares.next()) is not None:
            begun.append(job)
            running.append(job)
        shares.release(Visitor("router", running.pop(0)))
    assert {*begun} == {*class_}


def test_who_leaves_the_line_is_forgotten() -> None:
    """What was dropped does not begin; what has begun cannot be dropped."""
    shares, one = Shares[str](1, 9), Visitor("a")
    for job in ("first", "second", "third"):
        shares.put(one, job)
    assert shares.next() == "first" and not shares.drop(one, "first")
    assert shares.drop(one, "second") and not shares.drop(one, "second")
    assert shares.next() is None and shares.is_wanted(one)
    shares.release(one)
    assert shares.next() == "third"


# -- a server ----------------------------------------------------------------------------------------------------------

SLOW = "import sys, time\nsys.stdin.readline()\ntime.sleep(300)\n"
FIRST = Path(__file__).resolve().parent.parent / "examples" / "players" / "first.py"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that compiles nothing, with a program that never answers and one that does."""
    folder = tmp_path_factory.mktemp("shares")
    (folder / "slow.py").write_text(SLOW, encoding="utf-8")
    slow = f"Slow=program[timeout=300]:{sys.executable} {folder / 'slow.py'}"
    first = f"First=program:{sys.executable} {FIRST} o x"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLYGROUND_PLAIN", "1")
        with serving(f"sqlite:///{folder / 'games.db'}", "--player", slow, "--player", first) as made:
            yield made


def ask(web: ClientConnection, number: int, op: str, **args: object) -> None:
    """Ask, and go on."""
    web.send(json.dumps({"id": number, "op": op, "args": args}))


def heard(web: ClientConnection, number: int) -> dict[str, Any]:
    """The first that comes for a number."""
    while (said := json.loads(web.recv(timeout=LIMIT)))["id"] != number:
        pass
    found: dict[str, Any] = said
    return found


def answered(web: ClientConnection, number: int) -> dict[str, Any]:
    """The answer to a number."""
    while "part" in (said := heard(web, number)):
        pass
    found: dict[str, Any] = said["ok"]
    return found


GREEDY: list[tuple[str, dict[str, object]]] = [
    ("reply", {"game": "ultimate", "player": "engine:time=60"}),
    ("reply", {"game": "ultimate", "player": "alphabeta:depth=60"}),
    ("analyse", {"game": "ultimate", "seconds": 60}),
    ("race", {"game": "ultimate", "seconds": 60, "depth": 60, "algorithms": ["minimax"]}),
]


@pytest.mark.process
@pytest.mark.parametrize(("op", "args"), GREEDY, ids=lambda each: each if isinstance(each, str) else str(each["game"]))
def test_one_visitor_never_stops_another(op: str, args: dict[str, object], server: Server) -> None:
    """All that one may ask for at once is under way: another has a reply, a first line and a tree before any of it."""
    with server.socket() as greedy, server.socket() as other:
        for number in range(REQUESTS_AT_ONCE):
            ask(greedy, number, op, **args)
        ask(greedy, REQUESTS_AT_ONCE, "menu")  # refused, which says that all before are under way
        assert "At most" in heard(greedy, REQUESTS_AT_ONCE)["error"]
        ask(other, 1, "reply", game="connectfour", player="level:easy")
        assert answered(other, 1)["move"]
        ask(other, 2, "analyse", game="connectfour", seconds=60)
        assert "part" in heard(other, 2)
        ask(other, 3, "tree", game="tictactoe", depth=1)
        assert answered(other, 3)["nodes"] == 10
        ended: list[dict[str, Any]] = []
        ask(greedy, 99, "board", game="tictactoe")
        while (said := json.loads(greedy.recv(timeout=LIMIT)))["id"] != 99:
            ended += [said] * ("part" not in said)
        assert not ended


@pytest.mark.process
def test_what_turns_out_to_be_long_makes_room(server: Server) -> None:
    """Replies that take for ever leave their places to one that does not; stopped, each is the best move so far."""
    with server.socket() as web:
        for number in range(6):
            ask(web, number, "reply", game="ultimate", player="engine:depth=60")
        ask(web, 6, "reply", game="tictactoe", player="level:easy")
        ended = dict[int, Any]()
        while not ended:
            said = json.loads(web.recv(timeout=LIMIT))
            ended |= {} if "part" in said else {said["id"]: said["ok"]}
        assert [*ended] == [6]
        for number in range(6):
            web.send(json.dumps({"id": 9, "op": "stop", "of": number}))
        while len(ended) < 7:
            said = json.loads(web.recv(timeout=LIMIT))
            ended |= {} if "part" in said else {said["id"]: said["ok"]}
        assert all(answer["move"] for answer in ended.values())


@pytest.mark.process
def test_programs_of_one_visitor(server: Server) -> None:
    """It starts few of those that it may ask for; another's answers meanwhile; all end with the socket."""

    def slow() -> list[psutil.Process]:
        running = []
        for child in psutil.Process(server.process.pid).children(recursive=True):
            with suppress(psutil.Error):  # it has just ended
                running += [child] if "slow.py" in "".join(child.cmdline()[1:2]) else []  # not what it was started by
        return running

    with server.socket() as greedy, server.socket() as other:
        for number in range(REQUESTS_AT_ONCE):
            ask(greedy, number, "reply", game="tictactoe", player="Slow")
        until(slow)
        for number in range(3):
            ask(other, number, "reply", game="tictactoe", moves=["b2"], player="First")
            assert answered(other, number)["move"] == "a1"
        assert 0 < len(slow()) <= PROGRAMS_AT_ONCE // 2
        begun = slow()
    assert psutil.wait_procs(begun, timeout=LIMIT / 10)[1] == [] == slow()
