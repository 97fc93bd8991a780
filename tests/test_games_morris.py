"""Three, Six and Nine Men's Morris, held against a slow twin and against what is published."""

import random
from collections import defaultdict, deque
from itertools import product
from typing import Any

import pytest

import plyground as pg
from plyground.compiled.kernel import is_plain_wanted, kernel
from plyground.search.perft import perft
from plyground.search.watch import SILENT

# A slow twin: points by their names, men in sets of names, moves as they are written.
LINES = {
    3: ["a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 b2 c3", "a3 b2 c1"],
    6: ["a1 c1 e1", "a5 c5 e5", "a1 a3 a5", "e1 e3 e5", "b2 c2 d2", "b4 c4 d4", "b2 b3 b4", "d2 d3 d4"],
    9: ["a1 d1 g1", "b2 d2 f2", "c3 d3 e3", "a4 b4 c4", "e4 f4 g4", "c5 d5 e5", "b6 d6 f6", "a7 d7 g7"],
}
LINES[9] += ["a1 a4 a7", "b2 b4 b6", "c3 c4 c5", "d1 d2 d3", "d5 d6 d7", "e3 e4 e5", "f2 f4 f6", "g1 g4 g7"]
MILLS = {men: [set(line.split()) for line in lines] for men, lines in LINES.items()}
JOINED = {
    men: {frozenset(pair) for line in lines for pair in (line.split()[:2], line.split()[1:])}
    for men, lines in LINES.items()
}
JOINED[6] |= {frozenset(pair.split()) for pair in ("a3 b3", "d3 e3", "c1 c2", "c4 c5")}


def moves_of(
    men: int, flying: bool, mine: set[str], theirs: set[str], hand: int
) -> dict[str, tuple[set[str], set[str]]]:
    """The moves by their texts, each with the men after it."""
    points = {point for pair in JOINED[men] for point in pair}
    found = {}
    free = points - mine - theirs
    starts: list[tuple[str, set[str]]] = [("", free)]
    if hand == 0:
        flies = flying and len(mine) == 3
        starts = [(man, {to for to in free if flies or frozenset((man, to)) in JOINED[men]}) for man in mine]
    for man, ends in starts:
        for to in ends:
            after = mine - {man} | {to}
            text = f"{man}-{to}" if man else to
            if men > 3 and any(to in mill and mill <= after for mill in MILLS[men]):
                safe = {point for mill in MILLS[men] if mill <= theirs for point in mill}
                for taken in theirs - safe or theirs:
                    found[f"{text}x{taken}"] = after, theirs - {taken}
            else:
                found[text] = after, theirs
    return found


def over(men: int, mine: set[str], theirs: set[str], hand: int, moves: object) -> bool:
    """Whether the player to move has lost."""
    return any(mill <= theirs for mill in MILLS[3]) if men == 3 else len(mine) + hand < 3 or not moves


NAMED = [("threemorris", 3, False), ("threemorris:flying=true", 3, True), ("sixmorris", 6, False)]
NAMED += [("morris", 9, True), ("morris:flying=false", 9, False)]


@pytest.mark.parametrize(("name", "men", "flying"), NAMED)
def test_a_game_is_played_as_its_twin_plays_it(name: str, men: int, flying: bool) -> None:
    """Every move, with all that it takes, and every end, of random games; flying and full mills come up in them."""
    game, chance = pg.game_named(name), random.Random(7)
    ends = flights = 0
    for _ in range(20):
        state, mine, theirs, hands = game.initial(), set[str](), set[str](), [men, men]
        for ply in range(300):
            twin = moves_of(men, flying, mine, theirs, hands[ply % 2])
            lost = over(men, mine, theirs, hands[ply % 2], twin)
            assert (game.outcome(state) != pg.ONGOING) == (lost or not twin), game.text(state)
            if lost or not twin:
                assert game.outcome(state) == (-1 if ply % 2 == 0 else 1)
                ends += 1
                break
            ours = {game.move_text(state, move): move for move in game.moves(state)}
            assert ours.keys() == twin.keys(), game.text(state)
            flights += flying and hands[ply % 2] == 0 and len(mine) == 3
            taking = [text for text in twin if "x" in text]
            text = chance.choice(sorted(taking if taking and chance.random() < 0.7 else twin))
            theirs, mine = twin[text]
            hands[ply % 2] -= hands[ply % 2] > 0
            state = game.play(state, ours[text])
    assert ends >= 5 and bool(flights) == flying


def sequences(men: int, mine: set[str], theirs: set[str], hands: tuple[int, int], depth: int) -> int:
    """Perft of the twin."""
    if depth == 0:
        return 1
    moves = moves_of(men, False, mine, theirs, hands[0])
    if over(men, mine, theirs, hands[0], moves):
        return 0
    after = (hands[1], max(hands[0] - 1, 0))
    return sum(sequences(men, left, own, after, depth - 1) for own, left in moves.values())


@pytest.mark.parametrize(("name", "men", "depth"), [("threemorris", 3, 6), ("sixmorris", 6, 4), ("morris", 9, 3)])
def test_perft_of_the_twin(name: str, men: int, depth: int) -> None:
    """As many sequences as the twin finds, past the first mill of Three Men's Morris."""
    game = pg.game_named(name)
    run = perft if is_plain_wanted() else None
    wanted = sequences(men, set(), set(), (men, men), depth - is_plain_wanted())
    args = (SILENT, game.initial(), depth - is_plain_wanted(), 0)
    assert (run(game, *args) if run else kernel(perft, game)(*args)) == wanted


def valued(game: pg.Game[Any], start: Any) -> dict[Any, int]:
    """Who wins from each state that can arise, by stepping back from the ends; a state without a value is drawn."""
    after: dict[Any, set[Any]] = {}
    before, waiting = defaultdict(set), [start]
    while waiting:
        state = waiting.pop()
        if state not in after:
            over = game.outcome(state) != pg.ONGOING
            after[state] = set() if over else {game.play(state, move) for move in game.moves(state)}
            waiting += after[state]
            for next_one in after[state]:
                before[next_one].add(state)
    values = {state: game.outcome(state) for state in after if not after[state]}
    left = {state: len(after[state]) for state in after}
    ready = deque(values)
    while ready:
        state = ready.popleft()
        for earlier in before[state]:
            left[earlier] -= 1
            wins = values[state] == 1 - 2 * game.to_move(earlier)
            if earlier not in values and (wins or left[earlier] == 0):
                values[earlier] = values[state]
                ready.append(earlier)
    return values


def test_ovids_game() -> None:
    """Dudeney, "Amusements in Mathematics" (1917), 190: the first player wins by the centre; barred from it, it is a
    draw, if a corner is taken.
    """
    game = pg.game_named("threemorris")
    start = game.initial()
    values = valued(game, start)
    first = {game.move_text(start, move): values.get(game.play(start, move), 0) for move in game.moves(start)}
    assert values[start] == first.pop("b2") == 1
    assert {corner: first.pop(corner) for corner in ("a1", "a3", "c1", "c3")} == dict.fromkeys(
        ("a1", "a3", "c1", "c3"), 0
    )
    assert set(first.values()) == {-1}


@pytest.mark.parametrize("name", ["threemorris", "sixmorris", "morris"])
def test_all_that_a_symmetry_makes_of_a_state_is_one_state(name: str) -> None:
    """Turned, mirrored, and for two and three rings inside out: 8 or 16 states have one representative."""
    game, chance = pg.game_named(name), random.Random(3)
    assert isinstance(game, pg.Morris)
    state = game.initial()
    for _ in range(game.men):
        state = game.play(state, chance.choice(list(game.moves(state))))
        images = {
            state._replace(mine=game.image(state.mine, symmetry), theirs=game.image(state.theirs, symmetry))
            for symmetry in range(16 if game.men > 3 else 8)
        }
        assert len({game.canonical(image) for image in images}) == 1
    lines = {frozenset(mill) for mill in [{game.point_names.index(name) for name in mill} for mill in MILLS[game.men]]}
    for symmetry, mill in product(range(16 if game.men > 3 else 8), lines):
        image = game.image(sum(1 << point for point in mill), symmetry)
        assert {point for point in range(game.points) if image >> point & 1} in lines


@pytest.mark.once
def test_four_men_on_two_rings() -> None:
    """Three plies of Six Men's Morris with four men each, as its twin counts them; ten men have no board."""
    game = pg.game_named("morris:4,flying=false")
    wanted = sequences(6, set(), set(), (4, 4), 3)
    assert kernel(perft, game)(SILENT, game.initial(), 3, 0) == wanted == 16 * 15 * 14
    with pytest.raises(pg.BadInput, match="3 to 9"):
        pg.game_named("morris:10")


@pytest.mark.parametrize(
    ("name", "text", "part"),
    [
        ("morris", ".../.../...:x:9,9", "row by row"),
        ("threemorris", ".../.../...:x:3,2", "take turns"),
        ("threemorris", "xx./.../...:x:3,3", "at most 3 men"),
        ("threemorris", ".../.../...:z:3,3", ":x or :o"),
    ],
)
def test_what_is_no_position_is_met_with_a_sentence(name: str, text: str, part: str) -> None:
    """What is wrong, and how it is written."""
    with pytest.raises(pg.BadInput, match=part):
        pg.game_named(name).parse_state(text)


def test_moves_are_read_as_they_are_written() -> None:
    """A point that is not on the board is named, and so is what a move looks like."""
    game = pg.game_named("morris")
    start = game.initial()
    assert game.move_text(start, game.parse_move(start, " D2xg7 ")) == "d2xg7"
    with pytest.raises(pg.BadInput, match="d2-d3 moves one"):
        game.parse_move(start, "a2")
