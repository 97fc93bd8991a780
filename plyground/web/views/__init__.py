"""Answers as typed data: pure functions of their arguments, without a server."""
