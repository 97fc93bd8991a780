"""Notes beside the moves of a game: the time of each, the clock, and its player's evaluation."""

from dataclasses import dataclass
from typing import NamedTuple

from plyground.score import ESTIMATES, Score

POINTS_OF_SHARE = 200
"""Points of a share of 1 above one of 0, as UCI has it in hundredths."""


@dataclass(frozen=True)
class MoveEvaluation:
    """Evaluation that a player gave of the move it chose."""

    score: Score
    """Score, good for the first player where positive."""
    depth: int | None = None
    """Plies that it looked ahead, in its own count; None where it does not say."""

    @property
    def points(self) -> int:
        """The score as a number for the first player, in the player's own units; a foreseen win is beyond all."""
        score = self.score.foreseen or self.score
        if score.utility is not None:
            return ESTIMATES * ((score.utility > 0) - (score.utility < 0))
        return round(POINTS_OF_SHARE * ((score.share or 0.0) - 0.5)) if score.points is None else score.points


class MoveNote(NamedTuple):
    """Note beside a move: its time, the clock, and the evaluation of its player."""

    seconds: float
    """Seconds by the wall clock."""
    left: float | None = None
    """Seconds that are left on the mover's clock; None without a clock."""
    evaluation: MoveEvaluation | None = None
    """Evaluation that its player gave; None if it gave none."""

    def text(self) -> str:
        """A word; `note_of` reads it.

        >>> MoveNote(0.25, None, MoveEvaluation(Score(points=35), 12)).text()
        '0.25,,p35,12'
        """
        words = [f"{self.seconds:.3g}", "" if self.left is None else f"{self.left:.6g}"]
        if self.evaluation:
            depth = self.evaluation.depth
            words += [_score_word(self.evaluation.score), "" if depth is None else str(depth)]
        # Short, because a database has one such word for each move: trailing empty fields are left out.
        return ",".join(words).rstrip(",")


def note_of(word: str) -> MoveNote:
    """The note that a word of `MoveNote.text` means."""
    seconds, left, score, depth, *_ = [*word.split(","), "", "", ""]
    evaluation = MoveEvaluation(_score_of(score), int(depth) if depth else None) if score else None
    return MoveNote(float(seconds), float(left) if left else None, evaluation)


def _score_word(score: Score) -> str:
    if score.points is not None:
        return f"p{score.points}"
    if score.share is not None:
        return f"s{score.share:.4g}"
    return f"u{score.utility}{'+' if score.bound else ''}" + ("" if score.plies is None else f"/{score.plies}")


def _score_of(word: str) -> Score:
    kind, rest = word[0], word[1:]
    if kind == "p":
        return Score(points=int(rest))
    if kind == "s":
        return Score(share=float(rest))
    utility, _, plies = rest.partition("/")
    return Score(int(utility.rstrip("+")), int(plies) if plies else None, utility.endswith("+"))
