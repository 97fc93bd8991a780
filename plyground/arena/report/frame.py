"""Parts that all pages for a class share: the head, the style, tables and sentences."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files

from plyground.html_page import head as page_head


def head(title: str) -> str:
    """The beginning of a page for a class, up to its body."""
    return page_head(title, (files("plyground.arena.report") / "report.css").read_text(encoding="utf-8"))


def ended(sentence: str) -> str:
    """A sentence with one full stop; nothing without one."""
    return sentence.rstrip(".") + "." if sentence else ""


def paragraphs(sentences: Iterable[str], look: str = "") -> str:
    """Sentences as paragraphs, escaped."""
    mark = f' class="{look}"' if look else ""
    return "".join(f"<p{mark}>{escape(sentence)}</p>" for sentence in sentences)


def table(name: str, heads: Sequence[str], rows: str, *, lefts: Sequence[int] = (), look: str = "") -> str:
    """A table that is scrolled sideways where the screen is narrow."""
    tops = "".join(
        f'<th scope="col"{_classes(at, lefts)}>{head}</th>' if head else "<td></td>" for at, head in enumerate(heads)
    )
    mark = f' class="{look}"' if look else ""
    return (
        f'<div class="table" role="region" aria-label="{name}, table" tabindex="0"><table{mark}><thead><tr>{tops}</tr>'
        f"</thead><tbody>{rows}</tbody></table></div>"
    )


def _classes(at: int, lefts: Sequence[int]) -> str:
    if at not in lefts:
        return ""
    return ' class="left sticky"' if at == lefts[0] else ' class="left"'


def given(before: str, after: str) -> str:
    """The loss of value by a move, in words: `from won to lost`."""
    worth: Mapping[str, str] = {"win": "won", "draw": "drawn", "loss": "lost"}
    return f"from {worth[before]} to {worth[after]}"
