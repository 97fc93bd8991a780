"""Law of examples: games that an author knows, and how each ends."""

from plyground.laws.asking import CheckedGame, list_text, require
from plyground.rules import ONGOING


def hold_examples(ask: CheckedGame) -> None:
    """Play each example of the author: its moves must be legal, and its outcome the one that is named."""
    for example in ask.game.examples:
        fits = isinstance(example, tuple) and len(example) == 2 and isinstance(example[0], str)
        said = f"examples holds {example!r}: a pair of the moves in a text and the outcome, as in ('a1 b2', ONGOING)"
        require(fits and type(example[1]) is int, "examples", said)
        _play_example(ask, *example)


def _play_example(ask: CheckedGame, moves: str, wanted: int) -> None:
    state, times = ask.state("initial"), ask.game.repetition
    # The history of the example, because the end by repetition is no part of a state.
    keys = [ask("repetition_key", state)] if times else []
    for count, word in enumerate(moves.split(), 1):
        played = f"the example {moves!r}, move {count}"
        said = f"{played}: outcome says in state {state} that the game is over"
        require(ask("outcome", state) == ONGOING, "outcome", said)
        move, legal = ask("parse_move", state, word), ask.legal(state)
        said = f"{played}: moves does not give {word} in state {state}, but {list_text(legal)}"
        require(move in legal, "moves", said)
        state = ask.state("play", state, move)
        if times:
            keys.append(ask("repetition_key", state))
    found = ask("outcome", state)
    if times and found == ONGOING and keys.count(keys[-1]) >= times:
        found = ask("repetition_value", state)
    given, right = _outcome_text(found), _outcome_text(wanted)
    said = f"after the example {moves!r}, outcome is {given} in state {state}, and not {right}"
    require(found == wanted, "outcome", said)


def _outcome_text(outcome: int) -> str:
    return "ONGOING" if outcome == ONGOING else f"{outcome}"
