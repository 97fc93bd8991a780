"""Protocols of the field by name. To add one, write its dialogue in its own file, and add a row here."""

from plyground.protocols.cecp import Cecp
from plyground.protocols.codingame import Codingame
from plyground.protocols.dialogue import Dialogue
from plyground.protocols.gomocup import Gomocup
from plyground.protocols.gtp import Gtp
from plyground.protocols.kgp import Kgp
from plyground.protocols.uci import Uci, Ugi

DIALOGUES: dict[str, type[Dialogue]] = {
    dialogue.protocol: dialogue for dialogue in (Uci, Ugi, Cecp, Gtp, Gomocup, Kgp, Codingame)
}
