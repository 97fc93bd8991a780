"""Law of 64 bits: no rule computes with an int that compiled code cannot hold."""

from plyground.compiled.watched_ints import TooWide, ask_watched, watched_calls
from plyground.faults import user_place
from plyground.laws.asking import AnyGame, AnyState, BrokenLaw, CheckedGame
from plyground.rules import ONGOING
from plyground.timeouts import TimeExceeded


def hold_64_bits(ask: CheckedGame, state: AnyState, game: AnyGame) -> None:
    """Check the law in one state; `game` is the game whose options are ints that notice when 64 bits overflow."""
    for question, args in watched_calls(state, ask.some_legal(state) if ask("outcome", state) == ONGOING else None):
        try:
            # With ints that watch themselves, because compiled searches let them wrap without a word (decision 5).
            ask.time_limit(ask_watched, game, question, args)
        except TooWide as error:
            raise BrokenLaw(question, error.sentence(question, state, args), user_place(error)) from None
        except (Exception, TimeExceeded):  # reported by the question's own laws, or caused by the watched ints
            continue
