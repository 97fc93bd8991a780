"""Microscope for searches: records each node, draws the tree, explains and compares, makes quizzes."""
