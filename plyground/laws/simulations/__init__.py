"""Laws of a Monte Carlo search: the lines of its simulations, held against the rules of its choices."""
