"""Settings of a grade: one record for the command and the grader."""

from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final

from plyground.errors import BadInput
from plyground.grading.grade import CUTS, EXERCISES, Exercise, Scheme, read_criterion_points
from plyground.grading.node_limit import node_limit
from plyground.grading.program import GAME_ASKED, ProgramTask


@dataclass(frozen=True)
class GradeSettings:
    """Settings of a grade; the fields are options of the command.

    Raises:
        BadInput: there is no such exercise, limit or rule of cuts, or the file of points is none.
    """

    exercise: Annotated[str, "minimax, alphabeta, quiescence or mcts; by default what the search's parameters say"] = ""
    most_nodes: Annotated[str, 'a limit of nodes, as "connectfour 6 5000": the game, the depth and the nodes'] = ""
    cut: Annotated[str, "where cuts are due: strict (alpha above beta), equal (or equal to it), or any of both"] = "any"
    weights: Annotated[Path | None, 'a file of points by criterion, in TOML: a line is "whole games" = 20'] = None
    game: Annotated[str, "the game that a program is asked about"] = GAME_ASKED
    to_the_end: Annotated[bool, "ask a program for exact values to the end of the game, without a depth"] = False
    seed: Annotated[int, "the seed of the random positions"] = 0

    def __post_init__(self) -> None:
        for option, text, known in (("exercise", self.exercise, EXERCISES), ("cut", self.cut, CUTS)):
            if text not in known:
                raise BadInput(f"--{option} {text}: {', '.join(filter(None, known))}.")
        _ = self.scheme

    @property
    def asked_for(self) -> Exercise:
        """The exercise."""
        return EXERCISES[self.exercise]

    @cached_property
    def scheme(self) -> Scheme:
        """The lecturer's scheme."""
        return Scheme(
            CUTS[self.cut], read_criterion_points(self.weights) if self.weights else {}, node_limit(self.most_nodes)
        )

    @property
    def task(self) -> ProgramTask:
        """The questions to a program."""
        return ProgramTask(self.game, self.to_the_end)

    def words(self, folder: str) -> list[str]:
        """The options that are not the usual ones, as words of a command; the file of points lies in a folder."""
        found: list[str] = []
        for field in fields(self):
            value = getattr(self, field.name)
            if value != field.default:
                text = f"{folder}/{value.name}" if isinstance(value, Path) else f"{value}"
                found += [f"--{field.name.replace('_', '-')}", *([] if value is True else [text])]
        return found


USUAL_SETTINGS: Final = GradeSettings()
"""The parameters of a search decide, and nothing is weighed."""
