"""Variations in the browser: a move off the line stays, is annotated, promoted, deleted, saved and opened again."""

import re
from pathlib import Path

import pytest
from pages import at, choose, says
from playwright.sync_api import Locator, Page, expect
from servers import Server
from test_record_files import wthor

from plyground.play.notations import forms
from plyground.position import Position

pytestmark = pytest.mark.compiled


def moves(page: Page) -> Locator:
    """The list of moves."""
    return page.get_by_role("list", name="Moves")


def test_a_study(page: Page, server: Server, tmp_path: Path) -> None:
    """A branch with a comment and a mark outlives its link and its file, is promoted, and deleted."""
    at(page, server, "board?game=chess&moves=e2e4+e7e5+g1f3")
    moves(page).get_by_role("button", name="e4", exact=True).click()
    says(page, "After 1. e4.")
    choose(page, "c7")
    choose(page, "c5")
    says(page, "Last move c5")
    branch = page.get_by_role("list", name="Variation c5")
    expect(branch).to_contain_text("1…c5")
    page.get_by_text("Annotate c5").click()
    page.get_by_role("button", name="interesting").click()
    page.get_by_label("Comment on c5").fill("The {Sicilian} & more")
    page.get_by_label("Comment on c5").blur()
    expect(branch).to_contain_text("c5!?The Sicilian & more".replace("Sicilian", "{Sicilian}"))
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save with variations").click()
    file = tmp_path / "study.pgn"
    saved.value.save_as(file)
    assert "1. e4 e5 (1... c5 $5 {" in " ".join(file.read_text(encoding="utf-8").split())

    page.reload()
    expect(branch).to_contain_text("c5!?The Sicilian & more")
    expect(moves(page).get_by_role("button", name="Nf3")).to_be_visible()
    page.get_by_text("Annotate c5").click()
    page.get_by_role("button", name="Promote the variation").click()
    expect(page.get_by_role("list", name="Variation e5")).to_contain_text("1…e52.Nf3")
    expect(branch).to_have_count(0)
    page.get_by_role("button", name="Delete from here").click()
    says(page, "After 1. e4.")
    expect(moves(page)).to_have_text("start1.e4e52.Nf3")

    page.get_by_role("link", name="Open a game or file").click()
    page.get_by_label("Or choose a file").set_input_files(file)
    page.get_by_role("button", name="Open", exact=True).click()
    expect(branch).to_contain_text("c5!?")
    expect(branch).to_contain_text("& more")


def test_a_finished_game_is_studied_further(page: Page, server: Server) -> None:
    """Another move in a game that is over makes a variation of it, from which one comes back."""
    made = server.ask("create", game="tictactoe", x="human", o="human", moves=["a1", "b1", "a2", "b2", "a3"])
    at(page, server, f"game/{made['id']}")
    says(page, "x wins")
    page.get_by_role("button", name="Previous move").click()
    says(page, "After 2… b2.")
    choose(page, "c3")
    expect(page).to_have_url(re.compile("#/board"))
    expect(page.get_by_role("list", name="Variation c3")).to_be_visible()
    says(page, "Last move c3")
    page.get_by_text("Annotate c3").click()
    page.get_by_role("link", name="Back to the game").click()
    says(page, "x wins")


def test_a_file_of_several_games(page: Page, server: Server, tmp_path: Path) -> None:
    """They are listed with their players, and each opens; a file that is longer than a message is read in parts."""
    game = '[Event "Blitz"]\n[White "ann"]\n[Black "bob{}"]\n[Result "*"]\n\n1. e4 e5 (1... c5 {{"so"}}) 2. Nf3 *\n\n'
    (tmp_path / "many.pgn").write_text("".join(map(game.format, range(600))), encoding="utf-8")
    (tmp_path / "WTH_2026.wtb").write_bytes(wthor([["f5", "d6", "c3"], *[["f5", "f6"]] * 700]))
    listed = page.get_by_role("list", name="Games of the file").get_by_role("button")
    at(page, server, "import", "textbox")
    page.get_by_label("Or choose a file").set_input_files(tmp_path / "many.pgn")
    expect(page.get_by_role("heading", name="600 games")).to_be_visible()
    listed.filter(has_text="ann – bob599").click()
    says(page, "Last move Nf3")
    expect(page.get_by_role("list", name="Variation c5")).to_be_visible()
    expect(page.get_by_role("definition")).to_have_text(["ann", "bob599"])
    at(page, server, "import", "textbox")
    page.get_by_label("Paste it").fill("".join(map(game.format, range(2))))
    page.get_by_role("button", name="Open", exact=True).click()
    expect(listed).to_have_count(2)
    page.get_by_label("Or choose a file").set_input_files(tmp_path / "WTH_2026.wtb")
    expect(listed).to_have_count(701)
    expect(listed.first).to_have_text("player 0 – player 1, Black wins, 3 moves by both sides, tournament 1, 2026")
    listed.first.click()
    says(page, "Last move c3")
    at(page, server, "import", "textbox")
    (tmp_path / "cut.wtb").write_bytes(wthor([["f5"]])[:-1])
    page.get_by_label("Or choose a file").set_input_files(tmp_path / "cut.wtb")
    expect(page.get_by_role("alert")).to_contain_text("cut off")
    listed.click()
    says(page, "Last move f5")


KNIGHTS = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 "


def test_what_is_wrong_with_a_game_is_said(page: Page, server: Server, tmp_path: Path) -> None:
    """A draw that was not claimed, a move that is not legal, bytes of Latin-1; judged by chess alone."""
    games = [f"{KNIGHTS}5. e4 e5 1-0", "1. e4 e5 2. Ke3 *", "1. e4 e5 2. -- Nf6 *"]
    for number, moves_read in enumerate(games):
        (tmp_path / f"{number}.pgn").write_bytes(f'[White "Müller"]\n\n{moves_read}\n'.encode("latin-1"))
    listed = page.get_by_role("list", name="Games of the file").get_by_role("button")
    for number, said, last in [
        (0, "Before move 5. e4 a draw could be claimed, by threefold repetition.", "e5"),
        (1, "Move 2. Ke3: 'Ke3' is not a move here: no king of White can go to e3", "e5"),
        (2, "The null move -- and what follows it are not shown here.", "e5"),
    ]:
        at(page, server, "import", "textbox")
        page.get_by_label("Or choose a file").set_input_files(tmp_path / f"{number}.pgn")
        page.get_by_role("button", name="Open", exact=True).click()
        expect(page.get_by_role("alert")).to_contain_text(said)
        listed.click()
        says(page, f"Last move {last}")
        expect(page.get_by_role("definition").first).to_have_text("Müller")


@pytest.mark.parametrize("name", ["moves", "pgn"])
def test_one_game_is_not_several(page: Page, server: Server, name: str) -> None:
    """A record that names its game before all else, and moves that each could be two, are one game."""
    here = Position.initial("dotsandboxes")
    for _ in range(3):
        here = here.play(here.legal_moves[-1])
    at(page, server, "import?game=dotsandboxes", "textbox")
    page.get_by_label("Paste it").fill(next(each.text for each in forms("dotsandboxes", here) if each.name == name))
    page.get_by_role("button", name="Open", exact=True).click()
    says(page, f"Last move {here.notation[-1]}")
    expect(page.get_by_role("button", name="start")).to_be_visible()
