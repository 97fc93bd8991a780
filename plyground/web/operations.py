"""The operations by name: each takes checked arguments and gives one answer, or a stream.

`server/app.py` serves them over HTTP, `server/socket.py` over a WebSocket; a published page answers some by itself.
"""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

from pydantic import BaseModel

from plyground.errors import BadInput
from plyground.search.table import PLAYING
from plyground.web import searching
from plyground.web.arenas import arena_models
from plyground.web.classroom import classroom_models
from plyground.web.lessons import lesson_models, loader
from plyground.web.limits import ALIVE_SECONDS
from plyground.web.operation import Operation
from plyground.web.searching import long_operation, microscope_operation, replayed_operation, worker_operation
from plyground.web.services import Services
from plyground.web.views import analysis, arranging, learning, menu_models, models, positions, records, tables, trees
from plyground.web.views.qr import qr
from plyground.workers.fair_queue import Asker
from plyground.workers.pool import JOB_SECONDS


async def _alive(services: Services, args: models.Nothing, asker: Asker) -> AsyncGenerator[BaseModel, None]:
    while True:
        yield models.DoneView()
        await asyncio.sleep(ALIVE_SECONDS)


def _menu(services: Services, args: models.Nothing, asker: Asker) -> BaseModel:
    found = positions.menu(tuple(services.programs), tuple(services.user_files.views.values()))
    near = menu_models.NearView(
        operations=[each.view for each in _EVERY if each.nearby],
        players=[name for name in positions.page_players() if name not in services.programs],
        # The page must not answer these itself: how much of them one gets is the server's to say.
        withheld=list(searching.granted_options()),
        table=PLAYING,
        seconds=JOB_SECONDS,
    )
    return found.model_copy(update={"addresses": services.addresses(), "room": services.room.is_open, "near": near})


async def _module(services: Services, args: models.Named, asker: Asker) -> BaseModel:
    return models.ModuleView(path=f"/modules/{(await services.modules.module(args.game)).name}.wasm")


async def _create(services: Services, args: models.Create, asker: Asker) -> BaseModel:
    # Players are checked when the game is made: later they run without being named again.
    for seat in (args.x, args.o):
        if seat != "human":
            services.allow_spec(seat)
    # The game is counted before it is stored, and only if its players are allowed.
    services.count_game(asker.visitor)
    return await services.games.create(args)


async def _offer_to_other_side(services: Services, args: models.Offer, asker: Asker) -> BaseModel:
    if services.room.exam and args.what == "help":
        raise BadInput("An exam is on in the room: until it ends, no engine helps.")
    return await services.games.offer(args, lambda: services.count_game(asker.visitor))


# A flag left out is the safe answer: not in an exam, not in a published page.
_EVERY: list[Operation[Any]] = [
    Operation(
        "menu",
        _menu,
        models.Nothing,
        menu_models.MenuView,
        "The games and players there are",
        in_exam=True,
        published=True,
    ),
    Operation(
        "board",
        lambda services, args, asker: positions.board(args),
        models.Named,
        models.BoardView,
        "A game's board, which does not change",
        in_exam=True,
        published=True,
    ),
    Operation(
        "position",
        replayed_operation(positions.position),
        models.At,
        models.PositionView,
        "A position to draw",
        in_exam=True,
        published=True,
        nearby=True,
        swift=True,
    ),
    Operation(
        "edit",
        worker_operation(positions.edit),
        models.Edit,
        models.PositionView,
        "The position or game that a text means",
        in_exam=True,
        published=True,
    ),
    Operation(
        "why_not",
        replayed_operation(analysis.why_not),
        analysis.WhyNot,
        analysis.WhyNotView,
        "Why a move is not legal",
        in_exam=True,
        published=True,
    ),
    Operation(
        "record",
        worker_operation(records.read),
        records.ReadRecord,
        records.RecordsView,
        "A whole game of a text, with its variations and comments",
        in_exam=True,
    ),
    Operation(
        "record_file",
        worker_operation(records.write),
        records.RecordText,
        analysis.FormView,
        "A game with its variations and comments as a file",
        in_exam=True,
    ),
    Operation(
        "arrange",
        worker_operation(arranging.arrange),
        arranging.Arrange,
        arranging.ArrangedView,
        "A position that is set up by hand, as text",
        in_exam=True,
    ),
    Operation(
        "reply",
        searching.reply,
        models.Reply,
        models.ReplyView,
        "A player's move",
        stream=True,
        in_exam=True,
        published=True,
        nearby=True,
        acts=True,
    ),
    Operation(
        "analyse",
        searching.analyse,
        models.Analyse,
        models.ReportView,
        "The value of every move",
        stream=True,
        published=True,
    ),
    Operation(
        "review",
        searching.review,
        models.Review,
        models.ReviewView,
        "The grade of every move",
        stream=True,
        published=True,
    ),
    Operation(
        "judge",
        searching.judge_exercise,
        analysis.Judge,
        analysis.JudgeView,
        "Whether a move is right: an exercise",
        stream=True,
        published=True,
    ),
    Operation(
        "explore",
        searching.explore,
        models.At,
        analysis.ExplorerView,
        "What each move is worth, and who played it",
        published=True,
    ),
    Operation(
        "notations",
        worker_operation(analysis.notations),
        models.At,
        analysis.FormsView,
        "A game in other notations",
        in_exam=True,
        published=True,
    ),
    Operation(
        "tree", microscope_operation(trees.tree), trees.Recorded, trees.TreeView, "A search, recorded", published=True
    ),
    Operation(
        "node",
        microscope_operation(trees.node),
        trees.Node,
        trees.NodeView,
        "Reasons for the value of a node",
        published=True,
    ),
    Operation(
        "boards",
        microscope_operation(trees.boards),
        trees.Boards,
        trees.BoardsView,
        "The positions of some nodes",
        published=True,
    ),
    Operation(
        "saved",
        microscope_operation(trees.savings),
        trees.Node,
        trees.SavedView,
        "How many nodes a cut saved",
        published=True,
    ),
    Operation(
        "tree_file", microscope_operation(trees.tree_file), trees.File, trees.FileView, "A recorded search as a file"
    ),
    Operation(
        "race",
        long_operation(trees.race),
        trees.Race,
        trees.RaceView,
        "Algorithms side by side",
        stream=True,
        published=True,
    ),
    Operation(
        "quiz", microscope_operation(trees.quiz), trees.Quiz, trees.QuizView, "Questions about searches", published=True
    ),
    Operation(
        "mark",
        microscope_operation(trees.mark),
        trees.Mark,
        trees.MarkView,
        "Whether an answer is right, and why",
        published=True,
    ),
    Operation(
        "tables", microscope_operation(tables.tables), models.Nothing, tables.TablesView, "The tablebases there are"
    ),
    Operation(
        "table",
        microscope_operation(tables.table),
        tables.TableName,
        tables.TableView,
        "Outcomes by tier, longest wins and only moves of a game's tablebase",
    ),
    Operation(
        "learn",
        lambda services, args, asker: services.selfplay.start(args),
        models.Named,
        learning.LearningView,
        "Learn a game from self-play, or go on",
        acts=True,
    ),
    Operation(
        "learn_stop",
        lambda services, args, asker: services.selfplay.stop(args),
        models.Nothing,
        learning.LearningView,
        "End the learning that goes on",
        acts=True,
    ),
    Operation(
        "looks",
        microscope_operation(learning.looks),
        learning.LookedAt,
        learning.LooksView,
        "A position as a learned evaluation sees it",
    ),
    Operation("sheet", microscope_operation(trees.sheet), trees.Sheet, trees.FileView, "A quiz as a worksheet"),
    Operation("create", _create, models.Create, models.CreatedView, "Keep a new game", in_exam=True, acts=True),
    Operation(
        "open",
        lambda services, args, asker: services.games.open(args),
        models.Open,
        models.GameView,
        "A saved game as it stands",
        in_exam=True,
    ),
    Operation(
        "play",
        lambda services, args, asker: services.games.play(args),
        models.Play,
        models.GameView,
        "Make a move in a saved game",
        in_exam=True,
        acts=True,
    ),
    Operation(
        "undo",
        lambda services, args, asker: services.games.undo(args, services.external_players.take_back),
        models.Undo,
        models.GameView,
        "Take plies of a saved game back",
        in_exam=True,
        acts=True,
    ),
    Operation(
        "sit",
        lambda services, args, asker: services.games.sit(args),
        models.Sit,
        models.GameView,
        "Take a seat of a saved game, under a name",
        in_exam=True,
        acts=True,
    ),
    Operation(
        "offer",
        _offer_to_other_side,
        models.Offer,
        models.GameView,
        "Offer a take-back, a draw, an engine's help, a rematch",
        in_exam=True,
        acts=True,
    ),
    Operation(
        "resign",
        lambda services, args, asker: services.games.resign(args),
        models.ResignGame,
        models.GameView,
        "Give a saved game up",
        in_exam=True,
        acts=True,
    ),
    Operation(
        "games",
        lambda services, args, asker: services.games.page(args),
        models.Games,
        models.GamesView,
        "The saved games, newest first",
        in_exam=True,
    ),
    Operation(
        "export",
        lambda services, args, asker: services.games.export(args),
        models.Open,
        models.ExportView,
        "A saved game as files",
        in_exam=True,
    ),
    Operation(
        "delete",
        lambda services, args, asker: services.games.delete(args),
        models.Delete,
        models.DoneView,
        "Delete a saved game",
        in_exam=True,
        acts=True,
    ),
    Operation(
        "arenas",
        lambda services, args, asker: services.arenas.page(args),
        arena_models.Arenas,
        arena_models.ArenasView,
        "The arenas, newest first",
    ),
    Operation(
        "arena",
        lambda services, args, asker: services.arenas.open(args),
        arena_models.ArenaQuery,
        arena_models.ArenaView,
        "An arena as it stands",
    ),
    Operation(
        "arena_games",
        lambda services, args, asker: services.arenas.games(args),
        arena_models.ArenaGames,
        arena_models.ArenaGamesView,
        "Games of an arena, and blunders",
    ),
    Operation(
        "qr",
        worker_operation(qr),
        menu_models.Drawn,
        menu_models.QrView,
        "A text as a QR code",
        in_exam=True,
    ),
    Operation(
        "challenge",
        lambda services, args, asker: services.room.challenge(args, lambda: services.count_game(asker.visitor)),
        classroom_models.Challenge,
        models.DoneView,
        "Ask for a game in the room",
        in_exam=True,
        acts=True,
    ),
    Operation(
        "show",
        lambda services, args, asker: services.room.show(args),
        classroom_models.Show,
        models.DoneView,
        "Show everybody in the room a page",
        in_exam=True,
        acts=True,
    ),
    Operation(
        "pair",
        lambda services, args, asker: services.room.pair(args),
        classroom_models.NextRound,
        models.DoneView,
        "Begin a round of games in the room",
        in_exam=True,
        acts=True,
    ),
    Operation(
        "remove",
        lambda services, args, asker: services.room.remove(args),
        classroom_models.Remove,
        models.DoneView,
        "Remove a person from the room",
        in_exam=True,
        acts=True,
    ),
    Operation(
        "work",
        lambda services, args, asker: services.room.work(args),
        classroom_models.Work,
        models.DoneView,
        "Tell the room's teacher what one has solved",
        in_exam=True,
        acts=True,
    ),
    Operation(
        "class_file",
        lambda services, args, asker: services.room.class_file(args),
        classroom_models.ClassQuery,
        classroom_models.ClassFile,
        "What the class has solved, as CSV",
        in_exam=True,
        acts=True,
    ),
    Operation(
        "lesson",
        lambda services, args, asker: loader.view(args.lesson, changes=services.code),
        lesson_models.LessonQuery,
        lesson_models.LessonView,
        "A lesson to read",
        in_exam=True,
    ),
    Operation(
        "lesson_run",
        searching.lesson_run,
        lesson_models.LessonRun,
        lesson_models.OutputView,
        "Run a lesson's example",
        stream=True,
        acts=True,
    ),
    Operation(
        "lesson_code",
        searching.lesson_code,
        lesson_models.LessonCode,
        lesson_models.OutputView,
        "Grade or draw code that a reader has written in a lesson",
        stream=True,
        acts=True,
    ),
    Operation(
        "follow",
        lambda services, args, asker: services.games.stream_game(args, asker.visitor),
        models.Follow,
        models.GameView,
        "A saved game whenever it changes",
        stream=True,
        socket_only=True,
        in_exam=True,
    ),
    Operation(
        "study",
        searching.study,
        models.At,
        models.ReportView,
        "The value of every move, till certain",
        stream=True,
        socket_only=True,
        published=True,
    ),
    Operation(
        "own",
        lambda services, args, asker: services.user_files.stream_user_files(),
        models.Nothing,
        menu_models.OwnsView,
        "Files of one's own, whenever one is saved",
        stream=True,
        socket_only=True,
        in_exam=True,
    ),
    Operation(
        "arena_live",
        lambda services, args, asker: services.arenas.stream_arena(args),
        arena_models.ArenaQuery,
        arena_models.ArenaView,
        "An arena whenever it changes",
        stream=True,
        socket_only=True,
    ),
    Operation(
        "learning",
        lambda services, args, asker: services.selfplay.stream_runs(args),
        models.Nothing,
        learning.LearningView,
        "The games that are or were learned, whenever that changes",
        stream=True,
        socket_only=True,
    ),
    Operation(
        "room",
        lambda services, args, asker: services.room.stream_room(args),
        classroom_models.Enter,
        classroom_models.RoomView,
        "People in the room, and the position shown to all",
        stream=True,
        socket_only=True,
        in_exam=True,
        acts=True,
    ),
    Operation(
        "class",
        lambda services, args, asker: services.room.stream_class(args),
        classroom_models.ClassQuery,
        classroom_models.ClassView,
        "What the class has solved, whenever that changes",
        stream=True,
        socket_only=True,
        in_exam=True,
        acts=True,
    ),
    Operation(
        "alive",
        _alive,
        models.Nothing,
        models.DoneView,
        "A sign each second that the connection holds",
        stream=True,
        once=True,
        socket_only=True,
        in_exam=True,
    ),
    Operation(
        "module", _module, models.Named, models.ModuleView, "A game's module, once it is built", socket_only=True
    ),
]
BY_NAME = {operation.name: operation for operation in _EVERY}
OPERATIONS = [operation for operation in _EVERY if not operation.socket_only]
"""Those that are asked for over HTTP as well."""
PUBLISHED = [operation.view for operation in _EVERY if operation.published]
"""Operations that the workers of a published page answer."""
