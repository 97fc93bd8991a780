#!/usr/bin/env python3
"""Makes all pictures of README.md and docs/ anew, but those of `ELSEWHERE`: `python scripts/pictures.py`.

Those of the page are taken in a real browser, and the words that stand on each go into docs/pictures/words.json: a test
opens the same screens and compares the words. The figures are drawn (`figures.py`).
"""

import json
import re
from collections.abc import Callable
from typing import NamedTuple

from figures import figures
from playwright.sync_api import Locator, Page, sync_playwright
from screens import ADDRESS, FLAGS, GAMES, ROOT, chromium, file_of, serving

DOCS = ROOT / "docs"
WORDS = DOCS / "pictures" / "words.json"
PATIENCE = 120_000
"""Milliseconds: what is waited for may have to be compiled first."""
ELSEWHERE = {
    "docs/growth.svg": "a measurement, drawn by bench/growth.py with the tables beside it",
    "docs/xboard.png": "the window of another program, XBoard",
}
"""Pictures that are not made here, and what they are."""


class Picture(NamedTuple):
    """A picture of the page: where it is, and what is done until the page shows it."""

    link: str
    ready: Callable[[Page, int], object]
    """Waits until the page shows it; the int is a depth in plies to wait for, where a search goes on."""
    size: tuple[int, int] = (1000, 660)
    """Of the window, in pixels."""
    part: str = ""
    """The part of the page, by its selector; all of it if empty."""
    is_steady: bool = True
    """Whether each word is the same each time; else numbers and moves are as a search has found them by then."""


def analysed(page: Page, depth: int) -> None:
    """The values of all moves, as deep as people wait for."""
    deep = "|".join(str(each) for each in range(depth, 41))
    page.get_by_text(re.compile(rf"at depth ({deep})\b")).first.wait_for()
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("Stopped before the result was certain.").wait_for()


def reviewed(page: Page, depth: int) -> None:
    """A game with one mistake, and the position after it."""
    page.get_by_role("button", name="Review the game").click()
    page.get_by_text("gave away the draw").first.wait_for()
    page.get_by_role("progressbar").wait_for(state="detached")


def watched(page: Page, depth: int) -> None:
    """A tree in which everything is cut off after the first move."""
    page.get_by_role("treeitem").first.wait_for()
    page.get_by_role("button", name="Fit").click()


def played(page: Page, depth: int) -> None:
    """The board of a game in the middle of one, in the game's own look."""
    page.locator("ply-board .frame .last").first.wait_for()


PICTURES = {
    "play.png": Picture("board?game=ultimate&moves=e5+d4+a1+c3+h8+f6+g9&values=1", analysed, is_steady=False),
    "analyse.png": Picture("board?game=tictactoe&moves=a1+b1+b2+c3+a2+a3+c2&ply=2&mode=back", reviewed),
    "watch.png": Picture("tree?game=tictactoe&start=xx./.o./...:o&node=a2", watched, (1280, 800)),
    **{
        f"pictures/{file_of(game)}.png": Picture(
            f"board?game={game}&moves={moves}&mode=play", played, (1000, 500), "ply-board .frame"
        )
        for game, moves in GAMES.items()
    },
}
"""The pictures of the page, by their files in docs/."""


def show(page: Page, address: str, picture: Picture, depth: int = 1) -> Locator:
    """Let a page of a server show what is on a picture, and return that part of the page."""
    page.set_viewport_size({"width": picture.size[0], "height": picture.size[1]})
    page.goto("about:blank")
    page.goto(f"{address}/#/{picture.link}")
    picture.ready(page, depth)
    return page.locator(picture.part or "body").first


def words(shown: Locator, picture: Picture) -> list[str]:
    """The words that stand on a part of the page, and those that a board is read aloud with.

    What says why a search runs as plain Python is left out, and how the connection is: they depend on the machine.
    """
    found: list[str] = shown.evaluate("""(root) => {
      const plain = [...root.querySelectorAll(".plain, #connection")];
      for (const each of plain) each.hidden = true;
      const lines = root.innerText.split("\\n");
      for (const each of plain) each.hidden = false;
      const read = [...root.querySelectorAll("[role=gridcell], [role=treeitem]")];
      return [...lines, ...read.map((each) => each.getAttribute("aria-label") ?? "")];
    }""")
    lines = [line for each in found if (line := " ".join(each.split()))]
    return lines if picture.is_steady else sorted({word for line in lines for word in re.findall("[A-Za-z]{4,}", line)})


def main() -> None:
    """Draw the figures; start a server, and take each picture when the page says what it is to show."""
    for file, drawn in figures().items():
        file.write_text(drawn, encoding="utf-8")
    told = {}
    with serving(ROOT), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        for name, picture in PICTURES.items():
            shown = show(page, ADDRESS, picture, depth=9)
            (shown if picture.part else page).screenshot(path=DOCS / name)
            told[name] = words(shown, picture)
        browser.close()
    WORDS.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
