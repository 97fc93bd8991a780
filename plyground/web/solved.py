"""What analyses have found for good, kept in the database for whoever asks next; and what people played.

A position that is analysed until all is certain is kept under the fingerprint of its game and its state in text, with
all that was found. So nothing that a change of the rules has made wrong is ever told, and whoever looks at the same
position is answered at once, today or next year.

The table is bounded by one rule: only what took `WORTHWHILE` nodes or more is kept, and of that the `MOST` positions
that took the most work. So a stranger who has thousands of easy positions analysed throws out nothing that was dear.
"""

from collections import OrderedDict
from collections.abc import Iterable
from functools import lru_cache

from pydantic import ValidationError
from sqlalchemy import delete, func, insert, select

from plyground.compiled.fingerprint import fingerprint
from plyground.database.connecting import Unavailable, now, reading, writing
from plyground.database.schema import SOLVED
from plyground.engine.book import book_of, earlier
from plyground.games import AnyGame
from plyground.position import Position
from plyground.score import Score
from plyground.web import models as m
from plyground.web.live import Live
from plyground.web.positions import score_of
from plyground.web.store import Kept, Store

WORTHWHILE = 10_000
"""Nodes; what took fewer is found again sooner than it is read."""
MOST = 20_000
"""Positions; about a kilobyte each."""
LOOKED_THROUGH = 2_000
"""Games that the explorer counts, of each game that is played: the newest that are over."""
READ_AT_ONCE = 50
"""Kept games that are looked through before whoever waits to store a move has a turn."""
GAMES = 4
"""Games whose counts are held in memory."""


@lru_cache(maxsize=64)
def mark_of(game: AnyGame) -> str:
    """What a game's positions are kept under."""
    return fingerprint(game)


def may_be_kept(here: Position) -> bool:
    """Whether the value of a position depends on its state alone, not on what came before."""
    return not here.game.repetition and here.outcome is None


class Solved:
    """The table of solved positions of a database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def find(self, here: Position) -> m.ReportView | None:
        """What was found of a position; None if nothing is kept of it, or not as it would be told today."""
        if not may_be_kept(here):
            return None
        return next(iter(self._found(here.game, [here.text]).values()), None)

    def of_game(self, end: Position) -> dict[int, m.ReportView]:
        """What was found of the positions that led to one, and of it, by ply."""
        texts = {ply: here.text for ply, here in enumerate(end.steps()) if may_be_kept(here)}
        found = self._found(end.game, texts.values())
        return {ply: found[text] for ply, text in texts.items() if text in found}

    def _found(self, game: AnyGame, texts: Iterable[str]) -> dict[str, m.ReportView]:
        wanted = select(SOLVED.c.state, SOLVED.c.report).where(
            SOLVED.c.game == mark_of(game), SOLVED.c.state.in_(list(texts))
        )
        found = {}
        try:
            with reading(self._store.engine) as connection:
                for state, report in connection.execute(wanted):
                    found[state] = m.ReportView.model_validate_json(report)
        except (Unavailable, ValidationError):  # as if nothing were kept: it is found anew
            return {}
        return found

    def keep(self, here: Position, report: m.ReportView) -> None:
        """Keep what was found for certain of a position, if that was worth the while."""
        if not (report.certain and may_be_kept(here) and report.nodes >= WORTHWHILE):
            return
        game, text = mark_of(here.game), here.text
        row = {"game": game, "state": text, "nodes": report.nodes, "report": report.model_dump_json(), "at": now()}
        try:
            with writing(self._store.engine) as connection:
                connection.execute(delete(SOLVED).where(SOLVED.c.game == game, SOLVED.c.state == text))
                connection.execute(insert(SOLVED).values(row))
                over = connection.execute(select(func.count()).select_from(SOLVED)).scalar_one() - MOST
                if over > 0:
                    cheapest = select(SOLVED.c.game, SOLVED.c.state).order_by(SOLVED.c.nodes, SOLVED.c.at).limit(over)
                    for each in connection.execute(cheapest).all():
                        connection.execute(delete(SOLVED).where(SOLVED.c.game == each[0], SOLVED.c.state == each[1]))
        except Unavailable:  # a full or read-only disk: the position is only solved again
            return

    def scores(self, here: Position) -> tuple[dict[int, Score], str]:
        """The exact scores of a position's moves that are known without a search, and where from, in words."""
        if here.outcome is not None:
            return {}, ""
        book = book_of(here.game)
        if book and (known := book.moves(here.state)):
            return dict(known), book.title
        if report := self.find(here):
            return {here.legal(move): score_of(view.score) for move, view in report.moves.items()}, KEPT
        after = {move: here.play(move) for move in here.legal_moves}
        scores = {move: Score.over(child.outcome) for move, child in after.items() if child.outcome is not None}
        found = self._found(here.game, {child.text for child in after.values()}) if may_be_kept(here) else {}
        for move, child in after.items():
            if child.outcome is None and (report := found.get(child.text)):
                scores[move] = score_of(report.score)
            elif child.outcome is None and book and (score := book.score(child.state)):
                scores[move] = score
        return {move: earlier(score) for move, score in scores.items()}, KEPT


KEPT = "positions that were solved here before"


class Played:
    """What people played in the kept games that are over. Used from one thread, the database's."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, dict[str, dict[str, tuple[str, int]]]] = OrderedDict()
        """By a game's name and a kept game's id: the moves that people made, by the state before, and who won."""

    def read(self, store: Store, spec: str) -> bool:
        """Look through some of a game's kept games, and forget those that are gone; whether there are more to read."""
        known = self._games.setdefault(spec, {})
        self._games.move_to_end(spec)
        while len(self._games) > GAMES:
            self._games.popitem(last=False)
        finished = store.finished(spec, LOOKED_THROUGH)
        for gone in known.keys() - set(finished):
            del known[gone]
        new = [number for number in finished if number not in known]
        for number in new[:READ_AT_ONCE]:
            kept = store.load(number)
            known[number] = _moves_of(kept) if kept else {}
        return len(new) > READ_AT_ONCE

    def counts(self, spec: str, here: Position) -> tuple[dict[str, list[int]], int]:
        """By a move of a position, how many games x won, were drawn and o won after a person made it; and how many
        games were looked through."""
        known = self._games.get(spec, {})
        counts: dict[str, list[int]] = {}
        for game in known.values():
            if made := game.get(here.text):
                counts.setdefault(made[0], [0, 0, 0])[made[1]] += 1
        return counts, len(known)


def _moves_of(kept: Kept) -> dict[str, tuple[str, int]]:
    """The moves that people made in a game that is over, by the state before; and 0 if x won, 1 for a draw, else 2."""
    live = Live.of(kept)
    last = kept.events[-1] if kept.events else None
    utility = live.position.outcome or 0
    if last and last.kind == "resign":
        utility = -1 if last.text == "x" else 1
    steps, made = list(live.position.steps()), {}
    for step, move in zip(steps, live.position.moves, strict=False):
        if kept.players[step.to_move] == "human":
            made[step.text] = step.game.move_text(step.state, move), 0 if utility > 0 else 1 if utility == 0 else 2
    return made
