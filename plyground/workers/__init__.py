"""Processes that do long work: the server's pool, clusters of this machine, and clusters of Dask's."""

SOCKET_FOLDER = "PLYGROUND_SOCKET_FOLDER"
"""Environment variable that names the folder of the socket by which a server has workers forked."""
