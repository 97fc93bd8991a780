"""Questions of a grade: positions of several games, each with a depth and a window."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from plyground.games import game_named
from plyground.laws.searches.games import cache_rules
from plyground.laws.searches.reference import Reference, ReferenceTooLarge
from plyground.position import Position
from plyground.rules import MAX, ONGOING, Game
from plyground.score import INFINITY
from plyground.search.minimax import minimax
from plyground.search.observer import Counting

GAMES_ASKED = {
    "tictactoe": (4, 8),
    "connectfour:4,4,3": (6, 12),
    "dotsandboxes:1,2": (1, 5),
    "nim:1/2/3": (0, 3),
}
"""Games of the questions, with the fewest and the most plies before a position: alternating turns and turns that do
not, wins and margins, with and without a static evaluation."""
PLIES_BEFORE = (2, 12)
"""Fewest and most plies before a position of another game."""
QUESTION_ROUNDS = 3
"""Rounds of positions where one game is asked about."""
POSITIONS_OF_EACH = 4
"""Random positions of each game, as many of them with x to move as with o."""
DEEPEST_ASKED = 4
"""Most plies to look ahead."""
MOST_ASKED = 120
"""Most nodes that minimax enters for a question."""
MOST_TO_THE_END = 700
"""Most nodes that minimax enters for a question to the end of a game."""
DEEPEST_TO_THE_END = 60
"""Most plies to the end of a game in such a question."""
LONGEST_LINE = 1_000
"""Most plies of a random game."""
CHOSEN = (
    ("tictactoe", "..o/xxo/...:x", 4),
    ("tictactoe", ".x./.x./oo.:x", 4),
    ("nim:1/2/3", "0/2/3:o", 3),
    ("dotsandboxes:1,2", "../...../--:x", 4),
    ("dotsandboxes:1,3", "---/..|.|../-..:x", 2),
    ("dotsandboxes:1,3", ".--/|.....|/---:o", 3),
)
"""Positions that come about in several ways, so that a bound kept from one way is wrong for another; and in which who
moves again has a choice, so that it matters whether MAX or MIN makes it."""
DEEP: Final = (
    ("chomp:3,3", "3/1/1:o", 6),
    ("chomp:3,3", "2/2/2:o", 6),
    ("chomp:3,3", "2/2/1:x", 5),
    ("chomp:3,3", "2/2/2:x", 5),
    ("connectfour:4,4,3", "..../..../..../.x..:o", 5),
    ("connectfour:4,4,3", "...x/...o/...x/.x.o:o", 5),
    ("connectfour:4,4,3", "o.../x.../o.../xx..:o", 5),
    ("connectfour:4,4,3", "..../..o./..x./..ox:x", 4),
    ("connectfour:4,4,3", "..../..x./x.ox/o.xo:o", 4),
    ("dotsandboxes:2,2", "../..|.|/-./|...|/--:o", 6),
    ("dotsandboxes:2,2", "--/|...|/.-/|.|../..:o", 6),
    ("kalah:4,3", "5,1,0,2,4/5,4,1,0,2:x", 5),
    ("kalah:4,3", "5,0,2,2,3/0,0,1,8,3:x", 5),
    ("kalah:4,3", "0,2,3,1,5/0,3,2,4,4:x", 5),
)
"""Positions and plies at which searches differ that answer alike in smaller ones: far from an end, with fine static
evaluations, and with turns that do not alternate. An answer is asked for, and the nodes only where it is wrong."""
KEPT: Final = (
    ("nim:2/3/4", ("2/0/2:o 3",), "2/0/2:x 3"),
    ("reversi:4", (".xxx/.ox./oxo./x...:o 3",), ".xxx/.ox./oxo./x...:x 3"),
    ("kalah:4,3", ("5,0,0,2,4/0,6,4,0,3:o 3",), "5,0,0,2,4/0,6,4,0,3:x 3"),
    ("nim:2/3/4", ("1/0/0:o 2", "1/1/0:x 3"), "1/2/0:o 4"),
    ("nim:2/3/4", ("0/1/0:x 2", "0/2/0:o 3"), "0/2/1:x 4"),
    ("nim:2/3/4", ("0/0/1:x 3", "0/1/1:o 4"), "0/1/2:x 5"),
    ("chomp:3,3", ("1/0/0:o 2", "3/0/0:x 3"), "3/1/1:o 4"),
    ("chomp:3,3", ("2/0/0:o 3", "2/1/1:x 4"), "3/1/1:o 5"),
    ("reversi:4", (".xxx/.oxx/oxxx/x...:o 2", ".xxx/.ooo/oxo./x...:x 3"), ".xxx/.ox./oxo./x...:o 4"),
    ("dotsandboxes:1,3", (".--/|.|.|o|/-.-:o 2", ".--/|...|o|/-.-:x 3"), ".--/|...|o|/..-:o 4"),
    ("connectfour:4,4,3", ("..x./..o./.ox./xxo.:o 2", "..x./..o./.ox./.xo.:x 3"), "..x./..o./..x./.xo.:o 4"),
)
"""Questions put one after the other to a search that keeps its table: the one board for both players, a position and
then those before it, each a ply deeper."""
UNHURRIED: Final = (("nim:1/2/3", "0/2/2:x", 4),)
"""Positions that are asked about without `prefer_shorter`, too: there a lost game has no value below it."""
QUIET_GAMES: Final = ("tictactoe", "connectfour:4,4,3", "nim:1/2/3", "nim:2/3/4", "chomp:3,3")
"""Games of the questions to a quiescence search: turns alternate, and who wins wins by 1."""
OPEN_WINDOW = (-INFINITY, INFINITY)


@dataclass(frozen=True)
class SearchQuestion:
    """A question: one search of a position to a depth, within a window."""

    name: str
    """Name of the game, as on the command line."""
    position: Position
    depth: int
    window: tuple[int, int] = OPEN_WINDOW
    after: "tuple[SearchQuestion, ...]" = ()
    """Questions put to the search just before this one: it may have kept their answers in a table."""
    by_answer: bool = False
    """Whether only the answer is requested, and the nodes if that is wrong."""
    hurries: bool = True
    """Whether the shorter win is to be preferred, of a search that takes `prefer_shorter`."""

    @property
    def is_open(self) -> bool:
        """Whether the window has no bounds."""
        return self.window == OPEN_WINDOW

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.position.game.outcome(self.position.state) != ONGOING

    @property
    def command(self) -> str:
        """Arguments of `plyground tree` that ask the same."""
        return f'{self.name} "{self.position.text}" --depth {self.depth}'


@lru_cache(maxsize=16)
def reference_of(game: Game[Any], prefer_shorter: bool) -> Reference:
    """The reference of a game, kept for the next search that is graded."""
    return Reference(game, prefer_shorter)


@lru_cache(maxsize=4)
def questions(seed: int = 0) -> tuple[SearchQuestion, ...]:
    """The questions, always the same for a seed: finished positions, depths from 1 on, and windows round the value."""
    # Its own generator: a search that is graded in this process may seed or use the global one.
    chance = random.Random(seed)
    random_ones = [question for name, plies in GAMES_ASKED.items() for question in _of_game(name, chance, plies)]
    games = {question.name: question.position.game for question in random_ones}

    def question_for(name: str, text: str, depth: int, **more: Any) -> SearchQuestion:
        game = games[name] = games.get(name) or cache_rules(game_named(name))
        return SearchQuestion(name, Position.parse(game, text), depth, **more)

    def with_depth(name: str, words: str) -> SearchQuestion:
        text, depth = words.split()
        return question_for(name, text, int(depth))

    chosen = [question_for(*each) for each in CHOSEN]
    unhurried = [question_for(*each, hurries=False) for each in UNHURRIED]
    deep = [question_for(*each, by_answer=True) for each in DEEP]
    kept = [
        replace(with_depth(name, last), after=tuple(with_depth(name, each) for each in first), by_answer=True)
        for name, first, last in KEPT
    ]
    return (*random_ones, *chosen, *unhurried, *deep, *kept)


def of_position(name: str, position: Position, depth: int) -> tuple[SearchQuestion, ...]:
    """Questions about a position of the user's: every depth up to `depth`, and the windows of the last one."""
    return tuple(_questions_of(name, position, depth, 1 << 62))


def of_game(name: str, chance: random.Random) -> Iterator[SearchQuestion]:
    """Questions about one game, with open windows: for a search of which only the answers are known."""
    for _ in range(QUESTION_ROUNDS):
        for question in _of_game(name, chance, GAMES_ASKED.get(name, PLIES_BEFORE)):
            if question.is_open:
                yield question


def questions_to_the_end(name: str, chance: random.Random) -> Iterator[SearchQuestion]:
    """Questions about one game that are searched to its end, the depth of each: positions near the ends of random
    games, and finished ones."""
    game = cache_rules(game_named(name))
    seen: set[Any] = set()
    for number in range(2 * QUESTION_ROUNDS * POSITIONS_OF_EACH):
        line = [Position.initial(game)]
        while line[-1].outcome is None and len(line) < LONGEST_LINE:
            line.append(line[-1].play(chance.choice(line[-1].legal_moves)))
        # From the end backward, until the rest of the game is too large to be searched to its end.
        near: list[SearchQuestion] = []
        for position in reversed(line):
            try:
                plies = _plies_to_end(game, position.state, [MOST_TO_THE_END], DEEPEST_TO_THE_END)
            except ReferenceTooLarge:
                break
            near.append(SearchQuestion(name, Position(game, position.state), plies))
        # The finished position is asked about in a sixth of the games: one question in many is enough for it.
        ends, near = near[:1], near[1:]
        chosen = [chance.choice(near[-4:])] if near else []
        for question in [*(ends if not number % 6 else []), *chosen]:
            if question.position.state not in seen:
                seen.add(question.position.state)
                yield question


def _plies_to_end(game: Any, state: Any, left: list[int], plies: int) -> int:
    """Plies of the longest way to the end; `left` has the number of nodes that may still be entered, and it is `plies`
    away at most.

    Raises:
        ReferenceTooLarge: there are more.
    """
    left[0] -= 1
    if game.outcome(state) != ONGOING:
        return 0
    if left[0] < 0 or not plies:
        raise ReferenceTooLarge
    return 1 + max(_plies_to_end(game, game.play(state, move), left, plies - 1) for move in game.moves(state))


def _of_game(name: str, chance: random.Random, plies: tuple[int, int]) -> Iterator[SearchQuestion]:
    game = cache_rules(game_named(name))
    fewest, most = plies
    seen: set[Any] = set()
    wanted = [POSITIONS_OF_EACH // 2, POSITIONS_OF_EACH // 2]
    ends: list[Position] = []
    # Bounded: a small game has not enough different positions with each side to move.
    for _ in range(1_000):
        position = Position.initial(game)
        for _ in range(chance.randint(fewest, most)):
            if position.outcome is None:
                position = position.play(chance.choice(position.legal_moves))
        if position.state in seen:
            continue
        if position.outcome is not None:
            if len(ends) < 3 and (position.outcome, position.to_move) not in [(e.outcome, e.to_move) for e in ends]:
                ends.append(position)
            continue
        if wanted[position.to_move]:
            seen.add(position.state)
            wanted[position.to_move] -= 1
            yield from _questions_of(name, Position(game, position.state), DEEPEST_ASKED, MOST_ASKED)
    for end in ends:
        yield SearchQuestion(name, Position(game, end.state), 2)


def _questions_of(name: str, position: Position, deepest: int, most: int) -> Iterator[SearchQuestion]:
    game, last = position.game, 1
    for depth in range(1, deepest + 1):
        observer = Counting.fresh()
        minimax(game, observer, position.state, depth, 0, 0)
        # Depth 1 is always asked, also in a game of many moves.
        if observer.nodes > most and depth > 1:
            break
        last = depth
        yield SearchQuestion(name, position, depth)
    value = reference_of(game, False)(position.state, last, 0) or 0
    # Around the value, with the value at the lower edge, at the upper edge, and below the window: exact, and a bound of
    # either kind is due.
    for window in ((value - 1, value + 1), (value, value + 2), (value - 2, value), (value + 1, value + 3)):
        yield SearchQuestion(name, position, last, window)


def sides(question: SearchQuestion) -> str:
    """The side to move, in words."""
    return f"{'x' if question.position.to_move == MAX else 'o'} to move"
