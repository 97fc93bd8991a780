"""A game and a search become machine code, which is kept, and held against plain Python."""
