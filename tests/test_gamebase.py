"""Bases of games, held against a dictionary of all positions that knows no hash."""

import json
import os
import random
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest
from commanding import ran

import plyground as pg
from plyground.gamebase import base as base_module
from plyground.play.notations import player_tags, result_word

pytest.importorskip("pyarrow")


def random_games(spec: str, count: int, plies: int) -> list[tuple[dict[str, str], pg.Position]]:
    """Games of few different moves, so that positions come about in many ways, with tags."""
    chance, games = random.Random(spec), list[tuple[dict[str, str], pg.Position]]()
    names = player_tags(pg.game_named(spec))
    for number in range(count):
        here = pg.Position.initial(spec)
        for _ in range(plies):
            if here.outcome is not None:
                break
            here = here.play(chance.choice(here.legal_moves[:3]))
        won = here.outcome if here.outcome is not None else chance.choice([1, 0, -1, None])
        tags = {names[0]: f"Ann {number % 3}", names[1]: "Bob", "Event": "Club", "Date": f"20{number % 2 + 20}.01.02"}
        tags |= {f"{names[0]}Elo": f"{1500 + number}"} if number % 2 else {}
        games.append((tags | {"Result": result_word(here.game, won), "Annotator": f"No {number % 2}"}, here))
    return games


def write_games(file: Path, spec: str, games: list[tuple[dict[str, str], pg.Position]]) -> Path:
    """Games as PGN."""
    texts = []
    for tags, end in games:
        head = "".join(f'[{name} "{said}"]\n' for name, said in ({"Game": spec} | tags).items())
        texts.append(f"{head}\n{' '.join(end.notation)} {tags['Result']}\n")
    file.write_text("\n".join(texts))
    return file


@pytest.mark.parametrize("spec", ["chess", "connectfour", "reversi", "kalah"])
def test_every_position_is_answered_as_by_looking_through_all_games(spec: str, tmp_path: Path) -> None:
    """Moves, results, ratings and games, by whatever moves a position came about; added in two calls."""
    games, game = random_games(spec, 40, 12), pg.game_named(spec)
    base = pg.GameBase(tmp_path / "base", spec)
    for number, some in enumerate((games[:25], games[25:])):
        added = base.add([write_games(tmp_path / f"{number}.pgn", spec, some)])
        assert (added.games, added.known, added.faults) == (len(some), 0, ())
    assert base.add([tmp_path / "1.pgn"]).known == 15 and len(base) == 40
    twin = defaultdict[object, list[tuple[int, int, int, int | None]]](list)
    ways, where = defaultdict[object, set[object]](set), dict[object, pg.Position]()
    for number, (_, end) in enumerate(games):
        for ply, here in enumerate(end.steps()):
            key = game.repetition_key(here.state)
            twin[key].append((number, ply, here.to_move, end.moves[ply] if ply < len(end.moves) else None))
            ways[key].add(here.moves)
            where[key] = here
    # Kalah is here for its moves in a row by one player.
    assert spec == "kalah" or any(len(each) > 1 for each in ways.values()), "no position came about in two ways"
    asked = pg.GameBase(tmp_path / "base")
    for key, rows in twin.items():
        expected = dict[int, list[list[int | None]]]()
        for number, _, mover, move in rows:
            if move is not None:
                tags = games[number][0]
                rating = tags.get(f"{player_tags(game)[mover]}Elo")
                expected.setdefault(move, []).append([utility_of(games[number]), int(rating) if rating else None])
        found = {each.move: each for each in asked.moves_at(where[key])}
        assert found.keys() == expected.keys()
        for move, made in expected.items():
            each, ratings = found[move], [rating for _, rating in made if rating]
            results = [utility for utility, _ in made]
            assert each.played == len(made) and each.rated == len(ratings)
            assert (each.x, each.draws, each.o) == tuple(results.count(sign) for sign in (1, 0, -1))
            assert each.rating == (pytest.approx(sum(ratings) / len(ratings)) if ratings else None)
        having = {number for number, *_ in rows}
        for word, tags in (("", {}), ("x", {"Date": "2021"}), ("draw", {}), ("", {player_tags(game)[0]: "ANN 1"})):
            wanted = {
                number for number in having
                if not word or utility_of(games[number]) == {"x": 1, "draw": 0}[word]
                if all(said.casefold() in games[number][0][tag].casefold() for tag, said in tags.items())
            }  # fmt: skip
            answer = asked.games_at(where[key], tags=tags, result=word, limit=100)
            assert answer.count == len(wanted)
            assert {each.end.moves for each in answer.games} == {games[number][1].moves for number in wanted}
            assert all(game.repetition_key(each.end.states[each.ply]) == key for each in answer.games)
    assert asked.games_at("", tags={"Annotator": "no 1"}).count == 20


def utility_of(game: tuple[dict[str, str], pg.Position]) -> int | None:
    """Sign of a game's end, by its last position or its result."""
    tags, end = game
    if end.outcome:
        return 1 if end.outcome > 0 else -1
    return next((each for each in (1, 0, -1) if result_word(end.game, each) == tags["Result"]), None)


def test_compiled_lines_have_the_same_hashes_as_plain_ones(tmp_path: Path) -> None:
    """The first lines of a file are read word by word, the others by one compiled call."""
    games = random_games("chess", 60, 30)
    base = pg.GameBase(tmp_path / "base", "chess")
    base.add([write_games(tmp_path / "games.pgn", "chess", games)])
    assert sum(each.played for each in base.moves_at("")) == 60
    for _, end in (games[0], games[-1]):
        assert any(each.end.moves == end.moves for each in base.games_at(end, limit=60).games)


def test_games_with_faults_are_left_out(tmp_path: Path) -> None:
    """Each with a sentence that names it; the others are added, also those of saved games."""
    file, saved = tmp_path / "games.pgn", tmp_path / "game.jsonl"
    file.write_text('1. e4 e5 2. Ke3 *\n\n[White "Ann"]\n\n1. d4 d5 1-0\n\n[Game "reversi"]\n\n1. d3 *\n')
    end = pg.Position.parse("chess", "e4 e5")
    kept = pg.GameFile.begin(saved, "chess", end, ("Ann", "Bob"))
    kept.end(-1, "White resigned.")
    kept.close()
    done = ran(["base", "chess", str(file), str(saved), "--to", str(tmp_path / "base"), "--json"])
    said = json.loads(done.stdout)
    assert done.exit_code == 2 and (said["added"], said["games"], len(said["faults"])) == (2, 2, 2)
    assert "games.pgn, game 1: Move 2. Ke3" in said["faults"][0] and "of reversi, not of chess" in said["faults"][1]
    answer = json.loads(ran(["base", "chess", "--in", str(tmp_path / "base"), "--json"]).stdout)
    assert [(each["move"], each["x"], each["o"]) for each in answer["moves"]] == [("d2d4", 1, 0), ("e2e4", 0, 1)]


def test_exact_values_stand_beside(tmp_path: Path) -> None:
    """A move has its exact value from a book or a tablebase, as in the explorer of the page."""
    file = tmp_path / "games.pgn"
    file.write_text("1. d d 2. d d *\n\n1. d c *\n")
    ran(["base", "connectfour", str(file), "--to", str(tmp_path / "base")])
    (move,) = json.loads(ran(["base", "connectfour", "--in", str(tmp_path / "base"), "--json"]).stdout)["moves"]
    assert move["played"] == 2 and move["value"]["utility"] == 1
    assert "exact value" in ran(["base", "connectfour", "--in", str(tmp_path / "base")]).stdout


@pytest.mark.process
def test_a_kill_leaves_the_old_base(tmp_path: Path) -> None:
    """Before the new part is named, and after that, before the old one is deleted."""
    games, folder = random_games("connectfour", 30, 12), tmp_path / "base"
    base = pg.GameBase(folder, "connectfour")
    base.add([write_games(tmp_path / "1.pgn", "connectfour", games[:20])])
    before = base.moves_at("")
    more = write_games(tmp_path / "2.pgn", "connectfour", games[20:])
    for place, count in (("write_whole", 20), ("GameBase._clear", 30)):
        kill = f"""
import os, sys
import plyground as pg
from plyground.gamebase import base as module
kept = pg.GameBase(sys.argv[1])
def add(pending, inner=kept._save):
    module.{place} = lambda *_: os._exit(9)
    return inner(pending)
kept._save = add
kept.add([sys.argv[2]])
"""
        done = subprocess.run([sys.executable, "-c", kill, str(folder), str(more)], env={**os.environ})
        assert done.returncode == 9 and len([*folder.glob("*.parquet")]) > 2
        assert len(pg.GameBase(folder)) == count
        if count == 20:
            assert pg.GameBase(folder).moves_at("") == before
    again = pg.GameBase(folder)
    assert again.add([more]).known == 10 and len([*folder.glob("*.parquet")]) == 2
    assert sum(each.played for each in again.moves_at("")) == 30


def test_games_of_another_position_with_the_same_hash_are_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Moves of such games that are not legal here are not counted. In this test all positions have one hash."""
    monkeypatch.setattr("plyground.gamebase.lines.hash_of", lambda _: 7)
    base = pg.GameBase(tmp_path / "base", "tictactoe")
    base.add([write_games(tmp_path / "games.pgn", "tictactoe", random_games("tictactoe", 5, 9))])
    assert base.games_at("c3").count == 0 and base.games_at("").count == 5
    assert "a1" not in [each.text for each in base.moves_at("a1")]


def test_ctrl_c_keeps_what_was_read(tmp_path: Path) -> None:
    """The same call goes on with the others."""
    file = write_games(tmp_path / "games.pgn", "connectfour", random_games("connectfour", 20, 12))
    base, seen = pg.GameBase(tmp_path / "base", "connectfour"), list[pg.Adding]()

    def tell(now: pg.Adding) -> None:
        seen.append(now)
        if len(seen) == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        base.add([file], tell)
    assert len(pg.GameBase(tmp_path / "base")) == 7
    rest = base.add([file])
    assert (rest.games, rest.known, rest.bytes_read) == (13, 7, file.stat().st_size)


def test_parts_of_any_size_answer_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full part is left as it is, and the next one begun."""
    games = random_games("connectfour", 40, 12)
    file, answers = write_games(tmp_path / "games.pgn", "connectfour", games), list[object]()
    for size in (50, base_module.PART_PLIES):
        monkeypatch.setattr(base_module, "PART_PLIES", size)
        base = pg.GameBase(tmp_path / f"base-{size}", "connectfour")
        base.add([file])
        answers.append([base.moves_at(""), base.games_at("", limit=40).games, base.plies])
        assert (len([*base.folder.glob("*.parquet")]) > 2) == (size == 50)
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chess", "e4"], "--to FOLDER, or"),
        (["chess", "--to", "{}/new"], "no file to add"),
        (["chess", "--in", "{}/none"], "There is no base of games in"),
        (["reversi", "--in", "{}/base"], "a base of connectfour, not of reversi"),
        (["connectfour", "--in", "{}/base", "--result", "2:0"], "'2:0' is no result"),
        (["connectfour", "--in", "{}/base", "--tag", "Ann"], "White=carlsen"),
        (["connectfour", "--in", "{}/broken"], "It is no base of games."),
        (["connectfour", "--in", "{}/later"], "form 2, and this plyground reads form 1"),
        (["connectfour", "--in", "{}/lost"], "cannot be read"),
    ],
)
def test_bad_questions(words: list[str], said: str, tmp_path: Path) -> None:
    """One sentence each."""
    file = write_games(tmp_path / "games.pgn", "connectfour", random_games("connectfour", 3, 5))
    for name, content in (("broken", "{}"), ("later", '{"base": 2}')):
        (tmp_path / name).mkdir()
        (tmp_path / name / "base.json").write_text(content)
    for name in ("base", "lost"):
        pg.GameBase(tmp_path / name, "connectfour").add([file])
    for part in (tmp_path / "lost").glob("*.parquet"):
        part.write_bytes(part.read_bytes()[:100])
    done = ran(["base", *[word.format(tmp_path) for word in words]])
    assert isinstance(done.exception, pg.BadInput) and said in str(done.exception)


def test_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fault names the package to install."""
    monkeypatch.delitem(sys.modules, "plyground.gamebase.parts", raising=False)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(pg.BadInput, match=r'needs pyarrow: pip install "plyground\[arena\]"'):
        pg.GameBase(tmp_path, "chess")
