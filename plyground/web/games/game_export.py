"""Saved games as files: JSON lines, which the terminal replays, and the format of the players."""

from dataclasses import replace

from plyground.play.ending import TERMINATIONS, Ending
from plyground.play.game_file import end_line, head_line, move_lines, to_text
from plyground.play.notations import Form, player_tags, record_form, result_word
from plyground.play.record import of_position
from plyground.players import OFFERED
from plyground.web.games.game_state import GameState
from plyground.web.games.replays import Stored
from plyground.web.views import models as m
from plyground.web.views.positions import position_at

PLAYER_NAMES = {**OFFERED, "human": ""}
"""Names of players by their specs; a person who gives no name has none."""
_ENDINGS = {"resign": Ending.RESIGNATION, "flag": Ending.LATE, "draw": Ending.AGREEMENT}
"""How a game ended, by the kind of event that ended it; without one, by the rules."""


def export(stored: Stored) -> m.ExportView:
    """A saved game as both kinds of file."""
    state = GameState.of(stored.saved)
    form = _record(state)
    return m.ExportView(jsonl=_json_lines(state), record=form.text, title=form.title, ending=form.ending)


def _utility(state: GameState) -> int | None:
    """The game's result for x, on the board or by the event that ended it; None while it goes on."""
    ending = state.ending
    return state.position.outcome if ending is None else {"x": -1, "o": 1}.get(ending.text, 0)


def _ending(state: GameState) -> Ending:
    """How an ended game ended."""
    return Ending.NORMAL if state.ending is None else _ENDINGS[state.ending.kind]


def _json_lines(state: GameState) -> str:
    lines = [head_line(state.saved.spec, state.position, state.saved.players), *move_lines(state.position)]
    if state.saved.why:
        # Only time is a fault, as in the terminal's files; to resign is none.
        late = state.ending if state.ending and state.ending.kind == "flag" else None
        fault = "xo".index(late.text) if late else None
        lines.append(end_line(_utility(state), state.saved.why, fault, _ending(state)))
    return "".join(map(to_text, lines))


def _record(state: GameState) -> Form:
    """A game with its players, its date, its result, and the time that was left after each move."""
    saved, position = state.saved, state.position
    game, record = position.game, of_position(position)
    is_sgf = game.record == "sgf"
    record.tags["Date"] = saved.created[:10].replace("-", ".")
    for tag, player, name in zip(player_tags(game), saved.players, saved.names, strict=True):
        if called := name or PLAYER_NAMES.get(player, player):
            record.tags[tag] = called
    if saved.why:
        record.result = result_word(game, _utility(state), _ending(state))
        record.tags["Termination"] = TERMINATIONS.get(_ending(state), "normal")
        if state.ending:
            last = record.moves[-1] if record.moves else record
            last.comment = saved.why
    if state.clock:
        minutes, _, seconds = state.clock.text.partition("+")
        # SGF has its own property for time, which the writer makes of the clocks.
        if not is_sgf:
            record.tags["TimeControl"] = f"{round(60 * float(minutes))}+{seconds}"
        for move, left in zip(record.moves, _clocks(state), strict=True):
            move.clock = left
    return record_form(saved.spec, position, record)


def _clocks(state: GameState) -> list[float | None]:
    """Seconds that the mover had left after each move that was not taken back."""
    saved = state.saved
    here = GameState(
        replace(saved, events=(), plies=0, why=None), position_at(m.At(game=saved.spec, start=saved.start))
    )
    found: list[float | None] = []
    for happened in saved.events:
        mover, here = here.position.to_move, here.after(happened)
        if happened.kind == "move":
            found.append(round(here.clock.left[mover], 1) if here.clock else None)
        # Moves that were taken back are not in the file, so their clocks go, too.
        found = found[: len(here.position.moves)]
    return found
