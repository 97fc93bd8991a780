"""Learning from self-play in the page: its curve, opponents on the way, what it looks at; started, stopped, kept."""

import asyncio
import json
import re
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psutil
import pytest
from browser import assert_fits_and_is_accessible, person
from own_game import PILE
from pages import choose, says
from playwright.sync_api import Playwright, expect
from servers import serving
from waiting import until

import plyground as pg
from plyground.arena.learning.curve import LearningCurve
from plyground.errors import BadInput
from plyground.games import game_named
from plyground.learning.learned_rules import LOGIT
from plyground.learning.levels import learned_game, level_file, run_folder
from plyground.learning.parts import EvaluationParts
from plyground.web.games.saved_games import SavedGames
from plyground.web.games.store import GameStore
from plyground.web.operations import BY_NAME
from plyground.web.selfplay import SelfPlay
from plyground.web.services import Services
from plyground.web.views import learning
from plyground.web.views.models import Named, Nothing


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's data folder, empty."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.mark.only_on("linux")  # elsewhere the data folder is not in XDG_DATA_HOME
@pytest.mark.compiled
def test_a_curve_goes_on_where_it_was(data: Path) -> None:
    """After 1,000 games there is an opponent and a match; the next run goes on from the last game, and keeps both. The
    first choice of what was learned is better than chance, and a page is shown what it looks at."""
    game, told = game_named("tictactoe"), list[dict[str, Any]]()
    folder = run_folder(game)

    def run(games: int) -> dict[str, Any]:
        LearningCurve("tictactoe", folder, lambda said: told.append(json.loads(json.dumps(said)))).run(games=games)
        return told[-1]

    first = run(1_000)
    assert first["stage"] == "ended" and [*first["levels"]] == ["1000"] and first["matches"]
    kept = level_file(folder, "1000").read_bytes()
    second = run(2_000)
    assert second["games"] > first["games"] and second["matches"][:1] == first["matches"][:1]
    assert min(said["games"] for said in told[told.index(first) + 2 :]) >= first["games"]
    assert level_file(folder, "1000").read_bytes() == kept
    assert second["kept"][-1][1] > second["at_random"] + 0.2
    found = next(learning.looks(learning.LookedAt(game="tictactoe", seed=3)))
    assert found.patterns and all(each.position.last for each in found.patterns)
    with pytest.raises(BadInput, match="not been learned for so long"):
        next(learning.looks(learning.LookedAt(game="tictactoe", level="100000")))
    assert SelfPlay(lambda spec: False, is_open=False).view.runs[0].levels == second["levels"]


@pytest.mark.parametrize("spec", ["kalah", "ultimate"])
def test_parts_are_those_of_the_sum(spec: str) -> None:
    """With its averages added again, the patterns and the game's own evaluation make the learned evaluation."""
    game = game_named(spec)
    learned = learned_game(game, "learned")
    parts = EvaluationParts(learned)
    here = pg.Position.initial(game)
    for move in (0, 1, 0):
        here = here.play(here.legal_moves[move])
    part, added = parts._sum_groups(here.state)
    assert sum(added) + learned.hand_part(part, here.state) == learned.evaluate(here.state)
    usual = sum(parts._usual.get(part, [0]))
    assert sum(each.points for each in parts.patterns(here.state)) == pytest.approx((sum(added) - usual) / LOGIT)


def test_a_server_learns_only_where_it_is_allowed() -> None:
    """It is closed by default, to stopping too; and one game is learned at a time."""

    async def ask(services: Services) -> None:
        for op, args in (("learn", Named(game="tictactoe")), ("learn_stop", Nothing())):
            with pytest.raises(BadInput, match="plyground web --learn"):
                await BY_NAME[op].run(services, args, None)  # type: ignore[arg-type, misc]

    with closing(Services(SavedGames(GameStore("sqlite://")))) as services:
        asyncio.run(ask(services))


@pytest.mark.process
@pytest.mark.only_on("linux", "darwin")
def test_where_no_process_starts_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no error of the server, and learning can be asked for again."""
    monkeypatch.setattr("plyground.sandbox.sandbox.sys.executable", "/there/is/none")

    async def story() -> tuple[str, str]:
        served = SelfPlay(lambda spec: False, is_open=True)
        await served.start(Named(game="tictactoe"))
        async for view in served.stream_runs(Nothing()):
            if not view.running:
                return view.runs[0].stage, view.runs[0].fault
        return "", ""

    assert asyncio.run(story()) == ("stopped", "No process can be started: No such file or directory.")


@pytest.mark.process
def test_what_cannot_be_learned_is_said(tmp_path: Path) -> None:
    """A game without a board: the process ends, and the view has its sentence; a second game may begin then, but not
    before."""

    (tmp_path / "pile.py").write_text(PILE)

    async def story() -> tuple[str, str]:
        served = SelfPlay(lambda spec: True, is_open=True)
        await served.start(Named(game=f"{tmp_path}/pile.py:Pile"))
        try:
            with pytest.raises(BadInput, match="one game is at a time"):
                await served.start(Named(game="tictactoe"))
            async for view in served.stream_runs(Nothing()):
                if not view.running:
                    return view.runs[0].stage, view.runs[0].fault
        finally:
            served.close()
        return "", ""

    stage, fault = asyncio.run(story())
    assert stage == "stopped" and "has no board to learn from" in fault


@pytest.mark.only_on("linux")
@pytest.mark.compiled
@pytest.mark.browser
def test_learning_is_started_watched_and_stopped(playwright: Playwright, tmp_path: Path) -> None:
    """It is begun by a button, for all visitors; after 1,000 games the opponent plays and the weights can be fetched;
    axe finds nothing, light and dark, on a narrow phone; a kill of the server ends the process, and the next server
    has what was kept."""

    def processes() -> Iterator[psutil.Process]:
        for each in psutil.process_iter(["cmdline"]):
            if (
                "plyground.arena.learning.curve" in (each.info["cmdline"] or [])
                and str(tmp_path) in each.info["cmdline"][-1]
            ):
                yield each

    with serving("sqlite://", "--learn") as server, person(playwright, server.address) as page:
        page.goto(f"{server.address}/#/learning?game=tictactoe")
        page.get_by_role("button", name="Start learning").click()
        page.get_by_role("link", name="After 1,000 games").wait_for()
        expect(page.get_by_role("img", name="Strength by games")).to_be_visible()
        expect(page.get_by_role("list", name="Patterns").get_by_role("listitem")).not_to_have_count(0)
        assert_fits_and_is_accessible(page)
        with page.expect_download() as fetched:
            page.get_by_role("link", name="The file of weights").click()
        game = game_named("tictactoe")
        assert pg.Learned(game, Path(fetched.value.path())).learned_lookups > 0
        assert server.http.get("/learned/../x.weights").status_code == 404
        page.get_by_role("link", name="After 1,000 games").click()
        choose(page, "b2")
        says(page, "Your turn: x to move")
        page.goto(f"{server.address}/#/learning?game=tictactoe")
        page.get_by_role("button", name="Stop", exact=True).click()
        expect(page.get_by_text(re.compile("^Stopped: .* It goes on from there"))).to_be_visible()
        page.get_by_role("button", name="Go on").click()
        until(lambda: any(processes()))
        server.process.send_signal(signal.SIGKILL)
        until(lambda: not any(processes()))
    with serving("sqlite://") as server, person(playwright, server.address) as page:
        page.goto(f"{server.address}/#/learning")
        page.get_by_role("link", name="Tic-tac-toe").click()
        expect(page.get_by_role("link", name="After 1,000 games")).to_be_visible()
        page.get_by_text("How to start it in a terminal").click()
        expect(page.get_by_text("plyground web --learn")).to_be_visible()
