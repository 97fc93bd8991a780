"""The notebooks run from their first cell to their last, and what each shows can be shown."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).resolve().parent.parent / "examples" / "notebooks").glob("*.ipynb"))


def shown(code: str, names: dict[str, Any]) -> Any:
    """The output below a cell: the value of its last line, if that is an expression."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if isinstance(last, ast.Expr) else None


@pytest.mark.parametrize(
    "file",
    [pytest.param(file, marks=[pytest.mark.compiled] * (file.stem == "learning"), id=file.stem) for file in NOTEBOOKS],
)
def test_a_notebook_runs(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it stands, without the outputs of an earlier run; at least two of its cells show a picture or a table."""
    monkeypatch.chdir(tmp_path)
    book = json.loads(file.read_text(encoding="utf-8"))
    cells = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    assert book["nbformat"] == 4 and not any(cell["outputs"] or cell["execution_count"] for cell in cells)
    names: dict[str, Any] = {"__name__": "notebook"}
    values = [shown("".join(cell["source"]), names) for cell in cells]
    pictures = [value._repr_html_() for value in values if hasattr(value, "_repr_html_")]
    assert len(pictures) >= 2 and all("<svg" in picture or "<table" in picture for picture in pictures)


def test_all_notebooks_are_in_the_guide() -> None:
    """The guide links each notebook, with its subject."""
    guide = (NOTEBOOKS[0].parents[2] / "docs" / "python.md").read_text(encoding="utf-8")
    assert len(NOTEBOOKS) == 5 and all(f"](../examples/notebooks/{file.name})" in guide for file in NOTEBOOKS)
