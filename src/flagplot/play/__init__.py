"""A game: header, ruleset and journal; playing, undoing, saving, telling what happened."""
