"""Formats of game records: each module reads one, and writes it where programs of the field read ours."""
