"""Notes beside the moves of a game: the time of each, the clock, and what its player said of it."""

from dataclasses import dataclass
from typing import NamedTuple

from plyground.score import ESTIMATES, Score

OF_SHARE = 200
"""Points of a share of 1 above one of 0, as UCI has it in hundredths."""


@dataclass(frozen=True)
class Said:
    """What a player said of the move that it chose, by its own account."""

    score: Score
    """From the first player's side."""
    depth: int | None = None
    """Plies that it looked ahead, in its own count; None where it does not say."""

    @property
    def points(self) -> int:
        """The score as a number for the first player, in the player's own units; a foreseen win is beyond all."""
        score = self.score
        if score.utility is not None:
            return ESTIMATES * ((score.utility > 0) - (score.utility < 0))
        return round(OF_SHARE * ((score.share or 0.0) - 0.5)) if score.points is None else score.points


class MoveNote(NamedTuple):
    """What is noted beside a move."""

    seconds: float
    """What it took, of the wall."""
    left: float | None = None
    """Seconds that are left on the mover's clock; None without a clock."""
    said: Said | None = None
    """What its player said of it; None where it says nothing."""

    def text(self) -> str:
        """A word; `note_of` reads it.

        >>> MoveNote(0.25, None, Said(Score(points=35), 12)).text()
        '0.25,,p35,12'
        """
        words = [f"{self.seconds:.3g}", "" if self.left is None else f"{self.left:.6g}"]
        if self.said:
            words += [_score_word(self.said.score), "" if self.said.depth is None else str(self.said.depth)]
        return ",".join(words).rstrip(",")


def note_of(word: str) -> MoveNote:
    """The note that a word of `MoveNote.text` means."""
    seconds, left, score, depth, *_ = [*word.split(","), "", "", ""]
    said = Said(_score_of(score), int(depth) if depth else None) if score else None
    return MoveNote(float(seconds), float(left) if left else None, said)


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
