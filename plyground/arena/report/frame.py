"""Parts that all pages for a class share: the page with its style, tables and sentences."""

from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files

from plyground.markup import Inside, Markup, document, el


def page(title: str, *body: Inside) -> Markup:
    """A whole page for a class."""
    return document(title, (files("plyground.arena.report") / "report.css").read_text(encoding="utf-8"), *body)


def paragraphs(sentences: Iterable[str], look: str | None = None) -> list[Markup]:
    """Sentences as paragraphs."""
    return [el("p", sentence, class_=look) for sentence in sentences]


def table(
    name: str, heads: Sequence[Inside], rows: Inside, *, lefts: Sequence[int] = (), look: str | None = None
) -> Markup:
    """A table that is scrolled sideways where the screen is narrow."""
    tops = (
        el("th", head, scope="col", class_=_classes(at, lefts)) if head else el("td") for at, head in enumerate(heads)
    )
    inside = el("table", el("thead", el("tr", tops)), el("tbody", rows), class_=look)
    # Focusable, so that a table wider than the screen can be scrolled by keys (WCAG 2.1.1).
    return el("div", inside, class_="table", role="region", aria_label=f"{name}, table", tabindex=0)


def row_name(*inside: Inside, title: str | None = None) -> Markup:
    """The cell at the beginning of a row, which stays where the table is scrolled."""
    return el("th", *inside, scope="row", class_="name sticky", title=title)


def card(board: Markup, *inside: Inside) -> Markup:
    """A board with words beside it."""
    return el("article", board, el("div", *inside), class_="card")


def cards(found: Sequence[Markup]) -> Markup | None:
    """Cards beside and below each other."""
    return el("div", found, class_="cards") if found else None


def last_words(words: str) -> Inside:
    """The error output of a program."""
    return [el("p", "Its error output:"), el("pre", words, tabindex=0)] if words else None


def _classes(at: int, lefts: Sequence[int]) -> str | None:
    if at not in lefts:
        return None
    return "left sticky" if at == lefts[0] else "left"


def loss_in_words(before: str, after: str) -> str:
    """The loss of value by a move, in words: `from won to lost`."""
    worth: Mapping[str, str] = {"win": "won", "draw": "drawn", "loss": "lost"}
    return f"from {worth[before]} to {worth[after]}"
