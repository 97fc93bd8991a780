"""A game whose rules are typed into a page: read, checked and compiled by Python in the browser.

It runs in Pyodide (`page/src/editor/python.js`), where little else is installed than this package, and answers in JSON.
"""

import base64
import gzip
import io
import json
import os
import re
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from plyground.errors import BadInput
from plyground.faults import error_words, game_fault, user_place
from plyground.games import GAMES, AnyGame, game_named
from plyground.laws import asking
from plyground.laws.verdict import check, require_lawful
from plyground.spec import user_modules
from plyground.wasm import GameModule, build_module
from plyground.web.views.game_facts import first_page, game_facts

RULES_FOLDER = Path("/rules")
"""Folder of the file, in the browser's memory."""
GAMES_CHECKED, CHECK_SECONDS = 20, 2.0
"""Random games that are held against the laws once the game is there to be played, and seconds for that at most."""
LOADING_SECONDS, ANSWER_SECONDS = 5.0, 2.0
"""Seconds that reading the rules, and one answer, may take: less than elsewhere, for a person waits."""
MOST_PRINTED = 20_000
"""Most characters of the rules' output that are shown."""


class _Printed(io.StringIO):
    """Output of the rules, cut after `MOST_PRINTED` characters."""

    def write(self, text: str) -> int:
        super().write(text[: max(0, MOST_PRINTED - self.tell())])
        return len(text)


def answers(text: str, file: str, wanted: str) -> Iterator[str]:
    """Answers about rules, one after the other, each an object in JSON.

    First `games`, those of the file, and `game`, the one that is meant. Then what its page brings: `first`, `facts` and
    `module`. Then how it was held against the laws: `said`, and `notes`. If something is wrong, `faults`, each with a
    `sentence` and its `line`, and nothing more of these. At last `printed`: what the rules have printed.

    Args:
        text: the rules, a Python file.
        file: the file's name.
        wanted: the game's name in it; the last one of the file where it has none of that name.
    """
    user_modules.LOADING_SECONDS, asking.ANSWER_SECONDS = LOADING_SECONDS, ANSWER_SECONDS
    RULES_FOLDER.mkdir(exist_ok=True)
    # A file in the browser's memory: `inspect` and the compiler read sources by file.
    os.chdir(RULES_FOLDER)  # sentences name the file alone
    Path(file).write_text(text, encoding="utf-8")
    steps, printed = _steps(Path(file), wanted), _Printed()
    while True:
        # The redirection is around each step, not around the whole: a generator that rests would
        # leave it in place.
        with redirect_stdout(printed), redirect_stderr(printed):
            found = next(steps, None)
        if found is None:
            break
        yield json.dumps(found)
    yield json.dumps({"printed": printed.getvalue()})


def _steps(file: Path, wanted: str) -> Iterator[dict[str, Any]]:
    try:
        module = user_modules.module_of(file)
        found = {key: each for key, each in vars(module).items() if getattr(each, "__module__", "") == module.__name__}
        # Only the file's own definitions count: `from … import Chess` offers no Chess.
        names = [key for key, each in found.items() if GAMES.maker(each, key)]
        if not names:
            raise BadInput(f"{file} has no game: write a class that is {GAMES.form}.")
        name = wanted if wanted in names else names[-1]
        yield {"games": names, "game": name}
        spec = f"{file}:{name}"
        game = game_named(spec)
        notes = require_lawful(game)
        # The page first, then the laws in full: the board is there while random games are still
        # played.
        made = _build_module(game)
        brought = {"first": first_page(spec, game), "facts": game_facts(spec, game, made)}
        yield {**brought, "module": base64.b64encode(gzip.compress(made.code)).decode()}
        verdict = check(game, games=GAMES_CHECKED, seconds=CHECK_SECONDS)
        if verdict.ok:
            yield {"said": verdict.words, "notes": list(dict.fromkeys((*notes, *verdict.notes)))}
        else:
            yield {"faults": [_fault(file, f"{each.law}: {each.sentence}", each.place) for each in verdict.faults]}
    except BadInput as fault:
        yield {"faults": [_fault(file, str(fault))]}
    except Exception as error:  # the rules may raise anything, also where no question is asked
        said = str(game_fault(error) or f"{file} fails: {error_words(error)}.")
        yield {"faults": [_fault(file, said, user_place(error))]}


def _build_module(game: AnyGame) -> GameModule:
    """The module of a game. Where there is none, the laws may say more plainly why than the compiler does.

    Raises:
        BadInput: it cannot be built.
    """
    try:
        return build_module(game)
    except BadInput:
        verdict = check(game, games=2, seconds=CHECK_SECONDS)
        if not verdict.ok:
            raise BadInput(f"{verdict.faults[0].law}: {verdict.faults[0].sentence}") from None
        raise


def _fault(file: Path, sentence: str, place: str | None = None) -> dict[str, Any]:
    """A fault with its line in the file: that of its place, else the line that the sentence names, else None."""
    # The editor marks this line; sentences have it for people, so it is read from there.
    line = re.search(rf"\b{re.escape(file.name)}(?: cannot be loaded:|,) line (\d+)", f"{place} {sentence}")
    return {"sentence": sentence, "line": int(line[1]) if line else None}
