"""External players: messages, their codecs, a session table without sockets, and the sockets.

`docs/wire.md` is the specification.
"""
