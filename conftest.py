"""The package's files with examples in their docstrings are collected; to import the others would take seconds."""

from pathlib import Path


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out a module of the package without an example, and lessons, whose files are saved first (`test_docs.py`);
    None leaves it to pytest."""
    if collection_path.suffix == ".md" and collection_path.parent.name == "lessons":
        return True
    if collection_path.suffix != ".py" or Path(__file__).parent / "plyground" not in collection_path.parents:
        return None
    return None if ">>> " in collection_path.read_text("utf-8") else True
