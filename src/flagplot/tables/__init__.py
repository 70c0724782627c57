"""One file for each printed table, as printed, with its source and edition."""
