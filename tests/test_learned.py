"""A learned evaluation in use: its file, the rules with it, players that ask it, and how rounds are merged and kept."""

import json
import pickle
import random
import subprocess
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
from games import random_states
from waiting import LIMIT, until

import plyground as pg
from plyground.arena.learning.strength import PacedPlayer, first_choice, kept_values, measure_strength, solved_positions
from plyground.board.bits import flat
from plyground.compiled.kernel import kernel
from plyground.engine.run import prepare
from plyground.errors import BadInput
from plyground.games import AnyGame, game_named
from plyground.learning import network as net
from plyground.learning.learned_rules import Learned
from plyground.learning.rounds import Learner
from plyground.learning.slimming import count_uses, positions_using, slim
from plyground.learning.weights_file import (
    LearnedWeights,
    packed_weights,
    playouts_hash,
    read_weights,
    write_weights,
)
from plyground.players import HARMLESS, player_named
from plyground.rules import ONGOING, board_of
from plyground.search.context import SearchContext, new_search_context
from plyground.search.evaluations import evaluations
from plyground.search.memory import Memory, new_memory, read_state, write_state
from plyground.search.observer import Counting
from plyground.search.table import new_table

COMMAND = [sys.executable, "-c", "from plyground.__main__ import main; main()"]


class Here:
    """Tasks done in this process, in an order of their own."""

    def __init__(self, order: Callable[[list[Any]], Iterable[Any]] = list) -> None:
        self.order = order

    width = 1

    def map(
        self,
        work: Callable[[Any], Any],
        tasks: Iterable[Any],
        *,
        on_report: Callable[[Any], None] | None = None,
        alone: bool = False,
    ) -> Iterator[tuple[Any, Any]]:
        """Each task with its result."""
        for task in self.order(list(tasks)):
            yield task, work(task)


@cache
def at_random(spec: str, large: bool = False) -> LearnedWeights:
    """Random weights of a game."""
    game, chance = game_named(spec), random.Random(5)
    network = net.network_of(game, 12, large=large)
    weights = array("h", [chance.randrange(-32767, 32768) for _ in range(network.weights)])
    return LearnedWeights(network, weights, spec, pg_fingerprint(game), {"seed": 5}, {})


def pg_fingerprint(game: AnyGame) -> str:
    """The fingerprint of rules, as a learner notes it."""
    return Learner(game, "").rules


def obvious(weights: LearnedWeights, game: AnyGame, state: Any) -> int:
    """The sum of weights, group by group, from what the page shows of the board."""
    numbers, board = weights.network.numbers, board_of(game)
    told = list(game.stands(state))
    cells = [number & 255 for number in told[: len(board.places)]]
    for number in told[len(board.places) :]:
        won, closed, idle = number & 3, bool(number & 4), bool(number & 8)
        cells.append(won or (3 if closed else 0 if idle else 4))
    taken = sum(cell > 0 for cell in cells[: len(board.places)])
    if numbers[net.FILLABLE]:
        for move in game.moves(state):
            [place] = game.path(state, move)
            assert cells[place] == 0
            cells[place] = 3  # after 1, a mark of x, and 2, one of o
    stage = (taken - numbers[net.LOW_FIELD]) * numbers[net.STAGES] // numbers[net.SPREAD]
    part = 2 * max(0, min(numbers[net.STAGES] - 1, stage)) + game.to_move(state)
    total, length = 0, numbers[net.LENGTH]
    for lookup in range(numbers[net.LOOKUPS]):
        index = numbers[net.ELEMENTS + numbers[net.LOOKUPS] * length + lookup]
        for element in numbers[net.ELEMENTS + lookup * length :][:length]:
            index += cells[element & 65535] * (element >> 16)
        total += weights.weights[part * numbers[net.SIZE] + index]
    if numbers[net.HAND]:
        given = max(-4096, min(4096, game.evaluate(state) * 1024 // numbers[net.HAND]))
        total += weights.weights[2 * numbers[net.STAGES] * numbers[net.SIZE] + part] * given >> 10
    return max(1 - 2**19, min(2**19 - 1, total))


SUMMED = [("connectfour:5,4,3", False), ("connectfour:5,4,3", True), ("hex:4", False), ("reversi:4", False)]


@pytest.mark.parametrize(("spec", "large"), SUMMED)
def test_the_evaluation_is_the_obvious_sum(spec: str, large: bool) -> None:
    """With random weights, all else being the game's; its terms sum to it, and the law of evaluations holds.

    So it is by what has changed since another state, whichever that was, with a memory that does not begin at 0.
    """
    game, weights = game_named(spec), at_random(spec, large)
    learned: AnyGame = Learned(game, weights)
    memory = new_memory(7 + learned.evaluation_memory)
    for state in random_states(game, 20):
        assert learned.evaluate(state) == obvious(weights, game, state)
        assert learned.evaluate_again(state, memory, 7) == learned.evaluate(state)
        assert sum(points for _, points in learned.explain(state)) == learned.evaluate(state)
        assert list(learned.moves(state)) == list(game.moves(state)) and learned.text(state) == game.text(state)


def evaluated_again(
    game: AnyGame, observer: Counting, context: SearchContext, pattern: Any, states: Memory, values: Memory, count: int
) -> int:
    """The evaluations of many states as the engine asks for them."""
    width = len(flat(pattern))
    for index in range(count):
        observer.poll()
        values[index] = context.evaluation(game, read_state(states, width * index, pattern))
    return count


@pytest.mark.compiled
@pytest.mark.parametrize(("spec", "large"), [("ultimate", False), ("connectfour:5,4,3", True)])
def test_compiled_the_evaluation_is_the_same(spec: str, large: bool) -> None:
    """Evaluations of many states in one call, in a game with areas, and where places that can be filled are told."""
    game = game_named(spec)
    learned: AnyGame = Learned(game, at_random(spec, large))
    states = random_states(game, 60)
    width = len(states[0])
    words, values = new_memory(width * len(states)), new_memory(len(states))
    for place, state in enumerate(states):
        write_state(words, width * place, state)
    run = kernel(evaluations, learned)
    run(Counting.fresh(), states[0], words, values, len(states))
    assert run.why_plain is None
    again, counted = kernel(evaluated_again, learned), new_memory(len(states))
    context = new_search_context(learned, states[0], new_table(states[0], 1))
    again(Counting.fresh(), context, states[0], words, counted, len(states))
    assert again.why_plain is None
    found = [learned.evaluate(state) for state in states]
    assert list(counted) == list(values) == found == [obvious(at_random(spec, large), game, state) for state in states]


def test_rules_with_a_learned_evaluation_are_equal_by_their_weights(tmp_path: Path) -> None:
    """After pickling, and after writing and reading; not where one weight differs."""
    weights = at_random("hex:4")
    write_weights(weights, tmp_path / "hex.weights")
    game = game_named("hex:4")
    learned: AnyGame = Learned(game, weights)
    assert learned == Learned("hex:4", tmp_path / "hex.weights") == pickle.loads(pickle.dumps(learned))
    other = array("h", weights.weights)
    other[0] += 1
    assert learned != Learned(game, replace(weights, weights=other)) and learned != game
    assert read_weights(tmp_path / "hex.weights", game).made == {"seed": 5}


def test_files_that_are_no_weights_for_a_game_are_refused(tmp_path: Path) -> None:
    """Cut short, with a byte changed, of other rules, of another kind, missing: a sentence each."""
    file, game = tmp_path / "hex.weights", game_named("hex:4")
    write_weights(at_random("hex:4"), file)
    whole = file.read_bytes()
    for content in (
        whole[:-1],
        whole[:300],
        whole[:-9] + b"x" + whole[-8:],
        whole.replace(b'"weights": ', b'"weights": 1'),
    ):
        file.write_bytes(content)
        with pytest.raises(BadInput, match="damaged or cut short"):
            read_weights(file, game)
    first, header, packed = whole.split(b"\n", 2)
    said = json.loads(header)
    said["network"][net.ELEMENTS] = 4000  # a cell that is not on the board
    file.write_bytes(b"\n".join([first, json.dumps(said).encode(), packed]))
    with pytest.raises(BadInput, match="shape of these weights is damaged"):
        read_weights(file, game)
    file.write_bytes(whole)
    with pytest.raises(BadInput, match="was learned for hex:4, with other rules or options"):
        Learned("hex:5", file)
    for hash_of, is_read in ((playouts_hash(game), True), (playouts_hash(game_named("hex:5")), False)):
        made = {"playouts": hash_of}  # code of the same rules may have changed since
        write_weights(replace(at_random("hex:4"), rules="another", made=made), file)
        if is_read:
            assert read_weights(file, game).made == made
        else:
            with pytest.raises(BadInput, match="with other rules or options"):
                read_weights(file, game)
    write_weights(
        at_random("connectfour:5,4,3", large=True), file
    )  # an earlier version would take it for another shape
    assert file.read_bytes().startswith(b"plyground weights 2\n") and whole.startswith(b"plyground weights 1\n")
    assert read_weights(file, game_named("connectfour:5,4,3")).weights == at_random("connectfour:5,4,3", True).weights
    file.write_text("Hello")
    with pytest.raises(BadInput, match="no file of weights"):
        read_weights(file, game)
    with pytest.raises(BadInput, match="cannot be read"):
        Learned(game, tmp_path / "none")


def test_players_search_by_the_weights_of_a_file(tmp_path: Path) -> None:
    """A player with weights plays as the search by the rules with them; a stranger cannot name a file."""
    file, position = tmp_path / "c4.weights", pg.Position.initial("connectfour:5,4,3").play("c")
    write_weights(at_random("connectfour:5,4,3"), file)
    learned: AnyGame = Learned(position.game, file)
    for name in ("alphabeta:depth=2", "minimax:2", "engine:nodes=50", "level:best,nodes=50,seed=1"):
        player = player_named(f"{name},eval={file}")
        expected = player_named(name).choose(position.under(learned), None)
        assert player.choose(position, None) == expected and str(file) in player.name
    with pytest.raises(BadInput, match="the command line alone may name a file of weights"):
        HARMLESS.make(f"engine:eval={file}")
    with pytest.raises(BadInput, match="no file of weights"):
        player_named(f"engine:eval={tmp_path / 'none'}")


def test_an_estimate_is_a_chance() -> None:
    """A learned evaluation has a chance in any game, because it is a logit."""
    learned: AnyGame = Learned("hex:4", at_random("hex:4"))
    position = pg.Position.initial(learned)
    *_, report = pg.think(position, pg.Limit(depth=1))
    assert report.score.points is None or report.score.chance is not None


@pytest.mark.compiled
def test_learning_in_python(tmp_path: Path) -> None:
    """Its weights are those of as many rounds by the learner, and are read from the file; the curve's last share is
    that of the first choices, counted again; no games and no time are refused at once."""
    game = game_named("mnk:3,3,3")
    twin, steps = Learner(game, "mnk:3,3,3", 4), list(pg.learn(game, games=400, seed=4))
    for step in steps:
        twin.round(Here())
        assert step.weights.weights == twin.learned_weights().weights and step.games == twin.games
    last = steps[-1]
    assert last.games >= 400 > sum(step.games for step in steps[:-1][-1:])
    last.save(tmp_path / "three.weights")
    assert Learned[Any](game, tmp_path / "three.weights") == last.game
    first = steps[0]
    solved = solved_positions(game, 60, count=60)
    share = sum(first_choice(first.game, each.position) in each.good for each in solved) / len(solved)
    assert first.positions == 60 and first.curve == ((first.games, share),)
    assert 0 < last.at_random < 1 and last.hand_written is not None
    names = [text.text for text in ElementTree.fromstring(last.svg).iter() if text.tag.endswith("text")]
    assert {"learned", "its own", "at random", "games learned from"} <= {*names}
    for limits in ({"games": 0}, {"seconds": -1.0}):
        with pytest.raises(BadInput, match="above 0"):
            pg.learn(game, **limits)


@pytest.mark.compiled
def test_large_networks_are_learned_in_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As by the learner, and the file says by which command; one that is not whole has the weights of the command."""
    monkeypatch.setattr("plyground.learning.slimming.MOST_PACKED_BYTES_LARGE", 4_000)
    game = game_named("connectfour:5,4,3")
    twin, step = Learner(game, "connectfour:5,4,3", 2, large=True), next(pg.learn(game, games=1, seed=2, large=True))
    twin.round(Here())
    assert step.weights.weights == twin.learned_weights().weights and step.games == twin.games
    assert step.weights.made["command"].endswith("--seed 2 --large")
    step.save(tmp_path / "whole.weights")
    step.save(tmp_path / "slim.weights", whole=False)
    assert read_weights(tmp_path / "whole.weights", game).weights == twin.learned_weights().weights
    small = read_weights(tmp_path / "slim.weights", game).weights
    assert small == slim(twin.learned_weights(), game).weights != twin.learned_weights().weights


@pytest.mark.parametrize("large", [False, True])
def test_weights_depend_on_the_seed_alone(tmp_path: Path, large: bool) -> None:
    """Not on the order in which parts are done, nor on a break between two rounds."""
    game = game_named("mnk:3,3,3")
    one, other, between, again, wrong, damaged = (
        Learner(game, "mnk:3,3,3", seed, large, first_plies=40) for seed in (4, 4, 4, 4, 5, 4)
    )
    one.round(Here())
    one.round(Here())
    other.round(Here(reversed))
    other.keep(tmp_path / "kept")
    assert between.resume(tmp_path / "kept") and between.games == other.games
    between.keep(tmp_path / "kept")
    assert again.resume(tmp_path / "kept")
    again.round(Here())
    assert again.learned_weights().weights == one.learned_weights().weights and again.plies == one.plies
    with pytest.raises(BadInput, match="another seed"):
        wrong.resume(tmp_path / "kept")
    kept = (tmp_path / "kept").read_bytes()
    (tmp_path / "kept").write_bytes(kept[:-20])
    with pytest.raises(BadInput, match="is damaged"):
        damaged.resume(tmp_path / "kept")


@pytest.mark.compiled
def test_weights_that_are_asked_for_stay() -> None:
    """Smaller files have some of the weights, as they were: those by which sums change most. Enough bytes leave all."""
    game, weights = game_named("connectfour:5,4,3"), at_random("connectfour:5,4,3")
    whole = len(packed_weights(weights.weights))
    assert slim(weights, game, whole) is weights
    small = slim(weights, game, whole // 4)
    assert len(packed_weights(small.weights)) <= whole // 4
    pairs = [*zip(small.weights, weights.weights, strict=True)]
    assert all(left in (0, was) for left, was in pairs) and 0 < sum(left == was for left, was in pairs) < len(pairs)
    asked = positions_using(weights, game)
    own = len(pairs) - 2 * weights.network.numbers[net.STAGES]
    ranks = [asked[place] * was * was for place, (left, was) in enumerate(pairs[:own]) if left == was]
    assert min(ranks) >= max(asked[place] * was * was for place, (left, was) in enumerate(pairs[:own]) if left != was)
    assert small.weights[own:] == weights.weights[own:]


@pytest.mark.compiled
def test_what_is_asked_for_is_the_same_at_both_speeds() -> None:
    """Counts of a few games, plain and compiled."""
    game, weights = game_named("connectfour:5,4,3"), at_random("connectfour:5,4,3")
    plain = list(positions_using(weights, game, 40, partial(count_uses, game)))
    assert list(positions_using(weights, game, 40)) == plain and sum(plain) > 40


class TeekoState(NamedTuple):
    """The men of each side, and the plies so far."""

    x: int
    o: int
    plies: int


LINES = tuple(
    sum(1 << row * 5 + column + step * across for step in range(4))
    for across, rows, columns in ((1, 5, 2), (5, 2, 5), (6, 2, 2))
    for row in range(rows)
    for column in range(columns)
) + tuple(sum(1 << row * 5 + column + step * 4 for step in range(4)) for row in range(2) for column in range(3, 5))
SQUARES = tuple(sum(1 << row * 5 + column + each for each in (0, 1, 5, 6)) for row in range(4) for column in range(4))
WINNING = LINES + SQUARES


class Teeko(pg.Game[TeekoState]):
    """Teeko by John Scarne: four men each are set on 25 places, then moved to neighbours; a line or a square of four
    wins. After 60 plies it is a draw. It has no evaluation."""

    def initial(self) -> TeekoState:
        return TeekoState(0, 0, 0)

    def to_move(self, state: TeekoState) -> int:
        return state.plies & 1

    def moves(self, state: TeekoState) -> Iterator[int]:
        mine = state.o if state.plies & 1 else state.x
        taken = state.x | state.o
        if state.plies < 8:
            for place in range(25):
                if not taken >> place & 1:
                    yield place
        else:
            for start in range(25):
                if mine >> start & 1:
                    for place in range(25):
                        near = abs(place // 5 - start // 5) <= 1 and abs(place % 5 - start % 5) <= 1
                        if near and not taken >> place & 1:
                            yield 25 * (start + 1) + place

    def play(self, state: TeekoState, move: int) -> TeekoState:
        change = 1 << move % 25
        if move >= 25:
            change |= 1 << move // 25 - 1
        if state.plies & 1:
            return TeekoState(state.x, state.o ^ change, state.plies + 1)
        return TeekoState(state.x ^ change, state.o, state.plies + 1)

    def outcome(self, state: TeekoState) -> int:
        last = state.x if state.plies & 1 else state.o
        for four in WINNING:
            if last & four == four:
                return 1 if state.plies & 1 else -1
        return 0 if state.plies >= 60 else ONGOING

    def board(self) -> pg.Board:
        return pg.squares(5, 5)

    def stands(self, state: TeekoState) -> Iterator[int]:
        for place in range(25):
            yield (state.x >> place & 1) + 2 * (state.o >> place & 1)


@pytest.mark.compiled
@pytest.mark.nightly
def test_a_game_without_an_evaluation_learns_one() -> None:
    """Teeko, as written here: after some rounds it wins against itself without, within equal nodes."""
    game = Teeko()
    learner = Learner(game, "Teeko")
    for _ in range(10):
        learner.round(Here())
    learned: AnyGame = Learned(game, learner.learned_weights())
    prepare(pg.Position.initial(learned))
    result = pg.match(learned, game, games=20, limit=pg.Limit(nodes=500), seed=1)
    assert result.points >= 14, result
    kept = kept_values(learned, game, 60, count=10)
    assert kept.learned > kept.at_random


@pytest.mark.process
@pytest.mark.parametrize("options", [[], ["--large"]])
def test_the_command_learns_and_goes_on(tmp_path: Path, options: list[str]) -> None:
    """Killed, it goes on with the games that it has kept; in the end there is one file, which plays."""
    file = tmp_path / "mine.weights"
    words = [*COMMAND, "learn", "tictactoe", *options, "--out", str(file), "--test", "0", "--json", "--games"]
    with subprocess.Popen([*words, "1000000000"], cwd=tmp_path) as learning:
        try:
            until((tmp_path / "mine.weights.part").exists)
        finally:
            learning.kill()
    kept = json.loads((tmp_path / "mine.weights.part").read_bytes().split(b"\n")[1])
    done = subprocess.run([*words, "1"], capture_output=True, encoding="utf-8", timeout=LIMIT, check=True)
    said = json.loads(done.stdout)
    assert said["games"] == kept["games"] > 0 and said["bytes"] == file.stat().st_size
    assert [each.name for each in tmp_path.iterdir()] == ["mine.weights"]
    made = read_weights(file, game_named("tictactoe")).made
    assert made["games"] == said["games"] and ("--large" in made["command"]) == bool(options)


@pytest.mark.compiled
def test_a_measured_evaluation_says_what_it_is_worth() -> None:
    """Weights at random, in a small game: the games, the points, the decision, the CPU time of a move, kept values."""
    game = game_named("mnk:3,3,3")
    found = measure_strength(at_random("mnk:3,3,3"), game, 0.2)
    assert 0 <= found["points"] <= found["games"] and found["games"] >= 2 and found["games"] % 2 == 0
    assert min(found["taken"]) > 0 and found["sprt"] == [0, 20] and found["decision"] in (None, "H0", "H1")
    assert 0 <= found["kept"]["learned"] <= found["kept"]["positions"]


@pytest.mark.compiled
def test_a_player_takes_the_nodes_of_its_time() -> None:
    """With 1,000 times as much CPU time for each move, more nodes."""
    position = pg.Position.initial("connectfour")
    nodes = []
    for seconds in (1e-4, 0.1):
        player = PacedPlayer(position.game, seconds)
        player.prepare(position)
        *_, report = player.think(position, None)
        nodes.append(report.nodes)
        assert player.seconds_a_move > 0
    assert nodes[0] < nodes[1]
