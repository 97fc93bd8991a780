"""Constants and sentences that a page's workers share with Python, sent as data."""

from functools import lru_cache
from typing import Any

from plyground.compiled import clock
from plyground.engine import think, thinker
from plyground.engine.run import SIMULATIONS
from plyground.exact import sweep
from plyground.play import level
from plyground.play.notations import TITLES
from plyground.players import HARMLESS, NO_DEPTH
from plyground.rules import LONGEST
from plyground.search.table import PAGE_TABLE_MIB
from plyground.spec import NO_OPTION, NO_OPTIONS, options
from plyground.web.views import models, positions, trees
from plyground.web.views.analysis import JUDGE_WORDS, Judge
from plyground.web.views.models import Model


class ThinkingNumbers(Model):
    """Constants of thinking (`engine/think.py`, `engine/thinker.py`)."""

    table: int
    """Mebibytes of a table, unless the page grants another size."""
    in_listing: float
    """The share of the time in which all states may be listed."""
    at_least: float
    """Seconds of which that share is taken, where the limit is shorter."""
    without_limit: float
    """Seconds of which that share is taken, where there is no limit."""
    listing: int
    """Mebibytes of states that are listed, at most."""
    simulations: int
    """Simulations of Monte Carlo search, without another limit."""
    entries_a_second: int
    entries_a_node: int
    fewest_entries: int


class ViewNumbers(Model):
    """Constants of answers (`web/views/positions.py`)."""

    soon: float
    """Seconds of thinking that are over before a person could read of it."""
    lines: int
    """Moves of which an analysis tells best play."""


class PlayerWords(Model):
    """Sentences about players' options."""

    no_level: str
    above_0: str
    no_depth: str
    no_option: str
    no_options: str


class Constants(Model):
    """All of them; the same for every game."""

    longest: int
    """Plies of the longest game."""
    players: dict[str, dict[str, str]]
    """The players of a module, and the options that each takes, in their order, with their defaults in text."""
    defaults: dict[str, dict[str, Any]]
    """The operations of a module with arguments that may be left out, and what these then are; those of a position are
    left to the worker."""
    player_words: PlayerWords
    no_time: str
    """That a move was not looked at."""
    solved_before: str
    """Where values are from that are kept."""
    game_is_over: str
    notations: dict[str, str]
    """Titles of the notations that a module has, by their names."""
    levels: dict[str, float]
    """How often each level that has a name errs, the weakest first."""
    thinking: ThinkingNumbers
    deepest: int
    """Plies to which algorithms are compared, at most."""
    views: ViewNumbers


ARGUMENTS: dict[str, type[Model]] = {
    "reply": models.Reply,
    "analyse": models.Analyse,
    "review": models.Review,
    "judge": Judge,
    "tree": trees.Recorded,
    "node": trees.Node,
    "boards": trees.Boards,
    "saved": trees.Node,
    "race": trees.Race,
    "quiz": trees.Quiz,
    "mark": trees.Mark,
}


def _defaults(model: type[Model]) -> dict[str, Any]:
    # A position's own fields are filled by the worker, from the page's state.
    fields = {name: field for name, field in model.model_fields.items() if name not in models.At.model_fields}
    return {
        name: field.get_default(call_default_factory=True) for name, field in fields.items() if not field.is_required()
    }


@lru_cache(maxsize=1)
def constants() -> dict[str, Any]:
    """The constants as JSON takes them (`page/src/worker/constants.js`)."""
    made = Constants(
        longest=LONGEST,
        players={  # a module has the game's own evaluation only
            choice.name: {option.name: option.default for option in options(choice.maker) if option.name != "eval"}
            for choice in HARMLESS.shipped
            if choice.name in positions.module_players()
        },
        defaults={name: found for name, model in ARGUMENTS.items() if (found := _defaults(model))},
        player_words=PlayerWords(
            no_level=level.NO_LEVEL,
            above_0=clock.ABOVE_0,
            no_depth=NO_DEPTH,
            no_option=NO_OPTION,
            no_options=NO_OPTIONS,
        ),
        no_time=JUDGE_WORDS.no_time,
        solved_before=JUDGE_WORDS.solved_before,
        notations=TITLES,
        game_is_over=positions.GAME_IS_OVER,
        levels={name: strength.error for name, strength in level.LEVELS.items()},
        thinking=ThinkingNumbers(
            table=PAGE_TABLE_MIB,
            in_listing=think.LISTING_SHARE,
            at_least=think.LEAST_SHARED_SECONDS,
            without_limit=thinker.UNLIMITED_SECONDS,
            listing=sweep.THINKING_MEBIBYTES,
            simulations=SIMULATIONS,
            entries_a_second=thinker.ENTRIES_A_SECOND,
            entries_a_node=thinker.ENTRIES_A_NODE,
            fewest_entries=thinker.FEWEST_ENTRIES,
        ),
        deepest=trees.MOST_COMPARED_PLIES,
        views=ViewNumbers(
            soon=positions.FIRST_REPORT_SECONDS,
            lines=positions.MOST_LINES,
        ),
    )
    return made.model_dump(mode="json")
