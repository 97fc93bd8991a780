"""Published counts and values, and the facts of the programs that plyground grew out of."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from games import canaries
from tries import tries

import plyground as pg
from plyground.compiled.kernel import is_plain_wanted, kernel
from plyground.rules import State
from plyground.score import ESTIMATES, INFINITY, final
from plyground.search.alphabeta import alphabeta
from plyground.search.minimax import minimax
from plyground.search.observer import SILENT, Counting, Recording
from plyground.search.perft import perft

# A search, and what it takes after the game, differ from search to search.
Run = Callable[..., Any]
TICTACTOE = pg.MNK()

PERFT = {
    "tictactoe": [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872],
    "mnk:4,4,4": [16, 240, 3360, 43680, 524160, 5765760],
    "ultimate:send=false": [81, 6480, 511920, 39929760],
    "connectfour": [7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572],
    "kalah": [6, 35, 185, 942, 4690, 23233, 114430, 563055, 2763490],
    "kalah:empty_capture=true": [6, 35, 185, 942, 4685, 23169, 113959, 559885, 2743126],
    "reversi": [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288],
    "amazons:10,10": [2176, 4307152],
    "pentago": [288, 80640],
    "ultimate": [81, 720, 6336, 55080, 473256, 4020960, 33782544],
}
PLAIN_AT_MOST = 5_000
"""Sequences that plain Python counts here; the longer ones are counted compiled."""


def reachable(game: pg.Game[State]) -> Iterator[State]:
    """Every state that can arise, once."""
    seen = {game.initial()}
    waiting = list(seen)
    while waiting:
        state = waiting.pop()
        yield state
        if game.outcome(state) == pg.ONGOING:
            fresh = {game.play(state, move) for move in game.moves(state)} - seen
            seen |= fresh
            waiting += fresh


@pytest.fixture
def run(speed: str) -> Run:
    """A search at each speed: `run(search, game, *args)`."""
    if speed == "plain":
        return lambda search, game, *args: search(game, *args)

    def compiled(search: Run, game: pg.Game[Any], *args: Any) -> Any:
        fast = kernel(search, game)
        answer = fast(*args)
        assert fast.why_plain is None
        return answer

    return compiled


@pytest.mark.parametrize("name", PERFT)
def test_perft(name: str) -> None:
    """As many move sequences of each length as published, as far as plain Python counts them."""
    game, wanted = pg.game_named(name), [count for count in PERFT[name] if count < PLAIN_AT_MOST]
    assert [perft(game, SILENT, game.initial(), depth, 0) for depth in range(1, len(wanted) + 1)] == wanted


@pytest.mark.compiled
@pytest.mark.parametrize("name", canaries(PERFT))
def test_perft_compiled(name: str) -> None:
    """All that are published."""
    game, wanted = pg.game_named(name), PERFT[name]
    count = kernel(perft, game)
    assert [count(SILENT, game.initial(), depth, 0) for depth in range(1, len(wanted) + 1)] == wanted


def test_nodes_of_tic_tac_toe(run: Run, speed: str) -> None:
    """Minimax visits 549,946 nodes, alpha-beta in the order of the cells 18,297, when only who wins is told apart."""
    start = TICTACTOE.initial()
    few = Counting.fresh()
    assert run(alphabeta, TICTACTOE, few, start, 9, -INFINITY, INFINITY, 0, 0)[0] == 0
    assert (few.nodes, few.evaluations) == (18_297, 0)
    if speed == "plain":
        return
    many = Counting.fresh()
    assert kernel(minimax, TICTACTOE)(many, start, 9, 0, 0)[0] == 0
    assert (many.nodes, many.leaves) == (549_946, 255_168)


def test_reachable_positions_of_tic_tac_toe() -> None:
    """5,478 positions, 958 of them finished: 626 won by x, 316 by o, 16 drawn."""
    outcomes = [TICTACTOE.outcome(state) for state in reachable(TICTACTOE)]
    assert len(outcomes) == 5_478
    assert [outcomes.count(utility) for utility in (1, -1, 0)] == [626, 316, 16]


def distances(state: Any, known: dict[Any, tuple[int, int]]) -> tuple[int, int]:
    """The obvious twin: who wins, and in how many plies, by trying everything; sooner wins and later losses."""
    if state not in known:
        utility = TICTACTOE.outcome(state)
        if utility != pg.ONGOING:
            known[state] = utility, 0
        else:
            ends = [distances(TICTACTOE.play(state, move), known) for move in TICTACTOE.moves(state)]
            mine = 1 if state.turn == 0 else -1
            winner, plies = max(ends, key=lambda end: (end[0] * mine, -end[1] * end[0] * mine))
            known[state] = winner, plies + 1
    return known[state]


@pytest.mark.usefixtures("speed")
def test_exact_value_of_every_tic_tac_toe_position() -> None:
    """x wins 2,936 positions, o 1,474, 1,068 are drawn; the search finds each value and the exact number of plies."""
    known: dict[Any, tuple[int, int]] = {}
    search = kernel(alphabeta, TICTACTOE)
    for state in reachable(TICTACTOE):
        winner, plies = distances(state, known)
        free = TICTACTOE.look(state).pieces.count(None)
        if free <= 4 or not is_plain_wanted():  # plain Python would need minutes for the early ones
            value, move = search(SILENT, state, 9, -INFINITY, INFINITY, 1, 0)
            assert value == final(winner, plies)
            assert (move == pg.NO_MOVE) == (TICTACTOE.outcome(state) != pg.ONGOING)
    winners = [winner for winner, _ in known.values()]
    assert [winners.count(utility) for utility in (1, 0, -1)] == [2_936, 1_068, 1_474]


# -- the tic-tac-toe expert: its search as a slow twin, on a list of nine marks ----------------------------------------

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def expert_value(board: list[str]) -> int:
    """100 for a line of o, else -100 for one of x, else lines open to o minus lines open to x."""
    for mark, value in (("o", 100), ("x", -100)):
        if any(all(board[cell] == mark for cell in line) for line in LINES):
            return value
    free_of = {mark: sum(all(board[cell] != mark for cell in line) for line in LINES) for mark in "xo"}
    return free_of["x"] - free_of["o"]


def expert(board: list[str], mark: str, depth: int, alpha: int, beta: int) -> tuple[int | None, int]:
    """Its fail-hard negamax: goes on after a line, keeps the first of equal moves, values for o at even depths."""
    if depth == 0:
        return None, expert_value(board)
    best = None
    for cell in (cell for cell in range(9) if not board[cell]):
        after = [*board[:cell], mark, *board[cell + 1 :]]
        value = -expert(after, "x" if mark == "o" else "o", depth - 1, -beta, -alpha)[1]
        if value >= beta:
            return cell, value
        if value > alpha:
            best, alpha = cell, value
    return best, alpha


@pytest.mark.compiled
def test_the_expert_and_our_search_agree() -> None:
    """At depth 2, on every reachable position with o to move and two free cells: the same move and the same value."""
    search = kernel(alphabeta, TICTACTOE)
    checked = 0
    for state in reachable(TICTACTOE):
        board = [piece.owner if piece else "" for piece in TICTACTOE.look(state).pieces]
        if state.turn == 1 and TICTACTOE.outcome(state) == pg.ONGOING and board.count("") >= 2:
            cell, worth = expert(board, "o", 2, -200, 200)
            value, move = search(SILENT, state, 2, -INFINITY, INFINITY, 1, 0)
            ours = -value if abs(value) < ESTIMATES else -100 if value > 0 else 100
            assert cell is not None and (TICTACTOE.cell_bits[cell], worth) == (move, ours), board
            checked += 1
    assert checked > 1_500


def test_the_dialog_of_section_5_3() -> None:
    """x 2,1: o answers 2,2; x 1,1: o answers 3,1. The figure: the first move backs up 0, a loss cuts every other."""
    player = pg.player_named("alphabeta:depth=2")
    position = pg.Position.initial(TICTACTOE).play("2,1")
    position = position.play(player.choose(position, None))
    assert position.text == ".x./.o./...:x"
    position = position.play("1,1")
    assert position.legal("3,1") == player.choose(position, None)
    observer = Recording()
    alphabeta(TICTACTOE, observer, position.state, 2, -INFINITY, INFINITY, 1, 0)
    first, *others = (node for node in observer.nodes if node.parent == 0)
    assert first.value == 0 and first.cut == pg.NO_MOVE
    assert all(node.value == final(1, 2) and node.cut != pg.NO_MOVE for node in others)


def test_the_evaluation_of_ultimate(seed: int) -> None:
    """Each open board its weighted cells, a won one 12, a drawn one 0; the sum of the nine with the same weights."""
    weights = [3, 1, 3, 1, 5, 1, 3, 1, 3]
    chance = random.Random(seed)
    for send in (True, False):
        game = pg.Ultimate(send=send)
        for _ in range(tries(30)):
            position = pg.Position.initial(game)
            while position.outcome is None:
                pieces = position.look().pieces
                total = 0
                for board, weight in enumerate(weights):
                    rows, columns = (range(place * 3, place * 3 + 3) for place in divmod(board, 3))
                    here = [pieces[row * 9 + column] for row in rows for column in columns]
                    marks = [piece.owner if piece else "" for piece in here]
                    lines = {marks[a] for a, b, c in LINES if marks[a] and marks[a] == marks[b] == marks[c]}
                    signs = [(mark == "x") - (mark == "o") for mark in marks]
                    open_worth = sum(w * sign for w, sign in zip(weights, signs, strict=True)) if "" in marks else 0
                    total += weight * (12 if "x" in lines else -12 if "o" in lines else open_worth)
                assert game.evaluate(position.state) == total
                position = position.play(chance.choice(position.legal_moves))
