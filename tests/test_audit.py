"""An audit proves what it says: every way to beat a player is found, and a certificate stands without the player."""

import json
import re
import shutil
import socket
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from programs import CALLING_PLAYER

import plyground as pg
from plyground.play.audit import audit, verify
from plyground.play.ending import Ending
from plyground.play.player import Unable
from plyground.play.proof import Audit, Failure, judge_replies, read_certificate, write
from plyground.sandbox.bubblewrap import PROGRAMS_VARIABLE
from plyground.terminal.main import main

pytestmark = [pytest.mark.compiled, pytest.mark.process]
Terminal = Callable[..., tuple[int, str, str]]
TICTACTOE = pg.Position.initial(pg.MNK())
EXAMPLES = Path(__file__).resolve().parent.parent / "examples" / "players"


def audited(player: str, seat: int = 1, budget: int = 10_000, start: str = "", jobs: int = 1) -> Audit:
    """A player of tic-tac-toe under audit."""
    position = pg.Position.parse(pg.MNK(), start)
    return audit("tictactoe", position, seat, lambda: pg.player_named(player), budget=budget, jobs=jobs)


def ours(player: str, game: str = "tictactoe") -> str:
    """The spec of a player of plyground's own, as a program."""
    return f"program[timeout=60]:{sys.executable} {EXAMPLES / 'ours.py'} {game} {player} {{side}} {{first}}"


def told(found: Audit) -> tuple[object, ...]:
    """All that an audit found, but whom."""
    return found.verdict, found.positions, found.games, found.lost, found.losses, found.replies


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., str]:
    """A program in Python, which plays the first free square and notes each start in the file `starts`: its spec."""

    def spec(play: str = "", knows: str = "", options: str = "timeout=60") -> str:
        file = tmp_path / "player.py"
        text = PROGRAM.format(play=play, knows=knows or "pass", folder=tmp_path)
        file.write_text(text, encoding="utf-8")
        return f"program[{options}]:{sys.executable} {file}"

    return spec


PROGRAM = """
import re, sys, time
with open(r"{folder}/starts", "a") as starts:
    print("once", file=starts)
free = [(x, y) for y in (1, 2, 3) for x in (1, 2, 3)]
for line in sys.stdin:
    if told := re.search(r"position\\('(...)/(...)/(...):(.)'\\)", line):
        {knows}
    elif move := re.search(r"(\\d)\\s*,\\s*(\\d)", line):
        free.remove((int(move[1]), int(move[2])))
        {play}
        x, y = free.pop(0)
        print(f"{{x}},{{y}}", flush=True)
""".replace("\\\\", "\\")
GOES_THERE = """
        print(told[0] + ".", flush=True)
        free = [(x + 1, y + 1) for y in range(3) for x in range(3) if told[y + 1][x] == "."]
        if told[4] == "o":
            x, y = free.pop(0)
            print(f"{x},{y}", flush=True)
"""


def lines_against(player: pg.Player, seat: int, position: pg.Position) -> list[tuple[int, int]]:
    """The obvious twin: play every game to its end, sharing nothing; each game's length and utility."""
    if position.outcome is not None:
        return [(len(position.moves), position.outcome)]
    moves = (player.choose(position, None),) if position.to_move == seat else position.legal_moves
    return [end for move in moves for end in lines_against(player, seat, position.play(move))]


@pytest.mark.parametrize(
    ("spec", "seat"), [("alphabeta:depth=2", 1), ("alphabeta:depth=2", 0), ("first", 1), ("alphabeta:9", 1)]
)
def test_every_game_is_counted(spec: str, seat: int) -> None:
    """As many games, and as many lost ones, as playing them all one by one; the first listed is a shortest."""
    found = audited(spec, seat)
    ends = lines_against(pg.player_named(spec), seat, TICTACTOE)
    lost = [length for length, utility in ends if utility * (1 - 2 * seat) < 0]
    assert (found.games, found.lost) == (len(ends), len(lost))
    assert [len(loss.moves) for loss in found.losses] == sorted(lost)
    assert found.verdict == ("loses" if lost else "never loses")
    for loss in found.losses:
        assert pg.Position.parse(pg.MNK(), " ".join(loss.moves)).outcome == (1 if seat else -1)


def test_the_wrong_move_and_what_would_have_held() -> None:
    """Depth 2 goes wrong when x takes an edge and the opposite corner; the listed moves hold, by the exact value."""
    loss = audited("alphabeta:depth=2").losses[0]
    assert loss.wrong is not None and loss.moves[loss.wrong - 1] not in loss.held
    before = pg.Position.parse(pg.MNK(), " ".join(loss.moves[: loss.wrong - 1]))
    scores = {
        before.game.move_text(before.state, move): score
        for move, score in [*pg.think(before, every_move=True)][-1].moves
    }
    assert {move for move, score in scores.items() if score.winner is None} == set(loss.held)
    assert scores[loss.moves[loss.wrong - 1]].winner == 0


def test_no_move_would_have_held_a_lost_position() -> None:
    """A smaller loss is a loss: what would have held is not lost, in a game with margins too."""
    start = pg.Position.initial("kalah:3,2")
    losses = audit("kalah:3,2", start, 1, lambda: pg.player_named("first")).losses
    assert any(loss.wrong is None for loss in losses) and any(loss.wrong for loss in losses)
    for loss in losses:
        before = pg.Position.parse(start.game, " ".join(loss.moves[: (loss.wrong or 1) - 1]))
        assert all(pg.solve(before.play(move)).score.winner != 0 for move in loss.held)


def test_lots_and_budgets() -> None:
    """A player at random gets no certificate, a program neither; a budget too small is said honestly."""
    for random in ("random", "random:seed=1", ours("random")):
        assert audited(random).verdict == "plays at random"
    assert audited("alphabeta:9", budget=50).verdict == "not refuted"


def test_games_that_a_limit_left_unseen_are_not_counted(tmp_path: Path) -> None:
    """`first` loses 429 of 665 games, the shortest in five plies; within five positions only four games are seen."""
    whole, part = audited("first"), audited("first", budget=5)
    assert whole.is_whole and whole.sentence == "loses 429 of 665 games; the shortest: a1 b1 a2 c1 a3."
    assert not part.is_whole and part.lost_text == "loses 4 of 4 games seen within 5 positions"
    assert "; the shortest of these: a1 b1" in part.sentence
    write(part, tmp_path / "part.json")
    assert verify(tmp_path / "part.json").found.sentence == part.sentence


def test_a_certificate_stands_alone(tmp_path: Path) -> None:
    """It is re-checked without the player; a changed reply, count or verdict is found out."""
    file = tmp_path / "certificate.json"
    write(audited("alphabeta:9"), file)
    assert verify(file).found.verdict == "never loses"
    document = json.loads(file.read_text(encoding="utf-8"))
    text = next(iter(document["replies"]))
    changes: list[dict[str, object]] = [{"games": 1}, {"verdict": "loses"}, {"replies": {}}]
    changes += [{"replies": document["replies"] | {text: "zz"}}, {"positions": 9}, {"side": "z"}, {"start": 1}]
    for change in changes:
        file.write_text(json.dumps(document | change), encoding="utf-8")
        with pytest.raises(pg.BadInput):
            verify(file)
    file.write_text(json.dumps(document | {"plyground audit": 3}), encoding="utf-8")
    with pytest.raises(pg.BadInput, match="is of version 3, and this plyground knows 2 at most"):
        verify(file)
    older = {name: part for name, part in document.items() if name not in ("rules", "python")}
    for fine in (older | {"plyground audit": 1}, document | {"python": "3.0", "rules": "of another bytecode"}):
        file.write_text(json.dumps(fine), encoding="utf-8")
        assert verify(file).found.verdict == "never loses"  # by its games, walked by the rules here
    file.write_text(json.dumps(document | {"rules": "changed"}), encoding="utf-8")
    with pytest.raises(pg.BadInput, match="is of tictactoe by other rules than it has here"):
        verify(file)
    write(audited("first"), file)
    document = json.loads(file.read_text(encoding="utf-8"))
    for loss in document["losses"]:
        assert loss.pop("ending") == "normal"  # the first version had no kinds of endings
    file.write_text(json.dumps(document | {"plyground audit": 1}), encoding="utf-8")
    assert {loss.ending for loss in read_certificate(file).losses} == {Ending.UNKNOWN}
    assert {loss.ending for loss in verify(file).found.losses} == {Ending.NORMAL}  # by its replies
    file.write_text("{", encoding="utf-8")
    with pytest.raises(pg.BadInput, match="no certificate"):
        verify(file)


def test_a_program_is_audited_and_resumed() -> None:
    """A program over pipes: the same answer as its twin in plyground; known replies are not asked again."""
    command = f"program:{sys.executable} {EXAMPLES / 'first.py'} o x"
    asked: dict[str, str] = {}
    start = pg.Position.parse(pg.MNK(), "")
    part = audit("tictactoe", start, 1, lambda: pg.player_named(command), budget=12, on_reply=asked.__setitem__)
    assert part.verdict in ("not refuted", "loses") and len(asked) == 12
    twin = audited("first")
    known = twin.replies
    whole = audit("tictactoe", start, 1, lambda: pg.player_named("program:false"), known=known)
    assert (whole.games, whole.lost) == (twin.games, twin.lost)
    assert all(known[text] == move for text, move in asked.items())


# -- what is judged, and what is not -----------------------------------------------------------------------------------


def test_what_never_moves_is_not_judged() -> None:
    """Not there, its port taken, silent, ended, chattering: what was sent, came back, and can be tried is said."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        busy = f"program[port={taken.getsockname()[1]}]:{sys.executable} {EXAMPLES / 'first.py'} o x"
        cases = [(busy, ["cannot be listened on"]), ("program:/nowhere/at/all", ["cannot be started: No such file"])]
        cases += [
            ("program[timeout=1]:sleep 100", ["said nothing for 1 s", "it was sent '(", "program[port=54321]:sleep"])
        ]
        cases += [
            ("program:false", ["no move at all", "it ended with exit code 1"]),
            ("program:echo hello.", ["'hello'", "only moves"]),
        ]
        for spec, words in cases:
            for jobs in (1, 3):
                with pytest.raises(Unable) as fault:
                    audited(spec, jobs=jobs)
                assert all(word in str(fault.value) for word in words), fault.value


@pytest.fixture
def terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Run the command: its exit code, and what it wrote."""

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["plyground", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        return int(ended.value.code or 0), said.out, said.err

    return run


def test_the_command_ends_with_2(terminal: Terminal, tmp_path: Path) -> None:
    """In the terminal: the sentence, exit code 2, and no verdict."""
    for verb in (
        ["audit", "tictactoe", "program:/nowhere/x"],
        ["play", "tictactoe", "--x=first", "--o=program:/nowhere/x"],
    ):
        words = ["--keep", str(tmp_path / "game")] if verb[0] == "play" else []
        code, said, wrong = terminal(*verb, "--json", *words)
        assert (code, said) == (2, "") and "'/nowhere/x' cannot be started" in wrong.replace("\n", " ")


def test_a_fault_of_its_own_is_judged(program: Callable[..., str]) -> None:
    """One that fails in one game of many has lost that one, whichever is asked first."""
    found = audited(program(play="assert line != '(1,1).\\n'"))
    twin = audited("first")
    assert found.verdict == "loses" and found.losses[0].moves == ("a1",) and "AssertionError" in found.losses[0].why
    assert found.lost == twin.lost - sum(loss.moves[0] == "a1" for loss in twin.losses) + 1


def test_a_sentence_goes_on_without_a_full_stop(
    terminal: Terminal, program: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason for an illegal move is a part of the verdict's sentence, so it has no full stop of its own."""
    monkeypatch.setenv(PROGRAMS_VARIABLE, "open")  # it writes down that it starts
    illegal = program(play="len(free) < 8 and print('9,9', flush=True)\n")
    lost = [loss for loss in audited(illegal).losses if loss.ending is Ending.ILLEGAL]
    assert lost and not any(loss.why.endswith(".") for loss in lost)
    _, said, _ = terminal("audit", "tictactoe", illegal)
    assert "; wrong was ply" in said and not re.search(r"\.[;,:.]( |$)", said)


def test_a_fixed_port_for_several_at_once(tmp_path: Path) -> None:
    """Programs that all call one port by themselves: several at once, and each is who it is."""
    if not shutil.which("swipl"):
        pytest.skip("swipl is not installed")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    file = tmp_path / "ttt.pl"
    file.write_text(CALLING_PLAYER.replace("PORT", str(port)), encoding="utf-8")
    assert told(audited(f"program[port={port}]:swipl {file}", start="c3", jobs=4)) == told(audited("first", start="c3"))


@pytest.mark.parametrize(("start", "seat"), [("", 1), ("b2 a1", 0), ("xo./.../...:x", 0), ("xo./.../...:x", 1)])
def test_a_program_gets_the_verdict_of_its_twin(start: str, seat: int) -> None:
    """The same player, built in and as a program, from wherever the game starts."""
    found = audited(ours("alphabeta:depth=2"), seat, start=start)
    assert told(found) == told(audited("alphabeta:depth=2", seat, start=start))


def test_who_cannot_be_told_the_start_is_refused(program: Callable[..., str]) -> None:
    """A position that the program does not know; moves that it does not make: a sentence, never a loss."""
    with pytest.raises(Unable, match=r"cannot be told where the game starts.*'xo\./\.\.\./\.\.\.:x'"):
        audited(program(options="timeout=1"), start="xo./.../...:x")
    with pytest.raises(Unable, match="does not repeat itself: after b2 it played a1, where the game has c3"):
        audited(program(), start="b2 c3")
    assert told(audited(program(), start="b2 a1")) == told(audited("first", start="b2 a1"))


def test_a_program_is_started_once(program: Callable[..., str], tmp_path: Path) -> None:
    """One that knows `position`: once for all games, and once more to confirm that it loses."""
    twin = told(audited("first"))
    assert told(audited(program(knows=GOES_THERE))) == twin
    assert len((tmp_path / "starts").read_text().split()) == 2


@pytest.mark.parametrize(
    "second_game",
    [
        "sys.exit(1)",
        'print(told[0] + ".", flush=True); sys.exit(1)',
        'print("what is that?", flush=True)',
        'print(told[0] + ".", flush=True)',
        'print(told[0] + ".", flush=True); x, y = free[-1]; print(f"{x},{y}", flush=True)',
    ],
    ids=["ends", "ends later", "wonders", "goes nowhere", "plays anything"],
)
def test_a_second_game_is_never_held_against_it(program: Callable[..., str], second_game: str) -> None:
    """Whoever cannot play a second game is started anew: the verdict is that of its twin."""
    found = audited(program(knows=second_game, options="timeout=4"), start="c3")
    assert told(found) == told(audited("first", start="c3"))


def test_a_player_is_made_for_each_job() -> None:
    """Not for each reply."""
    made: list[pg.Player] = []

    def make() -> pg.Player:
        made.append(pg.player_named("first"))
        return made[-1]

    for jobs in (1, 3):
        made.clear()
        assert audit("tictactoe", TICTACTOE, 1, make, jobs=jobs).positions > 100 and len(made) == jobs


def test_a_losers_certificate_lists_what_its_replies_lose(tmp_path: Path) -> None:
    """All of it, and nothing else."""
    file = tmp_path / "certificate.json"
    found = audited("alphabeta:depth=2")
    write(found, file)
    assert verify(file).found == replace(found, player="")
    document = json.loads(file.read_text(encoding="utf-8"))
    loss = document["losses"][0]
    for change, said in (
        ([], "other lost games"),
        ([loss | {"why": "o wins"}, *document["losses"][1:]], "says 'o wins' of .* ends with 'x wins'"),
        ([loss | {"held": [loss["moves"][0]]}, *document["losses"][1:]], "other moves would have held"),
        ([loss | {"wrong": loss["wrong"] + 2}, *document["losses"][1:]], "other moves would have held"),
    ):
        file.write_text(json.dumps(document | {"losses": change}), encoding="utf-8")
        with pytest.raises(pg.BadInput, match=said):
            verify(file)


def test_what_a_certificate_cannot_prove_is_said_to_be_unchecked(terminal: Terminal, tmp_path: Path) -> None:
    """Its player's name, why a program made no move, and without time for searches which moves would have held."""
    file = tmp_path / "certificate.json"
    found = audited("first")
    text, (*_, last) = next(iter(found.replies)), found.losses
    replies = found.replies | {text: ""}
    write(judge_replies(replace(found, replies=replies), TICTACTOE, 1, {text: Failure(Ending.LATE, "was late")}), file)
    document = json.loads(file.read_text(encoding="utf-8"))
    assert "was late" in {each["why"] for each in document["losses"]}
    for each in document["losses"]:
        each.update(wrong=2, held=["b3"]) if tuple(each["moves"]) == last.moves else None
    file.write_text(json.dumps(document), encoding="utf-8")
    unlooked = verify(file, seconds=0.0)
    assert {each.why for each in unlooked.found.losses} == {"x wins", "made no move"}
    assert all(not each.held for each in unlooked.found.losses)
    assert [each.split()[-1] for each in unlooked.unchecked] == ["that.", "checked.", "game."]
    write(replace(audited("alphabeta:9", start="b2"), player="ann, the best"), file)
    code, said, _ = terminal("audit", "--verify", str(file))
    assert code == 0 and " from .../.x./...:o never loses" in said
    assert [line for line in said.splitlines() if "ann" in line] == [
        "It names its player 'ann, the best': nothing in it proves that."
    ]
    assert json.loads(terminal("audit", "--verify", str(file), "--json")[1])["player"] is None


def test_what_is_kept_is_kept_for_its_bytes(
    terminal: Terminal, program: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that has changed, or a file beside it, is asked anew; one that has not is not even started."""
    monkeypatch.setenv(PROGRAMS_VARIABLE, "open")  # it writes down that it starts
    state, starts = tmp_path / "state.jsonl", tmp_path / "starts"

    def asked(spec: str) -> tuple[str, bool, bool]:
        """The shortest loss, whether it was started for it, and whether it was said that what was kept is not used."""
        before = starts.read_text() if starts.exists() else ""
        _, said, wrong = terminal(
            "audit", "tictactoe", spec, "--state", str(state), "--position", "c3", "--as", "o", "--json"
        )
        return (
            " ".join(json.loads(said)["losses"][0]["moves"]),
            starts.read_text() != before,
            "before their files changed" in " ".join(wrong.split()),
        )

    spec = program(knows=GOES_THERE)
    first = asked(spec)
    assert first[1:] == (True, False) and asked(spec) == (first[0], False, False)
    program(play="free.reverse()", knows=GOES_THERE.replace("        if", "        free.reverse()\n        if"))
    assert asked(spec)[0] != first[0] and asked(spec)[1:] == (False, True)
    program(knows=GOES_THERE)
    assert asked(spec) == (first[0], False, True)
    (tmp_path / "helper.py").write_text("CHANGED = 1\n", encoding="utf-8")
    assert asked(spec) == (first[0], True, True)


def test_replies_that_no_game_comes_to_are_not_counted() -> None:
    """Kept replies of another start do not count as positions, and one thing is one thing."""
    found = audit(
        "tictactoe", TICTACTOE, 1, lambda: pg.player_named("first"), known=audited("first", start="b2").replies
    )
    assert found.positions == audited("first").positions
    start = "xo./xo./...:x"
    known = audited("first", 0).replies
    only = audit(
        "tictactoe", pg.Position.parse(pg.MNK(), start), 0, lambda: pg.player_named("alphabeta:9"), known=known
    )
    assert only.sentence == "never loses: 1 game, 1 position."


def test_an_audit_ends_after_its_seconds() -> None:
    """No verdict then, and the positions it came to."""
    start = pg.Position.initial("tictactoe")
    found = audit("tictactoe", start, 0, lambda: pg.player_named("first"), seconds=0.0)
    assert found.verdict == "not refuted" and found.positions == 0
