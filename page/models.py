"""Print what the server takes and answers as one JSON schema, with the constants of its workers.

`npm run types` makes the page's types of it.
"""

import json
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, models_json_schema

from plyground.web.operations import BY_NAME
from plyground.web.views.page_constants import Constants

Model = tuple[type[BaseModel], JsonSchemaMode]


class _Sent(GenerateJsonSchema):
    """An answer has all its fields; what has a default may be left out of the arguments only."""

    def field_is_required(self, field: Any, total: bool) -> bool:
        return self.mode == "serialization" or super().field_is_required(field, total)


def _plain(schema: Any) -> Any:
    """Without the titles of fields, each of which would become a type of its own; tuples as an older draft has them."""
    if isinstance(schema, list):
        return [_plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: part for key, part in schema.items() if key != "title" or not isinstance(part, str)}
    return {"items" if key == "prefixItems" else key: _plain(part) for key, part in kept.items()}


def schema() -> dict[str, Any]:
    """An object with each operation's `args` and `answer`."""
    asked: list[Model] = [(operation.args, "validation") for operation in BY_NAME.values()]
    told: list[Model] = [(operation.answer, "serialization") for operation in BY_NAME.values()]
    places, definitions = models_json_schema(
        list(dict.fromkeys([*asked, *told, (Constants, "serialization")])), schema_generator=_Sent
    )
    rows = {
        name: _object(
            {"args": places[operation.args, "validation"], "answer": places[operation.answer, "serialization"]}
        )
        for name, operation in BY_NAME.items()
    }
    return {"title": "Operations", **_object(rows), **_plain(definitions)}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "required": list(properties), "properties": properties}


if __name__ == "__main__":
    print(json.dumps(schema()))
