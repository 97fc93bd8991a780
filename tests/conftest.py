"""What all tests share: golden files, one folder for compiled code, and a home that is not the developer's."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from pages import anybody as anybody
from pages import page as page
from pages import page_of_all as page_of_all
from pages import playwright as playwright
from pages import server as server

from plyground.compiled.kernel import is_plain_wanted

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    """One option: --update-golden."""
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew instead of comparing")


def pytest_configure(config: pytest.Config) -> None:
    """Compiled code is kept between runs in pytest's own cache: it is never stale, whatever a test calls its home."""
    os.environ.setdefault("PLYGROUND_CACHE", str(config.cache.mkdir("plyground")))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave tests that need one run only to the compiled one."""
    once = [item for item in items if item.get_closest_marker("once")] if is_plain_wanted() else []
    config.hook.pytest_deselected(items=once)
    items[:] = [item for item in items if item not in once]


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
