"""Uses of an analysis: exercises from mistakes, an explorer of moves, other notations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field

from plyground.in_pages import in_pages
from plyground.play.notations import forms
from plyground.position import Position
from plyground.score import Score, judge_move
from plyground.web.views import models as m
from plyground.web.views.positions import move_views, position_at, score_of


class Judge(m.At):
    """Ask whether a move is right here: an exercise, answered."""

    move: m.MoveText
    opinion: m.Seconds = 2.0
    """Seconds after which an estimate is sent if there is no proof."""
    seconds: m.Seconds = 30.0
    """Further ones to look for a proof; without one it stays an opinion."""


class JudgeView(m.Model):
    """Whether a move is right."""

    right: bool
    """Whether it keeps what the position is worth; where that is not certain, whether the search would play it."""
    certain: bool
    """Whether this is proved; else it is an opinion, and `text` says so."""
    text: str
    best: list[str]
    """The moves that no other is better than."""
    line: list[str]
    """Best play from here."""
    notation: list[str]
    """`line` as players of the game write it."""


class ExploredView(m.Model):
    """A move of an explored position: its value, and the results of saved games in which a person made it."""

    move: str
    worth: m.MoveView | None
    """Exact, or null where neither the book nor the table of solved positions tells."""
    played: int
    x: int
    draws: int
    o: int
    """How many of the games x won, were drawn, and o won."""


class ExplorerView(m.Model):
    """Values of every move of a position that are known without a search."""

    moves: list[ExploredView]
    """Every legal move, the best first, then the most played."""
    games: int
    """How many of the saved games were looked through: those with a person in them that are over, the newest first."""
    source: str
    """Where the values are from, in words; empty without any."""


class WhyNot(m.At):
    """Ask why no legal move goes along some places of the board."""

    path: Annotated[list[Annotated[int, Field(ge=0, lt=10_000)]], Field(max_length=100)]
    """The places as a person points at them, by number."""


class WhyNotView(m.Model):
    """The reason that no legal move goes along some places."""

    why: str
    """The reason, in words that may follow "because"; empty where a move may go there, or no reason is known."""


class FormView(m.Model):
    """A position or game in a notation that `edit` reads."""

    name: str
    title: str
    text: str
    ending: str
    """File ending for the text."""


class FormsView(m.Model):
    """A position and the moves that led to it, in every notation there is for it."""

    forms: list[FormView]


@dataclass(frozen=True)
class JudgeWords:
    """Sentences about an answer to an exercise, also for a page that has them as data."""

    right: str = "Right."
    wrong: str = "No: it {verdict}."
    keeps: str = "Right: it keeps what the position is worth. The best is {best}."
    either: str = " or "
    named: int = 3
    """Best moves that are named, at most."""
    none_better: str = "No move is better"
    one_better: str = "Another move is better"
    opinion: str = "{said}: an opinion at depth {depth}, not a proof."
    no_time: str = "There was no time to look at {move}: allow it more seconds."
    solved_before: str = "positions that were solved here before"


JUDGE_WORDS: Final = JudgeWords()


@in_pages
def judge(here: Position, report: m.ReportView, move: str) -> JudgeView:
    """Judgement of a move, by a report on all moves."""
    mover, moves = here.to_move, report.moves
    chosen = moves[here.game.move_text(here.state, here.legal(move))]
    known = [pair for pair in zip(here.legal_texts, here.legal_notation, strict=True) if pair[0] in moves]
    best = [(text, written) for text, written in known if not moves[text].better]
    # Both scores are of one report: another search might value the position otherwise.
    verdict = judge_move(score_of(moves[best[0][0]].score), score_of(chosen.score), mover)
    certain = verdict.gave is not None
    # A proof decides where there is one: a slower win keeps the value, and is right.
    right = verdict.gave == "nothing" if certain else not chosen.better
    said = JUDGE_WORDS.none_better if right else JUDGE_WORDS.one_better
    if not certain:
        said = JUDGE_WORDS.opinion.format(said=said, depth=report.depth)
    elif not right:
        said = JUDGE_WORDS.wrong.format(verdict=verdict.text)
    elif chosen.better:
        said = JUDGE_WORDS.keeps.format(
            best=JUDGE_WORDS.either.join(written for _, written in best[: JUDGE_WORDS.named])
        )
    else:
        said = JUDGE_WORDS.right
    return JudgeView(
        right=right,
        certain=certain,
        text=said,
        best=[text for text, _ in best],
        line=report.variation,
        notation=report.notation[0],
    )


@in_pages
def explorer_view(
    here: Position,
    scores: Sequence[tuple[int, Score]],
    counts: Mapping[str, Sequence[int]],
    games: int,
    source: str,
) -> ExplorerView:
    """Every legal move with its known value and the results of games.

    Args:
        here: the position.
        scores: exact ones, of the moves that have one.
        counts: by a move's text, how many games x won, were drawn and o won.
        games: how many were looked through.
        source: where the scores are from.
    """
    moves = list[ExploredView]()
    known = move_views(here, scores, "best" if len(scores) == len(here.legal_moves) else "best so far")
    for text in here.legal_texts:
        x, draws, o = counts.get(text, [0, 0, 0])
        worth = known.get(text)
        moves.append(ExploredView(move=text, worth=worth, played=x + draws + o, x=x, draws=draws, o=o))
    # Unknown moves come after all known ones.
    ranked = sorted(moves, key=lambda each: (each.worth.better if each.worth else len(moves), -each.played))
    return ExplorerView(moves=ranked, games=games, source=source if scores else "")


def why_not(args: WhyNot) -> WhyNotView:
    """The reason that no legal move goes along these places: the king would be in check, the square is occupied."""
    return WhyNotView(why=position_at(args).refusal(args.path))


def notations(args: m.At) -> FormsView:
    """A position and the moves that led to it, in every notation that is read back."""
    found = forms(args.game, position_at(args))
    return FormsView(
        forms=[FormView(name=each.name, title=each.title, text=each.text, ending=each.ending) for each in found]
    )
