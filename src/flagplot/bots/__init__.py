"""Bots: choose(picture, decision) -> answer. They never see the truth."""
