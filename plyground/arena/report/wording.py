"""The numbers of an arena in words, as every table shows them."""

from collections.abc import Mapping, Sequence

from plyground.arena.results import Played
from plyground.arena.statistics.rating import Duel
from plyground.arena.statistics.sprt import SPRT, Decision
from plyground.arena.statistics.tally import Blunders
from plyground.play.ending import Ending


def signed_text(number: float) -> str:
    """A whole number with its sign: `+12`, `−3`, `0`."""
    whole = round(number)
    return f"+{whole}" if whole > 0 else f"−{-whole}" if whole else "0"


def points_text(points: float) -> str:
    """`7½`."""
    whole = f"{int(points):,}" if int(points) or points == int(points) else ""
    return whole + ("½" if points != int(points) else "")


def los_text(superiority: float | None) -> str:
    """A likelihood of superiority in percent, never rounded to certainty."""
    if superiority is None:
        return ""
    # No number of games makes it certain.
    return "> 99.9 %" if superiority > 0.999 else "< 0.1 %" if superiority < 0.001 else f"{100 * superiority:.1f} %"


def share_text(count: int, of: int) -> str:
    """`7.5 %`; none and all are said only where it is none or all."""
    if count in (0, of):
        return f"{100 * count / of:.1f} %"
    return los_text(count / of)


def faults_text(faults: Mapping[Ending, int]) -> str:
    """`2 late, 1 illegal`; `1 of unknown kind` is of an earlier version."""
    words = {Ending.UNKNOWN: "of unknown kind"}
    counts = sorted(faults.items(), key=lambda each: -each[1])
    return ", ".join(f"{count} {words.get(kind, kind)}" for kind, count in counts)


def without_side(played: Played, names: Sequence[str]) -> str:
    """Words of a game's end without the name of the side at fault, so that the same fault on both sides is one."""
    return played.why if played.fault is None else played.why.removeprefix(f"{names[played.fault]} ")


def blunders_text(blunders: Blunders) -> str:
    """`3 of 40 (7.5 %)`, with ~ before the rate if some are estimates; empty if no move is judged."""
    if not blunders.moves:
        return ""
    rate = f"{'~' if blunders.opinions else ''}{share_text(blunders.given, blunders.moves)}"
    return f"{blunders.given:,} of {blunders.moves:,} ({rate})"


def games_text(done: int, planned: int | None = None) -> str:
    """`12 of 6,000 games`; without `planned` where more were played."""
    of = f" of {planned:,}" if planned is not None and done <= planned else ""
    return f"{done:,}{of} {'game' if (planned if of else done) == 1 else 'games'}"


def bound_text(elo: float) -> str:
    """A bound of an SPRT with its sign: `+5`, `−2.5`, `0`."""
    return f"{elo:+g}".replace("-", "−") if elo else "0"


def decision_text(test: SPRT, decision: Decision, first: str, second: str) -> str:
    """Decision of an SPRT in words: `H1 accepted, new is stronger than old: rather +5 than 0 normalised Elo`.

    Accepting H1 refutes a lead of elo0 or less, accepting H0 one of elo1 or more; nothing else is claimed. The bounds
    are no measurement: the lead itself is estimated beside them.
    """
    # H1 accepted refutes elo0, and says nothing for elo1: the claim is made of the bound that was refuted.
    if decision == "H1":
        accepted, refuted = test.elo1, test.elo0
        more = f"stronger than {second} by more than {refuted:g}" if refuted > 0 else f"stronger than {second}"
        claim = more if refuted >= 0 else f"not weaker than {second} by {-refuted:g} or more"
    else:
        accepted, refuted = test.elo0, test.elo1
        more = f"weaker than {second} by more than {-refuted:g}" if refuted < 0 else f"weaker than {second}"
        claim = more if refuted <= 0 else f"not stronger than {second} by {refuted:g} or more"
    rather = f"rather {bound_text(accepted)} than {bound_text(refuted)} {test.units}"
    return f"{decision} accepted, {first} is {claim}: {rather}"


def lead_text(found: Duel) -> str:
    """A lead in Elo with half its interval of 95 %, `+5.1 ± 7.2`, or its bound, `≥ +317`."""
    if found.bound:
        return f"{found.bound} {signed_text(found.low if found.bound == '≥' else found.high)}"
    return f"{found.elo:+.1f} ± {(found.high - found.low) / 2:.1f}".replace("-", "−")


def copies_text(copies: int, alone: int = 0) -> str:
    """Sentence on pairs, and games in no pair, that are copies; empty without any."""
    repeat = [
        f"1 {word} repeats an earlier one" if count == 1 else f"{count:,} {word}s repeat earlier ones"
        for word, count in (("pair", copies), ("game", alone))
        if count
    ]
    are = "is" if copies + alone == 1 else "are"
    return f"{' and '.join(repeat)} move for move and {are} no evidence" if repeat else ""
