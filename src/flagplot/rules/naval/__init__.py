"""22: naval combat."""
