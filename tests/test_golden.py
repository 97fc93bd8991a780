"""What people and programs see, kept as files to read: a change of any of it is seen in the diff.

`pytest --update-golden` writes them anew.
"""

import os
import random
import subprocess
import sys
from collections.abc import Callable

import pytest

import plyground as pg
from plyground.compiled.kernel import kernel
from plyground.microscope.tree import brief
from plyground.score import INFINITY
from plyground.search.alphabeta import alphabeta
from plyground.search.minimax import minimax
from plyground.search.perft import perft
from plyground.search.watch import SILENT, Recording
from plyground.terminal.board import board

Golden = Callable[[str, str], None]

OTHER_FORMS = ["tictactoe:first=o", "mnk:5,4,4", "mnk:9,9,5", "ultimate:send=false"]
GAMES = [choice.name for choice in pg.GAMES] + OTHER_FORMS
VERBS = [
    "",
    "web",
    "play",
    "replay",
    "analyse",
    "search",
    "perft",
    "tree",
    "compare",
    "quiz",
    "check",
    "games",
    "bench",
    "audit",
    "connector",
    "join",
    "wire-check",
]


@pytest.mark.parametrize("name", GAMES)
def test_a_game_from_start_to_end(name: str, golden: Golden) -> None:
    """Perft, and a seeded random game: each position's text, opinion, legal moves and the move made."""
    position = pg.Position.initial(pg.game_named(name))
    counts = [kernel(perft, position.game)(SILENT, position.state, depth, 0) for depth in range(1, 4)]
    lines = [name, f"perft {' '.join(map(str, counts))}", board(position).plain]
    chance = random.Random(name)
    while position.outcome is None:
        move = chance.choice(position.legal_moves)
        words = [position.game.move_text(position.state, legal) for legal in position.legal_moves]
        lines.append(f"{position.text}  evaluate {position.game.evaluate(position.state)}  moves {' '.join(words)}")
        lines.append(f"  {position.game.names[position.to_move]} {position.game.move_text(position.state, move)}")
        position = position.play(move)
    lines += [f"{position.text}  {position.result}", board(position).plain, ""]
    golden(f"{name.replace(':', '-')}.txt", "\n".join(lines))


@pytest.mark.parametrize("search", [minimax, alphabeta])
def test_the_tree_of_a_search(search: Callable[..., object], golden: Golden) -> None:
    """Every node of section 5.3's search: move, window, value, the move that gave it, and where it was cut."""
    watch = Recording()
    game = pg.MNK()
    state = game.parse_state("xx./.o./...:o")
    search(game, watch, state, 2, *((-INFINITY, INFINITY) if search is alphabeta else ()), 1, 0)
    lines = [
        f"{'  ' * node.level}{move_text(game, node.move)} {node.kind} "
        f"{window((node.alpha, node.beta))} {brief(node.value)} "
        f"best {move_text(game, node.best)} cut {move_text(game, node.cut)}"
        for node in watch.nodes
    ]
    golden(f"tree-{search.__name__}.txt", "\n".join([game.text(state), *lines, ""]))


def move_text(game: pg.MNK, move: int) -> str:
    """The move's cell; - for none."""
    return "-" if move == pg.NO_MOVE else game.move_text(game.initial(), move)


def window(edges: tuple[int, int]) -> str:
    """The window's edges, opinions as they are and endings in words."""
    return "[{}, {}]".format(*map(brief, edges))


@pytest.mark.once
@pytest.mark.parametrize("verb", VERBS)
def test_the_terminals_help(verb: str, golden: Golden) -> None:
    """What `plyground VERB --help` prints, 80 columns wide."""
    words = [sys.executable, "-m", "plyground", *filter(None, [verb]), "--help"]
    environment = os.environ | {"COLUMNS": "80", "TERMINAL_WIDTH": "80", "PYTHONUTF8": "1"}
    done = subprocess.run(words, env=environment, capture_output=True, encoding="utf-8", check=True)
    golden(f"help-{verb or 'plyground'}.txt", done.stdout)
