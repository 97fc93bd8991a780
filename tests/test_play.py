"""Games between players: the referee, the file that keeps a game, and what a search leaves within its limits."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

import plyground as pg
from plyground.play import game_file
from plyground.play.player import Illegal, Player, Wrapper
from plyground.play.time_control import TimeControl
from plyground.play.user_player import UserPlayer, as_player
from plyground.players import First


def kept(file: Path) -> pg.Result:
    """A game that a file keeps."""
    players = pg.player_named("first"), pg.player_named("random:seed=1")
    position = pg.Position.initial(pg.MNK())
    with closing(pg.GameFile.begin(file, "tictactoe", position, ("first", "random:seed=1"))) as keeper:
        return pg.play_match(position, players, file=keeper)


def test_a_file_cut_anywhere(tmp_path: Path) -> None:
    """Wherever a saved game is cut, it reads as the whole moves before the cut, or is refused in a sentence."""
    file = tmp_path / "game.jsonl"
    result = kept(file)
    whole = file.read_bytes()
    assert pg.read_game(file).position == result.position and pg.read_game(file).why == result.why
    for length in range(len(whole)):
        file.write_bytes(whole[:length])
        try:
            moves = pg.read_game(file).position.moves
        except pg.BadInput as fault:
            assert "\n" not in str(fault) and whole[:length].count(b"\n") == 0
        else:
            assert moves == result.position.moves[: len(moves)] and len(moves) >= whole[:length].count(b"\n") - 2


@pytest.mark.only_on("linux", "darwin")
def test_a_full_disk_takes_no_move_away(tmp_path: Path) -> None:
    """One sentence when it is full and one when it is not: meanwhile the file is whole, afterwards it has all moves."""
    import resource

    said: list[str] = []
    position, file = pg.Position.initial(pg.MNK()), tmp_path / "game.jsonl"
    after = position.play("b2")
    with closing(pg.GameFile.begin(file, "tictactoe", position, ("first", "first"), said.append)) as keeper:
        keeper.move(position, position.legal("b2"), 0.0)
        room, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (file.stat().st_size + 10, most))
        try:
            keeper.move(after, after.legal("a1"), 0.0)
            keeper.undo(1)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, most))
        meanwhile = pg.read_game(file)
        assert not keeper.is_whole and meanwhile.position.words == ["b2"] and meanwhile.cut is None
        keeper.move(after, after.legal("c1"), 0.0)
        assert keeper.is_whole
    assert pg.read_game(file).position.words == ["b2", "c1"]
    assert len(said) == 2 and "cannot be written (" in said[0] and "can be written again" in said[1]
    assert [each.name for each in tmp_path.iterdir()] == ["game.jsonl"]


def test_a_file_of_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A later release reads what this one keeps, a version at a time; this one says what it does not know, and of
    which version that is.
    """
    file = tmp_path / "game.jsonl"
    result = kept(file)
    before = file.read_bytes()

    def renamed(key: str, other: str) -> Callable[[list[game_file.Line]], list[game_file.Line]]:
        """What a version may bring: another name."""
        return lambda lines: [{other if name == key else name: line[name] for name in line} for line in lines]

    with monkeypatch.context() as later:
        later.setattr(game_file, "VERSION", 3)
        later.setattr(game_file, "FILE_MIGRATIONS", {1: renamed("move", "ply"), 2: renamed("ply", "move")})
        assert pg.read_game(file).position == result.position
    assert file.read_bytes() == before
    file.write_bytes(before.replace(b'"plyground": 1', b'"plyground": 3'))
    with pytest.raises(pg.BadInput, match="is of version 3, and this plyground knows 1 at most"):
        pg.read_game(file)
    for nonsense in (b"0", b"true", b'"1"', b"null"):
        file.write_bytes(before.replace(b'"plyground": 1', b'"plyground": ' + nonsense))
        with pytest.raises(pg.BadInput, match="no saved game"):
            pg.read_game(file)


class Odd:
    """A player that does what a test tells it."""

    name = "odd"

    def __init__(self, answer: object) -> None:
        self._answer = answer

    def choose(self, position: pg.Position, seconds: float | None) -> int:
        if isinstance(self._answer, BaseException):
            raise self._answer
        assert isinstance(self._answer, int)
        return self._answer


PARTS = [part for part in ("name", *vars(Player)) if not part.startswith("_")]
POSITION = pg.Position.initial(pg.MNK())
CALLS: dict[str, tuple[object, ...]] = {
    "choose": (POSITION, 1.0),
    "retry": (pg.BadInput("no"),),
    "think": (POSITION, 1.0),
    "prepare": (POSITION,),
    "set_time_control": (TimeControl(1.0),),
    "take_back": (POSITION, 1),
    "reseed": ("1",),
    "restart_each_game": (),
    "file_hashes": (),
    "close": (),
}
"""The methods of a player, with arguments for a call."""


class Marked(Player):
    """A player none of whose parts is the default: its data is marked, and its methods note their arguments."""

    name = is_external = searches = move_time = answers_cold = picks_evaluation = "marked"  # type: ignore[assignment]
    is_user_code = resources = waits_at = last_words = is_reused = tells_cpu = own_seconds = move_evaluation = "marked"  # type: ignore[assignment]

    def __init__(self) -> None:
        self.called: list[tuple[object, ...]] = []

    def __getattribute__(self, part: str) -> object:
        return (lambda *args: self.called.append((part, *args))) if part in CALLS else super().__getattribute__(part)


@pytest.mark.parametrize("part", PARTS)
def test_a_wrapper_forwards_everything(part: str) -> None:
    """Each part of a player is that of the player behind the wrapper, also of one that is added later."""
    marked = Marked()
    found = getattr(Wrapper(marked), part)
    if part not in CALLS:
        assert found == "marked"
        return
    found(*CALLS[part])
    assert marked.called == [(part, *CALLS[part])]


def test_a_player_that_is_asked_again() -> None:
    """The clock goes on from the first question, and one move gets one increment."""
    asked: list[float] = []
    refused: list[str] = []

    class Sloppy(First):
        def choose(self, position: pg.Position, seconds: float | None) -> int:
            asked.append(seconds or 0)
            return -1 if len(asked) % 2 else super().choose(position, seconds)

        def retry(self, refusal: pg.BadInput) -> bool:
            refused.append(str(refusal))
            return True

    result = pg.play_match(POSITION, (Sloppy(), First()), clock=TimeControl(10, increment=1))
    assert result.fault is None and len(refused) == len(asked) / 2
    assert "-1 is not a legal move here" in refused[0]
    assert asked[0] > asked[1] and 10 < asked[2] < 11


class Bare:
    """A user's player: no more than it needs."""

    def choose(self, position: pg.Position, seconds: float | None) -> int:
        return position.legal_moves[0]


class Ready(Bare):
    """A user's player that has more, without a base class."""

    name, last_words = "ready", "none"

    def __init__(self) -> None:
        self.controls: list[TimeControl] = []

    def set_time_control(self, control: TimeControl) -> None:
        self.controls.append(control)


def test_any_object_with_choose_plays() -> None:
    """What it has of a player is its own, the rest is by default."""
    bare, ready = as_player(Bare()), Ready()
    assert (
        bare.name == "Bare" and bare.is_user_code and bare.file_hashes() is None and not [*bare.think(POSITION, None)]
    )
    assert as_player(ready).name == "ready" and as_player(ready).last_words == "none"
    result = pg.play_match(POSITION, (Bare(), ready), clock=60)
    assert result.utility == 1 and ready.controls == [TimeControl(60)]
    assert as_player(bare) is bare and isinstance(bare, UserPlayer)
    assert not pg.player_named("engine").is_user_code


@pytest.mark.parametrize(
    ("answer", "said"), [(99, "illegal move"), (RuntimeError("no idea"), "loses: it fails: RuntimeError: no idea")]
)
def test_the_referee_says_whose_fault_it_is(answer: object, said: str) -> None:
    """An illegal move and a failing player lose, and the result names the player and the reason."""
    players = Odd(answer), pg.player_named("first")
    result = pg.play_match(pg.Position.initial(pg.MNK()), players, on_error="lose")
    assert (result.utility, result.fault) == (-1, 0) and said in result.why and not result.why.endswith(".")
    with pytest.raises((Illegal, RuntimeError), match=r"99|no idea"):
        pg.play_match(pg.Position.initial(pg.MNK()), players)
    timed = pg.play_match(pg.Position.initial(pg.MNK()), (pg.player_named("first"),) * 2, clock=1e-9)
    assert timed.fault == 0 and "on time" in timed.why


@pytest.mark.compiled
@pytest.mark.parametrize("seat", [0, 1])
def test_the_engine_never_loses_tic_tac_toe(seat: int) -> None:
    """In either seat, whatever the other side plays: every reply is tried."""
    engine = pg.player_named("engine:depth=9")
    start = pg.Position.initial(pg.MNK())
    waiting, seen = [start], {start.state}
    while waiting:
        position = waiting.pop()
        if position.outcome is not None:
            assert position.outcome * (1 - 2 * seat) >= 0, position.history
        elif position.to_move == seat:
            waiting.append(position.play(engine.choose(position, None)))
        else:
            replies = [position.play(move) for move in position.legal_moves]
            waiting += [reply for reply in replies if reply.state not in seen]
            seen |= {reply.state for reply in replies}
    assert len(seen) > 10


def test_a_lost_side_holds_out_as_long_as_it_can() -> None:
    """Two threats, of which o can block one: the loss comes in two plies, and is known."""
    report = [*pg.think(pg.Position.parse(pg.MNK(), "x.x/.o./x.o:o"))][-1]
    assert report.score.text() == "x wins in 2 plies" and report.score.exact


def test_limits_leave_a_legal_move() -> None:
    """However tight the limit, there is a report with a legal move, and the nodes stay within it."""
    start = pg.Position.initial(pg.Ultimate())
    for limit in (pg.Limit(nodes=1), pg.Limit(nodes=500), pg.Limit(time=1e-6), pg.Limit(depth=1)):
        report = [*pg.think(start, limit)][-1]
        assert report.move in start.legal_moves
        assert limit.nodes is None or report.nodes <= limit.nodes
