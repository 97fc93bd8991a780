"""Lessons as pages of a site, with WebAssembly modules that run those examples that are searches."""

import base64
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from plyground.compiled.fingerprint import fingerprint
from plyground.games import game_named
from plyground.markup import el
from plyground.position import Position
from plyground.publish import INDEX, LESSONS
from plyground.publish.page import PATHS, Page, make_lesson_page, pack_text
from plyground.web.lessons import lesson_models as d
from plyground.web.lessons import loader
from plyground.web.lessons.examples import Command, Example
from plyground.web.views.module_facts import module_and_facts

MOST_STATES_SEARCHED = 20_000
"""Most states searched for moves that lead to a position."""


class LessonPage:
    """The page of a lesson, before its modules are built."""

    def __init__(self, name: str, pages: Mapping[str, str], sources: str) -> None:
        """Read the lesson.

        Args:
            name: the lesson's name.
            pages: files of the site's games, by spec.
            sources: hash of the program's files.
        """
        self.file: str = file_of(name)
        self._pages, self._sources = pages, sources
        self._places = _SiteLinks(pages)
        self._view = loader.view(name, self._places)

    @cached_property
    def data(self) -> dict[str, Any]:
        """Data for the page's script (`page/src/lesson/publishedlesson.js`), without that of its modules."""
        return {
            "lesson": self._view.model_dump(mode="json"),
            "searches": self._places.searches,
            "lessons": {name: file_of(name) for name in (*loader.pages(), *loader.DOCUMENTS)},
            "pages": self._pages,
        }

    @property
    def games(self) -> list[str]:
        """Games whose modules the page contains."""
        return sorted({search["game"] for search in self._places.searches.values()})

    @property
    def stamp(self) -> str:
        """Hash of everything that the page depends on."""
        prints = [fingerprint(game_named(spec)) for spec in self.games]
        return sha256(repr((self.data, prints, self._sources)).encode()).hexdigest()[:32]

    def make_page(self) -> Page:
        """Make the page."""
        games: dict[str, dict[str, Any]] = {}
        modules: dict[str, str] = {}
        shared: dict[str, Any] = {}
        for spec in self.games:
            code, facts = module_and_facts(spec)
            # Ids are numbers: a spec has signs that an id must not have.
            name = f"module{len(modules)}"
            modules[name] = pack_text(code)
            shared = {"constants": facts.pop("constants")}  # the same for all games, so once in a page
            games[spec] = {"facts": facts, "module": name}
        title, data = self._view.title, self.data | shared | {"games": games}
        return Page(title, make_lesson_page(title, _BODY, "lesson", data, modules, self.stamp))


_BODY = el(
    "main",
    el(
        "nav",
        el("a", "All games", class_="button", href=INDEX),
        el("a", "Lessons", class_="button", href=LESSONS),
        class_="part-actions site",
        aria_label="Site",
    ),
    el("div", id="page", tabindex=-1),
    el("noscript", "This lesson is shown by JavaScript: allow it here."),
)


def file_of(name: str) -> str:
    """File name of a lesson's page."""
    return LESSONS if name == loader.CONTENTS else f"lesson-{name}.html"


class _SiteLinks(loader.LessonLinks):
    """Addresses of a site to which a lesson links; also collects the searches that modules must run."""

    def __init__(self, pages: Mapping[str, str]) -> None:
        self._pages = pages
        self.searches: dict[int, dict[str, Any]] = {}

    def lesson(self, name: str) -> str:
        return file_of(name)

    def picture(self, file: Path, words: str) -> d.ElementView:
        """A picture as a data URL; browsers open none as a page, so there is no link to it in full size."""
        held = base64.b64encode(file.read_bytes()).decode()
        return d.ElementView(tag="img", attributes={"src": f"data:image/svg+xml;base64,{held}", "alt": words})

    def example(self, example: Example) -> d.ExampleView:
        view = example.view
        if not isinstance(example, Command):
            return view.model_copy(update={"runs": False})
        link = view.link
        if view.game:
            given = view.game.model_dump()
            link = d.LinkView(path="play", values=given | {"moves": " ".join(given["moves"])})
        # A user's file is on no web host.
        link = self._site_link(link) if link and not example.names_own else None
        runs = self._is_run(example)
        return view.model_copy(update={"runs": runs, "link": link, "game": None})

    def _site_link(self, link: d.LinkView) -> d.LinkView | None:
        """A link to a page of the site; None if there is none."""
        game, start = link.values["game"], link.values.get("start", "")
        line = _moves_to(game, start) if game in self._pages else None
        if line is None or link.path not in PATHS:
            return None
        moves = " ".join([*line, link.values.get("moves", "")]).strip()
        return d.LinkView(path=link.path, values=link.values | {"start": "", "moves": moves})

    def _is_run(self, example: Command) -> bool:
        """Whether a module of the site can run the command."""
        search = example.search
        if search is None or search.game not in self._pages:
            return False
        line = _moves_to(search.game, search.text)
        # A page solves by listing all states, as games with repetition are solved.
        if line is None or (search.verb == "solve" and not game_named(search.game).repetition):
            return False
        asked = asdict(search) | {"moves": line}
        del asked["text"]
        self.searches[example.number] = asked
        return True


@cache
def _moves_to(spec: str, text: str) -> list[str] | None:
    """Moves from the beginning to a position, since a module reads no states; None if finding them takes too long."""
    game = game_named(spec)
    wanted, first = Position.parse(game, text), Position.initial(game)
    if wanted.start == first.state:
        return wanted.words
    seen, level = {first.state}, [first]
    while level and len(seen) < MOST_STATES_SEARCHED:
        # States are visited breadth first, so the moves are as few as can be; each state once, or
        # transpositions would multiply.
        level = [after for here in level for move in here.legal_moves if (after := here.play(move)).state not in seen]
        for here in level:
            if here.state == wanted.start:
                return [*here.words, *wanted.words]
        level = list({here.state: here for here in level}.values())
        seen.update(here.state for here in level)
    return None
