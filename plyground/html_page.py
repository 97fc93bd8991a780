"""The beginning of every page that a command writes. Such a page fetches nothing and runs nothing."""

from html import escape

from plyground.text import plain


def head(title: str, style: str) -> str:
    """The beginning of a page, up to its body: its title, escaped, and its style sheet.

    The policy holds also where something in the page was not escaped: no script runs, nothing is fetched, no form is
    sent. Pictures may stand in the page itself, as `data:`.
    """
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">"
        f"<title>{escape(plain(title))}</title><style>{style}</style></head>\n"
    )
