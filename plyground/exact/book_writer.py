"""Writer of opening books: solves every position after some plies, and derives those before."""

import os
import time
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from plyground.compiled.clock import Clock, Limit
from plyground.compiled.fingerprint import rules_fingerprint
from plyground.compiled.kernel import kernel
from plyground.errors import BadInput
from plyground.exact.book import Book, Head, parse_score_word, read_book, score_word
from plyground.files import WORK_MOST, text_of_file
from plyground.files.whole_file import append, open_lines
from plyground.rules import MAX, ONGOING, Game
from plyground.score import INFINITY, Score, best_of, earlier, final
from plyground.search.context import STACK, SearchContext, new_context
from plyground.search.exact import decide, value_bounds
from plyground.search.observer import Counting
from plyground.search.pvs import FOREVER, pvs
from plyground.search.table import (
    ANY_DEPTH,
    EXACT,
    KNOWN_SCORE_NODES,
    NO_TAG,
    SOLVING,
    entries_in,
    hash_of,
    new_table,
    pack,
    store,
)

MOST_OF_A_PLY = 2_000_000
"""Most positions of one ply: more are neither solved in a year nor read in a second."""


class Author:
    """Writer of a game's opening book, one ply after another, so that there is a whole book of fewer plies at any time.

    All positions are solved with one table, which holds all scores known beforehand: results of one position help the
    next, and no move is worth more to its player than the position before it. Scores include the distance of a win
    where no margins count. Each solved position is written to `FILE.part` at once, where another process continues.
    """

    def __init__(self, spec: str, game: Game[Any], plies: int, file: Path, *, table: int = SOLVING) -> None:
        """List the positions; nothing is solved yet.

        Args:
            spec: the game's name and options.
            game: the rules.
            plies: the last ply whose positions are solved.
            file: where the book is, with the last ply that is whole.
            table: mebibytes for the transposition table.

        Raises:
            BadInput: states can come again, there are too many positions, or the file is something else.
        """
        if game.repetition:
            raise BadInput(f"In {spec} states can come again: solve lists them all, and no book is needed.")
        if plies < 1 or table < 1:
            raise BadInput(f"plies={plies}, table={table}: at least one ply, and one mebibyte of table.")
        self.spec: str = spec
        self.game: Game[Any] = game
        self.plies: int = plies
        self.file: Path = file
        self.part: Path = file.with_name(file.name + ".part")
        # Distances only where no margins count: each margin would have distances of its own, and each of them a search.
        low, high = game.bounds(game.initial())
        self.prefer_shorter: int = int(-1 <= low <= high <= 1)
        self.layers: list[dict[str, Any]] = self._list_positions()
        self.scores: dict[str, Score] = {}
        """Scores of the solved positions, by their text."""
        self.nodes: int = 0
        self.seconds: float = 0.0
        self._table = table
        self._resume()

    def _list_positions(self) -> list[dict[str, Any]]:
        """The unfinished positions after no ply, one, two …, by their text; one of those that are the same under
        symmetry."""
        game = self.game
        # Layers are listed before anything is solved, so a book that is too large is refused at once, and the progress
        # is known.
        first = game.canonical(game.initial())
        layers = [{game.text(first): first}]
        for ply in range(1, self.plies + 1):
            layer: dict[str, Any] = {}
            for state in layers[-1].values():
                for move in game.moves(state):
                    child = game.canonical(game.play(state, move))
                    if game.outcome(child) == ONGOING:
                        layer.setdefault(game.text(child), child)
            if len(layer) > MOST_OF_A_PLY:
                raise BadInput(f"plies={self.plies}: after {ply} there are more than {MOST_OF_A_PLY:,} positions.")
            layers.append(layer)
        return layers

    def _resume(self) -> None:
        """Read the positions solved before. A row that is cut short is skipped; the last row of a position counts."""
        if os.path.lexists(self.file):
            book = read_book(self.file, self.game)
            if book.head.game != self.spec:
                raise BadInput(f"{self.file} is the book of {book.head.game}, not of {self.spec}: name another file.")
            self.scores.update(book.scores)
            self.nodes, self.seconds = book.head.nodes, book.head.seconds
        if not os.path.lexists(self.part):
            return
        first, *lines = text_of_file(self.part, WORK_MOST).splitlines() or [""]
        if first != self._rules:
            raise BadInput(f"{self.part} has positions by other rules, or of an earlier version: delete it.")
        for line in lines:
            try:
                text, word, nodes, seconds = line.split()
                score, spent = parse_score_word(word), (int(nodes), float(seconds))
            # The last row may be cut short by a kill; every other row was appended whole.
            except ValueError:
                continue
            self.scores[text] = score
            self.nodes, self.seconds = self.nodes + spent[0], self.seconds + spent[1]

    @property
    def wanted_texts(self) -> list[str]:
        """Texts of the positions to be solved, in order."""
        return [text for layer in self.layers[1:] for text in layer]

    @property
    def solved_count(self) -> int:
        """Number of wanted positions that are solved."""
        return sum(text in self.scores for text in self.wanted_texts)

    def write(self, on_wait: Callable[[], None] | None = None) -> Iterator[str]:
        """Solve the positions that are missing, and write the book after each whole ply; yields each position's text.

        Leaving the loop keeps all that is solved.
        """
        for ply in range(1, self.plies + 1):
            limits = self._value_limits(ply)
            for text, state in self.layers[ply].items():
                if text not in self.scores:
                    self._solve(text, state, limits.get(text, (-INFINITY, INFINITY)), on_wait)
                    yield text
            self.book(ply).write(self.file)
        self.part.unlink(missing_ok=True)

    def _value_limits(self, ply: int) -> dict[str, tuple[int, int]]:
        """Bounds of each position of a ply by the positions before it, on the searches' scale, from the first player's
        side: no move is worth more to its player than the position."""
        game, limits = self.game, dict[str, tuple[int, int]]()
        for text, state in self.layers[ply - 1].items():
            if (score := self.scores.get(text)) is None:
                continue
            # A move is one ply nearer to the end than the position before it, and worth no more than it to the player
            # who makes it.
            value = final(score.utility or 0, score.plies - 1 if score.plies and self.prefer_shorter else 0)
            for move in game.moves(state):
                child = game.text(game.canonical(game.play(state, move)))
                low, high = limits.get(child, (-INFINITY, INFINITY))
                # A position may follow from several: each narrows the bounds further.
                limits[child] = (low, min(high, value)) if game.to_move(state) == MAX else (max(low, value), high)
        return limits

    def _solve(self, text: str, state: Any, limits: tuple[int, int], on_wait: Callable[[], None] | None) -> None:
        """Solve a position and write its score to `FILE.part`."""
        clock, context, search = self._context
        nodes, started = clock.nodes, time.process_time()
        side = 1 if self.game.to_move(state) == MAX else -1
        low, high = value_bounds(self.game, state, self.prefer_shorter)
        least, most = limits if side == 1 else (-limits[1], -limits[0])
        # Both kinds of bounds hold, the rules' and those of the positions before; the narrower they are, the fewer
        # searches `decide` needs.
        bounds = max(low, least), min(high, most)
        work = partial(decide, search, clock.observer, context, state, self.prefer_shorter, *bounds)
        value = side * clock.run(work, on_wait=on_wait)
        score = self.scores[text] = Score.of(value, prefer_shorter=bool(self.prefer_shorter)) if value else Score(0)
        spent = clock.nodes - nodes, time.process_time() - started
        self.nodes, self.seconds = self.nodes + spent[0], self.seconds + spent[1]
        self.part.parent.mkdir(parents=True, exist_ok=True)
        with open_lines(self.part, self._rules) as out:
            append(out, f"{text} {score_word(score)} {spent[0]} {spent[1]:.3f}\n".encode())

    @cached_property
    def _rules(self) -> str:
        """The first line of the part."""
        return f"rules {rules_fingerprint(self.game)}"

    @cached_property
    def _context(self) -> tuple[Clock, SearchContext, Callable[..., int]]:
        """Clock, search context and search, made when a position is to be solved."""
        start, search = self.game.initial(), kernel(pvs, self.game)
        context = new_context(new_table(start, entries_in(start, self._table)))
        # Compiled before the clock of the first position starts, so that its seconds are those of the search.
        search.prepare(Counting.fresh(), context, start, FOREVER, 0, 1, self.prefer_shorter, 0, STACK)
        for layer in self.layers:
            for text, state in layer.items():
                if score := self.scores.get(text):
                    side = 1 if self.game.to_move(state) == MAX else -1
                    value = side * final(score.utility or 0, self.prefer_shorter * (score.plies or 0))
                    # Known scores stand in the table for any depth and with the work of `KNOWN_SCORE_NODES`, so that
                    # every search cuts off there and no entry pushes them out.
                    store(
                        context.table, state, hash_of(state), pack(value, EXACT, ANY_DEPTH, NO_TAG, KNOWN_SCORE_NODES)
                    )
        return Clock(Limit()), context, search

    def book(self, ply: int) -> Book:
        """The book of a number of plies, once their positions are solved."""
        game, scores = self.game, self.scores
        # Scores go from the last ply backward, by one ply of minimax: positions before it need no search.
        for layer in reversed(self.layers[:ply]):
            for text, state in layer.items():
                moves = [(move, earlier(self._known_score(game.play(state, move)))) for move in game.moves(state)]
                best = best_of(moves, game.to_move(state))[0]
                scores[text] = dict(moves)[best]
        by_ply = {text: scores[text] for layer in self.layers[: ply + 1] for text in layer}
        cost = self.nodes, round(self.seconds, 1)
        head = Head(self.spec, ply, len(self.layers[ply]), *cost, rules=rules_fingerprint(game))
        return Book(game, head, by_ply)

    def _known_score(self, state: Any) -> Score:
        utility = self.game.outcome(state)
        return Score.over(utility) if utility != ONGOING else self.scores[self.game.text(self.game.canonical(state))]
