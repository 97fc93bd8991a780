"""What the lessons let one run: commands, and lines of Python; and what the page has for each."""

import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from doctest import DocTestParser
from itertools import pairwise, takewhile

from plyground.errors import BadInput
from plyground.players import HARMLESS
from plyground.search import is_algorithm
from plyground.spec import is_own
from plyground.web import documents as d
from plyground.web import models as m
from plyground.web.positions import edit


@dataclass(frozen=True)
class Command:
    """A command, and the lines that the lesson shows of its output."""

    number: int
    text: str
    shown: tuple[str, ...]

    @property
    def words(self) -> list[str]:
        """The command's words after `plyground`; a player's `python` is this very Python."""
        ours = f'program:"{sys.executable}" '
        return [word.replace("program:python ", ours) for word in shlex.split(self.text)[1:]]

    @property
    def run(self) -> list[str]:
        """What Python is given to run it."""
        return ["-m", "plyground", *self.words]

    @property
    def asks(self) -> bool:
        """Whether it asks the one who typed it, so that it has its place in a terminal only."""
        return self.words[0] == "play" or (self.words[0] == "quiz" and "--html" not in self.words)

    @property
    def names_own(self) -> bool:
        """Whether it names something in a file that the reader has saved."""
        return any(is_own(word) for word in self.words)

    @property
    def search(self) -> "Search | None":
        """What a game's module can print in its place; None where it takes more than a search by one of ours."""
        verb, game, text, options = _parts(self.words)
        given = {name.removeprefix("--"): value for name, value in options.items() if name.startswith("--")}
        if verb not in SEARCHES or given.keys() - SEARCHES[verb] or self.names_own:
            return None
        if verb == "perft":
            text, given = given.pop("position", ""), given | {"depth": text}
        if verb == "compare":
            plain = [*takewhile(lambda word: not word.startswith("--"), self.words[2:])]
            given |= {"algorithms": " ".join(word for word in plain if is_algorithm(word))}
            text = "" if is_algorithm(text) else text
        return Search(verb, game, text, given)

    @property
    def view(self) -> d.ExampleView:
        """As data."""
        link, game = _link(self.words), _game(self.words)
        shown = "\n".join(self.shown)
        return d.ExampleView(number=self.number, text=self.text, shown=shown, runs=not self.asks, link=link, game=game)


@dataclass(frozen=True)
class Lines:
    """Lines of Python with their prompts and what they print."""

    number: int
    text: str
    lesson: str
    asks = False
    """Whether it asks the one who typed it: Python never does here."""

    @property
    def run(self) -> list[str]:
        """What Python is given to type them in."""
        return ["-m", "plyground.web.typed", self.lesson, str(self.number)]

    @property
    def sources(self) -> list[str]:
        """What is typed at each prompt."""
        return [example.source for example in DocTestParser().get_examples(self.text)]

    @property
    def shown(self) -> tuple[str, ...]:
        """The lines that they print, as the lesson shows them."""
        return tuple("".join(example.want for example in DocTestParser().get_examples(self.text)).splitlines())

    @property
    def view(self) -> d.ExampleView:
        """As data."""
        return d.ExampleView(number=self.number, text=self.text, shown="", runs=True)


Example = Command | Lines


@dataclass(frozen=True)
class Search:
    """A command that is a search, as `static/worker/printed.js` reads it."""

    verb: str
    game: str
    text: str
    """The position."""
    options: dict[str, str]
    """By their names, each with the word that follows it."""


SEARCHES = {
    "perft": {"position"},
    "search": {"algorithm", "depth", "nodes", "no-hurry"},
    "tree": {"algorithm", "depth", "plies", "why", "spy"},
    "compare": {"depth", "time"},
    "analyse": {"depth", "time"},
    "solve": set[str](),
}
"""The verbs that a page can run by itself, and which of their options it knows."""


# -- what the page has for a command -----------------------------------------------------------------------------------


def _link(words: list[str]) -> d.LinkView | None:
    """The page that shows what a command prints; None where there is none, as for a game in a file of one's own.

    An empty value is one that the command leaves to the page.
    """
    verb, game, text, options = _parts(words)
    if is_own(game):
        return None
    match verb:
        case "tree":
            asked = {"algorithm": "--algorithm", "depth": "--depth", "node": "--why"}
            given = {key: options.get(option, "") for key, option in asked.items()}
            return d.LinkView(path="tree", values=_at(game, text) | given)
        case "compare":
            deepest = options.get("--depth", "").rpartition("..")[2]
            return d.LinkView(path="race", values=_at(game, "" if is_algorithm(text) else text) | {"depth": deepest})
        case "analyse":
            return d.LinkView(path="board", values=_at(game, text) | {"values": "1"})
        case "quiz":
            return d.LinkView(path="quiz", values={"game": game})
    return None


def _game(words: list[str]) -> m.Create | None:
    """The game that a command begins, if the page may: a program is named on the server's command line only."""
    verb, game, _, options = _parts(words)
    if verb != "play" or is_own(game):
        return None
    o = options.get("--o", "engine:time=1")
    try:
        HARMLESS.named(o)
    except BadInput:
        return None
    here = edit(m.Edit(game=game, text=options.get("--position", "")))
    return m.Create(game=game, start=here.start, moves=here.moves, o=o)


def _parts(words: Sequence[str]) -> tuple[str, str, str, dict[str, str]]:
    """The verb, the game, the word after it, and the options with the words that follow them."""
    plain = [*takewhile(lambda word: not word.startswith("--"), words), "", "", ""]
    return plain[0], plain[1], plain[2], dict(pairwise([*words, ""]))


def _at(game: str, text: str) -> dict[str, str]:
    here = edit(m.Edit(game=game, text=text))
    return {"game": game, "start": here.start, "moves": " ".join(here.moves)}
