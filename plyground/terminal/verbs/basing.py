"""The verb of bases of games: add files to one, or ask it by position."""

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from plyground.errors import BadInput
from plyground.exact.book import book_of
from plyground.gamebase.base import Adding, BaseGame, BaseGames, GameBase, PlayedMove
from plyground.play.notations import player_tags
from plyground.position import Position
from plyground.score import Score
from plyground.terminal.arguments import FAULTY, AsJson, GameName, named_position, print_json
from plyground.terminal.board import err, out, plain_table, progress
from plyground.text import count_text

SHOWN_FAULTS = 20
"""Most games left out that are named one by one; further ones are only counted."""
SHOWN_GAMES = 5
"""Usual number of games that an answer shows."""


def base(
    game: GameName,
    words: Annotated[
        list[str] | None,
        typer.Argument(help="with --to, files of games; with --in, a position: the start if left out"),
    ] = None,
    to: Annotated[str, typer.Option(help="add the files to the base in this folder, or begin one")] = "",
    asked: Annotated[str, typer.Option("--in", help="ask the base in this folder")] = "",
    tag: Annotated[
        list[str] | None, typer.Option(help="only games whose tag has this text: White=carlsen; several times")
    ] = None,
    result: Annotated[str, typer.Option(help="only games that ended so: x, o, draw, or 1-0")] = "",
    games: Annotated[int, typer.Option(min=0, help="games that are shown, at most")] = SHOWN_GAMES,
    as_json: AsJson = False,
) -> None:
    """Games by position, in Parquet: add files to a base, or ask which moves were played and how they did."""
    if bool(to) == bool(asked):
        raise BadInput("Write plyground base GAME FILE… --to FOLDER, or plyground base GAME POSITION --in FOLDER.")
    if to:
        if not words:
            raise BadInput("There is no file to add: name files of games.")
        _add(GameBase(to, game), [Path(word) for word in words], as_json)
        return
    if not Path(asked).is_dir():
        raise BadInput(f"There is no base of games in {asked}: plyground base {game} FILE… --to {asked} makes one.")
    kept, here = GameBase(asked, game), named_position(game, " ".join(words or []))
    tags = dict(_tag_of(each) for each in tag or [])
    moves = kept.moves_at(here, tags=tags, result=result)
    found = kept.games_at(here, tags=tags, result=result, limit=games)
    values = _exact_values(here)
    if as_json:
        print_json(_answer_json(kept, here, moves, found, values))
    else:
        _print_answer(kept, here, moves, found, values)


def _tag_of(text: str) -> tuple[str, str]:
    name, is_one, value = text.partition("=")
    if not is_one or not name:
        raise BadInput(f"--tag {text}: write a tag's name and a text, White=carlsen.")
    return name, value


def _add(kept: GameBase, files: list[Path], as_json: bool) -> None:
    total = 0
    for file in files:
        with suppress(OSError):  # which reading it tells
            total += file.stat().st_size
    with progress("adding", total or None) as bar:

        def tell(now: Adding) -> None:
            if now.games % 64 == 0:
                said = f"{count_text(now.games, 'game')}, {now.plies:,} plies"
                bar.update(bar.task_ids[0], completed=now.bytes_read, said=said)

        try:
            added = kept.add(files, tell)
        except KeyboardInterrupt:
            err.print(f"{kept.folder} has {count_text(len(kept), 'game')}: the same command goes on.", markup=False)
            raise
    for fault in added.faults[:SHOWN_FAULTS]:
        err.print(f"plyground: left out: {fault}", markup=False)
    if (others := len(added.faults) - SHOWN_FAULTS) > 0:
        err.print(f"plyground: {others:,} more are left out.", markup=False)
    if as_json:
        print_json(
            {"folder": str(kept.folder), "added": added.games, "plies": added.plies, "known": added.known}
            | {"faults": list(added.faults), "games": len(kept)}
        )
    else:
        known = f", {count_text(added.known, 'game')} it had already" if added.known else ""
        out.print(
            f"{count_text(added.games, 'game')} added, {added.plies:,} plies{known}; "
            f"{kept.folder} has {count_text(len(kept), 'game')}",
            markup=False,
        )
    if added.faults:
        raise typer.Exit(FAULTY)


def _exact_values(here: Position) -> dict[int, Score]:
    """Values of the moves that a book or tablebase knows, as the explorer of the page shows them."""
    book = book_of(here) if here.outcome is None else None
    return dict((book and book.moves(here.state)) or ())


def _answer_json(
    kept: GameBase, here: Position, moves: list[PlayedMove], found: BaseGames, values: dict[int, Score]
) -> dict[str, object]:
    names = here.game.names
    return {
        "position": here.text,
        "moves": [
            {"move": each.text, "played": each.played, "x": each.x, "draws": each.draws, "o": each.o}
            | {"score": each.score, "rating": each.rating, "rated": each.rated}
            | {"value": values[each.move].data(names) if each.move in values else None}
            for each in moves
        ],
        "count": found.count,
        "games": [
            {"file": each.file, "number": each.number, "tags": each.tags, "utility": each.utility, "ply": each.ply}
            | {"moves": each.end.words}
            for each in found.games
        ],
        "in_base": len(kept),
    }


def _print_answer(
    kept: GameBase, here: Position, moves: list[PlayedMove], found: BaseGames, values: dict[int, Score]
) -> None:
    names = here.game.names
    out.print(
        f"{count_text(found.count, 'game')} of {len(kept):,} in {kept.folder} have the position, "
        "counted by a hash of 64 bits",
        markup=False,
    )
    if moves:
        head = ["move", "played", names[0], "draws", names[1], f"{names[0]} scores", "rating"]
        head += ["exact value"] if values else []
        rows = [
            [each.notation, f"{each.played:,}", f"{each.x:,}", f"{each.draws:,}", f"{each.o:,}"]
            + ["" if each.score is None else f"{each.score:.1%}", "" if each.rating is None else f"{each.rating:.0f}"]
            + ([values[each.move].text(names) if each.move in values else ""] if values else [])
            for each in moves
        ]
        out.print(plain_table(head, rows, keys=1, left={"move", "exact value"}))
    for each in found.games:
        out.print(_game_line(each, kept), markup=False)


def _game_line(each: BaseGame, kept: GameBase) -> str:
    first, second = (each.tags.get(name, "?") for name in player_tags(kept.game))
    known = [each.tags[name] for name in ("Event", "Date") if each.tags.get(name, "").strip("?.")]
    title = ", ".join([f"{first} – {second}", *known])
    ended = "" if each.utility is None else f", {Score.over(each.utility).text(kept.game.names)}"
    return f"{each.file}, game {each.number} ({title}), ply {each.ply} of {len(each.end.moves)}{ended}"
