"""Policies as integer functions from a Sight: what the admiral plays, and compiled battles with him."""
