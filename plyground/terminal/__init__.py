"""The terminal: thin, it parses, calls and prints."""
