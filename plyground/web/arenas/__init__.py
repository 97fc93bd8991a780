"""Arenas for the page: reading saved arenas, and the messages of their operations."""
