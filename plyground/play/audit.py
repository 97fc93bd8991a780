"""Audit of a player against all games: a certificate that it never loses, or the games it loses.

The player is asked once in each position that it can meet; positions that come about in several ways are shared, so its
reply must depend on the position alone. One that plays at random is found out by being asked twice, and gets no
certificate. What the replies prove, `play/proof.py` says.

Games are followed to their ends one after the other, each as far as it goes on from the last reply: a program that must
be started for each game is started as seldom as can be. Only what the player does is judged: a program that cannot be
started, or never makes a move, ends the audit in a sentence.
"""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from plyground.compiled.clock import Limit
from plyground.engine.think import think
from plyground.errors import BadInput, clause_of
from plyground.games import game_named
from plyground.play.ending import Ending
from plyground.play.player import Player, Resigned, Strayed, Unable, Unanswered, as_failure
from plyground.play.proof import AT_RANDOM, Audit, Failure, Loss, Replies, judge_replies, read_certificate
from plyground.play.user_player import Chooser, as_player
from plyground.position import Position
from plyground.text import count_text

AUDIT_BUDGET = 100_000
"""Most positions in which the player is asked, by default."""
SOLVING_TIME = 2.0
"""Seconds to search a position of a lost game for the moves that would have held."""
VERIFYING_TIME = 20.0
"""Seconds to search the lost games of a certificate for the moves that would have held."""
ASKED_TWICE = 20
"""Positions in which the player is asked again, to find out whether it plays at random."""
FIRST_MOVE_TRIES = 2
"""Positions in which a player that never made a move is asked before the audit blames its command."""


def audit(
    game: str,
    start: Position,
    seat: int,
    make: Callable[[], Player | Chooser],
    *,
    budget: int = AUDIT_BUDGET,
    jobs: int = 1,
    known: Replies | None = None,
    on_reply: Callable[[str, str], None] | None = None,
    faults: int = 0,
    seconds: float | None = None,
    explained: bool = True,
) -> Audit:
    """Play every reply of the opponent.

    Args:
        game: the game's spec, for the certificate.
        start: where the games begin.
        seat: the player's side, 0 or 1.
        make: makes the player; called once for each of `jobs`.
        budget: positions in which the player is asked, at most.
        jobs: players asked at once.
        known: replies from an audit that was stopped.
        on_reply: called with each reply as it comes: the position and the move in text, for progress and to resume by.
        faults: positions in which the player fails after which it is asked no more; 0: no limit.
        seconds: of the player's own, where they are known, after which it is asked no more; None: no limit.
        explained: whether lost games are searched for the wrong move; False leaves that out.

    Raises:
        Unable: the player cannot be started, made no move at all, or cannot be brought to the start: no verdict.
        BadInput: states of this game can come again, so that a reply does not depend on the position alone.
    """
    if start.game.repetition:
        raise BadInput(
            f"No audit of {type(start.game).__name__}: a certificate holds one reply for each state, and where states "
            "can come again a reply may depend on those before as well; plyground play plays games."
        )
    limits = _AuditLimits(budget, faults or budget, float("inf") if seconds is None else seconds)
    found = _run_audit(game, start, seat, lambda: as_player(make()), limits, jobs, known or {}, on_reply)
    return explain(found, start, seat) if explained else found


def explain(found: Audit, start: Position, seat: int) -> Audit:
    """The audit with the player's first wrong move of each lost game, and those that would have held, as far as they
    are found in time.
    """
    right: dict[str, list[str] | None] = {}
    return replace(found, losses=tuple(_explain_loss(start, seat, loss, right) for loss in found.losses))


@dataclass(frozen=True)
class Verified:
    """The verdict that a certificate proves, without its player."""

    found: Audit
    """The audit as its replies and searches prove it; without the player's name, which nothing proves."""
    unchecked: tuple[str, ...]
    """Statements of the certificate that were not checked, in sentences."""


def verify(file: Path, seconds: float = VERIFYING_TIME) -> Verified:
    """Check a certificate without its player: walk every game with the replies that it holds, and search its lost games
    for the moves that would have held.

    Args:
        file: the certificate.
        seconds: for those searches, after which no other is begun.

    Raises:
        BadInput: it is no certificate, a reply is missing or illegal, or it says something else than is proved.
    """
    said = read_certificate(file)
    start, seat = Position.parse(game_named(said.game), said.start), "xo".index(said.side)
    if said.verdict == AT_RANDOM:
        raise BadInput(f"{file} proves nothing: its player plays at random.")
    try:
        found = judge_replies(said, start, seat, {})
    except BadInput as fault:
        raise BadInput(f"{file} proves nothing: a reply of it is illegal: {fault}") from None
    # Each figure is recomputed from the replies: a certificate that was edited anywhere contradicts itself.
    for name in ("verdict", "games", "lost", "positions"):
        if getattr(found, name) != getattr(said, name):
            raise BadInput(
                f"{file} says {name} {getattr(said, name)!r}, but its replies show {getattr(found, name)!r}."
            )
    if [loss.moves for loss in found.losses] != [loss.moves for loss in said.losses]:
        raise BadInput(f"{file} lists other lost games than its replies show.")
    # Wrong moves are a claim about the game, not about the player: only a search can check them.
    losses = _explain_losses(start, seat, found.losses, time.monotonic() + seconds)
    for proved, loss in zip(losses, said.losses, strict=True):
        _require_agreement(file, proved, loss)
    unchecked = [f"It names its player {said.player!r}: nothing in it proves that."]
    if failed := sum(loss.ending is Ending.UNKNOWN for loss in losses):
        unchecked.append(f"Why the player made no move in {count_text(failed, 'lost game')} cannot be checked.")
    if open_ := sum(
        loss.wrong is not None and not proved.wrong for loss, proved in zip(said.losses, losses, strict=True)
    ):
        unchecked.append(f"Which moves would have held was not looked at in {count_text(open_, 'lost game')}.")
    return Verified(replace(found, player="", losses=losses), tuple(unchecked))


def _explain_losses(start: Position, seat: int, losses: Sequence[Loss], end: float) -> tuple[Loss, ...]:
    """The lost games with the first wrong move and those that would have held, as far as they are found by then."""
    right: dict[str, list[str] | None] = {}
    return tuple(_explain_loss(start, seat, each, right) if time.monotonic() < end else each for each in losses)


def _require_agreement(file: Path, proved: Loss, said: Loss) -> None:
    """Check the statements of a certificate on a lost game against those that are proved.

    Raises:
        BadInput: they differ.
    """
    game = " ".join(said.moves)
    if proved.ending is not Ending.UNKNOWN and said.why != proved.why:
        raise BadInput(f"{file} says {said.why!r} of {game!r}, but the game ends with {proved.why!r}.")
    if None not in (proved.wrong, said.wrong) and (proved.wrong, set(proved.held)) != (said.wrong, set(said.held)):
        shown = f"ply {proved.wrong}, where {' or '.join(proved.held)} would have held"
        raise BadInput(f"{file} says other moves would have held in {game!r} than a search finds: {shown}.")


@dataclass(frozen=True)
class _AuditLimits:
    """Limits of an audit."""

    positions: int
    faults: int
    seconds: float


def _run_audit(
    game: str,
    start: Position,
    seat: int,
    make: Callable[[], Player],
    budget: _AuditLimits,
    jobs: int,
    known: Replies,
    on_reply: Callable[[str, str], None] | None,
) -> Audit:
    with _GameWalk(start, seat, make, budget, dict(known), on_reply) as walk:
        at_random = walk.run(jobs)
        found = Audit(game, walk.name, "xo"[seat], start.text, "", len(walk.replies), 0, 0, (), walk.replies)
        found = replace(found, verdict=AT_RANDOM) if at_random else judge_replies(found, start, seat, walk.faults)
        # A program that mishandles its second game would lose by our way of asking, so all is asked once more, with a
        # restart for each game.
        if not walk.confirms(found):
            return _run_audit(game, start, seat, lambda: _restarting(make()), budget, jobs, {}, on_reply)
    return found


def _restarting(player: Player) -> Player:
    player.restart_each_game()
    return player


class _GameWalk:
    """Walk through all games that the opponent can play, with the player's reply in each position."""

    def __init__(
        self,
        start: Position,
        seat: int,
        make: Callable[[], Player],
        budget: _AuditLimits,
        replies: Replies,
        on_reply: Callable[[str, str], None] | None,
    ) -> None:
        self._start, self._seat, self._make, self._budget = start, seat, make, budget
        self.replies, self._on_reply = replies, on_reply
        self.faults: dict[str, Failure] = {}
        self._seen: set[str] = set()
        self._to_ask: list[Position] = []
        """Positions to ask in; the last one is next, so that a game goes on before another begins."""
        self._to_ask_again: list[Position] = []
        """Positions to ask in again."""
        self._first: list[Position] | None = []
        """The first positions it was asked in; None once it has been asked there again."""
        self._unanswered: list[tuple[Position, Failure]] = []
        """Positions in which it failed before its first move."""
        self._has_answered = False
        self._known_turn: Position | None = None
        """A position whose reply is known from before."""
        self._under_way = 0
        self._seconds = 0.0
        """Seconds that the replies took: CPU time of the player where it is known, else wall-clock time."""
        self._at_random = False
        self._stopped_by: BaseException | None = None
        # Held for every change of the fields above; players wait here while another one may still bring positions.
        self._changed = threading.Condition()
        self._players = [make()]
        self._workers: list[threading.Thread] = []
        self.name = self._players[0].name
        self._add_turns([start])

    def __enter__(self) -> "_GameWalk":
        return self

    def __exit__(self, *_: object) -> None:
        # Also after the last reply, where it stops no one: on Ctrl-C the threads must not wait for a player that
        # thinks.
        self._stop_with(KeyboardInterrupt())
        for player in self._players:
            player.close()
        for worker in self._workers:
            worker.join()
        for player in self._players:  # one may have been starting a program just then
            player.close()

    def run(self, jobs: int) -> bool:
        """Ask everywhere, with `jobs` players at once. Returns whether the player plays at random.

        Raises:
            Unable: as `audit`.
        """
        if jobs == 1:
            # a thread of its own would only hand the interpreter's lock back and forth: 2 ms a reply instead of 0.1
            self._run_player(self._players[0])
        else:
            self._players += [self._make() for _ in range(jobs - 1)]
            self._workers = [threading.Thread(target=self._run_player, args=(player,)) for player in self._players]
            for worker in self._workers:
                worker.start()
            for worker in self._workers:
                worker.join()
        if self._stopped_by:
            raise self._stopped_by
        return self._at_random

    def _run_player(self, player: Player) -> None:
        """Ask one of the players in position after position, until there is none left."""
        try:
            while todo := self._next_position():
                turn, again = todo
                began = time.perf_counter()
                reply = self._ask_reply(player, turn)
                # CPU time where it is known: a busy machine must not end an audit early.
                own = player.own_seconds
                self._seconds += time.perf_counter() - began if own is None else own
                self._record_reply(turn, again, *reply)
        except Strayed as stray:  # from its own moves in this audit; or from those that lead to the start
            if stray.ply < len(self._start.moves):
                self._stop_with(stray)
            else:
                self._end_at_random()
        except BaseException as fault:
            self._stop_with(fault)

    def _next_position(self) -> tuple[Position, bool] | None:
        """Returns the next position to ask in, and whether it is asked again; None when there is no more."""
        with self._changed:
            while not (self._stopped_by or self._at_random):
                # Positions under way count too, or several players at once would ask in more than the budget.
                asked = len(self.replies) + len(self._unanswered) + self._under_way
                spent = asked >= self._budget.positions or len(self.faults) >= self._budget.faults
                spent = spent or self._seconds >= self._budget.seconds
                doubtful = len(self._unanswered) >= FIRST_MOVE_TRIES
                if self._to_ask_again or (self._to_ask and not spent and not doubtful):
                    again = bool(self._to_ask_again)
                    self._under_way += 1
                    return (self._to_ask_again if again else self._to_ask).pop(), again
                # Another player's reply may still bring new positions; only when none is under way is the walk done.
                if self._under_way:
                    self._changed.wait()
                elif self._unanswered:
                    self._ask_known_again()
                # Less than `ASKED_TWICE` positions in all: the second questions come at the end.
                elif self._first:
                    self._to_ask_again, self._first = self._first, None
                else:
                    break
            return None

    def _ask_known_again(self) -> None:
        """Ask a player that has answered nothing in a position that it answered in an earlier audit."""
        if self._known_turn is None:
            raise self._unable()
        self._to_ask_again, self._known_turn = [self._known_turn], None

    def _unable(self) -> Unable:
        return Unable(
            f"{self.name} has made no move at all, so nothing is judged: asked in {len(self._unanswered)} "
            f"position{'s' if len(self._unanswered) > 1 else ''}, {self._unanswered[-1][1].sentence}."
        )

    def _ask_reply(self, player: Player, position: Position) -> tuple[str, Failure | None, bool]:
        """Ask the player to move. Returns the move's text, or a failure, and whether anything came from the player."""
        try:
            choice = player.choose(position, None)
        except Resigned:
            return "", Failure(Ending.RESIGNATION, "resigns"), True
        except (Exception, SystemExit) as error:
            failed = as_failure(player, position, error)
            return "", Failure(failed.ending, clause_of(failed)), not isinstance(failed, Unanswered)
        try:
            move = position.legal(choice)
        except BadInput as refusal:
            return "", Failure(Ending.ILLEGAL, clause_of(refusal)), True
        return position.game.move_text(position.state, move), None, True

    def _record_reply(self, turn: Position, again: bool, move: str, fault: Failure | None, heard: bool) -> None:
        """Record a reply, and add the positions that it leads to."""
        with self._changed:
            self._has_answered |= heard
            if again:
                self._at_random |= bool(move) and self.replies[turn.text] != move
            elif fault and not self._has_answered:
                self._unanswered.append((turn, fault))
            else:
                self._store_reply(turn, move, fault)
            if self._has_answered:
                for each, why in self._unanswered:
                    self._store_reply(each, "", why)
                self._unanswered.clear()
            self._under_way -= 1
            self._changed.notify_all()

    def _store_reply(self, turn: Position, move: str, fault: Failure | None) -> None:
        self.replies[turn.text] = move
        if fault:
            self.faults[turn.text] = fault
        else:
            if self._on_reply:
                self._on_reply(turn.text, move)
            self._add_turns([turn.play(move)])
        if move and self._first is not None:
            self._first.append(turn)
            # After some positions and not at the end: for a player at random the rest of the audit would be in vain.
            if len(self._first) == ASKED_TWICE:
                self._to_ask_again, self._first = self._first, None

    def _add_turns(self, frontier: list[Position]) -> None:
        """Add new positions in which the player is next to move; where its reply is known, those after it instead."""
        while frontier:
            turns = _next_turns(frontier, self._seat, self._seen)
            # A stack: the game goes on from its last position, so a program is replayed as seldom as can be.
            self._to_ask += [turn for turn in reversed(turns) if turn.text not in self.replies]
            known = [turn for turn in turns if self.replies.get(turn.text)]
            self._known_turn = self._known_turn or next(iter(known), None)
            frontier = [turn.play(self.replies[turn.text]) for turn in known]

    def _end_at_random(self) -> None:
        with self._changed:
            self._at_random = True
            self._changed.notify_all()

    def _stop_with(self, fault: BaseException) -> None:
        with self._changed:
            self._stopped_by = self._stopped_by or fault
            self._changed.notify_all()

    def confirms(self, found: Audit) -> bool:
        """Whether a verdict against a player that was not restarted between games also holds with a restart.

        A program that cannot play a second game is not judged by that.
        """
        if not any(player.is_reused for player in self._players):
            return True
        if not found.losses:
            return found.verdict != AT_RANDOM
        self._players.append(_restarting(self._make()))
        position = self._start
        for word in found.losses[0].moves:
            if position.to_move == self._seat and self._ask_reply(self._players[-1], position)[0] != word:
                return False
            position = position.play(word)
        return position.outcome is not None or not self._ask_reply(self._players[-1], position)[0]


def _next_turns(frontier: list[Position], seat: int, met: set[str]) -> list[Position]:
    """The positions, not met before, in which the player is to move, after anything that its opponent may do."""
    turns: list[Position] = []
    waiting = list(frontier)
    while waiting:
        position = waiting.pop()
        if position.outcome is not None:
            continue
        if position.to_move != seat:
            waiting += [position.play(move) for move in reversed(position.legal_moves)]
        elif position.text not in met:
            met.add(position.text)
            turns.append(position)
    return turns


def _explain_loss(start: Position, seat: int, loss: Loss, known: dict[str, list[str] | None]) -> Loss:
    """The loss with the player's first wrong move and those that would have held, where they can be found."""
    position = start
    for ply, word in enumerate(loss.moves, start=1):
        if position.to_move == seat:
            if position.text not in known:
                known[position.text] = _keeping_moves(position)
            right = known[position.text]
            if right is None:
                return loss
            if word not in right:
                return replace(loss, wrong=ply, held=tuple(right))
        position = position.play(word)
    return loss


def _keeping_moves(position: Position) -> list[str] | None:
    """Moves that keep the win, or the draw, by any margin; all moves where the game is lost anyway. None if the search
    does not value every move exactly within `SOLVING_TIME`.
    """
    report = [*think(position, Limit(time=SOLVING_TIME), every_move=True)][-1]
    # One estimate among them, and the best move may be another one: then nothing is said.
    if not all(score.exact for _, score in report.moves):
        return None
    # Only the end of the game is compared: neither a longer win nor another margin is a mistake here.
    ends = {move: score.worth(position.to_move)[0] for move, score in report.moves}
    most = max(ends.values())
    return [position.game.move_text(position.state, move) for move in position.legal_moves if ends[move] == most]
