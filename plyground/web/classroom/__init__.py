"""Classroom with a teacher: people present, challenges, and the page that is shown to all."""
