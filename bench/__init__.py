"""Speed, measured as ratios in one run. `python -m bench` runs everything; nothing here is a test."""
