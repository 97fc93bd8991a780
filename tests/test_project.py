"""The files around the package agree with it and with each other."""

import re
import tomllib
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def read(name: str) -> str:
    """A file of the project's folder."""
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_changelog_keeps_its_form() -> None:
    """Unreleased, then the releases with their dates, newest first, in the usual parts; it tells of this version."""
    first, *releases = re.findall(r"^## (.*)$", read("CHANGELOG.md"), flags=re.MULTILINE)
    assert first == "[Unreleased]"
    told = [re.fullmatch(r"\[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d", release) for release in releases]
    versions = [Version(match[1]) for match in told if match]
    assert len(versions) == len(releases) and versions == sorted(versions, reverse=True)
    parts = re.findall(r"^### (.*)$", read("CHANGELOG.md"), flags=re.MULTILINE)
    assert parts and set(parts) <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    announced = read("CHANGELOG.md").partition("\n## [Unreleased]")[2].partition("\n## ")[0]
    assert Version(PROJECT["version"]) in versions or f"To be {PROJECT['version']}," in announced


def test_one_version_and_one_licence() -> None:
    """In the package, in the citation and in the text of the licence."""
    cited = dict(re.findall(r"^(version|license): (.*)$", read("CITATION.cff"), flags=re.MULTILINE))
    assert cited == {"version": PROJECT["version"], "license": PROJECT["license"]}
    assert read("LICENSE").startswith(f"{PROJECT['license']} License")


def test_the_classifiers_are_what_is_tested() -> None:
    """The versions of Python of the workflow's matrix, from the lowest that is allowed."""
    classified = re.findall(r"Python :: (3\.\d+)", " ".join(PROJECT["classifiers"]))
    (matrix,) = re.findall(r"python: \[(.*)\]", read(".github/workflows/checks.yml"))
    assert classified == re.findall(r"[\d.]+", matrix) and PROJECT["requires-python"] == f">={classified[0]}"


def wanted(requirement: str) -> list[Requirement]:
    """What a line of pyproject.toml asks for; of plyground itself with extras, what these ask for."""
    found = Requirement(requirement)
    if found.name != PROJECT["name"]:
        return [found]
    return [each for extra in found.extras for line in PROJECT["optional-dependencies"][extra] for each in wanted(line)]


def test_the_lock_has_what_the_project_asks_for() -> None:
    """A release within each range of the package and its tests, each with hashes, from no place in particular."""
    text = read("requirements-dev.txt")
    locked: dict[str, set[Version]] = {}
    for block in re.split(r"\n(?=\S)", text):
        if pinned := re.match(r"([\w.-]+)(?:\[.*?\])?==([^ \\]+)", block):
            locked.setdefault(canonical(pinned[1]), set()).add(Version(pinned[2]))
            assert "--hash=sha256:" in block, pinned[1]
    for line in [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["test"]]:
        for each in wanted(line):
            versions = locked.get(canonical(each.name), set())
            assert versions and all(version in each.specifier for version in versions), (
                f"{each}: requirements-dev.txt has {sorted(versions) or 'none'}; its second line renews it"
            )
    assert "://" not in text and "--index" not in text and "--find-links" not in text


def canonical(name: str) -> str:
    """A name as all its spellings."""
    return re.sub(r"[-_.]+", "-", name).lower()
