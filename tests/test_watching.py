"""Stories of the microscope's pages: stepping through a search, why a branch was cut off, the race, the quiz."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pages import says
from playwright.sync_api import Locator, Page, expect
from servers import Server

import plyground as pg
from plyground.microscope.reasons import label
from plyground.microscope.tree import record

pytestmark = pytest.mark.compiled
PAGE = Path(__file__).resolve().parent.parent / "page" / "src"
FIGURE = "tree?game=tictactoe&start=xx./.o./...:o"
"""o has to stop a line, and all but the first move are refuted at once: the last search of lesson 4's dialog."""


def open_tree(page: Page, server: Server, link: str) -> None:
    """Go to a search."""
    page.goto("about:blank")
    page.goto(f"{server.address}/#/{link}")
    page.get_by_role("treeitem").first.wait_for()


def node(page: Page, name: str) -> Locator:
    """The node that a move led to, at the first ply."""
    return page.locator('[role="treeitem"][aria-level="2"]').filter(has=page.get_by_text(name, exact=True))


def press(page: Page, name: str) -> None:
    """A button."""
    page.get_by_role("button", name=name, exact=True).click()


def test_the_figure(page: Page, server: Server) -> None:
    """The first move in full, backing up 0; every other one cut off by what x wins at once."""
    open_tree(page, server, FIGURE)
    expect(page.get_by_text("17 nodes, 10 leaves, 5 cutoffs.")).to_be_visible()
    expect(node(page, "c1")).to_have_accessible_name("c1, max, value 0, window [−∞, ∞], principal variation")
    for move in ("a2", "c2", "a3", "b3", "c3"):
        expect(node(page, move)).to_have_accessible_name(f"{move}, max, value ≥ x in 2, window [−∞, 0], beta cutoff")
    expect(page.get_by_role("treeitem")).to_have_count(17)


def test_why_a_branch_was_cut_off(page: Page, server: Server) -> None:
    """A node is chosen: its board, the sentence with the two numbers, and what the cut saved, counted by minimax."""
    open_tree(page, server, FIGURE)
    node(page, "a2").click()
    expect(page.get_by_role("gridcell", name=re.compile("^a2, o, last move"))).to_be_visible()
    expect(page.get_by_text(re.compile(r"^With c1 .* x in 2 ≥ 0, .* no need to search c2, a3, b3, c3"))).to_be_visible()
    press(page, "How many nodes did this cut save?")
    position = pg.Position.parse(pg.game_named("tictactoe"), "xx./.o./...:o").play("a2")
    saved = pg.search(position, "minimax", 1).nodes - 2  # the node itself and c1, which alpha-beta visits too
    says(page, f"Minimax visits {saved} nodes below the moves cut off here.")


def test_step_by_step(page: Page, server: Server) -> None:
    """Before the search nothing is known; each step says what happens, and which line of the algorithm acts."""
    open_tree(page, server, FIGURE)
    press(page, "Before the search")
    says(page, "Enters the node at the root, window [−∞, ∞].")
    expect(page.get_by_role("treeitem", name="not searched yet")).to_have_count(16)
    acting = page.get_by_role("list", name="What the algorithm does").locator('[aria-current="step"]')
    expect(acting).to_have_text("alphabeta(position, depth, α, β):")
    page.keyboard.press("n")
    says(page, "Enters the node after c1, window [−∞, ∞].")
    expect(page.get_by_role("gridcell", name=re.compile("^c1, o"))).to_be_visible()
    press(page, "Jump to the next cut")
    says(page, "Cutoff after a2: α ≥ β in [x in 2, 0], so no need to search c2, a3, b3, c3.")
    expect(acting).to_contain_text("if α ≥ β: stop")
    page.keyboard.press("p")
    says(page, "Back from c1 with x in 2; best after a2 so far x in 2, window [x in 2, 0].")
    expect(node(page, "a2")).to_have_accessible_name(re.compile("being searched, best so far x in 2"))
    page.get_by_label("Speed").select_option(label="very quickly")
    press(page, "Play")
    says(page, "The search is over: 0 by c1.")
    assert "step=" not in page.url


def test_a_tree_by_keyboard(page: Page, server: Server) -> None:
    """Arrows walk to child, sibling and parent; Enter closes a node and opens it; the link remembers the node."""
    open_tree(page, server, FIGURE)
    page.keyboard.press("t")
    for key, name in [("ArrowDown", "c1"), ("ArrowRight", "a2"), ("ArrowDown", "c1"), ("ArrowUp", "a2")]:
        page.keyboard.press(key)
        expect(page.locator(":focus")).to_have_accessible_name(re.compile(f"^{name},"))
    page.keyboard.press("Enter")
    expect(page.locator(":focus")).to_have_attribute("aria-expanded", "false")
    expect(page.get_by_role("treeitem")).to_have_count(16)
    page.keyboard.press("Enter")
    expect(page.get_by_role("treeitem")).to_have_count(17)
    assert "node=a2" in page.url


@pytest.mark.parametrize(
    ("game", "algorithm", "depth"),
    [("connectfour", "alphabeta", 4), ("kalah:pits=3,seeds=2", "ordered", 5), ("ultimate", "minimax", 2)],
)
def test_the_page_says_what_the_search_did(page: Page, game: str, algorithm: str, depth: int) -> None:
    """Its labels are the package's own; in its steps a child is entered with what the parent knows by then.

    So the page's account of the search, which it derives by itself, is held to the recorded windows and values.
    """
    tree = record(pg.Position.initial(pg.game_named(game)), algorithm, depth)
    view = vars(tree.columns)
    page.route("**/src/**", lambda route: route.fulfill(path=PAGE / route.request.url.partition("/src/")[2]))
    told: dict[str, Any] = page.evaluate(
        """async (view) => {
            const { Recorded, steps } = await import("/src/tree/recorded.js");
            const tree = new Recorded(view);
            return { labels: view.parent.map((_, node) => tree.label(node)), steps: steps(tree) };
        }""",
        view,
    )
    page.unroute("**/src/**")
    assert told["labels"] == [label(tree, each) for each in range(len(tree))]
    running: dict[int, dict[str, Any]] = {}
    for step in told["steps"]:
        here = step["node"]
        if step["kind"] == "enter":
            assert [step["alpha"], step["beta"]] == [view["alpha"][here], view["beta"][here]]
            if here and algorithm != "minimax":
                above = running[view["parent"][here]]
                assert [step["alpha"], step["beta"]] == [above["alpha"], above["beta"]]
        if step["kind"] == "cut":
            assert step["alpha"] >= step["beta"]
        running[here] = step
    assert [running[each]["best"] for each in range(len(tree))] == view["value"]
    cut = {step["node"] for step in told["steps"] if step["kind"] == "cut"}
    assert cut == {each for each in range(len(tree)) if tree.skipped[each]}


def test_a_search_of_ones_own(page: Page, server: Server) -> None:
    """Named when the server starts, it is in the tree beside its own lines, in the race, and among the players."""
    menu = server.ask("menu")
    (careless,) = (each["name"] for each in menu["algorithms"] if each["title"] == "careless")
    open_tree(page, server, f"{FIGURE}&algorithm={careless}")
    expect(page.get_by_label("Algorithm", exact=True)).to_have_value(careless)
    expect(page.get_by_role("treeitem", name=re.compile("^root"))).to_have_accessible_name(re.compile("≠ x wins"))
    open_tree(page, server, f"{FIGURE}&algorithm={careless}&step=0")
    code = page.get_by_role("list", name="What the algorithm does")
    expect(code.get_by_role("listitem").first).to_have_text("def careless(game, observer, state, depth):")
    expect(code.locator("[aria-current=step]")).to_contain_text("observer.enter")
    page.goto("about:blank")
    page.goto(f"{server.address}/#/race?game=tictactoe&start=xx./.o./...:o&depth=2")
    expect(page.get_by_text("They do not agree")).to_be_visible()
    expect(page.get_by_role("rowheader", name="careless")).to_be_visible()
    assert {"careless", "last"} <= {each["title"] for each in menu["players"]}


def test_nodes_that_do_not_fit_are_fetched(page: Page, server: Server) -> None:
    """A tree too large to be shown has a way to the part below each of its lowest nodes, and back."""
    open_tree(page, server, "tree?game=connectfour&algorithm=minimax&depth=5")
    page.get_by_role("treeitem", name=re.compile("nodes below not shown")).first.click()
    page.get_by_role("link", name=re.compile(r"^Look at the \d+ nodes below")).click()
    page.get_by_text("The part after d d").wait_for()
    page.get_by_role("link", name="The whole search").click()
    expect(page.get_by_text("19,608 nodes")).to_be_visible()


def test_a_tree_becomes_a_file(page: Page, server: Server) -> None:
    """For a report, or as a test of one's own search."""
    open_tree(page, server, FIGURE)
    for form, begins in [("picture (SVG)", "<svg"), ("test for my own search", '"""Does a search of your own')]:
        page.get_by_label("Save this tree as").select_option(label=form)
        with page.expect_download() as saved:
            press(page, "Save")
        assert Path(saved.value.path()).read_text(encoding="utf-8").startswith(begins)


def test_what_cannot_be_recorded(page: Page, server: Server) -> None:
    """Too deep, or over: a sentence; a long recording can be stopped."""
    for link, said in [
        (
            "tree?game=ultimate&depth=9",
            "enters more than 100,000 nodes here; a recording holds 100,000 at most. To depth",
        ),
        ("tree?game=tictactoe&start=xxx/oo./...:o", "The game is over"),
        ("race?game=tictactoe&start=xxx/oo./...:o", "The game is over"),
        ("quiz?game=tictactoe&depth=9", "depth"),
        ("tree?game=go", "go"),
    ]:
        page.goto("about:blank")
        page.goto(f"{server.address}/#/{link}")
        expect(page.get_by_role("alert").filter(has_text=said)).to_be_visible()


def test_the_race(page: Page, server: Server) -> None:
    """Every algorithm's counts, as `compare` counts them; a point of the chart races to its depth."""
    expected = pg.compare(pg.Position.initial(pg.game_named("tictactoe")), depths=[3, 4])
    page.goto(f"{server.address}/#/race?game=tictactoe&depth=1")
    says(page, "All have run. They agree")  # one ply ahead, even the careless one
    page.goto(f"{server.address}/#/race?game=tictactoe&depth=4")
    says(page, "All have run. They do not agree")
    nodes = {(row.algorithm, row.depth): f"{row.nodes:,}" for row in expected.rows}
    table = page.get_by_role("table")
    titles = {"minimax": "minimax", "alphabeta": "alpha-beta", "ordered": "alpha-beta with ordering"}
    for algorithm, title in titles.items():
        row = table.get_by_role("row").filter(has=page.get_by_role("rowheader", name=title, exact=True))
        expect(row).to_contain_text(nodes[algorithm, 4])
    page.get_by_role("link", name=re.compile(f"^alpha-beta, depth 3: {nodes['alphabeta', 3]} nodes")).click()
    expect(page.get_by_role("heading", name="To depth 3")).to_be_visible()


def test_the_quiz(page: Page, server: Server) -> None:
    """Right answers are right, wrong ones are explained, what cannot be read is said; a worksheet has the same."""
    page.goto(f"{server.address}/#/quiz?game=tictactoe&seed=4&count=3")
    questions = pg.quiz(pg.game_named("tictactoe"), 3, 4, 2)
    for number, question in enumerate(questions, 1):
        asked = page.get_by_role("region", name=f"Question {number}")
        expect(asked.get_by_role("heading")).to_have_text(f"{number}. {question.words}")
        field, marked = asked.get_by_role("textbox"), asked.get_by_role("status")
        field.fill("zzz")
        field.press("Enter")
        expect(marked).not_to_be_empty()
        expect(marked).not_to_contain_text("Right")
        field.fill(question.answer)
        field.press("Enter")
        expect(marked).to_have_text(f"Right. {question.solution}")
    says(page, "3 of 3 right.")
    page.get_by_label("Worksheet with answers").select_option(label="as data (JSON)")
    with page.expect_download() as saved:
        press(page, "Save")
    sheet = json.loads(Path(saved.value.path()).read_text(encoding="utf-8"))
    assert [each["answer"] for each in sheet] == [question.answer for question in questions]
