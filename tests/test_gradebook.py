"""One gradebook for all that is graded; rosters of Moodle and Canvas filled from it; results and zip of Gradescope."""

import csv
import io
import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import yaml
from commanding import ran
from jsonschema import Draft202012Validator
from right_searches import ALPHABETA
from wrong_searches import WRONG, changed

import plyground as pg
from plyground.gradebook.entries import Entry, entries_csv, read_entries, totals
from plyground.gradebook.roster import ClassRoster, read_roster
from plyground.grading import forms, gradescope
from plyground.grading.grade import criteria_of
from plyground.grading.handed_in import refusal_grade, student_of

NO_CUTS = next(changed(base, changes) for name, base, changes, _ in WRONG if name == "no cuts at all")
"""A search that loses 15 of 100 points."""


# -- entries ----------------------------------------------------------------------------------------------------------

BOOK = [
    Entry("ann", "alphabeta", 85, 100, "=Cuts"),
    Entry("ann", "alphabeta: cuts", 0, 10),
    Entry("ann", "tictactoe", 61.3, 100),
    Entry("bob", "alphabeta", None, None),
    Entry("bob", "tictactoe", 20, 100),
]


def test_a_gradebook_is_read_as_it_was_written(tmp_path: Path) -> None:
    """In CSV no cell begins as a formula does; read again it is the same."""
    file = tmp_path / "book.csv"
    file.write_text(entries_csv(BOOK), encoding="utf-8")
    assert read_entries(file) == BOOK and "'=Cuts" in file.read_text(encoding="utf-8")
    for text, words in [
        ("name,points\n", "no gradebook of plyground"),
        (entries_csv(BOOK) + "a,b\n", "line 7: 2 columns"),
        (entries_csv(BOOK) + "a,b,c,d,\n", "points are numbers"),
        ("", "no gradebook"),
    ]:
        file.write_text(text, encoding="utf-8")
        with pytest.raises(pg.BadInput, match=words):
            read_entries(file)


def test_items_are_added_up_and_their_parts_are_not() -> None:
    """What is not known of one item is not known of the sum."""
    assert totals(BOOK, ["alphabeta"]) == [BOOK[0], BOOK[3]]
    ann, bob = totals(BOOK, ["alphabeta", "tictactoe"])
    assert (ann.points, ann.possible, ann.item) == (146.3, 200, "alphabeta and tictactoe")
    assert (bob.points, bob.possible) == (None, None)
    with pytest.raises(pg.BadInput, match="several items, alphabeta, tictactoe"):
        totals(BOOK)
    with pytest.raises(pg.BadInput, match="no such item"):
        totals(BOOK, ["hex"])


# -- rosters ----------------------------------------------------------------------------------------------------------

WORKSHEET = (
    "Identifier,Full name,ID number,Email address,Status,Grade,Maximum grade,Grade can be changed,"
    "Last modified (submission),Last modified (grade),Feedback comments\n"
    "Participant 123456,Ann Lee,s0812,ann.lee@uni.example,Submitted,,20.00,Yes,-,-,\n"
    "Participant 123457,Bob Ray,s0813,bob@uni.example,Submitted,3.00,20.00,Yes,-,-,kept\n"
)
BLATT = (
    "\ufeffID;Vollständiger Name;E-Mail-Adresse;Status;Bewertung;Bestwertung;Bewertung kann geändert werden;"
    "Zuletzt geändert (Abgabe);Zuletzt geändert (Bewertung);Feedback als Kommentar\r\n"
    "Teilnehmer/in123456;Ann Lee;ann.lee@uni.example;;;20,00;Ja;-;-;\r\n"
    "Teilnehmer/in123457;Bob Ray;bob@uni.example;;3,00;20,00;Ja;-;-;kept\r\n"
)
GRADES = (
    "First name,Last name,ID number,Institution,Department,Email address,Assignment: alphabeta (Real),"
    "Last downloaded from this course\n"
    "Ann,Lee,s0812,,,ann.lee@uni.example,-,1700000000\n"
    "Bob,Ray,s0813,,,bob@uni.example,3.00,1700000000\n"
)
PARTICIPANTS = (
    "Vorname,Nachname,ID-Nummer,E-Mail-Adresse\nAnn,Lee,s0812,ann.lee@uni.example\nBob,Ray,,bob@uni.example\n"
)
CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,alphabeta (77),Quiz (78)\n"
    ",,,,,Manual Posting,\n"
    "    Points Possible,,,,,50,10\n"
    '"Lee, Ann",123456,s0812,ann.lee@uni.example,1,,9\n'
    '"Ray, Bob",123457,s0813,bob@uni.example,1,7,\n'
)


def roster(folder: Path, text: str) -> ClassRoster:
    """A roster with a text."""
    (folder / "roster.csv").write_bytes(text.encode())
    return read_roster(folder / "roster.csv")


@pytest.mark.parametrize(
    ("text", "was", "filled"),
    [
        (WORKSHEET, "Submitted,,20.00,Yes,-,-,\n", "Submitted,17,20.00,Yes,-,-,'=Cuts\n"),
        (BLATT, ";;;20,00;Ja;-;-;\r\n", ";;17;20,00;Ja;-;-;'=Cuts\r\n"),
        (GRADES, "example,-,17", "example,85,17"),
        (CANVAS, "example,1,,9", "example,1,42.5,9"),
    ],
)
def test_a_roster_keeps_its_form(text: str, was: str, filled: str, tmp_path: Path) -> None:
    """All that changes is the student's cell: its points, as a share of the maximum that the roster states, and in a
    worksheet the comment; other rows, line ends and the byte order mark are as they were.
    """
    given = roster(tmp_path, text).fill([replace(BOOK[0], student="ann.lee")])
    assert given.text == text.replace(was, filled, 1) and was in text
    assert not given.unmatched and given.missing == ["Ray, Bob" if text == CANVAS else "Bob Ray"]


def test_an_item_without_a_column_gets_one(tmp_path: Path) -> None:
    """At the end; in Canvas with the most points."""
    ann = replace(BOOK[2], student="ann.lee")
    lines = roster(tmp_path, CANVAS).fill([ann]).text.splitlines()
    assert [line.rpartition(",")[2] for line in lines] == ["tictactoe", "", "100", "61.3", ""]
    lines = roster(tmp_path, PARTICIPANTS).fill([ann]).text.splitlines()
    assert [line.rpartition(",")[2] for line in lines] == ["tictactoe", "61.3", ""]


@pytest.mark.parametrize(
    ("label", "names"),
    [
        ("Ann Lee_123456_assignsubmission_file_/search", "Ann Lee"),
        ("leeann_123456_987654_search", "Ann Lee"),
        ("LATE/lee-ann", "Ann Lee"),
        ("s0812", "Ann Lee"),
        ("ann.lee@uni.example", "Ann Lee"),
        ("ann.lee", "Ann Lee"),
        ("hw1_bob_final", "Bob Ray"),
        ("Jürgen Müller/x", "Jürgen Müller"),
        ("mueller_juergen", "Jürgen Müller"),
        ("ann", ""),  # a first name alone is nobody's
        ("search (2)", ""),
        ("bobby", ""),
        ("joann.lee", ""),
        ("s0812 bob", "Ann Lee, Bob Ray"),
        ("Ann Lee_123457_assignsubmission_file_/search", "Ann Lee, Bob Ray"),
        ("Kim Roe", "Kim Roe, Kim Roe"),
        ("Kim Roe_5002", "Kim Roe"),
    ],
)
def test_whose_a_file_is(label: str, names: str, tmp_path: Path) -> None:
    """By id, address or name, all that are there; two students where they contradict each other, or fit both."""
    more = "2,Jürgen Müller,,jm@uni.example\n5001,Kim Roe,,kr1@uni.example\n5002,Kim Roe,,kr2@uni.example\n"
    made = roster(
        tmp_path,
        "Identifier,Full name,ID number,Email address\nParticipant 123456,Ann Lee,s0812,ann.lee@uni.example\n"
        f"Participant 123457,Bob Ray,s0813,bob@uni.example\n{more}",
    )
    assert ", ".join(each.name for each in made.find_students(label)) == names


def test_what_is_nobodys_is_said(tmp_path: Path) -> None:
    """Unmatched, matched twice, and two of one student: a sentence each, and no cell is filled."""
    made = roster(tmp_path, WORKSHEET)
    given = made.fill([Entry(name, "x", 1, 1) for name in ("zoe", "s0812_bob", "s0812", "ann.lee")])
    assert given.text == WORKSHEET and given.missing == ["Bob Ray"]
    assert [each.partition(":")[0] for each in given.unmatched] == [
        "zoe has no id, address or name of the roster.",
        "s0812_bob may be Ann Lee or Bob Ray",
        "s0812 and ann.lee are all of Ann Lee",
    ]
    with pytest.raises(pg.BadInput, match="no header of Moodle's or Canvas's exports"):
        roster(tmp_path, "a,b\n1,2\n")
    with pytest.raises(pg.BadInput, match="no text in UTF-8"):
        (tmp_path / "roster.csv").write_bytes("Vollständiger Name\n".encode("latin-1"))
        read_roster(tmp_path / "roster.csv")


def test_no_name_of_a_roster_is_a_formula(tmp_path: Path) -> None:
    """Names are written by students; dates and phone numbers are not touched."""
    text = "Full name,Email address,Phone\n=1+1,a@b.example,+49\n"
    assert "\n'=1+1,a@b.example,+49," in roster(tmp_path, text).fill([Entry("a", "x", 1, 1)]).text


def test_what_a_student_is_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the file in the folder of the class, or the last file of a command; a search of ours by its name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ann.pl").write_text("", encoding="utf-8")
    (tmp_path / "class").mkdir()
    called = [
        student_of(each, ["class"])
        for each in ("class/b/bob.py:search", "program:swipl ann.pl x", "program:./ann", "alphabeta")
    ]
    assert called == ["b/bob", "ann", "program:./ann", "alphabeta"]


@pytest.mark.process
def test_a_class_is_graded_into_a_roster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one command, and by gradebooks of several; each prints who is not there."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "class" / "Ann Lee_123456_assignsubmission_file_"
    folder.mkdir(parents=True)
    (folder / "search.py").write_text(NO_CUTS, encoding="utf-8")
    (tmp_path / "class" / "zoe.py").write_text(ALPHABETA, encoding="utf-8")
    (tmp_path / "roster.csv").write_text(WORKSHEET, encoding="utf-8")
    done = ran(["grade", "class", "--roster", "roster.csv", "--out", "import.csv"])
    assert done.exit_code == 1 and "zoe has no id" in done.stderr and "1 student of the roster" in done.stderr
    assert ",18,20.00," in (tmp_path / "import.csv").read_text(encoding="utf-8")
    assert ran(["grade", "class", "--csv", "--item", "week 3", "--out", "a.csv"]).exit_code == 1
    (tmp_path / "b.csv").write_text(entries_csv([Entry("s0812", "tictactoe", 50, 100)]), encoding="utf-8")
    joined = ran(["gradebook", "a.csv", "b.csv"]).stdout
    assert joined.startswith("student,item,points") and joined.count("student,item") == 1 and "week 3: cuts" in joined
    done = ran(["gradebook", "a.csv", "b.csv", "--roster", "roster.csv", "--item", "tictactoe"])
    assert done.exit_code == 0 and ",10,20.00," in done.stdout
    assert ran(["gradebook", "a.csv", "--item", "x"], standalone=False).exception is not None


# -- Gradescope -------------------------------------------------------------------------------------------------------

VISIBILITY = {"enum": ["visible", "hidden", "after_due_date", "after_published"]}
FORMAT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
RESULTS: dict[str, Any] = {
    "type": "object",
    "anyOf": [{"required": ["score"]}, {"required": ["tests"]}],
    "additionalProperties": False,
    "properties": {
        "score": {"type": "number"},
        "execution_time": {"type": "number"},
        "output": {"type": "string"},
        "output_format": FORMAT,
        "test_output_format": FORMAT,
        "test_name_format": FORMAT,
        "visibility": VISIBILITY,
        "stdout_visibility": VISIBILITY,
        "extra_data": {"type": "object"},
        "leaderboard": {"type": "array"},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    "score": {"type": "number"},
                    "max_score": {"type": "number"},
                    "status": {"enum": ["passed", "failed"]},
                    "name": {"type": "string"},
                    "name_format": FORMAT,
                    "number": {"type": "string"},
                    "output": {"type": "string"},
                    "output_format": FORMAT,
                    "tags": {"type": "array", "items": {"type": "string"}},
                    "visibility": VISIBILITY,
                    "extra_data": {"type": "object"},
                },
            },
        },
    },
}
"""`results.json` as Gradescope describes it: a key of another name would be a slip."""


def valid_results(text: str) -> dict[str, Any]:
    """Results, held to the schema; the scores of the tests are the score."""
    found: dict[str, Any] = json.loads(text)
    Draft202012Validator(RESULTS).validate(found)
    assert sum(test["score"] for test in found["tests"]) == found["score"]
    return found


def test_results_for_gradescope() -> None:
    """A test for each criterion, with what cost its points; the trees in the output of all."""
    assert not Draft202012Validator(RESULTS).is_valid({"tests": [{"max": 3}]})
    found = valid_results(gradescope.results(pg.grade("alphabeta")))
    assert found["score"] == 100 and {test["status"] for test in found["tests"]} == {"passed"}
    names: dict[str, Any] = {}
    exec(NO_CUTS, names)
    found = valid_results(gradescope.results(pg.grade(names["search"])))
    assert found["score"] == 90 and "yours" in found["output"].lower()
    assert all(bool(test["output"]) == (test["score"] < test["max_score"]) for test in found["tests"])
    found = valid_results(
        gradescope.results(forms.report(refusal_grade("x", "It has no search.", criteria_of("minimax"))))
    )
    assert found["score"] == 0 and sum(test["max_score"] for test in found["tests"]) == 75
    assert "It has no search." in found["output"]


@pytest.mark.process
@pytest.mark.parametrize(
    ("word", "files", "score", "said"),
    [
        ("search.py", {"search.py": ALPHABETA}, 100, "No mistake"),
        (".", {"mine.py": NO_CUTS, "notes.txt": "", "helper.py": ""}, 90, "goes on"),
        (".", {"a.py": ALPHABETA, "b.py": ALPHABETA}, 0, "Several files have a function search: a.py, b.py."),
        (".", {"notes.txt": ""}, 0, "Handed in: notes.txt."),
        ("search.py", {"other.py": ALPHABETA}, 0, "search.py"),
    ],
)
def test_the_autograder_runs_where_gradescope_unpacks_it(
    word: str, files: dict[str, str], score: int, said: str, tmp_path: Path
) -> None:
    """The zip has both scripts at its root; the second grades what lies in `submission`, whatever that is."""
    home, zipped = tmp_path / "autograder", tmp_path / "a.zip"
    done = ran(["grade", word, "--exercise", "alphabeta", "--autograder", f"{zipped}"])
    assert done.exit_code == 0, done.output
    (home / "submission").mkdir(parents=True)
    for name, text in files.items():
        (home / "submission" / name).write_text(text, encoding="utf-8")
    with ZipFile(zipped) as made:
        assert [(each.filename, each.external_attr >> 16 & 0o111) for each in made.infolist()] == [
            ("setup.sh", 0o111),
            ("run_autograder", 0o111),
        ]
        made.extractall(home / "source")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for script in ("setup.sh", "run_autograder"):
        subprocess.run(["bash", "-n", home / "source" / script], check=True)
    environment = os.environ | {"AUTOGRADER": f"{home}", "PATH": path}
    done_there = subprocess.run(["bash", home / "source" / "run_autograder"], env=environment, capture_output=True)
    assert done_there.returncode == 0, done_there.stderr
    found = valid_results((home / "results" / "results.json").read_text(encoding="utf-8"))
    assert found["score"] == score and said in found["output"], found["output"]
    assert sum(test["max_score"] for test in found["tests"]) == 100


@pytest.mark.process
def test_an_autograder_grades_by_the_lecturers_points(tmp_path: Path) -> None:
    """Weights lie in the zip; the kind of cuts is in its command."""
    (tmp_path / "points.toml").write_text('"cuts" = 40\n', encoding="utf-8")
    words = ["--exercise", "alphabeta", "--cut", "equal", "--weights", f"{tmp_path / 'points.toml'}"]
    done = ran(["grade", "mine.py", *words, "--autograder", f"{tmp_path / 'a.zip'}"])
    assert done.exit_code == 0, done.output
    home = tmp_path / "autograder"
    (home / "submission").mkdir(parents=True)
    (home / "submission" / "mine.py").write_text(NO_CUTS, encoding="utf-8")
    with ZipFile(tmp_path / "a.zip") as made:
        made.extractall(home / "source")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"AUTOGRADER": f"{home}", "PATH": path}
    subprocess.run(["bash", home / "source" / "run_autograder"], env=environment, check=True)
    found = json.loads((home / "results" / "results.json").read_text(encoding="utf-8"))
    assert {test["name"]: test["max_score"] for test in found["tests"]}["cuts"] == 40
    assert "--cut equal" in (home / "source" / "run_autograder").read_text(encoding="utf-8")


def test_an_autograder_brings_its_wheel(tmp_path: Path) -> None:
    """A wheel that is named is in the zip, and the options are those of the command."""
    with ZipFile(tmp_path / "plyground-9-py3-none-any.whl", "w") as wheel:
        wheel.writestr("plyground/__init__.py", "")
    words = ["--wheel", f"{tmp_path}/plyground-9-py3-none-any.whl", "--most-nodes", "tictactoe 9 3000", "--seed", "3"]
    assert ran(["grade", "a b.py", *words, "--autograder", f"{tmp_path / 'a.zip'}"]).exit_code == 0
    with ZipFile(tmp_path / "a.zip") as made:
        assert made.read("plyground-9-py3-none-any.whl") == (tmp_path / "plyground-9-py3-none-any.whl").read_bytes()
        assert "grade 'a b.py' --most-nodes 'tictactoe 9 3000' --seed 3 --grad" in made.read("run_autograder").decode()
    done = ran(["grade", "a.py", "--csv", "--autograder", f"{tmp_path / 'a.zip'}"], standalone=False)
    assert "Ask for one form" in str(done.exception)


@pytest.mark.process
def test_the_workflow_for_github_classroom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The document's YAML is a workflow whose steps name each other; its command fails unless all points are there."""
    document = (Path(__file__).parent.parent / "docs" / "teaching.md").read_text(encoding="utf-8")
    [text] = re.findall(r"```yaml\n(.*?)```", document, re.DOTALL)
    [job] = yaml.safe_load(text)["jobs"].values()
    graders = [step for step in job["steps"] if "command-grader" in step.get("uses", "")]
    [reporter] = [step for step in job["steps"] if "grading-reporter" in step.get("uses", "")]
    assert [step["id"] for step in graders] == reporter["with"]["runners"].split(",")
    assert {f"{step['id'].upper()}_RESULTS" for step in graders} == reporter["env"].keys()
    monkeypatch.chdir(tmp_path)
    for program, code in ((ALPHABETA, 0), (NO_CUTS, 1)):
        (tmp_path / "search.py").write_text(program, encoding="utf-8")
        assert ran(shlex.split(graders[0]["with"]["command"])[1:]).exit_code == code


# -- notebooks --------------------------------------------------------------------------------------------------------


def test_a_function_of_a_cell_is_graded() -> None:
    """By itself, without a file; its report is a table with trees, and no command that would not find it."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(NO_CUTS, "<ipython-input-1>", "exec"), names)
    graded = pg.grade(names["search"], exercise="alphabeta")
    assert (graded.points, graded.score) == (90, "90 of 100") and str(graded) == graded.text
    shown = graded._repr_html_()
    assert "<table" in shown and "data:image/svg+xml" in shown and "--algorithm minimax" in shown
    assert "--algorithm search" not in graded.text and "with your rights" not in graded.text
    for search, exercise in ((len, ""), (names["search"], "both")):
        with pytest.raises(pg.BadInput):
            pg.grade(search, exercise=exercise)


def test_json_is_a_list_of_one_too() -> None:
    """One form for one search and many, as programs want it."""
    one = pg.grade("minimax")
    assert [each["points"] for each in json.loads(forms.as_json([one]))] == [75]
    assert len(json.loads(forms.as_json([one, one]))) == 2
    assert next(csv.reader(io.StringIO(entries_csv(forms.entries([one], ["a"], "search")))))[0] == "student"
