"""Players elsewhere: messages, three ways to write them, a session table without sockets, and the sockets.

`docs/wire.md` is the specification.
"""
