"""Exact values for many positions: solved on a cluster, stored as they come, written as a table."""
