"""Recording of a search, held against the laws: a tree vouches for nothing that breaks one."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from plyground.errors import BadInput
from plyground.faults import TooDeep, game_fault, own_fault
from plyground.laws.searches.facts import OPEN
from plyground.laws.searches.laws import CheckedSearch, SearchBreach
from plyground.laws.searches.recording import FullRecording
from plyground.laws.searches.reference import Reference
from plyground.microscope.columns import brief
from plyground.microscope.size import MOST_RECORDED_NODES, refusal
from plyground.position import Position, moves_text
from plyground.search.algorithm import Algorithm, Query
from plyground.search.history import without_history
from plyground.search.observer import Entered, Recording, Stopped

OnStart = Callable[[Recording], None] | None
MOST_CHECKED_NODES = 20_000
"""Most nodes of a recording that are held against the laws: a second or two."""


def run_recorded(
    position: Position, algorithm: Algorithm, query: Query, on_start: OnStart
) -> tuple[list[Entered], dict[int, SearchBreach]]:
    """Nodes of a recorded search; of a user's also the broken law of each node that breaks one."""
    kind = object if query.game.repetition else type(query.state)  # states that remember are of a type of their own
    # Ours are recorded in less detail: tests hold them to the laws, so no law is asked of them
    # here.
    own = FullRecording(MOST_RECORDED_NODES, algorithm.search.__code__.co_filename, kind) if algorithm.is_own else None
    recording = own or Recording(MOST_RECORDED_NODES)
    if on_start:
        on_start(recording)
    try:
        algorithm.prepare_run(query, recording, partial(algorithm.search, query.game))()
    except Stopped:
        # `Stopped` has two causes, told apart by whether the recording is full.
        if len(recording.nodes) < MOST_RECORDED_NODES:
            raise  # the caller stopped it
        raise BadInput(refusal(algorithm, query)) from None
    except (BadInput, KeyboardInterrupt):
        raise
    except Exception as fault:
        raise _explain_error(fault, position, algorithm, query, recording) from None
    # Without both calls at each node there is no tree: parents are found by what has not been left
    # yet.
    if not recording.nodes or recording.is_open or (own and own.surplus):
        raise BadInput(
            f"{algorithm.name} does not report each node that it enters and leaves: observer.enter(state) "
            "first, observer.leave(value, move) last."
        )
    nodes, broken = _last_pass(own, *check_laws(own, algorithm, query)) if own else (recording.nodes, {})
    # States of games with repetition carry their past during the search; columns and rules take the
    # game's own.
    for node in nodes:
        node.state = without_history(node.state)
    return nodes, broken


def _last_pass(
    recording: FullRecording, nodes: list[Entered], broken: dict[int, SearchBreach]
) -> tuple[list[Entered], dict[int, SearchBreach]]:
    """Nodes below the root that was entered last: of a search that deepens, those that its answer rests on."""
    # Iterative deepening enters the root once for each depth; the last pass has the whole depth.
    start = recording.last_pass
    if not start:
        return nodes, broken
    kept = [replace(node, parent=max(node.parent - start, -1)) for node in nodes[start:]]
    return kept, {node - start: found for node, found in broken.items() if node >= start}


def _explain_error(
    fault: Exception, position: Position, algorithm: Algorithm, query: Query, recording: Recording
) -> Exception:
    """An error in a search, as a sentence that names whose it is: the user's search, or a rule of the game."""
    rule = game_fault(fault)
    if isinstance(recording, FullRecording):
        # First: whatever a rule does with an illegal move is the search's fault, not the game's.
        if said := illegal_move(recording, algorithm, query):
            return BadInput(said)
        if rule is None or isinstance(fault, RecursionError):
            return own_fault(fault, algorithm.search) or fault
    if rule is None or isinstance(rule, TooDeep):
        return rule or fault
    name, words = type(position.game).__name__, " ".join(_move_names(position, recording.line))
    where = f"after {words} from the root" if words else "at the root"
    return BadInput(f"{name} fails in mid-search, {where}: {rule}")


def _move_names(position: Position, moves: list[int]) -> list[str]:
    try:
        return moves_text(position, tuple(moves))
    except Exception:  # the game that fails may fail at this too; numbers name the moves
        return list(map(str, moves))


def check_laws(
    recording: FullRecording, algorithm: Algorithm, query: Query
) -> tuple[list[Entered], dict[int, SearchBreach]]:
    """Nodes of a recording with values from x's side, and the first broken law of each node.

    A node's move is known also where the search does not report it. No law is asked of a larger recording.
    """
    if len(recording.nodes) > MOST_CHECKED_NODES or not recording.nodes:
        return recording.nodes, {}
    shorter = query.prefer_shorter and "prefer_shorter" in algorithm.takes
    given = (query.alpha, query.beta) if algorithm.has_window else OPEN
    held = CheckedSearch(
        query.game,
        recording,
        query.depth,
        query.ply,
        shorter,
        algorithm.has_window,
        given,
        Reference(query.game, shorter),
        partial(brief, names=query.game.names),
    )
    broken: dict[int, SearchBreach] = {}
    for found in held.breaches():
        # The first law alone: one wrong value breaks others after it, which would bury the cause.
        broken.setdefault(found.node, found)
    for node, window in zip(held.nodes, held.windows_as_shown, strict=True):
        # A search without windows reports none, so its nodes keep the open one.
        node.alpha, node.beta = window or (node.alpha, node.beta)
    return held.nodes, broken


def illegal_move(recording: FullRecording, algorithm: Algorithm, query: Query) -> str:
    """Sentence about the move that a search was about to make if it is not legal; empty if it is, or none is known."""
    # The deepest node that has not been left is where the search was when it failed.
    place = next((place for place in reversed(range(len(recording.nodes))) if not recording.reported[place].is_left), 0)
    if not recording.nodes or not recording.reported[place].begun:
        return ""
    state, move = recording.nodes[place].state, recording.reported[place].begun[-1]
    legal = list(query.game.moves(state))
    return "" if move in legal else f"{algorithm.name} plays the move {move}, which is none of {legal}."
