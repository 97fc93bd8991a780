"""Processes that do long work: the server's pool, clusters of this machine, and clusters of Dask's."""
