"""Catalogue of mistakes of searches: the law that each breaks, and the sentence that names it.

Places in a sentence are filled by `laws.py`: `mover` and `other` are the names of the players, MAX or MIN with
them; `right`, `wrong` are edges of the window, alpha and beta; `plies` counts in words.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Slip:
    """Kind of mistake, with the law that it breaks and its sentence for students."""

    law: str
    """The law that it breaks: a key of `SEARCH_LAWS`."""
    words: str
    """The likely mistake in the code and its correction, in words."""
    is_wrong: bool = True
    """Whether it can make an answer wrong; else it costs nodes."""
    is_general: bool = False
    """Whether it fits whatever breaks the law, and so says less than another."""
    is_always: bool = False
    """Whether it tells what the search does at every node of a player, so that one where it does otherwise refutes it:
    `CheckedSearch.refutes`."""


SEARCH_LAWS: Final = {
    "finished": "a finished position is not searched on, and is worth final(utility, plies)",
    "depth": "a child's depth is one less, and a node is evaluated where no ply is left",
    "sign": "values are x's; MAX takes the largest, MIN the smallest",
    "value": "a value is what its children allow",
    "table": "a value that was known before is the state's own, to the depth and from the root that are asked about",
    "window in": "the search begins with the window that it is given",
    "window": "a child's window is its parent's, narrowed by the best value so far",
    "bound": "a bound that a narrower window gave is no value: the move is searched again",
    "cut": "moves are left out where alpha has reached beta, and only there",
    "legal": "a move is legal, and leads to the position that is searched",
    "choice": "the move is one whose value is the node's, and not only a bound",
    "report": "what is reported is what is returned",
    "runs": "a search ends, and gives two ints",
}
"""The laws of a search, each in a sentence."""

MISTAKES: Final = {
    # -- finished positions
    "goes on": Slip("finished", "A finished game is searched on: ask game.outcome(state) before anything else."),
    "evaluates an end": Slip(
        "finished", "A finished game gets its static evaluation: ask game.outcome(state) before depth == 0."
    ),
    "scale": Slip(
        "finished",
        "A finished game gets another value than its own: final(utility, plies) of plyground.score, a win 1,048,576.",
        is_general=True,
    ),
    "draw": Slip("finished", "A drawn game is not worth 0."),
    "longer win": Slip("finished", "The longer win is preferred: plies count against a win; use final()."),
    "no distance": Slip(
        "finished", "prefer_shorter is not heeded: a finished game is final(utility, ply) then.", is_always=True
    ),
    "fixed depth": Slip(
        "finished",
        "The plies of a win are counted from a fixed depth, {detail} here: they are those since the root, ply.",
        is_always=True,
    ),
    "move at the end": Slip("finished", "A finished game has no move: it is pg.NO_MOVE."),
    # -- depth
    "depth kept": Slip("depth", "The depth is passed on as it is: a child has depth - 1."),
    "reduction": Slip(
        "depth",
        "Some moves are searched less deep than others: one that seems better then has to be searched again, to the "
        "full depth.",
    ),
    "depth step": Slip("depth", "The depth of a child is not one less than its parent's: it is {said}, not {meant}."),
    "too shallow": Slip(
        "depth", "The search ends {plies} too soon: the static evaluation is for depth == 0 and not before."
    ),
    "no search": Slip(
        "depth", "No move is searched: the search calls itself for the state after each of game.moves(state)."
    ),
    "too deep": Slip("depth", "The search ends too late: at depth == 0 comes the static evaluation."),
    "to the end": Slip(
        "depth",
        "It searches to the end of the game, whatever the depth is: --to-the-end grades it as such a search.",
    ),
    "begins elsewhere": Slip("depth", "The search begins at depth {said}, where {meant} was asked for."),
    # -- signs and sides
    "outcome of the mover": Slip(
        "sign",
        "The outcome is turned round where {o} is to move, as in negamax: values are x's at every node here.",
        is_always=True,
    ),
    "outcome negated": Slip(
        "sign", "The outcome's sign is turned: game.outcome(state) is x's utility already.", is_always=True
    ),
    "evaluation of the mover": Slip(
        "sign",
        "The static evaluation is turned round where {o} is to move, as in negamax: values are x's at every node here.",
        is_always=True,
    ),
    "outcome not turned": Slip(
        "sign",
        "The outcome is x's, also where {o} is to move: in negamax a finished game is worth the mover's value.",
        is_always=True,
    ),
    "evaluation not turned": Slip(
        "sign", "The static evaluation is x's, also where {o} is to move: negamax takes the mover's.", is_always=True
    ),
    "evaluation negated": Slip("sign", "The static evaluation's sign is turned: it is x's already.", is_always=True),
    "both largest": Slip("sign", "MIN takes the largest value, as MAX does: {o} wants the smallest.", is_always=True),
    "both smallest": Slip("sign", "MAX takes the smallest value, as MIN does: {x} wants the largest.", is_always=True),
    "extremes swapped": Slip(
        "sign", "MAX and MIN are swapped: MAX takes the largest value, MIN the smallest.", is_always=True
    ),
    "alternation": Slip(
        "sign",
        "Players are taken to alternate: game.to_move(state) says who moves, and may say the same one again.",
        is_always=True,
    ),
    "extremes mixed": Slip(
        "sign",
        "At some nodes the other player's extreme is taken: game.to_move(state) says whether MAX or MIN moves, not the "
        "depth, and not who moved before.",
        is_general=True,
    ),
    "sign mixed": Slip(
        "sign",
        "At some nodes the sign of what a position is worth is turned: game.outcome(state) and game.evaluate(state) "
        "are x's, whatever the ply or the depth.",
        is_general=True,
    ),
    "not turned": Slip("sign", "A value is not turned on the way up: negamax takes minus its child's value."),
    "turned": Slip(
        "sign", "A value's sign is turned on the way up: only in negamax, where values are the mover's, it is."
    ),
    "answer of the mover": Slip("sign", "The answer is the mover's value: a search gives x's, also where o moves."),
    "answer negated": Slip("sign", "The answer's sign is turned: a search gives x's value."),
    # -- values
    "horizon 0": Slip("value", "At the depth limit the value is 0: game.evaluate(state) is meant.", is_always=True),
    "horizon of the parent": Slip("value", "At the depth limit the position before the last move is evaluated."),
    "quiescence": Slip(
        "value",
        "At the depth limit it looks for a win at once, or for the one safe move, as quiescence search does: "
        "--exercise quiescence grades it as such a search.",
    ),
    "noisy horizon": Slip(
        "value",
        "At the depth limit the value is not lesson 17's: a win at once, what the one safe move leads to, else "
        "game.evaluate(state). A search with other noisy moves is judged by its games.",
        is_general=True,
    ),
    "horizon": Slip("value", "At the depth limit the value is not game.evaluate(state).", is_general=True),
    "starts at 0": Slip(
        "value",
        "The best value starts at 0: with only worse moves it stays there. MAX starts at -INFINITY, MIN at INFINITY.",
    ),
    "cut uncounted": Slip(
        "value", "The move that cuts off is not counted: take its value and the move before the loop is left."
    ),
    "starting value": Slip("value", "The value that the loop starts with is given back: no move has improved it."),
    "infinity too small": Slip(
        "value",
        "The best value starts at one that a lost game is no better than, so no move is kept: MAX starts at -INFINITY, "
        "MIN at INFINITY.",
    ),
    "first move": Slip(
        "value", "The first move's value is taken, not the best: is there a return in the loop?", is_always=True
    ),
    "last move": Slip(
        "value", "The last move's value is taken, not the best: compare with the best so far.", is_always=True
    ),
    "sum": Slip("value", "Values are added up: a node is worth its best child."),
    "edge for value": Slip("value", "{edge} is given back for the value: {mover} gives its best value."),
    "changed": Slip(
        "value", "A value is changed on its way up: a node is worth just what its best child is.", is_general=True
    ),
    "value": Slip("value", "The value is none that the children allow.", is_general=True),
    # -- tables
    "table distance": Slip(
        "table",
        "The table keeps a win's distance from another root: keep the plies from the node, and add its ply when it is "
        "looked up.",
    ),
    "table bound": Slip(
        "table", "A bound from the table is taken for the value: keep with it which it is.", is_always=True
    ),
    "table flag": Slip(
        "table",
        "An entry of the table says the wrong kind of bound: at most where the value is not above the alpha that the "
        "node was given, at least where it is not below beta.",
    ),
    "table depth": Slip("table", "The table answers with a value of another depth: keep and compare the depth."),
    "table side": Slip("table", "The table takes one board for both players: who moves belongs to its key."),
    "table key": Slip(
        "table", "The table answers with another position's value: keep the position in the entry, and compare it."
    ),
    "table left": Slip("table", "What the last search left is wrong in this one: asked alone, the search is right."),
    "table": Slip("table", "A node is left without a search, with a value that is not its own.", is_general=True),
    # -- bounds
    "re-search": Slip(
        "bound",
        "A move whose null window fails is not searched again: its bound is taken for its value. Search it with the "
        "whole window.",
    ),
    "aspiration": Slip(
        "bound",
        "The first window was too narrow, and its bound is given for the value: search again with a wider one.",
    ),
    "bound": Slip("bound", "A bound is taken for the value of a move.", is_general=True),
    "unexplained": Slip("bound", "A value is wrong, though each value below it is right.", is_general=True),
    # -- windows
    "window ignored": Slip(
        "window in", "The search does not begin with the window that it is given: it begins with {said}."
    ),
    "full window": Slip("window", "Every child gets the whole window: pass alpha and beta on.", False, is_always=True),
    "best not passed": Slip(
        "window", "{side} does not pass its best value on: {right} becomes {better}({right}, best).", False
    ),
    "edge for edge": Slip("window", "{side} passes {wrong} on where {right} is meant."),
    "other edge for edge": Slip("window", "{side} passes {right} on where {wrong} is meant."),
    "wrong edge": Slip(
        "window", "{side} narrows {wrong} where {right} is meant: its best value becomes {right}.", is_always=True
    ),
    "edges swapped": Slip("window", "Alpha and beta are passed on in each other's place."),
    "window leaks": Slip(
        "window",
        "A node's window is changed by what is searched below other moves: each call needs an alpha and a beta of its "
        "own.",
    ),
    "window turned": Slip(
        "window", "The window is turned round, -beta and -alpha, as in negamax: values are x's here."
    ),
    "window not turned": Slip("window", "The window is not turned round: negamax passes -beta and -alpha on."),
    "edge lost": Slip("window", "{side} does not pass {wrong} on as it was given.", False),
    "edge moved back": Slip("window", "{right} is set to a worse value than it was: {better}({right}, value).", False),
    "window not told": Slip(
        "window",
        "The windows of nodes are not seen: name their variables alpha and beta, or report them by "
        "observer.enter(state, depth, ply, alpha, beta).",
        False,
    ),
    "wide window": Slip(
        "window", "The window passed on is wider than the node's, narrowed by its best value so far.", False, True
    ),
    "window off by one": Slip("window", "The window passed on is off by one."),
    "window": Slip(
        "window", "The window passed on is not the node's, narrowed by its best value so far.", is_general=True
    ),
    # -- cuts
    "cut only beyond": Slip(
        "cut", "{side} cuts when alpha is above beta, not when they are equal: >= is meant.", False
    ),
    "cut when equal": Slip(
        "cut", "{side} cuts when alpha equals beta: here a cut is due where alpha is above beta, by >.", False
    ),
    "no cut": Slip("cut", "{side} goes on where alpha has reached beta: leave the loop when alpha >= beta.", False),
    "early by one": Slip("cut", "{side} cuts one too soon: at alpha >= beta, not before."),
    "cut on the wrong side": Slip(
        "cut", "{side} cuts where its value is on the wrong side: MAX cuts at beta or above, MIN at alpha or below."
    ),
    "early cut": Slip("cut", "{side} cuts inside the window: only where alpha >= beta no other move can matter."),
    "move replaced": Slip(
        "cut", "A move that is put in front takes another's place, which is never searched: insert it, and take it out."
    ),
    "moves lost": Slip(
        "cut", "Of moves that look alike one alone is searched: are they kept in a dict by their worth?"
    ),
    "beam": Slip(
        "cut", "No more than {detail} moves of a node are searched: any of the others may be the best.", is_always=True
    ),
    "first left out": Slip("cut", "{side} never searches its first move.", is_always=True),
    "last left out": Slip("cut", "{side} never searches its last move.", is_always=True),
    "moves left out": Slip("cut", "Moves are left out that may matter: does the loop end too soon?", is_general=True),
    # -- moves
    "illegal": Slip("legal", "The move is not legal: take moves from game.moves(state)."),
    "illegal play": Slip(
        "legal", "{said}: take moves from game.moves(state), and ask whether one of elsewhere is among them."
    ),
    "killer": Slip(
        "legal", "{said}: a move that was good elsewhere, such as a killer, has to be among game.moves(state) first."
    ),
    "descendant's move": Slip(
        "legal",
        "The move comes from a deeper ply: keep the move that was made here, not the one that came back.",
        is_always=True,
    ),
    "move overwritten": Slip(
        "legal",
        "The move is that of a deeper call, made later: each call keeps its best move in a variable of its own.",
        is_always=True,
    ),
    "other position": Slip("legal", "The position searched is not the one after the move: game.play(state, move)."),
    "no move": Slip("legal", "No move is given though the game goes on."),
    "late tie": Slip(
        "choice", "A later move of equal value is kept (>= or <=): after a cut below, its value is only a bound."
    ),
    "always first": Slip(
        "choice", "The first move is given, whatever the values: keep the move with its value.", is_always=True
    ),
    "always last": Slip(
        "choice", "The last move tried is given: keep the move whose value is the best.", is_always=True
    ),
    "other move": Slip("choice", "The move given is not the one whose value was taken.", is_general=True),
    # -- reports and runs
    "earlier pass": Slip(
        "report", "The answer is that of an earlier pass: of a search that deepens the last one counts."
    ),
    "two answers": Slip("report", "The search returns another answer than it reports to observer.leave."),
    "misreported": Slip("report", "The search reports what it should not: {said}"),
    "not reported": Slip(
        "report", "Nodes are not reported: observer.enter(state) first, observer.leave(value, move) last.", False
    ),
    "not left": Slip(
        "report", "A node is entered and not left: observer.leave(value, move) comes before each return.", False
    ),
    "entered twice": Slip(
        "report", "A node is entered again inside itself: observer.enter(state) comes once for each node.", False
    ),
    "left twice": Slip(
        "report", "More nodes are left than entered: one observer.leave(value, move) for each observer.enter.", False
    ),
    "without end": Slip(
        "runs", "The search does not end: game.outcome and depth must end its calls, the moves its loops."
    ),
    "fails": Slip("runs", "The search fails: {said}"),
    "no answer": Slip("runs", "The search gives {said}: it should give its value for x and the best move, two ints."),
    "too long": Slip("runs", "The search does not end: does a loop there never end?"),
    "changes": Slip("runs", "Asked again, the search answers otherwise: does something stay from the last search?"),
}
"""Every mistake that is known by name; of two that explain the same, the one that stands first is named."""
