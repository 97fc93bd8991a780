"""The database of saved games and arenas: connections, tables and their versions."""
