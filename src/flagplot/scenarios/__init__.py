"""Set-ups as TOML, the loader that checks them, and the list of named ships."""
