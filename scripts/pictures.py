#!/usr/bin/env python3
"""Takes the README's pictures of the page, in a real browser: docs/play.png, docs/analyse.png and docs/watch.png."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

DOCS = Path(__file__).resolve().parent.parent / "docs"
ADDRESS = "http://localhost:8767"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]


def picture(page: Page, link: str, press: str, name: str) -> None:
    """Go to a link, press a button, let the search think for a while, take the picture."""
    page.goto("about:blank")
    page.goto(f"{ADDRESS}/#/{link}")
    page.get_by_role("button", name=press).click()
    page.wait_for_timeout(3_000)
    page.screenshot(path=DOCS / name)


def main() -> None:
    """Start a server, take the pictures."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "plyground", "web", "--no-browser", "--port", "8767"]
        server = subprocess.Popen([*command, "--database", f"sqlite:///{folder}/games.db"], stdout=subprocess.PIPE)
        assert server.stdout is not None
        server.stdout.readline()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
            page = browser.new_page(viewport={"width": 1000, "height": 660})
            page.goto(ADDRESS)
            picture(
                page,
                "board?game=tictactoe&moves=a1+b1+b2+c3+a2+a3+c2&ply=2&mode=back",
                "Review the game",
                "analyse.png",
            )
            picture(page, "board?game=ultimate&moves=e5+d4+a1+c3+h8+f6+g9", "Values", "play.png")
            page.set_viewport_size({"width": 1000, "height": 960})
            picture(page, "tree?game=tictactoe&start=xx./.o./...:o&node=a2", "Fit", "watch.png")
            browser.close()
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
