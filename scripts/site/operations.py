"""The page of the server's operations, from the models that check what is asked and answered."""

from collections.abc import Iterable
from typing import Any

from pydantic.json_schema import models_json_schema

from plyground.web.operations import BY_NAME, OPERATIONS


def operations_page() -> str:
    """Every operation of the server with its arguments and its answer, from the models that check them."""
    every = [*OPERATIONS, BY_NAME["follow"]]
    models = list(dict.fromkeys(model for each in every for model in (each.args, each.answer)))
    modes = {
        model: "serialization" if any(model is each.answer for each in every) else "validation" for model in models
    }
    _, schema = models_json_schema([(model, modes[model]) for model in models], ref_template="{model}")  # type: ignore[misc]
    kinds = schema["$defs"]
    parts = []
    for each in every:
        how = "Only over the WebSocket." if each.socket_only else f"`POST /api/{each.name}`"
        more = " Over the WebSocket, better and better answers." if each.stream and not each.socket_only else ""
        parts.append(
            f"## {each.name}\n\n{each.summary}. {how}{more} Answer: {link(each.answer.__name__)}\n\n"
            + fields(kinds[each.args.__name__])
        )
    taken = {each.args.__name__ for each in every}
    answers = [
        f"### {name}\n\n{kind.get('description', '')}\n\n{fields(kind)}"
        for name, kind in sorted(kinds.items())
        if name not in taken and not kind.keys().isdisjoint(("properties", "$ref", "enum"))
    ]
    return f"""# Operations of the server

What [the server](../docs/http.md) is asked, and what it answers: the same as in its `/openapi.json`, for people.

{(chr(10) * 2).join(parts)}

## What is answered

{(chr(10) * 2).join(answers)}
"""


def link(model: str) -> str:
    """A link to what a model is."""
    return f"[{model}](#{model.lower()})"


def fields(kind: dict[str, Any]) -> str:
    """The fields of a model: name, type, default, what it is; of one that only names another, a link to that; of one
    that is a word, the words."""
    if "$ref" in kind:
        return f"The same as {link(kind['$ref'])}."
    if "enum" in kind:
        return f"One of {kind_of(kind)}."
    rows = [
        (f"`{name}`", kind_of(each), f"`{each['default']!r}`" if "default" in each else "", said(each))
        for name, each in kind.get("properties", {}).items()
    ]
    return table("| field | type | if not given | what it is |", rows) if rows else "No arguments."


def kind_of(each: dict[str, Any]) -> str:
    """The type of a field in a word or two."""
    if "$ref" in each:
        return link(each["$ref"])
    if many := each.get("anyOf") or each.get("oneOf"):
        return " or ".join(kind_of(one) for one in many)
    if "enum" in each or "const" in each:
        return ", ".join(f"`{value}`" for value in each.get("enum", [each.get("const")]))
    if each.get("type") == "array" and "items" in each:
        return f"list of {kind_of(each['items'])}"
    return str(each.get("type", "anything"))


def said(each: dict[str, Any]) -> str:
    """What is said of a field, with its limits."""
    limits = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}
    words = [each["description"].replace("\n", " ")] if "description" in each else []
    words += [f"{sign} {each[key]}" for key, sign in limits.items() if key in each]
    words += [
        f"at most {each[key]} {unit}"
        for key, unit in (("maxLength", "characters"), ("maxItems", "items"))
        if key in each
    ]
    return "; ".join(words)


def table(head: str, rows: Iterable[Iterable[object]]) -> str:
    """A table in Markdown."""
    lines = [head, "|" + "---|" * (head.count("|") - 1)]
    return "\n".join(
        [*lines, *("| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows)]
    )
