"""Stories of boards of every kind, and of moves that touch several places: of somebody's own games, and of ours."""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import assert_accessible, person
from pages import says
from playwright.sync_api import Locator, Page, Playwright, expect
from servers import Server, serving

import plyground as pg

pytestmark = pytest.mark.compiled

RULES = '''
from dataclasses import replace
from typing import NamedTuple
import plyground as pg
from plyground.board.look import COUNT, Area, Board, Piece, Place, hexagons, squares
from plyground.board.signs import NUMBER, signs

class State(NamedTuple):
    places: tuple[int, ...]
    ply: int

class Small(pg.Game[State]):
    """Places with 1 where x stands and 2 where o does; a draw after `plies`. A move is a number of `paths`."""
    plies = 6
    start = ()
    kind = "stone"

    def initial(self): return State(self.start, 0)
    def to_move(self, state): return state.ply & 1
    def outcome(self, state): return 0 if state.ply >= self.plies else pg.ONGOING
    def board(self):
        return replace(self.fixed(), pieces=tuple(Piece(name, self.kind) for name in self.marks))
    def stands(self, state):
        yield from state.places
    def path(self, state, move):
        yield from self.paths(state)[move]
    def moves(self, state):
        for move in range(len(self.paths(state))):
            yield move
    def move_signs(self, state, move):
        yield from super().move_signs(state, move) if self.paths(state)[move] else signs("pass")
    def parse_move(self, state, text):
        return [self.move_text(state, move) for move in self.moves(state)].index(text)
    def after(self, state, path):
        """The first place's stone goes to the second; what stood there is gone."""
        places = list(state.places)
        if path:
            places[path[1]], places[path[0]] = places[path[0]], 0
        return places
    def play(self, state, move):
        return State(tuple(self.after(state, self.paths(state)[move])), state.ply + 1)

class Pawns(Small):
    """A step ahead, or aslant to take; at the end a pawn becomes what is chosen; one may pass."""
    start = (0, 2, 0, 0, 0, 0, 1, 0, 1)
    kind = "pawn"
    names = marks = ("white", "black")
    def board(self):
        chosen = Place("queen", 3, 0, "choice"), Place("rook", 3, 1, "choice")
        board = squares(3, 3, chequered=True, upward=True, extra=chosen)
        kinds = ("pawn", "queen", "rook")
        return replace(board, pieces=tuple(Piece(name, kind) for kind in kinds for name in self.marks))
    def stands(self, state):
        yield from state.places
        yield 3 + (state.ply & 1)
        yield 5 + (state.ply & 1)
    def paths(self, state):
        mover, ahead, last = (1, -3, 0) if state.ply % 2 == 0 else (2, 3, 2)
        found = [()]
        for place in range(9):
            to = place + ahead
            if state.places[place] != mover or not 0 <= to < 9:
                continue
            aslant = [to + side for side in (-1, 1) if (to + side) // 3 == to // 3 and 0 <= to + side < 9]
            for end in [to] * (not state.places[to]) + [t for t in aslant if state.places[t] == 3 - mover]:
                found += [(place, end, 9), (place, end, 10)] if end // 3 == last else [(place, end)]
        return found

class Ring(Small):
    """Stones on points. In the middle one has to take another's stone, at a corner one may."""
    start = (0,) * 5
    plies = 5
    def fixed(self):
        at = {"a2": (0, 0), "c2": (2, 0), "b1": (1, 1), "a0": (0, 2), "c0": (2, 2)}
        return Board(
            tuple(Place(name, x, y, "point") for name, (x, y) in at.items()),
            ((0, 1), (0, 2), (0, 3), (1, 2), (1, 4), (2, 3), (2, 4), (3, 4)),
        )
    def paths(self, state):
        others = [place for place, owner in enumerate(state.places) if owner == 2 - (state.ply & 1)]
        found = []
        for place, owner in enumerate(state.places):
            if not owner:
                found += [(place,)] if place != 2 or not others else []
                found += [(place, other) for other in others]
        return found
    def after(self, state, path):
        places = list(state.places)
        places[path[0]] = 1 + (state.ply & 1)
        for taken in path[1:]:
            places[taken] = 0
        return places

class Hexes(Small):
    start = (0,) * 9
    names = marks = ("black", "white")
    def fixed(self): return hexagons(3, 3)
    def paths(self, state):
        return [(place,) for place, owner in enumerate(state.places) if not owner] + [()] * (state.ply == 1)
    def after(self, state, path):
        places = list(state.places)
        if path:
            places[path[0]] = 1 + (state.ply & 1)
        return places

class Edges(Hexes):
    """A box with four edges."""
    start = (0,) * 5
    plies = 4
    kind = "wall"
    def fixed(self):
        return Board((
            Place("top", 0.5, 0, "bar"), Place("left", 0, 0.5, "pole"), Place("box", 0.5, 0.5),
            Place("right", 1, 0.5, "pole"), Place("bottom", 0.5, 1, "bar"),
        ))
    def paths(self, state): return [(place,) for place, owner in enumerate(state.places) if not owner and place != 2]

class Hand(Small):
    """A stack in hand, dropped on triangles."""
    start = (3, 0, 0)
    plies = 3
    kind = "amazon"
    def board(self):
        return Board(
            (Place("hand", 0, 0), Place("up", 1.5, 0.1, "triangle"), Place("higher", 2.5, 0.1, "triangle")),
            areas=(Area("in hand", (0,)),),
            pieces=(Piece("x", "amazon", text="A"), Piece("o", "amazon", text="A"), Piece("x", "amazon", 0, "A")),
        )
    def stands(self, state):
        hand, *board = state.places
        yield 3 + COUNT * hand if hand else 0
        yield from board
    def paths(self, state): return [(0, place) for place in (1, 2) if not state.places[place]] or [()]
    def after(self, state, path):
        places = list(state.places)
        if path:
            places[0], places[path[1]] = places[0] - 1, 1
        return places

class Pile(Small):
    """Two moves, and no board."""
    start = (5,)
    def board(self): return Board()
    def stands(self, state): yield from ()
    def caption(self, state):
        yield NUMBER
        yield state.places[0]
        yield from signs(" matches")
    def paths(self, state): return [(), ()]
    def move_signs(self, state, move): yield from signs(f"take{move + 1}")
    def play(self, state, move): return State((state.places[0] - move - 1,), state.ply + 1)
'''
GAMES = ["Pawns", "Ring", "Hexes", "Edges", "Hand", "Pile"]


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    """What drives the browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file with the rules."""
    file = tmp_path_factory.mktemp("rules") / "small.py"
    file.write_text(RULES, encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, rules: Path) -> Iterator[Server]:
    """A server that knows these games, and searches them plain."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PLYGROUND_PLAIN", "1")
        database = f"sqlite:///{tmp_path_factory.mktemp('boards') / 'games.db'}"
        with serving(database, *(word for name in GAMES for word in ("--game", f"{rules}:{name}"))) as started:
            yield started


@pytest.fixture(scope="module")
def page_of_all(playwright: Playwright, server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A browser with fingers."""
    with person(playwright, server.address, has_touch=True) as page:
        yield page


@pytest.fixture
def go(page_of_all: Page, server: Server, rules: Path) -> Iterator["Go"]:
    """`go("Pawns")`: that game's board, on the page."""
    yield Go(page_of_all, server, rules)


class Go:
    """Goes to boards."""

    def __init__(self, page: Page, server: Server, rules: Path) -> None:
        self.page, self.server, self.rules = page, server, rules

    def __call__(self, game: str, more: str = "", kind: str = "board") -> Page:
        self.page.goto("about:blank")
        named = f"{self.rules}:{game}" if game in GAMES else game
        self.page.goto(f"{self.server.address}/#/{kind}?game={named}{more}")
        self.page.get_by_role("heading", level=1).wait_for()
        self.page.locator("ply-board :is(.place, .written)").first.wait_for()
        return self.page


def square(page: Page, name: str) -> Locator:
    """A place by the beginning of its name."""
    return page.get_by_role("gridcell", name=re.compile(rf"^{name}\b"))


def button(page: Page, name: str) -> Locator:
    """A place that is no square of a grid, or a button below the board."""
    return page.locator("ply-board").get_by_role("button", name=re.compile(rf"^{name}\b"))


def named(place: Locator, words: str) -> None:
    """What a place is called."""
    expect(place).to_have_accessible_name(re.compile(words))


def test_from_a_square_to_another(go: Go) -> None:
    """The first click selects, what is next is marked and said, the second moves; Escape and the first place cancel."""
    page = go("Pawns")
    named(square(page, "a1"), "^a1, white pawn, can move$")
    named(square(page, "b3"), "^b3, black pawn$")
    square(page, "a1").click()
    named(square(page, "a1"), "^a1, white pawn, selected$")
    named(square(page, "a2"), "^a2, empty, can go here$")
    says(page, "a1 selected, on to a2. Escape cancels.")
    page.keyboard.press("Escape")
    named(square(page, "a1"), "can move$")
    square(page, "a1").click()
    square(page, "a1").click()
    named(square(page, "a1"), "can move$")
    square(page, "a1").click()
    square(page, "c1").click()  # another one after all
    named(square(page, "c1"), "selected$")
    square(page, "b3").click(force=True)
    expect(page.get_by_role("alert")).to_contain_text("b3 is not a legal move")
    square(page, "c2").click()
    named(square(page, "c2"), "^c2, white pawn, can|^c2, white pawn, last move")
    named(square(page, "c1"), "^c1, empty, last move$")
    says(page, "black to move")


def test_what_a_pawn_becomes(go: Go) -> None:
    """Choices are beside the board while they can be chosen; the focus goes there, and back by Escape; a pass too."""
    page = go("Pawns", "&moves=a1-a2+pass")
    expect(button(page, "queen")).to_have_count(0)
    square(page, "a2").click()
    square(page, "a3").click()
    named(square(page, "a3"), "^a3, white pawn, selected")
    expect(button(page, "queen")).to_be_focused()
    page.keyboard.press("Escape")
    expect(button(page, "queen")).to_have_count(0)
    page.keyboard.press("b")
    expect(square(page, "a2")).to_be_focused()
    button(page, "pass").click()
    says(page, "Last move pass. black to move.")
    button(page, "pass").click()
    square(page, "a2").click()
    square(page, "b3").click()
    button(page, "rook").click()
    says(page, "Last move a2-b3-rook")


def test_by_keyboard(go: Go) -> None:
    """Arrows go from place to place and Enter chooses, on squares, hexagons, points and edges."""
    page = go("Pawns")
    page.keyboard.press("b")
    for key in ("ArrowDown", "ArrowDown", "Enter", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    says(page, "Last move a1-a2")
    expect(square(page, "a2")).to_be_focused()
    page = go("Hexes")
    page.keyboard.press("b")
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    named(button(page, "b2"), "^b2, black stone, last move$")
    page.keyboard.press("f")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    named(button(page, "c2"), "^c2, white stone, last move$")
    page = go("Ring")
    page.keyboard.press("b")
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    named(button(page, "c0"), "^c0, x stone")
    page = go("Edges")
    page.keyboard.press("b")
    for key in ("ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_role("button", name=re.compile("black wall, last move$"))).to_have_count(1)


def test_a_board_is_one_stop_of_the_keyboard(go: Go) -> None:
    """Tab enters it at the place that was left last, and leaves it at once."""
    stops = '.places [tabindex="0"], .places button:not([tabindex])'
    for game in ("Pawns", "Hexes", "Edges"):
        page = go(game)
        expect(page.locator(stops)).to_have_count(1)
        page.keyboard.press("b")
        page.keyboard.press("ArrowDown")
        expect(page.locator(stops)).to_have_count(1)
        expect(page.locator(stops)).to_be_focused()
        page.keyboard.press("Tab")
        expect(page.locator(".places :focus")).to_have_count(0)
        page.keyboard.press("Shift+Tab")
        expect(page.locator(stops)).to_be_focused()


def test_a_piece_is_dragged(go: Go) -> None:
    """By mouse and by finger; let go beside the board it stays; what is asked is asked after a drag as well."""
    page = go("Pawns")
    start, end = square(page, "a1"), square(page, "a2")
    start.drag_to(page.get_by_role("heading", level=1))
    named(start, "^a1, white pawn, selected$")
    start.drag_to(end)
    says(page, "Last move a1-a2")
    go("Pawns")
    across = page.context.new_cdp_session(page)
    points = [_middle(start), _middle(end)]
    for kind, at in [("touchStart", points[:1]), ("touchMove", points[1:]), ("touchEnd", [])]:
        across.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in at]})
    says(page, "Last move a1-a2")
    go("Pawns", "&moves=a1-a2+pass")
    square(page, "a2").drag_to(square(page, "b3"))
    button(page, "queen").click()
    says(page, "Last move a2-b3-queen")


def _middle(place: Locator) -> tuple[float, float]:
    found = place.bounding_box()
    assert found
    return found["x"] + found["width"] / 2, found["y"] + found["height"] / 2


def test_place_then_take(go: Go) -> None:
    """A stone appears where it is placed; what may be taken is marked; where one may stop, a button ends the move."""
    page = go("Ring")
    button(page, "a2").click()
    says(page, "Last move a2. o to move.")
    button(page, "b1").click()
    named(button(page, "b1"), "^b1, o stone, selected$")
    named(button(page, "a2"), "^a2, x stone, can go here, last move$")
    button(page, "a2").click()
    says(page, "Last move b1-a2. x to move.")
    button(page, "c2").click()
    button(page, "End here: c2").click()
    says(page, "Last move c2. o to move.")
    named(button(page, "b1"), "^b1, o stone$")


def test_buttons_for_what_no_place_offers(go: Go) -> None:
    """A swap beside a board of hexagons, and all of a game that is only written; stacks say how many they are."""
    page = go("Hexes")
    expect(button(page, "pass")).to_have_count(0)
    button(page, "b2").click()
    button(page, "pass").click()
    says(page, "Last move pass. black to move.")
    page = go("Pile")
    expect(page.get_by_text("5 matches")).to_be_visible()
    button(page, "take2").click()
    expect(page.get_by_text("3 matches")).to_be_visible()
    page = go("Hand")
    named(button(page, "hand"), "^hand, x amazon, 3 of them, can move$")
    button(page, "hand").click()
    button(page, "up").click()
    named(button(page, "hand"), "2 of them, can move, last move$")


def test_values_of_moves_that_touch_several_places(go: Go) -> None:
    """On a start stands the best of what begins there; once it is selected, each way on has its own."""
    page = go("Pawns", "&values=1")
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    named(square(page, "a1"), "^a1, white pawn, can move, draw, best$")
    named(button(page, "pass"), "^pass, draw, best$")
    square(page, "a1").click()
    named(square(page, "a2"), "^a2, empty, can go here, draw, best$")
    named(square(page, "a1"), "^a1, white pawn, selected$")


def test_boards_beside_searches(go: Go) -> None:
    """The microscope draws the same board, and a move of several places leads to its node."""
    page = go("Pawns", "&depth=2&algorithm=minimax", kind="tree")
    page.get_by_role("treeitem").first.wait_for()
    square(page, "a1").click()
    square(page, "a2").click()
    expect(page.get_by_role("heading", name="After a1-a2")).to_be_visible()


def test_what_cannot_be_set_up_by_hand(go: Go) -> None:
    """Only a grid of marks is edited by clicks; other positions are written."""
    page = go("Pawns", kind="edit")
    expect(page.get_by_label("To move")).to_have_count(0)
    expect(page.get_by_role("button", name="Clear")).to_have_count(0)
    expect(page.get_by_label("Position or game as text")).to_be_visible()


SHIPPED = {
    "reversi:4": 0,
    "hex:4,swap=true": 0,
    "breakthrough:4,4": 2,
    "morris": 3,
    "draughts": 3,
    "international": 3,
    "russian": 3,
    "gardner": 3,
    "dotsandboxes:2,2": 1,
    "nim": 1,
    "chomp": 1,
    "domineering:4,4": 2,
    "amazons:5,5": 3,
    "pentago": 2,
    "gomoku:7,7": 1,
    "kalah:3,2": 1,
}
"""Our games, and how many places at least a move touches that is made there; 0: none, a button passes or swaps."""


def played_until(game: pg.Game[Any], wanted: int) -> tuple[list[str], pg.Position, int]:
    """A random game up to a move that touches so many places and does not end the game: its moves, where, and which."""
    chance = random.Random(1)
    while True:
        position, words = pg.Position.initial(game), list[str]()
        while position.outcome is None:
            for move, path in position.paths.items():
                fits = len(path) >= wanted if wanted else not path
                if fits and position.play(move).outcome is None:
                    return words, position, move
            move = chance.choice(position.legal_moves)
            words.append(game.move_text(position.state, move))
            position = position.play(move)


@pytest.mark.parametrize(("name", "wanted"), SHIPPED.items())
def test_our_games_are_played_by_clicks(go: Go, name: str, wanted: int) -> None:
    """A pass, a swap, an edge, from and to, what is taken, a chain of jumps, what a pawn becomes; then any move."""
    game = pg.game_named(name)
    words, position, move = played_until(game, wanted)
    page = go(name, f"&moves={'+'.join(words)}" if words else "")
    for _ in range(2):
        text, path, paths = game.move_text(position.state, move), position.paths[move], position.paths.values()
        for place in path:
            here = game.board().places[place]
            at = f".choice:has-text('{here.name}')" if here.shape == "choice" else f"[data-place='{place}']"
            page.locator(f"ply-board {at}").click()
        if not path or any(len(other) > len(path) and other[: len(path)] == path for other in paths):
            page.locator(f"ply-board .choice:has-text('{text}')").click()
        says(page, f"Last move {game.notation_text(position.state, move)}.")
        position = position.play(move)
        others = [each for each in position.legal_moves if position.play(each).outcome is None]
        if not others:
            return
        move = random.Random(2).choice(others)


def test_accessibility(go: Go) -> None:
    """Axe finds nothing, light and dark, in the midst of a move as well; nothing is wider than a small phone."""
    for game, first in [("Pawns", "a1"), ("Ring", "b1"), ("Hexes", ""), ("Edges", ""), ("Hand", "hand"), ("Pile", "")]:
        page = go(game)
        if first:
            page.locator(f"ply-board [aria-label^={first}]").click()
        assert_accessible(page, game)
        page.set_viewport_size({"width": 320, "height": 640})
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, game
        page.set_viewport_size({"width": 1100, "height": 760})
