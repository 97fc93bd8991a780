"""What is known exactly, apart from what thinks: books, tablebases, listings of all states, the solver."""
