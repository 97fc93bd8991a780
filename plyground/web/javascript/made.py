"""Modules of the page that are made from Python, by their paths in `web/static`."""

from functools import cache

from plyground.web.javascript.snippets import marked, path_of, sources
from plyground.web.javascript.translating import javascript

MADE = {path_of(source): source for source in sources()}
"""Source module of each one."""


@cache
def made(path: str) -> str:
    """The JavaScript of a module."""
    return javascript(marked(MADE[path]))
