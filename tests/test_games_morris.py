"""Three, Six and Nine Men's Morris, held against a slow twin and against what is published."""

import random
from collections import defaultdict, deque
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pytest

import plyground as pg
from plyground.compiled.kernel import is_plain_wanted, kernel
from plyground.exact.sweep import Sweep
from plyground.rules import place_names
from plyground.score import Score
from plyground.search.observer import SILENT
from plyground.search.perft import perft

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


@pytest.mark.usefixtures("speed")
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
    """Dudeney, "The Canterbury Puzzles" (1907), 110: the first player wins by the centre; barred from it, it is a
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
    lines = {frozenset(mill) for mill in [{place_names(game).index(name) for name in mill} for mill in MILLS[game.men]]}
    three = game.initial()._replace(mine=0b1011, theirs=0b10110000, my_hand=0, their_hand=0)
    every = game.symmetries(three)
    assert every == (48 if name == "morris" else 16 if name == "sixmorris" else 8)
    for symmetry, mill in product(range(every), lines):
        image = game.image(sum(1 << point for point in mill), symmetry)
        assert {point for point in range(game.points) if image >> point & 1} in lines


# -- three men against three, who all fly ------------------------------------------------------------------------------


def placements_of(rings: int) -> int:
    """How many placements of three men and three there are up to symmetry, by Burnside's lemma: the rings may come in
    any order, and be turned and mirrored."""
    points = list(product(range(rings), range(8)))
    fixed = 0
    for order, mirror, turn in product(permutations(range(rings)), (1, -1), range(0, 8, 2)):
        after = {(ring, point): (order[ring], (mirror * point + turn) % 8) for ring, point in points}
        ways, seen = {(0, 0): 1}, set[tuple[int, int]]()
        for place in points:
            length = 0
            while place not in seen:
                seen.add(place)
                place, length = after[place], length + 1
            more: dict[tuple[int, int], int] = defaultdict(int)
            for (mine, theirs), count in ways.items():
                for either in {(mine, theirs), (mine + length, theirs), (mine, theirs + length)}:
                    more[either] += count
            ways = more
        fixed += ways[3, 3]
    return fixed // (8 * len(list(permutations(range(rings)))))


def flown(men: int) -> tuple[list[frozenset[str]], Any]:
    """The sets of three points, and for each two of them, of who is to move and of the other, the plies to the end: odd
    where it is won, even where it is lost, -1 where it is drawn, 0 where they share a point. Of all placements, without
    symmetry; a bit for each placement, and none of our code.
    """
    points = sorted({point for pair in JOINED[men] for point in pair})
    sets = [frozenset(three) for three in combinations(points, 3)]
    number = {three: index for index, three in enumerate(sets)}
    near = [[number[a - {man} | {to}] for man in a for to in points if to not in a] for a in sets]
    clear = np.array([[not a & b for b in sets] for a in sets])
    mill = np.array([a in MILLS[men] for a in sets])
    plies = np.where(clear, -1, 0)

    def moved(good: Any) -> Any:
        """Where who is to move can go to a pair that is good, told as [who has moved, the other]."""
        bits = np.packbits(good & clear, axis=1)
        there = np.zeros_like(bits)
        for way in np.array(near).T:
            there |= bits[way]
        return np.unpackbits(there, axis=1, count=len(sets)).astype(bool) & clear

    ply, told = 1, moved(np.broadcast_to(mill[:, None], clear.shape))
    while told.any():
        plies[told] = ply
        ply += 1
        if ply % 2:
            told = moved((plies == ply - 1).T) & (plies == -1)
        else:
            told = ~moved((plies % 2 == 0).T | (plies == -1).T) & (plies == -1)
    return sets, plies


@pytest.mark.compiled
def test_three_men_against_three_fly() -> None:
    """The last endgame of Nine Men's Morris as its twin values all 2,691,920 placements: 83 in 100 are won for who is
    to move, in 25 plies at most, and few are drawn; all that come about are listed in the memory that there is."""
    game = pg.game_named("morris")
    assert isinstance(game, pg.Morris)
    start = pg.Position.parse(game, "x.x/.../.../....x./.o./.o./o..:x:0,0")
    sets, plies = flown(9)
    won, lost, drawn = (plies % 2 == 1) & (plies > 0), (plies % 2 == 0) & (plies > 0), plies == -1
    assert [int(kind.sum()) for kind in (won, lost, drawn)] == [2_232_160, 455_648, 4_112]
    assert placements_of(3) == 56_922 and plies[won].max() == 25 and plies.max() == 26
    sweep = Sweep(start, reduced=True)
    sweep.list()
    sweep.value()
    census = sweep.census()
    assert (census.states, census.x, census.o, census.longest) == (112_056, 55_966, 55_966, 26)
    masks = [sum(1 << place_names(game).index(point) for point in three) for three in sets]
    clear, chance = [index for index, three in enumerate(sets) if three not in MILLS[9]], random.Random(5)
    pairs = [(a, b) for a, b in zip(*np.nonzero(drawn), strict=True) if a in clear and b in clear]
    pairs += [(a, b) for a, b in (chance.sample(clear, 2) for _ in range(3_000)) if not sets[a] & sets[b]]
    for mine, theirs in pairs:
        state = start.state._replace(mine=masks[mine], theirs=masks[theirs], turn=chance.randrange(2))
        wins, length = (-1 if state.turn else 1), int(plies[mine, theirs])
        assert sweep.score(state) == (Score(0) if length < 0 else Score(wins if length % 2 else -wins, plies=length)), (
            game.text(state)
        )


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
