"""Solving: the exact value of a position, of each of its moves, and best play; stopped, kept and taken up again."""

import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from plyground.compiled.fingerprint import fingerprint
from plyground.compiled.kernel import kernel
from plyground.engine.book import book_of
from plyground.engine.clock import Clock, Limit
from plyground.engine.sweep import Census, Sweep, TooManyStates, is_reducible, keep_sweep, kept_sweep
from plyground.errors import BadInput
from plyground.position import Position
from plyground.rules import MAX, NO_MOVE
from plyground.score import Score, final
from plyground.search.exact import decide, reach
from plyground.search.mind import STACK, TRAIL, TRAIL_PLIES, new_mind
from plyground.search.pvs import FOREVER, pvs
from plyground.search.table import SOLVING, entries_in, new_table
from plyground.search.watch import Counting, Stopped

Answer = TypeVar("Answer")
SMALL = 6_000
"""Nodes that are tried as plain Python before a game is compiled for them: a second or two of the six that it takes."""


@dataclass(frozen=True)
class Solution:
    """What a position is worth with perfect play, from the first player's side."""

    score: Score
    """Exact. Without `hurry` only who wins and by how much is known, not in how many plies, unless a book tells it."""
    moves: tuple[tuple[int, Score], ...]
    """Every move with its exact score where they were asked for, else only the best one; in generation order."""
    variation: tuple[int, ...]
    """Best play by both sides; it may break off where following it would take as long as finding it."""
    nodes: int
    seconds: float
    census: Census | None = None
    """Of a game where states can come again, what all states that can come about from here are worth."""
    reduced: bool = False
    """Whether these were too many, and so are listed without what they count, and once where they are the same under
    symmetry: then values are those of games that begin here, and that no counter ends."""
    source: str = ""
    """Where it was looked up, in words, such as `the opening book of 4 plies`; empty where it was solved."""


class Solver:
    """Solves one position. What it has learned can be kept in a file, and taken up again by another process.

    A game where states can come again is solved by retrograde analysis (`sweep.py`), which tells the plies as well.
    """

    def __init__(
        self,
        position: Position,
        *,
        hurry: bool = False,
        every_move: bool = True,
        threads: int = 1,
        table: int = SOLVING,
        book: bool = True,
    ) -> None:
        """Prepare; nothing is searched yet.

        Args:
            position: what to solve.
            hurry: also in how many plies a win comes: slower, where margins count much slower.
            every_move: solve each move, not only find a best one.
            threads: how many search at the same time.
            table: mebibytes for the transposition table, or for all states where states can come again.
            book: ask an opening book first, if there is one.

        Raises:
            BadInput: no threads, or no room for a table.
        """
        if threads < 1 or table < 1:
            raise BadInput(f"threads={threads}, table={table}: at least one thread, and one mebibyte of table.")
        self.position, self.hurry, self.every_move = position, int(hurry), every_move
        self.spent, self.nodes_before = 0.0, 0
        self.known: dict[str, int] = {}
        """Values found so far: of the position at `""`, and of each move by its text; from the mover's side."""
        self._book = book_of(position.game) if book else None
        self._sweep: Sweep | None = None
        if position.game.repetition:
            self.clock = Clock(Limit())
            self._sweep = self._new_sweep(reduced=False, mebibytes=table)
            return
        self._threads, self._entries = threads, entries_in(position.state, table)
        search = kernel(pvs, position.game)
        self._begin(is_small=not (search.is_ready or search.why_plain))

    def _begin(self, *, is_small: bool) -> None:
        """From nothing: as plain Python while the work is small, which it is until that is disproved; else compiled."""
        here, search = self.position, kernel(pvs, self.position.game)
        threads = 1 if is_small else self._threads
        table = new_table(here.state, min(self._entries, 4 * SMALL) if is_small else self._entries)
        minds = [new_mind(table, threads > 1) for _ in range(threads)]
        if not is_small:
            search.prepare(Counting.fresh(), minds[0], here.state, FOREVER, 0, 1, self.hurry, 0, STACK)
        self._is_small = is_small
        self.known = {}
        self._table, self._minds = table, minds
        self._pvs: Callable[..., int] = partial(pvs, here.game) if is_small else search
        self.clock = Clock(Limit(nodes=SMALL) if is_small else Limit(), threads)

    def _found(self, find: Callable[[], Answer]) -> Answer:
        """What is to be found, compiled only if it turns out to be more than small."""
        if self._is_small:
            with suppress(Stopped, RecursionError):
                return find()
            self._begin(is_small=False)
        return find()

    def solve(self, on_wait: Callable[[float], None] | None = None) -> Solution:
        """The whole truth.

        Args:
            on_wait: called about ten times a second with the part of the current question that is done, 0 to 1.
        """
        here = self.position
        if here.outcome is not None:
            return Solution(Score.over(here.outcome), (), (), 1, 0.0)
        if self._sweep:
            return self._swept(self._sweep, on_wait)
        return self._looked_up() or self._found(lambda: self._solution(on_wait))

    def _looked_up(self) -> Solution | None:
        """What an opening book knows of every move."""
        here, book = self.position, self._book
        if book is None or (moves := book.moves(here.state)) is None:
            return None
        line = book.line(here.state)
        best = next(pair for pair in moves if pair[0] == line[0])
        every = moves if self.every_move else (best,)
        return Solution(best[1], every, line, 0, self.seconds, source=book.title)

    # -- where states can come again --------------------------------------------------------------------------------

    def _new_sweep(self, reduced: bool, mebibytes: int) -> Sweep:
        return kept_sweep(self.position, reduced) or Sweep(self.position, reduced=reduced, mebibytes=mebibytes)

    def _swept(self, sweep: Sweep, on_wait: Callable[[float], None] | None) -> Solution:
        here = self.position
        try:
            sweep.list(self.clock, on_wait=(lambda: on_wait(sweep.done)) if on_wait else None)
        except TooManyStates:
            if sweep.reduced or not is_reducible(here.game):
                raise
            self.spent, self.clock = self.seconds, Clock(Limit())
            self._sweep = self._new_sweep(True, sweep.mebibytes)
            return self._swept(self._sweep, on_wait)
        keep_sweep(sweep)
        sweep.value()
        census = sweep.census()
        if not sweep.reduced:
            sweep.value(here.last_times())
        moves = sweep.moves(here)
        if (best := sweep.best(moves, here.to_move)) is None:
            raise BadInput(
                f"Nobody can force an end here, and what a repetition is worth in {type(here.game).__name__} depends "
                "on how it comes about, which a list of states does not tell: analyse looks along each line."
            )
        every = tuple((move, score) for move, score in moves if score) if self.every_move else (best,)
        return Solution(best[1], every, sweep.line(here), self.nodes, self.seconds, census, sweep.reduced)

    # -- where none can ---------------------------------------------------------------------------------------------

    def _solution(self, on_wait: Callable[[float], None] | None) -> Solution:
        here = self.position
        value = self._value("", here.state, *reach(here.game, here.state, self.hurry), on_wait)
        if self.every_move:
            moves = [(move, self._move_value(move, on_wait)) for move in here.legal_moves]
            best = next(move for move, worth in moves if worth == value)
        else:
            best = self._best(here, value)
            moves = [(best, value)]
        scores = tuple((move, self._score(worth)) for move, worth in moves)
        line = (best, *self._line(here.play(best), value))
        return Solution(self._score(value), scores, line, self.nodes, self.seconds)

    def value(self, on_wait: Callable[[float], None] | None = None) -> int:
        """The utility for the first player with perfect play."""
        here = self.position
        if here.outcome is not None:
            return here.outcome
        if self._sweep:
            return self.solve(on_wait).score.utility or 0
        if self._book and (score := self._book.score(here.state)):
            return score.utility or 0
        bounds = reach(here.game, here.state, self.hurry)
        return self._score(self._found(lambda: self._value("", here.state, *bounds, on_wait))).utility or 0

    @property
    def is_small(self) -> bool:
        """Whether what was searched so far is so little that it is not worth keeping."""
        return self._sweep.is_small if self._sweep else self._is_small

    @property
    def nodes(self) -> int:
        """Entered so far, in this and earlier processes; of a sweep, states that were listed."""
        return self._sweep.nodes if self._sweep else self.nodes_before + self.clock.nodes

    @property
    def seconds(self) -> float:
        """Spent so far, in this and earlier processes."""
        return self.spent + self.clock.seconds

    def _score(self, value: int) -> Score:
        """A value from the side of the player to move as a score."""
        return (
            Score.of(value if self.position.to_move == MAX else -value, hurry=bool(self.hurry)) if value else Score(0)
        )

    def _move_value(self, move: int, on_wait: Callable[[float], None] | None) -> int:
        """What a move is worth, from the side of the player who makes it; a win in n plies is one in n + 1 before."""
        game, child = self.position.game, self.position.play(move)
        passes = -1 if child.to_move != self.position.to_move else 1
        if child.outcome is not None:
            side = 1 if self.position.to_move == MAX else -1
            return side * final(child.outcome, self.hurry)
        name = game.move_text(self.position.state, move)
        value = passes * self._value(name, child.state, *reach(game, child.state, self.hurry), on_wait)
        return value - self.hurry * ((value > 0) - (value < 0))

    def _value(self, name: str, state: Any, low: int, high: int, on_wait: Callable[[float], None] | None) -> int:
        if name not in self.known:
            works = [
                partial(decide, self._pvs, watch, mind, state, self.hurry, low, high)
                for mind, watch in zip(self._minds, self.clock.watches, strict=True)
            ]
            wait = (lambda: on_wait(self.done)) if on_wait else None
            self.known[name] = int(self.clock.run(*works, on_wait=wait))
        return self.known[name]

    @property
    def done(self) -> float:
        """Which part of the current question is searched, by the first moves' places: a rough measure."""
        if self._sweep:
            return self._sweep.done
        notes, part, width = self._minds[0].notes, 0.0, 1.0
        for ply in range(TRAIL_PLIES):
            index, count = notes[TRAIL + ply] >> 32, max(notes[TRAIL + ply] & 0xFFFFFFFF, 1)
            part += width * index / count
            width /= count
        return part

    def _at_least(self, position: Position, move: int, value: int) -> bool:
        """Whether a move is worth as much as the position, both seen by the player to move."""
        child = position.play(move)
        side = 1 if position.to_move == MAX else -1
        if child.outcome is not None:
            return side * final(child.outcome, self.hurry) >= value
        child_value = value + self.hurry * ((value > 0) - (value < 0))
        if child.to_move == position.to_move:
            low, high = child_value - 1, child_value
        else:
            low, high = -child_value, -child_value + 1
        args = (self.clock.watch, self._minds[0], child.state, FOREVER, low, high, self.hurry, 0, STACK)
        answer: int = self.clock.run(lambda: self._pvs(*args))
        return answer >= child_value if child.to_move == position.to_move else -answer >= child_value

    def _best(self, position: Position, value: int) -> int:
        return next((move for move in position.legal_moves if self._at_least(position, move, value)), NO_MOVE)

    def _line(self, position: Position, value: int) -> tuple[int, ...]:
        """Best play from here on, each move shown to keep the value by a search of its own."""
        moves: list[int] = []
        budget = self.clock.nodes * 2 + 1_000_000
        while position.outcome is None and self.clock.nodes < budget:
            # The value stays, but the side that sees it changes, and what is settled is part of the state.
            value += self.hurry * ((value > 0) - (value < 0))
            side = value if position.to_move == self.position.to_move else -value
            move = self._best(position, side)
            if move == NO_MOVE:
                break
            moves.append(move)
            position = position.play(move)
        return tuple(moves)

    # -- keeping ----------------------------------------------------------------------------------------------------

    def keep(self, file: Path) -> None:
        """Write what is known, table and all; the old file stays whole until the new one is."""
        head = self._name() | {"known": self.known, "nodes": self.nodes, "seconds": self.seconds}
        head["small"] = self.is_small
        if self._sweep:
            head |= {"reduced": self._sweep.reduced, "rooms": self._sweep.rooms}
        part = file.with_suffix(".part")
        file.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as out:
            out.write(json.dumps(head).encode() + b"\n")
            if self._sweep:
                self._sweep.write(out)
            else:
                out.write(self._table)
        part.replace(file)

    def take_up(self, file: Path) -> bool:
        """Read what was kept; whether it was of this position and question."""
        try:
            with file.open("rb") as kept:
                head = json.loads(kept.readline())
                if {key: head.get(key) for key in self._name()} != self._name():
                    return False
                if self._sweep:
                    fresh = Sweep(self.position, reduced=head["reduced"], mebibytes=self._sweep.mebibytes)
                    if not fresh.read(kept, *head["rooms"]):
                        return False
                    self._sweep, self.spent = fresh, head["seconds"]
                    return True
                self._begin(is_small=head["small"])
                if file.stat().st_size - kept.tell() != self._table.nbytes:
                    return False
                kept.readinto(self._table)
        except (OSError, ValueError, KeyError):
            return False
        self.known, self.nodes_before, self.spent = head["known"], head["nodes"], head["seconds"]
        return True

    @property
    def name(self) -> str:
        """Of this question, for a file: another one for another position, and once a rule of the game has changed."""
        return hashlib.sha256(json.dumps(self._name()).encode()).hexdigest()[:16]

    def _name(self) -> dict[str, object]:
        here = self.position
        mark = fingerprint(here.game)
        return {"plyground": 2, "game": mark, "position": here.text, "hurry": self.hurry, "rules": RULES}


RULES = 2
"""Raised when what a kept table says changes its meaning."""


def solve(position: Position, *, hurry: bool = False, every_move: bool = True, threads: int = 1) -> Solution:
    """The exact value of a position, of each move, and best play. It may take seconds or years.

    >>> from plyground.games.mnk import MNK
    >>> solution = solve(Position.initial(MNK(4, 4, 3)))
    >>> solution.score.text()
    'x wins'
    """
    return Solver(position, hurry=hurry, every_move=every_move, threads=threads).solve()
