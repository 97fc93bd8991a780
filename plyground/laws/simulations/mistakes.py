"""Catalogue of mistakes of Monte Carlo searches: the law that each breaks, and its sentence."""

from typing import Final

from plyground.laws.searches.mistakes import Slip

FINISHED: Final = "finished positions"
AT_ROOT: Final = "results at the root"
BELOW_ROOT: Final = "results below the root"
DRAWS: Final = "draws"
EXPLORATION: Final = "exploration"
EXPANSION: Final = "expansion"
CHOICE: Final = "most tried move"
RANDOM_GAMES: Final = "random games"
LEGAL: Final = "legal move"

SIMULATION_LAWS: Final = {
    LEGAL: "a search ends, and gives the share of x and a legal move",
    RANDOM_GAMES: "a simulation ends with a random game, in which all moves are equally likely; a seed says which",
    FINISHED: "a finished game in the tree is not played on, and counts by its outcome",
    EXPANSION: "each move of a node is tried once before one is tried twice",
    AT_ROOT: "at the root the results are those of its mover",
    EXPLORATION: "the move with the highest mean + c √(log N / n) is taken",
    BELOW_ROOT: "below the root the results at a node are those of its mover",
    DRAWS: "a draw is half a win",
    CHOICE: "the move that was tried most is the answer",
}
"""The laws, each in a sentence, with what may cause breaches of others first."""

MEANT: Final = "mean + c √(log N / n) is meant."
OTHERS: Final = "where the other player chooses, they are to be turned round."

SIMULATION_MISTAKES: Final = {
    "fails": Slip(LEGAL, "{said}"),
    "no answer": Slip(LEGAL, "{said}"),
    "illegal answer": Slip(LEGAL, "It answers move {said}, which is not legal."),
    "no games": Slip(RANDOM_GAMES, "It plays no game to its end: each simulation ends with a random game."),
    "not random": Slip(
        RANDOM_GAMES,
        "Its random games are not random: of {of} moves {seen} {what}, where 1 of {width} is meant. Of random games "
        "something like that is seen in fewer than 1 of {odds} gradings.",
    ),
    "seed ignored": Slip(RANDOM_GAMES, "With another seed it plays the same games: all is to be drawn by the seed."),
    "seed not all": Slip(RANDOM_GAMES, "With the same seed it plays other games: something is not drawn by the seed."),
    "played on": Slip(FINISHED, "A move of a finished game is played: ask game.outcome(state) before each move."),
    "win missed": Slip(FINISHED, "A win at once is not found: {where}, it answers {said}; {right} is right."),
    "ends": Slip(
        FINISHED, "Ends in the tree count wrongly: {where}, it answers {said}; {right} is right.", is_general=True
    ),
    "tried twice": Slip(EXPANSION, "{where} a move is tried twice while another was not tried."),
    "no log": Slip(EXPLORATION, f"The bound has √(N / n): {MEANT}"),
    "no N": Slip(EXPLORATION, f"The bound has √(1 / n): {MEANT}"),
    "no root": Slip(EXPLORATION, f"The bound has log N / n without the root: {MEANT}"),
    "root of N": Slip(EXPLORATION, f"The root in the bound is of log N alone, √(log N) / n: {MEANT}"),
    "root of n": Slip(EXPLORATION, f"The root in the bound is of n alone, log N / √n: {MEANT}"),
    "N for n": Slip(EXPLORATION, f"N and n are exchanged in the bound: {MEANT}"),
    "log of n": Slip(EXPLORATION, f"The logarithm in the bound is of n, not of N: {MEANT}"),
    "no results": Slip(EXPLORATION, f"What the simulations have brought does not count in the choice: {MEANT}"),
    "subtracted": Slip(EXPLORATION, f"The second part of the bound is subtracted: {MEANT}"),
    "not divided": Slip(EXPLORATION, f"The results of a move are added up, and not divided by its games: {MEANT}"),
    "no exploration": Slip(
        EXPLORATION,
        f"Nothing is explored: in {{choices}} choices it always takes the best mean. The second part of the bound is 0 "
        f"or the same for all moves: {MEANT}",
    ),
    "too much": Slip(
        EXPLORATION, "The constant c is {c} or more, for results from -1 to 1: what has been won hardly matters then."
    ),
    "other bound": Slip(
        EXPLORATION, f"At the root no constant c explains which moves it tries: {MEANT}", is_general=True
    ),
    "other side": Slip(
        AT_ROOT, "Results count for the wrong player: at each node they are those of the player to move."
    ),
    "mover below": Slip(
        AT_ROOT,
        "A move's results are those of the player to move after it: they are to be those of the one who makes it.",
    ),
    "root's side": Slip(BELOW_ROOT, f"Results are the root player's at every node: {OTHERS}"),
    "other than the root's": Slip(AT_ROOT, f"Results are those of the root player's opponent at every node: {OTHERS}"),
    "x's side": Slip(BELOW_ROOT, "Results are x's at every node: where o chooses, they are to be turned round."),
    "o's side": Slip(BELOW_ROOT, "Results are o's at every node: where x chooses, they are to be turned round."),
    "alternation": Slip(
        BELOW_ROOT, "Results are turned round at every ply: ask game.to_move(state), for a player may move again."
    ),
    "below": Slip(
        BELOW_ROOT,
        "Below the root no constant explains which moves are tried by the results of the player to move; at the root "
        "c = {c} does.",
        is_general=True,
    ),
    "small games": Slip(
        BELOW_ROOT, "In a small game it does not answer the best move: {where}, it answers {said}; {right} is right."
    ),
    "draws lost": Slip(DRAWS, "A draw counts as a loss of the player who chooses: it is half a win."),
    "draws won": Slip(DRAWS, "A draw counts as a win of the player who chooses: it is half a win."),
    "draws x's": Slip(DRAWS, "A draw counts as a win of x: it is half a win."),
    "draws o's": Slip(DRAWS, "A draw counts as a win of o: it is half a win."),
    "draws": Slip(
        DRAWS, "With draws no constant explains which moves are tried; without them c = {c} does.", is_general=True
    ),
    "best mean": Slip(CHOICE, "It answers the move with the best mean: the one that was tried most is meant."),
    "most won": Slip(CHOICE, "It answers the move with the largest sum: the one that was tried most is meant."),
    "least tried": Slip(CHOICE, "It answers the move that was tried least: the one that was tried most is meant."),
    "first move": Slip(CHOICE, "It answers the first move, whatever was tried."),
    "last tried": Slip(CHOICE, "It answers the move that was tried last: the one that was tried most is meant."),
    "by the bound": Slip(CHOICE, "It answers the move with the highest bound: the one that was tried most is meant."),
    "choice": Slip(
        CHOICE, "In {wrong} of {asked} questions it answers another move than the one tried most.", is_general=True
    ),
}
"""Every mistake that is known by name. A search with one that is not general is explained by it in all its choices, and
by no other of its law."""
