"""Sandbox for code of others: of students, readers and programs that play."""
