"""A page's worker, run in Node, to be asked as the page asks it."""

import json
import shutil
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

from plyground.exact.tables.reading import Tablebase
from plyground.publish.page import add_table
from plyground.web.operations import BY_NAME
from plyground.web.server.files import PAGE_FOLDER
from plyground.web.views.module_facts import module_and_facts

DRIVER = Path(__file__).parent.parent / "page" / "tests" / "asked.mjs"
WORKER = PAGE_FOLDER / "worker.js"
"""The script of the page's workers, as a browser gets it."""


class Refused(Exception):
    """What a worker says in place of an answer, and the status of it."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


class Answers:
    """A worker with the module of a game."""

    def __init__(self, spec: str, folder: Path, *, tablebase: Tablebase | None = None, **means: Any) -> None:
        """Bring the module, with a tablebase if one is given. `means` is what a page grants: `table`, `seed`, and
        `helpers`, each a thread."""
        node = shutil.which("node")
        if not node:
            pytest.skip("node is not installed")
        code, facts = module_and_facts(spec)
        if tablebase:
            _, code, facts = add_table(tablebase, code, facts)
        file = folder / "game.wasm"
        file.write_bytes(code)
        self.spec = spec
        self._node = subprocess.Popen(
            [node, str(DRIVER), str(WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self._say({"file": str(file), "facts": facts, **means})

    def _say(self, what: dict[str, Any]) -> None:
        assert self._node.stdin is not None
        self._node.stdin.write(json.dumps(what) + "\n")
        self._node.stdin.flush()

    def parts(self, op: str, **args: Any) -> list[Any]:
        """All that is answered, better and better; the last one is the answer."""
        self._say({"op": op, "args": {"game": self.spec, **args}, "stream": BY_NAME[op].stream})
        assert self._node.stdout is not None
        *parts, last = json.loads(self._node.stdout.readline())
        if "error" in last:
            raise Refused(last["error"], last["status"])
        told = [part["part"] for part in parts]
        assert not told or told[-1] == last["ok"]
        return told or [last["ok"]]

    def ask(self, op: str, **args: Any) -> Any:
        """The answer."""
        return self.parts(op, **args)[-1]

    def __enter__(self) -> "Answers":
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        assert self._node.stdin is not None and self._node.stdout is not None
        self._node.stdin.close()
        self._node.wait(30)
        self._node.stdout.close()
