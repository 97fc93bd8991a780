"""A bot in ten lines: it plays x with the first legal move against a level of the playground's.

Start `plyground web` in another terminal first.
"""

import json
import sys
from urllib.request import Request, urlopen

SERVER = sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8000"


def ask(op, **args):
    """One operation of docs/http.md."""
    request = Request(f"{SERVER}/api/{op}", json.dumps(args).encode(), {"Content-Type": "application/json"})
    return json.load(urlopen(request))


made = ask("create", game="tictactoe", x="human", o="level:error=0.25,seed=1")
here = ask("open", id=made["id"])["position"]
while not here["over"]:
    if here["to_move"] == "x":
        move = here["legal"][0]
    else:
        move = ask("reply", game="tictactoe", moves=here["moves"], player="level:error=0.25,seed=1")["move"]
    play = {"id": made["id"], "seat": made["seats"][here["to_move"]], "ply": len(here["moves"]) + 1, "move": move}
    here = ask("play", **play)["position"]
print(here["text"], here["result"])
