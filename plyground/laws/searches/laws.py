"""Laws of a search, checked at every event of its recording: depths, windows, values and moves.

Each law looks at one node, its parent and its children alone, so what is found first in the order of events is a cause
and no consequence. Values are x's; where a search reports the mover's, as negamax does, they are turned first.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from plyground.laws.searches.evidence import TABLE_MISTAKES, SearchEvidence
from plyground.laws.searches.facts import OPEN, is_right_within
from plyground.laws.searches.mistakes import MISTAKES, Slip
from plyground.laws.searches.quiescence import QUIESCENCES, plain_game
from plyground.laws.searches.recording import Window
from plyground.rules import MAX, MIN, NO_MOVE, ONGOING
from plyground.score import INFINITY, counted_plies, final, plies_of, utility_of


@dataclass(frozen=True)
class SearchBreach:
    """Breach of a law at a node, named by the likeliest mistake."""

    key: str
    """The likely mistake: a key of `MISTAKES`."""
    words: str
    """The likely mistake in a sentence."""
    seen: str
    """The observation at the node, in a sentence."""
    node: int
    """The node, as its index in the recording; -1 where none is meant."""
    others: tuple["SearchBreach", ...] = ()
    """Other mistakes that look the same here, the likelier first."""
    detail: int = 0
    """A number that a mistake of every node has everywhere, such as the moves of a node that are searched."""

    @property
    def mistake(self) -> Slip:
        """The kind of mistake."""
        return MISTAKES[self.key]

    @property
    def law(self) -> str:
        """The law that is broken."""
        return self.mistake.law

    @property
    def kinds(self) -> tuple["SearchBreach", ...]:
        """The breach by each mistake that it may come of, the likeliest first."""
        return replace(self, others=()), *self.others

    def keep_fitting(self, fits: Callable[["SearchBreach"], bool]) -> "SearchBreach":
        """Keep the mistakes that fit; where none does, the last one, which is the most general."""
        first, *rest = [each for each in self.kinds if fits(each)] or self.kinds[-1:]
        return replace(first, others=tuple(rest))


class CheckedSearch(SearchEvidence):
    """Recorded search that is checked against the laws; `breaches` yields its breaches of them."""

    def breaches(self) -> Iterator[SearchBreach]:
        """Breaches in the order of events."""
        # In the order of events, so that the first breach is a cause: what follows from it comes later.
        for step in self.recording.steps:
            found = self._breach_on_leave(~step) if step < 0 else self._breach_on_enter(step)
            if found:
                yield found

    def _breach(
        self, keys: str | tuple[str, ...], place: int, seen: str, detail: int = 0, **more: object
    ) -> SearchBreach:
        """Build a breach from the keys of the mistakes that may cause it, the likeliest first."""
        key, *rest = (keys,) if isinstance(keys, str) else keys
        side, names = self.side(place), self.game.names
        # A mistake that is made at every node is ruled out by one node where it is not made; the most general one
        # always stays.
        key, *rest = [each for each in (key, *rest) if not self.refutes(each, side, detail)] or [(key, *rest)[-1]]
        words = {
            "side": f"{('MAX', 'MIN')[side]} ({names[side]})",
            "mover": names[side],
            "x": names[MAX],
            "o": names[MIN],
            "right": ("alpha", "beta")[side],
            "wrong": ("beta", "alpha")[side],
            "better": ("max", "min")[side],
        }
        said = MISTAKES[key].words.format(**words | {"detail": detail} | more)
        others = tuple(self._breach(other, place, seen, detail, **more) for other in rest)
        return SearchBreach(key, said[0].upper() + said[1:], seen, place, others, detail)

    def window_text(self, window: Window) -> str:
        """Format a window: `[−∞, 0]`."""
        return f"[{self.text(window[0])}, {self.text(window[1])}]"

    def _breach_on_enter(self, place: int) -> SearchBreach | None:
        node, report = self.nodes[place], self.reports[place]
        if node.parent < 0:
            return self._root_breach(place)
        above = node.parent
        if node.state == self.nodes[above].state and node.move not in self.legal(above):
            return self._breach("entered twice", above, "It is entered, and entered again before it is left.")
        if self.outcome(above) != ONGOING:
            return self._breach("goes on", above, "The game is over here, and a move of it is searched.")
        # From the most certain to the least: a wrong move or depth makes windows and values wrong, too.
        return (
            self._move_breach(place)
            or self._depth_breach(place)
            or self._late_breach(place)
            or self._window_breach(place, report.window)
        )

    def _root_breach(self, place: int) -> SearchBreach | None:
        said, window = self.reports[place].depth, self.windows[place]
        # Earlier passes of a search that deepens, or that widens its first window, may begin as they like.
        if place != self.recording.last_pass:
            return None
        if said is not None and said != self.depth:
            return self._breach("begins elsewhere", place, f"Its root has depth {said}.", said=said, meant=self.depth)
        given = self._bounded_window(place, self.given)
        if self.root_is_max and self.is_turned(place):
            given = -given[1], -given[0]
        if window and self.has_window and given != OPEN and (window[0] < given[0] or window[1] > given[1]):
            seen = f"It was given {self.window_text(self.given)}."
            return self._breach("window ignored", place, seen, said=self.window_text(window))
        return None

    def _move_breach(self, place: int) -> SearchBreach | None:
        node = self.nodes[place]
        moves = self.legal(node.parent)
        state = self.nodes[node.parent].state
        if node.move not in moves:
            number = "what was played" if node.move == NO_MOVE else f"move {node.move}"
            return self._breach("illegal", node.parent, f"{number} is not one of the {len(moves)} moves here.")
        if self.game.play(state, node.move) != node.state:
            name = self.game.move_text(state, node.move)
            return self._breach("other position", node.parent, f"{name} does not lead to what is searched after it.")
        return None

    def _depth_breach(self, place: int) -> SearchBreach | None:
        above = self.nodes[place].parent
        said, before = self.reports[place].depth, self.reports[above].depth
        left = self.depths[place]
        if said is not None and before is not None and said != before - 1 and not self._probes(place):
            if said == before:
                return self._breach("depth kept", above, f"It has depth {before}, and so has its child.")
            seen = f"It has depth {before}, its child {said}."
            others = [self.reports[child].depth for child in self.reports[above].children if child < place]
            keys = ("reduction", "depth step") if said < before - 1 in others else "depth step"
            return self._breach(keys, above, seen, said=said, meant=before - 1)
        if left is not None and left < 0:
            return self._breach("too deep", above, f"No ply of the {self.depth} is left here, and a move is searched.")
        return None

    def _probes(self, place: int) -> bool:
        """Whether a node was searched to another depth first, as an ordering of moves may do."""
        above = self.nodes[place].parent
        right = (self.reports[above].depth or 0) - 1
        return any(
            self.nodes[other].move == self.nodes[place].move and self.reports[other].depth == right
            for other in self.reports[above].children
        )

    def _late_breach(self, place: int) -> SearchBreach | None:
        """Breach at a move that is searched though the window is closed."""
        above = self.nodes[place].parent
        window, best = self.windows[above], self.best(above, place)
        if not self.has_window or window is None or window[0] >= window[1]:
            return None
        side = self.side(above)
        edge = window[1 - side]
        if not (best >= edge if side == MAX else best <= edge) or abs(best) >= INFINITY:
            return None
        found = self._kinds_of_extreme(side, not self._is_cut_due_for_other(above, place)) | {
            "no cut": True,
            "cut only beyond": best == edge,
        }
        keys = tuple(key for key, fits in found.items() if fits)
        seen = f"Its best value is {self.text(best)} and its window {self.window_text(window)}, and it goes on."
        return self._breach(keys, above, seen)

    def _window_breach(self, place: int, said: Window | None) -> SearchBreach | None:
        above = self.nodes[place].parent
        given, window = self.windows[above], self.windows[place]
        if not self.has_window or given is None or window is None or said is None:
            return None
        best, right = self.best(above, place), self._due_window(place)
        if window == right or (right[0] <= window[0] < window[1] <= right[1] and self._is_null(place)):
            return None  # a null window asks whether a move is better, and is asked again
        least, most = self.range_of(place)
        # One more on either side is no mistake; edges beyond the least and the largest value of the node are all alike.
        if max(right[0] - 1, least) <= max(window[0], least) <= max(right[0], least) and min(right[1], most) <= min(
            window[1], most
        ) <= min(right[1] + 1, most):
            return None  # wider by one, so that of equal moves each has its own value
        if self._leaks(place, window, right):
            seen = f"It is given {self.window_text(window)}, where {self.window_text(right)} is meant."
            keys = [key for key in self._kinds_of_window(place, given, window, right) if key == "wrong edge"]
            return self._breach((*keys, "window leaks"), above, seen)
        narrowed = {*window} - {*right}
        known = {each.value for at in (place, above) for each in self._known_states.of(self.nodes[at].state, at)}
        is_from_table = self._known_moves(above) or (narrowed and narrowed <= self._table_values(above) | known)
        if is_from_table and right[0] <= window[0] and window[1] <= right[1]:
            return None  # narrowed by a value that a table knew
        so_far = f" and the best value {self.text(best)} so far" if abs(best) < INFINITY else ""
        seen = (
            f"It has {self.window_text(given)}{so_far}; its child gets {self.window_text(window)}, where "
            f"{self.window_text(right)} is meant."
        )
        return self._breach(self._kinds_of_window(place, given, window, right), above, seen)

    def _kinds_of_window(self, place: int, given: Window, window: Window, right: Window) -> tuple[str, ...]:
        """Mistakes that lead to the window of a node, the likeliest first."""
        low, high = given
        above = self.nodes[place].parent
        side, best, other = self.side(above), self.best(above, place), self._other_best(above, place)
        narrowed, kept = window[side], window[1 - side]
        if window[0] <= right[0] and window[1] >= right[1]:  # wider than need be, which costs nodes alone
            wide = {
                "best not passed": window == given,
                "full window": window == OPEN,
                "edge lost": abs(kept) >= INFINITY and narrowed == right[side],
                "edge moved back": kept == right[1 - side] and self._has_bound_of_last_move(place, side),
            }
            return (*(key for key, fits in wide.items() if fits), "wide window")
        # Each kind of mistake gives a window of its own here; which of them is seen names it.
        wrong = {(low, min(high, best)), (low, best)} if side == MAX else {(max(low, best), high), (best, high)}
        of_other = (low, min(high, other)) if side == MAX else (max(low, other), high)
        is_better = narrowed > right[side] if side == MAX else narrowed < right[side]
        is_start = abs(given[side]) >= INFINITY and kept == right[1 - side] and is_better
        found = self._kinds_of_extreme(side, window == of_other) | {
            "infinity too small": is_start and 1 < abs(narrowed) < INFINITY and abs(narrowed - right[side]) > 1,
            "edge for edge": kept == right[1 - side] and narrowed == right[1 - side],
            "other edge for edge": narrowed == right[side] and kept in (right[side], given[side]),
            "wrong edge": abs(best) < INFINITY and window in wrong,
            "edges swapped": window in ((right[1], right[0]), (high, low)),
            "window not turned" if self.is_negamax else "window turned": window
            in (
                (-right[1], -right[0]),
                (-high, -low),
            ),
            "window off by one": all(abs(has - meant) <= 1 for has, meant in zip(window, right, strict=True)),
        }
        return (*(key for key, fits in found.items() if fits), "window")

    # -- when a node is left ------------------------------------------------------------------------------------------

    def _breach_on_leave(self, place: int) -> SearchBreach | None:
        node, report = self.nodes[place], self.reports[place]
        worth, left = self.worth(place), self.depths[place]
        if worth is not None and not report.children:
            if is_right_within(node.value, worth, self.windows[place] or OPEN):
                is_over = self.outcome(place) != ONGOING and node.best != NO_MOVE and node.parent < 0
                seen = "The game is over here."
                return self._breach(("move at the end", "illegal"), place, seen) if is_over else None
            is_over = self.outcome(place) != ONGOING
            return self._finished_breach(place, worth) if is_over else self._horizon_breach(place, worth)
        if worth is not None or left is None or self.is_closed(place):
            return None  # that it goes on, or comes here at all, was said before
        if not report.children:
            return self._childless_breach(place, left)
        return self._untried_breach(place) or self._value_breach(place) or self._choice_breach(place)

    @property
    def _mover_slip(self) -> str:
        """Mistake by which a value has the wrong sign where MIN is to move: it is not turned, or turned unasked."""
        return "not turned" if self.is_negamax else "of the mover"

    def _finished_breach(self, place: int, worth: int) -> SearchBreach:
        node = self.nodes[place]
        utility, plies, left = self.outcome(place), self.ply + node.level, self.depths[place]
        seen = f"The game is over here: {self.text(worth)}, and it is given {self.text(node.value)}."
        value, shorter = node.value, self.prefer_shorter
        # For "fixed depth": plies counted and plies left add up to the same number at every end.
        counted = plies_of(value) if utility_of(value) == utility else None
        total = 0 if counted is None or left is None else counted + left
        found = {
            "goes on": abs(value) > self._far_edge,
            "draw": utility == 0,
            "longer win": shorter and value == final(utility, -plies),
            "no distance": shorter and value == final(utility, 0),
            "fixed depth": bool(shorter and utility and counted) and total != self.depth,
            f"outcome {self._mover_slip}": value == -worth and self.side(place) == MIN,
            "outcome negated": value == -worth,
            "alternation": value == -worth and not self._turns_alternate(place),
            "sign mixed": value == -worth,
            "evaluates an end": value == self.game.evaluate(node.state) != utility,
        }
        evaluated = ("evaluates an end",) if value == utility == self.game.evaluate(node.state) and not left else ()
        of_table = self._kinds_of_table(place, place, value, is_leaf=True)
        keys = (*(key for key, fits in found.items() if fits), *of_table, "scale", *evaluated)
        return self._breach(keys, place, seen, total)

    def _horizon_breach(self, place: int, worth: int) -> SearchBreach:
        node = self.nodes[place]
        seen = f"No ply is left: worth {self.text(worth)}, and it is given {self.text(node.value)}."
        above = node.parent
        of_table = self._kinds_of_table(place, place, node.value, is_leaf=True)
        found = {
            f"evaluation {self._mover_slip}": node.value == -worth and self.side(place) == MIN,
            "evaluation negated": node.value == -worth,
            "alternation": node.value == -worth and not self._turns_alternate(place),
            "sign mixed": node.value == -worth,
            "horizon 0": node.value == 0,
            "horizon of the parent": above >= 0 and node.value == self.game.evaluate(self.nodes[above].state),
        }
        plain = plain_game(self.game)
        is_quiet = plain is not self.game
        noisy = {value(plain, node.state) for value in QUIESCENCES if not is_quiet and self._is_plain_fight}
        found["quiescence"] = node.value in noisy
        keys = (*(key for key, fits in found.items() if fits), *of_table, "noisy horizon" if is_quiet else "horizon")
        return self._breach(keys, place, seen)

    def _childless_breach(self, place: int, left: int) -> SearchBreach | None:
        """Breach at a node without children that should have some: it ends too soon, or a table gave its value."""
        node = self.nodes[place]
        if self.holds(place, node.value):
            return None
        truth = self.truth(node.state, left, self.ply + node.level)
        if truth is None:
            return None
        plies = counted_plies(left)
        seen = (
            f"{plies} {'is' if left == 1 else 'are'} left here: worth {self.text(truth)}, not {self.text(node.value)}."
        )
        evaluation = self.game.evaluate(node.state)
        has_known = self.reports[place].begun or self._has_table
        of_moves = self._kinds_of_unentered(place, self.legal(place)) if has_known else ()
        of_table = of_moves or self._kinds_of_table(place, place, node.value)
        is_shallow = not self.reports[place].begun and node.value in (evaluation, -evaluation)
        more = {
            "starting value": abs(node.value) > self._far_edge,
            "table bound": self.has_window and (self._has_known_move(place) or node.value in self._table_values(place)),
        }
        of_another = ("table key",) if self._may_be_of_another(place) else ()
        shallow = self._mistakes_of_shallow_search(place) if is_shallow else ()
        rest = "no search" if len(self.nodes) == 1 else "table"
        first = (key for key, fits in more.items() if fits)
        keys = tuple(dict.fromkeys((*first, *of_table, *shallow, *of_another, rest)))
        return self._breach(keys, place, seen, plies=plies)

    def _mistakes_of_shallow_search(self, place: int) -> tuple[str, ...]:
        """Mistakes by which a node is evaluated too soon, the likeliest first."""
        if self._may_be_reduced(place):
            is_seen = any(0 in plies for plies in self._plies_left_below)  # others are searched to the full depth
            return ("reduction", "too shallow") if is_seen else ("too shallow", "reduction")
        return ("too shallow",)

    def _untried_breach(self, place: int) -> SearchBreach | None:
        moves = self.legal(place)
        untried = self._unsearched_moves(place)
        best, side, value = self.best(place), self.side(place), self.nodes[place].value
        if not untried or self._is_cut_due(place, best) is not False:
            return None
        known = self._known_moves(place)
        if (known or not self.reports[place].begun) and self.holds(place, value):
            return None  # a table, or a look at what is over, may have known the others
        if known and self._is_cut_due(place, value):
            return None  # it cuts at a value that it did not search
        window = self.windows[place] or OPEN
        names = ", ".join(self.game.move_text(self.nodes[place].state, move) for move in untried)
        seen = f"Its best value is {self.text(best)} in {self.window_text(window)}; not searched: {names}."
        edge, is_cut = window[1 - side], self.nodes[place].cut != NO_MOVE
        is_tail = untried == moves[-len(untried) :] and len(untried) < len(moves)
        may_cut = is_cut or (self.has_window and is_tail and len(untried) > self._fewest_left_out[len(moves)])
        tried = self.reports[place].begun or [self.nodes[child].move for child in self.reports[place].children]
        found = {"table bound": self.has_window and value in self._table_values(place)}
        found |= dict.fromkeys(self._kinds_of_unentered(place, untried) if self._has_table else (), True)
        found |= (
            self._kinds_of_extreme(side, may_cut and self._is_cut_due_for_other(place))
            | {
                "window leaks": self.leaks_windows and is_tail and self.has_window,
                "move replaced": len(tried) == len(moves) > len({*tried}),
                "moves lost": not is_cut and len({*tried}) > 1 and self._tries_one_of_each_worth(place, {*tried}),
                "beam": self._beam_width > 1 and len({*tried}) == self._beam_width,
                "table key": self._has_table
                and not self.prefer_shorter  # else a distance may be another root's
                and not any(
                    any(self._known_states.of(self.game.play(self.nodes[place].state, move), self._next_entered[place]))
                    for move in untried
                ),
                "early by one": may_cut and self.has_window and abs(edge - best) == 1,
                "first left out": untried == moves[:1],
                "last left out": untried == moves[-1:] and len(moves) > 2 and not is_cut,
                "cut on the wrong side": is_cut and self._is_no_better(place, side, window),
                "early cut": may_cut,
            }
        )
        keys = (*(key for key, fits in found.items() if fits), "moves left out")
        return self._breach(keys, place, seen, self._beam_width)

    def equal_cuts(self) -> Iterator[SearchBreach]:
        """Nodes whose moves are left out where alpha equals beta: right, and not where cuts are to be strict."""
        for place in self._searched_nodes:
            window, best, side = self.windows[place], self.best(place), self.side(place)
            # For courses that teach strict cuts: such nodes are right by the laws, and are asked for separately.
            if window and window[0] < window[1] and best == window[1 - side] and self._unsearched_moves(place):
                seen = f"Its best value is {self.text(best)} and its window {self.window_text(window)}, and it cuts."
                yield self._breach("cut when equal", place, seen)

    def _value_breach(self, place: int) -> SearchBreach | None:
        node, side = self.nodes[place], self.side(place)
        values = list(self.before(place).values())
        if not values:
            return None
        best = self.best(place)
        low, high = self.windows[place] or OPEN
        # Fail-soft gives the best value, fail-hard the nearest edge of the window: both are right.
        if node.value in (best, min(max(best, low), high)) or self.is_bound_of_children(place, best):
            return None
        unseen = len({*self.legal(place)} - {*self.before(place)})
        if unseen and self.holds(place, node.value):
            return None
        if known := self._known_moves(place):
            names = ", ".join(self.game.move_text(node.state, move) for move in known)
            seen = f"It is given {self.text(node.value)}, which it is not worth; not searched: {names}."
            of_table = self._kinds_of_unentered(place, known)
            return self._breach(
                (*of_table, "table") if self._has_known_move(place) or of_table else "value", place, seen
            )
        unentered = self._unsearched_moves(place) if self._values_by_state else []
        if unentered and (of_table := self._kinds_of_unentered(place, unentered)):
            seen = f"It is given {self.text(node.value)}, which it is not worth."
            return self._breach((*of_table, "table"), place, seen)
        seen = (
            f"Its moves are worth {', '.join(map(self.text, values))}: the {('largest', 'smallest')[side]} is "
            f"{self.text(best)}, and it is given {self.text(node.value)}."
        )
        edge = "alpha" if node.value == low else "beta"
        return self._breach(self._kinds_of_value(place, values, best), place, seen, edge=edge)

    # -- a wrong value whose children are right ----------------------------------------------------------------------

    def first_wrong(self) -> Iterator[SearchBreach]:
        """The first node whose value is wrong though those of its children are right, or the root whose window was too
        narrow: there a wrong answer comes from."""
        if not self.nodes:
            return
        wrong = [
            report.is_left and not self.holds(place, self.nodes[place].value)
            for place, report in enumerate(self.reports)
        ]
        if (root := self._narrow_root()) is not None:
            window, value = self.windows[root] or OPEN, self.nodes[root].value
            seen = f"Its window is {self.window_text(window)}, its value {self.text(value)}."
            yield self._breach("aspiration", root, seen)
            return
        for place in (~step for step in self.recording.steps if step < 0):
            if (
                wrong[place]
                and self.reports[place].children
                and not any(wrong[each] for each in self.reports[place].children)
            ):
                if found := self._misread_breach(place):
                    yield found
                return

    def _narrow_root(self) -> int | None:
        """The last root, if its value is a bound beyond its window, and a value within the window that was given."""
        root = self.recording.last_pass
        given, window = self._bounded_window(root, self.given), self.windows[root]
        if window is None or window == given or not self.reports[root].is_left:
            return None
        if self.is_closed(root):
            return root
        value = self.nodes[root].value
        is_low, is_high = given[0] < value <= window[0], window[1] <= value < given[1]
        return root if is_low or is_high else None

    def _misread_breach(self, place: int) -> SearchBreach | None:
        """Breach at a node that takes the bound with which a move came back for the value of that move."""
        if self.has_window and self.windows[place] is None:
            return None
        value = self.nodes[place].value
        # From the last one back: a move that is searched again has its final window there.
        for child in reversed(self.reports[place].children):
            node, truth, right = self.nodes[child], self.true_value(child), self._due_window(child)
            if truth is None or is_right_within(node.value, truth, right) or node.value != value:
                continue
            window, name = self.windows[child] or OPEN, self.game.move_text(self.nodes[place].state, node.move)
            seen = (
                f"{name} was searched with {self.window_text(window)} and came back with {self.text(node.value)}, "
                f"a bound; it is worth {self.text(truth)}."
            )
            left = self.depths[place]
            narrowed = [edge for edge, meant in zip(window, right, strict=True) if edge != meant]
            of_table = [key for edge in narrowed for key in self._kinds_of_table(child, child, edge)]
            is_null = self._is_null(child) and right[1] - right[0] > 1
            if is_null and not of_table:
                return self._breach("re-search", place, seen)
            asked_again = ("re-search",) if is_null and len(narrowed) == 1 else ()
            keys = tuple(key for key in TABLE_MISTAKES if key in of_table)
            return self._breach((*asked_again, *keys, "bound"), place, seen) if left is not None else None
        seen = f"It is given {self.text(value)}, and is worth {self.text(self.true_value(place) or 0)}."
        return self._breach("unexplained", place, seen)

    def _kinds_of_value(self, place: int, values: list[int], best: int) -> tuple[str, ...]:
        """Mistakes that lead to the value of an inner node, the likeliest first."""
        value, side = self.nodes[place].value, self.side(place)
        worst = (min if side == MAX else max)(values)
        is_turned = value in (-best, -worst)
        same_again = any(other == side for _, other in self.child_values(place))
        about = (place, *self.reports[place].children)
        is_other = not all(map(self._turns_alternate, about)) if self.is_negamax else value == worst
        found = {
            "cut uncounted": self._loses_its_cut(place),
            "starting value": abs(value) >= INFINITY,
            "infinity too small": self.nodes[place].best == NO_MOVE and value != 0 and value not in values,
            "alternation": (is_turned and same_again) or (self._turns_repeat and is_other),
            "both largest": value == worst and side == MIN,
            "both smallest": value == worst and side == MAX,
            "extremes swapped": value == worst,
            "extremes mixed": value == worst,
            "not turned": self.is_negamax and (is_turned or value in (worst, -worst)),
            "turned": is_turned,
            "last move": value == values[-1],
            "first move": value == values[0],
            "starts at 0": value == 0 and (best < 0 if side == MAX else best > 0),
            "sum": value in (sum(values), sum(values) // len(values)),
            "edge for value": value in (self.windows[place] or ()),
            "changed": any(abs(value - each) <= 2 for each in values) or abs(best) <= 2 * abs(value) < 4 * abs(best),
        }
        return (*(key for key, fits in found.items() if fits), "value")

    def _choice_breach(self, place: int) -> SearchBreach | None:
        node, side = self.nodes[place], self.side(place)
        values = self.before(place)
        state = self.nodes[place].state
        if not values:
            return None
        if node.best == NO_MOVE:
            window = self.windows[place] or OPEN
            is_open = node.parent < 0 and self.given == window == OPEN and place == self.recording.last_pass
            # A lost position, where no move is better than the value the loop begins with.
            is_lost = node.value == final(self.game.bounds(state)[side], 0) and self._is_worst_start(node.value, side)
            if is_lost and is_open:
                return self._breach(
                    ("infinity too small", "no move"), place, "It has no move, for none improves its first value."
                )
            likely = ("no move", "starts at 0") if node.value == 0 else ("no move",)
            return (
                self._breach(likely, place, f"Its value is {self.text(node.value)}, and it has no move.")
                if is_open
                else None
            )
        legal = self.legal(place)
        of_child = self._move_below_best(place)
        of_others = {
            "descendant's move": of_child is not None,
            "move overwritten": node.best == self._later_move(place),
        }
        below = tuple(key for key, fits in of_others.items() if fits)
        if node.best not in legal:
            return self._breach((*below, "illegal"), place, f"Its move {node.best} is none of {legal}.")
        if node.best not in values:
            return None
        name, best = partial(self.game.move_text, state, node.best), self.best(place)
        low, high = self.windows[place] or OPEN
        if values[node.best] != best:
            if not low < best < high and (node.parent >= 0 or self.given != OPEN or (low, high) != OPEN):
                return None  # nothing was better than what is had elsewhere
            tried = list(values)
            right = next(move for move in tried if values[move] == best)
            found = {
                "not turned": self.is_negamax and values[node.best] == -best,
                "always first": node.best == legal[0],
                "always last": node.best == tried[-1],
            }
            keys = (*below, *(key for key, fits in found.items() if fits), "other move")
            seen = f"{name()} is worth {self.text(values[node.best])}; {self.game.move_text(state, right)} is the best."
            return self._breach(keys, place, seen)
        return self._tie_breach(place, name, best, side)

    def _is_worst_start(self, value: int, side: int) -> bool:
        return value < 0 if side == MAX else value > 0

    def _tie_breach(self, place: int, name: Callable[[], str], best: int, side: int) -> SearchBreach | None:
        """Breach by a move whose value equals the best before it: with its window that is only a bound."""
        node, report = self.nodes[place], self.reports[place]
        first = next(child for child in report.children if self.nodes[child].move == node.best)
        before = self.best(place, first)
        window = self.windows[first]
        low, high = self.windows[place] or OPEN
        if not self.has_window or before != best or len(report.children) < 2 or not low < best < high:
            return None
        # A window that was open to values below the best gives an exact one, so that equality is known.
        if window is not None and (window[0] < best if side == MAX else window[1] > best):
            return None
        seen = f"{name()} is worth {('at most', 'at least')[side]} {self.text(best)}, which it had already."
        return self._breach("late tie", place, seen)
