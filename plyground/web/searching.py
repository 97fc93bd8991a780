"""Operations that search: the workers that run them, and the answers that an exam hides.

Quick and long searches have separate workers, so that a level's reply does not wait for an analysis. A quick search
that takes long gives up its place when another request waits for it, and starts again among the long ones. A level's
reply has a time: where no worker has answered by then, its move is found in the server's process.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, nullcontext, suppress
from dataclasses import replace
from typing import Any, TypeVar, cast

from pydantic import BaseModel

from plyground.errors import BadInput
from plyground.games import AnyGame
from plyground.play.level import ERRING_SECONDS, LEVELS, Level
from plyground.play.notations import tagged_in
from plyground.play.player import Player, Resigned
from plyground.players import player_named
from plyground.position import Position
from plyground.web.games.solved_positions import LOOKED_THROUGH, READ_AT_ONCE, Solved
from plyground.web.games.store import GameStore
from plyground.web.lessons import lesson_models, loader
from plyground.web.limits import (
    LATE_MOVES_AT_ONCE,
    LEVEL_MARGIN_SECONDS,
    LEVEL_REPLY_SECONDS,
    MOST_WAITING_LATE_MOVES,
    PLAYER_TABLE_MIB,
    PLAYER_THREADS,
    QUICK_SECONDS,
)
from plyground.web.services import Services
from plyground.web.turns import Answers, at_full_length, run_with_handover
from plyground.web.views import analysis, models, positions
from plyground.workers.fair_queue import Asker, FairQueue
from plyground.workers.pool import WorkerPool, WorkerStopped
from plyground.workers.pool_worker import Job
from plyground.workers.shares import TooMany

EXAM_NODES = 2_000
"""Nodes of a level's reply in an exam: a tenth of a second as plain Python."""

Args = TypeVar("Args", bound=BaseModel)


async def reply(services: Services, args: models.Reply, asker: Asker) -> Answers:
    """A player's move. If the request has the seat of a saved game, it is made there before it is sent.

    In an exam, players that find the best move are refused, and no search report is sent.
    """
    spec = services.allow_spec(args.player)
    player = player_named(spec)
    # Programs may reply in an exam, as the command line's help says: its user chose them.
    may_go_on = player.is_external or may_reply_in_exam(player, is_own=services.is_named(spec))
    _require_no_exam(services, args, may_go_on=may_go_on)
    with nullcontext() if may_go_on else services.room.until_exam(asker.stop):
        async with aclosing(_replies(services, args, spec, asker)) as answers:
            async for answer in answers:
                _require_no_exam(services, args, may_go_on=may_go_on)
                # A report names the best move, which an exam hides; the move itself is what was
                # asked for.
                told = answer.model_copy(update={"report": None}) if services.room.exam else answer
                assert isinstance(told, models.ReplyView)
                # The move is stored before it is sent, so that no page shows a move that a crash
                # would take back.
                if not (args.id and args.seat and told.move):
                    yield told
                    continue
                move = models.Play(id=args.id, seat=args.seat, ply=len(args.moves) + 1, move=told.move)
                yield told.model_copy(update={"saved": await services.games.play(move)})
                return


def _require_no_exam(services: Services, args: models.Reply, *, may_go_on: bool) -> None:
    """Refuse a player's reply while an exam is on, unless it may go on.

    Raises:
        BadInput: an exam is on, and the player finds the best move.
    """
    if services.room.exam and not may_go_on:
        raise BadInput(
            f"An exam is on in the room: until it ends, {args.player} does not reply, because it shows good moves. "
            "The levels that err most do: level:easy and level:learning."
        )


async def _replies(services: Services, args: models.Reply, spec: str, asker: Asker) -> Answers:
    """Reports of a player's search, then its move."""
    if args.id is not None:
        await services.games.require_asked(args)
    player = player_named(spec)
    # An external player remembers its game, so it lives in this process and not in a worker.
    if player.is_external:
        yield await _ask_external_player(services, args, spec, asker)
        return
    here, last = await services.replays.position(args), None
    positions.require_unfinished(here)
    allowed = args.model_copy(update={"player": limit_resources(spec, player)})
    begun = services.quick if is_quick(player) else services.long
    if isinstance(player, Level):
        is_exam = services.room.exam
        if is_exam:
            allowed = exam_question(services, args, here, player)
        async with aclosing(_level_replies(begun, allowed, player, asker, is_exam=is_exam)) as answers:
            async for answer in answers:
                assert isinstance(answer, models.ReplyView)
                yield exam_answer(here, allowed, answer) if is_exam else answer
        return
    async with aclosing(
        run_with_handover(begun, services.long, Job(positions.reply, allowed, final=positions.best_so_far), asker)
    ) as answers:
        async for last in answers:
            yield last
    if final := last and positions.best_so_far(allowed, last):  # it was stopped while it waited to go on
        yield final


# Late moves have threads, not workers: they are needed just when no worker answers.
_LATE_MOVE_THREADS = ThreadPoolExecutor(LATE_MOVES_AT_ONCE, thread_name_prefix="plyground glance")
"""Where a level's move is found that no worker has found in time; these threads have nothing else to do."""
_LATE_MOVE_QUEUE = FairQueue(LATE_MOVES_AT_ONCE, MOST_WAITING_LATE_MOVES)
"""Their shares among visitors."""


async def _level_replies(
    workers: WorkerPool, args: models.Reply, level: Level, asker: Asker, *, is_exam: bool
) -> Answers:
    """A level's move, in time: of a worker, or, if that is late, has ended, or is not to be had, without one.

    In an exam the move without a worker rests on no report of it, or asking again would tell one more move.
    """
    last, begins = None, asker.stop.begins
    parts = workers.run(Job(positions.reply, args, final=positions.best_so_far), begins, begins, asker.visitor)
    # Three seconds are what people wait for (docs/decisions/28-replies-in-time.md).
    seconds = max(LEVEL_REPLY_SECONDS, (level.move_time or 0.0) + LEVEL_MARGIN_SECONDS)
    with suppress(TimeoutError, TooMany, WorkerStopped):
        async with aclosing(_answers_within(parts, seconds)) as answers:
            async for last in answers:
                yield last
    assert isinstance(last, models.ReplyView | None)
    # A search that failed or gave no move is replaced by a late reply: a level always moves.
    if last is None or last.move is None:
        seen = None if is_exam else last
        async with _LATE_MOVE_QUEUE.place(asker.visitor):
            found = await asyncio.get_running_loop().run_in_executor(
                _LATE_MOVE_THREADS, positions.late_reply, args, seen
            )
        yield found


_stopping_searches = set[asyncio.Task[BaseModel | None]]()
"""Searches that are being stopped, which may take a while."""


async def _answers_within(parts: Answers, seconds: float) -> Answers:
    """Answers of a search for some seconds. Its end is not waited for: a worker that does not stop is ended.

    Raises:
        TimeoutError: it goes on after these seconds.
    """

    async def following() -> BaseModel | None:
        return await anext(parts, None)

    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while True:
        asked = loop.create_task(following())
        try:
            await asyncio.wait({asked}, timeout=end - loop.time())
        finally:
            if not asked.done():
                asked.cancel()
                # asyncio holds tasks by weak references alone: one that is being stopped must be
                # kept somewhere.
                _stopping_searches.add(asked)
                asked.add_done_callback(_retrieve_exception)
        if not asked.done():
            raise TimeoutError
        if (part := asked.result()) is None:
            return
        yield part


def _retrieve_exception(ended: "asyncio.Task[BaseModel | None]") -> None:
    """A search has stopped, and how does not matter."""
    _stopping_searches.discard(ended)
    if not ended.cancelled():
        ended.exception()


def exam_question(services: Services, args: models.Reply, here: Position, level: Level) -> models.Reply:
    """The question to a level in an exam: by a secret seed, the bare board and nodes, so that it has one answer, also
    where the machine is busy.

    Otherwise the move that an erring level plays most often would be the best: by other moves to the same position, by
    other counters, or on the board turned round.
    """
    # The seed is this server's secret: with a known one a page could compute which errors the level
    # makes.
    secret = replace(level, seed=services.seed, time=None, nodes=EXAM_NODES).name
    board = _bare_board(here.game, here.state)
    return args.model_copy(update={"player": secret, "start": here.game.text(board), "moves": []})


def exam_answer(here: Position, asked: models.Reply, answer: models.ReplyView) -> models.ReplyView:
    """The answer to `exam_question` as a move in the position as it stands, without its report."""
    if answer.move is None:
        return models.ReplyView(move=None, report=None)
    game, there = here.game, positions.position_at(asked)
    wanted = _representative(game, there.after(there.legal(answer.move)).state)
    # On a board that was turned round the move is another one here; it is known by where it leads.
    move = next(each for each in here.legal_moves if _representative(game, here.after(each).state) == wanted)
    return models.ReplyView(move=game.move_text(here.state, move), report=None)


def _bare_board(game: AnyGame, state: Any) -> Any:
    """A state without counters, and turned to its representative where each move from that has its like from here."""
    turned, bare = _representative(game, state), game.repetition_key(state)
    likes = ({_representative(game, game.play(each, move)) for move in game.moves(each)} for each in (bare, turned))
    # Rules may look symmetric and not be so, as where a state has a counter: a board is turned only
    # where the moves from both lead to the same boards.
    return turned if next(likes) == next(likes) else bare


def _representative(game: AnyGame, state: Any) -> Any:
    """The representative of all states that differ by counters and symmetry."""
    return game.canonical(game.repetition_key(state))


def may_reply_in_exam(player: Player, *, is_own: bool = False) -> bool:
    """Whether a player may reply in an exam: a named level that errs as often as `level:easy`, or no search at all.

    There are many levels without a name, and the move that most of them play would be the best.

    Args:
        player: the player.
        is_own: whether it is in a file named on the command line; a search in such a file may not reply.
    """
    if isinstance(player, Level):
        # Levels are compared by error rate, not by name: a spec may write the same level in other words.
        errors = [level.error for level in LEVELS.values() if level.error >= LEVELS["easy"].error]
        return player.error in errors and (player.time is None or player.time <= ERRING_SECONDS)
    return not player.searches and (is_own or not player.is_user_code)


def granted_options() -> dict[str, int]:
    """Options of players that take processors and memory, and how much of each a player may have."""
    return {"threads": PLAYER_THREADS, "table": PLAYER_TABLE_MIB, "tree": PLAYER_TABLE_MIB}


def limit_resources(spec: str, player: Player) -> str:
    """The spec of a player that takes no more threads and memory than one search may have: a smaller table than usual
    where the usual one is too large.

    Raises:
        BadInput: its spec asks for more.
    """
    for option, most in granted_options().items():
        wanted = player.resources.get(option, 0)
        if wanted > most and f"{option}=" in spec:
            raise BadInput(f"{option}={wanted}: a player of this server has {most:,} at most.")
        if wanted > most:
            # The table is made smaller only where the usual size is too large for this machine.
            spec += f"{',' if ':' in spec else ':'}{option}={most}"
    return spec


def is_quick(player: Player) -> bool:
    """Whether a player is not known to take longer than `QUICK_SECONDS` seconds for a move."""
    # A player of unknown time counts as quick: nearly all are, and one that is not is moved to the
    # long ones after a turn.
    return player.move_time is None or player.move_time <= QUICK_SECONDS


async def _ask_external_player(services: Services, args: models.Reply, spec: str, asker: Asker) -> BaseModel:
    """The move of a program or peer. It cannot be stopped; after a stop, the same request gets the answer."""
    here = await services.replays.position(args)
    positions.require_unfinished(here)
    # A seat's player is kept between moves; without a saved game one is started for this move
    # alone.
    seat = None if args.id is None else (args.id, here.to_move)
    asked = asyncio.ensure_future(services.external_players.reply(args.player, spec, here, seat, asker.visitor))
    asker.stop.begins(lambda: cast(None, asked.cancel()))
    try:
        move = await asked
    except Resigned:
        if args.id is None:
            raise BadInput(f"{args.player} resigns.") from None
        await services.games.resign_for_player(args.id)
        return models.ReplyView(move=None, report=None)
    except asyncio.CancelledError:
        if asker.stop.asked:
            # The program goes on; the same question gets its answer later.
            raise BadInput(f"{args.player} still thinks, and cannot be stopped: it has made no move.") from None
        raise
    finally:
        asked.cancel()
    return models.ReplyView(move=here.game.move_text(here.state, move), report=None)


async def study(services: Services, args: models.At, asker: Asker) -> Answers:
    """The value of every move, till all is certain."""
    here = await services.replays.position(args)
    job = Job(positions.study, args, endless=True)
    async with aclosing(_reports(services, here, job, asker)) as reports:
        async for report in reports:
            yield report


async def analyse(services: Services, args: models.Analyse, asker: Asker) -> Answers:
    """The value of every move."""
    here = await services.replays.position(args)
    job = Job(positions.analyse, args)
    async with aclosing(_reports(services, here, job, asker, is_known=args.depth is None)) as reports:
        async for report in reports:
            yield report


async def _reports(services: Services, here: Position, job: Job, asker: Asker, *, is_known: bool = True) -> Answers:
    """Reports of an analysis: the stored one, if it may be used; otherwise those of a search, stored once certain.

    While other long searches run, the first look is a quick search, so that the first report comes soon.
    """
    # A stored report does not serve where a depth was asked for: it is of another depth.
    if is_known and (found := await _solved_before(services, here)):
        yield found
        return
    reports = (
        at_full_length(services.long, job, asker, has_answer=False)
        # An idle machine needs no first look: the long workers begin at once.
        if services.long.is_idle
        else run_with_handover(services.quick, services.long, job, asker, looks=True)
    )
    deepest = 0
    async with aclosing(reports):
        async for report in reports:
            assert isinstance(report, models.ReportView)
            if report.certain or report.depth >= deepest:  # begun again, it finds anew what has been told already
                deepest = report.depth
                yield report
                await _store_certain(services, here, report)


async def _solved_before(services: Services, here: Position) -> models.ReportView | None:
    """The certain report of an earlier analysis of a position; None if there is none."""
    return await services.games.beside(lambda store: Solved(store).find(here))


async def _store_certain(services: Services, here: Position, report: models.ReportView) -> None:
    """Store the report of an analysis, if it is certain, for later requests."""
    if report.certain and not report.source:
        await services.games.store_beside(lambda store: Solved(store).keep(here, report))


async def review(services: Services, args: models.Review, asker: Asker) -> Answers:
    """The grade of every move of a game."""
    end = await services.replays.position(args)
    known = await services.games.beside(lambda store: Solved(store).of_game(end))
    job = Job(positions.review, positions.Reviewed(**args.model_dump(), known=known))
    async with aclosing(at_full_length(services.long, job, asker, has_answer=False)) as parts:
        async for part in parts:
            yield part


async def judge_exercise(services: Services, args: analysis.Judge, asker: Asker) -> Answers:
    """Whether a move is right."""
    here = await services.replays.position(args)
    positions.require_unfinished(here)
    meant = here.game.move_text(here.state, here.legal(args.move))
    told = False
    # The analysis runs twice from the beginning: the first answer is there soon, the second may be a proof.
    for seconds in (args.opinion, args.seconds):
        asked = models.Analyse(game=args.game, start=args.start, moves=args.moves, seconds=seconds)
        async with aclosing(analyse(services, asked, asker)) as reports:
            report = [each async for each in reports][-1]
        assert isinstance(report, models.ReportView)
        if meant not in report.moves:
            continue
        judged, told = analysis.judge(here, report, args.move), True
        yield judged
        if judged.certain or asker.stop.asked:
            return
    if not told:
        raise BadInput(analysis.JUDGE_WORDS.no_time.format(move=meant))


async def explore(services: Services, args: models.At, asker: Asker) -> BaseModel:
    """Values of every move that are known without a search."""
    here = await services.replays.position(args)

    def ask(store: GameStore) -> BaseModel:
        scores, source = Solved(store).scores(here)
        counts, games = services.played.counts(args.game, here)
        return analysis.explorer_view(here, [*scores.items()], counts, games, source)

    # Games are read in small parts, each a turn in the database's thread: moves are written in between.
    for _ in range(LOOKED_THROUGH // READ_AT_ONCE):
        if not await services.games.beside(lambda store: services.played.read(store, args.game)):
            break
    return await services.games.beside(ask)


def replayed_operation(answer: Callable[[Args], BaseModel]) -> Callable[[Services, Args, Asker], Awaitable[BaseModel]]:
    """An operation on a position that takes no time once its moves are played."""

    async def run(services: Services, args: Args, asker: Asker) -> BaseModel:
        assert isinstance(args, models.At)
        await services.replays.position(args)
        return answer(args)

    return run


def worker_operation(answer: Callable[[Args], BaseModel]) -> Callable[[Services, Args, Asker], Awaitable[BaseModel]]:
    """An operation that reads or writes a text, however short: a thousand characters may take a second."""

    async def run(services: Services, args: Args, asker: Asker) -> BaseModel:
        # A pasted game may name another game than the page did; its code must be allowed, too.
        if isinstance(args, models.Edit) and (named := tagged_in(args.text)) is not None:
            services.require_named(models.Named(game=named))
        return await services.in_worker(answer, args)

    return run


def long_operation(search: Callable[[Args], Iterator[BaseModel]]) -> Callable[[Services, Args, Asker], Answers]:
    """An operation that takes long: a search that yields better and better answers."""

    async def run(services: Services, args: Args, asker: Asker) -> Answers:
        if isinstance(args, models.At) and positions.is_cheap_to_replay(args):
            positions.position_at(args)
        async with aclosing(at_full_length(services.long, Job(search, args), asker, has_answer=False)) as parts:
            async for part in parts:
                yield part

    return run


def microscope_operation(
    search: Callable[[Args], Iterator[BaseModel]],
) -> Callable[[Services, Args, Asker], Awaitable[BaseModel]]:
    """An operation of the microscope: a search that yields its answer.

    A position at hand is checked here first, so that errors are reported without waiting.
    """

    async def run(services: Services, args: Args, asker: Asker) -> BaseModel:
        if isinstance(args, models.At) and positions.is_cheap_to_replay(args):
            positions.position_at(args)
        async with aclosing(run_with_handover(services.microscope, services.long, Job(search, args), asker)) as answers:
            return [answer async for answer in answers].pop()

    return run


def lesson_run(services: Services, args: lesson_models.LessonRun, asker: Asker) -> Answers:
    """Output of a lesson's example."""
    lesson = loader.lesson(args.lesson)
    if args.files:
        services.require_code()
    changed = {name: text for name, text in args.files.items() if name in lesson.files}
    turn = services.turn_of(asker.visitor)
    return services.lesson_runner.run(
        lesson.example(args.number), lesson.files | changed, asker, turn, by_reader=bool(changed)
    )


def lesson_code(services: Services, args: lesson_models.LessonCode, asker: Asker) -> Answers:
    """The grade of a reader's file, or the tree of its search."""
    services.require_code()
    lesson = loader.lesson(args.lesson)
    files, turn = lesson.files | {args.file: args.code}, services.turn_of(asker.visitor)
    return services.lesson_runner.run(lesson.graded_by(args), files, asker, turn, by_reader=True)
