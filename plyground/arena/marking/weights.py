"""Criteria of a mark and their weights."""

from collections.abc import Collection, Iterable, Mapping
from math import isfinite

from plyground.arena.results import Entrant
from plyground.errors import BadInput

MARK_WEIGHTS: Mapping[str, float] = {
    "never_loses": 30.0,
    "kept_values": 20.0,
    "random": 10.0,
    "alphabeta:depth=2": 15.0,
    "perfect": 15.0,
    "time": 5.0,
    "conduct": 5.0,
}
"""The weights by default. Each that is no criterion of `CRITERIA_TEXTS` is an opponent's spec."""
CRITERIA_TEXTS: Mapping[str, str] = {
    "never_loses": "Never loses, whatever the opponent does",
    "kept_values": "Games without a move that gave a win or a draw away",
    "time": "Games not lost by being late or silent",
    "conduct": "Games not lost by an illegal move, a crash or unreadable output",
}


NOT_A_STUDENT = " (opponent)"
"""Suffix for the name of a fixed opponent that has the same name as a student."""


def weights_with(changed: Mapping[str, float]) -> dict[str, float]:
    """The weights, some of them changed; those of 0 are left out.

    Raises:
        BadInput: a weight is below 0, or all are 0.
    """
    # Changed ones replace single weights: a file names only what differs.
    weights = {**MARK_WEIGHTS, **changed}
    for name, weight in weights.items():
        if not (weight >= 0 and isfinite(weight)):
            raise BadInput(f"The weight of {name} is {weight:g}: weights are 0 or more.")
    if not any(weights.values()):
        raise BadInput("All weights are 0: at least one criterion counts.")
    return {name: float(weight) for name, weight in weights.items() if weight}


def weights_in(texts: Iterable[str]) -> dict[str, float]:
    """Weights from texts such as `never_loses=40` or `alphabeta:depth=3=20`.

    Raises:
        BadInput: one is no such text.
    """
    found = {}
    for text in texts:
        # The last `=`: a spec such as `alphabeta:depth=3` has its own.
        name, _, number = text.rpartition("=")
        try:
            found[name.strip()] = float(number)
        except ValueError:
            name = ""
        if not name.strip():
            raise BadInput(
                f"--weight {text}: a criterion or an opponent and its weight, as in --weight never_loses=40."
            )
    return found


def opponents_in(weights: Mapping[str, float], students: Collection[str] = ()) -> list[Entrant]:
    """The opponents that weights name, called by their specs; one whose spec is a student's name is called otherwise.

    >>> [each.name for each in opponents_in({"random": 10, "time": 5, "perfect": 5}, ["ann", "random"])]
    ['random (opponent)', 'perfect']
    """
    specs = [name for name in weights if name not in CRITERIA_TEXTS]
    return [Entrant(f"{spec}{NOT_A_STUDENT}" if spec in students else spec, spec) for spec in specs]


def is_opponent(name: str, spec: str) -> bool:
    """Whether a name is that of the fixed opponent of this spec."""
    return name.removesuffix(NOT_A_STUDENT) == spec


def criterion_text(criterion: str) -> str:
    """A criterion in words."""
    return CRITERIA_TEXTS.get(criterion, f"Points of those to be had against {criterion}")
