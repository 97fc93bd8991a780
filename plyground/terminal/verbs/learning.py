"""The verb that learns an evaluation from self-play: learn."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from plyground.arena.learning.strength import measure_strength
from plyground.arena.report.wording import points_text
from plyground.errors import BadInput
from plyground.games import AnyGame
from plyground.learning.rounds import USUAL_LEARNING, Learner
from plyground.learning.slimming import slim
from plyground.learning.weights_file import write_weights
from plyground.rules import Game
from plyground.terminal.arguments import AsJson, GameName, Jobs, Scheduler, named_game, print_json
from plyground.terminal.board import err, out, progress
from plyground.terminal.resumable import PeriodicSave
from plyground.workers.cluster import Cluster

LEARNING_SAVE_SECONDS = 10.0
"""Seconds between two times that what is learned is kept."""


def learn(
    game: GameName,
    target: Annotated[Path | None, typer.Option("--out", help="the file of weights; by default GAME.weights")] = None,
    minutes: Annotated[
        float | None, typer.Option(help="CPU minutes to learn, those of all processes together; by default 10")
    ] = None,
    games: Annotated[int | None, typer.Option(help="how many games to learn from, in place of a time")] = None,
    seed: Annotated[int, typer.Option(help="the same weights again, after as many games")] = 0,
    large: Annotated[bool, typer.Option("--large", help="more patterns: learning is slower, and better later")] = False,
    whole: Annotated[
        bool, typer.Option("--whole", help="a file of all weights, not only of those that games ask for most")
    ] = False,
    jobs: Jobs = 1,
    scheduler: Scheduler = "",
    test: Annotated[float, typer.Option(help="CPU minutes, at most, to measure what was learned; 0: not at all")] = 3.0,
    as_json: AsJson = False,
) -> None:
    """Learn an evaluation from self-play, and measure it. Ctrl-C stops; the same command goes on."""
    if minutes is not None and games is not None:
        raise BadInput("--minutes and --games: give one of them.")
    if (minutes is not None and not 0 < minutes < 1e5) or (games is not None and games < 1) or not 0 <= test < 1e5:
        raise BadInput("--minutes and --games are above 0, --test is 0 or more.")
    rules = named_game(game)
    # A spec has signs that systems do not allow in names of files.
    file = target or Path(f"{game.rpartition('/')[2].replace(':', '-').replace(',', '-')}.weights")
    # The state is kept beside the weights: the same command finds a run that was stopped, from the same folder.
    kept = file.with_name(file.name + ".part")
    if not file.parent.is_dir():
        raise BadInput(f"There is no folder {file.parent}.")
    learner = Learner(rules, game, seed, large)
    learner.resume(kept)
    _learn_rounds(learner, kept, Cluster(jobs, scheduler), minutes, games)
    weights = learner.learned_weights() if whole else slim(learner.learned_weights(), rules)
    # Weights are written before measuring: if that is interrupted, what was learned is there.
    write_weights(weights, file)
    found: dict[str, Any] = {}
    if test:
        with progress("measuring", None):
            found = measure_strength(weights, rules, 60 * test, seed)
        write_weights(replace(weights, strength=found), file)
    kept.unlink(missing_ok=True)
    if as_json:
        print_json({"file": str(file), "bytes": file.stat().st_size, **weights.made, "strength": found})
        return
    _print_learning(learner, file, found, rules)


def _learn_rounds(learner: Learner, kept: Path, workers: Cluster, minutes: float | None, games: int | None) -> None:
    """Learn in rounds until the time is over or the games are played; the state is saved at intervals."""
    # The state is saved at once, so a place that cannot be written is told before minutes of learning.
    save = PeriodicSave(lambda: learner.keep(kept), LEARNING_SAVE_SECONDS, at_once=True)
    limit = {"games": games} if games is not None else {"seconds": 60 * minutes if minutes else USUAL_LEARNING}
    with workers as cluster, progress("learning", *limit.values()) as bar:
        try:
            for _ in learner.learn(cluster, **limit):
                said = f"{learner.games:,} games, {learner.plies:,} plies"
                bar.update(bar.task_ids[0], completed=learner.games if games else learner.seconds, said=said)
                save()
        except BaseException as fault:
            if learner.rounds and not isinstance(fault, BadInput):
                learner.keep(kept)
                said = f"{learner.games:,} games are learned from, and kept in {kept}"
                err.print(f"{said}: the same command goes on with them.", markup=False)
            raise
    learner.keep(kept)


def _print_learning(learner: Learner, file: Path, found: dict[str, Any], rules: AnyGame) -> None:
    """Print the amount of learning, and the measured strength."""
    rate = learner.plies / max(learner.seconds, 1e-9)
    said = f"{learner.games:,} games, {learner.plies:,} plies in {learner.seconds:.0f} CPU seconds"
    out.print(f"{file}: {file.stat().st_size:,} bytes; {said}, {rate:,.0f} plies a second", markup=False)
    if not found:
        return
    own = "the game's own evaluation" if type(rules).evaluate is not Game.evaluate else "no evaluation"
    of = strength_text(found)
    out.print(f"against {own}, {1000 * found['seconds_a_move']:.0f} ms of CPU time a move: {of}", markup=False)
    if kept := found.get("kept"):
        parts = [f"{word} {100 * kept[key] / kept['positions']:.0f} %" for key, word in _CHOICES.items()]
        out.print(f"first choice keeps the value in {kept['positions']} positions: {', '.join(parts)}", markup=False)
    out.print(f"play against it: plyground play {learner.name} --o engine:eval={file}", markup=False)


def strength_text(found: Mapping[str, Any]) -> str:
    """Strength against another evaluation: `94 of 100 points, +478 Elo (+314 to +642); SPRT: it is better`."""
    low, high = (
        f"{each:+d}" if each is not None else end for each, end in zip(found["interval"], ("−∞", "∞"), strict=True)
    )
    elo = f"every point, Elo ≥ {low}" if found["points"] else f"no point, Elo ≤ {high}"
    if None not in found["interval"]:
        elo = f"{found['elo']:+d} Elo ({low} to {high})"
    verdict = {"H1": "it is better", "H0": f"it is not better by {found['sprt'][1]:g} normalised Elo or more"}
    of = f"{points_text(found['points'])} of {found['games']:,} points"
    return f"{of}, {elo}; SPRT: {verdict.get(found['decision'], 'not decided')}"


_CHOICES = {"learned": "learned", "hand_written": "the game's own", "random": "at random"}
