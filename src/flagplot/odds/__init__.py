"""Chances: exact fractions where the outcomes can be counted."""
