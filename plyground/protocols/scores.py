"""Scores in the words of protocols: UCI's form of a score, and evaluations read from UCI's and XBoard's programs."""

from itertools import pairwise

from plyground.play.move_note import MoveEvaluation
from plyground.position import Position
from plyground.score import Score
from plyground.text import whole_number

PROVED_WIN_HUNDREDTHS = 20_000
"""Hundredths of a win that is proved without its distance, as Stockfish tells a win that its tables know."""
MATE_OFFSET = 100_000
"""Hundredths beyond which XBoard's score is this number and the moves to a mate."""


def score_words(score: Score, position: Position) -> str:
    """A score as UCI has it, good for the player to move where positive: hundredths, or moves to a won end. Where
    margins count, an end is its margin in the unit of the estimates.

    >>> chess, kalah = Position.initial("chess"), Position.initial("kalah:3,2")
    >>> other = chess.play("e4")
    >>> score_words(Score(1, plies=5), chess), score_words(Score(1, plies=4), other), score_words(Score(1), chess)
    ('mate 3', 'mate -2', 'cp 20000')
    >>> score_words(Score(points=-30), other), score_words(Score(points=3), kalah), score_words(Score(-4), kalah)
    ('cp 30', 'cp 3', 'cp -4')
    """
    game, mover = position.game, position.to_move
    sign = 1 if mover == 0 else -1
    if score.utility is None:
        # UCI has no word for a share of won games: 50 % is 0 and 100 % a hundred hundredths. An
        # estimate stays below any proved win.
        points = score.points if score.points is not None else round(((score.share or 0.0) - 0.5) * 200)
        most = PROVED_WIN_HUNDREDTHS - 1
        return f"cp {max(-most, min(most, sign * points))}"
    utility = sign * score.utility
    low, high = game.bounds(position.state)
    # `mate` says won, not by how much; where margins count that would be the wrong news.
    if utility == 0 or not -1 <= low <= high <= 1:
        return f"cp {utility * game.unit[1]}"
    if score.plies is None:
        return f"cp {utility * PROVED_WIN_HUNDREDTHS}"
    # UCI counts mates in moves of the mated or mating side, not in plies, and below 0 where the
    # engine is mated.
    return f"mate {(score.plies + 1) // 2 if utility > 0 else -(score.plies // 2)}"


def evaluation_in_info(line: str, mover: int) -> MoveEvaluation | None:
    """Evaluation of the best move in a line of `info`; None if it has no score, or only a bound. An end that the
    program tells is an estimate here: nothing shows that it left nothing out.

    >>> evaluation_in_info("info depth 9 seldepth 12 score cp -13 nodes 3 pv e7e5", 1)
    MoveEvaluation(score=Score(utility=None, plies=None, bound=False, points=13, share=None), depth=9)
    >>> evaluation_in_info("info depth 5 score mate -2 pv e1e2", 0).score.text()
    'o wins in 4 plies (estimate)'
    """
    # Behind `string` and `pv` stand words of the program's own, which may read like keys.
    words = line.partition(" string ")[0].partition(" pv ")[0].split()
    values = dict(pairwise(words))
    if words[:1] != ["info"] or values.get("multipv", "1") != "1" or not {"lowerbound", "upperbound"}.isdisjoint(words):
        return None
    kind = values.get("score", "")
    number = whole_number(values.get(kind, "").removeprefix("-"))
    if kind not in ("cp", "mate") or number is None:
        return None
    is_negative = values[kind].startswith("-")
    sign = (1 if mover == 0 else -1) * (-1 if is_negative else 1)
    depth = whole_number(values.get("depth", ""))
    if kind == "cp":
        return MoveEvaluation(Score(points=sign * number), depth)
    is_lost = is_negative or number == 0  # mate 0 says that the mover is mated
    # The mover mates in n moves with its ply 2n − 1; it is mated in n with the other's ply 2n.
    won = (-1 if mover == 0 else 1) if is_lost else (1 if mover == 0 else -1)
    return MoveEvaluation(Score(won, plies=2 * number if is_lost else 2 * number - 1).as_estimate, depth)


def evaluation_in_thinking(line: str, mover: int) -> MoveEvaluation | None:
    """Evaluation in a line of XBoard's thinking output; None if it is no such line.

    From 100,000 on, hundredths are moves to a mate, as version 2 of the protocol has them.

    >>> evaluation_in_thinking(" 9. 156 1084 48000 Nf3 Nc6", 1)
    MoveEvaluation(score=Score(utility=None, plies=None, bound=False, points=-156, share=None), depth=9)
    >>> evaluation_in_thinking("6 100003 12 900 Qh7", 0).score.text()
    'x wins in 5 plies (estimate)'
    """
    words = line.split()[:4]
    # Ply, score in hundredths, time in hundredths of a second, nodes (section 10 of the protocol).
    # Programs write a point or a sign behind the ply: `9.`, `12+`.
    numbers = [whole_number(word.removeprefix("-").rstrip(".+-")) for word in words]
    if len(numbers) < 4 or None in numbers:
        return None
    depth, points = numbers[0], (numbers[1] or 0) * (-1 if words[1].startswith("-") else 1)
    side = 1 if mover == 0 else -1
    if abs(points) > MATE_OFFSET:
        moves = abs(points) - MATE_OFFSET
        won = side if points > 0 else -side
        return MoveEvaluation(Score(won, plies=max(2 * moves - 1, 1) if points > 0 else 2 * moves).as_estimate, depth)
    return MoveEvaluation(Score(points=side * points), depth)
