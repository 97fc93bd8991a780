"""The page's JavaScript: its style, its types against what the server takes and answers, and laws of its pure parts.

What is run is in `javascript/package.json`; `scripts/check` installs it from the lock file.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent / "javascript"
pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def npm() -> str:
    """The program that runs the checks, if it is there and what they need is."""
    program = shutil.which("npm")
    if program and (HERE / "node_modules").is_dir():
        return program
    pytest.skip("npm is not installed, or `npm ci` has not been run in tests/javascript")


@pytest.mark.parametrize("script", ["format", "lint", "types", "test"])
def test_page(npm: str, script: str) -> None:
    """No fault of form, of style, of types or of logic."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # the types are made by this Python
    done = subprocess.run(
        [npm, "run", "--silent", script],
        cwd=HERE,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_lock() -> None:
    """The lock file holds what is installed to its hashes, wherever it comes from."""
    packages = json.loads((HERE / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    for name, package in packages.items():
        assert "resolved" not in package, name
        assert not name or "integrity" in package, name
