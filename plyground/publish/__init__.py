"""Published pages: a game as one HTML file that plays and analyses it offline; a site of all games."""

from plyground.search.table import PAGE_TABLE_MIB

TABLE_MEBIBYTES = PAGE_TABLE_MIB
"""Default mebibytes of a search's transposition table, small enough for a phone; three searches may run at a time."""
INDEX = "index.html"
"""File of a site's page with links to the others."""
LESSONS = "lessons.html"
"""File of a site's page with links to its lessons."""
