"""Evidence from a whole recorded search: its use of windows, tables and extremes over all nodes."""

from collections import Counter
from functools import cached_property
from typing import Any

from plyground.laws.searches.facts import OPEN, SearchFacts, is_right_within
from plyground.laws.searches.mistakes import MISTAKES
from plyground.laws.searches.recording import Window
from plyground.laws.searches.tables import KnownStates, ValuedState
from plyground.rules import MAX, MIN, NO_MOVE, ONGOING
from plyground.score import ESTIMATES, INFINITY, final, plies_of, utility_of

TABLE_MISTAKES = ("table distance", "table flag", "table bound", "table depth", "table side", "table key")
"""Mistakes of a table, the likeliest first."""


def leaks(evidence: Counter[str]) -> bool:
    """Whether the evidence says that windows are changed by searches below other moves."""
    return bool(evidence["edge"] or (evidence["stop"] > 1 and not evidence["against"]))


class SearchEvidence(SearchFacts):
    """Recorded search with evidence that only its nodes together give."""

    def _is_cut_due(self, place: int, best: int) -> bool | None:
        """Whether a cut is due at a node: no other move can matter; None if its window is not known."""
        window, side = self.windows[place], self.side(place)
        # The best end there is, as soon as can be: no other move can be better, with a window or without.
        if best == final(self.game.bounds(self.nodes[place].state)[side == MAX], self._soonest(place)):
            return True
        if window is None:
            return None if self.has_window else False
        low, high = self.game.bounds(self.nodes[place].state)
        soonest = self._soonest(place)
        least, most = min(final(low, soonest), -ESTIMATES), max(final(high, soonest), ESTIMATES)
        if window[0] >= most or window[1] <= least:
            return True  # no move can be worth what is had elsewhere
        return window[0] >= window[1] or (best >= window[1] if side == MAX else best <= window[0])

    def _soonest(self, place: int) -> int:
        return int(self.prefer_shorter) * (self.ply + self.nodes[place].level + 1)

    def _has_bound_of_last_move(self, place: int, side: int) -> bool:
        """Whether a node's window has the value of the move before it for an edge, be that better or not."""
        values, window = [*self.before(self.nodes[place].parent, place).values()], self.windows_as_shown[place]
        return bool(values and window) and (window or OPEN)[side] == values[-1]

    def _is_null(self, place: int) -> bool:
        """Whether a node's window has no room for a value: it only asks whether there is more."""
        window = self.reports[place].window
        return window is not None and window[1] - window[0] == 1

    def _due_window(self, place: int) -> Window:
        """The window that a node should have: its parent's, narrowed by the best value so far."""
        above = self.nodes[place].parent
        low, high = self.windows[above] or OPEN
        best = self.best(above, place)
        return self._bounded_window(
            place, (max(low, best), high) if self.side(above) == MAX else (low, min(high, best))
        )

    def _leaks(self, place: int, window: Window, right: Window) -> bool:
        """Whether a node's window is narrowed by values of the children of its earlier siblings."""
        above = self.nodes[place].parent
        side = self.side(above)
        is_narrower = right[0] <= window[0] and window[1] <= right[1]
        if not is_narrower or window[1 - side] == right[1 - side]:
            return False
        # The edge must be a value from below an earlier sibling. If the node's own state had that value before, a table
        # may have given it.
        first, edge, state = self.reports[above].children[0], window[1 - side], self.nodes[place].state
        below = [node for node in range(first, place) if self.reports[node].is_left and self.nodes[node].value == edge]
        return any(self.nodes[node].parent != above for node in below) and not any(
            self.nodes[node].state == state for node in below
        )

    @property
    def leaks_windows(self) -> bool:
        """Whether a window is changed by searches below other moves, as `leaks` or this recording says."""
        return leaks(self.leak_evidence) if self.leaks is None else self.leaks

    @cached_property
    def leak_evidence(self) -> Counter[str]:
        """Windows that are narrowed by values of the children of earlier siblings; nodes that leave moves out
        after the first child whose own moves were searched, as where it has closed its parent's window; and others."""
        found: Counter[str] = Counter(edge=self._narrowed_from_below())
        for place in self._searched_nodes if self.has_window else ():
            *before, last = self.reports[place].children
            goes_on = any(self.reports[child].children and self.side(child) != self.side(place) for child in before)
            # A leak closes windows after the first child that has children; a node that goes on after one speaks
            # against it.
            stops = bool(self._unsearched_moves(place))
            found["against"] += goes_on or (stops and not self.reports[last].children)
            found["stop"] += stops
        return found

    def _narrowed_from_below(self) -> bool:
        """Whether a window is narrowed by values of the children of earlier siblings."""
        for place, node in enumerate(self.nodes):
            given, window = node.parent >= 0 and self.windows[node.parent], self.windows[place]
            if given and window and self.has_window:
                right = self._due_window(place)
                if right[1] - right[0] > 1 and not self._is_null(place) and self._leaks(place, window, right):
                    return True
        return False

    @cached_property
    def takes_both_extremes(self) -> bool:
        """Whether a node has the other player's extreme for its value, as `mixes_extremes` or this recording says."""
        return bool(self.mixes_extremes) or any(
            self.reports[place].is_left
            and self.nodes[place].value == self._other_best(place) != self.best(place)
            and not self.holds(place, self.nodes[place].value)
            for place in self._searched_nodes
        )

    def _kinds_of_extreme(self, side: int, is_as_other: bool) -> dict[str, bool]:
        """Mistakes by which a node is searched as if the other player moved: they explain its windows and cuts."""
        fits = is_as_other and self.takes_both_extremes
        return {
            "both largest": fits and side == MIN,
            "both smallest": fits and side == MAX,
            "extremes swapped": fits,
            "alternation": fits and self._turns_repeat,
            "extremes mixed": fits,
        }

    @cached_property
    def _is_plain_fight(self) -> bool:
        """Whether who wins wins by 1, and turns alternate here: a game for lesson 17's quiescence."""
        return tuple(self.game.bounds(self.nodes[0].state)) == (-1, 1) and not self._turns_repeat

    @cached_property
    def _turns_repeat(self) -> bool:
        """Whether a player moves twice in a row somewhere."""
        return any(node.parent >= 0 and not self._turns_alternate(place) for place, node in enumerate(self.nodes))

    def _turns_alternate(self, place: int) -> bool:
        """Whether the player who moves at a node is the one who would if turns alternated from the root on."""
        return self.side(place) == (self.side(0) + self.nodes[place].level) % 2

    def _is_cut_due_for_other(self, place: int, until: int | None = None) -> bool:
        """Whether a node's other moves would need no search if the other player were to move."""
        window, other = self.windows[place], self._other_best(place, until)
        return window is not None and (other <= window[0] if self.side(place) == MAX else other >= window[1])

    def _other_best(self, place: int, until: int | None = None) -> int:
        """Best value so far for the player other than the mover of a node; 0 before the first."""
        return (min if self.side(place) == MAX else max)(self.before(place, until).values(), default=0)

    def _is_searched(self, place: int) -> bool:
        return bool(self.reports[place].children or self.reports[place].begun)

    @cached_property
    def _known_states(self) -> KnownStates:
        return KnownStates(self, self.earlier)

    def _kinds_of_table(self, place: int, before: int, value: int, *, is_leaf: bool = False) -> tuple[str, ...]:
        """Mistakes by which a table may give a value for a node that is entered at `place`, the likeliest first."""
        kind = "outcome negated" if self.outcome(place) != ONGOING else "evaluation negated"
        is_exception = is_leaf and self._values_rightly(kind, self.side(place))
        return self._kinds_of_known(place, NO_MOVE, before, value, is_sure=is_exception)

    def _kinds_of_known(
        self, place: int, move: int, before: int, value: int, *, is_sure: bool = False
    ) -> tuple[str, ...]:
        """Mistakes by which a table may give a value for a node, or for the state after a move of it, from the values
        before a node was entered; a bound of the wrong kind is believed beyond the window alone."""
        node, left, window = self.nodes[place], self.depths[place], self.windows_as_shown[place]
        state, ply = node.state, self.ply + node.level
        if move != NO_MOVE:
            state, ply, left = self.game.play(state, move), ply + 1, None if left is None else left - 1
        same = list(self._known_states.of(state, before))
        equal = [each for each in same if value in (each.value, self._distance_from(each.value, ply - each.ply))]
        here = any(each.left == left and each.is_searched for each in equal)
        found = {
            "table distance": self._is_other_distance(state, left, ply, value, same),
            "table flag": here and self.has_window and not (window and window[0] < value < window[1]),
            "table bound": here and self.has_window,
            "table depth": bool(equal) and not here,
            "table side": not equal and self._known_states.has_twin(state, left, before, value),
            "table key": not same
            and value not in (0, self._static(state))
            and any(each.value == value and each.left == left for each in self._known_states.until(before))
            and (is_sure or not self.has_window),
        }
        return tuple(key for key, fits in found.items() if fits)

    def _distance_from(self, value: int, plies: int) -> int:
        """The value of an end as it is seen from a root that is farther away by some plies."""
        if not self.prefer_shorter or abs(value) < ESTIMATES:
            return value
        return value - plies if value > 0 else value + plies

    def _static(self, state: Any) -> int:
        """Value of a state that is not searched: of its end, or by the static evaluation."""
        outcome = self.game.outcome(state)
        return self.game.evaluate(state) if outcome == ONGOING else final(outcome, 0)

    def _is_other_distance(self, state: Any, left: int | None, ply: int, value: int, same: list[ValuedState]) -> bool:
        """Whether a value would be right if the state stood as many plies from the root as where it was known, or if
        its plies from the root counted not at all or twice."""
        if not self.prefer_shorter or left is None or not utility_of(value):
            return False
        for each in same:
            # Plies counted from the node itself, or those to the root twice.
            if ply and value in (self.truth(state, left, 0), self._distance_from(each.value, ply)):
                return True
            if each.ply == ply:
                continue
            there, here = self.truth(state, left, each.ply), self.truth(state, left, ply)
            is_kept = each.value == value and not each.bound and here is not None
            if there == value or (is_kept and utility_of(here or 0) == utility_of(value)):
                return True
        return False

    @cached_property
    def _beam_width(self) -> int:
        """Number of moves that is searched at each node with more, if it is one and no cut explains it; else 0."""
        counts = [
            (len(self.legal(place)), len(self.legal(place)) - len(self._unsearched_moves(place)))
            for place in self._searched_nodes
            if self.reports[place].is_left and self._is_cut_due(place, self.best(place)) is False
        ]
        most = max((tried for _, tried in counts), default=0)
        shortened = {legal for legal, tried in counts if legal > tried}
        # A fixed number everywhere, and at least one node with more moves.
        is_one = all(tried == min(legal, most) for legal, tried in counts)
        return most if is_one and shortened else 0

    @cached_property
    def _has_table(self) -> bool:
        """Whether a search that has no window leaves out moves whose states it knows, and is right: it keeps values."""
        return not self.has_window and any(
            self.holds(place, self.nodes[place].value)
            and any(
                any(self._known_states.of(self.game.play(self.nodes[place].state, move), place)) for move in left_out
            )
            for place in self._searched_nodes
            if (left_out := self._unsearched_moves(place))
        )

    def _tries_one_of_each_worth(self, place: int, tried: set[int]) -> bool:
        """Whether the moves that were searched are one of each worth, and the others are worth as much as one of them:
        as where moves are kept in a dict by their worth."""
        state = self.nodes[place].state
        worth = {}
        for move in self.legal(place):
            worth[move] = self._static(self.game.play(state, move))
        return len({worth[move] for move in tried}) == len(tried) == len({*worth.values()})

    def _unsearched_moves(self, place: int) -> list[int]:
        """Moves of a node that the search does not look at."""
        report = self.reports[place]
        tried = set(report.begun) | {self.nodes[child].move for child in report.children}
        return [move for move in self.legal(place) if move not in tried]

    @cached_property
    def _fewest_left_out(self) -> dict[int, int]:
        """Fewest moves that the search leaves out, by the number of a node's moves: one that always leaves out as many
        may count them and not cut."""
        found: dict[int, int] = {}
        for place in self._searched_nodes:
            count = len(self.legal(place))
            found[count] = min(found.get(count, count), len(self._unsearched_moves(place)))
        return found

    @cached_property
    def _searched_nodes(self) -> list[int]:
        """Nodes with a move that was searched."""
        return [place for place, report in enumerate(self.reports) if report.children]

    def refutes(self, key: str, side: int, detail: int = 0) -> bool:
        """Whether the recording has a node of a player where a mistake that is made at each of them is not made."""
        match key:
            case "table bound":
                return self._known_states.are_bounds_searched_again
            case "no distance":
                return any(
                    node.kind == "leaf"
                    and node.level
                    and self.side(place) == side
                    and node.value == self.worth(place) != 0
                    for place, node in enumerate(self.nodes if self.prefer_shorter else ())
                )
            case "fixed depth":
                return bool(self._win_totals - {detail})
            case "beam":
                return bool(self._beam_refuted(detail))
            case "full window":
                return any(node.parent >= 0 and self.windows[place] != OPEN for place, node in enumerate(self.nodes))
            case "descendant's move":
                return any(map(self._keeps_its_move, self._searched_nodes)) or self._ends_have_moves
            case "move overwritten":
                return any(map(self._keeps_best_after_deeper, self._searched_nodes)) or self._ends_have_moves
            case "alternation":
                return not self.is_negamax and any(self._is_extreme_of(place) for place in self._searched_nodes)
        if key.startswith(("outcome ", "evaluation ", "horizon ")):
            return MISTAKES[key].is_always and self._values_rightly(key, side)
        return MISTAKES[key].is_always and any(
            not self._is_made(key, place)
            for place in self._searched_nodes
            if self.side(place) == side and len(self.legal(place)) > 1 and self.reports[place].is_left
        )

    @property
    def _ends_have_moves(self) -> bool:
        """Whether a node has a move of which none was searched."""
        return any(node.best != NO_MOVE for place, node in enumerate(self.nodes) if not self._is_searched(place))

    @cached_property
    def _win_totals(self) -> set[int]:
        """Plies that are counted for each won or lost end and plies left there, together."""
        found: set[int] = set()
        for place, node in enumerate(self.nodes if self.prefer_shorter else ()):
            left, outcome = self.depths[place], self.outcome(place)
            is_end = self.reports[place].is_left and not self.reports[place].children and outcome not in (ONGOING, 0)
            if is_end and left is not None and utility_of(node.value) == outcome:
                found.add(plies_of(node.value) + left)
        return found

    def _beam_refuted(self, most: int) -> bool:
        """Whether a node has more than `most` moves that were searched."""
        return any(len(self.legal(place)) - len(self._unsearched_moves(place)) > most for place in self._searched_nodes)

    def _is_extreme_of(self, place: int) -> bool:
        """Whether a node takes another extreme than that of the player who would move if turns alternated."""
        values = self.before(place).values()
        if len({*values}) < 2 or not self.reports[place].is_left:
            return False
        is_own = self.nodes[place].value == self.best(place)
        is_other = self.nodes[place].value == self._other_best(place)
        return is_other if self._turns_alternate(place) else is_own

    def _values_rightly(self, key: str, side: int) -> bool:
        """Whether an end, or a node at the horizon, has its own value and not 0; a sign is turned for both players."""
        kind = "leaf" if key.startswith("outcome") else "horizon"
        is_of_both = key in ("outcome negated", "evaluation negated", "horizon 0")
        return any(
            node.kind == kind and (is_of_both or self.side(place) == side) and node.value == self.worth(place) != 0
            for place, node in enumerate(self.nodes)
            if self.reports[place].is_left and not self.reports[place].children
        )

    def _is_made(self, key: str, place: int) -> bool:
        """Whether a mistake that is made everywhere may be made at a node with several moves."""
        node, moves, values = self.nodes[place], self.legal(place), self.before(place)
        match key:
            case "wrong edge":
                return not self._is_narrowed(place)
            case "first left out" | "last left out":
                left_out = self._unsearched_moves(place)
                is_cut = node.cut != NO_MOVE or self._is_cut_due(place, self.best(place)) is not False
                return moves[0 if key == "first left out" else -1] in left_out and (len(left_out) == 1 or is_cut)
            case "always first":
                return node.best in (moves[0], NO_MOVE)
            case "always last":
                return node.best in ([*values][-1:] or [node.best]) or node.best == NO_MOVE
            case "both largest" | "both smallest" | "extremes swapped":
                return node.value != self.best(place) or len({*values.values()}) == 1
            case "first move":
                return node.value in ([*values.values()][:1] or [node.value])
            case _:
                return node.value in ([*values.values()][-1:] or [node.value])

    def _is_narrowed(self, place: int) -> bool:
        """Whether a child of a node has the node's window, narrowed as is right by the best value so far."""
        given, side = self.windows[place], self.side(place)
        if given is None:
            return False
        for child in self.reports[place].children:
            best = self.best(place, child)
            if abs(best) < INFINITY and given[0] < best < given[1]:
                right = (best, given[1]) if side == MAX else (given[0], best)
                if self.windows[child] == right:
                    return True
        return False

    def _known_moves(self, place: int) -> list[int]:
        """Moves that a search began and did not enter: a table knew their values."""
        report = self.reports[place]
        entered = {self.nodes[child].move for child in report.children}
        return [move for move in dict.fromkeys(report.begun) if move not in entered]

    def _table_values(self, place: int) -> set[int]:
        """Values that a table may have given for moves that were not entered, where the search reports no moves that it
        begins: those of the same states elsewhere."""
        state = self.nodes[place].state
        return {
            value
            for move in (self._unsearched_moves(place) if self._values_by_state else [])
            for value in self._values_by_state.get(self.game.play(state, move), ())
        }

    @cached_property
    def _values_by_state(self) -> dict[Any, set[int]]:
        """Values of each state that was searched; none if the search reports the moves that it begins."""
        found: dict[Any, set[int]] = {}
        for node, report in zip(self.nodes, self.reports, strict=True):
            if report.is_left:
                found.setdefault(node.state, set()).add(node.value)
        return {} if any(report.begun for report in self.reports) else found

    def _has_known_move(self, place: int) -> bool:
        """Whether a move that was begun and not entered leads to a state that has been searched."""
        after = (self.game.play(self.nodes[place].state, move) for move in self._known_moves(place))
        return any(each.is_searched for state in after for each in self._known_states.of(state, place))

    def _is_no_better(self, place: int, side: int, window: Window) -> bool:
        """Whether the last move that was searched is no better for the mover than what it had before."""
        last, before = self.reports[place].children[-1], self.best(place, self.reports[place].children[-1])
        value = self.nodes[last].value
        return value <= max(before, window[0]) if side == MAX else value >= min(before, window[1])

    @cached_property
    def _plies_left_below(self) -> list[set[int | None]]:
        """Plies left at the nodes below each node, itself among them, at which the search stops before an end."""
        found: list[set[int | None]] = [set() for _ in self.nodes]
        for place in reversed(range(len(self.nodes))):
            if not self._is_searched(place) and self.outcome(place) == ONGOING:
                found[place].add(self.depths[place])
            if (above := self.nodes[place].parent) >= 0:
                found[above] |= found[place]
        return found

    def _may_be_reduced(self, place: int) -> bool:
        """Whether a node that ends too soon is, or is below, a move below which nothing is searched to the full depth;
        not where the node's own value may have ended it."""
        low, high = self.windows[place] or OPEN
        while self.nodes[place].parent >= 0:
            value = self.nodes[place].value
            if (self.reports[place].children or low < value < high) and 0 not in self._plies_left_below[place]:
                return True
            place = self.nodes[place].parent
        return False

    def _may_be_of_another(self, place: int) -> bool:
        """Whether a node that is left without a search may have the value that a table keeps of another position; an
        edge of its window only if another node has such a value that is none."""
        return self._is_of_another(place) and not (
            self._is_edge(place) and all(map(self._is_edge, filter(self._is_of_another, self._unsearched_nodes)))
        )

    def _is_edge(self, place: int) -> bool:
        """Whether a node has an edge of its window for its value."""
        return self.nodes[place].value in (self.windows_as_shown[place] or ())

    @cached_property
    def _unsearched_nodes(self) -> list[int]:
        """Nodes that are left without a search though plies are left, with a value that is wrong."""
        return [
            place
            for place, told in enumerate(self.reports)
            if told.is_left and not self._is_searched(place) and (self.depths[place] or 0) > 0
            if self.outcome(place) == ONGOING and not self.holds(place, self.nodes[place].value)
        ]

    def _is_of_another(self, place: int) -> bool:
        """Whether another position was given a node's value before, to the same depth."""
        node, left = self.nodes[place], self.depths[place]
        return any(
            (each.value, each.left) == (node.value, left) and each.is_searched and each.state != node.state
            for each in self._known_states.until(place)
        )

    def is_bound_of_children(self, place: int, best: int) -> bool:
        """Whether a node's value is a bound, beyond its window, of the best value of its children."""
        return is_right_within(self.nodes[place].value, best, self.windows[place] or OPEN)

    def _kinds_of_unentered(self, place: int, moves: list[int]) -> tuple[str, ...]:
        """Mistakes by which a table may give a node's value for one of its moves that were not entered."""
        node = self.nodes[place]
        found = [
            key for move in moves for key in self._kinds_of_known(place, move, self._next_entered[place], node.value)
        ]
        if self.prefer_shorter and utility_of(node.value):  # a distance of another root is likelier
            known = (
                self._known_states.of(self.game.play(node.state, move), self._next_entered[place]) for move in moves
            )
            found = [key for key in found if key != "table key"] if any(map(any, known)) else found
        return tuple(key for key in TABLE_MISTAKES if key in found)

    @cached_property
    def _next_entered(self) -> list[int]:
        """The node that is entered next after each is left."""
        ends, entered = [0] * len(self.nodes), 0
        for step in self.recording.steps:
            if step < 0:
                ends[~step] = entered
            else:
                entered = step + 1
        return ends

    def _loses_its_cut(self, place: int) -> bool:
        """Whether a node has the best value of all moves but the last one, whose value closes the window."""
        window, side, children = self.windows[place], self.side(place), self.reports[place].children
        if not self.has_window or window is None or not children:
            return False
        last = self.nodes[children[-1]].value
        least, most = self.range_of(place)
        is_closed = last >= min(window[1], most) if side == MAX else last <= max(window[0], least)
        before = self.best(place, children[-1])
        if before >= window[1] if side == MAX else before <= window[0]:
            return False
        # The value without the last move, or the loop's start where there was no move before.
        is_before = self.nodes[place].value == before or (abs(before) >= INFINITY <= abs(self.nodes[place].value))
        return is_closed and is_before

    def _move_below_best(self, place: int) -> int | None:
        """The best move of a node, if the move that it reports is another one, and that of the child it leads to."""
        node, best = self.nodes[place], self.best(place)
        for child in self.reports[place].children:
            below = self.nodes[child]
            if below.value == best == node.value and node.best == below.best != below.move and below.best != NO_MOVE:
                values = self.before(place)
                is_other = values[node.best] != best if node.best in values else node.best not in self.legal(place)
                return below.move if is_other else None
        return None

    def _later_move(self, place: int) -> int:
        """The last move that came back with a child searched after the one whose value the node has; else `NO_MOVE`."""
        children, value = self.reports[place].children, self.nodes[place].value
        first = next((child for child in children if self.nodes[child].value == value), len(self.nodes))
        moves = (self.nodes[child].best for child in reversed(children) if child > first)
        return next((move for move in moves if move != NO_MOVE), NO_MOVE)

    def _keeps_best_after_deeper(self, place: int) -> bool:
        """Whether a node has its best move though moves of deeper calls came after it."""
        node, values = self.nodes[place], self.before(place)
        return self._later_move(place) not in (NO_MOVE, node.best) and values.get(node.best) == node.value

    def _keeps_its_move(self, place: int) -> bool:
        """Whether a node has another move than one that comes back with its value, or a wrong one where none does."""
        node, values = self.nodes[place], self.before(place)
        best = [self.nodes[child] for child in self.reports[place].children if self.nodes[child].value == node.value]
        moves = {below.move if below.best == NO_MOVE else below.best for below in best}
        return bool(best) and self.reports[place].is_left and len({*values.values()}) > 1 and node.best not in moves
