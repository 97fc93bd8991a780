"""The games on boards: slow obvious twins of their rules, and known values."""

import itertools
import random
from functools import cache
from typing import Any

import pytest
from tries import tries

import plyground as pg
from plyground.board.bits import elements
from plyground.exact.solver import Solver
from plyground.position import Position

Cells = dict[tuple[int, int], str]


def random_games(game: pg.Game[Any], seed: int, number: int = tries(6)) -> list[Position]:
    """All positions of some random games."""
    chance, found = random.Random(seed), []
    for _ in range(number):
        position = Position.initial(game)
        found.append(position)
        while position.outcome is None:
            position = position.play(chance.choice(position.legal_moves))
            found.append(position)
    return found


def value(name: str) -> int:
    """The utility for the first player with perfect play."""
    return Solver(Position.initial(pg.game_named(name))).value()


def cells_of(position: Position) -> Cells:
    """Who stands where, by row and column from the top left; free cells have a point."""
    rows = position.text.partition(":")[0].split("/")
    return {(row, column): sign for row, line in enumerate(rows) for column, sign in enumerate(line)}


def words(position: Position) -> list[str]:
    """The legal moves in text."""
    return sorted(position.game.move_text(position.state, move) for move in position.legal_moves)


def name_of(row: int, column: int) -> str:
    """A square, numbered from the top."""
    return f"{'abcdefghijklmnop'[column]}{row + 1}"


EIGHT = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]


# -- what is seen ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "moves", "ends"),
    [
        ("tictactoe", "b2 a1 c3 b1 c1 a3 a2 c2 b3", []),
        ("tictactoe", "a1 b2 c1 b1 c3 b3", [("b1", "b3")]),
        ("tictactoe", "a1 b1 a2 c1 a3", [("a1", "a3")]),
        ("tictactoe", "a1 b2 b1 a2 a3 b3 c2 c3 c1", [("a1", "c1")]),
        ("mnk:5,5,3", "a1 a5 b2 b5 d4 d5 e5 e1 c3", [("a1", "e5")]),
        ("mnk:5,5,3", "a1 e5 b1 d4 c2 e4 c3 d5 c1", [("a1", "c1"), ("c1", "c3")]),
        ("connectfour", "a b a b a b a", [("a4", "a1")]),
        ("threemorris", "a1 a3 b1 b3 c1", [("a1", "c1")]),
        ("hex:3", "a1 c1 a2 c2 b2 c3 b3", [("a1", "a2", "b2", "b3")]),
    ],
)
def test_the_line_that_won(game: str, moves: str, ends: list[tuple[str, ...]]) -> None:
    """It is drawn from end to end, all of it where it is longer than it need be, and each where there are two."""
    position = Position.parse(pg.game_named(game), moves)
    look, places = position.look(), position.board.places
    found = [tuple(places[place].name for place in line) for line in look.through]
    assert {frozenset(line) for line in found} == {frozenset(line) for line in ends}
    assert {place for line in look.through for place in line} <= set(look.line)


def test_a_column_and_its_names() -> None:
    """In Connect Four any place of a column stands for its move; rows count from the bottom, pairs from the top."""
    position = Position.parse(pg.game_named("connectfour"), "d d")
    game, names = position.game, [place.name for place in position.board.places]
    assert [[names[place] for place in fall] for fall in position.board.falls][3] == [
        "d6",
        "d5",
        "d4",
        "d3",
        "d2",
        "d1",
    ]
    assert names[position.paths[game.parse_move(position.state, "d")][0]] == "d3"
    assert game.parse_move(position.state, "d3") == game.parse_move(position.state, "4,4")


def test_where_one_is_sent() -> None:
    """The board to play in has a name; where any may be chosen, there is none."""
    ultimate = pg.game_named("ultimate")
    moves = ("", "e5", "a1", "e1", "c6", "g9")
    found = [Position.parse(ultimate, move).where for move in moves]
    assert found == [
        "",
        "middle board",
        "top left board",
        "top middle board",
        "bottom right board",
        "bottom left board",
    ]


# -- Reversi ----------------------------------------------------------------------------------------------------------


def turned(cells: Cells, row: int, column: int, me: str) -> list[tuple[int, int]]:
    """What a disc turns, square by square."""
    found = []
    for down, right in EIGHT:
        line: list[tuple[int, int]] = []
        place = row + down, column + right
        while cells.get(place, ".") not in (".", me):
            line.append(place)
            place = place[0] + down, place[1] + right
        if cells.get(place) == me:
            found += line
    return found


@pytest.mark.parametrize("size", [4, 6, 8])
def test_reversi_turns_what_it_encloses(size: int, seed: int) -> None:
    """The same squares and the same discs as square by square; a pass is the only move of who has no square."""
    for position in random_games(pg.Reversi(size), seed, tries(3)):
        cells, me = cells_of(position), "xo"[position.to_move]
        open_to = {
            player: [at for at, sign in cells.items() if sign == "." and turned(cells, *at, player)] for player in "xo"
        }
        if not open_to["x"] and not open_to["o"]:
            counts = [list(cells.values()).count(player) for player in "xo"]
            assert position.outcome == counts[0] - counts[1]
            continue
        assert words(position) == (sorted(name_of(*at) for at in open_to[me]) or ["pass"])
        for at in open_to[me]:
            after = cells | dict.fromkeys([at, *turned(cells, *at, me)], me)
            assert cells_of(position.play(name_of(*at))) == after, position.text


FEINSTEIN = "c2 b4 c5 d2 e4 e3 d1 c1 b1 d5 d6 f4 b3 b2 f3 f2 e2 b6 a4 c6 a6 a2 b5 a5 e6 e5 a3 a1 f5 f6 e1 f1"
"""Perfect play on 6 x 6 (Joel Feinstein, newsletter of the British Othello Federation, July 1993, where the squares are
b2 to g7); the second player wins 20-16."""


def test_the_perfect_game_on_6_x_6() -> None:
    """It is legal to its end, o wins by 4, and so he does by perfect play from each of its last ten plies."""
    position = Position.initial(pg.Reversi(6))
    for word in FEINSTEIN.split():
        if words(position) == ["pass"]:
            position = position.play("pass")
        position = position.play(word)
    assert position.outcome == -4
    for plies in (1, 5, 10):
        assert Solver(position.undo(plies)).value() == -4


def test_reversi_4_x_4() -> None:
    """The second player wins by 8, 11 to 3."""
    assert value("reversi:4") == -8


@pytest.mark.parametrize("size", [4, 6, 8])
def test_reversi_stable_discs_are_never_turned(size: int, seed: int) -> None:
    """Discs that the evaluation calls stable stand to the end of every game; whole edges from a corner are among them.

    A move into a corner is noisy, no other is.
    """
    game, met = pg.Reversi(size), 0
    corners = {f"{column}{row}" for column in ("a", "abcdefgh"[size - 1]) for row in (1, size)}
    for number in range(4):
        played = random_games(game, seed + number, 1)
        for index, here in enumerate(played):
            for side in (0, 1):
                stable = {*elements(game.stable(game.sides(here.state)[side]))}
                met += len(stable)
                assert all(stable <= {*elements(game.sides(later.state)[side])} for later in played[index:])
            if here.outcome is None:
                noisy = [move for move in here.legal_moves if game.is_noisy(here.state, move)]
                assert {game.move_text(here.state, move) for move in noisy} == corners & {*words(here)}
    assert met


def test_reversi_evaluation_tells_discs() -> None:
    """Of a board with one colour's edges from the corners, all are stable; a disc beside a free corner is a risk."""
    game = pg.Reversi(8)
    ahead = game.parse_state("xxxxxxxx/xxxxxxxx/......../...ox.../...xo.../......../......../........:x")
    assert len([*elements(game.stable(ahead.mine))]) == 16
    risk = game.parse_state("......../.x....../..x...../...xx.../...xo.../......../......../........:o")
    calm = game.parse_state("......../....x.../....x.../...xx.../...xo.../......../......../........:o")
    assert game.features(risk)[3] == -1 and game.features(calm)[3] == 0
    assert game.evaluate(risk) < game.evaluate(calm) - 5 * game.unit_points


# -- Hex --------------------------------------------------------------------------------------------------------------


def joined(cells: Cells, size: int, player: str) -> bool:
    """Whether a player has joined the own sides: x top and bottom, o left and right."""
    own = 0 if player == "x" else 1
    waiting = [at for at, sign in cells.items() if sign == player and at[own] == 0]
    seen = set(waiting)
    while waiting:
        row, column = waiting.pop()
        if (row, column)[own] == size - 1:
            return True
        near = [(row, column - 1), (row, column + 1), (row - 1, column), (row + 1, column)]
        near += [(row - 1, column + 1), (row + 1, column - 1)]
        fresh = [at for at in near if cells.get(at) == player and at not in seen]
        seen.update(fresh)
        waiting += fresh
    return False


@pytest.mark.parametrize("size", [1, 3, 5, 8, 11])
def test_hex_is_won_by_a_chain_and_never_drawn(size: int, seed: int) -> None:
    """A game is over as soon as one player has joined the own sides, and a full board has just one such player."""
    for position in random_games(pg.Hex(size), seed, tries(3)):
        cells = cells_of(position)
        won = [player for player in "xo" if joined(cells, size, player)]
        assert position.outcome == ({"x": 1, "o": -1}[won[0]] if won else None)
    chance = random.Random(seed)
    for _ in range(20):
        full = {(row, column): chance.choice("xo") for row in range(size) for column in range(size)}
        assert joined(full, size, "x") != joined(full, size, "o")


@pytest.mark.parametrize(("size", "winning"), [(1, "a1"), (2, "a2 b1"), (3, "a2 a3 b2 c1 c2")])
def test_who_begins_wins_hex(size: int, winning: str) -> None:
    """With these first moves (van Rijswijck's Queenbee: opening tables); with the swap rule the other player wins."""
    start = Position.initial(pg.Hex(size))
    wins = [move for move, score in pg.solve(start).moves if score.utility == 1]
    assert sorted(start.game.move_text(start.state, move) for move in wins) == winning.split()
    assert size == 1 or value(f"hex:{size},swap=true") == -1


def test_a_swap_takes_the_stone_over() -> None:
    """It becomes o's on the cell with row and column exchanged, once, and only in a game with the rule."""
    position = Position.parse(pg.Hex(3, swap=True), "c1")
    assert position.play("swap").text == ".../.../o..:x"
    assert "swap" not in words(position.play("swap")) + words(position.play("a1")) + words(position.undo())
    assert "swap" not in words(Position.parse(pg.Hex(3), "c1"))
    assert position.paths[position.legal("swap")] == ()


# -- Breakthrough -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rows", "columns"), [(3, 2), (5, 4), (8, 8), (6, 11)])
def test_breakthrough_moves(rows: int, columns: int, seed: int) -> None:
    """One ahead to a free square, or taking diagonally; over when a home row is reached or a side has no piece."""
    for position in random_games(pg.Breakthrough(rows, columns), seed, tries(3)):
        cells, me = cells_of(position), "xo"[position.to_move]
        ahead = -1 if me == "x" else 1
        wanted = []
        for (row, column), sign in cells.items():
            for right in (-1, 0, 1):
                there = cells.get((row + ahead, column + right), me)
                if sign == me and there != me and (there == "." or right):
                    start, end = (
                        f"{'abcdefghijk'[c]}{rows - r}" for r, c in ((row, column), (row + ahead, column + right))
                    )
                    wanted.append(f"{start}{'-' if there == '.' else 'x'}{end}")
        home = {"x": "x" in [cells[0, column] for column in range(columns)]}
        home["o"] = "o" in [cells[rows - 1, column] for column in range(columns)]
        won = [player for player, other in ("xo", "ox") if home[player] or other not in cells.values()]
        assert position.outcome == ({"x": 1, "o": -1}[won[0]] if won else None)
        assert won or words(position) == sorted(wanted)


# -- Dots and Boxes ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (2, 3), (6, 8)])
def test_boxes_belong_to_who_closes_them(rows: int, columns: int, seed: int) -> None:
    """Line by line, named by its two dots: who closes a box draws again, and the margin is what each has closed."""
    for last in (each for each in random_games(pg.DotsAndBoxes(rows, columns), seed, 4) if each.outcome is not None):
        drawn: set[str] = set()
        margin = 0
        for before, after in itertools.pairwise(last.steps()):
            line = before.game.move_text(before.state, after.moves[-1])
            drawn.add(line)
            sides = [
                {name_of(r, c) + name_of(r, c + 1), name_of(r + 1, c) + name_of(r + 1, c + 1)}
                | {name_of(r, c) + name_of(r + 1, c), name_of(r, c + 1) + name_of(r + 1, c + 1)}
                for r, c in itertools.product(range(rows), range(columns))
            ]
            closed = sum(line in box and box <= drawn for box in sides)
            margin += closed * (1 - 2 * before.to_move)
            assert after.to_move == (before.to_move if closed else 1 - before.to_move)
        assert last.outcome == margin and len(drawn) == len(last.moves)


@pytest.mark.parametrize(("board", "margin"), [("1,1", -1), ("1,2", 0), ("1,3", -1), ("2,2", 2)])
def test_small_boards_of_dots(board: str, margin: int) -> None:
    """2 x 2 is won by who begins (Berlekamp, "The Dots and Boxes Game", 2000); 3 x 3 is among the known values."""
    assert value(f"dotsandboxes:{board}") == margin


# -- Nim and Chomp ----------------------------------------------------------------------------------------------------


@cache
def nim_wins(heaps: tuple[int, ...], misere: bool) -> bool:
    """Whether the player to move wins, by trying everything."""
    if not any(heaps):
        return misere
    return any(
        not nim_wins(tuple(sorted((*heaps[:heap], left, *heaps[heap + 1 :]))), misere)
        for heap, size in enumerate(heaps)
        for left in range(size)
    )


@pytest.mark.parametrize("misere", [False, True])
def test_boutons_rule(misere: bool) -> None:
    """It says of every position up to 4/5/5/6 who wins, and the solver says the same of some."""
    game = pg.Nim("4/5/5/6", misere)
    for heaps in itertools.product(*(range(size + 1) for size in game.sizes)):
        for turn in (0, 1):
            state = game.parse_state("/".join(map(str, heaps)) + ":" + "xo"[turn])
            wins = 1 if nim_wins(tuple(sorted(heaps)), misere) == (turn == 0) else -1
            assert (game.evaluate(state) if any(heaps) else game.outcome(state)) == wins
    for text in ("3/4/5", "1/1/1", "1/2/3", "1/1"):
        heaps = tuple(map(int, text.split("/")))
        assert value(f"nim:{text},misere={misere}") == (1 if nim_wins(heaps, misere) else -1)


def test_chomp() -> None:
    """Who begins wins; two rows by the last square of the lower one alone, a square bar by b2 alone."""
    for rows, columns in itertools.product(range(1, 5), repeat=2):
        start = Position.initial(pg.Chomp(rows, columns))
        won = [start.game.move_text(start.state, move) for move, score in pg.solve(start).moves if score.utility == 1]
        assert bool(won) == (rows * columns > 1)
        if rows == 2:
            assert won == [name_of(1, columns - 1)]
        if rows == columns > 1:
            assert won == ["b2"]


# -- Domineering ------------------------------------------------------------------------------------------------------


def outcome_class(rows: int, columns: int) -> str:
    """V or H: upright or lying wins whoever begins; 1 or 2: who moves first or second. No game where none can begin."""
    winners = {}
    for first, room in (("x", rows), ("o", columns)):
        winners[first] = value(f"domineering:{rows},{columns},{first}") if room > 1 else (-1 if first == "x" else 1)
    return {(1, 1): "V", (-1, -1): "H", (1, -1): "1", (-1, 1): "2"}[winners["x"], winners["o"]]


@pytest.mark.parametrize(("rows", "classes"), [(2, "V11HV11H"), (3, "V11HH"), (4, "VVV1")])
def test_who_wins_domineering(rows: int, classes: str) -> None:
    """Boards of 1, 2, … columns: Berlekamp (1988); Lachmann, Moore and Rapaport, "Who wins domineering …" (2000)."""
    assert "".join(outcome_class(rows, columns) for columns in range(1, len(classes) + 1)) == classes


def test_dominoes_cover_two_squares(seed: int) -> None:
    """x's one above the other, o's side by side; who has no room loses."""
    for position in random_games(pg.Domineering(4, 5), seed, 4):
        cells, turn = cells_of(position), position.to_move
        down, right = (1, 0) if turn == 0 else (0, 1)
        room = [
            name_of(row, column)
            for (row, column), sign in cells.items()
            if sign == "." and cells.get((row + down, column + right)) == "."
        ]
        assert words(position) == sorted(room)
        assert position.outcome == (None if room else 2 * turn - 1)


# -- Amazons ----------------------------------------------------------------------------------------------------------


def seen(cells: Cells, row: int, column: int) -> list[tuple[int, int]]:
    """Where a queen can go, square by square."""
    found = []
    for down, right in EIGHT:
        at = (row + down, column + right)
        while cells.get(at) == ".":
            found.append(at)
            at = (at[0] + down, at[1] + right)
    return found


@pytest.mark.parametrize(("rows", "columns"), [(4, 6), (10, 10)])
def test_amazons_move_and_shoot(rows: int, columns: int, seed: int) -> None:
    """As queens do, past nothing; an arrow may go where its amazon came from; who is stuck loses."""
    position, chance = Position.initial(pg.Amazons(rows, columns)), random.Random(seed)
    position = position.play(chance.choice(position.legal_moves))
    while position.outcome is None:
        position = position.play(chance.choice(position.legal_moves))
        cells, me = cells_of(position), "xo"[position.to_move]
        moves = []
        for (row, column), sign in cells.items():
            for end in seen(cells, row, column) if sign == me else []:
                after = cells | {(row, column): ".", end: me}
                moves += [((row, column), end, shot) for shot in seen(after, *end)]
        names = [[f"{'abcdefghij'[column]}{rows - row}" for row, column in move] for move in moves]
        if position.outcome is None:
            assert words(position) == sorted(f"{start}-{end}/{shot}" for start, end, shot in names)
        else:
            assert not moves and position.outcome == (1 if me == "o" else -1)


# -- rows of five: Pentago and Gomoku ---------------------------------------------------------------------------------


def rows_of(cells: Cells, me: str) -> set[int]:
    """The lengths of a player's rows that are no longer one way nor the other."""
    found = set()
    for (row, column), sign in cells.items():
        for down, right in EIGHT[4:]:
            if sign == me and cells.get((row - down, column - right)) != me:
                length = 1
                while cells.get((row + down * length, column + right * length)) == me:
                    length += 1
                found.add(length)
    return found


def turned_block(cells: Cells, block: int, way: str) -> Cells:
    """The board after a quarter turn of a block of nine."""
    up, left = 3 * (block // 2), 3 * (block % 2)
    moved = {}
    for row, column in itertools.product(range(3), repeat=2):
        end = (2 - column, row) if way == "<" else (column, 2 - row)
        moved[up + end[0], left + end[1]] = cells[up + row, left + column]
    return cells | moved


def test_pentago_turns_a_block(seed: int) -> None:
    """After the marble, unless it has won; then five win, and five of both are a draw."""
    chance = random.Random(seed)
    for _ in range(3):
        position = Position.initial(pg.Pentago())
        while position.outcome is None:
            before, me, move = cells_of(position), "xo"[position.to_move], chance.choice(position.legal_moves)
            square, _, turn = position.game.move_text(position.state, move).partition("-")
            after = before | {(int(square[1]) - 1, "abcdef".index(square[0])): me}
            assert (max(rows_of(after, me)) >= 5) == (turn == "")
            after = turned_block(after, int(turn[0]) - 1, turn[1]) if turn else after
            position = position.play(move)
            assert cells_of(position) == after
            fives = [max(rows_of(after, player), default=0) >= 5 for player in "xo"]
            over = any(fives) or "." not in after.values()
            assert position.outcome == (fives[0] - fives[1] if over else None)


def test_hex_says_when_a_stone_may_be_taken_over() -> None:
    """Only the second player, at the second ply of a game with the swap rule, gets the notice."""
    game = pg.game_named("hex:3,swap=true")
    told = [game.notice_text(pg.Position.parse(game, moves).state) for moves in ("", "a2", "a2 b2", "a2 swap")]
    assert told == ["", "may swap", "", ""]
    assert pg.game_named("hex:3").notice_text(pg.Position.parse("hex:3", "a2").state) == ""


@pytest.mark.parametrize(
    ("size", "stars"), [(15, "d4 l4 h8 d12 l12"), (13, "d4 j4 g7 d10 j10"), (9, "c3 g3 e5 c7 g7"), (8, "")]
)
def test_star_points(size: int, stars: str) -> None:
    """Those of a board of Go, and of Renju's of 15 x 15; a picture of the board has them, too."""
    board = pg.Position.initial(f"gomoku:{size},{size},5").board
    assert {board.places[star].name for star in board.stars} == set(stars.split())
    dots = pg.Position.initial(f"gomoku:{size},{size},5").svg().count("<circle")
    assert dots == len(stars.split())


@pytest.mark.parametrize("moves", ["h8", "h8 i9", "h8 h9 i9", "h8 i7 g9 h7", "h8 h7 g8"])
def test_gomoku_looks_beside_the_stones(moves: str) -> None:
    """The first move by the game's order stands next to a stone, where the eye of a player goes, too."""
    here = pg.Position.parse("gomoku", moves)
    first = max(here.legal_moves, key=lambda move: here.game.order(here.state, move))
    cells = [(ord(word[0]), int(word[1:])) for word in here.words]
    word = here.text_of(first)
    assert min(max(abs(ord(word[0]) - x), abs(int(word[1:]) - y)) for x, y in cells) == 1


@pytest.mark.parametrize("exact", [False, True])
def test_gomoku_wins_by_k_or_more_or_by_k_alone(exact: bool, seed: int) -> None:
    """In boards of rows of three, where longer ones are common; and the line that won is shown."""
    chance, overlines = random.Random(seed), 0
    for _ in range(40):
        position = Position.initial(pg.Gomoku(6, 7, 3, exact=exact))
        while position.outcome is None:
            mover = "xo"[position.to_move]
            position = position.play(chance.choice(position.legal_moves))
            lengths = rows_of(cells_of(position), mover)
            won = 3 in lengths if exact else max(lengths) >= 3
            overlines += not won and max(lengths) > 3
            full = "." not in cells_of(position).values()
            winner = 1 if mover == "x" else -1
            assert position.outcome == (winner if won else 0 if full else None)
            assert (len(position.look().line) >= 3) == won
    assert not exact or overlines


# -- all of them ------------------------------------------------------------------------------------------------------

TWISTED = {
    "reversi:5": "even number",
    "hex:16": "1 to 15",
    "breakthrough:2,8": "3 to 16",
    "dotsandboxes:9,9": "room for 63 dots",
    "nim:3/x": "as in 3/4/5",
    "nim:3/40": "1 to 32",
    "chomp:0,4": "1 to 12",
    "amazons:3,9": "4 to 12",
    "gomoku:4,4,5": "do not fit",
    "domineering:1,5": "no room",
    "domineering:4,4,z": "x or o begins",
}


@pytest.mark.parametrize(("name", "said"), TWISTED.items())
def test_options_that_make_no_game(name: str, said: str) -> None:
    """Meet a sentence that says what is possible."""
    with pytest.raises(pg.BadInput, match=said):
        pg.game_named(name)


IMPOSSIBLE = [
    ("reversi:4", "..../..../..../....:x", "middle"),
    ("breakthrough:5,4", "x.../..../..../..../o...:x", "has won"),
    ("dotsandboxes:1,1", "-/|x|/.:x", "owner"),
    ("nim:3/4/5", "3/5/5:x", "never grow"),
    ("chomp:2,2", "1/2:x", "the one above"),
    ("domineering:2,2", "x./..:o", "two squares"),
    ("amazons:4,4", "xoo./o..o/x..x/.xx.:x", "four amazons"),
    ("amazons:4,4", ".oo./o..o/x..x/.xx.:o", "the other player's turn"),
    ("gomoku:3,3,3,exact=true", "xxx/ooo/...:x", "has won"),
    ("mnk:3,3,3", "xxx/ooo/...:o", "has won"),
    ("connectfour:3,3,3", ".../.../x..:x", "with 1 disc o is to move, as x begins; with the option first=o"),
]


SET_UP = [
    ("hex:3", "..o/.oo/...:o", "..o/.oo/...:o"),
    ("hex:2", "xo/xo:x", "xo/xo:o"),
    ("mnk:3,3,3", "xx./.../...:x", "xx./.../...:x"),
    ("mnk:3,3,3", ".../.../...:o", ".../.../...:o"),
    ("mnk:3,3,3", "xxx/oo./o..:x", "xxx/oo./o..:o"),
    ("gomoku:5,5,4", "ooo../...../...../...../.....:o", "ooo../...../...../...../.....:o"),
    ("connectfour:4,3,3", "..../..../xxoo:x", "..../..../xxoo:x"),
    ("connectfour:4,3,3", "..../..../xx.x:o", "..../..../xx.x:o"),
    ("connectfour:3,3,3,first=o", ".../.../x..:x", ".../.../x..:x"),
    ("pentago", "x...../....../....../....../....../......:x", "x...../....../....../....../....../......:x"),
]


@pytest.mark.parametrize(("name", "text", "read"), SET_UP)
def test_positions_that_people_set_up(name: str, text: str, read: str) -> None:
    """Any stones, whoever is to move; of a game that is won, the winner has moved last."""
    here = pg.Position.parse(name, text)
    assert here.text == read and (here.outcome is None) == (text == read)
    if here.outcome is None:
        assert here.play(here.legal_moves[0]).to_move == 1 - here.to_move


@pytest.mark.parametrize(("name", "text", "said"), IMPOSSIBLE)
def test_positions_that_cannot_arise(name: str, text: str, said: str) -> None:
    """Are refused, and it is said why; so is a word that names no move."""
    game = pg.game_named(name)
    with pytest.raises(pg.BadInput, match=said):
        game.parse_state(text)
    with pytest.raises(pg.BadInput):
        game.parse_state("nonsense")
    with pytest.raises(pg.BadInput):
        game.parse_move(game.initial(), "nonsense")
