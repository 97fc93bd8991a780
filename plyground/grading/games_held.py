"""Games that a graded search plays against every reply: it must not lose one."""

from typing import Final, NamedTuple, Protocol

from plyground.errors import BadInput
from plyground.games import game_named
from plyground.grading.questions import SearchQuestion
from plyground.laws.searches.games import cache_rules
from plyground.microscope.wording import WORDING
from plyground.play.audit import audit
from plyground.play.ending import Ending
from plyground.play.player import Failed, Player
from plyground.position import Position


class Answering(Protocol):
    """A search that is graded, as far as games need it."""

    @property
    def name(self) -> str:
        """Name, as on the command line."""
        ...

    def answer(self, question: SearchQuestion) -> tuple[int, int] | None:
        """Answer to a question; None where it is none."""


class HeldGame(NamedTuple):
    """One game, from a position from which good play does not lose."""

    name: str
    start: str
    seat: int
    """Side of the search: 0 for x, 1 for o."""
    depth: int
    """Plies that it looks ahead: to the end of the game."""

    @property
    def question(self) -> SearchQuestion:
        """The first search of the game, if the search moves first."""
        return SearchQuestion(self.name, Position.parse(cache_rules(game_named(self.name)), self.start), self.depth)


GAMES_HELD: Final = (
    HeldGame("tictactoe", "b2 a1 c3", 1, 6),
    HeldGame("nim:1/2/2", "", 0, 5),
    HeldGame("dotsandboxes:1,2", "", 1, 7),
)
"""Three games: one that is drawn, one that is won, and one in which a player moves again."""


class GradedPlayer(Player):
    """The search at a fixed depth, as plain Python, without a clock.

    It is asked once in each position, so that one that draws lots among equal moves plays one of its games.
    """

    def __init__(self, pupil: Answering, name: str, depth: int) -> None:
        self.pupil: Answering = pupil
        self.answers: dict[str, tuple[int, int] | None] = {}
        self.spec: str = name
        self.depth: int = depth
        self.name: str = f"{pupil.name}:depth={depth}"

    def choose(self, position: Position, seconds: float | None) -> int:
        # One answer for each position, as an audit needs: else a search that draws lots would fail for that alone.
        if position.text not in self.answers:
            # Without the moves before: the question is about the state alone, as in all other criteria.
            question = SearchQuestion(self.spec, Position(position.game, position.state), self.depth)
            self.answers[position.text] = self.pupil.answer(question)
        answer = self.answers[position.text]
        if answer is None:
            raise Failed("it gives no answer", Ending.SILENT)
        try:
            return position.legal(answer[1])
        except BadInput:
            raise Failed(f"its move {answer[1]} is not legal", Ending.ILLEGAL) from None


class GameLost(NamedTuple):
    """A game that a search has not held."""

    question: SearchQuestion
    """Its first search."""
    sentence: str
    """The first lost game in a sentence."""
    is_answered: bool
    """Whether a move lost it; else no answer came."""


def game_lost(pupil: Answering, held: HeldGame) -> GameLost | None:
    """Play a game against every reply. Returns its loss; None where the search never loses it."""
    question, player = held.question, GradedPlayer(pupil, held.name, held.depth)
    # Not explained: the first lost game is shown as it is, and a search for better moves would take seconds.
    found = audit(held.name, question.position, held.seat, lambda: player, explained=False)
    if found.verdict == "never loses":
        return None
    name = f"{held.name} as {'xo'[held.seat]}"
    if not found.losses:
        return GameLost(question, f"{name}: {found.sentence}", True)
    moves = " ".join(found.losses[0].moves)
    if all(loss.ending is Ending.SILENT for loss in found.losses):
        where = WORDING.after.format(moves=moves) if moves else WORDING.root
        return GameLost(question, f"{name}: it gives no answer {where}.", False)
    return GameLost(question, f"{name}, {found.lost:,} of {found.games:,} games lost: {moves}.", True)
