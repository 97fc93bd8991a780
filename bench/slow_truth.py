"""Slow truth about a search: value and move against minimax without a memory, in games that no grade asks about.

All questions about a game are put to one instance of the search, so what it keeps from question to question is there.
"""

import random
from collections.abc import Iterator
from functools import cache, partial
from typing import Any, NamedTuple

import plyground as pg
from plyground.board.signs import COLON, NUMBER, PLAYER
from plyground.grading.games_held import GAMES_HELD
from plyground.grading.questions import questions
from plyground.laws.searches.games import cache_rules, replace_rules
from plyground.laws.searches.quiescence import plain_game
from plyground.score import INFINITY, final
from plyground.search.algorithm import Algorithm, of_function
from plyground.search.observer import Counting, Entered, Observer, Recording, Stopped
from plyground.timeouts import TimeExceeded, TimeLimit
from plyground.web.lessons import loader


class Place(NamedTuple):
    """A place, and whose turn it is."""

    place: int
    turn: int


class Tangle(pg.Game[Place]):
    """A game made up of numbers: from a place links lead to places one or two levels on, with either side to move.

    So one place is reached at several depths, with both sides to move, and who moves may move again.

    Args:
        seed: of the numbers.
        most: largest static evaluation; a small one makes many equal values.
        margin: largest utility.
    """

    LEVELS, WIDTH = 9, 4

    def __init__(self, seed: int, most: int, margin: int) -> None:
        self.name = f"Tangle({seed}, {most}, {margin})"
        chance = random.Random(seed)
        self.margin = margin
        self.links: dict[Place, tuple[Place, ...]] = {}
        self.values: dict[Place, int] = {}
        self.ends: dict[Place, int] = {}
        for level in range(self.LEVELS):
            for state in (Place(level * self.WIDTH + each, turn) for each in range(self.WIDTH) for turn in (0, 1)):
                self.values[state] = chance.randint(-most, most)
                if level == self.LEVELS - 1 or (level > 1 and chance.random() < 0.2):
                    self.ends[state] = chance.randint(-margin, margin)
                    continue
                after = []
                for _ in range(chance.randint(1, 4)):
                    on = min(level + 1 + (chance.random() < 0.3), self.LEVELS - 1)
                    turn = state.turn if chance.random() < 0.25 else 1 - state.turn
                    after.append(Place(on * self.WIDTH + chance.randrange(self.WIDTH), turn))
                self.links[state] = tuple(dict.fromkeys(after))

    def initial(self) -> Place:
        return Place(0, 0)

    def to_move(self, state: Place) -> int:
        return state.turn

    def moves(self, state: Place) -> Iterator[int]:
        yield from range(len(self.links.get(state, ())))

    def play(self, state: Place, move: int) -> Place:
        return self.links[state][move]

    def outcome(self, state: Place) -> int:
        return self.ends.get(state, pg.ONGOING)

    def evaluate(self, state: Place) -> int:
        return self.values[state]

    def bounds(self, state: Place) -> tuple[int, int]:
        return -self.margin, self.margin

    def state_signs(self, state: Place) -> Iterator[int]:
        yield from (NUMBER, state.place, COLON, PLAYER, state.turn)


TRUTH_GAMES = ("kalah:3,2", "mnk:3,4,3", "hex:3", "reversi:6", "breakthrough:4,3", "connectfour:5,4,3", "chomp:3,4")
"""Games of plyground's that no grade asks about; beside them some tangles."""
TANGLES = ((1, 2, 1), (2, 900, 1), (3, 40, 3), (4, 1, 1), (5, 5_000, 2), (6, 3, 1))
"""Seeds, largest evaluations and utilities of the tangles."""
MOST_TRUTH = 1_500
"""Most nodes of minimax for a question."""
NODES_EACH = 12_000
"""Most nodes that a mutant may enter for a question."""
SECONDS_EACH = 2.0
"""Most CPU seconds that it may take for one."""


Pair = tuple[int, int]
OPEN: Pair = (-INFINITY, INFINITY)


class TruthQuestion(NamedTuple):
    """A question with its truth, for both ways to count the plies of a win."""

    state: Any
    depth: int
    window: Pair
    truths: Pair
    """Value where plies do not count, and where they do."""
    best: tuple[tuple[int, ...], tuple[int, ...]]
    """Moves that have it; none of a finished game."""


def values_of(game: pg.Game[Any], state: Any, depth: int, ply: int) -> Pair:
    """Minimax, as slow as it is plain: the value where the plies of a win do not count, and where they do."""
    if (utility := game.outcome(state)) != pg.ONGOING:
        return final(utility, 0), final(utility, ply)
    if depth == 0:
        return game.evaluate(state), game.evaluate(state)
    values = [values_of(game, game.play(state, move), depth - 1, ply + 1) for move in game.moves(state)]
    better = max if game.to_move(state) == pg.MAX else min
    return better(each for each, _ in values), better(each for _, each in values)


def depth_of(game: pg.Game[Any], state: Any, deepest: int) -> int:
    """Depth to which minimax enters no more than `MOST_TRUTH` nodes."""
    level, nodes = [state], 1
    for depth in range(1, deepest + 1):
        ongoing = [each for each in level if game.outcome(each) == pg.ONGOING]
        level = [game.play(each, move) for each in ongoing for move in game.moves(each)]
        nodes += len(level)
        if nodes > MOST_TRUTH:
            return max(depth - 1, 1)
    return deepest


def make_question(game: pg.Game[Any], state: Any, depth: int) -> TruthQuestion:
    """A question with an open window, and its truth."""
    truths = values_of(game, state, depth, 0)
    moves = [] if game.outcome(state) != pg.ONGOING else [*game.moves(state)]
    after = {move: values_of(game, game.play(state, move), depth - 1, 1) for move in moves}
    best = [tuple(move for move in moves if after[move][counts] == truths[counts]) for counts in (0, 1)]
    return TruthQuestion(state, depth, OPEN, truths, (best[0], best[1]))


QUIET_GAMES = ("mnk:3,4,3", "hex:3", "connectfour:5,4,3", "chomp:3,4", "breakthrough:4,3")
"""Games in which turns alternate and who wins wins by 1, for quiescence."""


def with_calm_leaves(game: pg.Game[Any]) -> pg.Game[Any]:
    """The game, whose static evaluation is the value by lesson 17's `calm`, which has no window and no memory."""
    space: dict[str, Any] = {"__name__": "quiet"}
    exec(loader.lesson("17-horizon").files["quiet.py"], space)
    calm = cache(lambda state: space["calm"](game, state, 1 - 2 * game.to_move(state))[0])
    return replace_rules(game, {"evaluate": staticmethod(calm)})


@cache
def truth_games(*, is_quiet: bool = False) -> tuple[tuple[str, pg.Game[Any]], ...]:
    """Games by their names; of those for quiescence minimax is the truth about it."""
    if is_quiet:
        return tuple((name, with_calm_leaves(game)) for name, game in truth_games() if name in QUIET_GAMES)
    held = {question.name for question in questions()} | {each.name for each in GAMES_HELD}
    assert not held & {*TRUTH_GAMES}, "a grade asks about a game of the truth"
    known = [(name, cache_rules(pg.game_named(name))) for name in TRUTH_GAMES]
    return (*known, *((each.name, each) for each in (Tangle(*numbers) for numbers in TANGLES)))


@cache
def questions_about(name: str, states: int, deepest: int, *, is_quiet: bool = False) -> tuple[TruthQuestion, ...]:
    """Questions about a game in their order: a child before its parent, one depth after the other, and windows."""
    game, chance = dict(truth_games(is_quiet=is_quiet))[name], random.Random(f"{name}{states}")
    found: list[TruthQuestion] = []
    for _ in range(states):
        line = [game.initial()]
        for _ in range(chance.randint(0, 12)):
            if game.outcome(line[-1]) != pg.ONGOING:
                break
            line.append(game.play(line[-1], chance.choice(list(game.moves(line[-1])))))
        for back, state in enumerate(reversed(line[-2:])):  # the child, then its parent one ply deeper
            depths = range(1, depth_of(game, state, deepest + back) + 1)
            found += [make_question(game, state, depth) for depth in depths]
            last = found[-1]
            for low, high in ((-1, 1), (0, 2), (-2, 0), (1, 3), (-30, -10), (10, 30)):
                found.append(last._replace(window=(last.truths[0] + low, last.truths[0] + high)))
            if state.__class__ is Place:
                found += [make_question(game, Place(state.place, 1 - state.turn), depth) for depth in depths[-2:]]
    return tuple(found)


QUICK, THOROUGH = (2, 3), (12, 5)
"""States of each game and depth: few for the plain faults, more for a search without one among these."""


class Fault(NamedTuple):
    """A wrong answer."""

    words: str
    """Question, answer, and the right answer."""
    is_answer: bool
    """Whether value or move are wrong; else there is no answer."""
    is_kept: bool = False
    """Whether the answer is right where the question is the first: what the search keeps makes it wrong."""


class SearchSource:
    """Source of a search, which is run anew for each instance, under limits."""

    def __init__(self, source: str, limit: TimeLimit) -> None:
        self._code, self._limit = compile(source, "mutant.py", "exec"), limit

    def search(self) -> Algorithm:
        """A new instance of the search.

        Raises:
            Exception: its source cannot be run, or has no search.
        """
        space: dict[str, Any] = {"__name__": "mutant"}
        exec(self._code, space)
        return of_function(space["search"], "mutant")

    def reply(
        self,
        search: Algorithm,
        game: pg.Game[Any],
        question: TruthQuestion,
        observer: Observer | None = None,
        *,
        shorter: bool,
    ) -> Pair | str:
        """Answer to a question, or the reason that there is none."""
        alpha, beta = question.window
        given = {"observer": observer or Counting.fresh(NODES_EACH), "state": question.state, "depth": question.depth}
        given |= {"alpha": alpha, "beta": beta, "prefer_shorter": int(shorter), "ply": 0}
        taken = {name: given[name] for name in search.takes if name in given}
        try:
            said = self._limit(partial(search.search, game, **taken))
        except (Stopped, RecursionError, TimeExceeded):
            return "does not end"
        except Exception as error:
            return f"raises {type(error).__name__}: {error}"
        if isinstance(said, tuple) and len(said) == 2 and all(isinstance(each, int) for each in said):
            return int(said[0]), int(said[1])
        return f"returns {said!r:.40}"


def slip_of(answer: Pair | str, question: TruthQuestion, counts: int) -> str:
    """The fault of an answer, where the plies of a win count or do not; empty for a right one.

    Beyond a given window the side is all that counts.
    """
    if isinstance(answer, str):
        return answer
    (value, move), truth, best, (low, high) = answer, question.truths[counts], question.best[counts], question.window
    if not (value == truth or max(value, truth) <= low or min(value, truth) >= high):
        return f"value {value}, right is {truth}"
    if not best and move != pg.NO_MOVE:
        return f"move {move}, and the game is over"
    if best and low < truth < high and move not in best:
        return f"move {move}, right is {' or '.join(map(str, best))}"
    return ""


def find_fault(source: str, limit: TimeLimit, states: int, deepest: int, *, is_quiet: bool = False) -> Fault | None:
    """The first wrong answer of a search; None where all are right.

    A search that is not asked to prefer the shorter win may count plies all the same, if it does so everywhere.
    """
    loaded = SearchSource(source, limit)
    try:
        takes = loaded.search().takes
    except Exception as error:
        return Fault(f"cannot be loaded: {error}", is_answer=False)
    chooses = "prefer_shorter" in takes
    ways = {0, 1}
    for name, _ in truth_games(is_quiet=is_quiet):
        game = dict(truth_games())[name]
        for shorter in (True, False) if chooses else (False,):
            search = loaded.search()
            for question in questions_about(name, states, deepest, is_quiet=is_quiet):
                if question.window != OPEN and "alpha" not in takes:
                    continue
                ways = {int(shorter)} if chooses else ways
                answer = loaded.reply(search, game, question, shorter=shorter)
                slips = {each: slip_of(answer, question, each) for each in ways}
                if all(slips.values()):
                    alone = loaded.reply(loaded.search(), game, question, shorter=shorter)
                    is_kept = not all(slip_of(alone, question, each) for each in ways)
                    window = "" if question.window == OPEN else f" window {question.window}"
                    how = f" prefer_shorter={shorter}" if chooses else ""
                    said = f"{min(slips.items())[1]}{', after other questions' if is_kept else ''}"
                    where = f'{name} "{game.text(question.state)}" depth {question.depth}{window}{how}'
                    return Fault(f"{where}: {said}", not isinstance(answer, str), is_kept)
                ways = {each for each in ways if not slips[each]}
    return None


def fault_at(
    source: str, limit: TimeLimit, name: str, game: pg.Game[Any], state: Any, depth: int, window: Pair
) -> Fault | None:
    """A wrong answer to one question, that of a grade, put to a new instance; None where it is right."""
    loaded = SearchSource(source, limit)
    search, question = loaded.search(), make_question(game, state, depth)._replace(window=window)
    answer = loaded.reply(search, plain_game(game), question, shorter=True)
    ways = (1,) if "prefer_shorter" in search.takes else (0, 1)
    slips = [slip_of(answer, question, counts) for counts in ways]
    if not all(slips):
        return None
    words = f'{name} "{game.text(state)}" depth {depth}, a question of the grade: {slips[0]}'
    return Fault(words, isinstance(answer, tuple))


def find_false_node(source: str, limit: TimeLimit, states: int, deepest: int, *, is_quiet: bool = False) -> str:
    """A node of a search with right answers that reports a value which is none, nor a bound for its window.

    Empty where there is none, or where the search reports no windows though it has them. A node whose window is closed
    may have any value. Values may be x's or the mover's.
    """
    loaded = SearchSource(source, limit)
    takes = loaded.search().takes
    shorter, signs = "prefer_shorter" in takes, {1, -1}
    for name, game in truth_games(is_quiet=is_quiet):
        search = loaded.search()
        for question in questions_about(name, states, deepest, is_quiet=is_quiet):
            if question.window != OPEN and "alpha" not in takes:
                continue
            recording = Recording(NODES_EACH)
            loaded.reply(search, dict(truth_games())[name], question, recording, shorter=shorter)
            root = max((place for place, node in enumerate(recording.nodes) if node.parent < 0), default=0)
            nodes = recording.nodes[root:]
            if "alpha" in takes and nodes and all((node.alpha, node.beta) == OPEN for node in nodes[1:]):
                continue
            for node in nodes:
                signs = {sign for sign in signs if _is_sound(game, node, question.depth, shorter, sign)}
                if not signs:
                    where = f'{name} "{game.text(question.state)}" depth {question.depth}'
                    return f'{where}: its node "{game.text(node.state)}" reports {node.value}'
    return ""


def _is_sound(game: pg.Game[Any], node: Entered, depth: int, shorter: bool, sign: int) -> bool:
    """Whether a node's value is its own or a bound for its window, where o's nodes report values times `sign`."""
    turn = sign if game.to_move(node.state) == pg.MIN else 1
    low, high = sorted((turn * node.alpha, turn * node.beta))
    value = turn * node.value
    truth = values_of(game, node.state, max(depth - node.level, 0), node.level)[shorter]
    return node.alpha >= node.beta or value == truth or truth <= value <= low or truth >= value >= high
