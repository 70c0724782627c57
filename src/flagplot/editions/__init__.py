"""Editions: the tables they print and the slots in which they differ."""
