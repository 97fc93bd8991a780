"""One game between two players, refereed and kept; levels; a player held against every reply."""
