"""The lessons as pages of a site: what the playground shows of them, with modules that run what in them is a search."""

import base64
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from plyground.compiled.fingerprint import fingerprint
from plyground.games import game_named
from plyground.position import Position
from plyground.publish import INDEX, LESSONS
from plyground.publish.page import PATHS, Page, packed, running
from plyground.web import documents as d
from plyground.web import lessons
from plyground.web.brought import brought
from plyground.web.examples import Command, Example

MOST = 20_000
"""States among which it is looked how a position comes about."""


class LessonPage:
    """The page of a lesson, as far as it is known before it is made."""

    def __init__(self, name: str, pages: Mapping[str, str], sources: str) -> None:
        """Read the lesson.

        Args:
            name: of the lesson.
            pages: the files of the site's games, by their specs.
            sources: what the program's files are known by.
        """
        self.file = file_of(name)
        self._pages, self._sources = pages, sources
        self._places = _Places(pages)
        self._view = lessons.view(d.Lesson(lesson=name), self._places)

    @cached_property
    def data(self) -> dict[str, Any]:
        """What the page begins with (`static/publishedlesson.js`), but for what belongs to its modules."""
        return {
            "lesson": self._view.model_dump(mode="json"),
            "searches": self._places.searches,
            "lessons": {name: file_of(name) for name in lessons.pages()},
            "pages": self._pages,
        }

    @property
    def games(self) -> list[str]:
        """The games whose modules it brings."""
        return sorted({search["game"] for search in self._places.searches.values()})

    @property
    def stamp(self) -> str:
        """What it is known by."""
        prints = [fingerprint(game_named(spec)) for spec in self.games]
        return sha256(repr((self.data, prints, self._sources)).encode()).hexdigest()[:32]

    def made(self) -> Page:
        """The page."""
        games: dict[str, dict[str, Any]] = {}
        modules: dict[str, str] = {}
        for spec in self.games:
            code, facts = brought(spec)
            name = f"module{len(modules)}"
            modules[name] = packed(code)
            games[spec] = {"facts": facts, "module": name}
        title, scripts = self._view.title, ("publishedlesson.js", "worker/running.js")
        return Page(title, running(title, _BODY, scripts, self.data | {"games": games}, modules, self.stamp))


_BODY = (
    f'<main>\n<nav class="part-actions site" aria-label="Site"><a class="button" href="{INDEX}">All games</a>'
    f'<a class="button" href="{LESSONS}">Lessons</a></nav>\n<div id="page" tabindex="-1"></div>\n'
    "<noscript>This lesson is shown by JavaScript: allow it here.</noscript>\n</main>\n"
)


def file_of(name: str) -> str:
    """The file of a lesson's page."""
    return LESSONS if name == lessons.CONTENTS else f"lesson-{name}.html"


class _Places(lessons.Places):
    """Where a site has what a lesson leads to; remembers on the way what a module is to be asked."""

    def __init__(self, pages: Mapping[str, str]) -> None:
        self._pages = pages
        self.searches: dict[int, dict[str, Any]] = {}

    def lesson(self, name: str) -> str:
        return file_of(name)

    def picture(self, file: Path, words: str) -> d.ElementView:
        """In the page itself; browsers open no such address as a page, so there is none in full size."""
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
        link = self._there(link) if link and not example.names_own else None
        runs = self._is_run(example)
        return view.model_copy(update={"runs": runs, "link": link, "game": None})

    def _there(self, link: d.LinkView) -> d.LinkView | None:
        """A link to a page of the site; None where there is none."""
        game, start = link.values["game"], link.values.get("start", "")
        line = _line(game, start) if game in self._pages else None
        if line is None or link.path not in PATHS:
            return None
        moves = " ".join([*line, link.values.get("moves", "")]).strip()
        return d.LinkView(path=link.path, values=link.values | {"start": "", "moves": moves})

    def _is_run(self, example: Command) -> bool:
        """Whether a module of the site can run it."""
        search = example.search
        if search is None or search.game not in self._pages:
            return False
        line = _line(search.game, search.text)
        if line is None or (search.verb == "solve" and not game_named(search.game).repetition):
            return False
        asked = asdict(search) | {"moves": line}
        del asked["text"]
        self.searches[example.number] = asked
        return True


@cache
def _line(spec: str, text: str) -> list[str] | None:
    """Moves that lead to a position from the beginning, for a module reads no states; None where that takes long."""
    game = game_named(spec)
    wanted, first = Position.parse(game, text), Position.initial(game)
    if wanted.start == first.state:
        return wanted.words
    seen, level = {first.state}, [first]
    while level and len(seen) < MOST:
        level = [after for here in level for move in here.legal_moves if (after := here.play(move)).state not in seen]
        for here in level:
            if here.state == wanted.start:
                return [*here.words, *wanted.words]
        level = list({here.state: here for here in level}.values())
        seen.update(here.state for here in level)
    return None
