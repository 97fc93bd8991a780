"""The public names of plyground, in the order a reader needs them.

Type checkers read this stub, and so does `__init__.py`, which imports each name at its first use; it is never run.
"""

from plyground.errors import BadInput, GameFault, WrongType
from plyground.rules import MAX, MIN, NO_MOVE, ONGOING, Game, Weights
from plyground.board.look import Area, Board, Fate, Look, Piece, Place, hexagons, squares
from plyground.games import GAMES, game_named
from plyground.games.mnk import MNK
from plyground.games.connectfour import ConnectFour
from plyground.games.amazons import Amazons
from plyground.games.breakthrough import Breakthrough
from plyground.games.chess import Chess, Gardner
from plyground.games.chomp import Chomp
from plyground.games.domineering import Domineering
from plyground.games.dotsandboxes import DotsAndBoxes
from plyground.games.draughts import Draughts
from plyground.games.gomoku import Gomoku
from plyground.games.hex import Hex
from plyground.games.international import International, Russian
from plyground.games.kalah import Kalah
from plyground.games.morris import Morris
from plyground.games.nim import Nim
from plyground.games.pentago import Pentago
from plyground.games.reversi import Reversi
from plyground.games.ultimate import Ultimate
from plyground.laws.verdict import Fault, Verdict, check
from plyground.laws.against import Agreement, hold_against
from plyground.position import Position
from plyground.score import Score, final
from plyground.compiled.clock import Limit
from plyground.search import ALGORITHMS, algorithm_named
from plyground.search.algorithm import Algorithm
from plyground.search.observer import Stopped
from plyground.engine.perft import perft
from plyground.engine.report import Report
from plyground.engine.run import search, simulate
from plyground.engine.think import think
from plyground.engine.analyst import Analyses, Analyst, analyse_many, evaluate_many
from plyground.engine.think_async import think_async
from plyground.exact.solution import Solution
from plyground.exact.solver import Solver, solve
from plyground.exact.tabulating.making import tablebase
from plyground.exact.tables.reading import Tablebase
from plyground.microscope.compare import Comparison, compare
from plyground.microscope.notebook import SearchTree, search_tree
from plyground.microscope.quiz import Question, quiz
from plyground.play.player import Player, Quit, Resigned, TakeBack
from plyground.play.referee import Result
from plyground.play.time_control import TimeControl
from plyground.players import PLAYERS, play_match, player_named
from plyground.play.game_file import GameFile, KeptGame, read_game
from plyground.play.record import Record, RecordedMove
from plyground.play.record_file import read_records
from plyground.gamebase.base import Adding, BaseGame, BaseGames, GameBase, PlayedMove
from plyground.grading.notebook import grade
from plyground.learning.learned_rules import Learned
from plyground.arena import arena
from plyground.arena.learning.learn import Learning, learn
from plyground.arena.match import MatchGame, MatchResult, Tuning, match, tune

__all__ = [
    "BadInput",
    "WrongType",
    "GameFault",
    "MAX",
    "MIN",
    "NO_MOVE",
    "ONGOING",
    "Game",
    "Weights",
    "Area",
    "Board",
    "Fate",
    "Look",
    "Piece",
    "Place",
    "hexagons",
    "squares",
    "GAMES",
    "game_named",
    "MNK",
    "ConnectFour",
    "Amazons",
    "Breakthrough",
    "Chess",
    "Gardner",
    "Chomp",
    "Domineering",
    "DotsAndBoxes",
    "Draughts",
    "Gomoku",
    "Hex",
    "International",
    "Kalah",
    "Morris",
    "Nim",
    "Pentago",
    "Reversi",
    "Russian",
    "Ultimate",
    "check",
    "Fault",
    "Verdict",
    "hold_against",
    "Agreement",
    "Position",
    "Score",
    "final",
    "Limit",
    "ALGORITHMS",
    "Algorithm",
    "algorithm_named",
    "Report",
    "think",
    "think_async",
    "Stopped",
    "Analyst",
    "Analyses",
    "analyse_many",
    "evaluate_many",
    "search",
    "simulate",
    "perft",
    "Solution",
    "Solver",
    "solve",
    "tablebase",
    "Tablebase",
    "Comparison",
    "compare",
    "SearchTree",
    "search_tree",
    "Question",
    "quiz",
    "Player",
    "Resigned",
    "Quit",
    "TakeBack",
    "Result",
    "TimeControl",
    "play_match",
    "PLAYERS",
    "player_named",
    "GameFile",
    "KeptGame",
    "read_game",
    "Record",
    "RecordedMove",
    "read_records",
    "GameBase",
    "Adding",
    "PlayedMove",
    "BaseGames",
    "BaseGame",
    "grade",
    "Learned",
    "learn",
    "Learning",
    "arena",
    "match",
    "MatchResult",
    "MatchGame",
    "tune",
    "Tuning",
]
