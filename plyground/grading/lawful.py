"""Check of a search against its laws, in the questions of a grade."""

from collections.abc import Callable
from dataclasses import dataclass

from plyground.errors import BadInput
from plyground.grading.forms import seen_words
from plyground.grading.grade import Counterexample, graded_by_laws
from plyground.laws.searches.mistakes import SEARCH_LAWS
from plyground.search import algorithm_named


@dataclass(frozen=True)
class SearchVerdict:
    """Result of a check."""

    searches: int
    """Number of questions asked."""
    nodes: int
    """Number of nodes whose events were checked."""
    broken: tuple[Counterexample, ...]
    """For each law that is broken the likely mistake, where it shows in the smallest search that was found."""

    @property
    def ok(self) -> bool:
        """Whether every law holds in all searches."""
        return not self.broken


def check_search(search: str, seed: int = 0, on_question: Callable[[], None] | None = None) -> SearchVerdict:
    """Hold a search against the laws of `SEARCH_LAWS`, at every event.

    Args:
        search: `path/to/file.py:function`, or the name of a search of plyground.
        seed: of the random positions.
        on_question: called after each question.

    Raises:
        BadInput: there is no such search, or nothing is known of its nodes.
    """
    algorithm = algorithm_named(search)
    if not algorithm.is_recorded:
        raise BadInput(f"{algorithm.name} has no tree with one value at each node, so its events have no laws.")
    asked, mistakes = graded_by_laws(algorithm, seed, on_question)
    # Reversed: the likeliest mistake of each law is written last, and stays.
    laws = {each.breach.law: each for each in reversed(mistakes) if each.breach}
    broken = [laws[law] for law in SEARCH_LAWS if law in laws]
    return SearchVerdict(len(asked), sum(each.nodes for each in asked), tuple(broken))


def broken_words(example: Counterexample) -> str:
    """A broken law in a sentence: the likely mistake, the evidence, and the command that shows it."""
    assert example.breach is not None
    seen = f" {seen_words(example)}" if example.breach.seen else ""
    return f"{example.breach.words}{seen} ({example.question.command})"
