"""Thinking and solving: limits, reports, exact values; published ones."""
