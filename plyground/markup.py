"""The one writer of HTML and SVG: elements, whose text is escaped and without control characters.

Elements alone are taken as they stand (`Markup`). Any other text is escaped when it is put into one, also one that was
put together from elements, as by an f-string: what is forgotten is seen on the page, and does not run there.
"""

import re
from collections.abc import Iterable
from html import escape
from typing import TypeAlias

from plyground.text import plain_lines

SVG = "http://www.w3.org/2000/svg"
"""Namespace of a picture that is a document of its own."""
STATIC_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
"""Content security policy of a page that runs nothing, fetches nothing and sends no form; pictures may stand in it."""
EMPTY_ELEMENTS = {"br", "circle", "ellipse", "img", "link", "meta", "path", "rect", "use"}
"""Elements with nothing inside."""
RAW_ELEMENTS = {"script", "style"}
"""Elements in which nothing is escaped, so that only texts of this package belong there."""
# `<!--` as well: within a script it begins a state of the parser in which the end tag is not found (HTML standard,
# "script data escaped state").
RAW_ENDING = re.compile("</(?:script|style)|<!--", re.IGNORECASE)


# A subclass of str, so that any function that writes text takes it; an f-string of it is a plain str again, and
# therefore escaped.
class Markup(str):
    """HTML or SVG made of elements; a text of our own that is HTML already becomes one by its name."""

    __slots__ = ()


Inside: TypeAlias = "Markup | str | float | Iterable[Inside] | None"
"""Content of an element: markup, text, numbers, or a sequence of these."""


def el(tag: str, /, *inside: Inside, **attributes: str | float | None) -> Markup:
    """An element.

    >>> el("p", "1 < 2 ", el("br"), class_="note", data_step=3, hidden=True, id=None)
    '<p class="note" data-step="3" hidden="">1 &lt; 2 <br/></p>'

    Args:
        tag: its name.
        inside: its content.
        attributes: by name; `_` is written for `-`, and one behind the name is left out, as in `class_`. One that is
            None or False is left out; True is one without a value.

    Raises:
        ValueError: the text of a script or a style sheet contains its own end tag.
    """
    found = "".join(
        [_attribute(name, value) for name, value in attributes.items() if not (value is None or value is False)]
    )
    if tag in EMPTY_ELEMENTS:
        return Markup(f"<{tag}{found}/>")
    if tag not in RAW_ELEMENTS:
        return Markup(f"<{tag}{found}>{fragment(*inside)}</{tag}>")
    text = "".join(map(str, inside))
    if ends := RAW_ENDING.search(text):
        raise ValueError(f"{ends[0]} stands in what is put into a page")
    return Markup(f"<{tag}{found}>{text}</{tag}>")


def _attribute(name: str, value: str | float | None) -> str:
    # Quotes alone beside `<` and `&`: attributes stand in double quotes throughout.
    text = "" if value is True else escape(plain_lines(str(value)), quote=False).replace('"', "&quot;")
    return f' {name.rstrip("_").replace("_", "-")}="{text}"'


def fragment(*inside: Inside) -> Markup:
    """Elements and texts, one after the other."""
    return Markup("".join([_to_html(each) for each in inside]))


def _to_html(inside: Inside) -> str:
    if isinstance(inside, Markup):
        return inside
    if isinstance(inside, str):
        return escape(plain_lines(inside), quote=False)
    if inside is None:
        return ""
    return str(inside) if isinstance(inside, int | float) else fragment(*inside)


def join(by: str, parts: Iterable[Inside]) -> Markup:
    """Elements and texts with a text between each two."""
    return Markup(_to_html(by).join(map(_to_html, parts)))


def document(
    title: str,
    style: str,
    *body: Inside,
    policy: str = STATIC_POLICY,
    head: Inside = None,
    **attributes: str | float | None,
) -> Markup:
    """A whole page with a content security policy, which holds also where the page has a fault.

    Args:
        title: its title.
        style: its style sheet; empty for none.
        body: its content.
        policy: its content security policy.
        head: more elements for its head.
        attributes: attributes of the root element.
    """
    heads = [
        el("meta", charset="utf-8"),
        Markup("\n"),
        # The policy stands before all that it governs, for it holds from where it is read on.
        el("meta", http_equiv="Content-Security-Policy", content=policy),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        head,
        el("title", title),
        el("style", style) if style else None,
    ]
    root = el("html", el("head", heads), "\n", el("body", "\n", body, "\n"), lang="en", **attributes)
    return Markup(f"<!doctype html>\n{root}\n")
