"""A page's worker answers as the server does, field by field: the twin of each is the Python that gives it there.

Only what a clock decides differs: seconds, and how deep a search comes in them.
"""

import random
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from answering import Answers, Refused
from games import canaries, games, random_positions
from pydantic import BaseModel

import plyground as pg
from plyground.board.refusing import usual_refusal
from plyground.compiled.clock import Limit
from plyground.engine.move_grades import grade_move, lost_text
from plyground.engine.run import prepare
from plyground.engine.think import think
from plyground.games import GAMES as CHOICES
from plyground.play.level import LEVELS
from plyground.players import Perfect
from plyground.score import earlier
from plyground.web.views import analysis, positions, trees
from plyground.web.views import models as m
from plyground.web.views.positions import move_views, report_view

pytestmark = [pytest.mark.compiled, pytest.mark.process]
TABLE = 64
"""Mebibytes, as the server's analyses have them."""
GAMES = ["tictactoe", "connectfour", "threemorris"]
LATE = {"connectfour": 24}
"""Plies after which the engine solves a position at once, for games whose start it does not."""
EVERY = [*dict.fromkeys([*games("compiled"), *(choice.name for choice in CHOICES.shipped)])]
WIDE = 60
"""Moves of a position from which it is looked less far."""
WON = ["a1", "b1", "a2", "b2", "a3"]


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """`worker(game)`: the worker of a page with that game, one for all tests."""
    workers: dict[str, Answers] = {}
    with ExitStack() as stack:

        def of(spec: str) -> Answers:
            if spec not in workers:
                prepare(pg.Position.initial(pg.game_named(spec)))
                workers[spec] = stack.enter_context(Answers(spec, tmp_path_factory.mktemp("module"), table=TABLE))
            return workers[spec]

        yield of


def walked(spec: str, number: int, chance: random.Random) -> Iterator[pg.Position]:
    """Positions of random games, the last ones too."""
    return random_positions(pg.game_named(spec), number, chance)


def unfinished(spec: str, number: int, chance: random.Random, plies: int = 0) -> list[pg.Position]:
    """A random sample of `number` unfinished positions of random games, each after `plies` plies or more."""
    number_walked = (60 if plies else 20) * number
    found = [here for here in walked(spec, number_walked, chance) if here.outcome is None and len(here.moves) >= plies]
    return chance.sample(found, number)


def late(spec: str, number: int, chance: random.Random) -> list[pg.Position]:
    """A random sample of `number` unfinished positions that the engine solves at once."""
    return unfinished(spec, number, chance, LATE.get(spec, 0))


def data(view: BaseModel) -> Any:
    """A view as the page gets it."""
    return view.model_dump(mode="json")


def untimed(report: Any) -> Any:
    """A report without its seconds."""
    return {key: value for key, value in report.items() if key != "seconds"}


@pytest.mark.parametrize("game", canaries(EVERY))
def test_positions(game: str, worker: Any, seed: int) -> None:
    """Each position of random games is told as the server tells it."""
    for here in walked(game, 80, random.Random(seed)):
        assert worker(game).ask("position", moves=here.words) == data(positions.view(game, here)), here.words
    assert worker(game).ask("board") == data(positions.board(m.Named(game=game)))


@pytest.mark.parametrize("game", canaries(EVERY))
def test_refusals(game: str, worker: Any, seed: int) -> None:
    """Why no move goes along some places: the reason that the board tells of any game, or none."""
    chance = random.Random(seed)
    for here in unfinished(game, 8, chance):
        numbers = range(len(here.board.places))
        for path in [chance.choices(numbers, k=chance.randint(1, 3)) for _ in range(12)] if numbers else []:
            why = here.refusal(path)
            if why:
                paths = [*here.paths.values()]
                why = usual_refusal(here.board, here.look(), here.to_move, paths, path)
            assert worker(game).ask("why_not", moves=here.words, path=path)["why"] == why, (here.words, path)


@pytest.mark.parametrize("game", canaries(EVERY))
def test_analyses(game: str, worker: Any, seed: int) -> None:
    """Every depth of an analysis has the values, lines and counts of the server's."""
    for here in unfinished(game, 4, random.Random(seed)):
        depth = 4 if len(here.legal_moves) <= WIDE else 1
        asked = m.Analyse(game=game, moves=here.words, depth=depth, seconds=60)
        expected = [untimed(data(report)) for report in positions.analyse(asked)]
        found = worker(game).parts("analyse", moves=here.words, depth=depth, seconds=60)
        assert [untimed(report) for report in found] == expected, here.words


def test_analyses_with_helpers(tmp_path: Path, seed: int) -> None:
    """Where workers share their memory, what several find out is what the server's one finds out."""
    spec = "connectfour"
    with Answers(spec, tmp_path, table=TABLE, helpers=2) as crew:
        for here in late(spec, 6, random.Random(seed)):
            expected = data(list(positions.study(m.At(game=spec, moves=here.words)))[-1])
            found = crew.ask("study", moves=here.words)
            assert found["certain"] and found["moves"] == expected["moves"], here.words


@pytest.mark.parametrize("game", canaries(EVERY))
def test_replies_of_the_engine(game: str, worker: Any, seed: int) -> None:
    """The engine's choice is that of thinking by the game's own evaluation, by nodes, and so is what it thought."""
    for here in unfinished(game, 4, random.Random(seed)):
        prepare(here)
        expected = [*pg.think(here, pg.Limit(nodes=3000))][-1]
        found = worker(game).ask("reply", moves=here.words, player="engine:nodes=3000")
        assert found["move"] == here.text_of(expected.move)
        assert untimed(found["report"]) == untimed(data(report_view(here, expected))), here.words


def test_all_states(worker: Any, seed: int) -> None:
    """A game that may cycle and has few states is known whole, also after states have come before."""
    chance = random.Random(seed)
    start = pg.Position.initial(pg.game_named("threemorris"))
    for here in [start, *unfinished("threemorris", 20, chance)]:
        [expected] = list(positions.study(m.At(game="threemorris", moves=here.words)))
        [found] = worker("threemorris").parts("study", moves=here.words)
        assert untimed(found) == untimed(data(expected)), here.words


@pytest.mark.parametrize("game", GAMES)
def test_the_perfect_player(game: str, worker: Any, seed: int) -> None:
    """It makes the move that it makes there."""
    for here in late(game, 6, random.Random(seed)):
        move = worker(game).ask("reply", moves=here.words, player="perfect")["move"]
        assert here.legal(move) == Perfect().choose(here, None), here.words


@pytest.mark.parametrize("game", GAMES)
def test_reviews(game: str, worker: Any, seed: int) -> None:
    """Of the end of a random game, which is seen through at once, each step and its grade are the server's."""
    long = LATE.get(game, 0) + 6
    ended = next(
        here for here in walked(game, 3000, random.Random(seed)) if here.outcome is not None and len(here.moves) >= long
    )
    parts = worker(game).parts("review", moves=ended.words, seconds=4)
    assert [len(part["steps"]) for part in parts][: len(ended.moves)] == list(range(2, len(ended.moves) + 2))
    assert [part["done"] for part in parts] == [False] * (len(parts) - 1) + [True]
    steps = list(ended.steps())
    scores = [[*think(here, Limit(time=60), table=TABLE)][-1].score for here in steps[-6:]]
    for step, here, score in zip(parts[-1]["steps"][-6:], steps[-6:], scores, strict=True):
        assert step["score"] == data(positions.score_view(score, here.game.names)), here.words
    for step, here, before, after in zip(parts[-1]["steps"][-5:], steps[-6:], scores, scores[1:], strict=False):
        move = grade_move(before, earlier(after), here.to_move)
        lost = move.is_bad and lost_text(move, before, earlier(after), here.to_move, here.game.names)
        assert (step["grade"], step["loss"], step["exact"]) == (move.grade, move.loss, move.exact), here.words
        lost_word = "loses sooner" if before.certain and after.certain else "lost anyway"
        grade = lost_word if move.grade == "lost" else move.grade
        assert step["verdict"] == (f"{grade}: {lost}" if lost else grade)


@pytest.mark.parametrize("game", GAMES)
def test_no_review_praises_a_proved_loss(game: str, worker: Any, seed: int) -> None:
    """At no time does a review in a page, however short, praise a move after which it shows the mover lost, unless it
    shows that of the position before it too, or there was no other move; it tells no accuracy before its end."""
    chance = random.Random(seed)
    for ended in [here for here in walked(game, 2000, chance) if here.outcome is not None][:3]:
        forced = {ply for ply, here in enumerate(ended.steps(), start=1) if len(here.legal_moves) == 1}
        for part in worker(game).parts("review", moves=ended.words, seconds=0.3):
            assert part["done"] or (part["note"], *part["accuracy"].values()) == ("", None, None)
            shown = {step["ply"]: step for step in part["steps"]}
            for ply, step in shown.items():
                winner, before = step["score"]["winner"], shown.get(ply - 1)
                if winner and step["grade"] in ("best", "good") and before and winner != step["mover"]:
                    assert ply in forced or before["score"]["winner"] == winner, (ended.words, step, before)


@pytest.mark.parametrize("game", GAMES)
def test_judgements(game: str, worker: Any, seed: int) -> None:
    """A move is judged as the server judges it, by the same report."""
    for here in late(game, 4, random.Random(seed)):
        report = worker(game).ask("analyse", moves=here.words, seconds=1)
        for move in here.legal_moves:
            text = here.game.move_text(here.state, move)
            found = worker(game).ask("judge", moves=here.words, move=text, seconds=1)
            if report["certain"]:
                expected = analysis.judge(here, m.ReportView.model_validate(report), text)
                assert found == data(expected), (here.words, text)
            assert found["right"] == (text in found["best"]) or found["certain"]


def test_exploring(worker: Any) -> None:
    """What ends at once is known, and what was solved before; the best first."""
    moves = ["a1", "b1", "a2", "b2"]
    fresh = worker("tictactoe").ask("explore", moves=moves)
    assert [each["move"] for each in fresh["moves"] if each["worth"]] == ["a3"] and fresh["moves"][0]["move"] == "a3"
    report = worker("tictactoe").ask("study", moves=moves)
    told = worker("tictactoe").ask("explore", moves=moves)
    assert {each["move"]: each["worth"] for each in told["moves"]} == report["moves"]
    assert [each["worth"]["better"] for each in told["moves"]] == sorted(
        each["better"] for each in report["moves"].values()
    )


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("player", [*(f"level:{name}" for name in LEVELS), "random", "first"])
def test_players_make_legal_moves(game: str, player: str, worker: Any, seed: int) -> None:
    """A game of each player against itself is played to its end; what it chose is legal, and the same again."""
    here = late(game, 1, random.Random(7))[0] if game in LATE else pg.Position.initial(pg.game_named(game))
    while here.outcome is None:
        move = worker(game).ask("reply", moves=here.words, player=player)["move"]
        if player in ("random", "first"):
            assert move == worker(game).ask("reply", moves=here.words, player=player)["move"]
        here = here.play(move)


def test_moves_of_the_same_score_share_a_view() -> None:
    """Moves with equal scores share one object, so a report of hundreds of moves is small."""
    here = pg.Position.initial(pg.game_named("gomoku"))
    score, other = pg.Score(points=3), pg.Score(points=1)
    first, *rest = here.legal_moves
    views = move_views(here, [(first, other), *((move, score) for move in rest)], "best")
    best = views[here.game.move_text(here.state, rest[0])]
    assert (best.better, best.best, len(views)) == (0, "best", len(here.legal_moves))
    worst = views.pop(here.game.move_text(here.state, first))
    assert (worst.better, worst.best) == (len(rest), "")
    assert all(view is best for view in views.values())


def test_the_best_level_keeps_what_it_has(worker: Any, seed: int) -> None:
    """In a game that is seen through it never gives value away; the weakest level does so about as often as it says."""
    best, erred, could = "level:best", 0, 0
    for here in unfinished("tictactoe", 60, random.Random(seed)):
        report = positions.report_view(here, [*think(here, every_move=True)][-1])
        better = {text: move.better for text, move in report.moves.items()}
        assert better[worker("tictactoe").ask("reply", moves=here.words, player=best)["move"]] == 0, here.words
        utilities = {text: move.score.utility for text, move in report.moves.items()}
        top = next(utilities[text] for text in better if not better[text])
        if set(utilities.values()) != {top}:
            could += 1
            move = worker("tictactoe").ask("reply", moves=here.words, player="level:learning")["move"]
            erred += utilities[move] != top
    assert could >= 20 and 0.5 < erred / could <= 1


@pytest.mark.parametrize("game", GAMES)
def test_players_that_look_to_a_depth(game: str, worker: Any, seed: int) -> None:
    """A textbook search makes the move that it makes there; so does Monte Carlo search, of equal simulations."""
    for here in unfinished(game, 4, random.Random(seed)):
        for algorithm in ("minimax", "alphabeta", "ordered"):
            expected = pg.search(here, algorithm, 3).move
            found = worker(game).ask("reply", moves=here.words, player=f"{algorithm}:depth=3")
            assert here.legal(found["move"]) == expected, (here.words, algorithm)


def test_simulations(worker: Any, seed: int) -> None:
    """Monte Carlo search finds the win in one, and a move that is certain to be best where it sees the end."""
    ask = worker("tictactoe").ask
    assert ask("reply", moves=WON[:4], player="mcts:simulations=500")["move"] == "a3"
    for here in unfinished("tictactoe", 20, random.Random(seed)):
        if len(here.legal_moves) <= 4:
            move = ask("reply", moves=here.words, player="mcts:simulations=3000")["move"]
            values = dict([*think(here, every_move=True)][-1].moves)
            best = (max if here.to_move == pg.MAX else min)(score.utility or 0 for score in values.values())
            assert (values[here.legal(move)].utility or 0) == best, here.words


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta", "ordered"])
def test_recorded_searches(game: str, algorithm: str, worker: Any, seed: int) -> None:
    """A recorded search is the server's, node for node, in all its columns; so is each node in words."""
    chance = random.Random(seed)
    for here in unfinished(game, 3, chance):
        asked: dict[str, Any] = {"moves": here.words, "algorithm": algorithm, "depth": 3}
        [expected] = trees.tree(trees.Recorded(game=game, **asked))
        assert worker(game).ask("tree", **asked) == data(expected), here.words
        below = [next(each for each in expected.root.move if each)]
        [part] = trees.tree(trees.Recorded(game=game, **asked, below=below))
        assert worker(game).ask("tree", **asked, below=below) == data(part), (here.words, below)
        found = trees._record_tree(trees.Recorded(game=game, **asked))
        for node in chance.sample(range(len(found)), min(15, len(found))):
            [told] = trees.node(trees.Node(game=game, **asked, path=found.moves_to(node)))
            mine = worker(game).ask("node", **asked, path=found.moves_to(node))
            if found.kind[node] == "horizon":  # what an opinion is made of is told where Python can be asked
                assert mine.pop("why").removesuffix(".") in told.why
                assert mine == {key: value for key, value in data(told).items() if key != "why"}
            else:
                assert mine == data(told)
        cuts = [node for node in range(len(found)) if found.skipped[node]]
        for node in chance.sample(cuts, min(3, len(cuts))):
            saved = found.saved_by_cut(node)
            assert worker(game).ask("saved", **asked, path=found.moves_to(node)) == {"nodes": saved}
        some = chance.sample(range(len(found)), min(3, len(found)))
        [boards] = trees.boards(trees.Boards(game=game, **asked, nodes=some))
        assert worker(game).ask("boards", **asked, nodes=some) == data(boards)


@pytest.mark.parametrize("game", ["tictactoe", "threemorris"])
def test_races(game: str, worker: Any, seed: int) -> None:
    """Every count of every algorithm is the server's; but the engine's search does not tell first moves apart here, nor
    how long its lines are where all of them end the game."""
    for here in unfinished(game, 3, random.Random(seed)):
        *_, expected = trees.race(trees.Race(game=game, moves=here.words, depth=4, seconds=60))
        parts = worker(game).parts("race", moves=here.words, depth=4, seconds=60)
        algorithms = [row["algorithm"] for row in parts[-1]["rows"]]
        assert [len(part["rows"]) for part in parts] == [4, 8, 12, 16] and algorithms[::4] == expected.algorithms
        rows, told = untimed_rows(data(expected)["rows"]), untimed_rows(parts[-1]["rows"])
        for row, mine in zip(rows, told, strict=True):
            if row["algorithm"] == "pvs":
                is_open = mine["branching"] is None and "estimate" not in row["value"]
                row |= {"first": None} | ({"branching": None} if is_open else {})
        assert told == rows, here.words
        assert parts[-1] | {"rows": []} == data(expected) | {"rows": []}


def untimed_rows(rows: list[Any]) -> list[Any]:
    """Rows of a race without what a clock decides."""
    return [{key: value for key, value in row.items() if key != "seconds"} for row in rows]


def test_a_race_against_time(worker: Any) -> None:
    """Who does not finish a depth in time is not asked for a deeper one, and the others run."""
    race = worker("tictactoe").ask("race", algorithms=["minimax", "alphabeta"], depth=9, seconds=0.005)
    (late, depth), *_ = race["unfinished"]
    assert late == "minimax" and 1 < depth <= 9
    assert [row["depth"] for row in race["rows"] if row["algorithm"] == "minimax"] == [*range(1, depth)]
    assert any(row["algorithm"] == "alphabeta" for row in race["rows"])


def test_moves_in_text(worker: Any) -> None:
    """Moves are read as people have them, and a wrong one is said with its number."""
    ask = worker("tictactoe").ask
    for text in (
        "b2 a1 c3",
        "1. b2 a1 2. c3 *",
        "B2A1C3",
        "[Event 'x']\nb2 {fine} a1 c3 ; the rest",
        "1. b2! $1 (1. a1 b2 (b3)) a1 2. c3",
    ):
        assert ask("edit", text=text)["moves"] == ["b2", "a1", "c3"], text
    assert ask("edit", text="")["moves"] == []
    forms = {form["name"]: form["text"] for form in ask("notations", moves=["b2", "a1", "c3"])["forms"]}
    assert forms == {"moves": "b2 a1 c3", "numbered": "1. b2 a1 2. c3"}
    for form in forms.values():
        assert ask("edit", text=form)["moves"] == ["b2", "a1", "c3"]


@pytest.mark.nightly
def test_moves_as_players_write_them(worker: Any) -> None:
    """A module writes and reads SAN, and the moves that are kept too."""
    ask = worker("gardner").ask
    for text in ("c3 dxc3 Nxc3 e3", "1. c3 dxc3 2. Nxc3! e3?", "c2c3 d4c3 b1c3 e4e3"):
        found = ask("edit", text=text)
        assert (found["moves"], found["notation"][:3]) == (["c2c3", "d4c3", "b1c3", "e4e3"], ["c3", "dxc3", "Nxc3"]), (
            text
        )
    forms = {form["name"]: form["text"] for form in ask("notations", moves=found["moves"])["forms"]}
    assert forms == {"moves": "c2c3 d4c3 b1c3 e4e3", "numbered": "1. c3 dxc3 2. Nxc3 e3"}


@pytest.mark.parametrize(
    ("op", "args", "status", "said"),
    [
        (
            "position",
            {"moves": ["b2", "b2"]},
            400,
            "b2 is not a legal move here: a1, b1, c1, a2, c2, a3, b3, c3.",
        ),
        (
            "position",
            {"moves": [*WON, "b3"]},
            400,
            "The game is over: x wins; no move can be made.",
        ),
        ("position", {"start": "x../.../...:o"}, 400, "x../.../...:o: a published page begins with .../.../...:x"),
        ("position", {"game": "chess"}, 404, "Only tictactoe is played here, not chess."),
        ("edit", {"text": "b2 b2"}, 400, "Move 2: b2 is not a legal move here"),
        ("edit", {"text": '{"game": "nim"}'}, 400, "This page reads moves, such as a1 b1 c1."),
        ("reply", {"moves": WON}, 400, "The game is over: x wins; no side is to move."),
        ("reply", {"player": "nobody"}, 400, "There is no player nobody here: there are level, engine"),
        ("reply", {"player": "level:hardest"}, 400, "hardest is no level: write learning, easy"),
        ("reply", {"player": "engine:depth=0"}, 400, "engine:depth=0: a limit is above 0."),
        ("reply", {"player": "engine:plies=2"}, 400, "engine has no option 'plies': it takes time, depth"),
        ("judge", {"move": "d9"}, 400, "d9 is not a legal move here"),
        ("tree", {"algorithm": "pvs"}, 400, "'pvs' cannot be recorded: there are minimax, alphabeta, ordered."),
        ("tree", {"depth": 0}, 400, "depth=0: look 1 to 10,000 plies ahead."),
        ("race", {"algorithms": ["mcts"]}, 400, "'mcts' cannot be compared by depth: there are minimax, alphabeta"),
        ("race", {"depth": 61}, 400, "depth=61: look 1 to 60 plies ahead."),
        ("race", {"moves": WON}, 400, "The game is over: x wins; there is nothing to search."),
        ("tree", {"algorithm": "minimax", "depth": 9}, 400, "minimax to depth 9 enters more than 100,000 nodes here"),
        ("boards", {"depth": 1, "nodes": [99]}, 400, "There is no node 99: this tree has 10, from 0 on."),
        ("node", {"moves": WON[:4], "path": ["c3", "a1"]}, 400, "a1 is not a legal move here"),
        ("create", {}, 404, "This page cannot create: that takes a playground with a server."),
    ],
)
def test_bad_input(op: str, args: dict[str, Any], status: int, said: str, worker: Any) -> None:
    """What cannot be answered is said in a sentence, and the next question is answered."""
    with pytest.raises(Refused) as fault:
        worker("tictactoe").ask(op, **args)
    assert str(fault.value).startswith(said) and fault.value.status == status
    assert worker("tictactoe").ask("position")["legal"]
