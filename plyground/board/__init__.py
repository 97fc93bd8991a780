"""Boards: as bits for the rules, as data for every face, as pictures."""
