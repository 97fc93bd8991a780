"""Data of the lessons' animated pictures other than search trees, each recorded from a run."""

import random
from collections.abc import Callable, Sequence
from typing import Any

from motion import bars, bits, game_in_boards, growing, walk

import plyground as pg
from plyground.arena.statistics.sprt import SPRT
from plyground.players import PlayerLike
from plyground.search.algorithm import Algorithm, of_function
from plyground.web.lessons import loader
from plyground.web.lessons.examples import Lines

Words = Callable[[pg.Position], str]
COLUMNS, ROWS = 7, 6


def pictures() -> dict[str, str]:
    """Each picture by the name of its file."""
    start, fork = pg.Position.initial(pg.MNK()), ["a1", "b2", "b3", "c1", "a3", "b1", "a2"]
    sent = pg.Position.initial(pg.Ultimate())
    horizon = pg.Position.parse(pg.ConnectFour(), "d d e e")
    pawn = pg.Position.parse(pg.Gardner(), "k4/5/1K3/1P3/5 w - - 0 0")
    gives_way = ["Kc4", "Ka4", "b3", "Ka3", "b4", "Kb2", "Kd3", "Ka1", "b5=Q"]
    *_, solved = pg.think(horizon, pg.Limit(depth=4))
    return {
        "game": game_in_boards("A game of five moves", game(start, ["b2", "a1", "b1", "c3", "b3"], stands)),
        "fork": game_in_boards("A game that the expert loses", game(start, fork, worth)),
        "sent": game_in_boards("Each move names the next board", game(sent, ["e5", "d4", "a1", "b2"], evaluated)),
        "lines": game_in_boards("A game line by line", spoken(start)),
        "deepening": bars("Nodes of each depth", depth_bars()),
        "growing": growing(pg.Position.parse(pg.MNK(), "xx./.o./...:o"), 24),
        "shifts": bits("Four in a row by shifting", shifted(), COLUMNS, ROWS),
        "beyond": game_in_boards("Beyond the horizon", game(horizon, solved.line, evaluated)),
        "sprt": walk("A sequential test", *by_depth()),
        "zugzwang": game_in_boards("Zugzwang", game(pawn, gives_way, evaluated)),
        "thrown-out": walk("A sequential test of late move reductions", *by_reductions()),
        "prior": walk("A sequential test of a prior", *by_prior()),
    }


def of_lesson(name: str, file: str) -> dict[str, Any]:
    """Names of a file that a lesson has its readers write."""
    space: dict[str, Any] = {"__name__": "lesson"}
    exec(loader.lesson(name).files[f"{file}.py"], space)
    return space


def of_lines(name: str) -> dict[str, Any]:
    """Names of all files of a lesson, and those that its lines of Python define; what these do besides is left out."""
    files = [file.removesuffix(".py") for file in loader.lesson(name).files]
    space = {key: value for file in files for key, value in of_lesson(name, file).items()}
    for example in loader.lesson(name).examples:
        for source in example.sources if isinstance(example, Lines) else ():
            if source.startswith(("def ", "import ", "from ")) and source.split()[1] not in files:
                exec(source, space)
    return space


def search_of(name: str, function: str, file: str = "") -> Algorithm:
    """A search that a lesson has its readers write, in a file of its name if no other is given."""
    return of_function(of_lesson(name, file or function)[function], function)


def game(position: pg.Position, moves: Sequence[str], words: Words) -> list[tuple[pg.Position, str]]:
    """Positions from one on, each with the move that leads to it and words about it."""
    met = [(position, words(position))]
    for move in moves:
        position = position.play(move)
        met.append((position, f"{move}: {words(position)}"))
    return met


def stands(position: pg.Position) -> str:
    """Result of a finished game, else the side to move."""
    return position.result if position.outcome is not None else f"{position.game.names[position.to_move]} to move"


def worth(position: pg.Position) -> str:
    """Exact score, by a search to the end."""
    if position.outcome is not None:
        return position.result
    return pg.search(position, "alphabeta", 9).score.text(position.game.names)


def evaluated(position: pg.Position) -> str:
    """Static evaluation for the first player, or the result of a finished game."""
    if position.outcome is not None:
        return position.result
    return f"{position.game.evaluate(position.state):+}".replace("-", "−")


def spoken(position: pg.Position) -> list[tuple[pg.Position, str]]:
    """A game of lesson 9's player, o, against the first free cell, with the line that is written for each move."""
    met = [(position, "")]
    while position.outcome is None:
        is_player = position.to_move == 1
        move = pg.search(position, "alphabeta", 6).move if is_player else position.legal_moves[0]
        cell = position.game.move_text(position.state, move)
        position = position.play(move)
        line = f"{ord(cell[0]) - 96},{cell[1:]}"
        met.append((position, f"writes {line}" if is_player else f"reads ({line})."))
    return met


def depth_bars() -> list[tuple[str, int, str]]:
    """Depth, nodes of that depth alone, and the move, as lesson 10 prints them."""
    found, before = [], 0
    for report in pg.think(pg.Position.initial(pg.ConnectFour()), pg.Limit(depth=6)):
        found.append((f"depth {report.depth}", report.nodes - before, f"{report.move_text} {report.nodes - before}"))
        before = report.nodes
    return found


def shifted() -> list[tuple[int, str]]:
    """The steps of lesson 16's `has_four` along a row: who has moved has four."""
    mine = marks = 0
    for column in (2, 2, 3, 3, 4, 4, 5):
        mine, marks = mine ^ marks, marks | marks + (1 << column * (ROWS + 1))
    mine ^= marks
    step = ROWS + 1
    pairs = mine & mine >> step
    return [
        (mine, "mine"),
        (mine >> step, f"mine >> {step}"),
        (pairs, "both: pairs"),
        (pairs >> 2 * step, f"pairs >> {2 * step}"),
        (pairs & pairs >> 2 * step, "both: four"),
    ]


def by_depth() -> tuple[list[float], float, tuple[str, str]]:
    """Lesson 18's test: depth 2 against depth 1 in Connect Four."""
    new, base = (pg.player_named(f"alphabeta:depth={depth}") for depth in (2, 1))
    return run_test(pg.game_named("connectfour:5,4,4"), new, base)


def by_reductions() -> tuple[list[float], float, tuple[str, str]]:
    """Lesson 19's test: late move reductions in Breakthrough, at 500 nodes a move."""
    player = of_lines("19-selective")["player"]
    new, base = (player(search_of("19-selective", name, "selective")) for name in ("reducing", "plain"))
    return run_test(pg.game_named("breakthrough:6,5"), new, base)


def by_prior() -> tuple[list[float], float, tuple[str, str]]:
    """Lesson 20's first test: PUCT with a learned prior against UCB1, at 30 simulations a move."""
    names = of_lines("20-policy")
    *_, step = pg.learn("breakthrough:5,5", games=1_500, seed=1)
    new = names["player"](names["policy"]((4, 0)), names["playouts"](1), names["puct"])
    base = names["player"](names["alike"], names["playouts"](2), names["ucb1"])
    return run_test(step.game, new, base)


def run_test(rules: pg.Game[Any], new: PlayerLike, base: PlayerLike) -> tuple[list[float], float, tuple[str, str]]:
    """Log-likelihood ratio after each pair of games until the test ends, its bound, and words of both ends."""
    start, chance = pg.Position.initial(rules), random.Random(1)
    test, pairs, found = SPRT(0, 100), [0] * 5, list[float]()
    while test.decision(pairs) is None:
        opening = start
        for _ in range(4):
            opening = opening.play(chance.choice(opening.legal_moves))
        as_x, as_o = (pg.play_match(opening, pair).utility or 0 for pair in ((new, base), (base, new)))
        pairs[2 + as_x - as_o] += 1
        found.append(test.llr(pairs))
    return found, test.bounds[1], ("no better", "better")
