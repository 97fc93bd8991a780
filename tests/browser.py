"""A real Chromium for tests: any request to another host and any error of the page fails the test that caused it."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Playwright, expect
from waiting import LIMIT

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = LIMIT * 1000
"""Milliseconds that anything may take."""


def chromium() -> str:
    """Path of Chromium; of its headless shell if installed, which takes a fifth of the CPU time for a page."""
    found = filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "google-chrome")))
    return next(found, None) or pytest.skip("Chromium is not installed")


_browsers: WeakKeyDictionary[Playwright, Browser] = WeakKeyDictionary()


def browser_of(playwright: Playwright) -> Browser:
    """The one Chromium of a driver, which ends with it: to start another takes longer than most stories."""
    if playwright not in _browsers or not _browsers[playwright].is_connected():
        _browsers[playwright] = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
    return _browsers[playwright]


@contextmanager
def person(playwright: Playwright, address: str, **options: object) -> Iterator[Page]:
    """A person on the playground's first page, with cookies, storage and cache of their own."""
    wanted = {"viewport": {"width": 1100, "height": 760}, "reduced_motion": "reduce", **options}
    context = browser_of(playwright).new_context(**wanted)  # type: ignore[arg-type]  # options of any type
    faults: list[str] = []
    host = urlsplit(address).netloc
    context.on("request", lambda request: faults.append(request.url) if _foreign(request.url, host) else None)
    page = context.new_page()
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.on("console", lambda said: faults.append(said.text) if "Content Security Policy" in said.text else None)
    page.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    page.goto(address)
    try:
        yield page
        assert faults == [], faults
    finally:
        context.close()


def assert_accessible(page: Page, where: object = "") -> None:
    """Assert that axe finds nothing on a page, dark and light; to open it takes longer than both."""
    for dark in (True, False):
        page.emulate_media(color_scheme="dark" if dark else "light")
        results = Axe().run(page)
        assert results.violations_count == 0, (where, "dark" if dark else "light", results.generate_report())


def assert_fits_and_is_accessible(page: Page) -> None:
    """Assert that a page fits a phone 320 pixels wide, and that axe finds nothing there, dark and light."""
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert_accessible(page)
    page.set_viewport_size({"width": 1100, "height": 760})


def _foreign(url: str, host: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme not in ("data", "blob") and parts.netloc != host
