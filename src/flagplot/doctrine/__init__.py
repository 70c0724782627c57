"""Policies as integer functions from a Sight: what the admiral plays, and what compiled battles will play."""
