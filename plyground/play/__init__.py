"""One game between two players: referee, records and files; levels; the audit of a player against every reply."""
