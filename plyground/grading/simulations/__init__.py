"""Grades of Monte Carlo searches."""
