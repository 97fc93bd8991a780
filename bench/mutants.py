"""Test of the grader by mutants: right searches with one change each, held against slow truth, then graded.

`python bench/mutants.py` writes MUTANTS.md, in some three minutes of a processor. The searches are those of the
lessons, of their answers and of `tests/right_searches.py` (`mutations.py`); truth is that of `slow_truth.py`. In
`course.py` are the mistakes that students make, chosen by hand; here are mistakes without a choice, and the names that
mistakes of the later lessons get.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from mutations import Mutant, draw_mutants, right_searches
from slow_truth import QUICK, SECONDS_EACH, THOROUGH, Fault, SearchSource, fault_at, find_false_node, find_fault

from plyground.grading import SearchGrade, grade
from plyground.timeouts import TimeLimit

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))

from wrong_lessons import WRONG_LESSONS  # noqa: E402
from wrong_searches import changed  # noqa: E402

SAMPLE = 384
"""Mutants that are tried by default, drawn by the seed."""
COSTS_NODES = ("window in", "window passed on", "cuts", "node count")
"""Criteria that a search with right answers may miss: they cost nodes."""


class Judgement(NamedTuple):
    """A mutant held against truth, and graded."""

    mutant: Mutant
    fault: Fault | None
    """A wrong answer; None where none was found."""
    grade: SearchGrade
    false_node: str = ""
    """Node of a search with right answers whose reported value is neither its value nor a bound of it; else empty."""

    @property
    def missed_criteria(self) -> tuple[str, ...]:
        """Criteria that lost points, some or all of them."""
        return tuple(mark.criterion.name for mark in self.grade.marks if mark.points < mark.criterion.points)

    @property
    def is_survivor(self) -> bool:
        """Whether it is wrong, and has all points."""
        return self.fault is not None and not self.missed_criteria and not self.grade.refused

    @property
    def loses_for_values(self) -> bool:
        """Whether it is right, at each node, and loses more points than those that only cost nodes."""
        return (
            self.fault is None and not self.false_node and any(name not in COSTS_NODES for name in self.missed_criteria)
        )

    @property
    def words(self) -> str:
        """The mutant in a line."""
        return f"`{self.mutant.name}` {self.mutant.base}, {self.mutant.kind}, `{self.mutant.change}`:"

    @property
    def head(self) -> str:
        """First sentence of the grade."""
        return self.grade.likely or "No mistake was found."


def judge(mutant: Mutant, limit: TimeLimit, tiers: Sequence[tuple[int, int]] = (QUICK, THOROUGH)) -> Judgement:
    """Hold a mutant against truth, tier by tier until it is wrong, and grade it in this process."""
    faults = (find_fault(mutant.source, limit, *tier, is_quiet=mutant.is_quiet) for tier in tiers)
    fault = next(filter(None, faults), None)
    try:
        search = SearchSource(mutant.source, limit).search()
    except Exception as refusal:  # it cannot be loaded, or has no depth
        return Judgement(mutant, fault, SearchGrade(mutant.name, (), (), f"{refusal}"))
    found = Judgement(mutant, fault, grade(search, exercise="quiescence" if mutant.is_quiet else ""))
    if found.loses_for_values:
        examples = [mark.example.question for mark in found.grade.marks if mark.example]
        asked = [(each.name, each.position.game, each.position.state, each.depth, each.window) for each in examples]
        faults = (fault_at(mutant.source, limit, *each) for each in asked)
        found = found._replace(fault=next(filter(None, faults), None))
    if not found.loses_for_values:
        return found
    return found._replace(false_node=find_false_node(mutant.source, limit, *QUICK, is_quiet=mutant.is_quiet))


# -- mistakes that are known ------------------------------------------------------------------------------------------


class Naming(NamedTuple):
    """A search with a known mistake, and what the grader calls it."""

    judgement: Judgement
    keys: tuple[str, ...]
    """Right names."""

    @property
    def key(self) -> str:
        """Name at the head of the grade; empty where it has none."""
        head = next(iter(self.judgement.grade.mistakes), None)
        return "" if head is None or head.breach is None or head.breach.mistake.is_general else head.breach.key

    @property
    def verdict(self) -> str:
        """How the mistake is named."""
        head = next(iter(self.judgement.grade.mistakes), None)
        is_right = head is not None and head.breach is not None and head.breach.key in self.keys
        return "right" if is_right else "another name" if self.key else "no name"


def known_mistakes() -> Iterator[tuple[Mutant, tuple[str, ...]]]:
    """Mutants whose mistake is known, each with its right names."""
    for name, base, changes, keys in WRONG_LESSONS:
        yield Mutant(base, "known", name, changed(right_searches()[base], changes)), keys


# -- the table --------------------------------------------------------------------------------------------------------


def row(name: str, some: Sequence[Judgement]) -> str:
    """Row of the table: some mutants in numbers."""
    silent = [each for each in some if each.fault and not each.fault.is_answer]
    wrong = [each for each in some if each.fault and each.fault.is_answer]
    right = [each for each in some if not each.fault]
    counts = (
        len(some),
        len(silent),
        len(wrong),
        sum(bool(each.fault and each.fault.is_kept) for each in wrong),
        sum(not each.is_survivor for each in wrong),
        sum(each.is_survivor for each in wrong),
        len(right),
        sum(bool(each.false_node) for each in right),
        sum(bool(each.missed_criteria) and not each.loses_for_values and not each.false_node for each in right),
        sum(each.loses_for_values for each in right),
    )
    return f"| {name} | {' | '.join(f'{count:,}' for count in counts)} |"


COLUMNS = (
    "made", "no answer", "wrong", "kept", "lose points", "survive", "right", "false inside", "for nodes", "for values",
)  # fmt: skip
HEADS = f"{' | '.join(COLUMNS)} |\n|---{'|--:' * len(COLUMNS)}|"
"""Rest of a table's head, and the line below it."""


def tables(found: Sequence[Judgement], named: Sequence[Naming]) -> list[str]:
    """The tables in Markdown."""
    lines = [f"| search | {HEADS}"]
    for base in right_searches():
        lines.append(row(base, [each for each in found if each.mutant.base == base]))
    lines += [row("**all**", found), "", f"| change | {HEADS}"]
    for kind, _ in Counter(each.mutant.kind for each in found).most_common():
        lines.append(row(kind, [each for each in found if each.mutant.kind == kind]))
    lines += ["", "## Survivors", "", *SURVIVING, ""]
    for each in found:
        if each.fault and each.is_survivor:
            lines.append(f"- {each.words} {each.fault.words}.")
    lines += ["", "## Right searches that lose points for values", ""]
    for each in found:
        if each.loses_for_values:
            lines.append(f"- {each.words} {', '.join(each.missed_criteria)}: {each.head}")
    lines += ["", "## Names", "", *NAMING, ""]
    counts = Counter(each.verdict for each in named)
    lines += [", ".join(f"{counts[each]} {each}" for each in ("right", "another name", "no name")) + ".", ""]
    lines += ["| mistake | search | points | name | |", "|---|---|--:|---|---|"]
    for naming in named:
        one = naming.judgement
        points = f"{one.grade.points} of {one.grade.possible}"
        cells = one.mutant.change, one.mutant.base, points, one.head.partition(":")[0], naming.verdict
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def write_files(folder: Path, found: Sequence[Judgement], named: Sequence[Naming]) -> None:
    """Write each search that the grader judges wrongly as a file of its own, with its fault in the first lines."""
    for kind, verdict, some in (
        ("survivors", "wrong", [each for each in found if each.is_survivor]),
        ("survivors", "right", [each for each in found if each.loses_for_values]),
        ("misnamed", "no_name", [each.judgement for each in named if each.verdict == "no name"]),
        ("misnamed", "another_name", [each.judgement for each in named if each.verdict == "another name"]),
    ):
        (folder / kind).mkdir(parents=True, exist_ok=True)
        for each in some:
            fault = each.fault.words if each.fault else "right"
            points = f"{each.grade.points} of {each.grade.possible}"
            head = f"# {each.words} {fault}\n# {points}: {each.head} {each.missed_criteria}\n"
            (folder / kind / f"{verdict}_{each.mutant.name}.py").write_text(head + each.mutant.source, "utf-8")


INTRODUCTION = [
    "Written by `python bench/mutants.py`. Right searches of lessons 2 to 17, of their answers and of",
    "`tests/right_searches.py` are changed in one place of the syntax tree each. Whether a mutant is wrong is found",
    "out without the grader: its values and moves are held against minimax without a memory, in games that the grader",
    "does not ask about, each game in one instance, so that a table stays from question to question. Then each mutant",
    "is graded. *No answer*: it fails or does not end. *Wrong*: a value or a move is wrong; *kept*: only after other",
    "questions, by what the search keeps. Right ones may lose points *for nodes*: windows, cuts and node count. *False",
    "inside*: the answers are right, and a node reports a value that is neither its own nor a bound for its window.",
    "The truth about lesson 17's search is minimax with the value of the lesson's `calm` at its leaves.",
]
SURVIVING = ["Wrong searches with all points: what was changed, and where it shows."]
NAMING = [
    "Searches of `tests/wrong_lessons.py`, in which the mistake is known because it was put there: whether the first",
    "sentence of the grade names it. A sentence that fits whatever breaks the law is no name.",
]


def main() -> None:
    """Try mutants, and write the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sample", type=int, default=SAMPLE, help="mutants that are tried, as many of each search")
    parser.add_argument("--seed", type=int, default=2, help="seed of the sample")
    parser.add_argument("--files", type=Path, help="folder for each search that the grader judges wrongly")
    parser.add_argument("--out", type=Path, default=HERE / "MUTANTS.md", help="file of the tables")
    wanted = parser.parse_args()
    begun = time.process_time()
    with TimeLimit(SECONDS_EACH) as limit:
        named = [Naming(judge(mutant, limit), keys) for mutant, keys in known_mistakes()]
        found = [judge(mutant, limit) for mutant in draw_mutants(wanted.sample, wanted.seed)]
    if wanted.files:
        write_files(wanted.files, found, named)
    spent = f"{len(found):,} mutants by seed {wanted.seed}, in {time.process_time() - begun:,.0f} CPU seconds."
    lines = ["# The grader under mutants", "", *INTRODUCTION, "", spent, "", *tables(found, named)]
    wanted.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
