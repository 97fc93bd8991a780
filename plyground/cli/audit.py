"""The verb that holds a player against every reply."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from plyground.audit import BUDGET, Audit, Replies, verify, write
from plyground.audit import audit as run_audit
from plyground.cli.words import AsJson, first_of, named_position, print_json
from plyground.errors import BadInput
from plyground.players import player_named
from plyground.terminal import out, progress

SHOWN = 10
"""Lost games shown without --json."""


def add_to(app: typer.Typer) -> None:
    """Make this verb part of a command."""
    app.command()(audit)


def audit(
    game: Annotated[str, typer.Argument(help="the game; see plyground games")] = "",
    player: Annotated[
        str,
        typer.Argument(
            help='alphabeta:9, "program:swipl a.pl", or if it calls a port "program[port=54321]:swipl a.pl"'
        ),
    ] = "",
    side: Annotated[str, typer.Option("--as", help="the side it plays: x or o")] = "o",
    first: Annotated[str, typer.Option(help="who begins: x or o")] = "x",
    position: Annotated[str, typer.Option(help="start from a position or after moves")] = "",
    budget: Annotated[int, typer.Option(help="positions in which the player is asked, at most")] = BUDGET,
    jobs: Annotated[int, typer.Option(help="copies of the player asked at once")] = 1,
    state: Annotated[Path | None, typer.Option(help="keep replies in this file, and go on from it")] = None,
    certificate: Annotated[Path | None, typer.Option(help="write the audit to this file")] = None,
    check: Annotated[Path | None, typer.Option("--verify", help="re-check a certificate; needs no player")] = None,
    as_json: AsJson = False,
) -> None:
    """Prove that a player never loses, or list every way to beat it. Exit code 1 if it loses."""
    if check:
        _say(verify(check), as_json)
        return
    if not game or not player:
        raise BadInput('Write plyground audit GAME PLAYER, as in plyground audit tictactoe "program:swipl student.pl".')
    if side not in ("x", "o"):
        raise BadInput(f"--as {side}: x or o.")
    if budget < 1 or not 1 <= jobs <= 64:
        raise BadInput(f"--budget {budget}, --jobs {jobs}: at least 1, and at most 64 jobs.")
    spec = first_of(game, first)
    start = named_position(spec, position)
    player_named(player)  # says now if there is none such
    known = _known(state)
    with progress(f"auditing {player}", None) as bar:

        def on_reply(_: str, __: str) -> None:
            bar.advance(bar.task_ids[0])
            bar.update(bar.task_ids[0], said=f"{bar.tasks[0].completed:,.0f} positions")

        keep = _keeper(state, on_reply)
        found = run_audit(
            spec,
            start,
            "xo".index(side),
            lambda: player_named(player),
            budget=budget,
            jobs=jobs,
            known=known,
            on_reply=keep,
        )
    if certificate:
        write(found, certificate)
    _say(found, as_json)


def _known(state: Path | None) -> Replies:
    """The replies of an audit that was stopped; a last line that is cut off is left out."""
    if state is None or not state.exists():
        return {}
    known: Replies = {}
    try:
        lines = state.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as fault:
        raise BadInput(f"{state} cannot be read: {fault}.") from None
    for number, line in enumerate(lines, start=1):
        try:
            text, move = json.loads(line)
            known[str(text)] = str(move)
        except (ValueError, TypeError):
            if number < len(lines):
                raise BadInput(f"{state}, line {number} is no reply of an audit.") from None
    return known


def _keeper(state: Path | None, on_reply: Callable[[str, str], None]) -> Callable[[str, str], None]:
    if state is None:
        return on_reply
    try:
        whole = state.exists() and state.read_bytes().endswith(b"\n")
        file = state.open("a", encoding="utf-8", newline="\n")
        if state.stat().st_size and not whole:
            file.write("\n")
    except OSError as fault:
        raise BadInput(f"{state} cannot be written: {fault.strerror}.") from None

    def keep(text: str, move: str) -> None:
        file.write(json.dumps([text, move]) + "\n")
        file.flush()
        on_reply(text, move)

    return keep


def _say(found: Audit, as_json: bool) -> None:
    if as_json:
        losses = [
            {"moves": loss.moves, "why": loss.why, "wrong": loss.wrong, "held": loss.held} for loss in found.losses
        ]
        shown = {
            name: getattr(found, name) for name in ("game", "player", "side", "verdict", "positions", "games", "lost")
        }
        print_json(shown | {"losses": losses})
    else:
        out.print(f"{found.player} as {found.side} in {found.game} {found.sentence}", markup=False)
        for loss in found.losses[:SHOWN]:
            held = f"; wrong was ply {loss.wrong}, {' or '.join(loss.held)} would have held" if loss.wrong else ""
            out.print(f"  {' '.join(loss.moves)}: {loss.why}{held}", markup=False)
        if len(found.losses) > SHOWN:
            out.print(f"  … and {len(found.losses) - SHOWN:,} more: --json lists them.", markup=False)
    if found.verdict != "never loses":
        raise typer.Exit(1)
