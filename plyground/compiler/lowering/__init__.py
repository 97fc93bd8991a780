"""Lowering: syntax trees and values become instructions of the form; each file builds on the ones below it."""
