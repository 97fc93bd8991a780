"""Stories of published pages, from a disk and from a plain host of files, without any network: played, looked at."""

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import PATIENCE, assert_accessible
from games import canaries, games
from pages import cell, choose, says
from playwright.sync_api import Browser, Page, expect

import plyground as pg
from plyground.errors import BadInput
from plyground.files.whole_file import write_whole
from plyground.games import GAMES as SHIPPED
from plyground.microscope.tree import record
from plyground.microscope.why import why
from plyground.publish.page import name_of, page
from plyground.publish.site import require_place
from plyground.search import algorithm_named

pytestmark = [pytest.mark.compiled, pytest.mark.process]
EMPTY = re.compile(", empty")


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with some games' pages, one of them for a frame."""
    where = tmp_path_factory.mktemp("published")
    for game in ("tictactoe", "connectfour"):
        write_whole(where / f"{game}.html", page(game).text)
    write_whole(where / "embed.html", page("tictactoe", embed=True).text)
    return where


@contextmanager
def _hosted(folder: Path, kind: type[_Quiet]) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(kind, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture(scope="module")
def host(folder: Path) -> Iterator[str]:
    """A plain host of files."""
    with _hosted(folder, _Quiet) as address:
        yield address


class _Isolating(_Quiet):
    """Says that what it sends may share memory."""

    def end_headers(self) -> None:
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()


@pytest.fixture(scope="module")
def isolating(folder: Path) -> Iterator[str]:
    """A host of files with the headers by which workers may share their memory."""
    with _hosted(folder, _Isolating) as address:
        yield address


@pytest.fixture
def reader(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """Somebody with a browser, maybe with other options; any error, and any request but for the file, is a fault."""
    options = {"viewport": {"width": 1100, "height": 760}, "reduced_motion": "reduce"} | getattr(request, "param", {})
    context = browser.new_context(**options)
    faults: list[str] = []
    shown = context.new_page()
    shown.on("pageerror", lambda fault: faults.append(str(fault)))
    shown.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    shown.on("request", lambda asked: faults.append(asked.url) if not _is_file(asked.url) else None)
    shown.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    yield shown
    context.close()
    assert faults == []


def _is_file(url: str) -> bool:
    return url.startswith(("file:", "blob:", "data:")) or url.partition("#")[0].endswith(".html")


def button(shown: Page, name: str) -> None:
    """Press a button."""
    shown.get_by_role("button", name=name, exact=True).click()


def test_a_game_from_a_disk(reader: Page, folder: Path) -> None:
    """A first move, the reply of a level, taken back; a hint; the link, opened again; what was left is offered."""
    address = (folder / "tictactoe.html").as_uri()
    reader.goto(address)
    says(reader, "x begins: choose a place on the board")
    expect(reader.get_by_role("navigation").get_by_role("link")).to_have_text(["Play", "Analyse", "Learn", "Open"])
    choose(reader, "b2")
    says(reader, "Your turn: x to move")
    expect(reader.get_by_role("gridcell", name=EMPTY)).to_have_count(7)
    assert re.search(r"#/play\?game=tictactoe&x=human&o=level:easy&moves=b2\+\w\d$", reader.url)
    button(reader, "Undo")
    expect(reader.get_by_role("gridcell", name=EMPTY)).to_have_count(9)
    button(reader, "Redo")
    expect(reader.get_by_role("gridcell", name=EMPTY)).to_have_count(7)
    button(reader, "Hint")
    says(reader, "Try ")
    link = reader.url
    reader.goto("about:blank")
    reader.goto(link)
    says(reader, "Your turn: x to move")
    reader.goto(address)
    reader.get_by_role("link", name="Go on with your game, after 2 moves by both sides").click()
    says(reader, "Your turn: x to move")
    button(reader, "Resign")
    button(reader, "Yes, give up")
    says(reader, "You lost: x resigns.")
    button(reader, "The other side")
    says(reader, "Your turn: o to move")


def test_a_loss_looked_back_at(reader: Page, host: str) -> None:
    """From a host of files: who loses sees where, and what was better; each mistake is an exercise; harder, again."""
    reader.goto(f"{host}/tictactoe.html#/play?game=tictactoe&x=human&o=level:best&moves=a1+b2+b1+c1+c2")
    says(reader, "You lost: o wins. Last move a3.")
    button(reader, "What went wrong")
    mistakes = reader.get_by_role("region", name="Review")
    expect(mistakes.get_by_text("3. c2", exact=True)).to_be_visible()
    expect(mistakes.get_by_text("gave away the draw")).to_be_visible()
    mistakes.get_by_role("link", name="Find the better move").last.click()
    choose(reader, "a3")
    says(reader, "a3: ")
    expect(reader.get_by_text("Best: a3")).to_be_visible()


def test_an_analysis(reader: Page, folder: Path) -> None:
    """All moves have values, best play its line; a search that goes on is stopped, and hinders nobody."""
    reader.goto((folder / "connectfour.html").as_uri() + "#/board?values=1")
    reader.get_by_role("button", name="Stop").wait_for()
    expect(reader.get_by_role("gridcell", name=re.compile(r"%"))).to_have_count(7)
    choose(reader, "d6")  # while it thinks
    says(reader, "Last move d. Yellow to move.")
    expect(reader.locator(".engine strong")).to_have_text(re.compile(r"^Yellow \d+ % \([+-]\d+ points?\)$"))
    expect(reader.get_by_role("region", name="Best lines").get_by_role("listitem").first).to_be_visible()
    expect(reader.get_by_role("gridcell", name=re.compile(r"%"))).to_have_count(7)  # lines may come before values
    button(reader, "Stop")
    expect(reader.get_by_text("Stopped before the result was certain.")).to_be_visible()
    reader.goto("about:blank")
    reader.goto((folder / "tictactoe.html").as_uri() + "#/board?moves=a1+b2&values=1")
    expect(cell(reader, "c3, empty.*draw")).to_be_visible()


def test_variations_of_an_analysis(reader: Page, folder: Path) -> None:
    """A move off the line stays beside it, is annotated, in the link too, and promoted; an illegal one has a reason."""
    reader.goto((folder / "tictactoe.html").as_uri() + "#/board?moves=b2+a1+c3")
    cell(reader, "a1, o").click(force=True)
    expect(reader.get_by_role("alert")).to_have_text("a1 is not a legal move here: a1 is occupied.")
    moves = reader.get_by_role("list", name="Moves")
    moves.get_by_role("button", name="b2", exact=True).click()
    choose(reader, "a2")
    branch = reader.get_by_role("list", name="Variation a2")
    reader.get_by_text("Annotate a2").click()
    button(reader, "mistake")
    reader.get_by_label("Comment on a2").fill("The edge")
    reader.get_by_label("Comment on a2").blur()
    expect(branch).to_contain_text("a2?The edge")
    reader.reload()
    expect(branch).to_contain_text("a2?The edge")
    reader.get_by_text("Annotate a2").click()
    button(reader, "Promote the variation")
    expect(reader.get_by_role("list", name="Variation a1")).to_contain_text("1…a12.c3")
    button(reader, "Delete from here")
    expect(moves).to_have_text("start1.b2a12.c3")


@pytest.mark.nightly
def test_taken_pieces_and_rules(reader: Page, tmp_path: Path) -> None:
    """Beside the board stands what each side has taken; all rules unfold before the first move."""
    file = tmp_path / "chess.html"
    write_whole(file, page("chess").text)
    address = file.as_uri()
    reader.goto(address)
    says(reader, "White begins: move a piece.")
    reader.get_by_text("How it is played").click()
    expect(reader.get_by_text("A king castles")).to_be_visible()
    reader.goto("about:blank")
    reader.goto(f"{address}#/play?x=human&o=human&moves=e2e4+d7d5+e4d5+d8d5")
    taken = reader.get_by_label("Taken pieces")
    expect(taken.get_by_role("definition")).to_have_text(["1 pawn", "1 pawn"])


@pytest.mark.parametrize("reader", [{"viewport": {"width": 1280, "height": 900}}], indirect=True)
def test_a_search_is_looked_at(reader: Page, folder: Path) -> None:
    """From a position on the board to its tree, to a cut: its sentence, its line of the algorithm, what it saved."""
    moves = ["a1", "b2", "c3"]
    tree = record(pg.Position.initial(pg.game_named("tictactoe")).play("a1").play("b2").play("c3"), "alphabeta", 2)
    cut = next(node for node in range(len(tree)) if tree.skipped[node])
    reader.goto((folder / "tictactoe.html").as_uri() + f"#/board?moves={'+'.join(moves)}")
    reader.get_by_role("link", name="Watch a search").click()
    expect(reader.get_by_role("heading", level=1)).to_have_text("A search of Tic-tac-toe")
    expect(reader.get_by_text(f"{tree.nodes} nodes, {tree.leaves} leaves, {tree.cutoffs} cutoffs.")).to_be_visible()
    expect(reader.locator("ply-tree .node-boards ply-board").first).to_be_attached()
    button(reader, "Jump to the next cut")
    expect(reader.get_by_text(why(tree, cut))).to_be_visible()
    expect(reader.get_by_role("list", name="What the algorithm does").locator("[aria-current]")).to_have_text(
        re.compile("the other moves are cut off")
    )
    button(reader, "How many nodes did this cut save?")
    expect(reader.get_by_text(f"Minimax visits {tree.saved_by_cut(cut)} nodes below the moves cut")).to_be_visible()
    for name in ("Game", "Options", "Save this tree as"):  # what takes a server, or leaves no choice
        expect(reader.get_by_label(name)).to_have_count(0)
    reader.get_by_label("Position").fill("b2")
    reader.get_by_label("Plies ahead").fill("1")
    button(reader, "Search")
    expect(reader.get_by_text("9 nodes, 8 leaves, 0 cutoffs.")).to_be_visible()
    reader.get_by_role("link", name="Back to the board").click()
    says(reader, "Last move b2. o to move.")


def test_a_race(reader: Page, folder: Path) -> None:
    """The algorithms side by side need as many nodes as in Python; a search that cannot be is said to be so."""
    reader.goto((folder / "tictactoe.html").as_uri() + "#/race?moves=a1&depth=4")
    expect(reader.get_by_role("status").filter(has_text="All have run. They agree: ")).to_be_visible()
    start = pg.Position.initial(pg.game_named("tictactoe")).play("a1")
    for algorithm in ("minimax", "alphabeta", "ordered", "pvs"):
        title, nodes = algorithm_named(algorithm).title, pg.search(start, algorithm, 4).nodes
        name = f"{title}, depth 4: {nodes:,} nodes"
        expect(reader.get_by_role("link", name=name, exact=True)).to_be_visible()
    reader.goto("about:blank")
    reader.goto((folder / "tictactoe.html").as_uri() + "#/race?game=chess")
    expect(reader.get_by_role("alert").filter(has_text="Only tictactoe is played here, not chess.")).to_be_visible()
    reader.goto((folder / "connectfour.html").as_uri() + "#/race?moves=c+e+b+f+c+f&depth=2")
    seen = pg.search(pg.Position.parse("connectfour", "c e b f c f"), "pvs", 2).score.points
    further = f"{seen:+} (estimate): {algorithm_named('pvs').title}"
    said = f"They agree: +0 (estimate). One looked further than the depth, to {further}"
    expect(reader.get_by_role("status").filter(has_text=said)).to_be_visible()


FIVE = """
    Object.defineProperty(Navigator.prototype, "hardwareConcurrency", { get: () => 5 });
    globalThis.alive = 0;
    const Real = Worker;
    globalThis.Worker = class extends Real {
      constructor(...args) {
        super(...args);
        alive += 1;
      }
      terminate() {
        super.terminate();
        alive -= 1;
      }
    };
"""
"""A machine with five processors, and how many workers there are."""


def test_workers_think_together(reader: Page, isolating: str) -> None:
    """Where they may share memory, four do: all values are what they are; stopped, the helpers are gone at once."""
    reader.add_init_script(FIVE)
    reader.goto(f"{isolating}/connectfour.html#/board?moves={'+'.join('begggacadgddfdgbad')}&values=1")
    expect(cell(reader, "d6, empty.*Yellow wins in 6 plies")).to_be_visible()
    expect(reader.get_by_role("gridcell", name=re.compile("Yellow wins in 2 plies"))).to_have_count(6)
    says_of_workers(reader, "The engine uses 4 threads.")
    reader.goto(f"{isolating}/connectfour.html#/board?values=1")
    expect(reader.get_by_role("gridcell", name=re.compile(r"%"))).to_have_count(7)
    several = reader.evaluate("alive")
    button(reader, "Stop")
    expect(reader.get_by_text("Stopped before the result was certain.")).to_be_visible()
    assert reader.evaluate("alive") == several - 3  # the one that was asked has a successor


def test_one_worker_thinks(reader: Page, folder: Path, host: str) -> None:
    """Where it cannot share its memory, the page says why."""
    reader.add_init_script(FIVE)
    for where, reason in (
        (folder.as_uri(), "a page opened from a disk has no more"),
        (host, "the host of this page allows no more"),
    ):
        reader.goto(f"{where}/tictactoe.html#/board?moves=a1&values=1")
        says_of_workers(reader, f"The engine uses one thread: {reason}.")
        assert reader.evaluate("alive") <= 1 + 2  # for moves; for searches


def says_of_workers(shown: Page, words: str) -> None:
    """How many think."""
    expect(shown.get_by_role("region", name="Best lines").get_by_text(words)).to_be_visible()


@pytest.mark.parametrize(
    ("link", "words", "empty"),
    [
        ("play?x=human&o=human&moves=a1+b2+a1+c3", "a1 is not a legal move here", 7),
        ("board?moves=a1+%3Cb%3E", "<b> is not a legal move here", 8),
        ("board?start=xx/yy&moves=a1", "xx/yy", 9),
        ("play?game=chess&moves=e4", "This page has no game chess; it has tictactoe.", 9),
        ("nowhere?ply=-3", "", 9),
    ],
)
def test_a_link_that_makes_no_sense(reader: Page, folder: Path, link: str, words: str, empty: int) -> None:
    """It says so, and there is a board to go on from: as far as the link makes sense."""
    reader.goto((folder / "tictactoe.html").as_uri() + f"#/{link}")
    expect(reader.get_by_role("gridcell", name=EMPTY)).to_have_count(empty)
    if words:
        expect(reader.get_by_role("alert")).to_contain_text(words)
    choose(reader, "b3")
    expect(cell(reader, "b3, [xo]")).to_be_visible()


@pytest.mark.parametrize("reader", [{"viewport": {"width": 390, "height": 844}}], indirect=True)
def test_on_a_phone(reader: Page, folder: Path) -> None:
    """Axe finds nothing, light and dark, with values on the board; nothing is wider than the screen."""
    searches = "#/tree?moves=a1+b2&depth=2", "#/race?moves=a1&depth=3"
    for link in ("", "#/play?x=human&o=level:easy&moves=a1+b2", "#/board?moves=a1+b2&values=1", *searches):
        reader.goto("about:blank")
        reader.goto((folder / "tictactoe.html").as_uri() + link)
        reader.get_by_role("grid").wait_for()
        if "values" in link:
            expect(reader.get_by_role("gridcell", name=re.compile("draw")).first).to_be_visible()
        if "race" in link:
            expect(reader.get_by_role("status").filter(has_text="All have run.")).to_be_visible()
        if "tree" in link:
            button(reader, "Jump to the next cut")
            expect(reader.get_by_role("button", name="How many nodes did this cut save?")).to_be_visible()
        assert_accessible(reader, link)
        assert reader.evaluate("document.documentElement.scrollWidth") <= 390, link


def test_in_a_frame(reader: Page, folder: Path) -> None:
    """In a page of somebody's: board, status line and buttons within a small frame; no header, no list of moves."""
    (folder / "course.html").write_text('<iframe src="embed.html" width="360" height="520"></iframe>', "utf-8")
    reader.goto((folder / "course.html").as_uri())
    frame = reader.frame_locator("iframe")
    frame.get_by_role("gridcell", name=re.compile("^b2")).click()
    expect(frame.get_by_role("status").filter(has_text="Your turn: x to move")).to_be_in_viewport()
    expect(frame.get_by_role("button", name="Undo")).to_be_in_viewport()
    expect(frame.get_by_role("navigation")).to_have_count(0)
    expect(frame.get_by_role("list", name="Moves")).to_have_count(0)


@pytest.mark.parametrize("reader", [{"java_script_enabled": False}], indirect=True)
def test_without_javascript(reader: Page, folder: Path) -> None:
    """A sentence says what the page needs."""
    reader.goto((folder / "tictactoe.html").as_uri())
    needs = reader.locator("noscript")
    expect(needs).to_be_visible()
    assert needs.inner_text() == "This page plays by JavaScript: allow it here."


def test_without_webassembly(reader: Page, folder: Path) -> None:
    """A sentence, not an empty page."""
    reader.add_init_script("delete globalThis.WebAssembly")
    reader.goto((folder / "tictactoe.html").as_uri())
    expect(reader.get_by_role("alert")).to_contain_text("This browser runs no WebAssembly")


def test_a_worker_that_dies(reader: Page, folder: Path) -> None:
    """Its question is answered with a sentence, and another worker takes the next one."""
    reader.add_init_script("""
        let asked = 0;
        globalThis.Worker = class extends Worker {
          postMessage(message) {
            const isLast = message.op === "study" && ++asked === 1;
            if (isLast) setTimeout(() => this.dispatchEvent(new ErrorEvent("error")));
            else super.postMessage(message);
          }
        };
    """)
    reader.goto((folder / "tictactoe.html").as_uri() + "#/board?moves=a1&values=1")
    expect(reader.get_by_role("alert")).to_contain_text("The engine has stopped")
    button(reader, "Engine")
    button(reader, "Engine")
    expect(cell(reader, "b2, empty.*draw")).to_be_visible()


def test_names_are_text(reader: Page, tmp_path: Path) -> None:
    """A game of somebody's own, whose words look like markup; where its file lies is told to nobody."""
    file = tmp_path / "own.py"
    file.write_text(
        "from plyground.games.mnk import MNK\n\nclass Duel(MNK):\n"
        '    """Three in a row </script><b>win</b> "now" 🎲."""\n',
        encoding="utf-8",
    )
    made = page(f"{file}:Duel")
    assert str(tmp_path) not in made.text
    write_whole(tmp_path / "duel.html", made.text)
    reader.goto((tmp_path / "duel.html").as_uri())
    expect(reader.get_by_text('Three in a row </script><b>win</b> "now" 🎲.')).to_be_visible()
    choose(reader, "b2")
    says(reader, "Your turn")
    assert "game=Duel" in reader.url


def test_a_record_is_opened(reader: Page, folder: Path) -> None:
    """Pasted with tags, comments and variations, its main line is there to analyse; a wrong move is said."""
    reader.goto((folder / "tictactoe.html").as_uri() + "#/import")
    text = reader.get_by_label("Paste it, or drop a file here")
    text.fill("1. b2 b2")
    button(reader, "Open")
    expect(reader.get_by_role("alert")).to_contain_text("Move 2: b2 is not a legal move here")
    text.fill('[Event "x"]\n\n1. b2! {best} a1 (1... b1 2. c3 (2. a3)) 2. c3 $1 *')
    button(reader, "Open")
    says(reader, "Last move c3. o to move.")


def test_the_quiz(reader: Page, folder: Path) -> None:
    """It asks of positions of the game, says what cannot be read, and why an answer is right; a seed asks again."""
    reader.goto((folder / "tictactoe.html").as_uri() + "#/quiz?game=tictactoe&count=3&seed=7")
    says(reader, "3 questions; seed 7 asks them again.")
    answer = reader.get_by_label("Answer 1, as in")
    question = reader.get_by_role("region", name="Question 1")
    for words, said in (("dunno", "'dunno' cannot be read: answer with a value"), ("777", "No: ")):
        answer.fill(words)
        question.get_by_role("button", name="Mark it").click()
        expect(question.locator(".marked")).to_contain_text(said)
    right = re.match(r"No: (.+?)\. ", question.locator(".marked").inner_text())
    assert right
    answer.fill(right[1])
    answer.press("Enter")
    says(reader, "1 of 3 right.")
    expect(reader.get_by_role("button", name="Save")).to_have_count(0)  # a worksheet takes a server
    results = Axe().run(reader)
    assert results.violations_count == 0, results.generate_report()


@pytest.mark.parametrize("reader", [{"viewport": {"width": 390, "height": 844}}], indirect=True)
def test_a_browser_that_unpacks_nothing(reader: Page, folder: Path) -> None:
    """A sentence says that it takes a newer one."""
    reader.add_init_script("delete globalThis.DecompressionStream")
    reader.goto((folder / "tictactoe.html").as_uri())
    expect(reader.get_by_text("This browser cannot unpack this page: open it in a newer one.")).to_be_visible()


@pytest.mark.parametrize(
    "game", canaries(dict.fromkeys([*games("compiled"), *(choice.name for choice in SHIPPED.shipped)]))
)
def test_how_large_pages_are(game: str) -> None:
    """At most 300 kB each, and 112 kB as a host sends them; tic-tac-toe's 94 kB."""
    made = page(game)
    most = 94_000 if game == "tictactoe" else 112_000
    assert made.size <= 300_000 and made.sent_bytes <= most, (made.size, made.sent_bytes)


def test_bad_input(tmp_path: Path) -> None:
    """Each is a sentence that says what is wrong, before anything is compiled or written."""
    for file, words in ((tmp_path, "is a folder"), (tmp_path / "no" / "x.html", "there is no folder")):
        with pytest.raises(BadInput, match=words):
            require_place(file)
    with pytest.raises(BadInput, match="A table of 0 MiB: 1 to 1024"):
        page("tictactoe", table=0)
    with pytest.raises(BadInput, match=r"none\.weights cannot be read"):
        page("tictactoe", learned=str(tmp_path / "none.weights"))
    (tmp_path / "plain.py").write_text(
        "from plyground.games.mnk import MNK\n\nclass Slow(MNK):\n    def evaluate(self, state):\n"
        "        return eval('0')\n",
        encoding="utf-8",
    )
    with pytest.raises(BadInput, match=r"Slow cannot be published.*plain.py, line 5: calls eval"):
        page(f"{tmp_path / 'plain.py'}:Slow")
    assert name_of("mnk:rows=4,k=3") == "mnk-rows-4-k-3"


def test_the_command(tmp_path: Path) -> None:
    """It says what it wrote; what makes no sense ends with a sentence and exit code 2."""

    def said(*words: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-m", "plyground", "publish", *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        return done.returncode, done.stdout + done.stderr

    code, words = said("tictactoe", "--embed")
    assert code == 0 and re.fullmatch(
        r"tictactoe\.html has Tic-tac-toe, in \d+ kB .*: open it in any browser\.\n", words
    )
    assert "data-embed" in (tmp_path / "tictactoe.html").read_text(encoding="utf-8")
    assert said() == (2, "plyground: Name a game to publish, or say --all, or --list, or --editor: one of these.\n")
    assert said("--all", "--embed") == (2, "plyground: --embed and --eval are for the page of one game: name it.\n")
    code, words = said("tictactoe", "--out", "no/x.html")
    assert code == 2 and "there is no folder no" in words


@pytest.mark.parametrize("reader", [{"viewport": {"width": 390, "height": 844}}], indirect=True)
def test_the_documents_game_is_handed_in_as_a_file(reader: Page, tmp_path: Path) -> None:
    """The game of docs/add-a-game.md, on a phone: it is only written, so moves are buttons; what went wrong is told."""
    document = Path(__file__).resolve().parent.parent / "docs" / "add-a-game.md"
    rules = re.search(r"```python\n(.*?)```", document.read_text(encoding="utf-8"), re.DOTALL)
    assert rules
    (tmp_path / "takeaway.py").write_text(rules[1], encoding="utf-8")
    file = tmp_path / "takeaway.html"
    write_whole(file, page(f"{tmp_path / 'takeaway.py'}:TakeAway:pile=5").text)
    reader.goto(file.as_uri() + "#/play?game=TakeAway:pile=5&x=human&o=level:best")
    says(reader, "Your turn: x to move")
    reader.locator("ply-board").get_by_role("button", name="2", exact=True).click()
    says(reader, "You lost: o wins.")
    button(reader, "What went wrong")
    expect(reader.locator("main")).to_contain_text("gave away the win for a loss")
