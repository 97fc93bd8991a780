"""Gradebooks: one record and one CSV for all that is graded, and rosters of learning platforms to be filled from it."""
