"""Players elsewhere: messages, the ways to write them, a session table without sockets, and the sockets.

`docs/wire.md` is the specification.
"""
