"""Programs of others: what they write to their error output; a Prolog that answers questions."""
