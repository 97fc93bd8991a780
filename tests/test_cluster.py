"""Tasks on many processes: each has one result, whatever dies on the way; nothing is left running."""

import itertools
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from distributed import Client, Security
from processes import started
from waiting import LIMIT, until

import plyground as pg
from plyground.errors import BadInput
from plyground.exact.tables.folder import Progress
from plyground.games import game_named
from plyground.learning.rounds import Learner
from plyground.mapper import UnableHere, report
from plyground.terminal.arguments import warn_unless_encrypted
from plyground.workers import mapping, scheduler
from plyground.workers.cluster import Cluster
from plyground.workers.mapping import WorkerDied

pytestmark = pytest.mark.cluster


def squared(number: int) -> int:
    """Some work."""
    return number * number


def who(number: int) -> tuple[int, int]:
    """Who did it, a little later."""
    time.sleep(0.02)
    return number, os.getpid()


def told(number: int) -> int:
    """Work that says how it goes on."""
    report(f"at {number}")
    return number


def fails(number: int) -> int:
    """Work that fails once."""
    if number == 3:
        raise BadInput("Three cannot be done.")
    return number


def dies(number: int) -> int:
    """Work that ends its process once in a while."""
    if number == 3:
        os._exit(9)
    return number


def talks(number: int) -> tuple[str, str]:
    """Work that prints, reads and lets a program print, and has a long answer."""
    print("some words", flush=True)
    subprocess.run([sys.executable, "-c", "print('more', flush=True); input()"], check=False)
    return sys.stdin.read(), "x" * 300_000


def naps(seconds: int) -> None:
    """Work that takes about `seconds`."""
    for _ in range(100 * seconds):
        time.sleep(0.01)


def picky(number: int) -> int:
    """Work that only some workers can do."""
    if number % 2 and not os.environ.get("HAS_SWIPL"):
        raise UnableHere("swipl is not there")
    return os.getpid()


@pytest.fixture(scope="module")
def local() -> Iterator[Cluster]:
    """Two processes of this machine."""
    with Cluster(jobs=2) as cluster:
        yield cluster


def workers_of(pid: int) -> list[psutil.Process]:
    """The worker processes that a process has begun."""
    found = psutil.Process(pid).children(recursive=True)
    return [each for each in found if "plyground.workers.process_worker" in " ".join(each.cmdline())]


# -- in this process ---------------------------------------------------------------------------------------------------


def test_one_job_is_done_here() -> None:
    """Results come in turn, tasks are asked for one by one, and no process is started."""
    code = """
import psutil
from plyground.workers.cluster import Cluster
from plyground.workers.mapping import WorkerDied
asked = []
def tasks():
    for number in range(4):
        asked.append(number)
        yield number
with Cluster(jobs=1) as cluster:
    for task, result in cluster.map(lambda number: number * number, tasks()):
        assert (result, len(asked)) == (task * task, task + 1)
    assert not psutil.Process().children()
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_here_and_there_reports_none_and_unable_mean_the_same(local: Cluster) -> None:
    """What is told while work goes on, tasks that are not ready, what cannot be done, and faults."""
    for cluster in (Cluster(jobs=1), local):
        heard: list[str] = []
        assert sorted(cluster.map(told, range(5), on_report=heard.append)) == [(each, each) for each in range(5)]
        assert sorted(heard) == [f"at {each}" for each in range(5)]
        with pytest.raises(BadInput, match=r"^Three cannot be done\.$"):
            list(cluster.map(fails, range(5)))
        with pytest.raises(BadInput, match=r"^swipl is not there\.$"):
            list(cluster.map(picky, [1]))
        assert list(cluster.map(picky, [1, 3], unable=lambda task, why: -task)) in (
            [(1, -1), (3, -3)],
            [(3, -3), (1, -1)],
        )


def test_what_comes_next_may_depend_on_results(local: Cluster) -> None:
    """None means not yet: a second round begins once the first is over, with its sum."""
    for cluster in (Cluster(jobs=1), local):
        results: list[int] = []

        def rounds(results: list[int] = results) -> Iterator[int | None]:
            yield from range(10)
            while len(results) < 10:
                yield None
            yield sum(results)

        for _, result in cluster.map(squared, rounds()):
            results.append(result)
        assert results[-1] == 285**2


# -- processes of this machine -----------------------------------------------------------------------------------------


def test_tasks_are_asked_for_late(local: Cluster) -> None:
    """However many there are: no more than a few batches are under way."""
    asked = 0

    def endless() -> Iterator[int]:
        nonlocal asked
        while True:
            asked += 1
            yield asked

    results = local.map(who, endless())
    for _ in range(50):
        next(results)
    results.close()  # type: ignore[attr-defined]
    assert asked < 50 + 4 * 2 * mapping.BATCHES_AHEAD * mapping.BATCH_TARGET_SECONDS / 0.02


def batches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Sizes of the batches of tasks that are sent from now on, filled while they are."""
    sent: list[int] = []
    send = mapping.Mapping._send

    def counted(self: Any, items: Any, within: Any) -> None:
        sent.append(len(items))
        send(self, items, within)

    monkeypatch.setattr(mapping.Mapping, "_send", counted)
    return sent


def test_tasks_that_others_wait_for_travel_alone(local: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """However short they are."""
    sent = batches(monkeypatch)
    assert len([*local.map(squared, range(200), alone=True)]) == 200
    assert sent == [1] * 200


def test_short_tasks_travel_together(local: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten thousand squares take a few dozen messages."""
    sent = batches(monkeypatch)
    assert dict(local.map(squared, range(10_000))) == {each: each * each for each in range(10_000)}
    assert sum(sent) == 10_000 and len(sent) < 100


def test_a_worker_that_is_killed_costs_nothing(local: Cluster) -> None:
    """Two kill -9 on the way: every task has its result, none has two, and others work in their place."""
    results, killed, later = list[int](), set[int](), set[int]()

    def until_two_work_again() -> Iterator[int]:
        for number in itertools.count():
            if number >= 300 and len(later) >= 2:
                return
            yield number

    for place, (task, (number, pid)) in enumerate(local.map(who, until_two_work_again())):
        assert task == number
        results.append(task)
        if place in (40, 120):
            psutil.Process(pid).kill()
            killed.add(pid)
        elif place > 200 and pid not in killed:
            later.add(pid)
    assert sorted(results) == list(range(len(results)))
    assert len(later) == len(local.workers()) == 2


def test_processes_are_started_while_tasks_wait() -> None:
    """Three short tasks have one, one that takes longer has company, and no task has none; Dask is not needed."""
    code = """
import sys, time
import psutil
from plyground.workers.cluster import Cluster
from plyground.workers.mapping import WorkerDied
me = psutil.Process()
with Cluster(jobs=3) as cluster:
    assert not list(cluster.map(len, [])) and not me.children()
    assert len(list(cluster.map(abs, range(3)))) == 3 and len(me.children()) == 1
    assert len(list(cluster.map(time.sleep, [2, 2, 2, 2]))) == 4 and len(me.children()) == 3
assert not me.children()
assert "distributed" not in sys.modules and "dask" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_work_of_a_script_may_use_the_package() -> None:
    """Its functions are pickled with what they use; the script is not run again, though it has no guard."""
    code = """
import plyground as pg
from plyground import search
from plyground.workers.cluster import Cluster
def work(moves):
    return search(pg.Position.parse(pg.MNK(), moves), "minimax").score.text()
print("once")
with Cluster(jobs=2) as cluster:
    print(*(result for _, result in cluster.map(work, ["a1 b1 a2 b2"])))
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, encoding="utf-8")
    assert re.fullmatch(r"once\n.*\bwin.*\n", done.stdout)


def test_what_tasks_print_disturbs_no_answer(local: Cluster, capfd: pytest.CaptureFixture[str]) -> None:
    """Nor what they read, or their programs; and long answers come whole."""
    assert dict(local.map(talks, range(5))) == dict.fromkeys(range(5), ("", "x" * 300000))
    assert capfd.readouterr() == ("", "")


def test_a_mapping_that_is_left_stops_its_tasks(local: Cluster) -> None:
    """The processes have the next tasks at once, though the last ones would have taken an hour."""
    results = local.map(naps, [0, 3600, 3600])
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert sorted(local.map(squared, range(3))) == [(0, 0), (1, 1), (2, 4)]


@pytest.mark.only_on("linux", "darwin")
def test_processes_that_cannot_start_are_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After some tries, with the last of what they said."""
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho one >&2; echo it is broken >&2; exit 1\n", encoding="utf-8")
    python.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(python))
    with (
        Cluster(jobs=2) as cluster,
        pytest.raises(BadInput, match=r"^Worker processes end as soon as they begin: it is broken\.$"),
    ):
        list(cluster.map(squared, range(3)))


def test_a_task_that_kills_its_workers_is_named(local: Cluster) -> None:
    """The others are done; it is tried some times, and then told, or made a result of."""
    done: list[int] = []
    with pytest.raises(WorkerDied, match=r"has died, 2 times over: 3\."):
        for task, _ in local.map(dies, range(6)):
            done.append(task)
    assert 3 not in done
    assert dict(local.map(dies, range(6), unable=lambda task, why: -1)) == {0: 0, 1: 1, 2: 2, 3: -1, 4: 4, 5: 5}


def test_work_is_kept_between_tasks(local: Cluster) -> None:
    """What an instance remembers in a process, it has there for the next task."""
    found = [result for _, result in local.map(Remembering(), range(40))]
    assert len({pid for pid, _ in found}) <= 2
    assert max(count for _, count in found) >= 20


class Remembering:
    """Work that counts how often this process did it."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, number: int) -> tuple[int, int]:
        """Once more."""
        self.count += 1
        return os.getpid(), self.count


HOST = """
import subprocess, sys, time
from plyground.workers.cluster import Cluster
from plyground.workers.mapping import WorkerDied
file = sys.argv[1]
def work(number):
    program = subprocess.Popen(["sleep", "600"])
    with open(file, "a") as said:
        said.write(f"{program.pid}\\n")
    time.sleep(600)
with Cluster(jobs=2) as cluster:
    try:
        for _ in cluster.map(work, range(8)):
            pass
    except KeyboardInterrupt:
        print("stopped")
"""


@pytest.mark.only_on("linux", "darwin")
@pytest.mark.parametrize("how", ["ctrl-c", "kill -9"])
def test_nothing_is_left_when_the_host_ends(tmp_path: Path, how: str) -> None:
    """However it ends, its workers and what they have started end as well, and nobody says a word."""
    file = tmp_path / "pids"
    command = [sys.executable, "-c", HOST, str(file)]
    with started(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as host:
        until(lambda: host.poll() is not None or (file.exists() and len(file.read_text().split()) == 2))
        below = workers_of(host.pid)
        programs = [psutil.Process(int(pid)) for pid in file.read_text().split()]
        assert len(below) == 2
        host.send_signal(signal.SIGINT if how == "ctrl-c" else signal.SIGKILL)
        out, err = host.communicate(timeout=LIMIT)
    assert (out, err) == (("stopped\n", "") if how == "ctrl-c" else ("", ""))
    until(lambda: not any(gone(each) for each in [*below, *programs]))


def gone(process: psutil.Process) -> bool:
    """Whether a process still runs."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


# -- anybody's cluster -------------------------------------------------------------------------------------------------


class Elsewheres:
    """A scheduler and workers as people start them, by their commands; by TLS with a folder of configuration."""

    def __init__(self, folder: Path, config: Path | None = None) -> None:
        self._folder = folder
        self._config = {"DASK_CONFIG": str(config)} if config else {}
        self.processes: list[subprocess.Popen[bytes]] = []
        file, protocol = folder / "scheduler.json", "tls" if config else "tcp"
        options = ("--host", f"{protocol}://127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
        self.scheduler = self._started("scheduler", *options)
        until(lambda: file.exists() and "://" in file.read_text())
        self.address = next(word for word in file.read_text().split('"') if word.startswith(f"{protocol}://"))

    def worker(self, **env: str) -> subprocess.Popen[bytes]:
        """One more."""
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(self._folder))
        return self._started("worker", self.address, *options, **env)

    def await_workers(self, number: int) -> None:
        """Until so many are there: they take seconds to start."""
        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(number)

    def _started(self, *words: str, **env: str) -> subprocess.Popen[bytes]:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        path = {"PYTHONPATH": str(Path(__file__).parent), "PYTHONWARNINGS": "ignore"}
        command = [sys.executable, "-m", "dask", *words]
        process = subprocess.Popen(command, env=os.environ | self._config | path | env, **quiet)  # type: ignore[call-overload]
        self.processes.append(process)
        assert isinstance(process, subprocess.Popen)
        return process

    def close(self) -> None:
        """End all."""
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture
def abroad(tmp_path: Path) -> Iterator[Elsewheres]:
    """A scheduler without workers."""
    there = Elsewheres(tmp_path)
    yield there
    there.close()


def test_a_cluster_by_its_address(abroad: Elsewheres) -> None:
    """Tasks run where they can; a killed worker costs nothing, one that comes later helps; a lost scheduler is told."""
    with (
        pytest.raises(BadInput, match=r"has no workers: start one with dask worker tcp://"),
        Cluster(scheduler=abroad.address),
    ):
        pass
    plain, able = abroad.worker(), abroad.worker(HAS_SWIPL="1")
    abroad.await_workers(2)
    with Cluster(scheduler=abroad.address) as cluster:
        assert len(cluster.workers()) == 2
        found = dict(cluster.map(picky, range(20), needs=lambda number: number % 2))
        assert {found[each] for each in range(1, 20, 2)} == {able.pid}
        results: list[int] = []
        for place, (task, _) in enumerate(cluster.map(who, range(200))):
            results.append(task)
            if place == 30:
                plain.kill()
                abroad.worker()
        assert sorted(results) == list(range(200))
        abroad.scheduler.kill()
        with pytest.raises(
            BadInput, match=rf"^The scheduler at {abroad.address} is gone: what was done until then is kept\.$"
        ):
            list(cluster.map(who, range(200)))


def test_a_game_is_learned_on_a_cluster(abroad: Elsewheres) -> None:
    """The weights are those of one process, to the last bit, also if a worker comes while they are learned."""
    game = game_named("mnk:3,3,3")
    here, there = (Learner(game, "mnk:3,3,3", seed=5, first_plies=20) for _ in range(2))
    abroad.worker()
    abroad.await_workers(1)
    with Cluster(1) as alone, Cluster(scheduler=abroad.address) as cluster:
        for _ in range(2):
            here.round(alone)
            there.round(cluster)
            abroad.worker()
    assert here.games == there.games > 0
    assert here.learned_weights().weights == there.learned_weights().weights


def test_a_tablebase_is_made_on_a_cluster(abroad: Elsewheres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Losing a worker changes nothing; after losing the scheduler the table is finished alone, with the same bytes."""
    monkeypatch.setattr("plyground.exact.tabulating.making.MOST_SHARD_STATES", 100)
    monkeypatch.setattr("plyground.exact.tabulating.making.MAKING_REPORT_SECONDS", 0.0)
    spec, lost = "threemorris", list[str]()

    def lose(progress: Progress) -> None:
        if progress.stage == "valuing" and not lost:
            workers[0].kill()
            lost.append("a worker")
        elif progress.stage == "valuing" and len(lost) == 1 and progress.states:
            abroad.scheduler.kill()
            lost.append("the scheduler")

    workers = [abroad.worker() for _ in range(2)]
    abroad.await_workers(2)
    with (
        Cluster(scheduler=abroad.address) as cluster,
        pytest.raises(BadInput, match="is gone: what was done until then"),
    ):
        pg.tablebase(spec, tmp_path / "lost", told=lose, cluster=cluster)
    tables = [pg.tablebase(spec, tmp_path / name) for name in ("lost", "alone")]
    files = [{file.name: file.read_bytes() for file in table.path.glob("*.parquet")} for table in tables]
    assert files[0] == files[1] and lost == ["a worker", "the scheduler"]


def test_another_version_at_a_worker_is_a_sentence(abroad: Elsewheres, monkeypatch: pytest.MonkeyPatch) -> None:
    """It could play by other rules. Faults of tasks are those that they are in any process."""
    abroad.worker()
    abroad.await_workers(1)
    with Cluster(scheduler=abroad.address) as cluster:
        heard: list[str] = []
        assert dict(cluster.map(told, range(5), on_report=heard.append)) == {each: each for each in range(5)}
        with pytest.raises(BadInput, match=r"^Three cannot be done\.$"):
            list(cluster.map(fails, range(5)))
        monkeypatch.setattr(scheduler, "required_versions", lambda: ("9.9.9", "3.99"))
        with pytest.raises(
            BadInput, match=r"The worker at tcp\S+ has plyground \S+ on Python 3\.\d+, and here it is 9\.9\.9"
        ):
            list(cluster.map(squared, range(3)))


def test_a_cluster_by_tls(tmp_path: Path) -> None:
    """Set up as docs/arena.md has it: who has the certificate uses it, unwarned; who has another or none is told so."""
    document = (Path(__file__).resolve().parent.parent / "docs" / "arena.md").read_text(encoding="utf-8")
    configuration = document.partition("```yaml\n")[2].partition("```")[0]
    ours, other, none = folders = [tmp_path / name for name in ("ours", "other", "none")]
    for folder in folders:
        folder.mkdir()
    for folder in (ours, other):
        made = Security.temporary()
        (folder / "cluster.pem").write_text(made.tls_client_key + made.tls_client_cert, encoding="utf-8")
        (folder / "tls.yaml").write_text(configuration.replace("/home/me", folder.as_posix()), encoding="utf-8")
    there = Elsewheres(tmp_path, ours)
    try:
        there.worker()
        pem = str(ours / "cluster.pem")
        with Client(
            there.address, security=Security(tls_ca_file=pem, tls_client_cert=pem), set_as_default=False
        ) as each:
            each.wait_for_workers(1)
        expected = {ours: (0, ""), other: (2, "No scheduler answers at tls://"), none: (2, "configuration names none")}
        for folder, (code, told) in expected.items():
            command = [sys.executable, "-m", "plyground", "verify", "--only", "tictactoe", "--scheduler", there.address]
            env = os.environ | {"DASK_CONFIG": str(folder), "PLYGROUND_PLAIN": "1"}
            done = subprocess.run(command, env=env, capture_output=True, encoding="utf-8", timeout=LIMIT)
            assert done.returncode == code and told in done.stderr, done.stderr
            assert "Without TLS" not in done.stderr
    finally:
        there.close()


def test_a_scheduler_without_tls_is_warned_of(capsys: pytest.CaptureFixture[str]) -> None:
    """In one sentence; the address stays as it is."""
    assert [warn_unless_encrypted(each) for each in ("", "tls://lab:8786")] == ["", "tls://lab:8786"]
    assert capsys.readouterr().err == ""
    assert warn_unless_encrypted("tcp://lab:8786") == "tcp://lab:8786"
    assert re.fullmatch(r"plyground: Without TLS, everyone who reaches tcp://lab:8786 .*\.\n", capsys.readouterr().err)


def test_a_task_that_nobody_waits_for_ends(abroad: Elsewheres, tmp_path: Path) -> None:
    """Whoever leaves, also by kill -9, leaves no work of hours behind on somebody's cluster."""
    abroad.worker()
    abroad.await_workers(1)
    said, code = (
        tmp_path / "said",
        (
            "import sys, time\nfrom plyground.workers.cluster import Cluster\n"
            "def work(number):\n"
            "    open(sys.argv[2], 'w').write('begun')\n"
            "    try:\n        [time.sleep(0.05) for _ in range(12000)]\n"
            "    finally:\n        open(sys.argv[2], 'w').write('ended')\n"
            "with Cluster(scheduler=sys.argv[1]) as cluster:\n    list(cluster.map(work, [1]))\n"
        ),
    )
    code = code.replace("sys.argv[2]", repr(str(said)))
    with started([sys.executable, "-c", code, abroad.address]):
        until(lambda: said.exists() and said.read_text() == "begun")
    until(lambda: said.read_text() == "ended")


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense", "tcp://nobody.invalid:8786"])
def test_a_scheduler_that_does_not_answer_is_a_sentence(address: str) -> None:
    """Before any work."""
    with (
        pytest.raises(BadInput, match=f"^No scheduler answers at {address}: start one with dask scheduler"),
        Cluster(scheduler=address),
    ):
        pass


def test_fewer_jobs_than_none() -> None:
    """It says what the number means."""
    with pytest.raises(BadInput, match="jobs=-1: at least 1, or 0, which means one for each processor"):
        Cluster(jobs=-1)
