"""Perft: the number of move sequences of one length, to test a game's rules against published counts."""

from plyground.rules import ONGOING, Game, State
from plyground.search.algorithm import Algorithm
from plyground.search.observer import Observer


def perft(game: Game[State], observer: Observer, state: State, depth: int, ply: int) -> int:
    """The number of move sequences of exactly `depth` plies from a state; a finished game goes no further.

    By the rules of a state alone: a repetition ends none, as in all published counts.

    Every node is visited, also each leaf: the state is made and entered, nothing is counted in bulk.
    """
    observer.enter(state, depth, ply, 0, 0)
    # Before the outcome is asked: published counts take a leaf for one sequence whether or not the game is over there
    # (perft, chessprogramming.org).
    if depth == 0:
        return 1
    sequences = 0
    if game.outcome(state) == ONGOING:
        for move in game.moves(state):
            sequences += perft(game, observer, game.play(state, move), depth - 1, ply + 1)
    return sequences


PERFT = Algorithm("perft", "sequences of moves", perft)
"""Record of perft. It has no value, so it is not among the searches that are chosen by name."""
