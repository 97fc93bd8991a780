"""Marks of a class: proofs, and games against opponents that are the same for all."""
