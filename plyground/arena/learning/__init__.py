"""Strength of a learned evaluation, by matches and by exact values, and learning that shows it."""
