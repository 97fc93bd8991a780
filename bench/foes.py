"""Strength beside programs of the field: short matches, each opening with both sides, and what they say of our engine.

python bench/foes.py                writes bench/FOES.md; an hour and a half
python bench/foes.py connectfour    plays one game's matches, or one program's, and writes their rows anew

Stockfish, GNU Chess, Fairy-Max, Fairy-Stockfish and GRhino are Debian's (`scripts/setup`); bitbully, cli-othello and
gomokubench are PyPI's. So is py-draughts, which has the name of a package of the tests: `pip install --target FOLDER
py-draughts`, with PYTHONPATH=FOLDER.
"""

import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import plyground as pg
from plyground.position import Position

TARGET = Path(__file__).with_name("FOES.md")
SECONDS = 0.05
"""Seconds for each move, on both sides."""
OURS = f"engine:time={SECONDS}"
SEED = 30
COLUMNS = 7
"""Number of columns of the table."""
WON_AFTER = 14
"""Discs in a position of Connect Four from which a match begins."""


@dataclass(frozen=True)
class Foe:
    """A program to play against."""

    game: str
    words: str
    player: str | Callable[[Position], int]
    games: int = 40
    random_plies: int = 4
    """Plies before the match; 0 for a program that knows no positions."""


def uci(command: str, **options: object) -> str:
    """A UCI program with our time, and options of its own."""
    given = {"time": SECONDS, "start": 120, "Threads": 1} | options
    return f"uci[{','.join(f'{name}={value}' for name, value in given.items())}]:{command}"


def cli_othello(position: Position) -> int:
    """The move of PyPI's cli-othello at its highest level: alpha-beta of four plies, the last ten to the end."""
    from cli_othello.ai import MAX_LEVEL, OthelloAI
    from cli_othello.board import BLACK, EMPTY, WHITE, Board

    board = Board()
    cells = position.text.partition(":")[0].replace("/", "")
    board.cells = [{"x": BLACK, "o": WHITE}.get(sign, EMPTY) for sign in cells]
    found = OthelloAI((BLACK, WHITE)[position.to_move], MAX_LEVEL).choose_move(board)
    return position.legal_moves[0] if found is None else position.legal(f"{'abcdefgh'[found[1]]}{found[0] + 1}")


def py_draughts(position: Position) -> int:
    """The move of PyPI's py-draughts, alpha-beta in Python, in our time; its rules are made to force jumps, as ours."""
    from draughts.boards._core import CORE_AMERICAN
    from draughts.boards.american import Board
    from draughts.engines import SimpleEngine

    class Forced(Board):  # type: ignore[misc]  # untyped for mypy here
        @property
        def legal_moves(self) -> list[object]:
            return list(self._legal_moves_from_core(CORE_AMERICAN, max_capture=False, captures_optional=False))

    board = Forced.from_fen(f'[FEN "{position.game.fen(position.state)}"]')
    found = SimpleEngine(depth_limit=30, time_limit=SECONDS).get_best_move(board)
    paths = {tuple(position.game.path(position.state, move)): move for move in position.legal_moves}
    return paths[tuple(found.square_list)]


def gomokubench(position: Position) -> int:
    """The move of PyPI's gomokubench at its middle level: alpha-beta of two plies in Python; three take seconds."""
    from libs import piece
    from libs.ai import AI_LEVELS, get_best_move
    from libs.board import BoardState

    size: int = position.game.rows  # type: ignore[attr-defined]  # a board of rows
    last = next(iter(position.game.path(position.states[-2], position.moves[-1]))) if position.moves else 0
    level = AI_LEVELS["standard"]
    state = BoardState(size, color=(piece.WHITE, piece.BLACK)[position.to_move])
    for place, sign in enumerate(position.text.partition(":")[0].replace("/", "")):
        if sign != ".":
            state.values[divmod(place, size)] = piece.BLACK if sign == "x" else piece.WHITE
    state.last_move = divmod(last, size)
    (row, column), _ = get_best_move(state, level["depth"], True, level["candidate_count"])
    return position.legal(f"{chr(ord('a') + column)}{row + 1}")


FOES = (
    *(
        Foe("chess", f"Stockfish, Skill Level {level}", uci("stockfish", **{"Skill Level": level}))
        for level in range(6)
    ),
    *(
        Foe("chess", f"Stockfish, UCI_Elo {elo}", uci("stockfish", UCI_LimitStrength="true", UCI_Elo=elo))
        for elo in (1350, 1600, 2000)
    ),
    Foe("chess", "GNU Chess, equal time", f"uci[time={SECONDS},start=120]:gnuchess --uci"),
    *(Foe("chess", f"Fairy-Max, depth {depth}", f"cecp[depth={depth}]:fairymax", 40, 0) for depth in (2, 4)),
    Foe("gardner", "Fairy-Stockfish, Skill Level 0", uci("fairy-stockfish", **{"Skill Level": 0})),
    Foe("gardner", "Fairy-Stockfish, equal time", uci("fairy-stockfish")),
    Foe("breakthrough", "Fairy-Stockfish, Skill Level 0", uci("fairy-stockfish", **{"Skill Level": 0}), 8, 0),
    Foe("breakthrough", "Fairy-Stockfish, equal time", uci("fairy-stockfish"), 8, 0),
    Foe("reversi", "GRhino, a second", "gtp[time=1]:gtp-rhino", 8, 0),
    Foe("reversi", "cli-othello, level 5", cli_othello, 20),
    Foe("draughts", "py-draughts, equal time", py_draughts),
    Foe("gomoku", "gomokubench, standard", gomokubench, 20),
)


def row(foe: Foe, found: pg.MatchResult) -> str:
    """A match as a row of the table."""
    points = [game.points for game in found.games]
    won, drawn, lost = (sum(each == worth for each in points) for worth in (1.0, 0.5, 0.0))
    low, high = found.interval
    elo = f"{found.elo:+.0f} ({low:+.0f} to {high:+.0f})".replace("inf", "∞")
    verdict = "stronger" if low > 0 else "**weaker**" if high < 0 else "not told apart"
    return f"| {foe.game} | {foe.words} | {won} | {drawn} | {lost} | {elo} | {verdict} |"


def matches(names: set[str]) -> Iterator[str]:
    """The rows, as they come."""
    for foe in FOES:
        if not names or {foe.game, foe.words} & names:
            found = pg.match(
                OURS,
                foe.player,
                game=foe.game,
                games=foe.games,
                random_plies=foe.random_plies,
                openings=None if foe.random_plies else [""],
                seed=SEED,
            )
            yield row(foe, found)


# -- Connect Four: exact values on both sides -------------------------------------------------------------------------


def bitbully_move(position: Position) -> int:
    """The best move of bitbully, which knows the value of every position."""
    from bitbully import BitBully, Board

    global _solver
    _solver = _solver or BitBully(opening_book=None)
    columns = [ord(word) - ord("a") for word in position.words]
    return position.legal("abcdefg"[_solver.best_move(Board(columns))])


_solver = None


def perfect_against_bitbully(games: int = 30) -> str:
    """How many positions `perfect` keeps at what they are worth, of random ones in which it is to move."""
    import random

    chance, start = random.Random(SEED), Position.initial("connectfour")
    kept = {1: [0, 0], 0: [0, 0], -1: [0, 0]}
    perfect = pg.player_named("perfect")
    for _ in range(games):
        here = start
        while len(here.moves) < WON_AFTER or here.outcome is not None:
            here = here.play(chance.choice(here.legal_moves)) if here.outcome is None else start
        side = here.to_move
        worth = (pg.solve(here).score.utility or 0) * (1 - 2 * side)
        while here.outcome is None:
            move = perfect.choose(here, None) if here.to_move == side else bitbully_move(here)
            here = here.play(move)
        kept[worth][0] += 1
        kept[worth][1] += here.outcome * (1 - 2 * side) >= worth
    perfect.close()
    said = {1: "won", 0: "drawn", -1: "lost"}
    return ", ".join(
        f"of {count} {said[worth]} positions {held} were kept" for worth, (count, held) in kept.items() if count
    )


HEAD = """# Against programs of the field

Written by `python bench/foes.py`. Our engine has {milliseconds} ms for each move and one thread. Stockfish, GNU Chess,
Fairy-Stockfish and py-draughts have the same time, whatever their level; Fairy-Max has the depth that is said. It,
GRhino and breakthrough begin at the first position, for no other can be told them, so their games are much alike;
GRhino has a second, the least that GTP can say; cli-othello looks four plies ahead in Python, gomokubench two.
Else each opening of four random plies is played with both sides. Elo is of our engine against the program, with the
interval of 95 %, and the last column says where it tells them apart. All but the match at depth
4 ran beside other work, which slows both sides alike where both have a time limit.

| game | program | won | drawn | lost | Elo (95 %) | ours is |
|---|---|--:|--:|--:|--:|---|
"""
TAIL = """
## Connect Four, perfect against perfect

`perfect` against bitbully {bitbully} without a book, from random positions after {plies} plies, ours to move; neither
may throw away what the position is worth: {perfect}.

## What was not played

- **Reversi, Hex, and Connect Four, Breakthrough and Ultimate at equal CPU time**: against OpenSpiel's Monte Carlo bot,
  in [MATCH.md](MATCH.md).
- **Hex and Amazons by GTP, Gomoku by Gomocup's protocol, Kalah by KGP, Reversi by NBoard, draughts of 8 × 8 by Hub**:
  neither Debian nor PyPI has a program that speaks them; gomokubench, py-draughts and cli-othello are called as
  libraries. What was looked at is in [engine-programs.md](../docs/engine-programs.md).
"""
PERFECT = re.compile(r"what the position is worth: (.*?)\.\n", re.DOTALL)


def name_of(line: str) -> tuple[str, ...]:
    """Game and program of a row."""
    return tuple(cell.strip() for cell in line.split("|")[1:3])


def write(lines: dict[tuple[str, ...], str], perfect: str) -> None:
    """Write the table, its rows in the order of `FOES`."""
    rows = [lines[foe.game, foe.words] for foe in FOES if (foe.game, foe.words) in lines]
    tail = TAIL.format(bitbully=version("bitbully"), plies=WON_AFTER, perfect=perfect)
    head = HEAD.format(milliseconds=round(1000 * SECONDS))
    TARGET.write_text(head + "\n".join(rows) + "\n" + tail, encoding="utf-8")


def main() -> None:
    """Play what the words say, or all, and write the rows, each as soon as it is there; the other rows stay."""
    os.environ["PATH"] += os.pathsep + "/usr/games"  # where Debian has games
    games, before = set(sys.argv[1:]), TARGET.read_text(encoding="utf-8")
    lines = {name_of(line): line for line in before.splitlines() if line.count("|") == COLUMNS + 1}
    found = PERFECT.search(before)
    perfect = found[1] if found else ""
    for line in matches(games):
        print(line, flush=True)
        lines[name_of(line)] = line
        write(lines, perfect)
    if not games or "connectfour" in games:
        perfect = perfect_against_bitbully()
        print(perfect, flush=True)
        write(lines, perfect)


if __name__ == "__main__":
    main()
