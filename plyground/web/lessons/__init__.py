"""Lessons: Markdown files as data for the page, and their examples, which can be run."""
