"""Rows of a comparison for a program in any language, with the nodes that it says to have entered."""

import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import NamedTuple

from plyground.engine.run import search
from plyground.errors import BadInput
from plyground.grading.program import PROGRAM, AnsweringProgram, NoAnswer, ProgramPupil
from plyground.grading.questions import SearchQuestion
from plyground.microscope.compare import Row, mark_difference, row_of
from plyground.position import Position
from plyground.score import Score
from plyground.search.alphabeta import ALPHABETA


class NodesAlone(NamedTuple):
    """Counts of a search of which nothing is known but its nodes."""

    nodes: int
    leaves: int = 0
    cutoffs: int = 0
    first: int | None = None
    plies: int | None = None


def program_rows(spec: str, game: str, position: Position, depths: Sequence[int]) -> Iterator[Row]:
    """A row for each depth, beside minimax's value.

    Args:
        spec: `program:COMMAND`, which answers `STATE DEPTH` by `VALUE MOVE NODES`.
        game: the game's name, for a command with `{game}`.
        position: where to search from.
        depths: plies to look ahead.

    Raises:
        BadInput: the program cannot be started, gives no answer, or does not count its nodes.
    """
    with closing(AnsweringProgram(spec.removeprefix(PROGRAM), game)) as program:
        pupil = ProgramPupil(program, spec)
        for depth in depths:
            begun = time.perf_counter()
            try:
                found = pupil.answer_counting(SearchQuestion(game, position, depth))
            except NoAnswer as fault:
                raise BadInput(f"{spec}, depth {depth}: {fault}") from None
            seconds = time.perf_counter() - begun
            if found.nodes is None:
                raise BadInput(f"{spec} does not count: a third word of its answer is the positions that it entered.")
            meant = search(position, ALPHABETA, depth).score
            score = Score.of(found.value).proved_by(meant)
            row = row_of(position, spec, depth, NodesAlone(found.nodes), score, seconds)
            yield mark_difference(row, score, meant, position)
