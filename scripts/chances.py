"""Fit the curves of chances (`plyground/data/chances.json`) to games that the arena plays now.

`python scripts/chances.py` fits those of all games, `python scripts/chances.py chess hex` those of some. The same
search, number of games and seed give the same curves; after a change of a search or an evaluation, run it again.
"""

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path

import plyground as pg
from plyground.arena.statistics.curves import Sample, curve, log_loss
from plyground.engine.chances import occupancy

DATA = Path(__file__).parent.parent / "plyground" / "data" / "chances.json"
PLAYERS = ("deep=engine:nodes=4000", "shallow=engine:nodes=400", "narrow=alphabeta:depth=2,seed=1")
RANDOM_PLIES = 4
"""Random plies before each game, so that no two are alike."""
NODES = 4_000
"""Node budget of the search whose estimate of a position is fitted, like that of a quick review."""
EACH = 6
"""Positions of a game that are looked at."""
HELD_BACK = 5
"""One game in `HELD_BACK` is held back from the fit and measures the curve."""
KNOWS_NOTHING = 0.693
"""Log loss of a curve that says 50 % always: with this or more on the games held back, a game gets no curve."""
WITHOUT = ("openspiel", "nim", "chomp")
"""Games without a static evaluation, and one whose evaluation is the truth."""


def samples(spec: str, games: int, seed: int) -> Iterator[list[Sample]]:
    """Positions of played games that were estimated, game by game."""
    game, chance = pg.game_named(spec), random.Random(seed)
    pairs = len(PLAYERS) * (len(PLAYERS) - 1) // 2
    each = max(2, games // pairs // 2 * 2)
    for played in pg.arena(PLAYERS, spec, games=each, random_plies=RANDOM_PLIES, seed=seed, jobs=1):
        if (result := played.score(0)) is None or played.fault is not None:
            continue
        end = pg.Position.parse(game, played.task.opening)
        for move in played.moves:
            end = end.play(move)
        steps = list(end.steps())[:-1]
        found = []
        for here in chance.sample(steps, min(EACH, len(steps))):
            score = [*pg.think(here, pg.Limit(nodes=NODES))][-1].score
            if score.points is not None:
                found.append(Sample(occupancy(game, here.state), score.points, result))
        yield found


def main() -> None:
    """Play, fit and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="*", help="specs of games; all shipped ones if none is named")
    parser.add_argument("--games", type=int, default=180, help="games of each")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    known = json.loads(DATA.read_text(encoding="utf-8")) if DATA.exists() else {}
    for spec in args.game or [choice.name for choice in pg.GAMES.shipped if choice.name not in WITHOUT]:
        games = [*samples(spec, args.games, args.seed)]
        fitted = [each for number, game in enumerate(games) if number % HELD_BACK for each in game]
        held = [each for number, game in enumerate(games) if not number % HELD_BACK for each in game]
        if not fitted or not held:
            print(f"{spec}: every position was seen to its end; no curve.", flush=True)
            continue
        phases = curve(fitted)
        loss = round(log_loss(phases, held), 3)
        if loss >= KNOWS_NOTHING:
            print(f"{spec}: log loss {loss} held back: its estimates tell nothing of the result; no curve.", flush=True)
            continue
        known[spec] = {
            "games": len(games),
            "samples": len(fitted),
            "loss": loss,
            "phases": [[phase.most, phase.lean, phase.slope] for phase in phases],
        }
        print(f"{spec}: {len(games)} games, {len(fitted)} positions, log loss {loss} of 0.693 held back", flush=True)
        rows = [f"  {json.dumps(name)}: {json.dumps(known[name])}" for name in sorted(known)]
        DATA.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
