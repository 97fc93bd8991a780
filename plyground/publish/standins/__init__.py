"""Modules in place of libraries that Python in a browser lacks: what the page of a game needs of each."""
