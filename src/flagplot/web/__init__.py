"""The web server: games in a database, seats without accounts, pages that show each side its own picture."""
