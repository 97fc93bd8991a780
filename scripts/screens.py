#!/usr/bin/env python3
"""Takes a picture of every screen of the page, to be looked at: on a desk, on a phone, in the dark.

python scripts/screens.py FOLDER            of this working copy
python scripts/screens.py FOLDER --of PATH  of another one, such as an older commit's: what was there before

Each picture is named after its screen and where it is seen: `tree-phone.png`. One that cannot be taken is said, and the
others are.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Error, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
PORT = os.environ.get("PORT", "8794")
ADDRESS = f"http://localhost:{PORT}"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
SETTLED = 1_500
"""Milliseconds after which a screen is taken as it is: a search may go on for as long as anybody looks."""
KINDS: dict[str, dict[str, Any]] = {
    "desk": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}},
    "dark": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "dark"},
    "phone-dark": {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"},
}
LINE = "d+d+c+e+c+c+b"
SCREENS = {
    "first": "",
    "first-connectfour": "?game=connectfour",
    "first-kalah": "?game=kalah",
    "won": "board?game=tictactoe&moves=a1+a2+b1+b2+c1&mode=play",
    "connectfour": f"board?game=connectfour&moves={LINE}&mode=play",
    "connectfour-values": f"board?game=connectfour&moves={LINE}&values=1",
    "kalah": "board?game=kalah&moves=3+6&mode=play",
    "ultimate": "board?game=ultimate&moves=e5+d4+a1+c3+h8+f6+g9&mode=play",
    "ultimate-values": "board?game=ultimate&moves=e5+d4+a1+c3+h8+f6+g9&values=1",
    "reversi": "board?game=reversi&moves=d3+c5&mode=play",
    "chess": "board?game=chess&moves=e4+e5&mode=play",
    "gomoku": "board?game=gomoku&moves=h8+j9&mode=play",
    "back": "board?game=tictactoe&moves=a1+b1+b2+c3+a2+a3+c2&ply=2&mode=back",
    "editor": "edit?game=tictactoe",
    "tree": "tree?game=tictactoe&start=xx./.o./...:o&node=a2",
    "race": "race?game=tictactoe&start=xx./.o./...:o",
    "quiz": "quiz",
    "games": "games",
    "import": "import",
    "arenas": "arenas",
    "lessons": "lessons",
    "lesson": "lessons/3-alpha-beta",
    "room": "room",
    "nowhere": "board?game=chequers",
}
"""Every page of the menu and some positions, by their links."""
PRESSED = {"back": "Review the game"}
"""What is pressed on a screen before its picture."""


WEB = [sys.executable, "-m", "plyground", "web"]


@contextmanager
def serving(root: Path, *options: str) -> Iterator[None]:
    """A server of a working copy, with options of `plyground web`."""
    with tempfile.TemporaryDirectory() as folder:
        command = [*WEB, "--no-browser", "--port", PORT, "--database", f"sqlite:///{folder}/games.db", *options]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment(root), cwd=folder)
        assert server.stdout is not None
        if b"playground is at" not in server.stdout.readline():  # its sentence says why, such as a port that is taken
            raise SystemExit(2)
        try:
            yield
        finally:
            server.terminate()
            server.wait()


def environment(root: Path) -> dict[str, str]:
    """In which a working copy is the one that is imported."""
    return os.environ | {"PYTHONPATH": str(root)}


def knows_rooms(root: Path) -> bool:
    """Whether the server of a working copy can have a room."""
    with tempfile.TemporaryDirectory() as folder:  # not where another copy would be found
        said = subprocess.run([*WEB, "--help"], env=environment(root), cwd=folder, capture_output=True, check=True)
    return b"--room" in said.stdout


def go(page: Page, link: str) -> None:
    """Open a page anew."""
    page.goto("about:blank")
    page.goto(f"{ADDRESS}/#/{link}")


def taken(page: Page, name: str, file: Path) -> None:
    """The picture of a screen."""
    go(page, SCREENS[name])
    page.wait_for_load_state("networkidle")
    if name in PRESSED:
        page.get_by_role("button", name=PRESSED[name]).click()
    page.wait_for_timeout(SETTLED)
    page.screenshot(path=file)


def all_taken(browser: Browser, folder: Path) -> Iterator[str]:
    """Every screen in every way; what could not be taken, and why."""
    for kind, options in KINDS.items():
        page = browser.new_context(reduced_motion="reduce", **options).new_page()
        page.set_default_timeout(10_000)
        for name in SCREENS:
            try:
                taken(page, name, folder / f"{name}-{kind}.png")
            except Error as fault:
                yield f"{name}-{kind}: {fault.message.splitlines()[0]}"


def main() -> None:
    """Read the command line, and take them."""
    parser = argparse.ArgumentParser(description="Takes a picture of every screen of the page.")
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument("--of", type=Path, default=ROOT, help="the working copy whose page it is; else this one")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    root = asked.of.resolve()
    with serving(root, *(["--room"] if knows_rooms(root) else [])), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for missing in all_taken(browser, asked.folder):
            print(missing, file=sys.stderr)
        browser.close()


if __name__ == "__main__":
    main()
