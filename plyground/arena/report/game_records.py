"""The games of an arena in the notation of their players: PGN, PDN of draughts, SGF of Hex and Gomoku.

Tags say who played, how it ended and why; beside each move stand the clock, the seconds that it took, and what its
player said of it. `[%clk]`, `[%emt]` and `[%eval]` are those of the "PGN specification: supplement" of chess servers.
"""

from collections.abc import Iterable, Iterator

from plyground.arena.results import Arena, Played
from plyground.games import AnyGame, as_game
from plyground.play.ending import TERMINATIONS, Ending
from plyground.play.formats.pgn import clock_text
from plyground.play.move_note import MoveEvaluation, MoveNote
from plyground.play.notations import player_tags, record_form, result_word
from plyground.play.record import of_position
from plyground.position import Position


def game_records(arena: Arena, games: Iterable[Played]) -> str:
    """All games that count, one after the other, as one file.

    Raises:
        BadInput: there is no such game.
    """
    rules = as_game(arena.game)
    return "\n".join(_record_text(arena, rules, played) for played in games if not played.void)


def _record_text(arena: Arena, rules: AnyGame, played: Played) -> str:
    task = played.task
    position = Position.starting(rules, task.opening)
    for move in played.moves:
        position = position.play(move)
    record, names = of_position(position), (task.x, task.o)
    first, second = player_tags(rules)
    record.tags = {"Event": arena.id, "Date": arena.created[:10].replace("-", "."), "Round": f"{task.number + 1}"}
    # In the order of the game's sides; `record_form` sets them in the order of the format.
    record.tags |= {first: task.x, second: task.o} | {"Termination": _termination(played, position)}
    record.result = result_word(rules, played.utility, played.ending)
    for recorded, note in zip(record.moves, played.notes, strict=False):
        recorded.clock, recorded.comment = note.left, " ".join(_comment_parts(note, rules))
    last = record.moves[-1] if record.moves else record
    last.comment = f"{last.comment} {played.why}".strip()
    return record_form(arena.game, position, record, players=names).text


def _termination(played: Played, last: Position) -> str:
    """PGN's word for a game's end. A game of an earlier version ended by the rules if its last position is an end."""
    is_over = played.ending is Ending.UNKNOWN and last.outcome is not None
    return "normal" if is_over else TERMINATIONS.get(played.ending, "normal")


def _comment_parts(note: MoveNote, rules: AnyGame) -> Iterator[str]:
    yield f"[%emt {clock_text(note.seconds)}]"
    if note.evaluation:
        yield _evaluation_comment(note.evaluation, rules)


def _evaluation_comment(evaluation: MoveEvaluation, rules: AnyGame) -> str:
    """A score and its depth, good for the first player where positive: pawns in chess, else the game's own points;
    `#3` is a win in three moves of the winner. In words what is neither: a share of simulations, a win by a margin or
    at an unknown distance.
    """
    score = evaluation.score.foreseen or evaluation.score
    depth = "" if evaluation.depth is None else f",{evaluation.depth}"
    # `[%eval]` knows pawns and mates alone: all else is said in words, which no program misreads as pawns.
    if score.share is not None or score.margin or (score.utility and score.plies is None):
        return evaluation.score.text(rules.names)
    if score.utility and score.plies is not None:
        # Moves and not plies, as chess programs count a mate: three plies are two moves of the winner.
        return f"[%eval #{'-' if score.utility < 0 else ''}{(score.plies + 1) // 2}{depth}]"
    points = 0 if score.utility == 0 else evaluation.points
    return f"[%eval {points / 100:.2f}{depth}]" if rules.record == "pgn" else f"[%eval {points}{depth}]"
