"""Examples of the lessons: commands and lines of Python, and the page's link for each."""

import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from doctest import DocTestParser
from itertools import pairwise, takewhile

from plyground.engine import defaults
from plyground.errors import BadInput
from plyground.players import HARMLESS, OPPONENT
from plyground.search import is_algorithm
from plyground.spec import is_own
from plyground.web.lessons import lesson_models as d
from plyground.web.views import models as m
from plyground.web.views.positions import edit


@dataclass(frozen=True)
class Command:
    """A command, and the lines of its output that the lesson shows."""

    number: int
    text: str
    shown_lines: tuple[str, ...]

    @property
    def words(self) -> list[str]:
        """The command's words after `plyground`; `python` in a player's spec becomes this interpreter."""
        # The Python that runs the server: another one may lack plyground.
        ours = f'program:"{sys.executable}" '
        return [word.replace("program:python ", ours) for word in shlex.split(self.text)[1:]]

    @property
    def run(self) -> list[str]:
        """Arguments of Python that run it."""
        return ["-m", "plyground", *self.words]

    @property
    def reads_input(self) -> bool:
        """Whether the command reads input, so that it can run in a terminal only."""
        return self.words[0] == "play" or (self.words[0] == "quiz" and "--html" not in self.words)

    @property
    def names_own(self) -> bool:
        """Whether it names something in a file of the reader's."""
        return any(is_own(word) for word in self.words)

    @property
    def search(self) -> "Search | None":
        """The search by which a game's module can print the same; None if the command is more than a search of ours."""
        verb, game, text, options = _parse_command(self.words)
        given = {name.removeprefix("--"): value for name, value in options.items() if name.startswith("--")}
        if verb not in SEARCH_OPTIONS or given.keys() - SEARCH_OPTIONS[verb] or self.names_own:
            return None
        if verb == "perft":
            text, given = given.pop("position", ""), given | {"depth": text}
        if verb == "compare":
            plain = [*takewhile(lambda word: not word.startswith("--"), self.words[2:])]
            given |= {"algorithms": " ".join(word for word in plain if is_algorithm(word))}
            text = "" if is_algorithm(text) else text
        return Search(verb, game, text, USUAL_OPTIONS.get(verb, {}) | given)

    @property
    def view(self) -> d.ExampleView:
        """As data."""
        link, game = _link(self.words), _game(self.words)
        shown = "\n".join(self.shown_lines)
        return d.ExampleView(
            number=self.number, text=self.text, shown=shown, runs=not self.reads_input, link=link, game=game
        )


@dataclass(frozen=True)
class Lines:
    """Lines of Python with their prompts and their output."""

    number: int
    text: str
    lesson: str
    reads_input = False
    """Whether the lines read input: those of lessons never do."""

    @property
    def run(self) -> list[str]:
        """Arguments of Python that run the lines."""
        return ["-m", "plyground.web.lessons.repl", self.lesson, str(self.number)]

    @property
    def sources(self) -> list[str]:
        """Source text at each prompt."""
        return [example.source for example in DocTestParser().get_examples(self.text)]

    @property
    def shown_lines(self) -> tuple[str, ...]:
        """Output lines, as the lesson shows them."""
        return tuple("".join(example.want for example in DocTestParser().get_examples(self.text)).splitlines())

    @property
    def view(self) -> d.ExampleView:
        """As data."""
        return d.ExampleView(number=self.number, text=self.text, shown="", runs=True)


Example = Command | Lines


@dataclass(frozen=True)
class Code:
    """A reader's file, to be graded or drawn by `reader_code.py`."""

    file: str
    search: str
    draws: bool = False
    options: tuple[str, ...] = ()
    """Options of the command that grades it."""
    reads_input = False

    @property
    def text(self) -> str:
        """Name of the search."""
        return f"{self.file}:{self.search}"

    @property
    def run(self) -> list[str]:
        """Arguments of Python that grade or draw it."""
        form = "draw" if self.draws else "grade"
        return ["-m", "plyground.web.lessons.reader_code", form, f"{self.file}:{self.search}", *self.options]


@dataclass(frozen=True)
class Search:
    """A search command, as `page/src/worker/printed.js` reads it."""

    verb: str
    game: str
    text: str
    """The position."""
    options: dict[str, str]
    """Value of each option, by name; those with defaults are all there."""


SEARCH_OPTIONS = {
    "perft": {"position"},
    "search": {"algorithm", "depth", "nodes", "textbook"},
    "tree": {"algorithm", "depth", "plies", "why", "spy"},
    "compare": {"depth", "time"},
    "analyse": {"depth", "time"},
    "solve": set[str](),
}
"""Commands that a page can run by itself, with the options that it knows."""
USUAL_OPTIONS = {
    "search": {"algorithm": defaults.ALGORITHM, "depth": f"{defaults.SEARCHED_PLIES}"},
    "tree": {"algorithm": defaults.ALGORITHM, "depth": f"{defaults.DRAWN_PLIES}"},
    "compare": {"depth": defaults.COMPARED_PLIES, "time": f"{defaults.COMPARED_SECONDS}"},
    "analyse": {"time": f"{defaults.THOUGHT_SECONDS}"},
}
"""Values of options that a command does not name."""


# -- links for a command -----------------------------------------------------------------------------------------------


def _link(words: list[str]) -> d.LinkView | None:
    """Link to the page that shows the same as a command; None if there is none, as for a game in a user file.

    An empty parameter takes the page's default.
    """
    verb, game, text, options = _parse_command(words)
    if is_own(game):
        return None
    match verb:
        case "tree":
            asked = {"algorithm": "--algorithm", "depth": "--depth", "node": "--why"}
            given = {key: options.get(option, "") for key, option in asked.items()}
            return d.LinkView(path="tree", values=_position_values(game, text) | given)
        case "compare":
            # A race goes from 1 up to its depth, so of a range only the end is needed.
            deepest = options.get("--depth", "").rpartition("..")[2]
            return d.LinkView(
                path="race", values=_position_values(game, "" if is_algorithm(text) else text) | {"depth": deepest}
            )
        case "analyse":
            return d.LinkView(path="board", values=_position_values(game, text) | {"values": "1"})
        case "quiz":
            return d.LinkView(path="quiz", values={"game": game})
    return None


def _game(words: list[str]) -> m.Create | None:
    """The game that a command begins; None if the page may not: only the server's command line names programs."""
    verb, game, _, options = _parse_command(words)
    if verb != "play" or is_own(game):
        return None
    o = options.get("--o", OPPONENT)
    try:
        HARMLESS.make(o)
    except BadInput:
        return None
    here = edit(m.Edit(game=game, text=options.get("--position", "")))
    return m.Create(game=game, start=here.start, moves=here.moves, o=o)


def _parse_command(words: Sequence[str]) -> tuple[str, str, str, dict[str, str]]:
    """Parse a command: the verb, the game, the word after it, and the options with their values."""
    plain = [*takewhile(lambda word: not word.startswith("--"), words), "", "", ""]
    return plain[0], plain[1], plain[2], dict(pairwise([*words, ""]))


def _position_values(game: str, text: str) -> dict[str, str]:
    here = edit(m.Edit(game=game, text=text))
    return {"game": game, "start": here.start, "moves": " ".join(here.moves)}
