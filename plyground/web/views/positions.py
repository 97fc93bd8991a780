"""The operations on positions: pure functions of their arguments, which know nothing of the web.

An operation that takes long is a generator of better answers; the last one is the answer.
"""

from collections import Counter, OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from math import inf
from threading import Lock
from time import perf_counter
from typing import Any

from plyground.compiled.clock import Limit
from plyground.engine.report import Report
from plyground.engine.review import GameReview
from plyground.engine.review import review as reviewed
from plyground.engine.think import GLANCE_SECONDS, glance, think
from plyground.errors import BadInput
from plyground.games import GAMES, AnyGame, game_named
from plyground.games.about import about, offered_spec
from plyground.in_pages import in_pages
from plyground.laws.verdict import require_lawful
from plyground.learning.learned_rules import is_shipped
from plyground.learning.shipped_weights import OWN, OWN_FOR
from plyground.play.level import Level
from plyground.play.notations import parse_pasted
from plyground.players import HARMLESS, OFFERED, OPPONENT, Engine, player_named
from plyground.position import Position, moves_text, notation_of
from plyground.rules import board_of
from plyground.score import Chance, Score
from plyground.search import ALGORITHMS, algorithm_named
from plyground.search.algorithm import Algorithm
from plyground.spec import Choice, file_of_user_spec, is_own, name_in_user_file, options
from plyground.web.views import menu_models
from plyground.web.views import models as m

SIDES: tuple[m.Side, m.Side] = ("x", "o")
FIRST_REPORT_SECONDS = 0.15
"""Seconds of thinking before the first report is sent; earlier ones are too short to read."""
MOST_REPLAYED_IN_LOOP = 1
"""Moves that the server's event loop plays for a question; a worker plays more. On a large board of Amazons one and the
view take 40 ms. Of a game that goes on no more are new."""
PLIES_HELD = 50_000
"""Plies of all positions that are held in memory: those of a thousand games, in 20 megabytes or less."""
MOST_LINES = 3
"""Most moves whose principal variation an analysis shows."""


def menu(programs: Sequence[str] = (), own: Sequence[menu_models.OwnView] = ()) -> menu_models.MenuView:
    """Menu of games, players and searches.

    Args:
        programs: players that were allowed on the command line, by name.
        own: games, searches and players in files that were named on the command line; such games come first.
    """
    games = [each.game.model_copy(update={"fault": each.fault}) for each in own if each.game]
    games += [game_choice(game) for game in GAMES]
    searches = [algorithm_choice(choice.maker(), choice.summary) for choice in ALGORITHMS]
    sound = [each for each in own if not each.fault]
    titles = _unique_titles([each.spec for each in own])
    for each in sound:
        if each.kind == "search":
            searches.append(algorithm_choice(replace(algorithm_named(each.spec), title=titles[each.spec]), "your own"))
    own_players = [each for each in sound if each.kind in ("search", "player")]
    players = [menu_models.PlayerChoice(spec=each.spec, title=titles[each.spec]) for each in own_players]
    kinds = [menu_models.PlayerChoice(spec=player.name, title=player.summary) for player in HARMLESS]
    kinds.append(menu_models.PlayerChoice(spec=f"engine:eval={OWN}", title=OWN_FOR))
    return menu_models.MenuView(
        games=games,
        algorithms=searches,
        players=offered_players() + players,
        kinds=kinds,
        opponent=OPPONENT,
        programs=list(programs),
        own=[each.spec for each in own],
        addresses=[],
        room=False,
        near=None,
    )


def _unique_titles(specs: Sequence[str]) -> dict[str, str]:
    """Titles of things in user files: the name, with its file if others have that name too, or else the whole spec."""
    rows = [
        (name_in_user_file(spec), f"{file_of_user_spec(spec).name}:{name_in_user_file(spec)}", spec) for spec in specs
    ]
    counts = Counter(form for row in rows for form in set(row))
    return {row[-1]: next((form for form in row if counts[form] == 1), row[-1]) for row in rows}


def offered_players() -> list[menu_models.PlayerChoice]:
    """The players worth offering by name; a page has a field for any other spec."""
    return [menu_models.PlayerChoice(spec=spec, title=title) for spec, title in OFFERED.items()]


def module_players() -> list[str]:
    """The players that a game's module has, by name."""
    searches = [choice.maker() for choice in ALGORITHMS.shipped]
    without = {each.name for each in searches if each.looks_ahead and not each.is_recorded}
    return [choice.name for choice in HARMLESS.shipped if choice.name not in without]


def page_players() -> list[str]:
    """The players that a page's workers answer for in the playground: without `perfect`, which may prove for long."""
    return [name for name in module_players() if name != "perfect"]


def algorithm_choice(algorithm: Algorithm, summary: str) -> menu_models.AlgorithmView:
    """An algorithm as one of a list."""
    return menu_models.AlgorithmView(
        name=algorithm.name,
        title=algorithm.title,
        summary=summary,
        recorded=algorithm.is_recorded,
        compared=algorithm.looks_ahead,
        pseudocode=[menu_models.LineView(text=text, act=act) for text, act in algorithm.pseudocode],
    )


def game_choice(game: Choice[AnyGame]) -> menu_models.GameChoice:
    """A game as one of a list."""
    told = about(game)
    return menu_models.GameChoice(
        name=game.name,
        summary=game.summary,
        title=told.title,
        group=told.group,
        rules=told.rules,
        details=told.details,
        offer=offered_spec(game),
        example=told.example,
        options=[menu_models.OptionView.model_validate(vars(option)) for option in options(game.maker)],
    )


# -- positions ---------------------------------------------------------------------------------------------------------


def position_at(at: m.At) -> Position:
    """The position that the arguments mean.

    Raises:
        BadInput: no such game, state or move.
    """
    here, rest = _nearest_held(at)
    if not rest:
        return here
    # The loop nearly always plays one move: the position before was asked about a moment ago.
    for move in rest:
        here = here.play_without_claim(move)
    hold_position(at, here)
    return here


def is_cheap_to_replay(at: m.At) -> bool:
    """Whether `position_at` plays `MOST_REPLAYED_IN_LOOP` moves at most: then the server's event loop may do that."""
    return len(_nearest_held(at)[1]) <= MOST_REPLAYED_IN_LOOP


class Replayed(m.Model):
    """A position as a worker sends it: without its game, which another process makes by its name."""

    parts: dict[str, Any]


def replay(at: m.At) -> Replayed:
    """The position that the arguments mean, with the cached properties that views and searches need."""
    here = position_at(at)
    return Replayed(parts=parts_of(here))


def parts_of(here: Position) -> dict[str, Any]:
    """Fields and cached properties of a position but its game, so that `position_of_parts` plays no move."""
    # Computed in the worker: the event loop only unpacks them.
    for each in ("states", "_words", "_notation", "line", "outcome"):
        getattr(here, each)
    return {name: value for name, value in vars(here).items() if name != "game"}


def position_of_parts(spec: str, parts: dict[str, Any]) -> Position:
    """A position of the parts that another process has sent."""
    here = Position.initial(game_named(spec))
    vars(here).update(parts)
    return here


def hold_position(at: m.At, here: Position) -> None:
    """Hold a position in memory: the next question about its game has these moves and one more."""
    _HELD_POSITIONS.put((here.game, at.start, tuple(at.moves)), here)


def _nearest_held(at: m.At) -> tuple[Position, Sequence[str]]:
    """A position in memory on the way to the one that is meant, near that if there is one, and the moves after it."""
    game, moves = game_named(at.game), tuple(at.moves)
    if is_own(at.game):
        require_lawful(game)
    # Held positions are tried only one move back: further moves would have to be played here, which a worker does.
    for left in range(min(MOST_REPLAYED_IN_LOOP + 1, len(moves))):
        played = moves[: len(moves) - left]
        if (here := _HELD_POSITIONS.get((game, at.start, played))) is not None:
            return here, moves[len(played) :]
    return Position.starting(game, at.start), moves


_PositionKey = tuple[AnyGame, str, tuple[str, ...]]


class _HeldPositions:
    """Positions by their games, starts and moves; the ones used least recently are forgotten."""

    def __init__(self) -> None:
        self._held: OrderedDict[_PositionKey, Position] = OrderedDict()
        self._plies, self._lock = 0, Lock()

    def get(self, line: _PositionKey) -> Position | None:
        with self._lock:
            if line in self._held:
                self._held.move_to_end(line)
            return self._held.get(line)

    def put(self, line: _PositionKey, here: Position) -> None:
        with self._lock:
            if line in self._held or len(line[2]) > PLIES_HELD:
                return
            self._held[line] = here
            self._plies += 1 + len(line[2])
            # The limit is in plies, since a position holds all states before it.
            while self._plies > PLIES_HELD:
                (_, _, moves), _ = self._held.popitem(last=False)
                self._plies -= 1 + len(moves)


_HELD_POSITIONS = _HeldPositions()


def position(at: m.At) -> m.PositionView:
    """A position to draw."""
    return view(at.game, position_at(at))


def edit(args: m.Edit) -> m.PositionView:
    """The position that a pasted text means, with the moves that lead to it."""
    read = parse_pasted(args.game, args.text, position_at(m.At(game=args.game)).game)
    return view(read.game, read.position)


@in_pages
def view(spec: str, here: Position) -> m.PositionView:
    """A position as data."""
    return m.PositionView(
        game=spec,
        start=here.start_text,
        plies_before=here.plies_before,
        moves=here.words,
        notation=here.notation,
        text=here.text,
        names={"x": here.game.names[0], "o": here.game.names[1]},
        to_move=SIDES[here.to_move],
        notice="" if here.outcome is not None else here.game.notice_text(here.state),
        over=here.outcome is not None,
        result=here.result,
        winner=SIDES[int(here.outcome < 0)] if here.outcome else None,
        legal=here.legal_texts,
        legal_notation=here.legal_notation,
        paths=list(here.paths.values()),
        must_pass=here.must_pass,
        last=here.last,
        look=here.look(),
    )


def board(args: m.Named) -> m.BoardView:
    """A game's board."""
    game = game_named(args.game)
    fixed = board_of(game)
    return m.BoardView(
        places=fixed.places,
        lines=fixed.lines,
        areas=fixed.areas,
        falls=fixed.falls,
        grid=fixed.grid,
        block=fixed.block,
        names=fixed.names,
        marks=fixed.marks,
        colours=fixed.colours,
        surface=fixed.surface,
        borders=fixed.borders,
        crossings=fixed.crossings,
        stars=fixed.stars,
        draws=game.draws,
        must_jump=fixed.must_jump,
        pieces=fixed.pieces,
        spoken=fixed.spoken,
        seat=fixed.seat,
    )


# -- thinking ----------------------------------------------------------------------------------------------------------


def reply(args: m.Reply) -> Iterator[m.ReplyView]:
    """A player's move: reports of its search, then the move."""
    here, player = position_at(args), player_named(args.player)
    require_unfinished(here)
    if isinstance(player, Engine) and not is_shipped(here.game):
        player.selective = False  # a page's worker cannot be, and gives the same replies
    report = None
    started = perf_counter()
    try:
        for report in player.think(here, None):
            # Reports of the first moments would come by the dozen, and be gone before they are
            # seen.
            if perf_counter() - started > FIRST_REPORT_SECONDS:
                yield m.ReplyView(move=None, report=report_view(here, report))
    except KeyboardInterrupt:
        if report:
            yield m.ReplyView(move=None, report=report_view(here, report))
        raise
    # A player that has no reports, such as chance, only chooses.
    move = report.move if report else player.choose(here, None)
    shown = report_view(here, report) if report else None
    yield m.ReplyView(move=here.game.move_text(here.state, here.legal(move)), report=shown)


def best_so_far(args: m.Reply, last: Any) -> m.ReplyView | None:
    """The answer of a reply that is stopped: the best move found, or the first legal one if none was looked at."""
    # The search had finished when the stop came, so its own answer stands.
    if last and last.move:
        return None
    report = last.report if last else None
    here = position_at(args)
    move = report.variation[0] if report else here.game.move_text(here.state, here.legal_moves[0])
    return m.ReplyView(move=move, report=report)


def late_reply(args: m.Reply, last: m.ReplyView | None) -> m.ReplyView:
    """A level's move without its search: by the last report of that, if there was one, else by a glance in the caller's
    process, a fifth of a second at most; of a level with nodes, whose moves are the same on any machine, at all moves.
    """
    here, level = position_at(args), player_named(args.player)
    assert isinstance(level, Level)
    # A level with nodes must make the same move on any machine, however slow.
    seconds = GLANCE_SECONDS if level.nodes is None else inf
    report = level.settle(here, report_from_view(here, last.report) if last and last.report else glance(here, seconds))
    return m.ReplyView(move=here.game.move_text(here.state, report.move), report=report_view(here, report))


def analyse(args: m.Analyse) -> Iterator[m.ReportView]:
    """The value of every move, better and better; its seconds are a limit for the compiler, too."""
    here = position_at(args)
    limit = Limit(depth=args.depth, time=args.seconds)
    for report in think(here, limit, every_move=True, lines=MOST_LINES):
        yield report_view(here, report)


def study(args: m.At) -> Iterator[m.ReportView]:
    """The value of every move, in better and better reports until all values are exact. The caller ends it."""
    here = position_at(args)
    for report in think(here, every_move=True, lines=MOST_LINES):
        yield report_view(here, report)


class Reviewed(m.Review):
    """A game to be reviewed, and stored certain reports of its positions, by ply."""

    known: dict[int, m.ReportView]


def review(args: Reviewed) -> Iterator[m.ReviewView]:
    """Grades of all moves of a game, the last one first, so that later results help earlier ones."""
    end = position_at(args)
    steps = list(end.steps())
    known = {ply: report_from_view(steps[ply], view) for ply, view in args.known.items()}
    for found in reviewed(end, args.seconds, known=known):
        yield review_view(steps, found)


@in_pages
def report_from_view(here: Position, view: m.ReportView) -> Report:
    """The report that a view was made of, as far as a review needs it."""
    lines = tuple(_play_moves(here, line).moves[len(here.moves) :] for line in view.lines)
    return Report(
        position=here,
        depth=view.depth,
        nodes=view.nodes,
        leaves=0,
        cutoffs=0,
        seconds=view.seconds,
        score=score_of(view.score),
        variation=lines[0],
        moves=tuple(
            (move, score_of(view.moves[text].score))
            for move, text in zip(here.legal_moves, here.legal_texts, strict=True)
            if text in view.moves
        ),
        lines=lines,
    )


@in_pages
def _play_moves(here: Position, line: Sequence[str]) -> Position:
    for move in line:
        here = here.play(move)
    return here


@in_pages
def review_view(steps: list[Position], found: GameReview) -> m.ReviewView:
    """A game under review as data."""
    accuracy = m.AccuracyView(x=found.accuracy(0), o=found.accuracy(1))
    known = [ply for ply in range(len(steps)) if ply in found.moves or ply + 1 in found.moves]
    seen = [_step_view(steps, found, ply) for ply in known]
    return m.ReviewView(total=len(steps), done=found.done, accuracy=accuracy, note=found.note, steps=seen)


@in_pages
def _step_view(steps: list[Position], found: GameReview, ply: int) -> m.StepView:
    """A position under review, and the grade of the move that led to it once that is known.

    Its score is that of its own search, but where only the search of the move that led to it has proved one.
    """
    here, led, leads = steps[ply], found.moves.get(ply), found.moves.get(ply + 1)
    score, line = (leads.best, leads.line) if leads else (Score.over(here.outcome or 0), here.moves[:0])
    if led and (leads is None or (score.utility is None and led.after.utility is not None)):
        score, line = led.after, led.reply
    words = moves_text(here, line)
    bad = led if led and led.verdict.is_bad else None
    return m.StepView(
        ply=ply,
        move=None if ply == 0 else moves_text(steps[ply - 1], here.moves[-1:])[0],
        score=score_view(score, here.game.names),
        best=words[0] if words else None,
        line=words,
        notation=notation_of(here, line),
        mover=SIDES[steps[ply - 1].to_move] if ply else None,
        grade=led.verdict.grade if led else None,
        loss=led.verdict.loss if led else 0.0,
        exact=led is not None and led.verdict.exact,
        verdict=led.short if led else "",
        better=score_view(bad.best, here.game.names) if bad else None,
        played=score_view(bad.after, here.game.names) if bad else None,
    )


GAME_IS_OVER = "The game is over: {result}; no side is to move."


def require_unfinished(here: Position) -> None:
    """Refuse a position whose game is over."""
    if here.outcome is not None:
        raise BadInput(GAME_IS_OVER.format(result=here.result))


@in_pages
def report_view(here: Position, report: Report) -> m.ReportView:
    """A report as data."""
    lines = report.lines if report.lines else (report.variation,)
    is_guess = not report.score.exact or any(not score.exact for _, score in report.moves)
    return m.ReportView(
        depth=report.depth,
        nodes=report.nodes,
        seconds=round(report.seconds, 4),
        certain=report.certain,
        score=score_view(report.score, here.game.names),
        variation=moves_text(here, report.variation),
        lines=[moves_text(here, line) for line in lines],
        notation=[notation_of(here, line) for line in lines],
        moves=move_views(here, report.moves, "best" if report.certain else "best so far"),
        scale=scale(here) if is_guess else "",
        source=report.source,
        why_plain=report.why_plain,
    )


@in_pages
def move_views(here: Position, moves: Sequence[tuple[int, Score]], word: m.Best) -> dict[str, m.MoveView]:
    """Views of the moves' scores, by the moves' text, with the best marked. Moves of one score share a view: of the
    hundreds of moves of a large board there are few that differ."""
    mover, names = here.to_move, here.game.names
    # Worths are sorted once; a move's place among them is the number of better ones.
    worths = sorted([score.order(mover) for _, score in moves])[::-1]
    return {
        here.game.move_text(here.state, move): _move_view(
            score, score.chance, names, mover, worths.index(score.order(mover)), word
        )
        for move, score in moves
    }


@lru_cache(maxsize=1_000)
@in_pages
def _move_view(
    score: Score, chance: Chance | None, names: tuple[str, str], mover: int, better: int, word: m.Best
) -> m.MoveView:
    """A move's score as data, and how many moves are better; `chance` is the score's, for equal scores may have
    another one."""
    return m.MoveView(
        score=score_view(score, names),
        brief=score.brief(mover),
        brief_x=score.brief(0),
        tone=_tone(score, mover),
        best="" if better else word,
        better=better,
    )


def scale(here: Position) -> str:
    """Sentence on the terms of this game's static evaluation."""
    parts = "; ".join(dict.fromkeys(words for words, _ in here.game.explain(here.state)))
    return f"An estimate counts: {parts}. It is no proof: every win that is proved is above it, every loss below."


@in_pages
def score_view(score: Score, names: tuple[str, str]) -> m.ScoreView:
    """A score as data."""
    bar = score.expected_result(0)
    return m.ScoreView(
        text=score.text(names),
        exact=score.exact,
        winner=None if score.winner is None else SIDES[score.winner],
        utility=score.utility,
        plies=score.plies,
        points=score.points,
        share=score.share,
        chance=score.chance.share if score.chance else None,
        bar=bar,
        ahead=None if bar == 0.5 else SIDES[int(bar < 0.5)],
    )


@in_pages
def score_of(view: m.ScoreView) -> Score:
    """The score that a view was made of."""
    # Data has no field of its own for it: a utility that is not exact is a bound.
    bound = view.utility is not None and not view.exact
    return Score(view.utility, view.plies, bound, view.points, view.share)


@in_pages
def _tone(score: Score, player: int) -> m.Tone:
    """Meaning of a score for a player."""
    # A proved win or loss; an exact 0 is even, and everything else is an estimate.
    if score.winner is not None:
        return "good" if score.winner == player else "bad"
    if score.exact:
        return "even"
    ahead = score.expected_result(player) - 0.5
    return "hopeful" if ahead > 0 else "doubtful" if ahead < 0 else "unsure"
