"""The verb that holds a player against every reply."""

import json
import os
from collections.abc import Sequence
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from plyground.compiled.fingerprint import rules_fingerprint
from plyground.errors import BadInput, clause_of
from plyground.files import WORK_MOST, text_of_file
from plyground.files.whole_file import append, open_lines
from plyground.games import game_named
from plyground.play.audit import AUDIT_BUDGET, verify
from plyground.play.audit import audit as run_audit
from plyground.play.player import Player
from plyground.play.proof import Audit, Replies, write
from plyground.players import player_named
from plyground.position import Position
from plyground.sandbox.bubblewrap import confining_programs
from plyground.terminal.arguments import (
    AsJson,
    complete_game,
    complete_player,
    named_position,
    print_address,
    print_json,
    seat_of,
    with_first_side,
)
from plyground.terminal.board import err, out, progress

MOST_SHOWN = 10
"""Lost games shown without --json."""
PLAYER_HELP = (
    'the player: alphabeta:9, "program:python mine.py", or, for a program that calls a Connector by itself, '
    '"program[port=54321]:swipl ttt.pl"'
)


@confining_programs()
def audit(
    game: Annotated[str, typer.Argument(help="the game; see plyground games", autocompletion=complete_game)] = "",
    player: Annotated[str, typer.Argument(help=PLAYER_HELP, autocompletion=complete_player)] = "",
    side: Annotated[str, typer.Option("--as", help="the side it plays: x or o")] = "o",
    first: Annotated[str, typer.Option(help="who begins: x or o")] = "x",
    position: Annotated[str, typer.Option(help="start from a position or after moves")] = "",
    budget: Annotated[int, typer.Option(help="positions in which the player is asked, at most")] = AUDIT_BUDGET,
    jobs: Annotated[int, typer.Option(help="copies of the player asked at once")] = 1,
    state: Annotated[
        Path | None,
        typer.Option(help="save replies in this file, and resume from it"),
    ] = None,
    certificate: Annotated[Path | None, typer.Option(help="write the audit to this file")] = None,
    check: Annotated[Path | None, typer.Option("--verify", help="re-check a certificate; needs no player")] = None,
    as_json: AsJson = False,
) -> None:
    """Prove that a player never loses, or list every way to beat it. Exit code 1 if it is not proved, 2 if the player
    could not be asked: that is no verdict."""
    if check:
        verified = verify(check)
        _print_audit(verified.found, as_json, verified.unchecked)
        return
    if not game or not player:
        raise BadInput(
            'Write plyground audit GAME PLAYER_HELP, as in plyground audit tictactoe "program:python mine.py".'
        )
    seat = seat_of(side)
    if budget < 1 or not 1 <= jobs <= 64:
        raise BadInput(f"--budget {budget}, --jobs {jobs}: at least 1, and at most 64 jobs.")
    spec = with_first_side(game, first)
    start = named_position(spec, position)
    asked = player_named(player)
    # The address is printed before the first question: a peer has to know where to call while it is waited for.
    print_address(asked)
    kept = _SavedReplies(
        state,
        {"game": spec, "rules": rules_fingerprint(start.game), "player": player, "side": side}
        | _player_versions(asked),
    )
    if kept.others:
        err.print(
            f"plyground: {kept.others:,} replies in {state} are of another player, game or side, or of these before "
            "their files changed: they are not used, and this audit's are added.",
            markup=False,
        )
    with closing(kept), progress(f"auditing {player}", None) as bar:

        def on_reply(text: str, move: str) -> None:
            kept.keep(text, move)
            bar.advance(bar.task_ids[0])
            bar.update(bar.task_ids[0], said=f"{bar.tasks[0].completed:,.0f} positions")

        found = run_audit(
            spec,
            start,
            seat,
            lambda: player_named(player),
            budget=budget,
            jobs=jobs,
            known=kept.replies,
            on_reply=on_reply,
        )
    if certificate:
        write(found, certificate)
    _print_audit(found, as_json)


def _player_versions(player: Player) -> dict[str, object]:
    """Hashes of a player's files as far as they are known, and plyground's version."""
    files = player.file_hashes()
    return {"version": version("plyground")} | ({} if files is None else {"files": files})


class _SavedReplies:
    """File of replies by which a stopped audit goes on: a line for each, below a head with game, side and player.

    Replies are used only while all that line says is as it was: the same game, side and spec, and the same bytes in the
    files that a program's command names.
    """

    def __init__(self, file: Path | None, whose: dict[str, object]) -> None:
        self.replies: Replies = {}
        self.others = 0
        """Replies in the file that are not used."""
        self._file = None
        if file is None:
            return
        lines = self._read_entries(file, whose) if os.path.lexists(file) else []
        try:
            self._file = open_lines(file, json.dumps(whose))
        except OSError as fault:
            raise BadInput(f"{file} cannot be written: {fault.strerror}.") from None
        if lines:
            self._write_entry(whose)

    def _read_entries(self, file: Path, whose: dict[str, object]) -> list[str]:
        lines = text_of_file(file, WORK_MOST).splitlines(keepends=True)
        ours = False
        for number, line in enumerate(lines, start=1):
            try:
                entry = json.loads(line)
                if isinstance(entry, dict):
                    ours = entry == whose
                    if entry.keys() != whose.keys():
                        raise ValueError
                    continue
                text, move = entry
            except (ValueError, TypeError, RecursionError):
                if number < len(lines) or number == 1:
                    raise BadInput(f"{file}, line {number} is no reply of an audit.") from None
                break  # it was being written when the audit was stopped
            # A file may hold several audits, each below its own line: only rows below ours are
            # used.
            if ours:
                self.replies[str(text)] = str(move)
            else:
                self.others += 1
        return lines

    def keep(self, text: str, move: str) -> None:
        """Keep a reply.

        Raises:
            BadInput: it cannot be written.
        """
        if self._file:
            self._write_entry([text, move])

    def close(self) -> None:
        """Close the file."""
        if self._file:
            self._file.close()

    def _write_entry(self, entry: object) -> None:
        assert self._file is not None
        try:
            append(self._file, f"{json.dumps(entry)}\n".encode())
        except OSError as fault:
            said = f"{self._file.name} cannot be written: {fault.strerror}."
            raise BadInput(f"{said} The same command goes on with the replies that it has.") from None


def _print_audit(found: Audit, as_json: bool, unchecked: Sequence[str] | None = None) -> None:
    """Print an audit; of a verified certificate without the player, and with its unchecked claims."""
    is_verified = unchecked is not None
    if as_json:
        names = ("moves", "why", "ending", "wrong", "held")
        losses = [{name: getattr(loss, name) for name in names} for loss in found.losses]
        shown = {
            name: getattr(found, name)
            for name in ("game", "player", "side", "start", "verdict", "positions", "games", "lost", "is_whole")
        }
        more = {"player": None, "unchecked": unchecked} if is_verified else {}
        print_json(shown | more | {"losses": losses})
    else:
        game = game_named(found.game)
        side = game.names["xo".index(found.side)]
        begun = "" if found.start == Position.initial(game).text else f" from {found.start}"
        who = "Verified: a player with these replies" if is_verified else found.player
        out.print(f"{who} as {side} in {found.game}{begun} {found.sentence}", markup=False)
        for loss in found.losses[:MOST_SHOWN]:
            held = f"; wrong was ply {loss.wrong}, {' or '.join(loss.held)} would have held" if loss.wrong else ""
            out.print(f"  {' '.join(loss.moves)}: {clause_of(loss.why) if held else loss.why}{held}", markup=False)
        if len(found.losses) > MOST_SHOWN:
            listed = "them" if found.lost == len(found.losses) else f"the first {len(found.losses):,}"
            out.print(f"  … and {found.lost - MOST_SHOWN:,} more: --json lists {listed}.", markup=False)
        for sentence in unchecked or ():
            out.print(sentence, markup=False)
    if found.verdict != "never loses":
        raise typer.Exit(1)
