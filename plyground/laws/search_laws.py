"""Laws of a search, asked at every event of its recording: depths, windows, values and moves.

Each law looks at one node, its parent and its children alone, so what is found first in the order of events is a cause
and no consequence. Values are x's; where a search reports the mover's, as negamax does, they are turned first.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from plyground.laws.search_facts import OPEN, SearchFacts
from plyground.laws.search_mistakes import MISTAKES, Slip
from plyground.laws.search_recording import Window
from plyground.rules import MAX, MIN, NO_MOVE, ONGOING
from plyground.score import INFINITY, counted_plies, final


@dataclass(frozen=True)
class SearchBreach:
    """A law that a search breaks at a node."""

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
        """The breach by those mistakes alone that fit, and where none does by the last, which is the most general."""
        first, *rest = [each for each in self.kinds if fits(each)] or self.kinds[-1:]
        return replace(first, others=tuple(rest))


class HeldSearch(SearchFacts):
    """A recorded search that is held against the laws; `broken` yields the breaches."""

    def broken(self) -> Iterator[SearchBreach]:
        """Breaches in the order of events."""
        for step in self.recording.steps:
            found = self._on_leave(~step) if step < 0 else self._on_enter(step)
            if found:
                yield found

    def _breach(self, keys: str | tuple[str, ...], place: int, seen: str, **more: object) -> SearchBreach:
        """A breach, by the mistakes that it may come of, the likeliest first."""
        key, *rest = (keys,) if isinstance(keys, str) else keys
        side, names = self.side(place), self.game.names
        key, *rest = [each for each in (key, *rest) if not self.refutes(each, side)] or [(key, *rest)[-1]]
        words = {
            "side": f"{('MAX', 'MIN')[side]} ({names[side]})",
            "mover": names[side],
            "x": names[MAX],
            "o": names[MIN],
            "right": ("alpha", "beta")[side],
            "wrong": ("beta", "alpha")[side],
            "better": ("max", "min")[side],
        }
        said = MISTAKES[key].words.format(**words | more)
        others = tuple(self._breach(other, place, seen, **more) for other in rest)
        return SearchBreach(key, said[0].upper() + said[1:], seen, place, others)

    def window_text(self, window: Window) -> str:
        """A window: `[−∞, 0]`."""
        return f"[{self.text(window[0])}, {self.text(window[1])}]"

    def _on_enter(self, place: int) -> SearchBreach | None:
        node, told = self.nodes[place], self.told[place]
        if node.parent < 0:
            return self._at_root(place)
        above = node.parent
        if node.state == self.nodes[above].state and node.move not in self.legal(above):
            return self._breach("entered twice", above, "It is entered, and entered again before it is left.")
        if self.outcome(above) != ONGOING:
            return self._breach("goes on", above, "The game is over here, and a move of it is searched.")
        return self._move(place) or self._depth(place) or self._late(place) or self._window(place, told.window)

    def _at_root(self, place: int) -> SearchBreach | None:
        said, window = self.told[place].depth, self.windows[place]
        if place != self.recording.last_pass:
            return None
        if said is not None and said != self.depth:
            return self._breach("begins elsewhere", place, f"Its root has depth {said}.", said=said, meant=self.depth)
        if window and self.has_window and self.given != OPEN and window != self.given:
            wider = window[0] < self.given[0] or window[1] > self.given[1] or window[0] >= window[1]
            if wider:
                seen = f"It was given {self.window_text(self.given)}."
                return self._breach("window ignored", place, seen, said=self.window_text(window))
        return None

    def _move(self, place: int) -> SearchBreach | None:
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

    def _depth(self, place: int) -> SearchBreach | None:
        above = self.nodes[place].parent
        said, before = self.told[place].depth, self.told[above].depth
        left = self.depths[place]
        if said is not None and before is not None and said != before - 1 and not self._probes(place):
            if said == before:
                return self._breach("depth kept", above, f"It has depth {before}, and so has its child.")
            seen = f"It has depth {before}, its child {said}."
            return self._breach("depth step", above, seen, said=said, meant=before - 1)
        if left is not None and left < 0:
            return self._breach("too deep", above, f"No ply of the {self.depth} is left here, and a move is searched.")
        return None

    def _probes(self, place: int) -> bool:
        """Whether a node was searched to another depth first, as an ordering of moves may do."""
        above = self.nodes[place].parent
        right = (self.told[above].depth or 0) - 1
        return any(
            self.nodes[other].move == self.nodes[place].move and self.told[other].depth == right
            for other in self.told[above].children
        )

    def _is_due(self, place: int, best: int) -> bool | None:
        """Whether a node's other moves need no search; None if its window is not known."""
        window, side = self.windows[place], self.side(place)
        if best == final(self.game.bounds(self.nodes[place].state)[side == MAX], self._soonest(place)):
            return True
        if window is None:
            return None if self.has_window else False
        return window[0] >= window[1] or (best >= window[1] if side == MAX else best <= window[0])

    def _soonest(self, place: int) -> int:
        return int(self.prefer_shorter) * (self.ply + self.nodes[place].level + 1)

    def _late(self, place: int) -> SearchBreach | None:
        """A move that is searched though the window is closed."""
        above = self.nodes[place].parent
        window, best = self.windows[above], self.best(above, place)
        if not self.has_window or window is None or window[0] >= window[1]:
            return None
        side = self.side(above)
        edge = window[1 - side]
        if not (best >= edge if side == MAX else best <= edge) or abs(best) >= INFINITY:
            return None
        found = self._kinds_of_extreme(side, not self._is_due_for_other(above, place)) | {
            "no cut": True,
            "cut only beyond": best == edge,
        }
        keys = tuple(key for key, fits in found.items() if fits)
        seen = f"Its best value is {self.text(best)} and its window {self.window_text(window)}, and it goes on."
        return self._breach(keys, above, seen)

    def _window(self, place: int, said: Window | None) -> SearchBreach | None:
        above = self.nodes[place].parent
        given, window = self.windows[above], self.windows[place]
        if not self.has_window or given is None or window is None or said is None:
            return None
        low, high = given
        side, best = self.side(above), self.best(above, place)
        right = (max(low, best), high) if side == MAX else (low, min(high, best))
        if window == right or (right[0] <= window[0] < window[1] <= right[1] and window[1] - window[0] == 1):
            return None  # a null window asks whether a move is better, and is asked again
        narrowed = {*window} - {*right}
        is_from_table = self._known(above) or (narrowed and narrowed <= self._table_values(above))
        if is_from_table and right[0] <= window[0] and window[1] <= right[1]:
            return None  # narrowed by a value that a table knew
        so_far = f" and the best value {self.text(best)} so far" if abs(best) < INFINITY else ""
        seen = (
            f"It has {self.window_text(given)}{so_far}; its child gets {self.window_text(window)}, where "
            f"{self.window_text(right)} is meant."
        )
        return self._breach(self._kinds_of_window(place, given, window, right), above, seen)

    @cached_property
    def takes_both_extremes(self) -> bool:
        """Whether a node has the other player's extreme for its value, as `mixes_extremes` or this recording says."""
        return bool(self.mixes_extremes) or any(
            self.told[place].is_left and self.nodes[place].value == self._other_best(place) != self.best(place)
            for place in self._searched_nodes
        )

    def _kinds_of_extreme(self, side: int, is_as_other: bool) -> dict[str, bool]:
        """Mistakes by which a node is searched as if the other player moved: they explain its windows and cuts."""
        fits = is_as_other and self.takes_both_extremes
        return {
            "both largest": fits and side == MIN,
            "both smallest": fits and side == MAX,
            "extremes swapped": fits,
            "extremes mixed": fits,
        }

    def _is_due_for_other(self, place: int, until: int | None = None) -> bool:
        """Whether a node's other moves would need no search if the other player were to move."""
        window, other = self.windows[place], self._other_best(place, until)
        return window is not None and (other <= window[0] if self.side(place) == MAX else other >= window[1])

    def _other_best(self, place: int, until: int | None = None) -> int:
        """Best value so far for the player who is not to move at a node."""
        return (min if self.side(place) == MAX else max)(self.before(place, until).values(), default=0)

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
                "edge moved back": narrowed == best and kept == right[1 - side],
            }
            return (*(key for key, fits in wide.items() if fits), "wide window")
        wrong = {(low, min(high, best)), (low, best)} if side == MAX else {(max(low, best), high), (best, high)}
        of_other = (low, min(high, other)) if side == MAX else (max(low, other), high)
        found = self._kinds_of_extreme(side, window == of_other) | {
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

    def _on_leave(self, place: int) -> SearchBreach | None:
        node, told = self.nodes[place], self.told[place]
        worth, left = self.worth(place), self.depths[place]
        if worth is not None and not told.children:
            if node.value == worth:
                is_over = self.outcome(place) != ONGOING and node.best != NO_MOVE
                seen = "The game is over here."
                return self._breach(("move at the end", "illegal"), place, seen) if is_over else None
            is_over = self.outcome(place) != ONGOING
            return self._finished(place, worth) if is_over else self._horizon(place, worth)
        if worth is not None or left is None:
            return None  # that it goes on was said before
        if not told.children:
            return self._childless(place, left)
        return self._untried(place) or self._value(place) or self._choice(place)

    @property
    def _mover_slip(self) -> str:
        """Mistake by which a value has the wrong sign where MIN is to move: it is not turned, or turned unasked."""
        return "not turned" if self.is_negamax else "of the mover"

    def _finished(self, place: int, worth: int) -> SearchBreach:
        node = self.nodes[place]
        utility, plies, left = self.outcome(place), self.ply + node.level, self.depths[place]
        seen = f"The game is over here: {self.text(worth)}, and it is given {self.text(node.value)}."
        value, shorter = node.value, self.prefer_shorter
        found = {
            "draw": utility == 0,
            "longer win": shorter and value == final(utility, -plies),
            "no distance": shorter and value == final(utility, 0),
            f"outcome {self._mover_slip}": value == -worth and self.side(place) == MIN,
            "outcome negated": value == -worth,
            "evaluates an end": value == self.game.evaluate(node.state) != utility,
        }
        evaluated = ("evaluates an end",) if value == utility == self.game.evaluate(node.state) and not left else ()
        return self._breach((*(key for key, fits in found.items() if fits), "scale", *evaluated), place, seen)

    def _horizon(self, place: int, worth: int) -> SearchBreach:
        node = self.nodes[place]
        seen = f"No ply is left: worth {self.text(worth)}, and it is given {self.text(node.value)}."
        above = node.parent
        found = {
            f"evaluation {self._mover_slip}": node.value == -worth and self.side(place) == MIN,
            "evaluation negated": node.value == -worth,
            "horizon 0": node.value == 0,
            "horizon of the parent": above >= 0 and node.value == self.game.evaluate(self.nodes[above].state),
            "table depth": any(value == node.value for _, value in self._valued_before(place, node.state)),
        }
        return self._breach((*(key for key, fits in found.items() if fits), "horizon"), place, seen)

    def _childless(self, place: int, left: int) -> SearchBreach | None:
        """A node that should have been searched on: it ends too soon, or a table has its value."""
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
        depths = {depth for depth, value in self._valued_before(place, node.state) if value == node.value}
        found = {
            "starting value": abs(node.value) > self._far,
            "table bound": left in depths or self._was_known(place) or node.value in self._table_values(place),
            "too shallow": not self.told[place].begun and node.value in (evaluation, -evaluation),
            "table depth": bool(depths - {left}),
        }
        rest = "no search" if len(self.nodes) == 1 else "table"
        keys = (*(key for key, fits in found.items() if fits), rest)
        return self._breach(keys, place, seen, plies=plies)

    def _is_searched(self, place: int) -> bool:
        return bool(self.told[place].children or self.told[place].begun)

    def _valued_before(self, place: int, state: Any) -> Iterator[tuple[int | None, int]]:
        """Plies left and values of the same state where its moves were searched before: what a table may know."""
        for other in range(place):
            if self.nodes[other].state == state and self.told[other].is_left and self._is_searched(other):
                yield self.depths[other], self.nodes[other].value

    def _untried(self, place: int) -> SearchBreach | None:
        moves = self.legal(place)
        untried = self._left_out(place)
        best, side = self.best(place), self.side(place)
        if not untried or self._is_due(place, best) is not False:
            return None
        if (self._known(place) or not self.told[place].begun) and self.holds(place, self.nodes[place].value):
            return None  # a table, or a look at what is over, may have known the others
        window = self.windows[place] or OPEN
        names = ", ".join(self.game.move_text(self.nodes[place].state, move) for move in untried)
        seen = f"Its best value is {self.text(best)} in {self.window_text(window)}; not searched: {names}."
        edge, is_cut = window[1 - side], self.nodes[place].cut != NO_MOVE
        is_tail = untried == moves[-len(untried) :] and len(untried) < len(moves)
        may_cut = is_cut or (self.has_window and is_tail and len(untried) > self._fewest_left_out[len(moves)])
        found = {"table bound": self.nodes[place].value in self._table_values(place)}
        found |= self._kinds_of_extreme(side, may_cut and self._is_due_for_other(place)) | {
            "early by one": may_cut and self.has_window and abs(edge - best) == 1,
            "first left out": untried == moves[:1],
            "last left out": untried == moves[-1:] and len(moves) > 2 and not is_cut,
            "cut on the wrong side": is_cut and self._is_worse(place, side, best, window),
            "early cut": may_cut,
        }
        return self._breach((*(key for key, fits in found.items() if fits), "moves left out"), place, seen)

    def _left_out(self, place: int) -> list[int]:
        """Moves of a node that the search does not look at."""
        told = self.told[place]
        tried = set(told.begun) | {self.nodes[child].move for child in told.children}
        return [move for move in self.legal(place) if move not in tried]

    @cached_property
    def _fewest_left_out(self) -> dict[int, int]:
        """Fewest moves that the search leaves out, by the number of a node's moves: one that always leaves out as many
        may count them and not cut."""
        found: dict[int, int] = {}
        for place in self._searched_nodes:
            count = len(self.legal(place))
            found[count] = min(found.get(count, count), len(self._left_out(place)))
        return found

    @cached_property
    def _searched_nodes(self) -> list[int]:
        """Nodes with a move that was searched."""
        return [place for place, told in enumerate(self.told) if told.children]

    def refutes(self, key: str, side: int) -> bool:
        """Whether the recording has a node of a player where a mistake that is made at each of them is not made."""
        if key.startswith(("outcome ", "evaluation ", "horizon ")):
            return MISTAKES[key].is_always and self._values_rightly(key, side)
        return MISTAKES[key].is_always and any(
            not self._is_made(key, place)
            for place in self._searched_nodes
            if self.side(place) == side and len(self.legal(place)) > 1 and self.told[place].is_left
        )

    def _values_rightly(self, key: str, side: int) -> bool:
        """Whether an end, or a node at the horizon, has its own value and not 0; a sign is turned for both players."""
        kind = "leaf" if key.startswith("outcome") else "horizon"
        is_of_both = key in ("outcome negated", "evaluation negated", "horizon 0")
        return any(
            node.kind == kind and (is_of_both or self.side(place) == side) and node.value == self.worth(place) != 0
            for place, node in enumerate(self.nodes)
            if self.told[place].is_left and not self.told[place].children
        )

    def _is_made(self, key: str, place: int) -> bool:
        """Whether a mistake that is made everywhere may be made at a node with several moves."""
        node, moves, values = self.nodes[place], self.legal(place), self.before(place)
        match key:
            case "wrong edge":
                return not self._is_narrowed(place)
            case "first left out" | "last left out":
                left_out = self._left_out(place)
                is_cut = node.cut != NO_MOVE or self._is_due(place, self.best(place)) is not False
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
        for child in self.told[place].children:
            best = self.best(place, child)
            if abs(best) < INFINITY and given[0] < best < given[1]:
                right = (best, given[1]) if side == MAX else (given[0], best)
                if self.windows[child] == right:
                    return True
        return False

    def _known(self, place: int) -> list[int]:
        """Moves that a search began and did not enter: a table knew their values."""
        told = self.told[place]
        entered = {self.nodes[child].move for child in told.children}
        return [move for move in dict.fromkeys(told.begun) if move not in entered]

    def _table_values(self, place: int) -> set[int]:
        """Values that a table may have given for moves that were not entered, where the search reports no moves that it
        begins: those of the same states elsewhere."""
        state = self.nodes[place].state
        return {
            value
            for move in (self._left_out(place) if self._values else [])
            for value in self._values.get(self.game.play(state, move), ())
        }

    @cached_property
    def _values(self) -> dict[Any, set[int]]:
        """Values of each state that was searched; none if the search reports the moves that it begins."""
        found: dict[Any, set[int]] = {}
        for node, told in zip(self.nodes, self.told, strict=True):
            if told.is_left:
                found.setdefault(node.state, set()).add(node.value)
        return {} if any(told.begun for told in self.told) else found

    def _was_known(self, place: int) -> bool:
        """Whether a move that was begun and not entered leads to a state that has been searched."""
        after = (self.game.play(self.nodes[place].state, move) for move in self._known(place))
        return any(any(True for _ in self._valued_before(place, state)) for state in after)

    def _is_worse(self, place: int, side: int, best: int, window: Window) -> bool:
        """Whether the last move that was searched is worse for the mover than what it had before."""
        last = [*self.before(place).values()][-1:]
        return any(value < max(best, window[0]) if side == MAX else value > min(best, window[1]) for value in last)

    def _value(self, place: int) -> SearchBreach | None:
        node, side = self.nodes[place], self.side(place)
        values = list(self.before(place).values())
        if not values:
            return None
        best = self.best(place)
        low, high = self.windows[place] or OPEN
        if node.value in (best, min(max(best, low), high)):
            return None
        unseen = len({*self.legal(place)} - {*self.before(place)})
        if unseen and self.holds(place, node.value):
            return None
        if known := self._known(place):
            names = ", ".join(self.game.move_text(node.state, move) for move in known)
            seen = f"It is given {self.text(node.value)}, which it is not worth; not searched: {names}."
            return self._breach(("table bound", "table") if self._was_known(place) else "value", place, seen)
        if node.value in self._table_values(place):
            seen = f"It is given {self.text(node.value)}, which it is not worth."
            return self._breach("table bound", place, seen)
        seen = (
            f"Its moves are worth {', '.join(map(self.text, values))}: the {('largest', 'smallest')[side]} is "
            f"{self.text(best)}, and it is given {self.text(node.value)}."
        )
        return self._breach(self._kinds_of_value(place, values, best), place, seen)

    def _kinds_of_value(self, place: int, values: list[int], best: int) -> tuple[str, ...]:
        """Mistakes that lead to the value of an inner node, the likeliest first."""
        value, side = self.nodes[place].value, self.side(place)
        worst = (min if side == MAX else max)(values)
        is_turned = value in (-best, -worst)
        same_again = any(other == side for _, other in self.child_values(place))
        found = {
            "starting value": abs(value) >= INFINITY,
            "alternation": is_turned and same_again,
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
            "changed": any(abs(value - each) <= 2 for each in values),
        }
        return (*(key for key, fits in found.items() if fits), "value")

    def _choice(self, place: int) -> SearchBreach | None:
        node, side = self.nodes[place], self.side(place)
        values = self.before(place)
        state = self.nodes[place].state
        if not values:
            return None
        if node.best == NO_MOVE:
            is_open = node.parent < 0 and self.given == OPEN and place == self.recording.last_pass
            likely = ("no move", "starts at 0") if node.value == 0 else ("no move",)
            return (
                self._breach(likely, place, f"Its value is {self.text(node.value)}, and it has no move.")
                if is_open
                else None
            )
        legal = self.legal(place)
        if node.best not in legal:
            return self._breach("illegal", place, f"Its move {node.best} is none of {legal}.")
        if node.best not in values:
            return None
        name, best = partial(self.game.move_text, state, node.best), self.best(place)
        low, high = self.windows[place] or OPEN
        if values[node.best] != best:
            if not low < best < high and (node.parent >= 0 or self.given != OPEN):
                return None  # nothing was better than what is had elsewhere
            tried = list(values)
            right = next(move for move in tried if values[move] == best)
            found = {
                "not turned": self.is_negamax and values[node.best] == -best,
                "always first": node.best == legal[0],
                "always last": node.best == tried[-1],
            }
            keys = (*(key for key, fits in found.items() if fits), "other move")
            seen = f"{name()} is worth {self.text(values[node.best])}; {self.game.move_text(state, right)} is the best."
            return self._breach(keys, place, seen)
        return self._tie(place, name, best, side)

    def _tie(self, place: int, name: Callable[[], str], best: int, side: int) -> SearchBreach | None:
        """A move whose value equals what was had before it: with a window that is only a bound."""
        node, told = self.nodes[place], self.told[place]
        first = next(child for child in told.children if self.nodes[child].move == node.best)
        before = self.best(place, first)
        window = self.windows[first]
        if not self.has_window or before != best or len(told.children) < 2:
            return None
        if window is not None and (window[0] < best if side == MAX else window[1] > best):
            return None
        seen = f"{name()} is worth {('at most', 'at least')[side]} {self.text(best)}, which it had already."
        return self._breach("late tie", place, seen)
