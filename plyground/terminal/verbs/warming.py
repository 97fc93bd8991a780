"""A verb that compiles everything beforehand: warm."""

import multiprocessing
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Annotated

import typer

from plyground.compiled.kernel import kernel, why_nothing_compiles
from plyground.engine.run import prepare
from plyground.errors import BadInput
from plyground.games import GAMES, game_named
from plyground.games.about import offered_spec
from plyground.learning.learned import evaluated
from plyground.position import Position
from plyground.search import ALGORITHMS, algorithm_named
from plyground.search.observer import Counting, Detailed
from plyground.search.perft import perft
from plyground.terminal.arguments import AsJson, print_json
from plyground.terminal.board import err, out, progress

WATCHED: dict[str, tuple[str, ...]] = {
    "": ("pvs", *(choice.name for choice in ALGORITHMS.shipped if choice.name != "pvs")),
    "compared": tuple(choice.name for choice in ALGORITHMS.shipped if choice.maker().looks_ahead),
}
"""What is compiled for each game: first the searches that answer in play and analysis, then those with the counts
that a comparison wants."""


def warm(
    games: Annotated[list[str] | None, typer.Argument(help="games with their options; by default all shipped")] = None,
    jobs: Annotated[int | None, typer.Option(help="processes; by default one for each processor", min=1)] = None,
    as_json: AsJson = False,
) -> None:
    """Compile every search of games and keep the code, for a class room's image. Ctrl-C stops; what is made is kept."""
    if why := why_nothing_compiles():
        raise BadInput(f"{why}, so there is nothing to compile.")
    chosen = games or [*dict.fromkeys(spec for choice in GAMES for spec in (choice.name, offered_spec(choice)))]
    for game in chosen:
        game_named(game)
    tasks = [(game, search, use) for use, searches in WATCHED.items() for search in searches for game in chosen]
    tasks += [(game, perft.__name__, "") for game in chosen]
    plain: dict[str, str] = {}
    none = 0
    context = multiprocessing.get_context("spawn")
    with progress("compiling", len(tasks)) as bar, ProcessPoolExecutor(jobs, context) as pool:
        try:
            begun = {pool.submit(_compiled, *task): task for task in tasks}
            for done in as_completed(begun):
                try:
                    if reason := done.result():
                        plain[" ".join(begun[done]).strip()] = reason
                except BadInput:  # no such search for this game; the search itself gives the reason when it is used
                    none += 1
                bar.update(bar.task_ids[0], advance=1, said=" ".join(begun[done]))
        except BrokenProcessPool:
            raise BadInput(
                "A process that compiled has ended by itself, for want of memory perhaps. What is made is kept: the "
                "same command goes on, with fewer of them by --jobs 1."
            ) from None
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    ready = len(tasks) - len(plain) - none
    if as_json:
        print_json({"games": chosen, "ready": ready, "plain": plain})
        return
    for what, reason in plain.items():
        err.print(f"{what}: {reason}", markup=False)
    out.print(f"{ready} searches of {_counted(chosen)} are ready.", markup=False)


def _counted(games: Iterable[str]) -> str:
    count = len(list(games))
    return "1 game" if count == 1 else f"{count} games"


def _compiled(game: str, search: str, use: str) -> str | None:
    """Compile in this process; why it runs plain all the same, if it does."""
    here = Position.initial(game_named(game))
    if search != perft.__name__:
        why_plain = prepare(here, algorithm_named(search), Detailed.fresh() if use else None)
        return why_plain if use or search != "pvs" else prepare(here.under(evaluated(here.game)))
    count = kernel(perft, here.game)
    count.prepare(Counting.fresh(), here.state, 1, 0)
    return count.why_plain
