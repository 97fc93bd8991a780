"""Structure of states: a NamedTuple of ints, or of tuples of ints, the same in all states of a game."""

from typing import Any


def state_fault(value: object) -> str | None:
    """Explain in a clause why a value is no state, and what would be right; None if it is one."""
    if not (isinstance(value, tuple) and hasattr(value, "_fields")):
        return f"a state is a NamedTuple of ints, or of tuples of ints, not a {type(value).__name__}"
    wrong = (_field_fault(getattr(value, name), name) for name in value._fields)
    return next(filter(None, wrong), None)


def _field_fault(value: object, name: str) -> str | None:
    if isinstance(value, tuple):
        return next(filter(None, (_field_fault(item, name) for item in value)), None)
    # `type` and not `isinstance`: a bool comes back from compiled code as an int.
    if type(value) is not int:
        kind = type(value).__name__
        right = {
            "bool": "write 1 or 0",
            "float": "// divides ints without a fraction",
            "list": "write a tuple",
            "set": "write an int with a bit for each member",
            "dict": "write a tuple, in the order of the keys",
            "ndarray": "write a tuple, or an int with a bit for each place",
            "int64": "int(…) makes one of NumPy's",
            "str": "write a number for each",
            "NoneType": "write a number for nothing, -1 for instance",
        }
        return f"{name} holds {short_text(value)}, a {kind}, not an int{f': {right[kind]}' if kind in right else ''}"
    if not -(2**63) <= value < 2**63:
        sets = "plyground.board.bits has sets of any size"
        return f"{name} holds {value}, and an int has 64 bits: write a tuple of ints ({sets})"
    return None


def structure_fault(pattern: Any, value: Any, name: str = "the state") -> str | None:
    """Explain in a clause how the structure of a state differs from the first one's; None if it does not."""
    if type(pattern) is not type(value):
        return f"{name} is of kind {type(value).__name__}, and of kind {type(pattern).__name__} in the first state"
    if not isinstance(pattern, tuple):
        return None
    if len(pattern) != len(value):
        said = f"{name} has {len(value)} items, and {len(pattern)} in the first state"
        return f"{said}: a tuple keeps its length; fill it up, and count in an int how much of it is used"
    # Within a tuple the items have no names, so they are called by that of the field.
    names = getattr(pattern, "_fields", [name] * len(pattern))
    parts = (structure_fault(left, right, name) for left, right, name in zip(pattern, value, names, strict=True))
    return next(filter(None, parts), None)


def short_text(value: object) -> str:
    """Format a value; a text of more than 200 characters is cut."""
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:200]} …"
