"""CPU time of the server's event loop for the largest request of each operation, over all games.

    python bench/budget.py

Each question goes to the operations of a whole server, with its workers, and its answer is written as JSON. Counted is
the processor time of the event loop's thread; beside it, what the answer alone would have cost there. Writes
bench/BUDGET.md. The rule which of them go to workers is held by a test (`tests/test_operations.py`).
"""

import asyncio
import gc
import json
import sys
import time
from collections import defaultdict
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from plyground.errors import BadInput
from plyground.games import GAMES
from plyground.position import Position
from plyground.web.games.saved_games import SavedGames
from plyground.web.games.store import GameStore
from plyground.web.limits import LARGEST_MESSAGE
from plyground.web.operations import BY_NAME
from plyground.web.server.app import NO_COLLECTION
from plyground.web.server.socket import answer_json
from plyground.web.services import Services
from plyground.web.views import analysis, arranging, positions, records
from plyground.workers.fair_queue import Asker
from plyground.workers.pool import WorkerStopped

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))

from largest import LARGEST, Question, long_game, move_questions, text_questions  # noqa: E402

BUDGET = 50.0
"""Milliseconds that a question may cost the event loop."""
TEXT = 60_000
"""Characters of the largest text."""
PATIENCE = 10.0
"""Seconds that a worker has for an answer; the event loop has spent what it spends on those that take longer."""
PART = 1_000
"""Characters of the texts whose whole cost is measure_rows; more cost more."""
WITHOUT = ("analyse", "study", "review", "judge", "race", "tree", "boards", "node", "saved", "tree_file")
"""Searches: they are for workers whatever they cost; that their moves are replayed costs as much as `reply`."""
ANSWERS: dict[str, Any] = {
    "position": positions.position,
    "edit": positions.edit,
    "why_not": analysis.why_not,
    "record": records.read,
    "record_file": records.write,
    "arrange": arranging.arrange,
    "notations": analysis.notations,
}


def whole_cost(question: Question) -> float:
    """Milliseconds of an answer's own."""
    op, given = question
    args = BY_NAME[op].args.model_validate(given)
    positions._HELD_POSITIONS = positions._HeldPositions()
    began = time.thread_time()
    with suppress(BadInput):
        ANSWERS[op](args)
    return 1000 * (time.thread_time() - began)


async def loop_cost(services: Services, question: Question) -> float:
    """Milliseconds that a question takes the event loop."""
    op, given = question
    text = json.dumps(given)
    services.games.memory._states.clear()
    positions._HELD_POSITIONS = positions._HeldPositions()
    began = time.thread_time()
    with suppress(BadInput, WorkerStopped, TimeoutError):
        args = BY_NAME[op].args.model_validate(json.loads(text))
        answer_json(await asyncio.wait_for(BY_NAME[op].last(services, args, Asker()), PATIENCE))
    return 1000 * (time.thread_time() - began)


async def measure_rows() -> list[str]:
    """The rows of the table."""
    loop, whole = defaultdict[str, dict[str, float]](dict), defaultdict[str, dict[str, float]](dict)
    with closing(Services(SavedGames(GameStore("sqlite://")))) as services:
        warm: Question = ("notations", {"game": "tictactoe", "moves": ["b2"]})
        await loop_cost(services, warm)
        for choice in GAMES:
            spec = LARGEST.get(choice.name, choice.name)
            here, short = long_game(spec, 1_000, 1), long_game(spec, 60, 1)
            while len(here.moves) < 2:
                here = Position(here.game, here.start, (*here.moves, here.legal_moves[0]))
            for name, question in [*move_questions(spec, here), *text_questions(spec, here, TEXT)]:
                if question[0] not in WITHOUT:
                    loop[name][spec] = await loop_cost(services, question)
            few = short.undo(max(0, len(short.moves) - positions.MOST_REPLAYED_IN_LOOP))
            for name, question in move_questions(spec, few):
                if question[0] not in WITHOUT:
                    loop[f"{name}, {positions.MOST_REPLAYED_IN_LOOP} moves"][spec] = await loop_cost(services, question)
            for name, question in [*move_questions(spec, short), *text_questions(spec, short, PART)]:
                if question[0] in ANSWERS:
                    whole[name][spec] = whole_cost(question)
            worst = max(loop, key=lambda each: loop[each].get(spec, 0))
            print(f"{spec}: {len(here.moves)} plies, {worst} {loop[worst][spec]:.0f} ms", flush=True)
    rows = []
    for name in sorted(loop):
        game = max(loop[name], key=lambda each: loop[name][each])
        own = max(whole.get(name, {"": 0.0}).items(), key=lambda each: each[1])
        rows.append(
            f"| {name} | {loop[name][game]:.0f} | {game} | " + (f"{own[1]:.0f} | {own[0]} |" if own[0] else "| |")
        )
    return rows


def main() -> None:
    """Measure, and write the table."""
    gc.set_threshold(*gc.get_threshold()[:2], NO_COLLECTION)  # as in the server
    rows = asyncio.run(measure_rows())
    text = f"""# What a question costs the event loop

Written by `python bench/budget.py`: milliseconds of the processor, of the game that costs most, in plain Python. The
largest question has {TEXT:,} characters of text, or the moves of a game of up to 1,000 plies; a message has at most
{LARGEST_MESSAGE // 1024} KiB. Beside it, what the answer itself costs, of {PART:,} characters or 60 plies. The budget
is {BUDGET:g} ms: whatever can cost more is done by a worker. Which is which does not depend on these figures but on two
rules, which a test holds for every operation and every game: the event loop reads and writes no text that a visitor
sends, and plays no more moves of a question than {positions.MOST_REPLAYED_IN_LOOP}.

| question | event loop, ms | game | the answer itself, ms | game |
|---|--:|---|--:|---|
"""
    (HERE / "BUDGET.md").write_text(text + "\n".join(rows) + "\n", encoding="utf-8")
    print(text, *rows, sep="\n")


if __name__ == "__main__":
    main()
