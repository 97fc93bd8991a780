"""Programs of others: their error output, and a Prolog that answers questions about rules."""
