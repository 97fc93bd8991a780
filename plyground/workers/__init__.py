"""Processes that do long work: the server's pool, clusters of this machine, and clusters of Dask's."""

SOCKET_FOLDER = "PLYGROUND_SOCKET_FOLDER"
"""Environment variable: the ID of a server's process, and the folder of the socket by which it has workers forked."""
