"""What all tests share: what a test may cost, at which speed it runs, golden files, and the seed of random examples.

A test that has no marker is plain: it searches in plain Python and starts no process, and one that tries fails. The
markers `process`, `browser` and `cluster` allow processes; `compiled` runs a test at the speed of compiled code.

The examples are the same in every run, so that a change is judged by what it changed. `PLYGROUND_SEED=fresh` explores
with new ones instead, as is done every night, and prints the number that draws them again: `PLYGROUND_SEED=number`.
"""

import gc
import os
import random
import shutil
import signal
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, TypeVar

import hypothesis
import psutil
import pytest
from databases import database as database
from databases import postgres as postgres
from pages import anybody as anybody
from pages import browser as browser
from pages import page as page
from pages import page_of_all as page_of_all
from pages import playwright as playwright
from pages import server as server
from processes import kill
from tries import SEED

from plyground.compiled.kernel import kernel

GOLDEN = Path(__file__).parent / "golden"
NO_SKIPS = "PLYGROUND_NO_SKIPS"
"""Set where everything that tests need is installed: there a skipped test has failed."""
STARTING = ("process", "browser", "cluster")
"""Markers of tests that start processes."""
COSTS = {"playwright": "browser", "server": "process", "plain_server": "process", "postgres": "process"}
"""Fixtures that start processes, and the marker that a test has by using one."""
STARTS = {"subprocess.Popen", "os.posix_spawn", "os.fork", "os.forkpty", "_winapi.CreateProcess"}
"""Python's audit events of starting a process."""
SECONDS = {"browser": 4.0, "process": 1.5, "cluster": 1.5, "compiled": 1.5}
"""Estimated seconds of a test by its markers; `PLAIN_SECONDS` for a test without one."""
PLAIN_SECONDS = 0.1
Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)
running: pytest.Item | None = None
"""The test that runs now, with its fixtures."""
has_started = False
"""Whether a process was started since processes left behind by a file of tests were ended last."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """One option: --update-golden."""
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew instead of comparing")


def pytest_configure(config: pytest.Config) -> None:
    """Compiled code is kept between runs in pytest's own cache: it is never stale, whatever a test calls its home.

    A shell's `command &` starts a run in which SIGINT is ignored, and nohup one in which SIGHUP is. Every child would
    inherit that; a signal with a handler has its default in a child.
    """
    if cache := getattr(config, "cache", None):  # there is none with -p no:cacheprovider
        os.environ.setdefault("PLYGROUND_CACHE", str(cache.mkdir("plyground")))
    if not hasattr(config, "workerinput"):  # of this run alone: a user's tables and games are none of the tests'
        os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp(prefix="plyground-data-")
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda number, frame: None)
    sys.addaudithook(_no_process_in_a_plain_test)
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


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the run's own data folder. What is alive now is frozen: pytest collects garbage five times at its end."""
    gc.collect()
    gc.freeze()
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ["XDG_DATA_HOME"], ignore_errors=True)


def _no_process_in_a_plain_test(event: str, args: tuple[Any, ...]) -> None:
    global has_started
    if STARTS is None or event not in STARTS:  # None: the interpreter ends, and this module has been emptied
        return
    has_started = True
    if running and not any(map(running.get_closest_marker, STARTING)):
        raise AssertionError(f"{running.nodeid} starts a process ({event}): mark it {' or '.join(STARTING)}.")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How a run that explored is repeated."""
    if wanted := os.environ.get(SEED):
        terminalreporter.write_line(f"{SEED}={wanted} draws the examples of this run again.")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is of other systems; let costly files come first, so that the last ones, which no other worker can
    share, are short, and within a file the plain tests."""
    for item in items:
        for fixture in COSTS.keys() & set(getattr(item, "fixturenames", ())):
            item.add_marker(COSTS[fixture])
        if "lessons" in item.path.parts:  # some of their searches would take minutes
            item.add_marker("compiled")
    out = [item for item in items if is_elsewhere(item)]
    config.hook.pytest_deselected(items=out)
    kept = [item for item in items if item not in out]
    taking: defaultdict[Path, float] = defaultdict(float)
    for item in kept:
        taking[item.path] += seconds(item)
    files = {path: place for place, path in enumerate(sorted(taking, key=lambda path: -taking[path]))}
    items[:] = sorted(kept, key=lambda item: (files[item.path], is_fast(item)))


def seconds(item: pytest.Item) -> float:
    """Returns the estimated seconds of a test: the sum of its markers' estimates."""
    return sum(SECONDS[marker.name] for marker in item.iter_markers() if marker.name in SECONDS) or PLAIN_SECONDS


def pytest_collection_finish() -> None:
    """The modules and tests that were collected stay: the garbage collector need not look through them each time. Nor
    need it look so often, where searches in plain Python make nothing but states."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)


def is_fast(item: pytest.Item) -> bool:
    """Whether a test runs at the speed of compiled code."""
    return item.get_closest_marker("compiled") is not None


def is_elsewhere(item: pytest.Item) -> bool:
    """Whether a test is about other systems than this one."""
    marker = item.get_closest_marker("only_on")
    return marker is not None and sys.platform not in marker.args


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, object, object]:
    """Let a test and its fixtures have their speed; end all processes that are left behind a file of tests."""
    global running, has_started
    plain = "0" if is_fast(item) else "1"
    if os.environ.get("PLYGROUND_PLAIN") != plain:
        os.environ["PLYGROUND_PLAIN"] = plain
        kernel.cache_clear()
    running = item
    try:
        return (yield)
    finally:
        running = None
        if has_started and (nextitem is None or nextitem.path != item.path):
            has_started = False
            kill(filter(_is_left_behind, psutil.Process().children(recursive=True)))


def _is_left_behind(process: psutil.Process) -> bool:
    """Whether a process was started by a test; Python's own helpers serve the next test too."""
    try:
        return "multiprocessing" not in " ".join(process.cmdline())
    except psutil.Error:
        return False


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


@pytest.fixture(params=["plain", pytest.param("compiled", marks=pytest.mark.compiled)])
def speed(request: pytest.FixtureRequest) -> str:
    """Each of the two speeds: what it is called, and the test runs at it."""
    return str(request.param)


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
