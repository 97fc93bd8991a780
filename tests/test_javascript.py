"""The page's JavaScript: its style, its types against what the server takes and answers, and laws of its pure parts.

What is run is in `page/package.json`; `scripts/check` installs it from the lock file.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from plyground.web.server.files import PAGE_FOLDER

HERE = Path(__file__).resolve().parent.parent / "page"
pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def npm() -> str:
    """The program that runs the checks, if it is there and what they need is."""
    program = shutil.which("npm")
    if program and (HERE / "node_modules").is_dir():
        return program
    pytest.skip("npm is not installed, or `npm ci` has not been run in page")


def run(npm: str, script: str, **more: str) -> "subprocess.CompletedProcess[str]":
    """Run a script of `package.json`, with more in its environment; what it translates is by this Python."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        [npm, "run", "--silent", script],
        cwd=HERE,
        env=os.environ | {"PATH": path} | more,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize("script", ["format", "lint", "types", "test"])
def test_page(npm: str, script: str) -> None:
    """No fault of form, of style, of types or of logic."""
    done = run(npm, script)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.timeout(300)  # a minute of the processor where several share it
def test_build(npm: str, tmp_path: Path) -> None:
    """What the package has of the page is what is built of its sources now."""
    done = run(npm, "build", OUT=str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    built, there = (
        {str(each.relative_to(root)): each.read_bytes() for each in root.rglob("*") if each.is_file()}
        for root in (tmp_path, PAGE_FOLDER)
    )
    old = sorted(name for name in built.keys() | there.keys() if built.get(name) != there.get(name))
    mends = "`npm run build` in page makes them anew"
    assert not old, f"{', '.join(old)}: not of the page's sources, or of the Python that pages run, as it is: {mends}"


def test_lock() -> None:
    """The lock file holds what is installed to its hashes, wherever it comes from."""
    packages = json.loads((HERE / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    for name, package in packages.items():
        assert "resolved" not in package, name
        assert not name or "integrity" in package, name
