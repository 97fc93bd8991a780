"""The database of kept games and arenas: its tables, their versions, and how it is reached."""
