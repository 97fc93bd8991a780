"""The page of tablebases: which there are, what stands in one, and where its positions lead."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import assert_fits_and_is_accessible, person
from playwright.sync_api import Page, Playwright, expect
from servers import Server, serving

import plyground as pg
from plyground.exact.tables.folder import Progress
from plyground.exact.tables.reading import FOLDERS_VARIABLE, user_tables_root

pytest.importorskip("pyarrow")
pytestmark = pytest.mark.browser


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server of a person who has no tablebases."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv(FOLDERS_VARIABLE, "")
    with serving("sqlite://") as started:
        yield started


@pytest.fixture
def page(playwright: Playwright, server: Server, tmp_path: Path) -> Iterator[Page]:
    """A browser."""
    with person(playwright, server.address) as shown:
        yield shown


def interrupted(progress: Progress) -> None:
    """Ctrl-C when a few states are listed."""
    if progress.states > 20:
        raise KeyboardInterrupt


@pytest.mark.only_on("linux")  # elsewhere the data folder is not in XDG_DATA_HOME
def test_a_table_is_looked_through(page: Page, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a table the page says how one is made. Then the numbers are the table's, and its longest win opens on the
    board with that value; axe finds nothing, light and dark, and nothing is wider than a narrow phone."""
    page.goto(f"{server.address}/#/tables")
    page.get_by_text("How to make one in a terminal").click()
    expect(page.get_by_label("Command")).to_have_value("plyground tablebase connectfour:4,4")
    monkeypatch.setattr("plyground.exact.tabulating.making.MAKING_REPORT_SECONDS", 0.0)
    with pytest.raises(KeyboardInterrupt):
        pg.tablebase("connectfour:3,3,3", user_tables_root() / "small", told=interrupted)
    page.reload()
    growing = page.get_by_role("table", name="Tablebases that are being made")
    expect(growing.get_by_role("row", name=re.compile("^Connect Four"))).to_contain_text("listing")
    table = pg.tablebase("connectfour:3,3,3", user_tables_root() / "small")
    expect(growing).to_have_count(0)
    page.get_by_role("link", name="Connect Four").click()
    row = page.get_by_role("row", name=re.compile("^All"))
    for count in (sum(tier.x for tier in table.tiers.values()), sum(tier.o for tier in table.tiers.values())):
        expect(row.get_by_role("cell", name=f"{count:,}", exact=True)).to_be_visible()
    assert page.get_by_role("row").count() == len(table.tiers) + 2
    assert_fits_and_is_accessible(page)
    said = table.longest[1].text(table.game.names)
    expect(page.get_by_role("list", name="Only one move").get_by_role("link")).not_to_have_count(0)
    page.get_by_role("list", name="The longest wins").get_by_role("link", name=said).first.click()
    expect(page.get_by_text(said).first).to_be_visible()
    page.goto(f"{server.address}/#/tables?game=tictactoe")
    expect(page.get_by_role("alert")).to_have_text(re.compile("plyground tablebase tictactoe makes it"))
