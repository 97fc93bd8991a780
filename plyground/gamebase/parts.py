"""Parts of a base: two Parquet files each, a row for each position and a row for each game.

| column of positions | |
|---|---|
| `position` | hash of the position (`mark_of`); the rows are sorted by it |
| `game`, `ply` | number of the game in the base, from 0; plies before the position |
| `move`, `mover` | the move that was made, null after the last one; 0 or 1, the player to move |
| `utility`, `rating` | of the game, for the first player; of the player to move; null where unknown |
"""

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from plyground.errors import extra
from plyground.files.whole_file import whole_file
from plyground.gamebase.lines import NumberedLine

with extra("A base of games"):
    import numpy as np
    import pyarrow as pa
    from pyarrow import compute, parquet

POSITION_GROUP: Final = 1 << 15
"""Positions in a row group, which is the least that is read."""
GAME_GROUP: Final = 1 << 11
"""Games in a row group."""
POSITIONS, GAMES = "positions", "games"
"""Kinds of files, which begin their names."""
SHOWN_TAGS: Final = {"Date": "date", "Event": "event"}
"""Tags with columns of their own, beside the players' names."""
POSITION_SCHEMA = pa.schema(
    [
        ("position", pa.int64()), ("game", pa.int64()), ("ply", pa.int32()), ("move", pa.int64()),
        ("mover", pa.int8()), ("utility", pa.int32()), ("rating", pa.int32()),
    ]
)  # fmt: skip
GAME_SCHEMA = pa.schema(
    [
        ("game", pa.int64()), ("file", pa.string()), ("number", pa.int32()), ("first", pa.string()),
        ("second", pa.string()), ("result", pa.string()), ("date", pa.string()), ("event", pa.string()),
        ("first_rating", pa.int32()), ("second_rating", pa.int32()), ("utility", pa.int32()), ("plies", pa.int32()),
        ("start", pa.string()), ("moves", pa.list_(pa.int64())), ("tags", pa.string()), ("key", pa.int64()),
    ]
)  # fmt: skip


class Pending:
    """Games that are read and not yet written."""

    def __init__(self, first: int) -> None:
        """No games; the next one gets the number `first`."""
        self.first, self.games = first, list[dict[str, Any]]()
        self._positions = list[Any]()
        self.plies = 0

    def add(self, line: NumberedLine, file: str, number: int, names: tuple[str, str], key: int) -> None:
        """Add a game.

        Args:
            line: its main line.
            file, number: where it is from.
            names: the tags that name its players.
            key: hash by which it is known again.
        """
        # JSON may have halves of signs, which are no text for others.
        tags = {name: text.encode("utf-8", "replace").decode() for name, text in line.tags.items()}
        ratings = [_rating(tags.get(f"{name}Elo", "")) for name in names]
        row = {"game": self.first + len(self.games), "file": file, "number": number, "result": line.result}
        row |= {"first": tags.get(names[0], ""), "second": tags.get(names[1], "")}
        row |= {column: tags.get(tag, "") for tag, column in SHOWN_TAGS.items()}
        row |= {"first_rating": ratings[0], "second_rating": ratings[1], "utility": line.utility}
        row |= {"plies": len(line.moves), "start": line.start, "moves": np.frombuffer(line.moves, np.int64), "key": key}
        self.games.append(row | {"tags": json.dumps(tags, ensure_ascii=False)})
        self._positions.append((line.marks, line.movers))
        self.plies += len(line.moves)

    def games_table(self) -> Any:
        """The games as a table."""
        columns = {name: [row[name] for row in self.games] for name in GAME_SCHEMA.names}
        return pa.table(columns, schema=GAME_SCHEMA)

    def positions_table(self) -> Any:
        """Their positions as a table, in the games' order."""
        lengths = np.array([len(marks) for marks, _ in self._positions])
        places = np.repeat(np.arange(len(lengths)), lengths)
        plies = np.arange(len(places)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        marks = np.concatenate([np.frombuffer(marks, np.int64) for marks, _ in self._positions])
        movers = np.frombuffer(b"".join(movers for _, movers in self._positions), np.int8)
        is_last = np.append(plies[1:] == 0, True)
        moves = np.zeros(len(places), np.int64)
        moves[~is_last] = np.concatenate([row["moves"] for row in self.games])
        ratings = np.array([[row["first_rating"] or 0, row["second_rating"] or 0] for row in self.games])
        rating = ratings[places, movers]
        utility = np.array([row["utility"] or 0 for row in self.games])[places]
        is_unknown = np.array([row["utility"] is None for row in self.games])[places]
        columns = [
            marks, places + self.first, plies, pa.array(moves, mask=is_last), movers,
            pa.array(utility, mask=is_unknown), pa.array(rating, mask=rating == 0),
        ]  # fmt: skip
        kinds = zip(columns, POSITION_SCHEMA.types, strict=True)
        return pa.table([pa.array(column).cast(kind) for column, kind in kinds], schema=POSITION_SCHEMA)


def _rating(text: str) -> int | None:
    return int(text) or None if re.fullmatch("[0-9]{1,5}", text) else None


class Part:
    """A part that is written."""

    def __init__(self, folder: Path, name: str, first: int, games: int, plies: int) -> None:
        """A part of a base.

        Args:
            folder, name: where it is.
            first: number of its first game.
            games, plies: how many it has.
        """
        self.folder, self.name, self.first, self.games, self.plies = folder, name, first, games, plies

    def file(self, kind: str) -> Path:
        """One of its two files."""
        return self.folder / f"{kind}-{self.name}.parquet"

    @property
    def files(self) -> tuple[Path, Path]:
        """Both of its files."""
        return self.file(POSITIONS), self.file(GAMES)

    @cached_property
    def _positions(self) -> tuple[Any, list[int], list[int]]:
        """Metadata of the file of positions, with the lowest and the highest hash of each row group."""
        about = parquet.read_metadata(self.file(POSITIONS))
        found = [about.row_group(number).column(0).statistics for number in range(about.num_row_groups)]
        return about, [each.min for each in found], [each.max for each in found]

    def rows(self, mark: int, columns: Sequence[str]) -> Any:
        """The rows of a position, by its hash."""
        about, lows, highs = self._positions
        groups = range(bisect_left(highs, mark), bisect_right(lows, mark))
        with parquet.ParquetFile(self.file(POSITIONS), metadata=about) as file:
            table = file.read_row_groups(list(groups), columns=["position", *columns])
        return table.filter(compute.equal(table["position"], mark)).drop_columns(["position"])

    def matching(self, tags: dict[str, str], names: tuple[str, str]) -> Any:
        """Numbers of the games each of whose tags contains a text, whatever its capitals."""
        known = dict(zip(names, ("first", "second"), strict=True)) | SHOWN_TAGS
        columns = {known.get(tag, "tags") for tag in tags}
        table = parquet.read_table(self.file(GAMES), columns=["game", *columns])
        for tag, text in tags.items():
            if tag in known:
                table = table.filter(compute.match_substring(table[known[tag]], text, ignore_case=True))
            else:
                said = [json.loads(each).get(tag, "") for each in table["tags"].to_pylist()]
                table = table.filter(pa.array([text.casefold() in each.casefold() for each in said], pa.bool_()))
        return table["game"]

    def game_rows(self, numbers: Sequence[int]) -> list[dict[str, Any]]:
        """The rows of some games, in their order."""
        places = [number - self.first for number in numbers]
        with parquet.ParquetFile(self.file(GAMES)) as file:
            groups = sorted({place // GAME_GROUP for place in places})
            table = file.read_row_groups(groups)
        within = {group: at * GAME_GROUP for at, group in enumerate(groups)}
        chosen = [within[place // GAME_GROUP] + place % GAME_GROUP for place in places]
        rows: list[dict[str, Any]] = table.take(chosen).to_pylist()
        return rows

    def known_keys(self) -> list[int]:
        """The hashes by which its games are known again."""
        keys: list[int] = parquet.read_table(self.file(GAMES), columns=["key"])["key"].to_pylist()
        return keys


def write_part(folder: Path, name: str, pending: Pending, before: Part | None) -> Part:
    """Write games as a part, together with those of the part before it, if one is given.

    Raises:
        BadInput: it cannot be written.
    """
    positions, games = pending.positions_table(), pending.games_table()
    if before:
        positions = pa.concat_tables([parquet.read_table(before.file(POSITIONS)), positions])
        games = pa.concat_tables([parquet.read_table(before.file(GAMES)), games])
    positions = positions.take(np.argsort(positions["position"].to_numpy(), kind="stable"))
    first, plies = (before.first, before.plies) if before else (pending.first, 0)
    part = Part(folder, name, first, len(games), plies + pending.plies)
    for kind, table, size in ((POSITIONS, positions, POSITION_GROUP), (GAMES, games, GAME_GROUP)):
        with whole_file(part.file(kind)) as new:
            parquet.write_table(table, new, row_group_size=size, compression="zstd", write_page_checksum=True)
    return part


def count_by_move(tables: Sequence[Any]) -> list[tuple[int, int, int, int, int, int, float]]:
    """Counts the moves of some rows. For each: the move, times that it was made, wins of the first player, draws, wins
    of the second one, ratings that are known, and their sum."""
    rows = pa.concat_tables(tables).combine_chunks()
    rows = rows.filter(compute.is_valid(rows["move"]))
    if not len(rows):
        return []
    coded = rows["move"].combine_chunks().dictionary_encode()
    move, count = coded.indices.to_numpy(), len(coded.dictionary)
    utility = rows["utility"].to_numpy()  # floats, not a number where it is null
    rating = compute.fill_null(rows["rating"], 0).to_numpy()
    sums = [np.bincount(move, minlength=count)]
    sums += [
        np.bincount(move[which], minlength=count) for which in (utility > 0, utility == 0, utility < 0, rating > 0)
    ]
    columns = [coded.dictionary.to_pylist(), *[each.tolist() for each in sums]]
    return [*zip(*columns, np.bincount(move, rating, minlength=count).tolist(), strict=True)]


def select_rows(rows: Any, sign: int | None, numbers: Any) -> Any:
    """Rows of games whose utility has this sign and whose number is one of these; None: any."""
    if sign is not None:
        rows = rows.filter(compute.equal(compute.sign(rows["utility"]), sign))
    return rows if numbers is None else rows.filter(compute.is_in(rows["game"], value_set=numbers.combine_chunks()))


def first_plies(rows: Any) -> dict[int, int]:
    """The games of some rows in their order, each with the ply at which it first has the position."""
    games, at = np.unique(rows["game"].to_numpy(), return_index=True)
    return dict(zip(games.tolist(), rows["ply"].to_numpy()[at].tolist(), strict=True))
