"""Grades of servers: a student's Connector, over which two clients play while others come, go and disturb.

A server passes what one client writes on to all the others, and never back. It is started once, and again after each
criterion that it misses, so that no fault costs what another criterion asks; one that was started elsewhere is taken
as it is.
"""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from plyground.errors import sentence_of
from plyground.grading.forms import RIGHT, ExampleData, GradeData, GradeReport, MarkData, ShownMistake, mark_line
from plyground.grading.servers.clients import (
    ACCEPT_SECONDS,
    ANSWER_SECONDS,
    GAME_PASSED,
    ClientTable,
    CriterionMissed,
    NothingCame,
    StudentServer,
)
from plyground.grading.servers.criteria import FIRST, SERVER_CRITERIA, UNASKED, ServerCriterion
from plyground.wire.connector import PORT
from plyground.wire.protocols import codec
from plyground.wire.remote import host_and_port


class _Mark(NamedTuple):
    """A criterion as a server met or missed it."""

    criterion: ServerCriterion
    sentence: str = ""
    """Reason why it is missed; empty where it is met."""
    story: str = ""
    """Messages on the wire."""


def grade_server(
    server: str,
    *,
    port: int = 0,
    protocol: str,
    seconds: float = ANSWER_SECONDS,
    on_criterion: Callable[[str], None] = lambda name: None,
) -> GradeReport:
    """Grade a server.

    Args:
        server: `HOST:PORT` where it listens, or a command that starts it; that may have `{port}`.
        port: the port at which a command's server listens; 0: a free one if the command has `{port}`, else 54321.
        protocol: the name of the protocol in which its clients write.
        seconds: within which what one client writes has reached the other.
        on_criterion: called with the name of each criterion before it is asked.

    Raises:
        BadInput: there is no such protocol, the command cannot be started, or its port is taken.
    """
    codec(protocol)
    asked = [each for each in SERVER_CRITERIA if each.protocol in ("", protocol)]
    marks: list[_Mark] = []
    with _server_at(server, port, protocol) as served:
        for criterion in asked:
            on_criterion(criterion.name)
            # A server that passes nothing on fails all the rest too, after five seconds each: it is not asked.
            is_deaf = len(marks) >= FIRST and all(mark.sentence for mark in marks[:FIRST])
            marks.append(_Mark(criterion, UNASKED) if is_deaf else _mark_criterion(served, criterion, seconds))
    return _report(server, marks)


@contextmanager
def _server_at(server: str, port: int, protocol: str) -> Iterator[StudentServer]:
    host, _, number = server.rpartition(":")
    if " " not in server.strip() and host and number.isdecimal():
        served = StudentServer(protocol, host_and_port(server))
    else:
        served = StudentServer(protocol, ("localhost", port or (_free_port() if "{port}" in server else PORT)), server)
    try:
        yield served
    finally:
        served.close()


def _free_port() -> int:
    # Another program may take the port before the server starts; `start` then says so.
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def _mark_criterion(server: StudentServer, criterion: ServerCriterion, seconds: float) -> _Mark:
    """Play one criterion on the server. A missed one is tried once more on a server started for it; also where nothing
    came at all, because the server may have been slow to accept its clients.
    """
    for settled in ACCEPT_SECONDS:
        is_fresh = server.start()
        table = ClientTable(server, seconds, settled)
        try:
            criterion.play(table)
            return _Mark(criterion)
        except CriterionMissed as missed:
            mark = _Mark(criterion, sentence_of(f"{missed}"), table.story)
            # On a server that other criteria have used, the fault may be theirs.
            is_sure = is_fresh and not isinstance(missed, NothingCame)
        finally:
            table.close()
        server.close()
        if is_sure:
            break
    return mark


def _report(server: str, marks: list[_Mark]) -> GradeReport:
    """The grade in all forms."""
    missed = [mark for mark in marks if mark.sentence]
    points = sum(mark.criterion.points for mark in marks if not mark.sentence)
    possible = sum(mark.criterion.points for mark in marks)
    likely = missed[0].sentence if missed else ""
    criteria = [
        MarkData(
            name=name,
            points=0 if sentence else worth,
            possible=worth,
            asked=1,
            failed=int(bool(sentence)),
            unanswered=int(sentence == UNASKED),
            example=ExampleData(None, mark is not missed[0], sentence, mark.story, GAME_PASSED, "", None, None)
            if sentence
            else None,
        )
        for mark in marks
        for (name, worth, _, _), sentence in [(mark.criterion, mark.sentence)]
    ]
    lines = [
        mark_line(each.name, each.points, each.possible, mark.sentence, 30)
        for each, mark in zip(criteria, marks, strict=True)
    ]
    lines.append(f"{server}: {points} of {possible} points. {likely or RIGHT}")
    lines += [f"On the wire: {missed[0].story}"] if missed and missed[0].story else []
    data = GradeData(
        server, points, possible, likely, "", criteria, [each.example for each in criteria if each.example], []
    )
    shown = tuple(ShownMistake(mark.sentence, mark.story, "", ()) for mark in missed if mark.sentence != UNASKED)
    return GradeReport(data, "\n".join(lines) + "\n", tuple(mark.sentence for mark in marks), shown)
