"""What the pass over the form leaves out, and that ranges of ints are true."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from form_laws import require_laws
from tries import tries

from plyground.board.bits import Words, lowest
from plyground.board.rows import line_starts
from plyground.compiler import form
from plyground.compiler.form import FunctionForm, reachable_functions, walk_instructions
from plyground.compiler.frontend import lower_function
from plyground.compiler.optimisation.inlining import inline_small
from plyground.compiler.optimisation.ranges import (
    CONSTANT_RULES,
    INT_BITS,
    LEAST_INT,
    MOST_INT,
    RANGE_RULES,
    Range,
    join_ranges,
    make_range,
    single_value,
)
from plyground.compiler.runtime import argument_type
from plyground.compiler.target import WEBASSEMBLY

TABLE = (5, 7, 11, 13, 17, 19, 23, 29)


def simplified_form(function: Callable[..., Any], *sample: object) -> FunctionForm:
    """A function as it is written as WebAssembly."""
    names = function.__code__.co_varnames
    types = dict(zip(names, map(argument_type, sample), strict=False))
    _, made = lower_function(function, types, WEBASSEMBLY)  # type: ignore[arg-type]  # a plain function
    inline_small([made.form])
    require_laws(reachable_functions(made.form))
    return made.form


def kinds(function: FunctionForm) -> set[str]:
    """The operations of a function, and the classes of its other instructions."""
    found = walk_instructions(function.body)
    return {each.name if isinstance(each, form.Op) else type(each).__name__ for each in found}


def _sum_of_items(members: int) -> int:
    total = 0
    members &= 255
    while members:
        total ^= TABLE[lowest(members)]
        members &= members - 1
    return total


def test_an_index_that_is_in_its_row_is_not_tested() -> None:
    """The lowest of eight bits, of a set that only loses members, is an index below eight."""
    assert kinds(simplified_form(_sum_of_items, 1)).isdisjoint({"FaultExit", "below", "lt", "select"})


def _pack_and_unpack(square: int, end: int) -> int:
    move = (square & 63) * 64 + (end & 63)
    return move // 64 + move % 64 * 1000 + (move << 7 >> 7)


def test_parts_of_a_move_need_no_division() -> None:
    """A move that was made of two squares here gives both back without tests of signs and room."""
    assert kinds(simplified_form(_pack_and_unpack, 1, 1)).isdisjoint({"FaultExit", "quotient", "remainder"})


def _line(cells: Words) -> int:
    return line_starts(cells, 3, 5)[0]


def test_a_loop_of_known_turns_is_written_out() -> None:
    """A `while` loop whose test is known each time leaves no loop."""
    assert "Loop" not in kinds(simplified_form(_line, (1,)))


@pytest.mark.parametrize("name", sorted(CONSTANT_RULES.keys() & RANGE_RULES.keys()))
def test_ranges(name: str, seed: int) -> None:
    """A result of ints of two ranges is in the range of the result, bits and all."""
    chance = random.Random(seed)

    def some_range() -> tuple[Range, int]:
        ends = [chance.choice((chance.randint(-9, 70), chance.randint(LEAST_INT, MOST_INT))) for _ in range(2)]
        value = chance.choice(ends)
        bits = chance.choice((-1, value, value | chance.getrandbits(8))) & (1 << INT_BITS) - 1
        made = join_ranges(make_range(min(ends), max(ends), bits), single_value(value))
        return made, value

    for _ in range(tries(2_000)):
        pairs = [some_range() for _ in range(1 if name in ("ones", "int_of") else 2)]
        values = [value for _, value in pairs]
        if name in ("shl", "shr", "ushr") and not 0 <= values[1] < INT_BITS:
            continue
        found, exact = RANGE_RULES[name](*(each for each, _ in pairs)), CONSTANT_RULES[name](*values)
        assert found.low <= exact <= found.high and exact & (1 << INT_BITS) - 1 & ~found.bits == 0, (
            pairs,
            exact,
            found,
        )
        assert found.has_zero or exact != 0
