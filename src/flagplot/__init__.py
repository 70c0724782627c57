"""Flagplot adjudicates, plays and explains the naval battles of a board wargame: a rulebook that runs."""

__version__ = "0.1.0"
