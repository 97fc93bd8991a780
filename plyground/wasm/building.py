"""A game becomes a module: compiled by `plyground/compiler/`, kept as compiled code is."""

import hashlib
import json
import platform
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plyground.compiled import cache
from plyground.compiled.fingerprint import fingerprint
from plyground.compiled.kernel import why_nothing_compiles
from plyground.errors import BadInput
from plyground.rules import Game
from plyground.wasm.entries import SMALL_ENTRIES, entries_of
from plyground.wasm.facts import facts_of

_MAKERS = (*(Path(__file__).parent.parent / "compiler").rglob("*.py"), Path(__file__))
"""Files on which it depends, besides rules and searches, how a module is made."""


@dataclass(frozen=True)
class Built:
    """A module, and what its page must know of it."""

    code: bytes
    """The WebAssembly module. It imports its memory, and nothing else."""
    facts: dict[str, Any]
    """As JSON takes them (`facts.py`)."""


def build_module(game: Game[Any]) -> Built:
    """The module of a game, built or found in the cache.

    Raises:
        BadInput: the game runs only as plain Python, or nothing is compiled here.
    """
    name = type(game).__name__
    if why := why_nothing_compiles() or game.plain:
        raise BadInput(f"{name} cannot be published: {why}, and a page needs compiled rules.")
    mark = _mark(game)
    if (found := _read(mark)) is None:
        with cache.lock_entry(mark):
            if (found := _read(mark)) is None:  # else it was made while it was waited for
                found = _make(game)
                with suppress(OSError):
                    cache.write(mark, json.dumps(found.facts).encode() + b"\n" + found.code)
    return found


def _mark(game: Game[Any]) -> str:
    """The name under which a module is kept."""
    parts = [platform.python_version(), fingerprint(game)]
    parts += [hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(_MAKERS)]
    parts += [fingerprint(facts_of), repr(facts_of(game, ()))]  # what it is made of, and what it says of each search
    parts += [fingerprint(entry) for entry, *_ in entries_of(game)]
    return f"module-{hashlib.sha256(repr(parts).encode()).hexdigest()[:32]}"


def _read(mark: str) -> Built | None:
    facts, _, code = (cache.read(mark) or b"").partition(b"\n")
    return Built(code, json.loads(facts)) if code else None


def _make(game: Game[Any]) -> Built:
    from plyground.compiled.agreement import find_difference
    from plyground.compiler.backends.module import MOST_PAGES
    from plyground.compiler.browser import compile_module  # here, because the compiler takes a moment to load
    from plyground.compiler.errors import NoSource, NotCompilable

    name = type(game).__name__
    if why := find_difference(game, for_page=True):
        raise BadInput(f"{name} cannot be published, because it runs only as plain Python. {why}")
    try:
        compiled = compile_module(entries_of(game), [entry.__name__ for entry in SMALL_ENTRIES])
    except (NotCompilable, NoSource) as refusal:
        raise BadInput(
            f"{name} cannot be published: a page needs rules that are compiled for browsers. {refusal}."
        ) from None
    module = compiled.module
    memory = {"FLAGS": module.flags_place, "FIRST": module.first_pages, "MOST": MOST_PAGES}
    return Built(module.code, facts_of(game, compiled.faults) | {"memory": memory})
