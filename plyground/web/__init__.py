"""The playground in the browser: operations, saved games, analyses and the server."""
