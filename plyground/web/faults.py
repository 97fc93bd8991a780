"""What is wrong, in a sentence for people and an HTTP status for programs."""

from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.exceptions import HTTPException

from plyground.database.connecting import Unavailable
from plyground.errors import BadInput
from plyground.play.referee import Unable
from plyground.web import kept, lessons
from plyground.web.guard import FAILED
from plyground.web.shares import TooMany
from plyground.web.workers import Unanswered


def status_of(fault: Exception) -> int:
    """The HTTP status of a fault that is said in a sentence; 500 for one that should not be."""
    if isinstance(fault, HTTPException):
        return fault.status_code
    kinds: list[tuple[type[Exception], int]] = [
        (kept.NotFound, 404),
        (lessons.NoLesson, 404),
        (kept.NotYours, 403),
        (kept.TooLate, 409),
        (TooMany, 429),
        (Unable, 503),
        (BadInput, 400),
        (ValidationError, 422),
        (RequestValidationError, 422),
        (Unavailable, 503),
        (Unanswered, 503),
    ]
    return next((status for kind, status in kinds if isinstance(fault, kind)), 500)


def sentence_of(fault: Exception) -> str:
    """The fault in a sentence for people."""
    if isinstance(fault, ValidationError | RequestValidationError):
        first = fault.errors()[0]
        where = ".".join(str(part) for part in first["loc"] if part != "body") or "the arguments"
        return f"{where}: {first['msg']}."
    if isinstance(fault, HTTPException):
        return _OF_HTTP.get(fault.status_code, f"{fault.detail}.")
    return str(fault) if status_of(fault) != 500 else FAILED


_OF_HTTP = {
    400: "The body of the request is not JSON in UTF-8.",
    404: "There is nothing at this address: the page is at /, and /openapi.json lists the operations.",
    405: "This method is not allowed here: use POST for operations, and GET for all else.",
}
"""What is said of what the framework refuses, by its status."""
