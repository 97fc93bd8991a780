"""Modules of the page's workers that are made from Python, by their paths in `web/static`."""

from functools import cache

from plyground.web.javascript.snippets import HELPERS, SENT, MadeModule
from plyground.web.javascript.translating import javascript

_LOOK_DATA = MadeModule(
    "plyground.board.look", ("Area", "Board", "Fate", "Look", "Piece", "Place"), names={"Board": "BoardView"}
)
_RULES = MadeModule("plyground.rules", ("MAX", "MIN", "ONGOING"))
_SCORE = MadeModule(
    "plyground.score",
    (
        *("FINAL", "ESTIMATES", "INFINITY", "final", "utility_of", "plies_of", "Chance", "Score"),
        *("percent", "counted_plies", "best_of", "best_first", "MoveVerdict", "judged", "_end"),
    ),
    left_out=("Score.data",),
    others={"./python.js": HELPERS},
)
_GRADES = MadeModule(
    "plyground.engine.move_grades",
    ("GradedMove", "graded", "accuracy_of", "lost_text", "later", "earlier"),
    others={"../python.js": HELPERS, "../score.js": _SCORE},
)
_COLUMNS = MadeModule(
    "plyground.microscope.columns",
    ("brief",),
    others={"../python.js": HELPERS, "../score.js": _SCORE},
)
_ENTERED = MadeModule("plyground.search.observer", ("Entered",), others={"../python.js": HELPERS})
_VALUES = MadeModule(
    "plyground.microscope.values",
    ("children_of", "line_of", "bounds_of", "_compared", "_best", "_is_wrong"),
    others={"../python.js": HELPERS, "../search/observer.js": _ENTERED},
)
_LOOK = MadeModule(
    "plyground.board.look", ("looked", "where", "_piece"), others={"../python.js": HELPERS, SENT: _LOOK_DATA}
)
_REFUSING = MadeModule(
    "plyground.board.refusing",
    ("refusal_before_rules", "usual_refusal", "_shields", "_place_at", "_way", "_steps", "kind_of"),
    others={"../python.js": HELPERS, "./look.js": _LOOK, SENT: _LOOK_DATA},
)
MADE = {
    "worker/board/look.js": _LOOK,
    "worker/board/refusing.js": _REFUSING,
    "worker/rules.js": _RULES,
    "worker/score.js": _SCORE,
    "worker/engine/grades.js": _GRADES,
    "worker/search/observer.js": _ENTERED,
    "worker/microscope/columns.js": _COLUMNS,
    "worker/microscope/values.js": _VALUES,
}
"""Source module and chosen names of each translated file, by its path."""


@cache
def made(name: str) -> str:
    """Returns the JavaScript of a translated file, by its path."""
    return javascript(MADE[name])
