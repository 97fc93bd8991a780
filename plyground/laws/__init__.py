"""Laws of games and of searches: what each must fulfil, asked of it from outside."""
