"""How the tests themselves are run: what may be skipped, and which examples are drawn."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.process
TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent


def run(folder: Path, program: str, **environment: str) -> str:
    """What pytest says of a file of tests, run with the settings and hooks of ours."""
    (folder / "test_it.py").write_text(program, encoding="utf-8")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PLYGROUND_", "PYTEST_"))}
    words = [sys.executable, "-m", "pytest", "-p", "conftest", "-c", str(ROOT / "pyproject.toml"), "-q", "-s"]
    words += ["--rootdir", str(folder), str(folder / "test_it.py")]
    paths = os.pathsep.join([str(TESTS), *filter(None, [kept.get("PYTHONPATH")])])
    return subprocess.run(
        words,
        cwd=folder,
        env=kept | {"PYTHONPATH": paths, "PLYGROUND_CACHE": str(folder)} | environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    ).stdout


SKIPS = """
import pytest
@pytest.mark.only_on("a system that nobody has")
def test_elsewhere(): raise AssertionError
def test_a_program(): pytest.skip("cobol is not installed")
@pytest.mark.xfail
def test_known(): raise AssertionError
"""


def test_where_nothing_may_be_skipped_a_skip_fails(tmp_path: Path) -> None:
    """And says why; a fault that is expected, and a test of another system, are no skips."""
    assert "1 skipped, 1 deselected, 1 xfailed" in run(tmp_path, SKIPS)
    strict = run(tmp_path, SKIPS, PLYGROUND_NO_SKIPS="1")
    assert "1 failed, 1 deselected, 1 xfailed" in strict and "cobol is not installed" in strict
    whole = "import pytest\npytest.skip('cobol is not installed', allow_module_level=True)\n"
    assert "error" not in run(tmp_path, whole) and "error" in run(tmp_path, whole, PLYGROUND_NO_SKIPS="1")
    assert "export PLYGROUND_NO_SKIPS=1" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


DRAWS = """
from hypothesis import given, settings, strategies as st
@settings(max_examples=5)
@given(st.integers())
def test_draw(number): print("drew", number)
def test_seed(seed): print("seed", seed)
"""


@pytest.mark.nightly
def test_a_seed_draws_the_same_examples_and_a_fresh_one_others(tmp_path: Path) -> None:
    """Every run draws the same, until it explores; then it prints the seed that draws its examples again."""

    def drawn(**environment: str) -> tuple[list[str], str]:
        said = run(tmp_path, DRAWS, **environment)
        assert "2 passed" in said
        told = re.findall(r"PLYGROUND_SEED=(\d+) draws", said)
        return re.findall(r"(?:drew|seed) -?\d+", said), told[0] if told else ""

    usual, none = drawn()
    assert (usual, none) == drawn() and "seed 0" in usual and not none
    fresh, seed = drawn(PLYGROUND_SEED="fresh")
    assert f"seed {seed}" in fresh and fresh != usual
    assert drawn(PLYGROUND_SEED=seed) == (fresh, seed) != drawn(PLYGROUND_SEED="fresh")
    assert "passed" not in run(tmp_path, DRAWS, PLYGROUND_SEED="soon")


def test_every_night_explores() -> None:
    """The workflow has a job by the clock that draws fresh examples."""
    check = (ROOT / "scripts" / "check").read_text(encoding="utf-8")
    jobs = (ROOT / ".github" / "workflows" / "checks.yml").read_text(encoding="utf-8")
    assert re.search(r"schedule:\n +- cron:", jobs) and "scripts/check --nightly" in jobs
    assert '"PLYGROUND_SEED", "fresh"' in check
