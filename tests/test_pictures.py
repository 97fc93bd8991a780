"""The pictures of the documents show today's page, and one command makes them all."""

import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
from pages import page_of_all, plain_server, playwright
from playwright.sync_api import Page
from servers import Server

__all__ = ["page_of_all", "playwright"]
ROOT = Path(__file__).resolve().parent.parent
server = plain_server


@pytest.fixture(scope="module")
def pictures() -> ModuleType:
    """The script that makes them."""
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(str(ROOT / "scripts"))
        spec = importlib.util.spec_from_file_location("pictures", ROOT / "scripts" / "pictures.py")
        assert spec and spec.loader
        made = importlib.util.module_from_spec(spec)
        patched.setitem(sys.modules, "pictures", made)
        spec.loader.exec_module(made)
        return made


def test_the_page_has_the_words_of_its_pictures(page: Page, server: Server, pictures: ModuleType) -> None:
    """Each screen that a picture shows has the words that it had when the picture was taken."""
    told = json.loads(pictures.WORDS.read_text(encoding="utf-8"))
    assert told.keys() == pictures.PICTURES.keys()
    for name, picture in pictures.PICTURES.items():
        found = pictures.words(pictures.show(page, server.address, picture), picture)
        assert found == told[name], f"docs/{name} shows other words: run python scripts/pictures.py, and look at it"


def test_every_picture_of_the_documents_is_made(pictures: ModuleType) -> None:
    """By the command, or it is said where it comes from; and none is made that no document shows."""
    files = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    shown = {
        (file.parent / target).resolve().relative_to(ROOT).as_posix()
        for file in files
        for target in re.findall(r"!\[[^]]*\]\(([^)]+)\)", file.read_text(encoding="utf-8"))
        if "://" not in target  # a badge of another site
    }
    drawn = {file.relative_to(ROOT).as_posix() for file in pictures.figures()}
    made = drawn | {f"docs/{name}" for name in pictures.PICTURES} | pictures.ELSEWHERE.keys()
    assert made == shown
