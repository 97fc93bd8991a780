"""A verb that shows how a rule becomes machine code: compile."""

import ast
from enum import StrEnum
from types import FunctionType
from typing import Annotated, Any

import typer

from plyground.compiler.backends.backend import Backend, usual_backend
from plyground.compiler.backends.webassembly import format_webassembly
from plyground.compiler.errors import NoSource, NotCompilable
from plyground.compiler.form import FIRST_FAULT, format_functions
from plyground.compiler.optimisation.inlining import inline_small
from plyground.compiler.runtime import CompiledFunction
from plyground.compiler.source import node_of
from plyground.errors import BadInput
from plyground.rules import Game
from plyground.terminal.arguments import GameName, named_position
from plyground.terminal.board import out


class Stage(StrEnum):
    """Form of a rule on its way to machine code."""

    ast = "ast"
    form = "form"
    llvm = "llvm"
    optimised = "optimised"
    wasm = "wasm"


def compile(  # noqa: A001  # the verb's name
    game: GameName,
    rule: Annotated[str, typer.Option(help="the rule: a method of the game")] = "play",
    show: Annotated[Stage, typer.Option(help="what to show of it")] = Stage.form,
    wrapping: Annotated[bool, typer.Option(help="let ints wrap at 64 bits, in place of a fault where they do")] = False,
) -> None:
    """Show a rule of a game as a syntax tree, as typed instructions, or as the text of LLVM or WebAssembly."""
    here = named_position(game, "")
    function = getattr(type(here.game), rule, None)
    if not isinstance(function, FunctionType):
        raise BadInput(f"{game} has no rule {rule}: name a method, such as play, outcome or evaluate.")
    try:
        if show is Stage.ast:
            out.print(ast.dump(node_of(function), indent=2), markup=False, soft_wrap=True)
            return
        native = CompiledFunction(function, *arguments(here.game, function), is_checked=not wrapping)
    except NoSource:
        raise BadInput(f"The source of {rule} is not to be had.") from None
    except NotCompilable as refusal:
        raise BadInput(f"{refusal}.") from None
    if show is Stage.form:
        out.print(format_functions(native.form), markup=False, soft_wrap=True)
        for number, site in enumerate(native.faults, FIRST_FAULT):
            out.print(f"fault {number}: {site.error.__name__} in line {site.line}, {site.function}", markup=False)
    else:
        out.print(_stage_text(native, show), markup=False, soft_wrap=True)


def _stage_text(native: CompiledFunction, show: Stage) -> str:
    """The text of a stage behind the form."""
    if show is Stage.wasm:
        inline_small(native.form[:1])
        return format_webassembly(native.form[0])
    if usual_backend() is not Backend.LLVM:
        raise BadInput(f"{show.value} needs llvmlite, which is not installed: --show wasm is what runs here.")
    from plyground.compiler.backends.machine import MachineCode, native_target, optimise

    assert isinstance(native.code, MachineCode)
    return native.code.text if show is Stage.llvm else str(optimise(native.code.text, native_target()))


def arguments(game: Game[Any], function: FunctionType) -> list[Any]:
    """Arguments of a rule for the first position, by which the compiler knows their types."""
    known: dict[str, Any] = {"self": game, "state": game.initial()}
    names = list(function.__code__.co_varnames[: function.__code__.co_argcount])
    values = [game, *[known.get(name, 0) for name in names[1:]]]
    # Only methods of `Game` have a state as their first parameter; a user's own may have anything.
    if len(values) > 1 and names[1] not in known and function.__name__ in vars(Game):
        values[1] = game.initial()  # a rule's state, by another name
    return values
