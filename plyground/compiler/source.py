"""Syntax of functions that are loaded."""

import ast
import linecache
from functools import lru_cache
from types import CodeType, FunctionType

from plyground.compiler.errors import NoSource

FunctionNode = ast.FunctionDef | ast.Lambda


@lru_cache(maxsize=512)
def _functions(file: str, text: str) -> dict[tuple[str, int], ast.FunctionDef]:
    """The functions of a file, by their names and first lines."""
    found: dict[tuple[str, int], ast.FunctionDef] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            found[node.name, first] = node
    return found


@lru_cache(maxsize=512)
def _lambdas(file: str, text: str) -> list[ast.Lambda]:
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Lambda)]


def text_of(function: FunctionType) -> tuple[str, str]:
    """The file of a function, and the text of that file."""
    file = function.__code__.co_filename
    return file, "".join(linecache.getlines(file, function.__globals__))


@lru_cache(maxsize=2048)
def node_of(function: FunctionType) -> FunctionNode:
    """The syntax tree of a function.

    Raises:
        NoSource: it cannot be read, or the file was changed after it was loaded.
    """
    node = _find_node(function)
    if isinstance(node, ast.FunctionDef) and not function.__code__.co_freevars:
        bare = ast.FunctionDef(**{name: getattr(node, name) for name in node._fields} | {"decorator_list": []})
        module = ast.Module([ast.copy_location(bare, node)], [])
        compiled = next(each for each in compile(module, "", "exec").co_consts if isinstance(each, CodeType))
        if _comparable_code(compiled) != _comparable_code(function.__code__):
            raise NoSource
    return node


def _comparable_code(code: CodeType) -> tuple[object, ...]:
    """The parts of code by which it is compared: instructions, names, and constants without docstrings."""
    constants = [repr(each) for each in code.co_consts if not isinstance(each, CodeType | str)]
    return code.co_code, code.co_names, code.co_varnames, constants


def _find_node(function: FunctionType) -> FunctionNode:
    file, text = text_of(function)
    first, name = function.__code__.co_firstlineno, function.__code__.co_name
    try:
        if name == "<lambda>":
            alike = [node for node in _lambdas(file, text) if node.lineno == first]
            if len(alike) == 1:
                return alike[0]
        elif node := _functions(file, text).get((name, first)):
            return node
    except SyntaxError:
        pass
    raise NoSource
