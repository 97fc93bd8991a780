"""Verbs that play: play and replay."""

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from platformdirs import user_data_path

from plyground.errors import BadInput
from plyground.faults import game_fault
from plyground.games import GAMES, describe_game, game_named
from plyground.games.about import offered_spec
from plyground.play.game_file import GameFile, read_game
from plyground.play.notations import player_tags, record_form, result_text
from plyground.play.player import Player, Unable, Wrapper
from plyground.play.referee import Result, referee_game
from plyground.players import OPPONENT, PLAYERS
from plyground.position import Position
from plyground.spec import Choice
from plyground.terminal.arguments import (
    FAULTY,
    AsJson,
    GameFiles,
    GameNumber,
    IsStrict,
    complete_game,
    complete_player,
    named_position,
    print_address,
    print_json,
    read_chosen,
    with_first_side,
)
from plyground.terminal.board import board, err, out, progress
from plyground.terminal.human import Human, move_forms_text

LAST_GAME = "last-game.jsonl"


def play(
    game: Annotated[str, typer.Argument(help="the game; see plyground games", autocompletion=complete_game)] = "",
    x: Annotated[
        str,
        typer.Option(help="who plays x: human, or a player; see plyground games", autocompletion=complete_player),
    ] = "human",
    o: Annotated[str, typer.Option(help="who plays o", autocompletion=complete_player)] = OPPONENT,
    first: Annotated[str, typer.Option(help="who begins: x or o")] = "x",
    position: Annotated[str, typer.Option(help="start from a position or after moves")] = "",
    clock: Annotated[float, typer.Option(help="seconds for each side's whole game; 0: no clock")] = 0,
    keep: Annotated[Path | None, typer.Option(help="the file to save the game in, as JSON lines")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="continue the last game, or the one in --keep")] = False,
    as_json: AsJson = False,
) -> None:
    """Play a game: people and programs in any seats."""
    file = keep or _last_game_file()
    if clock < 0:
        raise BadInput(f"--clock {clock:g}: seconds are above 0, or 0 for no clock.")
    if resume:
        spec, seats, start = _read_unfinished_game(file)
    else:
        game = game or _choose_game()
        spec, seats = with_first_side(game, first), (x, o)
        start = named_position(spec, position)
    # Players are made first: a wrong spec must not leave a file of a game that never began.
    players = _make_players(seats, silent=as_json, timed=clock > 0)
    quiet = as_json or ("human" not in seats and not out.is_terminal)
    with _open_game_file(keep, spec, start, seats) as game_file:
        again = partial(_resume_sentence, game_file, keep)
        if not quiet:
            out.print(board(start))
            if "human" in seats:
                out.print(describe_game(spec).rules, markup=False)
                out.print(move_forms_text(start) + " help lists more.", markup=False)
        result = _referee_game(start, players, clock, game_file, again, quiet=quiet)
    if as_json:
        _print_result(start, result, file if game_file and game_file.is_whole else None)
        return
    if quiet:
        out.print(board(result.position))
    over, winner = result.position.outcome is not None, result.utility and start.game.names[int(result.utility < 0)]
    out.print(f"{result.why}." if over or not winner else f"{winner} wins: {result.why}.", markup=False)
    if result.utility is None:
        out.print(again(), markup=False)


@contextmanager
def _open_game_file(keep: Path | None, spec: str, start: Position, seats: tuple[str, str]) -> Iterator[GameFile | None]:
    """The file that the game is saved in; None, after a note, where the usual one cannot be written.

    Raises:
        BadInput: the file that the user names cannot be written.
    """
    note = partial(err.print, markup=False)
    if keep:
        file = GameFile.begin(keep, spec, start, seats, note)
    else:
        try:
            file = GameFile.begin(_last_game_file(), spec, start, seats, note)
        except BadInput as fault:
            note(f"plyground: this game is not saved. {fault} --keep FILE saves it elsewhere.")
            yield None
            return
    # The file is closed whatever ends the game: its last line is on disk then.
    with closing(file):
        yield file


def _last_game_file() -> Path:
    """The file of the last game."""
    return user_data_path("plyground") / LAST_GAME


def _resume_sentence(file: GameFile | None, keep: Path | None) -> str:
    """Sentence with the command that continues an unfinished game."""
    if file is None:
        return "The game is not saved."
    part = "" if file.is_whole else " up to where it could be written"
    return f"The game is saved{part}: plyground play --resume{f' --keep {keep}' if keep else ''} continues it."


def _choose_game() -> str:
    """The game that the person at the terminal chooses from a list, by its number or its name.

    Raises:
        BadInput: the input is no terminal, or it ends.
    """
    which = "Which game? Write plyground play tictactoe, or plyground games to see what there is."
    # A pipe cannot choose: it would wait for a line that never comes.
    if not sys.stdin.isatty():
        raise BadInput(which)
    specs = {choice.name: offered_spec(choice) for choice in GAMES.shipped}
    names, width = [*specs], max(map(len, specs.values()))
    for number, spec in enumerate(specs.values(), start=1):
        out.print(f"{number:>3}  {spec:<{width}}  {describe_game(spec).title}", markup=False)
    while True:
        try:
            word = input("Which game, by its number or name? ").strip()
        except EOFError:
            raise BadInput(which) from None
        if word.isdecimal() and 1 <= int(word) <= len(names):
            return specs[names[int(word) - 1]]
        try:
            game_named(word)
            return specs.get(word, word)
        except BadInput as fault:
            out.print(str(fault), markup=False)


def _read_unfinished_game(file: Path) -> tuple[str, tuple[str, str], Position]:
    """The unfinished game in a file: its spec, its players' specs and its position."""
    kept = read_game(file)
    if kept.cut:
        err.print(f"plyground: {kept.cut} It goes on from there.", markup=False)
    if kept.position.outcome is not None or kept.why:
        how = kept.why or kept.position.result
        raise BadInput(f"The game in {file} is over ({how}): start one with plyground play GAME.")
    return kept.game, kept.players, kept.position


def _referee_game(
    start: Position,
    players: tuple[Player, Player],
    clock: float,
    file: GameFile | None,
    again: Callable[[], str],
    *,
    quiet: bool,
) -> Result:
    """Play the game and close the players. `again` makes the sentence on how to resume it, for errors."""
    try:
        return referee_game(
            start,
            players,
            clock=clock or None,
            file=file,
            on_move=None if quiet else _show_move,
            on_refused=lambda said: err.print(said, markup=False),
        )
    # Being unable is no player's fault: the game stays as it is, and the sentence says how to go on with it.
    except Unable as absent:
        raise BadInput(f"{absent} {again()}") from None
    except Exception as error:
        if own := game_fault(error):
            raise BadInput(f"{own} {again()}") from error
        raise
    finally:
        for player in players:
            player.close()


def _print_result(start: Position, result: Result, file: Path | None) -> None:
    """Print the result as JSON; `file` is None where the game is not saved."""
    fault = None if result.fault is None else start.game.marks[result.fault]
    moves = result.position.words
    print_json(
        {"utility": result.utility, "why": result.why, "fault": fault, "moves": moves, "file": file and str(file)}
    )


def _make_players(specs: tuple[str, str], *, silent: bool, timed: bool) -> tuple[Player, Player]:
    people = {seat for seat, spec in enumerate(specs) if spec == "human"}
    # With a clock a player gets ready before it starts; without one a person need not wait for
    # that.
    awaited = bool(people) and not timed
    read = partial(_read_line, silent=silent)
    person: Choice[Player] = Choice("human", lambda: Human(people, read), "you, at this terminal")
    players = [PLAYERS.make(spec, first=[person]) for spec in specs]
    for player in players:
        print_address(player)
    # A person needs no progress bar while thinking.
    x, o = (
        player if spec == "human" else _WithProgress(player, is_awaited=awaited)
        for player, spec in zip(players, specs, strict=True)
    )
    return x, o


class _WithProgress(Wrapper):
    """A player with a progress display while it prepares and thinks."""

    def __init__(self, player: Player, *, is_awaited: bool) -> None:
        """`is_awaited`: whether a person waits for it and no clock runs: then it gets ready while the person thinks."""
        super().__init__(player)
        self._is_awaited = is_awaited

    def prepare(self, position: Position) -> None:
        # A player that answers cold compiles while the person looks at the board: it is not waited for here.
        if not (self._is_awaited and self.answers_cold):
            with progress(f"{self.name} gets ready", None):
                super().prepare(position)

    def choose(self, position: Position, seconds: float | None) -> int:
        with progress(f"{self.name} thinks", None):
            return super().choose(position, seconds)


def _read_line(prompt: str, *, silent: bool) -> str:
    """Read a line; `silent`: without a prompt, so that nothing but JSON is printed.

    Raises:
        EOFError: the input has ended, or the process has none.
    """
    if sys.stdin is None or sys.stdin.closed:
        raise EOFError
    return input() if silent else input(prompt)


def _show_move(position: Position, null_move: str = "") -> None:
    """Show a position and the move to it; a null move leaves no trace in the position."""
    if position.moves or null_move:
        mover = 1 - position.to_move if null_move and not position.moves else position.game.to_move(position.states[-2])
        said = position.notation[-1] if position.moves else null_move
        out.print(f"{position.game.names[mover]} plays {said}", markup=False)
    out.print(board(position))


def replay(
    files: GameFiles,
    game: Annotated[
        str, typer.Option(help="the game; by default the one that the file is of", autocompletion=complete_game)
    ] = "",
    number: GameNumber = 1,
    record: Annotated[
        bool, typer.Option("--record", help="print it as PGN, PDN or SGF, with variations and comments")
    ] = False,
    is_strict: IsStrict = False,
    as_json: AsJson = False,
) -> None:
    """Show a saved game, or one of files of games, move by move."""
    chosen, read = read_chosen(files, number, game, is_strict=is_strict)
    rules, name = chosen.game.rules, chosen.game.spec
    positions = [*read.steps(rules)]
    end, line = positions[-1], read.main_line()
    players = [read.tags.get(tag, "?") for tag in player_tags(rules)]
    ended = "".join(read.other.get("why", [])) or result_text(rules, read.result)
    if record:
        print(record_form(name, end, read).text, end="")
    elif as_json:
        why = read.other["why"][0] if "why" in read.other else end.reason or ended
        print_json({"game": name, "players": players, "moves": read.words(), "why": why or None})
    else:
        which = f", game {number} of {chosen.count}; --number chooses another" if chosen.count > 1 else ""
        x, o = rules.names
        out.print(f"{name}: {x} {players[0]}, {o} {players[1]}{which}", markup=False)
        for step, row in zip(positions, [None, *line], strict=True):
            _show_move(step, "" if row is None else read.moves[row].notation)
            if comment := read.comment if row is None else read.moves[row].comment:
                out.print(comment, markup=False)
        out.print(f"{end.result if end.outcome is not None else ended or 'left unfinished'}.", markup=False)
    if read.faults:
        raise typer.Exit(FAULTY)
