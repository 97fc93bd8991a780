"""Mark of Python that pages run too, as JavaScript that is made from it.

`page/translator` reads the marks and makes a module of JavaScript for each module that has some. It knows a part of
Python and refuses the rest with file and line, so what is marked stays within that part; a test translates all of it.
"""

from collections.abc import Callable, Collection
from typing import TypeVar, overload

Marked = TypeVar("Marked")


@overload
def in_pages(marked: Marked, /) -> Marked: ...
@overload
def in_pages(*, without: Collection[str] = (), sent_as: str = "") -> Callable[[Marked], Marked]: ...
def in_pages(marked: object = None, /, *, without: Collection[str] = (), sent_as: str = "") -> object:
    """Mark a function, a class or a method as one that pages have in JavaScript. It is unchanged in Python.

    Of a class without the mark, pages have the marked methods, as a class that one written by hand extends.

    Args:
        without: members of the class that pages have no use for.
        sent_as: name of the model as which objects of the class are sent: pages have them as plain data.
    """
    # Nothing is wrapped, so a marked function costs nothing: the translator finds the mark in the source.
    return marked if marked is not None else lambda each: each
