"""The verb that reviews a game: a grade for every move, the better move, and the reason."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from platformdirs import user_data_path

from plyground.compiled.clock import Limit
from plyground.engine.move_grades import Grade, grade_move
from plyground.engine.review import REVIEW_SECONDS, GameReview, ReviewedMove
from plyground.engine.review import review as reviewed
from plyground.engine.think import think
from plyground.errors import BadInput
from plyground.play.notations import parse_pasted
from plyground.play.record import numbered_word
from plyground.position import Position, moves_text, notation_of
from plyground.score import SIDES, Score
from plyground.terminal.arguments import (
    INTERRUPTED,
    AsJson,
    GameNumber,
    IsStrict,
    complete_game,
    is_file_of_games,
    named_game,
    print_json,
    read_chosen,
    seat_of,
)
from plyground.terminal.board import board, err, out, plain_table, progress
from plyground.terminal.verbs.playing import LAST_GAME

GRADE_MARKS: dict[Grade, str] = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}
"""Signs of bad grades, as annotators of games write them; they have none for what was not looked at."""
TURNING_POINTS = 3
"""Turning points that stand first."""
TYPING_TRIES = 3
"""Moves that a person may try at each mistake before the answer is shown."""


def review(
    game: Annotated[
        str, typer.Argument(help="the game; the last one played here if left out", autocompletion=complete_game)
    ] = "",
    played: Annotated[
        list[str] | None,
        typer.Argument(help="its moves, or files: JSON lines, PGN, PDN, SGF, WTHOR; - is standard input"),
    ] = None,
    number: GameNumber = 1,
    seconds: Annotated[float, typer.Option("--time", help="seconds for the whole game")] = REVIEW_SECONDS,
    nodes: Annotated[
        int | None, typer.Option(help="nodes for each position instead, for the same review again")
    ] = None,
    retry: Annotated[str, typer.Option(help="find better moves than those of a side: x or o")] = "",
    every: Annotated[bool, typer.Option("--all", help="a sentence for every move")] = False,
    is_strict: IsStrict = False,
    as_json: AsJson = False,
) -> None:
    """Grade every move of a game: what it lost, what would have been better, and why."""
    seat = seat_of(retry) if retry else None
    end = _game(game, played or [], number, is_strict=is_strict)
    if not end.moves:
        raise BadInput('There is no move to review: write plyground review GAME "MOVES", or name a file.')
    found, is_whole = _find_review(end, seconds, nodes)
    if as_json:
        print_json(_review_json(found))
    elif seat is not None:
        _retry(found, seat)
    else:
        _print_review(found, every)
    if not is_whole:
        raise typer.Exit(INTERRUPTED)


def _game(game: str, played: Sequence[str], number: int = 1, *, is_strict: bool = False) -> Position:
    """The end of the game that is meant: typed moves, a game of files, or the last one that was played here."""
    words = [*filter(None, [game, *played])]
    if not words:
        last = user_data_path("plyground") / LAST_GAME
        if not os.path.lexists(last):
            raise BadInput('No game was played here yet: write plyground review GAME "MOVES", or name a file.')
        return _end_of_file([last], "", 1, is_strict=is_strict)
    if is_file_of_games(game):
        return _end_of_file([*map(Path, words)], "", number, is_strict=is_strict)
    if played and all(is_file_of_games(word) or os.path.isfile(word) for word in played):  # noqa: PTH113  moves may be no name of a file, or too long
        return _end_of_file([*map(Path, played)], game, number, is_strict=is_strict)
    return parse_pasted(game, " ".join(played), named_game(game)).position


def _end_of_file(files: Sequence[Path], game: str, number: int, *, is_strict: bool) -> Position:
    """The end of a game of files, as far as it can be read; on standard error which of several it is."""
    chosen, read = read_chosen(files, number, game, is_strict=is_strict)
    if number == 1 and chosen.count > 1:
        err.print("plyground: This is the first of several games; --number chooses another.", markup=False)
    end = read.position(chosen.game.rules)
    if len(end.moves) < len(read.main_line()):
        err.print("plyground: The moves after the last null move are reviewed.", markup=False)
    return end


def _find_review(end: Position, seconds: float, nodes: int | None) -> tuple[GameReview, bool]:
    """The review, and whether it had its whole time; after Ctrl-C the moves that were graded by then."""
    found = GameReview(end, {})
    try:
        with progress("looking at the moves, the last ones first", len(end.moves)) as bar:
            for found in reviewed(end, seconds, nodes=nodes):
                worst = found.turning_points[:1]
                said = f"ply {worst[0].ply}: {worst[0].short}" if worst else ""
                bar.update(bar.task_ids[0], completed=len(found.moves), said=said)
    except KeyboardInterrupt:
        # Nothing to show yet: Ctrl-C ends the command as usual.
        if not found.moves:
            raise
        return found, False
    return found, True


def _numbered_move(each: ReviewedMove) -> str:
    """The move as it stands in a numbered text: `2. Nf3`, `2… Nc6`."""
    before = each.before
    return numbered_word(before, before.game.notation_text(before.state, each.move), "…")


def _print_review(found: GameReview, every: bool) -> None:
    names = found.end.game.names
    out.print(board(found.end))
    out.print(f"{found.end.result}.", markup=False)
    for player in (0, 1):
        out.print(f"{names[player]}: {_accuracy(found, player)}{_count_grades(found, player)}", markup=False)
    if found.note:
        out.print(f"{found.note} Use a longer --time, or more --nodes.", markup=False)
    points = found.turning_points
    if not points:
        is_clean = not any(each.verdict.loss for each in found.moves.values())
        out.print(f"No move that was looked at is found to lose {'anything' if is_clean else 'much'}.")
    for title, some in (("Turning points", points[:TURNING_POINTS]), ("Other moves", _other_moves(found, every))):
        if some:
            out.print(f"\n{title}")
        for each in some:
            out.print(
                f"  {_numbered_move(each)}{GRADE_MARKS.get(each.verdict.grade, '')}  {each.sentence}", markup=False
            )
    out.print()
    out.print(_table(found))


def _other_moves(found: GameReview, every: bool) -> list[ReviewedMove]:
    told = {each.ply for each in found.turning_points[:TURNING_POINTS]}
    left = [each for ply, each in sorted(found.moves.items()) if ply not in told]
    return [each for each in left if every or each.verdict.is_turning_point]


def _accuracy(found: GameReview, player: int) -> str:
    accuracy = found.accuracy(player)
    if accuracy is not None:
        return f"accuracy {accuracy:.0f} %"
    own = [each for each in found.moves.values() if each.mover == player and not each.is_forced]
    is_whole = found.done and len(found.moves) == len(found.end.moves)
    return "accuracy open" if own or not is_whole else "no move with a choice"


def _count_grades(found: GameReview, player: int) -> str:
    """Number of moves with each bad grade: `, 1 mistake, 2 blunders, 1 losing move`."""
    grades = [each.verdict.grade for each in found.moves.values() if each.mover == player]
    words: dict[Grade, tuple[str, str]] = {
        "inaccuracy": ("inaccuracy", "inaccuracies"),
        "mistake": ("mistake", "mistakes"),
        "blunder": ("blunder", "blunders"),
        "losing": ("losing move", "losing moves"),
    }
    counts = [(grades.count(grade), *forms) for grade, forms in words.items()]
    return "".join(f", {count} {one if count == 1 else many}" for count, one, many in counts if count)


def _table(found: GameReview) -> object:
    """Table of all moves: grade, better move, and the score after it."""
    names = found.end.game.names
    rows = [
        (_numbered_move(each), each.grade_text, "" if each.is_best else _better_move(each), _score_text(each, names))
        for _, each in sorted(found.moves.items())
    ]
    head = ("move", "grade", "better", "then")
    return plain_table(head, rows, keys=1, left=head)


def _better_move(each: ReviewedMove) -> str:
    if not each.line or each.verdict.grade == "best" or not each.is_compared:
        return ""
    return each.before.game.notation_text(each.before.state, each.line[0])


def _score_text(each: ReviewedMove, names: tuple[str, str]) -> str:
    return each.after.text(names)


def _review_json(found: GameReview) -> dict[str, object]:
    """The review for programs."""
    names = found.end.game.names
    moves = [
        {
            "ply": each.ply,
            "mover": SIDES[each.mover],
            "move": moves_text(each.before, (each.move,))[0],
            "grade": each.verdict.grade,
            "kind": each.verdict.kind,
            "loss": None if each.verdict.grade == "losing" else round(each.verdict.loss, 4),
            "exact": each.verdict.exact,
            "sentence": each.sentence,
            "best": each.best.data(names),
            "played": each.after.data(names),
            "line": moves_text(each.before, each.line),
            "reply": moves_text(each.before.play(each.move), each.reply),
            "depth": each.depth,
        }
        for _, each in sorted(found.moves.items())
    ]
    accuracies = {SIDES[player]: _round_number(found.accuracy(player)) for player in (0, 1)}
    points = [each.ply for each in found.turning_points]
    return {"accuracy": accuracies, "note": found.note, "turning_points": points, "moves": moves}


def _round_number(number: float | None) -> float | None:
    return None if number is None else round(number, 1)


# -- retry -------------------------------------------------------------------------------------------------------------


def _retry(found: GameReview, seat: int) -> None:
    """A person looks for better moves than those that lost something, from the first to the last of a side."""
    # A person is asked only about moves that lost something: of others there is no better one to find.
    bad = [each for _, each in sorted(found.moves.items()) if each.mover == seat and each.verdict.is_bad]
    if not bad:
        out.print(f"{found.end.game.names[seat]} made no mistake that was found.", markup=False)
        return
    solved = 0
    for number, each in enumerate(bad, start=1):
        out.print(f"\n{number} of {len(bad)}: {_numbered_move(each)} was played. Find a better move.", markup=False)
        out.print(board(each.before))
        solved += _ask_better_move(each)
    out.print(f"\n{solved} of {len(bad)} found.")


def _ask_better_move(each: ReviewedMove) -> bool:
    """Whether the person finds a move that is good; the answer is shown after the last try, or after an empty line."""
    for words in _read_tries(each.before.game.names[each.mover]):
        try:
            move = each.before.legal(words)
        except BadInput as fault:
            out.print(str(fault), markup=False)
            continue
        verdict = grade_move(each.best, _score_other_move(each, move), each.mover)
        if move == each.line[0] or not verdict.is_bad:
            out.print(f"Right. {_reason(each)}", markup=False)
            return True
        out.print(f"No: {verdict.grade}.", markup=False)
    out.print(each.sentence, markup=False)
    return False


def _read_tries(name: str) -> Iterator[str]:
    for _ in range(TYPING_TRIES):
        try:
            words = input(f"{name}> ").strip()
        except EOFError:
            return
        if not words:
            return
        yield words


def _reason(each: ReviewedMove) -> str:
    return f"{each.best.text(each.before.game.names)}: {' '.join(notation_of(each.before, each.line))}"


def _score_other_move(each: ReviewedMove, move: int) -> Score:
    """Score of another move, looked at as deeply as the review looked."""
    # Both moves are searched to the same depth, or the two scores could not be compared; the time
    # bounds how long a person waits.
    report = [*think(each.before, Limit(depth=each.depth or None, time=2.0), also=(move,))][-1]
    return dict(report.moves)[move]
