"""Every game as it is seen: its picture in the documents, and its board in the reader's own colours."""

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
from pages import plain_server
from playwright.sync_api import Page, expect
from servers import Server

from plyground.games import GAMES, describe_game

ROOT = Path(__file__).resolve().parent.parent
LEAST = 3
"""Contrast of what is no text with what it stands on, by WCAG 1.4.11."""
SEEN = """() => {
  const numbers = (colour) => {
    const found = colour.match(/[\\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
    const [red, green, blue, alpha = 1] = found;
    return [...[red, green, blue].map((part) => part / (colour.startsWith("rgb") ? 255 : 1)), alpha];
  };
  const bright = (colour) => {
    const linear = numbers(colour).slice(0, 3).map((part) =>
      part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const contrast = (one, other) => {
    const [low, high] = [bright(one), bright(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const style = (node, part) => getComputedStyle(node, part);
  const canvas = style(document.body).backgroundColor;
  const isThere = (colour) => numbers(colour)[3] > 0 && colour !== "none";
  const floor = (place) => {
    const path = place.querySelector(":scope > .ground path");
    const own = [!place.matches(".point") && path && style(path).fill, style(place).backgroundColor]
      .filter((each) => each && isThere(each));
    return own[0] ?? canvas;
  };
  const inks = (nodes) => [...nodes].flatMap((node) => [style(node).fill, style(node).stroke]).filter(isThere);
  const best = (colours, ground) => Math.max(0, ...colours.map((each) => contrast(each, ground)));
  const board = document.querySelector(".place-of-board ply-board");
  const places = [...board.querySelectorAll(".place")];
  const pieces = places.filter((each) => each.querySelector(":scope > .piece > *"))
    .map((each) => best(inks(each.querySelectorAll(":scope > .piece *")), floor(each)));
  const last = places.filter((each) => each.matches(".last")).map((each) => {
    const frames = [style(each).boxShadow, style(each, "::after").boxShadow].filter((shadow) => shadow !== "none")
      .map((shadow) => shadow.match(/(rgb|color)[^)]*\\)/)[0]);
    return best([...frames, ...inks(each.querySelectorAll(":scope > .ground path"))], canvas);
  });
  const lines = inks(board.querySelectorAll(".lines :is(line, .front), .bar path, .pole path, .ground path"));
  const grounds = new Set([board.querySelector(".board-field"), ...places].map((each) => style(each).backgroundColor));
  board.querySelector("[tabindex='0']").focus({ focusVisible: true });
  const { outlineColor, outlineStyle, outlineWidth } = style(document.activeElement);
  const ring = outlineStyle === "none" ? 0 : parseFloat(outlineWidth) && contrast(outlineColor, canvas);
  return {
    pieces: Math.min(...pieces), last: Math.min(...last), focus: ring,
    board: Math.max(best(lines, canvas), grounds.size > 1 ? best([...grounds].filter(isThere), canvas) * 2 : 0),
  };
}"""
"""The least contrast of a piece, of the last move's mark, of the focus, and what parts the places, on a game's board.
Grounds that differ need half of the contrast of a line, for they are large."""


@pytest.fixture(scope="module")
def screens() -> ModuleType:
    """The script that takes pictures of every screen."""
    spec = importlib.util.spec_from_file_location("screens", ROOT / "scripts" / "screens.py")
    assert spec and spec.loader
    made = importlib.util.module_from_spec(spec)
    sys.modules["screens"] = made
    spec.loader.exec_module(made)
    return made


server = plain_server


def test_pictures_of_every_game(screens: ModuleType) -> None:
    """Each game that is offered has its position to be looked at, its picture, and its place in the document."""
    names = [choice.name for choice in GAMES.shipped]
    document = (ROOT / "docs" / "games.md").read_text(encoding="utf-8")
    assert [screens.file_of(game) for game in screens.GAMES] == names
    assert re.findall(r"pictures/(\w+)\.png", document) == names
    assert sorted(file.stem for file in (ROOT / "docs" / "pictures").glob("*.png")) == sorted(names)


@pytest.mark.compiled
def test_forced_colours(page: Page, server: Server, screens: ModuleType) -> None:
    """Of each game the pieces, the last move, the focus and the places are seen in a palette that is the reader's."""
    faint = {}
    for game in screens.GAMES:
        page.goto(f"{server.address}/#/{screens.SCREENS[screens.file_of(game)]}")
        expect(page.get_by_role("heading", level=1)).to_have_text(describe_game(game).title)
        page.locator(".place-of-board .last").first.wait_for()
        for colours in ("light", "dark"):
            page.emulate_media(forced_colors="active", color_scheme=colours)
            if found := {part: value for part, value in page.evaluate(SEEN).items() if value < LEAST}:
                faint[game, colours] = found
    page.emulate_media(forced_colors="none", color_scheme="light")
    assert faint == {}
