"""Forms of grades: what a student's process wrote is shown as plain text on the page, in a terminal and in a table."""

import csv
import io
from dataclasses import fields, is_dataclass
from html.parser import HTMLParser
from typing import Any, get_args, get_type_hints

import pytest

from plyground.gradebook.entries import entries_csv
from plyground.grading import forms
from plyground.grading.gradescope import results
from plyground.microscope.forms import page

EVIL = (
    "<script>document.title = 1</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "</section></h2><meta http-equiv=refresh content=0>",
    "\x1b[2Ja\x1b]0;title\x07b\x9b31m",
    "\u202egnp.exe\u2066",
    "one\r\nforged  100 of 100",
)


def fill_fields(kind: Any, evil: str) -> Any:
    """A value of a type, with the same text in every field that has one."""
    inside = get_args(kind)
    if is_dataclass(kind):
        assert isinstance(kind, type)
        hints = get_type_hints(kind)
        return kind(**{each.name: fill_fields(hints[each.name], evil) for each in fields(kind)})
    if kind in (int, bool):
        return 1
    if kind is str or (str in inside and type(None) in inside):
        return evil
    if type(None) in inside:
        return fill_fields(inside[0], evil)
    assert inside, kind
    return [fill_fields(inside[0], evil)] if "list" in str(kind) else (fill_fields(inside[0], evil),)


class Elements(HTMLParser):
    """Elements of a page, with their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


@pytest.mark.parametrize("evil", EVIL)
def test_every_field_of_a_report_is_text(evil: str) -> None:
    """No field makes an element or an attribute, is an escape sequence, begins a row or turns the text beside it."""
    made = [fill_fields(forms.GradeReport, evil), fill_fields(forms.GradeReport, "good")]
    shown = forms.html(made, evil)
    found = Elements(shown).seen
    usual = Elements(forms.html([made[1], made[1]], "good")).seen
    assert [tag for tag, _ in found] == [tag for tag, _ in usual]
    assert not any(name.startswith("on") for _, attributes in found for name in attributes)
    assert all(str(one["src"]).startswith("data:image/svg+xml;base64,") for tag, one in found if tag == "img")
    book = entries_csv(forms.entries(made, [each.name for each in made], "search"))
    written = [shown, forms.table(made), book, forms.as_json(made), made[0].text, made[0].name, results(made[0])]
    assert all(sign.isprintable() or sign == "\n" for text in written for sign in text)
    assert len(forms.table(made).splitlines()) == 2 and len([*csv.reader(io.StringIO(book))]) == 5


def test_a_refusal_is_text_too() -> None:
    """The reason of a search that could not be asked is on the page alone."""
    made = fill_fields(forms.GradeReport, EVIL[0])
    assert "<script" not in forms.html([made], "class")


def test_no_page_of_a_command_runs_or_fetches_anything() -> None:
    """The class page has the policy that an arena's pages have."""
    policy = [
        attributes["content"]
        for made in (forms.html([fill_fields(forms.GradeReport, "good")], "class"), page("tree", ""))
        for tag, attributes in Elements(made).seen
        if attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    assert len(policy) == 2 and all(str(each).startswith("default-src 'none'; ") for each in policy)
    assert "script-src" not in str(policy)
