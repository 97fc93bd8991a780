"""Building of a game's WebAssembly module, which is kept in the cache as compiled code is."""

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

_MAKER_FILES = (*(Path(__file__).parent.parent / "compiler").rglob("*.py"), Path(__file__))
"""Source files on which a module depends, besides those of rules and searches."""


@dataclass(frozen=True)
class GameModule:
    """WebAssembly module of a game, with the facts that its page needs."""

    code: bytes
    """Bytes of the module. It imports its memory, and nothing else."""
    facts: dict[str, Any]
    """Facts of `facts.py`, of JSON's kinds of values."""


def build_module(game: Game[Any]) -> GameModule:
    """Build the module of a game, or read it from the cache.

    Raises:
        BadInput: the game runs only as plain Python, or nothing is compiled here.
    """
    name = type(game).__name__
    if why := why_nothing_compiles() or game.plain:
        raise BadInput(f"{name} cannot be published: {why}, and a page needs compiled rules.")
    cache_name = _cache_name(game)
    if (found := _read_cached(cache_name)) is None:
        # One process builds, the others wait: a server's workers ask for the same game at once, and a module takes 0.5
        # to 1.5 seconds of CPU time (bench/COMPILE.md).
        with cache.lock_entry(cache_name):
            if (found := _read_cached(cache_name)) is None:  # else it was made while it was waited for
                found = _compile_game(game)
                # Without a disk the module is built at each use, no more.
                with suppress(OSError):
                    cache.write(cache_name, json.dumps(found.facts).encode() + b"\n" + found.code)
    return found


def _cache_name(game: Game[Any]) -> str:
    """Name of the module in the cache: a hash of all on which its bytes and facts depend."""
    # The release of Python, because fingerprints are hashes of bytecode; the compiler as text, because most of it is
    # not reached from the entries.
    parts = [platform.python_version(), fingerprint(game)]
    parts += [hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(_MAKER_FILES)]
    parts += [fingerprint(facts_of), repr(facts_of(game, ()))]  # what it is made of, and what it says of each search
    parts += [fingerprint(entry) for entry, *_ in entries_of(game)]
    return f"module-{hashlib.sha256(repr(parts).encode()).hexdigest()[:32]}"


def _read_cached(cache_name: str) -> GameModule | None:
    # One file, one name: the facts in a line of JSON, which has no line break in it, then the module.
    facts, _, code = (cache.read(cache_name) or b"").partition(b"\n")
    return GameModule(code, json.loads(facts)) if code else None


def _compile_game(game: Game[Any]) -> GameModule:
    from plyground.compiled.agreement import find_difference
    from plyground.compiler.backends.module import MOST_PAGES
    from plyground.compiler.browser import compile_module  # here, because the compiler takes a moment to load
    from plyground.compiler.errors import NoSource, NotCompilable

    name = type(game).__name__
    # Ints wrap in a module, and the page shows no sign of it, so rules are tried against plain Python before.
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
    return GameModule(module.code, facts_of(game, compiled.faults) | {"memory": memory})
