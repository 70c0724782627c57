"""Flagplot for research: an environment in which agents play any scenario."""
