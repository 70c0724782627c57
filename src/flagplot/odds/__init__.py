"""Chances: exact fractions where the outcomes can be counted, battles by the thousand where they cannot, and advice from both."""
