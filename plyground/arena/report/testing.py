"""An SPRT in the words of engine authors, as the terminal, the page and the report show it."""

from dataclasses import dataclass

from plyground.arena.report.standings import Standings
from plyground.arena.report.wording import copies_text, lead_text, los_text, points_text
from plyground.arena.statistics.rating import Duel
from plyground.arena.statistics.sprt import SPRT, Decision, Pentanomial
from plyground.arena.statistics.tally import Against


@dataclass(frozen=True)
class TestStand:
    """State of a test of two players: the same numbers that fastchess, cutechess and fishtest print."""

    test: SPRT
    names: tuple[str, str]
    met: Against
    """Their games, seen by the first."""
    found: Duel | None
    """Estimate of the first against the second, from their games without copies; None without games."""
    llr: float
    """The log-likelihood ratio, H1 against H0."""
    decision: Decision | None

    @property
    def pentanomial(self) -> Pentanomial:
        """Numbers of pairs that brought the first 0, 1/2, 1, 3/2 and 2 points, without copies of earlier pairs."""
        return self.met.pentanomial

    @property
    def copies(self) -> str:
        """Sentence on pairs or games that are copies; empty without any."""
        return copies_text(self.met.evidence.copies, self.met.evidence.lone_copies)

    @property
    def brief(self) -> str:
        """The state in one line, while it runs: `LLR +1.20 (−2.94, 2.94) [0, 5], Elo +5.1 ± 7.2`."""
        elo = f", Elo {lead_text(self.found)}" if self.found else ""
        decided = f", {self.decision} accepted" if self.decision else ""
        return f"LLR {llr_text(self.llr)} {self._bounds}{elo}{decided}{', ' if self.copies else ''}{self.copies}"

    @property
    def lines(self) -> list[str]:
        """The state in sentences."""
        test, (one, other) = self.test, self.names
        ended = f"{self.decision} accepted" if self.decision else "not decided yet"
        said = [
            f"SPRT of {one} against {other}, in {test.units}, alpha {test.alpha:g}, beta {test.beta:g}: "
            f"LLR {llr_text(self.llr)} {self._bounds}, {ended}."
        ]
        if found := self.found:
            spread = (
                "" if found.normalised is None else f"normalised Elo {found.normalised:+.1f} ± {found.margin:.1f}; "
            )
            said.append(f"Elo {lead_text(found)}; {spread}LOS {los_text(found.superiority)}.".replace("-", "−"))
        met, pairs = self.met, " ".join(str(count) for count in self.pentanomial)
        alone = f"; games in no pair: {met.alone}" if met.alone else ""
        said.append(
            f"{met.games:,} games, +{met.wins:,} ={met.draws:,} −{met.losses:,}, {points_text(met.points)} points; "
            f"pairs with 0, ½, 1, 1½ and 2 points: {pairs}{alone}."
        )
        if self.copies:
            said.append(f"{self.copies}; they are in none of these numbers but the games and points.")
        return said

    @property
    def _bounds(self) -> str:
        low, high = self.test.bounds
        return f"({low:.2f}, {high:.2f}) [{self.test.elo0:g}, {self.test.elo1:g}]".replace("-", "−")

    def record(self) -> dict[str, object]:
        """The state as plain values, for JSON."""
        test, found = self.test, self.found
        return {
            "elo0": test.elo0,
            "elo1": test.elo1,
            "alpha": test.alpha,
            "beta": test.beta,
            "model": test.model,
            "llr": self.llr,
            "bounds": list(test.bounds),
            "pentanomial": list(self.pentanomial),
            "copies": self.met.evidence.copies,
            "decision": self.decision,
            "elo": found and found.elo,
            "low": found and found.low,
            "high": found and found.high,
            "normalised": found and found.normalised,
            "margin": found and found.margin,
            "los": found and found.superiority,
        }


def llr_text(llr: float) -> str:
    """A log-likelihood ratio with its sign and two digits."""
    return f"{llr:+.2f}".replace("-", "−")


def stand_of_test(test: SPRT, first: str, second: str, table: Standings) -> TestStand:
    """State of a test of two players after the games they have played."""
    met = table.cross.get((first, second), Against())
    # From the table's games, so that a stored arena is worded like a running one.
    counts = met.evidence.pentanomial
    found = table.duel(first, second)
    return TestStand(test, (first, second), met, found, test.llr(counts), test.decision(counts))
