"""The verb that values every state of a game: tablebase."""

from typing import Annotated

import typer

from plyground.errors import BadInput
from plyground.exact.sweep import merged_text
from plyground.exact.tables.folder import Folder, Progress
from plyground.exact.tables.place import folder_path
from plyground.exact.tables.reading import Tablebase, user_table_folder
from plyground.exact.tabulating.making import DEFAULT_MEBIBYTES, Making, origin_text
from plyground.position import Position
from plyground.terminal.arguments import AsJson, GameName, PositionText, Scheduler, named_position, print_json
from plyground.terminal.board import err, out, progress
from plyground.text import count_text
from plyground.workers.cluster import Cluster


def tablebase(
    game: GameName,
    position: PositionText = "",
    material: Annotated[str, typer.Option(help="an end game instead: KQK in chess, 2-1 in draughts")] = "",
    folder: Annotated[
        str, typer.Option("--out", help="the folder, or a store's URL, s3://…; by default one that play asks")
    ] = "",
    memory: Annotated[int, typer.Option(help="mebibytes of memory at most, in each process")] = DEFAULT_MEBIBYTES,
    disk: Annotated[int | None, typer.Option(help="mebibytes of files, at most; by default what is free")] = None,
    jobs: Annotated[int, typer.Option(help="threads of this machine; 0: one for each processor")] = 1,
    scheduler: Scheduler = "",
    as_json: AsJson = False,
) -> None:
    """The value of every position of a game, and the plies to its end, kept in a folder. The same command goes on."""
    here = named_position(game, position)
    if here.outcome is not None:
        raise BadInput(f"The game is over in {here.text}: name a position from which it goes on.")
    # The usual folder is of the whole game's table, which a part of it must not replace.
    if position and (material or not folder):
        raise BadInput("A table of what follows a position has no --material, and is kept where --out says: name it.")
    where = folder or user_table_folder(here.game, material)
    path = folder_path(where)
    kept = Folder(path, here.game, game, origin_text(here, material))
    with progress("listing", None) as bar:

        def tell(how: Progress) -> None:
            said = (
                f"tier {how.tier}, {how.states:,} states, {how.rate:,.0f}/s, {how.disk >> 20:,} MiB of files, "
                f"{how.memory >> 20:,} of memory"
            )
            total = how.total if how.stage == "valuing" else None
            bar.update(bar.task_ids[0], description=how.stage, total=total, completed=how.states, said=said)

        try:
            with Cluster(jobs, scheduler) as cluster:
                making = Making(
                    kept, here, material=material, mebibytes=memory, disk=disk, jobs=cluster.jobs, told=tell
                )
                making.run(cluster if scheduler else None)
        except KeyboardInterrupt:
            err.print(f"{kept.count:,} states are kept in {path}: the same command goes on.", markup=False)
            raise
    _print_table(Tablebase(where, here.game), None if material else here, as_json)


def _print_table(table: Tablebase, start: Position | None, as_json: bool) -> None:
    game = table.game
    score = table.score(start.state) if start else None
    longest, its_score = table.longest
    states = len(table)
    # Draws are the rest: tiers count wins alone.
    sums = {"x": sum(tier.x for tier in table.tiers.values()), "o": sum(tier.o for tier in table.tiers.values())}
    size = sum(file.stat().st_size for file in table.path.iterdir())
    if as_json:
        tiers = [
            {"tier": tier.number, "states": tier.count, "x": tier.x, "o": tier.o, "longest": tier.longest}
            for tier in sorted(table.tiers.values(), key=lambda tier: tier.number)
        ]
        print_json(
            {"folder": str(table.path), "states": states, **sums, "draws": states - sum(sums.values()), "bytes": size}
            | {"value": score and score.data(game.names), "longest": game.text(longest), "tiers": tiers}
        )
        return
    x, o = game.names
    if score:
        out.print(score.text(game.names), markup=False)
    draws, merged = states - sum(sums.values()), merged_text(game)
    out.print(
        f"{count_text(states, 'position')}: {x} wins {sums['x']:,}, {o} {sums['o']:,}, "
        f"{draws:,} {'is a draw' if draws == 1 else 'are draws'}{merged and f'; {merged}'}",
        markup=False,
    )
    if its_score.plies:
        out.print(f"the longest win: {game.text(longest)}, {its_score.text(game.names)}", markup=False)
    out.print(f"{table.path}: {size:,} bytes, {size / states:.2f} a position", markup=False)
