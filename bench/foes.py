"""Strength beside programs of the field: short matches, each opening with both sides, and what they say of our engine.

python bench/foes.py                writes bench/FOES.md; a quarter of an hour
python bench/foes.py connectfour    plays one game's matches, and prints their rows

Stockfish, GNU Chess, Fairy-Max and Fairy-Stockfish are Debian's (`scripts/setup`), bitbully and cli-othello are PyPI's
(`pip install bitbully cli-othello`).
"""

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import plyground as pg
from plyground.position import Position

TARGET = Path(__file__).with_name("FOES.md")
SECONDS = 0.05
"""Of each move, on both sides."""
OURS = f"engine:time={SECONDS}"
SEED = 30
WON_AFTER = 14
"""Discs in a position of Connect Four from which a match begins."""


@dataclass(frozen=True)
class Foe:
    """A program to play against."""

    game: str
    words: str
    player: str | Callable[[Position], int]
    games: int = 8
    random_plies: int = 4
    """Plies before the match; 0 for a program that knows no positions."""


def uci(command: str, **options: object) -> str:
    """A UCI program with our time, and options of its own."""
    given = {"time": SECONDS, "Threads": 1} | options
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


FOES = (
    *(
        Foe("chess", f"Stockfish, Skill Level {level}", uci("stockfish", **{"Skill Level": level}))
        for level in range(6)
    ),
    *(
        Foe("chess", f"Stockfish, UCI_Elo {elo}", uci("stockfish", UCI_LimitStrength="true", UCI_Elo=elo))
        for elo in (1350, 1600, 2000)
    ),
    Foe("chess", "GNU Chess, equal time", f"uci[time={SECONDS}]:gnuchess --uci"),
    *(Foe("chess", f"Fairy-Max, depth {depth}", f"cecp[depth={depth}]:fairymax", 4, 0) for depth in (2, 4)),
    Foe("gardner", "Fairy-Stockfish, Skill Level 0", uci("fairy-stockfish", **{"Skill Level": 0})),
    Foe("gardner", "Fairy-Stockfish, equal time", uci("fairy-stockfish")),
    Foe("breakthrough", "Fairy-Stockfish, Skill Level 0", uci("fairy-stockfish", **{"Skill Level": 0}), 4, 0),
    Foe("breakthrough", "Fairy-Stockfish, equal time", uci("fairy-stockfish"), 4, 0),
    Foe("reversi", "cli-othello, level 5", cli_othello, 4),
)


def row(foe: Foe, found: pg.MatchResult) -> str:
    """A match as a row of the table."""
    points = [game.points for game in found.games]
    won, drawn, lost = (sum(each == worth for each in points) for worth in (1.0, 0.5, 0.0))
    low, high = found.interval
    elo = f"{found.elo:+.0f} ({low:+.0f} to {high:+.0f})".replace("inf", "∞")
    verdict = "stronger" if low > 0 else "**weaker**" if high < 0 else "not told apart"
    return f"| {foe.game} | {foe.words} | {won} | {drawn} | {lost} | {elo} | {verdict} |"


def matches(games: set[str]) -> Iterator[str]:
    """The rows, as they come."""
    for foe in FOES:
        if not games or foe.game in games:
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

Written by `python bench/foes.py`. Our engine has {milliseconds} ms for each move and one thread. Stockfish, GNU Chess
and Fairy-Stockfish have the same time, whatever their level; Fairy-Max has the depth that is said. It and breakthrough
begin at the first position, for no other can be told them, so their games are much alike; cli-othello looks four plies
ahead in Python. Else each opening of four random plies is played with both sides. Elo is of our engine against the
program, with the interval of 95 %: so few games tell apart only what lies far apart, and the last column says where
they do. All ran at low priority beside other work, which takes from both sides alike.

| game | program | won | drawn | lost | Elo (95 %) | ours is |
|---|---|--:|--:|--:|--:|---|
{rows}

## Connect Four, perfect against perfect

`perfect` against bitbully {bitbully} without a book, from random positions after {plies} plies, ours to move; neither
may throw away what the position is worth: {perfect}.

## What was not played

- **Reversi, Hex, and Connect Four, Breakthrough and Ultimate at equal CPU time**: against OpenSpiel's Monte Carlo bot,
  in [MATCH.md](MATCH.md).
- **Draughts, Gomoku**: no program of 8 × 8 draughts or of free Gomoku that speaks a protocol was found in Debian or
  PyPI; programs of Hub and DamExchange play on 10 × 10. PyPI's checkers-bot, a class, was not tried.
- **Reversi by NBoard**: no program that speaks it was found; cli-othello is called as a library.
"""


def main() -> None:
    """Play what the words say, or all, and write the table."""
    os.environ["PATH"] += os.pathsep + "/usr/games"  # where Debian has games
    if games := set(sys.argv[1:]):
        if "connectfour" in games:
            print(perfect_against_bitbully(), flush=True)
        for line in matches(games):
            print(line, flush=True)
        return
    rows = []
    for line in matches(set()):
        print(line, flush=True)
        rows.append(line)
    perfect = perfect_against_bitbully()
    print(perfect)
    text = HEAD.format(
        milliseconds=round(1000 * SECONDS),
        rows="\n".join(rows),
        bitbully=version("bitbully"),
        plies=WON_AFTER,
        perfect=perfect,
    )
    TARGET.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
