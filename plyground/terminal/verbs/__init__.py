"""The verbs of the terminal, a file for each kind."""
