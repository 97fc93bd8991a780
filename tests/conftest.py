"""What all tests share: golden files, one folder for compiled code, what is left out, and the seed of random examples.

The examples are the same in every run, so that a change is judged by what it changed. `PLYGROUND_SEED=fresh` explores
with new ones instead, as is done every night, and prints the number that draws them again: `PLYGROUND_SEED=number`.
"""

import os
import random
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TypeVar

import hypothesis
import pytest
from databases import database as database
from databases import postgres as postgres
from pages import anybody as anybody
from pages import page as page
from pages import page_of_all as page_of_all
from pages import playwright as playwright
from pages import server as server

from plyground.compiled.kernel import is_plain_wanted

GOLDEN = Path(__file__).parent / "golden"
SEED = "PLYGROUND_SEED"
NO_SKIPS = "PLYGROUND_NO_SKIPS"
"""Set where everything that tests need is installed: there a skipped test has failed."""
Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)


def pytest_addoption(parser: pytest.Parser) -> None:
    """One option: --update-golden."""
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew instead of comparing")


def pytest_configure(config: pytest.Config) -> None:
    """Compiled code is kept between runs in pytest's own cache: it is never stale, whatever a test calls its home."""
    os.environ.setdefault("PLYGROUND_CACHE", str(config.cache.mkdir("plyground")))
    wanted = os.environ.get(SEED, "")
    if wanted == "fresh":
        wanted = os.environ[SEED] = str(random.SystemRandom().randrange(1, 1 << 31))  # the same for every worker
    if wanted and not wanted.isdecimal():
        raise pytest.UsageError(f"{SEED}={wanted}: write fresh, or the number that a run printed.")
    hypothesis.settings.register_profile("same", derandomize=True, deadline=None)
    hypothesis.settings.register_profile("explore", database=None, deadline=None, print_blob=True)
    hypothesis.settings.load_profile("explore" if wanted else "same")
    if wanted:
        hypothesis.core.global_force_seed = int(wanted)  # type: ignore[assignment]  # as --hypothesis-seed does


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How a run that explored is repeated."""
    if wanted := os.environ.get(SEED):
        terminalreporter.write_line(f"{SEED}={wanted} draws the examples of this run again.")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is of other systems, and tests that need one run only from the run that is not compiled."""
    out = [item for item in items if is_elsewhere(item) or (is_plain_wanted() and is_once(item))]
    config.hook.pytest_deselected(items=out)
    items[:] = [item for item in items if item not in out]


def is_once(item: pytest.Item) -> bool:
    """Whether a test is left to the compiled run; the lines of lessons are, where some would take minutes."""
    return item.get_closest_marker("once") is not None or item.path.parent.name == "lessons"


def is_elsewhere(item: pytest.Item) -> bool:
    """Whether a test is about other systems than this one."""
    marker = item.get_closest_marker("only_on")
    return marker is not None and sys.platform not in marker.args


def unskipped(report: Report) -> Report:
    """The report; of a test that was skipped where nothing may be, a failure."""
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get(NO_SKIPS):
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome, report.longrepr = "failed", f"{why}. With {NO_SKIPS} nothing is skipped."
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A skipped test may have failed."""
    return unskipped((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """So may a file of tests that was skipped as a whole."""
    return unskipped((yield))


@pytest.fixture(scope="session")
def seed() -> int:
    """The seed of random play: 0, or what PLYGROUND_SEED says."""
    return int(os.environ.get(SEED) or 0)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """`golden(name, text)`: the text is what the file tests/golden/NAME holds."""

    def compare(name: str, text: str) -> None:
        file = GOLDEN / name
        if request.config.getoption("--update-golden"):
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="\n")
        assert file.is_file(), f"there is no {file.name}: run pytest --update-golden, and read what it wrote"
        assert text == file.read_text(encoding="utf-8"), f"{name} has changed: --update-golden, if that is meant"

    return compare
