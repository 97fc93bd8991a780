"""Verbs about games as such: check, games."""

from collections.abc import Callable, Iterator
from typing import Annotated, Any

import typer

from plyground.errors import BadInput
from plyground.exact.tabulating.making import require_values
from plyground.games import GAMES, GUESTS, AnyGame, describe_game, game_named
from plyground.grading.lawful import broken_words, check_search
from plyground.laws.against import hold_against
from plyground.laws.verdict import check as check_laws
from plyground.laws.verdict import describe_breaches
from plyground.learning.network import network_of
from plyground.learning.shipped_weights import OWN, OWN_FOR
from plyground.play.level import LEVELS
from plyground.players import PLAYERS
from plyground.rules import Game
from plyground.search import ALGORITHMS, is_algorithm
from plyground.spec import is_own, options
from plyground.terminal.arguments import AsJson, GameName, complete_game, print_json
from plyground.terminal.board import out, progress


def check(
    game: GameName,
    games: Annotated[int, typer.Option(help="random games to play")] = 100,
    seed: Annotated[int, typer.Option(help="the seed of the random games")] = 0,
    against: Annotated[str, typer.Option(help="another game: compare the two instead, by perft and random games")] = "",
    moves: Annotated[
        str, typer.Option(help="with --against, how moves are matched: text, mirror, number, order or positions")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Hold a game against every law of the rules, plain and compiled; or against another implementation of it.

    A search, path/to/file.py:function, is held against the laws of searches, at every event.
    """
    if is_search(game):
        _check_search(game, seed, as_json)
        return
    if games < 1:
        raise BadInput(f"--games {games}: play at least one.")
    if moves and not against:
        raise BadInput(f"--moves {moves}: it says how moves are matched with --against another game.")
    rules = game_named(game)
    if against:
        _compare_games(rules, game, against, games, seed, moves, as_json)
        return
    with progress("checking", games) as bar:
        verdict = check_laws(rules, games=games, seed=seed, on_game=lambda: bar.advance(bar.task_ids[0]))
    # Refusals are listed only for a game that keeps the laws: for another one they would be one more symptom.
    notes = (*verdict.notes, *(_refusals(rules) if verdict.ok and is_own(game) else ()))
    if as_json:
        faults = [{"law": fault.law, "sentence": fault.sentence} for fault in verdict.faults]
        answer: dict[str, Any] = {"ok": verdict.ok, "games": verdict.games, "states": verdict.states}
        print_json(answer | {"compiled": verdict.compiled, "speeds": verdict.speeds, "faults": faults, "notes": notes})
    else:
        for fault in verdict.faults:
            out.print(f"✗ {fault.law}: {fault.sentence}", markup=False)
        for note in notes:
            out.print(f"note: {note}", markup=False)
        out.print(f"{game}: {verdict.words}", markup=False)
    if not verdict.ok:
        raise typer.Exit(2)


def _require_values(game: AnyGame) -> None:
    # The verb and this note share one function, so the note is what the verb's error would say.
    if type(game).tier is Game.tier:  # where each move leads to a higher tier, no state comes again
        require_values(game)


_DEMANDS: dict[str, Callable[[AnyGame], object]] = {"learn": network_of, "tablebase": _require_values}
"""Demands of verbs on a game beyond the laws: each raises BadInput for a game that the verb refuses."""


def _refusals(game: AnyGame) -> Iterator[str]:
    """Yields a note for each verb that refuses the game. `publish` needs none: a note on compiling is there already."""
    for verb, require in _DEMANDS.items():
        try:
            require(game)
        except BadInput as why:
            yield f"plyground {verb} refuses it: {why}"


def is_search(text: str) -> bool:
    """Whether a text names a search, and no game."""
    if is_own(text):
        return ALGORITHMS.has_in(text) and not GAMES.has_in(text)
    return is_algorithm(text) and not any(choice.name == text.partition(":")[0] for choice in GAMES)


def _check_search(search: str, seed: int, as_json: bool) -> None:
    with progress("checking", None) as bar:
        verdict = check_search(search, seed, lambda: bar.advance(bar.task_ids[0]))
    faults = [(each.breach.law, broken_words(each)) for each in verdict.broken if each.breach]
    if as_json:
        listed = [{"law": law, "sentence": sentence} for law, sentence in faults]
        print_json({"ok": verdict.ok, "searches": verdict.searches, "nodes": verdict.nodes, "faults": listed})
    else:
        for law, sentence in faults:
            out.print(f"✗ {law}: {sentence}", markup=False)
        count = f"{verdict.searches} searches, {verdict.nodes:,} nodes"
        out.print(f"{search}: {describe_breaches(len(faults))} ({count})", markup=False)
    if not verdict.ok:
        raise typer.Exit(2)


def _compare_games(rules: AnyGame, game: str, against: str, games: int, seed: int, by: str, as_json: bool) -> None:
    other = game_named(against)
    with progress("comparing", games) as bar:
        found = hold_against(
            rules,
            other,
            names=(game, against),
            games=games,
            seed=seed,
            by=by,
            on_game=lambda: bar.advance(bar.task_ids[0]),
        )
    if as_json:
        answer = {"ok": found.ok, "perft": found.perft, "games": found.games, "positions": found.plies}
        print_json(answer | {"moves": found.by, "difference": found.difference})
    else:
        equal = [here for here, there in found.perft if here == there]
        out.print(f"perft {', '.join(f'{count:,}' for count in equal)}: the same in both", markup=False)
        # Without a way to match moves two games of other names for them agree in perft alone, which
        # says less.
        if found.ok and not found.by:
            out.print(f"{game}, {against}: no way to match their moves fits; perft alone was compared", markup=False)
        elif found.ok:
            said = f"{found.games} random games and {found.plies:,} positions agree, moves matched by {found.by}"
            out.print(f"{game}, {against}: {said}", markup=False)
        else:
            out.print(f"✗ {found.difference}", markup=False)
        for each in (rules, other):
            if each.plain:
                out.print(f"note: {each.plain}, so they were compared plain", markup=False)
    if not found.ok:
        raise typer.Exit(2)


def games(
    game: Annotated[
        str, typer.Argument(help="a game, to read its rules and options", autocompletion=complete_game)
    ] = "",
    as_json: AsJson = False,
) -> None:
    """The games and players there are; the rules of one game."""
    if game:
        _print_rules(game, as_json)
        return
    if as_json:
        named = {"games": {choice.name: choice.summary for choice in GAMES}}
        print_json(named | {"players": {choice.name: choice.summary for choice in PLAYERS}})
        return
    out.print("Games")
    out.print("Games")
    games = {each.name: each.summary for each in (*GAMES, *GUESTS, *GAMES.elsewhere)}
    _print_titles(games | {"your own": "path/to/file.py:ClassName; see docs/add-a-game.md"})
    out.print("Players")
    _print_titles({"human": "you, at this terminal"} | {player.name: player.summary for player in PLAYERS})
    out.print("Levels, to play against")
    _print_titles({f"level:{name}": known.title for name, known in LEVELS.items()})
    out.print("Learned evaluations")
    _print_titles({f"engine:eval={OWN}": OWN_FOR})


def _print_titles(rows: dict[str, str]) -> None:
    width = max(map(len, rows), default=0)
    for name, words in rows.items():
        out.print(f"  {name:<{width}}  {words}", markup=False)


def _print_rules(spec: str, as_json: bool) -> None:
    """Print a game's rules and options."""
    told = describe_game(spec)
    name = spec.partition(":")[0]
    choice = next((choice for choice in GAMES if choice.name == name), None)
    given = options(choice.maker if choice else type(game_named(spec)))
    if as_json:
        words = {option.name: {"default": option.default, "words": option.words} for option in given}
        print_json({"title": told.title, "rules": told.rules, "details": told.details, "options": words})
        return
    out.print(f"{told.title}\n{told.rules}".rstrip(), markup=False)
    if told.details:
        out.print(told.details, markup=False)
    for option in given:
        out.print(f"  {option.name + '=' + option.default:<20} {option.words}", markup=False)
