"""The playground in the browser: the operations, the games that are kept, the workers that think, and the server."""
