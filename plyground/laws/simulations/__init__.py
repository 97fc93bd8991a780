"""Laws of a Monte Carlo search: the lines of its simulations are compared with rules of choice."""
