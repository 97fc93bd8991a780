"""Techniques of search tried one at a time, each with and without, in equal CPU time, until SPRT accepts or rejects it.

`python bench/techniques.py GAME TECHNIQUE [--nodes 10000] [--games 1200]` plays one test and keeps its result in
`bench/techniques.json`; without words it writes the table of all results into `bench/ANALYSIS.md`.

A technique is a change of the text of `plyground/search/pvs.py`, made here and compiled beside the search as it is; so
one that was thrown away can be tried again. Both sides have a number of nodes for a move, so that a seed repeats the
games on any machine, however busy; the numbers differ by as much as the two searches' speeds, measured beforehand.

`selective` is what the players of the engine leave out now: no change of the text, but `think` as players ask it
against `think` as an analysis does, with all that either does when it finds an end.
"""

import argparse
import importlib.util
import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from analysis import silenced
from sections import write

import plyground as pg
from plyground.arena.statistics.sprt import SPRT
from plyground.compiled.kernel import kernel
from plyground.play.move_note import MoveEvaluation
from plyground.rules import LONGEST, MAX, NO_MOVE
from plyground.score import ESTIMATES, INFINITY, Score
from plyground.search import pvs as engine
from plyground.search.context import GUESSES, ROOT_MOVE, STACK, new_search_context
from plyground.search.observer import Counting, Stopped
from plyground.search.table import new_table

RESULTS: Final = Path(__file__).parent / "techniques.json"
BUILD: Final = Path(__file__).parents[1] / "build" / "techniques"
TEST: Final = (0.0, 30.0)
"""Bounds of the test, in normalised Elo."""
ENTRIES: Final = 1 << 15
"""Entries of the transposition table for a move."""
RESIGNED: Final = {"chess": (4, 600), "gardner": (4, 600), "draughts": (4, 40)}
DRAWN: Final = {"chess": (8, 15, 100), "gardner": (8, 15, 60), "draughts": (8, 3, 80)}
"""Adjudication by the scores of both sides: number of plies, points, and for draws the first ply."""
SAMPLE: Final = 24
"""Positions by which the speeds are compared."""
CALM: Final = (
    "    best, choice = stand, NO_MOVE\n",
    """\
    best, choice = stand, NO_MOVE
    calm = LEAST <= depth <= MOST and ply > 0 and not (game.has_noise and game.is_forced(state))
""",
)
"""Whether moves of a node may be reduced or left out."""
BEFORE_MOVES: Final = "    # 3. The moves, and what foresight tells."
BEFORE_ORDER: Final = "    # 5. The order:"
BRANCH: Final = (
    "            child, gain = child_after(game, state, move, depth, prefer_shorter, ply)\n            if together:"
)
FIRST: Final = "    index, unasked, work = -1 if may_pass and depth > NULL_MOVE_REDUCTION else 0, count, 0\n"
NULL_WINDOW: Final = "ply > 0 and beta - alpha == 1 and -ESTIMATES < beta < ESTIMATES"


def reduced(amount: str, depth: int = 3, first: int = 3) -> tuple[tuple[str, str], ...]:
    """Late move reductions: quiet moves after the first few are searched less deep, and again if they are better."""
    return (
        (CALM[0], CALM[1].replace("LEAST", str(depth)).replace("MOST", "FOREVER // 2")),
        (
            "        narrow = index > 0 and beta - alpha > 1\n",
            f"""\
        if calm and depth >= {depth} and index >= {first} and not game.is_noisy(state, move):
            less = {amount}
        narrow = index > 0 and beta - alpha > 1
""",
        ),
    )


def null_move(plies: int, may: str, passed: str) -> tuple[tuple[str, str], ...]:
    """Null move: where even to pass would be good enough, by a search less deep, a move is."""
    return (
        (
            BEFORE_ORDER,
            f"""\
    if 2 < depth < FOREVER // 2 and {NULL_WINDOW} and {may} and not game.is_forced(state):
        if side * game.evaluate(state) >= beta:
            above, sure = scratch[RESTS], scratch[GUESSES]
            value = -pvs(
                game, observer, context, {passed}, max(depth - 1 - {plies}, 0), -beta, 1 - beta,
                prefer_shorter, ply + 1, top + 2 * count,
            )
            scratch[RESTS], scratch[GUESSES] = above, sure
            if value >= beta:
                scratch[GUESSES] += 1
                value = min(value, ESTIMATES - 1)
                observer.leave(value, NO_MOVE)
                return value

{BEFORE_ORDER}""",
        ),
    )


def futile(margin: str) -> tuple[tuple[str, str], ...]:
    """Futility: near the horizon, quiet moves are left out where the evaluation is far below the window."""
    return (
        (CALM[0], CALM[1].replace("LEAST", "1").replace("MOST", "2")),
        (
            FIRST,
            f"""\
{FIRST}    hope = INFINITY
    if calm and 0 < depth <= 2 and -ESTIMATES < alpha < ESTIMATES:
        hope = side * game.evaluate(state) + depth * {margin}
""",
        ),
        (
            BRANCH,
            f"""\
            if index > 0 and hope <= alpha and best > -ESTIMATES and not game.is_noisy(state, move):
                scratch[GUESSES] += 1
                best = max(best, hope)
                index += 1
                continue
{BRANCH}""",
        ),
    )


def static_null(margin: str, deepest: int = 3) -> tuple[tuple[str, str], ...]:
    """Reverse futility: near the horizon, an evaluation far above the window stands for the search."""
    return (
        (
            BEFORE_MOVES,
            f"""\
    if 0 < depth <= {deepest} and {NULL_WINDOW} and not (game.has_noise and game.is_forced(state)):
        hope = side * game.evaluate(state) - depth * {margin}
        if hope >= beta:
            scratch[GUESSES] += 1
            observer.leave(hope, NO_MOVE)
            return hope

{BEFORE_MOVES}""",
        ),
    )


CHESS_PASS: Final = (
    "state.mine & (state.knights | state.diagonals | state.straights) != 0",
    "ChessState(state.theirs, state.mine, state.pawns, state.knights, state.diagonals, state.straights, "
    "state.rights & 15, state.quiet, 1 - state.turn)",
)
BREAKTHROUGH_PASS: Final = "True", "BreakthroughState(state.theirs, state.mine, 1 - state.turn)"
PASSES: Final = {
    "chess": ("from plyground.games.chess_rules import ChessState\n", *CHESS_PASS),
    "gardner": ("from plyground.games.chess_rules import ChessState\n", *CHESS_PASS),
    "breakthrough": ("from plyground.games.breakthrough import BreakthroughState\n", *BREAKTHROUGH_PASS),
}
"""By games in which to pass is hardly ever best: what is imported, whether it may be tried, and the state after it."""


def changes(game: str, technique: str) -> tuple[tuple[str, str], ...]:
    """Texts of the search, and what stands there instead with a technique."""
    unit = pg.game_named(game).unit[1]
    head = "from typing import Any, Final\n"
    match technique.split():
        case ["reductions"]:
            return reduced("1")
        case ["reductions", "2"]:
            return reduced("1 + (1 if index >= 8 and depth >= 5 else 0)")
        case ["reductions", "late"]:
            return reduced("1", first=6)
        case ["null", "move", plies]:
            what, may, passed = PASSES[game]
            return (head, head + what), *null_move(int(plies), may, passed)
        case ["futility", halves]:
            return futile(str(unit * int(halves) // 2))
        case ["static", "null", halves]:
            return static_null(str(unit * int(halves) // 2))
    raise SystemExit(f"There is no technique {technique!r}.")


@lru_cache
def changed(game: str, technique: str) -> Callable[..., int]:
    """The search with a technique: its text, changed, as a module of its own."""
    text = Path(engine.__file__).read_text(encoding="utf-8")
    for old, new in changes(game, technique):
        if text.count(old) != 1:
            raise SystemExit(f"{technique}: the search has no single place {old!r}.")
        text = text.replace(old, new)
    BUILD.mkdir(parents=True, exist_ok=True)
    file = BUILD / f"{game}_{technique.replace(' ', '_')}.py"
    file.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module.pvs  # type: ignore[no-any-return]


@dataclass
class Side(pg.Player):
    """The engine with a technique, or without, with a number of nodes for each move."""

    game: str
    technique: str
    nodes: int
    name: str = field(init=False)

    def __post_init__(self) -> None:
        self.name = self.technique or "as it is"

    @property
    def search(self) -> Callable[..., int]:
        """The search that is called."""
        game, technique = pg.game_named(self.game), self.technique
        if technique == "no quiescence":
            return kernel(engine.pvs, _silent(self.game))
        is_changed = technique and not technique.startswith("aspiration")
        return kernel(changed(self.game, technique) if is_changed else engine.pvs, game)

    def choose(self, position: pg.Position, seconds: float | None) -> int:
        """The move of the last depth that was searched within the nodes."""
        game, state = position.game, position.state
        half = int(self.technique.split()[1]) * game.unit[1] // 4 if self.technique.startswith("aspiration") else 0
        context = new_search_context(game, state, new_table(state, ENTRIES), position.last_times())
        search, scratch, observer = self.search, context.scratch, Counting.fresh(self.nodes)
        move, value = position.legal_moves[0], 0
        try:
            for depth in range(1, LONGEST):
                low, high = -INFINITY, INFINITY
                if half and depth > 2:
                    low, high = value - half, value + half
                guesses = scratch[GUESSES]
                value = search(observer, context, state, depth, low, high, 1, 0, STACK)
                if half and depth > 2 and not low < value < high:
                    guesses = scratch[GUESSES]
                    value = search(observer, context, state, depth, -INFINITY, INFINITY, 1, 0, STACK)
                move = scratch[ROOT_MOVE]
                if scratch[GUESSES] == guesses or abs(value) >= ESTIMATES:
                    break
        except Stopped:
            pass
        assert move != NO_MOVE
        value *= 1 if position.to_move == MAX else -1
        sure = abs(value) >= ESTIMATES
        self._move_evaluation = MoveEvaluation(Score((value > 0) - (value < 0)) if sure else Score(points=value))
        return move


@dataclass
class Thinking(Side):
    """The engine as its players have it, selective or not."""

    def choose(self, position: pg.Position, seconds: float | None) -> int:
        """The move of the last report within the nodes."""
        limit = pg.Limit(nodes=self.nodes)
        return self._pick_move([*pg.think(position, limit, table=8, selective=self.technique == "selective")][-1])


def side(game: str, technique: str, nodes: int, against: str = "") -> Side:
    """A side of a test of a technique, which is its own or the other side's."""
    return (Thinking if "selective" in (technique, against) else Side)(game, technique, nodes)


@lru_cache
def _silent(game: str) -> Any:
    return silenced(pg.game_named(game))


def sample(game: str) -> Iterator[pg.Position]:
    """Positions after random moves."""
    chance = random.Random(1)
    for number in range(SAMPLE):
        position = pg.Position.initial(game)
        for _ in range(4 + number):
            if position.outcome is None:
                after = position.play(chance.choice(position.legal_moves))
                position = after if after.outcome is None else position
        yield position


def speed(one: Side, other: Side) -> float:
    """How many nodes the first searches while the other searches one, by CPU time, the best of some runs of each."""
    positions = [*sample(one.game)]
    spent = {one.name: 0.0, other.name: 0.0}
    for side in (one, other):
        side.choose(positions[0], None)  # compiled before the clock starts
    for position in positions:
        for side in (one, other):
            runs = []
            for _ in range(4):
                begun = time.process_time()
                side.choose(position, None)
                runs.append(time.process_time() - begun)
            spent[side.name] += min(runs)
    return spent[other.name] / spent[one.name]


def tested(game: str, technique: str, nodes: int, games: int) -> dict[str, Any]:
    """The result of a test of a technique against the search as it is."""
    with_it, without = side(game, technique, nodes), side(game, "", nodes, technique)
    if technique == "no quiescence":
        with_it, without = without, with_it
    ratio = speed(with_it, without)
    slower = side(game, with_it.technique, max(round(nodes * ratio), 100), technique)
    begun, test = time.perf_counter(), SPRT(*TEST)

    def told(result: pg.MatchResult) -> None:
        if len(result.games) % 50 == 0:
            print(f"{game}, {technique}: {len(result.games)} games, {result}", flush=True)

    early: Any = {"resign": RESIGNED.get(game), "draw": DRAWN.get(game)}
    result = pg.match(slower, without, game=game, games=games, random_plies=6, sprt=TEST, seed=1, on_pair=told, **early)
    pairs = [0] * 5
    for one, two in zip(result.games[::2], result.games[1::2], strict=True):
        pairs[round(2 * (one.points + two.points))] += 1
    low, high = result.interval
    return {
        "game": game,
        "technique": "quiescence" if technique == "no quiescence" else technique,
        "nodes": nodes,
        "speed": round(ratio, 3),
        "pairs": pairs,
        "elo": round(result.elo),
        "low": round(low),
        "high": round(high),
        "llr": round(test.llr(pairs), 2),
        "decision": result.decision,
        "minutes": round((time.perf_counter() - begun) / 60, 1),
    }


HEAD: Final = """\
**Techniques.** Written by `python bench/techniques.py`, from the tests in `bench/techniques.json`: the engine with a
technique against the engine without it, in equal CPU time (nodes a move are fixed, and with the technique as many times
more or fewer as `speed` says, measured beforehand), by an SPRT of {low:g} against {high:g} normalised Elo, with 5 % for
either error. Openings of six random plies are played with both sides. Clearly won and drawn games of chess, Gardner and
draughts are adjudicated. `pairs` are those that brought the technique 0, 1/2, 1, 3/2 and 2 points. What was
rejected or is undecided is switched off, but for null move in Gardner: undecided alone, it is a part of `selective`,
which was accepted there. Two techniques that were accepted in draughts are off as well: as players would have them, an
end searched again without, they were not stronger ([TRIED.md](TRIED.md)).

| game | technique | nodes | speed | pairs | games | Elo | 95 % | LLR | so | in the engine |
|---|---|--:|--:|---|--:|--:|---|--:|---|---|
"""
SO: Final = {"H1": "accepted", "H0": "rejected", None: "undecided"}


def is_on(name: str, technique: str) -> bool:
    """Whether the engine has a technique now, by what the game says of itself."""
    game = pg.game_named(name)
    match technique.split():
        case ["quiescence"]:
            return bool(game.has_noise)
        case ["selective"]:
            return bool(game.has_selective_search)
        case ["null", "move", _] | ["static", "null", _]:
            return bool(game.has_pass)
        case ["reductions"]:
            return game.late_move_reductions
    return False  # the search has no aspiration windows, no futility and no other reductions


def table() -> str:
    """The results as a section, the last test of each technique in each game."""
    rows = [json.loads(line) for line in RESULTS.read_text(encoding="utf-8").splitlines()]
    last = {(row["technique"], row["game"]): row for row in rows}
    text = HEAD.format(low=TEST[0], high=TEST[1])
    for row in (last[key] for key in sorted(last)):
        pairs = " ".join(map(str, row["pairs"]))
        cells = [
            row["game"],
            row["technique"],
            f"{row['nodes']:,}",
            f"{row['speed']:.2f}",
            pairs,
            2 * sum(row["pairs"]),
        ]
        cells += [f"{row['elo']:+}", f"{row['low']:+} to {row['high']:+}", f"{row['llr']:.2f}", SO[row["decision"]]]
        cells.append("yes" if is_on(row["game"], row["technique"]) else "no")
        text += "| " + " | ".join(map(str, cells)) + " |\n"
    return text


def main() -> None:
    """Play a test, or write the table."""
    asked = argparse.ArgumentParser(description="Techniques of search, by SPRT.")
    asked.add_argument("game", nargs="?")
    asked.add_argument("technique", nargs="*")
    asked.add_argument("--nodes", type=int, default=4_000)
    asked.add_argument("--games", type=int, default=1_200)
    options = asked.parse_args()
    if options.game:
        row = tested(options.game, " ".join(options.technique), options.nodes, options.games)
        print(row)
        with RESULTS.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
    write(table())


if __name__ == "__main__":
    main()
