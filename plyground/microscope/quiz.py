"""Quiz: questions about searches with answers, on positions of any game, the same for the same seed.

Every question shows the whole tree of minimax with the values of its leaves alone, and asks for something that follows
from them. Answers are read off the recorded searches.
"""

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from plyground.errors import BadInput, check_arguments
from plyground.games import AnyGame, as_game
from plyground.in_pages import in_pages
from plyground.microscope.columns import brief
from plyground.microscope.reasons import cutoff_name, node_with_bound, where_is, window_text
from plyground.microscope.size import MOST_RECORDED_NODES
from plyground.microscope.tree import Tree, record
from plyground.microscope.why import why
from plyground.microscope.wording import WORDING
from plyground.position import Position
from plyground.rules import MAX, MIN

Kind = Literal["value", "cut", "window"]
QUESTION_KINDS: tuple[Kind, ...] = ("value", "cut", "window")
"""Kinds of questions, in the order in which they are asked."""
MOST_READABLE_NODES = 32
"""Most nodes of a tree that a person can work through."""
MOST_POSITIONS_TRIED = 150
"""Positions that are looked at before the smallest tree so far is taken."""
LONGEST_GAME = 200
"""Plies of a random game."""
MOST_QUIZ_QUESTIONS = 100
DEEPEST_QUESTION = 3
"""Plies that the searches of a question look ahead, at most."""


class RandomChoice(Protocol):
    """The methods of `random.Random` that the questions need; a page has its own."""

    def choice(self, things: Sequence[int]) -> int:
        """One of several, each as likely."""

    def random(self) -> float:
        """A number from 0 below 1."""


@in_pages
@dataclass(frozen=True)
class Question:
    """A question about a tree.

    >>> import plyground as pg
    >>> (question,) = pg.quiz("tictactoe", 1)
    >>> question.words, question.is_right("1")
    ('What is the value of the node after c1, where x is to move, by minimax?', True)
    """

    kind: Kind
    """Kind of question: a node's value, the moves that are cut off there, or the window on entry."""
    shown: Tree
    """Minimax's tree, to be shown with the values of its leaves alone."""
    moves: tuple[str, ...]
    """Moves from the root to the node in question, in text."""
    words: str
    """The question."""
    answer: str
    """The right answer, as `quiz.marked` reads it."""
    solution: str
    """Reason of the answer."""

    def is_right(self, text: str) -> bool:
        """Whether an answer is right, in any way of writing it.

        Raises:
            BadInput: it cannot be read as an answer to this question.
        """
        return _normalise_answer(self, text) == _normalise_answer(self, self.answer)


@check_arguments
def quiz(game: AnyGame | str, count: int = 5, seed: int = 0, depth: int = 2) -> list[Question]:
    """Questions on positions from random play.

    >>> question, _ = quiz("tictactoe", count=2, seed=1)
    >>> question.words.partition(",")[0], question.answer, question.solution
    ('What is the value of the node after b3', '1', 'o takes the smallest value of its moves: 1, by c2.')

    Args:
        game: any game.
        count: number of questions, 1 to 100.
        seed: the same seed asks the same.
        depth: plies that the searches look ahead, 1 to 3.

    Raises:
        BadInput: a count or depth out of range, or a game that breaks its laws.
    """
    game = as_game(game)
    return questions_on(Position.initial(game), type(game).__name__, random.Random(seed), count, depth, _count_nodes)


Sized = Callable[[Position, int, int], int]
"""Counts the nodes of minimax's tree of a position to a depth, up to a number."""


@in_pages
def questions_on(
    first: Position, name: str, chance: RandomChoice, count: int, depth: int, size: Sized
) -> list[Question]:
    """Questions on positions from random play.

    Args:
        first: where the games begin.
        name: the game's.
        chance: chooses moves and nodes.
        count: number of questions.
        depth: plies that the searches look ahead.
        size: nodes of the tree of a position.

    Raises:
        BadInput: a count or depth out of range, or no tree of the game can be recorded.
    """
    if not 1 <= count <= MOST_QUIZ_QUESTIONS or not 1 <= depth <= DEEPEST_QUESTION:
        raise BadInput(
            WORDING.quiz_range.format(count=count, depth=depth, most=MOST_QUIZ_QUESTIONS, deepest=DEEPEST_QUESTION)
        )
    questions = list[Question]()
    for number in range(count):
        found = choose_position(first, chance, depth, size)
        if found is None:
            raise BadInput(WORDING.no_question.format(name=name, depth=depth))
        questions.append(ask(QUESTION_KINDS[number % len(QUESTION_KINDS)], record(found, "minimax", depth), chance))
    return questions


@in_pages
def choose_position(first: Position, chance: RandomChoice, depth: int, size: Sized) -> Position | None:
    """Position of a random game whose tree is small enough to be read, else the smallest that was found.

    Args:
        first: where the games begin.
        chance: chooses the moves.
        depth: plies of the tree.
        size: nodes of the tree of a position.
    """
    smallest: Position | None = None
    nodes = MOST_RECORDED_NODES
    tries = 0
    while tries < MOST_POSITIONS_TRIED:
        position = first
        for _ in range(LONGEST_GAME):
            if position.outcome is not None:
                break
            tries += 1
            # No further than the smallest so far, so most trees cost a fraction of their size. A
            # tree hardly larger than one line has no choice to ask about.
            found = size(position, depth, nodes)
            if 2 * depth < found < nodes:
                smallest = position
                nodes = found
            # Half of the readable ones are passed by, else every question would be about the first
            # plies.
            if smallest is not None and nodes <= MOST_READABLE_NODES and chance.random() < 0.5:
                return smallest
            position = position.after(chance.choice(position.legal_moves))
    return smallest


def _count_nodes(position: Position, depth: int, enough: int) -> int:
    """Nodes that minimax visits, counted up to `enough`."""
    if depth == 0 or position.outcome is not None:
        return 1
    total = 1
    for move in position.legal_moves:
        total += _count_nodes(position.play(move), depth - 1, enough - total)
        if total >= enough:
            break
    return total


# -- the kinds of question ---------------------------------------------------------------------------------------------


@in_pages
def ask(kind: Kind, shown: Tree, chance: RandomChoice) -> Question:
    """A question of a kind."""
    if kind == "value":
        return ask_value(shown, chance)
    return ask_cut(shown, chance) if kind == "cut" else ask_window(shown, chance)


@in_pages
def ask_value(shown: Tree, chance: RandomChoice) -> Question:
    """A question for the value of a node."""
    node = chance.choice(_inner_nodes(shown))
    mover = shown.root.game.names[shown.side[node]]
    return Question(
        kind="value",
        shown=shown,
        moves=tuple(shown.moves_to(node)),
        words=WORDING.ask_value.format(place=_node_name(shown, node), mover=mover),
        answer=brief(shown.value[node], shown.root.game.names),
        solution=why(shown, node),
    )


@in_pages
def ask_cut(shown: Tree, chance: RandomChoice) -> Question:
    """A question for the moves that alpha-beta cuts off at a node."""
    cut = record(shown.root, "alphabeta", shown.depth)
    # Not the root where others are: with an open window nothing is ever cut off there.
    inner = [node for node in _inner_nodes(cut) if node > 0]
    some = inner if inner else [0]
    with_cut = [node for node in some if cut.skipped[node]]
    node = chance.choice(with_cut if with_cut else some)
    alone = "" if cutoff_name(cut, node) else " " + WORDING.no_bound
    return Question(
        kind="cut",
        shown=shown,
        moves=tuple(cut.moves_to(node)),
        words=WORDING.ask_cut.format(place=_node_name(cut, node)),
        answer=" ".join(cut.skipped[node]) or WORDING.none,
        solution=why(cut, node) + alone,
    )


@in_pages
def ask_window(shown: Tree, chance: RandomChoice) -> Question:
    """A question for the window with which alpha-beta enters a node."""
    cut = record(shown.root, "alphabeta", shown.depth)
    # The root's window is open, and so the same in every question.
    below = list(range(1, len(cut.parent)))
    narrowed = [node for node in below if cut.window(node) != cut.window(0)]
    node = chance.choice(narrowed if narrowed else below)
    return Question(
        kind="window",
        shown=shown,
        moves=tuple(cut.moves_to(node)),
        words=WORDING.ask_window.format(place=_node_name(cut, node)),
        answer=window_text(cut, cut.window(node)),
        solution=f"{_edge_source(cut, node, MAX)} {_edge_source(cut, node, MIN)}",
    )


@in_pages
def _inner_nodes(tree: Tree) -> list[int]:
    return [node for node in range(len(tree.parent)) if tree.children(node)]


@in_pages
def _edge_source(tree: Tree, node: int, side: int) -> str:
    """Where one edge of a window comes from, in words."""
    name, word = tree.root.game.names[side], "alpha" if side == MAX else "beta"
    value, found = brief(tree.window(node)[side], tree.root.game.names), node_with_bound(tree, node, side)
    if found is None:
        return WORDING.has_nothing.format(name=name, word=word, value=value)
    where = where_is(tree, tree.parent[found])
    return WORDING.has_value.format(name=name, word=word, value=value, where=where, move=tree.move[found])


@in_pages
def _node_name(tree: Tree, node: int) -> str:
    moves = " ".join(tree.moves_to(node))
    return WORDING.node_after.format(moves=moves) if moves else WORDING.the_root


# -- reading answers ---------------------------------------------------------------------------------------------------


@in_pages
def _answer_form(kind: Kind) -> str:
    """Form of the answer to a kind of question."""
    if kind == "value":
        return WORDING.form_value
    return WORDING.form_cut if kind == "cut" else WORDING.form_window


@in_pages
def _normalise_answer(question: Question, text: str) -> str:
    """An answer in one normal form, for comparison.

    Raises:
        BadInput: it cannot be read as an answer to this question.
    """
    form = _answer_form(question.kind)
    if not text.split():
        raise BadInput(WORDING.no_answer.format(form=form))
    if question.kind == "cut":
        return _named_moves(question, text)
    game = question.shown.root.game
    sides = dict[str, int]()
    for names in [("x", "o"), game.marks, game.names]:
        for side, name in enumerate(names):
            sides[name.lower()] = side
    # The longest first: alternatives are tried in order, and `x` would be found in a name that
    # begins with it.
    said = "|".join([re.escape(each) for each in sorted(sides, key=lambda each: len(each), reverse=True)])
    words = re.compile(
        rf"[+-]?inf(?:inity)?|(?<![^ ,;(\[])({said}) ((?:by [0-9]+ )?(?:wins )?in [0-9]+|wins)|[+-]?[0-9]+|none|draw"
    )
    # Keyboards and editors offer three dashes for a minus sign.
    bare = text.replace("−", "-").replace("–", "-").replace("∞", "inf").lower()
    found = [
        f"{sides[word[1]]} {word[2].replace('wins in', 'in')}" if word[1] else _normalise_number(word[0])
        for word in words.finditer(bare)
    ]
    if len(found) != (1 if question.kind == "value" else 2):
        raise BadInput(WORDING.not_read.format(text=" ".join(text.split()), form=form))
    return ", ".join(found)


@in_pages
def _normalise_number(word: str) -> str:
    if "inf" in word:
        return "-inf" if word.startswith("-") else "inf"
    return "0" if word == "draw" else word if word == "none" else str(int(word))


@in_pages
def _named_moves(question: Question, text: str) -> str:
    """The moves that an answer names, as ints in their order, or nothing for none.

    Raises:
        BadInput: a word of it is no legal move at the node in question.
    """
    position = question.shown.root
    for move in question.moves:
        position = position.play(move)
    words = text.replace(", ", " ").replace(";", " ").split()
    named = [word for word in words if word.lower() not in (WORDING.none, "-")]
    # A word that is no move is a slip, not an answer: it is refused, and the question stays open.
    unknown = [word for word in named if not position.is_legal(word)]
    if unknown:
        raise BadInput(WORDING.no_such_move.format(text=unknown[0], form=_answer_form(question.kind)))
    said = [position.legal(word) for word in named]
    return " ".join([str(each) for each in sorted(set(said))])
