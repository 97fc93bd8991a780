"""Workers of the page keep to the record of each operation."""

import re

from plyground.web.operations import BY_NAME, OPERATIONS, PUBLISHED
from plyground.web.server.bundle import STATIC
from plyground.web.views.positions import nearby

WORKER = STATIC / "worker" / "operations.js"


def test_published_operations_are_those_of_the_worker() -> None:
    """Each has a function in the worker, but for the menu, which the page holds; the worker has no other."""
    text = WORKER.read_text(encoding="utf-8").partition("  operations = {\n")[2].partition("\n  };\n")[0]
    answered = set(re.findall(r"^    (\w+):", text, re.MULTILINE))
    assert answered | {"menu"} == {view.name for view in PUBLISHED}


def test_flags() -> None:
    """What is near or swift is published; a secret of an exam is never near, except a reply, which a page withholds."""
    for operation in BY_NAME.values():
        assert operation.published or not (operation.nearby or operation.swift), operation.name
        assert operation.in_exam or not operation.nearby, operation.name
        assert operation.stream or operation.socket_only or operation in OPERATIONS
    assert [name for name, operation in BY_NAME.items() if operation.nearby] == ["position", "reply"]


def test_players_near() -> None:
    """Each player of a worker beside the server is one of `players.js` or a recorded search."""
    kinds = set(
        re.findall(
            r"^  (\w+): \(.*=> ", (STATIC / "worker" / "play" / "players.js").read_text(encoding="utf-8"), re.MULTILINE
        )
    )
    assert set(nearby()) - {"minimax", "alphabeta", "ordered"} == kinds - {"perfect"}
