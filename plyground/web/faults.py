"""What is wrong, in a sentence for people and an HTTP status for programs."""

from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError

from plyground.database.connecting import Unstored
from plyground.errors import BadInput
from plyground.play.referee import Unable
from plyground.web import kept, lessons
from plyground.web.house import TooMany
from plyground.web.workers import Unanswered


def status_of(fault: Exception) -> int:
    """The HTTP status of a fault that is said in a sentence; 500 for one that should not be."""
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
        (Unstored, 503),
        (Unanswered, 503),
    ]
    return next((status for kind, status in kinds if isinstance(fault, kind)), 500)


def sentence_of(fault: Exception) -> str:
    """The fault in a sentence for people."""
    if isinstance(fault, ValidationError | RequestValidationError):
        first = fault.errors()[0]
        where = ".".join(str(part) for part in first["loc"] if part != "body") or "the arguments"
        return f"{where}: {first['msg']}."
    return str(fault) if status_of(fault) != 500 else "The server failed at this; its log says why."
