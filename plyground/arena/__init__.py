"""Arenas: many games between many players, with Elo, its intervals, sequential tests and marks."""

from typing import TYPE_CHECKING

from plyground.arena.settings import Settings, takes_fields_of

if TYPE_CHECKING:
    from plyground.arena.tournament import Tournament


@takes_fields_of(Settings)
def arena(settings: Settings) -> "Tournament":
    """Play games between all players: `for played in arena(...)`, then its standings, and a data frame of them.

    Nothing is played before it is iterated over; its method `play` plays all of it at once.

    >>> table = arena(["alphabeta:depth=2", "first"], "tictactoe", games=4, random_plies=2).play().standings
    >>> [(row.name, row.games) for row in table.rows]
    [('alphabeta:depth=2', 4), ('first', 4)]

    Args:
        players: names of players, `NAME=SPEC` for one with a name of its own; players, functions of a position, objects
            with `choose`, or games, by whose evaluation the engine plays. A dict gives names to all of them.
        game: the game, or its name; by default the first game among the players.
        games: of each two players in a meeting, an even number; by default every opening with both sides.
        rounds: of a Swiss tournament or a ladder; by default as many as are usual.
        format: `round-robin`, `gauntlet` (the first against all others), `swiss`, `ladder`, or `class` (each against
            fixed opponents, for marks).
        plies: begin from all positions after this number of plies, without symmetric ones.
        random_plies: begin instead from some positions after this number of random plies.
        openings: or from those of a file, one in a line.
        balanced: only from those in which neither side is found to win.
        seed: of all that is random.
        clock: seconds that each side has for a game.
        increment: added to them after each move.
        move_time: seconds for each move.
        cpu: seconds of the processor for each side's game; a class has 60 without another limit.
        grace: seconds that the first move of a program may take for its start, which nothing else counts.
        database: by its URL: results are kept there, and an arena that was stopped goes on. By default nowhere.
        name: the arena's id in the database; by default it follows from all that makes the arena.
        jobs: processes of this machine that play; 0 means one for each processor, 1 this process alone.
        scheduler: the address of a Dask scheduler whose workers play instead, `tls://host:8786`.
        judge: say of every move whether it gave value away.
        draw: plies, points, first ply: a game is drawn once the scores of both players have been within these points
            of even for this number of plies, from the first ply on.
        resign: plies, points: a game is won once the scores of both have been at least these points for one side for
            this number of plies.
        solved: a game ends as soon as a table or a search of 20,000 nodes knows its value for certain.
        sprt: two players alone: stop once the first is found to be stronger by no more than the first number, or by the
            second, in normalised Elo.
        weights: of a class, how much criteria of marks count that are not to count as usual; other opponents, too.
        audit_budget: of a class, the positions in which an audit asks for each side, at most.
        audit_time: of a class, seconds of a student's own time that its audit takes for each side, at most.
        alpha, beta: most probability of a false decision: for the second number, and for the first.
        model: of the test: `normalised` Elo, or `logistic`, Elo's own.
        limit: of a move where a game is given as a player.

    A player that fails loses its game, and `standings` count its faults. Objects are pickled for other processes.

    Raises:
        BadInput: what was handed in makes no arena; the sentence says why.
        WrongType: an argument is no player or game.
    """
    from plyground.arena.tournament import Tournament  # here, because few programs need a database

    return Tournament(settings)
