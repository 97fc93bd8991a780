"""Codecs by the name of their protocol. To add one, write a codec in its own file, and add a row here."""

from plyground.errors import BadInput
from plyground.wire.codec import LARGEST_FRAME, Codec
from plyground.wire.jsonlines import JsonLines
from plyground.wire.terms import Terms
from plyground.wire.xml import Xml

PROTOCOLS: dict[str, type[Codec]] = {"terms": Terms, "xml": Xml, "json": JsonLines}


def codec(protocol: str, largest: int = LARGEST_FRAME) -> Codec:
    """Returns a fresh codec for one peer.

    Raises:
        BadInput: there is no such protocol.
    """
    if protocol not in PROTOCOLS:
        raise BadInput(f"There is no protocol {protocol!r}: there are {', '.join(PROTOCOLS)}.")
    return PROTOCOLS[protocol](largest)
