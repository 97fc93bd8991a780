"""Boards: as bits for the rules, as data for every user interface, as pictures."""
