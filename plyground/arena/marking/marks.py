"""Marks from games against fixed opponents, judged moves, and audits.

Nothing depends on who else is in the class.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from plyground.arena.marking.weights import is_opponent
from plyground.arena.results import Audited, Judged, Outcome, Played
from plyground.play.ending import TOO_LATE, Ending
from plyground.play.proof import AT_RANDOM
from plyground.score import SIDES
from plyground.text import count_text

HELD_SHARE = 0.5
"""Most that a program that loses some games gets of `never_loses`: this share, times that of the games that it can meet
and does not lose. Below 1, so that a proof is always worth more than a program that loses seldom.
"""

NEVER_MOVED = "It never made a move."


@dataclass(frozen=True)
class MarkPart:
    """Result of one criterion of a mark."""

    criterion: str
    """A key of the weights."""
    weight: float
    share: float | None
    """Share of the criterion that was reached, 0 to 1; None: left out, and the other criteria count for more."""
    why: str
    """The reason for this share, in a sentence."""


@dataclass(frozen=True)
class StudentMark:
    """The mark of a student."""

    name: str
    points: float | None
    """0 to 100; None: no mark."""
    parts: tuple[MarkPart, ...]
    """Results of the criteria; where games are still missing, by those that were played."""
    why: str = ""
    """The reason that there is no mark, or that it is 0 for a program that never made a move; else empty."""

    def part_points(self, part: MarkPart) -> float | None:
        """Points of a criterion, out of 100 for all that are not left out; None if it is left out. Where there is no
        mark yet, those of what was played so far, out of 100 for all criteria.
        """
        whole = sum(each.weight for each in self.parts if each.share is not None or self.points is None)
        return None if part.share is None or not whole else 100 * part.weight * part.share / whole


@dataclass(frozen=True)
class ClassMarks:
    """The marks of a class, with the weights and audits that they rest on."""

    weights: Mapping[str, float]
    """Weight of each criterion."""
    marks: Sequence[StudentMark]
    """Marks of the students, in the order in which they were given."""
    audits: Sequence[Audited]


def mark_student(
    name: str,
    games: Sequence[Played],
    audits: Sequence[Audited],
    weights: Mapping[str, float],
    sides: tuple[str, str] = SIDES,
) -> StudentMark:
    """The mark of a student by its games with the fixed opponents, and its audits.

    A game against an opponent counts by what was to be had in it: a draw is full points where the student never had
    a won position, and a game that was lost from the first move on counts for nothing. A game that the student lost by
    a fault of its own keeps no value.

    Args:
        name: the student.
        games: its games, the void ones too.
        audits: its audits.
        weights: how much each criterion counts.
        sides: the names of the game's sides.
    """
    # Void games are no one's fault: they neither cost nor bring points.
    counted = [(each, int(each.task.o == name)) for each in games if each.score(0) is not None]
    if not counted:
        void = next((each.why for each in games), "")
        if has_never_moved(name, games):
            parts = tuple(MarkPart(key, weight, 0.0, NEVER_MOVED) for key, weight in weights.items())
            return StudentMark(name, 0.0, parts, f"{NEVER_MOVED} {void}")
        return StudentMark(name, None, (), f"No game counts: {void or 'none has been played.'}")
    parts = tuple(
        MarkPart(key, weight, *_criterion_share(key, counted, audits, sides)) for key, weight in weights.items()
    )
    told = [each for each in parts if each.share is not None]
    whole = sum(each.weight for each in told)
    if not whole:
        return StudentMark(name, None, parts, "No criterion can be judged: " + " ".join(each.why for each in parts))
    # Normalised by the weights that are left: what cannot be judged costs no points.
    points = 100 * sum(each.weight * (each.share or 0.0) for each in told) / whole
    return StudentMark(name, round(points, 1), parts)


def has_never_moved(name: str, games: Sequence[Played]) -> bool:
    """Whether a student's program was tried and never made a move, or could not be started: in none of its games."""
    return bool(games) and all(
        each.void and (each.fault == int(each.task.o == name) or each.ending is Ending.NOT_STARTED) for each in games
    )


Seats = Sequence[tuple[Played, int]]
"""Games of a student, each with the seat that it had."""


def _criterion_share(
    criterion: str, games: Seats, audits: Sequence[Audited], sides: tuple[str, str]
) -> tuple[float | None, str]:
    """Share of a criterion that was reached, and the reason in a sentence."""
    match criterion:
        case "never_loses":
            return _mean_audit_share(audits, games, sides)
        case "kept_values":
            return _mean_share([_keeps_value(*each) for each in games], "no judged game tells it")
        case "time":
            return _share_without_faults(games, lambda ending: ending in TOO_LATE)
        case "conduct":
            return _share_without_faults(games, lambda ending: ending not in TOO_LATE)
    met = [(each, seat) for each, seat in games if is_opponent((each.task.o, each.task.x)[seat], criterion)]
    if not met:
        return None, f"No game with {criterion} counts, so this is left out."
    scores = [each.score(seat) for each, seat in met]
    had = [_share_to_be_had(*each) for each in met]
    share, said = _mean_share(had, "all of them were lost from the first move on")
    if share is not None and (lost := had.count(None)):
        said += f" Left out: {count_text(lost, 'game')} lost from the first move on."
    wins, draws, losses = (scores.count(score) for score in (1.0, 0.5, 0.0))
    return share, f"{wins} won, {draws} drawn, {losses} lost. {said}"


def _share_without_faults(games: Seats, is_meant: Callable[[Ending], bool]) -> tuple[float | None, str]:
    """Share of the games that the student did not lose by the faults that are meant; unknown ones are left out."""
    # A fault has the kind that was noted when it happened; no sentence is searched for words.
    own = [each.ending if each.fault == seat else None for each, seat in games]
    shares = [None if each is Ending.UNKNOWN else float(each is None or not is_meant(each)) for each in own]
    share, said = _mean_share(shares, "all were lost by faults of unknown kind, kept by an earlier version")
    unknown = shares.count(None)
    if share is None or not unknown:
        return share, said
    return (
        share,
        f"{said} Left out: {count_text(unknown, 'game')} lost by a fault of unknown kind, kept by an earlier version.",
    )


def _mean_share(shares: Sequence[float | None], otherwise: str) -> tuple[float | None, str]:
    """The mean of those that tell, with a sentence."""
    told = [share for share in shares if share is not None]
    if not told:
        return None, f"Left out: {otherwise}."
    whole = f"{sum(told):g}".removesuffix(".0")
    return sum(told) / len(told), f"{whole} of {len(told)}."


_FOR_OPPONENT: Mapping[Outcome, Outcome] = {"win": "loss", "draw": "draw", "loss": "win"}
"""Value of a position for a player, from the value for the opponent."""


def _own_moves(played: Played, seat: int) -> list[Judged]:
    return [each for each in played.judged or () if each.mover == seat]


def _share_to_be_had(played: Played, seat: int) -> float | None:
    """Points of a game as a share of those to be had in it; None where it was lost from the first move on, also where
    the student never moved.
    """
    # Where the student never came to move, the opponent's moves say what there was.
    score, judged = played.score(seat), _own_moves(played, seat) or played.judged or ()
    # Estimates cost no points: where a value is not certain, the score counts as it is.
    if played.fault == seat or not judged or not all(each.exact for each in judged):
        return score
    before = {each.before if each.mover == seat else _FOR_OPPONENT[each.before] for each in judged}
    if "win" in before:
        return score
    # A draw is whole where no win was ever there; a win is whole anyway.
    return None if before == {"loss"} and not score else float(bool(score))


def _keeps_value(played: Played, seat: int) -> float | None:
    """Whether no move gave value away; None where that is not judged, or there was nothing to keep."""
    if played.fault == seat:
        return 0.0
    # In a lost position no move can give anything away.
    had = [each for each in _own_moves(played, seat) if each.before != "loss"]
    return float(not any(each.is_blunder and each.exact for each in had)) if had else None


def _mean_audit_share(audits: Sequence[Audited], games: Seats, sides: tuple[str, str]) -> tuple[float | None, str]:
    shares, said = [], []
    for each in audits:
        side = "xo".index(each.side)
        share, why = _audit_share(each, [(game, seat) for game, seat in games if seat == side])
        said.append(f"As {sides[side]}: {why}")
        if share is not None:
            shares.append(share)
    if not audits:
        return None, "Left out: it is not audited."
    return (sum(shares) / len(shares) if shares else None), " ".join(said)


def _audit_share(audited: Audited, games: Seats) -> tuple[float | None, str]:
    """Share that the audit of a side reaches, 0 to 1, and a sentence why; None: left out."""
    found = audited.found
    if found is None:
        return None, f"left out, for it could not be audited: {audited.why}"
    if found.verdict == "never loses":
        return 1.0, f"proved, {found.sentence}"
    if found.verdict == "loses":
        has_failed = not all(found.replies.values())  # then it was not asked everywhere
        return (0.0 if has_failed else HELD_SHARE * (1 - found.lost / found.games)), f"{found.lost_text}."
    # A player at random proves nothing for itself, but one game that it lost proves that it can lose.
    lost = next((each for each, seat in games if _share_to_be_had(each, seat) == 0), None)
    if found.verdict == AT_RANDOM and lost:
        return 0.0, f"it plays at random, so nothing can be proved, and it lost game {lost.task.number}."
    return None, f"left out: {found.sentence}"
