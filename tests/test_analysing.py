"""Stories of analysing: best lines, the explorer, mistakes as exercises, games of other sites."""

import re

import pytest
from pages import at, cell, choose, plain_server, says
from playwright.sync_api import Locator, Page, expect
from servers import Server

import plyground as pg

pytestmark = pytest.mark.compiled


server = plain_server


def press(page: Page, name: str) -> None:
    """A button."""
    page.get_by_role("button", name=name, exact=True).click()


def best_lines(page: Page) -> Locator:
    """The best lines, once nothing more can be found."""
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    return page.get_by_role("region", name="Best lines").get_by_role("listitem")


def test_best_lines(page: Page, server: Server) -> None:
    """The first begins as the solver would, and tells what that is worth; its moves are links."""
    here = pg.Position.initial(pg.game_named("tictactoe")).play("b2").play("b1")
    solved = pg.solve(here, every_move=True, prefer_shorter=True)
    most = max(score.order(0) for _, score in solved.moves)
    best = {here.game.move_text(here.state, move) for move, score in solved.moves if score.order(0) == most}
    at(page, server, "board?game=tictactoe&moves=b2+b1&values=1")
    first = best_lines(page).first
    expect(first).to_contain_text(f"wins in {solved.score.plies}")
    moves = first.get_by_role("link").all_inner_texts()
    assert moves[0] in best and len(moves) == solved.score.plies
    first.get_by_role("link").nth(1).click()
    says(page, f"After 2… {moves[1]}.")
    expect(cell(page, moves[1])).to_have_accessible_name(re.compile("last move"))


def test_whose_side_numbers_are_for(page: Page, server: Server) -> None:
    """What o loses in, x wins in."""
    at(page, server, "board?game=tictactoe&moves=b2+b1+a1&values=1")
    first = best_lines(page).first
    expect(first).to_contain_text("loses in 4")
    page.get_by_text("Numbers are for o, who is to move").click()
    press(page, "Show them for x")
    expect(page.get_by_text("Numbers are for x", exact=True)).to_be_visible()
    expect(first).to_contain_text("wins in 4")


def test_explorer(page: Page, server: Server) -> None:
    """Connect Four's first moves are worth what is published, and no search is needed; a move leads on."""
    at(page, server, "board?game=connectfour")
    rows = page.get_by_role("table", name="What each move is worth").locator("tbody tr")
    expect(rows).to_have_count(7)
    worth = dict(row.split(maxsplit=1) for row in rows.all_inner_texts())
    for move, word in {"a": "loses", "b": "loses", "c": "draw", "d": "wins", "e": "draw", "f": "loses"}.items():
        assert worth[move].startswith(word), worth
    page.get_by_role("button", name="Engine").click()
    expect(page.get_by_text("Red wins in 41 plies from the opening book")).to_be_visible()
    rows.first.get_by_role("link", name="d", exact=True).click()
    says(page, "Last move d. Yellow to move.")


def test_mistakes_become_exercises(page: Page, server: Server) -> None:
    """A review tells the mistake that all know; as an exercise it is judged, and nothing is given away before."""
    at(page, server, "board?game=tictactoe&moves=b2+b1+a1+c3&mode=back")
    press(page, "Review the game")
    mistakes = page.get_by_role("region", name="Review")
    expect(mistakes).to_contain_text("1… b1: blunder: gave away the draw.")
    mistakes.get_by_role("link", name=re.compile("Find the better move ?, 1… b1")).click()
    page.get_by_role("heading", name="Find the better move").wait_for()
    choose(page, "b3")
    says(page, "b3: No: it gave away the draw.")
    expect(page.get_by_text("Best:")).to_have_count(0)
    choose(page, "c3")
    says(page, "c3: Right.")
    expect(page.get_by_text("Best: a1, c1, a3, c3")).to_be_visible()


def test_games_of_other_sites(page: Page, server: Server) -> None:
    """What Pascal Pons's site writes is opened and written; a slip gets one sentence, and what was pasted stays."""
    page.goto(f"{server.address}/#/import?game=connectfour")
    pasted = page.get_by_label("Paste it, or drop a file here")
    pasted.fill("44835")
    press(page, "Open")
    expect(page.get_by_role("alert").filter(has_text="move 3: '8' is not a column")).to_be_visible()
    expect(pasted).to_have_value("44835")
    pasted.fill("44435")
    press(page, "Open")
    says(page, "Last move e. Yellow to move.")
    page.get_by_text("In other notations").click()
    expect(page.get_by_role("textbox", name="Numbered moves")).to_have_value("1. d d 2. d c 3. e")
    expect(page.get_by_role("textbox", name="Numbers, as Pascal Pons writes them")).to_have_value("44435")


def test_a_text_says_its_game(page: Page, server: Server) -> None:
    """Where no game is written, it is that of the text; a text of no game keeps the page, and says so."""
    for text, said in [
        ("f5d6c3", "Last move c3. White to move."),
        ("1. 11-15 23-19 2. 8-11 *", "Last move 8-11. White to move."),
        ("1. e4 c5 2. Nf3 *", "Last move Nf3. Black to move."),
        ("4453321", "Last move a. Yellow to move."),
    ]:
        page.goto("about:blank")
        page.goto(f"{server.address}/#/import")
        page.get_by_label("Paste it, or drop a file here").fill(text)
        press(page, "Open")
        says(page, said)
    page.goto(f"{server.address}/#/import")
    page.get_by_label("Paste it, or drop a file here").fill("no game at all")
    press(page, "Open")
    expect(page.get_by_text("Move 1: 'no'")).to_be_visible()
    expect(page.get_by_label("Paste it, or drop a file here")).to_have_value("no game at all")


def test_what_is_found_is_written_as_players_write(page: Page, server: Server) -> None:
    """Lines, hints, answers and refutations of chess are in its notation; what they link to is the same move."""
    at(page, server, "board?game=chess&moves=f2f3+e7e5+g2g4&mode=analyse")
    page.get_by_role("button", name="Engine").click()
    lines = page.get_by_role("region", name="Best lines")
    expect(lines.get_by_role("listitem").first.get_by_role("link")).to_have_text("Qh4#")
    expect(page.locator(".engine .variation")).to_have_text("Qh4#")
    lines.get_by_role("link", name="Qh4#").click()
    says(page, "The game is over: Black wins by checkmate. Last move Qh4#.")
    number, move = page.locator(".moves li").nth(1).locator("> *").all()
    before, after = number.bounding_box(), move.bounding_box()
    assert number.inner_text() == "1." and before and after, "the number stands beside its move"
    assert after["y"] <= before["y"] < after["y"] + after["height"] and before["x"] + before["width"] <= after["x"]
    assert "moves=f2f3+e7e5+g2g4+d8h4" in page.url
    at(page, server, "exercise?game=chess&moves=f2f3+e7e5+g2g4&was=d8h4")
    page.get_by_role("button", name="Show the answer").click()
    says(page, "Qh4#: Right.")
    expect(page.get_by_text("Best: Qh4#")).to_be_visible()


def test_a_game_of_chess_from_elsewhere(page: Page, server: Server) -> None:
    """PGN is opened, its moves are listed in numbered pairs as it has them, and it is saved as a file of its kind."""
    page.goto(f"{server.address}/#/import?game=chess")
    text = page.get_by_label("Paste it, or drop a file here")
    fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
    text.fill(f'[SetUp "1"]\n[FEN "{fen}"]\n\n1... e5 $1 {{good}} (1... c5) 2. Nf9')
    press(page, "Open")
    expect(page.get_by_role("alert").filter(has_text="Move 2. Nf9: 'Nf9' is not a move here")).to_be_visible()
    text.fill(text.input_value().replace("Nf9", "Nf3 *"))
    press(page, "Open")
    expect(page.get_by_role("list", name="Moves")).to_have_text("start1…e5!good1…c52.Nf3")
    page.get_by_text("In other notations").click()
    expect(page.get_by_role("textbox", name="FEN")).to_have_value(
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"
    )
    expect(page.get_by_role("textbox", name="Link")).to_have_value(re.compile("moves=e7e5"))
    with page.expect_download() as saved:
        press(page, "Save PGN")
    assert saved.value.suggested_filename == "game.pgn" and "1... e5 2. Nf3 *" in saved.value.path().read_text()
