"""Syntax trees of loaded functions, read from their files and checked against the code that runs."""

import ast
import linecache
from functools import lru_cache
from pathlib import Path
from types import CodeType, FunctionType

from plyground.compiler.errors import NoSource

FunctionNode = ast.FunctionDef | ast.Lambda


# The caches of this file have the text among their keys: a file that is saved and loaded again is another one.
@lru_cache(maxsize=512)
def tree_of(file: str, text: str) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(text)


@lru_cache(maxsize=512)
def _function_nodes(file: str, text: str) -> dict[tuple[str, int], ast.FunctionDef]:
    """The functions of a file, by their names and first lines."""
    found: dict[tuple[str, int], ast.FunctionDef] = {}
    for node in ast.walk(tree_of(file, text)):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            found[node.name, first] = node
    return found


@lru_cache(maxsize=512)
def _lambda_nodes(file: str, text: str) -> list[ast.Lambda]:
    return [node for node in ast.walk(tree_of(file, text)) if isinstance(node, ast.Lambda)]


def file_and_source(function: FunctionType) -> tuple[str, str]:
    """The file of a function, and the text of that file."""
    file = function.__code__.co_filename
    linecache.checkcache(file)  # it may have been saved again, and loaded again
    return file, "".join(linecache.getlines(file, function.__globals__))


@lru_cache(maxsize=2048)
def node_of(function: FunctionType) -> FunctionNode:
    """The syntax tree of a function.

    Raises:
        NoSource: it cannot be read, or the file was changed after it was loaded.
    """
    # Name and first line alone would accept a file that was changed after it was loaded: compiled anew, its text must
    # give the code that runs.
    node, code = _find_node(function), function.__code__
    candidates = _code_by_place(*file_and_source(function)).get((code.co_name, code.co_firstlineno), [])
    if _comparable_code(code) not in map(_comparable_code, candidates):
        raise _no_source(function)
    return node


@lru_cache(maxsize=512)
def _code_by_place(file: str, text: str) -> dict[tuple[str, int], list[CodeType]]:
    """Code of all functions of a file, by names and first lines: of several lambdas in a line more than one."""
    found: dict[tuple[str, int], list[CodeType]] = {}
    # `dont_inherit`: else the future imports of this module would hold for the text, too.
    pending = [compile(text, file, "exec", dont_inherit=True)]
    for code in pending:
        found.setdefault((code.co_name, code.co_firstlineno), []).append(code)
        pending += [each for each in code.co_consts if isinstance(each, CodeType)]
    return found


def _comparable_code(code: CodeType) -> tuple[object, ...]:
    """Parts of a code object by which two are compared: instructions, names, and constants other than texts."""
    # Constants are compared by their texts, because 1 and True are equal, as are 0.0 and -0.0.
    constants = [repr(each) for each in code.co_consts if not isinstance(each, CodeType | str)]
    return code.co_code, code.co_names, code.co_varnames, constants


def _find_node(function: FunctionType) -> FunctionNode:
    file, text = file_and_source(function)
    first, name = function.__code__.co_firstlineno, function.__code__.co_name
    try:
        if name == "<lambda>":
            candidates = [node for node in _lambda_nodes(file, text) if node.lineno == first]
            # Two lambdas of one line have the same name and line: neither is known, so neither is compiled.
            if len(candidates) == 1:
                return candidates[0]
        elif node := _function_nodes(file, text).get((name, first)):
            return node
    except SyntaxError:
        pass  # the file has been changed since it was loaded
    raise _no_source(function)


def _no_source(function: FunctionType) -> NoSource:
    file = Path(function.__code__.co_filename).name
    return NoSource(f"the source of {function.__name__} cannot be read, or {file} was changed after it was loaded")
