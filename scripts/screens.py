#!/usr/bin/env python3
"""Takes a picture of every screen of the page, to be looked at: on a desk, on a phone, in the dark.

python scripts/screens.py FOLDER            of this working copy
python scripts/screens.py FOLDER --of PATH  of another one, such as an older commit's: what was there before

Each picture is named after its screen and where it is seen: `tree-phone.png`; each game has a screen, `hex-desk.png`,
also with forced colours. One that cannot be taken is said, and the others are.
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
    "phone": {"viewport": {"width": 360, "height": 740}},
    "dark": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "dark"},
    "phone-dark": {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"},
    "forced": {"viewport": {"width": 1280, "height": 800}, "forced_colors": "active"},
    "forced-dark": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "dark", "forced_colors": "active"},
}
GAMES = {
    "tictactoe": "b2+a1+c2+a2+a3",
    "connectfour": "d+d+d+d+d+e+e+e+e+b+g+g+b+b+b+b",
    "kalah": "3+6+2+1+5+2+6+2+4",
    "ultimate": "e5+d4+b2+f4+g3+a7+a1+a3+c7+h2+d6+b8+f6+g9+c9+g7+c3+g8+b4+e1+d2+a5",
    "mnk:5,5,4": "c3+b2+c2+c4+d3+b3+b4+d2+e3+b1+a3+c1",
    "gomoku": "e5+j5+g6+i7+f8+k8+h9+e10+j10+g11+k7+f6+e11+j11+d7+l6+l11+e4+i12",
    "pentago": "b2-1<+e5-1<+e2-1<+b5-1<+b1-1>+d2-1>+e1-2<+c2-2>+d5-2<",
    "reversi": "d3+c3+c4+e3+f2+b5+f3+f4+c5+d2+g4+h4+a5+g3+d1+e2+f6+e6+h5+g5+h3+c1",
    "hex": "c3+c2+d2+b5+a5+b4+a4+b3+a3+b1",
    "breakthrough": "a2-b3+a7-b6+b3-c4+b6-c5+b2-c3+b7-c6+c2-d3+c7-d6+d3-e4+d6-e5+d2-e3+d7-e6+e2-f3+e7-f6",
    "dotsandboxes": "a1b1+b1c1+c1d1+a2b2+b2c2+c2d2+a3b3+b3c3+c3d3+b4c4+b3b4+c3c4+a4b4+a3a4+c4d4+d3d4+a1a2",
    "nim": "1-2+1-1+3-1",
    "chomp": "e4+d4+c4",
    "domineering": "b3+e2+b5+a2+e5+c2+e3+c4+c5",
    "morris": "d6+d2+f4+b4+f6+d7+b6xd2+f2+d2+d1+a4+d5+e4+g4+e5+e3",
    "threemorris": "b2+b1+a3+c1+a1",
    "sixmorris": "c5+c1+d3+b3+a3+e5+e1+c4+b4+a5+c2",
    "amazons": "b1-b5/d3+a5-d2/e3+a2-c4/c2+b6-a5/a1+b5-b4/a4+e6-d5/c5+f2-f4/e4+a5-b5/c6+f4-e5/f4",
    "draughts": "9-13+22-17+13x22+25x18+6-9+18-14+9x18+23x14+10x17+21x14+2-6+26-22+6-9+22-18+7-10",
    "international": "32-28+19-23+28x19+14x23+37-32+10-14+41-37+14-19+35-30+5-10+30-25+20-24+33-29+24x33+38x29+17-22",
    "russian": "c3-d4+d6-c5+b2-c3+f6-g5+c3-b4+g5-h4+b4xd6+e7xc5+a1-b2+h6-g5",
    "chess": "d2d4+d7d5+b1c3+f7f5+c1e3+c7c6+g1f3+e7e6+f3e5+f8d6+f2f3+g8f6+e3f4+d8b6+a1b1+b8d7",
    "gardner": "c2c3+b4c3+d2c3+e4e3+d1c2+d4d3+e2d3+c4d3",
}
"""A position of each game, as the engine plays it with few nodes, by the moves that lead there."""
LINE = "d+d+c+e+c+c+b"


def file_of(game: str) -> str:
    """File name of a game's pictures: the game's name without options."""
    return game.partition(":")[0]


SCREENS = {
    "first": "",
    "first-connectfour": "?game=connectfour",
    "first-kalah": "?game=kalah",
    "won": "board?game=tictactoe&moves=a1+a2+b1+b2+c1&mode=play",
    "connectfour-values": f"board?game=connectfour&moves={LINE}&values=1",
    "ultimate-values": "board?game=ultimate&moves=e5+d4+a1+c3+h8+f6+g9&values=1",
    **{file_of(game): f"board?game={game}&moves={moves}&mode=play" for game, moves in GAMES.items()},
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


def chromium() -> str | None:
    """Path of the browser that `scripts/setup` installs, or of another one."""
    return next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "google-chrome"))), None)


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


def all_taken(browser: Browser, folder: Path, only: str) -> Iterator[str]:
    """Every screen with this in its name, in every way; what could not be taken, and why."""
    for kind, options in KINDS.items():
        page = browser.new_context(reduced_motion="reduce", **options).new_page()
        page.set_default_timeout(10_000)
        for name in (each for each in SCREENS if only in each):
            try:
                taken(page, name, folder / f"{name}-{kind}.png")
            except Error as fault:
                yield f"{name}-{kind}: {fault.message.splitlines()[0]}"


def main() -> None:
    """Read the command line, and take them."""
    parser = argparse.ArgumentParser(description="Takes a picture of every screen of the page.")
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument("--only", default="", help="take only screens with this in their name, such as hex")
    parser.add_argument("--of", type=Path, default=ROOT, help="the working copy whose page it is; else this one")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    root = asked.of.resolve()
    with serving(root, *(["--room"] if knows_rooms(root) else [])), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        for missing in all_taken(browser, asked.folder, asked.only):
            print(missing, file=sys.stderr)
        browser.close()


if __name__ == "__main__":
    main()
