"""23: air and ships."""
