"""A game becomes a module: compiled by `compiled/wasm_target.py`, linked by LLVM's linker, kept as compiled code is."""

import hashlib
import json
import platform
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from plyground.compiled import cache
from plyground.compiled.fingerprint import fingerprint
from plyground.compiled.kernel import waited_for, why_nothing_compiles
from plyground.errors import BadInput
from plyground.rules import Game
from plyground.wasm.entries import SMALL, entries_of
from plyground.wasm.facts import facts_of

STACK: int = 1 << 20
"""Bytes for what compiled functions lay on a stack of their own; the calls themselves are on the browser's."""
PAGE: int = 1 << 16
"""Bytes of a page of memory, by the standard."""
MOST: int = 1 << 31
"""Bytes of memory at most: what every browser grants."""
_IMPORTED = b"\x03env\x06memory\x02\x01"
"""How a module begins to say what memory it imports: its name, that it is a memory, and flags: it has a maximum."""
_FORMAT = 14


@dataclass(frozen=True)
class Built:
    """A module, and what its page must know of it."""

    code: bytes
    """The WebAssembly module. It imports its memory, and nothing else."""
    facts: dict[str, Any]
    """As JSON takes them (`facts.py`)."""


def built(game: Game[Any]) -> Built:
    """The module of a game, built or found in the cache.

    Raises:
        BadInput: the game runs only as plain Python, there is nothing to link with, or nothing is compiled here.
    """
    name = type(game).__name__
    if why := why_nothing_compiles() or game.plain:
        raise BadInput(f"{name} cannot be published: {why}, and a page needs compiled rules.")
    mark = _mark(game)
    if (found := _read(mark)) is None:
        with cache.alone(mark):
            if (found := _read(mark)) is None:  # else it was made while it was waited for
                found = waited_for(lambda: _make(game))
                with suppress(OSError):
                    cache.write(mark, json.dumps(found.facts).encode() + b"\n" + found.code)
    return found


def _mark(game: Game[Any]) -> str:
    """The name under which a module is kept."""
    parts = [_FORMAT, _linker(), version("numba"), platform.python_version(), fingerprint(game)]
    parts += [fingerprint(facts_of), repr(facts_of(game, ()))]  # what it is made of, and what it says of each search
    parts += [fingerprint(entry) for entry, *_ in entries_of(game)]
    return f"module-{hashlib.sha256(repr(parts).encode()).hexdigest()[:32]}"


def _read(mark: str) -> Built | None:
    facts, _, code = (cache.read(mark) or b"").partition(b"\n")
    return Built(code, json.loads(facts)) if code else None


def _linker() -> str:
    """The linker's version."""
    try:
        return version("ziglang")
    except PackageNotFoundError:
        raise BadInput(
            "A page is linked by what comes with ziglang, which is not installed: pip install 'plyground[publish]'"
        ) from None


def _make(game: Game[Any]) -> Built:
    from plyground.compiled.agreement import why_unlike
    from plyground.compiled.code import CannotCompile
    from plyground.compiled.wasm_target import written_for_browsers  # here, because Numba takes half a second to import

    if why := why_unlike(game, for_page=True):
        raise BadInput(f"{type(game).__name__} cannot be published, because it runs only as plain Python. {why}")
    try:
        written = written_for_browsers(entries_of(game), [entry.__name__ for entry in SMALL])
    except CannotCompile as fault:
        raise BadInput(
            f"{type(game).__name__} cannot be published: a page needs rules that are compiled for browsers. {fault}"
        ) from None
    code = _linked(written.code, written.exports)
    return Built(code, facts_of(game, written.faults) | {"memory": _memory_of(code)})


def _memory_of(code: bytes) -> dict[str, int]:
    """What must be known of the memory that a module imports; pages are those of the standard.

    Where its bit 2 is set, the byte at `FLAGS` asks for a memory that several instances share; the code is the same.
    """
    flags = code.index(_IMPORTED) + len(_IMPORTED) - 1
    first = place = 0
    while True:  # an int in LEB128
        byte = code[flags + 1 + place]
        first |= (byte & 127) << 7 * place
        place += 1
        if byte < 128:
            return {"FLAGS": flags, "FIRST": first, "MOST": MOST // PAGE}


def _linked(code: bytes, exports: tuple[str, ...]) -> bytes:
    """The module of an object file."""
    names = [f"--export={name}" for name in (*exports, "__heap_base", "__stack_pointer")]
    options = ["--no-entry", "--stack-first", "-z", f"stack-size={STACK}", "-O2", "--gc-sections", "--strip-all"]
    options += ["--import-memory", f"--max-memory={MOST}", "--compress-relocations"]
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder, "game.o"), Path(folder, "game.wasm")
        before.write_bytes(code)
        command = [sys.executable, "-m", "ziglang", "wasm-ld", *options, *names, str(before), "-o", str(after)]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
        if done.returncode:
            raise BadInput(
                f"Linking the page failed, by no fault of the rules: {done.stderr.strip().splitlines()[-1:]}"
            )
        return after.read_bytes()
