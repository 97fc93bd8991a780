"""Protocols of the field by name. To add one, write its dialogue in its own file, and add a row here."""

from plyground.protocols.cecp import Cecp
from plyground.protocols.codingame import Codingame
from plyground.protocols.dialogue import Dialogue
from plyground.protocols.engine_side import EngineSide
from plyground.protocols.gomocup import Gomocup, GomocupEngine
from plyground.protocols.gtp import Gtp, GtpEngine
from plyground.protocols.kgp import Kgp, KgpClient
from plyground.protocols.uci import Uci, UciEngine, Ugi, UgiEngine

DIALOGUES: dict[str, type[Dialogue]] = {
    dialogue.protocol: dialogue for dialogue in (Uci, Ugi, Cecp, Gtp, Gomocup, Kgp, Codingame)
}
"""Programs of the field as players."""
ENGINES: dict[str, type[EngineSide]] = {
    "uci": UciEngine,
    "ugi": UgiEngine,
    "gtp": GtpEngine,
    "gomocup": GomocupEngine,
    "kgp": KgpClient,
}
"""Our side."""
