"""The terminal: thin, it parses, calls and prints."""

import io
import json
import os
import sys
import time
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from platformdirs import user_data_path

from plyground.bench import bench as run_bench
from plyground.console import Human, forms
from plyground.engine import ALGORITHMS, Clock, Limit, Report, search, think
from plyground.errors import BadInput
from plyground.games import GAMES, AnyGame, game_named
from plyground.laws import check as check_laws
from plyground.laws import require_lawful
from plyground.match import Player, play_match
from plyground.players import PLAYERS, player_named
from plyground.position import Position
from plyground.record import Record, Recorded
from plyground.record import read as read_record
from plyground.score import Score
from plyground.search.perft import perft as count_sequences
from plyground.search.watch import Counting, Stopped
from plyground.speed import kernel
from plyground.terminal import analysis, board, err, moves_text, out, progress

app = typer.Typer(
    help="Two-player games of perfect information: play, analyse, search.",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Game = Annotated[str, typer.Argument(help="tictactoe, mnk:5,5,4, ultimate:send=false or path/to/file.py:ClassName")]
PositionText = Annotated[
    str, typer.Argument(help="a position in text, or moves such as 'b2 a1'; the start if left out")
]
AsJson = Annotated[bool, typer.Option("--json", help="answer in JSON")]

INTERRUPTED = 130
"""What shells call a process that Ctrl-C ended."""
SAVED = "last-game.jsonl"


def main() -> None:
    """Run the command line; what was wrong with the input ends it with one sentence and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a console without our signs shows ?, and goes on
    try:
        code = app(standalone_mode=False)
        if code == INTERRUPTED:  # Typer hands back the exit code, also of Ctrl-C
            _fail("stopped.", INTERRUPTED)
        sys.exit(code if isinstance(code, int) else 0)
    except BadInput as fault:
        _fail(str(fault), 2)
    except (typer.Abort, KeyboardInterrupt, Stopped):
        _fail("stopped.", INTERRUPTED)
    except BrokenPipeError:  # the reader has gone; nobody is left to tell
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except Exception as fault:
        if hasattr(fault, "format_message"):  # click's own: a wrong option, a missing argument
            _fail(str(fault.format_message()), 2)
        raise


def _fail(sentence: str, code: int) -> None:
    err.print(f"plyground: {sentence}", markup=False)
    sys.exit(code)


def _game(spec: str) -> AnyGame:
    """The game; one of somebody's own is first held against the laws for a moment."""
    game = game_named(spec)
    if ".py:" in spec:
        require_lawful(game)
    return game


def _position(spec: str, text: str) -> Position:
    return Position.parse(_game(spec), text)


def _print_json(answer: object) -> None:
    print(json.dumps(answer, ensure_ascii=False))


def _score_json(score: Score, position: Position) -> dict[str, object]:
    names = position.game.names
    winner = None if score.winner is None else names[score.winner]
    exact: dict[str, object] = {"exact": score.exact, "winner": winner, "plies": score.plies, "text": score.text(names)}
    return exact | ({} if score.exact else {"estimate": score.value})


# -- play -------------------------------------------------------------------------------------------------------------


@app.command()
def play(
    game: Annotated[str, typer.Argument(help="the game; see plyground games")] = "",
    x: Annotated[str, typer.Option(help="who plays x: human, or a player; see plyground games")] = "human",
    o: Annotated[str, typer.Option(help="who plays o")] = "engine:time=1",
    first: Annotated[str, typer.Option(help="who begins: x or o")] = "x",
    position: Annotated[str, typer.Option(help="start from a position or after moves")] = "",
    clock: Annotated[float, typer.Option(help="seconds for each side's whole game; 0: no clock")] = 0,
    record: Annotated[Path | None, typer.Option(help="the file to keep the game in, as JSON lines")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="go on with the last game, or the one in --record")] = False,
    as_json: AsJson = False,
) -> None:
    """Play a game: people and programs in any seats."""
    file = record or user_data_path("plyground") / SAVED
    if clock < 0:
        raise BadInput(f"--clock {clock:g}: seconds are above 0, or 0 for no clock.")
    if resume:
        kept = read_record(file)
        spec, seats, start = kept.game, kept.players, kept.position
        if kept.cut:
            err.print(f"plyground: {kept.cut} It goes on from there.", markup=False)
        if start.outcome is not None or kept.why:
            raise BadInput(
                f"The game in {file} is over ({kept.why or start.result}): start one with plyground play GAME."
            )
    else:
        if not game:
            raise BadInput("Which game? Write plyground play tictactoe, or plyground games to see what there is.")
        spec, seats = _with_first(game, first), (x, o)
        start = _position(spec, position)
    players = _seat(seats, silent=as_json)
    kept_record = Record.begin(file, spec, start, (players[0].name, players[1].name))
    quiet = as_json or ("human" not in seats and not out.is_terminal)
    if not quiet:
        out.print(board(start))
        if "human" in seats:
            out.print(forms(start) + " help lists more.", markup=False)
    try:
        result = play_match(
            start,
            players,
            clock=clock or None,
            record=kept_record,
            on_move=None if quiet else _show_move,
        )
    finally:
        kept_record.close()
    if as_json:
        fault = None if result.fault is None else start.game.names[result.fault]
        moves = moves_text(Position(start.game, result.position.start), result.position.moves)
        _print_json({"utility": result.utility, "why": result.why, "fault": fault, "moves": moves, "record": str(file)})
        return
    if quiet:
        out.print(board(result.position))
    out.print(f"{result.why}.", markup=False)
    if result.utility is None:
        more = f" --record {record}" if record else ""
        out.print(f"The game is kept: plyground play --resume{more} goes on with it.", markup=False)


def _with_first(game: str, first: str) -> str:
    if first == "x":
        return game
    separator = "," if ":" in game.rpartition(".py:")[2] else ":"
    return f"{game}{separator}first={first}"


def _seat(specs: tuple[str, str], *, silent: bool) -> tuple[Player, Player]:
    takes_back = 1 if specs == ("human", "human") else 2
    read = _read_silently if silent else input
    x, o = (Human(takes_back, read) if spec == "human" else player_named(spec) for spec in specs)
    return x, o


def _read_silently(prompt: str) -> str:
    """A line without a prompt, so that nothing but JSON is printed."""
    return input()


def _show_move(position: Position) -> None:
    if position.moves:
        before = position.undo()
        out.print(
            f"{before.game.names[before.to_move]} plays {before.game.move_text(before.state, position.moves[-1])}"
        )
    out.print(board(position))


@app.command()
def replay(file: Annotated[Path, typer.Argument(help="a recorded game")], as_json: AsJson = False) -> None:
    """Show a recorded game, move by move."""
    kept: Recorded = read_record(file)
    if kept.cut:
        raise BadInput(f"{kept.cut} Take it up with plyground play --resume --record {file}.")
    if as_json:
        moves = moves_text(Position(kept.position.game, kept.position.start), kept.position.moves)
        _print_json({"game": kept.game, "players": kept.players, "moves": moves, "why": kept.why})
        return
    out.print(f"{kept.game}: x {kept.players[0]}, o {kept.players[1]}", markup=False)
    for step in kept.position.steps():
        _show_move(step)
    out.print(f"{kept.why or 'left unfinished'}.", markup=False)


# -- answers ----------------------------------------------------------------------------------------------------------


@app.command()
def analyse(
    game: Game,
    position: PositionText = "",
    seconds: Annotated[float, typer.Option("--time", help="seconds to think at most")] = 5.0,
    depth: Annotated[int | None, typer.Option(help="plies to look ahead at most")] = None,
    as_json: AsJson = False,
) -> None:
    """The value of every move, who wins in how many plies, and best play."""
    here = _position(game, position)
    report = _think(here, Limit(depth=depth, time=seconds))
    if as_json:
        moves = [
            {"move": here.game.move_text(here.state, move), **_score_json(score, here)} for move, score in report.moves
        ]
        _print_json(_report_json(here, report) | {"moves": moves})
        return
    out.print(board(here))
    if here.outcome is not None:
        out.print(f"The game is over: {here.result}.")
        return
    out.print(analysis(here, report))
    out.print("best play: " + " ".join(moves_text(here, report.variation)), markup=False)


def _think(here: Position, limit: Limit) -> Report:
    last = None
    with progress("thinking", limit.time) as bar:
        started = time.perf_counter()
        for report in think(here, limit, every_move=True):
            said = f"depth {report.depth}, {report.nodes:,} nodes, {report.score.text(here.game.names)}"
            bar.update(bar.task_ids[0], completed=time.perf_counter() - started, said=said)
            last = report
    assert last is not None
    return last


def _report_json(here: Position, report: Report) -> dict[str, object]:
    return {
        "position": here.text,
        "to_move": here.game.names[here.to_move],
        "value": _score_json(report.score, here),
        "move": moves_text(here, report.variation[:1])[0] if report.variation else None,
        "variation": moves_text(here, report.variation),
        "depth": report.depth,
        "nodes": report.nodes,
        "leaves": report.leaves,
        "cutoffs": report.cutoffs,
        "seconds": round(report.seconds, 6),
    }


@app.command(name="search")
def search_command(
    game: Game,
    position: PositionText = "",
    algorithm: Annotated[str, typer.Option(help=" or ".join(ALGORITHMS))] = "alphabeta",
    depth: Annotated[int, typer.Option(help="plies to look ahead")] = 4,
    hurry: Annotated[bool, typer.Option(help="prefer the sooner win; --no-hurry counts as the textbooks do")] = True,
    as_json: AsJson = False,
) -> None:
    """One textbook search: value, move, nodes, leaves, cutoffs, time."""
    here = _position(game, position)
    total = len(here.legal_moves)
    with progress(f"{algorithm}, depth {depth}", total) as bar:

        def on_wait(watch: Counting) -> None:
            bar.update(bar.task_ids[0], completed=max(watch.tried - 1, 0), said=f"{watch.nodes:,} nodes")

        report = search(here, algorithm, depth, hurry=hurry, on_wait=on_wait)
    if as_json:
        _print_json(_report_json(here, report) | {"algorithm": algorithm})
        return
    move = moves_text(here, report.variation)
    rate = report.nodes / report.seconds / 1e6 if report.seconds else 0.0
    out.print(f"value    {report.score.text(here.game.names)}{'' if report.score.exact else ' (estimate)'}")
    out.print(f"move     {move[0] if move else 'none: the game is over'}")
    out.print(f"nodes    {report.nodes:,}")
    out.print(f"leaves   {report.leaves:,}")
    out.print(f"cutoffs  {report.cutoffs:,}")
    out.print(f"time     {report.seconds:.3f} s ({rate:.1f} million nodes a second)")


@app.command()
def perft(
    game: Game,
    depth: Annotated[int, typer.Argument(help="plies")],
    position: Annotated[str, typer.Option(help="where to count from")] = "",
    as_json: AsJson = False,
) -> None:
    """How many sequences of moves there are, for each number of plies up to DEPTH."""
    if not 0 <= depth <= 1000:
        raise BadInput(f"depth={depth}: count 0 to 1000 plies.")
    here = _position(game, position)
    run = kernel(count_sequences, here.game)
    run.prepare(Counting.fresh(), here.state, 1, 0)
    counts = []
    for plies in range(1 if depth else 0, depth + 1):
        started = time.perf_counter()
        counts.append(_perft(here, plies))
        if not as_json:
            out.print(f"{plies:>3} {counts[-1]:>20,}  {time.perf_counter() - started:.3f} s")
    if as_json:
        _print_json({"game": game, "position": here.text, "perft": counts})


def _perft(here: Position, plies: int) -> int:
    """Counted move by move, so that the bar can tell how far it is."""
    run = kernel(count_sequences, here.game)
    if plies == 0 or here.outcome is not None:
        return int(plies == 0)
    total = 0
    with progress(f"perft {plies}", len(here.legal_moves)) as bar:
        for done, move in enumerate(here.legal_moves):
            clock = Clock(Limit())
            child = here.game.play(here.state, move)
            total += clock.run(partial(run, clock.watch, child, plies - 1, 1))
            bar.update(bar.task_ids[0], completed=done + 1, said=f"{total:,}")
    return total


@app.command()
def check(
    game: Game,
    games: Annotated[int, typer.Option(help="random games to play")] = 100,
    seed: Annotated[int, typer.Option(help="of the random play")] = 0,
    as_json: AsJson = False,
) -> None:
    """Hold a game against every law of the rules, plain and compiled."""
    if games < 1:
        raise BadInput(f"--games {games}: play at least one.")
    rules = game_named(game)
    with progress("checking", games) as bar:
        verdict = check_laws(rules, games=games, seed=seed, on_game=lambda: bar.advance(bar.task_ids[0]))
    if as_json:
        faults = [{"law": fault.law, "sentence": fault.sentence} for fault in verdict.faults]
        answer: dict[str, Any] = {"ok": verdict.ok, "games": verdict.games, "states": verdict.states}
        _print_json(answer | {"compiled": verdict.compiled, "faults": faults, "notes": verdict.notes})
    else:
        for fault in verdict.faults:
            out.print(f"✗ {fault.law}: {fault.sentence}", markup=False)
        for note in verdict.notes:
            out.print(f"note: {note}", markup=False)
        speeds = "plain and compiled" if verdict.compiled else "plain"
        word = "every law holds" if verdict.ok else f"{len(verdict.faults)} laws are broken"
        out.print(f"{game}: {word} ({verdict.games} games, {verdict.states} states, {speeds})", markup=False)
    if not verdict.ok:
        raise typer.Exit(2)


@app.command()
def games(as_json: AsJson = False) -> None:
    """The games and players there are."""
    if as_json:
        named = {"games": {choice.name: choice.summary for choice in GAMES}}
        _print_json(named | {"players": {choice.name: choice.summary for choice in PLAYERS}})
        return
    out.print("Games")
    for game in GAMES:
        out.print(f"  {game.name:<10} {game.summary}", markup=False)
    out.print("  your own   path/to/file.py:ClassName; see docs/add-a-game.md", markup=False)
    out.print("Players\n  human      you, at this terminal")
    for player in PLAYERS:
        out.print(f"  {player.name:<10} {player.summary}", markup=False)


@app.command()
def bench(as_json: AsJson = False) -> None:
    """Nodes searched in a fixed set of searches (one number that changes only when a search does), and speeds."""
    answer = run_bench()
    if as_json:
        _print_json(answer)
        return
    for row in answer["rows"]:
        plain, ratio = row["plain"] / 1e6, row["ratio"]
        said = f"{row['nodes']:>12,} nodes {row['compiled'] / 1e6:>8.1f} M/s  plain {plain:.2f} M/s  ×{ratio:.0f}"
        out.print(f"{row['game']:<20} {row['task']:<14} {said}", markup=False)
    out.print(f"Nodes: {answer['nodes']}")


if __name__ == "__main__":
    main()
