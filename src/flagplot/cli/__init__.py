"""The terminal: thin; it parses, calls play or api, and prints."""
