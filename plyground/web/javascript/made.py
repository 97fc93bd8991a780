"""Modules of the page's workers that are made from Python, by their paths in `web/static`."""

from functools import cache

from plyground.web.javascript.kinds import SENT
from plyground.web.javascript.snippets import HELPERS, MadeModule
from plyground.web.javascript.translating import javascript

_LOOK_DATA = MadeModule(
    "plyground.board.look", ("Area", "Board", "Fate", "Look", "Piece", "Place"), names={"Board": "BoardView"}
)
_RULES = MadeModule("plyground.rules", ("MAX", "MIN", "ONGOING"))
_SCORE = MadeModule(
    "plyground.score",
    (
        *("FINAL", "ESTIMATES", "INFINITY", "final", "utility_of", "plies_of", "is_end", "Chance", "Score"),
        *("percent", "counted_plies", "best_of", "best_first", "MoveVerdict", "earlier", "judged", "_end"),
    ),
    left_out=("Score.data", "Score.estimated", "Score.proved_by"),
    others={"./python.js": HELPERS},
)
_GRADES = MadeModule(
    "plyground.engine.move_grades",
    ("GradedMove", "graded", "accuracy", "accuracy_of", "lost_text", "lets_text", "later"),
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
_STANDING = MadeModule(
    "plyground.position",
    ("Position",),
    names={"Position": "Standing"},
    members={
        "Position": (
            *("plies_before", "words", "_words", "notation", "_notation", "text", "to_move", "outcome", "is_repeated"),
            *("legal_moves", "legal_texts", "_legal_texts", "legal_notation", "look", "paths", "must_pass", "last"),
            *("reason", "result", "_not_legal"),
        )
    },
    others={
        "./python.js": HELPERS,
        "./score.js": _SCORE,
        "./board/look.js": _LOOK,
        "./game.js": MadeModule("plyground.rules", ("Game",)),
        SENT: _LOOK_DATA,
    },
)
"""Members of `Position`, for the subclass in `worker/position.js`."""
_POSITION = MadeModule("plyground.position", ("Position",))
_LINES = MadeModule("plyground.position", ("moves_text", "notation_of", "_played"), others={"./position.js": _POSITION})
_SPELLED = MadeModule("plyground.board.signs", ("spelled", "_named"), others={"../python.js": HELPERS})
_ERRORS = MadeModule("plyground.errors", ("BadInput",), names={"BadInput": "Refused"})
_GAME = MadeModule("plyground.rules", ("Game",))
_MODULE = MadeModule("plyground.rules", ("Game",), names={"Game": "Module"})
_CHANCES = MadeModule(
    "plyground.engine.chances",
    ("occupied_part", "phase_of", "share_of", "HARDLY", "amount_of", "chance_of"),
    others={"../python.js": HELPERS, "../score.js": _SCORE},
)
_REPORT = MadeModule(
    "plyground.engine.report",
    ("Report",),
    left_out=("Report.position", "Report.compile_seconds", "Report.to_dict", "Report._effort"),
    others={"../python.js": HELPERS, "../score.js": _SCORE},
)
_REVIEWED = MadeModule(
    "plyground.engine.review",
    (
        *(
            "FIRST_LOOK",
            "LEAST",
            "SHALLOW",
            "ReviewedMove",
            "GameReview",
            "Looks",
            "Looker",
            "settle_distance",
            "surer",
        ),
        *("sureness", "as_estimate", "is_look", "only_move"),
    ),
    left_out=(
        "ReviewedMove.sentence",
        "ReviewedMove.ply",
        "GameReview.turning_points",
        "Looker.is_exact",
    ),
    others={
        "../python.js": HELPERS,
        "../score.js": _SCORE,
        "../position.js": _POSITION,
        "../game.js": _GAME,
        "./grades.js": _GRADES,
        "./report.js": _REPORT,
    },
)
_DEEPENING = MadeModule(
    "plyground.engine.deepening",
    ("Searcher", "Wanted", "told_first", "look", "_every_move", "_best_move", "_value_after", "_best_line"),
    others={
        "../python.js": HELPERS,
        "../score.js": _SCORE,
        "../position.js": _POSITION,
    },
)
_LOOKUP = MadeModule(
    "plyground.tables.lookup",
    ("Lookup",),
    members={"Lookup": ("moves", "line")},
    others={"../score.js": _SCORE, "../game.js": _GAME},
)
_LISTED = MadeModule(
    "plyground.engine.listed",
    ("Listing", "moves_listed", "_before", "_with_score", "best_listed", "line_listed", "known_listed"),
    others={
        "../python.js": HELPERS,
        "../score.js": _SCORE,
        "../position.js": _POSITION,
        "./deepening.js": _DEEPENING,
    },
)
_LOOKED_UP = MadeModule(
    "plyground.engine.looked_up",
    ("looked_up",),
    others={
        "../python.js": HELPERS,
        "../score.js": _SCORE,
        "../position.js": _POSITION,
        "./deepening.js": _DEEPENING,
        "./lookup.js": _LOOKUP,
    },
)
_SEEN = MadeModule(
    "plyground.search.algorithm",
    ("seen",),
    others={
        "../score.js": _SCORE,
        "../module.js": _MODULE,
    },
)
_SIMULATED = MadeModule(
    "plyground.search.simulated",
    ("simulated", "_score"),
    others={"../python.js": HELPERS, "../score.js": _SCORE},
)
_EXACT_VALUE = MadeModule(
    "plyground.search.exact",
    ("AskedState", "reach", "decided"),
    others={"../score.js": _SCORE, "../module.js": _MODULE},
)
_WORTH = MadeModule(
    "plyground.engine.worth",
    ("NullWindows", "best_worth", "_is_worth"),
    others={"../score.js": _SCORE, "../position.js": _POSITION},
)
_VIEWS = MadeModule(
    "plyground.web.views.positions",
    (
        *("view", "score_view", "score_of", "move_views", "_move_view", "report_view", "_tone"),
        *("report_of", "_after", "review_view", "_step_view"),
    ),
    others={
        "./python.js": HELPERS,
        "./score.js": _SCORE,
        "./position.js": _POSITION,
        "./lines.js": _LINES,
        "./game.js": _GAME,
        "./engine/report.js": _REPORT,
        "./engine/grades.js": _GRADES,
        "./engine/reviewed.js": _REVIEWED,
        "./scale.js": MadeModule("plyground.web.views.positions", ("scale",)),
        SENT: _LOOK_DATA,
    },
)
_JUDGING = MadeModule(
    "plyground.web.views.analysis",
    ("judge", "explored"),
    others={
        "../python.js": HELPERS,
        "../score.js": _SCORE,
        "../position.js": _POSITION,
        "../game.js": _GAME,
        "../views.js": _VIEWS,
    },
)
_COLUMNS_DATA = MadeModule("plyground.microscope.columns", ("Columns",), names={"Columns": "TreeView"})
_TREE = MadeModule(
    "plyground.microscope.tree",
    (
        *("Tree", "require_recorded", "require_searchable", "plies_that_fit", "first_plies", "columns_of", "_skipped"),
        *("_is_open", "AskedRules", "NamedSearch", "AskedDepth"),
    ),
    left_out=("Tree.words", "Tree.broken", "Tree.columns", "Tree.node_at", "Tree.evaluation", "Tree.below"),
    others={
        "../python.js": HELPERS,
        "../position.js": _POSITION,
        "../game.js": _GAME,
        "../refused.js": _ERRORS,
        "../search/observer.js": _ENTERED,
        "./columns.js": _COLUMNS,
        "./searched.js": MadeModule("plyground.microscope.size", ("minimax_size",)),
        "./values.js": _VALUES,
        SENT: _COLUMNS_DATA,
    },
)
_REASONS = MadeModule(
    "plyground.microscope.reasons",
    (
        *("window_text", "value_text", "cutoff_name", "label", "setter", "setter_of", "reason", "wrong", "extreme"),
        *("where_is", "_elsewhere"),
    ),
    others={
        "../python.js": HELPERS,
        "../position.js": _POSITION,
        "../game.js": _GAME,
        "./columns.js": _COLUMNS,
        "./tree.js": _TREE,
    },
)
_QUESTIONS = MadeModule(
    "plyground.microscope.quiz",
    (
        *("questions_on", "readable", "Question", "ask", "ask_value", "ask_cut", "ask_window"),
        *("_inner", "_edge", "_place", "_form", "_read", "_number", "_moves"),
    ),
    others={
        "../python.js": HELPERS,
        "../position.js": _POSITION,
        "../game.js": _GAME,
        "../refused.js": _ERRORS,
        "./columns.js": _COLUMNS,
        "./tree.js": _TREE,
        "./reasons.js": _REASONS,
        "./why.js": MadeModule("plyground.microscope.why", ("why",)),
        "./recording.js": MadeModule("plyground.microscope.tree", ("record",)),
        "../play/chance.js": MadeModule(
            "plyground.microscope.quiz", ("RandomChoice",), names={"RandomChoice": "Chance"}
        ),
    },
)
_ROW_DATA = MadeModule("plyground.microscope.compare", ("Row",), names={"Row": "RowView"})
_COMPARE = MadeModule(
    "plyground.microscope.compare",
    ("branching", "require_compared", "row_of", "are_leaves_counted", "SearchCounts", "NodeCounts"),
    others={
        "../python.js": HELPERS,
        "../score.js": _SCORE,
        "../position.js": _POSITION,
        "../game.js": _GAME,
        "../refused.js": _ERRORS,
        SENT: _ROW_DATA,
    },
)
_QUESTION_VIEW = MadeModule(
    "plyground.web.views.trees",
    ("question_view",),
    others={
        "../python.js": HELPERS,
        "../refused.js": _ERRORS,
        "../position.js": _POSITION,
        "../game.js": _GAME,
        "../views.js": _VIEWS,
        "./tree.js": _TREE,
        "./questions.js": _QUESTIONS,
        "./values.js": _VALUES,
        SENT: _COLUMNS_DATA,
    },
)
_TREE_VIEWS = MadeModule(
    "plyground.web.views.trees",
    ("part_below", "node_view", "boards_view"),
    others={
        "../python.js": HELPERS,
        "../refused.js": _ERRORS,
        "../views.js": _VIEWS,
        "./recording.js": MadeModule("plyground.microscope.tree", ("Tree",), names={"Tree": "RecordedTree"}),
        "./reasons.js": _REASONS,
        "./why.js": MadeModule("plyground.microscope.why", ("why",)),
    },
)
_TEXT = MadeModule("plyground.text", ("moves_in",))
_SIZE = MadeModule("plyground.microscope.size", ("SEARCHED", "too_large_text"), others={"../python.js": HELPERS})
_PRINTED = MadeModule(
    "plyground.terminal.lines",
    (
        *("COMPARED_HEAD", "FIRST", "perft_line", "search_lines", "row_cells", "late_line", "best_play"),
        *("solved_lines", "census_line", "time_text", "_count_text", "StateCounts"),
    ),
    others={
        "../python.js": HELPERS,
        "../score.js": _SCORE,
        "../position.js": _POSITION,
        "../game.js": _GAME,
        "../lines.js": _LINES,
        "../microscope/compare.js": _COMPARE,
        SENT: _ROW_DATA,
    },
)
_FEN = MadeModule(
    "plyground.board.fen",
    ("read_chess", "other_turn", "require_safe", "fullmove_number"),
    others={"../python.js": HELPERS, "../refused.js": _ERRORS},
)
_FEN_OF_DRAUGHTS = MadeModule(
    "plyground.board.fen",
    ("read_draughts",),
    others={"../python.js": HELPERS, "../refused.js": _ERRORS},
)
_PGN = MadeModule(
    "plyground.play.pgn", ("RESULTS", "RESULTS_OF_PDN", "numbered_moves"), others={"../python.js": HELPERS}
)
_LEVEL = MadeModule(
    "plyground.play.level",
    (
        *("LevelSearch", "LevelChance", "seconds_for", "thought", "_slipped", "sorted_out", "_hardest"),
        "_safety",
    ),
    others={
        "../python.js": HELPERS,
        "../score.js": _SCORE,
        "../position.js": _POSITION,
        "../game.js": _GAME,
        "../engine/report.js": _REPORT,
    },
)
_FORMS = MadeModule(
    "plyground.microscope.forms",
    ("text_lines", "counts_text", "outline", "_lines", "node_text", "spy", "described"),
    others={
        "../python.js": HELPERS,
        "../position.js": _POSITION,
        "../game.js": _GAME,
        "./tree.js": _TREE,
        "./reasons.js": _REASONS,
        "./why.js": MadeModule("plyground.microscope.why", ("why",)),
    },
)
MADE = {
    "worker/board/look.js": _LOOK,
    "worker/board/refusing.js": _REFUSING,
    "worker/board/signs.js": _SPELLED,
    "worker/lines.js": _LINES,
    "worker/standing.js": _STANDING,
    "worker/rules.js": _RULES,
    "worker/score.js": _SCORE,
    "worker/views.js": _VIEWS,
    "worker/terminal/lines.js": _PRINTED,
    "worker/engine/chances.js": _CHANCES,
    "worker/engine/deepening.js": _DEEPENING,
    "worker/engine/grades.js": _GRADES,
    "worker/engine/judging.js": _JUDGING,
    "worker/engine/listed.js": _LISTED,
    "worker/engine/lookup.js": _LOOKUP,
    "worker/engine/looked_up.js": _LOOKED_UP,
    "worker/engine/report.js": _REPORT,
    "worker/engine/reviewed.js": _REVIEWED,
    "worker/search/algorithm.js": _SEEN,
    "worker/search/exact.js": _EXACT_VALUE,
    "worker/search/observer.js": _ENTERED,
    "worker/search/simulated.js": _SIMULATED,
    "worker/engine/worth.js": _WORTH,
    "worker/microscope/columns.js": _COLUMNS,
    "worker/microscope/values.js": _VALUES,
    "worker/microscope/tree.js": _TREE,
    "worker/microscope/compare.js": _COMPARE,
    "worker/microscope/forms.js": _FORMS,
    "worker/notation/chess.js": _FEN,
    "worker/notation/draughts.js": _FEN_OF_DRAUGHTS,
    "worker/notation/pgn.js": _PGN,
    "worker/notation/text.js": _TEXT,
    "worker/play/level.js": _LEVEL,
    "worker/microscope/reasons.js": _REASONS,
    "worker/microscope/questions.js": _QUESTIONS,
    "worker/microscope/parts.js": _TREE_VIEWS,
    "worker/microscope/shown.js": _QUESTION_VIEW,
    "worker/microscope/size.js": _SIZE,
}
"""Source module and chosen names of each translated file, by its path."""


@cache
def made(name: str) -> str:
    """Returns the JavaScript of a translated file, by its path."""
    return javascript(MADE[name])
