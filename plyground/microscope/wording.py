"""Sentences of the microscope, as templates that Python (`str.format`) and the page fill."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Wording:
    """Sentences with named places to fill."""

    over: str = "The game is over: {result}."
    repeated: str = "This position has come before on this line, so no more is to be found: {value}."
    horizon: str = "No ply is left, so the static evaluation counts: {value}."
    wrong: str = (
        "{mover} should take the {extreme} value of its moves, {right} by {move}; this search takes {value}, by {best}."
    )
    known: str = "No move is searched here: the search has {value} from elsewhere, such as a table."
    takes: str = "{mover} takes the {extreme} value of its moves: {word}{value}, by {best}."
    cut: str = (
        "With {best} this is worth {how} {value}. {elsewhere} {edge}. Since {value} {sign} {edge}, {other} will not "
        "let the game come here, whatever else {mover} has: no need to search {skipped}."
    )
    cut_best: str = (
        "With {best} this is worth {value}, the best that {mover} can get here: no need to search {skipped}."
    )
    cut_null: str = (
        "With {best} this is worth {how} {value}. The null window {window} only asks whether it is worth more than "
        "{low}, and that is answered: no need to search {skipped}."
    )
    cut_unfounded: str = (
        "It was given the window {window}, which comes of a mistake, and {best} gives {value}. That cuts off "
        "{skipped}, although {other} has no {edge} elsewhere."
    )
    cut_inside: str = "{best} gives {value}, inside the window {window}, and the search leaves out {skipped}."
    came_back: str = "{mover} takes the {extreme} of the values that came back: {value}, by {best}."
    rests: str = "{said} But it rests on a mistake {where}."
    perhaps: str = "{seen} Perhaps: {words}"
    has_elsewhere: str = "Elsewhere {other} already has"
    has_with: str = "But with {move} {where} {other} already has"
    others: str = "its other moves"
    root: str = "at the root"
    hidden: str = "{count} nodes below not shown"
    nothing_to_search: str = "The game is over: {result}; there is nothing to search."
    not_recorded: str = "{name} cannot be recorded: there are {names}."
    not_compared: str = "{name} cannot be compared by depth: there are {names}."
    depth: str = "depth={depth}: look 1 to {most} plies ahead."
    too_large: str = (
        "{name} to depth {depth} enters more than {most} nodes here; a recording holds {most} at most{instead}"
    )
    smaller: str = ": record a smaller depth."
    cut_off: str = "'{move}' was cut off; there are {moves}."
    not_there: str = "'{move}' is not in this tree; there are {moves}."
    saved_more: str = "The cut saved more than {most} nodes."
    beta_cutoff: str = "beta cutoff"
    alpha_cutoff: str = "alpha cutoff"
    line: str = "principal variation"
    at_most: str = "at most"
    at_least: str = "at least"
    largest: str = "largest"
    smallest: str = "smallest"
    after: str = "after {moves}"
    not_searched: str = "└╌ cut off: "
    below: str = "+{count} below"
    unfinished: str = "{name} did not finish depth {depth} in time"
    rate: str = "{seconds} s ({rate} {unit} a second)"
    nodes: str = "nodes"
    thousand_nodes: str = "thousand nodes"
    million_nodes: str = "million nodes"
    best_play: str = "best play: "
    won: str = "{for_x} won for {x}, {for_o} for {o}, {drawn} drawn"
    longest_win: str = "; the longest win takes {plies}"
    ask_value: str = "What is the value of {place}, where {mover} is to move, by minimax?"
    ask_cut: str = "Alpha-beta searches this tree from left to right. Which moves does it cut off at {place}, or none?"
    ask_window: str = (
        "Alpha-beta searches this tree from left to right. With which window [alpha, beta] does it enter {place}?"
    )
    node_after: str = "the node after {moves}"
    the_root: str = "the root"
    none: str = "none"
    no_bound: str = "No bound is reached, so every move is searched."
    has_nothing: str = "{name} has nothing elsewhere yet, so {word} is {value}."
    has_value: str = "With {move} {where} {name} already has {value}, so {word} is {value}."
    form_value: str = "a value, as in −1 or x in 2"
    form_cut: str = "the moves, as in a1 b2, or none"
    form_window: str = "two values, as in [−∞, 0]"
    no_answer: str = "There is no answer yet: answer with {form}."
    not_read: str = "'{text}' cannot be read: answer with {form}."
    no_such_move: str = "'{text}' is no legal move there: answer with {form}."
    quiz_range: str = "{count} questions of depth {depth}: ask 1 to {most}, of depth 1 to {deepest}."
    no_question: str = "{name} has no position worth a question of depth {depth}: ask for less."
    no_node: str = "There is no node {node}: this tree has {count}, from 0 on."


WORDING = Wording()
