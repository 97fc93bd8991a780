"""Database tables of solved positions, and counts of the moves that people played.

A position whose analysis is certain is stored under the fingerprint of its game and its state in text, with the whole
report. So a report is never shown after a change of the rules has made it wrong, and a later request for the same
position is answered at once.

One rule bounds the table: only what took `WORTH_STORING` nodes or more is stored, and of that the `MOST_SOLVED`
positions that took the most nodes. So a visitor who analyses thousands of easy positions removes no expensive one.
"""

from collections import OrderedDict
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache

from pydantic import ValidationError
from sqlalchemy import delete, func, insert, select

from plyground.compiled.fingerprint import fingerprint
from plyground.database.connecting import Unavailable, now, reading_connection, writing_transaction
from plyground.database.schema import SOLVED
from plyground.exact.book import book_of
from plyground.games import AnyGame
from plyground.position import Position
from plyground.score import Score, earlier
from plyground.web.games.game_state import GameState
from plyground.web.games.store import GameStore, SavedGame
from plyground.web.views import models as m
from plyground.web.views.analysis import JUDGE_WORDS
from plyground.web.views.positions import score_of

WORTH_STORING = 10_000
"""Nodes of the smallest search that is stored: a smaller one takes less time than reading its result."""
MOST_SOLVED = 20_000
"""Most positions in the table; about a kilobyte each."""
LOOKED_THROUGH = 2_000
"""Finished games that the explorer counts for each spec: the newest."""
READ_AT_ONCE = 50
"""Saved games that are read at a time; waiting writes come in between."""
COUNTED_GAMES = 4
"""Games whose counts are held in memory."""


@lru_cache(maxsize=64, typed=True)
def game_key(game: AnyGame) -> str:
    """Fingerprint under which a game's positions are stored."""
    return fingerprint(game)


def is_storable(here: Position) -> bool:
    """Whether the value of a position depends on its state alone, not on earlier positions."""
    # Where states may repeat, a value may rest on those that came before, and a later game has
    # others.
    return not here.game.repetition and here.outcome is None


class Solved:
    """The table of solved positions of a database."""

    def __init__(self, store: GameStore) -> None:
        self._store = store

    def find(self, here: Position) -> m.ReportView | None:
        """Returns the stored report of a position; None if there is none, or it has an older form."""
        if not is_storable(here):
            return None
        return next(iter(self._find_reports(here.game, [here.text]).values()), None)

    def of_game(self, end: Position) -> dict[int, m.ReportView]:
        """Returns stored reports of a position and of those before it, by ply."""
        texts = {ply: here.text for ply, here in enumerate(end.steps()) if is_storable(here)}
        found = self._find_reports(end.game, texts.values())
        return {ply: found[text] for ply, text in texts.items() if text in found}

    def _find_reports(self, game: AnyGame, texts: Iterable[str]) -> dict[str, m.ReportView]:
        # One query reads all moves of a position, or all positions of a game.
        wanted = select(SOLVED.c.state, SOLVED.c.report).where(
            SOLVED.c.game == game_key(game), SOLVED.c.state.in_(list(texts))
        )
        found = {}
        try:
            with reading_connection(self._store.engine) as connection:
                for state, report in connection.execute(wanted):
                    with suppress(ValidationError):  # of an older form: the position is analysed again
                        found[state] = m.ReportView.model_validate_json(report)
        except Unavailable:  # as if there were no report
            return {}
        return found

    def keep(self, here: Position, report: m.ReportView) -> None:
        """Store a report if it is certain and took `WORTH_STORING` nodes or more."""
        if not (report.certain and is_storable(here) and report.nodes >= WORTH_STORING):
            return
        game, text = game_key(here.game), here.text
        row = {"game": game, "state": text, "nodes": report.nodes, "report": report.model_dump_json(), "at": now()}
        try:
            with writing_transaction(self._store.engine) as connection:
                # The row is deleted and inserted: "insert or replace" is written otherwise in each
                # of the two databases.
                connection.execute(delete(SOLVED).where(SOLVED.c.game == game, SOLVED.c.state == text))
                connection.execute(insert(SOLVED).values(row))
                over = connection.execute(select(func.count()).select_from(SOLVED)).scalar_one() - MOST_SOLVED
                if over > 0:
                    cheapest = select(SOLVED.c.game, SOLVED.c.state).order_by(SOLVED.c.nodes, SOLVED.c.at).limit(over)
                    for each in connection.execute(cheapest).all():
                        connection.execute(delete(SOLVED).where(SOLVED.c.game == each[0], SOLVED.c.state == each[1]))
        except Unavailable:  # a full or read-only disk: the position is only solved again
            return

    def scores(self, here: Position) -> tuple[dict[int, Score], str]:
        """Exact scores of a position's moves that are known without a search, and their source in words."""
        if here.outcome is not None:
            return {}, ""
        book = book_of(here)
        if book and (known := book.moves(here.state)):
            return dict(known), book.title
        # The position's own report has all moves; the moves one by one are looked up only without
        # it.
        if report := self.find(here):
            scores = {here.legal(move): score_of(view.score) for move, view in report.moves.items()}
            return scores, JUDGE_WORDS.solved_before
        after = {move: here.play(move) for move in here.legal_moves}
        scores = {move: Score.over(child.outcome) for move, child in after.items() if child.outcome is not None}
        found = self._find_reports(here.game, {child.text for child in after.values()}) if is_storable(here) else {}
        for move, child in after.items():
            if child.outcome is None and (report := found.get(child.text)):
                scores[move] = score_of(report.score)
            elif child.outcome is None and book and (score := book.score(child.state)):
                scores[move] = score
        # Scores of positions after the moves count their plies from there: one more from here.
        return {move: earlier(score) for move, score in scores.items()}, JUDGE_WORDS.solved_before


class PlayedMoves:
    """Counts of people's moves in finished saved games. Used from the database's thread only."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, dict[str, dict[str, tuple[str, int]]]] = OrderedDict()
        """People's moves by the state before, and the winner, for each spec and saved game's id."""

    def read(self, store: GameStore, spec: str) -> bool:
        """Read some saved games of a spec, and drop deleted ones. Returns whether there are more to read."""
        known = self._games.setdefault(spec, {})
        self._games.move_to_end(spec)
        # Counts of a few games, the ones asked about last: reading them again takes a moment.
        while len(self._games) > COUNTED_GAMES:
            self._games.popitem(last=False)
        finished = store.finished_ids(spec, LOOKED_THROUGH)
        for gone in known.keys() - set(finished):
            del known[gone]
        new = [number for number in finished if number not in known]
        for number in new[:READ_AT_ONCE]:
            saved = store.load(number)
            known[number] = _person_moves(saved) if saved else {}
        return len(new) > READ_AT_ONCE

    def counts(self, spec: str, here: Position) -> tuple[dict[str, list[int]], int]:
        """By move of a position: how many games x won, were drawn and o won after a person made it; and the number of
        games read."""
        known = self._games.get(spec, {})
        counts: dict[str, list[int]] = {}
        for game in known.values():
            if made := game.get(here.text):
                counts.setdefault(made[0], [0, 0, 0])[made[1]] += 1
        return counts, len(known)


def _person_moves(saved: SavedGame) -> dict[str, tuple[str, int]]:
    """People's moves in a finished game, by the state before; with 0 if x won, 1 for a draw, 2 if o won."""
    live = GameState.of(saved)
    last = saved.events[-1] if saved.events else None
    utility = live.position.outcome or 0
    if last and last.kind == "resign":
        utility = -1 if last.text == "x" else 1
    steps, made = list(live.position.steps()), {}
    for step, move in zip(steps, live.position.moves, strict=False):
        if saved.players[step.to_move] == "human":
            made[step.text] = step.game.move_text(step.state, move), 0 if utility > 0 else 1 if utility == 0 else 2
    return made
