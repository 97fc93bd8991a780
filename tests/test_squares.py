"""Sets of squares on boards of one, two and three words: what rows and columns say, at both speeds."""

import random
from typing import Any

import pytest

import plyground as pg
from plyground.board.bits import (
    WORD_BITS,
    Words,
    common,
    elements,
    shifted_down,
    shifted_up,
    size,
    some,
    to_words,
    union,
    with_member,
    without,
)
from plyground.board.look import squares
from plyground.board.signs import spell, write_board
from plyground.board.squares import Squares

Sets = tuple[Words, Words, Words, Words, Words, Words, bool, int]


def sets(left: Words, right: Words, by: int) -> Sets:
    """All that is done with sets."""
    return (
        union(left, right),
        common(left, right),
        without(left, right),
        shifted_up(left, by),
        shifted_down(left, by),
        with_member(left, by % (WORD_BITS * len(left))),
        some(left),
        size(left),
    )


def lines(board: Squares, cells: Words, through: Words, step: int) -> tuple[Words, Words]:
    """One step, and as far as it goes."""
    return board.shift(cells, step), board.run(cells, through, step)


def at_both_speeds(function: Any, *args: Any) -> Any:
    """What a function answers, plain and compiled."""
    answer = function(*args)
    from plyground.compiler.runtime import CompiledFunction  # here, for the plain run needs no compiler

    assert CompiledFunction(function, *args)(*args) == answer, (function, args)
    return answer


@pytest.mark.compiled
def test_words_are_sets(seed: int) -> None:
    """Of one to three words; a shift of any length."""
    chance = random.Random(seed)
    for length in (1, 2, 3):
        bits = length * WORD_BITS
        for by in (0, 1, 8, 62, 63, 64, 100, 126, 130, 188, 400):
            left, right = (frozenset(place for place in range(bits) if chance.random() < 0.4) for _ in range(2))

            def words(members: Any, bits: int = bits, length: int = length) -> Words:
                return to_words(sum(1 << place for place in members if 0 <= place < bits), length)

            assert at_both_speeds(sets, words(left), words(right), by) == (
                words(left | right),
                words(left & right),
                words(left - right),
                words(place + by for place in left),
                words(place - by for place in left),
                words(left | {by % bits}),
                bool(left),
                len(left),
            )


@pytest.mark.compiled
@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (3, 5), (8, 8), (5, 26), (11, 11)])
def test_steps_and_runs(rows: int, columns: int, seed: int) -> None:
    """In each of eight directions, without ever coming round the board's edge; names read back."""
    chance, board = random.Random(seed), Squares(rows, columns, upward=True)
    at = {bit: divmod(bit, board.stride) for bit in board.bits}
    bit_at = {place: bit for bit, place in at.items()}
    towards = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)]
    for step, (down, right) in zip(board.steps, towards, strict=True):
        cells = {bit for bit in board.bits if chance.random() < 0.2}
        through = {bit for bit in board.bits if chance.random() < 0.7}

        def next_to(bit: int, down: int = down, right: int = right) -> int | None:
            return bit_at.get((at[bit][0] + down, at[bit][1] + right))

        steps = {near for bit in cells if (near := next_to(bit)) is not None}
        runs = set()
        for bit in cells:
            near = next_to(bit)
            while near in through:
                runs.add(near)
                near = next_to(near)
        moved, run = at_both_speeds(lines, board, board.of(tuple(cells)), board.of(tuple(through)), step)
        assert set(elements(moved)) == steps
        assert set(elements(run)) == runs
    names = [place.name for place in squares(rows, columns, upward=True).places]
    assert [board.parse_square(names[board.place(bit)]) for bit in board.bits] == list(board.bits)
    assert [board.place(bit) for bit in board.bits] == list(range(rows * columns))


def test_a_board_in_text() -> None:
    """Rows as people write them; anything else is told what would be right."""
    board = Squares(2, 3)
    x, o = board.of((0,)), board.of((6,))
    assert spell(write_board(x, o, board.bits, 3, 1), (), ("x", "o")) == "x../..o:o"
    assert board.read("x../..o:o") == (x, o, 1)
    for wrong in ("x../..o", "x../..:x", "x../..a:x", "x../..o:z", ""):
        with pytest.raises(pg.BadInput, match="is not a position: "):
            board.read(wrong)
    with pytest.raises(pg.BadInput, match="1 to 26"):
        Squares(27, 3)
