"""Gradescope: a grade as the file of results that it reads, and an autograder for it as a zip.

The forms are those that Gradescope publishes: `tests` with their scores and output in `results.json`, and a zip with
`setup.sh`, which is run once, and `run_autograder`, which is run for each hand-in.
"""

import io
import json
import shlex
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo, is_zipfile

from plyground.errors import BadInput
from plyground.files import bytes_of_file
from plyground.files.whole_file import whole_file
from plyground.grading.forms import GradeReport

VISIBLE = "visible"


def results(report: GradeReport) -> str:
    """The grade as `results.json`: a test for each criterion, and the report as the output of all."""
    tests = [
        {
            "name": mark.name,
            "score": mark.points,
            "max_score": mark.possible,
            "status": "failed" if mark.failed else "passed",
            "output": words,
            "visibility": VISIBLE,
        }
        for mark, words in zip(report.data.criteria, report.mark_words, strict=True)
    ]
    told = {"score": report.points, "output": report.text, "output_format": "text", "visibility": VISIBLE}
    return json.dumps({**told, "stdout_visibility": "hidden", "tests": tests}, ensure_ascii=False, indent=1) + "\n"


SETUP = """#!/usr/bin/env bash
# Install plyground, once, when the autograder is built: the wheel in this zip, else the release of its version.
# A student's program in another language needs that language as well, as in: apt-get install -y swi-prolog
set -euo pipefail
cd "$(dirname "$0")"
export PIP_BREAK_SYSTEM_PACKAGES=1
python3 -m pip --version || {{ apt-get update && apt-get install -y python3-pip; }}
python3 -m pip install uv
python3 -m uv venv --python ">=3.11" "${{AUTOGRADER:-/autograder}}/venv"
found=(plyground-*.whl)
[ -e "${{found[0]}}" ] || found=("plyground=={version}")
python3 -m uv pip install --python "${{AUTOGRADER:-/autograder}}/venv/bin/python" "${{found[0]}}"
"""
RUN = """#!/usr/bin/env bash
# Grade what a student has handed in. AUTOGRADER names another folder than Gradescope's, to try it elsewhere.
home="${{AUTOGRADER:-/autograder}}"
export PATH="$home/venv/bin:$PATH"
mkdir -p "$home/results"
cd "$home/submission" || exit 2
plyground grade {words} --gradescope "$home/results/results.json"
test -s "$home/results/results.json"
"""

SOURCE: Final = "../source"
"""Folder into which Gradescope unpacks the zip, relative to that of the hand-in."""


def read_brought(file: Path) -> bytes:
    """The content of a file that an autograder brings along.

    Raises:
        BadInput: it cannot be read, or is called a wheel and is no zip.
    """
    content = bytes_of_file(file)
    if file.suffix == ".whl" and not is_zipfile(io.BytesIO(content)):
        raise BadInput(f"{file} is no wheel: name one that pip can install.")
    return content


def write_autograder(file: Path, words: Sequence[str], brings: Sequence[Path]) -> None:
    """Write an autograder as a zip.

    Args:
        file: the zip.
        words: words of the command `grade` that say what is graded there, and how.
        brings: files that it brings along, beside its scripts: a wheel of plyground, which is installed in place of the
            release of this version, and what `words` name in `SOURCE`.

    Raises:
        BadInput: a file cannot be read or written.
    """
    brought = {each.name: read_brought(each) for each in brings}
    scripts = {
        "setup.sh": SETUP.format(version=version("plyground")),
        "run_autograder": RUN.format(words=shlex.join(words)),
    }
    # The zip is written whole or not at all: half a zip that is uploaded fails for every student.
    with whole_file(file) as new, ZipFile(new, "w", ZIP_DEFLATED) as made:
        for name, text in scripts.items():
            entry = ZipInfo(name)
            # Unix' mode of a file that can be executed, in the upper half: without it Gradescope could not run the
            # scripts.
            entry.external_attr = 0o100755 << 16
            made.writestr(entry, text)
        for name, content in brought.items():
            made.writestr(name, content)
