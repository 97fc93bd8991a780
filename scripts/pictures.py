#!/usr/bin/env python3
"""Takes the documents' pictures of the page, in a real browser: docs/play.png, docs/analyse.png, docs/watch.png, and of
each game docs/pictures/GAME.png."""

import re
import shutil

from playwright.sync_api import Page, sync_playwright
from screens import FLAGS, GAMES, ROOT, file_of, go, serving

DOCS = ROOT / "docs"
PATIENCE = 120_000
"""Milliseconds: what is waited for may have to be compiled first."""


def main() -> None:
    """Start a server, take each picture when the page says what it is to show."""
    with serving(ROOT), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page(viewport={"width": 1000, "height": 660})
        page.set_default_timeout(PATIENCE)
        analysed(page)
        reviewed(page)
        watched(page)
        played(page)
        browser.close()


def analysed(page: Page) -> None:
    """The values of all moves in Ultimate, as deep as people wait for."""
    go(page, "board?game=ultimate&moves=e5+d4+a1+c3+h8+f6+g9&values=1")
    page.get_by_text(re.compile(r"at depth (9|\d\d)")).first.wait_for()
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("Stopped before all was certain.").wait_for()
    page.screenshot(path=DOCS / "play.png")


def reviewed(page: Page) -> None:
    """A game of tic-tac-toe with one mistake, and the position after it."""
    go(page, "board?game=tictactoe&moves=a1+b1+b2+c3+a2+a3+c2&ply=2&mode=back")
    page.get_by_role("button", name="Review the game").click()
    page.get_by_role("region", name="Mistakes").get_by_text("gave away the draw").wait_for()
    page.get_by_role("progressbar").wait_for(state="detached")
    page.screenshot(path=DOCS / "analyse.png")


def watched(page: Page) -> None:
    """A tree in which everything is cut off after the first move."""
    page.set_viewport_size({"width": 1280, "height": 800})
    go(page, "tree?game=tictactoe&start=xx./.o./...:o&node=a2")
    page.get_by_role("treeitem").first.wait_for()
    page.get_by_role("button", name="Fit").click()
    page.screenshot(path=DOCS / "watch.png")


def played(page: Page) -> None:
    """The board of each game in the middle of one, in the game's own look."""
    page.set_viewport_size({"width": 1000, "height": 500})
    for game, moves in GAMES.items():
        go(page, f"board?game={game}&moves={moves}&mode=play")
        board = page.locator("ply-board .frame").first
        board.locator(".last").first.wait_for()
        board.screenshot(path=DOCS / "pictures" / f"{file_of(game)}.png")


if __name__ == "__main__":
    main()
