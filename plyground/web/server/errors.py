"""Errors of requests: a sentence for people, and an HTTP status for programs."""

from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.exceptions import HTTPException

from plyground.database.connecting import Unavailable
from plyground.errors import BadInput
from plyground.play.player import Unable
from plyground.web.games import saved_games
from plyground.web.lessons import loader
from plyground.web.server.guard import SERVER_FAULT
from plyground.workers.pool import WorkerStopped
from plyground.workers.shares import TooMany


def status_of(fault: Exception) -> int:
    """HTTP status of an expected error; 500 for any other."""
    if isinstance(fault, HTTPException):
        return fault.status_code
    kinds: list[tuple[type[Exception], int]] = [
        (saved_games.NotFound, 404),
        (loader.NoLesson, 404),
        (saved_games.NotYours, 403),
        (saved_games.TooLate, 409),
        (TooMany, 429),
        (Unable, 503),
        (BadInput, 400),
        (ValidationError, 422),
        (RequestValidationError, 422),
        (Unavailable, 503),
        (WorkerStopped, 503),
    ]
    # The first kind that fits counts, so special kinds stand above `BadInput`, of which most are.
    return next((status for kind, status in kinds if isinstance(fault, kind)), 500)


def sentence_of(fault: Exception) -> str:
    """Sentence for people about an error."""
    if isinstance(fault, ValidationError | RequestValidationError):
        first = fault.errors()[0]
        where = ".".join(str(part) for part in first["loc"] if part != "body") or "the arguments"
        return f"{where}: {first['msg']}."
    if isinstance(fault, HTTPException):
        return _HTTP_SENTENCES.get(fault.status_code, f"{fault.detail}.")
    return str(fault) if status_of(fault) != 500 else SERVER_FAULT


_HTTP_SENTENCES = {
    400: "The body of the request is not JSON in UTF-8.",
    404: "There is nothing at this address: the page is at /, and /openapi.json lists the operations.",
    405: "This method is not allowed here: use POST for operations, and GET for all else.",
}
"""Sentences for requests that the framework refuses, by status."""
